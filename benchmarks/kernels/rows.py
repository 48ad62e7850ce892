"""The rows of the table: a name, a title, the arguments, and when two results are the same."""

from __future__ import annotations

from benchmarks.beside.suite import Row, mostly_equal
from benchmarks.kernels.programs import calls, elementwise, loops, networks

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
