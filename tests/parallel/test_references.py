"""`shard_map` beside what ``jax.shard_map`` gives, which is kept (`tests.peers.mesh_programs`)."""

from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import P
from tests.peers.mesh_programs import PROGRAMS
from tests.peers.mesh_references import kept


def cond(test, then, orelse):
    return then() if test else orelse()


def fori_loop(count, step, start):
    state = start
    for i in range(count):
        state = step(i, state)
    return state


NAMES = (
    "pvary",
    "psum",
    "pmean",
    "all_gather",
    "psum_scatter",
    "ppermute",
    "all_to_all",
    "axis_index",
)
LIB = SimpleNamespace(
    np=np,
    grad=ag.grad,
    cond=cond,
    fori_loop=fori_loop,
    **{name: getattr(ops, name) for name in NAMES},
)


def close(found, expected):
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.costly
@pytest.mark.parametrize("name", PROGRAMS)
def test_values_and_gradients(name):
    program, wanted = PROGRAMS[name], kept()["jax"][name]
    mesh = ag.Mesh.lanes(**program.shape)
    specs = tuple(P(*spec) for spec in program.specs)
    places = tuple(range(len(program.args)))

    def part(*args):
        return program.function(LIB, *args)

    loss = ag.shard_map(part, mesh, specs, P())
    value, outside = ag.value_and_grad(loss, argnums=places)(*program.args)
    close(value, wanted["value"])
    inside = ag.shard_map(ag.grad(part, argnums=places), mesh, specs, specs)(*program.args)
    for found, expected in zip(outside, wanted["outside"], strict=True):
        close(found, expected)
    for found, expected in zip(inside, wanted["inside"], strict=True):
        close(found, expected)
    second = ag.grad(lambda *args: np.sum(ag.grad(loss)(*args)))(*program.args)
    close(second, wanted["second"])
