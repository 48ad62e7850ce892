"""Whether native code can and shall be used here."""

from __future__ import annotations

import functools
import importlib.util
import os
import platform
import struct
import sys

from autograph.kernels.native.compiler import at_work, lock
from autograph.log import log
from autograph.signals import raised_by_handler


def available() -> bool:
    """Whether kernels run as native code: on CPython for 64-bit Linux or macOS, where llvmlite can
    be imported, unless ``AUTOGRAPH_KERNELS=0``. Everything works without, but slower."""
    return os.environ.get("AUTOGRAPH_KERNELS", "") != "0" and _usable()


@functools.cache
def _usable() -> bool:
    found = missing()
    if found:
        log.info("no native kernels: %s", found)
    return not found


def missing() -> str:
    """What is missing here for native code; empty if nothing is."""
    if platform.python_implementation() != "CPython":
        return "this is not CPython"
    if struct.calcsize("P") != 8 or sys.byteorder != "little":
        return "this is not a 64-bit little-endian machine"
    if sys.platform not in ("linux", "darwin"):
        return f"they are not supported on {sys.platform}"
    if platform.machine().lower() not in ("x86_64", "amd64", "arm64", "aarch64"):
        return f"they are not supported on {platform.machine()}"
    if importlib.util.find_spec("llvmlite") is None:
        return "llvmlite is not installed"
    try:
        with lock:  # a process that is forked meanwhile could never import it
            import llvmlite.binding as llvm
    except Exception as error:
        if raised_by_handler(error):
            raise
        return f"llvmlite cannot be imported: {error}"
    try:
        with at_work():
            llvm.check_jit_execution()
    except OSError as error:
        if raised_by_handler(error):
            raise
        return f"the system does not run code that is made at run time: {error}"
    return ""
