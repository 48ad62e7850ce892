"""PyTorch: `torch.compile`, with `torch.func` for gradients and `while_loop` for control flow."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch._higher_order_ops.while_loop import while_loop
from torch.func import grad, grad_and_value
from torch.utils import _pytree as pytree

from benchmarks.kernels.programs import loops, networks

PACKAGE = "torch"
REFUSES: dict[str, str] = {}
NOTES = {
    "mandelbrot": "whole arrays, with a mask",
    "newton": "the loop runs in Python, its body is compiled",
    "newton_lanes": "whole arrays, with a mask; the loop runs in Python, its body is compiled",
}


def to_numpy(value) -> np.ndarray:
    return value.detach().numpy() if isinstance(value, Tensor) else np.asarray(value)


def _tensors(args):
    def tensor(leaf):
        return torch.from_numpy(leaf) if isinstance(leaf, np.ndarray) else leaf

    return pytree.tree_map(tensor, args)


def _maker(function: Callable) -> Callable:
    def make(*args):
        tensors = _tensors(args)
        compiled = torch.compile(function)
        return lambda: compiled(*tensors)

    make.function = function
    return make


def selu(x):
    return 1.0507 * torch.where(x > 0.0, x, 1.67326 * torch.expm1(x))


def normalized_columns(x):
    return (x - x.mean(0)) / x.std(0, correction=0)


def black_scholes(price, strike, years, rate, volatility):
    def normal_cdf(x):
        return 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))

    spread = volatility * torch.sqrt(years)
    d1 = (torch.log(price / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * torch.exp(-rate * years)
    call = price * normal_cdf(d1) - discounted * normal_cdf(d2)
    put = discounted * normal_cdf(-d2) - price * normal_cdf(-d1)
    return call, put


def layer_norm(x, scale, shift):
    return F.layer_norm(x, x.shape[-1:], scale, shift, eps=1e-5)


def weighted_layer_norm(x, scale, shift, weights):
    return torch.sum(layer_norm(x, scale, shift) * weights)


def convolution(x, kernel):
    return F.conv2d(x, kernel, padding=1)


def convolution_loss(x, kernel):
    return torch.mean(convolution(x, kernel) ** 2)


def perceptron_loss(params, x, labels):
    for w, b in params[:-1]:
        x = torch.relu(torch.addmm(b, x, w))
    w, b = params[-1]
    return F.cross_entropy(torch.addmm(b, x, w), labels)


def training_step(params, x, labels):
    gradient, value = grad_and_value(perceptron_loss)(params, x, labels)
    rate = networks.RATE
    params = [(w - rate * gw, b - rate * gb) for (w, b), (gw, gb) in zip(params, gradient)]
    return params, value


def rnn_loss(params, h, xs):
    w, u, b = params
    for x in torch.matmul(xs, w) + b:
        h = torch.tanh(torch.addmm(x, h, u))
    return torch.mean(h * h)


def attention(x, qkv, out):
    batch, length, width = x.shape
    heads = (x @ qkv).reshape(batch, length, 3, networks.HEADS, width // networks.HEADS)
    q, k, v = heads.permute(2, 0, 3, 1, 4)
    mixed = F.scaled_dot_product_attention(q, k, v)
    return mixed.transpose(1, 2).reshape(batch, length, width) @ out


def transformer(layers, x):
    for layer in layers:
        first, second = layer["norms"]
        x = x + attention(layer_norm(x, *first), *layer["attention"])
        w, b = layer["up"]
        hidden = F.gelu(layer_norm(x, *second) @ w + b, approximate="tanh")
        w, b = layer["down"]
        x = x + hidden @ w + b
    return x


def transformer_loss(layers, x):
    y = transformer(layers, x)
    return torch.mean(y * y)


def transformer_gradient(layers, x):
    gradient, value = grad_and_value(transformer_loss)(layers, x)
    return value, gradient


def collatz(n):
    def step(n, steps):
        return torch.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

    start = torch.zeros((), dtype=torch.int64)
    return while_loop(lambda n, steps: n != 1, step, (n, start))[1]


def make_collatz(n):
    compiled = torch.compile(collatz)
    n = torch.tensor(n)
    return lambda: compiled(n)


def mandelbrot(c_re, c_im):
    def some_inside(re, im, counts, n):
        return torch.any(re * re + im * im <= 4.0) & (n < loops.LIMIT)

    def step(re, im, counts, n):
        inside = re * re + im * im <= 4.0
        moved_re = torch.where(inside, re * re - im * im + c_re, re)
        moved_im = torch.where(inside, 2.0 * re * im + c_im, im)
        return moved_re, moved_im, counts + inside, n + 1

    zeros = torch.zeros_like(c_re)
    counts = torch.zeros(c_re.shape, dtype=torch.int64)
    start = zeros, zeros.clone(), counts, torch.zeros((), dtype=torch.int64)
    return while_loop(some_inside, step, start)[2]


def make_newton_gradient(a):
    """torch's while_loop has no forward mode, and compiles no reverse mode."""

    @torch.compile
    def step(x, a):
        active = torch.abs(x * x - a) > 1e-10 * a
        return torch.where(active, 0.5 * (x + a / x), x), active.any()

    start = torch.as_tensor(a, dtype=torch.float64)

    def call():
        a = start.clone().requires_grad_()
        x, rough = step(a, a)
        while rough:
            x, rough = step(x, a)
        return torch.autograd.grad(x.sum(), a)[0]

    return call


def leapfrog(q, v, masses, end, dt):
    def accelerations(q):
        d = q[None, :, :] - q[:, None, :]
        squared = torch.sum(d * d, dim=2) + torch.eye(3, dtype=q.dtype)
        return torch.sum((masses / (squared * torch.sqrt(squared)))[:, :, None] * d, dim=1)

    def step(t, q, v, a):
        v = v + 0.5 * dt * a
        q = q + dt * v
        a = accelerations(q)
        return t + dt, q, v + 0.5 * dt * a, a

    start = torch.zeros((), dtype=q.dtype), q.clone(), v.clone(), accelerations(q)
    return while_loop(lambda t, q, v, a: t < end, step, start)[1:3]


def sine_of_first(tree):
    return torch.sin(tree["layers"][0])


MAKERS = {
    "selu": _maker(selu),
    "columns": _maker(normalized_columns),
    "cross_entropy": _maker(grad(F.cross_entropy)),
    "black_scholes": _maker(black_scholes),
    "layer_norm": _maker(layer_norm),
    "layer_norm_gradient": _maker(grad(weighted_layer_norm, argnums=(0, 1, 2))),
    "perceptron": _maker(training_step),
    "convolution": _maker(convolution),
    "convolution_gradient": _maker(grad(convolution_loss, argnums=(0, 1))),
    "rnn": _maker(grad(rnn_loss)),
    "transformer": _maker(transformer),
    "transformer_gradient": _maker(transformer_gradient),
    "collatz": make_collatz,
    "mandelbrot": _maker(mandelbrot),
    "newton": make_newton_gradient,
    "newton_lanes": make_newton_gradient,
    "three_bodies": _maker(leapfrog),
    "call": _maker(torch.sin),
    "nested_call": _maker(sine_of_first),
}
