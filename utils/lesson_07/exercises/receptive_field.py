"""Exercise 07.11: how much of an image a unit of a convolutional network sees, and what that costs in parameters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, has_wrong, hints_of, returned_by

DEPTHS = (1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 3, 4)
Layers = list[list[int]]  # [channels, kernel, stride, dilation] of each


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return the worked example, and stacks of all depths in a random order."""
    cases = [{"channels": 1, "layers": [[8, 3, 2, 1], [16, 3, 1, 2]]}]
    for place in rng.permutation(len(DEPTHS)):
        drawn = rng.integers(2, 13, DEPTHS[place])
        layers = [
            [int(n), int(rng.choice([1, 2, 3, 5])), int(rng.choice([1, 1, 2, 3])), int(rng.choice([1, 1, 2]))]
            for n in drawn
        ]
        cases.append({"channels": int(rng.integers(1, 4)), "layers": layers})
    return cases


# --- what comes of which way to count -----------------------------------------------------------------------


def counting(
    grows: Callable[..., int] = lambda kernel, stride, dilation, jump: (kernel - 1) * dilation * jump,
    start: int = 1,
    weights: Callable[..., int] = lambda n_in, n_out, kernel, dilation: n_out * (n_in * kernel**2 + 1),
    backwards: bool = False,
) -> Solver:
    """Return the way in which a layer makes the field otherwise larger, or has other parameters.

    ``grows`` is handed a kernel, stride and dilation, and how many pixels lie between two neighbouring inputs.
    """

    def way(given: Inputs) -> list[int]:
        seen, jump, parameters, n_in = start, 1, 0, given["channels"]
        for n_out, kernel, _, dilation in given["layers"]:
            parameters, n_in = parameters + weights(n_in, n_out, kernel, dilation), n_out
        for _, kernel, stride, dilation in reversed(given["layers"]) if backwards else given["layers"]:
            seen += grows(kernel, stride, dilation, jump)
            jump *= stride
        return [seen, parameters]

    return way


reference = counting()
MISTAKES = [
    (
        counting(lambda kernel, stride, dilation, jump: (kernel - 1) * dilation),
        "The strides are missing. Behind a layer of stride 2, neighbouring units are two pixels apart.",
    ),
    (
        counting(lambda kernel, stride, dilation, jump: (kernel - 1) * dilation * jump * stride),
        counting(lambda kernel, stride, dilation, jump: (kernel - 1) * dilation * stride),
        counting(backwards=True),
        "Your strides are in the wrong places. A layer's own stride moves the units behind it apart, not the inputs "
        "that it reads. Multiply all strides of the layers before it.",
    ),
    (
        counting(lambda kernel, stride, dilation, jump: (kernel - 1) * jump),
        counting(lambda kernel, stride, dilation, jump: (kernel * dilation - 1) * jump),
        "The dilation counts in another way. It is the distance between neighbouring inputs of a unit, so a kernel "
        "of k has k − 1 such distances between its ends.",
    ),
    (
        counting(lambda kernel, stride, dilation, jump: kernel * dilation * jump, 0),
        counting(lambda kernel, stride, dilation, jump: kernel * dilation * jump),
        counting(start=0),
        "Your field has the wrong size at its ends: one pixel is seen without any layer, and a kernel of k adds k − "
        "1 distances to it.",
    ),
    (
        counting(weights=lambda n_in, n_out, kernel, dilation: n_out * n_in * kernel**2),
        counting(weights=lambda n_in, n_out, kernel, dilation: n_out * (n_in + 1) * kernel**2),
        counting(weights=lambda n_in, n_out, kernel, dilation: n_out * n_in * kernel**2 + 1),
        "Your biases are missing, or you count others. Each output channel has one.",
    ),
    (
        counting(weights=lambda n_in, n_out, kernel, dilation: n_out * (kernel**2 + 1)),
        counting(weights=lambda n_in, n_out, kernel, dilation: n_out * (n_in * kernel + 1)),
        counting(weights=lambda n_in, n_out, kernel, dilation: n_out * (n_in * ((kernel - 1) * dilation + 1) ** 2 + 1)),
        counting(weights=lambda n_in, n_out, kernel, dilation: n_out * (n_in * (kernel * dilation) ** 2 + 1)),
        "Your kernels have another number of weights. A kernel has one weight for each channel that comes in and "
        "each of the k × k places that it reads, and none for the places that dilation skips.",
    ),
]

RECEPTIVE_FIELD = Exercise(
    id="07.11",
    points=3,
    answer_name="receptive_field",
    cases=lambda rng: discriminating_cases(lambda: sample_cases(rng), reference, MISTAKES),
    verify=lambda given, hidden, value, expected: close(value, expected, rtol=0.0, atol=0.0),
    misconceptions=hints_of(MISTAKES, returned_by),
    remarks=[
        (
            has_wrong(0),
            "The parameters are right, but the field is not. Go through the layers from the image on, and keep two "
            "numbers, the pixels that are seen, and how many pixels lie between two neighbouring units.",
        ),
        (
            has_wrong(1),
            "The field is right, but the parameters are not. Count them layer by layer: what comes into a layer are "
            "the channels that go out of the one before it, and strides and dilation play no part.",
        ),
    ],
)
