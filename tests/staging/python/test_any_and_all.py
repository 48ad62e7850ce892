"""``any`` and ``all`` stop at the first element that decides, and look at none behind it."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()
BOARD = np.array([1, 1, 1, 1, 0, 1])


@programs(BOARD, np.int64(0))
@programs(BOARD, np.int64(1))
@programs(BOARD, np.int64(4))
@programs(BOARD, np.int64(5))
@programs(BOARD, np.int64(7))
def row_of_four(board, at):
    return all(board[at + i] == 1 for i in range(4))


@programs(BOARD, np.int64(2))
@programs(BOARD, np.int64(4))
def nothing_there(board, at):
    return any(board[at + i] == 0 for i in (0, 1, 2, 3))


@programs(BOARD, np.int64(2))
@programs(BOARD, np.int64(3))
def only_some(board, at):
    return any(board[at + i] == j for i, j in ((0, 7), (1, 0), (2, 1), (3, 1)) if i != 1)


@programs(np.array([3, 0, 2]))
@programs(np.array([1, 0, 2]))
@programs(np.array([1, 2, 2]))
def quotients(x):
    return any(6 // x[i] > 4 for i in range(3))


@programs(BOARD, np.int64(0))
@programs(BOARD, np.int64(3))
def printed(board, at):
    def seen(i):
        print("looked at", board[i])
        return board[i] > 0

    return all(seen(at + i) for i in range(3))


@programs(np.eye(4, dtype=int))
@programs(np.eye(4, dtype=int)[::-1].copy())
def in_loops(board):
    found = 0
    for row in range(4):
        for column in range(4):
            inside = row + 2 < 4 and column + 2 < 4
            if inside and all(board[row + i, column + i] for i in range(3)):
                found += 10 * row + column + 1
    return found


@programs.test
def test_as_python(call):
    call.run()


def test_lanes():
    places = np.array([0, 1, 2])
    expected = [row_of_four(BOARD, at) for at in places]
    assert list(ag.vmap(row_of_four, in_axes=(None, 0))(BOARD, places)) == expected


def test_a_generator_expression_is_a_generator():
    def f(x):
        items = (x[i] * 2 for i in range(3))
        first = next(items)
        return first, list(items), next(items, -1)

    assert ag.to_graph(f)(np.arange(3)) == f(np.arange(3))


def test_what_map_makes_is_refused():
    def f(x, i, j):
        return any(map(lambda k: x[k] > 1.0, (i, j)))

    with pytest.raises(ag.errors.ConcreteValueError, match="AG0340"):
        ag.to_graph(f)(np.ones(3), np.array(0), np.array(1))
