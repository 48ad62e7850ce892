"""Functions in C++ that are called through `ctypes`.

The compiler is ``g++``, or what ``CXX`` names.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

COMPILER = os.environ.get("CXX", "g++")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


def version() -> str:
    """The compiler's, with its name."""
    about = subprocess.run([COMPILER, "--version"], capture_output=True, text=True, check=True)
    return about.stdout.splitlines()[0]


def compiled(source: Path, *flags: str) -> ctypes.CDLL:
    """The functions of a file, compiled for this machine.

    Args:
        flags: besides `FLAGS`.
    """
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        file = Path(folder) / "programs.so"
        command = [COMPILER, *FLAGS, *flags, str(source), "-o", str(file)]
        subprocess.run(command, check=True)
        return ctypes.CDLL(str(file))


def counter(folder: Path) -> str:
    """The library that counts the bytes which a process holds, compiled into a folder; nothing
    where that cannot be, as without glibc."""
    file, source = folder / "held.so", Path(__file__).with_name("held.c")
    command = [os.environ.get("CC", "gcc"), "-O2", "-shared", "-fPIC", str(source), "-o", str(file)]
    if not file.exists():
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return ""
    return str(file)


def given(value: object) -> object:
    """An argument: an array by its address, a float as double, anything else as int64."""
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_double(value) if isinstance(value, float) else ctypes.c_int64(value)
