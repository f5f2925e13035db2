"""What lesson 03's definitions promise of every draw: no verdict hangs on its luck."""

from __future__ import annotations

import numpy as np
import pytest

from tests.answers import of_seed
from utils.exercises import stored_cases
from utils.exercises.definition import find
from utils.lesson_03.exercises import fold_layer, kind_of_features, probe_accuracy, separated_from

SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fold_is_its_own_mirror_image_and_moves_some_of_the_sheet(seed):
    """By distances: what is beyond the line lands as far on its other side, on the same foot."""
    cases = of_seed(fold_layer.fold_cases, seed)
    lengths = np.array([np.linalg.norm(given["normal"]) for given in cases])
    for given, length in zip(cases, lengths, strict=True):
        points = fold_layer.sheet(given)
        image = fold_layer.folded(given, points)
        before, after = ((p @ given["normal"] - given["offset"]) / length for p in (points, image))
        np.testing.assert_allclose(after, -np.abs(before), atol=1e-12)
        np.testing.assert_allclose((image - points) @ fold_layer.across(given), 0, atol=1e-12)
        assert 0.05 < (before > 1e-9).mean() < 0.95 and (np.abs(before) < 1e-9).any()
    assert (abs(lengths - 1) > 0.2).sum() >= 6


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
        answers += separated_from.reference(given)
    assert -1 in answers and 0 in answers and max(answers) >= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_layers_have_moved_or_plainly_not_and_all_kinds_are_there(seed):
    cases = of_seed(kind_of_features.kind_cases, seed)
    for given in cases:
        for old, new in (pair for layer in kind_of_features.layers_of(given) for pair in layer):
            share = np.sqrt(((new - old) ** 2).sum() / (old**2).sum())
            assert share < 0.005 or share > 0.05
            assert all(float(f"{number:.3g}") == number for number in new.ravel())
    assert min(np.unique([kind_of_features.reference(given) for given in cases], return_counts=True)[1]) >= 2


@pytest.mark.parametrize(
    ("number", "value", "said"),
    [
        (
            "03.1",
            ([[1, 0], [0, 1], [0, 0]], [2, 2, 0], [[1, 0, 0], [0, 1, 0]], [-2, -2]),
            "p = (2, 2): it takes this point to (2, 2); (-1, -1) is wanted.",
        ),
        ("03.1", ([1, 2], [1], [2, 3], [4]), "yours are (2,), (1,), (2,), (1,)."),
        ("03.2", 0.5, "There are 4 points to score; your 0.5 says that 2 of them are right."),
        ("03.3", [2, 1], "Task 1: the medians over all seeds are 0.6, 0.96, 0.9, 0.96, stage by stage, and the level"),
        ("03.4", "learned", "The weight or the bias, whichever moved more: 0.1% (hidden layers), 360.1% (read-out)."),
        ("03.5", [[[1, 3, 1.5], [3, 0, 0]]] * 2, "layer 1 right, layer 2 has the shape (2, 3), not (2, 1)"),
    ],
)
def test_what_is_said_of_values(number, value, said):
    example = stored_cases.case_of(stored_cases.load(find(number))[0])
    assert said in find(number).explain(example.given, value, example.expected)


def test_what_is_drawn_of_right_values():
    """The layer that is right folds as the fold does, and a probe's outputs are those of the worked example."""
    drawn = {}
    for number in ("03.1", "03.2", "03.3", "03.4", "03.6"):
        example = stored_cases.case_of(stored_cases.load(find(number))[0])
        drawn[number] = find(number).plot(example.given, example.expected)
    left, right = ([line.get_xydata() for line in ax.lines] for ax in drawn["03.1"][0].axes)
    for one, other in zip(left, right, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    assert drawn["03.2"][0].axes[1].lines[0].get_xdata() == pytest.approx([-0.6, 0.3, -0.3])
    assert [ax.get_title() for ax in drawn["03.3"][0].axes] == ["task 0: from stage 2 on", "task 1: from stage 3 on"]
    assert [ax.get_title() for ax in drawn["03.4"][0].axes] == ["hidden layer 1", "read-out"]
    said = {
        "03.1": "n = (1, 1) and c = 1",
        "03.2": "returns 0.75",
        "03.3": "0.60, 0.96, 0.90, 0.96 (1 diverged)",
        "03.4": '"random"',
        "03.6": "2.12 and 0.707",
    }
    assert [number for number, words in said.items() if words not in drawn[number][1]] == []
