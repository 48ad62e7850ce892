"""The rules by which operators are applied to many lanes at once.

Every rule is called on arrays, without the transform: its results are those of the operator in each
lane, stacked, for every choice of operands that have lanes; also for no lanes at all.
"""

import numpy as np
import pytest

import ops
from autograph.graph.builder import Builder
from ops.core.batching import Same
from ops.core.lengths import RunLength
from ops.core.operands import operand_type
from ops.core.registry import REGISTRY, Elementwise
from ops.core.subscripts import Bound
from tests.ops import array_cases
from tests.ops.recorded import record, run
from tests.ops.rules import check_rule, combinations, stacked
from tests.ops.samples import SAMPLES, drawn, name_of

LANES = 3


# -- the operators that the uses of NumPy's functions are made of ----------------------------------


def nodes_of(case):
    """(operator, operands, attributes) of each node that a case records."""
    rng = np.random.default_rng(0)
    args = [rng.normal(size=s) if isinstance(s, tuple) else s for s in case.shapes]
    found = []
    run(record(case.ours, args), args, lambda node, operands, _: found.append((node, operands)))
    return [(node.op, operands, node.attrs) for node, operands in found]


def varied(x, lane):
    """What a lane has in the place of an operand: of its type, and as admissible."""
    x = np.asarray(x)
    if x.dtype.kind in "biu":
        return np.roll(x, lane).reshape(x.shape)
    return (x + lane * 0.25 * np.cos(np.arange(x.size).reshape(x.shape))).astype(x.dtype)


@pytest.mark.parametrize("case", array_cases.CASES, ids=lambda case: case.name)
def test_lanes_of_nodes(case):
    for op, operands, attrs in nodes_of(case):
        if isinstance(op, Elementwise):
            continue
        for flags in combinations(len(operands)):
            lanes = [
                [varied(x, lane) if flag else x for x, flag in zip(operands, flags)]
                for lane in range(LANES)
            ]
            if op.name != "repeat" or not flags[1]:
                check_rule(op, lanes, flags, attrs)


# -- each operator ---------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_lanes(sample):
    name, operands, attrs = sample
    rng = np.random.default_rng(1)
    fixed = drawn(operands, rng)
    for flags in combinations(len(operands)):
        if any(flag and not callable(x) for flag, x in zip(flags, operands)):
            continue
        lanes = [
            [x(rng) if flag else known for x, known, flag in zip(operands, fixed, flags)]
            for _ in range(LANES)
        ]
        check_rule(REGISTRY[name], lanes, flags, attrs)


def with_unknown_lanes(op, args, flags, attrs):
    """The graph of the rule for operands of which only the run knows how many lanes they have."""
    with Builder("lanes") as builder:
        inputs = []
        for x, flag in zip(args, flags):
            type = operand_type(x)
            type = type._replace(shape=(None, *type.shape[1:])) if flag else type
            inputs.append(builder.input(type))
        size = RunLength(ops.length(inputs[flags.index(True)]))
        results = op.batch(size, flags, inputs, **attrs)
        results = results if isinstance(results, tuple) else (results,)
        return builder.finish([r.value if isinstance(r, Same) else r for r in results])


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_an_unknown_number_of_lanes(sample):
    name, operands, attrs = sample
    op, rng = REGISTRY[name], np.random.default_rng(2)
    varying = [i for i, x in enumerate(operands) if callable(x)]
    for some in {(i,) for i in varying} | {tuple(varying)}:
        flags = tuple(i in some for i in range(len(operands)))
        lanes = [drawn(operands, rng) for _ in range(LANES)]
        args = stacked(lanes, flags)
        known = op.batch(LANES, flags, args, **attrs)
        graph = with_unknown_lanes(op, args, flags, attrs)
        results = run(graph, args)
        for wanted, found in zip(known if isinstance(known, tuple) else [known], results):
            wanted = wanted.value if isinstance(wanted, Same) else wanted
            np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10)


REFUSED = [
    ("positions", [4], {}),
    ("reshape", [np.ones(4), 4], {"shape": (None,)}),
    ("broadcast_to", [1.0, 4], {"shape": (None,)}),
    ("unbroadcast", [np.ones(4), 4], {"shape": (None,)}),
    ("full", [1.0, 4], {"shape": (None,), "dtype": "float64"}),
    ("repeat", [np.ones(4), 2], {"axis": 0, "total": None}),
    ("bincount", [np.arange(4)], {"minlength": 0, "length": None}),
    ("nonzero_along", [np.ones(4)], {"axis": 0}),
    ("getitem", [np.ones(4), 2], {"index": (("slice", Bound(0), None, None),)}),
    ("getitem", [np.ones(4), np.ones(4, bool)], {"index": (("mask", 0),)}),
    ("index_update", [np.ones(4), np.ones(4), np.ones(4, bool)], {"index": (("mask", 0),)}),
    (
        "index_update",
        [np.ones((4, 4)), 1.0, np.ones(4, bool), 1],
        {"index": (("mask", 0), ("arg", 1))},
    ),
]


@pytest.mark.parametrize("sample", REFUSED, ids=lambda sample: sample[0])
def test_lengths_that_differ(sample):
    name, operands, attrs = sample
    flags = (True,) * len(operands)
    args = [np.stack([x, x]) for x in operands]
    with pytest.raises(NotImplementedError, match="differs between lanes"):
        REGISTRY[name].batch(2, flags, args, **attrs)


# Operators of one lane after the other: generators of NumPy, and functions that stay Python.
ONE_BY_ONE = {"seeded", "draw_next", "pure_callback"}
NO_OPERANDS = {"no_rows", "extent", "counting"}


def test_every_operator_has_a_rule_and_a_sample_of_it():
    own = (
        "ops.control.regions",
        "ops.control.collectives",
        "ops.control.meetings",
    )  # of which the transform itself knows what to do, or that come when all are done
    named = {name for name, *_ in (*SAMPLES, *REFUSED)}
    declared = [op for op in REGISTRY.values() if op.rule.__module__.startswith("ops.")]
    assert len(declared) > 200  # those of other tests are none of them
    for op in declared:
        if isinstance(op, Elementwise) or op.effect or op.rule.__module__ in own:
            assert op.name not in named
        elif op.batch is None:
            assert op.name in ONE_BY_ONE | NO_OPERANDS, f"{op} needs a rule for many lanes: batch="
        else:
            assert op.name in named, f"{op} needs a sample of its rule for many lanes"
