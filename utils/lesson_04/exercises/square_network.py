"""Exercise 04.5: x² by depth, with a unit in each layer that carries the running sum."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.layers import Layers, computes, evaluate, layers_of, remarks_on_layers, sizes_in_words, sizes_of
from utils.exercises.rules import Solver, hints_of

DEPTHS = (1, 2, 3, 4, 5, 6, 7)
ENDS = (1.25, 8.0)  # from, to; 1 in the worked example
ROUNDING = 1e-6  # room for float32
PLACES = np.linspace(0, 1, 513)  # of the interval, with the middles of all pieces, where the error is largest
Weight = Callable[[int, int], float]  # of the tent applied s times, of m


def sample_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield an interval for each number of hidden layers, the worked example first."""
    for m in DEPTHS:
        yield {"m": m, "end": 1.0 if m == 1 else round(rng.uniform(*ENDS), 2)}, None


def _wanted_sizes(m: int) -> list[int]:
    return [1, *[3] * m, 1]


def bound(m: int) -> float:
    """Return how far off x² the network may be, as a share of end²."""
    return 0.25 ** (m + 1)


def curve_of(given: Inputs, layers: Layers) -> np.ndarray:
    """Return the network's values at PLACES of the interval, as shares of end²."""
    return evaluate(layers, given["end"] * PLACES[:, None])[:, 0] / given["end"] ** 2


def is_square(given: Inputs, layers: Layers) -> bool:
    """Return whether the layers have the sizes asked for and are nowhere further from x² than the bound."""
    fits = sizes_of(layers) == _wanted_sizes(given["m"])
    return fits and bool(np.abs(curve_of(given, layers) - PLACES**2).max() <= bound(given["m"]) + ROUNDING)


# --- what comes of which mistake ----------------------------------------------------------------------------


def built(given: Inputs, *, weight: Weight = lambda s, m: 0.25**s, factor: float | None = None) -> Layers:
    """Return the layers, with other weights of the tents, or another factor than end² in the read-out."""
    m, creases, tent = given["m"], np.array([0, -0.5, 0]), np.array([2, -4, 0])
    layers = [(np.ones((3, 1)) / given["end"], creases)]
    for s in range(1, m + 1):
        total = np.array([0, 0, 1]) - weight(s, m) * tent
        layers.append((np.array([tent, tent, total]), creases))
    return [*layers[:-1], ((given["end"] ** 2 if factor is None else factor) * total[None], np.zeros(1))]


def weighing(weight: Weight) -> Solver:
    """Return the way that takes the tents with these weights."""
    return lambda given: built(given, weight=weight)


MISTAKES = [
    (
        lambda given: built({**given, "end": 1.0}),
        lambda given: built({**given, "end": 1.0}, factor=given["end"] ** 2),
        *(
            lambda given, power=power: built({**given, "end": 1 / given["end"]}, factor=given["end"] ** power)
            for power in (-2, 0, 2)
        ),
        lambda given: [(weight, bias * (weight.shape[1] == 1)) for weight, bias in built(given)],
        "Your layers do not fold [0, end] in its middle. Begin with x / end, which lies between 0 and 1, and let each "
        "layer fold at 1/2, by the bias −1/2 of its second unit.",
    ),
    (
        lambda given: built(given, factor=1.0),
        lambda given: built(given, factor=given["end"]),
        "Your network is x² but for a factor, which depends on `end`: x² is end² times the square of x / end.",
    ),
    (
        weighing(lambda s, m: 0.5**s),
        weighing(lambda s, m: 0.25),
        "Your weights do not fall by a factor of four from tent to tent: each is half as wide as the one before, "
        "so what it repairs is a quarter as large.",
    ),
    (
        weighing(lambda s, m: 0.25 ** (s - 1)),
        weighing(lambda s, m: 0.25 ** (s + 1)),
        weighing(lambda s, m: -(0.25**s)),
        "The weights of all tents are off by a factor of four, or have the wrong sign: a quarter of the first tent is "
        "taken away, a sixteenth of the second, and so on.",
    ),
    (
        weighing(lambda s, m: 0.25**s * (s < m)),
        weighing(lambda s, m: 0.25**s * (s == m)),
        weighing(lambda s, m: 0.25 ** (s - (s == m))),
        weighing(lambda s, m: 0.25 ** (s + (s == m))),
        "The last tent is missing, or weighs too much or too little, or it is the only one: every layer takes one away "
        "from the sum, and the read-out takes the last, 1/4^m of it.",
    ),
]


def _allowed(given: Inputs) -> str:
    m, end = given["m"], given["end"]
    return f"{end:g}² · 4^-{m + 1} = {end**2 * bound(m):.3g}"


def explain_square(given: Inputs, value: object, expected: object) -> str:
    """Say where the network is furthest off, or which sizes it has."""
    m, end, layers = given["m"], given["end"], layers_of(value)
    if sizes_of(layers) != _wanted_sizes(m):
        return sizes_in_words(layers, _wanted_sizes(m))
    x, outputs = end * PLACES, end**2 * curve_of(given, layers)
    errors = np.abs(outputs - x**2)
    if not np.isfinite(errors).all():
        return ""
    worst = errors.argmax()
    return (
        f"Yours is furthest off at x = {x[worst]:.5g}: {outputs[worst]:.5g} there, x² is {x[worst] ** 2:.5g}. "
        f"It may be off by {_allowed(given)}."
    )


def plot_square(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of how far the network is from x², and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    m, end = given["m"], given["end"]
    differences, most = end**2 * (curve_of(given, layers_of(value)) - PLACES**2), end**2 * bound(m)
    figure, ax = plt.subplots(figsize=(8, 2.8))
    ax.plot(end * PLACES, differences, "-", color=COLOURS["blue"])
    for sign in (-1, 1):
        ax.axhline(sign * most, color="black", linestyle=":")
    label = f"allowed: no more than {_allowed(given)} either way"
    ax.annotate(label, (end, -most), xytext=(0, 4), textcoords="offset points", ha="right")
    ax.set(title="Your network minus x²", xlabel="x", ylabel="difference")
    ax.margins(y=0.2)
    return figure, (
        f"The difference between your network of {m} hidden layers and x² on [0, {end:g}], with dotted lines at plus "
        f"and minus {most:.3g}, which it should not cross: it is nowhere larger than {np.abs(differences).max():.3g}."
    )


SQUARE = Exercise(
    id="04.5",
    points=4,
    answer_name="square_network",
    cases=sample_cases,
    verify=lambda given, hidden, value, expected: float(is_square(given, layers_of(value))),
    wanted=lambda given, expected: (
        f"{given['m'] + 1} pairs (weight, bias), of a ReLU network with the sizes {_wanted_sizes(given['m'])}\n"
        f"that is nowhere on [0, {given['end']:g}] off x² by more than {_allowed(given)}"
    ),
    explain=explain_square,
    plot=plot_square,
    plotted_case=2,  # three layers
    without=["utils.lesson_04.squares.square_network"],
    misconceptions=hints_of(MISTAKES, computes, wanted=_wanted_sizes, seen=curve_of, within=2e-6),
    remarks=remarks_on_layers(
        _wanted_sizes, "Your sizes are not 1, 3, …, 3, 1: you need three units in each of m hidden layers."
    ),
)
