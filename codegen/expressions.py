"""How does the IR read in C?

This is the third reading: statements and expressions become C as a careful person would write it. Nothing here knows
about kernels or files. `render.py` puts the text into templates.
"""

from itertools import groupby

from corollary.codegen.wrapping import comment, wrap
from corollary.language import ir
from corollary.language.builtins import TYPED
from corollary.language.layout import size_of
from corollary.language.types import WORDS, ArrayType, SliceType, boolean, is_enum, is_flags, is_scalar
from corollary.language.word import Bound

PRECEDENCE = {
    "*": 12,
    "/": 12,
    "%": 12,
    "+": 11,
    "-": 11,
    "<<": 10,
    ">>": 10,
    "<": 9,
    "<=": 9,
    ">": 9,
    ">=": 9,
    "==": 8,
    "!=": 8,
    "&": 7,
    "^": 6,
    "|": 5,
    "&&": 4,
    "||": 3,
    "?": 2,
}
UNARY, PRIMARY = 14, 15
CONFUSING = {"&", "^", "|", "<<", ">>", "&&", "||", "==", "!="}
WIDE = {"saturating_sub", "minimum", "maximum"}
WRAPPING = {"wrapping_add": "+", "wrapping_sub": "-", "wrapping_mul": "*"}
SIZED = {function.__name__ for function in TYPED} - {"signed_less", *WRAPPING}  # C functions, one for each width
UNROLLED = "#pragma clang loop unroll_count(8)"  # for the long loops of opaque functions: renaming replaces moves
INLINE_ZEROS = 32  # bytes of a local array that the compiler always zeroes without calling `memset`
PORTABLE = "PORTABLE"  # a macro: an image may have instructions of its processor in place of the function
REQUIRES = "REQUIRES"  # a macro: the preconditions that callers were proved to meet
FILLED = "filled"  # how many elements a loop has filled
COMPOUND = {"+", "-", "*", "&", "|", "^"}
CASES = 4  # from this many comparisons of one word, each with a return, a `switch` reads better
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def snake(name):
    """`CapabilityId` -> `capability_id`."""
    out = []
    for position, letter in enumerate(name):
        before, after = name[position - 1 : position], name[position + 1 : position + 2]
        if (
            letter.isupper()
            and position
            and (before.islower() or before.isdigit() or (after.islower() and before != "_"))
        ):
            out.append("_")
        out.append(letter.lower())
    return "".join(out)


def type_name(type_):
    """The C name of a type."""
    if type_ is None:
        return "void"
    if type_ is boolean:
        return "bool"
    if type_ in WORDS.values():
        return f"uint{type_.bits}_t"
    if is_scalar(type_):
        return f"{snake(type_.name)}_t"
    if isinstance(type_, SliceType):
        return f"struct {slice_name(type_)}"
    return f"struct {snake(type_.name)}"


def slice_name(type_):
    """`u8_slice` for a slice of bytes."""
    return f"{snake(type_.element.name)}_slice"


def constant_name(type_, symbol):
    """`STATUS_OK` for the enumerator or flag `OK` of `Status`."""
    return f"{snake(type_.name).upper()}_{symbol}"


def declarator(type_, name):
    """A declaration of `name` as a value of `type_`, arrays included."""
    suffix = ""
    while isinstance(type_, ArrayType):
        suffix += f"[{type_.length}]"
        type_ = type_.element
    return f"{type_name(type_)} {name}{suffix}"


def parameter(item, mutated):
    """A parameter: scalars by value, records and arrays by pointer, const unless the function writes them."""
    if is_scalar(item.type):
        return f"{type_name(item.type)} {item.name}"
    const = "" if mutated else "const "
    element = item.type.element if isinstance(item.type, ArrayType) else item.type
    return f"{const}{type_name(element)} *{item.name}"


def signature(function):
    """The C prototype of a function, without the semicolon."""
    inner = ", ".join(parameter(item, item.name in function.mutates) for item in function.parameters)
    return f"{type_name(function.returns)} {function.symbol}({inner or 'void'})"


def low_bits(type_):
    """The mask of the bits of a type that does not fill its word."""
    return f"({Bound(type_)} - 1)"


class Printer:
    """A printer for the body of one function."""

    def __init__(self, function, indent="    "):
        self.function, self.indent = function, indent
        self.pointers = {item.name for item in function.parameters if not is_scalar(item.type)}
        self.written = written_names(function)
        self.read = used_names(function)

    def body(self):
        """The lines between the braces."""
        unused = [
            f"{self.indent}(void){item.name};"
            for item in self.function.parameters
            if item.name not in self.read and not (self.function.hardware and is_scalar(item.type))
        ]
        required = [
            f"{self.indent}{REQUIRES}({self.expression(clause.condition)});" for clause in self.function.requires
        ]
        lines = [*unused, *required, *self.block(self.function.body, 1)]
        return [part for line in lines for part in wrap(line)]

    # ---- statements

    def block(self, statements, depth):
        lines = []
        for word, group in groupby(_returned_directly(statements), key=_told_apart_by):
            alike = list(group)
            if word is not None and len(alike) >= CASES and _are_distinct(alike):
                lines += self.switch(word, alike, depth)
            else:
                lines += [line for statement in alike for line in self.statement(statement, depth)]
        return lines

    def statement(self, node, depth):
        """Print a statement below its comments."""
        pad = self.indent * depth
        lines = comment(" ".join(node.comments), pad) if node.comments else []
        return [*lines, *getattr(self, f"on_{type(node).__name__}")(node, depth, pad)]

    def switch(self, word, cases, depth):
        """Print a `switch` for statements that each return for one value of a word."""
        pad = self.indent * depth
        lines = [f"{pad}switch ({self.expression(word)}) {{"]
        for case in cases:
            declares = any(
                isinstance(node, (ir.Alias, ir.Declare)) or getattr(node, "declares", False)
                for node in _returned_directly(case.then)
            )
            lines += comment(" ".join(case.comments), pad) if case.comments else []
            lines += [
                f"{pad}case {self.top(case.condition.right, word.type)}:{' {' * declares}",
                *self.block(case.then, depth + 1),
                *[f"{pad}}}"] * declares,
            ]
        return [*lines, f"{pad}}}"]

    def on_Assign(self, node, depth, pad):
        target = node.target.name if isinstance(node.target, ir.Local) else self.place(node.target)
        compound = None if node.declares else self.compound(node)
        if compound is not None:
            return [f"{pad}{target}{compound};"]
        kind = f"{type_name(node.target.type)} " if node.declares else ""
        return [f"{pad}{kind}{target} = {self.top(node.value, node.target.type)};"]

    def compound(self, node):
        """Return ` += x` or `++` for an assignment that updates its own target. Return None for any other."""
        value = node.value
        own = node.target if isinstance(node.target, ir.Local) else ir.Load(node.target, node.target.type)
        if isinstance(value, ir.Builtin) and value.name in WRAPPING and value.type.bits == 8 * value.type.storage:
            op, (left, right) = WRAPPING[value.name], value.arguments
        elif isinstance(value, ir.Binary) and value.op in COMPOUND:
            op, left, right = value.op, value.left, value.right
        else:
            return None
        if left != own:
            return None
        if op in "+-" and isinstance(right, ir.Literal) and right.value == 1 and not right.symbol:
            return op + op
        return f" {op}= {self.top(right, value.type)}"

    def on_Alias(self, node, depth, pad):
        const = "" if node.name in self.written else "const "
        self.pointers.add(node.name)
        if isinstance(node.place.type, ArrayType):
            return [f"{pad}{const}{type_name(node.place.type.element)} *{node.name} = {self.place(node.place)};"]
        return [f"{pad}{const}{type_name(node.place.type)} *{node.name} = {self.address(node.place)};"]

    def on_Declare(self, node, depth, pad):
        if size_of(node.type) > INLINE_ZEROS and clearing(node.type):
            return [
                f"{pad}{declarator(node.type, node.name)};",
                f"{pad}{clearing(node.type)}({node.name}, {node.type.length});",
            ]
        return [f"{pad}{declarator(node.type, node.name)} = {{0}};"]

    def on_Clear(self, node, depth, pad):
        place, type_ = self.place(node.place), node.place.type
        if clearing(type_):
            return [f"{pad}{clearing(type_)}({place}, {type_.length});"]
        if isinstance(type_, ArrayType):
            return [f"{pad}__builtin_memset({place}, 0, {type_.length} * sizeof({place}[0]));"]
        star = "*" if place in self.pointers else ""
        return [f"{pad}{star}{place} = ({type_name(type_)}){{0}};"]

    def on_If(self, node, depth, pad, lead="if"):
        lines = [f"{pad}{lead} ({self.expression(node.condition)}) {{", *self.block(node.then, depth + 1)]
        if not node.other:
            return [*lines, f"{pad}}}"]
        if len(node.other) == 1 and isinstance(node.other[0], ir.If) and not node.other[0].comments:
            rest = self.on_If(node.other[0], depth, pad, "} else if")
            return [*lines, *rest]
        return [*lines, f"{pad}}} else {{", *self.block(node.other, depth + 1), f"{pad}}}"]

    def on_For(self, node, depth, pad):
        count = self.expression(node.count)
        head = f"{pad}for (uint32_t {node.variable} = 0; {node.variable} < {count}; {node.variable}++) {{"
        hint = [f"{pad}{UNROLLED}"] if self.function.opaque else []
        return [*hint, head, *self.block(node.body, depth + 1), f"{pad}}}"]

    def on_While(self, node, depth, pad):
        return [f"{pad}while ({self.expression(node.condition)}) {{", *self.block(node.body, depth + 1), f"{pad}}}"]

    def on_Move(self, node, depth, pad):
        target, source = (
            self.elements_at(place, at) for place, at in ((node.target, node.at), (node.source, node.first))
        )
        size = node.target.type.element.storage
        count = (
            self.top(node.count, WORDS[64])
            if size == 1
            else f"{size} * {self.expression(node.count, PRECEDENCE['*'], 'right')}"
        )
        return [f"{pad}__builtin_memmove({target}, {source}, {count});"]

    def on_Fill(self, node, depth, pad):
        if node.target.type.element.storage == 1:
            return [
                (
                    f"{pad}__builtin_memset({self.elements_at(node.target, node.at)}, "
                    f"{self.top(node.value, WORDS[64])}, {self.top(node.count, WORDS[64])});"
                )
            ]
        if any(
            isinstance(part, (ir.Load, ir.Call)) or (isinstance(part, ir.Local) and part.name == FILLED)
            for part in ir.walk(node)
        ):
            raise ValueError(
                f"line {node.line}: C fills wider elements in a loop, which computes all this each time: "
                f"name it first, and nothing `{FILLED}`"
            )
        first, count = (self.expression(number, PRECEDENCE["+"], "right") for number in (node.at, node.count))
        return [
            f"{pad}for (uint64_t {FILLED} = 0; {FILLED} < {count}; {FILLED}++)",
            f"{pad}    {self.part(node.target, 'at')}[{first} + {FILLED}] = {self.top(node.value, WORDS[64])};",
        ]

    def elements_at(self, place, at):
        """The address of an element of a slice.

        The position is computed first, because it may wrap and an address does not.
        """
        return f"{self.part(place, 'at')} + {self.expression(at, PRECEDENCE['+'], 'right')}"

    def on_Return(self, node, depth, pad):
        return [
            f"{pad}return;" if node.value is None else f"{pad}return {self.top(node.value, self.function.returns)};"
        ]

    def on_Do(self, node, depth, pad):
        return [f"{pad}{self.expression(node.call)};"]

    # ---- places

    def place(self, node):
        if isinstance(node, ir.Root):
            return node.name
        if isinstance(node, ir.Element):
            elements = self.part(node.base, "at") if isinstance(node.base.type, SliceType) else self.place(node.base)
            return f"{elements}[{self.top(node.index, WORDS[64])}]"
        return self.part(node.base, node.name)

    def part(self, place, name):
        """A member of a structure. Uses `->` if the name of the structure is a pointer."""
        if isinstance(place, ir.Root) and place.name in self.pointers:
            return f"{place.name}->{name}"
        return f"{self.place(place)}.{name}"

    def address(self, node):
        """A pointer to a record or the first element of an array."""
        if isinstance(node, ir.Root):
            is_pointer = node.name in self.pointers or isinstance(node.type, ArrayType)
            return node.name if is_pointer else f"&{node.name}"
        return self.place(node) if isinstance(node.type, ArrayType) else f"&{self.place(node)}"

    # ---- expressions

    def top(self, node, type_):
        """An expression whose value is stored. A conversion that C does by itself is left out."""
        while isinstance(node, ir.Convert) and type_ is not boolean:
            node = node.operand
        return self.expression(node)

    def expression(self, node, above=0, side=""):
        text, level = getattr(self, f"of_{type(node).__name__}")(node)
        return f"({text})" if level < above or (level == above and side == "right") else text

    def operand(self, node, op, side):
        text, level = getattr(self, f"of_{type(node).__name__}")(node)
        mixed = level not in (PRECEDENCE[op], UNARY, PRIMARY) and (
            op in CONFUSING and level < PRIMARY and not _plain(op, level)
        )
        loose = level < PRECEDENCE[op] or (level == PRECEDENCE[op] and side == "right")
        return f"({text})" if loose or mixed else text

    def infix(self, op, left, right):
        return f"{self.operand(left, op, 'left')} {op} {self.operand(right, op, 'right')}", PRECEDENCE[op]

    def arithmetic(self, op, left, right, type_):
        """An operator whose result may reach the top of `type_`. C must not compute it as `int` from bare constants."""
        bare = op in ("+", "-", "*", "<<", ">>") and _is_constant(left) and (op in ("<<", ">>") or _is_constant(right))
        if not bare or type_.bits < 32:
            return self.infix(op, left, right)
        return (
            f"({type_name(type_)}){self.expression(left, UNARY)} {op} {self.operand(right, op, 'right')}",
            PRECEDENCE[op],
        )

    def complement(self, node):
        """`~` of an operand. As a 32-bit constant, it would lose the upper half of a 64-bit one."""
        if _is_constant(node) and node.type.bits == 64:
            return f"~(uint64_t){self.expression(node, UNARY)}"
        return f"~{self.expression(node, UNARY)}"

    def of_Literal(self, node):
        type_ = node.type
        if type_ is boolean:
            return ("true" if node.value else "false"), PRIMARY
        if node.symbol:
            named = is_enum(type_) or (is_flags(type_) and node.symbol in type_.members)
            return (constant_name(type_, node.symbol) if named else node.symbol), PRIMARY
        return number(node.value, node.value >= 1024), PRIMARY

    def of_Local(self, node):
        return node.name, PRIMARY

    def of_Load(self, node):
        place = self.place(node.place)
        return f"__atomic_load_n(&{place}, __ATOMIC_RELAXED)" if ir.is_shared(node.place) else place, PRIMARY

    def of_Length(self, node):
        return self.part(node.place, "length"), PRIMARY

    def of_Binary(self, node):
        op = "/" if node.op == "//" else node.op
        if _without_effect(node):
            return getattr(self, f"of_{type(node.left).__name__}")(node.left)
        if op == "<<" and node.type.bits < 64 and not (node.type is WORDS[32] and _has_own_width(node.left)):
            return f"({type_name(node.type)})({self.arithmetic(op, node.left, node.right, node.type)[0]})", UNARY
        return self.arithmetic(op, node.left, node.right, node.type)

    def of_Compare(self, node):
        return self.infix(node.op, _narrow(node.left), _narrow(node.right))

    def of_Not(self, node):
        inner = node.operand
        if isinstance(inner, ir.Not):
            return getattr(self, f"of_{type(inner.operand).__name__}")(inner.operand)
        if isinstance(inner, ir.Compare):
            return self.of_Compare(ir.Compare(OPPOSITE[inner.op], inner.left, inner.right, inner.type))
        if isinstance(inner, ir.Builtin) and inner.name == "subset":
            return self.subset(inner, "!=")
        return f"!{self.expression(inner, UNARY)}", UNARY

    def subset(self, node, op):
        """`(a & ~b) == 0`, or `!= 0` for its negation."""
        inner, outer = node.arguments
        return f"({self.operand(inner, '&', 'left')} & {self.complement(outer)}) {op} 0", PRECEDENCE["=="]

    def of_Logic(self, node):
        op = "&&" if node.op == "and" else "||"
        return f" {op} ".join(self.operand(item, op, "right") for item in node.operands), PRECEDENCE[op]

    def of_Conditional(self, node):
        parts = [self.expression(item, PRECEDENCE["?"] + 1) for item in (node.condition, node.then, node.other)]
        return f"{parts[0]} ? {parts[1]} : {parts[2]}", PRECEDENCE["?"]

    def of_Convert(self, node):
        if node.type is boolean:
            return self.infix("!=", node.operand, ir.Literal(0, node.operand.type))
        if isinstance(node.operand, ir.Literal):
            return self.of_Literal(node.operand)
        return f"({type_name(node.type)}){self.expression(node.operand, UNARY)}", UNARY

    def of_Truncate(self, node):
        if node.type.bits == 8 * node.type.storage or _is_short(node.operand, node.type.bits):
            return f"({type_name(node.type)}){self.expression(node.operand, UNARY)}", UNARY
        mask = ir.Literal(node.type.bound - 1, WORDS[8 * node.operand.type.storage], low_bits(node.type))
        return self.infix("&", node.operand, mask)

    def of_Builtin(self, node):
        name, arguments = node.name, node.arguments
        if name == "constant_table":
            return f"{arguments[0].symbol}[{self.expression(arguments[1])}]", PRIMARY
        if name == "implies":
            return self.infix("||", ir.Not(arguments[0], boolean), arguments[1])
        if name == "subset":
            return self.subset(node, "==")
        if name == "without":
            text = f"{self.operand(arguments[0], '&', 'left')} & {self.complement(arguments[1])}"
            return (f"({type_name(node.type)})({text})", UNARY) if node.type.bits < 32 else (text, PRECEDENCE["&"])
        if name in WRAPPING:
            return self.wrapping(WRAPPING[name], arguments, node.type)
        if name == "signed_less":
            left, right = (
                f"(int{8 * node.arguments[0].type.storage}_t){self.expression(argument, UNARY)}"
                for argument in arguments
            )
            return f"{left} < {right}", PRECEDENCE["<"]
        if name in SIZED:
            inner = ", ".join(self.top(argument, argument.type) for argument in arguments)
            return f"{name}_{arguments[0].type.bits}({inner})", PRIMARY
        inner = ", ".join(self.top(argument, WORDS[64]) for argument in arguments)
        return f"{name}({inner})", PRIMARY

    def wrapping(self, op, arguments, type_):
        """Unsigned arithmetic modulo the bound of `type_`, without C's promotion to `int`."""
        if type_.bits >= 32:
            text, level = self.arithmetic(op, *arguments, type_=type_)
            wide = any(isinstance(node, ir.Builtin) and node.name in WIDE for node in ir.walk(arguments))
            return (f"({type_name(type_)})({text})", UNARY) if wide and type_.bits == 32 else (text, level)
        wide = [ir.Convert(argument, WORDS[32]) for argument in arguments]
        text = self.infix(op, *wide)[0]
        if type_.bits != 8 * type_.storage:
            return f"({type_name(type_)})(({text}) & {low_bits(type_)})", UNARY
        return f"({type_name(type_)})({text})", UNARY

    def of_Call(self, node):
        parts = [
            self.top(argument, item.type) if is_scalar(item.type) else self.address(argument)
            for item, argument in zip(node.function.parameters, node.arguments)
        ]
        return f"{node.function.symbol}({', '.join(parts)})", PRIMARY


def number(value, hexadecimal):
    """An integer constant of C whose type holds its value."""
    text = hex(value) if hexadecimal else str(value)
    return f"{text}ull" if value > 0xFFFFFFFF else f"{text}u" if value > 0x7FFFFFFF else text


def clearing(type_):
    """The function that zeroes an array, if there is one. None calls `memset`, which the kernel does not have."""
    element = type_.element if isinstance(type_, ArrayType) else None
    return "clear_words" if element is WORDS[64] else "clear_halves" if element is WORDS[32] else None


def _has_own_width(node):
    """Does C compute a 32-bit operand as such, not as `int`?"""
    return isinstance(node, (ir.Convert, ir.Local, ir.Load, ir.Call))


def _narrow(node):
    """An operand of a comparison, not widened: C compares unsigned integers of any two widths directly."""
    while isinstance(node, ir.Convert) and node.type is not boolean and node.operand.type.bits <= node.type.bits:
        node = node.operand
    return node


def _without_effect(node):
    """Is the right operand a constant that leaves the left one unchanged?"""
    if not isinstance(node.right, ir.Literal) or node.right.symbol:
        return False
    return (node.op in ("<<", ">>") and node.right.value == 0) or (
        node.op == "&" and node.type is WORDS[64] and node.right.value == WORDS[64].bound - 1
    )


def _is_short(node, bits):
    """Does a shift leave no more than so many bits?"""
    return (
        isinstance(node, ir.Binary)
        and node.op == ">>"
        and isinstance(node.right, ir.Literal)
        and node.type.bits - node.right.value <= bits
    )


def _told_apart_by(node):
    """The word that a statement compares with a constant, or None.

    The statement returns if the two are equal, and does nothing else.
    """
    if isinstance(node, ir.If) and isinstance(node.condition, ir.Compare) and _returns(node.then) and not node.other:
        left, right = node.condition.left, node.condition.right
        if node.condition.op == "==" and isinstance(left, (ir.Load, ir.Local)) and isinstance(right, ir.Literal):
            return left
    return None


def _returns(statements):
    """Is a return the last of the statements?"""
    return bool(statements) and isinstance(statements[-1], ir.Return)


def _are_distinct(cases):
    """Does each statement compare with another constant?"""
    return len({case.condition.right.value for case in cases}) == len(cases)


def _returned_directly(statements):
    """The statements, with `x = f(...)` and `return x` merged into one."""
    out = []
    for node in statements:
        before = out[-1] if out else None
        if (
            isinstance(node, ir.Return)
            and isinstance(node.value, ir.Local)
            and isinstance(before, ir.Assign)
            and before.declares
            and before.target.name == node.value.name
            and before.target.type is node.value.type
        ):
            out[-1] = ir.Return(before.value, node.line, before.comments + node.comments)
        else:
            out.append(node)
    return out


def used_names(function):
    """The names of parameters and locals that a body mentions."""
    return {node.name for node in ir.walk(function.spoken) if isinstance(node, (ir.Local, ir.Root))} | {
        node.name for node in ir.walk(function.body) if isinstance(node, ir.Alias)
    }


def _is_constant(node):
    """Does an expression consist of constants alone, so that C gives it their type?"""
    if isinstance(node, ir.Conditional):
        return _is_constant(node.then) and _is_constant(node.other)
    if isinstance(node, ir.Binary):
        return _is_constant(node.left) and _is_constant(node.right)
    if isinstance(node, ir.Builtin):
        return node.name == "without" and all(_is_constant(argument) for argument in node.arguments)
    return isinstance(node, ir.Literal) or (isinstance(node, ir.Convert) and isinstance(node.operand, ir.Literal))


def _plain(op, level):
    """May an operator of this level stand beside `op` without parentheses?

    Comparisons in `&&` and sums in comparisons may.
    """
    if op in ("&&", "||"):
        return level > PRECEDENCE["&&"] and level not in (PRECEDENCE["&"], PRECEDENCE["|"], PRECEDENCE["^"])
    return op in ("==", "!=") and level in (PRECEDENCE["+"], PRECEDENCE["*"])


def written_names(function):
    """The names of places that a function writes through."""
    names, aliases = set(), {}
    for node in ir.walk(function.body):
        if isinstance(node, ir.Alias):
            aliases[node.name] = _root(node.place)
        elif isinstance(node, ir.Assign) and not isinstance(node.target, ir.Local):
            names.add(_root(node.target))
        elif isinstance(node, ir.Clear):
            names.add(_root(node.place))
        elif isinstance(node, (ir.Move, ir.Fill)):
            names.add(_root(node.target))
        elif isinstance(node, ir.Call):
            names |= {
                _root(argument)
                for item, argument in zip(node.function.parameters, node.arguments)
                if not is_scalar(item.type) and item.name in node.function.mutates
            }
    while True:
        more = {aliases[name] for name in names if name in aliases} - names
        if not more:
            return names
        names |= more


def _root(place):
    while not isinstance(place, ir.Root):
        place = place.base
    return place.name
