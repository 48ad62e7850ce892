"""How often functions are recorded of which calls with lists are refused, and what that says."""

import numpy as np
import pytest

import autograph as ag
from autograph.api.recording.recorded import RecordedFunction


@pytest.fixture
def recordings(monkeypatch):
    found, record = [], RecordedFunction._record

    def counted(self, *args, **kwargs):
        found.append(kwargs.get("open_shapes"))
        return record(self, *args, **kwargs)

    monkeypatch.setattr(RecordedFunction, "_record", counted)
    return found


def refused(compiled, *args):
    with pytest.raises(ag.errors.AutographError) as raised:
        compiled(*args)
    return raised.value


def roots(xs):
    return np.roots(xs)


def opened(xs, place):
    return open(xs[place])


def solved(xs):
    return np.linalg.slogdet(xs[0] + xs[1])


@pytest.mark.parametrize("function, more", [(roots, ()), (opened, (1,)), (solved, ())])
def test_what_arrays_do_not_help_with_is_recorded_once(recordings, function, more):
    assert refused(ag.to_graph(function), [1.0, 2.0, 3.0], *more).id in ("AG0402", "AG0404")
    assert len(recordings) == 1


def wrapped(xs):
    found = 0
    for x in xs:
        if x > 0.5:
            found = [found]
    return found


def test_what_is_refused_of_arrays_of_any_length_alike_is_not_recorded_for_one(recordings):
    error = refused(ag.to_graph(wrapped), [1.0, 2.0, 3.0])
    assert error.id == "AG0311"
    assert [shapes is not None for shapes in recordings] == [False, True]


def shown(xs):
    return np.eye(3) if xs[0] > 0.5 else xs


def test_elements_are_not_recorded_again_to_be_refused(recordings):
    compiled = ag.to_graph(shown)
    error = refused(compiled, [0.25, 0.5])
    assert "f64[3,3] and " in error.message
    count = len(recordings)
    assert [shapes is None for shapes in recordings].count(True) <= 2
    assert refused(compiled, [0.25, 0.5]).message == error.message
    assert refused(compiled, [0.25, 0.5]).message == error.message
    assert len(recordings) == 2 * count + 1  # where functions of its code share, and known by then


def long_and_refused(xs):
    total = 0.0
    for a in xs:
        for b in xs:
            for c in xs:
                for d in xs:
                    if a > b * c:
                        total += np.sin(a * d)
    return total, open(xs[0])


def test_lists_whose_elements_are_too_many_operations_are_told_to_be(recordings):
    given = np.random.default_rng(0).uniform(size=15).tolist()
    assert refused(ag.to_graph(long_and_refused), given).id == "AG0375"
