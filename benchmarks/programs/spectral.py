"""Spectra, complex numbers, statistics and physics."""

from __future__ import annotations

import numpy as np

from benchmarks.programs.program import Program


def fft(x):
    """Radix 2: butterflies of growing width, after a permutation."""
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
        pairs = y.reshape(n // (2 * half), 2, half)
        even, odd = pairs[:, 0], pairs[:, 1] * twiddle
        y = np.stack((even + odd, even - odd), axis=1).reshape(n)
        half *= 2
    return y


def signal(n):
    rng = np.random.default_rng(1)
    return (rng.normal(size=n) + 1j * rng.normal(size=n),)


def stockham(x):
    """Radix 2 without a permutation: element by element, between two arrays."""
    n = len(x)
    a = x.copy()
    b = np.zeros_like(a)
    length, stride = n // 2, 1
    while length >= 1:
        for p in range(length):
            w = np.exp(-1j * np.pi * p / length)
            for q in range(stride):
                one = a[q + stride * p]
                other = a[q + stride * (p + length)]
                b[q + stride * 2 * p] = one + other
                b[q + stride * (2 * p + 1)] = (one - other) * w
        a, b = b, a
        length //= 2
        stride *= 2
    return a


def fourier_sum(x):
    """The transform as its definition says, one frequency after the other."""
    n = len(x)
    y = np.zeros(n, dtype=np.complex128)
    for k in range(n):
        y[k] = np.sum(x * np.exp(-2j * np.pi * k * np.arange(n) / n))
    return y


def contour_integral(matrices, probe, points, radius):
    """Moments of the inverse of a polynomial of matrices, integrated along a circle."""
    first = np.zeros(probe.shape, dtype=np.complex128)
    second = np.zeros(probe.shape, dtype=np.complex128)
    for z in points:
        polynomial = np.zeros(matrices.shape[1:], dtype=np.complex128)
        for k in range(len(matrices)):
            polynomial += z**k * matrices[k]
        solution = np.linalg.solve(polynomial, probe)
        if abs(z) < radius:
            solution = -solution
        first += solution
        second += z * solution
    return first, second


def contour_arguments(n):
    rng = np.random.default_rng(2)
    matrices = rng.normal(size=(3, n, n)) + 1j * rng.normal(size=(3, n, n))
    probe = rng.normal(size=(n, n // 2)) + 0j
    angles = 2.0 * np.pi * (np.arange(16) + 0.5) / 16
    points = np.concatenate((2.0 * np.exp(1j * angles), 0.5 * np.exp(1j * angles)))
    return matrices, probe, points, 1.0


def correlation(data):
    mean = np.mean(data, axis=0)
    deviation = np.std(data, axis=0)
    deviation[deviation <= 0.1] = 1.0
    data = (data - mean) / (np.sqrt(len(data)) * deviation)
    columns = data.shape[1]
    matrix = np.eye(columns)
    for i in range(columns - 1):
        for j in range(i + 1, columns):
            matrix[i, j] = np.sum(data[:, i] * data[:, j])
            matrix[j, i] = matrix[i, j]
    return matrix


def observations(n):
    return (np.random.default_rng(3).normal(size=(n + 50, n)),)


def covariance(data):
    data = data - np.mean(data, axis=0)
    columns = data.shape[1]
    matrix = np.zeros((columns, columns))
    for i in range(columns):
        matrix[i:, i] = data[:, i] @ data[:, i:] / (len(data) - 1.0)
        matrix[i, i:] = matrix[i:, i]
    return matrix


def self_energies(neighbours, couplings, electrons, phonons):
    """Sums of products of small complex matrices, over momenta, energies and neighbours."""
    out = np.zeros_like(electrons)
    momenta, energies, atoms = electrons.shape[:3]
    shifts = phonons.shape[1]
    for k in range(momenta):
        for e in range(energies):
            for q in range(phonons.shape[0]):
                for w in range(shifts):
                    for a in range(atoms):
                        for b in range(neighbours.shape[1]):
                            if e - w >= 0:
                                other = electrons[k - q, e - w, neighbours[a, b]]
                                coupling = couplings[a, b]
                                left = coupling @ other * phonons[q, w, a, b]
                                out[k, e, a] += left @ coupling
    return out


def self_energies_arguments(n):
    rng = np.random.default_rng(4)

    def draw(*shape):
        return rng.normal(size=shape) + 1j * rng.normal(size=shape)

    neighbours = rng.integers(0, n, (n, 4))
    return neighbours, draw(n, 4, 3, 3), draw(2, 6, n, 3, 3), draw(2, 3, n, 4)


def pressure(p, source, sweeps, dx, dy):
    for _ in range(sweeps):
        old = p.copy()
        p[1:-1, 1:-1] = (
            (old[1:-1, 2:] + old[1:-1, :-2]) * dy**2
            + (old[2:, 1:-1] + old[:-2, 1:-1]) * dx**2
            - dx**2 * dy**2 * source[1:-1, 1:-1]
        ) / (2.0 * (dx**2 + dy**2))
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0.0
    return p


def divergence(u, v, dt, dx, dy):
    ux = (u[1:-1, 2:] - u[1:-1, :-2]) / (2.0 * dx)
    uy = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2.0 * dy)
    vx = (v[1:-1, 2:] - v[1:-1, :-2]) / (2.0 * dx)
    vy = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2.0 * dy)
    return (ux + vy) / dt - ux**2 - 2.0 * uy * vx - vy**2


def advance(field, u, v, dt, dx, dy, viscosity):
    """What a step of convection and diffusion makes of the inside of a field."""
    here = field[1:-1, 1:-1]
    left, right = field[1:-1, :-2], field[1:-1, 2:]
    below, above = field[:-2, 1:-1], field[2:, 1:-1]
    return (
        here
        - u[1:-1, 1:-1] * dt / dx * (here - left)
        - v[1:-1, 1:-1] * dt / dy * (here - below)
        + viscosity * dt / dx**2 * (right - 2.0 * here + left)
        + viscosity * dt / dy**2 * (above - 2.0 * here + below)
    )


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
        u[0, :] = u[:, 0] = u[:, -1] = 0.0
        u[-1, :] = 1.0
        v[0, :] = v[-1, :] = v[:, 0] = v[:, -1] = 0.0
    return u, v, p


def cavity_arguments(n):
    rng = np.random.default_rng(5)
    return *(0.1 * rng.random((3, n, n))), 10, 0.001, 0.1


def channel_flow(u, tolerance, dt, viscosity):
    """Flow between two walls, periodic along x, until it changes no more."""
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
        u[0, :] = u[-1, :] = 0.0
        change = (np.sum(u) - np.sum(old)) / np.sum(u)
        steps += 1
    return u, steps


def channel_arguments(n):
    return np.zeros((n, n)), 0.006, 0.002, 0.1


def crank_nicolson(u, steps, ratio):
    """The heat equation, whose tridiagonal systems are solved by elimination."""
    u = u.copy()
    n = len(u)
    for _ in range(steps):
        right = u.copy()
        for i in range(1, n - 1):
            right[i] = u[i] + 0.5 * ratio * (u[i + 1] - 2.0 * u[i] + u[i - 1])
        upper = np.zeros(n)
        for i in range(1, n - 1):
            pivot = 1.0 + ratio + 0.5 * ratio * upper[i - 1]
            upper[i] = -0.5 * ratio / pivot
            right[i] = (right[i] + 0.5 * ratio * right[i - 1]) / pivot
        for i in range(n - 2, 0, -1):
            u[i] = right[i] - upper[i] * u[i + 1]
    return u


def rod(n):
    return np.sin(np.linspace(0.0, np.pi, n)) + np.linspace(0.0, 0.5, n), 20, 0.8


def azimuthal_integration(image, radii, rings):
    """The mean of an image in each ring around its centre."""
    low, high = np.min(radii), np.max(radii)
    edges = np.linspace(low, high, rings + 1)
    means = np.zeros(rings)
    for k in range(rings):
        if k < rings - 1:
            inside = (radii >= edges[k]) & (radii < edges[k + 1])
        else:
            inside = (radii >= edges[k]) & (radii <= edges[k + 1])
        means[k] = np.mean(image[inside])
    return means


def image_arguments(n):
    rng = np.random.default_rng(6)
    x = np.linspace(-1.0, 1.0, n)
    return rng.random((n, n)), np.sqrt(x**2 + x[:, None] ** 2), 40


def diagonal_tanh(a):
    trace = 0.0
    for i in range(len(a)):
        trace += np.tanh(a[i, i])
    return a + trace


def square(n):
    return (np.random.default_rng(7).random((n, n)),)


def clipped(first, second, a, b, c):
    return np.clip(first, 2, 10) * a + second * b + c


def integer_arrays(n):
    rng = np.random.default_rng(8)
    return *rng.integers(0, 1000, (2, n, n)), 4, 3, 9


def newton_fractal(xs, ys, limit):
    """Which root of z ** 3 - 1 Newton's method finds, and how soon."""
    z = xs + 1j * ys[:, None]
    trips = np.zeros(z.shape, dtype=np.int64)
    for _ in range(limit):
        moving = np.abs(z**3 - 1.0) > 1e-8
        trips += moving
        z = np.where(moving, z - (z**3 - 1.0) / (3.0 * z**2), z)
    roots = np.exp(2j * np.pi * np.arange(3) / 3)
    nearest = np.argmin(np.abs(z[..., None] - roots), axis=-1)
    return nearest, trips


def fractal_arguments(n):
    return np.linspace(-1.5, 1.4, n), np.linspace(-1.3, 1.6, n), 25


def korteweg_de_vries(u, dt, steps):
    """A pseudo-spectral method with an integrating factor and Runge-Kutta's steps."""
    n = len(u)
    k = np.fft.fftfreq(n, 1.0 / n)
    factor = np.exp(0.5j * dt * k**3)

    def slope(v):
        wave = np.real(np.fft.ifft(v))
        return -0.5j * k * np.fft.fft(wave**2)

    v = np.fft.fft(u)
    for _ in range(steps):
        a = dt * slope(v)
        b = dt * slope(factor * (v + a / 2.0))
        c = dt * slope(factor * v + b / 2.0)
        d = dt * slope(factor**2 * v + factor * c)
        v = factor**2 * v + (factor**2 * a + 2.0 * factor * (b + c) + d) / 6.0
    return np.real(np.fft.ifft(v))


def wave(n):
    x = 2.0 * np.pi * np.arange(n) / n
    return np.cos(x) + 0.2 * np.sin(3.0 * x), 1e-5, 50


PROGRAMS = {
    "fft": Program("FFT, arrays, 2^15", fft, signal, 2**15, 16),
    "stockham": Program("FFT, Stockham, elements, 2^12", stockham, signal, 2**12, 8),
    "fourier_sum": Program("Fourier sums, 300", fourier_sum, signal, 300, 7),
    "contour_integral": Program(
        "contour integral, 32 systems of 40", contour_integral, contour_arguments, 40, 4
    ),
    "correlation": Program("correlation, pairs, 170 x 120", correlation, observations, 120, 7),
    "covariance": Program("covariance, rows, 250 x 200", covariance, observations, 200, 7),
    "self_energies": Program(
        "self energies, 3 x 3, 12 atoms", self_energies, self_energies_arguments, 12, 3
    ),
    "cavity_flow": Program("cavity flow, 61 x 61, 10 steps", cavity_flow, cavity_arguments, 61, 7),
    "channel_flow": Program("channel flow, 61 x 61", channel_flow, channel_arguments, 61, 7),
    "crank_nicolson": Program("Crank-Nicolson, 1000, 20 steps", crank_nicolson, rod, 1000, 8),
    "azimuthal_integration": Program(
        "azimuthal integration, 200 x 200, 40", azimuthal_integration, image_arguments, 200, 60
    ),
    "diagonal_tanh": Program("trace of tanh, added, 600", diagonal_tanh, square, 600, 5),
    "clipped": Program("clip and sum, integers, 600 x 600", clipped, integer_arrays, 600, 5),
    "newton_fractal": Program(
        "Newton fractal, complex, 100 x 100", newton_fractal, fractal_arguments, 100, 9
    ),
    "korteweg_de_vries": Program(
        "Korteweg-de Vries, FFT, 256, 50 steps", korteweg_de_vries, wave, 256, 16
    ),
}
