"""Four small functions, from the user's source to the program of the gradient.

    python samples/control_flow.py                    all of them
    python samples/control_flow.py newton_sqrt rnn    some of them

Each is shown as the user wrote it, as converted, as a graph, and as the generated program of its
gradient, with the result beside what plain Python gives.
"""

from __future__ import annotations

import argparse
import inspect
import textwrap

import numpy as np

import autograph as ag


def g(x, y):
    if np.any(x > y):
        return x * 17
    return y + 23


def newton_sqrt(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def rnn(w, u, xs, tolerance):
    """Read a sequence until the hidden state settles; returns the norm of the last state."""
    h = np.zeros(w.shape[0])
    for x in xs:
        new = np.tanh(w @ h + u @ x)
        change = np.max(np.abs(new - h))
        h = new
        if change < tolerance:
            break
    return np.sum(h * h)


def factorial(n):
    product = 1.0
    while n > 1.0:
        product = product * n
        n = n - 1.0
    return product


def examples():
    """The functions with arguments, and what of the result is differentiated."""
    rng = np.random.default_rng(0)
    w = 0.3 * rng.normal(size=(3, 3))
    u = rng.normal(size=(3, 2))
    xs = np.ones((50, 2))
    x, y = np.array([1.0, 5.0]), np.array([2.0, 3.0])
    return {
        "g": (g, (x, y), lambda x, y: np.sum(g(x, y))),
        "newton_sqrt": (newton_sqrt, (2.0,), newton_sqrt),
        "rnn": (rnn, (w, u, xs, 1e-6), rnn),
        "factorial": (factorial, (5.0,), factorial),
    }


def heading(text: str) -> None:
    print(f"\n{'-' * 8} {text} {'-' * max(70 - len(text), 0)}\n")


def show(name: str, function, args, scalar) -> None:
    compiled = ag.to_graph(function)
    gradient = ag.grad(scalar)
    heading(f"{name}: the user's source")
    print(textwrap.dedent(inspect.getsource(function)))
    heading(f"{name}: converted")
    print(compiled.converted)
    heading(f"{name}: the graph")
    print(compiled.graph(*args))
    heading(f"{name}: the program of the gradient")
    print(gradient.program(*args))
    heading(f"{name}: results")
    print("plain Python:", function(*args))
    print("compiled:    ", compiled(*args))
    print("gradient:    ", gradient(*args))


def main() -> None:
    available = examples()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(available))
    chosen = parser.parse_args().names or list(available)
    for name in chosen:
        if name not in available:
            parser.error(f"no example '{name}'; choose from {', '.join(available)}")
        show(name, *available[name])


if __name__ == "__main__":
    main()
