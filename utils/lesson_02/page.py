"""What lesson 02's pages use, under one name, and their predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.lesson_02.cost import print_step_times, step_times
from utils.lesson_02.cost_figures import cost_by_depth
from utils.lesson_02.digits_figures import digits_by_depth, digits_gained
from utils.lesson_02.explorers import architecture_controls, fit, fit_controls, fitted, forward_pass
from utils.lesson_02.fair import (
    CHOSEN, TASKS, Choice, again, comparison_verdict, difference, fighters, spiral, train_found, train_on_spirals,
)
from utils.lesson_02.fair_figures import all_cells, found_by_rate, four_tasks, spirals_by_rate
from utils.lesson_02.flip import mean_errors, steps_at_best, train_many
from utils.lesson_02.flip_figures import (
    errors_by_place, images, learned_by_step, losses_by_step, polylines, starts_by_level,
)
from utils.lesson_02.referee import (
    board_controls, boards, checkerboard, checkerboard_lab, fair_gap, gaps_on_the_coarse_board, hard_gap, lab,
    lab_controls, leads,
)
from utils.lesson_02.sawtooth import at_start, came_back, hand_built, share_missed, train_on_sawtooth
from utils.lesson_02.sawtooth_figures import card, found_by_folds, found_three, kept_by_noise, trained
from utils.lesson_02.tents_figures import play_folds, two_networks
from utils.pages import FigureText, Prediction, register
from utils.plots import line

FIGURES: dict[str, FigureText] = {
    "02.tent": FigureText(
        "A tent: one fold, two straight pieces",
        "A line that climbs straight from 0 at x = 0 to 1 in the middle, and falls straight back to 0 at x = 1.",
    ),
}
PREDICTIONS: dict[str, Prediction] = {
    "02.pieces": Prediction(
        ["2 pieces", "3 pieces", "4 pieces", "8 pieces"], "4 pieces: two tents side by side.", 3
    ),
    "02.shallow": Prediction(
        ["about 60", "about 300", "about 1,000", "it cannot be done"],
        "1,024: each unit bends the line only once.", 3,
    ),
    "02.found": Prediction(
        ["always", "about half of the time", "never, or hardly ever"],
        "It found the eight pieces in {found} of {seeds} recorded seeds, with the best of six rates.",
        lambda found, seeds: 1 if found == seeds else 2 if found > seeds / 5 else 3,
    ),
    "02.narrower": Prediction(
        ["about 140: the width is divided by the square root of two", "about 100: it is halved",
         "about 50: a quarter", "about 30: a seventh"],
        "{width}. For 1, 2, 4, 8 and 16 hidden layers the widths are {widths[1]}, {widths[2]}, {widths[4]}, "
        "{widths[8]} and {widths[16]}.",
        4,
    ),
    "02.fair": Prediction(
        ["it stays as it is, or grows", "about half of it", "nothing: less than two points in a hundred"],
        "The lead was the learning rate and the biases: five layers minus one, in held-out accuracy, {left}. Your "
        "search for one layer, on validation points: {found}.",
        lambda gap, **_: 3 if abs(gap.value) < 0.02 else 1 if gap.value > 0.15 else 2,
    ),
    "02.fair-hard": Prediction(
        ["one hidden layer", "nobody leads by two points in a hundred", "the deeper networks, by two to five points",
         "the deeper networks, by more than five points"],
        "A lead: three layers minus one, {stays}; five minus one, {five}. But were they done? With ten times as many "
        "steps, and again the best of six rates, there is none to be seen: three minus one, {longer}. Depth was "
        "quicker here. (Medians of one and three after 3,000 steps: {one:.3f}, {deep:.3f}.)",
        lambda three, five, **_: 4 if min(three.value, five.value) > 0.05 else 3 if three.value > 0.02 else 2,
    ),
    "02.digits-depth": Prediction(
        ["they gain more than one percentage point", "nothing, within one percentage point",
         "they lose more than one percentage point"],
        "{points} percentage points: no difference to be seen.",
        lambda points: 1 if points.value > 1 else 3 if points.value < -1 else 2,
    ),
    "02a.linear": Prediction(
        ["it rises", "about the same", "it falls"],
        "It falls: {relu:.3g}/32 with ReLU, {identity:.3g}/32 without.",
        lambda relu, identity: 3 if identity < relu else 1,
    ),
    "02a.slower": Prediction(
        ["one layer of 16", "two layers of 8", "hardly any difference"],
        "Two layers of 8: {deep:.0f} steps against {wide:.0f}, in the median.",
        lambda wide, deep: 2 if deep > wide else 1,
    ),
    "02a.middle": Prediction(
        ["3/32", "between 0 and 3/32", "0"], "0: one number is enough to tell sixteen images apart.", 3
    ),
    "02b.spirals": Prediction(
        ["five hidden layers, by more than one point in a hundred",
         "one hidden layer, by more than one point in a hundred", "all three within one point"],
        "Within one point: medians of {one:.3f} with one hidden layer, {three:.3f} with three, {five:.3f} with five.",
        lambda one, three, five: 3 if max(one, three, five) - min(one, three, five) <= 0.01 else 1 if five > one else 2,
    ),
    "02b.cells": Prediction(
        ["in one or none", "in about ten", "in about a third", "in about half"],
        "Five layers are behind in {shallow} of {cells}, by {by:.3f}, and ahead in {deep}; in {neither} no difference "
        "is seen. So nearly all choices say depth. (In {as_wide} of the {deep} the width is held equal, and the five "
        "layers have many times the parameters.)",
        lambda shallow, **_: 1 + sum(shallow > limit for limit in (1, 20, 37)),
    ),
    "02b.kept": Prediction(
        ["nearly all", "nearly all with 2 folds, some with 4, hardly any with 6",
         "nearly all with 2 folds, hardly any others", "hardly any"],
        "{back[2]} of {seeds} with 2 folds, {back[4]} with 4 and {back[6]} with 6. Before training the one with 4 "
        "missed {before:.2g} times the variance, in the median.",
        lambda back, seeds, **_: 4 if 2 * back[2] < seeds else 1 if 2 * back[6] > seeds else 3 - (5 * back[4] > seeds),
    ),
}
register(PREDICTIONS, FIGURES)
