"""How much of the claims a test run measures again with fresh seeds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from utils.claims.experiment import Experiment


def sample_minutes(experiment: Experiment) -> float:
    """Return about how long the experiment's part of a sample takes."""
    return experiment.minutes * experiment.sample / experiment.seeds


def sample(
    experiments: Iterable[Experiment], minutes_of: Callable[[Experiment], float], minutes: float, rng: random.Random
) -> list[Experiment]:
    """Return as many of the experiments as fit into ``minutes``, drawn at random where not all of them do."""
    chosen, left = [], minutes
    waiting = list(experiments)
    rng.shuffle(waiting)
    for experiment in waiting:
        if minutes_of(experiment) <= left:
            chosen.append(experiment)
            left -= minutes_of(experiment)
    return chosen
