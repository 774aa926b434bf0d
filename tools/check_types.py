"""Does the type checker have anything to say about what has changed?

    python tools/check_types.py [--all]

A file is checked again if it, or anything that it imports, directly or not, differs from what was checked before; or if
the checker or its rules do. `--all` checks every file.
"""

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "types.json"
CHECKER = "basedpyright"
SUFFIXES = (".pyi", ".py")
IMPORT = re.compile(r"^[ \t]*from (\.*[\w.]*) import (\([^)]*\)|[^\n]*)|^[ \t]*import ([^\n]*)", re.MULTILINE)


@cache
def settings() -> dict:
    """Return the rules of the checker."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"][CHECKER]


def checked() -> list[str]:
    """Return the files that are checked."""
    return sorted(str(path.relative_to(ROOT)) for room in settings()["include"] for path in python(ROOT / room))


def python(folder: Path) -> Iterator[Path]:
    """Yield the Python files below a folder, but not below the links in it: those are rooms of their own."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            yield from python(path)
        elif path.suffix in SUFFIXES:
            yield path


@cache
def content(path: str) -> bytes:
    """Return the bytes of a file."""
    return (ROOT / path).read_bytes()


def names(path: str) -> Iterator[str]:
    """Yield every module that a file may import, and some names that are none."""
    for module, listed, plain in IMPORT.findall(content(path).decode()):
        if plain:
            yield from (part.split(" as ")[0].strip() for part in plain.split(","))
            continue
        steps = len(module) - len(module.lstrip("."))
        home = ".".join([*Path(path).parts[: len(Path(path).parts) - steps], module.lstrip(".")] if steps else [module])
        yield home
        yield from (f"{home}.{name}" for name in re.findall(r"\w+", listed))


@cache
def files_of(module: str) -> tuple[str, ...]:
    """Return the files of a module and of the packages around it; none if it is not of this project."""
    steps = module.strip(".").split(".")
    paths = [Path(*steps[: count + 1]) for count in range(len(steps))]
    candidates = (
        each for path in paths for end in SUFFIXES for each in (path.with_suffix(end), path / f"__init__{end}")
    )
    return tuple(str(each) for each in candidates if (ROOT / each).is_file())


@cache
def imported(path: str) -> frozenset[str]:
    """Return the files that a file imports directly."""
    return frozenset(file for name in names(path) for file in files_of(name)) - {path}


def reached(path: str) -> set[str]:
    """Return a file with all that it imports, directly or not."""
    found, waiting = {path}, [path]
    while waiting:
        new = imported(waiting.pop()) - found
        found |= new
        waiting += new
    return found


def digests() -> dict[str, str]:
    """Return a digest of what the verdict on each file rests on."""
    stubs = sorted(path.read_bytes() for path in (ROOT / settings()["stubPath"]).rglob("*.pyi"))
    rules = repr((version(CHECKER), settings())).encode() + b"".join(stubs)
    own = {path: hashlib.sha256(content(path)).digest() for path in checked()}
    found = {}
    for path in own:
        parts = [own.get(each) or hashlib.sha256(content(each)).digest() for each in sorted(reached(path))]
        found[path] = hashlib.sha256(rules + b"".join(parts)).hexdigest()
    return found


def main(everything: bool = False) -> int:
    """Check what has changed, print what the checker says, and return its exit code."""
    wanted = digests()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() and not everything else {}
    changed = [path for path, digest in wanted.items() if kept.get(path) != digest]
    if not changed:
        return 0
    code = subprocess.run([sys.executable, "-m", CHECKER, *changed], cwd=ROOT).returncode
    if code == 0:
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps(wanted))
    return code


if __name__ == "__main__":
    sys.exit(main("--all" in sys.argv[1:]))
