"""How does the host run the kernel? In QEMU, with its console or with memory that both sides map."""

import mmap
import os
import signal
import struct
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from corollary.codegen import image
from corollary.emulation.console import KEPT, Console
from corollary.emulation.installed import command
from corollary.language.layout import decode, encode
from corollary.spec.kernel import memory_map
from corollary.spec.kernel.hardware import POOL_BASE
from corollary.spec.kernel.state import BootInformation, Call, Kernel

REGION = {region.name: region for region in memory_map.REGIONS}
SIZE = REGION["units"].end - memory_map.RAM  # bytes of memory
PROCESSOR = ("-cpu", "cortex-a72", "-m", f"{SIZE >> 20}M", "-nic", "none")
MACHINE = ("-M", "virt,virtualization=on,gic-version=3", *PROCESSOR, "-no-reboot")
SHIFT = 6  # an instruction takes 1 << SHIFT ns of the machine's time on any host: all runs are alike
LIMIT = 90  # s of the host's time; a run takes a third of it
BEAT = ("-netdev", "hubport,id=beat,hubid=0", "-object", "filter-buffer,id=beats,netdev=beat,interval=1000")
"""Something happens each millisecond: when nothing runs, time leaps to what happens next. Between a reset and the first
instruction after it nothing else would, so time would leap to its end."""
AGAIN = ("-action", "reboot=reset", *BEAT)
TOLD = 1000  # bytes of a console that an error shows
PATIENCE = 60  # s of the host's time until QEMU has made its memory
LONGEST = (
    600  # s of the host's time until a trace must have run; none takes a tenth of it on a machine that is not busy
)


def words_of(data):
    """Return the 64-bit words of some bytes."""
    return struct.unpack(f"<{len(data) // 8}Q", data)


def packed(*words):
    """Return words as they lie in memory."""
    return struct.pack(f"<{len(words)}Q", *words)


def loaded(file, region):
    """Return the arguments that load a file into a region before the processor starts."""
    return ("-device", f"loader,file={file},addr={REGION[region].start:#x},force-raw=on")


@contextmanager
def booting(system, key, *more, shift: int | None = SHIFT, limit=LIMIT, again=False):
    """Run QEMU with a kernel, its package, a key and further arguments; yield the process and its console.

    It ends when the context does, or after too long. Without a shift, the machine's time is the host's. The machine may
    start `again`, where it otherwise ends.
    """
    clock = () if shift is None else ("-icount", f"shift={shift},sleep=off")
    more = (*more, *AGAIN) if again else more
    with tempfile.NamedTemporaryFile(suffix=".secret") as file, tempfile.TemporaryFile() as words:
        file.write(encode(secret(key, system.attested.root), memory_map.Secret))
        file.flush()
        process = subprocess.Popen(
            [
                *command(),
                *MACHINE,
                *KEPT,
                *clock,
                "-kernel",
                str(system.kernel),
                *loaded(system.package, "package"),
                *loaded(file.name, "secret"),
                *more,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=words,
            text=True,
        )
        console = Console(process, words)
        watchdog = threading.Timer(limit, process.kill)
        try:
            watchdog.start()
            yield process, console
        finally:
            watchdog.cancel()
            process.kill()
            process.wait()
            console.close()


def sharing(path):
    """Return the arguments that make a file of the host the memory of the machine."""
    return ("-M", "memory-backend=ram", "-object", f"memory-backend-file,id=ram,size={SIZE},mem-path={path},share=on")


@contextmanager
def remembering():
    """Yield `(arguments for QEMU, state)`.

    Afterwards `state()` returns the bytes of the kernel's state as the machine left them, or so many at an address.
    """
    with tempfile.TemporaryDirectory(prefix="corollary.", dir="/dev/shm") as folder:
        memory = Path(folder) / "memory"

        def state(start=POOL_BASE, size=Kernel.layout.size):
            with memory.open("rb") as file:
                file.seek(start - memory_map.RAM)
                return file.read(size)

        yield sharing(memory), state


def start(system, key, *more, **pace):
    """Boot a kernel and its package with a key, and further arguments for QEMU; yield the lines of its console."""
    with booting(system, key, *more, **pace) as (_, console):
        yield from console.lines()


def secret(key, root):
    """Return what the host leaves for the kernel: the key, and the root of the proofs that it allows."""
    value = memory_map.Secret()
    for i, word in enumerate(words_of(key)):
        value.key[i] = word
    for i, word in enumerate(root):
        value.attested[i] = word
    return value


class Shared:
    """A machine whose memory is a file that both sides map."""

    def launch(self, machine, elf, mapped=SIZE, **streams):
        """Start QEMU on an image, wait until its memory is there, and map the first `mapped` bytes."""
        file = Path(f"/dev/shm/corollary.{os.getpid()}.{id(self)}")
        self.process = subprocess.Popen([*command(), *machine, "-kernel", str(elf), *sharing(file)], **streams)
        try:
            self.wait_for(file)
            with open(file, "r+b") as opened:
                self.memory = mmap.mmap(opened.fileno(), mapped)
        finally:
            file.unlink(missing_ok=True)
        return self

    def wait_for(self, file):
        """Wait until QEMU has made its memory."""
        deadline = time.monotonic() + PATIENCE
        while not file.exists() or file.stat().st_size < SIZE:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError(f"QEMU does not start: {self.process.args}")
            time.sleep(0.01)

    def __exit__(self, *exception):
        self.process.kill()
        self.process.wait()
        self.memory.close()


class Server(Shared):
    """A machine that runs traces on a kernel inside QEMU, by default the one that ships.

    A harness beside the kernel calls its functions. An entry of a trace is `(kind, call)`: a name of
    `memory_map.KINDS` and a `Call`; STORE takes page, position and value as the first arguments, CONTAIN syndrome and
    address. A result is `(status, call)`.
    """

    def __init__(self, kernel=None, more=()):
        self.kernel, self.more = kernel or image.kernel_image(), more

    def __enter__(self):
        self.console = tempfile.TemporaryFile()  # guests of a trace print, too, and nobody reads it
        beside = ("-device", f"loader,file={image.harness_image(self.kernel)},cpu-num=0")
        return self.launch(
            (*MACHINE, "-nographic", *beside, *self.more),
            self.kernel,
            memory_map.MAILBOX.end - memory_map.RAM,
            stdin=subprocess.DEVNULL,
            stdout=self.console,
            stderr=subprocess.STDOUT,
        )

    def __exit__(self, *exception):
        super().__exit__(*exception)
        self.console.close()

    def reset(self, information=None):
        """Boot the model again, from zeros, with this information."""
        self.write("information", encode(information or BootInformation(), BootInformation))
        self.command("RESET")

    def run(self, trace):
        """Run the entries in order; return their results."""
        size, at = memory_map.Entry.layout.size, memory_map.MAILBOX.start - memory_map.RAM + memory_map.ENTRIES_OFFSET
        if at + size * len(trace) > len(self.memory):
            raise ValueError(f"{len(trace)} entries do not fit the mailbox")
        head = memory_map.Entry.layout["call"].offset
        for number, (kind, call) in enumerate(trace):
            place = at + number * size
            self.memory[place : place + head] = packed(memory_map.KINDS.index(kind), 0)
            self.memory[place + head : place + size] = encode(call, Call)
        self.write("count", packed(len(trace)))
        self.command("RUN")
        return [self.result(at + number * size) for number in range(len(trace))]

    def result(self, place):
        """Return the status and the call of an entry that was run."""
        data = self.memory[place : place + memory_map.Entry.layout.size]
        head = memory_map.Entry.layout["call"].offset
        return words_of(data[:head])[1], decode(data[head:], Call)

    def state(self):
        """Return the bytes of the kernel's state; `corollary.language.layout` says which is which."""
        start = POOL_BASE - memory_map.RAM
        return self.memory[start : start + Kernel.layout.size]

    def ticks(self):
        """Return how long the last trace took, in ticks of the machine's counter."""
        return words_of(self.field("ticks"))[0]

    def field(self, name):
        """Return the bytes of a field of the mailbox."""
        slot = memory_map.Mailbox.layout[name]
        start = memory_map.MAILBOX.start - memory_map.RAM + slot.offset
        return self.memory[start : start + slot.size]

    def write(self, name, data):
        """Set a field of the mailbox."""
        start = memory_map.MAILBOX.start - memory_map.RAM + memory_map.Mailbox.layout[name].offset
        self.memory[start : start + len(data)] = data

    def command(self, name):
        """Give a command and wait until the kernel has cleared it; between commands the machine stands still.

        Raises `TimeoutError` if that takes too long.
        """
        deadline = time.monotonic() + LONGEST
        self.write("command", packed(memory_map.COMMANDS.index(name)))
        self.process.send_signal(signal.SIGCONT)
        while words_of(self.field("command"))[0] != 0:
            if self.process.poll() is not None:
                raise RuntimeError(f"the kernel stopped: {self.told()}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"{name} was not done within {LONGEST} s; the kernel said last: {self.told()}")
            time.sleep(0.0002)
        self.process.send_signal(signal.SIGSTOP)

    def told(self):
        """Return the end of the console."""
        self.console.seek(0)
        return self.console.read()[-TOLD:].decode(errors="replace")

    def off(self):
        """Switch the machine off, and wait until QEMU has ended by itself."""
        self.write("command", packed(memory_map.COMMANDS.index("OFF")))
        self.process.send_signal(signal.SIGCONT)
        self.process.wait(LIMIT)
