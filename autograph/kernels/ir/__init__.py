"""The kernel IR: what native code computes, as loops over elements and statements on scalars.

How it is built, and run in Python."""
