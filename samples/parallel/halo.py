"""Heat in a plate that is divided into strips of rows: neighbours exchange the rows at their edges.

Each part has some rows of a grid, and gets the last row of the part above and the first row of the
part below (the halo) by `ops.ppermute`. Jacobi's method replaces each value by the mean of its four
neighbours and its source, until ``while ops.psum(residual) > eps`` ends it: all parts see the same
sum, so all go on or none does. The gradient goes back through all sweeps, whose number only the run
knows: the halo's cotangents go the other way.

    python -m samples.parallel.halo --parts 4
    mpiexec -n 4 python -m samples.parallel.halo --processes

What moves between the parts in each sweep, for a grid of c columns, float64:

* a row to the part above and one to the part below: 2 messages of 8 c bytes from each part (one
  from the first and from the last);
* the residual: one sum of 8 bytes, and one before the first sweep.

Neither depends on the number of rows. The gradient sends 2 rows more for each sweep. No part ever
has the whole grid.

The plate is cold at its edges. Two heaters with unknown powers warm it; what some thermometers say
is known, and the powers are found by gradients through the solver.
"""

from __future__ import annotations

import numpy as np

import autograph as ag
import ops
from autograph import P
from samples.parallel.meshes import is_first, mesh_of, parser_of


def with_halo(u):
    """The rows of this part with one more above and below: [n, c] -> [n + 2, c].

    The first part has the edge of the plate above, as the last one has below: where no part hands
    on anything, `ops.ppermute` gives zeros, which is how warm the edge is.
    """
    size = ops.axis_size("rows")
    above = ops.ppermute(u[-1], "rows", [(i, i + 1) for i in range(size - 1)])
    below = ops.ppermute(u[0], "rows", [(i + 1, i) for i in range(size - 1)])
    return np.concatenate([above[None], u, below[None]])


def sweep(u, source):
    """The mean of the four neighbours, and the source: [n, c] -> [n, c]."""
    rows = with_halo(u)
    wide = np.pad(u, ((0, 0), (1, 1)))
    return 0.25 * (rows[:-2] + rows[2:] + wide[:, :-2] + wide[:, 2:] + source)


def solve(source, eps):
    """The warmth that the sources lead to in the end, and the number of sweeps.

    Args:
        source: the rows of this part, [n, c].
        eps: how large the sum of squares of a sweep's changes may be at the end.
    """
    u = np.zeros_like(source)
    residual, sweeps = ops.psum(np.sum(source * source), "rows"), 0
    while residual > eps:
        changed = sweep(u, source)
        residual = ops.psum(np.sum((changed - u) ** 2), "rows")
        u = changed
        sweeps += 1
    return u, sweeps


def sources(powers, row, column):
    """The warmth that two heaters give: at the points with these coordinates, between 0 and 1."""
    first = np.exp(-80.0 * ((row - 0.3) ** 2 + (column - 0.3) ** 2))
    second = np.exp(-80.0 * ((row - 0.6) ** 2 + (column - 0.7) ** 2))
    return powers[0] * first + powers[1] * second


def misfit(powers, row, column, seen, weights, eps):
    """How far the warmth is from what thermometers say.

    Args:
        powers: of the heaters, [2], the same in all parts.
        row, column: the coordinates of the points of this part, [n, c].
        seen: what the thermometers say, [n, c].
        weights: 1 where there is one, else 0, [n, c].
        eps: as for `solve`.
    """
    u, _ = solve(sources(powers, row, column), eps)
    return ops.psum(np.sum(weights * (u - seen) ** 2), "rows")


GRID = P("rows")
SPECS = (P(), GRID, GRID, GRID, GRID, P())


def fit(powers, row, column, seen, weights, eps, steps):
    """Newton's method: the misfit is a square of what is linear in the powers."""
    values = np.zeros(steps)
    for i in range(steps):
        values[i] = misfit(powers, row, column, seen, weights, eps)
        gradient = ag.grad(misfit)(powers, row, column, seen, weights, eps)
        curvature = ag.hessian(misfit)(powers, row, column, seen, weights, eps)
        powers = powers - np.linalg.solve(curvature, gradient)
    return powers, values


def coordinates(rows, columns):
    """Of the points of a grid, [rows, columns] each."""
    row, column = np.arange(1.0, rows + 1.0) / (rows + 1), np.arange(1.0, columns + 1.0)
    return np.broadcast_arrays(row[:, None], column[None, :] / (columns + 1))


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--rows", type=int, default=24, help="a multiple of the parts")
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--eps", type=float, default=1e-16)
    options = parser.parse_args()
    mesh = mesh_of(options, "rows")

    row, column = coordinates(options.rows, options.columns)
    truth = np.array([0.8, 1.5])
    warmth = ag.shard_map(solve, mesh, (GRID, P()), (GRID, P()))
    u, sweeps = warmth(sources(truth, row, column), options.eps)
    seen = np.asarray(u)  # gathers it
    rng = np.random.default_rng(0)  # the same numbers on all processes
    weights = (rng.uniform(size=seen.shape) < 0.05).astype(float)
    run = ag.shard_map(fit, mesh, (*SPECS, P()), P())
    powers, values = run(np.ones(2), row, column, seen, weights, options.eps, 3)
    if is_first(mesh):
        print(f"{sweeps} sweeps; the warmest point has {np.max(seen):.4f}")
        print(f"misfits: {', '.join(f'{value:.2e}' for value in values)}")
        print(f"powers found: {powers}, where they are {truth}, on {mesh}")


if __name__ == "__main__":
    main()
