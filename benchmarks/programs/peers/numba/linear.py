"""Linear algebra and stencils with numba."""

from __future__ import annotations

import numpy as np
from numba import prange

from benchmarks.programs import linear
from benchmarks.programs.peers.numba.maker import in_parallel, maker

NOTES = {
    "vertical_advection": "a loop over columns in parallel, whose levels are scalars",
    "horizontal_diffusion": "loops over elements in parallel",
}


def jacobi_2d(steps, a):
    a = a.copy()
    b = a.copy()
    n = len(a)
    for _ in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, n - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j] + a[i - 1, j])
        for i in prange(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = 0.2 * (b[i, j] + b[i, j - 1] + b[i, j + 1] + b[i + 1, j] + b[i - 1, j])
    return a


def gram_schmidt(a):
    a = a.copy()
    rows, columns = a.shape
    q = np.zeros_like(a)
    r = np.zeros((columns, columns))
    for k in range(columns):
        r[k, k] = np.sqrt(np.sum(a[:, k] * a[:, k]))
        q[:, k] = a[:, k] / r[k, k]
        for i in range(rows):
            for j in range(k + 1, columns):
                r[k, j] += q[i, k] * a[i, j]
        for i in range(rows):
            for j in range(k + 1, columns):
                a[i, j] -= q[i, k] * r[k, j]
    return q, r


def trmm(alpha, a, b):
    out = b.copy()
    for i in range(b.shape[0]):
        for k in range(i + 1, b.shape[0]):
            out[i] += a[k, i] * out[k]
        out[i] *= alpha
    return out


def horizontal_diffusion(field, weight):
    rows, columns, levels = weight.shape
    laplacian = np.empty((rows + 2, columns + 2, levels))
    out = np.empty_like(weight)
    for i in prange(rows + 2):
        for j in range(columns + 2):
            for k in range(levels):
                laplacian[i, j, k] = 4.0 * field[i + 1, j + 1, k] - (
                    field[i + 2, j + 1, k]
                    + field[i, j + 1, k]
                    + field[i + 1, j + 2, k]
                    + field[i + 1, j, k]
                )
    for i in prange(rows):
        for j in range(columns):
            for k in range(levels):
                here, value = laplacian[i + 1, j + 1, k], field[i + 2, j + 2, k]
                low = here - laplacian[i, j + 1, k]
                if low * (value - field[i + 1, j + 2, k]) > 0.0:
                    low = 0.0
                high = laplacian[i + 2, j + 1, k] - here
                if high * (field[i + 3, j + 2, k] - value) > 0.0:
                    high = 0.0
                left = here - laplacian[i + 1, j, k]
                if left * (value - field[i + 2, j + 1, k]) > 0.0:
                    left = 0.0
                right = laplacian[i + 1, j + 2, k] - here
                if right * (field[i + 2, j + 3, k] - value) > 0.0:
                    right = 0.0
                out[i, j, k] = value - weight[i, j, k] * (high - low + right - left)
    return out


def vertical_advection(wind, field, dt):
    rows, columns, levels = field.shape
    out = np.empty_like(field)
    for i in prange(rows):
        upper = np.zeros(levels)
        right = np.zeros(levels)
        for j in range(columns):
            upper[0] = 0.25 * (wind[i, j, 0] + wind[i + 1, j, 0]) * dt
            right[0] = field[i, j, 0]
            for k in range(1, levels):
                speed = 0.25 * (wind[i, j, k] + wind[i + 1, j, k]) * dt
                pivot = 1.0 + speed * upper[k - 1]
                upper[k] = speed / pivot if k < levels - 1 else 0.0
                right[k] = (field[i, j, k] + speed * right[k - 1]) / pivot
            out[i, j, levels - 1] = right[levels - 1]
            for k in range(levels - 2, -1, -1):
                out[i, j, k] = right[k] - upper[k] * out[i, j, k + 1]
    return out


def heat_3d(steps, u):
    u = u.copy()
    n = len(u)
    new = u.copy()
    for _ in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, n - 1):
                for k in range(1, n - 1):
                    new[i, j, k] = u[i, j, k] + 0.125 * (
                        u[i + 1, j, k]
                        + u[i - 1, j, k]
                        + u[i, j + 1, k]
                        + u[i, j - 1, k]
                        + u[i, j, k + 1]
                        + u[i, j, k - 1]
                        - 6.0 * u[i, j, k]
                    )
        u, new = new, u
    return u


def fdtd(ex, ey, hz, source):
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    rows, columns = hz.shape
    for t in range(len(source)):
        ey[0, :] = source[t]
        for i in prange(rows):
            if i > 0:
                for j in range(columns):
                    ey[i, j] -= 0.5 * (hz[i, j] - hz[i - 1, j])
            for j in range(1, columns):
                ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1])
        for i in prange(rows - 1):
            for j in range(columns - 1):
                hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])
    return ex, ey, hz


MAKERS = {
    "gemm": maker(in_parallel(linear.gemm), parallel=True),
    "gemver": maker(linear.gemver),
    "trmm": maker(trmm),
    "symm": maker(linear.symm),
    "lu": maker(linear.lu),
    "cholesky": maker(linear.cholesky),
    "durbin": maker(linear.durbin),
    "gram_schmidt": maker(gram_schmidt),
    "jacobi_2d": maker(jacobi_2d, parallel=True),
    "heat_3d": maker(heat_3d, parallel=True),
    "seidel": maker(linear.seidel),
    "fdtd": maker(fdtd),
    "adi": maker(linear.adi),
    "horizontal_diffusion": maker(horizontal_diffusion, parallel=True),
    "vertical_advection": maker(vertical_advection, parallel=True),
}
