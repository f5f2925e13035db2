"""check and show: what a student calls in an exercise notebook."""

from __future__ import annotations

import contextlib
import json
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from utils.environment import in_tested_kernel
from utils.exercises import call_answer, history, points, serialization, stored_cases
from utils.exercises.definition import Exercise, FreeText, Judged, UnknownExercise, find
from utils.exercises.scoring import Case, Verdict, describe, score_answer

PRINTED_LINES, INPUT_LINES = 20, 16
QUICK_SECONDS = 1
IMPORT_SECONDS, PATIENCE = 5, 5  # less than marking gives for so many cases, on a machine that may be slower
NOT_THE_EXAMPLE = "This is not the example, but the case that the check below shows."
NOT_IN_MARKING = "Define in this notebook's cells everything that your answer needs."
STOPPED = (
    "– Exercise {}: you stopped the check, so nothing was judged. All cases together may compute for {:g} seconds.\n"
    "  If one of them never ends, check that each of your loops gets closer to its end."
)
HINT_COLUMNS = 90  # a wider line is wrapped by the page itself, back to its left edge


class NotSolved(Exception):
    """Makes nbval's cell red where a check gives less than full marks: nbval alone sees no other sign of it."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows in place of a traceback."""
        return [f"NotSolved: {self}"]


def check(exercise_id: str, answer: Callable) -> None:
    """Print the points that ``answer`` earns on the exercise's stored cases and, if it fails one, why.

    The best points of each exercise are kept, for ``progress()`` and the start page. In a kernel that pytest started,
    as nbval does, less than full marks then raise NotSolved; a free text never does, because only a reader can judge
    it.
    """
    try:
        exercise = find(exercise_id)
    except UnknownExercise as error:
        return _say_unsolved(str(error))
    if isinstance(exercise, FreeText):
        return print(pending_text(exercise))
    try:
        text, verdict = judged(exercise, answer)
    except UnknownExercise as error:
        return _say_unsolved(str(error))
    except KeyboardInterrupt:
        return _say_unsolved(STOPPED.format(exercise_id, seconds_allowed(exercise)))
    said = [text]
    if verdict.fraction > 0 and (missing := history.not_in_marking(exercise.answer_name)):
        said.append(_row("marking", _wrapped(f"will not have {'; '.join(missing)}. {NOT_IN_MARKING}")))
    if verdict.started:
        points.keep(exercise, points.earned(exercise, verdict.fraction))
    return print(*said, sep="\n") if verdict.fraction == 1 else _say_unsolved("\n".join(said))


def _say_unsolved(text: str) -> None:
    print(text)
    if in_tested_kernel():
        raise NotSolved(text)


def show(exercise_id: str, answer: Callable) -> None:
    """Draw what ``answer`` returns for the case that ``check`` shows; if none fails, for the exercise's plotted case.

    Nothing is drawn before there is an answer. For an exercise that takes long, only the first case is computed.
    """
    try:
        exercise = find(exercise_id)
        if isinstance(exercise, FreeText):
            return None
        records = stored_cases.load(exercise)
    except UnknownExercise as error:
        return print(error)
    if not records or exercise.plot is None or not callable(answer):
        return None
    records = records[:1] if exercise.seconds > QUICK_SECONDS else records
    cases, outcomes = _run(exercise, answer, records)
    failing = score_answer(exercise, cases, outcomes).failing
    shown = min(exercise.plotted_case, len(cases) - 1) if failing is None else failing
    if any(outcome.kind == "not started" for outcome in outcomes):
        return None
    if outcomes[shown].kind == "error":
        return print(f"There is nothing to draw yet: {outcomes[shown].message}")
    try:
        with np.errstate(all="ignore"):
            figure, words = exercise.plot(cases[shown].given, outcomes[shown].value)
    except Exception:  # drawn is whatever a student returned; check says what is wrong with it
        return print("We cannot draw this. Run the check below: it says what was expected.")
    from utils.figures import show_figure  # here, so that a check alone does not wait for matplotlib

    return show_figure(figure, f"{NOT_THE_EXAMPLE} {words}" if failing else words)


def report(exercise: Exercise, answer: Callable) -> str:
    """Return what ``check`` prints for this answer; raises UnknownExercise where no cases are stored."""
    return judged(exercise, answer)[0]


def judged(exercise: Exercise, answer: Callable) -> tuple[str, Verdict]:
    """Return what ``check`` prints for this answer, and the verdict; raises UnknownExercise without stored cases."""
    if not callable(answer):
        wanted = f'check("{exercise.id}", {exercise.answer_name})'
        text = _headline(exercise, 0.0) + (
            f"\n  got       {describe_safely(answer)}, which cannot be called"
            f"\n  hint      Pass the function itself, without brackets after its name: {wanted}"
        )
        return text, Verdict(0.0, started=False)
    start = time.process_time()
    cases, outcomes = _run(exercise, answer, stored_cases.load(exercise))
    verdict = score_answer(exercise, cases, outcomes)
    if verdict.started and verdict.failing is None and time.process_time() - start > seconds_allowed(exercise):
        return too_slow_text(exercise, time.process_time() - start), Verdict(0.0)
    return report_text(exercise, cases, outcomes, verdict), verdict


def seconds_allowed(exercise: Exercise) -> float:
    """Return how many seconds of computing an answer may take for all stored cases together."""
    return IMPORT_SECONDS + PATIENCE * exercise.seconds


def _run(
    exercise: Exercise, answer: Callable, records: Sequence[dict]
) -> tuple[list[Case], list[call_answer.AnswerOutcome]]:
    """Return the cases as the judge wants them, and what the answer comes to for each, until its time is up."""
    outcomes, start = [], time.process_time()
    with _one_thread():
        for record in records:
            outcomes.append(call_answer.call_answer(answer, json.dumps(record["given"]), exercise.id, exercise.without))
            if time.process_time() - start > seconds_allowed(exercise):
                break
    return [stored_cases.case_of(record) for record in records[: len(outcomes)]], outcomes


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Let an answer compute with one thread, as in marking: on small matrices more cost seconds, and gain none."""
    if sys.platform == "emscripten":  # in a browser, whose Python has no other
        yield
        return
    from threadpoolctl import threadpool_limits  # scikit-learn brings it

    torch = sys.modules.get("torch")
    threads = torch.get_num_threads() if torch else 0
    try:
        if torch:  # whose number, once it was set, no limit from outside changes
            torch.set_num_threads(1)
        with threadpool_limits(1):
            yield
    finally:
        if torch:
            torch.set_num_threads(threads)


def report_text(
    exercise: Exercise, cases: Sequence[Case], outcomes: Sequence[call_answer.AnswerOutcome], verdict: Verdict
) -> str:
    """Return a verdict in words: points, and for the failing case input, expected, got, and the hint."""
    if not verdict.started:
        return not_started_text(exercise)
    if verdict.failing is None:
        return full_marks_text(exercise)
    shown = outcomes[verdict.failing]
    errors = [outcome.message for outcome in outcomes if outcome.kind == "error"]
    elsewhere = []
    if errors and shown.kind != "error":
        text = f"in {len(errors)} of {len(cases)} cases your function stopped with an error:\n{errors[0]}"
        elsewhere = [("elsewhere", text)]
    rows = hinted_rows(exercise, cases[verdict.failing], shown, verdict.hint, first=verdict.failing == 0)
    return in_rows(_headline(exercise, verdict.fraction), rows + elsewhere)


def in_rows(headline: str, rows: Sequence[tuple[str, str]]) -> str:
    """Return a headline and pairs of label and text, one below the other."""
    return "\n".join([headline, *(_row(label, text) for label, text in rows)])


def hinted_rows(
    exercise: Judged, case: Case, outcome: call_answer.AnswerOutcome, hint: str, *, first: bool
) -> list[tuple[str, str]]:
    """Return the hint, and below it ``failure_rows``: a long input would push it out of sight."""
    return [("hint", _wrapped(hint)), *failure_rows(exercise, case, outcome, first=first)]


def failure_rows(
    exercise: Judged, case: Case, outcome: call_answer.AnswerOutcome, *, first: bool
) -> list[tuple[str, str]]:
    """Return pairs of label and text on a failing case: input, expected, got, and what else there is to say."""
    got = outcome.message if outcome.kind == "error" else format_value(outcome.value)
    expected = expected_text(exercise, case, first=first)
    rows = [("input", format_given(case.given)), ("expected", expected), ("got", got)]
    detail = _detail(exercise, case, outcome)
    if detail:
        rows.append(("in detail", detail))
    printed = outcome.printed.splitlines()
    if printed:
        more = f"\n… and {len(printed) - PRINTED_LINES} more lines" if len(printed) > PRINTED_LINES else ""
        rows.append(("printed", "\n".join(line[:200] for line in printed[:PRINTED_LINES]) + more))
    return rows


def _detail(exercise: Judged, case: Case, outcome: call_answer.AnswerOutcome) -> str:
    """Return the exercise's own words on how a value misses, "" where it has none."""
    if exercise.explain is None or outcome.kind != "value":
        return ""
    try:
        with np.errstate(all="ignore"):
            return exercise.explain(case.given, outcome.value, case.expected)
    except Exception:  # explained is whatever a student returned; the hint says what is wrong with it
        return ""


def full_marks_text(exercise: Exercise) -> str:
    """Return what a solved exercise's check prints: a function of id and points alone."""
    return f"✓ Exercise {exercise.id}: {exercise.points} of {exercise.points} points."


def too_slow_text(exercise: Exercise, seconds: float) -> str:
    """Return what the check of an answer prints that nothing is wrong with but its time."""
    allowed = f"All cases together may take {seconds_allowed(exercise):g} seconds, and marking stops what takes longer."
    time_row = ("time", _wrapped(f"Nothing is wrong so far, but it took {seconds:.0f} seconds. {allowed}"))
    return in_rows(_headline(exercise, 0.0), [time_row, ("hint", _wrapped(exercise.slow_hint))])


def not_started_text(exercise: Exercise) -> str:
    """Return what the check of an unanswered exercise prints."""
    return f"– Exercise {exercise.id}: not started (0 of {exercise.points} points)."


def pending_text(exercise: FreeText) -> str:
    """Return what the check of a free text prints: a function of the id alone."""
    return f"– Exercise {exercise.id}: a short text, marked by hand where your instructor asks for it."


def expected_text(exercise: Judged, case: Case, *, first: bool) -> str:
    """Return what was expected: the exercise's own words, the first case's value, or only its kind."""
    if exercise.wanted is not None:
        return exercise.wanted(case.given, case.expected)
    return format_value(case.expected) if first else f"not shown here ({describe(case.expected)})"


def format_given(given: Mapping[str, Any]) -> str:
    """Return the input, an argument on a line of its own; what is longer than INPUT_LINES is cut."""
    lines = "\n".join(f"{name} = {format_value(value)}" for name, value in given.items()).splitlines()
    cut = [f"… and {len(lines) - INPUT_LINES} more lines"] if len(lines) > INPUT_LINES else []
    return "\n".join([*lines[:INPUT_LINES], *cut])


def format_value(value: Any) -> str:
    """Return plain data in print, arrays to five digits, no more than about 600 characters."""
    with np.printoptions(precision=5, threshold=40, edgeitems=4, suppress=True, linewidth=96):
        text = f"{value:.6g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= 600 else text[:600] + " …"


def describe_safely(value: Any) -> str:
    """Return what ``value`` is in words, its type's name where it is not plain data."""
    try:
        return describe(serialization.normalise(value))
    except serialization.NotSerializable:
        return f"a {type(value).__name__}"


def _headline(exercise: Exercise, fraction: float) -> str:
    return f"✗ Exercise {exercise.id}: {points.earned(exercise, fraction):g} of {exercise.points} points."


def _wrapped(hint: str) -> str:
    return textwrap.fill(hint, HINT_COLUMNS, break_long_words=False, break_on_hyphens=False)


def _row(label: str, text: str) -> str:
    return f"  {label:<9} " + text.replace("\n", "\n" + " " * 12)
