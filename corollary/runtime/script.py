"""How does an agent written in JavaScript run? On QuickJS, compiled to WebAssembly, as its package on npm has it.

The program of such an agent is the engine with the script in a custom section. `prelude.js` gives the script what it
needs, and gathers what it asks for; after each step that is taken out as JSON and done here.
"""

import base64
import json
from pathlib import Path
from typing import Any

from corollary.failure import OUTPUT, Fault
from corollary.linker import WithInstance
from corollary.module import Module
from corollary.names import custom_sections
from corollary.outcome import Exited, Returned, Unlinkable
from corollary.runtime.desk import Denied
from corollary.runtime.run import Failed, Lasting, done, unfinished
from corollary.runtime.store import Answer, Deed, Event, Kind, Reply

SECTION = "corollary:javascript"
PRELUDE = Path(__file__).with_name("prelude.js")
ENGINE = "env"  # where the engine imports from
DRAWN = 1 << 10  # random bytes that a script gets at once
HALF = r"\ud"  # begins, in JSON, what is no whole character
STEPS = 100_000  # of one turn, at most


def script_of(module: Module) -> str | None:
    """Return the script that a program has, or None."""
    try:
        return next((part.decode() for part in custom_sections(module.binary, SECTION)), None)
    except (IndexError, UnicodeDecodeError):
        raise Unlinkable(f"the section {SECTION} has no text in UTF-8") from None


class Scripted(Lasting):
    """A script that runs on the engine."""

    # ---- what the engine imports

    def imports(self) -> dict[tuple[str, str], Any]:
        """Return what the engine imports; raises `Unlinkable` for another engine."""
        given: dict[tuple[str, str], Any] = dict(self.host.wasi.imports(self.module))
        functions = {
            "host_call": self.called,
            "host_interrupt": lambda instance: 0,
            "host_promise_rejection": self.rejected,
            "host_module_normalize": lambda instance, base, name: 0,
            "host_module_load": lambda instance, name, size: 0,
            "host_get_timezone_offset": lambda instance, high, low: 0,
        }
        for name, function in functions.items():
            given[ENGINE, name] = WithInstance(function)
        unknown = [f"{from_}.{name}" for from_, name, _, _ in self.module.imports if (from_, name) not in given]
        if unknown:
            raise Unlinkable(f"an engine for scripts has no import {', '.join(unknown)}: take quickjs-wasi from npm")
        return given

    def called(self, instance, name, size, this, count, arguments):
        """Return random bytes: the only thing that a script asks for in the midst of a step."""
        data = self.host.desk.random(DRAWN)
        at = self.put(data)
        made = self.call("qjs_new_uint8_array", at, len(data))
        self.call("wasm_free", at)
        return made

    def rejected(self, instance, promise, reason, is_handled):
        """Log why a promise was rejected that nobody handles yet."""
        if not is_handled:
            self.host.desk.note(Deed.LOGGED, f"not handled: {self.shown(reason)}")
        self.call("qjs_free_value", promise)
        self.call("qjs_free_value", reason)

    # ---- turns

    def start(self, event: Event) -> Reply:
        """Start the engine, and run the script."""
        script = script_of(self.module)
        self.call("_initialize")
        if self.call("qjs_init") != 0:
            raise Failed("the engine does not start")
        # a script that recurses too deeply gets an exception before the stack of the engine, which begins at 0, is full
        self.call("qjs_set_max_stack_size", self.instance.export("__stack_pointer").bits // 2)
        self.call("qjs_set_promise_rejection_handler", 1)
        self.bridge()
        self.evaluate(PRELUDE.read_text(), "prelude.js")
        self.evaluate(script or "", "agent.js")
        return self.until_nothing_is_left(event, "__corollary.turn", {"kind": "START"})

    def bridge(self):
        """Give the prelude the function that reaches this class, with the name of the agent."""
        at = self.put(b"engine")
        function, here = self.call("qjs_new_host_function", at, 6, 0), self.call("qjs_get_global")
        name = self.put(b"__engine\0")
        self.call("qjs_set_prop_string", here, name, function)
        for pointer in (at, name):
            self.call("wasm_free", pointer)
        for value in (function, here):
            self.call("qjs_free_value", value)
        self.evaluate(f"__engine.agent = {json.dumps(self.host.desk.agent)}", "runtime")

    def handle(self, event: Event) -> Reply:
        """Tell the script of an event."""
        told: dict[str, Any] = {"kind": event.kind.name, "id": event.id, "about": event.about}
        if event.kind is Kind.MESSAGE:
            told["base64"] = base64.b64encode(event.body).decode()
        elif event.kind is Kind.RESULT:
            told["result"] = result_of(event)
        return self.until_nothing_is_left(event, "__corollary.turn", told)

    def until_nothing_is_left(self, event, function, told):
        """Call a function of the prelude, and do what it asks for, until nothing is left to do at once."""
        self.reply = None if event.kind is not Kind.MESSAGE else Reply(Answer.LATER)
        self.evaluate(f"{function}({json.dumps(told)})", "runtime")
        for _ in range(STEPS):
            self.run_jobs()
            requests = requests_in(self.evaluate("__corollary.take()", "runtime"))
            answers = [self.answered(event, *request) for request in requests]
            left = self.evaluate(f"__corollary.named({json.dumps(answers)})", "runtime") if answers else "0"
            self.run_jobs()
            soon = self.evaluate("__corollary.soon()", "runtime")
            if left == soon == "0" and not requests and not self.call("qjs_is_job_pending"):
                return self.reply or done()
        raise Failed(f"the script did not come to rest within {STEPS} steps")

    def answered(self, event, verb, *words):
        """Do what a script asks for, as a call of the host."""
        with self.host.desk.call(verb):
            return self.answer(event, verb, *words)

    def answer(self, event, verb, *words):
        """Do what a script asks for, and return what it is told: an id, or why it was denied."""
        desk = self.host.desk
        try:
            if verb == "log":
                desk.note(Deed.LOGGED, words[0])
            elif verb == "later":
                return {"id": desk.later(int(words[0]))}
            elif verb == "cancel":
                desk.cancel(words[0])
            elif verb == "ask":
                return {"id": desk.ask(words[0], json.dumps(words[1]).encode())}
            elif verb == "send":
                return {"id": desk.send(words[0], content(words[1]))}
            elif verb == "reply":
                self.settle(event, words[0], done(body=content(words[1])))
            elif verb == "fail":
                if words[0] == event.id:
                    raise Failed(words[1])
                self.settle(event, words[0], Reply(Answer.FAILED, reason=words[1]))
        except Denied as denied:
            desk.note(Deed.DENIED, str(denied))
            return {"denied": str(denied)}
        return {}

    def settle(self, event, id_, reply):
        """Note the reply to this event, or to an earlier one."""
        if id_ == event.id:
            self.reply = reply
        else:
            self.host.desk.settle(id_, reply)

    # ---- the engine

    def call(self, name, *values):
        """Call a function of the engine; raises `Failed` when it does not return."""
        try:
            outcome = self.instance.call(name, *values)
        except Exited as end:
            raise Failed(f"the engine ended with status {end.status}", Fault.EXITED) from None
        if not isinstance(outcome, Returned):
            raise unfinished(outcome)
        return outcome.value

    def put(self, data):
        """Put bytes into the memory of the engine, with a zero behind them; return where."""
        at = self.call("wasm_malloc", len(data) + 1)
        if at == 0:
            raise Failed("the engine has no memory left", Fault.NO_ROOM)
        self.instance.export("memory").write(at & 0xFFFFFFFF, data + b"\0")
        return at

    def text(self, value):
        """Return a value of the engine as text."""
        memory, size = self.instance.export("memory"), self.put(bytes(4))
        at = self.call("qjs_get_string_len", value, size) & 0xFFFFFFFF
        length = int.from_bytes(memory.read(size & 0xFFFFFFFF, 4), "little")
        self.call("wasm_free", size)
        if at == 0:
            return ""
        if length > OUTPUT:
            raise Failed(f"a text has {length} bytes, at most {OUTPUT} are read", Fault.OUTPUT)
        found = memory.read(at, length).decode(errors="replace")
        self.call("qjs_free_cstring", at)
        return found

    def evaluate(self, code, name):
        """Evaluate code, and return its value as text; raises `Failed` for an exception, with its stack."""
        data = code.encode()
        source, file = self.put(data), self.put(name.encode())
        value = self.call("qjs_eval", source, len(data), file, 0)
        for pointer in (source, file):
            self.call("wasm_free", pointer)
        if self.call("qjs_is_exception", value):
            raise Failed(self.exception())
        found = self.text(value)
        self.call("qjs_free_value", value)
        return found

    def run_jobs(self):
        """Run what promises left to do; raises `Failed` for an exception."""
        while self.call("qjs_is_job_pending"):
            if self.call("qjs_execute_pending_job") < 0:
                raise Failed(self.exception())

    def exception(self):
        """Return the exception that was thrown, as text."""
        thrown = self.call("qjs_get_exception")
        shown = self.shown(thrown)
        self.call("qjs_free_value", thrown)
        return shown

    def shown(self, value):
        """Return a value as text; that of an error has its stack."""
        if not self.call("qjs_is_error", value):
            return self.text(value)
        at = self.put(b"stack")
        stack = self.call("qjs_get_prop_string", value, at)
        shown = f"{self.text(value)}\n{self.text(stack)}".strip()
        self.call("wasm_free", at)
        self.call("qjs_free_value", stack)
        return shown


def requests_in(text):
    """Return the requests in JSON. Halves of characters, which only a script can write, are replaced."""
    found = json.loads(text)
    if HALF in text:
        return json.loads(json.dumps(found, ensure_ascii=False).encode(errors="replace"))
    return found


def result_of(event):
    """Return what became of something that a script asked for; raises `Failed` if it is no JSON object."""
    try:
        found = json.loads(event.body)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise Failed(f"the result of {event.about} is no JSON object")
    return found


def content(given):
    """Return the bytes that a script gave."""
    return base64.b64decode(given["base64"]) if "base64" in given else str(given.get("body", "")).encode()
