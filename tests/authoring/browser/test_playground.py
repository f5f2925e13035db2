"""The playground in JupyterLab, in headless Chromium."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import expect

from tests.authoring.browser import photographed
from utils.playground import as_html

pytestmark = pytest.mark.full
SOURCE = "import sys\nsys.path.insert(0, '..')\nfrom utils.playground import playground\nplayground(steps=100_000)"


def test_in_jupyterlab_a_picture_is_there_before_and_a_playground_that_trains_after_the_cell_is_run(jupyterlab):
    page, words = as_html(None, None, {})
    shown = nbformat.v4.new_output("display_data", data={"text/html": page, "text/plain": words})
    cell = nbformat.v4.new_code_cell(SOURCE, execution_count=7, outputs=[shown])
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=metadata), jupyterlab.work / "playground.ipynb")
    lab = jupyterlab.start()
    lab.open_path("playground.ipynb")
    with photographed(lab.page):
        (cell,) = lab.cells("playground(")
        picture = cell.get_by_role("img", name="A playground: where scripts run")
        expect(picture).to_be_visible()
        assert picture.evaluate("img => img.naturalWidth") > 400 and cell.locator("canvas").count() == 0
        for _ in range(2):  # run again, it is made anew
            lab.run(cell)
            expect(cell.locator(".large canvas").first).to_be_visible()
            expect(cell.locator(".lab")).to_have_count(1)
            assert cell.locator("[data-playground] > img").count() == 0
        cell.locator(".train").click()
        lab.page.wait_for_function("parseInt(document.querySelector('.steps').textContent.replace(',', '')) > 200")
        box, room = (cell.locator(one).first.bounding_box() for one in (".lab", ".jp-OutputArea-output"))
        assert box["x"] + box["width"] <= room["x"] + room["width"] + 1
    assert lab.crashes == []
