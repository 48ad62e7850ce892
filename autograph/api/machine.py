"""What this machine can do, and is allowed to by the environment."""

from __future__ import annotations

from autograph.graph.capabilities import Capabilities
from autograph.kernels.cuda.use import enabled
from autograph.kernels.later import refusal
from autograph.kernels.native.availability import available


def capabilities() -> Capabilities:
    """What this machine can do now; the environment may change."""
    return Capabilities(native=available(), cuda=enabled(), refuses_lane=refusal)
