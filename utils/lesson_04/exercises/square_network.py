"""Exercise 04.5: x² by depth, with a unit in each layer that carries the running sum."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.layers import (
    Layers,
    computes,
    evaluate,
    is_not_finite,
    layers_of,
    remarks_on_layers,
    sizes_in_words,
    sizes_of,
)

DEPTHS = (1, 2, 3, 4, 5, 6, 7)
PLOTTED = 2  # of these cases, three layers
ENDS = (1.25, 8.0)  # from, to; 1 in the worked example
ROUNDING = 1e-6  # room for float32
PLACES = np.linspace(0, 1, 513)  # of the interval, with the middles of all pieces, where the error is largest
SPLIT = np.array([[1, 0], [1, 0], [0, 1]])  # two units fold, the third carries on
Curve = Callable[[Given], np.ndarray]  # a network's values at PLACES, as shares of end²
Weight = Callable[[int, int], float]  # of the tent applied s times, of m


def drawn(rng: np.random.Generator) -> Iterator[tuple[Given, None]]:
    """Yield an interval for each number of hidden layers, the worked example first."""
    for m in DEPTHS:
        yield {"m": m, "end": 1.0 if m == 1 else round(rng.uniform(*ENDS), 2)}, None


def _wanted_sizes(m: int) -> list[int]:
    return [1, *[3] * m, 1]


def bound(m: int) -> float:
    """Return how far off x² the network may be, as a share of end²."""
    return 0.25 ** (m + 1)


def curve_of(layers: Layers, end: float = 1.0) -> np.ndarray:
    """Return the network's values at PLACES of the interval from 0 to ``end``, as shares of end²."""
    return evaluate(layers, end * PLACES[:, None])[:, 0] / end**2


def is_square(given: Given, layers: Layers) -> bool:
    """Return whether the layers have the sizes asked for and are nowhere further from x² than the bound."""
    m = given["m"]
    fits = sizes_of(layers) == _wanted_sizes(m)
    return fits and bool(np.abs(curve_of(layers, given["end"]) - PLACES**2).max() <= bound(m) + ROUNDING)


# --- what comes of which mistake ----------------------------------------------------------------------------


def tents(s: int) -> np.ndarray:
    """Return the tent, applied s times, at PLACES."""
    values = PLACES
    for _ in range(s):
        values = 1 - np.abs(2 * values - 1)
    return values


def of_weights(weight: Weight) -> tuple[Curve, Curve]:
    """Return x − the sum of weight(s, m) times the tent applied s times: as it is, and as ReLU units carry it.

    With weights that are too large the sum becomes negative, and a ReLU cuts it off.
    """

    def sum_of_tents(given: Given) -> np.ndarray:
        m = given["m"]
        return PLACES - sum(weight(s, m) * tents(s) for s in range(1, m + 1))

    return sum_of_tents, _slipped(weight=weight)


def _tents_alone(sign: int) -> Curve:
    return lambda given: sign * sum(0.25**s * tents(s) for s in range(1, given["m"] + 1))


def _last_tent(share: Callable[[int], float]) -> Curve:
    return lambda given: share(given["m"]) * tents(given["m"])


def built(
    given: Given, *, weight: Weight = lambda s, m: 0.25**s, later: object = (0, -0.5, 0),
    tent: object = (2, -4, 0), taken: object = (2, -4, 0),
) -> Layers:
    """Return the layers, with some part other than it should be: ``taken`` is the tent that goes into the sum."""
    m = given["m"]
    together = [np.array([tent, np.array([0, 0, 1]) - weight(s, m) * np.array(taken)]) for s in range(1, m + 1)]
    inner = [(SPLIT @ made, np.array(later)) for made in together[:-1]]
    return [(np.ones((3, 1)), np.array([0, -0.5, 0])), *inner, (together[-1][1:], np.zeros(1))]


def _slipped(**slip: object) -> Curve:
    return lambda given: curve_of(built(given, **slip))


def tent_of_the_sum(given: Given) -> np.ndarray:
    """Return what comes of folding the sum in place of the last tent."""
    values = PLACES
    for s in range(1, given["m"] + 1):
        values = values - (2 * np.maximum(values, 0) - 4 * np.maximum(values - 0.5, 0)) / 4**s
    return values


def with_inner(change: Callable[[np.ndarray, np.ndarray], tuple]) -> Curve:
    """Return what comes of other layers between the first and the last, made of their weights and biases."""

    def curve(given: Given) -> np.ndarray:
        first, *between, last = built(given)
        return curve_of([first, *[change(*layer) for layer in between], last])

    return curve


def right(given: Given) -> np.ndarray:
    """Return what the construction computes."""
    return curve_of(built(given))


is_curve = partial(
    computes, wanted=_wanted_sizes, seen=lambda given, layers: curve_of(layers, given["end"]), within=2e-6
)


def is_off_at_the_knots(given: Given, value: object, expected: object) -> bool:
    """Return whether the network is wrong already where the construction meets x²."""
    apart = 2 ** (9 - given["m"])
    off = np.abs(curve_of(layers_of(value), given["end"]) - PLACES**2)
    return bool(off[::apart].max() > bound(given["m"]) + ROUNDING)


def _allowed(given: Given) -> str:
    m, end = given["m"], given["end"]
    return f"{end:g}² · 4^-{m + 1} = {end**2 * bound(m):.3g}"


def explain_square(given: Given, value: object, expected: object) -> str:
    """Say where the network is furthest off, or which sizes it has."""
    m, end, layers = given["m"], given["end"], layers_of(value)
    if sizes_of(layers) != _wanted_sizes(m):
        return sizes_in_words(layers, _wanted_sizes(m))
    x, outputs = end * PLACES, end**2 * curve_of(layers, end)
    off = np.abs(outputs - x**2)
    if not np.isfinite(off).all():
        return ""
    worst = off.argmax()
    return (
        f"Yours is furthest off at x = {x[worst]:.5g}: {outputs[worst]:.5g} there, x² is {x[worst] ** 2:.5g}. "
        f"It may be off by {_allowed(given)}."
    )


def plot_square(given: Given, value: object) -> tuple[object, str]:
    """Return a figure of how far the network is from x², and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    m, end = given["m"], given["end"]
    off, most = end**2 * (curve_of(layers_of(value), end) - PLACES**2), end**2 * bound(m)
    figure, ax = plt.subplots(figsize=(8, 2.8))
    ax.plot(end * PLACES, off, "-", color=COLOURS["blue"])
    for sign in (-1, 1):
        ax.axhline(sign * most, color="black", linestyle=":")
    label = f"allowed: no more than {_allowed(given)} either way"
    ax.annotate(label, (end, -most), xytext=(0, 4), textcoords="offset points", ha="right")
    ax.set(title="Your network minus x²", xlabel="x", ylabel="difference")
    ax.margins(y=0.2)
    return figure, (
        f"The difference between your network of {m} hidden layers and x² on [0, {end:g}], with dotted lines at plus "
        f"and minus {most:.3g}, which it should not cross: it is nowhere larger than {np.abs(off).max():.3g}."
    )


SQUARE = Exercise(
    id="04.5",
    points=4,
    answer_name="square_network",
    cases=drawn,
    verify=lambda given, hidden, value, expected: float(is_square(given, layers_of(value))),
    wanted=lambda given, expected: (
        f"{given['m'] + 1} pairs (weight, bias), of a ReLU network with the sizes {_wanted_sizes(given['m'])}\n"
        f"that is nowhere on [0, {given['end']:g}] off x² by more than {_allowed(given)}"
    ),
    explain=explain_square,
    plot=plot_square,
    plotted_case=PLOTTED,
    without=["utils.lesson_04.squares.square_network"],
    misconceptions=[
        (is_curve(lambda given: PLACES - tents(given["m"]) * 0.25 ** given["m"]),
         "Your third unit carries x to the end, and only the last tent is taken away. Each layer has to take its own "
         "tent from what the third unit carries: it is the running sum."),
        (is_curve(lambda given: curve_of(built(given), given["end"]),
                  lambda given: curve_of(built(given), given["end"]) * given["end"] ** 2),
         "Your layers fold [0, 1], whatever `end` is: they are to begin with x / end, which lies between 0 and 1."),
        (is_curve(lambda given: right(given) / given["end"] ** 2, lambda given: right(given) / given["end"]),
         "Your network is x² but for a factor, which depends on `end`: x² is end² times the square of x / end."),
        (is_curve(_tents_alone(1), _tents_alone(-1)),
         "This is the sum of the tents, or minus it, without x: it comes near x − x². Let the third unit begin with x, "
         "and take the tents from it."),
        (is_curve(*of_weights(lambda s, m: -(0.25**s))),
         "You add the tents, where they are to be taken away: x lies above x²."),
        (is_curve(*of_weights(lambda s, m: 0.5**s)),
         "You divide by 2^s: each tent is half as wide as the one before, so what it repairs is a quarter as large. "
         "Divide by 4^s."),
        (is_curve(*of_weights(lambda s, m: 0.25 ** (s - 1))),
         "Your weights are four times too large: the first tent is already divided by 4."),
        (is_curve(*of_weights(lambda s, m: 0.25 ** (s + 1))),
         "Your weights are four times too small: the first tent is divided by 4, not by 16."),
        (is_curve(*of_weights(lambda s, m: 0.25), *of_weights(lambda s, m: 0.25**m)),
         "You divide all tents by the same number: the one of layer s is divided by 4^s, so the weights differ from "
         "layer to layer."),
        (is_curve(*of_weights(lambda s, m: 0.25 ** (m + 1 - s))),
         "Your weights come in reverse order: the first tent, the widest, has the largest weight, 1/4."),
        (is_curve(*of_weights(lambda s, m: 0.25**s * (s < m))),
         "The last tent is missing: the read-out, too, takes one away, that of the last hidden layer."),
        (is_curve(*of_weights(lambda s, m: 0.25**s * (s > 1))),
         "The first tent is missing: it is made of the first hidden layer's units, and so is taken away on the way to "
         "the second."),
        (is_curve(_last_tent(lambda m: 1.0), _last_tent(lambda m: 0.25**m)),
         "This is the last tent alone: the third unit, which carries the sum, is not read out."),
        (is_curve(_last_tent(lambda m: -(0.25**m))),
         "Only the last tent is there, and what the third unit carries does not arrive: it is not read out, or it is "
         "negative, as a sum that does not begin with x is, and ReLU makes 0 of it."),
        (is_curve(_slipped(later=(0, 0, 0))),
         "Your first layer is right, the later ones have no bias: they, too, ask whether the tent has passed 1/2."),
        (is_curve(_slipped(taken=(2, 0, 0))),
         "You take twice the first unit from the sum: a whole tent is both units, 2 times the first minus 4 times the "
         "second."),
        (is_curve(_slipped(tent=(2, 4, 0), taken=(2, 4, 0)), _slipped(tent=(2, 4, 0))),
         "Your tent climbs on behind 1/2: the second unit's weight in it has to be −4."),
        (is_curve(_slipped(tent=(2, -2, 0), taken=(2, -2, 0)), _slipped(tent=(2, -2, 0))),
         "Behind 1/2 your tent stays level: to fall as it climbed, it has to lose the climb and as much again."),
        (is_curve(tent_of_the_sum),
         "Your layers fold the sum: the first two units are to fold the last tent, and the sum goes through the third "
         "unit only."),
        (is_curve(with_inner(lambda weight, bias: (np.eye(3), np.zeros(3)))),
         "Your layers pass on what comes in: each has to put the tent together, 2 times the first unit minus 4 times "
         "the second, to split it again, and to take it from the sum."),
        (is_curve(with_inner(lambda weight, bias: (weight.T, bias))),
         "The weight between your hidden layers is transposed: its rows belong to the units that it leads to."),
    ],
    remarks=[
        *remarks_on_layers(
            _wanted_sizes,
            [
                ([lambda m: [1, *[3, 2] * (m - 1), 3, 1], lambda m: [1, *[3, 2] * m, 1]],
                 "Your network has a layer of its own for tent and sum. What makes them is affine, and so is what goes "
                 "into the next hidden layer: multiply them together."),
                ([lambda m: [1, *[3] * (m - 1), 1]],
                 "One hidden layer too few: m hidden layers and the read-out are m + 1 pairs."),
                ([lambda m: [1, *[3] * (m + 1), 1]],
                 "One hidden layer too many: m hidden layers and the read-out are m + 1 pairs."),
                ([lambda m: [1, *[3] * m]],
                 "The read-out is missing: it takes the last tent from what the third unit carries."),
                ([lambda m: [1, *[2] * m, 1]],
                 "Two units in a layer fold, and nothing remembers the tents before the last: a third unit carries the "
                 "sum."),
                ([lambda m: [1, *[4] * m, 1]],
                 "Four units are one more than is needed: instead of x and the sum of the tents, carry their "
                 "difference."),
                ([lambda m: [1, 2**m, 1]],
                 "That is one hidden layer with 2^m units: it would do, but m layers of three units are asked for."),
            ],
            otherwise="The sizes are others than 1, 3, …, 3, 1: three units in each of m hidden layers.",
        ),
        (is_not_finite,
         "Your weights contain nan or inf: look for a division by zero."),
        (is_off_at_the_knots,
         "Your network is off where it should meet x² exactly, at a multiple of 1/2^m: look at x = 0, 1/2 and 1 "
         "first, for m = 1."),
    ],
)
