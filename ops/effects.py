"""Operators that do something besides computing a result. They run, in the order of the program."""

from __future__ import annotations

from typing import Any

from ops.registry import Custom


def _check_code(args: list[str], types: list, attrs: dict[str, Any]) -> str:
    return f"require({args[0]}, {attrs['error']!r}, {attrs['message']!r})"


def require(flag, error, message):
    """Raise the built-in exception named ``error`` unless ``flag`` is true."""
    if not flag:
        import builtins

        raise getattr(builtins, error)(message)


check = Custom(
    "check",
    lambda flag, error, message: (),
    _check_code,
    helpers=(require,),
    effect=True,
    differentiable=False,
    doc="A scalar that has to be true; else the built-in exception named ``error`` is raised.",
)


def _print_code(args: list[str], types: list, attrs: dict[str, Any]) -> str:
    values = iter(args)
    shown = [next(values) if text is None else repr(text) for text in attrs["texts"]]
    if attrs["sep"] != " ":
        shown.append(f"sep={attrs['sep']!r}")
    if attrs["end"] != "\n":
        shown.append(f"end={attrs['end']!r}")
    return f"print({', '.join(shown)})"


print_ = Custom(
    "print",
    lambda *values, texts, sep, end: (),
    _print_code,
    effect=True,
    differentiable=False,
    doc="Print values between ``texts``, which has None where a value goes.",
)


def raise_error(error, args, kind):
    """Raise the built-in exception named ``error``, which stands for the user's class ``kind``."""
    import builtins

    exception = getattr(builtins, error)(*args)
    exception.kind = kind
    raise exception


fail = Custom(
    "fail",
    lambda error, args, kind: (),
    lambda operands, types, attrs: (
        f"raise_error({attrs['error']!r}, {attrs['args']!r}, {attrs['kind']!r})"
    ),
    helpers=(raise_error,),
    effect=True,
    differentiable=False,
    doc="Raise an exception.",
)
