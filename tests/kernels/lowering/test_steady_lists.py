"""Lists that keep their length in loops and recursive functions: arrays of known lengths."""

import pytest

import autograph as ag
from tests.support.oracle import check


def safe(board, row, col):
    for r in range(row):
        c = board[r]
        if c == col or abs(c - col) == row - r:
            return False
    return True


def place(board, row, n):
    if row == n:
        return 1
    count = 0
    for col in range(n):
        if safe(board, row, col):
            board[row] = col
            count += place(board, row + 1, n)
    return count


def queens(n):
    return place([0] * 8, 0, n)


def queens_of_any_size(n):
    return place([0] * n, 0, n)


def queens_around(n):
    count, board = 0, [0] * n

    def go_on(row):
        nonlocal count
        if row == n:
            count += 1
            return
        for col in range(n):
            if safe(board, row, col):
                board[row] = col
                go_on(row + 1)

    go_on(0)
    return count


@pytest.mark.costly
@pytest.mark.parametrize("function", [queens, queens_of_any_size, queens_around])
def test_backtracking_is_native(function):
    """The board was an array of unknown length, which no native function is given."""
    check(function, 6)
    kernels = ag.to_graph(function).kernels(6)
    assert len(kernels) == 1


def test_a_list_that_grows_after_all():
    def function(n):
        found = [0, 1]
        for _ in range(n):
            found.append(found[-1] + found[-2])
        return found

    check(function, 0)
    check(function, 20)
