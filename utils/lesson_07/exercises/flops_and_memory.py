"""Exercise 07.7: what a training step of a residual network costs, in FLOPs and in bytes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, has_wrong, hints_of, returned_by

NUMBER = 4  # bytes of a number in float32
CASES = 12
Cost = Callable[..., int]  # from n_in, width, blocks, n_out and batch to a number


def case(n_in: int, width: int, blocks: int, n_out: int, batch: int, recompute: bool) -> Inputs:
    """Return the case of a network of these sizes."""
    return {
        "n_in": int(n_in),
        "width": int(width),
        "blocks": int(blocks),
        "n_out": int(n_out),
        "batch": int(batch),
        "recompute": bool(recompute),
    }


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return the worked example, and networks of which half compute a part of each block again."""
    drawn = [(*rng.integers([2, 5, 2, 2, 8], [40, 60, 12, 12, 80]), place % 2) for place in range(CASES)]
    return [case(3, 10, 2, 1, 5, False), *(case(*sizes) for sizes in drawn)]


# --- what comes of which way to count -----------------------------------------------------------------------


def first(n_in: int, width: int, blocks: int, n_out: int, batch: int) -> int:
    """Return the FLOPs of the first product."""
    return 2 * batch * n_in * width


def within(n_in: int, width: int, blocks: int, n_out: int, batch: int) -> int:
    """Return the FLOPs of all products in the blocks."""
    return 2 * batch * 2 * blocks * width**2


def last(n_in: int, width: int, blocks: int, n_out: int, batch: int) -> int:
    """Return the FLOPs of the last product."""
    return 2 * batch * width * n_out


def forward(*sizes: int) -> int:
    """Return the FLOPs of the pass forward."""
    return first(*sizes) + within(*sizes) + last(*sizes)


def again(*sizes: int) -> int:
    """Return the FLOPs of what is computed again."""
    return within(*sizes) // 2


def kept(n_in: int, width: int, blocks: int, n_out: int, batch: int) -> int:
    """Return how many numbers are kept where nothing is computed again."""
    return batch * (n_in + (2 * blocks + 1) * width)


def kept_less(n_in: int, width: int, blocks: int, n_out: int, batch: int) -> int:
    """Return how many numbers are kept at most at once where the inside of a block is computed again."""
    return batch * (n_in + (blocks + 1) * width + width)


def counting(
    step: Cost = lambda *sizes: 3 * forward(*sizes) - first(*sizes),
    more: Cost = again,
    numbers: Cost = kept,
    fewer: Cost = kept_less,
    size: int = NUMBER,
) -> Solver:
    """Return the way that counts otherwise: a step, what comes on top, and the numbers that are kept in either case."""

    def way(given: Inputs) -> list[int]:
        *sizes, recompute = given.values()
        flops = step(*sizes) + (more(*sizes) if recompute else 0)
        return [int(flops), int(size * (fewer if recompute else numbers)(*sizes))]

    return way


reference = counting()
MISTAKES = [
    (
        counting(lambda *sizes: 3 * forward(*sizes)),
        "Nobody needs the gradient with respect to the data, so the first matrix has one product on the way back, "
        "not two.",
    ),
    (
        counting(forward, lambda *sizes: 0),
        counting(forward),
        counting(lambda *sizes: 2 * forward(*sizes)),
        counting(lambda *sizes: 2 * forward(*sizes) - first(*sizes)),
        "On the way back, each matrix takes two products, each as large as its own: one for its gradient, one for "
        "that of its input.",
    ),
    (
        counting(lambda *sizes: (3 * forward(*sizes) - first(*sizes)) // 2, lambda *sizes: again(*sizes) // 2),
        "A multiplication and an addition are two FLOPs.",
    ),
    (
        lambda given: [reference({**given, "batch": 1})[0], reference(given)[1]],
        lambda given: [reference(given)[0], reference({**given, "batch": 1})[1]],
        lambda given: reference({**given, "batch": 1}),
        "A step takes the whole batch: products and kept numbers grow with it.",
    ),
    (
        counting(more=lambda *sizes: 0),
        counting(more=within),
        counting(more=forward),
        counting(more=lambda *sizes: 3 * again(*sizes)),
        "With `recompute`, each block's first product, W h, is computed a second time, and nothing else is, because "
        "only relu(W h + b) was thrown away.",
    ),
    (
        counting(fewer=lambda *sizes: kept_less(*sizes) - sizes[1] * sizes[4]),
        counting(fewer=kept),
        counting(fewer=lambda *sizes: kept_less(*sizes) + sizes[1] * sizes[4] * (sizes[2] - 1)),
        "With `recompute`, different numbers are kept: the inputs of the first and of the last matrix, what enters "
        "each block, and the inside of one block, the one at work.",
    ),
]


FLOPS_AND_MEMORY = Exercise(
    id="07.7",
    points=3,
    answer_name="flops_and_memory",
    cases=lambda rng: discriminating_cases(lambda: sample_cases(rng), reference, MISTAKES),
    verify=lambda given, hidden, value, expected: close(value, expected, rtol=0.0, atol=0.0),
    without=["utils.models.mlp_flops"],
    misconceptions=hints_of(MISTAKES, returned_by),
    remarks=[
        (
            has_wrong(1),
            "The FLOPs are right, but the bytes are not. Keep the input of each matrix, X first, at four bytes per "
            "number. The outputs of the network are nobody's input.",
        ),
        (
            has_wrong(0),
            "The bytes are right, but the FLOPs are not. Count a product for each matrix forward, and one or two "
            "more back.",
        ),
    ],
)
