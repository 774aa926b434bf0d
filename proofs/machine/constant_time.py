"""Can the timing of a check reveal a secret? No branch, no address and no argument of a callee may depend on one.

Two runs on equal public values agree on every term without a secret in it. So it is enough that branches and addresses
are such terms. Digests, keys, nonces and the words of a proof are secret. Two words of a proof are public: they say
how long its path is and on which side the siblings stand.
"""

import time

import z3

from corollary.language.frontend import translate
from corollary.language.reads import remembered
from corollary.language.types import ArrayType, is_scalar
from corollary.model.kernel.proof import PROOF_LEVELS, PROOF_POSITION
from corollary.proofs.machine import words
from corollary.proofs.machine.convention import ENTRY, LINK, SP
from corollary.proofs.machine.hashing import HashCode
from corollary.proofs.machine.lift import SIZE, GaveUp, NotAllowed
from corollary.proofs.machine.memory import linear
from corollary.proofs.machine.summary import footprint, named
from corollary.proofs.prove import ObligationResult

PROPERTY, LEVEL = "constant-time", 6
ROOTS = (
    "proof_mutation_digest",
    "proof_policy_holds",
    "proof_path_holds",
)  # P2, and the comparison of P3 with the attested root
SECRET = {
    ("memory", "[]", "word", "[]"),
    ("partition", "[]", "nonce"),
    ("key", "[]"),
    ("head", "[]"),
    ("proof_root", "[]", "root", "[]"),
    ("proof_root", "[]", "pending", "[]"),
}
PUBLIC_WORDS = (PROOF_LEVELS, PROOF_POSITION)  # of a page that holds a proof
SECRET_ARGUMENTS = {("sha256_put", "value")}  # scalars that may be given a secret, and are secret in the callee
VARIABLE_TIME = ("udiv", "sdiv")  # instructions whose time depends on their operands
BRANCHES = ("b.cond", "cbz", "cbnz", "tbz", "tbnz")  # the forms whose outcome a processor predicts
PLACES = (SP, LINK)  # registers that say at the entry where the stack and the caller are, which is public
LEFT = ("register", "garbage", "uninitialized", "not passed")  # what other code left, which may be secret


@remembered
def closure():
    """Return the symbols of the checks, and of all that they call."""
    found, pending = {}, [named()[symbol] for symbol in ROOTS]
    while pending:
        function = pending.pop()
        if function.symbol not in found:
            found[function.symbol] = function
            pending += [translate(callee) for callee in function.callees]
    return frozenset(found)


def is_secret_field(function, parameter, path):
    """Is a field below a parameter secret? Arrays of words passed on their own are digests and blocks."""
    type_ = next(item.type for item in function.parameters if item.name == parameter)
    return isinstance(type_, ArrayType) or path in SECRET


class Secrets:
    """Decides which unknowns of one path are secret."""

    def __init__(self, function, thread):
        self.function, self.results = function, {}
        for event in thread.events:
            if event.result is not None:
                self.results[str(event.result)] = self.learns(event)

    def learns(self, event):
        """May the result of a callee depend on a secret?"""
        mark = footprint(event.function)
        return any(is_secret_field(event.function, *read) for read in mark.reads) or any(
            self.inside(value) for value, _ in event.scalars.values()
        )

    def inside(self, value):
        """Return the name of a secret in a term, or an empty string."""
        if words.known(value) or isinstance(value, bool):
            return ""
        pending, seen = [value], set()
        while pending:
            node = pending.pop()
            if node.get_id() not in seen:
                seen.add(node.get_id())
                if node.decl().kind() == z3.Z3_OP_UNINTERPRETED and self.secret(node):
                    return str(node)
                pending += node.children()
        return ""

    def secret(self, node):
        """Is an unknown secret?"""
        name = node.decl().name()
        if name in self.results:
            return self.results[name]
        if "@" in name:  # what a callee left in an array, or what a register held at the entry
            owner, rest = name.split("@", 1)
            return "." in rest or (rest == ENTRY and owner not in PLACES)
        parameter, *path = name.split(".")
        if parameter in LEFT or (self.function.symbol, parameter) in SECRET_ARGUMENTS:
            return True
        if not any(item.name == parameter and not is_scalar(item.type) for item in self.function.parameters):
            return False
        if tuple(path) == ("memory", "[]", "word", "[]") and node.arg(1).decl().kind() == z3.Z3_OP_BNUM:
            return node.arg(1).as_long() not in PUBLIC_WORDS
        return is_secret_field(self.function, parameter, tuple(path))


def leak(function, thread):
    """Return what a path reveals, in words; an empty string if all that shows is public."""
    secrets = Secrets(function, thread)
    for condition in thread.branches:
        if secrets.inside(condition):
            return f"a branch depends on {secrets.inside(condition)}"
    for address in thread.reached:
        for _, word in linear(address).parts.values():
            if secrets.inside(word):
                return f"an address depends on {secrets.inside(word)}"
    for event in thread.events:
        for name, (value, _) in event.scalars.items():
            if secrets.inside(value) and (event.function.symbol, name) not in SECRET_ARGUMENTS:
                return f"{event.function.symbol} is given {secrets.inside(value)} as {name}"
    return ""


class Timed(HashCode):
    """A function in which every instruction takes the same time, whatever its operands."""

    def run(self, thread, code):
        """Run one instruction."""
        if code.mnemonic in VARIABLE_TIME:
            raise NotAllowed(f"{thread.pc:#x}: the time of {code.text} depends on its operands")
        if code.form.name in BRANCHES and code.operations[-1].inputs[0].offset == thread.pc + SIZE:
            raise NotAllowed(
                f"{thread.pc:#x}: {code.text} leads to the next instruction, taken or not, "
                "and nobody knows on what it depends"
            )
        return super().run(thread, code)


def decide(image, function):
    """Decide whether a function is free of leaks on every path."""
    start, result, reason = time.perf_counter(), "proved", ""
    try:
        for thread in Timed(image, function).paths():
            reason = leak(function, thread)
            if reason:
                result = "refuted"
                break
    except NotAllowed as problem:
        result, reason = "refuted", str(problem)
    except GaveUp as problem:
        result, reason = "unknown", str(problem)
    sentence = f"neither a branch nor an address of {function.symbol} depends on a digest, a key, a nonce or a proof"
    return ObligationResult(
        f"{function.symbol}/{PROPERTY}",
        LEVEL,
        PROPERTY,
        function.symbol,
        result,
        time.perf_counter() - start,
        sentence,
        reason=" ".join(reason.split())[:300],
    )
