"""The programs of `tests.parallel.programs` by processes: the same as the whole computation, with
its derivatives."""

import sys
import warnings

import numpy as np

import autograph as ag
from autograph import P
from tests.parallel import programs

warnings.simplefilter("ignore")
mesh = ag.Mesh.processes(data=-1)
programs.PARTS = mesh.size
rng = np.random.default_rng(3)
W, X, V = rng.normal(size=4), rng.normal(size=(12, 4)), rng.normal(size=4)
wanted = sys.argv[1:] or programs.NAMES


SAME = P()


def by_processes(function, out=SAME):
    return ag.shard_map(function, mesh, (P(), P("data")), out)


def close(found, expected, what):
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12, err_msg=what)


for name in wanted:
    part, whole = getattr(programs, name), getattr(programs, f"{name}_whole")
    f = by_processes(part)
    close(f(W, X), whole(W, X), f"{name}: value")
    close(f(W, ag.put(X, mesh, P("data"))), whole(W, X), f"{name}: value of a divided array")
    for argnums, out in ((0, P()), (1, P("data"))):
        expected = ag.grad(whole, argnums=argnums)(W, X)
        found = ag.grad(f, argnums=argnums)(W, X)
        close(found, expected, f"{name}: gradient {argnums} outside")
        found = by_processes(ag.grad(part, argnums=argnums), out)(W, X)
        close(np.asarray(found), expected, f"{name}: gradient {argnums} inside")
    found = ag.jvp(f, (W, X), (V, 0.5 * X))
    for a, b in zip(found, ag.jvp(whole, (W, X), (V, 0.5 * X))):
        close(a, b, f"{name}: tangent")
    if name == "recursion_of_all":  # directions are lanes, which go different ways in a callee
        continue
    expected = ag.hessian(whole)(W, X)
    close(ag.jacfwd(by_processes(ag.grad(part)))(W, X), expected, f"{name}: second order, both")
    close(ag.hessian(f)(W, X), expected, f"{name}: second order outside")
    close(by_processes(ag.hessian(part))(W, X), expected, f"{name}: second order inside")
    if mesh.place["data"] == 0:
        print("done", name, flush=True)
