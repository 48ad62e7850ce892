"""Programs with the rest of the syntax: annotations, del, f-strings, stars, literals."""

from __future__ import annotations

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


@programs.smooth(2.0)
def annotated(x: float) -> float:
    """A docstring."""
    y: float = x * 2
    z: float
    z = y + 1
    return z


@programs(2.0)
def deleted_and_bound_again(x):
    y = x * 2
    del y
    y = x + 1
    z, w = y, x
    del z, w
    return y


@programs("model", np.zeros((2, 3)))
def f_strings_of_statics(name, x):
    label = f"{name}: {x.shape} {x.ndim!r:>4} {'a' if x.size else 'b'}"
    print(label)
    return label


@programs(np.arange(5.0))
def star_assignments(x):
    a, *middle, b = x
    (c, d), *rest = [(a, b), 1, 2]
    return a, middle, b, c + d, rest


@programs(1.0)
def chained_assignment(x):
    a = b = c = x
    b += 1
    return a, b, c


@programs(3)
def literals(n):
    return 0x10 + n, 1_000 * n, 1e-3 * n, 2j * n, True, None, "text", b"bytes", ...


@programs(np.arange(6.0).reshape(2, 3))
def subscripts(m):
    return m[0], m[:, 1], m[..., -1], m[None, 0, :2], m[::-1, ::2], m[1][2]


@programs(2.0)
def augmented(x):
    a, b = x, 3
    a += 1
    a -= 0.5
    a *= 2
    a /= 4
    a **= 2
    b //= 2
    b %= 5
    b <<= 2
    b |= 1
    b ^= 3
    b &= 7
    return a, b


@programs(np.array([1.0, 2.0]))
def pass_and_ellipsis(x):
    if x[0] > 0:
        pass
    else:
        ...
    for _ in x:
        pass
    return x


@programs(2.0)
def imports_inside(x):
    import math
    from math import pi as tau_half

    return x * math.e + tau_half


@programs(np.array([3.0, 1.0]))
def swaps_and_rotations(x):
    a, b = x
    a, b = b, a
    (a, b), c = (b, a + b), a
    return a, b, c


@programs(np.array([[1.0, 2.0], [3.0, 4.0]]))
def matrix_operators(m):
    v = m @ m[0]
    m2 = m.T @ m
    return v, m2, m @ m @ m


@programs(4)
def conditional_expressions_nested(n):
    return "a" if n is None else (n if n < 3 else n * 2 if n < 5 else n * 3)


@programs(2.0)
def names_like_the_compilers(x):
    ops, np_, x_0, x_1, t_0, then_0, body_0 = x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6
    if x > 0:
        x_1 = ops * 2
        t_0 = x_1
    for t in (x_0, x_1, t_0):
        body_0 += t * then_0
    return ops + np_ + x_0 + x_1 + t_0 + then_0 + body_0


@programs(3.0)
def unicode_names(θ):
    Δ = θ * 0.1
    while Δ < 1:
        Δ *= 2
    return Δ


@programs(2, 3)
def positional_only(a, /, b, *, c=4):
    return a * b + c


@programs(2.0)
def long_expression(x):
    return (
        x + x * 2 + x * 3 + x * 4 + x * 5 + x * 6 + x * 7 + x * 8 + x * 9 + x * 10
        + np.sin(x) - np.cos(x) / (1 + x**2) - -x + (x - (x - (x - (x - 1))))
    )  # fmt: skip


@programs(2.0)
def string_building(x):
    parts = []
    for k in ("a", "b"):
        parts.append(k * 2)
    name = "-".join(parts) + "!"
    table = {name: x}
    return table[name], name.upper(), name[0], len(name)


@programs(np.array([1.0, 2.0]))
def conditional_import_of_shape(x):
    (n,) = x.shape
    rows = x.reshape(1, n)
    assert rows.shape == (1, 2), "static"
    return rows
