"""The table, its folds, the search over it, and how the search is read."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest
import torch
import xarray as xr
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from tests.marks import ROOT
from utils.comparison import generators
from utils.lesson_08 import table
from utils.models import count_parameters, mlp


def test_the_table_is_the_published_one():
    """Its least and largest values, as the repository gives them."""
    X, y, run = table.airfoil()
    assert X.shape == (1503, 5) and (y.min(), y.max()) == (103.38, 140.987)
    assert np.exp(X[:, 0]).min() == pytest.approx(200) and np.exp(X[:, 0]).max() == pytest.approx(20_000)
    assert X[:, 1].max() == 22.2 and set(X[:, 3]) == {31.7, 39.6, 55.5, 71.3} and run.max() == 105
    for number in range(106):
        assert len(np.unique(X[run == number][:, 1:], axis=0)) == 1


@pytest.mark.parametrize("seed", range(5))
def test_what_is_kept_is_apart_from_what_is_developed_with(seed):
    rows, asked = table.kept(table.airfoil()[2], seed)
    run = table.airfoil()[2]
    assert sorted(np.concatenate([rows, *asked.values()])) == list(range(1503))
    assert not np.isin(run[asked[table.NEW_RUNS]], run[rows]).any()
    assert np.isin(run[asked[table.NEW_ROWS]], run[rows]).mean() > 0.95


@pytest.mark.parametrize("seed", range(5))
def test_folds_by_runs_tear_none_and_folds_by_rows_tear_nearly_all(seed):
    rows, run = table.kept(table.airfoil()[2], seed)[0], table.airfoil()[2]
    torn = {}
    for split in table.SPLITS:
        fold = table.folds(rows, split, seed)
        assert set(fold) == set(range(table.FOLDS)) and np.bincount(fold).max() < 2 * np.bincount(fold).min()
        torn[split] = np.mean([len(set(fold[run[rows] == number])) > 1 for number in set(run[rows])])
    assert torn[table.RUNS] == 0 and torn[table.ROWS] > 0.9


def test_a_network_without_a_hidden_layer_is_cross_validated_as_a_line_is():
    rows = table.kept(table.airfoil()[2], 0)[0]
    X, y, _ = table.airfoil()
    fold = table.folds(rows, table.RUNS, 0)
    said = cross_val_predict(LinearRegression(), X[rows], y[rows], cv=PredefinedSplit(fold))
    found = table.crossvalidated(rows, fold, lambda generator: mlp([5, 1], generator=generator), seed=0, rates=[0.03])
    assert found[0] == pytest.approx(table.rms(said - y[rows]), rel=0.02)


def test_networks_have_at_most_the_parameters_asked_for():
    for depth in table.DEPTHS:
        for parameters in table.BUDGETS:
            assert 0.8 * parameters < count_parameters(table.build(depth, parameters, generator=None)) <= parameters


def made_up() -> xr.Dataset:
    rng = np.random.default_rng(0)
    axes = {"seed": [0, 1, 2], "depth": [*table.DEPTHS], "parameters": [*table.BUDGETS]}
    rates = {"rate": [*table.RATES]}
    shape = [len(values) for values in axes.values()]
    inner = rng.uniform(1, 2, (*shape, 2, len(table.RATES)))
    inner[0, 0, 0, 0, 0] = np.nan  # a run that diverged is never chosen
    outer = rng.uniform(1, 2, (*shape, 3, len(table.RATES)))
    return xr.Dataset(
        {
            "inner": xr.DataArray(inner, {**axes, "split": [*table.SPLITS], **rates}),
            "outer": xr.DataArray(outer, {**axes, "asked": ["training", *table.ASKED], **rates}),
        }
    )


@pytest.mark.parametrize("depths", [table.DEPTHS, (1,), (2, 3, 5)])
@pytest.mark.parametrize("split", table.SPLITS)
def test_the_chosen_network_is_the_one_that_brute_force_finds(split, depths):
    data = made_up()
    best = table.chosen(data, split, depths)
    for seed in range(3):
        least = min(
            (float(data["inner"].sel(seed=seed, split=split, **at)), at)
            for depth in depths
            for parameters in table.BUDGETS
            for rate in table.RATES
            if np.isfinite(
                data["inner"].sel(
                    seed=seed, split=split, **(at := {"depth": depth, "parameters": parameters, "rate": rate})
                )
            )
        )
        assert float(best["inner"].sel(seed=seed)) == least[0]
        for asked in table.ASKED:
            wanted = float(data["outer"].sel(seed=seed, asked=asked, **least[1]))
            assert float(best["outer"].sel(seed=seed, asked=asked)) == wanted


def test_a_lead_and_a_promise_are_read_off_the_chosen_networks():
    data = made_up()
    one, deeper, best = (table.chosen(data, table.RUNS, depths) for depths in ((1,), (2, 3, 5), table.DEPTHS))
    difference = (one["outer"] - deeper["outer"]).sel(asked=table.NEW_RUNS).values
    np.testing.assert_allclose(table.lead(data, table.RUNS, table.NEW_RUNS), difference)
    ratio = best["outer"].sel(asked=table.NEW_ROWS).values / best["inner"].values
    np.testing.assert_allclose(table.promise(data, table.RUNS, table.NEW_ROWS), ratio)


def test_neighbours_and_trees_learn_and_a_line_is_scikit_learns():
    rows, asked = table.kept(table.airfoil()[2], 1)
    X, y, _ = table.airfoil()
    (line,) = table.predicted(table.LINE, rows, asked[table.NEW_RUNS])
    np.testing.assert_allclose(line, LinearRegression().fit(X[rows], y[rows]).predict(X[asked[table.NEW_RUNS]]))
    nearest = table.predicted(table.NEIGHBOURS, rows, rows)
    assert table.rms(nearest[0] - y[rows]) < 0.01  # each row is its own nearest neighbour


def test_a_change_is_read_at_the_rate_that_cross_validation_chose():
    rng = np.random.default_rng(1)
    axes = {"seed": [0, 1], "change": [*table.CHANGES], "score": ["inner", table.NEW_RUNS], "rate": [*table.RATES]}
    data = xr.Dataset({"error": xr.DataArray(rng.uniform(size=[len(one) for one in axes.values()]), axes)})
    for seed in range(2):
        inner, outer = (data["error"].sel(seed=seed, change=table.DECAY, score=score) for score in axes["score"])
        assert float(table.after(data, table.DECAY)[seed]) == float(outer[int(inner.values.argmin())])


def test_of_averages_the_rate_and_the_depth_are_those_that_validation_runs_chose():
    rng = np.random.default_rng(2)
    axes = {
        "seed": [0, 1, 2],
        "told": [*table.TOLD_BY],
        "asked": ["validation", *table.ASKED],
        "depth": [*table.AVERAGED_DEPTHS],
        "rate": [*table.RATES],
    }
    data = xr.Dataset({"error": xr.DataArray(rng.uniform(size=[len(one) for one in axes.values()]), axes)})
    for seed in range(3):
        cell, found = data["error"].sel(seed=seed, told=table.AVERAGED), {}
        for side, depths in ((0, (1,)), (1, (2, 3))):
            _, depth, rate = min(
                (float(cell.sel(asked="validation", depth=depth, rate=rate)), depth, rate)
                for depth in depths
                for rate in table.RATES
            )
            found[side] = float(cell.sel(asked=table.NEW_ROWS, depth=depth, rate=rate))
        lead = table.averaged_lead(data, table.AVERAGED, table.NEW_ROWS)
        assert float(lead[seed]) == pytest.approx(found[0] - found[1])


def test_what_a_network_has_learned_it_says_in_decibels():
    rows = table.kept(table.airfoil()[2], 0)[0]
    y = table.airfoil()[1]
    level = table.fitted([rows], partial(table.build, 1, 400), seed=0, rates=[0.03], epochs=30)[0][0]
    assert table.rms(level(rows) - y[rows]) < 0.6 * y.std()


def test_the_loop_that_the_page_shows_trains_as_the_search_does():
    """From the same weights, with batches in the same order; a few epochs, since rounding grows with the steps."""
    source = (ROOT / "notebooks/08_design_studio.py").read_text(encoding="utf-8")
    names: dict = {"torch": torch}
    exec(re.search(r"^def train\(.*?^    return model$", source, re.DOTALL | re.MULTILINE)[0], names)
    X, y, run = table.airfoil()
    rows = table.kept(run, 1)[0]
    level = table.fitted([rows], partial(table.build, 2, 400), seed=1, rates=[0.03], epochs=4)[0][0]
    model = table.build(2, 400, generator=generators(1)[1])
    inputs, levels = ((part - part[rows].mean(0)) / part[rows].std(0) for part in (X, y[:, None]))
    inputs, levels = torch.tensor(inputs).float(), torch.tensor(levels).float()
    names["train"](model, inputs[rows], levels[rows], 0.03, torch.Generator().manual_seed(0), epochs=4)
    mine = y[rows].mean() + y[rows].std() * model(inputs)[:, 0].detach().numpy()
    np.testing.assert_allclose(mine, level(np.arange(len(y))), atol=0.01)
