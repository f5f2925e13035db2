"""Exercise 02.9: what did a comparison hold equal? Four budgets of two trainings, to be computed from their sizes."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import Way, discriminates
from utils.exercises.rules import Rule
from utils.lesson_02.exercises.counting import COUNTING, weights_of, with_biases

PARAMETERS, ARITHMETIC, UNITS, MEMORY = NAMES = ("parameters", "arithmetic", "hidden units", "memory")
EQUAL = 1.05  # the largest ratio of the larger to the smaller that counts as equal
CLEARLY_EQUAL, CLEARLY_NOT = 1.03, 1.08  # no right ratio lies between these
ENDS = ((1, 1), (2, 1), (2, 2), (2, 32), (1, 40), (8, 10), (64, 2), (64, 10))  # inputs and outputs
BATCHES, WIDTHS = (20, 32, 50, 64, 100), range(3, 200)
EDGE = (1.049, 1.054)  # nor one of a usual mistake between these: the share may be of the smaller, or of the larger

Cost = Callable[[dict], float]  # of one training, {"sizes", "batch", "steps"}


# --- what one training costs --------------------------------------------------------------------------------


def products(training: dict) -> list[int]:
    """Return 2 n_in n_out of each layer, the FLOPs of its forward pass for one example."""
    sizes = training["sizes"]
    return [2 * n_in * n_out for n_in, n_out in zip(sizes, sizes[1:], strict=False)]


def examples(training: dict) -> int:
    """Return through how many examples the training goes."""
    return training["batch"] * training["steps"]


def parameters(training: dict) -> int:
    return with_biases(training["sizes"])


def flops_of_an_example(training: dict) -> int:
    """Return the FLOPs of a step for one example: the first layer has no gradient of its inputs."""
    layers = products(training)
    return 3 * sum(layers) - layers[0]


def flops(training: dict) -> int:
    return flops_of_an_example(training) * examples(training)


def hidden_units(training: dict) -> int:
    return sum(training["sizes"][1:-1])


def kept(training: dict) -> int:
    return training["batch"] * sum(training["sizes"][:-1])


COSTS: dict[str, Cost] = dict(zip(NAMES, (parameters, flops, hidden_units, kept), strict=True))


# --- what comes of which way to count -----------------------------------------------------------------------


def ratio(given: Given, cost: Cost) -> float:
    """Return the cost of the dearer training over that of the cheaper one."""
    low, high = sorted((cost(given["one"]), cost(given["other"])))
    return high / low


def equal(given: Given) -> list[str]:
    return [name for name, cost in COSTS.items() if ratio(given, cost) <= EQUAL]


def with_cost(name: str, cost: Cost) -> Way:
    """Return the way to answer that counts one of the four like this."""
    return lambda given: [n for n, right in COSTS.items() if ratio(given, cost if n == name else right) <= EQUAL]


def exactly(given: Given) -> list[str]:
    return [name for name, cost in COSTS.items() if ratio(given, cost) == 1]


def one_sided(dearer: str) -> Way:
    """Return the way that takes a difference for small where it is negative: where this training is the cheaper one."""
    cheaper = "other" if dearer == "one" else "one"
    return lambda given: [name for name, cost in COSTS.items() if cost(given[dearer]) <= EQUAL * cost(given[cheaper])]


def different(given: Given) -> list[str]:
    return [name for name in NAMES if name not in equal(given)]


COUNTED_OTHERWISE: dict[str, dict[str, Cost]] = {
    PARAMETERS: {
        "no biases": lambda training: weights_of(training["sizes"]),
        "a bias for each layer": lambda training: weights_of(training["sizes"]) + len(training["sizes"]) - 1,
    },
    ARITHMETIC: {
        "forward": lambda training: sum(products(training)) * examples(training),
        "last spared": lambda training: (3 * sum(products(training)) - products(training)[-1]) * examples(training),
        "first left out": lambda training: sum(products(training)[1:]) * examples(training),
        "an example": flops_of_an_example,
        "a step": lambda training: flops_of_an_example(training) * training["batch"],
        "no batch": lambda training: flops_of_an_example(training) * training["steps"],
        "parameters": lambda training: parameters(training) * examples(training),
    },
    UNITS: {
        "all units": lambda training: sum(training["sizes"]),
        "outputs": lambda training: sum(training["sizes"][1:]),
        "one layer": lambda training: training["sizes"][1],
    },
    MEMORY: {
        "an example": lambda training: sum(training["sizes"][:-1]),
        "no inputs": lambda training: hidden_units(training) * training["batch"],
        "outputs": lambda training: sum(training["sizes"]) * training["batch"],
        "all steps": lambda training: kept(training) * training["steps"],
    },
}
WAYS: dict[tuple[str, str], Way] = {
    (name, how): with_cost(name, cost) for name, ways in COUNTED_OTHERWISE.items() for how, cost in ways.items()
}
GENERAL: dict[str, Way] = {
    "exactly": exactly, "one": one_sided("one"), "other": one_sided("other"), "different": different,
}  # fmt: skip
GUESSES: list[Way] = [  # that no hint is made for
    *(lambda given, one=name: [name for name in equal(given) if name != one] for name in NAMES),
    *(lambda given, one=name: [name for name in NAMES if name in {*equal(given), one}] for name in NAMES),
    with_cost(ARITHMETIC, parameters),
]
ONE_HINT = (  # pairs of mistakes
    {(PARAMETERS, "no biases"), (PARAMETERS, "a bias for each layer")},
    {(UNITS, "all units"), (UNITS, "outputs")},
    {"one", "other"},
)
ALL: dict[object, Way] = {**WAYS, **GENERAL}
GROUPS = [
    *([ALL[name] for name in pair] for pair in ONE_HINT),
    *([way] for name, way in ALL.items() if not any(name in pair for pair in ONE_HINT)),
]


# --- cases --------------------------------------------------------------------------------------------------


def equal_cases(rng: np.random.Generator) -> Iterator[tuple[Given, None]]:
    """The worked example, and pairs each of which shows one mistake, or comes near to be equal in one of the four."""
    while not discriminates(cases := [worked_example(), *drawn(rng)], equal, GROUPS, GUESSES):
        pass
    for index in [0, *(1 + rng.permutation(len(cases) - 1))]:
        yield cases[index], None


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return the pairs but for the worked example: some for each mistake, two for each of the four budgets."""
    showing = [alone(rng, name, how) for name, how in WAYS for _ in range(2 if name == ARITHMETIC else 3)]
    return showing + [matched(rng, cost) for cost in COSTS.values()] + [agreed(rng, name) for name in NAMES]


def worked_example() -> Given:
    return {"one": {"sizes": [2, 20, 1], "batch": 50, "steps": 1000},
            "other": {"sizes": [2, 5, 5, 5, 1], "batch": 50, "steps": 750}}  # fmt: skip


def alone(rng: np.random.Generator, name: str, how: str) -> Given:
    """Return two trainings about which this mistake, and no other about the same budget, is wrong."""
    others = [way for about, way in WAYS.items() if about[0] == name and not same_hint(about, (name, how))]
    while True:
        given = matched(rng, COSTS[name] if rng.random() < 0.3 else COUNTED_OTHERWISE[name][how])
        right = equal(given)
        if WAYS[name, how](given) != right and all(way(given) == right for way in others):
            return given


def agreed(rng: np.random.Generator, name: str) -> Given:
    """Return two trainings with the same budget of this name, in whichever way it is counted."""
    ways = [COSTS[name], *COUNTED_OTHERWISE[name].values()]
    while any(ratio(given := matched(rng, COSTS[name]), cost) > CLEARLY_EQUAL for cost in ways):
        pass
    return given


def matched(rng: np.random.Generator, cost: Cost) -> Given:
    """Return two trainings with all but the same cost, as clear as they have to be."""
    while ratio(given := two_trainings(rng, cost), cost) > CLEARLY_EQUAL or not is_clear(given):
        pass
    return given


def two_trainings(rng: np.random.Generator, cost: Cost) -> Given:
    """Return two trainings on the same inputs and outputs; one has the width, or the steps, for the other's cost."""
    ends = ENDS[rng.integers(len(ENDS))]
    depths = rng.choice([1, 2, 3, 4, 6], 2)
    batches = rng.choice(BATCHES, 2) if rng.random() < 0.5 else np.full(2, rng.choice(BATCHES))
    steps = 100 * (rng.integers(5, 30, 2) if rng.random() < 0.6 else np.full(2, rng.integers(5, 30)))
    first, second = (family(rng, ends, *of) for of in zip(depths, batches, steps, strict=True))
    one = first(int(rng.integers(8, 20) if rng.random() < 0.4 else rng.integers(20, 90)))
    width = bisect.bisect_left(WIDTHS, cost(one), key=lambda width: cost(second(width)))
    other = second(WIDTHS[min(width, len(WIDTHS) - 1)])
    if rng.random() < 0.5:  # with the steps that its arithmetic allows, counted rightly or not
        counts = [flops, *COUNTED_OTHERWISE[ARITHMETIC].values()]
        spent = counts[rng.integers(len(counts))]
        other["steps"] = max(1, round(spent(one) / spent({**other, "steps": 1})))
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


def is_clear(given: Given) -> bool:
    """Return whether nothing is equal or not by a hair."""
    right = [ratio(given, cost) for cost in COSTS.values()]
    wrong = [ratio(given, cost) for ways in COUNTED_OTHERWISE.values() for cost in ways.values()]
    return not any(CLEARLY_EQUAL < r < CLEARLY_NOT for r in right) and not any(EDGE[0] < r < EDGE[1] for r in wrong)


def same_hint(one: object, other: object) -> bool:
    """Return whether two mistakes are the same, or told with one hint."""
    return one == other or {one, other} in ONE_HINT


# --- hints --------------------------------------------------------------------------------------------------


def is_readable(value: object) -> bool:
    """Return whether ``value`` is a list of some of the four names."""
    return isinstance(value, list) and all(isinstance(name, str) and name in NAMES for name in value)


def same_names(value: object, names: list[str]) -> bool:
    return is_readable(value) and set(value) == set(names)


def returns(*ways: Way) -> Rule:
    """Return a rule: the value has the names that one of these ways to answer has."""
    return lambda given, value, expected: any([same_names(value, way(given)) for way in ways])


def counted(name: str, *how: str) -> Rule:
    """Return a rule: one of the four is counted in one of these other ways."""
    return returns(*(WAYS[name, one] for one in how))


def only_about(name: str) -> Rule:
    """Return a rule: the value is wrong about this one of the four, and about no other."""
    return lambda given, value, expected: is_readable(value) and set(value) ^ set(expected) == {name}


def explain_equal(given: Given, value: object, expected: list[str]) -> str:
    """Say by how much the two trainings differ in the first of the four that the value is wrong about."""
    if not is_readable(value):
        return ""
    name = next((name for name in NAMES if (name in value) != (name in expected)), None)
    if name is None:
        return ""
    one, other = (COSTS[name](given[side]) for side in ("one", "other"))
    return f"{name}: {one:,} for `one` and {other:,} for `other`, a ratio of {ratio(given, COSTS[name]):.3f}."


def plot_equal(given: Given, value: object) -> tuple[object, str]:
    """Return a figure of the four ratios with those that were called equal, and its words."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import LogLocator, MaxNLocator

    from utils.figures import COLOURS

    figure, ax = plt.subplots(figsize=(8, 2.6))
    ratios = [COSTS[name](given["other"]) / COSTS[name](given["one"]) for name in NAMES]
    ax.axvspan(1 / EQUAL, EQUAL, color=COLOURS["sky"], alpha=0.3)
    for place, (name, number) in enumerate(zip(NAMES, ratios, strict=True)):
        said = name in value
        ax.plot(number, place, "o" if said else "x", color=COLOURS["blue" if said else "red"], markersize=9)
        ax.annotate(f"{number:.3g}", (number, place), xytext=(0, 7), textcoords="offset points", ha="center")
    ax.set(xscale="log", xlabel="`other` / `one`", yticks=range(4), yticklabels=NAMES, ylim=(3.5, -0.7))
    ax.margins(x=0.2)
    low, high = ax.get_xlim()
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 3)) if high > 12 * low else MaxNLocator(5))
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
    verify=lambda given, hidden, value, expected: float(same_names(value, expected)),
    without=[*COUNTING, "utils.models.mlp_flops"],
    wanted=lambda given, expected: ", ".join(f'"{name}"' for name in expected) or "an empty list: nothing is equal",
    explain=explain_equal,
    plot=plot_equal,
    misconceptions=[
        (counted(PARAMETERS, "no biases", "a bias for each layer"),
         "Your parameters lack biases: each unit that computes something has one of its own."),
        (counted(ARITHMETIC, "forward"),
         "Three times the forward pass is a little too much, and not for both alike: nobody asks for a gradient of the "
         "data, so the first layer costs twice its forward pass, not three times."),
        (counted(ARITHMETIC, "last spared"),
         "You spare the last layer a gradient. It is the first one that needs no gradient of its inputs, the data."),
        (counted(ARITHMETIC, "first left out"),
         "The first layer is not free: it is spared one of its two gradients, and a weight of it takes 2 FLOPs forward "
         "and 2 backward."),
        (counted(ARITHMETIC, "an example"),
         "This is the arithmetic of one example. A training goes through steps times batch of them."),
        (counted(ARITHMETIC, "a step"),
         "This is the arithmetic of one step: a training has `steps` of them."),
        (counted(ARITHMETIC, "no batch"),
         "A step goes through a whole batch: its arithmetic is that of one example, times `batch`."),
        (counted(ARITHMETIC, "parameters"),
         "You take the arithmetic to be proportional to the parameters. Nearly: but biases are not counted, and the "
         "first layer is spared a gradient."),
        (counted(UNITS, "all units", "outputs"),
         "Inputs and outputs are no hidden units: those are in `sizes[1:-1]`."),
        (counted(UNITS, "one layer"),
         "This is the width of one layer: all hidden layers together have the hidden units."),
        (counted(MEMORY, "an example"),
         "What is kept is kept for every example of the batch."),
        (counted(MEMORY, "no inputs"),
         "The inputs are kept, too: the first layer's gradient needs them."),
        (counted(MEMORY, "outputs"),
         "The outputs are not among what is kept here: only what goes into a layer is, inputs and hidden units."),
        (counted(MEMORY, "all steps"),
         "What a step has kept is given back before the next one: the number of steps plays no role."),
        (returns(exactly),
         "Only what is exactly the same counts for you: widths are whole numbers, so within 5 % is all one can ask."),
        (returns(*(one_sided(side) for side in ("one", "other"))),
         "Whichever of the two is the larger: where yours is the smaller one by far, that is not equal either."),
        (returns(different),
         "These are the ones that differ: those that were held equal are asked for."),
    ],
    remarks=[
        (lambda given, value, expected: not is_readable(value),
         "Return a list of some of the four names, letter by letter as in the table; it may be empty."),
        (only_about(PARAMETERS),
         "The parameters are all that you are wrong about here."),
        (only_about(ARITHMETIC),
         "The arithmetic is all that you are wrong about here. What does each layer cost forward, what backward, and "
         "how often?"),
        (only_about(UNITS),
         "The hidden units are all that you are wrong about here."),
        (only_about(MEMORY),
         "The memory is all that you are wrong about here."),
        (lambda given, value, expected: set(value) > set(expected),
         "All that was held equal is among your names, but so are others that were not."),
        (lambda given, value, expected: set(value) < set(expected),
         "What you name was held equal, and something else as well."),
    ],
)  # fmt: skip
