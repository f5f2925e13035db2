"""Ten results of the ledger, to be guessed before it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_08 import ledger
from utils.lesson_08.ledger import Ratio, estimated, in_words
from utils.pages import Prediction, described
from utils.plots import plot_estimates
from utils.predictions import committed
from utils.statistics import Estimate

LIMITS = (1 / 3, 0.7, 1.4, 10.0)
RANGES = ("one layer: 3× or more", "one layer: under 3×", "about the same", "depth: under 10×", "depth: 10× or more")
LITTLE, MUCH = "Depth comes out better than that.", "Depth comes out worse than that."
ENDS = (0.003, 300.0)  # of the figure


@dataclass(frozen=True)
class Guess:
    """A result to be guessed: a question, what answers it, why it is so, and its name in a figure."""

    question: str
    ratio: Ratio
    reason: str
    name: str

    @property
    def right(self) -> int:
        """Return the number of the range, from 1, that the result lies in."""
        return 1 + int(np.searchsorted(LIMITS, estimated(self.ratio).value))

    @property
    def prediction(self) -> Prediction:
        """Return the question with its ranges, answered by the record."""
        found = f"The ratio is {in_words(estimated(self.ratio).value)}. {self.reason}"
        said = [LITTLE if number < self.right else MUCH for number in range(1, len(RANGES) + 1)]
        said[self.right - 1] = found
        return Prediction(dict(zip(RANGES, said, strict=True)), "", self.right, self.question)


def _row(what: str) -> Ratio:
    rows = (*ledger.PARAMETERS, *ledger.ERRORS)
    return next(row.ratio for row in rows if row.what.startswith(what))


GUESSES: Mapping[str, Guess] = {
    "08.guess-tent": Guess(
        "1. Draw ten folds of the tent exactly (lesson 02). Who needs fewer parameters?",
        _row("ten folds"),
        "Folding multiplies pieces, widening adds them. This network was built by hand: training finds hardly any of "
        "it.",
        "ten folds, built",
    ),
    "08.guess-folded": Guess(
        "2. Draw a chessboard of 32 × 32 squares exactly (lesson 04). Who needs fewer parameters?",
        _row("a board"),
        "One layer has a trick: zigzags along the diagonals. But for a board twice as wide it needs twice the units, "
        "and the folding network needs only one more layer of four.",
        "board, built",
    ),
    "08.guess-board": Guess(
        "3. A checkerboard of 10 × 10 squares, 2,552 parameters, 30,000 steps (lesson 02). Whose held-out error is "
        "smaller: one layer's, or that of three layers?",
        _row("checkerboard"),
        "After a tenth of the steps depth was ahead, but that was speed: with all of the steps, one layer catches up.",
        "checkerboard",
    ),
    "08.guess-spirals": Guess(
        "4. Two spirals, wound into each other twice, 1,037 parameters (excursion 02b). One layer, or five?",
        ledger.spirals,
        "Both are nearly as good as any classifier can be.",
        "two spirals",
    ),
    "08.guess-swirl": Guess(
        "5. A swirl, two arms that wind around the centre twice, 2,552 parameters, 30,000 steps (excursion 02b). One "
        "layer, or five?",
        _row("swirl"),
        "After a tenth of the steps, depth's lead was larger.",
        "swirl",
    ),
    "08.guess-game": Guess(
        "6. The game of lesson 07 (two players choose halves of eight numbers in turn), 1,041 parameters, 8,000 steps. "
        "One layer, or five?",
        _row("game"),
        "The game was made for depth: three layers can play it exactly.",
        "game",
    ),
    "08.guess-one": Guess(
        "7. Learn from a random teacher with one hidden layer, at equal parameters (excursion 03a). One layer, "
        "or three?",
        _row("teacher of one"),
        "This task was made for one layer, and its student wins on home ground.",
        "teacher of one layer",
    ),
    "08.guess-deep": Guess(
        "8. Learn from a random teacher with four layers of five, at equal parameters (lesson 05). One layer, or "
        "the teacher's shape?",
        _row("teacher of four"),
        "This task was made for depth: the deep student even has the teacher's shape.",
        "teacher of four layers",
    ),
    "08.guess-digits": Guess(
        "9. Handwritten digits, at equal parameters, 8,000 steps (lesson 07). One layer, or five?",
        _row("digits"),
        "Nobody made the digits for either side, and one layer misses fewer.",
        "digits",
    ),
    "08.guess-untrained": Guess(
        "10. Digits again, not at equal parameters: 32 trained units against 1,000 that are never trained, whose "
        "output weights alone are fitted. Who misses fewer? (Read “depth” as “untrained”.)",
        ledger.untrained,
        "The 1,000 units were not trained. But they have more output weights, and ridge regression fits those.",
        "never trained",
    ),
}


def predictions() -> dict[str, Prediction]:
    """Return the ten as questions with their answers."""
    return {key: one.prediction for key, one in GUESSES.items()}


@described("08.gaps", "What we found, and what you guessed")
def gaps() -> Figure:
    """Ten rows on a logarithmic axis of ratios, in five shaded ranges, from one layer's wins on the left to depth's on
    the right. A dot with its interval shows what we found, a hollow square the middle of the range that you guessed.
    The dots lie to the right of the middle for the ten folds, the game, the teacher of four layers and, nearer to it,
    for the board that was built, the swirl and the units that were never trained. They lie in the middle for
    checkerboard and spirals. They lie to the left of it for the digits and, far away, for the teacher of one layer.
    """
    figure, ax = plt.subplots(figsize=(8, 4.2))
    edges = (ENDS[0], *LIMITS, ENDS[1])
    for number, (low, high) in enumerate(zip(edges, edges[1:], strict=False)):
        ax.axvspan(low, high, color=COLOURS["grey"], alpha=0.14 if number % 2 else 0.03, linewidth=0)
    places = range(len(GUESSES))[::-1]
    for place, (key, one) in zip(places, GUESSES.items(), strict=True):
        plot_estimates([place], [_within(estimated(one.ratio))], upright=False, ax=ax)
        if number := committed(key):
            middle = np.sqrt(edges[number - 1] * edges[number])
            ax.plot(middle, place, "s", color=COLOURS["red"], markerfacecolor="none", markersize=9)
    ax.set(xscale="log", xlim=ENDS, xlabel="one layer's number over the deep network's: above 1, depth is better")
    ax.set_yticks(places, [one.name for one in GUESSES.values()])
    ax.grid(axis="y", visible=False)
    return figure


def _within(estimate: Estimate) -> Estimate:
    """Return the estimate with its interval's ends in the figure."""
    return Estimate(estimate.value, max(estimate.low, ENDS[0]), min(estimate.high, ENDS[1]))
