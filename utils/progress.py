"""A bar for anyone who waits; nothing of it is left when all is done, not even on a saved page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tqdm.auto
import tqdm.notebook

from utils.environment import is_interactive

SECONDS = 0.5  # what is done within them needs no bar


def bar(things: Iterable | None = None, **options: Any) -> Any:
    """Return tqdm's bar over these things, with its options; it shows nothing where a build or a test runs."""
    kind = _InNotebook if issubclass(tqdm.auto.tqdm, tqdm.notebook.tqdm_notebook) else tqdm.auto.tqdm
    shown = {} if is_interactive() else {"disable": True}  # where nothing is said, TQDM_DISABLE may
    return kind(things, **{"leave": False, "delay": SECONDS, **shown, **options})


class _InNotebook(tqdm.notebook.tqdm_notebook):
    """tqdm's bar for notebooks, which takes back its output.

    tqdm closes its widget alone. A page that is saved then still names it, and says on another evening "Error
    displaying widget: model not found".
    """

    displayed: bool  # as tqdm has it
    _place: Any = None

    def display(self, *args: Any, close: bool = False, check_delay: bool = True, **options: Any) -> None:
        """Show the bar once it has taken long enough, bring it up to date, or take it away."""
        from IPython.display import display

        if check_delay and not close and not self.displayed:
            self._place = display(self.container, display_id=True)
            self.displayed = True
        super().display(*args, close=close, check_delay=False, **options)
        if close and self._place is not None:
            self._place.update({"text/plain": ""}, raw=True)
