"""Predictions that a reader commits to before anything runs, and that are kept (see `utils.commitments`).

What a prediction asks, and what turned out, stands in the lesson's room: see `utils.pages`.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from utils.commitments import committed, entry_of, keep, note_seen, renumber, was_seen
from utils.environment import building, is_interactive
from utils.pages import Prediction, prediction

if TYPE_CHECKING:  # so that a prediction alone does not wait for matplotlib
    from matplotlib.figure import Figure

EACH_CHOICE = "Each choice"  # the summary of what is folded: all choices, what is said of each, which is right
# A choice takes as many lines as it needs; ipywidgets give each one line, and print the next over what is left.
CHOICES = (
    "<style>.course-choices .widget-radio-box label { display: flex; flex-direction: row-reverse; justify-content: "
    "flex-end; height: auto; line-height: 1.4; margin: 2px 0; white-space: normal; } .course-choices input { flex: "
    "none; } .course-row, .course-row .widget-radio-box { flex-direction: row; flex-wrap: wrap; height: auto; width: "
    "auto; } .course-row .widget-radio-box label { width: auto; margin-right: 14px; }</style>"
)
# On another evening Jupyter shows a saved page's widgets without a kernel: nothing hears a click then. It marks each.
ASLEEP = "Another evening? These buttons need a running kernel: run all cells above, and then this one."
ONLY_ASLEEP = (
    "<style>.widget-vbox .course-asleep { display: none; } .widget-vbox .course-asleep.jupyter-widgets-disconnected { "
    "display: flex; } .widget-vbox .widget-html.jupyter-widgets-disconnected::before { display: none; }</style>"
)
NOT_YET = "Commit to your prediction first. Then the answer appears here."
_waiting: dict[str, Callable[[], None]] = {}  # by key, what shows an answer that a reader waits for


def predict(key: str, *, choice: int | None = None) -> object:
    """Return buttons to commit to one of the room's choices, or commit to the ``choice``-th (from 1) without widgets.

    The first commitment counts: a later one does not replace it, and the reader is told so. Raises ValueError for a
    choice that is not one of 1 … len(choices), and UnknownKey for a prediction that nobody registered.
    """
    choices = prediction(key).choices
    renumber(key, choices)
    if choice is not None:
        if choice not in range(1, len(choices) + 1):
            raise ValueError(f"choice is {choice!r}. Choose a number from 1 to {len(choices)}.")
        return print(_commit(key, choices, choice))
    if not building():
        return _buttons(key, choices)
    print("Without buttons: predict(..., choice=2), say, commits to the second of these.")
    return print("\n".join(f"  {number}  {text}" for number, text in enumerate(choices, 1)))


def ask(*keys: str, together: bool = False) -> None:
    """Show these questions, the room's predictions that have one, each answered as soon as the reader has committed.

    With ``together``, the choices stand in rows, one button commits to all of them, and only then are they answered.
    The first commitment counts. A built page has each question with its choices, and the answer folded.
    Raises UnknownKey for a question that nobody registered.
    """
    questions = [_Answer(key, asked := prediction(key), "", _right(asked), None) for key in keys]
    for one in questions:
        renumber(one.key, one.asked.choices)
    if not is_interactive():
        return _show("".join(map(_unasked, questions)), "\n".join(one.asked.question for one in questions))
    import ipywidgets as widgets
    from IPython.display import display

    if together:
        return display(_in_rows(questions))
    parts = []
    for one in questions:
        said = widgets.HTML(one.page if entry_of(one.key) else "")

        def answer_it(one: _Answer = one, said: widgets.HTML = said) -> None:
            said.value = one.page

        buttons = _buttons(one.key, one.asked.choices, answer_it)
        parts += [widgets.HTML(_paragraph("", one.asked.question)), buttons, said]
    return display(widgets.VBox(parts, layout=widgets.Layout(max_width="100%")))


def _in_rows(questions: Sequence[_Answer]) -> object:
    """Return all questions, their choices in rows, with one button, which wants a choice in each row."""
    import ipywidgets as widgets

    rows, said, parts = [], [], []
    for one in questions:
        rows.append(row := widgets.RadioButtons(options=list(one.asked.choices), value=None))
        row.add_class("course-choices").add_class("course-row")
        said.append(answer := widgets.HTML())
        parts += [widgets.HTML(_paragraph("", one.asked.question)), row, answer]
    button, note = widgets.Button(description="Commit to all", button_style="primary"), widgets.HTML()

    def answer_all() -> None:
        for one, row, answer in zip(questions, rows, said, strict=True):
            number = committed(one.key)
            row.index = row.index if number is None else number - 1
            row.disabled, answer.value = True, one.page
        button.disabled = True

    def commit(_: object) -> None:
        missing = [str(number) for number, row in enumerate(rows, 1) if row.index is None]
        note.value = f"Choose one answer in each row first. Still missing: {', '.join(missing)}." if missing else ""
        if not missing:
            for one, row in zip(questions, rows, strict=True):
                _commit(one.key, one.asked.choices, row.index + 1)
            answer_all()

    button.on_click(commit)
    if all(committed(one.key) for one in questions):
        answer_all()
    return widgets.VBox(
        [*parts, button, note, asleep(), widgets.HTML(CHOICES)], layout=widgets.Layout(max_width="100%")
    )


def _unasked(question: _Answer) -> str:
    """Return a question as a built page has it."""
    choices = "".join(f"<li>{_escaped(choice)}</li>" for choice in question.asked.choices)
    answer = f"<details><summary>The answer</summary>{question.folded}</details>"
    return f"{_paragraph('', question.asked.question)}<ol>{choices}</ol>{answer}"


def reveal(key: str, *, figure: Figure | None = None, anyway: bool = False, **measured: Any) -> None:
    """Show the reader's prediction with what is to be said of it, the room's answer with what was ``measured``, and the
    figure.

    They are shown only to a reader who has committed or who says ``anyway``, by a button; that is remembered. In a
    built page they are folded: the answer, the figure, and all choices with their sentences and the right one marked.
    Raises UnknownKey for a prediction that nobody registered.
    """
    asked = prediction(key)
    right = _right(asked, **measured)
    found = _Answer(key, asked, asked.answer.format(**measured), right, None if figure is None else _drawn(figure, key))
    if building():
        page = f"<details><summary>The answer</summary>{_paragraph(found.text)}{found.folded}</details>"
        return _show(page, found.text)
    if anyway:
        note_seen(key)
    if anyway or entry_of(key) or was_seen(key) or not is_interactive():
        return _show(found.page, found.words)
    return _show_anyway(found)


def _right(asked: Prediction, **measured: Any) -> int:
    """Return the number of the choice that turned out true."""
    return asked.right(**measured) if callable(asked.right) else asked.right


@dataclass(frozen=True)
class _Answer:
    """What turned out: ``text`` says it, ``right`` numbers the right choice, ``picture`` is a PNG and its words."""

    key: str
    asked: Prediction
    text: str
    right: int
    picture: tuple[bytes, str] | None

    @property
    def said(self) -> list[tuple[str, str]]:
        """Return what a reader reads, in paragraphs: what stands bold before each, and the rest.

        First what was said and what is right, then why a wrong guess is tempting, then why the right choice is right.
        """
        number = entry_of(self.key).get("number")
        tempts = self._sentence(number) if number is not None and number != self.right else ""
        right, why = self.asked.choices[self.right - 1], self._sentence(self.right)
        if self.asked.question:  # the choices stand above, the reader's still marked
            if number == self.right:
                return [("Yes.", why)]
            said = [("No.", tempts)] if tempts else []
            return [*said, (f'The answer is "{right}".', why)]
        if tempts:
            return [(self._outcome, tempts), ("", why), ("", self.text)]
        return [(self._outcome, why), ("", self.text)]

    @property
    def _outcome(self) -> str:
        """Return in a line what the reader said, and what is right."""
        entry, right = entry_of(self.key), self.asked.choices[self.right - 1]
        if not entry:
            return f'The answer is "{right}".'
        said = f'You said "{entry["choice"]}"'
        if was_seen(self.key):
            return f'{said} after you had seen the answer, "{right}".'
        if self.right == entry.get("number"):
            return f"{said}, and that is the answer."
        return f'{said}. The answer is "{right}".'

    def _sentence(self, number: int) -> str:
        return self.asked.sentences[number - 1]

    @property
    def words(self) -> str:
        """Return all of it as text."""
        return "\n".join(f"{first} {rest}".strip() for first, rest in self.said)

    @property
    def page(self) -> str:
        """Return all of it as HTML."""
        said = "".join(_paragraph(rest, first) for first, rest in self.said)
        return said if self.asked.question else said + self.folded

    @property
    def folded(self) -> str:
        """Return the picture, and folded below it each choice with its sentence: data for a page without a kernel."""
        items = []
        for number, choice in enumerate(self.asked.choices, 1):
            begins = '<li data-right="yes">✓ ' if number == self.right else '<li data-right="no">'
            items.append(f"{begins}<b>{_escaped(choice)}</b> <span>{_escaped(self._sentence(number))}</span></li>")
        choices = f'<ol data-prediction="{self.key}">{"".join(items)}</ol>'
        return f"{_pictured(self.picture)}<details><summary>{EACH_CHOICE}</summary>{choices}</details>"


def _paragraph(text: str, first: str = "") -> str:
    bold = f"<b>{_escaped(first)}</b> " if first else ""
    parts = _escaped(text).split("\n\n")
    parts[0] = bold + parts[0]
    return "".join(f'<p style="white-space: normal; line-height: 1.5">{part}</p>' for part in parts)


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)


def _drawn(figure: Figure, key: str) -> tuple[bytes, str]:
    """Return the figure as PNG, and what it shows; it is closed, or the notebook would show it by itself."""
    from utils.figures import png, titled

    words = titled(figure, key)
    return png(figure), words


def _pictured(picture: tuple[bytes, str] | None) -> str:
    if picture is None:
        return ""
    from utils.figures import in_html

    return in_html(*picture)


def _show(page: str, text: str) -> None:
    from IPython.display import display

    display({"text/html": page, "text/plain": text}, raw=True)


def _show_anyway(found: _Answer) -> None:
    import ipywidgets as widgets
    from IPython.display import display

    # As wide as its words: Jupyter puts a sign before them while there is no kernel.
    button = widgets.Button(description="Show me anyway", layout=widgets.Layout(width="auto", align_self="flex-start"))
    said = widgets.HTML(NOT_YET)

    def show() -> None:
        said.value = found.page
        button.disabled = True

    def without(_: object) -> None:
        note_seen(found.key)
        show()

    button.on_click(without)
    _waiting[found.key] = show
    display(widgets.VBox([button, said], layout=widgets.Layout(max_width="100%")))


def _buttons(key: str, choices: Sequence[str], committed: Callable[[], None] | None = None) -> object:
    """Return the choices and a button; what is to be done after a commitment is done at once, or waits in a cell."""
    import ipywidgets as widgets

    answer = widgets.RadioButtons(options=list(choices), value=None, layout=widgets.Layout(width="auto"))
    answer.add_class("course-choices")
    button, said = widgets.Button(description="Commit", button_style="primary"), widgets.HTML()
    entry = entry_of(key)
    if entry:
        said.value = html.escape(f'You have committed to "{entry["choice"]}".', quote=False)
        button.disabled = answer.disabled = True

    def commit(_: object) -> None:
        chosen = answer.index
        said.value = "Choose first." if chosen is None else html.escape(_commit(key, choices, chosen + 1), quote=False)
        button.disabled = answer.disabled = chosen is not None
        if button.disabled and (answer_it := committed or _waiting.pop(key, None)):
            answer_it()

    button.on_click(commit)
    return widgets.VBox([answer, button, said, asleep(), widgets.HTML(CHOICES)])


def asleep() -> object:
    """Return the line for a reader who opens the page on another evening, which nobody else sees."""
    import ipywidgets as widgets

    line = widgets.HTML(f"<small>{ASLEEP}</small>{ONLY_ASLEEP}")
    line.add_class("course-asleep")
    return line


def _commit(key: str, choices: Sequence[str], number: int) -> str:
    """Return what is said of this commitment: kept, or not, because of an earlier one or of the folder."""
    text, entry = choices[number - 1], entry_of(key)
    if entry:
        also = "" if entry["choice"] == text else " Only the first commitment counts."
        return f'You have already committed to "{entry["choice"]}".{also}'
    kept = keep(key, choice=text, number=number, date=date.today().isoformat())
    lost = not kept and is_interactive()
    return f'You have committed to "{text}".' + (
        " It is not kept, because nothing can be written here." if lost else ""
    )
