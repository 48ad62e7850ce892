"""What users call: compiled functions, their options and caches, transforms of functions, saved
functions, and what explains them."""
