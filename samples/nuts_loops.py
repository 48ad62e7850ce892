"""The No-U-Turn Sampler with loops in the place of its recursion, which become one native kernel.

A tree of ``2**j`` steps is walked from its first leaf to its last one, and where a subtree is
complete its ends are compared, as `build_tree` of `samples/nuts.py` does when it comes back from
that subtree. For that the first leaf of each subtree that is not complete is remembered: there is
one at most of each size. A leaf in the slice is drawn with a chance of one by the number of those
so far, which gives each the same, as the draws between subtrees do.

    python -m samples.nuts_loops [name ...]      the moments that were found, beside those known

Sources: Hoffman & Gelman, as in `samples/nuts.py`; Phan, Pradhan & Jankowiak, "Composable Effects
for Flexible and Accelerated Probabilistic Programming in NumPyro", arXiv:1912.11554, appendix A,
for the walk.
"""

from __future__ import annotations

import sys

import numpy as np

import ops
from samples.nuts import DEEPEST, MOST_LOSS, leapfrog, report, sampler, turns


def walk_tree(log_density, gradient, theta, r, log_u, v, j, epsilon, joint0, key):
    """What `samples.nuts.build_tree` returns, of the same arguments."""
    first_theta, first_r = np.zeros((DEEPEST, len(theta))), np.zeros((DEEPEST, len(theta)))
    theta_1, r_1, drawn = theta, r, theta
    n, s, alpha, leaf = 0, True, 0.0, 0
    while s and leaf < 2**j:
        theta, r = leapfrog(gradient, theta, r, v * epsilon)
        joint = log_density(theta) - 0.5 * r @ r
        s = log_u < joint + MOST_LOSS
        if joint > -np.inf:
            alpha = alpha + np.exp(np.minimum(0.0, joint - joint0))
        if log_u <= joint:
            n = n + 1
            key, choice = ops.random.split(key)
            if ops.random.uniform(choice) * n < 1.0:
                drawn = theta
        if leaf == 0:
            theta_1, r_1 = theta, r
        # The subtrees that begin here, and those that end.
        size, level = 1, 0
        while level < j and leaf % (2 * size) == 0:
            first_theta[level], first_r[level] = theta, r
            size, level = 2 * size, level + 1
        size, level = 1, 0
        while level < j and (leaf + 1) % (2 * size) == 0:
            a, b = first_theta[level], first_r[level]
            turned = turns(a, b, theta, r) if v > 0 else turns(theta, r, a, b)
            s = s and not turned
            size, level = 2 * size, level + 1
        leaf = leaf + 1
    if v < 0:
        return theta, r, theta_1, r_1, drawn, n, s, alpha, leaf
    return theta_1, r_1, theta, r, drawn, n, s, alpha, leaf


def loop_sampler(log_density):
    """A compiled function of where to begin, a key, and how often to draw and to adapt."""
    return sampler(log_density, walk_tree)


if __name__ == "__main__":
    report(sys.argv[1:], loop_sampler)
