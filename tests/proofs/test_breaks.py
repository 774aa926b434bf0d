"""Breaking the model makes a proof fail, with a counterexample that the equally broken model confirms."""

import pytest

from proofs.mutants_breaks import BREAKS, NAMED, taken


def test_there_are_ten():
    assert len(NAMED) == len(BREAKS) >= 10


@pytest.mark.parametrize("edit", BREAKS, ids=lambda edit: edit.name)
def test_break_is_found(edit):
    done = taken(edit.name)
    assert done.returncode == 1, done.stdout + done.stderr
    first, *narration = done.stdout.splitlines()
    assert first.startswith(f"refuted {edit.obligation}:")
    assert f"step      {edit.operation}" in narration
    assert f"breaks    {edit.property}" in narration
    assert any(line.startswith("before") for line in narration)
    assert any(line.startswith("status") for line in narration)


@pytest.mark.parametrize("edit", BREAKS, ids=lambda edit: edit.name)
def test_edit_is_one_place(edit):
    assert edit.change.count("`") == 4
    assert int(edit.change.split(":")[1].split()[0]) > 1
