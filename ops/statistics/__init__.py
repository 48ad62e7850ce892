"""Means, deviations, quantiles, counts and differences."""

# Only what is recorded asks for it; graphs from the disk know it by its name.
from ops.statistics import exact_statistics as exact_statistics
