"""What lesson 01's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401 (what is imported here, the pages take from here)

from utils.lesson_01.cosines_figures import cosine_errors_by_units
from utils.lesson_01.curves_figures import (
    built_and_found,
    bumps,
    card,
    errors_by_units,
    four_hypotheses,
    root_errors,
    staircases,
)
from utils.lesson_01.learning_figures import kept_or_lost, learning_by_width, learning_ratio
from utils.lesson_01.planes_figures import planes_by_width, three_sets
from utils.lesson_01.rings import rings
from utils.lesson_01.rings_figures import accuracy_by_width, boundaries, hidden_units, points
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

FIGURES: dict[str, FigureText] = {
    "01.ramps": FigureText(
        "Three ramps make a line with three bends",
        """A line that is 0 up to x = 0, climbs steeply up to x = 1, falls more gently up to x = 3, and then
        climbs again. It bends at 0, 1 and 3, where the three ramps begin.""",
    ),
    "01.adding-up": FigureText(
        "The hinges add up, one by one",
        """A line that is flat at first bends at one knot after the other, each time that a hinge is added, and
        follows the target one piece further; behind its last hinge it runs straight out of the picture.""",
    ),
    "01.doubling": FigureText(
        "Twice the units, a quarter of the error",
        """A log-log plot of the largest error for the sine against 5, 10, 20, 40, 80 and 160 hidden units. The
        measured points lie on the straight line of the proved bound, but for the first, which is a little below
        it.""",
    ),
    "01.points": FigureText(
        "A hundred points on two noisy rings",
        """A hundred points in the plane: fifty blue circles scattered around a thin ring of radius one half,
        and fifty orange squares around a ring of radius one and a half. Some points of each class lie among the
        other.""",
    ),
    "01.fence": FigureText(
        "Two ramps leave a gap, three close the fence",
        """Three squares with the same hundred points, shaded by the class that a trained network chooses, for
        2, 3 and 10 hidden units. With two units the inner class's region is open and runs off to one side. With
        three it is a closed polygon. With ten it is a polygon with more corners.""",
    ),
    "01.features": FigureText(
        "Three ramps, and where their weighted sum changes sign",
        """Three grey squares, one for each hidden unit after its ReLU: white where the unit is zero, up to a
        straight line, then darker and darker, in three different directions. A fourth square shows where the
        weighted sum changes its sign: a closed polygon around the origin.""",
    ),
    "01.hypotheses": FigureText(
        "One hypothesis switched off, and 16 units do not help",
        """Four plots of a target, a broad grey line, and a trained network. Polynomial activation: the network
        is a flat parabola that cannot follow the sine. No bias: the target is a parabola, the network stays
        close to zero. Target not continuous: a steep ramp where the target jumps. Set not bounded: between the
        dotted lines the network lies on the sine, outside of them it goes on in straight lines.""",
    ),
    "01.built-and-found": FigureText(
        "Built by hand, and found by training",
        """A sine with a smaller, faster sine on top, drawn as a broad grey line. The hand-built network of 20
        hinges follows the fast waves roughly. The trained one of 20 units cuts through most of them.""",
    ),
    "01.learning": FigureText(
        "The sine: hand-built hinges gain far more from width than trained ones",
        """A log plot of the largest error for the sine against 10, 20, 40 and 80 hidden units, medians of 20
        seeds with intervals. The hand-built line falls steeply and evenly. Networks trained from PyTorch's
        initialisation lie above it at every width, and further and further as the width grows. Those whose
        bends begin inside the interval, and steep tanh units, lie between the two at 80 units.""",
    ),
    "01a.bumps": FigureText(
        "Two steps make a bump, bumps make a staircase",
        """Left: a broad line that is close to 1 between 1 and 2 and close to 0 elsewhere, and the two sigmoid
        steps, up at 1 and down at 2, that add up to it. Right: three bumps side by side, of three heights,
        drawn dashed, and their sum, a broad line that goes from height to height: where one bump ends the next
        begins.""",
    ),
    "01a.staircases": FigureText(
        "Rounded steps follow the sine more closely than sharp ones",
        """The sine on the interval from -5 to 5 and a sum of nine sigmoids that climbs along it in steps. Left,
        with a steepness of 4 over the cells' width, the steps are rounded and the sum is a smooth line that
        misses only the tops. Right, with 20, they are sharp, and the sum is nearly a staircase.""",
    ),
    "01a.root": FigureText(
        "The square root: four times the units for half the error",
        """A log-log plot of the largest error for the square root on [0, 1] against 5 to 160 hidden units. The
        measured points lie on a straight line that falls by the root of two with each doubling.""",
    ),
    "01a.dimension": FigureText(
        "Random waves: 10 inputs or 100, the error is the same",
        """The mean squared error of random cosine networks against 10, 100 and 1,000 units, on a logarithmic
        scale, with medians and intervals over 20 draws. The thin line for 100 inputs lies on the broad one for
        10 and on the crosses of what is expected, ten times lower for ten times the units. All lie below the
        dotted line, the error of the best constant.""",
    ),
    "01b.sets": FigureText(
        "Three sets in the plane",
        """Three squares with 500 points of two classes each: two round clouds side by side, an inner and an
        outer ring, and two spirals wound into one another.""",
    ),
    "01b.spirals": FigureText(
        "The harder the set, the more units it takes; and seeds differ",
        """Three plots of held-out accuracy against 0, 2, 3, 4, 8, 16 and 32 hidden units, with the median, its
        interval, the best and the worst of 20 seeds. Two clouds: close to 1 everywhere. Two rings: a half
        without hidden units; with three the median is close to 1 and the worst seed at a half; from eight on
        all are close to 1. Two spirals: low up to four units, far higher with eight, where seeds differ most,
        and close to 1 from sixteen on.""",
    ),
    "01b.width": FigureText(
        "Width does no harm; choosing the rate by the training loss does",
        """Two plots of the median accuracy over seeds, with intervals, against 2, 3, 5, 10, 30 and 100 hidden
        units; a dotted line marks the best possible held-out accuracy. Left, the rate chosen on validation
        points: held-out accuracy rises up to the dotted line. Right, the rate chosen by training loss: training
        accuracy rises to 1, held-out accuracy has its peak at five units and falls slowly from there.""",
    ),
    "01b.kept": FigureText(
        "Started at hand-built weights, training keeps them and improves",
        """Three log plots of the mean squared error against 10, 20, 40 and 80 hidden units, for the sine, for
        two sines, and for the sine on an interval four times as wide. The hand-built line falls steeply.
        Networks trained from PyTorch's initialisation fall far more slowly, for two sines hardly at all. Those
        trained from hand-built weights lie below the hand-built line throughout.""",
    ),
    "01.card": FigureText(
        "Lesson 01 on a card",
        """Left, a polyline of four pieces with the change of slope written at each knot. Right, the formula of
        a network of ramps, its weights as changes of slope, the bound on its error, and a reminder: that a
        network can be built does not mean that training finds it.""",
    ),
}
PREDICTIONS: dict[str, Prediction] = {
    "01.weights": Prediction(
        ["2 and 0", "2 and −2", "2 and 2", "they have to be trained"],
        "2 and −2: the second hinge takes the slope of the first away again.",
        2,
    ),
    "01.doubling": Prediction(
        ["a half", "a quarter", "an eighth", "about a thousandth"],
        "{ratio:.3f} of the old error: a quarter.",
        2,
    ),
    "01.line": Prediction(
        ["about 64 %: it finds the best line", "about 58 %", "about 53 %: hardly better than a coin"],
        "{accuracy:.0%}. The best line would be right for about 64 %, but training lowers the cross-entropy, and that "
        "is lowest for a line that is sure of nothing.",
        3,
    ),
    "01.fence": Prediction(["two", "three", "five", "ten"], "Three.", 2),
    "01.odd": Prediction(
        ["it falls towards 0", "it falls to about a half", "it stays at 1 or above"],
        "It stays at 1 or above, for every width.",
        3,
    ),
    "01.learning": Prediction(
        ["it is smaller", "about the same", "two to ten times as large", "more than ten times as large"],
        "{ratio:.0f} times as large: the median of 20 recorded seeds.",
        lambda ratio: 4 if ratio > 10 else 3,
    ),
    "01a.root": Prediction(
        ["it falls to a quarter", "it falls to a half", "it falls by less than a third", "it stays"],
        "{ratio:.2f} of the old error: 1/√2. Halving it takes four times the hinges.",
        3,
    ),
    "01a.dimension": Prediction(
        ["about the same", "ten times as large", "hopelessly large"],
        "About the same: {ten:.2g} with 10 inputs, {hundred:.2g} with 100. What decides is how hard the function is, "
        "not only its number of inputs.",
        1,
    ),
    "01b.spirals": Prediction(
        ["3", "about 8", "about 16", "more than 30"],
        "About 16: with eight it depends on the seed, from sixteen on all seeds are close to right.",
        3,
    ),
    "01b.width": Prediction(
        ["better", "about the same", "much worse: it memorises the points"],
        "About the same, when the learning rate is chosen on validation points.",
        2,
    ),
    "01b.kept": Prediction(
        ["it drifts away to something worse", "it stays, and improves a little", "nothing: the gradient is zero"],
        "It stays, and improves (at a small learning rate, which the tuning chose).",
        2,
    ),
}
register(FIGURES, PREDICTIONS)
