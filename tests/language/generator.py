"""How are random well-typed programs written? As source text in which every operator states its type.

`fits(u8, a + b)` and `below(8, n)` mark the obligations of the language where Python itself would go on with an exact
integer. The marked text is the checked program; `plain` removes the marks.
"""

import ast
from inspect import signature

from corollary.language.builtins import BUILTINS, TYPED, WRAPPING
from corollary.language.types import ArrayType, boolean, holds_slice, is_enum, is_scalar, is_table, u8, u32, u64
from tests.language import shapes
from tests.language.shapes import (
    BYTES,
    INDICES,
    SCALARS,
    UNSIGNED,
    WORDS,
    Inner,
    Lane,
    Marks,
    Right,
    Row,
    Slot,
    State,
    Words,
)

NUMBERS = (*UNSIGNED, *INDICES)
TRUTHS = ("signed_less", "signed_overflows")
MACHINE = tuple(function.__name__ for function in TYPED if function not in WRAPPING and function.__name__ not in TRUTHS)
HEADER = "from tests.language.shapes import *\n"
NAMES = {id(item): name for name, item in vars(shapes).items() if not name.startswith("_")}
POOL = ("p", "q", "r", "v", "w")
AGGREGATES = (Row, Inner, Marks, Words)


def spelled(type_):
    """Return the name of a type in the source."""
    if type_ is boolean:
        return "bool"
    if id(type_) in NAMES:
        return NAMES[id(type_)]
    return f"Array[{spelled(type_.element)}, {type_.length}]"


class _Strip(ast.NodeTransformer):
    def visit_Call(self, node):
        self.generic_visit(node)
        marked = isinstance(node.func, ast.Name) and node.func.id in ("fits", "below")
        return node.args[1] if marked else node


def plain(source):
    """Return the program without the marks of its obligations."""
    return ast.unparse(_Strip().visit(ast.parse(source)))


def alike(left, right):
    """Are two aggregate types the same?"""
    if isinstance(left, ArrayType) and isinstance(right, ArrayType):
        return (left.element, left.length, left.index) == (right.element, right.length, right.index)
    return left is right


class Helper:
    """A generated function that later ones may call."""

    def __init__(self, name, parameters, returns, effects):
        self.name, self.parameters, self.returns, self.effects = name, parameters, returns, effects


class Writer:
    """Writes one function."""

    operators = ("+", "+", "-", "*", "//", "%", "&", "|", "^")
    machine_words = MACHINE

    def __init__(self, rng, name, parameters, returns, helpers, effects, size):
        self.rng, self.name, self.parameters, self.returns = rng, name, parameters, returns
        self.helpers, self.effects, self.size = helpers, effects, size
        self.scalars = {key: type_ for key, type_ in parameters if is_scalar(type_)}
        self.places = {key: (type_, effects) for key, type_ in parameters if not is_scalar(type_)}
        self.loops, self.fresh = set(), 0

    def source(self):
        """Return the whole definition."""
        inner = ", ".join(f"{key}: {spelled(type_)}" for key, type_ in self.parameters)
        result = spelled(self.returns) if self.returns else "None"
        lines = [f"def {self.name}({inner}) -> {result}:", '    """Generated."""']
        lines += self.block(1, self.size)
        if self.effects:
            lines += self.indent(self.must_store(), 1)
        lines += [f"    return {self.value(self.returns, 2)}"] if self.returns else []
        return "\n".join(lines) + "\n"

    def pick(self, *choices):
        return self.rng.choice(choices)

    @staticmethod
    def indent(lines, depth):
        return [f"{'    ' * depth}{line}" for line in lines]

    # ---- places

    def reachable(self, root=None):
        """Return every place below the places in scope: text pattern, type, and whether it may be written."""
        found = []
        for name, (type_, writable) in self.places.items():
            if root is None or name == root:
                self.below(name, type_, writable, found)
        return found

    def below(self, text, type_, writable, found):
        found.append((text, type_, writable))
        if isinstance(type_, ArrayType):
            self.below(f"{text}[{self.index(type_)}]", type_.element, writable, found)
        elif not is_scalar(type_):
            for key, field in type_.fields.items():
                self.below(f"{text}.{key}", field, writable, found)

    def index(self, array):
        wanted = array.index
        if wanted is not None:
            held = [key for key, type_ in self.scalars.items() if type_ is wanted]
            loops = sorted(self.loops & set(self.scalars))
            options = [str(self.rng.randrange(wanted.bound))] + held * 3 + [f"{wanted.name}({key})" for key in loops]
            return self.rng.choice(options)
        options = [
            str(self.rng.randrange(array.length)),
            f"(seed & {array.length - 1 if array.length != 3 else 1})",
            *sorted(self.loops & set(self.scalars)),
            "seed % LIMIT" if array.length > 2 else "0",
            f"(1 if {self.name_of(boolean) or 'True'} else 0)",
        ]
        return self.rng.choice(options)

    def name_of(self, type_):
        held = [key for key, kind in self.scalars.items() if kind is type_]
        return self.rng.choice(held) if held else None

    def place_of(self, accept, writable=False):
        """Return the text of a random place with a type that `accept` accepts, or None."""
        found = [item for item in self.reachable() if accept(item[1]) and (item[2] or not writable)]
        return self.rng.choice(found) if found else None

    # ---- expressions

    def value(self, type_, depth):
        """Return an expression that fits where a `type_` is wanted: of that type, narrower, or an open literal."""
        roll = self.rng.random()
        if type_ in UNSIGNED and roll < 0.15:
            narrow = [item for item in NUMBERS if item is not type_ and item.bits <= type_.bits]
            return self.typed(self.rng.choice(narrow), depth) if narrow else self.literal(type_)
        if type_ in NUMBERS and roll < 0.22:
            return f"({self.literal(type_)} if {self.condition(depth - 1)} else {self.literal(type_)})"
        return self.literal(type_) if type_ in NUMBERS and roll < 0.3 else self.typed(type_, depth)

    def literal(self, type_):
        """Return a constant of type `type_`."""
        if type_ is boolean:
            return self.pick("True", "False")
        if is_enum(type_):
            return f"{type_.name}.{self.rng.choice(list(type_)).name}"
        if type_ is Right:
            return self.pick("Right.READ", "Right.WRITE", "Right.GRANT", "(Right.READ | Right.GRANT)")
        top = type_.bound - 1
        edge = [str(number) for number in (0, 1, 2, 3, top, 0x8000_0000, 2_000_000_000) if number <= top]
        edge += ["LIMIT"] * 2 if top >= 3 else []
        edge += ["LARGE"] if top > shapes.LARGE else []
        return self.rng.choice(edge)

    def typed(self, type_, depth):
        """Return an expression of type `type_`."""
        if depth <= 0:
            return self.leaf(type_)
        if type_ is boolean:
            return self.condition(depth)
        options = [self.leaf, self.leaf]
        if type_ in NUMBERS:
            options += [self.arithmetic] * 6 + [self.shift, self.guarded, self.guarded, self.bounded]
        if type_ in UNSIGNED or type_ is Lane:
            options += [self.wrapping, self.wrapping]
        if type_ in UNSIGNED:
            options += [self.machine, self.machine]
        if type_ is Right:
            options += [self.flags, self.flags]
        if type_ in (u8, u64):
            options += [self.constant_table]
        if type_ in (u32, u64):
            options += [self.special]
        options += [self.conversion, self.conditional, self.call]
        return self.rng.choice(options)(type_, depth - 1)

    def leaf(self, type_, depth=0):
        options = [key for key, kind in self.scalars.items() if kind is type_]
        for _ in range(2):
            place = self.place_of(lambda kind: kind is type_)
            options += [place[0]] if place else []
        if not options or self.rng.random() < 0.1:
            return self.literal(type_) if type_ not in NUMBERS else f"{type_.name}({self.literal(type_)})"
        return self.rng.choice(options)

    def pair(self, type_, depth):
        """Return two operands, at least one of type `type_`, in either order."""
        both = [self.typed(type_, depth), self.value(type_, depth)]
        if self.rng.random() < 0.3:
            both.reverse()
        return both

    def arithmetic(self, type_, depth):
        op = self.rng.choice(self.operators)
        left, right = self.pair(type_, depth)
        if op in ("//", "%") and self.rng.random() < 0.8:
            left, right = self.typed(type_, depth), str(self.rng.randrange(1, type_.bound if type_.bound < 9 else 9))
        return f"fits({type_.name}, ({left} {op} {right}))"

    def guarded(self, type_, depth):
        """Return arithmetic under the condition that makes it fit."""
        a, b = self.leaf(type_), self.leaf(type_)
        top = type_.bound - 1
        return self.pick(
            f"(fits({type_.name}, ({a} - {b})) if {a} >= {b} else {b})",
            f"(fits({type_.name}, ({a} + 1)) if {a} < {top} else {b})",
            f"(fits({type_.name}, ({a} + {b})) if {a} < {top // 2} and {b} < {top // 2} else {a})",
            f"(fits({type_.name}, ({a} // {b})) if {b} != 0 else {a})",
        )

    def shift(self, type_, depth):
        op = self.pick("<<", ">>", ">>")
        left = self.typed(type_, depth)
        if op == "<<" and self.rng.random() < 0.5:
            left = f"{type_.name}(1)"
        wide = self.rng.choice(NUMBERS)
        right = self.pick(
            str(self.rng.randrange(type_.bits)),
            f"below({type_.bits}, {self.typed(wide, 0)})",
            f"fits(u8, seed % {type_.bits})",
        )
        return f"fits({type_.name}, ({left} {op} {right}))"

    def bounded(self, type_, depth):
        name = self.pick("minimum", "maximum", "saturating_sub", "without")
        left, right = self.pair(type_, depth)
        return f"{name}({left}, {right})"

    def wrapping(self, type_, depth):
        name = self.pick("wrapping_add", "wrapping_sub", "wrapping_mul")
        return f"{name}({type_.name}, {self.value(type_, depth)}, {self.value(type_, depth)})"

    def machine(self, type_, depth):
        """Return an operation on a machine word of some width: shift, rotation, count of bits, or signed arithmetic."""
        name = self.rng.choice(self.machine_words)
        if name == "sign_extend":
            return f"sign_extend({type_.name}, {self.value(type_, depth)}, {self.rng.randrange(1, type_.bits + 1)})"
        if len(signature(BUILTINS[name]).parameters) == 2:
            return f"{name}({type_.name}, {self.value(type_, depth)})"
        right = self.value(type_, depth)
        if name in ("signed_divide", "signed_remainder") and self.rng.random() < 0.8:
            right = str(self.rng.randrange(1, type_.bound - 1))
        return f"{name}({type_.name}, {self.value(type_, depth)}, {right})"

    def signed(self, depth):
        """Return a comparison of two words as signed numbers."""
        type_ = self.rng.choice(UNSIGNED)
        return f"{self.pick(*TRUTHS)}({type_.name}, {self.value(type_, depth)}, {self.value(type_, depth)})"

    def flags(self, type_, depth):
        left, right = self.typed(Right, depth), self.typed(Right, depth)
        return self.pick(
            f"without({left}, {right})",
            f"({left} {self.pick('&', '|', '^')} {right})",
            f"Right.truncate({self.typed(self.rng.choice(NUMBERS), depth)})",
        )

    def constant_table(self, type_, depth):
        name, values = ("BYTES", BYTES) if type_ is u8 else ("WORDS", WORDS)
        index = self.pick(
            f"fits(u8, (seed % {len(values)}))",
            str(self.rng.randrange(len(values))),
            *([self.leaf(Slot)] if values is BYTES else []),
        )
        return f"{name}[{index}]"

    def special(self, type_, depth):
        if type_ is u32:
            return self.pick(
                f"rotate_right({self.value(u32, depth)}, {self.rng.randrange(1, 32)})",
                f"byte_swap({self.value(u32, depth)})",
            )
        place = self.place_of(lambda kind: kind in (Row, Inner))
        return f"word({place[0]}, {self.rng.randrange(2)})" if place else self.leaf(u64)

    def conversion(self, type_, depth):
        source = self.rng.choice([item for item in SCALARS if item is not type_])
        if source is boolean:
            return f"{type_.name}({self.condition(depth)})" if type_ in UNSIGNED else self.leaf(type_)
        if type_ in UNSIGNED or type_ in (Lane, Right):
            if self.rng.random() < 0.6:
                return f"{type_.name}.truncate({self.typed(source, depth)})"
        if type_ in INDICES and self.rng.random() < 0.6:
            word = self.rng.choice(UNSIGNED[1:])
            return f"{type_.name}(fits({word.name}, ({self.typed(word, depth)} % {type_.bound})))"
        return f"{type_.name}({self.typed(source, depth)})"

    def conditional(self, type_, depth):
        then, other = self.pair(type_, depth)
        return f"({then} if {self.condition(depth)} else {other})"

    def call(self, type_, depth):
        """Return a call of a helper without effects."""
        fitting = [item for item in self.helpers if item.returns is type_ and not item.effects]
        text = self.invocation(self.rng.choice(fitting), depth) if fitting else None
        return text or self.leaf(type_)

    def invocation(self, helper, depth):
        arguments = []
        for _, type_ in helper.parameters:
            if is_scalar(type_):
                arguments.append(self.value(type_, depth))
                continue
            place = self.place_of(lambda kind, wanted=type_: alike(kind, wanted), helper.effects)
            if place is None:
                return None
            arguments.append(place[0])
        return f"{helper.name}({', '.join(arguments)})"

    def condition(self, depth):
        """Return a bool expression."""
        if depth <= 0:
            return self.leaf(boolean)
        kind = self.rng.choice(SCALARS)
        inner = [self.typed(boolean, depth - 1) for _ in range(3)]
        options = [
            f"({inner[0]} and {inner[1]})",
            f"({inner[0]} or {inner[1]} or {inner[2]})",
            f"(not {inner[0]})",
            f"implies({inner[0]}, {inner[1]})",
            f"({inner[0]} {self.pick('&', '|', '^')} {inner[1]})",
            f"subset({self.typed(Right, depth - 1)}, {self.typed(Right, depth - 1)})",
            f"subset({self.typed(u64, depth - 1)}, {self.literal(u64)})",
            self.equality(kind, depth - 1),
            self.signed(depth - 1),
            self.order(depth - 1),
            self.order(depth - 1),
            self.leaf(boolean),
            self.call(boolean, depth - 1),
        ]
        return self.rng.choice(options)

    def equality(self, kind, depth):
        other = self.value(kind, depth) if kind in UNSIGNED else self.typed(kind, depth)
        return f"({self.typed(kind, depth)} {self.pick('==', '!=')} {other})"

    def order(self, depth):
        one, two, three = (self.rng.choice(NUMBERS) for _ in range(3))
        ops = [self.pick("<", "<=", ">", ">=") for _ in range(2)]
        text = f"{self.typed(one, depth)} {ops[0]} {self.typed(two, depth)}"
        return f"({text} {ops[1]} {self.typed(three, depth)})" if self.rng.random() < 0.3 else f"({text})"

    # ---- statements

    def block(self, depth, size):
        """Return the lines of a block; names declared in it end with it."""
        kept, places = dict(self.scalars), dict(self.places)
        lines = [line for _ in range(self.rng.randrange(1, size + 1)) for line in self.statement(depth)] or ["pass"]
        if depth > 1:
            self.scalars, self.places = kept, places
            return lines
        return self.indent(lines, 1)

    def statement(self, depth):
        options = [
            self.assign,
            self.assign,
            self.declare,
            self.store,
            self.store,
            self.store,
            self.augment,
            self.alias,
            self.make_local,
            self.clear,
            self.effect,
            self.early,
        ]
        options += [self.branch, self.branch, self.loop] if depth < 3 else []
        return self.rng.choice(options)(depth) or ["pass"]

    def declare(self, depth):
        free = [name for name in POOL if name not in self.scalars]
        if not free:
            return None
        name, type_ = self.rng.choice(free), self.rng.choice(SCALARS)
        value = self.value(type_, 2)
        self.scalars[name] = type_
        return [f"{name}: {spelled(type_)} = {value}"]

    def assign(self, depth):
        held = [name for name in self.scalars if name not in self.loops and name != "seed"]
        if not held:
            return None
        name = self.rng.choice(held)
        return [f"{name} = {self.value(self.scalars[name], 3)}"]

    def store(self, depth):
        place = self.place_of(is_scalar, writable=True)
        return place and [f"{place[0]} = {self.value(place[1], 3)}"]

    def must_store(self):
        roots = [name for name, type_ in self.parameters if not is_scalar(type_)]
        found = [item for item in self.reachable(roots[0]) if is_scalar(item[1])]
        text, type_, _ = self.rng.choice(found)
        return [f"{text} = {self.value(type_, 1)}"]

    def augment(self, depth):
        place = self.place_of(lambda kind: kind in UNSIGNED, writable=True)
        if place is None:
            return None
        text, type_, _ = place
        return (
            [f"if {text} < {type_.bound // 2}:", f"    {text} = fits({type_.name}, {text} + 1)"]
            if (self.rng.random() < 0.5)
            else [f"{text} {self.pick('^=', '|=', '&=', '>>=')} {self.rng.randrange(1, 8)}"]
        )

    def alias(self, depth):
        place = self.place_of(lambda kind: not is_scalar(kind))
        if place is None:
            return None
        self.fresh += 1
        name = f"alias{self.fresh}"
        self.places[name] = (place[1], place[2])
        return [f"{name} = {place[0]}"]

    def make_local(self, depth):
        self.fresh += 1
        name, type_ = f"local{self.fresh}", self.rng.choice(AGGREGATES)
        self.places[name] = (type_, True)
        return [f"{name} = local({spelled(type_)})"]

    def clear(self, depth):
        place = self.place_of(lambda kind: not is_scalar(kind) and not holds_slice(kind), writable=True)
        if place is None or self.rng.random() < 0.4:
            return None
        return self.clear_under_alias(*place) or [f"clear({place[0]})"]

    def clear_under_alias(self, text, type_, writable):
        """Clear a place while a part of it has another name, then write through that name."""
        found = []
        self.below(text, type_, writable, found)
        inner = [item for item in found[1:] if not is_scalar(item[1])]
        if not inner or self.rng.random() < 0.3:
            return None
        part, kind, _ = self.rng.choice(inner)
        self.fresh += 1
        name, found = f"alias{self.fresh}", []
        self.below(name, kind, writable, found)
        stored, wanted, _ = self.rng.choice([item for item in found if is_scalar(item[1])])
        self.places[name] = (kind, writable)
        return [f"{name} = {part}", f"clear({text})", f"{stored} = {self.value(wanted, 1)}"]

    def effect(self, depth):
        """Return a call with effects, on its own line."""
        fitting = [item for item in self.helpers if item.effects]
        helper = self.rng.choice(fitting) if fitting and self.effects else None
        text = helper and self.invocation(helper, 1)
        if not text:
            return None
        if helper.returns is None:
            return [text]
        held = [key for key, kind in self.scalars.items() if kind is helper.returns and key in POOL]
        if held:
            return [f"{held[0]} = {text}"]
        self.fresh += 1
        self.scalars[f"got{self.fresh}"] = helper.returns
        return [f"got{self.fresh} = {text}"]

    def early(self, depth):
        value = f" {self.value(self.returns, 2)}" if self.returns else ""
        return [f"if {self.condition(2)}:", f"    return{value}"]

    def branch(self, depth):
        lines = [f"if {self.condition(2)}:", *self.indent(self.block(depth + 1, 2), 1)]
        if self.rng.random() < 0.4:
            lines += [f"elif {self.condition(2)}:", *self.indent(self.block(depth + 1, 2), 1)]
        if self.rng.random() < 0.5:
            lines += ["else:", *self.indent(self.block(depth + 1, 2), 1)]
        return lines

    def loop(self, depth):
        name = f"i{depth}"
        if name in self.scalars:
            return None
        kept = dict(self.scalars)
        self.scalars[name] = u32
        self.loops.add(name)
        lines = [
            f"for {name} in range({self.pick('2', 'LIMIT', '1', '0')}):",
            *self.indent(self.block(depth + 1, 2), 1),
        ]
        self.scalars = kept
        return lines


def program(rng, count):
    """Return the checked source of a module and its functions: first helpers `h*`, then `f*` on the whole state."""
    helpers, entries, parts = [], [], [HEADER]
    for number in range(count):
        entry = number % 4 != 0
        effects = entry or rng.random() < 0.5
        shape = State if entry else rng.choice(AGGREGATES)
        parameters = [("s", shape), ("seed", u8), ("x", rng.choice(SCALARS)), ("y", rng.choice(SCALARS)), ("at", Slot)]
        returns = None if effects and rng.random() < 0.1 else rng.choice(SCALARS)
        name = f"{'f' if entry else 'h'}{number}"
        callable_ = rng.sample(helpers, min(len(helpers), 12))
        parts.append(
            Writer(
                rng, name, parameters, returns, callable_ if entry else callable_[:3], effects, 6 if entry else 2
            ).source()
        )
        (entries if entry else helpers).append(Helper(name, parameters, returns, effects))
    return "\n\n".join(parts), entries


def random_scalar(rng, type_):
    """Return a value of `type_`, mostly small or at a boundary."""
    if type_ is boolean:
        return rng.random() < 0.5
    if is_enum(type_):
        return rng.choice(list(type_))
    top = type_.bound - 1
    number = rng.choice([rng.randrange(4), rng.randrange(4), rng.randrange(12), rng.randint(0, top), top, top // 2 + 1])
    return min(number, top)


def fill(rng, value, chance):
    """Give each scalar below a record or array a random value with probability `chance`."""
    if is_table(getattr(value, "type", None)):
        for index in range(len(value)):
            if not value.scalar:
                fill(rng, value[index], chance)
            elif rng.random() < chance:
                value[index] = random_scalar(rng, value.type.element)
        return value
    for key, type_ in value.fields.items():
        if not is_scalar(type_):
            fill(rng, getattr(value, key), chance)
        elif rng.random() < chance:
            setattr(value, key, random_scalar(rng, type_))
    return value
