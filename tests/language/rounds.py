"""How are random functions outside the kernel written? They have slices, byte moves, and loops that say why they end.

Most of them are right. The others forget a promise, go too far, or let a measure stand still. `checked` checks that
each loop does what it says.
"""

import ast
from typing import Any

from corollary.language.types import SliceType, boolean, u8, u32, u64
from corollary.language.values import allocate
from tests.language.generator import HEADER, Helper, Writer, fill
from tests.language.shapes import UNSIGNED, Heap

OUTSIDE = {"While", "Move", "Fill", "Length"}
"""The constructs of the language that the kernel may not use: random functions of the kernel have none of them."""
PARAMETERS = [("h", Heap), ("seed", u8), ("x", u32), ("y", u64)]
ROOM = 6  # elements of a slice, and rounds of a loop that counts down


class _Hold(ast.NodeTransformer):
    """Put the checks of promises and measures where proofs require them."""

    def __init__(self):
        self.loops = 0

    def visit_While(self, node: Any):
        self.loops += 1
        name = f"_measure{self.loops}"
        values: list[Any] = [statement.value for statement in node.body if isinstance(statement, ast.Expr)]
        said = [value for value in values if value.func.id in ("maintains", "decreases")]
        promises = [
            ast.parse(f"holds({ast.unparse(call.args[0])})").body[0] for call in said if call.func.id == "maintains"
        ]
        (measure,) = (ast.unparse(call.args[0]) for call in said if call.func.id == "decreases")
        self.generic_visit(node)
        body = ast.parse(f"{name} = falls({measure}, {name})").body + node.body[len(said) :] + promises
        return [*promises, *ast.parse(f"{name} = None").body, ast.While(node.test, body, [])]


def checked(source):
    """Return the program with loops that raise `OutOfRange` where they break their promises."""
    return ast.unparse(ast.fix_missing_locations(_Hold().visit(ast.parse(source))))


class Outside(Writer):
    """Writes one function. `steady` is the probability that a step is right.

    Products and quotients are left out because a solver would take long for them.
    """

    operators = tuple(op for op in Writer.operators if op not in ("*", "//", "%"))
    machine_words = tuple(name for name in Writer.machine_words if name not in ("signed_divide", "signed_remainder"))

    def __init__(self, rng, name, parameters, returns, helpers, effects, size, steady):
        super().__init__(rng, name, parameters, returns, helpers, effects, size)
        self.steady, self.inside = steady, {}

    def right(self):
        return self.rng.random() < self.steady

    # ---- places

    def below(self, text, type_, writable, found):
        if not isinstance(type_, SliceType):
            return super().below(text, type_, writable, found)
        found.append((text, type_, writable))
        held = [name for name, slice_ in self.inside.items() if slice_ == text and name in self.scalars]
        if held or not self.right():
            index = self.rng.choice(held) if held and self.right() else self.position(text)
            super().below(f"{text}[{index}]", type_.element, writable, found)
        return None

    def position(self, text):
        """Return some position in a slice, or past its end."""
        held = [name for name, type_ in self.scalars.items() if type_ in UNSIGNED]
        return self.pick(
            str(self.rng.randrange(3)),
            "(seed & 3)",
            f"saturating_sub(length({text}), 1)",
            "wrapping_add(u32, x, 0xFFFFFFFE)",
            *held,
        )

    def slice(self, element=None, writable=True):
        """Return the text of a slice in scope, with elements of a type."""
        place = self.place_of(lambda kind: isinstance(kind, SliceType) and element in (None, kind.element), writable)
        return place and place[0]

    # ---- statements

    def statement(self, depth):
        options = (
            [super().statement] * 3 + [self.stored, self.moved, self.filled] + ([self.rounds] * 6 if depth < 3 else [])
        )
        return self.rng.choice(options)(depth) or ["pass"]

    def stored(self, depth):
        """Return a store to an existing element."""
        element = self.pick(u8, u64)
        slice_, at = self.slice(element), self.pick("x", "y", "h.at", "h.step", "wrapping_add(u32, x, 0xFFFFFFFE)")
        if slice_ is None:
            return None
        return [
            f"if {at} {'<' if self.right() else '<='} length({slice_}):",
            f"    {slice_}[{at}] = {self.value(element, 1)}",
        ]

    def span(self, slice_):
        """Return a position, a number of bytes, and the condition that they lie in a slice."""
        at, count = (
            self.pick("x", "y", "h.size", "h.at", "wrapping_add(u32, x, 0xFFFFFFFE)", "u64(seed & 3)") for _ in range(2)
        )
        fits = f"({at} <= length({slice_}) and {count} <= fits(u64, length({slice_}) - {at}))"
        return at, count, fits if self.right() else f"{at} <= length({slice_})"

    def moved(self, depth):
        element = self.pick(u8, u64)
        target, source = self.slice(element), self.slice(element, writable=False)
        if target is None:
            return None
        at, count, fits = self.span(target)
        first = self.pick("0", "h.step", "wrapping_sub(u32, x, 1)")
        held = (
            f"({first} <= length({source}) and {count} <= fits(u64, length({source}) - {first}))"
            if first != "0"
            else (f"{count} <= length({source})")
        )
        return [
            f"if {fits}{f' and {held}' if self.right() else ''}:",
            f"    move({target}, {at}, {source}, {first}, {count})",
        ]

    def filled(self, depth):
        target = self.slice(u8)
        if target is None:
            return None
        at, count, fits = self.span(target)
        return [f"if {fits}:", f"    fill({target}, {at}, {self.value(u8, 1)}, {count})"]

    def rounds(self, depth):
        self.fresh += 1
        kept = dict(self.scalars), dict(self.inside)
        lines = self.pick(
            self.upward, self.upward, self.downward, self.halved, self.held if self.effects else self.upward
        )(f"n{self.fresh}", depth)
        self.scalars, self.inside = kept
        return lines

    def round(self, name, depth):
        """Return the body of a round, which seldom assigns the loop's counter."""
        if self.right():
            self.loops.add(name)
        lines = self.indent(self.block(depth + 1, 2), 1)
        self.loops.discard(name)
        return lines

    def said(self, measure, *promises):
        """Return what a loop promises, which is sometimes less than is needed."""
        return [f"    maintains({promise})" for promise in promises if self.right()] + [f"    decreases({measure})"]

    def more(self):
        """Return an additional condition of a loop, sometimes."""
        return "" if self.rng.random() < 0.7 else f" and {self.condition(1)}"

    def upward(self, name, depth):
        """Loop over the elements of a slice."""
        slice_ = self.slice(writable=False)
        self.scalars[name] = u64
        self.inside[name] = slice_
        lines = [
            f"{name}: u64 = {self.pick('0', '0', 'h.size', 'u64(x)') if not self.right() else '0'}",
            f"while {name} {'<' if self.right() else '<='} length({slice_}){self.more()}:",
        ]
        lines += self.said(f"fits(u64, length({slice_}) - {name})", f"{name} <= length({slice_})")
        lines += self.round(name, depth)
        return [*lines, f"    {name} = fits(u64, {name} + {1 if self.right() else 2})"]

    def downward(self, name, depth):
        """Loop a given number of times."""
        lines = [f"{name}: u32 = minimum({self.typed(u32, 1)}, {ROOM})"]
        self.scalars[name] = u32
        lines += [f"while {name} > 0{self.more()}:", *self.said(name, f"{name} <= {ROOM}")]
        lines += [f"    {name} = fits(u32, {name} - {1 if self.right() else 2})"]
        return lines + self.round(name, depth)

    def halved(self, name, depth):
        """Loop once for each bit of a number."""
        lines = [f"{name}: u32 = {self.value(u32, 1)}"]
        self.scalars[name] = u32
        step = self.pick(
            f"fits(u32, {name} >> 1)", f"(fits(u32, {name} & fits(u32, {name} - 1)))", f"fits(u32, {name} // 2)"
        )
        lines += [f"while {name} != 0{self.more()}:", *self.said(name)]
        return [*lines, *self.round(name, depth), f"    {name} = {step}"]

    def held(self, name, depth):
        """Loop as often as a field says, which others may write."""
        field, type_ = self.pick(("h.size", "u64"), ("h.at", "u32"))
        lines = [f"while {field} > 0 and {field} < {2 * ROOM}:", *self.said(field)]
        return [*lines, *self.round(name, depth), f"    {field} = fits({type_}, {field} - {1 if self.right() else 0})"]


def functions(rng, count, size, steady):
    """Return the marked source of a module and its functions.

    Of three functions, the first is a helper of the others.
    """
    helpers, entries, parts = [], [], [HEADER]
    for number in range(count):
        entry = number % 3 != 0
        effects = entry or rng.random() < 0.5
        returns = rng.choice((None, *UNSIGNED, boolean) if effects else (*UNSIGNED, boolean))
        name = f"{'f' if entry else 'g'}{number}"
        parts.append(
            Outside(rng, name, PARAMETERS, returns, helpers[-3:], effects, size if entry else 1, steady).source()
        )
        (entries if entry else helpers).append(Helper(name, PARAMETERS, returns, effects))
    return "\n\n".join(parts), entries


def heap(rng):
    """Return a random state: slices of a few elements, and numbers that are often positions in them."""
    made = Heap()
    allocate(made, **{name: rng.randrange(ROOM) for name, type_ in Heap.fields.items() if isinstance(type_, SliceType)})
    fill(rng, made, rng.choice((0.3, 0.7, 1.0)))
    return made
