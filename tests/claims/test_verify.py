"""python -m claims verify: a recorded seed measured again, and how far its numbers may be from the record's."""

from __future__ import annotations

import random

import numpy as np
import pytest
import xarray as xr

from claims.__main__ import main
from claims.verifying import Verified, verify
from tests.claims.helpers import CLAIMS_90, by_seed, forget, keep
from tests.claims.helpers import course as course
from utils.claims import Experiment, NoRecord, find, recorded
from utils.claims.records import load

INF, NAN = float("inf"), float("nan")


@pytest.fixture
def recording(course, capsys):
    """The course with records of lesson 90, and what the recording said forgotten."""
    assert main(["run", "--lesson", "90", "--record"]) == 1
    (course / "calls.txt").unlink()
    capsys.readouterr()
    return course


def verified(capsys, *arguments: str) -> tuple[int, dict[str, str], str]:
    """The exit status, the rows of the table by experiment, and what went to standard error."""
    status = main(["verify", *arguments])
    out, err = capsys.readouterr()
    head, line, *rows = out.split("\n\n")[0].splitlines()
    assert head.split()[:4] == ["experiment", "seed", "numbers", "seconds"] and not line.strip("- ")
    assert "A number may differ by 1e-03 of itself plus 1e-06, a time by the factor 10." in out
    return status, {row.split()[0]: row for row in rows}, err


def edit(course, before: str, after: str) -> None:
    """Change the lesson's claims, as somebody does between two runs."""
    lesson = course / CLAIMS_90
    text = lesson.read_text()
    assert before in text
    lesson.write_text(text.replace(before, after))
    forget()


def compared(before: list, now: list, **fields) -> Verified:
    """Verify an experiment with these two numbers in its record, that measures those now."""

    def numbers(values: list, seeds: list[int]) -> xr.Dataset:
        return xr.Dataset({"a": (("seed", "k"), [values] * len(seeds))}, {"seed": seeds, "k": ["u", "v"]})

    keep("90_x", numbers(before, [7, 8]))
    return verify(Experiment("90_x", lambda seeds: numbers(now, seeds), {"k": ["u", "v"]}, **fields))


# --- what is tolerated ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (1.0, 1.0009),
        (-2000.0, -1998.2),
        (0.0, 9e-7),
        (1e-9, 5e-7),
        (0.12346, 0.123456789),
        (5, 5),
        (True, True),
        (NAN, NAN),
        (INF, INF),
        (-INF, -INF),
    ],
)
def test_numbers_agree_to_a_thousandth_or_a_millionth(course, before, now):
    one = compared([1, before], [1, now])
    assert one.agrees and one.numbers == 2 and one.seeds == [7]


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        (1.0, 1.0011, "a 1, now 1.0011"),
        (-1.0, 1.0, "a -1, now 1"),
        (0.0, 2e-6, "a 0, now 2e-06"),
        (2e-6, 0.0, "a 2e-06, now 0"),
        (100, 101, "a 100, now 101"),
        (True, False, "a 1, now 0"),
        (NAN, 0.5, "a nan, now 0.5"),
        (0.5, NAN, "a 0.5, now nan"),
        (INF, 0.5, "a inf, now 0.5"),
        (0.5, INF, "a 0.5, now inf"),
        (INF, -INF, "a inf, now -inf"),
        (NAN, INF, "a nan, now inf"),
    ],
)
def test_one_number_that_differs_by_more_is_named(course, before, now, words):
    one = compared([before, before], [before, now])
    assert not one.agrees and one.worst == words
    assert one.row[-1] == f"DIFFERS: {words}"


def test_the_worst_of_all_numbers_is_named(course):
    assert compared([1, 1000], [1.01, 1002]).worst == "a 1, now 1.01"
    assert compared([1, 1000], [1.01, 1020]).worst == "a 1000, now 1020"


@pytest.mark.parametrize("factor", [2, 1 / 2, 9.9])
def test_times_agree_in_their_order_of_magnitude(course, factor):
    one = compared([0.001, 30], [0.001, 30 * factor], timing=True)
    assert one.agrees and one.row[-1] == "same order of magnitude"


def test_a_time_that_was_0_and_is_0_agrees(course):
    assert compared([0, 30], [0, 30], timing=True).off == 0


@pytest.mark.parametrize("now", [600, 1.5, 310, NAN])
def test_times_of_another_order_of_magnitude_differ(course, now):
    one = compared([0.001, 30], [0.001, now], timing=True)
    assert not one.agrees and one.worst == f"a 30, now {now}"


@pytest.mark.parametrize(("share", "wanted"), [(0.49, "DIFFERS: a 2, now 3"), (0.5, "agrees, but for 1 unstable")])
def test_a_share_of_an_array_may_be_decided_by_rounding(course, share, wanted):
    assert compared([1, 2], [1, 3], unstable={"a": share}).row[-1] == wanted
    assert compared([1, 2], [1, 2], unstable={"a": share}).row[-1] == "agrees"
    assert not compared([1, 2], [2, 3], unstable={"a": share}).agrees
    assert not compared([1, 2], [1, 3], unstable={"b": share}).agrees


def test_the_order_of_the_axes_does_not_matter(course):
    data = xr.Dataset({"a": (("seed", "n", "k"), [[[1, 2], [3, 4]]])}, {"seed": [7], "n": [5, 6], "k": ["u", "v"]})
    keep("90_x", data)
    axes = {"n": [5, 6], "k": ["u", "v"]}
    assert verify(Experiment("90_x", lambda seeds: data.transpose("k", "n", "seed"), axes)).off == 0


# --- the command line -------------------------------------------------------------------------------------


def test_after_a_recording_one_seed_of_each_experiment_agrees(recording, capsys):
    status, rows, err = verified(capsys)
    assert (status, err, list(rows)) == (0, "", ["90_gain", "90_loss"])
    measured = dict(line.split() for line in (recording / "calls.txt").read_text().splitlines())
    assert list(measured) == ["gain", "loss"]  # a call for each, of one seed
    for name, numbers in (("90_gain", "3"), ("90_loss", "1")):
        _, seed, counted, seconds, tolerated, verdict = rows[name].split()
        assert seed == measured[name.removeprefix("90_")] and int(seed) in load(name).seeds
        assert counted == numbers and float(seconds) < 5 and int(tolerated.removesuffix("%")) <= 5  # five digits
        assert verdict == "agrees"


def test_the_seed_is_the_first_or_drawn_from_all_that_are_recorded(recording):
    experiment = find("90.loses").experiment
    seeds = load("90_loss").seeds
    assert verify(experiment).seeds == [seeds[0]]
    assert {verify(experiment, random.Random(n)).seeds[0] for n in range(1000)} == set(seeds)


def test_the_command_draws_another_seed_every_time(recording, capsys):
    assert len({verified(capsys)[1]["90_loss"].split()[1] for _ in range(6)}) > 1


def test_one_changed_number_of_the_record_differs(recording, capsys):
    data = recorded("90_gain").isel(seed=[0])  # the only one that can be drawn
    right = float(data["gain"][0])
    data["gain"][0] += 0.01
    keep("90_gain", data)
    status, rows, _ = verified(capsys)
    assert status == 1 and rows["90_gain"].endswith(f"DIFFERS: gain {right + 0.01:.5g}, now {right:.5g}")
    assert rows["90_loss"].endswith("agrees")
    data["gain"][0] = np.nan
    keep("90_gain", data)
    status, rows, _ = verified(capsys)
    assert status == 1 and rows["90_gain"].endswith(f"DIFFERS: gain nan, now {right:.5g}")


def test_code_that_measures_something_else_differs(recording, capsys):
    edit(recording, "draw(seeds, 0.5)", "draw(seeds, 0.6)")
    status, rows, _ = verified(capsys)
    assert status == 1 and " DIFFERS: gain 0." in rows["90_gain"] and rows["90_loss"].endswith("agrees")


def test_values_under_each_others_labels_differ(recording, capsys):
    edit(recording, 'gain["seed"] * factor', '(gain["seed"] * factor)[:, ::-1].assign_coords(factor=[*FACTORS])')
    status, rows, _ = verified(capsys)
    assert status == 1 and "DIFFERS: product " in rows["90_gain"]


def test_a_record_with_the_values_of_an_axis_exchanged_is_refused(recording, capsys):
    edit(recording, "(7, 11)", "(11, 7)")
    words = "90_gain measures: the axis 'factor' is [7, 11] there, and [11, 7] in the experiment."
    with pytest.raises(NoRecord) as refused:
        recorded("90_gain")
    status, rows, err = verified(capsys)
    assert status == 1 and words in str(refused.value) and words in err
    assert list(rows) == ["90_loss"]


def test_a_measure_with_other_axes_than_its_experiment_is_refused(recording, capsys):
    edit(recording, '{"factor": [*FACTORS]}', '{"factor": [11, 7]}')
    status, rows, err = verified(capsys)
    assert status == 1 and list(rows) == ["90_loss"]
    assert "90_gain: in what measure returned the axis 'factor' is [11, 7] there, and [7, 11] in the exp" in err


def test_missing_and_damaged_records_are_no_agreement(course, capsys):
    keep("90_loss", by_seed(loss=range(12)))
    (course / "results" / "90_loss.json").write_text("{}")
    status, rows, err = verified(capsys)
    assert (status, rows) == (1, {})
    assert "claims: There is no record of '90_gain' in results/: measure it with `make claims LESSON=90" in err
    assert "claims: results/90_loss.json is damaged" in err


def test_times_are_compared_by_their_order_of_magnitude_alone(recording, capsys):
    edit(recording, "chunk=12", "chunk=12, timing=True")
    edit(recording, "draw(seeds, 1.0)})", "2 * draw(seeds, 1.0)})")
    status, rows, _ = verified(capsys, "--only", "90_loss")
    assert status == 0 and " 30% " in rows["90_loss"] and rows["90_loss"].endswith("  same order of magnitude")
    edit(recording, "2 * draw", "20 * draw")
    assert verified(capsys, "--only", "90_loss")[0] == 1


def test_only_what_is_asked_for_is_measured_again(recording, capsys):
    assert list(verified(capsys, "--only", "90.loses")[1]) == ["90_loss"]
    assert list(verified(capsys, "--lesson", "90", "--only", "90_gain")[1]) == ["90_gain"]
    assert main(["verify", "--only", "90.wins"]) == 2
    assert main(["verify", "--lesson", "07"]) == 2
    err = capsys.readouterr().err
    assert "there is no claim or experiment 90.wins here" in err and "There is no lesson 07 with claims" in err


# --- what cannot be compared ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('{"gain": gain, ', '{"gain": gain, "more": gain, ', "'more': {'seed'}"),
        ('"product": gain["seed"] * factor', '"product": factor + 0 * gain, "again": gain', "'again': {'seed'}"),
        ('xr.Dataset({"gain": gain', 'xr.Dataset({"profit": gain', "'profit': {'seed'}"),
        ('if Path("broken").exists()', "if True", "no luck"),
    ],
)
def test_what_cannot_be_compared_is_told_and_the_rest_is_verified(recording, capsys, before, after, words):
    edit(recording, before, after)
    status, rows, err = verified(capsys)
    assert status == 1 and list(rows) == ["90_loss"] and words in err and "90_gain" in err
