"""Does a recorder note every read while it listens, and does a fingerprint distinguish all its parts?"""

import ast
import copy
import functools
import importlib
import itertools
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from corollary.language import reads
from corollary.language.frontend import translate
from corollary.language.types import Enum
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.promises import INVARIANTS, REGISTRIES, THEOREMS
from corollary.proofs import fingerprint, verify
from corollary.proofs.pair import Reader
from corollary.proofs.transition import Run
from corollary.spec.kernel.observation import sees_page
from corollary.spec.kernel.ring import ring_for
from corollary.spec.kernel.state import Kernel
from tests.proofs.kernel import place, still

ROOTS = (
    "corollary.proofs.prove",
    "corollary.proofs.cover",
    "corollary.proofs.outside",
    "corollary.proofs.machine.handlers",
    "corollary.proofs.machine.called",
    "corollary.proofs.machine.obligations",
)
READING = "from corollary.language.reads import note\n"
LOOKS = {  # ways to look at the set of promises
    "for": lambda registry: [str(id_) for id_ in registry],
    "length": len,
    "truth": bool,
    "sorted": sorted,
    "dict": dict,
    "copy": copy.copy,
    "its copy": lambda registry: registry.copy(),
    "union": lambda registry: registry | {},
    "stars": lambda registry: {**registry},
    "backwards": lambda registry: next(reversed(registry), None),
    "keys": lambda registry: list(registry.keys()),
    "values": lambda registry: list(registry.values()),
    "items": lambda registry: list(registry.items()),
}
ASKS = {  # ways to ask for one of them
    "in": lambda registry, id_: id_ in registry,
    "item": lambda registry, id_: registry[id_],
    "get": lambda registry, id_: registry.get(id_),
}


@pytest.fixture
def modules(monkeypatch, tmp_path):
    """Write modules that can be imported once."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.py").write_text(READING + text)

    yield write
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(path.stem, None)
        reads.IMPORTED.pop(path.stem, None)


# ---- the recorder


def test_what_is_read_is_told_to_whoever_records_and_to_nobody_else():
    reads.note("kind", "unheard")
    with reads.recording() as outer:
        reads.note("kind", "outer")
        with reads.recording() as inner:
            reads.note("kind", "inner")
    assert (outer, inner) == ({("kind", "outer"), ("kind", "inner")}, {("kind", "inner")})


def test_an_option_and_each_way_to_ask_a_registry_are_told(monkeypatch):
    monkeypatch.setenv("AN_OPTION", "1")
    registry = reads.Registry("any", a=1)
    for ask in (list, lambda it: it.keys(), lambda it: it.values(), lambda it: it.items()):
        with reads.recording() as heard:
            ask(registry)
        assert heard == {("registry", registry)}
    with reads.recording() as heard:
        assert reads.option("AN_OPTION") == "1" and reads.option("ANOTHER") == ""
    assert heard == {("option", "AN_OPTION"), ("option", "ANOTHER")}


@pytest.mark.parametrize("declared", list(itertools.permutations(("INV-10", "INV-2", "EDGE-3"))))
def test_promises_are_in_the_order_of_their_ids_whatever_came_first(declared):
    registry = reads.Registry("any")
    for number, id_ in enumerate(declared):
        registry[id_] = number
    assert list(registry) == ["EDGE-3", "INV-2", "INV-10"]
    assert [declared[number] for number in registry.values()] == list(registry)
    registry["INV-2"] = 3
    assert list(registry) == ["EDGE-3", "INV-2", "INV-10"] and registry["INV-2"] == 3


def test_a_guess_reads_nothing_but_what_is_remembered_of_it_counts_later():
    once = reads.remembered(lambda: reads.note("kind", "what"))
    with reads.recording() as heard, reads.guessing():
        reads.note("kind", "guess")
        once()
    assert not heard
    with reads.recording() as heard:
        once()
    assert heard == {("kind", "what")}


def test_what_is_remembered_is_computed_once_for_the_same_and_read_each_time():
    computed = []

    def double(x):
        computed.append(x)
        reads.note("kind", x)
        return 2 * x

    twice = reads.remembered(double)
    for x in (1, 1, 2, 1):
        with reads.recording() as heard:
            assert twice(x) == 2 * x
        assert heard == {("kind", x)}
    assert computed == [1, 2]
    twice.cache_clear()
    assert twice(1) == 2 and computed == [1, 2, 1]


def test_a_remembered_attribute_is_one_of_each_object():
    class Named:
        def __init__(self, name):
            self.name = name

        @reads.remembered_property
        def told(self):
            """The name."""
            reads.note("kind", self.name)
            return self.name

    one, other = Named("one"), Named("other")
    for each in (one, other, one):
        with reads.recording() as heard:
            assert each.told == each.name
        assert heard == {("kind", each.name)}
        each.name += "!"
        assert each.told == each.name[:-1]
        each.name = each.name[:-1]
    assert Named.told.__doc__ == "The name."


def test_to_hear_the_same_again_costs_nothing(monkeypatch):
    asked, usual = [], reads.being_imported
    with reads.recording():
        monkeypatch.setattr(reads, "being_imported", lambda: asked.append(1) or usual())
        for _ in range(3):
            reads.note("kind", "what")
        reads.note("kind", "other")
        assert len(asked) == 2


def test_what_fails_to_be_computed_was_read_nonetheless():
    @reads.remembered
    def lost():
        reads.note("function", ring_for)
        raise LookupError("nothing of the kind")

    for _ in range(2):
        with reads.recording() as heard, pytest.raises(LookupError):
            lost()
        assert heard == {("function", ring_for)}


def test_a_module_that_is_imported_while_somebody_guesses_has_read_what_it_read(modules):
    modules(guessed="note('text', 'of it')\n")
    with reads.recording(), reads.guessing():
        importlib.import_module("guessed")
    assert reads.IMPORTED["guessed"] == {("text", "of it")}


def test_who_is_first_to_import_a_module_hears_no_more_than_who_is_second(modules):
    inside = "with recording() as heard:\n    note('text', 'of it')\n"
    modules(late="from corollary.language.reads import recording\n" + inside)
    first, second = reads.Heard(), reads.Heard()
    for each in (first, second):
        with reads.recording() as heard:
            late = importlib.import_module("late")
            reads.note("kind", "what")
        each.update(heard)
    assert first == second == {("kind", "what")}
    assert late.heard == reads.IMPORTED["late"] == {("text", "of it")}


def test_a_module_that_could_not_be_imported_hides_nothing_from_the_next(modules):
    modules(broken="note('text', 'of it')\nraise ImportError('not here')\n", whole="note('text', 'of it')\n")
    with reads.recording():
        with pytest.raises(ImportError):
            importlib.import_module("broken")
        importlib.import_module("whole")
    assert reads.IMPORTED["whole"] == {("text", "of it")}


def test_a_known_key_is_forgotten_when_a_module_comes(modules):
    heard = reads.Heard()
    heard.hear("one", {1})
    assert heard.knows("one") and not heard.knows("two")
    modules(coming="")
    importlib.import_module("coming")
    assert not heard.knows("one")
    heard.hear("two", {2})
    assert heard.knows("two") and not heard.knows("one") and heard == {1, 2}


def test_a_module_that_is_imported_reads_what_was_heard_before(modules):
    modules(second="note('text', 'of it')\n")
    with reads.recording() as heard:
        reads.note("text", "of it")
        importlib.import_module("second")
    assert heard == reads.IMPORTED["second"] == {("text", "of it")}


def test_a_module_reads_while_it_is_imported_and_not_later(modules):
    modules(early="note('text', 'of it')\ndef later():\n    note('text', 'of others')\n")
    importlib.import_module("early").later()
    assert reads.IMPORTED["early"] == {("text", "of it")}


def test_what_the_imported_one_reads_is_none_of_who_imports_it_first(modules):
    modules(inner="note('text', 'of inner')\n", outer="import inner\nnote('text', 'of outer')\n")
    importlib.import_module("outer")
    assert (reads.IMPORTED["inner"], reads.IMPORTED["outer"]) == ({("text", "of inner")}, {("text", "of outer")})


def test_what_a_module_has_others_do_as_it_is_imported_is_read_by_it(modules):
    modules(helper="def help():\n    note('text', 'of it')\n", helped="from helper import help\nhelp()\n")
    importlib.import_module("helped")
    assert reads.IMPORTED["helped"] == {("text", "of it")} and "helper" not in reads.IMPORTED


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
    assert heard == {("promise", f"kernel/{id_}")}


@pytest.mark.parametrize("field", ["function", "about", "unknown"])
def test_who_uses_a_promise_reads_it_wherever_it_got_it_from(field):
    (promise, *_) = THEOREMS.values()
    with reads.recording() as heard:
        getattr(promise, field)
    assert heard == {("promise", f"kernel/{promise.id}")}


def test_what_one_reader_of_a_state_computed_before_is_read_again():
    reader = Reader(Run(still()).before.fork(), KERNEL)
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


# ---- the parts of a fingerprint


@pytest.mark.parametrize(
    "change",
    [{"function": sees_page}, {"about": ("page_map",)}, {"unknown": True}, {"changes": ("memory",)}, {"total": 1}],
)
def test_a_promise_has_another_fingerprint_with_another_field(monkeypatch, change):
    before = fingerprint.promised("kernel/MEM-23"), fingerprint.contents(THEOREMS)
    monkeypatch.setitem(THEOREMS, "MEM-23", replace(THEOREMS["MEM-23"], **change))
    assert fingerprint.promised("kernel/MEM-23") != before[0] and fingerprint.contents(THEOREMS) != before[1]


def test_a_promise_of_another_kind_or_none_has_another_fingerprint(monkeypatch):
    before, promise = fingerprint.promised("kernel/RING-1"), INVARIANTS["RING-1"]
    monkeypatch.setitem(REGISTRIES, "INVARIANTS", {})
    none = fingerprint.promised("kernel/RING-1")
    monkeypatch.setitem(REGISTRIES, "THEOREMS", {"RING-1": promise})
    assert len({before, none, fingerprint.promised("kernel/RING-1")}) == 3


def test_an_enumeration_that_is_stored_in_more_bytes_is_another_type(monkeypatch):
    class Colour(Enum):
        RED = 0

    colour: Any = Colour
    narrow = fingerprint.of_type(Colour)
    colour._storage_ = 2
    fingerprint.of_type.cache_clear()
    assert fingerprint.of_type(Colour) != narrow


def test_what_is_a_function_no_longer_says_nothing(monkeypatch):
    assert fingerprint.now("function", "corollary.spec.kernel.ring:ring_for")
    monkeypatch.setattr("corollary.spec.kernel.ring.ring_for", 7)
    fingerprint.forget()
    assert not fingerprint.now("function", "corollary.spec.kernel.ring:ring_for")
    monkeypatch.undo()
    fingerprint.forget()


class Number(int):
    """An integer that may be more."""


@pytest.mark.parametrize(
    "value",
    [functools.partial(int, "1"), Number(3), object(), iter(())],
    ids=["partial", "subclass", "object", "iterator"],
)
def test_what_may_hold_more_than_one_sees_has_no_fingerprint(value):
    with pytest.raises(TypeError, match="has no fingerprint"):
        fingerprint.of_value(value)


def even(number):
    """Is a number even? This function and the next call each other."""
    return number == 0 or odd(number - 1)


def odd(number):
    """Is a number odd?"""
    return number != 0 and even(number - 1)


def test_of_two_that_call_each_other_each_has_the_text_of_both(monkeypatch):
    def both():
        fingerprint.forget(texts=True)
        return [fingerprint.of_definition(each) for each in (even, odd)]

    before, usual = both(), Path.read_text
    monkeypatch.setattr(
        Path,
        "read_text",
        lambda path, *more, **named: usual(path, *more, **named).replace("number == 0 or", "number < 1 or"),
    )
    after = both()
    monkeypatch.undo()
    fingerprint.forget(texts=True)
    assert before[0] != after[0] and before[1] != after[1]


def taken_whole(module):
    """Return the specification's and model's modules that a prover module uses as a whole.

    Modules used only for something in them do not count.
    """
    nodes = list(ast.walk(fingerprint.tree_of(fingerprint.source_of(module))))
    inside = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    alone = {
        ast.unparse(node) for node in nodes if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in inside
    }
    names = [
        (alias.asname or alias.name, f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name)
        for node, alias in fingerprint.imports(module)
    ]
    return sorted(
        name
        for local, name in names
        if local in alone
        and name.startswith(("corollary.spec.", "corollary.model."))
        and not fingerprint.is_code(name)
        and fingerprint.path_of(name).exists()
    )


def test_the_prover_takes_no_module_of_the_specification_as_a_whole():
    """Its fingerprint would have to cover the whole module."""
    assert [(name, module) for name in fingerprint.made_of(*ROOTS) for module in taken_whole(name)] == []


# ---- a text that is written during a proof


def test_a_text_that_was_written_since_it_was_imported_says_nothing(monkeypatch):
    assert fingerprint.now("text", "corollary.proofs.bits")
    monkeypatch.setattr(reads, "BEGAN", 0)
    fingerprint.forget(texts=True)
    assert not fingerprint.now("text", "corollary.proofs.bits") and not fingerprint.now(
        "code", "corollary.proofs.prove"
    )
    monkeypatch.undo()
    fingerprint.forget(texts=True)


def test_a_run_in_which_a_text_was_written_proves_nothing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(verify, "verify", lambda *_, **__: [])
    monkeypatch.setattr(verify, "PARTIAL", tmp_path / "verify-only.json")
    monkeypatch.setattr(fingerprint, "rewritten", lambda: ["corollary.spec.kernel.ring"])
    assert verify.main(KERNEL, "RING-1") == 1
    assert "corollary.spec.kernel.ring was written while this run went on" in capsys.readouterr().out.replace("\n", " ")
    assert not (tmp_path / "verify-only.json").exists()


@pytest.mark.parametrize(
    "path", ["spec/kernel/ring.py", "proofs/bits.py", "codegen/kernel.py", "generated/kernel/types.h"]
)
def test_a_result_is_of_other_sources_when_any_of_them_changes(monkeypatch, path):
    result, usual = {"sources": fingerprint.of_sources()}, Path.read_bytes
    assert not verify.outdated(result, KERNEL)
    monkeypatch.setattr(
        Path, "read_bytes", lambda at: usual(at) + (b" " if at == fingerprint.ROOT / "corollary" / path else b"")
    )
    assert verify.outdated(result, KERNEL)


def test_texts_behind_links_and_compiled_ones_count_and_what_python_compiles_does_not(tmp_path, monkeypatch):
    (tmp_path / "corollary" / "spec" / "__pycache__").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "corollary" / "spec" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "back").symlink_to(tmp_path / "elsewhere")
    monkeypatch.setattr(fingerprint, "ROOT", tmp_path)
    monkeypatch.setattr(fingerprint, "SOURCES", ("spec",))
    seen = [fingerprint.of_sources()]
    for path in ("corollary/spec/a.py", "corollary/spec/a.pyc", "elsewhere/b.py", "corollary/spec/__pycache__/a.pyc"):
        (tmp_path / path).write_text("")
        seen.append(fingerprint.of_sources())
    assert len(set(seen[:-1])) == 4 and seen[-1] == seen[-2]


def test_the_text_of_a_package_counts_for_all_that_is_in_it():
    assert {"corollary", "corollary.proofs", "corollary.proofs.machine", "corollary.language"} <= set(
        fingerprint.made_of("corollary.proofs.machine.obligations")
    )
    assert fingerprint.path_of("corollary.model") == fingerprint.ROOT / "corollary" / "model" / "__init__.py"
    assert (
        fingerprint.path_of("corollary.proofs.witnesses") == fingerprint.ROOT / "corollary" / "proofs" / "witnesses.py"
    )


def test_a_package_that_was_written_since_it_was_imported_is_told(monkeypatch):
    monkeypatch.setattr(reads, "BEGAN", 0)
    assert {"corollary.model", "corollary.proofs", "corollary.proofs.bits"} <= set(fingerprint.rewritten())


def test_a_file_that_was_just_written_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(reads, "BEGAN", time.time() - 1)
    (tmp_path / "new.py").write_text("")
    assert fingerprint.written_since(tmp_path / "new.py") and not fingerprint.written_since(
        Path("/proc/self/exe").resolve()
    )
