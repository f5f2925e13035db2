"""What the README opens with: the still picture of a built page's film, site/static/film.png."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import nbformat

from authoring.diagnostics import Diagnostic, refuse, relative

PAGE, CALL = "notebooks/04_depth_efficiency.ipynb", "page.play_folding(2, shift=0.5)"
PICTURE = "site/static/film.png"
_STILL = re.compile(r'<img src="data:image/png;base64,([^"]+)"')


def still(root: Path) -> bytes:
    """Return the film's picture as the built page has it; raises AuthoringError where the page does not show it."""
    for cell in nbformat.read(root / PAGE, as_version=4).cells:
        if CALL in cell.source:
            shown = "".join(output.get("data", {}).get("text/html", "") for output in cell.get("outputs", ()))
            if found := _STILL.search(shown):
                return base64.b64decode(found[1])
    raise refuse(
        PAGE,
        None,
        f"README opens with a picture of the film of {CALL}, which is not there. Build it, or "
        f"name another in {__name__}.",
    )


def pictures(root: Path) -> dict[Path, bytes]:
    """Return the film's still picture by its path; nothing for a course without that page, or without a site."""
    path = root / PICTURE
    return {path: still(root)} if (root / PAGE).exists() and path.parent.exists() else {}


def opening_diagnostics(root: Path) -> list[Diagnostic]:
    """Return whether the picture is not the film's; raises AuthoringError as `still` does."""
    text = f"this is not the picture of the film in {PAGE}. Build a lesson, any."
    return [
        Diagnostic(relative(path, root), None, text)
        for path, content in pictures(root).items()
        if not path.exists() or path.read_bytes() != content
    ]
