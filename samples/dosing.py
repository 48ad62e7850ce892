"""What becomes of a medicine in the body: doses at their times, as events, absorbed after a lag.

Two compartments, as pharmacologists have them: a dose that is swallowed reaches the gut after a
lag, from there the blood, goes to and fro between blood and tissue, and is cleared. Between events
the amounts obey a linear differential equation, integrated by Runge and Kutta's method over steps
that end where the event is; at an event the amount in the gut jumps. Which events are before which
sample of blood depends on the lag, and is found when the function runs; all has derivatives by when
the events are, too.

    python samples/dosing.py     clearance, volumes and lag of a patient, and when to take doses

Sources: Gabrielsson & Weiner, "Pharmacokinetic and pharmacodynamic data analysis", 5th edition
(2016), for the models; Bateman, "The solution of a system of differential equations", Proc.
Cambridge Phil. Soc. 15 (1910), 423-427, for the closed form of one compartment.
"""

from __future__ import annotations

import numpy as np

import autograph as ag

NAMES = ("absorption", "clearance", "volume", "exchange", "tissue volume", "lag")
TRUE = np.array([1.1, 5.0, 30.0, 4.0, 40.0, 0.6])  # 1/h, l/h, l, l/h, l, h


def change(amounts, parameters):
    """The rate of change of the amounts in gut, blood and tissue, in mg/h."""
    absorption, clearance, volume, exchange, tissue_volume, _ = parameters
    gut, blood, tissue = amounts
    absorbed = absorption * gut
    passing = exchange * (blood / volume - tissue / tissue_volume)
    return np.stack([-absorbed, absorbed - clearance * blood / volume - passing, passing])


def advance(amounts, parameters, span, longest=0.1):
    """The amounts after a time, by steps of Runge and Kutta that are no longer than ``longest``."""
    left = ag.stop_gradient(span)
    steps = np.maximum(np.ceil(left / longest), 1.0)
    h, done = span / steps, 0.0
    while done < steps:
        a = change(amounts, parameters)
        b = change(amounts + 0.5 * h * a, parameters)
        c = change(amounts + 0.5 * h * b, parameters)
        d = change(amounts + h * c, parameters)
        amounts = amounts + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        done += 1.0
    return amounts


def concentrations(parameters, doses, dose_times, times):
    """How much is in the blood, in mg/l.

    Args:
        parameters: float array of the six in `NAMES`.
        doses: what is swallowed, in mg, float array of shape [k].
        dose_times: when, in hours, rising, of shape [k].
        times: when blood is taken, in hours, rising, of shape [m]: before a dose that comes then.

    Returns:
        Float array of shape [m].
    """
    volume, lag = parameters[2], parameters[5]
    found, amounts = np.zeros(len(times)), np.zeros(3)
    t, given = 0.0, 0
    for i in range(len(times)):
        while given < len(doses) and dose_times[given] + lag < times[i]:
            arrival = dose_times[given] + lag
            amounts = advance(amounts, parameters, arrival - t)
            amounts = amounts + np.stack([doses[given], 0.0, 0.0])
            t, given = arrival, given + 1
        amounts = advance(amounts, parameters, times[i] - t)
        t = times[i]
        found[i] = amounts[1] / volume
    return found


def logarithms(logs, doses, dose_times, times):
    """Of the concentrations, by those of the parameters: so all stay positive."""
    return np.log(concentrations(np.exp(logs), doses, dose_times, times) + 1e-6)


predicted, jacobian = ag.to_graph(logarithms), ag.jacfwd(logarithms)


def fit(guess, seen, doses, dose_times, times, most=40):
    """The parameters that fit concentrations, by Levenberg and Marquardt's method.

    Returns:
        The parameters, the relative standard error of each, and the guess at each step, [k, 6].
    """
    logs, damping, path = np.log(guess), 1e-2, [guess]
    residual = predicted(logs, doses, dose_times, times) - np.log(seen + 1e-6)
    for _ in range(most):
        slopes = jacobian(logs, doses, dose_times, times)
        normal = slopes.T @ slopes
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), slopes.T @ residual)
        trial = logs - np.clip(step, -1.0, 1.0)
        left = predicted(trial, doses, dose_times, times) - np.log(seen + 1e-6)
        if left @ left < residual @ residual:
            logs, residual, damping = trial, left, damping / 5.0
            path.append(np.exp(logs))
            if np.max(np.abs(step)) < 1e-9:
                break
        else:
            damping *= 5.0
            if damping > 1e8:
                break
    slopes = jacobian(logs, doses, dose_times, times)
    variance = residual @ residual / (len(seen) - len(logs))
    errors = np.sqrt(variance * np.diag(np.linalg.inv(slopes.T @ slopes)))
    return np.exp(logs), errors, np.array(path)


def deviation(dose_times, parameters, doses, wanted, times):
    """How far the concentrations are from the one that is wanted: their mean square, in (mg/l)2."""
    return np.mean((concentrations(parameters, doses, dose_times, times) - wanted) ** 2)


def schedule(dose_times, parameters, doses, wanted, times, steps=200, rate=1.0):
    """When to take doses so that the concentration stays near the one wanted, by gradients."""
    slope = ag.value_and_grad(deviation)
    value, gradient = slope(dose_times, parameters, doses, wanted, times)
    for _ in range(steps):
        trial = np.maximum(dose_times - rate * gradient, 0.0)
        found, other = slope(trial, parameters, doses, wanted, times)
        if found < value and np.all(np.diff(trial) > 0.0):
            dose_times, value, gradient, rate = trial, found, other, 1.5 * rate
        else:
            rate *= 0.5
    return dose_times, value


def patient(seed=0):
    """Doses, their times, when blood was taken and what was in it, with errors of 5 %."""
    rng = np.random.default_rng(seed)
    doses, dose_times = np.array([200.0, 100.0, 100.0, 100.0]), np.array([0.0, 11.5, 24.0, 37.0])
    early = [0.4, 0.7, 0.9, 1.3, 2.0, 3.0, 5.0, 8.0, 11.0, 12.4, 13.0, 15.0]
    times = np.array([*early, 20.0, 24.3, 26.0, 30.0, 36.0, 38.0, 42.0, 50.0, 60.0, 75.0])
    exact = concentrations(TRUE, doses, dose_times, times)
    return doses, dose_times, times, exact * np.exp(0.05 * rng.normal(size=len(times)))


def main() -> None:
    doses, dose_times, times, seen = patient()
    guess = np.array([2.0, 3.0, 50.0, 2.0, 20.0, 0.3])
    found, errors, _ = fit(guess, seen, doses, dose_times, times)
    for name, true, value, error in zip(NAMES, TRUE, found, errors):
        print(f"{name:14} {value:8.3f} +- {value * error:.3f}   in truth {true:g}")
    first, later = np.array([0.0, 5.0, 10.0, 15.0]), np.linspace(6.0, 48.0, 85)
    before = deviation(first, found, doses, 2.0, later)
    best, value = schedule(first, found, doses, 2.0, later)
    print("for 2 mg/l take them at", *np.round(best, 1), "h, and be", end=" ")
    print(f"off by {np.sqrt(value):.2f} mg/l in the root mean square, not {np.sqrt(before):.2f}")


if __name__ == "__main__":
    main()
