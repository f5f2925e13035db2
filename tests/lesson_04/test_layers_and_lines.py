"""Layers that are handed in, 04.2 and 04.5, and the experiment of 04.4: what definitions promise of every draw."""

from __future__ import annotations

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from scipy.stats import binomtest

from tests.proofs import of_seed
from utils.constructions import relu_network
from utils.data import checkerboard_labels
from utils.exercises import layers
from utils.lesson_04 import line_runs
from utils.lesson_04.exercises import folding_layers, pieces_along, square_network
from utils.models import mlp
from utils.regions import count_regions, restrict

SEEDS = range(2)


def test_layers_are_evaluated_as_torch_does():
    rng = np.random.default_rng(0)
    network = [(rng.normal(size=(4, 2)), rng.normal(size=4)), (rng.normal(size=(3, 4)), rng.normal(size=3))]
    X = rng.normal(size=(20, 2))
    wanted = relu_network(network, double=True)(torch.tensor(X)).detach().numpy()
    np.testing.assert_allclose(layers.evaluate(network, X), wanted, atol=1e-12)
    assert layers.sizes_of(network) == [2, 4, 3] and layers.sizes_of(network[::-1]) == []
    assert not layers.is_readable([network[0][0]]) and not layers.is_readable(3)


@pytest.mark.parametrize("k", folding_layers.FOLDS)
def test_the_board_is_the_courses_and_is_folded_exactly(k):
    X = np.random.default_rng(k).random((4000, 2))
    wanted = folding_layers.board(k, X)
    labels = checkerboard_labels(torch.tensor(X), 2 ** (k - 1), (0.0, 1.0)).numpy()
    assert (wanted == 1 - 2 * labels).all()
    network = folding_layers.built({"k": k})
    assert (folding_layers.colours(network, X) == wanted).all()
    assert folding_layers.is_board({"k": k, "side": 1.0}, network)
    assert not folding_layers.is_board({"k": k, "side": 1.25}, network)


@pytest.mark.parametrize("k", (1, 3, 5))
def test_folding_on_the_grid_line_is_as_good_as_guessing(k):
    X = folding_layers.points_of(k, (0.125, 0.375, 0.625, 0.875))
    network = folding_layers.built({"k": k}, shift=lambda k: 0.0)
    assert (folding_layers.colours(network, X) == folding_layers.board(k, X)).mean() == 0.5


@pytest.mark.parametrize("k", (1, 2, 6))
def test_a_column_of_the_wrong_colour_is_found(k):
    """By a shift of three half cells, which goes wrong at the far edge alone."""
    network = folding_layers.built({"k": k}, shift=lambda k: 3 * 0.5 ** (k + 1))
    given = {"k": k, "side": 1.0}
    right = folding_layers.is_right(given, network).all(axis=1).reshape(2**k, 2**k)
    assert right[:-1, :-1].all() and not folding_layers.is_board(given, network)


@pytest.mark.parametrize("m", square_network.DEPTHS)
def test_the_error_is_the_power_of_4_that_is_told(m):
    """Between the knots j/2^m the error is that of a parabola's chord, h²/4."""
    off = square_network.curve_of(square_network.built({"m": m})) - square_network.PLACES**2
    assert off.max() == (0.5**m) ** 2 / 4 == square_network.bound(m) and off.min() == 0
    assert square_network.is_square({"m": m, "end": 1.0}, square_network.built({"m": m}))
    assert not square_network.is_square({"m": m, "end": 1.25}, square_network.built({"m": m}))
    one_less = square_network.of_weights(lambda s, m: 0.25**s * (s < m))[0]({"m": m})
    assert np.abs(one_less - square_network.PLACES**2).max() == 4 * square_network.bound(m)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_patterns_are_those_of_convex_cells_and_no_verdict_is_a_close_call(seed):
    cases = of_seed(pieces_along.PIECES.cases, seed)
    verdicts = []
    for given in cases:
        counts = []
        for active in given.values():
            counts.append([len({tuple(pattern) for pattern in one.tolist()}) for one in active])
            assert pieces_along.pieces(active).tolist() == counts[-1] and min(counts[-1]) >= 2
        steps = np.diff(counts, axis=0)[0]
        more, fewer = int((steps > 0).sum()), int((steps < 0).sum())
        assert (more - fewer) ** 2 != 4 * (more + fewer)
        chance = binomtest(more, more + fewer).pvalue
        verdicts.append(pieces_along.right(given)[1])
        assert chance > 0.1 if verdicts[-1] == "cannot tell" else chance < 0.08
    assert [verdicts.count(one) for one in pieces_along.VERDICTS] == [3, 3, 7]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_mistakes_that_are_nested_in_others_show_in_three_cases_and_differ(seed):
    cases = of_seed(pieces_along.PIECES.cases, seed)
    right = [pieces_along.right(given) for given in cases]
    found = [[way(given) for given in cases] for way, _ in pieces_along.NESTED]
    for values in found:
        assert sum(one != two for one, two in zip(values, right, strict=True)) >= 3
    assert found[0] != found[1] != found[2] != found[0]


@pytest.mark.parametrize("sizes", ([2, 6, 2], [2, 4, 4, 2]))
def test_patterns_are_those_of_the_networks_before_and_after(sizes, monkeypatch):
    """Their changes are the cells that the exact count finds along the line."""
    import utils.comparison

    monkeypatch.setattr(line_runs, "EPOCHS", 3)
    monkeypatch.setattr(line_runs, "POINTS", 200)
    kept, original = {}, utils.comparison.sweep

    def sweep(build, *args, **options):
        kept["swept"] = original(build, *args, **options)
        return kept["swept"]

    monkeypatch.setattr(utils.comparison, "sweep", sweep)
    start, end = np.array([-1, -0.8]), np.array([1, 0.6])
    found = line_runs.patterns_along(sizes, start, end, n_seeds=3, first_seed=5)
    untrained = [mlp(sizes, generator=torch.Generator().manual_seed(2 * seed + 1)) for seed in (5, 6, 7)]
    trained = [models[0] for models in kept["swept"].models]
    assert kept["swept"].seeds == (5, 6, 7) and not np.array_equal(*found)
    for active, models in zip(found, (untrained, trained), strict=True):
        assert active.shape == (3, line_runs.PLACES, sum(sizes[1:-1]))
        cells = [count_regions(restrict(model, start, end - start), (0.0, 1.0)) for model in models]
        assert pieces_along.pieces(active).tolist() == cells


def test_a_notebook_that_is_marked_loads_no_torch_for_the_experiment(root):
    code = "import sys, utils.lesson_04.line_runs; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0


def test_what_is_said_of_values():
    board = folding_layers.built({"k": 1}, shift=lambda k: 0.0)
    said = folding_layers.explain_board({"k": 1, "side": 1.0}, board, None)
    assert said.startswith("0 of 4 squares") and said.endswith("(0.25, 0.25), a = 0, b = 0.")
    assert "(1.5, 0.5), a = -1.5, b = 0.5." in folding_layers.explain_board({"k": 1, "side": 2.0}, board, None)
    assert "Sizes [2, 4, 4, 2]" in folding_layers.explain_board({"k": 2, "side": 1.0}, board, None)
    identity = [([[1.0]] * 3, [0, 0, 0]), ([[0, 0, 1]], [0])]
    said = square_network.explain_square({"m": 1, "end": 1.0}, identity, None)
    assert said == "Yours is furthest off at x = 0.5: 0.5 there, x² is 0.25. It may be off by 1² · 4^-2 = 0.0625."
    said = square_network.explain_square({"m": 1, "end": 4.0}, identity, None)
    assert said == "Yours is furthest off at x = 4: 4 there, x² is 16. It may be off by 4² · 4^-2 = 1."
    said = pieces_along.explain_pieces(pieces_along.worked_example(), [1.5, "more"], None)
    assert said == (
        "Pieces before training: 2, 3, 2; after it: 3, 4, 4. So 3 of 3 seeds have more, 0 have fewer, and 2√3 is 3.46."
    )


def test_what_is_drawn_of_values():
    figure, words = folding_layers.plot_board({"k": 2, "side": 1.0}, folding_layers.built({"k": 2}))
    wanted, drawn = (ax.images[0].get_array() for ax in figure.axes)
    assert (wanted == drawn).all() and wanted.shape == (32, 32) and "100% of it" in words
    figure, words = square_network.plot_square({"m": 3, "end": 1.0}, square_network.built({"m": 3}))
    assert figure.axes[0].lines[0].get_ydata().max() == 4.0**-4 and "than 0.00391." in words
    example = pieces_along.worked_example()
    figure, words = pieces_along.plot_pieces(example, [1.5, "cannot tell"])
    assert [line.get_ydata().tolist() for line in figure.axes[0].lines] == [[2, 3], [3, 4], [2, 4]]
    assert 'returns 1.5 and "cannot tell"' in words
    figure, words = line_runs.pattern_bars(example["before"][0], example["after"][0])
    assert (figure.axes[0].images[0].get_array()[0] == [1, 1, 0, 0, 0, 0, 0]).all()
    assert "1 of the units switch before training, 2 after it" in words
    plt.close("all")
