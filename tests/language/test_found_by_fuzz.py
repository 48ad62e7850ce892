"""What random programs found: each was wrong once."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError
from tests.support.oracle import check, check_grad


def check_unless_refused(program, *args):
    """It may be refused, but not be something else than in Python."""
    try:
        check(program, *args)
    except MutationError:
        pass


def test_a_variable_called_t_is_no_temporary():
    def program(x, f):
        y = x * 0.5
        y[1] = f
        total = 0.0
        for t in (y[0], y[1], y[2]):
            total += t * f
        return np.sin(total)

    x = np.array([0.31, -1.27, 0.74])
    check(program, x, 0.83)
    check_grad(program, x, 0.83, argnums=1)


def test_alias_made_in_an_inner_branch_and_changed_in_the_outer_one():
    def program(x, f):
        x = x.copy()
        v, y = x[1:], np.ones(3)
        if f > 0.3:
            if f > 0.4:
                y = x
            v[0] = f
        return np.sum(y)

    for f in (0.83, 0.35, 0.1):
        check_unless_refused(program, np.arange(3.0), f)


def test_view_made_again_in_a_branch_of_a_loop():
    def program(x, a):
        v = x[1:]
        count = 0
        while count < 3:
            count += 1
            if a > 0:
                v = x[1:]
            else:
                v[0] = x[1] * 0.5 + 1.0
            a += 1
        x[0], x[1] = x[1], x[0]

    for a in (-5, -1, 2):
        check_unless_refused(program, np.arange(3.0), a)


def test_finally_that_prints_when_only_the_run_knows_of_the_error():
    def program(x, n):
        if n > 0:
            k = n
        try:
            x = x + 10 // n
        finally:
            print("finally")
        return x + k

    for n in (2, 0, -1):
        check(program, 1.0, n)


def test_short_circuit_over_a_list_of_unknown_length():
    def program(x):
        stack = []
        for v in x:
            while stack and stack[-1] > v:
                stack.pop()
            stack.append(v)
        return len(stack), stack[-1]

    check(program, np.array([1.0, 3.0, 2.0, 5.0, 4.0]))


def test_list_begun_again_in_a_branch():
    def program(codes):
        current, longest = [], 0
        for c in codes:
            if c == 0:
                current = []
            else:
                current.append(c)
            longest = max(longest, len(current))
        return longest

    check(program, np.array([1, 2, 0, 1, 2, 3, 0]))


def test_singletons_match_traced_booleans():
    def program(x, y):
        match (x > 0, y > 0):
            case (True, True):
                return 1
            case (False, _):
                return 2
        return 3

    for x, y in ((1, 1), (1, -1), (-1, 1)):
        check(program, x, y)


def test_conversion_before_the_format_of_an_f_string():
    def program(x):
        return f"{x.ndim!r:>4}|{x.shape!s:<10}|"

    check(program, np.zeros((2, 3)))


def a_view_made_in_a_loop(x, n):
    y = x * 0.5
    for _ in range(n):
        v = y[1:]
    v -= y[:2]
    return y


def a_view_made_in_a_branch(x, n):
    y = x * 0.5
    if n > 0:
        v = y[1:]
    else:
        v = x[1:] * 1.0
    v -= 1
    return y


def a_view_where_one_path_has_none(x, n):
    y, v = x * 0.5, None
    for i in range(n):
        if x[i] > 0:
            v = y[1:]
    y[2] = 7
    return v


def two_names_of_a_new_array(x, n):
    y = z = x
    for _ in range(n):
        y = z = y * 0.5
    y -= 1
    return z


def two_names_of_a_branch(x, n):
    if n > 0:
        y = z = x * 1.0
    else:
        y = z = x * 2.0
    y -= 1
    return z


def a_view_kept_from_an_earlier_trip(x, n):
    y, total = x * 0.5, 0.0
    v = x[1:] * 1.0
    for i in range(n):
        total += v.sum()
        y[i] = 7.0 + i
        if i == 0:
            v = y[1:]
    return total


def a_view_from_before_the_loop(x, n):
    y, total = x * 0.5, 0.0
    v = y[1:]
    for i in range(n):
        y[i] = 7
        total += v.sum()
        if x[i] > 1:
            v = v * 1.0
    return total


def the_last_row(m, n):
    m = m[:, None] * np.ones((3, 3))
    for row in m:
        row[1] = n
    row[2] = 9
    return m


def a_view_read_while_the_whole_changes(x, n):
    y, v = x * 0.5, x[1:]
    for _ in range(n):
        x += y
        y[:2] = v
    return y


def a_view_that_changes_while_another_is_read(x, n):
    v, w, total = x[1:], x[:2], 0.0
    for _ in range(n):
        v -= 1
        total += w[1]
    return total


@pytest.mark.parametrize(
    "program",
    [
        a_view_made_in_a_loop,
        a_view_made_in_a_branch,
        a_view_where_one_path_has_none,
        two_names_of_a_new_array,
        two_names_of_a_branch,
        a_view_kept_from_an_earlier_trip,
        a_view_from_before_the_loop,
        the_last_row,
        a_view_read_while_the_whole_changes,
        a_view_that_changes_while_another_is_read,
    ],
)
def test_memory_that_the_results_of_control_flow_share(program):
    for n in (3, 1):
        check_unless_refused(program, np.arange(3.0), n)


def test_arrays_of_different_trips_share_no_memory():
    def program(x):
        u, v = x * 0.5, x * 1.0
        for _ in range(3):
            u, v = v, u + v
        v += 1
        return u, v

    check(program, np.arange(3.0))


def test_array_kept_or_replaced_by_a_copy():
    def program(x):
        best, most = None, -1.0
        for row in np.outer(x, x):
            if row.sum() > most:
                best, most = row.copy(), row.sum()
        best += 1
        return best, most

    check(program, np.arange(3.0))


def test_variable_that_only_the_run_knows_to_be_assigned_under_finally():
    def program(x, n):
        if n > 0:
            k = n
        try:
            x = x + k
        finally:
            print("finally")
        return x

    for n in (2, 0, -1):
        check(program, 1.0, n)


def test_list_begun_again_in_some_trips():
    def program(x, g):
        s, count = [g, 0.5], 0
        while count < 4:
            count += 1
            if len(s) > 1 and g < x[0]:
                s = [np.sum(x) * g]
            s.append(g)
        return len(s), float(s[0])

    for g in (0.1, 2.0):
        check(program, np.array([0.5, 0.25]), g)


def test_first_item_of_a_generator_expression_over_an_array():
    def program(x, bound):
        first = next((t for t in x if t > bound), np.float64(-1.0))
        where = next((i for i, t in enumerate(x) if t > bound), -1)
        return first, where, next(2.0 * t for t in x)

    def certain(x, bound):
        return next(t for t in x if t > bound)

    x = np.array([0.5, 1.5, 2.5])
    for bound in (0.0, 1.0, 3.0):
        check(program, x, bound)
        check(certain, x, bound)
    check_grad(lambda x: next((t * t for t in x if t > 1.0), np.float64(0.0)), x)


class Announced:
    def __enter__(self):
        print("enter")

    def __exit__(self, *error):
        print("leave")


def test_context_manager_that_prints_around_what_may_fail():
    def program(x, i):
        with Announced():
            y = x[i]
        return y

    def safe(x, f):
        with Announced():
            if f > 0:
                x = x * f
        return x

    for i in (1, 5):
        check(program, np.arange(3.0), i)
    check(safe, np.arange(3.0), 2.0)


def test_second_variable_t_beside_temporaries():
    def weight(value):
        if isinstance(value, tuple):
            return sum([weight(v) for v in value])
        return 0.0 if isinstance(value, str) else np.sum(np.sin(value))

    def program(x, a, f):
        i, j, x_0 = a % 3, 1, 0
        t_0, t = f, 0.5
        y, z, v, m = x * 0.5, np.ones(3), x[1:], np.arange(3)
        later = lambda t: t * t_0 + total  # noqa: F821, never called
        state = "a"
        q = [[f, 0.5], [0.25]]
        c0 = 0
        while c0 < 3:
            c0 += 1
            try:
                t_0 = q[0][0]
            except ValueError:
                i = i
            t_0 += 0.5
        return y, state, t_0

    def loss(x, a, f):
        return weight(program(x.copy(), a, f))

    _, slope = ag.value_and_grad(loss, argnums=2)(np.array([0.31, -1.27, 0.74]), 2, 0.83)
    np.testing.assert_allclose(slope, np.cos(1.33), rtol=1e-12)


@pytest.mark.parametrize("positions", [(1, 2), (1, 7)])
def test_variable_that_one_handler_assigns_and_a_later_try_assigns_again(positions):
    def program(x, f):
        i, z = 0, np.ones(3)
        for i in positions:
            z = z * f
        try:
            f = float(z[i])
        except AssertionError as error:
            print("raised", error)
        except IndexError:
            p = f
        try:
            p = (f, 1.0)[i % 2]
        except Exception:
            x[1] = 0.5
        else:
            x[0] = p
        return x

    check(program, np.array([2.0, 3.0]), 0.5)


def test_exception_raised_where_something_is_recorded_once_more():
    def program(x, f, c):
        y, z = x * 0.5, np.ones(3)
        for g in x:
            y[1] = f
            if g > 0.5:
                if g > f and c < 3:
                    y, z = z, y
                    y[0] = g
                else:
                    raise ValueError("stop")
        return y

    with pytest.raises(MutationError) as caught:  # it names the array, not what is raised
        ag.to_graph(program)(np.array([0.31, -1.27, 0.74]), 0.3, 2)
    assert caught.value.id == "AG0325"
