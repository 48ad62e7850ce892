"""Compiled functions as methods of the user's classes."""

from __future__ import annotations

import functools
from os import PathLike
from typing import TYPE_CHECKING, Any, Generic

from autograph.api.recording.ahead import Lowered
from autograph.api.type_parameters import P, R
from autograph.codegen.program import Program
from autograph.graph.graph import Module
from autograph.kernels.program import Kernels
from autograph.passes import Stages
from autograph.staging.ground.bound import BoundCallable

if TYPE_CHECKING:
    from autograph.api.explaining import Explanation
    from autograph.api.profiling import Profile


class BoundGraphFunction(BoundCallable, Generic[P, R]):
    """A compiled function as a method: the instance is its first argument."""

    def __init__(self, function: Any, instance: Any):
        functools.update_wrapper(self, function)
        self._function = function
        self._instance = instance
        self.__self__ = instance
        self.__func__ = function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._function(self._instance, *args, **kwargs)

    def __reduce__(self) -> tuple:
        return BoundGraphFunction, (self._function, self._instance)

    @property
    def converted(self) -> str:
        return self._function.converted

    def graph(self, *args: P.args, **kwargs: P.kwargs) -> Module:
        return self._function.graph(self._instance, *args, **kwargs)

    def program(self, *args: P.args, **kwargs: P.kwargs) -> Program:
        return self._function.program(self._instance, *args, **kwargs)

    def kernels(self, *args: P.args, **kwargs: P.kwargs) -> Kernels:
        return self._function.kernels(self._instance, *args, **kwargs)

    def stages(self, *args: P.args, **kwargs: P.kwargs) -> Stages:
        return self._function.stages(self._instance, *args, **kwargs)

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        return self._function.lower(self._instance, *args, **kwargs)

    def save(self, path: str | PathLike, *args: Any, **kwargs: Any) -> None:
        self._function.save(path, self._instance, *args, **kwargs)

    def profile(self, *args: Any, repeat: int = 1, **kwargs: Any) -> Profile:
        return self._function.profile(self._instance, *args, repeat=repeat, **kwargs)

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        return self._function.explain(self._instance, *args, **kwargs)
