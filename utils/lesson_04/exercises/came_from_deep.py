"""Exercise 04.7: which pictures of units on and off along straight lines came from a deep network."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, hints_of, returned_by
from utils.exercises.verdicts import Verdicts, same_words

INPUTS, POINTS = 3, 16
SHALLOW = ((5,), (6,), (7,))
DEEP = ((4, 2), (5, 1), (3, 2, 1), (3, 3), (4, 3))  # units of the hidden layers
TRIED = {SHALLOW: 40, DEEP: 600}  # lines through each network
ROUNDS = 6  # pictures of each kind

Shapes = tuple[tuple[int, ...], ...]
Look = Callable[[np.ndarray], bool]  # from a picture [lines, points, units] to what is said of it
Lines = Callable[[np.ndarray], np.ndarray]  # from [lines, points, units] to what holds for each line


def worked_example() -> Inputs:
    """Return three units of one layer, and three of which the last looks at the other two: on, off, off, on."""
    pictures = (["110", "100", "101", "001"], ["011", "010", "100", "101"])
    return {"pictures": [np.array([[[unit == "1" for unit in point] for point in line]]) for line in pictures]}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return cases of four pictures each, in which every kind comes as often as every other."""
    pictures = [of_kind(rng, *kind) for _ in range(ROUNDS) for kind in KINDS]
    order = rng.permutation(len(pictures))
    return [{"pictures": [pictures[i] for i in four]} for four in order.reshape(-1, 4)]


def of_kind(rng: np.random.Generator, shapes: Shapes, is_telling: Lines, is_other: Lines) -> np.ndarray:
    """Return a picture of a network of one of the shapes, with one line that is telling, and others."""
    count = int(rng.integers(2, 5))
    while True:
        lines = of_network(rng, shapes[rng.integers(len(shapes))], TRIED[shapes])
        telling, others = lines[is_telling(lines)], lines[is_other(lines)]
        if len(telling) and len(others) >= count:
            return np.concatenate([telling[:1], others[1:count]])[rng.permutation(count)]


def of_network(rng: np.random.Generator, widths: Sequence[int], lines: int) -> np.ndarray:
    """Return which hidden units of a random network are on along random lines, the units of all layers mixed."""
    ends = 3 * rng.normal(size=(2, lines, 1, INPUTS))
    h, found = ends[0] + np.linspace(0, 1, POINTS)[:, None] * (ends[1] - ends[0]), []
    for n_in, n_out in zip((INPUTS, *widths), widths, strict=False):
        z = h @ rng.normal(size=(n_in, n_out)) + rng.normal(size=n_out)
        found.append(z > 0)
        h = np.maximum(z, 0)
    return rng.permutation(np.concatenate(found, axis=2), axis=2)


# --- what comes of which way to look ------------------------------------------------------------------------


def changes(picture: np.ndarray) -> np.ndarray:
    """Return where a unit switches between neighbouring points, [lines, points - 1, units]."""
    return picture[:, 1:] != picture[:, :-1]


def switches(picture: np.ndarray) -> np.ndarray:
    """Return how often each unit switches along each line, [lines, units]."""
    return changes(picture).sum(axis=1)


def at_least(times: int) -> Lines:
    """Return what holds for lines along which a unit switches so often: twice no unit of a single layer does."""
    return lambda lines: (switches(lines) >= times).any(axis=1)


some_switch, again = at_least(1), at_least(2)


def none_again(lines: np.ndarray) -> np.ndarray:
    """Return along which lines no unit switches back."""
    return ~again(lines)


def many_patterns(lines: np.ndarray) -> np.ndarray:
    """Return along which lines there are more patterns than units + 1: none of them ever comes back along a line."""
    return changes(lines).any(axis=2).sum(axis=1) > lines.shape[2]


def on_twice(lines: np.ndarray) -> np.ndarray:
    """Return along which lines a unit switches on twice."""
    return ((changes(lines) & lines[:, 1:]).sum(axis=1) >= 2).any(axis=1)


def just_once(lines: np.ndarray) -> np.ndarray:
    """Return along which lines one unit alone is on at first, off and on again, and none switches more often."""
    there = switches(lines)
    return ((there >= 2).sum(axis=1) == 1) & ((there == 2) & lines[:, 0]).any(axis=1)


def of_any(holds: Lines) -> Look:
    """Return what looks at a picture for a line for which this holds."""
    return lambda picture: bool(holds(picture).any())


right_about = of_any(again)


def each(look: Look) -> Solver:
    """Return the way to answer that looks at each picture like this."""
    return lambda given: [bool(look(picture)) for picture in given["pictures"]]


reference = each(right_about)
KINDS: tuple[tuple[Shapes, Lines, Lines], ...] = (  # networks, what one line shows, and what all the others do
    (SHALLOW, lambda lines: (switches(lines) > 0).all(axis=1), some_switch),
    (SHALLOW, some_switch, some_switch),
    (SHALLOW, some_switch, lambda lines: ~some_switch(lines)),
    (SHALLOW, lambda lines: ~some_switch(lines), lambda lines: ~some_switch(lines)),
    (DEEP, just_once, none_again),
    (DEEP, lambda lines: just_once(~lines), none_again),
    (DEEP, many_patterns, none_again),
    (DEEP, lambda lines: on_twice(lines) & ~(switches(lines) == 2).any(axis=1), none_again),
    (DEEP, lambda lines: on_twice(~lines) & ~(switches(lines) == 2).any(axis=1), none_again),
    (DEEP, again, again),
)


def explain_deep(given: Inputs, value: object, expected: Sequence[bool]) -> str:
    """Say which of the pictures the value is wrong about, and which form the first of them has."""
    said = FORM.explain(given, value, expected)
    if not said:
        return ""
    place = FORM.wrong(value, expected)[0]
    shape = " × ".join(map(str, given["pictures"][place].shape))
    return f"{said} Picture {place} has {shape} (lines × points × units)."


def plot_deep(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the pictures with what was said of each, and its words."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(given["pictures"]), figsize=(10, 3.6), squeeze=False)
    words = []
    for place, (ax, picture, said) in enumerate(zip(axes[0], given["pictures"], value, strict=True)):
        lines, points, units = picture.shape
        gap = np.full((lines, 1, points), np.nan)
        rows = np.concatenate([picture.transpose(0, 2, 1), gap], axis=1).reshape(-1, points)[:-1]
        for row in range(1, len(rows)):
            ax.axhline(row - 0.5, color="white", linewidth=1)
        ax.imshow(rows, cmap="Blues", vmin=-0.3, vmax=1.3, aspect="auto")
        middles = np.arange(lines) * (units + 1) + (units - 1) / 2
        ax.set_yticks(middles, [f"line {line}" for line in range(lines)])
        ax.set_xticks([0, points - 1])
        ax.set(xlabel="point", title=f"{place}: {'deep' if said else 'one layer'}")
        ax.grid(visible=False)
        words.append(f"picture {place} has {lines} × {units} rows of {points} points")
    figure.suptitle("A row for each unit, dark where it is on. Above: what your function says")
    said = ", ".join("deep" if one else "one layer" for one in value)
    return figure, f"Which units are on, lines × units: {'; '.join(words)}. Your function says: {said}."


LOOKS = [
    (
        of_any(many_patterns),
        of_any(lambda lines: switches(lines).sum(axis=1) > lines.shape[2]),
        "More patterns or switches along a line than one layer can make do prove depth. But a deep network need "
        "not make that many: follow each unit by itself.",
    ),
    (
        of_any(some_switch),
        of_any(at_least(3)),
        "Your limit is too low, or too high. Along a straight line a unit of a single layer has one crease to "
        "cross: it may switch there, and to switch a second time is too often already.",
    ),
    (
        lambda picture: (switches(picture).sum(axis=0) >= 2).any(),
        lambda picture: right_about(picture.reshape(1, -1, picture.shape[2])),
        lambda picture: right_about(picture.transpose(1, 0, 2)),
        lambda picture: right_about(picture) or (np.ptp(picture[:, -1].astype(int) - picture[:, 0], axis=0) == 2).any(),
        "You add up over lines, join them, or compare one with the next. Each line crosses a unit's crease by itself: "
        "look at the lines one by one. The points along a line are axis 1.",
    ),
    (
        lambda picture: right_about(picture[:1]),
        lambda picture: right_about(picture[-1:]),
        lambda picture: again(picture).all(),
        "You look at one line only, or wait until all of them are telling: one is enough, whichever it is.",
    ),
    (
        of_any(on_twice),
        of_any(lambda lines: ((switches(lines) >= 2) & lines[:, 0]).any(axis=1)),
        of_any(lambda lines: ((switches(lines) >= 2) & ~lines[:, 0]).any(axis=1)),
        of_any(lambda lines: ((switches(lines) > 0) & (lines[:, 0] == lines[:, -1])).any(axis=1)),
        "You see only some of the ways to come back. Off, on, off is as telling as on, off, on, and a unit that "
        "switches three times ends in the other state.",
    ),
    (
        lambda picture: not right_about(picture),
        "Your answers are the other way round: True is for a picture that no network with one hidden layer could make.",
    ),
    (
        of_any(lambda lines: (changes(lines).sum(axis=2) >= 2).any(axis=1)),
        "You look whether several units switch between the same two points. So they may, if these lie far apart: "
        "follow each unit by itself, along the line.",
    ),
]
MISTAKES = [(*map(each, looks), hint) for *looks, hint in LOOKS]
GUESSES = [
    each(lambda picture: picture.shape[2] > 5),
    each(lambda picture: (switches(picture) >= 2).mean() > 0.1),
    each(lambda picture: switches(picture).sum() > picture.shape[2]),
]
FORM = Verdicts("pictures", (True, False))

CAME_FROM_DEEP = Exercise(
    id="04.7",
    points=3,
    answer_name="came_from_deep",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *sample_cases(rng)], reference, MISTAKES, GUESSES
    ),
    verify=FORM.verify,
    explain=explain_deep,
    plot=plot_deep,
    plotted_case=1,
    misconceptions=hints_of(MISTAKES, returned_by, same=same_words),
    remarks=[(FORM.fits_not, "Return a list with one True or False for each picture.")],
)
