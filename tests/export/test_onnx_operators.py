"""Operators in models of ONNX give what NumPy does."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.errors import AutographError, UnsupportedFunctionError
from ops.core.registry import REGISTRY, Elementwise
from tests.export.onnx_runs import check, session
from tests.export.results import assert_same, leaves_of
from tests.ops.samples import SAMPLES, drawn, name_of

_FLOATS = np.array(
    [0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, -2.5, 3.0, -7.0, 1e-20, 1e-5, 100.0, -100.0]
    + [1e10, -1e10, 0.1, 0.9999, np.inf, -np.inf, np.nan, 1e300, 8.0, 1000.0, 27.0]
)
_INTS = np.array([0, 1, -1, 2, -2, 3, -3, 7, -7, 63, 64, -64, 100, 127, -128])
with np.errstate(over="ignore"):
    EDGES = {
        "float64": _FLOATS,
        "float32": _FLOATS.astype(np.float32),
        "int64": np.append(_INTS, [2**62, -(2**63), 2**63 - 1]),
        "int32": _INTS.astype(np.int32),
        "int8": _INTS.astype(np.int8),
        "uint8": np.abs(_INTS).astype(np.uint8),
        "uint64": np.append(np.abs(_INTS).astype(np.uint64), np.uint64(2**63)),
        "bool": np.array([True, False]),
    }
ELEMENTWISE = [op.name for op in REGISTRY.values() if isinstance(op, Elementwise)]
# Differences of large logarithms, of which the last digit decides.
_ILL_CONDITIONED = {"special_beta", "special_betaln"}


@pytest.mark.parametrize("name", sorted(set(ELEMENTWISE) - _ILL_CONDITIONED))
@pytest.mark.filterwarnings("ignore")
def test_elementwise_operators_at_edges(name):
    """As NumPy computes them, but for the sign of a zero, which ONNX Runtime's Where loses."""
    op = REGISTRY[name]
    count = len(op.partials)
    if count > 2:
        pytest.skip("it has no samples")
    for values in EDGES.values():
        args = (values,) if count == 1 else (values[:, None].copy(), values[None].copy())
        try:
            expected = np.asarray(op(*args))
        except (TypeError, ValueError, NotImplementedError):
            continue
        try:
            made = ag.export.onnx(lambda *args: op(*args), *args)
        except AutographError as error:
            assert error.id in ("AG0752", None) or "signature" in str(error), error
            continue
        feeds = {given.name: arg for given, arg in zip(made.graph.input, args)}
        (found,) = session(made).run(None, feeds)
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        rtol = (
            {2: 2e-3, 4: 2e-6, 8: 4e-14}[expected.dtype.itemsize]
            if expected.dtype.kind == "f"
            else 0
        )
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=0, err_msg=str(values.dtype))


# Operators on arrays that have no form. Those on complex numbers are not listed.
WITHOUT = set(
    "solve inv inverse_or_nan det sign_and_log_det eigh_factors eigvalsh eig_factors eigvals "
    "svd_factors svdvals adjugate cholesky_lower qr_factors lu_packed pseudo_inverse "
    "least_squares expm exchanges_of_order order_of_exchanges partition argpartition "
    "products_of_others max_shared max_chosen random_gamma gamma_slope random_poisson "
    "gamma lgamma ieee_remainder polygamma fsum convolve_full bincount python_order "
    "exact_statistic pure_callback vectorized_callback io_callback draw draw_next seeded fresh "
    "round_to print warn log_message repeat sinc_slope linalg_fails bitcast agree "
    "meet meet_in_sum round_number".split()
)


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_operators_on_arrays(sample):
    name, operands, attrs = sample[:3]
    op = REGISTRY[name]
    args = drawn(operands, np.random.default_rng(1))

    def apply(*args):
        return op.apply(args, attrs)

    if name in WITHOUT or any(np.iscomplexobj(arg) for arg in args):
        return
    try:
        expected = leaves_of(op.apply(args, attrs))
    except (TypeError, RuntimeError):
        return  # it is about lanes, or packs
    try:
        made = ag.export.onnx(apply, *args)
    except UnsupportedFunctionError as error:
        assert any(leaf.dtype.kind == "c" for leaf in expected), error
        return
    found = session(made).run(None, {i.name: np.asarray(a) for i, a in zip(made.graph.input, args)})
    assert_same(found, expected)


X = np.arange(24.0).reshape(2, 3, 4)
I_, J = np.array([1, 0, 1]), np.array([[0], [-1]])
SUBSCRIPTS = {
    "slices": lambda x, i: (x[:, ::-1], x[-1, 1:, ::2], x[..., 3:0:-2], x[:, 5:], x[..., :-1]),
    "dynamic slices": lambda x, i: (x[:, : i[0] + 1], x[0, i[0] :], x[:, i[1] - 2 :: 2]),
    "new axes": lambda x, i: (x[:, None], x[None, 0, ..., None], x[i[0], None]),
    "an index array": lambda x, i: (x[i], x[:, i], x[:, :, i], x[i - 2]),
    "several": lambda x, i: (x[i, i], x[i, :, i], x[0, :, i], x[i, 0], x[:, J, i], x[J, :, i]),
    "scalars": lambda x, i: (x[i[0]], x[:, i[1]], x[i[0], i[1], -1], x[0, 1, i[2]]),
    "a mask": lambda x, i: (x[x > 5.0], x[:, i > 0], np.sum(x[0][x[0] > 2.0]), x[0, i > 0]),
    "writes": lambda x, i: (written(x, i), added(x, i), masked(x)),
}


def written(x, i):
    x = x.copy()
    x[i] = x[0] * 2.0
    x[0, i] = np.arange(12.0).reshape(3, 4)  # of the rows that are written twice the last stays
    x[:, 1, ::2] = -1.0
    x[i[0], :, -1] = i
    return x


def added(x, i):
    x = x.copy()
    np.add.at(x, i, 1)
    x[:, i[0]] += 10
    return x


def masked(x):
    x = x.copy()
    x[x > 7.0] = 0.5
    x[:, x[0, :, 0] > 2.0] = 3.0
    return x


@pytest.mark.parametrize("name", SUBSCRIPTS)
def test_subscripts(name):
    check(SUBSCRIPTS[name], X, I_)
    check(SUBSCRIPTS[name], X.astype(np.int32), I_)


EXTREMES = {
    "nan": np.array([[1.0, np.nan, 2.0], [3.0, 3.0, -1.0]]),
    "ties": np.array([[2, 2, 1], [0, 0, 0]]),
    "bools": np.array([[True, False, True], [False, False, False]]),
    "unsigned": np.array([[2**63, 5, 2**63 + 1], [1, 0, 0]], np.uint64),
    "small": np.array([[100, 100, 100], [-100, -128, 127]], np.int8),
}


@pytest.mark.parametrize("name", EXTREMES)
def test_reductions(name):
    def reductions(x):
        return (
            np.max(x, 1),
            np.min(x, 0, keepdims=True),
            np.argmax(x, 1),
            np.argmin(x),
            np.sum(x),
            np.sum(x, 1),
            np.prod(x, 0),
            np.any(x, 1),
            np.all(x, 1),
            np.cumsum(x, 1),
            np.sort(x, 1),
            np.argsort(x, 1, kind="stable"),
        )

    check(reductions, EXTREMES[name])


def test_reductions_of_nothing():
    check(lambda x: (np.sum(x), np.prod(x, 1), np.all(x), np.any(x, 0), x @ x.T), np.zeros((2, 0)))
    check(lambda x: x[x > 99.0].astype(int) ** np.arange(3)[:0], X)
    check(lambda x: (np.sum(x[x > 9.0]), np.all(x[x > 9.0] > 0), np.any(x[x > 9.0] > 0)), X)
    runs = session(ag.export.onnx(lambda x: np.max(x[x > 9.0]), X))
    assert runs.run(None, {"x": X}) == [23.0]
    with pytest.raises(Exception, match="ValueError"):
        runs.run(None, {"x": X * 0.0})


def test_integers_of_64_bits_are_exact():
    """ONNX Runtime totals integers as doubles, and makes ``y / y`` of ``1 / y * y``."""
    x = np.array([2**62 + 1, 2**61 + 3, -(2**62) + 7, 2**53 + 1])

    def totals(x):
        return np.sum(x), np.prod(x[1:3]), x @ x, np.sum(x.reshape(2, 2), 0), 1 - 1 // x * x, 1 % x

    with np.errstate(over="ignore"):
        check(totals, x)
        check(totals, x.astype(np.uint64))
    check(lambda y: (1 % y, 1 - 1 // y * y, -7 % y, np.fmod(-7, y)), 3)


def test_slices_past_the_end_end_the_run():
    made = ag.export.onnx(lambda x, i: np.sum(x[i : i + 2]), np.arange(4.0), 1)
    runs = session(made)
    assert runs.run(None, {"x": np.arange(4.0), "i": np.array(2)}) == [5.0]
    with pytest.raises(Exception, match="reaches past the end"):
        runs.run(None, {"x": np.arange(4.0), "i": np.array(3)})


def test_random_numbers_are_the_same():
    def noise(key):
        first, second = ops.random.split(key)
        bits = ops.random.bits(first, (7,), np.uint64)
        return ops.random.normal(first, (5,)), ops.random.randint(second, (4,), 0, 9), bits

    check(noise, ops.random.key(3))


def test_searches():
    a = np.array([0.0, 1.0, 1.0, 2.0, np.nan])
    v = np.array([-1.0, 1.0, 1.5, 3.0, np.nan])
    check(lambda a, v: (np.searchsorted(a, v), np.searchsorted(a, v, "right")), a, v)
