"""An argument that is the same in all processes at the first call alone."""

import numpy as np

import autograph as ag
import ops
from autograph import P

mesh = ag.Mesh.processes(data=-1)
total = ag.shard_map(lambda w, x: ops.psum(np.sum(w * x), "data"), mesh, (P(), P("data")), P())
x = np.arange(6.0).reshape(2, 3)
total(np.ones(3), x)
total(np.full(3, mesh.place["data"], float), x)
print("second call", flush=True)
