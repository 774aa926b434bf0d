"""Which types and values do tests choose, and how are they written for wasmtime?"""

from hypothesis import assume
from hypothesis import strategies as st
from wasmtime import component

from corollary.components.values import (
    PRIMITIVES,
    Boolean,
    Case,
    Char,
    Enum,
    Flags,
    Float,
    Integer,
    List,
    Option,
    Record,
    Result,
    String,
    Tuple,
    Variant,
)

LABELS = st.sampled_from([f"{word}{number}" for word in ("one", "two-of", "x", "y-z") for number in range(12)])
PRIMITIVE = st.sampled_from([*PRIMITIVES.values()])


def labels(most):
    """Choose different labels."""
    return st.lists(LABELS, min_size=1, max_size=most, unique=True).map(tuple)


def fields(parts, most=5):
    """Choose labels, and a type for each."""
    return labels(most).flatmap(lambda names: st.tuples(*(st.tuples(st.just(name), parts) for name in names)))


def compound(parts):
    """Choose a type that consists of others."""
    maybe = st.none() | parts
    return st.one_of(
        parts.map(List),
        parts.map(Option),
        st.builds(Result, maybe, maybe),
        fields(parts).map(Record),
        fields(maybe).map(Variant),
        st.lists(parts, min_size=1, max_size=6).map(tuple).map(Tuple),
    )


TYPES = st.recursive(st.one_of(PRIMITIVE, labels(40).map(Enum), labels(32).map(Flags)), compound, max_leaves=12)
CHARACTERS = st.characters(exclude_categories=["Cs"])


def values(type_):
    """Choose a Python value of a type."""
    if isinstance(type_, Boolean):
        return st.booleans()
    if isinstance(type_, Integer):
        bits = 8 * type_.size
        return st.integers(-1 << bits - 1, (1 << bits - 1) - 1) if type_.signed else st.integers(0, (1 << bits) - 1)
    if isinstance(type_, Float):
        return st.floats(width=8 * type_.size, allow_nan=False)
    if isinstance(type_, Char):
        return CHARACTERS
    if isinstance(type_, String):
        return st.text(CHARACTERS, max_size=20)
    if isinstance(type_, List):
        return st.binary(max_size=20) if type_.of_bytes else st.lists(values(type_.element), max_size=4)
    if isinstance(type_, Record):
        return st.fixed_dictionaries({label: values(part) for label, part in type_.fields})
    if isinstance(type_, Tuple):
        return st.tuples(*(values(part) for part in type_.types))
    if isinstance(type_, Enum):
        return st.sampled_from(type_.labels)
    if isinstance(type_, Flags):
        return st.sets(st.sampled_from(type_.labels)).map(frozenset)
    return st.one_of([cases(label, part) for label, part in type_.cases])


def cases(label, part):
    """Choose a value of one case."""
    return st.just(Case(label)) if part is None else values(part).map(lambda value: Case(label, value))


class Written:
    """Types in the text format. Each that has labels is defined and imported by a name, as the format demands."""

    def __init__(self):
        self.lines, self.known = [], {}

    def of(self, type_):
        """Return how a type is referred to."""
        if isinstance(type_, (Record, Variant, Enum, Flags)):
            return self.known.get(type_) or self.named(type_)
        if isinstance(type_, Boolean):
            return "bool"
        if isinstance(type_, Integer):
            return str(type_)
        if isinstance(type_, Float):
            return f"f{8 * type_.size}"
        if isinstance(type_, (Char, String)):
            return type(type_).__name__.lower()
        if isinstance(type_, Result):
            ok = f" {self.of(type_.ok)}" if type_.ok else ""
            return f"(result{ok}{f' (error {self.of(type_.error)})' if type_.error else ''})"
        name = {List: "list", Option: "option", Tuple: "tuple"}[type(type_)]
        return f"({name} {' '.join(map(self.of, type_.parts))})"

    def named(self, type_):
        """Define a type, and return its name."""
        if isinstance(type_, Record):
            body = "record " + " ".join(f'(field "{label}" {self.of(part)})' for label, part in type_.fields)
        elif isinstance(type_, Variant):
            body = "variant " + " ".join(
                f'(case "{label}"{f" {self.of(part)}" if part else ""})' for label, part in type_.cases
            )
        else:
            body = f"{type(type_).__name__.lower()} " + " ".join(f'"{label}"' for label in type_.labels)
        name = f"t{len(self.known)}"
        self.lines += [f"(type ${name}-is ({body}))", f'(import "{name}" (type ${name} (eq ${name}-is)))']
        self.known[type_] = f"${name}"
        return f"${name}"


def to_peer(type_, peer, value):
    """Return a value as wasmtime has it; `peer` is its type there."""
    if isinstance(type_, List):
        return value if type_.of_bytes else [to_peer(type_.element, peer.element, each) for each in value]
    if isinstance(type_, Record):
        made = component.Record()
        for (label, part), (_, other) in zip(type_.fields, peer.fields):
            setattr(made, label, to_peer(part, other, value[label]))
        return made
    if isinstance(type_, Tuple):
        return tuple(to_peer(*each) for each in zip(type_.types, peer.elements, value))
    if isinstance(type_, Flags):
        return set(value)
    if not isinstance(value, Case):
        return value
    number = [label for label, _ in type_.cases].index(value.label)
    tag, other = peer._cases()[number]
    payload = None if other is None else to_peer(type_.cases[number][1], other, value.value)
    if peer._tagged():
        return component.Variant(tag, payload)
    assume(not any(is_taken_for(before, payload) for _, before in peer._cases()[:number]))
    return payload


def is_taken_for(peer, payload):
    """Does wasmtime's Python take a value without a tag for one of this type, as it does if that may be missing?"""
    classes = set()
    if peer is not None:
        peer.add_classes(classes)
    return isinstance(payload, tuple(classes))


def comparable(value):
    """Return a value of wasmtime as one that can be compared."""
    if isinstance(value, component.Record):
        return {name: comparable(each) for name, each in vars(value).items()}
    if isinstance(value, component.Variant):
        return value.tag, comparable(value.payload)
    if isinstance(value, (list, tuple)):
        return [comparable(each) for each in value]
    return value
