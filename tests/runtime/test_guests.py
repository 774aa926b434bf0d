"""Is a guest that floods, exits or breaks off told by kind, module and calls, and never read beyond what it may say?"""

import pytest

from corollary.failure import OUTPUT, Fault
from corollary.outcome import Unlinkable
from corollary.runtime.desk import NOTED
from corollary.runtime.runtime import Runtime
from corollary.runtime.sqlite import SqliteStore
from corollary.runtime.store import BEGINNING, Agent, Answer, Rules, digest_of
from tests.runtime.agents import compiled
from tests.runtime.stores import KEY, run

LARGE = OUTPUT + 1
IMPORTS = """(import "corollary" "reply" (func $reply (param i32 i32)))
  (import "corollary" "log" (func $log (param i32 i32)))
  (import "corollary" "send" (func $send (param i32 i32 i32 i32) (result i32)))
  (import "corollary" "recv" (func $recv (result i64)))
  (import "corollary" "fetch" (func $fetch (param i32 i32) (result i64)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))"""


def agent(code, first=""):
    """Return a program that does something with each message."""
    return f"""(module {IMPORTS} (memory (export "memory") 200) {first}
      (func (export "handle_message") (param i32 i32) (result i32) {code} (i32.const 0))
      (func (export "get_response") (param i32 i32) (result i32) (i32.const 0)))"""


def waiting(code):
    """Return a program that does something with its first message, and goes on."""
    return f"""(module {IMPORTS} (memory (export "memory") 200)
      (func (export "_start") (loop (drop (call $recv)) {code} (br 0))))"""


async def answer(folder, text, rules):
    """Let an agent handle a message; returns the reply, the log of its last turn, and the digest of its program."""
    runtime = Runtime(SqliteStore(folder), KEY, pause=1000)
    await runtime.start()
    try:
        program = await runtime.store.keep(compiled(text))
        await runtime.create(Agent("a", program, rules))
        await runtime.post("a", "one", b"x")
        event = BEGINNING if "_initialize" in text or "(start" in text else "one"
        reply = await runtime.reply("a", event, 30)
        return reply, [step.text for step in runtime.awake["a"].desk.steps] if "a" in runtime.awake else [], program
    finally:
        await runtime.close()


FAILING = [
    (agent(f"(call $reply (i32.const 0) (i32.const {LARGE}))"), Fault.OUTPUT, "bytes of output"),
    (agent("(call $reply (i32.const 0) (i32.const 1001))"), Fault.OUTPUT, "1001 bytes of output, at most 1000"),
    (agent("(call $reply (i32.const 0) (i32.const -1))"), Fault.OUTPUT, "bytes of output"),
    (
        agent(f"(call $log (i32.const 0) (i32.const {LARGE}))"),
        Fault.OUTPUT,
        f"{LARGE} bytes of output, at most {OUTPUT}",
    ),
    (agent(f"(drop (call $send (i32.const 0) (i32.const {LARGE}) (i32.const 0) (i32.const 0)))"), Fault.OUTPUT, ""),
    (agent("(call $log (i32.const -1) (i32.const 1))"), Fault.TRAPPED, ""),
    (agent("(call $exit (i32.const 9))"), Fault.EXITED, "status 9"),
    (agent("", '(func (export "_initialize") (call $exit (i32.const 9)))'), Fault.EXITED, "status 9"),
    (agent("", '(func (export "_initialize") (drop (call $recv)))'), Fault.WAITING, ""),
    (agent("", "(func $first (loop (br 0))) (start $first)"), Fault.SPENT, ""),
    (waiting(f"(drop (call $fetch (i32.const 0) (i32.const {LARGE})))"), Fault.OUTPUT, "corollary.fetch"),
    (waiting("(drop (call $fetch (i32.const -1) (i32.const 5)))"), Fault.BROKEN, "corollary.fetch"),
    (waiting("(unreachable)"), Fault.TRAPPED, "unreachable"),
]


@pytest.mark.parametrize("text, fault, words", FAILING, ids=range(len(FAILING)))
def test_a_guest_that_fails_is_told_by_kind_module_and_calls(tmp_path, text, fault, words):
    reply, _, program = run(answer(tmp_path, text, Rules(body=1000, fuel=100_000)))
    first, *_, last = reply.reason.splitlines()
    assert reply.answer is Answer.DEAD and first.startswith(f"{fault.name}: ") and words in first
    assert last == f"  of {program}" == f"  of {digest_of(compiled(text))}"


WORDS = '(data (i32.const 0) "\\ff\\fe text")'
LINES = [
    (agent("(call $log (i32.const 0) (i32.const 7))", WORDS), ["\ufffd\ufffd text"]),
    (agent(f"(call $log (i32.const 0) (i32.const {OUTPUT}))"), ["\0" * NOTED]),
    (
        agent(
            "(drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))",
            '(data (i32.const 4) "\\00\\00\\20")',
        ),
        ["\0\0\0\0\0\0 " + "\0" * (NOTED - 7)],
    ),
]


@pytest.mark.parametrize("text, lines", LINES, ids=range(len(LINES)))
def test_what_a_guest_logs_is_text_and_bounded(tmp_path, text, lines):
    reply, log, _ = run(answer(tmp_path, text, Rules()))
    assert reply.answer is Answer.DONE and log == lines


NO_INTERFACE = [
    '(import "corollary" "recv" (func (result i64))) (func (export "_start"))',
    '(memory (export "memory") 1) (func (export "handle_message")) (func (export "get_response"))',
    '(func (export "handle_message") (param i32 i32) (result i32) (i32.const 0)) (export "get_response" (func 0))',
]


@pytest.mark.parametrize("text", NO_INTERFACE)
def test_a_program_that_no_event_could_reach_makes_no_agent(tmp_path, text):
    with pytest.raises(Unlinkable, match="export"):
        run(answer(tmp_path, f"(module {text})", Rules()))
