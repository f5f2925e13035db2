"""Exercise 02.5: the weights of a sawtooth, for any number of layers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise
from utils.exercises.layers import Layers, evaluate, layers_of, remarks_on_layers, sizes_in_words, sizes_of

TOLERANCE = 1e-3  # room for float32: its rounding grows by the slope of a tent, up to 10/3, from layer to layer


def _sawtooth_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    yield {"k": 1, "peak": 0.25}, None
    yield {"k": 3, "peak": 0.5}, None
    for k in (2, 4, 1, 6, 5):
        distance = rng.uniform(0.1, 0.2)  # from the middle
        yield {"k": k, "peak": float(0.5 + rng.choice([-1, 1]) * distance)}, None


LOPSIDED = 3  # of these cases, with sixteen pieces


def corners(given: dict) -> np.ndarray:
    """Return where the sawtooth has its corners, both ends included: there it is 0, 1, 0, 1, … by turns.

    The tent climbs to 1 on [0, peak] and falls to 0 on [peak, 1]: the corners of one tent more are those of the
    sawtooth, shrunk into [0, peak], and shrunk and mirrored into [peak, 1].
    """
    x, peak = np.array([0.0, 1.0]), given["peak"]
    for _ in range(given["k"]):
        x = np.concatenate([peak * x, 1 - (1 - peak) * x[-2::-1]])
    return x


def places(given: dict) -> np.ndarray:
    """Return where networks are looked at: at the corners, inside each piece, and evenly."""
    x = corners(given)
    inside = [x[:-1] + share * np.diff(x) for share in (0.2, 0.5, 0.85)]
    return np.sort(np.concatenate([x, *inside, np.linspace(0, 1, 1001)]))


def sawtooth_at(given: dict, x: np.ndarray) -> np.ndarray:
    """Return the sawtooth's values."""
    return np.interp(x, corners(given), np.arange(2 ** given["k"] + 1) % 2)


def curve_of(layers: Layers, x: np.ndarray) -> np.ndarray:
    """Return the outputs [n] of the network, whose sizes begin and end with 1, at x [n]."""
    return evaluate(layers, x[:, None])[:, 0]


def wanted_sizes(given: dict) -> list[int]:
    """Return the sizes asked for."""
    return [1, *[2] * given["k"], 1]


def is_sawtooth(given: dict, layers: Layers) -> bool:
    """Return whether the layers have the sizes asked for and compute the sawtooth."""
    x = places(given)
    fits = sizes_of(layers) == wanted_sizes(given)
    return fits and bool(np.abs(curve_of(layers, x) - sawtooth_at(given, x)).max() <= TOLERANCE)


def built(
    given: dict, *, tent: tuple | None = None, inner: object = None, offsets: tuple | None = None,
    inner_offsets: tuple | None = None,
) -> Layers:
    """Return the layers, with some part other than it should be."""
    peak = given["peak"]
    tent = np.array([tent or (1 / peak, -1 / peak - 1 / (1 - peak))])
    first = np.ones((2, 1)), np.array(offsets or (0.0, -peak))
    weight = np.repeat(tent, 2, axis=0) if inner is None else np.asarray(inner)
    between = weight, first[1] if inner_offsets is None else np.array(inner_offsets)
    return [first, *[between] * (given["k"] - 1), (tent, np.zeros(1))]


def computes(wrong: Callable[[dict], Layers]) -> Callable:
    """Return a rule: the value has the sizes asked for, is no sawtooth, and computes what ``wrong(given)`` does."""

    def matches(given: dict, value: object, expected: object) -> bool:
        layers, x = layers_of(value), places(given)
        if sizes_of(layers) != wanted_sizes(given) or is_sawtooth(given, layers):
            return False
        outputs = curve_of(wrong(given), x)
        return bool(np.abs(curve_of(layers, x) - outputs).max() <= 1e-5 * (1 + np.abs(outputs).max()))

    return matches


def rises_on(given: dict, sign: int) -> Layers:
    """Return the layers with +1/(1 - c) in the second output weight, and with ``sign``/c."""
    peak = given["peak"]
    return built(given, tent=(1 / peak, sign / peak + 1 / (1 - peak)))


def exchanged(given: dict) -> Layers:
    """Return the layers with 1/(1 - c) for the first slope. The second weight stays: c and 1 - c enter it alike."""
    peak = given["peak"]
    return built(given, tent=(1 / (1 - peak), -1 / peak - 1 / (1 - peak)))


def mended(change: Callable[[Layers], Layers]) -> Callable:
    """Return a rule: the value is no sawtooth, and would be one if it were changed like this."""

    def matches(given: dict, value: object, expected: object) -> bool:
        layers = layers_of(value)
        return not is_sawtooth(given, layers) and is_sawtooth(given, change(layers))

    return matches


def reversed_between(given: dict) -> list:
    """Return the inner weight transposed: the first unit gets one part of the tent, the second the other."""
    return np.repeat(built(given)[-1][0], 2, axis=0).T


def explain_sawtooth(given: dict, value: object, expected: object) -> str:
    """Say where the network is furthest off, or which sizes it has."""
    layers = layers_of(value)
    if sizes_of(layers) != wanted_sizes(given):
        return sizes_in_words(layers, wanted_sizes(given))
    x = places(given)
    outputs, wanted = curve_of(layers, x), sawtooth_at(given, x)
    if not np.isfinite(outputs).all():
        return ""
    worst = np.abs(outputs - wanted).argmax()
    return f"Yours is furthest off at x = {x[worst]:.5g}: {outputs[worst]:.5g} there, {wanted[worst]:.5g} is wanted."


def plot_sawtooth(given: dict, value: object) -> tuple[object, str]:
    """Return a figure of the network on [0, 1] over the sawtooth wanted, and its words."""
    import matplotlib.pyplot as plt

    from utils.plots import plot_two_fits

    x, layers = places(given), layers_of(value)
    figure, ax = plt.subplots(figsize=(8, 2.6))
    outputs = curve_of(layers, x)
    plot_two_fits(x, sawtooth_at(given, x), [outputs], ["your network"], ax=ax)
    off = np.abs(outputs - sawtooth_at(given, x)).max()
    words = (
        f"The sawtooth of k = {given['k']} tents with their peak at {given['peak']:.3g}, which has {2 ** given['k']} "
        f"pieces, and your network with the sizes {sizes_of(layers)}: it is nowhere off by more than {off:.2g}."
    )
    return figure, words


SAWTOOTH = Exercise(
    id="02.5",
    points=3,
    answer_name="sawtooth_layers",
    cases=_sawtooth_cases,
    verify=lambda given, hidden, value, expected: float(is_sawtooth(given, layers_of(value))),
    without=["utils.constructions.sawtooth_network"],
    wanted=lambda given, expected: (
        f"{given['k'] + 1} pairs (weight, bias), of a ReLU network with the sizes {wanted_sizes(given)}\n"
        f"that is the tent with its peak at {given['peak']:.5g}, applied {given['k']} times, to within {TOLERANCE:g}"
    ),
    explain=explain_sawtooth,
    plot=plot_sawtooth,
    plotted_case=LOPSIDED,
    misconceptions=[
        (computes(lambda given: built({**given, "peak": 0.5})),
         "Your tent has its peak at 1/2, wherever it should be."),
        (computes(lambda given: built(given, tent=(2.0, -4.0))),
         "The weights 2 and -4 belong to a peak at 1/2: here the two slopes are others."),
        (computes(lambda given: built({**given, "peak": 1 - given["peak"]})),
         "Your tent is mirrored: its peak is at 1 - peak."),
        (computes(lambda given: built(given, tent=(1 / given["peak"], -1 / (1 - given["peak"])))),
         "Behind the peak both units are at work: the second has to undo the climb of the first, and then to fall."),
        (computes(lambda given: built(given, tent=(1 / given["peak"], -2 / given["peak"]))),
         "Behind the peak your tent falls as steeply as it climbed. It has to be 0 at x = 1."),
        (computes(lambda given: rises_on(given, 1)),
         "The sign of the second output weight is the wrong way round: with two positive weights the network climbs "
         "even faster behind the peak, where it is to fall."),
        (computes(lambda given: rises_on(given, -1)),
         "Behind the peak your network climbs again: to turn the climb into a fall the second output weight has to "
         "take away both slopes, 1/c and 1/(1 − c)."),
        (computes(exchanged),
         "The first slope is another: the tent climbs from 0 to 1 on [0, c], a length of c. On the length 1 − c it "
         "falls."),
        (computes(lambda given: built(given, offsets=(0.0, given["peak"]))),
         "The second unit starts at the peak: ReLU(x - peak) has the bias -peak."),
        (computes(lambda given: built(given, inner_offsets=(0.0, 0.0))),
         "The first layer is right, the inner ones have no bias: they, too, ask whether the tent is beyond the peak."),
        (computes(lambda given: built(given, inner=np.eye(2))),
         "Your inner layers pass on what comes in: each has to put the tent together first, and then to ask how far it "
         "is beyond the peak."),
        (computes(lambda given: built(given, inner=np.ones((2, 2)))),
         "Your inner layers add up the two units with weights 1: it takes the tent's weights to make the tent."),
        (computes(lambda given: built(given, inner=reversed_between(given))),
         "Your inner weight is transposed: both of its rows make the whole tent of the two inputs."),
        (mended(lambda layers: [*layers[:-1], (-layers[-1][0], 1 - layers[-1][1])]),
         "Your network is upside down: it is 1 at 0, the tent is 0 there."),
    ],
    remarks=remarks_on_layers(
        lambda k: wanted_sizes({"k": k}),
        [
            ([lambda k: [1, *[2, 1] * k]],
             "Your network has a layer of its own for what comes out of each tent. That is affine, and so is what goes "
             "into the next: multiply them together, and a ReLU layer of width 1 is saved."),
            ([lambda k: [1, 2**k, 1]],
             "That is one hidden layer with 2^k units: it would do, but k layers of two units are asked for."),
            ([lambda k: [1, *[2] * (k - 1), 1]],
             "One hidden layer too few: k hidden layers and the output layer are k + 1 pairs."),
            ([lambda k: [1, *[2] * (k + 1), 1]],
             "One hidden layer too many: k hidden layers and the output layer are k + 1 pairs."),
            ([lambda k: [1, *[2] * k]],
             "The output layer is missing: after the last hidden layer the two units still have to be added up."),
        ],
        otherwise="The sizes are others than 1, 2, …, 2, 1: two units in each of k hidden layers.",
    ),
)
