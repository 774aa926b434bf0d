"""Which code of the image reaches the system? Only code with a contract.

No other code may write system registers, maintain TLBs and caches, leave EL2 or use vectors.
"""

from corollary.proofs.machine.contracts import CONTRACTS
from corollary.proofs.machine.instructions import HANDLER, HASH, PAIR
from corollary.proofs.machine.lift import SIZE, NotAllowed, instruction
from corollary.proofs.machine.platform import is_hardware, system
from corollary.proofs.machine.summary import named

LEAVING = ("eret", "smc", "hvc", "svc", "brk")


def covered():
    """Return the symbols of all code that a contract covers."""
    return {symbol for contract in CONTRACTS.values() for symbol in (contract.function.symbol, *contract.follows)}


def hashes():
    """Return the symbols of hashes, which may use vector registers, and whose proof lets them do nothing else."""
    return {function.symbol for function in named().values() if function.opaque}


def reaches(code):
    """Does an instruction reach the system, or the vector registers, which belong to the partitions?"""
    written = any(
        operation.output in system().values() or operation.name == "UnkSytemRegWrite" for operation in code.operations
    )
    vectors = code.form.use in (PAIR, HANDLER, HASH)
    told = any(is_hardware(operation) for operation in code.operations)
    return written or vectors or told or code.mnemonic in LEAVING


def strays(image):
    """Return, in words, what reaches the system in code without a contract.

    Instructions of unknown meaning count, as they may reach it.
    """
    found, trusted = [], covered() | hashes()
    for symbol in image.functions.values():
        for address in image.code(symbol) if symbol.name not in trusted else ():
            try:
                code = instruction(image.read(address, SIZE), address)
            except NotAllowed as problem:
                found.append(f"{problem} in {symbol.name}")
                continue
            found += [f"{address:#x}: {code.text} in {symbol.name}"] if reaches(code) else []
    return found
