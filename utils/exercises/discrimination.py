"""Whether the cases of an exercise tell its mistakes apart, so that no hint is given for another mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from utils.exercises.comparing import close
from utils.exercises.definition import Inputs
from utils.exercises.rules import Mistakes, Solver

LEAST = 3  # failing cases that a hint has to explain
MOST_DRAWS = 200  # ten times what any exercise needs
Drawn = TypeVar("Drawn")


def draw_until(accepts: Callable[[Drawn], bool], draw: Callable[..., Drawn], *arguments: Any) -> Drawn:
    """Return the first that is accepted of what ``draw(*arguments)`` returns, again and again."""
    while not accepts(drawn := draw(*arguments)):
        pass
    return drawn


def discriminating_cases(
    draw: Callable[[], list[Inputs]], reference: Solver, mistakes: Mistakes, guesses: Iterable[Solver] = ()
) -> Iterator[tuple[Inputs, None]]:
    """Yield the first cases drawn that discriminate between the mistakes of a table, each with nothing hidden.

    Raises ValueError, which says what stays confused, where none of ``MOST_DRAWS`` draws do.
    """
    groups = [ways for *ways, _ in mistakes]
    for _ in range(MOST_DRAWS):
        cases = draw()
        confused = confusion(cases, reference, groups, guesses)
        if not confused:
            yield from ((given, None) for given in cases)
            return
    hints = "; ".join(f"number {number} is {hint[:60]!r}" for number, (*_, hint) in enumerate(mistakes, 1))
    raise ValueError(
        f"none of {MOST_DRAWS} draws has cases that tell the mistakes apart: in the last, {confused}. Draw other "
        f"cases or more of them, or let those mistakes share a hint ({hints})"
    )


def confusion(
    cases: Sequence[Inputs], reference: Solver, groups: Iterable[Sequence[Solver]], guesses: Iterable[Solver] = ()
) -> str:
    """Return the first reason why the cases do not discriminate, "" where they do; groups are counted from 1.

    The ways of one group have the same hint; ``guesses`` are wrong ways that have none.
    """
    expected = [reference(given) for given in cases]
    found = [[[way(given) for given in cases] for way in group] for group in groups]
    for number, group in enumerate(found, 1):
        for values in group:
            wrong = len(failing(values, expected))
            if wrong < LEAST:
                return f"mistake {number} shows in {wrong} cases, and {LEAST} are wanted"
            for other, ways in enumerate(found, 1):
                if other != number and explains(ways, values, expected):
                    return f"mistake {other} explains all that comes of mistake {number}"
    for place, guess in enumerate(guesses, 1):
        values = [guess(given) for given in cases]
        for number, group in enumerate(found, 1):
            if explains(group, values, expected):
                return f"mistake {number} explains all that comes of guess {place}"
    return ""


def failing(values: Sequence, expected: Sequence) -> list[int]:
    """Return the places of the cases in which a value is wrong."""
    return [i for i, value in enumerate(values) if not same(value, expected[i])]


def explains(ways: Sequence[Sequence], values: Sequence, expected: Sequence) -> bool:
    """Return whether wherever the values are wrong, one of these ways has them, too."""
    return all(any(same(way[i], values[i]) for way in ways) for i in failing(values, expected))


def same(one: Any, other: Any) -> bool:
    """Return whether two values agree to six decimals."""
    return bool(close(one, other, rtol=0.0, atol=1e-6))
