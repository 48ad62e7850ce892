"""What is timed, as plain NumPy programs, and the arguments they are timed with."""
