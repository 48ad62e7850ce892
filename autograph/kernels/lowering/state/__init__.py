"""What is known while a block is lowered: `State`, made of small classes, each in its file."""

from autograph.kernels.lowering.state.block import KernelState, State, most_nodes, no_routine

__all__ = ["KernelState", "State", "most_nodes", "no_routine"]
