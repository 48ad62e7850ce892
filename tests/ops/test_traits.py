"""What operators say of themselves holds, and what is said of operators by name is said of such."""

import ast
import contextlib
import functools
import importlib
import pathlib
import re

import numpy as np
import optree
import pytest

import autograph
import ops
from ops.core.registry import REGISTRY, Custom, Elementwise, Linear
from ops.core.types import type_of
from tests.ops import array_cases
from tests.ops.recorded import record, run
from tests.ops.samples import SAMPLES, drawn

OWN = [op for op in REGISTRY.values() if op.rule.__module__.startswith("ops.")]


def test_operators_say_in_what_they_are_linear_and_what_becomes_of_zeros():
    for op in OWN:
        if isinstance(op, Linear) or (isinstance(op, Custom) and op.vjp is not None):
            assert op.zeros in ("kept", "moved", "lost", "chosen"), op
        if isinstance(op, Custom) and (op.vjp is not None or op.jvp is not None):
            assert op.linear is not None, op


def test_an_operator_that_says_nothing_is_linear_in_nothing():
    assert not Custom.is_linear(REGISTRY["argsort"], [0])
    with pytest.raises(TypeError, match="zeros"):
        Linear("silent", lambda x: (x,), "{0}", transposes=[lambda ct, x: ct])


# -- what they say, held to what they compute ------------------------------------------------------


@functools.cache
def nodes():
    """(operator, operands, attributes, result) of all nodes that the cases are made of, of the
    samples, and of elementwise operators."""
    rng = np.random.default_rng(0)
    found = [*elementwise(), *sampled(rng)]
    for case in array_cases.CASES:
        args = [rng.normal(size=s) if isinstance(s, tuple) else s for s in case.shapes]
        visit = lambda node, operands, out: found.append((node.op, operands, node.attrs, out))
        run(record(case.ours, args), args, visit)
    return [entry for entry in found if entry[1]]


def sampled(rng):
    for name, operands, attrs in SAMPLES:
        args = drawn(operands, rng)
        yield REGISTRY[name], args, attrs, REGISTRY[name].evaluate(np, args, attrs)


def elementwise():
    """Each on floats, booleans or integers, whichever it takes first."""
    numbers = [np.array([0.25, 0.75, 0.5]), np.array([True, False, True]), np.array([1, 2, 3])]
    for op in OWN:
        if isinstance(op, Elementwise):
            count = len(op.partials)
            for x in numbers:
                with contextlib.suppress(TypeError):
                    args = [np.roll(x, i) for i in range(count)]
                    yield op, args, {}, op.evaluate(np, args, {})
                    break


def is_float(x):
    return isinstance(x, (np.ndarray, np.floating, float)) and np.asarray(x).dtype.kind == "f"


@pytest.mark.filterwarnings("ignore")
def test_what_is_said_to_be_linear_is():
    seen = set()
    for op, operands, attrs, out in nodes():
        floats = [i for i, x in enumerate(operands) if is_float(x)]
        for i in floats:
            if is_float(out) and op.is_linear([i]) and np.all(np.isfinite(operands[i])):
                moved = list(operands)
                x, y = operands[i], np.cos(1.0 + np.asarray(operands[i]))
                at = lambda z, i=i, moved=moved, op=op, attrs=attrs: np.asarray(
                    op.evaluate(np, [*moved[:i], z, *moved[i + 1 :]], attrs)
                )
                offset = at(0.0 * np.asarray(x))
                left = at(2.0 * np.asarray(x) + y) - offset
                right = 2.0 * (at(np.asarray(x)) - offset) + (at(y) - offset)
                single = any(np.asarray(z).dtype == np.float32 for z in (out, *operands))
                close = 1e-6 if single else 1e-9
                close = 2.0**-6 if op is ops.round_to else close  # it is, but for the rounding
                np.testing.assert_allclose(left, right, rtol=close, atol=close, err_msg=op.name)
                seen.add(op.name)
    assert len(seen) > 20, seen


def pulled(op, ct, operands, attrs, out):
    """The cotangents of the operands."""
    if not isinstance(op, Linear):
        return op.vjp([ct], operands, [out], **attrs)
    if callable(op.transposes):
        return op.transposes(ct, *operands, **attrs)
    return [t and t(ct, *operands, **attrs) for t in op.transposes]


@pytest.mark.filterwarnings("ignore")
def test_zeros_stay_where_they_are_said_to():
    rng, seen = np.random.default_rng(1), set()
    for op, operands, attrs, out in nodes():
        says = getattr(op, "zeros", None)
        if says not in ("kept", "moved") or not is_float(out) or isinstance(op, Elementwise):
            continue
        ct = rng.normal(size=np.shape(out))
        mask = rng.random(np.shape(out)) < 0.5
        cotangents = pulled(op, np.where(mask, ct, 0.0), operands, attrs, out)
        moves = getattr(op, "moves", None)
        if moves is not None:
            masks = moves(mask.astype(float), *operands, **attrs)
        else:
            masks = pulled(op, mask.astype(float), operands, attrs, out)
        for x, found, numbers in zip(operands, cotangents, masks):
            if found is None or not is_float(x):
                continue
            may_be = mask if says == "kept" else np.asarray(numbers) != 0
            assert np.all((np.asarray(found) == 0) | may_be), op.name
            assert says == "kept" or np.all(np.asarray(numbers) >= 0), op.name
            seen.add(op.name)
    assert len(seen) > 20, seen


def is_array(x):
    return isinstance(x, np.ndarray) and x.size > 0


def test_results_that_share_memory_with_an_operand_are_declared_to():
    shared = set()
    for op, operands, _, out in nodes():
        for position, x in enumerate(operands):
            if is_array(out) and is_array(x) and np.shares_memory(out, x):
                assert op.view and position == 0, op.name
                shared.add(op.name)
    assert shared >= {"broadcast_to", "diagonal", "getitem", "reshape", "transpose"}, shared


def test_what_is_written_to_a_writable_view_is_written_to_the_operand():
    seen = set()
    for op, operands, attrs, out in nodes():
        if op.writable and is_float(out) and is_array(out) and is_array(operands[0]):
            x = operands[0].copy()
            view = op.evaluate(np, [x, *operands[1:]], attrs)
            if np.shares_memory(view, x):
                before = x.copy()
                view[...] = np.arange(view.size).reshape(view.shape) + 1e6
                assert np.count_nonzero(x != before) == view.size, op.name
                seen.add(op.name)
    assert seen >= {"getitem", "reshape", "transpose"}, seen


def test_shapes_that_are_said_to_be_kept_are():
    kept = [op for op, operands, _, out in nodes() if op.keeps_shape and np.shape(out)]
    assert len({op.name for op in kept}) > 5, kept
    for op, operands, _, out in nodes():
        assert not op.keeps_shape or np.shape(out) == np.shape(operands[0]), op.name


@pytest.mark.filterwarnings("ignore")
def test_operators_that_are_aligned_read_what_stands_at_the_same_place():
    rng, seen = np.random.default_rng(2), set()
    for op, operands, attrs, out in nodes():
        if not op.aligned or not is_array(out):
            continue
        for i, x in enumerate(operands):
            if is_array(x) and is_float(x):
                changed = np.zeros(x.shape, bool)
                changed.flat[rng.integers(x.size)] = True
                moved = [*operands[:i], np.where(changed, x + 0.125, x), *operands[i + 1 :]]
                found = op.evaluate(np, moved, attrs)
                elsewhere = ~np.broadcast_to(changed, np.shape(out))
                np.testing.assert_array_equal(found[elsewhere], out[elsewhere], op.name)
                seen.add(op.name)
    assert len(seen) > 20, seen


# -- tables that are keyed by the names of operators -----------------------------------------------


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_what_is_exact_in_low_precision_needs_no_rounding(dtype):
    seen = set()
    for op, operands, attrs, out in nodes():
        if op.precision != "exact" or not is_float(out):
            continue
        rounded = [ops.round_to(x, dtype) if is_float(x) else x for x in operands]
        found = np.asarray(op.evaluate(np, rounded, attrs))
        assert np.array_equal(ops.round_to(found, dtype), found, equal_nan=True), op
        seen.add(op.name)
    unseen = {op.name for op in OWN if op.precision == "exact"} - seen
    assert not unseen, unseen


def is_name_of_an_operator(node):
    """Whether an expression is the ``name`` of something called ``op``."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "name"
        and ast.unparse(node.value).split(".")[-1] == "op"
    )


def tables_of(tree):
    """The expressions that names of operators are looked up in, or compared with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and is_name_of_an_operator(node.left):
            yield node.comparators[0]
        elif isinstance(node, ast.Subscript) and is_name_of_an_operator(node.slice):
            yield node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "get" and node.args and is_name_of_an_operator(node.args[0]):
                yield node.func.value
        elif isinstance(node, ast.Match) and is_name_of_an_operator(node.subject):
            for case in node.cases:
                for part in ast.walk(case.pattern):
                    if isinstance(part, ast.MatchValue):
                        yield part.value


def names_in(table):
    if isinstance(table, str):
        return [table]
    return [name for name in table if isinstance(name, str)]


FILES = sorted(pathlib.Path(autograph.__file__).parent.rglob("*.py"))


def test_names_in_tables_are_those_of_operators():
    found = {}
    for path in FILES:
        text = path.read_text()
        if "op.name" not in text:
            continue
        parts = path.relative_to(FILES[0].parent.parent).with_suffix("").parts
        module = None
        for table in tables_of(ast.parse(text)):
            source = ast.unparse(table)
            if isinstance(table, ast.Name):
                module = module or importlib.import_module(".".join(parts))
                value = getattr(module, source, ())  # what is no table of the module is a variable
            else:
                try:
                    value = ast.literal_eval(table)
                except ValueError:
                    continue
            found[f"{'.'.join(parts)}: {source}"] = names_in(value)
    wrong = {place: [n for n in names if n not in REGISTRY] for place, names in found.items()}
    assert not {place: names for place, names in wrong.items() if names}
    assert found  # such places are seen


# The tables of names that may be there, and why: what is said of operators stands in their
# declarations, and the rules that a transform has for some are found by the operators themselves.
MAY_NAME = {
    "the scalar language, whose functions have names like those of operators": [
        *(
            "_PREDICATES",
            "_ODD",
            "_EVEN",
            "_WHOLE",
            "_WRAPPING",
            "_INTRINSICS",
            "_PARTS",
            "DEFINITIONS",
        ),
        "_FLOAT_FUNCTIONS",
    ],
    "names of the package, which are imported when they are asked for": ["_LATER"],
    "Python's and NumPy's functions": [
        *(
            "CONSUMERS",
            "_REDUCERS",
            "_METHODS",
            "_SAME_NAME",
            "_OTHER_NAME",
            "FUNCTIONS",
            "REASONS",
        ),
    ],
}


def strings_in(literal):
    """The strings that are the keys of a dict, or elements."""
    parts = literal.keys if isinstance(literal, ast.Dict) else getattr(literal, "elts", ())
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    return [value for value in values if isinstance(value, str)]


def tables_of_names(tree):
    """The names of the tables of a module that hold names of operators for the most part."""
    for statement in tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            target = getattr(statement, "target", None) or statement.targets[0]
            if not isinstance(target, ast.Name):
                continue
            for literal in ast.walk(statement.value):
                strings = strings_in(literal)
                known = [name for name in strings if name in REGISTRY]
                if len(known) > 1 and 2 * len(known) > len(strings):
                    yield target.id


def names_some(text):
    """Whether there are strings in a text that may be names of operators, more than one."""
    return sum(name in REGISTRY for name in re.findall(r"""["'](\w+)["']""", text)) > 1


def test_nothing_is_said_of_operators_in_tables_of_their_names():
    allowed = {name for names in MAY_NAME.values() for name in names} | {"__all__"}
    folders = [FILES[0].parent.parent / name for name in ("autograph", "ops")]
    found = {
        (name, str(path))
        for folder in folders
        for path in folder.rglob("*.py")
        if names_some(text := path.read_text())
        for name in tables_of_names(ast.parse(text))
    }
    assert not {entry for entry in found if entry[0] not in allowed}
    assert {name for name, _ in found} >= {"DEFINITIONS", "__all__"}  # such tables are seen
    names = [*tables_of_names(ast.parse("_VIEWS = {'reshape', 'getitem'}"))]
    assert names == ["_VIEWS"]


# -- what may happen besides -----------------------------------------------------------------------


def same(x, y):
    return np.array_equal(x, y, equal_nan=np.asarray(x).dtype.kind in "fc")


@pytest.mark.filterwarnings("ignore")
def test_operators_without_effect_leave_their_operands_as_they_are():
    for op, operands, attrs, out in nodes():
        before = [x.copy() if isinstance(x, np.ndarray) else x for x in operands]
        again = op.evaluate(np, operands, attrs)
        assert op.effect is not None or all(map(same, before, operands)), op.name
        assert op.effect is not None or isinstance(out, tuple) or same(again, out), op.name


def test_attributes_that_may_be_any_text_are_declared():
    """Others are words, as they have to be for files to hold them."""
    found = set()
    for op, _, attrs, _ in nodes():
        for key, value in attrs.items():
            texts = [x for x in optree.tree_leaves(value) if isinstance(x, str)]
            found.update((op.name, key, x) for x in texts if key not in op.texts)
    assert found
    assert all(text.replace("_", "").isalnum() or not text for _, _, text in found), found


def others_than(x):
    """Operands of the same type: zeros, negative, too large, infinite, NaN."""
    dtype = np.asarray(x).dtype
    numbers = {"b": [False, True], "f": [0, -1.5, np.inf, np.nan], "c": [0, np.nan]}.get(dtype.kind)
    if dtype.kind in "iu":
        numbers = [0, np.iinfo(dtype).min, np.iinfo(dtype).max]
    for number in numbers:
        yield np.full_like(x, number) if isinstance(x, np.ndarray) else type(x)(number)


def may_be_given_any_numbers(op, attrs):
    """Not if they are lengths. For the largest integer NumPy's ``bincount`` writes where it must
    not, and its ``choose`` gets from the smallest to a place step by step."""
    lengths = op.name == "repeat" or None in attrs.get("shape", ())
    return not (lengths or op.name == "bincount" or attrs.get("mode") == "wrap")


@pytest.mark.filterwarnings("ignore")
def test_operators_that_may_raise_say_so():
    seen = set()
    for op, operands, attrs, _ in nodes():
        if not may_be_given_any_numbers(op, attrs):
            continue
        for i, x in enumerate(operands):
            for other in others_than(x):
                args = [*operands[:i], other, *operands[i + 1 :]]
                try:
                    op.evaluate(np, args, attrs)
                except Exception as error:
                    types = [type_of(arg) for arg in args]
                    assert op.may_raise(types, attrs), (op.name, error)
                    assert isinstance(error, op.errors_of(types, attrs)), (op.name, error)
                    seen.add(op.name)
    assert len(seen) > 3, seen
