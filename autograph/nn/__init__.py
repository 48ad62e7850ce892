"""Layers: dataclasses of arrays with a ``__call__``, in plain NumPy.

What a layer holds is what it is: arrays and numbers are leaves of `ag.tree`, which `ag.grad` gives
derivatives by; what is configuration is marked with `static`, and belongs to the signature of
compiled functions. Nothing is registered, traced or hidden: state goes in and comes out.
"""

from autograph.nn import init
from autograph.nn.attention import Cache, MultiHeadAttention, rotary
from autograph.nn.blocks import MLP, Residual, Sequential, TransformerBlock, flatten
from autograph.nn.conv import AvgPool, Conv, ConvTranspose, MaxPool
from autograph.nn.dense import Dense, Embedding
from autograph.nn.dropout import Dropout
from autograph.nn.fields import static
from autograph.nn.norm import BatchNorm, GroupNorm, LayerNorm, RMSNorm, Statistics
from autograph.nn.parts import LoRA, merge, partition, replace
from autograph.nn.recurrent import GRUCell, GRUState, LSTMCell, LSTMState, Recurrent
from autograph.nn.summaries import summary

__all__ = [
    "MLP",
    "AvgPool",
    "BatchNorm",
    "Cache",
    "Conv",
    "ConvTranspose",
    "Dense",
    "Dropout",
    "Embedding",
    "GRUCell",
    "GRUState",
    "GroupNorm",
    "LSTMCell",
    "LSTMState",
    "LayerNorm",
    "LoRA",
    "MaxPool",
    "MultiHeadAttention",
    "RMSNorm",
    "Recurrent",
    "Residual",
    "Sequential",
    "Statistics",
    "TransformerBlock",
    "flatten",
    "init",
    "merge",
    "partition",
    "replace",
    "rotary",
    "static",
    "summary",
]
