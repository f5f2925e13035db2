"""What lesson 06's pages use, under one name, and their predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.lesson_06.defaults import slide_answer
from utils.lesson_06.edge import four_streams
from utils.lesson_06.edge_figures import (
    accuracies_by_width, alive_answer, depth_answer, depths_reached, longer_answer, longer_training, losses,
    spectra, stream_answer, streams,
)
from utils.lesson_06.first_aid import aid_answer, digits, patient, repair_controls, treat, weight_gradients
from utils.lesson_06.gains_figures import card, gradient_factors, play_gains, tanh_answer
from utils.lesson_06.hundred import hundred_answer
from utils.lesson_06.path_figures import curves, gradients, repairs, slide, treated
from utils.lesson_06.zoo import back_answer, digits_answer, print_deep, signal_answer, text_answer
from utils.lesson_06.zoo_figures import dead_units, digits_race, flip_race, shapes, signals, starts_by_rate
from utils.pages import Prediction, register

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
        "Yours: {yours}. Held-out accuracies at the best of six rates, medians of {seeds} seeds: {orthogonal:.2f} "
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
        "σ = 0.01: {small:.1e}. σ = 1: {large:.1e}. Glorot: {glorot:.1e}. He: {he:.1e}. (Median errors; powers of ten "
        "by which He's exceeds that of σ = 0.01: {tuned}.) From a small start features have to grow: the rich regime "
        "(Woodworth et al. 2020). That takes time. With one more hidden layer σ = 0.01 learns nothing in the chapter's "
        "epochs, at any rate. In twenty times as many it is ahead again ({longer}).",
        lambda small, large, glorot, he, **_: 1 + [small, large, glorot, he].index(min(small, large, glorot, he)),
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
        "{ordered} times as deep below the edge, {chaotic} times above it (read off between three depths). So it is no "
        "wall.",
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
register(PREDICTIONS)
