"""Lesson 03's probes: what a stage is, what is fitted and scored on what; and a fair race with random features."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import xarray as xr
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression, LogisticRegression
from torch import nn

from tests.generators import seeded
from tests.made_up import made_up
from utils.data import spirals, split
from utils.lesson_03 import probe_runs, probing, probing_figures
from utils.models import count_parameters, mlp


def points(n: int = 60, *, seed: int = 0, turns: float = 1.5):
    return spirals(n, generator=seeded(seed), turns=turns, noise=0.05)


# --- stages -----------------------------------------------------------------------------------------------


def test_the_measured_blocks_are_the_paths_and_their_stages_what_its_hooks_collect():
    with torch.random.fork_rng():  # the network as a reader writes it on the path
        torch.manual_seed(3)
        rows = [nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2)) for _ in range(4)]
        nested = nn.Sequential(*rows, nn.Linear(2, 2))
    flat, X, planes = probing.blocks(generator=seeded(3)), points()[0], []
    for block in nested[:4]:
        block.register_forward_hook(lambda _, __, plane: planes.append(plane.detach().numpy()))
    np.testing.assert_array_equal(flat(X).detach(), nested(X).detach())
    np.testing.assert_array_equal(probing.stages(flat, X), [X.numpy(), *planes])


def test_a_plain_networks_stages_are_its_hidden_layers_after_the_activation():
    model, X = probing.NETWORKS["plain"](generator=seeded(0)), points()[0]
    z, wanted = X, [X]
    for layer in [module for module in model if isinstance(module, nn.Linear)][:-1]:
        wanted.append(z := (z @ layer.weight.T + layer.bias).relu())
    for stage, known in zip(probing.stages(model, X), wanted, strict=True):
        np.testing.assert_allclose(stage, known.detach(), rtol=1e-5, atol=1e-6)


# --- probes -----------------------------------------------------------------------------------------------


def test_a_probe_is_fitted_on_some_points_and_scored_on_others():
    X, y = points(300, seed=1)
    guesses = torch.randint(2, (300,), generator=seeded(5))
    readers = [probing.LINE, probing.BEST, probing.NEIGHBOUR]
    found = probing.read_stages(probing.blocks(generator=seeded(0)), (X, guesses), points(2000, seed=2), readers)
    assert found.max() < 0.65  # a nearest neighbour knows each guess by heart: only on its own points it would be right


def test_the_neighbour_is_the_nearest_and_the_outer_half_the_outer_one():
    probed, (X_new, y_new) = points(300, seed=1), points(200, seed=2)
    found = probing.read_stages(model := probing.blocks(generator=seeded(0)), probed, (X_new, y_new))
    known, new = (probing.stages(model, X)[2] for X in (probed[0], X_new))
    nearest = ((new[:, None].astype(float) - known[None]) ** 2).sum(-1).argmin(1)
    right = (probed[1][nearest] == y_new).double().mean().item()
    assert found.sel(reader=probing.NEIGHBOUR, stage=2).item() == pytest.approx(right)
    far, far_new = (np.hypot(*X.numpy().T) > 1 for X in (probed[0], X_new))
    right = probing.line_reader().fit(known, far).score(new, far_new)
    assert found.sel(reader=probing.OUTER, stage=2).item() == pytest.approx(right)


@pytest.mark.slow
def test_the_best_line_is_the_best_of_all_lines_in_its_directions():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(25, 2)), rng.integers(0, 2, 25)
    most = max(
        ((sign * (X @ [np.cos(angle), np.sin(angle)] - at) > 0) == y).mean()
        for angle in np.pi * np.arange(probing.TRIED) / probing.TRIED
        for at in np.linspace(-4, 4, 801)
        for sign in (1, -1)
    )
    assert probing.right_of(probing.best_line(X, y), X, y) == pytest.approx(most)
    apart = np.array([[0.0, 1.0], [2.0, 1.0], [5.0, 0.0], [6.0, 2.0]])
    for labels in (np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0])):
        assert probing.right_of(probing.best_line(apart, labels), apart + [0.3, 0], labels) == 1


def test_the_picture_of_two_components_says_what_scikit_learn_says_that_they_keep():
    H = (
        torch.randn(80, 6, generator=seeded(5))
        * torch.tensor([3.0, 2, 1, 1, 0.5, 0.2])
        @ torch.randn(6, 6, generator=seeded(6))
    )
    H, y = H - H.mean(dim=0), torch.arange(80) % 2
    fitted = PCA(2).fit(H.double().numpy())
    flat = torch.tensor(fitted.transform(H.double().numpy()))
    asked = []

    def accuracy(X, y, new_X, new_y):
        asked.append((X, y, new_X, new_y))
        return (0.61, 0.987, 0.5, 1.0)[len(asked) - 1]

    ax, other = probing_figures.components([(flat, H), (flat, H)], y, accuracy).axes
    assert ax.get_title() == f"layer 1: {fitted.explained_variance_ratio_.sum():.0%}\nof the variance"
    assert other.get_title().startswith("layer 2")
    assert "0.61 in the picture" in ax.get_xlabel() and "0.99 in all" in ax.get_xlabel()
    for parts, of in zip(asked, (flat, H, flat, H), strict=True):
        assert all(map(torch.equal, parts, (of[:40], y[:40], of[40:], y[40:])))
    for line, label in zip(ax.lines, (0, 1), strict=True):
        np.testing.assert_allclose(np.transpose(line.get_data()), flat[y == label])


@pytest.mark.slow
def test_each_seed_takes_the_rate_that_is_best_on_its_own_validation_points(monkeypatch):
    monkeypatch.setattr(probing, "EPOCHS", 1)
    monkeypatch.setattr(probing, "RATES", (0.001, 0.03, 0.3))
    swept = probing.train_on_spirals(probing.blocks, 1.0, [1, 7])
    scores, best = swept.scores(), {1: 0.03, 7: 0.3}
    scores.loc[{"part": ["training", "probed", "held-out"], "rate": 0.001}] = 3
    for seed, rate in best.items():
        scores.loc[{"part": "validation", "seed": seed, "rate": rate}] = 2
    made = SimpleNamespace(scores=lambda: scores, model=swept.model, parts=swept.parts, seeds=swept.seeds)
    monkeypatch.setattr(probing, "train_on_spirals", lambda *_: made)
    found = probing.best_networks(probing.blocks, 1.0, [1, 7])
    assert [model for _, model in found.values()] == [swept.model(seed, rate) for seed, rate in best.items()]
    assert [parts for parts, _ in found.values()] == swept.parts


# --- random features --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [probing.DIGITS, *((2 + more, 16, 2) for more in probing.MORE)])
def test_as_many_trained_parameters_are_as_many(sizes):
    network, read_out = mlp(sizes, generator=seeded()), nn.Linear(probing.as_many(*sizes), sizes[2])
    assert count_parameters(read_out) == count_parameters(network)


def test_inputs_that_say_nothing_leave_the_spiral_as_it_is_and_know_nothing_of_the_arm():
    (X, y), (plain, arm) = (probing.beside_noise(4000, generator=seeded(1), more=more, turns=1) for more in (18, 0))
    assert torch.equal(X[:, :2], plain) and torch.equal(y, arm)
    means, spreads = (torch.stack([of(X[y == one, 2:], 0) for one in (0, 1)]) for of in (torch.mean, torch.std))
    assert means.abs().max() < 0.1 and (spreads - 1).abs().max() < 0.1


def test_a_random_layers_read_out_is_the_best_one_on_training_points():
    parts = split(spirals, 1000, 1000, 4000, generator=seeded(2), turns=1.5, noise=0.05)
    found = probing.read_random([2, 20, 2], parts, {0.01: probing.line_reader(0.01)}, generator=seeded(3))
    layer = mlp([2, 20, 2], generator=seeded(3))[0]
    ramps = [(X @ layer.weight.T + layer.bias).relu().detach().double().numpy() for X, _ in parts]
    middle, spread = ramps[0].mean(axis=0), ramps[0].std(axis=0)
    scaled = [(ramp - middle) / np.where(spread > 0, spread, 1) for ramp in ramps]
    other_way = LogisticRegression(C=100, solver="newton-cg").fit(scaled[0], parts[0][1])
    for place, part in ((1, "validation"), (2, "held-out")):
        wanted = other_way.score(scaled[place], parts[place][1])
        assert found.sel(penalty=0.01, part=part).item() == pytest.approx(wanted, abs=0.002)


# --- reading what was measured ------------------------------------------------------------------------------


def test_a_fall_is_seen_at_any_stage_and_a_small_one_is_none():
    rows = [[0.6, 0.7, 0.8, 0.9, 1.0], [0.6, 0.5, 0.8, 0.9, 1.0], [0.6, 0.7, 0.8, 1.0, 0.97], [0.6, 0.59, 0.8, 1, 1]]
    accuracy = xr.DataArray(rows, [("seed", range(4)), ("stage", list(probing.STAGES))])
    assert probing.falls(accuracy).values.tolist() == [0, 1, 1, 0]
    np.testing.assert_allclose(probing.rise(accuracy), [0.4, 0.4, 0.37, 0.4])


def test_a_lead_is_over_as_many_units_or_as_many_parameters_each_chosen_on_validation_points():
    data = made_up(probing.features, learned=("task", "rate", "part"), random=("task", "equal", "penalty", "part"))
    ours = data["learned"].sel(task="two turns", rate=0.03)
    others = {
        equal: data["random"].sel(task="two turns", equal=equal, penalty=penalty)
        for equal, penalty in ((probing.UNITS, 0.1), (probing.PARAMETERS, 1e-5))
    }
    for cell in (ours, *others.values()):  # views of what they were selected from
        cell.loc[{"part": "validation"}] = 2  # better than any other
    for equal, other in others.items():
        wanted = ours.sel(part="held-out").values - other.sel(part="held-out").values
        np.testing.assert_array_equal(probing.lead(data, equal, task="two turns"), wanted)


# --- the experiment of exercise 03.3 ----------------------------------------------------------------------


def test_a_trained_stack_is_probed_on_held_out_points_and_a_lost_one_is_nan(monkeypatch):
    import utils.comparison

    monkeypatch.setattr(probe_runs, "EPOCHS", 2)
    monkeypatch.setattr(probe_runs, "POINTS", 80)
    sweeps, original = [], utils.comparison.sweep

    def sweep(*args, **options):
        sweeps.append(original(*args, **options))
        sweeps[-1].histories[1][0].diverged = True
        return sweeps[-1]

    monkeypatch.setattr(utils.comparison, "sweep", sweep)
    accuracies = probe_runs.probed_spirals([1, 1.5], n_seeds=3, first_seed=4)
    assert accuracies.shape == (2, 3, 5) and [swept.seeds for swept in sweeps] == [(4, 5, 6)] * 2
    assert np.isnan(accuracies[:, 1]).all() and not np.isnan(accuracies[:, [0, 2]]).any()
    (X, y), (other_X, other_y) = sweeps[1].parts[2]
    assert not torch.equal(X, other_X) and len(other_X) == 80
    said = LinearRegression().fit(X.numpy(), y.numpy()).predict(other_X.numpy()) > 0.5
    assert accuracies[1, 2, 0] == np.mean(said == other_y.numpy())


def test_a_notebook_that_is_marked_loads_no_torch_for_it(root):
    code = "import sys, utils.lesson_03.probe_runs; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0


@pytest.mark.full
def test_a_longer_spiral_is_separated_at_a_later_stage():
    """What the exercise asks about: over other seeds than its own, one stage for one turn, more for one and a half."""
    medians = np.median(probe_runs.probed_spirals([1, 1.5], n_seeds=20, first_seed=100), axis=1)
    first = [int((row < 0.95).sum()) for row in medians]
    assert first[0] < first[1]
