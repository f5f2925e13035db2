"""What README opens with: its picture is the built page's, or a check says so and a build mends it."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest

from authoring import building, checking
from authoring.diagnostics import AuthoringError
from authoring.opening import CALL, PAGE, PICTURE, opening_diagnostics, pictures, still
from tests.authoring import courses


@pytest.fixture
def course(root, tmp_path) -> Path:
    """Return a built course with this one's page of the film, and a picture of its own."""
    for file in (PAGE, PICTURE):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / file, tmp_path / file)
    return courses.built(tmp_path)


@pytest.mark.parametrize("spoil", [lambda path: path.write_bytes(b"another"), Path.unlink], ids=["another", "none"])
def test_a_picture_that_is_not_the_films_is_found_and_a_build_mends_it(course, monkeypatch, capsys, spoil):
    picture = course / PICTURE
    wanted = picture.read_bytes()
    assert opening_diagnostics(course) == []
    spoil(picture)
    assert checking.check(course) == 1
    complaint = f"{PICTURE}: this is not the picture of the film in {PAGE}. Build a lesson, any.\n"
    assert complaint in capsys.readouterr().out
    monkeypatch.setattr(building, "chosen_pages", lambda *_: [])
    building.build(course)
    assert f"wrote {PICTURE}." in capsys.readouterr().out
    assert picture.read_bytes() == wanted and opening_diagnostics(course) == []


@pytest.mark.parametrize("lost", [{"source": "page.fold()"}, {"outputs": []}], ids=["no call", "no film"])
def test_a_page_without_the_film_is_refused(course, lost):
    notebook = nbformat.read(course / PAGE, as_version=4)
    next(cell for cell in notebook.cells if CALL in cell.source).update(lost)
    nbformat.write(notebook, course / PAGE)
    for asked in (still, pictures, opening_diagnostics):
        with pytest.raises(AuthoringError, match=f"{PAGE}: README opens with .*not there. Build it"):
            asked(course)


@pytest.mark.parametrize("without", [PAGE, "site"])
def test_a_course_without_that_page_or_without_a_site_has_no_picture(course, without):
    shutil.rmtree(course / without) if without == "site" else (course / without).unlink()
    assert pictures(course) == {} and opening_diagnostics(course) == []
