"""Which built pages `make test` runs again: those whose own code has changed since their build executed them.

A change of a shared module, or of requirements.txt, makes every page that uses it old; two paths are run for it, and
the rest is left to `make test-all`, which runs all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from authoring import course, digests
from authoring.course import Lesson, all_pages
from authoring.diagnostics import relative
from tests.marks import ROOT, lesson

SPOT_CHECKS = 2


@dataclass(frozen=True)
class Page:
    """A built notebook, by the page and the folder of its source, and what changed since its build."""

    of: course.Page
    folder: str
    own: bool
    shared: bool

    @property
    def shown(self) -> str:
        """Its path from the course's folder."""
        return relative(self.of.notebook(self.folder), self.of.root)


changed: dict[str, tuple[bool, bool]] = {}  # what a worker was told by the process that started it


def pages() -> list[Page]:
    """Return all pages that a build executes."""
    found = [(one, folder) for one in all_pages(ROOT) for folder in one.executed]
    if changed:
        return [Page(*one, *changed[Page(*one, False, False).shown]) for one in found]
    recorded = digests.load(ROOT)
    return [_page(*one, recorded) for one in found]


def _page(one: course.Page, folder: str, recorded: digests.Digests) -> Page:
    inputs = digests.changed_inputs(one, folder, recorded)
    return Page(one, folder, bool(digests.own_changes(one, inputs)), bool(inputs))


def only_changed(among: list[Page]) -> list[Any]:
    """Return the pages as parameters: those that are not to run again only in `make test-all`."""
    again = to_run(among)
    return [
        pytest.param(page, marks=[lesson(page.of.number), *([] if page in again else [pytest.mark.full])])
        for page in among
    ]


def to_run(among: list[Page]) -> list[Page]:
    """Return the pages that `make test` runs."""
    old = [page for page in among if page.shared and not page.own]
    paths = [page for page in old if isinstance(page.of, Lesson) and page.folder == "notebooks"]
    return [page for page in among if page.own or page in paths[:SPOT_CHECKS]]
