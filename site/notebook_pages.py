"""Makes of a built notebook the Markdown that Sphinx renders: what it shows, for whoever has no kernel.

Predictions and answers in a reader's own words become forms, which static/site.js listens to. What answers a prediction
is what `reveal` and `ask` keep in the notebook: all choices, what is said of each, and which is right.
"""

from __future__ import annotations

import ast
import html
import json
import posixpath
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

import around
from browser_python import PATH

from authoring import handout
from authoring.course import Address
from authoring.errata import CONFIRMED, CORRECTED
from authoring.links import REMINDER, TAG, at_home, in_colab

KERNEL = {"feedback", "download", "check", "show", "progress"}  # what does nothing where nobody runs it
EXPLORERS = {"live_figure", "live_training"}
# Cells and sentences that are about the notebook's own file.
OF_THE_FILE = ("# exercise ", "## When you are done", "Below each check stands", "`download()`", "(The sliders need")
TO_THE_EXERCISES = re.compile(r"\*\*Now the exercises\*\*: .*?\bleave\.", re.DOTALL)
EXERCISES = "**Now the exercises**: [those of lesson {number}](../exercises/{stem}.ipynb)."
START = "../site/start.md"
TO_READ = {
    "notebooks": "*This is the notebook as a page: commit to predictions, play films{written}. Where it says “run” or "
    "“drag”, you do that [in the notebook]({notebook}). [Exercises {number}](../exercises/{exercises}.ipynb).*",
    "exercises": "*{written} Pictures are drawn [in the notebook]({notebook}).*",
}
WRITTEN = {  # where a browser's Python is there, and where it is not
    "notebooks": (", and write your lines right here", ""),
    "exercises": (
        "Write your answers right here: Check says whether they are right and, if not, which idea is missing.",
        "To read, with their examples. You write your answers in the notebook, which says at once whether they are "
        "right and, if not, which idea is missing.",
    ),
}
# What the browser's Python cannot judge, and why: all that rests on more than NumPy.
ELSEWHERE = dict.fromkeys(("08.7", "08.8", "08.9", "08.10", "08.11", "08.12"), "PyTorch") | {
    "03.probe": "scikit-learn",
    "06c.attention": "SciPy",
}
RUN_IT = "Run the set-up cells, write each answer into its function, run its cell, then run the check below it. "
FENCE = "~" * 12  # more than any page has
LINK = re.compile(r"\[([^\]]*)\]\(((?!https?:|mailto:)[^()\s]*(?:\([^()]*\)[^()\s]*)*)\)")
HEADING = re.compile(r"^(?=##+ (.*)$)", re.MULTILINE)
SECTION, GET_IT = re.compile(r"<!-- README: (.*) -->"), "<!-- how to get it -->"
PREDICT = re.compile(r'^predict\("([^"]+)"\)', re.MULTILINE)
BLANK = re.compile(r'^(\w+) = yours\("([^"]+)"\)', re.MULTILINE)
SHOW = re.compile(r'^show\("([^"]+)"', re.MULTILINE)
EXERCISE = re.compile(r"# exercise (\d\d\.\d+)\n")
OWN_WORDS = re.compile(r'^own_words\("([^"]+)"\)', re.MULTILINE)
CHOICES = re.compile(r'<ol data-prediction="([^"]+)">(.*?)</ol>', re.DOTALL)
CHOICE = re.compile(r'<li data-right="(?:yes|no)">(?:✓ )?<b>(.*?)</b>')
ANSWER = re.compile(r"(<ol>(?:<li>[^<]*</li>)+</ol>)?<details><summary>The answer</summary>")
# What a built page prints for whoever has no buttons, and where a line is still to be written.
IN_PLAYGROUND = re.compile(r'<p data-setting="([^"]*)">.*?</p>')
PRINTED = re.compile(
    r"^Without buttons: .*\n(?: +\d+  .*\n)+|^Not yet: .*\nThe page goes on with .*\n"
    r"|^Run this cell, and .*\n",
    re.MULTILINE,
)


def setup(app, root: Path, where: Address | None, editors: bool) -> None:
    """Have Sphinx read notebooks, and pages of the course's folders, as pages of the site, with ``editors`` or not."""
    app.connect("source-read", partial(_read, root, where, editors))


def _read(root: Path, where: Address | None, editors: bool, app, name: str, source: list[str]) -> None:
    folder = posixpath.dirname(name)
    linked = partial(with_links, at=folder, known=app.env.found_docs, where=where)
    if folder in ("notebooks", "exercises"):
        lessons = [posixpath.basename(one) for one in app.env.found_docs if one.startswith("exercises/")]
        source[0] = page(json.loads(source[0]), name, lessons, partial(linked, folder=folder), where, editors)
    elif SECTION.search(source[0]):
        text = (root / "README.md").read_text(encoding="utf-8")
        if GET_IT in source[0]:
            text = handout.for_students(text)
        own = linked(source[0].replace(GET_IT, _how_to_get_it(where, app)), folder=folder)
        source[0] = SECTION.sub(lambda match: linked(section(text, match[1]), folder=""), own)
    else:
        source[0] = linked(source[0], folder=folder)


def _how_to_get_it(where: Address | None, app) -> str:
    stems = [posixpath.basename(one) for one in app.env.found_docs if one.startswith("exercises/")]
    return around.get_it(where, stems, (Path(app.outdir) / around.HANDOUT).stat().st_size)


def section(text: str, heading: str) -> str:
    """Return what stands below this heading of a text; raises ValueError where there is none."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise ValueError(f"README.md has no section {heading!r}: mend what site/*.md asks for.")
    return found[1].replace("\n###", "\n##")


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
        elif there and suffix not in (".html", ".zip"):
            return f"[{words}]({where.repository}/blob/{where.tag}/{there}{anchor})" if where else words
        return f"[{words}]({posixpath.relpath(there, at) if there else ''}{anchor})"

    return LINK.sub(linked, text)


def page(
    notebook: Mapping,
    name: str,
    lessons: Collection[str],
    linked: Callable[[str], str],
    where: Address | None,
    editors: bool,
) -> str:
    """Return a built notebook as Markdown, its prose ``linked``.

    ``name`` is notebooks/NN_slug or exercises/NN_slug, ``lessons`` are the stems of those that have exercises. Where
    there are ``editors``, blanks and exercises become what static/editors.js makes one of.
    """
    folder, stem = name.split("/")
    cells, around = [], []  # what is around a page the site has otherwise, but for what it corrects
    for cell in notebook["cells"]:
        (around if TAG in cell["metadata"].get("tags", ()) else cells).append(cell)
    colab = in_colab(where, f"{name}.ipynb") if where else ""
    choices = choices_in(cells)
    exercises = next(one for one in lessons if one.startswith(stem[:2]))
    written = WRITTEN[folder][not editors]
    about = {"notebook": colab or START, "number": stem[:2], "exercises": exercises, "written": written}
    to_write = written_here(cells) if editors else {}
    parts = []
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            text = at_home(text, folder)
            text = text.replace(f" · {REMINDER}", "").replace(RUN_IT if editors else REMINDER, "")
            text = TO_THE_EXERCISES.sub(EXERCISES.format(number=stem[:2], stem=stem), text)
            if text.startswith("# ") and not text.startswith(OF_THE_FILE):
                title, _, text = text.partition("\n")
                parts += [title, linked(TO_READ[folder].format(**about))]
            if not text.startswith(OF_THE_FILE):
                parts += _prose(linked(text), cell["id"])
        else:
            parts += _code(cell, text, choices, colab, to_write)
    said = [part for cell in around for part in "".join(cell["source"]).split("\n\n")]
    parts += [linked(at_home(part, folder)) for part in said if part.startswith((CORRECTED, CONFIRMED))]
    if folder == "notebooks" and not stem[2].isalpha():
        parts.append(f"```{{toctree}}\n:hidden:\n:glob:\n\n../exercises/{stem}\n{stem[:2]}[a-z]_*\n```")
    return "\n\n".join(parts) + "\n"


def _prose(text: str, cell: str) -> list[str]:
    """Return a cell's text with the anchors that other pages' links name: of the cell, and of each heading."""
    # Jupyter takes the first for part of a formula, Markdown for a list; MyST takes the second for a comment.
    text = text.replace("\n+ ", " + ").replace("\n%", "\n\\%")
    anchors = HEADING.sub(lambda match: f'<div id="{html.escape(match[1].replace(" ", "-"))}"></div>\n\n', text)
    return [f'<div id="cell-{cell}"></div>', anchors]


def written_here(cells: Sequence[Mapping]) -> dict[str, str]:
    """Return what a reader writes on a page, by how its cell begins: the attributes of its editor's place."""
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    shown = {one for text in texts for one in SHOW.findall(text)}
    blanks = {f"def {name}(": f'data-blank="{key}"' for text in texts for name, key in BLANK.findall(text)}
    exercises = {
        match[0]: f'data-exercise="{match[1]}"{" data-draws" if match[1] in shown else ""}'
        for match in map(EXERCISE.match, texts)
        if match
    }
    return blanks | exercises


def _code(
    cell: Mapping, text: str, choices: Mapping[str, list[str]], colab: str, to_write: Mapping[str, str]
) -> list[str]:
    """Return what the site shows of a cell of code: the code, folded where it is no idea, and its outputs."""
    called = calls(text)
    if called and called <= KERNEL or text.startswith(PATH):
        return []
    shown = [part for output in cell["outputs"] if (part := _shown(output, choices))]
    if called == {"ask"}:
        together = "data-together" if "together=True" in text else ""
        return [_raw(f'<div class="asked" {together}>{_shown(one, choices)}</div>') for one in cell["outputs"]]
    asked = "".join(form(key, choices[key]) for key in PREDICT.findall(text))
    if called == {"predict"}:
        return [_raw(asked)]
    if called == {"own_words"}:
        return [_raw("".join(map(area, OWN_WORDS.findall(text))))]
    code = f"{FENCE}python\n{text}\n{FENCE}"
    is_stub = "# your turn" in text or text.startswith("# exercise")
    if is_stub and (attributes := next((to_write[one] for one in to_write if text.startswith(one)), "")):
        key = attributes.split('"')[1]
        if key in ELSEWHERE:
            there = f"[in the notebook]({colab or START.replace('.md', '.html')})"
            return [code, f"*This one needs {ELSEWHERE[key]}, which no browser has: write it {there}.*"]
        return [f'<div class="write" {attributes}>\n\n{code}\n\n</div>']
    if "idea" not in cell["metadata"].get("tags", ()) and not text.startswith("# exercise"):
        kind = "Set-up" if text.startswith("# set-up") else "Code"
        code = f'<details class="plumbing"><summary>{kind}</summary>\n\n{code}\n\n</details>'
    if called & EXPLORERS:
        link = f' (<a href="{colab}">open it in Colab</a>)' if colab else ""
        shown.insert(0, f'<p class="still">A picture of it. Move it in the notebook{link}.</p>')
    goes_on = BLANK.search(text) if to_write else None
    if shown and goes_on:
        shown.insert(0, '<p class="still">With the course’s line:</p>')
    of = f' data-of="{goes_on[2]}"' if goes_on else ""
    below = (f'<div class="output"{of}>{"".join(shown)}</div>' if shown else "") + asked
    return [code, _raw(below)] if below else [code]


def calls(text: str) -> set[str]:
    """Return the names of the functions that a cell calls, if it does nothing else; an empty set where it does."""
    body = ast.parse(text).body
    simple = all(isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) for one in body)
    return {ast.unparse(one.value.func) for one in body} if simple else set()


def choices_in(cells: Sequence[Mapping]) -> dict[str, list[str]]:
    """Return the choices of each prediction that these cells answer, as HTML."""
    shown = ("".join(one.get("data", {}).get("text/html", "")) for cell in cells for one in cell.get("outputs", ()))
    return {key: CHOICE.findall(said) for key, said in CHOICES.findall("".join(shown))}


def _raw(text: str) -> str:
    return f"{FENCE}{{raw}} html\n{text}\n{FENCE}"


def _shown(output: Mapping, choices: Mapping[str, list[str]]) -> str:
    """Return an output as HTML, "" where there is nothing to be seen."""
    if output["output_type"] == "stream":
        text = PRINTED.sub("", "".join(output["text"])).rstrip()
        return f"<pre>{html.escape(text, quote=False)}</pre>" if text else ""
    data = {kind: "".join(content) for kind, content in output["data"].items()}
    if "text/html" in data:
        link = r'<p><a href="../playground.html#\1">Open this in the playground</a></p>'
        return with_forms(IN_PLAYGROUND.sub(link, data["text/html"]), choices)
    if "image/png" in data:
        words = html.escape(data["text/plain"])
        return f'<img src="data:image/png;base64,{"".join(data["image/png"].split())}" alt="{words}">'
    return f"<pre>{html.escape(data['text/plain'], quote=False)}</pre>"


def with_forms(text: str, choices: Mapping[str, list[str]]) -> str:
    """Return HTML that `reveal` or `ask` made, with a form for each question in it, and answers that wait for it."""

    def waiting(match: re.Match) -> str:
        key = CHOICES.search(text, match.end())[1]
        asked = form(key, choices[key], kind="answer") if match[1] else ""
        return f'{asked}<details data-answers="{key}"><summary>The answer<span>, without yours</span></summary>'

    return ANSWER.sub(waiting, text)


def form(key: str, choices: list[str], kind: str = "prediction") -> str:
    """Return the choices of a prediction, already HTML, as buttons to choose from, and one to commit with, which
    waits for the script that hears it.
    """
    rows = "".join(
        f'<label><input type="radio" name="{key}" value="{choice}" required>{choice}</label>' for choice in choices
    )
    return (
        f'<form data-prediction="{key}" data-kind="{kind}"><fieldset><legend>Your {kind}</legend>{rows}</fieldset>'
        '<button disabled>Commit</button><p role="status"></p></form>'
    )


def area(key: str) -> str:
    """Return an area for an answer in a reader's own words, with a button that waits for the script that hears it."""
    # Without autocomplete="off", Firefox fills in what stood there before a reload, forgotten or not.
    return (
        f'<form data-words="{key}"><label>In your own words<textarea rows="6" autocomplete="off"></textarea></label>'
        '<button disabled>Keep</button> <button type="button" disabled>Read on without writing</button>'
        '<p role="status"></p></form>'
    )
