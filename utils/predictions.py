"""Predictions that a reader commits to before anything runs; they stay in a file beside the notebook.

What a prediction asks, and what turned out, stands in the lesson's room: see `utils.pages`.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from utils import local_storage
from utils.environment import building, is_interactive
from utils.pages import prediction

if TYPE_CHECKING:  # so that a prediction alone does not wait for matplotlib
    from matplotlib.figure import Figure

NOT_YET = "Commit to your prediction first; the answer comes here then."
_waiting: dict[str, Callable[[], None]] = {}  # by key, what shows an answer that a reader waits for


def predict(key: str, *, choice: int | None = None) -> object:
    """Return buttons to commit to one of the room's choices, or commit to the ``choice``-th (from 1) without widgets.

    The first commitment counts: a later one does not replace it, and is told so. Raises ValueError for a choice that
    is not one of 1 … len(choices), and UnknownKey for a prediction that nobody registered.
    """
    choices = prediction(key).choices
    _renumber(key, choices)
    if choice is not None:
        if choice not in range(1, len(choices) + 1):
            raise ValueError(f"choice is {choice!r}; a number from 1 to {len(choices)} is wanted")
        return print(_commit(key, choices, choice))
    if not building():
        return _buttons(key, choices)
    print("Without buttons: predict(..., choice=2), say, commits to the second of these.")
    return print("\n".join(f"  {number}  {text}" for number, text in enumerate(choices, 1)))


def reveal(key: str, *, figure: Figure | None = None, anyway: bool = False, **measured: Any) -> object:
    """Show the reader's prediction beside the room's answer, with what was ``measured`` filled in, and the figure.

    Both are shown only to who has committed, or says ``anyway``, by a button; a built page has them folded. Raises
    UnknownKey for a prediction that nobody registered.
    """
    asked = prediction(key)
    answer = asked.answer.format(**measured)
    right = asked.right(**measured) if callable(asked.right) else asked.right
    picture = None if figure is None else _drawn(figure, key)
    if building():
        return _show(f"<details><summary>The answer</summary>{_in_html(answer, picture)}</details>", answer)
    if anyway or _entry(key) or not is_interactive():
        print(_resolved(key, answer, right))
        return None if picture is None else _show(_in_html("", picture), picture[1])
    return _show_anyway(key, answer, right, picture)


def _resolved(key: str, answer: str, right: int) -> str:
    entry = _entry(key)
    lines = [f"You predicted: {entry['choice']}" if entry else "You had not committed to a prediction."]
    # JupyterLab breaks a printed line that is too long in the middle of a word
    lines.append(textwrap.fill(f"Answer:        {answer}", 78, subsequent_indent=" " * 15, break_on_hyphens=False))
    if entry and entry.get("number") is not None:
        lines.append("That is what you predicted." if entry["number"] == right else "That is not what you predicted.")
    return "\n".join(lines)


def _drawn(figure: Figure, key: str) -> tuple[bytes, str]:
    """Return the figure as PNG, and what it shows; it is closed, or the notebook would show it by itself."""
    from utils.figures import png, titled

    words = titled(figure, key)
    return png(figure), words


def _in_html(answer: str, picture: tuple[bytes, str] | None) -> str:
    parts = [f"<p>{html.escape(answer, quote=False)}</p>"] if answer else []
    if picture:
        from utils.figures import in_html

        parts.append(in_html(*picture))
    return "".join(parts)


def _show(page: str, text: str) -> None:
    from IPython.display import display

    display({"text/html": page, "text/plain": text}, raw=True)


def _show_anyway(key: str, answer: str, right: int, picture: tuple[bytes, str] | None) -> object:
    import ipywidgets as widgets

    button, said = widgets.Button(description="Show me anyway"), widgets.HTML(NOT_YET)

    def show(_: object = None) -> None:
        lines = html.escape(_resolved(key, answer, right), quote=False).replace("\n", "<br>")
        said.value = f'<p style="white-space: normal">{lines}</p>{_in_html("", picture)}'
        button.disabled = True

    button.on_click(show)
    _waiting[key] = show
    return widgets.VBox([button, said], layout=widgets.Layout(max_width="100%"))


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
        if button.disabled and key in _waiting:
            _waiting.pop(key)()

    button.on_click(commit)
    return widgets.VBox([answer, button, said])


def _commit(key: str, choices: Sequence[str], number: int) -> str:
    """Return what is said of this commitment: kept, or not, because of an earlier one or of the folder."""
    text, entry = choices[number - 1], _entry(key)
    if entry:
        also = "" if entry["choice"] == text else " The first commitment counts."
        return f"You are committed to: {entry['choice']}.{also}"
    kept = _keep(key, text, number, date.today().isoformat())
    lost = not kept and is_interactive()
    return f"Committed to: {text}" + (" (not kept: nothing can be written here)" if lost else "")


def _keep(key: str, text: str, number: int | None, when: str | None) -> bool:
    entry = {"choice": text, "number": number, "date": when}
    return local_storage.write(local_storage.PREDICTIONS, {**local_storage.read(local_storage.PREDICTIONS), key: entry})


def _entry(key: str) -> Mapping[str, Any]:
    """Return what was committed to: "choice", its text, and "number" where it is known; nothing for no commitment.

    The first version of the course kept the text alone.
    """
    entry = local_storage.read(local_storage.PREDICTIONS).get(key)
    if isinstance(entry, str):
        return {"choice": entry}
    return entry if isinstance(entry, Mapping) and isinstance(entry.get("choice"), str) else {}


def _renumber(key: str, choices: Sequence[str]) -> None:
    """Number a commitment by the choices as they stand now: what is kept may be of another version of the lesson."""
    entry = _entry(key)
    number = choices.index(entry["choice"]) + 1 if entry and entry["choice"] in choices else None
    if entry and entry.get("number") != number:
        _keep(key, entry["choice"], number, entry.get("date"))
