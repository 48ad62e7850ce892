"""Models of ONNX as functions."""

from __future__ import annotations

import os
from types import ModuleType
from typing import Any

import numpy as np

from autograph.errors import MissingLibraryError, OptionError
from autograph.interop.onnx_source.program import imported
from autograph.interop.onnx_source.reading import read


def from_onnx(model: str | os.PathLike[str] | bytes | Any, *, dtype: Any = None) -> Any:
    """A model of ONNX as a function: compiled, differentiated and batched as what users write.

    The model becomes the text of a Python program, a statement for each node, with `if`, `while`
    and `for` for ``If``, ``Loop`` and ``Scan``. It runs with NumPy alone, and is compiled as any
    other.

    Args:
        model: the path of a file, its bytes, or an ``onnx.ModelProto``, of an operator set from 6
            to 28. What other files hold is read only if the path is given.
        dtype: of all floats in the model, in the place of their own: float64 for derivatives that
            are compared with differences, float32 for a model of float16.

    Returns:
        An object that is called with the inputs of the model, in their order: arrays of their
        dtypes and shapes, where inputs that have initializers are left out. It returns the output,
        or several as a tuple. The call is compiled; ``made.__call__.graph(*args)`` and the others
        show what becomes of it. Its class is a dataclass, ``made.source`` the text of the program,
        and its fields are the initializers of floats, the weights: leaves for `ag.grad`, `ag.tree`
        and `ag.train.save_weights`.

    Raises:
        LoadError: it is no valid model, or not a whole one.
        UnsupportedFunctionError: it has operators that have no form, such as those of texts,
            sequences and random numbers, or types that NumPy does not have; they are named.
        MissingLibraryError: the package onnx is not installed.
        OperandTypeError, OperandShapeError: (when it is called) an array is not what the model
            takes; the input is named.

    Examples:
        >>> model = nn.MLP.make(ops.random.key(0), [3, 4, 1], np.tanh)
        >>> x = np.ones((2, 3), np.float32)
        >>> made = ag.interop.from_onnx(ag.export.onnx(lambda x: model(x), x))
        >>> bool(np.allclose(made(x), model(x)))
        True
        >>> gradient = ag.grad(lambda made: np.sum(made(x)))(made)
        >>> sorted(leaf.shape for leaf in ag.tree.leaves(gradient))
        [(1,), (1, 4), (4,), (4, 3)]
    """
    library = _library()
    floats = None if dtype is None else np.dtype(dtype)
    if floats is not None and floats.kind != "f":
        raise OptionError(
            f"the floats of a model can't be of dtype {floats}",
            id="AG0757",
            fix="give np.float32, np.float64 or np.float16",
        )
    return imported(library, read(library, model), floats)


def _library() -> ModuleType:
    try:
        import onnx as library
        import onnx.checker
        import onnx.defs
        import onnx.helper
        import onnx.inliner
        import onnx.numpy_helper
    except ImportError:
        raise MissingLibraryError(
            "'ag.interop.from_onnx' needs the package onnx, which is not installed",
            fix="pip install 'autograph-compiler[onnx]', or pip install onnx",
        ) from None
    return library
