"""Stamps another public address and tag on the course, for a fork; nothing runs, and outputs stay as they are.

What the stamp is on: pyproject.toml, README.md's badges, CITATION.cff, and in each notebook the badge and the
generated set-up cell. The digests follow, so that the check is as content afterwards as it was before.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from nbformat import NotebookNode

from authoring import digests
from authoring.building import BuildPlan, changed_stub, plan, write_all
from authoring.checking import difference, parse
from authoring.course import Address, all_pages, github_name, new_address
from authoring.diagnostics import AuthoringError, refuse, relative, stop_on
from authoring.notebook import write_text
from utils.exercises import cells

_BADGE = re.compile(
    r"(colab\.research\.google\.com/github/)[^/\s)]+/[^/\s)]+/blob/\S+?(/(?:notebooks|solutions|exercises)/\w+\.ipynb)"
)
_TABLE = re.compile(r"^\[tool\.course\][^\n]*\n(?:(?!\[)[^\n]*(?:\n|\Z))*", re.MULTILINE)


def restamp(root: Path, repository: str, tag: str, say: Callable[[str], None] = print) -> list[str]:
    """Return the files that changed, and say so; raises AuthoringError, and changes none, where one cannot be stamped.

    A notebook that is not what the last build wrote is such a one, and so is one whose source was edited since.
    """
    where = new_address(repository, tag)
    recorded, texts, problems = digests.load(root), {}, []
    for page in all_pages(root):
        try:
            texts |= _notebooks(plan(page, where), recorded)
        except AuthoringError as error:
            problems += error.problems
    stop_on(problems)
    for path, text in texts.items():
        shown = relative(path, root)
        recorded[shown] = {**recorded.get(shown, {}), "sha256": digests.digest(text.encode())}
    texts |= _pages(root, where)
    if recorded:
        texts[root / digests.FILE] = digests.text(recorded)
    changed = [relative(path, root) for path in write_all(texts)]
    say(
        f"{where.repository} at {where.tag}: " + (f"wrote {', '.join(changed)}." if changed else "nothing has changed.")
    )
    return changed


def _notebooks(planned: BuildPlan, recorded: digests.Digests) -> dict[Path, str]:
    """Return the new texts of a page's notebooks; raises AuthoringError with all that are not as they were built."""
    texts, problems = {}, []
    for folder in planned.page.folders:
        try:
            texts[planned.page.notebook(folder)] = _notebook(planned, folder, recorded)
        except AuthoringError as error:
            problems += error.problems
    stop_on(problems)
    return texts


def _notebook(planned: BuildPlan, folder: str, recorded: digests.Digests) -> str:
    page, built = planned.page, planned.built[folder]
    path, again = page.notebook(folder), f"Build lesson {page.number}, then stamp again."
    shown = relative(path, page.root)
    if not path.exists():
        raise refuse(shown, None, f"missing. {again}")
    content = path.read_bytes()
    if digests.digest(content) != recorded.get(shown, {}).get("sha256"):
        if folder == "exercises":
            raise changed_stub(shown)
        raise refuse(shown, None, f"changed since it was built, by hand or by running it. {again}")
    notebook = parse(content.decode("utf-8"), shown)
    _stamp_cells(notebook, built.notebook)
    text = write_text(notebook)
    found = difference(built, notebook)
    if found or (folder == "exercises" and text != write_text(built.notebook)):
        raise refuse(shown, None, f"{found or 'not what its source makes'}. {again}")
    return text


def _stamp_cells(notebook: NotebookNode, wanted: NotebookNode) -> None:
    """Give ``notebook`` the badge and the set-up of ``wanted``, in place, where it has them at all."""
    for cells_of_kind in (_badges, _set_ups):
        for ours, theirs in zip(cells_of_kind(wanted), cells_of_kind(notebook), strict=False):
            theirs.source, theirs["id"] = ours.source, ours.id


def _badges(notebook: NotebookNode) -> Sequence[NotebookNode]:
    return [cell for cell in notebook.cells[:1] if cell.cell_type == "markdown" and _BADGE.search(cell.source)]


def _set_ups(notebook: NotebookNode) -> Sequence[NotebookNode]:
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [cell for cell in code[:1] if cells.is_set_up(cell.source)]


def _pages(root: Path, where: Address) -> dict[Path, str]:
    """Return the new texts of pyproject.toml, and of README.md and CITATION.cff where the course has them."""
    edits = {
        "pyproject.toml": _settings_text,
        "README.md": lambda text, at: _BADGE.sub(rf"\g<1>{github_name(at)}/blob/{at.tag}\g<2>", text),
        "CITATION.cff": _citation_text,
    }
    files = {root / name: edit for name, edit in edits.items() if (root / name).exists()}
    return {path: edit(path.read_bytes().decode("utf-8"), where) for path, edit in files.items()}


def _settings_text(text: str, where: Address) -> str:
    """Return pyproject.toml's text with the address in its table; raises AuthoringError where that cannot be done."""
    wanted = {"name": where.folder, "repository": where.repository, "tag": where.tag}
    table = _TABLE.search(text)
    new = table[0] if table else ""
    for key, value in wanted.items():
        new = re.sub(rf'^({key}\s*=\s*)(["\']).*?\2', rf'\g<1>"{value}"', new, flags=re.MULTILINE)
    changed = text.replace(table[0], new) if table else text
    if not _differ_only_in(wanted, text, changed):
        advice = "Write repository and tag there on lines of their own, in quotes."
        raise refuse("pyproject.toml", None, f"[tool.course] is not of the form that can be stamped. {advice}")
    return changed


def _differ_only_in(wanted: dict[str, str], old: str, new: str) -> bool:
    """Return whether the settings ``new`` are ``old`` with these values in their table of the course."""
    try:
        before, after = tomllib.loads(old), tomllib.loads(new)
        course = before["tool"]["course"]
        course |= {key: value for key, value in wanted.items() if key != "name" or key in course}
    except (ValueError, KeyError, TypeError):
        return False
    return before == after


def _citation_text(text: str, where: Address) -> str:
    """Return CITATION.cff's text with the address and the version; in quotes, since YAML takes 1.2 for a number."""
    text = re.sub(r"^(repository-code:)[^\r\n]*", rf"\1 {where.repository}", text, flags=re.MULTILINE)
    return re.sub(r"^(version:)[^\r\n]*", rf'\1 "{where.tag.removeprefix("v")}"', text, flags=re.MULTILINE)
