"""Exercise 02.3: a backward pass by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise
from utils.exercises.rules import halves_to_four_digits
from utils.exercises.rules import same_to_four_digits as agree
from utils.lesson_02.exercises.images import IMAGES
from utils.types import Array
from utils.withholding import withholdable

Gradients = list[list[Array]]
TELLING = 0.02  # two answers count as different when they are at least this share apart


def gradient_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    """Yield the cases, the worked example first."""
    yield {"weights": [np.array([[1.0, 0.0], [-1.0, 1.0]]), np.array([[1.0, 1.0], [0.0, 2.0]])],
           "biases": [np.zeros(2), np.array([0.0, 1.0])],
           "X": np.array([[1.0, 2.0], [3.0, 1.0]]), "Y": np.array([[1.0, 3.0], [3.0, 5.0]])}, None
    yield telling_network(rng, [4, 3, 4], IMAGES), None
    yield telling_network(rng, [4, 5, 2, 4], IMAGES), None
    for layers in (1, 2, 3, 4):
        n, *sizes = (rng.permutation(7)[: layers + 2] + 2).tolist()  # no two alike, so that a wrong axis shows
        yield telling_network(rng, sizes, rng.normal(size=(n, sizes[0]))), None
    yield telling_network(rng, [3, 3, 3, 3], rng.normal(size=(5, 3))), None


def telling_network(rng: np.random.Generator, sizes: Sequence[int], X: Array) -> dict:
    """Return a random network, with targets, in which no unit is near its bend and bends make a difference."""
    while True:
        pairs = list(zip(sizes[1:], sizes[:-1], strict=True))
        given = {"weights": [rng.normal(size=pair) for pair in pairs],
                 "biases": [rng.normal(size=n_out) for n_out, _ in pairs],
                 "X": X, "Y": rng.normal(size=(len(X), sizes[-1]))}
        if is_telling(given):
            return given


def is_telling(given: dict) -> bool:
    """Return whether units are away from their bends, on both sides, bends matter, and every layer has a gradient."""
    hidden = forward(given)[1][:-1]
    if any(np.abs(z).min() < 1e-3 or not 0.1 < (z > 0).mean() < 0.9 for z in hidden):
        return False
    right = backward(given)[0]
    if min(np.abs(gradient).max() for gradient in right) < 1e-3:
        return False
    slips = backward(given, slope=always)[0], backward(given, of_before=True)[0]
    differ = (apart(slips[0][0], right[0]) > TELLING, apart(slips[1][-1], right[-1]) > TELLING) if hidden else ()
    return all(differ)


def apart(a: Array, b: Array) -> float:
    """Return the largest difference of two arrays, as a share of the second's largest entry."""
    return float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-12))


def identity(z: Array) -> Array:
    """Return z."""
    return z


def relu(z: Array) -> Array:
    """Return max(z, 0)."""
    return np.maximum(z, 0)


def positive(z: Array) -> Array:
    """Return the derivative of the ReLU."""
    return 1.0 * (z > 0)


def always(z: Array) -> Array:
    """Return the derivative of the identity."""
    return np.ones_like(z)


def forward(given: dict, activation: Callable[[Array], Array] = relu) -> tuple[list[Array], list[Array]]:
    """Return what goes into each layer, and what comes out of it before its activation."""
    inputs, before = [given["X"]], []
    for weight, bias in zip(given["weights"], given["biases"], strict=True):
        before.append(inputs[-1] @ weight.T + bias)
        inputs.append(activation(before[-1]))
    return inputs, before


def errors(
    given: dict, before: list[Array], *, slope: Callable[[Array], Array] = positive,
    through: Callable[[Array], Array] = identity, last: tuple[Callable, Callable] = (identity, always),
) -> list[Array]:
    """Return the derivatives of the loss with respect to ``before``, what comes out of each layer.

    slope: what is taken for the activation's derivative. through: what is taken for a weight matrix on the way back.
    last: an activation of the output layer, and its derivative.
    """
    found = [(last[0](before[-1]) - given["Y"]) * last[1](before[-1]) / given["Y"].size]
    for layer in range(len(before) - 1, 0, -1):
        found.insert(0, (found[0] @ through(given["weights"][layer])) * slope(before[layer - 1]))
    return found


@withholdable
def backward(
    given: dict, *, activation: Callable[[Array], Array] = relu, of_before: bool = False, **slips: Callable | tuple
) -> Gradients:
    """Return the gradients of half the mean squared error, with slips where they are asked for.

    of_before: multiply the errors by what came out of the layer before without its activation. The others are those
    of ``errors``.
    """
    inputs, before = forward(given, activation)
    if of_before:
        inputs = [given["X"], *before[:-1]]
    found = errors(given, before, **slips)
    weights = [error.T @ h for error, h in zip(found, inputs, strict=False)]  # the last input is the output
    return [weights, [error.sum(axis=0) for error in found]]


def gradient_explain(given: dict, value: Gradients, expected: Gradients) -> str:
    """Say which layers' gradients are right."""
    lines = []
    for name, part, right in zip(("weights", "biases"), value, expected, strict=True):
        verdicts = [agree(one, wanted) for one, wanted in zip(part, right, strict=True)]
        words = ", ".join(f"layer {k} {'right' if good else 'wrong'}" for k, good in enumerate(verdicts, 1))
        lines.append(f"gradients of the {name}: {words}")
    return "\n".join(lines)


def has_form(value: object, given: dict) -> bool:
    """Return whether ``value`` is two lists of one part for each layer."""
    layers = len(given["weights"])
    return isinstance(value, list) and len(value) == 2 and all(len(part) == layers for part in value)


def in_other_form(given: dict, value: object, expected: Gradients) -> bool:
    """Return whether the right gradients came in one row, or in pairs."""
    in_pairs = [list(pair) for pair in zip(*expected, strict=True)]
    in_a_row = [part for pair in in_pairs for part in pair]
    return any(agree(value, form) for form in (in_pairs, in_a_row, expected[0] + expected[1]))


def slipped(**slip: Callable | tuple | bool) -> Callable:
    """Return a rule: the weights' gradients are what comes of a slip, whatever the factor."""

    def matches(given: dict, value: Gradients, expected: Gradients) -> bool:
        wrong = backward(given, **slip)
        return proportional(value[0], wrong[0])

    return matches


def proportional(value: Sequence[Array], other: Sequence[Array]) -> bool:
    """Return whether gradients are one and the same positive multiple of others."""
    theirs = np.abs(other[-1]).max()
    factor = np.abs(np.asarray(value[-1])).max() / theirs if theirs else 1.0
    return all(agree(np.asarray(one) / factor, two) for one, two in zip(value, other, strict=True))


def scaled_by(factor: Callable[[int, int], float]) -> Callable:
    """Return a rule: the weights' gradients are right, times factor(points, outputs)."""

    def matches(given: dict, value: Gradients, expected: Gradients) -> bool:
        scale = factor(*given["Y"].shape)
        return scale != 1 and agree(value[0], [scale * part for part in expected[0]])

    return matches


def biases_wrong(wrong: Callable[[dict, Array], bool]) -> Callable:
    """Return a rule: the weights are right, and for every layer wrong(given, its bias's gradient, the right one)."""

    def matches(given: dict, value: Gradients, expected: Gradients) -> bool:
        pairs = zip(value[1], expected[1], strict=True)
        return agree(value[0], expected[0]) and all(wrong(given, np.asarray(one), right) for one, right in pairs)

    return matches


def only_last_right(given: dict, value: Gradients, expected: Gradients) -> bool:
    """Return whether the last layer's gradients are right and others are not."""
    pairs = zip(value, expected, strict=True)
    return all(agree(part[-1], right[-1]) and not agree(part, right) for part, right in pairs)


BACKWARD = Exercise(
    id="02.3",
    points=4,
    answer_name="gradients",
    cases=gradient_cases,
    verify=halves_to_four_digits,
    explain=gradient_explain,
    without=("utils.lesson_02.exercises.gradients.backward",),
    wanted=lambda given, expected: (
        f"a pair of lists: the weights' gradients, of shapes {[part.shape for part in expected[0]]}, "
        f"and the biases', of shapes {[part.shape for part in expected[1]]}"
    ),
    misconceptions=[
        (lambda given, value, expected: has_form(value, given) and agree(value[::-1], expected),
         "The weights' gradients come first, then the biases'."),
        (lambda given, value, expected: len(expected[0]) > 1
         and agree([part[::-1] for part in value], expected),
         "The order of the layers is reversed: going backward one meets the last layer first, but the first layer's "
         "gradients stand first."),
        (lambda given, value, expected: agree([np.asarray(part).T for part in value[0]], expected[0]),
         "The weights' gradients are transposed: each has the shape of its matrix, (outputs, inputs)."),
        (lambda given, value, expected: agree([-np.asarray(part) for part in value[0]], expected[0]),
         "The sign is the wrong way round: the derivative of (y_hat - y)²/2 with respect to y_hat is y_hat - y. What "
         "training subtracts is the gradient; the gradient itself is asked for."),
        (scaled_by(lambda n, m: n * m),
         "The mean is missing: divide by the number of points times the number of outputs."),
        (scaled_by(lambda n, m: 2 * n * m),
         "The half and the mean are missing: the loss is half of the mean over all points and outputs."),
        (scaled_by(lambda n, m: 2),
         "Twice too large: the loss is half of the mean squared error, and the half cancels the 2."),
        (scaled_by(lambda n, m: m),
         "The mean is over points and outputs: divide by the number of outputs as well."),
        (scaled_by(lambda n, m: n),
         "The mean is over points and outputs: divide by the number of points as well."),
        (scaled_by(lambda n, m: 0.5),
         "Half of what it should be: the square's derivative brings a 2, which the half of the loss cancels."),
        (slipped(slope=always),
         "On the way back the derivative of the ReLU is missing: where a unit's z is negative it is 0, and nothing "
         "passes."),
        (slipped(slope=lambda z: 1.0 * (z < 0)),
         "The derivative of the ReLU is 1 where z is positive and 0 where it is negative; yours is the other way "
         "round."),
        (slipped(slope=relu),
         "On the way back multiply by the derivative of the ReLU, which is 0 or 1, not by the unit's output."),
        (slipped(activation=identity, slope=always),
         "The ReLU is missing, forward and backward: every layer but the last has one."),
        (slipped(activation=identity),
         "In the forward pass the ReLU is missing: what goes into the next layer is ReLU(z)."),
        (slipped(of_before=True),
         "A layer's weights multiply what comes into the layer: for its gradient take the H of the layer before, which "
         "is ReLU(Z), not the Z itself."),
        (slipped(last=(relu, always)),
         "The output layer is affine: no ReLU after it."),
        (slipped(last=(relu, positive)),
         "The output layer is affine: no ReLU after it, and so no derivative of one."),
        (slipped(through=lambda weight: weight.T),
         "On the way back, with points in rows, the error is multiplied by W itself, where the forward pass used W "
         "transposed."),
        (slipped(through=np.abs),
         "On the way back a layer's weights enter with their signs."),
        (biases_wrong(lambda given, one, right: agree(one * len(given["X"]), right)),
         "The weights are right. For the biases add up over the points: the mean is in the error already."),
        (biases_wrong(lambda given, one, right: one.shape == (len(given["X"]), *right.shape)
                      and agree(one.sum(axis=0), right)),
         "The weights are right. A bias acts on every point: add its gradient up over the points."),
        (biases_wrong(lambda given, one, right: one.shape == (len(given["X"]),) and close(one.sum(), right.sum())),
         "The weights are right. The biases are summed over the wrong axis: over the points, not over the units."),
        (biases_wrong(lambda given, one, right: one.size == 1 and close(float(one.ravel()[0]), float(right.sum()))),
         "The weights are right. Each bias has a gradient of its own: add up over the points only."),
    ],
    remarks=[
        (lambda given, value, expected: len(value) == 2 and len(value[0]) == len(expected[0]) - 1,
         "One layer's gradients are missing: there is one for every matrix and every bias, the first and the last "
         "included."),
        (lambda given, value, expected: not any(np.any(part) for parts in value for part in parts),
         "All are 0: so they would be where the loss has a minimum, which is not so here."),
        (in_other_form,
         "The numbers are right; return them as two lists: the gradients of all weights, then those of all biases."),
        (biases_wrong(lambda given, one, right: one.shape != right.shape and agree(one.ravel(), right)),
         "The numbers are right, the shape of the biases' gradients is not: one dimension, like the biases."),
        (only_last_right,
         "The last layer is right. To go one layer back, multiply the error by W, and by the derivative of the ReLU at "
         "the z of the layer before; then do with it what you did for the last layer."),
    ],
)
