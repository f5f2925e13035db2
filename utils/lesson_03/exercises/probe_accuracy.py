"""Exercise 03.2: a linear probe, fitted on some activations and scored on others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases, draw_until
from utils.exercises.rules import Solver, equals, hints_of, one_number, same_number

SIZES = ((12, 23, 4), (15, 31, 3), (20, 37, 6), (14, 41, 5), (26, 29, 2), (18, 43, 4), (24, 19, 8))  # fit, score, units
BLIND = ((16, 27, 5), (13, 33, 3), (22, 21, 6))  # where a probe is right about less than half
CLEAR = 5e-3  # no output of the probe is nearer to 0
ROUNDING = 1e-4


def probe_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""

    def draw() -> list[Inputs]:
        seeing = [draw_until(is_clear, sample_case, rng, *size) for size in SIZES]
        blind = [
            draw_until(lambda given: is_clear(given) and _accuracy(given) < 0.5, sample_case, rng, *size, 0.0)
            for size in BLIND
        ]
        return [worked_example(), *seeing, *blind]

    return discriminating_cases(draw, _accuracy, MISTAKES)


def worked_example() -> Inputs:
    """Return one unit: the probe's output is 0.6 (h − 2)."""
    return {
        "fit_H": np.array([[0.0], [1.0], [3.0], [4.0]]),
        "fit_y": np.array([0, 0, 1, 1]),
        "score_H": np.array([[1.0], [3.0], [2.5], [1.5]]),
        "score_y": np.array([0, 1, 0, 0]),
    }


def sample_case(rng: np.random.Generator, n_fit: int, n_score: int, units: int, distance: float = 1.8) -> Inputs:
    """Return activations of two classes at this distance, away from 0, of which one is seen more often."""
    share = rng.choice([0.3, 0.35, 0.65, 0.7])
    middle, apart = rng.uniform(0.4, 1.6, units), rng.normal(size=units)
    given = {}
    for part, n in (("fit", n_fit), ("score", n_score)):
        y = (rng.random(n) < share).astype(int)
        H = middle + (y[:, None] - 0.5) * distance * apart / np.linalg.norm(apart) + rng.normal(0, 0.7, (n, units))
        given |= {f"{part}_H": H.round(3), f"{part}_y": y}
    return given


def is_clear(given: Inputs) -> bool:
    """Return whether each class is there four times, the fit is well determined, and no output is near 0."""
    counts = [np.bincount(given[name], minlength=2).min() for name in ("fit_y", "score_y")]
    singular = np.linalg.svd(_with_ones(given["fit_H"]), compute_uv=False)
    if min(counts) < 4 or singular[-1] < 0.05 * singular[0]:
        return False
    fit, (H, _) = _parts(given)
    return bool(np.abs(outputs(fit, H)).min() > CLEAR)


# --- what comes of which way to score -----------------------------------------------------------------------


def _with_ones(H: np.ndarray) -> np.ndarray:
    return np.column_stack([H, np.ones(len(H))])


def _parts(given: Inputs) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    return (given["fit_H"], given["fit_y"]), (given["score_H"], given["score_y"])


def outputs(fit: tuple, H: np.ndarray, *, bias: bool = True, low: float = -1.0) -> np.ndarray:
    """Return what a probe says of H that is fitted on ``fit``, for the labels ``low`` and 1."""
    fit_H, fit_y = fit
    if bias:
        fit_H, H = _with_ones(fit_H), _with_ones(H)
    return H @ np.linalg.lstsq(fit_H, np.where(fit_y == 1, 1.0, low), rcond=None)[0]


def share_right(fit: tuple, score: tuple, threshold: float = 0.0, **slips: float) -> float:
    """Return which share of ``score`` a probe gets right that is fitted on ``fit``."""
    H, y = score
    return float(((outputs(fit, H, **slips) > threshold) == y).mean())


def _accuracy(given: Inputs) -> float:
    return share_right(*_parts(given))


def signs_against_labels(given: Inputs) -> float:
    """Return what comes of comparing the outputs' signs with the labels 0 and 1: no 0 is ever right."""
    fit, (H, y) = _parts(given)
    return float((np.sign(outputs(fit, H)) == y).mean())


def logistic(C: float) -> Solver:
    """Return the way to score a logistic regression, with scikit-learn's C."""

    def way(given: Inputs) -> float:
        (fit_H, fit_y), (H, y) = _parts(given)
        X = _with_ones(fit_H)
        weights, ridge = np.zeros(X.shape[1]), np.diag([1 / C] * (X.shape[1] - 1) + [0.0])
        for _ in range(15):  # Newton's steps
            said = 1 / (1 + np.exp(-X @ weights))
            hessian = (X.T * said * (1 - said)) @ X + ridge
            weights = weights - np.linalg.solve(hessian, X.T @ (said - fit_y) + ridge @ weights)
        return float(((_with_ones(H) @ weights > 0) == y).mean())

    return way


MISTAKES = [
    (
        *(lambda given, part=part: share_right(_parts(given)[part], _parts(given)[part]) for part in (0, 1)),
        "You fit and score on the same set: the probe has seen the answers, and with enough units it fits any "
        "labels. Fit it on the first set, score it on the second.",
    ),
    (
        lambda given: share_right(*_parts(given), bias=False),
        lambda given: share_right(*_parts(given), bias=False, low=0.0, threshold=0.5),
        lambda given: share_right(*_parts(given), threshold=outputs(_parts(given)[0], 0 * given["score_H"][:1])[0]),
        "The bias is missing, in the fit or in the scoring: append a column of ones to the activations, of both sets. "
        "Without it the boundary has to go through the origin.",
    ),
    (
        lambda given: share_right(*_parts(given), low=0.0),
        lambda given: share_right(*_parts(given), threshold=0.5),
        "Labels and threshold do not fit together: the middle of 0 and 1 is 1/2, that of −1 and 1 is 0.",
    ),
    (
        logistic(100.0),
        logistic(1.0),
        "Your probe is a logistic regression. Here the sum of squared errors is to be smallest, and the two do not cut "
        "everywhere alike.",
    ),
    (
        signs_against_labels,
        "`np.sign` says −1 for class 0, and `score_y` says 0, so no point of class 0 counts as right. Compare whether "
        "the output is positive.",
    ),
    (
        lambda given: 1 - _accuracy(given),
        lambda given: max(_accuracy(given), 1 - _accuracy(given)),
        "This is the share that the probe gets wrong, or the two classes have changed places. Do not exchange "
        "them, even where the probe is right about less than half.",
    ),
    (
        lambda given: _accuracy(given) * len(given["score_y"]),
        lambda given: _accuracy(given) * len(given["score_y"]) / len(given["fit_y"]),
        "You count the points that it gets right, or divide by the number of points in the first set: a share of the "
        "second set is asked for.",
    ),
]


def explain_probe(given: Inputs, value: object, expected: float) -> str:
    """Say how many points are scored, and how many of them the number says are right."""
    number, count = one_number(value), len(given["score_y"])
    if not 0 <= number <= 1:
        return f"There are {count} points to score, and a share of them lies between 0 and 1."
    return f"There are {count} points to score; your {number:.4g} says that {number * count:.4g} of them are right."


def plot_probe(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the probe's outputs for both sets, class by class, with the number returned, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    figure, axes = plt.subplots(2, 1, figsize=(8, 3.4), sharex=True)
    counts = []
    fit, score = _parts(given)
    for ax, (H, y), name in zip(axes, (fit, score), ("fitted on these", "scored on these"), strict=True):
        said = outputs(fit, H)
        for label, marker, colour in ((0, "o", "blue"), (1, "^", "red")):
            ax.plot(said[y == label], np.full((y == label).sum(), label), marker, color=COLOURS[colour], alpha=0.6)
        ax.axvline(0, color=COLOURS["black"], linestyle=":")
        ax.set(title=name, yticks=(0, 1), yticklabels=("class 0", "class 1"), ylim=(-0.5, 1.5))
        counts.append(f"{len(y)} activations that are {name.split()[0]} on")
    axes[1].set_xlabel("output of a least-squares probe: left of the line it says 0, right of it 1")
    figure.suptitle(f"Your function returns {one_number(value):.3g}")
    return figure, (
        f"The outputs of a least-squares probe, a row for each class, with a dotted line at 0: above the {counts[0]}, "
        f"below the {counts[1]}. Your function returns {one_number(value):.3g}."
    )


PROBE = Exercise(
    id="03.2",
    points=3,
    answer_name="probe_accuracy",
    cases=probe_cases,
    verify=same_number(rtol=0.0, atol=ROUNDING),
    explain=explain_probe,
    plot=plot_probe,
    without=["utils.lesson_03.probe_runs.probe"],
    misconceptions=hints_of(MISTAKES, equals, rtol=0.0, atol=ROUNDING),
    remarks=[
        (
            lambda given, value, expected: value is None,
            "If shapes do not fit: where the first set has a column of ones, the second needs one, too. (What "
            "`np.linalg.lstsq` returns is a tuple, the weights first; `np.linalg.solve` wants a square matrix.)",
        ),
    ],
)
