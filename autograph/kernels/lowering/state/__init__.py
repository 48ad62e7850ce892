"""What is known while a block is lowered: `State`, made of small classes, each in its file."""

from autograph.kernels.lowering.state.block import MOST_NODES, KernelState, State, no_routine

__all__ = ["MOST_NODES", "KernelState", "State", "no_routine"]
