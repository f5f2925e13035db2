"""What lesson 02's equal seconds rest on: that steps are timed as steps, and runs compared whole."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import xarray as xr

from tests.generators import seeded
from tests.made_up import made_up
from utils.claims.records import differences
from utils.lesson_02 import clocks
from utils.lesson_02.claims.fair import CLOCKED
from utils.lesson_02.fair import BATCH, EQUAL
from utils.models import mlp


@pytest.mark.slow
def test_measuring_gives_microseconds_for_every_clock_and_depth(monkeypatch):
    monkeypatch.setattr(clocks, "PASSES", 1)
    monkeypatch.setattr("utils.lesson_02.cost.PASSES", 1)
    data = clocks.measure_clocks([0, 5])
    assert differences(CLOCKED, data) == [] and data["seed"].values.tolist() == [0, 5]
    assert (data["microseconds"] > 5).all() and (data["microseconds"] < 1e6).all()


def test_what_is_timed_are_so_many_steps_of_the_same_training(monkeypatch):
    """Each call goes on where the last one ended, and does as many steps as its time is divided by."""
    X, y = torch.randn(4000, 2, generator=seeded()), torch.arange(4000) % 2
    made = []
    trainer = clocks.Trainer
    monkeypatch.setattr(clocks, "Trainer", lambda *a, **o: made.append(trainer(*a, **o)) or made[-1])
    train = clocks._compiled(mlp([2, 3, 2], generator=seeded()), X, y)
    for calls in (1, 2):
        train()
        assert made[0].histories[0].steps == calls * clocks.STEPS
    done = []
    step = lambda model, X, y: lambda: done.append(len(X))  # noqa: E731
    monkeypatch.setattr(clocks, "training_step", step)
    clocks._in_pytorch(mlp([2, 3, 2], generator=seeded()), X, y)()
    assert done == [BATCH] * clocks.STEPS


@pytest.mark.parametrize("clock", clocks.CLOCKS)
def test_runs_are_compared_by_all_their_steps(clock):
    data = made_up(CLOCKED, "microseconds")
    epochs = np.array([run.epochs for run in EQUAL[clock].values()])
    seconds = data["microseconds"].sel(clock=clock).transpose("seed", "depth").values * epochs
    np.testing.assert_allclose(clocks.unequal(data, clock), seconds.max(axis=1) / seconds.min(axis=1))
    equal = xr.ones_like(data["microseconds"]) / xr.DataArray(epochs, dims="depth")
    np.testing.assert_allclose(clocks.unequal(equal.to_dataset(name="microseconds"), clock), 1)
