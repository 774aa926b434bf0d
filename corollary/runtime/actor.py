"""What is an agent while it is awake? A run of its program, and the chain of its checkpoints.

A turn is a function of the state before it, the event, its number and its moment, and nothing else. So a state that was
lost is had again by doing the turns since the last good checkpoint again, and dropping what they ask for.
"""

from corollary.outcome import Unlinkable
from corollary.runtime.desk import Desk
from corollary.runtime.programs import Program
from corollary.runtime.run import Failed, Run
from corollary.runtime.state import Chain, Image, Restored, restored
from corollary.runtime.store import Event, Kept, Lease, StoreDamaged, Turn
from corollary.runtime.tracing import Quiet, Tracing
from corollary.snapshot import SnapshotRefused


class Actor:
    """An agent that is awake. `desk` is that of the last turn, `problem` what was found damaged when it woke."""

    def __init__(self, lease: Lease, program: Program, key: bytes, tracing: Tracing = Quiet()):
        self.lease, self.program, self.key, self.tracing = lease, program, key, tracing
        self.name = lease.agent.name
        self.chain = Chain(self.name, key)
        self.run: Run | None = None
        self.begun: tuple[Run, Image] | None = None  # the run and the state after a turn that is not committed yet
        self.moment = 0  # of the last turn
        self.desk = self.desk_of(0, 0)
        self.problem = ""

    @property
    def state(self) -> Image | None:
        """The state after a turn that is not committed yet."""
        return None if self.begun is None else self.begun[1]

    @property
    def about(self) -> str | None:
        """What the program waits for, if not for just any event."""
        return None if self.run is None else self.run.about

    def wake(self, kept: Kept) -> None:
        """Take up the newest good state; raises `StoreDamaged` when there is none."""
        from_ = restored(self.name, self.key, kept)
        if from_.turn + len(from_.again) != self.lease.turns:
            raise StoreDamaged(f"{self.name} took {self.lease.turns} turns, and the last ones are gone")
        if from_.image is None and self.lease.agent.copied:
            raise StoreDamaged(f"{self.name} is a copy, and the state that it began with is damaged: make another copy")
        self.chain.go_on(kept, from_)
        self.problem = from_.problem
        self.moment = max((turn.moment for turn in kept.turns), default=0)
        try:
            self.run = self.program.run()
            if from_.image is not None:
                self.run.go_on(from_.image, self.key)
            self.do_again(self.run, from_)
        except (SnapshotRefused, Unlinkable, Failed) as problem:
            raise StoreDamaged(f"{self.name} after turn {from_.turn}: {problem}") from None

    def do_again(self, run: Run, from_: Restored) -> None:
        """Do turns again that were committed; raises `Failed`."""
        for past in from_.again:
            run.turn(self.desk_of(past.number, past.moment), past.event)

    def desk_of(self, number: int, moment: int) -> Desk:
        """Return the desk of a turn."""
        return Desk(self.lease.agent, number, moment, self.key)

    def turn(self, event: Event, now: int) -> Turn:
        """Handle an event, and return all that it did; raises `Failed`, and then the agent has to wake anew."""
        number, moment = self.lease.turns + 1, max(now, self.moment)
        run = self.run
        if run is None:
            raise Failed("the agent is not awake")
        desk = self.desk = self.desk_of(number, moment)
        desk.tracing = self.tracing
        self.run = None  # until the turn is committed: what it does to the state may not become true
        try:
            reply = run.turn(desk, event)
            image = run.image(self.key)
        except SnapshotRefused as problem:
            raise Failed(str(problem)) from None
        self.begun = run, image
        return Turn(
            number=number,
            event=event,
            moment=moment,
            reply=reply,
            checkpoint=self.chain.next(number, image),
            events=tuple(desk.events),
            undone=tuple(desk.undone),
            answers=tuple(desk.answers),
            effects=tuple(desk.effects),
            steps=tuple(desk.steps),
            ended=run.ended,
        )

    def committed(self, turn: Turn) -> int | None:
        """Note that a turn is true now. Returns the first turn that is still needed, when that changed."""
        assert self.begun is not None, "a turn is committed after it was taken"
        (self.run, image), self.begun = self.begun, None
        self.moment = turn.moment
        return self.chain.took(turn.checkpoint, image)
