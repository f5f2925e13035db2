"""Exercise 02.4: the error that a narrow layer cannot get below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import draw_until
from utils.exercises.rules import FOUR_DIGITS, Solver, equals, hints_of, same_number
from utils.types import Array
from utils.withholding import withholdable

FLIP = np.eye(4)[[0, 2, 1, 3]]  # the matrix of the diagonal flip
IMAGES = np.stack(np.meshgrid(*[[0.0, 1.0]] * 4, indexing="ij"), axis=-1).reshape(16, 4)  # black and white
TELLING = 0.02  # two answers count as different when they are at least this share apart


def rank_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    yield (
        {
            "X": np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 1.0], [4.0, 1.0]]),
            "A": np.array([[1.0, 0.0], [0.0, 2.0]]),
            "width": 1,
        },
        None,
    )
    yield {"X": IMAGES, "A": FLIP, "width": 2}, None
    telling_map = partial(draw_until, is_telling, linear_map, rng)
    for shape in ((5, 5, 1), (5, 5, 3), (3, 6, 1), (6, 4, 2), (4, 4, 2)):
        yield telling_map(*shape), None
    given = telling_map(5, 4, 2)
    yield {**given, "A": 1e-5 * given["A"]}, None  # a floor that is tiny and not 0
    yield draw_until(lambda given: is_telling(given) and not comes_sorted(given), linear_map, rng, 6, 5, 2), None
    yield {**telling_map(5, 4, 2), "X": 3 + rng.normal(size=(4, 5))}, None  # four points: rank 3 at most
    thin = rng.normal(size=(5, 2)) @ rng.normal(size=(2, 4))  # of rank 2
    yield {"X": 1 + rng.normal(size=(12, 4)), "A": thin, "width": 2}, None
    for width in (2, 3, 4):  # as many units as outputs, and more
        yield {"X": 1 + rng.normal(size=(12, 3)), "A": rng.normal(size=(2, 3)), "width": width}, None


def linear_map(rng: np.random.Generator, n_in: int, n_out: int, width: int) -> Inputs:
    """Return points of uneven spread around a place that is not 0, and a map."""
    spread, place = rng.uniform(0.3, 2.5, n_in), rng.uniform(-2, 2, n_in)
    X = place + spread * rng.normal(size=(int(rng.integers(12, 30)), n_in))
    return {"X": X, "A": rng.normal(size=(n_out, n_in)), "width": width}


def is_telling(given: Inputs) -> bool:
    """Return whether something is lost, and the usual slips show."""
    right, slips = tail(given), [way for *ways, _ in MISTAKES for way in ways] + GUESSES
    return right > 0 and all(abs(slip(given) - right) > TELLING * right for slip in slips)


def comes_sorted(given: Inputs) -> bool:
    """Return whether ``eigvals``, which promises no order, begins with as many of the largest as there are units."""
    first, others = np.split(np.linalg.eigvals(np.cov(targets(given), rowvar=False)).real, [given["width"]])
    return bool(first.min() > others.max())


# --- what comes of which way to compute it ------------------------------------------------------------------


def targets(given: Inputs) -> Array:
    """Return the map's outputs for all points."""
    return given["X"] @ given["A"].T


def centred(matrix: Array) -> Array:
    """Return a matrix less the mean of each column."""
    return matrix - matrix.mean(axis=0)


def lost(matrix: Array, width: int, power: int = 2) -> float:
    """Return half of the mean square of what a matrix lacks when it is cut to this rank; power: in the place of 2."""
    values = np.linalg.svd(matrix, compute_uv=False)  # the largest first
    return float((values[max(width, 0) :] ** power).sum() / (2 * matrix.size))


@withholdable
def tail(given: Inputs) -> float:
    """Return the rank floor."""
    return lost(centred(targets(given)), given["width"])


def of_targets(change: Callable[[Array], Array], *, more: int = 0, power: int = 2) -> Solver:
    """Return the way that looks at the targets after a change, with so many units more, and with another power."""
    return lambda given: lost(change(targets(given)), given["width"] + more, power)


def times(factor: Callable[[int, int], float]) -> Solver:
    """Return the way that is off by ``factor(points, outputs)``."""
    return lambda given: lost(centred(targets(given)), given["width"]) * factor(len(given["X"]), len(given["A"]))


def flips(variance: Callable[[Array], float]) -> Solver:
    """Return the way that takes the lesson's formula, which is for uncorrelated outputs of the same variance."""

    def way(given: Inputs) -> float:
        outputs = len(given["A"])
        return variance(targets(given)) * max(outputs - given["width"], 0) / (2 * outputs)

    return way


def outputs_given_up(order: Callable[[Array], Array]) -> Solver:
    """Return what a layer loses that carries whole outputs, the first ones of their variances in this order."""
    return lambda given: order(targets(given).var(axis=0))[given["width"] :].sum() / (2 * len(given["A"]))


def of_points(given: Inputs) -> float:
    """Return what a layer loses that carries the directions in which the points, not the targets, vary most."""
    directions = np.linalg.svd(centred(given["X"]))[2][given["width"] :]
    return float(np.square(centred(given["X"]) @ directions.T @ directions @ given["A"].T).mean() / 2)


def without(left_out: Callable[[Array, int], Array]) -> Solver:
    """Return the way that adds up these squared singular values: of the centred targets, and the width."""

    def way(given: Inputs) -> float:
        values = np.linalg.svd(centred(targets(given)), compute_uv=False)
        return float((left_out(values, given["width"]) ** 2).sum() / (2 * targets(given).size))

    return way


MISTAKES = [
    (
        *map(
            times,
            (
                lambda n, m: 2 * n * m,
                lambda n, m: n * m,
                lambda n, m: 2,
                lambda n, m: m,
                lambda n, m: 2 * m,
                lambda n, m: n,
                lambda n, m: n / (n - 1),
            ),
        ),
        "Your result is off by a factor. The error is half of the mean of the squares over all points and all "
        "outputs, so divide their sum by the number of points, by the number of outputs, and by 2. (`np.cov`, unless "
        "it is told `bias=True`, and `var` with `ddof=1` divide by n − 1.)",
    ),
    (
        of_targets(lambda Y: Y),
        of_targets(lambda Y: Y - Y.mean(axis=1, keepdims=True)),
        of_targets(lambda Y: Y - Y.mean()),
        lambda given: lost((given["X"] - given["X"].mean()) @ given["A"].T, given["width"]),
        "You do not centre, or not by columns. Each output has a bias of its own, which takes care of that output's "
        "mean: take away the targets' `mean(axis=0)` before you look at the rank.",
    ),
    (
        of_targets(centred, power=1),
        lambda given: 2 * targets(given).size * of_targets(centred, power=1)(given) ** 2,
        "You do not square. The squared error is the sum of the squares of the singular values that are left out.",
    ),
    (
        of_targets(centred, more=1),
        of_targets(centred, more=-1),
        "You keep one direction too many or too few: r hidden units carry r directions. (The output bias is not one "
        "more: it has taken care of the mean.)",
    ),
    (
        lambda given: lost(given["A"], given["width"]),
        lambda given: lost(given["A"], given["width"]) * given["A"].size,
        lambda given: lost(given["A"], given["width"]) * given["A"].shape[1],
        lambda given: lost(given["X"], given["width"]),
        lambda given: lost(centred(given["X"]), given["width"]),
        of_points,
        "You look at A alone, or at the points alone. But how much a direction counts depends on how far the points "
        "spread along it, and on what A makes of it: look at the matrix of all targets.",
    ),
    (
        flips(lambda Y: Y.var(axis=0).mean()),
        flips(np.var),
        flips(lambda Y: 0.25),
        lambda given: max(4 - given["width"], 0) / 32,
        "The flip's formula v (m − r)/(2m) does not apply here: it is for outputs that vary alike and are "
        "uncorrelated. These need be neither, but the targets' singular values say how much each direction varies.",
    ),
    (
        without(lambda s, r: s[:r]),
        without(lambda s, r: s[::-1][r:]),
        without(lambda s, r: s[r : r + 1]),
        "You add up other directions than those that are lost. The layer keeps the `width` largest singular values, "
        "and all the others are the error. (`eigvalsh` sorts the smallest first.)",
    ),
    (
        outputs_given_up(lambda variances: variances),
        outputs_given_up(lambda variances: np.sort(variances)[::-1]),
        "You give up whole outputs. But the hidden units can carry mixtures of outputs, which loses less: look at the "
        "directions in which the targets vary together.",
    ),
]
GUESSES: list[Solver] = [of_targets(centred, power=4)]  # that no hint is made for


def nothing(given: Inputs) -> float:
    """Return what counts as 0, in the units of the floor."""
    return 1e-9 * float(np.mean(targets(given) ** 2))


TOLERANCE = {"rtol": FOUR_DIGITS, "atol": nothing}  # a floor of 0 need not be exactly 0


def rank_explain(given: Inputs, value: object, expected: float) -> str:
    """Say what a result can be compared with: the best constant."""
    Y = targets(given)
    return (
        f"There are {len(Y)} points with {Y.shape[1]} outputs each. The best constant output, which needs no hidden "
        f"unit,\nalready has the half mean squared error {Y.var(axis=0).mean() / 2:.4g}."
    )


RANK = Exercise(
    id="02.4",
    points=3,
    answer_name="rank_floor",
    cases=rank_cases,
    verify=same_number(**TOLERANCE),
    explain=rank_explain,
    without=("utils.lesson_02.exercises.rank_floor.tail",),
    misconceptions=hints_of(MISTAKES, equals, **TOLERANCE),
)
