"""Functions that leave Python: for programs in other languages, and for devices without one."""

from autograph.export.c_source import CSource, c
from autograph.export.object_code import ObjectCode, object
from autograph.export.onnx_export import onnx
from autograph.export.stablehlo_export import StableHLO, stablehlo

__all__ = ["CSource", "ObjectCode", "StableHLO", "c", "object", "onnx", "stablehlo"]
