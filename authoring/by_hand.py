"""The pages of reference/ that are written by hand. A build keeps their links: a heading's minutes, and an exercise's
points, stand in its anchor, and change.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from authoring.diagnostics import Diagnostic, stop_on

FROM_OTHER_TEXTS = "from_other_texts.md"
PAGES = ("map.md", FROM_OTHER_TEXTS)
_LINK = re.compile(r"(?<=\]\(\.\./)(?P<file>\w+/\w+\.ipynb)#(?P<anchor>(?:[^()\s]|\([^()\s]*\))+)(?=\))")
_COUNTED = re.compile(r"-\((?:\d+-(?:min|points?)|a-short-text)\)$")


def texts(root: Path, headings: Mapping[str, Collection[str]]) -> dict[Path, str]:
    """Return these pages by path, with their links to notebooks as ``headings``, by file, are now.

    Raises AuthoringError for a link that leads to no heading.
    """
    found, wrong = {}, []
    for name in PAGES:
        path = root / "reference" / name
        if path.exists():
            text, complaints = renewed(path.read_text(encoding="utf-8"), headings)
            found[path] = text
            wrong += [Diagnostic(f"reference/{name}", line, complaint) for line, complaint in complaints]
    stop_on(wrong)
    return found


def renewed(text: str, headings: Mapping[str, Collection[str]]) -> tuple[str, list[tuple[int, str]]]:
    """Return a text with the minutes and points in its links as they are now, and what leads nowhere, by its line."""
    now = {
        file: {_COUNTED.sub("", anchor): anchor for anchor in (heading.replace(" ", "-") for heading in there)}
        for file, there in headings.items()
    }
    wrong = []

    def put(match: re.Match) -> str:
        anchor = now.get(match["file"], {}).get(_COUNTED.sub("", match["anchor"]))
        if anchor is None:
            line = text[: match.start()].count("\n") + 1
            wrong.append((line, f"{match['file']} has no heading #{match['anchor']}. Mend the link."))
        return f"{match['file']}#{anchor or match['anchor']}"

    return _LINK.sub(put, text), wrong
