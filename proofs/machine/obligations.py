"""Which obligations does an image that boots bring, besides those of its compiled functions?

One for each piece of code that has a contract, and some of the image as a whole, at each level of the compiler.
"""

import time
from functools import partial

from corollary.codegen import image as images
from corollary.language.reads import note, remembered
from corollary.proofs.machine import account, compiled, constant_time, loading, system, translation
from corollary.proofs.machine.bounds import Bounds
from corollary.proofs.machine.compiled import BUILDS, CODE, LEVEL, SHIPPED, figures
from corollary.proofs.machine.contract import ContractComparison
from corollary.proofs.machine.contracts import CONTRACTS, REGION
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.summary import named
from corollary.proofs.prove import ObligationResult
from corollary.spec.kernel.limits import LONGEST_CALL

PLATFORM = CODE + "platform"
PLATFORM_LEVEL = 5


@remembered
def built(property_="machine-code"):
    """Return the image of a build, made if it is missing. By default it is the one that ships."""
    note("image", f"{__name__}:built#{property_}")
    return Image(images.kernel_image(level=BUILDS[property_]))


def steps():
    """Return one step for each file of the kernel, and one for the platform."""
    return [*compiled.steps(named().values()), PLATFORM]


def questions(step):
    """Yield the obligations of a step: `(id, level, decide)`."""
    if step == PLATFORM:
        yield from platform_questions()
    for function in named().values():
        if CODE + function.module == step:
            for property_ in BUILDS:
                yield f"{function.symbol}/{property_}", LEVEL, partial(decide, property_, function)
            if function.symbol in constant_time.closure():
                yield (
                    f"{function.symbol}/{constant_time.PROPERTY}",
                    constant_time.LEVEL,
                    partial(constant_time.decide, built(), function),
                )


def platform_questions():
    """Yield the obligations of the code around the model."""
    for property_ in BUILDS:
        for about, decide_image in IMAGE.items():
            yield f"image/{property_}-{about}", PLATFORM_LEVEL, partial(decide_image, property_)
        for contract in CONTRACTS.values():
            yield f"{contract.name}/{property_}", PLATFORM_LEVEL, partial(decide_contract, property_, contract)


def decide_contract(property_, contract):
    """Compare one piece of a build's platform code with its contract."""
    verdict = ContractComparison(built(property_), contract).run()
    return ObligationResult(
        f"{contract.name}/{property_}",
        PLATFORM_LEVEL,
        property_,
        contract.name,
        verdict.result,
        verdict.seconds,
        contract.sentence,
        reason=verdict.reason,
        figures=figures(verdict),
    )


def decide_system(property_):
    """Look for instructions that reach the system from code without a contract."""
    strays = system.strays(built(property_))
    return ObligationResult(
        f"image/{property_}-system",
        PLATFORM_LEVEL,
        property_,
        "image",
        "refuted" if strays else "proved",
        0.0,
        (
            "no code without a contract writes a system register, maintains a TLB or cache, "
            "calls firmware or returns from an exception"
        ),
        reason=", ".join(strays),
    )


def decide_loading(property_):
    """Check that a loader does with the file what the proofs assume."""
    return checked(
        f"image/{property_}-loading",
        lambda: loading.check(built(property_)),
        loading.Misplaced,
        "entry and segments are those of the proofs; all that is loaded is read by them and measured",
    )


def decide_account(property_):
    """Find what accounts for each loaded byte."""

    def check():
        return account.totals(account.Account(built(property_)).run())

    return checked(
        f"image/{property_}-account",
        check,
        account.Unaccounted,
        "every byte that is loaded has a proof, a contract or a row in the ledger, or is padding",
    )


def decide_translation(property_):
    """Walk the kernel's own tables, for all addresses."""

    def check():
        translation.uniform()
        return {"mapped": translation.check(translation.regime(built(property_)))}

    return checked(
        f"image/{property_}-translation",
        check,
        translation.Mistranslated,
        "the kernel reaches its regions, each as the memory map says, and nothing else",
    )


def checked(id_, check, failure, sentence):
    """Return the row of a check on the whole image: `check` returns figures or None, or raises `failure`."""
    start, reason, found = time.perf_counter(), "", None
    try:
        found = check()
    except failure as problem:
        reason = str(problem)
    result, seconds = "refuted" if reason else "proved", time.perf_counter() - start
    return ObligationResult(
        id_,
        PLATFORM_LEVEL,
        id_.rsplit("-", 1)[1],
        "image",
        result,
        seconds,
        sentence,
        reason=reason,
        figures=found or {},
    )


IMAGE = {
    "system": decide_system,
    "loading": decide_loading,
    "account": decide_account,
    "translation": decide_translation,
}
"""What to show of an image as a whole, by the end of the obligation's name."""


def over_all(rows):
    """Yield what all rows show together: each build's stack, and the longest call of the image that ships."""
    for property_, level in BUILDS.items():
        yield fits(rows, property_)
        if level == SHIPPED:
            yield ends(rows, property_)


def fits(rows, property_):
    """Decide whether the deepest stacks in a build's rows fit: for the kernel, and for its own faults."""
    bounds = Bounds([row for row in rows if row["id"].endswith(f"/{property_}")])
    used = {"stack": bounds.deepest(), "last_stack": bounds.deepest(last=True)}
    fit = [depth is not None and depth <= REGION[name].size for name, depth in used.items()]
    result = "unknown" if None in used.values() else "proved" if all(fit) else "refuted"
    return ObligationResult(
        f"image/{property_}-stack",
        PLATFORM_LEVEL,
        property_,
        "image",
        result,
        0.0,
        f"whatever enters the kernel, with all that it calls, fits the stack of {REGION['stack'].size} bytes, "
        f"and its own faults fit the last stack of {REGION['last_stack'].size}",
        reason=""
        if result == "proved"
        else ", ".join(f"{depth} bytes of {name} may be used" for name, depth in used.items()),
        figures={"deepest": used["stack"], "last": used["last_stack"]},
    )


def ends(rows, property_="machine-code"):
    """Decide whether the longest entry into the kernel in a build's rows ends in time."""
    mine = [row for row in rows if row["id"].endswith(f"/{property_}")]
    most, what = Bounds(mine).longest()
    result = "unknown" if most is None else "proved" if most <= LONGEST_CALL else "refuted"
    return ObligationResult(
        f"image/{property_}-longest",
        PLATFORM_LEVEL,
        property_,
        "image",
        result,
        0.0,
        (
            "no call, and nothing else that a partition does, keeps the processor in the kernel for more than "
            f"{LONGEST_CALL:,} instructions"
        ),
        reason="" if result == "proved" else f"{what} may take {most or 'any number of'} instructions",
        figures={"longest": most, "by": what},
    )


def decide(property_, function):
    """Compare the machine code of one function in a build with the model."""
    return compiled.decide(built(property_), property_, function)
