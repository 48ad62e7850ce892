"""Means, deviations, quantiles, counts and differences."""
