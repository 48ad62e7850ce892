"""Operators in the reference: they are objects, documented as the functions that they are."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import griffe

from ops.core.registry import Op


class Operators(griffe.Extension):
    """Attributes of modules that hold operators become functions, with their docstrings."""

    def on_package(self, *, pkg: griffe.Module, **kwargs: Any) -> None:
        if pkg.name == "ops":
            self._convert(pkg)

    def _convert(self, module: griffe.Module) -> None:
        values = vars(importlib.import_module(module.path))
        for name, member in list(module.members.items()):
            if member.is_alias:
                continue
            if isinstance(member, griffe.Module):
                self._convert(member)
            elif isinstance(values.get(name), Op):
                module.set_member(name, _function(name, values[name], member.lineno))


def _function(name: str, operator: Op, line: int | None) -> griffe.Function:
    kinds = {
        kind.name: getattr(griffe.ParameterKind, kind.name.lower())
        for kind in inspect._ParameterKind
    }
    parameters = [
        griffe.Parameter(
            parameter.name,
            kind=kinds[parameter.kind.name],
            default=None if parameter.default is parameter.empty else repr(parameter.default),
        )
        for parameter in inspect.signature(operator).parameters.values()
    ]
    docstring = griffe.Docstring(inspect.getdoc(operator) or "", lineno=line)
    made = griffe.Function(
        name, parameters=griffe.Parameters(*parameters), lineno=line, docstring=docstring
    )
    docstring.parent = made
    return made
