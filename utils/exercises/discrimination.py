"""Whether the cases of an exercise tell its mistakes apart, so that no hint is given for another mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from utils.exercises.comparing import close
from utils.exercises.definition import Given
from utils.exercises.rules import Mistakes, Way

LEAST = 3  # failing cases that a hint has to explain
Drawn = TypeVar("Drawn")


def draw_until(accepts: Callable[[Drawn], bool], draw: Callable[..., Drawn], *arguments: Any) -> Drawn:
    """Return the first that is accepted of what ``draw(*arguments)`` returns, again and again."""
    while not accepts(drawn := draw(*arguments)):
        pass
    return drawn


def discriminating_cases(
    draw: Callable[[], list[Given]], right: Way, mistakes: Mistakes, guesses: Iterable[Way] = ()
) -> Iterator[tuple[Given, None]]:
    """Yield the first cases drawn that discriminate between the mistakes of a table, each with nothing hidden."""
    groups = [ways for *ways, _ in mistakes]
    for given in draw_until(lambda cases: discriminates(cases, right, groups, guesses), draw):
        yield given, None


def discriminates(
    cases: Sequence[Given], right: Way, groups: Iterable[Sequence[Way]], guesses: Iterable[Way] = ()
) -> bool:
    """Return whether each mistake shows in three cases at least, and none explains all that another one does.

    The ways of one group have the same hint; ``guesses`` are wrong ways that have none.
    """
    expected = [right(given) for given in cases]
    found = [[[way(given) for given in cases] for way in group] for group in groups]
    for place, group in enumerate(found):
        others = found[:place] + found[place + 1 :]
        for values in group:
            if len(failing(values, expected)) < LEAST or any(explains(other, values, expected) for other in others):
                return False
    answers = [[way(given) for given in cases] for way in guesses]
    return not any(explains(group, values, expected) for values in answers for group in found)


def failing(values: Sequence, expected: Sequence) -> list[int]:
    """Return the places of the cases in which a value is wrong."""
    return [i for i, value in enumerate(values) if not same(value, expected[i])]


def explains(ways: Sequence[Sequence], values: Sequence, expected: Sequence) -> bool:
    """Return whether wherever the values are wrong, one of these ways has them, too."""
    return all(any(same(way[i], values[i]) for way in ways) for i in failing(values, expected))


def same(one: Any, other: Any) -> bool:
    """Return whether two values agree to six decimals."""
    return bool(close(one, other, rtol=0.0, atol=1e-6))
