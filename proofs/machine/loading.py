"""Does a loader put the proved bytes where the proofs have them, and nothing else, and start where they start?

A loader reads the header of an ELF file and its segments. Proofs read its sections and symbols. All of these must
agree.
"""

from elftools.elf.elffile import ELFFile

from corollary.proofs.machine.contracts import REGION

SEGMENTS = {"text": "r-x", "rodata": "r--", "data": "rw-"}
"""Region -> the access that its segment allows; the other regions have no segment."""
KIND = {"e_type": "ET_EXEC", "e_machine": "EM_AARCH64"}
MEASURED = {
    "text": ("text_start", "text_end"),
    "rodata": ("translation_start", "translation_end", "rodata_start", "rodata_end"),
}
"""Region -> where each stretch that boot measures begins and ends, one after the other."""
CLEARED = ("bss_start", "bss_end")
BITS = {"r": 4, "w": 2, "x": 1}


class Misplaced(Exception):
    """Loader and proofs read different things in the file."""


def check(image):
    """Check that what is loaded is what is proved. Raises `Misplaced` if not."""
    with image.path.open("rb") as file:
        elf = ELFFile(file)
        must(elf.elfclass == 64 and elf.little_endian, "the file is not of 64 bits, little endian")
        for name, kind in KIND.items():
            must(elf.header[name] == kind, f"{name} is {elf.header[name]}")
        entry = elf.header["e_entry"]
        must(entry == image.labels["start"] == REGION["text"].start, f"the entry is {entry:#x}, not start")
        must(elf.header["e_phentsize"] == elf.structs.Elf_Phdr.sizeof(), "there is something between program headers")
        segments = list(elf.iter_segments())
        must(len(segments) == elf.header["e_phnum"] == len(SEGMENTS), f"there are {elf.header['e_phnum']} segments")
        for (name, allowed), segment in zip(SEGMENTS.items(), segments):
            check_segment(image, name, allowed, segment)
    check_symbols(image)


def must(condition, why):
    """Raise `Misplaced` unless a condition holds."""
    if not condition:
        raise Misplaced(why)


def check_segment(image, name, allowed, segment):
    """Check that a segment lies in its region, runs there, has its rights and holds what the proofs read there."""
    region, address, size = REGION[name], segment["p_vaddr"], segment["p_memsz"]
    must(segment["p_type"] == "PT_LOAD", f"the segment of {name} is {segment['p_type']}")
    must(segment["p_flags"] == sum(BITS.get(right, 0) for right in allowed), f"the segment of {name} is not {allowed}")
    must(
        segment["p_paddr"] == address == region.start and size <= region.size,
        f"the segment of {name} lies at {address:#x}, with {size} bytes",
    )
    data = segment.data()
    must(len(data) == (0 if name == "data" else size), f"of the segment of {name} {len(data)} bytes are in the file")
    found = [bytes(content) for base, content, _ in image.sections if base == address and content]
    must(found == ([data] if data else []), f"the segment of {name} is not what the proofs read at {address:#x}")


def check_symbols(image):
    """Check the symbols of the image. Raises `Misplaced` if one is wrong.

    Each name stands for one place. Proofs read only segments, and all of these are measured. Variables are cleared.
    """
    must(not image.ambiguous, f"{', '.join(image.ambiguous)}: a name that stands for several places")
    loaded = {base: base + len(content) for base, content, _ in image.sections if content}
    must(set(loaded) == {REGION[name].start for name in MEASURED}, "the proofs read more than the segments")
    for name, labels in MEASURED.items():
        ends = [image.labels[label] for label in labels]
        must(ends[0] == REGION[name].start and ends[-1] == loaded[ends[0]], f"not all of {name} is measured")
        must(ends[1:-1:2] == ends[2:-1:2], f"something in {name} is passed over when it is measured")
    first, last = (image.labels[label] for label in CLEARED)
    for symbol in image.objects:
        must(
            any(start <= symbol.address and symbol.end <= end for start, end in (*loaded.items(), (first, last))),
            f"{symbol.name} is neither loaded nor cleared",
        )
