"""Does CrossHair find arguments that break the contracts of the pure helpers? It must find none."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SECONDS = "1.5"  # for each contract; most are decided at once, the rest are searched this long


def check(name, *options):
    """Return CrossHair's verdict on a module: its exit code and its lines."""
    command = [sys.executable, "-m", "crosshair", "check", "--analysis_kind", "PEP316", *options, str(HERE / name)]
    done = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def contracts(name):
    """Return the first and last line of each function with a contract, by name."""
    tree = ast.parse((HERE / name).read_text())
    return {node.name: (node.lineno, node.end_lineno) for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.long
def test_no_arguments_break_a_contract():
    code, said = check("contracts.py", "--report_all", "--per_condition_timeout", SECONDS)
    assert "error:" not in said, said
    assert code == 0, said
    examined = [int(line) for line in re.findall(r"contracts\.py:(\d+): info:", said)]
    missing = [
        name
        for name, (first, last) in contracts("contracts.py").items()
        if not any(first <= line <= last for line in examined)
    ]
    assert missing == [], said


def test_a_broken_contract_is_found():
    code, said = check("contract_that_fails.py", "--per_condition_timeout", "10")
    assert code == 1
    assert "false when calling the_threshold_itself_is_not_enough(950000)" in said
