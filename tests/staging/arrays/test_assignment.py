"""Changing arrays in place: elements, slices, views, other names, arguments, in-place operators."""

import copy

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check, compiled, outcome

programs = Programs()


@programs.test
def test_assignment(call):
    call.run()


A = np.arange(12.0).reshape(3, 4)
X = np.array([1.0, 2.0, 3.0, 4.0])


@programs(X, 1)
@programs(X, -1)
@programs(X, 9)
def element(x, i):
    x[i] = 10
    return x


@programs(X)
def element_of_a_copy(x):
    y = x.copy()
    y[0] = 10
    return x, y


@programs(X)
def two_names(x):
    y = x
    y[0] = 10
    x[1] = 20
    return x is y, y


@programs(X)
def slice_is_a_view(x):
    y = x[1:3]
    y[0] = 10
    x[2] = 20
    return y, x


@programs(X)
def view_of_a_view(x):
    y = x[1:]
    z = y[::2]
    z[:] = -1
    y[1] = 7
    return x, y, z


@programs(A)
def row_view(a):
    row = a[1]
    row += 100
    a[1, 0] = 0
    return row.sum(), a


@programs(A)
def column_view_through_transpose(a):
    t = a.T
    t[0] = -1
    return a, t.shape


@programs(A)
def reversed_view(a):
    r = a[::-1]
    r[0, 0] = 99
    return a


@programs(A)
def fancy_index_is_a_copy(a):
    y = a[[0, 2]]
    y[0, 0] = 99
    return a, y


@programs(A)
def fancy_assignment(a):
    a[[0, 2], [1, 3]] = [100, 200]
    a[:, [0]] = 5
    return a


@programs(A)
def mask_assignment(a):
    a[a > 5] = 0
    a[a.sum(axis=1) > 8] = [1, 2, 3, 4]
    a[:, 1][a[:, 0] < 1] = 7
    return a


@programs(np.zeros(4), np.array([0, 0, 1]))
def repeated_index_counts_once(x, i):
    x[i] += 1
    return x


@programs(A, 2)
def traced_row_and_column(a, k):
    a[k, 0] = 50
    a[0, k] += 1
    a[k] = a[k] * 2
    return a


@programs(X)
def overlapping_slices(x):
    x[1:] = x[:-1]
    return x


@programs(X)
def overlapping_slices_in_place_operator(x):
    x[1:] += x[:-1]
    return x


@programs(X)
def slices_swapped(x):
    x[:2], x[2:] = x[2:].copy(), x[:2].copy()
    return x


@programs(X)
def elements_swapped(x):
    x[0], x[3] = x[3], x[0]
    return x


@programs(X)
def rows_swapped_through_views(x):
    a = x.reshape(2, 2).copy()
    a[0], a[1] = a[1], a[0]
    return a


@programs(X, 2.0)
def all_in_place_operators(x, s):
    x += s
    x -= 1
    x *= s
    x /= 4
    x **= 2
    x //= 1
    x %= 3
    return x


@programs(np.array([6, 3, 5]), 2)
def integer_in_place_operators(x, s):
    x += s
    x //= 2
    x %= 3
    x <<= 2
    x >>= 1
    x |= 1
    x &= 7
    x ^= 2
    return x


@programs(np.array([1, 2]))
def float_into_int_in_place(x):
    x += 1.5
    return x


@programs(np.array([1, 2]))
def true_division_of_int_in_place(x):
    x /= 2
    return x


@programs(np.array([1, 2]))
def float_stored_into_int_is_truncated(x):
    x[0] = 3.9
    return x


@programs(np.array([1.0, 2.0], dtype=np.float32))
def float64_stored_into_float32(x):
    x[0] = np.float64(0.1)
    return x


@programs(X)
def in_place_operator_through_an_alias(x):
    y = x
    y += 1
    return x, y


@programs(X)
def plain_operator_makes_a_new_array(x):
    y = x
    y = y + 1
    return x, y


@programs(3.0)
def numbers_are_not_aliased(x):
    y = x
    y += 1
    return x, y


@programs(np.float64(3.0))
def numpy_scalars_are_not_aliased(x):
    y = x
    y += 1
    return x, y


@programs(np.array(3.0))
def zero_dimensional_array_written(x):
    x[...] = 5
    x[()] += 1
    return x


@programs(X, X + 1)
def two_arguments(x, y):
    x[0] = y[1]
    y[0] = x[0] + 1
    return x, y


@programs([X, {"a": np.ones(2)}])
def arrays_in_containers(tree):
    tree[0][0] = 9
    tree[1]["a"] += 1
    return tree[1]["a"]


@programs(X)
def write_then_read_then_write(x):
    x[0] = 5
    y = x[0] * 2
    x[0] = 7
    return y, x[0]


@programs(X)
def result_is_a_view_of_the_argument(x):
    return x[1:3]


@programs(X)
def returned_argument_is_the_argument(x):
    return x, x


@programs(X, 1.0)
@programs(X, -1.0)
def alias_decided_at_run_time_read_only(x, flag):
    y = x if flag > 0 else x * 2
    return y.sum()


@programs(X)
def out_argument(x):
    y = np.empty_like(x)
    np.add(x, 1, out=y)
    np.multiply(y, y, out=x)
    return y


@programs(X)
def ufunc_where(x):
    y = np.zeros_like(x)
    np.sqrt(x, out=y, where=x > 2)
    return y


@programs(X)
def array_methods_in_place(x):
    y = np.array([3.0, 1.0, 2.0])
    y.sort()
    x.fill(2)
    return y


@programs(np.zeros(5), 5)
@programs(np.zeros(5), 0)
@programs(np.zeros(5), 8)
def write_in_a_while_loop(x, n):
    i = 0
    while i < n:
        x[i] = i * i
        i += 1
    return x


@programs(X, 4)
def buffers_swapped(x, n):
    a, b = x.copy(), np.zeros_like(x)
    for _ in range(n):
        b[1:] = a[:-1]
        b[0] = a[-1]
        a, b = b, a
    return a, b


@programs(X, 3)
def buffer_rotation_of_three(x, n):
    a, b, c = x.copy(), x * 2, x * 3
    for _ in range(n):
        c[:] = a + b
        a, b, c = b, c, a
    return a, b, c


@programs(X, 3)
def rebound_and_written(x, n):
    y = x
    for _ in range(n):
        y = y * 2
        y[0] += 1
    return x, y


@programs(A)
def view_made_in_the_loop(a):
    for i in range(3):
        row = a[i]
        row[0] = i
        row *= 2
    return a


@programs(A)
def view_made_before_the_loop(a):
    row = a[0]
    for i in range(4):
        a[0, i] = i * i
    return row.sum()


@programs(A)
def write_through_view_made_before_the_loop(a):
    row = a[0]
    for i in range(4):
        row[i] = i * i
    return a


@programs(A, 1.0)
@programs(A, -1.0)
def view_written_in_a_branch(a, s):
    row = a[0]
    if s > 0:
        row[0] = 77
    return a, row.sum()


@programs(X)
def helper_writes_its_argument(x):
    def clear(v, i):
        v[i] = 0

    clear(x, 1)
    clear(x[2:], 0)
    return x


@programs(X)
def helper_returns_its_argument(x):
    def same(v):
        return v

    y = same(x)
    y[0] = 50
    return x


@programs(X)
def list_element_is_an_alias(x):
    parts = [x, x + 1]
    parts[0][0] = 9
    parts[1][0] = 8
    return x, parts[1]


@programs(X)
def dict_of_arrays_updated(x):
    d = {"x": x}
    d["x"] = d["x"] + 1
    d["x"][0] = 0
    return x, d


@programs(X)
def tuple_assignment_order(x):
    i = 0
    i, x[i] = 2, 50.0
    return i, x


@programs(X)
def chained_assignment(x):
    a = b = x.copy()
    a[0] = 9
    return a, b


@programs(X)
def augmented_index_evaluated_once(x):
    calls = []

    def where():
        calls.append(1)
        return 1

    x[where()] += 5
    return x, len(calls)


@programs(X)
def star_assignment(x):
    first, *rest = x
    return first, rest


@programs(A)
def unpacked_rows_are_views(a):
    p, q, r = a
    q[0] = 99
    return a, p


@programs(X)
def reshape_then_write_unrelated(x):
    y = x.reshape(2, 2)
    z = y + 1
    z[0, 0] = 0
    return y, z


@programs(A)
def newaxis_view(a):
    v = a[:, None]
    v[0, 0, 0] = 42
    return a


@programs(A, 1)
def traced_start_view(a, k):
    w = a[k : k + 2]
    w[0] = -1
    return a


@programs(X, 0)
@programs(X, 2)
def traced_window_at_the_border(x, k):
    return x[k : k + 2]


@programs(X, X + 1)
def contents_swapped(x, y):
    t = x.copy()
    x[:] = y
    y[:] = t


@programs(X, X + 1)
def contents_swapped_without_a_copy(x, y):
    x[:], y[:] = y * 1, x * 1


def writes_one_reads_the_other(x, y):
    x[0] = 100
    return y[0]


@pytest.mark.parametrize("view", [slice(None), slice(0, 2), slice(None, None, -1)])
def test_arguments_that_share_memory_are_refused(view):
    x = X.copy()
    with pytest.raises(ag.errors.MutationError, match="shares memory"):
        compiled(writes_one_reads_the_other)(x, x[view])
    np.testing.assert_array_equal(x, X)
    check(writes_one_reads_the_other, X, X.copy())


def test_a_read_only_array_is_not_written():
    x = X.copy()
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        compiled(element)(x, 1)


def test_a_read_only_array_that_may_be_written_is_refused_at_once():
    """Before the program prints, or raises something else."""

    def program(x, i):
        print("here")
        while i < 4:
            x[i] = 1.0
            i += 1
        return x[i]

    x = X.copy()
    x.flags.writeable = False
    for i in (1, 3, 4, 9):
        found = outcome(compiled(program), (x, i), lambda args: args)
        assert (found.error.id, found.printed) == ("AG0370", "")


@pytest.mark.parametrize("layout", ["F", "strided", "reversed"])
def test_memory_layouts(layout):
    a = {
        "F": np.asfortranarray(A),
        "strided": np.arange(48.0).reshape(6, 8)[::2, ::2],
        "reversed": A[::-1, ::-1].copy()[::-1],
    }[layout]
    b = copy.deepcopy(a)

    def f(a):
        a[1] = a[0] + a[:, 0].sum()
        return a.ravel() * 2, a.reshape(4, 3)

    expected = f(a)
    found = compiled(f)(b)
    np.testing.assert_array_equal(b, a)
    for x, y in zip(found, expected):
        np.testing.assert_array_equal(x, y)


@programs([1.0, 2.0])
def appends_to_its_argument(items):
    items.append(3.0)
    return sum(items)


@programs({"w": X})
def sets_a_key_of_its_argument(params):
    params["w"] = params["w"] * 2
    return params["w"]


@programs({"w": 1.0}, 3)
def helper_sets_a_key_in_a_loop(params, n):
    def step(p):
        p["w"] = p["w"] * 2
        return p

    for _ in range(n):
        params = step(params)
    return params["w"]


@programs({"w": X, "steps": 0}, 3)
def copied_dict_is_changed(params, n):
    params = dict(params)
    params["w"] = params["w"] * 2
    params["steps"] += n
    return params


@programs([X, X + 1], 3)
def rebound_list_in_a_loop(parts, n):
    for _ in range(n):
        parts = [parts[1], parts[0] + parts[1]]
    return parts


@programs([X, X + 1], 3)
def arrays_in_a_list_changed_in_a_loop(parts, n):
    for i in range(n):
        parts[0][i] = 9
        parts[1] += parts[0]
    return parts[0].sum()
