"""What is wrong, where, and what to do about it: the one form in which authoring reports."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong: ``path`` is relative to the course, ``line`` counts from 1 (None: the whole file)."""

    path: str
    line: int | None
    text: str

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.text}"


class AuthoringError(Exception):
    """One or more diagnostics that stop a build; nothing was written."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = list(diagnostics)


def refuse(path: str, line: int | None, text: str) -> AuthoringError:
    """Return the error that reports this one diagnostic."""
    return AuthoringError([Diagnostic(path, line, text)])


def stop_on(diagnostics: Sequence[Diagnostic]) -> None:
    """Raise AuthoringError where there is any diagnostic."""
    if diagnostics:
        raise AuthoringError(diagnostics)


def one_line(text: str, limit: int = 300) -> str:
    """Return ``text`` with its white space collapsed, cut at ``limit`` characters."""
    return " ".join(text.split())[:limit]


def from_exception(error: BaseException, root: Path, path: Path, doing: str) -> Diagnostic:
    """Return an exception raised by the course's own code as a diagnostic: the innermost of its lines, or ``path``.

    Lines of what all exercises and claims share are passed over: the mistake is in what it was given.
    """
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        places.append((str(error.filename), error.lineno))
    places = [place for place in places if place[0] == str(path) or _is_code_of(place[0], root)]
    shown, line = (relative(Path(places[-1][0]), root), places[-1][1]) if places else (relative(path, root), None)
    said = one_line(f"{type(error).__name__}: {error}").removesuffix(".")
    return Diagnostic(shown, line, f"{doing} failed with {said}. Mend it.")


def _is_code_of(filename: str, root: Path) -> bool:
    folders, machinery = ("notebooks", "solutions", "utils"), ("utils/exercises", "utils/claims")
    inside, outside = (any(Path(filename).is_relative_to(root / one) for one in some) for some in (folders, machinery))
    return inside and not outside


def relative(path: Path, root: Path) -> str:
    """Return ``path`` as it is shown in messages: from the course's root, with forward slashes."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
