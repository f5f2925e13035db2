"""Many pieces of work, some at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

Work = TypeVar("Work")
Done = TypeVar("Done")


def in_parallel(
    pool: ThreadPoolExecutor, workers: int, work: Iterator[Work], task: Callable[[Work], Done]
) -> Iterator[tuple[Work, Done]]:
    """Yield each piece of work with what ``task`` made of it, as they are done.

    ``workers`` run and one more waits each, so that memory does not grow with their number.
    """
    running: dict[Future, Work] = {}
    while True:
        for one in islice(work, 2 * workers - len(running)):
            running[pool.submit(task, one)] = one
        if not running:
            return
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            yield running.pop(future), future.result()
