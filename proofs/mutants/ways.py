"""What if code broke its calling convention on the way out? Changes at every way out of the kernel's functions.

None of them is equivalent, by construction: a preserved register becomes its complement, a frame gets another size, a
slot or a register is replaced. So each must be refuted; one that is called proved has survived.
"""

import random
from functools import cache

from corollary.proofs.machine.contracts import CONTRACTS
from corollary.proofs.machine.convention import FRAME, FUNCTION, GENERAL, LINK, SP, STACK_ALIGNMENT
from corollary.proofs.machine.lift import SIZE, instruction, registers
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.summary import named
from corollary.proofs.machine.system import covered
from corollary.proofs.mutants.machine import WAY_OUT, MachineMutant

ANOTHER = 3  # a register that holds an argument or anything
SP_NUMBER = 31  # as a base
GROW = 0x910003FF | STACK_ALIGNMENT << 10  # add sp, sp, #16
BRANCHES = ("BRANCH", "CBRANCH")
FINAL = frozenset(
    name for contract in CONTRACTS.values() for name, signature in contract.calls.items() if signature.final
)
"""Functions that never return: nothing is preserved for them."""


class Code:
    """The instructions of one function, by their addresses."""

    def __init__(self, image, symbol):
        self.image, self.symbol = image, symbol
        self.read = {address: instruction(image.read(address, SIZE), address) for address in image.code(symbol)}

    def word(self, address):
        """Return the four bytes of an instruction as a number."""
        return int.from_bytes(self.image.read(address, SIZE), "little")

    def callee(self, address):
        """Return the name of the function that a branch jumps to for good, or None."""
        branches = [each.inputs[0] for each in self.read[address].operations if each.name == "BRANCH"]
        targets = [node.offset for node in branches if node.space == "ram"]
        outside = [target for target in targets if not self.symbol.address <= target < self.symbol.end]
        return self.image.at[outside[0]].name if outside and outside[0] in self.image.at else None

    def operations(self, address):
        """Return the names of the operations that an instruction consists of."""
        return {each.name for each in self.read[address].operations}

    def ends(self, address):
        """Does control never continue at the next instruction?"""
        return bool(self.operations(address) & {"BRANCH", "BRANCHIND", "RETURN"})

    def ways_out(self):
        """Yield the addresses of returns, exception returns, and tail calls of functions that return."""
        followed = {name for contract in CONTRACTS.values() for name in contract.follows}
        for address, code in self.read.items():
            callee = self.callee(address)
            if code.mnemonic in ("ret", "eret") or callee is not None and callee not in FINAL | followed:
                yield address


def changes(image, name):
    """Yield `(address, new instruction, kind of change)` for every way out of a function, and for its frame."""
    code = Code(image, image.functions[name])
    found = list(code.ways_out())
    for address in found:
        yield from at_way_out(code, address)
        yield from before_way_out(code, address)
    if found and name in named():
        for address in code.read:
            yield from at_entry(code, address)


def at_way_out(code, address):
    """Yield a return through another register, or a call in place of a tail call."""
    if code.read[address].mnemonic == "ret":
        yield address, code.word(address) & ~(31 << 5) | ANOTHER << 5, "return register"
    elif code.read[address].mnemonic == "b":
        yield address, code.word(address) | 1 << 31, "link"  # bl


def before_way_out(code, address):
    """Yield changes where registers are restored, and in the instruction before.

    The former take another slot or frame. The latter changes a register that is not restored, or the stack pointer.
    """
    before, back = address - SIZE, set()
    while before in code.read and (gives_back(code, before) or code.read[before].mnemonic == "bl"):
        yield from of_restore(code, before)
        back |= {SP} if code.read[before].mnemonic == "bl" else {LINK, *outputs(code, before)}
        before -= SIZE
    if before not in code.read or code.ends(before):
        return
    kept = [name for name in (*FUNCTION.preserved, LINK) if name != SP]
    lasting = GENERAL if code.read[address].mnemonic == "eret" else kept
    for register in lasting:
        if register not in back:
            yield before, mvn(int(register[1:])), "register"
    if code.read[address].mnemonic != "eret":
        yield before, GROW, "stack pointer"


def mvn(number):
    """Return the instruction that inverts all bits of a register."""
    return 0xAA2003E0 | number << 16 | number


def outputs(code, address):
    """Return the names of the preserved registers, SP and LINK among the registers that an instruction changes."""
    names = {registers()[name]: name for name in (*FUNCTION.preserved, LINK)}
    return [names[each.output] for each in code.read[address].operations if each.output in names]


def gives_back(code, address):
    """Does an instruction load preserved registers from the stack, or move SP up?"""
    on_stack = code.word(address) >> 5 & 31 == SP_NUMBER
    return on_stack and code.read[address].mnemonic in ("ldp", "ldr", "add") and bool(outputs(code, address))


def of_restore(code, address):
    """Yield another slot, swapped registers, or another size of the frame."""
    word, mnemonic, moves = code.word(address), code.read[address].mnemonic, SP in outputs(code, address)
    if mnemonic == "add" and moves:
        yield address, word ^ 1 << 14, "frame"  # by 16
    elif mnemonic == "ldp":
        yield address, word & ~(31 | 31 << 10) | word >> 10 & 31 | (word & 31) << 10, "slot"
        yield address, word ^ 1 << (16 if moves else 15), "frame" if moves else "slot"  # by 16, and by 8
    elif mnemonic == "ldr" and moves:
        yield address, word ^ 1 << 16, "frame"  # by 16


def at_entry(code, address):
    """Yield another size, or another saved register, where a frame is made."""
    word, mnemonic = code.word(address), code.read[address].mnemonic
    if SP not in outputs(code, address) or word >> 5 & 31 != SP_NUMBER or mnemonic not in ("stp", "str", "sub"):
        return
    yield address, word ^ 1 << (14 if mnemonic == "sub" else 16), "frame"  # by 16
    while address in code.read and not set(code.operations(address)) & {*BRANCHES, "CALL"}:
        saved, word = code.read[address].mnemonic, code.word(address)
        if saved in ("stp", "str") and word >> 5 & 31 == SP_NUMBER and set(outputs(code, address)) <= {SP}:
            for low in (0, 10) if saved == "stp" else (0,):
                if f"x{word >> low & 31}" in (*FUNCTION.preserved, LINK):
                    yield address, word & ~(31 << low) | ANOTHER << low, "saved register"
        elif set(outputs(code, address)) - {SP, FRAME}:
            return
        address += SIZE


@cache
def every():
    """Return all changes of all kernel code that is proved."""
    found = {}
    for name in sorted({*named(), *covered()}):
        start = built().functions[name].address
        for address, new, what in changes(built(), name):
            words = built().read(address, SIZE), new.to_bytes(SIZE, "little")
            old, now = (instruction(word, address).text for word in words)
            if old != now:
                change = f"{name}+{address - start:#x} `{old}` -> `{now}`"
                mutant = MachineMutant(WAY_OUT, name, address, address - start, new, what, change)
                found[mutant.id] = mutant
    return tuple(found.values())


def sample(seed=0, share=1.0):
    """Return a share of them."""
    return every() if share >= 1 else tuple(random.Random(seed).sample(every(), round(share * len(every()))))
