"""Sweeps over rates and seeds, and the choice of a rate."""

from functools import partial

import numpy as np
import pytest
import torch
import xarray as xr
from sklearn.metrics import r2_score
from torch import nn

from utils import comparison, data
from utils.comparison import as_rates, at_best_rate, best_rate, best_rates, one_thread, score, share_missed, sweep
from utils.models import mlp
from utils.training import train


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def test_score_is_accuracy_or_mean_squared_error_and_switches_dropout_off():
    model = nn.Sequential(nn.Linear(1, 2), nn.Dropout(0.5))
    with torch.no_grad():
        model[0].weight.copy_(torch.tensor([[1.0], [-1.0]]))
        model[0].bias.zero_()
    X = torch.tensor([[1.0], [2.0], [-1.0], [3.0]])
    assert score(model, X, torch.tensor([0, 1, 1, 0])) == 0.75
    assert score(model, X, torch.cat([X, -X + 2], 1)) == 2
    assert model.training


def ring_parts(generator):
    return data.split(data.circles, 60, 100, 200, generator=generator, noise=0.3)


def by_rate(numbers, rates):
    """Scores on validation data, a row for each seed and a column for each rate."""
    return xr.DataArray(numbers, {"rate": rates}, ["seed", "rate"])


OPTIONS = {"epochs": 40, "progress": False}


def test_a_seed_of_a_sweep_ends_where_it_ends_alone():
    build = partial(mlp, [2, 4, 2])
    both = sweep(build, ring_parts, seeds=[3, 8], lrs=[0.01, 0.1], **OPTIONS)
    alone = sweep(build, ring_parts, seeds=[8], lrs=[0.1], **OPTIONS)
    xr.testing.assert_identical(both.scores().sel(seed=[8], rate=[0.1]), alone.scores())
    assert both.scores().sizes == {"seed": 2, "rate": 2, "part": 3}
    (X, y), *_ = parts = both.parts[1]
    model = mlp([2, 4, 2], generator=seeded(2 * 8 + 1))
    train(model, X, y, lr=0.1, **OPTIONS)
    for name, pair in zip(["training", "validation", "held-out"], parts, strict=True):
        assert both.scores().sel(seed=8, rate=0.1, part=name) == score(model, *pair)


def test_a_network_is_the_one_of_the_seed_and_the_rate_that_are_named():
    build, options = partial(mlp, [2, 4, 2]), {"part_names": ["a", "b", "c"], **OPTIONS}
    swept = sweep(build, ring_parts, seeds=[8, 3], lrs=[0.1, 0.01], **options)
    weights, scores = swept.each(lambda model: model[0].weight[0, 0].item()), swept.scores()
    for seed, parts in zip([8, 3], swept.parts, strict=True):
        for rate in (0.1, 0.01):
            alone = sweep(build, ring_parts, seeds=[seed], lrs=[rate], **options).model(seed)
            model = swept.model(seed, rate)
            assert all(map(torch.equal, model.parameters(), alone.parameters()))
            assert weights.sel(seed=seed, rate=rate) == model[0].weight[0, 0].item()
            assert scores.sel(seed=seed, rate=rate, part="b") == score(model, *parts[1])
    assert len(np.unique(weights)) == 4
    with pytest.raises(ValueError):
        swept.model(3)  # which rate?


def test_seeds_differ_in_data_and_weights_and_rates_in_neither():
    swept = sweep(partial(mlp, [2, 4, 2]), ring_parts, seeds=[0, 1], lrs=[1e-9, 2e-9], **OPTIONS)
    first = [[next(model.parameters()) for model in row] for row in swept.models]
    assert torch.allclose(first[0][0], first[0][1], atol=1e-6) and not torch.allclose(first[0][0], first[1][0])
    assert not torch.equal(swept.parts[0][0][0], swept.parts[1][0][0])


def test_a_diverged_run_has_no_score_and_its_rate_is_out():
    swept = sweep(partial(mlp, [2, 4, 2]), ring_parts, seeds=[0, 1], lrs=[0.1, 1e30], optimizer="sgd", **OPTIONS)
    scores = swept.scores()
    assert swept.diverged[:, 1].all() and scores.sel(rate=1e30).isnull().all()
    assert np.isfinite(scores.sel(rate=0.1)).all()
    assert best_rate(scores.sel(part="validation"), larger_is_better=True) == 0.1
    assert best_rate(by_rate([[0.5, np.nan], [0.4, 0.9]], [0.1, 0.3]), larger_is_better=True) == 0.1
    assert best_rate(by_rate([[-np.inf, 0.5], [0.4, 0.9]], [0.1, 0.3]), larger_is_better=False) == 0.3


def test_the_best_rate_has_the_best_median_not_the_best_seed():
    scores = by_rate([[0.7, 0.6, 0.99], [0.7, 0.8, 0.1], [0.7, 0.9, 0.1]], [0.1, 0.3, 0.001])
    for one in (scores, scores.T):
        assert best_rate(one, larger_is_better=True) == 0.3
        assert best_rate(one, larger_is_better=False) == 0.001
    with pytest.raises(ValueError, match="no rate"):
        best_rate(by_rate([[np.nan]], [0.1]), larger_is_better=True)


ONE = by_rate([[0.7]], [0.1])


@pytest.mark.parametrize("scores", [ONE.values, ONE[0], ONE.expand_dims("part"), ONE.rename(seed="run")])
def test_scores_by_anything_but_seed_and_rate_have_no_best_rate(scores):
    with pytest.raises(TypeError, match='axes "seed" and "rate"'):
        best_rate(scores, larger_is_better=True)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"seeds": []}, "0 seeds"),
        ({"lrs": []}, "0 lrs"),
        ({"seeds": [-1]}, "seeds"),
        ({"lrs": [0]}, "lrs"),
        ({"part_names": ["training", "held-out"]}, "3 pairs.*part_names"),
    ],
)
def test_a_sweep_names_what_is_wrong(changes, words):
    with pytest.raises(ValueError, match=words):
        sweep(partial(mlp, [2, 4, 2]), ring_parts, **{"seeds": [0], "lrs": [0.1], **OPTIONS, **changes})


def test_a_part_is_reported_at_the_rate_that_is_best_in_another():
    numbers = [[[0.1, 0.5, 0.3]] * 3, [[0.2, 0.4, 0.9]] * 3]  # by rate, seed and part
    scores = xr.DataArray(numbers, {"rate": [0.01, 0.1], "part": list(comparison.PARTS)}, ["rate", "seed", "part"])
    assert at_best_rate(scores, larger_is_better=True).values.tolist() == [0.3] * 3
    assert at_best_rate(scores, larger_is_better=False, part="training").values.tolist() == [0.2] * 3


def test_the_share_missed_is_what_scikit_learn_calls_unexplained():
    X, y = torch.randn(50, 4, generator=seeded(1)), torch.randn(50, 3, generator=seeded(2))
    model = mlp([4, 3, 3], generator=seeded(3))
    wanted = 1 - r2_score(y, model(X).detach(), multioutput="variance_weighted")
    assert share_missed(model, X, y) == pytest.approx(wanted, rel=1e-4)


def test_one_thread_is_a_loan():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    with pytest.raises(ZeroDivisionError), one_thread():
        assert torch.get_num_threads() == 1
        raise ZeroDivisionError
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


def test_each_seeds_rate_is_the_best_of_all_the_others():
    rng = np.random.default_rng(0)
    numbers = rng.random((7, 5))
    numbers[3, 4] = np.nan
    for larger in (True, False):
        found = best_rates(by_rate(numbers, range(1, 6)).T, larger_is_better=larger)
        for seed in range(7):
            others = by_rate(np.delete(numbers, seed, axis=0)[:, :4], range(1, 5))  # what diverged once is out for all
            assert found.values[seed] == best_rate(others, larger_is_better=larger)
    assert best_rates(by_rate([[0.1, 0.2]], [1, 2]), larger_is_better=True).values.tolist() == [2]


def test_a_seed_does_not_choose_the_rate_that_it_is_judged_by():
    numbers = np.full((5, 2), 0.5)
    numbers[:, 1] = 0.4
    numbers[2, 1] = 0.9  # lucky once, on validation data
    scores = xr.DataArray(np.stack([numbers, numbers]), {"part": ["validation", "held-out"]}, ["part", "seed", "rate"])
    scores = scores.assign_coords(rate=[0.1, 1.0])
    assert at_best_rate(scores, larger_is_better=True).values.tolist() == [0.5] * 5


def test_two_axes_are_chosen_together():
    rng = np.random.default_rng(1)
    scores = xr.DataArray(
        rng.random((4, 2, 3, 2)),
        {"spread": [1, 2], "rate": [0.1, 0.3, 1], "part": ["validation", "held-out"]},
        ["seed", "spread", "rate", "part"],
    )
    together = as_rates(scores, "spread", "rate")
    assert together.sizes == {"seed": 4, "part": 2, "rate": 6}
    flat = together.transpose("seed", "rate", "part").values
    np.testing.assert_array_equal(flat, scores.values.reshape(4, 6, 2))
