"""What an experiment's figures were made by: the course's code, Python and the libraries."""

from __future__ import annotations

import ast
import inspect
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from authoring.digests import digest, made_from
from utils import rooms
from utils.claims.definition import Experiment

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = ("numpy", "scipy", "torch", "numba", "scikit-learn")


def code_of(experiment: Experiment) -> dict[str, str]:
    """Return the digests of the module that measures and of all modules of utils that it imports, by path.

    Where it cannot be told which module that is, as for a partial function, it is the lesson's module of claims.
    What only judges or shows the figures is left out, so that a better sentence makes no record old: the
    lists CLAIMS, unless an experiment is defined in one, and the modules that all claims share. So are the modules
    that check exercises.
    """
    try:
        module = inspect.getfile(experiment.measure)
    except TypeError:
        module = rooms.module_of(experiment.name[:2], "claims").__file__
    found = made_from([Path(module)], ROOT, _measures_nothing)
    for shown in filter(_is_of_claims, found):
        found[shown] = digest(_without_claims((ROOT / shown).read_bytes()))[:16]  # an absolute path stays itself
    return found


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
    """Return the paths (or libraries) that are not what they were, sorted."""
    return sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))


def _is_of_claims(shown: str) -> bool:
    return "claims" in Path(shown).with_suffix("").parts


def _measures_nothing(shown: str) -> bool:
    path = Path(shown)
    return "exercises" in path.parts[:-1] or path.parts[:2] == ("utils", "claims")


def _without_claims(source: bytes) -> bytes:
    """Return the module's source without the statement that assigns CLAIMS."""
    lines = source.splitlines(keepends=True)
    for statement in reversed(ast.parse(source).body):
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        place = slice(statement.lineno - 1, statement.end_lineno)
        assigns = any(getattr(target, "id", "") == "CLAIMS" for target in targets)
        if assigns and b"Experiment(" not in b"".join(lines[place]):
            del lines[place]
    return b"".join(lines)
