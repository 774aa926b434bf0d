"""How are the functions of each pair, right and wrong, made as IR and as Python that checks loops and contracts?"""

from types import SimpleNamespace

from corollary.language.frontend import translate
from tests.language import rounds
from tests.language.test_readings import load


def made(folder, pairs, program):
    """Return what `program(pair)` writes for each pair, a function and its twin, by pair and side."""
    found = {}
    for number, pair in enumerate(pairs):
        for side, source in zip(("right", "wrong"), program(pair)):
            module = load(folder, f"{side}{number}", source)
            checked = load(folder, f"checked_{side}{number}", rounds.checked(source))
            found[pair, side] = SimpleNamespace(function=translate(module.f), python=checked.f)
    return found
