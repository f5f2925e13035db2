"""The playground as a reader has it: bets, controls, views and words, against NumPy, PyTorch and `utils`."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import axe_playwright_python
import numpy as np
import pytest
import torch
from playwright.sync_api import Browser, Page, expect

from tests.authoring.browser import browsing
from tests.playground import mounted, needs_chromium
from utils.lesson_04.counting import product_bound
from utils.statistics import median

pytestmark = pytest.mark.slow
expect.set_options(timeout=30_000)  # on a busy machine
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
QUICK = {"n": 200, "steps": 60}
ONE = {"layers": [6, 6], "against": None, "bias_std": 0.4, "n": 100}
# What a network makes of points: each layer's preactivations and what it hands on, by NumPy.
WEIGHTS = "side => ({sizes: lab.networks[side].sizes, weights: [...lab.networks[side].weights]})"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    needs_chromium()
    with browsing() as chromium:
        yield chromium


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page on which a playground stands, for tests that only ask its modules."""
    with mounted(browser, ONE) as one:
        yield one


def ask(page: Page, module: str, script: str, said: object = None) -> object:
    """Return what a function of a module's exports, and of what Python says, returns."""
    call = f"async (said) => JSON.stringify(await ({script})(await import('/{module}.js'), said))"
    return json.loads(page.evaluate(call, said))


def layers_of(page: Page, side: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return each layer's matrix and biases of the network that a page shows."""
    shown = page.evaluate(WEIGHTS, side)
    numbers, layers = np.array(shown["weights"]), []
    for n_in, n_out in itertools.pairwise(shown["sizes"]):
        matrix, biases, numbers = np.split(numbers, [n_in * n_out, (n_in + 1) * n_out])
        layers.append((matrix.reshape(n_out, n_in), biases))
    return layers


def outputs(layers: list[tuple[np.ndarray, np.ndarray]], X: np.ndarray) -> np.ndarray:
    for W, b in layers[:-1]:
        X = np.maximum(X @ W.T + b, 0)
    return (X @ layers[-1][0].T + layers[-1][1])[:, 0]


def points_on(page: Page, which: str) -> tuple[np.ndarray, np.ndarray]:
    X, y = page.evaluate(f"[[...lab.{which}.X], [...lab.{which}.y]]")
    return np.array(X).reshape(-1, 2), np.array(y)


def trained(page: Page, steps: int) -> None:
    page.wait_for_function(f"lab.steps === {steps} && !lab.running")


# --- the bet ----------------------------------------------------------------------------------------------


def test_bet_is_asked_before_anything_else_and_answered_by_what_was_trained(browser):
    with mounted(browser, {**QUICK, "bet": True}) as page:
        asked = page.locator(".bet .answers button")
        assert asked.all_inner_texts()[:3] == ["A, the wide one", "B, the deep one", "about the same: within 1 in 100"]
        assert not page.locator(".settings, .program, .run").evaluate_all("all => all.some(one => one.offsetParent)")
        assert "%" not in page.locator(".lab").inner_text(), "an answer that can be read before the guess"
        asked.nth(1).click()
        page.evaluate("lab.train({until: 60})")  # without the ten seconds of the show
        outcome = page.locator(".outcome")
        expect(outcome).to_contain_text("You bet on “B, the deep one”")
        X, y = points_on(page, "held")
        wrong = [np.mean((outputs(layers_of(page, side), X) > 0) != y) for side in (0, 1)]
        said = [float(share) / 100 for share in re.findall(r"([\d.]+) %", outcome.inner_text())]
        assert np.allclose(said, wrong, rtol=0.05)
        right = 2 if abs(wrong[0] - wrong[1]) <= 0.01 else int(wrong[0] > wrong[1])
        assert ("so it came out" in outcome.inner_text()) == (right == 1)
        expect(page.locator(".settings")).to_be_visible()


def test_opening_bet_leads_on_to_one_change_at_a_time(browser):
    with mounted(browser, {"bet": True}) as page:
        opening = page.evaluate("structuredClone(lab.setting)")
        assert opening["init"] == ["default"] * 2 and opening["rate"] == [0.03, 0.01]
        for words, change in (("He's weights", {"init": ["he"] * 2}), ("a board of 2 × 2", {"folds": 1}),
                              ("both at a rate of 0.003", {"rate": [0.003] * 2})):
            page.locator(".answers button").first.click()
            page.evaluate("lab.train({until: lab.steps + 1}); lab.bet.lab.setting.steps = 1")
            page.get_by_role("button", name=f"One change: {words}").click()
            expect(page.locator(".bet")).to_contain_text("Which one then misses fewer new points?")
            expect(page.locator(".bet p").first).to_contain_text(f"One change: {words}.")
            assert page.evaluate("lab.setting") == {**opening, **change, "chosen": None}
            page.wait_for_function("lab.steps === 0 && lab.last && !lab.running")


def test_bet_is_over_where_something_is_changed(browser):
    with mounted(browser, {**QUICK, "bet": True}) as page:
        page.get_by_text("No bet: show everything").click()
        expect(page.locator(".bet")).to_be_hidden()
        expect(page.locator(".settings")).to_be_visible()


def test_twenty_seeds_are_twenty_trainings_and_their_interval_is_the_sign_tests(browser):
    with mounted(browser, {**QUICK, "seed": 7}) as page:
        page.click(".seeds")
        said = page.locator(".many p")
        expect(said).to_contain_text("twenty seeds", timeout=30_000)
        alone = """async () => {
            const [{datasets, networkOf}, {Trainer, judge}, {ofSide}] = await Promise.all(
                ["serving", "training", "setting"].map(name => import(`/${name}.js`)));
            return Array.from({length: 20}, (_, i) => [0, 1].map(side => {
                const setting = {...lab.setting, seed: 8 + i}, {learnt, held} = datasets(setting);
                const how = {...ofSide(setting, side), batch: 32, seed: 4 * (8 + i) + 3};
                const trainer = new Trainer(networkOf(setting, side), learnt, how);
                for (let step = 0; step < 60; step++) trainer.step();
                return judge(trainer.network.forward(held.X, held.y.length), held.y).wrong;
            }));
        }"""
        errors = 100 * np.array(page.evaluate(alone))
        wanted = [median(one, method="order") for one in (*errors.T, errors[:, 0] - errors[:, 1])]
        found = re.findall(r"(−?[\d.]+) \[(−?[\d.]+), (−?[\d.]+)\]", said.inner_text())
        numbers = np.array([[float(one.replace("−", "-")) for one in three] for three in found])
        assert np.allclose(numbers, [[one.value, one.low, one.high] for one in wanted], rtol=0.06, atol=0.01)
        tells = wanted[2].low * wanted[2].high > 0
        assert ("twenty seeds tell" in said.inner_text()) == tells


# --- what is set ------------------------------------------------------------------------------------------


def test_address_says_the_whole_setting(page):
    script = """({settled, toAddress, fromAddress, DEFAULTS, CHOICES, RANGES, EACH}) => {
        let state = 1;
        const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
        const any = (list) => list[Math.floor(random() * list.length)];
        const value = (key) => {
            if (key === "layers" || key === "against") {
                if (key === "against" && random() < .3) return null;
                return Array.from({length: Math.floor(9 * random())}, () => 1 + Math.floor(64 * random()));
            }
            if (key === "drawn") return any(["", "az0", "000zz1"]);
            if (typeof DEFAULTS[key] === "boolean") return random() < .5;
            if (key in CHOICES) return any(CHOICES[key].filter((one) => one !== "given"));
            const [low, high, whole] = RANGES[key], number = low + (high - low) * random();
            return whole ? Math.round(number) : Number(number.toPrecision(3));
        };
        return Array.from({length: 300}, () => {
            const raw = {};
            for (const key of Object.keys(DEFAULTS)) {
                if (key !== "bet") raw[key] = EACH.includes(key) ? [value(key), value(key)] : value(key);
            }
            if (!raw.against) for (const key of EACH) raw[key] = raw[key][0];
            const {setting, refused} = settled(raw), again = settled(fromAddress(toAddress(setting)));
            return [setting, again.setting, refused.concat(again.refused)];
        });
    }"""
    for setting, again, refused in ask(page, "setting", script):
        assert setting == again and not refused
    assert ask(page, "setting", "({toAddress, settled}) => toAddress(settled({}).setting)") == "", "a short address"


@pytest.mark.parametrize("raw", [
    {"layers": [65]}, {"layers": [0]}, {"layers": [8] * 9}, {"layers": None}, {"rate": -1}, {"rate": "fast"},
    {"folds": 1.5}, {"data": "moons"}, {"init": ["he", "he", "he"]}, {"init": [["he"], "he"]}, {"drawn": "a"},
    {"depth": 3}, {"seed": 1e9}, {"data": "given"}, {"n": None}, {"skips": "yes"}, {"constructor": 1},
])  # fmt: skip
def test_what_cannot_be_is_said_and_something_else_taken(page, raw):
    script = "({settled, DEFAULTS}, raw) => [settled(raw), settled({}).setting]"
    found, usual = ask(page, "setting", script, raw)
    assert found["setting"] == usual
    assert raw == {"data": "given"} or (len(found["refused"]) == 1 and next(iter(raw)) in found["refused"][0])


def test_setting_is_read_from_the_address_and_kept_up_with_it(browser):
    with mounted(browser, {"bet": True}, at="data=rings&layers=3-2&against=none&rate=0.1&depth=4") as page:
        assert page.evaluate("[lab.setting.data, lab.setting.layers, lab.setting.against]") == ["rings", [3, 2], None]
        expect(page.locator(".bet")).to_be_hidden()
        expect(page.locator(".said")).to_contain_text("There is no “depth” to set.")
        page.select_option("[data-key=data]", "spirals")
        page.wait_for_function("location.hash.includes('data=spirals') && location.hash.includes('layers=3-2')")
        page.evaluate("location.hash = 'layers=5&against=none'")
        page.wait_for_function("window.lab?.setting.layers.join() === '5'")


def test_other_network_follows_as_near_as_equal_widths_and_single_units_come(page):
    script = """({balanced, costOf, settled}, [part, hold, raw]) => {
        const setting = {...settled(raw).setting, hold}, next = {...setting, ...balanced(setting, part)};
        return [next.layers, next.against, costOf(next, 0), costOf(next, 1)];
    }"""

    def parameters(layers: list[int]) -> int:
        return sum((n_in + 1) * n_out for n_in, n_out in itertools.pairwise([2, *layers, 1]))

    def products(layers: list[int]) -> int:  # forward, the weights' gradient, and the one below, but for the inputs'
        return sum(32 * a * b * (2 if first else 3)
                   for first, (a, b) in zip([1, *[0] * 8], itertools.pairwise([2, *layers, 1]), strict=False))

    for layers, hold in itertools.product([[1], [64], [10, 10], [5] * 8, [30, 20, 10]], ["parameters", "arithmetic"]):
        cost = parameters if hold == "parameters" else products
        found, against, *costs = ask(page, "setting", script, [{"layers": layers}, hold, {"against": [8, 8, 8]}])
        assert found == layers and costs == [cost(layers), cost(against)]
        equal = [abs(cost([width] * 3) - cost(layers)) for width in range(1, 65)]
        assert len(against) == 3 and abs(cost(against) - cost(layers)) <= min(equal)
    found, against, *_ = ask(page, "setting", script, [{"against": [8, 8]}, "parameters", {"layers": [44]}])
    assert against == [8, 8] and parameters(found) == 105 == parameters(against)
    assert ask(page, "setting", script, [{"layers": [3]}, "nothing", {}])[1] == [8, 8, 8]


def test_layers_and_units_are_changed_by_mouse_and_keys(browser):
    with mounted(browser, {**ONE, "layers": [6, 6]}) as page:
        columns = page.get_by_role("slider", name="units of layer")
        assert columns.count() == 2
        columns.nth(1).focus()
        for key in ("ArrowUp", "PageUp", "ArrowDown", "ArrowRight"):
            page.keyboard.press(key)
        page.wait_for_function("lab.networks[0].sizes.join() === '2,6,15,1'")
        page.keyboard.press("Home")
        expect(columns.nth(1)).to_have_attribute("aria-valuenow", "1")
        box = columns.nth(0).bounding_box()
        columns.nth(0).click(position={"x": box["width"] * 0.9, "y": 2})
        expect(columns.nth(0)).to_have_attribute("aria-valuenow", "64")
        page.get_by_role("button", name="+ layer").first.click()
        page.wait_for_function("lab.networks[0].sizes.join() === '2,64,1,1,1'")
        for _ in range(3):
            page.get_by_role("button", name="− layer").first.click()
        page.wait_for_function("lab.networks[0].sizes.join() === '2,1'")


def test_every_control_sets_what_it_says(browser):
    with mounted(browser, {"n": 50}) as page:
        for details in page.locator(".settings summary").all():
            details.click()
        for control in page.locator("[data-key]").all():
            key, kind = control.get_attribute("data-key"), control.evaluate("one => one.tagName + one.type")
            if not control.is_visible():
                continue
            before = page.evaluate("key => lab.setting[key]", key)
            if kind == "INPUTcheckbox":
                control.click()
            elif kind == "INPUTrange":
                control.press("ArrowRight")
            else:
                at = control.evaluate("one => (one.selectedIndex + 1) % one.options.length")
                control.select_option(index=at)
            assert page.evaluate("key => lab.setting[key]", key) != before, key
        assert page.evaluate("lab.setting.init[0] !== 'he' && lab.setting.init[1] !== 'he'")


# --- training ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [True, False])
def test_training_ends_where_it_says_goes_on_and_begins_again(browser, workers):
    with mounted(browser, ONE | {"steps": 150}, workers=workers) as page:
        assert page.evaluate("lab.port instanceof Worker") == workers
        begun = page.evaluate(WEIGHTS, 0)
        page.get_by_role("button", name="Train 150 steps").click()
        trained(page, 150)
        after = page.evaluate(WEIGHTS, 0)
        page.get_by_role("button", name="1 step").click()
        trained(page, 151)
        page.get_by_role("button", name="Train 150 steps").click()
        trained(page, 300)
        page.get_by_role("button", name="Start again").click()
        trained(page, 0)
        assert page.evaluate(WEIGHTS, 0) == begun != after
        page.get_by_role("button", name="Train 150 steps").click()
        trained(page, 150)
        assert page.evaluate(WEIGHTS, 0) == after, "a seed makes it again"


def test_weights_that_grow_beyond_all_numbers_are_said(browser):
    growing = {"layers": [9] * 8, "activation": "linear", "optimiser": "sgd", "rate": 10, "gain": 4, "steps": 5000}
    with mounted(browser, ONE | growing) as page:
        page.click(".train")
        expect(page.locator(".said")).to_contain_text("beyond all numbers", timeout=20_000)
        expect(page.locator(".train")).to_have_text("Train 5,000 steps")


def test_who_asked_for_less_motion_sees_about_a_picture_a_second(browser):
    with mounted(browser, ONE | {"steps": 100_000}, reduced_motion="reduce") as page:
        page.evaluate("(looks => { lab.soon = () => looks.push(0); window.looks = looks; })([])")
        page.click(".train")
        page.wait_for_timeout(2500)
        assert 1 <= page.evaluate("looks.length") <= 8


# --- what is seen -----------------------------------------------------------------------------------------


def test_clicked_region_is_said_as_its_pattern_and_its_affine_map(browser):
    with mounted(browser, ONE) as page:
        canvas = page.locator("[data-view=plane] canvas")
        box = canvas.bounding_box()
        canvas.click(position={"x": 0.65 * box["width"], "y": 0.3 * box["height"]})
        caption = page.locator("[data-view=plane] figcaption")
        expect(caption).to_contain_text("in the whole region")
        x = np.array(page.evaluate("[lab.setting.chosen.x, lab.setting.chosen.y]"))
        assert np.allclose(x, [0.3, 0.4], atol=0.01)
        layers = layers_of(page)
        first = layers[0][0] @ x + layers[0][1] > 0
        second = layers[1][0] @ np.maximum(layers[0][0] @ x + layers[0][1], 0) + layers[1][1] > 0
        A = layers[2][0] @ (second[:, None] * layers[1][0]) @ (first[:, None] * layers[0][0])
        said = caption.inner_text()
        assert " | ".join("".join("●" if on else "○" for on in row) for row in (first, second)) in said
        a, sign_b, b, sign_c, c = re.search(r"f = (\S+) x₁ (.) (\S+) x₂ (.) (\S+) in", said).groups()
        numbers = [float((sign + number).replace("−", "-").replace("+", "")) for sign, number in
                   [("", a), (sign_b, b), (sign_c, c)]]
        constant = outputs(layers, x[None])[0] - A[0] @ x
        assert np.allclose(numbers, [*A[0], constant], rtol=0.01, atol=1e-3)
        canvas.focus()
        page.keyboard.press("Shift+ArrowLeft")
        page.wait_for_function(f"Math.abs(lab.setting.chosen.x - {x[0] - 0.2}) < 1e-9")


def test_caption_counts_what_is_drawn_and_bounds_it(page):
    caption = page.locator("[data-view=plane] figcaption").inner_text()
    count = page.evaluate("lab.cut(0).regions.length")
    assert caption.startswith(f"A: {count} linear regions; a network of this shape has at most 484")
    shapes = [[], [1], [1, 64], [64] * 8, [3, 1, 7], [8, 8, 8], [2, 2, 2]]
    found = ask(page, "plane", "({mostRegions}, all) => all.map(mostRegions)", shapes)
    assert np.allclose(found, [float(product_bound(shape, 2)) if shape else 1 for shape in shapes], rtol=1e-12)


def test_sheets_are_the_two_leading_principal_components(page):
    script = """async ({Sheets}) => {
        const {networkOf} = await import("/serving.js"), {settled} = await import("/setting.js");
        const {setting} = settled({layers: [12, 7], bias_std: .3}), network = networkOf(setting, 0);
        const sheets = new Sheets();
        const X = Float64Array.from({length: 800}, (_, i) => Math.sin(i * i));
        network.forward(X, 400);
        const H = [...network.h[1].subarray(0, 2800)], {flat, share} = sheets.seenFlat(network, 1, 400, 400);
        return [H, [...flat], share];
    }"""
    H, flat, share = ask(page, "layers", script)
    H = np.array(H).reshape(400, 7)
    _, sizes, axes = np.linalg.svd(H - H.mean(0), full_matrices=False)
    wanted, found = (H - H.mean(0)) @ axes[:2].T, np.array(flat).reshape(400, 2)
    assert np.allclose(np.abs(found), np.abs(wanted), atol=0.02 * np.abs(wanted).max())
    assert share == pytest.approx((sizes[:2] ** 2).sum() / (sizes**2).sum(), rel=1e-4)


def test_towers_are_the_sizes_of_preactivations_and_of_the_gradients_in_them(page):
    found = ask(page, "layers", "({sizesByLayer}) => sizesByLayer(lab.networks[0], lab.learnt)")
    X, y = (torch.tensor(one, dtype=torch.float64) for one in points_on(page, "learnt"))
    preactivations, h = [], X
    for W, b in layers_of(page):
        z = h @ torch.tensor(W).T + torch.tensor(b)
        preactivations.append(z.requires_grad_() if z.is_leaf else z)
        h = z.relu()
    loss = torch.nn.functional.binary_cross_entropy_with_logits(preactivations[-1][:, 0], y, reduction="sum")
    gradients = torch.autograd.grad(loss, preactivations)
    for one, z, gradient in zip(found, preactivations, gradients, strict=True):
        assert one["signal"] == pytest.approx(z.pow(2).mean().sqrt().item(), rel=1e-9)
        assert one["gradient"] == pytest.approx(gradient.pow(2).mean().sqrt().item(), rel=1e-9)


def test_each_view_can_be_the_large_one(browser):
    with mounted(browser, {"n": 50}) as page:
        for view in ("layers", "towers", "losses", "plane"):
            page.locator(f"[data-view={view}] > button").click()
            expect(page.locator(f".view.large[data-view={view}]")).to_have_count(1)
            assert page.locator(".view.large").count() == 1
            assert page.evaluate("lab.setting.view") == view


def test_points_are_drawn_by_hand_and_rubbed_out(browser):
    with mounted(browser, ONE | {"data": "drawn"}) as page:
        expect(page.locator(".said")).to_contain_text("Nothing is drawn yet")
        canvas = page.locator("[data-view=plane] canvas")
        box = canvas.bounding_box()

        def stroke(*places: tuple[float, float]) -> None:
            at = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in places]
            page.mouse.move(*at[0])
            page.mouse.down()
            for one in at[1:]:
                page.mouse.move(*one, steps=8)
            page.mouse.up()

        stroke((0.2, 0.2), (0.4, 0.2))
        page.get_by_role("button", name="orange squares").click()
        stroke((0.7, 0.8))
        page.wait_for_function("lab.learnt.y.includes(1) && lab.learnt.y.includes(0)")
        X, y = points_on(page, "learnt")
        assert np.abs(X[y == 1] - [0.4, -0.6]).max() < 0.25
        assert (X[y == 0][:, 1] > 0.3).all() and np.ptp(X[y == 0][:, 0]) > 0.3
        page.get_by_role("button", name="rub out").click()
        stroke((0.7, 0.8))
        page.wait_for_function("!lab.learnt.y.includes(1)")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (800, "dark"), (1280, "light")])
def test_page_fits_its_width_and_is_read_by_a_screen_reader(browser, width, scheme):
    with mounted(browser, {"n": 50, "bet": True}, width=width, color_scheme=scheme) as page:
        for _ in range(2):
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.evaluate(AXE)
            found = page.evaluate("axe.run(document.querySelector('.lab')).then(({violations}) => violations)")
            assert not found, [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
            if page.locator(".bet").is_visible():
                page.get_by_text("No bet: show everything").click()
                page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")


# --- the same in PyTorch ----------------------------------------------------------------------------------


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """On networks as small as these, several threads wait for one another, longer than they compute."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("setting", [
    {"layers": [16], "folds": 1, "rate": 0.03}, {"data": "circle", "layers": [8, 8], "init": "default", "noise": 0.05},
    {"data": "rings", "layers": [6, 6, 6], "skips": True, "init": "identity", "activation": "tanh", "gain": 0.9},
    {"data": "spirals", "turns": 0.5, "layers": [12, 12], "bias_std": 0.2, "decay": 0.01},
    {"data": "line", "layers": [], "optimiser": "sgd", "rate": 1, "decay": 0.001},
    {"data": "drawn", "drawn": "880sz1z80", "layers": [8], "init": "orthogonal", "biases": False},
    {"data": "board", "folds": 1, "layers": [10, 5], "init": ["xavier", "he"], "activation": "sigmoid", "rate": 0.1},
])  # fmt: skip
def test_program_in_pytorch_learns_as_much(page, setting):
    setting = {"n": 300, "steps": 400, "against": None, **setting}
    if isinstance(setting.get("init"), list):
        setting["init"] = setting["init"][0]
    script = """async ({asPyTorch}, raw) => {
        const [{settled, ofSide}, {datasets, networkOf}, {Trainer, judge}] = await Promise.all(
            ["setting", "serving", "training"].map(name => import(`/${name}.js`)));
        const {setting, refused} = settled(raw), {learnt, held} = datasets(setting);
        const how = {...ofSide(setting, 0), batch: setting.batch, seed: 9};
        const trainer = new Trainer(networkOf(setting, 0), learnt, how);
        for (let step = 0; step < setting.steps; step++) trainer.step();
        return [asPyTorch(setting, 0), judge(trainer.network.forward(held.X, held.y.length), held.y).wrong, refused];
    }"""
    program, wrong, refused = ask(page, "pytorch", script, setting)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), one_thread():
        exec(program, {})
    share = float(printed.getvalue().removeprefix("missed of new points: "))
    assert not refused and abs(share - wrong) < 0.06, (share, wrong, program)
