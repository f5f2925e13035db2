"""What a student reads: points, and where an answer fails, input, expected, got and one hint."""

from __future__ import annotations

import contextlib
import sys
import time
import tracemalloc
import warnings
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from IPython.display import display
from threadpoolctl import threadpool_info, threadpool_limits

from grading import marking
from tests.exercise_99 import make_exercise
from utils.exercises import FreeText, call_answer, check, checking, serialization, show
from utils.exercises.call_answer import AnswerOutcome
from utils.exercises.checking import NOT_THE_EXAMPLE, report
from utils.exercises.comparing import close
from utils.exercises.definition import SLOW_HINT, Exercise, find
from utils.exercises.scoring import (
    CONSTANT_HINT,
    ERROR_HINT,
    FALLBACK_HINT,
    SHAPES_HINT,
    Case,
    describe,
    score_answer,
)
from utils.withholding import withholdable, withholding


@withholdable
def withheld(x):
    return 2 * x


def held(x):
    return withheld(x)


def three_cases(rng):
    for x in (1.0, 2.123456, 3.0):
        yield {"x": x}, None


def four_cases(rng):
    yield from three_cases(rng)
    yield {"x": 2.718}, None


def printed(capsys, exercise_id, answer) -> str:
    check(exercise_id, answer)
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_full_marks_are_a_function_of_id_and_points(lesson_99, capsys):
    lesson_99(make_exercise())
    for answer in (lambda x: 2 * x, lambda x: np.float32(2) * x, lambda x: np.array(x + x)):
        assert printed(capsys, "99.1", answer) == "✓ Exercise 99.1: 4 of 4 points.\n"


def test_a_failure_shows_input_expected_got_and_the_hint(lesson_99, capsys):
    lesson_99(make_exercise())
    text = printed(capsys, "99.1", lambda x: x**2)
    assert text.startswith("✗ Exercise 99.1: 0 of 4 points.\n  hint      That is the square.\n")
    assert text.endswith("  input     x = 1\n  expected  2\n  got       1\n")


def test_a_long_input_is_cut():
    text = checking.format_given({"x": 1, "rows": [[float(i)] * 30 for i in range(3)], "many": np.ones((40, 30))})
    assert len(text.splitlines()) <= checking.INPUT_LINES + 1
    text = checking.format_given({f"x{i}": i for i in range(40)})
    assert text.endswith(f"\n… and {40 - checking.INPUT_LINES} more lines") and text.startswith("x0 = 0\nx1 = 1\n")


def test_only_the_first_cases_value_is_shown(lesson_99, capsys):
    lesson_99(make_exercise())
    text = printed(capsys, "99.1", lambda x: 2.0 if x == 1 else x**2)
    assert "  expected  not shown here (a number)\n" in text and "That is the square." in text


def test_words_may_replace_the_expected_value(lesson_99, capsys):
    lesson_99(make_exercise(wanted=lambda given, expected: f"more than {given['x']:g}"))
    assert "  expected  more than 1\n" in printed(capsys, "99.1", lambda x: x**2)


def test_partial_points_are_the_minimum_over_the_cases(lesson_99, capsys):
    lesson_99(make_exercise(verify=lambda given, hidden, value, expected: 1.0 if given["x"] == 1 else value))
    assert "2 of 4 points" in printed(capsys, "99.1", lambda x: 0.5)
    assert "0 of 4 points" in printed(capsys, "99.1", lambda x: -3.0)
    assert "4 of 4 points" in printed(capsys, "99.1", lambda x: 7.0)
    assert "0 of 4 points" in printed(capsys, "99.1", lambda x: float("nan"))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda x: None, "returned None"),
        (lambda x: [x, 2 * x], "A number was expected, and you returned an array or list of shape (2,)."),
        (lambda x: "2", "you returned a text"),
        (lambda x: float("inf") * x * (1 if x < 2 else -1), "nan or inf"),
        (lambda x: 3 * x, FALLBACK_HINT),
        (lambda x: 2.0, CONSTANT_HINT),
        (lambda x: 1 / (x - x), ERROR_HINT),
        (lambda x: int("a"), ERROR_HINT),
        (lambda x: [x][1], "An index lies beyond the end"),
        (lambda x: np.ones(2)[2], "An index lies beyond the end"),
        (lambda x: np.ones(2)[0, 1], ERROR_HINT),
        (lambda x: 1e-30 * x, "it is 5e-31 times what was expected"),
        (lambda x: object(), "a object is not plain data"),
        (lambda: 1, "takes 0 positional arguments"),
        (lambda x: sys.exit(0), "SystemExit"),
        (lambda x: [1, [2, 3]], "a list of 2 parts"),
    ],
)
def test_wrong_kinds_of_answers_get_one_clear_hint(lesson_99, capsys, answer, said):
    lesson_99(make_exercise())
    text = printed(capsys, "99.1", answer)
    assert "0 of 4 points" in text and said in " ".join(text.split()) and "Traceback" not in text


def test_an_error_names_the_students_own_line(lesson_99, capsys, tmp_path):
    lesson_99(make_exercise())
    source = "import numpy as np\ndef double(x):\n    return np.linalg.inv(np.zeros((2, 2)))\n"
    (tmp_path / "answer.py").write_text(source)
    namespace: dict = {}
    exec(compile(source, str(tmp_path / "answer.py"), "exec"), namespace)
    text = printed(capsys, "99.1", namespace["double"])
    assert "LinAlgError: Singular matrix (in the line: return np.linalg.inv(np.zeros((2, 2))))" in text


def test_an_error_after_a_right_value_still_fails(lesson_99, capsys):
    lesson_99(make_exercise())
    assert ERROR_HINT in printed(capsys, "99.1", lambda x: 2 * x if x == 1 else 1 / 0)


def test_not_started_only_for_the_stub_of_this_very_exercise(lesson_99, capsys):
    lesson_99(make_exercise())

    def raising(text):
        def double(x):
            raise NotImplementedError(text)

        return double

    assert printed(capsys, "99.1", raising("exercise 99.1")) == "– Exercise 99.1: not started (0 of 4 points).\n"
    assert ERROR_HINT in printed(capsys, "99.1", raising("exercise 99.2"))


def test_no_function_unknown_ids_and_missing_cases_get_one_sentence(lesson_99, capsys):
    lesson_99(make_exercise(), make_exercise(id="99.2", answer_name="unbuilt"))
    assert 'check("99.1", double)' in printed(capsys, "99.1", 2.0)
    assert printed(capsys, "99.7", abs) == "There is no exercise 99.7. Lesson 99 has 99.1, 99.2.\n"
    assert printed(capsys, "77.1", abs).startswith("There is no lesson 77")
    assert "Write the id as text" in printed(capsys, 99.1, abs)
    assert "authoring build 99" in printed(capsys, "99.2", abs)


def noisy(x):
    print("\n".join(f"line {i}" for i in range(50)))
    warnings.warn("careful", UserWarning, stacklevel=1)
    print("oops", file=sys.stderr)
    display({"text/plain": "rich"}, raw=True)
    plt.figure()
    return 2 * x


def test_noise_is_held_back_on_success_and_shown_on_failure(lesson_99, capsys):
    lesson_99(make_exercise())
    before = plt.get_fignums()
    assert printed(capsys, "99.1", noisy) == "✓ Exercise 99.1: 4 of 4 points.\n"
    text = printed(capsys, "99.1", lambda x: noisy(x) + 1)
    assert "  printed   line 0\n" in text and "line 19\n" in text and "line 20\n" not in text
    assert "… and 33 more lines" in text and plt.get_fignums() == before


def test_of_endless_prints_only_the_beginning_is_kept():
    def talks(x):
        for _ in range(1000):
            print("x" * 1000)

    printed = call_answer.call_answer(talks, serialization.dumps({"x": 1.0}), "99.1").printed
    assert len(printed) == call_answer.PRINTED_CHARACTERS and printed.startswith("xxx")


def test_an_answer_may_raise_anything(lesson_99, capsys):
    class Odd(BaseException):
        pass

    def raises(x):
        raise Odd("strange")

    lesson_99(make_exercise())
    assert "Odd: strange" in printed(capsys, "99.1", raises)


def test_a_misconception_speaks_where_it_explains_every_failing_value_and_three_cases(lesson_99, capsys):
    rules = [
        (lambda given, value, expected: value == 5 * given["x"] and given["x"] < 3, "all but the last"),
        (lambda given, value, expected: value == 5 * given["x"], "five times"),
    ]
    lesson_99(make_exercise(cases=four_cases, misconceptions=rules))
    assert "five times" in printed(capsys, "99.1", lambda x: 5 * x)
    assert "five times" in printed(capsys, "99.1", lambda x: 2 * x if x == 1 else 5 * x)
    for few in (1, 2):
        text = printed(capsys, "99.1", lambda x, few=few: 5 * x if x in (2.123456, 2.718)[:few] else 2 * x)
        assert "five times" not in text and "all but" not in text
    assert "five times" not in printed(capsys, "99.1", lambda x: 7 * x if x == 3 else 5 * x)
    lesson_99(make_exercise(cases=four_cases, misconceptions=rules[:1]))
    assert "all but" not in printed(capsys, "99.1", lambda x: 5 * x)


def whole_cases(rng):
    for x in range(1, 9):
        yield {"x": x}, None


def test_whole_numbers_near_the_right_ones_are_weak_evidence(lesson_99, capsys):
    """Two bits of three failing cases each are a coincidence that comes about; three of five are none."""
    rules = [(lambda given, value, expected: abs(value - expected) == given["x"] and given["x"] > 3, "x too much")]
    lesson_99(make_exercise(cases=whole_cases, misconceptions=rules))
    assert "x too much" not in printed(capsys, "99.1", lambda x: 3 * x if 3 < x < 7 and x != 5 else 2 * x)
    assert "x too much" in printed(capsys, "99.1", lambda x: 3 * x if x > 3 else 2 * x)
    near = [(lambda given, value, expected: value == expected + 1 and value > 2, "near")]
    lesson_99(make_exercise(cases=whole_cases, misconceptions=near))
    assert "near" not in printed(capsys, "99.1", lambda x: 2 * x + 1)


def test_of_two_that_explain_every_failure_right_cases_decide(lesson_99, capsys):
    """Both are three times the argument where the answer is wrong; one of them is right where the answer is right."""
    rules = [
        (lambda given, value, expected: value == 3 * given["x"], "always"),
        (lambda given, value, expected: value == (3 if given["x"] > 1 else 2) * given["x"], "above 1"),
        (lambda given, value, expected: value == (3 if given["x"] > 1 else 2) * given["x"], "too late"),
    ]
    lesson_99(make_exercise(cases=four_cases, misconceptions=rules))
    assert "above 1" in printed(capsys, "99.1", lambda x: 3 * x if x > 1 else 2 * x)
    assert "always" in printed(capsys, "99.1", lambda x: 3 * x)


def test_an_error_is_explained_by_a_mistake_that_cannot_be_computed_either(lesson_99, capsys):
    rules = [(lambda given, value, expected: value == 5 * given["x"] + 0 / (given["x"] - 1), "by nothing")]
    lesson_99(make_exercise(cases=three_cases, misconceptions=rules))
    assert "by nothing" in printed(capsys, "99.1", lambda x: 5 * x + 0 / (x - 1))
    at_another = lambda x: 5 * x if x < 3 else 1 / 0  # noqa: E731 (its line is printed)
    assert "by nothing" not in printed(capsys, "99.1", at_another)


def test_a_remark_speaks_where_it_is_true_of_most_failing_cases(lesson_99, capsys):
    remarks = [
        (lambda given, value, expected: given["x"] == 1, "only the first"),
        (lambda given, value, expected: given["x"] > 1, "the other two"),
        (lambda given, value, expected: value is None, "an error"),
    ]
    lesson_99(make_exercise(cases=three_cases, remarks=remarks))
    assert "the other two" in printed(capsys, "99.1", lambda x: 5 * x)
    assert "only the first" in printed(capsys, "99.1", lambda x: 2 * x if x > 1 else 7.0)
    assert "That is the square." in printed(capsys, "99.1", lambda x: x**2)
    lesson_99(make_exercise(cases=three_cases, remarks=remarks[:1]))
    assert "only the first" not in printed(capsys, "99.1", lambda x: 5 * x)
    lesson_99(make_exercise(cases=three_cases, remarks=remarks[2:]))
    assert "an error" in printed(capsys, "99.1", lambda x: 1 / 0)


def uses_an_unknown_name(x):
    return undefined + x  # noqa: F821


@pytest.mark.parametrize(
    ("answer", "said"), [(uses_an_unknown_name, "Python does not know this name"), (held, "write it yourself")]
)
def test_errors_with_a_usual_cause_get_its_hint(lesson_99, capsys, answer, said):
    lesson_99(make_exercise(without=[f"{withheld.__module__}.withheld"]))
    assert said in printed(capsys, "99.1", answer)


def test_the_answer_gets_a_copy_of_its_input(lesson_99, capsys):
    def cases(rng):
        yield {"x": np.ones(2)}, None
        yield {"x": np.arange(3.0)}, None

    lesson_99(make_exercise(cases=cases))

    def spoils(x):
        result = 2 * x
        x += 100
        return result

    for _ in range(2):
        assert "4 of 4" in printed(capsys, "99.1", spoils)


def test_who_stops_a_check_is_told_so_and_nothing_is_judged(lesson_99, capsys):
    lesson_99(make_exercise())

    def slow(x):
        raise KeyboardInterrupt

    said = printed(capsys, "99.1", slow)
    assert said.startswith("– Exercise 99.1: you stopped the check") and "compute for 10 seconds" in said


def test_who_stops_a_check_before_there_is_an_exercise_stops_the_cell(monkeypatch):
    def slow(exercise_id):
        raise KeyboardInterrupt

    monkeypatch.setattr(checking, "find", slow)
    with pytest.raises(KeyboardInterrupt):
        check("99.1", len)


def threads() -> list[int]:
    """Return with how many threads each library computes."""
    return [torch.get_num_threads(), *(library["num_threads"] for library in threadpool_info())]


@pytest.mark.parametrize("stops", [None, ValueError, KeyboardInterrupt])
def test_an_answer_computes_with_one_thread_as_in_marking(lesson_99, stops):
    """Two threads take several times the processor time for small matrices, and a check counts that."""
    lesson_99(make_exercise())
    seen, kept = [], torch.get_num_threads()

    def answer(x):
        seen.extend(threads())
        if stops:
            raise stops

    torch.set_num_threads(3)
    try:
        with threadpool_limits(2, user_api="blas"):
            before = threads()
            with pytest.raises(stops) if stops is KeyboardInterrupt else contextlib.nullcontext():
                report(find("99.1"), answer)
            assert threads() == before and {2, 3} <= set(before)
    finally:
        torch.set_num_threads(kept)
    assert set(seen) == {1}


def test_a_free_text_is_marked_by_hand_if_at_all(lesson_99, capsys):
    lesson_99(FreeText("99.1", 3, rubric="says why"))
    assert printed(capsys, "99.1", "because") == (
        "– Exercise 99.1: a short text, marked by hand where your instructor asks for it.\n"
    )


def test_show_draws_an_answer_and_is_silent_without_one(lesson_99, capsys, monkeypatch):
    shown = []
    monkeypatch.setattr("utils.figures.show_figure", lambda figure, words: shown.append((figure, words)))
    lesson_99(make_exercise(plot=lambda given, value: ("a figure", f"{given['x']:g} → {value:g}")))

    def stub(x):
        raise NotImplementedError("exercise 99.1")

    assert show("99.1", lambda x: 2 * x) is None and shown.pop() == ("a figure", "1 → 2")
    assert show("99.1", stub) is None and capsys.readouterr().out == ""
    assert show("99.1", lambda x: 1 / 0) is None and "division" in capsys.readouterr().out
    assert show("99.1", lambda x: "two") is None and "We cannot draw this" in capsys.readouterr().out
    assert show("99.7", abs) is None and "There is no exercise 99.7" in capsys.readouterr().out
    assert shown == []


@pytest.mark.parametrize(
    "changes", [{"id": "1.1"}, {"points": 0}, {"points": 1.5}, {"answer_name": "no name"}, {"seconds": 11}]
)
def test_a_malformed_definition_is_refused(changes):
    with pytest.raises(ValueError, match="Give|form"):
        make_exercise(**changes)


def test_a_definition_is_frozen():
    with pytest.raises(AttributeError):
        make_exercise().points = 5
    assert isinstance(make_exercise(), Exercise)


@pytest.mark.parametrize(
    ("value", "expected", "agrees"),
    [
        (1.0, 1, True),
        (np.float32(1), 1.0, True),
        (True, 1, False),
        (1, True, False),
        (None, 1, False),
        ([1, 2], np.array([1.0, 2.0]), True),
        ([[1, 2]], np.array([1.0, 2.0]), False),
        ([1, 2, 3], [1, 2], False),
        (float("nan"), float("nan"), False),
        ("a", "a", True),
        ("a", "b", False),
        ([1, [2, 3]], [1, [2, 3]], True),
        ([1, [2, 4]], [1, [2, 3]], False),
        (3, [1, [2, 3]], False),
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": 1, "b": 1}, {"a": 1}, False),
        (1 + 1e-7, 1, True),
        (1 + 1e-5, 1, False),
        ([True, False], np.array([True, False]), True),
        ([1, 0], np.array([True, False]), False),
        (None, None, True),
    ],
)
def test_close(value, expected, agrees):
    assert close(value, expected) == agrees


def test_describe_names_the_kind_of_data():
    described = [describe(v) for v in (None, True, 2, "x", np.ones((2, 3)), [1, 2], [[1], [1, 2]], [], {"a": 1})]
    assert described == [
        "None",
        "True or False",
        "a number",
        "a text",
        "an array or list of shape (2, 3)",
        "an array or list of shape (2,)",
        "a list of 2 parts",
        "a list of 0 parts",
        "a dictionary with the keys a",
    ]


def test_a_long_hint_is_wrapped_and_stays_in_its_column():
    text = report(find("01.2"), lambda knots, values: np.diff(values) / np.diff(knots))
    hint = text.split("  hint ")[1].split("  input ")[0].splitlines()
    assert len(hint) > 1 and all(line.startswith(" " * 12) and len(line) <= 102 for line in hint[1:])


def test_of_the_cases_that_a_hint_is_for_the_simplest_is_shown(lesson_99, capsys):
    lesson_99(make_exercise(cases=four_cases))
    assert "x = 1\n" in printed(capsys, "99.1", lambda x: x**2)
    assert "x = 3\n" in printed(capsys, "99.1", lambda x: 2 * x if x == 1 else x**2)
    assert "x = 3\n" in printed(capsys, "99.1", lambda x: 2 * x if x == 1 else -x)


def test_a_remark_on_errors_speaks_where_it_explains_all_of_them(lesson_99, capsys):
    remarks = [(lambda given, value, expected: value is None and given["x"] > 1, "above 1")]
    lesson_99(make_exercise(cases=three_cases, remarks=remarks))
    assert "above 1" in printed(capsys, "99.1", lambda x: 2 * x if x == 1 else 1 / 0)
    assert ERROR_HINT in printed(capsys, "99.1", lambda x: 1 / 0)
    assert "returned None" in printed(capsys, "99.1", lambda x: 2 * x if x == 1 else None)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda x: not_defined(x), "Python does not know this name"),  # noqa: F821
        (lambda x: [x].T, "The thing before the dot"),
    ],
)
def test_an_error_with_a_hint_of_its_own_is_not_given_a_remark_on_errors(lesson_99, capsys, answer, said):
    lesson_99(make_exercise(cases=three_cases, remarks=[(lambda given, value, expected: value is None, "a shape")]))
    assert said in printed(capsys, "99.1", answer)
    assert "a shape" in printed(capsys, "99.1", lambda x: 1 / 0)


@pytest.mark.parametrize("multiply", [np.matmul, lambda a, b: torch.tensor(a) @ torch.tensor(b)])
def test_an_error_about_shapes_gets_its_own_hint(lesson_99, capsys, multiply):
    lesson_99(make_exercise())
    assert SHAPES_HINT in " ".join(printed(capsys, "99.1", lambda x: multiply(np.ones((2, 3)), np.ones(2))).split())


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("torch.ones(2, requires_grad=True).add_(1)", "no_grad"),
        ("0.1 * torch.ones(2).grad", "is None"),
        ("torch.ones(2, 2) @ torch.ones(2, 2).double()", "float32 and float64"),
        ("min([])", "left to choose from"),
        ("torch.tanh(np.ones(2))", "`torch.as_tensor`"),
        ("[1][1]", "An index lies beyond the end"),
        ("np.interp(0, [1, 2], [1, 2, 3])", SHAPES_HINT),
        ("1 / 0 + np.ones(2).shape[0]", ERROR_HINT),
        ("shape + 1", "Python does not know this name"),
        ("np.ones(2)[2]", "counts through the whole table"),
        ("[1, 2] - 1", "A list is not an array"),
        ("0.5 * [1, 2]", "A list is not an array"),
        ("[[1, 2]][(0, x)]", "A list is not an array"),
        ("1 if np.ones(2) > 0 else 0", "`.all()` or `.any()`"),
        ("__import__('math').sqrt(np.ones(2))", "not those of `math`"),
        ("range(2.0)", "// gives whole numbers"),
        ("[1, 2][x]", "// gives whole numbers"),
        ("[a for a, b in [[1]]]", "The number of values may change"),
        ("(lambda f: f(f))(lambda f: f(f))", "calls itself without end"),
        ("np.ones(2, bool) - np.ones(2, bool)", "with `!=`"),
        ("np.array([[1], [1, 2]])", "parts with different shapes"),
    ],
)
def test_what_is_said_of_an_error_is_not_about_the_students_own_words(lesson_99, capsys, tmp_path, error, said):
    lesson_99(make_exercise())
    (tmp_path / "answer.py").write_text(f"def double(x):\n    return {error}\n")
    namespace: dict = {"torch": torch, "np": np}
    exec(compile((tmp_path / "answer.py").read_text(), str(tmp_path / "answer.py"), "exec"), namespace)
    assert said in " ".join(printed(capsys, "99.1", namespace["double"]).split())


@pytest.mark.parametrize(
    ("expected", "value", "said"),
    [
        ([[1], [0]], [[], [1, 2]], FALLBACK_HINT),
        ([[1], []], [[1], [2]], FALLBACK_HINT),
        ([[0], [1]], [np.array([]), np.array([1])], FALLBACK_HINT),
        ([[1], [0]], [[1, 2], [3, 4]], "of shape (2, 2)"),
        ([1, 0], [[1, 2], [3]], "a list of 2 parts"),
        ([[1], []], [[1]], "of shape (1, 1)"),
    ],
)
def test_of_lists_of_other_lengths_no_shape_is_told(expected, value, said):
    cases = [Case({"x": x}, None, [7] if x else expected) for x in range(2)]
    outcomes = [AnswerOutcome("value", value), AnswerOutcome("value", [7])]
    exercise = make_exercise(verify=lambda given, hidden, value, expected: float(value == [7]))
    assert said in score_answer(exercise, cases, outcomes).hint


def fails_at_1(x):
    return x**2 if x > 1 else 1 / 0


def test_where_a_value_is_shown_errors_elsewhere_are_told(lesson_99, capsys):
    lesson_99(make_exercise(cases=four_cases))
    text = printed(capsys, "99.1", fails_at_1)
    assert "That is the square." in text
    assert "  elsewhere in 1 of 4 cases your function stopped with an error:\n            ZeroDivisionError" in text
    for answer in (lambda x: 1 / (x - x), lambda x: x**2):
        assert "cases your function stopped" not in printed(capsys, "99.1", answer)


def test_an_exercise_may_explain_by_how_much_a_value_misses(lesson_99, capsys):
    lesson_99(make_exercise(explain=lambda given, value, expected: f"{value - expected:g} too much"))
    text = printed(capsys, "99.1", lambda x: print("seen") or x**2 + 5)
    assert text.index("  hint  ") < text.index("  got  ") < text.index("  in detail 4 too much\n") < text.index("seen")
    for answer in (lambda x: "two", lambda x: 1 / 0, lambda x: None):  # nothing can be said of these
        assert "in detail" not in printed(capsys, "99.1", answer)
    lesson_99(make_exercise(explain=lambda given, value, expected: ""))
    assert "in detail" not in printed(capsys, "99.1", lambda x: x**2)


@pytest.mark.parametrize(("seconds", "drawn"), [(1, 3.0), (2, 1.0)])
def test_show_draws_the_case_that_check_shows_where_that_is_quick(lesson_99, monkeypatch, seconds, drawn):
    shown = []
    monkeypatch.setattr("utils.figures.show_figure", lambda figure, words: shown.append((figure, words)))
    lesson_99(make_exercise(cases=three_cases, seconds=seconds, plot=lambda given, value: (given["x"], "words")))
    show("99.1", lambda x: 2 * x if x == 1 else x**2)
    show("99.1", lambda x: 2 * x)
    assert shown == [(drawn, f"{NOT_THE_EXAMPLE} words" if drawn > 1 else "words"), (1.0, "words")]


@pytest.mark.parametrize(("seconds", "drawn"), [(1, 2.123456), (2, 1.0)])
def test_show_draws_the_exercises_own_case_where_nothing_is_wrong(lesson_99, monkeypatch, seconds, drawn):
    shown = []
    monkeypatch.setattr("utils.figures.show_figure", lambda figure, words: shown.append((figure, words)))
    draw = lambda given, value: (given["x"], "words")  # noqa: E731
    lesson_99(make_exercise(cases=three_cases, seconds=seconds, plot=draw, plotted_case=1))
    show("99.1", lambda x: 2 * x)
    assert shown == [(drawn, "words")]
    show("99.1", lambda x: 3 * x)
    assert shown[1] == (1.0, "words")


# --- odd values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", [["x" * 1_000_000, *["a"] * 20_000], [[1.0] * 5, ["x" * 1_000_000] * 20_000], [None] * 9]
)
def test_a_list_with_text_is_no_numbers_and_takes_no_room(value):
    """NumPy would give every element the room of the longest text: 80 GB."""
    tracemalloc.start()
    try:
        assert close(value, np.zeros(3)) == 0 and describe(value) == f"a list of {len(value)} parts"
        assert tracemalloc.get_traced_memory()[1] < 2**23
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.int8, float])
def test_whole_numbers_that_are_far_apart_are_not_close(dtype):
    limits = (0, 1, 2) if dtype is float else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    for wrong in limits:
        assert not close(np.array([wrong]), np.array([3])) and close(np.array([3], dtype), np.array([3]))
    assert not close(3 - 2**63, 3) and not close(np.array([3 - 2**63]), np.array([3]))


def test_the_keys_of_a_dictionary_are_named_as_far_as_a_sentence_goes():
    assert describe({"a": 1, "b": 2}) == "a dictionary with the keys a, b"
    assert describe({}) == "a dictionary with the keys (none)"
    long = describe({f"{number}" * 1_000_000: 0 for number in range(9)})
    assert len(long) < 500 and long.startswith("a dictionary with the keys 0000") and long.endswith(", …")


@pytest.mark.parametrize("expected", [2.0, {"sizes": 1}, [1, 2]])
def test_a_hint_repeats_no_words_of_a_dictionary(expected):
    words = ("my own words", "and others")
    hints = [
        score_answer(
            make_exercise(verify=lambda *given: 0),
            [Case({"x": 1}, None, expected)] * 2,
            [AnswerOutcome("value", value) for value in ({words[0]: 1, words[1]: 2}, {})],
        ).hint
    ]
    assert "you returned a dictionary with 2 keys." in hints[0] and not any(word in hints[0] for word in words)


def test_a_withheld_function_is_withheld_whatever_way_leads_to_it():
    before = [held, withheld, withheld.__call__, getattr(withheld, "__wrapped__", withheld)]
    for one in before:
        outcome = call_answer.call_answer(
            lambda x, f=one: f(x), serialization.dumps({"x": 1.0}), "99.1", [f"{__name__}.withheld"]
        )
        assert outcome.kind == "error" and "cannot call it" in outcome.message
    with withholding([f"{__name__}.withheld"]), withholding([f"{__name__}.withheld", "utils.nothing"]):
        pass
    assert held(2) == withheld(2) == 4


def test_a_result_that_cannot_be_compared_is_no_error_before_the_return(lesson_99, capsys):
    lesson_99(make_exercise())
    for answer in (lambda x: Fraction(2) * int(x), lambda x: {1: x}, lambda x: iter([x])):
        text = printed(capsys, "99.1", answer)
        assert "Your function did return" in " ".join(text.split()) and ERROR_HINT not in text


def busy(x):
    """A right answer after a fifth of a second of computing."""
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    return 2 * x


@pytest.mark.slow
def test_an_answer_that_takes_longer_than_marking_waits_is_not_full_marks(lesson_99, capsys, monkeypatch):
    lesson_99(make_exercise())
    assert printed(capsys, "99.1", busy).startswith("✓")
    monkeypatch.setattr(checking, "IMPORT_SECONDS", 0.1)
    monkeypatch.setattr(checking, "PATIENCE", 0)
    called = []
    text = printed(capsys, "99.1", lambda x: called.append(x) or busy(x))
    assert text.startswith("✗ Exercise 99.1: 0 of 4 points.") and "All cases together may take 0.1 seconds" in text
    assert len(called) == 1  # nobody waits for the other cases
    assert SLOW_HINT in " ".join(text.split())
    lesson_99(make_exercise(slow_hint="Square it."))
    assert printed(capsys, "99.1", busy).endswith("  hint      Square it.\n")


def test_a_wrong_answer_is_told_what_is_wrong_before_that_it_is_slow(lesson_99, capsys, monkeypatch):
    lesson_99(make_exercise())
    monkeypatch.setattr(checking, "IMPORT_SECONDS", 0.1)
    monkeypatch.setattr(checking, "PATIENCE", 0)
    text = printed(capsys, "99.1", lambda x: busy(x) + 1)
    assert "  expected  2\n  got       3\n" in text and "seconds" not in text


def test_marking_gives_twice_the_time_for_twice_the_cases():
    assert marking.BASE_SECONDS == 2 * checking.IMPORT_SECONDS and marking.PATIENCE == checking.PATIENCE
