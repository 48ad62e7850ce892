"""How often recursive functions are recorded, how that ends, and in what time."""

import numpy as np
import pytest

import autograph as ag


def test_a_recursion_with_longer_texts_is_ended_by_integers_that_become_static():
    def parentheses(n):
        found = []

        def go(text, opened, closed):
            if len(text) == 2 * n:
                found.append(text)
                return
            if opened < n:
                go(text + "(", opened + 1, closed)
            if closed < opened:
                go(text + ")", opened, closed + 1)

        go("", 0, 0)
        return found

    compiled = ag.to_graph(parentheses)
    for n in (3, 1, 0):
        assert compiled(n) == parentheses(n)


def test_a_recursion_that_raises_is_handled_where_integers_end_it():
    def depth(n):
        def go(k):
            if k > 8:
                raise RecursionError("too deep")
            return 0 if k == 0 else go(k - 1) + k

        try:
            return go(n)
        except RecursionError as error:
            return str(error)

    compiled = ag.to_graph(depth)
    for n in (5, 9):
        assert compiled(n) == depth(n)


@pytest.mark.parametrize("x", [5.0, 20.0])
def test_a_recursion_error_of_the_users_is_raised(x):
    def deep(x):
        def go(x, depth):
            if depth > 8:
                raise RecursionError("too deep", depth)
            return x if x < 1 else go(x - 1.0, depth + 1)

        return go(x, 0)

    if x < 8:
        assert ag.to_graph(deep)(x) == deep(x)
        return
    for called in (deep, ag.to_graph(deep)):
        with pytest.raises(RecursionError) as raised:
            called(x)
        assert raised.value.args == ("too deep", 9) and type(raised.value) is RecursionError


def test_a_local_recursion_is_recorded_once_for_all_places_that_call_it():
    """The attributes of inner functions that it can see, a dict, were taken to change."""

    def counted(x):
        def ends(x):
            return x < 1.0

        def depth(x):
            return 0 if ends(x) else 1 + depth(x / 2)

        total = depth(x) + depth(x + 1.0)
        while x > 1.0:
            total += depth(x) * depth(x + 2.0)
            x = x - 1.5
        return total

    assert ag.to_graph(counted)(9.0) == counted(9.0)
    assert str(ag.to_graph(counted).graph(9.0)).count("graph depth") == 1


def test_backtracking_over_nested_loops_is_recorded_in_time():
    def solved(square):
        n = len(square)

        def fits(i, j, k):
            for other in range(n):
                if square[i, other] == k or square[other, j] == k:
                    return False
            return True

        def solve():
            for i in range(n):
                for j in range(n):
                    if square[i, j] == 0:
                        for k in range(1, n + 1):
                            if fits(i, j, k):
                                square[i, j] = k
                                if solve():
                                    return True
                                square[i, j] = 0
                        return False
            return True

        return solve(), square

    given = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 2]])
    found, expected = ag.to_graph(solved)(given.copy()), solved(given.copy())
    assert found[0] is expected[0] and np.array_equal(found[1], expected[1])
