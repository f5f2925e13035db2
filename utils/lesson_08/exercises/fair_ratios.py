"""Exercise 08.5: what depth brings at equal steps, and what is left of it at equal seconds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases, draw_until
from utils.exercises.rules import Solver, each_to_four_digits, hints_of, returned_by

SEEDS = (3, 5, 7, 3, 5, 11, 5, 7)  # odd: a median is one of the ratios
APART = 0.03  # shares by which what comes of different ways differs
Curve = Callable[[float, np.ndarray, np.ndarray], np.ndarray]  # from a number of steps, steps and errors [seeds, steps]


def case(steps: object, deep: object, shallow: object, pace: object, seconds: float) -> Inputs:
    """Return the case of these errors and paces."""
    return {
        "steps": np.array(steps, dtype=int),
        "deep": np.array(deep, dtype=float),
        "shallow": np.array(shallow, dtype=float),
        "pace": np.array(pace, dtype=float),
        "seconds": float(seconds),
    }


def worked_example() -> Inputs:
    """Return one seed, whose networks take geometric means of two recorded numbers of steps in a second."""
    return case([100, 400, 1600], [[0.4, 0.1, 0.05]], [[0.5, 0.32, 0.08]], [0.005, 0.00125], 1)


def sample_case(rng: np.random.Generator, seeds: int) -> Inputs:
    """Return errors that fall with the steps, of a deep network that learns more in a step and takes longer for it."""

    def drawn() -> Inputs:
        points = int(rng.integers(4, 7))
        steps = np.unique((rng.integers(20, 90) * np.cumprod([1, *rng.uniform(1.8, 3.5, points - 1)])).astype(int))
        slopes = rng.uniform([0.4, 0.2], [0.9, 0.6])
        deep, shallow = (
            rng.uniform(0.3, 0.6)
            * (steps / steps[0]) ** -slope
            * np.exp(0.2 * rng.normal(size=(seeds, 1)) + 0.12 * rng.normal(size=(seeds, points)))
            for slope in slopes
        )
        pace = np.array([1.0, 1 / rng.uniform(1.5, 5)]) * rng.uniform(0.002, 0.05)
        seconds = pace[0] * steps[0] + rng.uniform(0.2, 0.9) * (min(pace) * steps[-1] - pace[0] * steps[0])
        return case(steps, deep.round(4), shallow.round(4), pace.round(5), round(seconds, 3))

    return draw_until(is_telling, drawn)


def is_telling(given: Inputs) -> bool:
    """Return whether both sides' steps are within those recorded, and the two ratios and other ways differ clearly."""
    steps = given["seconds"] / given["pace"]
    inside = given["steps"][0] * 1.02 < steps.min() and steps.max() < given["steps"][-1] * 0.98
    if not inside or given["pace"].min() <= 0:
        return False
    nodes = np.abs(np.log(steps[:, None] / given["steps"])).min() > 0.1  # between two of them, and not on one
    found = [np.array(way(given)) for way in (reference, comparing(linear), comparing(half_log))]
    ratios = np.abs(np.log(found[0][1] / found[0][0])) > APART
    others = all((np.abs(found[0] - other) > 1e-3 * found[0]).all() for other in found[1:])
    return bool(nodes and ratios and others)


# --- what comes of which way to compare ---------------------------------------------------------------------


def interpolated(of: Callable, back: Callable, scale: Callable) -> Curve:
    """Return the curve that is straight between errors and steps on these scales."""
    return lambda at, steps, errors: back(np.array([np.interp(scale(at), scale(steps), of(row)) for row in errors]))


def same(x: object) -> object:
    """Return x."""
    return x


logarithmic = interpolated(np.log, np.exp, np.log)
linear = interpolated(same, same, same)
half_log = interpolated(np.log, np.exp, same)
other_half = interpolated(same, same, np.log)


def forgetful(at: float, steps: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Return what is read off with the number of steps itself, not with its logarithm."""
    return np.exp([np.interp(at, np.log(steps), row) for row in np.log(errors)])


def last_before(at: float, steps: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Return the errors at the last number of steps that is recorded before."""
    return errors[:, max(int(np.searchsorted(steps, at, side="right")) - 1, 0)]


def nearest(at: float, steps: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Return the errors at the nearest number of steps that is recorded."""
    return errors[:, np.abs(steps - at).argmin()]


def of_seeds(deep: np.ndarray, shallow: np.ndarray) -> float:
    """Return the median ratio over the seeds."""
    return float(np.median(deep / shallow))


def comparing(
    curve: Curve = logarithmic,
    summary: Callable[[np.ndarray, np.ndarray], float] = of_seeds,
    counts: Callable[[Inputs], tuple[float, float]] = lambda given: tuple(given["seconds"] / given["pace"]),
    equal: Callable[[float, float], float] = lambda deep, shallow: deep,
) -> Solver:
    """Return the way with another curve, another summary over seeds, other numbers of steps of both sides in the
    seconds, or another number of equal steps.
    """

    def way(given: Inputs) -> list[float]:
        in_deep, in_shallow = counts(given)
        both = equal(in_deep, in_shallow)
        return [
            summary(*(curve(at, given["steps"], given[name]) for name, at in (("deep", one), ("shallow", other))))
            for one, other in ((both, both), (in_deep, in_shallow))
        ]

    return way


reference = comparing()


def median_first(given: Inputs) -> list[float]:
    """Return the ratios of the curves of medians over the seeds."""
    return reference({**given, **{name: np.median(given[name], axis=0)[None] for name in ("deep", "shallow")}})


def counting(steps: Callable[[float, np.ndarray], np.ndarray]) -> Solver:
    """Return the way that gets the numbers of steps otherwise from the seconds and the paces."""
    return comparing(counts=lambda given: tuple(steps(given["seconds"], given["pace"])))


MISTAKES = [
    (
        comparing(linear),
        comparing(half_log),
        comparing(other_half),
        comparing(last_before),
        comparing(nearest),
        "Between two recorded numbers of steps, your errors follow another curve. The line is straight if both axes "
        "are logarithms, that of the errors and that of the steps, and what you read off it is still a logarithm.",
    ),
    (
        comparing(forgetful),
        "All your errors are those of the last record. On an axis of logarithms, a number of steps itself lies far "
        "beyond the end, where `np.interp` returns the last value. Take its logarithm, too.",
    ),
    (
        comparing(summary=lambda deep, shallow: float(np.median(shallow / deep))),
        "Your ratios are upside down: the deep network's error is divided by the shallow one's, below 1 where depth is "
        "ahead.",
    ),
    (
        comparing(summary=lambda deep, shallow: float(np.median(deep) / np.median(shallow))),
        comparing(summary=lambda deep, shallow: float(np.mean(deep) / np.mean(shallow))),
        comparing(summary=lambda deep, shallow: float(np.mean(deep / shallow))),
        comparing(summary=lambda deep, shallow: float(np.exp(np.mean(np.log(deep / shallow))))),
        median_first,
        "You summarise over seeds in another way. Each seed has a ratio of its own, and the median comes last of all.",
    ),
    (
        comparing(equal=lambda deep, shallow: shallow),
        "Your equal steps are the shallow network's. Use the number of steps that the deep one takes in the seconds.",
    ),
    (
        counting(lambda seconds, pace: seconds / pace[::-1]),
        counting(lambda seconds, pace: seconds // pace),
        counting(lambda seconds, pace: np.floor(seconds / pace)),
        counting(lambda seconds, pace: np.round(seconds / pace)),
        counting(lambda seconds, pace: np.ceil(seconds / pace)),
        counting(lambda seconds, pace: seconds * pace),
        "You get other numbers of steps from the seconds. `pace` says how long one step takes, of the deep network "
        "first: ask how often that goes into the seconds, and keep the part of a step that is left over.",
    ),
    (lambda given: reference(given)[::-1], "The two ratios have changed places: the one at equal steps comes first."),
]


def explain_ratios(given: Inputs, value: object, expected: object) -> str:
    """Say how many steps each network takes in the seconds."""
    deep, shallow = given["seconds"] / given["pace"]
    return f"In {given['seconds']:g} seconds the deep network takes {deep:.4g} steps, the shallow one {shallow:.4g}."


def plot_ratios(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of both networks' median errors over steps and over seconds, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), sharey=True)
    for place, (name, colour, style) in enumerate([("deep", "blue", "o-"), ("shallow", "red", "s--")]):
        middle = np.median(given[name], axis=0)
        for ax, factor in zip(axes, (1, given["pace"][place]), strict=True):
            ax.loglog(factor * given["steps"], middle, style, color=COLOURS[colour], label=name)
    for ax, at, unit, ratio in zip(
        axes,
        (given["seconds"] / given["pace"][0], given["seconds"]),
        ("steps", "seconds"),
        np.asarray(value, dtype=float),
        strict=True,
    ):
        ax.axvline(at, color=COLOURS["grey"], linestyle=":")
        ax.set(xlabel=unit, title=f"at {at:.3g} {unit}, your ratio is {ratio:.3g}")
    axes[0].set_ylabel("median error")
    axes[0].legend()
    figure.suptitle("The same errors, over steps and over seconds")
    return figure, f"{explain_ratios(given, value, value)} Your ratios: {value[0]:.3g} and {value[1]:.3g}."


FAIR_RATIOS = Exercise(
    id="08.5",
    points=3,
    answer_name="fair_ratios",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, seeds) for seeds in SEEDS)], reference, MISTAKES
    ),
    verify=lambda given, hidden, value, expected: each_to_four_digits(value, expected),
    explain=explain_ratios,
    plot=plot_ratios,
    plotted_case=1,
    misconceptions=hints_of(MISTAKES, returned_by, same=each_to_four_digits),
    remarks=[
        (
            lambda given, value, expected: each_to_four_digits(np.exp(value), expected),
            "These are the ratios' logarithms: take the exponential.",
        ),
    ],
)
