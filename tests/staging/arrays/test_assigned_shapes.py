"""The shape of an array assigned, and how an array lies in memory."""

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from tests.support.oracle import Programs, check

programs = Programs()
X = np.arange(6.0)
M = np.arange(6.0).reshape(2, 3)


@programs.test
def test_assigned_shapes(call):
    call.run()


@programs(X)
def new(x):
    c = x * 2
    c.shape = (2, -1)
    c.shape += (1,)
    c[0, 0] = 7.0
    c.shape = [6]
    c.shape = (3, 2)
    return c


@programs(X)
def under_many_names(x):
    c = x * 2
    names = [c, c]
    c.shape = (x.shape[0] // 2, 2)
    names[0][0, 0] = 8.0
    return names, names[0] is c


@programs(X)
def with_views_from_before_and_after(x):
    c = x * 2
    d = c[1:4]
    t = c[:, None].T
    c.shape = (2, 3)
    d[0] = -1.0
    e = c[1]
    c.shape = (3, 2)
    e[0] = 5.0
    t[0, 1] = 4.0
    d += 1.0
    return c, d, e, t


@programs(X.copy())
@programs(np.arange(12.0)[::2])
@programs(X[::-1])
def of_a_part_of_an_argument(x):
    c = x[1:5]
    c.shape = (2, 2)
    c[0, 0] = 100.0
    return c


@programs(X)
def of_a_view_of_a_view(x):
    c = x * 2
    d = c[1:]
    d = d[:4]
    d.shape = (2, 2)
    d[0, 1] = 9.0
    c[2] = 7.0
    return c, d


def column(c):
    c.shape = (3, 2)
    return c[0]


@programs(X)
def by_a_called_function(x):
    c = x + 1
    return column(c), c


@programs(X)
def in_a_loop(x):
    c = np.zeros(6)
    for _ in range(3):
        d = c + x
        d.shape = (2, 3)
        d[1] += 1.0
        c = d.ravel()
    return c, d


@programs(X)
def in_a_loop_that_runs_as_python(x):
    c = x * 2
    for i in range(x.shape[0]):
        c.shape = (2, 3)
        c.shape = (6,)
        c[i] += 1
    return c


@programs.smooth(X + 1)
def differentiated(x):
    y = x * x
    y.shape = (2, 3)
    y[0] *= 2.0
    return np.sum(y[0] * y[1])


@programs(M)
def in_lanes(m):
    def column(v):
        w = v * 2
        w.shape = (3, 1)
        return w

    return ag.vmap(column)(m)


@programs(X)
def strides_and_flags_of_new_vectors(x):
    c = np.sin(x) + np.arange(6)
    before = c.strides, c.flags.c_contiguous, c.flags["F_CONTIGUOUS"], c.flags.owndata
    c[0] = 1.0
    c.shape = (2, 3)
    return before, c.strides, c.flags.f_contiguous, c.flags.contiguous, c.flags["WRITEABLE"]


@programs(2.0, 3, 4)
def of_what_lies_in_order(b, n, m):
    rows, columns = np.mgrid[0:n, 0:m]
    c = np.linspace(0, b, n)[rows] + 1j * columns
    q = np.arange(24.0).reshape(2, 3, 4) * b
    first, second = q
    rows.shape = columns.shape = c.shape = first.shape = n * m
    first[0] = 5.0
    q[1, 2] = -1.0
    second.shape = (2, 6)
    second[1, 1] = 9.0
    return rows, columns, c, q, first, second


@programs(2.0)
def in_the_order_of_fortran(b):
    q = np.add(np.arange(6.0).reshape(2, 3), b, order="F")
    q[0, 1] = 7.0
    return q.T, np.divmod(q, 2.0, order="F"), np.multiply(b, 2.0, order="F")


def assigned(x):
    x.shape = (2, 3)
    return x


def what_may_be_an_argument(x):
    c = np.asarray(x)
    c.shape = (2, 3)
    return c


def what_changed_before(x):
    x += 1
    x.shape = (2, 3)


def what_is_one_or_the_other(x):
    c = x if x[0] > 1 else x * 2
    c.shape = (2, 3)
    return c


def what_is_new_outside(x):
    c = x * 2
    if x[0] > 0:
        c.shape = (2, 3)
    return c


def what_is_chosen(x):
    c = x[x > 2]
    c.shape = (1, -1)
    return c


def what_a_number_has(x):
    c = x.sum()
    c.shape = (1,)


@pytest.mark.parametrize(
    "function",
    (
        *(assigned, what_may_be_an_argument, what_changed_before, what_is_one_or_the_other),
        *(what_is_new_outside, what_is_chosen, what_a_number_has),
        lambda x: assigned(np.squeeze(x)),
        lambda x: assigned(x.real),
        lambda x: assigned(np.ascontiguousarray(x)),
        lambda x: assigned(x.reshape(x.shape)),
    ),
)
def test_shapes_that_others_would_see_are_refused(function):
    with pytest.raises(errors.MutationError, match="AG0335"):
        ag.to_graph(function)(X.copy())


@pytest.mark.parametrize("source", (M, M.T))
def test_axes_that_may_lie_apart_are_not_merged(source):
    @ag.to_graph
    def merged(m):
        c = m * 2
        c.shape = (6,)
        return c

    with pytest.raises(errors.MutationError, match="one after the other"):
        merged(source)


@pytest.mark.parametrize(
    "made",
    (
        lambda q, b: np.add(q, b, order="F"),
        lambda q, b: np.asfortranarray(q) * b,
        lambda q, b: q.T * b,
        lambda q, b: q[:, ::2] * b,
        lambda q, b: q[:1] + b * q[:, :1],
        lambda q, b: (np.arange(12.0) * b)[q.T.astype(int)],
        lambda q, b: np.multiply(q, b, out=np.empty((3, 4), order="F")),
    ),
)
def test_axes_of_arrays_in_another_order_are_not_merged(made):
    @ag.to_graph
    def merged(b):
        c = made(np.arange(12.0).reshape(3, 4), b)
        c.shape = (c.size,)
        return c

    with pytest.raises(errors.MutationError, match="AG0335"):
        merged(2.0)


def test_a_shape_of_another_size_is_refused():
    @ag.to_graph
    def wrong(x):
        c = x + 1
        c.shape = 4

    with pytest.raises(errors.OperandShapeError, match="size 6 into shape"):
        wrong(X)


def test_the_flags_of_arguments_and_set_flags_are_refused():
    def protected(x):
        c = x + 1
        c.flags.writeable = False
        return c

    for function in (
        protected,
        lambda x: x.flags.c_contiguous,
        lambda x: (x[::2] + x[1::2]).T.base,
    ):
        with pytest.raises(errors.UnsupportedFunctionError, match="AG0404"):
            ag.to_graph(function)(X)


def test_a_vector_with_gaps_has_no_known_strides():
    with pytest.raises(errors.UnsupportedFunctionError, match="strides"):
        ag.to_graph(lambda x: x[::2].strides)(X)
    check(lambda x: x[::2].copy().strides, X)
