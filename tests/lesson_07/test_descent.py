"""Lesson 07's double descent: fits are what other solvers find, and rates and ridges are chosen on validation data."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge

from tests.choices import assert_right
from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import HELD_OUT, TRAINING, VALIDATION, generators
from utils.lesson_07 import descent, page  # noqa: F401 (the page's room registers its predictions)
from utils.models import mlp_parameters


def test_labels_alone_are_drawn_anew_and_only_those_to_train_on():
    right, wrong = (descent.noisy_digits(share, generator=seeded(3)) for share in (0.0, 0.5))
    for (X, _), (X_wrong, _) in zip(right, wrong, strict=True):
        torch.testing.assert_close(X, X_wrong)
    assert [len(y) for _, y in right] == [300, 500, 997]
    assert (right[0][1] != wrong[0][1]).double().mean().item() == pytest.approx(0.45, abs=0.08)
    assert all((y == y_wrong).all() for (_, y), (_, y_wrong) in zip(right[1:], wrong[1:], strict=True))


@pytest.mark.parametrize("features", [60, 330])
def test_errors_are_those_of_other_solvers(features):
    found = descent.descent.measure([4], features=[features]).squeeze("seed").squeeze("features")
    data, drawn = generators(4)
    W = torch.randn(64, features, generator=drawn, dtype=torch.float64) / 8
    parts = descent.noisy_digits(0.2, generator=data)
    phis = [(X.double() @ W).clamp(min=0).numpy() / features**0.5 for X, _ in parts]
    Y = np.eye(10)[parts[0][1].numpy()]
    fits = {0.0: np.linalg.pinv(phis[0], rcond=1e-10) @ Y, 0.1: Ridge(0.1, fit_intercept=False).fit(phis[0], Y).coef_.T}
    for ridge, fit in fits.items():
        for part, phi, (_, y) in zip((TRAINING, VALIDATION, HELD_OUT), phis, parts, strict=True):
            missed = (phi @ fit).argmax(axis=1) != y.numpy()
            assert found["error"].sel(wrong=0.2, part=part).sel(ridge=ridge, method="nearest") == missed.mean()
    s = np.linalg.svd(phis[0], compute_uv=False)
    assert found["smallest"].item() == pytest.approx(s[s > 1e-10 * s[0]][-1] / s[0])


def test_ridge_and_first_minimum_are_chosen_on_validation_data():
    data = made_up(descent.descent, "error")
    data["error"].loc[{"part": VALIDATION}] = 0.5
    data["error"].loc[{"part": VALIDATION, "features": 100, "ridge": 0.01}] = 0.4
    data["error"].loc[{"part": VALIDATION, "features": 200, "ridge": 0.0}] = 0.4
    data["error"].loc[{"part": VALIDATION, "features": 600, "ridge": 0.0}] = 0.1
    held_out = data["error"].sel(part=HELD_OUT, wrong=0.2)
    np.testing.assert_array_equal(descent.ridged(data, 100, 0.2), held_out.sel(features=100, ridge=0.01))
    assert descent.first_minimum(data, 0.2) == 200
    peak = held_out.sel(features=300, ridge=0.0) - held_out.sel(features=200, ridge=0.0)
    np.testing.assert_array_equal(descent.peak(data, 0.2), peak)
    second = held_out.sel(features=200, ridge=0.0) - held_out.sel(features=3000, ridge=0.0)
    np.testing.assert_array_equal(descent.second(data, 0.2), second)


def test_a_rise_is_from_the_best_narrower_network_to_the_first_that_fits():
    data = made_up(descent.trained, "error")
    data["error"].loc[{"part": TRAINING}] = 0.2
    data["error"].loc[{"part": TRAINING, "width": [width for width in descent.WIDTHS if width >= 12]}] = 0.0
    data["error"].loc[{"part": VALIDATION}] = 0.5
    data["error"].loc[{"part": VALIDATION, "width": 6}] = 0.4
    data["error"].loc[{"part": VALIDATION, "width": 32}] = 0.1
    at = data["error"].sel(part=HELD_OUT, rate=descent.ONE_RATE, wrong=0.4)
    assert descent.threshold(data, 0.4) == 12
    np.testing.assert_array_equal(descent.rise(data, 0.4), at.sel(width=12) - at.sel(width=6))
    data["error"].loc[{"part": VALIDATION, "width": 40}] = 0.6  # the worst of those that fit
    data["error"].loc[{"part": VALIDATION, "width": 2}] = 0.9  # which this one does not
    np.testing.assert_array_equal(descent.highest(data, 0.4), at.sel(width=40) - at.sel(width=6))


def test_widths_go_past_that_with_as_many_parameters_as_targets():
    assert mlp_parameters([64, 40, 10]) / (10 * descent.EXAMPLES) == pytest.approx(1, abs=0.01)
    assert 40 in descent.WIDTHS and max(descent.WIDTHS) > 3 * 40


PEAK = {"seeds": 20, "peak": "", "second": "", "wrong_first": 0.2, "wrong_middle": 0.8, "wrong_last": 0.2}
TRAINED = {"rises": "", "more": 0.0, "right": 0.0, "width": 12, "last": 128, "one": 0.3, "tuned": 0.2, "unfitted": 0.2}
AIDS = {"seeds": 12, "most": "", "none": 0.2, **dict.fromkeys(("l2", "decay", "l1", "dropout", "early"), "")}
MEASURED = {
    "07b.peak": [
        ({**PEAK, "first": first, "middle": middle, "last": last}, said)
        for first, middle, last, said in (
            (0.1, 0.7, 0.03, "it falls, rises"),
            (0.1, 0.2, 0.3, "it falls, then rises, and goes on"),
            (0.1, 0.1, 0.1, "it stays"),
            (0.1, 0.07, 0.03, "it falls all the way"),
        )
    ],
    "07b.trained": [
        ({**TRAINED, "rise": rise}, said)
        for rise, said in ((0.1, "yes"), (0.0, "no, it is within"), (-0.1, "no, it is lower"))
    ],
    "07b.aids": [
        ({**AIDS, "count": count}, said)
        for count, said in ((0, "none"), (1, "one or two"), (3, "three or four"), (5, "all five"))
    ],
}


@pytest.mark.parametrize("key", MEASURED)
def test_the_right_choice_is_what_was_measured(key):
    for measured, right in MEASURED[key]:
        assert_right(key, measured, right)
