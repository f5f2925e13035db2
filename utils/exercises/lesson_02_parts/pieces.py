"""Exercise 02.6: counting the linear pieces of a network of one input."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from utils.exercises.definition import Exercise
from utils.exercises.verdict import close

Switches = list[list[list[Fraction]]]  # of each layer's units
APART = Fraction(1, 500)  # of the interval: the least distance of two bends that do not coincide
LEAST_BEND = Fraction(1, 20)  # the least change of slope that is not 0
FAR = 10**6  # beyond this no unit of a case bends
GRIDS = (101, 201, 501, 1001, 2001, 10_001, 100, 200, 500, 1000, 2000, 10_000)


# --- cases ------------------------------------------------------------------------------------------------


def pieces_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    """The first two cases are the same for every seed."""
    yield network([([[1], [1], [2]], [0, -1, -6]), ([[1, -2, 3]], [0])], -1, 2), None
    tent = [[2, -4], [2, -4]]
    yield network([([[1], [1]], [0, -0.5]), (tent, [0, -0.5]), (tent, [0, -0.5]), ([[2, -4]], [0])], 0, 1), None
    yield network(one_layer(rng), -2, 2), None
    yield network([([[1], [-2]], [1, 3]), ([[1, -1]], [5])], 10, 11), None  # no bend in the interval
    yield network([([[0.5], [1], [1]], [0.25, 1, -1]), ([[2, 0, 1]], [1])], -1, 1), None  # bends at both ends
    for sizes in ((1, 4, 3, 1), (1, 3, 3, 3, 1), (1, 5, 4, 1), (1, 4, 4, 1)):
        yield deep(rng, sizes), None


def network(layers: list[tuple[list, list]], low: float, high: float) -> dict:
    """Return one case of the exercise."""
    weights, biases = zip(*layers, strict=True)
    return {
        "weights": [np.array(weight, dtype=float) for weight in weights],
        "biases": [np.array(bias, dtype=float) for bias in biases],
        "low": float(low),
        "high": float(high),
    }


def one_layer(rng: np.random.Generator) -> list[tuple[list, list]]:
    """Return a layer with two units that bend together, two whose bends cancel, and some of no effect in [-2, 2].

    A unit that opens to the left and one that opens to the right cancel in a sum with opposite weights: together
    they are a straight line.
    """
    together, cancelled, single, far = rng.choice(np.arange(-6, 7), 4, replace=False) / 4 * [1, 1, 1, 8]
    far += math.copysign(4, far)
    bends = [(1, together, 1), (-2, together, 1.5), (1, cancelled, 2), (-1, cancelled, -2), (2, single, -1),
             (1, far, 1), (1, single + 0.125, 0)]  # fmt: skip
    order = rng.permutation(len(bends))
    slopes, places, weights = (np.array(part)[order] for part in zip(*bends, strict=True))
    constant = 0, rng.choice([-1.0, 1.0]), 1  # a unit that does not look at x
    return [
        ([*slopes[:, None].tolist(), [constant[0]]], [*(-slopes * places).tolist(), constant[1]]),
        ([[*weights.tolist(), constant[2]]], [0.5]),
    ]


def deep(rng: np.random.Generator, sizes: tuple[int, ...]) -> dict:
    """Return a network with several hidden layers in which every wrong way of counting is wrong."""
    while True:
        layers = []
        for n_in, n_out in itertools.pairwise(sizes):
            weight = rng.integers(-4, 5, (n_out, n_in)) / 2
            layers.append((weight, rng.integers(-8, 9, n_out) / 4))
        given = network(layers, -1, rng.choice([1, 2]))
        if is_telling(given):
            return given


def is_telling(given: dict) -> bool:
    """Return whether bends are apart from each other, and whether no wrong way of counting comes out right."""
    found, points = trace(given)
    bends = changes(given, points)
    count = 1 + sum(change != 0 for change in bends)
    wrong = [units(given) + 1, len(points) - 1, first_layer_only(given, found), one_by_one(given, found)]
    if count < 4 or count in wrong:
        return False
    low, high = ends(given)
    apart = min(b - a for a, b in itertools.pairwise(points)) >= APART * (high - low)
    clear = all(change == 0 or abs(change) >= LEAST_BEND for change in bends)
    return apart and clear and everywhere(given) != count


# --- exact counting ---------------------------------------------------------------------------------------


def ends(given: dict) -> tuple[Fraction, Fraction]:
    """Return the interval's ends, exact."""
    return Fraction(given["low"]), Fraction(given["high"])


def preactivations(given: dict, x: Fraction) -> list[list[Fraction]]:
    """Return what each layer computes at x before its ReLU, the output layer included, exact."""
    values, found = [x], []
    for weight, bias in zip(given["weights"], given["biases"], strict=True):
        rows = zip(np.asarray(weight).tolist(), np.asarray(bias).tolist(), strict=True)
        z = [sum((Fraction(w) * v for w, v in zip(row, values, strict=True)), Fraction(b)) for row, b in rows]
        found.append(z)
        values = [max(v, Fraction(0)) for v in z]
    return found


def trace(given: dict) -> tuple[Switches, list[Fraction]]:
    """Return where each unit of each hidden layer switches on or off inside, and all these points with the ends."""
    points, found = list(ends(given)), []
    for depth in range(len(given["weights"]) - 1):
        rows = zip(*(preactivations(given, x)[depth] for x in points), strict=True)
        found.append([switches(points, z) for z in rows])
        points = sorted({*points, *itertools.chain.from_iterable(found[-1])})
    return found, points


def switches(points: list[Fraction], z: tuple[Fraction, ...]) -> list[Fraction]:
    """Return where a function that is affine between neighbouring points becomes positive, or ceases to be."""
    inside = [
        a - u * (b - a) / (v - u)
        for (a, b), (u, v) in zip(itertools.pairwise(points), itertools.pairwise(z), strict=True)
        if u * v < 0
    ]
    at = [points[i] for i in range(1, len(z) - 1) if z[i] == 0 and (z[i - 1] > 0) != (z[i + 1] > 0)]
    return sorted(inside + at)


def changes(given: dict, points: list[Fraction]) -> list[Fraction]:
    """Return by how much the network's slope changes at each point but the ends."""
    y = [preactivations(given, x)[-1][0] for x in points]
    sides = zip(itertools.pairwise(points), itertools.pairwise(y), strict=True)
    slopes = [(v - u) / (b - a) for (a, b), (u, v) in sides]
    return [after - before for before, after in itertools.pairwise(slopes)]


def pieces(given: dict) -> int:
    """Return the number of linear pieces, exact."""
    return 1 + sum(change != 0 for change in changes(given, trace(given)[1]))


# --- wrong ways of counting -------------------------------------------------------------------------------


def units(given: dict) -> int:
    """Return the number of hidden units."""
    return sum(len(bias) for bias in given["biases"][:-1])


def activation_cells(given: dict) -> int:
    """Return into how many intervals the switching of units cuts the interval."""
    return len(trace(given)[1]) - 1


def one_by_one(given: dict, found: Switches | None = None) -> int:
    """Return a piece more than there are switches, where several units that switch together are counted as several."""
    return 1 + sum(len(unit) for layer in found or trace(given)[0] for unit in layer)


def first_layer_only(given: dict, found: Switches | None = None) -> int:
    """Return a piece more than there are places inside where a unit of the first layer switches."""
    return 1 + len(set(itertools.chain.from_iterable((found or trace(given)[0])[0])))


def everywhere(given: dict) -> int:
    """Return the number of pieces on the whole line."""
    return pieces({**given, "low": -FAR, "high": FAR})


def with_ends(given: dict) -> int:
    """Return the pieces, and one more for each end at which the network bends, seen from both sides."""
    low, high = ends(given)
    return pieces({**given, "low": low - APART / 2, "high": high + APART / 2})


def largest_possible(given: dict) -> int:
    """Return the product of (units + 1) over the hidden layers."""
    return math.prod(len(bias) + 1 for bias in given["biases"][:-1])


def on_grid(given: dict, count: int) -> int:
    """Return a piece more than there are changes of slope between evenly spaced points."""
    x = np.linspace(given["low"], given["high"], count)
    h = x[None]
    for depth, (weight, bias) in enumerate(zip(given["weights"], given["biases"], strict=True)):
        h = weight @ (np.maximum(h, 0) if depth else h) + np.asarray(bias)[:, None]
    slopes = np.diff(h[0]) / np.diff(x)
    return 1 + int((np.abs(np.diff(slopes)) > 1e-6).sum())


def equals(wrong: Callable[[dict], int], also: int = 0) -> Callable:
    """Return a rule: the value is ``wrong(given) + also``."""
    return lambda given, value, expected: value == wrong(given) + also


def draw_pieces(given: dict, value: object) -> tuple[object, str]:
    """Return a figure of the network on the interval, with the number of pieces that were counted, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    points = [float(x) for x in trace(given)[1]]
    y = [float(preactivations(given, Fraction(x))[-1][0]) for x in points]
    figure, ax = plt.subplots(figsize=(8, 2.6))
    ax.plot(points, y, color=COLOURS["blue"], linestyle="-")
    ax.set(xlabel="x", ylabel="network", title=f"your count: {value}")
    corners = ", ".join(f"({a:.3g}, {b:.3g})" for a, b in zip(points, y, strict=True))
    return figure, f"The network runs straight through the points {corners}. You count {value} pieces."


PIECES = Exercise(
    id="02.6",
    points=3,
    answer_name="count_pieces",
    cases=pieces_cases,
    verify=lambda given, hidden, value, expected: float(
        not isinstance(value, bool) and close(value, expected, rtol=0.0, atol=0.0)
    ),
    without=["utils.regions.linear_regions", "utils.regions.count_regions"],
    draw=draw_pieces,
    misconceptions=[
        (lambda given, value, expected: value == expected - 1,
         "One too few: p pieces have p - 1 bends between them."),
        (equals(activation_cells),
         "You count where units switch on or off. Where what they change cancels, or where nobody looks at them, the "
         "network does not bend: compare the slopes on both sides."),
        (equals(first_layer_only),
         "You count the bends of the first layer only. A unit further up bends wherever the function that comes in "
         "passes 0, and that can be several times."),
        (equals(one_by_one),
         "Bends at the same place are one bend: collect the places, not the units."),
        (equals(units, also=1),
         "Units + 1 is a bound for one hidden layer, not a count: a unit may bend outside of the interval, or not at "
         "all, or with another one, and further up more than once."),
        (equals(lambda given: len(given["biases"][0]), also=1),
         "You count the units of the first layer, and 1. Not each of them bends in the interval, and those further up "
         "may bend more than once."),
        (equals(largest_possible),
         "The product of (units + 1) is what such layers have at most, not what these ones have."),
        (equals(with_ends),
         "A bend at an end of the interval makes no piece: nothing of the interval lies beyond it."),
        (equals(everywhere),
         "You count bends outside of the interval, too."),
        (lambda given, value, expected: value in [on_grid(given, count) for count in GRIDS],
         "A bend between two points of a grid shows as two changes of slope, and two bends close together as one: "
         "compute the places where units switch, do not look for them."),
        (lambda given, value, expected: value == expected + 1,
         "One too many: begin with one piece, and add one for each place inside where the slope changes."),
        (lambda given, value, expected: value > 3 * expected,
         "Far too many: slopes that are equal but for rounding are equal. Compare them with a tolerance."),
    ],
)  # fmt: skip
