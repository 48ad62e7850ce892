"""What the compiler made can be printed and read: converted source, graph, program."""

import ast

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import assert_same


def newton_sqrt(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def branches(speed, limit):
    if speed > limit:
        fine = (speed - limit) * 10
    else:
        fine = 0.0
    return fine


def sums(values):
    total = 0.0
    squares = np.zeros_like(values)
    for i, value in enumerate(values):
        if value < 0:
            continue
        squares[i] = value * value
        total += value
    return np.sqrt(total), squares


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


def prints(x):
    print("x =", x)
    assert x > 0, "positive"
    return x


WEIGHTS = np.array([1.0, 2.0, 3.0])


def uses_a_constant(x):
    return WEIGHTS @ x


CASES = [
    (newton_sqrt, (2.0,), ["a", "x"]),
    (branches, (5.0, 3.0), ["speed", "limit", "fine"]),
    (sums, (np.array([1.0, -2.0, 3.0]),), ["values", "total", "squares"]),
    (factorial, (5,), ["n", "factorial"]),
    (prints, (3.0,), ["x"]),
    (uses_a_constant, (np.ones(3),), ["x"]),
]


@pytest.mark.parametrize("function, args, names", CASES)
def test_converted(function, args, names):
    text = ag.to_graph(function).converted
    ast.parse(text)
    assert all(name in text for name in names)
    first = function.__code__.co_firstlineno
    assert f"test_printing.py:{first}" in text
    assert "ops." in text or function is uses_a_constant


@pytest.mark.parametrize("function, args, names", CASES)
def test_graph(function, args, names):
    text = str(ag.to_graph(function).graph(*args))
    assert all(name in text for name in names)
    assert "test_printing.py:" in text


@pytest.mark.parametrize("transform", [ag.to_graph, ag.grad], ids=["forward", "gradient"])
@pytest.mark.parametrize("function, args, names", CASES)
def test_program_runs_by_itself(function, args, names, transform):
    """Pasted where there is nothing but NumPy, the text gives the same result."""
    if transform is ag.grad and function in (factorial, sums):
        pytest.skip("its result has no gradient")
    compiled = transform(function)
    program = compiled.program(*args)
    text = str(program)
    ast.parse(text)
    assert names[0] in text
    assert "test_printing.py" in text
    namespace = {"np": np, **program.constants}
    exec(text, namespace)
    outputs = namespace[program.function.__name__](*args)
    assert_same(outputs, compiled(*args), "result")


def test_control_flow_stays_control_flow():
    text = str(ag.to_graph(newton_sqrt).program(2.0))
    assert "while" in text
    assert "if " in str(ag.to_graph(branches).program(5.0, 3.0))
    assert "for " in str(ag.to_graph(sums).program(np.ones(3)))
    assert text.count("\n") < 30


def test_names_of_the_compiled_function():
    compiled = ag.to_graph(newton_sqrt)
    assert compiled.__name__ == "newton_sqrt"
    assert "newton_sqrt" in repr(compiled)
    assert ag.grad(newton_sqrt).__doc__ == newton_sqrt.__doc__


def test_lambda_and_method():
    class Model:
        def apply(self, x):
            return x * 2 if x > 0 else x

    assert "x" in ag.to_graph(lambda x: x + 1).converted
    assert "def apply(self, x)" in ag.to_graph(Model().apply).converted
