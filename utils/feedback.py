"""What a reader says of a section and answers in their own words, and the one file of all that is kept, to take along.

Nothing is sent anywhere.
"""

from __future__ import annotations

import html
import os
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from utils import local_storage
from utils.checks import one_of
from utils.environment import building, is_interactive
from utils.predictions import asleep

CLEAR = ("clear", "partly", "not clear")
TAKE_IN = "from utils.feedback import upload; upload()"
NOTHING_TAKEN_IN = "Nothing was added, and what is kept here stays as it was."
SAVE = (
    "The notebook itself keeps what you typed and changed, once you save it. In Colab, choose File, Save a copy in "
    "Drive: Colab erases everything else when you leave. Elsewhere, choose File, Save."
)
TO_TEACHERS = (
    "Keep this file if you work alone: it takes your progress to another machine. In a class, you can hand it in along "
    "with a notebook. It shows your teacher which predictions fooled the class, and brings no points."
)


def feedback(key: str, clear: str | None = None, text: str = "") -> object:
    """Return buttons to say whether a section was clear, with a line of text; with ``clear``, keep that at once.

    clear: "clear", "partly" or "not clear". A second word on a section is kept beside the first.
    Raises ValueError for any other ``clear``, and for text without it.
    """
    if clear is not None or text:
        return print(_keep_feedback(key, one_of("clear", clear, CLEAR), text))
    if not building():
        return _buttons(key)
    return print(f'Without buttons: feedback("{key}", clear="partly", text="…") keeps it in {local_storage.NAME}.')


def own_words(key: str, text: str = "") -> object:
    """Return an area in which the reader writes an answer, with what they kept of it; with ``text``, keep that at once.

    What is kept later replaces what was kept before.
    """
    if text:
        return print(_keep_words(key, text))
    if not building():
        return _area(key)
    return print(f'Without buttons: own_words("{key}", "…") keeps it in {local_storage.NAME}.')


def download() -> None:
    """Say how to save the notebook, and hand the file of all that is kept to the browser, or say where it lies."""
    print(SAVE)
    if not is_interactive() or not local_storage.path().exists():
        return print("There is nothing to download yet: no prediction, no feedback, no points.")
    print(
        f"{local_storage.NAME} holds your predictions, blanks, points, feedback and answers in your own words, from "
        "all pages on this machine."
    )
    print(TO_TEACHERS)
    try:
        from google.colab import files
    except ImportError:
        print(f"It lies at {local_storage.path()}")
        return _show_link()
    print(f"In Colab each page has a machine of its own. On the next page, run this first: {TAKE_IN}")
    return files.download(str(local_storage.path()))


def upload(file: str | os.PathLike | None = None) -> None:
    """Add what ``download()`` gave on another machine to what is kept here; in Colab the browser asks for the file.

    Of two commitments, the one made here counts; of two numbers of points, the larger. Nothing that is kept is lost.
    """
    try:
        content = _from_browser() if file is None else Path(file).read_bytes()
        other = local_storage.parse(content)
        taken_in = local_storage.change(lambda kept: _joined(kept, other))
    except OSError as error:
        return print(f"{file} cannot be read ({error.strerror}). {NOTHING_TAKEN_IN}")
    except (LookupError, TypeError, ValueError):  # nothing chosen, or entries of another kind
        return print(f"That is not a {local_storage.NAME} from download(). {NOTHING_TAKEN_IN}")
    except ImportError:
        return print(f'Say where the file lies, such as upload("{local_storage.NAME}") if it is beside this notebook.')
    if not taken_in:
        return print(f"Nothing can be written here. {NOTHING_TAKEN_IN}")
    counts = ", ".join(f"{kind}: {len(local_storage.read(kind))}" for kind in local_storage.KINDS)
    return print(f"Added. The numbers of entries kept here are now: {counts}.")


def _from_browser() -> bytes:
    """Return the file that a reader in Colab chooses; raises ImportError elsewhere, LookupError where none is."""
    from google.colab import files

    return list(files.upload().values())[0]


def _joined(kept: Mapping[str, Mapping], other: Mapping[str, Mapping]) -> dict[str, dict]:
    """Return both, by kind and key."""
    joined = {kind: {**other.get(kind, {}), **kept.get(kind, {})} for kind in {**other, **kept}}
    both = [(kind, key) for kind, entries in other.items() for key in entries if key in kept.get(kind, {})]
    for kind, key in both:
        theirs, ours = other[kind][key], kept[kind][key]
        if kind == local_storage.FEEDBACK:
            joined[kind][key] = [*ours, *(one for one in theirs if one not in ours)]
        elif kind == local_storage.POINTS:
            joined[kind][key] = max(ours, theirs, key=lambda one: one["points"])
        else:
            joined[kind][key] = {**theirs, **ours}
    return joined


def _show_link() -> None:
    """Display a link in a notebook; relative, since JupyterLab and the classic Notebook look beside the notebook."""
    from IPython import get_ipython
    from IPython.display import HTML, display

    if get_ipython() is not None:
        name, where = local_storage.NAME, Path(os.path.relpath(local_storage.path())).as_posix()
        display(HTML(f'<a href="{where}" download="{name}">Download {name}</a>'))


def _buttons(key: str) -> object:
    import ipywidgets as widgets

    answer = widgets.ToggleButtons(options=CLEAR, value=None)
    line = widgets.Text(placeholder="What was missing, or what helped?", layout=widgets.Layout(width="34em"))
    button, said = widgets.Button(description="Keep", button_style="primary"), widgets.HTML()

    def keep(_: object) -> None:
        if answer.value is None:
            said.value = "Choose first."
            return
        said.value = html.escape(_keep_feedback(key, answer.value, line.value), quote=False)
        answer.value, line.value = None, ""  # so that a second click does not keep the same again

    button.on_click(keep)
    return widgets.VBox([answer, line, button, said, asleep()])


def _keep_feedback(key: str, clear: str, text: str) -> str:
    """Return what is said of this feedback: where it is kept, or that it cannot be."""
    before = local_storage.read(local_storage.FEEDBACK).get(key, [])
    entry = {"date": date.today().isoformat(), "clear": clear, "text": " ".join(text.split())}
    return _keep(local_storage.FEEDBACK, key, [*(before if isinstance(before, list) else [before]), entry])


def _area(key: str) -> object:
    import ipywidgets as widgets

    entry = local_storage.read(local_storage.WORDS).get(key)
    before = entry.get("text") if isinstance(entry, dict) else ""
    area = widgets.Textarea(before if isinstance(before, str) else "", rows=6, placeholder="In your own words")
    area.layout = widgets.Layout(width="34em", max_width="100%")
    area.continuous_update = False  # else a click can overtake what was typed last
    button, said = widgets.Button(description="Keep", button_style="primary"), widgets.HTML()

    def keep(_: object) -> None:
        said.value = html.escape(_keep_words(key, area.value), quote=False)

    def changed(_: object) -> None:
        said.value = ""  # for what now stands there is not kept yet

    button.on_click(keep)
    area.observe(changed, "value")
    return widgets.VBox([area, button, said, asleep()])


def _keep_words(key: str, text: str) -> str:
    """Return what is said of these words: that there are none, or where they are kept, or that they cannot be."""
    if not text.strip():
        return "Write first."
    return _keep(local_storage.WORDS, key, {"date": date.today().isoformat(), "text": text.strip()})


def _keep(kind: str, key: str, entry: object) -> str:
    """Return where the entry is kept, or that it cannot be."""
    if local_storage.write(kind, key, entry):
        return f"Kept in {local_storage.path().name}, on this machine. Nothing is sent."
    return "Nothing is kept here: the folder cannot be written to, or a build or a test runs this notebook."
