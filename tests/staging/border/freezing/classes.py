"""Modules and classes of others and of the user, of which values reach a recording."""

from __future__ import annotations

import ctypes
import dataclasses
import sys
import sysconfig
import types
from typing import Any, NamedTuple

import numpy as np

library = types.ModuleType("a_library_of_others")
library.__file__ = f"{sysconfig.get_path('purelib')}/a_library_of_others.py"
sys.modules[library.__name__] = library
other_library = types.ModuleType("another_library")
other_library.__file__ = library.__file__
of_user = types.ModuleType("a_module_of_the_user")
of_user.__file__ = __file__


def of_library(kind):
    """A class as that of a library."""
    kind.__module__ = library.__name__
    setattr(library, kind.__name__, kind)
    return kind


@of_library
class Frame:
    """What holds its data where nobody sees it."""

    def __init__(self, number):
        self._data = ctypes.c_double(number)

    @property
    def number(self):
        return self._data.value

    @number.setter
    def number(self, number):
        self._data.value = number

    def total(self):
        return self.number

    def __getitem__(self, key):
        return self.number


@of_library
class Settings:
    """What shows all that it holds."""

    def __init__(self, number):
        self.number = number
        self.table = np.array([number, number])

    def total(self):
        return self.number + self.table[0]


class Pair(NamedTuple):
    left: Any
    right: Any


@dataclasses.dataclass
class Record:
    number: Any


class Plain:
    def __init__(self, number):
        self.number = number

    def total(self):
        return self.number

    @property
    def twice(self):
        return 2 * self.number


class Slotted:
    __slots__ = ("number",)

    def __init__(self, number):
        self.number = number


class OwnArray(np.ndarray):
    def sum(self, *args, **kwargs):
        return -np.ndarray.sum(self, *args, **kwargs)


class OwnFloat(float):
    def __add__(self, other):
        return 2 * float(self)


class OwnText(str):
    def __repr__(self):
        return "a text"


class OwnList(list):
    def __len__(self):
        return 3 * list.__len__(self)


class OwnDict(dict):
    def __getitem__(self, key):
        return 2 * dict.__getitem__(self, key)
