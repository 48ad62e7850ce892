"""JAX: the programs with its NumPy, and `jax.lax` for control flow."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.special import erf

from benchmarks.beside.rebound import rebound
from benchmarks.kernels.programs import calls, elementwise, loops, networks

jax.config.update("jax_enable_x64", True)  # float64 stays float64; float32 stays float32

PACKAGE = "jax"
_FORWARD = "forward mode (jvp): reverse mode refuses a while loop"
REFUSES: dict[str, str] = {}
NOTES = {"newton": _FORWARD, "newton_lanes": _FORWARD}

to_numpy = np.asarray


def _maker(function: Callable) -> Callable:
    def make(*args):
        arrays = jax.tree.map(jnp.asarray, args)
        compiled = jax.jit(function)
        return lambda: jax.block_until_ready(compiled(*arrays))

    make.function = function
    return make


def _with_jax(function: Callable) -> Callable:
    return rebound(function, np=jnp, erf=erf)


def training_step(params, x, labels):
    loss = _with_jax(networks.perceptron_loss)
    value, gradient = jax.value_and_grad(loss)(params, x, labels)
    return jax.tree.map(lambda p, g: p - networks.RATE * g, params, gradient), value


def convolution(x, kernel):
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME")


def convolution_loss(x, kernel):
    return jnp.mean(convolution(x, kernel) ** 2)


def rnn_loss(params, h, xs):
    w, u, b = params
    h, _ = lax.scan(lambda h, x: (jnp.tanh(x @ w + h @ u + b), None), h, xs)
    return jnp.mean(h * h)


def collatz(n):
    def step(state):
        n, steps = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

    return lax.while_loop(lambda state: state[0] != 1, step, (n, jnp.int64(0)))[1]


def escape_time(c_re, c_im):
    def inside(state):
        re, im, n = state
        return (n < loops.LIMIT) & (re * re + im * im <= 4.0)

    def step(state):
        re, im, n = state
        return re * re - im * im + c_re, 2.0 * re * im + c_im, n + 1

    zero = jnp.float32(0.0)
    return lax.while_loop(inside, step, (zero, zero, jnp.int64(0)))[2]


def newton_sqrt(a):
    def rough(x):
        return abs(x * x - a) > 1e-10 * a

    return lax.while_loop(rough, lambda x: 0.5 * (x + a / x), a)


def newton_gradient(a):
    return jax.jvp(newton_sqrt, (a,), (jnp.ones_like(a),))[1]


def leapfrog(q, v, masses, end, dt):
    accelerations = _with_jax(loops.accelerations)

    def step(state):
        t, q, v, a = state
        v = v + 0.5 * dt * a
        q = q + dt * v
        a = accelerations(q, masses)
        return t + dt, q, v + 0.5 * dt * a, a

    start = 0.0, q, v, accelerations(q, masses)
    _, q, v, _ = lax.while_loop(lambda state: state[0] < end, step, start)
    return q, v


MAKERS = {
    "selu": _maker(_with_jax(elementwise.selu)),
    "columns": _maker(_with_jax(elementwise.normalized_columns)),
    "cross_entropy": _maker(jax.grad(_with_jax(elementwise.cross_entropy))),
    "black_scholes": _maker(_with_jax(elementwise.black_scholes)),
    "layer_norm": _maker(_with_jax(elementwise.layer_norm)),
    "layer_norm_gradient": _maker(
        jax.grad(_with_jax(elementwise.weighted_layer_norm), argnums=(0, 1, 2))
    ),
    "perceptron": _maker(training_step),
    "convolution": _maker(convolution),
    "convolution_gradient": _maker(jax.grad(convolution_loss, argnums=(0, 1))),
    "rnn": _maker(jax.grad(rnn_loss)),
    "transformer": _maker(_with_jax(networks.transformer)),
    "transformer_gradient": _maker(jax.value_and_grad(_with_jax(networks.transformer_loss))),
    "collatz": _maker(collatz),
    "mandelbrot": _maker(jax.vmap(escape_time)),
    "newton": _maker(newton_gradient),
    "newton_lanes": _maker(jax.vmap(newton_gradient)),
    "three_bodies": _maker(leapfrog),
    "call": _maker(_with_jax(calls.sine)),
    "nested_call": _maker(_with_jax(calls.sine_of_first)),
}
