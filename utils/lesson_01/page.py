"""What lesson 01's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.lesson_01.blanks import BLANKS
from utils.lesson_01.curves_figures import (
    bumps,
    card,
    cosine_errors_by_units,
    errors_by_units,
    four_hypotheses,
    kept_answer,
    kept_or_lost,
    learning_by_width,
    learning_ratio,
    root_errors,
    staircases,
)
from utils.lesson_01.rings import print_wrong_choice, rate_answer, rings, spirals_answer
from utils.lesson_01.rings_figures import (
    accuracy_by_width,
    boundaries,
    planes_by_width,
    points,
    ramps_and_fence,
    three_sets,
)
from utils.lesson_01.widgets import (
    hinge_builder,
    hinge_controls,
    play_hinges,
    switch_controls,
    switchboard,
    width_controls,
    width_slider,
)
from utils.pages import FigureText, Prediction, register
from utils.plots import line

PREDICTIONS: dict[str, Prediction] = {
    "01.weights": Prediction(
        {
            "2 and 0": (
                "These are the slopes of the two pieces. But the first ramp goes on climbing for ever, and something "
                "has to stop it."
            ),
            "2 and −2": (
                "From its hinge on, each ramp adds to what is already there. So the second has to take away the "
                "slope of 2 that the first brings along."
            ),
            "2 and 2": (
                "These are the two values to reach. But a weight is a slope, and to the right of the second "
                "hinge both ramps are at work."
            ),
            "they have to be trained": (
                "Training is one way to find weights. But here each hinge needs only one number, and you can read it "
                "off the slopes."
            ),
        },
        "To the right of the first hinge the slope is w₀, so w₀ = 2. To the right of the second, both ramps are at "
        "work, and the slope is w₀ + w₁ = 0. So every weight is the change of slope at its hinge.",
        2,
    ),
    "01.doubling": Prediction(
        {
            "a half": (
                "That would be true of a staircase of flat steps, which misses by a slope times a width. But a "
                "straight piece already has the right slope, and only misses the bend."
            ),
            "a quarter": (
                "On a piece half as wide, the slope changes half as much, and the line has half as far to go wrong: "
                "a half times a half."
            ),
            "an eighth": (
                "That would be true of pieces that follow the bend as well, such as parabolas. These pieces are "
                "straight."
            ),
            "about a thousandth": (
                "Errors can fall that fast when one layer is fed into another. Here there is only one, and the "
                "pieces merely become half as wide."
            ),
        },
        "The largest error with 40 units was {ratio:.3f} of that with 20.",
        2,
    ),
    "01.line": Prediction(
        {
            "about 0.64: it finds the best line": (
                "There is such a line, which cuts off one side of the outer ring. But training looks for the lowest "
                "loss, not for the most right answers."
            ),
            "about 0.58": (
                "That would be a fair compromise, halfway to the best line. But the loss does not count right "
                "answers, and nothing in it pulls towards that line."
            ),
            "about 0.53: hardly better than a coin": (
                "Turn the rings by any angle and they look the same, so no direction is better than another. The "
                "loss is lowest for a line that is sure of nothing."
            ),
        },
        "Your line was right on {accuracy:.2f} of the held-out points. Over many seeds, the median was {many}.",
        3,
    ),
    "01.fence": Prediction(
        {
            "two": (
                "Two lines that cross look like enough. But where both ramps are zero the score is constant, and "
                "that corner of the plane has no end."
            ),
            "three": "Each ramp watches one direction, and it takes at least three directions to surround a point.",
            "five": "More corners make a rounder fence, but fewer ramps are enough to close it.",
            "ten": "Ten make a rounder fence and are easier to train, but fewer are enough to close it.",
        },
        "Two ramps always leave a gap (proved in excursion 01b). Three can close the fence, but whether "
        "training finds how depends on the seed. Still, the third unit pays: with the best learning rate for each, "
        "it raises held-out accuracy by {lead}.\n\nThe boundary is a polygon, because a ReLU network can only draw "
        "straight pieces.",
        2,
    ),
    "01.odd": Prediction(
        {
            "it falls towards 0": (
                "The theorem promises that to networks with biases. Without them every unit has the same symmetry, "
                "and so has their sum."
            ),
            "it falls to about a half": (
                "A compromise helps when one value has to serve two targets. Here both sides want the same value, "
                "and the network can only give them opposite ones."
            ),
            "it stays at 1 or above": (
                "Since tanh(−z) = −tanh(z), the network can only gain on one side what it loses on the other."
            ),
        },
        "Without biases a tanh network is odd: g(−x) = −g(x). At x = 1 and at x = −1 the target is 1, but there the "
        "network has opposite values. So one of its two errors is at least 1, at any width.",
        3,
    ),
    "01.learning": Prediction(
        {
            "it is smaller": (
                "Training can move the hinges to where the sine bends, and that would help. But it has to get there, "
                "and many hinges begin outside the interval."
            ),
            "about the same": (
                "Good weights exist, and training lowers the error, so this sounds fair. But training goes downhill "
                "from where it begins, and it does not get everywhere."
            ),
            "two to ten times as large": (
                "That is a fair guess for a method that comes close. But with each doubling the hand-built network "
                "gains a factor of four, and training would have to keep pace."
            ),
            "more than ten times as large": (
                "Good weights exist, but training has to find them, downhill from where it begins, and it can stop "
                "far short of them."
            ),
        },
        "The largest error of the tuned networks was {trained} times the hand-built network's (80 units, median of 20 "
        "seeds). Your five, with fewer steps, missed by {least:.3f} to {most:.3f}; the hand-built network misses by "
        "{built:.4f}.\n\nIf all bends begin inside the interval, the largest error falls by a factor of {inside}. "
        "Steep tanh units (larger initial weights) do better still: {tanh} times the hand-built error.",
        lambda ratio, **_: 1 + sum(ratio > limit for limit in (0.8, 2, 10)),
    ),
    "01a.root": Prediction(
        {
            "it falls to a quarter": (
                "That was true of the sine, whose slope changes slowly. But at 0 the root's slope is infinite, and "
                "evenly spaced hinges are no closer together there than anywhere else."
            ),
            "it falls to a half": (
                "That would be true if the slope were bounded. But at 0 the root climbs infinitely steeply."
            ),
            "it falls by less than a third": (
                "The first piece is the worst, and on a piece half as wide the error is 1/√2 of what it was."
            ),
            "it stays": (
                "The first piece is always the worst. But it gets narrower, so the root has less to climb there."
            ),
        },
        "The error with 40 hinges was {ratio:.2f} of that with 20, so half the error takes four times the hinges. On "
        "the first piece, from 0 to h = 1/N, the straight line is furthest from the root at x = h/4, where it is off "
        "by √h/4. So the largest error is exactly 1/(4√N). It still goes to 0, as it does for every continuous "
        "function on a closed interval.",
        3,
    ),
    "01a.dimension": Prediction(
        {
            "about the same": (
                "The network is an average of random waves. The error of an average depends on how many waves there "
                "are, not on how many inputs each of them has."
            ),
            "ten times as large": (
                "That would be true if each input added an error of its own. But an average of waves does not see "
                "the inputs one by one."
            ),
            "hopelessly large": (
                "That would be true of a grid, which has to fill the space. But these waves need not fill it: the "
                "bell is just what they average to."
            ),
        },
        "The mean squared error was {ten:.2g} with 10 inputs and {hundred:.2g} with 100, far below the error of the "
        "best constant. The bell is what such waves average to in any dimension, so all that counts is how many "
        "there are.",
        1,
    ),
    "01b.spirals": Prediction(
        {
            "3": "Three can fence in a ring. But a spiral winds, and its boundary needs many more straight pieces.",
            "about 8": (
                "With the best seeds eight are enough, but from most others training does not find the spirals."
            ),
            "about 16": (
                "Fewer can draw the spirals. But to find them from most seeds, training needs some units to spare."
            ),
            "more than 30": "That many make it work from every seed. From most seeds, fewer are enough.",
        },
        "In held-out accuracy, sixteen units were ahead of four by {lead}. Their worst seed reached {sixteen:.2f}, "
        "and with 32 units the worst reached {most:.2f}. On the two clouds, hidden units bought nothing.",
        3,
    ),
    "01b.width": Prediction(
        {
            "better": (
                "More units can draw more boundaries. But ten already draw a good one, and the noise sets the limit."
            ),
            "about the same": (
                "Ten units already come close to the best there is, and the validation points choose a rate at which "
                "a hundred do so, too."
            ),
            "much worse: it memorises the points": (
                "It can memorise them. But whether it does depends on how the rate is chosen, and the validation "
                "points would notice."
            ),
        },
        "In held-out accuracy, 100 units minus 10 was {lead}. For the hundred, the validation points chose a rate "
        "of {rate:g}, so low that training ends long before all points are learned.",
        2,
    ),
    "01b.kept": Prediction(
        {
            "it drifts away to something worse": (
                "Too large a rate would do that. But the rate is tuned, and then training goes downhill from where "
                "it begins."
            ),
            "it stays, and improves a little": (
                "The hand-built line runs through its knots, which is good but not the best, so there is something "
                "to gain nearby."
            ),
            "nothing: the gradient is zero": (
                "It would be zero if these weights were the best of all. But for the mean squared error, a line "
                "through the knots is not the best."
            ),
        },
        "With 40 units for the sine, at the small learning rate that the tuning chose, the mean squared error after "
        "training was {ratio} of that before. The best output weights for the same hinges leave {weights:.3f} of it. "
        "So training found those weights, and left the hinges about where they were.",
        2,
    ),
}
RAMPS = FigureText(
    "Three ramps make a line with three bends",
    """A line that is 0 up to x = 0, climbs steeply up to x = 1, falls more gently up to x = 3, and then climbs
    again. It bends at 0, 1 and 3, where the three ramps begin.
    """,
)
register(PREDICTIONS, {"01.ramps": RAMPS}, BLANKS)
