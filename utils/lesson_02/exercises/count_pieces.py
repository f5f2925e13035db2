"""Exercise 02.6: counting the linear pieces of a network of one input."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from operator import ne
from typing import NamedTuple

import numpy as np

from utils.exercises.definition import Exercise
from utils.exercises.discrimination import draw_until
from utils.exercises.layers import with_one_input
from utils.exercises.rules import equals, hints_of, same_whole_number

Layers = tuple[tuple[tuple[tuple[float, ...], ...], tuple[float, ...]], ...]  # rows of weights, and biases
APART = Fraction(1, 500)  # of the interval: the least distance of two bends that do not coincide
LEAST_BEND = Fraction(1, 20)  # the least change of slope that is not 0
NEAR = Fraction(1, 200)  # of the interval: closer bends are one on a grid that looks fine
SMALL_CHANGES = (1 / 16, 1 / 16, 1 / 16, 1 / 16, 1 / 8, 3 / 16, 1 / 4, 3 / 8)  # of slope, the least nearly LEAST_BEND
TOO_MUCH = (0.07, 0.1, 0.2, 0.3, 0.5)  # for a tolerance of slopes
DEEP = ((1, 4, 3, 1), (1, 3, 3, 3, 1), (1, 5, 4, 1), (1, 4, 4, 1))  # sizes
FAR = 10**6  # beyond this no unit of a case bends
GRIDS = (101, 201, 501, 1001, 2001, 10_001, 100, 200, 500, 1000, 2000, 10_000)
# Grids on which some two bends, 1/500 of the interval apart, are in neighbouring cells or have but one between them.
TOO_FEW = (50, 64, 100, 128, 150, 200, 250, 256, 300, 350, 400)  # places at which slopes are looked at
COARSE = (
    41, 51, 61, 71, 81, 91, 101, 121, 151, 201, 251, 301, 401, 501, 601, 701, 801, 901, 1001, 1201, 1401,
    50, 100, 200, 300, 400, 500, 600, 800, 1000, 1200,
)


# --- cases ------------------------------------------------------------------------------------------------


def pieces_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    """The first two cases are the same for every seed."""
    for given in draw_until(told_apart, drawn, rng):
        yield given, None


def drawn(rng: np.random.Generator) -> list[dict]:
    """Return all cases, the worked example first."""
    tent = [[2, -4], [2, -4]]
    return [
        with_one_input([([[1], [1], [2]], [0, -1, -6]), ([[1, -2, 3]], [0])], -1, 2),
        with_one_input([([[1], [1]], [0, -0.5]), (tent, [0, -0.5]), (tent, [0, -0.5]), ([[2, -4]], [0])], 0, 1),
        with_one_input(one_layer(rng), *around(rng, -2, 2)),
        with_one_input([([[1], [-2]], [1, 3]), ([[1, -1]], [5])], 10, 11),  # no bend in the interval
        with_one_input([([[0.5], [1], [1]], [0.25, 1, -1]), ([[2, 0, 1]], [1])], -1, 1),  # bends at both ends
        *(draw_until(is_telling, deep, rng, sizes) for sizes in DEEP),
        *(in_pairs(rng, below) for below in (False, True)),
        nearly_straight(rng),
    ]


def told_apart(cases: list[dict]) -> bool:
    """Return whether in these cases each mistake shows, and no earlier one explains all that it does."""
    right = [pieces(given) for given in cases]
    found = [[[way(given) for given in cases] for way in ways] for *ways, _ in (*MISTAKES, *SEEN, *ONE_OFF)]
    for place, group in enumerate(found):
        if any(sum(map(ne, values, right)) < 2 or explained(values, right, found[:place]) for values in group):
            return False
    on_grids = [list(zip(*(_on_points(given, count) for given in cases), strict=True)) for count in COARSE]
    before = found[: -len(ONE_OFF)]  # those that are one off speak after those of grids
    return not any(explained(values, right, before) for ways in on_grids for values in ways)


def explained(values: Sequence[int], right: list[int], others: list) -> bool:
    """Return whether wherever the values are wrong, one of the others has them, too."""
    wrong = [i for i, value in enumerate(values) if value != right[i]]
    return bool(wrong) and any(all(values[i] in [way[i] for way in group] for i in wrong) for group in others)


def around(rng: np.random.Generator, low: float, high: float) -> tuple[float, float]:
    """Return the ends of an interval that is a little wider, so that no even grid on it meets a bend.

    Bends lie on round numbers. Whoever looks at the slopes at many places, which is as good as computing the bends if
    pieces are wide, would be right or wrong by the luck of the draw.
    """
    return low - rng.uniform(0.002, 0.02), high + rng.uniform(0.002, 0.02)


def one_layer(rng: np.random.Generator) -> list[tuple[list, list]]:
    """Return a layer with two units that bend together, two whose bends cancel, and some of no effect in [-2, 2].

    A unit that opens to the left and one that opens to the right cancel in a sum with opposite weights: together
    they are a straight line.
    """
    together, cancelled, single, far = rng.choice(np.arange(-6, 7), 4, replace=False) / 4 * [1, 1, 1, 8]
    far += math.copysign(4, far)
    bends = [(1, together, 1), (-2, together, 1.5), (1, cancelled, 2), (-1, cancelled, -2), (2, single, -1),
             (1, far, 1), (1, single + 0.125, 0)]
    order = rng.permutation(len(bends))
    slopes, places, weights = (np.array(part)[order] for part in zip(*bends, strict=True))
    constant = 0, rng.choice([-1.0, 1.0]), 1  # a unit that does not look at x
    return [
        ([*slopes[:, None].tolist(), [constant[0]]], [*(-slopes * places).tolist(), constant[1]]),
        ([[*weights.tolist(), constant[2]]], [0.5]),
    ]


def deep(rng: np.random.Generator, sizes: tuple[int, ...]) -> dict:
    """Return a network with several hidden layers."""
    layers = []
    for n_in, n_out in itertools.pairwise(sizes):
        weight = rng.integers(-4, 5, (n_out, n_in)) / 2
        layers.append((weight, rng.integers(-8, 9, n_out) / 4))
    return with_one_input(layers, *around(rng, -1, rng.choice([1, 2])))


def in_pairs(rng: np.random.Generator, below: bool) -> dict:
    """Return a network whose bends come in pairs, each so close together that a coarse grid has them as one.

    Where it is ``below``, the bends are in the second of two hidden layers, and x comes to it in two parts.
    """
    while True:
        low, high = around(rng, -1, 1)
        starts = -1 + ((np.arange(6) + rng.uniform(0.1, 0.9, 6)) * 2700 + 100) / 2**13
        places = np.sort(np.concatenate([starts, starts + (high - low) * rng.uniform(0.00201, 0.00204, 6)]))
        places = (places * 2**17).round() / 2**17
        signs = rng.choice([-1, 1], 12)  # a unit that opens to the left bends the network as one to the right does
        changes = rng.choice([-1, 1]) * rng.integers(2, 5, 12) / 2  # all up or all down: few other mistakes show here
        middle = rng.integers(-60, 61) / 2**7 if below else 0.0
        weight, bias = signs[:, None] * (np.array([[1, -1]]) if below else 1), signs * (middle - places)
        split = [([[1], [-1]], [-middle, middle])] if below else []
        given = with_one_input([*split, (weight, bias), (changes[None], [0.5])], low, high)
        share = (places - low) / (high - low)
        if (
            is_clear(given)
            and all(unseen(share, count) for count in TOO_FEW)
            and all(merged(given, count, least) != 13 for count in COARSE for least in (1e-6, 0.02))
        ):
            return given


def unseen(places: np.ndarray, count: int) -> bool:
    """Return whether two places have no point between them: of a grid on [0, 1], or of the middles of its cells."""
    grids = (count * places, (count - 1) * places, count * places + 0.5)
    return all((np.diff(np.floor(grid)) == 0).any() for grid in grids)


def nearly_straight(rng: np.random.Generator) -> dict:
    """Return a steep network whose slope changes by little at each bend."""
    changes = rng.choice([-1, 1]) * rng.permutation(SMALL_CHANGES)  # few other mistakes show here, either
    places = (np.arange(8) + rng.uniform(0.2, 0.8, 8)).round(2) / 4 - 1
    signs = rng.choice([-1, 1], 8)
    always = [1, 3, 8]  # a unit that is on everywhere: its weight, its bias, its output weight
    weight, bias, outer = np.column_stack([[signs, -signs * places, changes], always])
    return with_one_input([(weight[:, None], bias), (outer[None], [-20])], *around(rng, -1, 1))


def is_telling(given: dict) -> bool:
    """Return whether bends are apart from each other, and whether no wrong way of counting comes out right."""
    count = pieces(given)
    ways = activation_cells, one_by_one, first_layer_only
    if count < 4 or count == units(given) + 1 or any(way(given) == count for way in ways):
        return False
    return is_clear(given) and everywhere(given) != count


def is_clear(given: dict) -> bool:
    """Return whether there are no close calls: neither places nor slopes are nearly the same.

    Nor are those slopes whose changes are counted by who places the bends as if the layers below had no ReLU.
    """
    low, high = ends(given)
    apart = min(b - a for a, b in itertools.pairwise(trace(given).points)) >= APART * (high - low)
    misplaced = itertools.pairwise(secants(layers_of(given), places_without_relu(given)))
    return (
        apart
        and all(b - a >= LEAST_BEND for a, b in itertools.pairwise(sorted(set(trace(given).slopes))))
        and all(a == b or abs(b - a) >= LEAST_BEND for a, b in misplaced)
    )


# --- exact counting ---------------------------------------------------------------------------------------


def ends(given: dict) -> tuple[Fraction, Fraction]:
    """Return the interval's ends, exact."""
    return Fraction(given["low"]), Fraction(given["high"])


def layers_of(given: dict) -> Layers:
    """Return the weights and biases as plain numbers."""
    pairs = zip(given["weights"], given["biases"], strict=True)
    return tuple((tuple(map(tuple, np.asarray(w).tolist())), tuple(np.asarray(b).tolist())) for w, b in pairs)


def preactivations(layers: Layers, x: Fraction) -> list[list[Fraction]]:
    """Return what each layer computes at x before its ReLU, the output layer included, exact."""
    values, found = [x], []
    for rows, biases in layers:
        z = affine(rows, biases, values)
        found.append(z)
        values = [max(v, Fraction(0)) for v in z]
    return found


def affine(rows: Iterable, biases: Iterable, values: list[Fraction]) -> list[Fraction]:
    """Return a layer's weights times the values, plus its biases, exact."""
    pairs = zip(rows, biases, strict=True)
    return [sum((Fraction(w) * v for w, v in zip(row, values, strict=True)), Fraction(b)) for row, b in pairs]


class Traced(NamedTuple):
    """Where each unit of each hidden layer switches inside; all these points with the ends; the slopes between."""

    switches: list[list[list[Fraction]]]
    points: list[Fraction]
    slopes: list[Fraction]


def trace(given: dict) -> Traced:
    """Return a network's switches, points and slopes on its interval."""
    return _traced(layers_of(given), given["low"], given["high"])


@lru_cache(maxsize=64)  # the ways of counting all start from it
def _traced(layers: Layers, low: float | Fraction, high: float | Fraction) -> Traced:
    points, found = [Fraction(low), Fraction(high)], []
    for depth in range(len(layers) - 1):
        rows = zip(*(preactivations(layers, x)[depth] for x in points), strict=True)
        found.append([switches(points, z) for z in rows])
        points = sorted({*points, *itertools.chain.from_iterable(found[-1])})
    return Traced(found, points, secants(layers, points))


def secants(layers: Layers, points: list[Fraction]) -> list[Fraction]:
    """Return the network's slopes between neighbouring points."""
    y = [preactivations(layers, x)[-1][0] for x in points]
    sides = zip(itertools.pairwise(points), itertools.pairwise(y), strict=True)
    return [(v - u) / (b - a) for (a, b), (u, v) in sides]


def switches(points: list[Fraction], z: tuple[Fraction, ...]) -> list[Fraction]:
    """Return where a function that is affine between neighbouring points becomes positive, or ceases to be."""
    inside = [
        a - u * (b - a) / (v - u)
        for (a, b), (u, v) in zip(itertools.pairwise(points), itertools.pairwise(z), strict=True)
        if u * v < 0
    ]
    at = [points[i] for i in range(1, len(z) - 1) if z[i] == 0 and (z[i - 1] > 0) != (z[i + 1] > 0)]
    return sorted(inside + at)


def without_repeats(values: Iterable) -> list:
    """Return the values without those that are the same as the one before."""
    return [value for value, _ in itertools.groupby(values)]


def slopes_in_order(given: dict) -> list[Fraction]:
    """Return the slopes of the linear pieces from left to right, exact."""
    return without_repeats(trace(given).slopes)


def pieces(given: dict) -> int:
    """Return the number of linear pieces, exact."""
    return len(slopes_in_order(given))


# --- wrong ways of counting -------------------------------------------------------------------------------


def units(given: dict) -> int:
    """Return the number of hidden units."""
    return sum(len(bias) for bias in given["biases"][:-1])


def activation_cells(given: dict) -> int:
    """Return into how many intervals the switching of units cuts the interval."""
    return len(trace(given).points) - 1


def one_by_one(given: dict) -> int:
    """Return a piece more than there are switches, where several units that switch together are counted as several."""
    return 1 + sum(len(unit) for layer in trace(given).switches for unit in layer)


def first_layer_only(given: dict) -> int:
    """Return a piece more than there are places inside where a unit of the first layer switches."""
    return 1 + len(set(itertools.chain.from_iterable(trace(given).switches[0])))


def _signs_of_slopes(given: dict) -> list[int]:
    return [(slope > 0) - (slope < 0) for slope in slopes_in_order(given)]


def places_without_relu(given: dict) -> list[Fraction]:
    """Return the ends and where the hidden units' inputs pass 0 inside, had the layers below them no ReLU."""
    low, high = ends(given)
    at_low, at_high, found = [low], [high], {low, high}
    for rows, biases in layers_of(given)[:-1]:
        at_low, at_high = affine(rows, biases, at_low), affine(rows, biases, at_high)
        found |= {low - u * (high - low) / (v - u) for u, v in zip(at_low, at_high, strict=True) if u * v < 0}
    return sorted(found)


def everywhere(given: dict) -> int:
    """Return the number of pieces on the whole line."""
    return pieces({**given, "low": -FAR, "high": FAR})


def with_ends(given: dict) -> int:
    """Return the pieces, and one more for each end at which the network bends, seen from both sides."""
    low, high = ends(given)
    return pieces({**given, "low": low - APART / 2, "high": high + APART / 2})


def nearly_same_slopes(given: dict) -> list[int]:
    """Return a piece more than there are changes of slope by more than so much, for a few ideas of how much that is."""
    changes = [abs(b - a) for a, b in itertools.pairwise(trace(given).slopes)]
    return [1 + sum(change > least for change in changes) for least in TOO_MUCH]


def largest_possible(given: dict) -> int:
    """Return the product of (units + 1) over the hidden layers."""
    return math.prod(len(bias) + 1 for bias in given["biases"][:-1])


def bends_on_grid(given: dict, count: int, least: float) -> np.ndarray:
    """Return whether the slope changes from one cell of an evenly spaced grid to the next, by more than ``least``."""
    x = np.linspace(given["low"], given["high"], count)
    h = x[None]
    for depth, (weight, bias) in enumerate(zip(given["weights"], given["biases"], strict=True)):
        h = weight @ (np.maximum(h, 0) if depth else h) + np.asarray(bias)[:, None]
    return np.abs(np.diff(np.diff(h[0]) / np.diff(x))) > least


def merged(given: dict, count: int, least: float) -> int:
    """Return the same where a change from each of several cells to the next is one bend."""
    bends = bends_on_grid(given, count, least)
    return 1 + int(bends[0]) + int((bends[1:] & ~bends[:-1]).sum())


def at_points(given: dict, count: int) -> int:
    """Return a piece more than there are changes between the slopes at, not between, evenly spaced points."""
    found = trace(given)
    x = np.linspace(given["low"], given["high"], count)[1:-1]
    cells = without_repeats(np.searchsorted([float(point) for point in found.points[1:-1]], x))
    return len(without_repeats(found.slopes[cell] for cell in cells))


@lru_cache(maxsize=1024)  # a rule asks for each count and case
def grid_counts(layers: Layers, low: float, high: float, count: int) -> tuple[int, ...]:
    """Return what the ways give that look at so many points and know that a grid shows a bend twice."""
    given = with_one_input(layers, low, high)
    return merged(given, count, 1e-6), merged(given, count, 0.02), at_points(given, count)


def _on_points(given: dict, count: int) -> tuple[int, ...]:
    return grid_counts(layers_of(given), given["low"], given["high"], count)


def closest_bends(given: dict) -> Fraction:
    """Return the smallest distance of places where units switch, or of one and an end, as a share of the interval."""
    low, high = ends(given)
    return min(b - a for a, b in itertools.pairwise(trace(given).points)) / (high - low)


def plot_pieces(given: dict, value: object) -> tuple[object, str]:
    """Return a figure of the network on the interval, with the number of pieces that were counted, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    points = trace(given).points
    y = [float(preactivations(layers_of(given), x)[-1][0]) for x in points]
    figure, ax = plt.subplots(figsize=(8, 2.6))
    ax.plot([float(x) for x in points], y, color=COLOURS["blue"], linestyle="-")
    ax.set(xlabel="x", ylabel="network", title=f"your count: {value}")
    corners = ", ".join(f"({float(a):.3g}, {b:.3g})" for a, b in zip(points, y, strict=True))
    return figure, f"The network runs straight through the points {corners}. You count {value} pieces."


MISTAKES = [
    (activation_cells,
     "You count where units switch on or off. Where what they change cancels, or where nobody looks at them, the "
     "network does not bend: compare the slopes on both sides."),
    (first_layer_only,
     "You count the bends of the first layer only. A unit further up bends wherever the function that comes in "
     "passes 0, and that can be several times."),
    (one_by_one,
     "Bends at the same place are one bend: collect the places, not the units."),
    (lambda given: units(given) + 1,
     "Units + 1 is a bound for one hidden layer, not a count: a unit may bend outside of the interval, or not at "
     "all, or with another one, and further up more than once."),
    (lambda given: len(given["biases"][0]) + 1,
     "You count the units of the first layer, and 1. Not each of them bends in the interval, and those further up "
     "may bend more than once."),
    (largest_possible,
     "The product of (units + 1) is what such layers have at most, not what these ones have."),
    (everywhere,
     "You count bends outside of the interval, too."),
    (lambda given: len(without_repeats(_signs_of_slopes(given))),
     lambda given: len(without_repeats(sign for sign in _signs_of_slopes(given) if sign)),
     lambda given: 1 + sum(a * b < 0 for a, b in itertools.pairwise(_signs_of_slopes(given))),
     "You count where the network rises and where it falls. A slope can change and keep its sign, and that makes "
     "a new piece, too."),
    (lambda given: 1 + sum(a < b for a, b in itertools.pairwise(trace(given).slopes)),
     lambda given: 1 + sum(a > b for a, b in itertools.pairwise(trace(given).slopes)),
     "You count the changes of slope in one direction only: a slope that grows makes a new piece, and so does "
     "one that shrinks."),
    (lambda given: sum(slope != 0 for slope in slopes_in_order(given)),
     "You leave out pieces of slope 0: a flat piece is a piece like any other."),
    (lambda given: len(places_without_relu(given)) - 1,
     lambda given: len(without_repeats(secants(layers_of(given), places_without_relu(given)))),
     "You place the bends as if the layers below had no ReLU. What comes into a unit further up is itself "
     "piecewise linear: look for its zeros piece by piece."),
]
SEEN = [  # of the number itself, whatever the cause
    (lambda given: pieces({**given, "weights": [*given["weights"], [[1.0]]], "biases": [*given["biases"], [0.0]]}),
     "With the network's output cut off below 0 it would be as many as you say. But ReLU acts after each layer but "
     "the last."),
    (lambda given: len(set(trace(given).slopes)),
     "So many different slopes there are. But a slope that comes back further to the right belongs to another "
     "piece: compare each slope with its neighbour's."),
]
ONE_OFF = [
    (lambda given: pieces(given) - 1,
     "One too few: p pieces have p - 1 bends between them."),
    (lambda given: pieces(given) + 1,
     "One too many: begin with one piece, and add one for each place inside where the slope changes."),
]
ON_GRID = (
    "A bend between two points of a grid shows as two changes of slope, and two bends close together as one: "
    "compute the places where units switch, do not look for them."
)

PIECES = Exercise(
    id="02.6",
    points=3,
    answer_name="count_pieces",
    cases=pieces_cases,
    verify=same_whole_number,
    without=["utils.regions.linear_regions", "utils.regions.count_regions"],
    plot=plot_pieces,
    misconceptions=[
        *hints_of(MISTAKES, equals),
        *((equals(lambda given, n=n: 1 + int(bends_on_grid(given, n, 1e-6).sum())), ON_GRID) for n in GRIDS),
        *((equals(partial(_on_points, count=count)), ON_GRID) for count in COARSE),
    ],
    remarks=[
        (equals(nearly_same_slopes),
         "This is what comes out where slopes are taken for equal that are not: they may differ by as little as 0.05, "
         "and rounding is far less."),
        (equals(with_ends),
         "With the bends at an end of the interval it would be as many as you say. But they make no piece: nothing of "
         "the interval lies beyond an end."),
        *hints_of(SEEN, equals),
        (lambda given, value, expected: value < expected and closest_bends(given) < NEAR,
         "Here some bends lie so close together that between the points of a grid two of them are easily taken for "
         "one: compute the places where units switch, do not look for them."),
        *hints_of(ONE_OFF, equals),
        (lambda given, value, expected: value > 3 * expected,
         "Far too many: slopes that are equal but for rounding are equal. Compare them with a tolerance."),
    ],
)
