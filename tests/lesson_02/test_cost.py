"""What lesson 02 says that a network costs: against PyTorch's own counting, and the timing against known times."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from tests.generators import seeded
from utils.lesson_02 import cost, fair
from utils.models import mlp, mlp_flops


def numbers_in(sizes):
    """How many numbers PyTorch's own layers hold, without storage for them."""
    with torch.device("meta"):
        layers = [torch.nn.Linear(*pair) for pair in zip(sizes[:-1], sizes[1:], strict=True)]
    return sum(parameter.numel() for layer in layers for parameter in layer.parameters())


def flops(action):
    with FlopCounterMode(display=False) as counter:
        action()
    return counter.get_total_flops()


# --- counting ---------------------------------------------------------------------------------------------


@given(st.integers(1, 40), st.integers(1, 9), st.integers(1, 30), st.integers(1, 30))
def test_the_lessons_quadratic_is_what_pytorch_holds(width, depth, n_in, n_out):
    quadratic = (depth - 1) * width**2 + (n_in + n_out + depth) * width + n_out
    assert quadratic == numbers_in([n_in, *[width] * depth, n_out])


def test_a_budget_is_spent_as_far_as_it_goes():
    for budget, depth in itertools.product(cost.BUDGETS, cost.DEPTHS):
        sizes = cost.sizes_for(budget, depth)
        wider = [sizes[0], *[sizes[1] + 1] * depth, sizes[-1]]
        assert len(sizes) == depth + 2 and numbers_in(sizes) <= budget < numbers_in(wider)
        assert depth == 1 or sizes[1] <= np.sqrt(budget / (depth - 1))  # what the lesson proves of every budget


def test_the_example_before_the_prediction_and_its_answer():
    assert cost.sizes_for(1000, 1, 2, 2)[1] == 199 and cost.sizes_for(1000, 2, 2, 2)[1] == 28


# --- timing -----------------------------------------------------------------------------------------------


def test_a_step_does_the_arithmetic_of_forward_and_backward_and_changes_every_weight():
    sizes = [7, 5, 6, 3]
    model, X, y = mlp(sizes, "tanh", generator=seeded()), torch.randn(4, 7, generator=seeded()), torch.arange(4) % 3
    before = [parameter.clone() for parameter in model.parameters()]
    assert flops(cost.training_step(model, X, y)) == 4 * mlp_flops(sizes).step
    assert all((new != old).all() for new, old in zip(model.parameters(), before, strict=True))


def test_the_shortest_times_are_those_after_warming_up(monkeypatch):
    calls, now = [], [0.0]
    monkeypatch.setattr(cost, "perf_counter", lambda: now[0])  # a machine that does nothing else

    def taking(seconds):
        def action():
            calls.append(seconds)
            after = calls.count(seconds) - cost.WARM_UP
            now[0] += 0.001 if after <= 0 else seconds * (1 + (after != 2))

        return action

    shortest = cost.shortest_times([taking(0.01), taking(0.03)], seed=0)
    np.testing.assert_allclose(shortest, [0.01, 0.03])


def test_times_are_ratios_to_one_layer():
    data = cost.timed.measure([3], budget=[20_000])
    assert (data["step"].sel(depth=1) == 1).all() and (cost.step(data, 20_000, 16, 1) > 1).all()


def test_a_build_shows_the_record_and_a_reader_measures(monkeypatch):
    monkeypatch.setattr(cost, "timed", SimpleNamespace(measure=list))
    monkeypatch.setattr(cost, "recorded", lambda name: f"the record of {name}")
    monkeypatch.setenv("COURSE_BUILD", "1")
    assert cost.step_times() == ("the record of 02_cost", "recorded")
    monkeypatch.delenv("COURSE_BUILD")
    assert cost.step_times() == ([0, 1, 2, 3, 4, 5], "measured")


# --- the clocks of the fair fight --------------------------------------------------------------------------


@pytest.mark.slow
def test_measuring_gives_microseconds_for_every_clock_and_depth(monkeypatch):
    """By a clock that goes on by 7 microseconds for each of the steps that are timed at once."""
    monkeypatch.setattr(cost, "PASSES", 1)
    monkeypatch.setattr(cost, "perf_counter", itertools.count(step=7e-6 * cost.STEPS).__next__)
    data = cost.measure_clocks([5])
    assert data["microseconds"].sizes == {"seed": 1, "clock": 2, "depth": 3} and data["seed"].values.tolist() == [5]
    np.testing.assert_allclose(data["microseconds"], 7)


def test_what_is_timed_are_so_many_steps_of_the_same_training(monkeypatch):
    """Each call goes on where the last one ended, and does as many steps as its time is divided by."""
    X, y = torch.randn(4000, 2, generator=seeded()), torch.arange(4000) % 2
    made = []
    trainer = cost.Trainer
    monkeypatch.setattr(cost, "Trainer", lambda *a, **o: made.append(trainer(*a, **o)) or made[-1])
    train = cost._compiled(mlp([2, 3, 2], generator=seeded()), X, y)
    for calls in (1, 2):
        train()
        assert made[0].histories[0].steps == calls * cost.STEPS
    done = []
    step = lambda model, X, y: lambda: done.append(len(X))  # noqa: E731
    monkeypatch.setattr(cost, "training_step", step)
    cost._in_pytorch(mlp([2, 3, 2], generator=seeded()), X, y)()
    assert done == [fair.BATCH] * cost.STEPS


RUNS = ("1 × 510", "3 × 34", "5 × 24")


@pytest.mark.parametrize("building", [True, False])
def test_a_page_prints_the_labs_times_when_it_is_built_and_the_readers_own_else(monkeypatch, capsys, building):
    axes = {"clock": [*cost.CLOCKS], "depth": [*fair.DEPTHS], "seed": [0, 1]}
    times = xr.DataArray(np.arange(12.0).reshape(2, 3, 2) + 7000, axes, [*axes])
    monkeypatch.setattr(cost, "measure_clocks", lambda seeds: times.to_dataset(name="microseconds"))
    monkeypatch.setattr(cost, "building", lambda: building)
    cost.print_step_times()
    compiled, loop = capsys.readouterr().out.splitlines()
    assert "compiled trainer" in compiled and "PyTorch loop" in loop
    expected = fair.PYTORCH_STEP.values() if building else [7006, 7008, 7010]
    assert loop.endswith(", ".join(f"{run}: {time}" for run, time in zip(RUNS, expected, strict=True)))
    assert ("when the lab was recorded" in loop) == building
