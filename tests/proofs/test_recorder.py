"""Does a recorder hear all that is read while it listens, and does a fingerprint tell apart all that it is made of?"""

import ast
import copy
import functools
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from model.promises import INVARIANTS, THEOREMS
from proofs import fingerprint, verify
from proofs.pair import Reader
from proofs.prove import nothing
from proofs.transition import Run, Transition, place
from spec.language import reads
from spec.language.frontend import translate
from spec.language.types import Enum
from spec.observation import sees_page
from spec.ring import ring_for
from spec.state import Kernel

ROOTS = ("proofs.prove", "proofs.cover", "proofs.outside", "proofs.machine.handlers", "proofs.machine.called", "proofs.machine.obligations")
READING = "from spec.language.reads import note\n"
LOOKS = {       # ways to look at which promises there are
    "for": lambda registry: [id_ for id_ in registry], "length": len, "truth": bool, "sorted": sorted, "dict": dict, "copy": copy.copy,
    "its copy": lambda registry: registry.copy(), "union": lambda registry: registry | {}, "stars": lambda registry: {**registry},
    "backwards": lambda registry: next(reversed(registry), None), "keys": lambda registry: list(registry.keys()),
    "values": lambda registry: list(registry.values()), "items": lambda registry: list(registry.items())}
ASKS = {        # ways to ask for one of them
    "in": lambda registry, id_: id_ in registry, "item": lambda registry, id_: registry[id_], "get": lambda registry, id_: registry.get(id_)}


@pytest.fixture
def modules(monkeypatch, tmp_path):
    """Writes modules that can be imported once."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.py").write_text(READING + text)

    yield write
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(path.stem, None)
        reads.IMPORTED.pop(path.stem, None)


# ---- the recorder

def test_who_records_around_a_recorder_hears_it_too():
    with reads.recording() as outer:
        with reads.recording() as inner:
            reads.note("function", ring_for)
        assert inner == {("function", ring_for)}
    assert outer == {("function", ring_for)}


def test_what_fails_to_be_computed_was_read_nonetheless():
    @reads.remembered
    def lost():
        reads.note("function", ring_for)
        raise LookupError("nothing of the kind")

    for _ in range(2):
        with reads.recording() as heard, pytest.raises(LookupError):
            lost()
        assert heard == {("function", ring_for)}


def test_what_is_first_computed_while_somebody_guesses_is_read_by_who_uses_it():
    known = reads.remembered(lambda: reads.note("function", ring_for))
    with reads.recording() as heard:
        with reads.guessing():
            known()
        assert not heard
        known()
    assert heard == {("function", ring_for)}


def test_what_nobody_listened_to_is_heard_when_it_is_used():
    known = reads.remembered(lambda: reads.note("function", ring_for))
    known()
    with reads.recording() as heard:
        known()
    assert heard == {("function", ring_for)}


def test_a_module_that_is_imported_while_somebody_guesses_has_read_what_it_read(modules):
    modules(guessed="note('text', 'of it')\n")
    with reads.recording(), reads.guessing():
        import guessed  # noqa: F401
    assert reads.IMPORTED["guessed"] == {("text", "of it")}


def test_a_module_that_could_not_be_imported_hides_nothing_from_the_next(modules):
    modules(broken="note('text', 'of it')\nraise ImportError('not here')\n", whole="note('text', 'of it')\n")
    with reads.recording():
        with pytest.raises(ImportError):
            import broken  # noqa: F401
        import whole  # noqa: F401
    assert reads.IMPORTED["whole"] == {("text", "of it")}


@pytest.mark.parametrize("way", LOOKS)
def test_who_looks_at_which_promises_there_are_reads_that(way):
    with reads.recording() as heard:
        LOOKS[way](THEOREMS)
    assert ("registry", THEOREMS) in heard


@pytest.mark.parametrize("way", ASKS)
@pytest.mark.parametrize("id_", ["RING-1", "nobody's"])
def test_who_asks_for_a_promise_reads_that_it_is_there_or_not(way, id_):
    with reads.recording() as heard:
        try:
            ASKS[way](INVARIANTS, id_)
        except KeyError:
            pass
    assert heard == {("promise", id_)}


@pytest.mark.parametrize("field", ["function", "about", "unknown"])
def test_who_uses_a_promise_reads_it_wherever_it_got_it_from(field):
    (promise, *_) = THEOREMS.values()
    with reads.recording() as heard:
        getattr(promise, field)
    assert heard == {("promise", promise.id)}


def test_what_one_reader_of_a_state_computed_before_is_read_again():
    reader = Reader(Run(Transition("any state", nothing)).before.fork())
    heard = []
    for _ in range(2):
        with reads.recording() as read:
            reader.run(translate(sees_page), [place("s"), 1, 2, 3])
        heard.append(set(read))
    assert heard[0] == heard[1]


def test_what_a_function_calls_is_read_no_more_the_first_time():
    def outer(s: Kernel) -> bool:
        return inner(s)

    def inner(s: Kernel) -> bool:
        return s.idle

    with reads.recording() as heard:
        translate(outer)
    assert heard == {("function", outer)}


# ---- what a fingerprint is made of

@pytest.mark.parametrize("change", [{"function": ring_for}, {"about": ("page_map",)}, {"unknown": True}])
def test_a_promise_has_another_fingerprint_with_another_field(monkeypatch, change):
    before = fingerprint.promised("MEM-23"), fingerprint.contents(THEOREMS)
    monkeypatch.setitem(THEOREMS, "MEM-23", replace(THEOREMS["MEM-23"], **change))
    assert fingerprint.promised("MEM-23") != before[0] and fingerprint.contents(THEOREMS) != before[1]


def test_a_promise_of_another_kind_or_none_has_another_fingerprint(monkeypatch):
    before, promise = fingerprint.promised("RING-1"), INVARIANTS["RING-1"]
    monkeypatch.setattr("spec.property.INVARIANTS", {})
    none = fingerprint.promised("RING-1")
    monkeypatch.setattr("spec.property.THEOREMS", {"RING-1": promise})
    assert len({before, none, fingerprint.promised("RING-1")}) == 3


def test_an_enumeration_that_is_stored_in_more_bytes_is_another_type(monkeypatch):
    class Colour(Enum):
        RED = 0

    narrow = fingerprint.of_type(Colour)
    Colour._storage_ = 2
    fingerprint.of_type.cache_clear()
    assert fingerprint.of_type(Colour) != narrow


def test_what_is_a_function_no_longer_says_nothing(monkeypatch):
    assert fingerprint.now("function", "spec.ring:ring_for")
    monkeypatch.setattr("spec.ring.ring_for", 7)
    fingerprint.forget()
    assert not fingerprint.now("function", "spec.ring:ring_for")
    monkeypatch.undo()
    fingerprint.forget()


class Number(int):
    """An integer that may be more."""


@pytest.mark.parametrize("value", [functools.partial(int, "1"), Number(3), object(), iter(())], ids=["partial", "subclass", "object", "iterator"])
def test_what_may_hold_more_than_one_sees_has_no_fingerprint(value):
    with pytest.raises(TypeError, match="has no fingerprint"):
        fingerprint.of_value(value)


def even(number):
    """One of two that call each other."""
    return number == 0 or odd(number - 1)


def odd(number):
    """The other one."""
    return number != 0 and even(number - 1)


def test_of_two_that_call_each_other_each_has_the_text_of_both(monkeypatch):
    def both():
        fingerprint.forget(texts=True)
        return [fingerprint.of_definition(each) for each in (even, odd)]

    before, usual = both(), Path.read_text
    monkeypatch.setattr(Path, "read_text", lambda path, *more, **named: usual(path, *more, **named).replace("number == 0 or", "number < 1 or"))
    after = both()
    monkeypatch.undo()
    fingerprint.forget(texts=True)
    assert before[0] != after[0] and before[1] != after[1]


def taken_whole(module):
    """The modules of specification and model that a module of the prover uses as such, and not for something in them."""
    nodes = list(ast.walk(fingerprint.tree_of(fingerprint.source_of(module))))
    inside = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    alone = {ast.unparse(node) for node in nodes if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in inside}
    names = [(alias.asname or alias.name, f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name)
             for node, alias in fingerprint.imports(module)]
    return sorted(name for local, name in names if local in alone and name.startswith(("spec.", "model.")) and not fingerprint.is_code(name)
                  and fingerprint.path_of(name).exists())


def test_the_prover_takes_no_module_of_the_specification_as_a_whole():
    """Its fingerprint would have to cover all of it; the counterexample's replay puts another hash into some and reads nothing of them."""
    found = {(name, module) for name in fingerprint.made_of(*ROOTS) for module in taken_whole(name)}
    assert {name for name, _ in found} == {"proofs.replay"}


# ---- a text that is written while a proof goes on

def test_a_text_that_was_written_since_it_was_imported_says_nothing(monkeypatch):
    assert fingerprint.now("text", "proofs.bits")
    monkeypatch.setattr(reads, "BEGAN", 0)
    fingerprint.forget(texts=True)
    assert not fingerprint.now("text", "proofs.bits") and not fingerprint.now("code", "proofs.prove")
    monkeypatch.undo()
    fingerprint.forget(texts=True)


def test_a_run_in_which_a_text_was_written_proves_nothing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(verify, "verify", lambda *_, **__: [])
    monkeypatch.setattr(verify, "PARTIAL", tmp_path / "verify-only.json")
    monkeypatch.setattr(fingerprint, "rewritten", lambda: ["spec.ring"])
    assert verify.main("RING-1") == 1
    assert "spec.ring was written while this run went on" in capsys.readouterr().out.replace("\n", " ")
    assert not (tmp_path / "verify-only.json").exists()


@pytest.mark.parametrize("path", ["spec/ring.py", "proofs/bits.py", "codegen/kernel.py", "generated/kernel/types.h"])
def test_a_result_is_of_other_sources_when_any_of_them_changes(monkeypatch, path):
    result, usual = {"sources": fingerprint.of_sources()}, Path.read_bytes
    assert not verify.outdated(result)
    monkeypatch.setattr(Path, "read_bytes", lambda at: usual(at) + (b" " if at == fingerprint.ROOT / path else b""))
    assert verify.outdated(result)


def test_a_file_that_was_just_written_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(reads, "BEGAN", time.time() - 1)
    (tmp_path / "new.py").write_text("")
    assert fingerprint.written_since(tmp_path / "new.py") and not fingerprint.written_since(Path("/proc/self/exe").resolve())
