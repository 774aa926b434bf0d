"""Which obligations does each step have, and what does the solver answer?

Level 1: arithmetic fits, indices are in range, every status can be reached. Level 2: every invariant survives the step.
Level 3: every theorem about the step holds, and a refused call changes nothing but the books.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import z3

from corollary.language.component import GIVEN, STATE
from corollary.language.frontend import translate
from corollary.language.property import Property
from corollary.language.reads import remembered_property
from corollary.language.types import is_scalar
from corollary.proofs import bits, conserved, outcome, secret, witnesses
from corollary.proofs.engine import EFFORT, SOON, Z3, Question, Search, Verdict
from corollary.proofs.frame import frame_goal
from corollary.proofs.pair import Pair, PairQuestion, alike, onlooker, same_answer, unread
from corollary.proofs.replay import Counterexample, actor_of, replay, replay_both
from corollary.proofs.respect import disturbed, respect_goal
from corollary.proofs.symbolic import TOP, belongs
from corollary.proofs.transition import Run, Transition, nothing
from corollary.proofs.unwinding import determined, diverged, handed_on, released_after, revealed, told_by_sight

REACHES = "reaches-"  # prefix of the label of an obligation that a status can happen
PAIR_EFFORT = 2 * EFFORT  # of two runs: a false promise is shown by two valid states, which takes many rounds
ANY_STATE = "any state"  # the step that does nothing


@dataclass
class ObligationResult:
    """One obligation and how it was decided."""

    id: str
    level: int
    property: str
    operation: str
    result: str
    seconds: float
    sentence: str = ""
    cached: bool = False
    solver: str = Z3
    rounds: int = 0
    assumptions: list = field(default_factory=list)
    reason: str = ""
    counterexample: Any = None
    figures: dict = field(default_factory=dict)  # of machine code: its paths and bounds
    state: Any = None  # as `witnesses.written`: it shows that something can happen

    def after(self, earlier):
        """Return this row with what an earlier one took and, if that one proved a part, with what it rests on."""
        self.seconds, self.rounds = self.seconds + earlier.seconds, self.rounds + earlier.rounds
        if earlier.result == "proved":
            self.solver = ", ".join(sorted({*self.solver.split(", "), *earlier.solver.split(", ")}))
            self.assumptions = sorted({*self.assumptions, *earlier.assumptions})
        return self


def _met(obligation):
    """Return the condition that an obligation holds wherever it applies."""
    return bits.disjoin([bits.negate(obligation.guard.term), obligation.condition])


def first_missed(verdict, obligations):
    """Return the first obligation that a candidate violates, or None."""
    model = verdict.candidate.hashes["model"]
    return next((o for o in obligations if z3.is_false(model.eval(bits.truth(_met(o)), model_completion=True))), None)


def in_range(quantified):
    """Return the conditions that quantified variables are of their types."""
    return [belongs(term, type_) for _, type_, term in quantified]


class Step:
    """All questions about one transition."""

    def __init__(self, transition, question=Question):
        self.transition, self.question, self.component = transition, question, transition.component
        self.run = Run(transition, named=True)
        self.invariants = self.component.invariants
        self.premises = self.preconditions()

    def preconditions(self, run=None):
        """Return the preconditions: a hypercall comes from a running partition; an unknown one names no operation."""
        run = run or self.run
        premises = [*run.within, *([run.premise] if hasattr(run, "premise") else [])]
        if self.transition.hypercall:
            idle = run.place(STATE).field("idle", self.component.state.fields["idle"])
            premises.append(bits.negate(run.before.read(idle, [], TOP)))
        return premises

    def names(self):
        """Return the ids of all obligations of the step, without deciding them."""
        return [name for name, _, _ in self.questions()]

    def questions(self):
        """Yield `(id, level, decide)` for each obligation."""
        name = self.transition.name
        for source in self.sources():
            yield f"{name}/well-formed-{source}", 1, lambda source=source: self.well_formed(source)
        for status in self.statuses():
            yield f"{name}/{REACHES}{status.name}", 1, lambda status=status: self.cover(status)
        for property_ in self.component.invariants.values():
            yield f"{name}/{property_.id}", 2, lambda property_=property_: self.preserves(property_)
        for property_ in self.component.conserved.values():
            yield f"{name}/{property_.id}", 2, lambda property_=property_: self.conserves(property_)
        for property_ in self.component.theorems.values():
            if self.transition.speaks(property_):
                yield f"{name}/{property_.id}", 3, lambda property_=property_: self.theorem(property_)
        if self.promised:
            yield from outcome.questions(self)
        if self.component.secret:
            yield f"{name}/{secret.KEY}", secret.LEVEL, lambda: secret.question(self)
        if self.transition.hypercall or self.promised:
            yield f"{name}/FRAME", 3, self.frame
        if self.component.view:
            yield from self.questions_of_sight(name)

    def questions_of_sight(self, name):
        """Yield the same for who sees what."""
        if self.transition.hypercall or self.transition.operation is not None:
            yield f"{name}/{RESPECT.id}", 3, self.respect
            yield f"{name}/{ANSWER.id}", 3, self.answer
        for part in self.component.view.parts if not self.transition.from_zero else ():
            yield f"{name}/{SHOWN.id}-{part}", 3, lambda part=part: self.shown(part)
            yield f"{name}/{LEFT.id}-{part}", 3, lambda part=part: self.left(part)

    @property
    def promised(self):
        """Must it be said when the step succeeds, and what it does?"""
        return self.transition.operation is not None and self.transition.operation.promised

    def statuses(self):
        """Return the statuses that the operation itself can return."""
        status = translate(self.transition.operation.function).returns if self.promised else None
        if status is None:
            return []
        return sorted({status(value) for _, value in self.run.returns.get(self.symbol, []) if bits.known(value)})

    # ---- the questions

    def row(self, id_, level, property_, verdict, sentence, **more):
        operation = self.transition.name
        return ObligationResult(
            id_,
            level,
            property_,
            operation,
            verdict.result,
            verdict.seconds,
            sentence,
            rounds=verdict.rounds,
            assumptions=sorted(set(verdict.assumptions)),
            reason=verdict.reason,
            **{"solver": verdict.solver} | more,
        )

    def sources(self):
        """Return the modules whose statements carry obligations in this step."""
        return sorted({Path(o.where).stem for o in self.run.obligations})

    def well_formed(self, source):
        """Decide that all results in one module fit, indices are in range, and conversions belong to their types."""
        mine = [o for o in self.run.obligations if Path(o.where).stem == source]
        verdict = Question(self.run, self.invariants).decide(self.premises, bits.conjoin([_met(o) for o in mine]))
        id_, sentence = (
            f"{self.transition.name}/well-formed-{source}",
            f"{len(mine)} results in {source} fit, indices are in range, conversions belong",
        )
        if verdict.result == "refuted":
            broken = first_missed(verdict, mine) or mine[0]
            verdict.reason = f"{broken.what} at {broken.where}"
        return self.row(
            id_,
            1,
            "well-formed",
            verdict,
            sentence,
            counterexample=self.witness(verdict, "well-formed") if verdict.result == "refuted" else None,
        )

    def cover(self, status):
        """Decide whether there is a state from which the operation returns this status.

        The state is kept, or found now; either way it is replayed in the model.
        """
        id_, sentence = f"{self.transition.name}/{REACHES}{status.name}", f"{status.name} can happen"
        kept = witnesses.shown(id_, lambda example: self.shows(example, status), self.component)
        if kept:
            state, seconds = kept
            verdict = Verdict("proved", seconds)
            return self.row(id_, 1, "reachable", verdict, sentence, solver=witnesses.SOLVER, state=state)
        verdict, state = self.sought(status)
        return self.row(id_, 1, "reachable", verdict, sentence, state=state)

    def shows(self, example, status):
        """Is a kept state valid, and does the operation itself return a status from it, in the model, too?"""
        if not witnesses.is_met(example, self.transition, self.invariants) or self.ended(example) != status:
            return False
        return status in witnesses.returned(example, self.transition).get(self.symbol, ())

    def sought(self, status):
        """Search for a state from which the operation returns a status.

        Return the verdict, and the state as `written`, or None.
        """
        guards = [guard.term for guard, value in self.run.returns[self.symbol] if bits.known(value) and value == status]
        verdict, state = Search(self.run, self.invariants).decide([*self.premises, bits.disjoin(guards)], False), None
        if verdict.result == "refuted":
            example = self.witness(verdict, "cover")
            told = self.ended(example, verdict.candidate.hashes["model"])
            verdict.result = "proved" if told == status else "unknown"
            verdict.reason = "" if told == status else f"the model returns {told.name}"
            state = witnesses.written(example)
        elif verdict.result == "proved":
            verdict.result, verdict.reason = "refuted", "no state leads to this status"
        return verdict, state

    def ended(self, example, solver_model=None):
        """Return the status that the model returns from a state; the state itself does not change."""
        return replay(replace(example, roots=dict(example.roots)), self.transition, ALWAYS, solver_model).status

    @property
    def symbol(self):
        """The symbol of the operation's own function."""
        return translate(self.transition.operation.function).symbol

    def preserves(self, property_):
        """Decide that the invariant holds after the step, at fresh indices."""
        quantified = self.fresh(property_)
        goal, _ = self.run.evaluate(property_.function, self.arguments(property_, quantified), self.run.after)
        return self.decide(property_, 2, quantified, goal)

    def conserves(self, property_):
        """Decide that all rows count for as much after the step as before."""
        try:
            premise, goal = conserved.goal_of(self.run, property_)
        except conserved.Uncountable as problem:
            return self.row(
                f"{self.transition.name}/{property_.id}",
                2,
                property_.id,
                Verdict("unknown", 0.0, reason=str(problem)),
                property_.sentence,
            )
        named = Property(property_.id, property_.sentence, ALWAYS.function)
        return self.decide(
            named,
            2,
            [],
            goal,
            lambda example: conserved.is_conserved(example, property_, self.transition.from_zero),
            premises=[premise],
        )

    def theorem(self, property_):
        """Decide that the theorem holds between the states before and after."""
        quantified = self.fresh(property_)
        goal, obligations = self.run.evaluate(property_.function, self.arguments(property_, quantified))
        return self.decide(property_, 3, quantified, goal, computed=obligations)

    def frame(self):
        """Decide that a call that is refused changes nothing but the books."""
        quantified, goal = frame_goal(self.run)
        return self.decide(
            Property("FRAME", "a refused call changes only the log and the caller's account", ALWAYS.function),
            3,
            quantified,
            goal,
        )

    def respect(self, interferences=None):
        """Decide local respect: what an observer sees by itself stays the same, unless the call names the observer."""
        quantified, goal = respect_goal(self.run, interferences)
        return self.decide(
            RESPECT, 3, quantified, goal, lambda example: not disturbed(example, self.transition, interferences)
        )

    def released(self, rows):
        """Return what is released: the given rows, or those that the component declares."""
        return self.component.view.released if rows is None else rows

    def answer(self, released=None):
        """Decide output consistency: two states alike to the caller give the same call the same answer."""

        def judged(example):
            states = [example.roots[root] for root in self.pair.runs]
            actor, view = actor_of(example, self.transition), self.component.view
            return example.holds or not alike(states[0], states[1], actor, view)

        rows = self.released(released)
        return self.of_pairs(lambda pair: self.decide_pair(self.about(pair, rows), ANSWER, same_answer(pair), judged))

    def shown(self, part, disclosures=None):
        """Decide that what anybody sees after the step was seen before by them or the actor, or the step made it."""
        quantified, goal = handed_on(self.unnamed, part, disclosures)
        return self.decide(
            SHOWN,
            3,
            quantified,
            goal,
            lambda example: not revealed(example, self.transition, part, disclosures),
            part,
            run=self.unnamed,
        )

    def left(self, part, released=None):
        """Decide what a step leaves in some tables.

        It depends only on what was there, on what the actor sees, and on what is released.
        """
        return self.of_pairs(lambda pair: self.left_by(pair, part, self.released(released)))

    def left_by(self, pair, part, released):
        """Decide the same for one pair of runs."""
        variables, premises, goals = determined(pair, part)
        premises += released_after(pair, released)
        premises += [same_answer(pair)] if self.transition.hypercall else []
        question = self.about(pair, released, premises, variables)
        question.wanders = True

        def decide(goal, effort=PAIR_EFFORT):
            return self.decide_pair(
                question, LEFT, goal, lambda example: not diverged(example, self.transition, part), part, effort
            )

        row = decide(bits.conjoin(goals), SOON)
        for goal in goals if row.result != "proved" else ():
            row = decide(goal).after(row)
            if row.result != "proved":
                return row
        return row

    def of_pairs(self, decide):
        """Decide with a pair of runs.

        If the counterexample is not the model's, decide with a pair in which more functions are looked into.
        """
        row = decide(self.pair)
        return decide(Pair(self.transition, unread(self.component, False))) if row.reason == UNREAL else row

    def about(self, pair, released, premises=(), variables=()):
        """Return a question with what is known of two runs that are alike to the actor."""
        question = PairQuestion(pair, self.invariants, pair.acting, released, PAIR_EFFORT, variables)
        question.prepare([*(premise for run in pair.runs.values() for premise in self.preconditions(run)), *premises])
        return question

    def decide_pair(self, known, property_, goal, judged, part="", effort=PAIR_EFFORT):
        """Decide a goal about two runs; a counterexample must replay in the model, too."""
        question = known.fork(effort)
        verdict, id_ = question.decide(goal), labelled(property_, part)
        example = None
        if verdict.result == "refuted":
            example = replay_both(self.witness(verdict, id_), self.transition, verdict.candidate.hashes["model"])
            example.holds = judged(example)
            if example.holds:
                verdict.result, verdict.reason = "unknown", UNREAL
        return self.row(
            f"{self.transition.name}/{id_}", 3, property_.id, verdict, property_.sentence, counterexample=example
        )

    @remembered_property
    def unnamed(self):
        """The step, executed without names for what walks compute.

        What two looks at a state have in common matters here.
        """
        return Run(self.transition)

    @remembered_property
    def pair(self):
        """The step, executed from two states."""
        return Pair(self.transition)

    def fresh(self, property_):
        """Return a variable for each index that a property quantifies over: `(name, type, term)`."""
        told = self.told(property_)
        named = {*self.component.types, *GIVEN}
        return [
            ("?" + p.name, p.type, z3.Const("?" + p.name, bits.sort(p.type)))
            for p in translate(property_.function).parameters
            if p.name not in named and "?" + p.name not in told
        ]

    def told(self, property_):
        """Return the parameters of the step by name, for a property that names the step; else nothing."""
        if not self.transition.is_named(property_):
            return {}
        return {"?" + name: term for name, (_, term) in self.run.scalars.items()}

    def arguments(self, property_, quantified):
        """Return the arguments of a property: states, call, status and actor by their names, then the variables."""
        parameters = translate(property_.function).parameters
        terms = {name: term for name, _, term in quantified} | {"?status": self.run.status} | self.told(property_)
        if any(p.name == "actor" for p in parameters):
            terms["?actor"] = self.run.actor
        return [terms["?" + p.name] if is_scalar(p.type) else self.run.place(p.name) for p in parameters]

    def state_of(self, property_):
        """Return the state before the step, for a property of one state; None for theorems, which see both states."""
        return None if property_.id in self.component.theorems else self.run.before

    def decide(self, property_, level, quantified, goal, judged=None, part="", computed=(), premises=(), run=None):
        """Decide a goal for all values of the indices that it quantifies over.

        The obligations in `computed` must hold for the goal to have a value at all.
        """
        question = self.question(run or self.run, self.invariants, EFFORT, quantified)
        goal = bits.conjoin([*map(_met, computed), goal])
        verdict, id_ = (
            question.decide([*self.premises, *premises, *in_range(quantified)], goal),
            labelled(property_, part),
        )
        example = None
        if verdict.result == "refuted":
            example = self.witness(verdict, id_)
            missed = first_missed(verdict, computed)
            if missed is not None:
                verdict.reason = f"{property_.id} has no value: {missed.what} at {missed.where}"
            elif property_.id != "FRAME":
                replay(example, self.transition, property_, verdict.candidate.hashes["model"], judged)
                if example.holds:
                    verdict.result, verdict.reason = "unknown", "the candidate does not replay in the model"
        return self.row(
            f"{self.transition.name}/{id_}", level, property_.id, verdict, property_.sentence, counterexample=example
        )

    def witness(self, verdict, property_id):
        candidate = verdict.candidate
        return Counterexample(self.transition.name, property_id, candidate.roots, candidate.scalars)


def labelled(property_, part):
    """Return the id of a property, or of its part about some tables."""
    return f"{property_.id}-{part}" if part else property_.id


def _always() -> bool:
    return True


UNREAL = "the candidates do not replay in the model"
ALWAYS = Property("ALWAYS", "", _always)
SIGHT = Property(
    "NI-0",
    "being alike is an equivalence: who sees something agrees on it in states that are alike, as sight depends on "
    "nothing unseen",
    ALWAYS.function,
)
RESPECT = Property(
    "NI-1",
    "local respect: what an observer sees by itself stays as it was, unless the call names the observer",
    ALWAYS.function,
)
ANSWER = Property(
    "NI-2",
    "output consistency: what a call answers depends on nothing but what its caller sees, and on what is released",
    ALWAYS.function,
)
SHOWN = Property(
    "NI-3",
    "step consistency, of one run: what anyone sees after a step was seen before, by the same or by who acts, or the "
    "step made it",
    ALWAYS.function,
)
LEFT = Property(
    "NI-4",
    "step consistency, of two runs: what a step leaves depends on nothing but what was there, on what who acts sees, "
    "and on what is released",
    ALWAYS.function,
)
CONSISTENT = Property(
    "NI-5",
    "weak step consistency follows: states that are alike to an observer and to who acts are alike to the observer "
    "after any step of which NI-2 to NI-4 hold",
    ALWAYS.function,
)


def is_about_two_runs(id_):
    """Is an obligation about two runs of its step, or two endings?"""
    return id_.split("/", 1)[1].startswith((ANSWER.id, SHOWN.id, LEFT.id, outcome.SETTLED, secret.KEY))


def corollary_step(component):
    """Return the step that does nothing, from any state that satisfies the invariants."""
    return Step(Transition(ANY_STATE, nothing, component=component))


def corollary_questions(step):
    """Yield `(id, level, decide)` for every obligation about any state.

    Among these are every corollary, which follows from the invariants alone, and that what every invariant computes is
    well-formed.
    """
    for property_ in step.component.invariants.values():
        if demands(step, property_):
            yield f"{ANY_STATE}/{property_.id}-well-formed", 1, lambda property_=property_: computed(step, property_)
    if step.component.view:
        yield from questions_of_tables(step)
    for property_ in step.component.corollaries.values():
        yield f"{ANY_STATE}/{property_.id}", 3, lambda property_=property_: corollary(step, property_)
    if step.component.view:
        yield from questions_of_sight(step)


def questions_of_tables(step):
    """Yield the same for what the tables about who sees what compute."""
    for function in dict.fromkeys(row.function for table in step.component.view.tables for row in table):
        yield f"any state/{function.__name__}-well-formed", 1, lambda function=function: meaningful(step, function)


def questions_of_sight(step):
    """Yield the same for who sees what."""
    view = step.component.view
    for sees in dict.fromkeys(row.function for row in view.observations):
        yield f"any state/{SIGHT.id}-{sees.__name__}", 3, lambda sees=sees: sight(step, sees)
    if view.exists:
        yield f"any state/{view.exists.__name__}-somebody", 1, lambda: inhabited(step)
    for row in view.known:
        yield f"any state/{SIGHT.id}-{row.function.__name__}", 3, lambda row=row: known(step, row.function)
    for row in view.implied:
        yield f"any state/{SIGHT.id}-{row.function.__name__}", 3, lambda row=row: implied(step, row)


def inhabited(step):
    """Decide that some valid state has an observer: of nobody, everything about who sees what would hold."""
    exists, type_ = step.component.view.exists, step.component.actor
    observer = ("?observer", type_, z3.Const("?observer", bits.sort(type_)))
    there = step.run.about(exists, observer[2], state=step.run.before)
    verdict = Search(step.run, step.invariants, EFFORT, [observer]).decide([*in_range([observer]), there], False)
    if verdict.result == "refuted":
        example = step.witness(verdict, "observer")
        found = exists(example.roots[STATE], type_.coerce(example.scalars["?observer"]))
        verdict.result, verdict.reason = ("proved", "") if found else ("unknown", UNREAL)
    elif verdict.result == "proved":
        verdict.result, verdict.reason = "refuted", "no state has an observer: nothing is said about anybody"
    return step.row(
        f"any state/{exists.__name__}-somebody", 1, "observer", verdict, f"{exists.__name__} holds of somebody"
    )


def corollary(step, property_):
    """Decide one corollary, and that what it computes is well-formed."""
    quantified = step.fresh(property_)
    goal, obligations = step.run.evaluate(property_.function, step.arguments(property_, quantified), step.run.before)
    return step.decide(property_, 3, quantified, goal, computed=obligations)


def computed(step, property_):
    """Decide that an invariant computes within ranges wherever all invariants hold: the kernel evaluates it, too."""
    named = Property(
        f"{property_.id}-well-formed",
        f"what {property_.id} computes fits, and its indices are in range",
        property_.function,
    )
    return step.decide(named, 1, step.fresh(property_), True, computed=demands(step, property_))


def meaningful(step, function):
    """Decide that a predicate about who sees, learns or may change something always has a value.

    It has one in any two states that satisfy all invariants, one after the other or not.
    """
    parameters = [p for p in translate(function).parameters if p.name not in step.component.types]
    fresh = [(f"?{p.name}", p.type, z3.Const(f"?{p.name}", bits.sort(p.type))) for p in parameters]
    goal = bits.conjoin(
        map(_met, step.pair.obligations(function, {p.name: term for p, (_, _, term) in zip(parameters, fresh)}))
    )
    question = PairQuestion(step.pair, step.invariants, [], (), EFFORT, fresh)
    question.prepare(in_range(fresh))
    verdict = question.decide(goal)
    return step.row(
        f"any state/{function.__name__}-well-formed",
        1,
        "well-formed",
        verdict,
        f"what {function.__name__} computes fits, and its indices are in range",
    )


def demands(step, property_):
    """Return the obligations of what a property computes in one state."""
    _, obligations = step.run.evaluate(
        property_.function, step.arguments(property_, step.fresh(property_)), step.run.before
    )
    return obligations


def sight(step, sees):
    """Decide that an observer sees the same places in states that are alike to it."""
    return of_sight(step, sees, slice(None))


def implied(step, row):
    """Decide that what is implied by seeing a scalar is the same in states that are alike to the observer."""
    return of_sight(
        step, row.function, slice(0), lambda looking, indices: told_by_sight(step.pair, row, looking, indices)
    )


def known(step, function):
    """Decide that what an observer can tell is the same in states that are alike to it."""
    return of_sight(step, function, slice(1))


def of_sight(step, function, part, goal=None):
    """Decide that a function has the same value in two states that are alike to an observer, at any indices.

    Before the indices, the function takes a part of the observer's look: the observer, or also its slot. Another goal
    may be given.
    """
    (variables, looking), parameters = onlooker(step.component), translate(function).parameters
    indices = [p for p in parameters if is_scalar(p.type)][len(looking.look[part]) :]
    fresh = [(f"?{p.name}", p.type, z3.Const(f"?{p.name}", bits.sort(p.type))) for p in indices]
    terms = [term for _, _, term in fresh]
    released, variables = step.released(None), [*variables, *fresh]
    question = PairQuestion(step.pair, step.invariants, [looking], released, PAIR_EFFORT, variables)
    question.prepare([])
    wanted = goal(looking, terms) if goal else step.pair.same(function, [step.pair.state, *looking.look[part], *terms])
    verdict, id_ = question.decide(wanted), f"{ANY_STATE}/{SIGHT.id}-{function.__name__}"
    return step.row(id_, 3, SIGHT.id, verdict, SIGHT.sentence)
