"""Lesson 06's activation zoo: gains, signals and dead units are what they say, and races are tuned on validation."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch
from scipy.integrate import quad
from scipy.stats import linregress, norm
from torch import nn

from tests.generators import seeded
from tests.made_up import made_up
from tests.marks import ROOT
from utils.comparison import HELD_OUT, VALIDATION
from utils.lesson_06 import zoo, zoo_figures
from utils.lesson_06.zoo import LAYERS, SWIGLU, TEXT_STARTS, ZOO


def average(function) -> float:
    """The mean of function(z) over z from N(0, 1), by SciPy's quadrature on both sides of a kink at 0."""
    return sum(quad(lambda z: function(z) * norm.pdf(z), *ends)[0] for ends in ((-12, 0), (0, 12)))


def value(function, z: float) -> float:
    return function(torch.tensor(z, dtype=torch.float64)).item()


# --- the table of the page's end --------------------------------------------------------------------------


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


# What the table's rows say, as PyTorch and as NumPy have it: the function, its formula, and its derivative's.
SAID = {
    "sigmoid": (
        torch.sigmoid,
        (r"\sigma(z) = 1/(1 + e^{-z})", sigmoid),
        (r"\sigma(z)\,(1 - \sigma(z))", lambda z: sigmoid(z) * (1 - sigmoid(z))),
    ),
    "tanh": (torch.tanh, (r"\tanh(z)", np.tanh), (r"1 - \tanh(z)^2", lambda z: 1 - np.tanh(z) ** 2)),
    "ReLU": (
        torch.relu,
        (r"\max(z, 0)", lambda z: np.maximum(z, 0)),
        ("1$ for $z > 0$, else $0", lambda z: np.where(z > 0, 1, 0)),
    ),
    "leaky ReLU": (
        nn.functional.leaky_relu,
        (r"\max(z, 0.01 z)", lambda z: np.maximum(z, 0.01 * z)),
        ("1$ for $z > 0$, else $0.01", lambda z: np.where(z > 0, 1, 0.01)),
    ),
    "GELU": (
        nn.functional.gelu,
        (r"z\,\Phi(z)", lambda z: z * norm.cdf(z)),
        (r"\Phi(z) + z\,p(z)", lambda z: norm.cdf(z) + z * norm.pdf(z)),
    ),
    "SiLU, swish": (
        nn.functional.silu,
        (r"z\,\sigma(z)", lambda z: z * sigmoid(z)),
        (r"\sigma(z)\,(1 + z\,(1 - \sigma(z)))", lambda z: sigmoid(z) * (1 + z * (1 - sigmoid(z)))),
    ),
}


def rows_of_the_table() -> dict[str, list[str]]:
    """The formula, the range and the derivative of each row, as the page's source has them, without dollars."""
    page = (ROOT / "notebooks" / "06a_the_activation_zoo.py").read_text(encoding="utf-8")
    table = re.search(r"^\| \| \$\\varphi.*?\n\n", page, re.DOTALL | re.MULTILINE)
    rows = [[part.strip().strip("$") for part in row.strip("|").split("|")] for row in table[0].strip().splitlines()]
    return {name: said[:3] for name, *said in rows[2:]}


def test_the_table_has_the_whole_zoo():
    assert rows_of_the_table().keys() == SAID.keys() and len(SAID) == len([*ZOO, SWIGLU])


@pytest.mark.parametrize("name", SAID)
def test_a_row_has_the_formula_the_derivative_and_the_range_that_pytorch_has(name):
    function, (formula, values), (derivative, slopes) = SAID[name]
    said = rows_of_the_table()[name]
    assert [said[0], said[2]] == [formula, derivative]
    z = torch.linspace(-30, 30, 600_002, dtype=torch.float64, requires_grad=True)
    out = function(z)
    (slope,) = torch.autograd.grad(out.sum(), z)
    at, out = z.detach().numpy(), out.detach().numpy()
    np.testing.assert_allclose(out, values(at), atol=1e-12)
    np.testing.assert_allclose(slope, slopes(at), atol=1e-12)
    low, high = said[1][1:-1].split(", ")
    if low == r"-\infty":
        assert out[0] < 0 and np.isclose(out[0] / out[30_000], at[0] / at[30_000])
    else:
        assert out.min() == pytest.approx(float(low), abs=0.005)
        assert said[1][0] == ("(" if (out[np.abs(at) < 15] > float(low)).all() and "." not in low else "[")
    if high == r"\infty":
        assert out[-1] == pytest.approx(at[-1])
    else:
        assert said[1][-1] == ")" and out.max() == pytest.approx(float(high)) and (out[at < 15] < float(high)).all()


# --- a signal through many layers -------------------------------------------------------------------------


@pytest.mark.parametrize("activation", [*ZOO, SWIGLU])
def test_the_gain_keeps_a_second_moment_of_one(activation):
    function = nn.functional.silu if activation == SWIGLU else ZOO[activation]
    assert zoo.gain_of(activation) == pytest.approx(average(lambda z: value(function, z) ** 2) ** -0.5, rel=1e-6)
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
    chi = zoo.gain_of("sigmoid") ** 2 * average(lambda z: (value(torch.sigmoid, z) * value(torch.sigmoid, -z)) ** 2)
    assert found["gradient"].sel(layer=1).item() == pytest.approx((LAYERS - 1) * np.log10(chi), rel=0.03)
    assert found["gradient"].sel(layer=LAYERS).item() == 0
    assert abs(found["moment"]).max() < 0.1


@pytest.mark.slow
def test_what_overflows_or_vanishes_is_recorded_as_such():
    assert zoo.signal.measure([1], activation=["relu"], gain=[0.0])["moment"].max() == -zoo.DECADES
    large = zoo.signal.measure([1], activation=[SWIGLU], gain=[3.0])
    assert large["moment"].sel(layer=LAYERS) == zoo.DECADES


# --- units that die ---------------------------------------------------------------------------------------


def test_a_unit_is_silent_when_no_input_reaches_it():
    model = nn.Sequential(nn.Linear(1, 3), nn.ReLU(), nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))
    with torch.no_grad():
        model[0].weight.copy_(torch.tensor([[1.0], [-1.0], [1.0]]))
        model[0].bias.copy_(torch.tensor([0.0, 0.0, -5.0]))
        model[2].weight.fill_(-1.0)
        model[2].bias.copy_(torch.tensor([0.0, 3.0]))
    X = torch.tensor([[1.0], [2.0], [-1.0]])
    assert [units.tolist() for units in zoo.silent_units(model, X)] == [[False, False, True], [True, False]]
    assert [units.tolist() for units in zoo.silent_units(model, X[:2])] == [[False, True, True], [True, False]]


def test_dead_units_of_the_first_layer_stay_dead(monkeypatch):
    monkeypatch.setattr(zoo, "DEAD_EPOCHS", (1, 3))
    monkeypatch.setattr(zoo, "DEAD_RATES", (0.1, 2.0))
    data = zoo.dead.measure([1, 2])
    large = data.sel(rate=2.0)
    assert (large["early"].sel(layer=1) > 5).all() and (large["back"].sel(layer=1) == 0).all()
    assert (large["after"].sel(layer=1) >= large["early"].sel(layer=1)).all()
    assert (data["back"] <= data["early"]).all() and (data["after"] >= data["early"] - data["back"]).all()


# --- races ------------------------------------------------------------------------------------------------


def test_parts_share_no_image_and_the_flip_mirrors():
    images = torch.cat([X for X, _ in zoo.digit_parts(generator=seeded(3))])
    assert len(images) == len({tuple(image) for image in images.tolist()}) == 1797
    sixteen, *greys = zoo.flip_parts(generator=seeded(3))
    assert len(sixteen[0]) == 16 and not torch.equal(greys[0][0], greys[1][0])
    for X, y in (sixteen, *greys):
        torch.testing.assert_close(y.reshape(-1, 2, 2), X.reshape(-1, 2, 2).transpose(1, 2))


def test_the_texts_starts_have_the_deviations_that_it_says():
    for start, wanted in zip(TEXT_STARTS, (0.01, 1, (2 / 12) ** 0.5, (2 / 4) ** 0.5), strict=True):
        models = [zoo.text_network(start, generator=seeded(seed)) for seed in range(60)]
        assert torch.cat([model[0].weight for model in models]).std().item() == pytest.approx(wanted, rel=0.06)
        assert all((layer.bias == 0).all() for model in models for layer in model[::2])


def test_sigmoid_of_the_right_gain_and_centring_computes_what_tanh_does_and_one_of_both_is_not_enough():
    tanh, both, *others = (zoo.centred_network(start, generator=seeded(3))(torch.ones(1, 64)) for start in zoo.CENTRED)
    torch.testing.assert_close(tanh, both, atol=1e-4, rtol=0)
    assert all((other - tanh).abs().max() > 0.1 for other in others)


def test_what_a_line_leaves_is_nothing_of_a_linear_model_and_what_scipy_says_of_a_bend():
    X = torch.linspace(-1, 1, 4001)[:, None]
    bend = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    with torch.no_grad():
        bend[0].weight.fill_(1), bend[0].bias.zero_()
    x, y = X[:, 0].numpy(), bend(X)[:, 0].detach().numpy()
    assert zoo.share_bent(bend, X, X) == pytest.approx(1 - linregress(x, y).rvalue ** 2, rel=1e-4)
    assert zoo.share_bent(bend[0], X, X) < 1e-12


def test_the_task_that_is_not_linear_has_other_answers_to_the_same_images():
    flip, bending = (zoo.bent_parts(task, generator=seeded(3)) for task in zoo.TASKS)
    images, answers = bending[2]
    inputs = np.column_stack([images, np.ones(len(images))])
    left = answers.numpy() - inputs @ np.linalg.lstsq(inputs, answers.numpy(), rcond=None)[0]
    assert left.var() > 0.01 * answers.var().item() and answers.mean(dim=0).abs().max() < 0.1
    assert [len(X) for X, _ in bending] == [len(X) for X, _ in flip]
    torch.testing.assert_close(bending[0][0], flip[0][0])


def test_bends_are_read_at_the_rate_at_which_most_was_right():
    data = made_up(zoo.bent, "missed", "bent")
    data["missed"].loc[{"task": zoo.LINEAR, "start": "He", "part": VALIDATION, "rate": 0.1}] = -1
    wanted = data["bent"].sel(task=zoo.LINEAR, start="He", rate=0.1, part=HELD_OUT)
    np.testing.assert_array_equal(zoo.bent_by(data, "He"), wanted)
    assert zoo.bent_answer(data)["bends"] == pytest.approx(float(wanted.median()))


def test_both_blocks_have_as_many_parameters():
    gelu, swiglu = (zoo.block_network(block, generator=seeded()) for block in zoo.BLOCKS)
    counts = [sum(weight.numel() for weight in model.parameters()) for model in (gelu, swiglu)]
    assert counts == [2 * 64 * 96 + 650] * 2 and gelu(torch.ones(3, 64)).shape == (3, 10)


@pytest.mark.parametrize(("race", "better"), [(zoo.digits, 0.2), (zoo.flip, -0.2)])
def test_rate_and_initialisation_are_chosen_on_validation_data(race, better):
    (score,) = race.scores
    data = made_up(race, score.name)
    data[score.name].loc[{"part": VALIDATION}] = 0.5
    data[score.name].loc[{"part": VALIDATION, "rate": 0.01}] = 0.5 + better / 2
    data[score.name].loc[{"part": VALIDATION, "rate": 0.01, "init": "xavier"}] = 0.5 + better
    cell = data[score.name].sel(activation="gelu", depth=20, rate=0.01, part=HELD_OUT)
    np.testing.assert_array_equal(zoo.best_scores(data, "gelu", 20), cell.sel(init="xavier"))
    np.testing.assert_array_equal(zoo.best_scores(data, "gelu", 20, "he"), cell.sel(init="he"))


def test_rates_at_which_a_run_diverged_are_not_drawn():
    data = made_up(zoo.text_starts, "error")
    data["error"].loc[{"start": "He", "rate": 0.4, "seed": 3}] = np.nan
    (ax,) = zoo_figures.starts_by_rate(data).axes
    assert [len(container.lines[0].get_ydata()) for container in ax.containers] == [7, 7, 7, 5]
