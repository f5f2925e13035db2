"""The errata: what reference/errata.toml says, and where each stands, in errata.md and on the page that shows it."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

from authoring.course import Page, tables

FILE, PAGE = "reference/errata.toml", "errata.md"
RIGHT = "What they have right"  # the heading above what is no mistake
CORRECTED, CONFIRMED = "Corrected on this page: ", "Confirmed on this page: "


def anchor(name: str) -> str:
    """Return the end of an address, in letters that neither GitHub nor Jupyter nor Sphinx writes otherwise."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def read(root: Path) -> dict[str, dict[str, Any]]:
    """Return the errata by their names; raises AuthoringError for a file that is missing or malformed."""
    return tables(root, FILE)


def corrected(page: Page) -> str:
    """Return the line that leads from a page to the errata that it shows, "" where there are none."""
    if not (page.root / FILE).exists():
        return ""
    number = page.stem.split("_")[0]
    lists: dict[str, list[str]] = {CORRECTED: [], CONFIRMED: []}
    for name, entry in read(page.root).items():
        if str(entry.get("at", "")).split(" ")[0] == number:
            said = CONFIRMED if entry.get("under") == RIGHT else CORRECTED
            lists[said].append(f"[{name}](../reference/{PAGE}#{anchor(name)})")
    return " ".join(f"{said}{', '.join(links)}." for said, links in lists.items() if links)
