"""Side-by-side figures: python -m benchmarks NAME."""

import statistics
import time
from collections.abc import Callable
from typing import Any


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that a call took, and what it returned."""
    start = time.perf_counter()
    value = call()
    return time.perf_counter() - start, value


def spread(values: list[float]) -> dict[str, float]:
    """Return the median and the extremes."""
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}
