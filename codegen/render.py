"""Which files are generated, and what does each contain?

The text is computed here. The templates lay it out.
"""

import hashlib
import textwrap
from collections.abc import Set
from pathlib import Path

import jinja2

from corollary.codegen import (
    checks,
    component,
    declarations,
    embedding,
    floats,
    guest,
    handlers,
    instructions,
    kernel,
    meaning,
    platform,
    reference,
    services,
    vm,
    words,
)
from corollary.codegen.expressions import snake
from corollary.codegen.folders import GENERATED, TEMPLATES, file_of
from corollary.codegen.libraries import LIBRARIES
from corollary.codegen.program import docstring, is_plain
from corollary.codegen.released import identity_of
from corollary.codegen.wrapping import enclosed, paragraphs, quoted
from corollary.language.frontend import translate
from corollary.language.types import SliceType, is_scalar
from corollary.language.values import RecordMeta
from corollary.model import components
from corollary.model.kernel.component import KERNEL
from corollary.spec.kernel import interface

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(TEMPLATES),
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
    keep_trailing_newline=True,
)
ENVIRONMENT.filters |= {"enclosed": enclosed, "quoted": quoted}
EXPORTED = "EXPORTED"  # a macro: visible outside of a shared library
C_OPENING = ("/* ", "   ", " */")
OPENINGS = {
    ".c": C_OPENING,
    ".h": C_OPENING,
    ".S": C_OPENING,
    ".ld": C_OPENING,
    ".md": ("<!-- ", "     ", " -->"),
    ".txt": ("# ", "# ", ""),
    ".wit": ("// ", "// ", ""),
}


def render(path, template, sources, **values):
    """The whole text of a generated file: the banner, then what the template makes of the values."""
    body = ENVIRONMENT.get_template(template).render(**values)
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    first, other, last = OPENINGS[Path(path).suffix]
    named = textwrap.wrap(f"Generated from {', '.join(sources)}", 114)
    lines = [(other if number else first) + line for number, line in enumerate(named)]
    lines += [
        f"{other}with codegen/templates/{template}: edit those, not this.",
        f"{other}Content: sha256 {digest}{last}",
    ]
    return "\n".join(lines) + "\n\n" + body


def files():
    """Every generated file by its path below `generated/`."""
    found = program_texts(kernel.KERNEL, "kernel", operations=declarations.operation_numbers(), leaves=kernel.leaves())
    found["kernel/hardware_host.c"] = host_text()
    found |= invariant_texts(kernel.KERNEL, "kernel")
    found |= program_texts(
        vm.VM,
        "vm",
        used=handlers.MEANING.word_builtins,
        host=frozenset(translate(function).symbol for function in vm.HOST),
    )
    found["vm/names.h"] = names_text(vm.VM, "vm", "the VM")
    for folder, (program, host, owner) in LIBRARIES.items():
        found |= program_texts(program, folder, host=frozenset(translate(function).symbol for function in host))
        found[f"{folder}/names.h"] = names_text(program, folder, owner)
        if program.uses_floats:
            found[f"{folder}/floats.h"] = floats_text(folder)
    for each in components.BESIDE:
        found |= component_texts(each) if each.name not in LIBRARIES else {}
    for name in ("hypercall.h", "status.h"):
        found[f"guest/{name}"] = render(name, f"{name}.j2", guest.SOURCES, **guest.values())
    for name, path in services.FILES.items():
        found[path] = render(path, f"{name}.j2", services.SOURCES, **services.values())
    found["vm/floats.h"] = floats_text("vm")
    for name in ("handlers.c", "integers.h"):
        found[f"vm/{name}"] = render(name, f"{name}.j2", handlers.SOURCES, **handlers.values())
    for name in ("corollary.h", "reasons.c"):
        found[f"embedding/{name}"] = render(name, f"{name}.j2", embedding.SOURCES, **embedding.values())
    found["reference/operations.md"] = render(
        "operations.md", "operations.md.j2", reference.SOURCES, **reference.values()
    )
    found["reference/instructions.md"] = render(
        "instructions.md", "instructions.md.j2", instructions.SOURCES, **instructions.values()
    )
    found["reference/words.md"] = render("words.md", "words.md.j2", words.SOURCES, **words.values())
    found["reference/interface.txt"] = render(
        "interface.txt",
        "interface.txt.j2",
        interface.SOURCES,
        lines=list(interface.meaning()),
        number=f"{interface.INTERFACE:#018x}",
    )
    lines = list(meaning.meaning())
    found["reference/machine.txt"] = render(
        "machine.txt", "machine.txt.j2", meaning.SOURCES, lines=lines, identity=identity_of(lines).hex()
    )
    return found | platform.files()


def component_texts(of):
    """The files of a component that has nothing but its operations and its invariants."""
    program = component.program_of(of)
    return program_texts(program, of.name) | (invariant_texts(program, of.name, of) if of.invariants else {})


def program_texts(
    program, folder, operations=(), leaves=(), used: Set[str] = frozenset(), host: Set[str] = frozenset()
):
    """The files of a program: its types, the builtins that it uses, and its units.

    `host` has the symbols of functions that a host calls from outside of a shared library.
    """
    found = {
        f"{folder}/types.h": types_text(program, folder, operations, bool(host)),
        f"{folder}/builtins.h": builtins_text(program, folder, used),
    }
    for unit in program.units.values():
        if unit.name != "invariants":
            found |= unit_texts(program, folder, unit, leaves if unit.name == "hardware" else (), host)
    return found


def types_text(program, folder, operations, linked):
    """Types, limits, records and their pins; `linked` is whether other programs link this one."""
    records = [type_ for type_ in program.types if isinstance(type_, RecordMeta)]
    slices = [type_ for type_ in program.types if isinstance(type_, SliceType)]
    scalars = [type_ for type_ in program.types if is_scalar(type_)]
    plain = sorted(filter(is_plain, scalars), key=program.definition_line)
    named = sorted((type_ for type_ in scalars if not is_plain(type_)), key=program.definition_line)
    return render(
        "types.h",
        "types.h.j2",
        tuple(map(file_of, sorted({*program.common, *program.typed}))),
        guard=guard(folder, "types"),
        linked=linked,
        limits=[declarations.define(item) for item in program.limits],
        operations=operations,
        plain=[line for type_ in plain for line in declarations.scalar(type_, program.bounded)],
        named=[declarations.scalar(type_, program.bounded) for type_ in named],
        slices=[declarations.slice_(type_) for type_ in slices],
        records=[declarations.record(type_) for type_ in records],
        pins=[declarations.pins(type_) for type_ in records],
    )


def names_text(program, folder, owner):
    """What the linker calls the functions of a program."""
    return render(
        "names.h",
        "names.h.j2",
        (f"codegen/{folder}.py",),
        guard=guard(folder, "names"),
        owner=owner,
        prefix=vm.PREFIX,
        symbols=sorted(function.symbol for function in program.functions),
    )


def builtins_text(program, folder, used):
    """The builtins of the language that a program uses, with those in `used`."""
    return render(
        "builtins.h",
        "builtins.h.j2",
        ("language/builtins.py",),
        guard=guard(folder, "builtins"),
        used=program.word_builtins | used,
    )


def floats_text(folder):
    """The floating-point instructions of WebAssembly, for a program."""
    return render("floats.h", "floats.h.j2", floats.SOURCES, guard=guard(folder, "floats"), **floats.values())


def host_text():
    """The hardware effects on a machine that lacks them."""
    return render(
        "hardware_host.c",
        "hardware_host.c.j2",
        leaf_sources(),
        stubs=[declarations.leaf_stub(function) for function in kernel.leaves()],
    )


def leaf_sources():
    """The modules whose functions end in assembly."""
    return tuple(dict.fromkeys(file_of(function.python.__module__) for function in kernel.leaves()))


def unit_texts(program, folder, unit, leaves, host):
    """The header and the source of one unit."""
    sources = tuple(file_of(module) for module in unit.modules)
    header = render(
        f"{unit.name}.h",
        "unit.h.j2",
        sources + (leaf_sources() if leaves else ()),
        guard=guard(folder, unit.name),
        includes=headers(program, unit),
        constants=declarations.constant_lines(unit.shared),
        copied=[declarations.definition(function, before="inline") for function in unit.copied],
        prototypes=[
            declarations.prototype(function, EXPORTED if function.symbol in host else "")
            for function in unit.functions
            if function not in unit.copied
        ],
        leaves=[declarations.leaf_declaration(function) for function in leaves],
    )
    source = render(
        f"{unit.name}.c",
        "unit.c.j2",
        sources,
        includes=includes(program, unit),
        own=unit.name,
        constants=declarations.constant_lines(unit.private),
        copied=[declarations.prototype(function, "extern inline") for function in unit.copied],
        sections=sections(unit),
    )
    return {f"{folder}/{unit.name}.h": header, f"{folder}/{unit.name}.c": source}


def includes(program, unit):
    """The headers that a unit needs besides its own."""
    return [*builtins_of(program, unit.functions), *unit.includes]


def headers(program, unit):
    """The headers that the header of a unit needs besides the types."""
    return [*builtins_of(program, unit.copied), *unit.above]


def builtins_of(program, functions):
    """The header of the builtins, if some functions need it."""
    text = "\n".join(program.bodies[function.symbol] for function in functions)
    return ["builtins"] if any(f"{name}(" in text for name in program.word_builtins) else []


def sections(unit):
    """The functions of a unit by the module they come from, below its docstring, but those that are in its header."""
    apart = [function for function in unit.functions if function not in unit.copied]
    return [
        {"about": paragraphs(docstring(module)), "functions": [declarations.definition(function) for function in group]}
        for module in unit.modules
        if (group := [function for function in apart if function.python.__module__ == module])
    ]


def guard(folder, name):
    """The macro that keeps a header from being read twice."""
    return f"{folder.upper()}_{name.upper()}_H"


def invariant_texts(program, folder, of=KERNEL):
    """The invariants of a component as C, and the loops that check them all."""
    unit, state = program.units["invariants"], snake(of.state.name)
    sources = tuple(file_of(module) for module in sorted(unit.modules))
    groups, numbered = checks.groups(of), checks.numbered(of)
    source = render(
        "invariants.c",
        "invariants.c.j2",
        sources,
        state=state,
        includes=includes(program, unit),
        constants=declarations.constant_lines(unit.private),
        ids=[item.id for _, item, _ in numbered],
        functions=[declarations.definition(function, checks.about(function.symbol, of)) for function in unit.functions],
        groups=[checks.group_text(group, of) for group in groups],
        loops=[group.name for group in groups],
    )
    header = render(
        "invariants.h",
        "invariants.h.j2",
        sources,
        state=state,
        guard=guard(folder, unit.name),
        count=len(numbered),
        violation=declarations.record(checks.Violation),
        prototypes=[declarations.prototype(function) for function in unit.functions],
    )
    return {f"{folder}/invariants.c": source, f"{folder}/invariants.h": header}


def write(wanted, target=GENERATED):
    """Write what differs and remove what is stale. Return the paths changed and removed."""
    changed = [path for path, text in wanted.items() if read(target / path) != text]
    for path in changed:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_text(wanted[path])
    stale = stale_files(wanted, target)
    for path in stale:
        (target / path).unlink()
    return changed, stale


def differing(wanted, target=GENERATED):
    """The paths of generated files that differ from what would be generated now."""
    return [path for path, text in wanted.items() if read(target / path) != text] + stale_files(wanted, target)


def read(path):
    """The text of a file, or None."""
    return path.read_text() if path.exists() else None


def stale_files(wanted, target):
    """The files in the folders of generated files that are not generated any more."""
    folders = {Path(path).parts[0] for path in wanted}
    found = [
        path.relative_to(target).as_posix()
        for folder in sorted(folders)
        for path in sorted((target / folder).rglob("*"))
        if path.is_file()
    ]
    return [path for path in found if path not in wanted]
