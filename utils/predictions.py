"""Predictions that a reader commits to before anything runs; they stay in a file beside the notebook."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from utils import _kept
from utils.environment import building, somebody_reads


def predict(key: str, choices: Sequence[str], choice: int | None = None) -> object:
    """Return buttons to commit to one of ``choices``, or commit to the ``choice``-th (from 1) without widgets.

    The first commitment counts: a later one does not replace it, and is told so. Raises ValueError for a
    choice that is not one of 1 … len(choices).
    """
    _renumber(key, choices)
    if choice is not None:
        if choice not in range(1, len(choices) + 1):
            raise ValueError(f"choice is {choice!r}; a number from 1 to {len(choices)} is wanted")
        return print(_commit(key, choices, choice))
    print("Without buttons: predict(..., choice=2), say, commits to the second of these.")
    if not building():
        return _buttons(key, choices)
    # in a built page, where there are no buttons to read them from
    return print("\n".join(f"  {number}  {text}" for number, text in enumerate(choices, 1)))


def reveal(key: str, answer: str, right: int | None = None) -> None:
    """Print the reader's prediction beside what was measured or proved.

    right: the number, from 1, of the choice that turned out true; then it also says whether that was the one
    predicted, where this is known. Raises ValueError for a number that cannot be one.
    """
    if right is not None and right < 1:
        raise ValueError(f"right is {right!r}; the number of a choice is wanted, from 1")
    entry = _entry(key)
    print(f"You predicted: {entry['choice']}" if entry else "You had not committed to a prediction.")
    print(f"Answer:        {answer}")
    if entry and right is not None and entry.get("number") is not None:
        print("That is what you predicted." if entry["number"] == right else "That is not what you predicted.")


def _buttons(key: str, choices: Sequence[str]) -> object:
    import ipywidgets as widgets

    answer = widgets.RadioButtons(options=list(choices), value=None, layout=widgets.Layout(width="auto"))
    button, said = widgets.Button(description="Commit", button_style="primary"), widgets.HTML()
    entry = _entry(key)
    if entry:
        said.value = html.escape(f"You are committed to: {entry['choice']}.", quote=False)
        button.disabled = answer.disabled = True

    def commit(_: object) -> None:
        chosen = answer.index
        said.value = "Choose first." if chosen is None else html.escape(_commit(key, choices, chosen + 1), quote=False)
        button.disabled = answer.disabled = chosen is not None

    button.on_click(commit)
    return widgets.VBox([answer, button, said])


def _commit(key: str, choices: Sequence[str], number: int) -> str:
    """Return what is said of this commitment: kept, or not, because of an earlier one or of the folder."""
    text, entry = choices[number - 1], _entry(key)
    if entry:
        also = "" if entry["choice"] == text else " The first commitment counts."
        return f"You are committed to: {entry['choice']}.{also}"
    kept = _keep(key, text, number, date.today().isoformat())
    lost = not kept and somebody_reads()
    return f"Committed to: {text}" + (" (not kept: nothing can be written here)" if lost else "")


def _keep(key: str, text: str, number: int | None, when: str | None) -> bool:
    entry = {"choice": text, "number": number, "date": when}
    return _kept.write(_kept.PREDICTIONS, {**_kept.read(_kept.PREDICTIONS), key: entry})


def _entry(key: str) -> Mapping[str, Any]:
    """Return what was committed to: "choice", its text, and "number" where it is known; nothing for no commitment.

    The first version of the course kept the text alone.
    """
    entry = _kept.read(_kept.PREDICTIONS).get(key)
    if isinstance(entry, str):
        return {"choice": entry}
    return entry if isinstance(entry, Mapping) and isinstance(entry.get("choice"), str) else {}


def _renumber(key: str, choices: Sequence[str]) -> None:
    """Number a commitment by the choices as they stand now: what is kept may be of another version of the lesson."""
    entry = _entry(key)
    number = choices.index(entry["choice"]) + 1 if entry and entry["choice"] in choices else None
    if entry and entry.get("number") != number:
        _keep(key, entry["choice"], number, entry.get("date"))
