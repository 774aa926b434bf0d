"""What does the WebAssembly VM consist of? Decoder, validator, translator, what runs, the check of states from outside, and all that they reach."""

from codegen.program import Program
from model.wasm.decoder import decode, survey
from model.wasm.machine import (
    copy_memory, copy_table, fill_memory, fill_table, get_element, grow_memory, grow_table, init_memory, init_table, set_element)
from model.wasm.snapshot import check
from model.wasm.translator import translate
from model.wasm.validator import validate

RUNNING = (grow_memory, copy_memory, fill_memory, init_memory, get_element, set_element, grow_table, fill_table, copy_table, init_table)

VM = Program(lambda: [survey, decode, validate, translate, check, *RUNNING], common=("spec.wasm.module", "spec.wasm.machine"),
             typed=("spec.wasm.values", "spec.wasm.refusals", "spec.wasm.opcodes", "spec.wasm.internal", "spec.wasm.module", "spec.wasm.machine",
                    "spec.wasm.traps", "spec.wasm.snapshot", "model.wasm.decoder"))
