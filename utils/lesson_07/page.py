"""What lesson 07's pages use, under one name, and their predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

# the path
from utils.lesson_07.blanks import BLANKS
from utils.lesson_07.networks import digits, plain, stream
from utils.lesson_07.path_figures import (
    by_depth, card, courses, crossing, curves_answer, leads, longer_answer, sketches, steps_by_depth, treated,
)
from utils.lesson_07.patients import PATIENTS, patient_controls, treat
# 07a
# 07b
# 07c
from utils.pages import Prediction, register

PREDICTIONS: dict[str, Prediction] = {
    # the path
    "07.before-default": Prediction(
        {"it explodes": "It would with weights that are too large. PyTorch's are too small for ReLU.",
         "it stays about as large": "That takes gain √2. PyTorch's default has the root of a third.",
         "it vanishes": "Each layer divides the mean square by six. Fifty of them leave nothing."},
        "", 3,
        question="Fifty ReLU layers, as PyTorch initialises them. What becomes of the gradient on its way back?",
    ),
    "07.before-gain": Prediction(
        {"1": "The sums are as large as the inputs then. But ReLU keeps only half of their squares.",
         "√2": "Squared it is 2, which makes up for the half that ReLU drops.",
         "2": "Its square is 4: twice what ReLU takes off, in every layer."},
        "", 2,
        question="With which gain does a ReLU layer without biases keep the mean square?",
    ),
    "07.before-orthogonal": Prediction(
        {"their gain is larger": "Both had gain 1.",
         "a rotation shrinks no direction": "Gaussian matrices stretch some directions and shrink others, and a "
                                            "hundred of them leave one.",
         "their units are not all alike": "Neither are those of Gaussian weights. What they do to directions differs."},
        "", 2,
        question="A hundred tanh layers learned from orthogonal weights, and hardly from Gaussian ones of the same "
                 "gain. Why?",
    ),
    "07.patients": Prediction(
        {"only C's": "C's is there already. But look at A: its curve has not levelled off.",
         "A's and C's": "A was still on its way, and C had arrived. B gets no signal to learn from, however long it "
                        "waits.",
         "B's and C's": "A curve that does not move at all is no sign of patience: B gets nothing to learn from.",
         "all three": "More steps help who moves. B does not."},
        "*A* is **slow**: training error {slow}, after ten times the steps {healed} (medians, each at the best of "
        "seven rates). On held-out images it is still behind one layer, by {unseen}.\n\n*B* is **blind**: fifty layers "
        "of PyTorch's weights let nothing through. Ten times the steps: {blind}.\n\n*C*, with 21 such layers, was "
        "blind for a while and has **fitted**. More steps cannot mend a training error of 0.",
        2,
    ),
    "07.start": Prediction(
        {"no: without the sum it stays as slow as A":
             "The sum is what everybody points at. But at the start, a matrix near the identity hands on h just as a "
             "sum does.",
         "it gets about half as far":
             "Half of the cure for half of the change? What counts is what arrives at the first step, and there nearly "
             "nothing is lost.",
         "yes, it does":
             "At the start each layer hands on nearly what it got, as a block with a skip does. Signals and gradients "
             "get through, and so do differences between images."},
        "Yours missed a share of {yours:.2g} in its last pass. Tuned, over several seeds: {near}. Twice the width or "
        "201 layers change nothing in that.\n\nNo sum, no normalisation, and the weights may go wherever they like. "
        "**A skip is a place to start.**",
        lambda yours, **_: 3 if yours < 0.05 else 2 if yours < 0.5 else 1,
    ),
    "07.unseen": Prediction(
        {"the one with skips":
             "Both know their training images. The sum still makes a difference to what they do with new ones.",
         "there is no difference":
             "In training error there is hardly any. But two networks that fit the same images need not agree on "
             "others.",
         "the plain one near the identity":
             "It is free to forget its start. That does not make it better on new images."},
        "The one with skips, by {lead}. Ten times the steps do not bring the plain one level with one hidden "
        "layer.\n\nSo the start explains the training, and not all of the rest. Why the sum helps on new images we "
        "have not found out.",
        1,
    ),
    "07.curves": Prediction(
        {"sketch 1": "This is what one hopes for. But after so few steps deep plain networks have not even fitted.",
         "sketch 2": "The curve of the books: too much capacity. Here the deep ones do not overfit. They underfit.",
         "sketch 3": "Both rise: the deeper ones have not learned their own training images yet.",
         "sketch 4": "That is overfitting. It takes a training error of 0, and the deepest are far from it."},
        "Training error with one layer: {shallow:.2g}; with 51: {deep:.2g} (medians). The deepest are worst on images "
        "they are *taught*. That is no overfitting.",
        lambda deep, **_: 3 if deep > 0.02 else 4,
    ),
    "07.longer": Prediction(
        {"sketch 1": "Training error does go to 0. Held-out error does not come down with depth.",
         "sketch 2": "For that, more layers would have to help at first. One layer is as good as any.",
         "sketch 3": "That was slowness: with ten times the steps, training error is about 0 at every depth.",
         "sketch 4": "All fit now, or nearly, and the deeper ones are still worse on new images."},
        "Training error at 51 layers is {training:.2g}. Held-out error goes from {shallow:.2g} with one layer to "
        "{deep:.2g} (medians).\n\nThe higher *training* error was slowness, and went. The gap on new images stays.",
        lambda training, **_: 3 if training > 0.02 else 4,
    ),
    "07.growth": Prediction(
        {"about as large": "Each block adds to the stream, and nothing takes anything away.",
         "about 25 times": "As if each block added the same. But a block's branch is as large as the stream that "
                           "enters it: what is added grows.",
         "about a thousand times": "It is a power, yes. Each block triples the mean square: it adds twice of it.",
         "more than a hundred thousand times": "Each block adds a branch with twice the mean square, so it triples it, "
                                               "and the root of 3 to the 25th power is large."},
        "{formula:,.0f} times by the formula: each block triples the mean square. Measured: {measured:,.0f}.",
        lambda measured, **_: 1 + sum(measured > limit for limit in (5, 200, 100_000)),
    ),
    "07.tasks": Prediction(
        {"both grow": "More steps bring out what a network can do. But was the board's a lead in that, or in how soon "
                      "it is done?",
         "the board's grows, the game's goes": "It is the other way round. Which of the two tasks is one that a layer "
                                               "with many units can do, only later?",
         "the board's goes, the game's grows": "One layer can draw the board as well, only later. The game needs few "
                                               "layers and few units, or very many units.",
         "both go": "Time heals slowness. It does not give one layer what only depth has."},
        "On the board one layer catches up: {board}. (So in lesson 04.) In the game it falls far behind. Its error "
        "over five layers': {game}. That task is made in depth's class.\n\nA lead at one budget says little. Ask what "
        "becomes of it with more steps, and in whose class the task was made.",
        3,
    ),

    # 07a

    # 07b

    # 07c
}
register(PREDICTIONS, of_blanks=BLANKS)
