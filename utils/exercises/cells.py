"""How the cells of an exercise notebook are recognised: by their text, since platforms drop ids and metadata."""

from __future__ import annotations

import re

_EXERCISE = re.compile(r"#\s*exercise\s+([0-9]{2}\.[0-9]+)\s*$", re.IGNORECASE)
_CALL = re.compile(r"(check|show)\(\s*([\"'])([0-9]{2}\.[0-9]+)\2\s*,\s*(\w+)\s*\)")
_MAGIC = re.compile(r"\s*%%(\w*)[^\n]*")
SET_UP = "# set-up"


def below_magics(source: str) -> tuple[list[str], str]:
    """Return the names of the cell magics above, such as "time" for %%time, and what stands below them."""
    names, at = [], 0
    while match := _MAGIC.match(source, at):
        names.append(match[1])
        at = match.end()
    return names, source[at:].lstrip("\n")


def first_line(source: str) -> str:
    """Return the first line that is neither empty nor a cell magic such as %%time."""
    return below_magics(source)[1].strip().partition("\n")[0].rstrip()


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
    match = re.search(r"\b(check|show)\(\s*[\"']([0-9]{2}\.[0-9]+)[\"']", source)
    return (match[1], match[2]) if match else None
