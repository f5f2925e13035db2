"""Which exercises' proofs are left out: those of which nothing has changed since a run in which they were green."""

from __future__ import annotations

import json
import shutil
from types import SimpleNamespace

import pytest

from tests import marks, proofs
from utils.exercises import stored_cases

ANSWERS = "tests/lesson_01/answers/left_weights.py"
SOLUTION = "solutions/01_universal_approximation.py"


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A copy of what proofs rest on, taken for the course."""
    for package in ("authoring", "tests", "utils"):
        shutil.copytree(
            marks.ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.ipynb", "__pycache__")
        )
    (tmp_path / "solutions").mkdir()
    shutil.copy(marks.ROOT / SOLUTION, tmp_path / SOLUTION)
    monkeypatch.setattr(proofs, "ROOT", tmp_path)
    monkeypatch.setattr(proofs, "RECORD", tmp_path / "tests/proofs.json")
    monkeypatch.setattr(stored_cases, "FOLDER", tmp_path / "utils/exercises/cases")
    proofs._solution.cache_clear()
    yield tmp_path
    proofs._solution.cache_clear()


@pytest.mark.parametrize(
    ("file", "old", "new", "changes"),
    [
        ("utils/lesson_01/exercises/left_weights.py", "points=", "points=1 + ", ["01.2"]),
        (ANSWERS, "SUITE = ", "CHANGED = SUITE = ", ["01.2"]),
        ("utils/constructions.py", "def relu_interpolant(", "CHANGED = True\n\n\ndef relu_interpolant(", ["01.2"]),
        (ANSWERS, "SUITE = ", "# changed\nSUITE = ", []),
        ("utils/exercises/scoring.py", "CONSTANT_HINT = ", "CHANGED = CONSTANT_HINT = ", ["01.2", "01.1"]),
        ("tests/engine/test_answers.py", "ROOT = ", "CHANGED = ROOT = ", ["01.2", "01.1"]),
        (SOLUTION, "# exercise 01.2\n", "# exercise 01.2\nCHANGED = True\n", ["01.2", "01.1"]),
        (SOLUTION, "# %% [markdown]\n", "# %% [markdown]\n# changed\n", []),
    ],
)
def test_a_digest_is_that_of_all_that_a_proof_rests_on(tree, file, old, new, changes):
    before = {one: proofs.digest(one) for one in ("01.2", "01.1")}
    text = (tree / file).read_text(encoding="utf-8")
    (tree / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert text != text.replace(old, new, 1)
    proofs._solution.cache_clear()
    assert [one for one in before if proofs.digest(one) != before[one]] == changes


def test_a_digest_is_that_of_the_stored_cases(tree):
    before = {one: proofs.digest(one) for one in ("01.2", "01.1")}
    path = tree / "utils/exercises/cases/01.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    cases["01.2"].pop()
    path.write_text(json.dumps(cases), encoding="utf-8")
    assert [one for one in before if proofs.digest(one) != before[one]] == ["01.2"]


def test_another_library_or_python_is_another_proof(tree, monkeypatch):
    found = {proofs.digest("01.2")}
    with monkeypatch.context() as patched:
        patched.setattr(proofs, "version", lambda name: "0.1")
        found.add(proofs.digest("01.2"))
    monkeypatch.setattr(proofs.platform, "python_version_tuple", lambda: ("3", "99", "0"))
    assert len({*found, proofs.digest("01.2")}) == 3


def item(exercise_id: str | None, file: str = proofs.TESTS) -> SimpleNamespace:
    """A test, as far as the choice looks at it."""
    found = [marks.exercise(exercise_id)] if exercise_id else []
    return SimpleNamespace(nodeid=f"{file}::test_a", iter_markers=lambda: found, user_properties=[])


def plugin(how: str, **worker: object) -> proofs.Proofs:
    return proofs.Proofs(SimpleNamespace(option=SimpleNamespace(proofs=how), **worker))


def test_what_is_recorded_is_left_out_and_handed_to_workers(tree):
    proofs.RECORD.write_text(json.dumps({"01.2": proofs.digest("01.2"), "01.1": "another"}))
    one, node, out = plugin("unrecorded"), SimpleNamespace(workerinput={}), []
    assert one.left_out == {"01.2"} and plugin("all").left_out == plugin("record").left_out == set()
    one.pytest_configure_node(node)
    assert plugin("unrecorded", workerinput=node.workerinput).left_out == {"01.2"}
    proved, *others = items = [item("01.2"), item("01.1"), item(None), item("01.2", "tests/engine/test_lent.py")]
    config = SimpleNamespace(hook=SimpleNamespace(pytest_deselected=lambda items: out.extend(items)))
    one.pytest_collection_modifyitems(config, items)
    assert items == others and out == [proved]


def test_only_what_was_green_is_recorded(tree):
    proofs.RECORD.write_text(json.dumps({"01.1": "before", "01.3": "before", "09.1": "of no exercise"}))
    one = plugin("record")
    for exercise_id, failed in (("01.2", False), ("01.1", False), ("01.1", True), (None, True)):
        one.pytest_runtest_logreport(SimpleNamespace(user_properties=[("proves", exercise_id)], failed=failed))
    one.pytest_sessionfinish(SimpleNamespace(config=SimpleNamespace()))
    assert json.loads(proofs.RECORD.read_text()) == {"01.2": proofs.digest("01.2"), "01.3": "before"}
