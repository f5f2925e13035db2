"""What lesson 02 says that a network costs: against PyTorch's own counting, and the timing against known times."""

from __future__ import annotations

import itertools
import time
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from tests.generators import seeded
from tests.made_up import made_up
from utils.lesson_02 import cost, cost_figures
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


def test_what_is_kept_is_each_layers_input():
    sizes = cost.sizes_for(20_000, 4)
    assert cost.kilobytes_kept(20_000, 4) == pytest.approx(4 * cost.BATCH * sum(sizes[:-1]) / 1000)


# --- timing -----------------------------------------------------------------------------------------------


def test_a_step_does_the_arithmetic_of_forward_and_backward_and_changes_every_weight():
    sizes = [7, 5, 6, 3]
    model, X, y = mlp(sizes, "tanh", generator=seeded()), torch.randn(4, 7, generator=seeded()), torch.arange(4) % 3
    before = [parameter.clone() for parameter in model.parameters()]
    assert flops(cost.training_step(model, X, y)) == 4 * mlp_flops(sizes).step
    assert all((new != old).all() for new, old in zip(model.parameters(), before, strict=True))


def test_the_shortest_times_are_those_after_warming_up():
    calls = []

    def waiting(seconds):
        def action():
            calls.append(seconds)
            time.sleep(0.001 if calls.count(seconds) <= cost.WARM_UP else seconds)

        return action

    shortest = cost.shortest_times([waiting(0.01), waiting(0.03)], seed=0)
    np.testing.assert_allclose(shortest / shortest[0], [1, 3], rtol=0.2)


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


# --- figures ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_figures_draw_medians_and_the_numbers_that_follow_from_the_sizes():
    data = made_up(cost.timed, "step", seeds=12)
    left, right = cost_figures.cost_by_depth(data, "recorded").axes
    assert "recorded" in left.get_title()
    np.testing.assert_allclose(left.lines[0].get_ydata(), data["step"].sel(budget=20_000).median("seed"))
    np.testing.assert_allclose(right.lines[1].get_ydata(), [cost.kilobytes_kept(1_000_000, d) for d in cost.DEPTHS])
