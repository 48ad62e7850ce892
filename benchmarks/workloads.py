"""Functions for measuring how long they take to compile."""

import numpy as np


def small(a, b):
    x = np.tanh(a) * b
    return np.sum(x * x)


def mixed(a, b, limit):
    total = 0.0
    count = 0
    scale = np.max(np.abs(a)) + 1.0
    a = a / scale
    b = b / scale
    if np.sum(a) > np.sum(b):
        low, high = b, a
    else:
        low, high = a, b
    middle = 0.5 * (low + high)
    for i in range(20):
        step = np.tanh(middle * (i + 1))
        if np.any(step > 0.9):
            step = np.minimum(step, 0.9)
            count += 1
        elif np.any(step < -0.9):
            step = np.maximum(step, -0.9)
            count -= 1
        middle = middle - 0.1 * step
        size = np.sqrt(np.sum(middle * middle))
        if size < 1e-3:
            break
        total += size
    error = 1.0
    while error > limit:
        update = 0.5 * np.cos(middle)
        error = np.max(np.abs(update - middle))
        middle = update
        count = count + 1
        if count > 200:
            break
    ordered = np.where(low < high, low, high)
    weights = np.exp(-ordered * ordered)
    weights = weights / np.sum(weights)
    mean = np.sum(weights * middle)
    spread = np.sum(weights * (middle - mean) ** 2)
    if spread > 0.5:
        result = mean / spread
    elif spread > 0.1:
        result = mean
    else:
        result = mean * spread
    result += 1e-3 * count
    energy = 0.0
    for row in np.stack([low, middle, high]):
        part = row @ row
        if part < 0.1:
            continue
        energy = energy + np.log1p(part)
    return result + energy + total * limit
