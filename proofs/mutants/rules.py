"""Who checks the prover of machine code? Its rules are made wrong, and something must notice each one.

The processor, an obligation or a test notices. With each wrong rule the outcomes that QEMU gave once for every form
of instruction are computed again. Obligations that hold must still be proved, and miscompilations, broken contracts
and leaks must still be refuted.

    python -m corollary.proofs.mutants.rules NAME  prints what notices the wrong rule; exit code 1 when something does
"""

import hashlib
import pickle
import random
import sys
from itertools import islice
from pathlib import Path

from corollary.codegen.build import BUILD
from corollary.proofs.mutants import alone
from corollary.proofs.mutants.wrong_rules import NAMED, OF_HANDLERS

KIND = "rule"
SECONDS = 300
NONE = "none"  # no wrong rule
STATES = 10  # of each form
# modules whose rules make the outcome of one instruction; no others show in the sample
ALONE = ("beyond", "floats", "hashing", "lanes", "lift", "processor", "words")
TESTS_OF_HANDLERS = ("tests/proofs/test_handlers.py", "tests/proofs/test_called.py")
NAMES = ("registers", "convention", "believed", "machine_code", "contracts")
TESTS = (*(f"tests/proofs/test_{name}.py" for name in NAMES), *TESTS_OF_HANDLERS)
# leaves out tests of what the sample has shown, and of the machine that gave it
ELSEWHERE = "not qemu and not mean_what and not known_words"
MUST_HOLD = (
    "capability_grant/machine-code",
    "trap/machine-code",
    "start/machine-code",
    "check_invariants/machine-code",
    "proof_same_digest/constant-time",
)


def sample():
    """Return `(kind of code, instruction, state, outcome in QEMU)` for some states of every form, recorded once."""
    from corollary.emulation import probe
    from corollary.proofs.machine import instructions
    from corollary.proofs.oracle import cases, effect

    digest = hashlib.sha256()
    sources = (Path(str(module.__file__)) for module in (instructions, cases, effect, probe))
    for path in (*sources, *sorted(probe.HERE.iterdir())):
        digest.update(path.read_bytes())
    file = BUILD / "probe" / f"sample-{digest.hexdigest()[:16]}.pickle"
    if not file.exists():
        source = random.Random(0)
        chosen = [
            (kind, code, state)
            for kind in cases.KINDS
            for form in cases.forms(kind).values()
            for code, _, state in islice(cases.cases(form, source, kind), STATES)
        ]
        with probe.Probe() as opened:
            outcomes = opened.run([(code, state) for _, code, state in chosen])
        new = file.with_suffix(f".{random.randrange(1 << 32):x}")
        new.write_bytes(pickle.dumps([(*case, outcome) for case, outcome in zip(chosen, outcomes)]))
        new.rename(file)
    return pickle.loads(file.read_bytes())


def by_sample(recorded):
    """Return the first instruction whose outcome by the rules differs from its outcome in QEMU."""
    from corollary.emulation import probe
    from corollary.proofs.machine.lift import SIZE, instruction
    from corollary.proofs.oracle import cases, effect

    functions = effect.Functions()
    for kind, code, state, outcome in recorded:
        try:
            same = not effect.differences(cases.remembered(kind, code).outcome(state), outcome, functions)
        except Exception:  # a wrong rule may break the prover itself
            same = False
        if not same:
            return f"oracle: {instruction(code.to_bytes(SIZE, 'little'), probe.MIDDLE).text}"
    return ""


def by_obligation():
    """Return an obligation that should hold and is not proved, or nothing."""
    from corollary.proofs.machine.obligations import questions, steps
    from corollary.proofs.mutants.tests import first_unproved

    decided = {id_: decide for step in steps() for id_, _, decide in questions(step) if id_ in MUST_HOLD}
    return first_unproved(MUST_HOLD, lambda id_: decided[id_]().result)


def by_test(files=TESTS):
    """Return the first test that fails: a miscompilation, broken contract or leak is not refuted, or anything else."""
    from corollary.proofs.mutants.tests import first_failing

    return first_failing("-k", ELSEWHERE, *files)


def noticed(name):
    """Return what notices a wrong rule, or nothing. Call this once, in a process of its own."""
    module = NAMED[name].rule.split(".")[0] if name != NONE else NONE
    recorded = sample() if module in (NONE, *ALONE) else ()
    if name != NONE:
        from corollary.proofs.machine import lift
        from corollary.proofs.oracle import cases

        cases.remembered.cache_clear()
        lift.instruction.cache_clear()
        NAMED[name].apply()
    return by_sample(recorded) or (
        by_test(TESTS_OF_HANDLERS) if module in OF_HANDLERS else by_obligation() or by_test()
    )


def found(name):
    """Return what notices a wrong rule, in a process of its own. A process that never ends notices nothing."""
    done = alone.taken(__name__, name, seconds=SECONDS)
    lines = [line for line in done.stdout.splitlines() if line.startswith("noticed ")]
    return lines[-1].removeprefix("noticed ") if lines else ""


def main(name):
    """Print what notices the wrong rule."""
    said = noticed(name)
    print(f"noticed {said}" if said else "nobody notices")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
