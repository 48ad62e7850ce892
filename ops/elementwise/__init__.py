"""Operators that act on each element by itself, one module for each family."""

from ops.elementwise.arithmetic import *
from ops.elementwise.cardinal_sine import *
from ops.elementwise.comparison import *
from ops.elementwise.exponential import *
from ops.elementwise.extrema import *
from ops.elementwise.floating import *
from ops.elementwise.powers import *
from ops.elementwise.precision import *
from ops.elementwise.rounding import *
from ops.elementwise.trigonometric import *
