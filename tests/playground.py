"""The playground's modules on a page of their own in headless Chromium, as the site has them, without a site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, Route

FOLDER = Path(__file__).parents[1] / "utils/playground"
ADDRESS = "http://playground.test/"
MOUNTING = """<!doctype html><html lang="en"><title>A playground</title><body>
    <main id="place"></main><script type="module">
    import {{ mountOnSite }} from "./site.js";
    const spawn = () => new Worker("./worker.js", {{ type: "module" }});
    const where = {{ home: location.href, address: true }};
    window.lab = mountOnSite(document.querySelector("#place"), {setting}, {spawn}, where);
    </script></body></html>"""


def serve(page: Page, body: str = "<!doctype html>") -> None:
    """Have a page of ADDRESS hold `body`, with the playground's modules beside it."""

    def answer(route: Route) -> None:
        path = FOLDER / Path(route.request.url.split("#")[0].split("?")[0]).name
        if path.suffix == ".js":
            route.fulfill(path=path, content_type="text/javascript")
        else:
            route.fulfill(body=body, content_type="text/html")

    page.context.route("**/*", answer)


@contextmanager
def mounted(
    browser: Browser,
    setting: dict | None = None,
    *,
    at: str = "",
    workers: bool = True,
    width: int = 1280,
    height: int = 900,
    **how: object,
) -> Iterator[Page]:
    """Yield a page on which a playground stands, ready to train, as `lab`; no error may come from it.

    at: what its address has behind #. Without workers, it trains in slices on the page.
    """
    page = browser.new_page(viewport={"width": width, "height": height}, **how)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    serve(page, MOUNTING.format(setting=json.dumps(setting or {}), spawn="spawn" if workers else "null"))
    page.goto(ADDRESS + ("#" + at if at else ""))
    page.wait_for_function("window.lab?.port && lab.last")
    yield page
    page.close()
    assert not errors, errors
