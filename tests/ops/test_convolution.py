"""Convolution and pooling, against their definition by loops."""

import itertools

import numpy as np
import pytest

import autograph as ag
import ops
from ops.core.types import type_of
from tests.ops.array_cases import Case
from tests.ops.recorded import record, run
from tests.ops.test_array_operators import check_transposed
from tests.support.oracle import check, check_grad

RNG = np.random.default_rng(0)


def by_loops(x, kernel, stride, padding, dilation, groups=1, x_dilation=None):
    """The definition: for each place in the result the sum of products with the kernel."""
    ndim = x.ndim - 2
    x_dilation = x_dilation or (1,) * ndim
    wide = np.zeros((*x.shape[:2], *((n - 1) * d + 1 for n, d in zip(x.shape[2:], x_dilation))))
    wide[(..., *(slice(None, None, d) for d in x_dilation))] = x
    for axis, (low, high) in enumerate(padding, start=2):
        before, after = (
            (*wide.shape[:axis], max(p, 0), *wide.shape[axis + 1 :]) for p in (low, high)
        )
        wide = np.concatenate([np.zeros(before), wide, np.zeros(after)], axis)
        cut = slice(max(-low, 0), wide.shape[axis] - max(-high, 0))
        wide = wide[(slice(None),) * axis + (cut,)]
    lengths = [
        (n - (m - 1) * d - 1) // s + 1
        for n, m, s, d in zip(wide.shape[2:], kernel.shape[2:], stride, dilation)
    ]
    features, depth = kernel.shape[:2]
    result = np.zeros((len(x), features, *lengths))
    for place in np.ndindex(*lengths):
        for offset in np.ndindex(*kernel.shape[2:]):
            at = tuple(p * s + o * d for p, s, o, d in zip(place, stride, offset, dilation))
            for f in range(features):
                group = f // (features // groups)
                part = wide[(slice(None), slice(group * depth, (group + 1) * depth), *at)]
                result[(slice(None), f, *place)] += part @ kernel[(f, slice(None), *offset)]
    return result


SHAPES = [
    ((2, 3, 7), (4, 3, 3)),
    ((2, 3, 6, 5), (4, 3, 3, 2)),
    ((1, 2, 4, 5, 4), (3, 2, 2, 3, 2)),
    ((2, 3, 5), (2, 3, 1)),
    ((0, 3, 5), (2, 3, 2)),
]
OPTIONS = [
    {},
    {"stride": 2},
    {"padding": 1},
    {"dilation": 2, "padding": 2},
    {"stride": 2, "padding": "same"},
    {"padding": "same", "dilation": 2},
    {"padding": "valid", "stride": 3},
]


def explicit(options, shape, kernel):
    """The options as numbers for each axis."""
    ndim = len(shape) - 2
    stride = (options.get("stride", 1),) * ndim
    dilation = (options.get("dilation", 1),) * ndim
    padding = options.get("padding", 0)
    if padding == "same":
        pairs = []
        for n, m, s, d in zip(shape[2:], kernel[2:], stride, dilation):
            total = max((-(-n // s) - 1) * s + (m - 1) * d + 1 - n, 0)
            pairs.append((total // 2, total - total // 2))
    else:
        pairs = [(0 if padding == "valid" else padding,) * 2] * ndim
    return stride, pairs, dilation


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("shape, kernel", SHAPES)
def test_definition(shape, kernel, options):
    if options.get("dilation") == 2 and len(shape) == 5:
        options = {**options, "padding": 3}
    x, k = RNG.normal(size=shape), RNG.normal(size=kernel)
    expected = by_loops(x, k, *explicit(options, shape, kernel))
    np.testing.assert_allclose(ops.conv(x, k, **options), expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("groups, features", [(2, 4), (4, 4), (4, 8)])
def test_groups(groups, features):
    x, k = RNG.normal(size=(2, 4, 6, 5)), RNG.normal(size=(features, 4 // groups, 3, 2))
    expected = by_loops(x, k, (2, 1), [(1, 0), (0, 2)], (1, 2), groups)
    found = ops.conv(x, k, (2, 1), [(1, 0), (0, 2)], (1, 2), groups)
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("low, high", list(itertools.product((-3, -1, 0, 2), repeat=2)))
@pytest.mark.parametrize("spaced", [1, 2, 3])
def test_padding_that_cuts_and_dilated_input(low, high, spaced):
    x, k = RNG.normal(size=(1, 2, 3, 7)), RNG.normal(size=(1, 4, 3, 2))
    found = ops.grouped_convolution(
        x, k, strides=(2,), padding=((low, high),), x_dilation=(spaced,), kernel_dilation=(1,)
    )
    expected = by_loops(x[0], k[0], (2,), [(low, high)], (1,), x_dilation=(spaced,))
    np.testing.assert_allclose(found[0], expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("dtype", ["int32", "float16", "float32", "complex64", "bool"])
def test_dtypes(dtype):
    x, k = (RNG.normal(size=s) * 3 for s in ((2, 3, 5), (2, 3, 2)))
    x, k = x.astype(dtype), k.astype(dtype)
    args = [x, k]
    (found,) = run(record(ops.conv, args), args)
    assert found.dtype == dtype
    wide = np.result_type(dtype, "int64" if dtype == "bool" else dtype)
    expected = sum(
        np.einsum("nct,fc->nft", x[:, :, i : i + 4].astype(wide), k[:, :, i].astype(wide))
        for i in range(2)
    )
    np.testing.assert_allclose(found, expected.astype(dtype), rtol=1e-2, atol=1e-2)


def test_dtypes_are_promoted():
    x, k = np.ones((1, 1, 3), np.float32), np.ones((1, 1, 2))
    assert ops.conv(x, k).dtype == np.float64 == ops.conv(k, x[:, :, :1]).dtype


def case(name, function, *shapes):
    return Case(name, function, function, shapes)


CASES = [
    *(
        case(f"conv {shape} {kernel} {o}", lambda x, k, o=o: ops.conv(x, k, **o), shape, kernel)
        for shape, kernel in [
            ((2, 3, 7), (2, 3, 3)),
            ((2, 2, 4, 5), (3, 2, 2, 3)),
            ((2, 1, 4), (1, 1, 1)),
        ]
        for o in [{}, {"stride": 2, "padding": 1}, {"padding": 2, "dilation": 2, "stride": 3}]
    ),
    case("groups", lambda x, k: ops.conv(x, k, 2, 1, 1, 2), (2, 4, 5, 4), (6, 2, 3, 2)),
    case("volumes", lambda x, k: ops.conv(x, k, 2, "same"), (1, 2, 3, 4, 3), (2, 2, 2, 2, 2)),
    case("no batch", lambda x, k: ops.conv(x, k), (0, 2, 4), (2, 2, 2)),
    case("transpose", lambda x, k: ops.conv_transpose(x, k, 2, 1, 1), (2, 3, 4, 3), (3, 2, 3, 2)),
    case(
        "windows",
        lambda x: ops.strided_windows(x, window=(2, 3), strides=(1, 2), dilation=(2, 1)),
        (2, 4, 7),
    ),
    case(
        "overlap_add",
        lambda x: ops.overlap_add(x, lengths=(6,), strides=(2,), dilation=(1,)),
        (2, 2, 3),
    ),
    case("max_pool", lambda x: ops.max_pool(x, 2), (2, 2, 4, 6)),
    case("max_pool padded", lambda x: ops.max_pool(x, (3, 2), 2, (1, 0)), (2, 2, 5, 6)),
    case("max_pool 1d", lambda x: ops.max_pool(x, 2, 1, 0, 3), (2, 2, 8)),
    case("avg_pool", lambda x: ops.avg_pool(x, 2), (2, 2, 4, 6)),
    case("avg_pool padded", lambda x: ops.avg_pool(x, 3, 2, 1, False), (1, 2, 5, 6)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_derivatives(case):
    """Of each operator forward against backward, and both once more against differences."""
    args = [RNG.normal(size=shape) for shape in case.shapes]
    run(record(case.ours, args), args, check_transposed)


def test_gradients_of_compiled_functions():
    x, k = RNG.normal(size=(2, 2, 5, 4)), RNG.normal(size=(4, 1, 3, 2))

    def loss(x, k):
        y = ops.conv(x, k, stride=2, padding=1, groups=2)
        return np.sum(np.tanh(ops.max_pool(y, 2, 1)) ** 2)

    check_grad(loss, x, k, argnums=(0, 1))
    check(loss, x, k)
    single = ag.grad(loss)(x.astype(np.float32), k.astype(np.float32))
    assert single.dtype == np.float32


def test_transposed_convolution_is_the_transpose():
    for stride, padding, dilation, groups in [(1, 0, 1, 1), (2, 1, 1, 2), (3, 2, 2, 1)]:
        x, k = RNG.normal(size=(2, 4, 11)), RNG.normal(size=(6, 4 // groups, 3))
        y = ops.conv(x, k, stride, padding, dilation, groups)
        ct = RNG.normal(size=y.shape)
        extra = (11 + 2 * padding - 2 * dilation - 1) % stride
        back = ops.conv_transpose(ct, k, stride, padding, extra, dilation, groups)
        assert back.shape == x.shape
        np.testing.assert_allclose(np.sum(y * ct), np.sum(x * back))


def pooled_by_loops(x, reduce, window, stride, padding, fill):
    wide = np.pad(x, ((0, 0), (0, 0), (padding,) * 2, (padding,) * 2), constant_values=fill)
    lengths = [(n - window) // stride + 1 for n in wide.shape[2:]]
    result = np.empty((*x.shape[:2], *lengths))
    for i, j in np.ndindex(*lengths):
        a, b = i * stride, j * stride
        result[:, :, i, j] = reduce(wide[:, :, a : a + window, b : b + window], (2, 3))
    return result


@pytest.mark.parametrize("window, stride, padding", [(2, 2, 0), (3, 2, 1), (2, 1, 1), (3, 3, 0)])
def test_pools(window, stride, padding):
    x = RNG.normal(size=(2, 3, 7, 6))
    found = ops.max_pool(x, window, stride, padding)
    expected = pooled_by_loops(x, np.max, window, stride, padding, -np.inf)
    np.testing.assert_array_equal(found, expected)
    found = ops.avg_pool(x, window, stride, padding)
    expected = pooled_by_loops(x, np.mean, window, stride, padding, 0)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    found = ops.avg_pool(x, window, stride, padding, count_padding=False)
    expected = pooled_by_loops(x, np.nanmean, window, stride, padding, np.nan)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_the_largest_elements_of_a_window_share_the_gradient():
    x = np.array([[[1.0, 1.0, 0.0, 2.0]]])
    gradient = ag.grad(lambda x: np.sum(ops.max_pool(x, 2)))(x)
    np.testing.assert_array_equal(gradient, [[[0.5, 0.5, 0.0, 1.0]]])


def test_pools_of_other_dtypes():
    for dtype in ("int8", "float32", "bool"):
        x = (RNG.normal(size=(1, 1, 5)) * 9).astype(dtype)
        (found,) = run(record(lambda x: ops.max_pool(x, 3, 1, 1), [x]), [x])
        lowest = np.array(-np.inf if dtype == "float32" else False if dtype == "bool" else -128)
        wide = np.pad(x, ((0, 0), (0, 0), (1, 1)), constant_values=lowest.astype(dtype))
        assert type_of(found).dtype == dtype
        np.testing.assert_array_equal(found[0, 0], [wide[0, 0, i : i + 3].max() for i in range(5)])
    assert ops.avg_pool(np.ones((1, 1, 4), np.float32), 2).dtype == np.float32
    assert ops.avg_pool(np.ones((1, 1, 4), np.int32), 2).dtype == np.float64


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x, k: ops.conv(x[0], k), "batch, channels"),
        (lambda x, k: ops.conv(x, k[:, :1]), "for 2 channels"),
        (lambda x, k: ops.conv(x, k, groups=3), "3 groups"),
        (lambda x, k: ops.conv(x, k, stride=0), "stride"),
        (lambda x, k: ops.conv(x, k, stride=(1, 1)), "stride"),
        (lambda x, k: ops.conv(x, k, padding="full"), "padding"),
        (lambda x, k: ops.conv(x, k, padding=[1, 2]), "padding"),
        (lambda x, k: ops.conv(x, k, padding=-4), "negative dim"),
        (lambda x, k: ops.conv(x, k[:, :, :0]), "no elements"),
        (lambda x, k: ops.conv_transpose(x, k), "for an array"),
        (lambda x, k: ops.max_pool(x, 9), "larger"),
        (lambda x, k: ops.max_pool(x, 2, 1, 2), "does not fit"),
    ],
)
def test_errors(function, message):
    with pytest.raises(ValueError, match=message):
        function(np.ones((1, 2, 5)), np.ones((3, 2, 2)))
