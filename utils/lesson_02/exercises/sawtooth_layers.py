"""Exercise 02.5: the weights of a sawtooth, for any number of layers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.layers import Layers, computes, evaluate, layers_of, remarks_on_layers, sizes_in_words, sizes_of
from utils.exercises.rules import hints_of

TOLERANCE = 1e-3  # room for float32: its rounding grows by the slope of a tent, up to 10/3, from layer to layer


def _sawtooth_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    yield {"k": 1, "peak": 0.25}, None
    yield {"k": 3, "peak": 0.5}, None
    for k in (2, 4, 1, 6, 5):
        distance = rng.uniform(0.1, 0.2)  # from the middle
        yield {"k": k, "peak": float(0.5 + rng.choice([-1, 1]) * distance)}, None


LOPSIDED = 3  # of these cases, with sixteen pieces


def corners(given: Inputs) -> np.ndarray:
    """Return where the sawtooth has its corners, both ends included: there it is 0, 1, 0, 1, … by turns.

    The tent climbs to 1 on [0, peak] and falls to 0 on [peak, 1]: the corners of one tent more are those of the
    sawtooth, shrunk into [0, peak], and shrunk and mirrored into [peak, 1].
    """
    x, peak = np.array([0.0, 1.0]), given["peak"]
    for _ in range(given["k"]):
        x = np.concatenate([peak * x, 1 - (1 - peak) * x[-2::-1]])
    return x


def places(given: Inputs) -> np.ndarray:
    """Return where networks are looked at: at the corners, inside each piece, and evenly."""
    x = corners(given)
    inside = [x[:-1] + share * np.diff(x) for share in (0.2, 0.5, 0.85)]
    return np.sort(np.concatenate([x, *inside, np.linspace(0, 1, 1001)]))


def sawtooth_at(given: Inputs, x: np.ndarray) -> np.ndarray:
    """Return the sawtooth's values."""
    return np.interp(x, corners(given), np.arange(2 ** given["k"] + 1) % 2)


def curve_of(layers: Layers, x: np.ndarray) -> np.ndarray:
    """Return the outputs [n] of the network, whose sizes begin and end with 1, at x [n]."""
    return evaluate(layers, x[:, None])[:, 0]


def wanted_sizes(k: int) -> list[int]:
    """Return the sizes asked for."""
    return [1, *[2] * k, 1]


def is_sawtooth(given: Inputs, layers: Layers) -> bool:
    """Return whether the layers have the sizes asked for and compute the sawtooth."""
    x = places(given)
    fits = sizes_of(layers) == wanted_sizes(given["k"])
    return fits and bool(np.abs(curve_of(layers, x) - sawtooth_at(given, x)).max() <= TOLERANCE)


def built(
    given: Inputs,
    *,
    tent: tuple | None = None,
    inner: object = None,
    offsets: tuple | None = None,
    inner_offsets: tuple | None = None,
) -> Layers:
    """Return the layers, with some part other than it should be."""
    peak = given["peak"]
    tent = np.array([tent or (1 / peak, -1 / peak - 1 / (1 - peak))])
    first = np.ones((2, 1)), np.array(offsets or (0.0, -peak))
    weight = np.repeat(tent, 2, axis=0) if inner is None else np.asarray(inner)
    between = weight, first[1] if inner_offsets is None else np.array(inner_offsets)
    return [first, *[between] * (given["k"] - 1), (tent, np.zeros(1))]


def with_slopes(tent: Callable[[float], tuple[float, float]]) -> Callable[[Inputs], Layers]:
    """Return the way that takes other output weights of the tent, as they follow from its peak."""
    return lambda given: built(given, tent=tent(given["peak"]))


MISTAKES = [
    (
        lambda given: built({**given, "peak": 0.5}),
        with_slopes(lambda c: (2.0, -4.0)),
        lambda given: built(given, offsets=(0.0, -0.5)),
        "Your tent has its peak at 1/2, or the weights 2 and -4 that belong there. Here the peak is at c, and both "
        "slopes depend on it.",
    ),
    (
        lambda given: built({**given, "peak": 1 - given["peak"]}),
        with_slopes(lambda c: (1 / (1 - c), -1 / c - 1 / (1 - c))),
        "You have exchanged c and 1 − c: the tent climbs from 0 to 1 on [0, c], a length of c. On the length 1 − c it "
        "falls.",
    ),
    (
        with_slopes(lambda c: (1 / c, -1 / (1 - c))),
        with_slopes(lambda c: (1 / c, -2 / c)),
        with_slopes(lambda c: (1 / c, 1 / c + 1 / (1 - c))),
        with_slopes(lambda c: (1 / c, 1 / (1 - c) - 1 / c)),
        with_slopes(lambda c: (1 / c, 1 / c - 1 / (1 - c))),
        "To the right of the peak, both units are on. The second output weight has to undo the climb of the first, "
        "1/c, and then make the line fall by 1/(1 − c), so it takes away both slopes.",
    ),
    (
        lambda given: built(given, offsets=(0.0, given["peak"])),
        "Your second unit does not start at the peak: ReLU(x - peak) has the bias -peak.",
    ),
    (
        lambda given: built(given, inner_offsets=(0.0, 0.0)),
        lambda given: built(given, inner_offsets=(0.0, -0.5)),
        lambda given: built(given, inner=np.eye(2)),
        lambda given: built(given, inner=np.ones((2, 2))),
        lambda given: built(given, inner=built(given)[-1][0].T.repeat(2, axis=1)),
        "Your inner layers are not what they should be. Each has to put the tent together first, so both of its rows "
        "are the tent's weights. Then it asks how far that is beyond the peak, with the biases of the first layer.",
    ),
]


def explain_sawtooth(given: Inputs, value: object, expected: object) -> str:
    """Say where the network is furthest off, or which sizes it has."""
    layers = layers_of(value)
    if sizes_of(layers) != wanted_sizes(given["k"]):
        return sizes_in_words(layers, wanted_sizes(given["k"]))
    x = places(given)
    outputs, wanted = curve_of(layers, x), sawtooth_at(given, x)
    if not np.isfinite(outputs).all():
        return ""
    worst = np.abs(outputs - wanted).argmax()
    return f"Yours is furthest off at x = {x[worst]:.5g}: {outputs[worst]:.5g} there, {wanted[worst]:.5g} is wanted."


def plot_sawtooth(given: Inputs, value: object) -> tuple[object, str]:
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
        f"{given['k'] + 1} pairs (weight, bias), of a ReLU network with the sizes {wanted_sizes(given['k'])}\n"
        f"that is the tent with its peak at {given['peak']:.5g}, applied {given['k']} times, to within {TOLERANCE:g}"
    ),
    explain=explain_sawtooth,
    plot=plot_sawtooth,
    plotted_case=LOPSIDED,
    misconceptions=hints_of(
        MISTAKES, computes, wanted=wanted_sizes, within=1e-5, seen=lambda given, layers: curve_of(layers, places(given))
    ),
    remarks=remarks_on_layers(
        wanted_sizes,
        "Your sizes are not 1, 2, …, 2, 1, with two units in each of k hidden layers. A single layer leads from one "
        "tent into the next, not two, and the output layer adds up the last two units.",
    ),
)
