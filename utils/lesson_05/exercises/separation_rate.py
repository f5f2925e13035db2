"""Exercise 05.1: how fast two nearby points separate from layer to layer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, Solver, equals, hints_of, is_number, same_number

LEAST_RATE = 0.05
SPREAD = 0.35  # of the logarithms of the factors, so that no two ways to average them agree
DECIMALS = 8
SMALL = (*10.0 ** -np.arange(6, 17), np.finfo(float).eps)  # what is usually added under a logarithm
FORMS = (  # the rate about which factors are drawn, the first distance, and whether the points meet
    (-0.5, 0.3, False),
    (-0.3, 0.1, False),
    (-0.7, 0.3, False),
    (0.3, 1e-4, False),
    (0.6, 1e-4, False),
    (0.15, 1e-3, False),
    (0.45, 1e-3, False),
    (-0.6, 0.2, True),
    (-0.4, 0.1, True),
    (-0.8, 0.3, True),
)


def worked_example() -> Inputs:
    """Return distances 0.5, 0.05, 0.1 and 0.4, of which the first does not count."""
    one = np.array([[0.9, 0.8], [0.5, 0.4], [0.3, 0.4], [0.6, 0.2]])
    return {"one": one, "other": one - [[0.3, 0.4], [0.03, 0.04], [0.0, 0.1], [0.4, 0.0]], "skip": 1}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return cases of all forms in a random order; in most of them some layers are skipped."""
    return [two_points(rng, *FORMS[i], int(rng.integers(3)) if i % 3 else 2) for i in rng.permutation(len(FORMS))]


def two_points(rng: np.random.Generator, middle: float, first: float, meet: bool, skip: int) -> Inputs:
    """Return two points whose distance grows by random factors; where they meet, they stay together."""
    while True:
        layers, units = int(rng.integers(8, 13)), int(rng.integers(3, 7))
        distances = first * np.exp(np.cumsum([0, *middle + SPREAD * rng.normal(size=layers - 1)]))
        if meet:
            distances[-int(rng.integers(2, 4)) :] = 0
        one = np.tanh(rng.normal(size=(layers, units))).round(DECIMALS)
        gaps = rng.normal(size=(layers, units))
        gaps *= (distances / np.linalg.norm(gaps, axis=1))[:, None]
        given = {"one": one, "other": one + gaps.round(DECIMALS), "skip": skip}
        if abs(rate(given)) > LEAST_RATE and distances.max() < 0.5:
            return given


# --- what comes of which way to measure ---------------------------------------------------------------------


def distances_of(given: Inputs) -> np.ndarray:
    """Return the distance of the two points in each layer."""
    return np.linalg.norm(given["one"] - given["other"], axis=1)


def counted(given: Inputs, first: int | None = None) -> np.ndarray:
    """Return the distances that count: from layer ``first``, or ``skip``, on, before the points meet."""
    distances = distances_of(given)[given["skip"] if first is None else first :]
    return distances[: np.append(distances, 0).argmin()]


def mean_logarithm(distances: np.ndarray) -> float:
    """Return the mean logarithm of the factors from each distance to the next."""
    return np.diff(np.log(distances)).mean()


def averaging(average: Callable[[np.ndarray], float], first: Callable[[int], int] = lambda skip: skip) -> Solver:
    """Return the way that makes such an average of the distances that count from layer first(skip) on."""
    return lambda given: float(average(counted(given, first(given["skip"]))))


def with_something_added(number: float) -> Solver:
    """Return the way that adds a number, or nothing, to all distances and goes on where the points have met."""

    def way(given: Inputs) -> float:
        with np.errstate(all="ignore"):
            return float(mean_logarithm(distances_of(given)[given["skip"] :] + number))

    return way


def of_distance(order: float, axis: int = 1) -> Solver:
    """Return the way that measures with another norm, or along the other axis."""

    def way(given: Inputs) -> float:
        distances = np.linalg.norm(given["one"] - given["other"], ord=order, axis=axis)[given["skip"] :]
        return float(mean_logarithm(distances[distances > 0])) if len(distances) > 1 else np.nan

    return way


@np.errstate(divide="ignore", invalid="ignore")
def of_all_factors(given: Inputs) -> float:
    """Return the mean of the factors themselves, also of those after the points have met."""
    distances = distances_of(given)[given["skip"] :]
    return float((distances[1:] / distances[:-1]).mean())


rate = averaging(mean_logarithm)
MISTAKES = [
    (
        averaging(lambda d: np.log(d[-1] / d[0])),
        averaging(lambda d: np.log(d[-1] / d[0]) / len(d)),
        "Divide by the number of steps. Your function divides by nothing, or by the number of layers, which is one "
        "more.",
    ),
    (
        averaging(lambda d: np.log((d[1:] / d[:-1]).mean())),
        "You average first, and take the logarithm then. Take the logarithm of each factor first, and average those.",
    ),
    (
        averaging(mean_logarithm, first=lambda skip: 0),
        averaging(mean_logarithm, first=lambda skip: skip + 1),
        averaging(mean_logarithm, first=lambda skip: max(skip - 1, 0)),
        "Your function begins at another layer: the first factor that counts leads from layer `skip` to layer `skip "
        "+ 1`.",
    ),
    (
        averaging(lambda d: 2 * mean_logarithm(d)),
        of_distance(1),
        of_distance(np.inf),
        "Your distance is not the straight-line one. Take the square root of the sum of the squared differences.",
    ),
    (
        averaging(lambda d: mean_logarithm(d) / np.log(10)),
        averaging(lambda d: mean_logarithm(d) / np.log(2)),
        "Your logarithm has another base. Take the natural one, `np.log`.",
    ),
    (
        of_distance(2, axis=0),
        "Your distances are not those of the layers. Each row is one layer, so add up along the units.",
    ),
    (
        averaging(lambda d: (d[1:] / d[:-1]).mean()),
        averaging(lambda d: np.median(d[1:] / d[:-1])),
        averaging(lambda d: (d[-1] / d[0]) ** (1 / (len(d) - 1))),
        averaging(lambda d: d[-1] / d[0]),
        averaging(lambda d: d[-1] / d[0] / (len(d) - 1)),
        averaging(lambda d: (d[1:] / d[:-1]).mean() - 1),
        averaging(lambda d: (d[-1] / d[0]) ** (1 / (len(d) - 1)) - 1),
        of_all_factors,
        "You take no logarithm, so these are factors, or an average of them. A rate is the mean of their natural "
        "logarithms: positive if the points separate, and negative if they come together.",
    ),
    (
        *map(with_something_added, SMALL),
        with_something_added(0.0),
        "Once the two points have met, their distance is 0, and 0 has no logarithm. So your result is not finite, or"
        " it is decided by the small number that you put in place of 0. Stop before the layer in which they meet.",
    ),
]


def explain_rate(given: Inputs, value: object, expected: float) -> str:
    """Say which distances count."""
    if not is_number(value):
        return ""
    shown = ", ".join(f"{distance:.3g}" for distance in counted(given))
    return f"The distances that count, from layer {given['skip']} on: {shown}."


def plot_rate(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the distances, with a line that grows at the rate returned, and its words.

    The line begins in the first distance that counts, and with the right rate it ends in the last.
    """
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    distances, everywhere, skip = counted(given), distances_of(given), given["skip"]
    layers, apart = skip + np.arange(len(distances)), np.flatnonzero(everywhere)
    figure, ax = plt.subplots(figsize=(7, 3))
    ax.plot(apart, everywhere[apart], "o", color=COLOURS["grey"], markersize=5, markerfacecolor="white")
    ax.plot(layers, distances, "o", color=COLOURS["blue"], markersize=5)
    ax.plot(layers, distances[0] * np.exp(float(value) * (layers - skip)), "--", color=COLOURS["red"], linewidth=1.5)
    ax.set(yscale="log", xlabel="layer", ylabel="distance of the two points")
    ax.set_title(f"Your rate, {float(value):.3g}, as the dashed line's slope (filled: the layers that count)")
    return figure, f"{explain_rate(given, value, np.nan)} Your function returns {float(value):.3g}."


SEPARATION = Exercise(
    id="05.1",
    points=3,
    answer_name="separation_rate",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *sample_cases(rng)], rate, MISTAKES),
    verify=same_number(rtol=FOUR_DIGITS, atol=FOUR_DIGITS * LEAST_RATE),
    explain=explain_rate,
    plot=plot_rate,
    plotted_case=1,
    misconceptions=hints_of(MISTAKES, equals),
)
