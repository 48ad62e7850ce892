"""The stand-in's signatures and numbers are those of a CuPy that finds NCCL (it needs no GPU)."""

import re
import sys
import warnings

import pytest

from tests.parallel.nccl import stand_in


@pytest.fixture
def nccl():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pytest.importorskip("cupy.cuda.nccl", reason="CuPy is not installed")
    if not found.available:
        pytest.skip("CuPy finds no NCCL")
    return found


def test_signatures(nccl):
    for name, parameters in stand_in.SIGNATURES.items():
        documented = getattr(nccl.NcclCommunicator, name).__doc__
        (found,) = re.findall(rf"{name}\(self, ([^)]*)\)", documented)
        assert found == parameters


def test_numbers(nccl):
    for name, (code, _) in {**stand_in.DATATYPES, **stand_in.OPERATIONS}.items():
        assert getattr(nccl, f"NCCL_{name}") == code


def test_ids(nccl):
    unique = nccl.get_unique_id()
    cupy = sys.modules["cupy"]
    before_14 = int(cupy.__version__.split(".")[0]) < 14
    assert len(unique) == 128 and type(unique) is (tuple if before_14 else bytes)
