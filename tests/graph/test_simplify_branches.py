"""In a branch, what an earlier one with the same predicate gave is what that branch gave."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.graph.graph import Constant
from tests.support.build_graphs import BOOL, FLOAT, VECTOR, cond
from tests.support.simplified import check_kept, check_text


def test_a_branch_reads_what_an_earlier_one_gave():
    """But not what a branch has computed itself, which is not there outside of it."""

    def function(p, x, y):
        z = cond(p, lambda: x * 1.5, lambda: y)
        return cond(p, lambda: z + 2.0, lambda: z + 1.0)

    check_text(
        function,
        """
            t0: float = cond(p)
                then() captures x
                    t1: float = multiply(x, 1.5)
                    return t1
                else() captures y
                    return y
            t2: float = cond(p)
                then() captures t0
                    t3: float = add(t0, 2.0)
                    return t3
                else() captures y
                    t4: float = add(y, 1.0)
                    return t4
            return t2
        """,
        p=BOOL,
        x=FLOAT,
        y=FLOAT,
    )


def test_a_number_that_tells_which_branch_it_was_is_the_predicate():
    """As in `max(x, 0.0) ** 2`, of which an operator depends on the type of what is greater."""

    def function(p, x):
        which = cond(p, lambda: Constant(0), lambda: Constant(1))
        z = cond(p, lambda: Constant(0.0), lambda: x)
        a = cond(ops.equal(which, 0), lambda: ops.power(z, 2), lambda: Constant(0.0))
        return cond(ops.equal(which, 1), lambda: z * 3.0, lambda: a)

    check_text(
        function,
        """
            t0: bool[] = logical_not(p)
            t1: bool = cast(t0, dtype='bool', weak=True)
            t2: float = cond(t1)
                then() captures x
                    t3: float = multiply(x, 3.0)
                    return t3
                else()
                    return 0.0
            return t2
        """,
        p=BOOL,
        x=FLOAT,
    )


def test_what_is_cast_of_it_is_known_where_it_is_a_number():
    def function(p, x):
        z = ops.cast(cond(p, lambda: Constant(2.0), lambda: x), "float64", weak=False)
        return cond(ops.logical_not(p), lambda: ops.sin(z), lambda: z)

    check_text(
        function,
        """
            t0: float = cond(p)
                then()
                    return 2.0
                else() captures x
                    return x
            t1: f64[] = cast(t0, dtype='float64', weak=False)
            t2: bool[] = logical_not(p)
            t3: f64[] = cond(t2)
                then() captures t1
                    t4: f64[] = sin(t1)
                    return t4
                else()
                    return f64(2.0)
            return t3
        """,
        p=BOOL,
        x=FLOAT,
    )


def test_arrays_that_are_results_stay_as_they_are():
    def function(p, x):
        y = x * 2.0
        z = cond(p, lambda: y, lambda: x)
        return z, cond(p, lambda: z, lambda: ops.sin(z))

    check_kept(function, p=BOOL, x=VECTOR)


def test_a_number_of_which_branches_tell_no_more():
    def function(p, q, x):
        which = cond(
            p, lambda: Constant(1), lambda: cond(q, lambda: Constant(2), lambda: Constant(0))
        )
        return cond(ops.equal(which, 2), lambda: ops.sin(x), lambda: ops.cos(x))

    check_kept(function, p=BOOL, q=BOOL, x=FLOAT)


def positive_part(x):
    return np.sum(np.array([max(v, 0.0) ** 2 + min(v, 1.0) ** 3 for v in x]))


def reciprocals(x):
    total = 0.0
    for i in range(len(x)):
        total += 1.0 / max(x[i], 1e-3)
    return total


def clipped(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = max(min(x[i], 0.5), -0.5) ** 2 / max(x[i], 0.25)
    return out


@pytest.mark.parametrize("function", [positive_part, reciprocals, clipped])
def test_programs_with_numbers_of_two_types(function):
    x = np.array([-1.0, -0.0, 0.0, 0.3, 2.0, np.nan, 1e-3])
    result, expected = ag.to_graph(function)(x), function(x)
    assert type(result) is type(expected)
    np.testing.assert_array_equal(np.signbit(result), np.signbit(expected))
    np.testing.assert_allclose(result, expected, rtol=1e-15)
    y = x[[0, 3, 4]]
    ag.check_grads(lambda y: np.sum(function(y)), (y,), order=2)


def test_pythons_error_is_that_of_the_number_that_was_chosen():
    def function(x):
        return 1.0 / max(x[0], 0.0)

    compiled = ag.to_graph(function)
    assert compiled(np.array([2.0])) == 0.5
    with pytest.raises(ZeroDivisionError):
        function(np.array([-1.0]))
    with pytest.raises(ZeroDivisionError):
        compiled(np.array([-1.0]))
