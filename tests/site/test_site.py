"""The course's site, built as `make site` builds it, in headless Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import axe_playwright_python
import jinja2
import mistune
import nbformat
import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page, Route, expect

from authoring.course import Address, all_pages
from authoring.links import REMINDER, published
from tests import playground
from tests.sites import COMMAND, MIDDLE, NARROW, ROOT, WIDE, module, reader

pytestmark = pytest.mark.slow
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
JUDGED = (
    "index",
    "playground",
    "search",
    "404",
    "notebooks/03_hierarchical_features",
    "exercises/04_depth_efficiency",
    "site/contents",
    "reference/cards",
)
LESSON, KEYS = "notebooks/03_hierarchical_features", "form[data-prediction]"
FORGET = "Forget what I predicted and wrote"
VERDICTS = ", and that is the answer.", ". The answer is"
NOTEBOOKS = [
    page.notebook(folder) for page in all_pages(ROOT) for folder in ("notebooks", "exercises") if folder in page.folders
]
OF_THE_FILE = ("# exercise ", "## When you are done", "Below each check", "`download()`", "(The sliders need")
FORMULA = re.compile(r"\$\$.+?\$\$|(?<![\\$])\$[^$]+?\$", re.DOTALL)
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
ONLY_A_KERNEL = ("check", "download", "feedback", "progress", "show")


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, BeautifulSoup]:
    """The pages by name."""
    return {
        path.relative_to(site).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in site.rglob("*.html")
    }


def test_the_makefile_builds_it_as_here():
    assert f"$(SITE) {' '.join(COMMAND).replace('-W', '-W --keep-going')} -d" in (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.full)])
def test_no_page_complains_or_asks_others_or_scrolls_sideways(site, pages, browser, address, every):
    with reader(browser, address) as page:
        for name in [*pages][::every]:
            page.goto(address + name)
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            for width in (WIDE, MIDDLE, NARROW):
                page.set_viewport_size({"width": width, "height": 900})
                wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert wider <= 0, f"{name} is {wider} px wider than {width}"
    assert len(pages) > len(NOTEBOOKS)


def test_every_link_leads_somewhere(site, pages):
    ids = {name: {one["id"] for one in page.find_all(id=True)} for name, page in pages.items()}
    for name, page in pages.items():
        for tag, attribute in (("a", "href"), ("link", "href"), ("script", "src"), ("img", "src")):
            for one in page.find_all(tag, {attribute: True}):
                link = urlsplit(urljoin(f"http://site/{name}", one[attribute]))
                if link.netloc == "site":
                    target = unquote(link.path).lstrip("/") or "index.html"
                    assert (site / target).is_file(), f"{name}: {one[attribute]}"
                    if link.fragment and target in ids and target != "playground.html":
                        assert unquote(link.fragment) in ids[target], f"{name}: {one[attribute]}"


def test_each_path_leads_to_a_setting_that_the_playground_has(browser, address, pages):
    links = {
        name: link["href"].partition("#")[2]
        for name, page in pages.items()
        if name.startswith("notebooks/")
        for link in page.find_all("a", href=re.compile(r"playground\.html#"))
    }
    held = {name for name, page in pages.items() if page.find(attrs={"data-playground": re.compile("^(?!site$)")})}
    assert {name[10:12] for name in (*links, *held)} == {one.number for one in all_pages(ROOT) if one.number.isdigit()}
    read = """texts => Promise.all([import('./setting.js'), import('./address.js')])
        .then(([{settled}, {fromAddress}]) => texts.flatMap(text => settled(fromAddress(text)).refused))"""
    page = browser.new_page()
    playground.serve(page)
    page.goto(playground.ADDRESS)
    assert page.evaluate(read, list(links.values())) == []
    page.close()


def test_every_prediction_of_a_lesson_is_answered_by_keyboard_and_remembered_and_forgotten(browser, address):
    notebook = nbformat.read(ROOT / f"{LESSON}.ipynb", as_version=4)
    stored = "".join(
        output.get("data", {}).get("text/html", "") for cell in notebook.cells for output in cell.get("outputs", [])
    )
    answers = BeautifulSoup(stored, "html.parser").find_all("ol", {"data-prediction": True})
    with reader(browser, address) as page:
        page.goto(f"{address}{LESSON}.html")
        assert page.locator(KEYS).count() == len(answers) > 5
        for number, answer in enumerate(answers):
            items = answer.find_all("li")
            form = page.locator(f'form[data-prediction="{answer["data-prediction"]}"]')
            chosen = number % len(items)
            form.locator("input").first.focus()
            for _ in range(chosen):
                page.keyboard.press("ArrowDown")
            if chosen == 0:
                page.keyboard.press("Space")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            said = page.locator(f'details[data-answers="{answer["data-prediction"]}"] > .prediction-said')
            expect(said).to_be_visible()
            right = next(item for item in items if item["data-right"] == "yes")
            is_question = form.get_attribute("data-kind") == "answer"
            for item in {items[chosen], right}:
                if not is_question or item is not items[chosen]:  # a question's chosen one stays marked above
                    expect(said).to_contain_text(" ".join(item.find("b").get_text().split()))
                expect(said).to_contain_text(" ".join(item.find("span").get_text().split()))
            verdict = ("Yes.", "No.") if is_question else VERDICTS
            expect(said).to_contain_text(verdict[items[chosen] is not right])
            expect(form.get_by_role("status")).to_have_text("Committed. The answer is open, below.")
        assert page.locator("[data-held]").count() == 0
        page.reload()
        assert page.locator(f"{KEYS}[data-settled]").count() == len(answers) == page.locator(".prediction-said").count()
        assert page.locator(f"{KEYS} input:checked").count() == len(answers)
        assert page.locator(f"{KEYS} input:enabled").count() == page.get_by_text("without yours").count() == 0
        page.on("dialog", lambda dialog: dialog.accept())
        with page.expect_event("load"):
            page.get_by_role("button", name=FORGET).click()
        assert page.locator(f"{KEYS}[data-settled]").count() == page.locator(".prediction-said").count() == 0
        assert page.get_by_role("button", name=FORGET).count() == 0


def test_a_prediction_is_answered_where_the_browser_keeps_something_else_and_no_more(browser, address):
    with reader(browser, address) as page:
        page.add_init_script("""
            Storage.prototype.getItem = key => key === "depth-course-predictions" ? "{" : null;
            Storage.prototype.setItem = key => { if (key === "depth-course-predictions") throw Error("full"); };
        """)
        page.goto(f"{address}{LESSON}.html")
        form = page.locator(KEYS).first
        form.locator("input").first.check()
        form.get_by_role("button", name="Commit").click()
        expect(page.locator(".prediction-said")).to_be_visible()


@pytest.fixture
def with_area(browser, address, notebook_pages) -> Iterator[Page]:
    """A lesson's page with an area for the reader's own words above its first prediction."""
    with reader(browser, address) as page:

        def insert(route: Route) -> None:
            found, first = route.fetch(), "<form data-prediction"
            area = notebook_pages.area("08.answer")
            route.fulfill(response=found, body=found.text().replace(first, area + first, 1))

        page.route(f"**/{LESSON}.html", insert)
        page.goto(f"{address}{LESSON}.html")
        yield page


def test_own_words_are_kept_by_keyboard_and_forgotten(with_area):
    page, text = with_area, "Depth folds.\nIt is harder to train."
    area, status = page.get_by_label("In your own words"), page.locator("[data-words] [role=status]")
    for typed, said in (("", "Write first."), (text, "Kept in this browser. Nothing is sent.")):
        area.press_sequentially(typed)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(status).to_have_text(said)
        area.focus()
    page.keyboard.press("x")
    expect(status).to_be_hidden()
    expect(page.get_by_role("button", name=FORGET)).to_be_visible()
    page.reload()
    expect(area).to_have_value(text)
    page.on("dialog", lambda dialog: dialog.accept())
    with page.expect_event("load"):
        page.get_by_role("button", name=FORGET).click()
    expect(area).to_have_value("")
    assert page.get_by_role("button", name=FORGET).count() == 0


def test_own_words_are_not_said_to_be_kept_where_the_browser_keeps_nothing(with_area):
    with_area.evaluate("Storage.prototype.setItem = () => { throw Error('full'); }; 0")
    with_area.get_by_label("In your own words").fill("Depth folds.")
    with_area.get_by_role("button", name="Keep").click()
    expect(with_area.locator("[data-words] [role=status]")).to_contain_text("Nothing is kept here")


@pytest.mark.parametrize("button", ["Keep", "Read on without writing"])
def test_the_courses_answer_waits_for_the_readers_own_words(browser, address, button):
    with reader(browser, address) as page:
        page.goto(f"{address}notebooks/08_design_studio.html")
        page.evaluate("() => document.querySelectorAll('details[data-answers]').forEach((one) => (one.open = true))")
        answer = page.get_by_text("Depth buys composition.")
        expect(page.get_by_label("In your own words")).to_be_visible()
        expect(answer).to_be_hidden()
        page.get_by_role("button", name="Keep").click()  # nothing is written yet
        expect(answer).to_be_hidden()
        if button == "Keep":
            page.get_by_label("In your own words").fill("Depth folds.")
        page.get_by_role("button", name=button).click()
        expect(answer).to_be_visible()
        page.reload()
        if button == "Keep":
            expect(answer).to_be_visible()
        else:
            expect(answer).to_be_hidden()


LESSONS = [f"notebooks/{page.stem}" for page in all_pages(ROOT) if "exercises" in page.folders]
# What of a page can be read: its words, without those of choices and of closed answers.
READABLE = """() => [...document.querySelectorAll('article *')].filter(one => one.checkVisibility())
    .flatMap(one => [...one.childNodes]).filter(one => one.nodeType === 3).map(one => one.textContent).join(' ')"""
NEXT = """() => [...document.querySelectorAll('details[data-answers]:not([data-opened])')]
    .find(one => one.checkVisibility())?.dataset.answers"""


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_would_give_an_answer_away_waits_until_it_is_open(browser, address, lesson):
    with reader(browser, address) as page:
        page.goto(f"{address}{lesson}.html")
        stray = "[...document.querySelectorAll('article section')].some(one => [...one.childNodes]"
        assert not page.evaluate(f"{stray}.some(node => node.nodeType === 3 && node.textContent.trim()))")
        for answer in page.locator("details[data-answers]").all():
            if answer.is_visible() and not answer.evaluate("one => one.closest('.asked')"):
                after = "one => { while (one.parentElement.tagName !== 'SECTION') one = one.parentElement;"
                after += " for (const all = []; ; all.push(one.checkVisibility()))"
                after += " if (!(one = one.nextElementSibling)) return all.some(Boolean); }"
                assert not answer.evaluate(after)
                assert not answer.evaluate(
                    "one => [...one.parentElement.children].some(other => other !== one && "
                    "one.parentElement.matches('.output') && other.checkVisibility())"
                )
        before = page.evaluate(READABLE)
        while key := page.evaluate(NEXT):
            answer = page.locator(f'details[data-answers="{key}"]')
            answer.locator("> summary").click()
            expect(answer).to_have_attribute("data-opened", "")
        for skip in page.get_by_role("button", name="Read on without writing").all():
            skip.click()
        expect(page.locator("[data-held]")).to_have_count(0)
        assert len(page.evaluate(READABLE)) > len(before)


@pytest.mark.parametrize("by", ["an address", "a link on the page"])
def test_what_a_link_leads_to_does_not_wait(browser, address, by):
    url = f"{address}notebooks/04_depth_efficiency.html"
    with reader(browser, address) as page:
        page.goto(url)
        name = page.locator("[data-held] [id^=cell-], [data-held][id^=cell-]").first.get_attribute("id")
        if by == "an address":
            page.goto("about:blank")
            page.goto(f"{url}#{name}")
        else:
            page.evaluate("name => { location.hash = name; }", name)
        held = page.locator(f"[data-held] #{name}, [data-held]#{name}")
        expect(held).to_have_count(0)
        expect(page.locator(f"#{name} + *")).to_be_in_viewport()


def prose(path: Path) -> list[str]:
    """Return the text cells of a notebook that the site shows."""
    notebook = nbformat.read(path, as_version=4)
    return [
        cell.source
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        and "links" not in cell.metadata.get("tags", ())
        and not cell.source.startswith(OF_THE_FILE)
    ]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_page_says_what_its_notebook_says(pages, notebook_pages, path):
    page = pages[f"{path.parent.name}/{path.stem}.html"].find("article")
    of_cells = (notebook_pages.RUN_IT, f" · {REMINDER}")  # which a page has none of
    texts = [text.replace(of_cells[0], "").replace(of_cells[1], "") for text in prose(path)]
    formulas = [found for text in texts for found in FORMULA.findall(CODE.sub("", text))]
    displayed = [found.startswith("$$") for found in formulas]
    assert [formula["display"] == "block" for formula in page.find_all("math")] == displayed
    for formula in page.find_all("math"):
        formula.extract()
    shown, at = words(page.get_text(" ")), 0
    for text in texts:
        if text.startswith("**Now the exercises**"):
            text = text.partition("leave.")[2]
        rendered = mistune.html(CODE.sub(" ", FORMULA.sub(" ", text)))
        for word in words(BeautifulSoup(rendered, "html.parser").get_text(" ")):
            try:
                at = shown.index(word, at) + 1
            except ValueError:
                pytest.fail(f"{word!r} is missing after {' '.join(shown[max(0, at - 12) : at])!r}")


def images(text: str) -> list[tuple[str, str]]:
    """Return the words and the contents of the images in HTML."""
    return [(image["alt"], image["src"]) for image in BeautifulSoup(text, "html.parser").find_all("img")]


def shown(path: Path) -> Iterator[tuple]:
    """Yield what a page of this notebook shows, in order: texts by their cells, code and whether it is folded, what was
    printed, and images.
    """
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            if "links" not in cell.metadata.get("tags", ()) and not cell.source.startswith(OF_THE_FILE):
                yield "text", f"cell-{cell.id}"
            yield from (("code", found.rstrip("\n"), False) for found in BLOCK.findall(cell.source))
            continue
        if cell.source.startswith("# set-up: finds the course's code"):
            continue
        called = {line.partition("(")[0] for line in cell.source.splitlines() if re.match(r"\w|[@#]", line)}
        if not called <= {*ONLY_A_KERNEL, "ask", "predict", "own_words"}:
            is_plain = "idea" in cell.metadata.get("tags", ()) or cell.source.startswith("# exercise")
            is_plain = is_plain or "# your turn" in cell.source
            yield "code", cell.source, not is_plain
        elif called != {"ask"}:
            continue
        for output in cell.outputs:
            data = output.get("data", {})
            if output.output_type == "stream":
                printed = re.sub("Not yet: .*\nThe page goes on with .*\n|Run this cell, .*", "", output.text).rstrip()
                if printed and not printed.startswith("Without buttons: "):
                    yield "printed", printed
            elif "text/html" in data:
                yield from (("image", *one) for one in images(data["text/html"]))
            else:
                content = "".join(data["image/png"].split())
                yield "image", data["text/plain"], f"data:image/png;base64,{content}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_page_shows_what_its_notebook_shows_in_its_order(pages, path):
    page, found = pages[f"{path.parent.name}/{path.stem}.html"].find("article"), []
    for one in page.select("[id^=cell-], .highlight > pre, .output > pre, img"):
        if one.name == "img":
            found.append(("image", one["alt"], one["src"]))
        elif one.name != "pre":
            found.append(("text", one["id"]))
        elif "output" in one.parent["class"]:
            found.append(("printed", one.get_text()))
        else:
            is_folded = one.find_parent("details", class_="plumbing") is not None
            found.append(("code", one.get_text().rstrip("\n"), is_folded))
    assert found == list(shown(path))


def test_every_question_has_buttons_with_its_choices_and_its_answer(pages):
    for name, page in pages.items():
        answered = {
            one["data-prediction"]: [choice.get_text() for choice in one.select("li > b")]
            for one in page.select("ol[data-prediction]")
        }
        forms = {
            one["data-prediction"]: [label.get_text() for label in one.select("label")] for one in page.select(KEYS)
        }
        assert list(forms.items()) == list(answered.items()), name
        assert [one["data-answers"] for one in page.select("[data-answers]")] == list(forms), name


def test_a_question_below_code_has_its_buttons_where_nothing_was_printed(notebook_pages):
    said = {"output_type": "stream", "text": "Without buttons: so.\n  1  yes\n"}
    cell = {"metadata": {}, "outputs": [said]}
    code, below = notebook_pages._code(cell, 'x = 1\npredict("01.x")', {"01.x": ["yes", "no"]}, "", {})
    assert "x = 1" in code and below.count("<label>") == 2 and "output" not in below


def test_an_answer_in_own_words_has_an_area_and_nothing_of_its_code(notebook_pages):
    said = {"output_type": "stream", "text": "Without buttons: so.\n"}
    (shown,) = notebook_pages._code({"metadata": {}, "outputs": [said]}, 'own_words("08.answer")', {}, "", {})
    form = BeautifulSoup(shown, "html.parser").find("form", {"data-words": "08.answer"})
    assert form.label.textarea and form.button.has_attr("disabled") and "own_words" not in shown and "so." not in shown


def test_what_only_a_kernel_can_do_is_not_shown(pages):
    for name, page in pages.items():
        if name.startswith(("notebooks/", "exercises/")):
            said = page.find("article").get_text()
            for only in ("Without buttons", "Not yet:", "When solved:", "feedback(", 'check("', "close the page"):
                assert only not in said, f"{name}: {only}"
            what = "Write your answers" if name.startswith("exercises/") else "the notebook as a page"
            assert what in said and "in the notebook" in [one.get_text() for one in page.select("article em a")], name


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        *((name, "light") for name in JUDGED),
        *(pytest.param(name, "dark", marks=[] if name == LESSON else [pytest.mark.full]) for name in JUDGED),
    ],
)
def test_axe_finds_nothing(browser, address, name, scheme):
    with reader(browser, address, color_scheme=scheme) as page:
        page.goto(f"{address}{name}.html")
        page.evaluate(AXE + "; 0")
        found = page.evaluate("axe.run()")["violations"]
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []


def test_landmarks_have_names_and_long_formulas_can_be_moved_by_keyboard(pages):
    for name, page in pages.items():  # axe sees neither where one of two has a name, or where a formula fits
        assert all(one.get("aria-label") for one in page.find_all("aside")), name
        assert all(one.get("tabindex") == "0" for one in page.select(".formula")), name


def test_search_finds_a_term(browser, address):
    with reader(browser, address) as page:
        page.goto(f"{address}{LESSON}.html")
        page.get_by_role("textbox", name="Search").fill("orthogonal")
        page.keyboard.press("Enter")
        found = page.locator("#search-results a[href*='notebooks/06_initialization']").first
        expect(found).to_be_visible()


def test_each_cell_of_a_narrow_table_names_its_own_column(browser, address):
    """Of the ledger, too, whose first column has no name."""
    with reader(browser, address) as page:
        page.goto(f"{address}notebooks/08_design_studio.html")
        tables = page.eval_on_selector_all(
            "article table:has(thead)",
            """(tables) => tables.map((table) => [
                [...table.querySelector("thead tr").children].map((one) => one.textContent.trim()),
                [...table.querySelectorAll("tbody tr")].map((row) => [...row.children].map((one) => [
                    one.textContent.trim(), one.dataset.label ?? ""])),
            ])""",
        )
    assert any(names[0] == "" for names, _ in tables)
    for names, rows in tables:
        for row in rows:
            labels = [
                name if text and place else "" for place, (name, (text, _)) in enumerate(zip(names, row, strict=True))
            ]
            assert [label for _, label in row] == labels


def test_code_can_be_copied(browser, address):
    with reader(browser, address, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(f"{address}{LESSON}.html")
        code = page.locator("div.highlight pre:visible").first
        code.hover()
        code.locator("xpath=..").get_by_role("button", name="Copy").click()
        expect(page.get_by_role("button", name="Copied!").first).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()").strip() == code.inner_text().strip()


@pytest.mark.parametrize("opened", ["served", "as a file"])
@pytest.mark.parametrize("name", ["index", "playground"])
def test_the_playground_trains_in_a_worker_on_its_page_and_by_a_bet_on_the_landing_page(
    browser, site, address, name, opened
):
    place = address if opened == "served" else f"{site.as_uri()}/"
    with reader(browser, place) as page:
        page.goto(f"{place}{name}.html#data=spirals&layers=7-5&against=none")
        begin = page.locator(".bet button" if name == "index" else ".train").first
        expect(begin).to_be_visible()
        page.wait_for_function("!document.querySelector('.train').disabled")
        assert len(page.workers) == 1 and page.locator("#playground > *").count() == 1
        begin.click()
        page.wait_for_function("parseInt(document.querySelector('.steps').textContent.replace(',', '')) > 50")
        assert page.locator(".large canvas").count() == (2 if name == "index" else 1)


def test_a_word_of_the_playground_leads_to_its_place_in_the_glossary(browser, address):
    with reader(browser, address) as page:
        page.goto(f"{address}playground.html")
        page.locator(".fields a", has_text="learning rate").first.click()
        expect(page.locator("td:has(:target)").first).to_have_text("learning rate")


@pytest.mark.parametrize("name", ["index", "playground"])
def test_where_scripts_do_not_run_a_picture_of_the_playground_is_there(browser, address, name):
    with reader(browser, address, java_script_enabled=False) as page:
        page.goto(f"{address}{name}.html")
        expect(page.get_by_role("img", name="Two networks that have learnt a chessboard")).to_be_visible()
        sentence = page.locator("#playground p")
        expect(sentence).to_be_visible()
        assert "a picture of the playground, which needs JavaScript" in sentence.inner_text()
        assert page.locator("canvas").count() == page.get_by_text("loading").count() == 0
        page.locator("#playground a").click()
        expect(page.locator("#lessons li a").first).to_be_in_viewport()


@pytest.mark.parametrize("name", ["index", "playground"])
def test_while_the_playground_is_on_its_way_the_page_says_so_and_loads_no_picture(browser, address, name):
    with reader(browser, address) as page:
        asked, held = [], []
        page.on("request", lambda one: asked.append(urlsplit(one.url).path))
        page.route("**/playground.js", lambda route: held.append(route))
        page.goto(f"{address}{name}.html", wait_until="commit")
        expect(page.locator("#playground")).to_have_text("The playground is loading …", use_inner_text=True)
        assert page.evaluate("document.readyState") == "loading", "the script came"
        held.pop().continue_()
        expect(page.locator(".bet button" if name == "index" else ".train").first).to_be_enabled()
        expect(page.get_by_text("The playground is loading")).to_have_count(0)
        page.wait_for_load_state()
        assert [one for one in asked if one.endswith(".png")] == []
        assert [one for one in asked if one.endswith(".js")] == ["/_static/playground.js"], "one script"


BROKEN = {"nothing": "did not arrive. Reload", "a script that it cannot read": "does not run in this browser"}


@pytest.mark.parametrize("came", BROKEN)
def test_a_playground_that_does_not_come_is_said_with_the_way_to_the_lessons(browser, address, came):
    page = browser.new_page()
    page.route(
        "**/playground.js", lambda route: route.abort() if came == "nothing" else route.fulfill(body="const a =")
    )
    page.goto(f"{address}index.html")
    expect(page.locator("#playground")).to_contain_text(BROKEN[came])
    expect(page.locator("#playground")).not_to_contain_text(BROKEN["nothing" if came != "nothing" else [*BROKEN][1]])
    page.locator("#playground a").click()
    expect(page.locator("#lessons li a").first).to_be_in_viewport()
    page.close()


def test_the_landing_page_says_of_lessons_and_claims_what_the_readme_and_the_claims_say(pages):
    landing = pages["index.html"]
    rows = re.findall(r"^\| (\d\d .*?) \|(.*?)\|(.*?)\|(.*?)\|$", (ROOT / "README.md").read_text(), re.MULTILINE)
    wanted = []
    for name, *cells in rows:
        path, exercises = (re.search(r"\), (\d+ min.*\S|\d+ min)", cell)[1] for cell in cells[:2])
        excursions = re.findall(r"\]\((notebooks/\w+)\.ipynb\)[^;]*?, (\d+) min", cells[2])
        titles = [pages[f"{one}.html"].find("h1").get_text().split(" ", 1)[1].rstrip("¶") for one, _ in excursions]
        further = "; ".join(f"{title}, {time} min" for title, (_, time) in zip(titles, excursions, strict=True))
        wanted.append(f"{name} {path} to read and run; exercises, {exercises}. Going further: {further}.")
    assert [" ".join(one.get_text().split()) for one in landing.select("#lessons li")] == wanted
    assert {one["href"] for one in landing.select("#lessons li a")} == {
        f"{path.parent.name}/{path.stem}.html" for path in NOTEBOOKS
    }
    measured = [row.find_all("td")[2] for row in pages["reference/claims.html"].select("tbody > tr")]
    still_open = sum("open" in [word.get_text() for word in one.find_all("strong")] for one in measured)
    said = " ".join(landing.get_text().split())
    for one in (f": {len(measured)} claims, with", f"All {len(measured)} claims, with", f"; {still_open} are open: "):
        assert one in said


def test_every_page_leads_home(pages):
    for name, page in pages.items():
        links = page.select("a.sidebar-brand, nav[aria-label='the course'] > a:first-child")
        assert {urlsplit(urljoin(f"http://site/{name}", one["href"])).path for one in links} == {"/index.html"}, name


def test_what_a_reader_loads_is_small(site, pages):
    def weight(name: str) -> int:
        page = pages[name]
        links = [one["href"] for one in page.find_all("link", rel="stylesheet")]
        links += [one["src"] for one in page.find_all("script", src=True)]
        paths = {site / urlsplit(urljoin(f"http://site/{name}", link)).path.lstrip("/") for link in links}
        return sum(path.stat().st_size for path in {site / name, *paths})

    assert weight("index.html") < 300_000
    assert max(map(weight, (name for name in pages if name.startswith("notebooks/")))) < 1_500_000
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < 40_000_000


@pytest.mark.parametrize("where", [None, Address("https://github.com/owner/name", "v1.0.0")])
def test_pages_link_to_colab_where_there_is_an_address(notebook_pages, where):
    notebook = json.loads((ROOT / f"{LESSON}.ipynb").read_text(encoding="utf-8"))
    text = notebook_pages.page(notebook, LESSON, [LESSON.split("/")[1]], str, where, False)
    link = f"https://colab.research.google.com/github/owner/name/blob/v1.0.0/{LESSON}.ipynb"
    assert text.count(link) == (3 if where else 0) and text.count("open it in Colab") == (2 if where else 0)
    assert ("colab.research" in text) == bool(where)
    assert text.count(">A picture of it. Move it in the notebook") == 2


@pytest.mark.parametrize("where", [None, Address("https://github.com/Owner/name", "v1.0.0")])
def test_the_landing_page_leads_to_colab_and_the_source_where_there_is_an_address(where):
    context = {"around": module("around").cited(ROOT, where), "pathto": lambda path, *_: path}
    module("landing")._fill(ROOT, where, False, None, "index", "landing.html", context, None)
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(ROOT / "site/templates"))
    text = templates.get_template("landing.html").render(context, project="a course")
    first = "https://colab.research.google.com/github/Owner/name/blob/v1.0.0/notebooks/01_universal_approximation.ipynb"
    for link in (
        f'href="{first}"',
        'href="https://github.com/Owner/name"',
        'content="https://owner.github.io/name/_static/film.png"',
    ):
        assert (link in text) == bool(where)
    assert ("https://" in text) == bool(where) != ('href="site/start.html"' in text)


def test_links_lead_to_pages_or_to_the_public_address_or_are_names(notebook_pages):
    text = "[a](../exercises/01_x.ipynb#cell-id=7) [b](../README.md) [c](../LICENSE) [d](#here) [e](https://x.org)"
    known = {"exercises/01_x"}
    for where, licence in (
        (None, "c"),
        (Address("https://github.com/o/n", "v1"), "[c](https://github.com/o/n/blob/v1/LICENSE)"),
    ):
        linked = notebook_pages.with_links(text, folder="notebooks", at="notebooks", known=known, where=where)
        assert linked == (
            f"[a](../exercises/01_x.html#cell-7) [b](../index.html) {licence} [d](#here) [e](https://x.org)"
        )


@pytest.mark.parametrize("where", [None, Address("https://github.com/owner/name", "v1.0.0")])
def test_what_a_page_corrects_stands_at_its_end_and_leads_to_the_errata_here(notebook_pages, where):
    foot = "Next: [lesson 04](04_a.ipynb)\n\nCorrected on this page: [A](../reference/errata.md#a)."
    tags = {"metadata": {"tags": [notebook_pages.TAG]}, "cell_type": "markdown", "id": "z"}
    notebook = {"cells": [{**tags, "source": published(foot, "notebooks", where)}]}
    text = notebook_pages.page(notebook, LESSON, [LESSON.split("/")[1]], str, where, False)
    assert "Corrected on this page: [A](../reference/errata.md#a)." in text and "Next" not in text


def test_a_section_of_the_readme_that_is_gone_is_named(notebook_pages):
    with pytest.raises(ValueError, match="no section 'Stop'"):
        notebook_pages.section("## Start\n\nhere\n", "Stop")
