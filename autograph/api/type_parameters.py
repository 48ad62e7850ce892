"""The type parameters of public signatures, which type checkers read."""

from __future__ import annotations

from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")  # the parameters of a function
Q = ParamSpec("Q")  # those after the first
R = TypeVar("R")  # what it returns
Aux = TypeVar("Aux")  # what it returns besides, with `has_aux`
# Its first three arguments. By their bound a lambda may do with them what it likes.
X = TypeVar("X", bound=Any)
Y = TypeVar("Y", bound=Any)
Z = TypeVar("Z", bound=Any)
Object = TypeVar("Object")  # what a method belongs to
