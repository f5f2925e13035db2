"""What lesson 06's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401 (what is imported here, the pages take from here)

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
from utils.lesson_06.first_aid import (
    aid_answer,
    digits,
    patient,
    repair_controls,
    repairs,
    treat,
    treated,
    weight_gradients,
)
from utils.lesson_06.first_aid_figures import gradients
from utils.lesson_06.gains_figures import card, gradient_factors, play_gains, tanh_answer
from utils.lesson_06.hundred import hundred_answer
from utils.lesson_06.path_figures import curves, slide
from utils.lesson_06.zoo import back_answer, digits_answer, print_deep, signal_answer, text_answer
from utils.lesson_06.zoo_figures import dead_units, digits_race, flip_race, shapes, signals, starts_by_rate
from utils.pages import FigureText, Prediction, register

FIGURES: dict[str, FigureText] = {
    "06.card": FigureText(
        "Lesson 06 on a card",
        """Left, χ₁ against the gain. The curve for ReLU rises through 1 at √2, that for tanh through 1 at
        gain 1, where each has a dot. Right, four lines: what a layer does to the mean square of a signal; what it does
        to that of a gradient; at which gains χ₁ is 1; and the variance of nn.Linear's weights.""",
    ),
    "06.gains-relu": FigureText(
        "At a single gain both towers stand upright",
        """Two towers of fifty histograms, one for each layer of a ReLU network, layer 1 at the foot, on an axis of
        powers of ten. On the left signals, on the right gradients of the loss. At gain ½ the signals lean far to the
        left: after some twenty layers they have left the picture. The gradients begin at the top and leave the picture
        to the left on their way down. With every step of the gain both towers lean less. At √2 both stand upright. At
        2 the signals lean to the right as they rise, and the gradients lean to the right as they come down.""",
    ),
    "06.gains-tanh": FigureText(
        "Above gain 1 the signals stand, and the gradients lean",
        """The same two towers for tanh. At gain 0.5 signals and gradients leave the picture to the left. At gain 1 both
        nearly stand, and the signals' tower bends a little to the left as it rises. At 1.41 and at 2 the signals stand
        upright at the line of size 1 and never cross it. The gradients lean to the right on their way down, a little
        at 1.41 and by three powers of ten at 2.""",
    ),
    "06.factors": FigureText(
        "Different gains, one condition: gradients survive where χ₁ = 1",
        """The factor by which a layer multiplies the gradient's mean square, on a logarithmic axis, against the gain
        from 0.5 to 2. The line for ReLU rises steeply from 1/8 to 2 and crosses 1 at √2. The line for tanh rises from
        1/4 to 1 at gain 1, where it has a kink, and goes on slowly to 1.4. Measured points lie on both lines; that for
        tanh at gain 1 lies slightly below.""",
    ),
    "06.slide": FigureText(
        "At factor 1.5 the gradient vanishes; it takes a larger one to make it explode",
        """The norm of the first layer's gradient on a logarithmic axis against the number of hidden layers, from 2 to
        50, medians with intervals for three factors. At factor 1.5 the line falls steeply, over several decades. At
        the middle one it is nearly level. At the largest it rises.""",
    ),
    "06.patient": FigureText(
        "The gradient fades on its way back to the input",
        """The norm of the cross-entropy's gradient at each layer of weights, on a logarithmic axis. It is largest at
        the last layer. From there it falls towards the input along a straight line, over many decades, and is about
        level over the first few layers.""",
    ),
    "06.aid": FigureText(
        "The gain cures it, and nothing else on the list does",
        """Seven rows, one for each repair, with a dot for each of the seeds and the median: the share of held-out
        digits that are right. Without a repair, twice as wide, with four times the steps and with zero biases, all
        dots lie at a tenth, which is guessing. With tanh they lie near two tenths. With gain 1 they lie between four
        and eight tenths, and with gain √2 mostly above eight.""",
    ),
    "06.hundred": FigureText(
        "The same gain, and Gaussian weights stay far behind orthogonal ones",
        """Accuracy on unseen digits against training steps. The line for orthogonal weights climbs steeply and ends
        above nine tenths. That for Gaussian weights climbs less, and ends far below it.""",
    ),
    "06a.shapes": FigureText(
        "Two go flat on both sides, two only on the left",
        """Two panels against z from −4 to 4. Left, values: sigmoid rises from 0 to 1, and tanh from −1 to 1; both are
        flat at the ends. ReLU is 0 on the left and z on the right; GELU follows it, but is smooth and dips a little
        below 0 on the left. Right, slopes: sigmoid's is a low bump of height a quarter, tanh's a bump of height 1.
        ReLU's steps from 0 to 1; GELU's goes from 0 to 1, too, but swings a little beyond both.""",
    ),
    "06a.hundred": FigureText(
        "The same recipe keeps tanh and ReLU, and loses GELU and SwiGLU",
        """Four panels of the second moment on a logarithmic axis over a hundred layers, a line for each network. For
        tanh all lines run along 1. For ReLU they wander a little above and below. For GELU they bend away from 1, most
        up and some down, and get ever further. For SwiGLU they leave the picture within some ten layers.""",
    ),
    "06a.back": FigureText(
        "At rates that train, hardly a unit is off; at the largest, most are",
        """The share of hidden units that are off on all training images, against six learning rates. Two lines, after
        one epoch and after twenty, lie near zero up to the last rate but one. At the largest both rise steeply; the one
        after twenty epochs ends higher.""",
    ),
    "06a.text": FigureText(
        "Small weights are slow at the text's rate, and by far the best when tuned",
        """Held-out error on a logarithmic axis against the learning rate, one line for each initialisation. At the
        text's rate, dotted, σ = 0.01 lies far above Glorot and He, and only below σ = 1. From twice that rate on it
        lies below all others, and it falls by many powers of ten, down to the last rate but one. Glorot and He fall far
        less; σ = 1 stays high everywhere. At the largest rate all four are worse than a constant.""",
    ),
    "06a.flip": FigureText(
        "On the flip, ReLU with small weights comes first, with a wide interval",
        """Held-out error on the flip, on a logarithmic axis, for five activations, with a marker for each of four
        initialisations. For ReLU and leaky ReLU, PyTorch's default lies lowest, with wide intervals. All other markers
        lie between one and a few tens of per cent.""",
    ),
    "06a.digits": FigureText(
        "Two layers forgive any choice, twenty do not",
        """Held-out accuracy on digits for five activations, with a marker for each of four initialisations. Left, two
        hidden layers: all markers are close to the top, on one level. Right, twenty layers: sigmoid lies at a tenth
        with all four. The other activations are near the top with LeCun's, Glorot's and He's weights; with PyTorch's
        default they lie far below.""",
    ),
    "06b.losses": FigureText(
        "A hundred layers, one rate: with orthogonal weights the loss falls faster",
        """The loss of each batch against a hundred steps. Both lines begin at about what guessing costs, a dotted level
        line. The solid blue line, orthogonal weights, falls steadily. The dash-dotted orange line, Gaussian weights,
        falls later and less, with larger swings.""",
    ),
    "06b.widths": FigureText(
        "At a hundred layers orthogonal weights lead at every width",
        """Held-out accuracy after a short training against the width of all layers, 25, 100 and 200, medians of twelve
        seeds with intervals. The blue line, orthogonal weights, lies above the orange one, Gaussian weights, at all
        three widths. Both rise.""",
    ),
    "06b.depth": FigureText(
        "Networks learn deepest at the edge; above it, 6 ξ_c promises too much",
        """Depth on a logarithmic axis against the gain. A black line, 6 ξ_c, climbs steeply from the left to an upright
        dotted line, the edge, and comes down slowly on the other side. Blue circles and orange squares, held-out and
        training digits, lie nearly on each other. They lie along the line up to a gain of about 1, stay under
        it near the edge, where they are highest, and fall far below it on the right. There they lie along a dashed
        green line, 6/ln χ₁.""",
    ),
    "06b.longer": FigureText(
        "Four times the steps reach deeper on both sides of the edge",
        """Held-out accuracy against the depths 8, 16 and 32 for two gains, each with a dotted and a solid line. At 8
        all four are high. At 16 the dotted ones, the shorter training, are down at about a third, and the solid ones,
        four times the steps, still well above the half-way line. At 32 all lie near chance.""",
    ),
    "06b.alive": FigureText(
        "Gaussian weights let only a few directions through",
        """The singular values of two Jacobians on a logarithmic axis, from the strongest direction to the weakest. The
        line for orthogonal weights falls slowly, and steeply only at its end. That for Gaussian weights falls by many
        decades, ever more steeply.""",
    ),
    "06b.stream": FigureText(
        "With normalised branches the variance adds up; with the scale it stops at 2",
        """The variance of a stream on a logarithmic axis against branches, from 0 to 96. The plain sum doubles at each
        branch and leaves the figure at a thousand, after ten. The normalised one rises to about a hundred. The two with
        the scale stay below three.""",
    ),
}
PREDICTIONS: dict[str, Prediction] = {
    "06.gain": Prediction(
        ["about 1, like the inputs", "about a tenth", "about a thousandth", "less than a millionth"],
        "Size {size:.0e}. Every layer loses a little, and there are fifty of them.",
        lambda size: 1 if size > 0.3 else 2 if size > 0.01 else 3 if size > 1e-6 else 4,
    ),
    "06.overflow": Prediction(
        ["about 3", "about 10", "about 30", "about 100"],
        "After {layers} layers.",
        lambda layers: 1 + sum(layers > limit for limit in (5, 17, 55)),
    ),
    "06.tanh": Prediction(
        ["it vanishes: many units are saturated", "it stays about as large", "it grows ten times or so",
         "it grows more than a hundred times"],
        "In layer 1 it is {back:,.0f} times as large as in layer 50. (Median of twenty networks.)",
        lambda back: 1 + sum(back > limit for limit in (0.1, 5, 100)),
    ),
    "06.slide": Prediction(
        ["it explodes: at least ten times as large as with 2 layers", "it stays, within a factor of ten",
         "it vanishes: between ten and a thousand times smaller", "it vanishes: more than a thousand times smaller"],
        "{shallow:.2g} with 2 layers, {deep:.1g} with 50 (medians of {seeds} networks). χ₁ is {chi:.2f}. "
        "(The slide has no loss: it takes the gradient of the summed outputs. That falls from {shallow_sum:.2g} to "
        "{deep_sum:.1g}.)",
        lambda shallow, deep, **_: 1 if deep > 10 * shallow else 2 if deep > shallow / 10
        else 3 if deep > shallow / 1000 else 4,
    ),
    "06.same": Prediction(
        ["1: all do the same", "2 or 3", "about half of them", "32: training pulls them apart"],
        "{different} of 32. The network is right on {accuracy:.0%} of its training images.",
        lambda different, **_: 1 if different == 1 else 2 if different <= 3 else 3 if different < 24 else 4,
    ),
    "06.aid": Prediction(
        ["none", "gain √2 only", "both gains, and nothing else", "both gains and something else"],
        "Gain √2: {root:.2f} of the held-out digits are right, and {one:.2f} with gain 1. Of all the others the best "
        "reaches {others:.2f}. (Medians of {seeds} seeds, each repair at its best rate of six.)",
        lambda root, one, others, **_: 4 if others > 0.5 else 1 + (root > 0.5) + (root > 0.5 and one > 0.5),
    ),
    "06.hundred": Prediction(
        ["both train", "the orthogonal one only", "the Gaussian one only", "neither trains"],
        "Yours: {yours}. Held-out accuracies at the best of seven rates, medians of {seeds} seeds: {orthogonal:.2f} "
        "from orthogonal weights, {gaussian:.2f} from Gaussian ones.",
        lambda orthogonal, gaussian, **_: {(True, True): 1, (True, False): 2, (False, True): 3, (False, False): 4}[
            orthogonal > 0.5, gaussian > 0.5
        ],
    ),
    "06a.hundred": Prediction(
        ["all six", "all but SwiGLU", "all but GELU and SwiGLU", "only tanh and sigmoid, which saturate"],
        "The share of networks that keep it within a factor of 100: sigmoid {sigmoid:.0%}, tanh {tanh:.0%}, ReLU "
        "{relu:.0%}, leaky ReLU {leaky_relu:.0%}, GELU {gelu:.0%}, SwiGLU {swiglu:.0%}.",
        lambda relu, gelu, swiglu, **_: 4 if relu < 0.5 else 1 if swiglu >= 0.5 else 2 if gelu >= 0.5 else 3,
    ),
    "06a.back": Prediction(
        ["none: their gradient is zero", "only some in the first layer", "only some beyond the first layer",
         "some in every layer"],
        "At the largest rate, {first_back} of {first} in the first layer, and {later_back} of {later} beyond it.",
        lambda first_back, later_back, **_: 1 + (first_back > 0) + 2 * (later_back > 0),
    ),
    "06a.text": Prediction(
        ["σ = 0.01", "σ = 1", "Glorot", "He"],
        "σ = 0.01: {small:.1e}. σ = 1: {large:.1e}. Glorot: {glorot:.1e}. He: {he:.1e}. (Median errors.)",
        lambda **errors: 1 + [*errors.values()].index(min(errors.values())),
    ),
    "06a.digits": Prediction(
        ["all five, and all five", "all five, but fewer by default", "four, and as many by default",
         "four, but fewer by default", "fewer than four"],
        "{best} of five with the best initialisation, {default} with PyTorch's default.",
        lambda best, default: 5 if best < 4 else (1 if best == 5 else 3) + (default < best),
    ),
    "06b.depth": Prediction(
        ["yes, on both sides of the edge", "only below the edge", "only above the edge",
         "on neither side"],
        "Measured depth over 6 ξ_c, on average over five gains: {below:.2f} below the edge, {above:.2f} above it.",
        lambda below, above: (4, 3, 2, 1)[2 * (0.5 <= below <= 2) + (0.5 <= above <= 2)],
    ),
    "06b.longer": Prediction(
        ["hardly: within a fifth", "more, but less than three times as deep", "three times as deep, or more"],
        "{below:.2f} times as deep below the edge, {above:.2f} times above it (medians).",
        lambda below, above: 1 + sum((below * above) ** 0.5 > limit for limit in (1.2, 3)),
    ),
    "06b.alive": Prediction(
        ["all 100", "about 50", "about 10", "only 1"],
        "{gaussian} with Gaussian weights, {orthogonal} with orthogonal ones.",
        lambda gaussian, **_: 4 if gaussian < 2 else 3 if gaussian < 25 else 2 if gaussian < 80 else 1,
    ),
    "06b.stream": Prediction(
        ["about 1", "about 2", "about 10", "about 97"],
        "Normalised and scaled: {normalised_and_scaled:.2f}. Normalised only: {normalised:.0f}. Scaled only: "
        "{scaled:.2f}. Neither: {plain:.0e}.",
        lambda normalised_and_scaled, **_: 1 + sum(normalised_and_scaled > limit for limit in (1.5, 4, 30)),
    ),
}
register(FIGURES, PREDICTIONS)
