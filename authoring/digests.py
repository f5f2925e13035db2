"""What the built files were made from: authoring/digests.json."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from authoring.course import Page
from authoring.diagnostics import refuse, relative
from utils.rooms import file_of

FILE = "authoring/digests.json"
REQUIREMENTS = "requirements.txt"
CLAIMS = "utils/claims/__init__.py"
Digests = dict[str, dict[str, object]]


def digest(content: bytes) -> str:
    """Return the SHA-256 of ``content`` in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def load(root: Path) -> Digests:
    """Return the recorded digests by built file; raises AuthoringError where the file is damaged."""
    path = root / FILE
    try:
        recorded = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except ValueError:
        recorded = None
    if not isinstance(recorded, dict) or not all(isinstance(entry, dict) for entry in recorded.values()):
        raise refuse(FILE, None, "this is not what a build wrote. Take it back with `git checkout`, or delete it.")
    return recorded


def text(digests: Digests) -> str:
    """Return the file's text."""
    return json.dumps(digests, indent=1, sort_keys=True) + "\n"


def inputs(page: Page, folder: str) -> dict[str, str]:
    """Return the digests of the source in ``folder``, of all modules of utils that it imports, and of the pins."""
    paths = [page.source(folder), *filter(Path.exists, [page.root / REQUIREMENTS])]
    if folder == "solutions":
        paths.append(page.definitions)
    found = made_from(paths, page.root)
    if CLAIMS in found:  # imported, so that the page shows claims: their module and what was recorded count, too
        claims = file_of(page.room, "claims")
        records = sorted((page.root / "results").glob(f"{page.number}_*.json"))
        found |= made_from([*([claims] if claims else []), *records], page.root)
    return found


def changed_inputs(page: Page, folder: str, recorded: Digests) -> list[str]:
    """Return the paths, sorted, of what the notebook is made from that are not what it was made from."""
    before, now = (
        recorded.get(relative(page.notebook(folder), page.root), {}).get("made from", {}),
        inputs(page, folder),
    )
    return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))


def made_from(paths: Sequence[Path], root: Path, packages: Sequence[str] = ("utils",)) -> dict[str, str]:
    """Return the digests of these files and of all modules of the packages that they import, by path."""
    waiting, found, seen = list(paths), {}, set()
    while waiting:
        path = waiting.pop()
        shown = relative(path, root)
        if shown not in found:
            content = path.read_bytes()
            found[shown] = digest(content)[:16]
            if path.suffix == ".py":
                names = {name for name in _imported(content, shown) if name[0] in packages} - seen
                waiting += [file for name in names for file in _files(root, name)]
                seen |= names
    return found


def _files(root: Path, name: Sequence[str]) -> list[Path]:
    """Return the files of the module or package with this name, in parts: with its script, or the scripts in it."""
    place = root.joinpath(*name)
    scripts = [path for path in sorted(place.glob("*.js")) if not path.with_suffix(".py").exists()]
    return [path for way in (".py", ".js", "/__init__.py") if (path := Path(f"{place}{way}")).is_file()] + scripts


@cache
def _imported(content: bytes, shown: str) -> frozenset[tuple[str, ...]]:
    """Return the names, in parts, that the code of this file imports anywhere, with the packages that they are in."""
    names: set[str] = set()
    try:
        waiting: list[ast.AST] = [ast.parse(content)]
    except SyntaxError:
        return frozenset()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, shown)
            names.update([base, *(f"{base}.{alias.name}" for alias in node.names)])
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):  # no expression has an import in it
            waiting += getattr(node, block, [])
    return frozenset(tuple(name.split(".")[:n]) for name in names for n in range(1, name.count(".") + 2))


def _absolute(node: ast.ImportFrom, shown: str) -> str:
    if not node.level:
        return node.module or ""
    package = shown.split("/")[: -node.level]
    return ".".join([*package, *([node.module] if node.module else [])])
