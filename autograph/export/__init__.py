"""Functions that leave Python: for programs in other languages, and for devices without one."""

from autograph.export.c_source import CSource, c
from autograph.export.object_code import ObjectCode, object

__all__ = ["CSource", "ObjectCode", "c", "object"]
