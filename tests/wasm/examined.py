"""What does the VM answer inside a partition of the kernel?

The questions of many scripts are put into boot packages, and the answers are read from the console. The guest
(`guests/examinee.c`) has one instance at a time, so all questions about one instance are asked together. A question
that needs other instances, or more room than a guest has, is not asked.
"""

import struct
from dataclasses import dataclass, field
from itertools import count

from corollary import Module as OurModule
from corollary import Refused
from corollary.disassembly import disassemble
from corollary.emulation import agents, ending, package
from corollary.emulation.machine import start, words_of
from corollary.emulation.verdict import Transcript
from corollary.spec.wasm.module import External
from corollary.spec.wasm.refusals import INVALID, Refusal
from corollary.spec.wasm.traps import Trap as Reason
from tests.wasm import script
from tests.wasm.corollary_engine import bits_of, value_of
from tests.wasm.suite import Exhausted, Invalid, Malformed, Trap

HEADER = struct.Struct("<4I")
MODULE, CALL, GET = range(3)
RETURNED, TRAPPED, REFUSED = range(3)
BATCH = 12 * 4096  # bytes of questions in one boot: the free part of a boot package
CODE, PAGES, ELEMENTS, GROWTH = (
    8192,
    1,
    1024,
    64,
)  # words of code, pages of memory, elements of a table, at first and grown, that a guest has room for
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
    memories, tables = room["memories"][: counts.memories], [table.limits for table in room["tables"][: counts.tables]]
    alone = all(source == "spectest" and kind is External.FUNCTION for source, _, kind, _ in module.imports)
    return (
        alone
        and module.translation.value.at <= CODE
        and has_room(module, memories, PAGES, PAGES, "memory_grow")
        and has_room(module, tables, ELEMENTS, GROWTH, "table_grow")
    )


def has_room(module, limits, most, grown, growth):
    """Is there room for memories or tables, even when the module lets them grow?"""
    code = module.translation["code"]
    grows = any(
        text.startswith(growth)
        for index, entry in enumerate(module.entries)
        if entry
        for _, text in disassemble(code, entry, module.end_of(index))
    )
    return all(
        wanted.minimum <= most and (not grows or wanted.bounded and wanted.maximum <= grown) for wanted in limits
    )


def chosen(directives):
    """Return a script's directives that can be asked; an action only if its instance can be."""
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
    """Does every call of this module behave like the first?"""
    module = OurModule(binary)
    counts = module.value.counts
    return counts.memories == counts.tables == 0 and not any(
        global_.mutable for global_ in module.room["globals"][: counts.globals]
    )


# ---- questions


def question(what, data, arguments=()):
    """Return one question as the guest reads it."""
    words = struct.pack(f"<{len(arguments)}Q", *arguments)
    body = data.ljust(-(-len(data) // 8) * 8, b"\0") + words
    return HEADER.pack(what, len(data), len(arguments), HEADER.size + len(body)) + body


@dataclass
class Asked:
    """A module, the questions about its instance, and the answers once they are there."""

    binary: bytes
    questions: list = field(default_factory=list)
    answers: list = field(default_factory=list)

    def parts(self):
        """Yield pieces of the questions, each as the guest reads it, with the number of its answers.

        Only a module that keeps no state has several pieces.
        """
        opening = question(MODULE, self.binary)
        part, number = opening, 1
        for asked in self.questions:
            if len(part) + len(asked) > BATCH and keeps_nothing(self.binary):
                yield part, number
                part, number = opening, 1
            part, number = part + asked, number + 1
        yield part, number


class Questions:
    """An engine that records questions and answers nothing."""

    reasons = {}

    def __init__(self):
        self.asked = []

    def host(self, definitions):
        """Return None: nothing can be asked about it."""
        return None

    def decode(self, binary):
        """Return a module."""
        self.asked.append(Asked(binary))
        return self.asked[-1]

    def instantiate(self, module, imports):
        """Return its instance."""
        return Noted(module)


class Noted:
    """An instance that records the questions about it."""

    def __init__(self, asked):
        self.asked = asked

    def invoke(self, name, arguments):
        """Record a call."""
        self.asked.questions.append(question(CALL, name.encode(), [bits_of(value) for value in arguments]))
        return ()

    def get(self, name):
        """Record a global."""
        self.asked.questions.append(question(GET, name.encode()))
        return "i32", 0


# ---- answers


def examine(asked, folder):
    """Let guests answer, one boot after the other; return the number of boots."""
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
            item.answers += came[1:] if item.answers else came  # to the same module again, with a later part
        if next(words, None) is not None:
            raise NoAnswer("there are more answers than questions")
    return len(batches)


def boot(questions, folder):
    """Return the words that a guest answers."""
    run = examined(questions, folder)
    if ending.outcome(run, ending.FIRST) != ("silent",) or run.lines(0, "root") != [["done"]] or run.lines(0, "failed"):
        raise NoAnswer(f"the guest did not come to its end: {run.told} {run.said[-3:]}")
    return words_of(run.shown.get(ending.FIRST, b""))


def examined(questions, folder, milliseconds=agents.LONG):
    """Run the guest on some questions."""
    agent = agents.Agent("exam", (), (), score=agents.TRUSTED, milliseconds=milliseconds, binary=questions)
    run = Transcript(KEY, ending.names((agent,)))
    for line in start(package.with_agents((agent,), folder, guest="examinee"), run.key, **agents.PACE):
        run.take(line)
    return run


def answer(words):
    """Return one answer: its kind, a number, and values."""
    try:
        head = next(words)
        what, number = head & 0xFFFF_FFFF, head >> 32
        return what, number, tuple(next(words) for _ in range(number)) if what == RETURNED else ()
    except StopIteration:
        raise NoAnswer("there are fewer answers than questions") from None


class Answers:
    """An engine that answers the earlier questions, in the same order."""

    reasons = {}

    def __init__(self, asked):
        self.asked = iter(asked)

    def host(self, definitions):
        """Return None: nothing can be asked about it."""
        return None

    def decode(self, binary):
        """Return a module. Raises Malformed, Invalid."""
        asked = next(self.asked)
        what, number, _ = asked.answers[0]
        if asked.binary != binary or what > REFUSED:
            raise NoAnswer(what)
        if what == REFUSED:
            raise (Invalid if number >= INVALID else Malformed)(Refusal.notes[Refusal(number).name])
        return asked

    def instantiate(self, module, imports):
        """Return its instance. Raises Trap, Exhausted."""
        what, number, _ = module.answers[0]
        if what == TRAPPED:
            raise trapped(number)
        return Answered(module)


class Answered:
    """An instance with known answers."""

    def __init__(self, asked):
        self.asked, self.number, self.module = asked, count(1), OurModule(asked.binary)

    def values(self, kinds):
        """Return the values of the next answer. Raises Trap, Exhausted."""
        what, number, values = self.asked.answers[next(self.number)]
        if what == TRAPPED:
            raise trapped(number)
        if what != RETURNED or len(values) != len(kinds):
            raise NoAnswer(what)
        return tuple(value_of(kind, bits) for kind, bits in zip(kinds, values))

    def invoke(self, name, arguments):
        """Return the results of a function."""
        _, index = self.module.exports[name]
        return self.values(self.module.type_of(self.module.room["functions"][index].type).results)

    def get(self, name):
        """Return the value of a global."""
        _, index = self.module.exports[name]
        (value,) = self.values((self.module.room["globals"][index].type,))
        return value


def trapped(number):
    """Return a trap as the suite knows it."""
    reason = Reason(number)
    return (Exhausted if reason is Reason.STACK_EXHAUSTED else Trap)(Reason.notes[reason.name])
