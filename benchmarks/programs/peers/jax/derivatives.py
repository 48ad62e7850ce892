"""Derivatives with JAX: by `jax.grad`, `jacrev`, `jacfwd`, `hessian`, `jvp` and `vmap`."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.beside.rebound import rebound
from benchmarks.programs import derivatives
from benchmarks.programs.peers.jax.maker import maker

NOTES = {
    "lenet": "the library's convolution and windows of maxima",
    "attention": "all heads at once",
    "log_likelihood": "all components at once",
    "logistic": "all rows at once",
    "reprojection": "both branches under vmap, guarded",
    "contact": "both branches under vmap",
    "march": "all rays at once",
    "determinant": "each minor as a sum over columns, with masks",
}
NOTES |= {f"{name} forward": NOTES[name] for name in ("lenet", "attention", "log_likelihood")}
sigmoid = jax.nn.sigmoid


def lenet(kernels, bias, weights, shift, images, labels):
    layout = ("NHWC", "HWIO", "NHWC")
    hidden = lax.conv_general_dilated(images, kernels, (1, 1), "VALID", dimension_numbers=layout)
    hidden = jax.nn.relu(hidden + bias)
    hidden = lax.reduce_window(hidden, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    logs = jax.nn.log_softmax(hidden.reshape(len(images), -1) @ weights + shift)
    return -jnp.mean(logs[jnp.arange(len(labels)), labels])


def attention(queries, keys, values, x):
    q, k, v = (jnp.einsum("ld,hdw->hlw", x, each) for each in (queries, keys, values))
    scores = jnp.einsum("hqw,hkw->hqk", q, k) / jnp.sqrt(queries.shape[2])
    mask = jnp.tril(jnp.ones((len(x), len(x)), dtype=bool))
    return jnp.sum((jax.nn.softmax(jnp.where(mask, scores, -1e9)) @ v) ** 2)


def lstm(w, u, b, inputs):
    width = u.shape[0]

    def step(state, x):
        h, c = state
        gates = x @ w + h @ u + b
        keep, new, show, cell = jnp.split(gates, 4, axis=1)
        c = sigmoid(keep) * c + sigmoid(new) * jnp.tanh(cell)
        return (sigmoid(show) * jnp.tanh(c), c), None

    zeros = jnp.zeros((inputs.shape[1], width))
    return jnp.mean(lax.scan(step, (zeros, zeros), inputs)[0][0] ** 2)


def gru(w, u, b, inputs):
    def step(state, x):
        h, loss = state
        update = sigmoid(w[0] @ x + u[0] @ h + b[0])
        reset = sigmoid(w[1] @ x + u[1] @ h + b[1])
        proposed = jnp.tanh(w[2] @ x + u[2] @ (reset * h) + b[2])
        h = (1.0 - update) * h + update * proposed
        return (h, loss + jnp.sum(h**2)), None

    start = jnp.zeros(u.shape[1]), jnp.zeros(())
    return lax.scan(step, start, inputs)[0][1]


def hessian_times_vector(centres, points, direction):
    slope = jax.grad(rebound(derivatives.k_means_cost, np=jnp))
    return jax.jvp(lambda c: slope(c, points), (centres,), (direction,))[1]


def log_likelihood(weights, means, logs, lower, x):
    dimensions = means.shape[1]
    rows, columns = jnp.tril_indices(dimensions, -1)
    factors = jax.vmap(jnp.diag)(jnp.exp(logs)).at[:, rows, columns].set(lower)
    scaled = jnp.einsum("kij,nkj->nki", factors, x[:, None, :] - means)
    terms = weights + jnp.sum(logs, axis=1) - 0.5 * jnp.sum(scaled**2, axis=2)
    total = jnp.sum(jax.nn.logsumexp(terms, axis=1))
    return total - len(x) * jnp.log(jnp.sum(jnp.exp(weights)))


def reprojection(camera, point, weight, seen):
    rotation, centre, axis = camera[:3], camera[3:6], camera[9:11]
    focal, k1, k2 = camera[6], camera[7], camera[8]
    moved = point - centre
    square = jnp.sum(rotation**2)

    def turned(_):
        angle = jnp.sqrt(jnp.where(square > 1e-12, square, 1.0))
        direction = rotation / angle
        along = jnp.dot(direction, moved) * (1.0 - jnp.cos(angle))
        cross = jnp.cross(direction, moved) * jnp.sin(angle)
        return moved * jnp.cos(angle) + cross + direction * along

    def little(_):
        return moved + jnp.cross(rotation, moved)

    moved = lax.cond(square > 1e-12, turned, little, None)
    flat = moved[:2] / moved[2]
    radius = jnp.sum(flat**2)
    projected = flat * (1.0 + k1 * radius + k2 * radius**2) * focal + axis
    return weight * (projected - seen)


def hand(angles, bones, skin, weights, targets):
    rotation, origin, moved = jnp.eye(3), jnp.zeros(3), jnp.zeros_like(skin)
    for i in range(len(bones)):
        s, c = jnp.sin(angles[2 * i]), jnp.cos(angles[2 * i])
        bend = jnp.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
        s, c = jnp.sin(angles[2 * i + 1]), jnp.cos(angles[2 * i + 1])
        turn = jnp.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        rotation = rotation @ bend @ turn
        origin = origin + rotation @ bones[i]
        moved += weights[:, i : i + 1] * (skin @ rotation.T + origin)
    return (moved - targets).ravel()


def determinant(matrix):
    n = len(matrix)
    columns = jnp.arange(n)

    def step(minors, chosen):
        bits = (chosen >> columns) & 1
        row = jnp.sum(bits) - 1
        signs = (-1.0) ** (row + jnp.cumsum(bits) - 1)
        others = minors[chosen ^ (1 << columns)]
        total = jnp.sum(jnp.where(bits == 1, signs * matrix[row] * others, 0.0))
        return minors.at[chosen].set(total), None

    start = jnp.zeros(2**n).at[0].set(1.0)
    return lax.scan(step, start, jnp.arange(1, 2**n))[0][-1]


def predator_prey(rates, start, times):
    def growth(y):
        prey, predators = y
        eaten = prey * predators
        return jnp.array(
            [rates[0] * prey - rates[1] * eaten, rates[2] * eaten - rates[3] * predators]
        )

    def step(state, h):
        y, loss = state
        a = growth(y)
        b = growth(y + 0.5 * h * a)
        c = growth(y + 0.5 * h * b)
        d = growth(y + h * c)
        y = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        return (y, loss + jnp.sum((y - 1.0) ** 2)), None

    return lax.scan(step, (start, jnp.zeros(())), times[1:] - times[:-1])[0][1]


def contact_force(state):
    height, speed = state[0], state[2:4]

    def free(_):
        return jnp.array([0.0, -9.81])

    def touching(_):
        normal = -100.0 * height - 2.0 * speed[1]
        slide = 0.5 * normal
        drag = 10.0 * speed[0]
        drag = jnp.where(jnp.abs(drag) > slide, slide * jnp.sign(drag), drag)
        return jnp.array([-drag, normal - 9.81])

    return jnp.concatenate((speed, lax.cond(height > 0.0, free, touching, None)))


def call_price(price, strike, years, rate, volatility):
    steps = 50
    dt = years / steps
    up = jnp.exp(volatility * jnp.sqrt(dt))
    chance = (jnp.exp(rate * dt) - 1.0 / up) / (up - 1.0 / up)
    ends = price * up ** (2.0 * jnp.arange(steps + 1) - steps)

    def back(_, state):
        values, ends = state
        held = jnp.exp(-rate * dt) * (chance * values[1:] + (1.0 - chance) * values[:-1])
        ends = ends * up
        return jnp.maximum(values.at[:-1].set(held), strike - ends), ends

    return lax.fori_loop(0, steps, back, (jnp.maximum(strike - ends, 0.0), ends))[0][0]


log_posterior = rebound(derivatives.log_posterior, np=jnp)


def hamiltonian(position, momentum, step, x, labels):
    slope = jax.grad(log_posterior)
    momentum = momentum + 0.5 * step * slope(position, x, labels)

    def leap(_, state):
        position, momentum = state
        position = position + step * momentum
        return position, momentum + step * slope(position, x, labels)

    position, momentum = lax.fori_loop(0, 20, leap, (position, momentum))
    momentum = momentum - 0.5 * step * slope(position, x, labels)
    energy = log_posterior(position, x, labels) - 0.5 * jnp.sum(momentum**2)
    return position, momentum, energy


def logistic_loss(weights, x, labels):
    scores = x @ weights
    total = jnp.sum(jnp.log(1.0 + jnp.exp(scores)) - labels * scores)
    return total / len(x) + 0.01 * jnp.sum(weights**2)


def march(spheres, rays):
    def path(ray):
        def step(t, _):
            away = 10.0
            for sphere in spheres:
                other = jnp.sqrt(jnp.sum((t * ray - sphere[:3]) ** 2)) - sphere[3]
                away = -jnp.log(jnp.exp(-4.0 * away) + jnp.exp(-4.0 * other)) / 4.0
            return t + away, None

        t, _ = lax.scan(step, 0.0, None, length=16)
        return jnp.tanh(0.2 * t)

    return jnp.mean(jax.vmap(path)(rays))


def _gradient(function: Callable, count: int) -> Callable:
    return maker(jax.grad(function, argnums=tuple(range(count))))


mlp = rebound(derivatives.mlp, np=jnp)
MAKERS = {
    "lenet": _gradient(lenet, 4),
    "mlp": _gradient(mlp, 6),
    "attention": _gradient(attention, 3),
    "lstm": _gradient(lstm, 3),
    "gru": _gradient(gru, 3),
    "k_means": maker(hessian_times_vector),
    "log_likelihood": _gradient(log_likelihood, 4),
    "reprojection": maker(jax.vmap(jax.jacrev(reprojection, argnums=(0, 1, 2)))),
    "hand": maker(jax.jacfwd(hand)),
    "determinant": maker(jax.grad(determinant)),
    "predator_prey": _gradient(predator_prey, 2),
    "contact": maker(jax.vmap(jax.jacrev(contact_force))),
    "option": maker(jax.vmap(jax.value_and_grad(call_price, argnums=(0, 1, 2, 3, 4)))),
    "hamiltonian": maker(hamiltonian),
    "logistic": maker(jax.hessian(logistic_loss)),
    "march": maker(jax.grad(march)),
}
FORWARD = (lenet, mlp, attention, lstm, gru, log_likelihood, predator_prey)
MAKERS |= {f"{each.__name__} forward": maker(each) for each in FORWARD}
