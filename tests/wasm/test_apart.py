"""Does an instance whose memory comes apart from its snapshot keep that, and take no content that has a memory?"""

import pytest

from corollary.language.values import allocate
from corollary.model.wasm.content import restore_memory
from corollary.spec.wasm.machine import PAGE, Machine, Memory
from corollary.spec.wasm.snapshot import Content, Fault

BEFORE, OPENING = b"\x05", b"opening"


def machine(pages):
    """Return a machine whose memory has room for some pages, all of them full, and a size of none."""
    vm = Machine()
    allocate(vm, memory=[Memory(size=0, maximum=pages)])
    allocate(vm.memory[0], bytes=bytearray(BEFORE * PAGE * pages))
    return vm


def content(data, apart):
    """Return a content of which nothing but the memory is left to read."""
    c = Content(at=len(OPENING), apart=apart)
    allocate(c, bytes=bytearray(OPENING + data))
    return c


@pytest.mark.parametrize("pages", [0, 1, 2])
def test_memory_that_comes_apart_is_as_large_as_the_content_says_and_as_it_was(pages):
    vm = machine(2)
    assert restore_memory(vm, content(b"", apart=True), pages) == Fault.NONE
    assert vm.memory[0].size == pages * PAGE and bytes(vm.memory[0].bytes.rows) == BEFORE * PAGE * 2


@pytest.mark.parametrize(
    ("data", "apart", "pages", "fault"),
    [
        (bytes(PAGE), True, 1, Fault.LAYOUT),
        (b"", False, 1, Fault.LAYOUT),
        (b"\0", True, 0, Fault.LAYOUT),
        (b"", True, 3, Fault.MEMORY),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(data, apart, pages, fault):
    vm = machine(2)
    assert restore_memory(vm, content(data, apart), pages) == fault
    assert vm.memory[0].size == 0 and bytes(vm.memory[0].bytes.rows) == BEFORE * PAGE * 2


def test_memory_in_the_content_is_taken_from_there():
    vm = machine(2)
    assert restore_memory(vm, content(b"\x07" * PAGE, apart=False), 1) == Fault.NONE
    assert bytes(vm.memory[0].bytes.rows) == b"\x07" * PAGE + BEFORE * PAGE
