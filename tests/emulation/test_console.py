"""Is every line of a machine heard, in order and whole, until QEMU ends or is killed?"""

import subprocess
import sys
from contextlib import suppress

import pytest

from corollary.emulation.console import Console

MONITOR = """
import base64, json, sys
def say(**told):
    print(json.dumps(told), flush=True)
said = {said!r}
print({warning!r}, flush=True)
say(QMP={{}})
for line in sys.stdin:
    command = json.loads(line)["execute"]
    if command == "qmp_capabilities":
        say(**{{"return": {{}}}})
    elif command == "query-status":
        say(**{{"return": {{"status": {status!r}}}}})
    elif command == "quit":
        say(**{{"return": {{}}}})
        break
    elif said and said[0] == b"refused":
        say(error={{"class": "GenericError", "desc": "no such ring"}})
    elif not said and {dies!r}:
        sys.exit(1)
    else:
        if len(said) == 1 and {status!r} == "running":
            say(event="SHUTDOWN", data={{"guest": True}})
        part = said.pop(0) if said else b""
        say(**{{"return": base64.b64encode(part).decode()}})
        if not said and {words!r}:
            print({words!r}, end="", flush=True)
            sys.exit(1)
"""


def heard(*said, warning="", dies=False, words="", status="running"):
    """Return the lines that are heard of a machine whose ring has these parts, one at each look."""
    text = MONITOR.format(said=list(said), warning=warning, dies=dies, words=words, status=status)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", text], **pipes) as process:
        console = Console(process)
        lines = list(console.lines())
        console.thread.join()
        with suppress(BrokenPipeError):  # what nobody has read is still to be written
            process.stdin.close()
        return lines, process.wait()


def test_lines_are_whole_wherever_the_ring_was_read():
    assert heard(b"one\r\ntw", b"o\nth", b"", b"ree\n") == (["", "one", "two", "three"], 0)


def test_what_is_said_last_is_heard_before_the_machine_may_end():
    assert heard(b"first\n", b"last\n") == (["", "first", "last"], 0)


def test_a_line_that_was_not_ended_is_none():
    assert heard(b"whole\nhal", b"f") == (["", "whole"], 0)


def test_what_qemu_says_itself_is_a_line():
    lines, _ = heard(b"one\n", b"", warning="qemu-system-aarch64: warning: nothing goes on")
    assert lines == ["qemu-system-aarch64: warning: nothing goes on", "one"]


def test_a_byte_that_is_no_text_is_told_as_that():
    assert heard(b"a\xffb\n", b"")[0] == ["", "a\N{REPLACEMENT CHARACTER}b"]


def test_a_refusal_of_qemu_ends_the_lines_and_is_one():
    assert heard(b"refused", b"never")[0] == ["", "qemu: ringbuf-read: no such ring"]


@pytest.mark.parametrize("said", [(), (b"one\n", b"two\nthr")])
def test_lines_end_when_qemu_is_killed(said):
    lines, status = heard(*said, dies=True)
    assert lines == ["", *("one", "two")[: 2 * bool(said)]] and status == 1


def test_a_machine_that_was_over_before_anybody_asked_ends_as_well():
    assert heard(b"one\n", b"", status="shutdown") == (["", "one"], 0)


def test_the_last_words_of_qemu_are_heard_though_nothing_can_be_asked_any_more():
    lines, status = heard(b"one\n", b"", words="qemu: terminating on signal 15\n")
    assert lines == ["", "one", "qemu: terminating on signal 15"] and status == 1


def test_an_answer_that_was_cut_off_is_no_line():
    assert heard(b"one\n", b"", words='{"return": "eAp4') == (["", "one"], 1)


def test_what_is_no_message_is_a_line():
    deep = "[" * 100_000
    assert heard(b"one\n", b"", warning=deep)[0] == [deep, "one"]
    assert heard(b"one\n", b"", warning="[1]")[0] == ["[1]", "one"]
