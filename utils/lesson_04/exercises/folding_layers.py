"""Exercise 04.2: the layers that fold a sheet k times each way, half a cell beside the grid lines.

Points and shifts are in sides of the sheet, which is the unit square then.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.layers import Layers, computes, evaluate, layers_of, remarks_on_layers, sizes_in_words, sizes_of
from utils.exercises.rules import hints_of

FOLDS = (1, 2, 3, 4, 5, 6)
SIDES = (1.25, 8.0)  # from, to; 1 in the worked example
SHARES = (0.07, 0.93)  # where in each square the colour is looked at
TENTS = np.array([[2, -4, 0, 0], [0, 0, 2, -4]])
CREASES = np.array([0, -0.5, 0, -0.5])
SPLIT = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])  # two units for each coordinate
PLACES = np.stack(np.meshgrid(np.linspace(0.003, 0.998, 17), np.linspace(0.002, 0.997, 19)), axis=-1).reshape(-1, 2)


def sample_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield a board for each number of folds, the worked example first."""
    for k in FOLDS:
        yield {"k": k, "side": 1.0 if k == 1 else round(rng.uniform(*SIDES), 2)}, None


def _wanted_sizes(k: int) -> list[int]:
    return [2, *[4] * k, 2]


def _half_a_cell(k: int) -> float:
    return 0.5 ** (k + 1)


def points_of(k: int, shares: tuple[float, ...] = SHARES) -> np.ndarray:
    """Return points [points, 2] in each of the 2^k × 2^k squares, row by row from the bottom."""
    along = ((np.arange(2**k)[:, None] + np.array(shares)) / 2**k).ravel()
    return np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)


def board(k: int, X: np.ndarray) -> np.ndarray:
    """Return the colours of points, [points]: 1 in the square at the origin, -1 in its neighbours, and so on."""
    return 1 - 2 * (np.floor(X * 2**k).sum(axis=1) % 2)


def colours(layers: Layers, X: np.ndarray) -> np.ndarray:
    """Return the sign of |a + b| − |a − b| of the network's two outputs."""
    a, b = evaluate(layers, X).T
    return np.sign(np.abs(a + b) - np.abs(a - b))


def is_right(given: Inputs, layers: Layers) -> np.ndarray:
    """Return which points of the board, [squares, points of a square], have the right colour."""
    k, n, of_each = given["k"], 2 ** given["k"], len(SHARES)
    X = points_of(k)
    right = (colours(layers, given["side"] * X) == board(k, X)).reshape(n, of_each, n, of_each)
    return right.transpose(0, 2, 1, 3).reshape(n**2, of_each**2)


def is_board(given: Inputs, layers: Layers) -> bool:
    """Return whether the layers have the sizes asked for and the colours are right at all points."""
    return sizes_of(layers) == _wanted_sizes(given["k"]) and bool(is_right(given, layers).all())


# --- what comes of which mistake ----------------------------------------------------------------------------


def built(
    given: Inputs, *, shift: float | None = None, later: object = CREASES, unit: float = 1.0, middle: float = 0.5
) -> Layers:
    """Return the layers, with some part other than it should be; shift: before the first fold, in sides."""
    k, inner = given["k"], SPLIT @ TENTS
    first = unit * (CREASES + (_half_a_cell(k) if shift is None else shift))
    return [(SPLIT / given["side"], first), *[(inner, np.array(later))] * (k - 1), (TENTS, np.full(2, -middle))]


def at_places(given: Inputs, layers: Layers) -> np.ndarray:
    """Return the layers' outputs at PLACES of the sheet, as shares of the largest: their size is free."""
    outputs = evaluate(layers, given["side"] * PLACES)
    return outputs / np.abs(outputs).max()


MISTAKES = [
    (
        lambda given: built(given, shift=0.0),
        lambda given: built(given, shift=0.5 ** given["k"]),
        lambda given: built(given, shift=0.25),
        lambda given: built(given, shift=0.5),
        "You do not begin half a cell beside the grid lines. Folded on them, each square lands on neighbours of "
        "the other colour: shift both coordinates before the first fold, by half of a cell that is 1 / 2^k of a "
        "side wide.",
    ),
    (
        lambda given: built(given, shift=_half_a_cell(given["k"]) * given["side"]),
        lambda given: built(given, shift=_half_a_cell(given["k"]) / given["side"]),
        lambda given: built(given, unit=1 / given["side"]),
        lambda given: built(given, unit=given["side"]),
        "Half a cell is side / 2^(k+1) where the coordinates are as they come, and 1 / 2^(k+1) once they are divided "
        "by `side`: your shift, or all of your first biases, are in the one unit, your coordinates in the other.",
    ),
    (
        lambda given: built({**given, "side": 1.0}),
        lambda given: built({**given, "side": 1 / given["side"]}),
        "Your squares do not have the size that `side` asks for. Divide both coordinates by it before the first fold, "
        "and the board becomes the unit square.",
    ),
    (
        lambda given: built(given, later=np.zeros(4)),
        lambda given: built(given, later=CREASES + _half_a_cell(given["k"])),
        lambda given: built(given, later=CREASES - 0.5),
        lambda given: [(built(given)[0][0], built(given)[0][1] - CREASES), *built(given)[1:]],
        "Some biases of the hidden layers are not right. At each fold one of a coordinate's two units opens at 0, the "
        "other at 1/2, in the first layer and in the later ones; only the first is shifted.",
    ),
    (
        *(lambda given, middle=middle: built(given, middle=middle) for middle in (0.0, 1.0, -0.5)),
        "Your hidden layers are right, but the bias of the output layer is not: a and b have to change sign in the "
        "middle of what the last tent can reach.",
    ),
]


def explain_board(given: Inputs, value: object, expected: object) -> str:
    """Say how many squares are right, and what the first other one is, or which sizes there are."""
    k, layers = given["k"], layers_of(value)
    if sizes_of(layers) != _wanted_sizes(k):
        return sizes_in_words(layers, _wanted_sizes(k))
    whole = is_right(given, layers).all(axis=1)
    if whole.all():
        return ""
    row, column = divmod(int(whole.argmin()), 2**k)
    middle = given["side"] * points_of(k, (0.5,))[whole.argmin()]
    a, b = evaluate(layers, middle[None])[0]
    return (
        f"{whole.sum()} of {whole.size} squares have the right colour throughout. The one in column {column}, row "
        f"{row} (counted from 0) has not: in its middle, ({middle[0]:.4g}, {middle[1]:.4g}), a = {a:.4g}, b = {b:.4g}."
    )


def plot_board(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the board wanted and that of the network, and its words."""
    import matplotlib.pyplot as plt

    k, side = given["k"], given["side"]
    X = points_of(k, tuple((np.arange(8) + 0.5) / 8))
    wanted, found = board(k, X), colours(layers_of(value), side * X)
    figure, axes = plt.subplots(1, 2, figsize=(7, 4), sharex=True, sharey=True)
    for ax, shown, title in zip(axes, (wanted, found), ("wanted", "your network"), strict=True):
        image = shown.reshape(8 * 2**k, -1)
        ax.imshow(
            image, cmap="gray", vmin=-1, vmax=1.4, origin="lower", extent=(0, side, 0, side), interpolation="nearest"
        )
        ax.set(title=title, xlabel="x", aspect="equal")
        ax.grid(visible=False)
    axes[0].set_ylabel("y")
    return figure, (
        f"Two boards of {2**k} by {2**k} squares on a square of side {side:g}, light and dark: left the one that is "
        f"wanted, right the one of your network, which has the right colour on {(found == wanted).mean():.0%} of it."
    )


FOLDING = Exercise(
    id="04.2",
    points=4,
    answer_name="folding_layers",
    cases=sample_cases,
    verify=lambda given, hidden, value, expected: float(is_board(given, layers_of(value))),
    without=["utils.constructions.sawtooth_network", "utils.lesson_04.boards.folded_board"],
    wanted=lambda given, expected: (
        f"{given['k'] + 1} pairs (weight, bias), of a ReLU network with the sizes {_wanted_sizes(given['k'])}\n"
        f"whose outputs a and b colour a board of {2 ** given['k']} × {2 ** given['k']} squares on "
        f"[0, {given['side']:g}]²"
    ),
    explain=explain_board,
    plot=plot_board,
    plotted_case=2,  # 8 × 8 squares
    misconceptions=hints_of(MISTAKES, computes, wanted=_wanted_sizes, seen=at_places, within=1e-5),
    remarks=remarks_on_layers(
        _wanted_sizes,
        "Your sizes are not 2, 4, …, 4, 2: you need four units in each of k hidden layers, and one matrix, 4 × 4, "
        "between two of them.",
    ),
)
