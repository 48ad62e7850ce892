"""Programs that compute something again let arrays go; others keep their lines."""

import numpy as np

import autograph as ag
from autograph.codegen.freeing import freeing
from autograph.codegen.function import Line


def freed(text, names):
    lines = [
        Line(1 + (len(line) - len(line.lstrip())) // 4, line.lstrip()) for line in text.split("\n")
    ]
    return "\n".join("    " * (line.depth - 1) + line.text for line in freeing(lines, names))


def test_after_the_last_use():
    text = "a = f(x)\nb = g(a)\nc = a + b\nreturn c"
    assert freed(text, {"a", "b", "c"}) == "a = f(x)\nb = g(a)\nc = a + b\ndel a, b\nreturn c"
    assert freed(text, {"b"}) == "a = f(x)\nb = g(a)\nc = a + b\ndel b\nreturn c"


def test_a_variable_that_is_assigned_again():
    text = "a = f(x)\nb = g(a)\na = h(b)\nc = a\nreturn c"
    expected = "a = f(x)\nb = g(a)\na = h(b)\ndel b\nc = a\ndel a\nreturn c"
    assert freed(text, {"a", "b", "c"}) == expected


def test_loops_and_branches_are_left_as_they_are():
    loop = "for i in range(n):\n    b = a + i\n    a = b"
    text = f"a = f(x)\n{loop}\nif a:\n    c = 1\nelse:\n    c = a\nd = c\nreturn d"
    expected = text.replace("d = c", "del a\nd = c")
    assert freed(text, {"a", "b", "c", "d"}) == expected  # b and c may be unassigned


def test_several_targets():
    assert freed("a, b = f(x)\nc = a\nreturn c + b", {"a", "b"}) == (
        "a, b = f(x)\nc = a\ndel a\nreturn c + b"
    )


@ag.checkpoint
def layer(x):
    y = np.sin(x)
    z = np.exp(-y * y)
    return z * y


def f(layer):
    return lambda x: np.sum(layer(layer(layer(x))))


def test_only_programs_that_compute_something_again():
    x = np.array([0.5, 2.0])
    plain, checkpointed = (ag.value_and_grad(f(g)) for g in (layer.__wrapped__, layer))
    assert "del " not in str(plain.program(x))
    assert "del " in str(checkpointed.program(x))
    np.testing.assert_allclose(checkpointed(x)[1], plain(x)[1], rtol=1e-14)
