"""Where in the image is the system reached? Only code with a contract may write system registers, maintain TLBs and caches, or leave EL2."""

from proofs.machine.contracts import CONTRACTS
from proofs.machine.lift import SIZE, instruction
from proofs.machine.platform import is_hardware, is_instruction, system

LEAVING = ("eret", "smc", "hvc", "svc", "brk")


def covered():
    """The symbols of all code that a contract speaks of."""
    return {symbol for kept in CONTRACTS.values() for symbol in (kept.function.symbol, *kept.follows)}


def reaches(code):
    """Does an instruction reach the system?"""
    written = any(operation.output in system().values() or operation.name == "UnkSytemRegWrite" for operation in code.operations)
    return written or code.mnemonic in LEAVING or any(is_hardware(operation) for operation in code.operations)


def strays(image):
    """What reaches the system in code without a contract, in words."""
    found = []
    for symbol in image.functions.values():
        if symbol.name not in covered():
            code = [instruction(image.read(address, SIZE), address) for address in range(symbol.address, symbol.end, SIZE) if is_instruction(image, address)]
            found += [f"{each.address:#x}: {each.text} in {symbol.name}" for each in code if reaches(each)]
    return found
