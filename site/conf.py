"""Sphinx's settings for the course's site: `make site` builds it from the notebooks as they are, running none."""

from __future__ import annotations

import sys
from pathlib import Path

SITE = Path(__file__).resolve().parent
ROOT = SITE.parent
sys.path[:0] = [str(SITE), str(ROOT)]

import around  # noqa: E402
import browser_python  # noqa: E402
import landing  # noqa: E402
import notebook_pages  # noqa: E402
import words  # noqa: E402

from authoring import links  # noqa: E402
from authoring.course import address  # noqa: E402

project = "What does depth buy a neural network, and what does it cost?"
author = copyright = ""
html_title = "What does depth buy?"
extensions = ["myst_parser", "sphinx_copybutton", "formulas"]

root_doc = "site/contents"
source_suffix = {".md": "markdown", ".ipynb": "markdown"}  # notebooks become Markdown as they are read
include_patterns = ["notebooks/*.ipynb", "exercises/*.ipynb", "reference/*.md", "grading/*.md", "site/*.md"]
exclude_patterns = [".*", "_site", "work", "tests", "utils", "results", "claims-runs"]  # not even looked into
myst_enable_extensions = ["dollarmath"]
myst_all_links_external = True  # pages lie as their notebooks do, so links are relative addresses
myst_dmath_double_inline = True
suppress_warnings = ["myst.header"]  # an exercise's examples have headings of their own

html_theme = "furo"
html_static_path = ["static"]
templates_path = ["templates"]
html_additional_pages = {"index": "landing.html", "playground": "playground.html", "404": "404.html"}
html_css_files, html_js_files = ["vendor/prism-code-editor.css", "site.css"], [("site.js", {"defer": "defer"})]
html_copy_source = html_show_sourcelink = html_show_copyright = html_show_sphinx = False
html_use_index = False
copybutton_selector = "div.highlight pre"
pygments_style, pygments_dark_style = "a11y-high-contrast-light", "a11y-high-contrast-dark"

where, editors = address(ROOT), browser_python.is_there()
if where:
    html_baseurl = links.site(where)


def setup(app):
    notebook_pages.setup(app, ROOT, where, editors)
    around.setup(app, ROOT, where)
    words.setup(app, ROOT)
    landing.setup(app, ROOT, where, editors)
