"""How the cells of an exercise notebook are recognised: by their text, since platforms drop ids and metadata."""

from __future__ import annotations

import re

_EXERCISE = re.compile(r"#\s*exercise\s+(\d\d\.\d+)\s*$", re.IGNORECASE)
_CALL = re.compile(r"(check|show)\(\s*([\"'])(\d\d\.\d+)\2\s*,\s*(\w+)\s*\)")
SET_UP = "# set-up"


def first_line(source: str) -> str:
    """Return the first line that is neither empty nor a cell magic such as %%time."""
    lines = (line.strip() for line in source.splitlines())
    return next((line for line in lines if line and not line.startswith("%%")), "")


def exercise_id(source: str) -> str | None:
    """Return the id of the exercise that this cell answers ("03.2" for "# exercise 03.2"), or None."""
    match = _EXERCISE.match(first_line(source))
    return match[1] if match else None


def is_set_up(source: str) -> bool:
    """Return whether this cell prepares the notebook: its first line begins with "# set-up"."""
    return first_line(source).startswith(SET_UP)


def call(source: str) -> tuple[str, str, str] | None:
    """Return ("check" or "show", id, answer's name) for a cell that is one such call and no more, or None."""
    match = _CALL.fullmatch(source.strip())
    return (match[1], match[3], match[4]) if match else None


def called_id(source: str) -> tuple[str, str] | None:
    """Return ("check" or "show", id) of the first such call anywhere in the cell, edited ones included."""
    match = re.search(r"\b(check|show)\(\s*[\"'](\d\d\.\d+)[\"']", source)
    return (match[1], match[2]) if match else None
