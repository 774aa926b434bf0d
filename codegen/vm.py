"""What does the WebAssembly VM consist of?

It consists of the decoder, the validator, the translator, the functions that fill an instance and enter it, the
functions that run, the check of states from outside, and everything that these reach.
"""

from corollary.codegen.program import Program
from corollary.model.wasm.content import own, restore
from corollary.model.wasm.decoder import decode, survey
from corollary.model.wasm.entry import enter, leave, live, result_slot
from corollary.model.wasm.instantiation import copy_data, copy_elements, fill_globals, fill_items
from corollary.model.wasm.machine import (
    copy_memory,
    copy_table,
    fill_memory,
    fill_table,
    grow_memory,
    grow_table,
    init_memory,
    init_table,
)
from corollary.model.wasm.operand_types import is_reference
from corollary.model.wasm.room import code_words
from corollary.model.wasm.translator import translate
from corollary.model.wasm.validator import validate

PREFIX = "corollary_"
"""How every name begins that a program with functions of its own sees of the VM."""
HOST = (
    survey,
    code_words,
    decode,
    validate,
    translate,
    fill_globals,
    fill_items,
    copy_elements,
    copy_data,
    enter,
    leave,
    live,
    result_slot,
    own,
    is_reference,
    restore,
)
"""What a host calls. The rest is hidden in a shared library."""
RUNNING = (grow_memory, copy_memory, fill_memory, init_memory, grow_table, fill_table, copy_table, init_table)

VM = Program(
    lambda: [*HOST, *RUNNING],
    common=("corollary.spec.wasm.internal", "corollary.spec.wasm.module", "corollary.spec.wasm.machine"),
    typed=(
        "corollary.spec.wasm.values",
        "corollary.spec.wasm.refusals",
        "corollary.spec.wasm.opcodes",
        "corollary.spec.wasm.internal",
        "corollary.spec.wasm.module",
        "corollary.spec.wasm.machine",
        "corollary.spec.wasm.traps",
        "corollary.spec.wasm.snapshot",
        "corollary.model.wasm.decoder",
    ),
)
