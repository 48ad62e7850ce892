"""Functions that neural networks are made of: activations, layers, losses.

They are compositions of operators, stable for large arguments and masks, in the dtype of what they
are given.
"""

from ops.elementwise.conversion import stop_gradient
from ops.nn.activations import *
from ops.nn.layers import *
from ops.nn.losses import *
from ops.signal.convolution import conv, conv_transpose
from ops.signal.pooling import avg_pool, max_pool
from ops.special import logsumexp
