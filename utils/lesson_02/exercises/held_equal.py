"""Exercise 02.9: what did a comparison hold equal? Four budgets of two trainings, to be computed from their sizes."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases, draw_until
from utils.exercises.rules import Solver, hints_of, returned_by
from utils.lesson_02.exercises.parameters import COUNTING, weights_of, with_biases

PARAMETERS, ARITHMETIC, UNITS, MEMORY = NAMES = ("parameters", "arithmetic", "hidden units", "memory")
EQUAL = 1.05  # the largest ratio of the larger to the smaller that counts as equal
CLEARLY_EQUAL, CLEARLY_NOT = 1.03, 1.08  # no right ratio lies between these
ENDS = ((1, 1), (2, 1), (2, 2), (2, 32), (1, 40), (8, 10), (64, 2), (64, 10))  # inputs and outputs
BATCHES, WIDTHS = (20, 32, 50, 64, 100), range(3, 200)
EDGE = (1.049, 1.054)  # nor one of a usual mistake between these: the share may be of the smaller, or of the larger

Cost = Callable[..., float]  # of one training, by its sizes, batch and steps


# --- what one training costs --------------------------------------------------------------------------------


def flops(sizes: list[int]) -> int:
    """Return the FLOPs of a step for one example: the first layer has no gradient of its inputs."""
    return 6 * weights_of(sizes) - 2 * sizes[0] * sizes[1]


COSTS: dict[str, Cost] = {
    PARAMETERS: lambda sizes, **_: with_biases(sizes),
    ARITHMETIC: lambda sizes, batch, steps: flops(sizes) * batch * steps,
    UNITS: lambda sizes, **_: sum(sizes[1:-1]),
    MEMORY: lambda sizes, batch, **_: sum(sizes[:-1]) * batch,
}


# --- what comes of which way to count -----------------------------------------------------------------------


def ratio(given: Inputs, cost: Cost) -> float:
    """Return the cost of the dearer training over that of the cheaper one."""
    low, high = sorted((cost(**given["one"]), cost(**given["other"])))
    return high / low


def _equal(given: Inputs) -> list[str]:
    return [name for name, cost in COSTS.items() if ratio(given, cost) <= EQUAL]


def with_cost(name: str, cost: Cost) -> Solver:
    """Return the way to answer that counts one of the four like this."""
    return lambda given: [n for n, right in COSTS.items() if ratio(given, cost if n == name else right) <= EQUAL]


def one_sided(dearer: str) -> Solver:
    """Return the way that takes a difference for small where it is negative: where this training is the cheaper one."""
    cheaper = "other" if dearer == "one" else "one"
    return lambda given: [
        name for name, cost in COSTS.items() if cost(**given[dearer]) <= EQUAL * cost(**given[cheaper])
    ]


def counts_of(name: str) -> list[Cost]:
    """Return all ways to count one of the four, the right one first."""
    return [COSTS[name], *(cost for about, *costs, _ in MISCOUNTED if about == name for cost in costs)]


MISCOUNTED = [  # one of the four, other ways to count it, and their hint
    (
        PARAMETERS,
        lambda sizes, **_: weights_of(sizes),
        lambda sizes, **_: weights_of(sizes) + len(sizes) - 1,
        "Your parameters lack biases: each unit that computes something, hidden or output, has one of its own.",
    ),
    (
        ARITHMETIC,
        lambda sizes, batch, steps: weights_of(sizes) * batch * steps,
        lambda sizes, batch, steps: (3 * weights_of(sizes) - sizes[-2] * sizes[-1]) * batch * steps,
        lambda sizes, batch, steps: weights_of(sizes[1:]) * batch * steps,
        lambda sizes, batch, steps: with_biases(sizes) * batch * steps,
        "Your arithmetic is not that of the layers. Biases are not counted, and nobody needs a gradient of the data. "
        "So the first layer, and no other, costs twice its forward pass; the others cost three times theirs.",
    ),
    (
        ARITHMETIC,
        lambda sizes, **_: flops(sizes),
        lambda sizes, batch, **_: flops(sizes) * batch,
        lambda sizes, steps, **_: flops(sizes) * steps,
        "This is the arithmetic of only a part of the training: all of it goes through steps times batch examples.",
    ),
    (
        UNITS,
        lambda sizes, **_: sum(sizes),
        lambda sizes, **_: sum(sizes[1:]),
        lambda sizes, **_: sizes[1],
        lambda sizes, **_: len(sizes) - 2,
        lambda sizes, **_: max(sizes[1:-1]),
        "You count something else than the hidden units. They are those of all hidden layers, the sum of "
        "`sizes[1:-1]`, without inputs and outputs.",
    ),
    (
        MEMORY,
        lambda sizes, **_: sum(sizes[:-1]),
        lambda sizes, batch, **_: sum(sizes[1:-1]) * batch,
        lambda sizes, batch, **_: sum(sizes) * batch,
        lambda sizes, batch, steps: sum(sizes[:-1]) * batch * steps,
        "Your memory is not that of a step. For each example of the batch it keeps what goes into a layer, inputs and "
        "hidden units, but not the outputs, and frees all of it before the next step.",
    ),
]
MISTAKES = [
    *((*(with_cost(name, cost) for cost in costs), hint) for name, *costs, hint in MISCOUNTED),
    (
        lambda given: [name for name, cost in COSTS.items() if ratio(given, cost) == 1],
        one_sided("one"),
        one_sided("other"),
        'You ask for less than "equal within 5 %", or for more. Divide the larger number by the smaller one, '
        "whichever that is, and see whether it is at most 1.05. (Widths are whole numbers, so hardly anything is "
        "exactly equal.)",
    ),
    (
        lambda given: [name for name in NAMES if name not in _equal(given)],
        "These are the budgets that differ: return those that are equal.",
    ),
]
GUESSES: list[Solver] = [  # that no hint is made for
    *(lambda given, one=name: [name for name in _equal(given) if name != one] for name in NAMES),
    *(lambda given, one=name: [name for name in NAMES if name in {*_equal(given), one}] for name in NAMES),
    with_cost(ARITHMETIC, COSTS[PARAMETERS]),
]


# --- cases --------------------------------------------------------------------------------------------------


def equal_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the worked example, and pairs each of which shows one mistake, or comes near to be equal in a budget."""
    return discriminating_cases(
        lambda: [worked_example(), *(rng.permutation(sample_cases(rng)).tolist())], _equal, MISTAKES, GUESSES
    )


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return the pairs but for the worked example: some for each mistake, two for each of the four budgets."""
    showing = [
        alone(rng, name, cost)
        for name, *costs, _ in MISCOUNTED
        for cost in costs
        for _ in range(2 if name == ARITHMETIC else 3)
    ]
    return showing + [matched(rng, cost) for cost in COSTS.values()] + [agreed(rng, name) for name in NAMES]


def worked_example() -> Inputs:
    """Return the pair of the prompt."""
    return {
        "one": {"sizes": [2, 20, 1], "batch": 50, "steps": 1000},
        "other": {"sizes": [2, 5, 5, 5, 1], "batch": 50, "steps": 750},
    }


def alone(rng: np.random.Generator, name: str, cost: Cost) -> Inputs:
    """Return two trainings about which this way to count one of the four is wrong, and those of other hints are not."""
    others = [one for about, *costs, _ in MISCOUNTED if about == name and cost not in costs for one in costs]

    def shows(given: Inputs) -> bool:
        right = _equal(given)
        return with_cost(name, cost)(given) != right and all(with_cost(name, one)(given) == right for one in others)

    return draw_until(shows, lambda: matched(rng, COSTS[name] if rng.random() < 0.3 else cost))


def agreed(rng: np.random.Generator, name: str) -> Inputs:
    """Return two trainings with the same budget of this name, however it is counted."""
    same = lambda given: all(ratio(given, cost) <= CLEARLY_EQUAL for cost in counts_of(name))  # noqa: E731
    return draw_until(same, matched, rng, COSTS[name])


def matched(rng: np.random.Generator, cost: Cost) -> Inputs:
    """Return two trainings with all but the same cost, as clear as they have to be."""
    return draw_until(lambda given: ratio(given, cost) <= CLEARLY_EQUAL and is_clear(given), two_trainings, rng, cost)


def two_trainings(rng: np.random.Generator, cost: Cost) -> Inputs:
    """Return two trainings on the same inputs and outputs; one has the width, or the steps, for the other's cost."""
    ends = ENDS[rng.integers(len(ENDS))]
    depths = rng.choice([1, 2, 3, 4, 6], 2)
    batches = rng.choice(BATCHES, 2) if rng.random() < 0.5 else np.full(2, rng.choice(BATCHES))
    steps = 100 * (rng.integers(5, 30, 2) if rng.random() < 0.6 else np.full(2, rng.integers(5, 30)))
    first, second = (family(rng, ends, *of) for of in zip(depths, batches, steps, strict=True))
    one = first(int(rng.integers(8, 20) if rng.random() < 0.4 else rng.integers(20, 90)))
    width = bisect.bisect_left(WIDTHS, cost(**one), key=lambda width: cost(**second(width)))
    other = second(WIDTHS[min(width, len(WIDTHS) - 1)])
    if rng.random() < 0.5:  # with the steps that its arithmetic allows, counted rightly or not
        counts = counts_of(ARITHMETIC)
        spent = counts[rng.integers(len(counts))]
        other["steps"] = max(1, round(spent(**one) / spent(**{**other, "steps": 1})))
    return {"one": one, "other": other} if rng.random() < 0.5 else {"one": other, "other": one}


def family(
    rng: np.random.Generator, ends: tuple[int, int], depth: int, batch: int, steps: int
) -> Callable[[int], dict]:
    """Return what makes a training of a width: that of its hidden layers, more or less."""
    factors = rng.uniform(0.8, 1.2, depth)

    def training(width: int) -> dict:
        hidden = np.maximum(2, width * factors).astype(int).tolist()
        return {"sizes": [ends[0], *hidden, ends[1]], "batch": int(batch), "steps": int(steps)}

    return training


def is_clear(given: Inputs) -> bool:
    """Return whether nothing is equal or not by a hair."""
    right = [ratio(given, cost) for cost in COSTS.values()]
    wrong = [ratio(given, cost) for name in NAMES for cost in counts_of(name)[1:]]
    return not any(CLEARLY_EQUAL < r < CLEARLY_NOT for r in right) and not any(EDGE[0] < r < EDGE[1] for r in wrong)


# --- hints --------------------------------------------------------------------------------------------------


def is_readable(value: object) -> bool:
    """Return whether ``value`` is a list of some of the four names; where it is empty it may be an array of numbers."""
    return isinstance(value, (list, np.ndarray)) and all(isinstance(name, str) and name in NAMES for name in value)


def _same_names(value: object, names: list[str]) -> bool:
    return is_readable(value) and set(value) == set(names)


def explain_equal(given: Inputs, value: object, expected: list[str]) -> str:
    """Say by how much the two trainings differ in the first of the four that the value is wrong about."""
    if not is_readable(value):
        return ""
    name = next((name for name in NAMES if (name in value) != (name in expected)), None)
    if name is None:
        return ""
    one, other = (COSTS[name](**given[side]) for side in ("one", "other"))
    return f"{name}: {one:,} for `one` and {other:,} for `other`, a ratio of {ratio(given, COSTS[name]):.3f}."


def plot_equal(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the four ratios with those that were called equal, and its words."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import LogLocator, MaxNLocator

    from utils.figures import COLOURS

    figure, ax = plt.subplots(figsize=(8, 2.6))
    ratios = [COSTS[name](**given["other"]) / COSTS[name](**given["one"]) for name in NAMES]
    ax.axvspan(1 / EQUAL, EQUAL, color=COLOURS["sky"], alpha=0.3)
    for place, (name, number) in enumerate(zip(NAMES, ratios, strict=True)):
        said = name in value
        ax.plot(number, place, "o" if said else "x", color=COLOURS["blue" if said else "red"], markersize=9)
        ax.annotate(f"{number:.3g}", (number, place), xytext=(0, 7), textcoords="offset points", ha="center")
    ax.set(xscale="log", xlabel="`other` / `one`", yticks=range(4), yticklabels=NAMES, ylim=(3.5, -0.7))
    ax.margins(x=0.2)
    low, high = ax.get_xlim()
    subs = (1, 3) if high < 1e5 * low else (1,)
    ax.xaxis.set_major_locator(LogLocator(subs=subs) if high > 12 * low else MaxNLocator(5))
    ax.xaxis.set_major_formatter("{x:g}")
    ax.xaxis.set_minor_formatter("")  # or they would overlap
    figure.suptitle("Dots: what your function calls equal. Shaded: equal, within 5 %")
    said = ", ".join(name for name in NAMES if name in value) or "nothing"
    words = ", ".join(f"{name} {number:.3g}" for name, number in zip(NAMES, ratios, strict=True))
    return figure, f"The ratios of `other` to `one`: {words}. Your function calls equal: {said}."


HELD_EQUAL = Exercise(
    id="02.9",
    points=3,
    answer_name="held_equal",
    cases=equal_cases,
    verify=lambda given, hidden, value, expected: float(_same_names(value, expected)),
    without=[*COUNTING, "utils.models.mlp_flops"],
    wanted=lambda given, expected: ", ".join(f'"{name}"' for name in expected) or "an empty list: nothing is equal",
    explain=explain_equal,
    plot=plot_equal,
    misconceptions=hints_of(MISTAKES, returned_by, same=_same_names),
    remarks=[
        (
            lambda given, value, expected: not is_readable(value),
            "Return a list of some of the four names, letter by letter as in the table; it may be empty.",
        ),
    ],
)
