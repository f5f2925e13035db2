"""The course's site as its tests build it, and who reads it in headless Chromium."""

from __future__ import annotations

import contextlib
import functools
import http.server
import importlib.util
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / ".venv-site/bin/python"
COMMAND = ("-m", "sphinx", "-q", "-E", "-W", "-c", "site")  # of the Makefile's `site`, which a test compares
NARROW, MIDDLE, WIDE = 390, 800, 1280  # pixels


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder; yields its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@contextlib.contextmanager
def reader(browser: Browser, address: str, service_workers: str = "block", **settings: str) -> Iterator[Page]:
    """Yield a page of somebody who has never been here; what it complains of, or asks of others, is an error.

    service_workers: "allow", for one that keeps what was visited; what a test puts in a page's place then goes by it.
    """
    settings |= {"viewport": {"width": WIDE, "height": 900}, "service_workers": service_workers}
    context, wrong = browser.new_context(**settings), []
    page = context.new_page()
    page.on("console", lambda said: wrong.append(f"{page.url}: {said.text}") if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))
    page.on("request", lambda one: None if one.url.startswith((address, "data:", "blob:")) else wrong.append(one.url))
    yield page
    context.close()
    assert wrong == []


def module(name: str) -> ModuleType:
    """Return a module of the folder site, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"site/{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(ROOT / "site"))  # as conf.py has it
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "site"))
    return module
