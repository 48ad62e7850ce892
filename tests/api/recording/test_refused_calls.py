"""A call that is like one that was refused is refused without being recorded."""

import numpy as np
import pytest

import autograph as ag
from autograph.api.recording.refused_calls import RefusedCalls
from autograph.errors import AutographError

TREE = [5.0, [3.0, None, None], [8.0, None, [9.0, None, None]]]


def find(tree, x):
    while tree is not None:
        if x == tree[0]:
            return True
        tree = tree[1] if x < tree[0] else tree[2]
    return False


def refusal(compiled, *args):
    with pytest.raises(AutographError) as raised:
        compiled(*args)
    return raised.value


def test_it_is_recorded_once_in_few_forms(recordings):
    compiled = ag.to_graph(find)
    first = refusal(compiled, TREE, 9.0)
    count = len(recordings)
    for _ in range(3):
        again = refusal(compiled, TREE, 4.0)
        assert str(again) == str(first) and again.fix == first.fix and again.id == first.id
        assert again is not first and type(again) is type(first)
    assert len(recordings) == count


def test_it_is_compared_once_with_calls_that_were_refused(monkeypatch):
    asked = []
    refuse = RefusedCalls.refuse
    monkeypatch.setattr(RefusedCalls, "refuse", lambda *args: (asked.append(1), refuse(*args))[1])
    compiled = ag.to_graph(find)
    refusal(compiled, TREE, 9.0)
    asked.clear()
    refusal(compiled, [*TREE[:2], [8.0, [6.0, None, None], None]], 9.0)  # which is like none
    assert len(asked) == 1


def test_another_function_of_the_code_learns_it_once(recordings):
    refusal(ag.to_graph(find), TREE, 9.0)
    refusal(ag.to_graph(find), TREE, 9.0)
    count = len(recordings)
    refusal(ag.to_graph(find), TREE, 9.0)
    assert len(recordings) == count


def test_other_arguments_are_recorded(recordings):
    compiled = ag.to_graph(find)
    refusal(compiled, TREE, 9.0)
    assert compiled([5, None, None], 5) is True
    count = len(recordings)
    refusal(compiled, TREE, 9.0)
    assert len(recordings) == count


LIMIT = 1.0


def by_a_global(x):
    if LIMIT == 1.0:
        return np.eye(3) if x > 0 else [x]
    return x * LIMIT


def test_what_it_depends_on_outside_may_change(monkeypatch):
    compiled = ag.to_graph(by_a_global)
    assert refusal(compiled, 2.0).id == refusal(compiled, 2.0).id
    monkeypatch.setitem(globals(), "LIMIT", 3.0)
    assert compiled(2.0) == 6.0
    monkeypatch.setitem(globals(), "LIMIT", 1.0)
    refusal(compiled, -2.0)


def helper(x):
    return np.eye(3) if x > 0 else [x]


def by_a_helper(x):
    return helper(x)


def test_a_function_that_it_calls_may_be_mended(monkeypatch):
    compiled = ag.to_graph(by_a_helper)
    refusal(compiled, 2.0)
    refusal(compiled, 2.0)
    monkeypatch.setitem(globals(), "helper", lambda x: 2.0 * x)
    assert compiled(2.0) == 4.0


def by_a_value(x, n):
    if range(n)[-1] > 3:
        return np.eye(3) if x > 0 else [x]
    return x * n


def test_other_values_of_what_had_to_be_known(recordings):
    compiled = ag.to_graph(by_a_value)
    refusal(compiled, 2.0, 9)
    assert compiled(2.0, 2) == 4.0
    refusal(compiled, 2.0, 9)


def by_closure(limit):
    def function(x):
        if limit > 2:
            return np.eye(3) if x > 0 else [x]
        return x * limit

    return function


def test_functions_of_one_code_with_other_variables():
    for limit in (3, 3, 3, 1, 3, 2):
        compiled = ag.to_graph(by_closure(limit))
        if limit > 2:
            refusal(compiled, 2.0)
        else:
            assert compiled(2.0) == 2.0 * limit
