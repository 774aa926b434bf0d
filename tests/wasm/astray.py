"""Does a tampered program stay in bounds? One of its operations marks a missing data segment as dropped."""

from wasmtime import wat2wasm

from corollary import Instance, Module
from corollary.spec.wasm.internal import NUMBER

SEGMENTS = 32  # this many, so that their marks are an array of their own
SOURCE = "(module (memory 1) " + SEGMENTS * '(data "x")' + ' (func (export "run") (data.drop 0)))'


def main():
    """Run it: the write is outside of everything."""
    module = Module(wat2wasm(SOURCE))
    code = module.translation["code"]
    place = next(word for word in range(module.translation.value.at) if code[word] & 0xFFFF == NUMBER["data_drop"])
    code[place] += SEGMENTS << 32
    Instance(module).call("run")


if __name__ == "__main__":
    main()
