"""reference/: its links lead somewhere, it has all claims, letters and proofs, and what is not so is found."""

from __future__ import annotations

import inspect
import json
import math
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import numpy as np
import pytest
import torch

from authoring import building, by_hand, checking, errata, literature, reference
from authoring.course import Lesson, Page, all_pages
from authoring.diagnostics import AuthoringError, Diagnostic
from authoring.links import around
from claims.checking import all_claims
from tests.authoring import courses
from tests.authoring.browser import chromium, needs_chromium
from utils.lesson_04 import boards
from utils.models import count_parameters, mlp

PAGES = ("glossary.md", "theorems.md", "claims.md", "errata.md", "literature.md", *by_hand.PAGES)
CITED = re.compile(r"\[([^\]]*)\]\((?:\.\./reference/)?literature\.md#([a-z0-9-]+)\)")
LINK = re.compile(r"\[[^\]]*\]\(((?:[^()]|\([^()]*\))*)\)")
# What formulas wrote before there was a glossary, and what must not be lost.
LETTERS = "n W b u x q q^* \\sigma \\sigma_w \\sigma_b g \\chi_1 c c^* k".split()
CODE = "depth width W b u x size q sigma gain sigma_b chi c gap folds regions lr error relative_error lead".split()


@pytest.fixture
def copy(root, tmp_path) -> Path:
    """Return a course with this one's pages and a reference/ of its own."""
    for name in ("notebooks", "solutions", "exercises"):
        (tmp_path / name).symlink_to(root / name)
    shutil.copytree(root / "reference", tmp_path / "reference")
    return tmp_path


@pytest.fixture
def small(tmp_path) -> Page:
    return all_pages(courses.sources(tmp_path))[0]


def prose(path: Path) -> str:
    return "\n".join(
        "".join(cell["source"]) for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "markdown"
    )


def rows(text: str) -> list[list[str]]:
    """Return the cells of all rows of tables in Markdown but their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_to_a_heading_that_is_there(root, name):
    links = LINK.findall((root / "reference" / name).read_text(encoding="utf-8"))
    assert len(links) > 20
    for link in (one for one in links if not one.startswith("https:")):
        file, _, anchor = link.partition("#")
        path = (root / "reference" / file).resolve()
        assert path.is_file(), link
        if path.name in ("literature.md", "errata.md") and anchor:
            assert path.read_text(encoding="utf-8").count(f'<a id="{anchor}"></a>') == 1, link
            continue
        headings = re.findall(r"^#+ (.+)$", prose(path), re.M) if anchor else []
        assert not anchor or [heading.replace(" ", "-") for heading in headings].count(anchor) == 1, link


@pytest.mark.slow
def test_every_claim_stands_once_with_what_its_page_says_of_it(root):
    table = {row[0].strip("*"): row for row in rows((root / "reference/claims.md").read_text(encoding="utf-8"))}
    ids = [claim.id for claim in all_claims()]
    found = re.findall(r"^\| \*\*([^*]+)\*\*", (root / "reference/claims.md").read_text(encoding="utf-8"), re.M)
    assert found == ids and len(ids) == len(set(ids)) > 100
    shown = 0
    for page in all_pages(root):
        built = prose(page.notebook("notebooks"))
        for one, figures, seeds in re.findall(r"<tr><td>(\d\d\.[^<]+)</td><td>([^<]+)</td><td>([^<]+)</td>", built):
            assert f"{figures}, {seeds}" in table[one][2], one
            assert f"notebooks/{page.stem}.ipynb" in table[one][4], one
            shown += 1
    assert shown > 100
    for claim in all_claims():
        assert claim.claimed == table[claim.id][3]
        assert (claim.tried[:20] in table[claim.id][1]) and ("*Against it:*" in table[claim.id][1]) == bool(claim.tried)


def test_the_glossary_has_every_letter_and_is_in_order(root):
    table = rows((root / "reference/glossary.md").read_text(encoding="utf-8"))[1:]
    words = [re.fullmatch(r'<a id="([a-z0-9-]+)"></a>\*\*(.+)\*\*', row[0]).groups() for row in table]
    anchors, terms = ([word[at] for word in words] for at in (0, 1))
    assert len(set(anchors)) == len(anchors) and {"adam", "edge-of-chaos", "glorot-initialisation"} <= set(anchors)
    assert len(terms) >= 45 and terms == sorted(terms, key=str.casefold)
    letters = {letter for row in table for letter in re.findall(r"\$([^$]+)\$", row[1])}
    assert letters >= set(LETTERS)
    assert {row[2].strip("`") for row in table} >= set(CODE)
    for term, *_, is_, _ in table:
        assert is_[0].isupper() and is_.endswith(".") and ". " not in is_, term


def test_the_section_that_introduces_a_word_has_it(root):
    pages = all_pages(root)
    sources = {page.stem.split("_")[0]: page.source("notebooks").read_text(encoding="utf-8") for page in pages}
    for term, entry in tomllib.loads((root / "reference/glossary.toml").read_text(encoding="utf-8")).items():
        page, number = entry["at"].split()
        section = re.search(rf"^## {number} .*?(?=^## |\Z)", sources[page], re.M | re.S)[0]
        word = entry.get("by", term)
        assert re.sub(r"\W+", " ", word.lower()) in re.sub(r"\W+", " ", section.lower()), term


def test_an_erratum_leads_to_a_section_that_shows_what_was_measured(root):
    sections = [section for page in all_pages(root) for section in reference.sections_of(page)]
    stand, by_number, claims = reference.places(sections), reference._by_number(sections), list(all_claims())
    entries = errata.read(root)
    text = (root / "reference/errata.md").read_text(encoding="utf-8")
    for name, entry in entries.items():
        here, written = by_number[entry["at"]], text.partition(f"### {name}\n")[2].partition("###")[0]
        assert f"here:* {here.link}." in written, name
        assert "claims" not in entry or any(here in stand.get(one, ()) for one in entry["claims"]), name
        for one in entry.get("claims", ()):
            beside = [other.id for other in claims if one in other.named]
            shown = {section.page.stem for claim in (one, *beside) for section in stand.get(claim, ())}
            assert here.page.stem in shown, (name, one)
            assert here in stand.get(one, [here]) or all(section.link in written for section in stand[one]), (name, one)
    assert 40 <= len(entries) <= 50


def test_each_erratum_is_linked_from_its_page_and_each_such_link_leads_to_one(root):
    text, entries = (root / "reference/errata.md").read_text(encoding="utf-8"), errata.read(root)
    assert re.findall(r'^<a id="(.*)"></a>\n\n### ', text, re.M) == [errata.anchor(name) for name in entries]
    seen: dict[str, str] = {}
    for page in all_pages(root):
        head, foot = around(page, "notebooks", None)
        assert "(../reference/from_other_texts.md)" in head
        for said in filter(None, re.split(r"(?=\bCo\w+ed on this page: )", foot.partition("\n\n")[2])):
            for name, anchor in re.findall(r"\[([^\]]*)\]\(\.\./reference/errata\.md#([^)]*)\)", said):
                assert anchor == errata.anchor(name) and name not in seen
                assert said.startswith(errata.CONFIRMED) == (entries[name]["under"] == errata.RIGHT), name
                seen[name] = page.stem.split("_")[0]
        assert foot.count("errata.md#") == list(seen.values()).count(page.stem.split("_")[0])
    assert seen == {name: entry["at"].split()[0] for name, entry in entries.items()}
    assert len({errata.anchor(name) for name in entries}) == len(entries)
    lesson = all_pages(root)[0]
    assert not any("reference/" in text for text in around(lesson, "exercises", None))


def test_a_page_of_a_course_without_errata_names_none(small):
    assert errata.corrected(small) == "" and "reference/" not in "".join(around(small, "notebooks", None))


def test_errata_have_the_figures_of_their_claims_and_no_table(root):
    text = (root / "reference/errata.md").read_text(encoding="utf-8")
    table = {row[0].strip("*"): row[2] for row in rows((root / "reference/claims.md").read_text(encoding="utf-8"))}
    listed = errata.read(root)
    entries = dict(re.findall(r"^### (.*?)$(.*?)(?=^##|^<a id|^<!--)", text, re.M | re.S))
    assert list(entries) == list(listed) and not rows(text)
    for name, entry in listed.items():
        assert ("*Measured here:*" in entries[name]) == ("claims" in entry) != ("*Shown here:*" in entries[name])
        assert all(table[one] in entries[name] for one in entry.get("claims", ())), name
        assert len(re.findall(r"^- ", entries[name], re.M)) == len(entry.get("claims", ())), name


def test_what_errata_say_of_counts_is_so(root):
    says = {name: " ".join(one["fact"].split()) for name, one in errata.read(root).items()}
    pieces = {n: sum(math.comb(n, j) for j in range(5)) for n in (6, 7, 8)}
    assert pieces[6] < 64 < pieces[7] == 99 and f"{pieces[8]}, and 7 are" in says["One more piece for each unit"]
    shallow, deep = (count_parameters(mlp([2, *hidden, 2])) for hidden in ([100], [20] * 4))
    assert f"{shallow} parameters and the deep one {deep:,}" in says["More with less"]
    assert str(count_parameters(mlp([5, 5, 5, 5, 5, 1], bias=False))) in says["An astronomical number of units"]
    assert boards.deep_units(5) == 4 * (5 + 1) and boards.shallow_units(5) == 4 * 2**5 - 5
    model, h = torch.nn.Linear(10, 10), np.maximum(np.random.default_rng(0).standard_normal(10**6), 0)
    assert model.weight.abs().max() <= 1 / 10**0.5 and f"{1.5 / 3**0.5:.2f}" in says["A factor above 1 explodes"]
    assert f"{h.var():.2f}" in says["He et al. 2015: ReLU halves the variance"]
    assert "60, 148 and 571" in says["Biases, and a matrix, left out"]
    shapes = ([4, 4, 4, 4], [4, 8, 8, 4], [4, 63, 4], [4096, 16384, 4096])
    *counts, large = (sum((a + 1) * b for a, b in zip(sizes, sizes[1:], strict=False)) for sizes in shapes)
    assert counts == [60, 148, 571] == [*(count_parameters(mlp(sizes)) for sizes in shapes[:3])]
    assert round(large / 1e6) == 134 and "134 million" in says["Biases, and a matrix, left out"]
    surest = torch.nn.functional.cross_entropy(torch.tensor([[1.0, 0.0]]), torch.tensor([0])).item()
    assert f"{surest:.3f}" in says["Softmax, twice"]


def test_what_errata_say_of_code_is_so():
    for activation, factor in (("tanh", 5 / 3), ("linear", 1), ("relu", 2**0.5)):
        W = torch.empty(1000, 500)
        torch.nn.init.kaiming_normal_(W, nonlinearity=activation, generator=torch.Generator().manual_seed(0))
        assert W.std().item() * 500**0.5 == pytest.approx(factor, rel=0.01)
        assert torch.nn.init.calculate_gain(activation) == pytest.approx(factor)
    assert inspect.signature(torch.optim.Adam).parameters["lr"].default == 0.001
    for optimizer, grows in ((torch.optim.SGD, 10), (torch.optim.Adam, 1)):
        moved = []
        for scale in (1, 10):
            w = torch.tensor([1.0], requires_grad=True)
            (scale * w.square().sum()).backward()
            optimizer([w], lr=0.001).step()
            moved.append(1 - w.item())
        assert moved[1] / moved[0] == pytest.approx(grows, rel=1e-3)
    assert ("relu" == torch.nn.ReLU()) is False  # noqa: SIM300
    with pytest.raises(TypeError, match="not a Module"):
        torch.nn.Sequential(torch.nn.Linear(2, 2), "relu")
    a, b = torch.randn(2, 9, generator=torch.Generator().manual_seed(0))
    assert torch.equal(torch.nn.functional.glu(torch.cat([a, b])), a * b.sigmoid())
    assert torch.allclose(torch.nn.functional.silu(b), b * b.sigmoid())


def test_what_errata_say_of_two_slides_is_so():
    """Dropout adds to the variance of untrained outputs, and five layers memorise noise, in eleven draws of eleven."""
    for seed in range(11):
        torch.manual_seed(seed)
        drop, X = torch.nn.Dropout(0.5), torch.randn(100, 10)
        net = torch.nn.Sequential(
            *(torch.nn.Linear(10, 50), torch.nn.ReLU(), drop),
            *(torch.nn.Linear(50, 50), torch.nn.ReLU(), drop, torch.nn.Linear(50, 1)),
        )
        assert net(X).var() > 2 * net.eval()(X).var()
        model = mlp([100, *[64] * 5, 1])
        optimizer = torch.optim.Adam(model.parameters())
        X, y, X_new, y_new = torch.randn(1000, 100), torch.randn(1000, 1), torch.randn(1000, 100), torch.randn(1000, 1)
        for _ in range(100):
            loss = ((model(X) - y) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        assert loss < 0.1 and ((model(X_new) - y_new) ** 2).mean() > 1.2 * y_new.square().mean()


def test_every_citation_on_a_page_leads_to_its_entry_and_every_entry_back(root):
    works = literature.read(root)
    lines = (root / "reference/literature.md").read_text(encoding="utf-8").splitlines()
    entries = {anchor: line for line in lines for anchor in re.findall(r'^- <a id="([a-z0-9-]+)"></a>', line)}
    seen, backs = set(), {}
    for page in all_pages(root):
        for folder in page.executed:
            source = page.source(folder).read_text(encoding="utf-8")
            for text in re.findall(r'^# %% \[markdown\][^\n]*\nr"""\n(.*?)\n"""$', source, re.S | re.M):
                linked = works.linked(text, "literature.md")
                assert CITED.sub(r"\1", linked) == text
                rest = re.sub(r"`[^`]*`", "", CITED.sub("", linked))
                assert not re.findall(r"et al\.,? \(?\d{4}|\b[A-Z]\w+ \(?(?:19|20)\d\d\b", rest), page.stem
                for _, anchor in CITED.findall(linked):
                    back = "exercises" if folder == "solutions" else folder
                    assert f"(../{back}/{page.stem}.ipynb" in entries[anchor], (page.stem, anchor)
                    seen.add(anchor)
        files = [page.source("notebooks"), page.room / "page.py"]
        said = [*(one.read_text(encoding="utf-8") for one in files), literature.to_read(root, page.number)]
        backs[f"notebooks/{page.stem}.ipynb"] = "".join(said[: 3 if isinstance(page, Lesson) else 2])
    for name in ("errata.md", "theorems.md"):
        listed = {anchor for _, anchor in CITED.findall((root / "reference" / name).read_text(encoding="utf-8"))}
        assert len(listed) > 5 and listed <= set(entries)
    assert len(seen) > 60 and sum("(errata.md)" in line for line in entries.values()) > 5
    assert list(entries) == sorted(entries) and len(entries) == len(set(works.works.values()))
    for anchor, line in entries.items():
        surname = re.match(r"[\w-]+", line.partition("</a>**")[2])[0]
        pages = re.findall(r"\.\./(notebooks/\w+\.ipynb)", line)
        assert all(surname in backs[one] for one in pages) and "*Cited in* [" in line, anchor


def test_each_path_ends_with_what_to_read_next(root):
    for page in (one for one in all_pages(root) if isinstance(one, Lesson)):
        source = page.source("notebooks").read_text(encoding="utf-8")
        assert source.count("\n{{literature}}\n\n{{claims}}\n") == source.count("{{literature}}") == 1, page.stem
        text = literature.to_read(root, page.number)
        assert len(re.findall(r"^- \[.*\): .*\.$", text, re.M)) == 3
        assert len(re.sub(r"\([^)]*\)", "", text).split()) <= 70


def test_numbers_in_the_literature_have_their_form(root):
    entries = tomllib.loads((root / "reference/literature.toml").read_text(encoding="utf-8"))
    for key, entry in list(entries.items())[:-2]:
        year = re.search(r"\d{4}", key)[0]
        dated = re.match(r"(\d\d)(\d\d)\.\d{4,5}$", entry.get("arxiv", ""))
        assert "arxiv" not in entry or entry["arxiv"] == "math-ph/0609050" or 0 < int(dated[2]) < 13, key
        assert not dated or 0 <= int(year) - 2000 - int(dated[1]) <= 3, key
        assert re.match(r"10\.\d{4}/\S+$", entry.get("doi", "10.1000/x")) and (year in entry["where"] or dated), key
        assert entry["checked"] or not {"doi", "arxiv", "url"} & set(entry), key


def test_every_proof_has_its_proposition(root):
    text = CITED.sub(r"\1", (root / "reference/theorems.md").read_text(encoding="utf-8"))
    proofs = sum(page.source("notebooks").read_text(encoding="utf-8").count("∎") for page in all_pages(root))
    assert text.count("- **Proposition** (proved there") == proofs > 10
    for who in ("Cybenko 1989", "Hornik 1991", "Schocken 1993", "Barron 1993", "Telgarsky 2016", "Eldan & Shamir 2016"):
        assert f"- **Theorem** (quoted: {who}" in text or f"{who};" in text, who


def stated(page: Page, text: str) -> list[reference.Statement]:
    return reference.statements_of(reference.Section(page, 10, f"## 1 Here (5 min)\n\n{text}\n"))


def test_a_statement_is_what_stands_up_to_its_proof(small):
    text = "So.\n\n**Proposition** (Rolle 1691). If $a$,\nthen\n\n$$ b $$\n\nProof. ∎"
    first, second = stated(small, f"{text}\n\n- **Theorem** (Weyl 1911). One.\n- Two.")
    assert (first.kind, first.source, first.says) == ("Proposition", "Rolle 1691", "If $a$, then $b$")
    assert (second.kind, second.source, second.says) == ("Theorem", "Weyl 1911", "One.")
    listed = "**Theorem** (Abel 1824). These are one:\n\n1. this,\n2. that.\n\nNow on."
    assert stated(small, listed)[0].says == "These are one: 1. this, 2. that."


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("**Proposition.** All is well.\n\nClearly.", "up to ∎"),
        ("**Proposition.** One.\n\n**Proposition.** Two.\n\nProof of two. ∎", "up to ∎"),
        ("**Theorem** (Abel). All is well.", "name its author and year"),
        ("**Theorem.** All is well.", "name its author and year"),
        ("**Theorem (Abel 1824).** All is well.", "not so marked"),
        ("**Lemma.** All is well. ∎", "not so marked"),
    ],
)
def test_a_statement_that_is_malformed_is_refused_with_its_line(small, text, complaint):
    with pytest.raises(AuthoringError, match=f"notebooks/01_small.py:12: .*{complaint}"):
        stated(small, text)


def test_minutes_on_the_map_are_those_of_the_pages_it_names(root):
    text, counted = (root / "reference/map.md").read_text(encoding="utf-8"), 0
    for row in rows(text):
        for links, time in zip(row, row[1:], strict=False):
            if re.fullmatch(r"\d+ minutes", time):
                assert int(time.split()[0]) == sum(minutes_of(root / "reference", link) for link in LINK.findall(links))
                counted += 1
    assert counted > 10


def test_from_other_texts_has_each_exercise_under_its_number_and_says_what_is_missing(root):
    text = (root / "reference/from_other_texts.md").read_text(encoding="utf-8")
    for number, link in re.findall(r"\[(\d\d\.\d+)\]\(((?:[^()]|\([^()]*\))*)\)", text):
        assert f"#Exercise-{number}:-" in link and f"/exercises/{number[:2]}_" in link, number
    for page, number, link in re.findall(r"\[(\d\d[a-z]?) section (\d)\]\(((?:[^()]|\([^()]*\))*)\)", text):
        assert f"/notebooks/{page}_" in link and f"#{number}-" in link, (page, number)
    parts = dict(re.findall(r"^## (.*?)$(.*?)(?=^## |\Z)", text, re.M | re.S))
    assert len(parts) == 5
    for name, part in parts.items():
        head, *lines = rows(part)
        assert head == ["theirs", "here", "what differs"] and 14 < len(lines) < 35, name
        for theirs, here, differs in lines:
            assert theirs and here and differs and ("](" in here or differs.startswith("**Not here**")), theirs
    numbered = [row[0].split()[0] for row in rows(parts[list(parts)[-1]])[1:]]
    assert numbered == [str(slide) for slide in range(1, 16)]
    assert {str(n) for n in range(1, 10)} <= set(re.findall(r"Exercise (\d)", "".join(parts["Depth vs width"])))
    known = {errata.anchor(name) for name in errata.read(root)}
    assert known >= (found := set(re.findall(r"\(errata\.md#([^)]*)\)", text))) and len(found) > 35
    ours = {errata.anchor(name) for name, entry in errata.read(root).items() if entry["under"] == "And ours"}
    assert known - found == ours


def test_links_written_by_hand_keep_up_with_minutes_and_points():
    exercises = ["Exercise 01.2: x (3 points)"]
    there = {"notebooks/01_a.ipynb": ["1 One (two) (9 min)", ""], "exercises/01_a.ipynb": exercises}
    old = "[a](../notebooks/01_a.ipynb#1-One-(two)-(5-min)) |\n[b](../exercises/01_a.ipynb#Exercise-01.2:-x-(1-point))"
    new = old.replace("5-min", "9-min").replace("1-point", "3-points")
    assert by_hand.renewed(old, there) == (new, []) == by_hand.renewed(new, there)
    text = "\n[a](../notebooks/01_a.ipynb#2-One-(5-min)) [b](../notebooks/01_b.ipynb#1) [c](../notebooks/01_a.ipynb)"
    same, wrong = by_hand.renewed(text, there)
    assert same == text and [line for line, _ in wrong] == [2, 2]
    assert "notebooks/01_a.ipynb has no heading #2-One-(5-min)." in wrong[0][1]


@pytest.mark.parametrize("name", by_hand.PAGES)
def test_a_link_written_by_hand_to_no_heading_is_refused(copy, name):
    text = (copy / "reference" / name).read_text(encoding="utf-8")
    (copy / "reference" / name).write_text(text.replace("#4-Two-inputs:", "#4-Three-inputs:", 1), encoding="utf-8")
    (found,) = reference.diagnostics(copy)
    assert found.path == f"reference/{name}" and found.line and "Three-inputs" in found.text


def minutes_of(folder: Path, link: str) -> int:
    """Return the minutes of a page, of its one section, or of a lesson's exercises on its path."""
    file, _, anchor = link.partition("#")
    if "/exercises/" in file:
        said = prose((folder / file.replace("/exercises/", "/notebooks/")).resolve())
        return int(re.search(r"about (\d+) more for the\s+exercises", said)[1])
    return sum(
        map(
            int,
            re.findall(
                r"\((\d+)-min\)$" if anchor else r"^## .*\((\d+) min\)$",
                anchor or prose((folder / file).resolve()),
                re.M,
            ),
        )
    )


def test_every_lesson_has_its_card_on_the_sheet(root):
    sheet = (root / "reference/cards.html").read_text(encoding="utf-8")
    lessons = [page for page in all_pages(root) if isinstance(page, Lesson)]
    assert sheet.count("<figure>") == len(re.findall(r'alt="[^"]{60,}"', sheet)) == len(lessons)
    assert "break-inside: avoid" in sheet and "http" not in sheet
    for page in lessons:
        cells = json.loads(page.notebook("notebooks").read_text())["cells"]
        pictures = [
            output["data"]["image/png"].strip()
            for cell in cells
            for output in cell.get("outputs", [])
            if "image/png" in output.get("data", {})
        ]
        assert pictures[-1].replace("\n", "") in sheet, page.stem


@pytest.mark.slow
def test_all_cards_are_one_sheet_of_paper(root, tmp_path):
    needs_chromium()
    printed = tmp_path / "cards.pdf"
    command = [
        chromium(),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path}",
        "--no-pdf-header-footer",
        f"--print-to-pdf={printed}",
        (root / "reference/cards.html").as_uri(),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes())) == 1


@pytest.mark.slow
def test_what_differs_from_pages_and_records_is_found_and_a_build_mends_it(copy, monkeypatch, capsys):
    assert reference.diagnostics(copy) == []
    courses.edit(copy, "reference/claims.md", "| **01.line** |", "| **01.lime** |")
    (copy / "reference/cards.html").unlink()
    courses.edit(copy, "reference/glossary.toml", "[hinge]", "[hinges]")
    found = sorted(one.path for one in reference.diagnostics(copy))
    assert found == ["reference/cards.html", "reference/claims.md", "reference/glossary.md"]
    monkeypatch.setattr(building, "chosen_pages", lambda *_: [])
    monkeypatch.setattr(building, "address", lambda *_: None)
    building.build(copy)
    assert "wrote reference/glossary.md, reference/claims.md, reference/cards.html." in capsys.readouterr().out
    assert reference.diagnostics(copy) == [] and "**hinges** |" in (copy / "reference/glossary.md").read_text()


def test_a_check_of_all_pages_says_so(tmp_path, monkeypatch, capsys):
    course = courses.built(tmp_path)
    assert checking.check(course) == 0
    monkeypatch.setattr(reference, "diagnostics", lambda _: [Diagnostic("reference/claims.md", None, "old")])
    assert checking.check(course) == 1 and "reference/claims.md: old" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[hinge]", "[hinge", "not TOML"),
        ("is = ", "was = ", "wanted are"),
        ("The bent", "The |bent|", "without |"),
        ('at = "01 1"', 'at = "01 9"', "wanted are"),
    ],
)
def test_a_glossary_that_cannot_be_used_is_refused(copy, old, new, complaint):
    refused(copy, "reference/glossary.toml", old, new, complaint)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('["More with less"]', '["More with less', "not TOML"),
        ("under = ", "below = ", "wanted are"),
        ("said = ", "says = ", "wanted are"),
        ("where = ", "by = ", "wanted are"),
        ("fact = ", "facts = ", "wanted are"),
        ('at = "04a 1"', 'at = "04a 99"', "One more piece for each unit: wanted are"),
        ('at = "04a 1"', "", "One more piece for each unit: wanted are"),
        ('"02.saw-narrow"', '"02.saw-wide"', "A fold for each layer: There is no claim 02.saw-wide"),
        ('"02.saw-narrow"', '"99.saw"', "A fold for each layer: "),
        ("[", 'loose = "end"\n[', "loose is no table"),
    ],
)
def test_errata_that_cannot_be_used_are_refused(copy, old, new, complaint):
    refused(copy, "reference/errata.toml", old, new, complaint)


def refused(course: Path, file: str, old: str, new: str, complaint: str) -> None:
    """Assert that one complaint is made, of this file, where the first ``old`` in it reads ``new``."""
    text = (course / file).read_text(encoding="utf-8")
    assert old in text
    (course / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    (found,) = reference.diagnostics(course)
    assert found.path == file and complaint in found.text


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("literature", '["Bellman 1957"]', '["Bellman 1957', "not TOML"),
        ("errata", "Bellman 1957", "Bellman 1958", '"Bellman 1958" cites what has no entry'),
    ],
)
def test_literature_that_is_not_there_is_told(copy, file, old, new, complaint):
    refused(copy, f"reference/{file}.toml", old, new, complaint)


def test_a_work_that_nothing_cites_is_told_and_not_listed(copy):
    made = reference.texts(copy)
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    courses.edit(
        copy,
        "reference/literature.toml",
        '["Abbe et al. 2023"]',
        '["Abbe 1999"]\nauthors = "A"\ntitle = "T"\nwhere = "W"\nchecked = ""\n\n["Abbe et al. 2023"]',
    )
    (found,) = reference.diagnostics(copy)
    assert (found.path, found.text[:29]) == ("reference/literature.toml", "Abbe 1999: nothing cites this")
    assert reference.texts(copy) == made


def test_errata_that_are_missing_are_missed(copy):
    (copy / "reference/errata.toml").unlink()
    (found,) = reference.diagnostics(copy)
    assert found.path == "reference/errata.toml" and "missing" in found.text


def test_a_course_without_a_glossary_has_no_reference(tmp_path):
    assert reference.texts(courses.sources(tmp_path)) == {}
