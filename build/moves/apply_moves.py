def sub(path, old, new, count=1):
    t = open(path).read()
    assert old in t, (path, old)
    open(path, "w").write(t.replace(old, new, count))
open('spec/kernel/hypercalls.py','a').write('''hypercall(
    72,
    "capability_move",
    Action.CAPABILITY_DELEGATE,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    reversibility=Reversibility.PARTIAL,
    takes=dict(slot=SlotId, into=Handle, to=SlotId),
)
hypercall(
    73,
    "capability_halve",
    Action.CAPABILITY_ATTENUATED,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    reversibility=Reversibility.PARTIAL,
    takes=dict(slot=SlotId, into=Handle, to=SlotId),
)
''')
M='model/kernel/halves.py'
sub(M,'''@operation
def partition_settle''','''def refusal_to_move(s: Kernel, call: Call, slot: SlotId, into: Handle, to: SlotId) -> Status:
    """Return why a capability of a half does not go to the other one, or OK."""
    p = named_partition(s, call)
    q = third_partition(s, call)
    moved = s.capability[capability_id(p, slot)]
    target = capability_id(q, to)
    if not handle_holds(s, s.current, into, ObjectKind.PARTITION, Right.WRITE):
        return Status.INSUFFICIENT_RIGHTS
    if not are_halves(s, p, q):
        return Status.WRONG_STATE
    if moved.kind == ObjectKind.NONE:
        return Status.INVALID_HANDLE
    if stays_with_its_maker(s, capability_id(p, slot)):
        return Status.WRONG_OBJECT
    if not free(s, target):
        return Status.SLOT_IN_USE
    if retired(s, target) or moved.lineage == COUNTER_LIMIT:
        return Status.SLOT_RETIRED
    return Status.OK


def repeat(s: Kernel, source: CapabilityId, c: CapabilityId, rights: Right) -> None:
    """Put the same as in `source` into a free slot: from the same parent, with these rights."""
    held = s.capability[source]
    slot = s.capability[c]
    slot.kind = held.kind
    slot.object = held.object
    slot.incarnation = held.incarnation
    slot.rights = rights
    slot.depth = held.depth
    slot.parent = c if held.depth == 0 else held.parent
    slot.parent_lineage = held.parent_lineage
    slot.badge = held.badge


@operation
def capability_move(s: Kernel, call: Call, slot: SlotId, into: Handle, to: SlotId) -> Status:
    """Move a capability from a slot of a half to a free one of the other half; what was derived from it dies."""
    source = capability_id(named_partition(s, call), slot)
    target = capability_id(third_partition(s, call), to)
    refused = refusal_to_move(s, call, slot, into, to)
    if refused != Status.OK:
        return refused
    repeat(s, source, target, s.capability[source].rights)
    empty(s, source)
    return Status.OK


@operation
def capability_halve(s: Kernel, call: Call, slot: SlotId, into: Handle, to: SlotId) -> Status:
    """Let both halves have a capability of one, to read at most; what was derived from it dies."""
    source = capability_id(named_partition(s, call), slot)
    target = capability_id(third_partition(s, call), to)
    refused = refusal_to_move(s, call, slot, into, to)
    if refused != Status.OK:
        return refused
    repeat(s, source, target, s.capability[source].rights & Right.READ)
    s.capability[source].rights = s.capability[source].rights & Right.READ
    s.capability[source].lineage += 1
    return Status.OK


@operation
def partition_settle''')
sub(M,'from corollary.spec.kernel.capability import handle_holds, named_partition, second_partition\n','''from corollary.spec.kernel.capability import (
    capability_id,
    free,
    handle_holds,
    named_partition,
    retired,
    second_partition,
    third_partition,
)
''')
sub(M,'from corollary.model.kernel.operation import operation','from corollary.model.kernel.capability import empty\nfrom corollary.model.kernel.operation import operation')
sub(M,'import are_coherent, connects, fits, has_started, is_half, leases\n','import (\n    are_coherent,\n    are_halves,\n    connects,\n    fits,\n    has_started,\n    is_half,\n    leases,\n    stays_with_its_maker,\n)\nfrom corollary.spec.kernel.limits import COUNTER_LIMIT\n')
sub(M,'import Call, EdgeId, Handle,','import Call, CapabilityId, EdgeId, Handle,')
C='spec/kernel/capability.py'
sub(C,'''def names_partition(s''','''def third_partition(s: Kernel, call: Call) -> PartitionId:
    """The partition that the handle in x3 names."""
    return PartitionId.truncate(
        s.capability[capability_id(s.current, handle_slot(Handle.truncate(call.argument[2])))].object
    )


def names_partition(s''')
sub(C,'''        "or names an object just created"
    ),
)''','''        "or names an object just created"
    ),
    about=lambda operation: operation.name not in ("capability_move", "capability_halve"),
    unknown=True,
)''')
H='spec/kernel/halves.py'
sub(H,'''@corollary("HALF-1",''','''def stays_with_its_maker(s: Kernel, c: CapabilityId) -> bool:
    """Is it the capability that an edge or a notification was made with, and ends with?"""
    kind = s.capability[c].kind
    return s.capability[c].depth == 0 and (kind == ObjectKind.EDGE or kind == ObjectKind.NOTIFICATION)


@corollary("HALF-1",''')
open(H,'a').write('''

def source_of(s: Kernel, call: Call) -> CapabilityId:
    """The slot of the first half that x2 names."""
    return capability_id(named_partition(s, call), SlotId.truncate(call.argument[1]))


def goes_on(before: Kernel, after: Kernel, source: CapabilityId, c: CapabilityId) -> bool:
    """Does a slot hold what another one held, by the same derivation, and is it live if and only if that was?"""
    old = before.capability[source]
    new = after.capability[c]
    same = (
        new.kind == old.kind
        and new.object == old.object
        and new.incarnation == old.incarnation
        and new.depth == old.depth
        and new.badge == old.badge
    )
    derived = new.parent == old.parent and new.parent_lineage == old.parent_lineage or new.depth == 0
    return same and derived and live(after, c) == live(before, source)


@theorem(
    "HALF-15",
    "a capability of a half goes to the other one whole, and is gone where it was; no other one begins",
    about=("capability_move",),
)
def moved_once(before: Kernel, call: Call, after: Kernel, status: Status, c: CapabilityId) -> bool:
    source = source_of(before, call)
    made = free(before, c) and not free(after, c)
    whole = goes_on(before, after, source, c) and after.capability[c].rights == before.capability[source].rights
    second = third_partition(before, call)
    return implies(
        made, whole and holder(c) == second and are_halves(before, holder(source), second) and free(after, source)
    )


@theorem(
    "HALF-16",
    "what both halves have afterwards, each of them can read at most; no other capability begins",
    about=("capability_halve",),
)
def shared_to_read(before: Kernel, call: Call, after: Kernel, status: Status, c: CapabilityId) -> bool:
    source = source_of(before, call)
    made = free(before, c) and not free(after, c)
    allowed = before.capability[source].rights & Right.READ
    second = third_partition(before, call)
    return implies(
        made,
        goes_on(before, after, source, c)
        and after.capability[c].rights == allowed
        and after.capability[source].rights == allowed
        and holder(c) == second
        and are_halves(before, holder(source), second),
    )


@theorem(
    "HALF-17",
    "with a capability that goes to the other half, or to both, what was derived from it dies, and nothing else",
    about=("capability_move", "capability_halve"),
)
def derived_ends(before: Kernel, call: Call, after: Kernel, status: Status, c: CapabilityId) -> bool:
    source = source_of(before, call)
    ends = status == Status.OK and descends(before, c, source)
    return implies(not free(before, c) and c != source, live(after, c) == (live(before, c) and not ends))
''')
sub(H,'import capability_id, free, holder, live, named_partition, second_partition\n','import (\n    capability_id,\n    descends,\n    free,\n    holder,\n    live,\n    named_partition,\n    second_partition,\n    third_partition,\n)\n')
sub(H,'import Call, DeviceId,','import Call, CapabilityId, DeviceId,')
O='spec/kernel/outcome/halves.py'
open(O,'a').write('''

# ---- capabilities


def may_change_sides(s: Kernel, call: Call, slot: SlotId, into: Handle, to: SlotId) -> bool:
    """Is there something in a slot of one half, which the other has a free slot for?"""
    one = subject_partition(s, call)
    two = led_to(s, into)
    source = s.capability[slot_of(one, slot)]
    target = slot_of(two, to)
    return (
        commands(s, call, Right.WRITE)
        and also_commands(s, into, Right.WRITE)
        and are_halves(s, one, two)
        and source.kind != ObjectKind.NONE
        and not stays_with_its_maker(s, slot_of(one, slot))
        and source.lineage < COUNTER_LIMIT
        and free(s, target)
        and not retired(s, target)
    )


def is_repeated(before: Kernel, after: Kernel, source: CapabilityId, target: CapabilityId, c: CapabilityId) -> bool:
    """Does the target hold what the source held, but for rights, and does every other slot derive as before?"""
    old = before.capability[source if c == target else c]
    new = after.capability[c]
    first = c == target and old.depth == 0
    return (
        new.object == old.object
        and new.incarnation == old.incarnation
        and new.depth == old.depth
        and new.parent == (target if first else old.parent)
        and new.parent_lineage == old.parent_lineage
        and new.badge == old.badge
    )


@succeeds("capability_move")
def move_is_allowed(before: Kernel, call: Call, slot: SlotId, into: Handle, to: SlotId) -> bool:
    return may_change_sides(before, call, slot, into, to)


@ensures(
    "capability_move",
    "the slot of the other half holds what the slot of the first one held, and that is empty",
    changes=("capability",),
)
def move_is_exact(
    before: Kernel, call: Call, after: Kernel, slot: SlotId, into: Handle, to: SlotId, c: CapabilityId
) -> bool:
    source = slot_of(subject_partition(before, call), slot)
    target = slot_of(led_to(before, into), to)
    held = before.capability[source]
    new = after.capability[c]
    taken = new.kind == held.kind and new.rights == held.rights
    kept = new.generation == before.capability[c].generation and new.lineage == before.capability[c].lineage
    return is_repeated(before, after, source, target, c) and (
        taken and kept if c == target else slot_left(before, after, c, c == source)
    )


@succeeds("capability_halve")
def halve_is_allowed(before: Kernel, call: Call, slot: SlotId, into: Handle, to: SlotId) -> bool:
    return may_change_sides(before, call, slot, into, to)


@ensures(
    "capability_halve",
    "both slots hold the capability, to read at most, and nothing is derived from it",
    changes=("capability",),
)
def halve_is_exact(
    before: Kernel, call: Call, after: Kernel, slot: SlotId, into: Handle, to: SlotId, c: CapabilityId
) -> bool:
    source = slot_of(subject_partition(before, call), slot)
    target = slot_of(led_to(before, into), to)
    held = before.capability[source if c == target else c]
    new = after.capability[c]
    either = c == source or c == target
    return (
        is_repeated(before, after, source, target, c)
        and new.kind == held.kind
        and new.rights == (held.rights & Right.READ if either else held.rights)
        and new.generation == before.capability[c].generation
        and u64(new.lineage) == u64(before.capability[c].lineage) + (1 if c == source else 0)
    )
''')
sub(O,'from corollary.spec.kernel.halves import are_coherent, connects, fits, leases\n','from corollary.spec.kernel.capability import free, retired\nfrom corollary.spec.kernel.halves import are_coherent, are_halves, connects, fits, leases, stays_with_its_maker\nfrom corollary.spec.kernel.limits import COUNTER_LIMIT\n')
sub(O,'from corollary.spec.kernel.outcome.partition import','from corollary.spec.kernel.outcome.capability import slot_of\nfrom corollary.spec.kernel.outcome.partition import')
sub(O,'from corollary.spec.kernel.state import Call, EdgeId','from corollary.spec.kernel.outcome.words import slot_left\nfrom corollary.spec.kernel.state import Call, CapabilityId, EdgeId')
R='spec/kernel/outcome/refusal.py'
sub(R,'''@theorem(
    "WHY-70",''','''def change_of_sides_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to move a capability to the other half?"""
    one = subject_partition(s, call)
    into = handle_in(call, 2)
    two = led_to(s, into)
    source = slot_of(one, slot_in(call, 1))
    if status == Status.INSUFFICIENT_RIGHTS:
        return not also_commands(s, into, Right.WRITE)
    if status == Status.WRONG_STATE:
        return not are_halves(s, one, two)
    if status == Status.INVALID_HANDLE:
        return s.capability[source].kind == ObjectKind.NONE
    if status == Status.WRONG_OBJECT:
        return stays_with_its_maker(s, source)
    if status == Status.SLOT_RETIRED and s.capability[source].lineage == COUNTER_LIMIT:
        return True
    return target_refused(s, slot_of(two, slot_in(call, 3)), status)


@theorem(
    "WHY-71",
    "who is refused to move a capability between halves is told a reason that is true",
    about=("capability_move", "capability_halve"),
)
def change_of_sides_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or change_of_sides_refused(before, call, status)
    return told


@theorem(
    "WHY-70",''')
sub(R,'halves import are_coherent, connects, fits, holds_nothing, is_half, leases\n','halves import (\n    are_coherent,\n    are_halves,\n    connects,\n    fits,\n    holds_nothing,\n    is_half,\n    leases,\n    stays_with_its_maker,\n)\n')
F='corollary/record/facts.py'
sub(F,'''# ---- edges and notifications
''','''def takes_sides(empties):
    """Return a function that notes that a slot of the other half holds what a slot of the first one held."""

    def noted(facts, actor, handle, slot, into, to):
        number = facts.object(actor, handle)
        facts.put(facts.object(actor, into), to, None if number is None else facts.held.get((number, slot)))
        if empties:
            facts.empty(number, slot)

    return noted


by_call("capability_move")(takes_sides(True))
by_call("capability_halve")(takes_sides(False))


# ---- edges and notifications
''')
sub('README.md','hypercall(72, "partition_inspect"','hypercall(74, "partition_inspect"')
E='emulation/calls.py'
sub(E,'''    def for_tool_acquire(''','''    def for_capability_move(self, s, handle):
        """Mostly name the other half, something that it can have, and a slot for that."""
        p = named(self.row(s, handle))
        halves = [to for to, row in capabilities(s, s.current) if row.kind == ObjectKind.PARTITION]
        others = [to for to in halves if named(self.row(s, to)) == s.partition[p].other and self.maybe(0.95)]
        into = self.pick(others, self.random.randrange(SLOTS))
        held = [to & (SLOTS - 1) for to, _ in capabilities(s, p)]
        return {
            "slot": self.pick(held, self.random.randrange(SLOTS)),
            "into": into,
            "to": self.free_slot(s, named(self.row(s, into))),
        }

    for_capability_halve = for_capability_move

    def for_tool_acquire(''')
sub(E,'''    "partition_settle": lambda row: row.state in HALVES,''','''    "partition_settle": lambda row: row.state in HALVES,
    "capability_move": lambda row: row.state in HALVES,
    "capability_halve": lambda row: row.state in HALVES,''')
sub('emulation/generator.py','''        names = ["partition_resume", "page_transfer",''','''        names = ["partition_resume", "page_transfer", *["capability_move", "capability_halve"] * 2,''')
