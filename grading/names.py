"""Whose file is this? What the names of files and folders say, as people and learning platforms give them.

Canvas exports ``leeann_LATE_12345_67890_name-1.ipynb``: the name in small letters, LATE where it was handed in after
the due date, the numbers of the student and of the file, and the file's own name, to which Canvas adds -1, -2, ...
each time that it is handed in again. Moodle exports a folder ``Ann Lee_12345_assignsubmission_file_`` for each
student, or files whose names begin like that. The number stays a part of a student's name, since two may share theirs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

# Control characters, and those that turn the direction of text around: neither has a place in a name or on a page.
UNPRINTABLE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff"
NOTEBOOK, ARCHIVE = ".ipynb", ".zip"
# As browsers and mail programs rename it, too: hw.ipynb.txt; Canvas, once more: hw.ipynb-1.txt.
_NOTEBOOK = re.compile(r"\.ipynb(?:-\d{1,3})?(?:\.(?:txt|json))?\Z", re.IGNORECASE)
_CANVAS = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)", re.IGNORECASE | re.DOTALL)
_CANVAS_ANONYMOUS = re.compile(r"(?P<late>LATE_)?(?P<name>anon_[^_]+)_\d+_(?P<file>.+)", re.IGNORECASE | re.DOTALL)
# Of several places the last counts: who has Moodle's words in a display name, or in a file's, gets a longer name by
# it, one that begins with what is their own, and never somebody else's.
_MOODLE = re.compile(r"(?P<name>.+_\d+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<file>.*)", re.DOTALL)
_AGAIN = re.compile(r"(?P<stem>.+?)(?:-(?P<number>\d{1,3}))?(?P<suffix>\.\w+)", re.DOTALL)
# What cannot be seen although Python calls it printable: the rest of Unicode's Default_Ignorable_Code_Point, and the
# pattern of Braille that has no dots.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_PAGE = "feedback.html"
_LONGEST = 80  # characters of a file's name in a sentence


@dataclass(frozen=True)
class Owner:
    """To whom a file belongs: ``late`` as the platform marks it, and ``file``, the name that the student gave it.

    ``version`` tells the files apart that replace each other: the name without the platform's number, and that
    number; None where the names do not tell.
    """

    student: str
    late: bool = False
    file: str = ""
    version: tuple[str, int] | None = None


# From a path's parts to its owner, or to the reason why it has none.
Scheme = Callable[[tuple[str, ...]], Owner | str]


def by_stem(parts: tuple[str, ...]) -> Owner | str:
    """Return the owner of a notebook that is named by its student, in whatever folder it lies."""
    stem, suffix = _split(parts[-1])
    return Owner(stem, file=parts[-1]) if suffix in (NOTEBOOK, ARCHIVE, ".json") else f"no {NOTEBOOK}"


def by_folder(parts: tuple[str, ...]) -> Owner | str:
    """Return the owner where each student has a folder: its name."""
    return Owner(parts[0], file="/".join(parts[1:])) if len(parts) > 1 else "in no student's folder"


def by_either(parts: tuple[str, ...]) -> Owner | str:
    """Return the owner by the folder's name, and by the stem for what lies in no folder."""
    return by_folder(parts) if len(parts) > 1 else by_stem(parts)


def by_canvas(parts: tuple[str, ...]) -> Owner | str:
    """Return the owner by a name that Canvas gives."""
    found = _CANVAS_ANONYMOUS.fullmatch(parts[-1]) or _CANVAS.fullmatch(parts[-1])
    if not found:
        return "not named as Canvas names files"
    fields = found.groupdict()
    student = f"{fields['name']}_{fields['id']}" if "id" in fields else fields["name"]
    again = _AGAIN.fullmatch(fields["file"])
    version = (again["stem"] + again["suffix"].lower(), int(again["number"] or 0)) if again else None
    return Owner(student, bool(fields["late"]), fields["file"], version)


def by_moodle(parts: tuple[str, ...]) -> Owner | str:
    """Return the owner by a folder's, or a file's, name that Moodle gives."""
    for at, part in enumerate(parts):
        found = _MOODLE.fullmatch(part)
        if found and found["kind"] != "file":
            return f"Moodle's {found['kind']}, not a file that was handed in"
        if found:
            below = [part for part in (found["file"], *parts[at + 1 :]) if part]
            return Owner(found["name"], file="/".join(below))
    return "not named as Moodle names files"


def feedback_path(platform: str, file: str) -> str:
    """Return the path by which Canvas or Moodle, and ``SCHEMES``, know whose page a zip file of feedback holds.

    ``file`` is the path of what was handed in; "" is returned where it does not say.
    """
    parts = file.split("/")
    if platform == "canvas":
        found = _CANVAS_ANONYMOUS.fullmatch(parts[-1]) or _CANVAS.fullmatch(parts[-1])
        return parts[-1][: found.start("file")] + _PAGE if found else ""
    found = next(filter(None, map(_MOODLE.fullmatch, parts)), None)
    return f"{found['name']}_assignsubmission_file_/{_PAGE}" if found else ""


SCHEMES: dict[str, Scheme] = {
    "auto": by_either,
    "stem": by_stem,
    "folder": by_folder,
    "canvas": by_canvas,
    "moodle": by_moodle,
}


def suggestion(names: str, paths: list[tuple[str, ...]]) -> str:
    """Return the platform whose names all these paths bear although another way of naming was chosen, else ""."""
    for platform in ("canvas", "moodle") if names in ("auto", "stem", "folder") else ():
        if paths and all(isinstance(SCHEMES[platform](parts), Owner) for parts in paths):
            return platform
    return ""


def is_notebook(name: str) -> bool:
    """Return whether a file's name is a notebook's."""
    return _NOTEBOOK.search(name) is not None


def is_hidden(part: str) -> bool:
    """Return whether a file or folder is none of the student's: Jupyter's checkpoints, what macOS puts into zips."""
    return part.startswith(".") or part == "__MACOSX"


def readable(name: str) -> str:
    """Return a name in the one form in which it is compared, kept and shown; two names never become one.

    Accents come composed, since macOS writes the same name in another way. What cannot be seen is written out as
    Python does it, \\x1b or \\u202e: bytes that are no UTF-8, too, all spaces but the ordinary one, and that one at the
    ends. So is a backslash that could be taken for the beginning of such.
    """
    text = re.sub(r"\\(?=[xuU])", r"\\x5c", unicodedata.normalize("NFC", name))
    begin, end = len(text) - len(text.lstrip(" ")), len(text.rstrip(" "))
    if begin < end:
        text = _written(" ") * begin + text[begin:end] + _written(" ") * (len(text) - end)
    else:
        text = _written(" ") * len(text)
    return unicodedata.normalize("NFC", "".join(one if _can_be_seen(one) else _written(one) for one in text))


def _can_be_seen(character: str) -> bool:
    return character.isprintable() and not _BLANK.match(character)


def _written(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 2**8 else f"\\u{code:04x}" if code < 2**16 else f"\\U{code:08x}"


_WHITE = "|".join(re.escape(_written(one)) for one in map(chr, range(2**16)) if one.isspace())


def without_ends(name: str) -> str:
    """Return a name in its normal form without the white space at its ends."""
    return re.sub(rf"^(?:{_WHITE})+|(?:{_WHITE})+\Z", "", name)


def quoted(name: str) -> str:
    """Return a file's name as our sentences quote it: in backticks, which nothing else there has."""
    text = name.replace("`", "'")
    return f"`{text}`" if len(text) <= _LONGEST else f"`{text[: _LONGEST - 1]}…`"


def without_names(sentence: str) -> str:
    """Return one of our sentences about files without their names."""
    return re.sub("`[^`]*`", "a file", sentence)


def some(items: list[str], most: int) -> str:
    """Return the first items in a line, and how many more there are."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more


def _split(name: str) -> tuple[str, str]:
    if (found := _NOTEBOOK.search(name)) and found.start():
        return name[: found.start()], NOTEBOOK
    stem, dot, suffix = name.rpartition(".")
    return (stem, dot + suffix.lower()) if stem else (name, "")
