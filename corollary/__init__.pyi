"""What users import; `__init__.py` loads each when it is named."""

from .instance import Instance as Instance
from .limits import LimitExceeded as LimitExceeded, Limits as Limits
from .linker import (
    Function as Function, Global as Global, Memory as Memory, Table as Table, WithInstance as WithInstance)
from .messages import Delivery as Delivery, Reply as Reply, deliver as deliver, exchange as exchange
from .module import (
    Invalid as Invalid, Malformed as Malformed, Module as Module, Refused as Refused, TooLarge as TooLarge)
from .outcome import (
    Busy as Busy, Exited as Exited, Frame as Frame, HostCall as HostCall, Returned as Returned, Stopped as Stopped,
    Suspended as Suspended, Trap as Trap, Trapped as Trapped, Unlinkable as Unlinkable)
from .pool import Pool as Pool
from .snapshot import Reason as Reason, SnapshotRefused as SnapshotRefused
from .wasi import Wasi as Wasi
