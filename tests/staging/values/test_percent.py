"""Templates of ``%`` as those of `str.format` that give the same text."""

import math

import numpy as np
import pytest

from autograph.errors import ConcreteValueError
from autograph.staging.values.percent import ConversionSpecifier, parse
from tests.support.oracle import check

INTEGERS = (0, 7, -7, 123456)
FLOATS = (0.0, -0.0, 2.5, -1234.5678, 1e300, math.inf, -math.inf, math.nan)


def only(template):
    """The one field of a template."""
    (field,) = [part for part in parse(template) if isinstance(part, ConversionSpecifier)]
    return field


@pytest.mark.parametrize("kind", "dixXo")
@pytest.mark.parametrize("options", ["", "5", "-5", "05", "+", " ", "+ ", "#", "-05", "+08"])
def test_integers(options, kind):
    template = f"%{options}{kind}"
    for number in INTEGERS:
        assert only(template).as_format().format(number) == template % number


@pytest.mark.parametrize("kind", "eEfFgG")
@pytest.mark.parametrize("options", ["", "12", "-12", "+", " ", "#", ".2", ".0", ".", "+-12.3"])
def test_floats(options, kind):
    template = f"%{options}{kind}"
    for number in FLOATS:
        assert only(template).as_format().format(number) == template % number


@pytest.mark.parametrize("kind", "rsa")
@pytest.mark.parametrize("options", ["", "9", "-9", ".2", "9.2", "+", "09", "#"])
def test_texts(options, kind):
    template = f"%{options}{kind}"
    for value in (7, -2.5, "é", None, np.array([1.0, 2.0])):
        assert only(template).as_format().format(value) == template % value


@pytest.mark.parametrize("template", ["%c", "%*d", "%.*f", "%05.1f", "%0e", "%.3d", "%#.2x"])
def test_what_has_no_equal(template):
    with pytest.raises(ConcreteValueError, match="cannot format a value") as caught:
        only(template).as_format()
    assert (caught.value.id, caught.value.fix) == ("AG0306", "use an f-string")


def test_texts_and_fields_in_order():
    first, field, last = parse("x = %5.2f m")
    assert (first, last) == ("x = ", " m")
    assert field == (None, "", "5", "2", "f")


def test_keys():
    field = only("%(mass)-8.3f")
    assert (field.key, field.text) == ("mass", "%-8.3f")
    assert only("%()s").key == ""
    assert only("%s").key is None


def test_lengths_of_c_mean_nothing():
    assert only("%ld").text == "%d"


def test_percent_signs():
    assert "".join(parse("100%% of %%")) == "100% of %"
    assert list(parse("")) == [""]


@pytest.mark.parametrize("template", ["%", "100%", "%d %"])
def test_incomplete(template):
    with pytest.raises(ValueError, match="incomplete format"):
        list(parse(template))


@pytest.mark.filterwarnings("ignore:Casting complex values")
@pytest.mark.parametrize("number", [np.complex64(1.5 + 2j), np.complex128(-1.25 + 2j)])
def test_complex_numbers_of_numpy_are_their_real_parts(number):
    check(lambda z: "%.2f %d %6g %e %s" % (z, z, z, z, z), number)  # noqa: UP031
