"""Answers to exercise 07.7, right and wrong."""

from __future__ import annotations

from tests.answers import AnswerSuite, Wrong
from utils import models


def matrix_by_matrix(n_in, width, blocks, n_out, batch, recompute):
    flops, numbers = 0, 0
    shapes = [(width, n_in), *[(width, width)] * (2 * blocks), (n_out, width)]
    for place, (a, b) in enumerate(shapes):
        product = 2 * batch * a * b
        is_first_of_block = 0 < place < len(shapes) - 1 and place % 2 == 1
        flops += product * (2 if place == 0 else 4 if recompute and is_first_of_block else 3)
        is_second_of_block = 0 < place < len(shapes) - 1 and place % 2 == 0
        if not (recompute and is_second_of_block):
            numbers += batch * b
    return flops, 4 * (numbers + recompute * batch * width)


def in_floats(n_in, width, blocks, n_out, batch, recompute):
    weights = n_in * width + 2.0 * blocks * width**2 + width * n_out
    flops = 6.0 * weights - 2.0 * n_in * width + 2.0 * recompute * blocks * width**2
    streams, insides = blocks + 1, 1 if recompute else blocks
    return [batch * flops, 4.0 * batch * (n_in + width * (streams + insides))]


def on_a_timeline(n_in, width, blocks, n_out, batch, recompute):
    """What is in memory, step by step; the largest of it."""
    flops, kept, most = 2 * n_in * width, n_in, 0
    for _ in range(blocks):
        flops += 4 * width * width
        kept += width if recompute else 2 * width
    kept += width
    flops += 2 * width * n_out + 4 * width * n_out
    most = kept
    kept -= width
    for _ in range(blocks):
        flops += 8 * width * width + (2 * width * width if recompute else 0)
        kept += width if recompute else 0
        most = max(most, kept + width)  # the last matrix's input is still there for the last block to be reached
        kept -= 2 * width
    return batch * (flops + 2 * n_in * width), 4 * batch * most


def changed(change):
    return lambda *given: change(*matrix_by_matrix(*given))


SUITE = AnswerSuite(
    "07.7",
    right={"matrices": matrix_by_matrix, "floats": in_floats, "timeline": on_a_timeline},
    wrong=[
        Wrong(
            "with outputs",
            lambda n_in, w, blocks, n_out, n, recompute: (
                matrix_by_matrix(n_in, w, blocks, n_out, n, recompute)[0],
                matrix_by_matrix(n_in, w, blocks, n_out, n, recompute)[1] + 4 * n * n_out,
            ),
            "outputs of the network",
        ),
        Wrong(
            "one block more",
            lambda n_in, w, blocks, *rest: (
                matrix_by_matrix(n_in, w, blocks + 1, *rest)[0],
                matrix_by_matrix(n_in, w, blocks, *rest)[1],
            ),
            "The bytes are right",
        ),
        Wrong(
            "withheld",
            lambda n_in, w, blocks, n_out, n, _: models.mlp_flops([n_in, *[w] * (2 * blocks + 1), n_out]),
            "write it yourself",
        ),
    ],
    unforeseen={
        "off by one": lambda n_in, w, blocks, *rest: matrix_by_matrix(n_in, w, blocks - 1, *rest),
        "eight bytes": changed(lambda flops, size: (2 * flops + 1, 2 * size)),
        "reversed": changed(lambda flops, size: (size, flops)),
        "both recomputed": lambda *given: matrix_by_matrix(*given[:-1], True),
        "one matrix a block": lambda n_in, w, blocks, *rest: matrix_by_matrix(n_in, w, blocks // 2, *rest),
        "width of inputs": lambda n_in, w, *rest: matrix_by_matrix(w, n_in, *rest),
    },
)
