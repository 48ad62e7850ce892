"""Programs that leave Python, and some that cannot."""

import numpy as np

import autograph as ag
import ops
from autograph import nn

KEY = ops.random.key(0)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(3, 5))
MODEL = nn.MLP.make(KEY, [4, 6, 3], np.tanh)
BLOCK = nn.TransformerBlock.make(KEY, 8, 2, base=100.0)


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def height(v, steps):
    h = 1.0
    for _ in range(steps):
        v = v - 9.81e-3
        h = h + 1e-3 * v
        if h < 0.0:
            h, v = -h, -0.8 * v
    return h, v


def rnn(w, x):
    h = np.zeros(len(w))
    for row in x:
        h = np.tanh(w @ h + row)
    return h


def slope_of_height(v):
    return ag.value_and_grad(lambda v: height(v, 500)[0])(v)


def slope_of_rnn(w, x):
    return ag.grad(lambda w: np.sum(rnn(w, x) ** 2))(w)


def curvature(x):
    return ag.hessian(lambda x: np.sum(np.sin(x) * x[::-1]))(x)


def lanes(x):
    return ag.vmap(newton)(x)


def integers(x):
    return x // 3 + x % 5 + (x << 2) ^ (x >> 1), np.sum(x), x.astype(np.uint8), x > 2


def rounded(x):
    return np.floor(x), np.rint(x), x.astype(int), np.sign(x), np.abs(x)


def probabilities(x):
    return ops.nn.softmax(x, 1), np.argmax(x, 1), np.max(x, 0), np.prod(x)


def sieve(n):
    is_prime = np.ones(50, bool)
    is_prime[:2] = False
    for i in range(2, n):
        if is_prime[i]:
            for j in range(i * i, n, i):
                is_prime[j] = False
    return np.sum(is_prime)


def special(x):
    return (
        np.exp(x),
        np.log(np.abs(x)),
        np.arctan2(x, 2.0),
        np.power(np.abs(x), 0.3),
        np.hypot(x, x),
    )


def network(x):
    return MODEL(x)


def given_network(model, x):
    return model(x)


def transformer(x):
    return BLOCK(x, causal=True)


def drawn(key):
    return ops.random.normal(key, (5,)), ops.random.randint(key, (3,), 0, 10)


def windows(x):
    return x[:, 1:] - x[:, :-1], np.concatenate([x[0], x[:, 0]]), x.T @ x


def slopes_of_convolution(x, kernel):
    def loss(x, kernel):
        y = ops.nn.conv(x, kernel, stride=2, padding=1)
        return np.sum(ops.nn.relu(y) ** 2)

    return ag.grad(loss, argnums=(0, 1))(x, kernel)


def low(x):
    return ops.round_to(x, "bfloat16"), ops.round_to(x, "float16"), precise(x), precise(x * 1e-9)


precise = ag.precision(lambda x: np.sum(np.tanh(x[:3] @ x[1:4])))


PROGRAMS = {
    newton: (2.0,),
    height: (0.5, 700),
    rnn: (0.5 * np.eye(4), RNG.normal(size=(6, 4))),
    slope_of_height: (0.5,),
    slope_of_rnn: (0.5 * np.eye(4), RNG.normal(size=(6, 4))),
    curvature: (RNG.normal(size=4),),
    lanes: (np.array([2.0, 3.0, 5.0]),),
    integers: (np.arange(-7, 8),),
    rounded: (np.array([-2.5, -0.5, 0.0, 0.5, 1.5, 2.7]),),
    probabilities: (X,),
    sieve: (50,),
    special: (X,),
    network: (RNG.normal(size=(2, 4)).astype(np.float32),),
    given_network: (MODEL, RNG.normal(size=(2, 4)).astype(np.float32)),
    transformer: (RNG.normal(size=(5, 8)).astype(np.float32),),
    drawn: (KEY,),
    windows: (X,),
    slopes_of_convolution: (RNG.normal(size=(2, 3, 7, 6)), RNG.normal(size=(4, 3, 3, 3))),
    low: (np.float32([0.1, -1.001, 1e-7, 65520.0, -7e4, 0.0]),),
}


def recursive(n):
    return n if n < 2 else recursive(n - 1) + recursive(n - 2)


REFUSED = {
    "an operator": (lambda x: np.sort(x), np.ones(20), "no native form of the operator 'sort'"),
    "recursion": (recursive, 5, "calls itself"),
    "a length": (lambda x: x[x > 0], np.ones(3), "only at run time"),
    "an argument": (lambda x: (x, x * 2), np.ones(3), "returns an argument"),
    "a change": (lambda x: x.sort(), np.ones(3), "changes its arguments"),
}
