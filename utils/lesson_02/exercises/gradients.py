"""Exercise 02.3: a backward pass by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import draw_until
from utils.exercises.networks import SLOPES, Function, backward, forward, identity, relu
from utils.exercises.rules import Rule, halves_to_four_digits
from utils.exercises.rules import same_to_four_digits as agree
from utils.lesson_02.exercises.rank_floor import IMAGES
from utils.types import Array

Gradients = list[list[Array]]
TELLING = 0.02  # two answers count as different when they are at least this share apart


def gradient_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    yield (
        {
            "weights": [np.array([[1.0, 0.0], [-1.0, 1.0]]), np.array([[1.0, 1.0], [0.0, 2.0]])],
            "biases": [np.zeros(2), np.array([0.0, 1.0])],
            "X": np.array([[1.0, 2.0], [3.0, 1.0]]),
            "Y": np.array([[1.0, 3.0], [3.0, 5.0]]),
        },
        None,
    )
    telling_network = partial(draw_until, is_telling, network, rng)
    yield telling_network([4, 3, 4], IMAGES), None
    yield telling_network([4, 5, 2, 4], IMAGES), None
    for layers in (1, 2, 3, 4):
        n, *sizes = (rng.permutation(7)[: layers + 2] + 2).tolist()  # no two alike, so that a wrong axis shows
        yield telling_network(sizes, rng.normal(size=(n, sizes[0]))), None
    yield telling_network([3, 3, 3, 3], rng.normal(size=(5, 3))), None


def network(rng: np.random.Generator, sizes: Sequence[int], X: Array) -> Inputs:
    """Return a random network with targets."""
    pairs = list(zip(sizes[1:], sizes[:-1], strict=True))
    return {
        "weights": [rng.normal(size=pair) for pair in pairs],
        "biases": [rng.normal(size=n_out) for n_out, _ in pairs],
        "X": X,
        "Y": rng.normal(size=(len(X), sizes[-1])),
    }


def is_telling(given: Inputs) -> bool:
    """Return whether units are away from their bends, on both sides, bends matter, and every layer has a gradient."""
    hidden = forward(given["weights"], given["X"], given["biases"])[1][:-1]
    if any(np.abs(z).min() < 1e-3 or not 0.1 < (z > 0).mean() < 0.9 for z in hidden):
        return False
    right = gradients_of(given)[0]
    if min(np.abs(gradient).max() for gradient in right) < 1e-3:
        return False
    no_bends, of_sums = gradients_of(given, slope=np.ones_like)[0], gradients_of(given, of_sums=True)[0]
    return not hidden or apart(no_bends[0], right[0]) > TELLING and apart(of_sums[-1], right[-1]) > TELLING


def apart(a: Array, b: Array) -> float:
    """Return the largest difference of two arrays, as a share of the second's largest entry."""
    return float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-12))


def gradients_of(
    given: Inputs,
    *,
    activation: Function = relu,
    slope: Function = SLOPES[relu],
    of_sums: bool = False,
    last: tuple[Function, Function] = (identity, np.ones_like),
) -> Gradients:
    """Return the gradients of half the mean squared error, with slips where they are asked for.

    slope: what is taken for the activation's derivative. of_sums: multiply the errors by what came out of the layer
    before without its activation. last: an activation of the output layer, and its derivative.
    """
    inputs, before = forward(given["weights"], given["X"], given["biases"], activation)
    if of_sums:
        inputs = [given["X"], *before[:-1]]
    error = (last[0](before[-1]) - given["Y"]) * last[1](before[-1]) / given["Y"].size
    weights, errors = backward(given["weights"], inputs, before, error, slope)
    return [weights, [error.sum(axis=0) for error in errors]]


def gradient_explain(given: Inputs, value: Gradients, expected: Gradients) -> str:
    """Say which layers' gradients are right."""
    lines = []
    for name, part, right in zip(("weights", "biases"), value, expected, strict=True):
        verdicts = [agree(one, wanted) for one, wanted in zip(part, right, strict=True)]
        words = ", ".join(f"layer {k} {'right' if good else 'wrong'}" for k, good in enumerate(verdicts, 1))
        lines.append(f"gradients of the {name}: {words}")
    return "\n".join(lines)


def in_other_form(given: Inputs, value: object, expected: Gradients) -> bool:
    """Return whether the right gradients came in another order, in one row, in pairs, or in other shapes."""
    weights, biases = expected
    in_pairs = [list(pair) for pair in zip(weights, biases, strict=True)]
    in_a_row = [part for pair in in_pairs for part in pair]
    forms = [
        [biases, weights],
        [weights[::-1], biases[::-1]],
        [[weight.T for weight in weights], biases],
        [weights, biases[::-1]],
        [weights[::-1], biases],
        in_pairs,
        in_a_row,
        weights + biases,
        [weights, [bias[None] for bias in biases]],
        [weights, [bias[:, None] for bias in biases]],
    ]
    return any(_agrees(value, form) for form in forms)


def _agrees(value: object, form: list) -> bool:
    try:
        return agree(value, form)
    except (TypeError, ValueError):  # as long as the form, and otherwise built
        return False


def slipped(**slip: object) -> Rule:
    """Return a rule: the weights' gradients are what comes of a slip, whatever the factor."""
    return lambda given, value, expected: are_multiples(value[0], gradients_of(given, **slip)[0])


def are_multiples(value: Sequence[Array], other: Sequence[Array]) -> bool:
    """Return whether gradients are one and the same multiple of others."""
    place = np.unravel_index(np.abs(other[-1]).argmax(), np.shape(other[-1]))
    theirs = other[-1][place]
    factor = np.asarray(value[-1])[place] / theirs if theirs else 1.0
    return factor != 0 and all(agree(np.asarray(one) / factor, two) for one, two in zip(value, other, strict=True))


def only_last_right(given: Inputs, value: Gradients, expected: Gradients) -> bool:
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
    without=("utils.exercises.networks.forward", "utils.exercises.networks.backward"),
    wanted=lambda given, expected: (
        f"a pair of lists: the weights' gradients, of shapes {[part.shape for part in expected[0]]}, "
        f"and the biases', of shapes {[part.shape for part in expected[1]]}"
    ),
    misconceptions=[  # no table: a way would be the answer itself, which is withheld
        (
            lambda given, value, expected: not agree(value[0], expected[0]) and are_multiples(value[0], expected[0]),
            "The weights' gradients are right but for one factor, perhaps the sign. The loss is half of the mean over "
            "all points and all outputs: the half cancels the 2 of the square, the mean divides by n·m, and the "
            "derivative of (y_hat - y)²/2 with respect to y_hat is y_hat - y.",
        ),
        (
            slipped(slope=np.ones_like),
            "On the way back, you leave out the derivative of the ReLU. It is 0 where a unit's z is negative, and "
            "nothing passes there.",
        ),
        (
            slipped(activation=identity),
            "In the forward pass, you leave out the ReLU: what goes into the next layer is ReLU(z).",
        ),
        (
            slipped(of_sums=True),
            "A layer's weights multiply what comes into the layer: for its gradient take the H of the layer "
            "before, which is ReLU(Z), not the Z itself.",
        ),
        (
            slipped(last=(relu, SLOPES[relu])),
            "You put a ReLU after the output layer. It has none, and so there is no derivative of one.",
        ),
    ],
    remarks=[
        (
            in_other_form,
            "The numbers are right, but not their form. Return two lists, first the gradients of all weights, each of "
            "the shape of its matrix, (outputs, inputs), then those of all biases, vectors. In both, the first layer "
            "comes first.",
        ),
        (
            lambda given, value, expected: agree(value[0], expected[0]),
            "The weights are right. A bias acts on every point: add its gradient up over the points, not over the "
            "units. The mean is in the error already.",
        ),
        (
            only_last_right,
            "The last layer is right. To go one layer back, multiply the error by W, and by the derivative of the "
            "ReLU at the z of the layer before; then do with it what you did for the last layer.",
        ),
    ],
)
