"""Exercise 06.4: which networks will not train, by the loss's own gradient at the first layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Way, hints_of, returned_by
from utils.exercises.verdicts import Verdicts, right_unless, same_words
from utils.lesson_06.exercises.backward import Weights, backward, forward, loss_norms, residuals

VANISHES, EXPLODES, SURVIVES = VERDICTS = ("vanishes", "explodes", "survives")
LOW, HIGH = 0.01, 100
CLEAR = 2  # the factor by which no norm is nearer to either
INPUTS, WIDTH = 6, 6
DIGITS = 3  # that each weight has after the point
CHAINS = (("relu", 3.0), ("tanh", 3.0), ("relu", 1.0))  # of the worked example: the one weight of each layer
SHRINKING = (8, 7, 7, 6, 6, 5, 5, 4, 4, 3)  # the hidden sizes of a network that becomes narrow
WIDE = (30, *[WIDTH] * 9)  # whose first gradient has many entries, each of them small beside the norm

Network = tuple[str, Weights]
Look = Callable[[str, Weights, np.ndarray, np.ndarray], str]  # from a network and data to a verdict


def worked_example() -> Given:
    """Three chains of one unit a layer, with four hidden layers each; the input is 1, and the target 0."""
    chains = [[activation, [np.array([[weight]])] * 5] for activation, weight in CHAINS]
    return {"networks": chains, "X": np.ones((1, 1)), "y": np.zeros(1)}


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return cases in a random order, of networks in a random order."""
    return [of_kinds(rng, [CASES[i][j] for j in rng.permutation(len(CASES[i]))]) for i in rng.permutation(len(CASES))]


def of_kinds(rng: np.random.Generator, kinds: Sequence[tuple]) -> Given:
    """Return networks of these kinds on the same inputs and targets, both of mean square 1; the targets' mean is 0."""
    X, y = rng.normal(size=(INPUTS, WIDTH)), rng.normal(size=INPUTS)
    X, y = ((part / np.sqrt(np.mean(part**2))).round(DIGITS) for part in (X, y - y.mean()))
    return {"networks": [list(network(rng, kind, X, y)) for kind in kinds], "X": X, "y": y}


def network(rng: np.random.Generator, kind: tuple, X: np.ndarray, y: np.ndarray) -> Network:
    """Return a network of this kind: the first gradient's norm, and its largest entry, lie in the kind's range."""
    activation, make, low, high, *most = kind
    while True:
        weights = make(rng)
        gradient = backward(weights, X, activation, residuals(weights, X, y, activation))[0][0]
        if low <= np.linalg.norm(gradient) <= high and np.abs(gradient).max() < min(most, default=np.inf):
            return activation, weights


# --- kinds of networks --------------------------------------------------------------------------------------


def _gaussian(rng: np.random.Generator, gain: float, n_out: int, n_in: int) -> np.ndarray:
    return gain / np.sqrt(n_in) * rng.normal(size=(n_out, n_in))


def _uniform(rng: np.random.Generator, gain: float, n_out: int, n_in: int) -> np.ndarray:
    return gain * np.sqrt(3 / n_in) * rng.uniform(-1, 1, (n_out, n_in))


def _orthogonal(rng: np.random.Generator, gain: float, n_out: int, n_in: int) -> np.ndarray:
    square = np.linalg.qr(rng.normal(size=(max(n_out, n_in),) * 2))[0]
    return gain * square[:n_out, :n_in]


def plain(
    gain: float,
    depth: int = 11,
    draw: Callable[..., np.ndarray] = _gaussian,
    hidden: Sequence[int] | None = None,
    factors: dict[int, float] | None = None,
) -> Callable[[np.random.Generator], list[np.ndarray]]:
    """Return what draws the weights of a network; ``factors`` multiply the weights of single layers."""
    sizes = (WIDTH, *(hidden or (WIDTH,) * depth), 1)

    def make(rng: np.random.Generator) -> list[np.ndarray]:
        weights = [
            draw(rng, gain, n_out, n_in).round(DIGITS) for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True)
        ]
        for place, factor in (factors or {}).items():
            weights[place] = factor * weights[place]
        return weights

    return make


def dead(rng: np.random.Generator) -> list[np.ndarray]:
    """Return weights in which one layer of ReLU answers to nothing: all of its weights are negative."""
    weights = plain(1.4, depth=8)(rng)
    weights[4] = -np.abs(weights[4])
    return weights


GONE, GROWN, FINE = (0, LOW / CLEAR), (HIGH * CLEAR, 1e6), (LOW * CLEAR, HIGH / CLEAR)
SMALL, LARGE = (FINE[0], 0.05), (30, FINE[1])  # survive, and a square, or the sum of all entries, would not
QUIET = (0.1, 1)  # survives, and would not with n × n differences where outputs are small
MORE = (GROWN[0], 500)  # explodes, and a mean over the entries would not
CASES = (  # that tell mistakes apart: no two of them are wrong in the same way everywhere
    (("relu", plain(1.5, factors={3: 0.001, 6: 1000.0}), *FINE), ("tanh", plain(2.0), *LARGE),
     ("tanh", plain(1.2, depth=13, draw=_uniform), *FINE)),
    (("relu", plain(1.5, draw=_uniform, hidden=WIDE, factors={4: 1000.0, 7: 0.001}), *SMALL, LOW),
     ("tanh", plain(1.3, factors={-1: 0.001}), *GONE), ("tanh", plain(1.0, depth=13, draw=_orthogonal), *FINE)),
    (("relu", plain(1.5, factors={7: 0.0005}), *GONE), ("tanh", plain(1.7, hidden=SHRINKING), *LARGE),
     ("tanh", plain(1.1), *SMALL)),
    (("relu", plain(2.2, hidden=SHRINKING), *MORE), ("tanh", plain(5.0), *MORE),
     ("relu", plain(1.5, factors={0: 0.01}), *QUIET)),
    (("relu", plain(1.6), *LARGE), ("tanh", plain(1.2, factors={5: 0.003}), *GONE),
     ("relu", plain(1.7, draw=_orthogonal, factors={2: 0.001, 8: 1000.0}), *FINE)),
    (("relu", plain(0.8), *GONE), ("relu", dead, *GONE), ("tanh", plain(0.6), *GONE)),
    (("relu", plain(1.45, hidden=WIDE, factors={5: 60.0}), *MORE, HIGH),
     ("tanh", plain(0.577, depth=10, draw=_uniform), *GONE), ("tanh", plain(1.5, factors={0: 40.0}), *GONE)),
    (("relu", plain(2.3, hidden=WIDE), *MORE, HIGH), ("tanh", plain(8.0, depth=11), *GROWN),
     ("relu", plain(1.0, depth=12), *GONE)),
)


# --- what comes of which way to look ------------------------------------------------------------------------


def _final_size_verdict(size: float) -> str:
    return VANISHES if size < LOW else EXPLODES if size > HIGH else SURVIVES


def each(look: Look) -> Way:
    """Return the way to answer that looks at each network like this."""
    return lambda given: [
        look(activation, weights, given["X"], given["y"]) for activation, weights in given["networks"]
    ]


def by_norms(size: Callable[[np.ndarray], float], one: str | None = None) -> Look:
    """Return the look at one number made of all layers' norms, as if all networks had one activation if it is named."""
    return lambda activation, weights, X, y: _final_size_verdict(size(loss_norms(weights, X, y, one or activation)))


def of_loss(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return the errors that the loss has, [n, 1]."""
    return 2 / len(outputs) * (outputs - targets)


def by_first(
    size: Callable[[np.ndarray], float] = np.linalg.norm,
    errors: Callable[[np.ndarray, np.ndarray], np.ndarray] = of_loss,
) -> Look:
    """Return the look at another size of the first layer's gradient, or at that of other errors."""

    def look(activation: str, weights: Weights, X: np.ndarray, y: np.ndarray) -> str:
        made = errors(forward(weights, X, activation)[-1], y[:, None])
        return _final_size_verdict(size(backward(weights, X, activation, made)[0][0]))

    return look


def by_gain(limit: float, *, known: bool) -> Look:
    """Return the look at the mean gain of all layers but the last, over the critical one if it is known."""

    def look(activation: str, weights: Weights, X: np.ndarray, y: np.ndarray) -> str:
        gain = np.mean([_rms(weight) * np.sqrt(weight.shape[1]) for weight in weights[:-1]])
        gain /= np.sqrt(2) if known and activation == "relu" else 1
        return VANISHES if gain < 1 / limit else EXPLODES if gain > limit else SURVIVES

    return look


def _rms(signal: np.ndarray) -> float:
    return float(np.sqrt(np.mean(signal**2)))


def by_signal(place: int) -> Look:
    """Return the look at the rms of the pre-activations in one layer."""
    return lambda activation, weights, X, y: _final_size_verdict(_rms(forward(weights, X, activation)[place]))


def by_extremes(activation: str, weights: Weights, X: np.ndarray, y: np.ndarray) -> str:
    """Judge by the smallest and the largest norm of all layers."""
    norms = loss_norms(weights, X, y, activation)
    return VANISHES if norms.min() < LOW else EXPLODES if norms.max() > HIGH else SURVIVES


def renamed(words: dict[str, str]) -> Look:
    """Return the right look, with other words for some verdicts."""
    return lambda *about: words.get(word := at_first(*about), word)


@np.errstate(divide="ignore", invalid="ignore")  # a dead layer leaves no gradient at all
def _first_to_last(norms: np.ndarray) -> float:
    return norms[0] / norms[-1]


at_first = by_norms(lambda norms: norms[0])
right = each(at_first)
LOOKS = [
    (by_signal(-1), by_signal(-2),
     "You look at the signal on its way forward. In a tanh network it stays bounded while the gradient explodes: take "
     "the gradient of the loss at the first layer."),
    (by_norms(_first_to_last), by_norms(lambda norms: _first_to_last(norms[::-1])),
     "You compare the first layer with the last. In a ReLU network the two can vanish, or explode, together: it is the "
     "norm at the first layer itself that counts."),
    (by_first(errors=lambda outputs, targets: np.ones_like(outputs)),
     by_first(errors=lambda outputs, targets: np.ones_like(outputs) / len(outputs)),
     "This is the gradient of the outputs, without the loss. Where outputs explode, so do the errors, and both count."),
    (by_first(errors=lambda outputs, targets: 2 * (outputs - targets)),
     "Your loss is a sum, and the mean is asked for: does your function for 06.2 pass its check?"),
    (by_first(errors=lambda outputs, targets: 2 / len(outputs) * (outputs - targets.mean())),
     "Your loss is made of n × n differences, each output with each target: does your function for 06.2 pass its "
     "check?"),
    (*(by_gain(limit, known=known) for limit in (1.1, 1.2, 1.3) for known in (True, False)),
     "You judge by the weights: compute the gradient."),
    (by_norms(lambda norms: norms[0] ** 2),
     "You compare the squared norm with the two limits: take its root first."),
    (by_first(lambda g: np.abs(g).mean()), by_first(_rms), by_first(lambda g: np.abs(g).max()),
     "You take a mean of the gradient's entries, or the largest of them: the norm is the root of the sum of all their "
     "squares."),
    (by_norms(lambda norms: norms[-1]), by_extremes, by_norms(np.max), by_norms(np.min), by_norms(np.mean),
     "You look at the last layer, or at all of them together: the norm at the first one alone decides. Is your order "
     "that of the layers?"),
    (*(by_norms(lambda norms: norms[0], one) for one in ("tanh", "relu", "linear")),
     "You use one activation for all networks, or none: each network begins with the name of its own."),
    (renamed({VANISHES: EXPLODES, EXPLODES: VANISHES}),
     "The two are exchanged: a norm below 0.01 vanishes, one above 100 explodes."),
    (renamed({EXPLODES: VANISHES}), renamed({VANISHES: EXPLODES}),
     "You have one word for both ways to fail: a gradient that vanishes and one that explodes are two things."),
]
MISTAKES = [(*map(each, looks), hint) for *looks, hint in LOOKS]
GUESSES = [
    each(
        lambda activation, weights, X, y: _final_size_verdict(
            np.mean(residuals(weights, X, y, activation) ** 2) * len(y) ** 2 / 4
        )
    ),
    each(renamed({EXPLODES: SURVIVES})),
    each(renamed({SURVIVES: VANISHES})),
]
FORM = Verdicts("networks", VERDICTS)


WILL_NOT_TRAIN = Exercise(
    id="06.4",
    points=2,
    answer_name="will_not_train",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *drawn(rng)], right, MISTAKES, GUESSES),
    verify=FORM.verify,
    explain=FORM.explain,
    misconceptions=hints_of(MISTAKES, returned_by, same=same_words),
    remarks=[
        (FORM.fits_not,
         'Return a list with "vanishes", "explodes" or "survives" for each network.'),
        (right_unless(said=SURVIVES),
         "A network that vanishes or explodes is said to survive, and nothing else is wrong here: is your gradient the "
         "loss's own, and that at the first layer?"),
        (right_unless(wanted=SURVIVES),
         "A network that survives is said to vanish or to explode, and nothing else is wrong here: the gain alone does "
         "not decide it, nor does a single layer."),
    ],
)
