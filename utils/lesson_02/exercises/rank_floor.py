"""Exercise 02.4: the error that a narrow layer cannot get below."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from utils.exercises import rules
from utils.exercises.definition import Exercise
from utils.exercises.discrimination import draw_until
from utils.lesson_02.exercises.images import FLIP, IMAGES
from utils.types import Array
from utils.withholding import withholdable

TELLING = 0.02  # two answers count as different when they are at least this share apart


def rank_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    """Yield the cases, the worked example first."""
    yield {"X": np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 1.0], [4.0, 1.0]]),
           "A": np.array([[1.0, 0.0], [0.0, 2.0]]), "width": 1}, None
    yield {"X": IMAGES, "A": FLIP, "width": 2}, None
    for shape in ((5, 5, 1), (5, 5, 3), (3, 6, 1), (6, 4, 2), (4, 4, 2)):
        yield telling_map(rng, *shape), None
    given = telling_map(rng, 5, 4, 2)
    yield {**given, "A": 1e-5 * given["A"]}, None  # a floor that is tiny and not 0
    yield draw_until(lambda given: not comes_sorted(given), telling_map, rng, 6, 5, 2), None
    yield {**telling_map(rng, 5, 4, 2), "X": 3 + rng.normal(size=(4, 5))}, None  # four points: rank 3 at most
    thin = rng.normal(size=(5, 2)) @ rng.normal(size=(2, 4))  # of rank 2
    yield {"X": 1 + rng.normal(size=(12, 4)), "A": thin, "width": 2}, None
    for width in (2, 3, 4):  # as many units as outputs, and more
        yield {"X": 1 + rng.normal(size=(12, 3)), "A": rng.normal(size=(2, 3)), "width": width}, None


def telling_map(rng: np.random.Generator, n_in: int, n_out: int, width: int) -> dict:
    """Return points of uneven spread around a place that is not 0, and a map, for which the usual slips show."""
    while True:
        spread, place = rng.uniform(0.3, 2.5, n_in), rng.uniform(-2, 2, n_in)
        X = place + spread * rng.normal(size=(int(rng.integers(12, 30)), n_in))
        given = {"X": X, "A": rng.normal(size=(n_out, n_in)), "width": width}
        right, others = tail(given), [slip(given) for slip in RANK_SLIPS]
        if all(abs(other - right) > TELLING * right for other in others) and right > 0:
            return given


def targets(given: dict) -> Array:
    """Return the map's outputs for all points."""
    return given["X"] @ given["A"].T


def spectrum(matrix: Array, *, centred: bool = True) -> Array:
    """Return the singular values, the largest first, of a matrix whose rows are points."""
    return np.linalg.svd(matrix - centred * matrix.mean(axis=0), compute_uv=False)


@withholdable
def tail(given: dict, *, more: int = 0, centred: bool = True, power: float = 2, of: Array | None = None) -> float:
    """Return the rank floor, with slips: another width, not centred, another power, another matrix."""
    values = spectrum(targets(given) if of is None else of, centred=centred)
    return float((values[max(given["width"] + more, 0) :] ** power).sum() / (2 * targets(given).size))


def smallest_kept(given: dict) -> float:
    """Return the floor with the largest singular values left out instead of the smallest."""
    values = spectrum(targets(given))
    return float((values[: max(len(values) - given["width"], 0)] ** 2).sum() / (2 * targets(given).size))


def comes_sorted(given: dict) -> bool:
    """Return whether ``eigvals``, which promises no order, begins with as many of the largest as there are units."""
    first, others = np.split(np.linalg.eigvals(np.cov(targets(given), rowvar=False)).real, [given["width"]])
    return bool(first.min() > others.max())


def captured(given: dict) -> float:
    """Return what the hidden layer carries, instead of what it loses."""
    return float((spectrum(targets(given))[: given["width"]] ** 2).sum() / (2 * targets(given).size))


def of_the_map(given: dict) -> float:
    """Return the sum of the squares of the map's own singular values that are left out."""
    return float((np.linalg.svd(given["A"], compute_uv=False)[given["width"] :] ** 2).sum())


def wrongly_centred(given: dict) -> float:
    """Return the floor with the mean over the outputs, point by point, taken away."""
    Y = targets(given)
    return tail(given, centred=False, of=Y - Y.mean(axis=1, keepdims=True))


def with_one_mean(given: dict) -> float:
    """Return the floor with the mean of all entries taken away, the same from every output."""
    Y = targets(given)
    return tail(given, centred=False, of=Y - Y.mean())


def outputs_given_up(given: dict, *, largest_first: bool) -> float:
    """Return what a layer loses that carries whole outputs, the first ones or those that vary most."""
    variances = targets(given).var(axis=0)
    kept = np.sort(variances)[::-1] if largest_first else variances
    return float(kept[given["width"] :].sum() / (2 * len(variances)))


def of_the_flip(given: dict, variance: float, outputs: int) -> float:
    """Return the lesson's formula, which is for uncorrelated outputs of the same variance."""
    return variance * max(outputs - given["width"], 0) / (2 * outputs)


def flips_formulas(given: dict) -> list[float]:
    """Return what students put into the lesson's formula: the mean variance, all entries' variance, the flip's 1/4."""
    Y, n_out = targets(given), len(given["A"])
    variances = Y.var(axis=0).mean(), Y.var(axis=0, ddof=1).mean(), Y.var(), 0.25
    return [of_the_flip(given, variance, n_out) for variance in variances] + [of_the_flip(given, 0.25, 4)]


def by_inputs(given: dict, floor: float) -> list[float]:
    """Return the floor with a mean over the inputs instead of the outputs, with the points and the half or without."""
    n_out, n_in = given["A"].shape
    mean = floor * n_out / n_in
    return [mean, 2 * mean, len(given["X"]) * mean, 2 * len(given["X"]) * mean]


RANK_SLIPS = (
    lambda given: tail(given, more=1), lambda given: tail(given, more=-1), lambda given: tail(given, centred=False),
    lambda given: tail(given, power=1), lambda given: tail(given, power=4), smallest_kept, captured, wrongly_centred,
    lambda given: tail(given, of=given["X"]), of_the_map, lambda given: of_the_map(given) / (2 * len(given["A"])),
    with_one_mean, *(partial(outputs_given_up, largest_first=whether) for whether in (False, True)),
    lambda given: flips_formulas(given)[0], lambda given: flips_formulas(given)[2],
)


def nothing(given: dict) -> float:
    """Return what counts as 0, in the units of the floor."""
    return 1e-9 * float(np.mean(targets(given) ** 2))


TOLERANCE = {"rtol": rules.FOUR_DIGITS, "atol": nothing}  # a floor of 0 need not be exactly 0
equals, follows = (partial(rule, **TOLERANCE) for rule in (rules.equals, rules.follows))


def rank_explain(given: dict, value: object, expected: float) -> str:
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
    verify=rules.same_number(**TOLERANCE),
    explain=rank_explain,
    without=("utils.lesson_02.exercises.rank_floor.tail",),
    misconceptions=[
        (follows(lambda given, floor: 2 * given["X"].shape[0] * len(given["A"]) * floor),
         "This is the sum of the squared errors: take the mean over points and outputs, and half of it."),
        (follows(lambda given, floor: 2 * floor),
         "This is the mean squared error: half of it is asked for."),
        (follows(lambda given, floor: len(given["A"]) * floor),
         "The mean is over points and outputs: divide by the number of outputs as well."),
        (follows(lambda given, floor: 2 * len(given["A"]) * floor),
         "The mean is over points and outputs: divide by the number of outputs as well, and take half."),
        (follows(lambda given, floor: len(given["X"]) * floor),
         "The mean is over points and outputs: divide by the number of points as well."),
        (follows(lambda given, floor: given["X"].shape[0] * len(given["A"]) * floor),
         "This is half of the sum: divide by the number of points times the number of outputs."),
        (follows(lambda given, floor: np.sqrt(floor)),
         "This is a root: an error squared is asked for."),
        (equals(lambda given: tail(given, centred=False)),
         "Not centred: the output layer has a bias, which takes the targets' mean upon itself. Take each output's mean "
         "over the points away before you look at the rank."),
        (equals(wrongly_centred),
         "Centred over the wrong axis: each output has a bias, so take away each output's mean over the points."),
        (equals(lambda given: tail(given, power=1)),
         "The squares are missing: the squared error is the sum of the squares of the singular values left out."),
        (equals(lambda given: tail(given, power=4)),
         "Squared twice: the eigenvalues of YᵀY are the squares of the singular values of Y already."),
        (equals(captured),
         "This is what the hidden layer carries: what it must lose is asked for."),
        (equals(smallest_kept),
         "The wrong ones are left out: the best rank r approximation keeps the r largest singular values. Look at the "
         "order in which yours come."),
        (equals(lambda given: (spectrum(targets(given))[given["width"] :][:1] ** 2).sum() / (2 * targets(given).size)),
         "All singular values after the first r are lost, not only the next one."),
        (equals(lambda given: tail(given, more=1)),
         "One too many kept: r hidden units carry r directions. (The output bias is no further direction: it has taken "
         "the mean.)"),
        (equals(lambda given: tail(given, more=-1)),
         "One too few kept: r hidden units carry r directions, and the mean is carried by the output bias."),
        (follows(lambda given, floor: floor * len(given["X"]) / (len(given["X"]) - 1)),
         "The mean over the points divides by their number n. `np.cov` divides by n − 1, unless it is told "
         "`bias=True`, and so does `var` with `ddof=1`."),
        (equals(with_one_mean),
         "One number, the mean of all entries, is taken from every output. Each output has a bias of its own: take "
         "away each column's mean, `mean(axis=0)`."),
        (follows(by_inputs),
         "The mean is over all entries of the targets: divide by the number of points times the number of outputs, "
         "not of inputs."),
        (equals(flips_formulas),
         "The flip's formula v (m − r)/(2m) does not apply: it is for outputs that vary alike and are uncorrelated. "
         "These need be neither: how much each direction of the targets varies, their singular values say."),
        (equals(*(partial(outputs_given_up, largest_first=whether) for whether in (False, True))),
         "You keep some outputs and give up others. A layer need not give up whole outputs: where they are "
         "correlated, there are directions between them that carry more than any output alone."),
        (equals(lambda given: [
            of_the_map(given) * scale
            for scale in (1.0, 0.5, 0.5 / len(given["A"]), 0.5 / given["A"].size, 1 / len(given["A"]))]),
         "These are singular values of A alone: how much a direction counts depends on how far the points spread along "
         "it, too. Look at the matrix of all targets."),
        (equals(lambda given: [
            tail(given, of=given["X"]) * scale for scale in (1.0, len(given["A"]) / len(given["A"].T))]),
         "These are singular values of the inputs: what has to be approximated are the targets, A x."),
        (equals(lambda given: tail(given, of=given["X"] @ given["A"])),
         "The targets are A x for each row x of X: with points in rows that is X times A transposed."),
    ],
    remarks=[
        (lambda given, value, expected: np.asarray(value).size > 1,
         "Return one number: half of the mean squared error."),
        (lambda given, value, expected: abs(float(value)) <= nothing(given) < expected,
         "Something is lost here, if little: targets that are small have a small floor, which is not 0."),
    ],
)
