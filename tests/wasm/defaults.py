"""Which functions of the VM answer in silence when an index is out of range?

`python -m tests.wasm.defaults` counts them.

An answer in silence is a branch on the length of a slice that handles a missing place by doing nothing, or by returning
a plain value. There is no refusal, no fault, no trap, no `FAILED`, no note of it that callers read. A loop that ends at
the end of a slice, although it should go on for longer, is one, too.
"""

from corollary.codegen.vm import VM
from corollary.language import ir
from corollary.language.types import is_enum

REFUSING = ("refuse", "mismatch")
NOTED = ("missing",)  # fields that say that something was not there
UNSAID = ("NONE", "UNKNOWN")  # enumerators that say nothing
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
LEFT = {
    "content_restore_memory": "an instance may have no memory, in which nothing is wrong then",
    "entry_result_slot": "where a call comes back to no operation, its results belong where its arguments were",
    "instantiation_constant": "the validator refuses a constant expression that reads a global which is not there",
    "instantiation_fill_globals": "a machine without a module has none, and each of its globals is linked before",
    "instantiation_fill_items": "the host counts in pieces, of which the last ends with the items",
    "snapshot_check_memory": "an instance may have no memory, in which nothing is wrong then",
    "snapshot_is_host_call": (
        "who is called is no function of the instance: it is no call of the host, which is a fault"
    ),
    "snapshot_slots_at": "a word that belongs to no function has no frame, as without a module: that is a fault",
}
"""The functions that should answer in silence, and why."""


def silent(function):
    """Return the lines where a function answers in silence."""
    nodes = list(ir.walk(function.body))
    branches = [node for node in nodes if isinstance(node, ir.If) and any(map(says_nothing, sides(node)))]
    loops = [node for node in nodes if isinstance(node, ir.While) and ends_early(node)]
    return [node.line for node in (*branches, *loops)]


def sides(branch):
    """Return the statements of a branch that run when a place is missing, for each comparison with a length."""
    for part in comparisons(branch.condition):
        if has_length(part.left) or has_length(part.right):
            op = part.op if has_length(part.right) else TURNED.get(part.op, part.op)
            missing = op in (">", ">=", "==") or op == "!=" and not is_zero(part)
            yield branch.then if missing else branch.other


def is_zero(part):
    """Is something compared with 0? Then what is not equal is there."""
    return any(isinstance(side, ir.Literal) and side.value == 0 for side in (part.left, part.right))


def ends_early(loop):
    """Does a loop run up to a number, or only to the length of a slice?"""
    bounds = [part for part in comparisons(loop.condition) if part.op in ("<", "<=")]
    return len(bounds) > 1 and any(has_length(part.right) for part in bounds)


def says_nothing(statements):
    """Is there neither a refusal nor a result that reports an error?"""
    nodes = list(ir.walk(statements))
    results = [node.value for node in nodes if isinstance(node, ir.Return) and isinstance(node.value, ir.Literal)]
    refuses = any(isinstance(node, ir.Call) and node.function.name in REFUSING for node in nodes)
    notes = any(isinstance(node, ir.Assign) and getattr(node.target, "name", "") in NOTED for node in nodes)
    return not refuses and not notes and not any(map(says_what, results))


def says_what(result):
    """Is a constant result one that reports an error?"""
    return result.symbol == "FAILED" or (is_enum(result.type) and result.symbol not in UNSAID)


def comparisons(node):
    """Return all comparisons in a condition."""
    return [part for part in ir.walk(node) if isinstance(part, ir.Compare)]


def has_length(node):
    """Is the length of a slice a part of an expression?"""
    return any(isinstance(part, ir.Length) for part in ir.walk(node))


def found():
    """Return `symbol -> lines` of every function that answers in silence."""
    return {function.symbol: silent(function) for function in VM.functions if silent(function)}


if __name__ == "__main__":
    for symbol, lines in found().items():
        print(f"{symbol} {lines}: {LEFT.get(symbol, 'nothing says why')}")
    print(
        f"{len(found())} of {len(VM.functions)} functions answer in silence, "
        f"{sum(bool(function.requires) for function in VM.functions)} require something, "
        f"{sum(bool(function.ensures) for function in VM.functions)} ensure something"
    )
