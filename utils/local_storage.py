"""One small JSON file that keeps what a reader leaves behind, of all pages: nothing is kept elsewhere, or sent."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from utils.environment import is_interactive
from utils.files import replace_file

NAME = "my-course.json"
PREDICTIONS, FEEDBACK, POINTS, BLANKS, WORDS = KINDS = ("predictions", "feedback", "points", "blanks", "words")
COURSE = Path(__file__).parents[1]


def path() -> Path:
    """Return where the file lies: in work/ for all notebooks in the course's folder, else beside the notebook."""
    here = Path.cwd()
    return (COURSE / "work" if here.is_relative_to(COURSE) else here) / NAME


def read(kind: str) -> dict[str, Any]:
    """Return what is kept of one of the KINDS, by key; nothing where a build or a test runs the notebook."""
    return _kept().get(kind, {}) if is_interactive() else {}


def write(kind: str, key: str, entry: Any) -> bool:
    """Return whether ``entry`` is now kept beside all else; where nothing can be written, all stays as it was."""
    return change(lambda kept: {**kept, kind: {**kept.get(kind, {}), key: entry}})


def change(changed: Callable[[dict[str, dict]], Mapping[str, Mapping]]) -> bool:
    """Return whether the file now holds what ``changed`` makes of all that is kept, by kind and key."""
    if not is_interactive():
        return False
    try:
        text = json.dumps(changed(_kept()), indent=1, ensure_ascii=False) + "\n"
        path().parent.mkdir(exist_ok=True)
        replace_file(path(), text)
    except (OSError, ValueError):  # ValueError: text that UTF-8 has no bytes for
        return False
    return True


def parse(content: bytes) -> dict[str, dict]:
    """Return what a file of this course holds, by kind and key; raises ValueError where it is none."""
    try:
        kept = json.loads(content.decode("utf-8"))
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(kept, dict) or not all(isinstance(entries, dict) for entries in kept.values()):
        raise ValueError("no file of this course")
    return kept


def _kept() -> dict[str, dict]:
    """Return all that is kept, nothing where there is no file; one that cannot be read is put under another name."""
    try:
        return parse(path().read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        pass
    with contextlib.suppress(OSError):
        path().replace(_free_name(path()))
    return {}


def _free_name(path: Path) -> Path:
    """Return the name for an unreadable file, one that hides no earlier one."""
    names = itertools.chain([".unreadable.json"], (f".unreadable-{number}.json" for number in itertools.count(2)))
    return next(free for name in names if not (free := path.with_suffix(name)).exists())
