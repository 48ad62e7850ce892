"""Reading and writing at random subscripts in many lanes at once, by the batching rules."""

import numpy as np
import pytest

import ops
from autograph.graph.builder import Builder
from ops.core.operands import operand_type
from ops.core.registry import REGISTRY
from tests.ops.rules import check_rule

LANES = 3
KINDS = ("slice", "whole", "int", "arg", "scalar", "window", "mask")
WHOLE = ("slice", None, None, None)


class Draw:
    """A random shape, and a random subscript of it: ``spec``, and for each of its operands a
    function that draws what a lane has."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        self.shape = tuple(map(int, rng.integers(1, 5, rng.integers(1, 5))))
        block = tuple(map(int, rng.integers(1, 4, rng.integers(0, 3))))
        self.spec, self.operands = [], []
        masks = 0
        for n in self.shape:
            while rng.random() < 0.15:
                self.spec.append(("none",))
            kind = KINDS[rng.choice(7, p=[0.2, 0.15, 0.1, 0.25, 0.15, 0.1, 0.05])]
            masks += kind == "mask"
            if kind == "mask" and (masks > 1 or block):
                kind = "whole"
            self.spec.append(getattr(self, kind)(n, block))
        if WHOLE in self.spec and rng.random() < 0.5:
            self.spec[self.spec.index(WHOLE)] = ("ellipsis",)
        while (
            ("ellipsis",) not in self.spec
            and self.spec[-1] == WHOLE
            and rng.random() < 0.5
            and len(self.spec) > 1
        ):
            self.spec.pop()
        self.index = {"index": tuple(self.spec)}

    def slice(self, n, block):
        bounds = [(1, None, None), (None, -1, None), (None, None, -1), (0, 2, 2)]
        return ("slice", *bounds[self.rng.integers(4)])

    def whole(self, n, block):
        return WHOLE

    def int(self, n, block):
        return ("int", int(self.rng.integers(-n, n)))

    def scalar(self, n, block):
        return self.operand("arg", lambda: np.asarray(self.rng.integers(-n, n)))

    def arg(self, n, block):
        shape = block[self.rng.integers(0, len(block) + 1) :]
        shape = tuple(1 if self.rng.random() < 0.2 else k for k in shape)
        return self.operand("arg", lambda: np.asarray(self.rng.integers(-n, n, shape)))

    def window(self, n, block):
        length = int(self.rng.integers(0, n + 1))
        start = lambda: np.asarray(self.rng.integers(0, n - length + 1))
        return (*self.operand("window", start), length, n)

    def mask(self, n, block):
        return self.operand("mask", lambda: self.rng.random(n) < 0.6)

    def operand(self, kind, draw):
        self.operands.append(draw)
        return (kind, len(self.operands) - 1)

    def array(self, shape):
        return lambda: self.rng.normal(size=shape)

    def check(self, name, draws):
        """The operator by its rule, some of the operands with lanes."""
        fixed = [draw() for draw in draws]
        flags = tuple((self.rng.random(len(draws)) < 0.6).tolist())
        flags = flags if any(flags) else (True,) * len(draws)
        lanes = [[d() if f else x for d, f, x in zip(draws, flags, fixed)] for _ in range(LANES)]
        try:
            check_rule(REGISTRY[name], lanes, flags, self.index)
        except NotImplementedError as error:
            assert any(e[0] == "mask" for e in self.spec) and "differs between lanes" in str(error)


@pytest.mark.parametrize("seed", range(400))
def test_read_and_write(seed):
    draw = Draw(seed)
    draw.check("getitem", [draw.array(draw.shape), *draw.operands])
    part = np.shape(
        REGISTRY["getitem"].evaluate(
            np, [np.ones(draw.shape), *(d() for d in draw.operands)], draw.index
        )
    )
    if any(e[0] == "mask" for e in draw.spec):  # which may select any number
        part = ()
    value = part[draw.rng.integers(0, len(part) + 1) :]
    value = tuple(1 if draw.rng.random() < 0.2 else n for n in value)
    for name in ("index_update", "index_add"):
        if name == "index_add" and len(draw.shape) == 1:
            value = value and part  # NumPy's add.at reads past the end of values that broadcast
        draw.check(name, [draw.array(draw.shape), draw.array(value), *draw.operands])


def test_writing_with_leading_axes_that_the_part_lacks():
    rng = np.random.default_rng(0)
    for flags in ((True, True, True), (True, True, False), (False, True, False)):
        x, lanes = rng.normal(size=(3, 4)), []
        for i in range(LANES):
            row = rng.normal(size=(1, 1, 4))
            lanes.append([rng.normal(size=(3, 4)) if flags[0] else x, row, i if flags[2] else 1])
        check_rule(REGISTRY["index_update"], lanes, flags, {"index": (("arg", 0),)})


@pytest.mark.parametrize("start", [-1, 3])
def test_windows_out_of_range(start):
    index = {"index": (("window", 0, 2, 4),)}
    starts = np.array([0, start, 1])
    with pytest.raises(IndexError):
        REGISTRY["getitem"].batch(3, (False, True), (np.arange(4.0), starts), **index)


def test_lanes_at_one_place_each_are_known_to_be_at_different_places():
    """So they are added at once, not by the slower ``np.add.at``."""
    x, places = np.zeros((3, 4)), np.array([1, 1, 3])
    with Builder("lanes") as builder:
        inputs = [builder.input(operand_type(z)) for z in (x, np.ones(3), places)]
        result = ops.index_add.batch(3, (True, True, True), inputs, index=(("arg", 0),))
        node = builder.finish([result]).nodes[-1]
    texts = [str(i) for i, _ in enumerate(node.inputs)]
    code = node.op.expression(texts, [v.type for v in node.inputs], node.attrs)
    assert "increased" in code
    repeated = ops.index_add.batch(
        2, (True, False, True), [x[:2], 1.0, places[None] * [[1], [1]]], index=(("arg", 0),)
    )
    np.testing.assert_array_equal(repeated, [[0, 2, 0, 1]] * 2)
