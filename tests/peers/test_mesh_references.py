"""What is kept of ``jax.shard_map`` is what it gives now, on four devices of a new process."""

import json

import numpy as np
import pytest

from tests.peers.mesh_references import DEVICES, kept
from tests.support.processes import printed
from tests.support.tree import ROOT


def test_they_are_those_of_now():
    pytest.importorskip("jax")
    text = printed(
        "-m", "tests.peers.mesh_references", "--print", folder=ROOT, timeout=900, XLA_FLAGS=DEVICES
    )
    now, before = json.loads(text.splitlines()[-1])["jax"], kept()["jax"]
    assert now.keys() == before.keys()
    for name, found in now.items():
        for what, expected in before[name].items():
            values = found[what], expected
            if not isinstance(expected, list) or not isinstance(expected[0], list):
                values = [found[what]], [expected]
            for a, b in zip(*values, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-13, err_msg=f"{name}: {what}")
