"""Recordings on disk, so that a second process does not record what the first one did.

What a graph depends on outside of its function is guarded, see `autograph.staging.border.guards`.
For a recording all of whose guards can be told by value (see `autograph.staging.border.by_value`)
a file has the simplified graph, in the form of saved functions, how the functions and classes are
found whose guards those are, the hash of what the guards guard, and what was warned of meanwhile.
Everything outside that the graph or its results refer to is a number: that of an object among those
that were described, which are met in the same order where they are the same. The key is the hash of
what decides besides: the code of the function, what is made of it, the arguments, versions and
settings.

A process that finds the file makes the guards anew, on what it has itself, and looks whether they
guard the same. If so, the graph is taken, and depends on these guards from then on as if it had
been recorded here. If anything is another one, or can't be told, the function is recorded.

``AUTOGRAPH_CACHE_RECORDINGS=0`` turns this off, and so does whatever turns off that kernels are
found by graphs.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import json
import marshal
import os
import re
import sys
import time
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph import cache, versions
from autograph.api import pipeline
from autograph.api.calls.signature import RecordedSignature
from autograph.api.machine import capabilities
from autograph.api.recording.ahead import Lowered
from autograph.api.recording.alike import origin
from autograph.api.recording.dependencies import Dependencies
from autograph.api.recording.described_calls import (
    VALUES,
    NewCall,
    called_form,
    form_of_call,
    steps_form,
)
from autograph.api.recording.recorded import Options, RecordedFunction
from autograph.api.saving.loading import recording_of
from autograph.api.saving.nestings import is_nameless
from autograph.api.saving.writing import form_of, nesting_of
from autograph.backends import numpy as host
from autograph.collector import collector_waits
from autograph.errors import (
    AutographError,
    Location,
    PerformanceWarning,
    Said,
    WideningWarning,
    ZeroGradientWarning,
    warn_once,
)
from autograph.graph.description import NoDescription, is_own
from autograph.graph.deserialize import TrustingReader
from autograph.graph.graph import Module, walk
from autograph.graph.serialize import Writer, symbols_form
from autograph.graph.variance import knows_processes
from autograph.kernels.native import compiler
from autograph.log import log
from autograph.signals import raised_by_handler
from autograph.source.tree import libraries
from autograph.source.tree.places import CELLS
from autograph.staging.border.by_value import (
    Descriptions,
    are_among,
    are_operators_own,
)
from autograph.staging.border.constancy import static_key
from autograph.staging.border.delivery import ChoiceOutput, Static
from autograph.staging.border.retracing import in_words, summary
from autograph.staging.border.signature import (
    argument_names,
    call_key,
)
from autograph.staging.containers.containers import Contents, Keys, contents
from autograph.staging.containers.shadows import CHANGED
from autograph.staging.containers.structure import (
    ContainerOf,
    NoneOrOf,
    SameAs,
    container_kinds,
)
from autograph.staging.containers.structure import walk as walk_structure
from autograph.staging.ground.nesting import TupleOf
from autograph.staging.ground.restarts import LongRecording, NeedsElements, PromotesNumbers
from autograph.staging.lists.elements import ROWS, SEAT, ListOf, RecordOf
from autograph.staging.lists.heap import Heap
from autograph.staging.lists.lists import TrackedList
from autograph.staging.trace import Traced
from ops.arrays.indexing import Bound
from ops.control.effects import Slot
from ops.core.memory import machine_memory
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType, PackType, StackType

# Changes with what a file looks like.
_FORMAT = "6"

# How many bytes constants may have that are written.
_MOST_BYTES = 1 << 20

# How many recordings of one call with arrays of any length are kept, each for other lengths.
_MOST_LENGTHS = 4

# What may be warned of.
_WARNINGS = {
    kind.__name__: kind for kind in (PerformanceWarning, WideningWarning, ZeroGradientWarning)
}

# What Python calls an object that has no text of its own.
_ADDRESS = re.compile(" at 0x[0-9a-f]+>")


class _OtherLengths(NoDescription):
    """A recording is for arrays of other lengths."""


# What else than elements a call may need, by the names that files have.
_NEEDED = {kind.__name__: kind for kind in (PromotesNumbers, LongRecording)}


class PlaceOnDisk:
    """Where the recording for a call is on disk.

    Args:
        called: what is called.
        function: what it is made of, a function or what is called like one.
        call: the call.
        options: of what is called.
        key: of the file.
    """

    def __init__(
        self,
        called: RecordedFunction,
        function: Any,
        call: NewCall,
        options: Options,
        key: str,
    ):
        self._called = called
        self._function = function
        self._call = call
        self._options = options
        self._key = key
        self._number = 0  # where it is among those for other lengths

    # -- to the disk ------------------------------------------------------------------------------

    def store(self, lowered: Lowered, said: Sequence[Said], assumed: Any = None) -> None:
        """Keep a recording, if all that it depends on can be told by value.

        Args:
            said: what was warned of while it was recorded.
            assumed: see `assumed_by`.
        """
        try:
            form = {**self._form(lowered), "assumed": assumed, "said": _said_form(said)}
            fixed = sorted({*lowered.signature.fixed} - {*self._call.static})
            key = self._numbered(self._key_of(fixed))
            if versions.are_unchanged():
                if fixed:
                    _write(self._key, {"fixed": fixed})
                _write(key, form)
        except Exception as why:  # whatever a file can't hold
            if raised_by_handler(why):
                raise
            text = why.message if isinstance(why, AutographError) else str(why)
            log.info("%s: it is recorded in each process: %s", lowered.name, text)
            return

    def store_needed(self, needed: NeedsElements | PromotesNumbers | LongRecording) -> None:
        """Keep that the call is to be taken apart otherwise, whatever the function finds outside:
        what it depends on there is not known. With elements that it could do without it computes
        the same."""
        found = needed.number if isinstance(needed, NeedsElements) else type(needed).__name__
        if versions.are_unchanged():
            _write(self._key, {"needed": found})

    def _form(self, lowered: Lowered) -> dict[str, Any]:
        """What is written of a recording.

        Raises:
            NoDescription, AutographError: it is not to be written.
        """
        traced, signature = lowered.traced, lowered.signature
        _refuse(lowered)
        owners = traced.owners
        names = sorted(owners.names)
        outside = Dependencies(self._function, self._call, names)
        for owner, name in traced.guarded:
            outside.add(outside.number(owner), name)
        for function in traced.bound_functions:
            if function is not self._function:
                raise NoDescription(f"'{in_words(function)}' is called, and bound to something")
            outside.add_called()
        kinds = [kind for kind in owners.owners if isinstance(kind, type) or vars(kind)]
        numbers = [[outside.number(kind), kind in owners.of_arguments] for kind in kinds]
        outside.add_owners(numbers)
        if not are_among(traced.guards, outside.guards):
            raise NoDescription("it depends on more than its functions and variables")
        outside.described.finish()
        writer = _Writer(outside.described, traced.outside)
        form = form_of(lowered.name, lowered.graph, traced, signature, writer)
        _refuse_results(traced, outside)
        return {
            "fixed": sorted(signature.fixed.items()),
            "names": names,
            "guarded": outside.ways,
            "roots": len(self._call.containers()),
            "called": bool(traced.bound_functions),
            "owners": numbers,
            "guards": outside.told(),
            "containers": [outside.number(c) for c in traced.outside_containers.values()],
            "found": [_found_form(outside.number(c), state) for c, state in traced.found],
            "recording": form,
            "arrays": {name: _array_form(array) for name, array in writer.arrays.items()},
        }

    def _numbered(self, key: str) -> str:
        return cache.key(key, str(self._number)) if self._number else key

    def _key_of(self, fixed: Iterable[int]) -> str:
        """The key for a call in which the values of some leaves count."""
        leaves = [(i, self._call.leaves[i]) for i in fixed]
        if not all(type(leaf) in VALUES or isinstance(leaf, np.generic) for _, leaf in leaves):
            raise NoDescription("the value of an argument is no number or text")
        described = Descriptions(lambda value: None)
        values = json.dumps([[i, described.of(leaf)] for i, leaf in leaves])
        return cache.key(self._key, values) if leaves else self._key

    # -- from the disk ----------------------------------------------------------------------------

    @collector_waits()
    def load(self) -> Lowered | None:
        """The recording that is on disk, if it is right here and now.

        Raises:
            NeedsElements, PromotesNumbers, LongRecording: there can be none, as another process
                found out.
        """
        start = time.perf_counter()
        try:
            found, key = _read(self._key), self._key
            if found is not None and found.keys() == {"fixed"}:
                key = self._key_of(found["fixed"])
                found = _read(key)
            if found is not None and found.keys() == {"needed"}:
                needed = found["needed"]
                raise _NEEDED[needed]() if isinstance(needed, str) else NeedsElements(needed)
            lowered = None
            while found is not None and lowered is None:
                try:
                    lowered = self._lowered(found)
                except _OtherLengths:
                    if self._number == _MOST_LENGTHS - 1:
                        raise
                    self._number += 1
                    found = _read(self._numbered(key))
        except (NeedsElements, *_NEEDED.values()):
            raise
        except Exception as why:  # whatever comes of it where something is another one
            if raised_by_handler(why):
                raise
            log.debug("%s: the recording on disk is not for this: %s", self._called.name, str(why))
            return None
        if lowered is not None:
            lowered.seconds = time.perf_counter() - start
            log.debug("%s: its recording is on disk", self._called.name)
        return lowered

    def _lowered(self, found: dict[str, Any]) -> Lowered:
        outside = Dependencies(self._function, self._call, found["names"])
        for way, name in found["guarded"]:
            outside.add(way, name)
        if found["called"]:
            outside.add_called()
        outside.add_owners(found["owners"])
        if outside.told() != found["guards"]:
            raise NoDescription("something outside is another one")
        met = outside.described.met
        form, call = found["recording"], self._call
        arrays = {name: _array(array) for name, array in found["arrays"].items()}
        reader = _Reader(arrays, form["constants"], form["generators"], met)
        shapes = call.open_shapes
        if shapes is not None and not reader.assume(shapes.symbols, found["assumed"]):
            raise _OtherLengths("lengths are others")
        traced, arguments, _ = recording_of(form, reader, outside.classes())
        nested = nesting_of(call.structure)
        traced.containers -= found["roots"]
        traced.has_variables = bool(call.variables)
        traced.has_heaps = any(issubclass(kind, Heap) for kind in container_kinds(nested))
        traced.guards = [*outside.guards]
        traced.outside = reader.outside
        traced.outside_containers = {id(met[i]): met[i] for i in found["containers"]}
        traced.found = [_found(met[i], written) for i, written in found["found"]]
        fixed = dict(found["fixed"])
        names = argument_names(self._called._source, call.structure)
        inputs = arguments.inputs
        signature = RecordedSignature(
            call.structure,
            names,
            call_key(call.leaves, call.structure),
            summary(names, call.leaves, fixed),
            inputs,
            fixed,
            tuple(static_key(call.leaves[i]) for i in fixed),
            {i: leaf for i, leaf in enumerate(call.leaves) if i not in inputs},
        )
        lowered = Lowered(
            self._called.name,
            self._called,
            self._called._source,
            traced,
            signature,
            host,
            capabilities(),
            fast_math=self._options.fast_math,
            open_shapes=shapes,
        )
        vars(lowered)["graph"] = traced.module  # it is simplified
        for message, category, place in found["said"]:
            at = None if place is None else Location(*place)
            warn_once(message, _WARNINGS[category], at)
        return lowered


@contextlib.contextmanager
def noting_needs(place: PlaceOnDisk | None) -> Iterator[None]:
    """Keep on disk that a call is to be taken apart otherwise."""
    try:
        yield
    except (NeedsElements, PromotesNumbers, LongRecording) as needed:
        if place is not None:
            place.store_needed(needed)
        raise


def place_of(
    called: RecordedFunction, call: NewCall, options: Options, clips: bool = False
) -> PlaceOnDisk | None:
    """Where the recording for a call is on disk; None if it is not kept there.

    Args:
        called: what is called.
        options: that it was made with.
        clips: whether slices may reach past the ends of their axes.
    """
    if not _are_kept() or options.backend is not None or knows_processes():
        return None
    if not (pipeline.are_passes_own() and are_operators_own()):
        return None
    steps, function = origin(called)
    files = versions.files()
    if function is None or files is None:
        return None
    machine = capabilities()
    try:
        text = json.dumps(
            [
                *(called.name, steps_form(steps), called_form(function, call), form_of_call(call)),
                *(machine.native, machine.cuda, libraries.converted_places(), clips),
            ]
        )
    except NoDescription as why:
        log.info("%s: it is recorded in each process: %s", called.name, str(why))
        return None
    key = cache.key(
        *("recording", _FORMAT, files, sys.version, str(sys.flags.optimize), np.__version__),
        *(*compiler.host(), str(machine_memory()), json.dumps(versions.settings()), text),
    )
    return PlaceOnDisk(called, function, call, options, key)


def assumed_by(lowered: Lowered) -> Any:
    """What a recording for arrays of any length assumes of lengths, as JSON. To be asked before
    kernels are made of it, for which more may be assumed."""
    _ = lowered.graph  # simplifying it may assume something
    shapes = lowered.open_shapes
    return None if shapes is None else symbols_form(shapes.symbols)["assumptions"]


def _are_kept() -> bool:
    return os.environ.get("AUTOGRAPH_CACHE_RECORDINGS", "") != "0" and versions.are_kept()


def _found_form(number: int, state: Contents) -> list[Any]:
    """A container from outside, with what the function has written there."""
    return [number, [i for i, value in enumerate(state.values) if value is CHANGED]]


def _found(container: Any, written: Collection[int]) -> tuple[Any, Contents]:
    keys, values = contents(container)
    state = tuple(CHANGED if i in written else value for i, value in enumerate(values))
    return container, Contents(keys, state)


# -- what is written -------------------------------------------------------------------------------


def _refuse(lowered: Lowered) -> None:
    """Refuse recordings of what a file does not hold.

    Raises:
        NoDescription: it is one.
    """
    traced, signature = lowered.traced, lowered.signature
    more = (traced.bets, traced.bound, traced.unsure, traced.met, traced.exceptions)
    changed = (target for target, _ in traced.delivery.changed if isinstance(target, Static))
    cells = [target for target in changed if isinstance(target.value, CELLS)]
    others = (traced.generators, cells, traced.tells_apart)
    conversion = lowered.conversion
    assigned = (*conversion.shared, *conversion.of_classes)
    of_call = (conversion.handling, assigned, lowered.donated, signature.repeated)
    if any((*more, *others, *of_call)) or not traced.guarded:
        raise NoDescription("it depends on generators, or on which objects are given")
    if lowered.backend is not host or lowered.chosen is not None:
        raise NoDescription("it does not run on the host")
    _refuse_nodes(lowered.graph)


def _refuse_results(traced: Traced, outside: Dependencies) -> None:
    """Refuse results of which a file has no more than a name.

    Args:
        outside: what is found again.

    Raises:
        NoDescription: there are some.
    """
    classes = outside.classes()
    for part in walk_structure(traced.delivery.structure):
        inside = _elements(part.keys[1]) if isinstance(part, ContainerOf) and part.is_rows else ()
        if not all(_is_known(item, classes) for item in (part, *inside)):
            raise NoDescription("a result is nested in something else than containers and objects")
    for source in traced.delivery.sources:
        values: Sequence[Any] = ()
        if isinstance(source, Static):
            values = (source.value,)
        elif isinstance(source, ChoiceOutput):
            values = source.objects
        for value in values:
            if type(value) not in VALUES and not isinstance(value, (np.dtype, np.generic)):
                outside.number(value)


def _is_known(part: Any, classes: Sequence[type]) -> bool:
    """Whether a file has more than a name of what is nested so."""
    if isinstance(part, (ContainerOf, RecordOf)):
        is_known = part.kind in (list, TrackedList, dict) or part.kind in classes
        if part.keys[:1] in ((ROWS,), (SEAT,)):
            return is_known or is_nameless(part.kind)
        keys = [k for key in part.keys for k in (key if type(key) in (Keys, tuple) else [key])]
        return (is_known or is_nameless(part.kind)) and all(type(key) in VALUES for key in keys)
    if isinstance(part, TupleOf):
        return part.kind is tuple or part.kind in classes
    return part is None or isinstance(part, (NoneOrOf, SameAs, ListOf))


def _elements(structure: Any) -> Iterator[Any]:
    """The structure of an element of a list that is kept as rows, and those in it."""
    yield structure
    if isinstance(structure, ListOf):
        yield from _elements(structure.part)
    elif structure is not None:
        for part in structure.parts:
            yield from _elements(part)


def _refuse_nodes(module: Module) -> None:
    for graph in (module.main, *module.graphs.values()):
        for node in walk(graph):
            if not is_own(node.op):
                raise NoDescription(f"the operator '{node.op.name}' is not one of 'ops'")


# What a file says of a value, whatever was met.
_WRITTEN = (*VALUES, tuple, slice, range, type(...), ArrayType, PackType, StackType, Slot, Bound)


class _Writer(Writer):
    """Writes a recording.

    Args:
        described: knows what is outside by numbers.
        outside: the arrays that the graph refers to, by identity.
    """

    def __init__(self, described: Descriptions, outside: Mapping[int, Any]):
        super().__init__()
        self._described = described
        self._outside = outside

    def array(self, data: Any, name: str | None = None) -> dict[str, Any]:
        if id(data) not in self._outside:
            return super().array(data, name)
        number = self._described.number_of(data)
        if number is None:
            raise NoDescription("an array is found in no variable")
        return {"array": None, "outside": number, "name": name}

    def attribute(self, value: Any) -> Any:
        is_written = type(value) in _WRITTEN or is_length(value)
        number = None if is_written else self._described.number_of(value)
        return super().attribute(value) if number is None else {"outside": number}

    def place(self, value: Any) -> int | None:
        return self._described.number_of(value)

    def own_class(self, kind: type) -> str:
        return f"{kind.__module__}:{kind.__qualname__}"


class _Reader(TrustingReader):
    """Reads a recording.

    Args:
        met: what is outside, by numbers.

    Attributes:
        outside: the arrays among that to which the graph refers, by identity.
    """

    def __init__(self, arrays: Any, constants: Any, generators: Any, met: Sequence[Any]):
        self.outside: dict[int, np.ndarray] = {}
        self._met = met
        super().__init__(arrays, constants, generators)

    def array(self, form: Any) -> np.ndarray:
        if "outside" not in form:
            return super().array(form)
        array = self._met[form["outside"]]
        self.outside[id(array)] = array
        return array

    def attribute(self, form: Any) -> Any:
        if type(form) is dict and "outside" in form:
            return self._met[form["outside"]]
        return super().attribute(form)

    def place(self, number: int) -> Any:
        return self._met[number]

    def own_class(self, name: str) -> Any:
        module, _, name = name.partition(":")
        return getattr(importlib.import_module(module), name)


def _said_form(said: Sequence[Said]) -> list[Any]:
    """What was warned of.

    Raises:
        NoDescription: by something else than this package.
    """
    found = []
    for message, category, place in said:
        if _WARNINGS.get(category.__name__) is not category:
            raise NoDescription(f"it warns of a {category.__name__}")
        found.append([message, category.__name__, None if place is None else list(place)])
    return found


def _array_form(array: np.ndarray) -> Any:
    if array.nbytes > _MOST_BYTES or not array.flags.c_contiguous or array.dtype.hasobject:
        raise NoDescription("it has a large constant")
    return [array.dtype.str, list(array.shape), base64.b64encode(array.tobytes()).decode()]


def _array(form: Any) -> np.ndarray:
    dtype, shape, text = form
    return np.frombuffer(base64.b64decode(text), dtype).reshape(shape).copy()


def _write(key: str, form: dict[str, Any]) -> None:
    text = json.dumps(form, allow_nan=False)
    if _ADDRESS.search(text):
        raise NoDescription("there is a text with the address of an object")
    # Lists and dicts, as JSON has them, are read in a fraction of the time so.
    cache.store(key, zlib.compress(marshal.dumps(json.loads(text)), 1))


def _read(key: str) -> dict[str, Any] | None:
    data = cache.load(key)
    return None if data is None else marshal.loads(zlib.decompress(data))
