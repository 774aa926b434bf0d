"""Which obligations does the image bring? One for each function that comes from the model."""

from functools import lru_cache
from pathlib import Path

from codegen import image as images
from proofs import fingerprint
from proofs.machine.image import Image
from proofs.machine.refine import Comparison
from proofs.machine.summary import named
from proofs.prove import Row

CODE = "code of "           # the name of a step: the functions of one file
PROPERTY = "machine-code"
LEVEL = 4
HERE = Path(__file__).parent


@lru_cache(maxsize=None)
def shipped():
    """The image that ships, built if it is not there."""
    return Image(images.kernel_image())


def steps():
    """One step for each file of the kernel."""
    return [CODE + module for module in dict.fromkeys(function.module for function in named().values())]


def questions(step):
    """The obligations of a step: `(id, level, decide)`."""
    for function in named().values():
        if CODE + function.module == step:
            yield f"{function.symbol}/{PROPERTY}", LEVEL, lambda function=function: decide(shipped(), function)


def decide(image, function):
    """Compare the machine code of one function with the model."""
    sentence = f"the machine code of {function.symbol} returns what the model returns, and leaves the same state"
    if function.symbol not in image.functions:
        return Row(f"{function.symbol}/{PROPERTY}", LEVEL, PROPERTY, function.symbol, "refuted", 0.0, sentence, reason="not in the image")
    verdict = Comparison(image, function).run()
    return Row(f"{function.symbol}/{PROPERTY}", LEVEL, PROPERTY, function.symbol, verdict.result, verdict.seconds, sentence,
               reason=verdict.reason, figures=figures(verdict))


def figures(verdict):
    """What was seen of a function: its paths, and what bounds need to know of each."""
    routes = {(thread.count, thread.deepest, tuple(sorted(event.callee for event in thread.events))) for thread in verdict.threads}
    return {"paths": verdict.paths, "pairs": verdict.pairs, "instructions": verdict.worst, "stack": verdict.stack,
            "routes": sorted([count, deepest, list(callees)] for count, deepest, callees in routes)}


@lru_cache(maxsize=None)
def rules():
    """The fingerprint of the prover of machine code."""
    return fingerprint.digest(fingerprint.prover(), *(path.read_text() for path in sorted(HERE.glob("*.py"))))


def key(id_):
    """What the proof of one function depends on: the prover, the bytes of the image, the model."""
    symbol = id_.split("/")[0]
    return fingerprint.digest(rules(), shipped().sha256, id_, fingerprint.of_function(named()[symbol]) if symbol in named() else "")
