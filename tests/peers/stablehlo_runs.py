"""Modules of StableHLO, compiled and run by XLA."""

import copy
import inspect

import numpy as np
import pytest

import autograph as ag
from tests.export.results import assert_same, leaves_of

# Who imports this where JAX is absent is skipped.
jax = pytest.importorskip("jax")
xla_client = pytest.importorskip("jaxlib.xla_client")
_jax = pytest.importorskip("jaxlib._jax")
jax.config.update("jax_enable_x64", True)
BACKEND = pytest.importorskip("jax.extend.backend").get_backend("cpu")


def run(made, args):
    """What the module gives for arguments: arrays."""
    devices = _jax.DeviceList((BACKEND.devices()[0],))
    program = BACKEND.compile_and_load(made.text, devices, xla_client.CompileOptions())
    given = [jax.device_put(leaf, BACKEND.devices()[0]) for leaf in args]
    return [np.asarray(found) for found in program.execute(given)]


def inputs_of(made, function, args):
    """What a module takes: what its inputs' names, as expressions, are of the arguments."""
    given = {f"argument {i}": arg for i, arg in enumerate(args)}
    try:
        given |= inspect.signature(function).bind(*args).arguments
    except (TypeError, ValueError):  # of what takes anything
        pass
    names = [given[n] if n in given else eval(n, {}, given) for n in made.inputs]
    return list(map(np.asarray, names))


def check(function, *args, **tolerance):
    """The module gives what the function does; it is returned."""
    expected = leaves_of(function(*copy.deepcopy(args)))
    made = ag.export.stablehlo(function, *args)
    found = run(made, inputs_of(made, function, args))
    if made.checked:
        assert found.pop()
    assert_same(found, expected, **tolerance)
    return made
