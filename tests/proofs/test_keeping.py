"""Is a proof kept only for the question that it answered?

Each piece is asked alone: a file's content, and the text of definitions.
"""

import importlib
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
import z3

import corollary.proofs
from corollary.language import ir, reads
from corollary.language.frontend import translate
from corollary.language.types import Array, Slice, boolean, u8, u32
from corollary.model.kernel import gate
from corollary.model.kernel.promises import INVARIANTS
from corollary.proofs import cache, fingerprint, second, verify
from corollary.proofs.jobs import Jobs
from corollary.proofs.prove import nothing
from corollary.spec.kernel import limits
from corollary.spec.kernel.ring import ring_for
from corollary.spec.kernel.state import Kernel, PageId, Partition
from corollary.spec.kernel.vocabulary import PageKind, Right, Status

SLOTTED = type("Slotted", (), {"__slots__": ()})


# ---- what is kept


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Use a cache of its own; return the text of each name of the kind `text`."""
    texts = {"a": "1", "b": "2"}
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "proofs")
    monkeypatch.setattr(cache, "RUNNING", tmp_path / "running")
    monkeypatch.setattr(cache, "STOPPED", [])
    monkeypatch.setattr(fingerprint, "now", lambda kind, name: texts.get(name, ""))
    monkeypatch.setattr(fingerprint, "still", lambda read: all(texts.get(name, "") == text for _, name, text in read))
    return texts


READ = {("text", "a"), ("text", "b")}


def test_a_proof_is_good_while_all_that_it_read_says_the_same(said):
    cache.remember("f/A", READ, {"n": 1})
    assert cache.recall("f/A") == {"n": 1} and cache.read_of("f/A") == READ
    for name in list(said):
        usual, said[name] = said[name], "other"
        assert cache.recall("f/A") is None
        said[name] = usual
    assert cache.recall("f/A") == {"n": 1}


def test_of_what_is_not_kept_nothing_is_known(said):
    assert cache.recall("f/A") is None and cache.read_of("f/A") == set()


def test_a_proof_is_none_of_another_obligation(said):
    cache.remember("f/A", READ, {})
    cache.path_of("f/A").rename(cache.path_of("f/B"))
    assert cache.recall("f/B") is None and cache.path_of("f/A") != cache.path_of("f/B")


def test_what_another_version_wrote_or_somebody_changed_is_not_read(said):
    cache.remember("f/A", READ, {"n": 1})
    text = cache.path_of("f/A").read_text()
    cache.path_of("f/A").write_text(text.replace('"n": 1', '"n": 2'))
    assert cache.recall("f/A") is None
    cache.path_of("f/A").write_text(text)
    assert cache.recall("f/A") == {"n": 1}
    for module in ("corollary.proofs.cache", "corollary.proofs.fingerprint"):
        said[module] = "another version"
        assert cache.recall("f/A") is None
        del said[module]


@pytest.mark.parametrize("unknown", ["nowhere", ""])
def test_nothing_is_kept_that_read_what_cannot_be_looked_up_again(said, monkeypatch, unknown):
    cache.remember("f/A", {*READ, ("text", unknown)}, {})
    assert cache.recall("f/A") is None and not cache.path_of("f/A").exists()


def test_nothing_is_asked_of_what_has_no_name(said, monkeypatch):
    asked = []
    monkeypatch.setattr(fingerprint, "now", lambda kind, name: asked.append(name) or "1")
    cache.remember("f/A", {*READ, ("text", "")}, {})
    assert "" not in asked and not cache.path_of("f/A").exists()


def test_once_nothing_can_be_kept_nothing_is(said, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(cache, "FOLDER", Path("/dev/null/proofs"))
        cache.remember("f/A", READ, {})
    assert len(cache.STOPPED) == 1 and "nothing is kept" in cache.STOPPED[0]
    cache.remember("f/A", READ, {})
    assert cache.recall("f/A") is None


def test_of_a_step_what_is_kept_is_taken_and_the_rest_is_left_to_do(said):
    row = {"property": "A", "sentence": "something", "seconds": 0.5}
    cache.remember("f/A", READ, row)
    jobs = Jobs(cache.seconds_of)
    assert verify.recalled(jobs, "f", ["f/A", "f/B", "f/C"], "/A", "kernel") == [row | {"cached": True}] and not jobs
    assert verify.recalled(jobs, "f", ["f/A", "f/B", "f/C"], "", "kernel") == [row | {"cached": True}]
    assert jobs.next().ids == ("f/B", "f/C")


def test_how_long_a_proof_took_is_known_also_when_it_is_good_no_more(said):
    cache.remember("f/A", READ, {"seconds": 0.5})
    said["a"] = "other"
    assert cache.recall("f/A") is None and cache.seconds_of("f/A") == 0.5 and cache.seconds_of("f/B") is None


def test_proofs_that_a_second_solver_saw_are_kept_apart(said, monkeypatch):
    cache.remember("f/A", READ, {})
    monkeypatch.setenv(second.SWITCH, "1")
    assert cache.recall("f/A") is None


def test_who_decides_is_named_through_its_arguments(said):
    assert cache.code_of(nothing) == cache.code_of(partial(nothing, 1)) == "corollary.proofs.transition"


def test_the_sentence_of_a_promise_is_not_kept_and_any_other_is():
    own = {"property": "RING-1", "sentence": INVARIANTS["RING-1"].sentence}
    other = {"property": "RING-1", "sentence": "something else"}
    assert cache.without_sentence(own, "kernel")["sentence"] is None
    assert cache.without_sentence(other, "kernel") == other
    assert cache.with_sentence(cache.without_sentence(own, "kernel"), "kernel") == own
    assert cache.with_sentence(other, "kernel") == other
    nobody = {"property": "well-formed", "sentence": "it fits"}
    assert cache.without_sentence(nobody, "kernel") == nobody


def test_what_a_worker_began_last_is_known_until_its_run_ends(said):
    assert cache.last_begun("1", "a step") is None
    for id_ in ("f/A", "f/B"):
        cache.begin("1", "a step", id_)
    cache.begin("2", "a step", "f/C")
    assert (cache.last_begun("1", "a step"), cache.last_begun("2", "a step")) == ("f/B", "f/C")
    cache.forget_run("1")
    assert (cache.last_begun("1", "a step"), cache.last_begun("2", "a step")) == (None, "f/C")


# ---- what a definition says


@pytest.fixture
def afresh():
    """Ask for everything anew, before and after."""
    fingerprint.forget(texts=True)
    yield fingerprint.forget
    fingerprint.forget(texts=True)


def differ(texts):
    """Is each text different from all others?"""
    texts = list(texts)
    return len(set(texts)) == len(texts)


TYPES = (
    None,
    u8,
    u32,
    boolean,
    Array[u32, 2],
    Array[u32, 3],
    Array[u8, 2],
    Slice[u32],
    Slice[u8],
    Status,
    PageKind,
    Right,
    PageId,
    Partition,
    Kernel,
)


def test_types_that_differ_say_something_else():
    assert differ(map(fingerprint.of_type, TYPES))
    assert differ(map(fingerprint.of_value, TYPES))


def test_the_members_of_types_count(afresh, monkeypatch):
    before = {each: fingerprint.of_type(each) for each in (Right, PageId, Partition)}
    monkeypatch.setitem(Right.members, "NEW", 1 << 7)
    monkeypatch.setattr(PageId, "bound", PageId.bound - 1)
    monkeypatch.setitem(Partition.fields, "new", u8)
    afresh()
    assert all(fingerprint.of_type(each) != text for each, text in before.items())


@dataclass(frozen=True)
class Spoken:
    """A row of a table."""

    number: int
    sentence: str = ""


class Plain:
    """An object that is no data class."""

    def __init__(self, number):
        self.number = number


def outside(x: u32) -> u32:
    return x


VALUES = (
    None,
    True,
    1,
    "1",
    1.0,
    b"1",
    range(1),
    (1, 2),
    (2, 1),
    {1, 2},
    {1, 3},
    {1: 2},
    {1: 3},
    {2: 1},
    Status.OK,
    Status.BAD_ARGUMENT,
    u8,
    Array[u8, 2],
    Kernel,
    outside,
    ring_for,
    nothing,
    Spoken,
    Spoken(1),
    Spoken(2),
    z3,
    limits,
    cache,
)


def test_values_that_differ_say_something_else():
    assert differ(map(fingerprint.of_value, VALUES))


def test_a_function_of_the_language_is_named_where_it_is_held_and_any_other_says_what_it_does():
    assert fingerprint.of_value(outside) == fingerprint.name_of(outside) != fingerprint.of_called(outside)
    assert fingerprint.of_value(differ) != fingerprint.name_of(differ)
    for value in VALUES:
        assert value in (outside, ring_for, nothing) or fingerprint.of_called(value) == fingerprint.of_value(value)


def test_what_a_row_says_to_people_does_not_count():
    assert fingerprint.of_value(Spoken(1, "one")) == fingerprint.of_value(Spoken(1, "two"))
    assert fingerprint.of_value(reads.Registry("any", a=1)) == fingerprint.of_value(reads.Registry("any"))


@pytest.mark.parametrize("value", [SLOTTED(), Plain(1)])
def test_what_may_hold_more_than_can_be_read_has_no_fingerprint(value):
    with pytest.raises(TypeError, match="has no fingerprint"):
        fingerprint.of_value(value)


def inner(x: u32) -> u32:
    return x + 1


def outer(x: u32, y: u32) -> u32:
    if x > y:
        return inner(x)
    return 3


def changed(function, **parts):
    """Return the fingerprint of a function with other parts."""
    return fingerprint.of_body(replace(function, **parts), parts.get("body", function.body))


def test_everything_about_a_function_counts_but_its_lines(afresh):
    function = translate(outer)
    head, tail = function.body
    usual = changed(function)
    bodies = [
        (tail,),
        (head,),
        (tail, head),
        (head, replace(tail, value=replace(tail.value, value=4))),
        (head, replace(tail, value=replace(tail.value, type=u8))),
    ]
    found = [changed(function, body=body) for body in bodies]
    first, second_ = function.parameters
    parts = [
        {"name": "another"},
        {"parameters": (first,)},
        {"parameters": (replace(first, type=u8), second_)},
        {"returns": u8},
        {"opaque": True},
        {"hardware": "x"},
        {"intrinsic": True},
        {"mutates": frozenset({"x"})},
    ]
    assert differ([usual, *found, *(changed(function, **part) for part in parts)])
    assert changed(function, body=(head, replace(tail, line=999))) == usual


def test_what_a_function_calls_counts(afresh, monkeypatch):
    function, callee = translate(outer), translate(inner)
    before = fingerprint.of_function(function)
    assert before == fingerprint.of_called(outer) != fingerprint.of_value(outer)
    monkeypatch.setattr(callee, "body", (ir.Return(ir.Literal(0, callee.returns), 1),))
    afresh()
    assert fingerprint.of_function(function) != before


def test_of_a_derived_function_one_operation_takes_its_branch(afresh):
    function = translate(gate.perform)
    branches = {fingerprint.chosen(node): node for node in function.body}
    numbers = [number for number in branches if number is not None]
    assert len(numbers) > 2 and None in branches
    for position, number in enumerate(numbers[:3]):
        body = tuple(node for node in function.body if node is not branches[number])
        one, another = numbers[position], numbers[position + 1]
        usual = fingerprint.of_branch(function, one), fingerprint.of_branch(function, another)
        without = replace(function, body=body)
        assert fingerprint.of_branch(without, one) != usual[0] and fingerprint.of_branch(without, another) == usual[1]
        rest = replace(function, body=tuple(node for node in function.body if node is not branches[None]))
        assert fingerprint.of_branch(rest, one) != usual[0]


def test_only_a_comparison_with_a_constant_is_a_branch():
    literal, local = ir.Literal(3, u32), ir.Local("x", u32)
    taken = ir.If(ir.Compare("==", local, literal, boolean), (), (), 0)
    assert fingerprint.chosen(taken) == 3
    others = (ir.Compare("==", literal, local, boolean), ir.Binary("+", local, literal, u32), local)
    assert [fingerprint.chosen(replace(taken, condition=each)) for each in others] == [None] * 3
    assert fingerprint.chosen(ir.Return(literal, 0)) is None


def test_a_derived_function_is_all_its_branches_for_any_operation(afresh, monkeypatch):
    name = "corollary.model.kernel.gate:perform"
    one, any_ = (lambda: fingerprint.now("branch", f"{name}#0")), (lambda: fingerprint.now("branch", f"{name}#None"))
    function = translate(gate.perform)
    callee = next(node.function for node in ir.walk(function.body) if isinstance(node, ir.Call))
    first = function.body[0]
    other = replace(first, condition=replace(first.condition, right=replace(first.condition.right, value=999)))
    for changed_, body in ((function, (other, *function.body[1:])), (callee, callee.body[1:])):
        usual = any_()
        assert usual and one()
        with monkeypatch.context() as patch:
            patch.setattr(changed_, "body", body)
            afresh()
            assert any_() != usual
        afresh()


# ---- names and their targets


def made(number):
    """Return a function that no name leads to."""

    def inside(x: u32) -> u32:
        return x + number

    return inside


HELD = {"inside": made(1)}


def test_a_function_has_the_name_that_leads_to_it_or_none(afresh):
    assert fingerprint.of_python(inner) == f"{__name__}:inner"
    assert fingerprint.of_python(HELD["inside"]) == f"{__name__}:HELD.inside"
    assert fingerprint.of_python(made(2)) == ""
    assert fingerprint.found(f"{__name__}:inner") is inner
    assert fingerprint.found(f"{__name__}:HELD.inside") is HELD["inside"]
    for nowhere in (f"{__name__}:gone", f"{__name__}:HELD.gone", "corollary.model.kernel.gate:perform.gone"):
        with pytest.raises(LookupError):
            fingerprint.found(nowhere)
        assert fingerprint.now("function", nowhere) == "" and not fingerprint.leads_to(nowhere, inner)
    assert fingerprint.now("function", "no.such.module:f") == ""


def test_what_cannot_be_found_again_is_its_module_with_all_that_it_imports(afresh):
    lost = made(3)
    assert fingerprint.names({("function", inner)}) == {("function", f"{__name__}:inner")}
    assert fingerprint.names({("function", lost)}) == {("closure", __name__)}
    assert fingerprint.names({("branch", (lost, 1))}) == {("branch", "")}
    assert fingerprint.names({("branch", (inner, 1))}) == {("branch", f"{__name__}:inner#1")}
    foreign = made(4)
    foreign.__module__ = "json"
    assert fingerprint.names({("function", foreign)}) == {("closure", "")}


def test_a_file_of_the_moment_in_which_a_run_began_is_what_runs(tmp_path, monkeypatch):
    path = tmp_path / "module.py"
    path.write_text("")
    for began, written in ((path.stat().st_ctime, False), (path.stat().st_ctime - 1, True)):
        monkeypatch.setattr(reads, "BEGAN", began)
        assert fingerprint.written_since(path) == written


def test_every_kind_of_reading_has_a_name(afresh):
    read = {
        "function": inner,
        "branch": (gate.perform, 0),
        "registry": INVARIANTS,
        "names": differ,
        "option": "AN_OPTION",
        "code": "corollary.proofs.bits",
        "text": "corollary.proofs.bits",
        "promise": "kernel/RING-1",
        "image": f"{__name__}:image#one",
        "fact": (differ, "one", "two"),
        "component": "kernel",
        "all": "sources",
    }
    named = {
        "function": f"{__name__}:inner",
        "branch": "corollary.model.kernel.gate:perform#0",
        "registry": "corollary.language.property:PROMISES.kernel.INVARIANTS",
        "names": f"{__name__}:differ",
        "fact": f"{__name__}:differ#one#two",
    }
    assert set(read) == set(fingerprint.SAID) and {*read, "closure"} == set(fingerprint.SAYS)
    assert dict(fingerprint.names(set(read.items()))) == read | named


# ---- the modules of the prover


@pytest.fixture
def prover(tmp_path, monkeypatch, afresh):
    """Make a little prover of two modules; return a function that rewrites them and fingerprints the first."""
    usual = fingerprint.path_of
    monkeypatch.setattr(reads, "BEGAN", float("inf"))  # the test's modules are imported after they are written
    monkeypatch.setattr(corollary.proofs, "__path__", [*corollary.proofs.__path__, str(tmp_path)])
    monkeypatch.setattr(fingerprint, "path_of", lambda name: path if (path := place(name)).exists() else usual(name))
    monkeypatch.setattr(fingerprint, "LANGUAGE", ())

    def place(name):
        return tmp_path / f"{name.rsplit('.')[-1]}.py"

    def write(**texts):
        for name, text in texts.items():
            place(name).write_text(text)
            sys.modules.pop(f"corollary.proofs.{name}", None)
            reads.IMPORTED.pop(f"corollary.proofs.{name}", None)
        importlib.invalidate_caches()
        afresh(texts=True)
        return fingerprint.of_code("corollary.proofs.first_little")

    yield write
    for name in ("first_little", "second_little"):
        sys.modules.pop(f"corollary.proofs.{name}", None)
        reads.IMPORTED.pop(f"corollary.proofs.{name}", None)


FIRST = """from corollary.proofs.second_little import two
from corollary.spec.kernel.limits import PAGES
import z3


def one():
    return two(PAGES), z3.sat
"""
SECOND = """from corollary.spec.kernel import limits
from corollary.language.reads import note


def two(n):
    return n + limits.EDGES
"""


def test_of_a_module_its_text_and_all_that_it_imports_of_the_prover_count(prover):
    usual = prover(first_little=FIRST, second_little=SECOND)
    assert prover(first_little=FIRST.replace("(PAGES), z3", "(PAGES + 1), z3")) != usual
    assert prover(first_little=FIRST, second_little=SECOND.replace("n + limits", "n - limits")) != usual
    assert prover(second_little=f'"""Prose."""\n{SECOND}    # a comment\n') == usual
    found = fingerprint.made_of("corollary.proofs.first_little")
    assert {"corollary.proofs.first_little", "corollary.proofs.second_little", "corollary.language.reads"} <= set(found)
    assert not {"corollary.spec.kernel.limits", "z3", "corollary.proofs.first_little.one", *fingerprint.WITHOUT} & set(
        found
    )


def test_what_a_module_takes_of_the_specification_counts_and_nothing_else_of_it(prover, monkeypatch, afresh):
    usual = prover(first_little=FIRST, second_little=SECOND)
    for name, counts in (("PAGES", True), ("EDGES", True), ("ENDPOINTS", False)):
        with monkeypatch.context() as patch:
            patch.setattr(limits, name, 77, raising=False)
            afresh()
            sys.modules.pop("corollary.proofs.first_little")
            assert (fingerprint.of_code("corollary.proofs.first_little") != usual) == counts, name
        afresh()


def test_what_a_module_read_as_it_was_imported_counts_as_it_is_now(prover, monkeypatch, afresh):
    usual = prover(first_little=FIRST, second_little=f"{SECOND}note('option', 'AN_OPTION')\n")
    monkeypatch.setenv("AN_OPTION", "another value")
    afresh()
    assert fingerprint.of_code("corollary.proofs.first_little") != usual


def test_the_versions_of_python_and_of_each_library_count(prover, monkeypatch, afresh):
    usual = prover(first_little=FIRST, second_little=SECOND)
    versions = fingerprint.metadata.version
    newer = {"z3-solver": "0"}
    for where, name, other in (
        (fingerprint.metadata, "version", lambda name: newer.get(name) or versions(name)),
        (fingerprint.platform, "python_version", lambda: "4.0"),
        (fingerprint.platform, "python_implementation", lambda: "another"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, other)
            afresh()
            assert fingerprint.of_code("corollary.proofs.first_little") != usual, name
    assert fingerprint.of_library("sys") == fingerprint.of_library("os.path") == ""
    assert fingerprint.of_library("z3.z3").startswith("z3-solver ")


def test_the_language_is_part_of_every_prover(afresh, monkeypatch):
    usual, found = fingerprint.of_module, []
    assert {"corollary.language.ir", "corollary.language.reads"} < set(fingerprint.LANGUAGE)
    for name in ("nothing", *fingerprint.LANGUAGE[:2]):
        with monkeypatch.context() as patch:
            patch.setattr(fingerprint, "of_module", lambda module, name=name: usual(module) + str(module == name))
            found.append(fingerprint.of_code("corollary.proofs.bits"))
        fingerprint.of_code.cache_clear()
    assert differ(found)


def test_a_closure_is_all_of_the_project_that_is_imported(afresh, monkeypatch):
    usual, text = fingerprint.of_closure("corollary.proofs.outside"), fingerprint.of_text
    for name, counts in (
        ("corollary.proofs.outside", True),
        ("corollary.proofs.bits", True),
        ("corollary.model.kernel.promises", True),
        ("corollary.commands.cli", False),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(
                fingerprint, "of_text", lambda module, name=name: text(module) + ("another" if module == name else "")
            )
            afresh(texts=True)
            assert (fingerprint.of_closure("corollary.proofs.outside") != usual) == counts, name


def test_every_package_of_the_project_is_one():
    top, package = fingerprint.ROOT, fingerprint.ROOT / "corollary"
    rooms = {path.name for path in package.iterdir() if path.is_symlink() and (path / "__init__.py").exists()}
    assert {path.parent.name for path in top.glob("*/__init__.py")} == rooms | set(fingerprint.PROJECT)


def test_a_module_of_the_prover_is_one_that_there_is_and_that_has_a_part_in_verdicts():
    assert all(
        map(fingerprint.is_code, ("corollary.proofs.bits", "corollary.codegen.program", "corollary.language.ir"))
    )
    assert not any(
        map(
            fingerprint.is_code,
            ("proofs.nowhere", "corollary.spec.kernel.state", "corollary.model.kernel.gate", *fingerprint.WITHOUT),
        )
    )


def test_all_that_was_read_must_say_the_same_and_is_compared_once(afresh, monkeypatch):
    asked, texts = [], {"one": "1", "two": "2"}
    monkeypatch.setattr(fingerprint, "now", lambda kind, name: asked.append(name) or texts[name])
    same = {("text", "one", "1"), ("text", "two", "2")}
    assert (
        fingerprint.still(same)
        and fingerprint.still(same)
        and fingerprint.still(set())
        and sorted(asked) == ["one", "two"]
    )
    assert not any(fingerprint.still(same | {other}) for other in (("text", "one", "2"), ("text", "two", "")))
    texts["two"] = "3"
    afresh()
    assert not fingerprint.still(same) and fingerprint.still({("text", "two", "3")})


def test_what_is_asked_twice_is_looked_up_once(afresh, monkeypatch):
    asked = []
    monkeypatch.setitem(fingerprint.SAYS, "text", lambda name: asked.append(name) or "said")
    assert [fingerprint.now("text", "one") for _ in range(2)] == ["said", "said"] and asked == ["one"]
    afresh()
    assert fingerprint.now("text", "one") == "said" and asked == ["one", "one"]
