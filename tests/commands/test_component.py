"""Can a component in a folder of its own be begun, proved, generated and tested, and is a wrong one refused?"""

import json
import os
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from corollary.codegen.folders import ROOT
from corollary.commands.cli import app
from corollary.commands.exits import FAILED, USAGE
from corollary.commands.shapes import SHAPES, misfit
from corollary.language.component import Component, check, check_function
from corollary.language.types import LanguageError, u8
from corollary.language.values import Record
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.gate import dispatch
from tests.commands import ahead


class Other(Record):
    """The state of no component."""

    number: u8


@pytest.fixture
def begun(tmp_path, monkeypatch):
    """Begin a component named bank, away from this tree; return its folder."""
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["new", "bank"]).exit_code == 0
    return tmp_path / "bank"


LEAK = """def too_poor(s: Bank, source: AccountId, to: AccountId, amount: u32) -> bool:
    return amount > s.account[source].balance or s.account[to].balance > amount


"""


def edit(folder, file, old, new):
    """Replace a text that is in a file."""
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Return what runs a command in a folder, in a process of its own that has imported the kernel already.

    It returns the exit code and all that the command prints.
    """
    with ahead.begun(tmp_path_factory.mktemp("said"), str(ROOT)) as process:
        yield lambda *arguments: process.asked(*arguments, paths=str(ROOT))


def started(folder, *arguments):
    """Run a command in a folder as a user does; return its exit code and all that it prints."""
    command = [sys.executable, "-m", "corollary.commands.start", *arguments]
    paths = {"PYTHONPATH": str(ROOT), "COLUMNS": "160"}
    done = subprocess.run(command, cwd=folder, env=os.environ | paths, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_three_commands_prove_generate_and_test_it(begun):
    code, said = started(begun, "verify")
    assert code == 0 and " 0 failed, 0 unknown" in said, said
    assert started(begun, "gen")[0] == 0 and started(begun, "gen", "--check")[0] == 0
    code, said = started(begun, "test")
    assert code == 0 and "transfer OK" in said and "C does the same as the model" in said, said
    code, said = started(begun, "verify", "--json")
    assert code == 0 and '"cached": true' in said and '"cached": false' not in said
    for command in ("verify", "test"):
        assert misfit(SHAPES[command], json.loads((begun / "build" / f"{command}.json").read_text())) == ""


def test_a_transfer_that_makes_money_is_refuted_and_found(begun, asked):
    edit(begun, "model.py", "balance += amount", "balance += amount + 1")
    code, said = asked(begun, "verify", "--only", "transfer/BANK-1")
    assert code == FAILED and "refuted" in said and "before    account[" in said and "with      amount" in said, said
    asked(begun, "gen")
    code, said = asked(begun, "test")
    assert code == FAILED and "BANK-1 does not hold" in said and "begin(); open_account(" in said, said
    assert "BANK-1 does not hold" in json.loads((begun / "build" / "test.json").read_text())["mistake"]


def test_a_transfer_that_tells_of_anothers_balance_is_refuted_though_it_does_as_promised(begun, asked):
    edit(begun, "model.py", "if amount > s.account[source].balance or", "if too_poor(s, source, to, amount) or")
    edit(begun, "model.py", "def transfer(", LEAK + "def transfer(")
    edit(
        begun,
        "spec.py",
        "source != to and can_take",
        "source != to and before.account[to].balance <= amount and can_take",
    )
    code, said = asked(begun, "verify", "--only", "transfer/")
    assert code == FAILED and " 2 failed, 0 unknown" in said, said
    assert "refuted  transfer/NI-2 " in said and "refuted  transfer/NI-4-account" in said, said
    assert "told      OK, and TOO_MUCH from the other state" in said or "told      TOO_MUCH, and OK" in said, said


def test_a_deposit_out_of_anothers_account_does_not_leave_that_one_alone(begun, asked):
    edit(begun, "model.py", "s.account[VAULT].balance -= amount", "s.account[9].balance -= amount")
    code, said = asked(begun, "verify", "--only", "deposit/NI-1")
    assert code == FAILED and "refuted  deposit/NI-1" in said and "bystander = 9" in said, said


def test_every_mutant_of_the_model_is_killed_and_where_too_little_is_promised_one_survives(begun, asked):
    code, said = started(begun, "mutants")
    assert code == 0 and "88 mutants: 88 killed, 0 proved equivalent, 0 survive" in said, said
    edit(begun, "spec.py", "return status != Status.TOO_MUCH", "return True")
    code, said = asked(begun, "mutants", "--only", "open_account")
    assert code == FAILED and "survives  model_open_account-" in said and " 1 survive" in said, said
    (survivor,) = [
        row for row in json.loads((begun / "build/mutants-only.json").read_text())["mutants"] if not row["killed_by"]
    ]
    (begun / "survivors.toml").write_text(f'{survivor["id"]} = "which refusal it is does not matter"\n')
    code, said = asked(begun, "mutants", "--only", "open_account")
    assert code == 0 and "which refusal it is does not matter" in said, said
    assert asked(begun, "mutants", "--sample", "1")[0] == FAILED


def test_no_mutant_is_tried_of_a_component_that_is_not_proved_as_it_is(begun, asked):
    edit(begun, "model.py", "if a == VAULT or", "if a == a or a == VAULT or")
    code, said = asked(begun, "mutants")
    assert code == FAILED and "not proved as it is: " in said and "open_account/OK-iff" in said, said
    assert not (begun / "build" / "mutants.json").exists()


def test_a_mutant_that_changes_nothing_is_equivalent(begun, asked):
    edit(begun, "model.py", "if a == VAULT or", "if a == VAULT or a == VAULT or")
    code, said = asked(begun, "mutants", "--only", "open_account")
    assert code == 0 and "0 survive" in said and " 0 proved equivalent" not in said, said


def test_the_page_shows_each_step_with_its_obligations_and_the_mutants(begun, asked):
    assert started(begun, "report")[0] == 0
    page = begun / "build" / "report" / "index.html"
    assert "Nothing was proved yet" in page.read_text()
    edit(begun, "model.py", "if amount > s.account[source].balance or", "if amount + 1 < amount or")
    asked(begun, "verify", "--only", "nothing at all")
    asked(begun, "verify")
    (begun / "build" / "mutants.json").write_text(json.dumps({"sources": "others", "mutants": []}))
    assert asked(begun, "report")[0] == 0
    text = page.read_text()
    ids = [row["id"] for row in json.loads((begun / "build" / "verify.json").read_text())["obligations"]]
    assert len(ids) > 50 and all(f'<tr id="{id_}">' in text for id_ in ids)
    assert "breaks    " in text and "The sources have changed since this was proved" not in text
    assert "The sources have changed since these were tried" in text
    edit(begun, "model.py", "amount + 1 < amount", "amount + 2 < amount")
    asked(begun, "report")
    assert "The sources have changed since this was proved" in page.read_text()


def test_the_page_lists_every_exception_of_who_sees_what(begun, asked):
    edit(
        begun,
        "spec.py",
        "    exists=is_held,",
        "    exists=is_held,\n    private=(Private('spare', '<b>nobody</b> asks'),),",
    )
    edit(begun, "spec.py", "Observation, Released,", "Observation, Private, Released,")
    edit(
        begun,
        "spec.py",
        "    account: Table[AccountId, Account]\n",
        "    account: Table[AccountId, Account]\n    spare: u32\n",
    )
    code, said = asked(begun, "report")
    text = (begun / "build" / "report" / "index.html").read_text()
    assert code == 0 and "&lt;b&gt;nobody&lt;/b&gt; asks" in text and "<b>nobody</b>" not in text, said
    for what in (
        "who pays learns whether the other can take it",
        "whether the vault has as much",
        "all may know which",
    ):
        assert what in text, what
    edit(begun, "component.py", ", view=VIEW", "")
    asked(begun, "report")
    assert "Who sees what" not in (begun / "build" / "report" / "index.html").read_text()


def test_a_sentence_in_brackets_is_printed_as_it_stands_and_the_result_is_written(begun, asked):
    edit(begun, "spec.py", "no money is made or lost", "no [/red] money [bold] is made")
    edit(begun, "model.py", "balance += amount", "balance += amount + 1")
    code, said = asked(begun, "verify", "--only", "transfer/BANK-1")
    assert code == FAILED and "no [/red] money [bold] is made" in said and "Traceback" not in said, said
    assert (begun / "build" / "verify-only.json").exists()


def test_a_docstring_that_looks_like_comments_of_c_is_a_comment(begun, asked):
    edit(begun, "model.py", '"""Open an account."""', '"""Open it. */ int x; /* /*/ So."""')
    edit(begun, "spec.py", "# an account is not open", "# /* an account */ is not open")
    assert asked(begun, "gen")[0] == 0
    code, said = asked(begun, "test")
    assert code == 0 and "C does the same as the model" in said, said


def test_a_damaged_library_is_told_with_the_remedy(begun, asked):
    assert asked(begun, "gen")[0] == 0 and asked(begun, "test")[0] == 0
    (built,) = (begun / "build").glob("bank-*.so")
    built.write_bytes(b"no library")
    code, said = asked(begun, "test")
    assert code == FAILED and "bank-" in said and "is damaged: delete it, and run again" in said, said


def test_in_a_folder_that_was_deleted_nothing_is_verified(tmp_path):
    said = subprocess.run(
        [
            "bash",
            "-c",
            f"mkdir gone && cd gone && rmdir ../gone && {sys.executable} -m corollary.commands.start verify",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert said.returncode != 0 and said.stderr == "this folder was deleted: go to another one\n", said


def test_no_mutant_is_tried_where_the_result_cannot_be_written(begun, asked):
    (begun / "build").write_text("a file\n")
    code, said = asked(begun, "mutants", "--only", "open_account")
    assert code == FAILED and said == "build: File exists\n", said


HELPER = """from corollary.language.types import u32


def plus(a: u32) -> u32:
    return a
"""


def test_a_result_is_outdated_once_a_function_that_it_calls_elsewhere_changes(begun, asked, monkeypatch):
    monkeypatch.setattr("tests.commands.test_component.ROOT", f"{ROOT}{os.pathsep}{begun.parent}")
    (begun.parent / "helper.py").write_text(HELPER)
    edit(begun, "model.py", "from .spec", "from helper import plus\n\nfrom .spec")
    edit(begun, "model.py", "balance += amount", "balance += plus(amount)")
    edit(begun, "component.py", "view=VIEW", 'view=VIEW, calls=("helper",)')
    page = begun / "build" / "report" / "index.html"
    code, said = asked(begun, "verify")
    assert code == 0, said
    asked(begun, "report")
    assert "The sources have changed" not in page.read_text()
    edit(begun.parent, "helper.py", "return a", "return a + 1")
    asked(begun, "report")
    assert "The sources have changed" in page.read_text()


def test_a_module_that_is_written_while_it_is_proved_has_no_result(begun):
    touched = "import pathlib\n\npathlib.Path(__file__).touch()\n"
    (begun / "other.py").write_text(touched)
    code, said = started(begun, "verify")
    assert code == FAILED and "bank.other was written while this run went on" in said, said
    assert not (begun / "build" / "verify.json").exists()


@pytest.mark.parametrize("text, told", [("a = = b", "is no TOML"), ("a = 3", "the reason of a is no text")])
def test_no_mutant_is_tried_where_the_reasons_cannot_be_read(begun, asked, text, told):
    (begun / "survivors.toml").write_text(text)
    code, said = asked(begun, "mutants", "--only", "open_account")
    assert code == FAILED and said.startswith("survivors.toml") and told in said and said.count("\n") == 1, said


def test_c_that_does_otherwise_is_found(begun, asked):
    assert asked(begun, "test")[0] == FAILED  # nothing is generated yet
    asked(begun, "gen")
    edit(begun / "generated" / "bank", "model.c", "s->account[source].balance -= amount;", "")
    code, said = asked(begun, "test")
    assert code == FAILED and "run `corollary gen`" in said, said


@pytest.mark.parametrize(
    "name, said",
    [
        ("Bank", "no name of a package"),
        ("json", "a package that Python has"),
        ("struct", "a package that Python has"),
        ("extern", "a keyword of C"),
        ("../up", "no name of a package"),
        ("account", "something else in the example"),
        ("bank", "is there already"),
    ],
)
def test_a_name_that_is_taken_is_refused(tmp_path, monkeypatch, name, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bank").mkdir()
    told = CliRunner().invoke(app, ["new", name])
    assert told.exit_code == USAGE and said in told.output and [path.name for path in tmp_path.iterdir()] == ["bank"]


def test_another_name_takes_the_place_of_the_example(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["new", "my_ledger"]).exit_code == 0
    text = "".join(path.read_text() for path in (tmp_path / "my_ledger").iterdir())
    assert "class MyLedger(Record)" in text and "bank" not in text.lower()


def test_the_kernel_is_a_component_that_calls_no_other():
    check(KERNEL, ROOT / "model" / "kernel" / "component.py")
    with pytest.raises(LanguageError, match="dispatch is not about Other"):
        check_function(Component(state=Other, operations=()), dispatch)


def test_without_a_component_nothing_is_tested(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["test"])
    assert told.exit_code == USAGE and "corollary new NAME" in told.output


WRONG = {
    "no component": ("component.py", "COMPONENT = ", "OTHER = ", "COMPONENT is missing", "COMPONENT = Component("),
    "no operation": ("component.py", "(open_account, deposit, transfer)", "()", "no operation", "operations=(f, g)"),
    "another state": ("component.py", "state=Bank", "state=None", "is no record", "a class with fields"),
    "no status": ("spec.py", "    OK = 0", "    OK = 4", "open_account returns no status", "an Enum with OK = 0"),
    "no such operation": (
        "spec.py",
        '@succeeds("deposit")',
        '@succeeds("lend")',
        "lend, which is no operation",
        "one of deposit",
    ),
    "no such field": (
        "spec.py",
        'changes=("account.open",)',
        'changes=("account.shut",)',
        "account.shut changes",
        "one of account",
    ),
    "another type": (
        "spec.py",
        "before: Bank, to: AccountId, amount: u32) -> bool",
        "before: Bank, to: AccountId, amount: u64) -> bool",
        "a u64, and of deposit a u32",
        "amount: u32",
    ),
    "twice": ("spec.py", '"BANK-3"', '"BANK-2"', "BANK-2 is declared twice", "an id of its own"),
    "unseen": (
        "spec.py",
        ', Observation("account", sees_own, ("balance",))',
        ",",
        "account.balance is seen by nobody",
        "a row of `observations`",
    ),
    "nobody observes": (
        "component.py",
        "actor=AccountId, ",
        "",
        "it is declared what is seen, but not by whom",
        "actor=...",
    ),
    "no observer": (
        "spec.py",
        "def sees_own(s: Bank, p: AccountId, a: AccountId)",
        "def sees_own(s: Bank, p: u32, a: AccountId)",
        "sees_own does not say who sees it",
        "def sees_own(s: Bank, p: AccountId, ...)",
    ),
    "two of one name": (
        "component.py",
        "(open_account, deposit, transfer)",
        "(open_account, deposit, transfer, deposit)",
        "deposit is the name of two operations",
        "a name for each",
    ),
    "two components": (
        "component.py",
        "view=VIEW)",
        "view=VIEW)\nOTHER = Component(state=Bank, operations=(deposit,))",
        "COMPONENT is not the only component of bank",
        "one Component",
    ),
    "an impure invariant": (
        "spec.py",
        "    return implies(a != VAULT, s.account[a].balance <= LIMIT)",
        "    s.account[a].balance = 0\n    return implies(a != VAULT, s.account[a].balance <= LIMIT)",
        "is_limited changes s",
        "a function that only reads",
    ),
    "an impure sight": (
        "spec.py",
        "    return p == a\n",
        "    s.account[a].balance = 0\n    return p == a\n",
        "sees_own changes s",
        "a function that only reads",
    ),
    "a condition on the outcome": (
        "spec.py",
        "def may_open(before: Bank, a: AccountId) -> bool:",
        "def may_open(before: Bank, after: Bank, a: AccountId) -> bool:",
        "after is nothing that may_open may speak of",
        "an index, or one of s, before",
    ),
    "an invariant of two states": (
        "spec.py",
        "def vault_is_closed(s: Bank)",
        "def vault_is_closed(s: Bank, before: Bank)",
        "before is nothing that vault_is_closed may speak of",
        "an index, or one of s",
    ),
    "a theorem of another type": (
        "spec.py",
        "status: Status, to: AccountId) -> bool",
        "status: Status, to: u32) -> bool",
        "to of is_open_to_it is a u32, and of deposit a AccountId",
        "to: AccountId",
    ),
    "books": (
        "component.py",
        "view=VIEW)",
        "view=VIEW, books=('account',))",
        "there are books, but no gate",
        "changes=(...)",
    ),
    "a group named as a table": (
        "spec.py",
        "    exists=is_held,",
        "    exists=is_held,\n    groups=(('account', ()),),",
        "account is the name of a group, and of a table",
        "another name",
    ),
    "a misspelt field of a row": (
        "spec.py",
        '"account", ("open",), opens',
        '"account", ("opened_at",), opens',
        "opens is about opened_at, which is no field",
        "one of",
    ),
    "a string for a tuple": (
        "spec.py",
        '"account", ("open",), opens',
        '"account", ("open"), opens',
        "opens is about 'open', which is no tuple of names",
        "('open',)",
    ),
    "a misspelt step of a row": (
        "spec.py",
        'as much", about=("deposit",)',
        'as much", about=("deposits",)',
        "has_funds is about deposits, which is no step",
        "one of",
    ),
    "no Python": ("model.py", "def deposit(", "def deposit((", "Python cannot import it: SyntaxError", "a module that"),
    "no such import": (
        "model.py",
        "import u32",
        "import u128",
        "Python cannot import it: ImportError",
        "a module that",
    ),
    "too wide an index": (
        "spec.py",
        '"AccountId", ACCOUNTS',
        '"AccountId", 1 << 70',
        "is no bound of an index: the greatest is 1 << 64",
        "Index('AccountId', N)",
    ),
    "too many rows": (
        "spec.py",
        '"AccountId", ACCOUNTS',
        '"AccountId", 1 << 40',
        "bytes, and C may have 2147483647",
        "tables with fewer rows",
    ),
    "a gate": (
        "component.py",
        "view=VIEW)",
        "view=VIEW, gate=transfer)",
        "gate is supported for the kernel only",
        "a Component without gate=",
    ),
    "a log": (
        "component.py",
        "view=VIEW)",
        "view=VIEW, log='account')",
        "log is supported for the kernel only",
        "a Component without log=",
    ),
    "no such name": (
        "spec.py",
        "VAULT = AccountId(0)",
        "VAULT = Id(0)",
        "cannot import it: NameError",
        "a module that",
    ),
    "a status beyond its byte": (
        "spec.py",
        "TOO_MUCH = 2",
        "TOO_MUCH = 256",
        "TOO_MUCH = 256 is outside the 8 bits of Status",
        "another number",
    ),
    "two names for a status": (
        "spec.py",
        "TOO_MUCH = 2",
        "TOO_MUCH = 1",
        "TOO_MUCH and CLOSED are the same in Status",
        "a number for each",
    ),
    "an operation that requires something": (
        "model.py",
        "def deposit(",
        "from corollary.language.contracts import requires\n\n\n@requires(lambda amount: amount != 77)\ndef deposit(",
        "deposit is called from outside, where nothing shows what it requires",
        "a status that says what was wrong",
    ),
    "foreign": (
        "model.py",
        "    s.account[a].open = True\n",
        "    s.account[a].open = later(u64(1), u64(2)) == 1\n",
        "open_account calls later of kernel",
        "a function of its own, or calls=('kernel',)",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_component_is_refused_with_what_where_and_a_remedy(begun, asked, name):
    file, old, new, what, remedy = WRONG[name]
    text = (begun / file).read_text()
    assert old in text
    text = text.replace(old, new, 1).replace("import u32", "import u32, u64").replace("Table, u32", "Table, u32, u64")
    if name == "foreign":
        text = text.replace("from .spec", "from corollary.spec.kernel.clock import later\n\nfrom .spec")
    (begun / file).write_text(text)
    code, said = asked(begun, "gen")
    assert code == FAILED and what in said and f"instead: {remedy}" in said and ".py:" in said, said


FALSE = """

@invariant("{id}", "nobody holds anything (false)")
def nothing(s: Bank, a: AccountId) -> bool:
    return s.account[a].balance == 0
"""


@pytest.mark.parametrize("id_", ["FRAME", "OK-iff", "ENSURES", "SETTLED", "well-formed-model", "NI-3-account"])
def test_a_promise_does_not_take_the_place_of_another_obligation(begun, asked, id_):
    (begun / "spec.py").write_text((begun / "spec.py").read_text() + FALSE.format(id=id_))
    for command in ("verify", "mutants"):
        code, said = asked(begun, command)
        assert code == FAILED and "two obligations have the id " in said and f"/{id_}\n" in said, said
        assert "spec.py:" in said and "instead: another id for the promise" in said
    assert not (begun / "build" / "verify.json").exists()


@pytest.mark.parametrize(
    ("file", "others"),
    [("__init__.py", ()), ("more/promises.py", ()), ("promises.v2.py", ()), ("promises.py", ("promises/__init__.py",))],
)
def test_a_promise_in_a_file_that_nothing_imports_is_refused(begun, asked, file, others):
    for other in (file, *others):
        (begun / other).parent.mkdir(exist_ok=True)
        (begun / other).write_text('"""More."""\n')
    text = "from corollary.language.property import invariant\nfrom bank.spec import AccountId, Bank\n"
    (begun / file).write_text(text + FALSE.format(id="BANK-9"))
    code, said = asked(begun, "verify")
    assert code == FAILED and f"{file}:5: nothing imports this promise" in said, said


def test_an_empty_module_counts_as_one(begun, asked):
    (begun / "notes.py").touch()
    for command in ("verify", "gen", "test", "report"):
        code, said = asked(begun, command)
        assert code == 0, said


def test_two_functions_of_one_name_in_c_are_refused(begun, asked):
    for package in ("one", "other"):
        (begun / package).mkdir()
        (begun / package / "__init__.py").touch()
        (begun / package / "more.py").write_text(HELPER)
    both = "from .one.more import plus\nfrom .other.more import plus as also\n"
    edit(begun, "model.py", "from .spec", f"{both}from .spec")
    edit(begun, "model.py", "balance += amount", "balance += plus(also(amount))")
    code, said = asked(begun, "gen")
    assert code == FAILED and "more.py:4: more_plus names in C another function, in" in said, said


def test_a_false_contract_is_refuted_and_the_result_is_written(begun, asked):
    contract = "from corollary.language.contracts import ensures\n\n\n@ensures(lambda result: result < 5)\n"
    more = f"{contract}def same(a: u32) -> u32:\n    return a\n\n\ndef deposit("
    edit(begun, "model.py", "def deposit(", more)
    edit(begun, "model.py", "balance += amount", "balance += same(amount)")
    assert asked(begun, "gen")[0] == 0
    for command in ("verify", "test"):
        code, said = asked(begun, command)
        assert code == FAILED and "Traceback" not in said, said
    assert (begun / "build" / "verify.json").exists()


def test_a_promise_about_the_state_that_is_declared_elsewhere_is_refused(begun, asked, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    text = FALSE.format(id="BANK-9").replace("\n", "\n    ").replace("Bank", "type_").replace("AccountId", "index")
    text = f"from corollary.language.property import invariant\n\n\ndef poor(type_, index):{text}\n"
    (elsewhere / "rules.py").write_text(text)
    monkeypatch.setattr("tests.commands.test_component.ROOT", f"{ROOT}{os.pathsep}{elsewhere}")
    with (begun / "spec.py").open("a") as spec:
        spec.write("\n\nfrom rules import poor\n\npoor(Bank, AccountId)\n")
    code, said = asked(begun, "verify")
    assert code == FAILED and "BANK-9 is about Bank, and is declared in rules" in said, said


def test_a_result_is_outdated_once_a_constant_from_a_file_changes(begun, asked):
    limit = begun / "limit.txt"
    limit.write_text("100000")
    edit(begun, "spec.py", "LIMIT = 100_000", 'LIMIT = int((Path(__file__).parent / "limit.txt").read_text())')
    edit(begun, "spec.py", '"""\n\nfrom', '"""\n\nfrom pathlib import Path\n\nfrom')
    assert asked(begun, "verify")[0] == 0
    limit.write_text("4294967295")
    assert (
        asked(begun, "report")[0] == 0
        and "have changed since" in (begun / "build" / "report" / "index.html").read_text()
    )
    assert asked(begun, "verify")[0] == FAILED


def test_a_link_that_leads_elsewhere_while_it_is_proved_gives_no_result(begun):
    (begun / "spec.py").rename(begun / "first.txt")
    (begun / "second.txt").write_text((begun / "first.txt").read_text())
    (begun / "spec.py").symlink_to("first.txt")
    turned = "from pathlib import Path\n\nlink = Path(__file__).with_name('spec.py')\nlink.unlink()\n"
    (begun / "other.py").write_text(f"{turned}link.symlink_to('second.txt')\n")
    code, said = started(begun, "verify")
    assert code == FAILED and "bank.spec was written while this run went on" in said, said


def test_rows_that_a_promise_names_are_settled_whatever_the_size_of_their_table(begun, asked):
    for size in (3, 5):
        text = (begun / "spec.py").read_text()
        (begun / "spec.py").write_text(re.sub(r"ACCOUNTS = \d+", f"ACCOUNTS = {size}", text))
        assert asked(begun, "verify")[0] == 0


@pytest.mark.parametrize("command", ["gen", "verify", "test", "mutants", "report"])
def test_a_folder_whose_module_ends_python_is_refused(begun, asked, command):
    (begun / "model.py").write_text("import sys\n\nsys.exit(0)\n")
    code, said = asked(begun, command)
    assert code == FAILED and "model.py:3: Python cannot import it: SystemExit: 0\n  instead: " in said, said


BOOT = """

def boot(s: Bank) -> Status:
    return Status.OK
"""


def test_an_operation_does_not_take_the_place_of_the_first_step(begun, asked):
    with (begun / "model.py").open("a") as model:
        model.write(BOOT)
    edit(begun, "component.py", "import begin,", "import begin, boot,")
    edit(begun, "component.py", "deposit, transfer), actor", "deposit, transfer, boot), actor")
    code, said = asked(begun, "gen")
    assert code == FAILED and "boot is the name of the step to the first state" in said, said


def test_a_module_in_a_package_of_the_folder_counts(begun, asked):
    (begun / "more").mkdir()
    (begun / "more" / "__init__.py").write_text("")
    (begun / "more" / "deep.py").write_text("nothing\n")
    code, said = asked(begun, "gen")
    assert code == FAILED and "deep.py:1: Python cannot import it: NameError" in said, said


@pytest.mark.parametrize("name", ["kernel", "wasm"])
def test_a_component_does_not_take_the_name_of_one_of_this_project(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["new", name])
    assert told.exit_code == USAGE and "a component of this project" in told.output


def test_rows_that_the_first_step_does_not_write_count_in_a_sum(begun, asked):
    edit(begun, "spec.py", "    return s.account[a].balance\n", "    return 7 if a == 5 else s.account[a].balance\n")
    code, said = asked(begun, "verify", "--only", "boot/BANK-1")
    assert code == FAILED and "refuted  boot/BANK-1" in said, said


def test_a_view_of_which_nobody_is_an_observer_is_refuted(begun, asked):
    edit(begun, "spec.py", "    return s.account[p].open\n", "    return False\n")
    code, said = asked(begun, "verify", "--only", "any state/is_held-somebody")
    assert code == FAILED and "refuted  any state/is_held-somebody" in said, said


def test_c_is_generated_of_modules_without_a_docstring(begun, asked):
    for file in ("model.py", "spec.py"):
        text = (begun / file).read_text()
        (begun / file).write_text(text[text.index("\n") + 1 :])
    code, said = asked(begun, "gen")
    assert code == 0 and "wrote   generated/bank/model.c" in said, said
