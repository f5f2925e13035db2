"""Lesson 06's activation zoo: gains, signals and dead units are what they say, and races are read by name."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import xarray as xr
from scipy.integrate import quad
from scipy.stats import norm
from torch import nn

from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import HELD_OUT, VALIDATION
from utils.lesson_06 import zoo, zoo_figures
from utils.lesson_06.zoo import DEPTHS, INITS, LAYERS, SWIGLU, TEXT_STARTS, ZOO

SIGNAL = made_up(zoo.signal, "moment", "gradient")
DEAD = made_up(zoo.dead, "early", "after", "back", before=("layer",))
TEXT, FLIP = (made_up(one, "error") for one in (zoo.text_starts, zoo.flip))
DIGITS = made_up(zoo.digits, "accuracy")


def average(function) -> float:
    """The mean of function(z) over z from N(0, 1), by SciPy's quadrature on both sides of a kink at 0."""
    return sum(quad(lambda z: function(z) * norm.pdf(z), *ends)[0] for ends in ((-12, 0), (0, 12)))


def at(function, z: float) -> float:
    return function(torch.tensor(z, dtype=torch.float64)).item()


# --- a signal through many layers -------------------------------------------------------------------------


@pytest.mark.parametrize("activation", [*ZOO, SWIGLU])
def test_the_gain_keeps_a_second_moment_of_one(activation):
    function = nn.functional.silu if activation == SWIGLU else ZOO[activation]
    assert zoo.gain_of(activation) == pytest.approx(average(lambda z: at(function, z) ** 2) ** -0.5, rel=1e-6)
    h = torch.randn(200, 600, generator=seeded(1), dtype=torch.float64)
    after = zoo.layer(h, activation, zoo.gain_of(activation), generator=seeded(2))
    assert after.square().mean().item() == pytest.approx(1, abs=0.1)


def test_a_gated_layer_multiplies_two_maps():
    h = torch.randn(3, 5, generator=seeded(1))
    generator = seeded(4)
    W, V = (torch.randn(5, 5, generator=generator) / 5**0.5 for _ in range(2))
    wanted = 1.5 * (h @ W) * torch.sigmoid(h @ W) * (h @ V)
    torch.testing.assert_close(zoo.layer(h, SWIGLU, 1.5, generator=seeded(4)), wanted)


@pytest.mark.slow
def test_relu_hands_every_factor_on_forwards_and_backwards():
    found = zoo.signal.measure([3], activation=["relu"], gain=[1.4, 2.8]).squeeze().diff("gain").squeeze()
    np.testing.assert_allclose(found["moment"], np.log10(4) * found["layer"], rtol=1e-9)
    np.testing.assert_allclose(found["gradient"], np.log10(4) * (LAYERS - found["layer"]), atol=1e-9)


@pytest.mark.slow
def test_sigmoids_gradient_shrinks_by_the_factor_of_theory():
    found = zoo.signal.measure([1], activation=["sigmoid"])
    slope = lambda z: at(torch.sigmoid, z) * (1 - at(torch.sigmoid, z))  # noqa: E731
    chi = zoo.gain_of("sigmoid") ** 2 * average(lambda z: slope(z) ** 2)
    assert found["gradient"].sel(layer=1).item() == pytest.approx((LAYERS - 1) * np.log10(chi), rel=0.03)
    assert found["gradient"].sel(layer=LAYERS).item() == 0
    assert abs(found["moment"]).max() < 0.1


@pytest.mark.slow
def test_what_overflows_or_vanishes_is_recorded_as_such():
    assert zoo.signal.measure([1], activation=["relu"], gain=[0.0])["moment"].max() == -zoo.DECADES
    large = zoo.signal.measure([1], activation=[SWIGLU], gain=[3.0])
    assert large["moment"].sel(layer=LAYERS) == zoo.DECADES


# --- units that die ---------------------------------------------------------------------------------------


def test_a_unit_is_off_when_no_input_reaches_it():
    model = nn.Sequential(nn.Linear(1, 3), nn.ReLU(), nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))
    with torch.no_grad():
        model[0].weight.copy_(torch.tensor([[1.0], [-1.0], [1.0]]))
        model[0].bias.copy_(torch.tensor([0.0, 0.0, -5.0]))
        model[2].weight.fill_(-1.0)
        model[2].bias.copy_(torch.tensor([0.0, 3.0]))
    X = torch.tensor([[1.0], [2.0], [-1.0]])
    assert [units.tolist() for units in zoo.off(model, X)] == [[False, False, True], [True, False]]
    assert [units.tolist() for units in zoo.off(model, X[:2])] == [[False, True, True], [True, False]]


def test_dead_units_of_the_first_layer_stay_dead(monkeypatch):
    monkeypatch.setattr(zoo, "DEAD_EPOCHS", (1, 3))
    monkeypatch.setattr(zoo, "DEAD_RATES", (0.1, 2.0))
    data = zoo.dead.measure([1, 2])
    large = data.sel(rate=2.0)
    assert (large["early"].sel(layer=1) > 5).all() and (large["back"].sel(layer=1) == 0).all()
    assert (large["after"].sel(layer=1) >= large["early"].sel(layer=1)).all()
    assert (data["back"] <= data["early"]).all() and (data["after"] >= data["early"] - data["back"]).all()
    X = zoo.digit_parts(generator=seeded(4))[0][0]
    model = zoo.mlp(zoo.DEAD_SIZES, init="he", generator=seeded(5))
    wanted = [(units == 0).all(dim=0).sum() for units in (model[:2](X), model[:4](X), model[:6](X))]
    assert data["before"].sel(seed=2).values.tolist() == wanted


# --- races ------------------------------------------------------------------------------------------------


def test_parts_share_no_image_and_the_flip_mirrors():
    images = torch.cat([X for X, _ in zoo.digit_parts(generator=seeded(3))])
    assert len(images) == len({tuple(image) for image in images.tolist()}) == 1797
    sixteen, *greys = zoo.flip_parts(generator=seeded(3))
    assert len(sixteen[0]) == 16 and [len(X) for X, _ in greys] == [zoo.GREY] * 2
    assert not torch.equal(greys[0][0], greys[1][0])
    for X, y in (sixteen, *greys):
        torch.testing.assert_close(y.reshape(-1, 2, 2), X.reshape(-1, 2, 2).transpose(1, 2))


def test_the_texts_starts_have_the_deviations_that_it_says():
    for start, wanted in zip(TEXT_STARTS, (0.01, 1, (2 / 12) ** 0.5, (2 / 4) ** 0.5), strict=True):
        models = [zoo.text_network(start, generator=seeded(seed)) for seed in range(60)]
        assert torch.cat([model[0].weight for model in models]).std().item() == pytest.approx(wanted, rel=0.06)
        assert all((layer.bias == 0).all() for model in models for layer in model[::2])


def test_both_blocks_have_as_many_parameters():
    gelu, swiglu = (zoo.block_network(block, generator=seeded()) for block in zoo.BLOCKS)
    counts = [sum(weight.numel() for weight in model.parameters()) for model in (gelu, swiglu)]
    assert counts == [2 * 64 * 96 + 650] * 2 and gelu(torch.ones(3, 64)).shape == (3, 10)


# --- reading ----------------------------------------------------------------------------------------------


def raced(score: str, better: float) -> xr.Dataset:
    """A race in which rate 0.01 and Glorot's start are best on validation data, and another rate on held-out data."""
    data = (DIGITS if score == "accuracy" else FLIP).copy(deep=True)
    data[score].loc[{"part": VALIDATION}] = 0.5
    data[score].loc[{"part": VALIDATION, "rate": 0.01}] = 0.5 + better / 2
    data[score].loc[{"part": VALIDATION, "rate": 0.01, "init": "xavier"}] = 0.5 + better
    return data


@pytest.mark.parametrize(("score", "better"), [("accuracy", 0.2), ("error", -0.2)])
def test_rate_and_initialisation_are_chosen_on_validation_data(score, better):
    data = raced(score, better)
    cell = data[score].sel(activation="gelu", depth=20, rate=0.01, part=HELD_OUT)
    np.testing.assert_array_equal(zoo.tuned(data, "gelu", 20), cell.sel(init="xavier"))
    np.testing.assert_array_equal(zoo.tuned(data, "gelu", 20, "he"), cell.sel(init="he"))


def test_the_gap_is_between_the_best_and_the_worst_on_validation_data():
    data = raced("accuracy", 0.2)
    for activation, validated in (("tanh", 0.9), ("relu", 0.95), ("gelu", 0.93)):
        data["accuracy"].loc[{"part": VALIDATION, "activation": activation, "init": "he", "rate": 0.1}] = validated
    held = data["accuracy"].sel(part=HELD_OUT, init="he", rate=0.1, depth=2)
    wanted = held.sel(activation="relu") - held.sel(activation="tanh")
    np.testing.assert_allclose(zoo.gap(data, 2, ["gelu", "relu", "tanh"]), wanted)


def test_the_texts_numbers_are_at_its_rate_and_ours_at_the_best():
    data = TEXT.copy(deep=True)
    data["error"].loc[{"part": VALIDATION}] = 1
    data["error"].loc[{"part": VALIDATION, "rate": 0.1}] = 0.5
    data["error"].loc[{"part": "training", "rate": 0.025, "start": "He"}] = 0.125
    assert set(zoo.text_listed(data, "He").values) == {0.125}
    wanted = data["error"].sel(rate=0.1, part=HELD_OUT, start="σ = 1")
    assert zoo.text_answer(data)["large"] == pytest.approx(float(wanted.median()))


def test_shares_and_sums_of_dead_units():
    data = xr.zeros_like(DEAD)
    data["early"].loc[{"rate": 1.0}] = 8.0
    data["back"].loc[{"rate": 1.0, "layer": 3}] = 2.0
    assert set(zoo.share_off(data, "early", 1.0).values) == {0.25}
    assert zoo.back_answer(data) == {"first": 72, "first_back": 0, "later": 144, "later_back": 18}


def test_a_signal_is_kept_within_a_factor_of_a_hundred():
    data = xr.zeros_like(SIGNAL)
    data["moment"].loc[{"activation": "gelu", "layer": LAYERS, "seed": [0, 1, 2]}] = [2.1, -2.1, 1.9]
    assert zoo.signal_answer(data) == pytest.approx({**dict.fromkeys([*ZOO, SWIGLU], 1), "gelu": 7 / 9})


def test_activations_that_reach_four_in_five_are_counted():
    data = raced("accuracy", 0.2)
    data["accuracy"].loc[{"part": HELD_OUT}] = 0.9
    data["accuracy"].loc[{"part": HELD_OUT, "activation": "sigmoid"}] = 0.1
    data["accuracy"].loc[{"part": HELD_OUT, "init": "default", "activation": ["tanh", "relu"]}] = 0.2
    assert zoo.digits_answer(data) == {"best": 4, "default": 2}


def test_deep_errors_are_printed_as_medians(capsys):
    zoo.print_deep(FLIP)
    wanted = [f"{one} {zoo.tuned(FLIP, one, 20).median().item():.2g}" for one in ZOO]
    assert capsys.readouterr().out.strip() == f"20 hidden layers, median errors: {', '.join(wanted)}"


# --- figures ----------------------------------------------------------------------------------------------


def middles(ax) -> list:
    return [container.lines[0].get_ydata() for container in ax.containers]


@pytest.mark.slow
def test_races_are_drawn_as_medians():
    for depth, ax in zip(DEPTHS, zoo_figures.digits_race(DIGITS).axes, strict=True):
        wanted = [[np.median(zoo.tuned(DIGITS, one, depth, init)) for one in ZOO] for init in INITS]
        np.testing.assert_allclose(middles(ax), wanted)
    np.testing.assert_allclose(middles(*zoo_figures.flip_race(FLIP).axes)[3][4],
                               np.median(zoo.tuned(FLIP, "gelu", 2, "he")))
    _, after = middles(*zoo_figures.dead_units(DEAD).axes)
    np.testing.assert_allclose(after[-1], 100 * np.median(zoo.share_off(DEAD, "after", 1.0)))


def test_rates_at_which_a_run_diverged_are_not_drawn():
    data = TEXT.copy(deep=True)
    data["error"].loc[{"start": "He", "rate": 0.4, "seed": 3}] = np.nan
    (ax,) = zoo_figures.starts_by_rate(data).axes
    assert [len(line) for line in middles(ax)] == [7, 7, 7, 5]
    np.testing.assert_allclose(middles(ax)[0], data["error"].sel(start="σ = 0.01", part=HELD_OUT).median("seed"))


def test_signals_and_shapes_are_drawn_as_they_are():
    drawn = [line.get_ydata() for line in zoo_figures.signals(SIGNAL).axes[1].lines]
    np.testing.assert_array_equal(drawn, SIGNAL["moment"].sel(activation="relu").transpose("seed", "layer"))
    values, slopes = zoo_figures.shapes({"square": lambda z: z * z, "tanh": torch.tanh}).axes
    z = np.linspace(-4, 4, 401)
    np.testing.assert_allclose([line.get_ydata() for line in values.lines], [z**2, np.tanh(z)], atol=1e-5)
    np.testing.assert_allclose([line.get_ydata() for line in slopes.lines], [2 * z, 1 - np.tanh(z) ** 2], atol=1e-5)
