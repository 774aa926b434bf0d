"""Which obligations does a function of the model bring that became machine code? One at each level of the compiler.

They are of one function each, whatever it is linked to. What is asked of an image as a whole is in
`corollary.proofs.machine.obligations`.
"""

from corollary.proofs.machine.contract import ENDLESS
from corollary.proofs.machine.execute import FunctionCode
from corollary.proofs.machine.refine import Comparison
from corollary.proofs.prove import ObligationResult

CODE = "code of "  # start of a step's name; a step holds the functions of one file
SHIPPED = "-O2"
BUILDS = {"machine-code": SHIPPED, "machine-code-O1": "-O1"}  # what ships, and the same compiled at another level
LEVEL = 4


def steps(functions):
    """Return one step for each file that has some of these functions."""
    return [CODE + module for module in dict.fromkeys(function.module for function in functions)]


def decide(image, property_, function, code=FunctionCode):
    """Compare the machine code of one function in an image with the model; `code` is how the machine code is run."""
    id_ = f"{function.symbol}/{property_}"
    sentence = (
        f"the machine code of {function.symbol}, compiled at {BUILDS[property_]}, "
        "returns what the model returns and leaves the same state"
    )
    if function.symbol not in image.functions:
        return ObligationResult(
            id_, LEVEL, property_, function.symbol, "refuted", 0.0, sentence, reason="not in the image"
        )
    verdict = Comparison(image, function, code).run()
    return ObligationResult(
        id_,
        LEVEL,
        property_,
        function.symbol,
        verdict.result,
        verdict.seconds,
        sentence,
        reason=verdict.reason,
        figures=figures(verdict),
    )


def figures(verdict):
    """Return what was seen of a function: its paths, and what bounds need to know of each."""
    routes = {}
    for thread in verdict.threads:
        callees = tuple(sorted(event.callee for event in thread.events if event.is_call))
        route = thread.count if thread.bounded else None, thread.deepest, callees, thread.ended not in ENDLESS
        routes.setdefault(route, set()).update([None] if thread.operations is None else thread.operations)
    return {
        "paths": verdict.paths,
        "pairs": verdict.pairs,
        "instructions": verdict.worst,
        "stack": verdict.stack,
        "state": verdict.state and verdict.state.as_json(),
        "routes": sorted(
            (
                [count, deepest, list(callees), returns, sorted(operations) if None not in operations else None]
                for (count, deepest, callees, returns), operations in routes.items()
            ),
            key=str,
        ),
    }
