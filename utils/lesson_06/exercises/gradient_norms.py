"""Exercise 06.2: the norm of the loss's gradient with respect to each layer's weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Way, hints_of, returned_by
from utils.lesson_06.exercises.backward import FUNCTIONS, Function, Weights, backward, forward, residuals

DIGITS = 1e-4  # the share that each norm may be off by
SHAPES = (  # the sizes, the activation, the gain and how many inputs there are
    ((3, 5, 4, 1), "tanh", 1.5, 6), ((4, 6, 5, 1), "relu", 1.4, 9), ((2, 4, 6, 3, 1), "tanh", 2.5, 7),
    ((5, 7, 6, 4, 1), "relu", 1.6, 5), ((3, 4, 4, 4, 4, 1), "tanh", 1.0, 8), ((4, 5, 5, 5, 5, 1), "relu", 1.2, 10),
    ((2, 8, 1), "relu", 1.8, 11), ((6, 3, 1), "tanh", 1.3, 12),
)


def worked_example() -> Given:
    """Two inputs, one hidden layer of two ReLU units; the second unit answers to the second input alone."""
    return {
        "weights": [np.array([[1.0, 2.0], [-1.0, 2.0]]), np.array([[1.0, 2.0]])], "activation": "relu",
        "X": np.array([[1.0, 0.0], [1.0, 1.0]]), "y": np.array([2.0, 4.0]),
    }


def drawn(rng: np.random.Generator, sizes: Sequence[int], activation: str, gain: float, n: int) -> Given:
    """Return a network whose gradients reach all layers, with numbers of three digits."""
    while True:
        weights = [
            (gain / np.sqrt(n_in) * rng.normal(size=(n_out, n_in))).round(3)
            for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True)
        ]
        X, y = rng.normal(size=(n, sizes[0])).round(3), rng.normal(size=n).round(3)
        given = {"weights": weights, "activation": activation, "X": X, "y": y}
        if right(given).min() > 0.01:
            return given


# --- what comes of which way to measure ---------------------------------------------------------------------


def _frobenius(gradient: np.ndarray) -> float:
    return float(np.linalg.norm(gradient))


def measured(
    size: Callable[[np.ndarray], float] = _frobenius,
    errors: Callable[..., np.ndarray] = residuals,
    slope: Function | None = None,
    activation: str | None = None,
    part: int = 0,
) -> Way:
    """Return the way that takes the size of each layer's gradient, of weights (part 0) or of pre-activations."""

    def way(given: Given) -> np.ndarray:
        weights, X, y = given["weights"], given["X"], given["y"]
        used = activation or given["activation"]
        return np.array([*map(size, backward(weights, X, used, errors(weights, X, y, used), slope)[part])])

    return way


def _of_outputs(scale: Callable[[int], float]) -> Callable[..., np.ndarray]:
    return lambda weights, X, y, activation: np.full((len(y), 1), scale(len(y)))


def _scaled(factor: Callable[[np.ndarray], float]) -> Callable[..., np.ndarray]:
    return lambda weights, X, y, activation: factor(y) * residuals(weights, X, y, activation)


def through_activation(weights: Weights, X: np.ndarray, y: np.ndarray, activation: str) -> np.ndarray:
    """Return the errors for a network whose activation acts on the output as well."""
    function, derivative = FUNCTIONS[activation]
    z = forward(weights, X, activation)[-1]
    return 2 / len(y) * (function(z) - y[:, None]) * derivative(z)


def _of_weights(given: Given) -> np.ndarray:
    return np.array([*map(_frobenius, given["weights"])])


def _changed(change: Callable[[np.ndarray], np.ndarray]) -> Way:
    return lambda given: change(right(given))


right = measured()
MISTAKES = [
    (measured(errors=_of_outputs(lambda n: 1.0)), measured(errors=_of_outputs(lambda n: 1 / n)),
     "This is the gradient of the outputs, added up or averaged. It is the loss whose gradient moves the weights, "
     "and it depends on the targets as well."),
    (measured(errors=_scaled(len)), measured(errors=_scaled(lambda y: len(y) / 2)),
     "Your loss is a sum over the inputs: the mean is asked for."),
    (measured(errors=_scaled(lambda y: 0.5)),
     "Your gradient is half of what it should be: the derivative of a square has a factor of 2."),
    (_changed(lambda norms: norms[::-1]),
     "The norms are right, their order is not: the layer that the inputs enter comes first."),
    (_changed(np.square),
     "These are the squares of the norms: take the root."),
    (measured(lambda g: np.abs(g).max()), measured(lambda g: np.abs(g).sum()),
     "You take a gradient's largest entry, or add up the sizes of its entries. The norm is the root of the sum of "
     "their squares."),
    (measured(lambda g: np.abs(g).mean()), measured(lambda g: np.sqrt(np.mean(g**2))), measured(np.mean),
     measured(np.std),
     "You average over a gradient's entries, so that large layers count as small ones. The norm adds up the "
     "squares of all entries and takes the root."),
    (measured(lambda g: np.linalg.norm(g, 2)),
     "This is the largest singular value, which `np.linalg.norm(G, 2)` returns for a matrix. Leave the 2 out."),
    (measured(part=1),
     "These are gradients with respect to the pre-activations. One more product, with what comes into the layer, "
     "makes the gradient with respect to its weights."),
    (lambda given: np.mean([right({**given, "X": given["X"][[i]], "y": given["y"][[i]]})
                            for i in range(len(given["y"]))], axis=0),
     "You take the norm for each input alone, and the mean then. The loss has one gradient: average over the "
     "inputs first, so that they can cancel."),
    (measured(slope=np.ones_like),
     "The activation's derivative is missing on the way back."),
    (measured(activation="tanh"), measured(activation="relu"), measured(activation="linear"),
     "You use one activation for all networks, or none: `activation` says which it is."),
    (measured(errors=through_activation),
     "The activation acts on your output as well: after the last matrix there is none."),
    (_of_weights,
     "These are the norms of the weights themselves: those of their gradients are asked for."),
    (lambda given: right(given) / _of_weights(given),
     "You divide each norm by that of the weights: the gradient's own is asked for."),
    (measured(errors=lambda weights, X, y, activation: residuals(weights, X, np.full(len(y), y.mean()), activation)),
     "A row of n targets subtracted from a column of n outputs makes n × n differences, each output with each "
     "target. Give both the same shape."),
]
GUESSES = [  # that no hint is made for
    _changed(np.cumsum),
    _changed(lambda norms: norms / norms.max()),
    measured(errors=_scaled(lambda y: 2.0)),
]


def agrees(value: object, expected: Sequence[float]) -> bool:
    """Return whether these are as many numbers, each right to four digits."""
    found, wanted = np.asarray(value, dtype=float), np.asarray(expected)
    return found.shape == wanted.shape and bool((np.abs(found - wanted) <= DIGITS * np.abs(wanted)).all())


def is_for_each_layer(given: Given, value: object) -> bool:
    """Return whether there is a number for each layer."""
    return isinstance(value, (list, np.ndarray)) and np.shape(value) == (len(given["weights"]),)


def explain_norms(given: Given, value: object, expected: Sequence[float]) -> str:
    """Say which layers' norms are wrong, and what they are."""
    found = np.asarray(value, dtype=float)
    if not is_for_each_layer(given, found):
        return ""
    wrong = np.flatnonzero([not agrees(*pair) for pair in zip(found, expected, strict=True)])
    if not len(wrong):
        return ""
    return f"Wrong in layer {wrong[0]}, from 0: {found[wrong[0]]:.4g}, and not {expected[wrong[0]]:.4g}."


GRADIENT_NORMS = Exercise(
    id="06.2",
    points=4,
    answer_name="gradient_norms",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(drawn(rng, *shape) for shape in SHAPES)], right, MISTAKES, GUESSES),
    verify=lambda given, hidden, value, expected: float(agrees(value, expected)),
    explain=explain_norms,
    misconceptions=hints_of(MISTAKES, returned_by, same=agrees),
    remarks=[
        (lambda given, value, expected: value is not None and not is_for_each_layer(given, value),
         "Return one number for each matrix in `weights`."),
        (lambda given, value, expected: agrees(value[-1:], expected[-1:]),
         "The last layer's norm is right, but not all before it: look at how the gradient passes from a layer to the "
         "one before."),
    ],
)
