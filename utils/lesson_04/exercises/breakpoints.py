"""Exercise 04.8: where a network of one input bends, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.layers import with_one_input
from utils.exercises.rules import Rule, Solver, hints_of, is_no

APART = 1 / 500  # of the interval: the least distance of two places where units switch
EXACT = 1e-8  # of the interval, by which a place may be off
NEAR = 0.02  # of the interval: a grid's idea of a place
TINY = 1e-9  # places that are nearer to each other are one
SIZES = ((1, 4, 3, 1), (1, 3, 3, 3, 1), (1, 5, 4, 1), (1, 4, 4, 1), (1, 3, 2, 2, 1), (1, 4, 2, 3, 1), (1, 6, 3, 1))
FAR = 1e4  # beyond this no unit of a case switches


class Piece(NamedTuple):
    """Of the interval, where every unit is on or off: what leaves a layer there is slope · x + offset."""

    left: float
    right: float
    slope: np.ndarray
    offset: np.ndarray
    on: tuple[np.ndarray, ...]  # which units are, layer by layer


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return all cases: the worked example, one without a bend, two that bend at their ends, and what is drawn."""
    return [
        with_one_input([([[1], [1]], [0, -1]), ([[1, -2]], [-0.5]), ([[1]], [0])], -1, 3),
        with_one_input([([[1], [-2]], [1, 3]), ([[1, -1]], [5])], 10, 11),
        with_one_input([([[0.5], [1], [1], [0.25]], [0.25, 1, -1, -0.125]), ([[2, 0, 1, 0.25]], [1])], -1, 1),
        *(one_layer(rng) for _ in range(2)),
        *(deep(rng, sizes) for sizes in SIZES),
        bent_at_its_ends(rng),
    ]


def one_layer(rng: np.random.Generator) -> Inputs:
    """Return a network: two units bend together, two cancel, and one each is weak, outside, unused and constant."""
    together, cancelled, single = rng.choice(np.arange(-6, 7), 3, replace=False) / 4
    bends = [
        (1, together, 1),
        (-2, together, 1.5),
        (1, cancelled, 2),
        (-1, cancelled, -2),
        (2, single, -1),
        (0.25, single - 0.125, 0.25),
        (1, rng.choice([-5.0, 4.0]), 1),
        (1, single + 0.125, 0),
        (0, 0, 1),
    ]
    slopes, places, outer = np.array(bends)[rng.permutation(len(bends))].T
    return with_one_input([(slopes[:, None], -slopes * places), (outer[None], [0.5])], -2.01, 2.01)


def bent_at_its_ends(rng: np.random.Generator) -> Inputs:
    """Return a network that bends at both ends, where rounding puts what is computed of them inside, and at others."""
    ends = [a_hair_inside(rng, side) for side in (-1, 1)]
    low, high = (end for end, *_ in ends)
    middle = round(rng.uniform(0.4, 0.6) * (high - low) + low, 2)
    units = [[slope, bias] for _, slope, bias in ends] + [[1.0, -middle], [-1.0, middle + 0.25]]
    slopes, biases = np.array(units)[rng.permutation(len(units))].T
    return with_one_input([(slopes[:, None], biases), ([[2, 3, 2, 3]], [0.5])], low, high)


def a_hair_inside(rng: np.random.Generator, side: int) -> tuple[float, float, float]:
    """Return the lower or upper end of an interval, and slope and bias of a unit that switches there but for rounding.

    Its place is computed to lie within the interval, and in the middle of what is then cut off the unit is on just
    where it is on at this end.
    """
    while True:
        end, slope = side * int(rng.integers(20, 60)) / 10, int(rng.integers(3, 20)) / 10
        bias = -round(slope * end, 2)
        place = -bias / slope
        is_on = slope * (place + end) / 2 + bias > 0
        if side * (place - end) < 0 < side * (slope * end + bias) and is_on == (side > 0):
            return end, slope, bias


def deep(rng: np.random.Generator, sizes: tuple[int, ...]) -> Inputs:
    """Return a network of several hidden layers without close calls."""
    while True:  # weights are halves, biases quarters: all is exact, and slopes differ by a sixteenth at least
        layers = [
            (rng.integers(-4, 5, (n_out, n_in)) / 2, rng.integers(-8, 9, n_out) / 4) for n_in, n_out in pairwise(sizes)
        ]
        given = with_one_input(layers, -1 - rng.uniform(0.01, 0.02), rng.choice([1, 2]) + rng.uniform(0.01, 0.02))
        pieces, found = pieces_of(given), bends(given)
        narrowest = min(piece.right - piece.left for piece in pieces)
        if narrowest >= APART * _length(given) and 4 <= len(found) < len(pieces) - 1:
            return given


def _length(given: Inputs) -> float:
    return given["high"] - given["low"]


def pieces_of(given: Inputs) -> list[Piece]:
    """Return the pieces of the interval on which every unit is on or off, from left to right."""
    pieces = [Piece(given["low"], given["high"], np.ones(1), np.zeros(1), ())]
    *hidden, (weight, bias) = zip(given["weights"], given["biases"], strict=True)
    for layer in hidden:
        pieces = [finer for piece in pieces for finer in through_layer(piece, *layer)]
    return [piece._replace(slope=weight @ piece.slope, offset=weight @ piece.offset + bias) for piece in pieces]


def through_layer(piece: Piece, weight: np.ndarray, bias: np.ndarray) -> Iterator[Piece]:
    """Yield the parts into which a layer cuts a piece."""
    slope, offset = weight @ piece.slope, weight @ piece.offset + bias
    moving = slope != 0
    zeros = np.unique((-offset[moving] / slope[moving]).round(12))
    inside = zeros[(zeros > piece.left + TINY) & (zeros < piece.right - TINY)]
    for left, right in pairwise([piece.left, *inside.tolist(), piece.right]):
        on = slope * (left + right) / 2 + offset > 0
        yield Piece(left, right, slope * on, offset * on, (*piece.on, on))


# --- what comes of which way to look ------------------------------------------------------------------------


def where(differs: Callable[[Piece, Piece], int]) -> Solver:
    """Return the places at which neighbouring pieces differ, each as often as that says."""

    def places(given: Inputs) -> list[float]:
        return [one.right for one, other in pairwise(pieces_of(given)) for _ in range(int(differs(one, other)))]

    return places


def switched(one: Piece, other: Piece, layers: slice = slice(None)) -> int:
    """Return how many units of these layers switch."""
    return sum(int((a != b).sum()) for a, b in zip(one.on[layers], other.on[layers], strict=True))


bends = where(lambda one, other: one.slope[0] != other.slope[0])
switching = where(lambda one, other: 1)


def without_relu(given: Inputs) -> list[float]:
    """Return where what comes into the units is 0, had the layers below no ReLU."""
    slope, offset, found = np.ones(1), np.zeros(1), []
    for weight, bias in zip(given["weights"][:-1], given["biases"][:-1], strict=True):
        slope, offset = weight @ slope, weight @ offset + bias
        found += (-offset[slope != 0] / slope[slope != 0]).tolist()
    return sorted({place for place in found if given["low"] + TINY < place < given["high"] - TINY})


def with_output(given: Inputs) -> Inputs:
    """Return the network with a ReLU behind its output."""
    return {**given, "weights": [*given["weights"], np.ones((1, 1))], "biases": [*given["biases"], np.zeros(1)]}


MISTAKES = [
    (
        where(lambda one, other: switched(one, other, slice(1)) > 0),
        where(lambda one, other: switched(one, other, slice(1))),
        without_relu,
        "You do not look through the ReLUs of earlier layers. What comes into a later unit is affine only as long "
        "as no earlier unit switches, and the unit switches wherever that passes 0: look piece by piece, layer by "
        "layer.",
    ),
    (
        lambda given: bends({**given, "biases": [0 * bias for bias in given["biases"]]}),
        "You leave out the biases. They decide where a unit's sum is 0.",
    ),
    (
        lambda given: switching(with_output(given)),
        lambda given: bends(with_output(given)),
        lambda given: sorted({*bends(given), *bends(with_output(given))}),
        "You take the output for a unit. There is no ReLU behind it, and so nothing happens where it is 0.",
    ),
]
GUESSES = [where(lambda one, other: abs(other.slope[0] - one.slope[0]) >= 0.1)]  # takes a weak bend for none


def agree(given: Inputs, value: object, places: list[float], share: float = EXACT) -> bool:
    """Return whether these are the places, to within this share of the interval."""
    numbers = np.asarray(value, dtype=float)
    return numbers.shape == np.shape(places) and bool((np.abs(numbers - places) <= share * _length(given)).all())


def finds(*ways: Solver) -> Rule:
    """Return a rule: the value is what one of these ways finds."""
    return lambda given, value, expected: any([agree(given, value, way(given)) for way in ways])


def is_list(value: object) -> bool:
    """Return whether this is a list of numbers, which may be empty."""
    try:
        return np.asarray(value, dtype=float).ndim == 1
    except (TypeError, ValueError):
        return False


def missed(given: Inputs, places: np.ndarray, among: np.ndarray, share: float = EXACT) -> int:
    """Return how many of the places are not among others, to within this share of the interval."""
    return sum(not (np.abs(np.asarray(among) - place) <= share * _length(given)).any() for place in places)


def is_misplaced(given: Inputs, value: object, expected: np.ndarray) -> bool:
    """Return whether some place is not in the interval, or not to the right of the one before it."""
    return bool((np.diff([given["low"], *np.asarray(value, dtype=float), given["high"]]) <= TINY).any())


def is_from_a_grid(given: Inputs, value: object, expected: np.ndarray) -> bool:
    """Return whether every bend is met, and nothing else, but some only roughly."""
    roughly = not missed(given, value, expected, NEAR) and not missed(given, expected, value, NEAR)
    return roughly and missed(given, expected, value) > 0


def explain_breakpoints(given: Inputs, value: object, expected: np.ndarray) -> str:
    """Say how many bends are missed and how many places are none."""
    if not is_list(value) or not np.isfinite(np.asarray(value, dtype=float)).all():
        return ""
    return (
        f"Bends that you miss: {missed(given, expected, value)} of {len(expected)}. "
        f"Your places where the network does not bend: {missed(given, value, expected)} of {len(value)}."
    )


def plot_breakpoints(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the network on the interval, with the places that were found, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    pieces = pieces_of(given)
    x = np.array([pieces[0].left, *(piece.right for piece in pieces)])
    y = [float((piece.slope * piece.left + piece.offset)[0]) for piece in pieces]
    y.append(float((pieces[-1].slope * x[-1] + pieces[-1].offset)[0]))
    figure, ax = plt.subplots(figsize=(8, 2.8))
    for place in value:
        ax.axvline(place, color=COLOURS["red"], linestyle="--", linewidth=1)
    ax.plot(x, y, color=COLOURS["blue"], linestyle="-")
    ax.set(xlabel="x", ylabel="network", title=f"The network, and the {len(value)} places that you found (dashed)")
    corners = ", ".join(f"({a:.3g}, {b:.3g})" for a, b in zip(x, y, strict=True))
    found = ", ".join(f"{place:.3g}" for place in value) or "none"
    return figure, f"The network runs straight through the points {corners}. The places that you found: {found}."


BREAKPOINTS = Exercise(
    id="04.8",
    points=4,
    answer_name="breakpoints",
    cases=lambda rng: discriminating_cases(lambda: sample_cases(rng), bends, MISTAKES, GUESSES),
    verify=lambda given, hidden, value, expected: float(agree(given, value, expected)),
    without=[f"utils.regions.{name}" for name in ("linear_regions", "count_regions", "_walk")],
    explain=explain_breakpoints,
    plot=plot_breakpoints,
    plotted_case=7,
    misconceptions=hints_of(MISTAKES, finds),
    remarks=[
        (
            is_no(is_list),
            "Return a list of numbers, the places from left to right; where the network does not bend it is empty.",
        ),
        (
            is_misplaced,
            "A place at an end of the interval does not count, even if rounding puts it a hair inside, and neither "
            "does one outside of it. List each of the others once, from left to right.",
        ),
        (
            is_from_a_grid,
            "You are near the bends, but not at them: compute where a unit switches from the line on which it comes to "
            "0, in float64. A grid only says between which points that is.",
        ),
        (
            lambda given, value, expected: missed(given, expected, value) > 0,
            "You miss bends. A unit of any layer can make some, on each piece into which the layers before cut the "
            "line, and any change of slope is one, from rising to falling or not.",
        ),
        (
            lambda given, value, expected: missed(given, expected, value) == 0 < missed(given, value, expected),
            "All bends are there, and places at which the slope is the same on both sides, but for rounding. Units may "
            "switch there, but a later layer cancels what changes, or does not look at it: leave those out.",
        ),
    ],
)
