"""What can one do with the agents that a runtime serves? These commands ask it over HTTP."""

import json
import urllib.request
from datetime import UTC, datetime
from http.client import HTTPException
from typing import Annotated, Any, NoReturn
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit

import typer

from corollary.commands.ending import AsJson, finish, print_json, refuse
from corollary.commands.exits import FAILED, PASSED

PATIENCE = 60  # s until a runtime has answered
HERE = "http://127.0.0.1:8080"
WIDTH = 12  # digits of a SHA-256 that are shown

Runtime = Annotated[
    str, typer.Option("--at", metavar="URL", envvar="COROLLARY_RUNTIME", help="Where `corollary serve` listens.")
]
Name = Annotated[str, typer.Argument(metavar="AGENT", help="Its name.")]


def ps(at: Runtime = HERE, as_json: AsJson = False):
    """List the agents of a runtime: what each may do now, and the program that it runs.

    Examples: `corollary ps`, `corollary ps --at http://10.0.0.7:8080`
    """
    found = asked(at, "GET", "/agents")
    show({"agents": found}, as_json, rows=[(agent["name"], *told(agent)) for agent in found])


def suspend(agent: Name, at: Runtime = HERE, as_json: AsJson = False):
    """Let an agent handle nothing until it is resumed; its events wait. A turn that has begun may end.

    Example: `corollary suspend counter`
    """
    change(agent, "suspend", at, as_json)


def resume(agent: Name, at: Runtime = HERE, as_json: AsJson = False):
    """Let a suspended agent handle its events again.

    Example: `corollary resume counter`
    """
    change(agent, "resume", at, as_json)


def kill(agent: Name, at: Runtime = HERE, as_json: AsJson = False):
    """End an agent for good: it handles nothing more, and who waits for it is told so.

    Example: `corollary kill counter`
    """
    change(agent, "kill", at, as_json)


def elevate(
    agent: Name,
    ring: Annotated[int, typer.Option(min=0, max=3, metavar="RING", help="1 or 2; nobody gets into ring 0.")],
    seconds: Annotated[float, typer.Option(metavar="S", help="How long; 3600 at most.")] = 300.0,
    attestation: Annotated[str, typer.Option(metavar="TEXT", help="Who vouches for it: ring 1 needs that.")] = "",
    reason: Annotated[str, typer.Option(metavar="TEXT", help="What for.")] = "",
    at: Runtime = HERE,
    as_json: AsJson = False,
):
    """Let an agent act in a better ring for a while, if its trust is enough; it ends with the runtime, too.

    Example: `corollary elevate clerk --ring 1 --seconds 60 --attestation "ticket 4711" --reason release`
    """
    wanted = {"ring": ring, "seconds": seconds, "attestation": attestation, "reason": reason}
    change(agent, "elevate", at, as_json, wanted)


def demote(agent: Name, at: Runtime = HERE, as_json: AsJson = False):
    """End the elevation of an agent before its time.

    Example: `corollary demote clerk`
    """
    change(agent, "demote", at, as_json)


def trust(
    agent: Name,
    trust: Annotated[float, typer.Argument(metavar="TRUST", min=0, max=1, help="From 0 to 1.")],
    consensus: Annotated[bool, typer.Option("--consensus", help="Others agree: ring 1 needs that.")] = False,
    at: Runtime = HERE,
    as_json: AsJson = False,
):
    """Set the trust in an agent, from which the ring follows in which it acts; an elevation ends.

    Example: `corollary trust clerk 0.7`
    """
    change(agent, "trust", at, as_json, {"trust": trust, "consensus": consensus})


def dead(
    agent: Name,
    retry: Annotated[str | None, typer.Option(metavar="EVENT", help="Let this one be handled again.")] = None,
    at: Runtime = HERE,
    as_json: AsJson = False,
):
    """List the events of an agent that failed too often, with the reason, or let one be handled again.

    Examples: `corollary dead counter`, `corollary dead counter --retry :7c41`
    """
    page = f"/agents/{quote(agent, safe='')}/dead"
    if retry is not None:
        asked(at, "POST", f"{page}/{quote(retry, safe='')}/retry")
    letters = asked(at, "GET", page)
    show({"events": letters}, as_json, rows=[(each["event"], each["kind"], each["reason"]) for each in letters])


def logs(
    agent: Name,
    last: Annotated[int, typer.Option(min=1, metavar="N", help="So many events, at most.")] = 20,
    at: Runtime = HERE,
    as_json: AsJson = False,
):
    """Show what the last events of an agent did: what it wrote, sent and asked for, what it was denied and why.

    Examples: `corollary logs counter`, `corollary logs counter --last 100 --json`
    """
    found = asked(at, "GET", f"/agents/{quote(agent, safe='')}/journal?last={last}")
    show({"entries": found}, as_json, rows=[row for entry in found for row in lines_of(entry)])


def fork(
    agent: Name,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The name of the copy.")],
    turn: Annotated[int | None, typer.Option(min=1, metavar="N", help="As it was after this turn.")] = None,
    at: Runtime = HERE,
    as_json: AsJson = False,
):
    """Make a copy of an agent as it is now, or as it was after a turn that is kept. It is suspended: `resume` it.

    The copy may do what the agent may. Timers and results that the agent still waited for come to the copy, too;
    messages do not.

    Examples: `corollary fork counter counter-2`, `corollary fork counter before-the-trap --turn 41`
    """
    wanted = {"name": new} | ({} if turn is None else {"turn": turn})
    found = asked(at, "POST", f"/agents/{quote(agent, safe='')}/fork", json.dumps(wanted).encode())
    show(found, as_json, rows=[(found["name"], *told(found))])


def replay(agent: str, since: int | None, at: str, as_json: bool):
    """Let a runtime do the turns of an agent again, and say of each whether it was the same; ends the command."""
    only = "" if since is None else f"?since={since}"
    turns = asked(at, "POST", f"/agents/{quote(agent, safe='')}/replay{only}")
    same = all(each["state"] and each["effects"] for each in turns)
    rows = [
        (f"turn {each['turn']}", said("state", each["state"]), said("effects", each["effects"]), each["problem"])
        for each in turns
    ]
    show({"same": same, "turns": turns}, as_json, rows)
    finish(PASSED if same else FAILED)


def said(what, same):
    """Return whether something was the same, in words."""
    return f"{'same' if same else 'other'} {what}"


def lines_of(entry):
    """Return the lines about an entry of a journal: the event, then what its handling did."""
    time = datetime.fromtimestamp(entry["moment"] / 1e9, UTC).isoformat(sep=" ", timespec="milliseconds")
    reason = " ".join(entry["reason"].split())
    yield time, f"turn {entry['turn']}", f"{entry['kind']} {entry['event']}: {entry['answer']} {reason}"
    for step in entry["steps"]:
        yield "", "", f"  {step['deed']} {step['text']}"


def mcp(
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="[AGENT]...", help="Those that are offered; all if none is named.")
    ] = None,
    at: Runtime = HERE,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Offer them over HTTP at this port of loopback; 0: a free one.")
    ] = None,
    wait: Annotated[float, typer.Option(min=0, max=300, help="Seconds until an agent has to have replied.")] = 60.0,
):
    """Offer agents as tools to a client of the Model Context Protocol, over standard input and output, or over HTTP.

    A call of a tool is a message to the agent of that name, and its reply is the result.

    Examples: `corollary mcp`, `corollary mcp counter --at http://10.0.0.7:8080`, `corollary mcp --port 8090`
    """
    from corollary.commands.component import needing

    check_address(at)
    with needing():
        from corollary.runtime.offer import serve
    try:
        serve(at, agents or (), wait, port)
    except OSError as problem:
        refuse(f"cannot listen at port {port}: {problem.strerror}: give another --port")


def change(agent, verb, at, as_json, wanted=None):
    """Change an agent, and show it."""
    body = None if wanted is None else json.dumps(wanted).encode()
    found = asked(at, "POST", f"/agents/{quote(agent, safe='')}/{verb}", body)
    show(found, as_json, rows=[(found["name"], *told(found))])


def told(agent):
    """Return what a line tells of an agent, behind its name."""
    return agent["state"], f"ring {agent['ring']}", agent["program"][:WIDTH]


def show(result, as_json, rows):
    """Print a result as JSON, or its rows in columns."""
    if as_json:
        return print_json(result)
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        line = "  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip()
        typer.echo("".join(each if each.isprintable() else "?" for each in line))  # a reason may quote an agent


def asked(at, method, page, body=None) -> Any:
    """Return what a runtime answers; what it refuses, or that there is none, ends the command."""
    check_address(at)
    try:
        request = urllib.request.Request(at.rstrip("/") + page, body, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)
    except HTTPError as refusal:
        fail(reason_of(refusal))
    except ValueError as problem:  # of the address, or what answers is no JSON
        refuse_address(at, problem)
    except (OSError, HTTPException) as problem:
        reason = getattr(problem, "reason", problem)
        fail(f"no runtime answers at {at}: {reason}: start one with `corollary serve --dir FOLDER`, or give --at")


def check_address(at):
    """End the command unless a runtime could be there."""
    try:
        if urlsplit(at).scheme not in ("http", "https"):
            raise ValueError("it begins with http:// or https://")
    except ValueError as problem:
        refuse_address(at, problem)


def refuse_address(at, problem):
    """End the command: what was given is not the address of a runtime."""
    refuse(f"{at} is not where a runtime listens: {problem}")


def reason_of(refusal: HTTPError) -> str:
    """Return why a runtime refused something."""
    try:
        return str(json.load(refusal)["error"])
    except (OSError, ValueError, LookupError, TypeError, HTTPException):
        return f"{refusal.url} answers {refusal.code} {refusal.reason}"


def fail(message) -> NoReturn:
    """Say what could not be done."""
    typer.echo(message, err=True)
    finish(FAILED)
