"""What is governance, as a component? Seats of agents, kills, sessions and sagas, and the steps that change them."""

from corollary.language.component import Component
from corollary.model.governance import promises  # whoever asks for the component gets all of them
from corollary.model.governance.kills import kill, report
from corollary.model.governance.sagas import abandon, begin_step, complete_step, fail_step, open_saga, undo_step
from corollary.model.governance.seats import (
    assign,
    check,
    dismiss,
    elevate,
    enrol,
    expire,
    quarantine,
    record_call,
    register_child,
    release,
    reset_breaker,
    revoke,
    spend,
)
from corollary.model.governance.sessions import advance, append, forget, open_session
from corollary.spec.governance.state import Governance

__all__ = ("GOVERNANCE", "promises")

GOVERNANCE = Component(
    state=Governance,
    calls=("ring",),
    operations=(
        enrol,
        register_child,
        dismiss,
        assign,
        elevate,
        revoke,
        expire,
        check,
        spend,
        quarantine,
        release,
        record_call,
        reset_breaker,
        kill,
        report,
        open_session,
        advance,
        forget,
        append,
        open_saga,
        begin_step,
        complete_step,
        fail_step,
        abandon,
        undo_step,
    ),
)
