"""WebAssembly on this machine: the generated VM as a library, and a small interface to it."""

from host.instance import Instance
from host.limits import LimitExceeded, Limits
from host.linker import Function, Global, Memory, Table, WithInstance
from host.messages import Delivery, Reply, deliver, exchange
from host.module import Invalid, Malformed, Module, Refused, TooLarge
from host.outcome import Busy, Exited, Frame, HostCall, Returned, Stopped, Suspended, Trapped, Unlinkable
from host.pool import Pool
from host.snapshot import Reason, SnapshotRefused
from host.wasi import Wasi
from spec.wasm.traps import Trap

__all__ = [
    "Busy", "Delivery", "Exited", "Frame", "Function", "Global", "HostCall", "Instance", "Invalid", "LimitExceeded",
    "Limits", "Malformed", "Memory", "Module", "Pool", "Reason", "Refused", "Reply", "Returned", "SnapshotRefused",
    "Stopped", "Suspended", "Table", "TooLarge", "Trap", "Trapped", "Unlinkable", "Wasi", "WithInstance", "deliver", "exchange"]
