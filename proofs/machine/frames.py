"""What does a stack frame hold? Words at offsets from the stack pointer at the entry: offset -> (bytes, word)."""

from proofs.machine import words
from proofs.machine.memory import BYTE


def put(stack, offset, size, value):
    """Store a word, over whatever it covers."""
    for old in range(offset - 15, offset + size):
        if old in stack:
            length, word = stack[old]
            if old + length <= offset:
                continue
            del stack[old]
            for number in range(length):
                if not offset <= old + number < offset + size:
                    stack[old + number] = (1, words.extract(word, BYTE * number, BYTE, BYTE * length))
    stack[offset] = (size, value)


def get(stack, offset, size, anything):
    """Load a word; what was never stored is unknown."""
    if offset in stack and stack[offset][0] == size:
        return stack[offset][1]
    parts, at = [], offset
    while at < offset + size:
        start = next((start for start in range(at, at - 16, -1) if start in stack and start + stack[start][0] > at), None)
        if start is None:
            stack[at] = (1, anything("uninitialized", BYTE))
            start = at
        length, word = stack[start]
        taken = min(start + length, offset + size) - at
        parts.append((words.extract(word, BYTE * (at - start), BYTE * taken, BYTE * length), BYTE * taken))
        at += taken
    return words.concat(parts)
