"""Stamps a public address and tag on the course, or none; nothing runs, and outputs stay as they are.

What the stamp is on: the two lines of pyproject.toml, from which all else follows: the badges of README.md and the
notebooks, their links into Colab, the generated set-up cells, and CITATION.cff. The digests follow, so that the check
is as content afterwards as it was before.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from nbformat import NotebookNode

from authoring import digests, links, readme
from authoring.building import BuildPlan, plan, write_all
from authoring.checking import difference, parse
from authoring.course import Address, Page, address, all_pages, new_address
from authoring.diagnostics import AuthoringError, refuse, relative, stop_on
from authoring.notebook import GENERATED, cell_id, write_text
from authoring.set_up import set_up

STILL_TO_DO = """\
To publish it at {0.repository}:
- name the authors in CITATION.cff, then commit everything;
- give that commit the tag, `git tag {0.tag}`, and push the branch and the tag;
- make the repository public: Colab's badges and the set-up cells can read no other.
Until then no badge leads anywhere."""


def restamp(root: Path, repository: str | None = None, tag: str | None = None) -> None:
    """Stamp the course, with what pyproject.toml says where nothing is given, and say which files changed.

    Raises AuthoringError, and changes no file, where one cannot be stamped. A notebook that is not what the last build
    wrote is such a one, and so is one whose source was edited since.
    """
    where = address(root) if repository is None else new_address(repository, tag or "")
    recorded, texts, diagnostics = digests.load(root), {}, []
    for page in all_pages(root):
        try:
            planned = plan(page, where)
            for folder in page.folders:
                notebook = _stored(page, folder, recorded)
                text = (
                    _stamped(planned, folder, notebook, where)
                    if folder in planned.built
                    else _stub(page, where, notebook)
                )
                texts[page.notebook(folder)] = text
        except AuthoringError as error:
            diagnostics += error.diagnostics
    stop_on(diagnostics)
    for path, text in texts.items():
        recorded[relative(path, root)]["sha256"] = digests.digest(text.encode())
    if texts:
        texts[root / digests.FILE] = digests.text(recorded)
    edits = {"CITATION.cff": _citation, readme.FILE: lambda text, where: readme.with_lessons(text, root, where)}
    for name, edit in (({"pyproject.toml": _settings} if repository is not None else {}) | edits).items():
        if (root / name).exists():
            texts[root / name] = edit((root / name).read_bytes().decode("utf-8"), where)
    changed = ", ".join(relative(path, root) for path in write_all(texts))
    shown = f"{where.repository} at {where.tag}" if where else "no address"
    print(f"{shown}: " + (f"wrote {changed}." if changed else "nothing has changed."))
    if where:
        print(STILL_TO_DO.format(where))


def _stored(page: Page, folder: str, recorded: digests.Digests) -> NotebookNode:
    """Return a stored notebook; raises AuthoringError where it is not what the last build wrote."""
    path = page.notebook(folder)
    shown = relative(path, page.root)
    if not path.exists():
        raise refuse(shown, None, f"missing. {_again(page)}")
    content = path.read_bytes()
    if digests.digest(content) != recorded.get(shown, {}).get("sha256"):
        if folder == "exercises":
            raise digests.changed_stub(shown)
        raise refuse(shown, None, f"changed since it was built, by hand or by running it. {_again(page)}")
    return parse(content.decode("utf-8"), shown)


def _stamped(planned: BuildPlan, folder: str, notebook: NotebookNode, where: Address | None) -> str:
    """Return the notebook's text with the generated cells of the plan; raises AuthoringError."""
    page, built = planned.page, planned.built[folder]
    for ours, theirs in zip(built.notebook.cells, notebook.cells, strict=False):
        if built.lines[ours.id] == GENERATED:
            theirs.source, theirs["id"] = ours.source, ours.id
    _link(notebook, folder, where)
    text = write_text(notebook)
    found = difference(built, notebook)
    if found or (folder == "exercises" and text != write_text(built.notebook)):
        shown = relative(page.notebook(folder), page.root)
        raise refuse(shown, None, f"{found or 'not what its source makes'}. {_again(page)}")
    return text


def _stub(page: Page, where: Address | None, notebook: NotebookNode) -> str:
    """Return a stub's text with the cells that an address changes, where there is no solution to make it from."""
    head, foot = links.around(page, "exercises", where)
    first_code = next(cell for cell in notebook.cells if cell.cell_type == "code")
    for cell, text in ((notebook.cells[0], head), (first_code, set_up(where)), (notebook.cells[-1], foot)):
        cell.source, cell["id"] = text, cell_id(cell.cell_type, text, 1)
    _link(notebook, "exercises", where)
    return write_text(notebook)


def _link(notebook: NotebookNode, folder: str, where: Address | None) -> None:
    """Have the links of a notebook's prose lead to the address, or, without one, from folder to folder."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = links.published(links.at_home(cell.source, folder), folder, where)


def _again(page: Page) -> str:
    return f"Build lesson {page.number}, then stamp again."


def _settings(text: str, where: Address) -> str:
    """Return pyproject.toml's text with the address in its table; raises AuthoringError where that cannot be done."""
    wanted = {"repository": where.repository, "tag": where.tag}
    before, head, rest = text.partition("[tool.course]\n")
    table, bracket, after = rest.partition("\n[")
    for key, value in wanted.items():
        table = re.sub(rf'^({key}\s*=\s*)(["\']).*?\2', rf'\g<1>"{value}"', table, flags=re.MULTILINE)
    changed = "".join([before, head, table, bracket, after])
    try:
        stamped = wanted.items() <= tomllib.loads(changed)["tool"]["course"].items()
    except (ValueError, KeyError, AttributeError):
        stamped = False
    if not stamped:
        advice = "Write repository and tag there on lines of their own, in quotes."
        raise refuse("pyproject.toml", None, f"[tool.course] is not of the form that can be stamped. {advice}")
    return changed


def _citation(text: str, where: Address | None) -> str:
    """Return CITATION.cff's text with the address and the version; in quotes, since YAML takes 1.2 for a number."""
    text = re.sub(r"^repository-code:.*\n?", "", text, flags=re.MULTILINE)
    if where is None:
        return text
    text = f"{text.rstrip()}\nrepository-code: {where.repository}\n"
    return re.sub(r"^(version:)[^\r\n]*", rf'\1 "{where.tag.removeprefix("v")}"', text, flags=re.MULTILINE)
