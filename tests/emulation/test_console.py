"""Is every line of a machine heard, in order and whole, until QEMU ends or is killed?"""

import subprocess
import sys
import tempfile

import pytest

from corollary.emulation.console import Console

MONITOR = """
import base64, json, sys
def say(**told):
    print(json.dumps(told), flush=True)
said = {said!r}
print({warning!r}, end="", flush=True, file=sys.stderr)
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
        if not said and ({last!r} or {cut!r}):
            print({last!r}, end="", flush=True, file=sys.stderr)
            print({cut!r}, end="", flush=True)
            sys.exit(1)
"""


def heard(*said, warning="", dies=False, last="", cut="", status="running"):
    """Return the lines that are heard of a machine whose ring has these parts, one at each look."""
    text = MONITOR.format(said=list(said), warning=warning, dies=dies, last=last, cut=cut, status=status)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    started = [sys.executable, "-c", text]
    with tempfile.TemporaryFile() as words, subprocess.Popen(started, **pipes, stderr=words) as process:
        console = Console(process, words)
        lines = list(console.lines())
        console.close()
        return lines, process.wait()


def test_lines_are_whole_wherever_the_ring_was_read():
    assert heard(b"one\r\ntw", b"o\nth", b"", b"ree\n") == (["one", "two", "three"], 0)


def test_what_is_said_last_is_heard_before_the_machine_may_end():
    assert heard(b"first\n", b"last\n") == (["first", "last"], 0)


def test_a_line_that_was_not_ended_is_none():
    assert heard(b"whole\nhal", b"f") == (["whole"], 0)


def test_what_qemu_says_itself_is_heard_last():
    lines, _ = heard(b"one\n", b"", warning="qemu-system-aarch64: warning: nothing goes on\n")
    assert lines == ["one", "qemu-system-aarch64: warning: nothing goes on"]


def test_a_byte_that_is_no_text_is_told_as_that():
    assert heard(b"a\xffb\n", b"")[0] == ["a\N{REPLACEMENT CHARACTER}b"]


def test_a_refusal_of_qemu_ends_the_lines_and_is_one():
    assert heard(b"refused", b"never")[0] == ["qemu: ringbuf-read: no such ring"]


@pytest.mark.parametrize("said", [(), (b"one\n", b"two\nthr")])
def test_lines_end_when_qemu_is_killed(said):
    lines, status = heard(*said, dies=True)
    assert lines == [*("one", "two")[: 2 * bool(said)]] and status == 1


def test_a_machine_that_was_over_before_anybody_asked_ends_as_well():
    assert heard(b"one\n", b"", status="shutdown") == (["one"], 0)


def test_the_last_words_of_qemu_are_heard_though_nothing_can_be_asked_any_more():
    lines, status = heard(b"one\n", b"", last="qemu: terminating on signal 15\n")
    assert lines == ["one", "qemu: terminating on signal 15"] and status == 1


def test_an_answer_that_was_cut_off_is_no_line():
    assert heard(b"one\n", b"", cut='{"return": "eAp4') == (["one"], 1)


def test_a_warning_in_the_midst_of_an_answer_is_not_part_of_it():
    assert heard(b"one\n", b"", warning='{"return": ') == (["one", '{"return": '], 0)
