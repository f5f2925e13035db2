"""python -m claims: resuming, recording, exit codes, damage, and what `check` sees."""

from __future__ import annotations

import io
import json
import random
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from tqdm import tqdm

from claims import ClaimsError, running
from claims.__main__ import main
from claims.measurement import Measurement, checked, fresh_seeds, measured
from claims.table import table
from cluster.provenance import versions
from tests.claims.helpers import CLAIMS_90, SHOWN, by_seed, copied, forget, keep
from tests.claims.helpers import course as course
from tests.claims.sampling import sample, sample_minutes
from tests.grading.helpers import wait_for
from utils.claims import Claim, Experiment, NoRecord, recorded
from utils.claims.evaluation import Evaluation
from utils.claims.records import load
from utils.statistics import Estimate

TRUE = ["--only", "90.gains", "90.loses"]


def calls() -> list[list[str]]:
    """The seeds of each call of a measure so far."""
    path = Path("calls.txt")
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def seeds_of(kept: Path, name: str = "90_gain") -> list[int]:
    return json.loads((kept / name / "plan.json").read_text())["seeds"]


def interrupt_after(monkeypatch, chunks: int, *options: str) -> None:
    """Interrupt a run with these options when this many chunks are measured."""
    left = iter(range(chunks))

    def measured_or_stopped(experiment, seeds):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return measured(experiment, seeds)

    monkeypatch.setattr(running, "measured", measured_or_stopped)
    assert main(["run", *TRUE, *options]) == 130
    monkeypatch.setattr(running, "measured", measured)


def measure_chunk(measurement: Measurement, index: int) -> Measurement:
    """Measure and keep one chunk."""
    measurement.keep(index, measured(measurement.experiment, measurement.plan.chunks()[index]))
    return measurement


# --- a run ------------------------------------------------------------------------------------------------


def test_true_claims_hold_and_the_table_says_so(course, capsys):
    assert main(["run", *TRUE]) == 0
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if line.startswith("90.gains "))
    assert row.split()[-1] == "holds" and "20" in row.split() and "median at least 0.2" in row
    assert "2 claims: 2 hold, 0 open, 0 refuted." in out
    assert not (course / "results").exists()


def test_a_false_claim_is_refuted_and_named(course, capsys):
    assert main(["run", "--lesson", "90"]) == 1
    out = capsys.readouterr().out
    assert "REFUTED" in next(line for line in out.splitlines() if line.startswith("90.gains-little"))
    assert "Refuted: 90.gains-little: It gains next to nothing." in out


def test_fresh_seeds_are_distinct_and_far_from_the_fixed_ones(course):
    assert main(["run", *TRUE]) == 0
    first = seeds_of(course / "claims-runs")
    assert main(["run", *TRUE]) == 0  # the first has come to its end
    second = seeds_of(course / "claims-runs")
    assert len({*first, *second}) == 40 and min(*first, *second) >= 2**20
    drawn = fresh_seeds(10_000)
    assert len(set(drawn)) == 10_000 and min(drawn) >= 2**20 and max(drawn) < 2**31


def test_only_what_is_asked_for_is_measured(course):
    assert main(["run", "--only", "90_loss"]) == 0
    assert [call[0] for call in calls()] == ["loss"] and len(calls()[0]) == 13


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--lesson", "07"], "There is no lesson 07 with claims. There are: 90."), (["--only", "90.x"], "90.x")],
)
def test_what_there_is_not_is_refused(course, capsys, arguments, words):
    assert main(["run", *arguments]) == 2
    assert words in capsys.readouterr().err and calls() == []


def test_a_lesson_without_claims_is_no_error(course, capsys):
    (course / CLAIMS_90).write_text("CLAIMS = []\n")
    assert main(["run", "--record"]) == 0 and "no claims here yet" in capsys.readouterr().out
    (course / "notebooks" / "90_fixture.py").write_text("")
    assert main(["check"]) == 0


# --- interrupted ------------------------------------------------------------------------------------------


def test_an_interrupted_run_goes_on_with_the_same_seeds(course, monkeypatch):
    interrupt_after(monkeypatch, 2, "--record")
    seeds = seeds_of(course / "claims-runs")
    assert len(calls()) == 2 and len(seeds) == 80
    assert main(["run", *TRUE, "--record"]) == 0
    measured = [int(seed) for call in calls() if call[0] == "gain" for seed in call[1:]]
    assert measured == seeds == load("90_gain").seeds
    assert [len(call) - 1 for call in calls()] == [*13 * [6], 2, *4 * [12]]


def test_a_run_that_was_measured_but_not_finished_is_not_measured_again(course, monkeypatch):
    interrupt_after(monkeypatch, 4)  # all of 90_gain, nothing of 90_loss
    assert main(["run", "--only", "90_gain"]) == 1
    assert len(calls()) == 4


def test_fresh_forgets_an_interrupted_run(course, monkeypatch):
    interrupt_after(monkeypatch, 2)
    before = seeds_of(course / "claims-runs")
    assert main(["run", *TRUE, "--fresh"]) == 0
    assert not set(before) & set(seeds_of(course / "claims-runs"))
    assert [len(call) - 1 for call in calls()] == [6, 6, 6, 6, 6, 2, 12]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("helper", "utils/"),
        ("new", "utils/"),
        ("name", "utils/"),
        ("version", "numpy"),
    ],
)
def test_changed_code_starts_the_experiment_anew_and_says_so(course, monkeypatch, capsys, change, words):
    helper, deep = course / "utils" / "helper_90.py", course / "utils" / "lesson_91" / "deep.py"
    deep.parent.mkdir()
    deep.touch()
    interrupt_after(monkeypatch, 2)
    before = seeds_of(course / "claims-runs")
    if change == "helper":
        helper.open("a").write("# better\n")
    elif change == "new":
        deep.with_name("new.py").touch()
    elif change == "name":
        deep.rename(deep.with_name("deeper.py"))
    else:
        monkeypatch.setattr("cluster.provenance.versions", lambda: {**versions(), "numpy": "0.1"})
    assert main(["run", *TRUE]) == 0
    out = capsys.readouterr().out
    assert f"90_gain: changed since it was begun: {words}" in out and "measured anew" in out
    assert not set(before) & set(seeds_of(course / "claims-runs"))


def numbered(seeds) -> xr.Dataset:
    return by_seed(a=seeds).assign_coords(seed=seeds)


@pytest.mark.parametrize("other", [{"seeds": 24}, {"chunk": 5}])
def test_another_number_of_seeds_starts_the_experiment_anew(tmp_path, capsys, other):
    before, now = (Experiment("90_x", numbered, **{"seeds": 12, **changes}) for changes in ({}, other))
    measure_chunk(Measurement(before, tmp_path, {}, seeds=before.seeds), 0)
    assert Measurement(before, tmp_path, {}, seeds=before.seeds).missing == [1]
    assert Measurement(now, tmp_path, {}, seeds=now.seeds).missing == [0, 1, 2]
    assert "how many seeds there are" in capsys.readouterr().out


def test_a_failing_experiment_keeps_nothing_from_the_rest(course, capsys):
    (course / "broken").touch()
    assert main(["run", "--lesson", "90", "--record"]) == 2
    captured = capsys.readouterr()
    assert "90_gain: measuring it failed" in captured.err and "RuntimeError: no luck" in captured.err
    assert "1 claim: 1 hold," in captured.out and "Recorded in results/: 90_loss." in captured.out
    (course / "broken").unlink()
    assert main(["run", "--lesson", "90", "--record"]) == 1
    assert [call[0] for call in calls()] == ["gain", *4 * ["loss"], *14 * ["gain"]]


def test_the_bar_counts_from_what_is_there_to_the_end(course, monkeypatch):
    interrupt_after(monkeypatch, 2)
    bars = []

    class Bar(tqdm):
        def __init__(self, **options):
            super().__init__(**{**options, "disable": False, "file": io.StringIO()})
            bars.append((self, self.n))

    monkeypatch.setattr("claims.running.tqdm", Bar)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["run", *TRUE]) == 0
    ((bar, begun),) = bars
    seconds = 0.2 * 60 + 0.1 * 60
    assert (begun, bar.n, bar.total) == (0.2 * 60 * 12 / 20 * 1000, seconds * 1000, seconds * 1000)


@pytest.mark.slow
def test_a_killed_run_loses_one_chunk_at_most(root, tmp_path, monkeypatch):
    """The real thing: SIGKILL in the middle of the third chunk, and the same command again."""
    copied(root, tmp_path)
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "claims", "run", "--only", "90.gains", "--record"]
    (tmp_path / "stuck").touch()
    kept = tmp_path / "claims-runs" / "90_gain"
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        wait_for(lambda: len(calls()) == 3)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    before = {path.name: path.read_bytes() for path in kept.glob("chunk_*.json")}
    seeds = seeds_of(kept.parent)
    assert process.returncode == -signal.SIGKILL and sorted(before) == ["chunk_000.json", "chunk_001.json"]
    (tmp_path / "stuck").unlink()
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert before.items() <= {path.name: path.read_bytes() for path in kept.glob("chunk_*.json")}.items()
    assert [len(call) - 1 for call in calls()] == [*14 * [6], 2]  # the third, twice
    record = json.loads((tmp_path / "results" / "90_gain.json").read_text())
    drawn = [float(f"{np.random.default_rng(seed).normal(0.5, 0.1):.5g}") for seed in seeds]
    assert record["axes"] == {"seed": seeds, "factor": [7, 11]}
    assert record["arrays"]["gain"] == {"axes": ["seed"], "values": drawn}


# --- damage -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damaged", [b"", b"{", b"a\nb", b"{}", b"[1]", b"\xff"])
def test_a_damaged_chunk_is_measured_anew(course, monkeypatch, capsys, damaged):
    interrupt_after(monkeypatch, 3)
    path = course / "claims-runs" / "90_gain" / "chunk_001.json"
    path.write_bytes(damaged)
    seeds = seeds_of(course / "claims-runs")
    assert main(["run", *TRUE]) == 0
    assert "90_gain: chunk_001.json is damaged, so what it held is measured anew." in capsys.readouterr().out
    assert [int(seed) for seed in calls()[3][1:]] == seeds[6:12] == json.loads(path.read_text())["seeds"]
    assert seeds_of(course / "claims-runs") == seeds


def test_a_chunk_of_another_run_is_not_taken_for_ones_own(course, monkeypatch):
    assert main(["run", *TRUE]) == 0
    path = course / "claims-runs" / "90_gain" / "chunk_000.json"
    other = path.read_bytes()
    interrupt_after(monkeypatch, 1)
    path.write_bytes(other)
    assert main(["run", *TRUE, "--record"]) == 0
    seeds = seeds_of(course / "claims-runs")
    assert load("90_gain").seeds == seeds
    drawn = [np.random.default_rng(seed).normal(0.5, 0.1) for seed in seeds]
    assert recorded("90_gain")["gain"].values == pytest.approx(drawn, rel=1e-4)


def test_a_damaged_plan_begins_the_experiment_anew(course, monkeypatch, capsys):
    interrupt_after(monkeypatch, 2)
    plan = course / "claims-runs" / "90_gain" / "plan.json"
    plan.write_text(plan.read_text()[:40])
    assert main(["run", *TRUE]) == 0
    assert "plan.json is damaged" in capsys.readouterr().out
    assert len(calls()) == 7 and len(seeds_of(course / "claims-runs")) == 20


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (None, "measure returned NoneType; an xarray.Dataset is wanted"),
        ({"a": [1, 2]}, "measure returned dict"),
        (xr.Dataset(), "measure returned no array"),
        (xr.Dataset({"a": 1.0}), r"measure returned an array 'a' of float64, with the axes \(\)"),
        (
            xr.Dataset({"a": ("k", [1, 2])}, {"k": ["u", "v"]}),
            r"with the axes \('k',\). .* an axis .seed.",
        ),
        (numbered([1, 2]).astype(str), "'a' of <U"),
        (numbered([1, 2]).rename(a="a b"), "'a b'"),
        (numbered([2, 1]), r"measure returned the seeds \[2 1\], not \[1, 2\]"),
        (by_seed(a=[1, 2]), r"measure returned the seeds \[0 1\], not \[1, 2\]"),
        (numbered([1, 2]), "the axis 'k' is missing there, and ..u', 'v'. in the experiment"),
        (numbered([1, 2]).expand_dims(k=["v", "u"]), "the axis 'k' is ..v', 'u'. there, and ..u', 'v'. in the"),
        (numbered([1, 2]).expand_dims(k=["u", "v"], n=[3]), "the axis 'n' is .3. there, and missing in the"),
    ],
)
def test_what_a_measure_must_not_return(returned, words):
    with pytest.raises(ClaimsError, match=f"90_x: .*{words}"):
        checked(Experiment("90_x", print, {"k": ["u", "v"]}), returned, [1, 2])


def test_what_a_measure_returns_may_have_its_axes_in_any_order():
    data = numbered([1, 2]).expand_dims(k=["u", "v"])
    assert data["a"].dims == ("k", "seed") and data["a"].dtype.kind == "i"
    assert checked(Experiment("90_x", print, {"k": ["u", "v"]}), data, [1, 2]) is data


@pytest.mark.parametrize("other", [lambda data: data.rename(a="c"), lambda data: data.assign(a=data["b"])])
def test_chunks_with_other_arrays_are_no_measurement(tmp_path, other):
    changes = iter([lambda data: data, other])

    def measure(seeds):
        data = numbered(seeds)
        return next(changes)(data.assign(b=data["a"].expand_dims(k=["u", "v"])))

    measurement = Measurement(Experiment("90_x", measure, {"k": ["u", "v"]}, seeds=12, chunk=6), tmp_path, {}, seeds=12)
    with pytest.raises(ClaimsError, match="not been measured yet"):
        measurement.record()
    for index in measurement.missing:
        measure_chunk(measurement, index)
    with pytest.raises(ClaimsError, match="other names or axes"):
        measurement.record()


def test_a_chunk_is_read_back_as_it_was_measured(tmp_path):
    data = numbered([*range(12)]).assign(
        flags=("seed", [True, False] * 6),
        odd=("seed", [np.nan, np.inf, -np.inf] * 4),
        deep=(("k", "seed"), np.random.default_rng(0).normal(size=(2, 12))),
    )
    data = data.assign_coords(k=["u", "größer"])
    experiment = Experiment("90_x", lambda seeds: data.assign_coords(seed=seeds), {"k": ["u", "größer"]}, 12, chunk=12)
    measurement = Measurement(experiment, tmp_path, {}, seeds=12)
    measure_chunk(measurement, 0)
    again = Measurement(experiment, tmp_path, {}, seeds=12)
    assert again.missing == []
    xr.testing.assert_identical(again.record().data, measurement.record().data)
    assert {name: values.dtype for name, values in again.record().data.items()} == dict(data.dtypes)


# --- records ----------------------------------------------------------------------------------------------


def test_a_record_says_how_it_came_about(course, capsys):
    assert main(["run", "--lesson", "90", "--record"]) == 1  # what is refuted is recorded, too
    assert "Recorded in results/: 90_gain, 90_loss." in capsys.readouterr().out
    record = load("90_gain")
    assert record.seeds == seeds_of(course / "claims-runs")
    assert record.versions == versions()
    assert {"python", "numpy", "torch"} <= record.versions.keys()
    assert record.versions["numpy"] == np.__version__ and record.minutes >= 0
    product = recorded("90_gain")["product"]
    assert product.dtype.kind == "i" and product.dims == ("seed", "factor")
    for factor in (7, 11):
        assert product.sel(factor=factor).values.tolist() == [seed * factor for seed in record.seeds]


def test_nothing_is_recorded_before_all_of_it_is_measured(course, monkeypatch):
    interrupt_after(monkeypatch, 3)
    with pytest.raises(NoRecord):
        recorded("90_gain")
    assert main(["run", *TRUE]) == 0
    assert not (course / "results").exists()


# --- check ------------------------------------------------------------------------------------------------


def check(capsys) -> tuple[int, list[str]]:
    capsys.readouterr()
    return main(["check"]), capsys.readouterr().out.splitlines()


AGAIN = "`make claims LESSON=90 RECORD=yes` measures and records it"


def test_missing_records_are_listed_and_no_error(course, capsys):
    assert check(capsys) == (
        0,
        [
            f"results/90_gain.json: not recorded yet; {AGAIN}",
            f"results/90_loss.json: not recorded yet; {AGAIN}",
            "Lessons, claims and records fit together. Claims: 3.",
        ],
    )


def test_a_claim_that_its_record_refutes_is_an_error(course, capsys):
    assert main(["run", *TRUE, "--record"]) == 0
    (course / "results" / "90_loss.json").unlink()
    status, (refuted, missing) = check(capsys)
    assert status == 1 and missing == f"results/90_loss.json: not recorded yet; {AGAIN}"
    assert refuted.startswith("claim 90.gains-little: 0.") and "]" in refuted
    assert refuted.endswith(" on its record, median in [-0.1, 0.1]: refuted")


def test_a_claim_that_its_record_leaves_open_is_listed_and_no_error(course, capsys):
    numbers = np.linspace(-1, 2, 20)
    keep("90_gain", by_seed(gain=numbers).assign_coords(factor=[7, 11]))
    keep("90_loss", by_seed(loss=numbers + 1))
    assert check(capsys) == (
        0,
        [
            "claim 90.gains: 0.5 [-0.211, 1.21] on its record, median at least 0.2: open",
            "claim 90.gains-little: 0.5 [-0.211, 1.21] on its record, median in [-0.1, 0.1]: open",
            "Lessons, claims and records fit together. Claims: 3.",
        ],
    )


def test_a_record_with_other_axes_is_an_error(course, capsys):
    assert main(["run", *TRUE, "--record"]) == 0
    lesson = course / CLAIMS_90
    lesson.write_text(lesson.read_text().replace("(7, 11)", "(11, 7)"))
    forget()
    status, lines = check(capsys)
    assert (status, len(lines)) == (1, 1) and lines[0].startswith(
        "results/90_gain.json is not what 90_gain measures: "
        "the axis 'factor' is [7, 11] there, and [11, 7] in the experiment."
    )


def test_a_record_without_what_a_claim_needs_is_an_error(course, capsys):
    keep("90_loss", by_seed(win=range(12)))
    status, lines = check(capsys)
    assert status == 1 and lines[0].startswith("claim 90.loses: its effect fails with KeyError")


@pytest.mark.parametrize(
    ("shown", "problem"),
    [
        (SHOWN + 'claimed("90.wins")', "notebooks/90_fixture.py:4: there is no claim 90.wins"),
        (SHOWN + "# {{claim 90.wins}}", "notebooks/90_fixture.py:4: there is no claim 90.wins"),
        (SHOWN + "claims.claimed(name)", "notebooks/90_fixture.py:4: claimed needs the id itself first"),
        (SHOWN.replace('"90.loses"', '"90.gains"'), "claim 90.loses: no lesson shows it"),
    ],
)
def test_lessons_and_claims_must_fit_together(course, capsys, shown, problem):
    (course / "notebooks" / "90_fixture.py").write_text(shown)
    status, lines = check(capsys)
    assert status == 1 and lines[0].startswith(problem)
    assert not any("fit together" in line for line in lines)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ('"gain minus loss", low=0.2', "claim 90.gains says that one thing leads another"),
        ('"gain minus loss", low=0.2, tried="90.longer"', "claim 90.gains: its mirror control names 90.longer"),
        ('"gain minus loss", low=0.2, tried="Longer (90.loses)."', "Lessons, claims and records fit"),
        ('"gain minus loss", -0.2, 2', "Lessons, claims and records fit"),
    ],
)
def test_a_claim_that_one_thing_leads_another_names_a_mirror_control(course, capsys, change, problem):
    lesson = course / CLAIMS_90
    lesson.write_text(lesson.read_text().replace('"gain", low=0.2', change))
    forget()
    (course / "notebooks" / "90_fixture.py").write_text(SHOWN)
    _, lines = check(capsys)
    assert any(line.startswith(problem) for line in lines), lines


def test_a_mirror_control_is_shown_in_the_table_of_the_page_that_shows_its_claim(course, capsys):
    lesson = course / CLAIMS_90
    lesson.write_text(lesson.read_text().replace('"gain", low=0.2', '"gain", low=0.2, tried="Longer: 90.loses."'))
    forget()
    (course / "notebooks" / "90_fixture.py").write_text(SHOWN.replace('claimed("90.loses")', ""))
    assert check(capsys)[0] == 0


def test_a_claim_is_shown_where_its_figures_stand_in_a_sentence(course, capsys):
    (course / "notebooks" / "90_fixture.py").write_text(SHOWN.replace('claimed("90.loses")', "# {{claim 90.loses}}"))
    assert check(capsys)[0] == 0


def test_a_record_that_belongs_to_no_claim_or_is_damaged_is_an_error(course, capsys):
    numbers = np.ones(12)
    keep("90_old", by_seed(loss=numbers))
    status, lines = check(capsys)
    assert (status, lines[0]) == (1, "results/90_old.json: no claim rests on an experiment 90_old")
    results = course / "results"
    (results / "90_old.json").rename(results / "90_loss.json")
    assert "results/90_loss.json is not a record of 90_loss" in check(capsys)[1][0]
    (results / "90_loss.json").write_text("<<<<<<< HEAD")
    status, lines = check(capsys)
    assert status == 1 and lines[0].startswith("results/90_loss.json is damaged")
    keep("90_loss", by_seed(loss=numbers))
    assert check(capsys)[0] == 0


# --- the rest ---------------------------------------------------------------------------------------------


def test_the_widest_table_fits_into_120_columns():
    experiment = Experiment("90_x", measure=print)
    extreme = Estimate(-1.234e-06, -1.239e-06, -1.232e-06)
    claim = Claim(
        "90." + "x" * 29, experiment, "It is so. " * 30, len, "", low=-1.2345e-06, high=-1.2344e-06, range_set="after"
    )
    lines = table([Evaluation(claim, 1000, extreme, "refuted")]).splitlines()
    assert max(map(len, lines)) <= 120 and lines[2].startswith(claim.id) and lines[2].endswith("REFUTED")


def test_a_sample_is_a_quarter_that_can_refute_and_fits_its_time():
    experiments = [Experiment(f"90_x{n}", measure=print, seeds=80, minutes=8) for n in range(10)]
    assert experiments[0].sample == 20 and sample_minutes(experiments[0]) == 2
    assert Experiment("90_x", measure=print, seeds=20).sample == 11
    drawn = [sample(experiments, sample_minutes, 15, random.Random(seed)) for seed in range(50)]
    assert {len(part) for part in drawn} == {7}
    assert {one.name for part in drawn for one in part} == {one.name for one in experiments}
    assert len(sample(experiments, sample_minutes, 20, random.Random(0))) == 10
