"""Does another solver agree? With `COROLLARY_SECOND` set, whatever Z3 calls impossible is put to Bitwuzla, too.

A disagreement, or no answer, fails the obligation that asked.
"""

import importlib.metadata
import os

SWITCH = "COROLLARY_SECOND"
PATIENCE = 120_000      # ms
Z3_FITS = "(bvumul_noovfl "


class Disagreement(Exception):
    """The second solver does not call impossible what the first one does."""


def asked():
    """Is a second opinion wanted?"""
    return os.environ.get(SWITCH) == "1"


def mark():
    """What keys of the cache hold besides, when a second opinion is wanted."""
    return f"bitwuzla {importlib.metadata.version('bitwuzla')}" if asked() else ""


def confirm(solver):
    """Put all that a Z3 solver holds to the second one, if that is wanted; raises `Disagreement`."""
    if not asked():
        return
    answer = opinion(solver.to_smt2())
    if answer != "unsat":
        raise Disagreement(f"z3 says unsat, bitwuzla {answer}")


def opinion(text):
    """What Bitwuzla says of a problem in SMT-LIB."""
    import bitwuzla
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, PATIENCE)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(standard(text).replace("(check-sat)", ""), True, False)
    return str(parser.bitwuzla().check_sat())


def standard(text):
    """The text with Z3's own predicate for products that fit in the words of the standard."""
    while Z3_FITS in text:
        start = text.index(Z3_FITS)
        at, depth = start, 0
        while True:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
            if not depth:
                break
        text = f"{text[:start]}(not (bvumulo {text[start + len(Z3_FITS):at]}){text[at:]}"
    return text
