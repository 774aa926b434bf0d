"""What is a boot package? A file beside the kernel: a page with a header, then the pages of the guests, root's first.

The host loads it into the region `package` of spec/kernel/memory_map.py before the processor starts.
model/kernel/package.py checks the header.
"""

from corollary.language.types import Enum, u64
from corollary.language.values import Record

PACKAGE_MAGIC = int.from_bytes(b"COROLPKG", "little")
PACKAGE_VERSION = 1


class PackageHeader(Record):
    """The beginning of a boot package; the rest of its page is measured, but not read otherwise."""

    magic: u64  # PACKAGE_MAGIC
    version: u64  # PACKAGE_VERSION
    pages: u64  # after the page of the header
    text: u64  # of these, root's code, which comes first
    data: u64  # of these, root's data, which comes next


class PackageFault(Enum):
    """What is wrong with a boot package."""

    NONE = 0
    MISSING = 1  # nothing there begins like one
    VERSION = 2  # it is of another version
    SIZE = 3  # no pages, or more than are taken
    PARTS = 4  # root's parts are not within it
