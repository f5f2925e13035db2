"""Exercise 08.4: the first flaw of a comparison, from what was written down of both sides."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases, draw_until
from utils.exercises.rules import Solver, hints_of, is_no, returned_by

BUDGETS, SCORED, SEED, TUNED, EDGE, NONE = FLAWS = (
    "unequal budgets",
    "scored on training data",
    "one seed",
    "rates tuned for one side",
    "best rate at the edge",
    "none",
)
EACH = {BUDGETS: 9, SCORED: 9, SEED: 6, TUNED: 5, EDGE: 9, NONE: 6}  # cases of each
MARGIN, CLOSE, FAR = 1.05, 1.025, 1.25  # budgets that count as equal, and those that are drawn as equal or not
GAP = 0.01  # between the medians, and the means, of the best rate and the next
GRID = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
Side = dict  # what was written down of one network
Question = Callable[[Side, Side], bool]


def side(
    parameters: int, steps: int, rates: list[float], errors: object, trained: list[int], scored: list[int]
) -> Side:
    """Return what was written down of one network; errors [seeds, rates] are those on validation data."""
    return {
        "parameters": parameters,
        "steps": steps,
        "rates": rates,
        "errors": np.array(errors, dtype=float),
        "trained": trained,
        "scored": scored,
    }


def worked_example() -> Inputs:
    """Return two networks that were compared well but for the deep one's rates."""
    return {
        "deep": side(
            1000,
            500,
            [0.001, 0.01, 0.1],
            [[0.3, 0.2, 0.1], [0.4, 0.2, 0.2], [0.3, 0.1, 0.1], [0.3, 0.3, 0.2], [0.2, 0.3, 0.1]],
            [4, 0, 2, 5],
            [1, 3],
        ),
        "shallow": side(
            1020,
            500,
            [0.001, 0.1, 0.01],
            [[0.4, 0.3, 0.2], [0.4, 0.4, 0.1], [0.3, 0.4, 0.2], [0.4, 0.4, 0.2], [0.5, 0.3, 0.1]],
            [4, 0, 2, 5],
            [1, 3],
        ),
    }


# --- comparisons that nobody made ---------------------------------------------------------------------------


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return comparisons with each flaw in a random order; those that are asked for later may be there, too."""
    kinds = [(flaw, variant) for flaw in FLAWS for variant in range(EACH[flaw])]
    return [comparison(rng, *kinds[place]) for place in rng.permutation(len(kinds))]


def comparison(rng: np.random.Generator, flaw: str, variant: int) -> Inputs:
    """Return a comparison whose first flaw this is, in one of several guises; every other one has a further flaw."""
    place = FLAWS.index(flaw)
    later = [one for one in FLAWS[place + 1 : -1] if variant % 2 and rng.random() < 0.6]
    has = {one: one in (flaw, *later) for one in FLAWS}
    tuned = rng.permutation(2)[: 1 if has[TUNED] else 2]
    both = budgets(rng, has[BUDGETS], variant)
    trained, scored = rows(rng, has[SCORED], variant)
    edges = [i for i in tuned if variant == 5 or i == variant // 2 % 2 or len(tuned) == 1] if has[EDGE] else []
    seeds = rng.choice([5, 6, 7], 2)
    if has[SEED]:
        seeds[rng.permutation(2)[: 1 + variant % 2]] = 1
    sides = [
        side(*both[i], *grid(rng, int(seeds[i]), i in tuned, i in edges, variant), trained[i], scored[i])
        for i in range(2)
    ]
    return {"deep": sides[0], "shallow": sides[1]}


def budgets(rng: np.random.Generator, unequal: bool, variant: int) -> list[tuple[int, int]]:
    """Return parameters and steps of both sides; unequal are either or both, and then their product may be equal."""
    parameters, steps = int(rng.integers(500, 5000)), int(rng.integers(10, 50)) * 100
    near = rng.choice([1.0, rng.uniform(1 / CLOSE, CLOSE)])
    other = [round(parameters * near), steps]
    if unequal:
        factor = rng.uniform(FAR, 3.0)
        factor = factor if rng.random() < 0.5 else 1 / factor
        if variant % 3 != 0:
            other[0] = round(parameters * factor)
        if variant % 3 != 1:
            other[1] = round(steps / factor)
    both = [(parameters, steps), tuple(other)]
    return both if rng.random() < 0.5 else both[::-1]


def rows(rng: np.random.Generator, leaking: bool, variant: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return the rows that each side was trained and scored on; of one side or of both, some or all leak.

    Sides may have other rows: then one may be scored on a row that the other was trained on, which leaks nothing.
    """
    order, apart = rng.permutation(24).tolist(), variant not in (3, 7) and rng.random() < 0.6
    trained, scored = [order[:8], order[8:16] if apart else order[:8]], [order[16:20], order[16:20]]
    who = [(0,), (1,), (0, 1)][variant % 3]
    for i in (0, 1):
        seen = trained[i] if leaking else trained[1 - i]
        if i in who and (leaking or apart):
            scored[i] = seen[:4] if variant in (3, 5, 7) else [*order[16:19], seen[int(rng.integers(8))]]
    return [list(rng.permutation(one).tolist()) for one in trained], [rng.permutation(one).tolist() for one in scored]


def grid(rng: np.random.Generator, seeds: int, tuned: bool, edge: bool, variant: int) -> tuple[list[float], np.ndarray]:
    """Return the rates that a side tried, in no order, and its errors [seeds, rates], with a median that decides."""
    if not tuned:
        return [float(rng.choice(GRID))], rng.uniform(0.1, 0.4, (seeds, 1)).round(3)
    n = int(rng.integers(4, 7))
    first = int(rng.integers(len(GRID) - n + 1))
    rates = np.array(GRID[first : first + n])[rng.permutation(n)]
    ends = [int(rates.argmin()), int(rates.argmax())]

    def drawn() -> np.ndarray:
        level, inner = rng.uniform(0.2, 0.4, n), [i for i in range(n) if i not in ends]
        best = int(rng.choice(ends if edge else inner))
        level[best] = level.min() - 0.03
        errors = level + 0.01 * rng.normal(size=(seeds, n))
        if seeds > 1 and variant % 2 == 0:  # a seed that fails, so that the mean chooses otherwise
            errors[int(rng.integers(seeds)), best] = 0.9
        elif seeds > 1:  # or one that is lucky, so that the least error does
            errors[int(rng.integers(seeds)), rng.choice(inner if edge else ends)] = 0.02
        return errors.clip(0.01, 0.95).round(3)

    return rates.tolist(), draw_until(lambda errors: is_clear(errors) and best_is_at_edge(rates, errors) == edge, drawn)


def is_clear(errors: np.ndarray) -> bool:
    """Return whether neither medians nor means of the best two rates are close."""
    return all(np.diff(np.sort(of(errors, axis=0))[:2])[0] > GAP for of in (np.median, np.mean))


# --- what comes of which questions --------------------------------------------------------------------------


def differ(one: float, other: float) -> bool:
    """Return whether these budgets count as unequal."""
    return max(one, other) > MARGIN * min(one, other)


def unequal(*names: str) -> Question:
    """Return the question whether one of these budgets differs."""
    return lambda deep, shallow: any(differ(deep[name], shallow[name]) for name in names)


def of_any(flawed: Callable[[Side], bool]) -> Question:
    """Return the question whether one of the sides has a flaw."""
    return lambda deep, shallow: flawed(deep) or flawed(shallow)


def best_is_at_edge(rates: object, errors: np.ndarray, statistic: Callable = np.median) -> bool:
    """Return whether the best rate of a side is the smallest or the largest that it tried."""
    best = rates[int(statistic(errors, axis=0).argmin())]
    return best in (min(rates), max(rates))


def at_edge(statistic: Callable = np.median) -> Callable[[Side], bool]:
    """Return what says of a side whether its best rate, by this statistic over the seeds, is at the edge."""
    return lambda one: best_is_at_edge(one["rates"], one["errors"], statistic)


def by_place(one: Side) -> bool:
    """Return whether the best rate stands first or last in the list."""
    return int(np.median(one["errors"], axis=0).argmin()) in (0, len(one["rates"]) - 1)


def shared(learner: Side, judged: Side) -> set[int]:
    """Return the rows that the one was trained on and the other was scored on."""
    return set(learner["trained"]) & set(judged["scored"])


QUESTIONS: dict[str, Question] = {
    BUDGETS: unequal("parameters", "steps"),
    SCORED: of_any(lambda one: bool(shared(one, one))),
    SEED: of_any(lambda one: len(one["errors"]) == 1),
    TUNED: lambda deep, shallow: (len(deep["rates"]) == 1) != (len(shallow["rates"]) == 1),
    EDGE: of_any(at_edge()),
}


def asking(order: tuple[str, ...] = FLAWS[:-1], **others: Question) -> Solver:
    """Return the way that asks in this order, and some questions otherwise: budgets, scored, seed, tuned, edge."""
    names = dict(zip(("budgets", "scored", "seed", "tuned", "edge"), FLAWS[:-1], strict=True))
    questions = {**QUESTIONS, **{names[name]: question for name, question in others.items()}}

    def way(given: Inputs) -> str:
        found = (flaw for flaw in order if questions[flaw](given["deep"], given["shallow"]))
        return next(found, NONE)

    return way


reference = asking()
MISTAKES = [
    (
        asking(FLAWS[-2::-1]),
        "You report the last flaw that there is. Ask the questions in their order, and stop at the first yes.",
    ),
    (
        asking(budgets=unequal("parameters")),
        asking(budgets=unequal("steps")),
        asking(budgets=lambda deep, shallow: differ(*(one["parameters"] * one["steps"] for one in (deep, shallow)))),
        asking(budgets=lambda deep, shallow: any(deep[name] != shallow[name] for name in ("parameters", "steps"))),
        "You compare the budgets in another way. Parameters count as equal up to a factor of 1.05, and so do steps, "
        "each by themselves. If either of the two is not equal, the budgets are unequal.",
    ),
    (
        asking(scored=of_any(lambda one: set(one["scored"]) <= set(one["trained"]))),
        asking(scored=lambda deep, shallow: bool(shared(deep, shallow) or shared(shallow, deep))),
        asking(scored=lambda deep, shallow: any(shared(*two) for two in product((deep, shallow), repeat=2))),
        "You ask another second question. Ask of each network by itself whether a row that it was scored on, even "
        "a single one, is among those that this same network was trained on.",
    ),
    (
        asking(seed=lambda deep, shallow: len(deep["errors"]) == len(shallow["errors"]) == 1),
        asking(seed=of_any(lambda one: len(one["rates"]) == 1)),
        "You miss comparisons with one seed, or see others: `errors` has a row for each seed, and one side with a "
        "single row is enough.",
    ),
    (
        asking(edge=of_any(by_place)),
        "You look at the ends of the list. The rates stand in no order: the edge is the smallest and the largest.",
    ),
    (
        asking(edge=of_any(at_edge(np.mean))),
        "You take means over the seeds. The best rate is the one with the least median, which a seed that fails does "
        "not move.",
    ),
    (
        asking(scored=lambda deep, shallow: bool(shared(deep, deep))),
        asking(scored=lambda deep, shallow: bool(shared(shallow, shallow))),
        asking(edge=lambda deep, shallow: at_edge()(deep)),
        "You miss a flaw that only one of the two networks has. Ask each question of both of them: it is enough if "
        "either has the flaw.",
    ),
]


def never_none(given: Inputs) -> str:
    """Return the first flaw, and the last in the list where there is none."""
    found = reference(given)
    return EDGE if found == NONE else found


def _is_flaw(value: object) -> bool:
    return isinstance(value, str) and value in FLAWS


def explain_flaw(given: Inputs, value: object, expected: str) -> str:
    """Say how the two sides compare where they are easily misread."""
    deep, shallow = given["deep"], given["shallow"]
    more = [max(deep[name], shallow[name]) / min(deep[name], shallow[name]) for name in ("parameters", "steps")]
    tried = [
        f"{one['rates'][int(np.median(one['errors'], axis=0).argmin())]:g} (of {min(one['rates']):g} to "
        f"{max(one['rates']):g})"
        for one in (deep, shallow)
    ]
    return (
        f"One side has {more[0]:.3g} times as many parameters as the other, and {more[1]:.3g} times as many steps. By "
        f"medians, the deep network's best rate is {tried[0]}, the shallow one's {tried[1]}. Seeds: "
        f"{len(deep['errors'])} and {len(shallow['errors'])}."
    )


FIRST_FLAW = Exercise(
    id="08.4",
    points=3,
    answer_name="first_flaw",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *sample_cases(rng)], reference, MISTAKES, [never_none]
    ),
    verify=lambda given, hidden, value, expected: float(_is_flaw(value) and value == expected),
    explain=explain_flaw,
    misconceptions=hints_of(MISTAKES, returned_by),
    remarks=[
        (is_no(_is_flaw), f"Return one of the six texts, letter by letter: {', '.join(map(repr, FLAWS))}."),
    ],
)
