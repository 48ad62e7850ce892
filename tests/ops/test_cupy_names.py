"""What the operators' code asks of the array library is there in CuPy, as far as names tell."""

import ast
import inspect
import re
import textwrap

import pytest

from ops.core.eager import helper_source
from ops.core.registry import REGISTRY

cupy = pytest.importorskip("cupy")
NAME = re.compile(r"\bnp((?:\.[a-zA-Z_]\w*)+)")


def strings(function):
    """The string literals in a function's source, but for its docstring."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)).lstrip(" .,").rstrip(", \n"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def without_numpy(helper):
    """The source of a helper, without what only NumPy gets to: all behind
    ``if np.__name__ != "numpy": return ...``."""
    tree = ast.parse(helper_source(helper))
    body = tree.body[0].body
    for i, statement in enumerate(body):
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return):
            if ast.unparse(statement.test) == "np.__name__ != 'numpy'":
                del body[i + 1 :]
                break
    return ast.unparse(tree)


def code_of(op):
    texts = [without_numpy(helper) for helper in op.helpers]
    for code in (op.in_place, op.code):
        if isinstance(code, str):
            texts.append(code)
        elif code is not None:
            texts += written_by(code)
    return texts


def written_by(code):
    """The texts of a function that writes code."""
    try:
        return strings(code)
    except SyntaxError:  # a lambda in the middle of an expression
        return [inspect.getsource(code)]


def exists(name):
    value = cupy
    for part in name.strip(".").split("."):
        value = getattr(value, part, None)
        if value is None:
            return False
    return True


@pytest.mark.parametrize("op", REGISTRY.values(), ids=lambda op: op.name)
def test_every_name_exists(op):
    if "cupy" not in op.backends:
        pytest.skip("not on CuPy")
    names = {name for text in code_of(op) for name in NAME.findall(text)}
    assert not [name for name in names if not exists(name)]
