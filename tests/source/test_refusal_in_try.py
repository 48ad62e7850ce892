"""Handlers do not catch what the compiler raises because it cannot go on."""

import pytest

import autograph as ag
from autograph.errors import ConcreteValueError
from autograph.source.load import convert


def refused(x, names):
    try:
        return {x * 1j}, names  # needs the value of a float
    except Exception:
        return "swallowed"


def refused_and_left(x, names):
    try:
        return {x * 1j}
    except:  # noqa: E722
        pass
    finally:
        if len(names) > 2:
            return "dropped"  # noqa: B012
    return "swallowed"


@pytest.mark.parametrize("function", [refused, refused_and_left])
@pytest.mark.parametrize("names", [("a", "b"), ("a", "b", "c")])
def test_refusals_pass(function, names):
    with pytest.raises(ConcreteValueError):
        ag.to_graph(function)(1.5, names)


def test_needed_values_pass():
    def f(n, names):
        try:
            return names[n]
        except:  # noqa: E722
            return "swallowed"

    assert ag.to_graph(f)(1, ("a", "b")) == "b"


def test_text():
    lines = [line.partition("#")[0].strip() for line in convert(refused).text.splitlines()]
    first = lines.index("except ops.refusals():")
    assert lines[first : first + 3] == ["except ops.refusals():", "raise", "except Exception:"]
