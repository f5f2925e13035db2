"""What lesson 04's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.lesson_04.boards import folded_board, shallow_board, shallow_units, share_right
from utils.lesson_04.boards_figures import deep_and_shallow, diagonals, layers_side_by_side, play_folding
from utils.lesson_04.counting import folding_network
from utils.lesson_04.counting_figures import (
    four_numbers, grown, grown_medians, lines_added, print_rates, print_shapes, shape_medians, shapes,
    trained_answer, zigzags,
)
from utils.lesson_04.exploring import SQUARE
from utils.lesson_04.exploring_figures import card, region_map, region_maps
from utils.lesson_04.returning import ended, folded_classifier, medians_of_shapes, reaches, same_agreement
from utils.lesson_04.returning_figures import agreements, boards, from_scratch, longer, rising, shaken_boards, shares
from utils.lesson_04.squares_figures import errors
from utils.lesson_04.widgets import explore, explorer_controls
from utils.pages import Prediction, register

PREDICTIONS: dict[str, Prediction] = {
    "04.edges": Prediction(
        ["all of it", "three quarters", "half: no better than guessing", "none: all colours are swapped"],
        "{share:.2f} of it. Half of every square is right, and half is wrong.",
        3,
    ),
    "04.shallow": Prediction(
        ["about 24, as many as the folds", "about 120", "about 500", "1,024 or more, one for each square"],
        "{units}. With as many it can be built, and with fewer it cannot be done.",
        2,
    ),
    "04.depth": Prediction(
        ["more than five times as many", "up to five times as many", "about as many, a fifth more or fewer at most",
         "fewer, by more than a fifth"],
        "On the square, three layers of 8 make {times} times as many regions as one layer of 24. "
        "The medians of {seeds} seeds: {deep:.0f} regions, and {wide:.0f} with one layer.",
        lambda times, **_: 1 if times.value > 5 else 2 if times.value > 1.2 else 3 if times.value >= 0.8 else 4,
    ),
    "04.trained": Prediction(
        ["fewer than 100", "100 to 1,000", "1,000 to 10,000", "10,000 to 100,000", "more"],
        "Yours has {trained:,}. The bound allows {times:,.0f} times as many.",
        lambda trained, **_: 1 + sum(trained >= limit for limit in (100, 1000, 10_000, 100_000)),
    ),
    "04.square": Prediction(
        ["by about a third", "to a half", "to a quarter", "to an eighth"],
        "To a quarter. The errors after one step, two, …: {errors}.",
        3,
    ),
    "04.hinges": Prediction(
        ["about 200", "about 4,000", "about 70,000", "more than 500,000"],
        "At least {units:,.0f}.",
        4,
    ),
    "04.shapes": Prediction(
        ["1×32", "2×16", "4×8", "8×4", "all within a factor of two"],
        "Medians after training: {one:,.0f}, {two:,.0f}, {four:,.0f} and {eight:,.0f}, for one to eight layers.",
        lambda one, two, four, eight: 5 if max(one, two, four, eight) < 2 * min(one, two, four, eight)
        else 1 + max(range(4), key=(one, two, four, eight).__getitem__),
    ),
    "04a.fourth": Prediction(
        ["8", "10", "11", "14"], "11. It crosses three lines, so it passes through four regions, and cuts each.", 3
    ),
    "04a.deeper": Prediction(
        ["at least ten times as many", "two to ten times as many", "as many, within a factor of two",
         "less than half as many"],
        "Medians: {one:,.0f} with one layer, {four:,.0f} with four.",
        lambda one, four: 1 if four >= 10 * one else 2 if four > 2 * one else 3 if four >= one / 2 else 4,
    ),
    "04b.shaken": Prediction(
        ["nearly all: .97 or more", "from .9 to .97", "from .65 to .9", "hardly more than half: less than .65"],
        "{right:.2f}, in the median of {seeds} networks.",
        lambda right, **_: 1 + sum(right < limit for limit in (0.97, 0.9, 0.65)),
    ),
    "04b.returned": Prediction(
        ["not even .01", "up to .01 or .02", "up to .04 or .08", "up to .16 or more"],
        "With three folds, up to noise {three:g}; with two, up to {two:g}; with four, up to {four:g}.",
        lambda three, **_: 1 + sum(three >= limit for limit in (0.01, 0.04, 0.16)),
    ),
    "04b.same": Prediction(
        ["fewer than before training", "as many as before", "more than before: nearly all"],
        "Runs with noise .02 that came back: {before:.3f} of the switches agree before training, {same} "
        "after it: it has undone the noise unit by unit.",
        lambda before, after, **_: 2 if abs(after - before) < 0.02 else 3 if after > before else 1,
    ),
    "04b.scratch": Prediction(
        ["nearly all: .97 or more", "from .8 to .97", "from .65 to .8", "less than .65"],
        "Layers of 4: {narrow:.2f}. Layers of 16: {wide:.2f}. (Medians, {seeds} runs each.)",
        lambda narrow, **_: 1 + sum(narrow < limit for limit in (0.97, 0.8, 0.65)),
    ),
    "04b.rising": Prediction(
        ["four layers of 20", "one layer of 272", "neither, by more than ten points in a hundred"],
        "Medians on 8×8 squares: one layer {one:.2f}, two layers {two:.2f}, four layers {four:.2f}.",
        lambda one, four, **_: 1 if four - one > 0.1 else 2 if one - four > 0.1 else 3,
    ),
}
register(PREDICTIONS)
