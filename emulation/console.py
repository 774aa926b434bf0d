"""How does the host hear what a machine says on its console? Through a ring in the memory of QEMU.

Into a pipe, QEMU would write each character by itself; that took half of the time of a run. The ring is emptied
through QEMU's monitor (QMP), which speaks on the pipes of the process.
"""

import base64
import json
import os
import queue
import threading
import time
from contextlib import suppress

NAME = "console"
ROOM = 1 << 26  # bytes of the ring, more than any machine says within a second
ONCE = 1 << 22  # bytes that are read at once
HEEDED = 1 << 16  # bytes of warnings
PAUSE = 0.05  # s of the host's time between two looks at an empty ring
KEPT = (
    *("-display", "none", "-monitor", "none", "-qmp", "stdio"),
    *("-chardev", f"ringbuf,id={NAME},size={ROOM}", "-serial", f"chardev:{NAME}"),
    *("-action", "shutdown=pause"),  # a machine that has ended stays until all that it said is read
)


class Console:
    """The lines that a machine says, from QEMU in a process with `KEPT` among its arguments.

    Two pipes are to its monitor; `words` is the file that it writes warnings to.
    """

    def __init__(self, process, words):
        self.process, self.words, self.is_over, self.queue = process, words, False, queue.SimpleQueue()
        self.thread = threading.Thread(target=self.drain, daemon=True)
        self.thread.start()

    def lines(self):
        """Yield each line until QEMU ends, then the warnings of QEMU. What a machine did not end is no line."""
        while (line := self.queue.get()) is not None:
            yield line

    def drain(self):
        """Take whole lines out of the ring as long as QEMU runs."""
        rest = b""
        try:
            for part in self.parts():
                *whole, rest = (rest + part).split(b"\n")
                for line in whole:
                    self.queue.put(line.decode(errors="replace").rstrip("\r"))
        finally:
            words = os.pread(self.words.fileno(), HEEDED, 0)  # where QEMU writes is left as it is
            for line in (*words.decode(errors="replace").splitlines(), None):
                self.queue.put(line)

    def close(self):
        """Hear what QEMU said last, once it has ended, and let go of its pipes."""
        self.thread.join()
        self.process.stdout.close()
        with suppress(BrokenPipeError):  # the last command, which it did not read any more
            self.process.stdin.close()

    def parts(self):
        """Yield what is in the ring, again and again; then let QEMU end, and wait for that."""
        self.ask("qmp_capabilities")  # QEMU tells of nothing that was before
        self.is_over |= (self.ask("query-status") or {}).get("status") == "shutdown"
        while True:
            was_over = self.is_over
            part = self.ask("ringbuf-read", device=NAME, size=ONCE, format="base64")
            if part is None:
                return
            if part:
                yield base64.b64decode(part)
            elif was_over:
                self.ask("quit")
                self.process.wait()  # it lets go of the pipes before it has written all of its files
                return
            else:
                time.sleep(PAUSE)

    def ask(self, command, **arguments):
        """Return QEMU's answer to a command of its monitor; None if it has ended, or refuses and says why."""
        with suppress(BrokenPipeError):  # QEMU has ended: what it said last is still to be read
            self.process.stdin.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
            self.process.stdin.flush()
        for line in self.process.stdout:
            if not line.endswith("\n"):  # QEMU was killed while it spoke
                return None
            told = json.loads(line)
            self.is_over |= told.get("event") == "SHUTDOWN"
            if "error" in told:
                self.queue.put(f"qemu: {command}: {told['error']['desc']}")
                return None
            if "return" in told:
                return told["return"]
        return None
