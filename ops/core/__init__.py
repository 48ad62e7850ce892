"""What an operator is: its declaration, types, implementations; the scalar language of kernels;
which NumPy function it stands for; and what it asks of the recording of a graph."""
