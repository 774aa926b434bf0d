"""Which strings of a module are the same?

They are kept in a trie of half bytes. Each byte of a string costs at most 32 steps, whatever the other strings are.
"""

from corollary.language.builtins import wrapping_add, wrapping_sub
from corollary.language.contracts import ensures, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u8, u32, u64
from corollary.language.values import clear, length
from corollary.model.wasm.reader import refuse, refused
from corollary.model.wasm.room import planted
from corollary.spec.wasm.module import NONE, Module
from corollary.spec.wasm.refusals import Refusal

ROOT = 0
HALVES = 16  # values that half a byte may have
BITS = 4  # in half a byte


@requires(planted)
def forget_texts(m: Module) -> None:
    """Empty the trie: only its root is left."""
    m.nodes_used = 1
    clear(m.nodes[ROOT])


@requires(planted)
@ensures(lambda m, result: result < length(m.nodes))
def new_node(m: Module, half: u8) -> u32:
    """Add a node and return it; return the root where there is no room."""
    at = m.nodes_used
    if at >= length(m.nodes) or at >= NONE:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return ROOT
    clear(m.nodes[at])
    m.nodes[at].half = half
    m.nodes_used += 1
    return at


@requires(lambda m, at: at < length(m.nodes))
@ensures(lambda m, result: result < length(m.nodes))
def below(m: Module, at: u32, half: u8) -> u32:
    """Return the node that a half byte leads to from a node. Add it if it is not there yet."""
    found = m.nodes[at].first
    left: u32 = HALVES
    while left > 0 and found != ROOT:
        decreases(left)
        left -= 1
        if found >= length(m.nodes):
            refuse(m, Refusal.TOO_LARGE, m.at)
            return ROOT
        if m.nodes[found].half == half:
            return found
        found = m.nodes[found].next
    made = new_node(m, half)
    if made != ROOT:
        m.nodes[made].next = m.nodes[at].first
        m.nodes[at].first = made
    return made


@requires(lambda m, at: at < length(m.nodes))
@ensures(lambda m, result: result < length(m.nodes))
def along(m: Module, at: u32, first: u32, size: u32) -> u32:
    """Return the node that a range of the module's bytes leads to from a node."""
    if u64(first) + size > length(m.bytes):
        refuse(m, Refusal.UNEXPECTED_END, first)
        return at
    node = at
    position = first
    left = size
    while left > 0 and not refused(m):
        maintains(node < length(m.nodes))
        maintains(u64(position) + left <= length(m.bytes))
        decreases(left)
        left -= 1
        code = m.bytes[position]
        middle = below(m, node, code >> BITS)
        node = below(m, middle, code & (HALVES - 1))
        position = wrapping_add(u32, position, 1)
    return node


@requires(lambda m, node: node < length(m.nodes))
def first_text(m: Module, node: u32, number: u32) -> u32:
    """Return the number of the first string that ends at a node: this one, if there was none before."""
    if m.nodes[node].text == 0:
        m.nodes[node].text = wrapping_add(u32, number, 1)
    return wrapping_sub(u32, m.nodes[node].text, 1)
