"""Lesson 05's searches that begin beside a teacher: against numerical derivatives, and read by name."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import xarray as xr

from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import generators
from utils.lesson_05 import networks, searches, students
from utils.lesson_05.searches import FEW, MANY


def test_a_nudged_teacher_is_two_percent_off():
    teacher = networks.random_teacher(100, 0.5, generator=seeded(1))
    other = searches.nudged(teacher, 0.5, generator=seeded(2))
    for before, after in zip(teacher.parameters(), other.parameters(), strict=True):
        if before.numel() > 1000:
            assert ((after - before).std() / before.std()).item() == pytest.approx(0.02, rel=0.1)
    assert not torch.equal(next(teacher.parameters()), next(other.parameters()))


def test_the_condition_number_is_that_of_numerical_slopes():
    teacher, X = (
        networks.random_teacher(5, 2.0, 2, generator=seeded(3)),
        torch.randn(80, 5, generator=seeded(4)).double(),
    )
    columns = []
    for weight in teacher.parameters():
        for at in np.ndindex(*weight.shape):
            answers = []
            for step in (1e-5, -2e-5):
                with torch.no_grad():
                    weight[at] += step
                    answers.append(teacher(X)[:, 0].numpy())
            with torch.no_grad():
                weight[at] += 1e-5
            columns.append((answers[0] - answers[1]) / 2e-5)
    wanted = np.log10(np.linalg.cond(np.stack(columns, axis=1)))
    assert searches.condition(teacher, X) == pytest.approx(wanted, abs=1e-4)


def test_a_hard_teacher_is_recovered_from_beside_it_and_an_easy_one_is_not():
    found = searches.beside.measure([0], sigma=[0.4, 2.0])
    assert searches.recovered(found, sigma=2.0, steps=FEW).item() == 1
    assert searches.recovered(found, sigma=0.4, steps=FEW).item() == 0
    assert searches.decades(found).item() > 4


@pytest.mark.slow
def test_few_steps_and_many_begin_at_the_same_weights(monkeypatch):
    monkeypatch.setattr(students, "SAME_RESTARTS", 3)
    monkeypatch.setattr(searches, "STEPS", (2, 5))
    monkeypatch.setattr(students, "POINTS", 600)
    found = searches.patience.measure([4])["error"]
    data, weights = generators(4)
    train, unseen = students.teacher_parts(5, 1.0, (600, students.UNSEEN_POINTS), generator=data)
    student = students.same_shape_student(5, *train, generator=weights, steps=5)
    assert found.sel(steps=5).item() == networks.relative_error(student, *unseen)
    assert found.sel(steps=2).item() > found.sel(steps=5).item()


@pytest.mark.slow
def test_what_costs_the_same_is_measured_on_the_same_points():
    found = searches.cost.measure([2])
    data, weights = generators(2)
    (X, y), unseen = students.teacher_parts(5, 2.0, (4000, students.UNSEEN_POINTS), generator=data)
    model = students.shallow_student(15, X[:1000], y[:1000], generator=weights, restarts=1, steps=100)
    assert found["before"].item() == networks.relative_error(model, *unseen)
    (few, small), (more, large) = searches.SMALL, searches.SOME
    steps = searches.LONGER["restarts"] * searches.LONGER["steps"] / students.STEPS
    assert (more / few) ** 2 * large / small == pytest.approx(steps)


def test_recovered_is_counted_at_its_sigma_and_its_steps():
    data = made_up(searches.beside, "error", condition=("sigma",))
    data["error"].loc[{"sigma": 0.63, "steps": MANY}] = xr.DataArray([1e-25] * 4 + [1e-19] * 5, dims="seed")
    assert searches.recovered(data, sigma=0.63, steps=MANY).sum() == 4
    assert searches.recovered(data, sigma=0.63, steps=FEW).sum() == 0
    data["condition"].loc[{"sigma": 0.4}] = 11.0
    data["condition"].loc[{"sigma": 2.0}] = 4.5
    np.testing.assert_allclose(searches.decades(data), 6.5)
