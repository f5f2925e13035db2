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
                "These are the slopes of the two pieces. But the first ramp goes on for ever, and something has to "
                "stop its climb."
            ),
            "2 and −2": (
                "From its hinge on each ramp adds to what is there already. So the second has to take away what the "
                "first has too much."
            ),
            "2 and 2": (
                "These are the two values to be reached. A weight is a slope, and behind the second hinge both ramps "
                "are at work."
            ),
            "they have to be trained": (
                "Training is one way to find weights. Here each hinge asks for one number, which you can read off the "
                "slopes."
            ),
        },
        "2 and −2. From the first hinge on, the slope is w₀, so w₀ = 2. From the second on, both ramps are at work, "
        "and the slope is w₀ + w₁ = 0. So every weight is the change of slope at its hinge.",
        2,
    ),
    "01.doubling": Prediction(
        {
            "a half": (
                "So it would be for a staircase of flat steps: they miss a slope times a width. A straight piece "
                "already has the right slope; what it misses is the bend."
            ),
            "a quarter": (
                "On half the width the slope changes half as much, and it has half the way to go wrong: a half times "
                "a half."
            ),
            "an eighth": "So it would be for pieces that follow the bend, too: parabolas, say. These are straight.",
            "about a thousandth": (
                "Errors can fall so fast where one layer is fed into another. Here there is only one, and twice the "
                "pieces are only half as wide."
            ),
        },
        "{ratio:.3f} of the old error: a quarter.",
        2,
    ),
    "01.line": Prediction(
        {
            "about 0.64: it finds the best line": (
                "There is such a line, which cuts off a side of the outer ring. But training looks for the lowest "
                "loss, not for the most right answers."
            ),
            "about 0.58": (
                "That would be half of the way to the best line. But the loss does not count right answers, and "
                "nothing in it pulls towards that line."
            ),
            "about 0.53: hardly better than a coin": (
                "Turn the rings by any angle and they look the same: no direction is better than another, and the "
                "loss is lowest for a line that is sure of nothing."
            ),
        },
        "{accuracy:.2f} (over many seeds: {many}). The best line would reach about 0.64, but training lowers the "
        "cross-entropy, and that is lowest for a line that is sure of nothing.",
        3,
    ),
    "01.fence": Prediction(
        {
            "two": (
                "Two creases cross, and that looks like enough. But where both ramps are zero the score is constant, "
                "and that corner of the plane has no end."
            ),
            "three": "Each ramp watches one direction, and three directions are the fewest that can surround a point.",
            "five": "More corners make a rounder fence. To close it takes fewer.",
            "ten": "Ten make a rounder fence, and are easier to train. To close it takes fewer.",
        },
        "Three. Two ramps always leave a gap (proof in excursion 01b). Three can close the fence; whether training "
        "does depends on the seed. Still, the third unit pays: tuned, held-out accuracy rises by {lead}.\n\nThe "
        "boundary is a polygon: with ReLU all boundaries consist of straight pieces.",
        2,
    ),
    "01.odd": Prediction(
        {
            "it falls towards 0": (
                "The theorem promises that to networks with biases. Without them every unit has the same symmetry, "
                "and so has their sum."
            ),
            "it falls to about a half": (
                "A compromise helps where one value has to serve two targets. Here both sides want the same, and get "
                "opposite values."
            ),
            "it stays at 1 or above": (
                "tanh(−z) = −tanh(z), so what the network gains on one side it loses on the other."
            ),
        },
        "It stays at 1 or above, for every width. Without biases a tanh network is odd, g(−x) = −g(x), since tanh is. "
        "At x = 1 and at x = −1 the target is 1, and there the network has opposite values. So one of its two errors "
        "is at least 1.",
        3,
    ),
    "01.learning": Prediction(
        {
            "it is smaller": (
                "Training may move the hinges to where the sine bends, and that would help. But it has to get there, "
                "and many hinges begin outside of the interval."
            ),
            "about the same": (
                "As good weights exist, and training minimises the error. But it goes downhill from where it begins, "
                "and does not get everywhere."
            ),
            "two to ten times as large": (
                "A fair guess for a method that comes close. But with each doubling the hand-built network gains a "
                "factor of four, and training would have to keep pace."
            ),
            "more than ten times as large": (
                "Good weights exist. But training has to find them, downhill from where it begins, and that can stop "
                "far short."
            ),
        },
        "The tuned networks: {trained} times as large (80 units, 20 seeds). Yours, with fewer steps: {least:.3f} to "
        "{most:.3f}, where the hand-built network has {built:.4f}.\n\nWith all bends inside the interval, "
        "training comes nearer (PyTorch's initialisation over that, in the largest error: {inside}). Steep tanh units "
        "(larger initial weights) come nearer still: {tanh} times the hand-built error.",
        lambda ratio, **_: 1 + sum(ratio > limit for limit in (0.8, 2, 10)),
    ),
    "01a.root": Prediction(
        {
            "it falls to a quarter": (
                "So it was for the sine, whose slope changes slowly. At 0 the root's slope is infinite, and no hinge "
                "more is there than anywhere else."
            ),
            "it falls to a half": (
                "So it would be with a slope that is bounded. At 0 the root climbs infinitely steeply."
            ),
            "it falls by less than a third": (
                "The worst piece is the first one, and half as wide a piece misses 1/√2 of what it missed."
            ),
            "it stays": (
                "The first piece is always the worst, but it gets narrower, and the root has less to climb there."
            ),
        },
        "{ratio:.2f} of the old error: 1/√2. Halving it takes four times the hinges. The worst piece is the "
        "first, from 0 to h = 1/N. There the straight line is furthest from the root at x = h/4, where it is off by "
        "√h/4. So the largest error is exactly 1/(4√N). It still goes to 0, as it does for every continuous function "
        "on a closed interval.",
        3,
    ),
    "01a.dimension": Prediction(
        {
            "about the same": (
                "The network is an average of random waves, and the error of an average knows how many there are, not "
                "how many inputs each has."
            ),
            "ten times as large": (
                "Ten times the inputs, ten times the error: so it would be if each input added its own. An average of "
                "waves does not see them one by one."
            ),
            "hopelessly large": (
                "So it is for a grid, which has to fill the space. These waves need not fill it: the bell is just "
                "what they average to."
            ),
        },
        "About the same: {ten:.2g} with 10 inputs, {hundred:.2g} with 100, far below the error of the best constant. "
        "What decides is how many waves there are: the bell is what they average to, in any dimension.",
        1,
    ),
    "01b.spirals": Prediction(
        {
            "3": "Three fence in a ring. A spiral winds, and its boundary needs many more straight pieces.",
            "about 8": "With the best seeds that is enough. With most others training does not find it.",
            "about 16": (
                "To draw the spirals takes fewer; to have training find them from most seeds takes some to spare."
            ),
            "more than 30": "So many it takes from every seed. From most of them fewer do.",
        },
        "About 16 ({lead} more accuracy than with four). With eight it depends on the seed, with sixteen most seeds "
        "are close to right, and the worst has {sixteen:.2f}. With 32 the worst has {most:.2f}. For the two clouds "
        "hidden units buy nothing.",
        3,
    ),
    "01b.width": Prediction(
        {
            "better": "More units can draw more boundaries. But ten draw a good one already, and noise sets the limit.",
            "about the same": (
                "Ten units already come close to the best there is, and the validation points choose a rate at which "
                "a hundred do, too."
            ),
            "much worse: it memorises the points": (
                "It can memorise them. Whether it does depends on how the rate is chosen, and the validation points "
                "would notice."
            ),
        },
        "About the same (held-out accuracy, 100 units minus 10: {lead}). The validation points choose a rate of "
        "{rate:g} for a hundred: so slow that training ends long before all points are learned.",
        2,
    ),
    "01b.kept": Prediction(
        {
            "it drifts away to something worse": (
                "Too large a rate would do that. The rate is tuned, and then training goes downhill from where it "
                "begins."
            ),
            "it stays, and improves a little": (
                "The hand-built line runs through its knots, which is good but not the best: there is something left "
                "to gain nearby."
            ),
            "nothing: the gradient is zero": (
                "It would be zero at the best of all weights. To run through the knots is not the best for the mean "
                "squared error."
            ),
        },
        "It stays, and improves (at a small learning rate, which the tuning chose). With 40 units for the sine, the "
        "mean squared error after training is {ratio} of that before. The best output weights for the same hinges "
        "have {weights:.3f}: so training found those, and left the hinges about where they were.",
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
