"""Quick calls of functions that draw from generators which they are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.api.calls.sharing import Unlike
from autograph.staging.trace import Traced
from ops.random.numpy_streams import bits_of, is_generator


def taken(traced: Traced, positions: Sequence[int], leaves: Sequence[Any]) -> Sequence[int] | None:
    """The positions of the leaves that quick calls take: those of the program, and generators.

    Args:
        positions: of those that the program takes.
        leaves: of a call.

    Returns:
        None if a generator is among them twice.
    """
    given = {i for i, leaf in enumerate(leaves) if is_generator(leaf)}
    if given != traced.generators.keys():
        return None
    return sorted({*positions, *given})


def drawing(
    function: Callable[..., Any], traced: Traced, positions: Sequence[int], leaves: Sequence[Any]
) -> Callable[..., Any]:
    """A function of what quick calls take that has the program draw from the generators among that,
    or raises `Unlike` where it is not made for these.

    Args:
        function: of what the program takes.
        positions: see `taken`.
        leaves: of the first call: those of others have bits of the same kind.
    """
    handles: Mapping[int, Any] = {positions.index(i): h for i, h in traced.generators.items()}
    kinds = {place: type(bits_of(leaves[positions[place]])) for place in handles}
    others = [place for place in range(len(positions)) if place not in handles]
    outside = traced.outside_containers

    def refuse_unlike(generator: Any, place: int) -> None:
        """Of one whose class is alike."""
        if type(bits_of(generator)) is not kinds[place] or not is_generator(generator):
            raise Unlike
        if id(generator) in outside:
            raise Unlike

    def run(*given: Any) -> Any:
        if len({id(given[place]) for place in handles}) < len(handles):
            raise Unlike
        for place in handles:
            refuse_unlike(given[place], place)
        before = [handle.bind(given[place]) for place, handle in handles.items()]
        try:
            return function(*[given[place] for place in others])
        finally:
            for handle, generator in zip(handles.values(), before):
                handle.bind(generator)

    def run_one(*given: Any) -> Any:
        generator = given[place]
        refuse_unlike(generator, place)
        before = handle.bind(generator)
        try:
            return function(*given[:place], *given[place + 1 :])
        finally:
            handle.bind(before)

    def run_first(generator: Any, *others: Any) -> Any:
        refuse_unlike(generator, 0)
        before = handle.bind(generator)
        try:
            return function(*others)
        finally:
            handle.bind(before)

    if len(handles) > 1:
        return run
    ((place, handle),) = handles.items()
    return run_one if place else run_first
