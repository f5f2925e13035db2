"""What the definitions of lesson 08's exercises promise of every draw, and what its pages say of their answers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.neighbors import KNeighborsRegressor

from tests.answers import of_seed
from utils.lesson_08 import exercises
from utils.lesson_08.noise_search import INNER, OUTER, ROWS, folds, noise_search, search_dots


def hinge_sum_residual(X: np.ndarray, wanted: np.ndarray, lines: list[tuple[float, float, float]]) -> float:
    """Return the least largest error at X of a linear function and a sum of hinges along these lines."""
    hinges = [np.maximum(a * X[:, 0] + b * X[:, 1] + c, 0) for a, b, c in lines]
    basis = np.column_stack([*hinges, X, np.ones(len(X))])
    bounds = np.block([[basis, -np.ones((len(X), 1))], [-basis, -np.ones((len(X), 1))]])
    costs = np.r_[np.zeros(basis.shape[1]), 1]
    return linprog(costs, bounds, np.r_[wanted, -wanted], bounds=[(None, None)] * len(costs)).fun


@pytest.mark.parametrize("seed", range(3))
def test_each_of_the_four_is_the_largest_somewhere_and_the_largest_is_negative_somewhere(seed):
    one = exercises.largest_of_four
    for given in of_seed(exercises.LARGEST_OF_FOUR.cases, seed)[1:]:
        X = one.points(given)
        values = X @ given["A"].T + given["b"]
        assert len(set(values.argmax(axis=1))) == 4 and (values.max(axis=1) < 0).any()
        layers = [tuple(layer) for layer in one.reference(given)]
        assert one.parameters(layers) == 6 * given["A"].shape[1] + 31


@pytest.mark.parametrize("seed", range(3))
def test_folds_tear_no_group_and_are_of_nearly_the_same_size(seed):
    for given in of_seed(exercises.GROUP_FOLDS.cases, seed):
        groups, value = given["groups"], np.array(exercises.group_folds.reference(given))
        assert all(len(set(value[groups == group])) == 1 for group in groups) and len(set(groups)) > given["k"]
        sizes = np.bincount(value, minlength=given["k"])
        assert sizes.min() > 0 and np.ptp(sizes) <= max(np.unique(groups, return_counts=True)[1])


@pytest.mark.parametrize("seed", range(3))
def test_no_search_hangs_on_a_tie(seed):
    for given in of_seed(exercises.NESTED_ERRORS.cases, seed)[1:]:
        rows = [*given["inner"], *given["outer"], given["outer"].mean(axis=0)]
        assert min(np.diff(np.sort(row)[:2])[0] for row in rows) > 1e-3


@pytest.mark.parametrize("seed", range(3))
def test_each_flaw_is_frequent_and_none_is_a_close_call(seed):
    said = []
    for given in of_seed(exercises.FIRST_FLAW.cases, seed):
        both = given["deep"], given["shallow"]
        said.append(exercises.first_flaw.reference(given))
        for name in ("parameters", "steps"):
            one, other = sorted(side[name] for side in both)
            assert not 1.03 < other / one < 1.2
        for side in both:
            medians = np.sort(np.median(side["errors"], axis=0))
            assert len(medians) == 1 or medians[1] - medians[0] > 0.005
            assert len(set(side["rates"])) == len(side["rates"]) == side["errors"].shape[1]
        assert max(len(side["rates"]) for side in both) > 1
    assert min(said.count(flaw) for flaw in exercises.first_flaw.FLAWS) >= len(said) / 10


@pytest.mark.parametrize("seed", range(3))
def test_both_networks_steps_are_within_those_recorded(seed):
    for given in of_seed(exercises.FAIR_RATIOS.cases, seed):
        steps = given["seconds"] / given["pace"]
        assert given["steps"][0] < steps.min() and steps.max() < given["steps"][-1]
        assert len(given["deep"]) % 2 and (np.diff(given["steps"]) > 0).all() and given["deep"].min() > 0


# --- what the pages say of the answers ----------------------------------------------------------------------


def test_the_examples_are_those_of_the_page():
    flaw, ratios = exercises.first_flaw, exercises.fair_ratios
    assert flaw.reference(flaw.worked_example()) == "best rate at the edge"
    np.testing.assert_allclose(ratios.reference(ratios.worked_example()), [0.5, 1.25])
    nested = exercises.nested_errors
    np.testing.assert_allclose(nested.reference(nested.worked_example()), [0.22, 0.29, 0.28])
    folds_of = exercises.group_folds
    assert folds_of.reference(folds_of.worked_example()) == [0, 0, 0, 1, 0, 1, 1, 1, 0]
    largest = exercises.largest_of_four
    given, X = largest.worked_example(), np.array([[0.0, 0.0], [4.0, 1.0]])
    assert largest.budget(given) == 43
    np.testing.assert_allclose(largest.evaluate(largest.layers_of(largest.reference(given)), X)[:, 0], [-2, 1])


def test_one_hidden_layer_cannot_make_the_largest_of_three():
    """Not even with hinges along all lines where two of them are equal, among others; two hidden layers can."""
    X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
    lines = [(1, -1, 0), (1, 0, 0), (0, 1, 0), *np.random.default_rng(1).normal(size=(20, 3))]
    assert hinge_sum_residual(X, np.maximum(X.max(axis=1), 0), lines) > 0.02
    assert hinge_sum_residual(X, X.max(axis=1), lines) < 1e-7  # of two, it can


def test_torn_groups_make_the_nearest_neighbour_look_good():
    torn, whole = [], []
    for seed in range(11):
        rng = np.random.default_rng(seed)
        groups = np.repeat(np.arange(40), 5)
        x, y = (rng.normal(size=40)[groups] + 0.001 * rng.normal(size=200) for _ in range(2))
        kept = np.array(exercises.group_folds.reference({"groups": groups, "k": 5}))
        for fold_of, errors in ((np.arange(200) % 5, torn), (kept, whole)):
            squares = []
            for fold in range(5):
                model = KNeighborsRegressor(1).fit(x[fold_of != fold, None], y[fold_of != fold])
                squares.append((model.predict(x[fold_of == fold, None]) - y[fold_of == fold]) ** 2)
            errors.append(np.mean(squares))
    assert np.median(torn) < 0.2 and 1.5 < np.median(whole) < 2.5


def test_the_best_of_many_coins_looks_good_and_the_honest_number_is_a_coins():
    """Medians over five searches, of fewer networks than on the page."""
    few, many = [], []
    for seed in range(5):
        inner, outer = noise_search(100, rng=np.random.default_rng(seed))
        many.append(exercises.nested_errors.reference({"inner": inner, "outer": outer}))
        few.append(exercises.nested_errors.reference({"inner": inner[:, :5], "outer": outer[:, :5]}))
    (optimistic, honest, forbidden), of_few = np.median(many, axis=0), np.median(few, axis=0)
    assert optimistic < 0.42 and forbidden < 0.42 and 0.4 < honest < 0.6
    assert optimistic < of_few[0] - 0.03 and forbidden < of_few[2] - 0.03
    figure, words = search_dots(inner, outer)
    assert words.count(" and ") == 1 + OUTER and len(figure.axes[0].lines) == 3


def test_outer_and_inner_folds_share_no_row():
    for rest, held_out in folds(np.arange(ROWS), OUTER):
        assert not set(rest) & set(held_out) and len(rest) + len(held_out) == ROWS
        scored = [set(score) for _, score in folds(rest, INNER)]
        assert set.union(*scored) == set(rest) and sum(map(len, scored)) == len(rest)


@pytest.mark.parametrize("a, s, r", [(0.8, 0.5, 3.0), (0.6, 0.3, 2.0)])
def test_from_how_many_steps_on_the_deep_network_is_ahead(a, s, r):
    """What the page says of errors that are powers of the steps."""
    limit, ratios = r ** (s / (a - s)), exercises.fair_ratios
    steps = limit * np.geomspace(0.1, 50, 9)
    for share, ahead in ((0.5, False), (2.0, True)):
        given = {
            "steps": steps,
            "deep": steps[None] ** -a,
            "shallow": steps[None] ** -s,
            "pace": np.array([r, 1.0]),
            "seconds": r * share * limit,
        }
        assert (ratios.reference(given)[1] < 1) == ahead


# --- what is said and drawn of values -----------------------------------------------------------------------


def test_what_is_said_of_wrong_values():
    folds_of = exercises.group_folds
    given = folds_of.worked_example()
    right = folds_of.reference(given)
    assert folds_of.explain_folds(given, [0, 1, 0, 1, 0, 1, 1, 1, 0], right).endswith("the folds 0, 1.")
    assert "Row 8 is the first" in folds_of.explain_folds(given, [*right[:8], 1], right)
    assert folds_of.explain_folds(given, right, right) == folds_of.explain_folds(given, ["a"], right) == ""
    nested = exercises.nested_errors
    assert nested.explain_errors({}, [0.22, 0.3, 0.3], [0.22, 0.29, 0.28]) == "Wrong: the second, the third."
    assert nested.explain_errors({}, 1.0, [0.22, 0.29, 0.28]) == ""
    largest = exercises.largest_of_four
    given = largest.worked_example()
    assert "[2, 6, 3, 1] and 43 parameters, of 43" in largest.explain_network(given, largest.reference(given), None)
    assert largest.explain_network(given, [[1]], None) == ""
    flaw = exercises.first_flaw
    said = flaw.explain_flaw(flaw.worked_example(), "none", "best rate at the edge")
    assert "best rate is 0.1 (of 0.001 to 0.1), the shallow one's 0.01 (of 0.001 to 0.1). Seeds: 5 and 5." in said
    assert said.startswith("One side has 1.02 times as many parameters as the other, and 1 times as many steps.")


def test_the_picture_of_two_ratios():
    ratios = exercises.fair_ratios
    figure, words = ratios.plot_ratios(ratios.worked_example(), [0.5, 1.25])
    assert len(figure.axes) == 2 and "200 steps, the shallow one 800" in words and words.endswith("0.5 and 1.25.")
