"""How do the floating-point instructions in C run? On this machine as a program, on AArch64 in QEMU."""

import subprocess

from corollary.codegen import build, floats, render
from corollary.emulation.machine import packed as words
from corollary.emulation.operands import CASE, packed, results
from corollary.emulation.probe import CASES, COMMAND, Machine

# one case after the other, as an interpreter does them
FLAGS = (*build.STRICT, *build.APART, *build.FLOATS, "-fno-vectorize", "-fno-slp-vectorize")
UNDEFINED = "undefined,float-cast-overflow"
TRAPPING = (f"-fsanitize={UNDEFINED}", f"-fsanitize-trap={UNDEFINED}")
VARIANTS = {
    "with every instruction of this machine": (),
    "with the least instructions of such a machine": ("-mcpu=baseline",),
    "with a trap at undefined behaviour": TRAPPING,
}
ANSWER = """#include "floats.h"

struct test_case {
    uint64_t a, b, result;
};

void answer(uint64_t function, struct test_case *cases, uint64_t count);

void answer(uint64_t function, struct test_case *cases, uint64_t count)
{
    switch (function) {
"""
LOOP = """    case {number}:
        for (uint64_t i = 0; i < count; i++) {{
            cases[i].result = {name}({arguments});
        }}
        return;
"""
MAIN = """
#if __STDC_HOSTED__
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    struct test_case read[1024];
    for (size_t n; count == 2 && (n = fread(read, sizeof *read, 1024, stdin)) > 0;) {
        answer(strtoul(arguments[1], 0, 10), read, n);
        fwrite(read, sizeof *read, n, stdout);
    }
}
#endif
"""


def source(folder):
    """Write the instructions as they would be generated now, and C that runs any of them on cases; return its path."""
    loops = ""
    for number, (name, function) in enumerate(floats.functions().items()):
        *parameters, _ = function.__annotations__.values()
        arguments = ", ".join(f"(uint{type_.bits}_t)cases[i].{operand}" for operand, type_ in zip("ab", parameters))
        loops += LOOP.format(number=number, name=name, arguments=arguments)
    (folder / "floats.h").write_text(render.floats_text("vm"))
    (folder / "answer.c").write_text(f"{ANSWER}{loops}    }}\n}}\n{MAIN}")
    return folder / "answer.c"


def compiled(folder, *flags):
    """Compile that C, and return the path of the program."""
    build.run([*build.compiler(), *FLAGS, *flags, str(source(folder)), "-o", str(folder / "answer")])
    return folder / "answer"


def number(name):
    """Return the number of a function, as `answer` has it."""
    return list(floats.functions()).index(name)


def computed(program, name):
    """Return the results of a function on its cases. Raises `CalledProcessError` when the program ends early."""
    return results(
        subprocess.run([program, str(number(name))], input=packed(name), stdout=subprocess.PIPE, check=True).stdout
    )


class Processor(Machine):
    """A processor that runs the functions."""

    source = "floats"

    def __init__(self, folder):
        self.more = (*FLAGS, "-ffreestanding", "-mstrict-align", str(source(folder)))

    def computed(self, name):
        """Return the results of a function on its cases."""
        given = packed(name)
        self.write(CASES, given)
        self.write(COMMAND, words(0, len(given) // CASE.size))
        self.command(number(name) + 1)
        return results(self.read(CASES, len(given)))
