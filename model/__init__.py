"""How does the system behave? Whichever module is imported first, these imports number the operations, always alike."""

import model.capability  # noqa: F401
import model.partition  # noqa: F401
import model.memory  # noqa: F401
import model.ring  # noqa: F401
import model.witness  # noqa: F401
import model.proof  # noqa: F401
import model.schedule  # noqa: F401
import model.console  # noqa: F401
