"""What an operator is: its declaration, types, implementations; the scalar language of kernels;
which NumPy function it stands for; and what it asks of the recording of a graph."""

import time

# When the packages were imported, in nanoseconds: files that changed later are not what runs.
IMPORTED = time.time_ns()
