"""Operators that do something besides computing a result. They run, in the order of the program.

What a program prints or raises may hold values known only at run time. Among the static arguments
of such an operator a `Slot` stands where they go.
"""

from __future__ import annotations

import builtins
import re
import string
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ops.core.conditions import Conditions
from ops.core.registry import Custom
from ops.elementwise import logical_not


class Slot(NamedTuple):
    """Where operands go among static arguments.

    Attributes:
        template: what `str.format` makes a text of with the operands; None for a single operand
            as it is. Of several templates the first operand is the position of the right one; those
            of each follow.
        tables: for each operand None, or the texts of which it is a position.
    """

    template: str | tuple[str, ...] | None = None
    tables: tuple[tuple[str, ...] | None, ...] = ()

    def code(self, operands: Iterator[str]) -> str:
        """The expression for the argument; takes as many of the operands as it needs."""
        if self.template is None:
            return next(operands)
        several = isinstance(self.template, tuple)
        every = self.template if isinstance(self.template, tuple) else (self.template,)
        counts = list(map(_field_count, every))
        used = [next(operands) for _ in range(several + sum(counts))]
        for position, table in enumerate(self.tables):
            if table is not None:
                used[position] = f"{_tuple_code(list(map(_text_code, table)))}[{used[position]}]"
        if not several:
            return f"{_text_code(every[0])}.format({', '.join(used)})"
        templates = _tuple_code(list(map(_text_code, every)))
        remaining = iter(used[1:])
        values = _tuple_code([_tuple_code([next(remaining) for _ in range(n)]) for n in counts])
        return f"{templates}[{used[0]}].format(*{values}[{used[0]}])"


def _field_count(template: str) -> int:
    return sum(name is not None for _, name, _, _ in string.Formatter().parse(template))


def _text_code(text: str) -> str:
    """A text as a literal in which nothing looks like the marker of an operand."""
    return re.sub(r"__(?=\d)", r"_\\x5f", repr(text))


def _argument_codes(items: Sequence[Any], operands: Sequence[str]) -> list[str]:
    """The expressions for static arguments with operands in their slots."""
    remaining = iter(operands)

    def code(item: Any) -> str:
        if isinstance(item, Slot):
            return item.code(remaining)
        if isinstance(item, tuple):
            return _tuple_code([code(part) for part in item])
        return _text_code(item) if isinstance(item, str) else repr(item)

    return [code(item) for item in items]


def _tuple_code(parts: Sequence[str]) -> str:
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _check_code(args: list[str], types: list, attrs: dict[str, Any]) -> str:
    return f"require({args[0]}, {attrs['error']!r}, {attrs['message']!r})"


def require(flag, error, message):
    """Raise the built-in exception named ``error`` unless ``flag`` is true."""
    if not flag:
        import builtins

        raise getattr(builtins, error)(message)


def _check_conditions(flag: Any, error: str, message: str) -> Conditions:
    return [(getattr(builtins, error)(message), logical_not(flag))]


check = Custom(
    "check",
    lambda flag, error, message: (),
    _check_code,
    helpers=(require,),
    effect="raises",
    raises=True,
    errors=lambda types, attrs: (getattr(builtins, attrs["error"]),),
    conditions=_check_conditions,
    texts=("message",),
    classes={"error": Exception},
    differentiable=False,
    doc="A scalar that has to be true; else the built-in exception named ``error`` is raised.",
)


def stderr():
    """The standard error stream of the moment."""
    import sys

    return sys.stderr


def _print_code(args: list[str], types: list, attrs: dict[str, Any]) -> str:
    shown = _argument_codes(attrs["texts"], args)
    if attrs["sep"] != " ":
        shown.append(f"sep={_text_code(attrs['sep'])}")
    if attrs["end"] != "\n":
        shown.append(f"end={_text_code(attrs['end'])}")
    if attrs["to_stderr"]:
        shown.append("file=stderr()")
    if attrs["flush"]:
        shown.append("flush=True")
    return f"print({', '.join(shown)})"


print_ = Custom(
    "print",
    lambda *values, texts, sep, end, to_stderr, flush: (),
    _print_code,
    helpers=(stderr,),
    unknown_lengths=True,
    effect="shows",
    texts=("texts", "sep", "end"),
    differentiable=False,
    doc="""Print ``texts``, with the operands in their slots.

    Args:
        texts: strings and slots.
        sep, end, flush: as for Python's ``print``.
        to_stderr: to the standard error stream, not to standard output.
    """,
)


def warn(message, category, place, outer):
    """Issue a warning of the built-in class named ``category``.

    Args:
        place: the user's file, line and module.
        outer: how many functions further out it is to be said to come from: 1 for the one that
            calls the program.
    """
    import builtins
    import sys
    import warnings

    file, line, module = place
    frame = sys._getframe(1)
    while outer and frame is not None:
        name = frame.f_globals.get("__name__") or ""
        own = name.partition(".")[0] in ("autograph", "ops")
        if not own and not frame.f_code.co_filename.startswith("<autograph"):
            file, line, module = frame.f_code.co_filename, frame.f_lineno, name
            outer -= 1
        frame = frame.f_back
    if outer:  # as Python says where there is none so far out
        file, line, module = "sys", 1, "sys"
    found = sys.modules.get(module)  # none of code that was given to exec
    known = vars(warn).setdefault(module, {}) if found is None else vars(found)
    registry = known.setdefault("__warningregistry__", {})
    kind = getattr(builtins, category)
    warnings.warn_explicit(message, kind, file, line, module, registry, known)


def _warning_code(args: list[str], types: list, attrs: dict[str, Any]) -> str:
    (text,) = _argument_codes(attrs["texts"], args)
    (place,) = _argument_codes([attrs["place"]], ())
    return f"warn({text}, {attrs['category']!r}, {place}, {attrs['outer']})"


warn_ = Custom(
    "warn",
    lambda *values, texts, category, place, outer: (),
    _warning_code,
    helpers=(warn,),
    effect="shows",
    texts=("texts", "place"),
    classes={"category": Warning},
    differentiable=False,
    doc="""Issue a warning: a text, or a slot for one, of the built-in class named ``category``.

    Args:
        place: the user's file, line and module.
        outer: how many functions further out it is to be said to come from.
    """,
)


def log_message(name, bare, level, place, message, *args):
    """Log a message where the user's program does.

    Args:
        name: of the logger.
        bare: whether logging is set up if nobody has.
        place: the user's file, line and function.
    """
    import logging

    if bare and not logging.root.handlers:
        logging.basicConfig()
    logger = logging.root if name == logging.root.name else logging.getLogger(name)
    if logger.isEnabledFor(level):
        # A record may be kept; the memory of an array may be used again.
        args = tuple([x.copy() if hasattr(x, "__setitem__") else x for x in args])
        file, line, function = place
        record = logger.makeRecord(name, level, file, line, message, args, None, function)
        logger.handle(record)


def _log_code(args: list[str], types: list, attrs: dict[str, Any]) -> str:
    values = ", ".join(_argument_codes(attrs["texts"], args))
    place = _argument_codes([attrs["place"]], ())[0]
    name = _text_code(attrs["logger"])
    return f"log_message({name}, {attrs['bare']}, {attrs['level']}, {place}, {values})"


log_ = Custom(
    "log_message",
    lambda *values, logger, bare, level, place, texts: (),
    _log_code,
    helpers=(log_message,),
    unknown_lengths=True,
    effect="shows",
    texts=("logger", "place", "texts"),
    differentiable=False,
    doc="""Log a message.

    Args:
        logger: the name of the logger.
        bare: whether logging is set up if nobody has.
        level: of the message.
        place: the user's file, line and function.
        texts: the message and its arguments, strings and slots.
    """,
)


def raise_error(error, args, kind, state, linked=()):
    """Raise the built-in exception named ``error``, which stands for the user's class ``kind``.

    Args:
        linked: what it was raised from, and that from, and so on; see `fail`.
    """
    import builtins

    raised = last = None
    for is_cause, name, arguments, key, attributes in ((0, error, args, kind, state), *linked):
        made = getattr(builtins, name)
        if not issubclass(made, Exception):  # as a file may say
            raise TypeError(f"{name} is no exception")
        exception = made(*arguments)
        exception.__autograph__ = key, dict(attributes)
        if last is None:
            raised = exception
        elif is_cause:
            last.__cause__ = exception
        else:
            last.__context__ = exception
        last = exception
    raise raised


def _fail_code(args: list[str], types: list, attrs: dict[str, Any]) -> str:
    names, linked = attrs["names"], attrs.get("linked", ())
    *codes, rest = _argument_codes((*attrs["args"], linked), args)
    split = len(codes) - len(names)
    shown = _tuple_code(codes[:split])
    state = ", ".join(f"{name!r}: {code}" for name, code in zip(names, codes[split:]))
    more = f", {rest}" if linked else ""
    return f"raise_error({attrs['error']!r}, {shown}, {attrs['kind']!r}, {{{state}}}{more})"


fail = Custom(
    "fail",
    lambda *values, error, args, kind, names, linked=(): (),
    _fail_code,
    helpers=(raise_error,),
    unknown_lengths=True,
    effect="raises",
    texts=("args", "kind", "names", "linked"),
    classes={"error": Exception},
    differentiable=False,
    doc="""Raise an exception.

    Args:
        error: the name of a built-in class.
        args: strings, bytes, None, slots for the operands and tuples of all of these: the
            exception's arguments, and after them its attributes.
        kind: the key of the user's class that ``error`` stands for, or None.
        names: of the exception's attributes.
        linked: what it was raised from, and that from, and so on: for each ``(is_cause, error,
            args, kind, state)``. It is the cause or the context of the one before; ``state`` holds
            pairs of an attribute's name and the attribute.
    """,
)
