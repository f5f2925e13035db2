"""One built and served site, and one browser, for all tests of this package, and no longer than for them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Browser

from tests.authoring.browser import browsing, needs_chromium
from tests.sites import COMMAND, PYTHON, ROOT, module, serving


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a built site."""
    if not PYTHON.exists():
        (pytest.fail if os.environ.get("CI") else pytest.skip)("needs the site's environment: make .venv-site/.ready")
    folder = tmp_path_factory.mktemp("site")
    built = [PYTHON, *COMMAND, "-d", folder / "read", ROOT, folder / "site"]
    done = subprocess.run(built, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return folder / "site"


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    needs_chromium()
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="package")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    with serving(site) as there:
        yield there


@pytest.fixture(scope="package")
def notebook_pages() -> ModuleType:
    return module("notebook_pages")
