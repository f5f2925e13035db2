"""What lesson 03's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401 (what is imported here, the pages take from here)

from utils.comparison import score as accuracy
from utils.lesson_03.filters import digit_parts, probe_medians, shape_medians, tuning_medians
from utils.lesson_03.filters_figures import (
    bar_controls,
    curves,
    fields,
    filters,
    patches,
    probes_by_layer,
    selectivities,
    shapes_by_rate,
    turned,
)
from utils.lesson_03.folding import changed, identity_block
from utils.lesson_03.folding_figures import (
    card,
    neuron_maps,
    play_block,
    play_book,
    play_sheet,
    play_spiral,
    straight_pieces,
)
from utils.lesson_03.hierarchy import medians_by_depth, medians_of, trees_won
from utils.lesson_03.hierarchy_figures import leads, missed_by_depth, missed_by_version, played, print_targets, slices
from utils.lesson_03.probing import spiral_parts
from utils.lesson_03.probing_figures import learned_or_random, probe_answer, probe_by_stage, random_answer
from utils.lesson_03.widgets import change_controls, change_unit, draw_points
from utils.pages import FigureText, Prediction, register

FIGURES: dict[str, FigureText] = {
    "03.card": FigureText(
        "Lesson 03 on a card",
        """Left, a sheet of squared paper, folded along a slanted crease, one part lying on the other. Right, four
        lines: a fold is the absolute value of z, with s handed on; layers move the space and the last one draws a
        line; the boundary has straight pieces, with corners only at creases; a probe is fitted on some points and
        scored on others.""",
    ),
    "03.sheet": FigureText(
        "One unit flattens a half, a fold lays it on the other",
        """Three square sheets of squared paper, with a crease across each: a red half, where z is below 0, and a
        blue one. The affine part turns and shifts the three alike, until the crease is upright at 0. Then ReLU: in
        the first sheet the red half is pressed onto the upright line, and the blue one stays. In the second the part
        below 0 is pressed onto the level line, too, and a corner of paper is left. In the third the red half is laid
        over the blue one, turned as in a mirror.""",
    ),
    "03.book": FigureText(
        "Three units fold a sheet; only the side is forgotten",
        """A sheet of squared paper in space, its halves blue and red. It is stood upright, with the crease upright;
        ReLU bends it at the crease into a right angle, like a book half open; the read-out closes the book, the red
        half on the blue one.""",
    ),
    "03.unfolds": FigureText(
        "Block by block, until a straight line separates the two kinds",
        """Points of two kinds, blue circles and red squares, on a sheet of squared paper, and a green curve that
        separates them. From block to block the sheet is bent, stretched and folded, and the points and the curve with
        it. After the last block the curve is straight: blue lies on one side of it, red on the other. Each plane is
        shifted, turned and stretched to fill the picture, which leaves straight lines straight. What happens inside a
        block is left out: the points take the straight way from plane to plane.""",
    ),
    "03.inside": FigureText(
        "Within a block: the affine part keeps the sheet flat, ReLU bends it",
        """Points of two kinds, blue circles and red squares, on a sheet of squared paper. The affine part spreads the
        sheet over the block's units, of which two directions are shown: it is slanted and stays flat. ReLU bends and
        squeezes it, and blue comes to lie on the left and red on the right. The read-out makes a plane of it again.""",
    ),
    "03.drawn": FigureText(
        "Your points, until a straight line separates them",
        """Points as they were drawn, or a disc in a ring of the other kind, on a sheet of squared paper, and the green
        curve that the network has put between the two kinds. From block to block the sheet is bent and folded, until
        the curve is straight.""",
    ),
    "03.neuron": FigureText(
        "This unit's crease has corners, and the boundary bends where it crosses it",
        """Three squares over the input plane. First a unit's sum before ReLU, red where it is negative and blue where
        it is positive, with its dashed crease between, a line with corners. Then the same after ReLU: white in place
        of red. Then the crease again, and the network's boundary in green with a dot wherever it bends. Where
        the two cross, there is such a dot, and a diamond around it.""",
    ),
    "03.pieces": FigureText(
        "The boundary is made of straight pieces, one for each region",
        """Left, the input plane cut into many small polygons, in each of which the network is one affine map, and the
        boundary as a green line through them. Right, the same line among the points of the two classes, with a dot at
        each end of a straight piece.""",
    ),
    "03.probe": FigureText(
        "Trained blocks help a line; on the way the probe often falls, the best line hardly ever",
        """Three plots of held-out accuracy at the input and after each of four blocks: medians of 20 seeds with
        intervals, and a thin line for each trained network. Left, a probe on one turn: untrained it stays near a half;
        trained it jumps from a half to near one, in most networks in the first block. Middle, a probe on 1½ turns:
        after the first block most thin lines are lower than at the input; from the second block on the median is near
        one. Untrained it sinks a little. Right, the line with the most right answers on 1½ turns: it rises from the
        input on, and hardly a thin line falls.""",
    ),
    "03.random-parameters": FigureText(
        "Learning leads where units are few; at equal trained parameters little is left",
        """Two plots of held-out accuracy against 8, 16, 32 and 64 learned hidden units, medians of 20 seeds with
        intervals. Left, 1½ turns: as many random units lie far below at 8 and 16 and catch up from 32 on; random
        units with as many trained parameters lie on the learned ones throughout. Right, two turns: as many random
        units stay clearly below up to 32, and a little at 64; with as many trained parameters they lie on the learned
        ones, with wider intervals at 8 and 16.""",
    ),
    "03a.game": FigureText(
        "Three moves: of each pair the better is taken, and changes its sign",
        """A tree with its eight ends at the bottom and one number at the top. Of each pair of neighbours a bold line
        leads up from the larger number, a thin grey one from the smaller, and above them stands the larger with its
        sign changed.""",
    ),
    "03a.moves": FigureText(
        "At equal parameters, three layers miss far less of the game than one",
        """The share of variance missed, on a logarithmic axis, for one, two, three and four hidden layers: a dot for
        each seed, and the median with its interval. One layer misses most, two layers less, three and four least.""",
    ),
    "03a.slices": FigureText(
        "Equally rough: a tree, and a sum of random waves",
        """Two maps of values on a plane, with contour lines. Left, the game: straight contours that bend at sharp
        edges, some of which end where they meet another. Right, a random function: rounded contours around smooth
        hills and hollows, about as dense.""",
    ),
    "03a.control": FigureText(
        "On a random function as rough as the game, depth has no lead",
        """The share of variance missed, on a logarithmic axis, a dot for each seed. On the tree three layers lie far
        below one. On the random function both lie high up, three layers slightly above one.""",
    ),
    "03a.rotated": FigureText(
        "A rotation hides the pairs, and the lead stays",
        """The share of variance missed, on a logarithmic axis, a dot for each seed. On the tree as on the rotated tree
        three layers lie far below one.""",
    ),
    "03a.trees": FigureText(
        "Depth leads on some trees, and on none of the random functions",
        """A row for each of the eight trees, sorted: what one layer misses over what three miss, with its interval, on
        a logarithmic axis; a square for the tree, a circle for random functions as rough. The circles lie at 1 or
        slightly left of it. The squares reach from 1, for trees of products, to far right of it, for the game.""",
    ),
    "03b.fields": FigureText(
        "After three layers a unit sees nearly the whole digit",
        """A digit of 8×8 pixels, and beside it, for layers 1, 2 and 3, the pixels that a unit near the centre sees,
        brighter where more paths lead: a square of 3×3, one of 5×5, and one of 7×7, which is nearly all of the
        image.""",
    ),
    "03b.filters": FigureText(
        "Eight learned filters: what do they look for?",
        """Eight squares of 3×3 shades, from black for the most negative weight to white for the most positive.""",
    ),
    "03b.angle": FigureText(
        "Tuning curves: how strongly a unit answers a bar at each angle",
        """Four panels, for units 0 to 3 of the first layer: the answer to a bar against its angle from 0° to 180°, with
        the unit's selectivity and preferred angle in the title and its filter as a small picture. Three curves go up
        and down a little and stay far from 0. The fourth has a broad peak at 45° and is near 0 from 112° on.""",
    ),
    "03b.tuned": FigureText(
        "First-layer filters are as selective untrained as trained",
        """Dots for the selectivity of every unit of twenty networks, in layers 1, 2 and 3, trained beside untrained,
        with a bar at each median. All medians lie near a fifth. In each layer untrained units are spread more
        widely than trained ones, up to 1.""",
    ),
    "03b.patches": FigureText(
        "The nine cuttings that excite a unit most, in each layer",
        """Three rows of nine cuttings from digits. Layer 1: pieces of 3×3 pixels, mostly light, with one dark corner.
        Layer 2: pieces of 5×5, bits of strokes. Layer 3: pieces of 7×7, in which one recognises digits, most of them
        fours.""",
    ),
    "03b.probe": FigureText(
        "Most of what a probe gains comes with filters that never learned",
        """Held-out accuracy of a linear probe on the pixels and after layers 1, 2 and 3, medians with intervals. From
        the pixels to layer 1 both lines climb steeply together. From there on the trained network's line
        rises a little, and the untrained network's does not.""",
    ),
    "03b.deep": FigureText(
        "Every place read: no difference. Only means: three layers beat one of 3×3",
        """Two plots of held-out accuracy against six learning rates. Left, every place is read: three layers of 3×3
        and one of 3×3 reach the same height. Right, only means are read: one layer of 3×3 stays clearly below; three
        layers of 3×3 and one of 7×7 reach nearly as much as on the left, the 7×7 at larger rates.""",
    ),
}
PREDICTIONS: dict[str, Prediction] = {
    "03.fold": Prediction(
        ["one", "two", "three", "four"], "Three: two for the distance from the crease, one for the place along it.", 3
    ),
    "03.probe": Prediction(
        ["it rises from each plane to the next, in nearly every network",
         "it is high in the end, but in many networks it falls on the way",
         "it stays as low as at the input up to the last plane"],
        "It goes from {first} to {last}. In {falls} of {seeds} networks it falls on the way. "
        "Yours, which began as the identity: {scores}.",
        lambda falls, seeds, **_: 2 if falls > seeds / 5 else 1,
    ),
    "03.random": Prediction(
        ["hardly anything: at most two points in a hundred", "up to ten points", "more than ten points"],
        "Learned minus random, at 16 units each: {units}. Yours, random: {yours:.2f}.",
        lambda units, **_: 1 + sum(units.value > limit for limit in (0.02, 0.1)),
    ),
    "03.random-parameters": Prediction(
        ["the learned layer, by more than two points in a hundred", "neither is ahead by more than two points",
         "the random one, by more than two points"],
        "Learned minus random: {parameters} at 1½ turns. At two turns: {harder}.",
        lambda parameters, **_: 1 if parameters.value > 0.02 else 3 if parameters.value < -0.02 else 2,
    ),
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
        "On {won} of the {trees} trees; on {controls} of the random functions.",
        lambda won, **_: 1 if won == 8 else 2 if won > 4 else 3 if won > 2 else 4,
    ),
    "03b.angle": Prediction(
        ["0°, a horizontal bar", "45°, rising to the right", "90°, a vertical bar", "135°, falling to the right",
         "it answers all of them about alike"],
        "{angle:.0f}°, with a selectivity of {selectivity:.2f}.",
        lambda angle, selectivity: 5 if selectivity < 0.1 else 1 + round(angle / 45) % 4,
    ),
    "03b.tuned": Prediction(
        ["hardly at all", "about half as selective as the trained units", "about as selective, or more"],
        "The medians for the first layer: {untrained:.2f} untrained, {trained:.2f} trained.",
        lambda untrained, trained: 1 if untrained < trained / 4 else 2 if untrained < 0.75 * trained else 3,
    ),
    "03b.probe": Prediction(
        ["it does worse than on the pixels", "it does better, but the trained layer gains at least twice as much",
         "it gains most of what the trained layer gains"],
        "Median accuracies: pixels {pixels:.3f}, untrained first layer {untrained:.3f}, trained {trained:.3f}.",
        lambda pixels, untrained, trained: (
            1 if untrained < pixels else 2 if trained - pixels > 2 * (untrained - pixels) else 3
        ),
    ),
    "03b.deep": Prediction(
        ["three layers, in both cases", "three layers, but only where means are read",
         "one layer of 3×3 does as well in both"],
        "Every place read: {deep:.3f} with three layers, {shallow:.3f} with one. Means: {deep_means:.3f} and "
        "{shallow_means:.3f}.",
        lambda deep, shallow, deep_means, shallow_means, **_: (
            1 if deep - shallow > 0.01 else 2 if deep_means - shallow_means > 0.01 else 3
        ),
    ),
}
register(FIGURES, PREDICTIONS)
