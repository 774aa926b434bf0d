"""What does the VM say inside a partition of the kernel? The questions of many scripts are put into boot packages, and the answers read from the console.

The guest (`guests/examinee.c`) has one instance at a time, so what a script asks of one instance comes together. What needs others,
or more room than a guest has, is not asked.
"""

import struct
from dataclasses import dataclass, field
from itertools import count

from corollary import Module as OurModule, Refused
from corollary.disassembly import disassemble
from emulation import agents, ending, package
from emulation.machine import start, words_of
from emulation.verdict import Run
from spec.wasm.module import External
from spec.wasm.refusals import INVALID, Refusal
from spec.wasm.traps import Trap as Reason
from tests.wasm import script
from tests.wasm.corollary_engine import bits_of, value_of
from tests.wasm.suite import Exhausted, Invalid, Malformed, Trap

HEADER = struct.Struct("<4I")
MODULE, CALL, GET = range(3)
RETURNED, TRAPPED, REFUSED = range(3)
BATCH = 12 * 4096           # bytes of questions of one boot: what is left of a boot package
CODE, PAGES, ELEMENTS, GROWTH = 8192, 1, 1024, 64   # words of code, pages of memory, elements of a table, at first and grown, that a guest has room for
KEY = bytes(32)


class NoAnswer(Exception):
    """The guest could not do what was asked."""


def fits(binary):
    """Can a guest run this module, or refuse it?"""
    if len(binary) > BATCH // 2:
        return False
    try:
        module = OurModule(binary)
    except Refused:
        return True
    counts, room = module.value.counts, module.room
    memories, tables = room["memories"][:counts.memories], [table.limits for table in room["tables"][:counts.tables]]
    alone = all(source == "spectest" and kind is External.FUNCTION for source, _, kind, _ in module.imports)
    return (alone and module.translation.value.at <= CODE and has_room(module, memories, PAGES, PAGES, "memory_grow")
            and has_room(module, tables, ELEMENTS, GROWTH, "table_grow"))


def has_room(module, limits, most, grown, growth):
    """Is there room for memories or tables, also when the module lets them grow?"""
    code = module.translation["code"]
    grows = any(text.startswith(growth) for index, entry in enumerate(module.entries) if entry for _, text in disassemble(code, entry, module.end_of(index)))
    return all(wanted.minimum <= most and (not grows or wanted.bounded and wanted.maximum <= grown) for wanted in limits)


def chosen(directives):
    """The directives of a script that can be asked; an action only where the instance that it means is."""
    known = {}
    for directive in directives:
        subject = getattr(directive, "subject", directive)
        action = getattr(directive, "action", subject)
        if getattr(directive, "textual", False) or isinstance(directive, (script.Register, script.AssertUnlinkable)):
            continue
        if isinstance(action, script.Action):
            good = known.get(action.instance, False)
        else:
            good = fits(subject.binary)
        if isinstance(directive, script.Module):
            known |= dict.fromkeys({None, directive.name}, good)
        if good:
            yield directive


def keeps_nothing(binary):
    """Is every call of this module as if it were the first?"""
    module = OurModule(binary)
    counts = module.value.counts
    return counts.memories == counts.tables == 0 and not any(global_.mutable for global_ in module.room["globals"][:counts.globals])


# ---- questions


def question(what, data, arguments=()):
    """One question as the guest reads it."""
    words = struct.pack(f"<{len(arguments)}Q", *arguments)
    body = data.ljust(-(-len(data) // 8) * 8, b"\0") + words
    return HEADER.pack(what, len(data), len(arguments), HEADER.size + len(body)) + body


@dataclass
class Asked:
    """A module, what is asked of its instance, and the answers once they are there."""

    binary: bytes
    questions: list = field(default_factory=list)
    answers: list = field(default_factory=list)

    def parts(self):
        """Pieces of what is asked, each as the guest reads it with the number of its answers; only what keeps no state has several."""
        opening = question(MODULE, self.binary)
        part, number = opening, 1
        for asked in self.questions:
            if len(part) + len(asked) > BATCH and keeps_nothing(self.binary):
                yield part, number
                part, number = opening, 1
            part, number = part + asked, number + 1
        yield part, number


class Questions:
    """An engine that notes what it is asked, and answers nothing."""

    reasons = {}

    def __init__(self):
        self.asked = []

    def host(self, definitions):
        """Nothing that could be asked."""
        return None

    def decode(self, binary):
        """A module."""
        self.asked.append(Asked(binary))
        return self.asked[-1]

    def instantiate(self, module, imports):
        """Its instance."""
        return Noted(module)


class Noted:
    """An instance of which things are asked."""

    def __init__(self, asked):
        self.asked = asked

    def invoke(self, name, arguments):
        """Note a call."""
        self.asked.questions.append(question(CALL, name.encode(), [bits_of(value) for value in arguments]))
        return ()

    def get(self, name):
        """Note a global."""
        self.asked.questions.append(question(GET, name.encode()))
        return "i32", 0


# ---- answers


def examine(asked, folder):
    """Let guests answer, one boot after the other; how many boots."""
    batches, room = [], 0
    for item in asked:
        for part in item.parts():
            if len(part[0]) > room:
                batches.append([])
                room = BATCH
            batches[-1].append((item, part))
            room -= len(part[0])
    for number, batch in enumerate(batches):
        words = iter(boot(b"".join(data for _, (data, _) in batch), folder / str(number)))
        for item, (_, answers) in batch:
            came = [answer(words) for _ in range(answers)]
            item.answers += came[1:] if item.answers else came      # to the module again, with a later part
        if next(words, None) is not None:
            raise NoAnswer("there are more answers than questions")
    return len(batches)


def boot(questions, folder):
    """The words that a guest answers."""
    run = examined(questions, folder)
    if ending.outcome(run, ending.FIRST) != ("silent",) or run.lines(0, "root") != [["done"]] or run.lines(0, "failed"):
        raise NoAnswer(f"the guest did not come to its end: {run.told} {run.said[-3:]}")
    return words_of(run.shown.get(ending.FIRST, b""))


def examined(questions, folder, milliseconds=agents.LONG):
    """A run of the guest on some questions."""
    agent = agents.Agent("exam", (), (), score=agents.TRUSTED, milliseconds=milliseconds, binary=questions)
    run = Run(KEY, ending.names((agent,)))
    for line in start(package.with_agents((agent,), folder, guest="examinee"), run.key, **agents.PACE):
        run.take(line)
    return run


def answer(words):
    """One answer: what came, a number, and values."""
    try:
        head = next(words)
        what, number = head & 0xFFFF_FFFF, head >> 32
        return what, number, tuple(next(words) for _ in range(number)) if what == RETURNED else ()
    except StopIteration:
        raise NoAnswer("there are fewer answers than questions") from None


class Answers:
    """An engine that answers what was asked before, in the same order."""

    reasons = {}

    def __init__(self, asked):
        self.asked = iter(asked)

    def host(self, definitions):
        """Nothing that could be asked."""
        return None

    def decode(self, binary):
        """A module; Malformed, Invalid."""
        asked = next(self.asked)
        what, number, _ = asked.answers[0]
        if asked.binary != binary or what > REFUSED:
            raise NoAnswer(what)
        if what == REFUSED:
            raise (Invalid if number >= INVALID else Malformed)(Refusal.notes[Refusal(number).name])
        return asked

    def instantiate(self, module, imports):
        """Its instance; Trap, Exhausted."""
        what, number, _ = module.answers[0]
        if what == TRAPPED:
            raise trapped(number)
        return Answered(module)


class Answered:
    """An instance whose answers are known."""

    def __init__(self, asked):
        self.asked, self.number, self.module = asked, count(1), OurModule(asked.binary)

    def values(self, kinds):
        """The values that the next answer has; Trap, Exhausted."""
        what, number, values = self.asked.answers[next(self.number)]
        if what == TRAPPED:
            raise trapped(number)
        if what != RETURNED or len(values) != len(kinds):
            raise NoAnswer(what)
        return tuple(value_of(kind, bits) for kind, bits in zip(kinds, values))

    def invoke(self, name, arguments):
        """The results of a function."""
        _, index = self.module.exports[name]
        return self.values(self.module.type_of(self.module.room["functions"][index].type).results)

    def get(self, name):
        """The value of a global."""
        _, index = self.module.exports[name]
        value, = self.values((self.module.room["globals"][index].type,))
        return value


def trapped(number):
    """A trap as the suite knows it."""
    reason = Reason(number)
    return (Exhausted if reason is Reason.STACK_EXHAUSTED else Trap)(Reason.notes[reason.name])
