"""Cubins on disk: the second process does not compile them."""

import os
import textwrap

import pytest

from autograph import cache
from autograph.kernels.cuda import compile as nvrtc
from autograph.kernels.cuda.printer import print_cuda
from tests.kernels.cuda import hand_built as cuda_kernels
from tests.support.processes import printed

pytestmark = pytest.mark.skipif(not nvrtc.available(), reason="CuPy or NVRTC is not installed")


@pytest.fixture
def directory(tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", str(tmp_path))
    cache._checked.cache_clear()
    yield tmp_path
    cache._checked.cache_clear()


@pytest.fixture
def compiled(monkeypatch):
    """The architectures for which something is compiled."""
    made, plain = [], nvrtc.compile_cuda
    record = lambda text, architecture: made.append(architecture) or plain(text, architecture)
    monkeypatch.setattr(nvrtc, "compile_cuda", record)
    return made


def test_what_was_compiled_is_found(directory, compiled):
    text = print_cuda(cuda_kernels.mean()).text
    first = nvrtc.binary(text, "sm_90")
    second = nvrtc.binary(text, "sm_90")
    assert compiled == ["sm_90"]
    assert second == first and first.cubin.startswith(b"\x7fELF")
    assert set(second.resources) == {"mean_kernel", "mean_kernel2"}
    assert second.resources["mean_kernel"].registers > 0


def test_all_that_matters_is_in_the_key(directory, compiled, monkeypatch):
    text = print_cuda(cuda_kernels.selu()).text
    nvrtc.binary(text, "sm_90")
    nvrtc.binary(text, "sm_80")
    nvrtc.binary(text + "\n", "sm_90")
    monkeypatch.setattr(nvrtc, "_OPTIONS", (*nvrtc._OPTIONS, "--use_fast_math"))
    nvrtc.binary(text, "sm_90")
    assert compiled == ["sm_90", "sm_80", "sm_90", "sm_90"]
    assert len(os.listdir(directory)) == 4


def test_a_damaged_file_is_compiled_again(directory, compiled):
    text = print_cuda(cuda_kernels.selu()).text
    first = nvrtc.binary(text, "sm_90")
    (file,) = directory.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert nvrtc.binary(text, "sm_90") == first
    assert len(compiled) == 2


def test_a_second_process_does_not_compile(directory):
    program = """
    from autograph.kernels.cuda import compile as nvrtc
    made, plain = [], nvrtc.compile_cuda
    nvrtc.compile_cuda = lambda *given: made.append(given) or plain(*given)
    found = nvrtc.binary('extern "C" __global__ void f() {}', "sm_90")
    print(len(made), sorted(found.resources))
    """
    for compiled in (1, 0):
        assert printed("-c", textwrap.dedent(program)) == f"{compiled} ['f']\n"
