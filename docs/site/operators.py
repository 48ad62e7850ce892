"""Operators in the reference: they are objects, documented as the functions that they are."""

from __future__ import annotations

import importlib
import inspect
import sys
from pathlib import Path
from typing import Any

import griffe

from ops.core.registry import Op

sys.path.insert(0, str(Path(__file__).parent))
import examples


class Operators(griffe.Extension):
    """Attributes of modules that hold operators become functions, with their docstrings; functions
    and operators get their examples."""

    def __init__(self) -> None:
        self.examples = examples.examples()

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
                made = _function(name, values[name], member.lineno)
                text = inspect.getdoc(values[name]) or ""
                made.docstring = _docstring(text, made, module.docstring)
                module.set_member(name, made)
            example = self.examples.get((module.path, name))
            if example:
                _add(module.members[name], example, module.docstring)


def _add(member: griffe.Object | griffe.Alias, example: str, like: griffe.Docstring) -> None:
    text = member.docstring.value if member.docstring else ""
    shown = "\n    ".join(examples.result(example).splitlines())
    text = f"{text}\n\nExamples:\n    >>> {example}\n    {shown}\n"
    member.docstring = _docstring(text, member, like)


def _docstring(text: str, owner: Any, like: griffe.Docstring) -> griffe.Docstring:
    """A docstring that is read as another one is."""
    parser, options = like.parser, like.parser_options
    return griffe.Docstring(text, lineno=1, parent=owner, parser=parser, parser_options=options)


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
    return griffe.Function(name, parameters=griffe.Parameters(*parameters), lineno=line)
