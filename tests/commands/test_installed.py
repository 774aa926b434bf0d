"""Does the wheel do by itself what the README shows, in an empty environment, on x86-64 and on AArch64?"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from wasmtime import wat2wasm

from corollary.codegen import build
from corollary.codegen.folders import ROOT
from docs.blocks import blocks, script  # pyright: ignore[reportMissingImports] - not `tests/docs`
from tests import debian
from tests.told import LEFT_OUT, check_in_order

PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
TEXT_PARSER = f"wasmtime=={metadata.version('wasmtime')}"  # what the README's Python needs besides the wheel
COMPILES = re.compile(r".* -m ziglang .*\n")
BLOCKS = blocks((ROOT / "README.md").read_text())
COMMANDS, SHOWN = next(script(block.text) for block in BLOCKS if "primes.wasm --resume" in block.text)
WHICH = "from corollary.codegen import build; print(build.vm_library().relative_to(build.PREBUILT))"
SUSPEND = "run primes.wasm 1000000 --fuel 1000000 --snapshot-on-suspend"
MACHINES = ("x86_64", "aarch64")
FROM_THE_TREE = "PATH=$PWD/.venv/bin:$PATH"
PAGE = (ROOT / "docs" / "tutorials" / "component.md").read_text()
TUTORIAL = [block.text for block in blocks(PAGE) if block.mark == "runs"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "tree", symlinks=True, ignore=LEFT_OUT)
    subprocess.run(
        [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, folder / "tree"], check=True
    )
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Return how an interpreter with the wheel, and nothing else, is started on each kind of machine."""
    return {
        "x86_64": here(wheel, tmp_path_factory.mktemp("x86_64")),
        "aarch64": emulated(wheel, tmp_path_factory.mktemp("aarch64")),
    }


def here(wheel, folder):
    """Install a wheel into an empty environment of this machine; return what starts its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    install(wheel, "--python", folder / "bin" / "python")
    return (folder / "bin" / "python",)


def emulated(wheel, folder):
    """Install a wheel for a Python of AArch64; return what starts that in an emulator."""
    root = debian.root("arm64", "python3")
    version = os.readlink(root / "usr" / "bin" / "python3").removeprefix("python")
    install(
        wheel,
        "--target",
        folder,
        "--platform=manylinux2014_aarch64",
        f"--python-version={version}",
        "--only-binary=:all:",
    )
    emulator = debian.file("qemu-user-static", "usr/bin/qemu-aarch64-static")
    return (emulator, "-L", root, "-E", f"PYTHONPATH={folder}", root / "usr" / "bin" / f"python{version}")


def install(wheel, *where):
    """Install a wheel and what it depends on."""
    interpreter, options = (where[:2], ()) if where[0] == "--python" else ((), where)
    subprocess.run(
        [*PIP, *interpreter, "install", *options, "--constraint", ROOT / "constraints.txt", wheel, TEXT_PARSER],
        env=outside(),
        check=True,
    )


@pytest.fixture
def started(installed, tmp_path):
    """Return a function that starts the interpreter of a machine in an empty folder, and returns what it prints."""

    def start(machine, *arguments):
        done = subprocess.run(
            [*installed[machine], *arguments], cwd=tmp_path, env=outside(), capture_output=True, text=True
        )
        return done.stdout + done.stderr

    return start


def outside():
    """Return an environment in which nothing leads to this tree."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | {"COLUMNS": "160"}


@pytest.fixture
def primes(tmp_path):
    """Compile the README's program to a file in the folder."""
    return build.linked(
        tmp_path / "primes.wasm", [ROOT / "examples" / "primes.c"], ("-target", "wasm32-wasi", "-O2", "-s")
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_typed_gives_what_is_shown(installed, machine, primes, tmp_path):
    (tmp_path / "build").symlink_to(tmp_path)
    command = shlex.join(map(str, (*installed[machine], "-m", "corollary.commands.start")))
    script = COMPILES.sub("", COMMANDS).replace(".venv/bin/corollary", command)
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=outside(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    check_in_order(done.stdout, SHOWN)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("code", [block.text for block in BLOCKS if block.mark == "python"])
def test_what_python_is_shown_runs(started, machine, code):
    assert started(machine, "-c", code) == ""


@pytest.mark.parametrize("machine", MACHINES)
def test_the_library_is_the_one_in_the_wheel(started, machine):
    assert started(machine, "-c", WHICH) == f"vm-{machine}.so\n"


def test_a_program_in_c_is_compiled_with_what_is_in_the_wheel(started, tmp_path):
    (folder,) = map(Path, started("x86_64", "-c", "import corollary; print(corollary.__path__[0])").split())
    library, header = folder / "codegen" / "prebuilt" / "vm-x86_64.so", folder / "generated" / "embedding"
    command = [*build.compiler(), "-I", header, ROOT / "examples" / "embed.c", library, "-o", tmp_path / "embed"]
    subprocess.run(command, check=True)
    (tmp_path / "empty.wasm").write_bytes(b"\0asm")
    done = subprocess.run([tmp_path / "embed", tmp_path / "empty.wasm"], capture_output=True, text=True)
    assert done.stderr.endswith(": unexpected end, at byte 4\n") and {
        path.name for path in build.VM_EMBEDDING
    } <= sources(folder)


def sources(folder):
    """Return the names of the C files in a folder."""
    return {path.name for path in folder.rglob("*.c")}


@pytest.mark.parametrize("first, then", [MACHINES, MACHINES[::-1]])
def test_a_program_moves_between_machines(started, primes, monkeypatch, first, then):
    monkeypatch.setenv("COROLLARY_KEY", "5" * 64)
    assert "suspended" in started(first, "-m", "corollary.commands.start", *SUSPEND.split(), "kept")
    assert "78498 primes below 1000000" in started(
        then, "-m", "corollary.commands.start", "run", "primes.wasm", "--resume", "kept"
    )


def test_a_command_that_needs_the_tree_says_so(started):
    assert "run this from a clone" in started("x86_64", "-m", "corollary.commands.start", "verify")


# ---- what cannot be done is told in a line


UNUSUAL = '(module (func (export "f") (param i32) (result i32) (local.get 0)) (func (export "loop") (loop (br 0))))'
KEPT = ("--fuel", "9", "--key", "0" * 64, "--snapshot-on-suspend")
TOLD = {
    "no start": (("run", "given.wasm"), 2, "no function _start is exported: use --invoke with one of f, loop"),
    "out of range": (("run", "given.wasm", "--invoke", "f", "4294967296"), 2, "4294967296 does not fit"),
    "nowhere": (("run", "given.wasm", "--invoke", "loop", *KEPT, "nowhere/kept"), 2, "nowhere/kept cannot be written"),
    "full": (("run", "given.wasm", "--invoke", "loop", *KEPT, "/dev/full"), 1, "No space left on device"),
    "no number": (("audit", "given.wasm", "--since", "nan"), 2, "--since takes seconds"),
    "no log": (("audit", "given.wasm"), 1, "BAD: "),
    "no module": (("run", "empty"), 1, "Malformed: unexpected end"),
    "no tree": (("qemu", "--agents", "empty"), 2, "run this from a clone"),
    "no solver": (("verify",), 1, "-m pip install 'corollary[verify]'"),
    "a file in the way": (("new", "empty"), 2, "empty is there already"),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("what", TOLD)
def test_what_cannot_be_done_is_told_in_a_line(installed, tmp_path, machine, what):
    arguments, code, said = TOLD[what]
    (tmp_path / "given.wasm").write_bytes(wat2wasm(UNUSUAL))
    (tmp_path / "empty").touch()
    if what == "no solver":
        (tmp_path / "component.py").touch()
    command = [*installed[machine], "-m", "corollary.commands.start", *arguments]
    done = subprocess.run(command, cwd=tmp_path, env=outside(), capture_output=True, text=True)
    text = " ".join((done.stdout + done.stderr).split())
    assert done.returncode == code and said in text and "Traceback" not in text, text


# ---- a component of one's own, with all that it needs


@pytest.fixture(scope="module")
def complete(wheel, tmp_path_factory):
    """Install the wheel with what the commands on components need; return the folder of its programs."""
    folder = tmp_path_factory.mktemp("complete")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    install(f"{wheel}[verify,test]", "--python", folder / "bin" / "python")
    return folder / "bin"


@pytest.mark.full
@pytest.mark.parametrize("transcript", TUTORIAL)
def test_the_tutorial_on_components_is_followed_outside_the_tree(complete, tmp_path, transcript):
    assert FROM_THE_TREE in transcript
    typed, shown = script(transcript.replace(FROM_THE_TREE, f"PATH={complete}:$PATH"))
    done = subprocess.run(
        ["bash", "-c", typed], cwd=tmp_path, env=outside(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert "Traceback" not in done.stdout
    check_in_order(done.stdout, shown)
