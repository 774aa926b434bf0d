"""What does a function of the language mean in Z3? The second reading of the IR.

A `Store` maps each scalar field of the state to an uninterpreted function of its table indices plus a list of guarded
writes. The symbolic execution of a function appends writes and collects *obligations*: every `+ - * <<` fits, every
index is in range, every conversion belongs to its type. Nothing is quantified: terms mention exactly the rows that the
program touched.
"""

from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import z3

from corollary.language import ir
from corollary.language.contracts import OLD, RESULT
from corollary.language.reads import note
from corollary.language.types import ArrayType, SliceType, boolean, is_scalar, u32, u64
from corollary.proofs import bits, second

LENGTH = "length"  # the part of a path after a slice that stands for its number of elements


class Guard:
    """The path condition of a statement: a chain of branch conditions."""

    __slots__ = ("parent", "condition", "depth", "_term", "_beyond")

    def __init__(self, parent=None, condition=True):
        self.parent, self.condition = parent, condition
        self.depth = parent.depth + 1 if parent else 0
        self._term, self._beyond = None, {}

    def extend(self, condition):
        """Return this guard extended by `condition`."""
        return self if condition is True else Guard(self, condition)

    @property
    def term(self):
        """The whole conjunction as one value."""
        if self._term is None:
            self._term = bits.conjoin([self.parent.term, self.condition]) if self.parent else self.condition
        return self._term

    def beyond(self, other):
        """What must hold in addition to `other` for this guard to hold; True when `other` implies it."""
        if other not in self._beyond:
            self._beyond[other] = self._added_to(other)
        return self._beyond[other]

    def _added_to(self, other):
        """Compute what `beyond` returns."""
        mine: Any = self
        theirs: Any = other
        while theirs.depth > mine.depth:
            theirs = theirs.parent
        conditions = []
        while mine is not theirs:
            if mine.depth > theirs.depth:
                conditions.append(mine.condition)
                mine = mine.parent
            else:
                theirs = theirs.parent
        return bits.conjoin(conditions[::-1])


TOP = Guard()


@dataclass(frozen=True)
class Write:
    """One guarded store; an index of None stands for every position (`clear`)."""

    guard: Guard
    indices: tuple
    value: Any
    older: Any

    def at(self, indices):
        """Return what was stored at these indices."""
        return self.value


@dataclass(frozen=True)
class Unknown(Write):
    """A write of anything below the given indices: `value` is a function of the indices that follow."""

    def at(self, indices):
        """Return the value at these indices."""
        return self.value(*indices[len(self.indices) :])


@dataclass(frozen=True)
class Obligation:
    """`condition` must hold whenever `guard` does."""

    guard: Guard
    condition: Any
    what: str
    where: str


@dataclass(frozen=True)
class Reference:
    """A place: a root object, the field names below it and the index values on the way."""

    root: str
    path: tuple
    indices: tuple
    type: Any

    def field(self, name, type_):
        """The field `name`."""
        return Reference(self.root, (*self.path, name), self.indices, type_)

    def element(self, index):
        """The element at `index`."""
        return Reference(self.root, (*self.path, "[]"), (*self.indices, index), self.type.element)


def index_type(array):
    """The type whose width an index of `array` has in Z3."""
    return u64 if isinstance(array, SliceType) else array.index or u32


def along(type_: Any, path):
    """Return the type at the end of a path below a type, with the index types and array lengths on the way."""
    types, lengths = [], []
    for part in path:
        if part == "[]":
            types.append(index_type(type_))
            lengths.append(type_.length)
            type_ = type_.element
        elif part == LENGTH:
            type_ = u64
        else:
            type_ = type_.fields[part]
    return type_, types, lengths


class Store:
    """The contents of every root object: base values and guarded writes."""

    def __init__(self, symbolic, heads=None, shared=None):
        self.symbolic = symbolic
        self.heads = dict(heads or {})
        self.shared: dict[str, Any] = shared if shared is not None else {"functions": {}, "reads": {}, "alias": {}}

    def view(self, name, of, state):
        """Make the object `of`, as `state` left it, readable under another name."""
        self.shared["alias"][name] = self.shared["alias"].get(of, of)
        self.heads.update({(name, path): node for (root, path), node in state.heads.items() if root == of})

    def fork(self):
        """A copy whose later writes are its own; base values and reads stay common."""
        return Store(self.symbolic, self.heads, self.shared)

    def base(self, reference, types):
        """The value before any write: an uninterpreted function of the indices, or zero for locals."""
        root = self.shared["alias"].get(reference.root, reference.root)
        if root not in self.symbolic:
            return False if reference.type is boolean else 0
        name = f"{root}.{'.'.join(reference.path)}"
        arguments = [bits.term(value, type_) for value, type_ in zip(reference.indices, types)]
        key = (name, tuple(a.get_id() for a in arguments))
        if key not in self.shared["reads"]:
            value = (
                self.declare(name, types, reference.type)(*arguments)
                if arguments
                else z3.Const(name, bits.sort(reference.type))
            )
            self.shared["reads"][key] = (root, reference, types, arguments, value)
        return self.shared["reads"][key][4]

    def numbered(self):
        """Return all that was read, in order: `(id of the term, id of the function that it applies, read)`."""
        numbered = self.shared.setdefault("numbered", [])
        for read in islice(self.shared["reads"].values(), len(numbered), None):
            term = read[-1]
            numbered.append((term.get_id(), bits.declaration(term, term.as_ast()), read))
        return numbered

    def declare(self, name, types, result):
        """The uninterpreted function of a field."""
        functions = self.shared["functions"]
        if name not in functions:
            functions[name] = z3.Function(name, *(bits.sort(type_) for type_ in types), bits.sort(result))
        return functions[name]

    def named(self, value):
        """Return a name for a value whose definition a question may not need.

        Where nobody keeps definitions, return the value itself.
        """
        names = self.shared.get("names")
        if names is None or bits.known(value) or value.num_args() == 0:
            return value
        if value.get_id() not in names:  # the same value has the same name
            names[value.get_id()] = Name(z3.FreshConst(value.sort(), "named"), value)
        return names[value.get_id()].name

    def read(self, reference, types, guard):
        """The value of a scalar as seen by a statement that runs under `guard`."""
        node, pending = self.heads.get((reference.root, reference.path)), []
        while node is not None:
            hit = bits.conjoin(
                [
                    node.guard.beyond(guard),
                    *(_equal(a, b, type_) for a, b, type_ in zip(node.indices, reference.indices, types)),
                ]
            )
            if hit is True:
                break
            if hit is not False:
                pending.append((hit, moved(node.at(reference.indices), node.indices, reference.indices)))
            node = node.older
        value = node.at(reference.indices) if node is not None else self.base(reference, types)
        for hit, newer in reversed(pending):
            value = bits.choose(hit, newer, value, reference.type)
        return value

    def write(self, reference, value, guard):
        """Store a scalar under `guard`."""
        key = (reference.root, reference.path)
        self.heads[key] = Write(guard, reference.indices, value, self.heads.get(key))


def moved(value, written, wanted):
    """Return a stored value in terms of the indices that are read, which are the same where it counts."""
    apart = [
        (old, new)
        for old, new in zip(written, wanted)
        if not bits.known(value, old, new) and z3.is_expr(old) and z3.is_expr(new)
    ]
    return z3.substitute(value, *apart) if apart and z3.is_expr(value) else value


def _equal(written, wanted, type_):
    return True if written is None else bits.compare("==", written, wanted, type_)


def belongs(value, type_):
    """The condition that a term of the sort of `type_` is one of its values."""
    if type_.exact:
        return True
    if hasattr(type_, "_value2member_map_"):
        numbers = sorted(int(member) for member in type_)
        if numbers != list(range(len(numbers))):
            return bits.disjoin([bits.compare("==", value, number, type_) for number in numbers])
    return bits.compare("<", value, type_.bound, type_) if type_.bound < 1 << type_.bits else True


@dataclass(frozen=True)
class Name:
    """A constant that stands for a value."""

    name: Any
    value: Any


def is_walk(function):
    """Does the function only read, in a loop? Its result is a large term that seldom matters as such."""
    return (
        function.returns is not None
        and not function.mutates
        and any(isinstance(node, ir.For) for node in function.body)
    )


class Frame:
    """The locals of one running function."""

    def __init__(self, function, guard):
        self.function, self.entry, self.guard = function, guard, guard
        self.scalars, self.types, self.places = {}, {}, {}
        self.returned = []
        self.given = {}  # what the clauses of its contract refer to, on entry

    def at(self, name, value, type_, guard):
        """Return a copy with one more local, under another guard."""
        frame = Frame(self.function, guard)
        frame.scalars, frame.types, frame.places = (
            {**self.scalars, name: value},
            {**self.types, name: type_},
            dict(self.places),
        )
        return frame


def entered(function, arguments, guard):
    """Return the frame of a function on entry with these arguments."""
    frame = Frame(function, guard)
    for parameter, value in zip(function.parameters, arguments):
        if is_scalar(parameter.type):
            frame.scalars[parameter.name], frame.types[parameter.name] = value, parameter.type
        else:
            frame.places[parameter.name] = value
    return frame


def is_loop(function):
    """Is the function a single loop that may change something?"""
    return len(function.body) == 1 and isinstance(function.body[0], ir.For) and bool(function.mutates)


class Executor:
    """A symbolic executor: it runs IR functions on a store.

    It collects obligations, and the returns of each function.
    """

    def __init__(self, store):
        self.store = store
        self.obligations = []
        self.returns = {}
        self.called = set()
        self.false = ()  # conditions that the user of this executor knows to be false

    def run(self, function, arguments, guard=None):
        """Execute `function` on values and references; return its value."""
        return self.invoke(function, arguments, guard or TOP)

    # ---- functions

    def invoke(self, function, arguments, guard):
        self.called.add(function.symbol)
        note("function", function.python)
        if ir.is_derived(function):
            note("branch", (function.python, self.chosen(function, arguments, guard)))
        if function.intrinsic:
            return intrinsic(function, arguments)
        if function.opaque:
            return self.uninterpreted(function, arguments, guard)
        frame = entered(function, arguments, guard)
        if self.store.shared.get("sweeps") and is_loop(function) and self.sweep(function, frame):
            return None
        frame.given = self.given(function, arguments) if function.ensures else {}
        self.block(function.body, frame)
        if function.returns is None:
            self.postconditions(frame, None)
        self.returns.setdefault(function.symbol, []).extend(frame.returned)
        value = self.result(frame)
        apart = is_walk(function) or function.symbol in self.store.shared.get("apart", ())
        return self.store.named(value) if apart else value

    def sweep(self, function, frame):
        """Execute all rounds of a loop at once.

        Each round must set only fields of a row of its own. Return False for any other loop.
        """
        loop, store = function.body[0], self.store.fork()
        each, reading = z3.Const("each", bits.sort(loop.type)), Reading(store.fork())
        inner = taken(reading, frame, loop, each)
        written = {key: node for key, node in reading.store.heads.items() if node is not store.heads.get(key)}
        once = all(type(node) is Write and node.older is store.heads.get(key) for key, node in written.items())
        if not once or inner.returned or inner.scalars != {**frame.scalars, loop.variable: each}:
            return False  # a round that returns is the last one: the others are not rounds by themselves
        touched = [indices for key, node in written.items() for indices in (node.indices, *reading.indices_of(key))]
        if not touched or any(len(indices) != 1 or not bits.same(indices[0], touched[0][0]) for indices in touched):
            return False
        types = {key: along(self.root_type(key[0]), key[1])[:2] for key in written}
        index_types = {tuple(indices) for _, indices in types.values()}
        if len(index_types) != 1:
            return False
        ((index_type,),) = index_types
        if not is_own_row(touched[0][0], each, index_type, loop):
            return False
        rounds = Rounds(store, frame, loop, index_type)
        for key, (type_, indices) in types.items():
            swept = partial(rounds.read, key, type_, indices)
            self.store.heads[key] = Unknown(frame.guard, (), swept, store.heads.get(key))
        self.obligations += reading.obligations
        return True

    # ---- contracts

    def demand(self, function, arguments, guard, where):
        """Add what a function requires as obligations of its caller."""
        given = {item.name: value for item, value in zip(function.parameters, arguments)}
        for clause in function.requires:
            condition = self.clause(function, clause, given, guard, defined=True)
            if condition is not True:
                what = f"{function.symbol} requires {clause.text}"
                self.obligations.append(Obligation(guard, condition, what, where))
            guard = guard.extend(condition)

    def clause(self, function, clause, given, guard, defined):
        """Return the truth of a clause about values that are given by name.

        That the clause has a truth becomes an obligation, unless it is `defined`.
        """
        frame, before = Frame(function, guard), len(self.obligations)
        frame.scalars = frame.places = given
        condition = self.value(clause.condition, frame)
        if defined:
            del self.obligations[before:]
        return condition

    def given(self, function, arguments):
        """Return the arguments by name, and their old contents for what a function ensures.

        What their places hold now gets names of its own.
        """
        found = {item.name: value for item, value in zip(function.parameters, arguments)}
        conditions = tuple(clause.condition for clause in function.ensures)
        named = {node.name for node in ir.walk(conditions) if isinstance(node, ir.Root)}
        for item, value in zip(function.parameters, arguments):
            if OLD + item.name in named:
                root = f"{OLD}{value.root}#{len(self.roots)}"
                self.roots[root] = self.root_type(value.root)
                self.store.view(root, value.root, self.store)
                found[OLD + item.name] = Reference(root, value.path, value.indices, value.type)
        return found

    def postconditions(self, frame, value):
        """Add what a function ensures as its obligations where it returns a value."""
        if frame.guard.condition is False:
            return
        for clause in frame.function.ensures:
            condition = self.clause(frame.function, clause, {**frame.given, RESULT: value}, frame.guard, defined=False)
            self.oblige(condition, f"{frame.function.name} ensures {clause.text}", clause.line, frame)

    def chosen(self, function, arguments, guard):
        """Return the number of the operation that a derived function runs for, or None if it may be any."""
        call = next(
            value
            for item, value in zip(function.parameters, arguments)
            if "operation" in getattr(item.type, "fields", ())
        )
        number = self.load(call.field("operation", u64), guard)
        return int(number) if bits.known(number) else None

    def result(self, frame):
        returned = frame.returned
        if frame.function.returns is None or not returned:
            return None
        value = returned[-1][1]
        for guard, earlier in reversed(returned[:-1]):
            value = bits.choose(guard.beyond(frame.entry), earlier, value, frame.function.returns)
        return value

    def uninterpreted(self, function, arguments, guard):
        """Apply an opaque function: an uninterpreted function from all inputs to all outputs, as wide bit-vectors."""
        inputs, outputs = [], []
        for parameter, value in zip(function.parameters, arguments):
            if is_scalar(parameter.type):
                inputs.append((value, parameter.type))
                continue
            cells = list(self.cells(value))
            inputs += [(self.load(cell, guard), cell.type) for cell in cells]
            outputs += cells if parameter.name in function.mutates else []
        if all(bits.known(value) for value, _ in inputs):
            return self.evaluate(function, arguments, guard)
        whole = z3.Concat(*(bits.term(value, type_) for value, type_ in inputs))
        width = sum(cell.type.bits for cell in outputs)
        symbol = z3.Function(function.symbol, whole.sort(), z3.BitVecSort(width))
        result, low = symbol(whole), 0
        for cell in outputs:
            self.store.write(cell, z3.Extract(low + cell.type.bits - 1, low, result), guard)
            low += cell.type.bits
        return None

    def evaluate(self, function, arguments, guard):
        """Run the body of an opaque function on constants."""
        frame = Frame(function, guard)
        frame.places = {p.name: value for p, value in zip(function.parameters, arguments)}
        self.block(function.body, frame)
        return self.result(frame)

    def cells(self, reference):
        """The scalar places of an array of scalars."""
        for position in range(reference.type.length):
            yield reference.element(position)

    # ---- statements

    def block(self, statements, frame):
        for statement in statements:
            if frame.guard.condition is False:
                return
            getattr(self, f"on_{type(statement).__name__}")(statement, frame)

    def on_Assign(self, node, frame):
        value = self.value(node.value, frame)
        if isinstance(node.target, ir.Local):
            frame.scalars[node.target.name], frame.types[node.target.name] = value, node.target.type
        else:
            self.store.write(self.place(node.target, frame), value, frame.guard)

    def on_Alias(self, node, frame):
        frame.places[node.name] = self.place(node.place, frame)

    def on_Declare(self, node, frame):
        root = f"{node.name}#{len(self.roots)}"
        self.roots[root] = node.type
        frame.places[node.name] = Reference(root, (), (), node.type)

    def on_Clear(self, node, frame):
        self.clear(self.place(node.place, frame), frame.guard)

    def clear(self, place, guard):
        if is_scalar(place.type):
            self.store.write(place, False if place.type is boolean else 0, guard)
        elif isinstance(place.type, ArrayType):
            self.clear(place.element(None), guard)
        else:
            for name, type_ in place.type.fields.items():
                self.clear(place.field(name, type_), guard)

    def on_If(self, node, frame):
        condition = self.value(node.condition, frame)
        if any(bits.same(condition, each) for each in self.false):
            condition = False
        outer, before = frame.guard, frame.scalars
        then, other = outer.extend(condition), outer.extend(bits.negate(condition))
        after_then, scalars_then = (
            self.branch(node.then, then, before, frame) if condition is not False else (None, before)
        )
        after_other, scalars_other = (
            self.branch(node.other, other, before, frame) if condition is not True else (None, before)
        )
        frame.guard = _join(outer, (then, after_then), (other, after_other))
        frame.scalars = (
            scalars_then
            if after_other is None
            else scalars_other
            if after_then is None
            else {
                name: bits.choose(condition, scalars_then[name], scalars_other[name], frame.types[name])
                for name in before
            }
        )

    def branch(self, statements, guard, scalars, frame):
        """Run one side of a branch; return the guard under which it falls through (or None) and its locals."""
        frame.guard, frame.scalars = guard, dict(scalars)
        self.block(statements, frame)
        left = {name: frame.scalars[name] for name in scalars}
        return (None if frame.guard.condition is False else frame.guard), left

    def on_For(self, node, frame):
        outer = tuple(frame.scalars)
        for number in range(node.count.value):
            frame.scalars[node.variable], frame.types[node.variable] = number, node.type
            self.block(node.body, frame)
            frame.scalars = {name: frame.scalars[name] for name in outer}

    def on_Return(self, node, frame):
        value = None if node.value is None else self.value(node.value, frame)
        frame.returned.append((frame.guard, value))
        self.postconditions(frame, value)
        frame.guard = Guard(frame.guard, False)

    def on_Do(self, node, frame):
        self.value(node.call, frame)

    # ---- places

    def place(self, node, frame):
        if isinstance(node, ir.Root):
            return frame.places[node.name]
        base = self.place(node.base, frame)
        if isinstance(node, ir.Field):
            return base.field(node.name, node.type)
        index = self.value(node.index, frame)
        wanted = index_type(node.base.type)
        if isinstance(node.base.type, SliceType):
            index = bits.resize(index, node.index.type, wanted)
            self.oblige(bits.compare("<", index, self.length(base, frame), u64), "index in range", node.line, frame)
        elif node.base.type.index is None:
            fits = (
                bits.compare("<", index, node.base.type.length, node.index.type)
                if (bits.known(index) or node.base.type.length < 1 << node.index.type.bits)
                else True
            )
            self.oblige(fits, "index in range", node.line, frame)
            index = bits.resize(index, node.index.type, wanted)
        return base.element(index)

    def length(self, slice_, frame):
        """The number of elements of a slice."""
        return self.load(slice_.field(LENGTH, u64), frame.guard)

    def of_Length(self, node, frame):
        return self.length(self.place(node.place, frame), frame)

    def load(self, reference, guard):
        return self.store.read(reference, self.index_types(reference), guard)

    def index_types(self, reference):
        key = (reference.root, reference.path)
        cache = self.store.shared.setdefault("index types", {})
        if key not in cache:
            _, cache[key], _ = along(self.root_type(reference.root), reference.path)
        return cache[key]

    def root_type(self, root):
        return self.roots[root]

    @property
    def roots(self):
        return self.store.shared.setdefault("roots", {})

    # ---- expressions

    def value(self, node, frame):
        return getattr(self, f"of_{type(node).__name__}")(node, frame)

    def of_Literal(self, node, frame):
        return node.value

    def of_Local(self, node, frame):
        return frame.scalars[node.name]

    def of_Load(self, node, frame):
        return self.load(self.place(node.place, frame), frame.guard)

    def of_Binary(self, node, frame):
        left, right = self.value(node.left, frame), self.value(node.right, frame)
        if node.op in ("<<", ">>") and not bits.known(right) and node.right.type.bits != node.left.type.bits:
            if node.right.type.bits > node.left.type.bits:
                self.oblige(
                    bits.compare("<", right, node.type.bits, node.right.type),
                    f"`{node.op}` by less than the width",
                    node.line,
                    frame,
                )
            right = bits.resize(right, node.right.type, node.left.type)
        result, fits = bits.arithmetic(node.op, left, right, node.type)
        self.oblige(fits, f"`{node.op}` fits {node.type.name}", node.line, frame)
        if not node.type.exact:
            self.oblige(belongs(result, node.type), f"`{node.op}` fits {node.type.name}", node.line, frame)
        return result

    def of_Compare(self, node, frame):
        return bits.compare(node.op, self.value(node.left, frame), self.value(node.right, frame), node.left.type)

    def of_Not(self, node, frame):
        return bits.negate(self.value(node.operand, frame))

    def of_Logic(self, node, frame):
        outer, values = frame.guard, []
        stop = node.op == "or"
        for operand in node.operands:
            value = self.value(operand, frame)
            values.append(value)
            if value is stop:
                break
            frame.guard = frame.guard.extend(bits.negate(value) if stop else value)
        frame.guard = outer
        return bits.disjoin(values) if stop else bits.conjoin(values)

    def of_Conditional(self, node, frame):
        condition = self.value(node.condition, frame)
        if bits.known(condition):
            return self.value(node.then if condition else node.other, frame)
        outer = frame.guard
        frame.guard = outer.extend(condition)
        then = self.value(node.then, frame)
        frame.guard = outer.extend(bits.negate(condition))
        other = self.value(node.other, frame)
        frame.guard = outer
        return bits.choose(condition, then, other, node.type)

    def of_Convert(self, node, frame):
        value, source, target = self.value(node.operand, frame), node.operand.type, node.type
        if target is boolean:
            return bits.compare("!=", value, 0, source)
        fits = target.contains(int(value)) if bits.known(value) else _fits(value, source, target)
        self.oblige(fits, f"value is a {target.name}", node.line, frame)
        return bits.resize(value, source, target)

    def of_Truncate(self, node, frame):
        return bits.resize(self.value(node.operand, frame), node.operand.type, node.type)

    def of_Builtin(self, node, frame):
        if node.name == "constant_table":
            values = [0, self.value(node.arguments[1], frame), *(literal.value for literal in node.arguments[2])]
            self.oblige(
                bits.compare("<", values[1], len(values) - 2, node.arguments[1].type)
                if len(values) - 2 < node.arguments[1].type.bound
                else True,
                "index in range",
                0,
                frame,
            )
            return bits.builtin(node.name, values, node.type, node.arguments[1].type)
        values = [self.value(argument, frame) for argument in node.arguments]
        self.oblige(bits.defined(node.name, values, node.arguments[0].type), f"`{node.name}` is defined", 0, frame)
        return bits.builtin(node.name, values, node.type, node.arguments[0].type)

    def of_Call(self, node, frame):
        arguments = [
            self.value(argument, frame) if is_scalar(parameter.type) else self.place(argument, frame)
            for parameter, argument in zip(node.function.parameters, node.arguments)
        ]
        self.demand(node.function, arguments, frame.guard, f"{frame.function.file}:{node.line}")
        return self.invoke(node.function, arguments, frame.guard)

    def oblige(self, condition, what, line, frame):
        if condition is not True:
            where = f"{frame.function.file}:{line}"
            self.obligations.append(Obligation(frame.guard, condition, what, where))


def intrinsic(function, arguments):
    """Apply a function that is known only by its name: equal arguments give equal results."""
    sorts = [bits.sort(parameter.type) for parameter in function.parameters]
    symbol = z3.Function(function.symbol, *sorts, bits.sort(function.returns))
    return symbol(*(bits.term(value, parameter.type) for value, parameter in zip(arguments, function.parameters)))


def _fits(value, source, target):
    """The condition that a term of type `source` is a value of `target`."""
    if bits.significant(value, source) <= target.bits and target.exact:
        return True
    if source.name == "bool":
        return True
    if source.bound <= target.bound and not hasattr(target, "_value2member_map_"):
        return True
    if source.bits < target.bits:
        return belongs(bits.resize(value, source, target), target)
    if hasattr(target, "_value2member_map_"):
        numbers = sorted(int(member) for member in target)
        if numbers == list(range(len(numbers))):
            return bits.compare("<", value, len(numbers), source)
        return bits.disjoin([bits.compare("==", value, number, source) for number in numbers])
    return bits.compare("<", value, target.bound, source)


class Reading(Executor):
    """An executor that records which places it reads."""

    def __init__(self, store):
        super().__init__(store)
        self.loads = []

    def load(self, reference, guard):
        self.loads.append(reference)
        return super().load(reference, guard)

    def indices_of(self, key):
        """Return the indices at which it read a field of a table."""
        return [read.indices for read in self.loads if (read.root, read.path) == key]


class Rounds:
    """The rounds of a loop in which each round has a row of its own; a round is executed when its row is read."""

    def __init__(self, store, frame, loop, index_type):
        self.store, self.frame, self.loop, self.index_type = store, frame, loop, index_type
        self.taken = {}

    def read(self, key, type_, types, index):
        """Return what the loop leaves in a field of a row: what its round leaves there, if the row has one."""
        after = self.taken.get(key_of(index))
        if after is None:
            executor = Executor(self.store.fork())
            taken(executor, self.frame, self.loop, round_of(index, self.index_type, self.loop))
            after = self.taken[key_of(index)] = (executor.store, index)  # kept, so that its id is not used again
        return after[0].read(Reference(key[0], key[1], (index,), type_), types, self.frame.guard)


def key_of(index):
    """Return a key that tells an index from others."""
    return index if bits.known(index) else ("term", index.get_id())


def round_of(index, type_, loop):
    """Return the round of a loop for a row, if there is one: the number of the row, or its last bits."""
    number, count = bits.resize(index, type_, loop.type), loop.count.value
    return bits.arithmetic("&", number, count - 1, loop.type)[0] if count & (count - 1) == 0 else number


def is_own_row(row, each, type_, loop):
    """Does every round of a loop have a different row?"""
    solver = z3.Solver()
    solver.add(
        bits.compare("<", each, loop.count.value, loop.type),
        bits.compare("!=", round_of(row, type_, loop), each, loop.type),
    )
    return second.impossible(solver)


def taken(executor, frame, loop, index):
    """Execute one round of a loop; return the frame after it."""
    inner = frame.at(
        loop.variable, index, loop.type, frame.guard.extend(bits.compare("<", index, loop.count.value, loop.type))
    )
    executor.block(loop.body, inner)
    return inner


def _join(outer, then, other):
    """The guard after a branch: `outer` when both sides fall through, else what the remaining side adds."""
    (then_guard, after_then), (other_guard, after_other) = then, other
    if after_then is None and after_other is None:
        return Guard(outer, False)
    if after_then is then_guard and after_other is other_guard:
        return outer
    if after_then is None:
        return after_other
    if after_other is None:
        return after_then
    return outer.extend(bits.disjoin([after_then.beyond(outer), after_other.beyond(outer)]))
