"""Exercises 02.3 and 02.4: a backward pass by hand, and the error that a narrow layer cannot get below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from utils.exercises.definition import Exercise
from utils.exercises.running import withholdable
from utils.exercises.verdict import close

Array = np.ndarray
Gradients = list[list[Array]]

FLIP = np.eye(4)[[0, 2, 1, 3]]  # the matrix of the diagonal flip
IMAGES = np.stack(np.meshgrid(*[[0.0, 1.0]] * 4, indexing="ij"), axis=-1).reshape(16, 4)
TELLING = 0.02  # two answers count as different when they are at least this share apart

# --- 02.3, the backward pass ------------------------------------------------------------------------------


def gradient_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    yield {"weights": [np.array([[1.0, 0.0], [-1.0, 1.0]]), np.array([[1.0, 1.0], [0.0, 2.0]])],
           "biases": [np.zeros(2), np.array([0.0, 1.0])],
           "X": np.array([[1.0, 2.0], [3.0, 1.0]]), "Y": np.array([[1.0, 3.0], [3.0, 5.0]])}, None  # fmt: skip
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
                 "X": X, "Y": rng.normal(size=(len(X), sizes[-1]))}  # fmt: skip
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
) -> list[Array]:  # fmt: skip
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


def agree(value: object, expected: object) -> bool:
    """Return whether gradients agree: each to four digits of its largest entry, which float32 has even after a sum."""
    if isinstance(expected, list):
        return len(value) == len(expected) and all(map(agree, value, expected))
    return bool(close(value, expected, rtol=0.0, atol=1e-4 * float(np.abs(expected).max())))


def gradient_verify(given: dict, hidden: None, value: object, expected: Gradients) -> float:
    """Half for the weights and half for the biases."""
    return sum(0.5 * agree(part, right) for part, right in zip(value, expected, strict=True))


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
        return proportional(value[0], wrong[0]) and not proportional(wrong[0], expected[0])

    return matches


def proportional(value: Sequence[Array], other: Sequence[Array]) -> bool:
    """Return whether gradients are one and the same positive multiple of others."""
    factor = np.abs(np.asarray(value[-1])).max() / np.abs(other[-1]).max()
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
    verify=gradient_verify,
    explain=gradient_explain,
    without=("utils.exercises.lesson_02_parts.flip.backward",),
    wanted=lambda given, expected: (
        f"a pair of lists: the weights' gradients, of shapes {[part.shape for part in expected[0]]}, "
        f"and the biases', of shapes {[part.shape for part in expected[1]]}"
    ),
    misconceptions=[
        (lambda given, value, expected: len(value) == 2 and len(value[0]) == len(expected[0]) - 1,
         "One layer's gradients are missing: there is one for every matrix and every bias, the first and the last "
         "included."),
        (lambda given, value, expected: not any(np.any(part) for parts in value for part in parts),
         "All are 0: so they would be where the loss has a minimum, which is not so here."),
        (in_other_form,
         "The numbers are right; return them as two lists: the gradients of all weights, then those of all biases."),
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
        (biases_wrong(lambda given, one, right: one.shape != right.shape and agree(one.ravel(), right)),
         "The numbers are right, the shape of the biases' gradients is not: one dimension, like the biases."),
        (only_last_right,
         "The last layer is right. To go one layer back, multiply the error by W, and by the derivative of the ReLU at "
         "the z of the layer before; then do with it what you did for the last layer."),
    ],
)  # fmt: skip


# --- 02.4, the rank floor ---------------------------------------------------------------------------------


def rank_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    yield {"X": np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 1.0], [4.0, 1.0]]),
           "A": np.array([[1.0, 0.0], [0.0, 2.0]]), "width": 1}, None  # fmt: skip
    yield {"X": IMAGES, "A": FLIP, "width": 2}, None
    for shape in ((5, 5, 1), (5, 5, 3), (3, 6, 1), (6, 4, 2), (4, 4, 2)):
        yield telling_map(rng, *shape), None
    yield {**telling_map(rng, 5, 4, 2), "X": 3 + rng.normal(size=(4, 5))}, None  # four points: rank 3 at most
    thin = rng.normal(size=(5, 2)) @ rng.normal(size=(2, 4))  # of rank 2
    yield {"X": 1 + rng.normal(size=(12, 4)), "A": thin, "width": 2}, None
    yield {"X": 1 + rng.normal(size=(12, 3)), "A": rng.normal(size=(2, 3)), "width": 4}, None


def telling_map(rng: np.random.Generator, n_in: int, n_out: int, width: int) -> dict:
    """Return points of uneven spread around a place that is not 0, and a map, for which the usual slips show."""
    while True:
        spread, place = rng.uniform(0.3, 2.5, n_in), rng.uniform(-2, 2, n_in)
        X = place + spread * rng.normal(size=(int(rng.integers(12, 30)), n_in))
        given = {"X": X, "A": rng.normal(size=(n_out, n_in)), "width": width}
        right, others = tail(given), [slip(given) for slip in RANK_SLIPS]
        if all(abs(other - right) > TELLING * right for other in others) and right > 0:
            return given


def targets(given: dict) -> Array:
    """Return the map's outputs for all points."""
    return given["X"] @ given["A"].T


def spectrum(matrix: Array, *, centred: bool = True) -> Array:
    """Return the singular values, the largest first, of a matrix whose rows are points."""
    return np.linalg.svd(matrix - centred * matrix.mean(axis=0), compute_uv=False)


@withholdable
def tail(given: dict, *, more: int = 0, centred: bool = True, power: float = 2, of: Array | None = None) -> float:
    """Return the rank floor, with slips: another width, not centred, another power, another matrix."""
    values = spectrum(targets(given) if of is None else of, centred=centred)
    return float((values[max(given["width"] + more, 0) :] ** power).sum() / (2 * targets(given).size))


def smallest_kept(given: dict) -> float:
    """Return the floor with the largest singular values left out instead of the smallest."""
    values = spectrum(targets(given))
    return float((values[: max(len(values) - given["width"], 0)] ** 2).sum() / (2 * targets(given).size))


def captured(given: dict) -> float:
    """Return what the hidden layer carries, instead of what it loses."""
    return float((spectrum(targets(given))[: given["width"]] ** 2).sum() / (2 * targets(given).size))


def first_lost(given: dict) -> float:
    """Return the floor with only one singular value left out."""
    return float((spectrum(targets(given))[given["width"] :][:1] ** 2).sum() / (2 * targets(given).size))


def of_the_map(given: dict) -> float:
    """Return the sum of the squares of the map's own singular values that are left out."""
    return float((np.linalg.svd(given["A"], compute_uv=False)[given["width"] :] ** 2).sum())


def wrongly_centred(given: dict) -> float:
    """Return the floor with the mean over the outputs, point by point, taken away."""
    Y = targets(given)
    return tail(given, centred=False, of=Y - Y.mean(axis=1, keepdims=True))


def with_one_mean(given: dict) -> float:
    """Return the floor with the mean of all entries taken away, the same from every output."""
    Y = targets(given)
    return tail(given, centred=False, of=Y - Y.mean())


def outputs_given_up(given: dict, order: Callable[[Array], Array]) -> float:
    """Return what a layer loses that carries whole outputs, the first ones of ``order(variances)``."""
    variances = order(targets(given).var(axis=0))
    return float(variances[given["width"] :].sum() / (2 * len(variances)))


def descending(values: Array) -> Array:
    """Return the values, the largest first."""
    return np.sort(values)[::-1]


def of_the_flip(given: dict, variance: float, outputs: int) -> float:
    """Return the lesson's formula, which is for uncorrelated outputs of the same variance."""
    return variance * max(outputs - given["width"], 0) / (2 * outputs)


def flips_formulas(given: dict) -> list[float]:
    """Return what students put into the lesson's formula: the mean variance, all entries' variance, the flip's 1/4."""
    Y, n_out = targets(given), len(given["A"])
    variances = Y.var(axis=0).mean(), Y.var(axis=0, ddof=1).mean(), Y.var(), 0.25
    return [of_the_flip(given, variance, n_out) for variance in variances] + [of_the_flip(given, 0.25, 4)]


def by_inputs(given: dict, floor: float) -> list[float]:
    """Return the floor with a mean over the inputs instead of the outputs, with the points and the half or without."""
    n_out, n_in = given["A"].shape
    mean = floor * n_out / n_in
    return [mean, 2 * mean, len(given["X"]) * mean, 2 * len(given["X"]) * mean]


RANK_SLIPS = (
    lambda given: tail(given, more=1), lambda given: tail(given, more=-1), lambda given: tail(given, centred=False),
    lambda given: tail(given, power=1), lambda given: tail(given, power=4), smallest_kept, captured, wrongly_centred,
    lambda given: tail(given, of=given["X"]), of_the_map, lambda given: of_the_map(given) / (2 * len(given["A"])),
    with_one_mean, lambda given: outputs_given_up(given, identity), lambda given: outputs_given_up(given, descending),
    lambda given: flips_formulas(given)[0], lambda given: flips_formulas(given)[2],
)  # fmt: skip


def nothing(given: dict) -> float:
    """Return what counts as 0, in the units of the floor."""
    return 1e-9 * float(np.mean(targets(given) ** 2))


def rank_verify(given: dict, hidden: None, value: object, expected: float) -> float:
    """To four digits, which is enough for float32; a floor of 0 need not be exactly 0."""
    value = np.asarray(value)
    one_number = value.size == 1 and value.dtype.kind in "iuf"
    return float(one_number and close(float(value.ravel()[0]), expected, rtol=1e-4, atol=nothing(given)))


def equals(wrong: Callable[[dict, float], float]) -> Callable:
    """Return a rule: the value is what ``wrong(given, floor)`` gives."""

    def matches(given: dict, value: object, expected: float) -> bool:
        (number,) = np.ravel(np.asarray(value, dtype=float))
        return bool(close(float(number), float(wrong(given, expected)), rtol=1e-4, atol=nothing(given)))

    return matches


def equals_any(wrong: Callable[[dict, float], Sequence[float]]) -> Callable:
    """Return a rule: the value is one of those that ``wrong(given, floor)`` gives."""

    def matches(given: dict, value: object, expected: float) -> bool:
        candidates = wrong(given, expected)
        return any(equals(lambda given, floor, c=one: c)(given, value, expected) for one in candidates)

    return matches


def rank_explain(given: dict, value: object, expected: float) -> str:
    """Say what a result can be compared with: the best constant."""
    Y = targets(given)
    return (
        f"There are {len(Y)} points with {Y.shape[1]} outputs each. The best constant output, which needs no hidden "
        f"unit,\nalready has the half mean squared error {Y.var(axis=0).mean() / 2:.4g}."
    )


RANK = Exercise(
    id="02.4",
    points=3,
    answer_name="rank_floor",
    cases=rank_cases,
    verify=rank_verify,
    explain=rank_explain,
    without=("utils.exercises.lesson_02_parts.flip.tail",),
    misconceptions=[
        (lambda given, value, expected: np.asarray(value).size > 1,
         "Return one number: half of the mean squared error."),
        (equals(lambda given, floor: 2 * given["X"].shape[0] * len(given["A"]) * floor),
         "This is the sum of the squared errors: take the mean over points and outputs, and half of it."),
        (equals(lambda given, floor: 2 * floor),
         "This is the mean squared error: half of it is asked for."),
        (equals(lambda given, floor: len(given["A"]) * floor),
         "The mean is over points and outputs: divide by the number of outputs as well."),
        (equals(lambda given, floor: 2 * len(given["A"]) * floor),
         "The mean is over points and outputs: divide by the number of outputs as well, and take half."),
        (equals(lambda given, floor: len(given["X"]) * floor),
         "The mean is over points and outputs: divide by the number of points as well."),
        (equals(lambda given, floor: given["X"].shape[0] * len(given["A"]) * floor),
         "This is half of the sum: divide by the number of points times the number of outputs."),
        (equals(lambda given, floor: np.sqrt(floor)),
         "This is a root: an error squared is asked for."),
        (equals(lambda given, floor: tail(given, centred=False)),
         "Not centred: the output layer has a bias, which takes the targets' mean upon itself. Take each output's mean "
         "over the points away before you look at the rank."),
        (equals(lambda given, floor: wrongly_centred(given)),
         "Centred over the wrong axis: each output has a bias, so take away each output's mean over the points."),
        (equals(lambda given, floor: tail(given, power=1)),
         "The squares are missing: the squared error is the sum of the squares of the singular values left out."),
        (equals(lambda given, floor: tail(given, power=4)),
         "Squared twice: the eigenvalues of YᵀY are the squares of the singular values of Y already."),
        (equals(lambda given, floor: captured(given)),
         "This is what the hidden layer carries: what it must lose is asked for."),
        (equals(lambda given, floor: smallest_kept(given)),
         "The wrong ones are left out: the best rank r approximation keeps the r largest singular values. Look at the "
         "order in which yours come."),
        (equals(lambda given, floor: first_lost(given)),
         "All singular values after the first r are lost, not only the next one."),
        (equals(lambda given, floor: tail(given, more=1)),
         "One too many kept: r hidden units carry r directions. (The output bias is no further direction: it has taken "
         "the mean.)"),
        (equals(lambda given, floor: tail(given, more=-1)),
         "One too few kept: r hidden units carry r directions, and the mean is carried by the output bias."),
        (equals(lambda given, floor: floor * len(given["X"]) / (len(given["X"]) - 1)),
         "The mean over the points divides by their number n. `np.cov` divides by n − 1, unless it is told "
         "`bias=True`, and so does `var` with `ddof=1`."),
        (equals(lambda given, floor: with_one_mean(given)),
         "One number, the mean of all entries, is taken from every output. Each output has a bias of its own: take "
         "away each column's mean, `mean(axis=0)`."),
        (equals_any(by_inputs),
         "The mean is over all entries of the targets: divide by the number of points times the number of outputs, "
         "not of inputs."),
        (equals_any(lambda given, floor: flips_formulas(given)),
         "The flip's formula v (m − r)/(2m) does not apply: it is for outputs that vary alike and are uncorrelated. "
         "These need be neither: how much each direction of the targets varies, their singular values say."),
        (equals_any(lambda given, floor: [outputs_given_up(given, order) for order in (identity, descending)]),
         "You keep some outputs and give up others. A layer need not give up whole outputs: where they are "
         "correlated, there are directions between them that carry more than any output alone."),
        (equals_any(lambda given, floor: [
            of_the_map(given) * scale
            for scale in (1.0, 0.5, 0.5 / len(given["A"]), 0.5 / given["A"].size, 1 / len(given["A"]))]),
         "These are singular values of A alone: how much a direction counts depends on how far the points spread along "
         "it, too. Look at the matrix of all targets."),
        (equals_any(lambda given, floor: [
            tail(given, of=given["X"]) * scale for scale in (1.0, len(given["A"]) / len(given["A"].T))]),
         "These are singular values of the inputs: what has to be approximated are the targets, A x."),
        (equals(lambda given, floor: tail(given, of=given["X"] @ given["A"])),
         "The targets are A x for each row x of X: with points in rows that is X times A transposed."),
        (lambda given, value, expected: float(value) < expected,
         "Too low: no network gets there through so narrow a layer."),
        (lambda given, value, expected: float(value) > expected,
         "Too high: there is a network with a last hidden layer of this width that does better."),
    ],
)  # fmt: skip

EXERCISES = [BACKWARD, RANK]
