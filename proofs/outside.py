"""Does the code outside the kernel's steps always have a value, and always end? One obligation for each function.

This code is the WebAssembly VM, the code for stored states, the link between machines, the store of vectors, and what
the kernel runs before its boot. Each function is proved by itself, for any arguments. Its callees may return and leave
anything that they ensure, except small ones, which are executed in place.
"""

import time

import z3

from corollary.codegen.kernel import OUTSIDE
from corollary.codegen.link import LINK
from corollary.codegen.program import closure
from corollary.codegen.store import STORE
from corollary.codegen.vectors import VECTORS
from corollary.codegen.vm import VM
from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.reads import guessing, note, remembered
from corollary.language.types import is_scalar
from corollary.proofs import bits, second
from corollary.proofs.context import Context
from corollary.proofs.engine import EFFORT
from corollary.proofs.loops import Unbounded
from corollary.proofs.prove import ObligationResult
from corollary.proofs.symbolic import TOP, Reference, Store, belongs
from corollary.spec.wasm import integers
from corollary.spec.wasm.traps import Trap

PROGRAMS = (VM, STORE, LINK, VECTORS)
PART = "defined: "  # how the name of a step begins: the functions of one file
INTEGERS = PART + "integers"
LEVEL, PROPERTY = 7, "defined"
SMALL = 9  # most statements of a function that is executed in place
SENTENCE = (
    "no sum overflows, no index or byte is out of range, every loop ends, callees get what they require and callers "
    "what is ensured, whatever the arguments, if they are as required"
)
VACUOUS = "no arguments are as required"
UNDECIDED = "is taken at its word, and no row decides it"


@remembered
def functions():
    """Return every function by its symbol, including the meanings of the VM's instructions."""
    meanings = map(translate, integers.MEANING.values())
    programs = (function for program in PROGRAMS for function in program.functions)
    found = (*closure(OUTSIDE), *programs, *meanings)
    return {function.symbol: function for function in found if not function.intrinsic}


def steps():
    """Return one step for each file."""
    return [PART + module for module in dict.fromkeys(function.module for function in functions().values())]


def questions(step):
    """The obligations of a step: `(id, level, decide)`."""
    note("names", symbols)
    with guessing():  # only which functions there are; what each says is read where it is decided
        mine = [function for function in functions().values() if PART + function.module == step]
    for function in mine:
        yield f"{function.symbol}/{PROPERTY}", LEVEL, lambda function=function: decide(function)


def with_rows():
    """Return the symbols of all functions that have a row; which those are is read, and not what they say."""
    note("names", symbols)
    with guessing():
        return set(functions())


def symbols():
    """Return the modules and names of all functions, as the list of obligations has them."""
    return sorted((function.module, symbol) for symbol, function in functions().items())


def is_small(function):
    """Is a function executed in place where it is called?

    One with postconditions is not: its callers rely on these.
    """
    nodes = list(ir.walk(function.body))
    return (
        not function.ensures
        and not any(isinstance(node, (ir.While, ir.For)) for node in nodes)
        and sum(isinstance(node, (ir.Assign, ir.If, ir.Do, ir.Return)) for node in nodes) <= SMALL
    )


def executed(function):
    """Execute a function on any arguments; return the executor with its obligations."""
    roots = {item.name: item.type for item in function.parameters if not is_scalar(item.type)}
    store, guard, arguments = Store(set(roots)), TOP, []
    store.shared["roots"] = dict(roots)
    executor = Unbounded(store, is_small)
    for item in function.parameters:
        value = (
            z3.Const(item.name, bits.sort(item.type))
            if is_scalar(item.type)
            else Reference(item.name, (), (), item.type)
        )
        arguments.append(value)
        guard = guard.extend(belongs(value, item.type)) if is_scalar(item.type) else guard
    trap = integers.MEANING.get(f"{function.name}_trap")
    if trap is not None:  # an instruction that traps has no value
        guard = guard.extend(bits.compare("==", Unbounded(store).run(translate(trap), arguments), int(Trap.NONE), Trap))
    whole = executor.evaluate if function.opaque else executor.run  # what others do not look into is looked into here
    whole(function, arguments, guard)
    return executor


def decide(function):
    """Decide whether every obligation of a function holds."""
    start, executor = time.process_time(), executed(function)
    result, reason = judged(function, executor)
    seconds, rounds = time.process_time() - start, len(executor.obligations)
    return ObligationResult(
        f"{function.symbol}/{PROPERTY}",
        LEVEL,
        PROPERTY,
        function.symbol,
        result,
        seconds,
        SENTENCE,
        rounds=rounds,
        reason=reason,
    )


def judged(function, executor):
    """Return `(result, reason)` for a function that was executed.

    Each callee that it relies on must have a row, its preconditions must be satisfiable, and no obligation may fail.
    """
    alone = sorted(executor.summaries - with_rows())
    if alone:
        return "refuted", f"{alone[0]} {UNDECIDED}"
    some = asked(executor.facts, executor.entry.term).check() if function.requires else z3.sat
    if some != z3.sat:
        return (
            "refuted" if some == z3.unsat else "unknown"
        ), f"{VACUOUS}: {function.file}:{function.requires[-1].line}"
    for obligation in executor.obligations:
        answer = impossible(executor.facts, obligation)
        if answer != z3.unsat:
            return ("refuted" if answer == z3.sat else "unknown"), f"{obligation.what}: {obligation.where}"
    return "proved", ""


def asked(*conditions):
    """Return a solver for the question whether some conditions, and lists of conditions, may all hold."""
    solver = Context().general()
    solver.set("rlimit", EFFORT)
    for each in conditions:
        solver.add(*map(bits.truth, each if isinstance(each, list) else [each]))
    return solver


def impossible(facts, obligation):
    """Return the solver's answer to whether an obligation can fail."""
    solver = asked(facts, obligation.guard.term, bits.negate(obligation.condition))
    answer = solver.check()
    if answer == z3.unsat:
        second.confirm(solver)
    return answer
