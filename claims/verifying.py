"""One recorded seed of each experiment, measured again: the record is what the code of today measures, or it is not."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from claims import ClaimsError
from claims.measurement import checked
from utils.claims import records
from utils.claims.definition import Experiment

RELATIVE, ABSOLUTE = 1e-3, 1e-6  # records have five digits; rounding decides about errors below a millionth
TIMES = 10.0  # by what factor a time, or a ratio of times, may differ
HEAD = ("experiment", "seed", "numbers", "seconds", "of what is tolerated", "verdict")


@dataclass(frozen=True)
class Verified:
    """What came of some seeds: how many numbers were compared, how far off the worst of them is, and where that is.

    ``off`` is in units of what is tolerated: 1 is just within it. ``worst`` says the array and the two numbers. Both
    leave out the share of an array's numbers that the experiment calls unstable; ``unstable`` of these differ.
    """

    experiment: Experiment
    seeds: Sequence[int]
    numbers: int
    seconds: float
    off: float
    worst: str
    unstable: int

    @property
    def agrees(self) -> bool:
        """Return whether all numbers that count are within what is tolerated."""
        return self.off <= 1

    @property
    def row(self) -> tuple[str, ...]:
        """Return the cells of a table below HEAD."""
        seeds, numbers, seconds = " ".join(map(str, self.seeds)), f"{self.numbers:,}", f"{self.seconds:.1f}"
        agrees = "same order of magnitude" if self.experiment.timing else "agrees"
        agrees += f", but for {self.unstable} unstable" if self.unstable else ""
        verdict = agrees if self.agrees else f"DIFFERS: {self.worst}"
        return self.experiment.name, seeds, numbers, seconds, f"{self.off:.0%}", verdict


def verify(experiment: Experiment, rng: random.Random | None = None) -> Verified:
    """Measure one recorded seed again, the first, or with ``rng`` one drawn; see `verify_seeds`."""
    seeds = records.fitting(experiment).seeds
    return verify_seeds(experiment, [rng.choice(seeds) if rng else seeds[0]])


def verify_seeds(experiment: Experiment, seeds: Sequence[int]) -> Verified:
    """Measure these recorded seeds again, in one call, and compare all their numbers.

    Raises NoRecord where there is no record with the experiment's axes, ClaimsError for what cannot be compared.
    """
    data = records.fitting(experiment).data.sel(seed=list(seeds))
    started = time.perf_counter()
    again = checked(experiment, experiment.measure(list(seeds)), list(seeds))
    seconds = time.perf_counter() - started
    forms = [{name: set(values.dims) for name, values in one.items()} for one in (data, again)]
    if forms[0] != forms[1]:
        raise ClaimsError(
            f"{experiment.name}: the record has the arrays and axes {forms[0]}, but measured were {forms[1]}"
        )
    worst, numbers, unstable = (0.0, "none"), 0, 0
    for name, recorded in data.items():
        before, now = (
            values.values.astype(float).ravel() for values in (recorded, again[name].transpose(*recorded.dims))
        )
        off = _off(before, now, timing=experiment.timing)
        spared = int(experiment.unstable.get(str(name), 0) * off.size)
        place = int(np.argsort(off, kind="stable")[off.size - 1 - spared])
        numbers += off.size
        unstable += min(spared, int((off > 1).sum()))
        worst = max(worst, (float(off[place]), f"{name} {before[place]:.5g}, now {now[place]:.5g}"))
    return Verified(experiment, seeds, numbers, seconds, *worst, unstable)


def _off(before: np.ndarray, now: np.ndarray, *, timing: bool) -> np.ndarray:
    """Return how far each number is off, in units of what is tolerated; infinitely where one of both is no number."""
    with np.errstate(invalid="ignore", divide="ignore"):
        if timing:
            off = np.abs(np.log(now / before)) / np.log(TIMES)
        else:
            off = np.abs(now - before) / (ABSOLUTE + RELATIVE * np.abs(before))
    off[(now == before) | np.isnan(now) & np.isnan(before)] = 0
    return np.where(np.isnan(off), np.inf, off)
