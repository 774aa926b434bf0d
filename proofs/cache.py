"""Where is a proof kept, and under which key? One file per key, written whole or not at all.

Two runs at once may write the same file; each writes it whole under another name and moves it there.
"""

import json
import os
import tempfile
from functools import lru_cache
from pathlib import Path

from model.promises import COROLLARIES, INVARIANTS, THEOREMS
from proofs import fingerprint, second
from proofs.machine import obligations as code
from proofs.prove import SEEING
from proofs.steps import SOURCE, apart
from proofs.transition import transitions
from spec.language.frontend import translate
from spec.observation import DISCLOSURES, IMPLIED, INTERFERENCES, NOVELTIES, OBSERVATIONS, RELEASED

FOLDER = Path("build/cache/proofs")
RUNNING = Path("build/cache/running")
PROPERTIES = {**INVARIANTS, **THEOREMS, **COROLLARIES}


@lru_cache(maxsize=None)
def common():
    """What every proof depends on: the prover and the invariants, any of which it may assume."""
    return fingerprint.digest(fingerprint.prover(), *(fingerprint.of_property(p) for p in INVARIANTS.values()))


@lru_cache(maxsize=None)
def of_step(name):
    """The fingerprint of a step; of all steps for what concerns any state."""
    known = {transition.name: transition for transition in transitions()}
    if name not in known:
        return fingerprint.digest(*map(of_step, known))
    transition = known[name]
    operation = fingerprint.of_operation(transition.operation) if transition.operation else ""
    return fingerprint.digest(name, fingerprint.of_function(translate(transition.function)), operation)


@lru_cache(maxsize=None)
def seen():
    """The fingerprint of who sees what and comes to see it, of what is released, and of what may be changed nonetheless."""
    tables = [*((row.table, row.only, row.sees) for row in OBSERVATIONS), *((row.name, (row.about, row.after), row.function) for row in RELEASED),
              *((row.table, row.only, row.function) for row in (*INTERFERENCES, *NOVELTIES)),
              *((row.name, row.about, row.function) for row in DISCLOSURES), *((table, "implied", function) for table, function in IMPLIED.items())]
    return fingerprint.digest(*(f"{name} {names} {fingerprint.of_function(translate(function))}" for name, names, function in tables))


def key(name, id_):
    """The content hash of one obligation of a step."""
    if name.startswith(code.CODE):
        return code.key(id_)
    if apart(name):
        return apart(name).key(id_)
    about = id_.split("/", 1)[1].split("-premise-")[0].removesuffix("-well-formed")
    property_ = fingerprint.of_property(PROPERTIES[about]) if about in PROPERTIES else ""
    return fingerprint.digest(common(), second.mark(), of_step(name), id_, property_, seen() if about.startswith(SEEING) else "")


def listing_key(name):
    """The key of the list of a step's obligations: also of which theorems speak of it, and of what is seen."""
    if name.startswith(code.CODE):
        return fingerprint.digest(listing(), code.rules(), name, code.model())
    if apart(name):
        return fingerprint.digest(listing(), name, apart(name).listing())
    spoken = [f"{transition.name}:{theorem.id}" for transition in transitions() if name in (transition.name, "any state")
              for theorem in THEOREMS.values() if transition.speaks(theorem)]
    return fingerprint.digest(listing(), common(), seen(), of_step(name), *sorted(PROPERTIES), *spoken)


@lru_cache(maxsize=None)
def listing():
    """What every list depends on: who makes it."""
    return fingerprint.of_files(SOURCE)


def recall(key_):
    """What was kept under a key, or None."""
    try:
        return json.loads((FOLDER / f"{key_}.json").read_text())
    except (OSError, ValueError):
        return None


def remember(key_, data):
    """Keep something under a key; a reader sees it whole or not at all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=FOLDER)
    with os.fdopen(handle, "w") as file:
        json.dump(data, file)
    os.replace(name, FOLDER / f"{key_}.json")


def begin(run, name, id_):
    """Note which obligation of a step a worker is busy with, for whoever finds it dead."""
    RUNNING.mkdir(parents=True, exist_ok=True)
    (RUNNING / f"{run}-{name.replace(' ', '_')}").write_text(id_)


def last_begun(run, name):
    """The obligation that a dead worker was busy with; None before the first."""
    path = RUNNING / f"{run}-{name.replace(' ', '_')}"
    return path.read_text() if path.exists() else None


def forget_run(run):
    """Remove the notes of a run."""
    for path in RUNNING.glob(f"{run}-*"):
        path.unlink(missing_ok=True)
