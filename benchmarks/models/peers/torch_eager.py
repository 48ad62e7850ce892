"""PyTorch as it runs without being compiled."""

from benchmarks.models.peers.torch_models import makers, to_numpy

__all__ = ["MAKERS", "NOTES", "PACKAGE", "REFUSES", "to_numpy"]

PACKAGE = "torch"
REFUSES: dict[str, str] = {}
NOTES: dict[str, str] = {}
MAKERS = makers(compiled=False)
