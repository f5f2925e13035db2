"""Exercise 03.6: the share of the variance along the first principal components of activations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, equals, hints_of, is_number, one_number, same_number

SIZES = ((9, 4, 2), (12, 5, 1), (7, 3, 2), (10, 6, 3), (14, 4, 3), (8, 5, 2), (6, 9, 2))  # points, units, k


def variance_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    return discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, *size) for size in SIZES)], _share, MISTAKES
    )


def worked_example() -> Inputs:
    """Return four points that, around their mean (2, 1), lie 3 away in the first direction and 1 in the second."""
    return {"H": np.array([[5.0, 1.0], [-1.0, 1.0], [2.0, 2.0], [2.0, 0.0]]), "k": 1}


def sample_case(rng: np.random.Generator, points: int, units: int, k: int) -> Inputs:
    """Return activations whose mean is not 0, of directions that vary less and less."""
    scales = np.exp(-rng.uniform(0.3, 0.6) * np.arange(units))
    turn = np.linalg.qr(rng.normal(size=(units, units)))[0]
    H = (rng.normal(size=(points, units)) * scales) @ turn + rng.uniform(-1.5, 1.5, units)
    return {"H": H.round(3), "k": k}


# --- what comes of which way to count -----------------------------------------------------------------------


def _centred(given: Inputs) -> np.ndarray:
    return given["H"] - given["H"].mean(axis=0)


def variances(H: np.ndarray) -> np.ndarray:
    """Return the squared singular values, the largest first."""
    return np.linalg.svd(H, compute_uv=False) ** 2


def sums_of_some(numbers: np.ndarray) -> list[float]:
    """Return the sum of each selection of the numbers, of none up to all of them."""
    return [sum(some) for count in range(len(numbers) + 1) for some in combinations(numbers, count)]


def of_first(given: Inputs, numbers: np.ndarray) -> float:
    """Return which share of their sum the first k numbers have."""
    return float(numbers[: given["k"]].sum() / numbers.sum())


def _share(given: Inputs) -> float:
    return of_first(given, variances(_centred(given)))


of_no_share = equals(
    lambda given: [variances(_centred(given))[: given["k"]].sum() / (len(given["H"]) - less) for less in (0, 1)]
)
MISTAKES = [
    (
        lambda given: of_first(given, variances(given["H"])),
        "The activations are not centred: take away the mean of each unit first. What you have counts how far the "
        "points are from the origin.",
    ),
    (
        lambda given: of_first(given, variances(given["H"] - given["H"].mean(axis=1, keepdims=True))),
        lambda given: of_first(given, variances(given["H"] - given["H"].mean())),
        "You take each point's mean away, over its units, or one mean of all numbers: it is each unit's mean, over the "
        "points, that is taken away. (`np.cov` takes rows for units: `np.cov(H.T)`.)",
    ),
    (
        lambda given: of_first(given, np.sqrt(variances(_centred(given)))),
        lambda given: of_first(given, variances(_centred(given)) ** 2),
        "You square once too often, or not at all: singular values of the activations are like standard "
        "deviations, and are squared once; eigenvalues of the covariance are variances already.",
    ),
    (
        lambda given: of_first(given, np.sort(_centred(given).var(axis=0))[::-1]),
        lambda given: of_first(given, _centred(given).var(axis=0)),
        lambda given: of_first(given, (_centred(given) @ np.linalg.svd(_centred(given))[2]).var(axis=0)),
        "This is the variance of k units, or of k mixtures of other weights. The weights of a component are a row "
        "of what `np.linalg.svd` returns last, and a column of what `eigh` does.",
    ),
    (
        lambda given: of_first(given, np.linalg.eigvalsh(np.corrcoef(given["H"].T))[::-1]),
        "You divide by each unit's standard deviation: take its mean away only. What varies more counts for more.",
    ),
]


def plot_variance(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the points along the first two components with the number returned, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    H = _centred(given)
    along = H @ np.linalg.svd(H, full_matrices=False)[2][:2].T
    figure, ax = plt.subplots(figsize=(5, 3.6))
    ax.plot(along[:, 0], along[:, 1], "o", color=COLOURS["blue"])
    ax.axhline(0, color=COLOURS["grey"], linewidth=0.8)
    ax.axvline(0, color=COLOURS["grey"], linewidth=0.8)
    ax.set(
        aspect="equal",
        xlabel="along the first component",
        ylabel="along the second",
        title=(f"k = {given['k']} of {given['H'].shape[1]}: your function returns {one_number(value):.3g}"),
    )
    ax.set_ylim(*(1.15 * np.array(ax.get_ylim())))
    spread = " and ".join(f"{number:.3g}" for number in along.std(axis=0))
    return figure, (
        f"The {len(H)} points, seen from their mean, along the first two principal components, with standard "
        f"deviations of {spread}. For k = {given['k']} your function returns {one_number(value):.3g}."
    )


VARIANCE = Exercise(
    id="03.6",
    points=2,
    answer_name="explained_variance",
    cases=variance_cases,
    verify=same_number(rtol=0.0, atol=FOUR_DIGITS),
    plot=plot_variance,
    misconceptions=hints_of(MISTAKES, equals, rtol=0.0, atol=FOUR_DIGITS),
    remarks=[
        (
            lambda given, value, expected: (
                value is not None
                and not (is_number(value) and one_number(value) <= 1)
                or of_no_share(given, value, expected)
            ),
            "Return one number, a share: the variance along the first k components together, divided by that "
            "along all.",
        ),
        (
            equals(lambda given: sums_of_some(variances(_centred(given)) / variances(_centred(given)).sum())),
            "You add up other components than the k of the largest variance. Sort before you take `[:k]` of them: "
            "`eigh` and `eigvalsh` return the eigenvalues in ascending order, `eig` in none.",
        ),
        (
            lambda given, value, expected: value is None,
            "If shapes do not fit: a mean over the points, `H.mean(axis=0)`, has one number for each unit. Eigenvalues "
            "are those of the square covariance, `np.cov(H.T)`.",
        ),
    ],
)
