"""What lesson 04's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.lesson_04.blanks import BLANKS
from utils.lesson_04.boards import shallow_board, shallow_units, share_right
from utils.lesson_04.boards_figures import deep_and_shallow, diagonals, play_folding
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
from utils.pages import Prediction, register

PREDICTIONS: dict[str, Prediction] = {
    "04.before-spiral": Prediction(
        {
            "each layer draws one more line, and the last one joins them to a boundary": (
                "One layer does join lines to a polygon. But a later layer never sees the old plane: it only sees the "
                "one that it is given."
            ),
            "each layer moves the points, until one straight line separates the arms": (
                "On the last plane the boundary is one straight line. It only looks bent when you see it from the "
                "input."
            ),
            "each layer separates some of the points, and hands on the others": (
                "Sharing the work sounds sensible. But every layer gets all the points, and only changes where they "
                "lie."
            ),
        },
        "",
        2,
        "How does a network of several layers separate the two arms of a spiral?",
    ),
    "04.before-probe": Prediction(
        {
            "that the layer has lost what tells the classes apart": (
                "It does look like a loss. But a probe asks for one straight line, and if none does well, the nearest "
                "neighbour may still tell the classes apart."
            ),
            "that the layer was trained badly": (
                "Only the last plane has to be separable by a line. So even in a well-trained network, the accuracy "
                "may fall on the way."
            ),
            "only that the line fitted there is right on fewer points": (
                "The probe may do badly, or the plane may be a bad one for lines. The number alone cannot tell which."
            ),
        },
        "",
        3,
        "From one layer to the next, a probe's accuracy falls. What does that tell you?",
    ),
    "04.before-units": Prediction(
        {
            "the four blocks: depth makes the folds": (
                "A later block does fold what is folded already. But on that spiral, this was no advantage over as "
                "many units side by side."
            ),
            "the one block: it is easier to train": (
                "One block does have fewer layers to train through. But the four blocks learned as well, with each "
                "side at its best rate."
            ),
            "neither: what counts there is the number of units": (
                "Units make the folds, and on that spiral it hardly mattered how they were stacked."
            ),
        },
        "",
        3,
        "Four blocks of 8 units or one block of 32, on a spiral of two turns: which does better?",
    ),
    "04.depth": Prediction(
        {
            "more than five times as many": (
                "The best weights can do that. But these are drawn at random, and nobody has chosen them so that each "
                "layer cuts many pieces."
            ),
            "up to five times as many": (
                "Each layer can cut the pieces of the one before again. But whether it does depends on the weights, "
                "and these are random."
            ),
            "about as many, a fifth more or fewer at most": (
                "There are as many units as before. But the creases of later layers bend, and need not run across the "
                "whole square."
            ),
            "fewer, by more than a fifth": (
                "Depth allows more pieces, but it does not make them. That takes weights that use it; with others, "
                "depth may even cost some."
            ),
        },
        "Three layers of 8 make {times.rounded} times as many regions on the square as one layer of 24 (the median of "
        "{seeds} pairs of networks).",
        lambda times, **_: 1 if times.value > 5 else 2 if times.value > 1.2 else 3 if times.value >= 0.8 else 4,
    ),
    "04.trained": Prediction(
        {
            "fewer than 100": (
                "Sixteen squares need few pieces. But nothing in the loss asks for few, and there were many before "
                "training."
            ),
            "100 to 1,000": (
                "The loss asks for the right colours. It asks neither for few pieces nor for many, so training has no "
                "reason to make thousands."
            ),
            "1,000 to 10,000": (
                "Training does move the creases to where the board needs them. But it gains nothing by making more of "
                "them."
            ),
            "10,000 to 100,000": (
                "The bound would allow it. But it is about the weights that make the most pieces, and training looks "
                "for the right colours, which is another goal."
            ),
            "more": (
                "To come so near the bound, each layer has to cut nearly every piece of the one before. But the "
                "colours do not ask for that."
            ),
        },
        "Your network has {trained:,} regions; the bound allows {times:,.0f} times as many.\n\nThe bound is not an "
        "empty promise: with these layers, hand-built weights make {built:,} regions. That is what people mean by "
        '"exponentially more". But neither chance nor training comes near it. At a tuned rate, twenty networks of '
        "this shape learned this board to a held-out accuracy of {right}. The bound is {over} times their count.",
        lambda trained, **_: 1 + sum(trained >= limit for limit in (100, 1000, 10_000, 100_000)),
    ),
    "04.edges": Prediction(
        {
            "all of it": (
                "That would be right if every square came to lie on its own colour. But follow one square and its "
                "neighbour through the first fold."
            ),
            "three quarters": (
                "A few squares may seem to go wrong. But no square is treated better than another: each lies on one of "
                "the other colour, and what is right in one is wrong in the other."
            ),
            "half: no better than guessing": (
                "A crease along an edge lays each square on its neighbour, which has the other colour. No cut can be "
                "right for both."
            ),
            "none: all colours are swapped": (
                "Each square does lie on the other colour. But a point and the one that it lies on always get the same "
                "colour, so one of the two is right."
            ),
        },
        "{share:.2f} of it. The film below shows why.",
        3,
    ),
    "04.shallow": Prediction(
        {
            "about 24, as many as the folds": (
                "The folds manage with so few. But a single layer's creases are not folded, and 24 straight lines do "
                "not even pass through all the places where four squares meet."
            ),
            "62, one for each line between the squares": (
                "Those lines are where the colour changes. But creases along them make f(x) + g(y). At a corner, its "
                "values on the two blue squares add up to those on the two orange ones, so the signs cannot alternate."
            ),
            "about 120": (
                "Each crease is a straight line, and serves a whole diagonal of squares. So it is the side of the "
                "board that counts, not its area."
            ),
            "about 500": (
                "That would be about one unit for every two squares. But a crease is a straight line, and serves many "
                "squares at once."
            ),
            "1,024 or more, one for each square": (
                "That would be right if each square needed a bump of its own. But a crease is a straight line, and "
                "serves many squares at once."
            ),
        },
        "Exactly {units}: these can draw the board, and fewer cannot.",
        3,
    ),
    "04.shapes": Prediction(
        {
            "1×32": (
                "Its creases are straight lines across the whole plane, which cross often. But training may move the "
                "crossings out of the square."
            ),
            "2×16": "Two layers multiply, with many units in each. But whether training uses that is another question.",
            "4×8": (
                "Its bound is thousands of times that of one layer. And unlike eight layers of 4, it learns the board "
                "well."
            ),
            "8×4": "Its bound is the highest. But a bound holds for the best weights, and layers this narrow train "
            "badly.",
            "all within a factor of two": (
                "With random weights, shapes may be near each other. But each shape is trained at its own best rate, "
                "and the rate moves the creases."
            ),
        },
        "In the figure, each shape has its best rate, and four layers end with {best_rate} times as many regions as "
        "one. With one rate for both, the ratio is {one_rate}.\n\nSo most of the lead is due to the "
        "rate. One layer learns best at a high rate, which moves most crossings out of the square: {left} of its "
        "regions are left. If it starts from biases five times as large, a third of that rate does about as well, and "
        "four layers have {wider} times as many.",
        lambda one, two, four, eight, **_: (
            5
            if max(one, two, four, eight) < 2 * min(one, two, four, eight)
            else 1 + max(range(4), key=(one, two, four, eight).__getitem__)
        ),
    ),
    "04.hinges": Prediction(
        {
            "about 200": (
                "Depth needs only three more units for an error four times smaller. But one layer has to double its "
                "units for that."
            ),
            "about 4,000": (
                "The error does fall fast, with the square of the number of pieces. But twenty factors of four still "
                "take twenty doublings."
            ),
            "about 70,000": (
                "Each factor of four does take one doubling of the units. But count the doublings once more: there are "
                "about twenty."
            ),
            "more than 500,000": (
                "Each factor of four takes one doubling of the units, and twenty doublings make about a million."
            ),
        },
        "At least {units:,.0f}.\n\nOn a piece of length h, no line comes closer to x² than h²/8, and n units make at "
        "most n + 1 pieces. So for an error four times smaller, one layer doubles its units, and depth adds three. "
        "(Up to nine units in all, one layer is better.)",
        4,
    ),
    "04a.fourth": Prediction(
        {
            "8": "From 2 to 4 looks like doubling. But one line cannot pass through all the regions that are there.",
            "10": (
                "Three crossings suggest three more regions. But between the crossings and beyond them, the line "
                "has four pieces."
            ),
            "11": "The crossings cut the new line into four pieces, and each of these cuts one region in two.",
            "14": (
                "To double the number, the line would have to pass through every region. A straight line misses some."
            ),
        },
        "Walk along the new line. Each of its three crossings takes you from one region into the next, so it passes "
        "through four regions, and cuts each of them in two. A new line adds one region for each crossing, and one "
        "more.",
        3,
    ),
    "04a.deeper": Prediction(
        {
            "at least ten times as many": (
                "The bound is that much higher. But the bound is for the best weights, and these are random."
            ),
            "two to ten times as many": (
                "Each layer can cut the regions of the one before it. But random weights may make little use of that."
            ),
            "as many, within a factor of two": (
                "A theorem for random networks, which stands below, bounds the count by the square of the number of "
                "units, whatever the depth."
            ),
            "less than half as many": (
                "If layers have few units, depth can cost that much. But here each of them has 64."
            ),
        },
        "One layer had {one:,.0f} regions (median), and four layers had {times} times as many. From 32 to 256 "
        "units, the count of four layers grew like a power of the units, and this power was {power}.",
        lambda one, four, **_: 1 if four >= 10 * one else 2 if four > 2 * one else 3 if four >= one / 2 else 4,
    ),
    "04b.shaken": Prediction(
        {
            "nearly all: .97 or more": (
                "A hundredth is little for one layer. But each fold has slope 2, and doubles the errors of the "
                "folds before it."
            ),
            "from .9 to .97": (
                "That would be true if errors only added up from layer to layer. But each fold has slope 2, and "
                "doubles the errors of the folds before it."
            ),
            "from .65 to .9": (
                "Each fold has slope 2, so what is wrong before the first of three folds is eight times as wrong at "
                "the end."
            ),
            "hardly more than half: less than .65": (
                "Errors do double with each fold. But there are only three folds, and eight times a hundredth is "
                "still less than a tenth."
            ),
        },
        "The median share over {seeds} networks was {share}.\n\nAn error before the first of k folds has grown 2ᵏ "
        "times at the end. What makes the construction cheap makes it fragile.",
        lambda right, **_: 1 + sum(right < limit for limit in (0.97, 0.9, 0.65)),
    ),
    "04b.returned": Prediction(
        {
            "not even .01": (
                "A little noise does cost some colours. But it leaves the layers in about the right place, and "
                "training can begin there."
            ),
            "up to .01 or .02": (
                "What a noise costs before training is one question. What training can mend is another."
            ),
            "up to .04 or .08": (
                "That is more noise than it takes to ruin the colours. But while the layers are in about the right "
                "place, training finds its way back."
            ),
            "up to .16 or more": (
                "Training can do a lot. But each fold doubles the errors of those before it, so three folds leave "
                "room for little noise."
            ),
        },
        "With three folds, most runs came back up to noise {three:g}, with two folds up to {two:g}, with four up to "
        "{four:g}. (Unshaken networks ended with {unshaken} right.)\n\nTraining mends more noise than "
        "it takes to ruin the board. But there is an edge, and it moves in with each fold. Noise .08 is mostly too "
        "much for three folds but not for two (accuracy of two folds minus three: {third}), and half of it is too "
        "much for four but not for three.",
        lambda three, **_: 1 + sum(three >= limit for limit in (0.01, 0.04, 0.16)),
    ),
    "04b.same": Prediction(
        {
            "fewer than before training": (
                "That would be true if training ended at another network that draws the same board."
            ),
            "as many as before": (
                "That would be true if training changed other things than those that the noise had changed."
            ),
            "more than before: nearly all": "What comes back are the same creases, not only the same colours.",
        },
        "In runs with noise .02 that came back, {before:.3f} of the switches agreed before training and {same} "
        "after it: training undid the noise unit by unit. As far as switches can tell, these runs come back to the "
        "place to which training takes the construction itself.",
        lambda before, after, **_: 2 if abs(after - before) < 0.02 else 3 if after > before else 1,
    ),
    "04b.scratch": Prediction(
        {
            "nearly all: .97 or more": (
                "There is room for the board many times over. But that does not mean that training finds each square."
            ),
            "from .8 to .97": "Units to spare do help. But having room for all squares is not yet finding them all.",
            "from .65 to .8": (
                "That would be true if units to spare helped only a little. But there are four times as many to "
                "make creases of."
            ),
            "less than .65": (
                "That would be true if units to spare were of no use to training. The narrow layers have none."
            ),
        },
        "Layers of 16 got {share} of them right, and layers of 4 got {narrow:.2f} (medians of {seeds} runs).\n\nThe "
        "architecture that draws the board exactly hardly learns it from random weights. Layers four times as wide "
        "learn much of it, but on 16×16 squares they got only {fine:.2f} right. Large enough to hold the answer is not "
        "yet large enough to find it.",
        lambda wide, **_: 1 + sum(wide < limit for limit in (0.97, 0.8, 0.65)),
    ),
    "04b.rising": Prediction(
        {
            "four layers of 20": (
                "Depth can draw this board with far fewer units. But both have more than enough, so it is training "
                "that limits them."
            ),
            "one layer of 272": "It does have more than twice the units that it needs. But the others have enough, "
            "too.",
            "neither, by more than ten points in a hundred": (
                "All three can draw the board with what they have, and all three learn a board this coarse."
            ),
        },
        "On 8×8 squares, two layers got {two:.2f} right, and four layers got {four:.2f} (medians). Four layers led one "
        "by {equal}, so nobody was ahead by so much. On 16×16 squares, none got far.",
        lambda one, four, **_: 1 if four - one > 0.1 else 2 if one - four > 0.1 else 3,
    ),
}
register(PREDICTIONS, of_blanks=BLANKS)
