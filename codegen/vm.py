"""What does the WebAssembly VM consist of?

It consists of the decoder, the validator, the translator, the functions that run, the check of states from outside, and
everything that these reach.
"""

from codegen.program import Program
from model.wasm.decoder import decode, survey
from model.wasm.machine import (
    copy_memory, copy_table, fill_memory, fill_table, grow_memory, grow_table, init_memory, init_table)
from model.wasm.snapshot import check, slots_at
from model.wasm.translator import translate
from model.wasm.validator import validate

RUNNING = (grow_memory, copy_memory, fill_memory, init_memory, grow_table, fill_table, copy_table, init_table)

VM = Program(lambda: [survey, decode, validate, translate, check, slots_at, *RUNNING], common=("spec.wasm.module", "spec.wasm.machine"),
             typed=("spec.wasm.values", "spec.wasm.refusals", "spec.wasm.opcodes", "spec.wasm.internal", "spec.wasm.module", "spec.wasm.machine",
                    "spec.wasm.traps", "spec.wasm.snapshot", "model.wasm.decoder"))
