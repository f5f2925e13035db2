"""The playground as a notebook's output: where it runs, its modules joined, models and points in it."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from PIL import Image
from playwright.sync_api import Browser, Frame, Page, expect
from torch import nn

from authoring import digests
from tests.authoring.browser import browsing, needs_chromium
from tests.marks import ROOT
from utils import playground as package
from utils.figures import use_style
from utils.models import ResidualBlock, mlp
from utils.playground import as_html, joining, playground, settings
from utils.playground.joining import script

AT = "https://lab.test/"
SINGLE, SITE = 80_000, 110_000  # bytes of the joined script, of a notebook's and of the site's

# --- where it runs ----------------------------------------------------------------------------------------

# What VS Code's notebooks allow their outputs (microsoft/vscode, backLayerWebView.ts), and the same without workers.
POLICY = (
    "default-src 'none'; script-src 'self' https://*.vscode-cdn.net 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' https://*.vscode-cdn.net 'unsafe-inline'; img-src 'self' https: http: data:; "
    "font-src 'self' https:; connect-src https:; child-src https: data:;"
)
# JupyterLab and VS Code put an output's HTML into the page, where its scripts do not run, and then make them anew.
INSERTED = """piece => {
    const output = document.body.appendChild(document.createElement('div'));
    output.innerHTML = piece;
    for (const script of output.querySelectorAll('script')) {
        const made = document.createElement('script');
        made.textContent = script.textContent;
        script.replaceWith(made);
    }
}"""
# Each: the policy of the page, how an output comes into it, and whether a worker trains, or slices on the page.
PLACES = {
    "a bare page": ("", "whole", True),
    "a sandboxed frame": ("", "frame", True),
    "JupyterLab": ("", "inserted", True),
    "VS Code": (POLICY, "inserted", True),
    "a page without workers": (POLICY.replace("child-src https: data:;", ""), "inserted", False),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    needs_chromium()
    with browsing() as browser:
        yield browser


@pytest.fixture
def opened(browser) -> Iterator[Callable[..., Page]]:
    """What opens a page of this HTML at an address of its own, and nothing from the network but the modules there."""
    contexts = []

    def opened_page(text: str = "", policy: str = "", folder: Path = joining.HERE, **how) -> Page:
        contexts.append(browser.new_context(**how))
        page = contexts[-1].new_page()
        meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""

        def answer(route):
            name = route.request.url.removeprefix(AT)
            if name:
                route.fulfill(body=(folder / name).read_text(encoding="utf-8"), content_type="text/javascript")
            else:
                route.fulfill(
                    body=f"<!doctype html><meta charset=utf-8>{meta}<title>it</title>{text}", content_type="text/html"
                )

        page.route(re.compile("^http"), answer)
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.goto(AT)
        return page

    yield opened_page
    for context in contexts:
        context.close()


def playground_html(model: nn.Module | None = None, *, points=None, **setting) -> str:
    return as_html(model, points, setting)[0]


def steps(frame: Page | Frame) -> int:
    return int(re.sub(r"\D", "", frame.locator(".steps").inner_text()))


@pytest.mark.slow
@pytest.mark.parametrize("where", PLACES)
def test_it_is_drawn_and_trains(opened, where):
    policy, how, by_worker = PLACES[where]
    piece = playground_html(steps=100_000)
    if how == "frame":
        page = opened()
        page.evaluate(
            """piece => {
            const frame = document.createElement('iframe');
            Object.assign(frame, {sandbox: 'allow-scripts', width: 1200, height: 900, srcdoc: piece});
            document.body.append(frame);
        }""",
            f"<!doctype html><meta charset=utf-8>{piece}",
        )
        page.frame_locator("iframe").locator(".train").wait_for()
        frame = page.frames[1]
        assert frame.evaluate("origin") == "null"
    else:
        frame = page = opened(piece if how == "whole" else "", policy)
        if how == "inserted":
            page.evaluate(INSERTED, piece)
    expect(frame.locator(".train")).to_be_enabled()
    assert [one.evaluate("onmessage !== null") for one in page.workers] == [True] * by_worker and steps(frame) == 0
    frame.locator(".train").click()
    frame.wait_for_function("parseInt(document.querySelector('.steps').textContent.replace(',', '')) > 200")
    colours = frame.locator(".large canvas").first.evaluate("""canvas => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;
    }""")
    assert colours > 20
    assert frame.locator("[data-playground] > img").count() == 0


@pytest.mark.slow
def test_where_scripts_do_not_run_a_picture_says_it(opened):
    page = opened(playground_html(), java_script_enabled=False)
    picture = page.get_by_role("img", name=re.compile("the networks 2–44–1 and 2–8–8–8–1, not trained yet"))
    with Image.open(io.BytesIO(picture.screenshot())) as shot:
        assert shot.width > 400 and (np.asarray(shot.convert("L")) < 160).mean() > 0.01
    assert page.locator("canvas").count() == 0 and "function" not in page.locator("body").inner_text()


# --- the script -------------------------------------------------------------------------------------------


def test_the_script_is_small_and_a_page_of_the_same_input_has_the_same_bytes(monkeypatch):
    assert len(script().encode()) <= SINGLE
    one = playground_html(data="spirals", turns=2)
    with plt.rc_context({"font.size": 20}):
        use_style()
        assert playground_html(data="spirals", turns=2) == one
    assert playground_html(data="spirals", turns=2.5) != one and plt.get_fignums() == []
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    playground(data="spirals", turns=2)
    assert shown[0]["text/html"] == one and f'alt="{shown[0]["text/plain"]}"' in one
    assert one.count("</script>") == 1 and one.endswith("</script>") and "<!--" not in one


def test_the_sites_script_is_small_and_a_notebook_does_without_what_only_the_site_has():
    site, notebook = script(mounting="mountOnSite"), script()
    assert len(site.encode()) <= SITE
    assert site.endswith("})") and "return mountOnSite;" in site and "return mount;" in notebook
    for only in ("mountOnSite", "hashchange", "URLSearchParams"):
        assert only in site and only not in notebook


@pytest.mark.slow
def test_rules_of_style_are_as_a_browser_reads_them_in_the_module(opened):
    page = opened(playground_html())
    page.locator(".lab style").first.wait_for(state="attached")
    read = """import('./style.js').then(({ STYLE }) => {
        const read = (text) => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(text);
            return [...sheet.cssRules].map((rule) => rule.cssText.replaceAll(", ", ","));
        };
        return [read(STYLE), read(document.querySelector(".lab style").textContent)];
    })"""
    there, joined = page.evaluate(read)
    assert there == joined and len(there) > 50


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A copy of the modules, whose playground.js only says what it was given; pages are made of it."""
    for path in joining.HERE.glob("*.js"):
        shutil.copy(path, tmp_path)
    (tmp_path / "playground.js").write_text("""
import { settled } from "./setting.js";
import { networkOf } from "./serving.js";
import { countRegions } from "./regions.js";
export function mount(root, raw) {
  const { setting, refused } = settled(raw), network = networkOf(setting, 0);
  const outputs = (X) => [...network.forward(Float64Array.from(X.flat()), X.length).slice(0, X.length)];
  root.textContent = "mounted";
  window.given = { setting, refused, outputs, parameters: network.parameters, regions: () => countRegions(network) };
}
""")
    monkeypatch.setattr(package, "script", lambda: script(tmp_path))
    return tmp_path


@pytest.mark.slow
def test_what_literals_hold_is_but_for_their_margin_what_the_modules_hold_and_ends_no_script(folder, opened):
    (folder / "playground.js").write_text("""// `one
import { serve } from "./serving.js";
import { NAMES } from "./setting.js";
const TAG = "</script><!-- <!-->", LONG = `
    <p>One line;
      another,
        // ${NAMES.map((name) => `<b>${name}</b>`).join("; ")}
`, last = /<\\/script|`/.test(TAG); // `

// "nothing"
const signs = (a, b) => [a - -b, a + +b, a < -b, a ? .5 : b, a ? [...[b]] : { a }, !a || a ** -b]; // so
export function mount(root) {
  // here
  window.given = [TAG, LONG, last, typeof serve, signs(3, 2)];
}
""")
    page = opened(playground_html(), folder=folder)
    joined = page.evaluate("given")
    page.evaluate("import('./playground.js').then(one => one.mount(null))")
    there = page.evaluate("given")
    assert [re.sub(r"\n\s+", "\n", one) if isinstance(one, str) else one for one in there] == joined
    assert joined[1].splitlines()[1:3] == ["<p>One line;", "another,"] and joined[2:4] == [True, "function"]


WRONG = {
    "a name twice": (
        "const a = 1, twice = (b) => [b, { c: 2 }], ACTIVATIONS = {\n  relu: 1 };\n",
        "ACTIVATIONS is declared in network.js and in playground.js: .*; call one of them otherwise",
    ),
    "a function": ("async function served() {}\n", "served is declared in serving.js and"),
    "a class": ("export class Network {}\n", "Network is declared in network.js and"),
    "taken apart": ("const [polar, b] = [1, 2];\n", "polar is declared in data.js and"),
    "a default": ("export default 3;\n", r"playground.js, line 2: export default 3;\nwanted import \{ a, b \} from"),
    "another form": ('import * as all from "./data.js";\n', "playground.js, line 2: import .*\n.* on one line"),
    "another name": ('import { points as p } from "./data.js";\n', "playground.js, line 2"),
    "in a circle": (
        'import { asPyTorch } from "./pytorch.js";\n',
        "playground.js imports pytorch.js imports playground.js: joined .*, they have no order",
    ),
    "backticks": ("const a = `;\n", "playground.js has an odd number of backticks"),
}


@pytest.mark.parametrize("name", WRONG)
def test_modules_that_cannot_be_joined_are_named(folder, name):
    code, text = WRONG[name]
    (folder / "playground.js").write_text(f'import {{ served }} from "./serving.js";\n{code}')
    if name == "in a circle":
        (folder / "pytorch.js").write_text('import { mount } from "./playground.js";\n')
    with pytest.raises(ValueError, match=text):
        script(folder)


def test_whatever_imports_it_is_made_from_all_its_modules():
    made = digests.made_from([Path(__file__)], ROOT)
    scripts = {path for path in made if path.endswith(".js")}
    assert scripts == {f"utils/playground/{path.name}" for path in joining.HERE.glob("*.js")}


def test_names_within_functions_are_their_own(folder):
    code = (folder / "playground.js").read_text()
    (folder / "playground.js").write_text(code + "const f = (points) => { const Random = points; return Random; };\n")
    assert "const f=" in script(folder)


# --- models and points ------------------------------------------------------------------------------------


def seeded(*sizes: int, **settings) -> nn.Sequential:
    return mlp(sizes, generator=torch.Generator().manual_seed(0), **settings)


def skipping(width: int = 6, n: int = 2, activation: type[nn.Module] = nn.Tanh, n_out: int = 1) -> nn.Sequential:
    torch.manual_seed(0)
    blocks = [ResidualBlock(nn.Sequential(nn.Linear(width, width), activation())) for _ in range(n)]
    return nn.Sequential(nn.Linear(2, width), activation(), *blocks, nn.Linear(width, n_out))


MODELS = {
    "one layer": lambda: seeded(2, 44, 1),
    "none": lambda: seeded(2, 1),
    "none, bare": lambda: seeded(2, 1)[0],
    "deep": lambda: seeded(2, *[64] * 8, 1, init="he"),
    "uneven": lambda: seeded(2, 5, 3, 7, 1, activation="tanh"),
    "two logits": lambda: seeded(2, 8, 8, 2, activation="sigmoid"),
    "no biases": lambda: seeded(2, 8, 8, 1, bias=False),
    "linear": lambda: seeded(2, 4, 4, 1, activation="identity"),
    "skips": lambda: skipping(),
    "skips, two logits": lambda: skipping(8, 3, nn.ReLU, 2),
    "float64": lambda: skipping().double(),
    "one hidden layer of the inputs' width": lambda: seeded(2, 2, 2, 1),
}


@pytest.mark.slow
def test_a_model_in_the_page_computes_what_it_computes_in_pytorch(folder, opened):
    page = opened(folder=folder)
    X = np.random.default_rng(0).uniform(-2, 2, (100, 2))
    for name, make in MODELS.items():
        model = make()
        page.set_content(playground_html(model))
        with torch.no_grad():
            outputs = model.double()(torch.tensor(X)).numpy()
        wanted = outputs[:, -1] - (outputs[:, 0] if outputs.shape[1] > 1 else 0)
        assert page.evaluate("X => given.outputs(X)", X.tolist()) == pytest.approx(wanted, abs=1e-10), name
        assert page.evaluate("given.refused") == [] and page.evaluate("given.setting.against") is None
        if outputs.shape[1] == 1:
            assert page.evaluate("given.parameters") == sum(one.numel() for one in model.parameters()), name


@pytest.mark.slow
def test_points_are_in_the_page_every_fourth_a_fair_sample_and_within_its_square(folder, opened):
    generator = np.random.default_rng(0)
    X, y = 3 * generator.normal(size=(2000, 2)), np.arange(2000) % 4 == 3
    page = opened(
        playground_html(
            seeded(2, 8, 1), points=(torch.tensor(X, requires_grad=True), y[:, None]), against=[3], rate=[0.1, 0.2]
        ),
        folder=folder,
    )
    setting = page.evaluate("given.setting")
    given = np.array(setting["given"])
    assert page.evaluate("given.refused") == [] and setting["data"] == "given" and setting["layers"] == [8]
    assert setting["against"] == [3] and setting["rate"] == [0.1, 0.2]
    assert np.abs(X).max() <= setting["half"] <= np.abs(X).max() + 0.1
    order = np.lexsort(given.T), np.lexsort(np.column_stack([X.round(4), y]).T)
    assert given[order[0]] == pytest.approx(np.column_stack([X.round(4), y])[order[1]])
    assert 0.15 < given[3::4, 2].mean() < 0.35


def test_points_on_lists_and_a_square_that_is_given():
    handed = playground_html(points=([[0.25, 3]] * 8, [0, 1] * 4), half=2, n=10).rpartition("})(")[2]
    assert '"half":2.0' in handed and handed.count("[0.25,3.0,0]") == 4 and '"against"' not in handed


REFUSED_MODELS = {
    "three inputs": (lambda: seeded(3, 8, 1), ValueError, "the model has 3 inputs and 1 outputs: wanted 2 inputs, and"),
    "ten outputs": (lambda: seeded(2, 8, 10), ValueError, "the model has 2 inputs and 10 outputs"),
    "nine layers": (lambda: seeded(2, *[4] * 9, 1), ValueError, r"layers of \[4, 4, .*wanted at most 8 of at most 64"),
    "65 units": (lambda: seeded(2, 65, 1), ValueError, r"layers of \[65\] units: .*; train a smaller one"),
    "GELU": (lambda: seeded(2, 8, 1, activation="gelu"), TypeError, r"of Linear, GELU, Linear: wanted nn.Sequential\("),
    "two kinds": (
        lambda: nn.Sequential(*seeded(2, 3, 3), nn.ReLU(), *seeded(3, 3, 1, activation="tanh")),
        ValueError,
        "several kinds, relu, relu, tanh: wanted one kind",
    ),
    "no activation": (lambda: nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1)), TypeError, "of Linear, Linear: wanted"),
    "one too many": (lambda: nn.Sequential(nn.Linear(2, 1), nn.Sigmoid()), TypeError, "of Linear, Sigmoid: wanted"),
    "an activation before": (
        lambda: nn.Sequential(
            nn.Linear(2, 4), ResidualBlock(nn.Sequential(nn.ReLU(), nn.Linear(4, 4))), nn.ReLU(), nn.Linear(4, 1)
        ),
        TypeError,
        r"ResidualBlock\(nn.Sequential\(nn.Linear, activation\)\)",
    ),
    "some skips": (
        lambda: nn.Sequential(*skipping()[:-1], nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 1)),
        ValueError,
        "a skip at some of its square hidden layers: wanted one at each, or none",
    ),
    "not finite": (lambda: seeded(2, 8, 1, init=("he", 1e200)), ValueError, "not finite: its training went astray"),
    "no model": (lambda: "resnet", TypeError, "the model is made of str: wanted"),
}


@pytest.mark.parametrize("name", REFUSED_MODELS)
def test_a_model_that_cannot_be_held_is_refused_with_what_to_do(name):
    make, kind, text = REFUSED_MODELS[name]
    with pytest.raises(kind, match=text):
        playground_html(make())


X = np.zeros((10, 2))
REFUSED = {
    "a key": ({"layer": [3]}, TypeError, "there is no setting layer: wanted some of data, folds, .*, bet$"),
    "a choice": ({"data": "moons"}, ValueError, "data is 'moons': wanted one of 'line', 'circle'"),
    "a range": ({"folds": 6}, ValueError, "folds is 6: wanted at most 5"),
    "below": ({"rate": -1}, ValueError, "rate is -1: wanted a finite number, at least 0"),
    "no number": ({"rate": "0.1"}, TypeError, "rate is '0.1': wanted a finite number"),
    "a part": ({"folds": 1.5}, TypeError, "folds is 1.5: wanted a whole number"),
    "one of two": ({"init": ["he", "her"]}, ValueError, "init is 'her'"),
    "three": ({"rate": [1, 2, 3]}, ValueError, r"rate is \[1, 2, 3\]: wanted one value, or a list of two"),
    "no layers": ({"layers": 8}, TypeError, "layers is 8: wanted a list of hidden layers' widths"),
    "none": ({"layers": None}, TypeError, "layers is None"),
    "no units": ({"against": [0]}, ValueError, r"against\[0\] is 0"),
    "wide": ({"layers": [65]}, ValueError, r"layers is \[65\]: wanted at most 8 layers of at most 64 units"),
    "bool": ({"bet": 1}, ValueError, "bet is 1: wanted one of True, False"),
    "drawn": ({"drawn": "<b>"}, ValueError, "drawn is '<b>': wanted what a playground's address has"),
    "given": ({"data": "given"}, ValueError, r"data is 'given': wanted points=\(X, y\), too"),
    "shapes": ({"points": (X, [0])}, ValueError, r"X of shape \(10, 2\) and y of shape \(1,\): wanted \(n, 2\)"),
    "few": ({"points": (X[:7], X[:7, 0])}, ValueError, "there are 7 points: wanted 8 to 2,000; of more, draw some"),
    "many": ({"points": (np.zeros((2001, 2)), np.zeros(2001))}, ValueError, "there are 2,001 points"),
    "classes": ({"points": (X, X[:, 0] + 2)}, ValueError, "a class that is neither 0 nor 1"),
    "infinite": ({"points": (X + np.inf, X[:, 0])}, ValueError, "a number that is not finite"),
    "far": ({"points": (X + 101, X[:, 0])}, ValueError, "as far as 101 from 0: wanted at most 100; scale them"),
    "both": ({"points": (X, X[:, 0]), "data": "line"}, ValueError, "data is 'line', and there are points, too"),
    "other layers": ({"model": True, "layers": [3]}, ValueError, r"layers is \[3\], and the model's is \[8\]"),
    "other kind": ({"model": True, "activation": ["tanh", "relu"]}, ValueError, "and the model's is 'relu'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_setting_that_there_is_not_is_refused_with_what_there_is(name):
    setting, kind, text = REFUSED[name]
    setting = {**setting, **({"model": seeded(2, 8, 1)} if "model" in setting else {})}
    with pytest.raises(kind, match=text):
        playground_html(**setting)


SETTINGS = [
    {},
    {"bet": True},
    {"layers": [], "against": None, "skips": True},
    {"against": [], "drawn": "az0zz1", "data": "drawn"},
    {"layers": [64] * 8, "init": ["he", "default"], "skips": [False, True], "gain": [1, 0.25], "n": 20, "noise": 0.05},
]


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_address_of_a_setting_is_read_as_the_setting(opened, setting):
    read = """([text, raw]) => Promise.all([import('./setting.js'), import('./address.js')])
        .then(([{ settled }, { fromAddress }]) => [settled(fromAddress(text)), settled(raw)])"""
    there, here = opened().evaluate(read, [settings.address(setting), setting])
    assert there == here and not there["refused"]


def test_built_page_holds_a_line_and_the_setting_where_it_is_not_to_be_saved(monkeypatch, capsys):
    monkeypatch.setattr("utils.playground.building", lambda: True)
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data["text/html"]))
    playground(layers=[3], against=None)
    playground(layers=[3], against=None, saved=True)
    assert shown[0] == '<p data-setting="layers=3&amp;against=none">Run this cell, and the playground appears here.</p>'
    assert shown[1] == playground_html(layers=[3], against=None)
