"""Does the proof about the key see what tells of it, and is what it excepts needed?"""

import pytest

from proofs import secret
from proofs.prove import Step
from proofs.transition import step_named
from spec.observation import SEALED


@pytest.mark.parametrize("row", SEALED, ids=lambda row: row.function.__name__)
def test_without_what_is_declared_to_be_sealed_the_key_is_told(row):
    others = tuple(other for other in SEALED if other is not row)
    for operation in row.about:
        found = secret.question(Step(step_named(operation)), others)
        assert found.result == "refuted" and secret.betrayed(found.counterexample, others)
        assert {path[0] for path, _, _ in secret.betrayed(found.counterexample, others)} == {row.table}
        assert not secret.betrayed(found.counterexample, SEALED)


def test_with_it_nothing_tells_of_the_key():
    assert secret.question(Step(step_named("witness_seal"))).result == "proved"
