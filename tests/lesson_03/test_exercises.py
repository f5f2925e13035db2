"""What lesson 03's definitions promise of every draw: no verdict hangs on its luck."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from tests.proofs import of_seed
from utils.lesson_03.exercises import (
    explained_variance,
    fold_layer,
    hidden_activations,
    kind_of_features,
    probe_accuracy,
    separated_from,
)

SEEDS = range(4)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fold_is_its_own_mirror_image_and_moves_some_of_the_sheet(seed):
    """By distances: what is beyond the line lands as far on its other side, on the same foot."""
    for given in of_seed(fold_layer.fold_cases, seed):
        points, length = fold_layer.sheet(given), np.linalg.norm(given["normal"])
        image = fold_layer.folded(given, points)
        before, after = ((p @ given["normal"] - given["offset"]) / length for p in (points, image))
        np.testing.assert_allclose(after, -np.abs(before), atol=1e-12)
        np.testing.assert_allclose((image - points) @ fold_layer.across(given), 0, atol=1e-12)
        assert 0.05 < (before > 1e-9).mean() < 0.95 and (np.abs(before) < 1e-9).any()
    lengths = [np.linalg.norm(given["normal"]) for given in of_seed(fold_layer.fold_cases, seed)]
    assert sum(abs(length - 1) > 0.2 for length in lengths) >= 6


@pytest.mark.parametrize("seed", SEEDS)
def test_no_output_of_a_probe_is_a_close_call(seed):
    for given in of_seed(probe_accuracy.probe_cases, seed):
        H = np.c_[given["fit_H"], np.ones(len(given["fit_H"]))]
        assert np.linalg.matrix_rank(H) == H.shape[1]
        weights = np.linalg.pinv(H) @ (2 * given["fit_y"] - 1)
        assert np.abs(given["score_H"] @ weights[:-1] + weights[-1]).min() > 0.005


@pytest.mark.parametrize("seed", SEEDS)
def test_no_median_is_near_the_level_and_never_and_always_are_answers(seed):
    answers = []
    for given in of_seed(separated_from.separated_cases, seed):
        ordered, n = np.sort(np.nan_to_num(given["accuracies"]), axis=1), given["accuracies"].shape[1]
        middle = ordered[:, [(n - 1) // 2, n // 2]]
        assert (np.abs(middle - given["level"]) > 0.004).all()
        assert ((middle[:, 0] > given["level"]) == (middle[:, 1] > given["level"])).all()
        lost = np.isnan(given["accuracies"])
        assert (lost.any(axis=2) == lost.all(axis=2)).all()
        answers += separated_from.right(given)
    assert -1 in answers and 0 in answers and max(answers) >= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_layers_have_moved_or_plainly_not_and_all_kinds_are_there(seed):
    cases = of_seed(kind_of_features.kind_cases, seed)
    for given in cases:
        for old, new in kind_of_features.pairs_of(given):
            share = np.sqrt(((new - old) ** 2).sum() / (old**2).sum())
            assert share < 0.005 or share > 0.05
            assert all(float(f"{number:.3g}") == number for number in new.ravel())
    counts = [sum(kind_of_features.right(given) == kind for given in cases) for kind in kind_of_features.KINDS]
    assert min(counts) >= 2


@pytest.mark.parametrize("seed", SEEDS)
def test_each_hidden_layer_has_units_on_and_units_off(seed):
    for given in of_seed(hidden_activations.activation_cases, seed):
        for part in hidden_activations.collected(given):
            assert (part == 0).any() and (part > 0).any()


def test_what_is_said_of_values():
    given = fold_layer.case((0.0, -2.0), 1.0)
    unfolded = [[1, 0], [0, 1], [0, 0]], [2, 2, 0], [[1, 0, 0], [0, 1, 0]], [-2, -2]
    said = fold_layer.explain_fold(given, unfolded, None)
    assert said.endswith("(-2, -2); (-2, 1) is wanted.")
    assert "yours are (2,), (1,)" in fold_layer.explain_fold(given, ([1, 2], [1], [2, 3], [4]), None)
    example = separated_from.worked_example()
    assert separated_from.explain_separated(example, [2, 1], [2, 3]) == (
        "Task 1: the medians over all seeds are 0.6, 0.96, 0.9, 0.96, stage by stage, and the level is 0.95."
    )
    assert separated_from.explain_separated(example, [2.5, 1], [2, 3]) == ""
    assert kind_of_features.explain_kind(kind_of_features.worked_example(), "learned", "random") == (
        "The weight or the bias, whichever moved more: 0.1% (hidden layers), 360.1% (read-out)."
    )
    network = next(hidden_activations.activation_cases(np.random.default_rng(0)))[0]
    right = hidden_activations.collected(network)
    said = hidden_activations.explain_activations(network, [right[0], right[0]], right)
    assert said == "layer 1 right, layer 2 has the shape (2, 3), not (2, 1)"


def test_what_is_drawn_of_values():
    given = fold_layer.case((1.0, 1.0), 1.0)
    layer = [[1, 0], [0, 1], [1, 1]], [2, 2, -1], [[1, 0, -1], [0, 1, -1]], [-2, -2]
    figure, words = fold_layer.plot_fold(given, layer)
    assert "n = (1, 1) and c = 1" in words
    left, right = ([line.get_xydata() for line in ax.lines] for ax in figure.axes)
    for one, other in zip(left, right, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    figures = [figure]
    example = probe_accuracy.worked_example()
    figure, words = probe_accuracy.plot_probe(example, 0.75)
    assert figure.axes[1].lines[0].get_xdata() == pytest.approx([-0.6, 0.3, -0.3]) and "returns 0.75" in words
    figures.append(figure)
    figure, words = separated_from.plot_separated(separated_from.worked_example(), np.array([2, -1]))
    assert [ax.get_title() for ax in figure.axes] == ["task 0: from stage 2 on", "task 1: never"]
    figures.append(figure)
    figure, words = kind_of_features.plot_kind(kind_of_features.worked_example(), "random")
    assert [ax.get_title() for ax in figure.axes] == ["hidden layer 1", "read-out"] and '"random"' in words
    figures.append(figure)
    figure, words = explained_variance.plot_variance(explained_variance.worked_example(), 0.9)
    assert "2.12 and 0.707" in words
    figures.append(figure)
    for figure in figures:
        plt.close(figure)
