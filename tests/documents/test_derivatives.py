"""Every row of docs/derivatives.md holds: in reverse mode and in forward mode."""

import importlib.util
import re

import numpy as np
import pytest

import autograph as ag
from tests.support.tree import ROOT

ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "derivatives.md").read_text(encoding="utf-8"))
NUMBERS = {"inf": np.inf, "nan": np.nan}


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    """The expressions as functions, in a file, since the compiler reads sources."""
    lines = ["import numpy as np, ops"]
    for i, (expression, point, _) in enumerate(ROWS):
        names = ", ".join(part.split("=")[0].strip() for part in point.split(","))
        lines.append(f"def f{i}({names}):\n    return {expression}")
    path = tmp_path_factory.mktemp("rows") / "rows_of_the_document.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbers(text):
    return [np.float64(eval(part, dict(NUMBERS))) for part in text.split(",")]


@pytest.mark.parametrize("row", range(len(ROWS)), ids=[expression for expression, _, _ in ROWS])
@pytest.mark.filterwarnings("ignore")
def test_gradient(functions, row):
    _, point, gradient = ROWS[row]
    function = getattr(functions, f"f{row}")
    args = [numbers(part.split("=")[1])[0] for part in point.split(",")]
    expected = numbers(gradient)
    every = tuple(range(len(args)))
    np.testing.assert_allclose(ag.grad(function, argnums=every)(*args), expected, rtol=1e-12)
    for i in every:
        tangents = tuple(np.float64(1) if i == j else None for j in every)
        _, slope = ag.jvp(function, tuple(args), tangents)
        if not np.isnan(expected[i]):
            np.testing.assert_allclose(slope, expected[i], rtol=1e-12)


def test_there_are_rows():
    assert len(ROWS) > 35
