"""What lesson 02's equal seconds rest on: that steps are timed as steps."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import xarray as xr

from tests.generators import seeded
from utils.lesson_02 import clocks, fair
from utils.lesson_02.fair import BATCH, DEPTHS
from utils.models import mlp

RUN_NAMES = ("1 × 510", "3 × 34", "5 × 24")


@pytest.mark.slow
def test_measuring_gives_microseconds_for_every_clock_and_depth(monkeypatch):
    monkeypatch.setattr(clocks, "PASSES", 1)
    monkeypatch.setattr("utils.lesson_02.cost.PASSES", 1)
    data = clocks.measure_clocks([5])
    assert data["microseconds"].sizes == {"seed": 1, "clock": 2, "depth": 3} and data["seed"].values.tolist() == [5]
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


@pytest.mark.parametrize("building", [True, False])
def test_a_page_prints_the_labs_times_when_it_is_built_and_the_readers_own_else(monkeypatch, capsys, building):
    axes = {"clock": [*clocks.CLOCKS], "depth": [*DEPTHS], "seed": [0, 1]}
    times = xr.DataArray(np.arange(12.0).reshape(2, 3, 2) + 7000, axes, [*axes])
    monkeypatch.setattr(clocks, "measure_clocks", lambda seeds: times.to_dataset(name="microseconds"))
    monkeypatch.setattr(clocks, "building", lambda: building)
    clocks.print_step_times()
    compiled, loop = capsys.readouterr().out.splitlines()
    assert "compiled trainer" in compiled and "PyTorch loop" in loop
    expected = fair.PYTORCH_STEP.values() if building else [7006, 7008, 7010]
    assert loop.endswith(", ".join(f"{run}: {time}" for run, time in zip(RUN_NAMES, expected, strict=True)))
    assert ("when the lab was recorded" in loop) == building
