"""Initial value problems: `odeint`.

The steps, their control and the search for events are in `autograph.solvers.ode`, plain Python that
is converted as the user's functions are. Here the user's trees become vectors, and back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import ops
from autograph.api import adjoint
from autograph.api.derivatives.common import symbolic
from autograph.api.derivatives.custom import stop_gradient
from autograph.api.derivatives.jacobians import jacfwd
from autograph.api.derivatives.tangents import jvp
from autograph.api.once import RecordedOnce
from autograph.api.trees import leaf_type, mapped
from autograph.api.unknowns import Unknowns, called, cast, real
from autograph.errors import OperandShapeError, OptionError
from autograph.solvers.ode import endings
from autograph.solvers.ode.control import Control
from autograph.solvers.ode.events import Watched
from autograph.solvers.ode.integrate import Problem, Trajectory, integrate
from autograph.solvers.ode.methods import METHODS
from autograph.solvers.ode.pieces import state_at
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.recorder import active_recorder

# How many steps may be tried where nothing is said, and how many can be kept.
MOST, MOST_KEPT = 100_000, 1_000


@dataclass(frozen=True)
class Event:
    """Something that happens while `odeint` integrates.

    Args:
        guard: ``guard(y, t, *args)``, of what the right-hand side takes, is a real number that
            changes its sign when it happens.
        direction: 1 where it happens only if the guard rises, -1 only if it falls, 0 both ways.
        terminal: whether the integration ends with it.
        jump: ``jump(y, t, *args)`` is the state afterwards; by default it stays.

    Examples:
        >>> fall = lambda y, t: np.stack([y[1], -9.81])
        >>> ground = ag.Event(lambda y, t: y[0], direction=-1, terminal=True)
        >>> drop = lambda h: ag.odeint(fall, np.array([h, 0.0]), [0.0, 9.0], events=ground)
        >>> round(float(drop(1.0).t), 9), round(float(ag.grad(lambda h: drop(h).t)(1.0)), 9)
        (0.451523641, 0.22576182)
    """

    guard: Callable[..., Any]
    direction: int = 0
    terminal: bool = False
    jump: Callable[..., Any] | None = None


class Events(NamedTuple):
    """The events that there were.

    Attributes:
        times: when each was, an array of shape ``[max_events]``; NaN where there were no more.
        states: the state at that time, before its jump: as ``y0``, with as many rows.
        which: the position of each among the events; -1 where there were no more.
        count: how many there were.
    """

    times: Any
    states: Any
    which: Any
    count: Any


class Interpolant(NamedTuple):
    """The state as a function of time.

    Called with a time, or an array of times, it gives the state there, nested as ``y0``, with the
    axes of the times first. Outside of the times that were integrated over it is the polynomial of
    the first or last step. Where an event has changed the state, it is that afterwards.

    Attributes:
        starts: where steps begin, an array of shape ``[max_steps]``; infinite beyond the last one.
        lengths: how long they are.
        coefficients: of the polynomials, in rising powers of the part of a step, as ``y0`` with the
            axes ``[max_steps, degree + 1]`` before its own.
        count: how many steps there are.
    """

    starts: Any
    lengths: Any
    coefficients: Any
    count: Any

    def __call__(self, t: Any) -> Any:
        return mapped(
            lambda leaf: called(state_at, self.starts, self.lengths, leaf, self.count, t),
            self.coefficients,
        )


class Solution(NamedTuple):
    """What `odeint` returns if it is asked for more than the states.

    Attributes:
        ys: the states at the times ``t``; after a terminal event that at the event.
        t: the time at which the integration has ended.
        y: the state there.
        converged: whether it has come to its end: the last time or a terminal event.
        steps: how many steps were tried.
        ending: the position of the terminal event that has ended it; -1 if none has.
        events: all that happened, see `Events`; None without events.
        between: the state as a function of time, see `Interpolant`; None without ``dense``.
    """

    ys: Any
    t: Any
    y: Any
    converged: Any
    steps: Any
    ending: Any
    events: Events | None
    between: Interpolant | None


@dataclass(frozen=True)
class _Options:
    """The options of a call, checked."""

    method: str
    rtol: Any
    atol: Any
    step: Any
    hmax: Any
    max_steps: int
    events: tuple[Event, ...]
    max_events: int
    dense: bool


def odeint(
    func: Callable[..., Any],
    y0: Any,
    t: Any,
    *args: Any,
    rtol: Any = None,
    atol: Any = None,
    method: str = "dopri5",
    step: Any = None,
    hmax: Any = np.inf,
    max_steps: int | None = None,
    events: Event | Callable[..., Any] | Sequence[Event | Callable[..., Any]] = (),
    max_events: int = 100,
    dense: bool = False,
    gradient: str = "steps",
    info: bool = False,
) -> Any:
    """Integrate ``dy/dt = func(y, t, *args)`` from ``y0`` at ``t[0]``.

    Each step is as long as its estimated error allows. In lanes of `vmap` each takes its own steps.
    Derivatives are by ``y0``, ``t``, ``args``, what ``func`` and the events capture, and the times
    of events.

    Args:
        func: the right-hand side: takes the state, the time and ``args``, and returns what is
            nested and shaped as the state.
        y0: the state at ``t[0]``: a real number or array, or nested ones. Integers count as
            float64.
        t: float array of shape [m], or a list of numbers, rising or falling: where the state is
            wanted.
        args: further arguments of ``func``.
        rtol, atol: the estimated error of a step may be ``atol + rtol * abs(y)`` in the root mean
            square over the numbers of the state; ``atol`` may be nested and shaped as ``y0``. By
            default 1.4e-8, and 3e-4 for float32.
        method: ``"dopri5"``, of order 5 by Dormand and Prince, with the steps of SciPy's RK45;
            ``"tsit5"``, of order 5 by Tsitouras; ``"bosh3"``, of order 3 by Bogacki and Shampine,
            with the steps of SciPy's RK23; ``"rodas4"``, of order 4 by Hairer and Wanner, for stiff
            problems; ``"rk4"``, of order 4 with steps of a fixed length.
        step: the length of the first step, by default chosen; of ``"rk4"`` that of all.
        hmax: the longest step.
        max_steps: how many steps may be tried, by default 100,000; with ``dense``, for which they
            are kept, 1,000.
        events: an `Event`, or several; of a function that is the guard of one.
        max_events: how many events may happen.
        dense: whether to return the state as a function of time as well.
        gradient: ``"steps"``: the derivative of the steps that were made, which reverse mode keeps;
            ``"adjoint"``: reverse mode integrates the adjoint equations backwards, and keeps only
            the states at ``t`` and at events; forward mode integrates the equations of the
            derivative. With ``dense`` the states at some points of each step are among them, by
            which its polynomial is known; the steps themselves are constants.
        info: whether to return a flag where the integration does not come to its end, and not to
            raise; derivatives by ``"adjoint"`` are NaN there.

    Returns:
        The states at the times ``t``: as ``y0``, with an axis of length m before those of each
        array. With ``events``, ``dense`` or ``info``, a `Solution`.

    Raises:
        IntegrationError: (when the program runs) too many steps or events, steps too short for
            floats, a right-hand side that is not finite, times that go back and forth. With
            ``gradient="adjoint"``, when a derivative is computed: the way back leads elsewhere, or
            the equations of the derivative see other events.
        ConvergenceError: (when a derivative is computed) a guard is not only zero at an event, but
            flat there.
        OptionError: an option is none that there is.
        OperandTypeError: ``y0``, ``t`` or what the functions return is not of real numbers.
        OperandShapeError: ``func`` returns something that is nested or shaped otherwise than the
            state; or ``t`` is no vector.

    Sources: Hairer, Norsett & Wanner, "Solving ordinary differential equations" I and II; for the
    derivative of states at events, Saccon, van de Wouw & Nijmeijer, "Sensitivity analysis of hybrid
    systems with state jumps", Proc. 53rd IEEE CDC (2014), 3065-3070; the methods' own are in
    `autograph.solvers.ode.methods`, those of the adjoint equations in
    `autograph.solvers.ode.adjoint`.

    Examples:
        >>> def decay(rate):
        ...     return ag.odeint(lambda y, t: -rate * y, 1.0, [0.0, 1.0, 2.0])
        >>> ag.to_graph(decay)(0.5).round(6), ag.jacfwd(decay)(0.5).round(6)
        (array([1.      , 0.606531, 0.367879]), array([ 0.      , -0.606531, -0.735759]))
    """
    times = _times(t)
    state = Unknowns(y0, "where odeint begins", "state", real(times, "t").dtype)
    options = _checked(
        *(state, rtol, atol, method, step, hmax, max_steps, events, max_events),
        *(dense, gradient, info),
    )
    times = cast(times, state.dtype)
    start = state.joined(y0, "where odeint begins")
    if active_recorder() is not None:  # methods take parts of them at places that the run decides
        times, start = symbolic(times), symbolic(start)
    called(endings.require_ordered, times)
    system = _system(func, state, args, options)
    if gradient == "adjoint":
        run = _run(state, options)
        solver = adjoint.Solver(run, state.length, options.rtol, options.dense, not info)
        found = adjoint.integrated(solver, system, times, start)
    else:
        problem = _problem(system, state, options, options.atol, (times[0], start))
        found = called(integrate, problem, times, start, dense)
        if not info:
            called(endings.require_ended, found.status, found.t, options.max_steps, max_events)
    ys = state.rows_parted(found.states)
    if not (options.events or dense or info):
        return ys
    return _solution(state, found, ys, options)


def _system(func: Callable, state: Unknowns, args: tuple, options: _Options) -> adjoint.System:
    """The problem in numbers and vectors."""
    slope = lambda t, y: state.joined(called(func, state.parted(y), t, *args), "what func returns")
    return adjoint.System(slope, tuple(_watch(event, state, args) for event in options.events))


def _problem(
    system: adjoint.System, state: Unknowns, options: _Options, atol: Any, like: tuple
) -> Problem:
    """The problem, and how it is integrated.

    Args:
        like: a time and a state.
    """
    slope, method = system.slope, METHODS[options.method]
    if active_recorder() is not None:
        slope = RecordedOnce(slope, *like, differentiated=bool(method.couplings))

    def linearized(t: Any, y: Any) -> tuple:
        drift = jvp(lambda t: slope(t, y), (t,), (ops.ones_like(t),))[1]
        if not np.ndim(y):
            return jvp(lambda y: slope(t, y), (y,), (ops.ones_like(y),))[1], drift
        return jacfwd(lambda y: slope(t, y))(y), drift

    control = Control(options.rtol, atol, options.step, options.hmax, options.max_steps)
    return Problem(
        *(slope, linearized if method.couplings else None, method, control),
        *(system.watches, options.max_events, state.eps),
    )


def _run(state: Unknowns, options: _Options) -> Callable[..., Trajectory]:
    """What integrates the problem, or one of which it is a part."""

    def run(
        system: adjoint.System, times: Any, y: Any, own: int, dense: bool, checked: bool
    ) -> Trajectory:
        atol, more = options.atol, int(np.prod(np.shape(y))) - own
        if more and np.ndim(atol):
            atol = ops.concatenate([atol, ops.full(more, ops.max(atol))])
        most = max(options.max_steps, MOST) if more else options.max_steps
        within = dataclasses.replace(options, max_steps=most)
        problem = _problem(system, state, within, atol, (times[0], y))
        found = called(integrate, problem, times, y, dense)
        if checked:
            called(endings.require_ended, found.status, found.t, most, options.max_events)
        return found

    return run


def _watch(event: Event, state: Unknowns, args: tuple) -> Watched:
    def guard(t: Any, y: Any) -> Any:
        value = called(event.guard, state.parted(y), t, *args)
        shape = real(value, "what a guard returns").shape
        if shape:
            raise OperandShapeError(
                f"what a guard returns is of shape {shape}, not a number",
                user_location(),
                fix="have an event for each number",
            )
        return cast(value, state.dtype)

    change = event.jump

    def jump(t: Any, y: Any) -> Any:
        assert change is not None
        return state.joined(called(change, state.parted(y), t, *args), "what jump returns")

    direction = float(np.sign(event.direction))
    return Watched(guard, direction, bool(event.terminal), None if change is None else jump)


def _solution(state: Unknowns, found: Any, ys: Any, options: _Options) -> Solution:
    events = between = None
    if options.events:
        times, states, which, count = found.happenings
        events = Events(times, state.rows_parted(states), which, count)
    if options.dense:
        starts, lengths, coefficients, count = found.pieces
        between = Interpolant(starts, lengths, state.rows_parted(coefficients, 2), count)
    return Solution(
        ys,
        found.t,
        state.parted(found.y),
        found.status == endings.RUNNING,
        found.tried,
        found.ending,
        events,
        between,
    )


# -- what is given ---------------------------------------------------------------------------------


def _times(t: Any) -> Any:
    """The times as a vector of floats."""
    if isinstance(t, (list, tuple)):
        for item in t:
            real(item, "a time of odeint")
        t = ops.stack([cast(item, np.result_type(_floating(item))) for item in t]) if t else t
    type = real(t, "what odeint integrates over")
    if len(type.shape) != 1 or not type.shape[0]:
        raise OperandShapeError(
            f"what odeint integrates over is of shape {type.shape}",
            user_location(),
            fix="give the times at which the state is wanted, the first one that of y0: "
            "np.array([t0, t1])",
        )
    return cast(t, _floating(t))


def _floating(leaf: Any) -> np.dtype:
    dtype = real(leaf, "a time of odeint").dtype
    return dtype if dtype.kind == "f" else np.dtype(np.float64)


def _checked(
    state: Unknowns,
    rtol: Any,
    atol: Any,
    method: str,
    step: Any,
    hmax: Any,
    max_steps: int | None,
    events: Any,
    max_events: int,
    dense: bool,
    gradient: str,
    info: bool,
) -> _Options:
    """The options, checked."""
    if method not in METHODS:
        raise _refused(
            f"there is no method {method!r} for differential equations",
            f"choose from {', '.join(map(repr, METHODS))}",
        )
    if method == "rk4" and step is None:
        raise _refused("rk4 has steps of a fixed length, which is not given", "give step=")
    if gradient not in ("steps", "adjoint"):
        raise _refused(f"gradient is {gradient!r}", "choose from 'steps', 'adjoint'")
    known = _events(events)
    if max_steps is None:
        max_steps = MOST_KEPT if dense else MOST
    counts = {"max_steps": max_steps, "max_events": max_events}
    for name, value in counts.items():
        if not isinstance(value, (int, np.integer)) or value < 1:
            raise _refused(f"{name} is {value!r}", f"give a positive integer for {name}")
    lengths = {"rtol": rtol, "step": step, "hmax": hmax}
    for name, value in lengths.items():
        if isinstance(value, (int, float)) and not value > 0:
            raise _refused(f"{name} is {value!r}", f"give a positive number for {name}")
    usual = 1.4e-8 if state.eps < 1e-10 else 3e-4
    if atol is None:
        atol = usual
    type = leaf_type(atol)
    is_single = type is not None and not type.shape
    atol = cast(atol, state.dtype) if is_single else state.joined(atol, "atol")
    return _Options(
        method,
        _number(usual if rtol is None else rtol, state.dtype),
        stop_gradient(atol),
        None if step is None else _number(step, state.dtype),
        _number(hmax, state.dtype),
        int(max_steps),
        known,
        int(max_events),
        bool(dense),
    )


def _events(given: Any) -> tuple[Event, ...]:
    if isinstance(given, Event) or callable(given):
        given = [given]
    known = tuple(event if isinstance(event, Event) else Event(event) for event in given)
    for event in known:
        if event.terminal and event.jump is not None:
            raise _refused("a terminal event has a jump", "change the state that is returned")
        if event.direction not in (-1, 0, 1):
            raise _refused(f"direction is {event.direction!r}", "choose from -1, 0, 1")
    return known


def _number(value: Any, dtype: np.dtype) -> Any:
    real(value, "an option of odeint")
    return stop_gradient(cast(value, dtype))


def _refused(message: str, fix: str) -> OptionError:
    return OptionError(message, user_location(), id="AG0571", fix=fix)
