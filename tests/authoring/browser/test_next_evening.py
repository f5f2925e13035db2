"""A saved page on another evening, before anything is run: in headless Chromium."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import expect

from tests.authoring.browser import photographed
from utils.progress import SECONDS

pytestmark = pytest.mark.full
CELLS = (
    "import sys, time\nsys.path.insert(0, '..')\nfrom utils.lesson_01 import page\n"
    "from utils.predictions import ASLEEP, predict\nfrom utils.progress import bar",
    "predict('01.odd')",
    f"for _ in bar(range(4)):\n    time.sleep({SECONDS})",
)


def test_what_a_saved_page_says_before_anything_is_run(jupyterlab):
    """Of a prediction that hears no click: what to run. Of a bar: nothing."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    page = jupyterlab.work / "evening.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), page)
    lab = jupyterlab.start()
    lab.open_path(page.name)
    lab.run_all()
    line, commit = lab.page.locator(".course-asleep"), lab.page.get_by_role("button", name="Commit")
    with photographed(lab.page):
        assert lab.errors() == []
        expect(commit).to_be_visible()
        expect(line).to_be_hidden()
        lab.page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    copy = page.with_name("another.ipynb")  # which has no kernel of its own yet
    copy.write_bytes(page.read_bytes())
    assert "bar(range(4))" in copy.read_text() and "%|" not in copy.read_text()
    again = jupyterlab.start()
    again.open_path(copy.name)
    with photographed(again.page):
        expect(again.page.get_by_role("button", name="Commit")).to_be_visible()
        expect(again.page.locator(".course-asleep")).to_be_visible()
        assert "Error displaying widget" not in again.page.inner_text("body")
