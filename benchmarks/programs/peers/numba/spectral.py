"""Spectra, complex numbers, statistics and physics with numba."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit, prange

from benchmarks.programs import spectral
from benchmarks.programs.peers.numba.maker import RELAXED, maker

NOTES = {
    "self_energies": "products of 3 x 3 by loops, which calls of BLAS are slower than",
    "korteweg_de_vries": "no Fourier transforms: what is between NumPy's is compiled",
}


def fft(x):
    n = len(x)
    bits = 0
    while 2**bits < n:
        bits += 1
    places = np.arange(n)
    reverse = np.zeros(n, dtype=np.int64)
    for _ in range(bits):
        reverse = 2 * reverse + places % 2
        places = places // 2
    y = x[reverse]
    half = 1
    while half < n:
        twiddle = np.exp(-1j * np.pi * np.arange(half) / half)
        for start in range(0, n, 2 * half):
            for j in range(half):
                even, odd = y[start + j], y[start + half + j] * twiddle[j]
                y[start + j] = even + odd
                y[start + half + j] = even - odd
        half *= 2
    return y


def fourier_sum(x):
    n = len(x)
    y = np.zeros(n, dtype=np.complex128)
    for k in prange(n):
        total = 0j
        for j in range(n):
            total += x[j] * np.exp(-2j * np.pi * k * j / n)
        y[k] = total
    return y


def contour_integral(matrices, probe, points, radius):
    first = np.zeros(probe.shape, dtype=np.complex128)
    second = np.zeros(probe.shape, dtype=np.complex128)
    for z in points:
        polynomial = np.zeros((matrices.shape[1], matrices.shape[2]), dtype=np.complex128)
        for k in range(len(matrices)):
            polynomial += z**k * matrices[k]
        solution = np.linalg.solve(polynomial, probe)
        if abs(z) < radius:
            solution = -solution
        first += solution
        second += z * solution
    return first, second


def correlation(data):
    rows, columns = data.shape
    mean, deviation = np.zeros(columns), np.zeros(columns)
    for j in range(columns):
        mean[j] = np.mean(data[:, j])
        deviation[j] = np.std(data[:, j])
        if deviation[j] <= 0.1:
            deviation[j] = 1.0
    normal = np.ascontiguousarray(((data - mean) / (np.sqrt(rows) * deviation)).T)
    matrix = np.eye(columns)
    for i in prange(columns - 1):
        for j in range(i + 1, columns):
            total = 0.0
            for k in range(rows):
                total += normal[i, k] * normal[j, k]
            matrix[i, j] = total
            matrix[j, i] = total
    return matrix


def covariance(data):
    columns = data.shape[1]
    mean = np.zeros(columns)
    for j in range(columns):
        mean[j] = np.mean(data[:, j])
    data = np.ascontiguousarray((data - mean).T)
    matrix = np.zeros((columns, columns))
    for i in range(columns):
        matrix[i:, i] = data[i:] @ data[i] / (data.shape[1] - 1.0)
        matrix[i, i:] = matrix[i:, i]
    return matrix


def self_energies(neighbours, couplings, electrons, phonons):
    out = np.zeros_like(electrons)
    momenta, energies, atoms = electrons.shape[:3]
    for ke in prange(momenta * energies):
        k, e = ke // energies, ke % energies
        left = np.empty((3, 3), dtype=np.complex128)
        for q in range(phonons.shape[0]):
            for w in range(min(phonons.shape[1], e + 1)):
                for a in range(atoms):
                    for b in range(neighbours.shape[1]):
                        other = electrons[k - q, e - w, neighbours[a, b]]
                        coupling, phonon = couplings[a, b], phonons[q, w, a, b]
                        for i in range(3):
                            for j in range(3):
                                total = 0j
                                for m in range(3):
                                    total += coupling[i, m] * other[m, j]
                                left[i, j] = total * phonon
                        for i in range(3):
                            for j in range(3):
                                for m in range(3):
                                    out[k, e, a, i, j] += left[i, m] * coupling[m, j]
    return out


pressure = njit(fastmath=RELAXED)(spectral.pressure)
divergence = njit(fastmath=RELAXED)(spectral.divergence)
advance = njit(fastmath=RELAXED)(spectral.advance)


def cavity_flow(u, v, p, steps, dt, viscosity):
    u, v, p = u.copy(), v.copy(), p.copy()
    dx = dy = 2.0 / (len(u) - 1)
    source = np.zeros_like(p)
    for _ in range(steps):
        source[1:-1, 1:-1] = divergence(u, v, dt, dx, dy)
        p = pressure(p, source, 20, dx, dy)
        old_u, old_v = u.copy(), v.copy()
        push = dt / (2.0 * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
        u[1:-1, 1:-1] = advance(old_u, old_u, old_v, dt, dx, dy, viscosity) - push
        push = dt / (2.0 * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
        v[1:-1, 1:-1] = advance(old_v, old_u, old_v, dt, dx, dy, viscosity) - push
        u[0, :] = 0.0
        u[:, 0] = 0.0
        u[:, -1] = 0.0
        u[-1, :] = 1.0
        v[0, :] = 0.0
        v[-1, :] = 0.0
        v[:, 0] = 0.0
        v[:, -1] = 0.0
    return u, v, p


def channel_flow(u, tolerance, dt, viscosity):
    u = u.copy()
    dx = 2.0 / (len(u) - 1)
    change = 1.0
    steps = 0
    while change > tolerance and steps < 200:
        old = u.copy()
        u[1:-1, 1:-1] = advance(old, old, np.zeros_like(old), dt, dx, dx, viscosity) + dt
        right = viscosity * dt / dx**2 * (old[1:-1, 0] - 2.0 * old[1:-1, -1] + old[1:-1, -2])
        u[1:-1, -1] = old[1:-1, -1] + right + dt
        left = viscosity * dt / dx**2 * (old[1:-1, 1] - 2.0 * old[1:-1, 0] + old[1:-1, -1])
        u[1:-1, 0] = old[1:-1, 0] + left + dt
        u[0, :] = 0.0
        u[-1, :] = 0.0
        change = (np.sum(u) - np.sum(old)) / np.sum(u)
        steps += 1
    return u, steps


def azimuthal_integration(image, radii, rings):
    low, high = np.min(radii), np.max(radii)
    edges = np.linspace(low, high, rings + 1)
    sums, counts = np.zeros(rings), np.zeros(rings)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            ring = min(np.searchsorted(edges, radii[i, j], side="right") - 1, rings - 1)
            sums[ring] += image[i, j]
            counts[ring] += 1
    return sums / counts


def newton_fractal(xs, ys, limit):
    roots = np.exp(2j * np.pi * np.arange(3) / 3)
    nearest = np.zeros((len(ys), len(xs)), dtype=np.int64)
    trips = np.zeros((len(ys), len(xs)), dtype=np.int64)
    for i in prange(len(ys)):
        for j in range(len(xs)):
            z = complex(xs[j], ys[i])
            for _ in range(limit):
                if abs(z**3 - 1.0) > 1e-8:
                    z = z - (z**3 - 1.0) / (3.0 * z**2)
                    trips[i, j] += 1
                else:
                    break
            for k in range(1, 3):
                if abs(z - roots[k]) < abs(z - roots[nearest[i, j]]):
                    nearest[i, j] = k
    return nearest, trips


def _combine(a, b, c, d, factor, v):
    return factor**2 * v + (factor**2 * a + 2.0 * factor * (b + c) + d) / 6.0


def korteweg_de_vries(u, dt, steps) -> Callable:
    n = len(u)
    k = np.fft.fftfreq(n, 1.0 / n)
    factor = np.exp(0.5j * dt * k**3)
    combine = njit(fastmath=RELAXED)(_combine)
    scaled = njit(fastmath=RELAXED)(lambda v: -0.5j * dt * k * v)

    def slope(v):
        return scaled(np.fft.fft(np.real(np.fft.ifft(v)) ** 2))

    def run():
        v = np.fft.fft(u)
        for _ in range(steps):
            a = slope(v)
            b = slope(factor * (v + a / 2.0))
            c = slope(factor * v + b / 2.0)
            d = slope(factor**2 * v + factor * c)
            v = combine(a, b, c, d, factor, v)
        return np.real(np.fft.ifft(v))

    return run


MAKERS = {
    "fft": maker(fft),
    "stockham": maker(spectral.stockham),
    "fourier_sum": maker(fourier_sum, parallel=True),
    "contour_integral": maker(contour_integral),
    "correlation": maker(correlation, parallel=True),
    "covariance": maker(covariance),
    "self_energies": maker(self_energies, parallel=True),
    "cavity_flow": maker(cavity_flow),
    "channel_flow": maker(channel_flow),
    "crank_nicolson": maker(spectral.crank_nicolson),
    "azimuthal_integration": maker(azimuthal_integration),
    "diagonal_tanh": maker(spectral.diagonal_tanh),
    "clipped": maker(spectral.clipped, parallel=True),
    "newton_fractal": maker(newton_fractal, parallel=True),
    "korteweg_de_vries": korteweg_de_vries,
}
