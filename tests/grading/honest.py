"""Honest notebooks: the ways in ``honest.txt`` to hand in a right answer to exercise 01.2, each below its ``### name``.

``# %%`` separates their cells. Where three dots stand for a function's body, it is BODY. Where a name begins with
"said:", marking cannot have what the answer needs, and the check has to say so.
"""

from __future__ import annotations

from pathlib import Path

BODY = "slopes = np.diff(values) / np.diff(knots)\n    return np.diff(slopes, append=0.0)"
CHECK = 'check("01.2", left_weights)'
OWN_PACKAGE = "a_package_of_mine"
FILES = {
    "mine.csv": "a,b\n1,2\n",
    "own_helper.py": "import numpy as np\ndef slopes_of(k, v):\n    return np.diff(v) / np.diff(k)\n",
}


def notebooks() -> dict[str, list[str]]:
    """Return the cells of each notebook by its name; the check stands at the end, unless it stands somewhere."""
    found = {}
    for notebook in ("\n" + Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")).split("\n### ")[1:]:
        name, _, text = notebook.partition("\n")
        cells = text.replace("    ...", f"    {BODY}").removesuffix("\n").split("\n# %%\n")
        found[name] = cells if CHECK in text else [*cells, CHECK]
    return found
