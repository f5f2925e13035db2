"""What the exercises on the diagonal flip share."""

from __future__ import annotations

import numpy as np

FLIP = np.eye(4)[[0, 2, 1, 3]]  # the matrix of the diagonal flip
IMAGES = np.stack(np.meshgrid(*[[0.0, 1.0]] * 4, indexing="ij"), axis=-1).reshape(16, 4)
