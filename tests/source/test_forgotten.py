"""What is known of a function's source goes with the function."""

import gc
import linecache
import weakref

import numpy as np
import pytest

import autograph as ag
from autograph.source import load
from autograph.staging.ground import naming

SOURCE = """
def f(x):
    total = {}.0
    for k in range(3):
        total = total + x * k
    try:
        return [v * total for v in (x, 2)]
    except TypeError:
        return None
"""


def made(path, number):
    source = SOURCE.format(number)
    path.write_text(source)
    names = {}
    exec(compile(source, str(path), "exec"), names)
    return names["f"]


def sizes():
    tables = (load._parsed, load._converted, load._compiled, load._inner)
    return [len(table) for table in tables]


@pytest.mark.parametrize("transform", [ag.to_graph, lambda f: ag.grad(lambda x: f(x)[0])])
def test_what_is_known_of_a_source_goes_with_its_function(tmp_path, quick_collections, transform):
    def run(number):
        path = tmp_path / f"program_{number}.py"
        function = made(path, number)
        transform(function)(3.0)
        linecache.cache.pop(str(path), None)
        return weakref.ref(function.__code__)

    run(0)
    gc.collect()
    before = sizes()
    codes = [run(number) for number in range(1, 6)]
    gc.collect()
    assert [code() for code in codes] == [None] * 5
    assert sizes() == before


def test_what_is_known_stays_while_the_function_does(tmp_path, monkeypatch):
    function = made(tmp_path / "program.py", 1)
    expected = function(3.0)
    assert ag.to_graph(function)(3.0) == expected
    gc.collect()
    monkeypatch.setattr(load, "parse", None)  # it is not needed again
    assert ag.to_graph(function)(3.0) == expected


def test_names_of_instructions_go_with_the_code(tmp_path):
    code = made(tmp_path / "program.py", 1).__code__
    assert "total" in naming.bound_names(code).values()
    table = naming.bound_names._answers
    assert id(code) in table
    gone = id(code)
    del code
    gc.collect()
    assert gone not in table


def test_functions_of_equal_code_are_told_apart(tmp_path):
    functions = [made(tmp_path / "program.py", 1) for _ in range(2)]
    results = [ag.to_graph(f)(np.float64(3.0)) for f in functions]
    assert results[0] == results[1] == functions[0](np.float64(3.0))
    first = functions.pop(0)
    del first
    gc.collect()
    assert ag.to_graph(functions[0])(np.float64(3.0)) == results[0]


@pytest.mark.slow
def test_functions_that_have_the_places_of_others_that_are_gone_are_not_kept(
    tmp_path, quick_collections
):
    """What is told by identity is another function once that one is gone."""
    codes = []
    for number in range(60):
        function = made(tmp_path / f"program_{number}.py", number)
        ag.grad((lambda f: lambda x: f(x)[0])(function))(3.0)
        codes.append(weakref.ref(function.__code__))
        del function
        gc.collect()
    assert sum(code() is not None for code in codes) <= 1
