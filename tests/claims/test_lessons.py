"""The course's claims: recorded seeds measured again, a sample of fresh ones, and what a run may take."""

from __future__ import annotations

import os
import random
import re

import pytest

from claims.checking import all_claims, check
from claims.measurement import checked, fresh_seeds
from claims.verifying import verify, verify_seeds
from tests.claims.sampling import sample, sample_minutes
from tests.marks import by_lesson
from utils.claims.definition import Experiment, experiments_of
from utils.claims.evaluation import evaluate
from utils.claims.records import fitting, load


def named(experiment: Experiment) -> str:
    return experiment.name


def seconds(experiment: Experiment) -> float:
    """About what one seed takes."""
    return 60 * experiment.minutes / experiment.seeds


CLAIMS = all_claims()
EXPERIMENTS = list(experiments_of(CLAIMS).values())
CHEAP = 2.5  # seconds
REPEATED = [one for one in EXPERIMENTS if seconds(one) <= CHEAP and not one.timing]
# Of each lesson but 04 one that two seeds take about a second for, once its code is compiled: others share much.
QUICKEST = ("01_cosines", "02_flip_speed", "03_lines", "05_linear", "06_slide", "07_neighbours", "08_scaling")
# As declared for whole runs, in which networks train side by side: a seed by itself takes up to three times its part.
RUN_MINUTES, SAMPLE_MINUTES, SEED_MINUTES = 180, 11, 4
# All workers of a run draw the same.
RNG = random.Random(os.environ.get("PYTEST_XDIST_TESTRUNUID"))
SAMPLED = sample(EXPERIMENTS, sample_minutes, SAMPLE_MINUTES, RNG)
VERIFIED = sample(EXPERIMENTS, lambda experiment: seconds(experiment) / 60, SEED_MINUTES, RNG)


@pytest.mark.full
@pytest.mark.parametrize("experiment", by_lesson(EXPERIMENTS, named), ids=named)
def test_a_recorded_seed_gives_the_recorded_numbers_again(experiment):
    """Of all experiments `python -m claims verify` measures one again."""
    if experiment not in VERIFIED:
        pytest.skip(f"the sample of {SEED_MINUTES} minutes was drawn without it")
    again = verify(experiment)
    assert again.agrees, f"{experiment.name}, {again.seeds}: {again.worst}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "experiment",
    by_lesson([one for one in REPEATED if one.name in QUICKEST], named)
    + by_lesson([one for one in REPEATED if one.name not in QUICKEST], named, pytest.mark.full),
    ids=named,
)
def test_two_recorded_seeds_together_give_the_recorded_numbers_again(experiment):
    """The first seed of the record comes last here: drawn from one generator for all, its numbers would be others."""
    first, *_, last = fitting(experiment).seeds
    again = verify_seeds(experiment, [last, first])
    assert again.agrees, f"{experiment.name}, {again.seeds}: {again.worst}"


@pytest.mark.full
@pytest.mark.parametrize("experiment", by_lesson(EXPERIMENTS, named), ids=named)
def test_fresh_seeds_refute_no_claim(experiment):
    if experiment not in SAMPLED:
        pytest.skip(f"the sample of {SAMPLE_MINUTES} minutes was drawn without it")
    seeds = fresh_seeds(experiment.sample)
    data = checked(experiment, experiment.measure(seeds), seeds)
    verdicts = [evaluate(claim, data) for claim in CLAIMS if claim.experiment == experiment]
    refuted = [f"{one.claim.id}: {one.figures}, {one.claim.claimed}" for one in verdicts if one.verdict == "refuted"]
    assert not refuted, f"{refuted} with the seeds {seeds}"


@pytest.mark.full
@pytest.mark.parametrize("experiment", by_lesson(EXPERIMENTS, named), ids=named)
def test_no_sample_of_the_recorded_seeds_refutes_a_claim(experiment):
    """Of rates that are tied, a few seeds decide which is the best: no claim may be true at one of them alone."""
    data, rng = fitting(experiment).data, random.Random(0)
    for claim in (one for one in CLAIMS if one.experiment == experiment):
        for _ in range(10):
            seeds = sorted(rng.sample(range(data.sizes["seed"]), min(experiment.sample, data.sizes["seed"])))
            found = evaluate(claim, data.isel(seed=seeds))
            assert found.verdict != "refuted", f"{claim.id}: {found.figures} of {seeds}"


def test_records_have_as_many_seeds_as_their_definitions():
    """Or measuring them again would not give them again."""
    assert {one.name: len(load(one.name).seeds) for one in EXPERIMENTS} == {one.name: one.seeds for one in EXPERIMENTS}


def test_the_runs_fit_into_their_time():
    assert {one.name for one in REPEATED} >= {*QUICKEST}
    assert sum(map(sample_minutes, EXPERIMENTS)) <= RUN_MINUTES
    assert [one.name for one in EXPERIMENTS if sample_minutes(one) > SAMPLE_MINUTES] == []  # could never be drawn


def test_lessons_claims_and_records_fit_together(root, capsys):
    problems, listed = check(root)
    with capsys.disabled():
        for line in listed:
            print(f"\n{line}", end="")
    assert problems == []
    opened = [line.split(":")[0].removeprefix("claim ") for line in listed if line.endswith(": open")]
    table = (root / "reference/claims.md").read_text(encoding="utf-8")
    assert {*re.findall(r"^\| \*\*([^*]+)\*\*.*\*\*open\*\*", table, re.M)} == {*opened}
