"""Exercise 06.2: the norm of the loss's gradient with respect to each layer's weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.networks import SLOPES, Weights, backward, forward, identity, relu
from utils.exercises.rules import Solver, each_to_four_digits, hints_of, returned_by

ACTIVATIONS = {"tanh": np.tanh, "relu": relu, "linear": identity}
SHAPES = (  # the sizes, the activation, the gain and how many inputs there are
    ((3, 5, 4, 1), "tanh", 1.5, 6),
    ((4, 6, 5, 1), "relu", 1.4, 9),
    ((2, 4, 6, 3, 1), "tanh", 2.5, 7),
    ((5, 7, 6, 4, 1), "relu", 1.6, 5),
    ((3, 4, 4, 4, 4, 1), "tanh", 1.0, 8),
    ((4, 5, 5, 5, 5, 1), "relu", 1.2, 10),
    ((2, 8, 1), "relu", 1.8, 11),
    ((6, 3, 1), "tanh", 1.3, 12),
)
Errors = Callable[[np.ndarray, np.ndarray], np.ndarray]  # of outputs and targets, both [n, 1]


def worked_example() -> Inputs:
    """Return two inputs, one hidden layer of two ReLU units; the second unit answers to the second input alone."""
    return {
        "weights": [np.array([[1.0, 2.0], [-1.0, 2.0]]), np.array([[1.0, 2.0]])],
        "activation": "relu",
        "X": np.array([[1.0, 0.0], [1.0, 1.0]]),
        "y": np.array([2.0, 4.0]),
    }


def sample_case(rng: np.random.Generator, sizes: Sequence[int], activation: str, gain: float, n: int) -> Inputs:
    """Return a network whose gradients reach all layers, with numbers of three digits."""
    while True:
        weights = [
            (gain / np.sqrt(n_in) * rng.normal(size=(n_out, n_in))).round(3)
            for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True)
        ]
        X, y = rng.normal(size=(n, sizes[0])).round(3), rng.normal(size=n).round(3)
        given = {"weights": weights, "activation": activation, "X": X, "y": y}
        if reference(given).min() > 0.01:
            return given


def of_loss(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return the gradient of the mean squared error with respect to the outputs."""
    return 2 / len(outputs) * (outputs - targets)


def gradients(
    activation: str, weights: Weights, X: np.ndarray, y: np.ndarray, errors: Errors = of_loss
) -> list[np.ndarray]:
    """Return the gradient with respect to each layer's weights, from that with respect to the outputs."""
    act = ACTIVATIONS[activation]
    inputs, before = forward(weights, X, activation=act)
    return backward(weights, inputs, before, errors(before[-1], y[:, None]), SLOPES[act])[0]


def measured(
    size: Callable[[np.ndarray], float] = np.linalg.norm, errors: Errors = of_loss, activation: str = ""
) -> Solver:
    """Return the way that takes this size of each layer's gradient, as if of this activation where one is named."""
    return lambda given: np.array(
        [
            size(gradient)
            for gradient in gradients(
                activation or given["activation"], given["weights"], given["X"], given["y"], errors
            )
        ]
    )


def at_end(activation: str) -> Errors:
    """Return the loss's gradient where the activation acts on the output as well."""
    act = ACTIVATIONS[activation]
    return lambda z, y: of_loss(act(z), y) * SLOPES[act](z)


reference = measured()
MISTAKES = [
    (
        measured(errors=lambda outputs, targets: np.ones_like(outputs)),
        measured(errors=lambda outputs, targets: np.ones_like(outputs) / len(outputs)),
        "This is the gradient of the outputs, added up or averaged. Take that of the loss, which depends on the "
        "targets as well.",
    ),
    (
        measured(errors=lambda outputs, targets: 2 * (outputs - targets)),
        measured(errors=lambda outputs, targets: outputs - targets),
        measured(errors=lambda outputs, targets: (outputs - targets) / len(outputs)),
        "Your loss has another factor. Take the mean of the squared errors over the inputs, not their sum, and not "
        "half of it.",
    ),
    (
        measured(errors=lambda outputs, targets: of_loss(outputs, targets.mean())),
        "A row of n targets subtracted from a column of n outputs makes n × n differences, each output with each "
        "target. Give both the same shape.",
    ),
    (
        measured(lambda gradient: np.sum(gradient**2)),
        measured(lambda gradient: np.abs(gradient).sum()),
        measured(lambda gradient: np.abs(gradient).mean()),
        measured(lambda gradient: np.sqrt(np.mean(gradient**2))),
        measured(lambda gradient: np.abs(gradient).max()),
        measured(lambda gradient: np.linalg.norm(gradient, 2)),
        "You take another size of each gradient: the norm adds up the squares of all its entries, and takes the root.",
    ),
    (
        measured(activation="tanh"),
        measured(activation="relu"),
        measured(activation="linear"),
        "You use one activation for all networks, or none. Use the one that `activation` names.",
    ),
    (
        lambda given: measured(errors=at_end(given["activation"]))(given),
        "The activation acts on your output as well. Leave it out after the last matrix.",
    ),
]


GRADIENT_NORMS = Exercise(
    id="06.2",
    points=4,
    answer_name="gradient_norms",
    without=["utils.exercises.networks.forward", "utils.exercises.networks.backward"],
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, *shape) for shape in SHAPES)], reference, MISTAKES
    ),
    verify=lambda given, hidden, value, expected: each_to_four_digits(value, expected),
    misconceptions=hints_of(MISTAKES, returned_by, same=each_to_four_digits),
    remarks=[
        (
            lambda given, value, expected: len(value) == len(expected) and any(np.size(part) > 1 for part in value),
            "Return one number for each matrix: the norm of its gradient, not the gradient itself or its rows.",
        ),
        (
            lambda given, value, expected: each_to_four_digits(value[-1:], expected[-1:]),
            "The last layer's norm is right, but not all before it: on its way back the gradient passes each "
            "matrix, and is multiplied by the activation's slope, 1 − tanh(z)² at what goes into tanh, or 1 or 0 "
            "for ReLU.",
        ),
    ],
)
