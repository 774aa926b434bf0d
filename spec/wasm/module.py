"""What is a decoded module? Records over its bytes: names, types and bodies are positions in them, nothing is copied.

The host makes room for as many of each as `survey` counted.
"""

from language.types import Enum, Slice, u8, u32, u64
from language.values import Record
from spec.wasm.internal import Handler
from spec.wasm.opcodes import Opcode
from spec.wasm.refusals import Refusal
from spec.wasm.values import ValueType

MEMORY_PAGES = 65536            # the most that 32-bit addresses reach
ARITY = 1_000                   # parameters of a type, and results: as much as browsers take
BODY = 7_654_321                # bytes of the body of a function, as in browsers
LOCALS = 50_000                 # of one function, parameters included
DEPTH = 4_096                   # blocks within blocks
OPERANDS = 65_536               # on the operand stack of one function
ENTRIES = 1_000_000             # of any section
SEGMENT_ITEMS = 10_000_000      # of element segments, all together
ROUNDS = 8                      # of loops over types of operands that each byte pays for,
FREE_ROUNDS = 1 << 20           # and these besides
NONE = 0xFFFF_FFFF              # no index


class External(Enum):
    """What may be imported and exported."""

    FUNCTION = 0
    TABLE = 1
    MEMORY = 2
    GLOBAL = 3


class Mode(Enum):
    """What becomes of a segment."""

    ACTIVE = 0
    PASSIVE = 1
    DECLARATIVE = 2


class Types(Record):
    """Some value types, one byte each, as they lie in the module."""

    at: u32
    count: u32


class FunctionType(Record):
    """The types of parameters and results."""

    parameters: Types
    results: Types
    same: u32               # the first type that is equal


class Name(Record):
    """A text of the module, in UTF-8."""

    at: u32
    size: u32


class Limits(Record):
    """Sizes of a memory in pages, or of a table in elements."""

    minimum: u32
    maximum: u32
    bounded: bool           # is there a maximum?


class Import(Record):
    """What a module needs from others, and its index among its kind."""

    module: Name
    name: Name
    kind: External
    index: u32


class Function(Record):
    """A function: imported ones have no body."""

    type: u32
    same: u32               # the first type that is equal to its own
    at: u32                 # of its body: locals, then instructions
    end: u32
    declared: bool          # may `ref.func` name it?
    entry: u32              # its first operation, once it is translated
    calls: u32              # the last call of it that does not know its entry yet


class TableType(Record):
    """A table."""

    element: ValueType
    limits: Limits


class Constant(Record):
    """A constant expression: one instruction, and its immediate."""

    opcode: Opcode
    value: u64
    type: ValueType         # of a null reference
    at: u32
    wrong: Refusal          # why it is none, if so


class Global(Record):
    """A global; imported ones have no value yet."""

    type: ValueType
    mutable: bool
    value: Constant


class Export(Record):
    """What a module offers."""

    name: Name
    kind: External
    index: u32


class Element(Record):
    """A segment of references for a table."""

    mode: Mode
    type: ValueType
    table: u32
    offset: Constant
    first: u32              # of its items in `items`
    count: u32


class Data(Record):
    """A segment of bytes for the memory."""

    mode: Mode
    memory: u32
    offset: Constant
    at: u32
    size: u32


class Node(Record):
    """A place in a tree of texts: what leads there from the root are the half bytes of a text, or of the beginning of one."""

    half: u8                # the last one of them
    first: u32              # a place below, or 0
    next: u32               # another one below the same, or 0
    text: u32               # the number of the first text that ends here, counted from 1, or 0


class Counts(Record):
    """How many there are of each."""

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
    codes: u32              # bodies of functions
    text: u32               # bytes of all types, or of all exports, which are more


class Module(Record):
    """A module, and how far it has been read."""

    bytes: Slice[u8]
    types: Slice[FunctionType]
    imports: Slice[Import]
    functions: Slice[Function]
    tables: Slice[TableType]
    memories: Slice[Limits]
    globals: Slice[Global]
    exports: Slice[Export]
    entries: Slice[u64]     # of each function: its first operation, 0 of an imported one, and its type
    elements: Slice[Element]
    items: Slice[Constant]
    data: Slice[Data]
    nodes: Slice[Node]      # two for each byte of text, and the root
    counts: Counts
    imported_functions: u32
    imported_globals: u32
    start: u32              # the index of a function, or NONE
    nodes_used: u32
    data_count: u32         # what its own section says of the number of data segments, or NONE
    at: u32                 # the next byte to read
    end: u32                # the first byte not to read
    refusal: Refusal
    offset: u32             # where the reason of the refusal stands
    work: u64               # rounds of loops over the types of operands that are still paid for
    stop: u8                # not 0, which others may make it at any time: nothing more is read


class BlockType(Enum):
    """How the types of a block are given."""

    EMPTY = 0
    RESULT = 1              # one value type, by its byte
    INDEX = 2               # a function type


class Decoded(Record):
    """One instruction with its immediates."""

    opcode: Opcode
    block: BlockType
    type: ValueType         # of the result of a block, or of a null reference
    value: u64              # the first number, or the bits of a constant
    second: u64
    at: u32                 # of the instruction
    vector: Types           # of labels in LEB128, or of value types


class Label(Record):
    """A block that is open while a body is validated."""

    opcode: Opcode
    parameters: Types
    results: Types
    height: u32             # of the operand stack below the block
    unreachable: bool       # is the rest of the block never run?


class Validation(Record):
    """What the validator keeps while it goes through a body."""

    operands: Slice[ValueType]
    labels: Slice[Label]
    locals: Slice[ValueType]
    height: u32             # of the operand stack
    depth: u32              # of open blocks
    local_count: u32


class Place(Enum):
    """Where an operand is while a body is translated."""

    SLOT = 0                # in the slot of its height
    LOCAL = 1               # in a local, still
    VALUE = 2               # a constant


class Operand(Record):
    """An operand while a body is translated."""

    place: Place
    value: u64              # the number of the local, or the constant
    shift: u32              # by how much it is yet to be moved up, as an i32
    addend: u32             # and then what is yet to be added to it


class Target(Record):
    """A block that is open while a body is translated."""

    opcode: Opcode
    height: u32             # of the operand stack below the block
    parameters: u32
    results: u32
    start: u32              # its first operation, of a loop
    pending: u32            # the last branch to its end, which is not known yet
    otherwise: u32          # the branch to the `else` of an `if`
    straight: u32           # of Translation, at the branches to its end, at most
    before: u32             # the same at the branch to the `else`


class Translation(Record):
    """What the translator keeps: the operations so far, and the body that it is in."""

    code: Slice[u64]
    marks: Slice[u8]        # of each word: may execution be resumed there?
    operands: Slice[Operand]
    targets: Slice[Target]
    at: u32                 # the next word
    height: u32             # of the operand stack
    depth: u32              # of open blocks
    locals: u32
    most: u32               # the greatest height
    lowest: u32             # no operand below is in a local
    condition: Handler      # the comparison that a branch takes, with its first word and its constant
    first: u64
    value: u64
    next_mark: u8
    last: u32               # the operation that made an operand just now, or NONE
    made: u32               # the height of that operand
    step: u32               # the last operation that left a sum in a local
    copied: u32             # the last copy
    border: u32             # the last place that branches lead to, where no operations are merged
    skipped: u32            # blocks that are open in code that never runs
    reachable: bool
    straight: u32           # operations on the longest way here from a safe point or a return
    calls: bool             # does the function that it is in call others?
