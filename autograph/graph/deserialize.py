"""Modules from JSON and arrays; see docs/saved-graphs.md for the format.

What is read may come from anywhere, so nothing in it is run, and nothing of it gets into the text
of a program unchecked: attributes are of a closed set of forms, names of operators are looked up,
texts that an operator does not quote have to be words, and the verifier sees the whole in the end.
"""

from __future__ import annotations

import base64
import builtins
import keyword
import math
import re
import string
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograph.errors import LoadError, Location
from autograph.graph import verify
from autograph.graph.graph import Constant, Graph, Module, Node, Value, new_node
from autograph.graph.named_functions import function_of
from autograph.graph.serialize import BIT_GENERATORS, PYTHON_TYPES
from ops.arrays.indexing import Bound
from ops.control.effects import Slot
from ops.control.regions import PACK, STACK, Structured
from ops.core.registry import REGISTRY, Op
from ops.core.symbolic_lengths import (
    LEAST,
    RELATIONS,
    LengthAssumption,
    SymbolicLength,
    Symbols,
    is_length,
)
from ops.core.types import ArrayType, Type, is_supported
from ops.random.numpy_streams import GivenGenerator

_CONTAINERS: dict[str, Type] = {"pack": PACK, "stack": STACK}

# A text that may stand in a program as it is: a name without a leading underscore.
_WORD = re.compile(r"([A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*)?")


def corrupt(why: str) -> LoadError:
    """The error for a file that does not hold what it should."""
    return LoadError(
        f"the file does not hold a saved function: {why}",
        fix="save the function again, and copy the file as it is",
    )


def expect(condition: Any, why: str) -> None:
    """Refuse what is read unless ``condition`` holds.

    Raises:
        LoadError: it does not.
    """
    if not condition:
        raise corrupt(why)


def is_printable(text: Any) -> bool:
    """Whether something is a text on one line."""
    return isinstance(text, str) and text.isprintable()


class Reader:
    """Turns JSON into modules and attributes.

    Args:
        arrays: by name.
        constants, generators: the tables.
        lengths: the symbols of lengths, and what is assumed of them; None if there are none.

    Attributes:
        arguments: what generators among the arguments are known by, by position.
        symbols: of lengths.
    """

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        constants: Any,
        generators: Any,
        lengths: Any = None,
    ):
        self._arrays = arrays
        self._types: dict[str, Type] = {}
        self.symbols = Symbols(chooses=False)
        if lengths is not None:
            self._read_symbols(lengths)
        self.arguments: dict[int, GivenGenerator] = {}
        self._generators = [self._read_generator(form) for form in as_list(generators)]
        self._constants = [self._constant(form) for form in as_list(constants)]
        self._values: dict[int, Value] = {}

    def _read_symbols(self, form: Any) -> None:
        for name, number in table(form, "symbols").items():
            is_name = _WORD.fullmatch(name) and name.isidentifier() and not keyword.iskeyword(name)
            expect(is_name, f"a length with the name {name!r}")
            expect(is_int(number) and number >= LEAST, f"a length {name} of {number!r}")
            self.symbols.new(name, number)
        for item in as_list(field(form, "assumptions")):
            expect(isinstance(item, list) and len(item) == 2, "an assumption")
            length, relation = self.length(item[0]), item[1]
            expect(is_length(length) and relation in RELATIONS, "an assumption")
            self.symbols.assumptions[LengthAssumption(length, relation)] = None
        expect(self.symbols.hold(self.symbols.numbers), "assumptions that do not hold")

    def assume(self, symbols: Symbols, form: Any) -> bool:
        """Let lengths be made of these symbols, of which what `symbols_form` has written is assumed
        from now on. Returns whether it holds for them; if not, nothing more is assumed."""
        self.symbols = symbols
        known = [LengthAssumption(self.length(length), relation) for length, relation in form]
        if not all(assumption.holds(symbols.numbers) for assumption in known):
            return False
        symbols.assumptions.update(dict.fromkeys(known))
        return True

    def length(self, form: Any) -> Any:
        """A length: a number, None, or one with symbols."""
        if not isinstance(form, dict):
            expect(form is None or (is_int(form) and form >= 0), "an unknown length")
            return form
        length: Any = 0
        for term in as_list(field(form, "length")):
            expect(isinstance(term, list) and term and is_int(term[0]), "an unknown length")
            product: Any = term[0]
            for factor in term[1:]:
                product = product * self._factor(factor)
            length = length + product
        return length

    def _factor(self, form: Any) -> Any:
        if isinstance(form, str):
            expect(form in self.symbols.numbers, "a length without a symbol")
            return SymbolicLength({(form,): 1}, self.symbols)
        expect(isinstance(form, list) and len(form) == 2, "an unknown length")
        of, by = self.length(form[0]), form[1]
        expect(is_length(of) and is_int(by) and by > 1, "an unknown length")
        return of // by

    def type(self, form: Any) -> Type:
        """The type of a value."""
        text = str(form)  # a graph has few
        found = self._types.get(text)
        if found is None:
            found = read_type(form, self.length)
            if not self.symbols.numbers:
                self._types[text] = found
        return found

    def module(self, form: Any) -> Module:
        """A module.

        Raises:
            LoadError: it is not one.
            VerificationError: it breaks the rules of `autograph.graph.verify`.
            Exception: an operator does not take its attributes.
        """
        module = self.unverified(form)
        verify.verify(module)
        return module

    def unverified(self, form: Any) -> Module:
        """A module, whatever it is."""
        graphs = {name: self._graph(graph) for name, graph in table(form, "graphs").items()}
        return Module(self._graph(field(form, "main")), graphs)

    def _graph(self, form: Any) -> Graph:
        form = as_table(form)
        name = _entry(form, "name")
        expect(is_printable(name), "a graph without a name")
        inputs = tuple(map(self._input, as_list(_entry(form, "inputs"))))
        nodes = tuple([self._node(node) for node in as_list(_entry(form, "nodes"))])
        outputs = tuple([self._operand(v) for v in as_list(_entry(form, "outputs"))])
        return Graph(name, inputs, nodes, outputs, _read_location(form))

    def _node(self, form: Any) -> Node:
        form = as_table(form)
        op = REGISTRY.get(str(_entry(form, "op")))
        if op is None or (isinstance(op, Structured) and not op.runs):
            raise LoadError(
                f"there is no operator '{form['op']}' in this version",
                fix="load it with the version that saved it, or save it again",
            )
        inputs = tuple([self._operand(v) for v in as_list(_entry(form, "inputs"))])
        given = as_table(form["attrs"]).items() if "attrs" in form else ()
        attrs = {key: self._checked(op, key, v) for key, v in given}
        regions = tuple([self._graph(region) for region in as_list(form.get("regions", []))])
        outputs = [self._read_value(v) for v in as_list(_entry(form, "outputs"))]
        types, names = [type for _, type, _ in outputs], [name for _, _, name in outputs]
        required = form.get("required") is True
        node = new_node(op, inputs, attrs, regions, types, names, _read_location(form), required)
        for (number, _, _), value in zip(outputs, node.outputs):
            self._define(number, value)
        return node

    def _input(self, form: Any) -> Value:
        number, type, name = self._read_value(form)
        return self._define(number, Value(type, name))

    def _read_value(self, form: Any) -> tuple[int, Type, str | None]:
        """The number, the type and the name of a value, where it is defined."""
        expect(isinstance(form, list) and len(form) == 3, "a value is defined in another way")
        number, type, name = form
        expect(is_int(number), "a value is defined twice")
        expect(name is None or is_printable(name), "the name of a value is no text")
        return number, self.type(type), name

    def _define(self, number: int, value: Value) -> Value:
        expect(number not in self._values, "a value is defined twice")
        self._values[number] = value
        return value

    def _operand(self, form: Any) -> Value:
        if is_int(form):
            expect(form in self._values, "a value is used that is not defined")
            return self._values[form]
        expect(isinstance(form, str) and re.fullmatch(r"c\d{1,9}", form), "a strange operand")
        expect(int(form[1:]) < len(self._constants), "a constant is missing")
        return self._constants[int(form[1:])]

    def _constant(self, form: Any) -> Constant:
        if "empty" in as_table(form):
            expect(form["empty"] in ("pack", "stack"), "a constant of no type")
            return Constant(None, _CONTAINERS[form["empty"]])
        if "value" in form:
            data = self.attribute(form["value"])
            expect(isinstance(data, (bool, int, float, complex, np.generic)), "a constant")
            return Constant(data)
        expect(form.get("name") is None or is_printable(form["name"]), "the name of a constant")
        return Constant(self.array(form), name=form.get("name"))

    def array(self, form: Any) -> np.ndarray:
        """An array."""
        array: Any = self._arrays.get(str(field(form, "array")))
        expect(isinstance(array, np.ndarray), "an array is missing")
        dtype = read_dtype(field(form, "dtype"))
        if array.dtype != dtype:
            expect(dtype.kind == "V" and array.dtype == np.uint16, "an array of another dtype")
            array = array.view(dtype)
        return array

    def _checked(self, op: Op, key: str, form: Any) -> Any:
        """An attribute of an operator."""
        value = self.attribute(form)
        base = op.classes.get(key)
        if base is not None:
            found = getattr(builtins, value, None) if isinstance(value, str) else None
            expect(isinstance(found, type) and issubclass(found, base), f"no class '{value}'")
        if key not in op.texts:
            for text in _texts(value):
                expect(
                    _WORD.fullmatch(text),
                    f"the attribute '{key}' of '{op.name}' holds the text {text!r}",
                )
        return value

    def place(self, number: Any) -> Any:
        """Something outside, by its number; files of saved functions know nothing there."""
        raise corrupt("something outside")

    def own_class(self, name: Any) -> Any:
        """What `autograph.graph.serialize.Writer.own_class` names; files have none of these."""
        raise corrupt("an unknown class")

    def attribute(self, form: Any) -> Any:
        """A static value."""
        if form is None or isinstance(form, (bool, int, float, str)):
            return form
        if isinstance(form, list):
            return tuple(self.attribute(item) for item in form)
        expect(isinstance(form, dict) and len(form) == 1, "an unknown form of an attribute")
        ((kind, content),) = form.items()
        expect(kind in _FORMS, f"an unknown form of an attribute: '{kind}'")
        try:
            return _FORMS[kind](self, content)
        except (TypeError, ValueError, OverflowError) as error:
            raise corrupt(f"a '{kind}' of {content!r}") from error

    def _read_generator(self, form: Any) -> GivenGenerator:
        if "argument" in as_table(form):
            position = form["argument"]
            expect(is_int(position), "a generator of no argument")
            return self.arguments.setdefault(position, GivenGenerator())
        expect(form.get("bits") in BIT_GENERATORS, "an unknown kind of generator")
        generator = np.random.Generator(getattr(np.random, form["bits"])())
        try:
            generator.bit_generator.state = self._state(field(form, "state"))
        except (TypeError, ValueError, KeyError, OverflowError) as error:
            raise corrupt("the state of a generator") from error
        return GivenGenerator(generator)

    def _state(self, form: Any) -> Any:
        if isinstance(form, dict):
            if "array" in form:
                return self.array(form)
            return {key: self._state(part) for key, part in form.items()}
        expect(isinstance(form, (int, str)), "the state of a generator")
        return form

    def _slot(self, content: Any) -> Slot:
        template, tables = content
        tables = self.attribute(tables)
        known = isinstance(tables, tuple) and all(
            table is None or (isinstance(table, tuple) and all(isinstance(t, str) for t in table))
            for table in tables
        )
        expect(known, "a slot of no tables")
        return Slot(None if template is None else read_template(template), tables)


def read_template(template: Any) -> str | tuple[str, ...]:
    """A text for `str.format` that shows what it is given, and nothing that this refers to; or
    several."""
    if isinstance(template, list):
        return tuple(map(_one_template, template))
    return _one_template(template)


def _one_template(template: Any) -> str:
    expect(isinstance(template, str), "a template that is no text")
    for _, name, spec, _ in string.Formatter().parse(template):
        expect(not name or name.isdigit(), f"a template with the field {name!r}")
        expect("{" not in (spec or ""), f"a template with the format {spec!r}")
    return template


_FORMS: dict[str, Callable[[Reader, Any], Any]] = {
    "float": lambda reader, x: (
        {
            "nan": math.nan,
            "-nan": -math.nan,
            "inf": math.inf,
            "-inf": -math.inf,
        }.get(x)
        or _no("a float")
    ),
    "complex": lambda reader, x: complex(*(_real(reader.attribute(part)) for part in x)),
    "scalar": lambda reader, x: read_dtype(x[0]).type(_number(reader.attribute(x[1]))),
    "bytes": lambda reader, x: base64.b64decode(x, validate=True),
    "type": lambda reader, x: reader.type(x),
    "length": lambda reader, x: reader.length({"length": x}),
    "dtype": lambda reader, x: read_dtype(x),
    "dtype_class": lambda reader, x: read_dtype(x).type,
    "function": lambda reader, x: function_of(x) or _no("a function"),
    "class": lambda reader, x: PYTHON_TYPES.get(x) or _no("a class"),
    "slot": lambda reader, x: reader._slot(x),
    "bound": lambda reader, x: Bound(_int(x)),
    "slice": lambda reader, x: slice(*(_bound(reader.attribute(part)) for part in x)),
    "range": lambda reader, x: range(*map(_int, x)),
    "ellipsis": lambda reader, x: Ellipsis,
    "set": lambda reader, x: {reader.attribute(item) for item in as_list(x)},
    "frozenset": lambda reader, x: frozenset(reader.attribute(item) for item in as_list(x)),
    "generator": lambda reader, x: reader._generators[_index(x, reader._generators)],
}


def read_type(form: Any, length: Callable[[Any], Any]) -> Type:
    """The type of a value.

    Args:
        length: reads a length.
    """
    if isinstance(form, str):
        expect(form in _CONTAINERS, "an unknown type")
        return _CONTAINERS[form]
    expect(isinstance(form, list) and len(form) in (2, 3), "an unknown type")
    name, shape, *weak = form
    expect(weak in ([], ["weak"]), "an unknown type")
    return ArrayType(read_dtype(name), tuple(map(length, as_list(shape))), bool(weak))


def read_dtype(name: Any) -> np.dtype:
    """The dtype of a name.

    Raises:
        LoadError: there is none, or the package that has it is not installed.
    """
    expect(isinstance(name, str) and _WORD.fullmatch(name), "an unknown dtype")
    try:
        if name == "bfloat16":
            import ml_dtypes

            return np.dtype(ml_dtypes.bfloat16)
        dtype = np.dtype(name)
    except (TypeError, ImportError) as error:
        raise corrupt(f"the dtype '{name}' is not known here") from error
    expect(is_supported(dtype), f"the dtype '{name}' is not supported")
    return dtype


class TrustingReader(Reader):
    """Reads what a process like this one is known to have written, without looking whether it is
    right, in half of the time."""

    def __init__(self, arrays: Any, constants: Any, generators: Any):
        super().__init__(arrays, constants, generators)
        self._places: dict[tuple, Location] = {}

    def module(self, form: Any) -> Module:
        return self.unverified(form)

    def _node(self, form: Any) -> Node:
        values, constants = self._values, self._constants
        inputs = [values[v] if type(v) is int else constants[int(v[1:])] for v in form["inputs"]]
        given, regions = form.get("attrs"), form.get("regions", ())
        attrs = {k: self.attribute(v) for k, v in given.items()} if given else {}
        outputs = form["outputs"]
        node = new_node(
            REGISTRY[form["op"]],
            tuple(inputs),
            attrs,
            tuple([self._graph(region) for region in regions]),
            [self.type(type) for _, type, _ in outputs],
            [name for *_, name in outputs],
            self._place(form["at"]),
            "required" in form,
        )
        for (number, *_), value in zip(outputs, node.outputs):
            values[number] = value
        return node

    def _place(self, form: Any) -> Location | None:
        if form is None:
            return None
        key = tuple(form)  # many nodes have one
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = Location(*key)
        return found


def _read_location(form: dict) -> Location | None:
    found = form.get("at")
    if found is None:
        return None
    expect(isinstance(found, list) and len(found) in (4, 5), "a strange place")
    file, line, column, function, *outside = found
    # It becomes a comment in the program.
    expect(is_printable(file) and is_int(line), "a strange place")
    expect(column is None or is_int(column), "a strange place")
    expect(function is None or is_printable(function), "a strange place")
    expect(all(map(is_printable, outside)), "a strange place")
    return Location(file, line, column, function, *outside)


def _texts(value: Any) -> list[str]:
    """All texts in an attribute, those of slots as well."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, (tuple, frozenset, set)) and not isinstance(value, ArrayType):
        return [text for item in value for text in _texts(item)]
    if isinstance(value, slice):
        return _texts((value.start, value.stop, value.step))
    return []


def field(form: Any, key: str) -> Any:
    return _entry(as_table(form), key)


def _entry(form: dict, key: str) -> Any:
    if key not in form:
        raise corrupt(f"there is no '{key}' where there should be one")
    return form[key]


def as_table(form: Any) -> dict:
    expect(isinstance(form, dict) and all(map(is_printable, form)), "a table is missing")
    return form


def table(form: Any, key: str) -> dict:
    return as_table(as_table(form).get(key, {}))


def as_list(form: Any) -> list:
    expect(isinstance(form, list), "a list is missing")
    return form


def is_int(x: Any) -> bool:
    return isinstance(x, int) and not isinstance(x, bool)


def _int(x: Any) -> int:
    expect(is_int(x), "an integer is missing")
    return x


def _index(x: Any, table: list) -> int:
    expect(is_int(x) and 0 <= x < len(table), "an entry of a table is missing")
    return x


def _bound(x: Any) -> Any:
    is_known = x is None or is_int(x) or is_length(x)
    expect(is_known, "a slice of something else than integers")
    return x


def _number(x: Any) -> Any:
    expect(isinstance(x, (bool, int, float, complex)), "a number is missing")
    return x


def _real(x: Any) -> float:
    expect(isinstance(x, (int, float)), "a number is missing")
    return x


def _no(what: str) -> Any:
    raise corrupt(f"{what} is missing")
