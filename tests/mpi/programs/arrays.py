"""Arrays on a mesh of two axes: what each process has, and the whole."""

import numpy as np

import autograph as ag
import ops
from autograph import P

mesh = ag.Mesh.processes(data=2, model=2)
place = mesh.place
x = np.arange(24.0).reshape(4, 6)
rows = ag.put(x, mesh, P("data"))
assert rows.shape == (4, 6)
assert np.array_equal(rows.local, x[2 * place["data"] :][:2])
assert np.array_equal(np.asarray(rows), x)
both = ag.put(x, mesh, P("model", "data"))
assert both.local.shape == (2, 3)
assert np.array_equal(both.local, x[2 * place["model"] :][:2, 3 * place["data"] :][:, :3])
assert np.array_equal(np.asarray(both), x)
joint = ag.put(x, mesh, P(("data", "model")))
assert np.array_equal(joint.local, x[2 * place["data"] + place["model"]][None])
assert np.array_equal(np.asarray(joint), x)
own = ag.ShardedArray.from_local(joint.local, mesh, P(("data", "model")))
assert own.shape == (4, 6)
assert np.array_equal(np.asarray(own), x)

double = ag.shard_map(lambda x: 2 * x, mesh, P("data"), P("data"))
result = double(double(rows))
assert isinstance(result, ag.ShardedArray)
assert result.spec == P("data")
assert np.array_equal(np.asarray(result), 4 * x)


def loss(w, x):
    return ops.psum(np.sum(np.tanh(x @ w) ** 2), ("data", "model"))


def whole(w, x):
    return np.sum(np.tanh(x @ w) ** 2)


w = np.linspace(-1.0, 1.0, 6)
mapped = ag.shard_map(loss, mesh, (P(), P(("data", "model"))), P())
np.testing.assert_allclose(mapped(w, joint), whole(w, x))
np.testing.assert_allclose(ag.grad(mapped)(w, joint), ag.grad(whole)(w, x))
gradient = ag.grad(mapped, argnums=1)(w, joint)
assert isinstance(gradient, ag.ShardedArray)
np.testing.assert_allclose(np.asarray(gradient), ag.grad(whole, argnums=1)(w, x))


@ag.to_graph
def outside(x):
    """A whole array of a divided one, in a function that is compiled."""
    return np.sum(np.asarray(double(x)) ** 2)


np.testing.assert_allclose(outside(x), np.sum(4 * x * x))
np.testing.assert_allclose(ag.grad(outside)(x), 8 * x)
print("as expected", flush=True)
