"""The methods: their coefficients, and where these come from."""

from __future__ import annotations

from typing import NamedTuple

Row = tuple[float, ...]


class Scheme(NamedTuple):
    """A method of one step, with an estimate of its error and values within the step.

    Attributes:
        name: as users give it.
        order: of the step.
        exponent: how the estimated error shrinks with the step: 1 more than its order.
        nodes: where in the step each stage is.
        stages: for each stage the weights of those before. In an explicit method the last one is
            the step itself.
        error: the weights of the estimate; empty if the steps are as long as they are told to be.
        between: for each part of a step the coefficients of its polynomial, from ``s`` on.
        memory: the exponent of the error before in the control of the step.
        couplings, drifts: of a Rosenbrock method, see `rosenbrock`; empty in an explicit one.
        gamma: likewise.
        reach: by how much longer a step is the last one if it then ends beyond the end.
    """

    name: str
    order: int
    exponent: int
    nodes: Row
    stages: tuple[Row, ...]
    error: Row
    between: tuple[Row, ...]
    memory: float = 0.0
    couplings: tuple[Row, ...] = ()
    drifts: Row = ()
    gamma: float = 0.0
    reach: float = 1.0


# Dormand & Prince, "A family of embedded Runge-Kutta formulae", J. Comput. Appl. Math. 6 (1980),
# 19-26; values between steps: Shampine, "Some practical Runge-Kutta formulas", Math. Comput. 46
# (1986), 135-150. The steps are those of SciPy's RK45.
DOPRI5 = Scheme(
    name="dopri5",
    order=5,
    exponent=5,
    nodes=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0),
    stages=(
        (),
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    ),
    error=(71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),
    between=(
        (1.0, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432),
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799),
        (0.0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072),
        (0.0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632),
        (0.0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844),
        (0.0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423),
    ),
)

# Tsitouras, "Runge-Kutta pairs of order 5(4) satisfying only the first column simplifying
# assumption", Comput. Math. Appl. 62 (2011), 770-775.
TSIT5 = Scheme(
    name="tsit5",
    order=5,
    exponent=5,
    nodes=(0.0, 0.161, 0.327, 0.9, 0.9800255409045097, 1.0, 1.0),
    stages=(
        (),
        (0.161,),
        (-0.008480655492356989, 0.335480655492357),
        (2.8971530571054935, -6.359448489975075, 4.3622954328695815),
        (5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525),
        (
            *(5.86145544294642, -12.92096931784711, 8.159367898576159),
            *(-0.071584973281401, -0.028269050394068383),
        ),
        (
            *(0.09646076681806523, 0.01, 0.4798896504144996),
            *(1.379008574103742, -3.290069515436081, 2.324710524099774),
        ),
    ),
    error=(
        *(-0.00178001105222577714, -0.0008164344596567469, 0.007880878010261995),
        *(-0.1447110071732629, 0.5823571654525552, -0.45808210592918697, 0.015151515151515152),
    ),
    between=(
        (1.0, -2.763706197274826, 2.9132554618219126, -1.0530884977290216),
        (0.0, 0.13169999999999998, -0.2234, 0.1017),
        (0.0, 3.9302962368947516, -5.941033872131505, 2.490627285651253),
        (0.0, -12.411077166933676, 30.33818863028232, -16.548102889244902),
        (0.0, 37.50931341651104, -88.1789048947664, 47.37952196281928),
        (0.0, -27.896526289197286, 65.09189467479366, -34.87065786149661),
        (0.0, 1.5, -4.0, 2.5),
    ),
    memory=0.04,
)

# Bogacki & Shampine, "A 3(2) pair of Runge-Kutta formulas", Appl. Math. Lett. 2 (1989), 321-325.
# Between steps it is the cubic through both ends. The steps are those of SciPy's RK23.
BOSH3 = Scheme(
    name="bosh3",
    order=3,
    exponent=3,
    nodes=(0.0, 1 / 2, 3 / 4, 1.0),
    stages=((), (1 / 2,), (0.0, 3 / 4), (2 / 9, 1 / 3, 4 / 9)),
    error=(-5 / 72, 1 / 12, 1 / 9, -1 / 8),
    between=((1.0, -4 / 3, 5 / 9), (0.0, 1.0, -2 / 3), (0.0, 4 / 3, -8 / 9), (0.0, -1.0, 1.0)),
)

# Kutta 1901; between steps it is the cubic through both ends.
RK4 = Scheme(
    name="rk4",
    order=4,
    exponent=4,
    nodes=(0.0, 1 / 2, 1 / 2, 1.0, 1.0),
    stages=((), (1 / 2,), (0.0, 1 / 2), (0.0, 0.0, 1.0), (1 / 6, 1 / 3, 1 / 3, 1 / 6)),
    error=(),
    between=(
        (1.0, -2.0 + 3 / 6, 1.0 - 2 / 6),
        (0.0, 3 / 3, -2 / 3),
        (0.0, 3 / 3, -2 / 3),
        (0.0, 3 / 6, -2 / 6),
        (0.0, -1.0, 1.0),
    ),
    reach=1.0 + 1e-9,
)

# RODAS, stiffly accurate, of order 4(3): Hairer & Wanner, "Solving ordinary differential equations
# II", 2nd edition (1996), section IV.7, in the form that saves products with the Jacobian.
_H2 = (
    *(10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823),
    *(1.025137723295662, 0.0),
)
_H3 = (
    *(-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386),
    *(-6.594389125716872, 0.0),
)
_M = (1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895, 1.0, 1.0)
RODAS4 = Scheme(
    name="rodas4",
    order=4,
    exponent=4,
    nodes=(0.0, 0.386, 0.21, 0.63, 1.0, 1.0),
    stages=(
        (),
        (1.544,),
        (0.9466785280815826, 0.2557011698983284),
        (3.314825187068521, 2.896124015972201, 0.9986419139977817),
        _M[:4],
        _M[:5],
        _M,
    ),
    error=(0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    between=tuple((m + a, b - a, -b) for m, a, b in zip(_M, _H2, _H3)),
    memory=0.04,
    couplings=(
        (),
        (-5.6688,),
        (-2.430093356833875, -0.2063599157091915),
        (-0.1073529058151375, -9.594562251023355, -20.47028614809616),
        (7.496443313967647, -10.24680431464352, -33.99990352819905, 11.7089089320616),
        (
            *(8.083246795921522, -7.981132988064893, -31.52159432874371),
            *(16.31930543123136, -6.058818238834054),
        ),
    ),
    drifts=(0.25, -0.1043, 0.1035, -0.03620000000000023, 0.0, 0.0),
    gamma=0.25,
)

METHODS = {method.name: method for method in (DOPRI5, TSIT5, BOSH3, RK4, RODAS4)}
