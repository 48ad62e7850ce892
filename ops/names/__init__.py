"""Names of other libraries: which operator stands for which ufunc, and what the array API standard
asks."""
