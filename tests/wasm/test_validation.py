"""Does the translator preserve the meaning of every function?

In random modules, each function is compared with its operations for all values. Wrong operations must be found.
"""

import pytest

from corollary import Module
from corollary.disassembly import length
from corollary.model.wasm.reference import FIELD
from corollary.spec.wasm.internal import OPERATIONS, PLACES
from corollary.spec.wasm.module import External
from corollary.spec.wasm.opcodes import BY_NAME
from corollary.spec.wasm.values import ValueType
from tests.wasm.binary import Body, Program
from tests.wasm.choices import Choices
from tests.wasm.generator import Author
from tests.wasm.source_machine import Source
from tests.wasm.target_machine import Target
from tests.wasm.unknowns import Different
from tests.wasm.validation import Function

SEEDS = range(24)
I32, I64, F64 = ValueType.I32, ValueType.I64, ValueType.F64
SOURCE = """
local.get 0
i64.load 3 8
local.set 2
block
  loop
    local.get 0
    i32.const 12
    i32.add
    i32.load16_u 1 4
    local.get 1
    i32.mul
    local.set 1
    local.get 2
    local.get 0
    i64.extend_i32_u
    i64.rotr
    local.set 2
    local.get 1
    i32.const 5
    i32.lt_s
    br_if 1
    local.get 0
    local.get 1
    i32.store8 0 3
    local.get 0
    call 0
    local.tee 0
    br_table 0 1 0
  end
end
local.get 3
local.get 1
f64.convert_i32_s
f64.add
global.get 0
local.get 2
local.get 2
i64.sub
local.get 1
select_typed
global.set 0
local.get 1
memory.grow
table.size 0
i32.xor
"""


def functions(seed):
    """Return the functions of a random module."""
    program = Author(Choices(seed)).write()
    module, first = Module(program.encoded()), len(program.imported(External.FUNCTION))
    return [Function(program, module, first + number) for number in range(len(program.functions))]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_function_is_what_it_was(seed):
    assert all(function.validate() > 0 for function in functions(seed))


def program():
    """Return a module with a function of many kinds of operations."""
    types = {"loop": (None,), "block": (None,), "select_typed": (I64,)}
    code = [
        (BY_NAME[name], types.get(name) or tuple(map(int, numbers)))
        for name, *numbers in map(str.split, SOURCE.split("\n")[1:-1])
    ]
    zero = (BY_NAME["i64.const"], (0,))
    return Program(
        [((I32,), (I32,)), ((I32, I32), (F64, I32))],
        [("host", "f", External.FUNCTION, 0)],
        [Body(1, [I64, F64], code)],
        [(ValueType.FUNCREF, (1, None))],
        [(1, None)],
        [(I64, True, zero)],
    )


def function():
    """Return that function."""
    written = program()
    return Function(written, Module(written.encoded()), 1)


def fields():
    """Return every field of every operation of the function: the operation, its place, the name of the field."""
    made, at = function(), 0
    at = made.entry
    while at < made.end:
        operation = OPERATIONS[made.words[at] & FIELD]
        for name in operation.fields.names:
            yield operation.name, at, name.lstrip("+#")
        at += length(operation, made.words[at])


def test_the_function_is_what_it_was():
    assert function().validate() > 4


@pytest.mark.parametrize("name, at, field", list(fields()))
def test_a_wrong_field_is_noticed(name, at, field):
    wrong = function()
    wrong.words[at + PLACES[field].word] ^= 1 << PLACES[field].first
    wrong.heap = wrong.machine()
    with pytest.raises(Different):
        wrong.validate()


@pytest.mark.parametrize("one, other", [("i32_mul_slots", "i32_and_slots"), ("i64_rotr_slots", "i64_rotl_slots")])
def test_a_wrong_operation_is_noticed(one, other):
    wrong = function()
    numbers = {operation.name: number for number, operation in enumerate(OPERATIONS)}
    places = [at for at in range(wrong.entry, wrong.end) if wrong.words[at] & FIELD == numbers[one]]
    wrong.words[places[0]] += numbers[other] - numbers[one]
    wrong.heap = wrong.machine()
    with pytest.raises(Different):
        wrong.validate()


def contradictory(step):
    """Execute a step under a contradictory assumption."""

    def taken(self):
        self.function.solver.add(False)
        return step(self)

    return taken


@pytest.mark.parametrize("wrong", [lambda step: lambda self: [], contradictory], ids=["no way on", "contradictory"])
@pytest.mark.parametrize("side, said", [(Source, "instructions"), (Target, "operations")])
def test_a_comparison_of_nothing_is_noticed(side, said, wrong, monkeypatch):
    monkeypatch.setattr(side, "step", wrong(side.step))
    with pytest.raises(AssertionError, match=f"there is no way through the {said}"):
        function().validate()
