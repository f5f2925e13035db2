"""Lesson 04's counts: bounds hold and are reached, networks that fold are counted, and reading is by name."""

from __future__ import annotations

import itertools
from functools import partial
from math import comb, prod

import numpy as np
import pytest
import torch
import xarray as xr

from tests.choices import assert_right
from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import generators, sweep
from utils.data import split
from utils.lesson_04 import counting, counting_figures, page
from utils.lesson_04.counting import BOX, DEFAULT, HE, PLANE, RATES, SHAPES, WIDE
from utils.models import mlp
from utils.regions import count_regions, linear_pieces, linear_regions

SQUARE = ((0.0, 1.0), (0.0, 1.0))


# --- what is proved ---------------------------------------------------------------------------------------


def by_deletion(units: int, inputs: int) -> int:
    """Regions of hyperplanes in general position: take one away, and look at what the others do within it."""
    return 1 if not units or not inputs else by_deletion(units - 1, inputs) + by_deletion(units - 1, inputs - 1)


@pytest.mark.parametrize("units", [0, 1, 2, 5, 9])
def test_the_number_in_general_position_is_what_adding_one_hyperplane_after_the_other_gives(units):
    for inputs in range(5):
        assert counting.general_position(units, inputs) == by_deletion(units, inputs)


def all_tuples(widths, inputs):
    """Serra's sum by its definition: every tuple of J, one after the other."""
    total = 0
    for js in itertools.product(*(range(width + 1) for width in widths)):
        left = [inputs]
        if all(
            j <= min([*left, *(n - i for n, i in zip(widths, js[:at], strict=False)), widths[at]])
            for at, j in enumerate(js)
        ):
            total += prod(comb(n, j) for n, j in zip(widths, js, strict=True))
    return total


@pytest.mark.parametrize("widths", [[3], [2, 3], [3, 3, 3], [1, 5, 2], [4, 2, 3]])
def test_serras_bound_is_its_sum_and_no_product_is_smaller(widths):
    for inputs in (1, 2, 3):
        assert counting.serra_bound(widths, inputs) == all_tuples(widths, inputs)
        assert counting.serra_bound(widths, inputs) <= counting.product_bound(widths, inputs)


def test_the_lessons_network_has_the_bounds_that_the_lesson_says():
    widths = [8, 8, 8, 8]
    assert counting.serra_bound(widths, 2) == counting.product_bound(widths, 2) == 37**4 == 1_874_161
    assert counting.folded_regions(widths, 2) == 578_125
    assert counting.folded_regions(widths, 2, both_sides=False) == 151_552
    assert counting.product_bound([3, 1, 5], 2) == 7 * 2 * 6  # after one unit the image is a line


@pytest.mark.parametrize("widths", [[3], [2, 4, 3], [1, 6]])
def test_no_network_has_more_regions_than_the_bound(widths):
    for inputs, box in ((1, WIDE[0]), (2, WIDE)):
        counts = [
            count_regions(mlp([inputs, *widths, 1], init="he", bias_std=0.3, generator=seeded(seed)), box)
            for seed in range(100)
        ]
        assert max(counts) <= counting.serra_bound(widths, inputs)


# --- a network that folds ---------------------------------------------------------------------------------


@pytest.mark.parametrize("both_sides", [True, False])
def test_every_piece_of_a_zigzag_runs_through_the_interval(both_sides):
    for units in range(1, 8):
        signs, hinges, weights, bias = counting.zigzag(units, both_sides=both_sides)
        breaks = np.unique([0, *hinges, 1])
        values = bias + np.maximum(signs * (breaks[:, None] - hinges), 0) @ weights
        pieces = units + 1 if both_sides and units >= 3 else units
        np.testing.assert_allclose(values, np.arange(pieces + 1) % 2, atol=1e-12)


@pytest.mark.parametrize("both_sides", [True, False])
@pytest.mark.parametrize("widths", [[5], [5, 7, 3], [6, 8, 6], [2, 2, 2, 2]])
def test_a_folding_network_has_its_regions_and_all_of_them_differ_from_their_neighbours(widths, both_sides):
    model = counting.folding_network(widths, both_sides=both_sides)
    assert [layer.out_features for layer in model[::2]] == [*widths, 1]
    regions = linear_regions(model, SQUARE)
    assert len(regions) == counting.folded_regions(widths, 2, both_sides=both_sides)
    assert len(regions) <= counting.serra_bound(widths, 2)
    if widths[-1] >= 3:  # a fold mirrors a slope, which differs from its mirror image unless it is zero
        assert np.abs(regions.A).min() > 1e-6


@pytest.mark.slow
def test_the_lessons_hand_built_network_is_counted():
    assert count_regions(counting.folding_network([8, 8, 8, 8]), SQUARE) == 578_125


@pytest.mark.parametrize("widths", [[2], [4, 4], [3, 5, 4]])
def test_with_one_input_the_product_is_reached(widths):
    pieces = linear_pieces(counting.folding_network(widths, 1), (0.0, 1.0))
    assert len(pieces.slopes) == prod(width + 1 for width in widths) == counting.serra_bound(widths, 1)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: counting.folding_network([1, 4]), "no narrower layer"),
        (lambda: counting.folding_network([4, 4], 3), "1 or 2 inputs"),
        (lambda: counting.serra_bound([], 2), "widths is empty"),
        (lambda: counting.product_bound([0], 2), "widths\\[0\\]"),
        (lambda: counting.general_position(-1, 2), "units is -1"),
    ],
)
def test_bad_input_is_told(call, said):
    with pytest.raises(ValueError, match=said):
        call()


# --- measuring --------------------------------------------------------------------------------------------


def test_the_board_has_sixteen_squares_whose_neighbours_differ():
    X, y = counting.board(4000, generator=seeded())
    column, row = torch.floor((X + 1) * 2).long().T
    torch.testing.assert_close(y[:, 0], 2.0 * ((row + column) % 2) - 1)
    assert len(torch.unique(4 * row + column)) == 16


def test_share_right_counts_signs():
    model = torch.nn.Linear(2, 1)
    torch.nn.init.zeros_(model.weight)
    torch.nn.init.ones_(model.bias)
    y = torch.tensor([[1.0], [1.0], [-1.0], [1.0]])
    assert counting.share_right(model, torch.zeros(4, 2), y) == 0.75


@pytest.mark.slow
def test_measuring_counts_what_training_begins_with_and_ends_with(monkeypatch):
    monkeypatch.setattr(counting, "EPOCHS", 2)
    monkeypatch.setattr(counting, "POINTS", (200, 50, 50))
    monkeypatch.setattr(counting, "RATES", (0.01, 1e-12))
    measured = counting.counts.measure([4], shape=["2×16"], init=[HE]).isel(shape=0, init=0).sel(seed=4)
    build, parts = partial(counting.draw, [16, 16], HE), partial(split, counting.board, 200, 50, 50)
    ((trained, still),) = sweep(build, parts, seeds=[4, 5], lrs=[0.01, 1e-12], epochs=2, **counting.TRAINING).models[:1]
    X, y = parts(generator=generators(4)[0])[-1]
    assert float(measured["trained"].sel(rate=0.01, place="board")) == count_regions(trained, BOX)
    assert float(measured["accuracy"].sel(rate=0.01, part="held-out")) == counting.share_right(trained, X, y)
    assert float(measured["random"].sel(place="plane")) == count_regions(build(generator=seeded(2 * 4 + 1)), WIDE)
    assert float(measured["random"].sel(place="board")) == count_regions(still, BOX)


def test_growth_counts_random_networks():
    measured = counting.grown.measure([3, 7], init=[DEFAULT], depth=[2], units=[8, 16])
    wanted = count_regions(counting.draw([8, 8], DEFAULT, generator=seeded(7)), BOX)
    assert float(measured["count"].sel(init=DEFAULT, depth=2, units=16, seed=7)) == wanted


# --- reading ----------------------------------------------------------------------------------------------


def counts_made_up() -> xr.Dataset:
    data = made_up(
        counting.counts,
        random=("shape", "init", "place"),
        trained=("shape", "init", "rate", "place"),
        accuracy=("shape", "init", "rate", "part"),
    )
    data["random"], data["trained"] = 100 + data["random"], 100 + data["trained"]
    return data


def test_initialisation_and_rate_are_chosen_on_validation_points():
    data = counts_made_up()
    data["accuracy"].loc[{"shape": "4×8", "init": DEFAULT, "rate": 0.03, "part": "validation"}] = 2
    data["accuracy"].loc[{"shape": "4×8", "init": HE, "rate": 0.1, "part": "held-out"}] = 3
    trained = data["trained"].sel(shape="4×8", init=DEFAULT, rate=0.03)
    np.testing.assert_array_equal(counting.trained_count(data, "4×8", PLANE), trained.sel(place=PLANE))
    before = data["random"].sel(shape="4×8", init=DEFAULT, place="board")
    np.testing.assert_allclose(counting.change(data, "4×8", DEFAULT), trained.sel(place="board") / before)
    right = data["accuracy"].sel(shape="4×8", init=DEFAULT, rate=0.03, part="held-out")
    np.testing.assert_array_equal(counting.accuracy(data, "4×8"), right)
    data["accuracy"].loc[{"shape": "4×8", "init": HE, "rate": 0.3, "part": "validation"}] = 2.5
    before = data["random"].sel(shape="4×8", init=HE, place="board")
    np.testing.assert_allclose(counting.change(data, "4×8"), counting.trained_count(data, "4×8") / before)
    narrow = counting.accuracy(data, "8×4")
    np.testing.assert_allclose(counting.ahead_of_narrow(data), counting.accuracy(data, "4×8") - narrow)
    four = data["trained"].sel(shape="4×8", init=HE, rate=0.3, place="plane")
    one = counting.trained_count(data, "1×32", PLANE)
    np.testing.assert_allclose(counting.depth_at_best(data, PLANE), four / one)


def test_an_exponent_is_read_off_counts_that_are_a_power():
    data = made_up(counting.grown, "count")
    data["count"] = (data["count"] * 0 + 3) * data["units"] ** 2 / data["depth"]
    np.testing.assert_allclose(counting.growth(data, 4), 2)
    assert counting_figures.grown_medians(data) == {"one": 3 * 256**2, "four": 3 * 256**2 / 4}


# --- figures, and what is said of them ----------------------------------------------------------------------


def test_the_four_numbers_stand_in_their_order_on_one_axis_beside_every_region():
    data, model = counts_made_up(), counting.draw([8] * 4, generator=torch.Generator().manual_seed(0))
    regions, ax = page.four_numbers(model, data).axes
    marks = [float(line.get_xdata()[0]) for line in ax.lines[1:]]
    random = float(data["random"].sel(shape="4×8", init=HE, place="board").median())
    count = count_regions(model, counting.BOX)
    assert marks == [random, count, 578_125, 1_874_161] and len(regions.collections[0].get_paths()) == count


def test_shapes_and_units_are_drawn_with_their_bounds_and_medians():
    data, grown = counts_made_up(), made_up(counting.grown, "count")
    (ax,) = page.shapes(data).axes
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [529, 137**2, 37**4, 11**8])
    drawn = [container.lines[0].get_ydata() for container in ax.containers]
    np.testing.assert_allclose(drawn[1], data["random"].sel(init=HE, place="board").median("seed"))
    assert dict(zip(("one", "two", "four", "eight"), drawn[0], strict=True)) == page.shape_medians(data)
    (ax,) = page.grown(grown).axes
    drawn = [container.lines[0].get_ydata() for container in ax.containers]
    np.testing.assert_allclose(drawn, grown["count"].sel(init=HE).median("seed").values)


def test_added_lines_meet_where_the_dots_are():
    lines = np.array([(1, -0.4, 0.1), (0.3, 1, -0.2), (1, 1, 0.3), (-1, 0.8, 0.25)])
    for count, ax in enumerate(page.lines_added(lines).axes, 1):
        dots = np.array([line.get_xydata()[0] for line in ax.lines if line.get_marker() == "o"]).reshape(-1, 2)
        assert len(dots) == count - 1
        homogeneous = np.column_stack([dots, np.ones(len(dots))])
        np.testing.assert_allclose(homogeneous @ lines[count - 1], 0, atol=1e-12)
        np.testing.assert_allclose((homogeneous * lines[: count - 1]).sum(1), 0, atol=1e-12)
    with pytest.raises(ValueError, match="wanted \\(n, 3\\)"):
        page.lines_added([(1, 2)])


def test_tables_have_the_medians(capsys):
    data = counts_made_up()
    page.print_shapes(data)
    rows = [row.replace(",", "").split() for row in capsys.readouterr().out.splitlines()[1:]]
    assert [row[0] for row in rows] == list(SHAPES)
    for shape, _, _, *shown in rows:
        counts = [
            counting.random_count(data, shape),
            counting.random_count(data, shape, HE),
            counting.trained_count(data, shape),
            counting.trained_count(data, shape, PLANE),
        ]
        assert [float(number) for number in shown[:4]] == [round(float(count.median())) for count in counts]


def test_the_table_of_rates_has_both_shapes_and_the_ratio_of_their_regions(capsys):
    data = counts_made_up()
    data["trained"] = 1000 * (data["trained"] - 99)
    page.print_rates(data)
    trained, right = data["trained"].sel(place="board"), data["accuracy"].sel(part="held-out", init=HE)
    ratio = (trained.sel(shape="4×8") / trained.sel(shape="1×32")).median("seed")
    for row, rate in zip(capsys.readouterr().out.splitlines()[1:], RATES, strict=True):
        one, four = (
            [trained.sel(init=HE, shape=shape, rate=rate).median(), right.sel(shape=shape, rate=rate).median()]
            for shape in ("1×32", "4×8")
        )
        wanted = np.array([*one, *four, *(ratio.sel(rate=rate, init=init) for init in (HE, DEFAULT))])
        shown = [float(number.replace(",", "")) for number in row.split()[1:]]
        np.testing.assert_array_less(np.abs(shown - wanted), [0.501, 0.00501, 0.501, 0.00501, 0.0501, 0.0501])


@pytest.mark.parametrize(
    ("key", "measured", "right"),
    [
        *(
            ("04.trained", page.trained_answer(count), said)
            for count, said in (
                (99, "fewer than"),
                (100, "100 to"),
                (1200, "1,000 to"),
                (40_000, "10,000 to"),
                (500_000, "more"),
            )
        ),
        ("04.shapes", {"one": 108, "two": 500, "four": 644, "eight": 212}, "4×8"),
        ("04.shapes", {"one": 400, "two": 500, "four": 644, "eight": 330}, "all within"),
        *(
            ("04a.deeper", {"one": 100, "four": four}, said)
            for four, said in ((2000, "at least ten"), (500, "two to ten"), (90, "as many"), (40, "less than half"))
        ),
    ],
)
def test_the_right_choice_of_a_prediction_is_what_was_measured(key, measured, right):
    assert_right(key, measured, right)
