"""How far a marking has come, and how long it will take."""

from __future__ import annotations

import sys
import time

SECONDS_BETWEEN_LINES = 15


class Progress:
    """A bar with the time left, estimated from the steps that took time: of a student who is kept, none does.

    Where nobody watches, such as in a log file, there is a line now and then instead.
    """

    def __init__(self, total: int) -> None:
        self._total = self._left = total
        self._marked = 0
        self._started = self._said = time.monotonic()
        self._bar = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            form = "{desc}{percentage:3.0f}%|{bar}|{postfix}"
            self._bar = tqdm(total=total, dynamic_ncols=True, bar_format=form)

    def step(self, marked: bool) -> None:
        """Count one step more, two of which make a student; ``marked``: whether anything had to be run."""
        self._left -= 1
        self._marked += marked
        now, time_left = time.monotonic(), ""
        if self._marked and self._left:
            time_left = f"at most {_in_words((now - self._started) / self._marked * self._left)} left"
        if self._bar is not None:
            self._bar.set_postfix_str(time_left, refresh=False)
            self._bar.update()
        elif time_left and now - self._said > SECONDS_BETWEEN_LINES:
            self._said = now
            print(f"{1 - self._left / self._total:.0%} done, {time_left}", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
