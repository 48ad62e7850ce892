"""C++ by hand, of fifteen rows, called through `ctypes`: its derivatives are written by hand, too.

The compiler is ``g++``, or what ``CXX`` names. Sums stay in the order in which they are written.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.beside.cpp import compiled, given, version
from benchmarks.beside.rotation import in_rotation
from benchmarks.programs.rows import FORWARD, PROGRAMS

VERSION = version()
PACKAGE = "numpy"  # whose arrays it works on
NOTES = {
    "lu": "in the order in which it is fast",
    "symm": "in the order in which it is fast",
    "hamiltonian": "the gradient by hand",
    "logistic": "the Hessian by hand",
}

to_numpy = np.asarray


@cache
def library() -> ctypes.CDLL:
    """The programs, compiled for this machine."""
    return compiled(Path(__file__).with_name("programs.cpp"), "-fopenmp")


def _call(name: str, *arguments: object) -> float:
    function = getattr(library(), name)
    function.restype = ctypes.c_double
    return function(*map(given, arguments))


def gemm(alpha, beta, a, b, c):
    out = np.empty_like(c)
    _call("gemm", alpha, beta, a, b, c, out, *a.shape, b.shape[1])
    return out


def symm(alpha, beta, a, b, c):
    out = np.empty_like(c)
    _call("symm", alpha, beta, a, b, c, out, *c.shape)
    return out


def lu(a):
    out = np.empty_like(a)
    _call("lu", a, out, len(a))
    return out


def jacobi_2d(steps, a):
    out = np.empty_like(a)
    _call("jacobi_2d", steps, a, out, len(a))
    return out


def seidel(sweeps, a):
    out = np.empty_like(a)
    _call("seidel", sweeps, a, out, len(a))
    return out


def nussinov(sequence):
    table = np.empty((len(sequence),) * 2, dtype=np.int64)
    _call("nussinov", sequence, table, len(sequence))
    return table


def floyd_warshall(lengths):
    paths = np.empty_like(lengths)
    _call("floyd_warshall", lengths, paths, len(paths))
    return paths


def n_body(mass, position, velocity, dt, steps):
    position, velocity = position.copy(), velocity.copy()
    _call("n_body", mass, position, velocity, dt, steps, len(mass))
    return position, velocity


def mandelbrot(xs, ys, limit):
    counts = np.empty((len(ys), len(xs)), dtype=np.int64)
    _call("mandelbrot", xs, ys, limit, counts, len(xs), len(ys))
    return counts


def self_energies(neighbours, couplings, electrons, phonons):
    out = np.empty_like(electrons)
    sizes = (*electrons.shape[:3], neighbours.shape[1], *phonons.shape[:2])
    _call("self_energies", neighbours, couplings, electrons, phonons, out, *sizes)
    return out


def crank_nicolson(u, steps, ratio):
    u = u.copy()
    _call("crank_nicolson", u, steps, ratio, len(u))
    return u


def azimuthal_integration(image, radii, rings):
    means = np.empty(rings)
    _call("azimuthal_integration", image, radii, means, rings, image.size)
    return means


def diagonal_tanh(a):
    out = np.empty_like(a)
    _call("diagonal_tanh", a, out, len(a))
    return out


def hamiltonian(position, momentum, step, x, labels):
    position, momentum = position.copy(), momentum.copy()
    energy = _call("hamiltonian", position, momentum, step, x, labels, *x.shape)
    return position, momentum, energy


def logistic(weights, x, labels):
    hessian = np.empty((len(weights),) * 2)
    _call("logistic", weights, x, hessian, *x.shape)
    return hessian


def _maker(function: Callable) -> Callable:
    return lambda *args, others=(): in_rotation(function, (args, *others))


_WRITTEN = (
    *(gemm, symm, lu, jacobi_2d, seidel, nussinov, floyd_warshall, n_body, mandelbrot),
    *(self_energies, crank_nicolson, azimuthal_integration, diagonal_tanh, hamiltonian, logistic),
)
MAKERS = {function.__name__: _maker(function) for function in _WRITTEN}
REFUSES = {
    name: "not written: fifteen rows are"
    for name in (*PROGRAMS, *(f"{name} forward" for name in FORWARD))
    if name not in MAKERS
}
