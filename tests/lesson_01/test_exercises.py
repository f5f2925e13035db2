"""What lesson 01's longer definitions promise: evidence that is decisive, and a verdict as sharp as the mathematics."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit

from authoring.solutions import answers
from tests.answers import of_seed
from utils.lesson_01 import rate_sweep
from utils.lesson_01.exercises import broken_hypothesis as broken
from utils.lesson_01.exercises import bump
from utils.lesson_01.exercises.collapse import collapse_explain
from utils.lesson_01.exercises.left_weights import explain_left, left_cases
from utils.lesson_01.exercises.polynomial_floor import FLOOR
from utils.lesson_01.exercises.read_sweep import RATES, READ_SWEEP, explain_reading, plot_reading
from utils.lesson_01.rings import on_rings

SEEDS = range(4)


def drawn(cases, seeds=SEEDS) -> list[dict]:
    return [given for seed in seeds for given in of_seed(cases, seed)]


def largest(numbers: np.ndarray) -> float:
    return float(np.abs(numbers).max())


# --- 01.5, which hypothesis broke ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def families(root) -> list[tuple[dict, str]]:
    solution = answers(root, "01")["01.5"]
    return [(given, solution(*given.values())) for given in drawn(broken.hypothesis_cases)]


def of_each_seed(families) -> list[list[tuple[dict, str]]]:
    count = len(families) // len(SEEDS)
    return [families[first : first + count] for first in range(0, len(families), count)]


@pytest.mark.slow
def test_all_five_answers_occur_for_every_seed(families):
    rows = [tuple(answer for _, answer in family) for family in of_each_seed(families)]
    assert all(set(row) == set(broken.ANSWERS) and row[0] == broken.POLYNOMIAL for row in rows)
    assert len(set(rows)) > 1


def test_each_failure_has_one_mark_and_no_other_by_far(families):
    """What a student may look at, whether a rule of the solution's or another, is never a close call."""
    for given, answer in families:
        x, target, networks, tolerance = (given[name] for name in ("x", "target", "networks", "tolerance"))
        error = np.abs(networks[-1] - target)
        inside = np.abs(x) <= given["fitted"][1]
        parabola = [largest(np.polyval(np.polyfit(x, g, 2), x) - g) for g in networks]
        third = [largest(np.diff(g, 3)) for g in networks]
        odd = [largest(g + g[::-1]) for g in networks]
        jump = largest(np.diff(target))
        assert jump < 0.4 or jump > 1
        if answer == broken.NONE:
            assert error.max() < 0.91 * tolerance and jump < 0.4
            continue
        assert error.max() > 1.24 * tolerance and (jump > 1) == (answer == broken.DISCONTINUOUS)
        is_polynomial, is_odd = answer == broken.POLYNOMIAL, answer == broken.NO_BIAS
        # Of the others the narrowest may be parabolas, or odd, by chance; the widest is neither, and no case is both.
        assert max(third) < 1e-9 and max(parabola) < 1e-9 if is_polynomial else third[-1] > 1e-4 < parabola[-1]
        assert max(odd) < 1e-9 if is_odd else odd[-1] > 9e-4
        if answer == broken.NOT_COMPACT:
            assert error[inside].max() < 0.91 * tolerance < 2 * tolerance < error[~inside].max()
            assert x[-1] > 1.9 * given["fitted"][1]
        else:
            assert error[inside].max() > 1.24 * tolerance
        if answer == broken.DISCONTINUOUS:
            assert 0.35 * jump < error.max() < 0.6 * jump
            assert np.abs(networks - target).max(axis=1).min() > 0.39 * jump


def test_hypotheses_are_broken_without_harm_too(families):
    harmless = [given for given, answer in families if answer == broken.NONE]
    assert any(largest(np.diff(given["networks"], 3)) < 1e-9 for given in harmless)
    assert any(largest(given["networks"] + given["networks"][:, ::-1]) < 1e-9 for given in harmless)
    assert any(given["x"][-1] > given["fitted"][1] for given in harmless)


def test_no_reason_can_be_told_by_a_property_that_others_share(families):
    """For each seed: being 0 at 0, a wider view, an error that is no smaller for more units, or one that is."""
    for family in of_each_seed(families):
        failed = [(given, answer) for given, answer in family if answer != broken.NONE]
        through_zero = {answer for given, answer in failed if largest(given["networks"][:, 60]) < 1e-9}
        assert {broken.DISCONTINUOUS, broken.NOT_COMPACT} <= through_zero
        seen_farther = {answer for given, answer in failed if given["x"][-1] > 1.4 * given["fitted"][1]}
        assert seen_farther == set(broken.ANSWERS) - {broken.NONE}
        good, trends = [], set()
        for given, answer in family:
            errors = np.abs(given["networks"] - given["target"]).max(axis=1)
            trends.add((answer == broken.NONE, bool(errors[-1] > max(1e-6, 0.9 * errors[0]))))
            good += [errors[-1] / given["tolerance"]] * (answer == broken.NONE)
        assert {(True, True), (False, False)} <= trends and 0.89 < max(good) < 0.91


def test_the_evidence_is_symmetric_and_as_described(families):
    for given, _ in families:
        x, (low, high) = given["x"], given["fitted"]
        assert x.shape == (121,) and given["networks"].shape == (5, 121) and x[60] == 0
        assert (x == -x[::-1]).all() and (np.diff(x) > 0).all() and low == -high
        np.testing.assert_allclose(np.diff(x), x[1] - x[0], rtol=1e-9)


def test_the_check_says_how_far_off_the_widest_network_is(families):
    example, answer = families[0]
    assert "x = 1, by 1.21; 0.1 is accepted" in broken.explain_evidence(example, "none", answer)
    for given, answer in families:
        text = broken.explain_evidence(given, None, answer)
        everywhere, inside = (float(part) for part in (text.split("by ")[1].split(";")[0], text.split("most ")[1][:-1]))
        assert (everywhere <= given["tolerance"]) == (answer == broken.NONE)
        if answer != broken.NONE:
            assert (inside <= given["tolerance"]) == (answer == broken.NOT_COMPACT)


# --- 01.4, a bump -------------------------------------------------------------------------------------------

EXAMPLE = dict(bump.bump_case(1.0, 3.0, 2.0, 0.5, 0.1)[0])


def sharpest(given: dict) -> float:
    """The smallest steepness that does, from the error at the plateau's ends, which is the largest of all."""
    width, margin = given["end"] - given["start"], given["margin"]

    def excess(z: float) -> float:
        error = expit(-z) + expit(-z * (width - margin) / margin)
        return abs(given["height"]) * error - given["tolerance"]

    return brentq(excess, 1e-6, 60) / margin


def test_a_bump_is_as_steep_as_it_must_be():
    for given in drawn(bump.bump_cases, range(5)):
        for factor, right in ((1.001, True), (0.999, False)):
            w = np.full(2, factor * sharpest(given))
            places, height = np.array([given["start"], given["end"]]), given["height"]
            network = w, -w * places, np.array([height, -height]), 0.0
            assert bump.is_bump(given, network) == right, (given, factor)


@pytest.mark.parametrize(
    ("end", "left", "right"),
    [
        (3.0, 2.0, True),
        *((3.5 + distance, 2.0, False) for distance in (1e-3, 1.0, 1e4, 1e9)),
        (3.0, 1.95, True),
        (3.0, 1.85, False),  # how much of the step up the second unit takes back
    ],
)
def test_a_bump_that_ends_too_late_or_leaks_far_away_is_none(end, left, right):
    w = np.full(2, 50.0)
    assert bump.is_bump(EXAMPLE, (w, -w * [1.0, end], np.array([2.0, -left]), 0.0)) == right


def test_the_check_says_where_a_bump_is_furthest_off():
    too_gentle = [[4.0, 4.0], [-4.0, -12.0], [2.0, -2.0], 0.0]  # the prompt's first try
    outputs = {x: 2 * expit(4 * x - 4) - 2 * expit(4 * x - 12) for x in (0.5, 1.5)}
    for line, x in zip(bump.explain_bump(EXAMPLE, too_gentle, None).splitlines(), (1.5, 0.5), strict=True):
        assert f"x = {x:g}: it is {outputs[x]:.6g} there" in line
    assert bump.explain_bump(EXAMPLE, [[50.0, 50.0], [-50.0, -150.0], [2.0, -2.0], 0.0], None) == ""
    # As far off everywhere outside: the place nearest to the bump is named, at the end of the margin.
    lifted = [[100.0, 100.0], [-100.0, -300.0], [2.0, -2.0], 2.0]
    assert "outside, yours is furthest off at x = 0.5: it is 2 there" in bump.explain_bump(EXAMPLE, lifted, None)
    assert bump.explain_bump(EXAMPLE, [[np.nan, 4.0], [0.0, 0.0], [2.0, -2.0], 0.0], None) == ""


# --- 01.1, 01.2 and 01.6 ------------------------------------------------------------------------------------


def test_the_check_says_where_a_left_network_first_misses():
    given = next(iter(left_cases(np.random.default_rng(0))))[0]
    right = np.array([-3.0, 1.5, -0.5])  # as in the prompt
    # One more for the hinge at 3 makes the network higher by the distance from there: by 1 at 2, and by 3 at 0.
    assert "x = 2:\nthere it is 6, and 5 is wanted" in explain_left(given, [-3.0, 1.5 + 1, -0.5], right)
    assert "x = 3:\nthere it is 8, and 4 is wanted" in explain_left(given, [-3.0, 1.5, 0.5], right)
    assert explain_left(given, right, right) == "" == explain_left(given, [np.nan] * 3, right)


def test_the_check_compares_a_floor_with_a_constants_error():
    x, y = np.array([-1.0, 0.0, 1.0, 2.0]), np.array([1.0, 0.0, 1.0, 2.0])
    assert "mean squared error 0.5." in FLOOR.explain({"x": x, "y": y, "power": 2}, 1.0, 0.05)


def test_the_check_says_which_half_of_a_layer_is_right():
    given, right = None, [np.eye(2), np.ones(2)]
    assert "The matrix is right here, the bias" in collapse_explain(given, [np.eye(2), np.zeros(2)], right)
    assert "The bias is right here, the matrix" in collapse_explain(given, [np.ones((2, 2)), np.ones(2)], right)
    assert collapse_explain(given, [np.ones((2, 2)), np.zeros(2)], right) == ""


def test_a_degree_more_or_less_is_told_from_the_right_one_in_each_sample():
    for given in drawn(FLOOR.cases, range(12)):
        x, y, power = given.values()
        if len(x) > 10:  # the others have a floor that is 0, or are the worked example
            less, right, more = (np.mean((np.polyval(np.polyfit(x, y, power + k), x) - y) ** 2) for k in (-1, 0, 1))
            assert more < 0.99 * right < 0.98 * less


# --- 01.7, an experiment that is read -----------------------------------------------------------------------


def test_accuracies_are_those_of_the_lessons_rings():
    found = rate_sweep.ring_accuracies([0.01, 0.001], n_seeds=2)
    lesson = on_rings.measure([0, 1], network=["10 units"])["accuracy"].sel(network="10 units", rate=[0.01, 0.001])
    for part, accuracies in zip(("training", "validation", "held-out"), found, strict=True):
        np.testing.assert_array_equal(accuracies, lesson.sel(part=part).transpose("rate", "seed"))


def test_a_notebook_that_is_marked_loads_no_torch_for_it(root):
    code = "import sys, utils.lesson_01.rate_sweep; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0


def test_each_network_has_a_dot_in_each_panel():
    training, validation, held_out = (np.full((3, 4), value) for value in (0.9, 0.8, 0.7))
    figure, words = rate_sweep.accuracy_dots(np.array([0.1, 0.001, 0.01]), training, validation, held_out)
    assert [ax.get_title() for ax in figure.axes] == ["training", "validation", "held-out"]
    for ax, value in zip(figure.axes, (0.9, 0.8, 0.7), strict=True):
        dots = [(x, y) for line in ax.lines for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)]
        assert sorted(dots) == [(rate, value) for rate in (0.001, 0.01, 0.1) for _ in range(4)]
    assert "4 dots" in words and "3 learning rates from 0.001 to 0.1" in words


def test_in_every_invented_experiment_each_way_to_choose_chooses_another_rate():
    for seed in range(20):
        _, *invented = of_seed(READ_SWEEP.cases, seed)
        shapes = [given["validation"].shape for given in invented]
        assert {seeds % 2 for _, seeds in shapes} == {0, 1} and any(rates > seeds for rates, seeds in shapes)
        for given, shape in zip(invented, shapes, strict=True):
            validation = given["validation"]
            best_of_each_seed = validation.argmax(axis=0).tolist()
            chosen = [
                *(np.median(given[part], axis=1).argmax() for part in ("validation", "training", "held_out")),
                validation.mean(axis=1).argmax(),
                validation.max(axis=1).argmax(),
                max(range(len(validation)), key=best_of_each_seed.count),
            ]
            assert len(set(chosen)) == 6 and set(given["rates"]) <= set(RATES)
            for part in ("training", "validation", "held_out"):
                assert given[part].shape == shape and 0 <= given[part].min() and given[part].max() <= 1


def test_what_is_said_and_drawn_of_a_reading():
    given, _ = next(iter(READ_SWEEP.cases(np.random.default_rng(0))))
    said = explain_reading(given, [0.1, 0.5], [0.01, 0.845])
    assert said == "At your rate, 0.1, the medians over the seeds are: training 0.985, validation 0.73, held-out 0.72."
    assert explain_reading(given, [0.2, 0.5], [0.01, 0.845]) == ""
    assert plot_reading(given, [0.01, 0.845])[1].endswith("Your function chooses the rate 0.01 and reports 0.845.")
