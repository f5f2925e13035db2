"""Every exercise is proved: right answers get all points, wrong ones fail with the hint that is meant for them."""

from __future__ import annotations

import importlib
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from authoring.solutions import answers
from tests import marks
from tests.answers import AnswerSuite, Wrong
from utils.exercises import Exercise, call_answer, load_lesson, serialization, stored_cases
from utils.exercises.checking import full_marks_text, not_started_text, report
from utils.exercises.definition import find, lessons_with_exercises
from utils.exercises.scoring import CONSTANT_HINT, Case, Verdict, score_answer

ROOT = Path(__file__).parents[2]
FILES = sorted(ROOT.glob("tests/lesson_*/answers/*.py"))
SUITES = [importlib.import_module(f"tests.{path.parts[-3]}.answers.{path.stem}").SUITE for path in FILES]

solution_of = cache(lambda lesson: answers(ROOT, lesson))


def verdict_on(exercise: Exercise, answer, records: list[dict]) -> Verdict:
    return score_answer(exercise, *what_came_of(exercise, answer, records))


def constant(exercise: Exercise, record: dict, records: list[dict]) -> Verdict:
    """Return the verdict on an answer that returns one case's right value for all of them."""
    value = stored_cases.case_of(record).expected
    return verdict_on(exercise, lambda *_: value, records)


def what_came_of(exercise: Exercise, answer, records: list[dict]) -> tuple[list[Case], list[call_answer.AnswerOutcome]]:
    """Return the cases, and the outcomes of the answer for them."""
    outcomes = [call_answer.call_answer(answer, json.dumps(r["given"]), exercise.id, exercise.without) for r in records]
    return [stored_cases.case_of(record) for record in records], outcomes


def marked(suite: AnswerSuite) -> pytest.param:
    """Return a suite as a parameter with the marks of its lesson and its exercise."""
    names = [marks.lesson(suite.exercise_id[:2]), marks.exercise(suite.exercise_id)]
    return pytest.param(suite, marks=names, id=suite.exercise_id)


def definition_of(suite: AnswerSuite) -> ModuleType:
    """Return the module that defines a suite's exercise."""
    name = find(suite.exercise_id).answer_name
    return importlib.import_module(f"utils.lesson_{suite.exercise_id[:2]}.exercises.{name}")


@pytest.fixture(params=[marked(suite) for suite in SUITES])
def suite(request: pytest.FixtureRequest) -> AnswerSuite:
    return request.param


def test_every_exercise_has_exactly_one_suite_of_answers():
    exercises = [e.id for n in lessons_with_exercises() for e in load_lesson(n).values() if isinstance(e, Exercise)]
    assert sorted(suite.exercise_id for suite in SUITES) == sorted(exercises)


def test_a_suite_is_complete(suite: AnswerSuite):
    names = [wrong.name for wrong in suite.all_wrong]
    assert len(suite.right) >= 3 and len(set(names)) == len(names) >= 6
    assert "off by one" in [*names, *suite.unforeseen] and len(suite.unforeseen) >= 6


@pytest.mark.parametrize("suite", [marked(suite) for suite in SUITES if hasattr(definition_of(suite), "reference")])
def test_a_definition_knows_what_the_solution_returns(suite: AnswerSuite):
    exercise, reference = find(suite.exercise_id), definition_of(suite).reference
    for case in map(stored_cases.case_of, stored_cases.load(exercise)):
        assert exercise.verify(case.given, case.hidden, reference(case.given), case.expected) == 1


def test_an_exercise_has_few_hints(suite: AnswerSuite):
    """The likeliest mistakes have one; the rest are told by how the numbers differ."""
    exercise = find(suite.exercise_id)
    assert len(exercise.misconceptions) + len(exercise.remarks) <= 8


def test_right_answers_get_all_points(suite: AnswerSuite):
    exercise = find(suite.exercise_id)
    for name, answer in suite.right.items():
        assert report(exercise, answer) == full_marks_text(exercise), name


@cache
def verdicts(exercise_id: str) -> dict[str, Verdict]:
    """Return the verdicts on the suite's wrong answers, by name, on the stored cases."""
    exercise = find(exercise_id)
    (suite,) = (one for one in SUITES if one.exercise_id == exercise_id)
    return {wrong.name: verdict_on(exercise, wrong.answer, stored_cases.load(exercise)) for wrong in suite.all_wrong}


@pytest.mark.slow
def test_every_hint_is_meant_for_a_wrong_answer(suite: AnswerSuite):
    exercise = find(suite.exercise_id)
    hints = [hint for _, hint in (*exercise.misconceptions, *exercise.remarks)]
    given = {verdict.hint for verdict in verdicts(suite.exercise_id).values()}
    assert [hint for hint in hints if hint not in given] == []


@pytest.mark.slow
def test_wrong_answers_fail_with_the_hint_meant_for_them(suite: AnswerSuite):
    for wrong in suite.all_wrong:
        verdict = verdicts(suite.exercise_id)[wrong.name]
        assert verdict.fraction < 1, wrong.name
        assert wrong.hint in verdict.hint, f"{wrong.name}: {verdict.hint}"
    assert_hint_is_shown(suite, suite.all_wrong[0])


@pytest.mark.full
def test_the_hint_is_shown_for_each_wrong_answer(suite: AnswerSuite):
    for wrong in suite.all_wrong:
        assert_hint_is_shown(suite, wrong)


def assert_hint_is_shown(suite: AnswerSuite, wrong: Wrong) -> None:
    said = report(find(suite.exercise_id), wrong.answer)
    assert verdicts(suite.exercise_id)[wrong.name].hint in " ".join(said.split())


@pytest.mark.slow
def test_no_constant_passes_and_each_is_told_that_it_is_one(suite: AnswerSuite):
    """The visible example's value is the first of them."""
    exercise = find(suite.exercise_id)
    records = stored_cases.load(exercise)
    for record in records:
        verdict = constant(exercise, record, records)
        assert verdict.fraction < 1 and verdict.hint == CONSTANT_HINT


def test_the_stub_is_not_started(suite: AnswerSuite):
    def stub(*_):
        raise NotImplementedError(f"exercise {suite.exercise_id}")

    exercise = find(suite.exercise_id)
    assert report(exercise, stub) == not_started_text(exercise)


def test_the_stored_values_are_the_solutions(suite: AnswerSuite):
    exercise = find(suite.exercise_id)
    solution = solution_of(exercise.id[:2])[exercise.id]
    assert report(exercise, solution) == full_marks_text(exercise)


def test_withheld_functions_refuse_to_be_called(suite: AnswerSuite):
    for name in find(suite.exercise_id).without:
        module, function = name.rsplit(".", 1)
        withheld = getattr(importlib.import_module(module), function)
        given = stored_cases.load(find(suite.exercise_id))[0]["given"]
        outcome = call_answer.call_answer(lambda *_, f=withheld: f(), json.dumps(given), suite.exercise_id, [name])
        assert outcome.kind == "error" and "cannot call it" in outcome.message


@pytest.mark.slow
def test_the_verdicts_are_the_same_with_another_seed(suite: AnswerSuite):
    same_verdicts(suite, seeds=1, seconds=math.inf)


@pytest.mark.full
def test_the_verdicts_are_the_same_over_many_seeds(suite: AnswerSuite):
    """A hundred seeds, or as many as fit into twenty seconds, but at least five."""
    assert same_verdicts(suite, seeds=5, seconds=math.inf) == 5
    same_verdicts(suite, seeds=95, seconds=20, first=5)


def same_verdicts(suite: AnswerSuite, *, seeds: int, seconds: float, first: int = 0) -> int:
    """Return for how many seeds every right answer has all points, and every wrong one fails with its hint."""
    exercise = find(suite.exercise_id)
    solution = solution_of(exercise.id[:2])[exercise.id]
    start = time.monotonic()
    for seed in range(first, first + seeds):
        if seed > first and time.monotonic() - start > seconds:
            return seed - first
        records = stored_cases.sample_cases(exercise, solution, np.random.default_rng(seed))
        for name, answer in suite.right.items():
            assert verdict_on(exercise, answer, records).fraction == 1, f"{name}, seed {seed}"
        hard_coded = constant(exercise, records[0], records)
        assert hard_coded.fraction < 1 and hard_coded.hint == CONSTANT_HINT, f"hard-coded, seed {seed}: {hard_coded}"
        for wrong in suite.all_wrong:
            verdict = verdict_on(exercise, wrong.answer, records)
            assert verdict.fraction < 1 and wrong.hint in verdict.hint, f"{wrong.name}, seed {seed}: {verdict}"
    return seeds


@pytest.mark.slow
@pytest.mark.parametrize("seed", (0, pytest.param(1, marks=pytest.mark.full)))
def test_the_public_cases_are_no_table_of_the_secret_ones(suite: AnswerSuite, seed: int):
    """Right values that are looked up there, and the first of them for what is not found, earn nothing."""
    exercise = find(suite.exercise_id)
    public = {json.dumps(record["given"]): record["expected"] for record in stored_cases.load(exercise)}
    solution = solution_of(exercise.id[:2])[exercise.id]
    secret = stored_cases.sample_cases(exercise, solution, np.random.default_rng(seed))
    given = [json.dumps(record["given"]) for record in secret]
    assert 2 * sum(one in public for one in given) < len(given)
    found = [serialization.decode(public.get(one, next(iter(public.values())))) for one in given]
    outcomes = [call_answer.AnswerOutcome("value", value) for value in found]
    assert score_answer(exercise, [stored_cases.case_of(record) for record in secret], outcomes).fraction == 0


# --- whose hints speak for other mistakes -------------------------------------------------------------------

AT_MOST = 0.02  # of the answers whose mistake no rule knows may get the hint of another mistake
DRAWS = 5  # of the cases, besides the stored ones
HINTED = ("misconceptions", "remarks")
KINDS = ("other mistakes", "remarks", "generic")


def case_sets(exercise: Exercise, draws: int) -> Iterator[list[dict]]:
    """Yield the stored cases, and others as they would be for other seeds."""
    yield stored_cases.load(exercise)
    solution = solution_of(exercise.id[:2])[exercise.id]
    for seed in range(draws):
        yield stored_cases.sample_cases(exercise, solution, np.random.default_rng(1000 + seed))


def kind_of(exercise: Exercise, hint: str) -> str:
    """Return whose hint this is: another mistake's, a remark's, or one that knows nothing of the exercise."""
    if hint in [words for _, words in exercise.misconceptions]:
        return "other mistakes"
    return "remarks" if hint in [words for _, words in exercise.remarks] else "generic"


def orphans(suite: AnswerSuite, records: list[dict]) -> list[str]:
    """Return what kind of hint each wrong answer of a suite gets when the rules with its own hint are taken away."""
    exercise, kinds = find(suite.exercise_id), []
    for wrong in suite.all_wrong:
        cases, outcomes = what_came_of(exercise, wrong.answer, records)
        own = score_answer(exercise, cases, outcomes).hint
        if kind_of(exercise, own) != "generic":
            rules = {name: [rule for rule in getattr(exercise, name) if rule[1] != own] for name in HINTED}
            kinds.append(kind_of(exercise, score_answer(replace(exercise, **rules), cases, outcomes).hint))
    return kinds


def unforeseen(suite: AnswerSuite, records: list[dict]) -> list[str]:
    """Return what kind of hint each wrong answer gets that no rule is made for."""
    exercise = find(suite.exercise_id)
    verdicts = [verdict_on(exercise, answer, records) for answer in suite.unforeseen.values()]
    assert all(verdict.fraction < 1 for verdict in verdicts), suite.exercise_id
    return [kind_of(exercise, verdict.hint) for verdict in verdicts]


def table(kinds_of: Callable[[AnswerSuite, list[dict]], list[str]], draws: int) -> tuple[str, float]:
    """Return how often which kind of hint speaks, exercise by exercise, and the share of other mistakes' hints."""
    counts = {}
    for suite in SUITES:
        found = [kind for records in case_sets(find(suite.exercise_id), draws) for kind in kinds_of(suite, records)]
        counts[suite.exercise_id] = np.array([len(found), *map(found.count, KINDS)])
    counts = {**dict(sorted(counts.items())), "all": sum(counts.values())}
    lines = [f"{name:<9}" + "".join(f"{number:>16}" for number in row) for name, row in counts.items()]
    head = f"{kinds_of.__name__:<9}" + "".join(f"{word:>16}" for word in ("answers", *KINDS))
    return "\n".join([head, *lines]), counts["all"][1] / counts["all"][0]


@pytest.mark.full
@pytest.mark.parametrize("kinds_of", [orphans, unforeseen])
@pytest.mark.parametrize("draws", [0, DRAWS])
def test_hints_rarely_speak_for_another_mistake(kinds_of, draws, capsys):
    """Orphans are the wrong answers of the suites, each without the rules whose hint it got."""
    text, share = table(kinds_of, draws)
    with capsys.disabled():
        print(f"\n{text}\nother mistakes: {share:.1%}, with {draws} draws besides the stored cases")
    assert share <= AT_MOST, text
