"""Random numbers from explicit keys: the same on every backend, eager or compiled.

The functions have the signatures of ``jax.random``; floats are float64 by default, as NumPy's.
"""

from ops.random import python_draws as _by_name  # whose operator graphs on disk name
from ops.random.choices import *
from ops.random.counts import *
from ops.random.distributions import *
from ops.random.keys import *
