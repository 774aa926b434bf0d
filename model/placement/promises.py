"""Which modules of the specification make promises about the placement component?"""

from corollary.spec.placement import integrity, outcome, theorems

__all__ = ("integrity", "outcome", "theorems")
