"""Numbers of invented experiments, as short as measured ones are written."""

from __future__ import annotations

import numpy as np


def rounded(numbers: np.ndarray) -> np.ndarray:
    """Return positive numbers with four digits."""
    size = 10.0 ** np.floor(np.log10(numbers))
    return np.round(numbers / size, 3) * size
