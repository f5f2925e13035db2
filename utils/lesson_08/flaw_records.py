"""What excursion 08a measures: each experiment as it is told and as it is mended, and inputs that are scaled."""

from __future__ import annotations

import numpy as np
import torch
import xarray as xr

from utils.claims import experiment
from utils.data import load_table
from utils.lesson_08.flaw_draws import wild
from utils.lesson_08.flaws import EXPERIMENTS, mended, told

TOLD, MENDED = VERSIONS = ("as told", "mended")
ENDS = ("first", "other")  # the two sides
SHARES, SCALED_BY = (0.3, 0.7), ("training", "all")  # of a table, to train on and held out


@experiment(
    "08_flaws",
    seeds=20,
    minutes=3.1,
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


def ratio(data: xr.Dataset, experiment: str, version: str) -> xr.DataArray:
    """Return by seed the first side's number over the second's."""
    one, other = (data["number"].sel(experiment=experiment, version=version, side=side, drop=True) for side in ENDS)
    return one / other


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
