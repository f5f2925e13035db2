"""Rules of thumb for the design of networks, and what backs each of them in this course."""

from __future__ import annotations

PROVED, MEASURED, FOLKLORE = "proved", "measured here", "folklore"
PAGES = {
    "02": "02_depth_vs_width",
    "03a": "03a_does_a_hierarchy_need_depth",
    "04": "04_depth_efficiency",
    "06": "06_initialization",
    "07": "07_when_depth_hurts",
    "07b": "07b_fitting_too_well",
}
RULES = (  # the rule, what backs it, on which pages
    ("Start with no network, then one hidden layer.", MEASURED, "07"),
    ("Go deeper where the task is made of steps.", "proved for some, measured for others", "02 03a 04 07"),
    ("It will not train: look at signal and gradient, then the initialisation.", MEASURED, "06 07"),
    ("It underfits: train longer, or give it another start.", MEASURED, "06 07"),
    ("It overfits: weight decay.", "measured here: a little on the table, not clearly on a board", "07b"),
    ("Twenty ReLU layers or more: skips, or start near the identity.", MEASURED, "07"),
    ("Tune the learning rate for each depth.", MEASURED, "02"),
)


def table() -> str:
    """Return the rules as a table in Markdown, with links to the pages."""
    rows = ["| rule | backed by | where |", "|---|---|---|"]
    for rule, backing, where in RULES:
        links = ", ".join(f"[{page}]({PAGES[page]}.ipynb)" for page in where.split())
        rows.append(f"| {rule} | {backing} | {links} |")
    return "\n".join(rows)
