"""Functions of which some arguments are given, and objects that are called like functions."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import autograph as ag

Array = NDArray[np.float64]
Params = dict[str, Array]
x: Array = np.ones(3)
params = {"w": x}


def loss(params: Params, x: Array, rate: float) -> float:
    return float(np.sum(params["w"] * x)) * rate


class Scaled:
    """What is called is an instance."""

    def __call__(self, x: Array, by: float = 2.0) -> Array:
        return x * by


# -- partial applications --------------------------------------------------------------------------

# mypy knows what they return, but not what they take as soon as they are passed on.

slow = functools.partial(loss, rate=0.1)
of_data = functools.partial(loss, params)

assert_type(ag.to_graph(slow)(params, x), float)
assert_type(ag.to_graph(of_data)(x, 0.1), float)
assert_type(ag.to_graph(fast_math=True)(of_data)(x, rate=0.1), float)
assert_type(ag.grad(slow)(params, x), Params)  # type: ignore[assert-type]
assert_type(ag.grad(of_data)(x, 0.1), Array)  # type: ignore[assert-type]
assert_type(ag.grad(of_data, argnums=(0, 1))(x, 0.1), tuple[Array, float])  # type: ignore[assert-type]
assert_type(ag.value_and_grad(slow, argnums=1)(params, x), tuple[float, Array])  # type: ignore[assert-type]
assert_type(ag.vjp(of_data, x, 0.1)[1](1.0), tuple[Array, float])
assert_type(ag.jvp(of_data, (x, 0.1), (x, 1.0)), tuple[float, float])
assert_type(ag.hessian(of_data)(x, 0.1), Any)
assert_type(ag.vmap(of_data, in_axes=(0, None))(np.ones((4, 3)), 0.1), Any)

ag.to_graph(of_data)("text", 0.1)  # pyright: ignore[reportArgumentType]
ag.grad(of_data)("text", 0.1)  # pyright: ignore[reportArgumentType]
ag.grad(slow).grpah(params, x)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]

# -- objects that are called -----------------------------------------------------------------------

scaled = Scaled()
assert_type(ag.to_graph(scaled)(x), Array)
assert_type(ag.to_graph(scaled)(x, by=3.0), Array)
assert_type(ag.vjp(scaled, x, 2.0)[0], Array)
assert_type(ag.checkpoint(scaled)(x, by=3.0), Array)
ag.to_graph(scaled)(x, to=3.0)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

# -- where a function of some type is wanted -------------------------------------------------------

step: Callable[[Array, float], Array] = ag.grad(of_data)
update: Callable[[Params, Array], tuple[float, Params]] = ag.value_and_grad(slow)
wrong: Callable[[Params, Array], Array] = ag.grad(slow)  # pyright: ignore[reportAssignmentType]
