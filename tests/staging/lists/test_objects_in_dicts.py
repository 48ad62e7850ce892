"""Dicts that hold objects under keys that only the run knows, and attributes that are lists of
tuples with objects in them."""

from collections import defaultdict

import numpy as np

from tests.support.oracle import Programs, check_grad

programs = Programs()
KEYS, XS = np.array([1, 2, 1, 3, 1]), np.array([0.5, 1.0, 2.0, 4.0, 1.0])
FEW = np.array([4, 4]), np.array([0.5, 1.0])


@programs.test
def test_program(call):
    call.run()


class Stat:
    def __init__(self):
        self.n = 0
        self.total = 0.0

    def add(self, x):
        self.n += 1
        self.total += x

    @property
    def mean(self):
        return self.total / self.n


@programs(KEYS, XS)
@programs(*FEW)
@programs([1, 2, 1], [0.5, 1.0, 2.0])
def groups(keys, xs):
    stats = {}
    for k, x in zip(keys, xs):
        if k not in stats:
            stats[k] = Stat()
        stats[k].add(x)
    return max(s.mean for s in stats.values()), len(stats), stats


@programs(KEYS, XS)
@programs(*FEW)
def groups_by_default(keys, xs):
    stats = defaultdict(Stat)
    for k, x in zip(keys, xs):
        stats[k].add(x)
    best = max(stats, key=lambda k: stats[k].total)
    return {int(k): s.mean for k, s in stats.items()}, best, stats[best].n


@programs(KEYS, XS)
@programs(*FEW)
def asked_for(keys, xs):
    stats, others = {}, {}
    for k, x in zip(keys, xs):
        found = stats.get(k)
        if found is None:
            found = Stat()
            stats[k] = found
        found.add(x)
        others.setdefault(k, Stat()).add(2 * x)
    last = None
    for k in keys:
        if k in others:
            last = others.pop(k)
    return [s.total for s in stats.values()], sorted(stats), last.n, len(others)


class Groups:
    def __init__(self):
        self.stats = {}

    def add(self, k, x):
        if k not in self.stats:
            self.stats[k] = Stat()
        self.stats[k].add(x)


@programs(KEYS, XS)
@programs(*FEW)
def an_attribute(keys, xs):
    groups = Groups()
    for k, x in zip(keys, xs):
        groups.add(k, x)
    del groups.stats[keys[0]]
    return sum(s.total for s in groups.stats.values()), [s.n for s in groups.stats.values()]


@programs(KEYS)
@programs(FEW[0])
def or_none(keys):
    found = {}
    for k in keys:
        if k % 2:
            found[k] = Stat()
        else:
            found[k] = None
    return sum(1 for s in found.values() if s is None), len(found)


class Node:
    def __init__(self, name):
        self.name = name
        self.distance = 1e9
        self.edges = []


def linked(keys, xs):
    nodes = {}
    for k, x in zip(keys, xs):
        for name in (k, k + 1):
            if name not in nodes:
                nodes[name] = Node(name)
        nodes[k].edges.append((nodes[k + 1], x))
    return nodes


@programs(KEYS, XS)
@programs(*FEW)
def shortest_ways(keys, xs):
    nodes = linked(keys, xs)
    nodes[keys[0]].distance = 0.0
    pending = list(nodes.values())
    while pending:
        node = min(pending, key=lambda n: n.distance)
        pending.remove(node)
        for other, weight in node.edges:
            other.distance = min(other.distance, node.distance + weight)
    weights = sum(sum(w for _, w in n.edges) for n in nodes.values())
    return sum(n.distance for n in nodes.values() if n.distance < 1e8), weights


@programs(KEYS, XS)
@programs(*FEW)
def nodes_that_come_out(keys, xs):
    nodes = linked(keys, xs)
    return nodes[keys[0]], [len(n.edges) for n in nodes.values()]


def mean_square(keys, xs):
    stats = {}
    for k, x in zip(keys, xs):
        if k not in stats:
            stats[k] = Stat()
        stats[k].add(x * x)
    return sum(s.mean * s.mean for s in stats.values())


def test_derivatives():
    check_grad(mean_square, KEYS, XS, argnums=1)
