"""Which headers of boot packages are accepted, and what does boot then know?"""

from hypothesis import given
from hypothesis import strategies as st

from corollary.model.kernel.package import accept, fault
from corollary.spec.kernel.limits import PACKAGE_LIMIT
from corollary.spec.kernel.package import PACKAGE_MAGIC, PACKAGE_VERSION, PackageFault, PackageHeader
from corollary.spec.kernel.state import BootInformation

WORD = st.one_of(st.integers(0, PACKAGE_LIMIT + 2), st.integers(0, (1 << 64) - 1))


def header(pages, text, data):
    return PackageHeader(magic=PACKAGE_MAGIC, version=PACKAGE_VERSION, pages=pages, text=text, data=data)


@given(WORD, WORD, WORD)
def test_what_is_taken_has_pages_and_in_them_code_and_data_of_root(pages, text, data):
    good = 0 < pages <= PACKAGE_LIMIT and 0 < text and text + data <= pages
    assert (fault(header(pages, text, data)) == PackageFault.NONE) == good


@given(WORD, WORD, WORD)
def test_boot_knows_the_sizes_of_what_is_taken_and_nothing_of_what_is_refused(pages, text, data):
    information = BootInformation()
    found = accept(header(pages, text, data), information)
    known = (information.package, information.text, information.data)
    assert known == ((pages, text, data) if found == PackageFault.NONE else (0, 0, 0))


@given(WORD, WORD)
def test_nothing_without_mark_and_version_is_taken(magic, version):
    one = header(1, 1, 0)
    one.magic, one.version = magic, version
    assert (fault(one) == PackageFault.NONE) == (magic == PACKAGE_MAGIC and version == PACKAGE_VERSION)
