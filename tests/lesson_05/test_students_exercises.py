"""What these exercises' draws and experiments promise: that no verdict hangs on luck, and that what is said is so."""

from __future__ import annotations

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.stats import ttest_rel

from tests.proofs import of_seed
from utils.lesson_05 import student_runs
from utils.lesson_05.exercises import best_student, linear_share, teach, width_needed

SEEDS = range(2)


# --- draws --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_a_student_moves_and_both_shapes_fit_the_inputs(seed):
    for given in of_seed(teach.TEACH.cases, seed):
        for matrices in (given["draws"], given["start"]):
            sizes = [given["X"].shape[1], *(len(matrix) for matrix in matrices)]
            assert [matrix.shape[1] for matrix in matrices] == sizes[:-1] and sizes[-1] == 1
        errors = teach.taught(given)[1]
        assert len(errors) == given["steps"] + 1 and abs(errors[-1] / errors[0] - 1) > 0.05


def test_a_step_follows_the_slope_of_the_loss():
    """The gradient by differences: of the loss, for one weight of each layer."""
    given = of_seed(teach.TEACH.cases, 0)[3]
    y, X = teach.taught(given)[0][:, None], given["X"]

    def loss(weights):
        return np.mean((teach.layers_of(weights, X)[-1] - y) ** 2)

    found = teach.gradients(given["start"], X, 2 / len(y) * (teach.layers_of(given["start"], X)[-1] - y))
    for layer, gradient in enumerate(found):
        sides = []
        for shift in (1e-6, -1e-6):
            weights = [weight.copy() for weight in given["start"]]
            weights[layer][0, -1] += shift
            sides.append(loss(weights))
        assert gradient[0, -1] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_no_lead_and_no_median_is_a_close_call(seed):
    for given in of_seed(best_student.STUDENT.cases, seed):
        errors, medians = given["errors"], np.median(given["errors"], axis=0)
        best, second = np.sort(medians[:-1])[:2]
        t = ttest_rel(np.log(errors[:, medians[:-1].argmin()]), np.log(errors[:, -1])).statistic
        assert abs(abs(t) - 2) > 0.1 and second > 1.01 * best
        assert np.abs(np.log(medians / given["target"])).min() > 0.01
        assert len(set(given["parameters"])) == errors.shape[1] == len(given["parameters"])


def test_a_lead_near_two_is_a_close_call():
    given = best_student.experiment(np.random.default_rng(0), 3.0, 0.5)
    errors = given["errors"].copy()
    ahead = best_student.logs_ahead(errors)
    errors[:, -1] *= np.exp(ahead.mean() - 2.05 * ahead.std(ddof=1) / len(ahead) ** 0.5)
    assert best_student.is_clear(given) and not best_student.is_clear({**given, "errors": errors, "target": 1.0})


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_all_three_verdicts_come_up_and_so_does_a_target_out_of_reach(seed):
    answers = [best_student.right(given) for given in of_seed(best_student.STUDENT.cases, seed)]
    verdicts = [verdict for _, _, verdict in answers]
    assert all(verdicts.count(verdict) >= 4 for verdict in best_student.VERDICTS)
    assert len({fewest for fewest, _, _ in answers}) >= 5


@pytest.mark.parametrize("seed", SEEDS)
def test_a_linear_fit_is_unique_and_explains_something_but_once(seed):
    shares = []
    for given in of_seed(linear_share.LINEAR.cases, seed):
        rows, inputs = given["X"].shape
        assert rows > inputs == np.linalg.matrix_rank(given["X"])
        shares.append(linear_share.right(given))
    worst, *others = sorted(shares)
    assert -2 < worst < -0.05 and 0.05 < others[0] and others[-1] < 0.98


@pytest.mark.parametrize("seed", SEEDS)
def test_all_lines_fall_and_the_target_lies_below_all_errors(seed):
    for given in of_seed(width_needed.WIDTH.cases, seed):
        logs = np.log(given["widths"]), np.log(given["errors"])
        assert all(np.polyfit(logs[0], row, 1)[0] < -0.1 for row in logs[1])
        assert (np.diff(given["widths"]) > 0).all() and len(given["errors"]) >= 4
        assert given["target"] < given["errors"].min()


# --- what is said and drawn -----------------------------------------------------------------------------------


def test_what_is_said_of_values():
    example = best_student.worked_example()
    said = best_student.explain_student(example, None, None)
    assert "0.055, 0.018, 0.0075" in said and "number 1" in said and "mean 0.749" in said and "deviation 1.06" in said
    given = teach.worked_example()
    right = teach.taught(given)
    assert teach.explain_teach(given, [right[0], [0.5, 0.3]], right).startswith("The first wrong error is number 0")
    assert teach.explain_teach(given, [right[0]], right) == ""
    assert "0.1429" in linear_share.explain_linear(linear_share.worked_example(), 0.5, 6 / 7)
    example = width_needed.worked_example()
    assert "the height 0, in" in width_needed.explain_width(example, None, [])
    assert "width of 1e+04" in width_needed.explain_width(example, None, [])
    assert width_needed.want_width(example, width_needed.right(example)) == "(15000, 10000, 20000)"
    other = width_needed.drawn(np.random.default_rng(0), 8, 4)
    assert width_needed.want_width(other, width_needed.right(other)) == "three numbers"


def test_what_is_drawn_of_values():
    figures = [
        teach.plot_teach(teach.worked_example(), [[0, 2.5], [1.0, 0.4]]),
        best_student.plot_student(best_student.worked_example(), [90, 1.4, "cannot tell"]),
        linear_share.plot_linear(linear_share.worked_example(), 0.8),
        width_needed.plot_width(width_needed.worked_example(), [15000, 10000, 20000]),
    ]
    assert figures[0][0].axes[0].lines[0].get_ydata().tolist() == [1.0, 0.4]
    dots, target = figures[1][0].axes[0].lines[-2:]
    assert dots.get_ydata()[0] == 0.0075 and target.get_ydata()[0] == 0.025
    np.testing.assert_allclose(figures[2][0].axes[0].lines[1].get_ydata(), [0, 2, -4], atol=1e-9)
    assert figures[3][0].axes[0].lines[-1].get_xdata()[0] == 15000
    assert figures[3][0].axes[0].lines[0].get_ydata()[-1] == pytest.approx(1e-4)
    assert all("our function returns" in words for _, words in figures)
    plt.close("all")


# --- the experiments ------------------------------------------------------------------------------------------


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(student_runs, "EPOCHS", 2)
    monkeypatch.setattr(student_runs, "RATES", (0.01, 0.03))


def test_at_one_rate_a_seed_does_not_depend_on_the_others(short, monkeypatch):
    monkeypatch.setattr(student_runs, "RATES", (0.01,))
    errors, parameters = student_runs.one_teacher([3, 6], n_seeds=2)
    assert parameters.tolist() == [18, 36, 105] and errors.shape == (2, 3) and (errors > 0).all()
    alone, _ = student_runs.one_teacher([3], n_seeds=1, first_seed=1)
    np.testing.assert_array_equal(alone[0], errors[1, [0, 2]])


def test_each_of_many_teachers_is_another_one(short):
    errors = student_runs.many_teachers([3], n_teachers=3)
    assert errors.shape == (3, 1) and np.ptp(errors) > 0.01


def test_a_teacher_is_odd_and_nearly_linear_where_sigma_is_small():
    X, y, held_X, held_y = student_runs.teacher_data(0.1)
    assert X.shape == (2000, 5) and y.shape == (2000,) and held_X.shape == (1000, 5) and held_y.shape == (1000,)
    given = {"X": X, "y": y, "held_X": held_X, "held_y": held_y}
    assert linear_share.right(given) > 0.9999
    assert linear_share.right(dict(zip(given, student_runs.teacher_data(2.0), strict=True))) < 0.9


def test_a_notebook_that_is_marked_loads_no_torch_for_the_experiments(root):
    code = "import sys, utils.lesson_05.student_runs; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0
