"""Which obligations does the C of a component other than the kernel bring? Those of each function that is compiled.

It is compiled as the kernel is, and linked to what no machine boots. It has neither assembly nor system registers, so
nothing is asked of it as a whole.
"""

from functools import partial
from pathlib import Path

from corollary.codegen import image as images
from corollary.codegen.build import BUILD, CompilerMissing, compiler
from corollary.codegen.component import program_of
from corollary.codegen.folders import GENERATED, write_whole
from corollary.codegen.libraries import LIBRARIES
from corollary.language import ir
from corollary.language.component import declared
from corollary.language.reads import note, remembered
from corollary.language.types import ArrayType, LanguageError, SliceType, is_scalar
from corollary.proofs.machine import compiled
from corollary.proofs.machine.compiled import BUILDS, CODE, LEVEL
from corollary.proofs.machine.component import ComponentCode
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.summary import below

HERE = Path("build/machine")  # for a component in a folder of its own, what is compiled there
PROJECT = "corollary."  # how the names of modules of this project begin
FLOATING = "computes with floating point, or what it calls, or is in one file with it, does"
LOOPS = (ir.While, ir.Move)
"""Statements that take as many rounds as somebody asks for: no path through them is the last."""


@remembered
def program(name):
    """Return the functions of a component, which is given by its name: all those in its folder of generated C."""
    return LIBRARIES[name].program if name in LIBRARIES else program_of(declared(name))


@remembered
def built(name, property_="machine-code"):
    """Return the compiled C of a component, made if it is missing."""
    note("image", f"{__name__}:built#{name}#{property_}")
    missing = tuple(function.symbol for function in unproved(name))
    folder = BUILD / "aarch64" / name if of_project(name) else HERE / name
    path = images.component_image(folder, sources(name), missing, BUILDS[property_])
    return Image(path, program=program(name))


def sources(name):
    """Return the C files of a component that have functions to prove."""
    wanted = set(proved(name))
    units = [unit for unit, each in program(name).units.items() if wanted.intersection(each.functions)]
    folder = GENERATED / name if of_project(name) else written(declared(name))
    return [folder / f"{unit}.c" for unit in sorted(units)]


def of_project(name):
    """Is the C of a component among what is generated here?"""
    return name in LIBRARIES or declared(name).state.__module__.startswith(PROJECT)


def written(component):
    """Write the C of a component that is declared elsewhere, as its sources say it now; return the folder."""
    from corollary.codegen.render import component_texts  # only here are templates needed

    for path, text in component_texts(component).items():
        if not (HERE / path).exists() or (HERE / path).read_text() != text:
            write_whole(HERE / path, text)
    return HERE / component.name


@remembered
def not_compiled(name):
    """Return why a component is not compiled, or an empty string."""
    try:
        compiler()
        program(name).functions
    except (CompilerMissing, LanguageError) as problem:
        return str(problem)
    return ""


def out_of_reach(function):
    """Return why the machine code of a function cannot be compared with the model, or an empty string."""
    reached = (function, *below(function).values())
    if any(each.intrinsic for each in reached):
        return FLOATING
    if any(holds_slice(item.type) for each in reached for item in each.parameters):
        return "is given memory of any size, or calls what is"
    if any(isinstance(node, LOOPS) for each in reached for node in ir.walk(each.body)):
        return "has a loop without a bound, or calls what has"
    return ""


def holds_slice(type_):
    """Does a type have memory of any size in it?"""
    if isinstance(type_, SliceType):
        return True
    inner = [type_.element] if isinstance(type_, ArrayType) else [] if is_scalar(type_) else type_.fields.values()
    return any(map(holds_slice, inner))


@remembered
def unproved(name):
    """Return why the machine code of some functions of a component is not compared with the model, by function."""
    found = {}
    for unit in program(name).units.values():
        for function in unit.functions:
            why = FLOATING if unit.floats else out_of_reach(function)
            found |= {function: why} if why else {}
    return found


@remembered
def proved(name):
    """Return the functions of a component whose machine code is compared with the model."""
    return [function for function in program(name).functions if function not in unproved(name)]


def steps(name):
    """Return one step for each file of a component that has functions to prove."""
    return compiled.steps(proved(name))


def questions(name, step):
    """Yield the obligations of a step: `(id, level, decide)`."""
    for function in proved(name):
        if CODE + function.module == step:
            for property_ in BUILDS:
                yield f"{function.symbol}/{property_}", LEVEL, partial(decide, name, property_, function)


def decide(name, property_, function):
    """Compare the machine code of one function in a build of a component with the model."""
    return compiled.decide(built(name, property_), property_, function, ComponentCode)


def build(name):
    """Make every build, once for every worker."""
    for property_ in BUILDS:
        built(name, property_)
