"""From an answer's values to points and one hint: the judgement that check and marking share.

Which hint speaks, the first of these that can:

1. An answer that returns the same whatever it is given is told so.
2. A *misconception* names a mistake, and has to earn that. Its rule matches every failing case that returned a value;
   it explains at least ``SEVERAL`` failing cases (one that stopped with an error where the mistake cannot be computed,
   either); and that is no coincidence: what matches weighs more than ``LEAST_WEIGHT`` bits, a wrong value up to
   ``MOST_BITS``, a whole number near the right one fewer, a right value that the mistake has, too, one. Of several the
   one speaks whose matches weigh most, the earlier of two alike.
3. A *remark* says what is seen of the case that is shown. Its rule matches more than half of the failing cases; of
   several the one that matches most. Of errors it speaks only where it matches all of them, and none has a hint of its
   own, as that of a name that is not known: None stands for them.
4. The error, where there is one; or the form of the value; or how the numbers differ (``utils.exercises.differences``).

So of an answer that forgets the biases, five cases say: three wrong, as a network without biases has it, and two right,
in whose networks they are 0. The rule "without biases" matches all five: 3 · 10 + 2 · 1 bits, and its hint is shown,
with the worked example where that is among the failing cases, else with the shortest of them. Had one of the three
another value than a network without biases, the rule would be silent: there is another mistake, or a second one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from utils.exercises import serialization
from utils.exercises.call_answer import UNCHECKABLE, AnswerOutcome
from utils.exercises.comparing import close, numbers_in
from utils.exercises.definition import Inputs, Judged
from utils.exercises.differences import difference, difference_in_shape
from utils.exercises.rules import is_number, is_whole, one_number

CONSTANT_HINT = (
    "Your function returns the same result whatever it is given. Does it use its arguments? If it does, then what it "
    "looks for never happens."
)
ERROR_HINT = "Your function stopped with an error. Start from the line that is named."
ERROR_HINTS = {
    "NameError": "Python does not know this name. Run the set-up cells, and define what you use in the function.",
    "UnboundLocalError": "You use a name before it has a value. When is the line that gives it one not reached?",
    "AttributeError": (
        "The thing before the dot does not have what you ask for after it. Is it a list where you want an array? Or a "
        "dictionary, whose entries you get with square brackets?"
    ),
    "RecursionError": (
        "Your function calls itself without end. For which smallest input can it return the result at once, and does "
        "every chain of calls get there?"
    ),
    "Withheld": "This function of the course is the answer itself, so write it yourself, from the definition.",
}
UNCHECKABLE_HINT = (
    "Your function did return something, but nothing that we can compare. Return numbers (float or int turns other "
    "things into one), text, True or False, or lists, arrays and tensors of them, as large as the exercise asks for."
)
SHAPES_HINT = (
    "Two arrays do not fit together. Sizes change from case to case, so take none for granted, and compare the shapes "
    "in the line that is named."
)
SAID = [  # what Python, NumPy and torch say of an error, and what is said of it here
    (
        r"leaf Variable",
        "PyTorch records everything that you do to a tensor with `requires_grad=True`, and so a training step, too. "
        "Take the step inside `with torch.no_grad():`.",
    ),
    (
        r"NoneType",
        "Something in the line that is named is None: perhaps the result of a function without `return`, or the "
        "`.grad` of a tensor that has no gradient. `W = W - …` or `.T` makes a new tensor, and PyTorch keeps no "
        "gradient for that one.",
    ),
    (
        r"same dtype|[Ff]ound dtype|scalar type",
        "Two kinds of numbers meet here, such as float32 and float64. Make all of them float64: NumPy's numbers are, "
        "and a tensor made from them stays so unless you say otherwise.",
    ),
    (
        r"Tensor, not numpy|'numpy\.ndarray' and 'Tensor'|'Tensor' and 'numpy",
        "A NumPy array meets a tensor. Turn the array into a tensor with `torch.as_tensor`.",
    ),
    (
        r"not require grad",
        "PyTorch has no tensor to differentiate by. Make each tensor that needs a gradient with `requires_grad=True`, "
        "and compute the loss from these tensors, without `.item()`, `.detach()` or NumPy on the way.",
    ),
    (
        r"inhomogeneous",
        "NumPy cannot make one array out of parts with different shapes, such as a weight and its bias, or all that "
        "`np.linalg.lstsq` returns. Take the part that you want: of `lstsq`, `[0]` is the solution.",
    ),
    (
        r"index to scalar|(float|int)\w*' (object is not subs|has no len)|unsized",
        "You have one number where you want several. Did a norm, a sum or a mean without `axis` put all entries "
        "together?",
    ),
    (
        r"must be square",
        "`solve` wants as many equations as unknowns. If there are more equations, fit by least squares: "
        "`np.linalg.lstsq(A, b)[0]`.",
    ),
    (
        r"empty sequence|argument is empty|zero-size array|with size 0",
        "In one of the cases, nothing is left to choose from. Say what your function returns then.",
    ),
    (
        r"out of bounds for axis",
        "An index lies beyond the end of an axis, whose length changes from case to case. Is it the axis that you "
        "mean? (Without `axis`, `argmax` counts through the whole table.)",
    ),
    (
        r"^IndexError: .*out of (range|bounds)",
        "An index lies beyond the end. The last of n entries has the index n − 1, and n changes from case to case.",
    ),
    (
        r"values to unpack",
        "There are more names than values, or fewer: count both sides of the assignment. The number of values may "
        "change from case to case.",
    ),
    (
        r"(operand type|instances).*'list'|sequence by non-int|to list|not tuple",
        "A list is not an array: + joins two lists, * repeats one, and a list takes a single index. Turn it into an "
        "array first, with `np.array`.",
    ),
    (
        r"truth value of an?",
        "An `if`, an `and` or Python's `max` needs one True or False, and it got an array. Say with `.all()` or "
        "`.any()` whether all entries must be true or just one, or go through them one by one.",
    ),
    (
        r"only (integer|length-1|0-dim)|as an integer|integers.* (not float|got)",
        "This place needs a single number, perhaps a whole one, and it got a float or an array. // gives whole "
        "numbers, and for arrays use NumPy's functions, not those of `math`.",
    ),
    (
        r"boolean subtract",
        "NumPy does not subtract True and False. Ask with `!=` where two arrays differ, or turn them into numbers "
        "first, with `.astype(int)`.",
    ),
    (r"\bshapes?\b|broadcast|matmul|mismatch|did not match|same length", SHAPES_HINT),
]
IN_THE_LINE = "(in the line: "  # what follows is the student's own code
FALLBACK_HINT = "Work through this input by hand, and compare step by step."
MOST_KEYS, MOST_CHARACTERS = 8, 40  # of a dictionary that somebody returned, in a sentence about it
SEVERAL = 3  # failing cases that a misconception has to explain
MOST_BITS, NAN_BITS = 10, 2  # that one wrong value weighs, and one that is nan or inf
LEAST_WEIGHT = 10  # bits: one coincidence in a thousand


@dataclass(frozen=True)
class Case:
    """One case as the judge sees it: tensors are arrays, ``expected`` is the solution's value."""

    given: Inputs
    hidden: Any
    expected: Any


@dataclass(frozen=True)
class Verdict:
    """What an answer has earned: ``fraction`` of the points, and where it first fell short, with a hint.

    ``failing`` is the index of a case, None for full marks and for an answer that was not started.
    """

    fraction: float
    started: bool = True
    failing: int | None = None
    hint: str = ""


@np.errstate(all="ignore")  # what odd values overflow in verify or in a rule is nobody's concern
def score_answer(exercise: Judged, cases: Sequence[Case], outcomes: Sequence[AnswerOutcome]) -> Verdict:
    """Return the verdict on one answer's outcomes, one for each case.

    The fraction is the minimum over the cases: a constant that is right now and then earns nothing.
    """
    if any(outcome.kind == "not started" for outcome in outcomes):
        return Verdict(0.0, started=False)
    fractions = [_fraction(exercise, case, outcome) for case, outcome in zip(cases, outcomes, strict=True)]
    failing = [index for index, fraction in enumerate(fractions) if fraction < 1]
    if not failing:
        return Verdict(1.0)
    shown, hint = _diagnose(exercise, cases, outcomes, failing)
    return Verdict(min(fractions), failing=shown, hint=hint)


def _fraction(exercise: Judged, case: Case, outcome: AnswerOutcome) -> float:
    """Return verify's verdict on one case; a value that verify cannot even read earns nothing."""
    if outcome.kind != "value":
        return 0.0
    try:
        fraction = float(exercise.verify(case.given, case.hidden, outcome.value, case.expected))
    except Exception:  # verify reads whatever a student returned: any failure to is a wrong answer
        return 0.0
    return min(max(fraction, 0.0), 1.0) if fraction == fraction else 0.0


def _diagnose(
    exercise: Judged, cases: Sequence[Case], outcomes: Sequence[AnswerOutcome], failing: Sequence[int]
) -> tuple[int, str]:
    """Return the failing case to show, of those that the hint is for the simplest, and the hint."""
    if _ignores_its_input(cases, outcomes):
        return _simplest(cases, failing), CONSTANT_HINT
    errors = [index for index in failing if outcomes[index].kind == "error"]
    values = [index for index in failing if index not in errors]
    hint = _earned(exercise, cases, outcomes, values, errors)
    if hint:
        return _simplest(cases, values), hint
    seen = [_seen(rule, cases, outcomes, values, errors) for rule, _ in exercise.remarks]
    best = max(seen, key=len, default=[])
    if best:
        return _simplest(cases, best), exercise.remarks[seen.index(best)][1]
    shown = _simplest(cases, errors or failing)
    if errors:
        return shown, _error_hint(outcomes[shown].message)
    return shown, _general_hint([(cases[index].expected, outcomes[index].value) for index in (shown, *failing)])


def _simplest(cases: Sequence[Case], indices: Sequence[int]) -> int:
    """Return the worked example, case 0, where it is among these cases, else the one that is shortest to write."""
    return 0 if 0 in indices else min(indices, key=lambda index: len(serialization.dumps(cases[index].given)))


def _earned(
    exercise: Judged, cases: Sequence[Case], outcomes: Sequence[AnswerOutcome], values: list[int], errors: list[int]
) -> str:
    """Return the hint of the misconception that explains an answer best, or "" where none has earned it."""
    best, most = "", float(LEAST_WEIGHT)
    for rule, hint in exercise.misconceptions:
        matched = [index for index in range(len(cases)) if _matches(rule, cases[index], outcomes[index])]
        explained = len(values) + sum(_stops(rule, cases[index]) for index in errors)
        weight = sum(
            _weight(cases[index].expected, outcomes[index].value) if index in values else 1 for index in matched
        )
        if values and set(values).issubset(matched) and explained >= SEVERAL and weight > most:
            best, most = hint, weight
    return best


def _weight(expected: Any, value: Any) -> float:
    """Return what it weighs that a mistake has just this value: in bits, for a whole number near the right one."""
    if is_number(value) and is_number(expected) and is_whole(value):
        return min(MOST_BITS, math.log2(1 + abs(int(one_number(value)) - round(one_number(expected)))))
    numbers = numbers_in(value)
    return MOST_BITS if numbers is None or np.isfinite(numbers).all() else NAN_BITS


def _stops(rule: Any, case: Case) -> bool:
    """Return whether the mistake of a rule cannot even be computed in this case, so that it explains an error."""
    try:
        rule(case.given, case.expected, case.expected)
    except Exception:
        return True
    return False


def _seen(
    rule: Any, cases: Sequence[Case], outcomes: Sequence[AnswerOutcome], values: list[int], errors: list[int]
) -> list[int]:
    """Return the failing cases that a remark is true of, where these are more than half of those it is asked about."""
    unnamed = [index for index in errors if _kind_of_error(outcomes[index].message) not in ERROR_HINTS]
    of_errors = [index for index in unnamed if _matches(rule, cases[index], outcomes[index])]
    asked = values if len(of_errors) < len(errors) else values + errors
    true = [index for index in asked if _matches(rule, cases[index], outcomes[index])]
    return true if 2 * len(true) > len(asked) else []


def _error_hint(message: str) -> str:
    if message.startswith(UNCHECKABLE):
        return UNCHECKABLE_HINT
    said, kind = message.split(IN_THE_LINE)[0], _kind_of_error(message)
    if kind in ERROR_HINTS and "NoneType" not in said:
        return ERROR_HINTS[kind]
    return next((hint for words, hint in SAID if re.search(words, said)), ERROR_HINT)


def _kind_of_error(message: str) -> str:
    return message.split(":")[0]


def _ignores_its_input(cases: Sequence[Case], outcomes: Sequence[AnswerOutcome]) -> bool:
    """Return whether the answer returned one and the same value although the solution's values differ.

    One number throughout, such as zeros in the right shapes, is one and the same value, too.
    """
    pairs = zip(cases, outcomes, strict=True)
    if any(outcome.kind != "value" or _sort(outcome.value) != _sort(case.expected) for case, outcome in pairs):
        return False
    if all(close(case.expected, cases[0].expected) for case in cases):
        return False
    if all(close(outcome.value, outcomes[0].value, atol=0.0) for outcome in outcomes):  # what is tiny need not be 0
        return True
    numbers = [part for outcome in outcomes if (part := numbers_in(outcome.value)) is not None]
    if len(numbers) < len(outcomes) or any(not part.size or np.isnan(part.astype(float)).all() for part in numbers):
        return False
    return np.unique(np.concatenate([part.ravel() for part in numbers])).size == 1


def _sort(value: Any) -> str:
    """Return the sort of plain data that ``value`` is, lists and arrays being one sort."""
    word = describe(value).split(" of ")[0]
    return "a list" if word in ("an array or list", "a list") else word


def _matches(rule: Any, case: Case, outcome: AnswerOutcome) -> bool:
    if outcome.kind == "value" and outcome.value is None:  # to a rule, None is an error
        return False
    try:
        return bool(rule(case.given, outcome.value, case.expected))
    except Exception:  # a rule about numbers says nothing of a value that has none
        return False


def _general_hint(pairs: Sequence[tuple[Any, Any]]) -> str:
    """Return what is seen of pairs of an expected and a returned value, the first of which is the one that is shown."""
    expected, value = pairs[0]
    if value is None:
        wanted = describe(expected)
        return (
            f"Your function returned None here, and {wanted} was expected. Is there a `return`, and does this case "
            "reach it, after every `if` and loop?"
        )
    numbers = [both for pair in pairs if (both := _countable(*pair))]
    countable = len(numbers) == len(pairs)
    if _are_lists(value, expected) and any(numbers_in(part) is None for pair in pairs for part in pair):
        return FALLBACK_HINT  # lists whose lengths differ have no shape
    if describe(value) != describe(expected):
        more = difference_in_shape(*numbers[0]) if countable else ""
        return (
            f"{describe(expected).capitalize()} was expected, and you returned {_without_words(value)}. {more}".rstrip()
        )
    shown = numbers_in(value)
    if shown is not None and not np.isfinite(shown).all():
        return (
            "Your result contains nan or inf. Look for a division by zero, the square root of a negative number, or a "
            "number that overflows."
        )
    if not countable or any(got.shape != right.shape or not np.isfinite(got).all() for right, got in numbers):
        return FALLBACK_HINT
    return f"{difference(numbers[1:])} {FALLBACK_HINT}".lstrip()


def _countable(expected: Any, value: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """Return both as arrays of real numbers, None where one of them is none."""
    right, got = numbers_in(expected), numbers_in(value)
    if right is None or got is None or not {right.dtype.kind, got.dtype.kind} <= set("iuf"):
        return None
    return right, got


def _without_words(value: Any) -> str:
    """Return ``describe`` without words of whoever returned it: hints are counted on a page about a whole class."""
    if not isinstance(value, dict):
        return describe(value)
    return f"a dictionary with {len(value)} key{'s' * (len(value) != 1)}"


def _are_lists(value: Any, expected: Any) -> bool:
    """Return whether both are lists of as many lists."""
    if not (isinstance(value, (list, np.ndarray)) and isinstance(expected, list) and len(value) == len(expected)):
        return False
    return all(isinstance(part, (list, np.ndarray)) for part in (*value, *expected))


def describe(value: Any) -> str:
    """Return in words what kind of plain data ``value`` is: "a number", "a list of 3 numbers"."""
    if value is None:
        return "None"
    if isinstance(value, bool):
        return "True or False"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, dict):
        keys = ", ".join(key[:MOST_CHARACTERS] for key in list(value)[:MOST_KEYS])
        return f"a dictionary with the keys {keys or '(none)'}{', …' * (len(value) > MOST_KEYS)}"
    numbers = numbers_in(value)
    if numbers is not None and numbers.ndim == 0:
        return "a number"
    if numbers is not None and numbers.size:
        return f"an array or list of shape {numbers.shape}"
    return f"a list of {len(value)} parts"
