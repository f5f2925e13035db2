"""Random deep teachers, their students, and how far off a student is: what all experiments of the lesson share.

A teacher has 5 inputs, hidden layers of tanh units, four if not said otherwise, one output and no biases; its weights
are drawn from N(0, σ²/n_in). Students have no biases either. An error is relative: the mean squared error over the
variance of the targets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from utils.least_squares import levenberg_marquardt
from utils.models import mlp
from utils.withholding import withholdable

N_IN, WIDTH, DEPTH = 5, 5, 4  # of the teacher of the tutorial that this lesson redoes
SIGMA = 2.0
RECOVERED = 1e-20  # a relative error on held-out data at which a teacher counts as recovered


def shape(width: int = WIDTH, depth: int = DEPTH) -> tuple[int, ...]:
    """Return the sizes of a teacher of this width, with so many hidden layers, from the inputs to the output."""
    return (N_IN, *[width] * depth, 1)


def random_teacher(
    width: int = WIDTH, sigma: float = SIGMA, depth: int = DEPTH, *, generator: torch.Generator
) -> nn.Sequential:
    """Return a teacher of these sizes in float64; the same generator gives the same weights but for the factor σ."""
    return mlp(shape(width, depth), "tanh", bias=False, init=("normal", sigma), generator=generator).double()


def student(sizes: Sequence[int], *, generator: torch.Generator) -> nn.Sequential:
    """Return a tanh network of these sizes without biases, weights N(0, 1/n_in)."""
    return mlp(list(sizes), "tanh", bias=False, init="normal", generator=generator)


def fitted_student(
    sizes: Sequence[int], X: Tensor, y: Tensor, *, generator: torch.Generator, restarts: int, **options: Any
) -> nn.Sequential:
    """Return the student of these sizes that fits X, y best, of so many restarts of Levenberg-Marquardt.

    options: max_steps and whatever else `levenberg_marquardt` takes.
    """
    models = [student(sizes, generator=generator).double() for _ in range(restarts)]
    histories = levenberg_marquardt(models, X, y, generator=generator, **options)
    return models[min(range(restarts), key=lambda restart: histories[restart].final_loss)]


@withholdable
def linear_student(X: Tensor, y: Tensor) -> nn.Linear:
    """Return the linear model without a constant that has the smallest squared error on X, y."""
    model = nn.Linear(X.shape[1], 1, bias=False, dtype=X.dtype)
    with torch.no_grad():
        model.weight.copy_(torch.linalg.lstsq(X, y).solution.T)
    return model


@torch.no_grad()
@withholdable
def relative_error(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return the mean squared error over the variance of y: 1 for a model that always says the mean of y."""
    dtype = next(model.parameters()).dtype
    return ((model(X.to(dtype)) - y).square().mean() / y.var(correction=0)).item()
