"""What does code find at its entry, and what must it leave at each exit? The images' calling conventions, as data.

Functions follow the Procedure Call Standard for the Arm 64-bit Architecture (AAPCS64, 6.1 and 6.2). Operations of the
WebAssembly VM follow what Clang calls `preserve_none`, and continue at each other by tail calls. What is in no list
here, above all a system register, changes only where a contract says so.
"""

from dataclasses import dataclass
from typing import NamedTuple

from corollary.proofs.machine import words
from corollary.proofs.machine.memory import ADDRESS, linear, multiple

GENERAL = tuple(f"x{number}" for number in range(31))
VECTORS = tuple(f"q{number}" for number in range(32))
HALVES = tuple(f"d{number}" for number in range(8, 16))  # lower halves of vector registers
FLAGS = ("NG", "ZR", "CY", "OV")
ARGUMENTS = GENERAL[:8]  # further ones lie on the stack, a word each, from sp on
RESULT, LINK, FRAME, SP = "x0", "x30", "x29", "sp"
STACK_ALIGNMENT = 16  # bytes
USED = (*GENERAL, SP, *FLAGS)  # all that a function of the kernel uses


@dataclass(frozen=True)
class Convention:
    """How some code is entered and left."""

    name: str
    preserved: tuple = ()  # registers that hold at the end what they held at the entry
    returns: bool = True  # does LINK say where to go at the end?
    stack: bool = True  # is SP a multiple of STACK_ALIGNMENT, and may the code use the stack below it?

    @property
    def entered(self):
        """Return the registers whose values at the entry matter at the end."""
        return (*self.preserved, LINK)

    @property
    def lost(self):
        """Return the registers that may hold anything after the code returns.

        Half of a vector register may be preserved.
        """
        return tuple(name for name in (*GENERAL, *FLAGS, *VECTORS) if name not in self.preserved)


FUNCTION = Convention("function of the kernel", (*GENERAL[19:30], SP))
"""Vector registers belong to the partitions: the kernel keeps nothing in them."""
VM_FUNCTION = Convention("function of the VM", (*FUNCTION.preserved, *HALVES))
PRESERVE_NONE = Convention("handler of the VM", (FRAME, SP))
NAKED = Convention("code that nobody calls", returns=False, stack=False)
"""The vectors, and code that runs after a reset or without a stack: nothing is known of SP, and nothing returns."""

ENTRY, NEXT = "entry", "next"


class Way(NamedTuple):
    """A way out of code, and what must hold there. There is no call through a register: it is refused."""

    what: str
    comes_back: bool = False  # does the code end, so that preserved registers hold what they held at the entry?
    link: str = ""  # LINK holds what it held at the ENTRY, the address of the NEXT instruction, or anything
    goes: str = ""  # a register holds the target, which is what LINK held at the ENTRY
    stack: bool = True  # is SP a multiple of STACK_ALIGNMENT for the code entered next?


RETURN = Way("return", comes_back=True, goes=ENTRY)
CALL = Way("call", link=NEXT)
TAIL_CALL = Way("tail call", comes_back=True, link=ENTRY)
LAST_CALL = Way("call of what never returns")
EXCEPTION_RETURN = Way("exception return", stack=False)
"""Return to a partition: a contract says what every register holds."""


def demands(way, convention, entry, now, known, target=None, following=None):
    """Yield `(condition, what)` for all that must hold of registers where code of a convention is left.

    `now(name)` is what a register holds. `known` maps ids of words to the bytes that they are multiples of. `target`
    is where control goes if a register says so. `following` is the address of the next instruction.
    """
    if way.comes_back and not convention.returns or way is EXCEPTION_RETURN and convention.returns:
        yield False, f"{way.what}: no way out of a {convention.name}"
        return
    if way.goes == ENTRY:
        yield words.equal(target, entry[LINK], ADDRESS), f"a {way.what} goes to the caller"
    if way.link == ENTRY:
        yield words.equal(now(LINK), entry[LINK], ADDRESS), f"{LINK} is kept"
    elif way.link == NEXT:
        yield words.equal(now(LINK), following, ADDRESS), f"{LINK} leads to the next instruction"
    for name in convention.preserved if way.comes_back else ():
        yield words.equal(now(name), entry[name], ADDRESS), f"{name} is kept"
    if way.stack:
        yield multiple(linear(now(SP)), STACK_ALIGNMENT, known), f"{SP} is a multiple of {STACK_ALIGNMENT}"
