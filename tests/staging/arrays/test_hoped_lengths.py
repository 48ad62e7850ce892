"""`np.bincount` is taken to give as many counts as are asked for, and is recorded again if not."""

import numpy as np
import pytest

import autograph as ag


def summed(groups, weights):
    return 2 * np.bincount(groups, weights, minlength=5)


def counted(groups, weights):
    return np.bincount(groups, minlength=5) + 1


def in_a_loop(groups, weights):
    total = np.zeros(5)
    for k in range(3):
        total = total + np.bincount(groups, weights=weights * k, minlength=5)
    return total


def of_any_number(groups, weights):
    return np.bincount(groups, weights)


GROUPS = [[0, 1, 2, 4], [0, 0, 0, 1], [0, 1, 7, 2], [1, 2, 3, 3], [0, -1, 2, 2], [4, 4, 0, 5]]


@pytest.mark.parametrize("function", [summed, counted, in_a_loop, of_any_number])
def test_counts(function):
    compiled, weights = ag.to_graph(function), np.arange(4.0) + 1.0
    for groups in map(np.array, GROUPS):
        outcomes: list[tuple] = []
        for f in (compiled, function):
            try:
                found = f(groups, weights)
                outcomes.append((found.dtype, found.tolist()))
            except ValueError as error:
                outcomes.append(("ValueError", str(error).partition("\n")[0]))
        assert outcomes[0][0] == outcomes[1][0], groups
        if outcomes[0][0] != "ValueError":
            assert outcomes[0][1] == outcomes[1][1]


def test_what_is_printed_is_printed_once(capsys):
    def shown(groups, weights):
        print("sums")
        return np.bincount(groups, weights, minlength=5)

    compiled = ag.to_graph(shown)
    for groups in ([0, 1, 2, 4], [0, 9, 2, 2]):
        found = compiled(np.array(groups), np.ones(4))
        assert len(found) == max(5, max(groups) + 1)
        assert capsys.readouterr().out == "sums\n"


def test_derivatives_and_lanes():
    loss = lambda w, g: np.sum(np.bincount(g, w, minlength=5) ** 2)
    for groups in ([0, 1, 1, 4], [0, 1, 1, 8]):
        found = ag.grad(loss)(np.arange(4.0), np.array(groups))
        np.testing.assert_array_equal(found, [0.0, 6.0, 6.0, 6.0])
    batched = ag.vmap(lambda g, w: np.bincount(g, w, minlength=5))
    lanes = np.array([[0, 1], [4, 4]])
    expected = [[1, 1, 0, 0, 0], [0, 0, 0, 0, 2]]
    np.testing.assert_array_equal(batched(lanes, np.ones((2, 2))), expected)
    with pytest.raises(IndexError, match="AG0365"):
        batched(lanes + 1, np.ones((2, 2)))


def test_the_length_is_known():
    graph = ag.to_graph(in_a_loop).graph(np.array([0, 1]), np.ones(2))
    assert "length=5" in str(graph)
    assert "?" not in str(graph)
