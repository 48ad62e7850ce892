"""Loops that print are kernels: text, results and exceptions are Python's."""

import io
import logging
import sys
import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedFunctionError
from autograph.kernels.ir import ir
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.lowering import reasons
from autograph.kernels.selection import parts
from tests.kernels.kernel_check import calls_python, run, same_outcome
from tests.support.processes import file_of, printed


class Shown:
    """What a function prints, with its outcome."""

    def __init__(self, function, args, stream=None):
        before, sys.stdout = sys.stdout, stream or io.StringIO()
        try:
            self.outcome = run(function, args)
        finally:
            self.stream, sys.stdout = sys.stdout, before
        self.text = self.stream.getvalue()


def check(function, *args, compiled=None, is_kernel=True):
    """Check that a function prints and gives what it does in Python, twice."""
    made = compiled or ag.to_graph(function)
    expected = Shown(function, args)
    for _ in range(2):
        found = Shown(made, args)
        assert found.text == expected.text
        same_outcome(found.outcome, expected.outcome, 4, 0.0)
    assert calls_python(made, *args) == is_kernel
    return made


def progress(x, n):
    t = 0.0
    for i in range(n):
        t = 0.5 * t + x * i
        if i % 100 == 0:
            print("at", i, f"{t:.3f}", x, sep="|")
    return t


def test_now_and_then():
    check(progress, 1.5, 1000)
    check(progress, 1.5, 0)


def test_a_loop_that_prints_is_one_kernel():
    compiled = ag.to_graph(progress)
    assert list(compiled.kernels(1.5, 3)) == ["progress"]
    assert "for i in range" in str(compiled.program(1.5, 3))
    assert "def progress_print_1(i, t, x)" in str(compiled.program(1.5, 3))
    assert not compiled.explain(1.5, 3).plain


def all_types(x, k, flags, f, h):
    s, small, c = np.sum(x), k[0], np.float32(0.25)
    n, b = 3, True
    for i in range(4):
        x[i] = x[i] * 2.0 + s
        s = s + x[i]
        small = k[i] + small
        c = c * f[i]
        b = s > 40.0
        print(x, k, flags, f, s, small, c, n, b, h, i % 2 == 0, flags[i], x[1:], x > 3.0)
        print(f"{s!r} {small!r} {c!r} {c:.2f} {n!r} {b!r} {x!r} {s:8.3f}|{n:4d}")
        print("%s %.2e" % (c, s), end="")  # noqa: UP031, a way to make a text
        print()
        n = n + i
    return s, x


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_numbers_and_arrays_of_all_types(dtype):
    k = np.array([1, 3, 5, 7], dtype)
    f = np.array([0.1, 0.2, 3.0, 4.0], np.float32)
    check(all_types, np.arange(4.0), k, np.array([True, False, True, False]), f, 0.5)


def test_arrays_of_more_axes_and_of_none():
    def f(x):
        t = 0.0
        for i in range(2):
            x = x + 1.0
            t = t + x[1, 2]
            print(x, x.T, x[:, 1], x[0:0], x.reshape(3, 2), t)
        return t

    check(f, np.arange(6.0).reshape(2, 3))


def test_an_array_without_axes_is_shown_as_one():
    def f(x, n):
        t = 0.0
        for i in range(n):
            t = t + x
            print(f"{x!r} {x}")
        return t

    check(f, np.float64(2.0), 3)
    check(f, np.float32(0.1), 3)
    compiled = ag.to_graph(f)
    for x in (np.array(2.0), np.float64(2.0), np.array(0.1, "f4"), np.float32(0.1), 0.5):
        assert Shown(compiled, (x, 3)).text == Shown(f, (x, 3)).text


def test_what_an_operator_gives_without_axes():
    def f(x, n):
        z = x.reshape(())
        t = z * 1.0
        for i in range(n):
            print(f"{z!r}", f"{t!r}")
            t = t + z
        return t

    made = ag.to_graph(f)
    assert Shown(made, (np.ones(1), 3)).text == Shown(f, (np.ones(1), 3)).text


def test_control_flow_around():
    def f(x, n):
        i = 0
        while i < n:
            for j in range(i):
                if j == 3:
                    break
                if (i + j) % 2:
                    print("odd", i, j)
                    continue
                print("even", i, j, x[j])
            else:
                print("all of", i)
            i += 1
            if x[i % 4] > 2.5:
                return i
        return n

    check(f, np.arange(4.0), 3)
    check(f, np.arange(4.0) / 2, 9)


def test_what_is_tested_prints():
    def goes_on(x, i):
        print("test", i, x)
        return x < 20.0

    def f(x):
        i = 0
        while goes_on(x, i):
            x = x * 1.5
            i += 1
        return x

    check(f, 1.0)


def test_functions_that_print():
    def show(i, x):
        print("show", i, x)

    def step(x, i):
        show(i, x)
        for k in range(i):
            x = x + k
            print("step", k, x)
        show(-i, x)
        return x

    def f(x, n):
        for i in range(n):
            x = step(x, i) * 0.5
            x = step(x, i + 1)
        return x

    check(f, 1.0, 4)


def test_functions_that_call_themselves():
    def visit(x, depth):
        print("in", depth, x)
        if depth == 0:
            return x
        x = visit(x * 0.5, depth - 1) + visit(x * 2.0, depth - 1)
        print("out", depth, x)
        return x

    check(visit, 1.0, 4)


def test_what_is_printed_of_an_array_that_changes():
    def f(x, n):
        for i in range(n):
            y = x * 2.0
            x[i % 3] = y[0] + i
            print(x, y)
            x[0] = x[0] + 1.0
            z = x
            x = np.roll(x, 1)
            print(z, x)
        return x

    check(f, np.arange(3.0), 5)


def test_arrays_of_any_length():
    def f(x, y, n):
        t = 0.0
        for i in range(n):
            t = t + np.sum(x) * i
            print(i, t, x, y[:2], x[1:])
        return t

    compiled = ag.to_graph(f)
    for size in (3, 4, 5, 7):
        check(f, np.arange(1.0 * size), np.ones((size, 2)), 3, compiled=compiled)


def test_a_list_that_grows():
    def f(n):
        out = []
        i = 0
        while i < n:
            out.append(i * 0.5)
            print(len(out), out[-1])
            i += 1
        return np.array(out)

    check(f, 4)


def test_large_ints():
    def f(n):
        x = 3
        for i in range(n):
            print(i, x)
            x = x * x + 1
        return x

    check(f, 9)  # the kernel gives up amid the loop


def test_ints_of_64_bits_without_a_sign():
    def f(x, n):
        for i in range(n):
            x ^= (x << 13) & 0xFFFFFFFFFFFFFFFF
            x ^= x >> 7
            x ^= (x << 17) & 0xFFFFFFFFFFFFFFFF
            if i % 3 == 0:
                print(i, x)
        return x

    compiled = ag.to_graph(f)
    assert Shown(compiled, (88172645463325252, 20)).text == Shown(f, (88172645463325252, 20)).text


@pytest.mark.parametrize("transform", ["grad", "jvp", "vmap", "twice"])
def test_derivatives_and_lanes(transform, capsys):
    def f(x):
        t = x * 1.0
        for i in range(3):
            t = t * x + i
            print("at", i)
        return t

    made = {
        "grad": lambda: ag.grad(f)(1.5),
        "twice": lambda: ag.grad(ag.grad(f))(1.5),
        "jvp": lambda: ag.jvp(f, (1.5,), (1.0,))[1],
        "vmap": lambda: ag.vmap(f)(np.array([1.5, 2.0])),
    }[transform]
    found, text = made(), capsys.readouterr().out
    if transform == "vmap":
        assert np.array_equal(found, [f(1.5), f(2.0)])
        assert text == "at 0\nat 0\nat 1\nat 1\nat 2\nat 2\n" or text == "at 0\nat 1\nat 2\n" * 2
    else:
        exact = {"grad": 4 * 1.5**3 + 1, "jvp": 4 * 1.5**3 + 1, "twice": 12 * 1.5**2}
        assert text == "at 0\nat 1\nat 2\n"
        assert found == pytest.approx(exact[transform])


# -- other effects ---------------------------------------------------------------------------------


def test_warnings():
    def f(x, n):
        for i in range(n):
            x = x * 1.5
            if i % 3 == 2:
                warnings.warn(f"trip {i}", UserWarning, stacklevel=1)
        return x

    compiled = ag.to_graph(f)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        assert compiled(1.0, 8) == f(1.0, 8)
    half = len(found) // 2
    assert [str(w.message) for w in found[:half]] == [str(w.message) for w in found[half:]]
    assert calls_python(compiled, 1.0, 8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="trip 2"):
            compiled(1.0, 8)


def test_messages_that_are_logged(caplog):
    logger = logging.getLogger("of a test")

    def f(x, n):
        for i in range(n):
            x = x * 0.5 + i
            logger.info("trip %d: %s", i, x)
        return x

    compiled = ag.to_graph(f)
    with caplog.at_level(logging.INFO, "of a test"):
        expected = f(np.ones(2), 3), [r.getMessage() for r in caplog.records]
        caplog.clear()
        found = compiled(np.ones(2), 3), [r.getMessage() for r in caplog.records]
    assert np.array_equal(expected[0], found[0]) and expected[1] == found[1]
    assert calls_python(compiled, np.ones(2), 3)


# -- on disk, and in time --------------------------------------------------------------------------


@pytest.mark.slow
def test_kernels_that_print_are_found_on_disk(tmp_path):
    program = file_of(
        tmp_path / "prints.py",
        """
        import numpy as np
        import autograph as ag
        from autograph.kernels import partition

        asked, making = [], partition.making
        partition.making = lambda: asked.append(True) or making()

        def show(i, x):
            print("shown", i, x)

        @ag.to_graph
        def f(x, n):
            t = 0.0
            for i in range(n):
                t = t + x[i % 3]
                show(i, t)
                if i % 2 == 0:
                    print(f"{i}: {t:.2f}", x)
                    show(-i, t)
            return t

        y = np.argpartition(np.arange(3.0), 1)

        @ag.to_graph
        def parts(x, n):
            y = np.argpartition(x, 1)
            t = x * 1.0
            for i in range(n):
                t = t + x
                print("at", i)
            return y, t

        print(f(np.arange(3.0), 4))
        print(parts(np.arange(3.0), 2))
        print("made" if asked else "found")
        """,
    )
    settings = {"AUTOGRAPH_CACHE_DIR": str(tmp_path / "cache"), "AUTOGRAPH_CACHE_PROGRAMS": ""}
    settings["AUTOGRAPH_VERIFY"] = ""
    first, *others = [printed(program, **settings).splitlines() for _ in range(3)]
    assert first[-1] == "made" and len(first) > 10
    for other in others:
        assert other == [*first[:-1], "found"]


def test_text_is_there_while_the_loop_runs(tmp_path):
    """A loop that does not end by itself, which is ended once its text has come."""
    program = file_of(
        tmp_path / "endless.py",
        """
        import os, sys, threading, signal
        import autograph as ag

        class Counting:
            lines = 0

            def write(self, text):
                before, self.lines = self.lines, self.lines + text.count("\\n")
                if before < 5 <= self.lines:  # several come at once if the machine is busy
                    os.kill(os.getpid(), signal.SIGINT)

            def flush(self):
                pass

        @ag.to_graph
        def f(x):
            i = 0
            while i >= 0:
                x = x * 0.5 + 1.0
                if i % 1000 == 0:
                    print("at", i)
                i = (i + 1) % 1000000
            return x

        stream, sys.stdout = sys.stdout, Counting()
        try:
            f(1.0)
        except KeyboardInterrupt:
            sys.stdout, counting = stream, sys.stdout
            print("ended", counting.lines >= 5)
        """,
    )
    assert printed(program) == "ended True\n"


# -- where it is worth it --------------------------------------------------------------------------


def test_a_loop_that_is_no_kernel_prints_as_python_does():
    """Between what it prints there are kernels, and none calls Python in each trip."""

    def f(x, n):
        t = 0.0
        for i in range(n):
            x = np.sin(x) * 0.5 + np.sort(x + 1j).real
            if i % 2 == 0:
                print(i, x)
            t = np.sum(x * x) + 1.0
            print("t", t)
        return t

    compiled = ag.to_graph(f)
    given = np.ones(3), 5
    texts = [Shown(g, given).text for g in (f, compiled)]
    assert texts[0] == texts[1]
    assert len(compiled.kernels(*given)) > 1 and not calls_python(compiled, *given)
    assert "print(i, x)" in str(compiled.program(*given)).split("def f(")[1]
    assert "output" in {part.reason for part in compiled.explain(*given).plain}


def test_what_gives_nothing_back():
    def f(n):
        t = 0.0
        for i in range(n):
            t = 0.5 * t + i
            if i % 100 == 0:
                print(i, t)

    check(f, 500)


def test_the_interpreter_calls_python_too():
    given = []
    compiled = ag.to_graph(all_types)
    k, f = np.array([1, 3, 5, 7]), np.array([0.1, 0.2, 3.0, 4.0], np.float32)
    args = np.arange(4.0), k, np.array([True, False, True, False]), f, 0.5
    kernel = compiled.kernels(*args)["all_types"].kernel
    names = [s.function for s in ir.walk(kernel.body) if isinstance(s, ir.PythonCall)]
    python = {name: lambda *values: given.append(len(values)) for name in names}
    results = [np.zeros(b.size, b.dtype) for b in kernel.outputs]
    interpret(kernel, args, results, python)
    expected = all_types(*args)
    assert len(names) == 4 and len(given) == 4 * len(names)
    found = [x for x in results if x.shape == (4,)]
    assert np.allclose(found[0], expected[1])


def test_there_is_none_for_cuda_and_c():
    compiled = ag.to_graph(progress)
    with pytest.raises(NotImplementedError):
        str(compiled.kernels(1.5, 3)["progress"].cuda)
    module = compiled.graph(1.5, 3)
    found = [o.why.reason for o in parts.outside_of_kernels(module, host=False)]
    assert reasons.OUTPUT in found
    with pytest.raises(UnsupportedFunctionError):
        ag.export.c(progress, 1.5, 3)


def test_a_training_loop_frees_what_its_steps_leave(capsys):
    def fitted(w, x, y, steps, shows):
        def loss(w):
            s, i = 0.0, 0
            while i < 8:
                s = 0.5 * s + (w * x[i] - y[i]) ** 2
                i = i + 1
            return s

        for step in range(steps):
            value, slope = ag.value_and_grad(loss)(w)
            w = w - 0.01 * slope
            if shows:
                print(step, f"{value:.6f}", w > 1.0)
        return w

    x = np.linspace(0.1, 1.0, 8)

    def freed(shows):
        compiled = ag.to_graph(lambda w, x, y, n: fitted(w, x, y, n, shows))
        assert calls_python(compiled, 0.5, x, x, 3) == shows
        (kernel,) = (k.kernel for k in compiled.kernels(0.5, x, x, 3).values())
        loops = [s for s in ir.walk(kernel.body) if isinstance(s, ir.For)]
        return compiled(0.5, x, x, 3), [s.freed is not None for s in loops]

    assert freed(True) == freed(False)
    assert any(freed(True)[1])
    assert len(capsys.readouterr().out.splitlines()) == 6
