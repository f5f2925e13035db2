"""Exercise 05.9: the width that a target would take, extrapolated teacher by teacher, with its interval."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from utils.exercises.comparing import close, numbers_in
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rounding import rounded
from utils.exercises.rules import FOUR_DIGITS, Solver, has_wrong, hints_of, returned_by

SIZES = ((8, 4), (9, 3), (11, 4), (10, 5), (13, 4), (8, 6), (12, 3))  # teachers, widths
STEEPEST, FLATTEST = -1.6, -0.5  # slope of a line; its noise is small enough that all lines fall
WIDTHS = (3, 5, 8, 12, 15, 20, 30, 45, 60, 90, 135)
Lines = tuple[np.ndarray, np.ndarray]  # slope and height of each teacher's line


def worked_example() -> Inputs:
    """Return four teachers, two widths: lines of the slopes -1, -1, -2 and -1/2."""
    errors = [[0.1, 0.01], [0.2, 0.02], [0.1, 0.001], [0.01, 0.01 / 10**0.5]]
    return {"widths": np.array([10, 100]), "errors": np.array(errors), "target": 0.0001}


def sample_case(rng: np.random.Generator, teachers: int, count: int) -> Inputs:
    """Return errors that nobody measured, which fall about like a power of the width, and differ by teacher."""
    while True:
        widths = np.sort(rng.permutation(WIDTHS)[:count])
        slopes, heights = rng.uniform(STEEPEST, FLATTEST, (teachers, 1)), rng.normal(-2, 1, (teachers, 1))
        logs = heights + slopes * np.log(widths) + rng.normal(0, 0.15, (teachers, count))
        errors = np.exp(logs)
        given = {"widths": widths, "errors": rounded(errors), "target": 10.0 ** -int(rng.integers(4, 7))}
        found = _lines(given)[0]
        if found.max() < FLATTEST / 2 and widths[-1] >= 4 * widths[0] and errors.min() > 10 * given["target"]:
            return given


# --- what comes of which way to extrapolate -----------------------------------------------------------------


def straight(x: np.ndarray, y: np.ndarray) -> Lines:
    """Return slope and height of the line of least squares through each row of y [teachers, widths]."""
    slope = ((y - y.mean(axis=1, keepdims=True)) * (x - x.mean())).mean(axis=1) / x.var()
    return slope, y.mean(axis=1) - slope * x.mean()


def _lines(given: Inputs) -> Lines:
    return straight(np.log(given["widths"]), np.log(given["errors"]))


def _widths_needed(given: Inputs) -> np.ndarray:
    slope, height = _lines(given)
    return np.exp((np.log(given["target"]) - height) / slope)


def read(needed: Callable[[Inputs], np.ndarray] = _widths_needed) -> Solver:
    """Return what extrapolates in another way: the median of the widths, the second smallest and second largest."""

    def way(given: Inputs) -> list[float]:
        with np.errstate(all="ignore"):
            ordered = np.sort(needed(given))
        return [float(np.median(ordered)), float(ordered[1]), float(ordered[-2])]

    return way


def of_average_errors(average: Callable) -> Solver:
    """Return what gives each teacher the width of the teachers' average errors."""
    return read(
        lambda given: _widths_needed(
            {**given, "errors": np.broadcast_to(average(given["errors"], axis=0), given["errors"].shape)}
        )
    )


def solving(solve: Callable, x: Callable = np.log, y: Callable = np.log) -> Solver:
    """Return what finds solve(target, slope, height) of the lines of y(error) over x(width)."""
    return read(lambda given: solve(given["target"], *straight(x(given["widths"]), y(given["errors"]))))


reference = read()
through_the_ends = read(
    lambda given: _widths_needed({**given, "widths": given["widths"][[0, -1]], "errors": given["errors"][:, [0, -1]]})
)
MISTAKES = [
    (
        of_average_errors(np.mean),
        of_average_errors(np.median),
        "You average the errors over the teachers first, so only a single line is left, and no interval. Draw a line"
        " for each teacher.",
    ),
    (
        solving(lambda target, slope, height: (np.log(target) - height) / slope, x=np.asarray),
        solving(lambda target, slope, height: np.exp((target - height) / slope), y=np.asarray),
        solving(lambda target, slope, height: (target - height) / slope, x=np.asarray, y=np.asarray),
        solving(lambda target, slope, height: np.exp((target - height) / slope)),
        "Both axes are logarithmic, and so is the target. Fit the logarithm of the error against the logarithm of "
        "the width.",
    ),
    (
        solving(
            lambda target, slope, height: np.exp(
                (np.log(target) - slope) / np.where(np.abs(height) > 1e-9, height, np.nan)
            )
        ),  # else it is anything
        "Slope and height are swapped: `np.polyfit` returns the slope first.",
    ),
    (through_the_ends, "Your lines go through two of the points. They should fit the errors at all widths best."),
    (
        read(lambda given: np.log(_widths_needed(given))),
        read(lambda given: np.log10(_widths_needed(given))),
        read(lambda given: 10.0 ** np.log(_widths_needed(given))),
        read(lambda given: np.exp(np.log10(_widths_needed(given)))),
        solving(lambda target, slope, height: np.exp((np.log10(target) - height) / slope)),
        "You do not come back from the logarithm, or you use another base. `np.log` goes with `np.exp`, and "
        "`np.log10` with 10 to the power.",
    ),
]


def _is_triple(value: object) -> bool:
    numbers = numbers_in(value)
    return numbers is not None and numbers.shape == (3,)


def agrees(value: object, expected: list[float]) -> bool:
    """Return whether these are three numbers, each right to four digits where nan is not expected, for anything."""
    return _is_triple(value) and (np.isnan(expected).any() or np.allclose(value, expected, rtol=FOUR_DIGITS, atol=0.0))


ENDS = ((1,), (2,), (1, 2))  # the interval's, one of them or both
UNITS = (1, 2, 5, 10, 50, 100, 500, 1000)  # to whose multiples widths are rounded


def is_rounded(given: Inputs, value: object, expected: list[float]) -> bool:
    """Return whether the numbers are near the right ones, and each wrong one is whole, ends in 0, or nearly so.

    A median of two rounded widths may end in a half of what they are rounded to.
    """
    if not _is_triple(value):
        return False
    off = [(v, e) for v, e in zip(value, expected, strict=True) if not np.isclose(v, e, rtol=FOUR_DIGITS, atol=0.0)]
    return any(all(abs(v - e) <= unit and (2 * v) % unit == 0 for v, e in off) for unit in UNITS) and bool(off)


wrong_in = partial(has_wrong, same=partial(close, rtol=FOUR_DIGITS, atol=0.0))


def explain_width(given: Inputs, value: object, expected: list[float]) -> str:
    """Say what the first teacher's line is, and the width that it takes."""
    slope, height = (part[0] for part in _lines(given))
    return (
        f"The first teacher's line has the slope {slope:.4g} and, where the logarithm of the width is 0, the height "
        f"{round(height, 9) + 0:.4g}, in natural logarithms: it needs a width of {_widths_needed(given)[0]:.4g}."
    )


def want_width(given: Inputs, expected: list[float]) -> str:
    """Return the worked example's numbers, without what rounding has left, and of other cases their kind."""
    is_example = len(given["errors"]) < min(SIZES)[0]
    return f"({', '.join(f'{number:.6g}' for number in expected)})" if is_example else "three numbers"


def plot_width(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the teachers' lines out to the target, with what was returned, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    widths, errors, target = (given[name] for name in ("widths", "errors", "target"))
    middle, low, high = (float(number) for number in value)
    figure, ax = plt.subplots(figsize=(7, 3.8))
    for row, (slope, height), far in zip(errors, np.transpose(_lines(given)), _widths_needed(given), strict=True):
        reach = np.array([widths[0], far])
        ax.plot(reach, np.exp(height) * reach**slope, "-", color=COLOURS["grey"], linewidth=1)
        ax.plot(widths, row, "o", color=COLOURS["blue"], markersize=4)
    ax.plot([low, high], [target, target], "|-", color=COLOURS["red"], markersize=14, linewidth=2)
    ax.plot(middle, target, "D", color=COLOURS["red"])
    ax.set(xscale="log", yscale="log", xlabel="width of the student", ylabel="relative held-out error")
    figure.suptitle("Dots: measured. Diamond and bar: your median and interval")
    return figure, (
        f"The errors of {len(errors)} teachers' students against their widths, each with its line out to the target of "
        f"{target:g}. On the target the median that your function returns, {middle:.3g}, and its interval, {low:.3g} "
        f"to {high:.3g}."
    )


WIDTH = Exercise(
    id="05.9",
    points=4,
    answer_name="width_needed",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, *size) for size in SIZES)], reference, MISTAKES
    ),
    verify=lambda given, hidden, value, expected: float(agrees(value, expected)),
    without=["utils.lesson_05.students.width_for"],
    wanted=want_width,
    explain=explain_width,
    plot=plot_width,
    misconceptions=hints_of(MISTAKES, returned_by, same=agrees),
    remarks=[
        (
            is_rounded,
            "Your widths are rounded, up, down or to the nearest: w* need not be whole, and a small one loses digits "
            "by it. Return what the lines give.",
        ),
        (
            lambda *about: wrong_in(0)(*about) and not is_rounded(*about),
            "The ends of the interval are right, but the median is not. Order all teachers' widths, and take the one"
            " in the middle, or the mean of the two there.",
        ),
        (
            lambda *about: any(wrong_in(*places)(*about) for places in ENDS) and not is_rounded(*about),
            "The median is right, but the interval is not. Order the widths of all teachers, and leave out one at "
            "each end.",
        ),
    ],
)
