"""The links that a build puts on a page: at its head and foot to the pages around it, to errata, and to Colab.

Sources' links lead from folder to folder as these lie in the repository; `make learn` rewrites them for its copies.
Colab follows none of them: where the course has a public address, a built notebook's links are addresses.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from authoring import errata
from authoring.by_hand import FROM_OTHER_TEXTS
from authoring.course import Address, Lesson, Page, all_pages, github_name

HOME = "README.md"  # learn has its start page there
REMINDER = "In the notebook, run the set-up cells at its top first."  # a link from a path leads past them
TAG = "links"  # of the cells that hold nothing but these
_END = r"(?P<end>#(?:[^()\s]|\([^()]*\))+)?(?=\))"
_AT_HOME = re.compile(r"(?<=\]\()(?!\w+:|#)(?P<path>[^()\s#]+)" + _END)
# As an address of whatever repository; a badge's own stays.
_PUBLIC = re.compile(
    r"(?<=\]\()(?<!badge\.svg\)\]\()https://(?:"
    r"colab\.research\.google\.com/github/[^/\s]+/[^/\s]+/blob/\S+?/(?P<page>(?:notebooks|exercises|solutions)/\w+\.ipynb)"
    r"|[\w-]+\.github\.io/[^/\s]+/(?P<list>reference/\w+)\.html|github\.com/[^/\s]+/[^/\s]+(?P<home>\#readme))" + _END
)


def around(page: Page, folder: str, where: Address | None) -> tuple[str, str]:
    """Return the markdown of a notebook's head and foot."""
    return _head(page, folder, where), _foot(page, folder, where)


def _head(page: Page, folder: str, where: Address | None) -> str:
    """Return the markdown of a notebook's head: the pages before, behind and beside it, and home; Colab's badge."""
    pages = all_pages(page.root)
    lesson = next(one for one in pages if one.number == page.number and isinstance(one, Lesson))
    there: list[tuple[str, Page | None, str]]
    if folder != "notebooks":
        there = [("", lesson, "notebooks")]
    elif isinstance(page, Lesson):
        before, behind = _neighbors(page, [one for one in pages if isinstance(one, Lesson)])
        there = [("← ", before, folder), ("→ ", behind, folder), ("", lesson, "exercises")]
        there += [("", one, folder) for one in pages if one.number == page.number and one != page]
    else:
        _, behind = _neighbors(page, [one for one in pages if one.number == page.number])
        there = [("← ", lesson, folder), ("→ ", behind, folder), ("", lesson, "exercises")]
    links = [(arrow + name(one, target), f"{target}/{one.stem}.ipynb") for arrow, one, target in there if one]
    if folder == "notebooks" and (page.root / f"reference/{FROM_OTHER_TEXTS}").exists():
        links.append(("from other texts", f"reference/{FROM_OTHER_TEXTS}"))
    line = " · ".join([*(f"[{text}]({_from(folder, path)})" for text, path in links), f"[all lessons](../{HOME})"])
    return f"{badge(where, f'{folder}/{page.stem}.ipynb')}\n\n{line}" if where else line


def _foot(page: Page, folder: str, where: Address | None) -> str:
    """Return the markdown of a notebook's foot: the page that comes next, and what errata a page shows."""
    pages = all_pages(page.root)
    among = pages if not isinstance(page, Lesson) else [one for one in pages if isinstance(one, Lesson)]
    _, behind = _neighbors(page, among)
    text, path = (name(behind), f"notebooks/{behind.stem}.ipynb") if behind else ("all lessons", HOME)
    corrected = errata.corrected(page) if folder == "notebooks" else ""
    return "\n\n".join(filter(None, [f"Next: [{text}]({_from(folder, path)})", corrected]))


def name(page: Page, folder: str = "notebooks") -> str:
    """Return what a page, or a lesson's notebook of exercises, is called in a link."""
    kind = folder if folder != "notebooks" else "lesson" if isinstance(page, Lesson) else "excursion"
    return f"{kind} {page.stem.split('_')[0]}"


def badge(where: Address, path: str) -> str:
    """Return the markdown of the badge that opens this notebook in Colab at the course's tag."""
    return (
        "[![Open this notebook in Google Colab](https://colab.research.google.com/assets/colab-badge.svg)]"
        f"({in_colab(where, path)})"
    )


def in_colab(where: Address, path: str) -> str:
    """Return the address that opens this notebook in Colab at the course's tag."""
    return f"https://colab.research.google.com/github/{github_name(where)}/blob/{where.tag}/{path}"


def published(text: str, folder: str, where: Address | None) -> str:
    """Return a cell's Markdown with its links from ``folder`` as addresses: notebooks in Colab, lists on the site.

    Without an address it stays as it is.
    """
    if where is None:
        return text

    def put(match: re.Match) -> str:
        path, end = posixpath.normpath(posixpath.join(folder, match["path"])), match["end"] or ""
        if path.endswith(".ipynb"):
            return in_colab(where, path) + end.replace("#cell-id=", "#scrollTo=")  # as Colab calls it
        if path.startswith("reference/"):
            return f"{site(where)}{posixpath.splitext(path)[0]}.html{end}"
        return f"{where.repository}#readme" if path == HOME else match[0]

    return _AT_HOME.sub(put, text)


def at_home(text: str, folder: str) -> str:
    """Return Markdown with its links from ``folder`` as sources have them, whatever address was ``published``."""

    def put(match: re.Match) -> str:
        if match["home"]:
            return f"../{HOME}"
        if match["list"]:
            suffix = "html" if match["list"].endswith("/cards") else "md"
            return f"../{match['list']}.{suffix}{match['end'] or ''}"
        return _from(folder, match["page"]) + (match["end"] or "").replace("#scrollTo=", "#cell-id=")

    return _PUBLIC.sub(put, text)


def site(where: Address) -> str:
    """Return the address at which GitHub publishes the course's site."""
    owner, name = github_name(where).split("/")
    return f"https://{owner.lower()}.github.io/{name}/"


def _from(folder: str, path: str) -> str:
    """Return the relative link from a notebook in ``folder`` to ``path``."""
    return path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else f"../{path}"


def _neighbors(page: Page, among: Sequence[Page]) -> tuple[Page | None, Page | None]:
    at = among.index(page)
    return (among[at - 1] if at else None), (among[at + 1] if at + 1 < len(among) else None)
