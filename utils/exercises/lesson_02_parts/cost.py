"""Exercises 02.1 and 02.2: the parameters of a network, and the width that spends a budget of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise
from utils.exercises.verdict import close

COUNTING = ("utils.models.count_parameters", "utils.models.mlp_parameters")
BEYOND_FLOATS = 2**53  # from here on not every whole number is a float


def weights_of(sizes: list[int]) -> int:
    """Return the number of weights."""
    return sum(n_in * n_out for n_in, n_out in zip(sizes, sizes[1:], strict=False))


def with_biases(sizes: list[int]) -> int:
    """Return the number of weights and biases."""
    return weights_of(sizes) + sum(sizes[1:])


def whole(value: object) -> bool:
    """Return whether ``value`` is a whole number; 4.0 is one, True is not."""
    return not isinstance(value, bool) and bool(close(value, round(value), rtol=0.0, atol=0.0))


def the_number(given: dict, hidden: None, value: object, expected: int) -> float:
    """Return 1.0 for the very number; 4.0 will do for 4, True for 1 will not."""
    return float(not isinstance(value, bool) and value == expected)


def parameters_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    yield {"sizes": [4, 8, 8, 4], "bias": True}, None
    for depth in (0, 1, 2, 3, 6):
        for bias in (True, False):
            sizes = rng.permutation(40)[: depth + 2] + 2  # no two alike, so that one taken for another fails
            yield {"sizes": sizes.tolist(), "bias": bias}, None
    yield {"sizes": [784, 256, 256, 10], "bias": False}, None


def biases_counted(count: Callable[[list[int]], int]) -> Callable:
    """Return a rule: where there are biases, the value has ``count(sizes)`` of them."""
    return lambda given, value, expected: given["bias"] and value == weights_of(given["sizes"]) + count(given["sizes"])


def of_sizes(count: Callable[[list[int]], object]) -> Callable:
    """Return a rule: the value is ``count(sizes)``, or among several numbers."""

    def matches(given: dict, value: object, expected: int) -> bool:
        counted = count(given["sizes"])
        return value in counted if isinstance(counted, tuple) else value == counted

    return matches


def without_a_layer(given: dict, value: object, expected: int) -> bool:
    """Return whether the first layer or the last is left out."""
    count = with_biases if given["bias"] else weights_of
    return value in (count(given["sizes"][1:]), count(given["sizes"][:-1]))


def as_if_equal(given: dict, value: object, expected: int) -> bool:
    """Return whether one of the sizes was taken for the width of all hidden layers, with or without biases."""
    sizes = given["sizes"]
    if value in (weights_of(sizes), with_biases(sizes)):  # each layer has its own width, or there is only one
        return False
    equal = [[sizes[0], *[width] * (len(sizes) - 2), sizes[-1]] for width in sizes]
    return value in [count(one) for one in equal for count in (weights_of, with_biases)]


PARAMETERS = Exercise(
    id="02.1",
    points=2,
    answer_name="parameters",
    cases=parameters_cases,
    verify=the_number,
    without=COUNTING,
    misconceptions=[
        (lambda given, value, expected: not whole(value), "Parameters are counted: return a whole number."),
        (biases_counted(lambda sizes: 0),
         "The biases are missing: where `bias` is True every unit of every layer but the input has one."),
        (lambda given, value, expected: not given["bias"] and value == with_biases(given["sizes"]),
         "Here `bias` is False: only weights are to be counted."),
        (biases_counted(sum),
         "You have counted a bias for each input, too: the inputs are given, they are no layer that computes."),
        (biases_counted(lambda sizes: sum(sizes[:-1])),
         "A layer has as many biases as outputs; you have counted one for each of its inputs."),
        (biases_counted(lambda sizes: len(sizes) - 1),
         "You have counted one bias for each layer: it is one for each unit."),
        (biases_counted(lambda sizes: sum(sizes[1:-1])),
         "The output layer has biases, too: one for each output."),
        (of_sizes(lambda sizes: (sum(sizes), sum(sizes[1:]), sum(sizes[1:-1]))),
         "These are units. Parameters sit on the connections: between two neighbouring layers each unit of one is "
         "joined to each unit of the other."),
        (of_sizes(math.prod),
         "You have multiplied all sizes: a layer's weights join two neighbouring sizes, and the layers' numbers are "
         "added."),
        (without_a_layer,
         "One layer is left out: with `sizes` of length k there are k − 1 layers of weights, and both the first and "
         "the last count."),
        (of_sizes(lambda sizes: (sum(n * n for n in sizes), sum(n * n for n in sizes[1:]))),
         "A layer joins two sizes, which need not be the same: multiply each size by its neighbour, not by itself."),
        (as_if_equal,
         "You have given all hidden layers one width, as the lesson's networks have it. Here every layer may have "
         "another: take each size times the next, and add up layer by layer."),
    ],
)  # fmt: skip


# --- the width that spends a budget -----------------------------------------------------------------------


def cost(width: int, depth: int, n_in: int, n_out: int) -> int:
    """Return the number of weights and biases of ``depth`` hidden layers of this width."""
    return with_biases([n_in, *[width] * depth, n_out])


def widest_case(depth: int, n_in: int, n_out: int, budget: int) -> tuple[dict, None]:
    """Return one case of the exercise."""
    return {"budget": int(budget), "depth": depth, "n_in": int(n_in), "n_out": int(n_out)}, None


def widest_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
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
    width, depth = int(rng.integers(150_000_000, 250_000_000)), int(rng.integers(3, 7))
    yield widest_case(depth, 64, 10, cost(width, depth, 64, 10) - 1)  # in floats, a square like its neighbour


def largest(given: dict, spent: Callable[..., int]) -> int:
    """Return the largest width for which ``spent(width, depth, n_in, n_out)`` is within the budget, by halving."""
    shape = given["depth"], given["n_in"], given["n_out"]
    low, high = 0, given["budget"] + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if spent(middle, *shape) <= given["budget"] else (low, middle)
    return low


def if_cost_were(*others: Callable[..., int]) -> Callable:
    """Return a rule: the value is the largest width for one of these other ways to count."""
    return lambda given, value, expected: value in [largest(given, spent) for spent in others]


def hidden_only(width: int, depth: int, n_in: int, n_out: int) -> int:
    """Return the weights between hidden layers."""
    return (depth - 1) * width**2 or width**2


def in_floats(given: dict, value: object, expected: int) -> bool:
    """Return whether the value is off by what floats lose."""
    return given["budget"] > BEYOND_FLOATS and 0 < abs(value - expected) <= 64


def search_ended(given: dict, value: object, expected: int) -> bool:
    """Return whether the value is far too small, and the budget is huge or the value looks like a search's bound."""
    like_a_bound = value > 0 and value % 100 in (0, 99)
    return 0 <= value < 0.9 * expected and (given["budget"] > BEYOND_FLOATS or like_a_bound)


def spent_to_the_last(given: dict, value: object, expected: int) -> bool:
    """Return whether the budget could have been spent exactly, and the value is one unit short of it."""
    exactly = cost(expected, given["depth"], given["n_in"], given["n_out"]) == given["budget"]
    return exactly and value == expected - 1


def too_small(given: dict, value: object, expected: int) -> bool:
    """Return whether the budget is too small for any width, and that is not what was said."""
    return expected == 0 and (value is None or value != 0)


def explain_widest(given: dict, value: object, expected: int) -> str:
    """Say what the network with this width costs."""
    if not whole(value) or not 1 <= value <= 10 * given["budget"]:
        return ""
    spent = cost(int(value), given["depth"], given["n_in"], given["n_out"])
    return f"With a width of {int(value):,} the network has {spent:,} parameters; the budget is {given['budget']:,}."


WIDEST = Exercise(
    id="02.2",
    points=3,
    answer_name="widest",
    cases=widest_cases,
    verify=the_number,
    without=[*COUNTING, "utils.models.width_for_parameters"],
    explain=explain_widest,
    misconceptions=[
        (in_floats,
         "The budget is larger than 2**53, and a float has 53 binary digits: two whole numbers become one, and so do "
         "their roots. Python's whole numbers are exact: stay with them, as `math.isqrt` does, or try the widths "
         "beside your result."),
        (too_small,
         "Where even a width of 1 costs more than the budget, 0 is wanted."),
        (lambda given, value, expected: given["depth"] == 1 and value is None,
         "With one hidden layer there is no matrix between hidden layers: the equation has no square, and is not to "
         "be divided by its coefficient."),
        (lambda given, value, expected: value is None and (given["depth"] == 1 or expected == 0),
         "Two kinds of input need a look of their own: with one hidden layer the equation has no square, and a budget "
         "can be too small for any width (return 0 then)."),
        (spent_to_the_last,
         "The budget may be spent to its last parameter: here it fits exactly, and your width is one short. If you "
         "take a root, its rounding may have lost that one."),
        (lambda given, value, expected: not whole(value),
         "A width is a whole number: round down, since rounding up would break the budget."),
        (lambda given, value, expected: expected > 1
         and value == cost(expected, given["depth"], given["n_in"], given["n_out"]),
         "This is how many parameters are spent; the width is wanted."),
        (lambda given, value, expected: given["depth"] > 1 and expected > 1 and value == given["depth"] * expected,
         "These are all hidden units together: the width is how many there are in each layer."),
        (search_ended,
         "Your search seems to end at a fixed bound, and the width that is wanted lies beyond it. Budgets go up to "
         "10^17, where trying the widths one by one takes too long: solve the equation for the width, or halve the "
         "interval from 0 to the budget again and again."),
        # before the rule of all biases, which is as good an explanation unless hidden layers are wide
        (if_cost_were(lambda width, depth, n_in, n_out: cost(width, depth, n_in, n_out) - n_out),
         "The biases of the outputs are missing: they are n_out parameters more."),
        (if_cost_were(lambda width, *shape: weights_of([shape[1], *[width] * shape[0], shape[2]])),
         "The biases are missing: every hidden unit and every output has one."),
        (if_cost_were(lambda width, depth, *ends: cost(width, depth + 1, *ends),
                      lambda width, depth, *ends: cost(width, max(depth - 1, 1), *ends)),
         "The number of layers is off by one: `depth` hidden layers are joined by depth − 1 square matrices."),
        (if_cost_were(hidden_only, lambda width, depth, *ends: depth * width**2,
                      lambda width, depth, *ends: max((depth - 1) * (width**2 + width), width)),
         "Only the matrices between hidden layers are in your count: the first layer comes from n_in inputs, the last "
         "leads to n_out outputs, and both cost parameters."),
        (if_cost_were(lambda width, depth, n_in, n_out: cost(width, depth, n_in, n_out) - n_out * (width + 1),
                      lambda width, depth, n_in, n_out: cost(width, depth, n_in, n_out) - n_in * width),
         "One end is missing: the first layer, from the n_in inputs, and the last, to the n_out outputs, both cost "
         "parameters."),
        (lambda given, value, expected: value == expected + 1,
         "One unit too many: this network costs more than the budget. Round down."),
        (lambda given, value, expected: value == expected - 1,
         "One unit more would still be within the budget."),
    ],
)  # fmt: skip

EXERCISES = [PARAMETERS, WIDEST]
