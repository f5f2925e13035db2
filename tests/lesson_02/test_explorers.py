"""Lesson 02's explorers: their counts, forward passes, trainings and words, against PyTorch, NumPy and brute force."""

from __future__ import annotations

import re

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.colour_vision import VISION, distance, lab
from utils.lesson_02 import explorers, explorers_figures
from utils.lesson_02.explorers import TARGETS, fit, fitted, forward_pass
from utils.models import count_parameters, mlp
from utils.widgets import live_figure, quick_png, values_of

matplotlib.use("Agg")
ARCHITECTURE = {"layer_1": 4, "layer_2": 4, "layer_3": 4, "layer_4": 0, "activation": "relu", "x": 0.8, "step": 4}
SHAPE = {"target": "two waves", "width": 6, "depth": 2, "activation": "relu", "seed": 1, "rate": 0.01}


layers = st.tuples(st.integers(1, 8), *[st.integers(0, 8)] * 3)


# --- the architecture ---------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(layers)
def test_parameters_are_pytorchs_and_add_up_in_words(units):
    sizes = explorers.sizes_of(units)
    counts = explorers.parameters_of(sizes)
    assert sum(counts) == count_parameters(mlp(sizes)) and 0 not in sizes
    words = explorers.count_in_words(sizes)
    assert f" = {sum(counts)}." in words
    terms = re.findall(r"\((\d+)·(\d+) \+ (\d+)\)", words)
    assert sum(int(a) * int(b) + int(c) for a, b, c in terms) == sum(counts)
    if found := re.search(r"One hidden layer of (\d+) units would have (\d+)\.", words):
        width, parameters = map(int, found.groups())
        assert parameters == count_parameters(mlp([1, width, 1])) <= sum(counts)
        assert count_parameters(mlp([1, width + 1, 1])) > sum(counts)


def test_width_4_depth_3_has_more_parameters_than_width_8_depth_1():
    assert [sum(explorers.parameters_of(sizes)) for sizes in ([1, 4, 4, 4, 1], [1, 8, 1])] == [53, 25]


@settings(max_examples=30, deadline=None)
@given(layers, st.sampled_from(["relu", "tanh"]), st.floats(-2, 2))
def test_the_forward_pass_is_that_of_the_weights_by_hand(units, activation, x):
    sizes = explorers.sizes_of(units)
    model = explorers.drawn_network(sizes, activation)
    seen = explorers.passed(model, x)
    value = np.array([x])
    for number, layer in enumerate(explorers.linear_layers(model), start=1):
        total = layer.weight.detach().double().numpy() @ value + layer.bias.detach().double().numpy()
        bent = np.maximum(total, 0) if activation == "relu" else np.tanh(total)
        value = total if number == len(sizes) - 1 else bent
        np.testing.assert_allclose(seen.sums[number], total, atol=1e-4)
        np.testing.assert_allclose(seen.values[number], value, atol=1e-4)
    assert len(seen.values) == len(sizes) and seen.values[-1] == pytest.approx(model(torch.tensor([[x]])).item())


def test_a_unit_more_leaves_the_others_weights_but_for_their_scale():
    small, large = (explorers.linear_layers(explorers.drawn_network(s, "relu")) for s in ([1, 4, 3, 1], [1, 5, 3, 1]))
    torch.testing.assert_close(large[0].weight[:4], small[0].weight)
    torch.testing.assert_close(large[1].weight[:, :4] * np.sqrt(5 / 4), small[1].weight)
    torch.testing.assert_close(large[1].bias, small[1].bias)


def test_drawn_weights_have_hes_variance():
    first = torch.cat([explorers.linear_layers(explorers.drawn_network([8, 8, 1], "relu", s))[0].weight
                       for s in range(300)])  # fmt: skip
    assert first.var().item() == pytest.approx(2 / 8, rel=0.05) and abs(first.mean().item()) < 0.02


@pytest.mark.parametrize("step", range(5))
def test_numbers_are_shown_for_what_is_computed_and_for_nothing_else(step):
    figure, words = forward_pass(**{**ARCHITECTURE, "step": step})
    shown = [text.get_text().replace("−", "-") for text in figure.axes[0].texts]
    numbers = [float(text) for text in shown if re.fullmatch(r"-?[\d.]+", text)]
    model = explorers.drawn_network([1, 4, 4, 4, 1], "relu")
    expected = np.concatenate(explorers.passed(model, 0.8).values[: step + 1])
    np.testing.assert_allclose(numbers, expected, atol=0.006)
    assert ("Nothing is computed" in words) == (step == 0) and ("output layer" in words) == (step == 4)
    assert bool(figure.axes[1].lines[-1].get_marker() == "o") == (step == 4)


@pytest.mark.parametrize("step", [1, 2, 3, 4])
@pytest.mark.parametrize("x", [0.8, -1.3])
def test_the_worked_unit_is_worked_right(step, x):
    """With two units a layer, all terms are written out."""
    values = {**ARCHITECTURE, "layer_1": 2, "layer_2": 2, "layer_3": 2, "x": x, "step": step}
    text = forward_pass(**values)[1].replace("−", "-")
    total, result = re.search(r": (-?[^:]*) = (-?[\d.]+)(?:\.|, and ReLU)", text[text.index(".") :]).groups()
    terms = total.replace("bias ", "").split(" + ")
    sums = [np.prod([float(part) for part in term.split(" · ")]) for term in terms]
    assert sum(sums) == pytest.approx(float(result), abs=0.05)
    if after := re.search(r"ReLU makes (\S+) of it", text):
        assert float(after[1]) == max(float(result), 0)


def test_the_last_step_is_the_outputs_however_many_layers_there_are():
    controls = explorers.architecture_controls()
    assert controls["step"].max == 4
    controls["layer_4"].value = 3
    assert controls["step"].max == 5
    controls["step"].value = 5
    controls["layer_2"].value = controls["layer_3"].value = 0
    assert controls["step"].max == controls["step"].value == 3


def test_a_step_beyond_the_output_shows_the_output():
    assert forward_pass(**{**ARCHITECTURE, "step": 9})[1] == forward_pass(**ARCHITECTURE)[1]


def test_the_figure_to_play_follows_its_play_and_is_drawn_once_for_each_state(monkeypatch):
    drawn = []
    draw = lambda **values: drawn.append(values) or (plt.figure(figsize=(1, 1)), "")  # noqa: E731
    controls = explorers.architecture_controls()
    box = live_figure(draw, **controls)
    for step in range(1, 5):
        controls["step"].value = step
    assert [values["step"] for values in drawn] == list(range(5))
    controls["layer_3"].value = 0
    assert len(drawn) == 6 and drawn[-1]["step"] == 3 and drawn[-1]["layer_3"] == 0
    slider, play = box.children[6].children
    slider.value = 1
    assert play.value == 1 and len(drawn) == 7 and slider.max == 3


def test_signs_are_told_apart_by_style_and_by_anybodys_eyes():
    ax = explorers_figures.plot_network([np.array([[1.0], [-0.5]]), np.array([[0.2, -1.0]])])
    styles = {line.get_linestyles()[0][1] is None for line in ax.collections[:2]}
    assert styles == {True, False}
    fills = explorers_figures.FILL_POSITIVE, explorers_figures.FILL_NEGATIVE
    lines = explorers_figures.POSITIVE, explorers_figures.NEGATIVE
    for vision in VISION:
        assert distance(lab(lines[0], vision), lab(lines[1], vision)) > 20
        assert distance(lab(fills[0], vision), lab(fills[1], vision)) > 8


def test_thickness_is_the_weights_size():
    matrix = np.array([[1.0, -2.0], [0.5, 3.0]])
    ax = explorers_figures.plot_network([matrix, np.array([[1.0, 1.0]])])
    positive, negative = ax.collections[:2]
    assert list(np.argsort(positive.get_linewidths())) == list(np.argsort([1.0, 0.5, 3.0]))
    assert len(negative.get_segments()) == 1


# --- width against depth --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "pieces"), [("sawtooth of 8 pieces", 8), ("sawtooth of 16 pieces", 16)])
def test_a_sawtooth_has_its_pieces(name, pieces):
    x = np.linspace(-1, 1, 64 * pieces + 1)
    y = TARGETS[name](x)
    slopes = np.diff(y) / np.diff(x)
    assert 1 + np.count_nonzero(np.abs(np.diff(slopes)) > 1) == pieces
    assert y.min() == pytest.approx(0, abs=1e-9) and y.max() == pytest.approx(1, abs=1e-9)
    np.testing.assert_allclose(np.abs(slopes), pieces / 2, rtol=1e-6)


def test_two_units_in_each_of_three_layers_make_the_sawtooth_of_8_pieces():
    """The tent map of Telgarsky, 2 relu(u) - 4 relu(u - 1/2), three times."""
    u = (explorers_figures.GRID + 1) / 2
    for _ in range(3):
        u = 2 * np.maximum(u, 0) - 4 * np.maximum(u - 0.5, 0)
    np.testing.assert_allclose(1 - u, TARGETS["sawtooth of 8 pieces"](explorers_figures.GRID), atol=1e-9)


def run_to(steps: int, **changes):
    run = fit(**{**SHAPE, **changes}, steps=steps)
    while not run.done:
        run.run(seconds=60.0)
    return run


def test_watched_a_network_ends_as_it_would_have_unwatched():
    watched = run_to(300).trainer.plan.models[0]
    alone = fit(**SHAPE, steps=300).trainer
    alone.run()
    for one, other in zip(watched.parameters(), alone.plan.models[0].parameters(), strict=True):
        assert torch.equal(one, other)


def test_the_words_are_right(monkeypatch):
    run = run_to(200)
    figure, words = fitted(run, **SHAPE)
    model = run.trainer.plan.models[0]
    x = torch.linspace(-1, 1, 100_001, dtype=torch.float64)[:, None]
    with torch.no_grad():
        y = model.double()(x)
        patterns = torch.cat([model[:2](x) > 0, model[:4](x) > 0], dim=1)
    slopes = ((y[1:] - y[:-1]) / (x[1:] - x[:-1])).squeeze()
    same = (patterns[1:] == patterns[:-1]).all(dim=1)  # a step of the grid with no bend in it
    pieces = 1 + (slopes[same].diff().abs() > 1e-6).sum().item()
    error = ((y[:, 0] - torch.sin(2 * torch.pi * x[:, 0])) ** 2).mean().item()
    assert f"2 × 6 relu units, {count_parameters(model)} parameters, after 200 of 200 steps" in words
    assert f"has {pieces} straight pieces; such layers never make more than 49" in words
    assert float(re.search(r"error (\S+)\. ", words)[1]) == pytest.approx(error, rel=0.1)
    (_, network, bends), loss = figure.axes[0].lines, figure.axes[1].lines[0]
    assert len(bends.get_xdata()) == pieces - 1 and len(loss.get_xdata()) == 200
    np.testing.assert_allclose(np.interp(bends.get_xdata(), network.get_xdata(), network.get_ydata()),
                               bends.get_ydata(), atol=0.02)  # fmt: skip


def test_a_smooth_network_has_no_pieces_to_count_and_one_that_diverges_says_so():
    run = fit(**{**SHAPE, "activation": "tanh"})
    words = fitted(run, **{**SHAPE, "activation": "tanh"})[1]
    assert "smooth" in words and "pieces to count" in words and "after 0 of 5,000 steps" in words
    run = run_to(50, rate=1e30)
    assert "diverged" in fitted(run, **{**SHAPE, "rate": 1e30})[1]


def test_controls_have_the_names_and_values_that_the_pictures_take():
    values = values_of(explorers.fit_controls())
    figure, _ = fitted(fit(**values), **values)
    assert quick_png(figure)[1:4] == b"PNG"
    figure, _ = forward_pass(**values_of(explorers.architecture_controls()))
    assert quick_png(figure)[1:4] == b"PNG"


def test_snapshots_are_those_of_the_same_training():
    ((name, taken),) = explorers.snapshots([(6, 2)], "two waves", [0, 5, 40], seed=1, rate=0.01)
    assert name == "2 × 6: 61 parameters" and [one.steps for one in taken] == [0, 5, 40]
    before = fit(**SHAPE)
    np.testing.assert_array_equal(
        taken[0].y_hat, explorers.curve_of(before.trainer.plan.models[0], explorers_figures.GRID)
    )
    before.trainer.run(40)
    np.testing.assert_array_equal(
        taken[2].y_hat, explorers.curve_of(before.trainer.plan.models[0], explorers_figures.GRID)
    )
    figure = explorers_figures.snapshots([(name, taken)], TARGETS["two waves"](explorers_figures.GRID))
    assert len(figure.axes) == 3


def test_networks_are_drawn_side_by_side():
    weights = [
        layer.weight.detach().numpy() for layer in explorers.linear_layers(explorers.drawn_network([1, 3, 1], "relu"))
    ]
    figure = explorers_figures.networks([("one", weights), ("two", weights)])
    assert [ax.get_title() for ax in figure.axes] == ["one", "two"]


def test_errors_after_training_are_those_of_each_seed_alone():
    errors = explorers.errors_after((3, 2), "a step", [4, 7], rate=0.01)
    for seed, error in zip([4, 7], errors, strict=True):
        run = explorers.fit(target="a step", width=3, depth=2, activation="relu", seed=seed, rate=0.01)
        while not run.done:
            run.run(seconds=60)
        assert error == run.trainer.histories[0].loss[-1]
    assert errors[0] != errors[1]
