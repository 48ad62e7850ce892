"""What to write in place of the names of other libraries."""

import numpy as np
import pytest

from autograph.staging.ground.foreign_names import instead_of_attribute, instead_of_keyword


def unexpected(name):
    return f"sum() got an unexpected keyword argument '{name}'"


@pytest.mark.parametrize(
    "name, use",
    [
        ("numel", "use x.size"),
        ("cuda", "leave it out: arrays are where they are"),
        ("grad", "differentiate the function: autograph.grad(f)(x)"),
        ("exp", "use np.exp(x)"),  # a function that is no method
        ("nonsense", "use what arrays of NumPy have"),
    ],
)
def test_attributes_of_arrays(name, use):
    assert instead_of_attribute(np.zeros(3), name) == use


def test_attributes_of_numbers():
    assert instead_of_attribute(1.0, "nonsense") == (
        "use what a float has, or make it an array: np.asarray(x)"
    )
    assert instead_of_attribute(1.0, "exp") == "use np.exp(x)"


def test_an_attribute_of_numpy_that_is_no_function():
    assert instead_of_attribute(np.zeros(3), "newaxis") == "use what arrays of NumPy have"


@pytest.mark.parametrize("name, ours", [("dim", "axis"), ("keepdim", "keepdims")])
def test_keywords_with_another_name(name, ours):
    assert instead_of_keyword(unexpected(name)) == f"call it '{ours}', as NumPy does"


def test_keywords_that_mean_nothing_here():
    assert instead_of_keyword(unexpected("device")) == "leave it out"


def test_keywords_that_nobody_knows():
    def function(a, axis=None): ...

    says = instead_of_keyword(unexpected("colour"), function)
    assert says == "leave it out; the arguments are: a, axis"
    assert instead_of_keyword(unexpected("colour")) == (
        "leave it out, or look up what NumPy calls it"
    )


def test_the_wordings_of_python_and_numpy():
    for message in ("got an unexpected argument 'dim'", "an invalid keyword argument: 'dim'"):
        assert instead_of_keyword(message) == "call it 'axis', as NumPy does"


@pytest.mark.parametrize("message", ["", "operands could not be broadcast", "argument 'dim' of f"])
def test_other_messages(message):
    assert instead_of_keyword(message) == ""
