"""How does the kernel behave? The modules with operations come first, so that the gate sees all of them."""

from importlib import import_module

WITH_OPERATIONS = (
    "agent",
    "block",
    "capability",
    "partition",
    "halves",
    "memory",
    "unit",
    "ring",
    "witness",
    "proof",
    "schedule",
    "console",
    "edge",
    "traffic",
    "device",
)

for _name in WITH_OPERATIONS:
    import_module(f"{__name__}.{_name}")
