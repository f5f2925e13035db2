"""What the three exercises of excursion 08a share: the flaws, cases, verdicts and hints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Hint, Inputs
from utils.lesson_08.exercises.flaw_cases import drawn
from utils.lesson_08.flaw_draws import Data
from utils.lesson_08.flaws import FLAWS, SOUND, Sides, errors, mended, told

FLAW_OF = {  # here, since an answer is marked where there is no copy of this folder
    "A": "one draw",
    "B": "no held-out data",
    "C": "wrong loss",
    "D": "unequal budgets",
    "E": "best of several draws",
    "F": SOUND,
    "G": "chosen on held-out data",
    "I": "held-out data leaked",
    "J": "two things changed",
    "K": "rates not tuned",
    "N": "rates not tuned",
}
EACH = 4  # cases of each experiment
NAMED = 0.2  # of the points, for the flaw's name alone
# what the numbers may be off by: a held-out example or two, or what rounding makes of a training
WITHIN = {"B": (0.01, 0.0), "C": (0.01, 1e-3), "I": (0, 0.03)} | dict.fromkeys("DJN", (0, 0.015))
BEYOND = 8  # rates beyond a grid that is too short, by which an honest mend may lengthen it
MOST = 10.0  # of B's errors: a larger one says little


def same(name: str, numbers: Sequence, expected: Sides) -> bool:
    """Return whether these are an experiment's numbers, within what an honest mend may be off by."""
    rtol, atol = WITHIN.get(name, (1e-4, 1e-6))
    return bool(close(list(numbers), list(expected), rtol=rtol, atol=atol))


def is_clear(name: str, data: Data, found: Sides, right: Sides) -> bool:
    """Return whether the mended numbers are far from those that are told, and nothing hangs on a close call."""
    rtol, atol = WITHIN.get(name, (1e-4, 0.004))
    away = max(abs(one - two) - 3 * rtol * abs(two) for one, two in zip(found, right, strict=True))
    if FLAW_OF[name] != SOUND and away < 2.2 * atol + 1e-3:
        return False
    if name == "B":
        return max(right) < MOST
    if "validation" in data:
        sides = data["validation"] if name == "G" else data["validation"].mean(axis=2)
        return all(np.subtract(*np.sort(side)[1::-1]) > 0.001 for side in sides) and (name == "G" or _inside(sides))
    return "rates" not in data or _steady(data)


def _inside(sides: Sequence[np.ndarray]) -> bool:
    """Return whether no side is best at the end of its grid."""
    return all(0 < side.argmin() < len(side) - 1 for side in sides)


def _steady(data: Data) -> bool:
    """Return whether rates between which validation data hardly decide have nearly the same held-out errors."""
    rates = data["rates"]
    rates = [*rates, *(rates[-1] * (rates[-1] / rates[-2]) ** np.arange(1, 1 + BEYOND))]
    found = [
        np.array([[one.mean() for one in errors(hidden, data["seeds"], lr=lr)] for lr in rates]).T
        for hidden in ([data["width"]], [data["narrow"]] * 3)
    ]
    if not all(_goes_on_clearly(validation, len(data["rates"])) for validation, _ in found):
        return False
    return all(np.ptp(held_out[validation < validation.min() + 0.008]) <= 0.01 for validation, held_out in found)


def _goes_on_clearly(validation: np.ndarray, count: int) -> bool:
    """Return whether it is clear, of each last rate of a grid of ``count`` and more, if it is the best so far, and
    whether no rate beyond the first that is not comes near the best.
    """
    for last in range(count - 1, len(validation)):
        gap = validation[last] - validation[:last].min()
        if abs(gap) < 0.004:
            return False
        if gap > 0:
            return bool((validation[last:] > validation[:last].min() + 0.004).all())
    return True


def cases(names: str, rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases of these experiments, in turn, each with nothing hidden."""
    for _ in range(EACH):
        for name in names:
            yield _case(name, rng), None


def _case(name: str, rng: np.random.Generator) -> Inputs:
    while True:
        data = drawn(name, rng)
        found = told(name, data)
        if is_clear(name, data, found, mended(name, data)):
            return {"experiment": name, "data": data, "told": found}


def reference(given: Inputs) -> list:
    """Return the flaw and the numbers of the mended experiment."""
    name = given["experiment"]
    return [FLAW_OF[name], mended(name, given["data"])]


# --- how it is verified ---------------------------------------------------------------------------------------


def fits(value: object) -> bool:
    """Return whether this is a pair of a flaw's name and two numbers."""
    if not isinstance(value, list) or len(value) != 2 or value[0] not in FLAWS or np.shape(value[1]) != (2,):
        return False
    return np.asarray(value[1]).dtype.kind in "iuf"


def is_named(given: Inputs, value: list, expected: list) -> bool:
    """Return whether the flaw is the right one."""
    return value[0] == expected[0]


def verify(given: Inputs, hidden: object, value: object, expected: list) -> float:
    """Return 1 where flaw and numbers are right, and a small part where the flaw alone is."""
    if not fits(value) or not is_named(given, value, expected):
        return 0.0
    return 1.0 if same(given["experiment"], value[1], expected[1]) else NAMED


def explain(given: Inputs, value: object, expected: list) -> str:
    """Say what is wrong about the experiment that is shown."""
    about = f"Experiment {given['experiment']}:"
    if not fits(value):
        return f"{about} a pair of a name and two numbers is wanted."
    if is_named(given, value, expected):
        return f"{about} the flaw is named rightly, the two numbers are not right."
    return f"{about} it is not sound." if value[0] == SOUND else f"{about} it has no such flaw as “{value[0]}”."


Rule = Callable[[Inputs, list, list], bool]


def _when(named: bool, sound: bool | None, rule: Rule) -> Rule:
    """Return a rule for values of the right form: whether the flaw is named, and whether there is one."""

    def matches(given: Inputs, value: list, expected: list) -> bool:
        if not fits(value) or is_named(given, value, expected) != named:
            return False
        return sound in (None, expected[0] == SOUND) and bool(rule(given, value, expected))

    return matches


REMARKS: list[Hint] = [
    (
        lambda given, value, expected: not fits(value),
        "Return a pair: first the flaw, one of the names in the table, letter by letter, then a list of two numbers.",
    ),
    (
        _when(False, False, lambda given, value, expected: value[0] == SOUND),
        "An experiment is called sound that has a flaw: would its conclusion hold for new draws, new data, equal "
        "sides?",
    ),
    (
        _when(False, False, lambda given, value, expected: value[0] != SOUND),
        "A flaw is named that this experiment does not have: point to the line that commits it. Which line would "
        "you have to change?",
    ),
    (
        _when(True, False, lambda given, value, expected: same(given["experiment"], value[1], given["told"])),
        "The flaw is the right one, but the numbers are those that the experiment tells: your mend has no effect.",
    ),
    (
        _when(True, False, lambda given, value, expected: same(given["experiment"], value[1][::-1], expected[1])),
        "The flaw is the right one, and so are the numbers, but they are exchanged: return the two sides in the "
        "order in which the experiment has them.",
    ),
    (
        _when(True, False, lambda given, value, expected: True),
        "The flaw is the right one. Your numbers have changed, but they are not those of the mended experiment. "
        "Mend only what the rules say: what is held out stays held out, of two budgets the second side's stays, and "
        "runs that differ only in what was drawn are summed up by their mean.",
    ),
]
OF_SOUND: list[Hint] = [
    (
        _when(False, True, lambda given, value, expected: True),
        "A sound experiment is accused. What differs between its two sides that is not what they are compared for, or "
        "what they need to be compared fairly?",
    ),
]


def exercise(names: str, **fields: Any) -> Exercise:
    """Return the exercise in which these experiments are mended; ``fields`` are id, answer's name, points, seconds."""
    has_sound = any(FLAW_OF[name] == SOUND for name in names)
    held = [f"mended_{name.lower()}" for name in names]
    return Exercise(
        cases=lambda rng: cases(names, rng),
        verify=verify,
        misconceptions=[],
        remarks=[*(OF_SOUND if has_sound else []), *REMARKS],
        without=[f"utils.lesson_08.flaws.{way}" for way in ("mended", "within_grid", *held)],
        explain=explain,
        wanted=lambda given, expected: "its flaw, or that it is sound, and both sides' numbers, mended",
        **fields,
    )
