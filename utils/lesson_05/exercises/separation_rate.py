"""Exercise 05.1: how fast two nearby points separate from layer to layer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, Way, equals, hints_of, is_no, is_number, same_number

LEAST_RATE = 0.05
SPREAD = 0.35  # of the logarithms of the factors, so that no two ways to average them agree
DECIMALS = 8
SMALL = (*10.0 ** -np.arange(6, 17), np.finfo(float).eps, 1e-20, 1e-30)  # what is usually added under a logarithm
# The rate about which factors are drawn, the first distance, the share by which lengths change, and whether they meet.
FORMS = (
    (-0.5, 0.3, 0.85, False), (-0.3, 0.1, 0.9, False), (-0.7, 0.3, 1.0, False), (0.3, 1e-4, 1.0, False),
    (0.6, 1e-4, 1.1, False), (0.15, 1e-3, 0.95, False), (0.45, 1e-3, 1.0, False), (-0.6, 0.2, 1.0, True),
    (-0.4, 0.1, 0.9, True), (-0.8, 0.3, 0.95, True),
)


def worked_example() -> Given:
    """Distances 0.5, 0.05, 0.1 and 0.4, of which the first does not count."""
    one = np.array([[0.9, 0.8], [0.5, 0.4], [0.3, 0.4], [0.6, 0.2]])
    return {"one": one, "other": one - [[0.3, 0.4], [0.03, 0.04], [0.0, 0.1], [0.4, 0.0]], "skip": 1}


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return cases of all forms in a random order; in most of them some layers are skipped."""
    return [two_points(rng, FORMS[i], int(rng.integers(3)) if i % 3 else 2) for i in rng.permutation(len(FORMS))]


def two_points(rng: np.random.Generator, form: tuple[float, float, float, bool], skip: int) -> Given:
    """Return two points whose distance grows by random factors; where they meet, they stay together."""
    middle, first, change, meet = form
    while True:
        layers, units = int(rng.integers(8, 13)), int(rng.integers(3, 7))
        logarithms = middle + SPREAD * rng.normal(size=layers - 1)
        distances = first * np.exp(np.cumsum([0, *logarithms]))
        if meet:
            distances[-int(rng.integers(2, 4)) :] = 0
        one = np.tanh(rng.normal(size=(layers, units))) * change ** np.arange(layers)[:, None]
        gaps = rng.normal(size=(layers, units))
        gaps *= (distances / np.linalg.norm(gaps, axis=1))[:, None]
        given = {"one": one.round(DECIMALS), "other": (one.round(DECIMALS) + gaps.round(DECIMALS)), "skip": skip}
        if abs(rate(given)) > LEAST_RATE and distances.max() < 0.5:
            return given


# --- what comes of which way to measure ---------------------------------------------------------------------


def _euclidean(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.linalg.norm(one - other, axis=1)


def before_they_meet(distances: np.ndarray) -> np.ndarray:
    """Return the distances up to the first that is 0."""
    return distances[: np.append(distances, 0).argmin()] if (distances == 0).any() else distances


def from_distances(
    average: Callable[[np.ndarray], float],
    distance: Callable[[np.ndarray, np.ndarray], np.ndarray] = _euclidean,
    *,
    first: Callable[[int], int] = lambda skip: skip,
) -> Way:
    """Return the way that averages the distances of layers first(skip), first(skip) + 1, … before the points meet."""

    def way(given: Given) -> float:
        one, other = (np.asarray(given[name], dtype=float)[first(given["skip"]) :] for name in ("one", "other"))
        count = len(before_they_meet(_euclidean(one, other)))
        return float(average(distance(one[:count], other[:count])))

    return way


def _factors(distances: np.ndarray) -> np.ndarray:
    return distances[1:] / distances[:-1]


def _mean_logarithm(distances: np.ndarray) -> float:
    return np.log(_factors(distances)).mean()


def as_if_apart(given: Given) -> float:
    """Return the rate with all layers in the mean's denominator, those after the points met as well."""
    distances = _euclidean(given["one"], given["other"])[given["skip"] :]
    return np.log(_factors(before_they_meet(distances))).sum() / (len(distances) - 1)


def with_something_added(number: float) -> Way:
    """Return the way that adds a number to all distances, so that it goes on where the points have met."""

    def way(given: Given) -> float:
        return float(_mean_logarithm(_euclidean(given["one"], given["other"])[given["skip"] :] + number))

    return way


rate = from_distances(_mean_logarithm)
MISTAKES = [
    (from_distances(lambda d: np.log10(_factors(d)).mean()), from_distances(lambda d: np.log2(_factors(d)).mean()),
     "The logarithm has another base: take the natural one, `np.log`."),
    (from_distances(lambda d: np.log(_factors(d)).sum()),
     "This is the growth of all steps together: divide it by how many steps there are."),
    (from_distances(lambda d: np.log(_factors(d)).sum() / len(d)),
     "You divide by the number of layers. From the first layer to the last there is one step fewer."),
    (from_distances(lambda d: np.log(_factors(d).mean())),
     "You average first and take the logarithm then. Take the logarithm of each factor, and average these."),
    (from_distances(lambda d: _factors(d).mean()), from_distances(lambda d: _factors(d).mean() - 1),
     "You average the factors themselves. Growth multiplies from layer to layer: take logarithms first."),
    (from_distances(lambda d: -_mean_logarithm(d)),
     "The sign is the wrong way round: divide each distance by the one of the layer before it."),
    (from_distances(_mean_logarithm, first=lambda skip: 0),
     "You count the layers that were to be left out as well: begin at layer `skip`."),
    (from_distances(_mean_logarithm, first=lambda skip: skip + 1),
     from_distances(_mean_logarithm, first=lambda skip: max(skip - 1, 0)),
     "You are off by one at the beginning: the first factor leads from layer `skip` to layer `skip + 1`."),
    (from_distances(lambda d: 2 * _mean_logarithm(d)),
     "This is twice the rate, as if the distances were squared: take the root of the sum of squares."),
    (from_distances(_mean_logarithm, lambda one, other: np.abs(one - other).sum(axis=1)),
     from_distances(_mean_logarithm, lambda one, other: np.abs(one - other).max(axis=1)),
     "The distance meant is the straight one, the root of the sum of squared differences: yours adds up sizes, or "
     "takes the largest."),
    (from_distances(_mean_logarithm, lambda one, other: _euclidean(one, other) / np.linalg.norm(one, axis=1)),
     "You divide the distances by the signal's length, which changes from layer to layer as well: take them as "
     "they are."),
    (from_distances(
        _mean_logarithm, lambda one, other: np.abs(np.linalg.norm(one, axis=1) - np.linalg.norm(other, axis=1))),
     "You compare the points' lengths. Two points of the same length may be far apart: subtract the points first."),
    (from_distances(lambda d: np.log(d[1:] / d[0]).mean()),
     "You compare every layer with the first. A step's factor compares a layer with the one before it."),
    (from_distances(lambda d: np.log(d).mean()),
     "You average the distances' logarithms. A factor is a quotient of two distances, so take differences of "
     "these."),
    (from_distances(lambda d: np.median(np.log(_factors(d)))),
     "This is the median of the logarithms, not their mean."),
    (from_distances(lambda d: np.abs(np.log(_factors(d))).mean()),
     "You drop the signs of the logarithms: a step that brings the points nearer counts as negative."),
    (as_if_apart,
     "You divide by all steps, those after the points have met as well: only the steps before that count."),
    (*map(with_something_added, SMALL),
     "Where the points have met you have a small number instead of 0, so that there is a logarithm, and it decides "
     "the rate. Stop before the layer in which they meet."),
]


def counted(given: Given) -> np.ndarray:
    """Return the distances that count."""
    return before_they_meet(_euclidean(given["one"], given["other"])[given["skip"] :])


def explain_rate(given: Given, value: object, expected: float) -> str:
    """Say which distances count."""
    if not is_number(value):
        return ""
    shown = ", ".join(f"{distance:.3g}" for distance in counted(given))
    return f"The distances that count, from layer {given['skip']} on: {shown}."


def plot_rate(given: Given, value: object) -> tuple[object, str]:
    """Return a figure of the distances, with a line that grows at the rate returned, and its words.

    The line begins in the first distance that counts, and with the right rate it ends in the last.
    """
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    distances, skip = counted(given), given["skip"]
    everywhere = _euclidean(given["one"], given["other"])
    layers = skip + np.arange(len(distances))
    figure, ax = plt.subplots(figsize=(7, 3))
    apart = np.flatnonzero(everywhere)
    ax.plot(apart, everywhere[apart], "o", color=COLOURS["grey"], markersize=5, markerfacecolor="white")
    ax.plot(layers, distances, "o", color=COLOURS["blue"], markersize=5)
    ax.plot(layers, distances[0] * np.exp(float(value) * (layers - skip)), "--", color=COLOURS["red"], linewidth=1.5)
    ax.set(yscale="log", xlabel="layer", ylabel="distance of the two points")
    ax.set_title(f"Your rate, {float(value):.3g}, as the dashed line's slope (filled: the layers that count)")
    shown = ", ".join(f"{distance:.3g}" for distance in distances)
    return figure, f"The distances that count, from layer {skip} on: {shown}. Your function returns {float(value):.3g}."


SEPARATION = Exercise(
    id="05.1",
    points=3,
    answer_name="separation_rate",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *drawn(rng)], rate, MISTAKES),
    verify=same_number(rtol=FOUR_DIGITS, atol=FOUR_DIGITS * LEAST_RATE),
    explain=explain_rate,
    plot=plot_rate,
    plotted_case=1,
    misconceptions=hints_of(MISTAKES, equals),
    remarks=[
        (is_no(is_number),
         "Return one number: the mean over the steps."),
        (lambda given, value, expected: not np.isfinite(value),
         "This is no finite number: where the two points have met, the distance is 0, and its logarithm is not finite. "
         "Stop before that layer."),
        (lambda given, value, expected: value * expected < 0,
         "The sign is wrong here: the rate is positive where the points separate, and negative where they approach "
         "each other."),
    ],
)
