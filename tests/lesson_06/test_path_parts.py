"""Lesson 06's path from PyTorch's default on: the slide's gradients, the repairs, a hundred layers, their figures."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch import nn

from tests.generators import seeded
from tests.made_up import made_up
from utils.lesson_06 import defaults, first_aid, hundred, path_figures

SLID, AIDED = made_up(defaults.slide, "loss", "sum"), made_up(first_aid.aid, "accuracy")


# --- PyTorch's default ------------------------------------------------------------------------------------


class Slide(nn.Module):
    """The network of the slide, as it stands there, but for its name and its factor."""

    def __init__(self, num_layers: int, factor: float):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(10, 10) for _ in range(num_layers)])
        self.factor = factor

    def forward(self, x):
        for layer in self.layers:
            x = self.factor * torch.tanh(layer(x))
        return x


@pytest.mark.parametrize("factor", [1.5, 4.0])
def test_the_slides_gradients_are_those_of_the_slides_network(factor):
    with torch.random.fork_rng():
        torch.manual_seed(3)
        slide = Slide(6, factor)
        x, y = torch.randn(2, 100, 10)
    wanted = {}
    for name, value in {"loss": nn.functional.mse_loss(slide(x), y), "sum": slide(x[:1]).sum()}.items():
        slide.zero_grad()
        value.backward()
        wanted[name] = slide.layers[0].weight.grad.norm().item()
    assert defaults.slide_gradients(6, factor, generator=seeded(3)) == pytest.approx(wanted, rel=1e-4)


def test_the_gain_is_that_of_nn_linear():
    layer = nn.Linear(400, 400)
    assert layer.weight.std().item() * 20 == pytest.approx(defaults.GAIN, rel=0.01)
    assert nn.Linear(10, 100_000).bias.std().item() == pytest.approx(defaults.BIAS_STD, rel=0.01)


def test_the_edge_is_where_chi_is_one():
    assert defaults.slide_chi(defaults.slide_edge()) == pytest.approx(1)
    z = np.random.default_rng(0).standard_normal(200_000)
    q = 1.0
    for _ in range(200):
        q = (1.5**2 / 3) * np.mean(np.tanh(math.sqrt(q) * z) ** 2) + 1 / 30
    assert defaults.slide_chi(1.5) == pytest.approx(0.75 * np.mean(np.cosh(math.sqrt(q) * z) ** -4.0), rel=0.01)


def test_growth_is_of_the_deepest_over_the_shallowest():
    data = SLID
    wanted = data["loss"].sel(factor=4.0, depth=50) / data["loss"].sel(factor=4.0, depth=2)
    np.testing.assert_allclose(defaults.growth(data, 4.0), wanted)
    answer, medians = defaults.slide_answer(data), data.sel(factor=1.5).median("seed")
    assert [answer["shallow"], answer["deep"], answer["chi"]] == [*medians["loss"][[0, -1]], defaults.slide_chi(1.5)]
    assert [answer["shallow_sum"], answer["deep_sum"]] == [*medians["sum"][[0, -1]]]


# --- first aid --------------------------------------------------------------------------------------------


def gains(model: nn.Sequential) -> list[float]:
    """Of the weights between hidden layers, all together, and the largest of the biases."""
    inner = [layer for layer in model if isinstance(layer, nn.Linear)][1:-1]
    square = torch.cat([layer.weight.flatten() ** 2 * layer.in_features for layer in inner]).mean()
    return [square.sqrt().item(), max(layer.bias.abs().max().item() for layer in inner)]


@pytest.mark.parametrize("repair", first_aid.REPAIRS)
def test_a_repair_changes_what_it_says_and_nothing_else(repair):
    model, case = first_aid.patient(repair, generator=seeded(1)), first_aid.REPAIRS[repair]
    gain, bias = gains(model)
    assert gain == pytest.approx({"gain 1": 1, "gain √2": math.sqrt(2)}.get(repair, math.sqrt(1 / 3)), rel=0.02)
    assert (bias == 0) == (repair == "zero biases")
    activation = nn.Tanh if repair == "tanh for ReLU" else nn.ReLU
    assert sum(isinstance(layer, activation) for layer in model) == len(model) // 2 == 30
    assert model[2].in_features == (64 if repair == "twice as wide" else 32)
    assert (case.longer, case.faster) == (4 if "steps" in repair else 1, 10 if "rate" in repair else 1)


def test_gradients_of_weights_are_those_of_backward():
    (X, y), *_ = first_aid.digits(generator=seeded())
    model = first_aid.patient("gain √2", generator=seeded(1))
    norms = first_aid.weight_gradients(model, X, y)
    (-torch.log_softmax(model(X), 1)[range(len(y)), y].mean()).backward()
    np.testing.assert_allclose(norms, [layer.weight.grad.norm() for layer in model[::2]], rtol=1e-4)


@pytest.mark.slow
def test_a_treatment_trains_and_is_put_in_words():
    treatment = first_aid.treat(repair="gain √2")
    start = treatment.before
    while not treatment.done:
        treatment.run(seconds=1)
    figure, words = path_figures.treated(treatment, repair="gain √2")
    assert "gain √2" in words and "360 steps" in words and f"{start[0]:.1g} before" in words
    model = treatment.trainer.plan.models[0]
    X, y = treatment.parts[-1]
    right = (model(X).argmax(1) == y).double().mean().item()
    assert right > 0.5 and f"{right:.0%}" in words
    left, loss = figure.axes
    np.testing.assert_allclose(left.lines[0].get_ydata(), start)
    assert len(loss.lines[0].get_ydata()) == 360


def test_gradients_beyond_the_frame_are_drawn_on_it():
    figure = path_figures.gradients(np.array([0.0, 1e-3, np.inf, np.nan]))
    np.testing.assert_allclose(figure.axes[0].lines[0].get_ydata(), [1e-20, 1e-3, 1e3, 1e3])


def test_the_best_without_gain_is_the_best_of_the_others():
    data = AIDED.copy(deep=True)
    for repair, accuracy in {"gain 1": 0.7, "gain √2": 0.9, "tanh for ReLU": 0.2}.items():
        data["accuracy"].loc[{"repair": repair}] = accuracy
    for repair in ("none", "twice as wide", "four times the steps", "zero biases"):
        data["accuracy"].loc[{"repair": repair}] = 0.1
    data["accuracy"].loc[{"repair": "none", "seed": 4}] = 0.3
    assert first_aid.best_without_gain(data).values.tolist() == [0.3 if seed == 4 else 0.2 for seed in range(9)]
    assert first_aid.aid_answer(data) == pytest.approx({"others": 0.2, "one": 0.7, "root": 0.9, "seeds": 9})


# --- a hundred layers -------------------------------------------------------------------------------------


def test_both_kinds_have_a_hundred_layers_of_gain_one():
    for kind in hundred.KINDS:
        model = hundred.hundred_layers(kind, generator=seeded(2))
        assert gains(model) == pytest.approx([1, 0], rel=0.01) and len(model) == 201
    orthogonal = hundred.hundred_layers("orthogonal", generator=seeded(2))[40].weight
    torch.testing.assert_close(orthogonal @ orthogonal.T, torch.eye(32), atol=1e-5, rtol=0)


def test_what_a_hundred_layers_reached_is_tuned_by_kind():
    data = made_up(hundred.hundred, "accuracy", longer=("rate", "part"))
    for kind, scores in (("longer", data["longer"]), ("Gaussian", data["accuracy"].sel(kind="Gaussian"))):
        scores.loc[{"part": "validation"}] = 0.5
        scores.loc[{"part": "validation", "rate": 0.0001}] = 0.6
        np.testing.assert_array_equal(hundred.reached(data, kind), scores.sel(part="held-out", rate=0.0001))
    answer = hundred.hundred_answer(data)
    assert answer["gaussian"] == np.median(hundred.reached(data, "Gaussian")) and answer["seeds"] == 9


# --- figures ----------------------------------------------------------------------------------------------


def test_lines_are_medians_and_rows_have_every_seed():
    (ax,) = path_figures.slide(SLID).axes
    wanted = SLID["loss"].median("seed").transpose("factor", "depth")
    np.testing.assert_allclose([line.lines[0].get_ydata() for line in ax.containers], wanted)
    (ax,) = path_figures.repairs(AIDED).axes
    rows = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 9]
    np.testing.assert_array_equal(rows, [first_aid.aid.best(AIDED, repair=name) for name in first_aid.MEASURED])
    assert [label.get_text() for label in ax.get_yticklabels()] == first_aid.MEASURED
