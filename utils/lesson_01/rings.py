"""Two classes in the plane: rings that overlap, and three sets of which each needs more units than the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import (
    ACCURACY,
    HELD_OUT,
    PARTS,
    TRAINING,
    VALIDATION,
    Score,
    Sweep,
    at_best_rate,
    best_rates,
    sweep,
)
from utils.data import blobs, circles, spirals, split
from utils.lesson_01.curves import RATES
from utils.models import mlp
from utils.types import Data, Part

RING_RATES = (0.00003, 0.0001, 0.0003, *RATES)  # in a fixed number of steps a small rate is early stopping, too
RING_STEPS = 2000
RING_WIDTHS = (2, 3, 5, 10, 30, 100)
NOISE = 0.35  # the standard deviation of a point's distance from its circle

DEGREES = (2, 8, 12)  # of polynomial features
LOOSE = 1e6  # scikit-learn's C: so large that next to nothing keeps the weights small
PENALTIES = (0.1, 1.0, 10.0, 100.0, LOOSE)

PLANES: dict[str, Callable[..., Part]] = {
    "two clouds": blobs,
    "two rings": partial(circles, noise=0.15),
    "two spirals": partial(spirals, turns=1.5),
}
PLANE_WIDTHS = (0, 2, 3, 4, 8, 16, 32)  # 0: no hidden layer


def ring_parts(*, generator: torch.Generator, squares: bool = False) -> list[Part]:
    """Return parts of two noisy rings that overlap: 100 points to train on, 1,000 to choose with, 4,000 to report.

    squares: with four features instead of two, x₁, x₂, x₁², x₂².
    """
    parts = split(circles, 100, 1000, 4000, generator=generator, noise=NOISE)
    return [(torch.cat([X, X**2], dim=1), y) for X, y in parts] if squares else parts


def rings(seed: int) -> list[Part]:
    """Return `ring_parts` of a seed."""
    return ring_parts(generator=torch.Generator().manual_seed(seed))


def ring_bayes_accuracy() -> float:
    """Return the accuracy of the best of all classifiers on `ring_parts`, by numerical integration over the radius.

    Both classes have uniform angles, so the better guess depends on the distance from the origin alone, whose
    density is φ((r − R)/s)/s + φ((r + R)/s)/s for a ring of radius R and noise s (a negative draw comes out on
    the other side).
    """
    r, step = np.linspace(0, 6, 60_001, retstep=True)
    densities = [sum(np.exp(-(((r - side * R) / NOISE) ** 2) / 2) for side in (1, -1)) for R in (0.5, 1.5)]
    return float(np.maximum(*densities).sum() * step / (2 * NOISE * np.sqrt(2 * np.pi)))


@torch.no_grad()
def cross_entropy(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return the mean cross-entropy of the network's outputs for classes y [n]."""
    return nn.functional.cross_entropy(model(X), y).item()


RINGS: dict[str, tuple] = {  # a network's sizes, its activation, and its data
    "line": ([2, 2], "relu", ring_parts),
    "squares": ([4, 2], "relu", partial(ring_parts, squares=True)),
    "deep linear": ([2, 10, 10, 2], "identity", ring_parts),
    **{f"{width} units": ([2, width, 2], "relu", ring_parts) for width in RING_WIDTHS},
}


@experiment(
    "01_rings",
    ACCURACY,
    Score("loss", of=cross_entropy),
    rates=RING_RATES,
    parts=PARTS,
    seeds=40,
    chunk=20,
    network=RINGS,
)
def on_rings(seeds: Sequence[int], network: str) -> Sweep:
    """Train one of RINGS with every rate."""
    sizes, activation, make_parts = RINGS[network]
    build = partial(mlp, sizes, activation)
    return sweep(build, make_parts, seeds=seeds, lrs=RING_RATES, epochs=RING_STEPS, progress=False)


def ring(data: Data, network: str, part: str = HELD_OUT, by: str = VALIDATION, what: str = "accuracy") -> xr.DataArray:
    """Return for one of RINGS: accuracy (or loss) in `part`, by seed, at the rate that is best in part `by`.

    Best on validation points is the highest accuracy, best on the training points the lowest loss: the rate that
    has learned most of them by heart (several may be right on all).
    """
    criterion = data["loss" if by == TRAINING else "accuracy"]
    rates = best_rates(criterion.sel(network=network, part=by), larger_is_better=by != TRAINING)
    return data[what].sel(network=network, part=part, rate=rates)


def powers(points: Tensor, degree: int) -> Tensor:
    """Return x₁ⁱ x₂ʲ for i + j up to the degree, the constant among them: [n, (degree + 1)(degree + 2)/2]."""
    x1, x2 = points.double().T
    return torch.stack([x1**i * x2**j for i in range(degree + 1) for j in range(degree + 1 - i)], dim=1)


@experiment("01_features", seeds=60, minutes=1.2, chunk=5, within={"C": PENALTIES, "part": PARTS}, degree=DEGREES)
def on_features(seed: int, degree: int) -> Data:
    """Return "accuracy" of logistic regression on `powers` of the rings' points, with every penalty."""
    from sklearn.linear_model import LogisticRegression

    parts = rings(seed)
    (X, y), *_ = parts
    models = [LogisticRegression(C=C, max_iter=20_000).fit(powers(X, degree), y) for C in PENALTIES]
    accuracy = [[model.score(powers(X, degree), y) for X, y in parts] for model in models]
    return xr.Dataset({"accuracy": (["C", "part"], accuracy)}, {"C": [*PENALTIES], "part": [*PARTS]})


def on_degree(data: Data, degree: int, C: float | None = None) -> xr.DataArray:
    """Return held-out accuracy by seed, with this C, or with the C that is best on validation points for the others."""
    accuracy = data["accuracy"].sel(degree=degree, drop=True)
    if C is None:
        return at_best_rate(accuracy.rename(C="rate"), larger_is_better=True)
    return accuracy.sel(C=C, part=HELD_OUT).reset_coords(drop=True)


@experiment("01_planes", ACCURACY, rates=RATES, parts=PARTS, set=PLANES, width=PLANE_WIDTHS)
def on_planes(seeds: Sequence[int], set: str, width: int) -> Sweep:
    """Train one hidden layer of `width` units on one of PLANES, 500 points to train on, with every rate."""
    make_parts = partial(split, PLANES[set], 500, 1000, 4000)
    build = partial(mlp, [2, width, 2] if width else [2, 2])
    return sweep(build, make_parts, seeds=seeds, lrs=RATES, epochs=3000, schedule="one-cycle", progress=False)


# --- what `reveal` says, and what is printed -----------------------------------------------------------------


def spirals_answer(data: Data) -> dict[str, float]:
    """Return the worst seed's held-out accuracy on two spirals, with sixteen units and with the most."""
    worst = (float(on_planes.best(data, set="two spirals", width=width).min()) for width in (16, PLANE_WIDTHS[-1]))
    return dict(zip(("sixteen", "most"), worst, strict=True))


def rate_answer(data: Data, network: str = "100 units") -> dict[str, float]:
    """Return the rate that validation points choose for one of RINGS, for most seeds."""
    validation = data["accuracy"].sel(network=network, part=VALIDATION)
    return {"rate": float(best_rates(validation, larger_is_better=True).median())}


def print_wrong_choice(data: Data) -> None:
    """Print by width what a rate chosen by the training loss costs, in held-out cross-entropy: medians over seeds."""
    for width in RING_WIDTHS:
        name = f"{width} units"
        times = ring(data, name, by=TRAINING, what="loss") / ring(data, name, what="loss")
        print(f"{width:>3} units: {float(times.median()):.1f} times the held-out cross-entropy")
