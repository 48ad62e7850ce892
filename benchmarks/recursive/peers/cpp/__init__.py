"""C++ by hand, called through `ctypes`. The compiler is ``g++``, or what ``CXX`` names."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

COMPILER = os.environ.get("CXX", "g++")
_ABOUT = subprocess.run([COMPILER, "--version"], capture_output=True, text=True, check=True)
VERSION = _ABOUT.stdout.splitlines()[0]
PACKAGE = "numpy"  # whose arrays it works on
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
REFUSES = {"derivative": "not written"}
NOTES: dict[str, str] = {}

to_numpy = np.asarray


@cache
def library() -> ctypes.CDLL:
    """The functions, compiled for this machine."""
    with tempfile.TemporaryDirectory(prefix="recursive-") as folder:
        file = Path(folder) / "programs.so"
        source = Path(__file__).with_name("programs.cpp")
        subprocess.run([COMPILER, *FLAGS, str(source), "-o", str(file)], check=True)
        return ctypes.CDLL(str(file))


def _given(value: object) -> object:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_double(value) if isinstance(value, float) else ctypes.c_int64(value)


def _of(name: str, result: type) -> Callable:
    """The maker of a function that gives a number."""

    def make(*args):
        function = getattr(library(), name)
        function.restype = result
        return lambda: function(*map(_given, args))

    return make


def _sorts(name: str) -> Callable:
    def make(x):
        function = getattr(library(), name)

        def call():
            out = np.empty_like(x)
            function(_given(x), _given(out), _given(len(x)))
            return out

        return call

    return make


def queens(empty):
    function = library().queens
    function.restype = ctypes.c_int64
    return lambda: function(_given(len(empty)))


MAKERS = {
    "fibonacci": _of("fibonacci", ctypes.c_int64),
    "takeuchi": _of("takeuchi", ctypes.c_int64),
    "tree": _of("tree", ctypes.c_double),
    "quicksort": _sorts("quicksort"),
    "mergesort": _sorts("mergesort"),
    "queens": queens,
    "quadrature": _of("quadrature", ctypes.c_double),
}
