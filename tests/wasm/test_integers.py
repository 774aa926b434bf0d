"""Does every integer instruction compute what Z3's own operators say, for all operands?

Does it trap exactly where the standard says?
"""

import pytest
import z3

from corollary.language.frontend import translate
from corollary.proofs import bits
from corollary.proofs.loops import Unbounded
from corollary.proofs.symbolic import Store
from corollary.spec.wasm.integers import MEANING
from corollary.spec.wasm.traps import Trap


def modulo(a, b):
    """Return a count modulo the width."""
    return z3.URem(b, z3.BitVecVal(a.size(), a.size()))


def number(a, value):
    """Return a number of the width of an operand."""
    return z3.BitVecVal(value, a.size())


def leading(a):
    """Count the powers of two that are greater."""
    return z3.Sum([z3.If(z3.ULT(a, number(a, 1 << power)), number(a, 1), number(a, 0)) for power in range(a.size())])


def trailing(a):
    """Count the powers of two, from 2 on, that divide it, the width itself included."""
    return z3.Sum(
        [z3.If(a & number(a, (1 << power) - 1) == 0, number(a, 1), number(a, 0)) for power in range(1, a.size() + 1)]
    )


def counted(a):
    """Count with Kernighan's method: clear the lowest one bit as often as there is one."""
    total = number(a, 0)
    for _ in range(a.size()):
        total, a = z3.If(a != 0, total + 1, total), a & (a - 1)
    return total


def shifted(a, width):
    """Shift up and down again."""
    return (a << (a.size() - width)) >> (a.size() - width)


BOTH = {
    "eqz": lambda a: a == 0,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt_s": lambda a, b: a < b,
    "lt_u": z3.ULT,
    "gt_s": lambda a, b: a > b,
    "gt_u": z3.UGT,
    "le_s": lambda a, b: a <= b,
    "le_u": z3.ULE,
    "ge_s": lambda a, b: a >= b,
    "ge_u": z3.UGE,
    "clz": leading,
    "ctz": trailing,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div_s": lambda a, b: a / b,
    "div_u": z3.UDiv,
    "rem_s": z3.SRem,
    "rem_u": z3.URem,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << modulo(a, b),
    "shr_s": lambda a, b: a >> modulo(a, b),
    "shr_u": lambda a, b: z3.LShR(a, modulo(a, b)),
    "rotl": lambda a, b: (a << modulo(a, b)) | z3.LShR(a, a.size() - modulo(a, b)),
    "rotr": lambda a, b: z3.LShR(a, modulo(a, b)) | (a << (a.size() - modulo(a, b))),
    "extend8_s": lambda a: shifted(a, 8),
    "extend16_s": lambda a: shifted(a, 16),
}
SAYS = {f"{type_}_{name}": says for type_ in ("i32", "i64") for name, says in BOTH.items()} | {
    "i32_popcnt": counted,
    "i64_extend32_s": lambda a: shifted(a, 32),
    "i32_wrap_i64": lambda a: z3.Extract(31, 0, a),
    "i64_extend_i32_s": lambda a: z3.SignExt(32, a),
    "i64_extend_i32_u": lambda a: z3.ZeroExt(32, a),
}


def run(function, arguments):
    """Return the result of a function of the language as a term."""
    return Unbounded(Store(set())).run(translate(function), arguments)


def operands(function):
    """Return a variable for each parameter."""
    return [z3.Const(item.name, bits.sort(item.type)) for item in translate(function).parameters]


def traps(name, arguments):
    """Return the condition under which an instruction traps."""
    trap = MEANING.get(f"{name}_trap")
    return (
        z3.BoolVal(False)
        if trap is None
        else bits.truth(bits.compare("!=", run(trap, arguments), int(Trap.NONE), Trap))
    )


def impossible(*conditions):
    """Is it impossible that all these hold?"""
    solver = z3.Solver()
    solver.add(*conditions)
    return solver.check() == z3.unsat


def test_every_instruction_has_an_oracle():
    assert set(SAYS) | {"i64_popcnt"} == {name for name in MEANING if not name.endswith("_trap")}


@pytest.mark.parametrize("name", SAYS)
def test_an_instruction_computes_what_z3_says(name):
    arguments = operands(MEANING[name])
    found, wanted = run(MEANING[name], arguments), SAYS[name](*arguments)
    assert impossible(z3.Not(traps(name, arguments)), found != wanted)


def test_the_ones_of_64_bits_are_those_of_their_halves():
    (a,) = operands(MEANING["i64_popcnt"])
    halves = [z3.ZeroExt(32, run(MEANING["i32_popcnt"], [z3.Extract(low + 31, low, a)])) for low in (0, 32)]
    assert impossible(run(MEANING["i64_popcnt"], [a]) != halves[0] + halves[1])


@pytest.mark.parametrize(
    "name", [f"{type_}_{name}" for type_ in ("i32", "i64") for name in ("div_s", "div_u", "rem_s", "rem_u")]
)
def test_divisions_trap_by_zero_and_where_a_quotient_does_not_fit(name):
    a, b = arguments = operands(MEANING[name])
    least = 1 << a.size() - 1
    overflow = z3.And(a == least, b == -1) if name.endswith("div_s") else z3.BoolVal(False)
    assert impossible(traps(name, arguments) != z3.Or(b == 0, overflow))
    trap = run(MEANING[f"{name}_trap"], arguments)
    assert impossible(b == 0, trap != int(Trap.DIVISION_BY_ZERO)) and impossible(
        b != 0, overflow, trap != int(Trap.INTEGER_OVERFLOW)
    )


@pytest.mark.parametrize(
    "name,wrong",
    [
        ("i32_shl", lambda a, b: a << b),
        ("i64_shr_s", lambda a, b: z3.LShR(a, modulo(a, b))),
        ("i32_lt_u", lambda a, b: a < b),
        ("i32_ctz", leading),
        ("i64_rem_s", z3.URem),
        ("i32_extend8_s", lambda a: a & 0xFF),
    ],
)
def test_a_wrong_oracle_is_noticed(name, wrong):
    arguments = operands(MEANING[name])
    assert not impossible(z3.Not(traps(name, arguments)), run(MEANING[name], arguments) != wrong(*arguments))
