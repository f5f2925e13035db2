"""Exercise 05.4: a teacher is built, scaled and asked, and a student learns from it by gradient descent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.networks import SLOPES, Function, Weights, backward, forward, identity, relu
from utils.exercises.rules import hints_of, returned_by, same_to_four_digits

SHAPES = (  # the teacher's sizes, the student's, inputs, σ, steps
    ((2, 5, 1), (2, 3, 1), 9, 1.5, 2),
    ((3, 6, 4, 1), (3, 5, 1), 12, 2.0, 3),
    ((5, 4, 4, 4, 1), (5, 4, 4, 4, 1), 14, 1.3, 2),
    ((4, 7, 1), (4, 3, 5, 1), 11, 0.8, 4),
    ((3, 3, 3, 1), (3, 3, 3, 1), 10, 2.5, 1),
    ((6, 2, 8, 1), (6, 7, 1), 13, 1.8, 3),
)
RATES = (0.02, 0.05)
MOVES = 0.05  # the share by which training changes the error at least


def worked_example() -> Inputs:
    """Return a teacher of four hidden units, a student of one, two inputs and one step."""
    return {
        "draws": [np.array([[0.5], [0.5], [1.0], [-1.0]]), np.array([[1.0, 1.0, 2.0, 1.0]])],
        "sigma": 2.0,
        "X": np.array([[0.0], [1.0]]),
        "start": [np.array([[1.0]]), np.array([[1.0]])],
        "rate": 0.5,
        "steps": 1,
    }


def sample_case(
    rng: np.random.Generator, teacher: Sequence[int], student: Sequence[int], n: int, sigma: float, steps: int
) -> Inputs:
    """Return a teacher, and a student that moves, from random numbers that have three digits."""
    while True:
        given = {
            "draws": _matrices(rng, teacher),
            "sigma": sigma,
            "X": rng.normal(size=(n, teacher[0])).round(3),
            "start": [(W / np.sqrt(W.shape[1])).round(3) for W in _matrices(rng, student)],
            "rate": round(rng.uniform(*RATES), 3),
            "steps": steps,
        }
        errors = taught(given)[1]
        if abs(errors[-1] - errors[0]) > MOVES * errors[0]:
            return given


def _matrices(rng: np.random.Generator, sizes: Sequence[int]) -> list[np.ndarray]:
    return [rng.normal(size=(n_out, n_in)).round(3) for n_in, n_out in pairwise(sizes)]


# --- what comes of which way to teach -----------------------------------------------------------------------


@dataclass(frozen=True)
class Ways:
    """How the parts are done, the right way where nothing is said."""

    factor: Callable[[float, int, int], float] = lambda sigma, n_out, n_in: sigma / np.sqrt(n_in)  # of a layer's draws
    between: Function = np.tanh  # the teacher's layers
    behind: Function = identity  # its last layer
    targets: Function = identity  # of its answers, a column
    within: Function = np.tanh  # the student's layers
    at_end: Function = identity  # of the student
    one_by_one: bool = False  # whether the matrices move one after another
    divisor: Callable[[np.ndarray], float] = np.var
    adds_up: bool = False  # whether gradients do, from step to step

    def __call__(self, given: Inputs) -> list[np.ndarray]:
        X, weights, losses = given["X"], given["start"], []
        teacher = [self.factor(given["sigma"], *draw.shape) * draw for draw in given["draws"]]
        y = self.behind(forward(teacher, X, activation=self.between)[1][-1])
        total = [0 * weight for weight in weights]
        for _ in range(given["steps"] + 1):
            loss, found = self.descend(weights, X, y)
            losses.append(loss)
            weights = list(weights)
            for place, gradient in enumerate(found):
                gradient = self.descend(weights, X, y)[1][place] if self.one_by_one else gradient
                total[place] = self.adds_up * total[place] + gradient
                weights[place] = weights[place] - given["rate"] * total[place]
        return [y[:, 0], np.array(losses) / self.divisor(y)]

    def descend(self, weights: Weights, X: np.ndarray, y: np.ndarray) -> tuple[float, list[np.ndarray]]:
        """Return the student's loss and its gradients."""
        inputs, before = forward(weights, X, activation=self.within)
        missed = self.at_end(before[-1]) - self.targets(y)
        errors = 2 / len(y) * missed.mean(axis=1, keepdims=True) * SLOPES[self.at_end](before[-1])
        return np.mean(missed**2), backward(weights, inputs, before, errors, SLOPES[self.within])[0]


taught = Ways()
MISTAKES = [
    (
        Ways(lambda sigma, n_out, n_in: 1.0),
        Ways(lambda sigma, n_out, n_in: 1 / np.sqrt(n_in)),
        Ways(lambda sigma, n_out, n_in: sigma),
        Ways(lambda sigma, n_out, n_in: sigma / n_in),
        Ways(lambda sigma, n_out, n_in: np.sqrt(sigma / n_in)),
        Ways(lambda sigma, n_out, n_in: sigma**2 / n_in),
        Ways(lambda sigma, n_out, n_in: sigma**2 / np.sqrt(n_in)),
        Ways(lambda sigma, n_out, n_in: sigma / np.sqrt(n_out)),
        lambda given: taught(
            {**given, "draws": [W * (W.shape[1] / given["X"].shape[1]) ** 0.5 for W in given["draws"]]}
        ),
        lambda given: taught({**given, "start": [given["sigma"] * W / W.shape[1] ** 0.5 for W in given["start"]]}),
        "Some weights have a wrong factor. The teacher's draws get σ/√n, a standard deviation, where n is the number"
        " of that layer's own inputs, the columns of its matrix. The student's `start` gets no factor.",
    ),
    (
        Ways(behind=np.tanh),
        Ways(at_end=np.tanh),
        Ways(behind=np.tanh, at_end=np.tanh),
        Ways(between=identity),
        Ways(within=identity),
        Ways(between=identity, within=identity),
        Ways(between=relu),
        Ways(within=relu),
        Ways(between=relu, within=relu),
        "An activation is in the wrong place. In teacher and student alike, tanh acts between the layers, and "
        "nothing acts after the last one. If the teacher's outputs are right, look at the student.",
    ),
    (
        Ways(divisor=lambda y: np.var(y, ddof=1)),
        Ways(divisor=lambda y: 1.0),
        Ways(divisor=lambda y: np.mean(y**2)),
        "You do not divide by the variance of the teacher's answers. It is taken about their mean, and it divides by"
        " n, not by n − 1, which is PyTorch's default: say `correction=0`.",
    ),
    (
        *(
            lambda given, by=by, of=of: Ways(divisor=lambda y: np.var(y) / by(len(y)) ** of)(
                {**given, "rate": given["rate"] * by(len(given["X"]))}
            )
            for by in (float, lambda n: 0.5)
            for of in (0, 1)
        ),
        "Your loss or its gradient has a wrong factor. L is the mean over the rows of the squared errors, not their "
        "sum and not half of it, and its gradient with respect to the outputs is 2/n times the errors.",
    ),
    (
        Ways(adds_up=True),
        Ways(one_by_one=True),
        "Your gradients add up from step to step, as PyTorch's do if nothing sets them to zero. Or you do not take "
        "them all at the same weights, before any matrix has moved in this step.",
    ),
    (
        Ways(targets=np.transpose),
        "If you subtract a row of n targets from a column of n outputs, you get n × n differences, each output with "
        "each target. Give both the same shape.",
    ),
]


def agrees(value: object, expected: Sequence[np.ndarray]) -> bool:
    """Return whether these are two arrays of the right lengths, and the right numbers to four digits."""
    same_shapes = _is_pair(value) and not has_other_shapes({}, value, expected)
    return same_shapes and all(map(same_to_four_digits, value, expected))


def _is_pair(value: object) -> bool:
    return isinstance(value, (list, np.ndarray)) and len(value) == 2


def has_other_shapes(given: Inputs, value: Sequence, expected: Sequence[np.ndarray]) -> bool:
    """Return whether there are two parts, and not both of the right shapes."""
    return _is_pair(value) and list(map(np.shape, value)) != list(map(np.shape, expected))


def explain_teach(given: Inputs, value: object, expected: Sequence[np.ndarray]) -> str:
    """Say in which of the two parts, and where in it, the first wrong number is."""
    if not _is_pair(value) or has_other_shapes(given, value, expected):
        return ""
    for name, one, other in zip(("output", "error"), value, expected, strict=True):
        wrong = np.flatnonzero(~np.isclose(one, other, rtol=0, atol=1e-4 * np.abs(other).max()))
        if len(wrong):
            place = wrong[0]
            return f"The first wrong {name} is number {place}, from 0: {one[place]:.4g}, and not {other[place]:.4g}."
    return ""


def plot_teach(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the errors that were returned, step by step, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    errors = np.asarray(value[1], float)
    figure, ax = plt.subplots(figsize=(6, 3.2))
    ax.plot(errors, "o-", color=COLOURS["blue"])
    ax.set(xlabel="steps", ylabel="relative error", ylim=(0, None), xticks=range(len(errors)))
    figure.suptitle("The student's errors, as your function returns them")
    listed = ", ".join(f"{error:.4g}" for error in errors)
    return figure, f"The relative errors that your function returns, step by step: {listed}."


TEACH = Exercise(
    id="05.4",
    points=5,
    answer_name="teach",
    without=["utils.exercises.networks.forward", "utils.exercises.networks.backward"],
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, *shape) for shape in SHAPES)], taught, MISTAKES
    ),
    verify=lambda given, hidden, value, expected: float(agrees(value, expected)),
    explain=explain_teach,
    plot=plot_teach,
    plotted_case=2,
    misconceptions=hints_of(MISTAKES, returned_by, same=agrees),
    remarks=[
        (
            has_other_shapes,
            "Return the n outputs in a row, of shape (n,), and `steps` + 1 errors: one before each step, and one after "
            "the last.",
        ),
        (
            lambda given, value, expected: agrees([value[0], expected[1]], expected),
            "The teacher's outputs are right, but the errors are not. If the first error is right, look at the step."
            " If it is not: does the student begin with `start` as it is, and do you divide its loss by the "
            "variance?",
        ),
    ],
)
