"""Does the proof of a wrong function fail? `verify` proves the right ones."""

import importlib.util
from pathlib import Path

import pytest

from corollary.codegen.store import STORE
from corollary.language.frontend import translate
from corollary.model.store import compression, decompression
from corollary.proofs import steps
from corollary.proofs.outside import decide, functions

NO_ROOM_CHECK = "    if made + count > length(d.content):\n        return BlockFault.NO_ROOM\n"
WRONG = [
    (decompression, "copy_short", "at + AHEAD > length(d.block) or made", "made"),
    (decompression, "copy_short", "or made + ROOM > length(d.content)", ""),
    (decompression, "copy_short", "AHEAD = 1 + FULL + OFFSET + 1", "AHEAD = FULL + 1"),
    (decompression, "copy_short", "offset < HALF or offset > to", "offset < HALF"),
    (decompression, "offset_at", "at + OFFSET <= length", "at + 1 <= length"),
    (decompression, "match", "NONE if made == length(d.content) else BlockFault.UNFILLED", "NONE"),
    (decompression, "continuation", "        d.at += 1\n", ""),
    (decompression, "continuation", "(d.at - at) << 8", "(d.at - at) << 7"),
    (decompression, "copy_literals", "if at + count > length(d.block):", "if at + count > length(d.block) + 1:"),
    (decompression, "copy_literals", NO_ROOM_CHECK + "    if count", "    if count"),
    (decompression, "copy_literals", "and made + PIECE <= length(d.content)", ""),
    (decompression, "match", "if offset == 0:", "if offset == 1:"),
    (decompression, "match", "if offset > made:", "if offset > made + 1:"),
    (decompression, "match", "    if d.at == length(d.block):\n        return BlockFault.TRUNCATED\n", ""),
    (decompression, "repeat", "and made + count + PIECE <= length(d.content):", ":"),
    (decompression, "repeat_growing", "        done += piece\n", ""),
    (decompression, "decompress", "    if length(d.block) == 0:\n        return BlockFault.TRUNCATED\n", ""),
    (compression, "word", "LARGEST and at + WORD <= length", "LARGEST and at + 7 <= length"),
    (compression, "bucket_of", "HASH_SHIFT = 52", "HASH_SHIFT = 51"),
    (compression, "compress", "at + LAST_MATCH <= length", "at <= length"),
    (compression, "compress", "if from_ < at and", "if"),
    (compression, "compress", "at += 1 + (misses", "at += (misses"),
    (compression, "equal_before", "from_ > count and", ""),
    (compression, "equal_after", "while at + count + WORD <= end:", "while at + count <= end:"),
    (compression, "put_sequence", "made + 3 + count", "made + 2 + count"),
    (compression, "put_literals", " and first + PIECE <= length(c.content)", ""),
    (compression, "put_rest", "if made + 1 + count", "if made + count"),
]
"""Changes of the model: the module, the function whose proof must fail, what is replaced, and by what."""


def changed(module, old, new, folder):
    """Return a module whose source differs in one place."""
    text = Path(module.__file__).read_text()
    assert text.count(old) == 1, f"{text.count(old)} places have {old!r}"
    path = folder / Path(module.__file__).name
    path.write_text(text.replace(old, new))
    spec = importlib.util.spec_from_file_location(module.__name__, path)
    other = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(other)
    return other


def outcome(function):
    """Return what the prover says of a function."""
    return decide(translate(function)).result


def result_of(step, promise, component):
    """Return what the prover says of one promise of a step."""
    decide_one = next(each for id_, _, each in steps.questions(step, component) if id_ == f"{step}/{promise}")
    return decide_one().result


@pytest.mark.parametrize(
    ("module", "name", "old", "new"), WRONG, ids=[f"{name} {number}" for number, (_, name, _, _) in enumerate(WRONG)]
)
def test_the_proof_of_a_wrong_function_fails(module, name, old, new, tmp_path):
    assert outcome(getattr(changed(module, old, new, tmp_path), name)) == "refuted"


def test_the_proof_of_the_right_function_holds():
    assert outcome(decompression.offset_at) == "proved"


def test_every_function_has_a_row():
    assert {function.symbol for function in STORE.functions} <= set(functions())
