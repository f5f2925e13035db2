"""Files, folders, links and names that are not what a submission should be."""

from __future__ import annotations

import io
import os
import socket
import zipfile
from pathlib import Path

from grading.export import page_name
from tests.grading.hostile import HONEST, World, kind, notebook, saved, solutions


def honest() -> bytes:
    """Return a notebook that has earned the two points of exercise 01.3."""
    return saved(notebook({HONEST: solutions()[HONEST]}))


@kind("A link to somebody's file is not followed.", status="absent", quick=True)
def linked_file(world: World) -> None:
    (world.submissions / "linked-file.ipynb").symlink_to(world.outside / "secret.txt")


@kind("Nor one to the marks themselves.", status="absent")
def linked_gradebook(world: World) -> None:
    (world.submissions / "linked-gradebook.ipynb").symlink_to(world.out / "results.sqlite")


@kind("Nor one to a device that never ends.", status="absent")
def linked_device(world: World) -> None:
    (world.submissions / "linked-device.ipynb").symlink_to("/dev/zero")


@kind("A link within a student's folder is no notebook of theirs.", status="unreadable")
def folder_of_links(world: World) -> None:
    folder = world.submissions / "folder-of-links"
    folder.mkdir()
    (folder / "work.ipynb").symlink_to(world.submissions / "solved.ipynb")
    (folder / "everything").symlink_to("/")
    (folder / "again").symlink_to(".")


@kind("A pipe that nobody writes to keeps nobody waiting.", status="absent")
def named_pipe(world: World) -> None:
    os.mkfifo(world.submissions / "named-pipe.ipynb")


@kind("A pipe in a student's folder is no notebook either.", status="unreadable")
def named_pipe_in_a_folder(world: World) -> None:
    (world.submissions / "named-pipe-in-a-folder").mkdir()
    os.mkfifo(world.submissions / "named-pipe-in-a-folder" / "work.ipynb")


@kind("A socket is no notebook.", status="absent")
def socket_file(world: World) -> None:
    here = os.getcwd()
    os.chdir(world.submissions)  # a socket's path may have a hundred letters
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("socket-file.ipynb")
    finally:
        os.chdir(here)


@kind(
    "A folder that is called like a notebook is a student's folder, an empty one.",
    status="unreadable",
    name="folder-like-a-notebook.ipynb",
)
def folder_like_a_notebook(world: World) -> None:
    (world.submissions / "folder-like-a-notebook.ipynb").mkdir()


@kind("Folders below folders are looked through, to a sensible depth ...")
def deep_folders(world: World) -> None:
    folder = world.submissions / "deep-folders"
    folder = folder.joinpath(*["deeper"] * 12)
    folder.mkdir(parents=True)
    (folder / "work.ipynb").write_bytes(honest())


@kind("... and no deeper.", status="unreadable")
def folders_without_end(world: World) -> None:
    folder = world.submissions / "folders-without-end"
    folder = folder.joinpath(*["deeper"] * 100)
    folder.mkdir(parents=True)
    (folder / "work.ipynb").write_bytes(honest())


@kind("Two notebooks that both answer are for a person to decide.", status="unreadable")
def two_notebooks(world: World) -> None:
    folder = world.submissions / "two-notebooks"
    folder.mkdir()
    (folder / "one.ipynb").write_bytes(honest())
    (folder / "two.ipynb").write_bytes(saved(notebook(solutions())))


# Odd names of students with honest work: the name, how the grades show it ("": as it is), and why it is here.
NAMES = [
    ("=cmd|' !A0'", "'=cmd|' !A0'", "A name may be a formula: no spreadsheet takes it for one."),
    ("<script>alert(1)<", "", "A name may be markup: no page takes it for that."),
    ("--out=elsewhere", "'--out=elsewhere", "A name may look like an option."),
    (
        "x;=1+1\t@2",
        "x;'=1+1\\x09@2",
        "Behind a separator that other countries' spreadsheets take it is a formula just as well.",
    ),
    (
        'a\n"solved",01,graded,15',
        'a\\x0a"solved",01,graded,15',
        "A name may have a line's end, quotes and commas in it, and stays one row.",
    ),
    ("gnp\u202ebynpi", "gnp\\u202ebynpi", "A name that reads backwards is a name."),
    ("n" * 249, "", "A name as long as the file system allows has a page all the same."),
    ("CON", "", "A name that some systems keep for devices has a page all the same."),
    ("Solved", "", "Names that differ in case only are two students."),
    (
        page_name("solved").removesuffix(".html"),
        "",
        "A name that is made like the name of somebody's page has a page of its own.",
    ),
    (" solved ", "\\x20solved\\x20", "White space at the ends of a name can be seen, and is somebody else's."),
    (
        "sol\u200bved\U000e0041\u3164",
        "sol\\u200bved\\U000e0041\\u3164",
        "So can characters of no width, which look like nothing.",
    ),
    (
        "\\x20solved\\x20",
        "\\x5cx20solved\\x5cx20",
        "What is written out of another name is one's own when it stands in a name.",
    ),
]
QUICK = ("=cmd|' !A0'", "<script>alert(1)<", "sol\u200bved\U000e0041\u3164")
for name, shown, why in NAMES:
    kind(why, name=name, shown=shown, quick=name in QUICK)(lambda world: honest())


@kind(
    "A name that begins with a dot is a hidden file, as of a Mac's archives, and leads nowhere.",
    name="...",
    status="absent",
)
def dots(world: World) -> bytes:
    return honest()


@kind("A name of bytes that are no text is written out.", name="no-text", shown="no-text-\\udcff\\udcfe")
def no_text(world: World) -> None:
    path = os.fsencode(world.submissions / "no-text-") + b"\xff\xfe.ipynb"
    with open(path, "wb") as file:
        file.write(honest())


def zipped(world: World, name: str, entries: dict[str, bytes], *, link: str = "") -> Path:
    """Write a zip file of these entries, one of them a symbolic link to ``link`` where that is given."""
    path = world.submissions / f"{name}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, data in entries.items():
            archive.writestr(entry, data)
        if link:
            info = zipfile.ZipInfo("linked.ipynb")
            info.external_attr = 0o120777 << 16
            archive.writestr(info, link)
    return path


@kind("Paths in a zip file that lead out of it are names of nothing; the notebook beside them counts.", quick=True)
def zip_that_leads_out(world: World) -> None:
    better = saved(notebook(solutions()))
    outside = str(world.outside / "unzipped.ipynb")
    entries = {"work.ipynb": honest(), "../solved.ipynb": better, outside: better, "a/../../up.ipynb": better}
    zipped(world, "zip-that-leads-out", {**entries, "..\\back.ipynb": better, "C:\\drive.ipynb": better})


@kind("Links in a zip file are not followed.")
def zip_of_links(world: World) -> None:
    zipped(world, "zip-of-links", {"work.ipynb": honest()}, link=str(world.submissions / "solved.ipynb"))


@kind("A zip file that unpacks to a thousand times its size is refused before it is unpacked.", status="unreadable")
def zip_bomb(world: World) -> None:
    with zipfile.ZipFile(world.submissions / "zip-bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open("work.ipynb", "w", force_zip64=True) as file:
            for _ in range(400):
                file.write(bytes(2**20))


@kind("One that lies about its size is read no further than the limit.", status="unreadable")
def zip_that_lies(world: World) -> None:
    path = zipped(world, "zip-that-lies", {"work.ipynb": b'{"cells": ["' + b"x" * 60_000_000 + b'"]}'})
    data = path.read_bytes()
    size = (60_000_015).to_bytes(4, "little")
    assert data.count(size) == 2
    path.write_bytes(data.replace(size, (1_000).to_bytes(4, "little")))


@kind("Zip files in zip files are not unpacked without end.", status="unreadable")
def zip_in_zip(world: World) -> None:
    data = honest()
    for depth in range(40):
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("work.ipynb" if depth == 0 else "work.zip", data)
        data = inner.getvalue()
    (world.submissions / "zip-in-zip.zip").write_bytes(data)


@kind("A zip file of a hundred thousand entries is refused, or looked through in time.", status="unreadable")
def zip_of_many(world: World) -> None:
    with zipfile.ZipFile(world.submissions / "zip-of-many.zip", "w") as archive:
        for number in range(100_000):
            archive.writestr(f"{number}.ipynb", b"")


@kind("A zip file that was cut off is unreadable.", status="unreadable")
def truncated_zip(world: World) -> None:
    path = zipped(world, "truncated-zip", {"work.ipynb": honest()})
    path.write_bytes(path.read_bytes()[:-30])


@kind("Something else that is called a zip file is unreadable.", status="unreadable")
def false_zip(world: World) -> None:
    (world.submissions / "false-zip.zip").write_bytes(honest())
