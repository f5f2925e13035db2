"""Lazy or rich? The game of 03a, learned by networks whose features change, by networks whose hardly do, by kernels.

With the output α (f(x; w) − f(x; w₀)) the weights have to change the less, the larger α is: training is *lazy* (Chizat,
Oyallon & Bach 2019). Made small, α makes it *rich*. The loss is divided by α², or its curvature would grow with α²: to
learn y is then to let f learn f(x; w₀) + y/α.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
import xarray as xr
from scipy.linalg import cho_factor, cho_solve
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import UNSEEN, VALIDATION, as_rates, at_best_rate, best_rates, generators
from utils.kernels import relu_kernel
from utils.lesson_03 import hierarchy
from utils.lesson_03.hierarchy import DEPTHS, GAME, INPUTS, RANDOM, TEACHER, TREE
from utils.models import mlp
from utils.training import train_ensemble
from utils.types import Array, Data, Part

POINTS = 1500  # to learn from
FEW = 200
ALPHAS = (1 / 64, 1 / 16, 1 / 4, 1.0, 4.0, 16.0, 64.0)
RICH, LAZY = ENDS = (1 / 16, 64.0)  # what the controls compare
RATES = (0.00003, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
STEPS, BATCH = 2400, 150
WIDE = 64  # units of each layer, where both have layers of the same width
LONGER, ADAM, EQUAL_WIDTH, SCARCE = ("four times the steps", "Adam", "layers of equal width", "few points")
SETTINGS: dict[str, dict] = {  # what is changed, by name
    LONGER: {"longer": 4},
    "PyTorch's initialisation": {"init": "default"},
    ADAM: {"optimizer": "adam"},
    EQUAL_WIDTH: {"width": WIDE},
    RANDOM: {"version": RANDOM},
    TEACHER: {"target": TEACHER},
    SCARCE: {"points": FEW},
}
KERNEL_DEPTHS = (1, 2, 3, 4)
TARGETS = {GAME: (GAME, TREE), RANDOM: (GAME, RANDOM), TEACHER: (TEACHER, TREE)}
UNCHANGED = "the game"
KERNELS: dict[str, dict] = {  # of which settings there are kernels, too
    UNCHANGED: {},
    RANDOM: {"target": RANDOM},
    TEACHER: {"target": TEACHER},
    SCARCE: {"points": FEW},
}
BIASES, RIDGES = (0.0, 0.3, 1.0), (1e-6, 1e-4, 1e-2)  # of a kernel; ridges in parts of its mean diagonal


def parts(target: str, version: str, points: int, *, generator: torch.Generator) -> list[Part]:
    """Return `target_parts`, of whose first part only so many points are left."""
    (X, y), *others = hierarchy.target_parts(target, version, generator=generator)
    return [(X[:points], y[:points]), *others]


# --- networks ---------------------------------------------------------------------------------------------


@torch.no_grad()
def moved(model: nn.Sequential, before: nn.Sequential, X: Tensor) -> float:
    """Return the length of the change of the last hidden layer's outputs at points X, over their length before.

    It is 0 where the read-out sees the features that were drawn. A measure that forgives rotations and scalings would
    call a network lazy whose read-out has to start anew.
    """
    old = before[:-1](X)
    return ((model[:-1](X) - old).norm() / old.norm()).item()


@torch.no_grad()
def missed(model: nn.Sequential, before: nn.Sequential, alpha: float, X: Tensor, y: Tensor) -> float:
    """Return the share of the variance of y [n, 1] that the output, centred and scaled by alpha, misses."""
    return ((alpha * (model(X) - before(X)) - y).square().mean() / y.var(correction=0)).item()


def trained(
    seeds: Sequence[int],
    depth: int,
    alpha: float,
    *,
    target: str = GAME,
    version: str = TREE,
    points: int = POINTS,
    longer: int = 1,
    init: str = "he",
    optimizer: str = "sgd",
    width: int | None = None,
) -> xr.Dataset:
    """Return "missed" by "seed", "rate" and "part", and "moved" by "seed" and "rate", of networks with these settings.

    Gradient descent has the momentum 0.9. The rate rises and falls once. Where a run diverged both are NaN.
    """
    sizes = hierarchy.sizes(depth) if width is None else [INPUTS, *[width] * depth, 1]
    of_seed = [parts(target, version, points, generator=generators(seed)[0]) for seed in seeds]
    start = [mlp(sizes, init=init, generator=generators(seed)[1]) for seed in seeds]
    models = [mlp(sizes, init=init, generator=generators(seed)[1]) for seed in seeds for _ in RATES]
    with torch.no_grad():
        goals = [before(X) + y / alpha for before, ((X, y), *_) in zip(start, of_seed, strict=True)]
    histories = train_ensemble(
        models,
        torch.stack([pairs[0][0] for pairs in of_seed for _ in RATES]),
        torch.stack([goal for goal in goals for _ in RATES]),
        epochs=longer * STEPS // math.ceil(points / BATCH),
        lr=list(RATES) * len(seeds),
        batch_size=min(BATCH, points),
        optimizer=optimizer,
        schedule="one-cycle",
        progress=False,
        **({"momentum": 0.9} if optimizer == "sgd" else {}),
    )
    runs = iter(zip(models, histories, strict=True))
    errors, changes = np.full((len(seeds), len(RATES), len(UNSEEN)), np.nan), np.full((len(seeds), len(RATES)), np.nan)
    for i, before in enumerate(start):
        for j in range(len(RATES)):
            model, history = next(runs)
            if not history.diverged:
                errors[i, j] = [missed(model, before, alpha, X, y) for X, y in of_seed[i][1:]]
                changes[i, j] = moved(model, before, of_seed[i][-1][0])
    axes = [("seed", [*seeds]), ("rate", [*RATES])]
    return xr.Dataset({
        "missed": xr.DataArray(errors, [*axes, ("part", [*UNSEEN])]),
        "moved": xr.DataArray(changes, axes),
    })  # fmt: skip


WITHIN = {"rate": RATES, "part": UNSEEN}


@experiment("03_lazy", minutes=1.5, within=WITHIN, alpha=ALPHAS, depth=DEPTHS)
def scales(seeds: Sequence[int], alpha: float, depth: int) -> xr.Dataset:
    """Return what is missed of the game, and how far features move, from rich to lazy."""
    return trained(seeds, depth, alpha)


@experiment("03_lazy_controls", seeds=11, minutes=2, within=WITHIN, setting=SETTINGS, alpha=ENDS, depth=DEPTHS)
def controls(seeds: Sequence[int], setting: str, alpha: float, depth: int) -> xr.Dataset:
    """Return the same with something changed, at both ENDS."""
    return trained(seeds, depth, alpha, **SETTINGS[setting])


# --- kernels ----------------------------------------------------------------------------------------------


def kernel_errors(known: Part, others: Sequence[Part], depth: int, bias: float) -> Array:
    """Return the shares of variance [ridges, others] that ridge regression with the kernel of a depth misses."""
    (X, y), new = _in_numpy(known), [_in_numpy(part) for part in others]
    kernel = relu_kernel(X, X, depth, bias=bias)
    middle, unit = y.mean(), np.trace(kernel) / len(X) * np.eye(len(X))
    weights = [cho_solve(cho_factor(kernel + ridge * unit), y - middle) for ridge in RIDGES]
    found = relu_kernel(np.vstack([Z for Z, _ in new]), X, depth, bias=bias) @ np.array(weights).T + middle
    ends = np.cumsum([len(values) for _, values in new])[:-1]
    return np.array([
        [np.square(part[:, i] - values).mean() / values.var()
         for part, (_, values) in zip(np.split(found, ends), new, strict=True)]
        for i in range(len(RIDGES))
    ])  # fmt: skip


def _in_numpy(part: Part) -> tuple[Array, Array]:
    X, y = part
    return X.double().numpy(), y.detach().double().numpy()[:, 0]


@experiment(
    "03_kernels",
    seeds=11,
    minutes=3,
    within={"bias": BIASES, "ridge": RIDGES, "part": UNSEEN},
    target=TARGETS,
    points=(FEW, POINTS),
    depth=KERNEL_DEPTHS,
)
def kernels(seed: int, target: str, points: int, depth: int) -> xr.Dataset:
    """Return what the kernel of a depth misses of a target, by "bias", "ridge" and "part"."""
    known, *others = parts(*TARGETS[target], points, generator=generators(seed)[0])
    found = [kernel_errors(known, others, depth, bias) for bias in BIASES]
    return xr.Dataset({
        "missed": xr.DataArray(found, [("bias", [*BIASES]), ("ridge", [*RIDGES]), ("part", UNSEEN)])
    })  # fmt: skip


# --- reading what was measured ----------------------------------------------------------------------------


def left(data: Data, depth: int, **cell: float | str) -> xr.DataArray:
    """Return by seed the share missed on held-out points, at the rate that is best for the other seeds."""
    return at_best_rate(data["missed"].sel(depth=depth, **cell), larger_is_better=False)


def left_by_kernel(
    data: Data, depth: int, target: str = GAME, points: int = POINTS, biases: Sequence[float] = BIASES
) -> xr.DataArray:
    """Return the same of a kernel, with the bias of these and the ridge that are best for the other seeds."""
    cell = data["missed"].sel(depth=depth, target=target, points=points, bias=[*biases])
    return at_best_rate(as_rates(cell, "bias", "ridge"), larger_is_better=False)


def shifted(data: Data, depth: int, **cell: float | str) -> xr.DataArray:
    """Return by seed how far features moved, at the same rates as `left`."""
    rates = best_rates(data["missed"].sel(depth=depth, part=VALIDATION, **cell), larger_is_better=False)
    return data["moved"].sel(depth=depth, rate=rates, **cell).reset_coords(drop=True)


def lead(data: Data, **cell: float | str) -> xr.DataArray:
    """Return by seed what one layer misses over what three miss: above 1 where depth wins."""
    return left(data, 1, **cell) / left(data, 3, **cell)


def some_games(seed: int = 0) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return POINTS games to learn from, X [n, 8] and y [n, 1], and new ones."""
    (X, y), _, (X_new, y_new) = parts(GAME, TREE, POINTS, generator=generators(seed)[0])
    return X, y, X_new, y_new


def scale_medians(data: Data) -> dict[str, float]:
    """Return what `reveal` says of both ENDS: the median shares missed, by how it was trained and by depth."""
    return {
        f"{end}_{words}": float(left(data, depth, alpha=alpha).median())
        for end, alpha in (("rich", RICH), ("lazy", LAZY))
        for words, depth in (("one", 1), ("three", 3))
    }


def kernel_medians(data: Data) -> dict[str, float]:
    """Return what `reveal` says of kernels on the game: the median share missed, by the depth in words."""
    words = ("one", "two", "three", "four")
    return {word: float(left_by_kernel(data, depth).median()) for word, depth in zip(words, KERNEL_DEPTHS, strict=True)}
