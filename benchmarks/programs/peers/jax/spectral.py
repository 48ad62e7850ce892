"""Spectra, complex numbers, statistics and physics with JAX."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax, vmap

from benchmarks.beside.rebound import rebound
from benchmarks.programs import spectral
from benchmarks.programs.peers.jax.maker import maker

NOTES = {
    "stockham": "whole arrays of each width",
    "fourier_sum": "all frequencies at once",
    "contour_integral": "all points at once",
    "correlation": "a matrix product",
    "covariance": "a matrix product",
    "self_energies": "sums of products over all atoms at once (einsum)",
    "azimuthal_integration": "sums by `at[].add` at the ring of each pixel",
}

advance = rebound(spectral.advance, np=jnp)
divergence = rebound(spectral.divergence, np=jnp)


def fft(x):
    n = len(x)
    bits = n.bit_length() - 1
    places = jnp.arange(n)
    reverse = jnp.zeros(n, dtype=jnp.int64)
    for _ in range(bits):
        reverse, places = 2 * reverse + places % 2, places // 2
    y = x[reverse]
    half = 1
    while half < n:
        twiddle = jnp.exp(-1j * jnp.pi * jnp.arange(half) / half)
        pairs = y.reshape(n // (2 * half), 2, half)
        even, odd = pairs[:, 0], pairs[:, 1] * twiddle
        y = jnp.stack((even + odd, even - odd), axis=1).reshape(n)
        half *= 2
    return y


def stockham(x):
    n = len(x)
    length, stride = n // 2, 1
    while length >= 1:
        w = jnp.exp(-1j * jnp.pi * jnp.arange(length) / length)[:, None]
        one, other = x.reshape(2, length, stride)
        x = jnp.stack((one + other, (one - other) * w), axis=1).reshape(n)
        length //= 2
        stride *= 2
    return x


def fourier_sum(x):
    places = jnp.arange(len(x))
    return jnp.exp(-2j * jnp.pi * places[:, None] * places / len(x)) @ x


def contour_integral(matrices, probe, points, radius):
    def moment(z):
        polynomial = jnp.tensordot(z ** jnp.arange(len(matrices)), matrices, 1)
        solution = jnp.linalg.solve(polynomial, probe)
        return jnp.where(jnp.abs(z) < radius, -solution, solution)

    solutions = vmap(moment)(points)
    return jnp.sum(solutions, axis=0), jnp.tensordot(points, solutions, 1)


def correlation(data):
    mean, deviation = jnp.mean(data, axis=0), jnp.std(data, axis=0)
    deviation = jnp.where(deviation <= 0.1, 1.0, deviation)
    data = (data - mean) / (jnp.sqrt(len(data)) * deviation)
    return jnp.fill_diagonal(data.T @ data, 1.0, inplace=False)


def covariance(data):
    data = data - jnp.mean(data, axis=0)
    return data.T @ data / (len(data) - 1.0)


def self_energies(neighbours, couplings, electrons, phonons):
    out = jnp.zeros_like(electrons)
    for q in range(phonons.shape[0]):
        turned = jnp.roll(electrons, q, axis=0)
        for w in range(phonons.shape[1]):
            others = turned[:, : electrons.shape[1] - w, neighbours]
            terms = jnp.einsum(
                "abij,keabjl,ab,ablm->keaim", couplings, others, phonons[q, w], couplings
            )
            out = out.at[:, w:].add(terms)
    return out


def pressure(p, source, sweeps, dx, dy):
    def sweep(_, p):
        inside = (
            (p[1:-1, 2:] + p[1:-1, :-2]) * dy**2
            + (p[2:, 1:-1] + p[:-2, 1:-1]) * dx**2
            - dx**2 * dy**2 * source
        ) / (2.0 * (dx**2 + dy**2))
        p = p.at[1:-1, 1:-1].set(inside)
        p = p.at[:, -1].set(p[:, -2])
        p = p.at[0, :].set(p[1, :])
        p = p.at[:, 0].set(p[:, 1])
        return p.at[-1, :].set(0.0)

    return lax.fori_loop(0, sweeps, sweep, p)


def cavity_flow(u, v, p, steps, dt, viscosity):
    dx = dy = 2.0 / (len(u) - 1)

    def step(_, state):
        u, v, p = state
        p = pressure(p, divergence(u, v, dt, dx, dy), 20, dx, dy)
        push = dt / (2.0 * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
        new_u = jnp.pad(advance(u, u, v, dt, dx, dy, viscosity) - push, 1).at[-1].set(1.0)
        push = dt / (2.0 * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
        new_v = jnp.pad(advance(v, u, v, dt, dx, dy, viscosity) - push, 1)
        return new_u, new_v, p

    return lax.fori_loop(0, steps, step, (u, v, p))


def channel_flow(u, tolerance, dt, viscosity):
    dx = 2.0 / (len(u) - 1)

    def step(state):
        u, _, steps = state
        inside = advance(u, u, jnp.zeros_like(u), dt, dx, dx, viscosity) + dt
        right = viscosity * dt / dx**2 * (u[1:-1, 0] - 2.0 * u[1:-1, -1] + u[1:-1, -2])
        left = viscosity * dt / dx**2 * (u[1:-1, 1] - 2.0 * u[1:-1, 0] + u[1:-1, -1])
        new = jnp.zeros_like(u).at[1:-1, 1:-1].set(inside)
        new = new.at[1:-1, -1].set(u[1:-1, -1] + right + dt)
        new = new.at[1:-1, 0].set(u[1:-1, 0] + left + dt)
        return new, (jnp.sum(new) - jnp.sum(u)) / jnp.sum(new), steps + 1

    def going(state):
        return (state[1] > tolerance) & (state[2] < 200)

    u, _, steps = lax.while_loop(going, step, (u, jnp.ones(()), 0))
    return u, steps


def crank_nicolson(u, steps, ratio):
    def forward(state, right):
        upper, before = state
        pivot = 1.0 + ratio + 0.5 * ratio * upper
        state = -0.5 * ratio / pivot, (right + 0.5 * ratio * before) / pivot
        return state, state

    def backward(after, factors):
        upper, right = factors
        value = right - upper * after
        return value, value

    def step(_, u):
        right = u[1:-1] + 0.5 * ratio * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        _, factors = lax.scan(forward, (jnp.zeros(()), u[0]), right)
        _, inside = lax.scan(backward, u[-1], factors, reverse=True)
        return u.at[1:-1].set(inside)

    return lax.fori_loop(0, steps, step, u)


def azimuthal_integration(image, radii, rings):
    edges = jnp.linspace(jnp.min(radii), jnp.max(radii), rings + 1)
    ring = jnp.searchsorted(edges, radii.ravel(), side="right") - 1
    ring = jnp.minimum(ring, rings - 1)
    sums = jnp.zeros(rings).at[ring].add(image.ravel())
    return sums / jnp.zeros(rings).at[ring].add(1.0)


def diagonal_tanh(a):
    return a + jnp.sum(jnp.tanh(jnp.diag(a)))


def newton_fractal(xs, ys, limit):
    z = xs + 1j * ys[:, None]

    def step(_, state):
        z, trips = state
        moving = jnp.abs(z**3 - 1.0) > 1e-8
        z = jnp.where(moving, z - (z**3 - 1.0) / (3.0 * z**2), z)
        return z, trips + moving

    z, trips = lax.fori_loop(0, limit, step, (z, jnp.zeros(z.shape, dtype=jnp.int64)))
    roots = jnp.exp(2j * jnp.pi * jnp.arange(3) / 3)
    return jnp.argmin(jnp.abs(z[..., None] - roots), axis=-1), trips


def korteweg_de_vries(u, dt, steps):
    n = len(u)
    k = jnp.fft.fftfreq(n, 1.0 / n)
    factor = jnp.exp(0.5j * dt * k**3)

    def slope(v):
        return -0.5j * k * jnp.fft.fft(jnp.real(jnp.fft.ifft(v)) ** 2)

    def step(_, v):
        a = dt * slope(v)
        b = dt * slope(factor * (v + a / 2.0))
        c = dt * slope(factor * v + b / 2.0)
        d = dt * slope(factor**2 * v + factor * c)
        return factor**2 * v + (factor**2 * a + 2.0 * factor * (b + c) + d) / 6.0

    return jnp.real(jnp.fft.ifft(lax.fori_loop(0, steps, step, jnp.fft.fft(u))))


MAKERS = {
    "fft": maker(fft),
    "stockham": maker(stockham),
    "fourier_sum": maker(fourier_sum),
    "contour_integral": maker(contour_integral),
    "correlation": maker(correlation),
    "covariance": maker(covariance),
    "self_energies": maker(self_energies),
    "cavity_flow": maker(cavity_flow),
    "channel_flow": maker(channel_flow),
    "crank_nicolson": maker(crank_nicolson),
    "azimuthal_integration": maker(azimuthal_integration, static=(2,)),
    "diagonal_tanh": maker(diagonal_tanh),
    "clipped": maker(rebound(spectral.clipped, np=jnp)),
    "newton_fractal": maker(newton_fractal),
    "korteweg_de_vries": maker(korteweg_de_vries),
}
