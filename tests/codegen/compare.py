"""Running a graph by interpreter, by generated program, by program on the strict device, and by a
program that is measured."""

import warnings

import numpy as np

from autograph.backends import numpy as numpy_backend
from autograph.codegen.driver import generate
from autograph.codegen.measuring import Meter
from autograph.graph.graph import Graph, Module
from tests.support import strict_device
from tests.support.interpret import interpret


def program_of(graph, backend=numpy_backend):
    module = graph if isinstance(graph, Module) else Module(graph)
    return generate(module, backend)


def text_of(graph):
    """The functions of the program, without what stands above them."""
    text = program_of(graph).text
    return text[text.index("\n# (") + 1 :]


def run(graph, *args, backend=numpy_backend):
    """The outputs as a tuple."""
    main = graph if isinstance(graph, Graph) else graph.main
    results = program_of(graph, backend).function(*args)
    return (results,) if len(main.outputs) == 1 else results


def run_measured(graph, *args):
    """The same of the program that tells how long its lines take."""
    module = graph if isinstance(graph, Module) else Module(graph)
    program, meter = generate(module, numpy_backend, apart=True), Meter()
    measured = program.measured(meter, native=False)
    meter.start()
    try:
        results = measured(*args)
    finally:
        meter.stop()
        assert 0.0 <= sum(meter.seconds.values()) <= meter.running
    return (results,) if len(module.main.outputs) == 1 else results


def check(graph, *args):
    """The program gives, bit by bit, what the interpreter gives, and leaves its arguments alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = outcome(interpret, graph, *args)
        given = [np.copy(x) if isinstance(x, np.ndarray) else x for x in args]
        assert_same(outcome(run, graph, *given), expected, program_of(graph))
        assert_same(given, args, program_of(graph))
        measured = [np.copy(x) if isinstance(x, np.ndarray) else x for x in args]
        assert_same(outcome(run_measured, graph, *measured), expected, program_of(graph))
        assert_same(measured, args, program_of(graph))
        on_device = [strict_device.from_host(x) if _is_array(x) else x for x in args]
        found = outcome(run, graph, *on_device, backend=strict_device)
        if isinstance(found, tuple):
            found = tuple(map(strict_device.to_host, found))
        assert_same(found, expected, program_of(graph, strict_device), device=True)
    return expected


def outcome(function, *args, **kwargs):
    """The results, or the error."""
    try:
        return function(*args, **kwargs)
    except (ArithmeticError, IndexError, ValueError, UnboundLocalError) as error:
        return error


def _is_array(x):
    return isinstance(x, (np.ndarray, np.generic))


def assert_same(found, expected, program, device=False):
    if isinstance(expected, Exception):
        assert type(found) is type(expected), (found, expected, program.text)
        return
    assert not isinstance(found, Exception), (found, expected, program.text)
    assert len(found) == len(expected)
    for a, b in zip(found, expected):
        if device and isinstance(b, np.generic):
            b = np.asarray(b)
        kind = np.ndarray if isinstance(b, np.ndarray) else type(b)
        assert isinstance(a, kind), (a, b, program.text)
        np.testing.assert_array_equal(a, b, err_msg=program.text, strict=_is_array(b))
