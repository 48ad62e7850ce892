"""Training: mini-batches, the loop, checkpoints, and weights in files."""

from autograph.train.batches import Batches
from autograph.train.checkpoints import checkpoint_note, load_checkpoint, save_checkpoint
from autograph.train.loop import Fitted, fit
from autograph.train.weights import load_weights, save_weights, with_weights

__all__ = [
    "Batches",
    "Fitted",
    "checkpoint_note",
    "fit",
    "load_checkpoint",
    "load_weights",
    "save_checkpoint",
    "save_weights",
    "with_weights",
]
