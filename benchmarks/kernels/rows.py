"""The rows of the table: a name, a title, the arguments, and when two results are the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.kernels.programs import calls, elementwise, loops, networks


def close(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> bool:
    """Whether arrays agree to rounding, relative to the largest element of each."""
    for result, reference in zip(regrouped(results, expected), expected):
        tolerance = 1e-4 if reference.dtype == np.float32 else 1e-9
        error = np.max(np.abs(result - reference))
        if not error <= tolerance * np.max(np.abs(reference)):
            return False
    return True


def mostly_equal(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> bool:
    """Whether at most one element in 200 differs: orbits near the edge of the set are chaotic, and
    some compilers contract a product and a sum into one rounding."""
    pairs = zip(regrouped(results, expected), expected)
    return all(np.mean(result != reference) < 0.005 for result, reference in pairs)


def regrouped(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The same numbers in arrays of the shapes expected: what is an array in one library may be a
    list of vectors in another, and a number an array of one element."""
    flat = np.concatenate([result.ravel() for result in results])
    ends = np.cumsum([reference.size for reference in expected])
    if flat.size != ends[-1]:
        raise ValueError(f"{flat.size} numbers instead of {ends[-1]}")
    parts = np.split(flat, ends[:-1])
    return [part.reshape(reference.shape) for part, reference in zip(parts, expected)]


@dataclass(frozen=True)
class Row:
    """One row; the peers know it by its ``name``."""

    name: str
    title: str
    arguments: Callable[[], tuple]
    same: Callable[[Sequence[np.ndarray], Sequence[np.ndarray]], bool] = close


ROWS = {
    row.name: row
    for row in (
        Row("selu", "selu, 1e6, f32", elementwise.selu_arguments),
        Row("columns", "normalise columns, 10000 x 100, f64", elementwise.columns_arguments),
        Row(
            "cross_entropy",
            "softmax cross-entropy, gradient, 2048 x 512, f32",
            elementwise.cross_entropy_arguments,
        ),
        Row("black_scholes", "Black-Scholes, 1e6, f64", elementwise.black_scholes_arguments),
        Row("layer_norm", "layer norm, 4096 x 512, f32", elementwise.layer_norm_arguments),
        Row(
            "layer_norm_gradient",
            "layer norm, gradient",
            elementwise.layer_norm_gradient_arguments,
        ),
        Row("perceptron", "MLP, training step, f32", networks.perceptron_arguments),
        Row(
            "convolution",
            "convolution 3 x 3 of 16 x 32 x 32 x 32 to 64 features, f32",
            networks.convolution_arguments,
        ),
        Row("convolution_gradient", "convolution, gradient", networks.convolution_arguments),
        Row("rnn", "RNN, gradient, 100 steps, f32", networks.rnn_arguments),
        Row("transformer", "transformer, 4 blocks, f32", networks.transformer_arguments),
        Row("transformer_gradient", "transformer, gradient", networks.transformer_arguments),
        Row("collatz", "Collatz from 837799", loops.collatz_arguments),
        Row(
            "mandelbrot",
            "Mandelbrot, 400 x 400, while per pixel, f32",
            loops.mandelbrot_arguments,
            mostly_equal,
        ),
        Row("newton", "Newton iteration, gradient, f64", loops.newton_arguments),
        Row("newton_lanes", "the same of 1e5 starts", loops.newton_starts),
        Row("three_bodies", "3 bodies, 2000 steps, f64", loops.three_bodies_arguments),
        Row("call", "call, one array", calls.one_array),
        Row("nested_call", "call, ten nested arrays", calls.nested_arrays),
    )
}
