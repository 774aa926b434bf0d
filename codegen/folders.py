"""Where are the folders of the project, and how is a file written as a whole?

This is a module of its own because running programs needs nothing else from code generation.
"""

import errno
import os
from pathlib import Path
from secrets import token_hex

ROOT = Path(__file__).resolve().parent.parent  # of the tree; of what is installed, the package
IN_TREE = (ROOT / "pyproject.toml").exists()
TEMPLATES = ROOT / "codegen" / "templates"
GENERATED = ROOT / "generated"
PLATFORM = ROOT / "platform"


def build_folder():
    """Return the folder for everything that can be made again: in the tree, or among the caches of this user."""
    if IN_TREE:
        return ROOT / "build"
    from platformdirs import user_cache_path

    return user_cache_path("corollary")


def file_of(module):
    """Return the path of a module from the root of the tree: `spec/kernel/ring.py` for `corollary.spec.kernel.ring`."""
    return f"{module.removeprefix('corollary.').replace('.', '/')}.py"


def write_whole(path, content, mode=0o666):
    """Write a text, or bytes, so that a reader sees all of it or what was there before.

    A target that is not a regular file, such as /dev/stdout, is simply written to. `mode` gives the permissions of the
    file, as far as the caller's umask allows them.
    """
    data, target = content.encode() if isinstance(content, str) else content, Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f"tmp{token_hex(8)}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "wb") as file:
            file.write(data)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def make_room(path):
    """Make the folder of a file that a long run is to write. Raises `OSError` if nothing can be written there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "no file can be written there", str(path.parent))


def purpose(doc: str | None) -> str:
    """Return the question that a module answers: the first line of its text."""
    return (doc or "").partition("\n")[0]
