"""docs/operators.md is what the declarations of the operators say.

``UPDATE_DOCUMENTS=1 pytest tests/documents/test_operators.py`` writes it.
"""

import os

import numpy as np
import pytest

import ops
from ops import reference
from ops.core.numpy_table import CREATORS, FUNCTIONS, METHODS
from ops.core.registry import Op
from tests.support.tree import ROOT

PAGE = ROOT / "docs" / "operators.md"


# `matvec` and `vecmat` are the last functions of NumPy's to come that the page knows.
@pytest.mark.skipif(not hasattr(np, "matvec"), reason="the page is written with a newer NumPy")
def test_the_page_is_up_to_date():
    page = reference.page()
    if os.environ.get("UPDATE_DOCUMENTS"):
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page


def test_every_operator_and_function_is_on_it():
    page = PAGE.read_text(encoding="utf-8")
    public = {value.name for value in vars(ops).values() if isinstance(value, Op)}
    for name in public:
        assert f"`{name}(" in page, name
    for function in (*FUNCTIONS, *CREATORS):
        assert f"`{reference.numpy_name(function)}`" in page, function
    for name in METHODS:
        assert f"`{name}`" in page, name
