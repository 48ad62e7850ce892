"""Functions of C, compiled and called, give what Python does."""

import functools
import shutil
import subprocess

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedFunctionError
from tests.export import libraries
from tests.export.programs import PROGRAMS, REFUSED, height, newton

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="it needs a compiler of C")


def called(made, args, results, folder):
    """Compile a function, and call it with arguments and room for results; what it returns."""
    assert GCC is not None
    (folder / "made.c").write_text(made.source)
    (folder / "made.h").write_text(made.header)
    (folder / "both.c").write_text('#include "made.h"\n#include "made.h"\n#include "made.c"\n')
    library = folder / "made.so"
    options = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined"]
    options += ["-Wno-unused-but-set-variable"]
    options += ["-fno-sanitize-recover", "-shared", "-fPIC"]
    done = subprocess.run(
        [GCC, *options, "-o", library, folder / "both.c", "-lm"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return libraries.call(library, made.name, args, results)


@needs_gcc
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_it_gives_what_python_does(function, tmp_path):
    args = PROGRAMS[function]
    made = ag.export.c(function, *args)
    libraries.check(lambda results: called(made, args, results, tmp_path), function(*args))


@needs_gcc
def test_errors_are_told(tmp_path):
    made = ag.export.c(lambda x, i: x[i] * 2.0, np.arange(5.0), 1, name="element")
    for i, code in ((4, 0), (-5, 0), (5, 1), (-6, 1)):
        assert called(made, (np.arange(5.0), i), [np.zeros(1)], tmp_path) == code


@needs_gcc
def test_memory_that_only_the_run_knows(tmp_path):
    def slope(a):
        return ag.grad(newton)(a)

    with pytest.raises(UnsupportedFunctionError, match=r"AG0750.*known only at run time"):
        ag.export.c(slope, 2.0)
    result = np.zeros(1)
    for memory, code in ((16, 2), (4096, 0)):
        made = ag.export.c(slope, 2.0, memory=memory)
        assert made.memory >= memory
        (tmp_path / str(code)).mkdir()
        assert called(made, (2.0,), [result], tmp_path / str(code)) == code
    assert result[0] == pytest.approx(0.5 / np.sqrt(2.0))


def test_known_memory_is_found():
    def slope(v, n):
        return ag.grad(lambda v: height(v, n)[0])(v)

    few, many = (ag.export.c(functools.partial(slope, n=n), 0.0).memory for n in (100, 200))
    assert 0 < few < many < 200 * 64


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    function, arg, message = REFUSED[name]
    with pytest.raises(UnsupportedFunctionError, match=message) as caught:
        ag.export.c(function, arg)
    assert caught.value.id == "AG0750" and caught.value.fix
    assert "programs.py" in str(caught.value)


def test_a_number_that_a_shape_depends_on_is_part_of_the_function():
    made = ag.export.c(lambda x, n: np.sum(x[:n]), np.ones(5), 3, name="start")
    assert "int start(const double x[5], double result[1]);" in made.header


def test_names():
    made = ag.export.c(lambda x: x * 2.0, 1.0)
    assert made.name.isidentifier() and f"int {made.name}(" in made.source
    texts = {ag.export.c(lambda x: x * 2.0, 1.0, name=n).name for n in ("f", "été", "a b")}
    assert all(map(str.isidentifier, texts)) and len(texts) == 3
