"""A notebook that is run: what its cells show, and what its errors show."""

import re
import sys

import pytest

from autograph.kernels.native import available

nbformat = pytest.importorskip("nbformat", reason="nbclient is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")

CELLS = {
    "imports": "import numpy as np, autograph as ag\nX = np.array([1.0, 2.0, 3.0])",
    "function": """\
%%time
@ag.to_graph
def halved(x):
    while np.sum(x * x) > 1e-3:
        x = x * 0.5
    return np.sort(x + 0j).real
""",
    "second": "@ag.to_graph\ndef second(x):\n    return np.sort(x + 0j).real",
    "explain second": "second.explain(X)",
    "profile second": "second.profile(X)",
    "converted": "halved.converted",
    "graph": "halved.graph(X)",
    "program": "halved.program(X)",
    "stages": "halved.stages(X)",
    "explain": "halved.explain(X)",
    "profile": "halved.profile(X)",
    "gradient": "ag.grad(lambda x: np.sum(halved(x))).graph(X)",
    "inner": "def inner(x):\n    y = x * 2\n    return y.nothing + 1",
    "outer": "@ag.to_graph\ndef outer(x):\n    return inner(x) * 3.0",
    "fails": "outer(X)",
    "checks": """\
@ag.to_graph
def checks(x):
    y = x * 2
    if np.sum(y) > 1:
        raise ValueError(f"got {y[0]}")
    return y
""",
    "raises": "checks(X)",
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What each cell has given, by its name."""
    if not available():
        pytest.skip("the reports are about native code, which there is none of here")
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    with pytest.MonkeyPatch.context() as environment:  # nothing is left behind
        for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR"):
            environment.setenv(name, str(tmp_path_factory.mktemp(name)))
        nbclient.NotebookClient(notebook, timeout=120, allow_errors=True).execute()
    return dict(zip(CELLS, (cell.outputs for cell in notebook.cells)))


def data(outputs):
    (output,) = [o for o in outputs if o.output_type != "stream"]
    assert output.output_type == "execute_result", output
    return output.data


def traceback(outputs):
    (output,) = [o for o in outputs if o.output_type == "error"]
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(output.traceback))


@pytest.mark.parametrize("name", ["converted", "program"])
def test_texts_have_colours(outputs, name):
    found = data(outputs[name])
    assert found["text/html"].startswith("<pre ") and "<span " in found["text/html"]
    assert "halved" in found["text/plain"]


@pytest.mark.parametrize("name", ["graph", "gradient"])
def test_graphs_are_pictures(outputs, name):
    found = data(outputs[name])
    assert "<svg " in found["text/html"] and "while_loop(" in found["text/html"]
    assert found["text/plain"]


@pytest.mark.parametrize("name", ["stages", "explain", "profile"])
def test_reports_are_tables(outputs, name):
    found = data(outputs[name])
    assert "<table>" in found["text/html"]


def test_reports_show_the_lines_of_the_cell(outputs):
    for name in ("explain", "profile", "explain second", "profile second"):
        shown = data(outputs[name])["text/html"]
        assert "return np.sort(x + 0j).real" in shown
        assert "In[3]:3" in shown or "second" not in name


def frames_in(shown):
    """The frames of a traceback; in Python 3.10 one of this package remains."""
    frames = re.findall(r"^(?:Cell|File) .*$", shown, re.MULTILINE)
    places = [frame.partition(", line")[0] for frame in frames]
    is_ours = lambda place: sys.version_info < (3, 11) and "autograph/api/calls" in place
    return [place for place in places if not is_ours(place)]


def test_the_frames_of_the_user_come_first(outputs):
    shown = traceback(outputs["fails"])
    assert frames_in(shown) == [
        "Cell In[15]",
        "Cell In[14]",
        "Cell In[13]",
    ]
    assert "----> 3     return y.nothing + 1" in shown and "[AG0359]" in shown
    assert "site-packages" not in shown
    assert "autograph/api" not in shown or sys.version_info < (3, 11)
    assert "at Cell In[13]:3" in shown and "ipykernel_" not in shown


def test_what_is_raised_by_the_run(outputs):
    shown = traceback(outputs["raises"])
    assert frames_in(shown) == ["Cell In[17]"]
    assert "ValueError: got 2.0" in shown
    assert 'raise ValueError(f"got {y[0]}")' in shown
