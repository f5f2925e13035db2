"""What the rooms say of their pages: figures' titles and words, predictions' choices and answers, and blanks.

A page names them by key, such as "01.ramps": what gives an answer away stands in the room, not in the page's source. A
room registers them when it is imported, which the page's set-up does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

KEY = re.compile(r"\d\d[a-z]?\.[a-z0-9]+(-[a-z0-9]+)*")
Entry = TypeVar("Entry")


class UnknownKey(LookupError):
    """A figure, a prediction or a blank that no room has registered."""


@dataclass(frozen=True)
class FigureText:
    """What is said of a figure: ``title``, its message, drawn above it, and ``alt``, what it shows."""

    title: str
    alt: str


@dataclass(frozen=True)
class Prediction:
    """The choices of a prediction, and its ``answer``, with {names} in it for what the page has measured.

    What is predicted stands in the page above it; a question about the lesson before brings its own ``question``, and
    has no answer beyond its sentences.

    ``choices`` are given with a sentence for each, and kept as two sequences, ``choices`` and ``sentences``. A sentence
    says why its choice tempts, and what it overlooks, or why it is right; it is true whatever is measured. ``right`` is
    the number, from 1, of the choice that turns out true, or what gives it from what was measured.

    Raises ValueError for fewer than two choices, for one without a sentence, and for a number that is none of theirs.
    """

    choices: Sequence[str]
    answer: str
    right: int | Callable[..., int]
    question: str
    sentences: Sequence[str]

    def __init__(
        self, choices: Mapping[str, str], answer: str, right: int | Callable[..., int], question: str = ""
    ) -> None:
        sentences = tuple(choices.values())
        # into its dictionary, since a frozen instance takes no assignment
        vars(self).update(choices=tuple(choices), answer=answer, right=right, question=question, sentences=sentences)
        if not all(self.sentences):
            raise ValueError(f"a prediction with the choices {list(self.choices)} needs a sentence for each")
        if len(self.choices) < 2:
            raise ValueError(f"a prediction with the choices {list(self.choices)} needs at least two")
        if not callable(self.right) and self.right not in range(1, len(self.choices) + 1):
            raise ValueError(f"right is {self.right!r}. Give a number from 1 to {len(self.choices)}.")


def described(key: str, title: str, alt: str | None = None) -> Callable[[Callable], Callable]:
    """Return what registers the text of the figure that a function draws: its title, and as ``alt`` its docstring.

    That is no docstring any more then: the help that a notebook shows for a call would answer the page's prediction.
    Raises ValueError for a function that has no docstring, where no ``alt`` is given either.
    """

    def registered(draw: Callable) -> Callable:
        shows = draw.__doc__ if alt is None else alt
        if shows is None:
            raise ValueError(
                f'the figure "{key}" has neither alt nor a docstring; a sentence on what it shows is wanted'
            )
        register({}, {key: FigureText(title, shows)})
        if alt is None:
            draw.__doc__ = f'Draw the figure "{key}".'
        return draw

    return registered


figures: dict[str, FigureText] = {}  # by key, as are the predictions
predictions: dict[str, Prediction] = {}
blanks: dict[str, Any] = {}  # each a `utils.exercises.blanks.Blank`


def register(
    of_predictions: Mapping[str, Prediction],
    of_figures: Mapping[str, FigureText] | None = None,
    of_blanks: Mapping[str, Any] | None = None,
) -> None:
    """Make predictions, figures and blanks known by their keys, in place of what was known by these.

    Raises ValueError for a key that is not of the form NN.words, such as "01.ramps" or "01a.bumps".
    """
    for key in (*of_predictions, *(of_figures or {}), *(of_blanks or {})):
        if not KEY.fullmatch(key):
            raise ValueError(f'the key {key!r} is not of the form NN.words, such as "01.ramps"')
    figures.update(of_figures or {})
    predictions.update(of_predictions)
    blanks.update(of_blanks or {})


def figure_text(key: str) -> FigureText:
    """Return what is said of a figure; raises UnknownKey."""
    return _known(figures, key, "figure")


def prediction(key: str) -> Prediction:
    """Return a prediction; raises UnknownKey."""
    return _known(predictions, key, "prediction")


def blank(key: str) -> Any:
    """Return a blank; raises UnknownKey."""
    return _known(blanks, key, "blank")


def _known(table: Mapping[str, Entry], key: str, what: str) -> Entry:
    if key not in table:
        there = ", ".join(name for name in table if name[:2] == key[:2]) or "none yet: run the set-up cells first"
        raise UnknownKey(f'There is no {what} "{key}"; lesson {key[:2]} has {there}.')
    return table[key]
