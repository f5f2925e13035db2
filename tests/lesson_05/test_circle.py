"""The circle and the two neighbours: against the path's loop and infinitely wide networks."""

from __future__ import annotations

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

from utils.figures import titled, use_style
from utils.lesson_05 import circle, circle_figures, page
from utils.meanfield import c_star
from utils.pages import figure_text
from utils.player import LIMIT, player_html

CIRCLE = circle.on_circle(np.linspace(0, 2 * np.pi, 289))


def path_layers(x: np.ndarray, sigma: float, depth: int = 20, seed: int = 0) -> list[np.ndarray]:
    """The path's own loop."""
    generator = np.random.default_rng(seed)
    after = [x]
    for _ in range(depth):
        n = x.shape[1]
        W = sigma / np.sqrt(n) * generator.normal(size=(circle.WIDTH, n))
        x = np.tanh(x @ W.T)
        after.append(x)
    return after


@pytest.fixture(scope="module")
def after() -> dict[float, list[np.ndarray]]:
    return {sigma: path_layers(CIRCLE, sigma) for sigma in page.SIGMAS}


# --- numbers ----------------------------------------------------------------------------------------------


def test_the_rooms_layers_are_the_paths():
    pair = CIRCLE[[0, 5]]
    for z, x in zip(circle.pre_activations(pair, 1.5, seed=4), path_layers(pair, 1.5, seed=4)[1:], strict=True):
        np.testing.assert_allclose(np.tanh(z), x, atol=1e-12)


def test_biases_are_added_to_the_same_weights():
    without, with_them = (circle.pre_activations(CIRCLE[:2], 1.5, sigma_b, layers=1)[0] for sigma_b in (0, 0.3))
    biases = with_them - without
    np.testing.assert_allclose(biases[0], biases[1], atol=1e-12)
    assert np.std(biases[0]) == pytest.approx(0.3, rel=0.15)
    assert abs(np.corrcoef(biases[0], without[0])[0, 1]) < 0.2


@pytest.mark.slow
def test_at_one_a_unit_is_as_large_as_one_over_the_root_of_twice_the_layers():
    sizes = [np.sqrt(np.mean(path_layers(CIRCLE[:144:36], 1.0, seed=seed)[-1] ** 2)) for seed in range(20)]
    assert np.median(sizes) == pytest.approx(1 / np.sqrt(2 * circle.DEPTH), rel=0.1)


@pytest.mark.slow
def test_strangers_are_as_far_apart_as_neighbours_can_get():
    pair = circle.on_circle(np.array([0.0, 2.0]))
    for sigma in (2.0, 2.5):
        gaps = [x[0] - x[1] for seed in range(10) for x in path_layers(pair, sigma, depth=25, seed=seed)[-5:]]
        assert circle.farthest(sigma) == pytest.approx(np.sqrt(np.mean(np.square(gaps))), rel=0.05)


# --- pictures ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_film_shows_three_units_and_fits_the_page(after):
    scene, labels, settings = circle_figures.circles(after)
    assert list(scene) == ["σ = 0.8", "σ = 1", "σ = 1.5", "σ = 2.5"] and len(labels) == 21
    for layers, (line, marked) in zip(after.values(), scene.values(), strict=True):
        drawn = line.frames[7, 0]
        np.testing.assert_allclose(drawn[-1], drawn[0], atol=1e-9)  # still closed
        assert np.isin(drawn.round(9), layers[7][:, :3].round(9)).all() and len(drawn) > 50
        np.testing.assert_array_equal(marked.frames[20, :, 0], layers[20][:2, :3])
        assert np.abs(line.frames).max() <= 1
    assert len(player_html(scene, labels, figure_text("05.circles").alt, **settings)) < 3 * LIMIT


@pytest.fixture
def style():
    with plt.rc_context():
        use_style()
        yield


def test_the_gaps_are_drawn_as_medians_with_labels_that_can_be_read(style):
    layers = np.arange(41)
    apart = {
        sigma: 0.007 * factor**layers * np.exp(np.random.default_rng(0).normal(size=(20, 1)) / 9)
        for sigma, factor in zip(page.SIGMAS, (0.8, 0.95, 1.07, 1.13), strict=True)
    }
    figure = circle_figures.separation(apart)
    titled(figure, "05.separation")
    figure.canvas.draw()
    (ax,) = figure.axes
    drawn = {line.get_linestyle(): line.get_ydata() for line in ax.lines[:4]}
    assert len(drawn) == 4
    for values, gaps in zip(drawn.values(), apart.values(), strict=True):
        np.testing.assert_allclose(values, np.median(gaps, axis=0))
    boxes = [text.get_window_extent() for text in (*ax.texts, *figure.texts)]
    assert len(boxes) >= 5 and all(figure.bbox.containsx(box.x1) and figure.bbox.containsy(box.y0) for box in boxes)
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_a_zigzag_goes_down_by_tanh_and_up_by_sigma(style):
    pair = circle.on_circle(np.array([0.0, 0.001]))
    steps = {}
    for sigma in page.SIGMAS:
        sums = [circle.pre_activations(pair, sigma, layers=10, seed=seed) for seed in range(5)]
        steps[sigma] = [
            [np.sqrt(np.mean((f(z)[0] - f(z)[1]) ** 2)) for z in network for f in (np.array, np.tanh)]
            for network in sums
        ]
    figure = circle_figures.zigzag(steps)
    titled(figure, "05.zigzag")
    figure.canvas.draw()
    (ax,) = figure.axes
    for sigma, line in zip(page.SIGMAS, ax.lines[::2], strict=True):
        gaps = line.get_ydata()
        assert gaps[0] == 1 and (gaps[1::2] < gaps[::2]).all()
        np.testing.assert_allclose(gaps[2::2] / gaps[1:-1:2], sigma, rtol=0.1)
    box = figure.texts[0].get_window_extent()
    assert figure.bbox.containsx(box.x1)


def test_the_live_circle_says_what_it_draws():
    figure, words = page.circle_at(sigma=2.5, layer=7, sigma_b=0.3, seed=3)
    points = np.array([[1, 0], [np.cos(0.01), np.sin(0.01)], [0, 1]])
    z = circle.pre_activations(points, 2.5, 0.3, layers=7, seed=3)[-1]
    near, quarter = np.corrcoef(z)[0, 1:]  # nearly the cosine: the mean of 300 numbers is near 0
    found = [float(one) for one in re.findall(r"-?\d\.\d{3}", words)]
    assert found[:2] == pytest.approx([near, quarter], abs=0.02)
    assert found[2] == pytest.approx(c_star(2.5, 0.3, "tanh"), abs=1e-3)
    assert circle.common(2.5) == c_star(2.5, 0.3, "tanh")
    left, right = figure.axes
    np.testing.assert_allclose(np.array(left.lines[0].get_data_3d()).T[0], np.tanh(z[0, :3]))
    drawn = [line.get_ydata() for line in right.lines if len(line.get_ydata()) == circle_figures.MOST_LAYERS]
    assert [values[6] for values in drawn] == pytest.approx(found[:2], abs=1e-3)
