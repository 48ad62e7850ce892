"""REINFORCE on a small cart and pole."""

from either import grad, np

rng = np.random.RandomState(0)


def physics(s, force):
    x, v, a, w = s
    cos, sin = np.cos(a), np.sin(a)
    temp = (force + 0.05 * w**2 * sin) / 1.1
    alpha = (9.8 * sin - cos * temp) / (0.5 * (4.0 / 3.0 - 0.1 * cos**2 / 1.1))
    acc = temp - 0.05 * alpha * cos / 1.1
    return np.array([x + 0.02 * v, v + 0.02 * acc, a + 0.02 * w, w + 0.02 * alpha])


def logits(params, states):
    w1, b1, w2, b2 = params
    return np.dot(np.tanh(np.dot(states, w1) + b1), w2) + b2


def surrogate(params, states, actions, advantages):
    z = logits(params, states)
    top = np.max(z, axis=1, keepdims=True)
    log_p = z - top - np.log(np.sum(np.exp(z - top), axis=1, keepdims=True))
    return -np.mean(log_p[np.arange(len(actions)), actions] * advantages)


def episode(params):
    s, states, actions = 0.05 * rng.randn(4), [], []
    while len(states) < 150 and abs(s[0]) < 2.4 and abs(s[2]) < 0.21:
        z = logits(params, s[None, :])[0]
        p = np.exp(z - np.max(z))
        p = p / np.sum(p)
        action = int(rng.rand() < p[1])
        states.append(s)
        actions.append(action)
        s = physics(s, 10.0 if action else -10.0)
    return np.array(states), np.array(actions)


gradient = grad(surrogate)
params = [0.3 * rng.randn(4, 16), np.zeros(16), 0.1 * rng.randn(16, 2), np.zeros(2)]
lengths = []
for _i in range(60):
    states, actions = episode(params)
    rewards = np.arange(len(states), 0, -1.0)
    advantages = (rewards - rewards.mean()) / (rewards.std() + 1e-8)
    g = gradient(params, states, actions, advantages)
    params = [p - 0.1 * d for p, d in zip(params, g)]
    lengths.append(len(states))
print(lengths)
print(f"{sum(np.sum(p) for p in params):.6f}")
