"""Convolutions in kernels, against those of the array library."""

import math

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
import ops
from autograph.kernels.lowering.convolutions import features, positions
from autograph.kernels.lowering.convolutions.geometry import WindowAxis
from autograph.kernels.lowering.convolutions.shape import Shape
from autograph.kernels.lowering.rules.convolutions import kernel_of
from autograph.kernels.selection import parts
from ops.signal.convolution import convolved
from tests.kernels.kernel_check import ALL, check
from tests.kernels.llvm.support import Native, interpreted
from tests.support.oracle import check as same_as_python
from tests.support.oracle import check_grad

RNG = np.random.default_rng(0)


def window(length, size, stride=1, low=0, high=0, dilation=1, kernel_dilation=1):
    """An axis; the result is as long as there is room."""
    room = (length - 1) * dilation + 1 + low + high
    places = (room - (size - 1) * kernel_dilation - 1) // stride + 1
    return WindowAxis(length, size, places, stride, low, dilation, kernel_dilation), high


# groups, batch, channels, features, and the windows along each axis
SHAPES = {
    "one axis": (1, 2, 3, 4, [window(9, 3)]),
    "padded": (1, 2, 3, 8, [window(7, 3, low=1, high=2), window(20, 3, low=1, high=1)]),
    "long rows": (1, 1, 2, 7, [window(3, 1), window(37, 4, low=2, high=2)]),
    "cut": (1, 1, 2, 3, [window(9, 2, low=-2, high=-1), window(8, 3, low=-1, high=3)]),
    "strides": (1, 2, 2, 5, [window(11, 3, stride=2, low=1), window(9, 2, stride=3, high=2)]),
    "one in two": (1, 1, 2, 6, [window(9, 1, stride=2), window(8, 1, stride=2)]),
    "kernel with gaps": (
        *(1, 1, 2, 3),
        [window(9, 3, kernel_dilation=2), window(12, 2, stride=2, kernel_dilation=3)],
    ),
    "array with gaps": (
        *(1, 2, 2, 3),
        [window(5, 3, low=2, high=2, dilation=2), window(4, 4, low=3, high=2, dilation=3)],
    ),
    "gaps that no place of the kernel meets": (1, 1, 2, 2, [window(4, 1, dilation=3, high=2)]),
    "gaps and strides": (
        *(1, 1, 2, 2),
        [window(5, 3, stride=2, low=1, high=2, dilation=3), window(4, 2, stride=4, dilation=2)],
    ),
    "groups": (3, 2, 2, 3, [window(5, 2, low=1), window(6, 3, high=1)]),
    "volumes": (1, 1, 2, 2, [window(4, 3, low=1, high=1), window(3, 3, low=1), window(5, 3)]),
    "one place": (1, 3, 2, 9, [window(5, 5), window(4, 4)]),
    "one of each": (1, 1, 1, 1, [window(1, 1)]),
    "long kernel": (1, 2, 4, 20, [window(12, 10), window(33, 31)]),
}


def shape_and_high(name, dtype):
    groups, batch, channels, count, windows = SHAPES[name]
    shape = Shape(np.dtype(dtype), groups, batch, channels, count, tuple(w for w, _ in windows))
    return shape, [high for _, high in windows]


def operands(shape):
    x = (shape.groups, shape.batch, shape.channels, *(w.length for w in shape.windows))
    kernel = (shape.groups, shape.features, shape.channels, *shape.sizes)
    return RNG.normal(size=x).astype(shape.dtype), RNG.normal(size=kernel).astype(shape.dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("way", [positions, features], ids=["positions", "features"])
@pytest.mark.parametrize("name", SHAPES)
def test_both_ways(name, way, dtype):
    shape, high = shape_and_high(name, dtype)
    x, kernel = operands(shape)
    expected = convolved(
        x.astype(float),
        kernel.astype(float),
        tuple(w.stride for w in shape.windows),
        tuple((w.low, h) for w, h in zip(shape.windows, high)),
        tuple(w.dilation for w in shape.windows),
        tuple(w.kernel_dilation for w in shape.windows),
    )
    assert expected.shape[3:] == shape.places
    made = kernel_of(way, shape)
    tolerance = 1e-4 if dtype == "float32" else 1e-12
    status, (found,) = Native(made)(x.ravel(), kernel.ravel())
    assert status == 0
    np.testing.assert_allclose(found.reshape(expected.shape), expected, tolerance, tolerance)
    if shape.multiplications < 20_000:  # the interpreter takes its time
        status, (found,) = interpreted(made, (x.ravel(), kernel.ravel()))
        assert status == 0
        np.testing.assert_allclose(found.reshape(expected.shape), expected, tolerance, tolerance)


@pytest.mark.parametrize("batch", [1, 5])
def test_a_layer_is_one_kernel(batch):
    def layer(x, kernel, bias):
        y = ops.nn.conv(x, kernel, padding=1) + np.reshape(bias, (-1, 1, 1))
        return np.sum(ops.nn.relu(y) ** 2)

    x, kernel = RNG.normal(size=(batch, 3, 8, 9)), RNG.normal(size=(7, 3, 3, 3))
    check(layer, x, kernel, RNG.normal(size=7), kernels=ALL, ulps=64, scale=1.0)


@pytest.mark.costly
@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("groups", [1, 2])
def test_gradients(stride, groups):
    def loss(x, kernel):
        return np.sum(np.sin(ops.nn.conv(x, kernel, stride, 1, 1, groups)))

    x, kernel = RNG.normal(size=(2, 4, 6, 5)), RNG.normal(size=(6, 4 // groups, 3, 3))
    check_grad(loss, x, kernel, order=2)
    slopes = ag.to_graph(ag.grad(loss, argnums=(0, 1)))
    assert len(slopes.kernels(x, kernel)) == 1


def test_the_array_may_not_be_overwritten_meanwhile():
    """A result of the same shape, in a loop that keeps nothing else."""

    def smoothed(x, kernel, n):
        for _ in range(n):
            x = ops.nn.conv(x, kernel, padding=1)
        return x

    same_as_python(smoothed, RNG.normal(size=(2, 3, 8)), RNG.normal(size=(3, 3, 3)), 4)


def test_the_derivative_by_a_kernel_is_by_features():
    """Of a layer with few places in the kernel; and no such array has loops of its own for each
    of many phases, as patches of an image have."""
    shape = Shape(np.dtype("f4"), 1, 32, 64, 64, (window(30, 28)[0], window(30, 28)[0]))
    assert features.work(shape) < positions.work(shape)
    patches = Shape(np.dtype("f4"), 1, 8, 3, 2, (window(64, 16, 16)[0], window(64, 16, 16)[0]))
    assert positions.work(patches) == math.inf


def test_patches():
    def patches(x, kernel):
        return np.tanh(ops.nn.conv(x, kernel, stride=8))

    x, kernel = RNG.normal(size=(1, 2, 16, 8)), RNG.normal(size=(3, 2, 8, 8)) / 8
    check(patches, x, kernel, kernels=ALL, ulps=64, scale=1.0)
    check_grad(lambda x, kernel: np.sum(patches(x, kernel)), x, kernel, order=1)


def test_lanes_that_branch():
    def chosen(x, kernel):
        y = ops.nn.conv(x, kernel, padding=1)
        if np.sum(y) > 0:
            return y * 2
        return ops.nn.conv(y, kernel[:, :, ::-1], padding=1)

    x, kernel = RNG.normal(size=(6, 1, 3, 7)), RNG.normal(size=(3, 3, 3))
    found = ag.vmap(chosen, in_axes=(0, None))(x, kernel)
    np.testing.assert_allclose(found, [chosen(each, kernel) for each in x], rtol=1e-10, atol=1e-12)


def test_on_a_gpu_its_library_convolves():
    def layer(x, kernel):
        return ops.nn.relu(ops.nn.conv(x, kernel) * 2)

    x, kernel = np.ones((1, 1, 5)), np.ones((1, 1, 2))
    module = ag.to_graph(layer).graph(x, kernel)
    assert not parts.outside_of_kernels(module)
    left_out = [str(found.why) for found in parts.outside_of_kernels(module, host=False)]
    assert any("'grouped_convolution'" in why for why in left_out), left_out


@pytest.mark.parametrize("window", [2, (2, 3)])
def test_gradients_through_pooling_are_one_kernel(window):
    """With rows and columns that are in no window, and windows of which several are the largest."""

    def loss(x, kernel):
        y = ops.nn.relu(ops.nn.conv(x, kernel, padding=1) - 1.0)
        return np.sum(np.sin(ops.nn.max_pool(y, window)))

    x, kernel = RNG.normal(size=(2, 2, 7, 8)), RNG.normal(size=(3, 2, 3, 3))
    slopes = check(ag.grad(loss, argnums=(0, 1)), x, kernel, kernels=None, ulps=64, scale=1.0)
    assert len(slopes.kernels(x, kernel)) == 1
    check_grad(loss, x, kernel, order=1)
