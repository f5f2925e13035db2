"""Exercise 06.4: which networks will not train, by the loss's own gradient at the first layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.networks import SLOPES, Weights, backward, forward
from utils.exercises.rules import Solver, hints_of, returned_by
from utils.exercises.verdicts import Verdicts, same_words
from utils.lesson_06.exercises.gradient_norms import ACTIVATIONS, at_end, gradients, of_loss

VANISHES, EXPLODES, SURVIVES = LABELS = ("vanishes", "explodes", "survives")
LOW, HIGH = 0.01, 100
RANGES = {  # of the norms: half of the networks are as near to a limit as the page allows, within a factor of 2
    VANISHES: ((0, 1e-3), (1e-3, LOW / 2)),
    EXPLODES: ((2 * HIGH, 4 * HIGH), (4 * HIGH, 1e6)),
    SURVIVES: ((2 * LOW, 4 * LOW), (HIGH / 4, HIGH / 2)),
}
CASES, INPUTS, WIDE, WIDTH = 12, 6, 20, 6  # the first layer is wide: each of its gradient's many entries is small
SCALES = (0.1, 0.2, 5.0)  # of the inputs: roots of their mean squares
CHAINS = (("relu", 3.0), ("tanh", 3.0), ("relu", 1.0))  # of the worked example: the one weight of each layer

Look = Callable[..., str]  # from an activation, weights, inputs and targets to a verdict


def worked_example() -> Inputs:
    """Return three chains of one unit a layer, with four hidden layers each; the input is 1, and the target 0."""
    chains = [[activation, [np.array([[weight]])] * 5] for activation, weight in CHAINS]
    return {"networks": chains, "X": np.ones((1, 1)), "y": np.zeros(1)}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return cases of three networks, in which each verdict is as frequent."""
    return [of_verdicts(rng, wanted) for wanted in rng.permutation(np.repeat(LABELS, CASES)).reshape(CASES, 3)]


def of_verdicts(rng: np.random.Generator, verdicts: Sequence[str]) -> Inputs:
    """Return networks on the same inputs and targets; the targets' mean is 0 and their mean square 1.

    Inputs that are small or large tell the gradient of the weights from those of what goes into units.
    """
    X, y = rng.normal(size=(INPUTS, WIDTH)), rng.normal(size=INPUTS)
    X, y = (part / np.sqrt(np.mean(part**2)) for part in (X, y - y.mean()))
    X, y = (rng.choice(SCALES) * X).round(3), y.round(3)
    return {"networks": [network(rng, X, y, wanted) for wanted in verdicts], "X": X, "y": y}


def network(rng: np.random.Generator, X: np.ndarray, y: np.ndarray, wanted: str) -> list:
    """Return the activation and the weights of a network of which this verdict is true, and clearly so.

    All layers have one gain, but for one that is much larger or smaller, and perhaps another that makes up for it.
    """
    low, high = RANGES[wanted][rng.integers(2)]
    while True:
        activation, sizes = str(rng.choice(["tanh", "relu"])), [WIDTH, WIDE, *[WIDTH] * rng.integers(7, 11), 1]
        gain, power = rng.uniform(0.6, 4 if activation == "tanh" else 2.2), 10.0 ** rng.integers(-3, 4)
        factors = np.ones(len(sizes) - 1)
        factors[rng.choice(len(factors), 2, replace=False)] = power, rng.choice([1, 1 / power])
        weights = [
            factor * (gain / np.sqrt(n_in) * rng.normal(size=(n_out, n_in))).round(3)
            for factor, n_in, n_out in zip(factors, sizes[:-1], sizes[1:], strict=True)
        ]
        if low <= np.linalg.norm(gradients(activation, weights, X, y)[0]) <= high:
            return [activation, weights]


# --- what comes of which way to look ------------------------------------------------------------------------


def verdict(size: float) -> str:
    """Return what is said of a gradient of this size."""
    return VANISHES if size < LOW else EXPLODES if size > HIGH else SURVIVES


def each(look: Look) -> Solver:
    """Return the way to answer that looks at each network like this."""
    return lambda given: [look(*network, given["X"], given["y"]) for network in given["networks"]]


def by_norms(size: Callable[[np.ndarray], float], activation: str = "", **errors: Callable) -> Solver:
    """Return the way to judge by one number made of all layers' norms, as if of this activation where one is named."""
    return each(
        lambda own, *about: verdict(
            size(np.array([np.linalg.norm(gradient) for gradient in gradients(activation or own, *about, **errors)]))
        )
    )


def by_first(size: Callable[[np.ndarray], float]) -> Solver:
    """Return the way to judge by another size of the first layer's gradient."""
    return each(lambda *about: verdict(size(gradients(*about)[0])))


def by_signal_gradient(change: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Solver:
    """Return the way to judge by the gradient with respect to the signal, on its way back beyond the first matrix.

    ``change`` takes the gradient with respect to what goes into the first units [n, units], and the first matrix.
    """

    def look(activation: str, weights: Weights, X: np.ndarray, y: np.ndarray) -> str:
        act = ACTIVATIONS[activation]
        inputs, before = forward(weights, X, activation=act)
        delta = backward(weights, inputs, before, of_loss(before[-1], y[:, None]), SLOPES[act])[1][0]
        return verdict(float(np.linalg.norm(change(delta, weights[0]))))

    return each(look)


def by_gain(limit: float, critical: float) -> Solver:
    """Return the way to judge by the mean gain of all layers but the last, ``critical`` being ReLU's critical one."""

    def look(activation: str, weights: Weights, *_: np.ndarray) -> str:
        gain = np.mean([_rms(weight) * np.sqrt(weight.shape[1]) for weight in weights[:-1]])
        gain /= critical if activation == "relu" else 1
        return VANISHES if gain < 1 / limit else EXPLODES if gain > limit else SURVIVES

    return each(look)


def by_signal(place: int, size: Callable[[np.ndarray], float]) -> Solver:
    """Return the way to judge by the size of the pre-activations in one layer."""
    return each(lambda own, weights, X, y: verdict(size(forward(weights, X, activation=ACTIVATIONS[own])[1][place])))


def _rms(signal: np.ndarray) -> float:
    return float(np.sqrt(np.mean(signal**2)))


@np.errstate(divide="ignore", invalid="ignore")  # a dead layer leaves no gradient at all
def _first_to_last(norms: np.ndarray) -> float:
    return norms[0] / norms[-1]


reference = by_norms(lambda norms: norms[0])
MISTAKES = [
    (
        *(by_signal(place, size) for place in (-1, -2) for size in (_rms, np.linalg.norm)),
        *(by_gain(limit, critical) for limit in (1.1, 1.2, 1.3) for critical in (1, np.sqrt(2))),
        "You look at the weights, or at the signal on its way forward. In a tanh network the signal stays bounded "
        "while the gradient explodes: take the gradient of the loss at the first layer.",
    ),
    (
        by_signal_gradient(lambda delta, first: delta @ first),
        "You take the loss's gradient with respect to the inputs. It says how the loss changes with the data, which "
        "nobody trains: G is the norm of the gradient with respect to the first weight matrix.",
    ),
    (
        by_norms(lambda norms: 1 / max(norms[0], 1e-9)),
        "Two words have changed places: where the gradient is small it vanishes, and where it is large it explodes.",
    ),
    (
        by_first(lambda g: np.abs(g).mean()),
        by_first(_rms),
        by_first(lambda g: np.abs(g).max()),
        by_first(lambda g: np.sum(g**2)),
        by_first(lambda g: INPUTS * np.linalg.norm(g)),
        by_signal_gradient(lambda delta, first: delta),
        *(
            by_norms(lambda norms: norms[0], errors=errors)
            for errors in (
                lambda outputs, targets: np.ones_like(outputs),
                lambda outputs, targets: np.ones_like(outputs) / len(outputs),
                lambda outputs, targets: of_loss(outputs, targets.mean()),
            )
        ),
        "You look at the first layer's gradient, but at another size of it, or of another loss, or with respect to "
        "something else than the matrix. The norm is the root of the sum of all squares. The loss is a mean over the "
        "rows, and each output goes with its own target: give both the same shape.",
    ),
    (
        by_norms(lambda norms: norms[-1]),
        by_norms(np.max),
        by_norms(np.min),
        by_norms(np.mean),
        by_norms(_first_to_last),
        by_norms(lambda norms: _first_to_last(norms[::-1])),
        "You look at the last layer, at all of them together, or at how two compare. Only the norm at the first layer "
        "decides. Is your order that of the layers?",
    ),
    (
        *(by_norms(lambda norms: norms[0], one) for one in ACTIVATIONS),
        each(lambda own, *about: verdict(np.linalg.norm(gradients(own, *about, at_end(own))[0]))),
        "You use one activation for all networks, or none, or one after the output, too. Each network begins with the "
        "name of its own, which acts after each matrix but the last.",
    ),
]
FORM = Verdicts("networks", LABELS)


def explain_training(given: Inputs, value: object, expected: Sequence[str]) -> str:
    """Say which networks the value is wrong about, and what the norm is there."""
    told = FORM.explain(given, value, expected)
    wrong = [given["networks"][place] for place in told and FORM.wrong(value, expected)]
    norms = [np.linalg.norm(gradients(*network, given["X"], given["y"])[0]) for network in wrong]
    return told and f"{told} There G is {', '.join(f'{norm:.3g}' for norm in norms)}."


WILL_NOT_TRAIN = Exercise(
    id="06.4",
    points=2,
    answer_name="will_not_train",
    without=["utils.exercises.networks.forward", "utils.exercises.networks.backward"],
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *sample_cases(rng)], reference, MISTAKES),
    verify=FORM.verify,
    explain=explain_training,
    misconceptions=hints_of(MISTAKES, returned_by, same=same_words),
    remarks=[
        (FORM.fits_not, 'Return a list with "vanishes", "explodes" or "survives" for each network.'),
        (
            lambda given, value, expected: FORM.fits(given, value),
            "You are told G for the networks that you are wrong about. Print what your function compares with the "
            "limits there: it should be the same number.",
        ),
    ],
)
