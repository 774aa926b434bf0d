"""WebAssembly on this machine: the generated VM as a library, and a small interface to it.

The names are in `__init__.pyi`, and each is loaded when it is first named: a command needs few of them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
