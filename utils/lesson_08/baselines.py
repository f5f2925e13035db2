"""What it takes no training of hidden layers to get: neighbours, boosted trees, hidden units that stay random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from torch import Tensor

from utils.claims import experiment
from utils.comparison import UNSEEN, at_best_rate, generators, score, sweep
from utils.data import checkerboard, game, load_table, spirals, split, swirl
from utils.models import mlp
from utils.types import Array, Data, Part

CHECKERBOARD, SWIRL, SPIRALS, GAME = "checkerboard", "swirl", "spirals", "game"
NEAREST, LEAVES, GROWN = (1, 3, 10), (7, 31), (50, 100, 200)


TASKS: dict[str, Callable[..., list[Part]]] = {  # as lessons 02 and 03 have them
    CHECKERBOARD: partial(split, checkerboard, 4000, 2000, 4000, frequency=5),
    SWIRL: partial(split, swirl, 4000, 2000, 4000),
    SPIRALS: partial(split, spirals, 1000, 2000, 4000, turns=2.0, noise=0.08),
    GAME: partial(split, game, 6000, 2000, 4000),
}


def missed(said: Array, y: Array) -> float:
    """Return the share of wrong classes, or of the variance of levels that is missed."""
    return float(np.mean(said != y) if y.dtype.kind == "i" else np.mean((said - y) ** 2) / y.var())


def said_by(rival: str, learned: tuple[Array, Array], inputs: Array) -> list[Array]:
    """Return what nearest neighbours or boosted trees say, with each of their settings."""
    X, y = learned
    classes = y.dtype.kind == "i"
    if rival == "nearest neighbours":
        kind = KNeighborsClassifier if classes else KNeighborsRegressor
        return [kind(count).fit(X, y).predict(inputs) for count in NEAREST]
    boosting = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    grown = [boosting(max_iter=max(GROWN), max_leaf_nodes=leaves, early_stopping=False).fit(X, y) for leaves in LEAVES]
    return [said for trees in grown for k, said in enumerate(trees.staged_predict(inputs), 1) if k in GROWN]


def _plain(part: tuple[Tensor, Tensor]) -> tuple[Array, Array]:
    return part[0].double().numpy(), part[1].numpy().reshape(-1)


@experiment(
    "08_baselines",
    seeds=12,
    minutes=0.8,
    chunk=2,
    task=[*TASKS],
    rival=("nearest neighbours", "boosted trees"),
)
def baselines(seed: int, task: str, rival: str) -> Data:
    """Return the held-out error of a rival's setting that is best on validation data."""
    learned, (X_val, y_val), (X_new, y_new) = map(_plain, TASKS[task](generator=generators(seed)[0]))
    both = said_by(rival, learned, np.concatenate([X_val, X_new]))
    best = min(both, key=lambda said: missed(said[: len(y_val)], y_val))
    return xr.Dataset({"error": missed(best[len(y_val) :], y_new)})


def best_of(data: Data, task: str) -> xr.DataArray:
    """Return by "seed" the error of the rival whose median is lower on this task."""
    found = data["error"].sel(task=task)
    return found.sel(rival=found.median("seed").idxmin("rival")).reset_coords(drop=True)


# --- digits, with hidden units that are never trained ------------------------------------------------------

SHARES = (0.5, 0.25, 0.25)
FEW, SOME, MANY = 32, 240, 1000  # hidden units; 32 have as many weights in all as 240 have to the outputs
RATES = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
PENALTIES = (0.1, 1.0, 10.0, 100.0, 1000.0, 10_000.0)
LEARNED, WIDE, BEHIND = "32 trained units", "1,000 trained units", "1,000 trained units, ridge behind them"
RANDOM, AS_MANY = "1,000 random units", "240 random units"


def digits(*, generator: torch.Generator) -> list[Part]:
    """Return digits to learn from, to choose with and held out: X [images, 64], y [images]."""
    return load_table("digits", SHARES, generator=generator)


def hidden(X: Array, *, units: int, generator: torch.Generator) -> Array:
    """Return what random ReLU units, with He's weights, make of X [images, pixels]: [images, units]."""
    weights = torch.randn(X.shape[1], units, generator=generator, dtype=torch.float64).numpy()
    return np.maximum(X @ weights * np.sqrt(2 / X.shape[1]), 0)


def ridge(H: Array, Y: Array, penalty: float) -> Array:
    """Return the weights [units, outputs] that are best for H [images, units], with a penalty on their squares."""
    return np.linalg.solve(H.T @ H + penalty * np.eye(H.shape[1]), H.T @ Y)


@experiment(
    "08_untrained",
    within={"setting": range(len(RATES)), "part": UNSEEN},
    seeds=20,
    minutes=2,
    chunk=4,
    network=(LEARNED, WIDE, BEHIND, RANDOM, AS_MANY),
)
def untrained(seeds: Sequence[int], network: str) -> Data:
    """Return the share of wrong digits; a setting is a learning rate, or a penalty, where only outputs are trained.

    Behind trained units the penalty is each network's own, chosen on validation data.
    """
    if network in (RANDOM, AS_MANY):
        errors = [_random(seed, MANY if network == RANDOM else SOME) for seed in seeds]
    else:
        build = partial(mlp, [64, FEW if network == LEARNED else MANY, 10], init="he")
        runs = sweep(build, digits, seeds=seeds, lrs=RATES, epochs=60, batch_size=50, schedule="cosine", progress=False)
        errors = 1 - runs.scores(score).sel(part=UNSEEN).values
        if network == BEHIND:
            errors = [
                [min(_read_out(model, parts), key=lambda pair: pair[0]) for model in row]
                for row, parts in zip(runs.models, runs.parts, strict=True)
            ]
    axes = {"seed": [*seeds], "setting": [*range(len(RATES))], "part": [*UNSEEN]}
    return xr.Dataset({"error": xr.DataArray(errors, axes)})


def _random(seed: int, units: int) -> list[list[float]]:
    """Return the shares of wrong digits that random units leave, [penalty][part], the parts being UNSEEN."""
    of_data, of_weights = generators(seed)
    inputs, labels = zip(*map(_plain, digits(generator=of_data)), strict=True)
    everything = hidden(np.concatenate(inputs), units=units, generator=of_weights)
    return _ridged(np.split(everything, np.cumsum([*map(len, inputs)])[:-1]), labels)


@torch.no_grad()
def _read_out(model: torch.nn.Sequential, parts: Sequence[Part]) -> list[list[float]]:
    """Return the shares of wrong digits that a ridge fit to a network's hidden layer leaves, [penalty][part]."""
    return _ridged([model[:2](X).double().numpy() for X, _ in parts], [y.numpy() for _, y in parts])


def _ridged(layers: Sequence[Array], labels: Sequence[Array]) -> list[list[float]]:
    """Return the shares of wrong digits, [penalty][part], where the first part's layer is fitted."""
    weights = [ridge(layers[0], np.eye(10)[labels[0]], penalty) for penalty in PENALTIES]
    return [
        [float(np.mean((H @ W).argmax(axis=1) != y)) for H, y in zip(layers[1:], labels[1:], strict=True)]
        for W in weights
    ]


def wrong(network: str, data: Data) -> xr.DataArray:
    """Return the held-out share of wrong digits by "seed", the setting chosen on validation data."""
    cells = data["error"].sel(network=network).rename(setting="rate")
    return at_best_rate(cells, larger_is_better=False)
