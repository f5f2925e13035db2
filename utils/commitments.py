"""What a reader has committed to, and which answers they have seen, as `utils.local_storage` keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from utils import local_storage
from utils.environment import building, is_interactive


def entry_of(key: str) -> Mapping[str, Any]:
    """Return what was committed to: "choice", its text, and "number" where it is known; nothing for no commitment.

    The first version of the course kept the text alone.
    """
    entry = local_storage.read(local_storage.PREDICTIONS).get(key)
    if isinstance(entry, str):
        return {"choice": entry}
    return entry if isinstance(entry, Mapping) and isinstance(entry.get("choice"), str) else {}


def committed(key: str) -> int | None:
    """Return the number of the choice that the reader is committed to, None for none."""
    return entry_of(key).get("number")


def was_seen(key: str) -> bool:
    """Return whether the answer was shown before the reader had committed."""
    entry = local_storage.read(local_storage.PREDICTIONS).get(key)
    return isinstance(entry, Mapping) and bool(entry.get("seen"))


def waits(key: str | None) -> bool:
    """Return whether what answers this prediction, None for none, is to be folded: its reader has not committed yet."""
    return key is not None and (building() or (is_interactive() and not entry_of(key) and not was_seen(key)))


def keep(key: str, **entry: Any) -> bool:
    """Return whether these parts of what is known of a prediction are now kept, beside the others."""
    before = local_storage.read(local_storage.PREDICTIONS).get(key)
    entry = {**(before if isinstance(before, Mapping) else {}), **entry}
    return local_storage.write(local_storage.PREDICTIONS, key, entry)


def note_seen(key: str) -> None:
    """Remember that the answer was shown to somebody who had not committed."""
    if not entry_of(key):
        keep(key, seen=True)


def renumber(key: str, choices: Sequence[str]) -> None:
    """Number a commitment by the choices as they stand now: what is kept may be of another version of the lesson."""
    entry = entry_of(key)
    number = choices.index(entry["choice"]) + 1 if entry and entry["choice"] in choices else None
    if entry and entry.get("number") != number:
        keep(key, choice=entry["choice"], number=number)
