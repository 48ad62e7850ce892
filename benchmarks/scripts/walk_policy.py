"""A policy gradient on a walk along a line, with a baseline."""

import numpy as onp
from either import grad, np

rng = onp.random.default_rng(10)
N = 7


def log_policy(theta, states, actions, returns):
    z = theta[states]
    z = z - np.reshape(np.log(np.sum(np.exp(z), axis=1)), (-1, 1))
    return np.sum(z[onp.arange(len(actions)), actions] * returns)


def episode(theta):
    state, states, actions = N // 2, [], []
    for _ in range(20):
        z = onp.exp(theta[state] - theta[state].max())
        action = int(rng.uniform() < z[1] / z.sum())
        states.append(state)
        actions.append(action)
        state += 1 if action else -1
        if state in (0, N - 1):
            break
    return onp.array(states), onp.array(actions), float(state == N - 1)


gradient = grad(log_policy)
theta, baseline = onp.zeros((N, 2)), 0.0
for it in range(80):
    states, actions, reward = episode(theta)
    returns = (reward - baseline) * onp.ones(len(actions))
    baseline += 0.1 * (reward - baseline)
    theta = theta + 0.5 * gradient(theta, states, actions, returns)
    if it % 20 == 0:
        print(it, round(baseline, 5), round(float(theta.sum()), 5))
