"""Lesson 07's noisy board: what is said to regularise does what it is said to do, and is chosen on validation data."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import HELD_OUT, TRAINING, VALIDATION, generators
from utils.data import checkerboard_labels
from utils.lesson_07 import capacity
from utils.lesson_07.capacity import AS_LARGE, DEEP, EARLY, NONE, SMALL
from utils.lesson_07.networks import wrong_share
from utils.models import count_parameters
from utils.training import train


@pytest.fixture
def short(monkeypatch):
    """Few steps, and two settings of each kind; returns the parts of a seed."""
    monkeypatch.setattr(capacity, "STEPS", 80)
    monkeypatch.setattr(capacity, "SETTINGS", {kind: some[3:5] for kind, some in capacity.SETTINGS.items()})
    return capacity.parts(200, generator=generators(5)[0])


def test_a_tenth_of_the_boards_labels_is_wrong():
    X, y = capacity.noisy_board(4000, generator=seeded(1))
    assert (y != checkerboard_labels(X)).double().mean().item() == pytest.approx(0.1, abs=0.02)


def test_networks_side_by_side_without_dropout_are_those_trained_one_by_one(short):
    X, y = short[0]
    beside, alone = ([capacity.network(DEEP, generator=seeded(4)) for _ in range(2)] for _ in range(2))
    capacity.drop_out(beside, X, y, [0.0, 0.3], generator=seeded(1))
    train(alone[0], X, y, lr=capacity.AIDED_RATE, progress=False, epochs=20, batch_size=50, schedule="one-cycle")
    for one, other, dropped in zip(*(model.parameters() for model in (beside[0], alone[0], beside[1])), strict=True):
        torch.testing.assert_close(one, other, atol=1e-4, rtol=1e-3)
        assert (one - dropped).abs().max() > 1e-3


def test_dropout_multiplies_what_is_kept(monkeypatch):
    monkeypatch.setattr(capacity, "STEPS", 1)
    seen = []
    monkeypatch.setattr(torch, "baddbmm", lambda b, h, W: seen.append(h) or b + h @ W)
    model = capacity.network(DEEP, generator=seeded(4))
    X = torch.randn(50, 2, generator=seeded(5))
    hidden = model[1](model[0](X[torch.randperm(50, generator=seeded(0))]))
    capacity.drop_out([model], X, torch.zeros(50, dtype=torch.long), [0.3], generator=seeded(1))
    kept = seen[1][0] != 0
    assert kept[hidden > 0].double().mean().item() == pytest.approx(0.7, abs=0.05)
    torch.testing.assert_close(seen[1][0][kept], hidden[kept] / 0.7)


def test_shrinking_is_soft_thresholding_of_weights():
    model = capacity.network(DEEP, generator=seeded(3))
    before = {name: value.clone() for name, value in model.named_parameters()}
    capacity.shrink(model, 0.1)
    for name, value in model.named_parameters():
        wanted = nn.functional.softshrink(before[name], 0.1) if name.endswith("weight") else before[name]
        torch.testing.assert_close(value.data, wanted.data)


def test_each_kind_does_what_it_is_said_to_do(short):
    X, y = short[1]
    plain, pulled, early = (capacity.raced(kind, short, seed=5) for kind in (NONE, "L1", EARLY))
    for one, other, stopped in zip(plain, pulled, early, strict=True):
        size, smaller = (sum(layer.weight.abs().sum().item() for layer in model[::2]) for model in (one, other))
        assert smaller < size - 0.5
        assert wrong_share(stopped, X, y) <= wrong_share(one, X, y)
    assert any(wrong_share(early[k], X, y) < wrong_share(plain[k], X, y) for k in (0, 1))


def test_settings_are_chosen_on_validation_data():
    data = made_up(capacity.regularised, "error")
    data["error"].loc[{"part": VALIDATION}] = 0.5
    data["error"].loc[{"part": VALIDATION, "kind": "L1", "setting": 4}] = 0.4
    data["error"].loc[{"part": VALIDATION, "kind": NONE, "setting": 5}] = 0.4
    held_out = data["error"].sel(part=HELD_OUT)
    spared = held_out.sel(kind=NONE, setting=5) - held_out.sel(kind="L1", setting=4)
    np.testing.assert_array_equal(capacity.spared(data, "L1"), spared)


def test_a_gap_is_between_held_out_and_training_error_at_the_chosen_rate():
    data = made_up(capacity.capacity, "error")
    data["error"].loc[{"part": VALIDATION}] = 0.5
    data["error"].loc[{"part": VALIDATION, "rate": 0.03}] = 0.4
    at = data["error"].sel(rate=0.03, examples=200)
    gap = at.sel(shape=DEEP, part=HELD_OUT) - at.sel(shape=DEEP, part=TRAINING)
    np.testing.assert_array_equal(capacity.gap(data, DEEP, examples=200), gap)
    for shape, found in (
        (SMALL, capacity.lead(data, examples=200)),
        (AS_LARGE, capacity.lead(data, AS_LARGE, examples=200)),
    ):
        lead = at.sel(shape=shape, part=HELD_OUT) - at.sel(shape=DEEP, part=HELD_OUT)
        np.testing.assert_array_equal(found, lead)


def test_the_control_has_as_many_parameters_and_the_start_that_is_said():
    deep, large, small = (count_parameters(capacity.network(s, generator=seeded())) for s in (DEEP, AS_LARGE, SMALL))
    assert abs(large / deep - 1) < 0.02 and small < deep / 20
    biased = capacity.network(AS_LARGE, 0.5, generator=seeded(1))
    assert biased[0].bias.std().item() == pytest.approx(0.5, rel=0.15)
    assert not capacity.network(AS_LARGE, generator=seeded(1))[0].bias.any()
    data = made_up(capacity.biased, "error")
    data["error"].loc[{"part": VALIDATION}] = 0.5
    data["error"].loc[{"part": VALIDATION, "rate": 0.03}] = 0.4
    at = data["error"].sel(rate=0.03, examples=800, bias_std=0.5, part=HELD_OUT)
    found = capacity.lead(data, AS_LARGE, examples=800)
    np.testing.assert_array_equal(found, at.sel(shape=AS_LARGE) - at.sel(shape=DEEP))


def test_every_kind_has_as_many_settings():
    assert {len(settings) for settings in capacity.SETTINGS.values()} == {len(capacity.RATES)}
