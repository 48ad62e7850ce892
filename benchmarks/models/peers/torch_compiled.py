"""PyTorch with `torch.compile`, of the forward and backward pass and of the optimiser."""

from benchmarks.models.peers.torch_models import makers, to_numpy

__all__ = ["MAKERS", "NOTES", "PACKAGE", "REFUSES", "to_numpy"]

PACKAGE = "torch"
REFUSES: dict[str, str] = {}
NOTES = {"generation": "the loop runs in Python, a step is compiled"}
MAKERS = makers(compiled=True)
