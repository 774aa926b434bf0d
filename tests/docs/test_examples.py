"""Does everything on the pages that can be run do what is said of it?"""

import doctest
import re
import subprocess
import sys

import pytest

from corollary.codegen.image import TARGET
from corollary.report import explain
from corollary.report.ledger import ROOT
from corollary.report.page import LEVELS
from docs import examples, hooks  # pyright: ignore[reportAttributeAccessIssue] - not `tests/docs`
from docs.blocks import blocks, expected, paths  # pyright: ignore[reportMissingImports] - not `tests/docs`
from tests.told import EXITS, check_in_order, copied, edit, follow, type_in

PAGES = {path.relative_to(ROOT / "docs").as_posix(): path.read_text() for path in sorted((ROOT / "docs").rglob("*.md"))}
MARKS = {"python", "runs", "compiles", *EXITS, *examples.SAYS}
EDITS = ("append to ", "remove from ")
EXCERPT = "in "
FOLLOWED = [name for name, text in PAGES.items() if any(block.mark.startswith(EDITS) for block in blocks(text))]
RUN = [
    name
    for name, text in PAGES.items()
    if name not in FOLLOWED and {block.mark for block in blocks(text)} & {"python", "runs"}
]


def run_python(block, names, page):
    """Run a block in the namespace of its page: statements, or what is typed at a prompt with what it shows."""
    if block.language == "python":
        exec(compile(block.text, page, "exec"), names)
        return
    asked = doctest.DocTestParser().get_doctest(block.text, names, page, page, 0)
    said = []
    result = doctest.DocTestRunner(verbose=False).run(asked, out=said.append, clear_globs=False)
    names.update(asked.globs)
    assert result.attempted and not result.failed, "".join(said)


@pytest.mark.parametrize("page", RUN)
def test_a_page_runs_from_top_to_bottom(page):
    names = {}
    for block in blocks(PAGES[page]):
        if block.mark == "python":
            run_python(block, names, page)
        elif block.mark == "runs":
            type_in(block.text)


@pytest.mark.parametrize("page", FOLLOWED)
def test_a_page_can_be_followed_in_a_copy(page, tmp_path):
    tree = copied(tmp_path / "tree")
    edit(tree, PAGES[page])
    follow(tree, PAGES[page])


def test_what_a_prompt_shows_is_compared():
    (block,) = blocks("<!-- python -->\n```pycon\n>>> n + 1\n3\n```")
    run_python(block, {"n": 2}, "a page")
    with pytest.raises(AssertionError, match=r"Got:\s+4"):
        run_python(block, {"n": 3}, "a page")


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, id=f"{name}-{number}")
        for name, text in PAGES.items()
        for number, example in enumerate(examples.examples(text))
    ],
)
def test_the_language_says_what_a_page_says(example):
    said = examples.judged(example)
    assert said.startswith(example.block.mark) or (example.block.mark, said) == ("accepted", "")


@pytest.mark.parametrize(
    "mark, code",
    [
        ("accepted", "def f(x: u8) -> u8:\n    return -x"),
        ("refused", "def f(x: u8) -> u8:\n    return x"),
        ("proved", "def f(x: u8) -> u8:\n    return x + 1"),
        ("refuted", "def f(x: u8) -> u8:\n    return x"),
    ],
)
def test_an_example_with_the_wrong_mark_is_noticed(mark, code):
    text = f"<!-- {mark} -->\n```python\nfrom corollary.language.types import u8\n\n\n{code}\n```"
    with pytest.raises(examples.Untrue, match=f"not {mark}"):
        examples.explained(text)


@pytest.mark.parametrize(
    "code", [block.text for text in PAGES.values() for block in blocks(text) if block.mark == "compiles"]
)
def test_what_is_shown_in_c_compiles(code, tmp_path):
    (tmp_path / "guest.c").write_text(code)
    command = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        *TARGET,
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-ffreestanding",
        f"-I{ROOT / 'generated' / 'guest'}",
        "-c",
        "guest.c",
        "-o",
        "guest.o",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "path, code",
    [
        (block.mark.removeprefix(EXCERPT), block.text)
        for text in PAGES.values()
        for block in blocks(text)
        if block.mark.startswith(EXCERPT)
    ],
)
def test_an_excerpt_is_in_its_file(path, code):
    check_in_order((ROOT / path).read_text(), expected(code.splitlines()))


def test_every_block_says_how_it_is_run():
    unmarked = [
        (name, block.mark, block.text)
        for name, text in PAGES.items()
        for block in blocks(text)
        if block.mark not in MARKS and not block.mark.startswith((*EDITS, EXCERPT))
    ]
    assert unmarked == [] and RUN and FOLLOWED


@pytest.mark.parametrize("page", PAGES)
def test_every_folder_and_file_that_is_named_exists(page):
    assert [path for path in paths(PAGES[page]) if not (ROOT / path).exists()] == []


def test_every_level_is_explained():
    told = re.findall(r"^\| (\d) \| (.*?) \|", hooks.filled(PAGES["proofs.md"]), re.MULTILINE)
    assert {int(number): name for number, name in told} == LEVELS


def test_what_explain_may_say_is_what_it_says():
    table = PAGES["tutorials/failed_proof.md"].split("| it says | so |")[1]
    rows = re.findall(r"^\| ([a-z].*?) \|", table, re.MULTILINE)
    code = (ROOT / "corollary" / "report" / "explain.py").read_text()
    assert explain.HOLDS in code and rows
    for row in rows:
        for words in re.split(r"FIELD|STATUS|\b[AB]\b|\.\.\.", row):
            assert words.strip(" :,") in code, row


def test_words_are_in_order():
    words = re.findall(r"^## (.*)$", PAGES["glossary.md"], re.MULTILINE)
    assert words == sorted(words, key=str.lower) and len(words) == len(set(words))
