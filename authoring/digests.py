"""What the built files were made from: authoring/digests.json."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from authoring.course import SOURCES, Lesson, Page
from authoring.diagnostics import AuthoringError, Diagnostic, refuse, relative
from utils.rooms import file_of

FILE = "authoring/digests.json"
REQUIREMENTS = "requirements.txt"
CLAIMS = "utils/claims/__init__.py"
Digests = dict[str, dict[str, Any]]


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
    if folder == "solutions" and isinstance(page, Lesson):
        paths.append(page.definitions)
    found = made_from(paths, page.root)
    if CLAIMS in found:  # imported, so that the page shows claims: their module and what was recorded count, too
        claims = file_of(page.room, "claims")
        records = sorted((page.root / "results").glob(f"{page.number}_*.json"))
        found |= made_from([*([claims] if claims else []), *records], page.root)
    return found


def changed_inputs(page: Page, folder: str, recorded: Digests) -> list[str]:
    """Return the paths, sorted, of what the notebook is made from that are not what it was made from."""
    before, now = _made_from(recorded.get(relative(page.notebook(folder), page.root), {})), inputs(page, folder)
    return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))


def _made_from(entry: Mapping[str, Any]) -> Mapping[str, str]:
    return entry.get("made from", {})


def own_changes(page: Page, changed: Iterable[str]) -> list[str]:
    """Return those of the changed paths that are the page's own, its source, its lesson's room and records, or gone."""
    own = (f"utils/{page.room.name}/", f"results/{page.number}_")
    return [one for one in changed if one.startswith(own) or page.stem in one or not (page.root / one).exists()]


def changed_stub(shown: str) -> AuthoringError:
    """Return the error that reports a stub in which somebody's work is."""
    text = (
        "somebody changed this stub since it was built, and a build would lose that. "
        "Move it elsewhere (work/, say) if it holds answers, else delete it; then build again."
    )
    return refuse(shown, None, text)


def gone(root: Path, recorded: Digests) -> list[Diagnostic]:
    """Return which notebooks were made from files that are no more: nobody can tell whether these are up to date."""
    there = {name: _made_from(entry) for name, entry in recorded.items() if (root / name).exists()}
    lost = {name: [one for one in made if not (root / one).exists()] for name, made in there.items()}
    text = "was made from what does not exist any more, {}. Build its lesson."
    return [Diagnostic(name, None, text.format(", ".join(paths))) for name, paths in lost.items() if paths]


def made_from(paths: Sequence[Path], root: Path, packages: Sequence[str] = ("utils",)) -> dict[str, str]:
    """Return the digests of these files and of all modules of the packages that they import, by path."""
    return {shown: _fingerprint(path.read_bytes(), shown) for shown, path in files_of(paths, root, packages).items()}


def files_of(paths: Sequence[Path], root: Path, packages: Sequence[str] = ("utils",)) -> dict[str, Path]:
    """Return these files and those of all modules of the packages that they import, by their path from ``root``."""
    waiting, found = list(paths), {}
    seen: set[tuple[str, ...]] = set()
    while waiting:
        path = waiting.pop()
        shown = relative(path, root)
        if shown not in found:
            found[shown] = path
            if path.suffix == ".py":
                names = {name for name in _imported(path.read_bytes(), shown) if name[0] in packages} - seen
                waiting += [file for name in names for file in _files(root, name)]
                seen |= names
    return found


@cache
def _fingerprint(content: bytes, shown: str) -> str:
    """Return a file's digest; of a module, that of its parsed code: layout and wording make no page older."""
    if shown.endswith(".py") and not shown.startswith(SOURCES):
        try:
            content = "\n".join(_structure(ast.parse(content))).encode()
        except SyntaxError:
            pass  # as it stands, then; whoever imports it is told
    return digest(content)[:16]


_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _structure(node: ast.AST, said: list[str] | None = None) -> list[str]:
    """Return the code's nodes, without docstrings, and alike in all versions of Python: what is empty stands nowhere.

    A decorated function keeps its docstring, which may be its figure's alt text.
    """
    said = [] if said is None else said
    said.append(type(node).__name__)
    for name, value in ast.iter_fields(node):
        if name == "body" and isinstance(node, _DOCUMENTED) and not getattr(node, "decorator_list", None):
            value = value[1:] if ast.get_docstring(node, clean=False) is not None else value
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST):
                said.append(f"{name}(")
                _structure(one, said)
                said.append(")")
            elif one is not None or isinstance(value, list):  # {**a} has None for a key, which says where a stands
                said.append(f"{name}={one!r}")
    return said


def imported(path: Path, root: Path, packages: Sequence[str] = ("utils",)) -> list[Path]:
    """Return the files of the packages' modules that the module at ``path`` imports itself."""
    names = _imported(path.read_bytes(), relative(path, root))
    return [file for name in names if name[0] in packages for file in _files(root, name)]


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
