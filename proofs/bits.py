"""How are values of the language built as Z3 terms, with constants folded on the way?

A known value is a Python int or bool; any other value is a Z3 term. Every function here keeps it so.
"""

from typing import Any

import z3
from z3 import z3core

from corollary.language.builtins import BUILTINS, TYPED


def _comparing(made):
    """Return a comparison of two terms of one sort; those of `z3` itself would make sure of that each time."""
    return lambda a, b: z3.BoolRef(made(a.ctx.ref(), a.ast, b.ast), a.ctx)


OPERATORS = {
    "==": _comparing(z3core.Z3_mk_eq),
    "!=": lambda a, b: a != b,
    "<": _comparing(z3core.Z3_mk_bvult),
    "<=": _comparing(z3core.Z3_mk_bvule),
    ">": _comparing(z3core.Z3_mk_bvugt),
    ">=": _comparing(z3core.Z3_mk_bvuge),
}
CONCRETE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def known(*values):
    """Are all values Python constants?"""
    for value in values:  # a loop, since this is asked more often than anything else
        if isinstance(value, z3.ExprRef):
            return False
    return True


def term(value, type_):
    """Return `value` as a Z3 term of the sort of `type_`."""
    if not known(value):
        return value
    return z3.BoolVal(bool(value)) if type_.name == "bool" else z3.BitVecVal(int(value), type_.bits)


def sort(type_):
    """The Z3 sort of a scalar type."""
    return z3.BoolSort() if type_.name == "bool" else z3.BitVecSort(type_.bits)


def same(a, b):
    """Are two values syntactically equal?"""
    if known(a) or known(b):
        return known(a, b) and int(a) == int(b)
    return a.eq(b)


def truth(value):
    """A bool value as a Z3 term."""
    return z3.BoolVal(value) if known(value) else value


def negate(value):
    """Logical negation."""
    if known(value):
        return not value
    return value.arg(0) if z3.is_not(value) else z3.BoolRef(z3core.Z3_mk_not(value.ctx.ref(), value.ast), value.ctx)


def unseen(formula, seen):
    """Yield `(id, node)` of each term in a quantifier-free formula that is not in `seen`, and add its id to `seen`.

    Formulas are large: a Python object for each term would take half the time of a proof.
    """
    context, pending = formula.ctx_ref(), [formula.as_ast()]
    while pending:
        node = pending.pop()
        number = z3core.Z3_get_ast_id(context, node)
        if number not in seen:
            seen.add(number)
            yield number, node
            pending += [
                z3core.Z3_get_app_arg(context, node, i) for i in range(z3core.Z3_get_app_num_args(context, node))
            ]


def declaration(formula, node):
    """Return the id of the function whose application a term inside a formula is."""
    context = formula.ctx_ref()
    return z3core.Z3_get_ast_id(context, z3core.Z3_func_decl_to_ast(context, z3core.Z3_get_app_decl(context, node)))


def expression(formula, node):
    """Return a term inside a formula as an object of Python."""
    return z3.z3._to_expr_ref(node, formula.ctx)


def is_application(formula, node):
    """Is a term inside a formula an uninterpreted function applied to arguments?"""
    context = formula.ctx_ref()
    return (
        z3core.Z3_get_decl_kind(context, z3core.Z3_get_app_decl(context, node)) == z3.Z3_OP_UNINTERPRETED
        and z3core.Z3_get_app_num_args(context, node) > 0
    )


def generalized(formula, symbol):
    """Return a formula with a fresh constant in place of each application of a function.

    If the result holds, so does the formula.
    """
    seen, found = set(), []
    for _, node in unseen(formula, seen):
        if is_application(formula, node):
            term_ = expression(formula, node)
            found += [term_] if term_.decl().name() == symbol else []
    return z3.substitute(formula, *((each, z3.FreshConst(each.sort(), symbol)) for each in found))


def conjoin(values):
    """Logical conjunction."""
    rest = []
    for value in values:
        if known(value):
            if not value:
                return False
        else:
            rest.append(value)
    return True if not rest else rest[0] if len(rest) == 1 else _all_of(rest)


def _all_of(conditions):
    """Return the conjunction of two terms or more, as `z3.And` does, which would look at each several times."""
    context, (terms, count) = conditions[0].ctx, z3.z3._to_ast_array(conditions)
    return z3.BoolRef(z3core.Z3_mk_and(context.ref(), count, terms), context)


def disjoin(values):
    """Logical disjunction."""
    return negate(conjoin([negate(value) for value in values]))


def choose(condition, then, other, type_) -> Any:
    """`then if condition else other`."""
    if known(condition):
        return then if condition else other
    if same(then, other):
        return then
    if type_.name == "bool" and known(then) and known(other):
        return condition if then else negate(condition)
    one, two = term(then, type_), term(other, type_)
    made, context = z3.BoolRef if type_.name == "bool" else z3.BitVecRef, condition.ctx
    return made(z3core.Z3_mk_ite(context.ref(), condition.ast, one.ast, two.ast), context)


def compare(op, a, b, type_):
    """One of the six unsigned comparisons."""
    if known(a, b):
        return CONCRETE[op](a, b)
    if same(a, b):
        return op in ("==", "<=", ">=")
    return OPERATORS[op](term(a, type_), term(b, type_))


def resize(value, source, target):
    """Return `value` of type `source` in the width of `target`: zero-extended or truncated."""
    if source.name == "bool":
        return choose(value, 1, 0, target)
    if known(value):
        return int(value) & ((1 << target.bits) - 1)
    if target.bits > source.bits:
        return z3.ZeroExt(target.bits - source.bits, value)
    if target.bits == source.bits:
        return value
    if value.decl().kind() == z3.Z3_OP_ZERO_EXT:
        inner = value.arg(0)
        if inner.size() == target.bits:
            return inner
        if inner.size() < target.bits:
            return z3.ZeroExt(target.bits - inner.size(), inner)
    return z3.Extract(target.bits - 1, 0, value)


def significant(value, type_):
    """An upper bound on the number of significant bits of `value`."""
    if known(value):
        return int(value).bit_length()
    if type_.name != "bool" and value.decl().kind() == z3.Z3_OP_ZERO_EXT:
        return value.arg(0).size()
    return type_.bits


def arithmetic(op, a, b, type_):
    """Return `(result, fits)`: the result in the width of `type_`, and the condition that it is exact."""
    if type_.name == "bool":
        parts = {
            "&": lambda: conjoin([a, b]),
            "|": lambda: disjoin([a, b]),
            "^": lambda: choose(a, negate(b), b, type_),
        }
        return parts[op](), True
    if known(a, b):
        return _concrete(op, int(a), int(b), type_)
    left, right = term(a, type_), term(b, type_)
    return _SYMBOLIC[op](left, right, a, b, type_)


def _concrete(op, a, b, type_):
    if (op in ("//", "%") and b == 0) or (op in ("<<", ">>") and b >= type_.bits):
        return 0, False
    exact = {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "//": lambda: a // b,
        "%": lambda: a % b,
        "&": lambda: a & b,
        "|": lambda: a | b,
        "^": lambda: a ^ b,
        "<<": lambda: a << b,
        ">>": lambda: a >> b,
    }[op]()
    return exact % (1 << type_.bits), type_.contains(exact)


def _add(left, right, a, b, type_):
    if max(significant(a, type_), significant(b, type_)) < type_.bits:
        return left + right, True
    return left + right, z3.BVAddNoOverflow(left, right, False)


def _subtract(left, right, a, b, type_):
    return left - right, True if known(b) and b == 0 else z3.UGE(left, right)


def _multiply(left, right, a, b, type_):
    if significant(a, type_) + significant(b, type_) <= type_.bits:
        return left * right, True
    return left * right, z3.BVMulNoOverflow(left, right, False)


def _divide(left, right, a, b, type_):
    return z3.UDiv(left, right), bool(b) if known(b) else right != 0


def _remainder(left, right, a, b, type_):
    return z3.URem(left, right), bool(b) if known(b) else right != 0


def _shift_left(left, right, a, b, type_):
    if known(b) and b + significant(a, type_) <= type_.bits:
        return left << right, True
    return left << right, z3.And(z3.ULT(right, type_.bits), z3.LShR(left << right, right) == left)


def _shift_right(left, right, a, b, type_):
    return z3.LShR(left, right), b < type_.bits if known(b) else z3.ULT(right, type_.bits)


_SYMBOLIC = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "//": _divide,
    "%": _remainder,
    "<<": _shift_left,
    ">>": _shift_right,
    "&": lambda left, right, *_: (left & right, True),
    "|": lambda left, right, *_: (left | right, True),
    "^": lambda left, right, *_: (left ^ right, True),
}


def builtin(name, values, type_, operand):
    """Return the Z3 term of a function of `corollary.language.builtins`; `operand` is the type of its arguments."""
    if name == "implies":
        return disjoin([negate(values[0]), values[1]])
    if name == "constant_table":
        result = values[-1]
        for position, value in reversed(list(enumerate(values[2:-1]))):
            result = choose(compare("==", values[1], position, operand), value, result, type_)
        return result
    if known(*values):
        if not defined(name, values, operand):
            return 0
        return BUILTINS[name](*((operand,) if BUILTINS[name] in TYPED else ()), *values)
    a, b = term(values[0], operand), term(values[1], operand) if len(values) > 1 else None
    return _BUILTINS[name](a, b, values)


def defined(name, values, operand):
    """Return the condition under which a function of `corollary.language.builtins` has a value."""
    if name not in ("signed_divide", "signed_remainder"):
        return True
    some = compare("!=", values[1], 0, operand)
    overflow = conjoin(
        [compare("==", values[0], operand.bound // 2, operand), compare("==", values[1], operand.bound - 1, operand)]
    )
    return conjoin([some, negate(overflow)]) if name == "signed_divide" else some


def _rotated(word, distance):
    return (
        z3.Concat(z3.Extract(distance - 1, 0, word), z3.Extract(word.size() - 1, distance, word)) if distance else word
    )


def _modulo_width(a, b):
    return b & (a.size() - 1)


def _first_one(a, positions):
    """Count the bits before the first set bit, in the given order of positions."""
    result = z3.BitVecVal(a.size(), a.size())
    for count, position in reversed(list(enumerate(positions))):
        result = z3.If(z3.Extract(position, position, a) == 1, z3.BitVecVal(count, a.size()), result)
    return result


def _ones(a):
    """Count the set bits: count them in each byte and add the counts, as processors do."""
    lanes = [
        z3.Sum([z3.ZeroExt(7, z3.Extract(position, position, a)) for position in range(low, low + 8)])
        for low in range(0, a.size(), 8)
    ]
    return z3.ZeroExt(a.size() - 8, z3.Sum(lanes)) if len(lanes) > 1 else lanes[0]


def _sign_extended(a, width):
    return z3.SignExt(a.size() - width, z3.Extract(width - 1, 0, a))


_BUILTINS = {
    "signed_less": lambda a, b, _: a < b,
    "signed_divide": lambda a, b, _: a / b,
    "signed_overflows": lambda a, b, _: z3.And(a == 1 << a.size() - 1, b == -1),
    "signed_remainder": lambda a, b, _: z3.SRem(a, b),
    "shift_left": lambda a, b, _: a << _modulo_width(a, b),
    "shift_right": lambda a, b, _: z3.LShR(a, _modulo_width(a, b)),
    "shift_right_signed": lambda a, b, _: a >> _modulo_width(a, b),
    "rotated_left": lambda a, b, _: z3.RotateLeft(a, b),
    "rotated_right": lambda a, b, _: z3.RotateRight(a, b),
    "leading_zeros": lambda a, b, _: _first_one(a, range(a.size() - 1, -1, -1)),
    "trailing_zeros": lambda a, b, _: _first_one(a, range(a.size())),
    "ones": lambda a, b, _: _ones(a),
    "sign_extend": lambda a, b, values: _sign_extended(a, int(values[1])),
    "subset": lambda a, b, _: (a & ~b) == 0,
    "without": lambda a, b, _: a & ~b,
    "minimum": lambda a, b, _: z3.If(z3.ULT(a, b), a, b),
    "maximum": lambda a, b, _: z3.If(z3.UGT(a, b), a, b),
    "saturating_sub": lambda a, b, _: z3.If(z3.UGT(a, b), a - b, z3.BitVecVal(0, a.size())),
    "wrapping_add": lambda a, b, _: a + b,
    "wrapping_sub": lambda a, b, _: a - b,
    "wrapping_mul": lambda a, b, _: a * b,
    "rotate_right": lambda a, b, values: _rotated(a, int(values[1]) % a.size()),
    "byte_swap": lambda a, b, _: z3.Concat(
        z3.Extract(7, 0, a), z3.Extract(15, 8, a), z3.Extract(23, 16, a), z3.Extract(31, 24, a)
    ),
}
