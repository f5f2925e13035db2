"""What lesson 08's pages use, under one name, and their predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

import math

# the path
from utils.lesson_08.baselines import digits
from utils.lesson_08.blanks import BLANKS
from utils.lesson_08.guesses import GUESSES, gaps, predictions
from utils.lesson_08.path_figures import by_depth, card, changes, promises, runs
from utils.lesson_08.rules import FOLKLORE, MEASURED, PROVED
from utils.lesson_08.table import (
    RATES,
    STUDIO,
    airfoil,
    build,
    crossvalidated,
    kept,
    rms,
)

# 08a
from utils.data import load_table
from utils.lesson_08.flaw_draws import SMALL, on_settings, one_arm, put_out, wild
from utils.lesson_08.flaw_figures import flaw_answer, leads_d, leads_i
from utils.lesson_08.flaws import errors, mended, wide_enough
from utils.models import mlp_parameters

# 08b
from utils.drawing import draw_points
from utils.lesson_08 import capstone
from utils.lesson_08.capstone_figures import (
    best_planes,
    draw_digits,
    draw_spirals,
    draw_teachers,
    drawn_plane,
)
from utils.lesson_08.small_networks import (
    as_text,
    best_of,
    best_records,
    in_three,
    print_failed,
    print_known,
    rounded,
    starts,
    tried,
)
from utils.pages import Prediction, register

PREDICTIONS: dict[str, Prediction] = {
    # the path
    **predictions(),
    "08.before-slow": Prediction(
        {
            "it is blind": "It has not got far, so this is tempting. But a blind network's error stays at guessing.",
            "it is slow": "Between guessing and 0, it is on its way, and more steps may get it there.",
            "it has fitted too well": "That takes a training error of 0, and this one is only half-way there.",
        },
        "",
        2,
        question="A deep network's training error has come half-way down when its steps are used up. What is it?",
    ),
    "08.before-start": Prediction(
        {
            "skips": "Skips work, but these layers had none: even a plain network can learn.",
            "a start near the identity": (
                "They started as the identity plus small random weights, so each layer handed on most of what it got."
            ),
            "LayerNorm on every layer": (
                "It keeps the signal's size, so this is tempting. But by itself it did not heal the network in those "
                "steps."
            ),
        },
        "",
        2,
        question="Fifty plain layers, without skips: what let them learn the digits in a few hundred steps?",
    ),
    "08.before-neighbours": Prediction(
        {
            "more than one layer": (
                "Voting takes no training, so it is tempting to expect little of it. But the neighbours missed fewer."
            ),
            "fewer than five layers, more than one": "The neighbours beat five layers, but one layer, too.",
            "fewer than any network there": "Digits that are alike lie near each other, and there are many of each.",
        },
        "",
        3,
        question="On the digits, three nearest neighbours voted. How many did they miss?",
    ),
    "08.promise": Prediction(
        {
            "by less": (
                "Once the choice is made, the network learns from a third more rows, so this is tempting. But none of "
                "them is of that run."
            ),
            "by about as much": (
                "That is what cross-validation is for: each row was predicted by a network that had not seen it. But "
                "that network had seen the row's neighbours in the same run, at frequencies a little higher and lower."
            ),
            "by a fifth more or worse": (
                "Where a fold holds out single rows, a network has seen the same run at nearby frequencies. Of a new "
                "run it has seen nothing."
            ),
        },
        "On new runs, the error was {rows} times what folds of rows had promised, and {runs} times what folds of runs "
        "had promised.",
        3,
    ),
    "08.depth": Prediction(
        {
            "yes, as on new rows": (
                "On new rows there was a lead, so this is tempting. But those were rows of runs that the network knew."
            ),
            "no lead will show": "On new runs, depth gains less than single training runs differ by.",
            "it will be behind": (
                "What helps on known runs may well do harm on new ones. In these divisions of the table it did not."
            ),
        },
        "In decibels, one layer's error was above the best deeper network's by {rows} on new rows, and by {runs} on "
        "new runs.",
        2,
    ),
    "08.change": Prediction(
        {
            "none": (
                "Many changes do nothing. But this network misses new runs by far more than its own rows, and one of "
                "the changes is made for that."
            ),
            "twice the steps": (
                "More steps help a network that misses its own rows as much as new ones. This one misses new runs by "
                "far more."
            ),
            "weight decay": "It keeps the weights small, and so keeps the curve between the runs smooth.",
            "hertz": (
                "The wind tunnel's own units look more honest. But in hertz, low frequencies crowd together: the "
                "network has to sort them out by itself, and gains nothing."
            ),
        },
        "Weight decay lowered the error on new runs by {decay} decibels.",
        3,
    ),
    "08.rule-funnel": Prediction(
        {
            PROVED: "It is repeated often enough to sound like a theorem. But we know of no proof.",
            MEASURED: "It would be easy to measure. But no lesson compared a funnel with equal widths.",
            FOLKLORE: "Many books have it, and we have not tested it.",
        },
        "",
        3,
        question="“Make it a funnel: each layer half as wide as the one before.”",
    ),
    "08.rule-narrow": Prediction(
        {
            PROVED: "Inputs that the layer maps to one point stay one point, whatever follows.",
            MEASURED: "We did measure it. But a proof says more: it holds for every network.",
            FOLKLORE: (
                "It sounds like a saying. But it is a theorem: excursion 02a has a floor below which no error goes."
            ),
        },
        "",
        1,
        question="“What a narrow linear layer loses, no later layer brings back.”",
    ),
    "08.rule-underfit": Prediction(
        {
            PROVED: "It cannot be proved, because it often fails.",
            MEASURED: "We measured the opposite: at equal steps, the deepest plain networks fitted worst.",
            FOLKLORE: "A deeper network can do more. Whether it does so in your steps is another matter: lesson 07.",
        },
        "",
        3,
        question="“It underfits? Add layers.”",
    ),
    "08.flaw-a": Prediction(
        {
            "theory of another limit": (
                "No theory is used here: the classifier is fitted to some of these rows, and judged on the others."
            ),
            "held-out data leaked": (
                "Each fit sees only its four folds. But the ten inputs were picked with all labels, those of the "
                "held-out rows among them."
            ),
            "no held-out data": (
                "There is some: each of the five folds is judged by weights that were fitted to the other four."
            ),
            "none: it is sound": "The cross-validation itself is right. But look at the line before it.",
        },
        "There was nothing to learn: inputs and labels are noise. Ten inputs that were chosen with all labels missed "
        "{told_first.rounded}; chosen anew in each fold, from its training rows, they missed {mended_first.rounded}. "
        "Whatever looks at labels belongs inside the fold (Ambroise & McLachlan 2002).",
        2,
    ),
    "08.flaw-b": Prediction(
        {
            "one draw": "The weights of two hundred networks go into the formula, so no single draw decides.",
            "wrong loss": "Nothing is trained here, and the mean square is what it is said to be.",
            "none: it is sound": (
                "He's weights do keep the mean square: on average over draws, at any width. But does an average say "
                "what a typical network does?"
            ),
            "theory of another limit": (
                "In a very wide layer, the mean over units is nearly the same in every network. With five units, it "
                "differs from network to network."
            ),
        },
        "The typical network's mean square was {mended_first.rounded} after two layers and {mended_other.rounded} "
        "after thirty: in some layer all five units are off. He's weights keep only the average over all draws, in "
        "which a few huge signals make up for the many dead ones. Two hundred draws seldom hold a huge one.",
        4,
    ),
    "08.flaw-c": Prediction(
        {
            "two things changed": (
                "Depth and width both change, that is true. At equal parameters they must: more layers have to be "
                "narrower."
            ),
            "rates not tuned": (
                "The sides do end up with different rates. But each has its own best from the same grid, chosen on "
                "validation data, and that is what a fair comparison tunes."
            ),
            "one draw": "There are ten seeds, each with points and weights of its own.",
            "none: it is sound": (
                "What differs besides depth has to differ: the width, because parameters are equal, and the rate, "
                "because each side gets its best."
            ),
        },
        "After 200 steps, three layers led by {lead}. After 1,000 steps the lead was {longer}: it was speed. "
        "Accusing a sound experiment is as much a mistake as believing a flawed one.",
        4,
    ),
    # 08a
    "08a.d": Prediction(
        {
            "one draw": "There are ten seeds, each with points and weights of its own.",
            "unequal budgets": (
                "At the same width, three layers are a larger budget, because most weights lie between hidden layers."
            ),
            "chosen on held-out data": "Nothing was chosen: there is only one width, and one rate.",
            "none: it is sound": "Width, rate, steps and data are all the same. But count the parameters.",
        },
        "One layer of 12 units has {one} parameters, three such layers have {three}. As told, three layers led by "
        "{told}. Against one layer of {wide} units, which costs as much, they led by {mended}. So most of the lead was "
        "size. A little was depth, at this budget and with one rate for both.",
        2,
    ),
    "08a.c": Prediction(
        {
            "no held-out data": (
                "There is some: the outputs are those for held-out points, and nothing was fitted to them."
            ),
            "best of several draws": "Nothing was picked: all five networks are there, at both times.",
            "wrong loss": (
                "cross_entropy wants the outputs themselves, and applies the softmax itself. Here it is applied twice."
            ),
            "none: it is sound": (
                "The numbers do say that nothing changes. But look at what PyTorch's function is given."
            ),
        },
        "Probabilities lie between 0 and 1, so for two classes the second softmax never gives more than $e/(e+1)$, and "
        "the loss cannot fall below $\\ln(1 + e^{{-1}})$ = {floor:.4f}, however good a network is. With one softmax, "
        "the loss rose between the two times: the earlier loss over the later one is {mended}.\n\n"
        "Your five networks miss {early:.3f} of the points after 100 steps, and {late:.3f} after 1,000. But they have "
        "become surer of their errors, and being confidently wrong costs much. The second softmax hides just that.",
        3,
    ),
    "08a.n": Prediction(
        {
            "rates not tuned": (
                "The grid is the same for both. But a best rate at the end of a grid says only that the grid is too "
                "short, and both sides choose the last one."
            ),
            "unequal budgets": (
                "The shapes differ, so it is right to count: the three layers have a few parameters fewer."
            ),
            "chosen on held-out data": (
                "There is a choice, but it is made on validation points, and what is reported comes from others."
            ),
            "none: it is sound": "The same grid, validation data, ten seeds. Which rate does each side choose?",
        },
        "As told, three layers led by {told}. When the grid goes on, for each side until its last rate is not its "
        "best, their lead is {mended}: now one layer leads. It likes larger rates than three layers do, and the grid "
        "ended before it reached them.\n\nThe same grid for both is not yet the same chance for both.",
        1,
    ),
    "08a.i": Prediction(
        {
            "two things changed": "The biases are all that differs, and they are what is compared.",
            "no held-out data": (
                "There are held-out points, and no weight is fitted to them. But look how the points were made."
            ),
            "held-out data leaked": (
                "No held-out point is trained on. But each has a twin, and most of the twins are trained on."
            ),
            "none: it is sound": "The split is random, and the penalty is the same. But look how the points were made.",
        },
        "The second arm is the negative of the first, noise and all. And tanh without biases makes an odd function, "
        "$f(-x) = -f(x)$: what it learned about a point's twin, it knows about the point. As told, tanh without biases "
        "led by {told}. Without held-out points' twins in the training set, its lead was {mended}.\n\nAn odd function "
        "does know that each arm is the other's negative, and where each arm has noise of its own, so that no point "
        "has a twin, that still helped.\n\nA random split is not enough where examples come in pairs or groups: two "
        "eyes of a patient, ten frames of a film, a picture and its mirror image. Split whole groups.",
        3,
    ),
    "08a.g": Prediction(
        {
            "unequal budgets": (
                "Each side has forty settings, so both had the same chance. But look how each side chose."
            ),
            "chosen on held-out data": (
                "For three layers, the least of forty held-out errors is reported. Choosing is what validation errors "
                "are for."
            ),
            "one draw": "Each error counts four hundred examples, so even a single one is quite precise.",
            "none: it is sound": (
                "Forty settings each is what fair tuning looks like. But look how the winners were chosen."
            ),
        },
        "Nobody could have learned anything: in this experiment every error is counted from tosses of a coin. As "
        "told, three layers led by {told} all the same. When both sides chose on validation data, and were then judged "
        "on held-out data, the lead was {mended}.\n\nThe least of many held-out errors is an error that was lucky.",
        2,
    ),
    # 08b
    "08b.few": Prediction(
        {
            "about 200": (
                "Wide networks learn spirals at once, so it is tempting to think that they need the width. They do not."
            ),
            "about 80": "A couple of dozen units in one layer follow the spirals easily. But not every unit is needed.",
            "about 25": (
                "Few units are enough if a second layer bends what the first has already bent. But such networks are "
                "hard to find."
            ),
        },
        "The smallest network that we know has {fewest} parameters: {sizes}, {activation}. It is the best of many "
        "starts, and most of the others get stuck.",
        lambda fewest, **_: 1 + min(range(3), key=lambda place: abs(math.log(fewest / (200, 80, 25)[place]))),
    ),
    "08b.depth": Prediction(
        {
            "one": (
                "One layer of tanh units is the easiest to train. But each unit is a single straight wave front, and a "
                "spiral takes many of them."
            ),
            "two": "The second layer takes the first layer's fronts as its inputs, and bends them.",
            "three": (
                "Narrow layers cost few parameters, so this is tempting. But a layer of two or three units passes "
                "little on, and training such networks mostly fails."
            ),
        },
        "The smallest network that we know with one hidden layer has {one} parameters; the smallest of all has "
        "{fewest}, in {depth} hidden layers. With about as many, three hidden layers came to the edge of the goal in "
        "one start of very many. A search found all this, and it proves nothing about smaller networks.",
        lambda depth, **_: depth,
    ),
}
register(PREDICTIONS, of_blanks=BLANKS)
