"""Functions of installed packages: run as they are, and converted where the user wants that."""

import colorsys
import importlib
import sys
import textwrap

import numpy as np
import pytest

import autograph as ag
from autograph.source.tree import libraries
from tests.support.oracle import check, check_grad

LIBRARY = """
    GAIN = 2.0

    class Filter:
        def __init__(self, level):
            self.level = level
            self.raised = 0

        def update(self, x):
            if x > self.level:
                self.level = self.level + GAIN * (x - self.level) / 4
                self.raised += 1
            return self.level

    def smoothed(xs, level):
        kept = Filter(level)
        return [kept.update(x) for x in xs], kept.raised
"""


@pytest.fixture
def unchanged(monkeypatch):
    """What a test has converted is not converted after it."""
    monkeypatch.setattr(libraries, "_converted", libraries._converted)
    yield
    monkeypatch.undo()
    for clear in libraries._caches:
        clear()


@pytest.fixture
def package(tmp_path, monkeypatch, unchanged):
    """The module of an installed package."""
    folder = tmp_path / "installed" / "smoothing"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "filters.py").write_text(textwrap.dedent(LIBRARY))
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.setattr(libraries, "_PATHS", (*libraries._PATHS, str(folder.parent)))
    module = importlib.import_module("smoothing.filters")
    yield module
    for name in ("smoothing", "smoothing.filters"):
        del sys.modules[name]


def test_a_refusal_says_how_to_convert_the_package(package):
    def last(xs, level):
        return package.smoothed(xs, level)[0][-1]

    xs = np.array([1.0, 5.0, 2.0])
    with pytest.raises(ag.errors.AutographError) as refused:
        ag.to_graph(last)(xs, 0.5)
    assert refused.value.id == "AG0301" and refused.value.called == "smoothing.filters.smoothed"
    assert 'ag.convert_packages("smoothing")' in refused.value.fix
    ag.convert_packages("smoothing")
    check(last, xs, 0.5)
    check_grad(last, xs, 0.5)


def test_classes_of_the_package_and_what_they_read(package):
    ag.convert_packages("smoothing")

    @ag.to_graph
    def updated(kept, x):
        kept.update(x)
        return kept.level * package.GAIN

    kept = package.Filter(1.0)
    assert (updated(kept, 3.0), kept.level, kept.raised) == (4.0, 2.0, 1)
    package.GAIN = 4.0  # which its functions read at each call
    assert (updated(kept, 3.0), kept.level, kept.raised) == (12.0, 3.0, 2)


def test_lanes(package):
    ag.convert_packages("smoothing.filters")
    xs = np.array([[1.0, 5.0], [0.0, 0.25]])
    found, raised = ag.vmap(package.smoothed, in_axes=(0, None))(xs, 0.5)
    expected = [package.smoothed(x, 0.5) for x in xs]
    np.testing.assert_array_equal(np.stack(found, 1), [levels for levels, _ in expected])
    np.testing.assert_array_equal(raised, [count for _, count in expected])


@pytest.mark.parametrize("color", [(0.2, 0.4, 0.6), (0.9, 0.4, 0.1), (0.5, 0.5, 0.5)])
def test_a_module_of_pythons_own(unchanged, color):
    ag.convert_packages("colorsys")
    check(lambda r, g, b: colorsys.rgb_to_hls(r, g, b), *color)
    for given in (colorsys.rgb_to_hsv, ag.to_graph(colorsys.rgb_to_hsv)):
        assert ag.to_graph(given)(*color) == colorsys.rgb_to_hsv(*color)


@pytest.mark.parametrize("name", ["numpy", "numpy.linalg", "ops", "math", "os.no", ""])
def test_packages_that_cannot_be_converted(name):
    with pytest.raises(ag.errors.OptionError, match="AG0619"):
        ag.convert_packages(name)
