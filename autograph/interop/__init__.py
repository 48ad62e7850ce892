"""Compiled functions among those of other frameworks, which are imported when first needed."""

from autograph.interop.jax_functions import to_jax
from autograph.interop.onnx_function import from_onnx
from autograph.interop.torch_functions import to_torch

__all__ = ["from_onnx", "to_jax", "to_torch"]
