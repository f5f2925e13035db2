"""Names that tell nobody who it is: a student's id is a keyed hash, the same in every export of a folder."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable
from pathlib import Path

from grading import GradingError
from utils.files import replace_file

KEY_FILE = "anonymous.key"
_LENGTH = 10  # characters of five bits each: two of a thousand students get the same id once in two billion classes

# From a student's name to the name that is shown.
Naming = Callable[[str], str]


def by_name(student: str) -> str:
    """Return the student's own name."""
    return student


def by_id(folder: Path) -> Naming:
    """Return the naming by ids, whose secret key lies in ``folder`` and is made at first use.

    Copied to another folder, the key makes the same ids there. Raises GradingError for a key that cannot be read.
    """
    path = folder / KEY_FILE
    if not path.exists():
        replace_file(path, f"{secrets.token_hex(32)}\n", private=True)
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise GradingError(f"{path} could not be read ({error.strerror}).") from None
    if len(key) < 32:
        raise GradingError(f"{path} holds no key. Remove it, and a new one will make new ids.")
    return lambda student: _id(key, student)


def _id(key: bytes, student: str) -> str:
    digest = hmac.digest(key, student.encode("utf-8", "surrogatepass"), hashlib.sha256)
    return "id-" + base64.b32encode(digest).decode()[:_LENGTH].lower()
