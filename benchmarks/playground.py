"""The playground's engine in Chromium, beside TensorFlow Playground's own loop in the same worker, and its regions.

The other side needs a checkout of github.com/tensorflow/playground, whose folder the environment variable
TENSORFLOW_PLAYGROUND names; without it, only ours is measured.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import spread
from tests.authoring.browser import NEEDED, browsing, chromium

ROOT = Path(__file__).parents[1]
CHECKOUT = "TENSORFLOW_PLAYGROUND"
HOW_TO = f"{CHECKOUT} names no checkout of github.com/tensorflow/playground, so only our side is measured"
# Its one file without the types, by the Node.js that drives the browser: otherwise it runs as it is written.
STRIP = """
const { readFileSync } = require("fs"), { stripTypeScriptTypes } = require("module");
process.stdout.write(stripTypeScriptTypes(readFileSync(process.argv[1], "utf8")));
"""
PAGE = '<!doctype html><title>Benchmark</title><body><script type="module">import "/page.js";</script>'


def without_types(source: Path) -> str:
    """Return a TypeScript file as JavaScript."""
    from playwright._impl._driver import compute_driver_executable

    node = compute_driver_executable()[0]
    return subprocess.run([node, "-e", STRIP, source], check=True, capture_output=True, text=True).stdout


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


@contextlib.contextmanager
def served() -> Iterator[tuple[str, str | None]]:
    """Serve the page; yields its address, and the other side's module, None where there is none."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        shutil.copytree(Path(__file__).with_name("_playground"), folder, dirs_exist_ok=True)
        shutil.copytree(ROOT / "utils" / "playground", Path(folder, "playground"))
        Path(folder, "index.html").write_text(PAGE)
        if theirs := os.environ.get(CHECKOUT):
            Path(folder, "theirs.js").write_text(without_types(Path(theirs, "src", "nn.ts")))
        handler = functools.partial(_Quiet, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}/", "/theirs.js" if theirs else None
            server.shutdown()


def measure(full: bool = False) -> dict[str, Any]:
    """Return steps a second, regions' milliseconds, and the seconds of a bet with 20 seeds. Quick: half a minute."""
    if chromium() is None:
        raise SystemExit(NEEDED)
    rounds, milliseconds = (100, 250) if full else (25, 100)  # short ones: a busy machine interrupts few
    with served() as (address, theirs), browsing() as browser:
        page = browser.new_page()
        page.goto(address)

        def call(code: str, argument: Any = None) -> Any:
            return page.evaluate(f"async (it) => {{ const page = await import('/page.js'); return {code}; }}", argument)

        kinds = call("page.ask(page.worker, { task: 'prepare', theirs: it })", theirs)
        speeds = {kind: [] for kind in kinds}
        for _ in range(rounds + 1):
            for kind in kinds:
                task = {"task": "speed", "kind": kind, "milliseconds": milliseconds}
                speeds[kind].append(call("page.ask(page.worker, it)", task))
        speeds = {kind: values[1:] for kind, values in speeds.items()}  # the first one compiles
        ratios = {
            kind: [a / b for a, b in zip(speeds[kind], speeds["theirs"], strict=True)]
            for kind in ("adam", "sgd")
            if theirs
        }
        cuts = [call("page.regions([32, 32, 32], 1)") for _ in range(rounds + 1)][1:]
        return {
            "steps_per_second": {kind: spread(values) for kind, values in speeds.items()},
            "ratio": {kind: spread(values) for kind, values in ratios.items()} or HOW_TO,
            "live": call("page.live(it)", 20 * milliseconds),
            "regions": cuts[0]["regions"],
            "milliseconds_cut": spread([one["cut"] for one in cuts]),
            "milliseconds_drawn": spread([one["drawn"] for one in cuts]),
            "bet": [call("page.bet(20, 4000)") for _ in range(3)],
        }


def show(figures: dict[str, Any]) -> str:
    """Return the figures as text."""
    names = {"adam": "ours, Adam", "sgd": "ours, SGD", "theirs": "TensorFlow Playground, SGD"}
    rows = ["[2, 8, 8, 8, 1], ReLU, batches of 32, in one worker; steps a second:"]
    rows += [f"  {names[kind]}: {_range(values)}" for kind, values in figures["steps_per_second"].items()]
    if isinstance(figures["ratio"], str):
        rows.append(figures["ratio"])
    else:
        rows += [f"  ratio, {names[kind]}: {_range(values)}" for kind, values in figures["ratio"].items()]
    live, cut = figures["live"], figures["milliseconds_cut"]
    rows.append(
        f"while its regions are cut and drawn in each frame: {live['speed']:,.0f} steps a second, {live['frames']:.1f} "
        f"frames a second, the longest after {live['longest']:.0f} ms"
    )
    rows.append(
        f"{figures['regions']:,} regions: cut in {_range(cut)} ms, {1000 * figures['regions'] / cut['median']:,.0f} a "
        f"second; drawn in {_range(figures['milliseconds_drawn'])} ms"
    )
    seconds = spread([one["seconds"] for one in figures["bet"]])
    rows.append(
        f"20 seeds, [2, 44, 1] and [2, 8, 8, 8, 1], 4,000 steps each: {_range(seconds)} s on "
        f"{figures['bet'][0]['workers']} workers"
    )
    return "\n".join(rows)


def _range(values: dict[str, float]) -> str:
    return f"{_figures(values['median'])} ({_figures(values['low'])} to {_figures(values['high'])})"


def _figures(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
