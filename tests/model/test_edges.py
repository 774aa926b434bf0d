"""Do edges and notifications deliver each message once, in order and unchanged, and only where authority was given?"""

import random
from copy import deepcopy

import pytest

from corollary.language.layout import offset_of
from corollary.spec.kernel.edge import (
    MESSAGE_BADGE,
    MESSAGE_LENGTH,
    MESSAGE_PAYLOAD,
    MESSAGE_SCHEMA,
    MESSAGE_SEQUENCE,
    edge_exists,
    notification_exists,
    waits,
)
from corollary.spec.kernel.limits import (
    DRAIN_LIMIT,
    EDGES,
    MESSAGES_PER_EDGE,
    NOTIFICATIONS,
    PAYLOAD_WORDS,
    RECORDS,
    SLOTS,
)
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import Action
from tests.model.properties import changed
from tests.model.world import (
    ALL_RIGHTS,
    DRAIN_PAGE,
    FIRST_FREE,
    ROOT,
    SELF,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_SCHEDULER,
    SPARE_PAGE,
    Right,
    Status,
    World,
)

EDGE, OTHER_EDGE, NOTIFICATION = 7, EDGES - 1, 9
SLOT, FREE_SLOT = 50, 51
SCHEMA = 0xC0DE_0000_5C4E_3A00
SENDER, RECEIVER, THIRD = 1, 2, 3
PAGE = {ROOT: SPARE_PAGE, SENDER: FIRST_FREE + 200, RECEIVER: FIRST_FREE + 201, THIRD: FIRST_FREE + 202}
END = 5  # the slot of an end, in every partition that has one
BADGE = 0xB00
BITS = {SENDER: 7, RECEIVER: 0, THIRD: 1 << 63}  # the bits of a notification that each may set
LINE = 64


def joined(edge=EDGE):
    """Return an edge of the root partition; its handle is in `SLOT`."""
    w = World()
    w.must("edge_create", SLOT_SCHEDULER, edge, SLOT, SCHEMA)
    return w


def peers(*ends):
    """Return an edge and running partitions, each with a page and the named rights on the edge.

    The root partition runs.
    """
    w = joined()
    for p, rights in ends:
        w.spawn(p)
        w.data(p, PAGE[p])
        w.must("capability_grant", w.handle(SLOT), END, rights, w.handle(30 + p), BADGE + p)
    return w.run(ROOT)


def pair():
    """Return a partition that may send and one that may receive."""
    return peers((SENDER, Right.WRITE), (RECEIVER, Right.READ))


def end(w):
    """Return the current partition's handle for its end."""
    return w.handle(SLOT) if w.s.current == ROOT else w.handle(END, w.s.current)


def send(w, *words, schema=SCHEMA, length=None):
    """Send words from the current partition's page; return the status."""
    page = PAGE[w.s.current]
    for position, word in enumerate(words):
        w.s.memory[page].word[MESSAGE_PAYLOAD + position] = word
    return w.call("edge_send", end(w), page, len(words) if length is None else length, schema)


def receive(w):
    """Receive into the current partition's page; return the status."""
    return w.call("edge_receive", end(w), PAGE[w.s.current])


def message(w):
    """Return the message in the current partition's page: length, badge, schema, number, payload."""
    word = w.s.memory[PAGE[w.s.current]].word
    return (
        word[MESSAGE_LENGTH],
        word[MESSAGE_BADGE],
        word[MESSAGE_SCHEMA],
        word[MESSAGE_SEQUENCE],
        [word[MESSAGE_PAYLOAD + i] for i in range(PAYLOAD_WORDS)],
    )


def padded(*words):
    """Return words as a whole payload."""
    return [*words, *[0] * (PAYLOAD_WORDS - len(words))]


# ---- an edge comes and goes


def test_an_edge_is_made_empty_with_all_rights_for_its_maker():
    w = joined()
    row = w.slot(SLOT)
    assert edge_exists(w.s, EDGE) and (row.object, row.rights, row.depth, row.badge) == (EDGE, ALL_RIGHTS, 0, 0)
    assert receive(w) == Status.WOULD_BLOCK
    assert w.records[-2].kind == Action.EDGE_CREATE and w.records[-2].payload == SCHEMA


def test_an_edge_is_made_only_where_there_is_none_and_only_through_the_scheduler():
    w = joined()
    assert w.call("edge_create", SLOT_SCHEDULER, EDGE, FREE_SLOT, SCHEMA) == Status.OBJECT_IN_USE
    assert w.call("edge_create", SLOT_SCHEDULER, OTHER_EDGE, SLOT, SCHEMA) == Status.SLOT_IN_USE
    assert w.call("edge_create", SLOT_OWN, OTHER_EDGE, FREE_SLOT, SCHEMA) == Status.WRONG_OBJECT
    assert w.call("edge_create", SLOT_SCHEDULER, OTHER_EDGE, FREE_SLOT, SCHEMA) == Status.OK


def test_there_are_256_edges():
    w = World()
    assert w.call("edge_create", SLOT_SCHEDULER, 255, SLOT, SCHEMA) == Status.OK
    assert w.call("edge_create", SLOT_SCHEDULER, 256, FREE_SLOT, SCHEMA) == Status.BAD_ARGUMENT


def test_only_its_maker_ends_an_edge():
    w = peers((THIRD, ALL_RIGHTS))
    assert w.run(THIRD).call("edge_destroy", end(w)) == Status.NOT_OWNER
    assert w.run(ROOT).call("edge_destroy", end(w)) == Status.OK
    assert not edge_exists(w.s, EDGE) and not w.slot(SLOT).rights
    w.run(THIRD)
    assert [send(w, 1), receive(w)] == [Status.REVOKED] * 2


@pytest.mark.parametrize("ending", ["edge_destroy", "capability_delete"])
def test_an_edge_that_ended_can_be_made_again_and_nothing_of_it_is_left(ending):
    w = peers((THIRD, ALL_RIGHTS))
    assert send(w.run(THIRD), 1, 2, 3) == Status.OK
    old = w.run(ROOT).handle(SLOT)
    w.must(ending, old)
    w.must("edge_create", SLOT_SCHEDULER, EDGE, SLOT, SCHEMA + 1)
    assert (
        receive(w) == Status.WOULD_BLOCK and w.call("edge_send", old, SPARE_PAGE, 0, SCHEMA + 1) == Status.STALE_HANDLE
    )
    assert receive(w.run(THIRD)) == Status.REVOKED
    assert not any(waits(w.s, m) for m in range(EDGE * MESSAGES_PER_EDGE, (EDGE + 1) * MESSAGES_PER_EDGE))


def test_whoever_is_cut_off_takes_nothing_with_it():
    w = pair()
    assert send(w.run(SENDER), 4) == Status.OK
    w.run(ROOT).must("capability_revoke", w.handle(SLOT))
    assert send(w.run(SENDER), 5) == Status.REVOKED and receive(w.run(RECEIVER)) == Status.REVOKED
    assert receive(w.run(ROOT)) == Status.OK and message(w)[4] == padded(4)


def maker():
    """Return a partition that made an edge and a notification of its own; the root partition runs."""
    w = World()
    w.spawn(SENDER)
    w.data(SENDER, PAGE[SENDER])
    w.give(SLOT_SCHEDULER, SENDER, 1)
    w.endow(SENDER, edges=1, notifications=1)
    w.run(SENDER).must("edge_create", w.handle(1, SENDER), EDGE, SLOTS - 1, SCHEMA)
    w.must("notification_create", w.handle(1, SENDER), NOTIFICATION, 0)
    return w.run(ROOT)


def test_the_edges_of_a_destroyed_partition_end_with_it():
    w = maker()
    assert w.proved("partition_destroy", w.handle(31)) == Status.OK
    assert not edge_exists(w.s, EDGE) and not notification_exists(w.s, NOTIFICATION)
    assert w.call("edge_create", SLOT_SCHEDULER, EDGE, SLOT, SCHEMA) == Status.OK


def test_an_edge_outlives_whoever_only_used_it():
    w = pair()
    assert send(w.run(SENDER), 6) == Status.OK
    w.run(ROOT).end(w.handle(30 + SENDER), SENDER)
    assert receive(w.run(RECEIVER)) == Status.OK and message(w)[4] == padded(6)


# ---- messages


@pytest.mark.parametrize("length", [0, 1, PAYLOAD_WORDS - 1, PAYLOAD_WORDS])
def test_a_message_arrives_as_it_was_sent(length):
    w, words = pair(), [(i + 1) * 0x0101_0101_0101_0101 for i in range(length)]
    assert send(w.run(SENDER), *words) == Status.OK
    assert receive(w.run(RECEIVER)) == Status.OK
    assert message(w) == (length, BADGE + SENDER, SCHEMA, 0, padded(*words))
    assert [w.last.result[i] for i in range(3)] == [length, BADGE + SENDER, 0]


def test_words_beyond_the_length_stay_with_the_sender():
    w = pair()
    assert send(w.run(SENDER), 1, 2, 3, length=2) == Status.OK
    assert receive(w.run(RECEIVER)) == Status.OK and message(w)[4] == padded(1, 2)


def test_what_the_page_says_of_badge_and_number_does_not_matter():
    w = pair()
    for position in range(MESSAGE_PAYLOAD):
        w.s.memory[PAGE[SENDER]].word[position] = 0xBAD
    assert send(w.run(SENDER), 1) == Status.OK
    assert receive(w.run(RECEIVER)) == Status.OK and message(w)[:4] == (1, BADGE + SENDER, SCHEMA, 0)


def test_a_badge_is_kept_by_whoever_passes_it_on():
    w = peers((SENDER, Right.WRITE | Right.GRANT))
    w.run(SENDER)
    assert w.call("capability_grant", end(w), 6, Right.WRITE, SELF, BADGE + THIRD) == Status.BAD_ARGUMENT
    assert w.call("capability_grant", end(w), 6, Right.WRITE, SELF, 0) == Status.BAD_ARGUMENT
    assert w.call("capability_grant", end(w), 6, Right.WRITE, SELF, BADGE + SENDER) == Status.OK


def test_senders_are_told_apart_by_their_badges():
    w = peers((RECEIVER, Right.READ))
    for p in (THIRD, SENDER):
        w.spawn(p)
        w.data(p, PAGE[p])
    for p in (THIRD, SENDER, THIRD):
        w.run(ROOT).must("capability_grant", w.handle(SLOT), END, Right.WRITE, w.handle(30 + p), BADGE + p)
        assert send(w.run(p), p) == Status.OK
        w.must("capability_delete", end(w))
    w.run(RECEIVER)
    told = []
    while receive(w) == Status.OK:
        told.append((message(w)[1], message(w)[4][0], message(w)[3]))
    assert told == [(BADGE + THIRD, THIRD, 0), (BADGE + SENDER, SENDER, 1), (BADGE + THIRD, THIRD, 2)]


def test_another_schema_is_refused_and_leaves_nothing():
    w = pair()
    assert send(w.run(SENDER), 1, schema=SCHEMA ^ 1) == Status.SCHEMA_MISMATCH
    assert receive(w.run(RECEIVER)) == Status.WOULD_BLOCK


def test_a_full_edge_asks_to_wait_and_loses_nothing():
    w = pair()
    w.run(SENDER)
    assert [send(w, i) for i in range(MESSAGES_PER_EDGE + 1)] == [Status.OK] * MESSAGES_PER_EDGE + [Status.WOULD_BLOCK]
    assert receive(w.run(RECEIVER)) == Status.OK and message(w)[4][0] == 0
    assert send(w.run(SENDER), MESSAGES_PER_EDGE) == Status.OK and send(w, 99) == Status.WOULD_BLOCK
    w.run(RECEIVER)
    for i in range(MESSAGES_PER_EDGE):
        assert receive(w) == Status.OK and message(w)[4][0] == i + 1
    assert receive(w) == Status.WOULD_BLOCK


def test_only_who_may_write_sends_and_only_who_may_read_receives():
    w = pair()
    assert receive(w.run(SENDER)) == Status.INSUFFICIENT_RIGHTS
    assert send(w.run(RECEIVER), 1) == Status.INSUFFICIENT_RIGHTS
    assert w.run(ROOT).call("edge_send", SLOT_LOG, SPARE_PAGE, 0, SCHEMA) == Status.WRONG_OBJECT


def test_whoever_passes_the_right_to_send_on_sends_no_more():
    w = joined()
    assert send(w, 1) == Status.OK
    second = w.must("capability_grant", w.handle(SLOT), FREE_SLOT, ALL_RIGHTS, SELF, 0)
    assert send(w, 1) == Status.NOT_SENDER
    assert w.call("edge_send", second, SPARE_PAGE, 0, SCHEMA) == Status.OK
    third = w.must("capability_grant", second, 52, Right.WRITE, SELF, 0)
    assert w.call("edge_send", second, SPARE_PAGE, 0, SCHEMA) == send(w, 1) == Status.NOT_SENDER
    assert w.call("edge_send", third, SPARE_PAGE, 0, SCHEMA) == Status.OK


def test_whoever_does_not_send_passes_the_right_to_nobody():
    w = joined()
    second = w.must("capability_grant", w.handle(SLOT), FREE_SLOT, ALL_RIGHTS, SELF, 0)
    assert w.call("capability_grant", w.handle(SLOT), 52, Right.WRITE, SELF, 0) == Status.NOT_SENDER
    w.must("capability_grant", second, 52, Right.WRITE, SELF, 0)
    assert w.call("capability_grant", second, 53, ALL_RIGHTS, SELF, 0) == Status.NOT_SENDER
    assert w.call("capability_grant", second, 53, Right.READ | Right.GRANT, SELF, 0) == Status.OK
    assert w.call("edge_send", w.handle(52), SPARE_PAGE, 0, SCHEMA) == Status.OK


@pytest.mark.parametrize("end_of_it", ["revoked", "deleted", "replaced"])
def test_the_maker_sends_again_when_the_one_that_sent_is_gone(end_of_it):
    w = joined()
    second = w.must("capability_grant", w.handle(SLOT), FREE_SLOT, ALL_RIGHTS, SELF, 0)
    third = w.must("capability_grant", second, 52, Right.WRITE, SELF, 0)
    if end_of_it == "revoked":
        w.must("capability_revoke", second)
    else:
        w.must("capability_delete", third)
    if end_of_it == "replaced":  # by a partition that may not send
        w.must("capability_grant", w.handle(SLOT), 52, Right.READ, SELF, 0)
    assert w.call("edge_send", second, SPARE_PAGE, 0, SCHEMA) == Status.NOT_SENDER
    assert w.call("capability_grant", second, 53, Right.WRITE, SELF, 0) == Status.NOT_SENDER
    assert send(w, 1) == Status.OK
    again = w.must("capability_grant", w.handle(SLOT), 53, Right.WRITE, SELF, 0)
    assert [send(w, 1), w.call("edge_send", again, SPARE_PAGE, 0, SCHEMA)] == [Status.NOT_SENDER, Status.OK]


def test_no_second_sender_fills_the_edge_of_another():
    w = peers((SENDER, Right.WRITE | Right.GRANT), (RECEIVER, Right.READ))
    assert w.call("capability_grant", w.handle(SLOT), FREE_SLOT, Right.WRITE, SELF, 0) == Status.NOT_SENDER
    assert [send(w, 1) for _ in range(MESSAGES_PER_EDGE + 1)] == [Status.NOT_SENDER] * (MESSAGES_PER_EDGE + 1)
    assert send(w.run(SENDER), 1) == Status.OK


def test_the_sender_of_a_former_edge_is_none_of_the_next_of_its_number():
    w = joined()
    w.must("capability_grant", w.handle(SLOT), FREE_SLOT, ALL_RIGHTS, SELF, 0)
    w.must("edge_destroy", w.handle(SLOT))
    w.must("edge_create", SLOT_SCHEDULER, EDGE, SLOT, SCHEMA)
    assert w.call("edge_send", FREE_SLOT, SPARE_PAGE, 0, SCHEMA) == Status.REVOKED
    assert send(w, 1) == Status.OK


def test_a_sandboxed_partition_neither_sends_nor_receives():
    w = World()
    w.must("edge_create", SLOT_SCHEDULER, EDGE, SLOT, SCHEMA)
    handle = w.spawn(SENDER, score=0)
    w.data(SENDER, PAGE[SENDER])
    w.must("capability_grant", w.handle(SLOT), END, ALL_RIGHTS, handle, 0)
    w.run(SENDER)
    assert [send(w, 1), receive(w)] == [Status.RING_DENIED] * 2


def test_a_payload_has_at_most_256_bytes():
    w = joined()
    assert send(w, 1, length=PAYLOAD_WORDS + 1) == Status.BAD_ARGUMENT
    assert send(w, 1, length=1 << 16) == Status.BAD_ARGUMENT
    assert send(w, 1, length=256 // 8) == Status.OK


def test_messages_lie_in_pages_of_the_caller():
    w = peers((RECEIVER, Right.READ))
    table = 2
    for page in (PAGE[SENDER], table, 900):
        assert w.call("edge_send", end(w), page, 1, SCHEMA) == Status.NOT_OWNER
        assert w.call("edge_receive", end(w), page) == Status.NOT_OWNER


def test_a_message_of_one_edge_is_none_of_another():
    w = joined()
    w.must("edge_create", SLOT_SCHEDULER, OTHER_EDGE, FREE_SLOT, SCHEMA)
    assert send(w, 1) == Status.OK
    assert w.call("edge_receive", w.handle(FREE_SLOT), SPARE_PAGE) == Status.WOULD_BLOCK


def test_a_refused_call_changes_no_edge_and_leaves_a_record():
    w = pair()
    assert send(w.run(SENDER), 1) == Status.OK
    before, used = deepcopy(w.s), w.used
    assert [send(w, length=1, schema=0), receive(w)] == [Status.SCHEMA_MISMATCH, Status.INSUFFICIENT_RIGHTS]
    assert {path[0] for path in changed(before, w.s)} == {
        "log",
        "head",
        "sequence",
        "time",
        "partition",
    } and w.used == used + 2


def test_receiving_a_message_makes_no_room_in_the_log():
    w = joined()
    assert send(w, 1) == Status.OK
    w.own().records = w.own().quota
    assert w.call("edge_receive", end(w), SPARE_PAGE, 1) == Status.WITNESS_FULL
    assert w.call("witness_read", SLOT_LOG, DRAIN_PAGE, w.s.copied) == Status.OK


def test_messages_and_their_payloads_begin_on_whole_lines():
    for m in range(EDGES * MESSAGES_PER_EDGE):
        assert offset_of(Kernel, ("message", m)) % LINE == offset_of(Kernel, ("message", m, "word")) % LINE == 0


@pytest.mark.parametrize("many", [500, pytest.param(10_000, marks=pytest.mark.full)])
def test_messages_arrive_once_and_in_order(many):
    w, source = pair(), random.Random(7)
    sent = received = blocked = 0
    while received < many:
        p = source.choice((SENDER, RECEIVER))
        w.run(p)
        for _ in range(source.randrange(1, MESSAGES_PER_EDGE + 3)):
            length = sent % (PAYLOAD_WORDS + 1)
            if p == SENDER and sent < many:
                status = send(w, *[sent * PAYLOAD_WORDS + i for i in range(length)])
                sent += status == Status.OK
            else:
                status = receive(w) if p == RECEIVER else Status.WOULD_BLOCK
                if status == Status.OK:
                    length = received % (PAYLOAD_WORDS + 1)
                    assert message(w) == (
                        length,
                        BADGE + SENDER,
                        SCHEMA,
                        received,
                        padded(*[received * PAYLOAD_WORDS + i for i in range(length)]),
                    )
                    received += 1
            assert status in (Status.OK, Status.WOULD_BLOCK)
            blocked += status == Status.WOULD_BLOCK
        if w.used > RECORDS // 32:
            w.run(ROOT)
            while w.used > DRAIN_LIMIT:
                w.drain()
    assert sent == many and blocked and receive(w.run(RECEIVER)) == Status.WOULD_BLOCK


# ---- notifications


def poke(*ends):
    """Return a notification of the root partition, and running partitions, each with the named rights on it."""
    w = World()
    w.must("notification_create", SLOT_SCHEDULER, NOTIFICATION, SLOT)
    for p, rights in ends:
        w.spawn(p)
        w.must("capability_grant", w.handle(SLOT), END, rights, w.handle(30 + p), BITS[p])
    return w.run(ROOT)


def test_signals_add_up_until_they_are_taken_all_at_once():
    w = poke((SENDER, Right.WRITE), (THIRD, Right.WRITE), (RECEIVER, Right.READ))
    for p, bits in ((SENDER, 1), (THIRD, 1 << 63), (SENDER, 6), (SENDER, 1)):
        assert w.run(p).call("notification_signal", end(w), bits) == Status.OK
    w.run(RECEIVER)
    assert w.must("notification_wait", end(w)) == (1 << 63) | 7
    assert w.call("notification_wait", end(w)) == Status.WOULD_BLOCK and w.last.result[0] == 0


@pytest.mark.parametrize(
    "p, bits, expected",
    [
        (SENDER, 7, Status.OK),
        (SENDER, 0, Status.OK),
        (SENDER, 8, Status.RIGHTS_ESCALATION),
        (SENDER, 1 << 63 | 1, Status.RIGHTS_ESCALATION),
        (THIRD, 1 << 63, Status.OK),
        (THIRD, 1, Status.RIGHTS_ESCALATION),
        (ROOT, (1 << 64) - 1, Status.OK),
    ],
)
def test_a_signaller_sets_the_bits_of_its_badge_and_the_maker_any(p, bits, expected):
    w = poke((SENDER, Right.WRITE), (THIRD, Right.WRITE))
    assert w.run(p).call("notification_signal", end(w), bits) == expected
    assert w.s.notification[NOTIFICATION].bits == (bits if expected == Status.OK else 0)


def test_without_a_badge_no_bit_is_set():
    w = poke((RECEIVER, ALL_RIGHTS))
    w.run(RECEIVER)
    assert [w.call("notification_signal", end(w), bits) for bits in (1, 0)] == [Status.RIGHTS_ESCALATION, Status.OK]


def test_whoever_has_no_badge_takes_none():
    """It can neither set bits that it was not given nor speak as another."""
    for make, object in (("notification_create", (NOTIFICATION, SLOT)), ("edge_create", (EDGE, SLOT, SCHEMA))):
        w = World()
        w.must(make, SLOT_SCHEDULER, *object)
        w.spawn(SENDER)
        w.must("capability_grant", w.handle(SLOT), END, ALL_RIGHTS, w.handle(30 + SENDER), 0)
        w.run(SENDER)
        assert w.call("capability_grant", end(w), 6, Right.WRITE, SELF, BADGE) == Status.BAD_ARGUMENT
        assert w.call("capability_grant", end(w), 6, Right.WRITE, SELF, 0) == Status.OK


def test_a_signal_without_bits_wakes_nobody():
    w = poke()
    w.must("notification_signal", end(w), 0)
    assert w.call("notification_wait", end(w)) == Status.WOULD_BLOCK


def test_only_who_may_write_signals_and_only_who_may_read_waits():
    w = poke((SENDER, Right.WRITE), (RECEIVER, Right.READ))
    assert w.run(SENDER).call("notification_wait", end(w)) == Status.INSUFFICIENT_RIGHTS
    assert w.run(RECEIVER).call("notification_signal", end(w), 1) == Status.INSUFFICIENT_RIGHTS
    assert w.run(ROOT).call("notification_signal", SLOT_OWN, 1) == Status.WRONG_OBJECT


def test_a_notification_ends_with_the_slot_of_its_maker_and_its_bits_with_it():
    w = poke((SENDER, Right.WRITE))
    w.must("notification_signal", end(w), 5)
    assert w.call("notification_create", SLOT_SCHEDULER, NOTIFICATION, FREE_SLOT) == Status.OBJECT_IN_USE
    w.must("capability_delete", end(w))
    assert w.run(SENDER).call("notification_signal", end(w), 1) == Status.REVOKED
    w.run(ROOT).must("notification_create", SLOT_SCHEDULER, NOTIFICATION, FREE_SLOT)
    assert w.call("notification_wait", w.handle(FREE_SLOT)) == Status.WOULD_BLOCK


def test_there_are_as_many_notifications_as_numbers_for_them():
    w = World()
    assert w.call("notification_create", SLOT_SCHEDULER, NOTIFICATIONS - 1, SLOT) == Status.OK
    assert w.call("notification_create", SLOT_SCHEDULER, NOTIFICATIONS, FREE_SLOT) == Status.BAD_ARGUMENT
