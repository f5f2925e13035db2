"""Lesson 02's diagonal flip: the floors against brute force, the experiments' bookkeeping, figures and exercises."""

from __future__ import annotations

from functools import partial

import matplotlib
import numpy as np
import pytest
import torch
import xarray as xr
from scipy.optimize import minimize

from tests.generators import seeded
from tests.made_up import made_up
from utils.claims.records import differences
from utils.data import diagonal_flip
from utils.lesson_02 import flip, flip_figures
from utils.lesson_02.claims.flip import NARROWED, NOT_NARROW, WIDTH, at_all, on_level_of_alive, reaches_floor
from utils.lesson_02.exercises import gradients, rank_floor
from utils.lesson_02.flip import at_best, flipped, narrowed
from utils.models import ACTIVATIONS, mlp

matplotlib.use("Agg")


def with_best_outputs(model) -> float:
    """The half-MSE of a network whose output layer is the best for its hidden units, by least squares."""
    X, y = (part.double() for part in diagonal_flip())
    with torch.no_grad():
        hidden = model.double()[:-1](X)
    hidden = torch.cat([hidden, torch.ones(16, 1)], dim=1)
    fitted = hidden @ torch.linalg.lstsq(hidden, y, driver="gelsd").solution
    return (fitted - y).square().mean().item() / 2


# --- floors -----------------------------------------------------------------------------------------------


def test_the_floor_is_what_the_lesson_says():
    assert [flip.flip_floor(width) for width in (0, 1, 2, 3, 4, 16)] == [0.125, 0.09375, 0.0625, 0.03125, 0, 0]


@pytest.mark.parametrize("activation", sorted(ACTIVATIONS))
@pytest.mark.parametrize("width", [1, 2, 3])
def test_no_network_gets_below_the_floor_of_its_last_hidden_layer(activation, width):
    """Whatever its activation and the layers before: random networks, with the best of all output layers."""
    for seed in range(5):
        model = mlp([4, 9, width, 4], activation, init=("normal", 2.0), bias_std=1.0, generator=seeded(seed))
        assert with_best_outputs(model) >= flip.flip_floor(width) - 1e-9


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_copying_some_pixels_reaches_the_floor_with_relu(width):
    X, y = diagonal_flip()
    model = mlp([4, width, 4], generator=seeded())
    with torch.no_grad():
        for layer, matrix in ((model[0], torch.eye(4)[:width]), (model[2], torch.eye(4)[[0, 2, 1, 3]][:, :width])):
            layer.weight.copy_(matrix)
            layer.bias.zero_()
        model[2].bias[[0, 2, 1, 3]] = torch.where(torch.arange(4) < width, 0.0, 0.5)
    assert flip.half_mse(model, X, y) == pytest.approx(flip.flip_floor(width), abs=1e-9)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_the_floor_is_what_a_search_over_all_hidden_values_finds(width):
    """The hidden layer as a free matrix, a row for each image: no network has more freedom than that."""
    y = diagonal_flip()[1].double().numpy()

    def error(numbers):
        hidden = np.column_stack([numbers.reshape(16, width), np.ones(16)])
        return 0.5 * np.mean((hidden @ np.linalg.lstsq(hidden, y, rcond=None)[0] - y) ** 2)

    starts = np.random.default_rng(0).normal(size=(2, 16 * width))
    found = min(minimize(error, start, method="L-BFGS-B").fun for start in starts)
    assert found == pytest.approx(flip.flip_floor(width), abs=1e-4)


# --- experiments ------------------------------------------------------------------------------------------


def test_grey_images_come_with_their_transposes():
    (X, y), (grey, flipped_grey) = flip.flip_parts(generator=seeded())
    assert len(X) == 16 and grey.min() >= 0 and grey.max() <= 1 and len(grey.unique()) > 1000
    np.testing.assert_array_equal(grey.reshape(-1, 2, 2).transpose(1, 2).reshape(-1, 4), flipped_grey)


def test_half_mse_is_half_of_the_mean_over_images_and_outputs():
    zero = torch.nn.Sequential(torch.nn.Linear(4, 4))
    torch.nn.init.zeros_(zero[0].weight)
    torch.nn.init.zeros_(zero[0].bias)
    X, y = diagonal_flip()
    assert flip.half_mse(zero, X, y) == y.sum().item() / 128 == 0.25


def test_the_second_start_is_another_network_of_the_same_shape():
    first, second = mlp([4, 3, 4], generator=seeded(5)), flip.second_start([4, 3, 4], "relu", generator=seeded(5))
    assert [p.shape for p in first.parameters()] == [p.shape for p in second.parameters()]
    assert not torch.equal(first[0].weight, second[0].weight)


def test_constant_units_are_counted():
    model = mlp([4, 3, 4], generator=seeded())
    with torch.no_grad():
        model[0].weight.fill_(1.0)
        model[0].bias.copy_(torch.tensor([0.0, -9.0, -3.5]))
    assert flip.constant_units(model, *diagonal_flip()) == 1


def test_a_seeds_numbers_do_not_depend_on_the_others():
    both, alone = (flip.train_on_flip([4, 2, 4], "relu", seeds, 20) for seeds in ([3, 8], [8]))
    assert set(both) == {"chosen", "error", "grey", "dead"}
    assert both.sizes == {"seed": 2, "rate": len(flip.RATES)}
    xr.testing.assert_identical(both.sel(seed=[8]), alone)
    assert not np.allclose(both["chosen"], both["error"])


def test_measuring_has_the_axes_that_claims_rely_on(monkeypatch):
    """Each cell of the grid holds what its own shape gave."""

    def told(sizes, activation, seeds, steps):
        place = 10 * sizes.index(min(sizes)) + min(sizes)
        number = 1000 * flip.ACTIVATIONS.index(activation) + 100 * len(sizes) + place
        full = np.full((len(seeds), len(flip.RATES)), number)
        axes = [("seed", list(seeds)), ("rate", list(flip.RATES))]
        return xr.Dataset({"chosen": xr.DataArray(full, axes), "error": xr.DataArray(full + 0.5, axes)})

    monkeypatch.setattr(flip, "train_on_flip", told)
    widths, narrow, wide = (experiment.measure([0, 1]) for experiment in (WIDTH, NARROWED, NOT_NARROW))
    assert differences(WIDTH, widths) == differences(NARROWED, narrow) == differences(NOT_NARROW, wide) == []
    for found, number in (
        (flipped(widths, "identity", 3), 2313.5),
        (narrowed(narrow, "relu", "middle", 2), 522.5),
        (narrowed(narrow, "identity", "last", 1), 2421.5),
        (narrowed(narrow, "relu", "first", 2), 412.5),
        (at_best(wide, "error"), 1504.5),  # five layers, of which the first is the narrowest; leaky ReLU
    ):
        assert found["seed"].values.tolist() == [0, 1] and found.values.tolist() == [number] * 2


def test_the_rate_is_chosen_by_one_start_and_reported_from_another():
    data = 0 * made_up(WIDTH, "chosen", "error", "dead", seeds=3)
    for name, number in {"chosen": -1.0, "error": 0.7, "dead": 2.0}.items():
        data[name].loc[{"rate": 0.001}] = number
    assert flipped(data, "relu", 4).values.tolist() == [0.7] * 3
    assert flipped(data, "relu", 4, "dead").values.tolist() == [2] * 3


def test_of_rates_as_good_as_the_best_the_middle_one_is_taken_and_of_lost_ones_none():
    data = 0 * made_up(WIDTH, "chosen", "error", seeds=3)
    data["chosen"].loc[{"rate": [0.003, 0.01]}] = xr.DataArray([0.05, 1e-4], dims="rate")
    data["chosen"].loc[{"rate": 0.001, "seed": 1}] = np.nan
    data["error"] = data["error"] + data["rate"]
    assert flipped(data, "relu", 2).values.tolist() == [0.1] * 3  # of the rates 0.01, 0.03, 0.1, 0.3


def test_whether_the_floor_is_reached_is_asked_of_every_width():
    data = 0 * made_up(WIDTH, "chosen", "error", "dead", seeds=3)
    error, dead = data["error"], data["dead"]
    error.loc[{"activation": "relu", "width": 2}], error.loc[{"activation": "relu", "width": 3}] = 2 / 32, 1 / 32
    lost = {"activation": "relu", "width": 3, "seed": 1}
    error.loc[lost], dead.loc[lost] = 2 / 32, 1  # a unit lost: on the floor of two
    error.loc[{"activation": "relu", "width": 4, "seed": 2}] = 1 / 32  # above the floor, with all units alive
    assert at_all(partial(reaches_floor, data, "relu"), 2, 3, 4).values.tolist() == [1, 0, 0]
    assert at_all(partial(reaches_floor, data, "relu"), 2).values.tolist() == [1, 1, 1]
    assert at_all(partial(on_level_of_alive, data), 2, 3, 4).values.tolist() == [1, 1, 0]


# --- figures ----------------------------------------------------------------------------------------------


def test_images_show_what_the_networks_make_of_them():
    models = {"one": mlp([4, 2, 4], generator=seeded())}
    axes = flip_figures.images(models).axes
    X, y = diagonal_flip()
    assert [ax.get_ylabel() for ax in axes] == ["image", "wanted", "one"]
    for ax, wanted in zip(axes, (X, y, models["one"](X).detach()), strict=True):
        drawn = ax.get_images()[0].get_array().filled(np.nan)
        for place in range(16):
            np.testing.assert_allclose(drawn[:, 3 * place : 3 * place + 2], wanted[place].reshape(2, 2), rtol=1e-6)


def test_figures_have_the_floors_and_a_dot_for_each_seed():
    (ax,) = flip_figures.errors_by_width(made_up(WIDTH, "chosen", "error", seeds=12)).axes
    (floors,) = [part for part in ax.collections if part.get_label() == "rank floor"]
    assert [segment[0, 1] for segment in floors.get_segments()] == [0.0625, 0.03125, 0, 0, 0]
    dots = [line for line in ax.lines if line.get_marker() == "."]
    assert len(dots) == 15 and all(len(line.get_ydata()) == 12 for line in dots)
    record = made_up(NARROWED, "chosen", "error", seeds=12)
    assert [ax.get_title() for ax in flip_figures.errors_by_place(record).axes] == ["1 unit", "2 units", "3 units"]
    assert len(flip_figures.losses_by_step({"a": [1, 2], "b": [2, 1]}).axes[0].lines) == 5


# --- exercises --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_the_backward_pass_is_autograds_and_its_cases_stay_away_from_bends(seed):
    for given, _ in gradients.gradient_cases(np.random.default_rng(seed)):
        layers = [(torch.tensor(W, requires_grad=True), torch.tensor(b, requires_grad=True))
                  for W, b in zip(given["weights"], given["biases"], strict=True)]  # fmt: skip
        outputs, nearest = torch.tensor(given["X"]), np.inf
        for k, (W, b) in enumerate(layers):
            if k:
                nearest = min(nearest, outputs.abs().min().item())
            outputs = torch.nn.functional.linear(torch.relu(outputs) if k else outputs, W, b)
        (0.5 * torch.nn.functional.mse_loss(outputs, torch.tensor(given["Y"]))).backward()
        of_weights, of_biases = gradients.backward(given)
        for (W, b), of_weight, of_bias in zip(layers, of_weights, of_biases, strict=True):
            np.testing.assert_allclose(of_weight, W.grad, atol=1e-12)
            np.testing.assert_allclose(of_bias, b.grad, atol=1e-12)
        assert nearest > 9e-4 and all(W.grad.abs().max() > 9e-4 for W, _ in layers)


@pytest.mark.parametrize("seed", range(3))
def test_the_rank_floor_is_reached_by_a_linear_network_and_not_bettered_by_any_hidden_values(seed):
    for given, _ in rank_floor.rank_cases(np.random.default_rng(seed)):
        Y, floor = rank_floor.targets(given), rank_floor.tail(given)

        def error(numbers, Y=Y, width=given["width"]):
            hidden = np.column_stack([numbers.reshape(len(Y), width), np.ones(len(Y))])
            return 0.5 * np.mean((hidden @ np.linalg.lstsq(hidden, Y, rcond=None)[0] - Y) ** 2)

        mean = given["X"].mean(axis=0)
        directions = np.linalg.svd((given["X"] - mean) @ given["A"].T, full_matrices=False)[2][: given["width"]]
        hidden = (given["X"] - mean) @ (directions @ given["A"]).T  # linear in X
        padded = np.column_stack([hidden, np.zeros((len(Y), given["width"] - hidden.shape[1]))])
        assert error(padded.ravel()) == pytest.approx(floor, rel=1e-9, abs=1e-12)
        start = padded + 0.3 * np.random.default_rng(seed).normal(size=padded.shape)
        assert minimize(error, start.ravel(), method="L-BFGS-B", options={"maxiter": 30}).fun >= floor - 1e-9


def test_the_check_says_which_layers_are_right_and_what_a_constant_reaches():
    given, _ = next(iter(gradients.gradient_cases(np.random.default_rng(0))))
    right = gradients.backward(given)
    wrong = [[0 * right[0][0], right[0][1]], right[1]]
    assert gradients.gradient_explain(given, wrong, right).splitlines() == [
        "gradients of the weights: layer 1 wrong, layer 2 right",
        "gradients of the biases: layer 1 right, layer 2 right",
    ]
    given = next(iter(rank_floor.rank_cases(np.random.default_rng(0))))[0]
    assert "half mean squared error 1.25." in rank_floor.rank_explain(given, 0.0, 0.25)
