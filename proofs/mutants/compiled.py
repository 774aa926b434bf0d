"""Does the proof of the machine code notice a mistake in the C? The kernel is linked with the changed file."""

import tempfile
from pathlib import Path

from corollary.codegen import build, image
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.refine import Comparison
from corollary.proofs.machine.summary import named


def verdict(mutant):
    """Return why the changed function's machine code is refuted; empty if it is equivalent or undecided."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, f"{mutant.file}.c")
        text.write_text(mutant.text())
        changed = build.aarch64_object(text, Path(folder))
        objects = [changed if stem(path) == mutant.file else path for path in build.aarch64_objects()]
        found = Comparison(Image(image.link_with(Path(folder, "kernel.elf"), objects)), named()[mutant.function]).run()
    return f"proof: {found.reason}" if found.result == "refuted" else ""


def stem(path):
    """Return the name of the C file that an object was made from."""
    return path.name.rsplit("-", 1)[0]
