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
                "That is true up to σ = 1, where nothing makes up for what tanh takes off. Above it, lengths settle."
            ),
            "the length settles, and the gap grows until it settles, too": (
                "Above the edge, the length settles at q*. Small gaps grow there, until the two inputs are as unlike "
                "as any other pair."
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
                "Close, but χ₁ is an average of squares: σ² times the average of tanh's squared slope. The gap itself "
                "is multiplied by the square root of χ₁."
            ),
            "the mean square of that gap": (
                "A layer multiplies a small gap by tanh's slopes and by σ. So it multiplies the gap's mean square by "
                "σ² times the average squared slope, and that is χ₁."
            ),
            "the length q of the sums": (
                "The length has a map of its own. χ₁ is computed where the length has settled, so there it no longer "
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
                "It was not short of units: a student of the teacher's shape has room for all of it, and wide "
                "students with one layer did worse."
            ),
            "more questions and answers": (
                "It was not short of data: with another optimiser, the same examples were enough to find most "
                "teachers' weights."
            ),
        },
        "",
        1,
        question="A student of the teacher's own shape can copy the teacher exactly. After a million steps of Adam it "
        "had not. What did it take?",
    ),
    "06.gain": Prediction(
        {
            "about 1, like the inputs": (
                "The sums in a layer are indeed as large as its inputs. But ReLU then replaces every negative sum by "
                "zero."
            ),
            "about a tenth": (
                "ReLU does take something off. But it does so in every layer, so the loss multiplies fifty times over."
            ),
            "about a thousandth": (
                "A small loss in each of fifty layers would do that. But ReLU's loss is not small: it drops every "
                "negative sum."
            ),
            "less than a millionth": (
                "ReLU drops about half of the squares in each layer, and one half, multiplied by itself fifty times, "
                "is next to nothing."
            ),
        },
        "In your network, the size after layer 50 is {size:.0e}, the square root of fifty halvings.",
        lambda size: 1 if size > 0.3 else 2 if size > 0.01 else 3 if size > 1e-6 else 4,
    ),
    "06.tanh": Prediction(
        {
            "it vanishes: many units are saturated": (
                "Saturated units do pass on next to nothing. But steep ones pass on nearly everything, and the weights "
                "multiply that by the gain."
            ),
            "it stays about as large": (
                "The signal does stay, because tanh holds it. But nothing holds the gradient: each layer multiplies "
                "it, and no saturation stops that."
            ),
            "it grows ten times or so": (
                "A single layer's factor is indeed close to 1. But fifty layers raise it to a power, and that makes "
                "much of little."
            ),
            "it grows more than a hundred times": (
                "Saturated units pass on nothing, and steep ones pass on nearly everything. What counts is g² times "
                "the average squared slope. It is a little above 1 here, and fifty layers raise it to a power."
            ),
        },
        "In your network, the gradient is {yours:,.0f} times as large in layer 1 as in layer 50. In twenty others, the "
        "loss's own gradient was {growth} times as large (median).\n\n(PyTorch's calculate_gain returns 5/3 for tanh, "
        "which nearly keeps a mean square of 1. In theory, the gradient then grows {recommended:.3g}-fold in fifty "
        "layers.)",
        lambda back, **_: 1 + sum(back > limit for limit in (0.1, 5, 100)),
    ),
    "06.slide": Prediction(
        {
            "it explodes: at least ten times as large as with 2 layers": (
                "A factor above 1 does make the weights larger, but larger than what? PyTorch's own gain is well "
                "below 1."
            ),
            "it stays, within a factor of ten": (
                "A gain this close to 1 looks harmless. But χ₁ acts 48 times more often in fifty layers than in two, "
                "so only a χ₁ very close to 1 leaves the gradient as it is."
            ),
            "it vanishes: between ten and a hundred times smaller": (
                "You are right that the gradient shrinks, because the gain is below 1. But it shrinks in each of 48 "
                "more layers, and the biases make tanh's slopes smaller still."
            ),
            "it vanishes: more than a hundred times smaller": (
                "The gain is below 1, so the gradient shrinks in every layer, and the biases make tanh's slopes "
                "smaller still. 48 more layers raise that loss to a power."
            ),
        },
        "In your network it is {yours} with 2, 10 and 50 layers. In {seeds} networks it fell from {shallow:.2g} with 2 "
        "layers to {deep:.1g} with 50 (medians; in powers of ten: {decades}).\n\nThe gain by itself makes it "
        "{gain_alone:,.0f} times smaller. The biases lower χ₁ to {chi:.2f}, and ten units lose more than theory's "
        "infinitely many. In theory χ₁ is 1 at a factor of {edge:.2f}, so a factor above 1 tells you nothing. The gain "
        "does.\n\n(The slides take the gradient of the summed outputs, not of a loss. It falls from {shallow_sum:.2g} "
        "to {deep_sum:.1g}.)",
        lambda shallow, deep, **_: (
            1 if deep > 10 * shallow else 2 if deep > shallow / 10 else 3 if deep > shallow / 100 else 4
        ),
    ),
    "06.aid": Prediction(
        {
            "none": (
                "More of the same does not help a layer that hears nothing. But what it hears depends on the size of "
                "the weights, and two of the repairs change that."
            ),
            "gain √2 only": (
                "It is the only repair that keeps the mean square. But Adam divides each gradient by its size, so a "
                "faint one will do."
            ),
            "both gains, and nothing else": (
                "Both gains let far more through each layer, forwards and back. All other repairs leave PyTorch's "
                "gain as it was."
            ),
            "both gains and something else": (
                "Patience and width help a network that learns slowly, but this one is blind. And tanh, at PyTorch's "
                "gain, takes something off in every layer, too."
            ),
        },
        "With gain √2, {best} of the held-out digits were right, with gain 1 {one:.2f}. The best of the others got "
        "{same_gain}. (Medians of {seeds} seeds, each at the best of six rates.)\n\nWith gain 1, every layer still "
        "halves the mean square. But Adam divides each gradient by its own size plus 10⁻⁸, so a faint one does no harm "
        "until it is fainter than that. (With 10⁻²⁴ instead, even the unrepaired network learned something: "
        "{faint}.)\n\nSo look at the gradients first. If they fall towards the input, or are tiny in every layer, "
        "change the gain.",
        lambda root, one, others, **_: 4 if others > 0.5 else 1 + (root > 0.5) + (root > 0.5 and one > 0.5),
    ),
    "06.hundred": Prediction(
        {
            "both train": (
                "Both do keep the gradient's mean square. But a mean over directions says nothing about a single one."
            ),
            "the orthogonal one only": (
                "A rotation keeps every direction as long as it was. A Gaussian matrix stretches some and shrinks "
                "others, and a hundred matrices multiply the differences."
            ),
            "the Gaussian one only": (
                "Gaussian weights are more random, but that is no help here: each matrix stretches some directions and "
                "shrinks others, and a hundred matrices multiply the differences."
            ),
            "neither trains": (
                "That would be true at a gain that is far too small. But where χ₁ is 1, the gradient reaches the first "
                "layer, however many there are."
            ),
        },
        "Yours got: {yours}. In ours, {rotated} of the held-out digits were right from orthogonal weights, {drawn} "
        "from Gaussian ones (medians of {seeds} seeds, each at the best of six rates).\n\nSo a hundred layers train, "
        "without skip connections or normalisation. With the best of four gains, 1.1, and four times the steps, "
        "Gaussian weights got further, but were still behind (difference: {longer}).",
        lambda orthogonal, gaussian, **_: {(True, True): 1, (True, False): 2, (False, True): 3, (False, False): 4}[
            orthogonal > 0.5, gaussian > 0.5
        ],
    ),
    "06a.hundred": Prediction(
        {
            "all six": (
                "Each does begin with the gain that keeps a mean square of 1. But at a finite width the mean square "
                "strays from 1, and not every activation brings it back."
            ),
            "all but SwiGLU": (
                "SwiGLU multiplies two numbers that both grow with the signal, so it does stray fastest. But it is "
                "not the only one with which larger signals grow further."
            ),
            "all but GELU and SwiGLU": (
                "With both, a signal that is a little too large grows further, and one that is too small shrinks "
                "further. The other four do not drive it away."
            ),
            "only tanh and sigmoid, which saturate": (
                "These two do bring a signal back. But ReLU does not drive it away either: twice the input gives "
                "twice the output."
            ),
        },
        "This is the share of networks that kept it within a factor of 100: sigmoid {sigmoid:.0%}, tanh {tanh:.0%}, "
        "ReLU {relu:.0%}, leaky ReLU {leaky_relu:.0%}, GELU {gelu:.0%}, SwiGLU {swiglu:.0%}.\n\nA gain that keeps 1 at "
        "1 is not enough. At any finite width the signal strays, and what counts is what happens then. Tanh and "
        "sigmoid bring it back, because they saturate. With ReLU it only wanders, since twice the input gives twice "
        "the output. With GELU, the value 1 is a pencil on its tip: after a hundred layers the mean square had moved "
        "by {moved} powers of ten. SwiGLU multiplies two numbers that both grow with the signal, so it tips over "
        "within a few layers.",
        lambda relu, gelu, swiglu, **_: 4 if relu < 0.5 else 1 if swiglu >= 0.5 else 2 if gelu >= 0.5 else 3,
    ),
    "06a.back": Prediction(
        {
            "none: their gradient is zero": (
                "It is, so their own weights do not change. But a unit is off only for the inputs that it gets, and "
                "these may change."
            ),
            "only some in the first layer": (
                "A unit of the first layer sees the images themselves, which stay as they are. So nothing that could "
                "wake it ever changes."
            ),
            "only some beyond the first layer": (
                "A unit's own weights stay as they are. But beyond the first layer, its inputs come from units that "
                "go on learning, and these may switch it on again."
            ),
            "some in every layer": (
                "Beyond the first layer, inputs do change while other units learn. But in the first layer the inputs "
                "are the images, which stay as they are."
            ),
        },
        "At the largest rate, {first_back} of {first} came back in the first layer, and {later_back} of {later} beyond "
        "it.\n\nIn the first layer a unit stays off for ever, and that takes two lines to prove. The gradient of its "
        "weights and bias is a sum over images, and each term has the factor φ'(z), which is 0 for all of them. So "
        "plain gradient descent does not change weights and bias. The images do not change either, so the unit is off "
        "in the next step, too, and so on.\n\nEach hypothesis is needed. Beyond the first layer, the layers below go "
        "on learning, change the unit's inputs, and can bring it back. Before measuring, we claimed that at the "
        "largest rate this happens in at least half of the networks; ours do not decide it (share: {share}). "
        "Momentum, Adam and new images may wake a unit, too. In the first layer, weight decay of weights and bias "
        "alike wakes none, because it changes no sign of z.",
        lambda first_back, later_back, **_: 1 + (first_back > 0) + 2 * (later_back > 0),
    ),
    "06a.text": Prediction(
        {
            "σ = 0.01": "At a rate that suits larger weights, small ones begin slowly. At a rate of its own, such a "
            "network finds what the flip is: a linear map.",
            "σ = 1": "Large weights hardly need to move to fit the images that they have seen. They fit fast, but "
            "that says little about other images.",
            "Glorot": (
                "Glorot's weights keep signals and gradients alive through many layers. But here there is one hidden "
                "layer, and little to keep alive."
            ),
            "He": (
                "He's weights won the table, where all had one rate. Their network fits the sixteen images, but "
                "between them it bends, and the flip does not."
            ),
        },
        "The median errors are {small:.1e} for σ = 0.01, {large:.1e} for σ = 1, {glorot:.1e} for Glorot's weights and "
        "{he:.1e} for He's (powers of ten by which He's error exceeds that of σ = 0.01: {tuned}).\n\nWhy? From small "
        "weights, training mostly finds a linear map: of the variance of such a network's outputs on grey images, a "
        "linear fit leaves {line:.0e} (median). Of He's network it leaves {bends:.0e}, because He's network mostly "
        "bends between the sixteen images. Small weights are not better as such: when the target was a random network "
        "of eight ReLU units, which bends itself, both starts were level. And a small start takes time. With one more "
        "hidden layer, σ = 0.01 learned nothing in the chapter's epochs, at any rate; after twenty times as many it "
        "was ahead again.",
        lambda small, large, glorot, he, **_: 1 + [small, large, glorot, he].index(min(small, large, glorot, he)),
    ),
    "06a.digits": Prediction(
        {
            "all five, and all five": (
                "With a tuned rate, two layers do forgive nearly every choice. Twenty do not, because each multiplies "
                "the gradient by the same factor."
            ),
            "all five, but fewer by default": (
                "Sigmoid is the hard case: its outputs are all positive, and none of these initialisations takes care "
                "of that."
            ),
            "four, and as many by default": (
                "The default's gain is well below that of any activation, and twenty layers raise the loss to a power."
            ),
            "four, but fewer by default": (
                "Sigmoid loses its gradient at every gain here. The others need a gain near their own, and the "
                "default has a smaller one."
            ),
            "fewer than four": (
                "Twenty layers are many for a plain network. But with a gain near its own, an activation need not "
                "lose its gradient in them."
            ),
        },
        "With the best initialisation it was {best} of five, with PyTorch's default {default}.\n\nWith two layers, the "
        "choice hardly matters once the rate is tuned. With twenty, sigmoid is lost under all four initialisations, as "
        "its gradient says, and the other four are close to each other. The gain decides: ReLU with He's weights led "
        "ReLU with PyTorch's default by {he}. Most of that was speed: after five times as many epochs the lead was "
        "{longer}.",
        lambda best, default, **_: 5 if best < 4 else (1 if best == 5 else 3) + (default < best),
    ),
    "06b.depth": Prediction(
        {
            "yes, on both sides of the edge": (
                "That was found with other networks. But ξ_c is about the way forward, and training needs the way "
                "back as well."
            ),
            "only below the edge": (
                "Below the edge one number, χ₁, governs both ways. Above it, the gradient has a scale of its own, "
                "which is shorter than ξ_c."
            ),
            "only above the edge": (
                "Chaos does keep inputs apart. But gradients explode there, on a scale that is shorter than ξ_c."
            ),
            "on neither side": (
                "The 6 was read off pictures of other networks, so it might fit nowhere else. But below the edge, ξ_c "
                "is the scale of the way forward and of the way back."
            ),
        },
        "The measured depth over 6 ξ_c, averaged over five gains, was {ordered} below the edge and {chaotic} above "
        "it.\n\nBelow the edge, the 6 does well far from the edge and badly near it. (Before measuring, we had "
        "claimed that it fits within a factor of one and a half.) The measured depth grows more slowly than ξ_c does, "
        "as its power {power}. Near the edge ξ_c has no bound, but the depth that such networks learn in so few steps "
        "has one. Above the edge, 6 ξ_c promises far too much.\n\nNetworks learn deepest at the edge, and several "
        "times less deep far away from it. Training and held-out digits agree, so this is about learning and not "
        "about generalising.\n\nNow look at the dashed line, which we drew only after we had seen the points. ξ_c "
        "says how far two inputs can be told apart on the way forward. On the way back, the gradient's mean square "
        "changes by a factor e in 1/|ln χ₁| layers, which is Schoenholz et al.'s own scale for gradients. Below the "
        "edge the two scales are the same; above it, the gradient's is shorter. Does it fit better there? What is "
        "found afterwards has to be tested afterwards, and elsewhere. We took gain 3 and biases of variance 1, where "
        "6 ξ_c is nearly twice as long as 6/ln χ₁ (measured depth over 6/ln χ₁: {elsewhere}). Next to the edge both "
        "scales are too long. Schoenholz et al. saw 6 ξ_c on both sides, in networks that were wider, had other gains "
        "and were trained differently. We have not measured which difference matters.",
        lambda below, above, **_: (4, 3, 2, 1)[2 * (0.5 <= below <= 2) + (0.5 <= above <= 2)],
    ),
    "06b.longer": Prediction(
        {
            "hardly: within a fifth": ("That would be true of a wall. But slow is not impossible: small steps add up."),
            "more, but less than three times as deep": (
                "Each layer changes signal and gradient by a factor, so four times the steps make up for some more "
                "layers, but not for many."
            ),
            "three times as deep, or more": (
                "Four times the steps do help. But each layer changes signal and gradient by a factor, so they make "
                "up for few layers."
            ),
        },
        "Networks learned {ordered} times as deep below the edge, and {chaotic} times above it (read off between three "
        "depths). So it is no wall, and the 6 depends on how long you train. Theory names a scale, not a limit: it "
        "says over how many layers a difference, or a gradient, changes by a factor e.",
        lambda below, above, **_: 1 + sum((below * above) ** 0.5 > limit for limit in (1.2, 3)),
    ),
    "06b.alive": Prediction(
        {
            "all 100": (
                "A Gaussian matrix does keep lengths on average. But it stretches or shrinks single directions, and "
                "that happens a hundred times over."
            ),
            "about 50": "A single layer does lose little. But the differences multiply, layer by layer.",
            "about 10": (
                "Each layer stretches some directions and shrinks others, and a hundred layers multiply the "
                "differences."
            ),
            "only 1": (
                "In the end, only one direction would be left. But a hundred layers of a hundred units do not get that "
                "far."
            ),
        },
        "With Gaussian weights {gaussian} are alive, with orthogonal ones {orthogonal}.\n\nWith Gaussian weights there "
        "are {narrow} at width 25 and {wide} at width 200. So the number of directions that are alive grows with the "
        "width, while their share changes far less. The share depends on the depth: for L linear layers it is "
        "1 − 100^(−2/L), to leading order only.",
        lambda gaussian, **_: 4 if gaussian < 2 else 3 if gaussian < 25 else 2 if gaussian < 80 else 1,
    ),
    "06b.stream": Prediction(
        {
            "about 1": "The scale does make each branch small. But many small branches together are not nothing.",
            "about 2": "Each branch adds a variance of 1/N to the stream, and N of them add 1, whatever N is.",
            "about 10": "That would be true if standard deviations added up. But for independent terms, variances do.",
            "about 97": "That is 1 + N, as without the scale. But 1/√N on a branch divides its variance by N.",
        },
        "Normalised and scaled, it ends at {normalised_and_scaled:.2f}; normalised only, at {normalised:.0f}. Scaled "
        "only, it ends at {scaled:.2f}; with neither, at {plain:.0e}.\n\nWithout the normalisation, a branch is as "
        "large as the stream, so the variance doubles at each step, to 2ᴺ. With the scale it ends at (1 + 1/N)ᴺ, below "
        "e. So the scale keeps the stream bounded. It does not put the network exactly on the edge: without "
        "normalisation, χ₁ = 1 + 1/N for each branch, a little above 1. That is harmless, because the excess shrinks "
        "as fast as the number of branches grows.",
        lambda normalised_and_scaled, **_: 1 + sum(normalised_and_scaled > limit for limit in (1.5, 4, 30)),
    ),
    "06c.parts": Prediction(
        {
            "neither": (
                "Attention mixes again in every block, so it might well win. But one of the two leaves every position "
                "its own row, whatever attention adds."
            ),
            "the feed-forward network": (
                "It treats each position by itself, so it sounds like the part that keeps them apart. But it is the "
                "same network for all positions, so rows that are alike come out alike."
            ),
            "the skips": (
                "With a skip, every position keeps its own row. Attention only adds to it, and adds nearly the same to "
                "all."
            ),
            "either of them": (
                "Skips do keep rows apart. But without them, the feed-forward network only gets what attention has "
                "mixed. It is the same for all positions, so it cannot tell apart what is alike."
            ),
        },
        "After twelve blocks, attention alone left {alone:.0e}, and with feed-forward networks {fed:.0e}; both are "
        "the rounding of float64. Skips left {skipped:.2f}, and skips with feed-forward networks {both:.2f} "
        "(medians).\n\nWithout skips it is over within six layers (the larger of the two, as a power of ten: "
        "{noskips}). With skips, attention still pulls positions together. But the common part grows only as a sum of "
        "branches does, so what is left shrinks slowly. Then a feed-forward network helps, because it adds something "
        "of its own to every position.",
        lambda fed, skipped, **_: 1 + (fed > 0.1) + 2 * (skipped > 0.1),
    ),
    "06c.gradient": Prediction(
        {
            "it vanishes: more than a thousand times smaller": (
                "Plain layers did lose their gradient, by a factor in each. But the last block is next to the loss, so "
                "its gradient has no layers to go back through."
            ),
            "it is some two to six times smaller": (
                "With more blocks the stream is the sum of more branches. The last norm divides by its size, which "
                "grows with the square root of their number."
            ),
            "it stays: within a factor of one and a half": (
                "The last block is next to the loss, so depth might not matter to it. But a norm stands between them, "
                "and it divides by a size that grows with depth."
            ),
            "it is at least twice as large": (
                "More blocks do make the stream larger. But the norm at the end undoes that by a division, and divides "
                "the gradient, too."
            ),
        },
        "The gradient at 24 blocks was {pre:.2f} of that at 2 in pre-norm, and {post:.2f} of it in post-norm "
        "(medians).\n\nFrom 8 blocks to 24, pre-norm's gradient follows a power of the depth: {power} (one over the "
        "square root would be −0.5). For that, branches have to be as large as the stream. With all weights half as "
        "large, a branch adds little, and 24 blocks are not enough for the sum to grow. Then pre-norm's gradient does "
        "not shrink either (power: {small}). And Adam divides out whatever size a norm leaves to a gradient.",
        lambda pre, **_: 1 if pre < 1e-3 else 2 if pre < 2 / 3 else 3 if pre < 2 else 4,
    ),
    "06c.train": Prediction(
        {
            "pre-norm, by at least a twentieth": (
                "The gradient at random weights suggests it, and large models have gone over to it. Only training can "
                "show whether it matters in a network this small."
            ),
            "neither: they are within a twentieth": (
                "A warm-up is meant to help post-norm, and a tuned rate forgives much. But both together need not be "
                "enough."
            ),
            "post-norm, by at least a twentieth": (
                "Its stream never grows, so late blocks count as much as early ones. But that helps only a network "
                "that gets going."
            ),
        },
        "Pre-norm got {pre:.2f} of the held-out texts right and led by {lead} (medians over seeds). Without warm-up, "
        "pre-norm got {pre_cold:.2f} and post-norm {post_cold:.2f}. So here the place of the norm decides, and a "
        "warm-up does not make up for it.",
        lambda pre, post, **_: 1 if pre - post >= 0.05 else 3 if post - pre >= 0.05 else 2,
    ),
}
register(PREDICTIONS, of_blanks=BLANKS)
