"""Exercise 05.9: the width that a target would take, extrapolated teacher by teacher, with its interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.comparing import numbers_in
from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import Way, discriminates
from utils.exercises.rules import FOUR_DIGITS, Rule
from utils.lesson_05.exercises.best_student import rounded

SIZES = ((8, 4), (9, 3), (11, 4), (10, 5), (13, 4), (8, 6), (12, 3))  # teachers, widths
STEEPEST, FLATTEST = -1.6, -0.5  # slope of a line; its noise is small enough that all lines fall
WIDTHS = (3, 5, 8, 12, 15, 20, 30, 45, 60, 90, 135)
Lines = tuple[np.ndarray, np.ndarray]  # slope and height of each teacher's line
Fit = Callable[[np.ndarray, np.ndarray], Lines]


def width_cases(rng: np.random.Generator) -> Iterator[tuple[Given, None]]:
    while True:
        cases = [worked_example(), *(drawn(rng, *size) for size in SIZES)]
        if discriminates(cases, right, WAYS.values(), GUESSES):
            break
    for given in cases:
        yield given, None


def worked_example() -> Given:
    """Four teachers, two widths: lines of the slopes -1, -1, -2 and -1/2."""
    errors = [[0.1, 0.01], [0.2, 0.02], [0.1, 0.001], [0.01, 0.01 / 10**0.5]]
    return {"widths": np.array([10, 100]), "errors": np.array(errors), "target": 0.0001}


def drawn(rng: np.random.Generator, teachers: int, count: int) -> Given:
    """Return errors that nobody measured, which fall about like a power of the width, and differ by teacher."""
    while True:
        widths = np.sort(rng.permutation(WIDTHS)[:count])
        slopes, heights = rng.uniform(STEEPEST, FLATTEST, (teachers, 1)), rng.normal(-2, 1, (teachers, 1))
        logs = heights + slopes * np.log(widths) + rng.normal(0, 0.15, (teachers, count))
        errors = np.exp(logs)
        given = {"widths": widths, "errors": rounded(errors), "target": 10.0 ** -int(rng.integers(4, 7))}
        found = lines(given)[0]
        if found.max() < FLATTEST / 2 and widths[-1] >= 4 * widths[0] and errors.min() > 10 * given["target"]:
            return given


# --- what comes of which way to extrapolate -----------------------------------------------------------------


def straight(x: np.ndarray, y: np.ndarray) -> Lines:
    """Return slope and height of the line of least squares through each row of y [teachers, widths]."""
    slope = ((y - y.mean(axis=1, keepdims=True)) * (x - x.mean())).mean(axis=1) / x.var()
    return slope, y.mean(axis=1) - slope * x.mean()


def lines(given: Given) -> Lines:
    return straight(np.log(given["widths"]), np.log(given["errors"]))


def widths_needed(given: Given) -> np.ndarray:
    slope, height = lines(given)
    return np.exp((np.log(given["target"]) - height) / slope)


def order_statistics(widths: np.ndarray) -> list[float]:
    """Return the median, and the second smallest and the second largest."""
    ordered = np.sort(widths)
    return [float(np.median(ordered)), float(ordered[1]), float(ordered[-2])]


def read(
    needed: Callable[[Given], np.ndarray] = widths_needed, summary: Callable[[np.ndarray], list] = order_statistics
) -> Way:
    """Return what extrapolates in another way, or says something else of the teachers' widths."""

    def way(given: Given) -> list[float]:
        with np.errstate(all="ignore"):
            return summary(needed(given))

    return way


right = read()


def of_first_and_last(given: Given) -> np.ndarray:
    return widths_needed({**given, "widths": given["widths"][[0, -1]], "errors": given["errors"][:, [0, -1]]})


def of_last_two(given: Given) -> np.ndarray:
    return widths_needed({**given, "widths": given["widths"][-2:], "errors": given["errors"][:, -2:]})


def of_mean_errors(given: Given, mean: Callable = np.mean) -> np.ndarray:
    """Return the width of the teachers' mean error, for each of them."""
    averaged = np.broadcast_to(mean(given["errors"], axis=0), given["errors"].shape)
    return widths_needed({**given, "errors": averaged})


def of_median_errors(given: Given) -> np.ndarray:
    return of_mean_errors(given, np.median)


def swapped_regression(given: Given) -> np.ndarray:
    """Return the widths by lines of log width against log error."""
    log_widths, log_errors = np.log(given["widths"]), np.log(given["errors"])
    found = [np.polyval(np.polyfit(row, log_widths, 1), np.log(given["target"])) for row in log_errors]
    return np.exp(found)


def semi_log(given: Given) -> np.ndarray:
    """Return the widths where the logarithm of the error falls linearly with the width."""
    slope, height = straight(given["widths"], np.log(given["errors"]))
    return (np.log(given["target"]) - height) / slope


def error_against_log(given: Given) -> np.ndarray:
    slope, height = straight(np.log(given["widths"]), given["errors"])
    return np.exp((given["target"] - height) / slope)


def no_logs(given: Given) -> np.ndarray:
    slope, height = straight(given["widths"], given["errors"])
    return (given["target"] - height) / slope


def exchanged_coefficients(given: Given) -> np.ndarray:
    height, slope = lines(given)
    return np.exp((np.log(given["target"]) - height) / slope)


def logarithms(given: Given) -> np.ndarray:
    return np.log(widths_needed(given))


def decimal_logarithms(given: Given) -> np.ndarray:
    return np.log10(widths_needed(given))


def to_base_ten(given: Given) -> np.ndarray:
    """Return 10 to the power of a natural logarithm."""
    return 10.0 ** logarithms(given)


def from_base_ten(given: Given) -> np.ndarray:
    return np.exp(decimal_logarithms(given))


def target_in_base_ten(given: Given) -> np.ndarray:
    slope, height = lines(given)
    return np.exp((np.log10(given["target"]) - height) / slope)


def without_height(given: Given) -> np.ndarray:
    slope, _ = lines(given)
    return np.exp(np.log(given["target"]) / slope)


def added_height(given: Given) -> np.ndarray:
    slope, height = lines(given)
    return np.exp((np.log(given["target"]) + height) / slope)


def between(low: Callable[[np.ndarray], float], high: Callable[[np.ndarray], float]) -> Callable[[np.ndarray], list]:
    """Return the median with another interval."""
    return lambda widths: [float(np.median(widths)), float(low(widths)), float(high(widths))]


def percentiles(share: float) -> Callable[[np.ndarray], list]:
    return between(lambda widths: np.quantile(widths, share), lambda widths: np.quantile(widths, 1 - share))


def ordered(place: int) -> Callable[[np.ndarray], list]:
    return between(lambda widths: np.sort(widths)[place], lambda widths: np.sort(widths)[-1 - place])


def instead_of_median(middle: Callable[[np.ndarray], float]) -> Callable[[np.ndarray], list]:
    return lambda widths: [float(middle(widths)), *order_statistics(widths)[1:]]


def of_logarithms(middle: Callable[[np.ndarray], float]) -> Callable[[np.ndarray], float]:
    return lambda widths: np.exp(middle(np.log(widths)))


def averaged_in_the_middle(mean: Callable) -> Way:
    """Return what takes the width of the teachers' average errors for the median, and the right interval."""
    return lambda given: [float(of_mean_errors(given, mean)[0]), *right(given)[1:]]


def standard_errors(widths: np.ndarray) -> list[float]:
    middle, error = np.median(widths), widths.std(ddof=1) / np.sqrt(len(widths))
    return [float(middle), float(middle - 2 * error), float(middle + 2 * error)]


def deviations(widths: np.ndarray) -> list[float]:
    return [float(np.median(widths)), *(float(np.median(widths) + sign * widths.std()) for sign in (-1, 1))]


def low_to_high(widths: np.ndarray) -> list[float]:
    middle, low, high = order_statistics(widths)
    return [low, middle, high]


def high_first(widths: np.ndarray) -> list[float]:
    middle, low, high = order_statistics(widths)
    return [middle, high, low]


WAYS = {  # to extrapolate wrongly, those together that have one hint
    "averaged": (read(of_mean_errors), read(of_median_errors)),
    "two points": (read(of_first_and_last), read(of_last_two)),
    "swapped": (read(swapped_regression),),
    "semi-log": (read(semi_log), read(error_against_log), read(no_logs)),
    "coefficients": (read(exchanged_coefficients),),
    "logarithms": (read(logarithms), read(decimal_logarithms)),
    "bases": (read(to_base_ten), read(from_base_ten), read(target_in_base_ten)),
    "height": (read(without_height), read(added_height)),
    "averaged in the middle": (averaged_in_the_middle(np.mean), averaged_in_the_middle(np.median)),
    "mean": (read(summary=instead_of_median(np.mean)),),
    "geometric": (read(summary=instead_of_median(of_logarithms(np.mean))),),
    "one in the middle": (
        read(summary=instead_of_median(lambda widths: np.sort(widths)[len(widths) // 2])),
        read(summary=instead_of_median(lambda widths: np.sort(widths)[(len(widths) - 1) // 2])),
        read(summary=instead_of_median(of_logarithms(np.median))),
    ),
    "all": (read(summary=ordered(0)),),
    "third": (read(summary=ordered(2)),),
    "percentiles": tuple(read(summary=percentiles(share)) for share in (0.025, 0.05, 0.1, 0.25)),
    "standard errors": (read(summary=standard_errors), read(summary=deviations)),
    "order": (read(summary=low_to_high), read(summary=high_first)),
}
GUESSES = [  # that no hint is made for
    read(lambda given: widths_needed(given) * 2),
    read(lambda given: widths_needed({**given, "widths": given["widths"] + 1})),
    read(summary=instead_of_median(np.min)),
]


def agrees(value: object, expected: list[float]) -> bool:
    """Return whether these are three numbers, each right to four digits."""
    numbers = numbers_in(value)
    if numbers is None or numbers.shape != (3,):
        return False
    return bool(np.isclose(numbers.astype(float), expected, rtol=FOUR_DIGITS, atol=0.0, equal_nan=True).all())


def returns(*ways: Way) -> Rule:
    """Return a rule: the value is what one of these ways to extrapolate returns."""
    return lambda given, value, expected: any([agrees(value, way(given)) for way in ways])


def has_wrong(*places: int) -> Rule:
    """Return a rule: of the three numbers, these are wrong, and the others right."""

    def matches(given: Given, value: object, expected: object) -> bool:
        near = np.isclose(numbers_in(value), expected, rtol=FOUR_DIGITS, atol=0.0)
        return near.shape == (3,) and np.flatnonzero(~near).tolist() == list(places)

    return matches


def is_no_triple(given: Given, value: object, expected: object) -> bool:
    numbers = numbers_in(value)
    return value is not None and (numbers is None or numbers.shape != (3,))


def explain_width(given: Given, value: object, expected: list[float]) -> str:
    """Say what the first teacher's line is, and the width that it takes."""
    slope, height = (part[0] for part in lines(given))
    return (
        f"The first teacher's line has the slope {slope:.4g} and, where the logarithm of the width is 0, the height "
        f"{round(height, 9) + 0:.4g}, in natural logarithms: it needs a width of {widths_needed(given)[0]:.4g}."
    )


def want_width(given: Given, expected: list[float]) -> str:
    """Return the worked example's numbers, without what rounding has left, and of other cases their kind."""
    is_example = len(given["errors"]) < min(SIZES)[0]
    return f"({', '.join(f'{number:.6g}' for number in expected)})" if is_example else "three numbers"


def plot_width(given: Given, value: object) -> tuple[object, str]:
    """Return a figure of the teachers' lines out to the target, with what was returned, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    widths, errors, target = (given[name] for name in ("widths", "errors", "target"))
    middle, low, high = (float(number) for number in value)
    figure, ax = plt.subplots(figsize=(7, 3.8))
    for row, (slope, height), far in zip(errors, np.transpose(lines(given)), widths_needed(given), strict=True):
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
    cases=width_cases,
    verify=lambda given, hidden, value, expected: float(agrees(value, expected)),
    without=["utils.lesson_05.students.width_for"],
    wanted=want_width,
    explain=explain_width,
    plot=plot_width,
    misconceptions=[
        (returns(*WAYS["averaged"]),
         "You average the errors over the teachers first, and a single line is left, without an interval. Draw a line "
         "for each teacher."),
        (returns(*WAYS["two points"]),
         "Your lines go through two of the points: a line of least squares takes all widths."),
        (returns(*WAYS["swapped"]),
         "You fit the logarithm of the width to that of the error. The noise is in the errors: fit these, then solve "
         "for the width."),
        (returns(*WAYS["semi-log"]),
         "Both axes are logarithmic: fit the logarithm of the error against the logarithm of the width."),
        (returns(*WAYS["coefficients"]),
         "Slope and height have changed places: `np.polyfit` returns the slope first."),
        (returns(*WAYS["logarithms"]),
         "These are logarithms of widths: take the exponential."),
        (returns(*WAYS["bases"]),
         "Two bases are mixed: with `np.log` goes `np.exp`, with `np.log10` goes 10 to the power."),
        (returns(*WAYS["height"]),
         "Solve log e = a + b log w for log w again: a is to be subtracted from the logarithm of the target."),
        (returns(*WAYS["averaged in the middle"]),
         "Your median is the width of averaged errors. Draw a line for each teacher, and take the median of their "
         "widths."),
        (returns(*WAYS["mean"]),
         "This is the mean of the widths, which the largest one decides alone: the median is asked for."),
        (returns(*WAYS["geometric"]),
         "This is the geometric mean of the widths: the median is asked for."),
        (returns(*WAYS["one in the middle"]),
         "With an even number of teachers the median is the mean of the two in the middle, of the widths themselves."),
        (returns(*WAYS["all"]),
         "Your interval goes from the smallest to the largest: the second smallest and the second largest are asked "
         "for."),
        (returns(*WAYS["third"]),
         "Your interval begins with the third smallest. Python counts from 0: the second has the number 1."),
        (returns(*WAYS["percentiles"]),
         "Your interval is made of percentiles: the second smallest and the second largest are asked for."),
        (returns(*WAYS["standard errors"]),
         "Your interval is made of standard deviations or standard errors, which mean little where widths differ by "
         "powers of ten: the second smallest and the second largest are asked for."),
        (returns(*WAYS["order"]),
         "The numbers are right, their order is not: first the median, then the lower end, then the upper one."),
    ],
    remarks=[
        (is_no_triple,
         "Return three numbers: the median, and the two ends of the interval."),
        (has_wrong(0),
         "The ends of the interval are right, the median is not."),
        (lambda *about: has_wrong(1)(*about) or has_wrong(2)(*about) or has_wrong(1, 2)(*about),
         "The median is right, the interval is not: order the widths of all teachers, and leave out one at each end."),
    ],
)  # fmt: skip
