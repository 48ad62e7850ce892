"""Which modules type checkers do not look at yet; `make lint` checks the others."""

import ast
import importlib.util
import subprocess
import sys

import pytest

from tests.support.tree import ROOT

# The number only goes down.
UNCHECKED = 41


def unchecked_modules() -> list[str]:
    """The modules in whose errors mypy takes no interest."""
    text = (ROOT / "pyproject.toml").read_text()
    listed = text[: text.index("ignore_errors")].rpartition("module = ")[2]
    return ast.literal_eval(listed.strip())


def test_fewer_and_fewer_modules_are_unchecked():
    listed = unchecked_modules()
    assert len(listed) == len(set(listed)) == UNCHECKED
    for name in listed:
        path = ROOT / name.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__init__.py").exists(), name


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="`make lint` installs mypy")
def test_modules_without_errors_leave_the_list(tmp_path):
    text = (ROOT / "pyproject.toml").read_text()
    config = tmp_path / "pyproject.toml"
    config.write_text(text.replace("ignore_errors = true", "ignore_errors = false"))
    command = [sys.executable, "-m", "mypy", f"--config-file={config}", "--no-error-summary"]
    ran = subprocess.run(
        [*command, f"--cache-dir={tmp_path}"], cwd=ROOT, capture_output=True, text=True
    )
    found = {line.partition(":")[0] for line in ran.stdout.splitlines() if ": error:" in line}
    files = {file.removesuffix(".py").removesuffix("/__init__") for file in found}
    assert {file.replace("/", ".") for file in files} == set(unchecked_modules())
