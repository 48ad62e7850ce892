"""The rows of the table. A step of training gives the loss before it, and biases after it."""

from __future__ import annotations

from benchmarks.beside.suite import Row
from benchmarks.models import weights

ROWS = {
    row.name: row
    for row in (
        Row("convolution", "convolution 5 x 5, 64 x 1 x 28 x 28, 32 features", weights.convolution),
        Row("convolution_gradient", "convolution, gradient", weights.convolution),
        Row("cnn", "CNN on 64 x 28 x 28, step of Adam", weights.cnn),
        Row("lstm", "LSTM, 32 x 50 steps, 128 wide, step of Adam", weights.lstm),
        Row("transformer", "transformer, 16 x 64 characters, step of AdamW", weights.transformer),
        Row("generation", "64 characters, one after the other", weights.generation),
    )
}
