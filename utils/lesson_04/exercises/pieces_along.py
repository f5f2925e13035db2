"""Exercise 04.4: linear pieces along a line, before and after training, and what the seeds allow one to say."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, has_wrong, hints_of, is_no, is_number, returned_by
from utils.lesson_04.line_runs import count_lines

MORE, FEWER, UNCLEAR = VERDICTS = ("more", "fewer", "cannot tell")
LOTS = (  # seeds with more pieces after training, with fewer, and with as many: six clear ones, six that are not
    (0, 7, 0),
    (11, 0, 1),
    (2, 10, 0),
    (8, 1, 4),
    (0, 5, 6),
    (7, 1, 3),
    (3, 9, 0),
    (7, 3, 2),
    (4, 8, 3),
    (6, 5, 0),
    (6, 8, 1),
    (4, 1, 6),
)
STEPS = (1, 1, 2, 6)  # by which the numbers of pieces differ
agrees = partial(close, rtol=0.0, atol=1e-4)
Counts = np.ndarray  # pieces [seeds]
Rated = Callable[[Counts, Counts], float]


def worked_example() -> Inputs:
    """Return three seeds, two units, seven places."""
    before = [
        [(0, 0), (0, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0)],
        [(1, 0), (1, 1), (1, 1), (1, 1), (0, 1), (0, 1), (0, 1)],
        [(0, 0), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1)],
    ]
    after = [
        [(1, 1), (1, 1), (0, 0), (0, 0), (0, 1), (0, 1), (0, 1)],
        [(1, 0), (1, 1), (1, 1), (1, 1), (0, 1), (0, 1), (0, 0)],
        [(1, 0), (1, 0), (1, 1), (1, 1), (0, 1), (0, 0), (0, 0)],
    ]
    return {"before": np.array(before, bool), "after": np.array(after, bool)}


def invented(rng: np.random.Generator, more: int, fewer: int, same: int) -> Inputs:
    """Return patterns of networks that were never trained, of which so many have more, fewer and as many pieces."""
    units, places = int(rng.integers(5, 8)), int(rng.integers(18, 26))
    steps = np.concatenate([rng.choice(STEPS, more), -rng.choice(STEPS, fewer), np.zeros(same, int)])
    rng.shuffle(steps)
    fewest = rng.integers(3, 8, len(steps))
    return {
        "before": np.array([patterns(rng, n, places, units) for n in fewest + np.maximum(-steps, 0)]),
        "after": np.array([patterns(rng, n, places, units) for n in fewest + np.maximum(steps, 0)]),
    }


def patterns(rng: np.random.Generator, pieces: int, places: int, units: int) -> np.ndarray:
    """Return patterns [places, units] with so many pieces, none of which comes twice: cells are convex."""
    while True:
        switched = np.zeros((places, units), bool)
        switched[0] = rng.random(units) < 0.5
        for place in 1 + rng.permutation(places - 1)[: pieces - 1]:
            switched[place, rng.permutation(units - 1)[: rng.choice([1, 1, 1, 2, 3])]] = True  # the last one never does
        found = np.cumsum(switched, axis=0) % 2 == 1
        if len({tuple(pattern) for pattern in found.tolist()}) == pieces:
            return found


# --- what comes of which way to read it ---------------------------------------------------------------------


def _counts_of(given: Inputs, count: Callable[[np.ndarray], Counts]) -> list[Counts]:
    return [count(given[name]) for name in ("before", "after")]


def pieces(active: np.ndarray) -> Counts:
    """Return the pieces [seeds] of patterns [seeds, places, units]."""
    return 1 + np.diff(active, axis=1).any(axis=2).sum(axis=1)


def _factor(before: Counts, after: Counts) -> float:
    return float(np.median(after / before))


def sign_test_verdict(before: Counts, after: Counts, *, deviations: float = 2.0, seeds: int | None = None) -> str:
    """Return the verdict of a sign test of about 1 in 20, or with another number of deviations, or of tosses."""
    more, fewer = int((after > before).sum()), int((after < before).sum())
    if abs(more - fewer) <= deviations * np.sqrt(more + fewer if seeds is None else seeds):
        return UNCLEAR
    return MORE if more > fewer else FEWER


def read(
    count: Callable[[np.ndarray], Counts] = pieces,
    rated: Rated = _factor,
    judged: Callable[[Counts, Counts], str] = sign_test_verdict,
) -> Solver:
    """Return what reads an experiment with another idea of a piece, of the factor or of the verdict."""

    def way(given: Inputs) -> list:
        before, after = _counts_of(given, count)
        with np.errstate(all="ignore"):
            return [float(rated(before, after)), judged(before, after)]

    return way


reference = read()
MISTAKES = [
    (
        read(lambda active: pieces(active) - 1),
        "You count the places where a pattern changes. Each of them ends a piece, and the last piece ends with the "
        "line, so there is one piece more than there are changes.",
    ),
    (
        *(read(lambda active, more=more: more + np.diff(active, axis=1).sum(axis=(1, 2))) for more in (0, 1)),
        *(read(lambda active, more=more: more + np.diff(active, axis=1).any(axis=1).sum(axis=1)) for more in (0, 1)),
        read(lambda active: pieces(active.transpose(1, 0, 2))),
        "You count units that switch, or you look along another axis than 1. Count the places at which the pattern "
        "changes: if several units switch there, only one piece ends, and a unit that switches again ends another.",
    ),
    (
        read(rated=lambda before, after: np.mean(after / before)),
        read(rated=lambda before, after: np.median(before / after)),
        read(rated=lambda before, after: np.median(after) / np.median(before)),
        read(rated=lambda before, after: after.mean() / before.mean()),
        "Your factor is a mean, or upside down, or divides what all seeds have together. A network is compared with "
        "itself: divide seed by seed first, after by before, then take the median.",
    ),
    (
        *(read(judged=partial(sign_test_verdict, deviations=too_few)) for too_few in (0.0, 1.0)),
        read(judged=lambda before, after: (UNCLEAR, MORE, FEWER)[int(np.sign(_factor(before, after) - 1))]),
        read(judged=lambda before, after: sign_test_verdict(before, after, seeds=len(before))),
        "Your margin is not 2√(u + d), or there is none, as where the factor decides. A coin has a majority, too: the "
        "lead has to be larger than chance makes it. Seeds with equally many pieces are no tosses.",
    ),
    (
        read(judged=lambda before, after: sign_test_verdict(after, before)),
        *(
            read(judged=lambda before, after, said=said: said.get(sign_test_verdict(before, after), UNCLEAR))
            for said in ({MORE: MORE}, {MORE: MORE, FEWER: MORE})
        ),
        'Look at your "fewer": it is the verdict where d, the seeds with fewer pieces after training than before, '
        'lead by more than the margin, as "more" is where u do.',
    ),
]
GUESSES = [  # that no hint is made for
    read(lambda active: 1 + np.diff(active[:, :, 0], axis=1).sum(axis=1)),
    read(rated=lambda before, after: np.max(after / before)),
    read(judged=lambda before, after: UNCLEAR),
    read(judged=lambda before, after: MORE),
]


def is_pair(value: object) -> bool:
    """Return whether the value is a pair of a number and one of the three texts."""
    return isinstance(value, list) and len(value) == 2 and is_number(value[0]) and value[1] in VERDICTS


def explain_pieces(given: Inputs, value: object, expected: object) -> str:
    """Say how many pieces there are, seed by seed."""
    before, after = _counts_of(given, pieces)
    more, fewer = (after > before).sum(), (after < before).sum()
    return (
        f"Pieces before training: {', '.join(map(str, before))}; after it: {', '.join(map(str, after))}. So {more} of "
        f"{len(before)} seeds have more, {fewer} have fewer, and 2√{more + fewer} is {2 * np.sqrt(more + fewer):.3g}."
    )


def plot_pieces(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the pieces of each seed with what was returned, and its words."""
    ratio, text = value
    figure, words = count_lines(*_counts_of(given, pieces))
    figure.axes[0].set_title(f'your function: factor {float(ratio):.3g}, "{text}"')
    return figure, f'{words} Your function returns {float(ratio):.3g} and "{text}".'


PIECES = Exercise(
    id="04.4",
    points=4,
    answer_name="pieces_along",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(invented(rng, *lot) for lot in rng.permutation(LOTS))],
        reference,
        MISTAKES,
        GUESSES,
    ),
    verify=lambda given, hidden, value, expected: agrees(value, expected),
    explain=explain_pieces,
    plot=plot_pieces,
    misconceptions=hints_of(MISTAKES, returned_by, same=agrees),
    remarks=[
        (is_no(is_pair), 'Return a pair: a number, and one of the texts "more", "fewer" and "cannot tell".'),
        (
            has_wrong(1, same=agrees),
            "The factor is right, the verdict is not: count the seeds with more and with fewer, and compare their "
            "difference with the margin, 2√(u + d).",
        ),
        (
            has_wrong(0, same=agrees),
            "The verdict is right, the factor is not: count the pieces of each seed in the example by hand, and "
            "divide.",
        ),
    ],
)
