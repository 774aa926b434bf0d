"""Does a run of the prover stay honest when the solver, a worker or the cache fails?"""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from corollary.language.types import LanguageError
from corollary.model import components
from corollary.model.kernel.component import KERNEL
from corollary.proofs import cache, fingerprint, jobs, steps, verify
from corollary.proofs.machine import steps as machine
from corollary.proofs.prove import ObligationResult
from corollary.report import results

ROOT = Path(verify.__file__).parents[1]  # the package
DECIDING = {  # kinds of obligations, and the module that decides each
    "promise": "corollary.proofs.prove",
    "premise": "corollary.proofs.cover",
    "code": "corollary.proofs.machine.obligations",
    "outside": "corollary.proofs.outside",
    "called": "corollary.proofs.machine.called",
    "handler": "corollary.proofs.machine.handlers",
}
FILES = {  # files of the prover, and the kinds of obligations that rest on each
    "verify": (),
    "cache": (),
    "fingerprint": (),
    "mutants/rules": (),
    "mutants/wrong_rules": (),
    "steps": (),
    "bits": DECIDING,
    "second": DECIDING,
    "loops": ("outside", "handler", "called"),
    "outside": ("outside",),
    "cover": ("premise",),
    "whole": DECIDING,
    "machine/words": ("code", "handler", "called"),
    "machine/refine": ("code",),
    "machine/heap": ("handler", "called"),
    "machine/floats": ("handler", "called"),
    "machine/called": ("called",),
}
DAMAGED = {  # possible contents of a damaged cache file
    "cut off": lambda text: text[:-9],
    "empty": lambda text: "",
    "without a seal": lambda text: text.split("\n")[1],
    "other words": lambda text: '{"result": "pro',
    "a list": lambda text: "[1, 2]",
    "a number": lambda text: "7",
    "one letter": lambda text: text.replace("proved", "Proved"),
    "a row by hand": lambda text: '{"id": "step/A", "read": [], "data": {"result": "proved"}}',
    "no text": lambda text: "\ud800",
}


def question(id_, decide):
    return id_, 2, decide


def proved(id_):
    return lambda: ObligationResult(id_, 2, id_.split("/")[1], "step", "proved", 0.0)


def crash():
    os.kill(os.getpid(), signal.SIGKILL)


def fault():
    raise RuntimeError("the solver gave up")


@pytest.fixture
def one_step(monkeypatch, tmp_path):
    """Run one step with the given questions, in a cache of its own."""

    def prepare(**decide):
        monkeypatch.setattr(cache, "FOLDER", tmp_path / "proofs")
        monkeypatch.setattr(cache, "RUNNING", tmp_path / "running")
        monkeypatch.setattr(verify.witnesses, "BUILD", tmp_path / "states")
        monkeypatch.setattr(steps, "names", lambda component: ["step"])
        monkeypatch.setattr(
            steps, "questions", lambda name, component: [question(f"step/{k}", d) for k, d in decide.items()]
        )
        monkeypatch.setattr(cache, "STOPPED", [])
        monkeypatch.setattr(machine, "build", lambda: None)
        monkeypatch.setattr(machine, "over_all", lambda rows: [])
        return lambda: {row["id"]: row for row in verify.verify(KERNEL, workers=2)}

    return prepare


def test_as_many_workers_decide_as_are_asked_for(one_step, monkeypatch):
    asked = []
    one_step(A=proved("step/A"))
    monkeypatch.setattr(verify, "in_parallel", lambda only, run: asked.append(run.count) or [])
    verify.verify(KERNEL, "A", workers=3)
    verify.verify(KERNEL, "A")
    assert asked == [3, os.cpu_count()]


@pytest.fixture
def whole(one_step, monkeypatch):
    """Run one whole step and ask for everything anew; return its rows and the number of decisions."""
    usual, decided = verify.in_parallel, []
    monkeypatch.setattr(verify, "in_parallel", lambda *given: decided.append(given) or usual(*given))

    def prepare(**decide):
        run = one_step(**decide)

        def once():
            fingerprint.forget(texts=True)
            decided.clear()
            return run(), len(decided)

        return once

    yield prepare
    fingerprint.forget(texts=True)


def other_text(monkeypatch):
    usual, path = Path.read_bytes, ROOT / "spec" / "kernel" / "ring.py"
    monkeypatch.setattr(Path, "read_bytes", lambda at: usual(at) + (b" " if at == path else b""))


def other_tool(monkeypatch):
    monkeypatch.setattr(fingerprint.metadata, "distributions", list)


def other_python(monkeypatch):
    monkeypatch.setattr(fingerprint.platform, "python_version", lambda: "4.0")


def other_option(monkeypatch):
    monkeypatch.setenv("COROLLARY_SECOND", "0")


def other_image(monkeypatch):
    monkeypatch.setitem(fingerprint.SAYS, "image", lambda name: "another")


OTHERS = (other_text, other_tool, other_python, other_option, other_image)


@pytest.mark.parametrize("change", OTHERS, ids=lambda change: change.__name__)
def test_a_whole_run_is_kept_as_one_while_nothing_is_another(whole, monkeypatch, change):
    run = whole(A=proved("step/A"), B=proved("step/B"))
    assert [run()[1] for _ in range(3)] == [1, 0, 0]
    assert all(row["cached"] for row in run()[0].values()) and set(run()[0]) == {"step/A", "step/B"}
    with monkeypatch.context() as patch:
        change(patch)
        assert run()[1] == 1


def test_every_row_of_a_whole_run_is_read_again_by_the_report(whole, monkeypatch):
    """These are the decided rows, the kept rows, and the rows about all of them."""
    run = whole(A=lambda: replace(proved("step/A")(), state={"s": []}), B=fault)
    monkeypatch.setattr(machine, "over_all", lambda rows: [proved("image/account")()])
    for _ in range(2):
        rows, _ = run()
        assert results.rows(list(rows.values()), ObligationResult) and not any("state" in row for row in rows.values())


def test_a_run_with_a_red_row_is_not_kept_as_one(whole):
    run = whole(A=proved("step/A"), B=fault)
    assert [run()[1] for _ in range(2)] == [1, 1]


def test_a_run_in_which_a_text_was_written_is_not_kept_as_one(whole, monkeypatch):
    run = whole(A=proved("step/A"))
    monkeypatch.setattr(fingerprint, "rewritten", lambda: ["corollary.spec.kernel.ring"])
    assert [run()[1] for _ in range(2)] == [1, 1]


def test_a_crash_of_the_solver_is_red_and_the_rest_goes_on(one_step):
    rows = one_step(A=proved("step/A"), B=crash, C=proved("step/C"))()
    assert {id_: row["result"] for id_, row in rows.items()} == {
        "step/A": "proved",
        "step/B": "unknown",
        "step/C": "proved",
    }
    assert rows["step/B"]["reason"] == "the solver crashed"


def test_what_one_worker_was_busy_with_when_it_died_is_taken_up_again_and_no_other_is_disturbed(
    one_step, tmp_path, monkeypatch
):
    decided = tmp_path / "decided"

    def slow(id_):
        def decide():
            time.sleep(0.3)
            with decided.open("a") as file:
                file.write(f"{id_}\n")
            return proved(id_)()

        return decide

    monkeypatch.setattr(jobs, "TURN", 2.0)  # two at once
    rows = one_step(**{name: slow(f"step/{name}") for name in "ABCDE"}, F=crash)()
    assert {id_: row["result"] for id_, row in rows.items()} == {f"step/{name}": "proved" for name in "ABCDE"} | {
        "step/F": "unknown"
    }
    assert sorted(decided.read_text().split()) == [f"step/{name}" for name in "ABCDE"]


def test_all_workers_help_with_a_long_step_and_each_lists_it_once(one_step, tmp_path, monkeypatch):
    def busy(id_):
        def decide():
            time.sleep(0.2)
            (tmp_path / f"decided by {os.getpid()}").touch()
            return proved(id_)()

        return decide

    run, usual = one_step(**{name: busy(f"step/{name}") for name in "ABCDEF"}), steps.questions

    def questions(name, component):
        with (tmp_path / f"listed by {os.getpid()}").open("a") as file:
            file.write("once ")
        return usual(name, component)

    monkeypatch.setattr(steps, "questions", questions)
    monkeypatch.setattr(jobs, "TURN", 1.0)
    assert {row["result"] for row in run().values()} == {"proved"}
    assert len(list(tmp_path.glob("decided by *"))) == 2
    assert [path.read_text() for path in tmp_path.glob("listed by *")] == ["once "] * 2


def test_a_worker_that_dies_before_it_begins_is_red(one_step, monkeypatch):
    run = one_step(A=proved("step/A"))
    monkeypatch.setattr(steps, "questions", lambda name, component: crash())
    rows = run()
    assert list(rows) == ["step/worker"] and rows["step/worker"]["reason"] == "the worker died"


def test_an_exception_is_red_and_the_rest_goes_on(one_step):
    rows = one_step(A=fault, B=proved("step/B"))()
    assert rows["step/A"]["result"] == "unknown" and "the solver gave up" in rows["step/A"]["reason"]
    assert rows["step/B"]["result"] == "proved"


def test_what_is_unknown_after_others_is_asked_again_by_itself(one_step):
    before = []

    def first():
        before.append("step/A")
        return proved("step/A")()

    def wavers():
        return ObligationResult("step/B", 2, "B", "step", "unknown" if before else "proved", 0.0)

    assert {id_: row["result"] for id_, row in one_step(A=first, B=wavers)().items()} == {
        "step/A": "proved",
        "step/B": "proved",
    }


def test_what_was_proved_is_not_asked_again_and_is_marked(one_step):
    one_step(A=proved("step/A"))()
    rows = one_step(A=crash)()
    assert rows["step/A"]["result"] == "proved" and rows["step/A"]["cached"]


def test_what_was_not_proved_is_asked_again(one_step):
    assert one_step(A=fault)()["step/A"]["result"] == "unknown"
    assert one_step(A=proved("step/A"))()["step/A"]["result"] == "proved"


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_cache_file_is_no_proof(one_step, damage):
    run = one_step(A=proved("step/A"))
    run()
    for path in cache.FOLDER.iterdir():
        path.write_bytes(DAMAGED[damage](path.read_text()).encode(errors="surrogatepass"))
    assert not run()["step/A"]["cached"] and run()["step/A"]["cached"]


def test_the_file_of_another_obligation_is_no_proof(one_step):
    run = one_step(A=proved("step/A"), B=fault)
    run()
    cache.path_of("step/B").write_bytes(cache.path_of("step/A").read_bytes())
    assert run()["step/B"]["result"] == "unknown"


def test_two_runs_at_once_each_decide(one_step):
    run = one_step(A=proved("step/A"), B=proved("step/B"), C=fault)
    with ThreadPoolExecutor(2) as pool:
        for rows in pool.map(lambda _: run(), range(4)):
            assert [rows[f"step/{name}"]["result"] for name in "ABC"] == ["proved", "proved", "unknown"]


def full(*_, **__):
    raise OSError(28, "No space left on device")


def test_on_a_full_disk_nothing_is_kept_and_it_is_told_once(one_step, monkeypatch, tmp_path):
    run = one_step(A=proved("step/A"), B=fault)
    with monkeypatch.context() as patch:
        patch.setattr(cache, "write_whole", full)
        assert {id_: row["result"] for id_, row in run().items()} == {"step/A": "proved", "step/B": "unknown"}
        assert len(cache.STOPPED) == 1 and "No space left on device" in cache.STOPPED[0]
        assert not list(tmp_path.rglob("*.json"))


def test_a_result_that_cannot_be_written_is_told_and_fails(one_step, monkeypatch, capsys):
    one_step(A=proved("step/A"))
    monkeypatch.setattr(verify, "write_result", full)
    assert verify.main(KERNEL, "step/A") == 1
    assert "verify-only.json cannot be written: No space left on device" in capsys.readouterr().out.replace("\n", " ")


@pytest.mark.parametrize(
    ("ends", "code"),
    [
        ([(0, 3), (0, 2)], 0),
        ([(0, 0), (0, 2)], 0),  # no id of the first one contains what was asked for
        ([(0, 0), (0, 0)], 1),
        ([(0, 3), (1, 2)], 1),
        ([(1, 3), (0, 2)], 1),
        ([(1, 0), (0, 2)], 1),
    ],
)
def test_all_components_are_proved_or_none_counts(monkeypatch, ends, code):
    left = iter(ends)
    monkeypatch.setattr(verify, "run", lambda component, only, dask: next(left))
    assert verify.every(components.ALL[: len(ends)]) == code and next(left, None) is None


def test_what_is_kept_of_components_has_other_names():
    assert [verify.room(each) for each in components.ALL] == ["", *(f"{each.name}." for each in components.BESIDE)]
    assert len({verify.results_of(each) for each in components.ALL}) == len(components.ALL)


def keys():
    """Return the code that decides each kind of obligation."""
    fingerprint.forget(texts=True)
    return {kind: fingerprint.of_code(module) for kind, module in DECIDING.items()}


@pytest.fixture(scope="module")
def before():
    """Return the unchanged code that decides each kind of obligation."""
    return keys()


@pytest.fixture
def edited(monkeypatch, before):
    """Return the kinds of obligations that rest on a file of the prover: editing the file changes their code."""

    def edit(name, text):
        read = Path.read_text
        changed = ROOT / "proofs" / f"{name}.py"
        assert changed.exists()
        monkeypatch.setattr(
            Path,
            "read_text",
            lambda path, *more, **named: read(path, *more, **named) + (text if path == changed else ""),
        )
        after = keys()
        return {kind for kind in DECIDING if before[kind] != after[kind]}

    yield edit
    monkeypatch.undo()
    fingerprint.forget(texts=True)


@pytest.mark.parametrize("name", FILES)
def test_a_proof_is_asked_again_when_what_decides_it_changes_and_only_then(edited, name):
    assert edited(name, "another = 1\n") == set(FILES[name])


def test_a_comment_in_the_prover_changes_nothing(edited):
    assert edited("bits", "# another text\n") == set()


@pytest.mark.parametrize("kind", DECIDING)
def test_whatever_is_loaded_to_decide_an_obligation_is_in_its_fingerprint(kind):
    program = (
        f"import sys, {DECIDING[kind]}; print(*(name for name in sys.modules if name.startswith('corollary.proofs.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {
        name for name in done.stdout.split() if name not in fingerprint.WITHOUT and fingerprint.path_of(name).exists()
    }
    covered = set(fingerprint.made_of(DECIDING[kind]))
    assert loaded - covered == set() and loaded & covered


def test_a_step_is_finished_when_nothing_of_it_is_left_and_nobody_is_busy_with_it():
    run = verify.Verification(KERNEL, "run", 1)
    run.jobs, run.lost = SimpleNamespace(left={"left": ()}), [jobs.Job("lost")]
    run.busy = {1: (None, jobs.Job("one")), 2: (None, jobs.Job("two"))}
    assert [name for name in ("left", "lost", "one", "two", "none") if run.is_finished(name)] == ["none"]


@pytest.mark.parametrize("id_", ["RING-12", "RING-12-speaks"])
def test_of_two_obligations_with_one_id_the_promise_is_named(id_):
    function = KERNEL.theorems["RING-12"].function
    with pytest.raises(LanguageError, match=f"the id f/{id_}") as refused:
        verify.refuse_twice([f"f/{id_}", "f/RING-1", f"f/{id_}"], KERNEL)
    assert refused.value.line == function.__code__.co_firstlineno
