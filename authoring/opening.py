"""What the README and the site open with: a film of a built page, and its still picture, site/static/film.png."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import nbformat

from authoring.diagnostics import Diagnostic, refuse, relative

PAGE, CALL = "notebooks/04_depth_efficiency.ipynb", "page.play_folding(2, shift=0.5)"
PICTURE = "site/static/film.png"
_STILL = re.compile(r'<img src="data:image/png;base64,([^"]+)"')


def film(root: Path) -> str:
    """Return the film as the built page has it, as HTML; raises AuthoringError where the page does not show it."""
    for cell in nbformat.read(root / PAGE, as_version=4).cells:
        if CALL in cell.source:
            shown = "".join(output.get("data", {}).get("text/html", "") for output in cell.get("outputs", ()))
            if _STILL.search(shown):
                return shown
    raise refuse(PAGE, None, f"README and the site open with the film of {CALL}, which is not there. Build it, or name "
                             f"another in {__name__}.")


def pictures(root: Path) -> dict[Path, bytes]:
    """Return the film's still picture by its path; nothing for a course without that page, or without a site."""
    path = root / PICTURE
    if not (root / PAGE).exists() or not path.parent.exists():
        return {}
    return {path: base64.b64decode(_STILL.search(film(root))[1])}


def opening_diagnostics(root: Path) -> list[Diagnostic]:
    """Return whether the picture is not the film's; raises AuthoringError as `film` does."""
    text = f"this is not the picture of the film in {PAGE}. Build a lesson, any."
    return [Diagnostic(relative(path, root), None, text) for path, content in pictures(root).items()
            if not path.exists() or path.read_bytes() != content]
