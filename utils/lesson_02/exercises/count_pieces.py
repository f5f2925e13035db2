"""Exercise 02.6: counting the linear pieces of a network of one input."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases, draw_until
from utils.exercises.layers import with_one_input
from utils.exercises.networks import forward
from utils.exercises.rules import equals, hints_of, same_whole_number
from utils.types import Array

APART = 1 / 500  # of the interval: the least distance of two places where units switch
LEAST_BEND = 1 / 20  # the least difference of two slopes
ROUNDING = 1e-8  # places, slopes and sums that differ by less are the same
NEAR = 1 / 200  # of the interval: bends closer than that are one on a grid that looks fine
FAR_APART = 1 / 100  # of the interval: bends farther apart than that are two on every such grid
TOO_FEW = (50, 64, 100, 128, 150, 200, 250, 256, 300, 350, 400)  # places at which slopes are looked at
DEEP = ((1, 4, 3, 1), (1, 3, 3, 3, 1), (1, 5, 4, 1), (1, 4, 4, 1)) * 2  # sizes
FAR = 1000  # beyond this hardly a unit bends


# --- counting ---------------------------------------------------------------------------------------------


def before(given: Inputs, x: Array) -> list[Array]:
    """Return what each layer computes at x [n] before its ReLU, [n, units], the output layer included."""
    return forward(given["weights"], x[:, None], given["biases"])[1]


def cuts(given: Inputs, layers: int | None = None) -> Array:
    """Return the interval's ends and where units of the first ``layers`` hidden layers, or of all, switch inside."""
    x = np.array([given["low"], given["high"]])
    for layer in range(len(given["weights"]) - 1)[:layers]:
        z = before(given, x)[layer]  # affine between neighbours of x
        z[np.abs(z) < ROUNDING] = 0
        i, unit = np.nonzero(z[:-1] * z[1:] < 0)
        share = z[i, unit] / (z[i, unit] - z[i + 1, unit])
        x = np.sort(np.concatenate([x, x[i] + share * np.diff(x)[i]]))
        x = x[np.append(True, np.diff(x) > ROUNDING)]
    return x


def slopes(given: Inputs) -> Array:
    """Return the slopes of the linear pieces from left to right."""
    x = cuts(given)
    found = np.diff(before(given, x)[-1][:, 0]) / np.diff(x)
    return found[np.append(True, np.abs(np.diff(found)) > ROUNDING)]


def pieces(given: Inputs) -> int:
    """Return the number of linear pieces."""
    return len(slopes(given))


def patterns(given: Inputs, count: int = 2001) -> int:
    """Return how often units switch along a grid that has the interval's ends, and 1: what is on there is, too."""
    on = np.hstack(before(given, np.linspace(given["low"], given["high"], count))[:-1]) > 0
    return 1 + int((on[1:] != on[:-1]).any(axis=1).sum())


def signs(given: Inputs) -> list[int]:
    """Return whether each piece rises, 1, falls, -1, or is flat, 0."""
    found = slopes(given)
    return np.where(np.abs(found) > ROUNDING, np.sign(found), 0).astype(int).tolist()


def corners(given: Inputs) -> Array:
    """Return the network's values at the ends, and where it bends and where it passes 0 in turns of their signs."""
    y = before(given, cuts(given))[-1][:, 0]
    return y[np.abs(y) > ROUNDING]


def runs(values: list[int]) -> int:
    """Return how many runs of equal values there are."""
    return 1 + sum(a != b for a, b in pairwise(values))


MISTAKES = [
    (
        lambda given: len(cuts(given)) - 1,
        patterns,
        "You count where units switch on or off. But if their changes cancel, or if nothing of them reaches the "
        "output, the network does not bend there: compare the slopes on both sides.",
    ),
    (
        lambda given: len(cuts(given, layers=1)) - 1,
        "You count the bends of the first layer only. A unit further up bends wherever the function that comes in "
        "passes 0, and that can be several times.",
    ),
    (
        lambda given: 1 + sum(len(bias) for bias in given["biases"][:-1]),
        lambda given: 1 + len(given["biases"][0]),
        lambda given: math.prod(len(bias) + 1 for bias in given["biases"][:-1]),
        "You compute with the numbers of units, which can give a bound, but no count. A unit may bend outside of the "
        "interval, or not at all, or with another one, and in a later layer more than once: look at the slopes.",
    ),
    (
        lambda given: pieces({**given, "low": given["low"] - FAR, "high": given["high"] + FAR}),
        *(lambda given, far=far: pieces({**given, "low": -far, "high": far}) for far in (10.0, 100.0)),
        "You also count bends outside of the interval: keep those between low and high.",
    ),
    (
        lambda given: runs(signs(given)),
        lambda given: runs([sign for sign in signs(given) if sign]),
        lambda given: len(set(slopes(given).round(6).tolist())),
        lambda given: runs(np.sign(corners(given)).tolist()),
        "You count signs, or different slopes. But each change of slope begins a new piece, even if the sign stays "
        "the same, or if a slope comes back that was there before.",
    ),
    (
        lambda given: pieces(
            {**given, "weights": [*given["weights"], np.ones((1, 1))], "biases": [*given["biases"], np.zeros(1)]}
        ),
        "You apply a ReLU to the output. The output has none, so the network goes on below 0, and does not bend at 0.",
    ),
]
GUESSES = [lambda given: pieces(given) - 1]  # that no hint is made for


# --- cases ------------------------------------------------------------------------------------------------


def pieces_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    return discriminating_cases(lambda: sample_cases(rng), pieces, MISTAKES, GUESSES)


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return all cases; of those that are the same for every seed one has 8 pieces, one 1, one bends at both ends."""
    tent = [[2, -4], [2, -4]]
    return [
        with_one_input([([[1], [1], [2]], [0, -1, -6]), ([[1, -2, 3]], [0])], -1, 2),
        with_one_input([([[1], [1]], [0, -0.5]), (tent, [0, -0.5]), (tent, [0, -0.5]), ([[2, -4]], [0])], 0, 1),
        with_one_input(one_layer(rng), *around(rng, -2, 2)),
        with_one_input([([[1], [-2]], [1, 3]), ([[1, -1]], [5])], 10, 11),
        with_one_input([([[0.5], [1], [1]], [0.25, 1, -1]), ([[2, 0, 1]], [1])], -1, 1),
        *(draw_until(is_telling, deep, rng, sizes) for sizes in DEEP),
        *(draw_until(is_fine, in_pairs, rng, below) for below in (False, True)),
        nearly_straight(rng),
    ]


def around(rng: np.random.Generator, low: float, high: float) -> tuple[float, float]:
    """Return the ends of an interval that is a little wider, so that no even grid on it meets bends at round numbers.

    Whoever looks at the slopes at many places would be right or wrong there by the luck of the draw.
    """
    return low - rng.uniform(0.002, 0.02), high + rng.uniform(0.002, 0.02)


def one_layer(rng: np.random.Generator) -> list[tuple]:
    """Return a layer with two units that bend together, two whose bends cancel, and some of no effect in [-2, 2].

    A unit that opens to the left and one that opens to the right cancel in a sum with opposite weights: together
    they are a straight line.
    """
    together, cancelled, single, far = rng.choice(np.arange(-6, 7), 4, replace=False) / 4 * [1, 1, 1, 8]
    far += math.copysign(4, far)
    bends = [
        (1, together, 1),
        (-2, together, 1.5),
        (1, cancelled, 2),
        (-1, cancelled, -2),
        (2, single, -1),
        (1, far, 1),
        (1, single + 0.125, 0),
    ]
    slope, place, weight = rng.permutation(bends).T
    constant = rng.choice([-1.0, 1.0])  # of a unit that does not look at x
    return [(np.append(slope, 0)[:, None], np.append(-slope * place, constant)), (np.append(weight, 1)[None], [0.5])]


def deep(rng: np.random.Generator, sizes: tuple[int, ...]) -> Inputs:
    """Return a network with several hidden layers."""
    layers = [
        (rng.integers(-4, 5, (n_out, n_in)) / 2, rng.integers(-8, 9, n_out) / 4) for n_in, n_out in pairwise(sizes)
    ]
    return with_one_input(layers, *around(rng, -1, rng.choice([1, 2])))


def is_telling(given: Inputs) -> bool:
    """Return whether there is no close call and some bends, and whether no wrong way of counting comes out right.

    Bends that are one on some grids and two on others would have the hint for a grid hang on the draw.
    """
    wrong = {way(given) for *ways, _ in MISTAKES for way in ways}
    on_a_grid = not NEAR <= closest(given) < FAR_APART
    return pieces(given) >= 4 and pieces(given) not in wrong and is_clear(given) and on_a_grid


def is_clear(given: Inputs) -> bool:
    """Return whether neither places nor slopes are nearly the same."""
    differences = np.diff(np.sort(slopes(given)))
    return closest(given) >= APART and not ((differences > ROUNDING) & (differences < LEAST_BEND)).any()


def closest(given: Inputs) -> float:
    """Return the smallest distance of places where units switch, or of one and an end, as a share of the interval."""
    return np.diff(cuts(given)).min() / (given["high"] - given["low"])


def in_pairs(rng: np.random.Generator, below: bool) -> Inputs:
    """Return a network whose bends come in pairs, each so close together that a coarse grid has them as one.

    Where it is ``below``, the bends are in the second of two hidden layers, and x comes to it in two parts.
    """
    low, high = around(rng, -1, 1)
    starts = np.arange(6) / 3 - 0.98 + rng.uniform(0, 0.25, 6)
    places = np.concatenate([starts, starts + (high - low) * rng.uniform(0.00201, 0.00204, 6)])
    sides = rng.choice([-1, 1], 12)  # a unit that opens to the left bends the network as one to the right does
    changes = rng.choice([-1, 1]) * rng.integers(2, 5, 12) / 2  # all up or all down
    middle = rng.uniform(-0.5, 0.5) if below else 0.0
    split = [([[1], [-1]], [-middle, middle])] if below else []
    weight = sides[:, None] * (np.array([[1, -1]]) if below else 1)
    return with_one_input([*split, (weight, sides * (middle - places)), (changes[None], [0.5])], low, high)


def is_fine(given: Inputs) -> bool:
    """Return whether there is no close call, and whether each grid of TOO_FEW places has two bends in one cell."""
    share = (cuts(given) - given["low"]) / (given["high"] - given["low"])
    grids = [grid for n in TOO_FEW for grid in (n * share, (n - 1) * share, n * share + 0.5)]
    return is_clear(given) and all((np.diff(np.floor(grid)) == 0).any() for grid in grids)


def nearly_straight(rng: np.random.Generator) -> Inputs:
    """Return a steep network whose slope changes by little at each bend."""
    changes = rng.choice([-1, 1]) * rng.permutation([1 / 16, 1 / 16, 1 / 16, 1 / 16, 1 / 8, 3 / 16, 1 / 4, 3 / 8])
    places = (np.arange(8) + rng.uniform(0.2, 0.8, 8)).round(2) / 4 - 1
    sides = rng.choice([-1, 1], 8)
    always = [1, 3, 8]  # a unit that is on everywhere: its weight, its bias, its output weight
    weight, bias, outer = np.column_stack([[sides, -sides * places, changes], always])
    return with_one_input([(weight[:, None], bias), (outer[None], [-20])], *around(rng, -1, 1))


def plot_pieces(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the network on the interval, with the number of pieces that were counted, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    x = cuts(given)
    y = before(given, x)[-1][:, 0]
    figure, ax = plt.subplots(figsize=(8, 2.6))
    ax.plot(x, y, color=COLOURS["blue"], linestyle="-")
    ax.set(xlabel="x", ylabel="network", title=f"your count: {value}")
    corners = ", ".join(f"({a:.3g}, {b:.3g})" for a, b in zip(x, y.round(9) + 0.0, strict=True))
    return figure, f"The network runs straight through the points {corners}. You count {value} pieces."


PIECES = Exercise(
    id="02.6",
    points=3,
    answer_name="count_pieces",
    cases=pieces_cases,
    verify=same_whole_number,
    without=[f"utils.regions.{name}" for name in ("linear_regions", "count_regions", "_walk")],
    plot=plot_pieces,
    misconceptions=hints_of(MISTAKES, equals),
    remarks=[
        (
            lambda given, value, expected: (
                value in (2 * expected - 1, len(set(slopes(given).round(6))) + expected - 1)
                or value < expected
                and closest(given) < NEAR
            ),
            "On a grid, a bend between two points shows as two changes of slope, and two bends close together show as "
            "one. Compute the places where units switch instead of looking for them.",
        ),
        (
            lambda given, value, expected: (
                value > math.prod(len(bias) + 1 for bias in given["biases"][:-1])
                or value < expected
                and np.abs(np.diff(slopes(given))).min() < 2 * LEAST_BEND
            ),
            "Slopes that differ only by rounding are equal, and others may differ by as little as 0.05: compare them "
            "with a tolerance in between.",
        ),
    ],
)
