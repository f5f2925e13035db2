"""What lesson 01's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.lesson_01.curves_figures import (
    built_and_found, bumps, card, cosine_errors_by_units, errors_by_units, four_hypotheses, kept_or_lost,
    learning_by_width, learning_ratio, root_errors, staircases,
)
from utils.lesson_01.rings import rings
from utils.lesson_01.rings_figures import (
    accuracy_by_width, boundaries, hidden_units, planes_by_width, points, three_sets,
)
from utils.lesson_01.widgets import (
    hinge_builder, hinge_controls, play_hinges, switch_controls, switchboard, width_controls, width_slider,
)
from utils.pages import FigureText, Prediction, register
from utils.plots import line

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
RAMPS = FigureText(
    "Three ramps make a line with three bends",
    """A line that is 0 up to x = 0, climbs steeply up to x = 1, falls more gently up to x = 3, and then climbs
    again. It bends at 0, 1 and 3, where the three ramps begin.
    """,
)
register(PREDICTIONS, {"01.ramps": RAMPS})
