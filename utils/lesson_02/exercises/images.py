"""The sixteen black and white images that the exercises on the diagonal flip share, and the flip."""

from __future__ import annotations

import numpy as np

FLIP = np.eye(4)[[0, 2, 1, 3]]  # the matrix of the diagonal flip
IMAGES = np.stack(np.meshgrid(*[[0.0, 1.0]] * 4, indexing="ij"), axis=-1).reshape(16, 4)
