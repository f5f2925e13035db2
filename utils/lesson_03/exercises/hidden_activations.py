"""Exercise 03.5: what a hook collects, the activations after every hidden layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import draw_until
from utils.exercises.networks import identity, relu
from utils.exercises.rules import hints_of, returned_by
from utils.exercises.rules import same_to_four_digits as agree

Activations = list[np.ndarray]


def activation_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    yield (
        {
            "weights": [
                np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0]]),
                np.array([[1.0, -1.0, 1.0]]),
                np.array([[3.0], [-1.0]]),
            ],
            "biases": [np.array([0.0, -1.0, 0.5]), np.array([0.5]), np.array([0.0, 1.0])],
            "X": np.array([[1.0, 2.0], [3.0, -1.0]]),
        },
        None,
    )
    for hidden in (1, 2, 3, 4):
        n, *sizes = (rng.permutation(7)[: hidden + 3] + 2).tolist()  # no two alike, so that a wrong axis shows
        yield draw_until(is_telling, sample_case, rng, n, sizes), None
    yield draw_until(is_telling, sample_case, rng, 5, [4, 4, 4, 4, 4]), None
    yield draw_until(is_telling, sample_case, rng, 3, [3, 3, 3, 3]), None


def sample_case(rng: np.random.Generator, n: int, sizes: Sequence[int]) -> Inputs:
    """Return a random network, and a batch for it."""
    pairs = list(zip(sizes[1:], sizes, strict=False))
    return {
        "weights": [rng.normal(size=pair).round(2) for pair in pairs],
        "biases": [rng.normal(size=n_out).round(2) for n_out, _ in pairs],
        "X": rng.normal(size=(n, sizes[0])).round(2),
    }


def is_telling(given: Inputs) -> bool:
    """Return whether each hidden layer has units on and units off."""
    return all(0.2 < (h > 0).mean() < 0.8 for h in collected(given))


# --- what comes of which way to collect ---------------------------------------------------------------------


def collected(given: Inputs, *, activation: Callable = relu, bias: bool = True) -> Activations:
    """Return the activations after each hidden layer, with slips where they are asked for."""
    return [activation(z) for z in sums(given, activation=activation, bias=bias)[:-1]]


def sums(given: Inputs, *, activation: Callable = relu, bias: bool = True) -> Activations:
    """Return what each layer makes of its inputs, before its activation.

    Not by `networks.forward`: that is withheld from answers, and these mistakes are tried as answers.
    """
    h, found = given["X"], []
    for weight, shift in zip(given["weights"], given["biases"], strict=True):
        found.append(h @ weight.T + bias * shift)
        h = activation(found[-1])
    return found


def bias_behind_relu(given: Inputs) -> Activations:
    """Return what comes of adding each layer's bias to what its ReLU has made."""
    found = [given["X"]]
    for weight, bias in zip(given["weights"][:-1], given["biases"][:-1], strict=True):
        found.append(relu(found[-1] @ weight.T) + bias)
    return found[1:]


MISTAKES = [
    (
        lambda given: sums(given)[:-1],
        lambda given: collected(given, activation=identity),
        lambda given: [relu(z) for z in sums(given, activation=identity)[:-1]],
        "A ReLU is missing: in what you collect, in what goes on to the next layer, or in both. What a layer hands on, "
        "and what a hook on it collects, comes after it.",
    ),
    (
        lambda given: [*collected(given), sums(given)[-1]],
        lambda given: [*collected(given), relu(sums(given)[-1])],
        "The output is among your arrays: only the hidden layers' are asked for.",
    ),
    (
        lambda given: [given["X"], *collected(given)],
        lambda given: [given["X"], *collected(given)[:-1]],
        "The inputs are among your arrays: the first one is what comes out of the first hidden layer.",
    ),
    (
        lambda given: [
            relu(given["X"] @ weight.T + bias)
            for weight, bias in zip(given["weights"][:-1], given["biases"][:-1], strict=True)
        ],
        "Each of your layers is handed the batch itself: from the second one on it is handed what the layer before it "
        "made.",
    ),
    (
        lambda given: collected(given, bias=False),
        bias_behind_relu,
        "The biases are missing where the ReLU acts: they are added before it.",
    ),
    (
        lambda given: collected(given)[-1:],
        lambda given: collected(given)[-1],
        lambda given: collected(given)[:1],
        lambda given: collected(given)[0],
        "This is one hidden layer alone: return a list with the activations of all of them, when the loop is through.",
    ),
    (
        lambda given: [h.T for h in collected(given)],
        "Rows and columns have changed places: points stand in rows, in what you return, too.",
    ),
]


def explain_activations(given: Inputs, value: object, expected: Activations) -> str:
    """Say which of the arrays have the right shape, and which are right."""
    words = []
    for layer, (one, wanted) in enumerate(zip(value, expected, strict=True), 1):
        if np.shape(one) != wanted.shape:
            words.append(f"layer {layer} has the shape {np.shape(one)}, not {wanted.shape}")
        else:
            words.append(f"layer {layer} {'right' if agree([one], [wanted]) else 'wrong'}")
    return ", ".join(words)


def plot_activations(given: Inputs, value: list) -> tuple[object, str]:
    """Return a picture of each array, points in rows, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    arrays = [np.atleast_2d(np.asarray(one, dtype=float)) for one in value]
    widths = [1 + array.shape[1] for array in arrays]
    figure, axes = plt.subplots(1, len(arrays), squeeze=False, figsize=(10, 3), width_ratios=widths)
    words = []
    for layer, (ax, array) in enumerate(zip(axes[0], arrays, strict=True), 1):
        ax.imshow(array, cmap="Blues", vmin=0, vmax=max(1e-9, np.abs(array).max()), aspect="auto")
        for (row, column), number in np.ndenumerate(array):
            colour = "white" if number > 0.6 * np.abs(array).max() else COLOURS["black"]
            ax.text(column, row, f"{number:.1f}", ha="center", va="center", color=colour, fontsize=8)
        ax.set(title=f"array {layer}", xlabel="units", xticks=[], yticks=[])
        ax.grid(False)
        words.append(f"array {layer} has {array.shape[0]} rows and {array.shape[1]} columns")
    axes[0, 0].set_ylabel("points")
    figure.suptitle("What your function collects, points in rows: the darker, the larger")
    return figure, f"Tables of the numbers that your function returns: {'; '.join(words)}."


ACTIVATIONS = Exercise(
    id="03.5",
    points=2,
    answer_name="hidden_activations",
    cases=activation_cases,
    verify=lambda given, hidden, value, expected: float(agree(value, expected)),
    wanted=lambda given, expected: f"a list of arrays of the shapes {', '.join(str(part.shape) for part in expected)}",
    explain=explain_activations,
    plot=plot_activations,
    misconceptions=hints_of(MISTAKES, returned_by, same=agree),
    remarks=[
        (
            lambda given, value, expected: value is None,
            "If shapes do not fit: the batch goes into layer 0. Points stand in rows, a weight has the shape (outputs, "
            "inputs), so that a layer computes `H @ W.T + b`. And return a list: its arrays have different shapes.",
        ),
    ],
    without=["utils.exercises.networks.forward"],
)
