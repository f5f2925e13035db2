"""How far a marking has come, and how long it will take."""

from __future__ import annotations

import time

from tqdm import tqdm


class Progress:
    """A bar with the time left, estimated from those who were really marked: what is kept takes no time."""

    def __init__(self, total: int) -> None:
        self._left = total
        self._marked = 0
        self._started = time.monotonic()
        form = "{desc}{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} students{postfix}"
        # None: no bar where nobody watches, such as in a log file.
        self._bar = tqdm(total=total, disable=None, dynamic_ncols=True, bar_format=form)

    def step(self, marked: bool) -> None:
        """Count one student more; ``marked``: whether anything of theirs had to be run."""
        self._left -= 1
        self._marked += marked
        if self._marked and self._left:
            seconds = (time.monotonic() - self._started) / self._marked * self._left
            self._bar.set_postfix_str(f"at most {_in_words(seconds)} left", refresh=False)
        else:
            self._bar.set_postfix_str("", refresh=False)
        self._bar.update()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()


def _in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
