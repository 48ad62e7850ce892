"""What a program that is written consists of, besides its statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograph.interop.onnx_source.literals import Dtypes, numpy_text
from autograph.interop.onnx_source.names import Identifiers
from autograph.interop.onnx_source.operators import names_of_functions
from autograph.interop.onnx_source.reading import domain_of
from autograph.interop.onnx_source.refusals import malformed, shown


class ProgramParts:
    """The parts of a program.

    Args:
        onnx: the library.
        functions: of the model.
        floats: what all dtypes of floats are replaced with, or None.
        control: what writes the operators that hold graphs, by their names.
        write: writes a function of the model: given the function, its attributes, a name, and these
            parts, its lines.

    Attributes:
        fields: the weights, by their names in the model's class.
        constants: other arrays, by their names in the module.
        definitions: lines of functions.
    """

    def __init__(
        self,
        onnx: Any,
        functions: Any,
        floats: np.dtype | None,
        control: Mapping[str, Callable[..., None]],
        write: Callable[..., list[str]],
    ):
        self.onnx = onnx
        self.control = control
        self.dtypes = Dtypes(onnx, floats)
        self.names = Identifiers(names_of_functions())
        self.fields: dict[str, np.ndarray] = {}
        self.constants: dict[str, np.ndarray] = {}
        self.definitions: list[str] = []
        self._imported: dict[str, set[str]] = {}
        self._field_names = Identifiers()
        self._functions = {_key(f, f.name): f for f in functions}
        self._write = write
        self._written: dict[tuple, str] = {}
        self._open: list[tuple] = []

    def field(self, name: str, array: np.ndarray) -> str:
        """A weight, as what it is called in a method."""
        label = self._field_names.new(name, "weight")
        self.fields[label] = array
        return f"self.{label}"

    def keep_fields(self, is_used: Callable[[str], bool]) -> None:
        """Leave out weights that nothing reads, but to know what they are."""
        self.fields = {k: array for k, array in self.fields.items() if is_used(f"self.{k}")}

    def constant(self, name: str, array: np.ndarray) -> str:
        """A variable of the module that is an array."""
        label = self.names.new(name)
        self.constants[label] = array
        return label

    def imports(self, function: Callable[..., Any]) -> None:
        """Note that a function is called."""
        self._imported.setdefault(function.__module__, set()).add(function.__name__)

    def import_lines(self) -> list[str]:
        """The statements that import what is called."""
        return [
            f"from {module} import {', '.join(sorted(names))}"
            for module, names in sorted(self._imported.items())
        ]

    def constant_lines(self) -> list[str]:
        """What the variables of the module are, as comments."""
        return [
            f"# {name}: {numpy_text(array.dtype).removeprefix('np.')} {array.shape}, of the model"
            for name, array in self.constants.items()
        ]

    def function_of(self, node: Any) -> Any:
        """The function of the model that a node calls, or None."""
        return self._functions.get(_key(node, node.op_type))

    def written(self, function: Any, attributes: Mapping[str, Any], caller: str) -> str:
        """The name of a function of the model, which is written if it was not yet with these
        attributes."""
        defaults = {a.name: a for a in function.attribute_proto}
        given = {**defaults, **attributes}
        shown_attributes = tuple(
            (name, given[name].SerializeToString(deterministic=True)) for name in sorted(given)
        )
        key = (*_key(function, function.name), shown_attributes)
        if key[:3] in self._open:
            raise malformed(f"{caller} is in the function {shown(function.name)}, which it calls")
        if key not in self._written:
            name = self._written[key] = self.names.new(function.name, "function")
            self._open.append(key[:3])
            self.definitions += self._write(function, given, name, self)
            self._open.pop()
        return self._written[key]


def _key(item: Any, name: str) -> tuple[str, str, str]:
    return domain_of(item), name, getattr(item, "overload", "")
