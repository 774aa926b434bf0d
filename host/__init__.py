"""WebAssembly on this machine: the generated VM as a library, and a small interface to it."""

from host.instance import Instance
from host.limits import LimitExceeded, Limits
from host.linker import Function, Global, Memory, Table, WithInstance
from host.module import Invalid, Malformed, Module, Refused, TooLarge
from host.outcome import Busy, Exited, Frame, HostCall, Returned, Stopped, Suspended, Trapped, Unlinkable
from host.snapshot import Reason, SnapshotRefused
from host.wasi import Wasi
from spec.wasm.traps import Trap

__all__ = [
    "Busy", "Exited", "Frame", "Function", "Global", "HostCall", "Instance", "Invalid", "LimitExceeded",
    "Limits", "Malformed", "Memory", "Module", "Reason", "Refused", "Returned", "SnapshotRefused",
    "Stopped", "Suspended", "Table", "TooLarge", "Trap", "Trapped", "Unlinkable", "Wasi", "WithInstance"]
