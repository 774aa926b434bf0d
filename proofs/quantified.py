"""Do the proofs hold up when every invariant is assumed at all indices at once? The slow cross-check.

`python -m corollary.proofs.quantified COMPONENT [TEXT] [--seconds S]` asks the solver each question again, with
quantified invariants in place of chosen instances. It may find no answer, which counts for nothing; it must never find
a state.
"""

import argparse
import time

import z3
from rich.console import Console
from rich.progress import track

from corollary.language.component import STATE, declared
from corollary.language.frontend import translate
from corollary.proofs import bits
from corollary.proofs.engine import Question, Verdict
from corollary.proofs.prove import Step
from corollary.proofs.transition import transitions

ANSWERS = {"unsat": "proved", "unknown": "unknown", "sat": "contradicted"}


class QuantifiedQuestion(Question):
    """A question with all invariants as universally quantified assumptions."""

    seconds = 5.0

    def decide(self, premises, goal):
        """One call of the solver: `proved`, `unknown`, or `contradicted` when it claims a state."""
        start = time.process_time()
        solver = z3.Solver()
        solver.set("timeout", int(self.seconds * 1000))
        solver.add(*(bits.truth(premise) for premise in (*premises, bits.negate(goal))))
        solver.add(*map(self.quantify, self.invariants.values()))
        return Verdict(ANSWERS[str(solver.check())], time.process_time() - start)

    def quantify(self, property_):
        """Return an invariant about the state before the step, for all indices."""
        parameters = translate(property_.function).parameters[1:]
        variables = [z3.FreshConst(bits.sort(p.type)) for p in parameters]
        value, _ = self.run.evaluate(property_.function, [self.run.place(STATE), *variables], self.run.before)
        return z3.ForAll(variables, bits.truth(value)) if variables else bits.truth(value)


def questions(component, text):
    """Yield every question about an invariant or a theorem of a component whose id contains `text`."""
    for transition in transitions(component):
        step = Step(transition, QuantifiedQuestion)
        yield from ((id_, decide) for id_, level, decide in step.questions() if level > 1 and text in id_)


def main():
    """Run the cross-check; 1 when the solver claims a state that breaks a promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("component", help="its name, as `kernel`")
    parser.add_argument("text", nargs="?", default="")
    parser.add_argument("--seconds", type=float, default=QuantifiedQuestion.seconds, help="for each question")
    options = parser.parse_args()
    QuantifiedQuestion.seconds = options.seconds
    answers = {answer: [] for answer in ANSWERS.values()}
    for id_, decide in track(list(questions(declared(options.component), options.text)), "quantified"):
        answers[decide().result].append(id_)
    console = Console()
    console.print(
        f"{len(answers['proved'])} proved again, {len(answers['unknown'])} without an answer, "
        f"{len(answers['contradicted'])} contradicted"
    )
    for id_ in answers["contradicted"]:
        console.print(f"[red]contradicted[/] {id_}")
    return 1 if answers["contradicted"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
