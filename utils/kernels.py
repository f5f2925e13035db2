"""The neural tangent kernel of wide ReLU networks: what they are as long as their weights hardly move.

To first order a network's output changes by its gradient times the change of its parameters, so it is a linear model,
whose kernel is the product of two inputs' gradients (Jacot, Gabriel & Hongler 2018). Made wide, random networks all
have the same one, and layer by layer it can be written down: with normal sums of variance 1 and correlation c, what
ReLU makes of them has the arc-cosine kernels of Cho & Saul 2009 (orders 1 and 0).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from utils.checks import real_number, whole_number
from utils.types import Array
from utils.withholding import withholdable


def relu_moments(c: ArrayLike) -> tuple[Array, Array]:
    """Return 2 E[relu(u) relu(v)] and 2 E[u > 0 and v > 0] of normal u, v with variance 1 and correlation c.

    Both are 1 at c = 1. (Cho & Saul 2009, equations 3 to 6: the arc-cosine kernels of order 1 and 0.)
    """
    c = np.clip(c, -1, 1)
    beyond = np.pi - np.arccos(c)
    return (np.sqrt(1 - c * c) + beyond * c) / np.pi, beyond / np.pi


@withholdable
def relu_kernel(X: ArrayLike, Z: ArrayLike, depth: int, *, bias: float = 0.0) -> Array:
    """Return the neural tangent kernel [n, m] of rows X [n, d] and Z [m, d], for `depth` infinitely wide ReLU layers.

    Weights are drawn from N(0, 1), and their sums divided by √d in the first layer and by √(width/2) in all others
    (the scaling of He); biases are drawn from N(0, 1), and enter ``bias`` times. All of them are trained. Output: one
    number. (Jacot, Gabriel & Hongler 2018, theorem 1.)

    Raises ValueError for rows of different lengths, a depth below 1, a negative bias, and an input of only zeros
    where there is no bias.
    """
    X, Z = np.atleast_2d(np.asarray(X, dtype=float)), np.atleast_2d(np.asarray(Z, dtype=float))
    if X.ndim != 2 or Z.ndim != 2 or X.shape[1] != Z.shape[1]:
        raise ValueError(f"X is {X.shape} and Z {Z.shape}: wanted rows of the same length")
    whole_number("depth", depth, least=1)
    variance = real_number("bias", bias, least=0) ** 2
    product, of_x, of_z = (
        value / X.shape[1] + variance for value in (X @ Z.T, np.square(X).sum(1), np.square(Z).sum(1))
    )
    if not (of_x > 0).all() or not (of_z > 0).all():
        raise ValueError("an input has only zeros: without a bias its angle to others is not defined. Give a bias.")
    kernel = product
    for _ in range(depth):
        lengths = np.sqrt(np.outer(of_x, of_z))
        through, open_in_both = relu_moments(product / lengths)
        product = lengths * through + variance
        kernel = product + kernel * open_in_both
        of_x, of_z = of_x + variance, of_z + variance
    return kernel
