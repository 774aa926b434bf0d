"""What does the code for stored states consist of? It consists of the compressor and the decompressor of blocks."""

from corollary.codegen.program import Program
from corollary.model.store.compression import compress
from corollary.model.store.decompression import decompress

HOST = (compress, decompress)
"""What a host calls. The rest is hidden in a shared library."""

STORE = Program(lambda: HOST, common=("corollary.spec.store.block",), typed=("corollary.spec.store.block",))
