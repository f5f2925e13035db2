"""JupyterLab as a learner has it: served by the course's own command, driven in headless Chromium."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from authoring.learn import settle_jupyterlab
from tests.doors.day import environment

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first is four times as fast
NEEDED = "needs Debian's package chromium-headless-shell: sudo apt-get install chromium-headless-shell"
# No sandbox: in a container the only user is often root, whom Chromium refuses one. No network but the server.
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
COURSE = ("authoring", "utils", "notebooks", "exercises", "solutions", "results", "pyproject.toml")
SECONDS = 300  # the longest a lesson may take to run

# Frame by frame, what there is to be seen of a live figure.
WATCH = """box => {
    const frames = window.frames_seen = [];
    window.watching = true;
    const look = time => {
        const picture = box.querySelector('img'), words = [...box.querySelectorAll('.widget-html-content')].at(-1);
        const size = picture?.getBoundingClientRect();
        frames.push({time, width: size?.width ?? 0, height: size?.height ?? 0,
                     source: picture?.src, words: words.textContent});
        if (window.watching) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""


def chromium() -> str | None:
    """Return the path of a Chromium on this machine, None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def needs_chromium() -> None:
    """Skip a test where there is no Chromium; fail it where there has to be one."""
    if chromium() is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(NEEDED)


@dataclass(frozen=True)
class Served:
    """A JupyterLab in a browser: what opens a page with its start page, and the folder that it serves."""

    start: Callable[[], Lab]
    work: Path
    browser: Browser


@pytest.fixture(scope="package")  # and no longer: while a browser is driven, no test can run an event loop
def jupyterlab(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A copy of the course, served as `make learn` does, and a browser: one of each for all tests."""
    needs_chromium()
    scratch = tmp_path_factory.mktemp("lab")
    with served(root, scratch) as address, browsing() as browser:
        yield Served(lambda: Lab(browser, address), scratch / "course" / "work", browser)


@contextlib.contextmanager
def served(root: Path, scratch: Path) -> Iterator[str]:
    """Serve a copy of the course in ``scratch`` as `make learn` does; yields the address that is printed."""
    course = scratch / "course"
    for name in COURSE:
        copy = shutil.copytree if (root / name).is_dir() else shutil.copy
        course.mkdir(exist_ok=True)
        copy(root / name, course / name)
    command = [sys.executable, "-m", "authoring.learn", "--browser", "no"]
    with (scratch / "log").open("w") as log:
        settings = {"cwd": course, "env": _environment(scratch), "start_new_session": True}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **settings) as lab:
            try:
                yield _address(lab.stdout, log)
            finally:
                os.killpg(lab.pid, signal.SIGKILL)


def _address(lines: Iterator[str], log) -> str:
    for line in lines:
        log.write(line)
        if found := re.search(r"http://127\S+", line):
            return found[0]
    raise AssertionError(f"JupyterLab printed no address; what it said is in {log.name}")


def _environment(scratch: Path) -> dict[str, str]:
    """Return an environment in which Jupyter reads and writes nothing of this user's own."""
    config = scratch / "config"
    (config / "labconfig").mkdir(parents=True)
    # What `make learn` sets in the course's own .venv; a copy of the course has none.
    settle_jupyterlab(config)
    (config / "overrides.json").replace(config / "labconfig" / "default_setting_overrides.json")
    (config / "jupyter_lab_config.json").write_text(json.dumps({"LabApp": {"expose_app_in_browser": True}}))
    return {**environment(scratch / "home"), "JUPYTER_CONFIG_DIR": str(config)}


@contextlib.contextmanager
def browsing() -> Iterator[Browser]:
    """Run Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def photographed(page: Page) -> Iterator[None]:
    """Leave a picture of the page where something fails, and say where."""
    try:
        yield
    except Exception as error:
        path = Path(tempfile.mkdtemp(prefix="browser-")) / "page.png"
        page.screenshot(path=path)
        error.add_note(f"What the page looked like then: {path}")
        raise


_workspaces = itertools.count(1)


def with_clean_workspace(address: str) -> str:
    """Return the address with a workspace of its own, in which nothing of earlier pages is open."""
    return address.replace("/lab/tree/", f"/lab/workspaces/page-{next(_workspaces)}/tree/")


class Lab:
    """JupyterLab on one page, in a workspace of its own, with one notebook in front."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.page = browser.new_page(viewport={"width": 1280, "height": 900})
        self.page.set_default_timeout(30_000)
        self.crashes: list[str] = []
        self.page.on("pageerror", lambda error: self.crashes.append(str(error)))
        # Badges point to the internet; the tests do not go there.
        self.page.route(lambda url: not url.startswith(("http://127.", "blob:", "data:")), lambda route: route.abort())
        self.page.goto(with_clean_workspace(address))
        with photographed(self.page):
            self.page.locator(".jp-RenderedMarkdown table").filter(visible=True).wait_for(timeout=60_000)

    def open(self, lesson: str, what: str) -> None:
        """Follow the start page's link to this lesson's "lesson" or "exercises"; wait for the kernel."""
        with photographed(self.page):
            row = self.page.locator(".jp-RenderedMarkdown tr").filter(has_text=re.compile(rf"^\s*{lesson} "))
            link = row.get_by_role("link", name=what, exact=True)
            path = link.get_attribute("href").split("/files/")[-1].split("?")[0]
            link.click()
            self.page.wait_for_function(
                "path => jupyterapp.shell.currentWidget?.context?.path === path", arg=path, timeout=30_000
            )
            self._wait_until_idle()

    def open_path(self, path: str) -> None:
        """Open the notebook at this path below the server's folder; wait for the kernel."""
        with photographed(self.page):
            self.page.evaluate("path => jupyterapp.commands.execute('docmanager:open', {path})", path)
            self.page.wait_for_function("path => jupyterapp.shell.currentWidget?.context?.path === path", arg=path)
            self._wait_until_idle()

    def run_all(self) -> None:
        """Choose Run > Run All Cells, once no output of before is left, and wait until all have run."""
        with photographed(self.page):
            self._choose("Edit", "Clear Outputs of All Cells")
            self._choose("Run", "Run All Cells")
            self.page.wait_for_function(
                """() => jupyterapp.shell.currentWidget.content.widgets
                         .filter(cell => cell.model.type === 'code' && cell.model.sharedModel.source.trim())
                         .every(cell => cell.model.executionCount && cell.model.executionState === 'idle')""",
                timeout=SECONDS * 1000,
            )
            self._wait_until_idle()

    def _choose(self, menu: str, item: str) -> None:
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        self.page.get_by_role("menuitem", name=item, exact=True).click()

    def _wait_until_idle(self) -> None:
        status = "jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status"
        self.page.wait_for_function(f"() => {status} === 'idle'", timeout=60_000)

    def cells(self, text: str) -> list[Locator]:
        """Return the code cells whose source holds ``text``, in order."""
        found = self.page.evaluate(
            """text => jupyterapp.shell.currentWidget.content.widgets.flatMap((cell, index) => {
                   if (cell.model.type !== 'code' || !cell.model.sharedModel.source.includes(text)) return [];
                   cell.node.dataset.place = index;
                   return [index];
               })""",
            text,
        )
        return [self.page.locator(f".jp-Notebook:visible [data-place='{index}']") for index in found]

    def source(self, cell: Locator) -> str:
        """Return the cell's text."""
        return self._of(cell, "cell.model.sharedModel.source")

    def errors(self) -> list[str]:
        """Return the tracebacks that the notebook shows."""
        return self.page.evaluate(
            """() => jupyterapp.shell.currentWidget.content.widgets
                     .filter(cell => cell.model.type === 'code').flatMap(cell => cell.model.outputs.toJSON())
                     .filter(output => output.output_type === 'error')
                     .map(output => `${output.ename}: ${output.evalue}`)"""
        )

    def write(self, cell: Locator, text: str) -> None:
        """Replace the cell's text by way of the keyboard, and run it."""
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)
        assert self.source(cell) == text
        self.run(cell)

    def run(self, cell: Locator) -> str:
        """Run the cell with the keyboard; return what it prints."""
        before = self._of(cell, "cell.model.executionCount")
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")
        self.page.wait_for_function(
            """([place, before]) => {
                   const {model} = jupyterapp.shell.currentWidget.content.widgets[place];
                   return model.executionCount && model.executionCount !== before && model.executionState === 'idle';
               }""",
            arg=[self._place(cell), before],
        )
        self._wait_until_idle()
        return "\n".join(cell.locator(".jp-OutputArea-output").all_inner_texts())

    def _of(self, cell: Locator, expression: str) -> object:
        code = f"place => {{ const cell = jupyterapp.shell.currentWidget.content.widgets[place]; return {expression} }}"
        return self.page.evaluate(code, self._place(cell))

    def _place(self, cell: Locator) -> int:
        return int(cell.get_attribute("data-place"))
