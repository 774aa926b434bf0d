"""Is machine code of components asked about function by function, and is every wrong one refuted?"""

import shutil
from types import SimpleNamespace

import pytest
import z3

from corollary.codegen import image as images
from corollary.codegen.build import CompilerMissing
from corollary.codegen.folders import GENERATED
from corollary.codegen.libraries import LIBRARIES
from corollary.language.component import declared
from corollary.model import components as every
from corollary.proofs import steps
from corollary.proofs.machine import components
from corollary.proofs.machine.compiled import BUILDS, CODE, decide
from corollary.proofs.machine.component import ComponentCode
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.lift import SIZE, NotAllowed, instruction
from corollary.proofs.machine.summary import named
from corollary.report.ledger import rows

NOP = (0xD503201F).to_bytes(SIZE, "little")
NAMES = [each.name for each in every.BESIDE]
MISCOMPILED = [
    ("placement", "graph_set_weight", "str w0, [x11", NOP, "weight"),
    ("placement", "graph_set_weight", "tbz w0", NOP, ""),
    ("placement", "graph_set_weight", "mov w0, #0x2", lambda code: code + (1 << 5), "the result"),
    ("placement", "graph_set_weight", "bl", lambda code: code + 1, ""),
    ("placement", "cut_load_row", "rbit", NOP, ""),
    ("manager", "target_promise", "mov w2, #0xc0", lambda code: code - (8 << 5), ""),
    ("manager", "target_promise", "mov w1, wzr", lambda code: 0x52800021, ""),
    ("manager", "step_lies", "cset w0", lambda code: code ^ (1 << 12), "the result"),
    ("handover", "steps_begin", "ret", NOP, ""),
    ("link", "numbers_look", "cmp x8, #0x3f", lambda code: code + (1 << 10), ""),
    ("vectors", "index_link", "mov w9, #0x18", lambda code: code + (1 << 5), ""),
]
"""Changes of one instruction: of which function, how its text begins, its new code, and a part of the reason."""
WRONG = [
    ("manager", "life", "life_register", "g->badge = badge;\n    g->parent", "g->badge = parent;\n    g->parent"),
    ("manager", "step", "step_rank", "return step;", "return step + 1;"),
    ("handover", "words", "words_is_like", "==", "!="),
    ("placement", "cut", "cut_let_follow", "s->leader[n] == v", "s->leader[n] != v"),
    ("placement", "graph", "graph_counted", "? amount : 0", "? 0 : amount"),
    ("link", "numbers", "numbers_take_number", "s->next++", "s->after++"),
    ("vectors", "index", "index_begin", "row[0].key = MOST", "row[1].key = MOST"),
]
"""Changes of C: the file, the function in it, what is replaced, and by what."""


def verdict(image, symbol, property_="machine-code"):
    """Compare a function in an image of a component with the model."""
    return decide(image, property_, named(image.program)[symbol], ComponentCode)


def patched(name, symbol, start, change):
    """Return a component with one instruction of a function changed: the first whose text starts like this."""
    image = components.built(name)
    code = image.functions[symbol]
    for address in range(code.address, code.end, SIZE):
        old = image.read(address, SIZE)
        if instruction(old, address).text.startswith(start):
            number = int.from_bytes(old, "little")
            new = change if isinstance(change, bytes) else change(number).to_bytes(SIZE, "little")
            return Image(image.path, [(address, new)], image.program)
    raise LookupError(f"{symbol} has no {start}")


def refuted_or_proved(name):
    """Return the symbols of a component with obligations, and of those that the ledger names instead."""
    asked = [id_ for step in components.steps(name) for id_, _, _ in components.questions(name, step)]
    told = {row.name.removeprefix(f"{name}: ") for row in rows() if row.name.startswith(f"{name}: ")}
    assert len(asked) == len(set(asked))
    return {id_.split("/")[0] for id_ in asked}, told


@pytest.mark.parametrize("name", NAMES)
def test_every_function_has_obligations_or_is_named_in_the_ledger(name):
    proved, told = refuted_or_proved(name)
    assert proved.isdisjoint(told) and proved | told == set(named(components.program(name)))
    assert proved <= set(components.built(name).functions)


def test_components_without_memory_of_any_size_are_proved_as_a_whole():
    assert not any(components.unproved(name) for name in ("placement", "manager", "handover"))


def test_every_function_of_a_library_that_is_no_component_is_in_the_ledger():
    told = {row.name for row in rows()}
    assert {f"store: {function.symbol}" for function in LIBRARIES["store"].program.functions} <= told


@pytest.mark.parametrize(("name", "symbol", "start", "change", "why"), MISCOMPILED)
def test_a_miscompiled_function_is_refuted(name, symbol, start, change, why):
    assert verdict(components.built(name), symbol).result == "proved"
    found = verdict(patched(name, symbol, start, change), symbol)
    assert found.result == "refuted" and why in found.reason, found.reason


@pytest.mark.parametrize(("name", "file", "symbol", "old", "new"), WRONG)
def test_wrong_c_is_refuted_at_every_level(name, file, symbol, old, new, tmp_path):
    folder = shutil.copytree(GENERATED / name, tmp_path / name)
    path = folder / f"{file}.c"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    sources = [folder / each.name for each in components.sources(name)]
    for property_, level in BUILDS.items():
        missing = tuple(function.symbol for function in components.unproved(name))
        made = images.component_image(tmp_path / "made", sources, missing, level)
        found = verdict(Image(made, program=components.program(name)), symbol, property_)
        assert found.result == "refuted", (property_, found.reason)


def test_a_function_that_is_not_compiled_is_refuted():
    image = components.built("link")
    absent = next(function for function in components.unproved("link") if function.symbol not in image.functions)
    assert decide(image, "machine-code", absent, ComponentCode).reason == "not in the image"


def test_without_a_compiler_it_is_said_what_is_not_proved(monkeypatch):
    def missing():
        raise CompilerMissing("no C compiler: run pip")

    monkeypatch.setattr(components, "compiler", missing)
    monkeypatch.setattr(components, "not_compiled", components.not_compiled.__wrapped__)
    component = declared("placement")
    assert list(steps.left_out(component)) == ["the machine code of placement: no C compiler: run pip"]
    assert not [name for name in steps.names(component) if name.startswith(CODE)]


def test_what_is_left_out_of_a_component_is_named():
    said = "\n".join(steps.left_out(declared("link")))
    assert all(function.symbol in said for function in components.unproved("link"))
    assert not list(steps.left_out(declared("placement")))


def test_what_is_bounded_is_within_reach_and_all_else_is_not():
    found = {function.symbol: why for function, why in components.unproved("vectors").items()}
    assert "floating point" in found["distance_added"] and "loop without a bound" in found["store_place_of"]
    assert "memory of any size" in found["store_has_room"] and "index_put" not in found and "search_rank" not in found


class Registers(dict):
    """Registers that are told apart by their names alone."""

    named = dict.get

    def drop(self, lost):
        """Forget some, or all."""


def filled(byte, size):
    """Return what is done on a call of the function of the C library that sets bytes."""
    done = []
    noted = {name: lambda *given, name=name: done.append(name) for name in ("obey", "abandon", "fill_words")}
    code = SimpleNamespace(**noted, base=lambda thread, target: ("?", 0, []), roots={})
    thread = SimpleNamespace(registers=Registers(x0=4096, x1=byte, x2=size), pc=0)
    ComponentCode.fill(code, thread, None)
    return done


def test_whoever_sets_bytes_loses_what_a_call_loses():
    assert filled(0, 16) == ["obey", "fill_words", "abandon"]


@pytest.mark.parametrize("unknown", [(z3.BitVec("byte", 64), 16), (0, z3.BitVec("size", 64))])
def test_bytes_that_only_the_run_knows_are_set_by_nobody(unknown):
    with pytest.raises(NotAllowed):
        filled(*unknown)
