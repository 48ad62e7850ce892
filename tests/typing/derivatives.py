"""Gradients are what the arguments are."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import autograph as ag

Array = NDArray[np.float64]
Params = dict[str, Array]
x: Array = np.ones(3)


class State(NamedTuple):
    position: Array
    speed: float


def energy(state: State, mass: float = 1.0) -> float:
    return mass * state.speed**2 + float(np.sum(state.position))


def loss(params: Params, x: Array, rate: float) -> float:
    return float(np.sum(params["w"] * x)) * rate


def with_aux(params: Params, x: Array) -> tuple[float, str]:
    return float(np.sum(params["w"] * x)), "a text"


def square(x: float) -> float:
    return x * x


params, state = {"w": x}, State(x, 2.0)

# -- grad, value_and_grad --------------------------------------------------------------------------

assert_type(ag.grad(energy)(state), State)
assert_type(ag.grad(energy)(state, mass=2.0), State)
assert_type(ag.grad(ag.to_graph(energy))(state), State)
assert_type(ag.grad(ag.grad(square))(2.0), float)
assert_type(ag.grad(loss)(params, x, 0.1), Params)
assert_type(ag.grad(loss, argnums=1)(params, x, 0.1), Array)
assert_type(ag.grad(loss, argnums=(0, 1))(params, x, 0.1), tuple[Params, Array])
assert_type(ag.grad(loss, (0, 1, 2))(params, x, 0.1), tuple[Params, Array, float])
assert_type(ag.grad(loss, argnums=[0, 2])(params, x, 0.1), Any)
assert_type(ag.grad(with_aux, has_aux=True)(params, x), tuple[Params, str])
assert_type(ag.value_and_grad(loss)(params, x, 0.1), tuple[float, Params])
assert_type(ag.value_and_grad(loss, argnums=1)(params, x, 0.1), tuple[float, Array])
assert_type(
    ag.value_and_grad(loss, argnums=(0, 1))(params, x, 0.1), tuple[float, tuple[Params, Array]]
)
assert_type(ag.value_and_grad(with_aux, has_aux=True)(params, x), tuple[tuple[float, str], Params])
ag.grad(lambda x: np.sum(x["a"] * x["b"]))({"a": x, "b": x})
ag.grad(lambda x, y: x * y, argnums=(0, 1))(2.0, 3.0)
ag.grad(np.sum)(x)

assert_type(ag.grad(energy, memory="1GiB")(state), State)
assert_type(ag.value_and_grad(loss, argnums=1, memory=2**20)(params, x, 0.1), tuple[float, Array])
assert_type(ag.grad(with_aux, has_aux=True, memory="1MB")(params, x), tuple[Params, str])

ag.grad(energy, memory=[1])  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
ag.grad(energy)("text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ag.grad(energy)(state, 1.0, 2.0)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
print(ag.grad(energy)(state).mass)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
ag.grad(3)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
ag.grad(energy).grpah(state)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]

# -- forward and reverse mode ----------------------------------------------------------------------


def scaled(x: Array, by: float) -> Array:
    return x * by


out, tangent = ag.jvp(scaled, (x, 2.0), (x, 1.0))
assert_type(out, Array)
assert_type(tangent, Array)
assert_type(ag.jvp(with_aux, (params, x), (params, x), has_aux=True), tuple[float, float, str])

out, pull = ag.vjp(scaled, x, 2.0)
assert_type(out, Array)
assert_type(pull(x), tuple[Array, float])
assert_type(ag.vjp(square, 2.0)[1](1.0), tuple[float])
assert_type(ag.vjp(loss, params, x, 0.1)[0], float)
ag.vjp(lambda x: x * x, 2.0)[1](1.0)
assert_type(ag.vjp(scaled, x, 2.0, memory="1MB")[1](x), tuple[Array, float])
value, pull_back, aux = ag.vjp(with_aux, params, x, has_aux=True)
assert_type(aux, str)

out, push = ag.linearize(scaled, x, 2.0)
assert_type(push(x, 1.0), Array)

# -- second derivatives, many lanes ----------------------------------------------------------------

ag.jacfwd(scaled)(x, 2.0)
ag.jacrev(scaled, argnums=(0, 1))(x, by=2.0)
ag.hessian(loss)(params, x, 0.1)
assert_type(ag.hvp(energy)(state, state), State)
assert_type(ag.hvp(energy, memory="1MB")(state, state), State)
ag.hessian(loss, memory="1MB")(params, x, 0.1)
assert_type(ag.hvp(with_aux, has_aux=True)(params, x, params), tuple[Params, str])
ag.vmap(square)(x)
ag.vmap(loss, in_axes=(None, 0, None))(params, np.ones((4, 3)), 0.1)
ag.check_grads(scaled, (x, 2.0), order=2, modes="rev")

ag.hessian(loss)(params)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
ag.check_grads(scaled)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

# -- rules and policies ----------------------------------------------------------------------------


@ag.custom_vjp
def clipped(x: Array, most: float) -> Array:
    return x


def forward(x: Array, most: float) -> tuple[Array, float]:
    return clipped(x, most), most


def backward(most: float, cotangent: Array) -> tuple[Array, None]:
    return np.clip(cotangent, -most, most), None


clipped.defvjp(forward, backward)
assert_type(clipped(x, most=2.0), Array)
clipped("text", 2.0)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
clipped.defvjp(forward)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


@ag.custom_jvp
def log1pexp(x: float) -> float:
    return np.log1p(np.exp(x))


@log1pexp.defjvp
def rule(primals: tuple[float], tangents: tuple[float]) -> tuple[float, float]:
    return log1pexp(primals[0]), tangents[0] / (1.0 + np.exp(-primals[0]))


assert_type(log1pexp(2.0), float)
assert_type(rule((2.0,), (1.0,)), tuple[float, Any])
assert_type(ag.grad(log1pexp)(2.0), float)
assert_type(ag.stop_gradient(state), State)


@ag.checkpoint(policy=ag.checkpoint_policies.save_only_these_names("y"))
def layer(x: Array, by: float) -> Array:
    y = x * by
    return np.tanh(y)


assert_type(layer(x, by=2.0), Array)
assert_type(ag.checkpoint(scaled, loops="sqrt")(x, 2.0), Array)
assert_type(ag.precision(scaled, "float16")(x, 2.0), Array)
assert_type(ag.precision(scaled, ag.Policy(keep="x"))(x, 2.0), Array)
ag.precision(scaled)(x)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
unary: Callable[[float], float] = ag.checkpoint(square)
layer(x)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
