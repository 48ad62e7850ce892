"""Initial value problems with an adaptive step, which can be differentiated and batched.

`solve_ivp` is the method of Dormand and Prince, of order 5(4), as `scipy.integrate.solve_ivp` has
it: the same steps, the same results to rounding. To be compiled and differentiated it is written as
one would anyway: a `while` that ends when the run says so, and steps that are rejected.

    python samples/integrate.py      an orbit, and its derivative by the initial velocity

Sources: Dormand & Prince, "A family of embedded Runge-Kutta formulae", J. Comput. Appl. Math. 6
(1980), 19-26, for the formula; Shampine, "Some practical Runge-Kutta formulas", Math. Comput. 46
(1986), 135-150, for the values between steps; Hairer, Norsett & Wanner, "Solving ordinary
differential equations I", 2nd edition, section II.4, for the control of the step.
"""

from __future__ import annotations

import numpy as np

import autograph as ag

# Row i has the weights of the slopes before stage i; the last row is the step of order 5, whose
# slope is the first of the next step.
NODES = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1])
STAGES = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
# The step of order 5 less the one of order 4.
ERROR = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
# At the share s of a step the state is y + h * (slopes @ BETWEEN @ [s, s**2, s**3, s**4]).
BETWEEN = np.array(
    [
        [1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432],
        [0, 0, 0, 0],
        [0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799],
        [0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072],
        [0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632],
        [0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844],
        [0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423],
    ]
)
SAFETY, LEAST, MOST = 0.9, 0.2, 10.0  # of the factor by which a step becomes another


def solve_ivp(f, times, y, rtol=1e-6, atol=1e-9):
    """Integrate ``dy/dt = f(t, y)`` from ``y`` at ``times[0]``.

    The derivative is that of the steps that were taken: how long they are is not differentiated.

    Args:
        f: a function of a float and an array of shape [n], giving an array of shape [n].
        times: float array of shape [m], rising: where the state is wanted.
        y: float array of shape [n], the state at ``times[0]``.
        rtol, atol: what the error of a step may be is ``atol + rtol * abs(y)`` in the root mean
            square over the elements.

    Returns:
        The states, a float array of shape [m, n], and the number of steps that were tried.

    Raises:
        RuntimeError: the step has become too small for floats to tell its ends apart.
    """
    states = np.zeros((len(times), len(y)))
    states[0] = y
    slopes = np.zeros((7, len(y)))
    slopes[6] = f(times[0], y)
    t, end, done, tried = times[0], times[-1], 1, 0
    h = first_step(f, t, y, slopes[6], end, rtol, atol)
    rejected = False
    while t < end:
        if h < 10.0 * np.spacing(t):
            raise RuntimeError("the step has become too small")
        last = t + h >= end
        t_new = end if last else t + h
        h = t_new - t
        trial = np.zeros_like(slopes)
        trial[0] = slopes[6]
        for i in range(1, 6):
            trial[i] = f(t + NODES[i] * h, y + h * (STAGES[i, :i] @ trial[:i]))
        y_new = y + h * (STAGES[6] @ trial[:6])
        trial[6] = f(t_new, y_new)
        error = size(h * (ERROR @ trial), np.maximum(np.abs(y), np.abs(y_new)), rtol, atol)
        tried += 1
        if error < 1.0:
            while done < len(times) and times[done] <= t_new:
                s = (times[done] - t) / h
                states[done] = y + h * (BETWEEN @ np.array([s, s**2, s**3, s**4])) @ trial
                done += 1
            t, y, slopes = t_new, y_new, trial
            factor = MOST if error == 0.0 else min(MOST, SAFETY * error**-0.2)
            h = h * (min(1.0, factor) if rejected else factor)
            rejected = False
        else:
            h = h * max(LEAST, SAFETY * error**-0.2)
            rejected = True
    return states, tried


def size(x, y, rtol, atol):
    """The root mean square of ``x`` in units of the tolerance; it is not differentiated."""
    x, y = ag.stop_gradient(x), ag.stop_gradient(y)
    return np.sqrt(np.mean((x / (atol + rtol * np.abs(y))) ** 2))


def first_step(f, t, y, slope, end, rtol, atol):
    """A first step whose error is about right, from a step of Euler's (Hairer et al., II.4)."""
    d0, d1 = size(y, y, rtol, atol), size(slope, y, rtol, atol)
    h0 = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h0 = min(h0, end - t)
    d2 = size(f(t + h0, y + h0 * slope) - slope, y, rtol, atol) / h0
    if d1 <= 1e-15 and d2 <= 1e-15:
        h1 = max(1e-6, h0 * 1e-3)
    else:
        h1 = (0.01 / max(d1, d2)) ** 0.2
    return min(100.0 * h0, h1, end - t)


def orbit(t, state):
    """A planet around a sun in the origin; ``state`` is its place and its velocity."""
    place, velocity = state[:2], state[2:]
    return np.concatenate([velocity, -place / np.sum(place**2) ** 1.5])


def final_place(speed):
    """Where a planet that starts at (1, 0) upwards is after a time of 10."""
    states, _ = solve_ivp(orbit, np.linspace(0.0, 10.0, 5), np.array([1.0, 0.0, 0.0, speed]))
    return states[-1, :2]


def main() -> None:
    place, velocity = final_place(1.2), ag.jacfwd(final_place)(1.2)
    print("place:", ag.to_graph(final_place)(1.2), "in plain Python:", place)
    print("by the initial speed:", velocity)


if __name__ == "__main__":
    main()
