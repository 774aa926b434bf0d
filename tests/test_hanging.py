"""Does a run of the tests end, and name the test that does not?"""

import subprocess
import sys

import pytest

from corollary.codegen.folders import ROOT

HANGS = "import time\n\n\ndef test_waits():\n    time.sleep(1000)\n"
ENDS = "import pytest\n\n\n@pytest.mark.parametrize('number', range(20))\ndef test_ends(number):\n    pass\n"


@pytest.mark.long
def test_a_test_that_hangs_fails_and_the_others_are_run(tmp_path):
    (tmp_path / "test_a.py").write_text(HANGS + ENDS)
    for name in "bcd":
        (tmp_path / f"test_{name}.py").write_text(ENDS)
    options = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path), "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-o", "timeout=2", "--numprocesses=2", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1 and "1 failed, 60 passed" in done.stdout, done.stdout
    assert "crashed while running" in done.stdout and "test_a.py::test_waits" in done.stdout
