"""Exercise 01.6: the best that a polynomial activation can reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from utils.exercises import rules
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import draw_until
from utils.exercises.rules import Solver, hints_of

TARGETS = (np.sin, np.abs, lambda x: np.exp(x / 2), lambda x: 1.0 * (x > 0.3), lambda x: np.cos(2 * x))


def _floor_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    yield {"x": np.array([-1.0, 0.0, 1.0, 2.0]), "y": np.array([1.0, 0.0, 1.0, 2.0]), "power": 2}, None
    for power in (1, 2, 3, 4, 5, 6):
        yield draw_until(is_telling, sample, rng, power), None
    for power, change in ((6, nearly_polynomial), (3, in_small_units)):
        yield change(draw_until(is_telling, sample, rng, power)), None
    x = uneven(rng, 9)
    yield {"x": x, "y": 2 - x + 0.5 * x**2, "power": 3}, None  # a polynomial itself: the floor is 0
    yield {"x": uneven(rng, 5), "y": rng.normal(size=5), "power": 4}, None  # as many points as coefficients


def uneven(rng: np.random.Generator, count: int) -> np.ndarray:
    """Return different points, crowded at one end of an interval that is not [-1, 1], in no order."""
    steps = np.sort(rng.uniform(0.1, 1.0, count)).cumsum()
    return rng.permutation(rng.uniform(-2.5, 0.0) + steps * rng.uniform(3.0, 4.5) / steps[-1])


def sample(rng: np.random.Generator, power: int) -> Inputs:
    """Return points on the graph of a function that is no polynomial, with some noise."""
    x = uneven(rng, int(rng.integers(15, 40)))
    y = rng.uniform(0.5, 4) * TARGETS[rng.integers(len(TARGETS))](x) + rng.uniform(-2, 2)
    return {"x": x, "y": y + 0.1 * rng.normal(size=x.size), "power": power}


def nearly_polynomial(given: Inputs) -> Inputs:
    """Return the points moved towards the best polynomial: the floor is small and not 0, y is not small."""
    return {**given, "y": given["y"] - 0.99 * residuals(given, range(given["power"] + 1))}


def in_small_units(given: Inputs) -> Inputs:
    """Return the points in units in which x is small, and y and the floor are tiny."""
    return {**given, "x": 0.03 * given["x"], "y": 1e-5 * given["y"]}


def is_telling(given: Inputs) -> bool:
    """Return whether one power more, one less, or one left out changes the floor by at least 2 %."""
    k = given["power"]
    reference = lowest(given, range(k + 1))
    others = [range(k), range(k + 2), range(1, k + 1), {0, k} if k > 1 else {k}]
    return all(abs(lowest(given, powers) - reference) > 0.02 * reference for powers in others)


def residuals(given: Inputs, powers: Iterable[int]) -> np.ndarray:
    """Return what the least squares fit with these powers of x leaves over."""
    features = np.stack([(given["x"] / np.abs(given["x"]).max()) ** power for power in powers], axis=1)
    return given["y"] - features @ np.linalg.lstsq(features, given["y"], rcond=None)[0]


def lowest(given: Inputs, powers: Iterable[int]) -> float:
    """Return the mean squared error of the least squares fit with these powers of x."""
    return float(np.mean(residuals(given, powers) ** 2))


def nothing(given: Inputs) -> float:
    """Return what counts as 0, in the units of the floor."""
    return 1e-9 * float(np.mean(given["y"] ** 2))


TOLERANCE = {"rtol": rules.FOUR_DIGITS, "atol": nothing}  # a floor of 0 need not be exactly 0


def misread(coefficients: Callable[[np.ndarray, np.ndarray, int], np.ndarray]) -> Solver:
    """Return the way that takes what ``coefficients`` makes of (x, y, power) for those of 1, x, x², …"""

    def error(given: Inputs) -> float:
        x, y, power = given.values()
        return float(np.mean((y - np.polynomial.polynomial.polyval(x, coefficients(x, y, power))) ** 2))

    return error


def with_powers(powers: Callable[[int], Iterable[int]]) -> Solver:
    """Return the way that fits these powers of x, which ``powers`` makes of the activation's."""
    return lambda given: lowest(given, powers(given["power"]))


def times(factor: Callable[[int, int], float]) -> Solver:
    """Return the way that is off by ``factor(points, power)``."""
    return lambda given: reference(given) * factor(len(given["x"]), given["power"])


def of_errors(number: Callable[[np.ndarray], float]) -> Solver:
    """Return the way that makes another number of the best polynomial's errors."""
    return lambda given: number(residuals(given, range(given["power"] + 1)))


reference = with_powers(lambda power: range(power + 1))
MISTAKES = [
    (
        lambda given: reference(given) ** 0.5,
        lambda given: (len(given["x"]) * reference(given)) ** 0.5,
        "There is a square root in this. Return the mean squared error as it is.",
    ),
    (
        *map(
            times,
            (
                lambda n, k: n,
                lambda n, k: 0.5,
                lambda n, k: n / max(n - k - 1, 1),
                lambda n, k: n / (n - 1),
                lambda n, k: n / (n - k - 1) if n > k + 1 else np.inf,
            ),
        ),
        "The squared errors are right, but this is not their mean: divide their sum by the number of points, no "
        "more and no less.",
    ),
    (
        *map(
            of_errors,
            (
                lambda e: np.abs(e).mean(),
                np.mean,
                lambda e: e.mean() ** 2,
                lambda e: np.abs(e).max(),
                lambda e: (e**2).max(),
            ),
        ),
        "This is not a mean of squares. Square each error, whatever its sign, and then take the mean over all points.",
    ),
    (
        *map(with_powers, (range, lambda power: range(power + 2), lambda power: range(3), lambda power: range(1))),
        "The polynomial has the wrong degree. The highest power of x is `power` itself, so it takes power + 1 "
        "coefficients.",
    ),
    (
        with_powers(lambda power: range(1, power + 1)),
        "The constant is missing, but the network has an output bias: fit a constant, too.",
    ),
    (
        with_powers(lambda power: {0, power}),
        with_powers(lambda power: {power}),
        with_powers(lambda power: range(power % 2, power + 1, 2)),
        "Some powers of x are missing, but the units have offsets: multiply out (w x + b)**power, and see which "
        "powers of x come up.",
    ),
    (
        misread(np.polyfit),
        misread(lambda *points: np.polynomial.Polynomial.fit(*points).coef),
        "The coefficients are misread: `np.polyfit` and `np.polyval` begin with the highest power, `np.polynomial` "
        "with the constant, and `Polynomial.fit` keeps those for an x that it shifted and scaled: call the "
        "polynomial itself.",
    ),
]


def explain_floor(given: Inputs, value: object, expected: float) -> str:
    """Say what a result can be compared with: a polynomial that is easy to find."""
    return (
        f"There are {len(given['x'])} points, and the power is {given['power']}. The constant polynomial that is the "
        f"mean of y\nalready has the mean squared error {np.var(given['y']):.4g}."
    )


def plot_floor(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the points and of the best polynomial, and what ``value`` says about them."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    p = np.polynomial.Polynomial.fit(given["x"], given["y"], given["power"])
    x = np.linspace(given["x"].min(), given["x"].max(), 201)
    number = float(np.asarray(value).reshape(()))
    figure, ax = plt.subplots()
    ax.plot(x, p(x), color=COLOURS["blue"], linestyle="-", label=f"best polynomial of degree {given['power']}")
    ax.vlines(given["x"], given["y"], p(given["x"]), color=COLOURS["grey"], linestyle=":", label="its errors")
    ax.plot(given["x"], given["y"], "o", color=COLOURS["red"], label="points")
    ax.set(xlabel="x", ylabel="y", title=f"your floor: {number:.3g}")
    ax.legend(loc="upper left")
    errors = np.round(given["y"] - p(given["x"]), 3)
    words = (
        f"The points x = {given['x']}, y = {given['y']} and the best polynomial of degree {given['power']}. Its errors "
        f"are {errors}. Your function says that no mean squared error is below {number:.3g}."
    )
    return figure, words


FLOOR = Exercise(
    id="01.6",
    points=2,
    answer_name="polynomial_floor",
    cases=_floor_cases,
    verify=rules.same_number(**TOLERANCE),
    explain=explain_floor,
    plot=plot_floor,
    misconceptions=hints_of(MISTAKES, rules.equals, **TOLERANCE),
    remarks=[
        (
            lambda given, value, expected: (
                len(given["x"]) == given["power"] + 1 if value is None else np.asarray(value).size == 0
            ),
            "NumPy returns no residuals (an empty list) if the polynomial runs through all points. Compute the "
            "errors yourself, from the polynomial's values.",
        ),
    ],
)
