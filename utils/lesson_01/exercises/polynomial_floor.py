"""Exercise 01.6: the best that a polynomial activation can reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from utils.exercises import rules
from utils.exercises.definition import Exercise
from utils.exercises.discrimination import draw_until

TARGETS = (np.sin, np.abs, lambda x: np.exp(x / 2), lambda x: 1.0 * (x > 0.3), lambda x: np.cos(2 * x))


def _floor_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
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


def sample(rng: np.random.Generator, power: int) -> dict:
    """Return points on the graph of a function that is no polynomial, with some noise."""
    x = uneven(rng, int(rng.integers(15, 40)))
    y = rng.uniform(0.5, 4) * TARGETS[rng.integers(len(TARGETS))](x) + rng.uniform(-2, 2)
    return {"x": x, "y": y + 0.1 * rng.normal(size=x.size), "power": power}


def nearly_polynomial(given: dict) -> dict:
    """Return the points moved towards the best polynomial: the floor is small and not 0, y is not small."""
    return {**given, "y": given["y"] - 0.99 * residuals(given, range(given["power"] + 1))}


def in_small_units(given: dict) -> dict:
    """Return the points in units in which x is small, and y and the floor are tiny."""
    return {**given, "x": 0.03 * given["x"], "y": 1e-5 * given["y"]}


def is_telling(given: dict) -> bool:
    """Return whether one power more, one less, or one left out changes the floor by at least 2 %."""
    k = given["power"]
    right = lowest(given, range(k + 1))
    others = [range(k), range(k + 2), range(1, k + 1), {0, k} if k > 1 else {k}]
    return all(abs(lowest(given, powers) - right) > 0.02 * right for powers in others)


def residuals(given: dict, powers: Iterable[int]) -> np.ndarray:
    """Return what the least squares fit with these powers of x leaves over."""
    features = np.stack([(given["x"] / np.abs(given["x"]).max()) ** power for power in powers], axis=1)
    return given["y"] - features @ np.linalg.lstsq(features, given["y"], rcond=None)[0]


def lowest(given: dict, powers: Iterable[int]) -> float:
    """Return the mean squared error of the least squares fit with these powers of x."""
    return float(np.mean(residuals(given, powers) ** 2))


def nothing(given: dict) -> float:
    """Return what counts as 0, in the units of the floor."""
    return 1e-9 * float(np.mean(given["y"] ** 2))


TOLERANCE = {"rtol": rules.FOUR_DIGITS, "atol": nothing}  # a floor of 0 need not be exactly 0
equals, follows = (partial(rule, **TOLERANCE) for rule in (rules.equals, rules.follows))


def full_fit(given: dict) -> np.ndarray:
    """Return the sizes of the best polynomial's errors."""
    return np.abs(residuals(given, range(given["power"] + 1)))


def through_first_points(given: dict) -> float:
    """Return the mean squared error of the polynomial through as many points as it has coefficients."""
    first = slice(given["power"] + 1)
    p = np.polynomial.Polynomial.fit(given["x"][first], given["y"][first], given["power"])
    return float(np.mean((given["y"] - p(given["x"])) ** 2))


def misread(given: dict, change: Callable[[np.polynomial.Polynomial], np.ndarray]) -> float:
    """Return the mean squared error of what the best polynomial becomes when its coefficients are misread."""
    best = np.polynomial.Polynomial.fit(given["x"], given["y"], given["power"])
    return float(np.mean((given["y"] - np.polynomial.polynomial.polyval(given["x"], change(best))) ** 2))


def plain_coefficients(best: np.polynomial.Polynomial) -> np.ndarray:
    """Return the coefficients of 1, x, x², …, the last ones too where they are 0."""
    found = best.convert().coef
    return np.pad(found, (0, best.coef.size - found.size))


def is_unbiased(given: dict, value: object, floor: float) -> bool:
    """Return whether the value estimates a noise's variance: divided by n − 1, or by what the fit leaves free."""
    count = len(given["x"])
    free = count - given["power"] - 1
    if free == 0 and not np.isfinite(value).all():
        return True
    divided = follows(lambda given, floor: [floor * count / (count - 1), floor * count / max(free, 1)])
    return divided(given, value, floor)


def with_other_x(given: dict, x: np.ndarray) -> float:
    """Return the mean squared error of the best polynomial of y over ``x``."""
    return lowest({**given, "x": x}, range(given["power"] + 1))


def explain_floor(given: dict, value: object, expected: float) -> str:
    """Say what a result can be compared with: a polynomial that is easy to find."""
    return (
        f"There are {len(given['x'])} points, and the power is {given['power']}. The constant polynomial that is the "
        f"mean of y\nalready has the mean squared error {np.var(given['y']):.4g}."
    )


def plot_floor(given: dict, value: object) -> tuple[object, str]:
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
    misconceptions=[
        (follows(lambda given, floor: np.sqrt(floor)),
         "This is the root of the mean squared error: leave the square."),
        (follows(lambda given, floor: len(given["x"]) * floor),
         "This is the sum of the squared errors: the mean is asked for."),
        (follows(lambda given, floor: floor / 2),
         "This is half the mean squared error."),
        (is_unbiased,
         "Divide by the number of points: the mean of the squared errors is asked for, not an estimate of noise."),
        (equals(lambda given: lowest(given, range(given["power"]))),
         "One degree short: the highest power of x is `power` itself, so the polynomial has one coefficient more."),
        (equals(lambda given: lowest(given, range(given["power"] + 2))),
         "One degree too high: the network has no higher power of x than `power`."),
        (equals(lambda given: lowest(given, range(1, given["power"] + 1))),
         "The constant is missing: the network has an output bias."),
        (equals(lambda given: lowest(given, {0, given["power"]})),
         "The units have offsets: multiply out (w x + b)**power, and see which powers of x come up."),
        (equals(lambda given: lowest(given, {given["power"]})),
         "The network has an output bias, and its units have offsets: multiply out (w x + b)**power, and see which "
         "powers of x come up."),
        (equals(lambda given: lowest(given, range(given["power"] % 2, given["power"] + 1, 2))),
         "Every second power is missing: multiply out (w x + b)**power, and see which powers of x come up."),
        (equals(lambda given: full_fit(given).mean()),
         "These are the sizes of the errors, averaged: square them first."),
        (equals(lambda given: full_fit(given).max() ** 2),
         "This is the largest squared error: the mean is asked for."),
        (equals(lambda given: full_fit(given).max()),
         "This is the largest error of the best polynomial: the mean of the squared errors is asked for."),
        (equals(lambda given: lowest({"x": given["y"], "y": given["x"]}, range(given["power"] + 1))),
         "x and y are swapped: the polynomial takes x and should come close to y."),
        (equals(lambda given: with_other_x(given, np.sort(given["x"]))),
         "x and y belong together, point by point: sorting one of them alone mixes the points up."),
        (equals(lambda given: with_other_x(given, np.arange(1.0, len(given["x"]) + 1))),
         "This is the best polynomial through y, one after the other at even steps: it should take x, which is in no "
         "order and not evenly spaced."),
        (equals(lambda given: lowest(given, range(3))),
         "Your polynomial is a parabola, whatever the power is."),
        (equals(through_first_points),
         "Your polynomial runs through the first points and misses the others: weigh all points alike."),
        (equals(lambda given: misread(given, lambda best: plain_coefficients(best)[::-1])),
         "The coefficients are in the wrong order: `np.polyfit` and `np.polyval` begin with the highest power, "
         "`np.polynomial` begins with the constant."),
        (equals(lambda given: misread(given, lambda best: best.coef)),
         "`Polynomial.fit` keeps its coefficients for an x that it shifted and scaled: call the polynomial itself."),
    ],
    remarks=[
        (lambda given, value, expected: (len(given["x"]) == given["power"] + 1 if value is None
                                         else np.asarray(value).size == 0),
         "NumPy returns no residuals, an empty list, where the polynomial runs through all points: compute the errors "
         "yourself, from the polynomial's values."),
        (lambda given, value, expected: np.asarray(value).size > 1,
         "Return one number: not the polynomial, nor its errors one by one, but the mean of their squares."),
    ],
)
