"""What can a page show that the code knows? A page gives its dotted name, so that nothing is written twice."""

import ast
import dataclasses
import inspect
import pydoc
import re
import subprocess
import sys
import textwrap
from functools import cache
from pathlib import Path

from typer.cli import get_docs_for_click
from typer.main import get_command

import corollary
from corollary import Wasi
from corollary.codegen.folders import ROOT
from corollary.commands import exits, shapes
from corollary.commands.cli import app
from corollary.components.host import VERSION, interfaces
from corollary.language.builtins import BUILTINS
from corollary.language.types import is_enum, is_flags
from corollary.limits import MOST
from corollary.model import components
from corollary.proofs import prove
from corollary.proofs.machine import components as compiled
from corollary.report import ledger
from corollary.report.page import LEVELS
from corollary.runtime import host as served
from corollary.runtime.metrics import Metrics
from corollary.runtime.renewed import WIT
from corollary.spec import host
from corollary.spec.kernel.vocabulary import Right
from docs.blocks import section

PROGRAM = "corollary"
PICTURES = ROOT / "docs" / "pictures"


def the(name):
    """Return what a dotted name stands for; raises `LookupError`."""
    found = pydoc.locate(name)
    if found is None:
        raise LookupError(f"there is no {name}")
    return found


def table(headings, rows):
    """Return a table in Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(cell(part) for part in line)} |" for line in lines)


def cell(value):
    """Return a value as the text of a cell, which is one line."""
    return " ".join(str(value).replace("|", "\\|").split())


def code(text):
    """Return a text between backticks."""
    return f"`{text}`"


# ---- text that is elsewhere


def source(name):
    """Return the source of a function or class as a block."""
    return f"```python\n{inspect.getsource(inspect.unwrap(the(name))).rstrip()}\n```"


def doc(name):
    """Return what a module, function or class says of itself."""
    return inspect.getdoc(the(name))


def included(path):
    """Return the text of a file of the tree."""
    return (ROOT / path).read_text()


def readme(title):
    """Return a section of the README, without its heading."""
    return section(included("README.md"), title)


def picture(name):
    """Return a picture as part of the page, so that it has the page's colours."""
    return f'<figure class="picture">\n{(PICTURES / f"{name}.svg").read_text().strip()}\n</figure>'


# ---- the specification


def members(name, form="d"):
    """Return the names of an enumeration or of flags, with their numbers in a form, and what they mean."""
    type_ = the(name)
    named = type_.members if is_flags(type_) else type_.__members__
    rows = [(code(f"{int(value):{form}}"), code(key), type_.notes.get(key, "")) for key, value in named.items()]
    return table(("number", "name", "meaning"), rows)


def layout(name):
    """Return where each field of a record lies."""
    record = the(name)
    rows = [
        (slot.offset, slot.size, code(slot.name), code(slot.type.name), meaning(record, slot))
        for slot in record.layout.slots
    ]
    return table(("offset", "size", "field", "type", "meaning"), rows)


def layout_size(name):
    """Return the size of a record in bytes."""
    return the(name).layout.size


def meaning(record, slot):
    """Return what a field means: the comment beside it, or the first sentence about its type."""
    about = inspect.getdoc(slot.type) if inspect.isclass(slot.type) else None
    return record.notes.get(slot.name) or (about or "").split("\n")[0]


def builtins():
    """Return the functions that the language offers besides its operators."""
    rows = [
        (code(f"{name}{inspect.signature(function)}"), inspect.getdoc(function)) for name, function in BUILTINS.items()
    ]
    return table(("function", "value"), rows)


def promises(name, prefix=""):
    """Return the promises of a registry whose ids begin with a prefix: id and sentence."""
    return promised(promise for promise in the(name).values() if promise.id.startswith(prefix))


def noninterference():
    """Return the promises about what partitions see, which are asked of every step."""
    return promised((prove.SIGHT, prove.RESPECT, prove.ANSWER, prove.SHOWN, prove.LEFT, prove.CONSISTENT))


def promised(found):
    """Return some promises: id and sentence."""
    return table(("id", "promise"), [(code(promise.id), promise.sentence) for promise in found])


def compiled_components():
    """Return how many functions of each component have a proof of their machine code, and how many have none."""
    found = ((each.name, compiled.proved(each.name), compiled.unproved(each.name)) for each in components.BESIDE)
    headings = ("component", "functions with a proof of their machine code", "without")
    return table(headings, [(name, len(proved), len(unproved)) for name, proved, unproved in found])


def host_functions():
    """Return what agents may import: as in C, what it does, and each hypercall with the rights that it needs."""
    rows = [(code(in_c(each)), each.sentence, made_by(each)) for each in host.FUNCTIONS]
    return table(("function", "what it does", "hypercalls, and the rights that they need"), rows)


def runtime_functions():
    """Return what programs of the runtime may import: the types, and what each function does."""
    rows = [(code(f"{name}({given})"), code(got) if got else "", text) for name, given, got, text in served.functions()]
    return table(("function", "returns", "what it does"), rows)


def component_interfaces():
    """Return what a component may import of WASI 0.2, and which functions and resources each interface has."""
    rows = [
        (code(f"{name}@{VERSION}x"), ", ".join(code(each) for each in sorted(interface)))
        for name, interface in sorted(interfaces(Wasi()).items())
    ]
    return table(("interface", "functions and resources"), rows)


def agent_interface():
    """Return the interface of components that are agents."""
    return textwrap.indent(WIT.read_text(), "    ")


def runtime_numbers():
    """Return what the runtime tells Prometheus."""
    found = sorted(Metrics().registry.collect(), key=lambda each: each.name)
    return table(("number", "what it is"), [(code(each.name), each.documentation) for each in found])


def made_by(function):
    """Return the hypercalls that a function of the host makes."""
    return ", ".join(map(needed, function.operations))


def in_c(function):
    """Return the name and the parameters of a function of the host, as in C."""
    return f"{function.name}({', '.join(f'{kind.c}{name}' for name, kind in function.parameters.items())})"


def needed(operation):
    """Return a hypercall and the rights that its handle must have."""
    rights = " ".join(name for name, bit in Right.members.items() if operation.needs & bit)
    return f"{code(operation.name)}{f' ({rights})' if rights else ''}"


# ---- what is trusted


def trusted():
    """Return the trust ledger, by kind."""
    kinds = {}
    for row in ledger.rows():
        text = f"* **{row.name}**: {row.reason}\n\n    Evidence: {row.evidence or 'none'}"
        kinds.setdefault(f"{row.kind[0].upper()}{row.kind[1:]}", []).append(text)
    return sections(kinds)


def sections(found):
    """Return sections, by their headings, as one text."""
    return "\n\n".join("\n\n".join((f"## {heading}", *parts)) for heading, parts in found.items())


@cache
def counterexample(name):
    """Return what `corollary explain` shows when the model has a break of `corollary.proofs.mutants.breaks`."""
    command = [sys.executable, "-m", "docs.counterexample", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return f"```text\n{done.stdout.rstrip()}\n```"


# ---- what users call


MEMBERS = {
    "Instance": ("restore", "snapshot", "export", "call", "resume", "abandon", "interrupt"),
    "Returned": ("value",),
    "Frame": ("name",),
    "Memory": ("pages", "grow", "view", "read", "write"),
    "Table": ("size",),
    "Global": ("bits",),
    "Reply": ("reason",),
    "Pool": ("instance",),
    "Wasi": ("imports",),
}
"""What users need of each class. A class has more, which may change."""


def public():
    """Return the names that users import, in the order of their declaration."""
    nodes = ast.parse(Path(corollary.__file__).with_suffix(".pyi").read_text()).body
    return [alias.asname for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]


def api():
    """Return what shows every public name, below the question that its module answers."""
    found = {}
    for name in public():
        question = inspect.getdoc(inspect.getmodule(getattr(corollary, name))).split("?")[0] + "?"
        found.setdefault(question, []).append(directive(name))
    return sections(found)


def directive(name):
    """Return what shows one public name: a directive, or an enumeration with its numbers."""
    value = getattr(corollary, name)
    if is_enum(value):
        return f"### `{name}` {{ #corollary.{name} }}\n\n{inspect.getdoc(value)}\n\n{members(f'corollary.{name}')}"
    options = f"    options:\n      members: {list(MEMBERS[name])}\n" if name in MEMBERS else ""
    return f"::: corollary.{name}\n{options}" + (f"\n{limits()}" if value is corollary.Limits else "")


def limits():
    """Return the limits of a module and its instance: their defaults, and the most that each can be."""
    notes = dict(re.findall(r"^ {4}(\w+): [^#\n]*#[ ]*(.*)$", inspect.getsource(corollary.Limits), re.MULTILINE))
    rows = [
        (code(field.name), field.default, MOST[field.name], notes.get(field.name, ""))
        for field in dataclasses.fields(corollary.Limits)
    ]
    return table(("limit", "default", "at most", "of what"), rows)


def command_line():
    """Return the help of each command, without the heading and the list that cuts their first lines short."""
    command = get_command(app)
    context = command.make_context(PROGRAM, [], resilient_parsing=True)
    text = get_docs_for_click(obj=command, ctx=context, name=PROGRAM)
    told_below = text.replace(exits.explained(), "")
    return re.sub(r"\*\*Commands\*\*:\n.*?(?=\n## )", "", told_below.split("\n", 1)[1], flags=re.DOTALL)


def exit_codes():
    """Return what each exit code tells."""
    return table(("code", "when"), exits.MEANINGS.items())


def json_shapes():
    """Return what each command prints with `--json`, command by command."""
    parts = []
    for command, shape in shapes.SHAPES.items():
        rows = [(code(path), meaning) for path, meaning in shapes.lines(shape)]
        parts.append(f"### `corollary {command} --json`\n\n{table(('field', 'meaning'), rows)}")
    return "\n\n".join(parts)


PAGE = {
    function.__name__: function
    for function in (
        the,
        source,
        doc,
        included,
        readme,
        picture,
        members,
        layout,
        layout_size,
        builtins,
        promises,
        noninterference,
        compiled_components,
        host_functions,
        runtime_functions,
        runtime_numbers,
        component_interfaces,
        agent_interface,
        trusted,
        counterexample,
        limits,
        api,
        command_line,
        exit_codes,
        json_shapes,
    )
}
PAGE |= {"LEVELS": LEVELS}
"""The names that pages may use."""
