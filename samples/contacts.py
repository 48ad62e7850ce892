"""A thrown disc that bounces, spins and slides: what made it do so is found from where it was seen.

`simulate` is a small contact simulator, written plainly: a `while` over the contacts with a floor
and a wall, closed formulas for the time of the next one, Coulomb's friction that sticks or slips,
and bounces that come to an end. `fit` finds the throw, the restitution and the friction from a film
of it by Levenberg and Marquardt's method, with the derivatives of all frames through all contacts:
by when they happen, too. A fit takes a millisecond, so it is tried from many guesses: behind a
contact that a guess misses, the way to the truth is barred.

    python samples/contacts.py      the parameters that were found, and their standard errors

Sources: for the impulse of a contact, Brach, "Mechanical impact dynamics" (Wiley, 1991), chapter 6;
for the method of the fit, Marquardt, "An algorithm for least-squares estimation of nonlinear
parameters", J. SIAM 11 (1963), 431-441.
"""

from __future__ import annotations

import numpy as np

import autograph as ag

GRAVITY, RADIUS, WALL = 9.81, 0.1, 3.0  # m/s2, m, and where the wall is, m
INERTIA = 0.5 * RADIUS**2  # of a disc, by its mass
REST = 0.02  # m/s: a disc that leaves the floor or the wall more slowly stays there

NAMES = ("speed along", "speed up", "spin", "restitution", "friction")
TRUE = np.array([2.6, 2.0, -30.0, 0.75, 0.25])  # m/s, m/s, 1/s
HEIGHT = 1.0  # m, of the throw at x = 0


def impact(normal, tangential, spin, restitution, friction):
    """What a contact does to the speed towards a surface (negative before), the speed along it, and
    the spin, positive where the disc would roll forwards along the surface.

    The contact point sticks if friction can do that, and slips otherwise.
    """
    push = -(1.0 + restitution) * normal
    slip = tangential - RADIUS * spin
    stop = -slip / (1.0 + RADIUS**2 / INERTIA)  # the impulse after which nothing slips
    rub = np.clip(stop, -friction * push, friction * push)
    return normal + push, tangential + rub, spin - RADIUS / INERTIA * rub


def simulate(parameters, times):
    """Where the disc is.

    Args:
        parameters: float array of the five in `NAMES`.
        times: float array of shape [m], rising: when the frames of the film are taken.

    Returns:
        The places of its middle, float array of shape [m, 2].
    """
    vx, vy, spin, restitution, friction = parameters
    frames = np.zeros((len(times), 2))
    t, x, y, done = 0.0, 0.0, HEIGHT, 0
    flying, slipping = True, True
    while done < len(times):
        # Until the next contact, or the end of slipping, the disc is accelerated evenly.
        ax, ay, turn, span = 0.0, 0.0, 0.0, 1e6
        if flying:
            ay = -GRAVITY
            span = (vy + np.sqrt(vy * vy + 2.0 * GRAVITY * (y - RADIUS))) / GRAVITY
        elif slipping:
            slip = vx - RADIUS * spin
            ax = -friction * GRAVITY * np.sign(slip)
            turn = -ax * RADIUS / INERTIA
            span = np.abs(slip) / (friction * GRAVITY * (1.0 + RADIUS**2 / INERTIA))
        way = np.maximum(WALL - RADIUS - x, 0.0)
        reach = span
        if vx > 0.0 and vx * vx + 2.0 * ax * way > 0.0:
            reach = 2.0 * way / (vx + np.sqrt(vx * vx + 2.0 * ax * way))
        elif ax > 0.0:
            reach = (np.sqrt(vx * vx + 2.0 * ax * way) - vx) / ax
        at_wall = reach < span
        span = np.minimum(reach, span)

        while done < len(times) and times[done] < t + span:
            s = times[done] - t
            frames[done, 0] = x + vx * s + 0.5 * ax * s * s
            frames[done, 1] = y + vy * s + 0.5 * ay * s * s
            done += 1

        t, x, y = t + span, x + vx * span + 0.5 * ax * span**2, y + vy * span + 0.5 * ay * span**2
        vx, vy, spin = vx + ax * span, vy + ay * span, spin + turn * span
        if at_wall:  # where the disc would roll upwards
            back, vy, spin = impact(-vx, vy, spin, restitution, friction)
            vx, slipping = -back, True
            if not flying and back < REST:  # the floor holds it there
                vx, spin, slipping = 0.0, 0.0, False
        elif flying:
            vy, vx, spin = impact(vy, vx, spin, restitution, friction)
            flying = vy > REST
        else:
            spin, slipping = vx / RADIUS, False  # from now on it rolls
        if not flying:
            y, vy = RADIUS, 0.0
    return frames


def film(parameters, times):
    """The frames in one vector: [2 m]."""
    return np.ravel(simulate(parameters, times))


def fit(guess, times, seen, most=60):
    """The least squares from a guess, by Levenberg and Marquardt's method.

    Args:
        guess: float array of the five parameters.
        times: when the frames were taken, [m].
        seen: what was seen in them, [2 m].
        most: the steps that may be tried.

    Returns:
        The parameters, and the sum of the squares, in square metres.
    """
    found, damping, tried = guess, 1e-2, 0
    residual = film(found, times) - seen
    error = residual @ residual
    change = 1.0
    while tried < most and change > 1e-10:
        slopes = ag.jacfwd(film)(found, times)
        normal = slopes.T @ slopes
        step = np.linalg.solve(
            normal + damping * np.diag(np.diag(normal) + 1e-9), slopes.T @ residual
        )
        trial = found - step
        trial[3:] = np.clip(trial[3:], 0.01, 0.99)
        left = film(trial, times) - seen
        if left @ left < error:
            change = np.max(np.abs(trial - found))
            found, residual, error = trial, left, left @ left
            damping = np.maximum(damping / 5.0, 1e-9)
        else:
            damping = 5.0 * damping
        tried += 1
    return found, error


def guesses(count, rng):
    """Throws that may have been, [count, 5]."""
    low = np.array([1.0, 0.0, -60.0, 0.3, 0.05])
    high = np.array([5.0, 4.0, 60.0, 0.95, 0.6])
    return low + (high - low) * rng.random((count, 5))


fitted, jacobian = ag.to_graph(fit), ag.jacfwd(film)


def standard_errors(found, error, times):
    """Of the parameters, as those of a linear least-squares problem."""
    slopes = jacobian(found, times)
    variance = error / (slopes.shape[0] - slopes.shape[1])
    return np.sqrt(variance * np.diag(np.linalg.inv(slopes.T @ slopes)))


def main() -> None:
    rng = np.random.default_rng(0)
    times = np.linspace(0.0, 3.0, 91)
    seen = film(TRUE, times) + 3e-3 * rng.normal(size=2 * len(times))
    fits = [fitted(guess, times, seen) for guess in guesses(64, rng)]
    found, error = min(fits, key=lambda fit: fit[1])
    deviations = standard_errors(found, error, times)
    for name, true, value, deviation in zip(NAMES, TRUE, found, deviations):
        print(f"{name:12} {value:8.4f} +- {deviation:.4f}   in truth {true:g}")
    there = sum(left < 1.1 * error for _, left in fits)
    print(f"{there} of {len(fits)} guesses lead there")


if __name__ == "__main__":
    main()
