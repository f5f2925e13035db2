"""The cell that every notebook begins with: it finds the course's code, in whichever way the notebook was opened."""

from __future__ import annotations

import re

from authoring.course import Address

MARKER_FILE = "utils/exercises/cells.py"
_FIND = f"""\
at = pathlib.Path.cwd()
def course():
    places = at, *at.parents, *at.glob("*")
    return [str(p) for p in places if os.path.exists(p / "{MARKER_FILE}")][:1]
zips = glob.glob("depth-course*.zip") + glob.glob("drive/MyDrive/depth-course*.zip")
zips = sorted(filter(zipfile.is_zipfile, zips), key=os.path.getmtime)
if zips and not course():
    zipfile.ZipFile(zips[-1]).extractall()"""
# As builds wrote it before: students have notebooks of them, which are marked like others.
_EARLIER = (
    f"""\
# set-up: puts the course's code first on Python's path
import pathlib, sys
at = pathlib.Path.cwd()
found = [str(p) for p in (at, *at.parents) if (p / "{MARKER_FILE}").exists()]
sys.path[:0] = found[:1] or sys.exit(
    "No course in a folder above. Get the whole folder from whoever gave you this page."
    " (A copy with a public address would name it here, and fetch the course.)")""",
    f"""\
# set-up: puts the course's code first on Python's path;
# where no folder above has it, in Colab say, git fetches it
import pathlib, subprocess, sys
at = pathlib.Path("W0RD").absolute()
git = "git clone -q --depth 1 https://github.com/W0RD/W0RD"
find = lambda: [p for p in (*at.parents, at) if (p / "{MARKER_FILE}").exists()]
said = find() or subprocess.getoutput(f"{{git}} -b W0RD || {{git}}")
sys.path[:0] = map(str, find()[:1] or sys.exit(f"No course. git says:\\n{{said}}"))""",
)


def set_up(where: Address | None) -> str:
    """Return the code that puts the course first on sys.path.

    It looks in the folder of the notebook, in those above and in those right below, for an uploaded depth-course.zip,
    which it unpacks, and, where there is an address, has git clone it.
    """
    if where is None:
        return f"""\
# set-up: finds the course's code, in Colab that of depth-course.zip
import glob, os, pathlib, sys, zipfile
{_FIND}
sys.path[:0] = course() or sys.exit(
    "No course here, nor in a folder above or below. In Colab: 1. drag depth-course.zip"
    " into Files (the folder on the left); 2. run this cell again. Or put it in Drive"
    " once, and on each page, in a cell of your own above, run: from google.colab"
    " import drive; drive.mount('/content/drive')")"""
    return f"""\
# set-up: finds the course's code, or has git fetch it
import glob, os, pathlib, subprocess, sys, zipfile
{_FIND}
git = "git clone -q --depth 1 {where.repository}"
said = course() or subprocess.getoutput(f"{{git}} -b {where.tag} || {{git}}")
sys.path[:0] = course() or sys.exit(
    f"No course. If there is a folder {where.folder}, delete it, and run this cell again."
    f" git says:\\n{{said}}")"""


_ANY = "W0RD"
_ANYWHERE = Address(f"https://github.com/{_ANY}/{_ANY}", _ANY)
_SET_UPS = re.compile(
    "|".join(re.escape(one).replace(_ANY, r'[^\s"|,]+') for one in (set_up(None), set_up(_ANYWHERE), *_EARLIER))
)


def without_set_up(cell: str) -> str:
    """Return a cell without what ``set_up`` returned for whatever address: what somebody else has written there."""
    return _SET_UPS.sub("", cell, count=1).strip() if _SET_UPS.match(cell.lstrip()) else cell
