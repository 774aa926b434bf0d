"""Which obligations does the image bring? For each function that comes from the model, and for all other code that has a contract,
at each level of the compiler."""

from functools import partial

from codegen import image as images
from proofs.machine import constant_time, system
from proofs.machine.bounds import Bounds
from proofs.machine.contract import Kept
from proofs.machine.contracts import CONTRACTS, REGION
from proofs.machine.image import Image
from proofs.machine.refine import Comparison
from proofs.machine.summary import named
from proofs.prove import Row
from spec.language.reads import note, remembered

ENDLESS = ("again", "final")     # paths that never come back to whoever called
CODE = "code of "           # the name of a step: the functions of one file
BUILDS = {"machine-code": "-O2", "machine-code-O1": "-O1"}     # the image that ships, and one that is compiled otherwise
PLATFORM = CODE + "platform"
LEVEL, PLATFORM_LEVEL = 4, 5


@remembered
def built(property_="machine-code"):
    """The image of a build, made if it is not there; the one that ships, unless another is asked for."""
    note("image", f"{__name__}:built#{property_}")
    return Image(images.kernel_image(level=BUILDS.get(property_, "-O2")))


def steps():
    """One step for each file of the kernel, and one for the platform."""
    return [*(CODE + module for module in dict.fromkeys(function.module for function in named().values())), PLATFORM]


def questions(step):
    """The obligations of a step: `(id, level, decide)`."""
    if step == PLATFORM:
        yield from platform_questions()
    for function in named().values():
        if CODE + function.module == step:
            for property_ in BUILDS:
                yield f"{function.symbol}/{property_}", LEVEL, partial(decide, property_, function)
            if function.symbol in constant_time.closure():
                yield f"{function.symbol}/{constant_time.PROPERTY}", constant_time.LEVEL, partial(constant_time.decide, built(), function)


def platform_questions():
    """The obligations of the code around the model."""
    for property_ in BUILDS:
        yield f"image/{property_}-system", PLATFORM_LEVEL, partial(decide_system, property_)
        for kept in CONTRACTS.values():
            yield f"{kept.name}/{property_}", PLATFORM_LEVEL, partial(decide_contract, property_, kept)


def decide_contract(property_, kept):
    """Compare one piece of the platform's code in a build with its contract."""
    verdict = Kept(built(property_), kept).run()
    return Row(f"{kept.name}/{property_}", PLATFORM_LEVEL, property_, kept.name, verdict.result, verdict.seconds, kept.sentence, reason=verdict.reason,
               figures=figures(verdict))


def decide_system(property_):
    """Look for instructions that reach the system outside the code that has a contract."""
    strays = system.strays(built(property_))
    return Row(f"image/{property_}-system", PLATFORM_LEVEL, property_, "image", "refuted" if strays else "proved", 0.0,
               "no code without a contract writes a system register, maintains a TLB or cache, calls firmware or returns from an exception",
               reason=", ".join(strays))


def fits(rows, property_):
    """Whether the deepest stack that the rows of a build tell of fits the kernel's."""
    mine = [row for row in rows if row["id"].endswith(f"/{property_}")]
    deepest, size = Bounds(mine, built(property_)).deepest(), REGION["stack"].size
    result = "unknown" if deepest is None else "proved" if deepest <= size else "refuted"
    return Row(f"image/{property_}-stack", PLATFORM_LEVEL, property_, "image", result, 0.0,
               f"whatever enters the kernel, with all that it calls, fits the stack of {size} bytes",
               reason="" if result == "proved" else f"it may use {deepest} bytes", figures={"deepest": deepest})


def decide(property_, function):
    """Compare the machine code of one function in a build with the model."""
    image, id_ = built(property_), f"{function.symbol}/{property_}"
    sentence = f"the machine code of {function.symbol}, compiled at {BUILDS[property_]}, returns what the model returns and leaves the same state"
    if function.symbol not in image.functions:
        return Row(id_, LEVEL, property_, function.symbol, "refuted", 0.0, sentence, reason="not in the image")
    verdict = Comparison(image, function).run()
    return Row(id_, LEVEL, property_, function.symbol, verdict.result, verdict.seconds, sentence, reason=verdict.reason,
               figures=figures(verdict))


def figures(verdict):
    """What was seen of a function: its paths, and what bounds need to know of each."""
    routes = {(thread.count if thread.bounded else None, thread.deepest, tuple(sorted(event.callee for event in thread.events if event.is_call)), thread.ended not in ENDLESS)
              for thread in verdict.threads}
    return {"paths": verdict.paths, "pairs": verdict.pairs, "instructions": verdict.worst, "stack": verdict.stack,
            "state": verdict.state and verdict.state.as_json(),
            "routes": sorted(([count, deepest, list(callees), returns] for count, deepest, callees, returns in routes), key=str)}
