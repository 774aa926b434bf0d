"""Is each number that guests and host agree on written once?"""

import ast
import re
from types import SimpleNamespace

import pytest

from corollary.codegen import platform
from corollary.codegen.folders import ROOT
from corollary.emulation.agents import Plan
from corollary.emulation.layout import numbers
from corollary.spec.kernel import kept, witness

GUESTS = [path for path in sorted((ROOT / "guests").rglob("*.[ch]")) if path.is_file()]
MODULES = [path for path in sorted((ROOT / "emulation").glob("*.py")) if path.name != "layout.py"]
OF_THE_KERNEL = {
    "CHECKPOINT_TAG": kept.CHECKPOINT_TAG,
    "CHECKPOINT_WORDS": kept.CHECKPOINT_WORDS,
    "RECORD_WORDS": witness.RECORD_WORDS,
}


def typed_in_c(text):
    """Return the names to which some C gives a number."""
    return {defined or counted for defined, counted in re.findall(r"#define (\w+) |\b([A-Z]\w*) = ", text)}


def typed_in_python(text):
    """Return the names to which a module gives something."""
    assigned = [node for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    names = [node for each in assigned for target in each.targets for node in ast.walk(target)]
    return {node.id for node in names if isinstance(node, ast.Name)}


def test_guests_get_numbers_of_the_kernel_as_they_are():
    assert OF_THE_KERNEL.items() <= numbers().items()


@pytest.mark.parametrize("path", GUESTS, ids=lambda path: path.name)
def test_no_guest_and_no_agent_types_a_number_that_it_gets(path):
    assert typed_in_c(path.read_text()) & numbers().keys() == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_types_one(path):
    assert typed_in_python(path.read_text()) & numbers().keys() == set()


def test_a_number_that_is_typed_is_found():
    assert typed_in_c("enum { UNIT = 7 };\n#define DECAY 3\n") == {"UNIT", "DECAY"}
    assert typed_in_python("SENDS_AT, RECEIVES_AT = 2, 1\n") == {"SENDS_AT", "RECEIVES_AT"}


def test_a_number_of_agents_has_a_field_and_a_value_wherever_it_stands():
    leaf = SimpleNamespace(word=0, position=0, path=())
    agents = [{"name": "one", "present": 0, "parts": 0, "leaf": leaf, "numbers": {"age": 41, "height": 43}}]
    about = {"agents": agents, "managed": False, "managers": 0, "stored": 0, "module_pages": 0, "plan": Plan(1)}
    text = platform.lay_out("agents.h", "agents.h", **about)
    assert "uint32_t age, height;" in text and "{0x0, 41, 43, /* one */" in text
