"""A training on some processes, which goes on from the checkpoint that others have left."""

import sys

import numpy as np

import autograph as ag
import ops
from autograph import P, train

folder, epochs = sys.argv[1], int(sys.argv[2])
mesh = ag.Mesh.processes(data=-1)
x = np.linspace(-1.0, 1.0, 48).reshape(24, 2)


def loss(w, x):
    return ops.pmean(np.mean((x @ w - 1.0) ** 2), "data")


def sgd(w, tracked, x):
    value, slope = ag.value_and_grad(loss)(w, x)
    return w - 0.1 * slope, tracked + np.sum(x), value


# One array is the same in all, of the other each process has a part.
run = ag.shard_map(sgd, mesh, (P(), P("data"), P("data")), (P(), P("data"), P()))


def step(state, batch):
    w, tracked, value = run(state["w"], state["tracked"], batch)
    return {"w": w, "tracked": tracked}, {"loss": float(value)}


start = {"w": np.zeros(2), "tracked": ag.put(np.zeros(12), mesh, P("data"))}
fitted = train.fit(
    step,
    start,
    train.Batches(x, 12, seed=1),
    epochs=epochs,
    monitor="loss",
    folder=folder,
    mesh=mesh,
    progress=False,
)
tracked = np.asarray(fitted.state["tracked"])
if mesh.place["data"] == 0:
    print("weights", *fitted.state["w"], len(fitted.history), tracked.shape[0], flush=True)
