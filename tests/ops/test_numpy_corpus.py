"""Calls from NumPy's own tests that once gave something else compiled."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check

X = np.arange(3.0)
A = np.arange(24.0).reshape(2, 3, 4)


def raises(kind, function, *args):
    """Both the function and the compiled one."""
    for version in (function, ag.to_graph(function)):
        with pytest.raises(kind):
            version(*args)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i8", "u8", "f4"])
@pytest.mark.parametrize("low, high", [(-1000, 50), (-5, 1000), (-(2**40), 2**40), (1, 2)])
def test_clip_by_integers_beyond_the_dtype(dtype, low, high):
    x = np.array([0, 100, 3], dtype)
    check(lambda x, low, high: np.clip(x, low, high), x, low, high)
    check(lambda x, low: x.clip(low), x, low)
    check(lambda x, high: x.clip(max=high), x, high)


def test_clip_needs_both_bounds_or_none():
    raises(TypeError, lambda x: np.clip(x, a_max=2), X)
    raises(TypeError, lambda x: np.clip(x, a_min=2), X)
    raises(TypeError, lambda x: np.clip(x, 0, min=2), X)
    check(lambda x: np.clip(x), X)


@pytest.mark.parametrize("f", [np.std, np.var, np.nanvar])
def test_ddof_and_correction(f):
    raises(ValueError, lambda x, ddof: f(x, ddof=ddof, correction=1), X, 1)
    check(lambda x, ddof: f(x, ddof=ddof, correction=1), X, 0)


MASKS = [[1, 0, 1], (1, 0, 0), 1, 0, np.int64(1), [1.5, 0, 1], X > 0]


@pytest.mark.parametrize("where", MASKS, ids=repr)
def test_masks_that_are_no_arrays_of_booleans(where):
    check(lambda x, where: np.sum(x, where=where), X, where)
    check(lambda x, where: np.add(x, 1, out=np.zeros(3), where=where), X, where)
    check(lambda x, where: np.add.reduce(x, where=where), X, where)
    check(lambda x, where: np.subtract.reduce(x, where=where, initial=0), X, where)
    check(lambda x, where: np.max(x, where=where, initial=-1.0), X, where)
    check(lambda x, where: np.mean(x, where=where), X, where) if np.any(where) else None


@pytest.mark.parametrize("where", [np.array([1, 0, 1]), np.array(1)], ids=repr)
def test_masks_that_are_arrays_of_integers(where):
    raises(TypeError, lambda x, where: np.sum(x, where=where), X, where)
    raises(TypeError, lambda x, where: np.add(x, 1, out=np.zeros(3), where=where), X, where)


def test_a_mask_of_another_shape():
    raises(ValueError, lambda x: x.sum(where=[True, False, True]), np.ones((1, 1)))
    check(lambda x: x.sum(where=[[True], [False]]), np.ones((2, 3)))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.add(x[0], 1, out=...),
        lambda x: np.add(x, 1, out=...),
        lambda x: np.divmod(x[0], 2, out=...),
        lambda x: np.modf(x[1], out=...),
        lambda x: np.add.reduce(x, out=...),
        lambda x: np.add.accumulate(x, out=...),
        lambda x: np.matmul(x, x, out=...),
    ],
)
@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.3.0", reason="out=... is new")
def test_out_of_an_ellipsis_gives_arrays(f):
    check(f, X)


def test_symbolic_values_in_other_arguments():
    check(lambda i: np.maximum.reduce([], initial=i), 0)
    check(lambda i: np.maximum.reduce([1], initial=i), 5)
    check(lambda x: np.add(2, [x[0], 1]), X)
    check(lambda x: np.einsum("i,i", [x[0], x[1]], [1.0, 2.0]), X)
    check(lambda x: np.clip(x, [x[0], 1, 2], a_max=[1, 1, x[1]]), X)
    check(lambda x: np.interp(1.5, [0, x[1], x[2]], [1, 2, 3]), X)


def of_axes(f, axes, **options):
    return lambda x, y: f(x, y, axes=axes, **options)


@pytest.mark.parametrize("axes", [[-1, -1], [0, 0], [(-1,), (-1,), ()], [1, 1]])
@pytest.mark.parametrize("keepdims", [False, True])
def test_vecdot_along_axes(axes, keepdims):
    if keepdims:
        axes = [*axes[:2], -1]
    check(of_axes(np.vecdot, axes, keepdims=keepdims), A, A + 1j)
    check(lambda x, y: np.vecdot(x, y, axis=1, keepdims=keepdims), A, A)


@pytest.mark.parametrize(
    "kind, axes", [(ValueError, [0]), (TypeError, (0, 0)), (IndexError, [5, 0])]
)
def test_wrong_axes_of_vecdot(kind, axes):
    raises(kind, of_axes(np.vecdot, axes), A, A)
    raises(IndexError, of_axes(np.vecdot, [(0, 1), 0]), A, A)
    raises(TypeError, lambda x: np.vecdot(x, x, axis=0, axes=[0, 0]), A)


def test_products_along_axes():
    check(of_axes(np.matmul, [(1, 0), 0, 0]), A, np.ones(2))
    check(of_axes(np.matmul, [(0, 1), (1, 0), (0, 1)]), A, A)
    raises(ValueError, of_axes(np.matmul, [0, 0]), X, X)
    if hasattr(np, "matvec"):
        check(of_axes(np.matvec, [(0, 1), -1, 0]), A, A[0, :, :].T)
        check(of_axes(np.vecmat, [0, (0, 1), 0]), A[:, 0], A)
        raises(TypeError, lambda x: np.matvec(x, x[0], keepdims=True), A)


@pytest.mark.parametrize("axis", [None, 0])
def test_concatenate_of_numbers(axis):
    items = [np.float32(1), 1.0] if axis is None else [np.ones(1, "f4"), np.ones(1)]
    check(lambda items: np.concatenate(items, axis=axis), items)
    check(lambda items: np.hstack(items), items)
    check(lambda items: np.append(*items), items)


def test_choose_with_weak_numbers():
    check(lambda c: np.choose(1, c), [np.float32(1), 1.0])
    check(lambda c: np.choose([0], (c, np.array([1], "u1"))), 1000)


@pytest.mark.parametrize("casting", ["same_kind", "unsafe", "safe", "no"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
def test_concatenate_into_an_array(dtype, casting):
    allowed = np.can_cast("f8", dtype, casting)
    for f, out in ((np.concatenate, np.zeros(6, dtype)), (np.stack, np.zeros((2, 3), dtype))):

        def joined(x, out, f=f):
            return f([x, x], out=out, casting=casting)

        if allowed:
            check(joined, X, out)
        else:
            raises(TypeError, joined, X, out)
    raises(TypeError, lambda x, out: np.concatenate([x], out=out, dtype=float), X, np.zeros(3))


def test_places_of_no_elements():
    i, j = np.array(-1), np.zeros((0, 1), int)
    check(lambda i, j: np.ravel_multi_index([i, j], (3, 0)), i, j)


def test_einsum_by_lists_from_outside():
    check(lambda x, i: np.einsum(x, i, x, i), X, [0])
    check(lambda x, i: np.einsum("i,i,i->", x, x, x, optimize=("greedy", i)), X, 2)


@pytest.mark.parametrize("optimize", [False, True, "optimal"])
def test_einsum_gives_numbers_and_arrays_of_no_axes_as_numpy_does(optimize):
    check(lambda x: np.einsum("i,i", x, x, optimize=optimize), X)
    check(lambda x: np.einsum("i,i,i->", x, x, x, optimize=optimize), X)
    check(lambda x: np.einsum("i->", x, optimize=optimize), X)
    check(lambda x, k: np.einsum("i,->", x, k, optimize=optimize), X.astype("f4"), 2)


def test_dot_into_an_array():
    check(lambda x, y, out: np.dot(x, y, out=out), np.ones((2, 3)), X, np.zeros(2))
    check(lambda x, out: x.dot(x, out), X, np.zeros(()))
    for out in (np.zeros(2, "f4"), np.zeros((2, 1)), np.zeros(2, complex)):
        raises(ValueError, lambda x, y, out: np.dot(x, y, out=out), np.ones((2, 3)), X, out)


def test_the_distance_of_no_points():
    check(lambda a: np.linspace(a, 1, 0, retstep=True), 0)
    check(lambda a: np.linspace(a, 1, 2, retstep=True), 0)


def copied(x, value):
    np.copyto(x, value)
    return x


def put(x, value):
    np.putmask(x, [1, 0, 1], value)
    return x


def test_copies_and_masks_of_numbers_and_of_arrays():
    for dtype in ("u1", "i1", "f4", "c16"):
        check(copied, np.zeros(3, dtype), 5)
        check(put, np.zeros(3, dtype), 5)
        check(put, np.zeros(3, dtype), [5, 6, 7])
    raises(TypeError, copied, np.zeros(3, "u1"), 5.0)
    raises(OverflowError, put, np.zeros(3, "u1"), 300)
    raises(TypeError, put, np.zeros(3, bool), np.arange(3))
    raises(TypeError, put, np.zeros(3, "f4"), X)


def test_comparisons_with_what_is_no_number():
    check(lambda x: (x == None, x != None, None == x), X)  # noqa: E711
    check(lambda x: (x == "x", x != "x"), np.zeros((2, 0)))


def test_lists_and_arrays_of_no_axes():
    check(lambda z: ([1, 2, 3] * z, z + (1, 2)), np.array(2))


def test_numbers_become_arrays():
    check(lambda x: np.asarray(x[0]), X)
    check(lambda x: np.asarray(x.sum()), X)


def through(view):
    def write(x):
        b = view(x)
        b[...] = 9
        return x, b

    return write


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[0, ...],
        lambda x: x[:1].reshape(()),
        lambda x: x[:1].squeeze(),
        lambda x: np.asarray(x[0]),  # a copy
    ],
)
def test_views_of_one_element(view):
    check(through(view), X)


@pytest.mark.parametrize("view", [lambda z: z[...], lambda z: z.T, lambda z: z.reshape(())])
def test_views_of_arrays_of_no_axes(view):
    check(through(view), np.array(3.0))


def test_what_arrays_lack():
    raises(TypeError, lambda x: x.reshape(), X)

    def deleted(x):
        del x[0]

    raises(ValueError, deleted, X)


def changed_part(x, i):
    part = x[i]
    part += 1
    return x, part


def test_an_index_that_is_an_array_of_no_axes_gives_a_copy():
    x = np.ones((2, 3))
    check(changed_part, x, np.array(0))
    check(changed_part, x, 0)
    check(lambda x: changed_part(x, np.array(1)), x)
    check(lambda x, i: changed_part(x, (slice(i, None), 0)), x, np.array(1))  # a view


def filled_part(x, i):
    part = x[i, ...]
    part[...] = 8
    return part, x


def test_one_element_and_an_ellipsis_give_an_array():
    check(filled_part, X, np.array(0))
    check(filled_part, X, 0)


def counted(a):
    while a < 10:
        a[...] = a + 2
    return a


def test_arrays_of_no_axes_change_in_loops():
    check(counted, np.array(3.0))
    check(lambda x: (counted(x.squeeze()), x), X[:1])


def test_an_element_is_no_array_that_could_change():
    def element(x):
        y = x[1]
        y[...] = 3
        return x

    raises(TypeError, element, X)


@pytest.mark.skipif(not hasattr(np, "astype"), reason="np.astype is new")
def test_astype_of_scalars():
    check(lambda x: np.astype(x, np.float64), np.int64(10))
    check(lambda x: np.astype(x[0], np.float32), X)
    check(lambda x: np.astype(x, np.float32), np.array(3))


@pytest.mark.parametrize("low", [0, False, np.uint8(0), np.array([1, 2], np.uint16)])
@pytest.mark.parametrize("high", [1, True, np.int8(1), np.float32(0.5), np.array([1, 2], np.int16)])
@pytest.mark.parametrize("x", [np.array([True, False]), np.bool_(True), np.array([1, 2], np.int16)])
def test_clip_has_the_dtype_of_all_three(x, low, high):
    check(lambda x, low, high: np.clip(x, low, high), x, low, high)


@pytest.mark.parametrize("x", [3, 3.0, True, 3j, np.int8(3), np.array([1.0, 2j])])
def test_whether_python_numbers_are_complex(x):
    check(lambda x: (np.iscomplex(x), np.isreal(x)), x)
