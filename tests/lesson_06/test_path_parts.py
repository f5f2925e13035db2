"""Lesson 06's path from PyTorch's default on: the slide's gradients, the repairs, and a hundred layers."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch import nn

from tests.generators import seeded
from utils.lesson_06 import defaults, first_aid, hundred, path_figures
from utils.models import mlp
from utils.training import train, weight_gradients


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
    found = defaults.slide.measure([3], factor=[factor], depth=[6])
    assert {name: found[name].item() for name in found} == pytest.approx(wanted, rel=1e-4)


def test_the_gain_is_that_of_nn_linear():
    layer = nn.Linear(400, 400)
    assert layer.weight.std().item() * 20 == pytest.approx(defaults.GAIN, rel=0.01)
    assert nn.Linear(10, 100_000).bias.std().item() == pytest.approx(defaults.BIAS_STD, rel=0.01)


def test_the_edge_is_where_chi_is_one():
    assert defaults.slide_chi(defaults.slide_edge()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("draw", "gain"),
    [
        (lambda W: nn.init.kaiming_normal_(W, nonlinearity="relu"), math.sqrt(2)),
        (nn.init.xavier_normal_, 1),
        (lambda W: nn.init.kaiming_normal_(W, nonlinearity="tanh"), 5 / 3),
    ],
)
def test_pytorchs_own_initialisations_have_the_gains_that_the_page_says(draw, gain):
    assert draw(torch.empty(1000, 1000)).std().item() * math.sqrt(1000) == pytest.approx(gain, rel=0.005)
    if draw is nn.init.xavier_normal_:
        assert draw(torch.empty(250, 1000)).var().item() == pytest.approx(2 / 1250, rel=0.02)


def started(seed: int, first: int, number: float, activation: str = "relu") -> nn.Sequential:
    """The network of the page's "All alike", in which the layers from `first` on have one number everywhere."""
    model = mlp([64, 32, 32, 10], activation, init="he", generator=seeded(seed))
    for parameter in model[first:].parameters():
        nn.init.constant_(parameter, number)
    return model


@pytest.mark.parametrize(
    ("activation", "first", "number", "then"),
    [
        ("relu", 0, 0, [False, False, False]),
        ("tanh", 0, 0, [False, False, False]),
        ("sigmoid", 0, 0, [False, True, True]),
        ("relu", 0, 0.1, [True, True, True]),
        ("relu", -1, 0, [True, True, True]),
    ],
)
def test_equal_weights_stay_equal_and_a_last_layer_of_zeros_waits_a_step(activation, first, number, then):
    for seed in range(11):
        (X, y), _, (X_new, y_new) = first_aid.digits(generator=seeded(seed))
        model, moved = started(seed, first, number, activation), []
        for epochs in (1, 199):
            moved.append((weight_gradients(model, X, y) > 1e-5 * bool(number)).tolist())
            train(model, X, y, epochs=epochs, lr=0.003, progress=False)
        trains = number != 0 or first == -1 or activation == "sigmoid"
        assert moved == [[False, False, trains], then]
        different = [len(layer.weight.detach().round(decimals=4).unique(dim=0)) for layer in model[:-1:2]]
        assert different == ([1, 1] if first == 0 else [32, 32])
        if first == 0 and activation != "sigmoid" and number == 0:
            assert all((p == 0).all() for p in [*model.parameters()][:-1]) and (model[-1].bias != 0).any()
        if first == -1:
            assert (model(X_new).argmax(1) == y_new).double().mean().item() > 0.9


def gain_and_bias(model: nn.Sequential) -> list[float]:
    """Of the weights between hidden layers, all together, and the largest of the biases."""
    inner = [layer for layer in model if isinstance(layer, nn.Linear)][1:-1]
    square = torch.cat([layer.weight.flatten() ** 2 * layer.in_features for layer in inner]).mean()
    return [square.sqrt().item(), max(layer.bias.abs().max().item() for layer in inner)]


@pytest.mark.parametrize("repair", first_aid.REPAIRS)
def test_a_repair_changes_what_it_says_and_nothing_else(repair):
    model, case = first_aid.patient(repair, generator=seeded(1)), first_aid.REPAIRS[repair]
    gain, bias = gain_and_bias(model)
    assert gain == pytest.approx({"gain 1": 1, "gain √2": math.sqrt(2)}.get(repair, math.sqrt(1 / 3)), rel=0.02)
    assert (bias == 0) == (repair == "zero biases")
    activation = nn.Tanh if repair == "tanh for ReLU" else nn.ReLU
    assert sum(isinstance(layer, activation) for layer in model) == len(model) // 2 == 30
    assert model[2].in_features == (64 if repair == "twice as wide" else 32)
    assert case.longer == (4 if "steps" in repair else 1)


def test_a_magnified_loss_is_adam_with_a_tiny_epsilon():
    model, y = nn.Linear(3, 2, bias=False), torch.tensor([0, 1, 1])
    X, other = 1e-9 * torch.randn(3, 3, generator=seeded()), nn.Linear(3, 2, bias=False)
    other.load_state_dict(model.state_dict())
    train(model, X, y, epochs=5, lr=0.1, loss=first_aid.magnified, progress=False)
    optimizer = torch.optim.Adam(other.parameters(), lr=0.1, eps=1e-24)
    for _ in range(5):
        optimizer.zero_grad()
        nn.functional.cross_entropy(other(X), y).backward()
        optimizer.step()
    torch.testing.assert_close(model.weight, other.weight, rtol=1e-3, atol=1e-4)


@pytest.mark.slow
def test_two_repairs_train_side_by_side_and_are_put_in_words():
    pair = first_aid.treat(repair="gain √2", beside="four times the steps")
    while not pair.done:
        pair.run(seconds=1)
    _, words = path_figures.treated(pair, repair="gain √2", beside="four times the steps")
    X, y = pair.parts[-1]
    for treatment, name, steps in zip(pair.treatments, ("gain √2", "four times the steps"), (360, 1440), strict=True):
        right = (treatment.trainer.plan.models[0](X).argmax(1) == y).double().mean().item()
        said = words[words.index(f"Repair: {name}. After {steps:,} steps, {right:.0%}") :]
        assert f"{treatment.before[0]:.1g} before" in said and (right > 0.5) == (name == "gain √2")


def test_gradients_beyond_the_frame_are_drawn_on_it():
    figure = path_figures.gradients(np.array([0.0, 1e-3, np.inf, np.nan]))
    np.testing.assert_allclose(figure.axes[0].lines[0].get_ydata(), [1e-20, 1e-3, 1e3, 1e3])


def test_both_kinds_have_a_hundred_layers_of_gain_one():
    for kind in hundred.KINDS:
        model = hundred.hundred_layers(kind, generator=seeded(2))
        assert gain_and_bias(model) == pytest.approx([1, 0], rel=0.01) and len(model) == 201
    orthogonal = hundred.hundred_layers("orthogonal", generator=seeded(2))[40].weight
    torch.testing.assert_close(orthogonal @ orthogonal.T, torch.eye(32), atol=1e-5, rtol=0)
