"""The playground as a reader has it: bets, controls, views and words, against NumPy, PyTorch and `utils`."""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import axe_playwright_python
import numpy as np
import pytest
import torch
from playwright.sync_api import Browser, Page, expect

from authoring.reference import word_anchor
from tests.authoring.browser import browsing, needs_chromium
from tests.playground import FOLDER, mounted
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
        right = 2 if abs(wrong[0] - wrong[1]) < 0.01 + 1e-9 else int(wrong[0] > wrong[1])
        assert ("so it came out" in outcome.inner_text()) == (right == 1)
        page.get_by_role("button", name="Show everything").click()
        expect(page.locator(".settings")).to_be_visible()
        expect(page.locator(".train")).to_be_focused()
        expect(outcome).to_be_visible()
        page.evaluate("lab.change({seed: 5})")
        expect(outcome).to_contain_text("Since then something was changed.")


# From frame to frame: where both maps are, which part of the verdict has words, and how high the window is.
FRAMES = """() => {
    const box = (name) => [...document.querySelectorAll(name)].map((one) => one.getBoundingClientRect().toJSON());
    window.frames_seen = [];
    const look = () => {
        const said = document.querySelector(".outcome");
        frames_seen.push({maps: box("[data-view=plane] canvas"), said: said.textContent && box(".outcome")[0]});
        if (!said.textContent) requestAnimationFrame(look);
    };
    look();
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 664), (1366, 650), (800, 900)])
def test_both_maps_and_the_verdict_are_in_view_and_stay_where_they_are_from_the_tap_on(browser, width, height):
    with mounted(browser, {"steps": 300, "bet": True}, width=width, height=height) as page:
        page.evaluate("document.body.style.padding = '400px 20px 900px'")
        page.locator(".answers button").nth(1).click()
        page.evaluate(FRAMES)
        page.evaluate("lab.train({until: 300})")
        page.wait_for_function("frames_seen.at(-1).said")
        frames = page.evaluate("frames_seen")
        places = {
            tuple((one["left"], one["top"], one["right"], one["bottom"]) for one in all["maps"]) for all in frames
        }
        assert len(frames) > 3 and len(places) == 1, "a map moved"
        (maps,) = places
        assert len(maps) == 2 and maps[0][1] == maps[1][1], "not side by side"
        boxes = [*maps, *[[frames[-1]["said"][side] for side in ("left", "top", "right", "bottom")]]]
        assert all(0 <= box[0] and 0 <= box[1] and box[2] <= width and box[3] <= height for box in boxes), boxes
        assert all(
            right - left == pytest.approx(bottom - top) and right > left + 140 for left, top, right, bottom in maps
        )


@pytest.mark.parametrize(("a", "b", "words"), [
    ([44], [8, 8, 8], "Network A has one hidden layer of 44 units, network B three of 8."),
    ([8, 8], [1], "Network A has two hidden layers of 8 units, network B one of 1."),
    ([1], [], "Network A has one hidden layer of 1 unit, network B no hidden layer."),
    ([], [5], "Network A has no hidden layer, network B one hidden layer of 5 units."),
    ([6, 6, 5], [4] * 8, "Network A has hidden layers of 6, 6, 5 units, network B eight hidden layers of 4 units."),
])  # fmt: skip
def test_shapes_are_said_in_a_sentence(page, a, b, words):
    assert ask(page, "setting", "({shapesInWords}, all) => shapesInWords(...all)", [a, b]) == words


def test_opening_bet_leads_on_to_one_change_at_a_time(browser):
    with mounted(browser, {"bet": True}) as page:
        opening = page.evaluate("structuredClone(lab.setting)")
        assert opening["init"] == ["default"] * 2 and opening["rate"] == [0.03, 0.01]
        for words, change in (
            ("He's weights", {"init": ["he"] * 2}),
            ("a board of 2 × 2", {"folds": 1}),
            ("both at a rate of 0.003", {"rate": [0.003] * 2}),
        ):
            page.locator(".answers button").first.click()
            page.evaluate("lab.train({until: lab.steps + 1}); lab.bet.lab.setting.steps = 1")
            page.get_by_role("button", name=f"One change: {words}").last.click()
            expect(page.locator(".bet")).to_contain_text("Which one then misses fewer new points?")
            expect(page.locator(".bet p").first).to_contain_text(f"One change of the first bet: {words}.")
            assert page.evaluate("lab.setting") == {**opening, **change, "chosen": None}
            page.wait_for_function("lab.steps === 0 && lab.last && !lab.running")


def test_bet_is_over_where_something_is_changed(browser):
    with mounted(browser, {**QUICK, "bet": True}) as page:
        page.get_by_text("No bet: show everything").click()
        expect(page.locator(".bet")).to_be_hidden()
        expect(page.locator(".settings")).to_be_visible()


def test_bet_is_judged_by_the_new_points_that_each_missed(browser):
    with mounted(browser, {**QUICK, "bet": True}) as page:
        script = """([wrong, at]) => {
            const bet = new lab.bet.constructor(lab);
            bet.place(at);
            lab.last = wrong.map(held => ({held: {wrong: held}, learnt: {wrong: 1 - held}}));
            bet.ended();
            return bet.outcome.textContent;
        }"""
        names = ["“A, the wide one”", "“B, the deep one”", "“about the same: within 1 in 100”"]
        shares = (
            ((0.2, 0.1), 1),
            ((0.1, 0.2), 0),
            ((0.04, 0.03), 2),
            ((0.03, 0.04), 2),
            ((0.04, 0.0295), 1),
            ((1.0, 0.99), 2),
        )  # 20 of 2,000 points apart are within 1 in 100, however they are rounded
        for wrong, right in shares:
            for at in range(3):
                said = page.evaluate(script, [wrong, at])
                assert f"You bet on {names[at]}: " in said
                assert ("so it came out" if at == right else f"this time it was {names[right]}") in said
                found = [float(one) for one in re.findall(r"([\d.]+) %", said)]
                assert found == pytest.approx(100 * np.array(wrong), abs=0.06)


def test_median_and_its_interval_are_those_of_the_course(page):
    rows = [np.random.default_rng(n).normal(size=n).tolist() for n in range(1, 40)]
    for row, found in zip(rows, ask(page, "curves", "({medianOf}, all) => all.map(medianOf)", rows), strict=True):
        wanted = median(row, method="order")
        assert found["middle"] == pytest.approx(wanted.value)
        assert [found["low"], found["high"]] == [one if np.isfinite(one) else None for one in (wanted.low, wanted.high)]


def test_twenty_seeds_are_twenty_trainings_and_their_interval_is_the_sign_tests(browser):
    with mounted(browser, {**QUICK, "seed": 7, "decay": [0, 3], "weights": [0.1] * 177}) as page:
        page.click(".seeds")
        said = page.locator(".many p")
        expect(said).to_contain_text("twenty seeds", timeout=30_000)
        alone = """async () => {
            const [{datasets, networkOf}, {Trainer, judge}, {ofSide}] = await Promise.all(
                ["serving", "training", "setting"].map(name => import(`/${name}.js`)));
            return Array.from({length: 20}, (_, i) => [0, 1].map(side => {
                const setting = {...lab.setting, seed: 8 + i, weights: null}, {learnt, held} = datasets(setting);
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
        assert ("enough to say so" in said.inner_text()) == tells
        page.click(".other")
        expect(page.locator(".many")).to_be_hidden()


@pytest.mark.parametrize("sign", [1, -1])
def test_twenty_seeds_say_which_misses_fewer(page, sign):
    script = """({Seeds}, errors) => {
        const seeds = new Seeds(document.createElement("div"));
        seeds.end(errors);
        return seeds.said.textContent;
    }"""
    few, more = [0.02] * 20, [0.1] * 20
    assert f"{'AB'[sign < 0]} misses fewer, and" in ask(page, "bet", script, [few, more][::sign])
    assert "not enough to say" in ask(page, "bet", script, [few, [0.01, 0.03] * 10])


def test_points_held_out_and_those_of_other_seeds_are_others(page):
    script = """({datasets}, raw) => import("/setting.js").then(({settled}) => {
        const sets = datasets(settled(raw).setting);
        return ["learnt", "held"].map((which) => [...sets[which].X]);
    })"""
    given = {"data": "given", "given": [[i, 0, i % 2] for i in range(1, 41)]}
    settings = [
        {"n": 300, "seed": 1},
        {"n": 300, "seed": 2},
        {"n": 300, "data": "drawn", "drawn": "az0", "seed": 5},
        given,
    ]
    found = [one for setting in settings for one in ask(page, "serving", script, setting)]
    assert [len(one) // 2 for one in found] == [300, 2000] * 3 + [30, 10]
    everything = [number for one in found for number in one if number]
    assert len(everything) == len(set(everything)), "a point twice"


def test_bet_on_a_change_is_asked_while_nothing_trains(browser):
    with mounted(browser, {"bet": True}) as page:
        page.evaluate("import('/leads.js').then(({betOn}) => { lab.train(); betOn(lab, {folds: 1}, 'Again.'); })")
        page.wait_for_function("!lab.changed && !lab.looking")
        assert page.evaluate("[lab.running, lab.steps, lab.bet.state]") == [False, 0, "asked"]
        expect(page.locator(".bet p").first).to_be_focused()
        answer = page.locator(".answers button").nth(1)
        answer.press("Enter")
        expect(answer).to_be_focused()


# --- what is set ------------------------------------------------------------------------------------------


def test_address_says_the_whole_setting(page):
    script = """async ({settled, DEFAULTS, CHOICES, RANGES, EACH}) => {
        const {toAddress, fromAddress} = await import("/address.js");
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
    script = "({toAddress}) => import('/setting.js').then(({settled}) => toAddress(settled({}).setting))"
    assert ask(page, "address", script) == "", "a short address"


@pytest.mark.parametrize("raw", [
    {"layers": [65]}, {"layers": [0]}, {"layers": [8] * 9}, {"layers": None}, {"rate": -1}, {"rate": "fast"},
    {"folds": 1.5}, {"data": "moons"}, {"init": ["he", "he", "he"]}, {"init": [["he"], "he"]}, {"drawn": "a"},
    {"depth": 3}, {"seed": 1e9}, {"data": "given"}, {"n": None}, {"skips": "yes"}, {"constructor": 1}, {"given": "1"},
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
        return sum(
            32 * a * b * (2 if first else 3)
            for first, (a, b) in zip([1, *[0] * 8], itertools.pairwise([2, *layers, 1]), strict=False)
        )

    for layers, hold in itertools.product([[1], [64], [10, 10], [5] * 8, [30, 20, 10]], ["parameters", "arithmetic"]):
        cost = parameters if hold == "parameters" else products
        found, against, *costs = ask(page, "setting", script, [{"layers": layers}, hold, {"against": [8, 8, 8]}])
        assert found == layers and costs == [cost(layers), cost(against)]
        equal = [abs(cost([width] * 3) - cost(layers)) for width in range(1, 65)]
        assert len(against) == 3 and abs(cost(against) - cost(layers)) <= min(equal)
    found, against, *_ = ask(page, "setting", script, [{"against": [8, 8]}, "parameters", {"layers": [44]}])
    assert against == [8, 8] and parameters(found) == 105 == parameters(against)
    assert ask(page, "setting", script, [{"layers": [3]}, "nothing", {}])[1] == [8, 8, 8]
    uneven = {"layers": [20], "against": [3, 3]}
    for part in ({"hold": "arithmetic"}, {"biases": [False, False]}):
        _, _, *costs = ask(page, "setting", script, [part, part.get("hold", "parameters"), uneven])
        assert 0.9 < costs[0] / costs[1] < 1.1, part
    found, against, *_ = ask(page, "setting", script, [{"layers": [30]}, "parameters", {"biases": [True, False]}])
    unbiased = [abs(sum(a * b for a, b in itertools.pairwise([2, *[one] * 3, 1])) - 121) for one in range(1, 65)]
    cost = sum(a * b for a, b in itertools.pairwise([2, *against, 1]))
    assert abs(cost - 121) <= min(unbiased), "a network without biases is counted without"


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
            after, side = (
                page.evaluate("key => lab.setting[key]", key),
                "AB".find(control.get_attribute("aria-label")[-1]),
            )
            assert after != before, key
            if key in page.evaluate("import('/setting.js').then(({EACH}) => EACH)"):
                assert after[side] != before[side] and after[1 - side] == before[1 - side], (
                    f"{key} of the other network"
                )
        assert page.evaluate("lab.setting.init[0] !== 'he' && lab.setting.init[1] !== 'he'")
        columns = page.get_by_role("slider", name=re.compile("units of layer . of B"))
        expect(columns).to_have_count(3)
        columns.first.press("End")
        page.wait_for_function("lab.setting.against[0] === 64 && lab.networks[1].sizes[1] === 64")
        for hold, unit in (("arithmetic", "multiplications a step"), ("nothing", "parameters")):
            page.select_option("[data-key=hold]", hold)
            expect(page.locator(".meter")).to_contain_text(unit)
        page.evaluate("lab.change({layers: [100 / 4], against: [24]})")
        expect(page.locator(".meter")).to_contain_text("nearly equal")
        page.get_by_role("button", name="Only A").click()
        expect(page.locator("[data-view=plane] canvas")).to_have_count(1)
        page.get_by_role("button", name="A second network").click()
        expect(page.locator("[data-view=plane] canvas")).to_have_count(2)


def test_second_network_leaves_the_first_as_it_is(browser):
    with mounted(browser, ONE | {"layers": [7, 3, 5]}) as page:
        page.get_by_role("button", name="A second network").click()
        assert page.evaluate("[lab.setting.layers, lab.setting.against]") == [[7, 3, 5]] * 2


def in_lessons() -> dict[str, dict]:
    """Return what each page hands to `playground`, but for whether a page holds it, and but for the one with a bet."""
    found = {}
    for path in sorted((FOLDER.parents[1] / "notebooks").glob("0*_*.py")):
        calls = [one for one in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(one, ast.Call)]
        for call in (one for one in calls if getattr(one.func, "id", "") == "playground"):
            values = {one.arg: eval(ast.unparse(one.value)) for one in call.keywords if one.arg != "saved"}
            found |= {} if "bet" in values else {path.stem: values}
    return found


def test_presets_are_the_lessons_settings(page):
    presets = ask(page, "presets", "({PRESETS}) => PRESETS")
    assert {stem: raw for stem, (_, raw, _) in presets.items()} == in_lessons() and len(presets) == 7
    for stem, (title, _, sentence) in presets.items():
        assert title.startswith(f"{stem[:2]}: ") and sentence.endswith((".", "?"))


def test_a_lessons_setting_is_chosen_said_left_and_undone(browser):
    with mounted(browser, ONE) as page:
        menu, words = page.get_by_label("a setting of a lesson"), page.locator(".presets p")
        page.evaluate("lab.train({until: 30})")
        trained(page, 30)
        for stem, raw in in_lessons().items():
            menu.select_option(stem)
            wanted = page.evaluate("raw => import('/setting.js').then(({settled}) => settled(raw).setting)", raw)
            page.wait_for_function("!lab.changed && !lab.looking")
            assert page.evaluate("lab.setting") == {**wanted, "weights": None, "chosen": None}
            expect(page.locator(f".large[data-view={raw.get('view', 'plane')}]")).to_have_count(1)
            assert page.locator("[data-view=plane] canvas").count() == 1 + bool(raw.get("against", [8]))
            link = words.get_by_role("link", name=f"Lesson {stem[:2]}")
            assert link.get_attribute("href").endswith(f"/notebooks/{stem}.html")
        page.evaluate("lab.change({seed: 3})")
        expect(words).to_be_empty()
        assert menu.input_value() == ""
        page.click(".undo")
        assert page.evaluate("[lab.steps, lab.setting.layers, lab.setting.n]") == [30, [6, 6], 100]


def test_words_of_controls_lead_to_the_glossary_which_has_them(browser):
    with (FOLDER.parents[1] / "reference/glossary.toml").open("rb") as file:
        known = {word_anchor(word) for word in tomllib.load(file)}
    with mounted(browser, {"n": 50}) as page:
        for _ in range(2):  # where views are made anew, too
            found = page.evaluate("""[...document.querySelectorAll(".lab label a, .view > .quiet a")]
                .map((one) => [one.textContent, new URL(one.href).pathname, new URL(one.href).hash.slice(1)])""")
            assert {where for _, where, _ in found} == {"/reference/glossary.html"}
            assert {word for *_, word in found} <= known
            said = [text for text, *_ in found]
            assert len(found) == 9 * 2 + 1 + 3 and {"learning rate", "skips", "region", "gain"} <= set(said)
            page.get_by_role("button", name="Only A").click()
            page.get_by_role("button", name="A second network").click()
        expect(page.locator(".nets [data-key=rate]")).to_have_count(2)
        assert page.get_by_label("learning rate of B").is_visible(), "out of its fold"


def test_address_is_not_written_with_each_move_of_a_slider(browser):
    with mounted(browser, ONE) as page:
        page.evaluate("""window.written = 0;
            const write = history.replaceState.bind(history);
            history.replaceState = (...all) => { written++; write(...all); };
            for (let seed = 2; seed < 52; seed++) lab.change({seed}); 0""")
        page.wait_for_function("location.hash.includes('seed=51')")
        assert page.evaluate("written") == 1


def test_what_an_address_cannot_say_is_refused(browser):
    with mounted(browser, at="data=given&given=x&weights=12&chosen=y&noise=<b>1</b>") as page:
        for word in ("given", "weights", "chosen"):
            expect(page.locator(".said")).to_contain_text(f"There is no “{word}” to set.")
        expect(page.locator(".said")).to_contain_text("noise cannot be")
        assert page.evaluate("lab.setting.data") == "board"
        page.evaluate("lab.change({seed: 2})")
        expect(page.locator(".said")).to_be_empty()


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


def test_training_pauses_and_what_is_changed_meanwhile_trains_on_from_the_start(browser):
    with mounted(
        browser, ONE | {"layers": [3], "against": [3], "hold": "nothing", "steps": 10**6, "weights": [0.5] * 13}
    ) as page:
        assert set(page.evaluate(WEIGHTS, 0)["weights"]) == {0.5} != set(page.evaluate(WEIGHTS, 1)["weights"])
        page.get_by_role("button", name="Train 1,000,000 steps").click()
        page.wait_for_function("lab.steps > 0")
        page.evaluate("lab.change({rate: [0, 0.1], noise: 0.01})")
        page.wait_for_function("!lab.changed && lab.steps > 0 && lab.running")  # until the next frame it is the old one
        assert set(page.evaluate(WEIGHTS, 0)["weights"]) == {0.5}, "as given, at a rate of 0"
        page.get_by_role("button", name="Start again").click()
        for _ in range(5):
            page.wait_for_function("!lab.looking")
            assert page.evaluate("lab.steps") == 0, "a worker that trains on"
            page.evaluate("lab.look()")
        page.wait_for_function("!lab.looking")
        page.get_by_role("button", name="Train 1,000,000 steps").click()
        page.wait_for_function("lab.steps > 0 && lab.running")
        page.get_by_role("button", name="Pause").click()
        page.wait_for_function("!lab.looking")
        paused = page.evaluate("lab.steps")
        page.evaluate("lab.look()")
        page.wait_for_function("!lab.looking")
        assert page.evaluate("lab.steps") == paused
        expect(page.locator(".train")).to_have_text("Train 1,000,000 steps")
        page.evaluate(
            "id => lab.looked({is: 'look', id, steps: 999, sides: [], running: false})", page.evaluate("lab.id - 1")
        )
        assert page.evaluate("lab.steps") == paused, "an answer about what was set before"
        page.click(".other")
        page.wait_for_function("lab.setting.seed === 2 && lab.steps === 0 && !lab.running")
        page.evaluate("lab.change({data: 'circle'})")
        page.wait_for_function("lab.networks[0].weights.some((one) => one !== 0.5)")


def test_where_there_are_no_points_nothing_trains(browser):
    with mounted(browser, ONE | {"data": "none"}) as page:
        hidden = [".train", ".one", ".seeds", ".steps", "[data-view=towers]", "[data-view=losses]", ".program"]
        shown = [".again", ".other", ".settings", "[data-view=plane]", "[data-view=layers]"]
        assert [page.locator(one).first.is_visible() for one in hidden + shown] == [False] * 7 + [True] * 5
        page.evaluate("lab.change({data: 'line'})")
        assert [page.locator(one).first.is_visible() for one in hidden + shown] == [True] * 12


def test_weights_that_grow_beyond_all_numbers_are_said(browser):
    growing = {"layers": [9] * 8, "activation": "linear", "optimiser": "sgd", "rate": 10, "gain": 4, "steps": 5000}
    with mounted(browser, ONE | growing) as page:
        page.click(".train")
        expect(page.locator(".said")).to_contain_text("beyond all numbers", timeout=20_000)
        expect(page.locator(".train")).to_have_text("Train 5,000 steps")
        page.evaluate("lab.change({rate: [0.01, 0.01]})")
        expect(page.locator(".said")).to_be_empty()


@pytest.mark.parametrize(("motion", "low", "high"), [("reduce", 2, 4), ("no-preference", 8, 10**4)])
def test_who_asked_for_less_motion_sees_about_a_picture_a_second(browser, motion, low, high):
    with mounted(browser, ONE | {"steps": 10**6}, reduced_motion=motion) as page:
        page.clock.install(time="2030-01-01T00:00:00Z")
        page.clock.pause_at("2030-01-01T01:00:00Z")  # from now on the page's time passes only here
        page.evaluate("""() => {
            const { looked } = lab;
            Object.assign(window, {looks: 0, pictures: 0});
            lab.looked = (data) => { looks += 1; looked.call(lab, data); };
            const { drawInto } = lab;
            lab.drawInto = (view, ...all) => { pictures += view === "plane"; drawInto.call(lab, view, ...all); };
        }""")
        page.evaluate("document.querySelector('.train').click()")
        for _ in range(60 if motion == "reduce" else 12):
            page.clock.run_for(50)
            page.evaluate("dispatchEvent(new Event('scroll'))")
            while page.evaluate("lab.looking"):  # the worker answers in its own time
                page.wait_for_timeout(5)
        assert low <= page.evaluate("looks") <= high
        assert low - 1 <= page.evaluate("pictures") <= high


@pytest.mark.parametrize("workers", [True, False])
def test_what_trains_goes_on_where_something_is_changed(browser, workers):
    with mounted(browser, ONE | {"steps": 1_000_000}, workers=workers) as page:
        page.evaluate("lab.begin(); lab.train()")  # while the answer to an older question is on its way
        for change in ({"noise": 0.1}, {"against": [3]}, {"against": None}):
            page.evaluate("change => lab.change(change)", change)
            page.wait_for_function("!lab.changed && lab.running && lab.steps > 20")
        page.click(".train")
        page.wait_for_function("!lab.looking && !lab.running")
        stopped = page.evaluate("lab.steps")
        page.click(".one")
        trained(page, stopped + 1)


def weights(page: Page, side: int = 0) -> list[float]:
    return page.evaluate(WEIGHTS, side)["weights"]


@pytest.mark.parametrize("workers", [True, False])
def test_rate_decay_and_batch_change_while_it_trains(browser, workers):
    with mounted(browser, ONE | {"steps": 10**6}, workers=workers) as page:
        page.click(".train")
        page.wait_for_function("lab.steps > 50")
        before = page.evaluate("lab.steps")
        page.select_option("[data-key=batch]", "8")
        expect(page.locator(".said")).to_contain_text("the batch is 8. Adam keeps its moments: they forget")
        page.evaluate("lab.change({decay: [0.1, 0]})")
        expect(page.locator(".said")).to_contain_text("the weight decay of A is 0.1. Adam keeps its moments: they are")
        page.evaluate("lab.change({rate: [0, 0]})")
        expect(page.locator(".said")).to_contain_text("the learning rate of A is 0, the learning rate of B is 0.")
        page.wait_for_function("!lab.looking")
        page.evaluate("lab.look()")
        page.wait_for_function("!lab.looking")
        held, at = weights(page), page.evaluate("lab.steps")
        assert at > before and page.evaluate("lab.running")
        page.wait_for_function("at => lab.steps > at", arg=at)
        assert weights(page) == held, "at a rate of 0 nothing moves"
        page.evaluate("lab.change({rate: [0.01, 0.01]})")
        page.wait_for_function("held => lab.networks[0].weights.some((one, i) => one !== held[i])", arg=held)
        assert page.evaluate("lab.steps") > at and page.locator(".undo").is_hidden()


def test_what_serves_is_steered_as_a_trainer_is(page):
    script = """async ({serve, datasets, networkOf}) => {
        const [{Trainer}, {settled, ofSide}] = await Promise.all(
            ["training", "setting"].map((name) => import(`/${name}.js`)));
        const how = {n: 60, layers: [5], against: [3], hold: "nothing"}, {port1, port2} = new MessageChannel();
        const before = settled(how).setting, turn = {rate: [0.2, 0.03], decay: [0, 0.3], batch: 7};
        const after = settled({...how, ...turn}).setting;
        const look = () => new Promise((resolve) => {
            port1.onmessage = ({data}) => data.is === "look" && resolve(data);
            port1.postMessage({do: "look"});
        });
        const until = async (steps) => {
            port1.postMessage({do: "go", until: steps});
            let found = await look();
            while (found.steps < steps) found = await look();
            return found.sides.map(({weights}) => [...weights]);
        };
        serve(port2);
        port1.postMessage({do: "begin", setting: before});
        await until(20);
        port1.postMessage({do: "steer", setting: after});
        const found = await until(50), {learnt} = datasets(before);
        port1.close();
        return [found, [0, 1].map((side) => {
            const own = {...ofSide(before, side), batch: before.batch, seed: 4 * before.seed + 3};
            const trainer = new Trainer(networkOf(before, side), learnt, own);
            for (let step = 0; step < 50; step++) {
                if (step === 20) trainer.steer({rate: turn.rate[side], decay: turn.decay[side], batch: 7});
                trainer.step();
            }
            return [...trainer.network.weights];
        })];
    }"""
    found, wanted = ask(page, "serving", script)
    assert found == wanted


def test_what_restarts_is_said_before_and_undone(browser):
    with mounted(browser, ONE | {"steps": 100, "data": "circle"}) as page:
        expect(page.locator(".rule")).to_contain_text("Anything else starts it again with new weights; “Undo” brings")
        page.click(".train")
        trained(page, 100)
        page.evaluate("lab.change({rate: [0.02, 0.02]})")  # on the way; it belongs to the network
        page.click(".train")
        trained(page, 200)
        held, course, setting = weights(page), page.evaluate("lab.course.seen"), page.evaluate("lab.setting")
        setting["weights"] = None
        page.evaluate("lab.setting.view = 'losses'")
        for change in ({"noise": 0.1}, {"against": [4, 4]}, {"data": "rings", "layers": [3]}):
            page.evaluate("change => lab.change(change)", change)
            page.wait_for_function("!lab.changed && !lab.looking && lab.steps === 0")
        assert len(weights(page)) != len(held)
        page.click(".undo")
        expect(page.locator(".said")).to_contain_text("The last network is back, with its 200 steps.")
        page.wait_for_function("!lab.looking && lab.last[0].held.loss > 0")
        assert weights(page) == held and page.evaluate("lab.steps") == 200
        assert page.evaluate("lab.setting") == {**setting, "view": "losses", "chosen": None}
        assert page.evaluate("lab.course.seen")[: len(course)] == course
        assert page.locator("[data-view=plane] canvas").count() == 1
        page.click(".train")
        trained(page, 300)
        after = weights(page)
        expect(page.locator(".undo")).to_be_hidden()
        page.click(".again")  # the same without a turn aside
        page.evaluate("lab.change({rate: [0.01, 0.01]})")
        for steps in (100, 200, 300):
            page.wait_for_function("!lab.changed && !lab.looking")
            page.click(".train")
            trained(page, steps)
            if steps == 100:
                page.evaluate("lab.change({rate: [0.02, 0.02]})")
        assert weights(page) == after, "with its moments and its order of points"


def test_a_slider_that_is_moved_leaves_the_network_before_it_to_undo(browser):
    with mounted(browser, ONE | {"steps": 10_000}) as page:
        page.evaluate("lab.train({until: 60})")
        trained(page, 60)
        for noise in (0.1, 0.2, 0.3):
            page.evaluate("noise => { lab.change({noise}); }", noise)
            page.wait_for_function("!lab.changed && !lab.looking")
            page.evaluate("lab.train({until: 20})")
            trained(page, 20)
        expect(page.locator(".said")).not_to_contain_text("20 steps")
        page.click(".undo")
        assert page.evaluate("[lab.steps, lab.setting.noise]") == [60, 0]


def test_of_a_steered_network_address_program_and_seeds_say_that_they_are_not_of_it(browser):
    with mounted(browser, {**QUICK, "optimiser": "sgd"}) as page:
        program, seeds = page.locator(".program"), page.locator(".many p")

        def says(steered: bool) -> None:
            page.wait_for_function("steered => location.hash.includes('steered') === steered", arg=steered)
            assert ("was steered while it trained" in program.text_content()) == steered
            compile(page.locator(".program pre").text_content(), "program", "exec")
            page.click(".seeds")
            expect(seeds).to_contain_text("twenty seeds", timeout=30_000)
            assert ("shown was steered" in seeds.inner_text()) == steered

        page.click(".train")
        trained(page, 60)
        says(steered=False)
        page.evaluate("lab.change({rate: [0.3, 0.01]})")
        expect(page.locator(".said")).to_have_text("From here on the learning rate of A is 0.3.")
        says(steered=True)
        link = page.evaluate("location.hash.slice(1)")
        page.click(".again")
        page.wait_for_function("!lab.looking && lab.steps === 0")
        says(steered=False)
        page.click(".undo")
        page.wait_for_function("!lab.looking && lab.steps === 60")
        says(steered=True)
    with mounted(browser, at=link) as page:
        expect(page.locator(".said")).to_contain_text("The network that this link is of was steered")
        assert page.evaluate("lab.setting.rate") == [0.3, 0.01]
        page.evaluate("lab.change({seed: 3})")
        page.wait_for_function("location.hash.includes('seed=3') && !location.hash.includes('steered')")


@pytest.mark.parametrize(("hold", "side"), [*itertools.product(["parameters", "arithmetic", "nothing"], [0, 1])])
def test_a_layer_more_or_less_leaves_the_other_network(browser, hold, side):
    with mounted(browser, {"n": 50, "hold": hold, "layers": [30, 10], "against": [8, 8, 8]}) as page:
        shapes = page.evaluate("[lab.setting.layers, lab.setting.against]")
        cost = "[0, 1].map((side) => costOf(lab.setting, side))"
        for name, by in (("+ layer", 1), ("+ layer", 1), ("− layer", -1)):
            page.get_by_role("button", name=name).nth(side).click()
            page.wait_for_function("!lab.changed")
            now = page.evaluate("[lab.setting.layers, lab.setting.against]")
            assert now[1 - side] == shapes[1 - side] and len(now[side]) == len(shapes[side]) + by
            costs = page.evaluate(f"import('/setting.js').then(({{costOf}}) => {cost})")
            if hold == "nothing":
                kept = min(len(now[side]), len(shapes[side]))
                assert now[side][:kept] == shapes[side][:kept] and set(now[side][kept:]) <= {shapes[side][-1]}
            else:
                assert costs[side] == pytest.approx(costs[1 - side], rel=0.1)
            shapes = now


@pytest.mark.parametrize("workers", [True, False])
def test_without_points_there_is_a_network(browser, workers):
    with mounted(browser, ONE | {"data": "none"}, workers=workers) as page:
        assert len(page.evaluate("[...lab.last[0].weights]")) == 67
        page.select_option("[data-key=data]", "line")
        page.wait_for_function("lab.last?.[0].held.loss > 0")
        page.locator("[data-view=towers] > button").click()
        page.click(".train")
        page.select_option("[data-key=data]", "none")
        page.wait_for_function("!lab.changed && !lab.looking && !lab.running")
        expect(page.locator(".large")).to_have_attribute("data-view", "plane")


def test_a_slice_ends_after_a_step_that_takes_long(page):
    script = """async ({serve}) => {
        const {settled} = await import("/setting.js"), {port1, port2} = new MessageChannel(), clock = performance.now;
        let steps = 0, time = 0;
        performance.now = () => (time += 4);  // of the 6 that a slice has
        serve(port2);
        port1.postMessage({do: "begin", setting: settled({n: 10}).setting});
        port1.postMessage({do: "go", until: 1000});
        while (!steps) {
            const look = new Promise((resolve) => {
                port1.onmessage = ({data}) => data.is === "look" && resolve(data);
            });
            port1.postMessage({do: "look"});
            ({steps} = await look);
        }
        port1.postMessage({do: "stop"});
        performance.now = clock;
        return steps;
    }"""
    assert ask(page, "serving", script) < 16


@pytest.mark.parametrize("workers", [True, False])
def test_nothing_goes_on_of_a_playground_that_has_left_the_page(browser, workers):
    with mounted(browser, ONE | {"steps": 1_000_000}, workers=workers) as page:
        page.click(".train")
        page.wait_for_function("lab.steps > 0")
        with page.workers[0].expect_event("close") if workers else contextlib.nullcontext():
            page.evaluate("window.place = document.querySelector('#place'); place.remove()")
        page.wait_for_function("!lab.port && !lab.running && lab.left.signal.aborted")
        # What saw it leave may ask for one more frame, two after that there is none.
        page.evaluate("""async () => {
            for (let left = 3; left--;) await new Promise(requestAnimationFrame);
        }""")
        assert page.evaluate("dispatchEvent(new Event('scroll')), lab.frame") is None
        page.evaluate("document.body.append(place)")
        page.wait_for_function("lab.port")
        page.click(".one")
        trained(page, 1)


# --- what is seen -----------------------------------------------------------------------------------------

# A pen that draws nothing and remembers each stroke, each filled box or shape, and each text, with its colours.
PEN = """() => {
    const marks = [];
    let path = [], dash = [];
    const look = () => ({fill: state.fillStyle, line: state.strokeStyle, wide: state.lineWidth});
    const mark = (kind, more) => marks.push({kind, path, dash, ...look(), ...more});
    const does = {
        beginPath() { path = []; }, setLineDash(one) { dash = one; },
        stroke() { mark("stroke"); }, fill() { mark("fill"); },
        fillRect(...box) { mark("box", {box}); }, fillText(text) { mark("text", {text}); },
    };
    for (const key of ["moveTo", "lineTo", "arc", "rect"]) does[key] = (...at) => path.push([key, ...at]);
    const state = new Proxy({marks}, {get: (own, key) => own[key] ?? does[key] ?? (() => {})});
    return state;
}"""
THEME = {"page": "#ffffff", "ink": "#000000", "quiet": "#777777", "line": "#cccccc", "classes": ["#0000ff", "#ff8000"],
         "points": ["#000080", "#804000"], "sides": ["#aa00aa", "#00aa00"], "chosen": "#ff00ff"}  # fmt: skip


def drawn(page: Page, module: str, script: str, *said: object) -> tuple[list[dict], object]:
    """Return what is drawn by a function of a module's exports, a pen, a theme and what Python says; and its word."""
    call = f"""(all, [theme, said]) => {{
        const pen = ({PEN})(), word = ({script})(all, pen, theme, said);
        return [pen.marks, word];
    }}"""
    return ask(page, module, call, [THEME, said])


def test_plane_is_the_right_way_up_in_its_classes_colours(page):
    script = """({drawPlane}, [theme, scale, inRegions, chosen]) => {
        const half = 2, size = 300, canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
        canvas.width = canvas.height = size;
        const f = (x, y) => scale * (x + 2 * y);
        const network = {forward: (X, n) => Float64Array.from({length: n}, (_, p) => f(X[2 * p], X[2 * p + 1]))};
        const all = {x: [-2, 2, 2, -2], y: [-2, -2, 2, 2], map: [scale, 2 * scale, 0]};
        const regions = inRegions ? [all] : null;
        const learnt = globalThis.fixedPoints ??= {X: Float64Array.of(1, 1.6, -1, -1.6), y: Float64Array.of(0, 1)};
        drawPlane(pen, size, {network, regions, half, learnt, chosen: chosen && {region: all, x: 1.2, y: -1}, theme});
        const place = (one) => (one / half + 1) / 2 * size;
        const at = (x, y, off = 0) => [...pen.getImageData(place(x) + off, size - place(y) + off, 1, 1).data];
        return [at(1.6, .4), at(-1.6, -.4), at(.8, -.4), at(1, 1.6), at(-1, -1.6), at(1, 1.6, 2), at(-1, -1.6, 2),
            at(1.2, -1)];
    }"""

    def colour(name: str, much: float = 1) -> list[int]:
        return [round(255 + much * (int(name[at : at + 2], 16) - 255)) for at in (1, 3, 5)] + [255]

    other = {**THEME, "points": ["#008000", "#800080"]}
    for theme, inside in itertools.product((THEME, other), (False, True)):
        above, below, zero, circle, square, off, corner, mark = ask(page, "plane", script, [theme, 30, inside, True])
        for found, wanted in (
            (above, colour(theme["classes"][1], 0.6)),
            (below, colour(theme["classes"][0], 0.6)),
            (zero, colour(theme["ink"])),
            (circle, colour(theme["points"][0])),
            (square, colour(theme["points"][1])),
            (mark, colour(theme["chosen"])),
        ):
            assert np.abs(np.subtract(found, wanted)).max() <= 12, (found, wanted)
        distance = [
            np.abs(np.subtract(one, colour(mine))).max()
            for one, mine in zip((off, corner), theme["points"], strict=True)
        ]
        assert distance[0] > distance[1], "a square has corners, and a circle none"
        assert ask(page, "plane", script, [theme, 0.1, inside, False])[2][:3] == [0, 0, 0], "where f = 0"


def test_losses_are_drawn_thin_on_the_points_to_learn_thick_on_new_ones_and_dashed_for_b(page):
    script = """({Course, drawLosses}, pen, theme, [losses]) => {
        const course = new Course();
        const seen = ([learnt, held]) => ({learnt: {loss: learnt}, held: {loss: held}});
        losses.forEach((all, i) => course.add(100 * i, all.map(seen)));
        return drawLosses(pen, 600, 400, course, theme);
    }"""
    losses = [[[0.7, 0.9], [0.8, 1]], [[0.3, 0.5], [0.2, 0.6]], [[0.1, 0.35], [0.05, 0.4]]]
    marks, words = drawn(page, "curves", script, losses)
    assert words == "A: loss 0.1, on new points 0.35; B: loss 0.05, on new points 0.4"
    curves = [mark for mark in marks if mark["kind"] == "stroke"]
    heights = {}
    for curve in curves:
        side, held = THEME["sides"].index(curve["line"]), int(curve["wide"] > 2)
        assert bool(curve["dash"]) == (side == 1)
        at = np.array([place[1:] for place in curve["path"]])
        assert np.allclose(np.diff(at[:, 0]), (600 - 48 - 16) / 2)
        for row, y in zip(losses, at[:, 1], strict=True):
            heights[row[side][held]] = y
    assert len(curves) == 4 and len(heights) == 12
    logs, ys = np.log10(list(heights)), np.array(list(heights.values()))
    assert np.ptp(ys + logs * np.ptp(ys) / np.ptp(logs)) < 1e-6 * np.ptp(ys), "a lower loss is lower, in powers of ten"


def test_losses_under_the_pointer_are_said_for_the_step_that_is_drawn_there(browser):
    with mounted(browser, {**QUICK, "view": "losses", "steps": 400}) as page:
        for until in (100, 130, 250, 400):
            page.evaluate("until => lab.train({until})", until)
            trained(page, until)
        seen = page.evaluate("lab.course.seen")
        canvas, words = page.locator(".large canvas"), page.locator(".hovered")
        # Where each step is drawn, by what draws it.
        script = f"""({{drawLosses}}) => {{
            const pen = ({PEN})(), {{width, height}} = lab.views[3].panes[0].canvas.getBoundingClientRect();
            drawLosses(pen, width, height, lab.course, lab.theme);
            return pen.marks.find(({{kind}}) => kind === "stroke").path.map(([, x]) => x);
        }}"""
        places = ask(page, "curves", script)
        assert len(places) == len(seen) > 3
        for at in {0, len(seen) // 2, len(seen) - 1}:
            canvas.hover(position={"x": places[at], "y": 50})
            expect(words).to_contain_text(f"At step {seen[at]['steps']}: A ")
            numbers = [float(one) for one in re.findall(r"(?:[AB]|points) ([\d.]+)(?=[,;.])", words.inner_text())]
            wanted = [side[kind] for side in seen[at]["sides"] for kind in ("learnt", "held")]
            assert numbers == pytest.approx(wanted, rel=5e-3)


def test_points_that_were_held_out_are_shown_instead(browser):
    with mounted(browser, {**ONE, "n": 20, "seed": 5}) as page:
        page.evaluate("""() => {
            const { drawInto } = lab;
            lab.drawInto = (...all) => {
                drawInto.apply(lab, all);
                if (all[0] === "plane") window.plane = all[1].toDataURL();
            };
            lab.soon();
        }""")
        page.wait_for_function("window.plane")
        before = page.evaluate("plane")
        page.get_by_label("show held-out points").check()
        page.wait_for_function("before => plane !== before", arg=before)
        shown = page.evaluate("plane")
        page.evaluate("lab.learnt = lab.held; lab.shown = 'learnt'; window.plane = null; lab.soon()")
        page.wait_for_function("window.plane")
        assert page.evaluate("plane") == shown, "the points that it is judged by"
        page.evaluate("lab.change({data: 'none'})")
        expect(page.get_by_label("show held-out points")).to_be_hidden()


def test_course_of_a_long_training_keeps_its_beginning_its_end_and_its_order(page):
    script = """({Course}) => {
        const course = new Course();
        for (let i = 0; i < 5000; i++) course.add(16 * i, []);
        course.add(16 * 4999, []);
        return course.seen.map(({steps}) => steps);
    }"""
    seen = ask(page, "curves", script)
    assert 300 <= len(seen) <= 601 and seen[0] == 0 and seen[-1] == 16 * 4999 and seen == sorted(set(seen))
    assert max(np.diff(seen)) <= seen[-1] / 100, "evenly thinned"


def test_errors_of_seeds_are_drawn_as_circles_and_squares_where_they_are(page):
    errors = [[0.01, 0.02, 0.04], [0.05, 0.03, 0.06]]
    marks, _ = drawn(
        page, "curves", "({drawSeeds}, pen, theme, [errors]) => drawSeeds(pen, 500, 112, errors, theme)", errors
    )
    shapes = [(mark["path"][0], mark["fill"]) for mark in marks if mark["kind"] == "fill"]
    assert [(shape[0], fill) for shape, fill in shapes] == [("arc", THEME["sides"][0])] * 3 + [
        ("rect", THEME["sides"][1])
    ] * 3
    places = [shape[1] + (3 if shape[0] == "rect" else 0) for shape, _ in shapes]
    assert np.allclose(places, 28 + np.array(sum(errors, [])) / 0.06 * (500 - 48))


def test_towers_bars_are_powers_of_ten_from_layer_1_below(page):
    script = """({drawTowers, sizesByLayer}, pen, theme) => {
        drawTowers(pen, 600, 400, {network: lab.networks[0], learnt: lab.learnt, theme}, "#123456");
        return sizesByLayer(lab.networks[0], lab.learnt);
    }"""
    marks, sizes = drawn(page, "layers", script)
    bars = [mark["box"] for mark in marks if mark["fill"] == "#123456" and mark["kind"] == "box"]
    values = [one["signal"] for one in sizes] + [one["gradient"] / sizes[-1]["gradient"] for one in sizes]
    assert [bar[2] for bar in bars] == pytest.approx([max(2, abs(np.log10(one)) * 264 / 6) for one in values])
    assert all((np.diff([bar[1] for bar in bars[at : at + 3]]) < 0).all() for at in (0, 3))


def test_sheets_words_are_each_layers_own_share(page):
    script = """({Sheets}, pen, theme) =>
        new Sheets().draw(pen, 600, 600, {network: lab.networks[0], half: 1, learnt: lab.learnt, theme})"""
    marks, words = drawn(page, "layers", script)
    lines, places = np.linspace(-1, 1, 13), np.linspace(-1, 1, 37)
    H = np.concatenate([np.stack(np.meshgrid(*axes), -1).reshape(-1, 2) for axes in ((lines, places), (places, lines))])
    names = ["the plane"]
    for layer, (W, b) in enumerate(layers_of(page)[:-1], 1):
        H = np.maximum(H @ W.T + b, 0)
        variances = np.linalg.svd(H - H.mean(0), compute_uv=False) ** 2
        names.append(f"layer {layer}: {int(100 * variances[:2].sum() / variances.sum())} %")
    assert words == "the squared plane in each layer; " + ", ".join(names)
    assert [mark["text"] for mark in marks if mark["kind"] == "text"] == names


def test_clicked_region_is_said_as_its_pattern_and_its_affine_map(browser):
    with mounted(browser, ONE) as page:
        canvas = page.locator("[data-view=plane] canvas")
        box = canvas.bounding_box()
        canvas.click(position={"x": 0.65 * box["width"], "y": 0.3 * box["height"]})
        caption = page.locator("[data-view=plane] .readout")
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
        numbers = [
            float((sign + number).replace("−", "-").replace("+", ""))
            for sign, number in [("", a), (sign_b, b), (sign_c, c)]
        ]
        constant = outputs(layers, x[None])[0] - A[0] @ x
        assert np.allclose(numbers, [*A[0], constant], rtol=0.01, atol=1e-3)
        canvas.focus()
        page.keyboard.press("Shift+ArrowLeft")
        page.wait_for_function(f"Math.abs(lab.setting.chosen.x - {x[0] - 0.2}) < 1e-9")


def test_region_is_chosen_on_the_plane_that_was_clicked_on(browser):
    with mounted(browser, ONE | {"against": [5], "hold": "nothing", "n": 50, "rate": [0, 1]}) as page:
        page.locator("[data-view=plane] canvas").nth(1).click()
        captions, readouts = (page.locator(f"[data-view=plane] {one}") for one in ("figcaption", ".readout"))
        expect(readouts.nth(1)).to_contain_text("in the whole region")
        assert readouts.nth(0).inner_text() == ""
        page.keyboard.press("Tab")
        page.locator("[data-view=plane] canvas").nth(1).press("ArrowUp")
        page.wait_for_function("Math.abs(lab.setting.chosen.y - 0.02) < 0.01 && lab.setting.chosen.side === 1")
        page.click(".one")
        trained(page, 1)
        for side in (0, 1):
            count, missed = page.evaluate("side => [lab.cut(side).regions.length, lab.last[side].held.wrong]", side)
            expect(captions.nth(side)).to_contain_text(f"{'AB'[side]}: {count} linear regions")
            expect(captions.nth(side)).to_contain_text("Misses")  # with the next picture, if the count stayed the same
            said = float(re.search(r"Misses ([\d.]+) % of new points", captions.nth(side).inner_text())[1])
            X, y = points_on(page, "held")
            layers = layers_of(page, side)
            assert said == pytest.approx(100 * missed, abs=0.06)
            assert missed == pytest.approx(np.mean((outputs(layers, X) > 0) != y), abs=2e-3)
        pages = page.evaluate("[0, 1].map((side) => lab.views[0].panes[side].canvas.toDataURL())")
        assert pages[0] != pages[1], "each plane its own network"


def test_colours_follow_the_page_and_the_system(browser):
    with mounted(browser, ONE | {"data": "circle"}, color_scheme="light") as page:
        colours = """() => {
            const {style} = lab.root, {dark, points} = lab.theme;
            return [style.getPropertyValue("--page"), style.colorScheme, dark ?? false, points[0]];
        }"""
        light, dark = ["#ffffff", "light", False, "#005a8e"], ["#171b22", "dark", True, "#7cc4f2"]
        is_now = f"wanted => JSON.stringify(({colours})()) === JSON.stringify(wanted)"
        page.wait_for_function(is_now, arg=light)
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(is_now, arg=dark)
        for said, wanted in (("light", light), ("dark", dark), ("auto", dark)):
            page.evaluate("said => { document.documentElement.dataset.theme = said; document.body.click(); }", said)
            page.wait_for_function(is_now, arg=wanted)


def test_caption_counts_what_is_drawn_and_bounds_it(page):
    caption = page.locator("[data-view=plane] figcaption").inner_text()
    count = page.evaluate("lab.cut(0).regions.length")
    assert caption.startswith(f"A: {count} linear regions in this square; a network of this shape has at most 484")
    shapes = [[], [1], [1, 64], [64] * 8, [3, 1, 7], [1, 9, 5], [8, 8, 8], [2, 2, 2]]
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
            page.wait_for_function(f"location.hash.includes('view={view}') === {str(view != 'plane').lower()}")


def test_points_are_drawn_by_hand_and_rubbed_out(browser):
    with mounted(browser, ONE | {"data": "drawn"}) as page:
        expect(page.locator(".brush")).to_contain_text("Draw points of both kinds")
        canvas = page.locator("[data-view=plane] canvas")

        def stroke(*places: tuple[float, float]) -> None:
            box = canvas.bounding_box()  # each time: where a button is below the window, a click scrolls
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


def test_focus_stays_where_another_program_is_chosen(browser):
    with mounted(browser, {"n": 50}) as page:
        page.get_by_text("As PyTorch, and as a link").click()
        page.get_by_role("button", name="PyTorch for B").press("Enter")
        expect(page.get_by_role("button", name="PyTorch for B")).to_be_focused()
        expect(page.get_by_role("button", name="PyTorch for B")).to_have_attribute("aria-pressed", "true")


# --- the same in PyTorch ----------------------------------------------------------------------------------


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """On networks as small as these, several threads wait for one another, longer than they compute."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_program_and_link_of_what_is_shown_can_be_copied(browser):
    setting = {
        "layers": [3],
        "against": [2, 2],
        "hold": "nothing",
        "n": 50,
        "optimiser": ["sgd", "adam"],
        "rate": [0.1, 0.02],
    }
    with mounted(browser, setting) as page:
        page.evaluate("""Object.defineProperty(navigator, "clipboard",
            {value: {writeText: async (text) => { window.copied = text; }}})""")
        page.locator(".program summary").click()
        for name, words in (("A", ["Linear(2, 3)", "SGD", "lr=0.1)"]), ("B", ["Linear(2, 2)", "AdamW", "lr=0.02,"])):
            page.get_by_role("button", name=f"PyTorch for {name}").click()
            page.get_by_role("button", name="Copy the program").click()
            expect(page.get_by_role("button", name="Copied")).to_be_visible()
            assert all(word in page.evaluate("copied") for word in words)
            assert page.locator(".program pre").text_content() == page.evaluate("copied")
        page.get_by_role("button", name="Copy a link").click()
        page.wait_for_function(
            "copied.startsWith('http') && copied.endsWith(location.hash) && copied.includes('rate=0.1,0.02')"
        )


@pytest.mark.parametrize("setting", [
    {"layers": [16], "folds": 1, "rate": 0.03, "batch": 20},
    {"data": "circle", "layers": [8, 8], "init": "default", "noise": 0.2},
    {"data": "rings", "layers": [6, 6, 6], "skips": True, "init": "identity", "activation": "tanh", "gain": 0.5},
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
        const drawn = Array.from({length: 40}, (_, seed) => [...networkOf({...setting, seed}, 0).weights]);
        return [asPyTorch(setting, 0), judge(trainer.network.forward(held.X, held.y.length), held.y).wrong, refused,
            drawn, [...held.X], setting];
    }"""
    program, wrong, refused, weights, places, whole = ask(page, "pytorch", script, setting)
    printed, made = io.StringIO(), {}
    with contextlib.redirect_stdout(printed), one_thread():
        exec(program, made)
        share = float(printed.getvalue().removeprefix("missed of new points: "))
        assert not refused and abs(share - wrong) < 0.06, (share, wrong, program)
        assert len(made["batch"]) == whole["batch"] and made["step"] == whole["steps"] - 1
        how = made["optimiser"].param_groups[0]
        assert [how["lr"], how["weight_decay"]] == [whole["rate"][0], whole["decay"][0]]
        assert type(made["optimiser"]).__name__ == {"adam": "AdamW", "sgd": "SGD"}[whole["optimiser"][0]]
        spread = [np.mean(np.square(one)) for one in (places, made["X_new"].numpy())]
        assert spread[1] == pytest.approx(spread[0], rel=0.06), "other points"
        begun = []
        for seed in range(40):  # the same, before its first step
            again = {}
            exec(re.sub(r"manual_seed\(\d+\)", f"manual_seed({seed})", program).partition("optimiser =")[0], again)
            layers = [(one.weight.data, one.bias if one.bias is None else one.bias.data) for one in again["linear"]]
            begun.append(
                np.concatenate(
                    [part.ravel() for W, b in layers for part in (W, W.new_zeros(len(W)) if b is None else b)]
                )
            )
    at = 0
    for n_in, n_out in itertools.pairwise([2, *whole["layers"], 1]):
        for size in (n_in * n_out, n_out):
            mine, its = (np.array(one)[:, at : at + size] for one in (weights, begun))
            assert np.sqrt(np.mean(its**2)) == pytest.approx(np.sqrt(np.mean(mine**2)), rel=0.25, abs=1e-9), (
                "other weights"
            )
            if n_in == n_out == size**0.5 > 1:
                diagonal = [np.mean(one.reshape(40, n_in, n_in).trace(axis1=1, axis2=2)) / n_in for one in (mine, its)]
                assert diagonal[1] == pytest.approx(diagonal[0], abs=0.15), "other diagonals"
            at += size
    script = """({networkOf}, [setting, weights, X]) => {
        const network = networkOf(setting, 0);
        network.weights.set(weights);
        return [...network.forward(Float64Array.from(X), X.length / 2).slice(0, X.length / 2)];
    }"""
    with torch.no_grad():
        wanted = again["model"](torch.tensor(places[:100]).reshape(-1, 2).float())
    found = ask(page, "serving", script, [whole, begun[-1].tolist(), places[:100]])
    assert np.allclose(found, wanted, atol=1e-5 * max(1, np.abs(found).max())), "another network"
