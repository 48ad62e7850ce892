"""Functions that magics of IPython have run: `%%time` and the like."""

import subprocess
import sys
import types

import numpy as np
import pytest

import autograph as ag
from autograph.errors import NoSourceError
from tests.support.tree import ROOT

HALVED = "def halved(x):\n    while x > 1:\n        x = x / 2\n    return x\n"
THIRDS = HALVED.replace("/ 2", "/ 3")


@pytest.fixture
def session(monkeypatch):
    """What runs cells as IPython's `%%time` does, in a stand-in for it."""
    history = types.SimpleNamespace(input_hist_raw=[""])
    shell = types.SimpleNamespace(history_manager=history, transform_cell=lambda text: text)
    package = types.SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", package)

    def run(text, magic="%%time", name="<timed exec>"):
        history.input_hist_raw.append(f"{magic}\n{text}")
        names = {"ag": ag, "np": np}
        exec(compile(text, name, "exec"), names)
        return names

    return run


def test_a_cell_that_is_timed(session):
    halved = session(HALVED)["halved"]
    assert ag.to_graph(halved)(9.0) == halved(9.0)
    assert "# <timed exec>:3" in ag.to_graph(halved).converted


def test_several_cells_of_one_name(session):
    halved = session(HALVED)["halved"]
    thirds = session(THIRDS)["halved"]
    squared = session("squared = lambda x: x * x if x > 0 else x")["squared"]
    for function in (halved, squared, thirds, halved):
        assert ag.to_graph(function)(9.0) == function(9.0)
    assert ag.grad(thirds)(9.0) == 1 / 9


def test_decorated_where_it_is_run(session):
    text = f"@ag.to_graph\n{HALVED}\nfound = halved(9.0)"
    assert session(text)["found"] == 0.5625


def test_what_no_cell_has(session):
    names = {}
    exec(compile(HALVED.replace("x", "y"), "<timed exec>", "exec"), names)
    with pytest.raises(NoSourceError):
        ag.to_graph(names["halved"])(9.0)


def test_in_ipython_itself():
    pytest.importorskip("IPython")
    cells = (
        "import autograph as ag",
        f"%%time\n{HALVED}",
        "print(ag.grad(halved)(9.0))",
        "%time square = ag.to_graph(lambda x: x * x)",
        "print(square(3.0))",
    )
    program = f"""
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in {cells}:
    shell.run_cell(cell, store_history=True)
"""
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert "0.0625" in ran.stdout and "9.0" in ran.stdout, ran.stdout + ran.stderr
