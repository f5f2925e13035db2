"""Lesson 02's fair fight: what is held equal is equal, rates are chosen where they may be, verdicts say what is so."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import xarray as xr
from sklearn.neighbors import KNeighborsClassifier

from tests.choices import assert_right
from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import PARTS, UNSEEN, at_best_rate
from utils.data import spirals
from utils.lesson_02 import fair, fair_figures, referee
from utils.lesson_02.fair import CHOSEN, DEPTHS, EQUAL, RATES, RUNS, TASKS, TUNINGS, Choice, TrainingShape
from utils.models import count_flops, count_parameters, mlp
from utils.statistics import Estimate

BEST = "the best of six, 0.001 to 0.3"


# --- what is held equal -----------------------------------------------------------------------------------


def test_what_is_held_equal_is_equal_within_two_percent():
    counts = {equal: [count_parameters(mlp(run.sizes)) for run in runs.values()] for equal, runs in EQUAL.items()}
    for equal in (name for name in EQUAL if "parameters" in name):
        assert max(counts[equal]) == fair.BUDGET and min(counts[equal]) > 0.98 * fair.BUDGET
    flops = [count_flops(mlp(run.sizes), torch.zeros(1, 2)).step for run in EQUAL[fair.FLOPS].values()]
    assert max(flops) == fair.STEP_FLOPS and min(flops) > 0.98 * fair.STEP_FLOPS
    assert counts[fair.FLOPS][0] > 1.4 * fair.BUDGET  # parameters are not


@pytest.mark.parametrize(("clock", "step"), [(fair.CLOCK, fair.COMPILED_STEP), (fair.CLOCK_PYTORCH, fair.PYTORCH_STEP)])
def test_where_seconds_are_equal_the_measured_steps_take_as_long(clock, step):
    seconds = [run.epochs * step[depth] for depth, run in EQUAL[clock].items()]
    assert max(seconds) < 1.04 * min(seconds)
    assert max(run.epochs for run in EQUAL[clock].values()) == fair.EPOCHS


def test_otherwise_all_take_the_same_steps_and_each_run_is_measured_once():
    for name, runs in EQUAL.items():
        assert list(runs) == list(DEPTHS) == [run.depth for run in runs.values()]
        assert "seconds" in name or {run.epochs for run in runs.values()} == {fair.EPOCHS}
    assert {run.width for run in EQUAL["width and steps"].values()} == {fair.SAME_WIDTH}
    wanted = {run for runs in EQUAL.values() for run in runs.values()}
    assert len(RUNS) == len(wanted) and set(RUNS.values()) == wanted
    assert list(RUNS) == list(map(str, RUNS.values()))


def test_spirals_networks_spend_their_budgets():
    for budget in fair.SPIRAL_BUDGETS:
        counts = [count_parameters(mlp(fair.spiral_sizes(budget, depth))) for depth in DEPTHS]
        assert max(counts) <= budget and min(counts) > 0.96 * budget
        assert [len(fair.spiral_sizes(budget, depth)) - 2 for depth in DEPTHS] == list(DEPTHS)


@pytest.mark.parametrize(("task", "budget"), [*zip(CHOSEN, (fair.SPIRAL_BUDGETS[0], 1362), strict=True)])
def test_on_a_chosen_task_all_spend_its_budget_and_take_its_steps(task, budget):
    (runs,) = CHOSEN[task].equal.values()
    counts = [count_parameters(mlp(run.sizes)) for run in runs.values()]
    assert max(counts) <= budget and min(counts) > 0.96 * budget
    assert [run.depth for run in runs.values()] == list(DEPTHS) and {run.steps for run in runs.values()} == {2000}
    X, _ = CHOSEN[task].parts(generator=seeded())[0]
    assert len(X) == runs[1].batches * CHOSEN[task].training.get("batch_size", len(X))


def test_the_networks_found_have_the_parameters_that_the_lesson_says():
    counts = [count_parameters(mlp([2, *[width] * depth, 2])) for depth, width in fair.FOUND.values()]
    assert counts == [502, 1362, 1362, 453]


# --- what is trained --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_fight_starts_as_it_says():
    """PyTorch's start is that of `nn.Linear`: uniform, biases included, up to one over the root of the inputs."""
    task = list(CHOSEN)[1]  # the lab's own tasks start as the others do
    measured = {}
    for start in fair.CHOSEN_STARTS:
        layer = fair.fight(task, start, TrainingShape(1, 400, 1, 1), [0], lrs=[1e-12]).model(0)[0]
        measured[start] = layer.weight.std().item(), layer.bias.std().item()
    uniform = 1 / np.sqrt(2) / np.sqrt(3)  # the standard deviation, for two inputs
    assert measured["zero biases"] == pytest.approx((1, 0), rel=0.1, abs=1e-6)
    assert measured["random biases"] == pytest.approx((1, 0.5), rel=0.1)
    assert measured[fair.PYTORCH_START] == pytest.approx((uniform, uniform), rel=0.1)


@pytest.mark.slow
def test_the_spirals_that_are_trained_again_are_those_that_were_measured(monkeypatch):
    monkeypatch.setitem(fair.SPIRAL_TRAINING, "epochs", 2)
    measured = fair.spirals_fought.measure([5, 6])["accuracy"]
    histories = fair.train_on_spirals(1037, 3, RATES[2], [5, 6], epochs=2)
    same = measured.sel(budget=1037, depth=3, rate=RATES[2], part="validation")
    assert [history.validation_accuracy[-1] for history in histories] == pytest.approx(same.values)


@pytest.mark.slow
def test_nothing_beats_the_best_of_all_classifiers_on_the_spirals_and_many_neighbours_come_close():
    options = {"turns": fair.SPIRAL_TURNS, "noise": fair.SPIRAL_NOISE}
    X, y = (part.numpy() for part in spirals(200_000, generator=seeded(), **options))
    X_test, y_test = (part.numpy() for part in spirals(50_000, generator=seeded(1), **options))
    neighbours = KNeighborsClassifier(51).fit(X, y).score(X_test, y_test)
    assert neighbours - 0.001 < fair.spiral_bayes_accuracy() < neighbours + 0.004


# --- how it is judged -------------------------------------------------------------------------------------


def test_the_rate_is_chosen_in_one_part_and_reported_in_another_and_a_rate_that_diverged_is_out():
    rates = RATES[:4]
    validation = [[0.7, 0.9, 0.8, 0.99], [0.7, 0.9, 0.8, np.nan], [0.95, 0.6, 0.8, 0.99]]
    parts = [validation, np.arange(12).reshape(3, 4)]
    scores = xr.DataArray(parts, {"part": UNSEEN, "rate": [*rates]}, ["part", "seed", "rate"])
    one = fair.fighter(TrainingShape(1, 2), scores)
    assert one.rate == rates[1] and one.held_out.values.tolist() == [0, 4, 9] and not one.at_edge
    np.testing.assert_array_equal(one.validation.sel(rate=[*rates]), [0.7, 0.9, 0.8, np.nan])
    assert fair.fighter(TrainingShape(1, 2), scores.sel(rate=[*rates[1:]])).at_edge
    assert not fair.fighter(TrainingShape(1, 2), scores.sel(rate=[*rates[:1]])).at_edge  # a single rate has no edge


@pytest.mark.parametrize("tuning", TUNINGS)
def test_the_lab_looks_where_the_choice_says(tuning):
    data = made_up(fair.fought, "accuracy")
    task, equal, start = "checkerboard 5", "parameters and seconds, compiled trainer", "random biases"
    of = fair.fighters(data, Choice(task, equal, start, tuning))
    for depth in DEPTHS:
        cell = data["accuracy"].sel(task=task, start=start, run=str(EQUAL[equal][depth]))
        medians = {rate: np.median(cell.sel(part="validation", rate=rate).values) for rate in TUNINGS[tuning]}
        best = max(medians, key=medians.get)
        assert of[depth].rate == best
        theirs = at_best_rate(cell.sel(rate=[*TUNINGS[tuning]]), larger_is_better=True)
        np.testing.assert_array_equal(of[depth].held_out, theirs)


def test_the_lab_looks_where_the_choice_says_on_chosen_tasks():
    data, task, start = made_up(fair.chosen_fought, "accuracy"), list(CHOSEN)[1], fair.PYTORCH_START
    of = fair.fighters(data, Choice(task, fair.PARAMETERS, start, "0.01 for everybody"))
    for depth in DEPTHS:
        cell = data["accuracy"].sel(task=task, start=start, depth=depth, rate=0.01, part="held-out")
        np.testing.assert_array_equal(of[depth].held_out, cell)
        assert of[depth].run == CHOSEN[task].equal[fair.PARAMETERS][depth]


def test_verdicts_say_who_is_better_and_by_how_much():
    assert fair.comparison_verdict(Estimate(0.2, 0.1, 0.3)) == "deeper is better by 0.2 [0.1, 0.3]"
    assert fair.comparison_verdict(Estimate(-0.2, -0.3, -0.1)) == "shallower is better by 0.2 [0.1, 0.3]"
    assert fair.comparison_verdict(Estimate(0.1, -0.1, 0.3)).startswith("no difference seen")
    assert fair.comparison_verdict(Estimate(0.1, -np.inf, np.inf)).startswith("too few seeds")


def test_measuring_again_uses_the_rates_of_the_choice_and_gives_what_fight_gives(monkeypatch):
    small = {depth: TrainingShape(depth, 4, 1) for depth in DEPTHS}
    monkeypatch.setitem(EQUAL, "width and steps", small)
    choice = Choice("swirl", "width and steps", "zero biases", "0.01 for everybody")
    of = fair.again(choice, range(2))
    for depth in DEPTHS:
        scores = fair.fight("swirl", "zero biases", small[depth], range(2), [0.01]).scores()
        np.testing.assert_array_equal(of[depth].held_out, scores.sel(rate=0.01, part="held-out"))


def test_a_gap_is_deep_minus_shallow_seed_by_seed_as_the_lab_shows_it():
    data = made_up(fair.fought, "accuracy", seeds=12)
    of = fair.fighters(data, Choice("checkerboard 3", fair.FLOPS, "random biases", BEST))
    expected = of[5].held_out.values - of[1].held_out.values
    np.testing.assert_array_equal(fair.gap(data, 5, "checkerboard 3", fair.FLOPS, **fair.BEST_OF_SIX), expected)
    assert fair.difference(of, 5, 1).value == pytest.approx(np.median(expected))


# --- figures ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_lab_draws_every_seed_and_says_rates_edges_and_verdicts():
    data = made_up(fair.fought, "accuracy")
    best = {"task": "swirl", "start": "zero biases", "rate": 0.001, "part": "validation"}
    data["accuracy"].loc[best] = 1.1  # the smallest rate is the best of all
    choice = Choice("swirl", "parameters and steps", "zero biases", BEST)
    of = fair.fighters(data, choice)
    figure, words = fair_figures.outcome(choice, of, "recorded")
    drawn = [line.get_ydata() for line in figure.axes[1].lines if len(line.get_ydata()) == 9]
    np.testing.assert_array_equal(drawn, [of[depth].held_out for depth in DEPTHS])
    assert words.count("rate 0.001, the edge of those tried") == 3 and "recorded, 9 seeds" in words
    assert f"Five against one: {fair.comparison_verdict(fair.difference(of, 5, 1))}" in words
    assert fair.comparison_verdict(fair.difference(of, 5, 1)) in figure.get_suptitle()


@pytest.mark.slow
def test_the_lab_offers_and_draws_what_was_measured_and_nothing_else(monkeypatch):
    monkeypatch.setattr(
        referee, "record_of", lambda task: made_up(fair.chosen_fought if task in CHOSEN else fair.fought, "accuracy")
    )
    monkeypatch.setattr(referee, "outcome", lambda choice, of, source: (None, f"{choice}, {len(of)} shapes."))
    task, *others = referee.lab_controls().values()
    seen = []
    for _, name in task.options:
        task.value = name
        for terms in itertools.product(*(control.options for control in others)):
            _, words = referee.lab(name, *terms)
            seen.append(Choice(name, *terms))
            assert ("were chosen because" in words) == (name in CHOSEN)
    assert len(seen) == len(set(seen)) and set(seen) == set(fair.choices(fair.ALL_TASKS))
    assert len(fair.choices(TASKS)) == 90  # 3 tasks, 5 held equal, 2 starts, 3 tunings


def test_going_from_task_to_task_the_lab_never_has_terms_that_were_not_measured():
    controls = referee.lab_controls()
    seen = []
    for control in controls.values():
        control.observe(lambda _: seen.append(Choice(*(one.value for one in controls.values()))), names="value")
    for task in (list(CHOSEN)[0], "swirl", list(CHOSEN)[1], "checkerboard 5", list(CHOSEN)[0]):
        controls["task"].value = task
        for control in (controls["equal"], controls["start"]):
            control.value = control.options[-1]
    assert {choice.task for choice in seen} == {"swirl", "checkerboard 5", *CHOSEN}
    assert set(seen) <= set(fair.choices(fair.ALL_TASKS))


def test_all_cells_are_drawn_in_order_and_chosen_ones_apart(monkeypatch):
    monkeypatch.setattr(
        referee, "record_of", lambda task: made_up(fair.chosen_fought if task in CHOSEN else fair.fought, "accuracy")
    )
    leads = referee.leads(["swirl", list(CHOSEN)[0]], deep=3)
    assert [choice for choice, _ in leads] == fair.choices(["swirl", list(CHOSEN)[0]])
    (ax,) = fair_figures.all_cells(leads).axes
    ours, chosen = (container.lines[0].get_xydata() for container in ax.containers)
    assert (len(ours), len(chosen)) == (30, 9)
    everything = np.concatenate([ours, chosen])
    ordered = everything[np.argsort(everything[:, 0])]
    np.testing.assert_array_equal(ordered[:, 1], sorted(lead.value for _, lead in leads))
    assert set(chosen[:, 1]) == {lead.value for choice, lead in leads if choice.task in CHOSEN}


CELLS = {"cells": 90, "by": 0.1, "neither": 0, "as_wide": 9}


@pytest.mark.parametrize(
    ("key", "measured", "right"),
    [
        ("02b.spirals", {"one": 0.979, "three": 0.978, "five": 0.97}, "all three within 0.01"),
        ("02b.spirals", {"one": 0.95, "three": 0.97, "five": 0.98}, "five hidden layers"),
        ("02b.spirals", {"one": 0.98, "three": 0.98, "five": 0.95}, "one hidden layer"),
        *(
            ("02b.cells", {"shallow": count, "deep": 90 - count, **CELLS}, said)
            for count, said in (
                (1, "in one or none"),
                (9, "in about ten"),
                (30, "in about a third"),
                (45, "in about half"),
            )
        ),
    ],
)
def test_the_right_choice_of_a_prediction_is_what_was_measured(key, measured, right):
    assert_right(key, measured, right)


def test_going_on_means_ten_times_the_steps(monkeypatch):
    asked = []

    def told(task, start, run, seeds):
        asked.append((task, start, run.depth, run.width, run.epochs))
        axes = {"seed": list(seeds), "rate": list(RATES), "part": list(PARTS)}
        numbers = np.zeros([len(values) for values in axes.values()])
        return SimpleNamespace(scores=lambda of: xr.DataArray(numbers, axes, list(axes)))

    monkeypatch.setattr(fair, "fight", told)
    fair.longer.measure([4, 9])
    assert asked == [
        (task, "random biases", depth, run.width, 10 * fair.EPOCHS)
        for task in fair.LED
        for depth, run in EQUAL[fair.PARAMETERS].items()
    ]
