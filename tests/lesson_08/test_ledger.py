"""The ledger: its proved ratios by other counts, its measured ones by the lessons' own code, and its bets."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from utils.comparison import generators
from utils.constructions import sawtooth_network
from utils.lesson_02 import fair
from utils.lesson_04 import boards
from utils.lesson_07 import tasks
from utils.lesson_08 import baselines, guesses, ledger, page
from utils.models import count_parameters
from utils.pages import prediction


def test_the_tent_is_counted_as_the_network_that_draws_it():
    assert ledger.tent_parameters() == (3 * 1024 + 1) / count_parameters(sawtooth_network(10))


def test_the_board_takes_the_units_of_lesson_04():
    units = 4 * 6
    assert boards.deep_units(5) == units
    assert ledger.board_parameters() == (4 * 123 + 1) / (3 * 4 + 5 * 20 + 5)


def test_five_narrow_layers_keep_less_for_the_way_back_than_a_wide_one():
    assert ledger.memory() == pytest.approx((2 + 5 * 24) / (2 + 510))


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (baselines.TASKS["checkerboard"], fair.TASKS["checkerboard 5"].parts),
        (baselines.TASKS["swirl"], fair.TASKS["swirl"].parts),
        (baselines.TASKS["spirals"], fair.spiral_parts),
        (baselines.TASKS["game"], tasks.TASKS["game"].parts),
    ],
)
def test_who_is_no_network_gets_the_lessons_own_data(mine, theirs):
    for (X, y), (X_there, y_there) in zip(
        mine(generator=generators(3)[0]), theirs(generator=generators(3)[0]), strict=True
    ):
        assert torch.equal(X, X_there) and torch.equal(y, y_there)


def test_errors_are_those_that_the_lessons_read():
    for record, task, depth in (("07_longer", "game", 5), ("07_tasks", "digits", 1)):
        theirs = tasks.missed(ledger.recorded(record), task, depth)
        np.testing.assert_array_equal(ledger.raced(record, task, depth), theirs)
    data = ledger.recorded("02_spirals")
    theirs = 1 - fair.spirals_fought.best(data, budget=1037, depth=5)
    np.testing.assert_array_equal(ledger.spiral(5), theirs)


def test_each_row_has_a_ratio_and_what_was_tried_has_its_number():
    for row in (*ledger.PARAMETERS, *ledger.ERRORS, *ledger.COSTS):
        assert row.estimate.value > 0 and row.estimate.low <= row.estimate.value <= row.estimate.high
        assert "{" not in row.tried and row.made_for in (ledger.DEPTH, ledger.ONE, ledger.NOBODY, ledger.BOTH)
    for made in (ledger.errors_table, ledger.parameters_table, ledger.costs_table):
        lines = made().splitlines()
        assert {line.count("|") for line in lines} == {lines[0].count("|")}


def test_no_bet_is_near_the_end_of_its_range_and_the_zeros_are_two():
    rights = [one.right for one in guesses.GUESSES.values()]
    assert rights.count(3) == 2 and set(rights) == {1, 2, 3, 4, 5}
    for one in guesses.GUESSES.values():
        assert min(abs(np.log(ledger.estimated(one.ratio).value / limit)) for limit in guesses.LIMITS) > 0.05


def test_a_bet_says_what_was_found_and_why_another_range_is_wrong():
    for key, one in page.GUESSES.items():
        asked = prediction(key)
        assert f" {ledger.in_words(ledger.estimated(one.ratio).value)}. " in asked.sentences[one.right - 1]
        assert [said for said in asked.sentences[: one.right - 1]] == [guesses.LITTLE] * (one.right - 1)
        assert [said for said in asked.sentences[one.right :]] == [guesses.MUCH] * (5 - one.right)


def test_the_answers_large_wins_are_at_home_and_the_rest_is_small():
    made_for = {row.what: row.made_for for row in ledger.ERRORS}
    for what in ledger.OWN_CLASS:
        ratio = float(ledger.ratio(what))
        assert made_for[what] == (ledger.DEPTH if ratio > 1 else ledger.ONE) and max(ratio, 1 / ratio) > 10
    low, high = map(float, ledger.elsewhere().split(" to "))
    assert low < 1 < high < 2 < float(ledger.ratio("swirl", short=True)) and high == float(ledger.ratio("swirl"))
    assert float(ledger.ratio("game", short=True)) < float(ledger.ratio("game")) / 2
    for board in ("board", "checkerboard"):  # where one layer caught up
        assert float(ledger.ratio(board)) < 1 < float(ledger.ratio(board, short=True))
    with pytest.raises(StopIteration):
        ledger.ratio("flip")


def test_ridge_regression_is_scikit_learns():
    from sklearn.linear_model import Ridge

    rng = np.random.default_rng(0)
    H, Y = rng.normal(size=(30, 8)), rng.normal(size=(30, 3))
    theirs = Ridge(alpha=0.7, fit_intercept=False).fit(H, Y).coef_.T
    np.testing.assert_allclose(baselines.ridge(H, Y, 0.7), theirs)


def test_the_share_missed_is_0_for_what_is_right_and_1_for_the_mean():
    labels, levels = np.array([0, 1, 1, 0]), np.array([1.0, 2.0, 3.0])
    assert baselines.missed(labels, labels) == 0 and baselines.missed(1 - labels, labels) == 1
    assert baselines.missed(np.full(3, 2.0), levels) == 1 and baselines.missed(levels, levels) == 0


def test_a_row_s_control_is_the_number_that_the_ledger_prints():
    (row,) = (row for row in ledger.ERRORS if row.what.startswith("teacher of four"))
    assert row.tried.endswith(f": {ledger.ratio('teacher of four', control=True)}")
