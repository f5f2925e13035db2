"""What lesson 02's pages use, under one name, and what is said of their figures and predictions."""

from utils.lesson_02.flip import mean_errors, steps_at_best, train_many
from utils.lesson_02.flip_figures import (
    errors_by_place,
    images,
    learned_by_step,
    losses_by_step,
    polylines,
    starts_by_level,
)
from utils.pages import Prediction, Words, register

__all__ = [
    "errors_by_place", "images", "learned_by_step", "losses_by_step", "mean_errors", "polylines", "starts_by_level",
    "steps_at_best", "train_many",
]  # fmt: skip

FIGURES: dict[str, Words] = {}
PREDICTIONS: dict[str, Prediction] = {}
FIGURES_OF_02A = {
    "02a.images": Words(
        "Sixteen images, and each mirrored in its diagonal",
        """Two rows of sixteen 2×2 images of black and white pixels. In the lower row the pixels at the top right and
        at the bottom left have changed places; images in which these two are equal stay as they are.""",
    ),
    "02a.ends": Words(
        "Four units, six initialisations: the loss stops at multiples of 1/32",
        """Half-MSE against 1,500 steps for six initialisations of the same network. All fall steeply at first and
        then become flat, on dotted lines at multiples of 1/32: one at 0, one on 1/32, three on 2/32, one on 3/32.""",
    ),
    "02a.linear": Words(
        "How many of 100 end on each level: with ReLU many miss the framed floor",
        """Three tables, for ReLU, leaky ReLU and no activation: a row for each level from 0 to 4/32, a column for 2,
        3, 4, 8 and 16 hidden units. With no activation all 100 are on the floor, in every column, and with leaky ReLU
        all but one. With ReLU, two to four units are spread from the floor up to 4/32, and with 8 and 16 units all
        are at 0.""",
    ),
    "02a.slower": Words(
        "Two layers take more steps than one, and some never arrive",
        """The share of 100 initialisations whose half-MSE has come below 0.1/32, against the step on a logarithmic
        scale, each shape at its quickest rate. One layer of 16 climbs first and gets nearly all there. One layer of 6
        climbs next, then two layers of 8, and neither of them gets all there. Two layers of 4 start last and stay
        close to 0.""",
    ),
    "02a.code": Words(
        "Sixteen images on one line: each output is a polyline",
        """Four plots of an output against the number from 0 to 15 that the narrow unit hands on. The first wanted
        pixel is 0 for the first eight numbers and 1 for the others; the second changes every two numbers, the third
        every four, the fourth with each number. Straight pieces join the sixteen points.""",
    ),
    "02a.places": Words(
        "Only as the last layer does a narrow layer keep the network on the rank floor",
        """Three plots of the half-MSE of 100 initialisations, sorted. One leaky unit: as the last layer all are at
        3/32; as the first or the middle layer nearly all lie far below, around 1/32. Two leaky
        units: as the last layer all are at 2/32; elsewhere most are at 0. One ReLU unit: as the last layer they are
        at 3/32 or 4/32; elsewhere they rise from below 1/32, and those that died are at 4/32.""",
    ),
}
PREDICTIONS_OF_02A = {
    "02a.linear": Prediction(
        ["it rises", "about the same", "it falls"],
        "{relu:.4f} with ReLU, {identity:.4f} without: the linear network is the better one.",
        lambda relu, identity: 3 if identity < relu else 1,
    ),
    "02a.slower": Prediction(
        ["one layer of 16", "two layers of 8", "hardly any difference"],
        "Two layers of 8: {deep:.0f} steps against {wide:.0f}, in the median.",
        lambda wide, deep: 2 if deep > wide else 1,
    ),
    "02a.middle": Prediction(
        ["3/32", "between 0 and 3/32", "0"],
        "0: one number is enough to tell sixteen images apart.",
        3,
    ),
}
FIGURES_OF_02B: dict[str, Words] = {}
PREDICTIONS_OF_02B: dict[str, Prediction] = {}
register(FIGURES, PREDICTIONS)
register(FIGURES_OF_02A, PREDICTIONS_OF_02A)
register(FIGURES_OF_02B, PREDICTIONS_OF_02B)
