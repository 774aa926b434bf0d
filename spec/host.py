"""Which functions may an agent import? Each has one row here; the rest is derived.

Derived are the header for agents in C, the table of the guest that serves them, a WIT interface, and a page.
"""

from dataclasses import dataclass

from corollary.spec.kernel.hypercalls import OPERATIONS

ROWS = {row.name: row for row in OPERATIONS}
MODULE = "corollary"  # from which agents import
STORE_STATUS = 1 << 8  # statuses from here on are those of a store of vectors and this; those of the kernel are below
STRUCTURES = {
    "about": ("length", "badge", "sequence"),  # of a message: words, badge of the sender's capability, number
    "grant": ("handle", "slot", "rights"),  # what a child gets: with these rights, in this slot of its own
}
"""What lies in the memory of an agent, besides bytes: 64-bit words in this order."""


@dataclass(frozen=True)
class Kind:
    """A kind of parameter: how C, WebAssembly and WIT write it."""

    c: str
    wasm: str
    wit: str


NUMBER = Kind("uint64_t ", "i64", "u64")
COUNT = Kind("uint32_t ", "i32", "u32")
STATUS = COUNT  # what each function returns


def address(c):
    """Return the kind of an address in the agent's memory of what C calls `c`."""
    return Kind(f"{c} *", "i32", "address")


@dataclass(frozen=True)
class Host:
    """A function: the kinds of its parameters by name, the hypercalls that it makes in order, and what it does."""

    name: str
    parameters: dict
    hypercalls: tuple
    sentence: str

    @property
    def operations(self):
        """The rows of its hypercalls, which tell the rights that it needs."""
        return tuple(ROWS[each] for each in self.hypercalls)


ASKING = ("edge_send", "notification_signal", "edge_await", "edge_receive")  # what it takes to ask a store
FUNCTIONS = (
    Host(
        "send",
        {"edge": NUMBER, "words": address("const uint64_t"), "count": COUNT, "schema": NUMBER},
        ("edge_send",),
        "Send a message of `count` words through an edge.",
    ),
    Host(
        "recv",
        {"edge": NUMBER, "words": address("uint64_t"), "room": COUNT, "about": address("struct about")},
        ("edge_receive",),
        "Receive the oldest message of an edge, as many words as there is room for.",
    ),
    Host("notify", {"notification": NUMBER, "bits": NUMBER}, ("notification_signal",), "Set bits of a notification."),
    Host(
        "wait",
        {"notification": NUMBER, "bits": address("uint64_t")},
        ("notification_wait",),
        "Get the bits of a notification that were set, and clear them.",
    ),
    Host(
        "request_shared_region",
        {
            "partition": NUMBER,
            "reader": NUMBER,
            "nth": COUNT,
            "bytes": address("const void"),
            "size": COUNT,
            "region": address("uint64_t"),
        },
        ("page_share",),
        "Share a page with the partition `reader`, as one of its three shares, and copy bytes into it.",
    ),
    Host(
        "map_shared",
        {"partition": NUMBER, "region": NUMBER, "bytes": address("void"), "size": COUNT},
        ("share_map",),
        "Map a page that was shared, and copy bytes out of it; also if it was mapped before: ALREADY_LINKED.",
    ),
    Host(
        "vector_get",
        {"store": NUMBER, "key": NUMBER, "bytes": address("void"), "size": COUNT, "version": address("uint64_t")},
        ASKING,
        "Get the vector of a key from a store, and its version.",
    ),
    Host(
        "vector_put",
        {"store": NUMBER, "key": NUMBER, "bytes": address("const void"), "size": COUNT, "version": address("uint64_t")},
        ASKING,
        "Put the vector of a key into a store, if it has this version, 0 for none; get the new one.",
    ),
    Host(
        "spawn_agent",
        {
            "partition": NUMBER,
            "place": COUNT,
            "grants": address("const struct grant"),
            "count": COUNT,
            "badge": address("uint64_t"),
        },
        (
            "agent_create",
            "agent_measure",
            "capability_inspect",
            "proof_inspect",
            "agent_spawn",
            "capability_grant",
            "partition_start",
        ),
        "Begin a child, in one of four places, of the module that root put there; pass on capabilities, and start it.",
    ),
    Host(
        "hibernate", {"partition": NUMBER}, ("agent_change",), "Sleep until somebody resumes the snapshot; then return."
    ),
    Host("yield_now", {}, ("yield_now",), "Give up the rest of the quantum."),
    Host(
        "print",
        {"text": address("const char"), "size": COUNT},
        ("console_write",),
        "Print lines on the console, for demonstrations.",
    ),
)
"""All functions. The order tells nothing: an agent imports them by name."""
