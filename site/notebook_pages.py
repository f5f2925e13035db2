"""Makes of a built notebook the Markdown that Sphinx renders: what it shows, for whoever has no kernel.

Predictions become buttons, which static/site.js listens to. What answers them is what `reveal` and `ask` keep in the
notebook: all choices, what is said of each, and which is right.
"""

from __future__ import annotations

import ast
import html
import json
import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

from authoring.course import Address
from authoring.links import TAG, in_colab

KERNEL = {"feedback", "download", "check", "show", "progress"}  # what does nothing where nobody runs it
EXPLORERS = {"live_figure", "live_training"}
# Cells and sentences that are about the notebook's own file.
OF_THE_FILE = ("# exercise ", "## When you are done", "Below each check stands", "`download()`", "(The sliders need")
TO_THE_EXERCISES = re.compile(r"\*\*Now the exercises\*\*: .*?\bleave\.", re.DOTALL)
EXERCISES = "**Now the exercises**: [those of lesson {number}](../exercises/{stem}.ipynb)."
START = "../site/start.md"
TO_READ = {
    "notebooks": "*This is the notebook as a page: commit to predictions, play films, try the lines on paper. Where it "
                 "says “run”, “write” or “drag”, you do that [in the notebook]({notebook}).*",
    "exercises": "*To read, with their examples. You write your answers [in the notebook]({notebook}), which says at "
                 "once whether they are right and, if not, which idea is missing.*",
}
FENCE = "~" * 12  # more than any page has
LINK = re.compile(r"\[([^\]]*)\]\(((?!https?:|mailto:)[^()\s]*(?:\([^()]*\)[^()\s]*)*)\)")
HEADING = re.compile(r"^(?=##+ (.*)$)", re.MULTILINE)
SECTION = re.compile(r"<!-- README: (.*) -->")
PREDICT = re.compile(r'^predict\("([^"]+)"\)', re.MULTILINE)
CHOICES = re.compile(r'<ol data-prediction="([^"]+)">(.*?)</ol>', re.DOTALL)
CHOICE = re.compile(r'<li data-right="(?:yes|no)">(?:✓ )?<b>(.*?)</b>')
ANSWER = re.compile(r"(<ol>(?:<li>[^<]*</li>)+</ol>)?<details><summary>The answer</summary>")
# What a built page prints for whoever has no buttons, and where a line is still to be written.
PRINTED = re.compile(r"^Without buttons: .*\n(?: +\d+  .*\n)+|^Not yet: .*\nThe page goes on with .*\n", re.MULTILINE)


def setup(app, root: Path, where: Address | None) -> None:
    """Have Sphinx read notebooks, and pages of the course's folders, as pages of the site."""
    app.connect("source-read", partial(_read, root, where))


def _read(root: Path, where: Address | None, app, name: str, source: list[str]) -> None:
    folder = posixpath.dirname(name)
    linked = partial(with_links, at=folder, known=app.env.found_docs, where=where)
    if folder in ("notebooks", "exercises"):
        source[0] = page(json.loads(source[0]), name, partial(linked, folder=folder), where)
    elif found := SECTION.findall(source[0]):
        readme = (root / "README.md").read_text(encoding="utf-8")
        parts = [linked(section(readme, heading), folder="") for heading in found]
        source[0] = "\n".join([SECTION.sub("", source[0]), *parts])
    else:
        source[0] = linked(source[0], folder=folder)


def section(text: str, heading: str) -> str:
    """Return the section of a text with this heading; raises ValueError where it has none."""
    found = re.search(rf"^## {re.escape(heading)}\n.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise ValueError(f"README.md has no section {heading!r}: mend what site/*.md asks for.")
    return found[0]


def with_links(text: str, *, folder: str, at: str, known: Collection[str], where: Address | None) -> str:
    """Return Markdown of ``folder`` with links that lead from a page in the folder ``at`` to the site's pages.

    What is no page there is linked at the course's public address, and where there is none, named without a link.
    """
    def linked(match: re.Match) -> str:
        words, target = match.groups()
        path, _, anchor = target.partition("#")
        anchor = f"#{anchor.replace('cell-id=', 'cell-')}" if anchor else ""
        there = posixpath.normpath(posixpath.join(folder, path)) if path else ""
        stem, suffix = posixpath.splitext(there)
        if there == "README.md":
            there = "index.html"
        elif suffix in (".ipynb", ".md") and stem in known:
            there = f"{stem}.html"
        elif there and suffix != ".html":
            return f"[{words}]({where.repository}/blob/{where.tag}/{there}{anchor})" if where else words
        return f"[{words}]({posixpath.relpath(there, at) if there else ''}{anchor})"

    return LINK.sub(linked, text)


def page(notebook: Mapping, name: str, linked: Callable[[str], str], where: Address | None) -> str:
    """Return a built notebook as Markdown, its prose ``linked``; ``name`` is notebooks/NN_slug or exercises/NN_slug."""
    folder, stem = name.split("/")
    cells = [cell for cell in notebook["cells"] if TAG not in cell["metadata"].get("tags", ())]
    colab = in_colab(where, f"{name}.ipynb") if where else ""
    shown = "".join(part for cell in cells for part in _htmls(cell))
    choices = {key: CHOICE.findall(said) for key, said in CHOICES.findall(shown)}
    parts = []
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            text = TO_THE_EXERCISES.sub(EXERCISES.format(number=stem[:2], stem=stem), text)
            if not text.startswith(OF_THE_FILE):
                parts += _prose(linked(text), cell["id"])
            if text.startswith("# "):
                parts.append(linked(TO_READ[folder].format(notebook=colab or START)))
        else:
            parts += _code(cell, text, choices, colab)
    if folder == "notebooks" and not stem[2].isalpha():
        parts.append(f"```{{toctree}}\n:hidden:\n:glob:\n\n../exercises/{stem}\n{stem[:2]}[a-z]_*\n```")
    return "\n\n".join(parts) + "\n"


def _prose(text: str, cell: str) -> list[str]:
    """Return a cell's text with the anchors that other pages' links name: of the cell, and of each heading."""
    # Jupyter takes the first for part of a formula, Markdown for a list; MyST takes the second for a comment.
    text = text.replace("\n+ ", " + ").replace("\n%", "\n\\%")
    if text.startswith("# "):
        return [text]
    anchors = HEADING.sub(lambda match: f'<div id="{html.escape(match[1].replace(" ", "-"))}"></div>\n\n', text)
    return [f'<div id="cell-{cell}"></div>', anchors]


def _code(cell: Mapping, text: str, choices: Mapping[str, list[str]], colab: str) -> list[str]:
    """Return what the site shows of a cell of code: the code, folded where it is no idea, and its outputs."""
    called = calls(text)
    if called and called <= KERNEL:
        return []
    shown = [part for output in cell["outputs"] if (part := _shown(output, choices))]
    if called == {"ask"}:
        return [_raw(part) for part in shown]
    asked = "".join(form(key, choices[key]) for key in PREDICT.findall(text))
    if called == {"predict"}:
        return [_raw(asked)]
    code = f"{FENCE}python\n{text}\n{FENCE}"
    if "idea" not in cell["metadata"].get("tags", ()) and not text.startswith("# exercise"):
        kind = "Set-up" if text.startswith("# set-up") else "Code"
        code = f'<details class="plumbing"><summary>{kind}</summary>\n\n{code}\n\n</details>'
    if called & EXPLORERS:
        link = f' (<a href="{colab}">open it in Colab</a>)' if colab else ""
        shown.append(f'<p class="still">A picture of it. Move it in the notebook{link}.</p>')
    below = (f'<div class="output">{"".join(shown)}</div>' if shown else "") + asked
    return [code, _raw(below)] if below else [code]


def calls(text: str) -> set[str]:
    """Return the names of the functions that a cell calls, if it does nothing else; an empty set where it does."""
    body = ast.parse(text).body
    simple = all(isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) for one in body)
    return {ast.unparse(one.value.func) for one in body} if simple else set()


def _htmls(cell: Mapping) -> Iterator[str]:
    return ("".join(output.get("data", {}).get("text/html", "")) for output in cell.get("outputs", ()))


def _raw(text: str) -> str:
    return f"{FENCE}{{raw}} html\n{text}\n{FENCE}"


def _shown(output: Mapping, choices: Mapping[str, list[str]]) -> str:
    """Return an output as HTML, "" where there is nothing to be seen."""
    if output["output_type"] == "stream":
        text = PRINTED.sub("", "".join(output["text"])).rstrip()
        return f"<pre>{html.escape(text, quote=False)}</pre>" if text else ""
    data = {kind: "".join(content) for kind, content in output["data"].items()}
    if "text/html" in data:
        return with_forms(data["text/html"], choices)
    if "image/png" in data:
        words = html.escape(data["text/plain"])
        return f'<img src="data:image/png;base64,{"".join(data["image/png"].split())}" alt="{words}">'
    return f"<pre>{html.escape(data['text/plain'], quote=False)}</pre>"


def with_forms(text: str, choices: Mapping[str, list[str]]) -> str:
    """Return HTML that `reveal` or `ask` made, with a form for each question in it, and answers that wait for it."""
    def waiting(match: re.Match) -> str:
        key = CHOICES.search(text, match.end())[1]
        asked = form(key, choices[key]) if match[1] else ""
        return f'{asked}<details data-answers="{key}"><summary>The answer<span>, without a prediction</span></summary>'

    return ANSWER.sub(waiting, text)


def form(key: str, choices: list[str]) -> str:
    """Return the choices of a prediction, already HTML, as buttons to choose from, and one to commit with."""
    rows = "".join(f'<label><input type="radio" name="{key}" value="{choice}" required>{choice}</label>'
                   for choice in choices)
    return (
        f'<form data-prediction="{key}"><fieldset><legend>Your prediction</legend>{rows}</fieldset>'
        '<button>Commit</button><p role="status"></p></form>'
    )
