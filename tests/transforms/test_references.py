"""Values and gradients are those that JAX and torch give, which are kept: see `tests/peers`."""

import numpy as np
import pytest

import autograph as ag
from tests.peers.programs import PROGRAMS
from tests.peers.references import kept

REFERENCES = kept()


@pytest.mark.parametrize("library", ["jax", "torch"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_values_and_gradients(library, name):
    function, _, args = PROGRAMS[name]
    places = tuple(range(len(args)))
    value, gradients = ag.value_and_grad(function, argnums=places)(*args)
    wanted = REFERENCES[library][name]
    np.testing.assert_allclose(value, wanted["value"], rtol=1e-12)
    for found, expected in zip(gradients, wanted["gradients"], strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-13)
