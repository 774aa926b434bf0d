"""Does `corollary watch` show what a log tells: once, as data, and in a terminal, as it grows or goes bad?"""

import io
import json
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from typer.testing import CliRunner

from corollary.commands import cli, watch
from corollary.commands.exits import FAILED, INTERRUPTED, PASSED, USAGE
from corollary.commands.shapes import SHAPES, misfit
from corollary.record.audit import Verdict, audit
from corollary.record.facts import Facts
from corollary.record.follow import Log
from corollary.record.witness_log import HEADER_SIZE, UNIT, end, key_bytes, seal
from tests.model.test_agents import HASH, HOST, ROW, hosting, running
from tests.model.world import World
from tests.record.logs import run_with_records
from tests.record.test_audit import sealed_run
from tests.record.test_facts import Talk, alone, plausible
from tests.record.test_facts import seen as seen_of
from tests.told import written

ROOT = Path(__file__).resolve().parents[2]
SOON = 30.0  # s within which a slow machine shows something


@pytest.fixture(scope="module")
def talk():
    """Return a run in which partitions talk."""
    found = Talk(1)
    for _ in range(200):
        found.step()
    return found


@pytest.fixture
def log(talk, tmp_path):
    (path := tmp_path / "run.log").write_bytes(talk.run.log)
    return path


def asked(*arguments, code=PASSED):
    """Return what the command prints."""
    done = CliRunner().invoke(cli.app, ["watch", *map(str, arguments)], env={"COLUMNS": "120"})
    assert done.exit_code == code and (done.exception is None or isinstance(done.exception, SystemExit)), done.output
    return done.stdout if code != USAGE else done.output


def told(*arguments, code=PASSED):
    """Return what the command prints as JSON, once its shape is as the documents say."""
    result = json.loads(asked(*arguments, "--json", code=code))
    assert misfit(SHAPES["watch"], result) == ""
    return result


# ---- once


def test_without_a_terminal_the_tables_are_printed_once(log):
    said = asked(log)
    titles = ("Partitions", "Edges", "Notifications", "Tiers of proof", "Refused", "Refused last")
    assert [line.strip() for line in said.splitlines() if line.strip() in titles] == sorted(
        titles, key=[view.title for view in watch.VIEWS].index
    )
    assert "GOOD: the log has ended" in said and said == asked(log, "--once") and "\x1b" not in said


def test_what_is_printed_is_what_the_state_holds(log, talk):
    s, result = talk.run.state, told(log)
    assert {row["partition"]: row["state"] for row in result["partitions"]} == {
        p: row.state.name for p, row in s.partition.rows.items() if row.state
    }
    assert {row["edge"]: (row["carried"], row["source"]) for row in result["edges"]} == {
        e: (s.traffic[e].carried, s.traffic[e].source) for e in (50, 52, 53, 55)
    }
    assert {row["notification"]: row["bits"] for row in result["notifications"]} == {
        n: s.notification[n].bits for n in (51, 54)
    }
    assert result["log"]["records"] == s.sequence and result["log"]["ended"] and result["log"]["links_checked"]
    refused = sum(sum(row["refused"].values()) for row in result["partitions"])
    assert refused == sum(count.total() for count in talk.refused.values()) > 0
    of_tiers = sum(sum(counts.values()) for counts in result["tiers"].values())
    assert of_tiers == sum(row["records"] for row in result["partitions"])


def test_a_refused_call_is_shown_with_its_reason(tmp_path):
    w = World()
    w.call("edge_receive", 63, 9)
    (path := tmp_path / "run.log").write_bytes(alone(w).run.log)
    (row,) = told(path)["refused_last"]
    assert (row["partition"], row["status"], row["call"]) == (0, "INVALID_HANDLE", "edge_receive(handle=0x3f, page=9)")
    assert row["why"] == "not a slot of the caller, or empty" and row["why"] in asked(path)


def test_agents_are_shown_with_their_module(tmp_path):
    w = hosting()
    badge = running(w)
    (path := tmp_path / "run.log").write_bytes(alone(w).run.log)
    (row,) = told(path)["agents"]
    assert (row["agent"], row["state"], row["partition"], row["badge"]) == (ROW, "RUNNING", HOST, badge)
    assert row["module"] == HASH[:8].hex() and row["module"] in asked(path) and row["measured"] == 4096


@pytest.mark.parametrize("kept", [0, 5, HEADER_SIZE - 1, HEADER_SIZE, HEADER_SIZE + 20 * UNIT + 17])
def test_a_log_that_has_not_ended_is_good_so_far(log, kept):
    log.write_bytes(log.read_bytes()[:kept])
    result = told(log)["log"]
    assert result["good"] and not result["ended"] and result["waiting"] == (kept - HEADER_SIZE) % UNIT or kept < 384
    assert "good so far: more records may come" in asked(log)


def test_a_bad_log_is_shown_as_far_as_it_is_good_and_told_as_an_audit_tells_it(log):
    data = bytearray(log.read_bytes())
    data[HEADER_SIZE + 60 * UNIT + 3] ^= 1
    log.write_bytes(data)
    with log.open("rb") as stream:
        fault = audit(stream).fault
    result = told(log, code=FAILED)["log"]
    assert (result["good"], result["fault"], result["records"]) == (False, fault, 60)
    said = asked(log, code=FAILED)
    assert f"BAD: {fault[:40]}" in said and "Partitions" in said


def test_links_on_trust_are_told(log):
    assert "taken on trust" in asked(log, "--trust-chain") and "taken on trust" not in asked(log)
    result = told(log, "--trust-chain")
    assert not result["log"].pop("links_checked") and result["log"].items() < told(log)["log"].items()


def test_a_log_from_a_checkpoint_shows_what_it_does_not_tell(tmp_path):
    run, checkpoint, sequence = sealed_run()
    (path := tmp_path / "run.log").write_bytes(
        seal(checkpoint) + b"".join(run.records[sequence:]) + end(run.state.sequence, run.head)
    )
    assert "only the boot key can vouch for" in asked(path, code=FAILED)
    key = key_bytes(run.information).hex()
    result = told(path, "--key", key)
    assert result["log"]["begins"] == result["log"]["vouched"] == sequence
    assert [(row["partition"], row["state"], row["ring"]) for row in result["partitions"]] == [(0, None, None)]
    said = asked(path, "--key", key)
    assert "begins at a checkpoint" in said and re.search(r"^ *0 +\? +\? +\?", said, re.MULTILINE)


# ---- a wrong call


def test_a_missing_file_is_told_with_what_to_do(tmp_path):
    said = asked(tmp_path / "none.log", code=USAGE)
    assert "none.log does not exist" in said.replace("\n", "") and "--wait" in said


def test_a_folder_and_a_device_are_refused(tmp_path):
    asked(tmp_path, code=USAGE)
    assert "no regular file" in asked("/dev/null", code=USAGE)


@pytest.mark.parametrize("interval", ["0.04", "61", "nan", "often"])
def test_an_interval_has_bounds(log, interval):
    asked(log, "--interval", interval, code=USAGE)


def test_a_file_can_be_waited_for(log):
    target, late = log.with_name("late.log"), log.read_bytes()
    threading.Timer(0.3, lambda: (log.write_bytes(late), log.replace(target))).start()
    assert "GOOD" in asked(target, "--wait", "--interval", "0.05")


# ---- pictures


def drawn(shown, width, height=None):
    """Return a picture of facts and their log as lines of text, in a terminal of this size."""
    console = Console(file=io.StringIO(), width=width, height=height or 500, force_terminal=False)
    console.print(watch.picture(shown[1], shown[0], console, limited=height is not None))
    return written(console).splitlines()


@pytest.fixture
def seen(log):
    with Log(log) as found:
        facts = Facts(found.verdict)
        watch.read(found, facts)
        yield facts, found


@pytest.mark.parametrize("width", [40, 80, 100, 149, 150, 220])
def test_no_line_is_wider_than_the_terminal(seen, width):
    lines = drawn(seen, width)
    assert max(map(len, lines)) <= width and any("Refused last" in line for line in lines)


def test_tables_stand_beside_each_other_where_there_is_room(seen):
    assert not any("Partitions" in line and "Edges" in line for line in drawn(seen, 149))
    assert any("Partitions" in line and "Edges" in line for line in drawn(seen, 150))


def test_eighty_columns_have_every_column_that_always_stands_there(seen):
    said = "\n".join(drawn(seen, 80))
    views = [view for view in watch.VIEWS if view.rows(seen[0])]
    always = [column.heading for view in views for column in view.columns if not column.roomy]
    assert all(heading in said for heading in always) and "last seen" not in said
    assert "last seen" in "\n".join(drawn(seen, 120))


@pytest.mark.parametrize("width, height", [(80, 24), (80, 40), (120, 50), (160, 24), (220, 60)])
def test_a_picture_fits_the_terminal_and_says_how_much_it_leaves_out(seen, width, height):
    lines = drawn(seen, width, height)
    assert len(lines) <= height and any(re.search(r"and \d+ more", line) for line in lines)


def test_where_not_all_tables_fit_those_that_matter_most_are_shown_and_the_others_named(seen):
    lines = [line.strip() for line in drawn(seen, 80, 24)]
    assert [line for line in lines if line in [view.title for view in watch.VIEWS]] == [
        "Partitions",
        "Edges",
        "Refused last",
    ]
    assert lines[-1] == "in a taller terminal: Notifications, Tiers of proof, Refused"
    assert not any("taller" in line for line in drawn(seen, 80, 60))


def test_of_an_empty_log_there_are_no_tables(tmp_path):
    (path := tmp_path / "run.log").write_bytes(b"")
    with Log(path) as found:
        assert len("".join(drawn((Facts(Verdict()), found), 80))) < 300


@pytest.mark.parametrize(
    "needs, room, given",
    [([3, 3], 10, [3, 3]), ([9, 1, 9], 11, [5, 1, 5]), ([9, 9], 3, [1, 2]), ([5], 0, [1]), ([], 9, [])],
)
def test_room_is_shared(needs, room, given):
    assert watch.shares(needs, room) == given


# ---- in a terminal


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, *arguments, size=(24, 80)):
        self.own, other = os.openpty()
        ioctl(other, TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        command = [sys.executable, "-m", "corollary.commands.start", "watch", *map(str, arguments)]
        environment = {
            name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")
        }
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            env=environment | {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT)},
        )
        os.close(other)
        self.heard = b""
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        """Keep what it shows."""
        try:
            while data := os.read(self.own, 1 << 16):
                self.heard += data
        except OSError:  # it has ended
            pass

    @property
    def shown(self):
        """What was shown so far; the last character may still be to come."""
        return self.heard.decode(errors="ignore")

    def text(self):
        """Return all that was shown, without the orders to the terminal."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.shown)

    def until(self, pattern):
        """Wait until something is shown."""
        deadline = time.monotonic() + SOON
        while not re.search(pattern, self.text()):
            assert time.monotonic() < deadline and self.process.poll() is None, self.text()[-3000:]
            time.sleep(0.02)

    def ended(self):
        """Return the exit code, once all that was shown has come."""
        code = self.process.wait(SOON)
        time.sleep(0.2)
        assert "Traceback" not in self.text(), self.text()
        return code


@pytest.fixture
def growing(talk, tmp_path):
    """Return a file with the beginning of a log, and its other units."""
    (path := tmp_path / "run.log").write_bytes(talk.run.log[: HEADER_SIZE + 30 * UNIT])
    return path, [talk.run.log[at : at + UNIT] for at in range(HEADER_SIZE + 30 * UNIT, len(talk.run.log), UNIT)]


def test_a_log_that_grows_is_followed_to_its_end(growing, talk):
    path, units = growing
    terminal = Terminal(path, "--interval", "0.05", size=(40, 100))
    terminal.until("30 records,")
    with path.open("ab", buffering=0) as writer:
        writer.write(units[0] + units[1][:17])
        terminal.until("31 records,(.|\r|\n)*17 bytes of the next one are there")
        writer.write(units[1][17:])
        terminal.until("32 records,")
        for unit in units[2:]:
            writer.write(unit)
            time.sleep(0.001)
    assert terminal.ended() == PASSED
    assert f"{len(talk.run.records)} records," in terminal.text() and "GOOD: the log has ended" in terminal.text()
    assert "Refused last" in terminal.text()


def test_a_picture_is_drawn_over_the_one_before(growing):
    """It neither scrolls nor clears the screen, either of which would flicker."""
    path, units = growing
    terminal = Terminal(path, "--interval", "0.05")
    terminal.until("30 records,")
    with path.open("ab", buffering=0) as writer:
        writer.write(units[0])
    terminal.until("31 records,")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.ended() == INTERRUPTED
    assert "\x1b[2J" not in terminal.shown and "\x1b[1A" in terminal.shown


def test_ctrl_c_leaves_the_last_picture(growing):
    path, _ = growing
    terminal = Terminal(path, "--interval", "60")
    terminal.until("30 records,")
    start = time.monotonic()
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.ended() == INTERRUPTED and time.monotonic() - start < 5
    said = terminal.text().replace("\r", "")
    assert said.endswith("interrupted\n") and "30 records," in said and "Partitions" in said
    assert terminal.shown.rindex("\x1b[?25h") > terminal.shown.rindex("\x1b[?25l")  # the cursor is back


def test_once_ends_in_a_terminal_too(growing):
    path, _ = growing
    terminal = Terminal(path, "--once")
    assert terminal.ended() == PASSED and "good so far" in terminal.text()


def test_a_log_that_goes_bad_is_watched_no_more(growing):
    path, units = growing
    terminal = Terminal(path, "--interval", "0.05")
    terminal.until("30 records,")
    with path.open("ab", buffering=0) as writer:
        writer.write(units[1])
    assert terminal.ended() == FAILED and "BAD: record 30 (sequence 30): its sequence number is 31" in terminal.text()


def test_a_file_that_is_replaced_is_watched_no_more(growing, talk):
    path, _ = growing
    terminal = Terminal(path, "--interval", "0.05")
    terminal.until("30 records,")
    (other := path.with_name("other")).write_bytes(talk.run.log)
    other.replace(path)
    assert terminal.ended() == FAILED and "another file took the place of this one" in terminal.text()


def test_a_file_is_waited_for_in_a_terminal(talk, tmp_path):
    path = tmp_path / "late.log"
    terminal = Terminal(path, "--wait", "--interval", "0.05")
    time.sleep(1)
    assert terminal.process.poll() is None
    path.write_bytes(talk.run.log)
    assert terminal.ended() == PASSED and "GOOD" in terminal.text()


def test_a_long_log_is_shown_while_it_is_read(tmp_path, monkeypatch):
    run = run_with_records(64, first_seed=5)
    (path := tmp_path / "run.log").write_bytes(run.log)
    console, shown = Console(file=io.StringIO(), force_terminal=True, width=80, height=24), []
    clock = iter(range(10**6))
    monkeypatch.setattr(watch.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(watch, "picture", lambda log, facts, *_: shown.append(facts.records) or "")
    with Log(path) as log:
        watch.follow(log, Facts(log.verdict), console, interval=8)
    assert len(shown) > 4 and shown == sorted(shown) and shown[-1] == 64


# ---- whatever comes


@given(st.data())
@settings(max_examples=40)
def test_whatever_a_file_holds_there_is_a_verdict(talk, tmp_path_factory, data):
    whole, path = talk.run.log[: HEADER_SIZE + 40 * UNIT], tmp_path_factory.mktemp("log") / "run.log"
    start = data.draw(st.integers(0, len(whole)))
    path.write_bytes(
        whole[:start] + data.draw(st.binary(max_size=200)) + whole[start + data.draw(st.integers(0, 99)) :]
    )
    done = CliRunner().invoke(cli.app, ["watch", str(path), "--json"])
    assert done.exit_code in (PASSED, FAILED) and misfit(SHAPES["watch"], json.loads(done.stdout)) == "", done.output


@given(st.lists(st.binary(min_size=UNIT, max_size=UNIT), max_size=40), st.booleans())
@settings(max_examples=100)
def test_whatever_a_forger_links_is_shown(talk, tmp_path_factory, records, from_boot):
    facts = Facts(Verdict(information=talk.run.information if from_boot else None))
    for record in [*map(seen_of, talk.run.records[:100]), *(plausible(seen_of(data)) for data in records)]:
        facts.take(record)
    (path := tmp_path_factory.mktemp("log") / "run.log").write_bytes(b"")
    with Log(path) as found:
        assert misfit(SHAPES["watch"], json.loads(json.dumps(watch.as_data(found, facts)))) == ""
        assert drawn((facts, found), 80) and drawn((facts, found), 200, 30)
