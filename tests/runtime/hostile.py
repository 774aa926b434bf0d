"""How may an MCP server misbehave? Each way has a name: `python tests/runtime/hostile.py NAME` is such a server.

They know nothing of the official package: they write lines of JSON, or worse.
"""

import json
import os
import sys
import time

NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
RESULT = {"content": [{"type": "text", "text": "hello"}], "isError": False}
SLOW = {"type": "object", "properties": {"text": {"pattern": "^(a+)+$"}}}
LEVELS = 7
LARGE = {  # asks ten times for the next level, at each of them
    "$ref": "#/$defs/0",
    "$defs": {str(n): {"anyOf": [{"$ref": f"#/$defs/{n + 1}"}] * 10} for n in range(LEVELS)} | {str(LEVELS): False},
}
AWAY = {"type": "object", "properties": {"n": {"$ref": "http://127.0.0.1:9/schema.json"}}}


def say(message):
    """Write a line."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def serve(tools, call):
    """Answer what a client asks for; `call` answers calls of tools."""
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            answer = {"jsonrpc": "2.0", "id": asked["id"]}
            if asked["method"] == "initialize":
                version = asked["params"]["protocolVersion"]
                about = {"name": "hostile", "version": "1"}
                say(
                    {
                        **answer,
                        "result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about},
                    }
                )
            elif asked["method"] == "tools/list":
                say({**answer, "result": tools(asked.get("params") or {})})
            elif asked["method"] == "tools/call":
                call(answer, asked["params"])
            else:
                say({**answer, "error": {"code": -32601, "message": "unknown"}})


def listing(schema=NUMBER, **more):
    """Return what lists one tool."""
    return lambda params: {"tools": [{"name": "x", "inputSchema": schema, **more}]}


def answering(result):
    """Return what answers each call with a result."""
    return lambda answer, params: say({**answer, "result": result})


def flood(answer, params):
    """Say things that nobody asked for, without end."""
    while True:
        say({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x" * 1000}})


def endless(answer, params):
    """Begin a line that does not end."""
    while True:
        sys.stdout.write("x" * 65536)


def other(answer, params):
    """Answer a call that was never made."""
    say({**answer, "id": 1_000_000, "result": RESULT})


def last_words(answer, params):
    """End in the midst of an answer."""
    sys.stdout.write('{"jsonrpc": "2.0", "id"')
    sys.stdout.flush()
    os._exit(0)


def pages(params):
    """List tools without end."""
    return {"tools": [], "nextCursor": str(int(params.get("cursor", 0)) + 1)}


def stubborn(answer, params):
    """Hear nothing any more, not even that it is over."""
    while True:
        time.sleep(1000)


WAYS = {
    "flood": (listing(), flood),
    "endless": (listing(), endless),
    "silent": (listing(), lambda answer, params: None),
    "stubborn": (listing(), stubborn),
    "other": (listing(), other),
    "last words": (listing(), last_words),
    "no JSON": (listing(), lambda answer, params: print("hello", flush=True)),
    "pages": (pages, None),
    "no list": (lambda params: {"tools": "none"}, None),
    "no result": (listing(), answering({"content": "none"})),
    "refusal": (listing(), lambda answer, params: say({**answer, "error": {"code": 1, "message": "y" * 100_000}})),
    "no number": (listing(), answering({"content": [], "structuredContent": {"n": float("nan")}})),
    "lie": (listing(outputSchema=NUMBER), answering({**RESULT, "structuredContent": {"n": "five"}})),
    "nothing": (listing(outputSchema=NUMBER), answering(RESULT)),
    "no schema": (listing({"type": "object", "properties": {"n": {"type": "nothing"}}}), answering(RESULT)),
    "slow schema": (listing(SLOW), answering(RESULT)),
    "large schema": (listing({"type": "object", **LARGE}), answering(RESULT)),
    "schema elsewhere": (listing(AWAY), answering(RESULT)),
    "good": (listing(), answering(RESULT)),
}

if __name__ == "__main__":
    serve(*WAYS[sys.argv[1]])
