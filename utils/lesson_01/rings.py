"""Two rings that overlap: networks of several widths, and the rate chosen well or badly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.axes import over
from utils.comparison import HELD_OUT, TRAINING, VALIDATION, Sweep, best_rate, sweep
from utils.data import circles, split
from utils.lesson_01.curves import RATES
from utils.models import mlp
from utils.types import Data, Part

RING_RATES = (0.00003, 0.0001, 0.0003, *RATES)  # in a fixed number of steps a small rate is early stopping, too
RING_STEPS = 2000
NOISE = 0.35  # the standard deviation of a point's distance from its circle
RINGS: dict[str, dict] = {
    "line": {"sizes": [2, 2]},
    "squares": {"sizes": [4, 2], "squares": True},
    "deep linear": {"sizes": [2, 10, 10, 2], "activation": "identity"},
    **{f"{width} units": {"sizes": [2, width, 2]} for width in (2, 3, 5, 10, 30, 100)},
}


def ring_parts(*, generator: torch.Generator) -> list[Part]:
    """Three parts of two noisy rings that overlap: 100 points to train on, 1,000 to choose with, 4,000 to report."""
    return split(circles, 100, 1000, 4000, generator=generator, noise=NOISE)


def rings(seed: int) -> list[Part]:
    """`ring_parts` of a seed."""
    return ring_parts(generator=torch.Generator().manual_seed(seed))


def ring_bayes_accuracy() -> float:
    """The accuracy of the best of all classifiers on `ring_parts`, by numerical integration over the radius.

    Both classes have uniform angles, so the better guess depends on the distance from the origin alone, whose
    density is φ((r − R)/s)/s + φ((r + R)/s)/s for a ring of radius R and noise s (a negative draw comes out on
    the other side).
    """
    r, step = np.linspace(0, 6, 60_001, retstep=True)
    densities = [sum(np.exp(-(((r - side * R) / NOISE) ** 2) / 2) for side in (1, -1)) for R in (0.5, 1.5)]
    return float(np.maximum(*densities).sum() * step / (2 * NOISE * np.sqrt(2 * np.pi)))


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


def measure_rings(seeds: Sequence[int], networks: Iterable[str] = RINGS) -> Data:
    """accuracy and loss (cross-entropy) by seed, network, rate and part, for each of RINGS or for those named."""

    def scores(network: str) -> Data:
        swept = train_on_rings(seeds=seeds, **RINGS[network])
        return xr.Dataset({"accuracy": swept.scores(), "loss": swept.scores(cross_entropy)})

    return over(scores, network=networks)


@torch.no_grad()
def cross_entropy(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """The mean cross-entropy of the network's outputs for classes y [n]."""
    return nn.functional.cross_entropy(model(X), y).item()


# --- reading what was measured ----------------------------------------------------------------------------


def ring(data: Data, network: str, part: str = HELD_OUT, by: str = VALIDATION, what: str = "accuracy") -> xr.DataArray:
    """One of RINGS: accuracy (or loss) in `part`, by seed, at the rate that is best in part `by`.

    Best on validation points is the highest accuracy, best on the training points the lowest loss: the rate that
    has learned most of them by heart (several may be right on all).
    """
    criterion = data["loss" if by == TRAINING else "accuracy"]
    rate = best_rate(criterion.sel(network=network, part=by), larger_is_better=by != TRAINING)
    return data[what].sel(network=network, part=part, rate=rate)
