"""Methods are bound: what is left are the parameters after the first."""

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import autograph as ag
from autograph.graph.graph import Module

Array = NDArray[np.float64]


class Model:
    weights: Array

    @ag.to_graph
    def predict(self, x: Array) -> Array:
        return x @ self.weights

    @ag.to_graph(fast_math=True)
    def loss(self, x: Array, y: Array) -> float:
        error = assert_type(self.predict(x), Array) - y
        return float(np.sum(error * error))

    @ag.to_graph
    @staticmethod
    def scaled(x: Array, by: float) -> Array:
        return x * by

    @staticmethod
    def scaled_sum(x: Array, by: float) -> float:
        return float(np.sum(x)) * by

    def plain(self, x: Array, by: float) -> float:
        return float(np.sum(x @ self.weights)) * by

    @ag.checkpoint
    def layer(self, x: Array) -> Array:
        return np.tanh(x @ self.weights)

    @ag.custom_jvp
    def activation(self, x: Array) -> Array:
        return np.maximum(x, 0.0)


model = Model()
x: Array = np.ones(3)
assert_type(model.predict(x), Array)
assert_type(model.loss(x, y=x), float)
assert_type(Model.loss(model, x, x), float)
assert_type(Model.scaled(x, by=2.0), Array)
assert_type(model.layer(x), Array)
assert_type(model.activation(x), Array)
assert_type(model.loss.graph(x, x), Module)
assert_type(model.loss.profile(x, x).seconds, float)
assert_type(ag.grad(model.loss)(x, x), Array)

model.loss(x)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
model.loss("text", x)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
model.loss.grpah(x, x)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
Model.scaled(x, by="2")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

# -- derivatives of methods ------------------------------------------------------------------------

assert_type(ag.grad(model.loss, argnums=1)(x, x), Array)
assert_type(ag.grad(model.loss, argnums=(0, 1))(x, x), tuple[Array, Array])
assert_type(ag.value_and_grad(model.loss)(x, x), tuple[float, Array])
assert_type(ag.vjp(model.plain, x, 2.0)[1](1.0), tuple[Array, float])
ag.vjp(model.predict, x)[1](x)
assert_type(ag.jvp(model.predict, (x,), (x,)), tuple[Array, Array])
assert_type(ag.grad(Model.scaled_sum)(x, 2.0), Array)
assert_type(ag.grad(model.plain)(x, 2.0), Array)
assert_type(ag.hvp(model.loss)(x, x, x), Array)
ag.hessian(model.loss)(x, y=x)
ag.vmap(model.predict)(np.ones((4, 3)))
ag.vmap(model.loss, in_axes=(0, None))(np.ones((4, 3)), x)

ag.grad(model.loss)("text", x)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ag.grad(model.loss).grpah(x, x)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
ag.hessian(model.loss)(x)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
ag.hessian(model.loss).grpah(x, x)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
ag.vmap(model.predict).grpah(x)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
