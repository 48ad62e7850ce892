"""A sweep over parameters that are divided among the parts, each of which takes its own time.

Each part has some values of a parameter, and integrates van der Pol's oscillator for each of them,
stiff or not, with steps that its own ``while`` adapts. Parts need not meet in the middle: a loop
that only some of them run is no trouble as long as they do not meet inside of it. In the end the
results are gathered, and all parts know the slowest oscillator.

    python -m samples.parallel.sweep --parts 4
    mpiexec -n 4 python -m samples.parallel.sweep --processes

What moves between the parts, for k values in all, on p parts, float64: nothing while they run; in
the end two gathers (values and derivatives) to which each part gives 8 k / p bytes, and one maximum
of 8 bytes.

Derivatives are taken by each part of its own values: nothing moves for them.

Source: Bogacki & Shampine, "A 3(2) pair of Runge-Kutta formulas", Appl. Math. Lett. 2 (1989), for
the steps.
"""

from __future__ import annotations

import numpy as np

import autograph as ag
import ops
from autograph import P
from samples.parallel.meshes import is_first, mesh_of, parser_of


def change(state, stiffness):
    """The rates of change of van der Pol's oscillator."""
    return np.stack([state[1], stiffness * (1.0 - state[0] ** 2) * state[1] - state[0]])


def integrated(stiffness, start, end, tolerance):
    """The state at a time, and the number of steps that were tried.

    Args:
        stiffness: a number.
        start: the state at the time 0, [2].
        end: the time.
        tolerance: of the error of a step, per element.
    """
    t, y, h, tried = 0.0, start, 0.01, 0
    a = change(y, stiffness)
    while t < end:
        h = np.minimum(h, end - t)
        b = change(y + 0.5 * h * a, stiffness)
        c = change(y + 0.75 * h * b, stiffness)
        ahead = y + h * (2.0 * a + 3.0 * b + 4.0 * c) / 9.0
        d = change(ahead, stiffness)
        error = np.max(np.abs(h * (-5.0 * a + 6.0 * b + 8.0 * c - 9.0 * d) / 72.0)) / tolerance
        if error < 1.0:
            t, y, a = t + h, ahead, d
        h = h * np.minimum(4.0, np.maximum(0.2, 0.9 * (error + 1e-10) ** (-1.0 / 3.0)))
        tried += 1
    return y, tried


def sweep(stiffness, start, end, tolerance):
    """What becomes of each of the oscillators of this part.

    Args:
        stiffness: the values of this part, [n].
        start, end, tolerance: as for `integrated`, the same in all parts.

    Returns:
        The positions at the end and their derivatives by the stiffness, of all parts, [parts n];
        and the most steps that one of all oscillators took.
    """
    places, slopes, most = np.zeros_like(stiffness), np.zeros_like(stiffness), 0
    for i in range(len(stiffness)):
        found = lambda s: integrated(s, start, end, tolerance)
        state, slope, tried = ag.jvp(found, (stiffness[i],), (1.0,), has_aux=True)
        places[i], slopes[i] = state[0], slope[0]
        most = np.maximum(most, tried)
    everything = ops.all_gather((places, slopes), "sweep", tiled=True, invariant=True)
    return *everything, ops.pmax(most, "sweep")


SPECS = (P("sweep"), P(), P(), P())


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--values", type=int, default=16, help="a multiple of the parts")
    parser.add_argument("--end", type=float, default=10.0)
    parser.add_argument("--tolerance", type=float, default=1e-6)
    options = parser.parse_args()
    mesh = mesh_of(options, "sweep")
    run = ag.shard_map(sweep, mesh, SPECS, P())

    stiffness = np.linspace(0.1, 12.0, options.values)
    places, slopes, most = run(stiffness, np.array([2.0, 0.0]), options.end, options.tolerance)
    if is_first(mesh):
        print("stiffness  place at the end  its derivative")
        for row in zip(stiffness[::3], places[::3], slopes[::3]):
            print("{:9.3f}  {:16.6f}  {:14.6f}".format(*row))
        print(f"{most} steps at most, on {mesh}")


if __name__ == "__main__":
    main()
