"""What becomes of frames between two machines? A wire passes them on, or loses, repeats, swaps, changes, forges them.

Each machine sends into one stream and receives from another. The wire sees units of bytes, as the guests send them.
"""

import os
import random
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from corollary.codegen.build import BUILD
from corollary.codegen.image import image_hash, kernel_image
from corollary.emulation.layout import FRAME_AT, RECEIVES_AT, SENDS_AT, UNIT
from corollary.emulation.machine import booting
from corollary.emulation.package import end_of, linked
from corollary.emulation.verdict import NAMES, Transcript, boot_rows, end_row, holds, log_rows, root_row
from corollary.link import HELLO, hello
from corollary.spec.link.session import Answer

PEER = NAMES.index("worker A")
PARTITIONS = ("root", "peer", "none", "auditor")
MACHINES = 2
LIMIT = 240  # s of the host's time, which is that of both machines; root gives up before
ATTEMPTS = {
    "sent": "messages that the other end gave out",
    "received": "messages that came, in order",
    "wrong": "messages that are not what was sent",
    "ended": "why the session ended, 0 for not at all",
}


@dataclass(frozen=True)
class Wire:
    """How likely each thing is that a wire does to a unit."""

    drop: float = 0.0
    double: float = 0.0
    swap: float = 0.0  # with the next one
    damage: float = 0.0
    forge: float = 0.0  # bytes that nobody sent
    replay: float = 0.0  # of any unit that was sent before
    cut: float = 0.0  # the unit loses its last bytes, so that the next one begins elsewhere
    earlier: tuple = ()  # the hello of each end in an earlier session, which comes before the first unit

    @property
    def interferes(self):
        """Does it do anything that an end must keep out? An earlier hello is heard, like any first one."""
        return replace(self, earlier=()) != Wire()

    def passed(self, chosen, unit, before):
        """Return the units that come out for one, with those that were sent before it."""
        out = [] if chosen.random() < self.drop else [unit]
        if chosen.random() < self.double:
            out.append(unit)
        if chosen.random() < self.damage:
            out = [changed(chosen, each) for each in out]
        if chosen.random() < self.cut:
            out = [each[: chosen.randrange(len(each))] for each in out]
        if chosen.random() < self.forge:
            out.append(chosen.randbytes(UNIT))
        if before and chosen.random() < self.replay:
            out.append(chosen.choice(before))
        return out


WIRES = {"good": Wire(), "hostile": Wire(drop=0.1, double=0.1, swap=0.1, damage=0.05, forge=0.05, replay=0.1, cut=0.02)}


def changed(chosen, unit):
    """Return a unit with a few bits changed."""
    data = bytearray(unit)
    for _ in range(chosen.randint(1, 3)):
        data[chosen.randrange(len(data))] ^= 1 << chosen.randrange(8)
    return bytes(data)


@dataclass
class Cable:
    """What both directions of a wire lie in: while it is cut, nothing comes through."""

    until: float = 0.0  # the host's time

    def cut(self, seconds):
        """Cut it for a while."""
        self.until = time.monotonic() + seconds

    @property
    def is_cut(self):
        """Is it cut now?"""
        return time.monotonic() < self.until


@dataclass
class Line:
    """One direction of a wire, from the socket of who sends to that of who receives."""

    cable: Cable
    wire: Wire
    source: socket.socket
    target: socket.socket
    chosen: random.Random
    before: list = field(default_factory=list)
    earlier: bytes = b""  # a hello that comes before anything else
    held: list = field(default_factory=list)  # what the next unit overtakes

    def run(self):
        """Pass on whatever comes until one of the machines is gone."""
        data = b""
        try:
            while got := self.source.recv(1 << 16):
                data += got
                while len(data) >= UNIT:
                    unit, data = data[:UNIT], data[UNIT:]
                    self.target.sendall(b"".join(self.step(unit)))
        except OSError:  # the machine at one end is off
            return

    def step(self, unit):
        """Return what comes out for a unit."""
        if self.cable.is_cut:
            return []
        out = self.wire.passed(self.chosen, unit, self.before)
        if self.earlier and not self.before:
            first = (unit[:FRAME_AT] + self.earlier).ljust(UNIT, b"\0")  # each end begins with a hello, too
            self.before, out = [first], [first, *out]
        self.before.append(unit)
        out, self.held = [*out, *self.held], []
        if self.chosen.random() < self.wire.swap:
            out, self.held = [], out
        return out


def stream(name, transport, path):
    """Return the arguments of a stream of a machine: a console behind a transport, at a socket."""
    return (
        *("-chardev", f"socket,id={name},path={path}"),
        *("-device", f"virtio-serial-device,id={name}s,bus=virtio-mmio-bus.{transport}"),
        *("-device", f"virtconsole,bus={name}s.0,chardev={name}"),
    )


@contextmanager
def wired(wire, cable, seed=1):
    """Yield the arguments for both machines, between which the wire passes frames on."""
    with TemporaryDirectory(prefix="corollary.") as folder, ExitStack() as open_:
        listening = {}
        for end in range(MACHINES):
            for way in ("out", "in"):
                made = open_.enter_context(socket.socket(socket.AF_UNIX))
                made.bind(f"{folder}/{end}{way}")
                made.listen(1)
                listening[end, way] = made
        thread = threading.Thread(target=connect, args=(cable, wire, listening, open_, seed), daemon=True)
        thread.start()
        yield [
            (
                *("-global", "virtio-mmio.force-legacy=false"),
                *stream("out", SENDS_AT, Path(folder) / f"{end}out"),
                *stream("in", RECEIVES_AT, Path(folder) / f"{end}in"),
            )
            for end in range(MACHINES)
        ]


def connect(cable, wire, listening, open_, seed):
    """Wait for both machines, then run both directions."""
    sockets = {key: open_.enter_context(made.accept()[0]) for key, made in listening.items()}
    for end in range(MACHINES):
        line = Line(cable, wire, sockets[end, "out"], sockets[1 - end, "in"], random.Random(seed + end))
        line.earlier = wire.earlier[end] if wire.earlier else b""
        threading.Thread(target=line.run, daemon=True).start()


@dataclass(frozen=True)
class Ends:
    """What both machines know before they meet, 32 bytes each: a secret, and what the other end should have booted."""

    secret: bytes = field(default_factory=partial(os.urandom, 32))
    measurements: tuple = field(default_factory=lambda: (bytes.fromhex(image_hash(kernel_image())),) * MACHINES)

    def known(self):
        """Return what each end knows."""
        return [end_of(end, self.secret, self.measurements) for end in range(MACHINES)]

    def along(self, wire):
        """Return the wire with what it has seen of an earlier session: genuine hellos, as they lie in memory."""
        nonces = (b"\1" * 32, b"\2" * 32)
        known = zip(self.measurements, nonces, (False, True), reversed(nonces))
        return replace(wire, earlier=tuple(as_in_memory(hello(self.secret, *each)) for each in known))

    def systems(self, messages, out=BUILD):
        """Return what both machines boot, to send so many messages each."""
        return [linked(messages, end, out) for end in self.known()]


def as_in_memory(shown):
    """Return a hello as it lies in memory: its words have the low byte first there."""
    words = HELLO // 4
    return struct.pack(f"<{words}I", *struct.unpack(f">{words}I", shown))


def transcripts(keys):
    """Return an empty transcript for each machine."""
    return [Transcript(key, tuple(f"{name} {end}" for name in PARTITIONS)) for end, key in enumerate(keys, 1)]


def run_both(systems, runs, wire, takes, cable=None, limit=LIMIT):
    """Run two machines with a wire between them; each console's lines go to its function in `takes`."""
    with wired(wire, cable or Cable()) as arguments, ExitStack() as stack:
        machines = [
            stack.enter_context(booting(system, run.key, *more, shift=None, limit=limit))
            for system, run, more in zip(systems, runs, arguments, strict=True)
        ]
        with ThreadPoolExecutor(MACHINES) as pool:
            followed = [pool.submit(follow, *each) for each in zip(machines, takes, strict=True)]
            try:
                for each in followed:
                    each.result()
            except BaseException:
                for process, _ in machines:
                    process.kill()  # the pool waits for a thread, and that for its console
                raise


def follow(machine, take):
    """Hand each line of a console over until the machine ends."""
    _, console = machine
    for line in console.lines():
        take(line)


def verdict(run, system, wire, messages):
    """Yield the rows about one machine: what it says of the session, then what must hold of the whole."""
    told = {what: int(value, 16) for what, value in run.lines(PEER, "link")}
    for what, wanted in (("sent", messages), ("received", messages), ("wrong", 0), ("ended", int(Answer.OK))):
        attempt = ATTEMPTS[what]
        yield holds(attempt, str(wanted), str(told.get(what, "nothing")), told.get(what) == wanted, run.names[PEER])
    kept_out = [told.get(what, 0) for what in ("forged", "replayed", "refused", "strangers")]
    yield holds(
        "frames that the link kept out",
        "some" if wire.interferes else "none",
        "{} forged, {} that came before, {} of no form, {} hellos of others".format(*kept_out),
        (sum(kept_out) > 0) == wire.interferes,
        run.names[PEER],
    )
    yield from boot_rows(run, system)
    yield root_row(run, "give a guest both ends of a wire")
    yield from log_rows(run, system)
    yield end_row(run)
