"""What lesson 02's pages use, under one name, and what is said of their figures and predictions."""

from utils.lesson_02.clocks import print_step_times
from utils.lesson_02.fair import (
    CHOSEN,
    TASKS,
    Choice,
    again,
    difference,
    fighters,
    spiral,
    train_found,
    train_on_spirals,
    verdict,
)
from utils.lesson_02.fair_figures import all_cells, found_by_rate, four_tasks, spirals_by_rate
from utils.lesson_02.fair_lab import lab, lab_controls, leads
from utils.lesson_02.sawtooth import at_start, hand_built, share_missed, train_on_sawtooth
from utils.lesson_02.sawtooth_figures import kept_by_noise
from utils.pages import Prediction, Words, register

__all__ = [
    "CHOSEN", "TASKS", "Choice", "again", "all_cells", "at_start", "difference", "fighters", 
    "found_by_rate", "four_tasks", "hand_built", "kept_by_noise", "lab", "lab_controls", "leads",
    "print_step_times", "share_missed", "spiral", "spirals_by_rate", "train_found", "train_on_sawtooth",
    "train_on_spirals", "verdict",
]  # fmt: skip

FIGURES: dict[str, Words] = {}
PREDICTIONS: dict[str, Prediction] = {}
FIGURES_OF_02A: dict[str, Words] = {}
PREDICTIONS_OF_02A: dict[str, Prediction] = {}
FIGURES_OF_02B = {
    "02b.tasks": Words(
        "Four tasks with two inputs and two classes",
        """Four squares of points in two colours. Spirals: two arms wound into one another, blurred, two turns each.
        Swirl: two spiral bands without noise that end at the square's edge. Checkerboard 3: six by six cells.
        Checkerboard 5: ten by ten.""",
    ),
    "02b.spirals": Words(
        "With enough parameters all shapes reach the ceiling, but not at every rate",
        """Two plots of the median held-out accuracy over 20 seeds, with intervals, against six learning rates, for one,
        three and five hidden layers; a dotted line marks the best possible. Left, about 150 parameters: one layer of 30
        rises steadily up to near the dotted line, three layers of seven to nearly as much, five layers of five stay
        clearly below. Right, about 1,040 parameters: from the third rate to the fifth the three lie on one another, at
        the dotted line. At the smallest one layer is far below; at the largest three layers fall far, five to a half,
        and one layer does not fall.""",
    ),
    "02b.cells-sorted": Words(
        "Sorted by size: for every opinion there is a choice of terms",
        """The lead in held-out accuracy of five layers over one, with intervals, a dot for each choice of terms, sorted
        by size. Blue circles, of the lab's three tasks, begin at zero and climb to the upper right. Red squares, of the
        two chosen tasks, are spread from clearly below zero, where there are hardly any circles, far up among them.""",
    ),
    "02b.found": Words(
        "At equal parameters the shallow network is ahead",
        """Median validation accuracy over 60 seeds, with intervals, against six learning rates, for four networks. One
        layer of 272 units is the highest line; one layer of 100 units and four layers of 20 reach nearly as much, four
        layers of 11 far less. All fall off at the two largest rates.""",
    ),
    "02b.kept": Words(
        "The more folds, the less noise training repairs",
        """A log plot of the share missed after training against the noise, from 0.001 to 1, for 2, 4 and 6 folds,
        medians of 20 seeds with intervals. With 2 folds the median is below a ten-thousandth up to the fifth noise,
        with 4 up to the third, with 6 at the smallest alone. Beyond, a good part of the variance is missed. Anything
        below a billionth is drawn there.""",
    ),
}
PREDICTIONS_OF_02B = {
    "02b.spirals": Prediction(
        [
            "five hidden layers, by more than one point in a hundred",
            "one hidden layer, by more than one point in a hundred",
            "all three within one point",
        ],
        "Within one point: medians of {one:.3f} with one hidden layer, {three:.3f} with three, {five:.3f} with five.",
        lambda one, three, five: 3 if max(one, three, five) - min(one, three, five) <= 0.01 else 1 if five > one else 2,
    ),
    "02b.cells": Prediction(
        ["in one or none", "in about ten", "in about a third", "in about half"],
        "Five layers are behind in {shallow} of {cells}, by {by:.3f}; ahead in {deep}; in {neither} no difference is "
        "seen.",
        lambda shallow, **_: 1 + sum(shallow > limit for limit in (1, 20, 37)),
    ),
    "02b.kept": Prediction(
        ["all three", "those with 2 and 4 folds", "the one with 2 folds", "none"],
        "Those with 2 and 4 folds, in the median; yet before training the one with 4 missed {before:.2g} times the "
        "variance.",
        2,
    ),
}
register(FIGURES, PREDICTIONS)
register(FIGURES_OF_02A, PREDICTIONS_OF_02A)
register(FIGURES_OF_02B, PREDICTIONS_OF_02B)
