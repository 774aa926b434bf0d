"""How is a secret kept in a folder? Once, whole, and readable by its owner alone."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def kept(path: Path, make: Callable[[], bytes]) -> bytes:
    """Return the secret in a file; makes one if there is none. Of several processes that do so, all get the first."""
    if not path.exists():
        made = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(make())
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(made, path)  # whoever comes second takes the first one's
        made.unlink()
    return path.read_bytes()
