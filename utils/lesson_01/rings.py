"""Two rings that overlap: networks of several widths, and the rate chosen well or badly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn
from tqdm.auto import tqdm

from utils.comparison import Sweep, best_rate, sweep
from utils.data import circles, split
from utils.lesson_01.curves import RATES
from utils.models import mlp
from utils.types import Array, Data, Part

RING_RATES = (0.00003, 0.0001, 0.0003, *RATES)  # in a fixed number of steps a small rate is early stopping, too
RING_STEPS = 2000
RINGS: dict[str, dict] = {
    "line": {"sizes": [2, 2]},
    "squares": {"sizes": [4, 2], "squares": True},
    "deep linear": {"sizes": [2, 10, 10, 2], "activation": "identity"},
    **{f"{width} units": {"sizes": [2, width, 2]} for width in (2, 3, 5, 10, 30, 100)},
}


def ring_parts(*, generator: torch.Generator) -> list[Part]:
    """Three parts of two noisy rings that overlap: 100 points to train on, 1,000 to choose with, 4,000 to report."""
    return split(circles, 100, 1000, 4000, generator=generator, noise=0.35)


def ring_bayes_accuracy() -> float:
    """The accuracy of the best of all classifiers on `ring_parts`, by numerical integration over the radius.

    Both classes have uniform angles, so the better guess depends on the distance from the origin alone, whose
    density is φ((r − R)/s)/s + φ((r + R)/s)/s for a ring of radius R and noise s (a negative draw comes out on
    the other side).
    """
    r, step = np.linspace(0, 6, 60_001, retstep=True)
    densities = [np.exp(-((r - R) ** 2) / 0.245) + np.exp(-((r + R) ** 2) / 0.245) for R in (0.5, 1.5)]
    return float(np.maximum(*densities).sum() * step / (2 * 0.35 * np.sqrt(2 * np.pi)))


def with_squares(parts: Sequence[Part]) -> list[Part]:
    """The same parts with four features instead of two: x₁, x₂, x₁², x₂²."""
    return [(torch.cat([X, X**2], dim=1), y) for X, y in parts]


def train_on_rings(
    sizes: Sequence[int], seeds: Sequence[int], *, activation: str = "relu", squares: bool = False
) -> Sweep:
    """Networks of these sizes on the rings, with every rate; `squares` gives them the features made by hand."""
    make_parts = (lambda *, generator: with_squares(ring_parts(generator=generator))) if squares else ring_parts
    build = partial(mlp, list(sizes), activation)
    return sweep(build, make_parts, seeds=seeds, lrs=RING_RATES, epochs=RING_STEPS, progress=False)


def measure_rings(seeds: Sequence[int], names: Sequence[str] = tuple(RINGS)) -> dict[str, Array]:
    """accuracy and loss (cross-entropy), [seeds, names, rates, 3 parts], for each of RINGS or for those named."""
    swept = [train_on_rings(seeds=seeds, **RINGS[name]) for name in tqdm(names, leave=False)]
    return {
        "accuracy": np.stack([one.scores() for one in swept], axis=1),
        "loss": np.stack([one.scores(cross_entropy) for one in swept], axis=1),
    }


@torch.no_grad()
def cross_entropy(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """The mean cross-entropy of the network's outputs for classes y [n]."""
    return nn.functional.cross_entropy(model(X), y).item()


# --- reading what was measured ----------------------------------------------------------------------------

TRAIN, VALIDATION, HELD_OUT = 0, 1, 2  # the parts of the sets in the plane


def ring(data: Data, name: str, part: int = HELD_OUT, by: int = VALIDATION, what: str = "accuracy") -> Array:
    """One of RINGS: accuracy (or loss) in `part`, [seeds], at the rate that is best in part `by`.

    Best on validation points is the highest accuracy, best on the training points the lowest loss: the rate that
    has learned most of them by heart (several may be right on all).
    """
    index, criterion = list(RINGS).index(name), "loss" if by == TRAIN else "accuracy"
    rate = best_rate(data[criterion][:, index, :, by], larger_is_better=by != TRAIN)
    return data[what][:, index, rate, part]
