"""Exercise 06.2: the norm of the loss's gradient with respect to each layer's weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import Way, discriminates
from utils.exercises.rules import Rule
from utils.lesson_06.exercises.backward import Function, backward, forward, loss_norms, residuals

DIGITS = 1e-4  # the share that each norm may be off by
SHAPES = (  # the sizes, the activation, the gain and how many inputs there are
    ((3, 5, 4, 1), "tanh", 1.5, 6), ((4, 6, 5, 1), "relu", 1.4, 9), ((2, 4, 6, 3, 1), "tanh", 2.5, 7),
    ((5, 7, 6, 4, 1), "relu", 1.6, 5), ((3, 4, 4, 4, 4, 1), "tanh", 1.0, 8), ((4, 5, 5, 5, 5, 1), "relu", 1.2, 10),
    ((2, 8, 1), "relu", 1.8, 11), ((6, 3, 1), "tanh", 1.3, 12),
)  # fmt: skip


def norm_cases(rng: np.random.Generator) -> Iterator[tuple[Given, None]]:
    while True:
        cases = [worked_example(), *(drawn(rng, *shape) for shape in SHAPES)]
        if discriminates(cases, right, WAYS.values(), GUESSES):
            break
    for given in cases:
        yield given, None


def worked_example() -> Given:
    """Two inputs, one hidden layer of two ReLU units; the second unit answers to the second input alone."""
    return {
        "weights": [np.array([[1.0, 2.0], [-1.0, 2.0]]), np.array([[1.0, 2.0]])], "activation": "relu",
        "X": np.array([[1.0, 0.0], [1.0, 1.0]]), "y": np.array([2.0, 4.0]),
    }  # fmt: skip


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


def frobenius(gradient: np.ndarray) -> float:
    return float(np.linalg.norm(gradient))


def measured(
    size: Callable[[np.ndarray], float] = frobenius,
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


def of_outputs(scale: Callable[[int], float]) -> Callable[..., np.ndarray]:
    return lambda weights, X, y, activation: np.full((len(y), 1), scale(len(y)))


def scaled(factor: Callable[[np.ndarray], float]) -> Callable[..., np.ndarray]:
    return lambda weights, X, y, activation: factor(y) * residuals(weights, X, y, activation)


def all_pairs(weights: Sequence[np.ndarray], X: np.ndarray, y: np.ndarray, activation: str) -> np.ndarray:
    """Return what comes of subtracting a row of targets from a column of outputs."""
    return residuals(weights, X, np.full(len(y), y.mean()), activation)


def of_one_by_one(given: Given) -> np.ndarray:
    """Return the mean, over the inputs, of the norms of each input's own gradient."""
    alone = [
        loss_norms(given["weights"], given["X"][i : i + 1], given["y"][i : i + 1], given["activation"])
        for i in range(len(given["y"]))
    ]
    return np.mean(alone, axis=0)


def activated_at_the_end(given: Given) -> np.ndarray:
    """Return the norms for a network whose activation acts on the output as well."""
    weights, X, activation = given["weights"], given["X"], given["activation"]
    n, units = len(X), len(weights[-1])
    outputs = forward(weights, X, activation, last=activation)[-1]
    errors = 2 / n * (outputs - given["y"][:, None])
    through = 1 - outputs**2 if activation == "tanh" else (outputs > 0).astype(float)
    return np.array([*map(frobenius, backward(weights, X, activation, (errors * through).reshape(n, units))[0])])


def of_weights(given: Given) -> np.ndarray:
    return np.array([*map(frobenius, given["weights"])])


def changed(change: Callable[[np.ndarray], np.ndarray]) -> Way:
    return lambda given: change(right(given))


right = measured()
WAYS = {  # to measure wrongly, those together that have one hint
    "outputs": (measured(errors=of_outputs(lambda n: 1.0)), measured(errors=of_outputs(lambda n: 1 / n))),
    "sum": (measured(errors=scaled(len)), measured(errors=scaled(lambda y: len(y) / 2))),
    "half": (measured(errors=scaled(lambda y: 0.5)),),
    "reversed": (changed(lambda norms: norms[::-1]),),
    "squared": (changed(np.square),),
    "entries": (measured(lambda g: np.abs(g).max()), measured(lambda g: np.abs(g).sum())),
    "mean": (
        measured(lambda g: np.abs(g).mean()), measured(lambda g: np.sqrt(np.mean(g**2))), measured(np.mean),
        measured(np.std),
    ),
    "spectral": (measured(lambda g: np.linalg.norm(g, 2)),),
    "signal": (measured(part=1),),
    "one by one": (of_one_by_one,),
    "no slope": (measured(slope=np.ones_like),),
    "other activation": (measured(activation="tanh"), measured(activation="relu"), measured(activation="linear")),
    "activated at the end": (activated_at_the_end,),
    "weights": (of_weights,),
    "relative": (lambda given: right(given) / of_weights(given),),
    "all pairs": (measured(errors=all_pairs),),
}  # fmt: skip
GUESSES = [  # that no hint is made for
    changed(np.cumsum),
    changed(lambda norms: norms / norms.max()),
    measured(errors=scaled(lambda y: 2.0)),
]


def agrees(value: object, expected: Sequence[float]) -> bool:
    """Return whether these are as many numbers, each right to four digits."""
    found, wanted = np.asarray(value, dtype=float), np.asarray(expected)
    return found.shape == wanted.shape and bool((np.abs(found - wanted) <= DIGITS * np.abs(wanted)).all())


def returns(*ways: Way) -> Rule:
    """Return a rule: the value is what one of these ways to measure comes to."""
    return lambda given, value, expected: any([agrees(value, way(given)) for way in ways])


def is_for_each_layer(given: Given, value: object) -> bool:
    """Return whether there is a number for each layer."""
    return isinstance(value, (list, np.ndarray)) and np.shape(value) == (len(given["weights"]),)


def explain_norms(given: Given, value: object, expected: Sequence[float]) -> str:
    """Say which layers' norms are wrong, and what they are."""
    if not is_for_each_layer(given, value):
        return ""
    found = np.asarray(value, dtype=float)
    wrong = [place for place in range(len(found)) if not agrees(found[place : place + 1], expected[place : place + 1])]
    if not wrong:
        return ""
    return f"Wrong in layer {wrong[0]}, from 0: {found[wrong[0]]:.4g}, and not {expected[wrong[0]]:.4g}."


GRADIENT_NORMS = Exercise(
    id="06.2",
    points=4,
    answer_name="gradient_norms",
    cases=norm_cases,
    verify=lambda given, hidden, value, expected: float(agrees(value, expected)),
    explain=explain_norms,
    misconceptions=[
        (returns(*WAYS["outputs"]),
         "This is the gradient of the outputs, added up or averaged. It is the loss whose gradient moves the weights, "
         "and it depends on the targets as well."),
        (returns(*WAYS["sum"]),
         "Your loss is a sum over the inputs: the mean is asked for."),
        (returns(*WAYS["half"]),
         "Your gradient is half of what it should be: the derivative of a square has a factor of 2."),
        (returns(*WAYS["reversed"]),
         "The norms are right, their order is not: the layer that the inputs enter comes first."),
        (returns(*WAYS["squared"]),
         "These are the squares of the norms: take the root."),
        (returns(*WAYS["entries"]),
         "You take a gradient's largest entry, or add up the sizes of its entries. The norm is the root of the sum of "
         "their squares."),
        (returns(*WAYS["mean"]),
         "You average over a gradient's entries, so that large layers count as small ones. The norm adds up the "
         "squares of all entries and takes the root."),
        (returns(*WAYS["spectral"]),
         "This is the largest singular value, which `np.linalg.norm(G, 2)` returns for a matrix. Leave the 2 out."),
        (returns(*WAYS["signal"]),
         "These are gradients with respect to the pre-activations. One more product, with what comes into the layer, "
         "makes the gradient with respect to its weights."),
        (returns(*WAYS["one by one"]),
         "You take the norm for each input alone, and the mean then. The loss has one gradient: average over the "
         "inputs first, so that they can cancel."),
        (returns(*WAYS["no slope"]),
         "The activation's derivative is missing on the way back."),
        (returns(*WAYS["other activation"]),
         "You use one activation for all networks, or none: `activation` says which it is."),
        (returns(*WAYS["activated at the end"]),
         "The activation acts on your output as well: after the last matrix there is none."),
        (returns(*WAYS["weights"]),
         "These are the norms of the weights themselves: those of their gradients are asked for."),
        (returns(*WAYS["relative"]),
         "You divide each norm by that of the weights: the gradient's own is asked for."),
        (returns(*WAYS["all pairs"]),
         "A row of n targets subtracted from a column of n outputs makes n × n differences, each output with each "
         "target. Give both the same shape."),
    ],
    remarks=[
        (lambda given, value, expected: value is not None and not is_for_each_layer(given, value),
         "Return one number for each matrix in `weights`."),
        (lambda given, value, expected: agrees(value[-1:], expected[-1:]),
         "The last layer's norm is right, but not all before it: look at how the gradient passes from a layer to the "
         "one before."),
    ],
)  # fmt: skip
