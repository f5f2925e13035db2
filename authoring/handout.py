"""Packs what students get into one zip file: the course without solutions, tests and grading.

What goes along is what git tracks, as it lies in the working tree. README.md and the Makefile go without what stands
between two lines "not in a handout" and "in a handout again"; links of README.md to what is not packed become text.
"""

from __future__ import annotations

import posixpath
import re
import subprocess
import zipfile
from collections.abc import Collection, Mapping, Set
from pathlib import Path

from authoring import digests, opening
from authoring.diagnostics import refuse, relative

FILE, FOLDER = "_handout/depth-course.zip", "depth-course"
TIME = (1980, 1, 1, 0, 0, 0)  # of all files in it, so that equal contents make equal bytes; zip knows no earlier one
PACKED = (
    "CITATION.cff",
    "LICENSE",
    "Makefile",
    "README.md",
    "conftest.py",
    "pyproject.toml",
    "requirements.txt",
    opening.PICTURE,
    "exercises/*.ipynb",
    "notebooks/*.ipynb",
    "notebooks/*.py",  # where the lines stand that a blank leaves to its reader
    "reference/*.html",
    "reference/*.md",
    "results/*.json",
    "utils/**/*",
)
OPENS = "authoring/learn.py"  # and what it imports
CUT = ("README.md", "Makefile")
_LEFT_OUT = re.compile(
    r"^(?:<!--|#) not in a handout\b.*?^(?:<!--|#) in a handout again\b[^\n]*\n", re.DOTALL | re.MULTILINE
)
_HIDDEN = re.compile(r"(^|/)(\.|__pycache__/)")
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def write_handout(root: Path, out: Path | None = None) -> Path:
    """Return the path of the zip file written, ``out`` or FILE.

    Raises AuthoringError where an exercise notebook is not the one that was built: answers may be in it.
    """
    recorded, names = digests.load(root), packed(root)
    for name in (one for one in names if one.startswith("exercises/")):
        if digests.digest((root / name).read_bytes()) != recorded.get(name, {}).get("sha256"):
            raise digests.changed_stub(name)
    out = out or root / FILE
    if not names:
        raise refuse(relative(out, root), None, "there is no course here to pack. Name another folder.")
    write_zip(out, {f"{FOLDER}/{name}": _content(root, name, names) for name in names})
    print(
        f"{relative(out, root)}: {len(names)} files, {out.stat().st_size / 1e6:.1f} MB. Students unpack it and run "
        f"make learn in {FOLDER}/. Or they open one of its notebooks in Colab and drag the zip file beside it."
    )
    return out


def write_zip(out: Path, contents: Mapping[str, bytes], mode: int = 0o644) -> None:
    """Write a zip file of these contents by path, in their order; equal contents make equal bytes."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, mode << 16
            archive.writestr(entry, content)


def packed(root: Path) -> list[str]:
    """Return the paths of what is packed, sorted: of the patterns and of what opens the course, what git tracks."""
    found = {relative(path, root) for pattern in PACKED for path in root.glob(pattern) if path.is_file()}
    return tracked(root, found | set(digests.files_of([root / OPENS], root, ("authoring",))))


def tracked(root: Path, paths: Set[str]) -> list[str]:
    """Return those of the paths that git tracks, sorted; where it tracks nothing, all but hidden and compiled files."""
    known = _tracked(root)
    return sorted(paths & known if known else (one for one in paths if not _HIDDEN.search(one)))


def _tracked(root: Path) -> frozenset[str]:
    """Return the paths that git tracks in the course; none where it cannot tell."""
    try:
        done = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True)
    except OSError:
        return frozenset()
    return frozenset(done.stdout.split("\0")) - {""} if done.returncode == 0 else frozenset()


def _content(root: Path, name: str, names: Collection[str]) -> bytes:
    content = (root / name).read_bytes()
    if name not in CUT:
        return content
    text = for_students(content.decode("utf-8"))
    return (with_links(text, names) if name.endswith(".md") else text).encode()


def for_students(text: str) -> str:
    """Return a text without what stands between two lines "not in a handout" and "in a handout again"."""
    return re.sub(r"\n{3,}", "\n\n", _LEFT_OUT.sub("", text))


def with_links(text: str, names: Collection[str]) -> str:
    """Return Markdown whose links to files that are not among ``names`` are their words alone."""

    def put(match: re.Match) -> str:
        away = re.match(r"\w+:", match[3])
        return match[0] if away or posixpath.normpath(match[3]) in names else match[2]

    return _LINK.sub(put, text)
