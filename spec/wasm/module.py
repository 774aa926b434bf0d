"""What is a decoded module?

It is a set of records over the bytes of the module. Names, types and bodies are positions in those bytes; nothing is
copied. The host makes room for as many records of each kind as `survey` counted.
"""

from corollary.language.types import Enum, Shared, Slice, u8, u32, u64
from corollary.language.values import Record
from corollary.spec.wasm.internal import Handler
from corollary.spec.wasm.opcodes import Opcode
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.values import ValueType

MEMORY_PAGES = 65536  # as many as 32-bit addresses reach
ARITY = 1_000  # most parameters of a type, and most results, as in browsers
BODY = 7_654_321  # most bytes in a function body, as in browsers
LOCALS = 50_000  # most locals of one function, parameters included
DEPTH = 4_096  # most nested blocks
OPERANDS = 65_536  # most operands on the stack of one function
ENTRIES = 1_000_000  # most entries of any section
SEGMENT_ITEMS = 10_000_000  # most items of all element segments together
ROUNDS = 8  # rounds of loops over operand types that each byte pays for,
FREE_ROUNDS = 1 << 20  # and rounds that are free
CODE_RATE = 16  # most words of code for each byte of a module,
CODE_FREE = 4_096  # and words of code that are free
NONE = 0xFFFF_FFFF  # no index


class External(Enum):
    """The kind of an import or export."""

    FUNCTION = 0
    TABLE = 1
    MEMORY = 2
    GLOBAL = 3


class Mode(Enum):
    """The mode of a segment."""

    ACTIVE = 0
    PASSIVE = 1
    DECLARATIVE = 2


class Types(Record):
    """A list of value types in the module's bytes, one byte each."""

    at: u32
    count: u32


class FunctionType(Record):
    """A function type: the types of its parameters and results."""

    parameters: Types
    results: Types
    same: u32  # the first type that is equal


class Name(Record):
    """A string in the module, in UTF-8."""

    at: u32
    size: u32


class Limits(Record):
    """The limits of a memory, in pages, or of a table, in elements."""

    minimum: u32
    maximum: u32
    bounded: bool  # is there a maximum?


class Import(Record):
    """An import: something that the module needs from outside, and its index among its kind."""

    module: Name
    name: Name
    kind: External
    index: u32


class ModuleFunction(Record):
    """A function. Imported functions have no body."""

    type: u32
    same: u32  # the first type that is equal to its type
    at: u32  # where its body begins: locals, then instructions
    end: u32
    declared: bool  # may `ref.func` name it?
    entry: u32  # its first operation, once the function is translated
    calls: u32  # the latest call to it that was emitted before its entry was known


class TableType(Record):
    """A table: the type of its elements, and its limits."""

    element: ValueType
    limits: Limits


class Constant(Record):
    """A constant expression: one instruction and its immediate."""

    opcode: Opcode
    value: u64
    type: ValueType  # of a null reference
    at: u32
    wrong: Refusal  # why it is not a constant expression, if so


class Global(Record):
    """A global. Imported globals have no value yet."""

    type: ValueType
    mutable: bool
    value: Constant


class Export(Record):
    """An export: something that the module offers."""

    name: Name
    kind: External
    index: u32


class Element(Record):
    """An element segment: references for a table."""

    mode: Mode
    type: ValueType
    table: u32
    offset: Constant
    first: u32  # its first item in `items`
    count: u32


class Data(Record):
    """A data segment: bytes for the memory."""

    mode: Mode
    memory: u32
    offset: Constant
    at: u32
    size: u32


class Node(Record):
    """A node in a trie of strings.

    The path from the root to the node consists of the half bytes of a string, or of a prefix of one.
    """

    half: u8  # the last half byte of that path
    first: u32  # its first child, or 0
    next: u32  # the next child of its parent, or 0
    text: u32  # the number of the first string that ends here, counted from 1, or 0


class Counts(Record):
    """The number of entries of each kind."""

    types: u32
    imports: u32
    functions: u32
    tables: u32
    memories: u32
    globals: u32
    exports: u32
    elements: u32
    items: u32
    data: u32
    codes: u32  # function bodies
    text: u32  # bytes of all types or of all exports, whichever is more


class Module(Record):
    """A module, and how far it has been read."""

    bytes: Slice[u8]
    types: Slice[FunctionType]
    imports: Slice[Import]
    functions: Slice[ModuleFunction]
    tables: Slice[TableType]
    memories: Slice[Limits]
    globals: Slice[Global]
    exports: Slice[Export]
    entries: Slice[u64]  # for each function: its first operation, 0 if imported, and its type
    elements: Slice[Element]
    items: Slice[Constant]
    data: Slice[Data]
    nodes: Slice[Node]  # two for each byte of text, plus the root
    counts: Counts
    imported_functions: u32
    imported_globals: u32
    start: u32  # the index of a function, or NONE
    nodes_used: u32
    data_count: u32  # the number of data segments that the data count section announces, or NONE
    at: u32  # the next byte to read
    end: u32  # the first byte that must not be read
    refusal: Refusal
    offset: u32  # the byte position of the reason for the refusal
    work: u64  # rounds of loops over operand types that are still paid for
    stop: Shared[u8]  # if this is not 0, nothing more is read; others may set it at any time


class BlockType(Enum):
    """How the type of a block is encoded."""

    EMPTY = 0
    RESULT = 1  # one value type, given by its byte
    INDEX = 2  # the index of a function type


class Decoded(Record):
    """A decoded instruction with its immediates."""

    opcode: Opcode
    block: BlockType
    type: ValueType  # of the result of a block, or of a null reference
    value: u64  # the first number, or the bits of a constant
    second: u64
    at: u32  # where the instruction begins
    vector: Types  # of labels in LEB128, or of value types


class Label(Record):
    """A control frame: a block that is open while a body is validated."""

    opcode: Opcode
    parameters: Types
    results: Types
    height: u32  # of the operand stack below the block
    unreachable: bool  # is the rest of the block never run?


class Validation(Record):
    """The state of the validator while it checks a body."""

    operands: Slice[ValueType]
    labels: Slice[Label]
    locals: Slice[ValueType]
    height: u32  # of the operand stack
    depth: u32  # of open blocks
    local_count: u32


class Place(Enum):
    """Where an operand is while a body is translated."""

    SLOT = 0  # in the slot of its height
    LOCAL = 1  # still in a local
    VALUE = 2  # a constant


class Operand(Record):
    """An operand while a body is translated."""

    place: Place
    value: u64  # the number of the local, or the constant
    shift: u32  # the left shift that is still to be applied to it, as an i32
    addend: u32  # what is still to be added to it after the shift


class Target(Record):
    """A block that is open while a body is translated."""

    opcode: Opcode
    height: u32  # of the operand stack below the block
    parameters: u32
    results: u32
    start: u32  # of a loop: its first operation
    pending: u32  # the latest branch to its end, whose position is not known yet
    otherwise: u32  # the branch to the `else` of an `if`
    straight: u32  # the greatest `straight` of Translation at the branches to its end
    before: u32  # the same at the branch to the `else`


class Translation(Record):
    """The state of the translator: the operations so far, and the body that it is translating."""

    code: Slice[u64]
    marks: Slice[u8]  # of each word: may execution be resumed there?
    operands: Slice[Operand]
    targets: Slice[Target]
    at: u32  # the next word
    height: u32  # of the operand stack
    depth: u32  # of open blocks
    locals: u32
    most: u32  # the greatest height
    lowest: u32  # no operand below this height is in a local
    condition: Handler  # the comparison that a branch takes, with its first word and its constant
    first: u64
    value: u64
    next_mark: u8
    last: u32  # the operation that has just made an operand, or NONE
    made: u32  # the height of that operand
    step: u32  # the last operation that left a sum in a local
    copied: u32  # the last copy
    border: u32  # the last branch target; no operations are fused across it
    skipped: u32  # open blocks in code that never runs
    reachable: bool
    straight: u32  # operations on the longest path here from a safe point or a return
    calls: bool  # does the function that it is translating call others?
