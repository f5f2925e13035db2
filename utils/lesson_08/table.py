"""A small real table, and a search over depth and width that is honest, or not: the sound of a wing in the wind.

Rows come in runs: one wing at one angle and speed, heard at a dozen frequencies. The data and their licence stand in
airfoil.csv. Errors are roots of mean squared errors, in decibels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from sklearn.base import RegressorMixin
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import nn

from utils.claims import experiment
from utils.comparison import generators
from utils.models import mlp, width_for_parameters
from utils.training import train_ensemble
from utils.types import Array, Data

FILE = Path(__file__).with_name("airfoil.csv")
ROWS, RUNS = SPLITS = ("rows", "runs")  # what a fold holds out: rows at random, or runs as a whole
NEW_ROWS, NEW_RUNS = ASKED = ("new rows", "new runs")
SHARE = 0.2  # of the runs, and of the other runs' rows, kept for the end
FOLDS = 4
DEPTHS, BUDGETS = (1, 2, 3, 5), (400, 1200, 4000)  # hidden layers; parameters, at most
RATES = (0.006, 0.012, 0.025, 0.05, 0.1, 0.2)
EPOCHS, BATCH = 100, 50
STUDIO = 1200  # parameters, where one budget is enough


@cache
def airfoil() -> tuple[Array, Array, Array]:
    """Return inputs X [rows, 5], the first the logarithm of a frequency; sound levels y [rows]; each row's run."""
    table = np.loadtxt(FILE, delimiter=",")
    X, y = table[:, :5], table[:, 5]
    run = np.unique(X[:, 1:], axis=0, return_inverse=True)[1].ravel()
    X[:, 0] = np.log(X[:, 0])
    return X, y, run


def kept(run: Array, seed: int) -> tuple[Array, Mapping[str, Array]]:
    """Return the numbers of the rows to develop on, and those kept for the end: rows of known runs, and whole runs.

    run: the number of each row's run, from 0.
    """
    rng = np.random.default_rng(seed)
    runs = rng.permutation(run.max() + 1)
    new = np.isin(run, runs[: round(SHARE * len(runs))])
    known = rng.permutation(np.flatnonzero(~new))
    rows = round(SHARE * len(known))
    return known[rows:], {NEW_ROWS: known[:rows], NEW_RUNS: np.flatnonzero(new)}


def folds(rows: Array, split: str, seed: int) -> Array:
    """Return for each of these rows the fold, 0 to FOLDS − 1, that holds it out; a run is in one of them, or in all."""
    rng, of = np.random.default_rng(seed), np.arange(len(rows)) if split == ROWS else airfoil()[2][rows]
    return rng.permutation(of.max() + 1)[of] % FOLDS


def rms(errors: Array) -> float:
    """Return the root of the mean square."""
    return float(np.sqrt(np.mean(np.square(errors))))


# --- networks ---------------------------------------------------------------------------------------------


def build(depth: int, parameters: int, *, generator: torch.Generator) -> nn.Sequential:
    """Return a ReLU network with at most so many parameters, from He's weights."""
    width = width_for_parameters(parameters, depth, 5, 1)
    return mlp([5, *[width] * depth, 1], init="he", generator=generator)


def fitted(
    learned: Sequence[Array],
    make: Callable[..., nn.Module],
    *,
    seed: int,
    rates: Sequence[float] = RATES,
    X: Array | None = None,
    **training: Any,
) -> list[list[Callable[[Array], Array]]]:
    """Return functions from rows' numbers to sound levels [set][rate], each of a network that learned a set of rows.

    All sets have as many rows. A network sees inputs and levels standardised by its own rows; NaN where it diverged.
    X: other inputs than the table's; training: what differs from the usual, for `train_ensemble`.
    """
    y, X = airfoil()[1], airfoil()[0] if X is None else X
    scales = [[(part[rows].mean(0), part[rows].std(0)) for part in (X, y)] for rows in learned]
    standard = [[(part - mean) / std for part, (mean, std) in zip((X, y), both, strict=True)] for both in scales]
    models = [make(generator=generators(seed)[1]) for _ in learned for _ in rates]
    stacked = [
        torch.tensor(
            np.stack([one[k][rows] for one, rows in zip(standard, learned, strict=True) for _ in rates])
        ).float()
        for k in (0, 1)
    ]
    usual = {"epochs": EPOCHS, "batch_size": BATCH, "schedule": "cosine", "progress": False}
    histories = train_ensemble(
        models, stacked[0], stacked[1][..., None], lr=[*rates] * len(learned), **{**usual, **training}
    )

    @torch.no_grad()
    def level(rows: Array, place: int, number: int) -> Array:
        (mean, std), inputs = scales[number][1], torch.tensor(standard[number][0][rows]).float()
        lost = histories[place].diverged
        return np.full(len(rows), np.nan) if lost else mean + std * models[place](inputs)[:, 0].double().numpy()

    return [
        [partial(level, place=len(rates) * number + k, number=number) for k in range(len(rates))]
        for number in range(len(learned))
    ]


def crossvalidated(
    rows: Array,
    fold: Array,
    make: Callable[..., nn.Module],
    *,
    seed: int,
    rates: Sequence[float] = RATES,
    **options: Any,
) -> list[float]:
    """Return for each rate the error of networks on the rows of the folds that they did not learn from.

    fold: for each row the number of its fold. options: for `fitted`.
    """
    y, numbers = airfoil()[1], range(fold.max() + 1)
    fewest = min(np.sum(fold != number) for number in numbers)  # as many for each, so that all train at once
    levels = fitted([rows[fold != number][:fewest] for number in numbers], make, seed=seed, rates=rates, **options)
    held = [rows[fold == number] for number in numbers]
    return [
        rms(np.concatenate([levels[number][k](held[number]) - y[held[number]] for number in numbers]))
        for k in range(len(rates))
    ]


@experiment(
    "08_table",
    within={"split": SPLITS, "rate": RATES, "asked": ("training", *ASKED)},
    seeds=12,
    minutes=2.4,
    chunk=2,
    depth=DEPTHS,
    parameters=BUDGETS,
    unstable={"inner": 0.1, "outer": 0.1},  # a wide layer at a large rate
)
def searched(seed: int, depth: int, parameters: int) -> Data:
    """Return "inner" [split, rate], errors of cross-validation, and "outer" [asked, rate], after learning all of it."""
    rows, asked = kept(airfoil()[2], seed)
    make = partial(build, depth, parameters)
    (levels,) = fitted([rows], make, seed=seed)
    y, parts = airfoil()[1], {"training": rows, **asked}
    return xr.Dataset(
        {
            "inner": xr.DataArray(
                [crossvalidated(rows, folds(rows, split, seed), make, seed=seed) for split in SPLITS],
                {"split": [*SPLITS], "rate": [*RATES]},
            ),
            "outer": xr.DataArray(
                [[rms(level(part) - y[part]) for level in levels] for part in parts.values()],
                {"asked": [*parts], "rate": [*RATES]},
            ),
        }
    )


# --- one change at a time -----------------------------------------------------------------------------------

DEEP = 2  # hidden layers
AS_IT_IS, HALF, LONGER, DECAY, HERTZ = CHANGES = (
    "as it is",
    "half of the runs",
    "twice the steps",
    "weight decay",
    "hertz, not their logarithm",
)


@experiment(
    "08_changes", within={"rate": RATES, "score": ("inner", NEW_RUNS)}, seeds=36, minutes=2.4, chunk=4, change=CHANGES
)
def changed(seed: int, change: str) -> Data:
    """Return a network's error by cross-validation by runs, and on new runs, with one thing changed."""
    rows, asked = kept(airfoil()[2], seed)
    X, y, run = airfoil()
    options: dict[str, Any] = {}
    if change == HALF:
        some = np.random.default_rng(seed).permutation(np.unique(run[rows]))
        rows, options = rows[np.isin(run[rows], some[: len(some) // 2])], {"epochs": 2 * EPOCHS}  # equal steps
    elif change == LONGER:
        options = {"epochs": 2 * EPOCHS}
    elif change == DECAY:
        options = {"optimizer": "adamw", "weight_decay": 0.1}
    elif change == HERTZ:
        options = {"X": np.column_stack([np.exp(X[:, 0]), X[:, 1:]])}
    make = partial(build, DEEP, STUDIO)
    inner = crossvalidated(rows, folds(rows, RUNS, seed), make, seed=seed, **options)
    (levels,) = fitted([rows], make, seed=seed, **options)
    outer = [rms(level(asked[NEW_RUNS]) - y[asked[NEW_RUNS]]) for level in levels]
    return xr.Dataset({"error": xr.DataArray([inner, outer], {"score": ["inner", NEW_RUNS], "rate": [*RATES]})})


def after(data: Data, change: str) -> xr.DataArray:
    """Return the error on new runs by seed with a change, each seed's rate chosen by cross-validation."""
    inner, outer = (
        data["error"].sel(change=change, score=score).transpose("seed", "rate") for score in ("inner", NEW_RUNS)
    )
    best = np.nan_to_num(inner.values, nan=np.inf).argmin(axis=1)
    return xr.DataArray(outer.values[np.arange(len(best)), best], {"seed": inner["seed"].values})


# --- several starts, averaged -------------------------------------------------------------------------------

STARTS, AVERAGED_DEPTHS = 4, (1, 2, 3)
SINGLE, AVERAGED = TOLD_BY = ("single starts", "four averaged")


@experiment(
    "08_averaged",
    within={"told": TOLD_BY, "asked": ("validation", *ASKED), "rate": RATES},
    seeds=48,
    minutes=1.8,
    chunk=4,
    depth=AVERAGED_DEPTHS,
    unstable={"error": 0.2},
)
def averaged(seed: int, depth: int) -> Data:
    """Return the mean error of networks from several starts, and that of their mean, with STUDIO parameters.

    A quarter of the runs to develop with is for validation.
    """
    rows, asked = kept(airfoil()[2], seed)
    y, fold = airfoil()[1], folds(rows, RUNS, seed)
    parts, learn = {"validation": rows[fold == 0], **asked}, rows[fold != 0]
    levels = [fitted([learn], partial(build, depth, STUDIO), seed=1000 * seed + start)[0] for start in range(STARTS)]
    errors = np.empty((len(TOLD_BY), len(parts), len(RATES)))
    for place, part in enumerate(parts.values()):
        for k in range(len(RATES)):
            said = np.array([level[k](part) for level in levels]) - y[part]
            errors[:, place, k] = np.mean([rms(one) for one in said]), rms(said.mean(axis=0))
    axes = {"told": [*TOLD_BY], "asked": [*parts], "rate": [*RATES]}
    return xr.Dataset({"error": xr.DataArray(errors, axes)})


def averaged_lead(data: Data, told: str, asked: str) -> xr.DataArray:
    """Return one layer's error minus the best deeper network's, by seed, depth and rate chosen on validation runs."""
    one, deeper = (_told_best(data, told, asked, depths) for depths in (AVERAGED_DEPTHS[:1], AVERAGED_DEPTHS[1:]))
    return one - deeper


def averaged_gain(data: Data) -> xr.DataArray:
    """Return the best deeper network's mean error on new runs of single starts minus that of their average, by seed."""
    single, together = (_told_best(data, told, NEW_RUNS, AVERAGED_DEPTHS[1:]) for told in TOLD_BY)
    return single - together


def _told_best(data: Data, told: str, asked: str, depths: Sequence[int]) -> xr.DataArray:
    flat = data["error"].sel(told=told, depth=list(depths)).transpose("seed", "asked", "depth", "rate")
    numbers = flat.values.reshape(*flat.shape[:2], -1)
    chosen_at = np.nan_to_num(numbers[:, 0], nan=np.inf).argmin(axis=1)
    place = ("validation", *ASKED).index(asked)
    return xr.DataArray(numbers[np.arange(len(numbers)), place, chosen_at], {"seed": flat["seed"].values})


# --- no networks ------------------------------------------------------------------------------------------

LINE, NEIGHBOURS, TREES = RIVALS = ("straight line", "nearest neighbours", "boosted trees")
NEAREST, LEAVES, GROWN = (1, 2, 3, 5, 10), (7, 15), (50, 100, 200, 400)


def predicted(rival: str, learned: Array, rows: Array) -> list[Array]:
    """Return what a rival with each of its settings says of these rows' levels, after learning others."""
    X, y, _ = airfoil()
    if rival == TREES:
        grown = [
            HistGradientBoostingRegressor(max_iter=max(GROWN), max_leaf_nodes=leaves, early_stopping=False).fit(
                X[learned], y[learned]
            )
            for leaves in LEAVES
        ]
        return [said for trees in grown for k, said in enumerate(trees.staged_predict(X[rows]), 1) if k in GROWN]
    models: list[RegressorMixin] = [LinearRegression()]
    if rival == NEIGHBOURS:
        models = [KNeighborsRegressor(count) for count in NEAREST]
    return [make_pipeline(StandardScaler(), model).fit(X[learned], y[learned]).predict(X[rows]) for model in models]


@experiment("08_rivals", within={"split": SPLITS, "asked": ASKED}, seeds=12, minutes=1, chunk=2, rival=RIVALS)
def rivals(seed: int, rival: str) -> Data:
    """Return the errors of a rival's best setting, chosen by cross-validation that holds out rows or runs."""
    rows, asked = kept(airfoil()[2], seed)
    y, found = airfoil()[1], []
    outer = {name: predicted(rival, rows, part) for name, part in asked.items()}
    for split in SPLITS:
        fold, squares = folds(rows, split, seed), 0.0
        for number in range(FOLDS):
            held = rows[fold == number]
            said = predicted(rival, rows[fold != number], held)
            squares = squares + np.array([np.sum((one - y[held]) ** 2) for one in said])
        best = int(np.argmin(squares))
        found.append([rms(outer[name][best] - y[asked[name]]) for name in ASKED])
    return xr.Dataset({"error": xr.DataArray(found, {"split": [*SPLITS], "asked": [*ASKED]})})


# --- reading ----------------------------------------------------------------------------------------------


def chosen(data: Data, split: str, depths: Sequence[int] = DEPTHS) -> Data:
    """Return of each seed the "inner" and "outer" errors of the network that is best by cross-validation.

    Among these depths, over all budgets and rates.
    """
    settings = ("depth", "parameters", "rate")
    some = data.sel(depth=list(depths))
    inner = some["inner"].sel(split=split).transpose("seed", *settings)
    outer = some["outer"].transpose("seed", "asked", *settings)
    flat = np.nan_to_num(inner.values.reshape(inner.sizes["seed"], -1), nan=np.inf)
    best = flat.argmin(axis=1)
    places = np.arange(len(best))
    at = np.unravel_index(best, inner.shape[1:])
    return xr.Dataset(
        {
            "inner": ("seed", flat[places, best]),
            "outer": (("seed", "asked"), outer.values.reshape(*outer.shape[:2], -1)[places, :, best]),
            **{name: ("seed", inner[name].values[where]) for name, where in zip(settings, at, strict=True)},
        },
        {"seed": inner["seed"], "asked": outer["asked"]},
    )


def lead(data: Data, split: str, asked: str) -> xr.DataArray:
    """Return the error of the best single layer minus that of the best deeper network, by seed, chosen alike."""
    one, deeper = (chosen(data, split, depths)["outer"].sel(asked=asked) for depths in (DEPTHS[:1], DEPTHS[1:]))
    return (one - deeper).reset_coords(drop=True)


def promise(data: Data, split: str, asked: str) -> xr.DataArray:
    """Return the error kept for the end over that of cross-validation, by seed, of the network chosen by a split."""
    best = chosen(data, split)
    return best["outer"].sel(asked=asked).reset_coords(drop=True) / best["inner"]
