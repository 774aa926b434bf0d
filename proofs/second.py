"""What does another solver say? Bitwuzla is asked what Z3 does not find soon.

With `COROLLARY_SECOND` set, Z3 goes on alone, and all that it finds unsatisfiable is put to Bitwuzla, too. Then a
disagreement, or no answer, fails the obligation that asked.
"""

import importlib.metadata
import re

import z3

from corollary.language.reads import option

SWITCH = "COROLLARY_SECOND"
PATIENCE = 3_000_000  # looks, some 60 s; then as many again with products and quotients abstracted at first
BRIEFLY = 2_000_000  # looks: unlike seconds they are as many on every machine; after them Z3 goes on
NARROW = 16  # bits from which on products and quotients are abstracted
LIKE_A_LET = re.compile(r"\(declare-\S+ \|?[?$]x\d+\b")  # Z3 names what terms share so, and means another thing
Z3_FITS = "(bvumul_noovfl "
Z3_WORDS = ("ext_rotate_left", "ext_rotate_right", "fp.to_ieee_bv")


class Disagreement(Exception):
    """The second solver does not confirm an `unsat` of the first."""


def asked():
    """Is a second opinion wanted?"""
    return option(SWITCH) == "1"


def name():
    """Return the name of the second solver."""
    return f"bitwuzla {importlib.metadata.version('bitwuzla')}"


def refutes(solver):
    """Does the second solver soon find that the assertions of a Z3 solver are unsatisfiable?

    A text that it cannot read, such as of a constant with the name of a function of the standard, refutes nothing.
    """
    from bitwuzla import BitwuzlaException

    try:
        return asked_for(problem(solver), BRIEFLY) == "unsat"
    except (BitwuzlaException, MemoryError):
        return False


def confirm(solver):
    """Put all assertions of a Z3 solver to the second solver, if wanted. Raises `Disagreement` unless it agrees."""
    if not asked():
        return
    answer = opinion(problem(solver))
    if answer != "unsat":
        raise Disagreement(f"z3 says unsat, bitwuzla {answer}")


def impossible(solver):
    """Are the assertions of a Z3 solver unsatisfiable, to both solvers if wanted? Raises `Disagreement`."""
    if solver.check() != z3.unsat:
        return False
    confirm(solver)
    return True


def problem(solver):
    """Return the assertions of a Z3 solver in SMT-LIB, without functions that only Z3 has, except for one."""
    text = solver.to_smt2()
    if not any(word in text for word in Z3_WORDS):
        return text
    plain, facts, known = z3.Solver(ctx=solver.ctx), [], {}
    plain.add(*(spelled(formula, known, facts) for formula in solver.assertions()), *facts)
    return plain.to_smt2()


def spelled(formula, known, facts):
    """Replace the functions that only Z3 has in a formula by those of the standard.

    `facts` collects what is known of new unknowns; `known` holds the terms that were met.
    """
    pending = [formula]
    while pending:
        term = pending[-1]
        new = [child for child in term.children() if child.get_id() not in known]
        if new:
            pending += new
            continue
        pending.pop()
        if term.get_id() not in known:
            known[term.get_id()] = (
                term,
                in_standard(term, [known[child.get_id()][1] for child in term.children()], facts),
            )
    return known[formula.get_id()][1]


def in_standard(term, operands, facts):
    """Return a term with other operands: rotations as shifts, and a number's bits as any bits that mean it."""
    kind = term.decl().kind()
    if kind in (z3.Z3_OP_EXT_ROTATE_LEFT, z3.Z3_OP_EXT_ROTATE_RIGHT):
        word, width = operands[0], z3.BitVecVal(term.size(), term.size(), term.ctx)
        distance = z3.URem(operands[1], width)
        back = z3.URem(width - distance, width)
        left, right = (distance, back) if kind == z3.Z3_OP_EXT_ROTATE_LEFT else (back, distance)
        return word << left | z3.LShR(word, right)
    if kind == z3.Z3_OP_FPA_TO_IEEE_BV:
        number = z3.FreshConst(term.sort())
        meant = z3.fpToFP(number, operands[0].sort(), ctx=term.ctx) == operands[0]
        facts.append(z3.Or(z3.fpIsNaN(operands[0], term.ctx), meant))
        return number
    return term.decl()(*operands) if operands else term


def opinion(text):
    """Return Bitwuzla's answer to a problem in SMT-LIB."""
    answer = asked_for(text)
    return answer if answer != "unknown" else asked_for(text, abstraction=True, abstraction_bv_size=NARROW)


def asked_for(text, patience=None, **chosen):
    """Return Bitwuzla's answer with some options, within some looks; `unknown` of a text that it may misread."""
    import bitwuzla

    if LIKE_A_LET.search(text):
        return "unknown"
    options = bitwuzla.Options()
    for name, value in chosen.items():
        options.set(getattr(bitwuzla.Option, name.upper()), value)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(standard(text).replace("(check-sat)", ""), True, False)
    solver, interrupted = parser.bitwuzla(), []
    solver.configure_terminator(given_up(patience or PATIENCE, interrupted).__next__)
    answer = str(solver.check_sat())
    if interrupted:
        raise interrupted[0]
    return answer


def given_up(looks, interrupted):
    """Yield whether to give up, each time that Bitwuzla looks: after so many, and once the process is interrupted.

    Bitwuzla goes on after an exception of whom it asks, so it is kept. A generator catches it at any moment, a
    function not before its first line.
    """
    try:
        for _ in range(looks):
            yield False
    except (KeyboardInterrupt, SystemExit) as interrupt:
        interrupted.append(interrupt)
    while True:
        yield True


def standard(text):
    """Replace Z3's own predicate for products that fit by the standard's."""
    while Z3_FITS in text:
        start = text.index(Z3_FITS)
        at, depth = start, 0
        while True:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
            if not depth:
                break
        text = f"{text[:start]}(not (bvumulo {text[start + len(Z3_FITS) : at]}){text[at:]}"
    return text
