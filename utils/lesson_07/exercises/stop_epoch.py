"""Exercise 07.5: early stopping with patience."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, hints_of, returned_by

CASES = 24
CLEAR = 1e-6  # an improvement is nowhere so near to min_delta, unless both are 0 exactly
Losses = np.ndarray  # [epochs]


def case(losses: object, patience: int, min_delta: float) -> Inputs:
    """Return the case of these losses."""
    return {"losses": np.array(losses, dtype=float), "patience": int(patience), "min_delta": float(min_delta)}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return the worked example, and runs that stop early or not, with ties where `min_delta` is 0."""
    return [case([0.9, 0.7, 0.75, 0.65, 0.66, 0.64, 0.63, 0.5], 3, 0.03), *(run(rng, i) for i in range(CASES))]


def run(rng: np.random.Generator, variant: int) -> Inputs:
    """Return losses that fall, creep or rise; every fourth run is so good that it never stops."""
    while True:
        epochs, patience = int(rng.integers(9, 20)), int(rng.integers(1, 5))
        min_delta = 0.0 if variant % 3 == 0 else round(rng.uniform(0.02, 0.06), 3)
        slope = -0.12 if variant % 4 == 0 else rng.choice([-0.03, 0.0])
        losses = 2 + np.cumsum(rng.normal(slope, 0.07, epochs))
        losses = (1.5 + 0.5 * losses / np.abs(losses).max()).round(2 if min_delta == 0 else 3)
        given = case(losses, patience, min_delta)
        kept, stop = reference(given)
        gains = losses[:, None] - losses[None] - min_delta
        is_clear = min_delta == 0 or np.abs(gains).min() > CLEAR
        if is_clear and kept > 0 and (stop == epochs - 1) == (variant % 4 == 0):
            return given


# --- what comes of which way to stop ------------------------------------------------------------------------


def stopping(
    improves: Callable[[float, float, float], bool] = lambda loss, best, min_delta: loss < best - min_delta,
    lowers: Callable[[float, float], bool] = lambda loss, best: False,
    more: int = 0,
    resets: bool = True,
    compare: Callable[[Losses, int, float], float] = lambda losses, epoch, best: best,
) -> Solver:
    """Return the way with another idea of an improvement, of the best loss so far, or of patience.

    ``lowers`` says whether a loss that is no improvement still becomes the best, ``more`` is added to the patience,
    and without ``resets`` an improvement leaves the count of epochs without one as it is.
    """

    def way(given: Inputs) -> list[int]:
        losses, kept, waited = given["losses"], 0, 0
        best = losses[0]
        for epoch in range(1, len(losses)):
            if improves(losses[epoch], compare(losses, epoch, best), given["min_delta"]):
                best, kept, waited = losses[epoch], epoch, waited * (not resets)
            else:
                best, waited = losses[epoch] if lowers(losses[epoch], best) else best, waited + 1
                if waited >= given["patience"] + more:
                    return [kept, epoch]
        return [kept, len(losses) - 1]

    return way


def then(change: Callable[[Inputs, int, int], list[int]]) -> Solver:
    """Return the way that reports something else of the right run."""
    return lambda given: change(given, *reference(given))


def lowest(given: Inputs) -> int:
    """Return the epoch of the lowest loss of all."""
    return int(given["losses"].argmin())


reference = stopping()
MISTAKES = [
    (
        stopping(more=1),
        stopping(more=-1),
        "Your patience is one epoch longer or shorter. Stop after the epoch that is the `patience`-th in a row "
        "without an improvement.",
    ),
    (stopping(resets=False), "You count all epochs without an improvement: an improvement sets the count back to 0."),
    (
        stopping(lambda loss, best, min_delta: loss < best),
        stopping(lambda loss, best, min_delta: loss < best + min_delta),
        stopping(lambda loss, best, min_delta: loss < best - min_delta or loss == best),
        "Some of your improvements are none. The loss has to be lower than the best so far by more than "
        "`min_delta`. A loss as low as the best is no improvement.",
    ),
    (
        stopping(lowers=lambda loss, best: loss < best),
        stopping(compare=lambda losses, epoch, best: losses[epoch - 1]),
        "You compare with another loss than that of the last improvement. Compare with that one: neither the epoch "
        "before counts, nor a loss that was only a little lower, so small steps have to add up until they make an "
        "improvement.",
    ),
    (
        then(lambda given, kept, stop: [lowest(given), stop]),
        then(lambda given, kept, stop: [int(given["losses"][: stop + 1].argmin()), stop]),
        lambda given: [lowest(given), min(lowest(given) + given["patience"], len(given["losses"]) - 1)],
        lambda given: [lowest(given), lowest(given) + given["patience"]],
        lambda given: [lowest(given), len(given["losses"]) - 1],
        "You look for the lowest loss. But training cannot see what comes after it has stopped, and a loss that is "
        "lower by less than `min_delta` is no improvement. Keep the last improvement before patience runs out.",
    ),
    (
        then(lambda given, kept, stop: [stop, stop]),
        "You keep the weights with which training ends. By then nothing has improved for `patience` epochs, unless "
        "the losses ran out first. Keep the weights of the last improvement.",
    ),
    (
        then(lambda given, kept, stop: [stop, kept]),
        then(lambda given, kept, stop: [kept + 1, stop + 1]),
        "Return the epoch that is kept first, then the one after which training stops. The first epoch is number 0.",
    ),
]

beyond_the_end = then(lambda given, kept, stop: [kept, kept + given["patience"]])
STOP_EPOCH = Exercise(
    id="07.5",
    points=3,
    answer_name="stop_epoch",
    cases=lambda rng: discriminating_cases(lambda: sample_cases(rng), reference, MISTAKES, [beyond_the_end]),
    verify=lambda given, hidden, value, expected: close(value, expected, rtol=0.0, atol=0.0),
    misconceptions=hints_of(MISTAKES, returned_by),
    remarks=[
        (
            lambda given, value, expected: (
                value[0] == expected[0] and value[1] != expected[1] and expected[1] == len(given["losses"]) - 1
            ),
            "If patience never runs out, training stops after the last epoch that there is.",
        ),
    ],
)
