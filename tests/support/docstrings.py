"""The examples in docstrings, and running them."""

from __future__ import annotations

import doctest
import inspect
import re
from typing import Any

import numpy as np

import autograph as ag
import ops


class _WithoutPlaces(doctest.OutputChecker):
    """What is printed of places in the source is left out: they are those of the test."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        got = re.sub(r" +# <doctest .*$", "", got, flags=re.MULTILINE)
        return super().check_output(want, got, optionflags)


def examples(function: Any) -> str:
    """The docstring of a function if it has examples, or an empty text."""
    text = inspect.getdoc(function) or ""
    return text if ">>> " in text else ""


def failures(function: Any, name: str) -> str:
    """What is printed where the examples of a function do not hold."""
    names = {"np": np, "ag": ag, "ops": ops, "nn": ag.nn, "train": ag.train}
    names["__name__"] = "an_example"  # of what the examples define
    found = doctest.DocTestParser().get_doctest(examples(function), names, name, name, 0)
    # Below a traceback's first line stands what a test of messages holds.
    flags = doctest.IGNORE_EXCEPTION_DETAIL
    runner = doctest.DocTestRunner(_WithoutPlaces(), verbose=False, optionflags=flags)
    printed: list[str] = []
    runner.run(found, out=printed.append)
    return "".join(printed)
