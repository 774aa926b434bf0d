"""Where is a proof kept, and is it still valid? In one file per obligation, with everything that was read to decide it.

A proof is valid as long as everything that was read still says what it said then. A file that is incomplete, or belongs
to something else, counts as missing. Two runs at once may write the same file: each writes it under another name and
then moves it into place.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

from corollary.codegen.folders import write_whole
from corollary.language.property import PROMISES
from corollary.proofs import fingerprint, second

FOLDER = Path("build/cache/proofs")
RUNNING = Path("build/cache/running")
LISTS = ("registry", "names", "promise")
"""The kinds of reads that only list a step's obligations. What an answer rests on is recorded while it is found."""
WRITTEN_BY = (__name__, fingerprint.__name__)
"""The modules that decide which reads are kept. Another version of them may have kept fewer."""
STOPPED = []
"""Why no more proofs can be kept: a list of one sentence, or an empty list."""


def path_of(id_):
    """Return the file of an obligation.

    Proofs that a second solver has checked have files of their own, so that neither kind replaces the other.
    """
    return FOLDER / f"{fingerprint.digest(id_, str(second.asked()))[:40]}.json"


def recall(id_):
    """Return what was kept of an obligation, if everything that it rests on still says the same; else None."""
    kept = whole(id_)
    return kept["data"] if kept is not None and fingerprint.still(set(map(tuple, kept["read"]))) else None


def read_of(id_):
    """Return `(kind, name)` of everything that was read to decide an obligation."""
    kept = whole(id_)
    return {(kind, name) for kind, name, _ in kept["read"]} if kept is not None else set()


def last(id_):
    """Return what was last kept of an obligation, valid or not; None if there is nothing."""
    kept = whole(id_)
    return kept and kept["data"]


def seconds_of(id_):
    """The seconds that an obligation took when it was last proved, or None."""
    data = last(id_)
    return data and data["seconds"]


def whole(id_) -> Any:
    """Return the contents of an obligation's file, if the file is intact and belongs to this obligation; else None."""
    try:
        seal, _, text = path_of(id_).read_text().partition("\n")
    except (OSError, ValueError):
        return None
    kept = json.loads(text) if seal == sealed(text) else {"id": None}
    return kept if kept["id"] == id_ else None


def sealed(text):
    """Return the seal of a text.

    A file that was cut off, or that another version of this code wrote, has another seal.
    """
    return fingerprint.digest(*(fingerprint.now("text", module) for module in WRITTEN_BY), text)


def of_answers(read):
    """Return what was read to list the obligations of a step, without the reads that only make the list."""
    return {(kind, what) for kind, what in read if kind not in LISTS}


def remember(id_, read, data):
    """Keep the result of an obligation with what was read. A reader sees the whole file or none."""
    said = sorted((kind, name, fingerprint.now(kind, name) if name else "") for kind, name in fingerprint.names(read))
    if STOPPED or not all(text for _, _, text in said):
        return  # something was read that cannot be looked up again
    text = json.dumps({"id": id_, "read": said, "data": data})
    kept_or_told(lambda: write_whole(path_of(id_), f"{sealed(text)}\n{text}"))


def kept_or_told(action):
    """Run an action on files. If it fails, record why: nothing more is kept then."""
    try:
        action()
    except OSError as problem:
        STOPPED[:] = [f"nothing is kept of this run: {problem.strerror} ({problem.filename or FOLDER})"]


def code_of(decide):
    """Return the module of the function that decides an obligation."""
    return (decide.func if isinstance(decide, partial) else decide).__module__


def with_sentence(row, component):
    """Return a kept row; if its sentence was left out, fill in the present one of its promise."""
    return row if row["sentence"] is not None else row | {"sentence": sentence_of(row["property"], component)}


def without_sentence(row, component):
    """Return a row without its sentence, if that is the sentence of its promise: only people read it."""
    return row | {"sentence": None} if sentence_of(row["property"], component) == row["sentence"] else row


def sentence_of(id_, component):
    """Return the sentence of the promise of a component with this id, or None if there is no such promise."""
    known = PROMISES.get(component, {}).values()
    home = next((registry for registry in known if dict.__contains__(registry, id_)), {})
    return dict.__getitem__(home, id_).sentence if home else None


def begin(run, name, id_):
    """Record which obligation a worker begins, in case the worker dies."""
    kept_or_told(lambda: write_whole(note_of(run, name), id_))


def last_begun(run, name):
    """Return the obligation that a dead worker was busy with; None before the first."""
    path = note_of(run, name)
    return path.read_text() if path.exists() else None


def note_of(run, name):
    """Return the file that says which obligation a worker is busy with."""
    return RUNNING / f"{run}-{name.replace(' ', '_').replace('/', '_')}"


def forget_run(run):
    """Remove the notes of a run."""
    for path in RUNNING.glob(f"{run}-*"):
        path.unlink(missing_ok=True)
