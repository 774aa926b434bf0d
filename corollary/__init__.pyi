"""What users import; `__init__.py` loads each when it is named."""

from .failure import Fault as Fault
from .failure import GuestFailure as GuestFailure
from .hibernation import Damage as Damage
from .hibernation import Receipt as Receipt
from .hibernation import ReconstructionRefused as ReconstructionRefused
from .hibernation import hibernate as hibernate
from .hibernation import reconstruct as reconstruct
from .instance import Instance as Instance
from .limits import LimitExceeded as LimitExceeded
from .limits import Limits as Limits
from .linker import Function as Function
from .linker import Global as Global
from .linker import Memory as Memory
from .linker import Table as Table
from .linker import WithInstance as WithInstance
from .messages import Delivery as Delivery
from .messages import Reply as Reply
from .messages import deliver as deliver
from .messages import exchange as exchange
from .messages import invoke as invoke
from .module import Invalid as Invalid
from .module import Malformed as Malformed
from .module import Module as Module
from .module import Refused as Refused
from .module import TooLarge as TooLarge
from .outcome import Busy as Busy
from .outcome import Exited as Exited
from .outcome import Frame as Frame
from .outcome import HostCall as HostCall
from .outcome import Returned as Returned
from .outcome import Stopped as Stopped
from .outcome import Suspended as Suspended
from .outcome import Trap as Trap
from .outcome import Trapped as Trapped
from .outcome import Unlinkable as Unlinkable
from .pool import Pool as Pool
from .snapshot import Reason as Reason
from .snapshot import SnapshotRefused as SnapshotRefused
from .wasi import Wasi as Wasi

__all__: list[str]
