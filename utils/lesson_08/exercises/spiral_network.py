"""Exercise 08.10: a small network for two spirals, which the grader turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.lesson_08 import capstone
from utils.lesson_08.exercises.handed_in import Judge, new_seed

ANGLES = ((0.6, 1.2), (1.8, 2.4), (-1.2, -0.6), (-2.4, -1.8))  # a turn the other way is far from each of them
JUDGE = Judge("spirals", lambda given, X: capstone.turned(X, given["angle"]))
BACKWARDS = Judge("spirals", lambda given, X: capstone.turned(X, -given["angle"]))


def cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, int]]:
    """Yield the spirals as they are, and turned by four angles, each with the seed of the points to judge on."""
    yield {"angle": 0.0}, new_seed(rng)
    for low, high in ANGLES:
        yield {"angle": round(rng.uniform(low, high), 3)}, new_seed(rng)


def plot_plane(given: Inputs, value: Any) -> tuple[Any, str]:
    """Return a figure of the two classes that a network sees in the turned plane, and its words."""
    import matplotlib.pyplot as plt

    from utils.lesson_08.capstone_figures import draw_classes

    found = JUDGE.seen(given, value)
    X, y = (part.numpy()[:600] for part in capstone.drawn("spirals", 1))
    figure, ax = plt.subplots(figsize=(3.6, 3.6))
    draw_classes(ax, value, capstone.turned(X, given["angle"]), y)
    figure.suptitle(f"{found.parameters} parameters miss {found.error:.1%}")
    return figure, (
        f"Points of two spirals, turned by {given['angle']:g}, and the two parts into which your network "
        f"of {found.parameters} parameters divides the plane. It misses {found.error:.1%} of the points."
    )


SPIRAL_NETWORK = Exercise(
    id="08.10",
    points=4,
    answer_name="spiral_network",
    cases=cases,
    verify=JUDGE.verify,
    wanted=JUDGE.wanted,
    explain=JUDGE.explain,
    plot=plot_plane,
    misconceptions=[],
    remarks=JUDGE.remarks(
        (
            lambda given, value, expected: given["angle"] != 0 and not BACKWARDS.misses(given, value),
            "Your network would be right if the plane were turned the other way: the first layer has to turn it back.",
        ),
        (
            lambda given, value, expected: JUDGE.seen(given, value).error >= 1 - JUDGE.target.goal,
            "Your network tells the spirals apart, and calls each by the other one's number: almost all points are "
            "missed. Which class does it mean where its output is positive?",
        ),
        (
            lambda given, value, expected: JUDGE.misses(given, value),
            "Within the rules, but it misses more than the goal. Does it miss as much with `angle` 0? If not, it "
            "is the turn. If so: train several starts and keep the best, and see what rounding does to it.",
        ),
    ),
)
