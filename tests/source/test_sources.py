"""Finding the source of functions, wherever they were defined."""

# The programs under test are odd on purpose.

import ast
import contextlib
import functools
import itertools
import linecache
import sys

import pytest

from autograph.errors import ChangedSourceError, NoSourceError
from autograph.source.load import convert
from tests.support.side_by_side import check, converted

_cells = itertools.count(1)


def run_cell(text: str, namespace: dict, name: str | None = None) -> str:
    """Run a notebook's cell as IPython does: one statement at a time, with the text in the line
    cache under a name that is no file."""
    name = name or f"<ipython-input-{next(_cells)}-0123456789ab>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    for statement in ast.parse(text, name).body:
        exec(compile(ast.Module([statement], []), name, "exec"), namespace)
    return name


def test_lambdas_on_one_line():
    k, table = 10, [1, 2, 3]
    functions = [lambda x: x + 1, lambda x: x - 1, lambda x: x + k, lambda x: x + table[0]]
    functions += [lambda x, y=1: x, lambda x, *, y=1: x + y, lambda: (lambda x: x)(1)]
    functions += [(lambda x: lambda y: x + y)(1), (lambda x: lambda y: x - y)(1)]
    for f in functions[:6]:
        check(f, 5)
    check(functions[6])
    check(functions[7], 7)
    check(functions[8], 7)


def test_lambda_beside_other_functions():
    def f(g=lambda x: x * 2): return g, lambda x: x * 3  # fmt: skip

    for g in f():
        check(g, 5)
    check(lambda x: [y + x for y in (1, 2)], 3), check(lambda x: {y - x for y in (1, 2)}, 3)


def test_lambdas_that_differ_in_their_closures_only():
    pairs = [(lambda n: (lambda x: x + n, lambda x: x * n))(n) for n in (2, 3)]
    for f, g in pairs:
        check(f, 5)
        check(g, 5)


def test_notebook():
    namespace = {}
    run_cell("import math\n\n\ndef f(x):\n    return math.floor(x) + later\n", namespace)
    name = run_cell("later = 5\ng = lambda x: f(x) * 2; h = lambda x: f(x) * 3\n", namespace)
    for function in ("f", "g", "h"):
        check(namespace[function], 2.5)
    assert convert(namespace["g"]).location.file == name


def test_notebook_that_redefines_a_function():
    namespace = {}
    run_cell("def f(x):\n    return x + 1\n", namespace)
    first = namespace["f"]
    run_cell("def f(x):\n    return x + 2\n", namespace)
    assert converted(first)(1) == 2
    assert converted(namespace["f"])(1) == 3


def test_notebook_that_runs_a_cell_again():
    namespace = {}
    name = run_cell("def f(x):\n    return x + 1\n", namespace)
    first = namespace["f"]
    run_cell("def f(x):\n    return x + 2\n", namespace, name)
    with pytest.raises(ChangedSourceError):
        convert(first)
    assert converted(namespace["f"])(1) == 3


def test_notebook_with_temporary_files(tmp_path):
    namespace = {}
    run_cell("def f(x):\n    return x + 1\n", namespace, str(tmp_path / "ipykernel_1" / "2.py"))
    check(namespace["f"], 1)


@pytest.mark.skipif(not hasattr(linecache, "_register_code"), reason="begins with Python 3.13")
def test_prompt():
    text, name, namespace = "def f(x):\n    return x + 1\n", "<python-input-7>", {}
    code = compile(text, name, "single")
    exec(code, namespace)
    for key in (code, name):  # the first versions of 3.13 want a name
        with contextlib.suppress(AttributeError):
            linecache._register_code(key, text, name)
    check(namespace["f"], 1)


@pytest.mark.parametrize("name", ["<stdin>", "<string>", "<console>"])
def test_source_that_is_not_kept(name, monkeypatch):
    monkeypatch.delitem(linecache.cache, name, raising=False)  # 3.13 keeps that of "python -c"
    namespace = {}
    exec(compile("def f(x): return x", name, "exec"), namespace)
    with pytest.raises(NoSourceError) as caught:
        convert(namespace["f"])
    assert "in a file or a notebook" in caught.value.fix and "'f'" in caught.value.message


def test_file_that_is_gone(tmp_path):
    namespace = {}
    exec(compile("def f(x): return x", str(tmp_path / "gone.py"), "exec"), namespace)
    with pytest.raises(NoSourceError, match=r"gone\.py"):
        convert(namespace["f"])


def test_text_of_another_program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("def f(x):\n    return x + 1\n")
    namespace = {}
    exec(compile("def f(x):\n    return x + 2\n", str(path), "exec"), namespace)
    with pytest.raises(ChangedSourceError):
        convert(namespace["f"])


def mark(*arguments):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            return function(*args), arguments

        return wrapper

    return decorate


def test_decorators():
    @mark(lambda x: x)
    @mark(
        1,
        lambda x: x + 2,
    )
    def f(x):
        return x + 1

    check(f.__wrapped__.__wrapped__, 1)
    check(f, 1)
    (identity,) = f(1)[1]
    check(identity, 3)
    check(f(1)[0][1][1], 3)


def test_decorator_and_function_on_neighbouring_lines():
    @mark()
    def f(x): return x + 1  # fmt: skip

    @mark()
    def g(x): return x + 2  # fmt: skip

    check(f.__wrapped__, 1)
    check(g.__wrapped__, 1)


class Model:
    scale, shift = lambda self, x: 2 * x, lambda self, x: x + self.__secret

    def __init__(self):
        self.__secret = 5

    @property
    def twice(self):
        return 2 * self.__secret

    @staticmethod
    def static(x):
        return x + 1

    @classmethod
    def of_class(cls, x):
        return cls.static(x)


def test_members_of_classes():
    model = Model()
    assert converted(Model.scale)(model, 4) == 8
    assert converted(Model.shift)(model, 4) == 9
    assert converted(Model.twice.fget)(model) == 10
    assert converted(Model.static)(1) == 2
    assert converted(Model.of_class.__func__)(Model, 1) == 2


def test_functions_of_the_same_name():
    if sys.argv:

        def f(x):
            return x + 1
    else:

        def f(x):
            return x + 2

    one = f

    def f(x):
        return x + 3

    check(one, 1)
    check(f, 1)
