"""How a reader finds something: words of the glossary in pages' prose, and the search."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup, NavigableString
from playwright.sync_api import expect

from tests.sites import ROOT, reader

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, BeautifulSoup]:
    """The pages by name."""
    return {
        path.relative_to(site).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in site.rglob("*.html")
    }


NO_PROSE = ["h1", "h2", "h3", "h4", "code", "pre", "math", "table", "form", "details"]


def prose(article: BeautifulSoup) -> list[NavigableString]:
    """Return a page's texts in unfolded prose, without those of links to anything but words."""
    return [
        text
        for text in article.find_all(string=True)
        if not any(one.name == "a" and "word" not in one.get("class", ()) for one in text.parents)
        and text.find_parent(NO_PROSE) is None
        and not any({"output", "asked"} & set(one.get("class", ())) for one in text.parents)
    ]


def test_a_lessons_page_links_each_word_once_where_it_first_stands_in_prose(pages):
    text = (ROOT / "reference/glossary.md").read_text(encoding="utf-8")
    anchors = {anchor: word for anchor, word in re.findall(r'^\| <a id="(.*?)"></a>\*\*(.*?)\*\*', text, re.MULTILINE)}
    linked = {}
    for name, page in pages.items():
        found = page.select("a.word")
        assert not found or name.startswith("notebooks/"), name
        words = [anchors[one["href"].partition("#")[2]] for one in found]
        assert len(set(words)) == len(words), name
        texts = prose(page.find("article")) if found else []
        inside = [one for text in texts for one in text.parents if one.name == "a"]
        assert {id(one) for one in found} <= {id(one) for one in inside}, name
        for word, one in zip(words, found, strict=True):
            assert one.get_text().lower().replace("’", "'").startswith(word.lower()), (name, word)
            linked.setdefault(word, []).append(name)
    assert 150 < sum(map(len, linked.values())) < 400
    for lesson, word in (
        ("02_depth_vs_width", "tent"),
        ("05_teacher_student_chaos", "length"),
        ("07_when_depth_hurts", "game"),
    ):
        assert f"notebooks/{lesson}.html" in linked[word]
    assert "notebooks/02_depth_vs_width.html" not in linked.get("width", ())
    assert not any("01a_" in name for name in linked.get("rate", ()))  # there it is a series' rate


@pytest.mark.parametrize("word", ["tent", "swirl", "crease", "Adam", "overfitting", "He's weights"])
def test_no_use_of_a_word_in_prose_stands_before_its_link(pages, word):
    form = re.compile(rf"(?<![\w-]){re.escape(word).replace(chr(39), '.')}(?:e?s)?(?![\w-])", re.ASCII)
    seen = 0
    for name, page in pages.items():
        if name.startswith("notebooks/"):
            uses = [
                text
                for text in prose(page.find("article"))
                if form.search(text) or form.search(text[:1].lower() + text[1:])
            ]
            if uses:
                assert uses[0].parent.name == "a" and "word" in uses[0].parent["class"], (name, uses[0])
                seen += 1
    assert seen


@pytest.mark.parametrize(
    ("asked", "found", "place"),
    [
        ("He", "He's weights", f"reference/glossary.html#{'he-weights'}"),
        ("learning rate", "learning rate", "reference/glossary.html#learning-rate"),
        ("initialization", "initialisation", "reference/glossary.html#initialisation"),
        ("04.2", "Exercise 04.2", "exercises/04_depth_efficiency.html#"),
        ("exercise 08.10", "Exercise 08.10", "exercises/08_design_studio.html#"),
    ],
)
def test_the_search_finds_first_a_word_of_the_glossary_and_an_exercise_by_its_number(
    browser, address, asked, found, place
):
    with reader(browser, address) as page:
        page.goto(f"{address}index.html")
        page.goto(f"{address}search.html?q={asked}")
        first = page.locator("#search-results li a").first
        expect(first).to_contain_text(found)
        assert first.get_attribute("href").startswith(place)
        summary = page.locator(".search-summary")
        expect(summary).to_contain_text("finished")
        number = re.search(r"found (\w+) page", summary.inner_text())[1].replace("one", "1")
        expect(page.locator("#search-results li")).to_have_count(int(number))
        first.click()
        name = urlsplit(page.url).fragment
        expect(page.locator(f'[id="{name}"]').locator("xpath=..")).to_be_in_viewport()
        if asked == "He":
            assert page.locator(".highlighted").count() == 0  # in each "the"


def test_a_search_finds_nothing_first_that_was_not_asked_for(browser, address):
    with reader(browser, address) as page:
        for asked in ("04.99", "e", "zebra"):
            page.goto(f"{address}search.html?q={asked}")
            expect(page.locator("#search-results h2")).to_have_text("Search Results")
            assert page.locator("#search-results .kind-title").count() == 0, asked
