"""Programs whose state is in dicts, tuples, named tuples, dataclasses and objects."""

from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


Point = namedtuple("Point", ["x", "y"])


@dataclass
class Body:
    position: object
    velocity: object
    hits: int = 0
    tags: list = field(default_factory=list)


class Controller:
    """A PID controller."""

    def __init__(self, p, i, d):
        self.gains = (p, i, d)
        self.integral = 0.0
        self.last = None

    def update(self, error, dt):
        p, i, d = self.gains
        self.integral += error * dt
        slope = 0.0 if self.last is None else (error - self.last) / dt
        self.last = error
        return p * error + i * self.integral + d * slope


class Counter:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def add(self, value):
        self.count += 1
        self.total += value

    def mean(self):
        return self.total / self.count if self.count else 0.0


@programs.smooth(1.0, 0.5)
def pid_simulation(target, p):
    controller = Controller(p, 0.1, 0.05)
    y = 0.0
    for _ in range(8):
        u = controller.update(target - y, 0.1)
        y = y + 0.1 * (u - 0.2 * y)
    return y


@programs(np.array([1.0, -2.0, 3.0]))
def counter_in_a_branch(x):
    positive = Counter()
    for v in x:
        if v > 0:
            positive.add(v)
    return positive.count, positive.mean()


@programs(3.0)
@programs(-3.0)
def counter_of_the_branch_taken(x):
    left, right = Counter(), Counter()
    if x > 0:
        left.add(x)
    else:
        right.add(x)
        right.add(-x)
    return left.count, right.count, left.total + right.total


@programs(np.array([2.0, 1.0]))
def dict_as_state(x):
    state = {"steps": 0, "x": x}
    while np.sum(state["x"]) > 0.5:
        state["x"] = state["x"] * 0.5
        state["steps"] += 1
    return state


@programs(5.0)
@programs(0.5)
def dict_changed_in_branch(x):
    stats = {"big": 0, "sum": 0.0}
    if x > 1:
        stats["big"] += 1
        stats["sum"] = stats["sum"] + x
    return stats


@programs(2.0)
def dict_methods(x):
    d = {"a": x}
    d.update(b=x + 1, c=x + 2)
    a = d.pop("a")
    d.setdefault("e", a * 10)
    total = 0.0
    for key in sorted(d):
        total += d[key]
    return total, list(d), d.get("zz", -1.0), len(d), "b" in d


@programs.smooth({"w": np.array([0.5, -0.5]), "b": 0.1}, 0.2)
def gradient_steps_on_a_dict(params, rate):
    params = dict(params)
    for _ in range(3):
        error = np.sum(params["w"] ** 2) + params["b"] - 1.0
        params["w"] = params["w"] - rate * 2 * error * params["w"]
        params["b"] = params["b"] - rate * error
    return np.sum(params["w"]) + params["b"]


@programs(1.0, 2.0)
def named_tuple_state(x, y):
    p = Point(x, y)
    for _ in range(3):
        p = Point(p.y, p.x + p.y)
    if p.x > 3:
        p = p._replace(x=0.0)
    return p


@programs.smooth(2.0)
def tuple_state(x):
    state = (x, (1.0, 0.0))
    for _ in range(3):
        a, (b, c) = state
        state = (a * 0.5, (b + a, c + b))
    return state[1][1]


@programs.smooth(10.0, 1.0)
def bouncing_ball(height, speed):
    ball = Body(height, speed)
    for _ in range(30):
        ball.velocity -= 0.981
        ball.position += 0.1 * ball.velocity
        if ball.position < 0:
            ball.position = -0.5 * ball.position
            ball.velocity = -0.5 * ball.velocity
            ball.hits += 1
    return ball.position + ball.velocity


@programs(1.0)
def returned_dataclass(x):
    body = Body(x, np.array([x, 2 * x]))
    body.hits += 3
    body.tags.append("moved")
    return body


@programs(2.0)
def object_returned_by_callee(x):
    def made(v):
        c = Counter()
        c.add(v)
        return c

    c = made(x)
    c.add(x * 2)
    return c.total, c.count


@programs(Body(1.0, 2.0))
def argument_object_changed(body):
    body.position = body.position + body.velocity
    body.hits += 1
    return body.position


@programs(Body(1.0, 2.0), 3)
@programs(Body(1.0, 2.0), 0)
def argument_object_in_a_loop(body, n):
    for _ in range(n):
        body.position += 0.5 * body.velocity
        if body.position > 2:
            body.velocity = -body.velocity
            body.hits += 1


@programs({"n": 0, "sum": 0.0}, np.array([1.0, -1.0, 2.0]))
def argument_dict_changed(stats, x):
    for v in x:
        if v > 0:
            stats["n"] += 1
            stats["sum"] += v


@programs(np.array([0, 1, 1, 0, 2]))
def state_machine(symbols):
    state = "idle"
    table = {"idle": 0, "busy": 1}
    counts = {name: 0 for name in table}
    current = table[state]
    for s in symbols:
        if current == table["idle"]:
            counts["idle"] += 1
            if s == 1:
                current = table["busy"]
        else:
            counts["busy"] += 1
            if s != 1:
                current = table["idle"]
    return counts, current


@programs(np.array([1.0, 2.0, 3.0]))
def nested_containers(x):
    model = {"layers": [{"w": x, "scale": 1.0}, {"w": x * 2, "scale": 2.0}], "name": "net"}
    for layer in model["layers"]:
        layer["scale"] *= 3.0
        layer["w"][0] = 0.0
    return model


@programs(4.0)
def shared_object(x):
    a = Counter()
    pair = (a, a)
    pair[0].add(x)
    pair[1].add(x)
    return a.total, pair[0] is pair[1]


@programs(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
def star_expressions(x, y):
    first, *rest = (*x, *y)
    merged = {**{"a": first}, "b": rest[-1]}
    return [*rest, first], merged


@programs(3)
@programs(0)
def set_of_statics(n):
    seen = {1, 2}
    seen.add(3)
    return n in seen, len(seen), sorted(seen)
