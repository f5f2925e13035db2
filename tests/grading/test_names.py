"""Names and tables: one normal form, whom a person means, and cells that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.export import page_name
from grading.names import SCHEMES, Owner, quoted, readable, some, without_names
from grading.tables import Roll, csv_text, harmless, meant
from tests.growth import exponent

# What makes names alike: pieces of what is written out, white space, what cannot be seen, accents in either form.
PIECES = [
    "\\",
    "\\x",
    "\\u",
    "\\x20",
    "\\u202e",
    "x20",
    "u202e",
    "1b",
    "0000",
    "A",
    " ",
    "\t",
    "\n",
    "\x1b",
    "\x1c",
    "\xa0",
    "\u200b",
    "\u202e",
    "\u3000",
    "\ufeff",
    "\u2800",
    "\u034f",
    "\U000e0041",
    "\udce9",
    "e",
    "\u0301",
    "é",
    "\u1e1f",
    "\u0307",
    "한",
    "ᄒ",
]
NAMES = st.lists(st.one_of(st.sampled_from(PIECES), st.characters()), max_size=12).map("".join)


def original(shown: str) -> str:
    """Return the name that is shown like this, up to how its accents are composed: the way back, which Python knows."""
    escape = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")
    text = escape.sub(lambda found: chr(int(found[1] or found[2] or found[3], 16)), unicodedata.normalize("NFD", shown))
    return unicodedata.normalize("NFC", text)


@pytest.mark.slow
@given(NAMES)
def test_two_names_never_become_one(name):
    """There is a way back from what is shown, so that no two are shown alike that differ in more than composition."""
    assert original(readable(name)) == unicodedata.normalize("NFC", name)


@given(NAMES)
def test_a_normal_name_can_be_seen_and_survives_what_tables_do(name):
    shown = readable(name)
    assert shown.isprintable() and shown.strip() == shown == unicodedata.normalize("NFC", shown)
    assert readable(unicodedata.normalize("NFD", name)) == shown


# From Unicode's DerivedCoreProperties.txt.
DEFAULT_IGNORABLE = [
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
]


@pytest.mark.slow
def test_what_cannot_be_seen_is_written_out():
    unseen = {chr(code) for low, high in DEFAULT_IGNORABLE for code in range(low, high + 1)} | {"\u2800"}
    kinds = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")
    unseen |= {one for one in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(one) in kinds} - {" "}
    shown = readable("z".join(["", *(unseen := sorted(unseen)), ""])).split("z")[1:-1]  # in no code there is a z
    assert [hex(ord(one)) for one, code in zip(unseen, shown, strict=True) if not code.startswith("\\")] == []
    assert readable("Ann-Lee O'Brien_2 (Zoë) 한국 Łuk: `x` a\\b") == "Ann-Lee O'Brien_2 (Zoë) 한국 Łuk: `x` a\\b"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (" Ann", "\\x20Ann"),
        ("Ann  ", "Ann\\x20\\x20"),
        ("Ann\\x20", "Ann\\x5cx20"),
        ("a\x1b\u202eb\tc", "a\\x1b\\u202eb\\x09c"),
        ("\x202e", "\\x202e"),
        ("\u202e", "\\u202e"),
        ("caf\udce9", "caf\\udce9"),
        ("A\U000e0041", "A\\U000e0041"),
        ("Zoe\u0308", "Zoë"),
        ("\x1c\u0301", "\\x1ć"),
    ],
)
def test_how_names_are_shown(name, shown):
    assert readable(name) == shown


def test_whom_a_person_means():
    roll = Roll(map(readable, ["Ann", " Ann", "Bob ", "Cy\u00a0", "=1+1", "Zoë", "D\u200bD", "D D", "Eve", "Eve "]))
    assert [roll.find(text) for text in ("Ann", " Ann", "\\x20Ann")] == ["Ann", "\\x20Ann", "\\x20Ann"]
    assert roll.find("Ann ") is None  # two are called so up to white space, and neither exactly
    assert {roll.find(text) for text in ("Bob", "Bob ", "  Bob", "Bob\t", "Bob\\x20")} == {"Bob\\x20"}
    assert roll.find("Cy") == roll.find("Cy ") == "Cy\\xa0"
    assert roll.find("=1+1") == roll.find("'=1+1") == "=1+1"
    assert roll.find("Zoe\u0308") == "Zoë" and roll.find("zoë") is None and roll.find("") is None
    assert roll.find("D\u200bD") == "D\\u200bD" and roll.find("D D") == "D D" and roll.find("DD") is None
    assert (roll.find("Eve"), roll.find("Eve "), roll.find(" Eve")) == ("Eve", "Eve\\x20", None)


@given(st.lists(NAMES, min_size=1, max_size=6))
def test_whoever_is_written_as_handed_in_is_found(names):
    roll = Roll(map(readable, names))
    assert [roll.find(name) for name in names] == [readable(name) for name in names]


# --- pages ----------------------------------------------------------------------------------------------------


def test_page_names_are_plain_and_different_where_case_and_accents_do_not_count():
    names = [
        "Solved",
        "solved",
        "SOLVED",
        "CON",
        "con",
        "nul.html",
        "Zoë Lee",
        "Zoe Lee",
        "O_Brien",
        "O'Brien",
        "a/b",
        "a_b",
        "..",
        "",
        "<b>",
        "x" * 300,
        "x" * 301,
        "é" * 200,
        "한국",
        "日本",
        "\\x20Ann",
        "Ann",
        "ⅷ",
        "8",
        "ﬀ",
        "ff",
    ]
    names += [page_name(name) for name in names] + [page_name(name).removesuffix(".html") for name in names]
    pages = [page_name(name) for name in names]
    assert len({unicodedata.normalize("NFKD", page).casefold() for page in pages}) == len(names)
    assert [page for page in pages if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*-[0-9a-f]{16}\.html", page)] == []
    assert max(map(len, pages)) <= 40 + 1 + 16 + 5
    assert page_name("Zoë van der Łuk").startswith("zoe-van-der-uk-") and page_name("한국").startswith("student-")


# --- platforms ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "student"),
    [
        ("Bob_2_assignsubmission_file_x_1_assignsubmission_file_", "Bob_2_assignsubmission_file_x_1"),
        ("Bob_2_assignsubmission_onlinetext_x_1_assignsubmission_file_", "Bob_2_assignsubmission_onlinetext_x_1"),
        ("Ann_1_assignsubmission_file_my_assignsubmission_file_.ipynb", "Ann_1"),
        ("Ann_1_assignsubmission_file_Bob_2_assignsubmission_file_hw.ipynb", "Ann_1_assignsubmission_file_Bob_2"),
    ],
)
def test_moodles_own_words_in_a_name_make_nobody_somebody_else(part, student):
    """What stands before the last of these words begins with the student's own name and number."""
    owner = SCHEMES["moodle"]((part, "hw.ipynb"))
    assert isinstance(owner, Owner) and owner.student == student


# --- sentences ------------------------------------------------------------------------------------------------


@given(st.lists(NAMES, max_size=4))
def test_a_sentence_without_names_has_none_of_them(names):
    listed = ", ".join(quoted(readable(name)) for name in names)
    sentence = f"There are {len(names)} notebooks ({listed}): the one that counts."
    shown = ", ".join(["a file"] * len(names))
    assert without_names(sentence) == f"There are {len(names)} notebooks ({shown}): the one that counts."
    assert all(len(quoted(name)) <= 82 for name in [*names, "`" * 300])


def test_long_lists_are_counted():
    assert some(["a", "b", "c"], 3) == "a, b, c" and some(list("abcde"), 3) == "a, b, c and 2 more" and not some([], 3)


# --- tables ---------------------------------------------------------------------------------------------------

FORMULA = tuple("=+-@|%\uff1d\uff0b\uff0d\uff20")
SIGNS = [*FORMULA, *"'\",;\t|\n\r", " ", "\xa0", "a", "1", "+1", "''", ";=", "\n'=", "\u2028"]
TEXTS = st.lists(st.one_of(st.sampled_from(SIGNS), st.characters(codec="utf-8")), max_size=15).map("".join)


@pytest.mark.slow
@given(TEXTS)
def test_a_cell_gives_back_what_was_meant(text):
    assert meant(harmless(text)) == text


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_no_cell_begins_a_formula_whatever_separates_cells_and_whatever_quotes_mean(texts):
    """As the most careless program reads it: splitting at each separator, at every line's end, quotes thrown away."""
    columns = [f"column {at}" for at in range(len(texts))]
    table = csv_text(columns, [dict(zip(columns, map(harmless, texts), strict=True))])
    for separator in ",;\t|":
        for cell in re.split(f"[{separator}\n\r]", table):
            for seen in (cell, cell.strip(), cell.strip('" '), *cell.split('"')):
                assert not seen.strip().startswith(FORMULA), (separator, cell)


def test_a_name_with_semicolons_makes_no_columns_where_they_separate_cells():
    name = "eve;01;graded;5"
    table = csv_text(("student", "score"), [{"student": name, "score": "0"}])
    assert list(csv.reader(table.splitlines())) == [["student", "score"], [name, "0"]]
    for row in csv.reader(table.splitlines(), delimiter=";"):
        assert len(row) == 1


@pytest.mark.parametrize("part", ["\n", "'", ";'", " ", " ="])
def test_the_time_for_a_cell_grows_with_its_length_and_no_faster(part):
    def there_and_back(text):
        assert meant(harmless(text)) == text

    assert exponent(there_and_back, lambda n: n * part + "=", 1_000) < 1.5
