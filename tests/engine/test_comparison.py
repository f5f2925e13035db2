"""The tuned comparison: with made-up trainings, where the right choice is known, and with the real one."""

import math
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import xarray as xr
from sklearn.metrics import r2_score
from torch import nn

from utils import comparison, data
from utils.comparison import (
    UNSEEN,
    at_best_rate,
    best_rate,
    measure_scores,
    one_thread,
    score,
    share_missed,
    sweep,
    tune_and_compare,
)
from utils.models import mlp
from utils.training import train


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


class Constant(nn.Module):
    """A model whose output is one number, whatever the input."""

    def __init__(self, generator):
        super().__init__()
        self.value = nn.Parameter(torch.rand((), generator=generator))
        self.start = self.value.item()

    def forward(self, X):
        return self.value.expand(len(X), 1)


def part(target, n=4):
    return torch.zeros(n, 1), torch.full((n, 1), float(target))


@pytest.fixture
def made_up(monkeypatch):
    """Instead of training, each constant model becomes its learning rate; a rate above 100 diverges."""
    calls = []

    def train_ensemble(models, X, y, *, lr, **options):
        calls.append((lr, options))
        for model, rate in zip(models, lr, strict=True):
            model.value.data.fill_(rate)
        return [SimpleNamespace(diverged=rate > 100) for rate in lr]

    monkeypatch.setattr(comparison, "train_ensemble", train_ensemble)
    return calls


def test_the_rate_is_chosen_on_validation_data_alone(made_up):
    parts = [part(1), part(3), part(4)]
    result = tune_and_compare(
        {"constant": Constant}, parts, lrs=[1, 3, 4, 10], epochs=5, generator=seeded(), n_seeds=2
    )["constant"]
    assert result.lr == 3 and not result.at_edge
    assert result.validation == (4, 0, 1, 49)
    assert result.held_out == (1, 1)
    assert result.score == "error" and result.parameters == 1
    assert [model.value.item() for model in result.models] == [3, 3]


def test_every_rate_starts_from_the_same_weights_and_seeds_differ(made_up):
    starts = []

    def build(generator):
        starts.append(Constant(generator).start)
        return Constant(generator)

    parts = [part(1)] * 3
    tune_and_compare({"a": build, "b": build}, parts, lrs=[1, 2], epochs=5, generator=seeded(), n_seeds=3)
    assert starts[0:3] == starts[3:6] == starts[6:9] == starts[9:12]
    assert len(set(starts)) == 3
    assert [rate for rate in made_up[0][0]] == [1, 1, 1, 2, 2, 2]


def test_options_and_epochs_are_passed_on(made_up):
    parts = [part(1)] * 3
    options = {"lrs": [1], "generator": seeded(), "n_seeds": 1, "batch_size": 7, "schedule": "cosine"}
    tune_and_compare({"a": Constant, "b": Constant}, parts, epochs={"b": 4, "a": 2}, **options)
    assert [call[1]["epochs"] for call in made_up] == [2, 4]
    assert all(call[1]["batch_size"] == 7 and call[1]["schedule"] == "cosine" for call in made_up)
    orders = [torch.rand(1, generator=call[1]["generator"]).item() for call in made_up]
    assert orders[0] == orders[1]


def test_rates_that_diverge_are_out_even_when_their_weights_look_good(made_up):
    parts = [part(1), part(200), part(200)]
    result = tune_and_compare({"c": Constant}, parts, lrs=[200, 5, 9], epochs=1, generator=seeded())["c"]
    assert result.lr == 9 and math.isnan(result.validation[0]) and len(result.held_out) == 10
    with pytest.raises(ValueError, match=r"lrs is \[200.0, 300.0\].*'c' diverges"):
        tune_and_compare({"c": Constant}, parts, lrs=[200, 300], epochs=1, generator=seeded())


def test_the_edge_of_the_rates_is_pointed_out(made_up):
    def shown(target):
        parts = [part(1), part(target), part(target + 0.5)]
        return tune_and_compare({"c": Constant}, parts, lrs=[4, 2, 3], epochs=1, generator=seeded())

    assert str(shown(4)) == (
        "c (1 parameters): held-out error 0.25 [0.25, 0.25], 10 seeds, lr 4, the edge of those tried"
    )
    assert str(shown(3)).endswith("10 seeds, lr 3")
    assert shown(2)["c"].at_edge


def test_shapes_are_compared_seed_by_seed(made_up):
    parts = [part(1), part(2), part(2)]
    result = tune_and_compare({"a": Constant, "b": Constant}, parts, lrs=[1], epochs=1, generator=seeded())
    assert str(result.compare("a", "b")) == "a > b in 0 of 10 seeds (10 equal), difference 0 [0, 0]"
    with pytest.raises(KeyError, match="'c': wanted one of 'a', 'b'"):
        result.compare("a", "c")


def test_score_is_accuracy_or_mean_squared_error_and_switches_dropout_off():
    model = nn.Sequential(nn.Linear(1, 2), nn.Dropout(0.5))
    with torch.no_grad():
        model[0].weight.copy_(torch.tensor([[1.0], [-1.0]]))
        model[0].bias.zero_()
    X = torch.tensor([[1.0], [2.0], [-1.0], [3.0]])
    assert score(model, X, torch.tensor([0, 1, 1, 0])) == 0.75
    assert score(model, X, torch.cat([X, -X + 2], 1)) == 2
    assert model.training


def test_a_chosen_network_is_the_one_trained_alone():
    parts = data.split(data.spirals, 150, 150, 200, generator=seeded())
    options = {"epochs": 15, "batch_size": 50, "progress": False}
    generator = seeded(4)
    result = tune_and_compare(
        {"wide": [2, 30, 2], "deep": partial(mlp, [2, 8, 8, 2], "tanh")}, parts, lrs=[1e-4, 0.03, 1e-3],
        generator=generator, n_seeds=3, **options,
    )  # fmt: skip
    seeds = torch.randint(2**62, (4,), generator=seeded(4)).tolist()
    assert {result["wide"].lr, result["deep"].lr} == {0.03}
    alone = mlp([2, 8, 8, 2], "tanh", generator=seeded(seeds[3]))
    train(alone, *parts[0], lr=0.03, generator=seeded(seeds[0]), **options)
    for ours, theirs in zip(result["deep"].models[2].parameters(), alone.parameters(), strict=True):
        assert torch.equal(ours, theirs)
    assert result["deep"].held_out[2] == score(alone, *parts[2])
    differences = [a - b for a, b in zip(result["deep"].held_out, result["wide"].held_out, strict=True)]
    compared = result.compare("deep", "wide", statistic="mean")
    assert compared.difference.value == pytest.approx(sum(differences) / 3) and any(differences)
    assert (compared.name_a, compared.wins) == ("deep", sum(d > 0 for d in differences))


def test_tuning_repeats_and_leaves_the_global_generator_alone():
    before = torch.get_rng_state()
    parts = data.split(data.curve, 50, 50, 50, generator=seeded())
    runs = [
        tune_and_compare({"a": [1, 5, 1]}, parts, lrs=[0.01, 0.1], epochs=5, generator=seeded(1), progress=False)
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert torch.equal(before, torch.get_rng_state())


PARTS = [part(1)] * 3


@pytest.mark.parametrize(
    "changes, error, words",
    [
        ({"shapes": [[1, 2, 1]]}, TypeError, ["shapes", "dictionary"]),
        ({"shapes": {}}, TypeError, ["shapes", "{}"]),
        ({"shapes": {"a": [1]}}, ValueError, ["sizes", "[1]"]),
        ({"parts": PARTS[:2]}, ValueError, ["parts", "2", "three"]),
        ({"parts": [*PARTS[:2], (torch.ones(3, 1), torch.ones(2, 1))]}, ValueError, ["parts[2]", "3 and 2"]),
        ({"lrs": []}, ValueError, ["lrs", "empty"]),
        ({"lrs": [0.1, 0]}, ValueError, ["lrs[1]", "0", "greater than 0"]),
        ({"lrs": ["0.1"]}, TypeError, ["lrs[0]", "'0.1'"]),
        ({"epochs": {"b": 1}}, ValueError, ["epochs", "'b'", "'a'"]),
        ({"epochs": 0}, ValueError, ["epochs['a']", "0"]),
        ({"n_seeds": 0}, ValueError, ["n_seeds", "0"]),
        ({"generator": 1}, TypeError, ["generator", "1"]),
    ],
)
def test_bad_input_names_the_argument(changes, error, words):
    arguments = {"shapes": {"a": [1, 2, 1]}, "parts": PARTS, "lrs": [0.1], "epochs": 1, "generator": seeded()}
    with pytest.raises(error) as caught:
        tune_and_compare(**{**arguments, **changes})
    assert all(word in str(caught.value) for word in words), str(caught.value)


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


def test_what_is_measured_over_axes_is_each_cells_scores_in_the_parts_asked_for():
    def train(width, rate_of):
        return sweep(partial(mlp, [2, width, 2]), ring_parts, seeds=[3], lrs=[rate_of], **OPTIONS)

    data = measure_scores("right", lambda width: train(width, 0.1), width=(2, 4))["right"]
    assert data.sizes == {"width": 2, "seed": 1, "rate": 1, "part": 2}
    xr.testing.assert_equal(data.sel(width=4, drop=True), train(4, 0.1).scores().sel(part=UNSEEN))
    data = measure_scores("rows", partial(train, 2), of=lambda model, X, y: len(X), parts=["training"], rate_of=[0.1])
    assert data["rows"].item() == len(train(2, 0.1).parts[0][0][0])


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
