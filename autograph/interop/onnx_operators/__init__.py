"""The operators of ONNX as functions of NumPy arrays: what programs of imported models call.

A function has the name of its operator. Its parameters are the operator's inputs, in their order,
and its attributes, by their names; what has been an attribute and is an input now can be given as
either. ``Operator_before_N`` is what an operator meant before version N of the operator set; a
parameter ``outputs`` says how many results there are to be. `marks` has what parameters are marked
with. A function that is one expression of NumPy is written in the place of its call.

These functions are plain Python, and are converted as the user's own.
"""

from autograph.interop.onnx_operators import (
    activations,
    arithmetic,
    convolution,
    creation,
    losses,
    normalization,
    pooling,
    products,
    quantization,
    recurrent,
    reductions,
    resizing,
    sampling,
    selection,
    shapes,
    signals,
)

FAMILIES = (
    activations,
    arithmetic,
    convolution,
    creation,
    losses,
    normalization,
    pooling,
    products,
    quantization,
    recurrent,
    reductions,
    resizing,
    sampling,
    selection,
    shapes,
    signals,
)
