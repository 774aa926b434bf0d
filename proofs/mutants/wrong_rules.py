"""Which rules of the prover of machine code are made wrong, and how?

Rules are changed as objects, in the process that checks whether anything notices.
"""

import importlib
from dataclasses import dataclass
from typing import Any

OF_HANDLERS = (
    "beyond",
    "called",
    "conditions",
    "floats",
    "handlers",
    "heap",
    "interpreter",
    "lift",
    "sums",
)  # only proofs of handlers use these
MODULES = (
    *OF_HANDLERS,
    "alignment",
    "bounds",
    "calls",
    "constant_time",
    "contract",
    "convention",
    "defined",
    "execute",
    "frames",
    "hashing",
    "instructions",
    "lanes",
    "memory",
    "obligations",
    "path",
    "platform",
    "processor",
    "refine",
    "system",
    "words",
)


@dataclass(frozen=True)
class Wrong:
    """A rule of the prover of machine code, as `module.path`, and its replacement: `wrong(rule)`."""

    name: str
    what: str
    rule: str
    wrong: Any
    operation: str = "prover of machine code"

    @property
    def place(self):
        """The file and the rule in it."""
        return f"machine/{self.rule}"

    @property
    def change(self):
        """The change in words: rules are changed as objects, not as text."""
        return f"proofs/machine/{self.rule.split('.')[0]}.py `{self.rule.split('.', 1)[1]}` -> {self.what}"

    def apply(self):
        """Make the rule wrong, under every name that a module of the prover has for it."""
        modules = {name: importlib.import_module(f"corollary.proofs.machine.{name}") for name in MODULES}
        name, *way, last = self.rule.split(".")
        owner = modules[name]
        for part in way:
            owner = getattr(owner, part)
        if isinstance(owner, dict):
            owner[last] = self.wrong(owner[last])
            return
        right = getattr(owner, last)
        for holder in modules.values() if not way else (owner,):
            if getattr(holder, last, None) is right:
                setattr(holder, last, self.wrong(right))


def _table(table, name, what, wrong):
    """Return a wrong entry of a table of the processor; `wrong` takes the same arguments as the entry."""
    return Wrong(
        f"{name.lower().replace('_', '-')}-{what.replace(' ', '-')}",
        what,
        f"processor.{table}.{name}",
        lambda right: wrong,
    )


def _word(name, what, function):
    """Return a wrong rule for one or two words and their width."""
    return _table("WORDS", name, what, lambda values, width, out: function(*values, width))


def _other(name, what, entry):
    """Return a wrong rule for words: the rule of another operation."""

    def wrong(values, width, out):
        from corollary.proofs.machine.processor import WORDS

        return WORDS[entry](values, width, out)

    return _table("WORDS", name, what, wrong)


def _always(value):
    """Make a function return this value, whatever its arguments."""
    return lambda right: lambda *arguments, **more: value


def _nothing_above(right):
    def put(self, node, value):
        self.allowed(node)
        self.alone(node)
        self.pieces[node.space, node.offset] = node.size, value

    return put


def _from_below(right):
    def extract(value, low, width, whole):
        return right(value, low - 1 if low else low, width, whole)

    return extract


def _one_side(right):
    def branches(self, thread, condition, target):
        for side in right(self, thread, condition, target):
            yield side
            return

    return branches


def _undemanded(what):
    """Drop every demand on registers whose description contains these words."""

    def wrong(right):
        return lambda *arguments, **more: (demand for demand in right(*arguments, **more) if what not in demand[1])

    return wrong


def _obeys_but(name):
    """Demand nothing of one way out."""

    def wrong(right):
        def obey(self, thread, way, target=None):
            from corollary.proofs.machine import convention

            return None if way is getattr(convention, name) else right(self, thread, way, target)

        return obey

    return wrong


def _factors_lost(right):
    def linear(value):
        found = right(value)
        return type(found)(found.constant, {key: (1, word) for key, (_, word) in found.parts.items()})

    return linear


def _further(right):
    def position(self, size, offset, parts, whole):
        return right(self, size, offset + size, parts, whole)

    return position


def _believing(right):
    def decoded(word, type_, oblige):
        return right(word, type_, lambda *_: None)

    return decoded


def _unobliged(right):
    def begin(self, oblige):
        right(self, lambda *_: None)

    return begin


def _compared_once(right):
    return lambda self, thread: max(1, right(self, thread))


def _goes_round(right):
    return lambda self, thread, found, again: None if again else right(self, thread, found, again)


def _cleared(right):
    def clear(self, thread, found):
        from corollary.proofs.machine.lift import registers
        from corollary.proofs.symbolic import TOP, Executor, Reference

        first, last = (thread.registers.named(name) for name in ("x0", "x1"))
        for name in ("x0", "x1"):
            thread.registers[registers()[name]] = last
        self.effect(thread, "zero", f"{first:#x}", (last,))
        for name, (start, type_) in self.objects.items():
            if first <= start < last:
                Executor(thread.heap).clear(Reference(name, (), (), type_), TOP)

    return clear


def _still(right):
    def step(self, thread):
        drop, kind = thread.registers.drop, type(thread.registers)
        kind.drop = lambda registers, names: None if isinstance(names, frozenset) else drop_of(registers, names)
        drop_of = drop.__func__
        try:
            return right(self, thread)
        finally:
            kind.drop = drop_of

    return step


def _unmaintained(right):
    return lambda operation: right(operation) and not operation.name.startswith(("TLBI_", "IC_", "DC_"))


def _swapped(right):
    return lambda test, then, other, width: right(test, other, then, width)


def _signed(right):
    def extend(value, source, width):
        from corollary.proofs.machine import words

        return words.sign_extend(value, source, width)

    return extend


def _first_of_both(right):
    return lambda mine, theirs: right(mine, theirs) or mine


def _second_lost(right):
    return lambda mine, theirs: None if right(mine, theirs) is None else mine


def _one_for_all(right):
    def loosened(conditions):
        import z3

        from corollary.proofs.machine.sweep import is_input, nodes

        found = [node for node in nodes(conditions) if is_input(node) and node.num_args()]
        return [
            z3.substitute(condition, *((node, z3.Const(node.decl().name(), node.sort())) for node in found))
            for condition in conditions
        ]

    return loosened


def _not_stale(right):
    def start(self):
        path = right(self)
        path.heap = self.heap.fork()
        return path

    return start


def _one_too_many(right):
    def range_of(heap, place, first, count, value, *guard):
        from corollary.proofs.machine import words
        from corollary.proofs.machine.memory import ADDRESS

        right(heap, place, first, words.add(count, 1, ADDRESS), value, *guard)

    return range_of


def _nothing_before(right):
    from corollary.proofs.machine.heap import index_types

    return lambda heap, place: heap.base(place, index_types(place))


def _constants_lost(right):
    def normal(word):
        from corollary.proofs.machine import words
        from corollary.proofs.machine.memory import ADDRESS, linear

        found = right(word)
        return found if words.known(found) else words.subtract(found, linear(found).constant, ADDRESS)

    return normal


def _impossible(right):
    def premises(self):
        yield from right(self)
        yield False

    return premises


def _anyway(right):
    def run(self):
        found = right(self)
        return found if found.result == "refuted" else found._replace(result="proved", reason="")

    return run


def _nothing_left(right):
    def passed(self, type_, value):
        from corollary.language.types import is_scalar
        from corollary.proofs.machine import words
        from corollary.proofs.machine.memory import ADDRESS

        given = right(self, type_, value)
        return (
            words.extend(words.extract(given, 0, 8 * type_.storage, ADDRESS), 8 * type_.storage, ADDRESS)
            if is_scalar(type_)
            else given
        )

    return passed


def _rounds_less(right):
    def not_yet(condition, number):
        import z3

        return z3.And(right(condition, number), number == 0)

    return not_yet


def _as_if_certain(right):
    return lambda self, condition: condition if isinstance(condition, bool) else True


def _as_sleigh_has_it(right):
    return lambda mnemonic, operations: operations


def _float(name, what, wrong):
    """Return a wrong rule for a floating-point operation of the processor."""
    return Wrong(
        f"{name.lower().replace('_', '-')}-{what.replace(' ', '-')}", what, f"floats.RULES.{name}", lambda right: wrong
    )


def _like(name):
    """Give the result of another operation."""

    def wrong(_, width, *patterns):
        from corollary.proofs.machine import floats

        return floats.RULES[name](name, width, *patterns)

    return wrong


def _rounded_otherwise(name):
    return _float(name, "rounded otherwise", _like("frintz" if name != "frintz" else "frintn"))


def rules():
    """Return all wrong rules."""
    return (*rules_of_code(), *rules_of_floats(), *rules_of_handlers())


def rules_of_code():
    """Return wrong rules of words, the processor, and the proofs of the kernel's code."""
    from corollary.proofs.machine import instructions, words

    return (
        _table("WORDS", "COPY", "zero", lambda values, width, out: 0),
        _word("INT_ADD", "one too large", lambda a, b, width: words.add(words.add(a, b, width), 1, width)),
        _word("INT_SUB", "operands swapped", lambda a, b, width: words.subtract(b, a, width)),
        _word("INT_MULT", "sum", words.add),
        _word("LZCOUNT", "one more", lambda a, width: words.leading_zeros(a, width) + 1),
        _word("INT_DIV", "signed", lambda a, b, width: words.term(a, width) / words.term(b, width)),
        _word("INT_AND", "or", words.bits_or),
        _word("INT_OR", "exclusive or", words.bits_xor),
        _word("INT_XOR", "or", words.bits_or),
        _other("INT_NEGATE", "negated", "INT_2COMP"),
        _other("INT_2COMP", "complement", "INT_NEGATE"),
        _word(
            "INT_LEFT",
            "one too far",
            lambda a, b, width: (
                words.shift_left(words.shift_left(a, b, width), 1, width)
                if words.known(b)
                else words.shift_left(a, b, width)
            ),
        ),
        _other("INT_RIGHT", "signed", "INT_SRIGHT"),
        _other("INT_SRIGHT", "unsigned", "INT_RIGHT"),
        _other("INT_ZEXT", "signed", "INT_SEXT"),
        _other("INT_SEXT", "unsigned", "INT_ZEXT"),
        _other("INT_EQUAL", "not equal", "INT_NOTEQUAL"),
        _word("INT_NOTEQUAL", "equal", words.equal),
        _word("INT_SLESS", "unsigned", words.less),
        _word("INT_SLESS", "operands swapped", lambda a, b, width: words.less_signed(b, a, width)),
        _word("INT_LESSEQUAL", "less", words.less),
        _word("INT_LESSEQUAL", "signed", lambda a, b, width: words.negate(words.less_signed(b, a, width))),
        _table("FLAGS", "INT_CARRY", "lost", lambda a, b, width: False),
        _table("FLAGS", "INT_SCARRY", "lost", lambda a, b, width: False),
        _table("FLAGS", "INT_SBORROW", "lost", lambda a, b, width: False),
        _table(
            "FLAGS", "INT_SBORROW", "operands swapped", lambda a, b, width: words.negate(words.less_signed(b, a, width))
        ),
        _table("CONDITIONS", "BOOL_NEGATE", "as it is", lambda values: values[0]),
        _table("CONDITIONS", "BOOL_AND", "or", words.disjoin),
        _table("CONDITIONS", "BOOL_OR", "and", words.conjoin),
        Wrong("narrow-write-clears", "the upper part is lost", "processor.Registers.__setitem__", _nothing_above),
        Wrong("overwritten-register-stays", "parts keep what they held", "processor.Registers.alone", _always(None)),
        Wrong("any-register", "a function of the model may use all", "processor.Registers.allowed", _always(None)),
        Wrong(
            "any-use",
            "code may have instructions for other code",
            "processor.Core.uses",
            lambda right: frozenset(instructions.ROWS),
        ),
        Wrong(
            "unpredictable-words",
            "fields may hold anything",
            "instructions.WHERE",
            lambda right: dict.fromkeys(right, lambda word: True),
        ),
        Wrong("extract-off-by-one", "one bit too low", "words.extract", _from_below),
        Wrong(
            "concat-reversed", "the highest first", "words.concat", lambda right: lambda parts: right(list(parts)[::-1])
        ),
        Wrong("extend-signed", "copies of the sign", "words.extend", _signed),
        Wrong("meeting-bits-put-together", "of bits that meet, the first word's", "words.beside", _first_of_both),
        Wrong("second-word-lost", "the bits of the second word are zero", "words.beside", _second_lost),
        Wrong(
            "pieces-reversed",
            "the highest first",
            "words.pieces",
            lambda right: lambda value, width: right(value, width)[::-1],
        ),
        Wrong("choose-swapped", "the other word", "words.choose", _swapped),
        Wrong("factors-lost", "indices count bytes", "memory.linear", _factors_lost),
        Wrong("next-element", "the element behind it", "memory.Layout.position", _further),
        Wrong("index-believed", "no obligation", "memory.Layout.__init__", _unobliged),
        Wrong("stored-word-believed", "no obligation", "memory.decoded", _believing),
        Wrong("objects-never-overlap", "False", "memory.overlap", _always(False)),
        Wrong("always-apart", "nothing is looked at", "execute.FunctionCode.apart", _always(None)),
        Wrong("registers-not-kept", "preserved registers may change", "convention.demands", _undemanded("x19 is kept")),
        Wrong("stack-pointer-not-kept", "SP may change", "convention.demands", _undemanded("sp is kept")),
        Wrong("return-anywhere", "nothing is looked at", "convention.demands", _undemanded("goes to the caller")),
        Wrong(
            "link-not-kept", "a tail call hands on any return address", "convention.demands", _undemanded("x30 is kept")
        ),
        Wrong(
            "link-anywhere",
            "a callee may come back anywhere",
            "convention.demands",
            _undemanded("leads to the next instruction"),
        ),
        Wrong(
            "stack-between",
            "SP is a multiple of anything at a way out",
            "convention.demands",
            _undemanded("sp is a multiple"),
        ),
        Wrong("any-way-out", "all code may end in all ways", "convention.demands", _undemanded("no way out")),
        Wrong("tail-calls-believed", "nothing is demanded", "frames.Framed.obey", _obeys_but("TAIL_CALL")),
        Wrong("returns-believed", "nothing is demanded", "frames.Framed.obey", _obeys_but("RETURN")),
        Wrong("calls-believed", "nothing is demanded", "frames.Framed.obey", _obeys_but("CALL")),
        Wrong(
            "callees-lose-nothing", "no register", "convention.Convention.lost", lambda right: property(lambda self: ())
        ),
        Wrong("all-aligned", "True", "memory.multiple", _always(True)),
        Wrong("accesses-believed", "nothing is looked at", "frames.Framed.accessed", _always(None)),
        Wrong("stack-of-all", "nothing is looked at", "frames.Framed.own", _always(None)),
        Wrong("pairs-are-bytes", "1 byte", "alignment.of_pair", _always(1)),
        Wrong("all-defined", "True", "defined.is_total", _always(True)),
        Wrong("additional-believed", "no goals", "refine.Comparison.additional", _always(())),
        Wrong("obligations-forgotten", "nothing is obliged", "path.Path.oblige", _always(None)),
        Wrong("callee-changes-nothing", "nothing", "execute.FunctionCode.havoc", _always(None)),
        Wrong("all-is-passed", "True", "execute.FunctionCode.relies_on", _always(True)),
        Wrong("stack-of-any-type", "nothing is looked at", "execute.FunctionCode.typed", _always(None)),
        Wrong("assembly-changes-nothing", "no object", "contract.Contract.changed", _always([])),
        Wrong("callees-believed", "no goals", "contract.ContractComparison.additional", _always(())),
        Wrong("summaries-believed", "no goals", "contract.ContractComparison.summed_up", _always(())),
        Wrong("status-stays", "no register", "platform.STATUS", lambda right: ()),
        Wrong("any-callee", "True", "execute.FunctionCode.may_call", _always(True)),
        Wrong("one-side", "the other side of a branch is never taken", "execute.FunctionCode.branches", _one_side),
        Wrong("fields-not-compared", "no goals", "refine.Comparison.fields", _always([])),
        Wrong("arrays-not-compared", "no goals", "refine.Comparison.elements", _always([])),
        Wrong("results-not-compared", "no goals", "refine.Comparison.results", _always([])),
        Wrong("arguments-not-compared", "no difference", "refine.Comparison.unlike", _always("")),
        Wrong("goals-not-proved", "nothing is asked", "refine.Comparison.prove", _always(None)),
        Wrong("calls-left-over", "nothing is looked at", "refine.Comparison.nothing_left", _always(None)),
        Wrong("undefined-passed-over", "one more path", "refine.Comparison.compare", _compared_once),
        Wrong("all-certain", "True", "refine.Comparison.certain", _always(True)),
        Wrong("effects-forgotten", "maintenance is none", "platform.is_hardware", _unmaintained),
        Wrong("no-loops", "loops are unrolled", "platform.Platform.loop", _always(None)),
        Wrong("nothing-leads-back", "False", "platform.leads_to", _always(False)),
        Wrong("all-leads-back", "True", "platform.leads_to", _always(True)),
        Wrong("waiting-changes-nothing", "registers of the loop stay", "platform.Platform.step", _still),
        Wrong("rounds-believed", "the next round is not looked at", "platform.Platform.count", _goes_round),
        Wrong("clearing-believed", "no round is looked at", "platform.Platform.clear", _cleared),
        Wrong("no-strays", "False", "system.reaches", _always(False)),
        Wrong("must-ignored", "nothing is demanded", "contract.PathCheck.must", _always(None)),
        Wrong("no-secrets", "nothing is secret", "constant_time.Secrets.inside", _always("")),
        Wrong("division-in-constant-time", "no instruction is", "constant_time.VARIABLE_TIME", lambda right: ()),
        Wrong("stack-fits", "0 bytes", "bounds.Bounds.deepest", _always(0)),
    )


def rules_of_floats():
    """Return wrong rules of floating point, of the processor and of WebAssembly."""
    import z3

    from corollary.proofs.machine import floats

    return (
        _float("FLOAT_ADD", "of the first alone", lambda name, width, a, b: floats.calculated(name, width, a, a)),
        _float(
            "FLOAT_ADD",
            "NaN in either order",
            lambda name, width, a, b: floats.calculated(
                name, width, z3.If(z3.ULT(a, b), a, b), z3.If(z3.ULT(a, b), b, a)
            ),
        ),
        _float("FLOAT_SUB", "in either order", floats.either_way),
        _float("FLOAT_DIV", "in either order", floats.either_way),
        _float("FLOAT_MULT", "sum", _like("FLOAT_ADD")),
        _float(
            "FLOAT_SQRT", "without the sign", lambda name, width, a: floats.unknown(name, width, floats.magnitude(a))
        ),
        _float(
            "FLOAT_NAN",
            "infinity too",
            lambda name, width, a: z3.UGE(floats.magnitude(a), z3.BitVecVal(floats.INFINITY[a.size()], a.size())),
        ),
        _float("FLOAT_LESS", "as integers", lambda name, width, a, b: z3.And(floats.ordered(a, b), a < b)),
        _float("FLOAT_EQUAL", "as patterns", lambda name, width, a, b: z3.And(floats.ordered(a, b), a == b)),
        _float(
            "FLOAT_FLOAT2FLOAT",
            "one NaN",
            lambda name, width, a: z3.If(
                floats.is_nan(a),
                z3.BitVecVal(floats.NAN[width], width),
                floats.widened(a) if a.size() == 32 else floats.unknown(name, width, a),
            ),
        ),
        _float("fmin", "the first of equal ones", floats.chosen(lambda a, b: z3.If(floats.less(b, a), b, a))),
        _float(
            "fmax",
            "passes over a NaN",
            lambda name, width, a, b: z3.If(floats.is_nan(a), b, z3.If(floats.is_nan(b), a, floats.maximum(a, b))),
        ),
        *map(_rounded_otherwise, floats.ROUNDINGS),
        _float("fcvtzs", "without a sign", _like("fcvtzu")),
        _float("fcvtzu", "with a sign", _like("fcvtzs")),
        _float("scvtf", "without a sign", _like("ucvtf")),
        _float("ucvtf", "with a sign", _like("scvtf")),
        Wrong("ordered-with-nan", "True", "floats.ordered", lambda right: lambda a, b: z3.BoolVal(True)),
        Wrong(
            "infinity-is-nan",
            "infinity too",
            "floats.is_nan",
            lambda right: lambda a: z3.UGE(floats.magnitude(a), z3.BitVecVal(floats.INFINITY[a.size()], a.size())),
        ),
        Wrong("magnitude-with-sign", "the pattern", "floats.magnitude", lambda right: lambda a: a),
        Wrong(
            "equal-extremes",
            "of equal ones, the first",
            "floats.extreme",
            lambda right: lambda first, a, b, equal: right(first, a, b, a),
        ),
        Wrong(
            "calculated-any-nan",
            "NaN like numbers",
            "floats.some_nan",
            lambda right: lambda name, width, *patterns: z3.BitVecVal(floats.NAN[width], width),
        ),
        Wrong("canonical-any-nan", "the pattern", "floats.canonical", lambda right: lambda a: a),
        Wrong("all-fits", "all but NaN", "floats.fits", lambda right: lambda a, integers: z3.Not(floats.is_nan(a))),
        Wrong(
            "saturated-at-zero",
            "0 beyond the range",
            "floats.saturated",
            lambda right: (
                lambda name, width, a, integers: z3.If(
                    floats.fits(a, integers), floats.unknown(name, width, a), z3.BitVecVal(0, width)
                )
            ),
        ),
    )


def rules_of_handlers():
    """Return wrong rules of the instructions that only handlers have, and of the proofs of handlers."""
    from corollary.proofs.machine import words
    from corollary.proofs.machine.memory import ADDRESS

    return (
        Wrong("int-sdiv-unsigned", "unsigned", "beyond.BEYOND.INT_SDIV", lambda right: words.divide),
        Wrong(
            "popcount-less-the-lowest",
            "without the lowest bit",
            "beyond.BEYOND.POPCOUNT",
            lambda right: lambda a, width: right(words.bits_and(a, words.mask(width) - 1, width), width),
        ),
        Wrong(
            "rotates-left",
            "words of a hash are rotated to the left",
            "hashing.turned",
            lambda rule: lambda word, distance: rule(word, 32 - distance),
        ),
        Wrong(
            "schedule-repeats",
            "a word of the schedule is added to itself",
            "hashing.far",
            lambda rule: lambda word: word,
        ),
        Wrong(
            "halves-exchanged",
            "four rounds leave their halves in each other's place",
            "hashing.rounds",
            lambda rule: lambda x, y, w: rule(x, y, w)[::-1],
        ),
        Wrong("covered-lane-stays", "parts keep what they held", "lanes.Lanes.alone", _always(None)),
        Wrong("nothing-cleared", "what lies behind stays", "lift.cleared", _always(())),
        Wrong("addv-uncorrected", "as SLEIGH has it", "lift.CORRECTED.addv", _as_sleigh_has_it),
        Wrong("fcmp-uncorrected", "as SLEIGH has it", "lift.CORRECTED.fcmp", _as_sleigh_has_it),
        Wrong("fmin-uncorrected", "as SLEIGH has it", "lift.CORRECTED.fmin", _as_sleigh_has_it),
        Wrong("nothing-is-possible", "True", "conditions.Conditions.impossible", _always(True)),
        Wrong(
            "nothing-is-forgotten",
            "conditions stay",
            "conditions.Conditions.pop",
            lambda right: lambda self: self.saved.pop(),
        ),
        Wrong(
            "one-value-of-a-function",
            "one word for all applications of a function",
            "conditions.loosened",
            _one_for_all,
        ),
        Wrong("constants-of-sums-lost", "0", "sums.normal", _constants_lost),
        Wrong("all-is-near", "no condition", "sums.near", _always([])),
        Wrong(
            "parts-twice",
            "what is in both stays in one",
            "sums.parted",
            lambda right: lambda one, other: (*right(one, other)[:2], other),
        ),
        Wrong(
            "first-position",
            "position 0",
            "heap.part",
            lambda right: (
                lambda reference, *path: right(reference, *(name if isinstance(name, str) else 0 for name in path))
            ),
        ),
        Wrong("writes-not-read", "what was there before any write", "heap.read", _nothing_before),
        Wrong("range-unchanged", "nothing", "heap.range_of", _always(None)),
        Wrong("range-one-too-long", "one element more", "heap.range_of", _one_too_many),
        Wrong("call-changes-nothing", "nothing", "heap.leave_anything", _always(None)),
        Wrong("nothing-differs", "no goals", "heap.different", _always([])),
        Wrong(
            "fields-not-stale",
            "fields of the record hold what registers do",
            "interpreter.Interpreter.start",
            _not_stale,
        ),
        Wrong(
            "one-side-of-handlers",
            "the other side of a branch is never taken",
            "interpreter.Interpreter.branches",
            _one_side,
        ),
        Wrong("a-round-believed", "the next round is not looked at", "interpreter.Interpreter.same", _always(None)),
        Wrong(
            "stack-stays", "a callee leaves what lies below the stack pointer", "frames.Framed.abandon", _always(None)
        ),
        Wrong(
            "addresses-alike",
            "without conditions",
            "interpreter.Interpreter.alike",
            lambda right: lambda self, thread, *distances: words.equal(*distances[1:], width=ADDRESS),
        ),
        Wrong(
            "wide-signed",
            "copies of the sign",
            "interpreter.wide",
            lambda right: lambda number: words.sign_extend(number, 32, ADDRESS),
        ),
        Wrong("impossible-premise", "one that is never so", "handlers.Comparison.premises", _impossible),
        Wrong("no-premises", "none", "handlers.Comparison.premises", _always(())),
        Wrong("vacuous-is-proved", "proved without a path, or an answer", "handlers.Comparison.run", _anyway),
        Wrong("all-follows", "True", "handlers.Comparison.follows", _always(True)),
        Wrong("never-an-operation", "False", "handlers.Comparison.is_operation", _always(False)),
        Wrong("any-end", "no goals", "handlers.Comparison.ended", _always(())),
        Wrong("calls-not-compared", "no goals", "handlers.Comparison.same_calls", _always(())),
        Wrong("always-decided", "True", "handlers.Meaning.decided", _as_if_certain),
        Wrong("never-undefined", "nothing is known of what is defined", "handlers.Meaning.oblige", _always(None)),
        Wrong("nothing-moves", "nothing", "handlers.Meaning.on_Move", _always(None)),
        Wrong("nothing-fills", "nothing", "handlers.Meaning.on_Fill", _always(None)),
        Wrong(
            "meant-difference-swapped",
            "operands swapped",
            "handlers.BUILTINS.wrapping_sub",
            lambda right: lambda a, b, width: right(b, a, width),
        ),
        Wrong(
            "meant-sign-lost",
            "zeros above",
            "handlers.BUILTINS.sign_extend",
            lambda right: lambda a, b, width: words.extend(words.extract(a, 0, b, width), b, width),
        ),
        Wrong("meant-shift-too-far", "any distance", "handlers.BUILTINS.shift_left", lambda right: words.shift_left),
        Wrong("any-return", "no goals", "called.Comparison.ended", _always(())),
        Wrong("moved-anywhere", "nothing is obliged", "called.Entered.within", _always(None)),
        Wrong("given-nothing-below", "zeros", "called.Entered.passed", _nothing_left),
        Wrong("ended-before", "one round less", "interpreter.not_yet", _rounds_less),
        Wrong(
            "remainder-added",
            "the quotient times the divisor is added",
            "handlers.remainder",
            lambda right: lambda a, b, quotient: a + quotient * b,
        ),
    )


NAMED = {rule.name: rule for rule in rules()}
