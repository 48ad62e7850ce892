"""Recordings on disk, so that a second process does not record what the first one did.

What a graph depends on outside of its function is guarded, see `autograph.staging.border.guards`.
For a recording all of whose guards can be told by value (see `autograph.staging.border.by_value`)
a file has the simplified graph, in the form of saved functions, how the functions are found whose
guards those are, the hash of what the guards guard, and what was warned of meanwhile. The key is
the hash of what decides besides: the code of the function, what is made of it, the arguments,
versions and settings.

A process that finds the file makes the guards anew, on what it has itself, and looks whether they
guard the same. If so, the graph is taken, and depends on these guards from then on as if it had
been recorded here. If anything is another one, or can't be told, the function is recorded.

``AUTOGRAPH_CACHE_RECORDINGS=0`` turns this off, and so does whatever turns off that kernels are
found by graphs.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from autograph import cache, versions
from autograph.api import pipeline
from autograph.api.calls.signature import RecordedSignature
from autograph.api.machine import capabilities
from autograph.api.recording.ahead import Lowered
from autograph.api.recording.alike import origin
from autograph.api.recording.recorded import Options, RecordedFunction
from autograph.api.saving.loading import recording_of
from autograph.api.saving.writing import form_of
from autograph.backends import numpy as host
from autograph.collector import collector_waits
from autograph.errors import (
    Location,
    PerformanceWarning,
    Said,
    WideningWarning,
    ZeroGradientWarning,
    warn_once,
)
from autograph.graph.description import NoDescription, is_own
from autograph.graph.deserialize import Reader
from autograph.graph.graph import Module, walk
from autograph.graph.serialize import Writer, type_form
from autograph.graph.variance import knows_processes
from autograph.kernels.native import compiler
from autograph.log import log
from autograph.signals import raised_by_handler
from autograph.source.load import is_converted
from autograph.source.tree import libraries
from autograph.source.tree.fingerprint import fingerprint
from autograph.source.tree.free import Lookup
from autograph.staging.border.by_value import (
    Descriptions,
    are_among,
    are_operators_own,
    guards_on,
    parts_of,
)
from autograph.staging.border.constancy import static_key
from autograph.staging.border.delivery import ChoiceOutput, Static
from autograph.staging.border.retracing import Guard, each_once, summary
from autograph.staging.border.signature import (
    CallStructure,
    Nested,
    argument_names,
    call_key,
    traced_type,
)
from autograph.staging.containers.containers import contents
from autograph.staging.containers.structure import ContainerOf, NoneOrOf, SameAs
from autograph.staging.containers.structure import walk as walk_structure
from autograph.staging.ground.nesting import TupleOf
from autograph.staging.lists.lists import TrackedList
from autograph.staging.trace import Traced
from ops.core.memory import machine_memory

# Changes with what a file looks like.
_FORMAT = "2"

# How many bytes constants may have that are written.
_MOST_BYTES = 1 << 20

# What is taken apart of what is found outside, and what may be warned of.
_CONTAINERS = (list, dict)
_WARNINGS = {
    kind.__name__: kind for kind in (PerformanceWarning, WideningWarning, ZeroGradientWarning)
}

_VALUES = (bool, int, float, complex, str, bytes, type(None))


class NewCall(NamedTuple):
    """A call that something is recorded for.

    Attributes:
        leaves, structure: of the arguments; see `autograph.staging.border.signature.flatten_call`.
        args, kwargs: the arguments.
    """

    leaves: list[Any]
    structure: CallStructure
    args: tuple
    kwargs: dict[str, Any]


class PlaceOnDisk:
    """Where the recording for a call is on disk.

    Args:
        called: what is called.
        function: what it is made of.
        call: the call.
        options: of what is called.
        key: of the file.
    """

    def __init__(
        self,
        called: RecordedFunction,
        function: FunctionType,
        call: NewCall,
        options: Options,
        key: str,
    ):
        self._called = called
        self._function = function
        self._call = call
        self._options = options
        self._key = key

    # -- to the disk ------------------------------------------------------------------------------

    def store(self, lowered: Lowered, said: Sequence[Said]) -> None:
        """Keep a recording, if all that it depends on can be told by value.

        Args:
            said: what was warned of while it was recorded.
        """
        try:
            form = {**self._form(lowered), "said": _said_form(said)}
            key = self._key_of(sorted(lowered.signature.fixed))
        except Exception as why:  # whatever a file can't hold
            if raised_by_handler(why):
                raise
            log.debug("%s: it is recorded in each process: %s", lowered.name, why)
            return
        if not versions.are_unchanged():
            return
        fixed = sorted(lowered.signature.fixed)
        if fixed:
            _write(self._key, {"fixed": fixed})
        _write(key, form)

    def _form(self, lowered: Lowered) -> dict[str, Any]:
        """What is written of a recording.

        Raises:
            NoDescription, AutographError: it is not to be written.
        """
        traced, signature = lowered.traced, lowered.signature
        _refuse(lowered)
        first, *others = traced.guarded
        if first != (self._function, ""):
            raise NoDescription("it is another function that is recorded")
        ways, made = [], [*guards_on(*first)]
        parts = parts_of(made)
        for owner, name in others:
            way = next((i for i, part in enumerate(parts) if _recorded_in(part) is owner), None)
            if way is None:
                raise NoDescription(f"'{owner.__name__}' is found in no variable")
            ways.append([way, name])
            found = [*guards_on(owner, name)]
            made += found
            parts += parts_of(found)
        guards = [*each_once(made)]
        if not are_among(traced.guards, guards):
            raise NoDescription("it depends on more than its functions and variables")
        arrays = {id(value): i for i, value in enumerate(parts_of(guards))}
        if not traced.outside.keys() <= arrays.keys():
            raise NoDescription("an array is found in no variable")
        writer = _Writer({key: arrays[key] for key in traced.outside})
        form = form_of(lowered.name, lowered.graph, traced, signature, writer)
        return {
            "fixed": sorted(signature.fixed.items()),
            "guarded": ways,
            "guards": _told(guards),
            "recording": form,
            "arrays": {name: _array_form(array) for name, array in writer.arrays.items()},
        }

    def _key_of(self, fixed: Iterable[int]) -> str:
        """The key for a call in which the values of some leaves count."""
        leaves = [(i, self._call.leaves[i]) for i in fixed]
        if not all(type(leaf) in _VALUES or isinstance(leaf, np.generic) for _, leaf in leaves):
            raise NoDescription("the value of an argument is no number or text")
        described = Descriptions(lambda value: None)
        values = json.dumps([[i, described.of(leaf)] for i, leaf in leaves])
        return cache.key(self._key, values) if leaves else self._key

    # -- from the disk ----------------------------------------------------------------------------

    @collector_waits()
    def load(self) -> Lowered | None:
        """The recording that is on disk, if it is right here and now."""
        start = time.perf_counter()
        try:
            found = _read(self._key)
            if found is not None and found.keys() == {"fixed"}:
                found = _read(self._key_of(found["fixed"]))
            lowered = None if found is None else self._lowered(found)
        except Exception as why:  # whatever comes of it where something is another one
            if raised_by_handler(why):
                raise
            log.debug("%s: the recording on disk is not for this: %s", self._called.name, why)
            return None
        if lowered is not None:
            lowered.seconds = time.perf_counter() - start
            log.debug("%s: its recording is on disk", self._called.name)
        return lowered

    def _lowered(self, found: dict[str, Any]) -> Lowered:
        made = [*guards_on(self._function)]
        parts, containers = parts_of(made), dict[int, Any]()
        for way, name in found["guarded"]:
            owner = _recorded_in(parts[way])
            if type(owner) is not (ModuleType if name else FunctionType):
                raise NoDescription("a function or module is something else")
            more = [*guards_on(owner, name)]
            made += more
            parts += parts_of(more)
            if isinstance(owner, ModuleType):
                containers[id(owner)] = owner
        guards = [*each_once(made)]
        if _told(guards) != found["guards"]:
            raise NoDescription("something outside is another one")
        parts = parts_of(guards)
        kept = {id(part): part for part in parts if type(part) in _CONTAINERS}
        form, call = found["recording"], self._call
        arrays = {name: _array(array) for name, array in found["arrays"].items()}
        reader = _Reader(arrays, form["constants"], form["generators"], parts)
        traced, arguments, _ = recording_of(form, reader)
        traced.guards = guards
        traced.outside = reader.outside
        traced.outside_containers = {**containers, **kept}
        traced.found = [(container, contents(container)) for container in kept.values()]
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
        )
        vars(lowered)["graph"] = traced.module  # it is simplified
        for message, category, place in found["said"]:
            at = None if place is None else Location(*place)
            warn_once(message, _WARNINGS[category], at)
        return lowered


def place_of(called: RecordedFunction, call: NewCall, options: Options) -> PlaceOnDisk | None:
    """Where the recording for a call is on disk; None if it is not kept there.

    Args:
        called: what is called.
        options: that it was made with.
    """
    if not _are_kept() or options.backend is not None or knows_processes():
        return None
    if not (pipeline.are_passes_own() and are_operators_own()):
        return None
    steps, function = origin(called)
    if type(function) is not FunctionType or is_converted(function.__code__):
        return None
    files = versions.files()
    if files is None or function.__code__.co_filename.startswith("<"):
        return None
    machine = capabilities()
    try:
        text = json.dumps(
            [
                *(called.name, _steps_form(steps), fingerprint(function.__code__)),
                *(_known_values(function), _form_of(call)),
                *(machine.native, machine.cuda, libraries.converted_places()),
            ]
        )
    except NoDescription as why:
        log.debug("%s: it is recorded in each process: %s", called.name, why)
        return None
    key = cache.key(
        *("recording", _FORMAT, files, sys.version, str(sys.flags.optimize), np.__version__),
        *(*compiler.host(), str(machine_memory()), json.dumps(versions.settings()), text),
    )
    return PlaceOnDisk(called, function, call, options, key)


def _are_kept() -> bool:
    return os.environ.get("AUTOGRAPH_CACHE_RECORDINGS", "") != "0" and versions.are_kept()


# -- what is called, and with what -----------------------------------------------------------------


def _steps_form(steps: Sequence[Any]) -> list[Any]:
    """How what is called is made of a function.

    Raises:
        NoDescription: by something that is not of this package.
    """
    found = []
    for make, options in steps:
        if not make.__module__.startswith("autograph."):
            raise NoDescription(f"it is made by '{make.__qualname__}'")
        found.append([make.__module__, make.__qualname__, repr(options)])
    return found


def _compiled_form(value: Any) -> Sequence[Any] | None:
    """What a compiled function is made of, and how; None for what is none."""
    if not isinstance(value, RecordedFunction):
        return None
    steps, function = origin(value)
    return None if function is None else [function, value.name, _steps_form(steps)]


def _recorded_in(value: Any) -> Any:
    """The function that is recorded where a compiled one is called; other values as they are."""
    return origin(value)[1] if isinstance(value, RecordedFunction) else value


def _known_values(function: FunctionType) -> list[Any]:
    """The numbers and texts in a function's variables, of which there may be others of its code."""
    described = Descriptions(lambda value: None)
    cells = [Lookup(cell, "")() for cell in function.__closure__ or ()]
    values = [*cells, *(function.__defaults__ or ())]
    return [described.of(value) if type(value) in _VALUES else None for value in values]


def _form_of(call: NewCall) -> Any:
    """The arguments of a call: their nesting, types and static values.

    Raises:
        NoDescription: they are nested in something else than tuples, lists and dicts, or are
            neither arrays, numbers nor texts.
    """
    if isinstance(call.structure, Nested):
        raise NoDescription("objects are among the arguments")
    described = Descriptions(lambda value: None)

    def form(value: Any) -> Any:
        kind = type(value)
        if kind is tuple or kind is list:
            return [kind.__name__, *map(form, value)]
        if kind is dict:
            return ["dict", *([described.of(key), form(part)] for key, part in value.items())]
        if kind is np.ndarray or isinstance(value, np.generic) or kind in (int, float, complex):
            found = traced_type(value)
            if found is None or not found.dtype.isbuiltin or not found.dtype.isnative:
                raise NoDescription(f"an argument is a {kind.__name__}")
            return [kind.__name__, type_form(found)]
        if kind in _VALUES:
            return described.of(value)
        raise NoDescription(f"an argument is a {kind.__name__}")

    return [form(call.args), form(call.kwargs)]


# -- what is written -------------------------------------------------------------------------------


def _refuse(lowered: Lowered) -> None:
    """Refuse recordings of what a file does not hold.

    Raises:
        NoDescription: it is one.
    """
    traced, signature = lowered.traced, lowered.signature
    more = (traced.bets, traced.bound, traced.unsure, traced.met, traced.exceptions)
    outside = (*traced.outside_containers.values(), *(container for container, _ in traced.found))
    containers = [c for c in outside if type(c) not in (ModuleType, *_CONTAINERS)]
    others = (traced.generators, containers, traced.has_variables)
    of_call = (lowered.handling, lowered.donated, lowered.open_shapes, signature.repeated)
    if any((*more, *others, *of_call)) or not traced.guarded:
        raise NoDescription("it depends on objects, generators or classes")
    if lowered.backend is not host or lowered.chosen is not None:
        raise NoDescription("it does not run on the host")
    _refuse_nodes(lowered.graph)
    _refuse_results(traced)


def _refuse_results(traced: Traced) -> None:
    """Refuse results of which a file has no more than a name, such as those of other classes.

    Raises:
        NoDescription: there are some.
    """
    for part in walk_structure(traced.delivery.structure):
        if isinstance(part, ContainerOf):
            is_known = part.kind in (list, TrackedList, dict)
            is_known = is_known and all(type(key) in _VALUES for key in part.keys)
        elif isinstance(part, TupleOf):
            is_known = part.kind is tuple
        else:
            is_known = part is None or isinstance(part, (NoneOrOf, SameAs))
        if not is_known:
            raise NoDescription("a result is nested in something else than tuples, lists and dicts")
    for source in traced.delivery.sources:
        values: Sequence[Any] = ()
        if isinstance(source, Static):
            values = (source.value,)
        elif isinstance(source, ChoiceOutput):
            values = source.objects
        for value in values:
            if type(value) not in _VALUES and id(value) not in traced.outside:
                raise NoDescription(f"a result is a {type(value).__name__}")


def _refuse_nodes(module: Module) -> None:
    for graph in (module.main, *module.graphs.values()):
        for node in walk(graph):
            if not is_own(node.op):
                raise NoDescription(f"the operator '{node.op.name}' is not one of 'ops'")


def _told(guards: Sequence[Guard]) -> str:
    """The hash of what guards guard.

    Raises:
        NoDescription: that can't be told.
    """
    described = Descriptions(_compiled_form).of_guards(guards)
    return hashlib.sha256(json.dumps(described).encode()).hexdigest()


class _Writer(Writer):
    """Writes a recording.

    Args:
        outside: the numbers of arrays among the `parts_of` what is guarded, by the identities of
            these.
    """

    def __init__(self, outside: Mapping[int, int]):
        super().__init__()
        self._outside = outside

    def array(self, data: Any, name: str | None = None) -> dict[str, Any]:
        if id(data) in self._outside:
            return {"array": None, "outside": self._outside[id(data)], "name": name}
        return super().array(data, name)


class _Reader(Reader):
    """Reads a recording.

    Args:
        parts: of what is guarded; arrays from outside are among them.

    Attributes:
        outside: these arrays, by identity.
    """

    def __init__(self, arrays: Any, constants: Any, generators: Any, parts: Sequence[Any]):
        self.outside: dict[int, np.ndarray] = {}
        self._parts = parts
        super().__init__(arrays, constants, generators)

    def module(self, form: Any) -> Module:
        return self.unverified(form)

    def array(self, form: Any) -> np.ndarray:
        if "outside" not in form:
            return super().array(form)
        array = self._parts[form["outside"]]
        self.outside[id(array)] = array
        return array


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
    cache.store(key, zlib.compress(json.dumps(form, allow_nan=False).encode(), 1))


def _read(key: str) -> dict[str, Any] | None:
    data = cache.load(key)
    return None if data is None else json.loads(zlib.decompress(data))
