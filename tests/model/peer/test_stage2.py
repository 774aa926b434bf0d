"""Does a stage-2 walk stay inside the memory that the kernel accounts for?

Each check fails with a peer's behaviour and passes with ours.
"""

from corollary.language.values import local
from corollary.spec.kernel.hardware import POOL_BASE, VTCR, VTCR_T0SZ, Walk, stage2_walk, vttbr
from tests.model.peer.checks import both, fails
from tests.model.world import FIRST_DATA, FIRST_FREE, Access, World

PEER_VTCR = VTCR - VTCR_T0SZ + 24  # 40-bit addresses, but a root of 512 entries
BEYOND = 1 << 39  # the first address that entry 512 of the root would translate


def forger(secret):
    """Let partition 1, which owns the page after its stage-2 root, write descriptors of its own into it."""
    w = World()
    handle = w.create(1)
    first = FIRST_FREE
    for offset, kind in enumerate((1, 4, 2, 3)):  # root, data, and two tables
        w.page(1, first + offset, kind)
    w.must("table_root", handle, first)
    w.must("table_link", handle, first, 2, first + 2)
    w.must("table_link", handle, first + 2, 0, first + 3)
    w.must("page_map", handle, first + 1, first + 3, 0, Access.READ | Access.WRITE)
    w.must("partition_start", handle, 0)
    forged = POOL_BASE + ((first + 1) << 12) | 3  # the page as a table that leads to itself
    w.store(1, 0x8000_0000, forged)
    w.store(1, 0x8000_0008, secret | 0x4C3)
    return w


def stays_inside(w, vtcr):
    """Check that no address of partition 1 leads outside its own pages and those shared with it."""
    for address in (BEYOND, BEYOND | (1 << 12), BEYOND | (2 << 12), 0x8000_0000, 0, BEYOND >> 1):
        walk = local(Walk)
        stage2_walk(w.s, vtcr, vttbr(w.s, 1), address, walk)
        assert walk.fault or not walk.outside and w.s.page[walk.page].owner == 1


@both("secret", (POOL_BASE + (FIRST_DATA << 12), 0x4020_0000), ids=("another partition", "the hypervisor"))
def test_item_2_stage_2_escape(secret):
    w = forger(secret)
    stays_inside(w, VTCR)
    fails(stays_inside, w, PEER_VTCR)


def test_item_2_the_shipped_register_is_the_one_that_is_proved():
    from corollary.spec.kernel.platform import BOOT_REGISTERS

    assert next(register for register in BOOT_REGISTERS if register.name == "VTCR_EL2").value == VTCR
    assert VTCR & 0x3F == 25
