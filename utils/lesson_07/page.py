"""What lesson 07's pages use, under one name, and their predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

# the path
from utils.lesson_07.blanks import BLANKS
from utils.lesson_07.networks import digits, plain, stream, wrong_share
from utils.lesson_07.path_figures import (
    by_depth,
    card,
    courses,
    crossing,
    curves_answer,
    leads,
    longer_answer,
    sketches,
    steps_by_depth,
    treated,
)
from utils.lesson_07.patients import PATIENTS, history, patient_controls, treat

# 07a
from utils.lesson_07.skips import (
    KINDS,
    LITTLE,
    TOGETHER,
    angle_answer,
    in_blocks,
    listed,
    network,
    one_input,
    removed_answer,
    shatter_answer,
)
from utils.lesson_07.skips_figures import correlations, slope_curves, two_inputs, without_a_block

# 07b
from utils.comparison import score
from utils.lesson_07.capacity import parts, sum_parts
from utils.lesson_07.capacity_figures import aids, aids_answer, learning_curves, print_shapes
from utils.lesson_07.descent import noisy_digits
from utils.lesson_07.descent_figures import peak_answer, peaks, print_ridges, ridged, trained_answer, widths

# 07c
from utils.lesson_07 import images, readings, texts
from utils.lesson_07.images import larger, median
from utils.lesson_07.images_figures import deep_filters, two_dots
from utils.lesson_07.texts import Reader, median_of_one
from utils.lesson_07.texts_figures import stacked_readers
from utils.reviews import WORDS, decode, encode, reviews
from utils.pages import Prediction, register

PREDICTIONS: dict[str, Prediction] = {
    # the path
    "07.before-default": Prediction(
        {
            "it explodes": "It would if the weights were too large. But PyTorch's are too small for ReLU.",
            "it stays about as large": "That takes a gain of √2. PyTorch's default weights have a gain of only 1/√3.",
            "it vanishes": "Each layer divides the mean square by six, so fifty of them leave nearly nothing.",
        },
        "",
        3,
        question="Fifty ReLU layers start from PyTorch's weights. What happens to the gradient on its way back?",
    ),
    "07.before-gain": Prediction(
        {
            "1": "Then the sums are as large as the inputs. But ReLU keeps only half of their mean square.",
            "√2": "Its square is 2, which makes up for the half that ReLU drops.",
            "2": "Its square is 4, which in every layer is twice what ReLU takes away.",
        },
        "",
        2,
        question="With which gain does a ReLU layer without biases keep the mean square of its signal?",
    ),
    "07.before-orthogonal": Prediction(
        {
            "their gain is larger": "A larger gain would carry the signal further. But both had a gain of 1.",
            "a rotation shrinks no direction": "Gaussian matrices stretch some directions and shrink others, and "
            "after a hundred of them hardly more than one direction is left.",
            "their units are not all alike": (
                "Units with Gaussian weights are not all alike either. What differs is what the weights do to "
                "directions."
            ),
        },
        "",
        2,
        question="A hundred tanh layers learned from orthogonal weights, but hardly from Gaussian ones. Why?",
    ),
    "07.patients": Prediction(
        {
            "only C's": "You are right about C: its training error is 0 already. But A's was still falling when its "
            "steps ran out.",
            "A's and C's": "A was still on its way, and C had arrived. But B gets no signal to learn from, however "
            "long it waits.",
            "B's and C's": "C did not move at first either, so B might seem to need only time. But B has more than "
            "twice the layers, and nothing to learn from gets through them.",
            "all three": "More steps do help a network that learns slowly. But B does not learn at all.",
        },
        "*A* is **slow**. Its training error was {slow}, and {healed} after ten times the steps (medians, each at its "
        "best rate). On held-out images it was still behind one layer, by {unseen}.\n\n*B* is **blind**: after ten "
        "times the steps its training error was {blind}.\n\n*C*, with 21 layers, was blind at first, then **fitted**.",
        2,
    ),
    "07.start": Prediction(
        {
            "no: without the sum it stays as slow as A": (
                "The sum gets all the credit, so this is tempting. But at the start, a matrix near the identity "
                "hands on h just as a sum does."
            ),
            "it gets about half as far": (
                "Half of the change might well bring half of the cure. But what counts is what gets through at the "
                "first step, and nearly nothing is lost there."
            ),
            "yes, it does": (
                "At the start each layer hands on nearly what it got, as a block with a skip does, so signals and "
                "gradients get through."
            ),
        },
        "Yours missed a share of {yours:.2g} in its last pass. Tuned, over several seeds, such networks missed {near}. "
        "They trained with twice the width and with 201 layers, too.\n\nNo sum, no normalisation. For training, **a "
        "skip is a place to start.**",
        lambda yours, **_: 3 if yours < 0.05 else 2 if yours < 0.5 else 1,
    ),
    "07.unseen": Prediction(
        {
            "the one with skips": (
                "Both fit their training images, but that does not make them agree on new ones. Why this one does "
                "better, we have not found out."
            ),
            "there is no difference": (
                "In the training error there is hardly any. But two networks that fit the same images need not agree "
                "on others."
            ),
            "the plain one near the identity": (
                "It has no fixed sum, so it is free to move away from its start. But that did not make it better on "
                "new images."
            ),
        },
        "The network with skips missed less, by {difference}. Even after ten times the steps, the plain one was behind "
        "one hidden layer.\n\nDoes the sum explain this? There is no ReLU after the sums, either. Put one there, as He "
        "et al. first did, and the error rises by {relu}. The sum alone does not do it.",
        1,
    ),
    "07.curves": Prediction(
        {
            "sketch 1": "This is what you would hope for. But after so few steps, deep plain networks have not even "
            "fitted.",
            "sketch 2": "This is the textbook curve, where too much capacity overfits. But the deep ones here "
            "underfit.",
            "sketch 3": "Both rise, because the deeper networks have not learned their own training images yet.",
            "sketch 4": "That would be overfitting. It takes a training error of 0, and the deepest are far from it.",
        },
        "The training error was {shallow:.2g} with one layer and {deep:.2g} with 51 (medians). That is not "
        "overfitting.",
        lambda deep, **_: 3 if deep > 0.02 else 4,
    ),
    "07.longer": Prediction(
        {
            "sketch 1": "You are right about the training error. But the held-out error does not come down with depth.",
            "sketch 2": "This is the textbook curve again. But for that, a few more layers would have to help, and one "
            "layer is as good as any number.",
            "sketch 3": "That was true after few steps. But with ten times as many, the training error is about 0 at "
            "every depth.",
            "sketch 4": "With enough steps all fit, or nearly. But the deeper ones are still worse on new images.",
        },
        "With 51 layers the training error was {training:.2g}. The held-out error was {shallow:.2g} with one layer "
        "and {deep:.2g} with 51 (medians).\n\nSo the higher *training* error was slowness.",
        lambda training, **_: 3 if training > 0.02 else 4,
    ),
    "07.growth": Prediction(
        {
            "about as large": "He's weights do keep the size from one plain layer to the next. But each block adds "
            "to the stream, and nothing takes anything away.",
            "about 25 times": (
                "That would be true if each block added the same amount. But a branch grows with the stream that "
                "enters it, so each block adds more than the last."
            ),
            "about a thousand times": "It is a power, yes. But each block adds twice the mean square to what is there, "
            "so it triples the mean square.",
            "more than a hundred thousand times": (
                "Each block adds a branch with twice the stream's mean square, so it triples the mean square. The "
                "square root of 3 to the 25th power is large."
            ),
        },
        "The formula says {formula:,.0f} times. This cell's stream grew {measured:,.0f} times.",
        lambda measured, **_: 1 + sum(measured > limit for limit in (5, 200, 100_000)),
    ),
    "07.tasks": Prediction(
        {
            "both grow": (
                "More steps do bring out what a network can do. But one layer can draw the board as well: it had "
                "only started worse and learned more slowly."
            ),
            "the board's grows, the game's goes": (
                "The board's lead was the clear one, so it looked safe. But the board is the task that one layer "
                "with many units can do as well, only later."
            ),
            "the board's goes, the game's grows": "One layer can draw the board as well, so five layers led only by "
            "their start and their speed. In the game, a few layers get far with few units, and one layer does not.",
            "both go": "Time does heal slowness. But in the game, time is not what one layer lacks.",
        },
        "On the board one layer caught up: its error minus that of five layers was {board}. From first weights four "
        "times as large, which five layers could choose too, it led even after few steps: {starts}. In the game, made "
        "for depth, it fell far behind: its error over that of five layers was {game}.\n\nSo ask what happens to a "
        "lead with more steps and another start, and for whom the task was made.",
        3,
    ),
    # 07a
    "07a.shatter": Prediction(
        {
            "only the two with a skip": (
                "A skip does pass every slope on. But what is added to it, block after block, can drown it."
            ),
            "only the scaled skip": (
                "Its blocks change little, so slopes stay nearly as they were. But a layer can change little without "
                "a skip, too."
            ),
            "the scaled skip, and the one without a skip": (
                "In both, each layer changes little: one adds a small branch, the other adds a small matrix to the "
                "identity."
            ),
            "all three": (
                "All three do pass something on. But where branches are as large as the stream, what is passed on is "
                "soon a small part of the sum."
            ),
        },
        "Your medians: {yours}. In the experiment, the medians of {seeds} seeds were {skip:.2f} for the skip alone, "
        "{scaled:.2f} for the scaled skip, {near:.2f} near the identity and {plain:.2f} for plain layers. Scaled skips "
        "were ahead of plain layers by {kept}. So at these biases the wire alone slows the shattering down, and small "
        "changes stop it even without a wire.\n\nWith a standard deviation of 1 for the biases, the correlations were "
        "{large_skip:.2f} with the skip alone, {large_scaled:.2f} with the scaled skip, {large_near:.2f} near the "
        "identity and {large_plain:.2f} plain. With 0.1 they were {small_skip:.2f}, {small_scaled:.2f}, "
        "{small_near:.2f} and {small_plain:.2f}. So how much the wire alone does depends on the biases, but small "
        "changes stop the shattering at all three.\n\nMust each layer do little, then? Number the units of every layer "
        "anew: W = P(I + He/√depth), with a random permutation P. Each layer now changes a lot, and yet nothing has "
        "changed: relu(Pz) = P relu(z), so this is the network near the identity under other names. Now let P be a "
        "random rotation times √2, because relu takes away half of the mean square of what was rotated. Then the "
        "correlation falls, by {rotated}: slopes shatter. So slopes stay together in those of these networks whose "
        "layers do little, up to the numbering of their units.\n\nBalduzzi et al. found the same order in a model in "
        "which units switch at random: with L layers the correlation is 1/2ᴸ in plain networks, (3/4)ᴸ with skips "
        "alone, and falls like 1/√L where batch normalisation holds the branches down as well. Only the order is the "
        "same: for 51 plain layers 1/2ᴸ is 4·10⁻¹⁶.",
        lambda skip, scaled, near, **_: {(True, True, False): 1, (False, True, False): 2, (False, True, True): 3}.get(
            (skip > TOGETHER, scaled > TOGETHER, near > TOGETHER), 4
        ),
    ),
    "07a.angle": Prediction(
        {
            "about 0, whether f is 1 or 1/√25": (
                "The skip does pass both inputs on as they are. But what the branches add has more and more in common."
            ),
            "below 0.5 for f = 1/√25, above 0.8 for f = 1": (
                "Large branches soon outweigh the two inputs, and what comes out of relu has a cosine above 0. Small "
                "branches add up to a bounded sum."
            ),
            "above 0.8 for f = 1/√25, below 0.5 for f = 1": (
                "Large branches do change the inputs more. But a relu brings two inputs closer. It does not drive "
                "them apart."
            ),
            "above 0.8 for both": (
                "Plain layers would do that. But the smaller a branch is, the less it adds of what relu makes common."
            ),
        },
        "Theory, from your cell, says {yours[0]:.2f} for f = 1/√25 and {yours[1]:.2f} for f = 1. At width 300 we "
        "measured {scaled:.2f} and {skip:.2f} (medians of {seeds} seeds). After as many plain layers, it was "
        "{plain:.2f}. (Scaled skips minus theory is {theory}, plain layers minus scaled skips is {apart}.) Dividing "
        "blocks by √3, as in section 1, changes no cosine.\n\nSo the wire alone merges inputs as well, only more "
        "slowly. Scaled branches stop that: for a thousand blocks your cell says {longer:.2f}, hardly more. (Hayou et "
        "al. 2021 prove that infinitely wide ReLU networks with scaled branches tell inputs apart at any depth.) But "
        "look at the network near the identity, for which this theory does not hold: its cosine is {near:.2f}, far "
        "above scaled skips'. Its first relu already lifts a cosine of 0 to 1/π, and positive signals stay close.",
        lambda skip, scaled, **_: (
            2 if scaled < 0.5 and skip > 0.8 else 3 if skip < 0.5 and scaled > 0.8 else 4 if scaled > 0.8 else 1
        ),
    ),
    "07a.removed": Prediction(
        {
            "the two with a skip": (
                "With a skip something still arrives when a branch is gone. But large branches are most of what "
                "arrives."
            ),
            "only the scaled skip": "Each of its branches does add little. But layers without a skip can change "
            "little, too.",
            "the scaled skip, and the one near the identity": (
                "In both, each block changes little, so the next one hardly notices when it is gone."
            ),
            "all four": (
                "Training might have made all of them robust. But nothing asked for that, since no block was ever "
                "missing."
            ),
        },
        "Your losses: {yours}. In the experiment (medians of {seeds} seeds), plain layers from He's weights lost "
        "{plain:.2f}, those near the identity {near:.3f}, skips alone {skip:.2f} and scaled skips {scaled:.3f}. So a "
        "network needs no wire to do without a block, and the wire alone is not enough. Where little is lost, each "
        "block changes little.\n\nAnd near a permutation (section 1)? Whole, this is the network near the identity "
        "under other names, and it learns as well. But without a block the units' numbers no longer match, and that "
        "costs {permuted}.\n\nAnd how well had the networks learned? Whole, at this one rate, plain layers got "
        "{whole_plain:.2f} of the held-out digits right, those near the identity {whole_near:.2f}, skips alone "
        "{whole_skip:.2f} and scaled skips {whole_scaled:.2f}. So plain layers, which lost much, had also learned "
        "less. But given ten times the steps, they got most digits right, too, and still lost {longer}. And the angles "
        "of section 2 do not decide it: the network near the identity merges inputs, and learns all the same.",
        lambda near, skip, scaled, **lost: {
            (False, False, True, True): 1,
            (False, False, False, True): 2,
            (False, True, False, True): 3,
        }.get((lost["plain"] <= LITTLE, near <= LITTLE, skip <= LITTLE, scaled <= LITTLE), 4),
    ),
    # 07b
    "07b.peak": Prediction(
        {
            "it falls all the way, more and more slowly": (
                "More features do express more. But from some number on all training digits are fitted, and an "
                "exact fit may take very large weights."
            ),
            "it stays where it is, once all training digits are fitted": (
                "The training error does stay at 0. But each number of features has another fit, with other errors "
                "on new digits."
            ),
            "it falls, then rises, and goes on rising": (
                "This is the textbook's curve: too many parameters overfit. But the curve stops where the examples "
                "are just fitted. With more features, there is a choice among fits."
            ),
            "it falls, rises, and falls again": (
                "With just enough features there is only one fit, and its weights are huge. With more features "
                "there are many fits, and least squares takes the shortest."
            ),
        },
        "With right labels, the held-out error was {first:.3f} at the first minimum and {middle:.2f} with as many "
        "features as examples (medians of {seeds} seeds). With ten times as many features, it fell below the first "
        "minimum, by {second}. With a fifth of the labels drawn anew, it was {wrong_first:.3f}, then "
        "{wrong_middle:.2f}, then {wrong_last:.3f}, so the second descent only came back to about where the first one "
        "ended.\n\nBelkin et al. (2019) named this *double descent*, and drew it for random features, among others. "
        "The peak has been known since Vallet et al. (1989; Loog et al. 2020 tell the story). With as many features as "
        "examples, there is in general exactly one fit without error, whatever weights it takes. With more features "
        "there are many such fits, and the shortest one gets shorter. The next section looks at what makes it long.",
        lambda first, middle, last, **_: (
            (4 if last < middle - 0.01 else 3) if middle > first + 0.01 else 2 if last > first - 0.01 else 1
        ),
    ),
    "07b.trained": Prediction(
        {
            "yes, by .02 at least": (
                "That is what least squares does. But it cannot stop before it has fitted, and takes whatever "
                "weights it needs. Training starts from small ones."
            ),
            "no, it is within .02": (
                "A trained hidden layer, stopped after a number of epochs, need not behave like a fixed one that is "
                "fitted exactly."
            ),
            "no, it is lower by .02 at least": (
                "A wider network does find more ways to fit, and smoother ones. But whether that already counts at "
                "just this width is another question."
            ),
        },
        "With a fifth of the labels drawn anew, networks began to fit at width {width}. We took the worst held-out "
        "error from there to width {last} and subtracted that of the best narrower network: {rises} (median; a peak "
        "would make it positive). Where they began to fit with two fifths drawn anew, the difference was {more:.3f}, "
        "and with right labels {right:.3f}.\n\nThat does not make it harmless to fit wrong labels. At width {width}, "
        "with the rate chosen on validation data, the held-out error was {tuned:.3f} instead of {one:.3f}, and "
        "{unfitted:.0%} of the training labels were still missed, about as many as are wrong. Nor does it show that "
        "trained networks never have a peak, only that counting parameters does not tell you where one is.",
        lambda rise, **_: 1 if rise >= 0.02 else 3 if rise <= -0.02 else 2,
    ),
    "07b.aids": Prediction(
        {
            "none": (
                "Each remedy is prescribed so often that this seems odd. But a network whose rate is tuned on "
                "validation data has little left to gain."
            ),
            "one or two": "They do act on different things (weights, units, time), so they need not do equally "
            "well. But each also keeps the network from fitting right labels.",
            "three or four": (
                "They are meant to keep the network from fitting wrong labels. But each also keeps it from fitting "
                "right ones."
            ),
            "all five": (
                "All are meant to keep the network from fitting wrong labels. But each also keeps it from fitting "
                "right ones."
            ),
        },
        "The seeds show this for {count} of the five. Without a remedy, the held-out error was {none:.3f}. With L2 it "
        "was {l2}, with weight decay {decay}, with L1 {l1}, with dropout {dropout}, with early stopping {early}. (All "
        "are medians of {seeds} seeds. Brackets say by how much the remedy lowered the error, seed by seed, with the "
        "interval.)\n\nBefore measuring, we had claimed at least .01 for each. No interval lies above .01, not even "
        "L2's ({most}), which lowered the error most. A remedy whose whole interval is above 0 helps a little. The "
        "network without a remedy had its rate chosen on validation data, too.",
        lambda count, **_: 1 if count == 0 else 2 if count <= 2 else 3 if count <= 4 else 4,
    ),
    # 07c
    "07c.sums": Prediction(
        {
            "it falls: more layers see more": (
                "More layers do see more, and see it in more steps. But first they have to learn."
            ),
            "it rises, but not with skips": (
                "A sum lets signal and gradient through at every depth, and on these digits three layers do nearly "
                "as well as many."
            ),
            "it rises, with skips too": "That would be true if depth itself did the harm. But with skips the depth "
            "stays, and the harm goes.",
            "it hardly changes": (
                "Each net is small, and so are the images. But what slows deep networks down is the number of their "
                "layers."
            ),
        },
        "After {epochs} epochs, 21 layers without skips missed {plain:.2f} (median), so the skips led by {skips}. With "
        "skips, 21 layers missed {deep:.3f} and three layers {three:.3f}. When networks of 21 layers trained three "
        "times as long, the skips led by {longer}: some of the lead was speed. And the start? Plain layers near the "
        "identity (filters that hand each map on as it is, plus He's over the square root of the depth) also learn, "
        "but their error exceeded that with skips by {start}. So skips make depth trainable here. We have not seen "
        "that depth buys anything once it trains.",
        2,
    ),
    "07c.layers": Prediction(
        {
            "both get nearly all right": (
                "The rule is short, and both could hold it. But that does not mean that a few examples lead to it."
            ),
            "four layers get far more right than one": (
                "More layers could compute more. But the rule needs no more than one bit, kept from word to word."
            ),
            "both get about half right": (
                "The rule is only one of many ways to fit so few reviews, and training finds one of the others."
            ),
        },
        "On new reviews, the error of four layers was {few}. One layer's median error was {one:.2f}, because in some "
        "draws it begins to find the rule. Yet it had **fitted** the reviews that it learned from (training error: "
        "{fitted}). With four times the reviews and as many steps, its error was {many}. Four layers needed more "
        "steps: with four times as many, their error came down to {longer}. A stack was not what was missing.",
        3,
    ),
}
register(PREDICTIONS, of_blanks=BLANKS)
