"""Do the rules for SHA-2 instructions compute what FIPS 180-4 says, and may only hashes have these instructions?"""

import random

import pytest

from corollary.emulation.probe import VECTORS, State
from corollary.proofs.machine import hashing, system
from corollary.proofs.machine.execute import FunctionCode
from corollary.proofs.machine.hashing import HashCode
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.lanes import Lanes
from corollary.proofs.machine.lift import SIZE, NotAllowed, Varnode, registers
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.refine import Comparison
from corollary.proofs.machine.summary import named
from corollary.proofs.oracle.effect import HashEffect
from corollary.record.running import BEGINNING, ROUNDS, STATE, absorbed

MASK = (1 << 32) - 1
MOVE = 0x4EA01C02  # mov v2.16b, v0.16b
SCHEDULE, ROUND = 0x5E1460C4, 0x5E104020  # sha256su1 v4.4s, v6.4s, v20.4s; sha256h q0, q1, v16.4s


def vector(words):
    """Return four words as a vector."""
    return sum(word << 32 * place for place, word in enumerate(words))


def scheduled(block):
    """Return the words of the schedule, by the rules of the instructions."""
    four = [vector(block[at : at + 4]) for at in range(0, 16, 4)]
    for at in range(12):
        partial = hashing.schedule_0(four[at], four[at + 1])
        four.append(hashing.schedule_1(partial, four[at + 2], four[at + 3]))
    return [word for each in four for word in hashing.parts(each)]


def compressed(state, block):
    """Return a state after a block, by the rules of the instructions."""
    words = STATE.unpack(state)
    x, y = vector(words[:4]), vector(words[4:])
    schedule = scheduled(block)
    for at in range(0, 64, 4):
        sums = vector([(schedule[at + place] + ROUNDS[at + place]) & MASK for place in range(4)])
        x, y = hashing.rounds(x, y, sums)
    ended = [*hashing.parts(x), *hashing.parts(y)]
    return STATE.pack(*((old + new) & MASK for old, new in zip(words, ended, strict=True)))


def test_sixteen_times_four_rounds_are_a_compression():
    source = random.Random(5)
    for _ in range(5):
        block = [source.getrandbits(32) for _ in range(16)]
        state = STATE.pack(*(source.getrandbits(32) for _ in range(8)))
        told = b"".join(word.to_bytes(4, "big") for word in block)
        assert compressed(state, block) == absorbed(state, told)
    assert compressed(BEGINNING, [0] * 16) == absorbed(BEGINNING, bytes(64))


def test_a_part_in_the_middle_of_a_vector_leaves_what_lies_above_and_below():
    lanes, whole = Lanes(None), registers()["q0"]
    lanes[whole] = vector([1, 2, 3, 4])
    lanes[Varnode("register", whole.offset + 4, 4)] = 9
    assert lanes[whole] == vector([1, 9, 3, 4])


@pytest.mark.parametrize(("code", "changed"), [(SCHEDULE, "q4"), (ROUND, "q0"), (MOVE, "q2")])
def test_an_instruction_reads_its_vectors_and_changes_one(code, changed):
    effect = HashEffect(code)
    assert set(effect.changed) == {changed} and set(effect.inputs) <= set(VECTORS)
    assert isinstance(effect.outcome(State((0,) * 31, 0, 0, b"", (7,) * 32)).parts[changed], int)


def test_the_hash_that_ships_is_proved():
    assert Comparison(built(), named()["sha256_compress"]).run().result == "proved"


def test_no_other_function_may_have_such_an_instruction():
    function = named()["capability_id"]
    image = Image(built().path, [(built().functions[function.symbol].address, MOVE.to_bytes(SIZE, "little"))])
    with pytest.raises(NotAllowed, match="an instruction for hashes"):
        list(FunctionCode(image, function).paths())
    assert [line for line in system.strays(image) if "capability_id" in line]


def test_a_hash_may_not_reach_the_system():
    function = named()["sha256_compress"]
    barrier = (0xD5033FDF).to_bytes(SIZE, "little")  # isb
    image = Image(built().path, [(built().functions[function.symbol].address, barrier)])
    with pytest.raises(NotAllowed, match="an instruction for system"):
        list(HashCode(image, function).paths())
