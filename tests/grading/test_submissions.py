"""What was handed in, by folder and by zip: whose it is, and that nothing in an archive does harm."""

from __future__ import annotations

import io
import json
import os
import random
import re
import stat
import struct
import subprocess
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading import GradingError, archives, notebook_answers, submissions
from grading.__main__ import _remarks
from grading.archives import Archive, BadArchive
from grading.lateness import Lateness, moment, read_times, with_times
from grading.marking import text_key
from grading.names import SCHEMES, Owner, readable
from grading.notebook_answers import TURNED, Answer, NotebookCell, read
from grading.submissions import Changing, Document, FileSource, StudentFiles, Unreadable, collect
from tests.grading.helpers import DOUBLE, TOTAL, hand_in, notebook
from tests.growth import exponent

GOOD = notebook(DOUBLE, TOTAL)
OTHER = notebook(DOUBLE)


def zipped(entries: dict[str, bytes] | list[tuple[str | zipfile.ZipInfo, bytes]]) -> bytes:
    """Return a zip file of these entries, which may be given twice."""
    data = io.BytesIO()
    pairs = entries.items() if isinstance(entries, dict) else entries
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in pairs:
            file.writestr(name, content)
    return data.getvalue()


def entry(name: str, mode: int = 0, date: tuple = (2026, 3, 1, 12, 0, 0)) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, date)
    info.external_attr = mode << 16
    return info


def class_of(tmp_path: Path, data: bytes, names: str = "auto", **more) -> submissions.ClassSubmissions:
    path = tmp_path / "class.zip"
    path.write_bytes(data)
    return collect(path, names, **more)


def outcome(class_: submissions.ClassSubmissions, **more) -> dict[str, list[str]]:
    """Return for each student the problems, "" for none, of the submissions."""
    return {one.student: [found.problem for found in read(one, **more)] for one in class_.students}


def test_a_zip_reads_like_the_folder_it_was_made_from(tmp_path):
    files = {
        "zoe.ipynb": GOOD,
        "Ann Lee/deep/x.ipynb": OTHER,
        "bob/hw.zip": zipped({"a/b.ipynb": GOOD}),
        "notes.txt": b"",
    }
    folder = tmp_path / "class"
    files |= {".hidden.ipynb": GOOD, "__MACOSX/._zoe.ipynb": b"x", "bob/.ipynb_checkpoints/hw.ipynb": GOOD}
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    plain = collect(folder)
    for inside in ("", "class/"):  # as some programs wrap it
        packed = class_of(tmp_path, zipped({inside + name: data for name, data in files.items()}))
        for one, other in zip(plain.students, packed.students, strict=True):
            assert read(one) == read(other) and one.student == other.student
        left_out = [one.removeprefix(inside) for one in packed.left_out]
        hidden = ".hidden.ipynb (a hidden file: its name begins with a dot)"
        assert plain.left_out == left_out == [hidden, "notes.txt (no .ipynb)"]
    assert [one.student for one in plain.students] == ["Ann Lee", "bob", "zoe"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("info", "reason"),
    [
        (entry("../evil.ipynb"), "leads out of the archive"),
        (entry("a/../../evil.ipynb"), "leads out of the archive"),
        (entry("..\\evil.ipynb"), "leads out of the archive"),
        (entry("/etc/evil.ipynb"), "leads out of the archive"),
        (entry("\\\\server\\evil.ipynb"), "leads out of the archive"),
        (entry("C:\\evil.ipynb"), "leads out of the archive"),
        (entry("c:evil.ipynb"), "leads out of the archive"),
        (entry("\t" * 60_000 + "/evil.ipynb"), "its name is too long"),
        (entry("evil.ipynb", stat.S_IFLNK | 0o777), "a symbolic link"),
        (entry("evil.ipynb", stat.S_IFIFO | 0o777), "not an ordinary file"),
        (entry("evil.ipynb", stat.S_IFCHR | 0o777), "not an ordinary file"),
    ],
)
def test_an_entry_that_leads_elsewhere_is_left_out_and_said(tmp_path, info, reason):
    before = sorted(tmp_path.parent.rglob("*"))
    class_ = class_of(tmp_path, zipped([("ann.ipynb", GOOD), (info, GOOD)]))
    assert [one.student for one in class_.students] == ["ann"]
    assert len(class_.left_out) == 1 and reason in class_.left_out[0]
    inside = class_of(tmp_path, zipped({"bob.zip": zipped([("x.ipynb", GOOD), (info, OTHER)])}))
    (found,) = read(inside.students[0])
    assert found.problem == "" and reason in found.remark and len(found.cells) == 2
    assert sorted(set(tmp_path.parent.rglob("*")) - set(before)) == [tmp_path / "class.zip"]


def lying(data: bytes, size: int) -> bytes:
    """Return a zip file of one entry that claims another size for it, in both of its headers."""
    raw = bytearray(data)
    start = raw.index(b"PK\x01\x02")
    struct.pack_into("<I", raw, start + 24, size)
    struct.pack_into("<I", raw, 22, size)
    return bytes(raw)


def encrypted(data: bytes) -> bytes:
    raw = bytearray(data)
    for at in (6, raw.index(b"PK\x01\x02") + 8):
        raw[at] |= 1
    return bytes(raw)


def damaged(data: bytes) -> bytes:
    raw = bytearray(data)
    raw[60] ^= 0xFF
    return bytes(raw)


BOMB = b"0" * 60_000_000
ONE = zipped({"x.ipynb": GOOD})


def with_method(method: int) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as file:
        file.writestr("x.ipynb", GOOD)
    return data.getvalue()


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: zipped({"x.ipynb": BOMB}), "is larger than 50 MB when unpacked"),
        (lambda: zipped({"x.ipynb": b"0" * 40_000_000}), "unpacks to more than 500 times its size"),
        (lambda: lying(zipped({"x.ipynb": BOMB}), 1_000), "is damaged"),
        (lambda: lying(zipped({"x.ipynb": GOOD}), 2**31), "is larger than 50 MB"),
        (lambda: encrypted(ONE), "is encrypted"),
        (lambda: damaged(ONE), "is damaged"),
        (lambda: with_method(zipfile.ZIP_LZMA), "packed in a way"),
        (lambda: ONE[:-30], "is not a zip file"),
        (lambda: b"", "is not a zip file"),
        (lambda: zipped({"y.zip": ONE}), "a zip file within a zip file"),
        (lambda: zipped({"notes.txt": b""}), "No .ipynb file"),
        (
            lambda: zipped({f"{n}.ipynb": notebook(f"# exercise 90.1\nx = {n}") for n in range(101)}),
            "more than can be read",
        ),
        (lambda: zipped({f"{n}.txt": b"" for n in range(5_001)}), "holds more than 5,000 files"),
        (lambda: zipped({f"{n}.ipynb": b"[" + b"1," * 4_000_000 for n in range(2)}), "holds too many outputs"),
    ],
)
def test_one_students_bad_archive_is_a_sentence_and_stops_nobody(tmp_path, make, problem):
    hand_in(tmp_path / "in", {"ann": GOOD})
    (tmp_path / "in" / "bad.zip").write_bytes(make())
    tracemalloc.start()
    found = outcome(collect(tmp_path / "in"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found["ann"] == [""]
    assert len(found["bad"]) == 1 and problem in found["bad"][0] and found["bad"][0].endswith(".")
    assert peak < 150_000_000


def test_all_that_is_wrong_is_said(tmp_path):
    found = outcome(class_of(tmp_path, zipped({"ann/a.ipynb": b"", "ann/b.ipynb": b"junk"})))
    assert "The file is empty" in found["ann"][0] and "is not a notebook" in found["ann"][0]


def test_what_unpacks_to_more_than_it_says_is_stopped(monkeypatch):
    """A reader that trusts the archive less than zipfile does: the limit holds for what comes, not for what is said."""
    archive = Archive(io.BytesIO(zipped({"x": b"0123456789" * 1000})), 10)
    member = archive.members[0]
    monkeypatch.setattr(archives, "_must_be_readable", lambda info, limit: None)
    assert len(b"".join(member.chunks(10_000))) == 10_000
    with pytest.raises(BadArchive, match="larger than"):
        list(member.chunks(9_999))


def test_a_long_list_of_files_is_refused_before_it_is_read(monkeypatch):
    data = zipped({f"{'x' * 200}{n}": b"" for n in range(3_000)})
    with pytest.raises(BadArchive, match="more than 2,500 files"):
        Archive(io.BytesIO(data), 2_500)
    monkeypatch.setattr(archives, "_STEP", 2**10)
    with pytest.raises(BadArchive, match="more files than can be read"):
        Archive(io.BytesIO(data), 10)


def test_a_students_limit_is_for_all_files_together(tmp_path, monkeypatch):
    monkeypatch.setattr(notebook_answers, "MAX_ARCHIVE_BYTES", 3 * len(GOOD))
    folder = hand_in(tmp_path / "ann", {f"{n}": GOOD + b" " * n for n in range(5)}).parent
    assert "more than can be read" in outcome(collect(folder))["ann"][0]


# Reads one student's file in a process of its own, and prints the most memory that it had, in bytes.
READ = """
import pathlib, resource, sys
from grading.submissions import Document, FileSource, StudentFiles
from grading.notebook_answers import read
path = pathlib.Path(sys.argv[1])
(one,) = read(StudentFiles("ann", (Document(path.name, FileSource(path.parent, (path.name,))),)))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, one.problem)
"""
EMOJI = "😀".encode()  # one is enough for four bytes of memory for each character
ITEMS = notebook_answers.MAX_ITEMS - 50
FILLED = submissions.MAX_BYTES - 100
LARGEST = {
    "one string": lambda: b'{"cells": [{"source": "' + EMOJI + b"a" * FILLED + b'"}]}',
    "many strings": lambda: (
        b'{"cells": [{"source": [' + b",".join([b'"%s"' % (EMOJI + b"a" * (FILLED // ITEMS - 8))] * ITEMS) + b"]}]}"
    ),
    "many keys": lambda: (
        b'{"'
        + EMOJI
        + b'": {'
        + b",".join(b'"%s%07d": "%s"' % (EMOJI, at, EMOJI) for at in range(min(ITEMS, FILLED // 22)))
        + b"}}"
    ),
    "many cells": lambda: (
        b'{"cells": ['
        + b",".join(b'{"source": "%07d"}' % at for at in range(ITEMS // 2))
        + b'], "x": "'
        + EMOJI
        + b"a" * (FILLED - 11 * ITEMS)
        + b'"}'
    ),
    "many small objects": lambda: (
        b'{"cells": ['
        + b",".join([b'{"a":7.5}'] * (ITEMS // 2))
        + b'], "x": "'
        + EMOJI
        + b"a" * (FILLED - 5 * ITEMS)
        + b'"}'
    ),
    "many outputs": lambda: (
        b'{"cells": ['
        + b",".join([b'{"a":7.5}'] * (ITEMS // 2))
        + b'], "outputs": ['
        + b",".join([b"[]"] * 1_500_000)
        + b'], "x": "'
        + EMOJI
        + b"a" * (FILLED - 5 * ITEMS - 4_500_050)
        + b'"}'
    ),
    "many notebooks": lambda: zipped(
        {
            f"{at}.ipynb": b'{"cells": [{"source": "# exercise 01.1\\n%d"}' % at
            + b', {"source": "a%d"}' % at * 250_000
            + b"]}"
            for at in range(20)
        }
    ),
}


# Each takes two seconds, the archive eight. `make test` has the one that takes the most memory.
@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[] if kind == "many small objects" else [pytest.mark.full]) for kind in LARGEST],
)
def test_reading_the_largest_file_takes_a_bounded_amount_of_memory(tmp_path, kind):
    path = tmp_path / ("x.zip" if kind == "many notebooks" else "x.ipynb")
    data = LARGEST[kind]()
    assert len(data) <= submissions.MAX_BYTES
    path.write_bytes(data)
    making = [sys.executable, "-c", READ, str(path)]
    # By way of a shell that is small: a process's peak is not less than that of the one which it was forked from.
    done = subprocess.run(["sh", "-c", '"$@" & wait $!', "sh", *making], capture_output=True, text=True, check=True)
    peak, problem = done.stdout.split(" ", 1)
    assert int(peak) < 700_000_000 and problem.strip().endswith(".")


VALUES = st.recursive(
    st.none() | st.integers() | st.text('ab"\\[]{},:é') | st.sampled_from(["outputs", '"outputs": [', "metadata"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["outputs", "metadata", "source", 'x"outputs', "[", ""]), inner, max_size=4)
    ),
)


def emptied(value):
    """Return the value without what outputs and metadata hold."""
    if isinstance(value, list):
        return [emptied(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: type(one)() if key in ("outputs", "metadata") and isinstance(one, (list, dict)) else emptied(one)
        for key, one in value.items()
    }


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_outputs_are_cut_out_of_what_is_not_read_yet(value, indent, ascii):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    assert json.loads(notebook_answers._without_outputs(text.encode())) == emptied(value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        lambda: {"data": {"x": list(range(1_100_000))}},
        lambda: {"data": {"points": [[at, at / 2] for at in range(600_000)]}},
        lambda: {"text": ["[0.123, 0.234, 0.345, 0.456, 0.567, 0.678],\n"] * 200_000},
    ],
)
def test_a_large_plot_or_array_is_no_reason_not_to_read_a_notebook(content):
    output = [content()]
    cells = [{"cell_type": "code", "source": DOUBLE, "outputs": output}, {"cell_type": "code", "source": TOTAL}]
    found = notebook_answers.cells_of(json.dumps({"cells": cells, "metadata": {"widgets": output}}).encode())
    assert [one.source for one in found] == [DOUBLE, TOTAL]


@pytest.mark.parametrize(
    "make",
    [
        lambda n: b'["' + b'\\",[,' * n,
        lambda n: b'{"outputs":' + b"[" * n,
        lambda n: b'{"outputs" ' * n + b"," * n,
        lambda n: b'{"outputs":[' + b'"",' * n + b"1]}",
    ],
)
def test_the_time_to_see_that_something_is_no_notebook_grows_with_its_size_and_no_faster(make, monkeypatch):
    monkeypatch.setattr(notebook_answers, "MAX_ITEMS", 1000)

    def look(data):
        assert outcome_of(data) in ("The notebook holds too many outputs", "The file is not a notebook")

    assert exponent(look, make, 1_000) < 1.5


@pytest.mark.parametrize(
    ("brackets", "outcome"), [(999, "The file is not a notebook"), (1000, "The notebook holds too many outputs")]
)
def test_the_end_of_outputs_is_not_looked_for_for_ever(brackets, outcome, monkeypatch):
    monkeypatch.setattr(notebook_answers, "MAX_ITEMS", 100)
    monkeypatch.setattr(notebook_answers, "MAX_TOKENS", 1000)
    assert outcome_of(b'{"outputs":' + b"[" * brackets) == outcome


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("depth", [900, 990, 10_000, 900_000])
def test_nesting_is_never_more_than_unreadable(opening, depth):
    closing = b"]" if opening == b"[" else b"}"
    data = b'{"cells": [], "x": ' + opening * depth + b"1" + closing * depth + b"}"
    assert outcome_of(data) in ("", "No exercise was found", "The file is not a notebook")


def outcome_of(data: bytes) -> str:
    (found,) = read(StudentFiles("ann", (Document("x.ipynb", Bytes(data)),)))
    return re.split(r"[.:,] ", found.problem)[0].rstrip(".")


def test_the_text_of_a_notebooks_cells_is_bounded(monkeypatch):
    monkeypatch.setattr(notebook_answers, "MAX_SOURCE", 2 * len(DOUBLE))
    assert outcome_of(notebook(DOUBLE, DOUBLE)) == "" and "hold more text" in outcome_of(notebook(DOUBLE, DOUBLE, "x"))


def test_sentences_about_many_files_name_a_few(tmp_path):
    several = zipped({f"{'n' * 100}{at}.ipynb": notebook(DOUBLE, f"x = {at}") for at in range(90)})
    broken = zipped({"good.ipynb": GOOD, **{f"{'n' * 100}{at}.ipynb": b"junk %d" % at for at in range(90)}})
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "ann.zip").write_bytes(several)
    (folder / "bob.zip").write_bytes(broken)
    ann, bob = (read(one)[0] for one in collect(folder).students)
    assert "There are 90 notebooks" in ann.problem and "and 85 more" in ann.problem and len(ann.problem) < 1000
    assert bob.problem == "" and bob.remark.endswith("And 85 more.") and len(bob.remark) < 2000


def test_a_free_text_without_end_is_cut_and_says_so():
    def text(words: str) -> str:
        return notebook_answers.free_text(notebook_answers.cells_of(notebook(f"md:# exercise 91.2\n{words}")), "91.2")

    most = notebook_answers.MAX_TEXT
    assert text("x" * most) == "x" * most
    cut = text("x" * most + "y")
    assert cut.startswith("x" * most + "\n\n[Cut here") and len(cut) < most + 100
    assert text_key("91.2", cut) == text_key("91.2", text("x" * most + "z" * most)) != text_key("91.2", "x" * most)


def test_names_in_other_alphabets(tmp_path):
    utf8 = "Zoë Łuk.ipynb"
    unflagged = zipped({"X" * len(utf8.encode()): GOOD}).replace(b"X" * len(utf8.encode()), utf8.encode())
    assert [one.student for one in class_of(tmp_path, unflagged).students] == ["Zoë Łuk"]
    cp437 = zipped({"XX.ipynb": GOOD}).replace(b"XX.ipynb", "é1.ipynb".encode("cp437"))
    assert [one.student for one in class_of(tmp_path, cp437).students] == ["é1"]
    both = zipped({"Zoe\u0308/a.ipynb": GOOD, "Zoë/b.ipynb": GOOD})  # as macOS writes it, and as others do
    (zoe,) = class_of(tmp_path, both).students
    assert zoe.student == "Zoë" and [one.problem for one in read(zoe)] == [""]  # the same file twice is one


def test_two_entries_of_one_name_are_both_seen(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = zipped([("ann.ipynb", GOOD), ("ann.ipynb", OTHER)])
    assert (
        "There are 2 notebooks for lesson 90 (`ann.ipynb`, `ann.ipynb`)" in outcome(class_of(tmp_path, twice))["ann"][0]
    )


def test_pipes_and_late_links_are_not_waited_for_or_followed(tmp_path):
    folder = hand_in(tmp_path / "in", {"ann": GOOD, "bob": GOOD})
    os.mkfifo(folder / "cy.ipynb")
    class_ = collect(folder)
    assert class_.left_out == ["cy.ipynb (not an ordinary file)"]
    secret = tmp_path / "secret.ipynb"
    secret.write_bytes(GOOD)
    (folder / "ann.ipynb").unlink()
    (folder / "ann.ipynb").symlink_to(secret)
    (folder / "bob.ipynb").unlink()
    os.mkfifo(folder / "bob.ipynb")
    problems = outcome(class_)
    assert "could not be opened" in problems["ann"][0] and problems["bob"] != [""]


@pytest.mark.parametrize("depth", [0, 1])
def test_a_folder_that_becomes_a_link_is_not_followed(tmp_path, depth):
    """Nor a folder in it: a neighbour's file of the same name is nobody else's."""
    folder = tmp_path / "in"
    for student in ("ann", "bob"):
        (folder / student / "deep").mkdir(parents=True)
        (folder / student / "deep" / "hw.ipynb").write_bytes(GOOD)
    class_ = collect(folder)
    lost = folder.joinpath("bob", "deep") if depth else folder / "bob"
    lost.rename(tmp_path / "aside")
    lost.symlink_to(folder.joinpath("ann", "deep") if depth else folder / "ann")
    assert (folder / "bob" / "deep" / "hw.ipynb").read_bytes() == GOOD
    found = outcome(class_)
    assert found["ann"] == [""] and "it, or its folder, has become a link" in found["bob"][0]


def test_the_folder_of_the_class_may_be_a_link_and_a_path_longer_than_the_system_takes_stops_nobody(tmp_path):
    folder = hand_in(tmp_path / "in", {"ann": GOOD})
    here = os.open(folder, os.O_RDONLY)
    for part in ["bob", *["d" * 250] * 17]:
        os.mkdir(part, dir_fd=here)
        here, above = os.open(part, os.O_RDONLY, dir_fd=here), here
        os.close(above)
    file = os.open("hw.ipynb", os.O_WRONLY | os.O_CREAT, dir_fd=here)
    os.write(file, GOOD)
    os.close(file)
    os.close(here)
    (tmp_path / "link").symlink_to(folder)
    try:
        class_ = collect(tmp_path / "link")
        assert outcome(class_) == {"ann": [""], "bob": ["No .ipynb file was handed in."]}
        assert ["could not be opened: File name too long" in one for one in class_.left_out] == [True]
    finally:
        subprocess.run(["rm", "-rf", str(folder)], check=True)  # pytest does not remove such a path


def test_a_file_that_goes_while_the_folder_is_listed_is_only_its_owners_trouble(tmp_path, monkeypatch):
    folder = hand_in(tmp_path / "in", {"ann": GOOD, "bob": GOOD, "cy": GOOD})
    real = submissions.is_hidden

    def goes(name: str) -> bool:
        (folder / "bob.ipynb").unlink(missing_ok=True)
        return real(name)

    monkeypatch.setattr(submissions, "is_hidden", goes)
    found = outcome(collect(folder))
    assert found.pop("bob") == ["The file could not be opened: No such file or directory."]
    assert found == {"ann": [""], "cy": [""]}


def test_a_name_that_reads_like_what_is_written_out_of_another(tmp_path):
    found = outcome(collect(hand_in(tmp_path / "in", {"a\x1b": GOOD, "a\\x1b": OTHER})))
    assert found == {"a\\x1b": [""], "a\\x5cx1b": [""]}


@pytest.mark.parametrize(("contents", "read_well"), [("00", True), ("1200", True), ("12345", False)])
def test_a_file_that_changes_while_it_is_read(tmp_path, monkeypatch, contents, read_well):
    """Another program is writing it, so that each time that it is read it may say something else."""
    moving = iter(contents)
    monkeypatch.setattr(FileSource, "_chunks", lambda self, limit: [next(moving).encode()])
    document = Document("x.ipynb", FileSource(tmp_path, ("x.ipynb",)))
    if read_well:
        assert document.read() == b"0"
    else:
        with pytest.raises(Changing, match="`x.ipynb` changed while it was read"):
            document.read()


def test_a_zip_that_changes_while_it_is_read_damns_nobody(tmp_path):
    class_ = class_of(tmp_path, zipped({"ann.ipynb": GOOD, "bob.ipynb": GOOD}))
    with (tmp_path / "class.zip").open("r+b") as file:
        file.write(b"\0" * 200)
        file.truncate()
    with pytest.raises(Changing):
        read(class_.students[0])


@pytest.mark.parametrize(
    ("scheme", "path", "owner"),
    [
        ("auto", "ann.ipynb", Owner("ann", file="ann.ipynb")),
        ("auto", "Ann Lee/deep/hw.ipynb", Owner("Ann Lee", file="deep/hw.ipynb")),
        ("auto", "ann.pdf", "no .ipynb"),
        ("stem", "group 1/ann.ipynb", Owner("ann", file="ann.ipynb")),
        ("stem", "group 1/ann.pdf", "no .ipynb"),
        ("folder", "ann/hw.ipynb", Owner("ann", file="hw.ipynb")),
        ("folder", "hw.ipynb", "in no student's folder"),
        ("canvas", "leeann_123_4567_hw.ipynb", Owner("leeann_123", file="hw.ipynb", version=("hw.ipynb", 0))),
        ("canvas", "x/leeann_LATE_123_4567_hw-2.ipynb", Owner("leeann_123", True, "hw-2.ipynb", ("hw.ipynb", 2))),
        ("canvas", "müllerjörg_late_1_2_a_3_4_b.zip", Owner("müllerjörg_1", True, "a_3_4_b.zip", ("a_3_4_b.zip", 0))),
        ("canvas", "lee_ann_9_8_hw.IPYNB", Owner("lee_ann_9", file="hw.IPYNB", version=("hw.ipynb", 0))),
        ("canvas", "LATE_anon_Ab12C_99_hw.ipynb", Owner("anon_Ab12C", True, "hw.ipynb", ("hw.ipynb", 0))),
        ("canvas", "ann.ipynb", "not named as Canvas names files"),
        ("moodle", "Ann Lee_77_assignsubmission_file_/hw.ipynb", Owner("Ann Lee_77", file="hw.ipynb")),
        ("moodle", "c/Ann Lee_77_assignsubmission_file/deep/hw.ipynb", Owner("Ann Lee_77", file="deep/hw.ipynb")),
        ("moodle", "Ann Lee_77_assignsubmission_file_hw_1.ipynb", Owner("Ann Lee_77", file="hw_1.ipynb")),
        ("moodle", "Participant_5_assignsubmission_file_/a.ipynb", Owner("Participant_5", file="a.ipynb")),
        ("moodle", "Ann_7_assignsubmission_onlinetext_/t.html", "Moodle's onlinetext, not a file that was handed in"),
        ("moodle", "ann.ipynb", "not named as Moodle names files"),
    ],
)
def test_whose_it_is(scheme, path, owner):
    assert SCHEMES[scheme](tuple(path.split("/"))) == owner


def test_two_people_of_one_name_stay_two(tmp_path):
    class_ = class_of(tmp_path, zipped({"leeann_1_9_hw.ipynb": GOOD, "leeann_2_8_hw.ipynb": OTHER}), "canvas")
    assert [one.student for one in class_.students] == ["leeann_1", "leeann_2"]
    files = [(entry("a/hw.ipynb"), GOOD), (entry("b/hw.ipynb", 0, (2026, 3, 2, 9, 0, 0)), OTHER)]
    stems = class_of(tmp_path, zipped(files), "stem", entry_times=True)
    assert "There are 2 notebooks" in outcome(stems)["hw"][0]


def test_names_of_a_platform_are_noticed(tmp_path):
    canvas = zipped({"leeann_1_9_hw.ipynb": GOOD, "roybob_LATE_2_8_hw.ipynb": GOOD})
    assert class_of(tmp_path, canvas).suggestion == "canvas"
    assert class_of(tmp_path, canvas, "canvas").suggestion == ""
    assert class_of(tmp_path, zipped({"leeann_1_9_hw.ipynb": GOOD, "bob.ipynb": GOOD})).suggestion == ""
    with pytest.raises(GradingError, match="no notebook that is named as Moodle"):
        class_of(tmp_path, canvas, "moodle")


def test_a_folder_around_everything_is_noticed(tmp_path):
    def remark(files: dict[str, bytes], names: str = "auto") -> str:
        return " ".join(_remarks(class_of(tmp_path, zipped(files), names), []))

    everybody = {"hw/ann.ipynb": GOOD, "hw/bob.ipynb": OTHER}
    for names in ("auto", "folder"):
        assert "in the folder hw, so" in remark(everybody, names) and "--names stem" in remark(everybody, names)
    assert "in the folder 01, so" in remark({"hw/01/ann.ipynb": GOOD, "hw/01/bob.ipynb": OTHER})
    assert remark(everybody, "stem") == ""
    for files in (
        {"class/ann.ipynb": GOOD, "class/bob.ipynb": OTHER},
        {"ann/1.ipynb": GOOD},
        {**everybody, "cy.ipynb": GOOD},
        {"ann/1.ipynb": GOOD, "bob/1.ipynb": OTHER},
    ):
        assert remark(files) == ""
    part = "Ann Lee_1_assignsubmission_file_"
    assert remark({f"{part}/1.ipynb": GOOD, f"{part}/2.ipynb": OTHER}, "moodle") == ""


STUB = notebook('# exercise 90.1\ndef double(x):\n    raise NotImplementedError("exercise 90.1")')
PAGE = notebook("# set-up\nimport math")
OF_A_COURSE = {
    "utils/exercises/cells.py": b"",
    "utils/exercises/cases/90.json": OTHER,
    "notebooks/90_fixture.ipynb": PAGE,
    "solutions/90_fixture.ipynb": OTHER,
    "exercises/90_fixture.ipynb": STUB,
    "work/lessons/lesson_90_fixture.ipynb": PAGE,
    "work/solutions/solutions_90_fixture.ipynb": OTHER,
    "work/90_fixture.ipynb": GOOD,
}


def below(folder: str, files: dict[str, bytes]) -> dict[str, bytes]:
    return {f"{folder}/{name}": data for name, data in files.items()}


DEEPER = {"ann/draft/1.ipynb": STUB, "ann/final/1.ipynb": GOOD, "bob/1.ipynb": OTHER}
WAYS = {
    "ILIAS": ({"Abgaben/ann/hw.ipynb": GOOD, "Abgaben/bob/hw.ipynb": GOOD}, {"ann": GOOD, "bob": GOOD}),
    "ILIAS, one student": ({"Abgaben/ann/hw.ipynb": GOOD, "Abgaben/readme.txt": b""}, {"ann": GOOD}),
    "deeper folders": (DEEPER, {"ann": GOOD, "bob": OTHER}),
    "deeper folders in a wrapper": (below("hw", DEEPER), {"ann": GOOD, "bob": OTHER}),
    "one student": ({"ann/1.ipynb": GOOD}, {"ann": GOOD}),
    "one student's zip": ({"ann/hw.zip": zipped({"1.ipynb": GOOD})}, {"ann": GOOD}),
    "repositories": (below("ann", OF_A_COURSE) | below("bob/course", OF_A_COURSE), {"ann": GOOD, "bob": GOOD}),
    "one repository": (below("ann", OF_A_COURSE), {"ann": GOOD}),
    "one repository in a folder": (below("ann/course", OF_A_COURSE), {"ann": GOOD}),
    "a course as a zip": (
        {"ann/all.zip": zipped(below("course", OF_A_COURSE)), "bob.ipynb": OTHER},
        {"ann": GOOD, "bob": OTHER},
    ),
    "Google Drive": (
        {"ann/90.ipynb": STUB, "ann/Copy of 90.ipynb": GOOD, "bob.ipynb": STUB},
        {"ann": GOOD, "bob": STUB},
    ),
    "renamed": (
        {"ann/hw.ipynb.txt": GOOD, "bob/hw.json": OTHER, "cy/data.json": b"[1]", "cy/1.ipynb": GOOD},
        {"ann": GOOD, "bob": OTHER, "cy": GOOD},
    ),
    "named by students, renamed": (
        {"ann.ipynb.txt": GOOD, "ann.json": b"{}", "bob.json": OTHER, "grades.json": b"{}"},
        {"ann": GOOD, "bob": OTHER},
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_however_it_is_packed_each_students_answers_are_found(tmp_path, way):
    files, students = WAYS[way]
    for name, data in files.items():
        (tmp_path / "folder" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "folder" / name).write_bytes(data)
    for class_ in (class_of(tmp_path, zipped(files)), collect(tmp_path / "folder")):
        found = {one.student: read(one) for one in class_.students}
        assert {who: [one.problem for one in ones] for who, ones in found.items()} == dict.fromkeys(students, [""])
        wanted = {who: notebook_answers.cells_of(data) for who, data in students.items()}
        assert {who: one.cells for who, (one,) in found.items()} == wanted


class Endless:
    """A source whose first piece is read, and no other: a bomb in a class's zip file."""

    def __init__(self, beginning: bytes | Exception) -> None:
        self.beginning = beginning

    def chunks(self, limit: int) -> Iterator[bytes]:
        """Yield the first piece, or raise what it is."""
        if isinstance(self.beginning, Exception):
            raise self.beginning
        yield self.beginning
        raise AssertionError("a second piece was read")


@pytest.mark.parametrize(
    ("beginning", "is_one"),
    [(GOOD[:300], True), (b"[0, 0, ", False), (b"", False), (Unreadable("large"), False), (Changing("now"), True)],
)
def test_of_a_json_only_the_beginning_is_looked_at(beginning, is_one):
    assert submissions._is_handed_in("hw.json", Endless(beginning)) == is_one


def test_two_notebooks_with_answers_are_never_guessed(tmp_path):
    files = {"ann/90_fixture.ipynb": GOOD, "ann/Copy of 90_fixture.ipynb": OTHER, "ann/stub.ipynb": STUB}
    assert "There are 3 notebooks" in outcome(class_of(tmp_path, zipped(files)))["ann"][0]


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_an_answer_that_was_turned_to_text_is_read_as_code(kind):
    cells = [replace(one, kind=kind) for one in notebook_answers.cells_of(GOOD)]
    assert notebook_answers.find_answer(cells, "90.1", "double") == Answer(0, TURNED)
    code = NotebookCell("code", DOUBLE)
    assert notebook_answers.find_answer([*cells, code], "90.1", "double") == Answer(2)


def test_who_handed_in_no_notebook_is_not_forgotten(tmp_path):
    files = {"leeann_1_9_hw.pdf": b"x", "roybob_2_8_hw.ipynb": GOOD}
    assert "No .ipynb" in outcome(class_of(tmp_path, zipped(files), "canvas"))["leeann_1"][0]
    empty = {"Ann_7_assignsubmission_file_/": b"", "Bob_8_assignsubmission_file_/a.ipynb": GOOD}
    assert "No .ipynb" in outcome(class_of(tmp_path, zipped(empty), "moodle"))["Ann_7"][0]


def digests(found) -> list[str]:
    return [one.digest for one in found]


def test_which_of_several_counts(tmp_path):
    """Canvas's numbers tell, known and different times tell, nothing else does."""
    numbered = {f"leeann_1_{9 - n}_hw{'-' * bool(n)}{n or ''}.ipynb": notebook(DOUBLE, f"x = {n}") for n in range(3)}
    (ann,) = class_of(tmp_path, zipped(numbered), "canvas").students
    want = digests(read(StudentFiles("x", tuple(sorted(ann.documents, key=lambda one: one.version)[-1:]))))
    assert digests(read(ann)) == want
    everything = read(ann, all_versions=True)
    assert [one.name for one in everything] == ["hw.ipynb", "hw-1.ipynb", "hw-2.ipynb"]
    times = [
        (entry("ann/b.ipynb", 0, (2026, 3, 1, 9, 0, 0)), GOOD),
        (entry("ann/a.ipynb", 0, (2026, 3, 2, 9, 0, 0)), OTHER),
    ]
    assert "There are 2" in outcome(class_of(tmp_path, zipped(times)))["ann"][0]
    (known,) = class_of(tmp_path, zipped(times), entry_times=True).students
    assert [one.name for one in read(known)] == ["a.ipynb"]
    same = [(entry("ann/b.ipynb"), GOOD), (entry("ann/a.ipynb"), OTHER)]
    assert "There are 2" in outcome(class_of(tmp_path, zipped(same), entry_times=True))["ann"][0]


def test_the_last_version_counts_also_where_it_equals_the_first(tmp_path):
    """Its lateness, too; but where the best counts, what is handed in again does not make the first one late."""
    names = ["leeann_1_9_hw.ipynb", "leeann_1_8_hw-1.ipynb", "leeann_LATE_1_7_hw-2.ipynb"]
    (ann,) = class_of(tmp_path, zipped(dict(zip(names, (GOOD, OTHER, GOOD), strict=True))), "canvas").students
    (last,) = read(ann)
    assert (last.name, last.late, last.digest) == ("hw-2.ipynb", True, read(ann, all_versions=True)[0].digest)
    everything = [(one.name, one.late) for one in read(ann, all_versions=True)]
    assert everything == [("hw.ipynb", False), ("hw-1.ipynb", False)]
    again = [(entry(f"ann/{name}.ipynb", 0, (2026, 3, day, 9, 0, 0)), GOOD) for name, day in (("b", 1), ("a", 2))]
    (ann,) = class_of(tmp_path, zipped(again), entry_times=True).students
    assert [one.time.day for one in read(ann)] == [2]
    (ann,) = class_of(tmp_path, zipped(again)).students  # alike, and nothing tells their order: nothing to decide
    assert [one.problem for one in read(ann)] == [""]


def test_the_times_in_a_students_own_zip_are_not_believed(tmp_path):
    early = zipped([(entry("hw.ipynb", 0, (2001, 1, 1, 0, 0, 0)), GOOD)])
    (ann,) = class_of(tmp_path, zipped([(entry("ann.zip"), early)]), entry_times=True).students
    (found,) = read(ann)
    assert found.time.year == 2026


def test_times_with_a_zone_are_exact(tmp_path):
    info = entry("ann.ipynb")
    info.extra = struct.pack("<HHBi", 0x5455, 5, 1, 1_700_000_000)
    (ann,) = class_of(tmp_path, zipped([(info, GOOD)]), entry_times=True).students
    assert ann.documents[0].time.timestamp() == 1_700_000_000
    assert (
        class_of(tmp_path, zipped([(entry("a.ipynb", 0, (1980, 1, 1, 0, 0, 0)), GOOD)]), entry_times=True)
        .students[0]
        .documents[0]
        .time
        is None
    )


def test_a_file_of_times(tmp_path):
    students = collect(hand_in(tmp_path / "in", {"ann": GOOD, "bob": GOOD})).students
    path = tmp_path / "times.csv"
    path.write_text("\ufeffstudent,time\nann,2026-03-01T18:00:00Z\nnobody,2026-03-01\n", encoding="utf-8")
    timed, unknown = with_times(students, read_times(path))
    assert timed[0].documents[0].time == moment("2026-03-01T18:00+00:00") and timed[1].documents[0].time is None
    assert unknown == ["nobody"]
    path.write_text("student,time\nann,2026-03-01\nbob,soon\n")
    with pytest.raises(GradingError, match=r"times.csv, line 3: 'soon' is not a time"):
        read_times(path)
    path.write_text("who,when\n")
    with pytest.raises(GradingError, match="lacks the columns student and time"):
        read_times(path)
    with pytest.raises(GradingError, match="could not be read"):
        read_times(tmp_path / "none")


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Kiritimati"])
def test_times_beyond_what_other_zones_can_tell(tmp_path, monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        for text in ("0001-01-01", "1969-12-31T23:59Z", "9999-01-01", "9999-12-31T23:59-08:00"):
            with pytest.raises(ValueError, match="not a time in the years 1970 to 9998"):
                moment(text)
        late = Lateness(moment("1970-01-01"), 10)
        for text in ("9998-12-31T23:59", "9998-12-31T23:59-23:59", "9998-12-31T23:59+14:00"):
            assert late.days(moment(text).astimezone(UTC), False) == late.days(moment(text).astimezone(), False) > 10**6
    finally:
        monkeypatch.undo()
        time.tzset()
    (tmp_path / "times.csv").write_text("student,time\nann,9999-12-31T23:59\n")
    with pytest.raises(GradingError, match="line 2: '9999-12-31T23:59' is not a time in the years"):
        read_times(tmp_path / "times.csv")


def test_a_name_that_is_exact_comes_before_one_that_is_alike(tmp_path):
    students = collect(hand_in(tmp_path / "in", {"Ann": GOOD, "Bob ": GOOD})).students
    path = tmp_path / "times.csv"
    for rows in (["Ann,2026-03-01", "Ann ,2026-03-09"], ["Ann ,2026-03-09", "Ann,2026-03-01"]):
        path.write_text("\n".join(["student,time", *rows]))
        timed, unknown = with_times(students, read_times(path))
        assert timed[0].documents[0].time == moment("2026-03-01") and unknown == []
    two = collect(hand_in(tmp_path / "two", {"Ann ": GOOD, " Ann": GOOD})).students
    path.write_text("student,time\nAnn,2026-03-01\n")
    timed, unknown = with_times(two, read_times(path))
    assert unknown == ["Ann"] and [one.documents[0].time for one in timed] == [None, None]


def test_times_of_single_files(tmp_path):
    folder = hand_in(tmp_path / "in" / "Ann", {"hw": GOOD, "hw 2 ": OTHER, "hw 3": OTHER}).parent
    path = tmp_path / "times.csv"
    path.write_text("student,time,file\nAnn,2026-03-01,hw.ipynb\nAnn ,2026-03-02, hw 2 .ipynb\nAnn,2026-03-03, \n")
    (ann,), _ = with_times(collect(folder).students, read_times(path))
    assert {one.name: one.time.day for one in ann.documents} == {"hw.ipynb": 1, "hw 2 .ipynb": 2, "hw 3.ipynb": 3}


DUE = "2026-03-01T18:00+00:00"


@pytest.mark.parametrize(
    ("handed_in", "called_late", "grace", "days"),
    [
        ("2026-03-01T18:00Z", False, 0, 0),
        ("2026-03-01T18:00:01Z", False, 0, 1),
        ("2026-03-01T18:10Z", False, 10, 0),
        ("2026-03-01T18:10:01Z", False, 10, 1),
        ("2026-03-02T18:00Z", False, 10, 1),
        ("2026-03-02T18:00:01Z", False, 10, 2),
        ("2026-03-02T19:00+02:00", False, 0, 1),
        ("2026-03-01T17:00Z", True, 0, 0),  # a known time counts more than the platform's mark
        (None, True, 0, 1),
        (None, False, 0, 0),
    ],
)
def test_how_late(handed_in, called_late, grace, days):
    rule = Lateness(moment(DUE), 10, 25, timedelta(minutes=grace))
    assert rule.days(handed_in and moment(handed_in), called_late) == days
    assert rule.percent(days) == min(25, 10 * days)


@pytest.mark.parametrize(("days", "penalty"), [(0, 0), (1, 1.235), (2, 2.47), (3, 3.0875), (1000, 3.0875)])
def test_what_late_costs(days, penalty):
    assert Lateness(None, 10, 25).penalty(12.35, days) == pytest.approx(penalty, abs=0.0051)


def test_random_bytes_are_never_more_than_unreadable(tmp_path):
    """Whatever bits of a zip file are changed, reading it ends with a notebook or with a sentence."""
    data = zipped({"a.ipynb": GOOD, "b/c.ipynb": OTHER})
    rng = random.Random(1)
    for _ in range(300):
        raw = bytearray(data)
        for _ in range(rng.randint(1, 6)):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        document = Document("x.zip", Bytes(bytes(raw[: rng.choice([len(raw), rng.randrange(len(raw))])])))
        for found in read(StudentFiles("ann", (document,))):
            assert found.problem == "" or found.problem.endswith(".")


class Bytes:
    """A source in memory."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def chunks(self, limit):
        if len(self.data) > limit:
            raise Unreadable("too large")
        yield self.data


def test_who_hands_in_the_lesson_is_told_so(tmp_path):
    lesson = notebook("md:# 01 A lesson", "# set-up\nimport numpy as np", "print(1)")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ann.ipynb").write_bytes(lesson)
    (ann,) = collect(tmp_path / "in").students
    assert "This is a page to read, not its exercises" in read(ann, "02")[0].problem
    assert "# exercise 02.1" in read(ann, "02")[0].problem


def test_the_path_of_what_is_no_notebook_is_known(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "leeann_1_9_hw.html").write_bytes(b"<p>")
    (tmp_path / "in" / "boblee_2_8_hw.ipynb").write_bytes(GOOD)
    one, other = collect(tmp_path / "in", "canvas").students
    assert [read(student)[0].file for student in (one, other)] == ["boblee_2_8_hw.ipynb", "leeann_1_9_hw.html"]


@pytest.mark.parametrize("begin", ['"', "'", '"""', "'''", "\\'''\n", '\\"""', '"\\', "#"])
def test_quotes_that_never_close_cost_no_more_than_others(begin):
    """A pattern that goes back would take days here."""
    assert not notebook_answers.defines(begin * (1_000_000 // len(begin)), "f")
    assert notebook_answers.defines(f"def f(): pass\n{begin * 100_000}", "f")


def test_a_notebook_of_very_many_cells_is_refused():
    with pytest.raises(Unreadable, match="more text than can be read"):
        notebook_answers.cells_of(json.dumps({"cells": [{"cell_type": "code", "source": ""}] * 10_001}).encode())


def test_names_of_spaces_cost_no_more_than_others():
    assert readable(" " * 300_000) == "\\x20" * 300_000
    assert readable(f" a{' ' * 300_000}b  ") == f"\\x20a{' ' * 300_000}b\\x20\\x20"


@pytest.mark.parametrize(("due", "handed_in"), [("2026-10-24", "2026-10-25"), ("2026-03-28", "2026-03-29")])
def test_days_are_counted_by_the_clock_also_where_it_is_changed(monkeypatch, due, handed_in):
    """In the night between, a day has 25 hours in Berlin, or 23."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        rule = Lateness(moment(f"{due}T18:00"), 10)
        days = [rule.days(moment(f"{handed_in}T{clock}"), False) for clock in ("17:30", "18:00", "18:30")]
    finally:
        monkeypatch.undo()
        time.tzset()
    assert days == [1, 1, 2]


def test_many_files_of_one_student_hide_nothing_of_another(tmp_path):
    files = {f"ann{n}.txt": b"" for n in range(50)} | {f"ann/{n}": b"" for n in range(50)}
    folder = hand_in(tmp_path / "in", {"bob": notebook(DOUBLE)})
    (folder / "ann").mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    for n in range(50):
        (folder / "ann" / f"link{n}").symlink_to("0")
    (folder / "zoe.ipynb").symlink_to("nowhere")
    assert "zoe.ipynb (a symbolic link)" in _remarks(collect(folder), [])[0]
