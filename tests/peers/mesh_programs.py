"""Functions for a mesh, with the names of another library, compared with ``jax.shard_map``.

What that gives (``check_vma=True``) is kept in ``mesh_references.json``, so that `make test`, which
has no JAX, compares with it too. ``python -m tests.peers.mesh_references`` writes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Spec = tuple[Any, ...]  # what is given to ``P``

LINE, GRID = {"data": 4}, {"data": 2, "model": 2}
SAME: Spec = ()
ROWS: Spec = ("data",)
BOTH: Spec = (("data", "model"),)

rng = np.random.default_rng(11)
W, X = rng.normal(size=3), rng.normal(size=(8, 3))


class MeshProgram(NamedTuple):
    """A function of one part, whose result is a number that is the same in all parts.

    Attributes:
        function: takes ``lib``, which has NumPy as ``np``, the collectives, ``grad``, ``cond`` and
            ``fori_loop``, and the arguments.
        shape: of the mesh.
        specs: of the arguments.
        args: whole arrays of float64; the gradient is by all of them.
    """

    function: Callable
    shape: dict[str, int]
    specs: tuple[Spec, ...]
    args: tuple[np.ndarray, ...]


def mean_of_parts(lib: Any, w: Any, x: Any) -> Any:
    return lib.pmean(lib.np.mean(lib.np.tanh(x @ w) ** 2), "data")


def sum_and_what_is_the_same(lib: Any, w: Any, x: Any) -> Any:
    return lib.psum(lib.np.sum(x @ w), "data") * w[0] + lib.np.sum(w * w)


def sum_of_a_sum(lib: Any, w: Any, x: Any) -> Any:
    total = lib.psum(lib.np.sum(x @ w), "data")
    return lib.psum(lib.np.sum(lib.np.sin(x @ w) * total), "data")


def gradient_of_each(lib: Any, w: Any, x: Any) -> Any:
    """By what is the same in all parts: the gradient is the sum of all."""
    g = lib.grad(lambda v: lib.np.sum(lib.np.sin(x @ v)))(w)
    return lib.np.sum(g * g * w)


def gradient_of_the_mean(lib: Any, w: Any, x: Any) -> Any:
    def loss(v: Any) -> Any:
        return lib.pmean(lib.np.mean(lib.np.tanh(x @ v) ** 2), "data")

    w = w - 0.3 * lib.grad(loss)(w)
    return loss(w - 0.3 * lib.grad(loss)(w))


def gradient_by_own_rows(lib: Any, w: Any, x: Any) -> Any:
    g = lib.grad(lambda y: lib.psum(lib.np.sum(lib.np.sin(y @ w)), "data") ** 2)(x)
    return lib.psum(lib.np.sum(g * x), "data")


def gathered(lib: Any, w: Any, x: Any) -> Any:
    rows = lib.all_gather(lib.np.sin(x @ w), "data", tiled=True)
    return lib.psum(lib.np.sum(rows[1:] * rows[:-1]) * x[0, 0], "data")


def scattered(lib: Any, w: Any, x: Any) -> Any:
    rows = lib.np.outer(lib.np.arange(1.0, 5.0), x[0] * w)
    own = lib.psum_scatter(rows, "data", scatter_dimension=0, tiled=False)
    return lib.psum(lib.np.sum(own * own * x[1]), "data")


def around_a_ring(lib: Any, w: Any, x: Any) -> Any:
    before = lib.ppermute(x * w, "data", [(i, (i + 1) % 4) for i in range(4)])
    return lib.psum(lib.np.sum(before * lib.np.cos(x)), "data")


def one_to_another(lib: Any, w: Any, x: Any) -> Any:
    moved = lib.ppermute(lib.np.sin(x @ w), "data", [(0, 2), (3, 1)])
    return lib.psum(lib.np.sum(moved * moved * x[:, 0]), "data")


def exchanged(lib: Any, w: Any, x: Any) -> Any:
    rows = lib.np.outer(lib.np.arange(1.0, 5.0), x[0] * w)
    rows = lib.all_to_all(rows, "data", split_axis=0, concat_axis=0, tiled=False)
    return lib.psum(lib.np.sum(lib.np.sin(rows) * x[1]), "data")


def by_number(lib: Any, w: Any, x: Any) -> Any:
    number = lib.axis_index("data")
    return lib.psum(lib.np.sum(x @ w) * (number + 1.0) ** 2, "data")


def branch_of_each(lib: Any, w: Any, x: Any) -> Any:
    """JAX wants `pvary` before the branches, otherwise its parts meet inside of them: the gradient
    lacks some of them then."""
    own, v = lib.np.sum(x[0] * w), lib.pvary(w, "data")
    y = lib.cond(
        own > 0.0, lambda: lib.np.sum(x) * lib.np.sum(v * v), lambda: lib.np.sin(v[1]) * x[1, 1]
    )
    return lib.psum(y, "data") + w[2] ** 2


def steps(lib: Any, w: Any, x: Any) -> Any:
    def step(i: Any, v: Any) -> Any:
        return v - 0.2 * lib.pmean(lib.np.mean(lib.np.tanh(x @ v)), "data") * v

    return lib.np.sum(lib.fori_loop(3, step, w) ** 2)


def on_two_axes(lib: Any, w: Any, u: Any, x: Any) -> Any:
    """Tensor parallel: ``u`` is divided along "model", the rows along "data"."""
    y = lib.psum(lib.np.tanh(x @ lib.np.outer(w, u)) @ u, "model")
    return lib.pmean(lib.np.mean(y**2), "data")


def gradient_on_two_axes(lib: Any, w: Any, u: Any, x: Any) -> Any:
    """By what is divided along one axis and what is the same in all parts."""

    def loss(w: Any, u: Any) -> Any:
        hidden = lib.np.tanh(x @ w) * lib.psum(lib.np.sum(u * u), "model")
        return lib.pmean(lib.np.mean(hidden**2), "data")

    g, h = lib.grad(loss)(w, u), lib.grad(lambda v: loss(w, v))(u)
    return lib.np.sum(g * g) + lib.psum(lib.np.sum(h * lib.np.sin(u)), "model")


_ON_A_LINE = (
    mean_of_parts,
    sum_and_what_is_the_same,
    sum_of_a_sum,
    gradient_of_each,
    gradient_of_the_mean,
    gradient_by_own_rows,
    gathered,
    scattered,
    around_a_ring,
    one_to_another,
    exchanged,
    by_number,
    branch_of_each,
    steps,
)
_ON_A_GRID = (on_two_axes, gradient_on_two_axes)
U = rng.normal(size=4)

PROGRAMS = {f.__name__: MeshProgram(f, LINE, (SAME, ROWS), (W, X)) for f in _ON_A_LINE} | {
    f.__name__: MeshProgram(f, GRID, (SAME, ("model",), ROWS), (W, U, X)) for f in _ON_A_GRID
}
