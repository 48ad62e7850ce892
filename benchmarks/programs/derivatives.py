"""Functions of which derivatives are taken: networks, statistics, physics."""

from __future__ import annotations

import numpy as np

from benchmarks.programs.program import MANY, Program


def conv_layer(x, kernels, bias):
    """A convolution of images (count, height, width, channels), by windows."""
    size = kernels.shape[0]
    height, width = x.shape[1] - size + 1, x.shape[2] - size + 1
    out = np.zeros((x.shape[0], height, width, kernels.shape[3]))
    for i in range(height):
        for j in range(width):
            window = x[:, i : i + size, j : j + size, :]
            out[:, i, j, :] = np.sum(window[..., None] * kernels, axis=(1, 2, 3))
    return out + bias


def max_pool(x):
    out = np.zeros((x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]))
    for i in range(out.shape[1]):
        for j in range(out.shape[2]):
            out[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return out


def lenet(kernels, bias, weights, shift, images, labels):
    hidden = max_pool(np.maximum(conv_layer(images, kernels, bias), 0.0))
    scores = hidden.reshape(len(images), -1) @ weights + shift
    scores = scores - np.max(scores, axis=1, keepdims=True)
    logs = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    return -np.mean(logs[np.arange(len(labels)), labels])


def lenet_arguments(n):
    rng = np.random.default_rng(1)
    kernels, bias = 0.2 * rng.normal(size=(5, 5, 1, 6)), np.zeros(6)
    weights, shift = 0.1 * rng.normal(size=(6 * 6 * 6, 10)), np.zeros(10)
    return kernels, bias, weights, shift, rng.random((n, 16, 16, 1)), rng.integers(0, 10, n)


def mlp(w1, b1, w2, b2, w3, b3, x, targets):
    hidden = np.tanh(x @ w1 + b1)
    hidden = np.tanh(hidden @ w2 + b2)
    return np.mean((hidden @ w3 + b3 - targets) ** 2)


def mlp_arguments(n):
    rng = np.random.default_rng(2)
    widths = (20, n, n, 3)
    layers = []
    for before, after in zip(widths, widths[1:]):
        layers += [rng.normal(size=(before, after)) / np.sqrt(before), np.zeros(after)]
    return *layers, rng.normal(size=(64, 20)), rng.normal(size=(64, 3))


def attention(queries, keys, values, x):
    """Causal attention, one head after the other."""
    heads, _, width = queries.shape
    length = len(x)
    mask = np.tril(np.ones((length, length))) == 0.0
    total = 0.0
    for h in range(heads):
        q, k, v = x @ queries[h], x @ keys[h], x @ values[h]
        scores = np.where(mask, -1e9, q @ k.T / np.sqrt(width))
        shares = np.exp(scores - np.max(scores, axis=1, keepdims=True))
        shares = shares / np.sum(shares, axis=1, keepdims=True)
        total = total + np.sum((shares @ v) ** 2)
    return total


def attention_arguments(n):
    rng = np.random.default_rng(3)
    return *(0.2 * rng.normal(size=(3, 4, 32, 8))), rng.normal(size=(n, 32))


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def lstm(w, u, b, inputs):
    width = u.shape[0]
    h = np.zeros((inputs.shape[1], width))
    c = np.zeros((inputs.shape[1], width))
    for t in range(len(inputs)):
        gates = inputs[t] @ w + h @ u + b
        keep, new = sigmoid(gates[:, :width]), sigmoid(gates[:, width : 2 * width])
        show, cell = sigmoid(gates[:, 2 * width : 3 * width]), np.tanh(gates[:, 3 * width :])
        c = keep * c + new * cell
        h = show * np.tanh(c)
    return np.mean(h**2)


def lstm_arguments(n):
    rng = np.random.default_rng(4)
    w, u = 0.3 * rng.normal(size=(8, 4 * n)), 0.3 * rng.normal(size=(n, 4 * n))
    return w, u, np.zeros(4 * n), rng.normal(size=(30, 8, 8))


def gru(w, u, b, inputs):
    width = u.shape[1]
    h = np.zeros(width)
    loss = 0.0
    for x in inputs:
        update = sigmoid(w[0] @ x + u[0] @ h + b[0])
        reset = sigmoid(w[1] @ x + u[1] @ h + b[1])
        proposed = np.tanh(w[2] @ x + u[2] @ (reset * h) + b[2])
        h = (1.0 - update) * h + update * proposed
        loss += np.sum(h**2)
    return loss


def gru_arguments(n):
    rng = np.random.default_rng(5)
    w, u = 0.3 * rng.normal(size=(3, n, 6)), 0.3 * rng.normal(size=(3, n, n))
    return w, u, np.zeros((3, n)), rng.normal(size=(60, 6))


def k_means_cost(centres, points):
    distances = np.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2)
    return np.sum(np.min(distances, axis=1))


def k_means_arguments(n):
    rng = np.random.default_rng(6)
    return rng.random((10, 4)), rng.random((n, 4)), rng.random((10, 4))


def log_likelihood(weights, means, logs, lower, x):
    """Of a mixture of normal distributions, by the factors of their precisions."""
    components, dimensions = means.shape
    terms = np.zeros((len(x), components))
    for k in range(components):
        factor = np.diag(np.exp(logs[k]))
        place = 0
        for i in range(dimensions):
            for j in range(i):
                factor[i, j] = lower[k, place]
                place += 1
        scaled = (x - means[k]) @ factor.T
        terms[:, k] = weights[k] + np.sum(logs[k]) - 0.5 * np.sum(scaled**2, axis=1)
    top = np.max(terms, axis=1)
    total = np.sum(top + np.log(np.sum(np.exp(terms - top[:, None]), axis=1)))
    return total - len(x) * np.log(np.sum(np.exp(weights)))


def mixture_arguments(n):
    rng = np.random.default_rng(7)
    d, k = 4, 5
    lower = 0.1 * rng.normal(size=(k, d * (d - 1) // 2))
    logs = 0.1 * rng.normal(size=(k, d))
    return rng.normal(size=k), rng.normal(size=(k, d)), logs, lower, rng.normal(size=(n, d))


def reprojection(camera, point, weight, seen):
    """The error of one observation of a camera with eleven parameters."""
    rotation, centre, axis = camera[:3], camera[3:6], camera[9:11]
    focal, k1, k2 = camera[6], camera[7], camera[8]
    moved = point - centre
    square = np.sum(rotation**2)
    if square > 1e-12:
        angle = np.sqrt(square)
        direction = rotation / angle
        along = np.dot(direction, moved) * (1.0 - np.cos(angle))
        moved = (
            moved * np.cos(angle) + np.cross(direction, moved) * np.sin(angle) + direction * along
        )
    else:
        moved = moved + np.cross(rotation, moved)
    flat = moved[:2] / moved[2]
    radius = np.sum(flat**2)
    projected = flat * (1.0 + k1 * radius + k2 * radius**2) * focal + axis
    return weight * (projected - seen)


def bundle_arguments(n):
    rng = np.random.default_rng(8)
    cameras = 0.1 * rng.normal(size=(n, 11))
    cameras[: n // 8, :3] = 0.0
    points = rng.normal(size=(n, 3)) + np.array([0.0, 0.0, 5.0])
    return cameras, points, rng.random(n), rng.normal(size=(n, 2))


def hand(angles, bones, skin, weights, targets):
    """Distances of a skin that follows a chain of bones."""
    rotation, origin = np.eye(3), np.zeros(3)
    moved = np.zeros_like(skin)
    for i in range(len(bones)):
        s, c = np.sin(angles[2 * i]), np.cos(angles[2 * i])
        bend = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
        s, c = np.sin(angles[2 * i + 1]), np.cos(angles[2 * i + 1])
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        rotation = rotation @ bend @ turn
        origin = origin + rotation @ bones[i]
        moved += weights[:, i : i + 1] * (skin @ rotation.T + origin)
    return (moved - targets).ravel()


def hand_arguments(n):
    rng = np.random.default_rng(9)
    weights = rng.random((n, 8))
    weights /= np.sum(weights, axis=1, keepdims=True)
    angles, bones = 0.3 * rng.normal(size=16), rng.normal(size=(8, 3))
    return angles, bones, rng.normal(size=(n, 3)), weights, rng.normal(size=(n, 3))


def determinant(matrix):
    """By minors, whose rows and columns are chosen by bits."""
    n = len(matrix)
    minors = np.zeros(2**n)
    minors[0] = 1.0
    for chosen in range(1, 2**n):
        row = -1
        for j in range(n):
            row += (chosen >> j) & 1
        sign = 1.0 if row % 2 == 0 else -1.0
        total = 0.0
        for j in range(n):
            if (chosen >> j) & 1 == 1:
                total += sign * matrix[row, j] * minors[chosen ^ (1 << j)]
                sign = -sign
        minors[chosen] = total
    return minors[-1]


def minors_arguments(n):
    return (np.random.default_rng(10).normal(size=(n, n)),)


def predator_prey(rates, start, times):
    """A misfit of Runge-Kutta's solution of the equations of Lotka and Volterra."""
    y = start
    loss = 0.0
    for i in range(len(times) - 1):
        h = times[i + 1] - times[i]
        a = growth(rates, y)
        b = growth(rates, y + 0.5 * h * a)
        c = growth(rates, y + 0.5 * h * b)
        d = growth(rates, y + h * c)
        y = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        loss += (y[0] - 1.0) ** 2 + (y[1] - 1.0) ** 2
    return loss


def growth(rates, y):
    prey, predators = y[0], y[1]
    return np.array(
        [
            rates[0] * prey - rates[1] * prey * predators,
            rates[2] * prey * predators - rates[3] * predators,
        ]
    )


def predator_prey_arguments(n):
    return np.array([1.1, 0.4, 0.1, 0.4]), np.array([2.0, 1.5]), 0.02 * np.arange(n)


def contact_force(state):
    """The forces of a ball on a floor, with friction that sticks or slides."""
    height, speed = state[0], state[2:4]
    if height > 0.0:
        force = np.array([0.0, -9.81])
    else:
        normal = -100.0 * height - 2.0 * speed[1]
        slide = 0.5 * normal
        drag = 10.0 * speed[0]
        if abs(drag) > slide:
            drag = slide * np.sign(drag)
        force = np.array([-drag, normal - 9.81])
    return np.concatenate((speed, force))


def contact_arguments(n, draw=0):
    return (np.random.default_rng((11, draw)).normal(size=(n, 4)),)


def call_price(price, strike, years, rate, volatility):
    """An option's price on a binomial tree, exercised when that is worth more."""
    steps = 50
    dt = years / steps
    up = np.exp(volatility * np.sqrt(dt))
    chance = (np.exp(rate * dt) - 1.0 / up) / (up - 1.0 / up)
    ends = price * up ** (2.0 * np.arange(steps + 1) - steps)
    values = np.maximum(strike - ends, 0.0)
    for _ in range(steps):
        values[:-1] = np.exp(-rate * dt) * (chance * values[1:] + (1.0 - chance) * values[:-1])
        ends = ends * up
        values = np.maximum(values, strike - ends)
    return values[0]


def option_arguments(n):
    rng = np.random.default_rng(12)
    return (
        90.0 + 20.0 * rng.random(n),
        90.0 + 20.0 * rng.random(n),
        0.5 + rng.random(n),
        0.02 + 0.03 * rng.random(n),
        0.1 + 0.2 * rng.random(n),
    )


def log_posterior(weights, x, labels):
    scores = x @ weights
    return np.sum(labels * scores - np.log(1.0 + np.exp(scores))) - 0.5 * np.sum(weights**2)


def hamiltonian_step(gradient, position, momentum, step, x, labels):
    """A proposal of Hamiltonian Monte Carlo: 20 leaps. ``gradient`` is that of the posterior."""
    momentum = momentum + 0.5 * step * gradient(position, x, labels)
    for _ in range(20):
        position = position + step * momentum
        momentum = momentum + step * gradient(position, x, labels)
    momentum = momentum - 0.5 * step * gradient(position, x, labels)
    energy = log_posterior(position, x, labels) - 0.5 * np.sum(momentum**2)
    return position, momentum, energy


def regression_arguments(n):
    rng = np.random.default_rng(13)
    x = rng.normal(size=(n, 10))
    return 0.1 * rng.normal(size=10), x, (rng.random(n) < 0.5).astype(np.float64)


def hamiltonian_arguments(n):
    weights, x, labels = regression_arguments(n)
    return weights, np.random.default_rng(14).normal(size=10), 0.02, x, labels


def logistic_loss(weights, x, labels):
    total = 0.0
    for i in range(len(x)):
        score = np.dot(x[i], weights)
        total += np.log(1.0 + np.exp(score)) - labels[i] * score
    return total / len(x) + 0.01 * np.sum(weights**2)


def march(spheres, rays):
    """Steps of rays as far as the nearest of spheres that melt into each other is away, and a mean
    of how far they get."""
    total = 0.0
    for r in range(len(rays)):
        t = 0.0
        for _ in range(16):
            away = 10.0
            for s in range(len(spheres)):
                x = t * rays[r, 0] - spheres[s, 0]
                y = t * rays[r, 1] - spheres[s, 1]
                z = t * rays[r, 2] - spheres[s, 2]
                other = np.sqrt(x**2 + y**2 + z**2) - spheres[s, 3]
                away = -np.log(np.exp(-4.0 * away) + np.exp(-4.0 * other)) / 4.0
            t += away
        total += np.tanh(0.2 * t)
    return total / len(rays)


def march_arguments(n):
    rng = np.random.default_rng(25)
    spheres = np.hstack([rng.normal(size=(3, 3)), 0.3 + rng.random((3, 1))])
    return spheres, 0.5 * rng.normal(size=(n, 3))


PROGRAMS = {
    "lenet": Program("LeNet by windows, 8 x 16 x 16, gradient", lenet, lenet_arguments, 8, 2),
    "mlp": Program("MLP, 20-64-64-3, gradient", mlp, mlp_arguments, 64, 5),
    "attention": Program("attention, 4 heads, 64, gradient", attention, attention_arguments, 64, 5),
    "lstm": Program("LSTM, 30 steps, 8 x 32, gradient", lstm, lstm_arguments, 32, 4),
    "gru": Program("GRU, 60 steps, 32, gradient", gru, gru_arguments, 32, 4),
    "k_means": Program(
        "k-means, Hessian times vector, 5000 x 4", k_means_cost, k_means_arguments, 5000, 20
    ),
    "log_likelihood": Program(
        "normal mixture, 2000 x 4, 5, gradient", log_likelihood, mixture_arguments, 2000, 10
    ),
    "reprojection": Program(
        "bundle adjustment, 2000 Jacobians", reprojection, bundle_arguments, 2000, 16
    ),
    "hand": Program("hand, 300 x 3 by 16, Jacobian", hand, hand_arguments, 300, 5),
    "determinant": Program(
        "determinant by minors, 10, gradient", determinant, minors_arguments, 10, 4
    ),
    "predator_prey": Program(
        "Lotka-Volterra, 1000 steps, gradient", predator_prey, predator_prey_arguments, 1001, 6
    ),
    "contact": Program(
        "contact with ifs, 5000 Jacobians", contact_force, contact_arguments, 5000, 12, MANY
    ),
    "option": Program("American option, 200, Greeks", call_price, option_arguments, 200, 4),
    "hamiltonian": Program(
        "Hamiltonian step, 20 leaps, 1000 x 10", hamiltonian_step, hamiltonian_arguments, 1000, 20
    ),
    "logistic": Program(
        "logistic regression, Hessian, 1000 x 10",
        logistic_loss,
        regression_arguments,
        1000,
        12,
    ),
    "march": Program(
        "200 rays marched through 3 spheres, gradient", march, march_arguments, 200, 6
    ),
}
