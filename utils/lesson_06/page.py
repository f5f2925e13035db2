"""What lesson 06's pages use, under one name, and their predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.lesson_06.blanks import BLANKS
from utils.lesson_06.defaults import slide_answer
from utils.lesson_06.edge import four_streams
from utils.lesson_06.edge_figures import (
    accuracies_by_width,
    alive_answer,
    depth_answer,
    depths_reached,
    longer_answer,
    longer_training,
    losses,
    spectra,
    stream_answer,
    streams,
)
from utils.lesson_06.first_aid import aid_answer, digits, patient, repair_controls, treat
from utils.lesson_06.gains_figures import card, gradient_factors, play_gains, tanh_answer
from utils.lesson_06.hundred import hundred_answer
from utils.lesson_06.path_figures import curves, gradients, repairs, slide, treated
from utils.lesson_06.transformers import reader
from utils.lesson_06.transformers_figures import (
    accuracies,
    gradient_answer,
    last_gradients,
    mixtures,
    parts,
    parts_answer,
    train_answer,
)
from utils.lesson_06.zoo import back_answer, bent_answer, digits_answer, print_deep, signal_answer, text_answer
from utils.lesson_06.zoo_figures import dead_units, digits_race, flip_race, shapes, signals, starts_by_rate
from utils.pages import Prediction, register
from utils.training import weight_gradients

PREDICTIONS: dict[str, Prediction] = {
    "06.before-edge": Prediction(
        {
            "both grow, layer by layer, without end": (
                "Weights this large do multiply lengths and gaps. But tanh keeps every output between −1 and 1, so "
                "neither can grow for ever."
            ),
            "the length fades away, and the gap with it": (
                "So it is up to σ = 1, where nothing makes up for what tanh takes off. Beyond it lengths come to rest."
            ),
            "the length settles, and the gap grows until it settles, too": (
                "Above the edge the length rests at q*. Small gaps grow there, until the two are as unlike as any "
                "other pair."
            ),
        },
        "",
        3,
        question="A wide random tanh network has σ = 1.5 and no biases. Through many layers, what becomes of the "
        "length q of its sums, and of a small gap between two inputs?",
    ),
    "06.before-square": Prediction(
        {
            "the gap between two neighbours": (
                "Close, but χ₁ is the average of a square, σ² times that of tanh's squared slope. The gap itself is "
                "multiplied by the root of χ₁."
            ),
            "the mean square of that gap": (
                "A layer multiplies a small gap by slopes and by σ, so its mean square by σ² times the average "
                "squared slope: that is χ₁."
            ),
            "the length q of the sums": (
                "The length has a map of its own. χ₁ is taken where that map rests, and there the length no longer "
                "changes."
            ),
        },
        "",
        2,
        question="Lengths have settled. What does each layer multiply by χ₁?",
    ),
    "06.before-copy": Prediction(
        {
            "another optimiser": (
                "Levenberg–Marquardt, from many starts and on the same examples, found most teachers' weights, up to "
                "the order and the signs of units."
            ),
            "more hidden units": (
                "Units were not missing: a student of the teacher's shape has room for all of it, and wide students "
                "with one layer did worse."
            ),
            "more questions and answers": (
                "Data were not missing: the same examples were enough to find most teachers' weights, with another "
                "optimiser."
            ),
        },
        "",
        1,
        question="A student of the teacher's own shape can copy the teacher exactly. After a million steps Adam had "
        "not. What did it take?",
    ),
    "06.gain": Prediction(
        {
            "about 1, like the inputs": (
                "The sums that go into a layer are as large as its inputs. But what comes out of ReLU lacks all that "
                "was negative."
            ),
            "about a tenth": (
                "ReLU does take something off. But it does so in every layer, and what is left is multiplied fifty "
                "times."
            ),
            "about a thousandth": (
                "A small loss in each of fifty layers would do that. But ReLU's loss is not small: it drops every "
                "negative sum."
            ),
            "less than a millionth": (
                "ReLU drops about half of the squares in each layer, and a half, multiplied fifty times by itself, is "
                "next to nothing."
            ),
        },
        "Size {size:.0e}. Every layer halves the mean square, and there are fifty of them.",
        lambda size: 1 if size > 0.3 else 2 if size > 0.01 else 3 if size > 1e-6 else 4,
    ),
    "06.tanh": Prediction(
        {
            "it vanishes: many units are saturated": (
                "A saturated unit passes on next to nothing. But the steep ones pass on nearly everything, and the "
                "weights multiply that by the gain."
            ),
            "it stays about as large": (
                "The signal stays, because tanh holds it. Nothing holds the gradient: each layer multiplies it, and "
                "no saturation stops that."
            ),
            "it grows ten times or so": (
                "One layer's factor is close to 1. But fifty layers raise it to a power, and that makes much of little."
            ),
            "it grows more than a hundred times": (
                "The steep units, times the gain, make up for the saturated ones and a little more. Fifty layers "
                "raise that little to a power."
            ),
        },
        "In your network it is {yours:,.0f} times as large in layer 1 as in layer 50. The loss's own gradient in "
        "twenty networks, median: {growth} times.\n\nA saturated unit passes on nothing, one in the steep part "
        "everything, and the average of the squared slopes counts. (PyTorch's calculate_gain returns 5/3 for tanh, "
        "which nearly keeps a mean square of 1. By theory the gradient then grows {recommended:.3g}-fold in fifty "
        "layers.)",
        lambda back, **_: 1 + sum(back > limit for limit in (0.1, 5, 100)),
    ),
    "06.slide": Prediction(
        {
            "it explodes: at least ten times as large as with 2 layers": (
                "A factor above 1 makes weights larger, but larger than what? PyTorch's own gain is well below 1."
            ),
            "it stays, within a factor of ten": (
                "With two layers nobody sees χ₁. With fifty it acts 48 times more, so only a χ₁ very close to 1 "
                "leaves the gradient as it is."
            ),
            "it vanishes: between ten and a thousand times smaller": (
                "The gain is below 1, so the gradient loses something in each layer. But there are 48 more of them, "
                "and the biases make the slopes smaller."
            ),
            "it vanishes: more than a thousand times smaller": (
                "The gain is below 1, so each layer takes its share of the gradient, and the biases make the slopes "
                "smaller. 48 more layers raise that to a power."
            ),
        },
        "Your network, with 2, 10 and 50 layers: {yours}. In {seeds} networks: {shallow:.2g} with 2 layers, {deep:.1g} "
        "with 50 (medians; change in powers of ten: {decades}). χ₁ is {chi:.2f}. It is 1 at a factor of {edge:.2f}, "
        "for infinite width; ten units need a little more. So a factor above 1 tells you nothing. The gain "
        "does.\n\n(The slide has no loss: it takes the gradient of the summed outputs. That falls from "
        "{shallow_sum:.2g} to {deep_sum:.1g}.)",
        lambda shallow, deep, **_: (
            1 if deep > 10 * shallow else 2 if deep > shallow / 10 else 3 if deep > shallow / 1000 else 4
        ),
    ),
    "06.aid": Prediction(
        {
            "none": (
                "More of the same does not reach a layer that hears nothing. But what it hears depends on the size of "
                "the weights, and you may change that."
            ),
            "gain √2 only": (
                "It is the only one that keeps the mean square. But Adam divides out a gradient's size, so not all of "
                "it has to arrive."
            ),
            "both gains, and nothing else": (
                "Both let far more through each layer, forwards and back. The other repairs leave the weights as "
                "small as they were."
            ),
            "both gains and something else": (
                "Patience and width help a network that learns slowly. This one is blind, and tanh alone takes "
                "something off in every layer, too."
            ),
        },
        "Share of the held-out digits that is right, each repair at the best of six rates: {best} with gain √2, "
        "{one:.2f} with gain 1 (medians of {seeds} seeds); the best of all others, {same_gain}.\n\nWith gain 1 every "
        "layer still halves the mean square. But Adam divides each gradient by its own size plus 10⁻⁸, so a faint one "
        "does no harm until it is fainter than that. (With 10⁻²⁴ instead even the unrepaired network learns something: "
        "{faint}.)\n\nSo look at the gradients first. If they fall towards the input, or are tiny in every layer, "
        "change the gain.",
        lambda root, one, others, **_: 4 if others > 0.5 else 1 + (root > 0.5) + (root > 0.5 and one > 0.5),
    ),
    "06.hundred": Prediction(
        {
            "both train": (
                "Both keep the gradient's mean square. But a mean over directions says nothing of a single one."
            ),
            "the orthogonal one only": (
                "A rotation keeps every direction. A Gaussian matrix stretches some and shrinks others, and a hundred "
                "of them do so a hundred times."
            ),
            "the Gaussian one only": (
                "More randomness is no help here: a Gaussian matrix stretches some directions and shrinks others, and "
                "a hundred of them do so a hundred times."
            ),
            "neither trains": (
                "At a gain far too small it would be so. But where χ₁ is 1 the gradient reaches the first layer, "
                "however many there are."
            ),
        },
        "Yours: {yours}. With each at the best of six rates, chosen on validation data, medians of {seeds} seeds: "
        "{rotated} of the held-out digits are right from orthogonal weights, {drawn} from Gaussian ones.\n\nSo a "
        "hundred layers train, without skip connections or normalisation. Gaussian weights of gain "
        "1.1, the best of four, and four times the steps get further, and are still behind (difference: {longer}).",
        lambda orthogonal, gaussian, **_: {(True, True): 1, (True, False): 2, (False, True): 3, (False, False): 4}[
            orthogonal > 0.5, gaussian > 0.5
        ],
    ),
    "06a.hundred": Prediction(
        {
            "all six": (
                "Each begins with the gain that keeps a mean square of 1. But at a finite width it strays from 1, and "
                "not every activation brings it back."
            ),
            "all but SwiGLU": (
                "SwiGLU multiplies two numbers that both grow with the signal, so it strays fastest. But it is not "
                "the only one with which larger signals grow further."
            ),
            "all but GELU and SwiGLU": (
                "With both a signal that is a little too large grows further, and one too small shrinks further. The "
                "other four do not drive it away."
            ),
            "only tanh and sigmoid, which saturate": (
                "These two bring a signal back. But ReLU does not drive it away either: it makes of twice the input "
                "twice the output."
            ),
        },
        "The share of networks that keep it within a factor of 100: sigmoid {sigmoid:.0%}, tanh {tanh:.0%}, ReLU "
        "{relu:.0%}, leaky ReLU {leaky_relu:.0%}, GELU {gelu:.0%}, SwiGLU {swiglu:.0%}.\n\nA gain that keeps 1 at 1 is "
        "not enough. At any finite width the signal strays, and what counts is what happens then. Tanh and sigmoid "
        "bring it back, because they saturate. ReLU neither brings it back nor drives it on: twice the input gives "
        "twice the output, so it only wanders. For GELU a larger signal grows and a smaller one shrinks: the value 1 "
        "is a pencil on its tip (powers of ten by which it has moved after a hundred layers: {moved}). SwiGLU "
        "multiplies two numbers that both grow with the signal, so it tips over within a few layers.",
        lambda relu, gelu, swiglu, **_: 4 if relu < 0.5 else 1 if swiglu >= 0.5 else 2 if gelu >= 0.5 else 3,
    ),
    "06a.back": Prediction(
        {
            "none: their gradient is zero": (
                "So it is, and their own weights do not change. But a unit is off for the inputs that it gets, and "
                "these may change."
            ),
            "only some in the first layer": (
                "A unit of the first layer sees the images themselves, which stay as they are. Nothing that could "
                "wake it ever changes."
            ),
            "only some beyond the first layer": (
                "A unit's own weights stay. But beyond the first layer its inputs come from units that go on learning."
            ),
            "some in every layer": (
                "Beyond the first layer, inputs change while other units learn. In the first layer they are the "
                "images, which stay as they are."
            ),
        },
        "At the largest rate, {first_back} of {first} in the first layer, and {later_back} of {later} beyond it.\n\nIn "
        "the first layer it is for ever, and that takes two lines to prove. The gradient of a unit's weights and bias "
        "is a sum over images, and each term has the factor φ'(z), which is 0 for all of them. So plain gradient "
        "descent does not change them; the images do not change either, so the unit is off in the next step, too, and "
        "so on.\n\nEach hypothesis is needed. Beyond the first layer, the unit's inputs are not fixed: the layers "
        "before it go on learning, and can bring it back. Before measuring, we claimed that at the largest rate this "
        "happens in at least half of the networks; these do not decide it (share: {share}). Momentum, Adam and new "
        "images may wake a unit, too. Weight decay of weights and bias alike wakes none in the first layer: it changes "
        "no sign of z.",
        lambda first_back, later_back, **_: 1 + (first_back > 0) + 2 * (later_back > 0),
    ),
    "06a.text": Prediction(
        {
            "σ = 0.01": "Small weights begin slowly, at a rate that suits larger ones. At a rate of its own, such "
            "a network finds the linear map that the flip is.",
            "σ = 1": "Large weights hardly need to move to fit what they have seen. That fits fast, and says "
            "little about images that were not seen.",
            "Glorot": (
                "It keeps signals and gradients through many layers. Here there is one hidden layer, and little to "
                "keep."
            ),
            "He": (
                "It won the table, at one rate for all. It fits the sixteen images, but between them it bends, and the "
                "flip does not."
            ),
        },
        "σ = 0.01: {small:.1e}. σ = 1: {large:.1e}. Glorot: {glorot:.1e}. He: {he:.1e}. (Median errors; powers of ten "
        "by which He's exceeds that of σ = 0.01: {tuned}.)\n\nWhy? The flip is a linear map, and from small weights "
        "training mostly finds just that: in the median, a linear map leaves {line:.0e} of the variance of its outputs "
        "on grey images. He's network fits the sixteen images and mostly bends between them: there it is "
        "{bends:.0e}. It is no merit of small weights as such. Where the target is a random network of eight ReLU "
        "units, which bends itself, both starts are level. And a small start takes time. With "
        "one more hidden layer σ = 0.01 learns nothing in the chapter's epochs, at any rate; in twenty times as many "
        "it is ahead again.",
        lambda small, large, glorot, he, **_: 1 + [small, large, glorot, he].index(min(small, large, glorot, he)),
    ),
    "06a.digits": Prediction(
        {
            "all five, and all five": (
                "With a tuned rate two layers forgive nearly every choice. Twenty do not: each multiplies the "
                "gradient by the same factor."
            ),
            "all five, but fewer by default": (
                "Sigmoid is the hard case: no initialisation here takes care of outputs that are all positive."
            ),
            "four, and as many by default": (
                "The default has a gain well below that of any of them, and twenty layers raise what is lost to a "
                "power."
            ),
            "four, but fewer by default": (
                "Sigmoid loses its gradient at every gain here. The others need a gain near their own, and the "
                "default has a smaller one."
            ),
            "fewer than four": (
                "Twenty layers are many for plain networks. But with the gain near its own an activation need not "
                "lose its gradient in twenty."
            ),
        },
        "{best} of five with the best initialisation, {default} with PyTorch's default.\n\nWith two layers, the choice "
        "hardly matters once the rate is tuned. With twenty, "
        "sigmoid is lost under all four initialisations, as its gradient says. The other four are close. What decides "
        "is the gain: ReLU with He's weights is ahead of ReLU with PyTorch's default by {he}. For ReLU most of "
        "that is speed: after five times as many epochs {longer} is left.",
        lambda best, default, **_: 5 if best < 4 else (1 if best == 5 else 3) + (default < best),
    ),
    "06b.depth": Prediction(
        {
            "yes, on both sides of the edge": (
                "So it was found with other networks. But ξ_c is about the way forward; training needs the way back "
                "as well."
            ),
            "only below the edge": (
                "There one number, χ₁, governs both ways. Above the edge the gradient has a scale of its own, shorter "
                "than ξ_c."
            ),
            "only above the edge": (
                "Chaos does keep inputs apart. But gradients explode there, on a scale that is shorter than ξ_c."
            ),
            "on neither side": (
                "The 6 was read off pictures of other networks, so it might fit nowhere. But some of what decides "
                "depends on ξ_c alone."
            ),
        },
        "Measured depth over 6 ξ_c, on average over five gains: {ordered} below the edge, {chaotic} above it.\n\nBelow "
        "the edge the 6 does well far away, and badly near it. (Before measuring, we had claimed that it fits within "
        "a factor of one and a half.) The measured depth grows more slowly than ξ_c, with this power of it: "
        "{power}. Near the edge ξ_c has no bound; the depth that such networks learn in so few steps has one. Above "
        "the edge 6 ξ_c promises far too much.\n\nThey learn deepest at the edge; far away from it, several times less "
        "deep. Training and held-out digits agree, so this is about learning and not about "
        "generalising.\n\nLook at the dashed line, which we drew only after we had seen the points. ξ_c says how far "
        "two inputs can be told apart on the way forward. On the way back, the gradient's mean square changes by a "
        "factor e in 1/|ln χ₁| layers: Schoenholz et al.'s own scale for gradients. Below the edge the two scales are "
        "the same, above it the gradient's is shorter. Does it fit better there? What is found afterwards has to be "
        "tested afterwards, and elsewhere: at gain 3 with biases of variance 1 (measured depth over 6/ln χ₁: "
        "{elsewhere}), where 6 ξ_c is nearly twice as long. Next to the edge neither scale fits: both are too long. "
        "Schoenholz et al. saw 6 ξ_c on both sides, in networks that were wider, had other gains and were trained "
        "differently. Which difference matters we have not measured.",
        lambda below, above, **_: (4, 3, 2, 1)[2 * (0.5 <= below <= 2) + (0.5 <= above <= 2)],
    ),
    "06b.longer": Prediction(
        {
            "hardly: within a fifth": (
                "Then it would be a wall. But what is slow is not impossible: small steps add up."
            ),
            "more, but less than three times as deep": (
                "Each layer changes signal and gradient by a factor. Four times the steps make up for some, not many."
            ),
            "three times as deep, or more": (
                "Each layer changes signal and gradient by a factor, so four times the steps make up for few layers."
            ),
        },
        "{ordered} times as deep below the edge, {chaotic} times above it (read off between three depths). So it is no "
        "wall: the 6 depends on how long you train. What theory names is a scale, not a limit: it says over how many "
        "layers a difference, or a gradient, changes by a factor e.",
        lambda below, above, **_: 1 + sum((below * above) ** 0.5 > limit for limit in (1.2, 3)),
    ),
    "06b.alive": Prediction(
        {
            "all 100": (
                "A Gaussian matrix keeps lengths on average. Single directions it stretches or shrinks, a hundred "
                "times over."
            ),
            "about 50": "One layer loses little. But the differences multiply, layer by layer.",
            "about 10": (
                "Each layer stretches some directions and shrinks others, and a hundred layers multiply the "
                "differences."
            ),
            "only 1": (
                "In the end one direction would be left. A hundred layers of a hundred units are not yet that far."
            ),
        },
        "{gaussian} with Gaussian weights, {orthogonal} with orthogonal ones.\n\nWith Gaussian weights it is {narrow} "
        "at width 25 and {wide} at width 200: the number of living directions grows with the width, their share "
        "changes far less. It depends on the depth: for L linear layers it is 1 − 100^(−2/L), to leading order only.",
        lambda gaussian, **_: 4 if gaussian < 2 else 3 if gaussian < 25 else 2 if gaussian < 80 else 1,
    ),
    "06b.stream": Prediction(
        {
            "about 1": "The scale makes each branch small, but all of them together are not nothing.",
            "about 2": "Each branch adds a variance of 1/N to the stream, and N of them add 1.",
            "about 10": "So it would be if standard deviations added up. Of independent terms the variances do.",
            "about 97": "That is 1 + N, without the scale. 1/√N on a branch takes a factor N off its variance.",
        },
        "Normalised and scaled: {normalised_and_scaled:.2f}. Normalised only: {normalised:.0f}. Scaled only: "
        "{scaled:.2f}. Neither: {plain:.0e}.\n\nWith the scale, each branch adds 1/N, and N of them add 1: the "
        "variance ends at 2, for any number of blocks. Without the normalisation a branch is as large as the stream, "
        "which then doubles at each step, to 2ᴺ; with the scale it ends at (1 + 1/N)ᴺ, below e. So the scale keeps the "
        "stream bounded. It does not put the network exactly on the edge: without normalisation χ₁ = 1 + 1/N for each "
        "branch, a little above 1. What makes it harmless is that the excess shrinks as fast as the number of branches "
        "grows.",
        lambda normalised_and_scaled, **_: 1 + sum(normalised_and_scaled > limit for limit in (1.5, 4, 30)),
    ),
    "06c.parts": Prediction(
        {
            "neither": (
                "Each changes something in a block. But one of them leaves every position its own row, whatever "
                "attention adds."
            ),
            "the feed-forward network": (
                "It treats each position by itself, so it sounds like what keeps them apart. But it is the same "
                "network for all: rows that are alike come out alike."
            ),
            "the skips": (
                "With a skip every position keeps its own row, and attention only adds to it, nearly the same to all."
            ),
            "either of them": (
                "Without skips the feed-forward network gets what attention has mixed, and it is the same for all "
                "positions: it cannot tell apart what is alike."
            ),
        },
        "What is left after twelve blocks, in the median: attention alone {alone:.0e}, with feed-forward networks "
        "{fed:.0e} (both are the rounding of float64), with skips {skipped:.2f}, with both {both:.2f}.\n\nWithout "
        "skips it is over within six layers (power of ten of what is left, the larger of two: {noskips}). With skips "
        "attention still pulls, since it adds nearly the same row to all. But then the common part grows only as a sum "
        "of branches does, and what is left shrinks slowly. There a feed-forward network helps, because to every "
        "position it adds something of its own.",
        lambda fed, skipped, **_: 1 + (fed > 0.1) + 2 * (skipped > 0.1),
    ),
    "06c.gradient": Prediction(
        {
            "it vanishes: more than a thousand times smaller": (
                "Plain layers lost their gradient by a factor in each. But the last block is next to the loss, and has "
                "no layers to go back through."
            ),
            "it is some two to six times smaller": (
                "The stream has become the sum of more branches, and the last norm divides by its size: by the root of "
                "their number."
            ),
            "it stays: within a factor of one and a half": (
                "The last block is next to the loss, so depth need not matter to it. But between them stands a norm, "
                "and what that divides by grows."
            ),
            "it is at least twice as large": (
                "More blocks make the stream larger. But the norm at the end undoes that, and takes the gradient with "
                "it."
            ),
        },
        "The gradient at 24 blocks over that at 2, medians: {pre:.2f} in pre-norm, {post:.2f} in post-norm.\n\nFrom 8 "
        "blocks to 24, pre-norm's goes with this power of the depth: {power} (one over the root would be −0.5). "
        "This rests on branches as large as the stream. With all weights half as "
        "large a branch adds little, and 24 blocks are not enough for the sum to grow: then pre-norm's does not shrink "
        "either (power: {small}). And what a norm divides out of a gradient, Adam divides out, too.",
        lambda pre, **_: 1 if pre < 1e-3 else 2 if pre < 2 / 3 else 3 if pre < 2 else 4,
    ),
    "06c.train": Prediction(
        {
            "pre-norm, by at least a twentieth": (
                "So says the gradient at random weights, and large models have gone over to it. Whether it shows in a "
                "small network has to be tried."
            ),
            "neither: they are within a twentieth": (
                "A warm-up was invented for post-norm, and a tuned rate forgives much. Both together need not be "
                "enough."
            ),
            "post-norm, by at least a twentieth": (
                "Its stream never grows, so late blocks count as much as early ones. That helps only what gets going."
            ),
        },
        "Pre-norm gets {pre:.2f} of the held-out texts right, post-norm {post:.2f} (medians; difference: {lead}). "
        "Without warm-up: {pre_cold:.2f} and {post_cold:.2f}. So here the norm's place decides, and a warm-up does not "
        "make up for it.",
        lambda pre, post, **_: 1 if pre - post >= 0.05 else 3 if post - pre >= 0.05 else 2,
    ),
}
register(PREDICTIONS, of_blanks=BLANKS)
