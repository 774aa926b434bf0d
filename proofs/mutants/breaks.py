"""Does breaking the model make a proof fail? Named breaks, each an edit of the model's source, applied in memory.

A break edits the text of a module before it is imported. So the proof, the replay of its counterexample in Python and
the narration all see the same broken model. Each break runs in a process of its own:

    python -m corollary.proofs.mutants.breaks NAME      exit code 1 when the proof fails, and a counterexample in words
"""

import builtins
import importlib.machinery
import importlib.util
import linecache
import resource
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corollary.codegen.folders import ROOT, file_of
from corollary.proofs.mutants import alone
from corollary.proofs.mutants.slips import SLIPS

KIND = "break"
KEY = "KEY"  # about two machines: its counterexample is not one state
DEFINED = "defined"  # about a function by itself: its counterexample is not a state
SECONDS = 120  # of processor time, however busy the machine is
PATIENTLY = 10  # by the clock, as a multiple of SECONDS
WITHOUT_STATE = {KEY: "two machines with different keys tell it", DEFINED: "arguments of the function tell it"}
PATIENCE = 3  # how many times longer than a proof a counterexample of two runs may take


@dataclass(frozen=True)
class Break:
    """An edit of a module and the obligation that it must turn red."""

    name: str
    what: str
    module: str
    old: str
    new: str
    operation: str
    property: str

    @builtins.property
    def place(self):
        """The module that it edits."""
        return self.module

    @builtins.property
    def change(self):
        """`file:line `old` -> `new``."""
        path = ROOT / file_of(self.module)
        line = path.read_text().split(self.old)[0].count("\n") + 1
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{path.relative_to(ROOT)}:{line} `{old}` -> `{new}`"

    @builtins.property
    def obligation(self):
        """The id of the obligation that must turn red."""
        return self.property if "/" in self.property else f"{self.operation}/{self.property}"

    def edited(self, text):
        """Return the text of the module, broken."""
        if text.count(self.old) != 1:
            raise ImportError(f"{self.module} has {text.count(self.old)} places that read {self.old!r}")
        return text.replace(self.old, self.new)


BREAKS = (
    Break(
        "subset-check",
        "rights are not compared with those of the source",
        "corollary.model.kernel.capability",
        "    if not subset(rights, source.rights):\n        return Status.RIGHTS_ESCALATION\n",
        "",
        "capability_grant",
        "CAP-2",
    ),
    Break(
        "depth-limit",
        "derivations go on for ever",
        "corollary.model.kernel.capability",
        "    if source.depth >= DEPTH_LIMIT:\n        return Status.DEPTH_EXCEEDED\n",
        "",
        "capability_grant",
        "CAP-4",
    ),
    Break(
        "lineage-step",
        "revoke leaves the lineage as it is",
        "corollary.model.kernel.capability",
        "    s.capability[call.capability].lineage += 1\n",
        "",
        "capability_revoke",
        "CAP-14",
    ),
    Break(
        "generation-step",
        "a freed slot keeps its generation",
        "corollary.model.kernel.capability",
        "        slot.generation = advance(slot.generation)\n",
        "",
        "capability_delete",
        "CAP-12",
    ),
    Break(
        "grant-once",
        "GRANT_ONCE is not spent",
        "corollary.model.kernel.capability",
        "        source.rights = without(source.rights, Right.GRANT_ONCE)\n",
        "        pass\n",
        "capability_grant",
        "CAP-19",
    ),
    Break(
        "log-reservation",
        "a call goes on without room for its record",
        "corollary.model.kernel.gate",
        "    if not room_for(s, call):\n        count_refusal(s, actor)\n        return Status.WITNESS_FULL\n",
        "",
        "capability_revoke",
        "WIT-11",
    ),
    Break(
        "translation-flush",
        "the TLBI after taking a descriptor out is left away",
        "corollary.model.kernel.memory",
        "        flush_translation(s, m, vttbr(s, mapping.partition))\n",
        "",
        "page_unmap",
        "MEM-11",
    ),
    Break(
        "wrong-vmid",
        "the TLB is told the VMID of who calls",
        "corollary.model.kernel.memory",
        "vttbr(s, mapping.partition)",
        "vttbr(s, s.current)",
        "page_unshare",
        "MEM-11",
    ),
    Break(
        "flush-first",
        "the TLB is told before the descriptor is taken out",
        "corollary.model.kernel.memory",
        "        if in_table(s, m):\n            s.memory[mapping.table].word[mapping.entry] = 0\n"
        "        flush_translation(s, m, vttbr(s, mapping.partition))\n",
        "        flush_translation(s, m, vttbr(s, mapping.partition))\n"
        "        if in_table(s, m):\n            s.memory[mapping.table].word[mapping.entry] = 0\n",
        "page_unmap",
        "MEM-11",
    ),
    Break(
        "unit-flush",
        "the TLBI after taking the descriptor of a unit out is left away",
        "corollary.model.kernel.unit",
        "    flush_unit(s, unit, vttbr(s, s.block[head].holder))\n",
        "",
        "block_unmap",
        "UNIT-3",
    ),
    Break(
        "unit-of-another-vmid",
        "the TLB is told the VMID of who calls when a unit is taken out",
        "corollary.model.kernel.unit",
        "vttbr(s, s.block[head].holder)",
        "vttbr(s, s.current)",
        "block_unmap",
        "UNIT-3",
    ),
    Break(
        "unit-flush-first",
        "the TLB is told before the descriptor of a unit is taken out",
        "corollary.model.kernel.unit",
        "    if unit_in_table(s, unit):\n        s.memory[place.table].word[place.entry] = 0\n"
        "    flush_unit(s, unit, vttbr(s, s.block[head].holder))\n",
        "    flush_unit(s, unit, vttbr(s, s.block[head].holder))\n"
        "    if unit_in_table(s, unit):\n        s.memory[place.table].word[place.entry] = 0\n",
        "block_unmap",
        "UNIT-3",
    ),
    Break(
        "flush-of-another",
        "another partition is flushed when a VMID is given to the next",
        "corollary.model.kernel.partition",
        "VACANT\n    flush_partition(s, p)\n",
        "VACANT\n    flush_partition(s, s.current)\n",
        "partition_reclaim",
        "MEM-17",
    ),
    Break(
        "flush-at-reconstruct",
        "a partition that may get another root keeps what was walked",
        "corollary.model.kernel.partition",
        "        return Status.WRONG_STATE\n    flush_partition(s, p)\n",
        "        return Status.WRONG_STATE\n",
        "partition_reconstruct",
        "MEM-17",
    ),
    Break(
        "flush-of-who-runs",
        "what walks from its root is flushed, and walks again",
        "corollary.model.kernel.partition",
        "        owner.state = PartitionState.HIBERNATED\n    flush_partition(s, p)\n",
        "        flush_partition(s, p)\n        owner.state = PartitionState.HIBERNATED\n",
        "region_reclaim",
        "MEM-18",
    ),
    Break(
        "no-synchronization",
        "code is executed that instruction fetches may not see",
        "corollary.model.kernel.memory",
        "        synchronize_instructions(s, page)\n",
        "        pass\n",
        "page_map",
        "MEM-19",
    ),
    Break(
        "synchronization-last",
        "code is mapped before instruction fetches see it",
        "corollary.model.kernel.memory",
        "    if access & Access.EXECUTE != 0:\n        synchronize_instructions(s, page)\n"
        "    if access & Access.WRITE != 0:\n        s.page[page].fetched = False\n"
        "    link(s, m, table, entry, leaf_descriptor(m, access))\n",
        "    if access & Access.WRITE != 0:\n        s.page[page].fetched = False\n"
        "    link(s, m, table, entry, leaf_descriptor(m, access))\n"
        "    if access & Access.EXECUTE != 0:\n        synchronize_instructions(s, page)\n",
        "page_map",
        "MEM-19",
    ),
    Break(
        "no-reset",
        "a partition starts with the registers that it left",
        "corollary.model.kernel.partition",
        "    reset_context(s, p, entry)\n",
        "",
        "partition_start",
        "PART-25",
    ),
    Break(
        "unmapped-message",
        "a message is read from a page that its sender does not map",
        "corollary.model.kernel.edge",
        "    if not lets(s, s.current, page, Access.READ):\n        return Status.NOT_MAPPED\n",
        "",
        "edge_send",
        "MEM-29",
    ),
    Break(
        "read-only-message",
        "a message is written into a page that its receiver only reads",
        "corollary.model.kernel.edge",
        "lets(s, s.current, page, Access.WRITE)",
        "lets(s, s.current, page, Access.READ)",
        "edge_receive",
        "MEM-30",
    ),
    Break(
        "unmapped-proof",
        "a proof is taken from any page of the caller's",
        "corollary.model.kernel.proof",
        "lets(s, s.current, page, Access.READ)",
        "s.page[page].owner == s.current",
        "partition_hibernate",
        "PROOF-12",
    ),
    Break(
        "proof-of-others",
        "a proof is taken from any page at all",
        "corollary.model.kernel.proof",
        "    readable = lets(s, s.current, page, Access.READ)\n",
        "    readable = named\n",
        "partition_hibernate",
        "PROOF-12",
    ),
    Break(
        "share-of-the-dead",
        "a page of a destroyed partition is mapped by its reader",
        "corollary.model.kernel.memory",
        "\n        or not alive(s, s.page[page].owner)\n",
        "\n",
        "share_map",
        "MEM-38",
    ),
    Break(
        "asked-in-part",
        "the record of a call that is refused does not tell its third register",
        "corollary.model.kernel.gate",
        "packed_payload(call) if status == Status.OK else call.argument[2]",
        "packed_payload(call) if status == Status.OK else u64(0)",
        "capability_revoke",
        "WIT-18",
    ),
    Break(
        "without-consensus",
        "a score is enough for ring 1",
        "corollary.spec.ring",
        "    if score > RING_1_SCORE and consensus:\n",
        "    if score > RING_1_SCORE:\n",
        "ring_assign",
        "ENSURES",
    ),
    Break(
        "bit-lost",
        "a bit that is taken is not told",
        "corollary.model.kernel.edge",
        "    call.result[0] = notification.bits\n",
        "    call.result[0] = notification.bits & 0x7FFFFFFFFFFFFFFF\n",
        "notification_wait",
        "ENSURES",
    ),
    Break(
        "rounded-up",
        "a bucket is filled with more time than has passed",
        "corollary.model.kernel.ring",
        "    passed = minimum(saturating_sub(now, bucket.refilled), u64(BURST))\n",
        "    passed = minimum(saturating_sub(now, bucket.refilled) | 1, u64(BURST))\n",
        "capability_revoke",
        "RING-12",
    ),
    Break(
        "any-region",
        "a page of any region is taken back",
        "corollary.model.kernel.partition",
        "    if PagePlace(page).region != s.capability[call.capability].object:\n"
        "        return Status.WRONG_OBJECT\n    if not in_use(s, page):\n        return Status.WRONG_STATE\n",
        "    if not in_use(s, page):\n        return Status.WRONG_STATE\n",
        "region_reclaim",
        "INT-8",
    ),
    Break(
        "zeroing",
        "a freed page keeps its contents",
        "corollary.model.kernel.memory",
        "    clear(s.memory[page].word)\n",
        "",
        "page_release",
        "MEM-20",
    ),
    Break(
        "ring-comparison",
        "the gate does not look at the ring",
        "corollary.model.kernel.gate",
        "    if u8(ring) > required:\n        return Status.RING_DENIED\n",
        "",
        "page_map",
        "RING-10",
    ),
    Break(
        "rate-limit",
        "a call without a token is admitted",
        "corollary.model.kernel.gate",
        "    if not paid:\n        return Status.RATE_LIMITED\n",
        "",
        "capability_revoke",
        "RING-14",
    ),
    Break(
        "owner-check",
        "a page of anybody may be mapped",
        "corollary.model.kernel.memory",
        "    if not belongs(s, table, p) or not belongs(s, page, p):\n",
        "    if not belongs(s, table, p) or not in_use(s, page):\n",
        "page_map",
        "MEM-3",
    ),
    Break(
        "write-xor-execute",
        "a page may be writable and executable",
        "corollary.model.kernel.memory",
        "    if not write_xor_execute(access):\n        return Status.WRITE_XOR_EXECUTE\n",
        "",
        "page_map",
        "MEM-3",
    ),
    Break(
        "nonce-step",
        "a proof is accepted again",
        "corollary.model.kernel.gate",
        "        s.partition[actor].nonce += 1\n",
        "        pass\n",
        "partition_hibernate",
        "PROOF-1",
    ),
    Break(
        "elevation-clamp",
        "an elevation lasts as long as asked",
        "corollary.model.kernel.ring",
        "minimum(seconds, u32(ELEVATION_LIMIT))",
        "seconds",
        "ring_elevate",
        "RING-13",
    ),
    Break(
        "free-slots",
        "a status tells which slots are free, before it is asked whose they are",
        "corollary.model.kernel.capability",
        "    if not may_act_on(s, s.current, into, Right.WRITE):\n        return Status.INSUFFICIENT_RIGHTS\n"
        "    target = capability_id(partition_of_handle(s, s.current, into), slot)\n"
        "    if not free(s, target):\n"
        "        return Status.SLOT_IN_USE\n",
        "    target = capability_id(partition_of_handle(s, s.current, into), slot)\n"
        "    if not free(s, target):\n"
        "        return Status.SLOT_IN_USE\n"
        "    if not may_act_on(s, s.current, into, Right.WRITE):\n        return Status.INSUFFICIENT_RIGHTS\n",
        "capability_grant",
        "GATE-2",
    ),
    Break(
        "word-handed-on",
        "a word that nobody cleared is handed on as a result",
        "corollary.model.kernel.memory",
        "    unlink(s, mapping_id(page, Ordinal(0)))\n    return Status.OK\n",
        "    unlink(s, mapping_id(page, Ordinal(0)))\n"
        "    call.result[0] = s.mapping[mapping_id(page, Ordinal(0))].incarnation\n"
        "    return Status.OK\n",
        "page_unmap",
        "NI-2",
    ),
    Break(
        "shared-counter",
        "a result is the number of the next record, which counts everybody's calls",
        "corollary.model.kernel.ring",
        "    call.result[0] = permitted_tools(s, p, ring)\n",
        "    call.result[0] = s.sequence\n",
        "tool_acquire",
        "NI-2",
    ),
    Break(
        "stale-table",
        "the kernel believes a word of a page that was once a table",
        "corollary.spec.kernel.memory",
        "    return from_root & to_middle & to_lower & to_page\n",
        "    return to_page\n",
        "console_write",
        "OK-iff",
    ),
    Break(
        "unasked-adoption",
        "any partition may be adopted, and is then seen",
        "corollary.model.kernel.partition",
        "    if s.partition[p].parent != s.current:\n        return Status.INVALID_TARGET\n",
        "",
        "partition_adopt",
        "NI-3-partition",
    ),
    Break(
        "count-kept",
        "a call leaves the number of the next record, which counts everybody's calls, where the caller will see it",
        "corollary.model.kernel.ring",
        "    s.partition[p].tools[ResourceId(u8(resource))] += 1\n",
        "    s.partition[p].tools[ResourceId(u8(resource))] += 1\n    s.partition[p].nonce = s.sequence\n",
        "tool_acquire",
        "NI-4-partition",
    ),
    Break(
        "unasked-suspension",
        "the creator is suspended instead of whom the handle names",
        "corollary.model.kernel.partition",
        "    if s.partition[p].state != PartitionState.RUNNING:\n"
        "        return Status.WRONG_STATE\n"
        "    s.partition[p].state = PartitionState.SUSPENDED\n",
        "    if s.partition[p].state != PartitionState.RUNNING:\n        return Status.WRONG_STATE\n"
        "    s.partition[s.partition[p].parent].state = PartitionState.SUSPENDED\n",
        "partition_suspend",
        "NI-1",
    ),
    Break(
        "unasked-slot",
        "a capability is granted to whoever is named, with whatever rights",
        "corollary.model.kernel.capability",
        "    return handle_holds(s, p, handle, ObjectKind.PARTITION, rights) and alive(s, partition_of_handle(s, "
        "p, handle))\n",
        "    return handle_holds(s, p, handle, ObjectKind.PARTITION, Right(0)) and alive(s, "
        "partition_of_handle(s, p, handle))\n",
        "capability_grant",
        "INT-1",
    ),
    Break(
        "own-badge",
        "whoever passes a capability on chooses its badge",
        "corollary.model.kernel.capability",
        "    if not rooted(s, call.capability) and badge != source.badge:\n        return Status.BAD_ARGUMENT\n",
        "",
        "capability_grant",
        "CAP-22",
    ),
    Break(
        "badge-from-none",
        "whoever has no badge gives itself one",
        "corollary.model.kernel.capability",
        "    if not rooted(s, call.capability) and badge != source.badge:\n",
        "    if source.badge != 0 and badge != source.badge:\n",
        "capability_grant",
        "CAP-22",
    ),
    Break(
        "read-when-none-waits",
        "beyond a share nothing more is copied while a few records wait to be dropped",
        "corollary.model.kernel.gate",
        "s.copied - s.drained < DRAIN_LIMIT\n",
        "s.copied == s.drained\n",
        "witness_read",
        "WIT-15",
    ),
    Break(
        "second-edge",
        "an edge that is there is made again",
        "corollary.model.kernel.edge",
        "    if edge_exists(s, e):\n        return Status.OBJECT_IN_USE\n",
        "",
        "edge_create",
        "EDGE-1",
    ),
    Break(
        "any-schema",
        "a message of another schema is accepted",
        "corollary.model.kernel.edge",
        "    if schema != edge.schema:\n        return Status.SCHEMA_MISMATCH\n",
        "",
        "edge_send",
        "EDGE-3",
    ),
    Break(
        "overtaken",
        "a message is put over the oldest of a full edge",
        "corollary.model.kernel.edge",
        "    if is_full(s, e):\n        return Status.WOULD_BLOCK\n",
        "    if edge.waiting > 200:\n        return Status.WOULD_BLOCK\n",
        "edge_send",
        "EDGE-13",
    ),
    Break(
        "received-twice",
        "what was received is received again",
        "corollary.model.kernel.edge",
        "    edge.waiting -= 1\n",
        "",
        "edge_receive",
        "EDGE-12",
    ),
    Break(
        "bits-told",
        "whoever signals is told which bits others have set",
        "corollary.model.kernel.edge",
        "    s.notification[named_notification(s, call)].bits |= bits\n",
        "    s.notification[named_notification(s, call)].bits |= bits\n"
        "    call.result[0] = s.notification[named_notification(s, call)].bits\n",
        "notification_signal",
        "NI-2",
    ),
    Break(
        "elevated-trustee",
        "whoever is in a ring for a while assigns what only others may",
        "corollary.model.kernel.gate",
        "    ring = held if ELEVATION_ADMITS[call.operation] != 0 else base_ring(s, s.current)\n",
        "    ring = held\n",
        "ring_assign",
        "RING-23",
    ),
    Break(
        "trust-beyond-base",
        "a ring is assigned up to one that is held for a while",
        "corollary.model.kernel.ring",
        "    if more_privileged(ring_for(score, consensus), base_ring(s, s.current)):\n",
        "    if more_privileged(ring_for(score, consensus), effective_ring(s, s.current, call.now)):\n",
        "ring_assign",
        "RING-17",
    ),
    Break(
        "trust-handed-on",
        "an elevation lets its holder pass trust on",
        "corollary.model.kernel.capability",
        "    if confers_trust(source.kind) and more_privileged(Ring.STANDARD, base_ring(s, s.current)):\n"
        "        return Status.RING_DENIED\n",
        "",
        "capability_grant",
        "RING-28",
    ),
    Break(
        "untrusted",
        "whoever asks is elevated, whatever its score",
        "corollary.model.kernel.ring",
        "    if own.score < (ELEVATE_1_SCORE if target == Ring.PRIVILEGED else ELEVATE_2_SCORE):\n"
        "        return Status.INSUFFICIENT_TRUST\n",
        "",
        "ring_elevate",
        "RING-13",
    ),
    Break(
        "unattested",
        "nobody vouches for an elevation to ring 1",
        "corollary.model.kernel.ring",
        "    if target == Ring.PRIVILEGED and not"
        " handle_holds(s, s.current, attestation, ObjectKind.PROOF_ROOT, Right.PROVE):\n"
        "        return Status.NO_SPONSORSHIP\n",
        "",
        "ring_elevate",
        "RING-13",
    ),
    Break(
        "attestation-forgotten",
        "an elevation outlasts its attestation",
        "corollary.spec.kernel.ring",
        "    return held.active and now < held.expires and (held.ring != Ring.PRIVILEGED or attested(s, p))\n",
        "    return held.active and now < held.expires\n",
        "capability_revoke",
        "RING-22",
    ),
    Break(
        "elevation-kept",
        "an elevation outlasts a score that is assigned",
        "corollary.model.kernel.ring",
        "    s.partition[p].elevation.active = False\n",
        "    pass\n",
        "ring_assign",
        "RING-17",
    ),
    Break(
        "tools-kept",
        "whoever is demoted keeps its tools",
        "corollary.model.kernel.ring",
        "    s.partition[p].ring = ring_for(score, consensus)\n    shed_tools(s, p, s.partition[p].ring)\n",
        "    s.partition[p].ring = ring_for(score, consensus)\n",
        "ring_demote",
        "RING-25",
    ),
    Break(
        "tools-of-any-kind",
        "tools that a ring denies are kept up to its limit",
        "corollary.model.kernel.ring",
        "        kept = minimum(s.partition[p].tools[ResourceId(i)], room) if permits(ring, Resource(i)) else u8(0)\n",
        "        kept = minimum(s.partition[p].tools[ResourceId(i)], room)\n",
        "ring_demote",
        "RING-7",
    ),
    Break(
        "half-a-root",
        "two words of a new root are not proved",
        "corollary.model.kernel.proof",
        "renewed.pending[i] if replaces_root else u64(0)",
        "renewed.pending[i] if replaces_root and i < 2 else u64(0)",
        "proof_root_commit",
        "PROOF-9",
    ),
    Break(
        "any-actor",
        "a proof does not say who means it",
        "corollary.model.kernel.proof",
        "    mutation[1] = u64(s.current)\n",
        "    mutation[1] = 0\n",
        "partition_destroy",
        "PROOF-4",
    ),
    Break(
        "any-incarnation",
        "a proof is good for the next partition of the same number",
        "corollary.model.kernel.proof",
        "    mutation[2] = u64(s.partition[s.current].generation)\n",
        "    mutation[2] = 0\n",
        "partition_destroy",
        "PROOF-4",
    ),
    Break(
        "any-nonce",
        "the nonce is not part of what is proved",
        "corollary.model.kernel.proof",
        "    mutation[5] = wrapping_add(u64, s.partition[s.current].nonce, 1)\n",
        "    mutation[5] = 0\n",
        "proof_root_commit",
        "PROOF-9",
    ),
    Break(
        "any-receiver",
        "a proof names a slot of its caller, not the partition meant",
        "corollary.model.kernel.proof",
        "receiver(s, Handle.truncate(argument)) if (handles >> (1 + i)) & 1 != 0 else argument",
        "argument",
        "proof_root_bind",
        "PROOF-10",
    ),
    Break(
        "path-elsewhere",
        "a root is replaced by a path to the one that binds the caller",
        "corollary.model.kernel.gate",
        "named_root(s, call) if replaces_root else s.partition[s.current].proof_root",
        "s.partition[s.current].proof_root",
        "proof_root_commit",
        "PROOF-11",
    ),
    Break(
        "uncounted-message",
        "what is sent counts for nothing",
        "corollary.model.kernel.edge",
        "    s.traffic[e].carried = with_message(s.traffic[e].carried, u64(length))\n",
        "",
        "edge_send",
        "EDGE-25",
    ),
    Break(
        "traffic-inherited",
        "an edge that is made anew counts on from the one before",
        "corollary.model.kernel.edge",
        "    s.traffic[e].carried = 0\n",
        "",
        "edge_create",
        "ENSURES",
    ),
    Break(
        "traffic-of-all",
        "whoever asks for traffic is told it without a capability to see it",
        "corollary.spec.kernel.hypercalls",
        "    on=ObjectKind.COHERENCE,\n    needs=Right.READ,\n",
        "    on=ObjectKind.COHERENCE,\n",
        "graph_read",
        "NI-4-memory",
    ),
    Break(
        "second-sender",
        "whoever holds WRITE on an edge sends",
        "corollary.model.kernel.edge",
        "    if call.capability != sender_of(s, e):\n        return Status.NOT_SENDER\n",
        "",
        "edge_send",
        "EDGE-21",
    ),
    Break(
        "sender-kept",
        "WRITE on an edge is passed on, and the one that sends stays the same",
        "corollary.model.kernel.capability",
        "        s.edge[named_edge(s, call)].sender = target\n",
        "",
        "capability_grant",
        "EDGE-22",
    ),
    Break(
        "sender-taken",
        "who does not send passes the right to send on",
        "corollary.model.kernel.capability",
        "    if sends and call.capability != sender_of(s, named_edge(s, call)):\n        return Status.NOT_SENDER\n",
        "",
        "capability_grant",
        "EDGE-22",
    ),
    Break(
        "dead-sender",
        "the slot of the one that sends counts, whatever it holds by now",
        "corollary.spec.kernel.edge",
        "    if s.capability[last].generation == s.edge[e].sender_generation and live(s, last):\n        return last\n",
        "    if live(s, last):\n        return last\n",
        "edge_send",
        "EDGE-21",
    ),
    Break(
        "any-bits",
        "a signaller sets bits of others",
        "corollary.model.kernel.edge",
        "    if not rooted(s, call.capability) and not subset(bits, s.capability[call.capability].badge):\n"
        "        return Status.RIGHTS_ESCALATION\n",
        "",
        "notification_signal",
        "EDGE-19",
    ),
    Break(
        "grant-of-nothing",
        "what is granted gives no right at all",
        "corollary.model.kernel.capability",
        "    slot.rights = rights\n    slot.depth = Depth",
        "    slot.rights = Right(0)\n    slot.depth = Depth",
        "capability_grant",
        "ENSURES",
    ),
    Break(
        "badge-ignored",
        "the badge asked for is ignored",
        "corollary.model.kernel.capability",
        "    slot.badge = badge\n",
        "    slot.badge = parent.badge\n",
        "capability_grant",
        "ENSURES",
    ),
    Break(
        "depth-not-counted",
        "a child is as near to the first capability as its parent",
        "corollary.model.kernel.capability",
        "    slot.depth = Depth(u32(parent.depth) + 1)\n",
        "    slot.depth = parent.depth\n",
        "capability_grant",
        "ENSURES",
    ),
    Break(
        "quota-from-nowhere",
        "a new partition's records are not taken from its creator's",
        "corollary.model.kernel.partition",
        "    creator.quota -= quota\n",
        "",
        "partition_create",
        "ENSURES",
    ),
    Break(
        "number-from-nowhere",
        "whoever creates a partition may create as many as before",
        "corollary.model.kernel.partition",
        "    creator.numbers -= 1\n",
        "",
        "partition_create",
        "ENSURES",
    ),
    Break(
        "share-from-nowhere",
        "whoever creates a partition keeps the share of the processor that this gets",
        "corollary.model.kernel.partition",
        "    creator.share -= LEAST_SHARE\n",
        "",
        "partition_create",
        "ENSURES",
    ),
    Break(
        "share-lost",
        "numbers of partitions are handed on without their shares",
        "corollary.model.kernel.partition",
        "        endowed.share += LEAST_SHARE * amount\n",
        "",
        "partition_endow",
        "ENSURES",
    ),
    Break(
        "epoch-each-slice",
        "every slice ends an epoch, so that records of many short ones fill the kernel's reserve",
        "corollary.model.kernel.action",
        "    if not epoch_is_over(s, time):\n        return\n",
        "",
        "preempt",
        "TURN-11",
    ),
    Break(
        "edges-without-end",
        "edges that are made are not counted",
        "corollary.model.kernel.edge",
        "    maker.edges_made += 1\n",
        "",
        "edge_create",
        "ENSURES",
    ),
    Break(
        "grants-go-on",
        "the slots of a destroyed partition keep what they hold",
        "corollary.model.kernel.partition",
        "    empty_slots(s, p)\n",
        "    empty_slots(s, s.current)\n",
        "partition_destroy",
        "ENSURES",
    ),
    Break(
        "never-refilled",
        "no bucket is ever filled again",
        "corollary.model.kernel.ring",
        "    passed = minimum(saturating_sub(now, bucket.refilled), u64(BURST))\n"
        "    return minimum(bucket.credit + passed, u64(BURST))\n",
        "    return minimum(bucket.credit, u64(BURST))\n",
        "capability_revoke",
        "OK-iff",
    ),
    Break(
        "refused-and-paid",
        "a call that is refused for its rate costs what is left",
        "corollary.model.kernel.ring",
        "    return credit - cost if credit >= cost else credit\n",
        "    return credit - cost if credit >= cost else u64(0)\n",
        "proof_inspect",
        "RING-14",
    ),
    Break(
        "unknown-for-nothing",
        "a call that names no operation costs nothing",
        "corollary.model.kernel.gate",
        "    paid = pay(s, s.current, meter_of(call), held, call.now)\n    if not paid:\n"
        "        return Status.RATE_LIMITED\n    if not known(call):\n"
        "        return Status.UNKNOWN_OPERATION\n",
        "    if not known(call):\n        return Status.UNKNOWN_OPERATION\n"
        "    paid = pay(s, s.current, meter_of(call), held, call.now)\n    if not paid:\n"
        "        return Status.RATE_LIMITED\n",
        "unknown_operation",
        "RING-14",
    ),
    Break(
        "asked-in-vain",
        "the record does not tell which operation was asked for in vain",
        "corollary.model.kernel.gate",
        "        return call.operation\n    return packed_object",
        "        return call.argument[1]\n    return packed_object",
        "unknown_operation",
        "WIT-18",
    ),
    Break(
        "fault-goes-on",
        "whoever causes a fault runs on",
        "corollary.model.kernel.action",
        "        s.partition[p].state = PartitionState.SUSPENDED\n",
        "",
        "contain",
        "FAULT-10",
    ),
    Break(
        "fault-forgotten",
        "a fault without room for its record is not counted",
        "corollary.model.kernel.action",
        "            count_refusal(s, p)\n",
        "            pass\n",
        "contain",
        "FAULT-11",
    ),
    Break(
        "never-rotates",
        "the end of a slice leaves the processor with whoever has it",
        "corollary.model.kernel.action",
        "    s.idle = True\n",
        "",
        "preempt",
        "TURN-20",
    ),
    Break(
        "reserve-ignored",
        "the kernel's own records use up what is promised to partitions",
        "corollary.model.kernel.action",
        "    if s.switches != 0 and kernel_room(s):\n",
        "    if s.switches != 0:\n",
        "preempt",
        "TURN-11",
    ),
    Break(
        "clock-runs-back",
        "the kernel's time is what the clock says, later or not",
        "corollary.spec.kernel.clock",
        "    return maximum(last, now)\n",
        "    return now\n",
        "yield_now",
        "TIME-11",
    ),
    Break(
        "refusals-forgotten",
        "calls that were refused without a record end with their partition",
        "corollary.model.kernel.partition",
        "    s.partition[s.current].refused = counted_on(s.partition[s.current].refused, reclaimed.refused)\n",
        "",
        "partition_reclaim",
        "WIT-14",
    ),
    Break(
        "in-charge-of-all",
        "whoever is in ring 2 ends partitions of others",
        "corollary.model.kernel.gate",
        "    return s.partition[named_partition(s, call)].parent == s.current or ring == Ring.PRIVILEGED\n",
        "    return s.partition[named_partition(s, call)].parent == s.current or u8(ring) <= u8(Ring.STANDARD)\n",
        "partition_reclaim",
        "OK-iff",
    ),
    Break(
        "word-lost",
        "a read leaves out a word of each record",
        "corollary.model.kernel.witness",
        "    target.word[EntryId(position + 5)] = word(entry, 5)\n",
        "",
        "witness_read",
        "ENSURES",
    ),
    Break(
        "drop-uncopied",
        "a record is dropped that nobody copied",
        "corollary.model.kernel.witness",
        "    if last >= s.copied:\n",
        "    if last > s.copied:\n",
        "witness_discard",
        "OK-iff",
    ),
    Break(
        "seal-without-head",
        "the chain value is not under the seal",
        "corollary.model.kernel.witness",
        "    put_digest(message, 4, s.head)\n",
        "",
        "witness_seal",
        "ENSURES",
    ),
    Break(
        "seal-without-end",
        "the SHA-256 of the log under a seal is not finished",
        "corollary.model.kernel.witness",
        "    compress(digest, block)\n",
        "",
        "witness_seal",
        "ENSURES",
    ),
    Break(
        "half-measured",
        "the log tells the first half of each measurement twice",
        "corollary.model.kernel.boot",
        "    second = Halves(low=information.measurement[4 * half + 2]",
        "    second = Halves(low=information.measurement[4 * half]",
        "boot",
        "BOOT-5",
    ),
    Break(
        "key-in-message",
        "four words of the key go out with each message",
        "corollary.model.kernel.edge",
        "        message.reserved[i] = 0\n",
        "        message.reserved[i] = u64(s.key[i])\n",
        "edge_send",
        "KEY",
    ),
    Break(
        "key-for-seal",
        "the key is written where the seal belongs",
        "corollary.model.kernel.witness",
        "        target.word[EntryId(i + 12)] = word_of(tag, DigestPair(i))\n",
        "        target.word[EntryId(i + 12)] = word_of(s.key, DigestPair(i))\n",
        "witness_seal",
        "ENSURES",
    ),
    Break(
        "badge-of-maker",
        "a message bears the badge of who made the edge",
        "corollary.model.kernel.edge",
        "    message.badge = s.capability[call.capability].badge\n",
        "    message.badge = s.capability[edge.origin].badge\n",
        "edge_send",
        "ENSURES",
    ),
    Break(
        "bits-kept",
        "bits that were taken are still set",
        "corollary.model.kernel.edge",
        "    notification.bits = 0\n    return",
        "    return",
        "notification_wait",
        "ENSURES",
    ),
    Break(
        "consensus-given",
        "whoever is assigned a score has consensus, too",
        "corollary.model.kernel.ring",
        "    s.partition[p].consensus = consensus\n",
        "    s.partition[p].consensus = True\n",
        "ring_assign",
        "ENSURES",
    ),
    Break(
        "own-trust",
        "a partition assigns its own trust",
        "corollary.model.kernel.ring",
        "    if p == s.current:\n        return Status.INVALID_TARGET\n    if score > PPM",
        "    if score > PPM",
        "ring_assign",
        "OK-iff",
    ),
    Break(
        "share-outlives",
        "a share ends, and its mapping stays",
        "corollary.model.kernel.memory",
        "    unlink(s, m)\n    s.mapping[m].used = False\n    return",
        "    s.mapping[m].used = False\n    return",
        "page_unshare",
        "ENSURES",
    ),
    Break(
        "stale-incarnation",
        "a share is mapped by the next partition of its reader's number",
        "corollary.model.kernel.memory",
        "        or share.incarnation != s.partition[p].generation\n",
        "",
        "share_map",
        "OK-iff",
    ),
    Break(
        "always-executable",
        "every page that is mapped may be executed",
        "corollary.spec.kernel.memory",
        "        never_executed=access & Access.EXECUTE == 0,\n",
        "        never_executed=False,\n",
        "page_map",
        "ENSURES",
    ),
    Break(
        "share-writable",
        "whoever a page is shared with may write it",
        "corollary.model.kernel.memory",
        "leaf_descriptor(mapping_id(page, ordinal), Access.READ))",
        "leaf_descriptor(mapping_id(page, ordinal), Access.READ | Access.WRITE))",
        "share_map",
        "ENSURES",
    ),
    Break(
        "descriptor-of-owner",
        "the descriptor of a share says that it is the owner's",
        "corollary.spec.kernel.memory",
        "        ordinal=ordinal_of(m),\n",
        "        ordinal=0,\n",
        "share_map",
        "ENSURES",
    ),
    Break(
        "digest-word",
        "the last word of a proof's digest is not compared",
        "corollary.model.kernel.proof",
        "        | (target.word[3] ^ word_of(digest, 3))\n    )\n    return wrong",
        "    )\n    return wrong",
        "partition_destroy",
        "OK-iff",
    ),
    Break(
        "path-not-climbed",
        "the fourth step of a path is passed over",
        "corollary.model.kernel.proof",
        "        if level < levels:\n",
        "        if level < levels and level != 3:\n",
        "proof_root_bind",
        "OK-iff",
    ),
    Break(
        "path-one-sided",
        "a path is climbed without a node that stands on the left",
        "corollary.model.kernel.proof",
        "        one[i] = sibling[i] if right else node[i]\n",
        "        one[i] = sibling[i]\n",
        "proof_root_commit",
        "PROOF-11",
    ),
    Break(
        "expired-proof",
        "a proof holds when its time is over",
        "corollary.model.kernel.proof",
        "    not_expired = call.now <= target.word[PROOF_UNTIL]\n",
        "    not_expired = target.word[PROOF_FROM] <= target.word[PROOF_UNTIL]\n",
        "partition_hibernate",
        "OK-iff",
    ),
    Break(
        "window-any",
        "a proof may hold for as long as it says",
        "corollary.model.kernel.proof",
        " & (window <= PROOF_WINDOW)",
        "",
        "partition_reconstruct",
        "OK-iff",
    ),
    Break(
        "key-told",
        "whoever asks for its nonce is told a word of the key",
        "corollary.model.kernel.proof",
        "    call.result[1] = s.partition[s.current].proof_root\n",
        "    call.result[1] = u64(s.key[0])\n",
        "proof_inspect",
        "KEY",
    ),
    Break(
        "answer-by-key",
        "whether a call succeeds tells something of the key",
        "corollary.model.kernel.edge",
        "    if notification.bits == 0:\n",
        "    if notification.bits == 0 or s.key[0] == 0:\n",
        "notification_wait",
        "KEY",
    ),
    *(Break(*slip) for slip in SLIPS),
)
NAMED = {item.name: item for item in BREAKS}


class BrokenLoader(importlib.machinery.SourceFileLoader):
    """A loader of a module with one edit; `inspect` sees the edited text, too."""

    edit: Any = None

    def get_code(self, fullname):
        text = self.edit.edited(Path(self.path).read_text())
        linecache.cache[self.path] = (len(text), None, text.splitlines(True), self.path)
        return compile(text, self.path, "exec", dont_inherit=True)


class Finder:
    """A finder of the module that is to be broken."""

    def __init__(self, edit):
        self.edit = edit

    def find_spec(self, name, path=None, target=None):
        """Return the spec of the broken module; None for all others."""
        if name != self.edit.module:
            return None
        spec: Any = importlib.machinery.PathFinder.find_spec(name, path, target)
        loader = BrokenLoader(name, spec.origin)
        loader.edit = self.edit
        return importlib.util.spec_from_file_location(name, spec.origin, loader=loader)


def decide(edit):
    """Decide the obligation that the break must turn red, with the broken model; return its row."""
    if edit.module in sys.modules:
        raise RuntimeError(f"{edit.module} was imported before it was broken")
    sys.meta_path.insert(0, Finder(edit))
    from corollary.model.kernel.component import KERNEL
    from corollary.proofs import prove, steps

    prove.PAIR_EFFORT *= PATIENCE  # of this process alone
    return next(question for id_, _, question in steps.questions(edit.operation, KERNEL) if id_ == edit.obligation)()


def main(name):
    """Print the result of the obligation and its counterexample.

    Return 1 if the obligation is red and the counterexample replays.
    """
    row = decide(NAMED[name])
    print(f"{row.result} {row.id}: {row.sentence} {row.reason}")
    if row.result != "refuted" or row.property not in (KEY, DEFINED) and row.counterexample.holds is not False:
        return 0
    from corollary.proofs.replay import narrate

    print(narrate(row.counterexample) if row.counterexample else WITHOUT_STATE[row.property])
    return 1


def taken(name):
    """Run a break in a process of its own."""
    return alone.taken(__name__, name, seconds=PATIENTLY * SECONDS)


def found(name):
    """Return the id of the obligation that turns red, if it does and its counterexample replays."""
    done = taken(name)
    return (
        f"proof: {NAMED[name].obligation}"
        if done.returncode == 1 and f"refuted {NAMED[name].obligation}" in done.stdout
        else ""
    )


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    sys.exit(main(sys.argv[1]))
