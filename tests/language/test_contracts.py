"""Do callers meet a function's precondition, does the function meet its postcondition, and are prover mistakes noticed?

Each pair is a function and its wrong twin, which differ in one line. The twin also fails in Python, on some state.
"""

import copy
import random
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
import z3

from corollary.codegen.declarations import definition
from corollary.codegen.program import Program
from corollary.language.contracts import ContractError
from corollary.language.frontend import translate
from corollary.language.types import LanguageError, u64
from corollary.proofs import loops, outside
from corollary.proofs.loops import Unbounded
from corollary.proofs.outside import executed
from corollary.proofs.symbolic import Executor, Reference
from tests.language import cee, rounds, shapes, twins, zee
from tests.language.generator import HEADER, fill, random_scalar
from tests.language.test_readings import FAILURES, load

TRIES, ROUNDS = 400, 6
PRELUDE = (
    HEADER
    + """
from corollary.language.contracts import ensures, preserves, requires
from corollary.language.frontend import opaque
from corollary.language.intrinsics import intrinsic


def within(h: Heap) -> bool:
    return h.at <= length(h.data) and h.at < 100


@requires(lambda h, x: x < length(h.data))
def byte_of(h: Heap, x: u32) -> u8:
    return h.data[x]


@requires(lambda h: length(h.data) > 0)
@requires(lambda h: h.data[0] < 2)
def first_of(h: Heap) -> u32:
    return h.pair[h.data[0]]


@requires(lambda h: length(h.data) > 0)
@ensures(lambda h, result: result < length(h.data))
def place_of(h: Heap, x: u32) -> u32:
    return x if x < length(h.data) else 0


def number_of(h: Heap, x: u32) -> u32:
    return x


@preserves(within)
def advance(h: Heap) -> None:
    if h.at < length(h.data) and h.at < 99:
        h.at += 1


def jump(h: Heap) -> None:
    h.at = 99


@preserves(lambda h: h.at < 2)
def only_below_two(h: Heap) -> u8:
    return 1


@ensures(lambda h, old_h: h.step <= old_h.step)
def lower(h: Heap) -> None:
    if h.step > 3:
        h.step = 3


def raise_(h: Heap) -> None:
    h.step = 9


"""
)
SIGNATURE = "def f(h: Heap, x: u32, y: u64, b: u8) -> u64:\n"
REQUIRED, ENSURED = "requires", "ensures"
INDEX = "index in range"
ASKED = """\
if x < length(h.data):
    return byte_of(h, x)
return 0
"""
FIRST = """\
if length(h.data) > 0:
    if h.data[0] < 2:
        return first_of(h)
return 0
"""
PLACED = """\
if length(h.data) == 0:
    return 0
k = place_of(h, x)
return h.data[k]
"""
MOVED = """\
if h.at > length(h.data) or h.at >= 100:
    return 0
advance(h)
if h.at == length(h.data):
    return 0
return h.data[h.at]
"""
LOWERED = """\
if h.step > 1:
    return 0
lower(h)
return h.pair[h.step]
"""
ROUND = """\
n = b
k = x
while n > 0:
    decreases(n)
    n -= 1
    k = x + 1 if x < 9 else 9
    if k < length(h.data):
        h.step = byte_of(h, k)
return 0
"""
SOMETIMES = """\
if b > 0 and h.at < 2:
    return only_below_two(h)
return h.pair[h.at] if h.at < 2 else 0
"""
# name, reason why the twin is refused, contract of the function, its body, a line of both, the twin's line instead
PAIRS = {
    "a caller that looks first": (REQUIRED, "", ASKED, "x < length", "x <= length"),
    "a caller that looks at another": (REQUIRED, "", ASKED, "byte_of(h, x)", "byte_of(h, u32.truncate(y))"),
    "a caller that looks at one clause of two": (REQUIRED, "", FIRST, "if h.data[0] < 2", "if h.data[0] < 3"),
    "a caller that keeps what it is asked for": (REQUIRED, "", MOVED, "length(h.data) or", "length(h.data) + 1 or"),
    "a caller in a round": (REQUIRED, "", ROUND, "k < length", "k <= length"),
    "a caller that is asked the same": (
        REQUIRED,
        "@requires(lambda h, x: x < length(h.data))\n",
        "return byte_of(h, x)\n",
        "x < length(h.data))\n",
        "x <= length(h.data))\n",
    ),
    "what is required": (
        INDEX,
        "@requires(lambda h, y: y < length(h.data))\n",
        "return h.data[y]\n",
        "y < length",
        "y <= length",
    ),
    "what is required by name": (
        INDEX,
        "@requires(within)\n",
        "return h.data[h.at] if h.at < length(h.data) else 0\n",
        "h.at < length(h.data) else",
        "h.at <= length(h.data) else",
    ),
    "what a callee ensures": (INDEX, "", PLACED, "place_of", "number_of"),
    "what a callee keeps": (INDEX, "", MOVED, "advance(h)", "jump(h)"),
    "what a callee ensures where it is called": (INDEX, "", SOMETIMES, "if h.at < 2 else 0", "if h.at < 3 else 0"),
    "what a callee lowers": (INDEX, "", LOWERED, "lower(h)", "raise_(h)"),
    "a clause with a truth": (
        INDEX,
        "@requires(lambda h, y: y < length(h.data) and h.data[y] < 9)\n",
        "return 0\n",
        "y < length(h.data) and",
        "y <= length(h.data) and",
    ),
    "a clause with a truth after another": (
        INDEX,
        "@requires(lambda h, y: y < length(h.data))\n@requires(lambda h, y: h.data[y] < 9)\n",
        "return 0\n",
        "y < length(h.data))",
        "y <= length(h.data))",
    ),
    "a result": (ENSURED, "@ensures(lambda result: result < 9)\n", "return 8\n", "return 8", "return b"),
    "a result of a parameter that changes": (
        ENSURED,
        "@ensures(lambda x, result: result == x)\n",
        "k = x\nx = 1\nreturn k\n",
        "return k",
        "return x",
    ),
    "a result of two ways": (
        ENSURED,
        "@ensures(lambda h, result: result <= h.at)\n",
        "if b > 0:\n    return h.at\nreturn 0\n",
        "return 0",
        "return 1",
    ),
    "a result of a round": (
        ENSURED,
        "@ensures(lambda result: result < 9)\n",
        "n = b\nwhile n > 0:\n    decreases(n)\n    n -= 1\n    if n < 9:\n        return n\nreturn 0\n",
        "if n < 9",
        "if n < 19",
    ),
    "a result of what was required": (
        ENSURED,
        "@requires(lambda b: b < 9)\n@ensures(lambda result: result < 9)\n",
        "return b\n",
        "b < 9)",
        "b < 19)",
    ),
    "what is written": (
        ENSURED,
        "@ensures(lambda h, old_h: h.at >= old_h.at)\n",
        "if h.at < 9:\n    h.at += 1\nreturn 0\n",
        "h.at += 1",
        "h.at = 1",
    ),
    "what is not written": (
        ENSURED,
        "@ensures(lambda h, old_h: h.at == old_h.at)\n",
        "h.step = 1\nreturn 0\n",
        "h.step",
        "h.at",
    ),
    "what a part was": (
        ENSURED,
        "@ensures(lambda h, old_h: h.inner.count == old_h.inner.count)\n",
        "inner = h.inner\ninner.level = 1\nreturn 0\n",
        "inner.level",
        "inner.count",
    ),
    "what is preserved": (
        ENSURED,
        "@preserves(within)\n",
        "if h.at > 0:\n    h.at -= 1\nreturn 0\n",
        "h.at -= 1",
        "h.at = 100",
    ),
    "what a callee ensured is ensured": (ENSURED, "@preserves(within)\n", "advance(h)\nreturn 0\n", "advance", "jump"),
}


def program(pair):
    """Return the source of a function and of its twin."""
    _, said, body, right, wrong = PAIRS[pair]
    text = said + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())
    assert right in text, f"{pair}: no {right}"
    return PRELUDE + text, PRELUDE + text.replace(right, wrong)


@pytest.fixture(scope="module", name="twins")
def made_twins(tmp_path_factory):
    """Return the functions of each pair."""
    return twins.made(tmp_path_factory.mktemp("twins"), PAIRS, program)


def broken(twin):
    """Return the reasons why a function is refused."""
    return zee.Outside(twin.function).broken()


def mistaken(pair, twins):
    """Is a pair misjudged? Either the function is refused, or its twin is not refused for its mistake."""
    found = broken(twins[pair, "wrong"])
    return bool(broken(twins[pair, "right"])) or not any(PAIRS[pair][0] in what for what in found)


def fails(python, name):
    """Does a function fail on one of many states, although its precondition holds?"""
    rng = random.Random(name)
    for _ in range(TRIES):
        state, small = rounds.heap(rng), [rng.randrange(ROUNDS) for _ in range(4)]
        state.at, state.step = rng.choice((0, 1, 2, 5, 98, 99, 100)), rng.choice((0, 1, 5))
        try:
            python(state, small[1], rng.choice((small[2], u64.bound - 1)), rng.choice((small[3], 15)))
        except FAILURES as error:
            if not str(error).startswith("f requires"):
                return True
    return False


@pytest.mark.parametrize("pair", PAIRS)
def test_the_wrong_twin_alone_fails_in_python(pair, twins):
    assert not fails(twins[pair, "right"].python, pair)
    assert fails(twins[pair, "wrong"].python, pair)


@pytest.mark.parametrize("pair", PAIRS)
def test_a_function_is_proved_and_its_wrong_twin_refused(pair, twins):
    assert broken(twins[pair, "right"]) == []
    assert any(PAIRS[pair][0] in what for what in broken(twins[pair, "wrong"]))


def test_what_the_pairs_call_is_proved_by_itself(twins):
    all_ = {other.name: other for twin in twins.values() for other in cee.ordered([twin.function])}
    callees = {name: other for name, other in all_.items() if name != "f"}
    assert len(callees) > 5 and all(zee.Outside(other).proved() for other in callees.values())


# ---- the pairs above notice a mistake in the prover


def before_the_call(self, function, given, guard):
    """Apply the postcondition to the values before the call."""
    before = {name: given.get(f"old_{name}", value) for name, value in given.items()}
    for clause in function.ensures:
        self.facts.append(self.clause(function, clause, before, guard, defined=True))


def as_it_is_now(right):
    """Read the old value of a place from the present state."""

    def given(self, function, arguments):
        found = right(self, function, arguments)
        return {**found, **{f"old_{name}": value for name, value in found.items() if isinstance(value, Reference)}}

    return given


def without_last(right):
    """Forget the last precondition."""
    return lambda self, function, *rest: right(self, with_other(function, requires=function.requires[:-1]), *rest)


def with_other(function, **clauses):
    """Return a function with other clauses."""
    return SimpleNamespace(**{**vars(function), "symbol": function.symbol, **clauses})


# name, place, replacement, the pair that notices it
MISTAKES = {
    "callers owe nothing": (Executor, "demand", lambda *_: None, "a caller that looks first"),
    "callers owe all clauses but one": (
        Executor,
        "demand",
        without_last(Executor.demand),
        "a caller that looks at one clause of two",
    ),
    "nothing is known at the entry": (
        Unbounded,
        "admitted",
        lambda self, function, arguments, guard: guard,
        "what is required",
    ),
    "all but one clause are known at the entry": (
        Unbounded,
        "admitted",
        without_last(Unbounded.admitted),
        "a result of what was required",
    ),
    "what is required has any truth": (
        Unbounded,
        "clause",
        lambda self, *rest, right=Unbounded.clause, defined=False: right(self, *rest, defined=True),
        "a clause with a truth",
    ),
    "nobody looks at what is ensured": (Unbounded, "postconditions", lambda *_: None, "a result"),
    "what is ensured is looked at where a function ends alone": (
        Executor,
        "on_Return",
        lambda self, node, frame, right=Executor.on_Return: right(self, node, SilentFrame(frame)),
        "a result of two ways",
    ),
    "callees ensure nothing": (Unbounded, "ensured", lambda *_: None, "what a callee ensures"),
    "callees ensure it of all that never called them": (
        Unbounded,
        "ensured",
        lambda self, function, given, guard: self.facts.extend(
            self.clause(function, clause, given, guard, defined=True) for clause in function.ensures
        ),
        "what a callee ensures where it is called",
    ),
    "callees leave all as it was": (loops, "used", lambda python, changes: frozenset(), "what a callee keeps"),
    "what was is what is": (Executor, "given", as_it_is_now(Executor.given), "what is written"),
    "what a callee ensured is said of what was": (Unbounded, "ensured", before_the_call, "what a callee lowers"),
    "parameters have their last value": (
        Executor,
        "postconditions",
        lambda self, frame, value, right=Executor.postconditions: (
            frame.given.update(frame.scalars),
            right(self, frame, value),
        ),
        "a result of a parameter that changes",
    ),
}


class SilentFrame:
    """A frame for a function without a postcondition."""

    def __init__(self, frame):
        self.__dict__["frame"] = frame

    def __getattr__(self, name):
        found = getattr(self.frame, name)
        return with_other(found, ensures=()) if name == "function" else found

    def __setattr__(self, name, value):
        setattr(self.frame, name, value)


@pytest.mark.parametrize("where, name, instead, pair", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_the_prover_is_noticed(where, name, instead, pair, twins, monkeypatch):
    monkeypatch.setattr(where, name, instead)
    assert mistaken(pair, twins)


# ---- what is decided about a function outside the kernel

DECIDED = (
    PRELUDE
    + """
@requires(lambda x: x > 6 and x < 4)
def of_nothing(x: u32) -> u32:
    return 1 // x


@ensures(lambda result: result < 4)
def of_too_much(x: u32) -> u32:
    return x


def who_believes(x: u32) -> u32:
    return 1 // (4 - of_too_much(x))


@requires(lambda x: x < 4)
def of_few(x: u32) -> u32:
    return 1 // (4 - x)


def who_asks_nobody(x: u32) -> u32:
    k = x // 2

    return of_few(k)
"""
)


@pytest.fixture
def decided(tmp_path, monkeypatch):
    """Decide a function of the text above as if it were one of the VM's."""
    module = load(tmp_path, "decided", DECIDED)
    own = [translate(each) for each in vars(module).values() if getattr(each, "__module__", "") == "decided"]
    known = {function.symbol: function for function in own}
    monkeypatch.setattr(outside, "functions", lambda: known)
    return lambda name: outside.decide(translate(getattr(module, name)))


def line_of(text):
    """Return the line number of a line of the text above."""
    return f"decided.py:{next(number for number, line in enumerate(DECIDED.splitlines(), 1) if text in line)}"


def test_what_nothing_satisfies_is_refused_by_its_line(decided):
    row = decided("of_nothing")
    assert row.result == "refuted" and row.reason.startswith(outside.VACUOUS)
    assert row.reason.endswith(line_of("x > 6 and x < 4"))


def test_what_something_satisfies_is_not(decided):
    assert decided("of_few").result == "proved"


def test_whether_anything_satisfies_it_must_be_known(decided, monkeypatch):
    monkeypatch.setattr(outside, "asked", lambda *_: SimpleNamespace(check=lambda: z3.unknown))
    row = decided("of_few")
    assert row.result == "unknown" and row.reason.startswith(outside.VACUOUS)


def test_what_is_not_known_is_not_proved(decided, monkeypatch):
    monkeypatch.setattr(outside, "impossible", lambda *_: z3.unknown)
    row = decided("who_asks_nobody")
    assert row.result == "unknown" and row.reason.startswith("decided_of_few requires x < 4")


def test_a_summary_that_is_too_strong_is_refuted_where_it_is_made(decided):
    assert decided("who_believes").result == "proved"
    row = decided("of_too_much")
    assert row.result == "refuted" and "ensures result < 4" in row.reason
    assert row.reason.endswith(line_of("lambda result: result < 4"))


def test_a_caller_that_does_not_see_to_it_is_refuted_by_the_line_of_its_call(decided):
    row = decided("who_asks_nobody")
    assert row.result == "refuted" and row.reason.startswith("decided_of_few requires x < 4")
    assert row.reason.endswith(line_of("return of_few(k)"))


def test_no_function_is_believed_that_no_row_decides(decided, monkeypatch):
    known = {symbol: function for symbol, function in outside.functions().items() if symbol != "decided_of_too_much"}
    monkeypatch.setattr(outside, "functions", lambda: known)
    row = decided("who_believes")
    assert row.result == "refuted" and row.reason == f"decided_of_too_much {outside.UNDECIDED}"


def test_every_function_of_the_vm_that_is_believed_has_a_row():
    known = outside.functions()
    some = [function for function in known.values() if function.module in ("texts", "labels", "blocks")]
    believed = {symbol for function in some for symbol in executed(function).summaries}
    assert believed and believed <= set(known)
    assert any(function.requires for function in known.values())


# ---- Python, Z3 and C agree

SHARED = """
def is_ready(s: State) -> bool:
    return s.ready and s.seat < 3


@requires(lambda s, x: x < 3 and s.row[s.seat].half >= x)
@ensures(lambda s, old_s, x, result: result < 200 and s.tick == old_s.tick)
def taken(s: State, x: u8) -> u8:
    s.row[s.seat].half -= x
    if s.kind == Kind.GATE:
        s.tick = 7
    return u8.truncate(s.row[s.seat].half)


@requires(is_ready)
def readied(s: State, x: u8) -> u8:
    k = taken(s, x)
    return k


@preserves(lambda s: s.words[0] <= s.words[1])
def raised(s: State, x: u8) -> u8:
    if x > 9:
        s.words[0] = s.words[1]
    elif x > 5:
        s.words[1] = 3
    return x


def f(s: State, x: u8) -> u8:
    if s.inner.flag:
        k = readied(s, x)
        return k
    if s.inner.level < 200:
        j = raised(s, x)
        return j
    i = taken(s, x)
    return i
"""
INPUTS = 300


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Return a few functions with contracts that call each other, and states to run them on."""
    folder = tmp_path_factory.mktemp("shared")
    module = load(folder, "shared", PRELUDE + SHARED)
    rng = random.Random("shared")
    states = [fill(rng, shapes.State(), rng.choice((0.2, 0.6, 1.0))) for _ in range(INPUTS)]
    for state in states:
        state.seat, state.kind = rng.randrange(5), rng.choice((shapes.Kind.GATE, shapes.Kind.EMPTY))
        state.row[state.seat].half = rng.choice((0, 2, 3, 199, 200, 500))
    runs = [(state, rng.choice((random_scalar(rng, shapes.u8), 0, 2, 3, 6, 12))) for state in states]
    return SimpleNamespace(f=translate(module.f), python=module.f, folder=folder, states=runs)


def in_python(shared, state, x):
    """Return `(result, state)` in Python, or None where somebody breaks a contract."""
    after = copy.deepcopy(state)
    try:
        return shared.python(after, x), after
    except FAILURES:
        return None


def compiled(shared, name, *flags):
    """Return the functions as a library."""
    lines = [cee.PRELUDE, *cee.definitions(shapes.State, [])]
    lines += [line for item in cee.ordered([shared.f]) for line in cee.function(item)]
    text = "\n".join(f"#define {flag}" for flag in flags) + "\n" + "\n".join(lines)
    return cee.compile_library(text, shared.folder, name)


def test_z3_obliges_just_where_python_raises(shared):
    found = [(in_python(shared, state, x), zee.folded(shared.f, state, [x])) for state, x in shared.states]
    assert {python is None for python, _ in found} == {True, False}
    for python, (holds, result, leaves) in found:
        assert holds == (python is not None)
        if holds:
            assert (result, {path: zee.at(python[1], path) for path in leaves}) == (python[0], leaves)


def test_z3_on_variables_obliges_just_where_python_raises(shared):
    symbolic = zee.Symbolic(shared.f)
    for state, x in shared.states[:60]:
        holds, result, _ = symbolic.evaluate(state, [x])
        python = in_python(shared, state, x)
        assert holds == (python is not None) and (not holds or result == python[0])


def test_c_does_what_python_does_where_contracts_are_kept(shared):
    for name, flags in (("plain", ()), ("checked", ("CHECK_REQUIRES",))):
        library = compiled(shared, name, *flags)
        for state, x in shared.states:
            python = in_python(shared, state, x)
            if python is not None:
                result, after, _ = cee.run(library, shared.f, state, [x])
                assert (result, after) == python


def test_c_that_checks_itself_ends_where_a_call_is_not_as_it_must_be(shared):
    compiled(shared, "ending", "CHECK_REQUIRES")
    offset = shapes.State.layout["words"].offset
    for first, ends in ((0, False), (1, True)):
        code = (
            "import ctypes; "
            f"room = ctypes.create_string_buffer({shapes.State.layout.size}); room[{offset}] = {first}; "
            f"ctypes.CDLL({str(shared.folder / 'ending.so')!r}).shared_raised(room, ctypes.c_uint8(1))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True)
        assert (done.returncode in (-signal.SIGILL, -signal.SIGTRAP)) == ends and (done.returncode == 0) != ends


def test_c_says_what_is_required_and_ensured(shared):
    taken = next(item for item in cee.ordered([shared.f]) if item.name == "taken")
    text = "\n".join(definition(taken))
    assert "REQUIRES(x < 3 && s->row[s->seat].half >= x);" in text
    assert "Ensures: result < 200 and s.tick == old_s.tick." in text


def test_python_names_the_function_the_arguments_and_the_clause(shared):
    said = r"taken requires x < 3 and s.row\[s.seat\].half >= x, which does not hold of s=State\(.*\), x=9"
    with pytest.raises(ContractError, match=said):
        shared.python.__globals__["taken"](shapes.State(), 9)


# ---- invalid contracts

# name, part of the message, the decorators of `f`; the offending line ends in "# here"
ERRORS = {
    "a number": ("not a bool", "@requires(lambda x: x)  # here\n"),
    "a name of nothing": ("z is nothing that requires may speak of", "@requires(lambda z: z)  # here\n"),
    "a result before the call": ("result is nothing that requires", "@requires(lambda result: result == 1)  # here\n"),
    "what held before the call, before it": (
        "old_h is nothing that requires",
        "@requires(lambda old_h: old_h.at == 1)  # here\n",
    ),
    "a scalar that held before": ("old_x is nothing that ensures", "@ensures(lambda old_x: old_x == 1)  # here\n"),
    "another parameter that is not named": ("`b` is unknown", "@requires(lambda x: x < b)  # here\n"),
    "an effect": ("has effects", "@requires(lambda h: change(h) == 1)  # here\n"),
    "a default": ("by their names alone", "@requires(lambda x=1: x == 1)  # here\n"),
    "no predicate": ("is not a predicate", "@requires(7)  # here\n"),
    "a predicate of others": ("other is nothing that requires", "@requires(about)  # here\n"),
}
CHANGE = """
def change(h: Heap) -> u8:
    h.at = 1
    return 1


def about(other: u8) -> bool:
    return other == 1


"""


@pytest.mark.parametrize("message, said", ERRORS.values(), ids=ERRORS)
def test_what_is_no_contract_is_refused_at_its_line(message, said, tmp_path):
    source = PRELUDE + CHANGE + said + SIGNATURE + "    return 0\n"
    module = load(tmp_path, "rejected", source)
    with pytest.raises(LanguageError) as caught:
        translate(module.f)
    line = next(number for number, text in enumerate(source.splitlines(), 1) if text.endswith("# here"))
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "rejected.py"), line)
    assert message in caught.value.message


@pytest.mark.parametrize("mark", ["opaque", "intrinsic"])
def test_what_no_proof_looks_into_has_no_contract(mark, tmp_path):
    module = load(tmp_path, mark, f"{PRELUDE}@{mark}\n@requires(lambda x: x < 9)\ndef f(x: u8) -> u8:\n    return x\n")
    with pytest.raises(LanguageError, match=mark):
        translate(module.f)


ROOTS = """
@requires(lambda h: h.at < 9)
def f(h: Heap) -> None:
    h.at += 1


def g(h: Heap) -> None:
    if h.at < 9:
        f(h)
"""


def test_who_is_called_from_outside_requires_nothing(tmp_path):
    module = load(tmp_path, "root", PRELUDE + ROOTS)
    with pytest.raises(LanguageError, match="f is called from outside, where nothing shows that h.at < 9"):
        Program(lambda: [module.f], (), ()).functions
    assert {function.name for function in Program(lambda: [module.g], (), ()).functions} == {"f", "g"}
