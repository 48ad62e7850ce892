"""NumPy's ufuncs in compiled functions: calls with all options, and the methods of ufuncs."""

import numpy as np
import pytest

import autograph as ag
from ops.names.ufuncs import UFUNC_METHODS, UFUNCS
from tests.support.oracle import check, check_grad

pytestmark = pytest.mark.filterwarnings("ignore")

QUARTERS = np.random.default_rng(0).integers(1, 4, (3, 4)) / 4
WHOLE = (QUARTERS * 4).astype(np.int64)
OPERANDS = [QUARTERS, WHOLE, QUARTERS.astype("f4"), WHOLE.astype("u1"), WHOLE > 1, QUARTERS + 0.5j]

ALL = [
    ufunc
    for name, ufunc in vars(np).items()
    if isinstance(ufunc, np.ufunc) and ufunc.__name__ == name
]
PLAIN = [ufunc for ufunc in ALL if ufunc.signature is None and ufunc is not np.isnat]
EACH = {"ids": lambda value: getattr(value, "__name__", None)}


def arguments(ufunc, x):
    """Operands of two shapes."""
    second = np.array([1, 2, 3, 1]) if ufunc is np.ldexp else x[0][::-1].copy()
    return (x, second)[: ufunc.nin]


def same_error(function, *args):
    """Both raise TypeError, if NumPy does; returns whether it does."""
    try:
        function(*args)
    except TypeError:
        with pytest.raises(TypeError):
            ag.to_graph(function)(*args)
        return True
    return False


def test_every_ufunc_is_known():
    assert {u.__name__ for u in ALL if u not in UFUNCS} <= {"matvec", "vecmat", "vecdot"}


@pytest.mark.parametrize("ufunc", PLAIN, **EACH)
def test_calls(ufunc):
    for x in OPERANDS:
        args = arguments(ufunc, x)
        if not same_error(lambda *args: ufunc(*args), *args):
            check(lambda *args: ufunc(*args), *args)


@pytest.mark.parametrize("ufunc", PLAIN, **EACH)
def test_results_into_arrays_that_are_given(ufunc):
    for x in (QUARTERS, WHOLE):
        args = arguments(ufunc, x)
        try:
            results = ufunc(*args)
        except TypeError:
            continue
        results = results if ufunc.nout > 1 else (results,)
        made = [(result.shape, result.dtype) for result in results]

        def store(*args):
            first, second, third = ([np.zeros(*each) for each in made] for _ in range(3))
            wide = [np.zeros((2, *shape), dtype) for shape, dtype in made]
            returned = ufunc(*args, out=tuple(first))
            ufunc(*args, *second)
            ufunc(*args, *wide)
            ufunc(*args, out=tuple(third), where=np.arange(4) > 1)
            same = returned[0] is first[0] if ufunc.nout > 1 else returned is first[0]
            return first, second, third, wide, same

        check(store, *args)


@pytest.mark.parametrize("ufunc", PLAIN, **EACH)
def test_dtype(ufunc):
    for x in (QUARTERS, WHOLE):
        args = arguments(ufunc, x)
        for dtype in ("f4", "i4", "c16", "?"):
            function = lambda *args: ufunc(*args, dtype=dtype)
            if not same_error(function, *args):
                check(function, *args)


def test_shapes_of_two_results():
    check(lambda x: np.modf(x, out=(np.zeros((2, 3, 4)), np.zeros((3, 4)))), QUARTERS)


def test_two_results_one_of_them_stored():
    def parts(x):
        whole = np.zeros(x.shape)
        fraction, returned = np.modf(x, out=(None, whole))
        return fraction, whole, returned is whole

    check(parts, np.array([1.5, -2.25, np.inf, -np.inf, np.nan, -0.0, 3.0]))


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: np.add(x, y, dtype=np.float32),
        lambda x, y: np.add(x, y, signature="ff->f"),
        lambda x, y: np.add(x, y, signature="f"),
        lambda x, y: np.add(x, y, sig=(None, None, np.float32)),
        lambda x, y: np.add(x, y, dtype=int, casting="unsafe"),
        lambda x, y: np.add(x, y, order="F", subok=False),
        lambda x, y: np.add(x, [1, 2, 3, 4]),
        lambda x, y: np.add(x, y, casting="no"),
        lambda x, y: np.add(x, 2, casting="safe"),
        lambda x, y: np.add(x, y, dtype=int),
        lambda x, y: np.add(x, y, casting="nonsense"),
        lambda x, y: np.add(x, y, nonsense=1),
        lambda x, y: np.add(x, y, dtype="f4", signature="ff->f"),
        lambda x, y: np.add(x, y, signature="ff"),
        lambda x, y: np.add(x, y, out=np.zeros(3)),
        lambda x, y: np.add(x, y, out=np.zeros(x.shape, int)),
        lambda x, y: np.add(x, y, out=np.zeros(x.shape, int), casting="unsafe"),
        lambda x, y: np.add(x, y, out=np.zeros(x.shape, "f4")),
        lambda x, y: np.add(x, y, out=np.zeros(x.shape, complex)),
        lambda x, y: np.add(x, y, out=np.zeros(x.shape, "f4"), casting="safe"),
        lambda x, y: np.add(x, y, out=3),
        lambda x, y: np.add(x, y, np.zeros(x.shape), out=np.zeros(x.shape)),
        lambda x, y: np.add(x, y, out=np.zeros(x.shape), where=x),
        lambda x, y: np.add(x, y, out=np.zeros(x.shape), where=[True, False, True, True]),
        lambda x, y: np.add(x, y, out=np.zeros(x.shape), where=False),
        lambda x, y: np.add(x[0], y[0], out=np.zeros(x.shape), where=x > 0.5),
        lambda x, y: np.add(x[0], y[0], out=np.zeros(4), where=x > 0.5),
        lambda x, y: np.multiply(x[1:], y[:-1], out=x[:-1]) + x[:-1],
        lambda x, y: np.power(y, np.array([1, -1, 2, 0])),
        lambda x, y: np.less(x, y, dtype=bool),
        lambda x, y: np.less(x, y, out=np.zeros(x.shape)),
        lambda x, y: np.true_divide(y, 2, dtype="f4"),
        lambda x, y: np.isnat(x),
    ],
)
def test_options(function):
    check(function, QUARTERS, WHOLE)


def test_where_spares_what_would_be_an_error():
    def inverse(n, exponents):
        result = np.zeros(3, int)
        return np.power(n, exponents, out=result, where=exponents >= 0)

    check(inverse, np.array([2, 3, 4]), np.array([2, -1, 0]))


def test_where_without_out_is_refused():
    with pytest.raises(NotImplementedError, match=r"out=np\.zeros"):
        ag.to_graph(lambda x: np.sqrt(x, where=x > 0))(QUARTERS)


def test_where_keeps_nan_out_of_gradients():
    def total(x):
        roots = np.zeros(3)
        np.sqrt(x, out=roots, where=x > 0)
        quotients = np.divide(1.0, x, out=np.zeros_like(x), where=x != 0)
        return np.sum(roots) + np.sum(quotients)

    found = ag.grad(total)(np.array([4.0, 0.0, 1.0]))
    np.testing.assert_allclose(found, [0.25 - 1 / 16, 0.0, 0.5 - 1.0])


def test_out_arrays_that_are_read_again():
    def programs(x, y):
        view = x[1]
        np.add(x, y, out=x)  # the operand itself
        np.exp(view, out=view)  # a view, which writes to its base
        scalar = np.zeros(())
        np.add(1.0, x[0, 0], out=scalar)
        return x, view, scalar

    check(programs, QUARTERS, WHOLE)


REDUCIBLE = [ufunc for ufunc, method in UFUNC_METHODS if method == "reduce"]
REDUCE_OPTIONS = [
    *({}, {"axis": 1}, {"axis": None}, {"axis": (0, 1)}, {"axis": -1, "keepdims": True}),
    *({"axis": ()}, {"initial": 2}, {"initial": None}, {"dtype": "f4"}, {"axis": 5}),
    {"where": np.arange(4) > 1},
    {"where": np.arange(4) > 1, "initial": 1},
    {"axis": None, "keepdims": True},
]


@pytest.mark.costly
@pytest.mark.parametrize("ufunc", REDUCIBLE, **EACH)
def test_reduce(ufunc):
    for x in (QUARTERS, WHOLE, WHOLE > 1, QUARTERS.astype("f4")):
        for options in REDUCE_OPTIONS:
            check(lambda x: ufunc.reduce(x, **options), x)
        check(lambda x: ufunc.reduce(x), x[:0])
        check(lambda x: ufunc.reduce(x, axis=1), x[:0])
        check(lambda x: ufunc.reduce(x), x[0])
        check(lambda x: ufunc.reduce(x), x[0, 0])


@pytest.mark.costly
@pytest.mark.parametrize("ufunc", REDUCIBLE, **EACH)
def test_accumulate_and_reduceat(ufunc):
    for x in (QUARTERS, WHOLE, WHOLE > 1):
        for options in ({}, {"axis": 1}, {"dtype": "f4"}, {"axis": 4}):
            check(lambda x: ufunc.accumulate(x, **options), x)
            check(lambda x: ufunc.reduceat(x, [0, 2, 1], **options), x)
        check(lambda x: ufunc.accumulate(x), x[:0])


@pytest.mark.parametrize("ufunc", [u for u in PLAIN if u.nin == 2], **EACH)
def test_outer(ufunc):
    for x in (QUARTERS, WHOLE, QUARTERS.astype("f4")):
        y = WHOLE[0] if ufunc is np.ldexp else x[0]
        if not same_error(lambda x, y: ufunc.outer(x, y), x, y):
            check(lambda x, y: (ufunc.outer(x, y), ufunc.outer(x, 2), ufunc.outer([1, 2], y)), x, y)


@pytest.mark.parametrize("ufunc", [u for u in PLAIN if u.nout == 1], **EACH)
def test_at(ufunc):
    def change(x, y, places):
        operands = (y,) if ufunc.nin == 2 else ()
        ufunc.at(x, [0, 2], *operands)  # different places
        ufunc.at(x, slice(1, 2), *operands)
        ufunc.at(x, ([0, 0, 1, 0], [1, 1, 2, 1]), *operands)  # the same place three times
        ufunc.at(x[2], places, *operands)  # known when the program runs
        return x

    for x in (QUARTERS, WHOLE, WHOLE > 1):
        y = WHOLE[0] if ufunc is np.ldexp else x[1]
        if not same_error(change, x.copy(), y.copy(), np.array([3, 3, 0, 1])):
            check(change, x.copy(), y.copy(), np.array([3, 3, 0, 1]))


def test_at_converts_each_result():
    def change(x):
        np.add.at(x, [0, 0, 1], 1.5)
        np.divide.at(x, [2], 2)
        return x

    check(change, np.array([-5, 0, 7]))


def test_methods_into_arrays_that_are_given():
    def store(x):
        total, running = np.zeros(4, "f4"), np.zeros(x.shape, int)
        largest = np.zeros((1, 4))
        np.add.reduce(x, out=total)
        np.add.accumulate(x, out=running)
        np.maximum.reduce(x, keepdims=True, out=largest)
        product = np.multiply.outer(x[0], x[1], out=np.zeros((4, 4)))
        return total, running, largest, product

    check(store, QUARTERS * 5)
    check(lambda x: np.add.reduce(x, out=np.zeros(3)), QUARTERS)


@pytest.mark.parametrize("places", [[0, 3], [-1], [4]])
def test_reduceat_out_of_range(places):
    check(lambda x: np.add.reduceat(x, places), QUARTERS)


@pytest.mark.parametrize("ufunc", REDUCIBLE, **EACH)
def test_reduceat_at_places_of_the_run(ufunc):
    """Whose number the run knows, or whose values, or how long the array is."""
    places = np.array([0, 2, 1, 1])
    for x in (QUARTERS, WHOLE, WHOLE > 1):
        check(lambda x, places: ufunc.reduceat(x, places, axis=1), x, places)
        check(lambda x, places: ufunc.reduceat(x, places % 3, dtype="f4"), x, places)
        check(lambda x, places: ufunc.reduceat(x[0], np.nonzero(places)[0]), x, places)
        check(lambda x, places: ufunc.reduceat(x[: places[1]], [0, 1]), x, places)
    check(lambda x, places: ufunc.reduceat(x, places[:0]), QUARTERS, places)


@pytest.mark.parametrize("places", [[0, 3], [-1], [4]])
def test_reduceat_out_of_range_of_the_run(places):
    with pytest.raises(IndexError, match=r"out-of-bounds in add\.reduceat"):
        ag.to_graph(lambda x, places: np.add.reduceat(x, places))(QUARTERS, np.array(places))


@pytest.mark.parametrize("places", [np.array([0.0]), np.array([[0]]), np.array(0), np.uint64([0])])
def test_reduceat_at_what_are_no_places(places):
    def function(x, places):
        return np.add.reduceat(x, places)

    with pytest.raises((TypeError, ValueError)) as expected:
        function(QUARTERS, places)
    with pytest.raises((TypeError, ValueError)) as found:
        ag.to_graph(function)(QUARTERS, places)
    assert str(expected.value) in str(found.value)


def test_derivatives_of_reduceat_at_places_of_the_run():
    x, places = QUARTERS + np.linspace(0.01, 0.2, 12).reshape(3, 4), np.array([0, 2, 1])
    for ufunc in (np.add, np.multiply, np.maximum):
        total = lambda x, places, ufunc=ufunc: np.sum(ufunc.reduceat(x, places) ** 2)
        check_grad(lambda x, total=total: total(x, places), x)
        given = ag.grad(total)(x, places)
        assert np.allclose(given, ag.grad(lambda x, total=total: total(x, [0, 2, 1]))(x))
    many = np.array([places, places[::-1]])
    found = ag.vmap(lambda places: np.add.reduceat(x, places))(many)
    assert np.allclose(found, [np.add.reduceat(x, each) for each in many])


def test_methods_that_are_refused():
    for function in (
        lambda x: np.arctan2.reduce(x),
        lambda x: np.add.nonsense(x),
    ):
        with pytest.raises((NotImplementedError, AttributeError)):
            ag.to_graph(function)(QUARTERS)
    check(lambda x: np.sin.reduce(x), QUARTERS)


DIFFERENTIABLE = [
    lambda x: np.sum(np.logaddexp.reduce(x, axis=1) ** 2),
    lambda x: np.sum(np.hypot.reduce(x, axis=None)),
    lambda x: np.sum(np.subtract.reduce(x, axis=1) ** 3),
    lambda x: np.sum(np.divide.reduce(x, axis=0, initial=2.0) ** 2),
    lambda x: np.sum(np.logaddexp.accumulate(x, axis=1) ** 2),
    lambda x: np.sum(np.divide.accumulate(x, axis=0) ** 2),
    lambda x: np.sum(np.add.reduceat(x, [0, 2, 1], axis=1) ** 2),
    lambda x: np.sum(np.multiply.reduceat(x, [0, 2, 1]) ** 2),
    lambda x: np.sum(np.arctan2.outer(x[0], x[1])),
    lambda x: np.sum(np.power.outer(x[0], x[1])),
    lambda x: np.sum(np.multiply.reduce(x, where=x > 0.3, initial=3.0) ** 2),
    lambda x: np.sum(np.divmod(x, x[0] + 0.1)[1] ** 2),
    lambda x: np.sum(np.modf(3 * x)[0] ** 2),
    lambda x: np.sum(np.frexp(3 * x)[0] ** 2),
    lambda x: np.sum(np.ldexp(x, [1, 2, -1, 0]) ** 2),
    lambda x: np.sum(np.float_power(x, x[0])),
    lambda x: np.sum(np.matmul(x, x, axes=[(0, 1), (1, 0), (1, 0)]) ** 2),
]


@pytest.mark.parametrize("function", DIFFERENTIABLE)
def test_gradients(function):
    x = QUARTERS + np.linspace(0.01, 0.2, 12).reshape(3, 4)
    check(function, x)
    check_grad(function, x)


@pytest.mark.parametrize("ufunc", [np.multiply, np.divide, np.maximum, np.logaddexp], **EACH)
def test_gradients_of_at(ufunc):
    def total(x, y):
        z = x * 1.0
        ufunc.at(z, [0, 2, 0], y)
        return np.sum(z**2)

    check_grad(total, np.array([1.5, 2.5, -0.5]), np.array([1.25, 0.75, 2.25]), argnums=(0, 1))


def test_numbers_only():
    check(lambda x, n: (np.add(x, n), np.modf(x), np.divmod(n, 2), np.frexp(x)), 2.75, 7)
    check(lambda x, n: divmod(x, 2) + divmod(n, x) + divmod(7.5, n), 2.75, 7)
    check(lambda x: divmod(x, 2), np.arange(5))


def test_matmul_options():
    x, y = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(4, 3)
    check(lambda x, y: np.matmul(x, y, axes=[(0, 1), (1, 0), (1, 0)]), x, y)
    check(lambda x, y: np.matmul(x, y[0], axes=[(0, 1), 0, 0]), x, y)
    check(lambda x, y: np.matmul(x[0], y[0], axes=[0, 0]), x, y)
    check(lambda x, y: np.matmul(x[0], y[0], axes=[0, 0, ()]), x, y)
    check(lambda x, y: np.matmul(x, y.T, dtype="f4"), x, y)
    check(lambda x, y: np.matmul(x, y.T, out=np.zeros((2, 4))), x, y)
    check(lambda x, y: np.matmul(x, y, axes=[(0, 1), (1, 0)]), x, y)


def test_lists_of_traced_values():
    check(lambda x: np.maximum.reduce([x, 2 * x, 1 - x]), QUARTERS[0])
    check(lambda x: np.add.reduce((x[0], 1.0, x[1])), QUARTERS[0])
    check(lambda x: np.multiply.outer([x[0], 1], [2, x[1]]), QUARTERS[0])
    check(lambda x: np.add.accumulate([x[0], x[1]]), QUARTERS[0])

    def change(x):
        np.add.at(x, ([0, 0], [1, 1]), [x[0, 0], 2.0])
        return x

    check(change, QUARTERS.copy())


UNKNOWN_LENGTHS = [
    lambda x: np.add.reduce(x),
    lambda x: np.maximum.reduce(x),
    lambda x: np.add.reduce(x, initial=3.0),
    lambda x: np.multiply.reduce(x, where=x > 1),
    lambda x: np.add.accumulate(x),
    lambda x: np.multiply.outer(x, x),
    lambda x: np.add(x, 1, dtype="f4"),
    lambda x: (np.modf(x), np.frexp(x), np.divmod(x, 0.75)),
    lambda x: (np.sign(1j * x), np.angle(1j * x), np.sinc(x), np.isposinf(x)),
    lambda x: np.sqrt(x, out=np.zeros(3)),
    lambda x: np.sqrt(np.ones(3), out=x),
]


@pytest.mark.parametrize("function", UNKNOWN_LENGTHS)
def test_lengths_that_only_the_run_knows(function):
    check(lambda x: function(x[x > 0]), np.array([0.5, -1.5, 2.0, 0.75]))
    if isinstance(function(QUARTERS[0, :3].copy()), float):
        check_grad(lambda x: function(x[x > 0]), np.array([0.5, -1.5, 2.0, 0.75]))


def test_halves_need_a_known_length():
    with pytest.raises(NotImplementedError, match="the length of an array"):
        ag.to_graph(lambda x: np.logaddexp.reduce(x[x > 0]))(QUARTERS[0])


@pytest.mark.parametrize("dtype", ["uint8", "uint64", "int8", "bool"])
def test_bits_of_unsigned_integers_are_combined(dtype):
    """The identity of ``bitwise_and`` is -1, which no unsigned integer is."""
    for x in (np.array([3, 5], dtype), np.zeros(0, dtype)):
        check(lambda x: np.bitwise_and.reduce(x), x)
