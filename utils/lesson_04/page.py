"""What lesson 04's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401 (what is imported here, the pages take from here)

from utils.lesson_04.boards import fewest_shallow_units, folded_board, shallow_board, shallow_units, share_right
from utils.lesson_04.boards_figures import deep_and_shallow, diagonals, layers_side_by_side, play_folding
from utils.lesson_04.counting import folding_network
from utils.lesson_04.counting_figures import (
    four_numbers,
    grown,
    grown_medians,
    lines_added,
    print_rates,
    print_shapes,
    shape_medians,
    shapes,
    trained_answer,
    zigzags,
)
from utils.lesson_04.exploring import SQUARE
from utils.lesson_04.exploring_figures import card, region_map, region_maps
from utils.lesson_04.returning import ended, folded_classifier, medians_of_shapes, reaches, same_agreement
from utils.lesson_04.returning_figures import agreements, boards, from_scratch, longer, rising, shaken_boards, shares
from utils.lesson_04.squares_figures import errors
from utils.lesson_04.widgets import explore, explorer_controls
from utils.pages import FigureText, Prediction, register

FIGURES: dict[str, FigureText] = {
    "04.trap-folded": FigureText(
        "Folded on the grid lines, every square lies on its opposite colour",
        """A sheet painted as a board of 4×4 squares, blue with dots and red with small squares, is folded in the middle
        four times, twice to the left and twice downwards, and each time stretched to its old width. From the first
        fold on, blue lies on red and red on blue. One black cut each way goes through the middle of the pile.
        Unfolded, the cuts run through the middles of the squares, not along their edges.""",
    ),
    "04.folding": FigureText(
        "Folded half a square beside the grid lines, every square lies on its own colour",
        """A sheet painted as a board of 4×4 squares, blue with dots and red with small squares, is shifted by half a
        square. Then it is folded four times, twice to the left and twice downwards, and each time stretched to the
        double width. Blue always comes to lie on blue, red on red. The pile has four quarters, blue and red by turns,
        with one more column and row on two sides, where the sheet's edge reaches out. One black cut each way
        separates the quarters. Unfolded, the cuts run along all inner edges of the squares.""",
    ),
    "04.layers": FigureText(
        "Each fold makes the stripes half as wide; the last layer compares two signs",
        """Four maps of the unit square. The first three show a after one, two and three folds, blue where it is above 0
        and red where it is below: upright stripes, about twice as many each time, with solid lines between them.
        Dashed level lines show where b changes its sign. In the fourth map the output is blue in the squares in which
        a and b have the same sign, and red in the others: a board of 8×8.""",
    ),
    "04.shallow": FigureText(
        "The same board: 24 units folded, and 122 or 123 in one layer",
        """Two networks drawn to one scale, with a dot for each hidden unit. Left, a chain of six boxes with four units
        each. Right, one box with eight rows of units, all filled but the last one: so many any one layer needs. The
        last one is a ring: the construction uses it, too.""",
    ),
    "04.diagonals": FigureText(
        "One layer draws the board with creases along its diagonals",
        """Two boards of 8×8 squares. Left, with straight creases along the diagonals of the squares, solid ones rising
        and dashed ones falling. Right, with a dot in each inner corner, where four squares meet; those of the first
        column and of the lowest row are large and black, and a rising line passes through one of these.""",
    ),
    "04.card": FigureText(
        "Lesson 04 on a card",
        """Left, a square cut into polygons in shades of blue. Right, four lines: how many pieces a layer makes of each
        piece, the units that a board of squares takes folded and in one layer, the error of x² by depth and by pieces,
        and that bounds are for the best weights.""",
    ),
    "04.hinges": FigureText(
        "For an error four times smaller, depth adds three units, and one layer doubles them",
        """The largest error on a logarithmic axis against hidden units on another. One layer's points fall along a
        straight line, slightly above the dotted line of the least error possible. The points of networks with three
        units a layer start above it, cross it between nine and twelve units, and fall ever more steeply down to 1e-16,
        where they turn aside: float64 ends there. In float32 they turn aside near 1e-7.""",
    ),
    "04.map": FigureText(
        "Every region of one network, a shade each",
        """A square, cut by straight lines from edge to edge into many polygons, each in a shade of blue of its own. On
        each of them the network is one affine map.""",
    ),
    "04.trained": FigureText(
        "The bound allows over a thousand times what training leaves",
        """Left, the square cut into the regions of a trained network, hundreds of polygons, each in a shade of its own.
        Right, one logarithmic axis of counts of regions, and four marks. Far right the bound, near two million; not far
        left of it the hand-built network, with more than half a million. Far to the left of both lie the trained
        network and twenty random ones, with hundreds each.""",
    ),
    "04.shapes": FigureText(
        "With depth the bound explodes; random and trained networks do not follow",
        """Regions on a logarithmic axis, for 32 units as 1×32, 2×16, 4×8 and 8×4. The bound climbs from about 500 to
        200 million. Below it three lines stay between ten and a thousand: random networks of He's initialisation stay
        level and then fall; those of PyTorch's fall all the way; trained ones climb from about a hundred to some 600 at
        4×8, and fall again at 8×4.""",
    ),
    "04a.fourth": FigureText(
        "A new line crosses all that were there before",
        """Four squares. In the first a single line; in each of the others one line more, drawn in red, with a dot at
        each of the lines that it crosses: one, then two, then three.""",
    ),
    "04a.zigzags": FigureText(
        "Four units make four pieces, or five; applied twice, twenty-five",
        """Three zig-zags between 0 and 1. The first goes up, down, up and down, in four equal pieces. The second goes
        up, down, up, down and up, and its first piece is half as wide as the others. The third is the second one
        applied twice: it goes up and down twenty-five times.""",
    ),
    "04a.folds": FigureText(
        "One layer folds, the next one cuts: unfolded, every cut is there many times",
        """The unit square twice, cut into all regions of a hand-built network. Left, 4 × 4 boxes, right, 5 × 5, those
        at the left and lower edges half as wide; in each of them lies the same bundle of eight lines that touch a
        parabola, mirrored from box to box.""",
    ),
    "04a.deeper": FigureText(
        "With one to four layers, random counts grow about with the square of the units",
        """Regions of random networks against 32, 64, 128 and 256 hidden units, on logarithmic axes. The lines climb by
        a factor of about four at each doubling; that of eight layers begins far lower, and is steeper. One and two
        layers lie right below a dashed line, the most that one layer can have, four layers a little lower.""",
    ),
    "04b.shaken": FigureText(
        "A hundredth of noise already tears the board",
        """Four squares, coloured dark and light by a network. Without noise an exact board of 8×8 squares. With noise
        .01 the squares have become patches of different sizes, and a thin strip runs through the middle. With .04
        they are islands and wedges, and with .16 a few large shapes are left.""",
    ),
    "04b.yours": FigureText(
        "Your network: built, shaken, and trained from there",
        """Three squares, coloured dark and light. The hand-built network draws an exact board. Shaken, it draws
        wedges and strips in place of most squares. After training the board is back, but for thin slivers along the
        sides of some squares.""",
    ),
    "04b.returned": FigureText(
        "With each fold more, training comes back from about half of the noise",
        """The share of runs that come back, against noise from 0 to .32, a line with intervals for each of three
        boards. All lines start at all of the runs and end at none. They fall one after the other: the board of 16×16
        squares first, then that of 8×8, last that of 4×4.""",
    ),
    "04b.same": FigureText(
        "Runs that come back agree with the twin again; the others do not",
        """Each run as a point: across, the share of switches that are as in the unshaken twin before training, from a
        little over a half to nearly 1; upwards, the share after training. Runs that came back are blue circles in a
        band at the top, at nearly 1, whatever the share was before, from .8 on. Runs that did not are orange crosses,
        most of them left of .8 and scattered around the line on which nothing changes.""",
    ),
    "04b.scratch": FigureText(
        "From random weights, the hand-built architecture never finds the board",
        """Held-out accuracy for boards of 4×4, 8×8 and 16×16 squares, a mark for each run. Layers of 4 from random
        weights lie lowest: well below 1 on the coarsest board, close to one half on the others. Layers of 16 are near
        1 on the coarsest, lower on the next and low on the finest. The hand-built network, shaken a little and
        trained, lies near 1; on the finest board many of its runs fall far below.""",
    ),
    "04b.rising": FigureText(
        "On the finest board all three shapes fall far behind the nearest neighbour",
        """Held-out accuracy against boards of 4×4, 8×8 and 16×16 squares. One, two and four hidden layers lie near
        each other: near 1 on the first board, a little above .8 on the second, and not much above a half on the last,
        where four layers lie highest. The line of the nearest training point sinks only slowly, to .9.""",
    ),
    "04b.longer": FigureText(
        "8×8 squares: more steps move all three shapes",
        """Held-out accuracy for one, two and four hidden layers, a column of marks for each after 3,000 steps, and
        another after 12,000. The first three columns lie alike, below .9. The others lie alike, too, and higher,
        above .9.""",
    ),
}
PREDICTIONS: dict[str, Prediction] = {
    "04.edges": Prediction(
        ["all of it", "three quarters", "half: no better than guessing", "none: all colours are swapped"],
        "{share:.2f} of it. Half of every square is right, and half is wrong.",
        3,
    ),
    "04.shallow": Prediction(
        ["about 24, as many as the folds", "about 120", "about 500", "1,024 or more, one for each square"],
        "{needed} or {built}: with {built} it can be built, and with fewer than {needed} it cannot be done.",
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
        "Runs with noise .02 that came back: {before:.3f} of the switches before training, {after:.3f} after it.",
        lambda before, after: 2 if abs(after - before) < 0.02 else 3 if after > before else 1,
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
register(FIGURES, PREDICTIONS)
