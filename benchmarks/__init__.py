"""Measurements of the compiler and of what it makes; ``python -m benchmarks`` runs them all."""
