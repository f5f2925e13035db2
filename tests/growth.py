"""How fast the time that something takes grows with its size: measured against itself, so on any machine."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

FACTOR, ROUNDS = 16, 5


def exponent(do: Callable[[Any], object], make: Callable[[int], Any], size: int) -> float:
    """Return the power of the size by which the CPU time of ``do(make(size))`` grows: about 1 where it is linear.

    The shortest of several times counts, for a small input and one of FACTOR times its size in turns. So 1.5, between
    what is linear and what is quadratic, is passed by chance only where all of the long ones take four times too long.
    """
    shortest = [math.inf, math.inf]
    for _ in range(ROUNDS):
        for at, n in enumerate((size, FACTOR * size)):
            made = make(n)
            started = time.thread_time()
            do(made)
            shortest[at] = min(shortest[at], time.thread_time() - started)
    return math.log(shortest[1] / shortest[0], FACTOR)
