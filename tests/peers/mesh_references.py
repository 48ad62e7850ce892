"""Values and gradients of `tests.peers.mesh_programs` by ``jax.shard_map``, kept in
``mesh_references.json``."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.peers.mesh_programs import PROGRAMS, MeshProgram

FILE = Path(__file__).with_name("mesh_references.json")
DEVICES = "--xla_force_host_platform_device_count=4"


def of_jax(program: MeshProgram) -> dict[str, Any]:
    """The value, the gradients outside and inside of the function for a mesh, and the products of
    the Hessian by the first argument with ones.

    JAX must not have counted its devices yet, or have found four.
    """
    os.environ.setdefault("XLA_FLAGS", DEVICES)
    import jax

    jax.config.update("jax_enable_x64", True)
    lax, P = jax.lax, jax.sharding.PartitionSpec
    lib = SimpleNamespace(
        np=jax.numpy,
        grad=jax.grad,
        cond=lax.cond,
        pvary=lambda x, name: lax.pcast(x, name, to="varying"),
        fori_loop=lambda count, step, start: lax.fori_loop(0, count, step, start),
        **{name: getattr(lax, name) for name in _COLLECTIVES},
    )
    axes = tuple(program.shape)
    mesh = jax.make_mesh(
        tuple(program.shape.values()), axes, axis_types=(jax.sharding.AxisType.Auto,) * len(axes)
    )
    specs = tuple(P(*spec) for spec in program.specs)
    places = tuple(range(len(program.args)))

    def part(*args: Any) -> Any:
        return program.function(lib, *args)

    def mapped(function: Any, out: Any) -> Any:
        return jax.shard_map(function, mesh=mesh, in_specs=specs, out_specs=out, check_vma=True)

    loss = mapped(part, P())

    @jax.jit
    def all_of_it(*args: Any) -> Any:
        first = jax.grad(lambda *args: jax.numpy.sum(jax.grad(loss)(*args)))
        inside = mapped(jax.grad(part, places), specs)
        return jax.value_and_grad(loss, places)(*args), inside(*args), first(*args)

    (value, outside), inside, first = all_of_it(*program.args)
    return {
        "value": float(value),
        "outside": [np.asarray(g).tolist() for g in outside],
        "inside": [np.asarray(g).tolist() for g in inside],
        "second": np.asarray(first).tolist(),
    }


_COLLECTIVES = (
    "psum",
    "pmean",
    "all_gather",
    "psum_scatter",
    "ppermute",
    "all_to_all",
    "axis_index",
)


def made() -> dict[str, Any]:
    """What is kept in the file."""
    found = {name: of_jax(program) for name, program in PROGRAMS.items()}
    import jax

    return {"versions": {"jax": jax.__version__}, "jax": found}


def kept() -> dict[str, Any]:
    """What the file holds."""
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content


if __name__ == "__main__":
    content = made()
    if sys.argv[1:] == ["--print"]:
        print(json.dumps(content))
    else:
        FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
