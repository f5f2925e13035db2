"""Exercise 04.3: the fewest hinges that draw a piecewise linear function."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, equals, hints_of, is_number, same_whole_number

LEAST_BEND = 0.05  # the least change of slope that is not 0, and the least slope
SAME = 1e-6  # slopes that differ by less are the same
STEEP = np.array([-6.0, -5.0, -4.0, 4.0, 5.0, 6.0])  # of which the least bend is a small share
SLOPES = np.array([-3.0, -2.2, -1.5, -0.7, 0.4, 0.9, 1.3, 2.6])
LENGTHS = np.array([0.1, 0.2, 0.3, 0.7, 1.1])  # of which no sum is exact
FORMS = (  # whether a function begins flat, whether it ends flat, and its pieces
    (True, False, 3),
    (True, False, 5),
    (True, False, 6),
    (True, True, 7),
    (False, True, 4),
    (False, True, 5),
    (False, True, 6),
    (False, False, 6),
    (False, False, 8),
)
BARELY = 3  # functions that are steep and hardly bend, as many as a hint has to explain
SHARES, LEASTS = (0.02, 0.03, 0.05, 0.1, 0.2), (0.1, 0.2)  # tolerances too wide: shares of a slope, and slopes
SHOWN = 9  # slopes that are told of a case that fails


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return all cases: the worked example, sawteeth, a straight line and a constant, and what is drawn."""
    return [
        case([0, 1, 3, 4, 6], [1, 1, 5, 7, 6]),
        *(case(np.linspace(0, 1, 2**k + 1), np.arange(2**k + 1) % 2) for k in (3, 4)),
        case([-1, -0.7, 0.4, 2.4], 0.4 * np.array([-1, -0.7, 0.4, 2.4]) + 3),
        case([-1, 0.5, 2], [2, 2, 2]),
        *(function(rng, *form) for form in FORMS),
        *(barely_bent(rng) for _ in range(BARELY)),
    ]


def case(knots: Sequence[float], values: Sequence[float]) -> Inputs:
    """Return the case of a function through these points."""
    return {"knots": np.array(knots, dtype=float), "values": np.array(values, dtype=float)}


def function(rng: np.random.Generator, flat: bool, flat_end: bool, pieces: int) -> Inputs:
    """Return a function of so many pieces, of which the middle one is flat; some have knots in between."""
    slopes = rng.choice(SLOPES, pieces)  # some come back
    slopes[[0, pieces // 2, -1]] *= not flat, 0, not flat_end
    return of_slopes(rng, np.repeat(slopes, rng.choice([1, 1, 2, 3], pieces)))


def barely_bent(rng: np.random.Generator) -> Inputs:
    """Return a steep function whose slope changes by little, but once; some knots are in line."""
    first = rng.choice(STEEP)
    changes = LEAST_BEND * rng.choice([-1, 1]) * np.array([0, 1, -1, 0, 1.2, -1.6, 2, 4])
    return of_slopes(rng, np.cumsum([first, *rng.permutation([*changes, first / 2])]))


def of_slopes(rng: np.random.Generator, slopes: Sequence[float]) -> Inputs:
    """Return a function through knots with these slopes between them: one that begins flat does not begin at 0."""
    lengths = rng.choice(LENGTHS, len(slopes))
    knots = np.cumsum([rng.choice([-2.0, -1.0, 0.0, 0.5]), *lengths])
    first = 0 if slopes[0] else rng.choice([-1, 1]) * rng.uniform(0.5, 2)
    return case(knots, np.cumsum([first, *(slopes * np.diff(knots))]))


# --- what comes of which way to count -----------------------------------------------------------------------


def _slopes_of(given: Inputs) -> np.ndarray:
    return np.diff(given["values"]) / np.diff(given["knots"])


def bends(slopes: np.ndarray) -> int:
    """Return how often a slope differs from the one before it."""
    return int((np.abs(np.diff(slopes)) > SAME).sum())


def from_slopes(count: Callable[[np.ndarray], int]) -> Solver:
    """Return the way to count that looks at the slopes between the knots."""
    return lambda given: int(count(_slopes_of(given)))


def begins(slopes: np.ndarray) -> int:
    """Return the hinges that the first slope takes: one, or none where the function begins flat."""
    return int(abs(slopes[0]) > SAME)


def apart(slopes: np.ndarray, share: float = 0.0, least: float = SAME) -> int:
    """Return how often a slope differs from the one before by more than a share of it, and by more than ``least``."""
    return int((np.abs(np.diff(slopes)) > np.maximum(share * np.abs(slopes[:-1]), least)).sum())


def signs(slopes: np.ndarray) -> np.ndarray:
    """Return whether the function rises, falls or is flat."""
    return np.sign(slopes) * (np.abs(slopes) > SAME)


fewest = from_slopes(lambda slopes: bends(slopes) + begins(slopes))
MISTAKES = [
    (
        from_slopes(bends),
        from_slopes(lambda slopes: bends(slopes) + 1),
        from_slopes(lambda slopes: bends(slopes) + begins(slopes) + 1),
        *(
            from_slopes(lambda slopes, first=first: bends(slopes) + first * begins(slopes) + begins(slopes[::-1]))
            for first in (0, 1)
        ),
        "You count the bends inside rightly, but not the ends. Before its first hinge the network is flat, as high as "
        "c. So it takes one more hinge only if the first piece is not flat, and none at the end of the last one.",
    ),
    (
        from_slopes(lambda slopes: bends(slopes[:-1]) + begins(slopes)),
        from_slopes(lambda slopes: bends(slopes[1:]) + begins(slopes)),
        "You leave out a bend inside, the first or the last one: compare every two neighbouring pieces.",
    ),
    (
        from_slopes(len),
        from_slopes(lambda slopes: len(slopes) - 1),
        from_slopes(lambda slopes: len(slopes) - 1 + begins(slopes)),
        from_slopes(lambda slopes: len(slopes) + 1),
        from_slopes(lambda slopes: (np.abs(slopes) > SAME).sum()),
        "You count the knots, or the stretches between them. A knot in line with its neighbours takes no hinge: a "
        "hinge's weight is the change of slope, which is 0 there.",
    ),
    (
        from_slopes(lambda slopes: (np.diff(slopes) > SAME).sum() + begins(slopes)),
        from_slopes(lambda slopes: (np.diff(slopes) < -SAME).sum() + begins(slopes)),
        from_slopes(lambda slopes: (np.diff(slopes, prepend=0) > SAME).sum()),
        from_slopes(lambda slopes: bends(signs(slopes))),
        from_slopes(lambda slopes: bends(signs(slopes)) + begins(slopes)),
        "You count only some changes of slope: those in one direction, or those of its sign. Every change takes a "
        "hinge, and one with a negative weight is a hinge like any other.",
    ),
    (
        from_slopes(lambda slopes: len(np.unique(slopes.round(4)))),
        "You count different slopes. One that comes back later takes a hinge again: compare each with its neighbour's.",
    ),
    (
        lambda given: bends(np.diff(given["values"])) + begins(np.diff(given["values"])),
        "You compare differences of values: the knots are not evenly spaced, so divide by their distance first.",
    ),
    (
        from_slopes(lambda slopes: (np.diff(slopes, prepend=0) != 0).sum()),
        "You take slopes for different that differ only by rounding: compare them with a tolerance.",
    ),
    (
        *(from_slopes(lambda slopes, s=share: apart(slopes, s) + begins(slopes)) for share in SHARES),
        *(from_slopes(lambda slopes, s=share: apart(slopes[::-1], s) + begins(slopes)) for share in SHARES),
        *(from_slopes(lambda slopes, least=least: apart(np.append(0, slopes), 0, least)) for least in LEASTS),
        "Your tolerance is too wide, so small bends are lost: slopes of 3 and 3.05 are different here. A share of the "
        "slope, such as 10%, forgives far more than rounding where the function is steep.",
    ),
]


def explain_hinges(given: Inputs, value: object, expected: int) -> str:
    """Say which slopes the function has between its knots."""
    slopes = _slopes_of(given)
    if not is_number(value) or len(slopes) > SHOWN:
        return ""
    return f"The slopes from knot to knot: {', '.join(f'{slope + 0.0:.3g}' for slope in slopes)}."


def plot_hinges(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the function with its knots and the number that was returned, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    figure, ax = plt.subplots(figsize=(7, 2.8))
    ax.plot(given["knots"], given["values"], "-o", color=COLOURS["blue"], markersize=4)
    ax.set(xlabel="x", ylabel="function", title=f"Your function draws this with {value} hinges")
    points = ", ".join(f"({x:.3g}, {y:.3g})" for x, y in zip(given["knots"], given["values"], strict=True))
    return figure, f"A piecewise linear function through the points {points}. Your function returns {value}."


HINGES = Exercise(
    id="04.3",
    points=3,
    answer_name="fewest_hinges",
    cases=lambda rng: discriminating_cases(lambda: sample_cases(rng), fewest, MISTAKES),
    verify=same_whole_number,
    explain=explain_hinges,
    plot=plot_hinges,
    misconceptions=hints_of(MISTAKES, equals),
)
