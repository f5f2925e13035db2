"""Finding what was handed in: a folder or a zip file, and in it each student's notebooks, none of them read yet.

Nothing outside of the submissions is ever opened: symbolic links are not followed, and zip files not unpacked.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from authoring.set_up import MARKER_FILE
from grading import GradingError
from grading.archives import MAX_NAME, Archive, BadArchive, Member
from grading.names import ARCHIVE, SCHEMES, Owner, is_hidden, is_notebook, quoted, readable, suggestion

MAX_BYTES = 50_000_000  # of one notebook
MAX_ARCHIVE_BYTES = 200_000_000  # of one student's zip file, and of all that is read for one student
MAX_ENTRIES = 5_000  # in one student's zip file
MAX_CLASS_ENTRIES = 100_000
NO_NOTEBOOK = " (no .ipynb)"
MAX_DEPTH = 20
# What a reader keeps of the course, as browsers and Canvas name its copies, too.
_OWN_FILE = re.compile(r"my-course(?: ?\(\d{1,4}\)|[ -]\d{1,4}){0,2}\.json", re.IGNORECASE)
# Folders of a student's course in which no answers lie; `make learn` copies pages into those in work/.
OF_A_COURSE = (
    *((name,) for name in ("authoring", "grading", "notebooks", "reference", "results", "solutions", "tests", "utils")),
    *(("work", name) for name in ("lessons", "reference", "solutions")),
)
_STEP = 2**20
_BEGINNING = 2**16  # bytes, in which a notebook says that it is one


class Unreadable(ValueError):
    """A file that is no notebook; its text is a sentence for the student."""


class Changing(RuntimeError):
    """A file that changes while it is read: nothing can be said about it yet."""


class SubmissionSource(Protocol):
    """Where a file's bytes come from."""

    def chunks(self, limit: int) -> Iterator[bytes]:
        """Yield the bytes, at most ``limit``; raises Unreadable and Changing."""
        ...


@dataclass(frozen=True)
class Document:
    """One notebook or zip file of a student, not read yet.

    ``name`` is what the student called it, ``file`` the path under which the platform gave it; ``time`` when it was
    handed in, None where nobody knows; ``version`` tells which of several replaces the others, see
    ``grading.names.Owner``.
    """

    name: str
    source: SubmissionSource
    time: datetime | None = None
    late: bool = False
    version: tuple[str, int] | None = None
    file: str = ""

    @property
    def is_archive(self) -> bool:
        """Return whether this is a zip file, with notebooks in it, perhaps."""
        return self.name.lower().endswith(ARCHIVE)

    def read(self, limit: int = MAX_BYTES) -> bytes:
        """Return the file's bytes; raises Unreadable for more than ``limit``, Changing for a file in motion."""
        return b"".join(self.source.chunks(limit))


@dataclass(frozen=True)
class StudentFiles:
    """A student's name as the submissions give it, and the documents found under it.

    ``file`` is the path of the first thing that was found, whatever it is. ``own`` are the files ``my-course.json``
    that lie in no zip file of the student's; ``remark`` is what is to be said of those that cannot be read.
    """

    student: str
    documents: tuple[Document, ...] = ()
    own: tuple[Document, ...] = ()
    remark: str = ""
    file: str = ""


@dataclass(frozen=True)
class ClassSubmissions:
    """The class, sorted by name; what was left out and why; the platform whose names these seem to be."""

    students: list[StudentFiles]
    left_out: list[str]
    suggestion: str = ""


@dataclass(frozen=True)
class _Found:
    """Something in the submissions: the parts of its path, and its bytes' source, None for a folder."""

    parts: tuple[str, ...]
    source: SubmissionSource | None
    time: datetime | None = None


def collect(submissions: Path, names: str = "auto", *, entry_times: bool = False) -> ClassSubmissions:
    """Return what each student handed in; ``names`` is one of ``grading.names.SCHEMES``.

    With ``entry_times``, the times in a zip file are taken for those of handing in; many platforms write the time
    of the export there. Raises GradingError where there is nothing to mark.
    """
    left_out: list[str] = []
    found = _without_wrapper(_found_in(submissions, left_out), submissions)
    others = _not_handed_in(found)
    found = [one for one in found if one.parts not in others]
    students: dict[str, list[Document]] = {}
    own: dict[str, list[Document]] = {}
    paths: dict[str, str] = {}
    notebooks = []
    for one in found:
        owner = _owner(one, names)
        if isinstance(owner, str):
            left_out += [f"{_shown(one.parts)} ({owner})"] if one.source else []
            continue
        documents = students.setdefault(readable(owner.student), [])
        name = readable(owner.file or one.parts[-1])
        if one.source:
            paths.setdefault(readable(owner.student), "/".join(one.parts))
        if one.source and _is_handed_in(name, one.source):
            time = one.time if entry_times else None
            documents.append(Document(name, one.source, time, owner.late, owner.version, "/".join(one.parts)))
            notebooks.append(one.parts)
        elif one.source and (names == "stem" or (names == "auto" and len(one.parts) == 1)):  # a .json of another kind
            left_out.append(f"{_shown(one.parts)}{NO_NOTEBOOK}")
            if not documents:
                del students[readable(owner.student)]
        elif one.source and _is_own_file(name):
            own.setdefault(readable(owner.student), []).append(Document(name, one.source))
    if not any(students.values()):
        raise GradingError(_nothing(submissions, names, suggestion(names, [one.parts for one in found if one.source])))
    if names == "stem":  # two files of one name in two folders may be two people's: none replaces the other
        students = {who: _without_times(documents) for who, documents in students.items()}
    class_ = [
        StudentFiles(who, tuple(files), tuple(own.get(who, ())), file=paths.get(who, ""))
        for who, files in sorted(students.items())
    ]
    return ClassSubmissions(class_, _in_turn(left_out), suggestion(names, notebooks))


def _in_turn(left_out: list[str]) -> list[str]:
    """Return what was left out, files of other kinds last, and of each folder at the top one first.

    So many of one student hide nobody else's, of which a few are named.
    """
    seen: Counter[tuple[bool, str]] = Counter()
    in_turn = []
    for text in sorted(left_out):
        group = text.endswith(NO_NOTEBOOK), text.partition("/")[0] if "/" in text else ""
        in_turn.append((group[0], seen[group], text))
        seen[group] += 1
    return [text for *_, text in sorted(in_turn)]


def _is_own_file(name: str) -> bool:
    return _OWN_FILE.fullmatch(name.rpartition("/")[2]) is not None


def _without_times(documents: list[Document]) -> list[Document]:
    return [replace(one, time=None) for one in documents] if len(documents) > 1 else documents


def _nothing(submissions: Path, names: str, better: str) -> str:
    name = readable(str(submissions))
    if names in ("canvas", "moodle"):
        return f"{name} holds no notebook that is named as {names.capitalize()} names files. Choose another --names."
    hint = f" (or try --names {better})" if better else ""
    return f"{name} holds no notebook. Put the submissions' .ipynb files there{hint}."


def _owner(one: _Found, names: str) -> Owner | str:
    if one.source is None and names in ("auto", "folder"):
        return Owner(one.parts[0])  # a folder with nothing in it is a student's, too
    if one.source is None and names in ("stem", "canvas"):
        return "a folder"
    return SCHEMES[names](one.parts)


def _found_in(submissions: Path, left_out: list[str]) -> list[_Found]:
    name = readable(str(submissions))
    if submissions.is_dir():
        return list(_walk(submissions, (), left_out))
    if not submissions.exists():
        raise GradingError(f"{name} does not exist. Name the folder or the zip file that holds the submissions.")
    if submissions.suffix.lower() != ARCHIVE:
        raise GradingError(
            f"{name} is a file of another kind. Name the folder or the zip file that holds the submissions."
        )
    return list(_listed(submissions, left_out))


def _walk(root: Path, below: tuple[str, ...], left_out: list[str]) -> Iterator[_Found]:
    """Yield what lies in a folder below ``root``, hidden files and folders left out in silence, links with a word."""
    try:
        with os.scandir(root.joinpath(*below)) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        left_out.append(f"{_shown(below) or readable(str(root))} (could not be opened: {error.strerror})")
        return
    for entry in entries:
        parts = (*below, entry.name)
        if is_hidden(entry.name):
            left_out += _hidden_notebook(parts) if entry.is_file(follow_symlinks=False) else []
            continue
        if entry.is_dir(follow_symlinks=False):
            yield _Found(parts, None)
            if len(parts) < MAX_DEPTH:
                yield from _walk(root, parts, left_out)
        elif entry.is_file(follow_symlinks=False):
            yield _Found(parts, FileSource(root, parts))
        else:
            left_out.append(f"{_shown(parts)} ({'a symbolic link' if entry.is_symlink() else 'not an ordinary file'})")


def _hidden_notebook(parts: tuple[str, ...]) -> list[str]:
    """Return what is said of a file that begins with a dot: of a notebook's, but for what macOS puts beside each."""
    is_named = parts[-1].startswith(".") and not parts[-1].startswith("._") and is_notebook(parts[-1])
    return [f"{_shown(parts)} (a hidden file: its name begins with a dot)"] if is_named else []


def _without_wrapper(found: list[_Found], submissions: Path) -> list[_Found]:
    """Return what was found without the one folder around everything, in which some programs and platforms export.

    It is one if it is all that there is, and is named like its zip file, or holds no notebook itself. A student's
    course is none, nor what holds nothing but that; and what lies in deeper folders belongs to the student above.
    """
    if len({one.parts[0] for one in found}) != 1:
        return found
    inside = [replace(one, parts=one.parts[1:]) for one in found if len(one.parts) > 1]
    tops = {one.parts[0] for one in inside if one.source is None or len(one.parts) > 1}
    files = [one.parts[0] for one in inside if one.source and len(one.parts) == 1]
    named = re.sub(r" ?\(\d+\)$", "", submissions.stem) if submissions.is_file() else None
    if named is not None and readable(found[0].parts[0]) == readable(named):
        return inside
    is_a_students = any(is_notebook(name) or name.lower().endswith(ARCHIVE) for name in files) or _courses(inside) & {
        (),
        *([(top,) for top in tops] if len(tops) == 1 else []),
    }
    return found if is_a_students or not tops else inside


def _courses(found: Iterable[_Found | Member]) -> set[tuple[str, ...]]:
    """Return the folders that are a whole course, as its students have it."""
    marker = tuple(MARKER_FILE.split("/"))
    return {one.parts[: -len(marker)] for one in found if one.parts[-len(marker) :] == marker}


def _not_handed_in(found: Iterable[_Found | Member]) -> set[tuple[str, ...]]:
    """Return the files of whole courses that nobody hands in: all but the exercises, those in work/, and new files."""
    inside = {course + folder for course in _courses(found) for folder in OF_A_COURSE}
    return {one.parts for one in found if any(one.parts[: len(folder)] == folder for folder in inside)}


def _is_handed_in(name: str, source: SubmissionSource) -> bool:
    """Return whether this is a notebook or a zip file; a .json is looked into."""
    if is_notebook(name) or name.lower().endswith(ARCHIVE):
        return True
    if not name.lower().endswith(".json") or _is_own_file(name):
        return False
    try:  # no more than the first piece: nobody has asked yet how much there is of it
        beginning = next(iter(source.chunks(MAX_BYTES)), b"")[:_BEGINNING]
    except Changing:
        return True  # whoever reads it says so
    except Unreadable:
        return False
    return b'"nbformat"' in beginning or b'"cell_type"' in beginning


def _shown(parts: Iterable[str]) -> str:
    return "/".join(map(readable, parts))


def _listed(path: Path, left_out: list[str]) -> Iterator[_Found]:
    """Yield what a class's zip file holds."""
    try:
        file = path.open("rb")
        archive = Archive(file, MAX_CLASS_ENTRIES)
    except OSError as error:
        raise GradingError(f"{path} could not be opened ({error.strerror}).") from None
    except BadArchive as error:
        raise GradingError(f"{readable(str(path))} {error}. Export it again.") from None
    left_out += [f"{readable(name[:MAX_NAME])} ({reason})" for name, reason in archive.left_out]
    members = [member for member in archive.members if not any(map(is_hidden, member.parts))]
    for member in archive.members:
        left_out += [] if any(map(is_hidden, member.parts[:-1])) else _hidden_notebook(member.parts)
    state = _state(file)
    for member in members:
        source = None if member.is_folder else MemberSource(member, lambda: _state(file) == state)
        yield _Found(member.parts, source, member.time)


@dataclass(frozen=True)
class FileSource:
    """A file below the folder ``root``. It is read twice: what differs then is still being written."""

    root: Path
    parts: tuple[str, ...]

    def chunks(self, limit: int) -> Iterator[bytes]:
        """Yield the bytes; see ``SubmissionSource``."""
        for _ in range(2):
            data = b"".join(self._chunks(limit))
            if _digest(self._chunks(limit)) == _digest([data]):
                return iter([data])
        raise Changing(f"{quoted(readable(self.parts[-1]))} changed while it was read")

    def _chunks(self, limit: int) -> Iterator[bytes]:
        try:
            with open(self._opened(), "rb", buffering=0) as file:
                left = limit
                while chunk := file.read(_STEP):
                    left -= len(chunk)
                    if left < 0:
                        raise Unreadable(_too_large(limit))
                    yield chunk
        except OSError as error:
            replaced = error.errno in (errno.ELOOP, errno.ENOTDIR)
            why = "it, or its folder, has become a link or something else" if replaced else error.strerror
            raise Unreadable(f"The file could not be opened: {why}.") from None

    def _opened(self) -> int:
        """Return a descriptor of the file, opened folder by folder.

        What took the place of one of them since it was listed, a link or a pipe, is not followed or waited for.
        """
        folder = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in self.parts[:-1]:
                inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
                os.close(folder)
                folder = inner
            return os.open(self.parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        finally:
            os.close(folder)


def _state(file: BinaryIO) -> tuple[int, int]:
    state = os.fstat(file.fileno())
    return state.st_size, state.st_mtime_ns


@dataclass(frozen=True)
class MemberSource:
    """A file in a zip file; ``is_unchanged`` says whether the zip file itself is still what it was."""

    member: Member
    is_unchanged: Callable[[], bool] = lambda: True

    def chunks(self, limit: int) -> Iterator[bytes]:
        """Yield the bytes; see ``SubmissionSource``."""
        try:
            yield from self.member.chunks(limit)
        except BadArchive as error:
            if self.is_unchanged():
                raise Unreadable(f"The file {error}. Save the notebook and hand it in again.") from None
        if not self.is_unchanged():
            raise Changing("the zip file of the submissions changed while it was read")


def notebooks_of(files: StudentFiles) -> Iterator[Document | Unreadable]:
    """Yield the student's notebooks, those in zip files included, and the reason for each zip file that is none.

    A zip file within a student's zip file is not opened. Raises Changing.
    """
    for document in files.documents:
        if not document.is_archive:
            yield document
            continue
        try:
            with _opened(document) as archive:
                yield from _inside(document, archive)
        except Unreadable as error:
            yield error


def own_files_of(files: StudentFiles) -> Iterator[Document]:
    """Yield the files ``my-course.json`` of a student, those in zip files included. Raises Changing.

    A zip file that cannot be read is passed over: ``notebooks_of`` says so.
    """
    yield from files.own
    for document in files.documents:
        if document.is_archive:
            with contextlib.suppress(Unreadable), _opened(document) as archive:
                for member in archive.members:
                    name = "/".join((document.name, _shown(member.parts)))
                    if _is_own_file(name) and not member.is_folder and not any(map(is_hidden, member.parts)):
                        yield Document(name, MemberSource(member))


@contextlib.contextmanager
def _opened(document: Document) -> Iterator[Archive]:
    """Open a student's zip file: by way of a temporary file without a name, so that memory stays small."""
    with tempfile.TemporaryFile() as file:
        for chunk in document.source.chunks(MAX_ARCHIVE_BYTES):
            file.write(chunk)
        try:
            archive = Archive(file, MAX_ENTRIES)
        except BadArchive as error:
            raise Unreadable(f"{quoted(document.name)} {error}. Hand in the notebook itself.") from None
        yield archive


def _inside(document: Document, archive: Archive) -> Iterator[Document | Unreadable]:
    for name, reason in archive.left_out[:10]:
        yield Unreadable(f"{quoted(f'{document.name}/{readable(name[:MAX_NAME])}')} was left out ({reason}).")
    others = _not_handed_in(archive.members)
    for member in archive.members:
        name = "/".join((document.name, _shown(member.parts)))
        if member.is_folder or any(map(is_hidden, member.parts)) or member.parts in others:
            continue
        if name.lower().endswith(ARCHIVE):
            yield Unreadable(f"{quoted(name)} is a zip file within a zip file. Hand in the notebook itself.")
        elif _is_handed_in(name, MemberSource(member)):
            # The times inside are the student's own; what counts is when the zip file was handed in.
            yield replace(document, name=name, source=MemberSource(member), version=None)


def _too_large(limit: int) -> str:
    return f"The file is larger than {limit // 1_000_000} MB. Clear the notebook's outputs and save it again."


def _digest(chunks: Iterable[bytes]) -> bytes:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.digest()
