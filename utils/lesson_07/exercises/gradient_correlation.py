"""Exercise 07.8: how alike the gradients of a network are at neighbouring inputs (Balduzzi et al. 2017)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, equals, hints_of, one_number, same_number

SIZES = ((1, 12), (2, 9), (3, 15), (4, 10), (5, 20), (6, 8), (8, 14), (10, 11), (3, 30))  # networks, points
LEAST = 0.05  # size of the answer
Gradients = np.ndarray  # [networks, points]


def worked_example() -> Inputs:
    """Return the gradients of two networks at four points."""
    return {"gradients": np.array([[1.0, 1.0, 3.0, 3.0], [0.0, 4.0, 0.0, 4.0]]), "lag": 1}


def sample_case(rng: np.random.Generator, networks: int, points: int) -> Inputs:
    """Return gradients that nobody measured, in steps as a ReLU network's are, of networks that differ in size."""
    while True:
        jumps = rng.normal(size=(networks, points)) * (rng.random((networks, points)) < 0.6)
        memory = rng.uniform(0.2, 0.95)
        gradients = np.empty((networks, points))
        gradients[:, 0] = rng.normal(size=networks)
        for place in range(1, points):
            stays = jumps[:, place] == 0
            gradients[:, place] = np.where(
                stays, gradients[:, place - 1], memory * gradients[:, place - 1] + jumps[:, place]
            )
        gradients = (rng.uniform(0.3, 4, (networks, 1)) * (gradients + rng.uniform(-1.5, 1.5, (networks, 1)))).round(2)
        given = {"gradients": gradients, "lag": int(rng.integers(1, 4))}
        if np.ptp(gradients, axis=1).min() > 0.5 and abs(reference(given)) > LEAST:
            return given


# --- what comes of which way to correlate -------------------------------------------------------------------


def each_network(correlation: Callable[[np.ndarray, int], float]) -> Solver:
    """Return the way that takes the mean over the networks of this correlation of one network's gradients."""
    return lambda given: float(np.mean([correlation(g, given["lag"]) for g in given["gradients"]]))


def correlated(
    centre: Callable[[np.ndarray], object] = np.mean,
    over: Callable[[int, int], float] = lambda n, lag: 1,
) -> Callable[[np.ndarray, int], float]:
    """Return the correlation about another centre, times a number made of those of points and of the lag."""

    def correlation(g: np.ndarray, lag: int) -> float:
        g = g - centre(g)
        return over(len(g), lag) * (g[lag:] @ g[: len(g) - lag]) / (g @ g)

    return correlation


def by_corrcoef(g: np.ndarray, lag: int) -> float:
    """Return the correlation of two parts of the gradients, each about its own mean."""
    with np.errstate(all="ignore"):
        return np.corrcoef(g[lag:], g[:-lag])[0, 1]


def around(g: np.ndarray, lag: int) -> float:
    """Return the correlation of gradients whose end is followed by their beginning."""
    g = g - g.mean()
    return np.roll(g, -lag) @ g / (g @ g)


def pooled(given: Inputs) -> float:
    """Return what comes of adding up over the networks before dividing."""
    g, lag = given["gradients"] - given["gradients"].mean(axis=1, keepdims=True), given["lag"]
    return float((g[:, lag:] * g[:, :-lag]).sum() / (g**2).sum())


def about_all(given: Inputs) -> float:
    """Return what comes of one mean for all networks."""
    return each_network(correlated(lambda g: given["gradients"].mean()))(given)


reference = each_network(correlated())
MISTAKES = [
    (
        each_network(correlated(lambda g: 0.0)),
        "The mean is missing. Subtract each network's mean gradient first, or else a gradient that is the same "
        "everywhere would count as a correlation.",
    ),
    (
        each_network(correlated(over=lambda n, lag: n / (n - lag))),
        "You divide a mean by a mean. Divide the sums: there are `lag` fewer products above than squares below.",
    ),
    (
        each_network(by_corrcoef),
        lambda given: each_network(lambda g, lag: by_corrcoef(g, lag))({**given, "lag": 1}),
        "You take the mean and the squares of each of the two parts by itself, as `np.corrcoef` does. Take the mean "
        "over all points, and the squares below, too.",
    ),
    (
        pooled,
        "You add up over the networks before you divide, so the one with the largest gradients decides. Divide for "
        "each network, then take the mean.",
    ),
    (
        about_all,
        lambda given: float(correlated()(given["gradients"].ravel(), given["lag"])),
        "You subtract one mean for all networks. Each network has its own.",
    ),
    (
        each_network(lambda g, lag: correlated()(g, 1)),
        each_network(lambda g, lag: correlated()(g, lag + 1)),
        each_network(lambda g, lag: correlated()(g, lag - 1)),
        "Your neighbours are at another distance. Take gradients that are `lag` points apart.",
    ),
    (
        each_network(around),
        "Your points go round in a circle: `np.roll` makes the first point the last one's neighbour. The last "
        "points have no neighbour to the right, so leave them out.",
    ),
]

GRADIENT_CORRELATION = Exercise(
    id="07.8",
    points=3,
    answer_name="gradient_correlation",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, *size) for size in SIZES)], reference, MISTAKES
    ),
    verify=same_number(rtol=1e-4, atol=1e-6),
    misconceptions=hints_of(MISTAKES, equals),
    remarks=[
        (lambda given, value, expected: abs(one_number(value)) > 1.0001, "A correlation lies between −1 and 1."),
    ],
)
