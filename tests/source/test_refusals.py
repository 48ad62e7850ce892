"""What cannot be converted is refused with an error that names the place."""

# The programs under test are odd on purpose.

import functools
import importlib.util
import sys

import pytest

from autograph.errors import (
    ChangedSourceError,
    GeneratorFunctionError,
    NoSourceError,
    UnsupportedConstructError,
)
from autograph.source.load import convert
from tests.support.side_by_side import check

BODIES = {
    "yield in lambda": "return lambda: (yield)",
    "async with": "async def g():\n        pass",
    "eval": "return eval('a')",
    "exec": "exec('a = 1')",
    "locals": "return locals()",
    "globals": "globals()['x'] = 1",
    "vars": "f = vars",
    "async comprehension": "return [x async for x in a]",
    "walrus in a dict comprehension": "return {x: (y := x) for x in a}",
    "walrus in a generator": "return ((y := x) for x in a)",
    "walrus and lambda in a comprehension": "return [(y := x, lambda: x) for x in a]",
    "walrus in two loops of a search": "return any((y := x) for z in a for x in z)",
    "walrus in a default": "def g(x=a and (y := 1)):\n        pass",
    "global and local": "def g():\n        global a\n        return a",
}


def load(tmp_path, text, name="refused"):
    path = tmp_path / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, path


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_construct(body, tmp_path):
    kind = "async def" if "async comprehension" in body or " async for" in body else "def"
    module, path = load(tmp_path, f"\n\n{kind} f(a):\n    {body}\n")
    with pytest.raises(UnsupportedConstructError) as caught:
        convert(module.f)
    error = caught.value
    assert error.location.file == str(path) and error.location.line >= 3
    assert error.location.function == "f" and error.fix


def test_place_of_the_construct(tmp_path):
    module, path = load(tmp_path, "def f(a):\n    b = 1\n    if a:\n        c = locals()\n")
    with pytest.raises(UnsupportedConstructError) as caught:
        convert(module.f)
    assert caught.value.location[:4] == (str(path), 4, 12, "f")
    assert f"{path}:4:13" in str(caught.value)
    assert "c = locals()\n        ^" in str(caught.value)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters begin with Python 3.12")
def test_type_parameters(tmp_path):
    for text in ("def f[T](a: T):\n    return a\n", "def f(a):\n    type X = int\n    return a\n"):
        module, _ = load(tmp_path, text)
        with pytest.raises(UnsupportedConstructError):
            convert(module.f)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* begins with Python 3.11")
def test_except_star(tmp_path):
    text = "def f(a):\n    try:\n        a()\n    except* E:\n        pass\n"
    module, _ = load(tmp_path, text)
    with pytest.raises(UnsupportedConstructError):
        convert(module.f)


def test_generators_and_coroutines():
    def generator():
        yield 1

    async def coroutine():
        return 1

    async def asynchronous_generator():
        yield 1

    for function in (generator, coroutine, asynchronous_generator, lambda: (yield)):
        with pytest.raises(GeneratorFunctionError) as caught:
            convert(function)
        assert caught.value.location.file == __file__


def test_no_source():
    namespace = {}
    exec("def f(x): return x", namespace)
    for function in (namespace["f"], len, "abc".upper, int, 3):
        with pytest.raises(NoSourceError):
            convert(function)


class Model:
    @property
    def size(self):
        return 3


@functools.lru_cache(None)
def kept(x):
    return x + 1.0


@pytest.mark.parametrize(
    ("given", "problem", "fix"),
    [
        (Model, "'Model' is a class, not a function", "compile its methods"),
        (Model.size, "'size' is a property, not a function", "below @property"),
        (kept, "'kept' is a '_lru_cache_wrapper' around a function", "below that one"),
        (3, "'3' is not a function written in Python", "wrap it in a Python function"),
    ],
)
def test_what_is_no_function_is_told_as_what_it_is(given, problem, fix):
    with pytest.raises(NoSourceError) as caught:
        convert(given)
    assert problem in str(caught.value) and fix in caught.value.fix


def test_lambdas_that_cannot_be_told_apart():
    a, b = (lambda x: x + 1), (lambda x: x + 1)  # the same text: either will do
    check(a, 1)
    check(b, 1)


@pytest.mark.skipif(sys.version_info >= (3, 11), reason="columns are known")
def test_lambdas_that_cannot_be_told_apart_without_columns():
    a, b = (lambda x: x.real), (lambda x: x.real)
    check(a, 1)
    c, d = (lambda x: (x, 1)), (lambda x: [x, 1][0:])
    check(c, 1)
    check(d, 1)


@pytest.mark.parametrize(
    "after",
    [
        "def f(x):\n    return x + 2\n",
        "def f(x):\n    return x - 1\n",
        "def g(x):\n    return x + 1\n",
        "def f(x:\n",
        "# shifted\ndef f(x):\n    return x + 1\n",
    ],
)
def test_changed_source(tmp_path, after):
    module, path = load(tmp_path, "def f(x):\n    return x + 1\n")
    path.write_text(after + "# longer\n")
    with pytest.raises(ChangedSourceError) as caught:
        convert(module.f)
    assert "restart Python" in caught.value.fix


def test_change_elsewhere_in_the_file(tmp_path):
    module, path = load(tmp_path, "def f(x):\n    return x + 1\n\nx = 1\n")
    path.write_text("def f(x):\n    return x + 1  # the same\n\nx = 2\n")
    check(module.f, 1)
