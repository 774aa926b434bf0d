"""What is the manager: its state, its operations, and how it begins?"""

from corollary.language.component import Component
from corollary.model.manager import promises  # whoever asks for the component gets all of them
from corollary.model.manager.failures import fail, remedied, violate
from corollary.model.manager.hibernation import (
    freed,
    frozen,
    hibernate,
    packed,
    read,
    reconstruct,
    recorded,
    unpacked,
    written,
)
from corollary.model.manager.life import (
    begin,
    begin_epoch,
    register,
    respawn,
    restart,
    resumed,
    started,
    suspended,
    terminated,
)
from corollary.model.manager.migration import (
    abort,
    admit,
    checked,
    commit,
    hear_abort,
    hear_chunk,
    hear_commit,
    hear_done,
    hear_filled,
    hear_reserve,
    hear_want,
    refuse,
    released,
    restored,
    returned,
    snapped,
    stopped,
)
from corollary.model.manager.tasks import assign, failed
from corollary.spec.manager.state import Manager

__all__ = ("MANAGER", "promises")

MANAGER = Component(
    state=Manager,
    boot=begin,
    calls=("agent",),
    operations=(
        begin_epoch,
        restart,
        register,
        respawn,
        started,
        suspended,
        resumed,
        terminated,
        assign,
        failed,
        admit,
        stopped,
        snapped,
        hear_want,
        hear_filled,
        commit,
        hear_done,
        released,
        abort,
        returned,
        hear_reserve,
        hear_chunk,
        checked,
        hear_commit,
        hear_abort,
        refuse,
        restored,
        hibernate,
        frozen,
        packed,
        written,
        recorded,
        freed,
        reconstruct,
        read,
        unpacked,
        fail,
        remedied,
        violate,
    ),
)
