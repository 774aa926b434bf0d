"""What does the processor hold at an instruction?

QEMU's stub for debuggers answers, by the GDB remote serial protocol.
"""

import re
import socket
import time
import xml.etree.ElementTree as xml

PATIENCE = 60  # s of the host's time to wait for an answer
PART = 0x400  # bytes of a description requested at once
TARGET = "target.xml"


def stub(path):
    """Return arguments that make QEMU wait for a debugger at a socket before the first instruction."""
    return ("-S", "-gdb", f"unix:path={path},server=on,wait=off")


class Debugger:
    """A connection to QEMU, which reads registers by QEMU's names for them."""

    def __init__(self, path):
        self.path, self.received = path, b""

    def __enter__(self):
        self.socket, deadline = socket.socket(socket.AF_UNIX), time.monotonic() + PATIENCE
        self.socket.settimeout(PATIENCE)
        while self.socket.connect_ex(str(self.path)) != 0:
            if time.monotonic() > deadline:
                raise RuntimeError("QEMU does not let a debugger in")
            time.sleep(0.01)
        self.ask("qSupported")
        self.numbers = self.register_numbers()
        return self

    def __exit__(self, *exception):
        self.socket.close()

    def ask(self, text):
        """Return the answer to a packet."""
        data = text.encode()
        self.socket.sendall(b"$" + data + b"#%02x" % (sum(data) % 256))
        while (found := re.search(rb"\$([^#]*)#..", self.received, re.DOTALL)) is None:
            more = self.socket.recv(1 << 16)
            if not more:
                raise RuntimeError(f"QEMU ended after {text}")
            self.received += more
        self.received = self.received[found.end() :]
        self.socket.sendall(b"+")
        return found[1].decode()

    def described(self, name):
        """Return an XML document that describes the machine."""
        text, mark = "", "m"
        while mark == "m":
            answer = self.ask(f"qXfer:features:read:{name}:{len(text):x},{PART:x}")
            mark, text = answer[0], text + answer[1:]
        return text

    def register_numbers(self):
        """Return the number of each register by its name; a register without a number follows the previous one."""
        numbers, last = {}, -1
        for name in re.findall(r'include href="([^"]*)"', self.described(TARGET)):
            for found in xml.fromstring(self.described(name)).iter("reg"):
                last = int(found.get("regnum", last + 1))
                numbers[found.get("name")] = last
        return numbers

    def register(self, name):
        """Return the value of a register."""
        return int.from_bytes(bytes.fromhex(self.ask(f"p{self.numbers[name]:x}")), "little")

    def run_to(self, address):
        """Let the machine run until it is about to execute the instruction at an address."""
        for request, answer in ((f"Z1,{address:x},4", "OK"), ("c", "T05"), (f"z1,{address:x},4", "OK")):
            self.do(request, answer)

    def set(self, name, value):
        """Change a general register, or the program counter."""
        self.do(f"P{self.numbers[name]:x}={value.to_bytes(8, 'little').hex()}")

    def store(self, address, data):
        """Write bytes to memory."""
        self.do(f"M{address:x},{len(data):x}:{data.hex()}")

    def step(self):
        """Let the machine take one instruction."""
        self.do("s", "T05")

    def leave(self):
        """Let the machine run on by itself."""
        self.do("D")

    def do(self, request, answer="OK"):
        """Ask for something that has one good answer."""
        if not self.ask(request).startswith(answer):
            raise RuntimeError(f"QEMU does not take {request}")
