"""Model predictive control of a cart with a pole: every 50 ms the next 2 s are planned anew.

At each step the plan, states and forces over the horizon, is the solution of an optimisation: least
squares under the equations of motion, by sequential quadratic programming. The equations of all
steps are differentiated at once by `ag.sparse_jacobian`, whose colours are as few as one step has
variables; the quadratic problem is solved by a recursion over the steps backwards, that of Riccati;
and a `while` searches along the line for a plan that is better. All of it is one compiled function.

    python samples/mpc.py      the pole is swung up and held, with a push on the way

Sources: Nocedal & Wright, "Numerical optimization", 2nd edition (2006), chapter 18, for the method
and its merit function; Rawlings, Mayne & Diehl, "Model predictive control", 2nd edition (2017),
chapter 8, for its structure; Barto, Sutton & Anderson, IEEE Trans. SMC 13 (1983), 834-846, for the
cart with the pole.
"""

from __future__ import annotations

import time

import numpy as np

import autograph as ag

GRAVITY, CART, POLE, LENGTH = 9.81, 1.0, 0.2, 0.5  # m/s2, kg, kg, m
STEP, HORIZON = 0.05, 40  # s, steps
WEIGHTS = np.array([1.0, 4.0, 0.05, 0.05])  # of place, 1 - cos of the angle, and their rates
FORCE_WEIGHT, MOST_FORCE, END = 0.002, 20.0, 10.0  # END: how much more the last state counts
BARRIER = 50.0  # of forces beyond the most
HANGING = np.array([0.0, np.pi, 0.0, 0.0])


def change(state, force):
    """The rates of change of place, angle from upright, and their speeds."""
    _, angle, speed, turning = state
    s, c = np.sin(angle), np.cos(angle)
    pull = (force + POLE * LENGTH * turning**2 * s) / (CART + POLE)
    turn = (GRAVITY * s - c * pull) / (LENGTH * (4.0 / 3.0 - POLE * c * c / (CART + POLE)))
    push = pull - POLE * LENGTH * turn * c / (CART + POLE)
    return np.stack([speed, turning, push, turn])


def motion(state, force):
    """The state a step later, by Runge and Kutta's method."""
    a = change(state, force)
    b = change(state + 0.5 * STEP * a, force)
    c = change(state + 0.5 * STEP * b, force)
    d = change(state + STEP * c, force)
    return state + STEP / 6.0 * (a + 2.0 * b + 2.0 * c + d)


all_motions = ag.vmap(motion)


def defects(plan, start):
    """How far the states of a plan are from the motions, [4 n]; a plan is a vector of n forces and
    states, each force before the state that it leads to: [5 n]."""
    rows = np.reshape(plan, (-1, 5))
    before = np.concatenate([start[None, :], rows[:-1, 1:]])
    return np.ravel(all_motions(before, rows[:, 0]) - rows[:, 1:])


def residuals(plan):
    """What is to be small, each by itself: [6 n]."""
    rows = np.reshape(plan, (-1, 5))
    x, angle, speed, turning = rows[:, 1:].T
    beyond = np.maximum(np.abs(rows[:, 0]) - MOST_FORCE, 0.0)
    share = np.sqrt(np.where(np.arange(len(rows)) == len(rows) - 1, END, 1.0))
    goals = np.stack(
        [
            np.sqrt(WEIGHTS[0]) * x,
            np.sqrt(WEIGHTS[1]) * 2.0 * np.sin(0.5 * angle),
            np.sqrt(WEIGHTS[2]) * speed,
            np.sqrt(WEIGHTS[3]) * turning,
        ],
        1,
    )
    forces = np.stack([np.sqrt(FORCE_WEIGHT) * rows[:, 0], np.sqrt(BARRIER) * beyond], 1)
    return np.ravel(np.concatenate([share[:, None] * goals, forces], 1))


def merit(plan, start, penalty):
    """What is to be small, and the violation of the equations of motion."""
    r = residuals(plan)
    return 0.5 * r @ r + penalty * np.sum(np.abs(defects(plan, start)))


def pattern(n):
    """Where the equations of a step may depend on a plan: the state before, force and state of it;
    so the elements of the Jacobian are blocks of equal size, but for the first step's."""
    found = np.zeros((4 * n, 5 * n), bool)
    for k in range(n):
        found[4 * k : 4 * k + 4, max(5 * k - 4, 0) : 5 * k + 5] = True
    return found


by_plan = ag.sparse_jacobian(defects, pattern=pattern(HORIZON))
goals_by_plan = ag.sparse_jacobian(residuals)


def newton_step(plan, start):
    """The step to the solution of the quadratic problem, [5 n]; the slope of the goals along it,
    and the largest multiplier of an equation of motion, by Riccati's recursion."""
    n = len(plan) // 5
    gaps = np.reshape(defects(plan, start), (n, 4))
    jacobian = by_plan(plan, start).data
    first, rest = np.reshape(jacobian[:20], (4, 5)), np.reshape(jacobian[20:], (n - 1, 4, 9))
    carried = np.concatenate([np.zeros((1, 4, 4)), rest[:, :, :4]])
    pushed = np.concatenate([first[None, :, 0], rest[:, :, 4]])

    # Each residual depends on one variable: four on the states, two on the force.
    slopes = np.reshape(goals_by_plan(plan).data, (n, 6))
    r = np.reshape(residuals(plan), (n, 6))
    curvature, gradient = slopes**2, slopes * r

    gains, offsets = np.zeros((n, 4)), np.zeros(n)
    values, lines = np.zeros((n, 4, 4)), np.zeros((n, 4))  # of the cost to go, after each step
    P, p = np.diag(curvature[n - 1, :4]), gradient[n - 1, :4]
    for k in range(n - 1, -1, -1):
        values[k], lines[k] = P, p
        A, b = carried[k], pushed[k]
        ahead = P @ gaps[k] + p
        bend = curvature[k, 4] + curvature[k, 5] + b @ P @ b
        slope = gradient[k, 4] + gradient[k, 5] + b @ ahead
        gain = (b @ P @ A) / bend
        gains[k], offsets[k] = gain, slope / bend
        if k > 0:
            P = A.T @ P @ A - bend * np.outer(gain, gain) + np.diag(curvature[k - 1, :4])
            p = A.T @ ahead - gain * slope + gradient[k - 1, :4]

    step, x, largest, along = np.zeros((n, 5)), np.zeros(4), 0.0, 0.0
    for k in range(n):
        u = -gains[k] @ x - offsets[k]
        x = carried[k] @ x + pushed[k] * u + gaps[k]
        step[k, 0] = u
        step[k, 1:] = x
        largest = np.maximum(largest, np.max(np.abs(values[k] @ x + lines[k])))
        along += gradient[k, :4] @ x + (gradient[k, 4] + gradient[k, 5]) * u
    return np.ravel(step), along, largest


@ag.to_graph
def solve(plan, start, most, tolerance=1e-6):
    """Sequential quadratic programming from a plan.

    Args:
        plan: float array of shape [5 n], n forces and states.
        start: the state now, [4].
        most: how many steps there may be.
        tolerance: of the largest change of a step, at which it ends.

    Returns:
        The plan, and how many steps were made.
    """
    made, change = 0, 1.0
    while made < most and change > tolerance:
        step, along, largest = newton_step(plan, start)
        penalty = 1.5 * largest
        value = merit(plan, start, penalty)
        expected = along - penalty * np.sum(np.abs(defects(plan, start)))
        share = 1.0
        while merit(plan + share * step, start, penalty) > value + 1e-4 * share * expected:
            share *= 0.5
            if share < 1e-6:
                break
        plan = plan + share * step
        change = share * np.max(np.abs(step))
        made += 1
    return plan, made


def shifted(plan):
    """The plan of the next step to begin with: the last state is kept."""
    return np.concatenate([plan[5:], [0.0], plan[-4:]])


def swing():
    """A plan to begin with: without forces, the pole turns up evenly."""
    rows = np.zeros((HORIZON, 5))
    rows[:, 2] = np.pi * (1.0 - np.arange(1, HORIZON + 1) / HORIZON)
    return np.ravel(rows)


def control(steps, most=200, push_at=80, push=1.5):
    """Swing up and hold: each step the first force of a plan is used.

    Returns:
        The states, [steps + 1, 4], the forces, [steps], the plans, [steps, 5 n], and the numbers of
        steps of the optimisations. At ``push_at`` the pole is pushed, by so much in rad/s.
    """
    state, plan = HANGING, swing()
    states, forces, plans, counts = [state], [], [], []
    for i in range(steps):
        plan, made = solve(plan, state, most)
        state = motion(state, plan[0])
        if i == push_at:
            state = state + np.array([0.0, 0.0, 0.0, push])
        forces.append(plan[0])
        plans.append(plan)
        counts.append(int(made))
        states.append(state)
        plan = shifted(plan)
    return np.array(states), np.array(forces), np.array(plans), counts


def main() -> None:
    control(1, most=1)  # compiles
    start = time.perf_counter()
    states, forces, _, counts = control(140)
    seconds = time.perf_counter() - start
    print(f"140 steps of control, {np.sum(counts)} of the optimisation, in {seconds:.2f} s")
    up = np.abs(np.sin(0.5 * states[:, 1])) < 0.05
    print(f"upright after {STEP * np.argmax(up):.2f} s; at the end the angle is", end=" ")
    print(f"{np.angle(np.exp(1j * states[-1, 1])):.1e} and the place {states[-1, 0]:.1e} m")
    print(f"the largest force is {np.max(np.abs(forces)):.1f} N")


if __name__ == "__main__":
    main()
