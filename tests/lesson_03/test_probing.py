"""Lesson 03's probes: what a stage is, what is fitted and scored on what; and a fair race with random features."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import xarray as xr
from sklearn.linear_model import LogisticRegression
from torch import nn

from tests.generators import seeded
from tests.made_up import made_up
from utils.data import spirals
from utils.lesson_03 import page, probing, probing_figures
from utils.lesson_03.claims.probing import FEATURES, LINED, PROBES
from utils.models import count_parameters
from utils.pages import prediction
from utils.statistics import Estimate


def path_network(seed: int) -> nn.Sequential:
    """The network as a reader writes it on the path."""

    def block():
        return nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return nn.Sequential(*[block() for _ in range(4)], nn.Linear(2, 2))


def points(n: int = 60, *, seed: int = 0, turns: float = 1.5):
    return spirals(n, generator=seeded(seed), turns=turns, noise=0.05)


# --- stages -----------------------------------------------------------------------------------------------


def test_the_measured_blocks_are_the_paths_and_their_stages_what_its_hooks_collect():
    nested, flat, X = path_network(3), probing.blocks(generator=seeded(3)), points()[0]
    planes = []
    for block in nested[:4]:
        block.register_forward_hook(lambda _, __, plane: planes.append(plane.detach().numpy()))
    y_hat = nested(X)
    np.testing.assert_array_equal(flat(X).detach(), y_hat.detach())
    np.testing.assert_array_equal(probing.stages(flat, X), [X.numpy(), *planes])


def test_a_plain_networks_stages_are_its_hidden_layers_after_the_activation():
    model, X = probing.NETWORKS["plain"](generator=seeded(0)), points()[0]
    z, wanted = X, [X]
    for layer in [module for module in model if isinstance(module, nn.Linear)]:
        wanted.append(z := (z @ layer.weight.T + layer.bias).relu())
    found = probing.stages(model, X)
    assert [stage.shape[1] for stage in found] == [2, 16, 16, 16, 16]
    for stage, known in zip(found, wanted, strict=False):
        np.testing.assert_allclose(stage, known.detach(), rtol=1e-5, atol=1e-6)


# --- probes -----------------------------------------------------------------------------------------------


def test_a_probe_does_not_mind_how_large_a_stage_is_or_where():
    (X, y), (X_new, y_new) = points(400, seed=1, turns=0.4), points(400, seed=2, turns=0.4)
    scores = [
        probing.read([scale * X.numpy() + shift], y, [scale * X_new.numpy() + shift], y_new, probing.line_reader())
        for scale, shift in ((1, 0), (0.001, 3), (1000, -1))
    ]
    assert scores[0] > 0.75
    assert np.ptp(scores) <= 0.005


def test_a_probe_is_fitted_on_some_points_and_scored_on_others():
    X, y = points(300, seed=1)
    guesses = torch.randint(2, (300,), generator=seeded(5))
    found = probing.read_stages(probing.blocks(generator=seeded(0)), (X, guesses), points(2000, seed=2))
    # a nearest neighbour knows each guess by heart, so only on its own points it would be right
    assert found.sel(reader=[probing.LINE, probing.NEIGHBOUR]).max() < 0.65


def test_the_neighbour_is_the_nearest_and_the_outer_half_the_outer_one():
    probed, (X_new, y_new) = points(300, seed=1), points(200, seed=2)
    found = probing.read_stages(model := probing.blocks(generator=seeded(0)), probed, (X_new, y_new))
    for stage, known, new in zip(probing.STAGES, *(probing.stages(model, X) for X in (probed[0], X_new)), strict=True):
        nearest = ((new[:, None].astype(float) - known[None]) ** 2).sum(-1).argmin(1)
        right = (probed[1][nearest] == y_new).double().mean().item()
        assert found.sel(reader=probing.NEIGHBOUR, stage=stage).item() == pytest.approx(right)
    ring = torch.tensor([[0.0, 0.97], [-0.8, 0.8], [0.0, -1.1], [0.6, 0.6]])
    assert probing.is_outer(ring).tolist() == [0, 1, 1, 0]


@pytest.mark.slow
def test_a_seeds_probes_do_not_depend_on_the_others_and_training_helps_a_line(monkeypatch):
    monkeypatch.setattr(probing, "STEPS", {**probing.STEPS, "epochs": 20})
    monkeypatch.setattr(probing, "TURNS", (1.0,))
    both, alone = (probing.measure_probes(seeds, ["blocks"]) for seeds in ([1, 7], [7]))
    xr.testing.assert_identical(both.sel(seed=[7]), alone)
    own, last = alone["accuracy"].item(), alone.sel(reader=probing.LINE, stage=4)
    assert last["trained"].item() == pytest.approx(own, abs=0.03)
    assert last["untrained"].item() < own - 0.1


@pytest.mark.slow
def test_each_seed_takes_the_rate_that_is_best_on_its_own_validation_points(monkeypatch):
    monkeypatch.setattr(probing, "STEPS", {**probing.STEPS, "epochs": 1})
    monkeypatch.setattr(probing, "TURNS", (1.0,))
    swept = probing.train_on_spirals(probing.blocks, 1.0, [1, 7])
    scores, best = swept.scores(), {1: 0.03, 7: 0.3}
    scores.loc[{"part": ["training", "probed"], "rate": 0.001}] = 3
    for seed, rate in best.items():
        scores.loc[{"part": "validation", "seed": seed, "rate": rate}] = 2
    made = SimpleNamespace(scores=lambda: scores, model=swept.model, parts=swept.parts, seeds=swept.seeds)
    monkeypatch.setattr(probing, "train_on_spirals", lambda *_: made)
    found = probing.measure_probes([1, 7], ["blocks"]).sel(network="blocks", turns=1.0)
    for parts, (seed, rate) in zip(swept.parts, best.items(), strict=True):
        assert found["accuracy"].sel(seed=seed) == scores.sel(part="held-out", seed=seed, rate=rate)
        np.testing.assert_array_equal(
            found["trained"].sel(seed=seed), probing.read_stages(swept.model(seed, rate), *parts[2:])
        )
        initial = probing.blocks(generator=seeded(2 * seed + 1))
        np.testing.assert_array_equal(found["untrained"].sel(seed=seed), probing.read_stages(initial, *parts[2:]))


# --- random features --------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", probing.WIDTHS)
def test_as_many_trained_parameters_are_as_many(width):
    network, read_out = probing.hidden_layer(width)(generator=seeded()), nn.Linear(probing.as_many(width), 2)
    assert count_parameters(read_out) == count_parameters(network)


def test_a_random_layers_read_out_is_the_best_one_on_training_points():
    parts = probing.spiral_parts(1.5, generator=seeded(2))
    found = probing.read_random(20, parts, generator=seeded(3))
    layer = probing.hidden_layer(20)(generator=seeded(3))[0]
    ramps = [(X @ layer.weight.T + layer.bias).relu().detach().double().numpy() for X, _ in parts]
    middle, spread = ramps[0].mean(axis=0), ramps[0].std(axis=0)
    scaled = [(ramp - middle) / np.where(spread > 0, spread, 1) for ramp in ramps]
    other_way = LogisticRegression(C=100, tol=1e-9, max_iter=5000).fit(scaled[0], parts[0][1])
    for place, part in ((1, "validation"), (3, "held-out")):
        wanted = other_way.score(scaled[place], parts[place][1])
        assert found.sel(penalty=0.01, part=part).item() == pytest.approx(wanted, abs=0.002)


@pytest.mark.slow
def test_a_seeds_features_do_not_depend_on_the_others(monkeypatch):
    monkeypatch.setattr(probing, "STEPS", {**probing.STEPS, "epochs": 5})
    monkeypatch.setattr(probing, "WIDTHS", (4, 8))
    monkeypatch.setattr(probing, "RANDOM_WIDTHS", (8, 10))
    both, alone = (probing.measure_features(seeds, [1.5]) for seeds in ([1, 7], [7]))
    xr.testing.assert_identical(both.sel(seed=[7]), alone)
    parts = probing.spiral_parts(1.5, generator=seeded(14))
    again = probing.read_random(10, parts, generator=seeded(15))
    np.testing.assert_array_equal(alone["random"].sel(seed=7, random_width=10, turns=1.5), again)


# --- reading ----------------------------------------------------------------------------------------------


def test_a_fall_is_seen_at_any_stage_and_a_small_one_is_none():
    rows = [
        [0.6, 0.7, 0.8, 0.9, 1.0],
        [0.6, 0.5, 0.8, 0.9, 1.0],
        [0.6, 0.7, 0.8, 1.0, 0.97],
        [0.6, 0.59, 0.8, 0.9, 0.9],
    ]
    accuracy = xr.DataArray(rows, [("seed", range(4)), ("stage", list(probing.STAGES))])
    assert probing.falls(accuracy).values.tolist() == [0, 1, 1, 0]
    np.testing.assert_allclose(probing.rise(accuracy), [0.4, 0.4, 0.37, 0.3])


def test_a_lead_is_over_as_many_units_or_as_many_parameters_each_chosen_on_validation_points():
    data = made_up(
        FEATURES, learned=("turns", "width", "rate", "part"), random=("turns", "random_width", "penalty", "part")
    )
    ours = data["learned"].sel(turns=2.0, width=16, rate=0.03)
    others = {16: data["random"].sel(turns=2.0, random_width=16, penalty=0.1)}
    others[40] = data["random"].sel(turns=2.0, random_width=40, penalty=1e-5)
    for cell in (ours, *others.values()):  # views of what they were selected from
        cell.loc[{"part": "validation"}] = 2  # better than any other
    for equal, other in (("width", others[16]), ("parameters", others[40])):
        wanted = ours.sel(part="held-out").values - other.sel(part="held-out").values
        np.testing.assert_array_equal(probing.lead(data, 2.0, 16, equal=equal), wanted)


@pytest.fixture
def made(monkeypatch):
    probes = made_up(PROBES, "trained", "untrained", accuracy=("network", "turns"))
    features = made_up(
        FEATURES, learned=("turns", "width", "rate", "part"), random=("turns", "random_width", "penalty", "part")
    )
    records = {"03_probes": probes, "03_features": features, "03_lines": made_up(LINED, "accuracy")}
    monkeypatch.setattr(probing_figures, "recorded", records.__getitem__)
    return records


def test_figures_draw_the_medians_and_each_network(made):
    probes, lines = made["03_probes"], made["03_lines"]
    untrained = [probing.probe(probes, "blocks", turns, state="untrained") for turns in (1.0, 1.5)]
    panels = (
        (probing.probe(probes, "blocks", 1.0), untrained[0]),
        (probing.line(lines, probing.LINE), untrained[1]),
        (probing.line(lines, probing.BEST),),
    )
    for ax, states in zip(page.probe_by_stage().axes, panels, strict=True):
        drawn = [line.get_ydata() for line in ax.lines if len(line.get_ydata()) == 5]
        for wanted in (*(values.median("seed").values for values in states), *states[0].values):
            assert any(np.allclose(line, wanted) for line in drawn)
    for ax, turns in zip(page.learned_or_random().axes, probing.FEATURE_TURNS, strict=True):
        drawn = [line.get_ydata() for line in ax.lines if len(line.get_ydata()) == len(probing.WIDTHS)]
        for of, scale in ((probing.learned, 1), (probing.random, 1), (probing.random, 2.5)):
            medians = [np.median(of(made["03_features"], turns, int(scale * width))) for width in probing.WIDTHS]
            assert any(np.allclose(line, medians) for line in drawn)


def test_answers_are_what_was_recorded_and_the_right_choice_follows_them(made):
    probes, features = made["03_probes"], made["03_features"]
    found, accuracy = page.probe_answer(), probing.line(made["03_lines"], probing.LINE)
    assert found["first"].value == np.median(accuracy.sel(stage=0)) and found["last"].value == np.median(accuracy[:, 4])
    assert found["falls"] == probing.falls(accuracy).sum() and found["seeds"] == 9
    outer = probing.probe(probes, "plain", 1.5, probing.OUTER, "untrained")
    assert probing_figures.outer_untrained() == np.median(outer[:, 4])
    for name, turns, equal in (
        ("units", 1.5, "width"),
        ("parameters", 1.5, "parameters"),
        ("harder", 2.0, "parameters"),
    ):
        assert page.random_answer()[name].value == np.median(probing.lead(features, turns, 16, equal=equal))
    right = partial(_right, "03.probe")
    assert (right(falls=12, seeds=20), right(falls=1, seeds=20)) == (2, 1)
    assert [_right("03.random", units=Estimate(gap, gap, gap)) for gap in (0.01, 0.05, 0.2)] == [1, 2, 3]
    gaps = [Estimate(gap, gap, gap) for gap in (0.1, 0.0, -0.1)]
    assert [_right("03.random-parameters", parameters=gap) for gap in gaps] == [1, 2, 3]


def _right(key: str, **measured: object) -> int:
    return prediction(key).right(**measured)


@pytest.mark.slow
def test_the_best_line_is_the_best_of_all_lines_in_its_directions():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(25, 2)), rng.integers(0, 2, 25)
    most = max(
        ((sign * (X @ [np.cos(angle), np.sin(angle)] - at) > 0) == y).mean()
        for angle in np.pi * np.arange(probing.TRIED) / probing.TRIED
        for at in np.linspace(-4, 4, 2001)
        for sign in (1, -1)
    )
    assert probing.best_line(X, y, X, y) == pytest.approx(most)
    apart = np.array([[0.0, 1.0], [2.0, 1.0], [5.0, 0.0], [6.0, 2.0]])
    for labels in (np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0])):
        assert probing.best_line(apart, labels, apart + [0.3, 0], labels) == 1
