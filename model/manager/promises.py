"""Which modules of the specification make promises about the manager?"""

from corollary.spec.manager import integrity, reasons, theorems
from corollary.spec.manager.outcome import failures, hibernation, life, migration, tasks

__all__ = ("failures", "hibernation", "integrity", "life", "migration", "reasons", "tasks", "theorems")
