"""What figures and marks are made with: the course's code, Python and the libraries."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = ("numpy", "scipy", "torch", "numba", "scikit-learn")
UTILS = "utils/"
COMPUTING = ("authoring", "claims", "cluster", "grading", "utils")


def made_with() -> dict[str, str]:
    """Return the versions, and a digest of all that is in utils: chunks of two codes make no measurement."""
    sources = sorted((ROOT / UTILS).rglob("*.py"))
    content = b"".join(path.relative_to(ROOT).as_posix().encode() + path.read_bytes() for path in sources)
    return {**versions(), UTILS: hashlib.sha256(content).hexdigest()[:16]}


@cache
def course() -> dict[str, str]:
    """Return the versions, and a digest of all files of what computes: as they were when this process asked first."""
    files = [
        path
        for name in COMPUTING
        for path in sorted((ROOT / name).rglob("*"))
        if path.is_file() and path.parent.name != "__pycache__"
    ]
    content = b"".join(path.relative_to(ROOT).as_posix().encode() + path.read_bytes() for path in files)
    return {**versions(), "code": hashlib.sha256(content).hexdigest()[:16]}


def only_versions(made_with: dict[str, str]) -> dict[str, str]:
    """Return what `made_with` returned without the digest."""
    return {name: value for name, value in made_with.items() if name != UTILS}


def versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that compute."""
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def changed(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """Return the names of what is not what it was, sorted."""
    return sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
