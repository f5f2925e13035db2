"""What the capstone's three exercises share: how a network that was handed in is judged, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from utils.exercises.definition import Hint, Inputs
from utils.exercises.rules import Rule
from utils.lesson_08 import capstone
from utils.lesson_08.capstone import Refused
from utils.types import Array

Change = Callable[[Inputs, Array], Array]  # what a case does to inputs before the network sees them
LOOK = 1  # the seed of what hints are about; the grader's own seeds are larger
FORM = (
    'Return a pair: "relu" or "tanh", and a list of pairs (weight, bias), first layer first. A weight has the '
    "shape (units, inputs), a bias (units,), their numbers are real, each layer fits the one before it, and inputs "
    "and outputs are as many as the exercise says."
)
ACTIVATION = 'The activation is one text, "relu" or "tanh", in small letters: nothing else, and the same in all layers.'
DEPTH = f"There are too many layers, or none: at most {capstone.DEEPEST} hidden ones and the last are allowed."
ENTRIES = (
    f"An entry is nan, infinite or larger than {capstone.LARGEST:g} in size: no weight may be so large that it "
    "could hold a table."
)
BUDGET = (
    "The network does what is asked, but with more parameters than all points allow. Weights and biases count, "
    "each entry, zeros as well."
)


def new_seed(rng: np.random.Generator) -> int:
    """Return a seed of what a network is judged on."""
    return int(rng.integers(10**6, 2**53))


@dataclass(frozen=True)
class Judge:
    """The judge of one target, ``name``, whose cases may change the inputs."""

    name: str
    change: Change = lambda given, X: X

    @property
    def target(self) -> capstone.Target:
        """Return what is to be reached."""
        return capstone.TARGETS[self.name]

    def seen(self, given: Inputs, value: Any, seed: int = LOOK) -> capstone.Judged:
        """Return what the judge says of a value; raises Refused."""
        return capstone.judged(value, self.name, seed, lambda X: self.change(given, X))

    def verify(self, given: Inputs, hidden: int, value: Any, expected: Any) -> float:
        """Return the share of the points, on what the hidden seed draws."""
        return self.seen(given, value, hidden).share

    def wanted(self, given: Inputs, expected: Any) -> str:
        """Return in words what is wanted."""
        target = self.target
        error = "relative error" if target.relative else "share missed"
        return (
            f"(activation, layers) of a network from {target.n_in} inputs to {target.n_out}, of at most "
            f"{target.full} parameters ({target.half} for half of the points), with a {error} of at most "
            f"{target.goal:g}"
        )

    def explain(self, given: Inputs, value: Any, expected: Any) -> str:
        """Say which rule is broken, or how many parameters there are and what is missed."""
        try:
            found = self.seen(given, value)
        except Refused as error:
            return str(error)
        return (
            f"{found.parameters} parameters; on points drawn for this message the share missed is "
            f"{found.error:.3f}, and {self.target.goal:g} is allowed."
        )

    def remarks(self, *more: Hint, too_large: Rule | None = None) -> list[Hint]:
        """Return what is said of a value that breaks a rule or is too large, and ``more``."""
        return [
            (self.breaks("form", "sizes"), FORM),
            (self.breaks("activation"), ACTIVATION),
            (self.breaks("depth"), DEPTH),
            (self.breaks("entries"), ENTRIES),
            (too_large or self.is_too_large, BUDGET),
            *more,
        ]

    def breaks(self, *kinds: str) -> Rule:
        """Return a rule: the judge refuses the value, for a reason of one of these kinds."""

        def matches(given: Inputs, value: Any, expected: Any) -> bool:
            try:
                capstone.read(value, self.target.n_in, self.target.n_out)
            except Refused as error:
                return error.kind in kinds
            return False

        return matches

    def is_too_large(self, given: Inputs, value: Any, expected: Any) -> bool:
        """Return whether the network has the error that is wanted, and too many parameters."""
        try:
            found = self.seen(given, value)
        except Refused as error:
            return error.kind == "budget"
        return found.error <= self.target.goal and found.parameters > self.target.full

    def misses(self, given: Inputs, value: Any) -> bool:
        """Return whether the network is within the rules, and its error is not within the goal."""
        return self.seen(given, value).error > self.target.goal
