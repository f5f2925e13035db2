"""Small JSON files beside the notebook: what a reader leaves behind is kept there, and nowhere else."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from utils.environment import is_interactive
from utils.files import replace_file

PREDICTIONS, FEEDBACK, PROGRESS = (Path(f"{name}.json") for name in ("predictions", "feedback", "progress"))
FILES = (PREDICTIONS, FEEDBACK, PROGRESS)


def read(path: Path) -> dict[str, Any]:
    """Return what the file holds, nothing where there is none; one that cannot be read is put under another name."""
    if not is_interactive():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(content, dict):
            return content
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        pass
    with contextlib.suppress(OSError):
        path.replace(_free_name(path))
    return {}


def write(path: Path, content: Mapping[str, Any]) -> bool:
    """Return whether the file now holds ``content``: all of it, or, where nothing can be written, all of the old."""
    if not is_interactive():
        return False
    try:
        replace_file(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    except (OSError, ValueError):  # ValueError: text that UTF-8 has no bytes for
        return False
    return True


def _free_name(path: Path) -> Path:
    """Return the name for an unreadable file, one that hides no earlier one."""
    names = itertools.chain([".unreadable.json"], (f".unreadable-{number}.json" for number in itertools.count(2)))
    return next(free for name in names if not (free := path.with_suffix(name)).exists())
