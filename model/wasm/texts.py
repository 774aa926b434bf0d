"""Which texts of a module are the same? They are in a tree by their half bytes: each byte of a text costs 32 steps at most, whatever the others are."""

from model.wasm.reader import byte_at, refuse, refused
from spec.language.builtins import wrapping_add, wrapping_sub
from spec.language.loops import decreases
from spec.language.types import u8, u32
from spec.language.values import clear, length
from spec.wasm.module import NONE, Module
from spec.wasm.refusals import Refusal

ROOT = 0
HALVES = 16                     # that a byte may begin or end with
BITS = 4                        # of each


def forget_texts(m: Module) -> None:
    """A tree without any text: only its root is there."""
    m.nodes_used = 1
    if length(m.nodes) > 0:
        clear(m.nodes[ROOT])


def new_node(m: Module, half: u8) -> u32:
    """A node more; the root where there is no room."""
    at = m.nodes_used
    if at >= length(m.nodes) or at >= NONE:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return ROOT
    clear(m.nodes[at])
    m.nodes[at].half = half
    m.nodes_used += 1
    return at


def below(m: Module, at: u32, half: u8) -> u32:
    """Where a half byte leads to from a node; made, if there is nothing yet."""
    if at >= length(m.nodes):
        return ROOT
    found = m.nodes[at].first
    left: u32 = HALVES
    while left > 0 and found != ROOT and found < length(m.nodes):
        decreases(left)
        left -= 1
        if m.nodes[found].half == half:
            return found
        found = m.nodes[found].next
    made = new_node(m, half)
    if made != ROOT and made < length(m.nodes):
        m.nodes[made].next = m.nodes[at].first
        m.nodes[at].first = made
    return made


def along(m: Module, at: u32, first: u32, size: u32) -> u32:
    """Where so many bytes of the module lead to from a node."""
    node = at
    position = first
    left = size
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        code = byte_at(m, position)
        middle = below(m, node, code >> BITS)
        node = below(m, middle, code & (HALVES - 1))
        position = wrapping_add(u32, position, 1)
    return node


def first_text(m: Module, node: u32, number: u32) -> u32:
    """The number of the first text that ends at a node: this one, if there was none before."""
    if node >= length(m.nodes):
        return number
    if m.nodes[node].text == 0:
        m.nodes[node].text = wrapping_add(u32, number, 1)
    return wrapping_sub(u32, m.nodes[node].text, 1)
