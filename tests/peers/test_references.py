"""What is kept of JAX's and torch's values and gradients is what they give now."""

import numpy as np
import pytest

from tests.peers.programs import PROGRAMS
from tests.peers.references import kept, of_jax, of_torch


@pytest.mark.parametrize("library, compute", [("jax", of_jax), ("torch", of_torch)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_they_are_those_of_now(library, compute, name):
    pytest.importorskip(library)
    value, gradients = compute(PROGRAMS[name])
    wanted = kept()[library][name]
    np.testing.assert_allclose(value, wanted["value"], rtol=1e-12)
    for found, expected in zip(gradients, wanted["gradients"], strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-13)
