"""Compiled functions loaded from files; the format is described in docs/saved-graphs.md.

The source is not needed to load a function, and loading runs nothing that the file holds: what it
says is checked, and the program is generated anew.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from autograph.api.calls.bets import misses_refused
from autograph.api.calls.compiled import Compiled
from autograph.api.calls.signature import in_order, repeated
from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.kept import RecentEntries, most_signatures
from autograph.api.machine import capabilities
from autograph.api.pipeline import Compilation
from autograph.api.saving import unpacking
from autograph.api.saving.nestings import NestingReader, nesting_form
from autograph.api.saving.writing import FORMAT, VERSIONS, nesting_of, packed_lists
from autograph.backends.select import BACKENDS, backend_named, backend_of, is_array
from autograph.codegen.program import Program
from autograph.errors import LoadError, MutationError, SaveError, SignatureError
from autograph.graph import at_lengths
from autograph.graph.builder import current_builder, inline
from autograph.graph.deserialize import (
    Reader,
    as_list,
    corrupt,
    expect,
    field,
    is_int,
    is_printable,
)
from autograph.graph.graph import Module, Node, walk
from autograph.graph.serialize import Writer
from autograph.signals import raised_by_handler
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border import delivery as deliveries
from autograph.staging.border.constancy import static_key
from autograph.staging.border.delivery import (
    Argument,
    ChoiceOutput,
    Delivery,
    GivenContainer,
    Static,
)
from autograph.staging.border.retracing import in_words
from autograph.staging.border.signature import (
    CallParts,
    CallStructure,
    Nested,
    flatten_call,
    traced_type,
)
from autograph.staging.containers.structure import ContainerOf, Structure, is_packed
from autograph.staging.containers.structure import walk as walk_structure
from autograph.staging.ground.nesting import TupleOf
from autograph.staging.ground.recorder import active_recorder, recorder
from autograph.staging.lists.packed import Packing
from autograph.staging.trace import Traced
from autograph.staging.values.leaves import Promoted
from autograph.transforms.lanes.presence import for_machine
from ops.control import effects
from ops.core.symbolic_lengths import LEAST, NeedsNumber, is_length, is_same
from ops.core.types import ArrayType


@leaves_compiler
def load(
    path: str | PathLike, *, classes: Iterable[type] = (), max_bytes: int | None = None
) -> SavedFunction:
    """A function that `GraphFunction.save` has written to a file.

    Nothing that the file holds is run: its graph is checked, and a program generated for it.

    Args:
        path: of the file.
        classes: named tuples, classes of objects and exceptions of the user's, which are found by
            their qualified names. Without its class, a named tuple of the same name and fields is
            made, a `types.SimpleNamespace` takes the place of an object, and an exception derived
            from the same built-in one, with the same name, that of an exception.
        max_bytes: how many bytes the file may hold once it is unpacked; by default 256 MiB more
            than it has.

    Returns:
        A function for arguments of the signature it was saved for.

    Raises:
        LoadError: the file does not hold a saved function, or one of another version, or more than
            it may.
        OSError: the file cannot be read.

    Examples:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "slope.ag")
        >>> ag.grad(lambda x: x**3).save(path, 1.0)
        >>> slope = ag.load(path)
        >>> slope
        <saved grad_<lambda>(x: float)>
        >>> slope(2.0)
        12.0
    """
    content = Path(path).read_bytes()
    try:
        form, arrays = unpacking.unpacked(content, max_bytes)
        return _loaded(form, arrays, tuple(classes))
    except LoadError:
        raise
    except Exception as error:  # whatever comes of something where another thing is expected
        if raised_by_handler(error):
            raise
        raise corrupt(f"{type(error).__name__}: {error}") from error


def _loaded(form: Any, arrays: dict[str, np.ndarray], classes: tuple[type, ...]) -> SavedFunction:
    expect(isinstance(form, dict) and form.get("format") == FORMAT, "it has another format")
    if form.get("version") not in VERSIONS:
        raise LoadError(
            f"the file has version {form.get('version')!r} of the format, and this package reads "
            f"versions {VERSIONS[0]} to {VERSIONS[-1]}",
            fix="load it with the version of the package that saved it, or save it again",
        )
    name, backend = field(form, "name"), form.get("backend")
    expect(is_printable(name), "a function without a name")
    expect(backend is None or backend in BACKENDS, f"there is no backend {backend!r}")
    tables = field(form, "constants"), field(form, "generators")
    reader = Reader(arrays, *tables, form.get("lengths"))
    traced, arguments, donated = recording_of(form, reader, classes)
    found = SavedFunction(name, traced, arguments, backend, donated)
    if backend is None or backend_named(backend).host:
        _ = found.program  # what an operator cannot make code of is found out here
    return found


def recording_of(
    form: Any, reader: Reader, classes: Sequence[type]
) -> tuple[Traced, SavedArguments, list[int]]:
    """What `autograph.api.saving.writing.form_of` has written.

    Args:
        reader: has the constants.
        classes: see `load`.

    Returns:
        (the recording, whose graph is the simplified one; the arguments that it takes; the
        positions of those that are donated).
    """
    module = for_machine(reader.module(field(form, "graphs")), capabilities())
    nestings = NestingReader(reader, classes)
    arguments = SavedArguments(field(form, "signature"), module, reader, nestings)
    changed = [_target(target, reader) for target in as_list(field(form, "changed"))]
    numbers = [target for target in changed if type(target) is not np.ndarray]
    expect(all(is_int(n) and n in arguments.inputs for n in numbers), "what is changed")
    donated = as_list(field(form, "donated"))
    expect(all(is_int(n) and n in arguments.inputs for n in donated), "what is donated")
    delivery = _read_delivery(field(form, "result"), module, reader, nestings, arguments, changed)
    traced = Traced(
        module,
        delivery,
        changed=changed,
        exceptions=_exceptions(module, classes),
        containers=arguments.containers,
        generators=reader.arguments,
        tells_apart="tells_apart" in form,
    )
    expect(arguments.generators >= reader.arguments.keys(), "a generator of no argument")
    return traced, arguments, donated


class SavedArguments:
    """What arguments a saved function takes.

    Attributes:
        leaves: for each leaf, what the file says of it.
        inputs: the positions of those that are traced.
        generators: the positions of generators.
        repeated: the positions of those that are an earlier one, with that one's.
        containers: how many there are.
        keywords: the names of those that are passed by keyword.
    """

    def __init__(self, form: Any, module: Module, reader: Reader, nestings: NestingReader):
        self._form = field(form, "nesting")
        self._writer = Writer()
        self.containers = field(form, "containers")
        self.leaves = as_list(field(form, "leaves"))
        self.repeated: dict[int, int] = {}
        self.generators: set[int] = set()
        self._types: dict[int, Any] = {}
        self._symbols = reader.symbols
        self._assumed = tuple(reader.symbols.assumptions)  # compiling it may add some
        self._statics: dict[int, Any] = {}
        for position, leaf in enumerate(self.leaves):
            expect(is_printable(field(leaf, "name")), "an argument without a name")
            if "same" in leaf:
                expect(leaf["same"] in self._types, "an argument that is no other one")
                self.repeated[position] = leaf["same"]
            elif "type" in leaf:
                self._types[position] = reader.type(leaf["type"])
            elif "generator" in leaf:
                self.generators.add(position)
            else:
                self._statics[position] = reader.attribute(field(leaf, "static"))
        structure = nestings.nesting(self._form)
        # After the objects from outside that are inputs, if there are any.
        both = isinstance(structure, TupleOf) and len(structure.parts) in (2, 3)
        expect(both and getattr(structure.parts[-1], "kind", None) is dict, "no arguments")
        self.keywords = structure.parts[-1].keys
        self._packed = packed_lists(Nested(structure, ()))
        kinds = [part.keys[2] for part in walk_structure(structure) if _is_packed(part)]
        self._is_exact = all(kind.is_exact for kind in kinds)
        expect(_count(structure) == len(self.leaves), "arguments of another number")
        expect(is_int(self.containers), "the number of containers")
        self.inputs = tuple(self._types)
        given, wanted = list(self._types.values()), module.main.input_types
        same = len(given) == len(wanted) and all(map(_is_same_type, given, wanted))
        expect(same, "arguments of other types")
        self._seen: dict[str, tuple[int, int]] = {}  # where each symbol is a length
        for position, type in self._types.items():
            for axis, length in enumerate(type.shape):
                if is_length(length):
                    line: Any = length.line
                    expect(line is not None and line[1:] == (1, 0), "a length of an argument")
                    self._seen.setdefault(line[0], (position, axis))
        expect(self._seen.keys() == reader.symbols.numbers.keys(), "lengths of no argument")
        self._fits = functools.lru_cache(maxsize=64)(self._is_nested)

    def packing(self) -> Packing | None:
        """What says which lists of a call are arrays; None if there are none."""
        if not self._packed:
            return None
        return Packing(self._packed, (), self._is_exact)

    def _is_nested(self, structure: CallStructure) -> bool:
        try:
            return nesting_form(nesting_of(structure), self._writer) == self._form
        except SaveError:
            return False

    def differs(self, leaves: Sequence[Any], structure: CallStructure) -> str:
        """How arguments differ from those that it takes; "" if they don't."""
        if len(leaves) != len(self.leaves) or not self._fits(structure):
            return "the arguments are nested in another way"
        for position, leaf in enumerate(leaves):
            wrong = self._wrong(position, leaf)
            if wrong:
                return f"argument '{self.leaves[position]['name']}' {wrong}"
        return self._wrong_lengths(leaves) if self._seen else ""

    def hold(self, lengths: Mapping[str, Any]) -> bool:
        """Whether what compiling it has assumed holds as well."""
        return self._symbols.hold(lengths)

    def lengths(self, leaves: Sequence[Any]) -> dict[str, Any]:
        """What the symbols are for arguments with these leaves; within a recording, this may have
        symbols itself."""
        places = self._seen.items()
        return {name: _shape(leaves[position])[axis] for name, (position, axis) in places}

    def _wrong_lengths(self, leaves: Sequence[Any]) -> str:
        """How lengths differ from those that it takes; "" if they don't."""
        lengths = self.lengths(leaves)
        for position, type in self._types.items():
            for length, own in zip(type.shape, _shape(leaves[position])):
                wanted = lengths[length.line[0]] if is_length(length) else length
                if own != wanted:
                    name = self.leaves[position]["name"]
                    return f"{length!r} is {wanted!r}, and an axis of argument '{name}' is {own!r}"
        for name, length in lengths.items():
            if length < LEAST:
                return f"{name} is {length!r}, and has to be at least {LEAST}"
        for assumption in self._assumed:
            if not assumption.holds(lengths):
                numbers = ", ".join(f"{name} is {length!r}" for name, length in lengths.items())
                return f"{numbers}, and it was saved for {assumption}"
        return ""

    def _wrong(self, position: int, leaf: Any) -> str:
        if position in self._statics:
            value = self._statics[position]
            same = static_key(leaf) == static_key(value)
            return "" if same else f"was {value!r}, is {in_words(leaf)}"
        if position in self.generators:
            is_generator = isinstance(leaf, np.random.Generator)
            return "" if is_generator else f"was a Generator, is {in_words(leaf)}"
        form, type = self.leaves[position], self._types.get(position)
        if type is None:
            return ""
        if isinstance(leaf, GraphArray):
            return "" if _takes(type, leaf.type) else f"was {type}, is {leaf.type}"
        if isinstance(leaf, bool) or not _takes(type, traced_type(leaf)):
            return f"was {type}, is {in_words(leaf)}"
        if type.shape == () and is_array(leaf) != (form.get("array") is True):
            return f"was {'an array' if form.get('array') else 'a number'}, is {in_words(leaf)}"
        return ""

    def are_repeated(self, leaves: Sequence[Any]) -> bool:
        """Whether of the arrays of a call just those are the same that were when it was saved."""
        positions = sorted((*self.inputs, *self.repeated))
        return dict(repeated(leaves, positions)) == self.repeated

    def __str__(self) -> str:
        parts = []
        for position, leaf in enumerate(self.leaves):
            if position in self._types:
                parts.append(f"{leaf['name']}: {self._types[position]}")
            elif position in self._statics:
                parts.append(f"{leaf['name']}: {self._statics[position]!r}")
            else:
                parts.append(leaf["name"])
        return f"({', '.join(parts)})"


def _shape(leaf: Any) -> tuple[Any, ...]:
    return leaf.type.shape if isinstance(leaf, GraphArray) else getattr(leaf, "shape", ())


def _is_packed(part: Structure) -> bool:
    return isinstance(part, ContainerOf) and is_packed(part.keys)


def _is_same_type(type: Any, other: Any) -> bool:
    """Whether two types are the same, whatever symbols are."""
    arrays = isinstance(type, ArrayType) and isinstance(other, ArrayType)
    if not arrays:
        return bool(type == other)
    return type._replace(shape=()) == other._replace(shape=()) and is_same(type.shape, other.shape)


def _takes(type: ArrayType, given: Any) -> bool:
    """Whether an argument of a type may be of another one, which is the same but for symbols."""
    if not isinstance(given, ArrayType) or len(given.shape) != len(type.shape):
        return False
    pairs = zip(type.shape, given.shape)
    shape = tuple(n if is_length(n) and m is not None else m for n, m in pairs)
    return given._replace(shape=()) == type._replace(shape=()) and shape == type.shape


def _count(structure: Structure) -> int:
    """How many leaves a nesting has."""
    if structure is None:
        return 1
    inner = getattr(structure, "parts", None)
    if inner is None:
        part = getattr(structure, "part", None)
        return 0 if not hasattr(structure, "part") else 1 + _count(part)
    return sum(map(_count, inner))


def _target(form: Any, reader: Reader) -> Any:
    """What is changed: a number of an argument, or something outside."""
    if isinstance(form, dict):
        return reader.place(field(form, "outside"))
    return form


def _read_delivery(
    form: Any,
    module: Module,
    reader: Reader,
    nestings: NestingReader,
    arguments: SavedArguments,
    changed: Sequence[int],
) -> Delivery:
    taken = len(changed)

    def source(leaf: Any) -> Any:
        nonlocal taken
        if leaf == "output":
            taken += 1
            return deliveries.OUTPUT
        if leaf == "optional":
            taken += 2
            return deliveries.OPTIONAL
        expect(isinstance(leaf, dict) and len(leaf) == 1, "an unknown part of the result")
        ((kind, content),) = leaf.items()
        match kind:
            case "number" | "optional":
                kinds = tuple(reader.type(kind) for kind in as_list(content))
                is_number = all(isinstance(k, ArrayType) and k.shape == () for k in kinds)
                expect(len(kinds) > 1 and is_number, "a number")
                is_optional = kind == "optional"
                taken += 2 + len(Promoted(kinds).apart) + is_optional
                return (deliveries.OptionalOutput if is_optional else deliveries.NumberOutput)(
                    kinds
                )
            case "rows":
                taken += 1
                return deliveries.RowsOutput(content is True)
            case "choice":
                taken += 1
                return ChoiceOutput(tuple(static(item) for item in as_list(content)))
            case "argument":
                expect(is_int(content) and 0 <= content < len(arguments.leaves), "an argument")
                return Argument(content)
            case "container":
                return GivenContainer(number(content))
            case "static":
                return Static(static(content))
            case "copy":
                array = static(content)
                expect(isinstance(array, np.ndarray), "an array")
                return deliveries.Copy(array)
        raise corrupt("an unknown part of the result")

    def static(item: Any) -> Any:
        is_named = isinstance(item, dict) and "array" in item
        return reader.array(item) if is_named else reader.attribute(item)

    def number(content: Any) -> int:
        expect(is_int(content) and 0 <= content < arguments.containers, "a container")
        return content

    structure = nestings.nesting(field(form, "nesting"))
    sources = [source(leaf) for leaf in as_list(field(form, "leaves"))]
    targets = []
    for item in as_list(field(form, "changed")):
        expect(isinstance(item, list) and len(item) == 2, "what is changed")
        target = _target(item[0], reader)
        place = Static(target) if isinstance(item[0], dict) else GivenContainer(number(target))
        targets.append((place, nestings.keys(item[1])))
    expect(
        isinstance(structure, TupleOf)
        and structure.kind is tuple
        and len(structure.parts) == 1 + len(targets)
        and _count(structure) == len(sources)
        and taken == len(module.main.outputs),
        "a result of other parts",
    )
    return Delivery(structure, sources, targets)


def _exceptions(module: Module, classes: Sequence[type]) -> dict[str, type[Exception]]:
    """The user's exception classes that the program raises, or stand-ins, by their keys."""
    found: dict[str, type[Exception]] = {}
    for graph in (module.main, *module.graphs.values()):
        for key, error in (raised for node in walk(graph) for raised in _raised(node)):
            base = getattr(builtins, error, None)
            expect(isinstance(base, type) and issubclass(base, Exception), f"no class '{error}'")
            given = [c for c in classes if f".{key}".endswith(f".{c.__qualname__}")]
            if given and issubclass(given[0], base):
                found[key] = given[0]
                continue
            name = str(key).rpartition(".")[2]
            expect(name.isidentifier(), "an exception without a name")
            found.setdefault(key, type(name, (base,), {"__module__": "autograph.saved"}))
    return found


def _raised(node: Node) -> list[tuple[str, str]]:
    """For the exceptions of the user's classes that a node raises, their keys and the names of the
    built-in classes that they derive from."""
    if node.op is not effects.fail:
        return []
    linked = [(key, error) for _, error, _, key, _ in node.attrs.get("linked", ())]
    found = [(node.attrs["kind"], node.attrs["error"]), *linked]
    return [(key, error) for key, error in found if key is not None]


class SavedFunction:
    """A function loaded from a file; made by `load`.

    It can be called, also in a function that is compiled or differentiated.

    Attributes:
        name: of the function.
        graph: its graph; the ``str`` is the text.
    """

    def __init__(
        self,
        name: str,
        traced: Traced,
        arguments: SavedArguments,
        backend: str | None,
        donated: Sequence[int],
    ):
        self.name = self.__name__ = name
        self.graph = traced.module
        self._traced = traced
        self._arguments = arguments
        self._backend = backend
        self._donated = donated
        self._compiled: RecentEntries[Compiled] = RecentEntries()
        self._needs_numbers: set[str] = set()  # the backends whose kernels can't have symbols

    @leaves_compiler
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program.

        Raises:
            SignatureError: the arguments are not of the signature it was saved for.
        """
        kwargs = in_order(kwargs, self._arguments.keywords)
        packing = self._arguments.packing()
        call = CallParts(args, kwargs, packing=packing)
        leaves, structure = flatten_call(call)
        different = self._arguments.differs(leaves, structure)
        if different:
            raise SignatureError(
                f"'{self.name}' was saved for other arguments, {self._arguments}: {different}",
                fix="pass arguments of the same types, or save the function for these as well",
            )
        if active_recorder() is not None:
            return self._recorded(leaves)
        chosen = self._backend
        backend = backend_of(leaves) if chosen is None else backend_named(chosen)
        compiled = self._for(leaves, backend)
        if self._traced.knows_repeated and not self._arguments.are_repeated(leaves):
            raise SignatureError(
                f"'{self.name}' changes arrays or tells them apart, and was not saved for a call "
                "in which it is given one array by several names, or was saved for just that",
                fix="pass a copy",
            )
        with misses_refused(compiled.program):
            return compiled.run(leaves, call)

    def _recorded(self, leaves: Sequence[Any]) -> Any:
        """What a call does while another function is recorded."""
        traced = self._traced
        if traced.changed or traced.delivery.changed or traced.generators:
            raise MutationError(
                f"'{self.name}', which changes what it is given, is called in a compiled function",
                recorder().location(),
                id="AG0615",
                fix="call it outside, or compile the function that it was made of",
            )
        lengths = self._arguments.lengths(leaves)
        module = at_lengths.at_lengths(traced.module, lengths) if lengths else traced.module
        current_builder().graphs.update(module.graphs)
        values = [recorder().value_of(leaves[i]) for i in self._arguments.inputs]
        outputs = inline(module.main, values)
        return traced.delivery.deliver([GraphArray(value) for value in outputs], leaves)

    def _for(self, leaves: Sequence[Any], backend: ModuleType) -> Compiled:
        """What is compiled for a call."""
        lengths = self._arguments.lengths(leaves)
        if not lengths:
            return self._on(backend)
        if backend.name not in self._needs_numbers:
            try:
                compiled = self._on(backend)
                compiled.native  # noqa: B018, what that assumes of the lengths shows now
                if self._arguments.hold(lengths):
                    return compiled
            except NeedsNumber:
                self._needs_numbers.add(backend.name)
        return self._on(backend, lengths)

    def _on(self, backend: ModuleType, lengths: Mapping[str, int] = {}) -> Compiled:
        key = backend.name, tuple(lengths.items())
        found = self._compiled.get(key)
        if found is None:
            inputs = self._arguments.inputs
            donated = [i for i, position in enumerate(inputs) if position in self._donated]
            graph = at_lengths.at_lengths(self.graph, lengths) if lengths else self.graph
            found = self._compiled[key] = Compiled(
                replace(self._traced, module=graph),
                graph,
                Compilation(backend, capabilities(), donated=donated),
                self._arguments.inputs,
            )
            self._compiled.shrink(most_signatures(), lambda entry: entry is found)
        return found

    @property
    def program(self) -> Program:
        """The program; its ``str`` is the source."""
        return self._on(backend_named(self._backend or "numpy")).program

    def __repr__(self) -> str:
        return f"<saved {self.name}{self._arguments}>"
