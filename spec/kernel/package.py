"""What is a boot package? A file beside the kernel: a page with a header, then the pages of the guests, root's first.

The host loads it into the region `package` of spec/kernel/memory_map.py before the processor starts. The check of the header
is model/kernel/package.py.
"""

from language.types import Enum, u64
from language.values import Record

PACKAGE_MAGIC = int.from_bytes(b"COROLPKG", "little")
PACKAGE_VERSION = 1


class PackageHeader(Record):
    """The beginning of a boot package; the rest of its page is not looked at, but measured."""

    magic: u64                  # PACKAGE_MAGIC
    version: u64                # PACKAGE_VERSION
    pages: u64                  # behind the page of the header
    text: u64                   # of these, first, root's code
    data: u64                   # of these, next, root's data


class PackageFault(Enum):
    """What is wrong with a boot package."""

    NONE = 0
    MISSING = 1                 # nothing there begins like one
    VERSION = 2                 # it is of another version
    SIZE = 3                    # no pages, or more than are taken
    PARTS = 4                   # root's parts are not within it
