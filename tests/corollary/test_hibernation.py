"""Does a hibernated instance go on at the same instruction, and is every damage told by its name, with nothing lost?"""

import json
import threading
from dataclasses import asdict, replace

import pytest
from wasmtime import wat2wasm

from corollary import (
    Busy,
    Damage,
    Instance,
    Malformed,
    Module,
    Receipt,
    ReconstructionRefused,
    SnapshotRefused,
    Suspended,
    hibernate,
    hibernation,
    reconstruct,
)
from corollary.spec.store.block import LARGEST
from tests.wasm.restored import to_the_end
from tests.wasm.suspended import KEY, MODULES, ROUNDS

NAMES = sorted(MODULES)
ENDLESS = Module(wat2wasm('(module (func (export "run") (loop (br 0))))'))
THREADS = 6


def ended(instance, outcome):
    """Return how a call ends, and the state after it."""
    return to_the_end(instance, outcome), instance.snapshot(KEY)


def whole(name):
    """Return how a program ends that nothing interrupts."""
    instance = Instance(MODULES[name], host_calls=True)
    return ended(instance, instance.call("run", ROUNDS[name]))


def suspended(name="memory", fuel=5):
    """Return an instance in the middle of a program."""
    instance = Instance(MODULES[name], host_calls=True)
    instance.call("run", ROUNDS[name], fuel=fuel)
    return instance


def woken(receipt, block, name="memory", key=KEY):
    """Return the instance of a program from its block."""
    return reconstruct(MODULES[name], receipt, block, key, host_calls=True)


# ---- it comes back


@pytest.mark.parametrize("fuel", [1, 3, 7])
@pytest.mark.parametrize("name", NAMES)
def test_a_program_that_hibernates_again_and_again_ends_as_if_it_never_did(name, fuel):
    instance, rests = Instance(MODULES[name], host_calls=True), 0
    outcome = instance.call("run", ROUNDS[name], fuel=fuel)
    while isinstance(outcome, Suspended):
        receipt, block = hibernate(instance, KEY)
        state, rests = instance.snapshot(KEY), rests + 1
        instance = woken(receipt, block, name)
        assert instance.waiting == outcome and instance.snapshot(KEY) == state
        outcome = instance.resume(fuel=fuel)
    assert rests or name == "host calls"
    assert ended(instance, outcome) == whole(name)


def test_the_receipt_says_what_the_block_is_and_where():
    instance = suspended()
    receipt, block = hibernate(instance, KEY, at="disk 3, sector 70")
    assert receipt.at == "disk 3, sector 70" and receipt.module == instance.module.digest.hex()
    assert (receipt.packed, receipt.plain) == (len(block), len(instance.snapshot(KEY)))
    assert receipt.packed < receipt.plain / 10 and hibernate(instance, KEY, receipt.at) == (receipt, block)
    assert Receipt(**json.loads(json.dumps(asdict(receipt)))) == receipt


def test_the_instance_stays_until_it_is_dropped():
    instance = suspended()
    block = hibernate(instance, KEY)
    first, second = (ended(each, each.resume()) for each in (instance, woken(*block)))
    assert first == second == whole("memory")


def test_what_runs_does_not_hibernate():
    instance = Instance(ENDLESS)
    thread = threading.Thread(target=lambda: instance.call("run"))
    thread.start()
    while not instance.running:
        pass
    with pytest.raises(Busy):
        hibernate(instance, KEY)
    assert instance.interrupt()
    thread.join()
    assert isinstance(reconstruct(ENDLESS, *hibernate(instance, KEY), KEY).waiting, Suspended)


def test_threads_bring_back_the_same_instance_at_once():
    name, expected, gate, found = "recursion", whole("recursion"), threading.Barrier(THREADS), []
    receipt, block = hibernate(suspended(name), KEY)

    def work():
        gate.wait()
        for _ in range(10):
            instance = woken(receipt, block, name)
            instance.resume(fuel=3)
            again = woken(*hibernate(instance, KEY), name)
            found.append(ended(again, again.resume()))

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * (10 * THREADS)


# ---- it does not come back


DAMAGES = {
    Damage.TRUNCATED: lambda receipt, block: (receipt, block[:-1]),
    Damage.EXTENDED: lambda receipt, block: (receipt, block + b"\0"),
    Damage.ALTERED: lambda receipt, block: (replace(receipt, sha256="0" * 64), block),
    Damage.MODULE: lambda receipt, block: (replace(receipt, module="0" * 64), block),
    Damage.CONTENT: lambda receipt, block: (replace(receipt, plain=receipt.plain + 1), block),
}


def test_there_is_a_test_of_every_damage():
    assert DAMAGES.keys() == {*Damage}


@pytest.mark.parametrize("damage", [*Damage])
def test_each_damage_is_told_by_its_name_and_nothing_is_lost(damage):
    receipt, block = hibernate(suspended(), KEY, "shelf 4")
    with pytest.raises(ReconstructionRefused, match=Damage.notes[damage.name]) as refused:
        woken(*DAMAGES[damage](receipt, block))
    assert refused.value.damage is damage
    instance = woken(receipt, block)
    assert ended(instance, instance.resume()) == whole("memory")


def test_where_another_copy_may_lie_is_told():
    receipt, block = hibernate(suspended(), KEY, "shelf 4")
    for other in (block[1:], bytes(len(block))):
        with pytest.raises(ReconstructionRefused, match="take another copy from 'shelf 4'"):
            woken(receipt, other)


def test_another_module_is_named():
    receipt, block = hibernate(suspended(), KEY)
    with pytest.raises(ReconstructionRefused, match=receipt.module) as refused:
        reconstruct(MODULES["recursion"], receipt, block, KEY)
    assert refused.value.damage is Damage.MODULE


@pytest.mark.parametrize("plain", [-1, 0, 100, LARGEST, 1 << 64])
def test_a_size_that_the_content_does_not_have_is_refused_before_it_is_made(plain, monkeypatch):
    receipt, block = hibernate(suspended(), KEY)
    if plain > 255 * len(block) or plain < 0:
        monkeypatch.setattr(hibernation, "decompress", None)  # nobody asks for so much memory
    with pytest.raises(ReconstructionRefused) as refused:
        woken(replace(receipt, plain=plain), block)
    assert refused.value.damage is Damage.CONTENT


def test_the_block_is_checked_before_anything_else_is_looked_at(monkeypatch):
    receipt, block = hibernate(suspended(), KEY)
    altered = bytes([block[0] ^ 1]) + block[1:]
    monkeypatch.setattr(hibernation, "decompress", None)
    with pytest.raises(ReconstructionRefused):
        reconstruct(b"no module", receipt, altered, b"a short key")
    monkeypatch.undo()
    with pytest.raises(Malformed):
        reconstruct(b"no module", receipt, block, KEY)
    with pytest.raises(SnapshotRefused):
        woken(receipt, block, key=bytes(32))


def test_each_bit_of_a_block_counts():
    receipt, block = hibernate(suspended(), KEY)
    for bit in range(8 * len(block)):
        altered = bytearray(block)
        altered[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ReconstructionRefused) as refused:
            woken(receipt, altered)
        assert refused.value.damage is Damage.ALTERED


def test_who_changes_block_and_receipt_still_needs_the_key():
    """A change that leaves the content as it was is none."""
    receipt, block = hibernate(suspended(), KEY)
    expected, refusals = hibernation.decompress(block, receipt.plain), 0
    for byte in range(len(block)):
        altered = block[:byte] + bytes([block[byte] ^ 1]) + block[byte + 1 :]
        try:
            woken(replace(receipt, sha256=hibernation.hashed(altered)), altered)
        except (ReconstructionRefused, SnapshotRefused):
            refusals += 1
        else:
            assert hibernation.decompress(altered, receipt.plain) == expected
    assert refusals > 0.9 * len(block)


def test_what_is_written_to_the_buffer_after_the_check_is_not_read(monkeypatch):
    receipt, block = hibernate(suspended(), KEY)
    lent, right = bytearray(block), hibernation.hashed

    def hash_and_spoil(content):
        found = right(content)
        lent[:] = bytes(len(lent))
        return found

    monkeypatch.setattr(hibernation, "hashed", hash_and_spoil)
    instance = woken(receipt, lent)
    assert not any(lent) and ended(instance, instance.resume()) == whole("memory")
