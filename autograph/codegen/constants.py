"""What a program finds outside, as source, so that the printed program runs by itself.

A program finds the arrays that its function refers to by name, and sees what becomes of them. Its
printed text defines them as they are at that time. A small array is written as numbers, if those
give exactly its bits; others are the bytes, compressed, in base64. Generators of random numbers
are defined by their states.
"""

from __future__ import annotations

import base64
import textwrap
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.codegen.expressions import literal, python_literal
from ops.core.eager import helper_source
from ops.random.numpy_streams import GivenGenerator, bits_of, known_generator

# Names that a program's functions and constants may not have.
NAMES = ("decoded", "GENERATORS")

# An array of more elements is written as its bytes: a page of numbers tells a reader nothing.
MOST_NUMBERS = 64
_WIDTH = 96
_NUMBERS_WIDTH = 72  # without the name before them and the dtype after them


def self_contained(
    text: str, constants: Mapping[str, Any], generators: Sequence[GivenGenerator]
) -> str:
    """The text of a program, followed by definitions of what it takes from outside.

    Args:
        text: it refers to these by name, and to generators by number.
        constants: arrays and NumPy scalars, by the program's names.
        generators: what the program knows generators of random numbers by.
    """
    lines: list[str] = []
    if constants:
        values = {name: _value(data) for name, data in constants.items()}
        if any(value.startswith("decoded(") for value in values.values()):
            lines += ["", "", *helper_source(decoded).splitlines()]
        lines += ["", "", "# Array constants, with what they held when this was printed:"]
        lines += [f"{name} = {value}" for name, value in values.items()]
    if generators:
        text = text.replace(helper_source(known_generator), _KNOWN)
        lines += ["", "", "# Generators of random numbers, in the states they were then in:"]
        lines += ["GENERATORS = {}"]
        lines += [line for handle in generators for line in _generator(handle)]
    return text + "".join(f"{line}\n" for line in lines)


def _value(constant: Any) -> str:
    if isinstance(constant, tuple):
        return "None  # what a forward pass has left is not printed: the program does not run"
    if hasattr(constant, "get"):  # from the memory of a device
        constant = constant.get()
    array = np.asarray(constant)
    text = _numbers(array) or _bytes(array)
    return f"{text}[()]" if isinstance(constant, np.generic) else text


# -- a few numbers ---------------------------------------------------------------------------------


def _numbers(array: np.ndarray) -> str | None:
    """An array as nested lists of numbers, or None if it has too many or is not exactly those."""
    if array.size > MOST_NUMBERS or 0 in array.shape:
        return None if array.size else f"np.zeros({array.shape}, {array.dtype.name!r})"
    nested = _nested(array).replace("\n", "\n    ")
    text = f"np.array({nested}, {array.dtype.name!r})"
    with np.errstate(all="ignore"):
        made = eval(text, {"np": np})
    same = made.dtype == array.dtype and made.tobytes() == array.tobytes()
    return text if same else None


def _nested(array: np.ndarray) -> str:
    """Nested lists, a row per line where they are too long for one."""
    if array.ndim == 0:
        return _number(array[()])
    rows = [_nested(row) for row in array]
    text = f"[{', '.join(rows)}]"
    if len(text) <= _NUMBERS_WIDTH:
        return text
    if array.ndim > 1:
        return "[\n" + ",\n".join(rows) + "]"
    return textwrap.fill(text, _NUMBERS_WIDTH, break_on_hyphens=False)


def _number(scalar: Any) -> str:
    """The shortest text of a number that gives it back in its dtype."""
    expression = literal(scalar)
    if expression is None:  # bfloat16
        return python_literal(float(scalar)).text
    return expression.text.partition("(")[2][:-1]  # without the dtype's name


# -- many bytes ------------------------------------------------------------------------------------


def decoded(dtype, shape, text):
    """An array, from its bytes as compressed text."""
    import base64
    import zlib

    data = bytearray(zlib.decompress(base64.b64decode(text)))
    return np.array(np.frombuffer(data, dtype).reshape(shape))


def _bytes(array: np.ndarray) -> str:
    text = base64.b64encode(zlib.compress(array.tobytes())).decode()
    lines = "\n".join(textwrap.wrap(text, _WIDTH))
    return f'decoded({array.dtype.name!r}, {array.shape}, """\n{lines}\n""")'


# -- generators ------------------------------------------------------------------------------------

# Takes the place of the helper, which asks the package.
_KNOWN = '''def known_generator(number):
    """A generator from outside the function."""
    return GENERATORS[number]
'''


def _generator(handle: GivenGenerator) -> Iterator[str]:
    name = f"GENERATORS[{handle.number}]"
    legacy = issubclass(handle.kind, np.random.RandomState)
    if handle.given is None:
        made = "RandomState" if legacy else "default_rng"
        yield f"{name} = np.random.{made}()  # an argument: put it here"
        return
    bits = bits_of(handle.given)
    kind = "RandomState" if legacy else "Generator"
    yield f"{name} = np.random.{kind}(np.random.{type(bits).__name__}())"
    if isinstance(handle.given, np.random.RandomState):
        yield f"{name}.set_state({_state(handle.given.get_state(legacy=False))})"
    else:
        yield f"{name}.bit_generator.state = {_state(bits.state)}"


def _state(state: Any) -> str:
    """The state of a generator, a nest of dicts, numbers and arrays, as source."""
    if isinstance(state, Mapping):
        return "{" + ", ".join(f"{key!r}: {_state(part)}" for key, part in state.items()) + "}"
    if isinstance(state, np.ndarray):
        return f"np.array({state.tolist()}, {state.dtype.name!r})"
    return repr(state.item() if isinstance(state, np.generic) else state)
