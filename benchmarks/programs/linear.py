"""Linear algebra and stencils, by loops and slices."""

from __future__ import annotations

import numpy as np

from benchmarks.programs.program import Program


def gemm(alpha, beta, a, b, c):
    out = beta * c
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            out[i] += alpha * a[i, k] * b[k]
    return out


def gemm_arguments(n):
    rng = np.random.default_rng(1)
    return 1.5, 1.2, rng.random((n, n + 10)), rng.random((n + 10, n - 5)), rng.random((n, n - 5))


def gemver(alpha, beta, a, u1, v1, u2, v2, y, z):
    n = len(y)
    a = a.copy()
    x = z.copy()
    w = np.zeros(n)
    for i in range(n):
        for j in range(n):
            a[i, j] += u1[i] * v1[j] + u2[i] * v2[j]
    for i in range(n):
        for j in range(n):
            x[i] += beta * a[j, i] * y[j]
    for i in range(n):
        for j in range(n):
            w[i] += alpha * a[i, j] * x[j]
    return a, x, w


def gemver_arguments(n):
    rng = np.random.default_rng(2)
    return 1.5, 1.2, rng.random((n, n)), *rng.random((6, n))


def trmm(alpha, a, b):
    out = b.copy()
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] += a[i + 1 :, i] @ out[i + 1 :, j]
            out[i, j] *= alpha
    return out


def trmm_arguments(n):
    rng = np.random.default_rng(3)
    return 1.5, rng.random((n, n)), rng.random((n, n - 2))


def symm(alpha, beta, a, b, c):
    out = c.copy()
    rows, columns = c.shape
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for k in range(i):
                out[k, j] += alpha * b[i, j] * a[i, k]
                total += b[k, j] * a[i, k]
            out[i, j] = beta * out[i, j] + alpha * b[i, j] * a[i, i] + alpha * total
    return out


def symm_arguments(n):
    rng = np.random.default_rng(4)
    return 1.5, 1.2, rng.random((n, n)), rng.random((n, n + 4)), rng.random((n, n + 4))


def lu(a):
    a = a.copy()
    n = len(a)
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def positive_definite(n):
    a = np.random.default_rng(5).random((n, n))
    return (a @ a.T + n * np.eye(n),)


def cholesky(a):
    low = np.zeros_like(a)
    for i in range(len(a)):
        for j in range(i):
            low[i, j] = (a[i, j] - low[i, :j] @ low[j, :j]) / low[j, j]
        low[i, i] = np.sqrt(a[i, i] - np.sum(low[i, :i] ** 2))
    return low


def durbin(r):
    y = np.zeros_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, len(r)):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(r[:k][::-1], y[:k])) / beta
        y[:k] += alpha * y[:k][::-1]
        y[k] = alpha
    return y


def durbin_arguments(n):
    return (0.5 ** np.arange(1, n + 1) * np.random.default_rng(6).random(n),)


def gram_schmidt(a):
    a = a.copy()
    columns = a.shape[1]
    q = np.zeros_like(a)
    r = np.zeros((columns, columns))
    for k in range(columns):
        r[k, k] = np.sqrt(np.sum(a[:, k] * a[:, k]))
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, columns):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q, r


def gram_schmidt_arguments(n):
    return (np.random.default_rng(7).random((n + 20, n)),)


def jacobi_2d(steps, a):
    a = a.copy()
    b = a.copy()
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.2 * (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        )
    return a


def jacobi_2d_arguments(n):
    return 40, np.random.default_rng(8).random((n, n))


def heat_3d(steps, u):
    u = u.copy()
    for _ in range(steps):
        inner = u[1:-1, 1:-1, 1:-1]
        change = (
            0.125 * (u[2:, 1:-1, 1:-1] - 2.0 * inner + u[:-2, 1:-1, 1:-1])
            + 0.125 * (u[1:-1, 2:, 1:-1] - 2.0 * inner + u[1:-1, :-2, 1:-1])
            + 0.125 * (u[1:-1, 1:-1, 2:] - 2.0 * inner + u[1:-1, 1:-1, :-2])
        )
        u[1:-1, 1:-1, 1:-1] = inner + change
    return u


def heat_3d_arguments(n):
    return 20, np.random.default_rng(9).random((n, n, n))


def seidel(sweeps, a):
    a = a.copy()
    n = len(a)
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                above = a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1]
                here = a[i, j - 1] + a[i, j] + a[i, j + 1]
                below = a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]
                a[i, j] = (above + here + below) / 9.0
    return a


def seidel_arguments(n):
    return 4, np.random.default_rng(10).random((n, n))


def fdtd(ex, ey, hz, source):
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    for t in range(len(source)):
        ey[0, :] = source[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return ex, ey, hz


def fdtd_arguments(n):
    rng = np.random.default_rng(11)
    return *rng.random((3, n, n + 10)), np.sin(0.1 * np.arange(40))


def adi(steps, u):
    """Alternating directions: implicit along one axis, explicit along the other."""
    u = u.copy()
    n = len(u)
    mu = 0.4
    p = np.zeros((n, n))
    q = np.zeros((n, n))
    v = u.copy()
    for _ in range(steps):
        p[:, 0], q[:, 0] = 0.0, u[:, 0]
        for j in range(1, n - 1):
            p[1:-1, j] = mu / (1.0 + 2.0 * mu - mu * p[1:-1, j - 1])
            explicit = mu * (u[2:, j] + u[:-2, j]) + (1.0 - 2.0 * mu) * u[1:-1, j]
            q[1:-1, j] = (explicit + mu * q[1:-1, j - 1]) * p[1:-1, j] / mu
        for j in range(n - 2, 0, -1):
            v[1:-1, j] = p[1:-1, j] * v[1:-1, j + 1] + q[1:-1, j]
        p[0, :], q[0, :] = 0.0, v[0, :]
        for i in range(1, n - 1):
            p[i, 1:-1] = mu / (1.0 + 2.0 * mu - mu * p[i - 1, 1:-1])
            explicit = mu * (v[i, 2:] + v[i, :-2]) + (1.0 - 2.0 * mu) * v[i, 1:-1]
            q[i, 1:-1] = (explicit + mu * q[i - 1, 1:-1]) * p[i, 1:-1] / mu
        for i in range(n - 2, 0, -1):
            u[i, 1:-1] = p[i, 1:-1] * u[i + 1, 1:-1] + q[i, 1:-1]
    return u


def adi_arguments(n):
    return 6, np.random.default_rng(12).random((n, n))


def horizontal_diffusion(field, weight):
    """A Laplacian's fluxes, without those that would make an extremum larger."""
    laplacian = 4.0 * field[1:-1, 1:-1] - (
        field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2]
    )
    along = laplacian[1:, 1:-1] - laplacian[:-1, 1:-1]
    step = field[2:-1, 2:-2] - field[1:-2, 2:-2]
    along = np.where(along * step > 0.0, 0.0, along)
    across = laplacian[1:-1, 1:] - laplacian[1:-1, :-1]
    step = field[2:-2, 2:-1] - field[2:-2, 1:-2]
    across = np.where(across * step > 0.0, 0.0, across)
    return field[2:-2, 2:-2] - weight * (along[1:] - along[:-1] + across[:, 1:] - across[:, :-1])


def horizontal_diffusion_arguments(n):
    rng = np.random.default_rng(13)
    return rng.random((n + 4, n + 4, 20)), rng.random((n, n, 20))


def vertical_advection(wind, field, dt):
    """An implicit step of each column: a tridiagonal system along the last axis."""
    levels = field.shape[2]
    upper = np.zeros_like(field)
    right = np.zeros_like(field)
    out = np.zeros_like(field)
    for k in range(levels):
        speed = 0.25 * (wind[:-1, :, k] + wind[1:, :, k])
        low = -speed * dt if k > 0 else np.zeros_like(speed)
        high = speed * dt if k < levels - 1 else np.zeros_like(speed)
        if k == 0:
            upper[:, :, k] = high
            right[:, :, k] = field[:, :, k]
        else:
            pivot = 1.0 - low * upper[:, :, k - 1]
            upper[:, :, k] = high / pivot
            right[:, :, k] = (field[:, :, k] - low * right[:, :, k - 1]) / pivot
    out[:, :, -1] = right[:, :, -1]
    for k in range(levels - 2, -1, -1):
        out[:, :, k] = right[:, :, k] - upper[:, :, k] * out[:, :, k + 1]
    return out


def vertical_advection_arguments(n):
    rng = np.random.default_rng(14)
    return rng.random((n + 1, n, 40)), rng.random((n, n, 40)), 0.3


PROGRAMS = {
    "gemm": Program("gemm, rows, 150", gemm, gemm_arguments, 150, 9),
    "gemver": Program("gemver, elements, 400", gemver, gemver_arguments, 400, 9),
    "trmm": Program("trmm, slices, 120", trmm, trmm_arguments, 120, 9),
    "symm": Program("symm, elements, 80", symm, symm_arguments, 80, 9),
    "lu": Program("LU, elements, 100", lu, positive_definite, 100, 9),
    "cholesky": Program("Cholesky, slices, 150", cholesky, positive_definite, 150, 9),
    "durbin": Program("Durbin, slices, 1000", durbin, durbin_arguments, 1000, 9),
    "gram_schmidt": Program(
        "Gram-Schmidt, 120 x 100", gram_schmidt, gram_schmidt_arguments, 100, 6
    ),
    "jacobi_2d": Program("Jacobi 2D, 150, 40 steps", jacobi_2d, jacobi_2d_arguments, 150, 9),
    "heat_3d": Program("heat 3D, 30, 20 steps", heat_3d, heat_3d_arguments, 30, 6),
    "seidel": Program("Seidel 2D, 100, 4 sweeps", seidel, seidel_arguments, 100, 9),
    "fdtd": Program("FDTD 2D, 100 x 110, 40 steps", fdtd, fdtd_arguments, 100, 9),
    "adi": Program("ADI, 100, 6 steps", adi, adi_arguments, 100, 9),
    "horizontal_diffusion": Program(
        "horizontal diffusion, 64 x 64 x 20",
        horizontal_diffusion,
        horizontal_diffusion_arguments,
        64,
        6,
    ),
    "vertical_advection": Program(
        "vertical advection, 48 x 48 x 40",
        vertical_advection,
        vertical_advection_arguments,
        48,
        5,
    ),
}
