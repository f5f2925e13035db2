"""Lesson 05's shallow students: teachers are what they say, errors are relative, and reading is by name."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import xarray as xr
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score

from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import HELD_OUT
from utils.lesson_05 import depths, networks, students
from utils.lesson_05.students import NARROW, SAMPLES, WIDE, WIDTHS

DATA = {
    "05_sigmas": made_up(students.by_sigma, "shallow", linear=("sigma", "width"), same=("sigma",)),
    "05_blame": made_up(
        students.blame, fitted=("units", "points", "part"), longer=("part",), adam=("epochs", "rate", "part")
    ),
}


# --- teachers and students --------------------------------------------------------------------------------


def test_parts_are_the_teachers_answers_in_units_of_their_standard_deviation():
    parts = students.teacher_parts(5, 0.4, (300, 100), generator=seeded(5))
    assert [tuple(X.shape) for X, _ in parts] == [(300, 5), (100, 5)]
    assert parts[0][1].std().item() == pytest.approx(1)
    teacher = networks.random_teacher(5, 0.4, generator=seeded(5))
    ratios = torch.cat([y / teacher(X) for X, y in parts]).detach()
    torch.testing.assert_close(ratios, ratios[:1].expand_as(ratios))
    assert not torch.equal(parts[0][0][:100], parts[1][0])


def test_errors_are_what_scikit_learn_calls_unexplained():
    train, unseen = students.teacher_parts(5, 2.0, (400, 200), generator=seeded(1))
    model = networks.student([5, 3, 1], generator=seeded(2))
    y_hat = model(unseen[0].float()).detach()
    assert networks.relative_error(model, *unseen) == pytest.approx(1 - r2_score(unseen[1], y_hat), rel=1e-6)
    regression = LinearRegression(fit_intercept=False).fit(*train)
    wanted = 1 - r2_score(unseen[1], regression.predict(unseen[0]))
    assert networks.relative_error(networks.linear_student(*train), *unseen) == pytest.approx(wanted)


def test_a_student_is_the_restart_that_fits_best():
    train, _ = students.teacher_parts(5, 2.0, (200, 1), generator=seeded(1))
    generator = seeded(7)
    alone = [students.shallow_student(4, *train, generator=generator, restarts=1, steps=20) for _ in range(3)]
    best = students.shallow_student(4, *train, generator=seeded(7), restarts=3, steps=20)
    errors = [networks.relative_error(model, *train) for model in alone]
    assert len({round(error, 6) for error in errors}) > 1
    assert networks.relative_error(best, *train) == pytest.approx(min(errors))


@pytest.mark.slow
def test_a_student_of_the_teachers_shape_recovers_a_hard_teacher():
    train, unseen = students.teacher_parts(5, 2.5, (4000, 300), generator=seeded(2))
    same = students.same_shape_student(5, *train, generator=seeded(3))
    assert networks.relative_error(same, *unseen) < networks.RECOVERED


# --- measuring --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_is_measured_has_the_places_that_claims_rely_on(monkeypatch):
    for name, value in {
        "POINTS": 400,
        "VALIDATION_POINTS": 50,
        "UNSEEN_POINTS": 60,
        "STEPS": 3,
        "SAME_RESTARTS": 2,
        "SAME_STEPS": 3,
        "SAME_ROWS": 200,
        "UNITS": 3,
        "WIDTHS": (2, 3),
        "SAMPLES": (400, 500),
        "EPOCHS": (1, 2),
        "LONGER": {"restarts": 2, "steps": 4},
    }.items():
        monkeypatch.setattr(students, name, value)
    found = {"05_sigmas": students.by_sigma.measure([4], sigma=[0.4, 2.0]), "05_blame": students.blame.measure([4])}
    for experiment, data in found.items():
        forms = [{name: set(array.dims) for name, array in one.items()} for one in (data, DATA[experiment])]
        assert forms[0] == forms[1]
    (X, y), _, unseen = students.teacher_parts(NARROW, 2.0, (500, 50, 60), generator=seeded(8))
    model = students.shallow_student(3, X[:400], y[:400], generator=seeded(9), restarts=1)
    assert students.fitted(found["05_blame"], 3, 400).item() == networks.relative_error(model, *unseen)
    train, unseen = students.teacher_parts(NARROW, 2.0, (400, 60), generator=seeded(8))
    same = students.same_shape_student(NARROW, *train, generator=seeded(9))
    assert found["05_sigmas"]["same"].sel(sigma=2.0).item() == networks.relative_error(same, *unseen)


# --- reading ----------------------------------------------------------------------------------------------


def test_the_sigma_at_which_a_line_misses_half_lies_between_two_that_were_measured():
    data = made_up(depths.lines, "linear")
    data["linear"].loc[{"depth": 4}] = 0.4
    for sigma in depths.SIGMAS:
        data["linear"].loc[{"depth": 64, "sigma": sigma}] = (sigma - 0.8) / 0.7
        data["linear"].loc[{"depth": 16, "sigma": sigma}] = 0.5 if sigma == 1.5 else 0.1
    for depth, wanted in ((4, np.inf), (16, 1.5), (64, 1.15)):
        np.testing.assert_allclose(depths.half_missed(data, depth), wanted)
    said = {"deep": 1.15, "middle": 1.5, "shallow": 0.4, "teachers": 9, "steps": 2560}
    assert depths.depth_answer(data) == pytest.approx(said)


def test_deep_teachers_are_as_deep_as_is_said_and_their_answers_have_variance_one():
    train, *_ = students.teacher_parts(WIDE, 0.8, (300, 20), 64, generator=seeded(1))
    teacher = networks.random_teacher(WIDE, 0.8, 64, generator=seeded(1))
    assert len(teacher) == 2 * 64 + 1 and teacher(train[0][:9]).abs().max() < 1e-4
    assert train[1].dtype == torch.float64 and train[1].std().item() == pytest.approx(1)


def test_shares_are_of_the_error_before():
    data = DATA["05_blame"].copy(deep=True)
    for points, error in zip(SAMPLES, (0.4, 0.2, 0.1), strict=True):
        data["fitted"].loc[{"points": points, "part": HELD_OUT, "units": 45}] = error
        data["fitted"].loc[{"points": points, "part": HELD_OUT, "units": 135}] = error / 4
    data["longer"].loc[{"part": HELD_OUT}] = 0.19
    left = students.remedies(data)
    shares = [float(share.median()) for share in left.values()]
    np.testing.assert_allclose(shares[2:], [0.95, 0.5, 0.25, 0.125])
    answer = students.blame_answer(data)
    assert answer == pytest.approx({"adam": shares[1], "longer": 0.95, "points": 0.5, "units": 0.25, "both": 0.125})


def test_the_extrapolated_width_is_that_of_the_line():
    errors = 3 * np.array(WIDTHS) ** -1.5
    assert students.width_for(errors) == pytest.approx((3e6) ** (1 / 1.5))
    rng = np.random.default_rng(0)
    many = rng.uniform(0.001, 1, size=(5, 3)) / np.array([1, 10, 100])
    for row, found in zip(many, students.width_for(many, (5, 20, 60)), strict=True):
        slope, height = np.polyfit(np.log([5, 20, 60]), np.log(row), 1)
        assert found == pytest.approx(np.exp((np.log(1e-6) - height) / slope))


def known_trend() -> xr.Dataset:
    """Errors that fall with the widths as power laws, of another exponent for each of nine teachers."""
    data = DATA["05_blame"].copy(deep=True)
    exponents = np.linspace(0.8, 2, 9)
    for units in WIDTHS:
        for points in SAMPLES:
            factor = 16_000 / points
            data["fitted"].loc[{"units": units, "points": points}] = factor * (units**-exponents)[:, None]
    return data


def test_every_teacher_has_a_width_of_its_own(capsys):
    data = known_trend()
    wanted = 1e6 ** (1 / np.linspace(0.8, 2, 9))
    np.testing.assert_allclose(students.extrapolated(data), wanted)
    fewer = (16e6) ** (1 / np.linspace(0.8, 2, 9))
    np.testing.assert_allclose(students.extrapolated(data, WIDTHS[1:], SAMPLES[0]), fewer)
    answer = students.widths_answer(data)
    ends = {"least": wanted.min(), "most": 1e6**1.25, "ratio": 1e6**1.25 / 1e3, "rest": np.sort(wanted)[-2] / 1e3}
    assert answer == pytest.approx({**ends, "teachers": 9})
    students.print_widths(data)
    lines = capsys.readouterr().out.splitlines()
    assert (
        len(lines) == 6
        and lines[-1].endswith("(training)")
        and lines[1].startswith("5, 15, 45, 135")
        and lines[1].endswith("1,000 … 3.2e+07")
    )
    assert f" {np.median(wanted):,.0f} [" in lines[1]
