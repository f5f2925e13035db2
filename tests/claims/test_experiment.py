"""An experiment is made of the function that measures one cell of it, and knows how its scores are read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest
import xarray as xr

from tests.engine.test_comparison import OPTIONS, ring_parts
from utils.claims import Experiment, experiment
from utils.comparison import ACCURACY, HELD_OUT, PARTS, VALIDATION, Score, Sweep, sweep
from utils.models import mlp

SCORES = (Score("right", larger_is_better=True), Score("wrong", of=min))


class Trained:
    """Stands for a sweep: its scores are other numbers for each seed, rate and part."""

    def __init__(self, seeds: Sequence[int], width: int) -> None:
        self.seeds, self.width = seeds, width

    def scores(self, of) -> xr.DataArray:
        shift = 0.5 if of is min else 0.0
        values = [
            [[shift + seed + self.width + rate * 10 + place for place in range(3)] for rate in (0.1, 0.3)]
            for seed in self.seeds
        ]
        return xr.DataArray(values, [("seed", list(self.seeds)), ("rate", [0.1, 0.3]), ("part", list(PARTS))])


@experiment("90_trained", *SCORES, rates=(0.1, 0.3), seeds=12, width=(2, 4))
def trained(seeds: Sequence[int], width: int) -> Trained:
    return Trained(seeds, width)


@experiment("90_each", minutes=3, within={"layer": (1, 2)}, name_of={"u": 10, "v": 20})
def each(seed: int, name_of: str) -> xr.Dataset:
    return xr.Dataset({"code": ("layer", [seed, ord(name_of)])}, {"layer": [1, 2]})


def test_it_has_the_fields_that_are_said_at_its_function():
    assert isinstance(each, Experiment)
    assert (each.name, each.minutes, each.seeds, each.scores) == ("90_each", 3, 20, ())
    assert each.axes == {"name_of": ("u", "v"), "layer": (1, 2)}
    assert trained.axes == {"width": (2, 4), "rate": (0.1, 0.3), "part": (VALIDATION, HELD_OUT)}


def test_every_cell_is_measured():
    data = each.measure([5, 7])
    assert data["code"].dims == ("seed", "name_of", "layer")
    for seed in (5, 7):
        for name in "uv":
            assert data["code"].sel(seed=seed, name_of=name).values.tolist() == [seed, ord(name)]
    assert each.measure([5], name_of=["w"])["code"].values.tolist() == [[[5, ord("w")]]]


def test_the_recorded_parts_of_all_scores_are_there():
    data = trained.measure([3, 1])
    for score, shift in (("right", 0.0), ("wrong", 0.5)):
        assert data[score].sizes == {"width": 2, "seed": 2, "rate": 2, "part": 2}
        assert data[score].sel(width=4, seed=1, rate=0.3, part=HELD_OUT) == pytest.approx(shift + 1 + 4 + 3 + 2)


def test_a_sweeps_scores_are_those_of_its_networks():
    def train(seeds: Sequence[int], width: int) -> Sweep:
        return sweep(partial(mlp, [2, width, 2]), ring_parts, seeds=seeds, lrs=[0.1], **OPTIONS)

    data = experiment("90_swept", ACCURACY, rates=[0.1], width=(2, 4))(train).measure([3])["accuracy"]
    assert data.sizes == {"width": 2, "seed": 1, "rate": 1, "part": 2}
    xr.testing.assert_equal(data.sel(width=4, drop=True), train([3], 4).scores().sel(part=[VALIDATION, HELD_OUT]))
    rows = experiment("90_rows", Score("rows", of=lambda model, X, y: len(X)), rates=[0.1], parts=["training"])
    measured = rows(partial(train, width=2)).measure([3])["rows"]
    assert measured.item() == len(train([3], 2).parts[0][0][0])


def test_a_cell_without_axes_is_measured_once():
    @experiment("90_one")
    def one(seeds: Sequence[int]) -> xr.Dataset:
        return xr.Dataset({"n": ("seed", [seed + 0.5 for seed in seeds])}, {"seed": list(seeds)})

    assert one.measure([4, 2])["n"].values.tolist() == [4.5, 2.5]


def test_the_best_rate_is_that_on_validation_data_and_which_way_is_known():
    data = trained.measure([3, 1, 2])
    for score, rate in (("right", 0.3), ("wrong", 0.1)):
        for part in (VALIDATION, HELD_OUT):
            wanted = data[score].sel(width=2, rate=rate, part=part).reset_coords(drop=True)
            xr.testing.assert_equal(trained.best(data, score=score, part=part, width=2), wanted)
    data["right"].loc[{"part": HELD_OUT}] = -data["right"].sel(part=HELD_OUT)  # does not change the choice
    assert (trained.best(data, width=4) == data["right"].sel(width=4, rate=0.3, part=HELD_OUT)).all()
    assert np.isfinite(trained.best(data, width=4)).all()


@pytest.mark.parametrize("more", [{"seed": (1, 2)}, {"unstable": {"x": 2.0}}, {"seeds": 3}])
def test_what_cannot_be_an_experiment(more):
    with pytest.raises((TypeError, ValueError)):
        experiment("90_odd", **more)(lambda seeds: None)
