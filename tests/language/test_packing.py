"""Does a word mean what its declaration says, in Python, in Z3 and in C, and is every wrong declaration refused?

The layout is compared with that of bit-fields in ctypes.
"""

import ctypes
import importlib
import random
from types import SimpleNamespace

import pytest
import z3

from corollary.codegen.declarations import noted
from corollary.codegen.program import Program, constant
from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.types import LanguageError, OutOfRange, boolean, u8, u32
from corollary.language.word import Symbol, Word, at
from corollary.proofs import bits
from corollary.proofs.symbolic import Executor, Guard, Store, belongs
from tests.language import cee
from tests.language.test_bits import samples
from tests.language.test_readings import load

ROUNDS, SEED = 300, 20261125
HEADER = """\
from corollary.language.types import Enum, Flags, Index, u8, u16, u32, u64
from corollary.language.values import Record
from corollary.language.word import Word, at

Place = Index("Place", 1024)
Odd = Index("Odd", 100)
Narrow = Index("Narrow", 4096)
Low = Index("Low", 64)


class Kind(Enum):
    NONE = 0
    RED = 1
    BLUE = 2


class Right(Flags):
    READ = 1
    WRITE = 2


class Leaf(Word[u64]):
    valid: bool = at(0, fixed=True)
    memory = at(2, 4, fixed=0xF)
    readable: bool = at(6)
    page: Place = at(12)
    odd: Odd = at(24)
    rights: Right = at(32)
    kind: Kind = at(48, 3)
    top: u8 = at(56)


class Pair(Word[Narrow]):
    low: Low = at(0)
    high: Low = at(6)


"""
PROGRAM = (
    HEADER
    + """\
def built(readable: bool, page: Place, odd: Odd, rights: Right, kind: Kind, top: u8) -> u64:
    return Leaf(top=top, kind=kind, rights=rights, odd=odd, page=page, readable=readable)


def paired(low: Low, high: Low) -> Narrow:
    return Pair(high=high, low=low)


def page_of(word: u64) -> Place:
    return Leaf(word).page


def odd_of(word: u64) -> Odd:
    return Leaf(word).odd


def kind_of(word: u64) -> Kind:
    leaf = Leaf(word)
    return leaf.kind


def rights_of(word: u64) -> Right:
    return Leaf(word).rights


def top_of(word: u64) -> u8:
    return Leaf(word).top


def readable_of(word: u64) -> bool:
    return Leaf(word).readable


def valid_of(word: u64) -> bool:
    return Leaf(word).valid


def low_of(word: Narrow) -> Low:
    return Pair(word).low


def high_of(word: Narrow) -> Low:
    return Pair(word).high


def moved(word: u64, page: Place) -> u64:
    leaf = Leaf(word)
    leaf = leaf.replace(page=page)
    return leaf


def turned(word: u64, readable: bool, kind: Kind) -> u64:
    return Leaf(word).replace(kind=kind, readable=readable)


def cleared(word: u64) -> u64:
    return Leaf(word).replace(kind=Kind.NONE, top=0, readable=False)


def raised(word: Narrow, high: Low) -> Narrow:
    return Pair(word).replace(high=high)


def all_page(word: u64) -> u64:
    return word | Leaf.page.mask | u64(Leaf.page.low) | u64(Leaf.page.width)
"""
)
PARTIAL = ("odd_of", "kind_of")  # these read a part that may hold what is no value of its type


class LeafFields(ctypes.LittleEndianStructure):
    """The same word as the compiler of ctypes lays it out."""

    _fields_ = [
        ("valid", ctypes.c_uint64, 1),
        ("unused_1", ctypes.c_uint64, 1),
        ("memory", ctypes.c_uint64, 4),
        ("readable", ctypes.c_uint64, 1),
        ("unused_7", ctypes.c_uint64, 5),
        ("page", ctypes.c_uint64, 10),
        ("unused_22", ctypes.c_uint64, 2),
        ("odd", ctypes.c_uint64, 7),
        ("unused_31", ctypes.c_uint64, 1),
        ("rights", ctypes.c_uint64, 16),
        ("kind", ctypes.c_uint64, 3),
        ("unused_51", ctypes.c_uint64, 5),
        ("top", ctypes.c_uint64, 8),
    ]


def number(fields):
    """The integer that a structure of ctypes holds."""
    return int.from_bytes(bytes(fields), "little")


def fields(word):
    """An integer as a structure of ctypes."""
    return LeafFields.from_buffer_copy(word.to_bytes(8, "little"))


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Return the module, its functions in the IR, and in C."""
    return prepared(tmp_path_factory.mktemp("packing"), "packing_program", PROGRAM)


def prepared(folder, title, source):
    """Return a module, its functions in the IR, and in C."""
    module = load(folder, title, source)
    functions = {
        name: translate(value)
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == title and callable(value) and hasattr(value, "__code__")
    }
    lines, seen = [cee.PRELUDE], []
    for function in functions.values():
        for type_ in (function.returns, *(parameter.type for parameter in function.parameters)):
            lines += cee.definitions(type_, seen)
    for function in functions.values():
        lines += [f"#define {symbol} {value}ull" for symbol, value in symbols(function).items()]
        lines += cee.function(function)
    return SimpleNamespace(
        module=module, functions=functions, library=cee.compile_library("\n".join(lines), folder, title)
    )


def symbols(function):
    """The constants of declarations that a function uses."""
    return {
        node.symbol: node.value
        for node in ir.walk(function.body)
        if isinstance(node, ir.Literal) and isinstance(node.symbol, Symbol)
    }


def in_c(library, function, arguments):
    """The result of a function in C."""
    entry = getattr(library, function.symbol)
    entry.restype = cee.unsigned(function.returns)
    entry.argtypes = [cee.unsigned(parameter.type) for parameter in function.parameters]
    return entry(*map(int, arguments))


def in_z3(function, arguments=None):
    """The result of a function in Z3 and whether its obligations hold, of some values or as terms of its parameters."""
    executor = Executor(Store(set()))
    given = arguments or [z3.Const(each.name, bits.sort(each.type)) for each in function.parameters]
    result = executor.run(function, given, Guard())
    duties = [z3.Implies(bits.truth(each.guard.term), bits.truth(each.condition)) for each in executor.obligations]
    return result, duties, given


def random_of(rng, type_):
    """A random value of a type."""
    if rng.random() < 0.3:
        return rng.choice(samples(type_, 1, rng))
    return (
        rng.randrange(2) == 1
        if type_ is boolean
        else rng.choice(list(type_))
        if type_.name == "Kind"
        else rng.randrange(type_.bound)
    )


@pytest.mark.parametrize(
    "name", [line[4 : line.index("(")] for line in PROGRAM.splitlines() if line.startswith("def ")]
)
def test_python_z3_and_c_agree_on_random_words(program, name):
    function, python, rng = program.functions[name], getattr(program.module, name), random.Random(SEED)
    term, duties, variables = in_z3(function)
    failed = 0
    for _ in range(ROUNDS):
        given = [random_of(rng, parameter.type) for parameter in function.parameters]
        values = [
            (v, bits.term(g if parameter.type is boolean else int(g), parameter.type))
            for v, g, parameter in zip(variables, given, function.parameters)
        ]
        holds = all(z3.is_true(z3.simplify(z3.substitute(duty, *values))) for duty in duties)
        try:
            expected = int(python(*given))
        except OutOfRange:
            failed += 1
            assert name in PARTIAL and not holds
            continue
        assert holds
        simplified = z3.simplify(z3.substitute(term, *values))
        assert (int(z3.is_true(simplified)) if z3.is_bool(simplified) else simplified.as_long()) == expected
        assert in_c(program.library, function, given) == expected
    assert (failed > 0) == (name in PARTIAL)


CARRIER_BITS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "Bit": 1, "Nine": 9, "Most": 63, "Whole": 64}
PART_BITS = {
    **{name: CARRIER_BITS[name] for name in ("u8", "u16", "u32", "u64", "Bit", "Nine", "Most", "Whole")},
    "bool": 1,
    "Odd": 7,
    "Kind": 2,
    "Right": 16,
    "Hundred": 34,
}
INDEXES = """\
Bit = Index("Bit", 2)
Nine = Index("Nine", 512)
Most = Index("Most", 1 << 63)
Whole = Index("Whole", 1 << 64)
Hundred = Index("Hundred", 10_000_000_000)


"""


def random_word(rng, number):
    """Return the source of a random word and of functions that read, build and change it, and their names' parts."""
    carrier, position, parts = rng.choice(list(CARRIER_BITS)), 0, []
    while True:
        position += rng.choice((0, 0, 1, 3)) if parts else 0
        fitting = [name for name, bits in PART_BITS.items() if position + bits <= CARRIER_BITS[carrier]]
        if not fitting:
            break
        type_ = rng.choice(fitting)
        room = CARRIER_BITS[carrier] - position - PART_BITS[type_]
        width = PART_BITS[type_] + (0 if type_ == "bool" else rng.choice((0, 0, min(room, 2), room)))
        fixed = ", fixed=True" if type_ == "bool" and rng.random() < 0.3 else ""
        parts.append((f"part_{len(parts)}", type_, position, width, fixed))
        position += width
    rng.shuffle(parts)
    name = f"Random{number}"
    lines = [f"class {name}(Word[{carrier}]):"]
    lines += [f"    {part}: {type_} = at({low}, {width}{fixed})" for part, type_, low, width, fixed in parts]
    free = [(part, type_) for part, type_, *_, fixed in parts if not fixed]
    given = ", ".join(f"{part}: {type_}" for part, type_ in free)
    named = ", ".join(f"{part}={part}" for part, _ in reversed(free))
    lines += ["", "", f"def build_{number}({given}) -> {carrier}:", f"    return {name}({named})"]
    for part, type_, *_ in parts:
        lines += [
            "",
            "",
            f"def read_{number}_{part}(packed: {carrier}) -> {type_}:",
            f"    return {name}(packed).{part}",
        ]
    for part, type_ in free:
        lines += ["", "", f"def change_{number}_{part}(packed: {carrier}, {part}: {type_}) -> {carrier}:"]
        lines += [f"    view = {name}(packed)", f"    view = view.replace({part}={part})", "    return view"]
    return "\n".join(lines) + "\n\n\n"


def test_python_z3_and_c_agree_on_random_declarations(tmp_path):
    rng = random.Random(SEED)
    source = HEADER + INDEXES + "".join(random_word(rng, number) for number in range(40))
    program, failed = prepared(tmp_path, "random_words", source), 0
    for name, function in program.functions.items():
        term, duties, variables = in_z3(function)
        for _ in range(6):
            given = [random_of(rng, parameter.type) for parameter in function.parameters]
            values = [
                (v, bits.term(g if parameter.type is boolean else int(g), parameter.type))
                for v, g, parameter in zip(variables, given, function.parameters)
            ]
            holds = all(z3.is_true(z3.simplify(z3.substitute(duty, *values))) for duty in duties)
            try:
                expected = int(getattr(program.module, name)(*given))
            except OutOfRange:
                failed += 1
                assert name.startswith("read") and not holds
                continue
            assert holds, (name, given)
            simplified = z3.simplify(z3.substitute(bits.term(term, function.returns), *values))
            found = int(z3.is_true(simplified)) if z3.is_bool(simplified) else simplified.as_long()
            assert found == in_c(program.library, function, given) == expected, (name, given)
    assert failed > 20


def test_what_is_right_by_construction_is_no_obligation(program):
    for name, function in program.functions.items():
        _, duties, _ = in_z3(function)
        assert bool(duties) == (name in PARTIAL), name


def test_the_obligation_of_a_partial_type_is_exactly_that_the_value_belongs_to_it(program):
    for name, part in (("odd_of", "odd"), ("kind_of", "kind")):
        function = program.functions[name]
        _, (duty,), (word,) = in_z3(function)
        low, width = getattr(program.module.Leaf, part).low, getattr(program.module.Leaf, part).width
        legal = belongs(
            z3.ZeroExt(function.returns.bits - width, z3.Extract(low + width - 1, low, word)), function.returns
        )
        solver = z3.Solver()
        solver.add(duty != legal)
        assert solver.check() == z3.unsat


def test_the_layout_is_that_of_bit_fields(program):
    leaf, rng = program.module.Leaf, random.Random(SEED)
    for _ in range(ROUNDS):
        word = rng.getrandbits(64)
        own = fields(word)
        for name in ("valid", "readable", "page", "rights", "top"):
            assert int(getattr(leaf(word), name)) == getattr(own, name)
        values = {name: random_of(rng, part.type) for name, part in leaf.fields.items()}
        own = LeafFields(valid=1, memory=0xF, **{name: int(value) for name, value in values.items()})
        assert leaf(**values) == number(own)
        own = fields(word)
        own.page, own.readable = values["page"], values["readable"]
        assert leaf(word).replace(page=values["page"], readable=values["readable"]) == number(own)


def test_what_was_packed_is_read_again(program):
    leaf, rng = program.module.Leaf, random.Random(SEED)
    for _ in range(ROUNDS):
        values = {name: random_of(rng, part.type) for name, part in leaf.fields.items()}
        assert {name: getattr(leaf(**values), name) for name in values} == values


def test_python_refuses_what_is_no_word_and_no_value(program):
    leaf, pair = program.module.Leaf, program.module.Pair
    with pytest.raises(OutOfRange, match="1024 is not a Place"):
        leaf(0).replace(page=1024)
    with pytest.raises(OutOfRange, match="4096 is not a Narrow"):
        pair(4096)
    with pytest.raises(TypeError, match="Pair is built of low, high, not of low"):
        pair(low=1)


def test_c_has_the_names_of_the_declaration(program):
    function = program.functions["moved"]
    text = "\n".join(cee.function(function))
    assert "(leaf & ~(uint64_t)LEAF_PAGE_MASK) | ((uint64_t)page << LEAF_PAGE_SHIFT)" in text
    assert "return (low_t)(word >> PAIR_HIGH_SHIFT);" in "\n".join(cee.function(program.functions["high_of"]))
    assert symbols(function) == {"LEAF_PAGE_MASK": 0x3FF000, "LEAF_PAGE_SHIFT": 12}


class Noted(Word[u32]):
    """A word in a module that can be read."""

    seat: u8 = at(8)  # where it sits


def seat_of(word: u32) -> u8:
    return Noted(word).seat


def test_a_constant_in_c_has_the_comment_of_its_part():
    (symbol,) = symbols(translate(seat_of))
    found = constant(translate(seat_of), symbol, 8, None)
    assert (found.name, found.text, found.note, found.module) == ("NOTED_SEAT_SHIFT", "8", "where it sits", __name__)


# ---- wrong declarations: name, message, remedy, the body of the class; the line at fault ends in "# here"

WRONG = [
    ("overlap", "bit 9 is in page and in top", "another position", "page: Place = at(0)\n    top: u8 = at(9)  # here"),
    (
        "overlap with what is fixed",
        "bit 0 is in one and in top",
        "another position",
        "one = at(0, 1, fixed=1)\n    top: u8 = at(0)  # here",
    ),
    ("too narrow", "page has 9 bits, and a Place needs 10", "a wider part", "page: Place = at(0, 9)  # here"),
    (
        "too narrow for an enumeration",
        "kind has 1 bits, and a Kind needs 2",
        "a wider part",
        "kind: Kind = at(0, 1)  # here",
    ),
    ("wide bool", "ok is a bool and has 2 bits", "a width of 1", "ok: bool = at(0, 2)  # here"),
    ("beyond the word", "bits 60 .. 67 of top are not in a u64", "bits of 0 .. 63", "top: u8 = at(60)  # here"),
    ("before the word", "bits -1 .. 6 of top are not in a u64", "bits of 0 .. 63", "top: u8 = at(-1)  # here"),
    ("no bits", "are not in a u64", "bits of 0 .. 63", "none = at(3, 0, fixed=0)  # here"),
    ("twice", "top is already a part of this word", "another name", "top: u8 = at(0)\n    top: u8 = at(8)  # here"),
    ("name of every integer", "real is what every word has", "another name", "real: u8 = at(0)  # here"),
    ("name of every word", "replace is what every word has", "another name", "replace: u8 = at(0)  # here"),
    ("keyword of C", "register is a keyword of C", "another name", "register: u8 = at(0)  # here"),
    ("name of a constant", "top_mask ends as its constants in C do", "another name", "top_mask: u8 = at(0)  # here"),
    ("nowhere", "nothing says where top is", "`top: ... = at(0)`", "top: u8  # here"),
    ("anything", "nothing says what top holds", "`top: u8 = at(3)`", "top = at(3)  # here"),
    ("no width", "nothing says what top holds", "a width", "top = at(3, fixed=1)  # here"),
    ("record", "top is a Room, and a part is a scalar", "u8 .. u64", "top: Room = at(3)  # here"),
    ("too much", "two cannot always be 4", "a number of 2 bits", "two = at(0, 2, fixed=4)  # here"),
    ("no number", "top is at '3' with the width None", "integers", "top: u8 = at('3')  # here"),
    ("no whole number", "top is at 1.0 with the width None", "integers", "top: u8 = at(1.0)  # here"),
    ("no whole width", "top is at 0 with the width 8.0", "integers", "top: u8 = at(0, 8.0)  # here"),
    ("a fraction", "top cannot always be 1.5", "an integer", "top: u8 = at(0, fixed=1.5)  # here"),
    ("a text", "top cannot always be 'x'", "an integer", "top: u8 = at(0, fixed='x')  # here"),
    (
        "the same name in capitals",
        "top and Top have the same constants in C",
        "another name",
        "Top: u8 = at(0)\n    top: u8 = at(8)  # here",
    ),
    ("letters that C does not have", "not have", "digits and underscores", "größe: u8 = at(0)  # here"),
    ("the carrier", "carrier is what every word has", "another name", "carrier: u8 = at(0)  # here"),
    ("a number", "nothing says where top is", "`top: ... = at(0)`", "top: u8 = 5  # here"),
    ("a number without a type", "nothing says where top is", "`top: ... = at(0)`", "top = 5  # here"),
    ("another type", "kind cannot always be 3", "a Kind", "kind: Kind = at(0, 2, fixed=3)  # here"),
]
ROOM = "class Room(Record):\n    one: u8\n\n\n"


def refused(folder, source):
    """Return the error and the line at fault of a module that does not load."""
    with pytest.raises(LanguageError) as caught:
        module = load(folder, "wrong_word", source)
        translate(module.f)
    line = 1 + next(number for number, text in enumerate(source.splitlines()) if text.endswith("# here"))
    assert (caught.value.file, caught.value.line) == (str(folder / "wrong_word.py"), line)
    return caught.value


@pytest.mark.parametrize(("message", "remedy", "body"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_wrong_declaration_is_refused_at_its_line(tmp_path, message, remedy, body):
    error = refused(tmp_path, f"{HEADER}{ROOM}class Wrong(Word[u64]):\n    {body}\n")
    assert message in error.message and remedy in error.instead


def test_a_field_of_a_record_holds_what_a_word_is_stored_in(tmp_path):
    error = refused(tmp_path, f"{HEADER}class Room(Record):\n    leaf: Leaf  # here\n")
    assert "leaf is a Leaf, which no field can hold" in error.message and "stored in" in error.instead


def test_a_word_has_parts_and_nothing_else(tmp_path):
    assert "Wrong has no parts" in refused(tmp_path, f"{HEADER}class Wrong(Word[u64]):  # here\n    pass\n").message
    method = "class Wrong(Word[u64]):  # here\n    a: u8 = at(0)\n\n    def __eq__(self, other):\n        return True\n"
    assert "__eq__ is what every word has" in refused(tmp_path, HEADER + method).message


CARRIERS = [
    ("class Wrong(Word[u64], Word[u8]):  # here", "does not say what it is stored in"),
    ("class Wrong(Word[bool]):  # here", "is no type to pack values into"),
    ("class Wrong(Word[Odd]):  # here", "a Odd is no type to pack values into"),
    ("class Wrong(Word[Kind]):  # here", "a Kind is no type to pack values into"),
    ("class Wrong(Word):  # here", "does not say what it is stored in"),
    ("class Wrong(Leaf):  # here", "does not say what it is stored in"),
]


@pytest.mark.parametrize(("first", "message"), CARRIERS, ids=[first for first, _ in CARRIERS])
def test_a_word_is_stored_in_a_type_that_holds_every_bit_pattern(tmp_path, first, message):
    assert message in refused(tmp_path, f"{HEADER}{first}\n    other: u8 = at(0)\n").message


USES = [
    ("the base of all words", "`Word` is not a function", "a function", "return Word(word)  # here"),
    ("unknown part", "Leaf has no part pages", "one of: valid", "return u64(Leaf(word).pages)  # here"),
    ("part without a type", "nothing says what memory holds", "memory: Index", "return u64(Leaf(word).memory)  # here"),
    ("missing part", "nothing says what high is in this Pair", "`high=...`", "return u64(Pair(low=Low(1)))  # here"),
    ("unknown value", "Pair has no part middle", "one of: low, high", "return u64(Pair(middle=1))  # here"),
    ("fixed value", "valid is always True", "another part", "return Leaf(word).replace(valid=False)  # here"),
    ("value of another type", "is a u64, not a Place", "`Place(word)`", "return Leaf(word).replace(page=word)  # here"),
    ("number for a bool", "is not a bool", "a comparison", "return Leaf(word).replace(readable=1)  # here"),
    ("two integers", "one integer, or a value for each", "`Leaf(readable=...)`", "return Leaf(word, word)  # here"),
    ("integer and values", "one integer, or a value for each", "Leaf(", "return Leaf(word, page=Place(1))  # here"),
    ("integer for replace", "one integer, or a value for each", "Leaf(", "return Leaf(word).replace(word)  # here"),
    ("other integer", "is a u64, not a Narrow", "`Narrow(word)`", "return u64(Pair(word).low)  # here"),
    ("plain integer", "is unknown here", "a parameter", "return u64(word.page)  # here"),
    (
        "another word in a name",
        "leaf is a Leaf",
        "`Leaf(...)`",
        "leaf = Leaf(word)\n    leaf = word  # here\n    return leaf",
    ),
    ("unknown number", "a part has no places", "one of: mask", "return word | Leaf.page.places  # here"),
    ("part as a constant", "is unknown here", "a parameter", "return word | Leaf.page  # here"),
]


@pytest.mark.parametrize(("message", "remedy", "body"), [row[1:] for row in USES], ids=[row[0] for row in USES])
def test_a_wrong_use_is_refused_at_its_line(tmp_path, message, remedy, body):
    error = refused(tmp_path, f"{HEADER}def f(word: u64) -> u64:\n    {body}\n")
    assert message in error.message and remedy in error.instead


def test_parts_may_have_the_names_that_python_gives_its_parameters(tmp_path):
    named = load(
        tmp_path, "named", f"{HEADER}class Named(Word[u64]):\n    self: u8 = at(0)\n    cls: u8 = at(8)\n"
    ).Named
    assert named(self=1, cls=2) == 0x201 and named(0x201).replace(self=3, cls=4) == 0x403


@pytest.mark.parametrize("change", [{"valid": True}, {"pages": 1}])
def test_python_replaces_only_parts_that_may_change(program, change):
    with pytest.raises(TypeError, match="Leaf is built of readable, page, odd, rights, kind, top, not of"):
        program.module.Leaf(0).replace(**change)


CLASHES = {  # by the name in C that a part has in common with something else
    "LEAF_READABLE": "LEAF_READABLE = 0x80\n\n\ndef f(w: u64) -> u64:\n"
    "    return 1 if Leaf(w).readable else w & LEAF_READABLE\n",
    "LE_AF_PAGE_SHIFT": "class Le(Word[u64]):\n    af_page: u8 = at(16)\n\n\n"
    "class LeAf(Word[u64]):\n    page: u8 = at(8)\n\n\n"
    "def f(w: u64) -> u64:\n    return u64(Le(w).af_page) | u64(LeAf(w).page)\n",
    "KIND_RED": "class kind(Word[u64]):\n    red: bool = at(8)\n\n\n"
    "def f(w: u64, hue: Kind) -> u64:\n    return 1 if kind(w).red or hue == Kind.BLUE else 0\n",
}


@pytest.mark.parametrize("name", CLASHES)
def test_a_constant_of_a_word_is_the_only_one_of_its_name(tmp_path, monkeypatch, name):
    monkeypatch.syspath_prepend(tmp_path)
    title = f"clash_{name.lower()}"
    (tmp_path / f"{title}.py").write_text(HEADER + CLASHES[name])
    module = importlib.import_module(title)
    with pytest.raises(LanguageError, match=f"{name} names in C") as caught:
        print(Program(lambda: [module.f], common=(), typed=(title,)).units)
    assert caught.value.file == module.__file__ and caught.value.line > 1 and "another name" in caught.value.instead


def test_a_comment_of_a_part_cannot_end_the_comment_in_c():
    assert noted("#define A 1", "a */ int b;").endswith("/* a * / int b; */")


MISTAKES = {
    "a neighbouring bit": ("page: Place = at(12)", "page: Place = at(13)"),
    "another order": ("low: Low = at(0)\n    high: Low = at(6)", "low: Low = at(6)\n    high: Low = at(0)"),
    "another constant": ("fixed=0xF", "fixed=0xE"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_declaration_that_is_off_by_a_bit_is_noticed(tmp_path, program, name):
    old, new = MISTAKES[name]
    other = load(tmp_path, "other_word", PROGRAM.replace(old, new))
    own, rng = program.module, random.Random(SEED)
    given = {name: random_of(rng, part.type) for name, part in own.Leaf.fields.items()}
    assert other.Leaf(**given) != own.Leaf(**given) or other.Pair(low=1, high=2) != own.Pair(low=1, high=2)
