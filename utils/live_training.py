"""A training to watch: the picture changes while it runs, and the notebook answers meanwhile.

Whatever can be run in slices can be watched (`Watchable`). A slice is trained and drawn in one turn; then the page
is asked for the next turn, and its answer takes its place among the reader's moves, clicks and cells, which the
kernel handles in between. So pictures come no faster than the page takes them, and they come in answer to a message,
which Colab asks for (see `utils.widgets`). A page that does not answer is not waited for longer than PATIENCE.
"""

from __future__ import annotations

import asyncio
import html
import math
from collections.abc import Callable
from typing import ClassVar, Protocol

import ipywidgets as widgets
from matplotlib.figure import Figure

from utils.training import Trainer
from utils.widgets import Picture, beside, drawing_lock, laid_out, values_of

SLICE_SECONDS = 0.03  # with a picture of twice that, a click waits a tenth of a second at most
PATIENCE = 1.0  # seconds; a page across the world answers in less


class Watchable(Protocol):
    """What can be trained in slices."""

    @property
    def done(self) -> bool:
        """Return whether there is nothing left to train."""

    def run(self, *, seconds: float) -> None:
        """Train for about that long, or less where there is something new to see."""


class Paced:
    """A Trainer that stops for a picture after ever more epochs, each time by the share ``growth`` more.

    So the first epochs, in which most happens, can be seen one by one, and thousands pass in seconds.
    """

    def __init__(self, trainer: Trainer, growth: float = 0.08):
        self.trainer, self.growth = trainer, growth

    @property
    def done(self) -> bool:
        """Return whether all epochs are over, or all models have diverged."""
        return self.trainer.done

    @property
    def epochs(self) -> int:
        """Return how many epochs were trained."""
        return self.trainer.histories[0].steps // self.trainer.plan.steps_per_epoch

    def run(self, *, seconds: float) -> None:
        """Train until the next picture, or until the seconds are over."""
        self.trainer.run(max(1, math.ceil(self.growth * self.epochs)), seconds=seconds)


def live_training(
    make: Callable[..., Watchable], draw: Callable[..., tuple[Figure, str]], **controls: widgets.Widget
) -> widgets.VBox:
    """Return the controls, two buttons, and the picture of what ``make(**values)`` trains.

    ``draw(trained, **values)`` returns a figure and a sentence, before the training, during and after it; neither
    function needs a widget to be tested. Start trains, Stop stops, and Start goes on from there; after the end it
    begins anew. A change of a control begins anew with the new values, and trains on if it did before. Only one
    training runs in a kernel: another one's start, or this cell run again, stops it. Where nothing could come in
    meanwhile, outside of an event loop, Start trains to the end.
    """
    return LiveTraining(make, draw, **controls).box


class LiveTraining:
    """What `live_training` shows, and whether it is training."""

    _training: ClassVar[LiveTraining | None] = None  # two at a time would share the cores, and both would crawl

    def __init__(
        self, make: Callable[..., Watchable], draw: Callable[..., tuple[Figure, str]], **controls: widgets.Widget
    ):
        self._make, self._draw = make, draw
        self._turns = Turns(self._turn)
        self._picture = Picture()
        self.start_button, self.stop_button = (widgets.Button(description=name) for name in ("Start", "Stop"))
        rows, self._inputs = laid_out(controls)
        buttons = widgets.HBox([self.start_button, self.stop_button])
        self.box = beside(self._picture, *rows, buttons)
        self._take_over(None)
        self._begin()
        self._make_ready()
        self._listen()

    @property
    def training(self) -> bool:
        """Return whether it is training."""
        return LiveTraining._training is self

    def start(self) -> None:
        """Train, from where it was stopped; does nothing while it is training."""
        self._take_over(self)
        if self.trained is None or self.trained.done:
            self._guarded(self._begin)
        if self.training and not self._turns.ask():
            while self.training:
                self._guarded(self._slice)

    def stop(self) -> None:
        """Stop training."""
        if self.training:
            self._take_over(None)

    def _listen(self) -> None:
        self.start_button.on_click(lambda _: self.start())
        self.stop_button.on_click(lambda _: self.stop())
        self._show_state()
        for control in self._inputs.values():
            control.observe(lambda _: self._guarded(self._begin), names="value")
        self.box.observe(lambda change: self.stop() if change["new"] is None else None, names="comm")  # it was closed
        # Pages count where it is to be seen, if they are asked to: its output may have been deleted.
        self.box._view_count = 0
        self.box.observe(lambda change: None if change["new"] else self.stop(), names="_view_count")

    @staticmethod
    def _take_over(one: LiveTraining | None) -> None:
        """Stop whichever is training; from now on it is ``one``."""
        before, LiveTraining._training = LiveTraining._training, one
        for live in (before, one):
            if live is not None:
                live._turns.cancel()
                live._show_state()

    def _show_state(self) -> None:
        self.start_button.disabled, self.stop_button.disabled = self.training, not self.training

    def _begin(self) -> None:
        self.trained = None
        self.trained = self._make(**values_of(self._inputs))
        self._show()

    def _make_ready(self) -> None:
        """Compile in the cell what training needs, where the reader is told so, and not at the first click."""
        self._make(**values_of(self._inputs)).run(seconds=0.0)

    def _show(self) -> None:
        with drawing_lock():
            self._picture.show(*self._draw(self.trained, **values_of(self._inputs)))

    def _turn(self) -> None:
        self._guarded(self._slice)
        if self.training:
            self._turns.ask()

    def _slice(self) -> None:
        assert self.trained is not None  # or there would be no turn
        self.trained.run(seconds=SLICE_SECONDS)
        self._show()
        if self.trained.done:
            self.stop()

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do the work; an error in it ends the training and is shown."""
        try:
            work()
        except Exception as error:
            self.trained = None
            self.stop()
            text = html.escape(f"{type(error).__name__}: {error}")
            self._picture.sentence.value = f"<b>An error ended the training.</b> {text}"
        except BaseException:  # an interrupt of the kernel
            self.stop()
            raise


class Turns:
    """The next turn, when the page has answered."""

    def __init__(self, turn: Callable[[], None]):
        self._turn = turn
        self._timer: asyncio.TimerHandle | None = None
        self._question, self._answer = widgets.IntText(), widgets.IntText()
        # Done by the page: it sends the question back.
        self._link = widgets.jslink((self._question, "value"), (self._answer, "value"))
        self._answer.observe(lambda _: self._due(), names="value")

    def ask(self) -> bool:
        """Return whether there will be a turn: not outside of an event loop, where nothing can come in meanwhile."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return False
        self._timer = loop.call_later(PATIENCE, self._due)
        if self._answer.value == self._question.value:  # else the page still has one to answer
            self._question.value += 1
        return True

    def cancel(self) -> None:
        """Take back what was asked for: there will be no turn until it is asked for again."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _due(self) -> None:
        if self._timer is not None:
            self.cancel()
            self._turn()
