"""Model predictive control of `samples/mpc.py` beside CasADi: the time of a step.

Each step of control is a problem with 200 variables and 160 equations. It is solved to 1e-6 by
all, from the same plan, one after the other, so that each meets the same problems under the same
conditions. CasADi's derivatives are those of its SX graphs; its solvers are IPOPT (an
interior-point method for all), FATROP (one that, as here, goes by Riccati's recursion from step to
step) and its own sequential quadratic programming with a sparse solver. With a C compiler, FATROP's
functions are compiled, too.
"""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from benchmarks.table import Table, duration
from samples import mpc

STEPS = 140


def run() -> Table:
    ways = {"autograph": lambda plan, state: mpc.solve(plan, state, 200)[0]}
    if find_spec("casadi"):
        ways.update(_casadi())
    seconds, off = _measured(ways)
    rows = []
    for name in ways:
        middle, most = statistics.median(seconds[name]), max(seconds[name])
        ratio = statistics.median(a / b for a, b in zip(seconds[name], seconds["autograph"]))
        same = sum(error < 1e-3 for error in off[name])
        row = (duration(middle), duration(most), f"{ratio:.1f}", f"{same} of {STEPS}")
        rows.append((name, *row))
    return Table(
        "Model predictive control",
        "Time of a step of control of a cart with a pole: the middle one, the longest, and the "
        "middle ratio to autograph's; and in how many steps the first force of the plan is "
        "autograph's to 0.001 N (while the pole swings up there are several best plans).",
        ("solver", "a step", "the longest", "ratio", "same plan"),
        rows,
    )


def _measured(ways: dict[str, Callable]) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """How long each way takes in each step, and how far its first force is from the first way's."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    off: dict[str, list[float]] = {name: [] for name in ways}
    for way in ways.values():
        way(mpc.swing(), mpc.HANGING)
    plan, state = mpc.swing(), mpc.HANGING
    for i in range(STEPS):
        found = {}
        for name, way in ways.items():
            start = time.perf_counter()
            found[name] = way(plan, state)
            seconds[name].append(time.perf_counter() - start)
        for name in ways:
            off[name].append(abs(found[name][0] - found["autograph"][0]))
        state = mpc.motion(state, found["autograph"][0])
        if i == 80:
            state = state + np.array([0.0, 0.0, 0.0, 1.5])
        plan = mpc.shifted(found["autograph"])
    return seconds, off


def _casadi() -> dict[str, Callable]:
    """CasADi's solvers, each a function of a plan to begin with and the state now."""
    import casadi as ca

    n = mpc.HORIZON

    def change(state, force):
        _, angle, speed, turning = ca.vertsplit(state)
        s, c = ca.sin(angle), ca.cos(angle)
        pull = (force + mpc.POLE * mpc.LENGTH * turning**2 * s) / (mpc.CART + mpc.POLE)
        arm = mpc.LENGTH * (4.0 / 3.0 - mpc.POLE * c * c / (mpc.CART + mpc.POLE))
        turn = (mpc.GRAVITY * s - c * pull) / arm
        push = pull - mpc.POLE * mpc.LENGTH * turn * c / (mpc.CART + mpc.POLE)
        return ca.vertcat(speed, turning, push, turn)

    def motion(state, force):
        h = mpc.STEP
        a = change(state, force)
        b = change(state + 0.5 * h * a, force)
        c = change(state + 0.5 * h * b, force)
        d = change(state + h * c, force)
        return state + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)

    start = ca.SX.sym("start", 4)
    states = [ca.SX.sym(f"x{k}", 4) for k in range(n + 1)]
    forces = [ca.SX.sym(f"u{k}") for k in range(n)]
    variables, equations, cost = [], [], 0
    for k in range(n):
        variables += [states[k], forces[k]]
        equations.append(states[k + 1] - motion(states[k], forces[k]))
        if k == 0:
            equations.append(states[0] - start)
        x, angle, speed, turning = ca.vertsplit(states[k + 1])
        goals = (x, 2.0 * ca.sin(0.5 * angle), speed, turning)
        share = mpc.END if k == n - 1 else 1.0
        cost += 0.5 * share * sum(w * g**2 for w, g in zip(mpc.WEIGHTS, goals))
        beyond = ca.fmax(ca.fabs(forces[k]) - mpc.MOST_FORCE, 0.0)
        cost += 0.5 * (mpc.FORCE_WEIGHT * forces[k] ** 2 + mpc.BARRIER * beyond**2)
    variables.append(states[n])
    problem = {
        "x": ca.vertcat(*variables),
        "p": start,
        "f": cost,
        "g": ca.vertcat(*equations),
    }
    quiet = {"print_time": False}
    equal = [True] * int(problem["g"].shape[0])
    solvers = {
        "CasADi, IPOPT": (
            "ipopt",
            {
                **quiet,
                "ipopt": {
                    "print_level": 0,
                    "sb": "yes",
                    "tol": 1e-6,
                    "mu_strategy": "adaptive",
                },
            },
        ),
        "CasADi, FATROP": (
            "fatrop",
            {
                **quiet,
                "structure_detection": "auto",
                "equality": equal,
                "fatrop": {"print_level": 0, "tol": 1e-6},
            },
        ),
        "CasADi, SQP with qrqp": (
            "sqpmethod",
            {
                **quiet,
                "qpsol": "qrqp",
                "print_header": False,
                "print_iteration": False,
                "print_status": False,
                "tol_du": 1e-6,
                "tol_pr": 1e-6,
                "convexify_strategy": "eigen-reflect",
                "error_on_fail": False,
                "qpsol_options": {
                    "print_iter": False,
                    "print_header": False,
                    "error_on_fail": False,
                },
            },
        ),
    }

    if shutil.which("gcc"):
        kind, options = solvers["CasADi, FATROP"]
        compiled = {"jit": True, "compiler": "shell", "jit_options": {"flags": ["-O3"]}}
        solvers["CasADi, FATROP, gcc -O3"] = (kind, {**options, **compiled})

    def way(solver: Callable) -> Callable:
        def solve(plan, state):
            first = np.concatenate([state, plan])  # x0, u0, x1, u1, ... xn
            found = solver(x0=first, p=state, lbg=0.0, ubg=0.0)
            return np.array(found["x"]).ravel()[4:]

        return solve

    return {
        name: way(ca.nlpsol("solver", kind, problem, options))
        for name, (kind, options) in solvers.items()
    }
