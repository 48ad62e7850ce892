"""Functions that leave Python: for programs in other languages, and for devices without one."""

from autograph.export.c_source import CSource, c
from autograph.export.onnx_export import onnx

__all__ = ["CSource", "c", "onnx"]
