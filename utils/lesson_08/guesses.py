"""Ten results of the ledger, to be guessed before it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_08 import ledger
from utils.lesson_08.ledger import Ratio, estimated, shown
from utils.pages import Prediction, described
from utils.plots import plot_estimates
from utils.predictions import committed
from utils.statistics import Estimate

LIMITS = (1 / 3, 0.7, 1.4, 10.0)
RANGES = ("one layer: 3× or more", "one layer: less", "about the same", "depth: less than 10×", "depth: 10× or more")
LITTLE, MUCH = "More than that, for depth.", "Less than that, for depth."
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
        found = f"{shown(estimated(self.ratio))} times. {self.reason}"
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
        "Folding multiplies, widening adds. Built by hand; training finds hardly any of it.",
        "ten folds, built",
    ),
    "08.guess-folded": Guess(
        "2. Draw a chessboard of 32 × 32 squares exactly (lesson 04). Who needs fewer parameters?",
        _row("a board"),
        "One layer has a trick: zigzags along the diagonals. But a board twice as wide takes twice its units, and the "
        "folding network one more layer of four.",
        "board, built",
    ),
    "08.guess-board": Guess(
        "3. A checkerboard of 10 × 10 squares, 2,552 parameters, tuned, 30,000 steps (lesson 02). Whose held-out error "
        "is smaller, that of one layer or of three?",
        _row("checkerboard"),
        "A tenth of the steps had shown a lead of depth. It was speed.",
        "checkerboard",
    ),
    "08.guess-spirals": Guess(
        "4. Two spirals, wound into each other twice, 1,037 parameters, tuned (excursion 02b). One layer, or five?",
        ledger.spirals,
        "Both are nearly as good as any classifier can be.",
        "two spirals",
    ),
    "08.guess-swirl": Guess(
        "5. A swirl, two arms that wind around the centre twice, 2,552 parameters, tuned, 30,000 steps (excursion "
        "02b). One layer, or five?",
        _row("swirl"),
        "With a tenth of the steps it was more.",
        "swirl",
    ),
    "08.guess-game": Guess(
        "6. The game of lesson 07 (two players choose halves of eight numbers in turn), 1,041 parameters, tuned, 8,000 "
        "steps. One layer, or five?",
        _row("game"),
        "Three layers can play it exactly: it was made for depth.",
        "game",
    ),
    "08.guess-one": Guess(
        "7. Learn from a random teacher with one hidden layer, equal parameters, tuned (excursion 03a). A student with "
        "one layer, or with three?",
        _row("teacher of one"),
        "This one was made for one layer. Whose class holds the target wins.",
        "teacher of one layer",
    ),
    "08.guess-deep": Guess(
        "8. Learn from a random teacher with four layers of five, equal parameters, tuned (lesson 05). A student with "
        "one layer, or with the teacher's shape?",
        _row("teacher of four"),
        "Made for depth again.",
        "teacher of four layers",
    ),
    "08.guess-digits": Guess(
        "9. Handwritten digits, equal parameters, tuned, 8,000 steps (lesson 07). One layer, or five?",
        _row("digits"),
        "Nobody made the digits for either, and one layer misses fewer.",
        "digits",
    ),
    "08.guess-untrained": Guess(
        "10. Digits again, not at equal parameters: 32 trained units against 1,000 that are never trained: only their "
        "output weights are fitted. Who misses fewer? (Read “depth” as “the untrained”.)",
        ledger.untrained,
        "No hidden layer was trained. But 1,000 units have more output weights, and ridge regression reads them.",
        "never trained",
    ),
}


def predictions() -> dict[str, Prediction]:
    """Return the ten as questions with their answers."""
    return {key: one.prediction for key, one in GUESSES.items()}


@described("08.gaps", "What was found, and what you guessed")
def gaps() -> Figure:
    """Ten rows on a logarithmic axis of ratios, in five shaded ranges, from one layer's wins at the left to depth's at
    the right. A dot with its interval is what was found, a hollow square the middle of the range that you guessed.
    Dots lie right of the middle for the ten folds, the game, the teacher of four layers and, nearer, the board that was
    built, the swirl and the units that were never trained; in the middle for checkerboard and spirals; left of it for
    the digits and, far away, the teacher of one layer.
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
    ax.set(xscale="log", xlim=ENDS, xlabel="one layer's over the deep network's: above 1, depth is better")
    ax.set_yticks(places, [one.name for one in GUESSES.values()])
    ax.grid(axis="y", visible=False)
    return figure


def _within(estimate: Estimate) -> Estimate:
    """Return the estimate with its interval's ends in the figure."""
    return Estimate(estimate.value, max(estimate.low, ENDS[0]), min(estimate.high, ENDS[1]))
