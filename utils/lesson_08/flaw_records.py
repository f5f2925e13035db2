"""What excursion 08a measures: each experiment as it is told and as it is mended, and inputs that are scaled."""

from __future__ import annotations

import numpy as np
import torch
import xarray as xr

from utils.claims import experiment
from utils.data import load_table
from utils.lesson_08.flaw_draws import one_arm, wild
from utils.lesson_08.flaws import EXPERIMENTS, STEPS, mended, told

TOLD, MENDED = VERSIONS = ("as told", "mended")
ENDS = ("first", "other")  # the two sides
LONGER = 5 * STEPS
SHARES, SCALED_BY = (0.3, 0.7), ("training", "all")  # of a table, to train on and held out


@experiment(
    "08_flaws",
    seeds=20,
    minutes=1.2,
    chunk=1,
    experiment=EXPERIMENTS,
    version=VERSIONS,
    within={"side": ENDS},
    unstable={"number": 0.2},  # networks whose rate is too large
)
def flaws(seed: int, experiment: str, version: str) -> xr.Dataset:
    """Return both sides' numbers of an experiment, as it is told or as it is mended, on the same data."""
    data = wild(experiment, np.random.default_rng(seed))
    numbers = (told if version == TOLD else mended)(experiment, data)
    return xr.Dataset({"number": xr.DataArray(numbers, {"side": [*ENDS]}, ["side"])})


def lead(data: xr.Dataset, experiment: str, version: str) -> xr.DataArray:
    """Return by seed the second side's lead, of two errors: the first side's number minus the second's."""
    one, other = (data["number"].sel(experiment=experiment, version=version, side=side, drop=True) for side in ENDS)
    return one - other


def speed_lead(data: xr.Dataset, steps: int) -> xr.DataArray:
    """Return by seed three layers' lead in experiment M after so many steps."""
    one, other = (data["number"].sel(steps=steps, side=side, drop=True) for side in ENDS)
    return one - other


def ratio(data: xr.Dataset, experiment: str, version: str) -> xr.DataArray:
    """Return by seed the first side's number over the second's."""
    one, other = (data["number"].sel(experiment=experiment, version=version, side=side, drop=True) for side in ENDS)
    return one / other


@experiment("08_speed", seeds=20, minutes=0.7, chunk=1, steps=(STEPS, LONGER), within={"side": ENDS})
def speed(seed: int, steps: int) -> xr.Dataset:
    """Return both sides' numbers of experiment M, after so many steps, each side with the seeds' best rate."""
    numbers = told("M", {**wild("M", np.random.default_rng(seed)), "steps": steps})
    return xr.Dataset({"number": xr.DataArray(numbers, {"side": [*ENDS]}, ["side"])})


@experiment("08_arms", seeds=40, minutes=0.1, chunk=40, within={"features": ("without", "with")})
def own_noise(seed: int) -> xr.Dataset:
    """Return both sides' errors of experiment I on a spiral whose arms have noise of their own, and so no twins."""
    rng = np.random.default_rng(seed)
    data = one_arm(rng)
    other = -one_arm(rng)["arm"]
    X, y = np.concatenate([data["arm"], other]), np.repeat([1, -1], len(other))
    found = [ridge_error(X @ data["W"] + b, y, data["held"]) for b in (0, data["b"])]
    return xr.Dataset({"error": xr.DataArray(found, {"features": ["without", "with"]}, ["features"])})


def ridge_error(inputs: np.ndarray, y: np.ndarray, held: np.ndarray) -> float:
    """Return the share of held-out labels that a ridge fit to tanh features of these inputs misses."""
    features = np.tanh(inputs)
    F = features[~held]
    w = np.linalg.solve(F.T @ F + 0.01 * np.eye(F.shape[1]), F.T @ y[~held])
    return float(np.mean(np.sign(features[held] @ w) != y[held]))


@experiment("08_scaling", seeds=100, chunk=100, minutes=0.1, within={"rows": SCALED_BY})
def scaling(seed: int) -> xr.Dataset:
    """Return held-out errors of five nearest neighbours on the table of tumours, scaled by few rows or by all."""
    from sklearn.neighbors import KNeighborsClassifier  # a second to load

    (X, y), (X_new, y_new) = load_table("breast_cancer", SHARES, generator=torch.Generator().manual_seed(seed))
    rows, found = torch.cat([X, X_new]), []
    for low, spread in ((0.0, 1.0), (rows.mean(dim=0), rows.std(dim=0))):  # the table comes scaled by its first part
        model = KNeighborsClassifier(5).fit((X - low) / spread, y)
        found.append(1 - model.score((X_new - low) / spread, y_new))
    return xr.Dataset({"error": xr.DataArray(found, {"rows": [*SCALED_BY]}, ["rows"])})
