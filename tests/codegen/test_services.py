"""Do the header, the WIT interface and the guest's table tell the same of each function that agents import?"""

import re

import pytest
from wasmtime import Engine, FuncType, Module

from corollary.codegen import build
from corollary.codegen.folders import GENERATED, ROOT
from corollary.emulation import agents
from corollary.spec import host
from corollary.spec.kernel.vocabulary import Status as KernelStatus
from corollary.spec.vectors.vocabulary import Status

FOLDER = GENERATED / "guest"
HEADER, TABLE, WIT = ((FOLDER / name).read_text() for name in ("host.h", "services.h", "host.wit"))
SERVED = "".join((ROOT / "guests" / name).read_text() for name in ("calls.c", "reading.c", "origin.c", "runtime.c"))
FUNCTIONS = {function.name: function for function in host.FUNCTIONS}
LOWERED = {"u64": "i64", "u32": "i32"}  # how values of WIT cross into a core module


def types_of(function):
    """Return the types of a function in WebAssembly."""
    return [kind.wasm for kind in function.parameters.values()], [host.STATUS.wasm]


def imported_by_c(folder):
    """Return what a module imports that uses every function of the header: parameters and results by name."""
    uses = "".join(f"    used += (uint64_t)(uintptr_t){function.name};\n" for function in host.FUNCTIONS)
    source, target = folder / "all.c", folder / "all.wasm"
    source.write_text(
        f'#include "corollary.h"\nuint32_t run(void)\n{{\n    volatile uint64_t used = 0;\n\n{uses}    return 0;\n}}\n'
    )
    build.linked(target, [source], (*agents.FLAGS, *(f"-I{each}" for each in agents.INCLUDED)))
    found = {each.name: each.type for each in Module(Engine(), target.read_bytes()).imports}
    return {
        name: ([str(each) for each in type_.params], [str(each) for each in type_.results])
        for name, type_ in found.items()
        if isinstance(type_, FuncType)
    }


def told_by_wit():
    """Return the functions of the WIT interface: the types of their parameters and results in a core module."""
    inner = re.search(r"interface host \{\n(.*?)\n\}", WIT, re.DOTALL)
    assert inner
    named = dict(re.findall(r"^  type (\S+) = (\w+);$", inner[1], re.MULTILINE))
    functions = re.findall(r"^  ([a-z][a-z-]*): func\((.*?)\) -> (\w+);$", inner[1], re.MULTILINE)
    lines = [line.strip() for line in inner[1].splitlines()]
    assert len(functions) + len(named) == sum(bool(line) and not line.startswith("///") for line in lines)

    def lowered(type_):
        return LOWERED[named.get(type_, type_)]

    return {
        name.replace("-", "_"): (
            [lowered(type_) for type_ in re.findall(r"[a-z][a-z-]*: (\w+)", parameters)],
            [lowered(result)],
        )
        for name, parameters, result in functions
    }


def test_names_are_unique_and_hypercalls_exist():
    names = [function.name for function in host.FUNCTIONS]
    assert len(set(names)) == len(names)
    assert all(function.operations for function in host.FUNCTIONS)


def test_c_imports_what_the_table_tells(tmp_path):
    assert imported_by_c(tmp_path) == {function.name: types_of(function) for function in host.FUNCTIONS}


def test_wit_tells_what_the_table_tells():
    assert told_by_wit() == {function.name: types_of(function) for function in host.FUNCTIONS}


def test_the_guest_offers_what_the_table_tells():
    rows = re.findall(r'^    \{TEXT\("(\w+)"\), \{(.*?)\}, \{(.*?)\}, perform_(\w+)\},$', TABLE, re.MULTILINE)
    assert all(name == performed for name, _, _, performed in rows)
    assert {name: (types.lower(), results.lower()) for name, types, results, _ in rows} == {
        name: tuple(", ".join([*types, "ends"]) for types in types_of(function)) for name, function in FUNCTIONS.items()
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_is_performed_with_its_hypercalls(name):
    assert re.search(rf"^trap_t perform_{name}\(.*?^}}", SERVED, re.MULTILINE | re.DOTALL)
    for operation in FUNCTIONS[name].operations:
        assert re.search(rf"\b{operation.name}\(|\b{operation.constant}\b", SERVED)


def test_statuses_of_a_store_are_no_statuses_of_the_kernel_and_every_file_tells_the_same():
    told = {int(number): name for name, number in re.findall(r"^    STORE_(\w+) = (\d+),", HEADER, re.MULTILINE)}
    assert told == {host.STORE_STATUS + number: name for name, number in Status.members.items() if number}
    assert min(told) > max(KernelStatus.members.values())
    listed = re.findall(r"^/// \* (\d+) ([a-z-]+)", WIT, re.MULTILINE)
    assert {int(number): name.upper().replace("-", "_") for number, name in listed} == told
