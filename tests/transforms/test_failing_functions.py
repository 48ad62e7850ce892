"""Functions that end with an exception: what they do before it happens, or raises another one."""

import numpy as np
import pytest

import autograph as ag


def stops(a):
    if a < 0:
        raise KeyError("negative")
    print("seen", a)
    raise ValueError("stop")


def always(a):
    print("seen")
    raise ValueError("stop")


ONE = {
    "to_graph": ag.to_graph,
    "grad": ag.grad,
    "value_and_grad": ag.value_and_grad,
    "jvp": lambda f: lambda a: ag.jvp(f, (a,), (1.0,)),
    "vjp": lambda f: lambda a: ag.vjp(f, a),
    "linearize": lambda f: lambda a: ag.linearize(f, a),
    "jacfwd": ag.jacfwd,
    "jacrev": ag.jacrev,
    "hvp": lambda f: lambda a: ag.hvp(f)(a, 1.0),
    "grad of grad": lambda f: ag.grad(ag.grad(f)),
    "checkpoint": lambda f: ag.grad(ag.checkpoint(f)),
    "inside": lambda f: ag.to_graph(lambda a: ag.grad(f)(a) * 2),
}


@pytest.mark.parametrize("name", ONE)
def test_of_one(name, capsys):
    function = ONE[name](stops)
    with pytest.raises(KeyError, match="negative"):
        function(-1.0)
    assert capsys.readouterr().out == ""
    with pytest.raises(ValueError, match="stop"):
        function(2.0)
    assert capsys.readouterr().out == "seen 2.0\n"
    with pytest.raises(ValueError, match="stop"):
        ONE[name](always)(1.0)
    assert capsys.readouterr().out == "seen\n"


LANES = {
    "vmap": ag.vmap,
    "vmap of grad": lambda f: ag.vmap(ag.grad(f)),
    "grad of vmap": lambda f: ag.grad(lambda x: np.sum(ag.vmap(f)(x))),
    "vmap of vmap": lambda f: lambda x: ag.vmap(ag.vmap(f))(x[None]),
}


@pytest.mark.parametrize("name", LANES)
def test_of_lanes(name, capsys):
    function = LANES[name](stops)
    with pytest.raises(KeyError, match="negative"):
        function(np.array([1.0, -2.0]))
    with pytest.raises(ValueError, match="stop"):
        function(np.array([1.0, 2.0]))
    assert capsys.readouterr().out.startswith("seen 1.0\nseen 2.0\n")
