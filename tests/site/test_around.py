"""What is around the site's pages: who made them, what they say of themselves, and who reaches what."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from types import ModuleType, SimpleNamespace
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

import jinja2
import pytest
import yaml
from bs4 import BeautifulSoup
from PIL import Image
from playwright.sync_api import expect

from authoring.course import Address, all_lessons
from authoring.handout import write_handout
from tests.sites import NARROW, ROOT, WIDE, module, reader, serving

pytestmark = pytest.mark.slow
WHERE = Address("https://github.com/Owner/name", "v1.0.0")
SITE = "https://owner.github.io/name/"
CARDS = "reference/cards.html"
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
# Elements that can be moved sideways or down, and that a keyboard does not reach.
UNREACHED = """() => [...document.querySelectorAll('article *, main *')].filter(one => one.checkVisibility()
    && (/auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth
        || /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1)
    && one.tabIndex < 0 && !one.querySelector('textarea, a, button, input, summary'))
    .map(one => one.outerHTML.slice(0, 120))"""
STOPS = "() => [...document.querySelectorAll('article :is(pre, div)[tabindex=\"0\"]')].filter(one =>" + (
    " one.checkVisibility() && one.scrollWidth <= one.clientWidth).map(one => one.outerHTML.slice(0, 120))"
)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, BeautifulSoup]:
    """The pages by name."""
    return {
        path.relative_to(site).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in site.rglob("*.html")
    }


@pytest.fixture(scope="module")
def around() -> ModuleType:
    return module("around")


def content(page: BeautifulSoup, **named: str) -> str | None:
    """Return what a meta element of a page says."""
    found = page.find_all("meta", named)
    assert len(found) <= 1, named
    return found[0]["content"] if found else None


def test_every_page_says_what_it_is(pages):
    said = {}
    for name, page in pages.items():
        title = content(page, property="og:title")
        heading = page.find("h1").get_text().rstrip("¶")
        if name not in ("index.html", "playground.html"):
            assert " ".join(title.split()) == " ".join(heading.split()), name
        said[name] = content(page, name="description")
        assert content(page, property="og:description") == said[name], name
        assert 20 <= len(said[name]) <= 210 and said[name][-1] in ".?!:…”", (name, said[name])
    lessons = [text for name, text in said.items() if name.startswith("notebooks/")]
    assert len(set(lessons)) == len(lessons) and not any("notebook as a page" in text for text in lessons)


def test_a_description_ends_with_a_sentence_or_says_that_it_goes_on(around):
    assert around._first("One. " + "Two is long. " * 20) == "One. " + " ".join(["Two is long."] * 15)
    assert around._first("word, " * 60) == f"{'word, ' * 32}word …"


def test_icons_are_what_their_links_say(site, pages, browser):
    drawn = site / "_static/icon.svg"
    page = browser.new_page(viewport={"width": 32, "height": 32})
    page.set_content(f"<style>* {{ margin: 0 }} svg {{ display: block }}</style>{drawn.read_text()}")
    wanted = Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")
    page.close()
    assert Image.open(site / "_static/icon-32.png").convert("RGBA").tobytes() == wanted.tobytes()
    touch = Image.open(site / "_static/icon-180.png").convert("RGBA")
    assert touch.size == (180, 180) and touch.getextrema()[3] == (
        255,
        255,
    )  # where it is seen through, phones draw black
    for name, one in pages.items():
        assert {link["href"].rpartition("/")[2] for link in one.find_all("link", rel="icon")} == {
            "icon-32.png",
            "icon.svg",
        }, name
        assert one.find("link", rel="apple-touch-icon")["href"].endswith("_static/icon-180.png"), name
    assert sum((site / f"_static/icon-{size}.png").stat().st_size for size in (32, 180)) < 1000


def test_who_made_it_stands_below_every_page(site, pages):
    for name, page in pages.items():
        if name == CARDS:
            continue
        (made,) = page.select("footer .made")
        said = " ".join(made.get_text().split())
        for one in (*(author["name"] for author in CITED["authors"]), CITED["version"], f"{CITED['license']} licence"):
            assert one in said, name
        (licence,) = (urlsplit(urljoin(f"http://site/{name}", link["href"])).path for link in made.find_all("a"))
        assert (site / licence.lstrip("/")).read_bytes() == (ROOT / "LICENSE").read_bytes(), name


def test_nothing_names_an_address_that_there_is_not(site, pages):
    assert not (site / "sitemap.xml").exists() and "Sitemap" not in (site / "robots.txt").read_text()
    for name, page in pages.items():
        assert content(page, property="og:image") is content(page, property="og:url") is None, name
        assert not page.select("link[rel=canonical], .made a[href^=http]"), name


def finished(around: ModuleType, out: Path, docs: set[str]) -> Path:
    """Return the folder of what is written beside the pages ``docs`` of a published site."""
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(ROOT / "site/templates"))
    render = SimpleNamespace(render=lambda name, context: templates.get_template(name).render(context))
    (out / "reference").mkdir(parents=True)
    app = SimpleNamespace(outdir=out, builder=SimpleNamespace(templates=render), env=SimpleNamespace(found_docs=docs))
    around._finish(ROOT, WHERE, around.cited(ROOT, WHERE), app, None)
    return out


def test_with_an_address_pages_name_themselves_a_picture_and_whom_to_ask(around, pages, tmp_path):
    other = {"index.html", "playground.html", "404.html", "search.html", CARDS}
    out = finished(around, tmp_path, {name.removesuffix(".html") for name in pages.keys() - other})
    listed = [one.text for one in ElementTree.parse(out / "sitemap.xml").iterfind(".//{*}loc")]
    wanted = {name for name in pages if name not in ("404.html", "search.html", "index.html")} | {""}
    assert sorted(listed) == sorted(f"{SITE}{name}" for name in wanted)
    assert f"Sitemap: {SITE}sitemap.xml" in (out / "robots.txt").read_text().splitlines()
    cards = BeautifulSoup((out / CARDS).read_text(encoding="utf-8"), "html.parser")
    assert content(cards, property="og:url") == f"{SITE}{CARDS}"
    assert content(cards, property="og:image") == f"{SITE}_static/film.png"
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(ROOT / "site/templates"))
    foot = templates.get_template("foot.html").render(around=around.cited(ROOT, WHERE), pathto=lambda path, *_: path)
    assert 'href="https://github.com/Owner/name/issues"' in foot


@pytest.mark.parametrize("base", ["", "name/"])
def test_wherever_a_page_is_missing_another_says_so_and_leads_on(around, browser, site, tmp_path, base):
    """As GitHub shows it: at the address that is missing, of a site that lies in a folder, or in none."""
    text = (site / "404.html").read_text(encoding="utf-8")
    if base:
        assert text.count('<base href="/">') == 1
        text = text.replace('<base href="/">', f'<base href="{around.cited(ROOT, WHERE)["base"]}">')
        (tmp_path / "name").symlink_to(site)
    with serving(tmp_path if base else site) as address, reader(browser, address) as page:
        page.route("**/gone.html", lambda route: route.fulfill(body=text, content_type="text/html"))
        page.goto(f"{address}{base}deep/down/gone.html")
        assert page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") == "1220px"
        links = page.eval_on_selector_all("a, link, script[src]", "all => all.map(one => one.href || one.src)")
        assert len(links) >= 8
        for link in links:
            assert link.startswith(address + base), link
            assert (site / urlsplit(link).path.removeprefix(f"/{base}").lstrip("/")).is_file(), link
        page.get_by_role("searchbox").fill("orthogonal")
        page.get_by_role("button", name="Search").click()
        expect(page.locator("#search-results li").first).to_be_visible()


def test_the_handout_is_there_for_whoever_gets_the_notebooks(site, pages, tmp_path):
    here = pages["site/start.html"]
    (link,) = here.select("article a[href$='.zip']")
    packed = site / urlsplit(urljoin("http://site/site/start.html", link["href"])).path.lstrip("/")
    assert packed.read_bytes() == write_handout(ROOT, tmp_path / "course.zip").read_bytes()
    said = here.find("article").get_text()
    assert f"({packed.stat().st_size / 1e6:.1f} MB)" in said
    makefile = zipfile.ZipFile(packed).read("depth-course/Makefile").decode()
    for target in re.findall(r"\bmake (\w+)", said):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_each_lesson_is_opened_in_colab_where_there_is_an_address(around):
    stems = [one.stem for one in all_lessons(ROOT)]
    said = around.get_it(WHERE, stems[::-1], 6_400_000)
    links = re.findall(
        r"\[(\d\d)\]\(https://colab\.research\.google\.com/github/Owner/name/blob/v1\.0\.0/(.*?)\)", said
    )
    assert links == [(stem[:2], f"notebooks/{stem}.ipynb") for stem in stems]
    assert "git clone -b v1.0.0 https://github.com/Owner/name`" in said and "../depth-course.zip" in said
    assert "http" not in around.get_it(None, stems, 1)


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_what_can_be_moved_is_reached_by_keyboard(browser, address, width):
    with reader(browser, address) as page:
        page.set_viewport_size({"width": width, "height": 800})
        for name in ("notebooks/01_universal_approximation", "notebooks/06_initialization", "grading/README", "index"):
            page.goto(f"{address}{name}.html")
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            page.wait_for_function(f"({UNREACHED})().length === 0", timeout=3000)
            assert page.evaluate(STOPS) == [], name


ROLES = {"header": "banner", "nav": "navigation", "aside": "complementary", "main": "main", "footer": "contentinfo"}


def test_landmarks_differ_by_their_names(pages):
    for name, page in pages.items():
        marks = [(ROLES[one.name], one.get("aria-label")) for one in page.find_all([*ROLES])]
        marks += [(one["role"], one.get("aria-label")) for one in page.select("[role=search], [role=main]")]
        marks += [
            ("region", one["aria-label"]) for one in page.select("section[aria-label], form[aria-label]:not([role])")
        ]
        assert len(set(marks)) == len(marks) and ("main", None) in marks, (name, sorted(map(str, marks)))


@pytest.mark.parametrize(
    ("chosen", "scheme", "is_dark"),
    [(None, "dark", True), (None, "light", False), ("light", "dark", False), ("dark", "light", True)],
)
def test_cards_are_dark_where_the_pages_are_and_never_on_paper(browser, address, chosen, scheme, is_dark):
    with reader(browser, address, color_scheme=scheme) as page:
        page.goto(f"{address}index.html")
        page.evaluate("theme => theme && localStorage.setItem('theme', theme)", chosen)
        page.goto(f"{address}{CARDS}")
        for media in ("screen", "print"):
            page.emulate_media(media=media, color_scheme=scheme)
            colour = page.evaluate("""() => { const one = document.body.appendChild(document.createElement('p'));
                one.style.backgroundColor = 'Canvas'; return getComputedStyle(one).backgroundColor; }""")
            lightness = sum(map(int, re.findall(r"\d+", colour)[:3])) / 3
            assert (lightness < 60) == (is_dark and media == "screen"), (media, colour)
        expect(page.get_by_role("navigation")).to_be_hidden()  # on paper
