"""Which modules of the specification make promises about the store of vectors?"""

from corollary.spec.vectors import integrity, outcome, theorems

__all__ = ("integrity", "outcome", "theorems")
