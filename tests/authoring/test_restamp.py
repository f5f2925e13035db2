"""Another address on the course: every place that names one, nothing else, all or nothing, and nothing runs."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from authoring import digests, learn, links
from authoring.__main__ import main
from authoring.building import build
from authoring.checking import check
from authoring.course import Address, Lesson, address, all_lessons, is_tag, new_address
from authoring.diagnostics import AuthoringError
from tests.authoring import test_readme
from tests.authoring.courses import DOUBLE, EXCURSION_STEM, LESSON, REPOSITORY, STEM, built, contents, edit

GITHUB, TAG = "https://github.com/Some-One/deep.course_2", "v1.2.0"
STAMPED = ("pyproject.toml", "README.md", "CITATION.cff")
NOTEBOOKS = [f"{folder}/{STEM}.ipynb" for folder in ("notebooks", "solutions", "exercises")]
EXECUTED = [*NOTEBOOKS[:2], f"notebooks/{EXCURSION_STEM}.ipynb"]


@pytest.fixture
def small(tmp_path) -> Path:
    """The small course, built, to be changed."""
    return built(tmp_path / "small")


OWN = Address("https://github.com/someone/small-course", "v1.0")


@pytest.fixture
def course(small, monkeypatch) -> Path:
    """The same with this course's README, citation and settings, stamped, where no process can be started."""
    for name in STAMPED:
        shutil.copy(REPOSITORY / name, small / name)
    stamp(small, OWN.repository, OWN.tag)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a stamp must not run anything"))
    return small


def stamp(root: Path, repository: str = GITHUB, tag: str = TAG) -> None:
    assert main(["restamp", repository, tag], root) == 0


def refused(root: Path, capsys, repository: str = GITHUB, tag: str = TAG) -> str:
    """Return what is said where a stamp is refused, once it is sure that nothing was changed."""
    before = contents(root)
    assert main(["restamp", repository, tag], root) == 1
    assert contents(root) == before
    out, err = capsys.readouterr()
    assert out == ""
    return err


def changed_lines(before: bytes, after: bytes) -> tuple[list[str], list[str]]:
    """Return the lines that differ; there must be as many as before, each in its place."""
    pairs = zip(before.decode().splitlines(), after.decode().splitlines(), strict=True)
    changed = [(old, new) for old, new in pairs if old != new]
    return [old for old, _ in changed], [new for _, new in changed]


def test_only_the_stamped_lines_change(course):
    before, old = contents(course), address(course)
    stamp(course)
    for name, content in contents(course).items():
        gone, come = changed_lines(before[name], content)
        assert bool(gone) == (name in (*STAMPED, digests.FILE) or name.endswith(".ipynb")), name
        for line in (line.strip() for line in gone):
            names_it = any(part in line for part in (old.repository, old.folder, old.tag, old.tag[1:]))
            assert names_it or (line.startswith('"id": ') and name.endswith(".ipynb")) or name == digests.FILE, line
        assert not any(old.folder in line for line in come)
        assert name.endswith(".py") or old.folder not in content.decode()


def test_outputs_and_all_other_cells_stay(course):
    names = [path.relative_to(course) for path in course.glob("*/*.ipynb")]
    before = [json.loads((course / name).read_bytes())["cells"] for name in names]
    stamp(course)
    after = [json.loads((course / name).read_bytes())["cells"] for name in names]
    assert len(names) == 4
    for old, new in zip(before, after, strict=True):
        assert [cell.get("outputs") for cell in old] == [cell.get("outputs") for cell in new]
        assert sum(a != b for a, b in zip(old, new, strict=True)) in (2, 3)  # head and set-up; a foot that leads on


def test_check_and_readme_agree_afterwards(course):
    stamp(course)
    assert check(course) == 0
    assert address(course) == Address(GITHUB, TAG)
    test_readme.test_the_address_is_the_same_everywhere(course)
    text = (course / "README.md").read_text(encoding="utf-8")
    assert text.count("/blob/") == text.count(f"/Some-One/deep.course_2/blob/{TAG}/") == 3


@pytest.mark.slow
def test_a_build_afterwards_changes_no_byte(small):
    stamp(small)
    before = contents(small)
    build(small)
    assert contents(small) == before and all(b"deep.course_2" in before[name] for name in EXECUTED)


def test_twice_is_once_and_back_is_where_it_was(course, capsys):
    first, old = contents(course), address(course)
    stamp(course)
    second = contents(course)
    capsys.readouterr()
    stamp(course)
    assert contents(course) == second != first
    assert capsys.readouterr().out.startswith(f"{GITHUB} at {TAG}: nothing has changed.\n")
    stamp(course, old.repository, old.tag)
    assert contents(course) == first


def test_it_says_what_else_publishing_takes(course, capsys):
    stamp(course)
    said = capsys.readouterr().out
    wanted = ("authors in CITATION.cff", f"`git tag {TAG}`", "push the branch and the tag", "public", GITHUB)
    assert all(words in said for words in wanted)


def test_without_an_address_there_is_none_anywhere_and_the_way_leads_back(course, capsys):
    """The two lines of pyproject.toml are all that it takes."""
    stamp(course)
    stamped = contents(course)
    for old in (GITHUB, TAG):
        edit(course, "pyproject.toml", f'"{old}"', '""')
    assert main(["restamp"], course) == 0 and capsys.readouterr().out.count("no address: wrote ") == 1
    assert address(course) is None and check(course) == 0
    for name, content in contents(course).items():
        text = content.decode("utf-8", errors="replace")
        if name.endswith((".ipynb", ".md", ".cff", ".toml")):
            words = ("deep.course_2", "google.com/github", "git clone", "repository-code")
            assert not any(word in text for word in words), name
    for before, old in (("repository", GITHUB), ("tag", TAG)):
        edit(course, "pyproject.toml", f'{before} = ""', f'{before} = "{old}"')
    assert main(["restamp"], course) == 0
    assert contents(course) == stamped


@pytest.mark.parametrize("lines", ['repository = ""\ntag = "v1"', 'repository = "https://github.com/a/b"\ntag = ""'])
def test_half_an_address_is_none(tmp_path, lines):
    (tmp_path / "pyproject.toml").write_text(f"[tool.course]\n{lines}\n")
    with pytest.raises(AuthoringError, match="or both empty"):
        address(tmp_path)


def test_an_address_set_by_hand_does_not_matter(course):
    stamp(course)
    wanted = contents(course)
    stamp(course, "https://github.com/a/b", "v0")
    edit(course, "pyproject.toml", "https://github.com/a/b", "https://github.com/by/hand")
    stamp(course)
    assert contents(course) == wanted


@pytest.mark.parametrize("ending", ["/", ".git", ".git/"])
def test_what_githubs_own_links_end_in_is_left_out(ending):
    assert new_address(GITHUB + ending, TAG) == Address(GITHUB, TAG)


def test_comments_in_the_settings_stay(small):
    text = "[tool.a]\nrepository = 'x'\n\n[tool.course]\n# why\nrepository = 'https://github.com/a/b' # so\n"
    (small / "pyproject.toml").write_text(text + 'tag="v0"\n[tool.b]\ntag = "y"\n')
    stamp(small)
    wanted = text.replace("'https://github.com/a/b'", f'"{GITHUB}"') + f'tag="{TAG}"\n[tool.b]\ntag = "y"\n'
    assert (small / "pyproject.toml").read_text() == wanted


# What is refused


@pytest.mark.parametrize(
    "repository",
    [
        "",
        "someone/course",
        "http://github.com/a/b",
        "https://gitlab.com/a/b",
        "https://github.com/a",
        "https://github.com/a/b/tree/main",
        "https://github.com/-a/b",
        "https://github.com/a/b c",
        "https://github.com/a/..",
        "https://github.com/a/.git",
        "https://github.com/a/b;rm",
        'https://github.com/a/b"',
        "git@github.com:a/b.git",
        "https://github.com.evil.org/a/b",
        "https://github.com/a/b\n",
        "https://github.com/a/ü",
    ],
)
def test_what_is_no_address(repository):
    with pytest.raises(AuthoringError) as caught:
        new_address(repository, TAG)
    text = f"repository: {repository!r} is not a repository's address on GitHub. Write https://github.com/OWNER/NAME."
    assert str(caught.value) == text


@pytest.mark.parametrize("tag", ["", "v1 2", "-v1", "v1..2", "v1.lock", "v1.", "a//b", "a/", "@", "v1;rm", "v1\n", "ü"])
def test_what_is_no_tag(tag):
    with pytest.raises(AuthoringError) as caught:
        new_address(GITHUB, tag)
    assert str(caught.value).startswith(f"tag: {tag!r} cannot be a tag. ")


def test_both_arguments_are_told_at_once(small, capsys):
    assert [line.split(":")[0] for line in refused(small, capsys, "x", "").splitlines()] == ["repository", "tag"]


def test_tags_are_those_that_git_takes():
    for parts in itertools.chain(*(itertools.product(["a", ".", "/", "-", ".lock"], repeat=n) for n in (1, 2, 3))):
        tag = "".join(parts)
        done = subprocess.run(["git", "check-ref-format", f"refs/tags/{tag}"])
        # What begins with a hyphen is an option to git's commands.
        assert is_tag(tag) == (done.returncode == 0 and not tag.startswith("-")), tag


def test_a_stub_that_somebody_edited(small, capsys):
    edit(small, NOTEBOOKS[2], 'raise NotImplementedError(\\"exercise 01.1\\")', "return 2 * x")
    assert refused(small, capsys).startswith(f"{NOTEBOOKS[2]}: somebody changed this stub since it was built")


@pytest.mark.parametrize("name", EXECUTED)
@pytest.mark.parametrize("repository", [GITHUB, "https://github.com/someone/small-course"])  # another, or the same
def test_a_notebook_that_was_run_since(small, capsys, name, repository):
    edit(small, name, '"execution_count": 1,', '"execution_count": 7,')
    text = f"{name}: changed since it was built, by hand or by running it. Build lesson 01, then stamp again.\n"
    assert refused(small, capsys, repository, "v1.0") == text


@pytest.mark.parametrize("name", [NOTEBOOKS[2], *EXECUTED])
def test_a_notebook_that_is_missing(small, capsys, name):
    (small / name).unlink()
    assert refused(small, capsys) == f"{name}: missing. Build lesson 01, then stamp again.\n"


def test_a_source_that_was_edited_since(small, capsys):
    edit(small, LESSON, "SEED = 0", "SEED = 1")
    assert refused(small, capsys) == (
        f"{NOTEBOOKS[0]}: the cell of {LESSON}:9 is another one here. Build lesson 01, then stamp again.\n"
    )


def test_an_exercise_whose_points_were_edited_since(small, capsys):
    edit(small, DOUBLE, "points=2", "points=5")
    text = f"{NOTEBOOKS[2]}: not what its source makes. Build lesson 01, then stamp again.\n"
    assert refused(small, capsys) == text


def test_a_cell_with_another_id(small, capsys):
    notebook = json.loads((small / NOTEBOOKS[2]).read_text())
    notebook["cells"][-2]["id"] = "another"  # the last one is generated
    content = (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()
    (small / NOTEBOOKS[2]).write_bytes(content)
    recorded = digests.load(small)
    recorded[NOTEBOOKS[2]]["sha256"] = digests.digest(content)
    (small / digests.FILE).write_text(digests.text(recorded))
    assert "Build lesson 01, then stamp again." in refused(small, capsys)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[tool.course",
        "[tool]\ncourse = 3",
        '[tool]\ncourse = {repository = "x", tag = "y"}',
        '[tool.course]\nrepository = """x"""\ntag = "v1"',
    ],
)
def test_settings_that_cannot_be_stamped(small, capsys, text):
    (small / "pyproject.toml").write_text(text)
    assert refused(small, capsys).startswith("pyproject.toml: [tool.course] is not of the form that can be stamped.")


def test_a_course_without_lessons_is_stamped_too(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.course]\nrepository = "x"\ntag = "y"\n')
    stamp(tmp_path)
    assert address(tmp_path) == Address(GITHUB, TAG) and Lesson(tmp_path, STEM) not in all_lessons(tmp_path)


def test_links_of_a_public_copy_are_addresses_and_come_back_whatever_the_address_was():
    """Of all pages: none that leads from folder to folder, which Colab would not follow; and the badge stays."""
    count = 0
    for path in [*REPOSITORY.glob("notebooks/*.ipynb"), *REPOSITORY.glob("exercises/*.ipynb")]:
        folder = path.parent.name
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                text = "".join(cell["source"])
                public = links.published(text, folder, OWN)
                found = re.findall(r"(?<=\]\()(?!#)[^()\s]*", public)
                assert [one for one in found if not one.startswith("https://")] == []
                assert links.at_home(public, folder) == text
                count += text != public
    assert count > 150
    badge = links.badge(OWN, f"notebooks/{STEM}.ipynb")
    assert links.at_home(badge, "notebooks") == badge and learn.relinked(badge, "notebooks") == badge


def test_make_learn_leads_to_its_copies_in_a_public_copy_too():
    text = "[a](../exercises/01_a.ipynb#Exercise-01.2:-x) [b](01a_b.ipynb) [c](../reference/map.md#x) [d](../README.md)"
    assert learn.relinked(links.published(text, "notebooks", OWN), "notebooks") == learn.relinked(text, "notebooks")
