"""Exercise 02.2: the width that spends a budget of parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.rules import Solver, equals, hints_of, is_whole, same_whole_number
from utils.lesson_02.exercises.parameters import COUNTING, weights_of, with_biases

BEYOND_FLOATS = 2**53  # from here on not every whole number is a float


def cost(width: int, depth: int, n_in: int, n_out: int) -> int:
    """Return the number of weights and biases of ``depth`` hidden layers of this width."""
    return with_biases([n_in, *[width] * depth, n_out])


def widest_case(depth: int, n_in: int, n_out: int, budget: int) -> tuple[Inputs, None]:
    """Return one case of the exercise."""
    return {"budget": int(budget), "depth": depth, "n_in": int(n_in), "n_out": int(n_out)}, None


def widest_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    yield widest_case(2, 2, 2, 1000)
    for depth in (1, 2, 3, 5, 9):
        n_in, n_out = rng.permutation(30)[:2] + 3
        width = int(rng.integers(12, 80))
        spent = cost(width, depth, n_in, n_out)
        yield widest_case(depth, n_in, n_out, spent)  # to the last parameter
        yield widest_case(depth, n_in, n_out, spent - 1)
        yield widest_case(depth, n_in, n_out, spent + rng.integers(1, n_in + n_out))
        yield widest_case(depth, n_in, n_out, spent - n_out - 1)  # too little even without the outputs' biases
    for width in (300, 700):  # wide against the few inputs and outputs: what is forgotten there shows
        yield widest_case(1, 3, 4, cost(width, 1, 3, 4) + rng.integers(0, 8))
        yield widest_case(1, 3, 4, cost(width, 1, 3, 4) - 1)  # tells a root rounded up from biases forgotten
    yield widest_case(2, 5, 3, cost(1, 2, 5, 3))
    for depth in (1, 4):  # too little for a single unit in each layer
        n_in, n_out = rng.permutation(30)[:2] + 3
        yield widest_case(depth, n_in, n_out, cost(1, depth, n_in, n_out) - 1)
    for depth in (1, 40):  # too little even for the outputs' biases, and with 40 layers so by any way to count
        n_in, n_out = rng.permutation(30)[:2] + 3
        yield widest_case(depth, n_in, n_out, n_out - 1)
    # In floats a square like its neighbour; one by one these widths take a minute, and those below years.
    width, depth = int(rng.integers(400_000_000, 600_000_000)), int(rng.integers(2, 4))
    yield widest_case(depth, 64, 10, cost(width, depth, 64, 10) - 1)
    width = int(rng.integers(10**15, 2 * 10**15))
    yield widest_case(1, 64, 10, cost(width, 1, 64, 10) - 1)  # in floats, a quotient like its neighbour


def largest(given: Inputs, spent: Callable[..., int]) -> int:
    """Return the largest width for which ``spent(width, depth, n_in, n_out)`` is within the budget, by halving."""
    shape = given["depth"], given["n_in"], given["n_out"]
    low, high = 0, given["budget"] + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if spent(middle, *shape) <= given["budget"] else (low, middle)
    return low


def if_cost_were(spent: Callable[..., int]) -> Solver:
    """Return the way that takes the largest width for another way to count."""
    return lambda given: largest(given, spent)


MISTAKES = [
    (
        if_cost_were(lambda width, depth, *ends: weights_of([ends[0], *[width] * depth, ends[1]])),
        "The biases are missing: every hidden unit and every output has one.",
    ),
    (
        if_cost_were(lambda width, depth, *ends: cost(width, depth + 1, *ends)),
        if_cost_were(lambda width, depth, *ends: cost(width, max(depth - 1, 1), *ends)),
        "The number of layers is off by one: `depth` hidden layers are joined by depth − 1 square matrices.",
    ),
    (
        if_cost_were(lambda width, depth, n_in, n_out: cost(width, depth, n_in, n_out) - n_out * (width + 1)),
        if_cost_were(lambda width, depth, n_in, n_out: cost(width, depth, n_in, n_out) - n_in * width),
        if_cost_were(lambda width, depth, *ends: max(depth - 1, 1) * width**2),
        if_cost_were(lambda width, depth, n_in, n_out: cost(width, depth, n_in, 1)),
        if_cost_were(lambda width, depth, n_in, n_out: cost(width, depth, n_in, n_in)),
        if_cost_were(lambda width, depth, *ends: cost(width, depth, 2, 2)),  # as on the lesson's page
        "The first or the last layer is not counted as it is: the first goes from the n_in inputs, the last to the "
        "n_out outputs, and both cost parameters beside the square matrices between the hidden layers.",
    ),
]


def search_ended(given: Inputs, value: object, expected: int) -> bool:
    """Return whether the value is far too small, and the budget is huge or the value looks like a search's bound."""
    like_a_bound = value > 0 and value % 100 in (0, 99)
    return 0 <= value < 0.9 * expected and (given["budget"] > BEYOND_FLOATS or like_a_bound)


def explain_widest(given: Inputs, value: object, expected: int) -> str:
    """Say what the network with this width costs."""
    if not is_whole(value) or not 1 <= value <= 10 * given["budget"]:
        return ""
    spent = cost(int(value), given["depth"], given["n_in"], given["n_out"])
    return f"With a width of {int(value):,} the network has {spent:,} parameters; the budget is {given['budget']:,}."


WIDEST = Exercise(
    id="02.2",
    points=3,
    answer_name="widest",
    cases=widest_cases,
    verify=same_whole_number,
    without=[*COUNTING, "utils.models.width_for_parameters"],
    explain=explain_widest,
    slow_hint="Too slow: one width after another. Halve the interval in which the width must lie, or solve the "
    "quadratic with `math.isqrt`.",
    misconceptions=hints_of(MISTAKES, equals, rtol=0, atol=0),
    remarks=[
        (
            lambda given, value, expected: given["budget"] > BEYOND_FLOATS and 0 < abs(value - expected) <= 64,
            "The budget is larger than 2**53, and a float has 53 binary digits: two whole numbers become one, and "
            "so do their roots. Python's whole numbers are exact: stay with them, as `math.isqrt` does, or try the "
            "widths beside your result.",
        ),
        (
            lambda given, value, expected: value is None and given["depth"] == 1 or expected == 0 and value != 0,
            "Two kinds of input need a look of their own: with one hidden layer the equation has no square, and if "
            "even a width of 1 costs more than the budget, the answer is 0.",
        ),
        (
            lambda given, value, expected: given["budget"] <= BEYOND_FLOATS and value == expected - 1,
            'Your width is one too narrow: the next one fits, too, since "at most" includes the budget itself. If you '
            "search, do you return the last width that fits?",
        ),
        (
            search_ended,
            "Far too small. If you search, does your search end at a fixed bound? Budgets go beyond "
            "10^17, where trying the widths one by one takes too long: solve the equation for the width, or halve the "
            "interval from 0 to the budget again and again.",
        ),
        (
            lambda given, value, expected: 0 < value - expected <= 1,
            "Too wide: this network costs more than the budget. Round down, and count every bias, those of the outputs "
            "included.",
        ),
    ],
)
