"""How fast are frames sealed and opened, compared with the cryptography package? Usage:

    python -m corollary.bench.link

Both take turns in one run, with functions that are called from Python: of small frames, the calls take most of the
time. Seconds are processor time. The other implementation is OpenSSL, which has vector code for each kind of processor.
"""

import ctypes
import json
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from rich.console import Console
from rich.table import Table

from corollary import link
from corollary.bench.compression import compared
from corollary.codegen.folders import write_whole
from corollary.library import PREFIX
from corollary.spec.link.envelope import TAG, Fault

RESULT = Path("build/link.json")
SIZES = (0, 64, 1400, 1 << 14, 1 << 20)
KEY, NONCE, ADDITIONAL = bytes(range(32)), bytes(12), bytes(20)


class WrongFrame(RuntimeError):
    """The two implementations do not seal alike."""


def bare(content, sealed):
    """Return actions that seal and open in place with our functions; what is opened is put back first."""
    room = link.envelope(KEY, NONCE, ADDITIONAL, content + bytes(TAG))
    seal, open_ = (getattr(link.library(), PREFIX + name) for name in ("aead_seal", "aead_open_"))
    here, size = ctypes.addressof(room["bytes"]) + len(ADDITIONAL), len(sealed)

    def opened():
        ctypes.memmove(here, sealed, size)
        if open_(room.address) != Fault.NONE:
            raise WrongFrame("what was sealed is not opened")

    return lambda: seal(room.address), opened


def measured(size):
    """Return the figures of content of one size; raises WrongFrame."""
    content, other = bytes(index & 0xFF for index in range(size)), ChaCha20Poly1305(KEY)
    sealed = other.encrypt(NONCE, content, ADDITIONAL)
    if link.seal(KEY, NONCE, content, ADDITIONAL) != sealed:
        raise WrongFrame("the two implementations do not seal alike")
    ours = bare(content, sealed)
    others = (lambda: other.encrypt(NONCE, content, ADDITIONAL), lambda: other.decrypt(NONCE, sealed, ADDITIONAL))
    found = {}
    for name, mine, theirs in zip(("seal", "open"), ours, others):
        seconds, other_seconds = compared(mine, theirs)
        found[name] = {"seconds": seconds, "other seconds": other_seconds, "times as fast": other_seconds / seconds}
    return found


def table(data):
    """Return a table of all figures."""
    shown = Table(title="Frames", title_justify="left", caption="seal, open: times as fast as the reference")
    for heading in ("bytes", "seal", "open", "seal MB/s", "open MB/s"):
        shown.add_column(heading, justify="right")
    for size, row in data.items():
        ratios = (f"{row[name]['times as fast']:.2f}" for name in ("seal", "open"))
        speeds = (f"{int(size) / row[name]['seconds'] / 1e6:.0f}" for name in ("seal", "open"))
        shown.add_row(str(size), *ratios, *speeds)
    return shown


def main():
    """Measure, print and write."""
    data = {size: measured(size) for size in SIZES}
    write_whole(RESULT, json.dumps(data, indent=1))
    Console().print(table(data))


if __name__ == "__main__":
    main()
