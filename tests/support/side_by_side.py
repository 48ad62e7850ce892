"""Runs a function and its converted form side by side."""

from __future__ import annotations

import ast
import copy

import gast
import numpy as np

from autograph.source.load import convert


def converted(function):
    """The converted form of a function, for calls with ordinary values."""
    form = convert(function)
    assert same_tree(form)
    return form.instantiate(function, lambda name, value: value)


def same_tree(form) -> bool:
    """Whether the text of a converted function parses to the tree that was compiled."""
    (compiled,) = gast.gast_to_ast(gast.Module([form.tree], [])).body
    (printed,) = ast.parse(form.text).body
    return ast.dump(compiled) == ast.dump(printed)


def check(function, *args, **kwargs):
    """Check that a function and its converted form do the same: result or error, and what they do
    to their arguments. Returns the result."""
    outcome, seen = run(function, args, kwargs)
    other, other_seen = run(converted(function), args, kwargs)
    assert same(outcome, other), f"{outcome} is not {other}\n{convert(function).text}"
    assert same(seen, other_seen)
    return outcome[1]


def run(function, args, kwargs):
    args, kwargs = copy.deepcopy((args, kwargs))
    try:
        return ("returned", function(*args, **kwargs)), (args, kwargs)
    except Exception as error:
        kind = NameError if isinstance(error, NameError) else type(error)
        text = "" if kind is NameError else str(error).partition("\n")[0]  # pytest adds lines
        return ("raised", (kind, text)), (args, kwargs)


def same(left, right) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, tuple | list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and np.array_equal(left, right, equal_nan=True)
    return left == right or left != left
