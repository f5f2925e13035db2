"""Zip archives that nobody vouches for: listed and read piece by piece, never unpacked onto the disk.

A name in an archive is only a label here: no path that it gives is ever opened. What an archive says of its sizes
is not believed either: reading stops at the limits, whatever was announced.
"""

from __future__ import annotations

import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import BinaryIO

MAX_RATIO = 500  # plain text that repeats itself reaches a few hundred
RATIO_FROM = 10_000_000  # smaller files do no harm, however well they are packed
MAX_NAME = 255  # characters of a file's or a folder's name: file systems allow no more bytes
_STEP = 2**18
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for gigabytes before the first byte comes
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError, OverflowError)
_TIMESTAMP = 0x5455  # the extra field that holds a time with its zone


class BadArchive(ValueError):
    """An archive, or a file in it, that cannot be read; its text is the second half of a sentence."""


@dataclass(frozen=True)
class Member:
    """One file in an archive: its path's parts as they stand there, and when the archive says it was made."""

    parts: tuple[str, ...]
    is_folder: bool
    _info: zipfile.ZipInfo
    _archive: zipfile.ZipFile

    @property
    def time(self) -> datetime | None:
        """Return the entry's time, in local time where it names no zone, None for none that is believable."""
        exact = _timestamp(self._info.extra)
        try:
            if exact is not None:
                return datetime.fromtimestamp(exact, UTC)
            return datetime(*self._info.date_time).astimezone() if self._info.date_time[0] > 1980 else None
        except (ValueError, OverflowError, OSError):
            return None

    def chunks(self, limit: int) -> Iterator[bytes]:
        """Yield the file's bytes, at most ``limit``; raises BadArchive for more, and for what cannot be read."""
        _must_be_readable(self._info, limit)
        left = limit
        try:
            with self._archive.open(self._info) as file:
                while chunk := file.read(min(_STEP, left + 1)):
                    left -= len(chunk)
                    if left < 0:
                        raise BadArchive(f"is larger than {limit // 1_000_000} MB when unpacked")
                    yield chunk
        except BadArchive:
            raise
        except _BROKEN:
            raise BadArchive("is damaged in its zip file") from None


def _must_be_readable(info: zipfile.ZipInfo, limit: int) -> None:
    if info.flag_bits & 0x1:
        raise BadArchive("is encrypted, and no password can be given here")
    if info.compress_type not in _METHODS:
        raise BadArchive("is packed in a way that cannot be read here: pack it as an ordinary zip file")
    if info.file_size > limit:
        raise BadArchive(f"is larger than {limit // 1_000_000} MB when unpacked")
    if info.file_size > RATIO_FROM and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        raise BadArchive(f"unpacks to more than {MAX_RATIO} times its size")


class Archive:
    """An open zip file's list of files; ``left_out`` has a pair for each entry that may not be read, name and reason.

    Raises BadArchive where the file is no zip file, is damaged, or lists more than ``max_entries`` files.
    """

    def __init__(self, file: BinaryIO, max_entries: int) -> None:
        try:
            self._archive = zipfile.ZipFile(_Guarded(file, 400 * max_entries))  # 46 bytes and a long path for each
        except BadArchive:
            raise
        except _BROKEN:
            raise BadArchive("is not a zip file, or it is damaged") from None
        infos = self._archive.infolist()
        if len(infos) > max_entries:
            raise BadArchive(f"holds more than {max_entries:,} files")
        self.members: list[Member] = []
        self.left_out: list[tuple[str, str]] = []
        for info in infos:
            self._take(info)

    def _take(self, info: zipfile.ZipInfo) -> None:
        name = _name(info)
        parts = tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))
        problem = _problem(name, parts, info)
        if problem:
            self.left_out.append((name, problem))
        elif parts:
            self.members.append(Member(parts, name[-1:] in "/\\", info, self._archive))


def _problem(name: str, parts: tuple[str, ...], info: zipfile.ZipInfo) -> str:
    """Return why an entry is left out, "" for one that may stay."""
    if ".." in parts or name[:1] in ("/", "\\") or re.match(r"[A-Za-z]:", name):
        return "its path leads out of the archive"
    if max(map(len, parts), default=0) > MAX_NAME:
        return "its name is too long"
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "a symbolic link"
    return "not an ordinary file" if kind not in (0, stat.S_IFREG, stat.S_IFDIR) else ""


def _name(info: zipfile.ZipInfo) -> str:
    """Return an entry's name: many programs write UTF-8 without saying so, which reads as code page 437."""
    name = info.orig_filename.partition("\0")[0]
    if info.flag_bits & 0x800:
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _timestamp(extra: bytes) -> int | None:
    """Return the seconds since 1970 of the extended timestamp among an entry's extra fields, if there is one."""
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        body, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _TIMESTAMP and len(body) >= 5 and body[0] & 1:
            return struct.unpack("<i", body[1:5])[0]
    return None


class _Guarded:
    """A file of which no more than ``limit`` bytes are read at once.

    zipfile reads the whole list of files in one piece, as long as the archive says that it is, before anybody
    can count its entries.
    """

    def __init__(self, file: BinaryIO, limit: int) -> None:
        self._file = file
        self._limit = max(limit, 2 * _STEP)
        self.seek, self.tell = file.seek, file.tell

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size if 0 <= size <= self._limit else self._limit + 1)
        if len(data) > self._limit:
            raise BadArchive("holds more files than can be read")
        return data

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
