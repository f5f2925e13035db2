"""What lesson 02's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401 (what is imported here, the pages take from here)

from utils.lesson_02.clocks import print_step_times
from utils.lesson_02.cost import step_times
from utils.lesson_02.cost_figures import cost_by_depth
from utils.lesson_02.digits_figures import digits_by_depth, digits_gained
from utils.lesson_02.explorers import architecture_controls, fit, fit_controls, fitted, forward_pass
from utils.lesson_02.fair import (
    CHOSEN,
    TASKS,
    Choice,
    again,
    comparison_verdict,
    difference,
    fighters,
    spiral,
    train_found,
    train_on_spirals,
)
from utils.lesson_02.fair_figures import all_cells, found_by_rate, four_tasks, spirals_by_rate
from utils.lesson_02.fair_lab import lab, lab_controls, leads
from utils.lesson_02.flip import mean_errors, steps_at_best, train_many
from utils.lesson_02.flip_figures import (
    errors_by_place,
    images,
    learned_by_step,
    losses_by_step,
    polylines,
    starts_by_level,
)
from utils.lesson_02.referee import (
    board_controls,
    boards,
    checkerboard,
    checkerboard_lab,
    fair_gap,
    gaps_on_the_coarse_board,
    hard_gap,
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
    "02.folds": FigureText(
        "Every fold doubles the pieces",
        """Left, an upright strip seen from its edge: its upper half swings down beside the lower one, and the strip is
        stretched to its old length, four times, until sixteen sheets lie side by side. Right, the height of each of
        its points: a straight line that becomes a tent, then two, four and eight teeth. Two marked points are at the
        same height in both whenever it rests.""",
    ),
    "02.shallow": FigureText(
        "The same function, 61 parameters or 3,073",
        """Two networks with a dot for each hidden unit, all dots of one size. Left, a thin chain: ten layers of
        two units. Right, a wall of dots: one layer of 1,024 units.""",
    ),
    "02.trained": FigureText(
        "Eight pieces, and what training made of them",
        """A sawtooth with four teeth, a broad grey line, and the line that the trained network draws over it.""",
    ),
    "02.found": FigureText(
        "You can always build it. The more pieces, the less often training finds it",
        """The share of seeds that found the sawtooth, against 4, 8, 16, 32 and 64 pieces. The hand-built network is
        at 1 throughout. Trained, two units a layer are at or near 0 throughout. One layer with as many parameters as
        eight units a layer is near 1 for 4 and 8 pieces, and at 0 from 16 on. Eight units a layer fall from near 1 to
        four fifths, to a seventh for 16, and to 0.""",
    ),
    "02.boards": FigureText(
        "One hidden layer draws rays, five draw the board",
        """Three squares: the points of a checkerboard of six by six squares in two colours; the network with one hidden
        layer, whose two classes are wedges that run from the centre outwards; the network with five, whose boundary
        follows the board's lines, a little bent.""",
    ),
    "02.fair": FigureText(
        "The lead of depth vanishes as the terms become fairer",
        """Held-out accuracy of three and of five hidden layers minus that of one, with intervals, for four terms.
        With the rate 0.01 and zero biases both lead by a fifth. With random biases, or with the best of six
        rates, a small lead is left. With both it is 0.""",
    ),
    "02.cost": FigureText(
        "In a small network depth costs time; memory follows the number of units",
        """Two plots against 1, 2, 4, 8 and 16 hidden layers. Left, the time of a training step over that of one
        hidden layer: with 20,000 parameters it rises steeply, with a million hardly. Right, the kilobytes kept for the
        backward pass: they fall from one layer to two, by far the most with a million parameters, and rise slowly
        from there on.""",
    ),
    "02.digits-depth": FigureText(
        "Depth hurts narrow networks, and wide ones gain nothing to be seen",
        """Two plots of the share of held-out images read wrongly, with intervals; a dotted line is the network
        without hidden layers. Left, against the width: with 4 units four layers are wrong far more often than one;
        from 64 on their intervals overlap, below the dotted line. Right, against 1 to 4 layers at equal parameters:
        with 5,000 slightly more errors with depth; with 1,000 they rise from the dotted line to clearly above it.""",
    ),
    "02.card": FigureText(
        "Lesson 02 on a card",
        """Left, the tent folded three times: eight pieces. Right, four lines: k folds make two to the power of k
        pieces, from k layers of two units; the same function takes as many units as pieces in one hidden layer; a
        network of D layers of width w has about (D − 1) w² parameters; and a reminder: say what is held equal, tune
        both sides.""",
    ),
    "02a.images": FigureText(
        "Sixteen images, and each mirrored in its diagonal",
        """Two rows of sixteen 2×2 images of black and white pixels. In the lower row the pixels at the top right and
        at the bottom left have changed places; images in which these two are equal stay as they are.""",
    ),
    "02a.ends": FigureText(
        "Six initialisations: the loss stops at multiples of 1/32",
        """Half-MSE against 1,500 steps for six initialisations of the same network. All fall steeply at first and
        then become flat, on dotted lines at multiples of 1/32: one at 0, one on 1/32, three on 2/32, one on 3/32.""",
    ),
    "02a.linear": FigureText(
        "How many of 100 end within 0.1/32 of each level: with ReLU many miss the framed floor",
        """Three tables, for ReLU, leaky ReLU and no activation: a row for each level from 0 to 4/32, a column for 2,
        3, 4, 8 and 16 hidden units. With no activation all 100 are on the floor, in every column, and with leaky ReLU
        all but two of those with four units, of which one is on the next level and one between the two. With ReLU, two
        to four units are spread from the floor up to 4/32, and with 8 and 16 units all are at 0.""",
    ),
    "02a.slower": FigureText(
        "Two layers take more steps than one, and fewer arrive within 1,000",
        """The share of 100 initialisations whose half-MSE has come below 0.1/32, against the step on a logarithmic
        scale, up to 1,000, each shape at its quickest rate. One layer of 16 climbs first and gets nearly all there. One
        layer of 6 climbs next, then two layers of 8, and of both a part has not arrived at the end. Two layers of 4
        start last and stay close to 0.""",
    ),
    "02a.code": FigureText(
        "Sixteen images on one line: each output is a polyline",
        """Four plots of an output against the number from 0 to 15 that the narrow unit hands on. The first wanted
        pixel is 0 for the first eight numbers and 1 for the others; the second changes every two numbers, the third
        every four, the fourth with each number. Straight pieces join the sixteen points.""",
    ),
    "02a.places": FigureText(
        "Only as the last layer does a narrow layer keep the network on the rank floor",
        """Three plots of the half-MSE of 100 initialisations, sorted. One leaky unit: as the last layer all are at
        3/32; as the middle layer nearly all lie far below, around 1/32; as the first most do, and some are at 2/32 or
        above. Two leaky units: as the last layer all are at 2/32; elsewhere most are at 0. One ReLU unit: as the last
        layer they are at 3/32 or 4/32; elsewhere they rise from below 1/32, and those that died are at 4/32.""",
    ),
    "02b.tasks": FigureText(
        "Four tasks with two inputs and two classes",
        """Four squares of points in two colours. Spirals: two arms wound into one another, blurred, two turns each.
        Swirl: two spiral bands without noise that end at the square's edge. Checkerboard 3: six by six cells.
        Checkerboard 5: ten by ten.""",
    ),
    "02b.spirals": FigureText(
        "With enough parameters all shapes reach the ceiling, but not at every rate",
        """Two plots of the median held-out accuracy over 20 seeds, with intervals, against six learning rates, for one,
        three and five hidden layers; a dotted line marks the best possible. Left, about 150 parameters: one layer of 30
        rises steadily up to near the dotted line, three layers of seven to nearly as much, five layers of five stay
        clearly below. Right, about 1,040 parameters: from the third rate to the fifth the three lie on one another, at
        the dotted line. At the smallest one layer is far below; at the largest three layers fall far, five to a half,
        and one layer does not fall.""",
    ),
    "02b.cells-sorted": FigureText(
        "Sorted by size: for every opinion there is a choice of terms",
        """The lead in held-out accuracy of five layers over one, with intervals, a dot for each choice of terms, sorted
        by size. Blue circles, of the lab's three tasks, begin at zero and climb to the upper right. Red squares, of the
        two chosen tasks, are spread from clearly below zero, where there are hardly any circles, far up among them.""",
    ),
    "02b.found": FigureText(
        "At equal parameters the shallow network is ahead",
        """Median validation accuracy over 60 seeds, with intervals, against six learning rates, for four networks. One
        layer of 272 units is the highest line; one layer of 100 units and four layers of 20 reach nearly as much, four
        layers of 11 far less. All fall off at the two largest rates.""",
    ),
    "02b.kept": FigureText(
        "The more folds, the less noise training repairs",
        """A log plot of the share missed after training against the noise, from 0.001 to 1, for 2, 4 and 6 folds,
        medians of 20 seeds with intervals. With 2 folds the median is below a ten-thousandth up to the fifth noise,
        with 4 up to the third, with 6 at the smallest alone. Beyond, a good part of the variance is missed. Anything
        below a billionth is drawn there.""",
    ),
}
PREDICTIONS: dict[str, Prediction] = {
    "02.pieces": Prediction(
        ["2 pieces", "3 pieces", "4 pieces", "8 pieces"], "4 pieces: two tents side by side.", 3
    ),
    "02.shallow": Prediction(
        ["about 60", "about 300", "about 1,000", "it cannot be done"],
        "1,024: each unit bends the line only once.",
        3,
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
        "Five layers minus one: {gap}, in held-out accuracy. Your search for one layer, on validation points: {found}.",
        lambda gap, found: 3 if abs(gap.value) < 0.02 else 1 if gap.value > 0.15 else 2,
    ),
    "02.fair-hard": Prediction(
        ["one hidden layer", "nobody leads by two points in a hundred", "the deeper networks, by two to five points",
         "the deeper networks, by more than five points"],
        "Three layers minus one: {three}; five minus one: {five}. (Medians of one and "
        "three: {one:.3f}, {deep:.3f}.)",
        lambda three, five, one, deep: 4 if min(three.value, five.value) > 0.05 else 3 if three.value > 0.02 else 2,
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
        ["3/32", "between 0 and 3/32", "0"],
        "0: one number is enough to tell sixteen images apart.",
        3,
    ),
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
        "Five layers are behind in {shallow} of {cells}, by {by:.3f}, and ahead in {deep}; in {neither} no difference "
        "is seen. So nearly all choices say depth. (In {as_wide} of the {deep} the width is held equal, and the five "
        "layers have many times the parameters.)",
        lambda shallow, **_: 1 + sum(shallow > limit for limit in (1, 20, 37)),
    ),
    "02b.kept": Prediction(
        [
            "nearly all",
            "nearly all with 2 folds, some with 4, hardly any with 6",
            "nearly all with 2 folds, hardly any others",
            "hardly any",
        ],
        "{back[2]} of {seeds} with 2 folds, {back[4]} with 4 and {back[6]} with 6. Before training the one with 4 "
        "missed {before:.2g} times the variance, in the median.",
        lambda back, seeds, **_: 4 if 2 * back[2] < seeds else 1 if 2 * back[6] > seeds else 3 - (5 * back[4] > seeds),
    ),
}
register(FIGURES, PREDICTIONS)
