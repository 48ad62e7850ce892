"""C++ by hand, called through `ctypes`. The compiler is ``g++``, or what ``CXX`` names."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.beside.cpp import compiled, given, version

VERSION = version()
PACKAGE = "numpy"  # whose arrays it works on
REFUSES = {"derivative": "not written"}
NOTES: dict[str, str] = {}

to_numpy = np.asarray


@cache
def library() -> ctypes.CDLL:
    """The functions, compiled for this machine."""
    return compiled(Path(__file__).with_name("programs.cpp"))


def _of(name: str, result: type) -> Callable:
    """The maker of a function that gives a number."""

    def make(*args):
        function = getattr(library(), name)
        function.restype = result
        return lambda: function(*map(given, args))

    return make


def _sorts(name: str) -> Callable:
    def make(x):
        function = getattr(library(), name)

        def call():
            out = np.empty_like(x)
            function(given(x), given(out), given(len(x)))
            return out

        return call

    return make


def queens(empty):
    function = library().queens
    function.restype = ctypes.c_int64
    return lambda: function(given(len(empty)))


MAKERS = {
    "fibonacci": _of("fibonacci", ctypes.c_int64),
    "takeuchi": _of("takeuchi", ctypes.c_int64),
    "tree": _of("tree", ctypes.c_double),
    "quicksort": _sorts("quicksort"),
    "mergesort": _sorts("mergesort"),
    "queens": queens,
    "quadrature": _of("quadrature", ctypes.c_double),
}
