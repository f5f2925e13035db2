"""What the answers to exercises 08.7 to 08.9 have in common: mistakes that can be made in each of them."""

from __future__ import annotations

from collections.abc import Callable

from tests.answers import Wrong
from utils.lesson_08.flaws import FLAWS, SOUND

Answer = Callable[..., tuple]


def changed(right: Answer, change: Callable[[str, list], tuple], *, only: str = "") -> Answer:
    """Return the answer whose pairs are changed, in these experiments only where they are named."""

    def answer(experiment: str, data: dict, told: list) -> tuple:
        flaw, numbers = right(experiment, data, told)
        return change(flaw, list(numbers)) if experiment in (only or experiment) else (flaw, numbers)

    return answer


def mends(flaws: dict[str, str], **of: Callable[[dict], list]) -> Answer:
    """Return the answer that names these flaws and mends each experiment so; the others return what is told."""
    return lambda experiment, data, told: (
        flaws[experiment],
        of[experiment](data) if experiment in of else told,
    )


def next_flaw(flaw: str, numbers: list) -> tuple:
    """Return the pair with another flaw's name, not that it is sound."""
    flaws = [one for one in FLAWS if one != SOUND]
    return (flaws[(flaws.index(flaw) + 1) % len(flaws)] if flaw in flaws else flaw), numbers


def untouched(right: Answer) -> Answer:
    """Return the answer that names the flaws rightly, and mends nothing."""
    return lambda experiment, data, told: (right(experiment, data, told)[0], told)


def of_all(right: Answer) -> list[Wrong]:
    """Return the wrong answers to which each remark about flawed experiments is meant."""
    return [
        Wrong("only the name", lambda *given: right(*given)[0], "Return a pair"),
        Wrong("told again", untouched(right), "your mend has no effect"),
        Wrong("another flaw", changed(right, next_flaw), "does not have"),
        Wrong("all are sound", lambda experiment, data, told: (SOUND, told), "is called sound"),
        Wrong("exchanged", changed(right, lambda flaw, two: (flaw, two[::-1])), "they are exchanged"),
        Wrong(
            "more than doubled",
            changed(right, lambda flaw, two: (flaw, [2.5 * one + 0.1 for one in two])),
            "Your numbers have changed",
        ),
    ]


def unforeseen_in(right: Answer, names: str) -> dict[str, Answer]:
    """Return answers that are wrong in one experiment, or in another way."""
    return {
        f"wrong sum in {name}": changed(right, lambda flaw, two: (flaw, [two[0], two[0] + two[1]]), only=name)
        for name in names
    } | {
        "three numbers": changed(right, lambda flaw, two: (flaw, [*two, 0.0])),
        "the difference": changed(right, lambda flaw, two: (flaw, two[0] - two[1])),
        "the first twice": changed(right, lambda flaw, two: (flaw, [two[0], two[0]])),
        "in percent": changed(right, lambda flaw, two: (flaw, [100 * one for one in two])),
    }
