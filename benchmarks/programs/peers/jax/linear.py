"""Linear algebra and stencils with JAX."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from benchmarks.beside.rebound import rebound
from benchmarks.programs.linear import horizontal_diffusion
from benchmarks.programs.peers.jax.maker import maker

_PRODUCT = "matrix products in the place of loops"
NOTES = dict.fromkeys(("gemm", "gemver", "trmm", "symm"), _PRODUCT) | {
    "cholesky": "the library's function",
    "lu": "whole remaining matrices, without the loops over rows and columns",
    "durbin": "whole vectors with a mask",
    "gram_schmidt": "all remaining columns at once, with a mask",
    "seidel": "a scan along each row",
}


def gemm(alpha, beta, a, b, c):
    return alpha * a @ b + beta * c


def gemver(alpha, beta, a, u1, v1, u2, v2, y, z):
    a = a + jnp.outer(u1, v1) + jnp.outer(u2, v2)
    x = z + beta * (a.T @ y)
    return a, x, alpha * (a @ x)


def trmm(alpha, a, b):
    return alpha * (b + jnp.tril(a, -1).T @ b)


def symm(alpha, beta, a, b, c):
    low = jnp.tril(a, -1)
    whole = low + low.T + jnp.diag(jnp.diag(a))
    return beta * c + alpha * (whole @ b)


def lu(a):
    places = jnp.arange(len(a))

    def step(k, a):
        below = places > k
        column = jnp.where(below, a[:, k] / a[k, k], a[:, k])
        a = a.at[:, k].set(column)
        return a - jnp.where(below[:, None] & below, jnp.outer(column, a[k]), 0.0)

    return lax.fori_loop(0, len(a) - 1, step, a)


def cholesky(a):
    return jnp.linalg.cholesky(a, symmetrize_input=False)


def durbin(r):
    n = len(r)
    places = jnp.arange(n)

    def step(k, state):
        y, alpha, beta = state
        beta = beta * (1.0 - alpha * alpha)
        backwards = jnp.roll(y[::-1], k)  # the first k elements are those of y, reversed
        inside = places < k
        alpha = -(r[k] + jnp.sum(jnp.where(inside, r * backwards, 0.0))) / beta
        y = jnp.where(inside, y + alpha * backwards, y).at[k].set(alpha)
        return y, alpha, beta

    start = jnp.zeros_like(r).at[0].set(-r[0])
    return lax.fori_loop(1, n, step, (start, -r[0], jnp.ones_like(r[0])))[0]


def gram_schmidt(a):
    columns = a.shape[1]

    def step(k, state):
        a, q, r = state
        length = jnp.sqrt(jnp.sum(a[:, k] ** 2))
        direction = a[:, k] / length
        row = jnp.where(jnp.arange(columns) > k, direction @ a, 0.0)
        a = a - jnp.outer(direction, row)
        return a, q.at[:, k].set(direction), r.at[k].set(row.at[k].set(length))

    start = a, jnp.zeros_like(a), jnp.zeros((columns, columns))
    return lax.fori_loop(0, columns, step, start)[1:]


def jacobi_2d(steps, a):
    def mean(a):
        near = a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        return a.at[1:-1, 1:-1].set(0.2 * near)

    return lax.fori_loop(0, steps, lambda _, a: mean(mean(a)), a)


def heat_3d(steps, u):
    def step(_, u):
        inner = u[1:-1, 1:-1, 1:-1]
        change = (
            0.125 * (u[2:, 1:-1, 1:-1] - 2.0 * inner + u[:-2, 1:-1, 1:-1])
            + 0.125 * (u[1:-1, 2:, 1:-1] - 2.0 * inner + u[1:-1, :-2, 1:-1])
            + 0.125 * (u[1:-1, 1:-1, 2:] - 2.0 * inner + u[1:-1, 1:-1, :-2])
        )
        return u.at[1:-1, 1:-1, 1:-1].add(change)

    return lax.fori_loop(0, steps, step, u)


def seidel(sweeps, a):
    def element(left, others):
        value = (left + others) / 9.0
        return value, value

    def row(above, rows):
        here, below = rows
        others = (
            (above[:-2] + above[1:-1] + above[2:])
            + (here[1:-1] + here[2:])
            + (below[:-2] + below[1:-1] + below[2:])
        )
        _, values = lax.scan(element, here[0], others)
        new = here.at[1:-1].set(values)
        return new, new

    def sweep(_, a):
        _, rows = lax.scan(row, a[0], (a[1:-1], a[2:]))
        return a.at[1:-1].set(rows)

    return lax.fori_loop(0, sweeps, sweep, a)


def fdtd(ex, ey, hz, source):
    def step(state, value):
        ex, ey, hz = state
        ey = ey.at[0].set(value)
        ey = ey.at[1:].add(-0.5 * (hz[1:] - hz[:-1]))
        ex = ex.at[:, 1:].add(-0.5 * (hz[:, 1:] - hz[:, :-1]))
        curl = ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]
        return (ex, ey, hz.at[:-1, :-1].add(-0.7 * curl)), None

    return lax.scan(step, (ex, ey, hz), source)[0]


def _implicit(before, explicit, edges):
    """Thomas's algorithm along the first axis of the inside of ``before``; ``edges`` are the first
    and last row."""
    mu = 0.4

    def forward(state, right):
        p, q = state
        p = mu / (1.0 + 2.0 * mu - mu * p)
        q = (right + mu * q) * p / mu
        return (p, q), (p, q)

    def backward(value, factors):
        p, q = factors
        value = p * value + q
        return value, value

    first, last = edges
    _, factors = lax.scan(forward, (jnp.zeros_like(first), first), explicit)
    _, inside = lax.scan(backward, last, factors, reverse=True)
    return before.at[1:-1, 1:-1].set(inside)


def adi(steps, u):
    mu = 0.4

    def step(_, state):
        u, v = state
        explicit = mu * (u[2:, 1:-1] + u[:-2, 1:-1]) + (1.0 - 2.0 * mu) * u[1:-1, 1:-1]
        v = _implicit(v.T, explicit.T, (u[1:-1, 0], v[1:-1, -1])).T
        explicit = mu * (v[1:-1, 2:] + v[1:-1, :-2]) + (1.0 - 2.0 * mu) * v[1:-1, 1:-1]
        return _implicit(u, explicit, (v[0, 1:-1], u[-1, 1:-1])), v

    return lax.fori_loop(0, steps, step, (u, u))[0]


def vertical_advection(wind, field, dt):
    speed = jnp.moveaxis(0.25 * (wind[:-1] + wind[1:]) * dt, 2, 0)
    high = speed.at[-1].set(0.0)
    low = -speed.at[0].set(0.0)

    def forward(state, level):
        upper, right = state
        low, high, value = level
        pivot = 1.0 - low * upper
        state = high / pivot, (value - low * right) / pivot
        return state, state

    def backward(value, factors):
        upper, right = factors
        value = right - upper * value
        return value, value

    zeros = jnp.zeros(field.shape[:2])
    _, factors = lax.scan(forward, (zeros, zeros), (low, high, jnp.moveaxis(field, 2, 0)))
    _, out = lax.scan(backward, zeros, factors, reverse=True)
    return jnp.moveaxis(out, 0, 2)


MAKERS = {
    "gemm": maker(gemm),
    "gemver": maker(gemver),
    "trmm": maker(trmm),
    "symm": maker(symm),
    "lu": maker(lu),
    "cholesky": maker(cholesky),
    "durbin": maker(durbin),
    "gram_schmidt": maker(gram_schmidt),
    "jacobi_2d": maker(jacobi_2d),
    "heat_3d": maker(heat_3d),
    "seidel": maker(seidel),
    "fdtd": maker(fdtd),
    "adi": maker(adi),
    "horizontal_diffusion": maker(rebound(horizontal_diffusion, np=jnp)),
    "vertical_advection": maker(vertical_advection),
}
