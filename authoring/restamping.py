"""Stamps another public address and tag on the course, for a fork; nothing runs, and outputs stay as they are.

What the stamp is on: pyproject.toml, README.md's badges, CITATION.cff, and in each notebook the badge and the
generated set-up cell. The digests follow, so that the check is as content afterwards as it was before.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from authoring import digests
from authoring.building import BuildPlan, changed_stub, plan, write_all
from authoring.checking import difference, parse
from authoring.course import Address, all_pages, github_name, new_address
from authoring.diagnostics import AuthoringError, refuse, relative, stop_on
from authoring.notebook import GENERATED, write_text

_BADGE = re.compile(
    r"(colab\.research\.google\.com/github/)[^/\s)]+/[^/\s)]+/blob/\S+?(/(?:notebooks|solutions|exercises)/)"
)


def restamp(root: Path, repository: str, tag: str) -> None:
    """Stamp the course, and say which files changed; raises AuthoringError, and changes none, where one cannot be.

    A notebook that is not what the last build wrote is such a one, and so is one whose source was edited since.
    """
    where = new_address(repository, tag)
    recorded, texts, diagnostics = digests.load(root), {}, []
    for page in all_pages(root):
        try:
            planned = plan(page, where)
            texts |= {page.notebook(folder): _notebook_text(planned, folder, recorded) for folder in page.folders}
        except AuthoringError as error:
            diagnostics += error.diagnostics
    stop_on(diagnostics)
    for path, text in texts.items():
        recorded[relative(path, root)]["sha256"] = digests.digest(text.encode())
    if texts:
        texts[root / digests.FILE] = digests.text(recorded)
    for name, edit in {"pyproject.toml": _settings, "README.md": _readme, "CITATION.cff": _citation}.items():
        if (root / name).exists():
            texts[root / name] = edit((root / name).read_bytes().decode("utf-8"), where)
    changed = ", ".join(relative(path, root) for path in write_all(texts))
    print(f"{where.repository} at {where.tag}: " + (f"wrote {changed}." if changed else "nothing has changed."))


def _notebook_text(planned: BuildPlan, folder: str, recorded: digests.Digests) -> str:
    """Return the text of a stored notebook with the generated cells of the plan; raises AuthoringError."""
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
    for ours, theirs in zip(built.notebook.cells, notebook.cells, strict=False):
        if built.lines[ours.id] == GENERATED:
            theirs.source, theirs["id"] = ours.source, ours.id
    text = write_text(notebook)
    found = difference(built, notebook)
    if found or (folder == "exercises" and text != write_text(built.notebook)):
        raise refuse(shown, None, f"{found or 'not what its source makes'}. {again}")
    return text


def _readme(text: str, where: Address) -> str:
    return _BADGE.sub(rf"\g<1>{github_name(where)}/blob/{where.tag}\g<2>", text)


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


def _citation(text: str, where: Address) -> str:
    """Return CITATION.cff's text with the address and the version; in quotes, since YAML takes 1.2 for a number."""
    text = re.sub(r"^(repository-code:)[^\r\n]*", rf"\1 {where.repository}", text, flags=re.MULTILINE)
    return re.sub(r"^(version:)[^\r\n]*", rf'\1 "{where.tag.removeprefix("v")}"', text, flags=re.MULTILINE)
