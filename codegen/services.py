"""How do agents in C, the guest that serves them, and WIT see the functions of the host?"""

from corollary.codegen.declarations import noted
from corollary.codegen.wrapping import comment, wrap
from corollary.spec import host
from corollary.spec.kernel.limits import CHILDREN
from corollary.spec.vectors.vocabulary import Status

SOURCES = ("spec/host.py", "spec/kernel/limits.py", "spec/vectors/vocabulary.py")
FILES = {"host.h": "guest/host.h", "services.h": "guest/services.h", "host.wit": "guest/host.wit"}
"""The path of each file by the name of its template."""
NOTES = 33  # column of what a status means


def imported(function):
    """The lines that declare a function to an agent in C."""
    inner = ", ".join(f"{kind.c}{name}" for name, kind in function.parameters.items()) or "void"
    line = f"IMPORT({function.name}) {host.STATUS.c}{function.name}({inner});"
    return [*comment(function.sentence), *wrap(line)]


def service(function):
    """The line of a function in the table of the guest."""
    kinds = (kind.wasm.upper() for kind in function.parameters.values())
    types = ", ".join((*kinds, "ENDS"))
    result = host.STATUS.wasm.upper()
    return f'{{TEXT("{function.name}"), {{{types}}}, {{{result}, ENDS}}, perform_{function.name}}},'


def exported(function):
    """The lines of a function in WIT."""
    inner = ", ".join(f"{in_wit(name)}: {kind.wit}" for name, kind in function.parameters.items())
    return [f"/// {function.sentence}", f"{in_wit(function.name)}: func({inner}) -> {host.STATUS.wit};"]


def in_wit(name):
    """A name as WIT writes it."""
    return name.replace("_", "-")


def store_statuses():
    """What a store of vectors answers besides OK: the number that agents see, the name, and what it means."""
    return [
        (host.STORE_STATUS + number, name, Status.notes.get(name, ""))
        for name, number in Status.members.items()
        if number
    ]


def enumerated():
    """The same as lines in C."""
    return [noted(f"    STORE_{name} = {number},", note, NOTES) for number, name, note in store_statuses()]


def listed():
    """The same as lines of a comment in WIT."""
    return [f"/// * {number} {in_wit(name.lower())}{note and f': {note}'}" for number, name, note in store_statuses()]


def values():
    """The values that the templates use."""
    return {
        "module": host.MODULE,
        "children": CHILDREN,
        "structures": host.STRUCTURES,
        "most": max(len(function.parameters) for function in host.FUNCTIONS),
        "names": [function.name for function in host.FUNCTIONS],
        "store": host.STORE_STATUS,
        "enumerated": enumerated(),
        "listed": listed(),
        "imports": [imported(function) for function in host.FUNCTIONS],
        "services": [service(function) for function in host.FUNCTIONS],
        "exports": [exported(function) for function in host.FUNCTIONS],
    }
