"""Who checks the prover? Its rules are made wrong, and a test or an obligation must notice each one.

A wrong rule can make false things provable or true things unprovable. So with each wrong rule the tests of the
language run, breaks of the model must still be found, and obligations that hold must still be proved.

    python -m corollary.proofs.mutants.prover NAME  prints what notices the wrong rule; exit code 1 when something does
"""

import sys
from dataclasses import dataclass
from typing import Any

import z3

from corollary.proofs.mutants import alone
from corollary.proofs.mutants.breaks import NAMED as NAMED_BREAKS
from corollary.proofs.mutants.breaks import Break, Finder

KIND = "prover"
SECONDS = 300
TESTS = ("tests/language/test_bits.py", "tests/language/test_readings.py")
FOUND = 3  # exit code
NONE = "none"  # no wrong rule
FRAME = Break(
    "nonce-without-success",
    "a refused call uses its proof up",
    "corollary.model.kernel.gate",
    "    if status == Status.OK and TIER_OF[call.operation]",
    "    if TIER_OF[call.operation]",
    "partition_hibernate",
    "FRAME",
)
MUST_FAIL = {
    edit.name: edit
    for edit in (
        *(NAMED_BREAKS[name] for name in ("nonce-step", "generation-step", "elevation-clamp", "write-xor-execute")),
        FRAME,
    )
}
MUST_HOLD = (
    "capability_grant/well-formed-capability",
    "capability_delete/CAP-12",
    "yield_now/PART-1",
    "page_unmap/MEM-11",
    "capability_grant/RING-3",
    "tool_release/reaches-OK",
    "tool_release/well-formed-ring",
)


@dataclass(frozen=True)
class Rule:
    """A rule of the prover and how it is made wrong."""

    name: str
    what: str
    place: str
    apply: Any
    operation: str = "prover"

    @property
    def change(self):
        """The change in words: rules are changed as objects, not as text."""
        return f"proofs/{self.place.split('.')[0]}.py `{self.place.split('.', 1)[1]}` -> {self.what}"


def _compare(op, wrong):
    def apply():
        from corollary.proofs import bits

        bits.OPERATORS[op] = wrong

    return apply


def _fits(op, name):
    def apply():
        from corollary.proofs import bits

        right = bits._SYMBOLIC[op]
        bits._SYMBOLIC[op] = lambda *arguments: (right(*arguments)[0], True)

    return apply


def _in(module, path, wrong):
    """Replace the value at a dotted path in a module of the prover with `wrong(value)`."""

    def apply():
        import importlib

        owner = importlib.import_module(f"corollary.proofs.{module}")
        *way, last = path.split(".")
        for part in way:
            owner = getattr(owner, part)
        setattr(owner, last, wrong(getattr(owner, last)))

    return apply


def _read_unguarded(right):
    def read(self, reference, types, guard):
        from corollary.proofs.symbolic import Write

        key = (reference.root, reference.path)
        node, chain = self.heads.get(key), []
        while node is not None:
            chain.append(node)
            node = node.older
        older = None
        for node in reversed(chain):
            older = Write(guard, node.indices, node.value, older)
        plain = self.fork()
        plain.heads[key] = older
        return right(plain, reference, types, guard) if older else right(self, reference, types, guard)

    return read


def _sign_extended(right):
    def resize(value, source, target):
        if isinstance(value, z3.BitVecRef) and source.name != "bool" and target.bits > source.bits:
            return z3.SignExt(target.bits - source.bits, value)
        return right(value, source, target)

    return resize


def _forgetful(right):
    def conjoin(values):
        values = list(values)
        return right(values[:-1] if len(values) > 2 else values)

    return conjoin


def _after(right):
    def instantiate(self, property_, terms):
        run, before = self.run, self.run.before
        try:
            run.before = run.after
            return right(self, property_, terms)
        finally:
            run.before = before

    return instantiate


def _last_return(right):
    def result(self, frame):
        return frame.returned[-1][1] if frame.returned and frame.function.returns is not None else None

    return result


def _unknown_is_proved(right):
    def verdict(self, result, *arguments, **more):
        return right(self, "proved" if result == "refuted" else result, *arguments, **more)

    return verdict


def _credulous():
    """Let Bitwuzla be asked of everything."""
    from corollary.proofs import engine, second

    engine.SOON = 1
    second.asked_for = lambda *_: "unsat"


def _goes_on(right):
    def on_return(self, node, frame):
        frame.returned.append((frame.guard, None if node.value is None else self.value(node.value, frame)))

    return on_return


RULES = (
    Rule("less-is-at-most", "ULE", "bits.OPERATORS[<]", _compare("<", z3.ULE)),
    Rule("at-most-is-less", "ULT", "bits.OPERATORS[<=]", _compare("<=", z3.ULT)),
    Rule("signed-comparison", "signed >", "bits.OPERATORS[>]", _compare(">", lambda a, b: a > b)),
    Rule("sum-always-fits", "no obligation", "bits._add", _fits("+", "_add")),
    Rule("difference-always-fits", "no obligation", "bits._subtract", _fits("-", "_subtract")),
    Rule(
        "choice-swapped",
        "the other branch",
        "bits.choose",
        _in("bits", "choose", lambda right: lambda condition, then, other, type_: right(condition, other, then, type_)),
    ),
    Rule("sign-extension", "sign-extended", "bits.resize", _in("bits", "resize", _sign_extended)),
    Rule("conjunction-forgets", "the last part is left out", "bits.conjoin", _in("bits", "conjoin", _forgetful)),
    Rule(
        "read-ignores-guards",
        "every write is seen",
        "symbolic.Store.read",
        _in("symbolic", "Store.read", _read_unguarded),
    ),
    Rule(
        "nothing-beyond",
        "True",
        "symbolic.Guard.beyond",
        _in("symbolic", "Guard.beyond", lambda right: lambda self, other: True),
    ),
    Rule(
        "indices-alike",
        "two indices are always equal",
        "symbolic._equal",
        _in("symbolic", "_equal", lambda right: lambda written, wanted, type_: True),
    ),
    Rule(
        "conversion-always-fits",
        "no obligation",
        "symbolic._fits",
        _in("symbolic", "_fits", lambda right: lambda *_: True),
    ),
    Rule(
        "return-goes-on",
        "statements after a return run",
        "symbolic.Executor.on_Return",
        _in("symbolic", "Executor.on_Return", _goes_on),
    ),
    Rule(
        "last-return-wins",
        "earlier returns are forgotten",
        "symbolic.Executor.result",
        _in("symbolic", "Executor.result", _last_return),
    ),
    Rule(
        "clear-nothing",
        "does nothing",
        "symbolic.Executor.clear",
        _in("symbolic", "Executor.clear", lambda right: lambda self, place, guard: None),
    ),
    Rule(
        "facts-missing",
        "nothing is known of types",
        "engine.Question.add_facts",
        _in("engine", "Question.add_facts", lambda right: lambda self: None),
    ),
    Rule(
        "invariants-of-after",
        "invariants are assumed of the state after",
        "engine.Question.instantiate",
        _in("engine", "Question.instantiate", _after),
    ),
    Rule(
        "no-instances",
        "no invariant is ever assumed",
        "engine.Question.refine",
        _in("engine", "Question.refine", lambda right: lambda self, candidate: False),
    ),
    Rule(
        "refuted-is-proved",
        "a candidate counts as a proof",
        "engine.Question.verdict",
        _in("engine", "Question.verdict", _unknown_is_proved),
    ),
    Rule("any-answer-refutes", "what Bitwuzla is asked counts as impossible", "second.asked_for", _credulous),
    Rule(
        "frame-forgets-the-state",
        "compares nothing",
        "frame.scalars_of",
        _in("frame", "scalars_of", lambda right: lambda reference, prefix=(): iter(())),
    ),
)
NAMED = {rule.name: rule for rule in RULES}


def apply(name):
    """Make a rule wrong; NONE leaves the prover as it is."""
    if name != NONE:
        NAMED[name].apply()


def noticed(name):
    """Return what notices a wrong rule, or nothing. Call this once, in a process of its own."""
    apply(name)
    return by_obligation() or by_test()


def by_obligation():
    """Return an obligation that should hold and is not proved, or nothing."""
    from corollary.model.kernel.component import KERNEL
    from corollary.proofs.mutants.tests import first_unproved
    from corollary.proofs.prove import Step
    from corollary.proofs.transition import transitions

    steps = {t.name: t for t in transitions(KERNEL)}

    def decide(id_):
        questions = {name: question for name, _, question in Step(steps[id_.split("/")[0]]).questions()}
        return questions[id_]().result if id_ in questions else "missing"

    return first_unproved(MUST_HOLD, decide)


def by_test():
    """Return the first test of the language that fails, or nothing."""
    from corollary.proofs.mutants.tests import first_failing

    return first_failing(*TESTS)


def must_fail(name, edit: Any):
    """Is a broken model still found with the wrong rule? `edit` names a break. Call this in a process of its own."""
    edit = MUST_FAIL[edit]
    sys.meta_path.insert(0, Finder(edit))
    apply(name)
    from corollary.model.kernel.component import KERNEL
    from corollary.proofs.prove import Step
    from corollary.proofs.transition import transitions

    step = Step(next(t for t in transitions(KERNEL) if t.name == edit.operation))
    return {id_: decide for id_, _, decide in step.questions()}[edit.obligation]().result == "refuted"


def taken(*arguments):
    """Run this module in a process of its own."""
    return alone.taken(__name__, *arguments, seconds=SECONDS)


def found(name):
    """Return what notices a wrong rule: a break that is no longer found, an obligation, or a test.

    A process that never ends notices nothing.
    """
    for edit in MUST_FAIL:
        if taken(name, edit).returncode not in (FOUND, alone.KILLED):
            return f"must-fail: {MUST_FAIL[edit].obligation} of the break {edit}"
    lines = [line for line in taken(name).stdout.splitlines() if line.startswith("noticed ")]
    return lines[-1].removeprefix("noticed ") if lines else ""


def main(name, edit=None):
    """Print what notices the wrong rule, or say whether a break is still found."""
    if edit is not None:
        return FOUND if must_fail(name, edit) else 0
    said = noticed(name)
    print(f"noticed {said}" if said else "nobody notices")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
