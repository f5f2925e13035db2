"""Exercise 05.4: a teacher is built, scaled and asked, and a student learns from it by gradient descent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Way, hints_of, is_no, returned_by, same_to_four_digits

Weights = list[np.ndarray]
SHAPES = (  # the teacher's sizes, the student's, inputs, σ, steps
    ((2, 5, 1), (2, 3, 1), 9, 1.5, 2), ((3, 6, 4, 1), (3, 5, 1), 12, 2.0, 3),
    ((5, 4, 4, 4, 1), (5, 4, 4, 4, 1), 14, 1.3, 2),
    ((4, 7, 1), (4, 3, 5, 1), 11, 0.8, 4), ((3, 3, 3, 1), (3, 3, 3, 1), 10, 2.5, 1),
    ((6, 2, 8, 1), (6, 7, 1), 13, 1.8, 3),
)
RATES = (0.02, 0.05)
MOVES = 0.05  # the share by which training changes the error at least


def worked_example() -> Given:
    """A teacher of four hidden units, a student of one, two inputs and one step."""
    return {
        "draws": [np.array([[0.5], [0.5], [1.0], [-1.0]]), np.array([[1.0, 1.0, 2.0, 1.0]])], "sigma": 2.0,
        "X": np.array([[0.0], [1.0]]), "start": [np.array([[1.0]]), np.array([[1.0]])], "rate": 0.5, "steps": 1,
    }


def drawn(
    rng: np.random.Generator, teacher: Sequence[int], student: Sequence[int], n: int, sigma: float, steps: int
) -> Given:
    """Return a teacher, and a student that moves, from random numbers that have three digits."""
    while True:
        given = {
            "draws": _matrices(rng, teacher), "sigma": sigma, "X": rng.normal(size=(n, teacher[0])).round(3),
            "start": [(W / np.sqrt(W.shape[1])).round(3) for W in _matrices(rng, student)],
            "rate": round(rng.uniform(*RATES), 3), "steps": steps,
        }
        errors = taught(given)[1]
        if abs(errors[-1] - errors[0]) > MOVES * errors[0]:
            return given


def _matrices(rng: np.random.Generator, sizes: Sequence[int]) -> Weights:
    return [rng.normal(size=(n_out, n_in)).round(3) for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True)]


# --- what comes of which way to teach -----------------------------------------------------------------------


def layers_of(weights: Weights, X: np.ndarray, last: bool = False, hidden: Callable = np.tanh) -> list[np.ndarray]:
    """Return what comes out of each layer, after tanh where it acts, the inputs first."""
    found = [X]
    for place, weight in enumerate(weights):
        z = found[-1] @ weight.T
        found.append(hidden(z) if place < len(weights) - 1 or last else z)
    return found


def gradients(weights: Weights, X: np.ndarray, residual: np.ndarray) -> Weights:
    """Return what a column of errors at the output comes to, weight by weight."""
    found, layers = [], layers_of(weights, X)
    for place in reversed(range(len(weights))):
        found.insert(0, residual.T @ layers[place])
        residual = residual @ weights[place] * (1 - layers[place] ** 2)
    return found


@dataclass(frozen=True)
class Ways:
    """How the parts are done, the right way where nothing is said."""

    scale: Callable[[float, np.ndarray], float] = lambda sigma, draw: sigma / np.sqrt(draw.shape[1])
    tanh_on_targets: bool = False
    hidden: Callable = np.tanh
    start: Callable[[Weights, float], Weights] = lambda weights, sigma: weights
    slope: Callable[[np.ndarray], float] = lambda y: 2 / len(y)  # of the loss, over the residual
    divisor: Callable[[np.ndarray], float] = np.var
    of_first: bool = False  # whether the first layer's size scales all layers
    kept: tuple[int, int | None] = (0, None)  # of the errors, from and to
    adds_up: bool = False
    trained_from: int = 0

    def __call__(self, given: Given) -> list[np.ndarray]:
        draws, X = given["draws"], given["X"]
        teacher = [self.scale(given["sigma"], draws[0] if self.of_first else draw) * draw for draw in draws]
        y = layers_of(teacher, X, last=self.tanh_on_targets, hidden=self.hidden)[-1]
        weights = self.start(list(given["start"]), given["sigma"])
        losses, total = [], [0 * weight for weight in weights]
        for _ in range(given["steps"] + 1):
            residual = layers_of(weights, X)[-1] - y
            losses.append(np.mean(residual**2))
            found = gradients(weights, X, self.slope(y) * residual)
            total = [self.adds_up * old + new for old, new in zip(total, found, strict=True)]
            moved = [weight - given["rate"] * by for weight, by in zip(weights, total, strict=True)]
            weights[self.trained_from :] = moved[self.trained_from :]
        return [y[:, 0], (np.array(losses) / self.divisor(y))[slice(*self.kept)]]


taught = Ways()


def broadcast(given: Given) -> list[np.ndarray]:
    """Return what comes of subtracting a row of targets from a column of outputs: all pairs."""
    y, X, weights = taught(given)[0], given["X"], list(given["start"])
    losses = []
    for _ in range(given["steps"] + 1):
        outputs = layers_of(weights, X)[-1]
        losses.append(np.mean((outputs - y) ** 2))
        found = gradients(weights, X, 2 / len(y) * (outputs - y.mean()))
        weights = [weight - given["rate"] * by for weight, by in zip(weights, found, strict=True)]
    return [y, np.array(losses) / y.var()]


def one_by_one(move: Callable[[Weights, np.ndarray, np.ndarray, float], None]) -> Way:
    """Return the way in which the matrices are moved one after another, by what is handed X, the targets and a rate."""

    def way(given: Given) -> list[np.ndarray]:
        y, X, weights = taught(given)[0], given["X"], list(given["start"])
        losses = []
        for _ in range(given["steps"] + 1):
            losses.append(np.mean((layers_of(weights, X)[-1][:, 0] - y) ** 2))
            move(weights, X, y[:, None], given["rate"])
        return [y, np.array(losses) / y.var()]

    return way


def _forwards(weights: Weights, X: np.ndarray, y: np.ndarray, rate: float) -> None:
    for place in range(len(weights)):
        residual = 2 / len(y) * (layers_of(weights, X)[-1] - y)
        weights[place] = weights[place] - rate * gradients(weights, X, residual)[place]


def backwards(weights: Weights, X: np.ndarray, y: np.ndarray, rate: float) -> None:
    """Move the matrices from the last to the first while the errors are carried back, by hand."""
    layers = layers_of(weights, X)
    residual = 2 / len(y) * (layers[-1] - y)
    for place in reversed(range(len(weights))):
        weights[place] = weights[place] - rate * residual.T @ layers[place]
        residual = residual @ weights[place] * (1 - layers[place] ** 2)


MISTAKES = [
    (Ways(scale=lambda sigma, draw: sigma),
     "You multiply the teacher's draws by σ alone: a layer of n inputs has the standard deviation σ/√n."),
    (Ways(scale=lambda sigma, draw: 1.0), Ways(scale=lambda sigma, draw: 1 / np.sqrt(draw.shape[1])),
     "The σ is missing in your teacher's weights: they are σ/√n times the draws."),
    (Ways(scale=lambda sigma, draw: sigma / draw.shape[1]),
     Ways(scale=lambda sigma, draw: np.sqrt(sigma / draw.shape[1])),
     Ways(scale=lambda sigma, draw: sigma**2 / np.sqrt(draw.shape[1])),
     Ways(scale=lambda sigma, draw: sigma**2 / draw.shape[1]),
     "The factor of the teacher's weights is a standard deviation, σ/√n. You take a variance for one, or the other "
     "way round."),
    (Ways(scale=lambda sigma, draw: sigma / np.sqrt(draw.shape[0])),
     "You divide by the root of the number of outputs, the rows of a matrix: n is the number of a layer's inputs, "
     "its columns."),
    (Ways(of_first=True),
     "The number of inputs of the first layer scales all layers of your teacher: each layer has an n of its own."),
    (Ways(tanh_on_targets=True),
     "Your teacher has a tanh after its last layer as well: there the weights alone act."),
    (Ways(hidden=lambda z: z),
     "There is no tanh in your teacher, so that it is one matrix, however many layers it has."),
    (Ways(hidden=lambda z: np.maximum(z, 0)),
     "Your teacher has ReLU: tanh acts between its layers."),
    (Ways(start=lambda weights, sigma: [sigma / np.sqrt(weight.shape[1]) * weight for weight in weights]),
     "You scale the student's weights as well: `start` has them as they are."),
    (Ways(slope=lambda y: 2.0), Ways(slope=lambda y: 1.0),
     Ways(slope=lambda y: 2.0, divisor=lambda y: np.var(y) / len(y)),
     "Your loss, or its gradient, is that of a sum over the inputs: take the mean."),
    (Ways(slope=lambda y: 1 / len(y)),
     "Your gradient is half of what it should be: the derivative of a square has a factor of 2."),
    (Ways(slope=lambda y: 2 / len(y) / np.var(y)),
     "You descend on the relative error. The steps are those of the mean squared error: the variance divides only "
     "what is returned."),
    (Ways(divisor=lambda y: 1.0),
     "These are mean squared errors: divide them by the variance of the teacher's outputs."),
    (Ways(divisor=lambda y: np.var(y, ddof=1)),
     "Your variance divides by n − 1, which is PyTorch's default: n is asked for, `correction=0`."),
    (Ways(divisor=lambda y: np.mean(y**2)),
     "You divide by the mean square of the outputs. The variance is about their mean, which is not 0 on a few "
     "inputs."),
    (Ways(divisor=np.std),
     "You divide by the standard deviation: a mean squared error is compared with a variance."),
    (Ways(kept=(1, None)),
     "Your errors begin after the first step: the one before it belongs to them, so there are `steps` + 1."),
    (Ways(kept=(0, -1)),
     "Your errors end before the last step has been taken: compute one more after it, so there are `steps` + 1."),
    (Ways(adds_up=True),
     "Your gradients add up from step to step, as PyTorch's do where nothing sets them to zero."),
    (Ways(slope=lambda y: -2 / len(y)),
     "Your student goes uphill: subtract the gradient."),
    (Ways(trained_from=-1),
     "Your student's last layer alone is trained: all of its weights take part."),
    (broadcast,
     "A row of n targets subtracted from a column of n outputs makes n × n differences, each output with each "
     "target. Give both the same shape."),
    (one_by_one(_forwards), one_by_one(backwards),
     "You use moved matrices for the next gradient: compute all gradients first, then move all."),
]
GUESSES = [  # that no hint is made for
    Ways(divisor=lambda y: float(np.abs(y).max())),
    Ways(slope=lambda y: 4 / len(y)),
    Ways(hidden=lambda z: np.clip(z, -1, 1)),
]


def agrees(value: object, expected: Sequence[np.ndarray]) -> bool:
    """Return whether these are two arrays of the right lengths, and the right numbers to four digits."""
    return _is_pair(value) and all(
        np.shape(one) == np.shape(other) and same_to_four_digits(one, other)
        for one, other in zip(value, expected, strict=True)
    )


def _is_pair(value: object) -> bool:
    return isinstance(value, (list, np.ndarray)) and len(value) == 2


def is_column(given: Given, value: Sequence, expected: object) -> bool:
    """Return whether the outputs have the shape (n, 1), and there are as many errors as there should be."""
    return [np.shape(part) for part in value] == [(len(given["X"]), 1), (given["steps"] + 1,)]


def explain_teach(given: Given, value: object, expected: Sequence[np.ndarray]) -> str:
    """Say in which of the two parts, and where in it, the first wrong number is."""
    if not _is_pair(value) or any(np.shape(a) != np.shape(b) for a, b in zip(value, expected, strict=True)):
        return ""
    for name, one, other in zip(("output", "error"), value, expected, strict=True):
        wrong = np.flatnonzero(~np.isclose(one, other, rtol=0, atol=1e-4 * np.abs(other).max()))
        if len(wrong):
            place = wrong[0]
            return f"The first wrong {name} is number {place}, from 0: {one[place]:.4g}, and not {other[place]:.4g}."
    return ""


def plot_teach(given: Given, value: object) -> tuple[object, str]:
    """Return a figure of the errors that were returned, step by step, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    errors = np.asarray(value[1], float)
    figure, ax = plt.subplots(figsize=(6, 3.2))
    ax.plot(errors, "o-", color=COLOURS["blue"])
    ax.set(xlabel="steps", ylabel="relative error", ylim=(0, None), xticks=range(len(errors)))
    figure.suptitle("The student's errors, as your function returns them")
    return (
        figure,
        f"The relative errors that your function returns, step by step: {', '.join(f'{e:.4g}' for e in errors)}.",
    )


TEACH = Exercise(
    id="05.4",
    points=5,
    answer_name="teach",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(drawn(rng, *shape) for shape in SHAPES)], taught, MISTAKES, GUESSES),
    verify=lambda given, hidden, value, expected: float(agrees(value, expected)),
    explain=explain_teach,
    plot=plot_teach,
    plotted_case=2,
    misconceptions=hints_of(MISTAKES, returned_by, same=agrees),
    remarks=[
        (is_column,
         "Your outputs are a column, of shape (n, 1): return n numbers in a row, of shape (n,)."),
        (lambda given, value, expected: _is_pair(value) and len(value[0]) == len(expected[0])
                                        and np.shape(value[1]) != np.shape(expected[1]),
         "There have to be `steps` + 1 errors: one before each step, and one after the last."),
        (is_no(_is_pair),
         "Return two arrays: the teacher's outputs, and the student's errors."),
        (lambda given, value, expected: agrees([value[0], expected[1]], expected),
         "The teacher's outputs are right, the errors are not. If the first error is right, look at the step; if it is "
         "not, look at how an error is computed."),
        (lambda given, value, expected: np.shape(value[0]) == np.shape(expected[0]) and _is_pair(value),
         "The teacher's outputs are wrong, and all that follows from them: compute them for the worked example first."),
    ],
)
