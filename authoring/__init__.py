"""Builds and checks the notebooks from their sources: ``python -m authoring build|check|new|restamp``."""

from __future__ import annotations

import sys

# jsonschema, which nbformat uses, would build a parser of international addresses while it is imported: more than a
# second of every command. No notebook's schema has such an address; without the parser that format goes unchecked.
sys.modules.setdefault("rfc3987_syntax", None)
