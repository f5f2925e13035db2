"""The links between a page and its exercises, as a reader follows them: JupyterLab in headless Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.authoring.browser import photographed

pytestmark = pytest.mark.full
STEM = "04_depth_efficiency"


def test_links_scroll_to_the_exercise_and_back_to_the_section_that_calls_it(jupyterlab):
    """Of lesson 04: a heading far down, one with a formula; and from there home."""
    lab = jupyterlab.start()
    lab.page.set_default_timeout(60_000)
    lab.open_path(f"lessons/lesson_{STEM}.ipynb")
    shown = lab.page.locator(".jp-Notebook:visible")
    for name, file, heading in [
        ("exercise 04.5", f"{STEM}.ipynb", "Exercise 04.5: "),
        ("← 04, 6 A smooth curve", f"lessons/lesson_{STEM}.ipynb", "6 A smooth curve"),
        ("exercise 04.3", f"{STEM}.ipynb", "Exercise 04.3: the fewest hinges"),
        ("← 04, 4 The shallow side", f"lessons/lesson_{STEM}.ipynb", "4 The shallow side"),
        ("all lessons", "start.md", None),
    ]:
        with photographed(lab.page):
            shown.get_by_role("link", name=name, exact=True).first.click()
            lab.page.wait_for_function("path => jupyterapp.shell.currentWidget?.context?.path === path", arg=file)
            if heading:
                expect(shown.locator("h2").filter(has_text=heading)).to_be_in_viewport(timeout=60_000)
    lab.page.close()
