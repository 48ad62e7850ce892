"""Installing the package, and what the commands say where they cannot work."""

import shutil
import subprocess
import sys
import textwrap
import venv
from importlib import metadata

import pytest

import autograph
import ops
from autograph import installation
from tests.support.processes import printed
from tests.support.tree import ROOT
from tests.test_layers import LATER

EXTRAS = {
    "cuda-tests", "cuda12", "cuda13", "dist", "docs", "lint", "mpi", "onnx",
    "peers", "samples", "test", "train",
}  # fmt: skip

# Run far from the source tree: the packages are complete, and a compiled function runs.
PROGRAM = """\
from pathlib import Path
import numpy as np
import autograph
import ops

def f(x):
    while np.sum(x) < 100.0:
        x = x * 2.0
    return np.sum(x)

x = np.ones(3)
assert autograph.to_graph(f)(x) == f(x) == 192.0
assert np.all(autograph.grad(f)(x) == 64.0)
for package in (autograph, ops):
    assert Path(package.__file__).with_name("py.typed").exists()
print(autograph.__file__)
"""


def test_extras():
    assert set(metadata.metadata("autograph-compiler").get_all("Provides-Extra")) == EXTRAS


def test_importing_leaves_out_what_few_need():
    """What takes long to import is imported by those functions that need it."""
    program = """
        import sys, gast, numpy, optree
        before = set(sys.modules)
        import autograph
        print(*set(sys.modules).difference(before))
    """
    imported = set(printed("-c", textwrap.dedent(program)).split())
    assert "autograph.api.function" in imported
    assert not imported & {"zipfile", "importlib.metadata", "email", "autograph.api.explaining"}
    assert not imported & {"html", "importlib.abc", "socket", *LATER}


def test_what_is_imported_later_is_there():
    program = """
        import autograph as ag
        listed = dir(ag)
        for name in ag.__all__:
            assert name in listed and getattr(ag, name) is vars(ag)[name], name
        assert hasattr(ag.solvers, "ode") and ag.odeint.__module__ == "autograph.api.odeint"
        for name in "grod", "_missing":
            assert not hasattr(ag, name)
        print("done")
    """
    assert printed("-c", textwrap.dedent(program)) == "done\n"


def test_version_and_licence():
    about = metadata.metadata("autograph-compiler")
    assert about["Version"] == autograph.__version__
    assert about["License-Expression"] == "Apache-2.0"
    assert (ROOT / "LICENSE").read_text().lstrip().startswith("Apache License")


def test_another_name_of_the_operators():
    from autograph.ops.linalg import products

    from autograph import ops as named

    assert named is autograph.ops is ops and products is ops.linalg.products
    assert ops.linalg.products.__spec__.name == "ops.linalg.products"
    program = "import autograph.ops.nn as nn, ops; assert nn is ops.nn; print(nn.__name__)"
    assert printed("-c", program).strip() == "ops.nn"


def test_another_project_that_is_named_ops(tmp_path):
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "__init__.py").write_text("raise RuntimeError('run')\n")
    program = f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        try:
            import autograph
        except ImportError as error:
            print(error)
    """
    assert "is another project's. Fix: uninstall" in printed("-c", textwrap.dedent(program))


def test_python_that_is_newer(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))
    with pytest.warns(RuntimeWarning, match=r"tested on Python 3.10 to 3.13, and this is 3.99"):
        installation.check_python()


def test_the_newest_python_is_declared():
    classifiers = metadata.metadata("autograph-compiler").get_all("Classifier")
    versions = [c.rpartition(" ")[2] for c in classifiers if ":: 3." in c]
    assert versions[-1] == ".".join(map(str, installation.NEWEST))


def test_python_that_is_too_old(tmp_path):
    old = tmp_path / "python3.9"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.18 && exit\nexit 1\n')
    old.chmod(0o755)
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    command = ["make", f"PYTHON={old}", "test"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode != 0
    assert "needs Python 3.10 or newer" in ran.stderr
    assert "Python 3.9.18" in ran.stderr
    assert not (tmp_path / ".venv").exists()


@pytest.mark.slow
def test_installation(tmp_path):
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in ("LICENSE", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tree)
    for name in ("autograph", "ops"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    environment = tmp_path / "venv"
    venv.create(environment, with_pip=True)
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", tree], check=True)
    (tmp_path / "elsewhere").mkdir()
    program = tmp_path / "elsewhere" / "program.py"
    program.write_text(PROGRAM)
    command = [python, program.name]
    ran = subprocess.run(command, cwd=program.parent, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(str(environment))
