"""Literals that read back exactly, and parentheses where they are needed."""

import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.codegen.expressions import PRIMARY, Expression, literal, marker, parse_skeleton


def same(a, b):
    """The same type and the same bits."""
    if isinstance(a, complex):
        return type(a) is type(b) and same(a.real, b.real) and same(a.imag, b.imag)
    if isinstance(a, float) and not isinstance(a, np.generic):
        return type(a) is type(b) and struct.pack("d", a) == struct.pack("d", b)
    if isinstance(a, np.generic):
        return type(a) is type(b) and a.tobytes() == b.tobytes()
    return type(a) is type(b) and a == b


def read_back(data):
    return eval(literal(data).text, {"np": np})


@given(st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False), st.none()))
def test_python_literals(data):
    assert same(read_back(data), data)


@given(st.complex_numbers(allow_nan=False))
def test_complex_literals(data):
    assert same(read_back(data), data)
    assert same(read_back(np.complex128(data)), np.complex128(data))


@given(st.floats(width=32, allow_nan=False), st.floats(width=16, allow_nan=False))
def test_narrow_float_literals(single, half):
    for data in (np.float32(single), np.float16(half), np.float64(single)):
        assert same(read_back(data), data)


def test_special_literals():
    for data in (math.nan, -math.nan, math.inf, -math.inf, -0.0):
        assert same(read_back(data), data)
        assert str(read_back(np.float32(data))) == str(np.float32(data))
    assert literal(np.float32(0.1)).text == "np.float32(0.1)"
    assert literal(1e-12).text == "1e-12"


def test_scalars_without_a_literal():
    assert literal(np.longdouble(0.1)) is None


@pytest.mark.parametrize("dtype", ["bool_", "int8", "uint8", "int16", "int64", "uint64"])
def test_integer_literals(dtype):
    scalar = getattr(np, dtype)
    for data in (scalar(0), scalar(1)):
        assert same(read_back(data), data)


TEMPLATES = [
    "{0} + {1}",
    "{0} - {1}",
    "{0} * {1}",
    "{0} / {1}",
    "{0} ** {1}",
    "{0} < {1}",
    "{0} & {1}",
    "{0} << {1}",
    "{0} and {1}",
    "{0} or {1}",
    "{0} if {1} else {0}",
    "-{0}",
    "not {0}",
    "np.f({0}, {1})",
    "{0}[{1}]",
    "{0}.method({1})",
    "({0}, {1})",
    "({0} + {1})",
]
LEAVES = [Expression("x"), Expression("y"), literal(2), literal(-2), literal(-0.5), literal(1e300)]


@st.composite
def trees(draw, depth=3):
    """A pair of texts: put together here, and with parentheses around everything."""
    if depth == 0 or draw(st.booleans()):
        leaf = draw(st.sampled_from(LEAVES))
        return leaf, f"({leaf.text})"
    template = draw(st.sampled_from(TEMPLATES))
    parts = [draw(trees(depth - 1)) for _ in range(2)]
    skeleton = parse_skeleton(template.format(marker(0), marker(1)))
    filled = skeleton.fill([part for part, _ in parts])
    return filled, f"({template.format(*(text for _, text in parts))})"


@given(trees())
def test_parentheses_keep_the_meaning(pair):
    import ast

    expression, full = pair
    assert ast.dump(ast.parse(expression.text)) == ast.dump(ast.parse(full))


def test_no_needless_parentheses():
    def put(template, *operands):
        return parse_skeleton(template.format(*map(marker, range(len(operands))))).fill(operands)

    x, a, half = Expression("x"), Expression("a"), literal(0.5)
    total = put("{0} + {1}", x, put("{0} / {1}", a, x))
    assert put("{0} * {1}", half, total).text == "0.5 * (x + a / x)"
    assert put("np.sin({0})", total).text == "np.sin(x + a / x)"
    assert put("{0}[{1}]", x, total).text == "x[x + a / x]"
    assert put("{0} ** {1}", x, literal(-2)).text == "x ** -2"
    assert put("({0}, {1})", total, x).level == PRIMARY
    assert (
        put("{0} - {1}", put("{0} - {1}", x, a), put("{0} - {1}", x, a)).text == "x - a - (x - a)"
    )
