"""WebAssembly on this machine: the generated VM as a library, and a small interface to it.

`__init__.pyi` lists the public names. Each is loaded when it is first used, because a command needs only a few of them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
