"""Which modules of the specification make promises about governance?"""

from corollary.spec.governance import integrity, theorems
from corollary.spec.governance.outcome import kills, sagas, seats, sessions

__all__ = ("integrity", "kills", "sagas", "seats", "sessions", "theorems")
