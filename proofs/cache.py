"""Where is a proof kept, and is it still good? One file for each obligation, with all that was read as it was decided.

What is kept is good as long as everything that was read says what it said then. A file that is not whole, or of something
else, is as good as none. Two runs at once may write the same file: each writes it under another name and moves it there.
"""

import json
from functools import partial
from pathlib import Path

from codegen.folders import write_whole
from model.kernel.promises import REGISTRIES
from proofs import fingerprint, second

FOLDER = Path("build/cache/proofs")
RUNNING = Path("build/cache/running")
LISTS = ("registry", "names", "promise")
"""Kinds of what is read that make the list of a step's obligations, and no answer: what an answer rests on is read as it is found."""
WRITTEN_BY = (__name__, fingerprint.__name__)
"""The modules that decide what is kept of what was read: what another version of them wrote may tell of less."""
STOPPED = []
"""Why nothing can be kept any more: one sentence, or none."""


def path_of(id_):
    """The file of an obligation; proofs that a second solver has seen are kept apart, so that neither pushes the other out."""
    return FOLDER / f"{fingerprint.digest(id_, str(second.asked()))[:40]}.json"


def recall(id_):
    """What was kept of an obligation, if everything that it rests on says the same now; else None."""
    kept = whole(id_)
    return kept["data"] if kept is not None and fingerprint.still(set(map(tuple, kept["read"]))) else None


def read_of(id_):
    """`(kind, name)` of all that an obligation read as it was decided."""
    kept = whole(id_)
    return {(kind, name) for kind, name, _ in kept["read"]} if kept is not None else set()


def last(id_):
    """What was kept of an obligation the last time, whether it is still good or not; None if nothing was."""
    kept = whole(id_)
    return kept and kept["data"]


def seconds_of(id_):
    """The seconds that an obligation took when it was last proved, or None."""
    data = last(id_)
    return data and data["seconds"]


def whole(id_):
    """What the file of an obligation holds, if it is as it was written, and of this obligation."""
    try:
        seal, _, text = path_of(id_).read_text().partition("\n")
    except (OSError, ValueError):
        return None
    kept = json.loads(text) if seal == sealed(text) else {"id": None}
    return kept if kept["id"] == id_ else None


def sealed(text):
    """The seal of what is kept: a file that was cut off, or that another version of this code wrote, has another one."""
    return fingerprint.digest(*(fingerprint.now("text", module) for module in WRITTEN_BY), text)


def of_answers(read):
    """What was read to list the obligations of a step, without what made no more than the list."""
    return {(kind, what) for kind, what in read if kind not in LISTS}


def remember(id_, read, data):
    """Keep what came of an obligation, with what was read; a reader sees it whole or not at all."""
    said = sorted((kind, name, fingerprint.now(kind, name) if name else "") for kind, name in fingerprint.names(read))
    if STOPPED or not all(text for _, _, text in said):
        return      # something was read that nobody could look up again
    text = json.dumps({"id": id_, "read": said, "data": data})
    kept_or_told(lambda: write_whole(path_of(id_), f"{sealed(text)}\n{text}"))


def kept_or_told(action):
    """Do something with files; the first time that fails it is told, and then nothing is kept any more."""
    try:
        action()
    except OSError as problem:
        STOPPED[:] = [f"nothing is kept of this run: {problem.strerror} ({problem.filename or FOLDER})"]


def code_of(decide):
    """The module with the function that decides an obligation."""
    return (decide.func if isinstance(decide, partial) else decide).__module__


def with_sentence(row):
    """A row that was kept, with the sentence of its promise as it is now."""
    return row if row["sentence"] is not None else row | {"sentence": sentence_of(row["property"])}


def without_sentence(row):
    """A row without what it says only to people, if that is the sentence of its promise."""
    return row | {"sentence": None} if sentence_of(row["property"]) == row["sentence"] else row


def sentence_of(id_):
    """The sentence of a promise, or None if there is none of this id."""
    home = next((registry for registry in REGISTRIES.values() if dict.__contains__(registry, id_)), {})
    return dict.__getitem__(home, id_).sentence if home else None


def begin(run, name, id_):
    """Note which obligation a worker is busy with, for whoever finds it dead."""
    kept_or_told(lambda: write_whole(note_of(run, name), id_))


def last_begun(run, name):
    """The obligation that a dead worker was busy with; None before the first."""
    path = note_of(run, name)
    return path.read_text() if path.exists() else None


def note_of(run, name):
    """The file with what a worker is busy with."""
    return RUNNING / f"{run}-{name.replace(' ', '_').replace('/', '_')}"


def forget_run(run):
    """Remove the notes of a run."""
    for path in RUNNING.glob(f"{run}-*"):
        path.unlink(missing_ok=True)
