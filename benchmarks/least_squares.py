"""Sums of squares whose Jacobian is sparse: by its elements, by the whole one, and by SciPy.

Here whole searches are compiled. SciPy's has compiled residuals and the compiled sparse Jacobian,
as a whole matrix (``tr_solver="exact"``) or as a sparse one (``"lsmr"``).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

import autograph as ag
from autograph import optim
from benchmarks.sparse import OURS, pictures, scene
from benchmarks.table import Table, duration
from benchmarks.timing import interleaved

RNG = np.random.default_rng(0)
ROUNDS = 3  # the slowest ways take seconds


class Problem(NamedTuple):
    """Residuals, as a vector, of a vector, and where the search begins."""

    name: str
    residuals: Callable[[Any], Any]
    start: np.ndarray
    ways: tuple[str, ...]


def chain(count: int) -> Callable[[Any], Any]:
    """A line through noisy measurements of its sine, which resists being bent."""
    truth = 0.1 * np.cumsum(RNG.normal(size=count))
    data = np.sin(truth) + 0.01 * RNG.normal(size=count)

    def residuals(x: Any) -> Any:
        d = x[1:] - x[:-1]
        return np.concatenate([np.sin(x) - data, 3.0 * d * np.cosh(0.1 * d)])

    return residuals


def adjustment(cameras: int, points: int) -> tuple[Callable[[Any], Any], np.ndarray]:
    """Cameras and points from four pictures of each point; the cameras are known roughly."""
    of_camera = np.concatenate([RNG.permutation(cameras)[:4] for _ in range(points)])
    places = pictures(of_camera, np.repeat(np.arange(points), 4))
    truth, count = scene(cameras, points), 6 * cameras
    seen = places(OURS, truth)
    seen = seen + 1e-3 * RNG.normal(size=seen.shape)
    start = truth + 0.03 * RNG.normal(size=truth.shape)

    def residuals(x: Any) -> Any:
        known = 1e-2 * (x[:count] - start[:count])
        return np.concatenate([places(OURS, x) - seen, known])

    return residuals, start


def problems() -> list[Problem]:
    every = ("sparse", "dense", "SciPy, exact")
    return [
        Problem("chain, 150", chain(150), np.zeros(150), (*every, "SciPy, lsmr")),
        Problem("chain, 2000", chain(2000), np.zeros(2000), ("sparse", "SciPy, lsmr")),
        Problem("bundle, 6 cameras, 40 points", *adjustment(6, 40), every),
        Problem("bundle, 12 cameras, 400 points", *adjustment(12, 400), ("sparse",)),
    ]


def _ours(problem: Problem, jacobian: str) -> Callable[[], Any]:
    residuals = problem.residuals
    find = lambda start: optim.least_squares(residuals, start, jacobian=jacobian)
    compiled = ag.to_graph(find)
    return lambda: compiled(problem.start)


def _scipy(problem: Problem, solver: str) -> Callable[[], Any]:
    from scipy.optimize import least_squares

    residuals, sparse = ag.to_graph(problem.residuals), ag.sparse_jacobian(problem.residuals)
    jacobian = sparse if solver == "lsmr" else lambda x: sparse(x).toarray()
    tolerances = {"xtol": 1e-8, "ftol": 1e-15, "gtol": 1e-15}
    return lambda: (
        least_squares(
            residuals, problem.start, jacobian, tr_solver=solver, x_scale="jac", **tolerances
        ).x
    )


def _way(problem: Problem, name: str) -> Callable[[], Any]:
    maker, _, solver = name.partition(", ")
    return _scipy(problem, solver) if maker == "SciPy" else _ours(problem, maker)


def _row(problem: Problem) -> tuple[str, ...]:
    names = [n for n in problem.ways if find_spec("scipy") or not n.startswith("SciPy")]
    ways = {name: _way(problem, name) for name in names}
    found = {name: way() for name, way in ways.items()}
    sums = {name: float(np.sum(problem.residuals(x) ** 2)) for name, x in found.items()}
    for name in names:
        np.testing.assert_allclose(sums[name], sums["sparse"], rtol=1e-6)
    timings = interleaved(ways, ROUNDS)

    def cell(name: str) -> str:
        return duration(timings.seconds(name)) if name in ways else ""

    def ratio(name: str) -> str:
        return f"{timings.ratio('sparse', name):.4f}" if name in ways else ""

    shape = (len(problem.residuals(problem.start)), len(problem.start))
    others = ("dense", "SciPy, exact", "SciPy, lsmr")
    return (
        *(problem.name, " x ".join(map(str, shape)), cell("sparse")),
        *(cell(name) for name in others),
        *(ratio(name) for name in others),
    )


def run() -> Table:
    return Table(
        "Least squares with a sparse Jacobian",
        "Time of a whole search by `optim.least_squares`, with ``jacobian='sparse'`` and "
        "``'dense'``, and by scipy.optimize.least_squares with the same derivatives, to the same "
        "sum. A ratio below 1 means that the sparse way is faster. Empty cells take minutes.",
        (
            *("problem", "Jacobian", "sparse", "dense", "SciPy exact", "SciPy lsmr"),
            *("ratio to dense", "to SciPy exact", "to lsmr"),
        ),
        [_row(problem) for problem in problems()],
    )
