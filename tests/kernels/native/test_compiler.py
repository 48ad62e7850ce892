"""What LLVM does to the text of a kernel leaves it valid, or the kernel is not used."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.errors import PerformanceWarning
from autograph.kernels import codes, native, program
from autograph.kernels.native import compiler
from tests.support.processes import file_of, printed

BEST_OF_EACH_PART = """
    import numpy as np
    import autograph as ag

    PARTS = 2

    def total(w, x):
        sum = 0.0
        for part in np.split(x, PARTS):
            best = None
            for row in part:
                y = row @ w
                if y > 0.2 and (best is None or y > best):
                    best = y
            sum = sum + (0.0 if best is None else best * best)
        return sum

    def gradient(rows, columns):
        random = np.random.default_rng(3)
        x = random.normal(size=(PARTS * rows, columns))
        return ag.grad(total, argnums=1), random.normal(size=columns), x
"""


@pytest.mark.costly
@pytest.mark.parametrize("shape", [(4, 3), (3, 4)])
def test_twelve_results_side_by_side(shape, tmp_path, monkeypatch):
    """LLVM's vectoriser of straight-line code used a vector before it had made it, and an assertion
    ended the process."""
    there = f"""
    gradient, w, x = gradient{shape}
    assert len(gradient.kernels(w, x)) == 1
    print(gradient(w, x).tolist())
    """
    file = file_of(tmp_path / "program.py", BEST_OF_EACH_PART + there)
    found = np.array(eval(printed(file, AUTOGRAPH_KERNELS="1", AUTOGRAPH_CACHE_DIR="")))

    here = file_of(tmp_path / "here.py", BEST_OF_EACH_PART)
    monkeypatch.setenv("AUTOGRAPH_KERNELS", "0")
    namespace = {"__name__": "here"}
    exec(compile(here.read_text(), str(here), "exec"), namespace)
    gradient, w, x = namespace["gradient"](*shape)
    total, step = namespace["total"], 1e-6 * np.eye(x.size).reshape(x.size, *x.shape)
    differences = [(total(w, x + d) - total(w, x - d)) / 2e-6 for d in step]
    np.testing.assert_allclose(found.ravel(), differences, atol=1e-7)
    np.testing.assert_allclose(found, gradient(w, x), rtol=1e-14)


def test_llvm_makes_no_vectors():
    """What its vectorisers do is not relied on; see `compiler`."""
    steps = "".join(
        f"""
      %from{i} = getelementptr float, ptr %x, i64 {i}
      %value{i} = load float, ptr %from{i}
      %twice{i} = fadd float %value{i}, %value{i}
      %to{i} = getelementptr float, ptr %y, i64 {i}
      store float %twice{i}, ptr %to{i}"""
        for i in range(4)
    )
    text = f"""
    define i32 @f(ptr noalias %x, ptr noalias %y) {{{steps}
      ret i32 0
    }}
    """
    with compiler.optimised(text) as module:
        assert str(module).count("fadd float") == 4


CALLS_ANOTHER = """
declare i32 @another()
define i32 @kernel(ptr %inputs, ptr %outputs) {
  %status = call i32 @another()
  ret i32 %status
}
"""


class Breaking:
    """A pass that makes a module invalid: what is only declared can't be internal."""

    def __init__(self, combined):
        pass

    def run(self, module, builder):
        for function in module.functions:
            if function.name == "another":  # the runtime's are left as they are
                function.linkage = "internal"

    def close(self):
        pass


def test_what_passes_made_invalid_is_no_code(monkeypatch):
    monkeypatch.setattr(compiler, "_few_passes", Breaking)
    with pytest.raises(ValueError, match="LLVM made a kernel invalid: Global is external"):
        compiler.compiled(CALLS_ANOTHER, quickly=True)


def test_a_kernel_that_passes_made_invalid_is_not_used(monkeypatch):
    def broken(text, name, **options):
        return native.compile_kernel(CALLS_ANOTHER, name, quickly=True)

    monkeypatch.setattr(codes, "compile_kernel", broken)
    monkeypatch.setattr(program, "VERIFY", False)
    monkeypatch.setattr(compiler, "_few_passes", Breaking)
    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", "")
    with pytest.warns(PerformanceWarning, match="LLVM made a kernel invalid"):
        assert ag.to_graph(lambda x: x * 2.0 + 1.0)(np.arange(3.0)).tolist() == [1.0, 3.0, 5.0]
