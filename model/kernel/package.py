"""Which boot packages does the kernel accept? Those with a header of its version and with sizes that are possible."""

from corollary.language.builtins import implies
from corollary.language.contracts import ensures
from corollary.language.types import u16, u64
from corollary.spec.kernel.limits import PACKAGE_LIMIT
from corollary.spec.kernel.package import PACKAGE_MAGIC, PACKAGE_VERSION, PackageFault, PackageHeader
from corollary.spec.kernel.state import BootInformation


@ensures(lambda header, result: (result == PackageFault.MISSING) == (header.magic != PACKAGE_MAGIC))
@ensures(
    lambda header, result: (
        (result == PackageFault.VERSION) == (header.magic == PACKAGE_MAGIC and header.version != PACKAGE_VERSION)
    )
)
@ensures(lambda header, result: implies(result == PackageFault.SIZE, header.pages == 0 or header.pages > PACKAGE_LIMIT))
@ensures(
    lambda header, result: (
        (result == PackageFault.NONE)
        == (
            header.magic == PACKAGE_MAGIC
            and header.version == PACKAGE_VERSION
            and header.pages <= PACKAGE_LIMIT
            and 0 < header.text <= header.pages
            and header.data <= header.pages - header.text
        )
    )
)
def fault(header: PackageHeader) -> PackageFault:
    """Return what is wrong with a boot package, judged by its header."""
    if header.magic != PACKAGE_MAGIC:
        return PackageFault.MISSING
    if header.version != PACKAGE_VERSION:
        return PackageFault.VERSION
    if header.pages == 0 or header.pages > PACKAGE_LIMIT:
        return PackageFault.SIZE
    if header.text == 0 or header.text > header.pages or header.data > header.pages - header.text:
        return PackageFault.PARTS
    return PackageFault.NONE


@ensures(
    lambda header, information, result: implies(
        result == PackageFault.NONE,
        (
            u64(information.package) == header.pages
            and u64(information.text) == header.text
            and u64(information.data) == header.data
        ),
    )
)
def accept(header: PackageHeader, information: BootInformation) -> PackageFault:
    """Tell boot how large the package is, unless something is wrong with it."""
    found = fault(header)
    if found != PackageFault.NONE:
        return found
    information.package = u16(header.pages)
    information.text = u16(header.text)
    information.data = u16(header.data)
    return PackageFault.NONE
