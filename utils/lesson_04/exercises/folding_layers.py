"""Exercise 04.2: the layers that fold a sheet k times each way, half a cell beside the grid lines.

Points and shifts are in sides of the sheet, which is the unit square then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.layers import (
    Layers,
    computes,
    evaluate,
    is_not_finite,
    layers_of,
    remarks_on_layers,
    sizes_in_words,
    sizes_of,
)
from utils.exercises.rules import Way

FOLDS = (1, 2, 3, 4, 5, 6)
PLOTTED = 2  # of these cases, the board of 8 × 8 squares
SIDES = (1.25, 8.0)  # from, to; 1 in the worked example
SHARES = (0.07, 0.93)  # where in each square the colour is looked at
QUARTERS = (0.125, 0.375, 0.625, 0.875)
CREASE, CENTRE = 0.5, -0.5
SPLIT = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])  # two units for each coordinate
PLACES = np.stack(np.meshgrid(np.linspace(0.003, 0.998, 17), np.linspace(0.002, 0.997, 19)), axis=-1).reshape(-1, 2)


def drawn(rng: np.random.Generator) -> Iterator[tuple[Given, None]]:
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


def is_right(given: Given, layers: Layers, shares: tuple[float, ...] = SHARES) -> np.ndarray:
    """Return which points of the board, [squares, points of a square], have the right colour."""
    k, n, of_each = given["k"], 2 ** given["k"], len(shares)
    X = points_of(k, shares)
    right = (colours(layers, given["side"] * X) == board(k, X)).reshape(n, of_each, n, of_each)
    return right.transpose(0, 2, 1, 3).reshape(n**2, of_each**2)


def is_board(given: Given, layers: Layers) -> bool:
    """Return whether the layers have the sizes asked for and the colours are right at all points."""
    return sizes_of(layers) == _wanted_sizes(given["k"]) and bool(is_right(given, layers).all())


# --- what comes of which mistake ----------------------------------------------------------------------------


def built(
    given: Given, *, shift: Callable[[int], object] = _half_a_cell, first: object = (0, -CREASE, 0, -CREASE),
    later: object = (0, -CREASE, 0, -CREASE), tents: object = ((2, -4, 0, 0), (0, 0, 2, -4)), centre: object = CENTRE,
) -> Layers:
    """Return the layers, with some part other than it should be."""
    k, together = given["k"], np.array(tents)
    inner = (SPLIT @ together, np.array(later))
    return [(SPLIT, np.array(first) + shift(k)), *[inner] * (k - 1), (together, np.full(2, centre))]


def at_places(layers: Layers, side: float = 1.0) -> np.ndarray:
    """Return the layers' outputs at PLACES of a sheet of this side, as shares of the largest: their size is free."""
    outputs = evaluate(layers, side * PLACES)
    return outputs / np.abs(outputs).max()


def outputs(make: Callable[..., Layers] = built, **slip: object) -> Way:
    """Return the way that gives the outputs at PLACES of layers, with a slip."""
    return lambda given: at_places(make(given, **slip))


def with_inner(given: Given, inner: Callable[[np.ndarray], object]) -> Layers:
    """Return the layers with another weight between hidden layers."""
    first, *between, last = built(given)
    return [first, *[(np.array(inner(weight)), bias) for weight, bias in between], last]


def folded_beside(given: Given, first: float, second: float, later: float) -> Layers:
    """Return the layers with these shifts, in half cells: of each first unit, of each second one, of later layers."""
    h = _half_a_cell(given["k"])
    return built(
        given,
        shift=lambda k: 0.0,
        first=np.tile([first * h, second * h - CREASE], 2),
        later=np.tile([later * h, later * h - CREASE], 2),
    )


def _mixed_first(given: Given) -> Layers:
    (_, bias), *rest = built(given)
    return [(np.ones((4, 2)), bias), *rest]


def _in_another_unit(given: Given, unit: Callable[[float], float]) -> Layers:
    """Return the layers with a shift that is in this unit, where the coordinates are in sides."""
    return built(given, shift=lambda k: _half_a_cell(k) * unit(given["side"]))


is_made = partial(
    computes, wanted=_wanted_sizes, seen=lambda given, layers: at_places(layers, given["side"]), within=1e-5
)


# --- what is seen of a board --------------------------------------------------------------------------------


def is_cut(given: Given, value: object, expected: object) -> bool:
    """Return whether some square has both colours."""
    right = is_right(given, layers_of(value)).mean(axis=1)
    return bool(((right > 0) & (right < 1)).any())


def has_one_colour(given: Given, value: object, expected: object) -> bool:
    """Return whether all squares have the same colour."""
    return len(np.unique(colours(layers_of(value), given["side"] * points_of(given["k"])))) == 1


def explain_board(given: Given, value: object, expected: object) -> str:
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


def plot_board(given: Given, value: object) -> tuple[object, str]:
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
    cases=drawn,
    verify=lambda given, hidden, value, expected: float(is_board(given, layers_of(value))),
    without=["utils.constructions.sawtooth_network", "utils.lesson_04.boards.folded_board"],
    wanted=lambda given, expected: (
        f"{given['k'] + 1} pairs (weight, bias), of a ReLU network with the sizes {_wanted_sizes(given['k'])}\n"
        f"whose outputs a and b colour a board of {2 ** given['k']} × {2 ** given['k']} squares on "
        f"[0, {given['side']:g}]²"
    ),
    explain=explain_board,
    plot=plot_board,
    plotted_case=PLOTTED,
    misconceptions=[
        (is_made(outputs(shift=lambda k: 0.0)),
         "You fold on the grid lines, and so each square lands on its neighbours, which have the other colour. Begin "
         "half a cell beside: shift both coordinates before the first fold."),
        (is_made(outputs(shift=lambda k: 0.5**k)),
         "You shift by a whole cell, and that is again a grid line: squares of opposite colours land on each other. "
         "Half a cell is wanted."),
        (is_made(outputs(shift=lambda k: 0.25)),
         "A shift of 1/4 is half a cell for k = 1 alone: with more folds the cells are smaller."),
        (is_made(outputs(shift=lambda k: 0.5)),
         "A shift of 1/2 is half of the sheet: half of a cell is wanted, and a cell is as wide as 2^k of them make 1."),
        (is_made(*(outputs(_in_another_unit, unit=unit) for unit in (lambda side: side, lambda side: 1 / side))),
         "Half a cell is side / 2^(k+1) where the coordinates are as they come, and 1 / 2^(k+1) once they are divided "
         "by `side`: your shift is in the one unit, your coordinates are in the other."),
        (is_made(lambda given: at_places(built(given), given["side"])),
         "Your squares are as large as on a board of side 1, whatever `side` is. Divide both coordinates by it before "
         "the first fold: in sides the board is the unit square."),
        (is_made(lambda given: at_places(built(given), given["side"] ** 2)),
         "You multiply the coordinates by `side`: they are to be divided by it, so that the board is the unit square."),
        (is_made(outputs(folded_beside, first=1, second=1, later=1)),
         "You shift before every fold. Shift once, before the first: after it the sheet lies where it should."),
        (is_made(outputs(folded_beside, first=1, second=0, later=0)),
         "Only the first unit of each pair knows of the shift. The second opens where the shifted coordinate passes "
         "1/2, so it takes the same shift."),
        (is_made(*(outputs(shift=lambda k, one=one: _half_a_cell(k) * np.repeat(one, 2)) for one in np.eye(2))),
         "Only one of the two coordinates is shifted: the other one is still folded on the grid lines."),
        (is_made(outputs(centre=0.0)),
         "The folds are right, but a and b are not centred: both lie between 0 and 1 on nearly all of the sheet, so "
         "nearly all of it has one colour. The cut is at 1/2: take that away in the read-out."),
        (is_made(outputs(centre=0.5)),
         "You add 1/2 in the read-out, where it has to be taken away: the cut is where a coordinate is 1/2."),
        (is_made(outputs(later=(0, 0, 0, 0))),
         "Your first layer is right, the later ones have no bias: they, too, ask whether the coordinate has passed "
         "1/2."),
        (is_made(outputs(with_inner, inner=lambda weight: np.eye(4))),
         "Your layers pass on what comes in: each has to put the folded coordinates together first, 2 times one unit "
         "minus 4 times the other, and then to split them again."),
        (is_made(outputs(with_inner, inner=lambda weight: [(2, -4, 2, -4)] * 4), outputs(_mixed_first)),
         "Your layers add up x and y: the two coordinates are folded each by itself, so half of each weight is 0."),
        (is_made(outputs(with_inner, inner=np.transpose)),
         "The weight between your hidden layers is transposed: its rows belong to the units that it leads to, and both "
         "units of a coordinate get the whole tent."),
        (is_made(outputs(tents=((2, 4, 0, 0), (0, 0, 2, 4)))),
         "Behind 1/2 your coordinate climbs even faster: to fold it, the second unit's weight has to be negative."),
        (is_made(outputs(tents=((2, -2, 0, 0), (0, 0, 2, -2)))),
         "Behind 1/2 your coordinate stays where it is. To fall as steeply as it climbed, it has to lose the climb "
         "and as much again."),
        (is_made(outputs(tents=((1, -2, 0, 0), (0, 0, 1, -2)))),
         "You fold, but you do not stretch: after a fold the sheet is half as wide, and the next crease would have to "
         "be at 1/4. Make it twice as wide again with each fold."),
    ],
    remarks=[
        *remarks_on_layers(
            _wanted_sizes,
            [
                ([lambda k: [2, *[4, 2] * k]],
                 "Your network has a layer of its own for what comes out of each fold. That is affine, and so is what "
                 "goes into the next: multiply them together."),
                ([lambda k: [2, *[4] * (k - 1), 2]],
                 "One fold too few: k hidden layers and the read-out are k + 1 pairs."),
                ([lambda k: [2, *[4] * (k + 1), 2]],
                 "One hidden layer too many: k hidden layers and the read-out are k + 1 pairs."),
                ([lambda k: [2, *[4] * k]],
                 "The read-out is missing: the four units of the last hidden layer still have to be put together to a "
                 "and b."),
                ([lambda k: [2, *[4] * k, 1], lambda k: [2, *[4] * (k + 1), 1]],
                 "Return a and b, two outputs: what is made of them, |a + b| − |a − b|, is left to the check."),
                ([lambda k: [2, *[2] * k, 2]],
                 "Two units in a layer are enough to fold one coordinate: two coordinates take four."),
            ],
            otherwise="The sizes are others than 2, 4, …, 4, 2: four units in each of k hidden layers.",
        ),
        (is_not_finite,
         "Your weights contain nan or inf: look for a division by zero."),
        (lambda given, value, expected: not is_right(given, layers_of(value)).any(),
         "Your board is inverted: the square at the origin has to be positive, as its a and b have the same sign."),
        (has_one_colour,
         "Your whole board has one colour: look at a and b in the middle of two neighbouring squares."),
        (lambda given, value, expected: is_right(given, layers_of(value), QUARTERS).mean() == 0.5,
         "Your board is right on exactly half of the sheet, which is what guessing gives: look at where its creases "
         "are."),
        (is_cut,
         "Your colours change inside of squares: your cut, unfolded, does not lie on the grid lines."),
    ],
)
