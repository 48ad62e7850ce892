"""Parts of arrays taken, written, padded, split, put in and left out; grids and windows."""
