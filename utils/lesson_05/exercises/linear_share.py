"""Exercise 05.8: how much of a teacher a linear function explains, on inputs that it was not fitted on."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.networks import forward
from utils.exercises.rules import equals, hints_of, is_no, is_number, one_number, same_number

SIZES = (  # inputs of the teacher, inputs to fit on, held out, σ, and the power to which its outputs are raised
    (3, 15, 8, 1.2, 1),
    (4, 12, 9, 1.6, 1),
    (2, 11, 7, 0.9, 1),
    (5, 17, 11, 2.0, 1),
    (3, 9, 12, 1.4, 1),
    (4, 14, 6, 2.4, 1),
    (6, 19, 10, 0.7, 1),
    (3, 13, 9, 1.5, 2),
)
SHARES = {1: (0.05, 0.98), 2: (-2.0, -0.05)}  # by that power: a linear function fits the square worse than a constant
WIDTH, DEPTH = 5, 3
ROUNDING = 1e-5
Part = tuple[np.ndarray, np.ndarray]


def worked_example() -> Inputs:
    """Return one input, and the slope 2."""
    return {
        "X": np.array([[-1.0], [1.0], [2.0]]),
        "y": np.array([-3.0, 1.0, 4.0]),
        "held_X": np.array([[0.0], [1.0], [-2.0]]),
        "held_y": np.array([1.0, 2.0, -3.0]),
    }


def sample_case(rng: np.random.Generator, n_in: int, n_fit: int, n_held: int, sigma: float, power: int) -> Inputs:
    """Return the data of a random tanh teacher, of which a linear function explains something, or of its square."""
    while True:
        weights = [rng.normal(0, sigma / np.sqrt(a), (b, a)) for a, b in pairwise((n_in, *[WIDTH] * DEPTH, 1))]
        given = {}
        for name, n in (("", n_fit), ("held_", n_held)):
            X = rng.normal(size=(n, n_in)).round(3)
            y = forward(weights, X, activation=np.tanh)[1][-1][:, 0]
            given |= {f"{name}X": X, f"{name}y": (y**power).round(5)}
        singular = np.linalg.svd(given["X"], compute_uv=False)
        if singular[-1] > 0.2 * singular[0] and SHARES[power][0] < reference(given) < SHARES[power][1]:
            return given


# --- what comes of which way to share -----------------------------------------------------------------------


def fitted(fit: Part, intercept: bool = False) -> Callable[[np.ndarray], np.ndarray]:
    """Return the best linear function of a part, or the best affine one."""
    X, y = fit

    def columns(inputs: np.ndarray) -> np.ndarray:
        return np.column_stack([inputs, np.ones(len(inputs))]) if intercept else inputs

    weights = np.linalg.lstsq(columns(X), y, rcond=None)[0]
    return lambda inputs: columns(inputs) @ weights


def _parts(given: Inputs) -> tuple[Part, Part]:
    return (given["X"], given["y"]), (given["held_X"], given["held_y"])


def share(fit: Part, scored: Part, *, intercept: bool = False, scale: Callable = np.var) -> float:
    """Return one minus the relative error on one part of a function that is fitted on another."""
    X, y = scored
    return 1 - float(np.mean((fitted(fit, intercept)(X) - y) ** 2)) / float(scale(y))


def reference(given: Inputs) -> float:
    """Return the share that a linear function of the first part explains of the second."""
    return share(*_parts(given))


def comparing(how: Callable[[np.ndarray, np.ndarray], float]) -> Callable[[Inputs], float]:
    """Return the way that compares like this what a linear function says of held-out inputs with their outputs."""
    return lambda given: float(how(fitted(_parts(given)[0])(given["held_X"]), given["held_y"]))


MISTAKES = [
    (
        lambda given: share(_parts(given)[0], _parts(given)[0]),
        lambda given: share(_parts(given)[1], _parts(given)[1]),
        lambda given: share(*_parts(given)[::-1]),
        "Your two parts are mixed up. Fit on `X` and `y` alone, and score on the held-out part alone.",
    ),
    (
        lambda given: share(*_parts(given), intercept=True),
        "Your function has an intercept. The teacher is odd, f(−x) = −f(x), so an intercept can only fit the "
        "accidents of its few inputs.",
    ),
    (
        lambda given: share(*_parts(given), scale=lambda y: np.mean(y**2)),
        "You divide by the mean square of the held-out outputs. The variance is taken about their mean, which is not"
        " 0 on a few inputs.",
    ),
    (
        lambda given: share(*_parts(given), scale=lambda y: y.var(ddof=1)),
        lambda given: share(*_parts(given), scale=lambda y: given["y"].var()),
        *(
            lambda given, scale=scale: share(*_parts(given), scale=scale)
            for scale in (np.std, lambda y: 1.0, lambda y: y.var() / len(y), lambda y: y.var() * len(y))
        ),
        lambda given: share(*_parts(given), scale=lambda y: np.mean((y - given["y"].mean()) ** 2)),
        "You divide by nothing, or by something like the variance. Divide by that of the held-out outputs: the mean "
        "of the squared distances from their own mean, over all of them, without a square root.",
    ),
    (
        lambda given: 1 - reference(given),
        "This is the relative error, what the linear function leaves. The answer is 1 minus that.",
    ),
    (
        *(comparing(lambda said, y, power=power: np.corrcoef(said, y)[0, 1] ** power) for power in (1, 2)),
        comparing(lambda said, y: said.var() / y.var()),
        comparing(lambda said, y: 1 - np.var(said - y) / y.var()),
        "This is a correlation, its square, or made of variances alone. All of these forgive a wrong mean, and some "
        "a wrong slope. A mean squared error does not.",
    ),
]


def explain_linear(given: Inputs, value: object, expected: float) -> str:
    """Say what the relative error is that the value stands for, and what the right one is."""
    error, variance = 1 - expected, given["held_y"].var()
    return (
        f"Your share stands for a relative error of {1 - one_number(value):.4g}. It is {error * variance:.4g}, the "
        f"mean squared error on the held-out inputs, over {variance:.4g}, the variance there: {error:.4g}."
    )


def plot_linear(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the linear function's values against the teacher's, with what was returned, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    fit, (X, y) = _parts(given)
    said, number = fitted(fit)(X), one_number(value)
    figure, ax = plt.subplots(figsize=(4.6, 4))
    ax.axline((0, 0), slope=1, color=COLOURS["grey"], linestyle=":")
    ax.plot(y, said, "o", color=COLOURS["blue"])
    ax.set(xlabel="the teacher's output, held out", ylabel="what the linear function says")
    figure.suptitle(f"On the dotted line the two agree.\nYour function returns {number:.3g}")
    return figure, (
        f"What a linear function says of {len(y)} held-out inputs, against the teacher's output, with a dotted line "
        f"where the two agree. Your function returns {number:.3g}."
    )


LINEAR = Exercise(
    id="05.8",
    points=3,
    answer_name="linear_share",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, *size) for size in SIZES)], reference, MISTAKES
    ),
    verify=same_number(rtol=0.0, atol=ROUNDING),
    without=["utils.lesson_05.networks.linear_student", "utils.lesson_05.networks.relative_error"],
    explain=explain_linear,
    plot=plot_linear,
    misconceptions=hints_of(MISTAKES, equals, rtol=0.0, atol=ROUNDING),
    remarks=[
        (is_no(is_number), "Return one number."),
        (
            lambda given, value, expected: expected < 0 <= one_number(value),
            "Here the linear function does worse than the mean of the held-out outputs, so the share is negative.",
        ),
    ],
)
