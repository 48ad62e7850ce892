"""Compiled functions written to files; the format is described in docs/saved-graphs.md.

A file holds the graph of a function, recorded for arguments of one signature, with all that the
graph needs: its constants, how the arguments are nested and how the results are.
"""

from __future__ import annotations

import io
import json
from collections.abc import Collection
from os import PathLike
from typing import Any

import numpy as np

from autograph.api.calls.signature import RecordedSignature
from autograph.api.saving.nestings import keys_form, nesting_form, refuse
from autograph.backends.select import is_array
from autograph.errors import Location, SaveError
from autograph.graph.graph import Module
from autograph.graph.serialize import Writer, symbols_form, type_form
from autograph.staging.border import delivery as deliveries
from autograph.staging.border.delivery import (
    Argument,
    ChoiceOutput,
    Delivery,
    GivenContainer,
    Static,
)
from autograph.staging.border.signature import CallStructure, Nested, traced_type, unflatten_call
from autograph.staging.containers.structure import (
    ContainerOf,
    Flattener,
    Structure,
    is_packed,
    walk,
)
from autograph.staging.trace import Traced
from ops.core.symbolic_lengths import Symbols

FORMAT = "autograph saved function"
# In the second there may be symbolic lengths, in the third lists of numbers that are arrays.
VERSIONS = 1, 2, 3


def save(
    path: str | PathLike,
    name: str,
    graph: Module,
    traced: Traced,
    signature: RecordedSignature,
    *,
    backend: str | None,
    donated: Collection[int],
    symbols: Symbols | None = None,
) -> None:
    """Write a recorded function to a file.

    Args:
        name: of the function.
        graph: the simplified one.
        traced: the recording.
        signature: of the arguments.
        backend: its name, if the user has chosen one.
        donated: the positions of the leaves whose memory the caller gives up.
        symbols: of lengths, if there are any.

    Raises:
        SaveError: it refers to something that a file cannot hold.
    """
    writer = writer_for(traced)
    form = {
        "format": FORMAT,
        "version": 3 if packed_lists(signature.structure) else VERSIONS[symbols is not None],
        "autograph": _own_version(),
        **form_of(name, graph, traced, signature, writer, backend=backend, donated=donated),
    }
    if symbols is not None:
        form["lengths"] = symbols_form(symbols)
    import zipfile  # not at the top: `import autograph` would take 10 % longer

    arrays, content = io.BytesIO(), dict[str, Any](writer.arrays)
    np.savez(arrays, **content)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("graph.json", json.dumps(form, allow_nan=False))
        file.writestr("constants.npz", arrays.getvalue())


def packed_lists(structure: CallStructure) -> list[int]:
    """The numbers of the lists among the arguments that are arrays."""
    parts = walk(structure.structure) if isinstance(structure, Nested) else ()
    containers = (part for part in parts if isinstance(part, ContainerOf))
    return [part.number for part in containers if is_packed(part.keys)]


def writer_for(traced: Traced) -> Writer:
    """What writes the parts of a recording."""
    return Writer({handle: position for position, handle in traced.generators.items()})


def form_of(
    name: str,
    graph: Module,
    traced: Traced,
    signature: RecordedSignature,
    writer: Writer,
    *,
    backend: str | None = None,
    donated: Collection[int] = (),
) -> dict[str, Any]:
    """A recording as JSON, for `autograph.api.saving.loading.recording_of`.

    Args:
        name, graph, traced, signature, backend, donated: see `save`.
        writer: has the arrays then.

    Raises:
        SaveError: it refers to something that a file cannot hold.
    """
    location = traced.module.main.location
    _refuse_changes_outside(traced, writer, location)
    graphs = writer.module(graph)
    try:
        return {
            "name": name,
            "backend": backend,
            "graphs": graphs,
            "signature": _signature_form(signature, traced, writer),
            "result": _delivery_form(traced.delivery, writer, location),
            "changed": [_target_form(target, writer) for target in traced.changed],
            **({"tells_apart": True} if traced.tells_apart else {}),
            "donated": sorted(donated),
            "constants": writer.constants,
            "generators": writer.generators,
        }
    except SaveError as error:
        if error.location is None:
            error.location = location
        raise


def _own_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("autograph-compiler")
    except PackageNotFoundError:
        return ""


def _target_form(target: Any, writer: Writer) -> Any:
    """What is changed: a leaf of the arguments, a container among them, or something outside."""
    if isinstance(target, GivenContainer):
        return target.number
    if isinstance(target, int):
        return target
    return {"outside": writer.place(target.value if isinstance(target, Static) else target)}


def _refuse_changes_outside(traced: Traced, writer: Writer, location: Location | None) -> None:
    targets = [*traced.changed, *(target for target, _ in traced.delivery.changed)]
    forms = [_target_form(target, writer) for target in targets]
    if {"outside": None} in forms:
        raise refuse(
            "it changes an array, list, dict or object that it finds outside",
            location,
            "pass it as an argument",
        )


def _signature_form(signature: RecordedSignature, traced: Traced, writer: Writer) -> dict[str, Any]:
    """The arguments: their nesting, and what each leaf has to be."""
    location = traced.module.main.location
    repeated = dict(signature.repeated)
    types = iter(traced.module.main.input_types)
    leaves = []
    for position, name in enumerate(signature.names):
        form: dict[str, Any] = {"name": name}
        if position in repeated:
            form["same"] = repeated[position]
        elif position in signature.inputs:
            form["type"] = type_form(next(types))
            form["array"] = " (an array)" in signature.summary[name].text
        elif position in traced.generators or position not in signature.statics:
            form["generator"] = signature.summary[name].text
        else:
            form["static"] = _static_form(
                signature.statics[position], writer, f"the argument '{name}'", location
            )
        leaves.append(form)
    structure = nesting_of(signature.structure)
    return {
        "nesting": nesting_form(structure, writer),
        "leaves": leaves,
        "containers": traced.containers + traced.root_containers,
    }


def _static_form(value: Any, writer: Writer, what: str, location: Location | None) -> Any:
    try:
        return writer.attribute(value)
    except SaveError:
        raise _unsaved(value, what, location) from None


def _unsaved(value: Any, what: str, location: Location | None) -> SaveError:
    return refuse(
        f"{what} is a {type(value).__name__}, which a file cannot hold",
        location,
        "save a function that finds it outside: lambda x: f(x, that), with arrays and numbers "
        "as arguments",
    )


def nesting_of(structure: CallStructure) -> Structure:
    """The nesting of arguments, those without objects of the user's included."""
    if isinstance(structure, Nested):
        return structure.structure
    count = structure.num_leaves
    return Flattener().flatten(unflatten_call(structure, [None] * count))[1]


def _delivery_form(delivery: Delivery, writer: Writer, location: Location | None) -> dict[str, Any]:
    def source(leaf: Any) -> Any:
        match leaf:
            case deliveries.Output():
                return "output"
            case deliveries.OptionalOutput(kinds):
                return {"optional": list(map(type_form, kinds))} if kinds else "optional"
            case deliveries.AttributeOutput(name):
                raise refuse(
                    f"only some paths assign the attribute '{name}' of an object",
                    location,
                    "give it its first value before, for example None",
                )
            case deliveries.NumberOutput(kinds):
                return {"number": [type_form(kind) for kind in kinds]}
            case deliveries.RowsOutput(weak):
                return {"rows": weak}
            case ChoiceOutput(objects):
                return {"choice": [static(item) for item in objects]}
            case Argument(position):
                return {"argument": position}
            case GivenContainer(number):
                return {"container": number}
            case deliveries.Copy(array):
                return {"copy": static(array)}
            case deliveries.Made(group, number):
                raise _unsaved(group.templates[number], "something that it returns", location)
        return {"static": static(leaf.value)}

    def static(value: Any) -> Any:
        if is_array(value) and traced_type(value) is not None:
            return writer.array(value)
        return _static_form(value, writer, "something that it returns", location)

    return {
        "nesting": nesting_form(delivery.structure, writer),
        "leaves": [source(leaf) for leaf in delivery.sources],
        "changed": [
            [_target_form(target, writer), keys_form(keys, writer)]
            for target, keys in delivery.changed
        ],
    }
