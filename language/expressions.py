"""What does an expression of the language mean?

This module translates names, places, constants, operators and calls, each with its type. Names are resolved through the
globals of the function that contains them.
"""

import ast
import inspect
import operator
from typing import Any, NoReturn

from corollary.language import ir
from corollary.language.builtins import BUILTINS, TYPED, WRAPPING, sign_extend
from corollary.language.layout import size_of, word
from corollary.language.packing import Packing
from corollary.language.types import (
    WORDS,
    ArrayType,
    LanguageError,
    Scalar,
    SliceType,
    boolean,
    holds_slice,
    is_enum,
    is_flags,
    is_scalar,
    is_table,
    u32,
    u64,
)
from corollary.language.values import RecordMeta, length
from corollary.language.word import Bound, Part

ARITHMETIC = {  # the operator in the IR, and its function in Python
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
    ast.LShift: ("<<", operator.lshift),
    ast.RShift: (">>", operator.rshift),
}
COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
UNSUPPORTED = {
    ast.Lambda: "a named function",
    ast.ListComp: "a `for` loop",
    ast.JoinedStr: "an enumerator",
    ast.Dict: "a record",
    ast.List: "a local array",
    ast.Tuple: "a record",
}
EXPRESSIONS = "names, fields, elements, operators, conditionals and calls"


def root_of(place):
    """The `Root` of a place."""
    while not isinstance(place, ir.Root):
        place = place.base
    return place


class Expressions(Packing):
    """The translator of one function's expressions. `translate` reads the functions that it calls."""

    def __init__(self, function, translate):
        self.function, self.translate = function, translate
        self.file = inspect.getsourcefile(function) or "?"
        self.lines, self.first = inspect.getsourcelines(function)
        self.scalars, self.places, self.views = {}, {}, {}
        self.mutated, self.callees, self.aliases = set(), [], {}

    def fail(self, node, message, instead="") -> NoReturn:
        line = self.first + getattr(node, "lineno", 1) - 1
        raise LanguageError(message, self.file, line, instead)

    def line(self, node):
        return self.first + node.lineno - 1

    def touch(self, place, node):
        """Record that the parameter below `place` may change."""
        name = root_of(place).name
        while self.aliases.get(name):
            name = self.aliases[name]
        self.mutated.add(name)

    # ---- names and places

    def resolve(self, node) -> Any:
        """The Python object that a name or dotted name stands for, or None."""
        if isinstance(node, ast.Name):
            if node.id in self.scalars or node.id in self.places:
                return None
            enclosed = self.function.__code__.co_freevars
            if node.id in enclosed:
                return self.function.__closure__[enclosed.index(node.id)].cell_contents
            return self.function.__globals__.get(node.id, bool if node.id == "bool" else None)
        if isinstance(node, ast.Attribute):
            base = self.resolve(node.value)
            return getattr(base, node.attr, None) if base is not None else None
        return None

    def static(self, node):
        """Evaluate a type expression."""
        code = compile(ast.Expression(node), self.file, "eval")
        try:
            return eval(
                code, self.function.__globals__
            )  # the text comes from an imported module, which has run already
        except Exception as error:
            self.fail(
                node,
                f"`{ast.unparse(node)}` is not a type: {error}",
                "u8 .. u64, bool, an Enum, Flags, Index or Record",
            )

    def place(self, node, required=True) -> Any:
        """The place that a name, attribute or subscript names, or None if it names a value and `required` is false."""
        if isinstance(node, ast.Name) and node.id in self.places:
            return self.places[node.id]
        if isinstance(node, ast.Attribute):
            base = self.place(node.value, required)
            return base and self.field(node, base)
        if isinstance(node, ast.Subscript):
            base = self.place(node.value, required)
            return base and self.element(node, base)
        if required:
            self.fail(node, f"`{ast.unparse(node)}` is not a place", "a field of a record or an element of a table")
        return None

    def field(self, node, base):
        fields = getattr(base.type, "fields", {})
        if node.attr not in fields:
            known = ", ".join(fields) or "none"
            self.fail(node, f"{base.type.name} has no field {node.attr}", f"one of: {known}")
        return ir.Field(base, node.attr, fields[node.attr])

    def element(self, node, base):
        if not is_table(base.type):
            self.fail(node, f"{base.type.name} is not a table", "a field name")
        if base.type.index is None:
            index = self.position(node)
        else:
            index = self.expression(node.slice)
            if index.type is None or (isinstance(index, ir.Literal) and index.symbol):
                index = self.adapt(index, base.type.index, node)
            if index.type is not base.type.index:
                self.fail(
                    node,
                    f"the table is indexed by {base.type.index.name}, this is a {index.type and index.type.name}",
                    f"`{base.type.index.name}(...)`",
                )
        if isinstance(index, ir.Literal) and base.type.length is not None and not 0 <= index.value < base.type.length:
            self.fail(node, f"index {index.value} is outside {base.type.name}", f"0 .. {base.type.length - 1}")
        return ir.Element(base, index, base.type.element, self.line(node))

    # ---- expressions

    def condition(self, node):
        value = self.expression(node)
        if value.type is not boolean:
            self.fail(node, f"`{ast.unparse(node)}` is not a bool", "a comparison")
        return value

    def rvalue(self, node, wanted):
        """Translate the right side of an assignment or `return`. Of all expressions, only this one may have effects."""
        if isinstance(node, ast.Call):
            function = self.resolve(node.func)
            if inspect.isfunction(function) and function.__name__ not in BUILTINS and function is not word:
                value = self.call(node, effects=True)
                return value if wanted is None else self.adapt(value, wanted, node)
        value = self.expression(node)
        return value if wanted is None else self.adapt(value, wanted, node)

    def adapt(self, value, wanted, node):
        """Return `value` as a `wanted`. Literals fit or fail here, unsigned integers widen, nothing narrows."""
        if value.type is wanted:
            return value
        if isinstance(value, ir.Literal) and (
            value.type is None or (value.symbol and not is_enum(value.type) and not is_flags(value.type))
        ):
            if is_enum(wanted) or wanted is boolean or not wanted.contains(value.value):
                self.fail(node, f"{value.value} is not a {wanted.name}", f"a {wanted.name}")
            return ir.Literal(value.value, wanted, value.symbol)
        if isinstance(value, ir.Conditional) and value.type is None:
            return ir.Conditional(
                value.condition, self.adapt(value.then, wanted, node), self.adapt(value.other, wanted, node), wanted
            )
        if value.type is None:
            self.fail(node, f"`{ast.unparse(node)}` has no type of its own", f"`{wanted.name}(...)`")
        if _widens(value.type, wanted):
            return ir.Convert(value, wanted)
        self.fail(
            node,
            f"`{ast.unparse(node)}` is a {value.type.name}, not a {wanted.name}",
            f"`{wanted.name}({ast.unparse(node)})`",
        )

    def unify(self, node, left, right):
        """Return both operands as the wider of their two types."""
        if left.type is None and right.type is None:
            self.fail(node, "both operands are constants of open type", "one constant with a name")
        if left.type is None:
            return self.unify(node, right, left)[::-1]
        if right.type is None:
            values = _open_values(right)
            if not values:
                self.fail(node, f"an operand of `{ast.unparse(node)}` has no value", "a function that returns one")
            held = is_enum(left.type) or all(left.type.contains(value) for value in values)
            type_ = left.type if held else self.word_for(node, values)
            return self.adapt(left, type_, node), self.adapt(right, type_, node)
        if left.type is right.type:
            return left, right
        for one, other in ((left, right), (right, left)):
            if _widens(one.type, other.type):
                return self.adapt(left, other.type, node), self.adapt(right, other.type, node)
        if isinstance(left.type, Scalar) and isinstance(right.type, Scalar) and boolean not in (left.type, right.type):
            type_ = max((_word_of(left.type), _word_of(right.type)), key=lambda t: t.bits)
            return self.adapt(left, type_, node), self.adapt(right, type_, node)
        self.fail(node, f"{left.type.name} and {right.type.name} do not mix", "a conversion of one of them")

    def word_for(self, node, values):
        """The narrowest unsigned integer type that holds all `values`."""
        for type_ in WORDS.values():
            if all(isinstance(value, int) and type_.contains(value) for value in values):
                return type_
        self.fail(node, f"`{ast.unparse(node)}` needs a constant that is not a u64", "constants of 0 .. 2**64 - 1")

    def expression(self, node):
        method = getattr(self, f"of_{type(node).__name__}", None)
        if method is None:
            self.fail(node, f"{type(node).__name__} is not in the language", UNSUPPORTED.get(type(node), EXPRESSIONS))
        return method(node)

    def of_Constant(self, node):
        if isinstance(node.value, bool):
            return ir.Literal(node.value, boolean)
        if not isinstance(node.value, int):
            self.fail(node, f"{node.value!r} is not an integer", "an integer or an enumerator")
        return ir.Literal(node.value, None)

    def of_Name(self, node):
        if node.id in self.scalars:
            return ir.Local(node.id, self.scalars[node.id])
        if node.id in self.places:
            self.fail(node, f"{node.id} is a {self.places[node.id].type.name}, not a scalar", "one of its fields")
        return self.constant(node)

    def constant(self, node):
        value = self.resolve(node)
        part = self.resolve(node.value) if isinstance(node, ast.Attribute) else None
        if isinstance(part, Part):
            return self.part_number(node, part)
        if is_enum(type(value)):
            return ir.Literal(int(value), type(value), value.name)
        if isinstance(value, bool):
            return ir.Literal(value, boolean)
        if isinstance(value, int):
            flags = self.resolve(node.value) if isinstance(node, ast.Attribute) else None
            if flags is not None and not inspect.ismodule(flags):
                if node.attr == "bound" and is_scalar(flags) and flags not in WORDS.values():
                    return ir.Literal(value, None, Bound(flags))
                named = is_flags(flags) and node.attr in flags.members
                return ir.Literal(value, flags if named else None, node.attr if named else "")
            return ir.Literal(value, None, node.attr if isinstance(node, ast.Attribute) else node.id)
        self.fail(
            node,
            f"`{ast.unparse(node)}` is unknown here, or not a constant",
            "a parameter, a local or a module constant",
        )

    def of_Attribute(self, node):
        packed = self.word_of(node.value)
        if packed is not None:
            return self.part(node, packed)
        place = self.place(node, required=False)
        if place is None:
            return self.constant(node)
        return self.load(node, place)

    def of_Subscript(self, node):
        value = self.resolve(node.value)
        if isinstance(value, tuple):
            return self.table_constant(node, value)
        return self.load(node, self.place(node))

    def table_constant(self, node, values):
        """An element of a constant tuple: a chain of conditionals for Z3, a constant array in C."""
        index = self.position(node)
        element = self.word_for(node, values)
        if isinstance(index, ir.Literal):
            if not 0 <= index.value < len(values):
                self.fail(node, f"index {index.value} is outside a tuple of {len(values)}", f"0 .. {len(values) - 1}")
            return ir.Literal(values[index.value], element)
        name = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
        constants = tuple(ir.Literal(value, element) for value in values)
        return ir.Builtin("constant_table", (ir.Literal(0, element, name), index, constants), element)

    def position(self, node):
        """The index in a subscript, as an unsigned integer, index or enumerator."""
        index = self.expression(node.slice)
        if index.type is None:
            return self.adapt(index, u32, node)
        if index.type is boolean or is_flags(index.type):
            self.fail(
                node, f"`{ast.unparse(node.slice)}` is a {index.type.name}, not a position", "an unsigned integer"
            )
        return index

    def load(self, node, place):
        if not is_scalar(place.type):
            self.fail(
                node, f"`{ast.unparse(node)}` is a {place.type.name}, not a scalar", "one of its fields or elements"
            )
        return ir.Load(place, place.type)

    def of_BinOp(self, node):
        if type(node.op) not in ARITHMETIC:
            self.fail(node, f"operator {type(node.op).__name__} is not in the language", "+ - * // % & | ^ << >>")
        op, exact = ARITHMETIC[type(node.op)]
        left, right = self.expression(node.left), self.expression(node.right)
        if isinstance(left, ir.Literal) and isinstance(right, ir.Literal) and left.type is right.type is None:
            return ir.Literal(self.folded(node, op, exact, left.value, right.value), None)
        for side in (left, right):
            if side.type is boolean and op not in "&|^":
                self.fail(node, "arithmetic on bool", "`and`, `or`, or a conditional")
            if is_enum(side.type) or (is_flags(side.type) and op not in "&|^"):
                self.fail(node, f"arithmetic on {side.type.name}", "a comparison")
        if op in ("<<", ">>"):
            if left.type is None:
                self.fail(node, "the shifted constant has no type", f"`u64({ast.unparse(node.left)})`")
            right = self.adapt(right, left.type, node) if right.type is None else self.unify(node, left, right)[1]
            return ir.Binary(op, left, right, left.type, self.line(node))
        left, right = self.unify(node, left, right)
        return ir.Binary(op, left, right, left.type, self.line(node))

    def folded(self, node, op, exact, left, right):
        """Compute an operator on two constants. `exact` is its function in Python."""
        undefined = (op in ("//", "%") and right == 0) or (op in ("<<", ">>") and not 0 <= right <= 64)
        value = None if undefined else exact(left, right)
        if value is None or not u64.contains(value):
            self.fail(node, f"`{ast.unparse(node)}` is not a u64", "constants of 0 .. 2**64 - 1")
        return value

    def of_Compare(self, node):
        operands = [self.expression(part) for part in (node.left, *node.comparators)]
        parts = []
        for op, left, right in zip(node.ops, operands, operands[1:]):
            symbol = COMPARISONS.get(type(op))
            if symbol is None:
                self.fail(node, f"comparison {type(op).__name__} is not in the language", "== != < <= > >=")
            left, right = self.unify(node, left, right)
            if symbol not in ("==", "!=") and (is_enum(left.type) or is_flags(left.type) or left.type is boolean):
                self.fail(node, f"{left.type.name} has no order", "== or !=")
            parts.append(ir.Compare(symbol, left, right, boolean))
        return parts[0] if len(parts) == 1 else ir.Logic("and", tuple(parts), boolean)

    def of_BoolOp(self, node):
        operands = tuple(self.condition(part) for part in node.values)
        return ir.Logic("and" if isinstance(node.op, ast.And) else "or", operands, boolean)

    def of_UnaryOp(self, node):
        if not isinstance(node.op, ast.Not):
            self.fail(node, f"operator {type(node.op).__name__} is not in the language", "`not`, or `without` on flags")
        return ir.Not(self.condition(node.operand), boolean)

    def of_IfExp(self, node):
        condition, then, other = self.condition(node.test), self.expression(node.body), self.expression(node.orelse)
        if then.type is None and other.type is None:
            return ir.Conditional(condition, then, other, None)
        then, other = self.unify(node, then, other)
        return ir.Conditional(condition, then, other, then.type)

    def of_Call(self, node):
        return self.call(node, effects=False)

    def call(self, node, effects):
        packed = self.word_of(node)
        if packed is not None:
            return self.word_call(node, packed)
        if node.keywords:
            self.fail(node, "arguments are positional", "no keywords")
        if isinstance(node.func, ast.Attribute) and node.func.attr == "truncate":
            return self.truncation(node)
        target = self.resolve(node.func)
        if target is bool:
            self.fail(node, "bool() is not in the language", "a comparison")
        if is_scalar(target):
            return self.conversion(node, target)
        if target is word:
            return self.word(node)
        if target is length:
            return self.length(node)
        if inspect.isfunction(target):
            return (
                self.builtin(node, target)
                if BUILTINS.get(target.__name__) is target
                else self.invoke(node, target, effects)
            )
        self.fail(
            node, f"`{ast.unparse(node.func)}` is not a function of the language", "a function with typed parameters"
        )

    def arguments(self, node, count):
        """The `count` arguments of a call."""
        if len(node.args) != count or node.keywords:
            self.fail(node, f"`{ast.unparse(node.func)}` takes {count} positional arguments", "one for each parameter")
        return node.args

    def truncation(self, node):
        type_, value = self.resolve(node.func.value), self.expression(self.arguments(node, 1)[0])
        if not is_scalar(type_) or not type_.exact or type_ is boolean:
            self.fail(node, "truncation needs a type that holds every bit pattern", "a comparison and a conversion")
        if value.type is None:
            self.fail(node, f"`{ast.unparse(node.args[0])}` has no type to truncate from", f"`{type_.name}(...)`")
        return ir.Truncate(value, type_)

    def conversion(self, node, type_):
        if len(node.args) != 1:
            self.fail(node, f"{type_.name} takes one value", f"`{type_.name}(x)`")
        value = self.expression(node.args[0])
        if value.type is None:
            return self.adapt(value, type_, node)
        if type_ is boolean and value.type is not boolean:
            self.fail(node, "a conversion to bool", "a comparison")
        if value.type is boolean and type_ is not boolean:
            if not type_.contains(1) or is_enum(type_):
                self.fail(node, f"a bool is not a {type_.name}", "a conditional")
            return ir.Conditional(value, ir.Literal(1, type_), ir.Literal(0, type_), type_)
        return value if value.type is type_ else ir.Convert(value, type_, self.line(node))

    def word(self, node):
        """`word(record, k)`: bytes 8k .. 8k+7 of the record's layout, as one u64."""
        source, position = self.arguments(node, 2)
        place, number = self.place(source), self.expression(position)
        if not isinstance(place.type, RecordMeta):
            self.fail(node, f"`{ast.unparse(source)}` is not a record", "a record of the state")
        if holds_slice(place.type):
            self.fail(node, f"a {place.type.name} holds a slice, whose address is no number", "a record without slices")
        if not isinstance(number, ir.Literal) or not 0 <= 8 * number.value < size_of(place.type):
            self.fail(
                node, "the word number is not a constant inside the record", f"0 .. {size_of(place.type) // 8 - 1}"
            )
        parts = [
            _shifted(leaf, offset - 8 * number.value)
            for leaf, offset in _scalars_of(place)
            if 8 * number.value <= offset < 8 * number.value + 8
        ]
        total = parts[0] if parts else ir.Literal(0, u64)
        for part in parts[1:]:
            total = ir.Binary("|", total, part, u64)
        return total

    def length(self, node):
        """`length(record.slice)`: how many elements the host made room for."""
        place = self.place(self.arguments(node, 1)[0])
        if not isinstance(place.type, SliceType):
            self.fail(
                node,
                f"`{ast.unparse(node.args[0])}` is a {place.type.name}, not a slice",
                "the constant that it was declared with",
            )
        return ir.Length(place, u64)

    def builtin(self, node, target):
        name = target.__name__
        self.arguments(node, len(inspect.signature(target).parameters))
        if target in TYPED:
            type_ = self.resolve(node.args[0])
            if not isinstance(type_, Scalar) or not type_.exact or type_ is boolean:
                self.fail(node, f"{name} needs a number type that holds every bit pattern", "u8 .. u64")
            if target not in WRAPPING and type_ not in WORDS.values():
                self.fail(node, f"{name} needs a machine integer, not a {type_.name}", "u8 .. u64")
            arguments = tuple(self.adapt(self.expression(part), type_, node) for part in node.args[1:])
            if target is sign_extend and not (
                isinstance(arguments[1], ir.Literal) and 1 <= arguments[1].value <= type_.bits
            ):
                self.fail(node, "the width is not a constant", f"1 .. {type_.bits}")
            return ir.Builtin(name, arguments, boolean if name in ("signed_less", "signed_overflows") else type_)
        arguments = [self.expression(part) for part in node.args]
        if name == "implies":
            return ir.Builtin(name, tuple(self.condition(part) for part in node.args), boolean)
        if name == "rotate_right":
            count = arguments[1]
            if not isinstance(count, ir.Literal) or count.type is boolean or not 1 <= count.value <= 31:
                self.fail(node, "the rotation is not a constant of 1 .. 31", "a module constant")
            return ir.Builtin(name, (self.adapt(arguments[0], u32, node), count), u32)
        if name == "byte_swap":
            return ir.Builtin(name, (self.adapt(arguments[0], u32, node),), u32)
        left, right = self.unify(node, *arguments)
        ordered = name not in ("subset", "without")
        if is_enum(left.type) or left.type is boolean or (ordered and is_flags(left.type)):
            self.fail(node, f"{name} on {left.type.name}", "a comparison and a conditional")
        return ir.Builtin(name, (left, right), boolean if name == "subset" else left.type)

    def invoke(self, node, target, effects):
        callee = self.translate(target)
        if len(node.args) != len(callee.parameters):
            self.fail(
                node,
                f"{callee.name} takes {len(callee.parameters)} arguments, not {len(node.args)}",
                "one for each parameter",
            )
        arguments, written = [], []
        for parameter, part in zip(callee.parameters, node.args):
            if is_scalar(parameter.type):
                arguments.append(self.adapt(self.expression(part), parameter.type, part))
                continue
            place = self.place(part)
            if place.type is not parameter.type and not _same_array(place.type, parameter.type):
                self.fail(
                    part,
                    f"{parameter.name} is a {parameter.type.name}, not a {place.type.name}",
                    f"a {parameter.type.name}",
                )
            arguments.append(place)
            if parameter.name in callee.mutates:
                written.append(place)
        if written and not effects:
            self.fail(
                node,
                f"{callee.name} has effects and stands inside an expression",
                "`value = call(...)` on its own line",
            )
        for place in written:
            self.touch(place, node)
        self.callees.append(callee.python)
        return ir.Call(callee, tuple(arguments), callee.returns, self.line(node))


def _word_of(type_):
    return WORDS[8 * type_.storage]


def _open_values(value):
    """Every constant that an expression of open type may be. A call without a value has none."""
    if isinstance(value, ir.Conditional):
        return _open_values(value.then) + _open_values(value.other)
    return [value.value] if isinstance(value, ir.Literal) else []


def _widens(narrow, wide):
    """May a value of `narrow` be used as a `wide` without a conversion? Only if `wide` is a plain unsigned integer."""
    if boolean in (narrow, wide) or wide not in WORDS.values():
        return False
    return isinstance(narrow, Scalar) and narrow.bits <= wide.bits


def _same_array(left, right):
    return (
        isinstance(left, ArrayType)
        and isinstance(right, ArrayType)
        and (left.element, left.length, left.index) == (right.element, right.length, right.index)
    )


def _scalars_of(place, offset=0):
    """Every scalar of a record place with its byte offset."""
    for slot in place.type.layout.slots:
        inner = ir.Field(place, slot.name, slot.type)
        if is_scalar(slot.type):
            yield ir.Load(inner, slot.type), offset + slot.offset
        elif isinstance(slot.type, ArrayType):
            step = size_of(slot.type.element)
            for position in range(slot.type.length):
                yield (
                    ir.Load(ir.Element(inner, ir.Literal(position, u32), slot.type.element), slot.type.element),
                    offset + slot.offset + position * step,
                )
        else:
            yield from _scalars_of(inner, offset + slot.offset)


def _shifted(leaf, byte):
    wide = leaf if leaf.type is u64 else ir.Convert(leaf, u64)
    return wide if byte == 0 else ir.Binary("<<", wide, ir.Literal(8 * byte, u64), u64)
