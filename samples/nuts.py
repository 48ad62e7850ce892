"""The No-U-Turn Sampler as it is printed: a recursion, in which each doubling of a path is a call.

`nuts` is Algorithm 6 of the paper, line by line, with its `while`, its recursion `build_tree` and
its dual averaging of the step. It is given the logarithm of a density, and takes the gradient by
`ag.grad` inside. The same function is one chain, or with `ag.vmap` many, each of which turns when
it wants to. Posteriors to sample are in `samples/posteriors.py`.

    python -m samples.nuts [name ...]      the moments that were found, beside those known

Sources: Hoffman & Gelman, "The No-U-Turn Sampler: adaptively setting path lengths in Hamiltonian
Monte Carlo", J. Machine Learning Research 15 (2014), 1593-1623: Algorithms 3, 4 and 6.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import autograph as ag
import ops
from samples.posteriors import POSTERIORS

MOST_LOSS = 1000.0  # of energy, before a path is given up: the paper's largest Delta
DEEPEST = 10  # after so many doublings a path is ended
GAMMA, T0, KAPPA = 0.05, 10.0, 0.75  # of dual averaging


def leapfrog(gradient, theta, r, epsilon):
    """One step of Hamilton's equations, of a place and a momentum."""
    r = r + 0.5 * epsilon * gradient(theta)
    theta = theta + epsilon * r
    return theta, r + 0.5 * epsilon * gradient(theta)


def reasonable_epsilon(log_density, gradient, theta, key):
    """A step whose acceptance crosses 1/2: Algorithm 4."""
    epsilon, r = 1.0, ops.random.normal(key, theta.shape)
    before = log_density(theta) - 0.5 * r @ r

    def gain(epsilon):
        theta_new, r_new = leapfrog(gradient, theta, r, epsilon)
        found = log_density(theta_new) - 0.5 * r_new @ r_new - before
        return found if np.isfinite(found) else -np.inf

    a = 1.0 if gain(epsilon) > np.log(0.5) else -1.0
    while a * gain(epsilon) > -a * np.log(2.0):
        epsilon = epsilon * 2.0**a
    return epsilon


def turns(theta_minus, r_minus, theta_plus, r_plus):
    """Whether a path would come nearer to itself by going on at one of its ends."""
    way = theta_plus - theta_minus
    return way @ r_minus < 0.0 or way @ r_plus < 0.0


def build_tree(log_density, gradient, theta, r, log_u, v, j, epsilon, joint0, key):
    """The ``2**j`` steps after an end of the path, in the direction ``v``.

    Returns:
        Both ends, with their momenta; a place drawn from the steps, and the number of those in the
        slice; whether to go on; the sum of the chances of acceptance, and of how many.
    """
    if j == 0:
        theta, r = leapfrog(gradient, theta, r, v * epsilon)
        joint = log_density(theta) - 0.5 * r @ r
        n = 1 if log_u <= joint else 0
        s = log_u < joint + MOST_LOSS
        alpha = np.exp(np.minimum(0.0, joint - joint0)) if joint > -np.inf else 0.0
        return theta, r, theta, r, theta, n, s, alpha, 1
    first, second, choice = ops.random.split(key, 3)
    rest = (log_u, v, j - 1, epsilon, joint0)
    theta_minus, r_minus, theta_plus, r_plus, drawn, n, s, alpha, count = build_tree(
        log_density, gradient, theta, r, *rest, first
    )
    if s:
        if v < 0:
            theta_minus, r_minus, _, _, drawn2, n2, s2, alpha2, count2 = build_tree(
                log_density, gradient, theta_minus, r_minus, *rest, second
            )
        else:
            _, _, theta_plus, r_plus, drawn2, n2, s2, alpha2, count2 = build_tree(
                log_density, gradient, theta_plus, r_plus, *rest, second
            )
        if n2 > 0 and ops.random.uniform(choice) * (n + n2) < n2:
            drawn = drawn2
        alpha, count, n = alpha + alpha2, count + count2, n + n2
        s = s2 and not turns(theta_minus, r_minus, theta_plus, r_plus)
    return theta_minus, r_minus, theta_plus, r_plus, drawn, n, s, alpha, count


def nuts(log_density, theta, key, draws, adapting, delta=0.8, grow=build_tree):
    """Draw from a density.

    Args:
        log_density: the logarithm of the density, up to a constant: of a float array of shape [n].
        theta: where to begin, float array of shape [n].
        key: of `ops.random`.
        draws, adapting: how many draws to return, and how many to make before, in which the step is
            adapted.
        delta: the mean chance of acceptance that the step is adapted to.
        grow: what makes the steps after an end of the path.

    Returns:
        The draws, [draws, n], and the steps that were made in all.
    """
    gradient = ag.grad(log_density)
    start, key = ops.random.split(key)
    epsilon = reasonable_epsilon(log_density, gradient, theta, start)
    mu, log_mean, h = np.log(10.0 * epsilon), 0.0, 0.0
    samples, steps = np.zeros((draws, len(theta))), 0
    for m in range(1, adapting + draws + 1):
        key, of_r, of_u, of_path = ops.random.split(key, 4)
        r = ops.random.normal(of_r, theta.shape)
        joint0 = log_density(theta) - 0.5 * r @ r
        log_u = joint0 + np.log(1.0 - ops.random.uniform(of_u))
        theta_minus, theta_plus, r_minus, r_plus = theta, theta, r, r
        j, n, s, alpha, count = 0, 1, True, 0.0, 1
        while s and j < DEEPEST:
            of_path, direction, branch, choice = ops.random.split(of_path, 4)
            v = -1.0 if ops.random.uniform(direction) < 0.5 else 1.0
            rest = (log_u, v, j, epsilon, joint0, branch)
            if v < 0:
                theta_minus, r_minus, _, _, drawn, n2, s2, alpha, count = grow(
                    log_density, gradient, theta_minus, r_minus, *rest
                )
            else:
                _, _, theta_plus, r_plus, drawn, n2, s2, alpha, count = grow(
                    log_density, gradient, theta_plus, r_plus, *rest
                )
            if s2 and ops.random.uniform(choice) * n < n2:
                theta = drawn
            n = n + n2
            s = s2 and not turns(theta_minus, r_minus, theta_plus, r_plus)
            j, steps = j + 1, steps + count
        if m <= adapting:
            h = (1.0 - 1.0 / (m + T0)) * h + (delta - alpha / count) / (m + T0)
            log_epsilon = mu - np.sqrt(m) / GAMMA * h
            log_mean = m**-KAPPA * log_epsilon + (1.0 - m**-KAPPA) * log_mean
            epsilon = np.exp(log_epsilon if m < adapting else log_mean)
        else:
            samples[m - adapting - 1] = theta
    return samples, steps


def sampler(log_density, grow=build_tree):
    """A compiled function of where to begin, a key, and how often to draw and to adapt."""
    return ag.to_graph(
        lambda theta, key, draws, adapting: nuts(
            log_density, theta, key, draws, adapting, grow=grow
        )
    )


def mean_and_error(values, batches=20):
    """The mean of a chain, and its standard error by the means of batches."""
    means = np.mean(np.reshape(values[: len(values) // batches * batches], (batches, -1)), axis=1)
    return np.mean(values), np.std(means, ddof=1) / np.sqrt(batches)


def report(names, sampler) -> None:
    """Print the moments of some posteriors, or of all, as a sampler finds them."""
    for name in names or POSTERIORS:
        posterior, start = POSTERIORS[name], time.perf_counter()
        sample = sampler(posterior.log_density)
        sample(posterior.start, ops.random.key(0), 1, 0)
        first, start = time.perf_counter() - start, time.perf_counter()
        draws, steps = sample(posterior.start, ops.random.key(0), 1000, 300)
        seconds = time.perf_counter() - start
        mean, error = mean_and_error(posterior.statistic(draws))
        print(f"{name:24} {mean:8.4f} +- {error:.4f}, known {posterior.mean():8.4f}", end="; ")
        print(f"first draw {first:.2f} s, {steps} steps in {seconds:.2f} s", flush=True)


if __name__ == "__main__":
    report(sys.argv[1:], sampler)
