"""What lesson 03's pages use, under one name, and what is said of their figures and predictions."""

from utils.lesson_03.hierarchy import medians_by_depth, medians_of, trees_won
from utils.lesson_03.hierarchy_figures import leads, missed_by_depth, missed_by_version, played, print_targets, slices
from utils.pages import Prediction, Words, register

__all__ = [
    "leads", "medians_by_depth", "medians_of", "missed_by_depth", "missed_by_version", "played", "print_targets",
    "slices", "trees_won",
]  # fmt: skip

FIGURES: dict[str, Words] = {}
PREDICTIONS: dict[str, Prediction] = {}
FIGURES_OF_03A = {
    "03a.game": Words(
        "Three moves: of each pair the better is taken, and changes its sign",
        """A tree with its eight ends at the bottom and one number at the top. Of each pair of neighbours a bold line
        leads up from the larger number, a thin grey one from the smaller, and above them stands the larger with its
        sign changed.""",
    ),
    "03a.moves": Words(
        "At equal parameters, three layers miss far less of the game than one",
        """The share of variance missed, on a logarithmic axis, for one, two, three and four hidden layers: a dot for
        each seed, and the median with its interval. One layer misses most, two layers less, three and four least.""",
    ),
    "03a.slices": Words(
        "Equally rough: one has a hierarchy, the other has none",
        """Two maps of values on a plane, with contour lines. Left, the game: straight contours that bend at sharp
        edges, some of which end where they meet another. Right, a random function: rounded contours around smooth
        hills and hollows, about as dense.""",
    ),
    "03a.control": Words(
        "On a random function as rough as the game, depth has no lead",
        """The share of variance missed, on a logarithmic axis, a dot for each seed. On the tree three layers lie far
        below one. On the random function both lie high up, three layers slightly above one.""",
    ),
    "03a.rotated": Words(
        "A rotation hides the pairs, and the lead stays",
        """The share of variance missed, on a logarithmic axis, a dot for each seed. On the tree as on the rotated tree
        three layers lie far below one.""",
    ),
    "03a.trees": Words(
        "Depth leads on some trees, and on no random function",
        """A row for each of the eight trees, sorted: what one layer misses over what three miss, with its interval, on
        a logarithmic axis; a square for the tree, a circle for random functions as rough. The circles lie at 1 or
        slightly left of it. The squares reach from 1, for trees of products, to far right of it, for the game.""",
    ),
}
PREDICTIONS_OF_03A = {
    "03a.moves": Prediction(
        ["one layer of 104", "two layers of 27", "three layers of 20 or four of 16", "all within a factor of two"],
        "Medians: one layer misses {one:.3f}, two miss {two:.2g}, three {three:.2g}, four {four:.2g}.",
        lambda one, two, three, four: 4 if max(one, two, three, four) < 2 * min(one, two, three, four)
        else 1 if one < min(two, three, four) else 2 if two < min(three, four) else 3,
    ),
    "03a.control": Prediction(
        ["it stays, at a factor of ten or more", "it shrinks, but three layers still miss at most half as much",
         "there is none, or three layers miss more"],
        "On random functions one layer misses {one:.2f} and three miss {three:.2f}.",
        lambda times, **_: 1 if times >= 10 else 2 if times >= 2 else 3,
    ),
    "03a.rotated": Prediction(
        ["it stays, at a factor of ten or more", "it shrinks, but three layers still miss at most half as much",
         "there is none, or three layers miss more"],
        "On rotated trees one layer misses {one:.3f} and three miss {three:.2g}.",
        lambda times, **_: 1 if times >= 10 else 2 if times >= 2 else 3,
    ),
    "03a.trees": Prediction(
        ["all eight", "five to seven", "three or four", "one or two"],
        "Of {won} in {trees}. Of random functions, {controls}.",
        lambda won, **_: 1 if won == 8 else 2 if won > 4 else 3 if won > 2 else 4,
    ),
}  # fmt: skip
FIGURES_OF_03B: dict[str, Words] = {}
PREDICTIONS_OF_03B: dict[str, Prediction] = {}
register(FIGURES, PREDICTIONS)
register(FIGURES_OF_03A, PREDICTIONS_OF_03A)
register(FIGURES_OF_03B, PREDICTIONS_OF_03B)
