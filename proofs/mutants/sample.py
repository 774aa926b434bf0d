"""Which mutants of the model are tried? Some of every operation, every function of the gate and every action.

The hash of seed and id chooses them. So a change of one function leaves the mutants of all others as they were, and
the reasons for their survivors stay valid.
"""

from dataclasses import replace
from functools import cache

from corollary.language import ir
from corollary.language.frontend import translate
from corollary.model.kernel.component import KERNEL
from corollary.proofs.fingerprint import digest
from corollary.proofs.mutants.ir import at
from corollary.proofs.mutants.kernel import candidates, named
from corollary.proofs.prove import Step
from corollary.proofs.transition import transitions

OWN, GATE, ACTION = 4, 3, 12  # mutants of each operation, of each function of the gate, of each action of the kernel
MAIN = 0.6  # the share of an operation's mutants that are in its own function, not in one that it calls
ACTIONS = ("preempt", "contain", "boot")
EVERY_PATH = (
    "witness_read",
    "witness_discard",
    "proof_root_bind",
    "proof_root_commit",
    "partition_split",
    "tool_acquire",
    "contain",
)  # together they take every path of the gate and the log


HARDWARE = ("guest_store", "device_write")  # steps that hardware takes, not the kernel


@cache
def entered():
    """Return the functions that each step's symbolic execution enters; it knows which branches are dead."""
    steps = (t for t in transitions(KERNEL) if t.name not in HARDWARE)
    return {t.name: frozenset(Step(t).run.executor.called) & set(named()) for t in steps}


@cache
def called_by(symbol):
    """Return the symbols of the functions that a function calls, itself included."""
    found, pending = set(), [named()[symbol]]
    while pending:
        function = pending.pop()
        found.add(function.symbol)
        pending += [translate(callee) for callee in function.callees]
    return frozenset(found)


@cache
def main_functions():
    """Return the symbol of each operation's and each action's own function, by the name of the step."""
    return {
        t.name: translate(t.operation.function if t.operation else t.function).symbol
        for t in transitions(KERNEL)
        if t.name in entered() and t.name != "unknown_operation"
    }


@cache
def sample(seed=0, share=1.0):
    """Choose mutants of every operation, of the gate and of each action of the kernel.

    The hash of seed and id chooses them: a change of one function leaves the mutants of all others as they were.
    """
    chosen, mains, steps = {}, main_functions(), entered()
    operations = [name for name in mains if name not in ACTIONS]
    for name, main in mains.items():
        count = max(1, round((ACTION if name in ACTIONS else OWN) * share))
        others = (called_by(main) if name in operations else steps[name]) & steps[name] - {main}
        pick(chosen, seed, [main], name, round(count * MAIN))
        pick(chosen, seed, others or [main], name, count - round(count * MAIN))
    inside = frozenset().union(*(called_by(mains[name]) for name in operations))
    gate = frozenset().union(*(steps[name] for name in operations)) - inside | {"gate_perform"}
    for symbol in in_order(seed, gate)[: max(1, round(len(gate) * share))]:
        name = in_order(f"{seed}/{symbol}", (name for name in operations if symbol in steps[name]))[0]
        pick(chosen, seed, [symbol], name, GATE)
    return tuple(chosen.values())


def other_steps(mutant):
    """Return the steps of `EVERY_PATH`, other than the mutant's own, that enter its function."""
    return [name for name in EVERY_PATH if mutant.function.symbol in entered()[name] and name != mutant.operation]


def in_order(seed, texts):
    """Sort texts in an order that depends only on the seed and on each text."""
    return sorted(texts, key=lambda text: digest(str(seed), text))


def pick(chosen, seed, symbols, operation, count):
    """Add mutants of some functions for one step: first one of each kind of change, then more."""
    pools = {}
    for symbol in symbols:
        for mutant in candidates(symbol):
            pools.setdefault(mutant.what, {})[mutant.id] = mutant
    queues = {what: in_order(seed, pools[what]) for what in in_order(f"{seed}/{operation}", pools)}
    while count and any(queues.values()):
        for what, queue in queues.items():
            while queue:
                mutant = replace(pools[what][queue.pop(0)], operation=operation)
                if mutant.id not in chosen and of_step(mutant) and mutant.visible():
                    chosen[mutant.id] = mutant
                    count -= 1
                    break
            if not count:
                return


def of_step(mutant):
    """Is the change in the branch of the mutant's operation?

    This matters for functions with one branch for each operation. It is true for all other functions.
    """
    if not ir.is_derived(mutant.function):
        return True
    statement = at(mutant.function.body, mutant.path[:1])
    own = [node for node in ir.walk(getattr(statement, "condition", ())) if isinstance(node, ir.Literal)]
    numbers = {t.name: t.operation.number for t in transitions(KERNEL) if t.operation}
    return any(node.value == numbers[mutant.operation] for node in own)
