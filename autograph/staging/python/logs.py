"""Calls of Python's module ``logging``, which log when the program runs, as `print` prints."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from autograph.errors import UnsupportedFunctionError
from autograph.graph.graph import Constant, Value
from autograph.source.tree.libraries import package_of
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.naming import function_at
from autograph.staging.ground.recorder import recorder
from autograph.staging.values import text
from autograph.staging.values.percent import from_percent
from ops.control import effects
from ops.control.effects import Slot
from ops.core.types import type_of

_NAMES = ("debug", "info", "warning", "error", "critical")
_LEVELS = {name: getattr(logging, name.upper()) for name in _NAMES}
_OF_MODULE: dict[Callable, int | None] = {
    **{getattr(logging, name): level for name, level in _LEVELS.items()},
    logging.log: None,
}
_OF_LOGGER: dict[Callable, int | None] = {
    **{getattr(logging.Logger, name): level for name, level in _LEVELS.items()},
    logging.Logger.log: None,
}


def logged(function: Any) -> Callable | None:
    """Our version of a function that logs, if it is one.

    Raises:
        UnsupportedFunctionError: it is another function of the module.
    """
    if package_of(function) != "logging":
        return None
    if function is logging.getLogger:
        return None
    if function in _OF_MODULE:
        level = _OF_MODULE[function]
        return lambda *args, **options: _log(logging.root, True, level, args, options)
    logger = getattr(function, "__self__", None)
    method = getattr(function, "__func__", None)
    if logger is None or method not in _OF_LOGGER or not _is_known_by_name(logger):
        raise _refused("this function of the module logging would run", "log outside of it")
    level = _OF_LOGGER[method]
    return lambda *args, **options: _log(logger, False, level, args, options)


def _is_known_by_name(logger: Any) -> bool:
    kinds = (logging.Logger, logging.RootLogger)
    return type(logger) in kinds and logging.getLogger(logger.name) is logger


def _refused(what: str, fix: str) -> UnsupportedFunctionError:
    return UnsupportedFunctionError(
        f"{what} only once, when the code is recorded",
        user_location(),
        fix=f"use print or logger.info, which run when the program runs, or {fix}",
    )


def _log(
    logger: logging.Logger, bare: bool, level: int | None, args: tuple, options: dict[str, Any]
) -> None:
    """Record that something is logged.

    Args:
        bare: whether it is a function of the module, which sets up logging if nobody has.
        level: None if it is the first argument.
    """
    if level is None:
        level, *rest = args
        args = tuple(rest)
    if options or not args or type(level) is not int:
        raise _refused("logging with such arguments would happen", "leave out the options")
    message, *values = args
    slots, operands = _slots(message, values)
    location = user_location()
    place: tuple[str, int, str | None] = ("", 0, None)
    if location is not None:
        place = location.file, location.line, function_at(location)[0]
    attrs = {"logger": logger.name, "bare": bare, "level": level, "place": place, "texts": slots}
    recorder().apply(effects.log_, operands, attrs)


def _slots(message: Any, values: list[Any]) -> tuple[tuple, list[Value]]:
    """The message and its arguments, static or slots, and the values in the slots.

    Arguments that are no numbers, arrays or texts are put into the message now.
    """
    simple = all(v is None or type(v) is str or type_of(v) is not None for v in values)
    if not isinstance(message, str) or not simple:
        shown: Any = text.to_text(message)
        mapping = len(values) == 1 and isinstance(values[0], Mapping)
        filled = values[0] if mapping else tuple(values)
        message = from_percent(shown, filled) if values else shown
        values = []
    slots: list[Any] = []
    operands: list[Value] = []
    for part in (message, *values):
        if isinstance(part, text.GraphText):
            slot, inside = text.slot_of(part)
            slots.append(slot)
            operands += inside
        elif part is None or isinstance(part, str):
            slots.append(part)
        else:
            slots.append(Slot())
            operands.append(part.value if isinstance(part, GraphArray) else Constant(part))
    return tuple(slots), operands
