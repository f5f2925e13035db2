"""The links that a build puts on a page: at its head and foot to the pages around it, and to Colab.

They lead from folder to folder as they lie in the repository; `make learn` rewrites them for its copies.
"""

from __future__ import annotations

from collections.abc import Sequence

from authoring.course import Address, Lesson, Page, all_pages, github_name

HOME = "README.md"  # learn has its start page there
TAG = "links"  # of the cells that hold nothing but these


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
    else:
        _, behind = _neighbors(page, [one for one in pages if one.number == page.number])
        there = [("← ", lesson, folder), ("→ ", behind, folder), ("", lesson, "exercises")]
    links = [(arrow + name(one, target), f"{target}/{one.stem}.ipynb") for arrow, one, target in there if one]
    lines = [" · ".join([*(f"[{text}]({_from(folder, path)})" for text, path in links), f"[all lessons](../{HOME})"])]
    if where:
        lines.insert(0, badge(where, f"{folder}/{page.stem}.ipynb") + "\n")
        # Colab follows no path.
        lines.append("\nIn Colab: " + " · ".join(f"[{text}]({in_colab(where, path)})" for text, path in links))
    return "\n".join(lines)


def _foot(page: Page, folder: str, where: Address | None) -> str:
    """Return the markdown of a notebook's foot: the page that comes next."""
    pages = all_pages(page.root)
    among = pages if not isinstance(page, Lesson) else [one for one in pages if isinstance(one, Lesson)]
    _, behind = _neighbors(page, among)
    if behind is None:
        return f"Next: [all lessons](../{HOME})"
    path = f"notebooks/{behind.stem}.ipynb"
    colab = f" ([in Colab]({in_colab(where, path)}))" if where else ""
    return f"Next: [{name(behind)}]({_from(folder, path)}){colab}"


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
