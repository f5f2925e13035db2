"""Exercise 07.4: which networks overfit, and what would help, from their errors at several numbers of examples."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases, draw_until
from utils.exercises.rules import Solver, hints_of, returned_by
from utils.exercises.verdicts import Verdicts, same_words

NOTHING, FIT, DATA, OTHER = ADVICE = ("nothing", "fit better", "more data", "another network")
CASES, EACH = 8, 8
AWAY = 1.15  # factor by which an error that decides is away from the goal
Errors = np.ndarray  # [sizes]
Reach = Callable[[Errors, int], float]  # from held-out errors and doublings to the error that is expected


def worked_example() -> Inputs:
    """Return four networks, one of each kind; the goal is 0.1, and the data can be doubled twice."""
    return {
        "training": np.array([[0.01, 0.02, 0.04], [0.1, 0.15, 0.17], [0.0, 0.01, 0.02], [0.0, 0.0, 0.0]]),
        "unseen": np.array([[0.3, 0.14, 0.08], [0.4, 0.3, 0.25], [0.5, 0.32, 0.16], [0.32, 0.25, 0.2]]),
        "goal": 0.1,
        "doublings": 2,
    }


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return cases of several networks each, of which all kinds come equally often."""
    kinds = [(one, i % 4) for one in ADVICE for i in range(CASES * EACH // 4)]
    order = rng.permutation(len(kinds)).reshape(-1, EACH)
    return [of_kinds(rng, [kinds[i] for i in several]) for several in order]


def of_kinds(rng: np.random.Generator, kinds: list[tuple[str, int]]) -> Inputs:
    """Return learning curves of these kinds, each with its variant, on the same sizes."""
    goal, doublings, sizes = round(rng.uniform(0.05, 0.15), 2), int(rng.integers(2, 5)), int(rng.integers(4, 6))

    def case(rows: list[tuple[Errors, Errors]]) -> Inputs:
        training, unseen = zip(*rows, strict=True)
        return {"training": np.array(training), "unseen": np.array(unseen), "goal": goal, "doublings": doublings}

    def is_wanted(kind: str, variant: int, row: tuple[Errors, Errors]) -> bool:
        alone = case([row])
        return is_clear(alone) and reference(alone) == [kind] and misleads(alone, kind, variant)

    return case(
        [draw_until(partial(is_wanted, kind, variant), curves, rng, sizes, goal, variant) for kind, variant in kinds]
    )


def curves(rng: np.random.Generator, sizes: int, goal: float, variant: int) -> tuple[Errors, Errors]:
    """Return training and held-out errors that nobody measured, the latter falling at a pace that changes."""
    falls = rng.uniform(0.5, 0.97, sizes - 1)
    unseen = rng.uniform(0.6, 5) * goal * np.cumprod([1, *falls]) / falls.prod()
    training = rng.choice([rng.uniform(0, 0.8), rng.uniform(1.2, 3)]) * goal * np.linspace(0.3, 1, sizes)
    if variant == 0:  # errors that were out of line with fewer examples, on the other side of the goal
        unseen[rng.integers(sizes - 2)] = rng.uniform(0.3, 0.8) * goal
        training[rng.integers(sizes - 1)] = rng.uniform(1.2, 3) * goal
    if variant == 2:  # with dropout, say, training errors are the larger ones
        training *= 1.5
    return training.round(4), np.minimum(unseen, 0.9).round(4)


def is_clear(given: Inputs) -> bool:
    """Return whether no error that decides is near the goal, and held-out errors fall in the end."""
    unseen, training = given["unseen"], given["training"]
    reached = np.array([reach(row, given["doublings"]) for row in unseen])
    deciding = np.array([unseen[:, -1], training[:, -1] + 1e-9, reached]) / given["goal"]
    return bool((np.abs(np.log(deciding)) > np.log(AWAY)).all() and (np.diff(unseen)[:, -1] < -1e-3).all())


# --- what comes of which way to read the curves -------------------------------------------------------------


def reach(errors: Errors, doublings: int) -> float:
    """Return the error after so many doublings, each of which multiplies it as the last one did."""
    return float(errors[-1] * (errors[-1] / errors[-2]) ** doublings)


def reach_of_training(of_none: float) -> Reach:
    """Return what expects training errors to go on as held-out ones do, and ``of_none`` where they are 0."""
    return lambda training, doublings: reach(training, doublings) if training[-2] else of_none


def last(errors: Errors) -> float:
    """Return the error at the largest number of examples."""
    return float(errors[-1])


def advising(
    reach: Reach = reach,
    ends: tuple[Callable[[Errors], float], Callable[[Errors], float]] = (last, last),
    judge: Callable[[float, float, float], str | None] | None = None,
    is_unfit: Callable[[float, float, float], bool] = lambda training, unseen, goal: training > goal,
    names: tuple[str, str, str] = ("training", "unseen", "unseen"),
) -> Solver:
    """Return the way that expects other errors, looks at other ones, or judges otherwise.

    ``ends`` are the training and the held-out error that decide; ``judge`` says what is asked first, and ``is_unfit``
    what is to be fitted better. ``names`` are the errors that are taken for those of training, for held-out ones, and
    for those that more data would bring down.
    """

    def advise(training: Errors, unseen: Errors, falling: Errors, goal: float, doublings: int) -> str:
        fit, missed = ends[0](training), ends[1](unseen)
        said = judge(fit, missed, goal) if judge else None
        if said:
            return said
        if missed <= goal:
            return NOTHING
        if is_unfit(fit, missed, goal):
            return FIT
        return DATA if reach(falling, doublings) <= goal else OTHER

    return lambda given: [
        advise(*rows, given["goal"], given["doublings"]) for rows in zip(*(given[name] for name in names), strict=True)
    ]


reference = advising()
straight = advising(lambda errors, doublings: errors[-1] + doublings * (errors[-1] - errors[-2]))
one_fewer = advising(lambda errors, doublings: reach(errors, doublings - 1))
one_more = advising(lambda errors, doublings: reach(errors, doublings + 1))
of_all_doublings = advising(
    lambda errors, doublings: errors[-1] * (errors[-1] / errors[0]) ** (doublings / (len(errors) - 1))
)
least_so_far = advising(ends=(last, np.min))
worst_so_far = advising(ends=(np.max, last))
MISLED = {  # by each of these variants: the way that is, and one that is not
    (FIT, 0): (least_so_far, reference),
    (DATA, 0): (least_so_far, reference),
    (OTHER, 0): (worst_so_far, reference),
    (OTHER, 1): (straight, one_more),
    (OTHER, 3): (one_more, reference),
    (DATA, 1): (one_fewer, reference),
    (DATA, 3): (of_all_doublings, reference),
}


def misleads(given: Inputs, kind: str, variant: int) -> bool:
    """Return whether a network of this kind misleads whom its variant is meant for."""
    if (kind, variant) not in MISLED:
        return True
    misled, other = MISLED[kind, variant]
    return misled(given) != [kind] == other(given)


MISTAKES = [
    (
        straight,
        "You subtract what the last doubling brought. But each further one multiplies the error by the same factor "
        "as the last.",
    ),
    (
        advising(lambda errors, doublings: reach(errors, 1)),
        advising(lambda errors, doublings: reach(errors, 2)),
        one_fewer,
        one_more,
        "You count other doublings. There are `doublings` of them to come after the last number of examples.",
    ),
    (
        of_all_doublings,
        advising(lambda errors, doublings: errors[-1] * (errors[1] / errors[0]) ** doublings),
        "Your factor is that of other doublings. Only the last one counts, from the last number but one to the last.",
    ),
    (
        advising(lambda errors, doublings: 0.0),
        advising(lambda errors, doublings: 1.0),
        advising(reach_of_training(0.0), names=("training", "unseen", "training")),
        advising(reach_of_training(np.nan), names=("training", "unseen", "training")),
        "What you expect of more data does not come from the errors on unseen examples. If a network overfits, more "
        "data would bring these errors down, by the factor of the last doubling, `doublings` times.",
    ),
    (
        advising(judge=lambda training, unseen, goal: FIT if training > goal else None),
        "You look at training errors first. But a network whose held-out error is at the goal needs nothing, "
        "whatever its training error is.",
    ),
    (
        advising(judge=lambda training, unseen, goal: NOTHING if unseen - training <= goal else None),
        advising(is_unfit=lambda training, unseen, goal: unseen - training <= goal),
        advising(is_unfit=lambda training, unseen, goal: unseen - training <= 0.1),
        advising(is_unfit=lambda training, unseen, goal: unseen - training <= 0.05),
        advising(is_unfit=lambda training, unseen, goal: training >= unseen),
        advising(is_unfit=lambda training, unseen, goal: unseen < 2 * training),
        "You judge by the gap between the two errors. But a network that has fitted nothing has no gap either, and "
        "one with a gap may still have to fit better. Compare each of its errors with the goal, not with the other "
        "one.",
    ),
    (
        advising(ends=(lambda errors: errors[0], lambda errors: errors[0])),
        advising(ends=(lambda errors: errors[-2], lambda errors: errors[-2])),
        advising(names=("unseen", "training", "training")),
        least_so_far,
        worst_so_far,
        advising(ends=(np.min, np.min)),
        "You look at other errors. Those at the last number of examples decide, whatever there was before. Training "
        "errors tell how well a network fits, and held-out errors how far it is from the goal.",
    ),
]
FORM = Verdicts("unseen", ADVICE)


def explain_advice(given: Inputs, value: object, expected: object) -> str:
    """Say which networks the value is wrong about, and what their last errors are."""
    told = FORM.explain(given, value, expected)
    if not told or not FORM.wrong(value, expected):
        return ""
    place = FORM.wrong(value, expected)[0]
    training, unseen = (given[name][place] for name in ("training", "unseen"))
    return (
        f"{told} Number {place} ends with {training[-1]:.3g} on training and {unseen[-1]:.3g} on held-out data; with "
        f"all the data that there could be, {reach(unseen, given['doublings']):.3g} would be expected."
    )


WHAT_WOULD_HELP = Exercise(
    id="07.4",
    points=3,
    answer_name="what_would_help",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *sample_cases(rng)], reference, MISTAKES),
    verify=FORM.verify,
    explain=explain_advice,
    misconceptions=hints_of(MISTAKES, returned_by, same=same_words),
    remarks=[
        (
            FORM.fits_not,
            'Return a list with "nothing", "fit better", "more data" or "another network" for each network.',
        ),
    ],
)
