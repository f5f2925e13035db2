"""What a reader may keep beside the notebook: feedback on a section, and all of it in one file to take away.

Nothing is sent anywhere.
"""

from __future__ import annotations

import html
import io
import os
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

from utils import local_storage
from utils.checks import one_of
from utils.environment import building, is_interactive
from utils.files import replace_file

CLEAR = ("clear", "partly", "not clear")
ARCHIVE = Path("my-course.zip")
SAVE = (
    "What you typed and changed is kept by the notebook itself. In Colab: File, Save a copy in Drive; Colab erases "
    "everything else when you leave. Elsewhere: File, Save."
)


def feedback(key: str, clear: str | None = None, text: str = "") -> object:
    """Return buttons to say whether a section was clear, with a line of text; with ``clear``, keep that at once.

    clear: "clear", "partly" or "not clear". What is said again of a section is kept beside what was said before.
    Raises ValueError for any other ``clear``, and for text without it.
    """
    if clear is not None or text:
        return print(_keep_feedback(key, one_of("clear", clear, CLEAR), text))
    if not building():
        return _buttons(key)
    return print(f'Without buttons: feedback("{key}", clear="partly", text="…") keeps it in {local_storage.FEEDBACK}.')


def download() -> None:
    """Say how to save the notebook, and make one file of what is kept beside it: predictions, feedback and points.

    The file is handed to the browser, or else it is said where it lies.
    """
    print(SAVE)
    there = [path for path in local_storage.FILES if os.path.exists(path)] if is_interactive() else []
    if not there:
        return print("There is nothing to download yet: no prediction, no feedback, no points.")
    content = io.BytesIO()
    try:
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in there:
                archive.write(path, path.name)
        replace_file(ARCHIVE, content.getvalue())
    except OSError as error:
        return print(f"{ARCHIVE} could not be written here ({error.strerror}).")
    names = ", ".join(path.name for path in there)
    print(f"{ARCHIVE} holds {names}. To go on elsewhere, unpack it beside the notebook there.")
    return _hand_over()


def _hand_over() -> None:
    try:
        from google.colab import files
    except ImportError:
        print(f"It lies at {ARCHIVE.absolute()}")
        _show_link()
    else:
        files.download(str(ARCHIVE))


def _show_link() -> None:
    """Display a link in a notebook; relative, since JupyterLab and the classic Notebook look beside the notebook."""
    from IPython import get_ipython
    from IPython.display import HTML, display

    if get_ipython() is not None:
        display(HTML(f'<a href="{ARCHIVE}" download="{ARCHIVE}">Download {ARCHIVE}</a>'))


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
    return widgets.VBox([answer, line, button, said])


def _keep_feedback(key: str, clear: str, text: str) -> str:
    """Return what is said of this feedback: where it is kept, or that it cannot be."""
    said: dict[str, Any] = local_storage.read(local_storage.FEEDBACK)
    before = said.get(key, [])
    entry = {"date": date.today().isoformat(), "clear": clear, "text": " ".join(text.split())}
    kept = local_storage.write(
        local_storage.FEEDBACK, {**said, key: [*(before if isinstance(before, list) else [before]), entry]}
    )
    if kept:
        return f"Kept in {local_storage.FEEDBACK}, beside this notebook. Nothing is sent."
    return "Nothing is kept here: the folder cannot be written to, or a build or a test runs this notebook."
