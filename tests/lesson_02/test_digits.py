"""Lesson 02 on the digits: how they are split, and that a rate is chosen in one part and reported in another."""

from __future__ import annotations

import matplotlib
import numpy as np
import pytest
import torch
from sklearn.datasets import load_digits

from tests.generators import seeded
from utils.lesson_02 import digits, digits_figures
from utils.models import mlp_parameters

matplotlib.use("Agg")


def test_a_split_is_the_whole_table_without_overlap_with_the_classes_in_proportion():
    parts = digits.digit_parts(generator=seeded(3))
    assert [len(X) for X, _ in parts] == [1078, 360, 359]
    pixels, labels = load_digits(return_X_y=True)
    train = parts[0][0].double()
    assert train.mean().item() == pytest.approx(0, abs=1e-5) and train.square().mean().item() == pytest.approx(1)
    rows = torch.cat([torch.column_stack([X.double(), y]) for X, y in parts]).numpy()
    scale = np.ptp(pixels) / np.ptp(rows[:, :-1])
    rows[:, :-1] = np.rint((rows[:, :-1] - rows[:, :-1].min()) * scale)
    assert sorted(map(tuple, rows)) == sorted(map(tuple, np.column_stack([pixels, labels])))
    for _, y in parts:
        np.testing.assert_allclose(np.bincount(y) / len(y), np.bincount(labels) / len(labels), atol=0.005)


def test_a_seed_has_a_split_of_its_own_and_always_the_same():
    again, same, other = (digits.digit_parts(generator=seeded(seed)) for seed in (3, 3, 4))
    assert torch.equal(again[2][0], same[2][0]) and not torch.equal(again[2][0], other[2][0])


def test_equal_parameters_are_equal_up_to_one_unit_in_each_layer():
    for budget in digits.BUDGETS:
        for depth in digits.DEPTHS:
            sizes = digits.SHAPES[digits.budget_name(budget, depth)]
            wider = [sizes[0], *[sizes[1] + 1] * depth, sizes[-1]]
            assert len(sizes) == depth + 2 and mlp_parameters(sizes) <= budget < mlp_parameters(wider)


def made_up(seeds=12):
    return {"accuracy": np.random.default_rng(0).uniform(size=(seeds, len(digits.SHAPES), len(digits.RATES), 3))}


def test_the_rate_is_chosen_on_validation_images_and_the_rest_reported():
    data = made_up()
    place = list(digits.SHAPES).index("3 × 16")
    data["accuracy"][:, place, 5, digits.VALIDATION] = 2  # better than any other
    np.testing.assert_array_equal(digits.grid(data, 3, 16), data["accuracy"][:, place, 5, digits.HELD_OUT])
    assert digits.chosen(data, "3 × 16") == digits.RATES[5]
    place = list(digits.SHAPES).index("1000 in 2")
    data["accuracy"][:, place, 2, digits.VALIDATION] = 2
    np.testing.assert_array_equal(digits.at_budget(data, 1000, 2), data["accuracy"][:, place, 2, digits.HELD_OUT])
    few = {"accuracy": data["accuracy"][:, : len(digits.TRAINED_LONGER)]}
    few["accuracy"][:, 3, 1, digits.VALIDATION] = 2
    np.testing.assert_array_equal(digits.longer(few, "1000 in 4", digits.TRAIN), few["accuracy"][:, 3, 1, 0])


def test_the_gap_of_the_narrow_ones_is_taken_after_as_many_passes_as_are_asked_for():
    data = {passes: np.zeros((12, 4, len(digits.RATES), 3)) for passes in ("before", "accuracy")}
    data["before"][:, 0], data["before"][:, 1], data["accuracy"][:, 0] = 0.75, 0.25, 0.125
    assert digits.narrow_gap(data, "before").tolist() == [0.5] * 12
    assert digits.narrow_gap(data, "accuracy").tolist() == [0.125] * 12


def test_trained_longer_means_before_and_after(monkeypatch):
    monkeypatch.setattr(digits, "measure_digits", lambda seeds, names, epochs: {"accuracy": (len(names), epochs)})
    assert digits.measure_longer([0]) == {"accuracy": (4, digits.LONGER), "before": (4, digits.EPOCHS)}


@pytest.mark.slow
def test_a_seeds_numbers_do_not_depend_on_the_others_and_training_helps():
    names = [digits.LINEAR, "2 × 4"]
    both, alone = (digits.measure_digits(seeds, names, epochs=5)["accuracy"] for seeds in ([1, 7], [7]))
    assert both.shape == (2, 2, len(digits.RATES), 3)
    np.testing.assert_array_equal(both[1], alone[0])
    assert both[:, 0].max(axis=1).min() > 0.9


def test_figures_draw_the_medians_and_name_the_widths():
    data = made_up()
    left, right = digits_figures.errors_by_shape(data).axes
    medians = [np.median(1 - digits.grid(data, 1, width)) for width in digits.WIDTHS]
    np.testing.assert_allclose(left.lines[0].get_ydata(), medians)
    assert "66, 42, 34, 29" in right.get_legend().get_texts()[-1].get_text()
    X, y = digits.digit_parts(generator=seeded())[0]
    axes = digits_figures.some_digits(X, y).axes
    assert len(axes) == 20
    np.testing.assert_array_equal(axes[0].images[0].get_array(), X[y == 0][0].reshape(8, 8))
