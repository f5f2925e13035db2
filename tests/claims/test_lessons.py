"""The course's claims: a quick part with fixed seeds, a larger one with fresh seeds, and what a run may take."""

from __future__ import annotations

import os
import random
from functools import cache

import numpy as np
import pytest

from claims.checking import all_claims, check
from claims.sampling import sample, sample_minutes, sample_size
from claims.store import checked, fresh_seeds
from tests.marks import by_lesson
from utils.claims.definition import Claim, Experiment, experiments_of
from utils.claims.verdict import effects, judge


def named(one: Claim | Experiment) -> str:
    return one.id if isinstance(one, Claim) else one.name


CLAIMS = all_claims()
EXPERIMENTS = list(experiments_of(CLAIMS).values())
QUICK = [claim for claim in CLAIMS if claim.experiment.quick]
STATISTICS = {"median": np.median, "mean": np.mean, "share": np.mean}
RUN_MINUTES, SAMPLE_MINUTES = 180, 15
# All workers of a run draw the same.
SAMPLED = sample(EXPERIMENTS, SAMPLE_MINUTES, random.Random(os.environ.get("PYTEST_XDIST_TESTRUNUID")))


@cache
def measured(experiment: Experiment, seeds: tuple[int, ...]) -> dict[str, np.ndarray]:
    return checked(experiment, experiment.measure(list(seeds)), len(seeds))


@pytest.mark.slow
@pytest.mark.parametrize("claim", by_lesson(QUICK, named), ids=named)
def test_with_fixed_seeds_the_effect_lies_in_the_claimed_range(claim):
    data = measured(claim.experiment, tuple(range(claim.experiment.quick)))
    value = STATISTICS[claim.statistic](effects(claim, data))
    assert claim.low <= value <= claim.high, f"{claim.statistic} {value:.3g}, claimed: {claim.claimed}"


@pytest.mark.slow
@pytest.mark.parametrize("experiment", by_lesson([one for one in EXPERIMENTS if one.quick > 1], named), ids=named)
def test_a_seeds_result_does_not_depend_on_the_others(experiment):
    together = measured(experiment, tuple(range(experiment.quick)))
    alone = measured(experiment, (experiment.quick - 1,))
    assert together.keys() == alone.keys()
    for name, values in alone.items():
        np.testing.assert_allclose(values[0], together[name][-1], rtol=1e-3, err_msg=name)


@pytest.mark.full
@pytest.mark.parametrize("experiment", by_lesson(EXPERIMENTS, named), ids=named)
def test_fresh_seeds_refute_no_claim(experiment):
    if experiment not in SAMPLED:
        pytest.skip(f"the sample of {SAMPLE_MINUTES} minutes was drawn without it")
    seeds = fresh_seeds(sample_size(experiment))
    data = measured(experiment, tuple(seeds))
    verdicts = [judge(claim, data) for claim in CLAIMS if claim.experiment == experiment]
    refuted = [f"{one.claim.id}: {one.figures}, {one.claim.claimed}" for one in verdicts if one.verdict == "refuted"]
    assert not refuted, f"{refuted} with the seeds {seeds}"


def test_the_runs_fit_into_their_time():
    assert sum(one.minutes for one in EXPERIMENTS) <= RUN_MINUTES
    assert [one.name for one in EXPERIMENTS if sample_minutes(one) > SAMPLE_MINUTES] == []  # could never be drawn


def test_lessons_claims_and_records_fit_together(root, capsys):
    problems, listed = check(root)
    with capsys.disabled():
        for line in listed:
            print(f"\n{line}", end="")
    assert problems == []
