"""Random structured programs: the converted program does what the original does."""

from __future__ import annotations

import contextlib
import itertools
import linecache

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from autograph.errors import UnsupportedConstructError
from tests.support.side_by_side import converted

VARIABLES = "abcde"  # a and b are parameters, e begins undefined
FUEL = 60
_numbers = itertools.count()


class OutOfFuel(Exception):
    """The program has made too many trips."""


def expressions(draw) -> str:
    x, y = draw(st.sampled_from(VARIABLES)), draw(st.sampled_from(VARIABLES))
    n = draw(st.integers(0, 3))
    forms = [
        x,
        x,
        str(n),
        f"{x} + {n}",
        f"{x} - {y}",
        f"{x} % 3",
        f"mark({x})",
        f"({x} if {y} else {n})",
    ]
    return draw(st.sampled_from(forms))


def conditions(draw) -> str:
    x, y = draw(st.sampled_from(VARIABLES)), draw(st.sampled_from(VARIABLES))
    n = draw(st.integers(0, 3))
    forms = [
        f"{x} > {n}",
        f"{x} % 2 == {n % 2}",
        f"{x} < {y}",
        f"not {x}",
        f"{x} and {y} > {n}",
        f"{x} > {n} or mark({y})",
        f"0 < mark({x}) < {n}",
        f"({y} := {x} + 1) > {n}",
        f"{x} and ({y} := {n})",
    ]
    return draw(st.sampled_from(forms))


def block(draw, depth: int, in_loop: bool, kinds: tuple[str, ...]) -> list[str]:
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        lines += statement(draw, depth, in_loop, kinds)
    return lines


def indent(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def statement(draw, depth: int, in_loop: bool, kinds: tuple[str, ...]) -> list[str]:
    simple = ["assign", "assign", "augment", "log", "return", "del"]
    simple += ["break", "continue", "break", "continue"] if in_loop else []
    compound = ["if", "if", "if", "while", "for", *kinds] if depth else []
    kind = draw(st.sampled_from(simple + 2 * compound))
    x = draw(st.sampled_from(VARIABLES))

    def nested(loop: bool = in_loop) -> list[str]:
        return indent(block(draw, depth - 1, loop, kinds))

    def orelse(header: str = "else:", loop: bool = in_loop) -> list[str]:
        return [header, *nested(loop)] if draw(st.booleans()) else []

    match kind:
        case "assign":
            return [f"{x} = {expressions(draw)}"]
        case "augment":
            return [f"{x} += {expressions(draw)}"]
        case "log":
            return [f"mark({x})"]
        case "return":
            return [f"return {expressions(draw)}"]
        case "del":
            return [f"del {x}"] if draw(st.integers(0, 4)) == 0 else [f"{x} = 1"]
        case "if":
            middle = orelse(f"elif {conditions(draw)}:")
            return [f"if {conditions(draw)}:", *nested(), *middle, *orelse()]
        case "while":
            return [f"while mark(0) is None and {conditions(draw)}:", *nested(True), *orelse()]
        case "for":
            count = draw(st.integers(0, 3))
            return [f"for {x} in range({count}):", *nested(True), *orelse()]
        case "try":
            raising = indent([f"mark(1 // {x})"])
            handlers = [
                f"except {draw(st.sampled_from(['ZeroDivisionError', 'NameError']))}:",
                *nested(),
            ]
            final = ["finally:", *indent([f"{x} = 3", "mark(9)"])] if draw(st.booleans()) else []
            return ["try:", *nested(), *raising, *nested(), *handlers, *final]
        case "with":
            return [
                "with suppress(ZeroDivisionError):",
                *nested(),
                f"    {x} = 1 // {x}",
                *nested(),
            ]
        case "lambda":
            y = draw(st.sampled_from(VARIABLES))
            return [f"{y} = 1", f"later.append(lambda: {x} + {y})"]
        case "def":
            return [f"def {x}():", *nested(False), f"later.append({x})", f"{x} = 2"]
        case "call":
            return ["if later:", f"    {x} = later.pop()()"]
    return [kind]


def programs(*kinds: str):
    @st.composite
    def build(draw) -> str:
        lines = block(draw, 3, False, kinds)
        header = "def program(a, b, mark, later, suppress):"
        return (
            "\n".join([header, "    c = d = a + 1", *indent(lines), "    return mark(a), b, c"])
            + "\n"
        )

    return build()


def load(text: str):
    name = f"<random program {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace = {}
    exec(compile(text, name, "exec"), namespace)
    return namespace["program"]


def outcome(program, a: int, b: int):
    log = []

    def mark(value):
        log.append(value)
        if len(log) > FUEL:
            raise OutOfFuel

    try:
        result = program(a, b, mark, [], contextlib.suppress)
    except (TypeError, ZeroDivisionError, OutOfFuel) as error:
        result = type(error)
    except NameError:
        result = NameError
    return shown(result), [shown(value) for value in log]


def shown(value):
    """Functions are compared by being functions."""
    return (
        tuple(map(shown, value))
        if isinstance(value, tuple)
        else value
        if not callable(value) or isinstance(value, type)
        else "function"
    )


def compare(text: str, may_fail_loudly: bool = False) -> None:
    program = load(text)
    try:
        other = converted(program)
    except UnsupportedConstructError:
        assume(False)
    for a, b in itertools.product((0, 1, 2, 3), (0, 2)):
        expected, actual = outcome(program, a, b), outcome(other, a, b)
        if may_fail_loudly and actual[0] is NameError:
            continue
        assert expected == actual, f"{text}\n{a} {b}"


def compare_many(strategy, count: int, may_fail_loudly: bool = False) -> None:
    @given(strategy)
    @settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        derandomize=True,
    )
    def run(text):
        compare(text, may_fail_loudly)

    run()


@pytest.fixture(params=[25, pytest.param(150, marks=pytest.mark.slow)])
def count(request):
    """Of how many programs."""
    return request.param


def test_control_flow(count):
    compare_many(programs(), count)


def test_inner_functions(count):
    compare_many(programs("lambda", "def", "call", "call"), count)


@pytest.mark.slow
def test_try(count):
    compare_many(programs("try", "try"), count)


@pytest.mark.slow
def test_with_that_swallows_exceptions(count):
    """What cannot be known after a swallowed exception is an error, not another value."""
    compare_many(programs("with", "with"), count, may_fail_loudly=True)
