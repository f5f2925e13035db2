"""Lesson 05's teachers: equal budgets, answers that nobody has seen, and weights compared up to symmetry."""

from __future__ import annotations

import re

import pytest
import torch
from torch import nn

from tests.generators import seeded
from tests.marks import ROOT
from utils.claims.records import differences
from utils.lesson_05 import networks, teachers
from utils.lesson_05.teachers import EQUAL, RATES, SAME, STUDENTS
from utils.models import count_parameters
from utils.training import Trainer, train

# --- teachers and students ----------------------------------------------------------------------------------


def test_a_teacher_is_odd_and_its_weights_have_the_size_that_sigma_says():
    many = [teachers.weights(networks.random_teacher(generator=seeded(seed))) for seed in range(100)]
    for layer in zip(*many, strict=True):
        assert torch.stack(layer).std().item() == pytest.approx(networks.SIGMA / 5**0.5, rel=0.1)
    one, two = (teachers.weights(networks.random_teacher(100, sigma, generator=seeded(3))) for sigma in (1.0, 2.5))
    torch.testing.assert_close([2.5 * weight for weight in one], two)  # one draw times σ
    teacher, parts = teachers.lesson_parts(generator=seeded())
    for (X, y), rows in zip(parts, teachers.ROWS, strict=True):
        assert X.shape == (rows, 5) and X.dtype == torch.float64
        torch.testing.assert_close(teacher(-X).detach(), -y)


def test_students_have_the_parameters_that_the_lesson_says():
    for name, sizes in STUDENTS.items():
        assert teachers.parameters(name) == count_parameters(networks.student(sizes, generator=seeded()))
    assert teachers.parameters(SAME) == 105
    assert abs(teachers.parameters(EQUAL) - teachers.parameters(SAME)) <= 3


def test_the_loop_that_the_page_shows_trains_as_the_courses_trainer():
    (X, y), *_ = teachers.lesson_parts(generator=seeded(4))[1]
    source = (ROOT / "notebooks/05_teacher_student_chaos.py").read_text(encoding="utf-8")
    names: dict = {"torch": torch, "nn": nn, "X": X, "y": y}
    exec(re.search(r"^def learn\(.*?^            cosine.step\(\)$", source, re.DOTALL | re.MULTILINE)[0], names)
    mine, theirs = (networks.student(STUDENTS[EQUAL], generator=seeded(5)).double() for _ in range(2))
    names["learn"](mine, passes=3)
    train(theirs, X, y, epochs=3, lr=0.01, batch_size=250, schedule="cosine", progress=False)
    for one, other in zip(mine.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-12)


# --- the same weights, up to order and sign -----------------------------------------------------------------


def disguised(model: torch.nn.Sequential, seed: int) -> torch.nn.Sequential:
    """The same function: in every hidden layer the units in another order, half of them with opposite signs."""
    other, generator = networks.random_teacher(generator=seeded()), seeded(seed)
    W = teachers.weights(model)
    for k in range(len(W) - 1):
        order = torch.randperm(5, generator=generator)
        sign = torch.tensor([1.0, -1, 1, -1, -1], dtype=torch.float64)[torch.randperm(5, generator=generator)]
        W[k], W[k + 1] = (sign[:, None] * W[k])[order], (W[k + 1] * sign)[:, order]
    with torch.no_grad():
        for layer, weight in zip(other[::2], W, strict=True):
            layer.weight.copy_(weight)
    return other


@pytest.mark.parametrize("seed", range(3))
def test_the_gap_does_not_see_order_and_signs_but_sees_a_single_weight(seed):
    teacher = networks.random_teacher(generator=seeded(seed))
    same = disguised(teacher, seed + 50)
    X = torch.randn(50, 5, generator=seeded(), dtype=torch.float64)
    torch.testing.assert_close(same(X), teacher(X))
    assert teachers.weight_gap(teacher, same) < 1e-12
    with torch.no_grad():
        same[4].weight[2, 3] += 0.001
    assert teachers.weight_gap(teacher, same) == pytest.approx(0.001, rel=1e-6)


def test_another_teacher_has_other_weights():
    gaps = [
        teachers.weight_gap(*(networks.random_teacher(generator=seeded(2 * seed + k)) for k in (0, 1)))
        for seed in range(20)
    ]
    assert min(gaps) > 0.5


# --- measuring ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_way_is_scored_on_answers_that_it_has_not_seen(monkeypatch):
    monkeypatch.setattr(teachers, "EPOCHS", 2)
    monkeypatch.setattr(teachers, "STARTS", dict.fromkeys(STUDENTS, (2, 3)))
    score, scored = teachers.relative_error, []
    monkeypatch.setattr(teachers, "relative_error", lambda model, X, y: scored.append(y.float()) or score(model, X, y))
    data = teachers.learned.measure([7])
    _, validation, held_out = (y.float() for _, y in teachers.lesson_parts(generator=seeded(14))[1])
    assert all(any(torch.equal(y, part) for part in (validation, held_out)) for y in scored if len(y) < 4000)
    assert sum(torch.equal(y, held_out) for y in scored) == len(STUDENTS) * (len(RATES) + 1) + 1
    assert (data["exact"] < 1).all()  # a few steps already beat a constant
    assert differences(teachers.learned, data) == []


@pytest.mark.slow
def test_a_search_finds_a_teacher_and_its_weights():
    teacher, (training, _, held_out) = teachers.lesson_parts(generator=seeded(1802))
    fit = teachers.recover(*training, seconds=600, generator=seeded(1803))
    assert networks.relative_error(fit.model, *held_out) < networks.RECOVERED
    assert teachers.weight_gap(teacher, fit.model) < 1e-8


@pytest.mark.parametrize(("reader", "seconds"), [(True, 10), (False, 10 * teachers.PATIENCE)])
def test_only_a_readers_search_goes_by_the_clock(monkeypatch, reader, seconds):
    monkeypatch.setattr(teachers, "is_interactive", lambda: reader)
    monkeypatch.setattr(teachers, "recover", lambda X, y, *, seconds, generator: seconds)
    assert teachers.recover_in_time(torch.zeros(2, 5), torch.zeros(2, 1), seconds=10, generator=None) == seconds


@pytest.mark.slow
def test_adam_gets_the_epochs_that_fit_into_its_seconds(monkeypatch):
    """Where an epoch takes a quarter of a second by the trainer's own clock."""
    made = []

    class Clocked(Trainer):
        def __init__(self, *given, epochs, **options):
            super().__init__(*given, epochs=epochs, **options)
            made.append(self)

        def run(self, **options):
            super().run(**options)
            self.seconds = 0.25 * self.plan.epochs

    monkeypatch.setattr(teachers, "Trainer", Clocked)
    X, y = teachers.lesson_parts(generator=seeded())[1][0]
    models, steps = teachers.adam_for(10, (X, y), rate=0.01)
    assert made[-1].plan.models == models and made[-1].plan.epochs == 40
    assert steps == made[-1].histories[0].steps == 40 * len(X) // teachers.BATCH
