"""The one definition of a claim, used by the lesson that shows it, by `make claims` and by the tests."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from utils import rooms
from utils.checks import one_of
from utils.claims.experiment import Experiment
from utils.types import Data

if TYPE_CHECKING:
    import xarray as xr

ID = re.compile(r"(\d\d)\.[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST_ID = 32  # so that a row of the table fits into 120 columns
RANGE_SET = {
    "before": "range set before",  # these seeds were drawn
    "after": "range set after",  # a look at them, or nothing shows that it was before
    "extended": "seeds added after a look",
}


class UnknownClaim(LookupError):
    """A claim's id or a lesson number that the course does not have."""


@dataclass(frozen=True)
class Claim:
    """An empirical sentence, ``says``, and the range that it puts a number into.

    ``effect(data)`` returns a number by "seed" from the experiment's arrays; it sees all seeds at once,
    so that it may choose a learning rate by the median over them. ``of`` says what the number is. The claim
    is that its median over seeds lies in [low, high], where one of both may be infinite. For an effect that
    vanishes, low = -margin and high = margin. ``statistic`` may be "mean" instead, or "share" where the effect is
    1 for a seed in which something is so, and 0 for one in which it is not. ``tried`` is the mirror control, where one
    thing leads another: what was tried to make that fall (a task of the other's own class, a longer budget, the other
    initialisation), in a sentence that names the claims, by their ids, that measured it. ``range_set``, one of
    RANGE_SET, says whether the range was set before the record's seeds were drawn.

    Raises ValueError for an id that is not NN.words, an experiment of another lesson, and a range that is
    empty or excludes nothing.
    """

    id: str
    experiment: Experiment
    says: str
    effect: Callable[[Data], xr.DataArray]
    of: str
    low: float = -math.inf
    high: float = math.inf
    statistic: str = "median"
    tried: str = ""
    range_set: str = field(kw_only=True)

    def __post_init__(self) -> None:
        if not ID.fullmatch(self.id) or len(self.id) > LONGEST_ID:
            wanted = f'"NN.words", such as "01.two-units", with at most {LONGEST_ID} characters'
            raise ValueError(f"the claim's id {self.id!r} is not of the form {wanted}")
        if self.experiment.name[:2] != self.id[:2]:
            raise ValueError(f"claim {self.id} rests on {self.experiment.name}, which is of another lesson")
        if not self.low < self.high or math.isinf(self.low) and math.isinf(self.high):
            found = f"low = {self.low}, high = {self.high}"
            raise ValueError(f"claim {self.id} has {found}: wanted low < high, not both of them infinite")
        one_of(f"statistic of {self.id}", self.statistic, ("median", "mean", "share"))
        one_of(f"range_set of {self.id}", self.range_set, RANGE_SET)

    @property
    def leads(self) -> bool:
        """Return whether one thing is said to beat another: a difference or a ratio, with one bound."""
        return bool(re.search(r" (minus|over) ", self.of)) and math.isinf(self.low) != math.isinf(self.high)

    @property
    def named(self) -> list[str]:
        """Return the ids of the claims that its mirror control names."""
        return [match[0] for match in ID.finditer(self.tried)]

    @property
    def claimed(self) -> str:
        """Return the claim in few words: "median at least 0.05"."""
        if math.isinf(self.high):
            return f"{self.statistic} at least {self.low:.4g}"
        if math.isinf(self.low):
            return f"{self.statistic} at most {self.high:.4g}"
        return f"{self.statistic} in [{self.low:.4g}, {self.high:.4g}]"


def load_claims(number: str) -> dict[str, Claim]:
    """Return the lesson's claims by id, in the order of ``CLAIMS`` in its module.

    ``number`` is two digits, such as "01". Raises UnknownClaim where the lesson has no such module,
    ValueError where two claims share an id, two experiments a name, or one belongs to another lesson.
    """
    if number not in lessons_with_claims():
        known = ", ".join(lessons_with_claims()) or "none"
        raise UnknownClaim(f"There is no lesson {number} with claims. There are: {known}.")
    module = rooms.module_of(number, "claims")
    claims: dict[str, Claim] = {}
    for claim in module.CLAIMS:
        if claim.id[:2] != number or claim.id in claims:
            raise ValueError(f"utils/lesson_{number} claims {claim.id}, which is taken or belongs to another lesson")
        claims[claim.id] = claim
    experiments_of(claims.values())
    return claims


def lessons_with_claims() -> list[str]:
    """Return the two-digit numbers of the lessons that have a module of claims, sorted."""
    return rooms.lessons_with("claims")


def experiments_of(claims: Iterable[Claim]) -> dict[str, Experiment]:
    """Return the experiments that these claims rest on, by name; ValueError where two share a name."""
    experiments: dict[str, Experiment] = {}
    for claim in claims:
        experiment = experiments.setdefault(claim.experiment.name, claim.experiment)
        if experiment != claim.experiment:
            raise ValueError(f"claim {claim.id} rests on a second experiment that is called {experiment.name}")
    return experiments


def find_experiment(name: str) -> Experiment:
    """Return the experiment that some claim rests on; raises UnknownClaim, with the names that there are."""
    experiments = experiments_of(load_claims(name[:2]).values())
    if name not in experiments:
        raise UnknownClaim(f"There is no experiment {name!r}. Lesson {name[:2]} has {', '.join(experiments)}.")
    return experiments[name]


def find(claim_id: str) -> Claim:
    """Return the claim with this id; raises UnknownClaim, with the ids that there are."""
    match = ID.fullmatch(claim_id) if isinstance(claim_id, str) else None
    if match is None:
        raise UnknownClaim(f'{claim_id!r} is not a claim\'s id. Write the id as text, such as "01.two-units".')
    claims = load_claims(match[1])
    if claim_id not in claims:
        known = ", ".join(claims) or "none"
        raise UnknownClaim(f"There is no claim {claim_id}. Lesson {match[1]} has {known}.")
    return claims[claim_id]
