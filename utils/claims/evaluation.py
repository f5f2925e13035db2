"""What the numbers of some seeds say about a claim."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from utils.claims.definition import Claim
from utils.claims.experiment import LEAST_SEEDS
from utils.statistics import Estimate, mean, median, proportion, three_digits
from utils.types import Data

NO_EFFECT = {" minus ": 0, " over ": 1}  # of what a claim's `of` says first of these
SHOWN, REFUTING = 0.95, 0.999  # at 95 % a hundred true claims at their margins would see two or three refuted


@dataclass(frozen=True)
class Evaluation:
    """A claim, its effect over ``seeds`` seeds with the 95 % interval, and the verdict.

    "holds": the 95 % interval lies in the claimed range. "refuted": the 99.9 % interval lies outside of it,
    and there are at least 11 seeds. "open": neither.
    """

    claim: Claim
    seeds: int
    effect: Estimate
    verdict: str

    @property
    def figures(self) -> str:
        """Return the effect with its interval, at most three digits each."""
        if math.isinf(self.effect.low):
            return f"{three_digits(self.effect.value)} [too few seeds]"
        return str(self.effect)

    @property
    def unsettled(self) -> str:
        """Return what a page says of a claim that does not hold: "" where it does.

        Of an open one it says whether the interval at least leaves out "no effect", which is 0 of a difference (its
        ``of`` says "minus") and 1 of a ratio ("over").
        """
        if self.verdict != "open":
            return "" if self.verdict == "holds" else self.verdict
        nothing = next((value for word, value in NO_EFFECT.items() if word in self.claim.of), None)
        is_some = nothing is not None and not self.effect.low <= nothing <= self.effect.high
        return "by how much is not settled" if is_some else "not settled"


def evaluate(claim: Claim, data: Data) -> Evaluation:
    """Return the verdict of ``data``, the arrays of the claim's experiment.

    A median's interval is the exact one from order statistics, a mean's is Student's, a share's Wilson's. Raises
    ValueError where the effect is not one finite number for each seed, and a share's not 0 or 1.
    """
    numbers = effects(claim, data)
    shown, refuting = (_interval(claim, numbers, confidence) for confidence in (SHOWN, REFUTING))
    if claim.low <= shown.low and shown.high <= claim.high:
        verdict = "holds"
    elif len(numbers) >= LEAST_SEEDS and (refuting.high < claim.low or refuting.low > claim.high):
        verdict = "refuted"
    else:
        verdict = "open"
    return Evaluation(claim, len(numbers), shown, verdict)


def effects(claim: Claim, data: Data) -> np.ndarray:
    """Return the claim's effect, a finite number for each seed; raises ValueError, which names the claim."""
    try:
        effect = claim.effect(data)
        axes, numbers = effect.dims, effect.values.astype(float)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        found = ", ".join(map(str, data))
        text = f"claim {claim.id}: its effect fails with {error!r} on the arrays {found} of {claim.experiment.name}"
        raise ValueError(text) from error
    if axes != ("seed",) or not np.array_equal(effect["seed"], data["seed"]):
        found = f"the axes {', '.join(map(str, axes)) or 'none'} and the shape {numbers.shape}"
        raise ValueError(f"claim {claim.id}: its effect has {found}: wanted one number for each of the seeds")
    if not np.isfinite(numbers).all():
        where = np.flatnonzero(~np.isfinite(numbers))
        raise ValueError(
            f"claim {claim.id}: its effect is {numbers[where[0]]} for {len(where)} of {len(numbers)} seeds"
        )
    if claim.statistic == "share" and not np.isin(numbers, (0, 1)).all():
        found = next(number for number in numbers if number not in (0, 1))
        raise ValueError(f"claim {claim.id}: its effect is {found:.3g} for a seed: a share wants 0 or 1 for each")
    return numbers


def _interval(claim: Claim, numbers: np.ndarray, confidence: float) -> Estimate:
    if claim.statistic == "mean":
        return mean(numbers, confidence=confidence)
    if claim.statistic == "share":
        return proportion(int(numbers.sum()), len(numbers), confidence=confidence)
    return median(numbers, confidence=confidence, method="order")
