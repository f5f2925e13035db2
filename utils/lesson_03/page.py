"""What lesson 03's pages use, under one name, and their predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.drawing import draw_points
from utils.lesson_03.blanks import BLANKS
from utils.lesson_03.depth import depth_answer, fewest
from utils.lesson_03.depth_figures import table
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
from utils.lesson_03.folding import identity_block
from utils.lesson_03.folding_figures import card, neuron_maps, play_book, play_sheet, play_spiral
from utils.lesson_03.hierarchy import medians_by_depth, medians_of, trees_won
from utils.lesson_03.hierarchy_figures import leads, missed_by_depth, missed_by_version, played, print_targets, slices
from utils.lesson_03.lazy import kernel_medians, scale_medians, some_games
from utils.lesson_03.lazy_figures import by_kernel, by_scale, print_controls
from utils.lesson_03.probing import spiral_parts
from utils.lesson_03.probing_figures import components, directions, directions_answer, probe_answer, probe_by_stage
from utils.lesson_03.widgets import change_controls, change_unit, fold, fold_controls, folds
from utils.pages import Prediction, register

STAYS, SHRINKS, GONE = (
    "it stays, at a factor of ten or more",
    "it shrinks, but three layers still miss at most half as much",
    "there is none, or three layers miss more",
)


def how_much_is_left(times: float, **_: float) -> int:
    """Return which of STAYS, SHRINKS and GONE is right where one layer misses so many times what three miss."""
    return 1 if times >= 10 else 2 if times >= 2 else 3


PREDICTIONS = {
    "03.before-fold": Prediction(
        {
            "two more units in the hidden layer that it has": (
                "Units side by side add up: in a single hidden layer, each unit adds at most one piece."
            ),
            "one more hidden layer, of two units": (
                "Two units make a tent, and a tent folds whatever the layers before it have drawn."
            ),
            "one more hidden layer, as wide as all before it together": (
                "That would work, but two units are enough for a fold, however many folds came before it."
            ),
        },
        "",
        2,
        "A network draws the folded line, and you want twice as many pieces. What is the least that you have to add?",
    ),
    "03.before-found": Prediction(
        {
            "the weights that you had built, or others as good": (
                "Such a network can be built, but gradient descent need not find it from random weights."
            ),
            "the eight pieces, once the learning rate was tuned": (
                "We did tune it: we took the best of six learning rates, and no run found the eight pieces."
            ),
            "the eight pieces in no run": (
                "Two units in each layer leave none to spare. With eight in each layer, most runs found the pieces."
            ),
        },
        "",
        3,
        "Three hidden layers of two units can draw eight pieces. What did training find, from random weights?",
    ),
    "03.before-fair": Prediction(
        {
            "most of it": (
                "Held-out data and many seeds show that a lead is no accident. They do not show that depth made it."
            ),
            "nothing": (
                "The same settings need not suit both sides: better ones helped the shallow network, and hardly helped "
                "the deep one."
            ),
            "it turned round, and one layer led clearly": (
                "Once it was tuned, the shallow network caught up, but it did not overtake. On a finer board, the "
                "deeper ones led as long as steps were few."
            ),
        },
        "",
        2,
        "On the coarse checkerboard, five layers clearly beat one, with as many parameters, the same learning rate and "
        "zero biases. What was left of the lead with random biases, and the best learning rate for each?",
    ),
    "03.fold": Prediction(
        {
            "one": "One unit bends the sheet, and a bend is nearly a fold. But the unit keeps z on one side of the "
            "crease only: it presses the other side flat.",
            "two": "Two units do make |z|, but then none is left for s. Any other two would both have to be on, on "
            "both halves, to keep these two-dimensional. Then the layer is affine, and nothing folds.",
            "three": "Two units make |z|, the distance from the crease, and a third hands on s, the place along it.",
            "four": (
                "On a whole plane, you would be right: s needs two units, as z does. But a sheet has edges, so s can "
                "be lifted until one unit is never off."
            ),
        },
        "How can one unit hand on s, which may be negative? Its bias lifts s above 0 on the whole sheet, so ReLU "
        "changes nothing, and the output subtracts the bias again.",
        3,
    ),
    "03.depth": Prediction(
        {
            "one": (
                "One block makes several folds at once. But its eight units have only eight creases, the boundary "
                "bends only at a crease, and around this spiral it has to bend often."
            ),
            "two": "The second block folds what the first has folded, so each of its creases can cross the sheet "
            "several times.",
            "three": "It is natural to think of one fold for each half turn or so. But one block makes several folds "
            "at once, and the next block acts on all of them.",
            "four": (
                "Four blocks unrolled one turn, and two turns are harder. But four were more than enough there, and "
                "each of these blocks has eight creases, not one."
            ),
            "more than four": (
                "It is wise to expect less of training than could be built. But four blocks of 8 have 32 creases, and "
                "each bends what is already folded."
            ),
        },
        "One block had {one:.0f} of 100 held-out points right, and two blocks had {two:.0f}. Two more blocks added "
        "little: {more}, compared seed by seed.\n\nWas it depth that helped? One block of 32 units, as many as four "
        "blocks have, did as well; its lead over them was {wide}. Units make the folds. Where there are enough of "
        "them, it hardly matters for this mess how they are stacked.",
        fewest,
    ),
    "03.probe": Prediction(
        {
            "it rises from each plane to the next, in nearly every network": (
                "That is how you would imagine a hierarchy: each layer brings the arms a little further apart. But "
                "training asks nothing of the planes before the last one."
            ),
            "it is high in the end, but in many networks it falls on the way": (
                "Training asks only that a line separates the arms in the last plane. On the way there, they may come "
                "to lie across each other, and then a line does worse."
            ),
            "it stays as low as at the input up to the last plane": (
                "The line does come last. But then the last block would have to do everything alone, and training "
                "changes all blocks at once, from the first step on."
            ),
        },
        "In the median, the probe rose from {first:.2f} at the input to {last:.2f} at the last plane, but in {falls} "
        "of {seeds} networks it fell on the way. (Through random blocks, it changed by {untrained}.) Yours, from the "
        "input on: {scores}.\n\nWhy does it fall? A line has little room in a plane. In plain networks, whose layers "
        "hand on all 16 numbers, it fell in hardly any (share: {plain}). And logistic regression makes a loss small, "
        "not the number of wrong points: the line with the most right answers fell in far fewer (share: {line}).",
        lambda falls, seeds, **_: 2 if falls > seeds / 5 else 1,
    ),
    "03.directions": Prediction(
        {
            "on neither": (
                "With enough random units, a read-out can draw nearly any line. But the more inputs there are, the "
                "more units it takes."
            ),
            "on the spiral": (
                "Only two of its inputs matter. A learned unit turns towards them; a random unit looks anywhere, and "
                "the more inputs there are, the less it sees of two."
            ),
            "on the digits": (
                "Real images seem to need learned features. But most of these pixels count, so most random units see "
                "something useful."
            ),
            "on both": "A learned unit can point wherever a random one does. But for the same number of trained "
            "parameters, there are many more random units, and on some tasks that is enough.",
        },
        "With 18 inputs that say nothing, learned units led by {noisy} on the spiral; without them, a lead of "
        "only {plane_only} was left. Your random features, with 0, 2, 6 and 18 such inputs, scored {yours}. In theory, "
        "too, random units fall behind as inputs are added (Barron 1993; Yehudai and Shamir 2019).\n\nOn the digits, "
        "the difference was {alike}. Most pixels count there, and the task is easy: this experiment cannot tell which "
        "of the two matters.",
        lambda noise, digits, **_: 1 + (noise.value > 0.02) + 2 * (digits.value > 0.02),
    ),
    "03a.moves": Prediction(
        {
            "one layer of 104": (
                "It has the most units. But it can only add up what they see, and the game takes maxima of maxima."
            ),
            "two layers of 27": "Two layers compose, too. But the game has three moves, one inside another.",
            "three layers of 20 or four of 16": "The game is itself a network of three layers, and these contain it.",
            "all within a factor of two": "With enough units, each of them can come near any function. But with "
            "equally many parameters, it matters which functions a network contains.",
        },
        "In the median, one layer missed {one:.3f} of the variance, and three layers missed {three:.2g}: one layer "
        "missed {deep} times as much.\n\nTwo layers, for three levels, lie in between: they missed {two:.2g}. Four "
        "layers missed {four:.2g}.",
        lambda one, two, three, four, **_: (
            4
            if max(one, two, three, four) < 2 * min(one, two, three, four)
            else 1
            if one < min(two, three, four)
            else 2
            if two < min(three, four)
            else 3
        ),
    ),
    "03a.control": Prediction(
        {
            STAYS: "It would stay if deep networks were better at everything rough. But the game is more than rough: "
            "it is composed, as they are.",
            SHRINKS: "Some of the lead might come from roughness, and some from the tree. But the control has nothing "
            "of the tree.",
            GONE: "The control is a sum of waves. Nothing in it is composed, so there is nothing that layers upon "
            "layers could copy.",
        },
        "The lead has even turned round: one layer missed {one:.2f} of the variance of random functions, and three "
        "layers missed {behind} more.\n\nThe random functions are harder for both, but both still learn most of them. "
        "So deep networks are not simply better at whatever is rough.",
        how_much_is_left,
    ),
    "03a.rotated": Prediction(
        {
            STAYS: "A fully connected first layer computes Wx, and it can compute the same from rotated inputs. It "
            "never saw which inputs are neighbours, so it cannot miss them.",
            SHRINKS: "The pairs are hidden, and that seems to make the task harder. But a fully connected layer can "
            "turn its weights as the inputs were turned.",
            GONE: "That would be true of layers that are wired like the tree. But a fully connected layer can undo the "
            "rotation.",
        },
        "On rotated trees, one layer missed {one:.3f} of the variance, and three missed {three:.2g}: one layer missed "
        "{kept} times as much.\n\nWhatever a first layer does with x, it can do with xQ: take WQᵀ in place of W. "
        "Random initial weights hardly look different after a rotation, and normal inputs not at all. (Adam treats "
        "each weight on its own, so it could notice the rotation; here that hardly matters.) What a rotation leaves of "
        "a tree is composition: features of features.",
        how_much_is_left,
    ),
    "03a.trees": Prediction(
        {
            "all eight": (
                "All eight are composed, as three layers are. But what could be built is one question, and what "
                "training finds is another."
            ),
            "five to seven": (
                "That would be true if nearly every node were easy for a few ReLU units, and nearly every tree could "
                "be learned from so many examples."
            ),
            "three or four": "It depends on the node: on how well a few ReLU units draw it, and on whether the whole "
            "tree can be learned from so many examples.",
            "one or two": "That would be true if the game, whose node three ReLU units draw exactly, were the "
            "exception.",
        },
        "Three layers missed at most half as much on {won} of the {trees} trees, and on {controls} of the random "
        "functions.",
        lambda won, **_: 1 if won == 8 else 2 if won > 4 else 3 if won > 2 else 4,
    ),
    "03c.lead": Prediction(
        {
            "it stays": (
                "The two networks are the same as before, and so is their number of parameters. But three layers can "
                "only compose the game if their hidden layers may change."
            ),
            "it shrinks, but three layers still miss at most half as much": (
                "Random layers upon random layers might still be worth something. But what they compose is random, "
                "too, and the game is not in it."
            ),
            "it is gone, or one layer misses less": (
                "Where features stay as they were drawn, each network only fits a linear model to them, so neither "
                "learns to compose anything."
            ),
        },
        "Trained lazily, one layer missed {lazy_one:.2f} of the variance and three layers missed {lazy_three:.2f}. "
        "Trained richly, they missed {rich_one:.2f} and {rich_three:.3f}.\n\nAt α = 64, the last of the three layers "
        "has hardly moved: by {still} of its length. But the lead was already gone at α = 1: there, one layer missed "
        "{middle} times as much as three, while features moved by most of their length. Moving is not enough: they "
        "have to go far.",
        lambda lazy_one, lazy_three, **_: how_much_is_left(lazy_one / lazy_three),
    ),
    "03c.kernels": Prediction(
        {
            "far less: at most half as much": (
                "Three layers did miss far less when they were trained richly. But this kernel is an average over "
                "random layers, and knows nothing of the game."
            ),
            "somewhat less, by a quarter or more": (
                "The kernels are different functions, so they might suit different targets. But on this target, the "
                "difference hardly shows."
            ),
            "about the same": (
                "Both kernels are averages over random features. With biases that suit the game, both see about as "
                "much of it."
            ),
        },
        "The kernel of one layer missed {ratio} times as much as the kernel of three. (Those of one to four layers "
        "missed {one:.3f}, {two:.3f}, {three:.3f} and {four:.3f}.) But this takes biases: without any, one layer's "
        "kernel missed {bare} times as much as three layers'.\n\nThe kernels did better than one layer that was "
        "trained richly, and far worse than three. So three layers gain by the features they learn.",
        lambda one, three, **_: 1 if one >= 2 * three else 2 if one >= 4 / 3 * three else 3,
    ),
    "03b.angle": Prediction(
        {
            "0°, a horizontal bar": (
                "Such a filter has a row of white between rows of black. The eye finds such a row in most patterns."
            ),
            "45°, rising to the right": (
                "Such a filter is white from the lower left to the upper right. One white corner suggests it, but the "
                "whole bar counts."
            ),
            "90°, a vertical bar": (
                "Such a filter has a column of white between columns of black. One white column at the edge is not "
                "enough."
            ),
            "135°, falling to the right": "Such a filter is white from the upper left to the lower right. One white "
            "corner suggests it, but the whole bar counts.",
            "it answers all of them about alike": "Most patterns of nine weights look like no bar at all. But only a "
            "filter that is nearly symmetric answers all angles alike.",
        },
        "The measured curve prefers {angle:.0f}°, with a selectivity of {selectivity:.2f}.",
        lambda angle, selectivity: 5 if selectivity < 0.1 else 1 + round(angle / 45) % 4,
    ),
    "03b.tuned": Prediction(
        {
            "hardly at all": "It is natural to think that a preference has to be learned. But a filter needs no "
            "training to be lopsided.",
            "about half as selective as the trained units": "That would be a fair guess if some of the preference came "
            "by chance and some by training. But chance alone gives plenty.",
            "about as selective, or more": "A filter without a preferred angle has to be quite symmetric, and nine "
            "random weights hardly ever are. So a preferred angle comes for free.",
        },
        "The median selectivity in the first layer was {untrained:.2f} before training, and training changed it by "
        "{change}. In the third layer, training added {third}.\n\nHad we shown you the trained curves alone, "
        "you might well have believed that training made them.",
        lambda untrained, trained, **_: 1 if untrained < trained / 4 else 2 if untrained < 0.75 * trained else 3,
    ),
    "03b.probe": Prediction(
        {
            "it does worse than on the pixels": (
                "Random filters surely lose something. But there are many of them, and they make many more numbers "
                "than there are pixels."
            ),
            "it does better, but the trained layer gains at least twice as much": (
                "Training knows the task, and random filters do not. But what a probe needs most is many numbers that "
                "differ."
            ),
            "it gains most of what the trained layer gains": (
                "Every ReLU unit adds a bend, whether its filter is learned or random, and from so many bent numbers a "
                "linear read-out can pick what it needs."
            ),
        },
        "An untrained first layer added {random} to the accuracy on the pixels, which was {pixels:.3f} in the median. "
        "So most of the gain needs no training.\n\nNor does it need filters: it comes with the bends. Without their "
        "ReLU, the same random filters added hardly anything ({bends}), because a linear read-out can make no more of "
        "8 · 64 sums than of the 64 pixels that they sum. As many random ReLU units, each of which sees the "
        "whole image, did as well as the filters (difference: {dense}). Two more random layers added nothing, and two "
        "more trained ones added a little.",
        lambda pixels, untrained, trained, **_: (
            1 if untrained < pixels else 2 if trained - pixels > 2 * (untrained - pixels) else 3
        ),
    ),
    "03b.deep": Prediction(
        {
            "three layers, in both cases": "Three layers see more of the image, and they compose. But where every "
            "place is read, the output layer can make up for that.",
            "three layers, but only where means are read": (
                "Where means are read, the filters have to do the work, and three layers see more of the image."
            ),
            "one layer of 3×3 does as well in both": "Where every place is read, the output layer has nearly all of "
            "the parameters, and does the work for both. But where means are read, it has only few.",
        },
        "Where every place is read, one layer had {shallow:.3f} of the digits right, and three layers gained little or "
        "nothing: {lead}.\n\nFrom the means alone, one layer had {shallow_means:.3f} right, and three layers gained "
        "{lead_means}.",
        lambda deep, shallow, deep_means, shallow_means, **_: (
            1 if deep - shallow > 0.01 else 2 if deep_means - shallow_means > 0.01 else 3
        ),
    ),
}
register(PREDICTIONS, of_blanks=BLANKS)
