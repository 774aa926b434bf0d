"""Can programs read the log, and can no agent write lines that look like those of the runtime?"""

import json
import logging
import time

from corollary.runtime.logs import ABOUT, Lines, Objects
from corollary.runtime.runtime import about
from corollary.runtime.store import Answer, Entry, Event, Kind
from tests.runtime.agents import NOISY, compiled
from tests.runtime.crashes import Server
from tests.runtime.stores import wait_for_port
from tests.runtime.test_ui import post

PATIENCE = 60  # s
FORGED = "hello\n2026-01-01 00:00:00,000 INFO    other: \x1b[2Jforged\r\u202e"


def record(text, **more):
    """Return a record of the log about an agent."""
    made = logging.LogRecord("corollary.runtime", logging.INFO, "", 0, "%s: %s", ("a", text), None)
    vars(made).update(more)
    return made


def test_a_record_is_an_object_on_a_line_of_its_own():
    entry = Entry(7, 0, Event("a", "one", Kind.MESSAGE), Answer.DONE)
    line = Objects().format(record(FORGED, **about("a", entry)))
    found = json.loads(line)
    assert "\n" not in line and found["message"] == f"a: {FORGED}" and found["level"] == "INFO"
    assert [found[name] for name in ABOUT] == ["a", "one", 7]
    assert found.keys() == {"time", "level", "message", *ABOUT}
    assert json.loads(Objects().format(record("x", **about("a")))).keys() == {"time", "level", "message", "agent"}


def test_an_exception_is_told():
    try:
        raise ValueError("why")
    except ValueError as problem:
        made = record("x", exc_info=(type(problem), problem, problem.__traceback__))
    assert "ValueError: why" in json.loads(Objects().format(made))["exception"]


def test_what_an_agent_says_is_no_line_of_the_runtime():
    first, *others = Lines("%(levelname)s %(message)s").format(record(FORGED)).split("\n")
    assert first == "INFO a: hello" and len(others) == 1
    assert others[0].startswith("    ") and others[0].isprintable() and "forged" in others[0]


def test_a_process_writes_objects_if_that_is_asked_for(tmp_path):
    server = Server(tmp_path, ["--json-log"])
    try:
        wait_for_port(server.port)
        program = post(f"{server.url}/programs", compiled(NOISY))
        post(f"{server.url}/agents/noisy", program, "PUT")
        post(f"{server.url}/agents/noisy/events?wait=20", b"x")
        end = time.monotonic() + PATIENCE
        while "a line" not in (written := (tmp_path / f"log-{server.port}").read_text()):
            assert time.monotonic() < end, written
            time.sleep(0.02)
    finally:
        server.kill()
        server.log.close()
    objects = [json.loads(line) for line in written.splitlines() if not line.startswith("listening")]
    (noted,) = [each for each in objects if each.get("agent") == "noisy"]
    assert noted["message"] == "noisy: a line" and noted["turn"] == 2
