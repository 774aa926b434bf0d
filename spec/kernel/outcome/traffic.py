"""What does a look at the traffic do?"""

from corollary.language.property import ensures, succeeds
from corollary.language.types import u32, u64
from corollary.spec.kernel.outcome.admission import holds_on, may_message
from corollary.spec.kernel.outcome.words import takes_words, tells
from corollary.spec.kernel.state import Call, EdgeGroup, EdgeId, EntryId, Kernel, PageId
from corollary.spec.kernel.vocabulary import ObjectKind, Right, Ring

WORDS = 16  # two for each of eight edges


@succeeds("graph_read")
def look_is_allowed(before: Kernel, call: Call, page: PageId, group: EdgeGroup) -> bool:
    return (
        may_message(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.COHERENCE, Right.READ)
        and takes_words(before, page)
    )


@ensures(
    "graph_read",
    "the page begins with the traffic of the eight edges of the group: how much, then the edge, its source and target",
    changes=("memory", "result"),
)
def look_is_exact(
    before: Kernel, call: Call, after: Kernel, page: PageId, group: EdgeGroup, any_page: PageId, entry: EntryId
) -> bool:
    e = EdgeId.truncate(u32(group) * 8 + u32(entry) // 2)
    seen = before.traffic[e]
    second = u64(e) | u64(seen.source) << 16 | u64(seen.target) << 32
    word = second if entry & 1 == 1 else seen.carried
    left = before.memory[any_page].word[entry]
    written = any_page == page and entry < WORDS
    return after.memory[any_page].word[entry] == (word if written else left) and tells(call, 0, 0, 0)
