"""Lesson 02's explorers: their counts, forward passes, trainings and words, against PyTorch, NumPy and brute force."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Text

from tests.colour_vision import VISION, distance, lab
from utils.lesson_02 import explorers, explorers_figures
from utils.lesson_02.explorers import TARGETS, fit, fitted, forward_pass
from utils.models import count_parameters, mlp
from utils.widgets import live_figure, quick_png, values_of

ARCHITECTURE = {
    "layer_1": 4,
    "layer_2": 4,
    "layer_3": 4,
    "layer_4": 0,
    "sides": 1,
    "activation": "relu",
    "x": 0.8,
    "y": -0.3,
    "image": 4,
    "step": 4,
}
SHAPE = {"target": "two waves", "width": 6, "depth": 2, "activation": "relu", "seed": 1, "rate": 0.01}


layers = st.tuples(st.integers(1, 8), *[st.integers(0, 8)] * 3)
sides = st.sampled_from(explorers.SIDES)
states = st.fixed_dictionaries(
    {
        "layer_1": st.integers(1, 8),
        **{f"layer_{number}": st.integers(0, 8) for number in (2, 3, 4)},
        "sides": sides,
        "activation": st.sampled_from(["relu", "tanh"]),
        "x": st.integers(-10, 10).map(lambda n: n / 10),
        "y": st.integers(-10, 10).map(lambda n: n / 10),
        "image": st.integers(0, 15),
        "step": st.integers(0, 5),
    }
)


def network_of(values: dict) -> torch.nn.Sequential:
    """Return the network that these controls draw."""
    units = [values[f"layer_{number}"] for number in (1, 2, 3, 4) if values[f"layer_{number}"]]
    return explorers.drawn_network([values["sides"], *units, values["sides"]], values["activation"])


def input_of(values: dict) -> list[float]:
    """Return the input that these controls say, an image as its number's binary digits."""
    return {1: [values["x"]], 2: [values["x"], values["y"]], 4: [float(d) for d in f"{values['image']:04b}"]}[
        values["sides"]
    ]


# --- the architecture ---------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(layers, sides)
def test_parameters_are_pytorchs_and_add_up_in_words(units, sides):
    sizes = explorers.sizes_of(units, sides)
    counts = explorers.parameters_of(sizes)
    model = mlp(sizes)
    assert sum(counts) == count_parameters(model) and 0 not in sizes
    assert counts == [sum(p.numel() for p in layer.parameters()) for layer in model[::2]]
    words = explorers.count_in_words(sizes)
    assert f" = {' + '.join(map(str, counts))} = {sum(counts)}." in words
    terms = re.findall(r"\((\d+)·(\d+) \+ (\d+)\)", words)
    assert [int(a) * int(b) + int(c) for a, b, c in terms] == counts
    if found := re.search(r"One hidden layer of (\d+) units? would have (\d+)\.", words):
        width, parameters = map(int, found.groups())
        assert parameters == count_parameters(mlp([sides, width, sides])) <= sum(counts)
        assert count_parameters(mlp([sides, width + 1, sides])) > sum(counts)
    assert bool(found) == (len(sizes) > 3)


@settings(max_examples=30)
@given(states)
def test_the_forward_pass_is_that_of_the_weights_by_hand(values):
    model, point = network_of(values), input_of(values)
    of_input = (values[name] for name in ("sides", "x", "y", "image"))
    values_seen, sums_seen = explorers.passed(model, explorers.point_of(*of_input))
    value, weighted = np.array(point), model[::2]
    for number, layer in enumerate(weighted, start=1):
        total = layer.weight.detach().double().numpy() @ value + layer.bias.detach().double().numpy()
        bent = np.maximum(total, 0) if values["activation"] == "relu" else np.tanh(total)
        value = total if number == len(weighted) else bent
        np.testing.assert_allclose(sums_seen[number], total, atol=1e-4)
        np.testing.assert_allclose(values_seen[number], value, atol=1e-4)
    assert len(values_seen) == len(weighted) + 1
    assert values_seen[-1] == pytest.approx(model(torch.tensor([point]))[0].detach().numpy())


def test_a_unit_more_leaves_the_others_weights_but_for_their_scale():
    small, large = (explorers.drawn_network(s, "relu")[::2] for s in ([1, 4, 3, 1], [1, 5, 3, 1]))
    torch.testing.assert_close(large[0].weight[:4], small[0].weight)
    torch.testing.assert_close(large[1].weight[:, :4] * np.sqrt(5 / 4), small[1].weight)
    torch.testing.assert_close(large[1].bias, small[1].bias)


def test_drawn_weights_have_hes_variance():
    first = torch.cat([explorers.drawn_network([8, 8, 1], "relu", s)[::2][0].weight for s in range(300)])
    assert first.var().item() == pytest.approx(2 / 8, rel=0.05) and abs(first.mean().item()) < 0.02


@pytest.mark.slow
@pytest.mark.parametrize(("sides", "step"), [(1, 0), (1, 3), (2, 4), (4, 2), (4, 4)])
def test_numbers_are_shown_for_what_is_computed_and_for_nothing_else(sides, step):
    values = {**ARCHITECTURE, "step": step, "sides": sides}
    figure, words = forward_pass(**values)
    shown = [text.get_text().replace("−", "-") for text in figure.axes[0].texts]
    numbers = [float(text) for text in shown if re.fullmatch(r"-?[\d.]+", text)]
    expected = np.concatenate(explorers.passed(network_of(values), input_of(values))[0][: step + 1])
    np.testing.assert_allclose(numbers, expected, atol=0.006)
    assert ("Nothing is computed" in words) == (step == 0) and ("output layer" in words) == (step == 4)
    counted = re.findall(r"= (\d+)|(\d+) in all", "\n".join(shown))
    assert sum(int(one or 0) for one, _ in counted) == count_parameters(network_of(values)) == int(counted[-1][1])
    if sides == 4:
        assert bool(figure.axes[2].texts) == (step == 4)
    else:
        assert bool(figure.axes[1].lines[-1].get_marker() == "o") == (step == 4)


@settings(max_examples=40)
@given(states)
def test_the_worked_unit_is_worked_right(values):
    """Its numbers are those of the first unit, to two places, and make what is said, as far as that goes."""
    model = network_of(values)
    values_seen, sums_seen = explorers.passed(model, input_of(values))
    step = min(max(values["step"], 1), len(values_seen) - 1)
    text = explorers.step_in_words(model, values_seen, sums_seen, step, values["activation"]).replace("−", "-")
    terms, bias, result = re.search(r": (-?\d[^:]*) \+ bias (\S+) ≈ (-?\d+\.\d\d)(?:\.$|, and)", text).groups()
    factors = np.array([[float(part) for part in term.split(" · ")] for term in terms.split(" + ")])
    layer = model[::2][step - 1]
    np.testing.assert_allclose(factors, np.stack([layer.weight[0].detach(), values_seen[step - 1]], 1), atol=0.00501)
    assert float(bias) == pytest.approx(layer.bias[0].item(), abs=0.00501)
    rounding = 0.005 * (np.abs(factors).sum() + 2) + 0.001
    assert factors.prod(axis=1).sum() + float(bias) == pytest.approx(float(result), abs=rounding)
    if after := re.search(r"(ReLU|tanh) turns that into (\S+)\.( |$)", text):
        bent = max(float(result), 0) if after[1] == "ReLU" else np.tanh(float(result))
        assert float(after[2]) == pytest.approx(bent, abs=0.011)
    assert bool(after) == (step < len(values_seen) - 1)


@pytest.mark.parametrize("sides", explorers.SIDES)
@pytest.mark.parametrize("units", [(1, 0, 0, 0), (8, 8, 8, 8)])
def test_no_text_lies_on_another_or_is_cut_off(units, sides, monkeypatch):
    """Numbers in circles that touch each other come nearest."""
    drawn, draw = [], Text.draw
    monkeypatch.setattr(Text, "draw", lambda text, *args: drawn.append(text) or draw(text, *args))
    named = dict(zip(("layer_1", "layer_2", "layer_3", "layer_4"), units, strict=True))
    figure, _ = forward_pass(**{**ARCHITECTURE, **named, "sides": sides, "step": 5})
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in drawn if text.get_text() and text.get_visible()]
    assert len(boxes) > 2 * sides + len(units)
    for box in boxes:
        assert 0 <= box.x0 and box.x1 <= figure.bbox.x1 and 0 <= box.y0 and box.y1 <= figure.bbox.y1
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)


def test_the_graph_is_the_networks():
    figure, _ = forward_pass(**ARCHITECTURE)
    x, y = figure.axes[1].lines[0].get_data()
    with torch.no_grad():
        expected = network_of(ARCHITECTURE)(torch.tensor(x[:, None], dtype=torch.float32))[:, 0]
    np.testing.assert_allclose(y, expected, atol=1e-6)
    assert (x.min(), x.max()) == (-1, 1)
    dot = figure.axes[1].lines[-1].get_xydata()[0]
    assert dot == pytest.approx([0.8, np.interp(0.8, x, y)], abs=0.01)


def test_the_maps_colours_are_the_first_outputs_signs():
    """Read from the picture: blue where it is above 0, red where it is below, the stronger the farther."""
    values = {**ARCHITECTURE, "sides": 2, "step": 0}
    figure, _ = forward_pass(**values)
    figure.canvas.draw()
    picture = np.asarray(figure.canvas.buffer_rgba()).astype(int)
    places = np.stack(np.meshgrid(np.arange(-0.95, 1, 0.1), np.arange(-0.95, 1, 0.1)), -1).reshape(-1, 2)
    across, up = figure.axes[1].transData.transform(places).astype(int).T
    blueness = picture[-up, across, 2] - picture[-up, across, 0]
    with torch.no_grad():
        output = network_of(values)(torch.tensor(places, dtype=torch.float32))[:, 0].numpy()
    sure = np.abs(output) > 0.25 * np.abs(output).max()
    assert sure.sum() > 100 and ((blueness > 0) == (output > 0))[sure].all()
    assert np.corrcoef(blueness, output)[0, 1] > 0.9


@pytest.mark.parametrize("image", [0, 6])
def test_the_pictures_are_the_image_and_what_the_network_makes_of_it(image):
    values = {**ARCHITECTURE, "sides": 4, "image": image}
    figure, words = forward_pass(**values)
    pixels = input_of(values)
    with torch.no_grad():
        output = network_of(values)(torch.tensor([pixels]))[0].numpy()
    for ax, expected in zip(figure.axes[1:], (pixels, output), strict=True):
        np.testing.assert_allclose(ax.images[0].get_array().ravel(), expected, atol=1e-6)
        assert [float(text.get_text().replace("−", "-")) for text in ax.texts] == pytest.approx(expected, abs=0.006)
        assert [text.get_position() for text in ax.texts] == [(0, 0), (1, 0), (0, 1), (1, 1)]


def test_of_the_inputs_controls_those_are_shown_that_it_has():
    controls = explorers.architecture_controls()
    live_figure(forward_pass, **controls)
    for sides, wanted in ((1, {"x"}), (2, {"x", "y"}), (4, {"image"}), (1, {"x"})):
        controls["sides"].value = sides
        assert {name for name in ("x", "y", "image") if controls[name].layout.display != "none"} == wanted


def test_the_last_step_is_the_outputs_however_many_layers_there_are():
    controls = explorers.architecture_controls()
    assert controls["step"].max == 4
    controls["layer_4"].value = 3
    assert controls["step"].max == 5
    controls["step"].value = 5
    controls["layer_2"].value = controls["layer_3"].value = 0
    assert controls["step"].max == controls["step"].value == 3


def test_signs_are_told_apart_by_style_and_by_anybodys_eyes_and_sizes_by_thickness():
    matrix = np.array([[1.0, -2.0], [0.5, 3.0]])
    positive, negative = explorers_figures.plot_network([matrix, np.array([[1.0, 1.0]])]).collections[:2]
    assert {line.get_linestyles()[0][1] is None for line in (positive, negative)} == {True, False}
    assert list(np.argsort(positive.get_linewidths())) == list(np.argsort([1.0, 0.5, 3.0]))
    fills = explorers_figures.FILL_POSITIVE, explorers_figures.FILL_NEGATIVE
    lines = explorers_figures.POSITIVE, explorers_figures.NEGATIVE
    for vision in VISION:
        assert distance(lab(lines[0], vision), lab(lines[1], vision)) > 20
        assert distance(lab(fills[0], vision), lab(fills[1], vision)) > 8


# --- width against depth --------------------------------------------------------------------------------------


def test_two_units_in_each_of_three_layers_make_the_sawtooth_of_8_pieces():
    """The tent map of Telgarsky, 2 relu(u) - 4 relu(u - 1/2), three times."""
    u = (explorers_figures.GRID + 1) / 2
    for _ in range(3):
        u = 2 * np.maximum(u, 0) - 4 * np.maximum(u - 0.5, 0)
    np.testing.assert_allclose(u, TARGETS["sawtooth of 8 pieces"](explorers_figures.GRID), atol=1e-9)


def run_to(steps: int, **changes):
    run = fit(**{**SHAPE, **changes}, steps=steps)
    while not run.done:
        run.run(seconds=60.0)
    return run


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
    np.testing.assert_allclose(
        np.interp(bends.get_xdata(), network.get_xdata(), network.get_ydata()), bends.get_ydata(), atol=0.02
    )


def test_a_smooth_network_has_no_pieces_to_count_and_one_that_diverges_says_so():
    run = fit(**{**SHAPE, "activation": "tanh"})
    words = fitted(run, **{**SHAPE, "activation": "tanh"})[1]
    assert "smooth" in words and "pieces to count" in words and "after 0 of 5,000 steps" in words
    run = run_to(50, rate=1e30)
    assert "diverged" in fitted(run, **{**SHAPE, "rate": 1e30})[1]


def test_controls_have_the_names_and_values_that_the_pictures_take():
    values = values_of(explorers.fit_controls())
    assert quick_png(fitted(fit(**values), **values)[0])[1:4] == b"PNG"
    assert quick_png(forward_pass(**values_of(explorers.architecture_controls()))[0])[1:4] == b"PNG"


def test_of_the_two_seeds_that_the_path_names_one_finds_the_sawtooth_and_a_larger_rate_swaps_them():
    """Three layers of 8 units, at the rate at which the controls begin, and at 0.03."""
    values = values_of(explorers.fit_controls())
    missed = {}
    for seed in (0, 1):
        for rate in (values["rate"], 0.03):
            run = fit(**{**values, "seed": seed, "rate": rate})
            run.trainer.run(explorers.STEPS)
            missed[seed, rate] = run.trainer.histories[0].loss[-1] * 12  # over the variance, 1/12
    assert (values["width"], values["depth"], values["seed"], values["rate"]) == (8, 3, 0, 0.01)
    assert missed[0, 0.01] < 0.01 and missed[1, 0.01] > 0.2 and missed[0, 0.03] > 0.2 and missed[1, 0.03] < 0.01
