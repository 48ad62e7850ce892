"""Recordings on disk: a second process takes them where all that they depend on is the same there,
by value, and records where anything is another one."""

import os

import pytest

from tests.support.processes import LISTENING, file_of, printed, with_cache

# Functions, whose text stays as it is. Each case is a transform of one, with arguments.
FUNCTIONS = """
    import functools
    import numpy as np
    import autograph as ag
    import helpers
    from helpers import *

    def same(x):
        s = 0.0
        for i in range(x.shape[0]):
            if x[i] > 0.3:
                s = s + kept(x[i]) * WEIGHTS[i]
        return s * SAME

    def nested(parts, x):
        return {"sum": parts["a"] * x + parts["b"][0], "pair": (x, np.sum(x))}

    def of_module(x):
        return np.sum(helpers.kept(x) * helpers.WEIGHTS)

    def keyword(x, *, scale=1.5):
        return np.sum(x * scale)

    def changes(x):
        x[0] = x[1] * 2.0
        return np.sum(x)

    def prints(x):
        print("sum:", np.sum(x) > 1.0)
        return x * 2.0

    def calls_compiled(x):
        return np.sum(compiled_same(x))

    def sized(x, n):
        return np.sum(x) * np.ones(n)

    def power(x, n):
        return x if n == 0 else x * power(x, n - 1)

    # What is outside of these is another thing in the second process.
    def number(x):
        return np.sum(x * NUMBER)

    def zero(x):
        return np.sum(np.arctan2(x * 0.0, ZERO))

    def kind(x):
        return np.sum(x) + KIND

    def text(x):
        return np.sum(x) if TEXT == "a" else np.prod(x)

    def dtype(x):
        return np.sum(x * DTYPE)

    def shape(x):
        return np.sum(x * SHAPE)

    def called(x):
        return np.sum(helper(x))

    def called_deep(x):
        return np.sum(outer_helper(x))

    def defaults(x):
        return np.sum(with_default(x))

    def keyword_defaults(x):
        return np.sum(with_keyword(x))

    def closure(x):
        return np.sum(made(x))

    def are_one(x):
        return np.sum(x) if one is other else np.prod(x)

    def library(x):
        return np.sum(operation(x, 0.5))

    def constant(x):
        return np.sum(x) * math.pi

    def built_in(x):
        return np.sum(abs(x))

    def patched(x):
        return np.sum(np.tanh(x))

    def wrapped(x):
        return np.sum(decorated(x))

    def compiled(x):
        return np.sum(compiled_helper(x))

    def own(x):
        return np.sum(x * {own})

    def annotated(x, y={default}):
        return np.sum(x * y)

    def module(x):
        return np.sum(x * helpers.IN_MODULE)

    def in_module(x):
        return np.sum(helpers.outer_helper(x)) * helpers.WEIGHTS[0]

    def container(x):
        return np.sum(x * PARAMETERS["a"])

    def listed(x):
        for factor, (power, _) in LISTED:
            x = x * factor ** power
        return np.sum(x)

    def layers(x):
        for layer in LAYERS:
            x = ACTIVATIONS[layer["name"]](layer["w"] @ x + layer["b"])
        return np.sum(x)

    def element(x, i=2):
        return x * TABLE[i]

    def one_list(x):
        return np.sum(x) if PAIR[0] is PAIR[1] else np.prod(x)

    def instance(x):
        return np.sum(Scale(2.0).of(x))

    def attributes(x):
        return np.sum(x * helper.factor)

    def module_lacks(x):
        return np.sum(x * getattr(helpers, "LATER", 7.0))

    def module_fails(x):
        try:
            return np.sum(x * helpers.LATER)
        except AttributeError:
            return np.sum(x)

    def function_lacks(x):
        return np.sum(x * getattr(outer_helper, "later", 7.0))

    def library_lacks(x):
        return np.sum(x) if hasattr(np, "later") else np.prod(x)

    def typed(x):
        return x * 2.0, x.dtype

    # What is never stored, since it can't be told whether it is the same.
    def ordered(x):
        return np.sum(x * ORDERED["a"])

    def imports(x):
        from helpers import IN_MODULE
        return np.sum(x * IN_MODULE)

    def order(x):
        words = {"a", "bb"}
        for word in words:
            x = x * 2.0 + len(word)
        return np.sum(x)

    def own_order(x):
        for word in WORDS:
            x = x * 2.0 + len(word)
        return np.sum(x)

    def named(x):
        return np.linalg.qr(x[:, None])

    cases = {
        "same": (ag.grad(same), [X]), "its value": (ag.to_graph(same), [X]),
        "twice": (ag.grad(lambda x: np.sum(ag.grad(same)(x) ** 2)), [X]),
        "lanes": (ag.vmap(ag.value_and_grad(same)), [np.stack([X, X * 2.0])]),
        "layers": (ag.grad(layers), [X]),
        "nested": (ag.to_graph(nested), [{"a": X, "b": [2.0]}, 3.0]),
        "keyword": (ag.grad(keyword), [X]), "changes": (ag.to_graph(changes), [X.copy()]),
        "prints": (ag.to_graph(prints), [X]), "calls compiled": (ag.grad(calls_compiled), [X]),
        "of module": (ag.grad(of_module), [X]),
        "sized": (ag.to_graph(sized), [X, SIZE]), "power": (ag.to_graph(power), [1.5, 5]),
        "its gradient": (ag.grad(power), [1.5, 5]),
        "lambda": (ag.to_graph(lambda x: np.sum(x * x) * SAME), [X]),
    }
    for f in (number, zero, kind, text, dtype, shape, called, called_deep, defaults,
              keyword_defaults, closure, are_one, library, constant, built_in, patched, wrapped,
              compiled, own, annotated, container, listed, element, one_list, ordered, instance,
              module, in_module, imports, order, own_order, attributes, named, typed,
              module_lacks, module_fails, function_lacks, library_lacks):
        cases[f.__name__] = ag.to_graph(f), [X]
"""
HELPERS = """
    import collections, functools, math
    import numpy as np
    import autograph as ag
    X = np.array([0.2, 0.4, 0.6, 0.8])
    WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0])
    SAME, SIZE = 1.25, 3
    kept = lambda v, w=2.0: np.sin(v) * w
    compiled_same = ag.to_graph(lambda x: x * 3.0)
    NUMBER, ZERO, KIND, TEXT = 2.0, 0.0, 1, "a"
    DTYPE, SHAPE = np.ones(4, np.float32), np.ones(4)
    def helper(x): return x + 1.0
    def inner_helper(x): return x * 2.0
    def outer_helper(x): return inner_helper(x) + 1.0
    helper.factor = 2.0
    def with_default(x, y=2.0): return x * y
    def with_keyword(x, *, y=2.0): return x * y
    def make(c): return lambda x: x * c
    made = make(2.0)
    one = make(1.0)
    other = one
    operation = np.maximum
    def wrap(f):
        @functools.wraps(f)
        def inside(x): return f(x) * 2.0
        return inside
    decorated = wrap(lambda x: x + 0.5)
    compiled_helper = ag.to_graph(lambda x: x * 2.0)
    PARAMETERS = {"a": 2.0}
    LISTED = [(2.0, [1, {}]), (0.5, [2, {"b": None}])]
    WEIGHT = np.array([[1.0, 0.5, 0.0, 0.5], [0.5, 0.0, 1.0, 0.5]])
    LAYERS = [
        {"name": "tanh", "w": WEIGHT, "b": 0.5}, {"name": "own", "w": np.eye(2), "b": WEIGHT[0, :2]}
    ]
    ACTIVATIONS = {"tanh": np.tanh, "own": lambda x: x * WEIGHTS[:2]}
    TABLE = [1.0, 2.0, 3.0]
    PAIR = [[1.0]] * 2
    ORDERED = collections.OrderedDict(a=2.0)
    IN_MODULE = 2.0
    WORDS = {"a", "bb", "ccc", "dddd"}
    class Scale:
        def __init__(self, factor): self.factor = factor
        def of(self, x): return x * self.factor
"""
CHANGES = {
    "NUMBER, ZERO, KIND, TEXT = 2.0, 0.0, 1": "NUMBER, ZERO, KIND, TEXT = 3.0, -0.0, 1.0",
    'TEXT = 3.0, -0.0, 1.0, "a"': 'TEXT = 3.0, -0.0, 1.0, "b"',
    "np.ones(4, np.float32), np.ones(4)": "np.ones(4), np.full((2, 1), 1.0)",
    "return x + 1.0": "return x + 2.0",
    "return x * 2.0": "return x * 3.0",
    "def with_default(x, y=2.0)": "def with_default(x, y=3.0)",
    "def with_keyword(x, *, y=2.0)": "def with_keyword(x, *, y=3.0)",
    "made = make(2.0)": "made = make(3.0)",
    "other = one": "other = make(1.0)",
    "operation = np.maximum": "operation = lambda x, y: x * y",
    "return f(x) * 2.0": "return f(x) * 3.0",
    "ag.to_graph(lambda x: x * 2.0)": "ag.to_graph(lambda x: x * 4.0)",
    '{"a": 2.0}': '{"a": 3.0}',
    '{"b": None}': '{"b": 0}',
    "TABLE = [1.0, 2.0, 3.0]": "TABLE = [1.0, 2.0, 4.0]",
    "PAIR = [[1.0]] * 2": "PAIR = [[1.0], [1.0]]",
    "x * WEIGHTS[:2]": "x + WEIGHTS[:2]",
    "IN_MODULE = 2.0": "IN_MODULE = 3.0",
    "return x * self.factor": "return x + self.factor",
    "helper.factor = 2.0": "helper.factor, outer_helper.later, LATER, np.later = 3.0, 1.0, 2.0, 4",
    "np.array([1.0, 2.0, 3.0, 4.0])": "np.array([4.0, 2.0, 1.0, 3.0])",
    "SIZE = 1.25, 3": "SIZE = 1.25, 3 + int(math.pi == 3.0)",
}
MAIN = (
    LISTENING
    + """
    import builtins, math, sys
    import numpy as np
    import autograph as ag
    {patches}
    import functions
    def flat(value):
        leaves = [repr(np.asarray(leaf)) + str(type(leaf)) for leaf in ag.tree.leaves(value)]
        return [str(type(value)), *leaves]
    def copied(args):
        return [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    for name, (f, args) in functions.cases.items():
        given, plain = copied(args), copied(args)
        found = f(*given)
        recorded = any(": recording" in message for message in messages)
        messages.clear()
        if f._function is f._source:
            assert flat(found) == flat(f._source(*plain)), name
            assert flat(given) == flat(plain), name
        print(f"{name}\\t{bool(recorded)}\\t{flat(found)}\\t{flat(given)}")
        assert flat(f(*copied(args))) == flat(found), name
"""
)
PATCHES = "math.pi = 3.0; np.tanh = np.cosh; import helpers; helpers.abs = lambda x: x * 0.5"
UNCHANGED = {
    *("same", "its value", "twice", "lanes", "nested", "keyword", "changes", "prints"),
    *("calls compiled", "of module", "sized", "power", "its gradient", "lambda", "typed"),
}
NEVER = {"ordered", "imports", "order", "own_order", "named"}


@pytest.fixture
def run(tmp_path):
    """What a process prints, by the names of cases, and in what lines; all have one cache."""

    def run(changed=False, main=MAIN, **environment):
        helpers, functions = HELPERS, FUNCTIONS
        for before, after in CHANGES.items() if changed else ():
            assert before in helpers, before
            helpers = helpers.replace(before, after)
        functions = functions.replace("{own}", "3.0" if changed else "2.0")
        functions = functions.replace("{default}", "3.0" if changed else "2.0")
        file_of(tmp_path / "helpers.py", helpers)
        file_of(tmp_path / "functions.py", functions)
        settings = {
            **with_cache(tmp_path),
            "PYTHONHASHSEED": "1" if changed else "2",
            **environment,
        }
        main = main.replace("{patches}", PATCHES if changed else "pass")
        lines = printed(file_of(tmp_path / "main.py", main), **settings).splitlines()
        found = [line.split("\t") for line in lines]
        assert sum(len(parts) == 1 for parts in found) == 3  # what a function prints
        return {name: rest for name, *rest in found if rest}

    return run


def recorded(found):
    """The cases that were recorded."""
    return {name for name, (recorded, *_) in found.items() if recorded == "True"}


def test_a_second_process_records_nothing_that_is_as_it_was(run):
    first, second = run(AUTOGRAPH_KERNELS=""), run(AUTOGRAPH_KERNELS="")
    assert recorded(first) == first.keys() and recorded(second) == NEVER
    for name in first:
        assert first[name][1:] == second[name][1:], name


def test_what_has_changed_is_recorded(run):
    """The process itself compares with Python."""
    run()
    second = run(changed=True)
    assert recorded(second) == second.keys() - UNCHANGED | {"sized"}


LIVE = (
    LISTENING
    + """
    import numpy as np
    import autograph as ag
    import functions, helpers
    def check(name):
        f, args = functions.cases[name]
        assert np.all(f(*args) == f._source(*args)), name
        return f(*args)
    names = ["number", "called_deep", "defaults", "closure", "built_in", "dtype", "own", "zero"]
    names += ["container", "listed", "element"]
    for name in names:
        check(name)
    assert not any(": recording" in message for message in messages) or {first}
    functions.NUMBER = 5.0
    helpers.inner_helper = lambda x: x * 7.0
    helpers.with_default.__defaults__ = (9.0,)
    functions.made.__closure__[0].cell_contents = 11.0
    functions.abs = lambda x: x - 1.0
    functions.DTYPE[:] = 3.0  # no other recording is needed
    functions.own.__code__ = functions.number.__code__
    functions.PARAMETERS["a"] = 4.0
    functions.LISTED[0][1][0] = 3
    functions.TABLE.append(5.0)
    del functions.ZERO
    functions.ZERO = -0.0
    for name in names:
        check(name)
    found = [m.split()[0] for m in messages if ": recording" in m]
    again = [name for name in names if found.count(name) == 1 + {first}]
    inputs = {"container", "listed", "element", "closure"}  # whose recordings are on disk as well
    new = [name for name in names if name != "dtype" and ({first} or name not in inputs)]
    assert again == new, (found, again)
    print(*map(check, names), sep="\\t")
    print("1\\n2\\n3")
"""
)


def test_what_was_found_depends_on_the_same(run):
    """Guards are as those of a recording made here: what changes later is recorded, or read."""
    assert run(main=LIVE.replace("{first}", "True")) == run(main=LIVE.replace("{first}", "False"))


SHOWN = """
    import re
    import numpy as np
    import autograph as ag
    import functions
    from functions import X

    def fails(x, i):
        y = x * 2.0
        return y[i] + 1.0

    def raises(x):
        assert np.sum(x) < 1.0, "too much"
        return x

    f, g = ag.grad(functions.same), ag.to_graph(fails)
    f(X), g(X, 1)
    reports = [f.graph(X), f.program(X), f.kernels(X), f.explain(X), f.stages(X)["record"].after]
    shown = [re.sub(r"<autograph .*?>|[0-9.]+ m?s", "", str(report)) for report in reports]
    shown.append(functions.cases["same"][0].converted)
    of_list = ag.to_graph(functions.element)
    of_list(X, 0)
    for function, args in [(g, (X, 7)), (ag.to_graph(raises), (X,)), (of_list, (X, 5))]:
        try:
            function(*args)
        except Exception as error:
            notes = getattr(error, "__notes__", None) or str(error.__cause__)  # before 3.11
            shown.append(f"{type(error)} {error} {notes}")
            assert "main.py" in shown[-1] or "list index out of range" in shown[-1]
    print("shown", repr(shown), sep="\\t")
    print("1\\n2\\n3")
"""


def test_everything_can_be_shown(run):
    """The lines of the user in errors as well."""
    assert run(main=SHOWN) == run(main=SHOWN)


WARNS = (
    LISTENING
    + """
    import warnings
    import numpy as np
    import autograph as ag

    def widens(x):
        for i in range(3):
            x = x * np.float64(0.5)
        return x

    def decides(x):
        return 1.0 if x > 2.0 else 0.0

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("{filter}")
        for f, x in [(ag.to_graph(widens), np.ones(3, np.float32)), (ag.grad(decides), 1.0)]:
            try:
                f(x)
            except Exception as error:
                print("raised", type(error).__name__, sep="\\t")
    said = [f"{w.category.__name__}: {w.message!r} at {w.lineno}" for w in found]
    print("said", len(found), *said, sep="\\t")
    recorded = any(": recording" in message for message in messages)
    print("recorded", recorded, sep="\\t")
    print("1\\n2\\n3")
"""
)


def test_what_was_warned_of_is_said_again(run):
    main = WARNS.replace("{filter}", "always")
    first, second = run(main=main), run(main=main)
    assert first.pop("recorded") == ["True"] and second.pop("recorded") == ["False"]
    assert first == second and first["said"][0] == "2"
    errors = WARNS.replace("{filter}", "error")
    assert run(main=errors) == run(main=errors, AUTOGRAPH_CACHE_RECORDINGS="0")


FEW = MAIN.replace(
    "functions.cases.items()",
    '[(name, functions.cases[name]) for name in ("same", "layers", "prints")]',
)


def test_a_damaged_recording_is_none_and_all_can_be_turned_off(run, tmp_path):
    first = run(main=FEW)
    assert recorded(first) == {"same", "layers", "prints"}
    assert run(main=FEW, AUTOGRAPH_CACHE_RECORDINGS="0") == first
    folder = tmp_path / "cache"
    for name in os.listdir(folder):
        content = bytearray((folder / name).read_bytes())
        content[-1] ^= 1
        (folder / name).write_bytes(content)
    assert run(main=FEW) == first
