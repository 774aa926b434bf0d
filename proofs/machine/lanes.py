"""What do registers hold whose parts are written one by one? Those of handlers and of hashes, vectors among them."""

from corollary.proofs.machine import words
from corollary.proofs.machine.lift import Varnode
from corollary.proofs.machine.processor import BYTE, Registers, as_word, general, vectors


class Lanes(Registers):
    """General and vector registers: parts may be written one by one and read together."""

    def __init__(self, unknown, pieces=None):
        super().__init__(unknown, general() | vectors(), pieces)

    def fork(self):
        """Return a copy."""
        return Lanes(self.unknown, self.pieces)

    def piece(self, node):
        """Return what was put at an offset, assembled from parts if need be."""
        key = (node.space, node.offset)
        if key not in self.pieces or self.pieces[key][0] >= node.size:
            return super().piece(node)
        parts, taken = [], 0
        while taken < node.size:
            size, value = super().piece(Varnode(node.space, node.offset + taken, 1))
            size = min(size, node.size - taken)
            parts.append(
                (
                    words.extract(
                        as_word(value, self.pieces[node.space, node.offset + taken][0]),
                        0,
                        BYTE * size,
                        BYTE * self.pieces[node.space, node.offset + taken][0],
                    ),
                    BYTE * size,
                )
            )
            taken += size
        return node.size, words.concat(parts)

    def alone(self, node):
        """Cut in two, or three, a piece that begins below and reaches in."""
        for back in range(1, 16):
            size, value = self.pieces.get((node.space, node.offset - back), (0, None))
            if size > back:
                whole = as_word(value, size)
                self.pieces[node.space, node.offset - back] = (back, words.extract(whole, 0, BYTE * back, BYTE * size))
                above = back + node.size
                if size > above:
                    rest = words.extract(whole, BYTE * above, BYTE * (size - above), BYTE * size)
                    self.pieces[node.space, node.offset + node.size] = (size - above, rest)
        for ahead in range(1, node.size):
            self.pieces.pop((node.space, node.offset + ahead), None)
