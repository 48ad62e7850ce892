"""Values and gradients of `tests.peers.programs` by JAX and torch, kept in ``references.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from tests.peers.programs import PROGRAMS, Program

FILE = Path(__file__).with_name("references.json")


def of_jax(program: Program) -> tuple[float, list[np.ndarray]]:
    """The value and the gradients by JAX."""
    import jax

    jax.config.update("jax_enable_x64", True)
    places = tuple(range(len(program.args)))
    function = jax.value_and_grad(lambda *args: program.other(jax.numpy, *args), places)
    value, gradients = function(*map(jax.numpy.asarray, program.args))
    return float(value), [np.asarray(g) for g in gradients]


def of_torch(program: Program) -> tuple[float, list[np.ndarray]]:
    """The value and the gradients by torch."""
    import torch

    args = [torch.tensor(x, requires_grad=True) for x in program.args]
    value = program.other(torch, *args)
    return float(value.detach()), [g.numpy() for g in torch.autograd.grad(value, args)]


def made() -> dict[str, Any]:
    """What is kept in the file."""
    import jax
    import torch

    found: dict[str, Any] = {"versions": {"jax": jax.__version__, "torch": torch.__version__}}
    for name, program in PROGRAMS.items():
        for library, compute in (("jax", of_jax), ("torch", of_torch)):
            value, gradients = compute(program)
            kept = {"value": value, "gradients": [g.tolist() for g in gradients]}
            found.setdefault(library, {})[name] = kept
    return found


def kept() -> dict[str, Any]:
    """What the file holds."""
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content


if __name__ == "__main__":
    FILE.write_text(json.dumps(made(), indent=1) + "\n", encoding="utf-8")
