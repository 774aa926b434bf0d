"""How does the system behave? Whichever module is imported first, this loop numbers the operations, always alike."""

from importlib import import_module

ORDER = ("capability", "partition", "memory", "ring", "witness", "proof", "schedule", "console", "edge")

for _name in ORDER:
    import_module(f"{__name__}.{_name}")
