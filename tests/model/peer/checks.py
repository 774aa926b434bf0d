"""How is a defect that was reproduced in a published hypervisor held against ours?

The peer's behaviour is rebuilt here in a few lines from its description (items 2 to 6, 8, 9, 11 and 12 of its ranked
weaknesses). The same check runs on both, so a check that could not fail would be noticed.
"""

import pytest

both = pytest.mark.parametrize


def fails(check, *arguments):
    """Require that the check fails on the peer's behaviour."""
    with pytest.raises(AssertionError):
        check(*arguments)
