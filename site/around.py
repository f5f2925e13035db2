"""What is around the pages: what each says of itself and of who made it, and what a site has beside its pages.

Whatever names an address, such as the sitemap, is left out until `make stamp` has set one.
"""

from __future__ import annotations

import re
import shutil
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import yaml
from markupsafe import Markup

from authoring.course import Address
from authoring.handout import write_handout
from authoring.links import in_colab, site

HANDOUT, LICENCE, CARDS = "depth-course.zip", "LICENSE.txt", "reference/cards"
SAID = {  # of pages that Sphinx does not make of a text, or whose text does not say it
    "index": "A free course in Jupyter notebooks on one question, with every number measured.",
    "site/contents": "All pages of the course: eight lessons with their excursions and exercises, and what to look up.",
    "playground": "Change the depth and watch: neural networks that train in the browser.",
    "search": "Search the lessons, the exercises and the glossary.",
    "404": "This page does not exist.",
    CARDS: "One card for each lesson, to print.",
}
TITLES = {"playground": "Playground", "search": "Search", "404": "There is no such page"}
LEAST, MOST = 60, 200  # letters of a description
SENTENCE = re.compile(r"(?<=[.?!:])\s+(?=\w)")
GET_IT = """\
Download [the course as a zip file](../{file}) ({size:.1f} MB): all notebooks with the code that they need, without
solutions. Unpack it, and go on in its folder, `depth-course`, as [Start](#start) says; or take it to Google Colab, as
told [below](#in-google-colab)."""
IN_COLAB = """\
In Google Colab there is nothing to install or to download: open lesson {lessons} there. With git,
`git clone -b {where.tag} {where.repository}`."""
# What the site adds to the cards, a file that is read without a site as well.
ON_CARDS = '<link rel="stylesheet" href="../_static/cards.css">\n<script>{}</script>\n'
THEME = 'try { document.documentElement.dataset.theme = localStorage.theme ?? "auto"; } catch {}'
HOME = (
    '<nav aria-label="the course"><a href="../index.html">What does depth buy?</a> <a href="{}">All pages</a></nav>\n'
)


def setup(app, root: Path, where: Address | None) -> None:
    """Have Sphinx say of each page what it is and who made it, and write what stands beside the pages."""
    made = cited(root, where)
    app.connect("builder-inited", partial(_pack, root))
    app.connect("html-page-context", partial(_fill, made))
    app.connect("build-finished", partial(_finish, root, where, made))


def cited(root: Path, where: Address | None) -> dict:
    """Return what CITATION.cff says of the course, and its address, as the templates name it."""
    said = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    names = [one.get("name") or f"{one['given-names']} {one['family-names']}" for one in said["authors"]]
    address = site(where) if where else ""
    return {
        "authors": " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])),
        "licence": said["license"],
        "version": said["version"],
        "date": said["date-released"],
        "contact": where and f"{where.repository}/issues",
        "picture": address and f"{address}_static/film.png",
        "address": address,
        "base": urlsplit(address).path or "/",  # of the page that is shown wherever a page is missing
    }


def get_it(where: Address | None, stems: list[str], size: int) -> str:
    """Return the Markdown that says how to get notebooks, the lessons' ``stems``, where the handout has this size."""
    said = [GET_IT.format(file=HANDOUT, size=size / 1e6)]
    if where:
        links = [f"[{stem[:2]}]({in_colab(where, f'notebooks/{stem}.ipynb')})" for stem in sorted(stems)]
        said.append(IN_COLAB.format(lessons=", ".join(links), where=where))
    return "\n\n".join(said)


def description(doctree) -> str:
    """Return the first sentences of a page, as far as they are plain text and MOST allows."""
    for paragraph in doctree.findall(lambda one: one.tagname == "paragraph"):
        is_plain = not any(one.tagname in ("math", "raw") for one in paragraph.findall())
        is_of_the_file = [one.tagname for one in paragraph] == ["emphasis"]
        text = " ".join(paragraph.astext().split())
        if paragraph.parent.tagname == "section" and is_plain and not is_of_the_file and len(text) >= LEAST:
            return _first(text)
    return ""


def _first(text: str) -> str:
    said, *others = SENTENCE.split(text)
    for one in others:
        if len(said) + len(one) >= MOST:
            break
        said += f" {one}"
    return said if len(said) <= MOST else f"{said[:MOST].rpartition(' ')[0].rstrip(',;:')} …"


def _fill(made: dict, app, name: str, template: str, context: dict, doctree) -> None:
    said = SAID.get(name) or (description(doctree) if doctree else "")
    title = context.get("title") or TITLES.get(name, app.config.project)
    context["around"] = _of(made, name, Markup(title).striptags(), said)


def _of(made: dict, name: str, title: str, said: str) -> dict:
    file = "" if name == "index" else f"{name}.html"
    return {**made, "title": title, "description": said, "url": made["address"] and made["address"] + file}


def _pack(root: Path, app) -> None:
    write_handout(root, Path(app.outdir) / HANDOUT)


def _finish(root: Path, where: Address | None, made: dict, app, exception: Exception | None) -> None:
    if exception:
        return
    out = Path(app.outdir)
    shutil.copy(root / "LICENSE", out / LICENCE)
    about = _of(made, CARDS, "The cards of all lessons", SAID[CARDS])
    head = app.builder.templates.render("meta.html", {"around": about, "pathto": lambda path, *_: f"../{path}"})
    cards = (root / f"{CARDS}.html").read_text(encoding="utf-8")
    (out / f"{CARDS}.html").write_text(on_the_site(cards, head), encoding="utf-8")
    robots = "User-agent: *\nDisallow:\n"
    if where:
        pages = ["", "playground.html", f"{CARDS}.html", *(f"{name}.html" for name in app.env.found_docs)]
        (out / "sitemap.xml").write_text(sitemap(made["address"], pages), encoding="utf-8")
        robots += f"Sitemap: {made['address']}sitemap.xml\n"
    (out / "robots.txt").write_text(robots, encoding="utf-8")


def on_the_site(cards: str, head: str) -> str:
    """Return the page of cards with a way home, a dark mode, and ``head`` in the place of its empty icon."""
    cards = cards.replace('<link rel="icon" href="data:,">\n', head.strip() + "\n")
    cards = cards.replace("</style>\n", "</style>\n" + ON_CARDS.format(THEME), 1)
    return cards.replace("<main>\n", HOME.format("../site/contents.html") + "<main>\n", 1)


def sitemap(address: str, pages: list[str]) -> str:
    """Return the list of these pages for search engines."""
    rows = "".join(f"<url><loc>{address}{page}</loc></url>\n" for page in sorted(pages))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}</urlset>\n'
    )
