"""Quick calls with the caller's objects, which machine code gathers and writes to."""

import contextlib
import copy
import dataclasses
import gc
import random
import re
import sys
import threading
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.api.recording import object_forms
from autograph.errors import AutographError
from autograph.kernels.native import gathering
from tests.kernels.native.test_object_calls import looked_up
from tests.support.tree import ROOT


@pytest.fixture(autouse=True)
def heaps_from_the_first_call_on(monkeypatch):
    monkeypatch.setattr(object_forms, "_MANY", object_forms._FEW)
    monkeypatch.setattr(object_forms, "_SHAPES", 1)


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next
        self.total = 0.0


class Special(Node):
    pass


class Metres(float):
    pass


class Tree:
    __slots__ = ("count", "key", "left", "right")

    def __init__(self, key, left, right):
        self.key, self.left, self.right = key, left, right
        self.count = 0


@dataclasses.dataclass
class Particle:
    x: float
    v: float
    alive: bool = True
    tag: Any = None


class Place:
    def __init__(self, level):
        self.level = level
        self.edges = []
        self.near = []
        self.weights = [1.0, level]
        self.pair = 1, 0.5
        self.name = "low"
        self.best = None
        self.size = np.float32(level)


class Settings:
    def __init__(self):
        self.gain = 2.0
        self.calls = 0


def chain(*values):
    head = None
    for value in reversed(values):
        head = Node(value, head)
    return head


def nodes_of(head):
    while head is not None:
        yield head
        head = head.next


def walked(node):
    total = 0.0
    while node is not None:
        total = total * 0.5 + node.value
        node = node.next
    return total


def written(node, scale=1.0):
    total = 0.0
    while node is not None:
        total = total * 0.5 + node.value * scale
        node.total = total
        node = node.next
    return total


def reversed_chain(node):
    before = None
    while node is not None:
        after = node.next
        node.next = before
        before, node = node, after
    return before


def found(node, value):
    while node is not None and node.value < value:
        node = node.next
    return node


def searched(tree, key):
    while tree is not None:
        tree.count += 1
        if key == tree.key:
            return tree
        tree = tree.left if key < tree.key else tree.right
    return None


def moved(particles, dt):
    for one in particles:
        if one.alive:
            one.x += one.v * dt
            if one.x > 2.0:
                one.alive = False
                one.tag = one.x
    return len(particles)


def foremost(particles, table):
    best = particles[0]
    for one in particles:
        if one.x > best.x:
            best = one
    table["best"] = best
    return best, [one for one in particles if one.alive]


def spread(places, far):
    total = 0.0
    for one in places:
        for other, weight in one.edges:
            if weight < far:
                total += other.level * weight
                one.best = other
        for other in one.near:
            total += other.level
        for weight in one.weights:
            total += weight
        total += one.pair[1] + float(one.size)
        one.pair = one.pair[0] + 1, total
        one.name = "high" if total > 3.0 else "low"
    return total


def with_settings(node, settings, numbers, table):
    total = 0.0
    while node is not None:
        total = total + node.value * settings.gain * len(numbers)
        node = node.next
    for x in numbers:
        total += x
    settings.calls += 1
    numbers.append(total)
    table["total"] = total
    return total, settings


def some_chain(draw):
    return chain(*(draw.random() for _ in range(draw.randrange(1, 9))))


def some_tree(draw):
    def make(low, high, depth):
        if not depth or low >= high or (depth < 5 and draw.random() < 0.15):
            return None
        key = (low + high) // 2
        return Tree(key, make(low, key, depth - 1), make(key + 1, high, depth - 1))

    return make(0, 64, 5), draw.randrange(64)


def some_particles(draw):
    number = lambda: draw.random() * 3
    tag = lambda: None if draw.random() < 0.5 else number()
    made = [
        Particle(number(), number(), draw.random() < 0.7, tag())
        for _ in range(draw.randrange(1, 9))
    ]
    return made + made[: draw.random() < 0.3]


def some_places(draw):
    made = [Place(draw.random()) for _ in range(draw.randrange(2, 7))]
    for one in made:
        one.edges = [(draw.choice(made), draw.random()) for _ in range(draw.randrange(4))]
        one.near = [draw.choice(made) for _ in range(draw.randrange(3))]
        one.weights = [draw.random() for _ in range(draw.randrange(4))]
        one.best = draw.choice(made)
    if draw.random() < 0.2:
        made[0].weights = made[1].weights
    if draw.random() < 0.2:
        made[0].near = made[1].near
    return made


PROGRAMS = {
    walked: lambda draw: (some_chain(draw),),
    written: lambda draw: (some_chain(draw), draw.random()),
    reversed_chain: lambda draw: (some_chain(draw),),
    found: lambda draw: (some_chain(draw), draw.random()),
    searched: some_tree,
    moved: lambda draw: (some_particles(draw), draw.random()),
    foremost: lambda draw: (some_particles(draw), {"best": None}),
    spread: lambda draw: (some_places(draw), draw.random()),
    with_settings: lambda draw: (
        some_chain(draw),
        Settings(),
        [draw.random() for _ in range(draw.randrange(20, 30))],
        {"total": 0.0},
    ),
}


def described(value):
    """What a value consists of, and which objects and lists are the same."""
    known = {}

    def of(value):
        names = getattr(type(value), "__slots__", ())
        if not (isinstance(value, (list, dict)) or names or hasattr(value, "__dict__")):
            if isinstance(value, tuple):
                return tuple(map(of, value))
            return type(value), repr(value)
        if id(value) in known:
            return "known", known[id(value)]
        known[id(value)] = len(known)
        if isinstance(value, list):
            return list(map(of, value))
        held = value if isinstance(value, dict) else dict(getattr(value, "__dict__", {}))
        slots = {name: getattr(value, name) for name in names}
        return type(value), [(name, of(one)) for name, one in {**slots, **held}.items()]

    return of(value)


def ending(function, args):
    args = copy.deepcopy(args)
    try:
        result = function(*args)
    except (IndexError, ZeroDivisionError, AttributeError) as error:
        if isinstance(error, AutographError):
            raise
        result = type(error), str(error)
    return described((args, result))


def agree(compiled, function, *calls):
    for args in calls:
        assert ending(compiled, args) == ending(function, args)


def warm(function, *args):
    """A compiled function after a call, which quick calls follow."""
    compiled = ag.to_graph(function)
    for _ in range(60):
        compiled(*copy.deepcopy(args))
    return compiled


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_objects_of_the_caller(function):
    draw = random.Random(0)
    calls = [PROGRAMS[function](draw) for _ in range(30)]
    compiled = ag.to_graph(function)
    for _ in range(2):
        agree(compiled, function, *calls)
    assert looked_up(compiled, *map(copy.deepcopy, (calls[-1], calls[-1]))) == 0


def test_calls_with_other_numbers_of_objects_need_no_look_up():
    compiled = warm(walked, chain(1.0, 2.0))
    calls = [(chain(*map(float, range(count))),) for count in (1, 2, 5, 100, 3, 10_000, 4)]
    assert looked_up(compiled, *calls) == 0
    for args in calls:
        assert compiled(*args) == walked(*args)


def test_a_call_by_keyword():
    def scaled(node, *, gain=1.0):
        return walked(node) * gain

    compiled = ag.to_graph(scaled)
    for _ in range(60):
        compiled(chain(1.0, 2.0), gain=0.5)
    assert compiled(chain(3.0), gain=0.25) == 0.75
    with_gain = lambda node: compiled(node, gain=0.5)
    assert with_gain(chain(1.0, 2.0)) == scaled(chain(1.0, 2.0), gain=0.5)


class Holder:
    def __init__(self, *values):
        self.head = chain(*values)
        self.gain, self.calls = 0.5, 0

    def total(self):
        total, node = 0.0, self.head
        while node is not None:
            total = total * self.gain + node.value
            node.total = total
            node = node.next
        self.calls += 1
        return total


HOLDER = Holder(1.0, 2.0, 3.0)


def test_attributes_of_self_and_of_globals():
    def of_global():
        return HOLDER.total()

    of_self = warm(Holder.total, Holder(1.0, 2.0))
    compiled = ag.to_graph(of_global)
    try:
        for values in ((1.0,), (2.0, 3.0), (4.0, 5.0, 6.0), (7.0, 8.0), range(40)):
            HOLDER.head = chain(*map(float, values))
            expected = ending(lambda: (of_global(), HOLDER), ())
            HOLDER.calls -= 1
            assert ending(lambda: (compiled(), HOLDER), ()) == expected
            agree(of_self, Holder.total, (Holder(*map(float, values)),))
    finally:
        HOLDER.__init__(1.0, 2.0, 3.0)
    assert looked_up(of_self, (Holder(1.0, 2.0, 4.0),)) == 0


def bent(change):
    nodes = list(nodes_of(chain(1.0, 2.0, 3.0)))
    change(nodes)
    return nodes[0]


OTHERS = {
    "another type": lambda nodes: setattr(nodes[1], "value", 2),
    "an int of many bits": lambda nodes: setattr(nodes[1], "value", 2**70),
    "a bool": lambda nodes: setattr(nodes[2], "value", True),
    "a NumPy number": lambda nodes: setattr(nodes[1], "value", np.float64(2.5)),
    "one more attribute": lambda nodes: setattr(nodes[1], "more", 1.0),
    "one attribute less": lambda nodes: delattr(nodes[2], "total"),
    "another order": lambda nodes: nodes[1].__dict__.update(value=nodes[1].__dict__.pop("value")),
    "another class": lambda nodes: setattr(nodes[1], "next", Special(5.0)),
    "another class first": lambda nodes: setattr(nodes[0], "__class__", Special),
    "none of the values": lambda nodes: setattr(nodes[1], "total", None),
    "a text": lambda nodes: setattr(nodes[1], "total", "much"),
    "a float of another class": lambda nodes: setattr(
        nodes[1], "total", type("F", (float,), {})(2)
    ),
}


@pytest.mark.parametrize("change", OTHERS)
@pytest.mark.parametrize("function", [walked, written])
def test_what_is_not_as_it_was_is_looked_up(function, change):
    compiled = warm(function, chain(1.0, 2.0, 3.0))
    for _ in range(2):
        for node in (chain(1.0, 2.0), bent(OTHERS[change]), chain(0.5)):
            with contextlib.suppress(AutographError):
                agree(compiled, function, (node,))
            assert ending(function, (chain(4.0, 5.0),)) == ending(compiled, (chain(4.0, 5.0),))


def test_the_same_object_twice_and_cycles():
    def both(a, b, n):
        total = 0.0
        for _ in range(n):
            total = total * 0.5 + a.value
            a.total += 1.0
            a = a.next
        return total, a is b

    def ring(*values):
        nodes = list(nodes_of(chain(*values)))
        nodes[-1].next = nodes[0]
        return nodes

    nodes = ring(1.0, 2.0, 3.0)
    compiled = warm(both, nodes[0], nodes[1], 4)
    for nodes, n in ((ring(1.0, 2.0, 3.0), 3), (ring(5.0), 2), (ring(1.0, 2.0), 7)):
        agree(compiled, both, (nodes[0], nodes[-1], n), (nodes[0], nodes[0], n))


def test_lists_that_are_the_same():
    draw = random.Random(1)
    compiled = warm(spread, some_places(draw), 0.5)
    for names in (("weights", "weights"), ("near", "near"), ("edges", "edges"), ("near", "edges")):
        places = some_places(draw)
        setattr(places[0], names[0], getattr(places[1], names[1]))
        with contextlib.suppress(AutographError):
            agree(compiled, spread, (places, 0.5))
        agree(compiled, spread, (some_places(draw), 0.25))


def test_a_list_that_is_an_argument_and_an_attribute():
    def counted(places, one, others):
        for place in places:
            place.level += len(place.near)
            for x in place.weights:
                place.level += x
        for other in others:
            other.level += 1.0
        return one[0] + places[0].weights[0], others is places[0].near

    draw = random.Random(2)
    calls = []
    for number in range(6):
        places = some_places(draw)
        for one in places:
            one.near, one.weights = [places[0]], [1.0, 2.0]
        own = [[1.0, 2.0], [1.0] * 20, places[0].weights][number % 3]
        calls.append((places, own, [places[1]]))
        calls.append((places, own, places[0].near))
    compiled = ag.to_graph(counted)
    for args in calls * 3:
        with contextlib.suppress(AutographError):
            agree(compiled, counted, args)


def test_an_exception_leaves_objects_as_python_does():
    def divided(node, table):
        total = 0.0
        while node is not None:
            node.total = table[int(node.value)]
            total += node.total
            node = node.next
        return total

    table = np.array([1.0, 2.0, 4.0])
    compiled = warm(divided, chain(0.0, 1.0), table)
    agree(compiled, divided, (chain(0.0, 2.0), table), (chain(0.0, 7.0, 1.0), table))


def test_a_class_that_is_changed():
    class Body:
        def __init__(self, x, next=None):
            self.x, self.next = x, next

        def scaled(self):
            return self.x * 2.0

    def total(body):
        found = 0.0
        while body is not None:
            found += body.scaled()
            body = body.next
        return found

    given = Body(1.0, Body(2.0, Body(3.0)))
    compiled = warm(total, given)
    assert compiled(given) == 12.0
    Body.scaled = lambda self: self.x
    assert compiled(given) == 6.0
    Body.x = property(lambda self: 5.0, lambda self, value: None)
    assert compiled(given) == total(given) == 15.0


def test_references():
    nodes = list(nodes_of(chain(*(0.5 * k for k in range(50)))))
    last = nodes[-1].next
    for function, args in (
        (walked, (nodes[0],)),
        (written, (nodes[0],)),
        (found, (nodes[0], 3.0)),
    ):
        compiled = warm(function, *args)
        counted = lambda: [
            *map(sys.getrefcount, nodes),
            *(sys.getrefcount(vars(node)) for node in nodes),
            *map(sys.getrefcount, (None, Node, last)),
        ]
        compiled(*args)
        gc.collect()
        before, objects = counted(), len(gc.get_objects())
        for _ in range(300):
            compiled(*args)
        gc.collect()
        after = counted()
        assert after[:-3] == before[:-3]
        assert all(abs(a - b) < 100 for a, b in zip(after[-3:], before[-3:]))
        assert len(gc.get_objects()) - objects < 100


def test_references_where_objects_are_not_as_planned():
    compiled = warm(walked, chain(1.0, 2.0, 3.0))
    node = bent(lambda nodes: setattr(nodes[2], "value", Settings()))
    nodes = list(nodes_of(node))
    refused = lambda: pytest.raises((AutographError, TypeError))
    for _ in range(3):
        with refused():
            compiled(node)
    gc.collect()
    before = [sys.getrefcount(one) for one in (*nodes, *map(vars, nodes))]
    for _ in range(20):
        with refused():
            compiled(node)
    gc.collect()
    assert [sys.getrefcount(one) for one in (*nodes, *map(vars, nodes))] == before


def test_threads_that_call_at_once():
    compiled = warm(written, chain(1.0, 2.0), 0.5)
    wrong = []

    def run(seed):
        draw = random.Random(seed)
        for _ in range(100):
            node = chain(*(draw.random() for _ in range(draw.randrange(1, 60))))
            other = copy.deepcopy(node)
            if compiled(node, 0.5) != written(other, 0.5) or described(node) != described(other):
                wrong.append(seed)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_zeros_that_have_signs_and_nan():
    def negated(node):
        while node is not None:
            node.value = -node.value
            node = node.next

    compiled = warm(negated, chain(1.0, 2.0))
    agree(compiled, negated, (chain(0.0, -0.0, float("inf")),))
    node = chain(float("nan"), 1.0)
    compiled(node)
    assert node.value != node.value and node.next.value == -1.0


def test_numbers_of_several_types():
    def doubled(node):
        while node is not None:
            node.value = node.value * 2
            node = node.next

    compiled = ag.to_graph(doubled)
    calls = [(chain(1.0, 2, 2**53 + 1),), (chain(1, 2),), (chain(1.5),), (chain(7, 0.5, 2**60),)]
    for _ in range(20):
        agree(compiled, doubled, *calls)
    assert looked_up(compiled, (chain(1.0, 2),), (chain(3, 4, 5),)) == 0


def test_words_of_plans_are_those_of_the_machine_code():
    """Python writes what C reads: the numbers of the enums of ``gather.h``."""
    text = (ROOT / "autograph" / "kernels" / "native" / "c" / "gather.h").read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found = re.findall(r"enum \{([A-Z_,\s]+)\};", text)
    names = [re.findall(r"\w+", each) for each in found]
    assert [each[0] for each in names] == ["UNREAD", "AS_IT_IS", "OF_COLUMN"]
    for each in names:
        assert [getattr(gathering, f"_{name}") for name in each] == list(range(len(each)))
