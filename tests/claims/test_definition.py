"""Claims: their definitions, verdicts, records, and what a lesson shows of them."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import numpy as np
import pytest
import scipy.stats
import xarray as xr

from tests.claims.helpers import CLAIMS_90, by_seed, keep
from tests.claims.helpers import course as course
from utils.claims import Claim, Experiment, NoRecord, UnknownClaim, claimed, find, load_claims, recorded, records
from utils.claims.definition import find_experiment
from utils.claims.evaluation import evaluate
from utils.claims.records import Record

INF = math.inf


def make_claim(low=-INF, high=INF, statistic="median", **changes) -> Claim:
    """A claim on the numbers called "effect" of an experiment."""
    fields = {
        "id": "90.some-words",
        "experiment": Experiment("90_x", measure=print),
        "says": "It is so.",
        "effect": lambda data: data["effect"],
        "of": "gain",
        "low": low,
        "high": high,
        "statistic": statistic,
        "range_set": "before",
    }
    return Claim(**{**fields, **changes})


def verdict(claim: Claim, numbers) -> str:
    return evaluate(claim, by_seed(effect=numbers)).verdict


# --- definitions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "circles"}, "NN_words"),
        ({"name": "01_Circles"}, "NN_words"),
        ({"seeds": 10}, r"seeds of 90_x .* at least 11"),
        ({"seeds": 11.5}, "whole number"),
        ({"axes": {"seed": [1, 2]}}, 'axes of 90_x name "seed"'),
        ({"chunk": 0}, "chunk of 90_x"),
        ({"minutes": 0}, "minutes of 90_x"),
        ({"minutes": INF}, "minutes of 90_x"),
        ({"unstable": {"gain": 1}}, "unstable.'gain'. of 90_x"),
    ],
)
def test_an_experiments_fields_are_checked(changes, words):
    with pytest.raises((TypeError, ValueError), match=words):
        Experiment(**{"name": "90_x", "measure": print, **changes})


def test_an_axis_has_the_values_that_are_given_or_the_keys_of_a_dictionary():
    experiment = Experiment("90_x", print, {"width": range(3), "set": {"clouds": 1, "rings": 2}})
    assert experiment.axes == {"width": (0, 1, 2), "set": ("clouds", "rings")}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"id": "90.1"}, "NN.words"),
        ({"id": "90.Two"}, "NN.words"),
        ({"id": "90_two"}, "NN.words"),
        ({"id": "90." + "x" * 30}, "at most 32"),
        ({"id": "91.two"}, "of another lesson"),
        ({"low": 1.0, "high": 1.0}, "low < high"),
        ({"low": 2.0, "high": 1.0}, "low < high"),
        ({"low": math.nan}, "low < high"),
        ({"low": -INF}, "not both of them infinite"),
        ({"statistic": "mode"}, "'median', 'mean', 'share'"),
        ({"range_set": ""}, "'before', 'after', 'extended'"),
    ],
)
def test_a_claims_fields_are_checked(changes, words):
    with pytest.raises(ValueError, match=words):
        make_claim(**{"low": 0.0, "high": INF, **changes})


@pytest.mark.parametrize(
    ("low", "high", "range_claimed"),
    [
        (0.05, INF, "median at least 0.05"),
        (-INF, 1 / 3, "median at most 0.3333"),
        (-0.02, 0.02, "median in [-0.02, 0.02]"),
    ],
)
def test_a_claim_says_which_range_it_claims(low, high, range_claimed):
    assert make_claim(low, high).claimed == range_claimed


def test_a_lessons_claims_are_found_by_id(course):
    assert list(load_claims("90")) == ["90.gains", "90.gains-little", "90.loses"]
    assert find("90.loses").statistic == "mean"
    with pytest.raises(UnknownClaim, match="Lesson 90 has 90.gains, 90.gains-little, 90.loses"):
        find("90.wins")
    with pytest.raises(UnknownClaim, match="no lesson 07 with claims. There are: 90"):
        find("07.x")
    with pytest.raises(UnknownClaim, match="Write the id as text"):
        find(90.1)


def test_an_experiment_is_found_by_its_name(course):
    assert find_experiment("90_loss") == find("90.loses").experiment
    with pytest.raises(UnknownClaim, match="no experiment '90_wins'. Lesson 90 has 90_gain, 90_loss"):
        find_experiment("90_wins")
    with pytest.raises(UnknownClaim, match="no lesson 07 with claims"):
        find_experiment("07_x")


@pytest.mark.parametrize(
    ("addition", "words"),
    [
        ("CLAIMS.append(CLAIMS[0])", "90.gains, which is taken"),
        (
            'CLAIMS.append(Claim("91.x", Experiment("91_x", measure_loss), "", len, "", low=0, range_set="after"))',
            "91.x, which is taken or belongs to another lesson",
        ),
        (
            'CLAIMS.append(Claim("90.x", Experiment("90_loss", measure_loss), "", len, "", low=0, range_set="after"))',
            "a second experiment that is called 90_loss",
        ),
        (
            'OTHER = Experiment("90_loss", measure_loss, {"width": [1]}, seeds=12, minutes=0.1, chunk=12)\n'
            'CLAIMS.append(Claim("90.x", OTHER, "", len, "", low=0, range_set="after"))',
            "a second experiment that is called 90_loss",
        ),
    ],
)
def test_a_lessons_ids_and_experiments_are_its_own(course, addition, words):
    (course / CLAIMS_90).open("a").write(addition)
    with pytest.raises(ValueError, match=words):
        load_claims("90")


@pytest.mark.slow
def test_importing_claims_loads_neither_torch_nor_xarray_nor_lessons():
    code = "import sys, utils.claims; sys.exit(any(n in ('torch', 'xarray') or 'lesson_' in n for n in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# --- verdicts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("statistic", ["median", "mean"])
@pytest.mark.parametrize("sign", [1, -1])
def test_verdicts(statistic, sign):
    """20 numbers around 0 whose 95 % intervals lie within [-5, 5]; a range below and one above, mirrored."""
    numbers = np.arange(20) - 9.5
    for low, high, wanted in [
        (-5, 5, "holds"),
        (-5, INF, "holds"),
        (-2, INF, "open"),
        (0, INF, "open"),
        (5, INF, "open"),
        (10, INF, "refuted"),
        (10, 12, "refuted"),
        (-INF, 5, "holds"),
        (-INF, 1, "open"),
        (-12, -10, "refuted"),
    ]:
        low, high = (low, high) if sign > 0 else (-high, -low)
        assert verdict(make_claim(low, high, statistic), numbers) == wanted, (low, high)


def test_the_median_is_refuted_when_all_but_two_of_20_seeds_lie_outside():
    """At 99.9 % the order statistics are the third of 20: P(Binomial(20, 1/2) ≤ 2) = 211/2²⁰ < 0.0005."""
    claim = make_claim(low=0.0)
    for inside, wanted in ((2, "refuted"), (3, "open")):
        assert verdict(claim, [1.0] * inside + [-1.0] * (20 - inside)) == wanted


@pytest.mark.parametrize(
    ("hits", "low", "high", "wanted"),
    [
        (40, 0.9, INF, "holds"),  # Wilson, 40 of 40: [0.912, 1] at 95 %; Student's [1, 1] would hold at any low
        (40, 0.95, INF, "open"),
        (1, -INF, 0.1, "open"),  # 1 of 40: up to 0.129
        (0, -INF, 0.1, "holds"),
        (37, 0.99, INF, "refuted"),  # at 99.9 % up to 0.986
        (38, 0.99, INF, "open"),
    ],
)
def test_a_shares_interval_is_wilsons(hits, low, high, wanted):
    claim = make_claim(low, high, statistic="share")
    assert verdict(claim, [1.0] * hits + [0.0] * (40 - hits)) == wanted
    assert claim.claimed.startswith("share at ")


def test_a_share_is_of_yes_and_no():
    with pytest.raises(ValueError, match="claim 90.some-words: its effect is 0.5 for a seed: a share wants 0 or 1"):
        verdict(make_claim(0.0, statistic="share"), [1.0, 0.5, 0.0])


@pytest.mark.parametrize("statistic", ["median", "mean"])
def test_ten_seeds_refute_nothing_and_eleven_do(statistic):
    claim = make_claim(5.0, statistic=statistic)
    assert verdict(claim, np.zeros(10)) == "open"
    assert verdict(claim, np.zeros(11)) == "refuted"
    assert verdict(claim, [7.0]) == "open"
    assert verdict(claim, np.full(6, 7.0)) == "holds"


@pytest.mark.full
@pytest.mark.parametrize(
    ("statistic", "seeds"),
    [("median", 11), ("median", 20), ("mean", 20)],
    ids=str,
)
def test_a_true_claim_at_its_margin_is_rarely_refuted(statistic, seeds):
    """The interval is two-sided, the margin is on one side: the exact rate is at most 0.0005."""
    trials = 20_000
    exact = {11: 1 / 2**11, 20: 211 / 2**20}[seeds] if statistic == "median" else 0.0005
    numbers = np.random.default_rng(seeds).normal(0.0, 1.0, (trials, seeds))
    claim = make_claim(low=0.0, statistic=statistic)
    refuted = sum(verdict(claim, row) == "refuted" for row in numbers)
    assert scipy.stats.binomtest(refuted, trials, exact).pvalue > 1e-3
    assert exact <= 0.0005


@pytest.mark.parametrize("statistic", ["median", "mean"])
def test_a_false_claim_is_refuted(statistic):
    """The true value is 2.5 standard deviations outside of the range: 20 seeds see that almost always."""
    numbers = np.random.default_rng(0).normal(-2.5, 1.0, (500, 20))
    low, high = make_claim(low=0.0, statistic=statistic), make_claim(high=0.0, statistic=statistic)
    for claim, sign in ((low, 1), (high, -1)):
        assert sum(verdict(claim, sign * row) == "refuted" for row in numbers) >= 495


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (lambda data: data["loss"], r"KeyError\(.*'loss'.*\) on the arrays effect of 90_x"),
        (lambda data: data["effect"][:5], r"has the axes seed and the shape \(5,\): wanted one number for each"),
        (lambda data: data["effect"][::-1].assign_coords(seed=range(11, -1, -1)), "wanted one number for each of the"),
        (lambda data: data["effect"].mean(), r"has the axes none and the shape \(\)"),
        (lambda data: data["effect"] * xr.DataArray([1, 2], dims="width"), r"the axes seed, width and .* \(12, 2\)"),
        (lambda data: data["effect"].rename(seed="width"), "has the axes width and"),
        (lambda data: data["effect"].where(data["seed"] <= 9), "is nan for 2 of 12 seeds"),
        (lambda data: xr.full_like(data["effect"], "high", dtype=object), "ValueError"),
        (lambda data: data["effect"].values, "AttributeError"),
    ],
)
def test_an_effect_that_is_not_one_number_a_seed_names_its_claim(effect, words):
    with pytest.raises(ValueError, match=f"claim 90.some-words: its effect .*{words}"):
        evaluate(make_claim(0.0, effect=effect), by_seed(effect=np.ones(12)))


# --- records ----------------------------------------------------------------------------------------------


def test_a_record_is_read_back_with_five_digits(course):
    rng = np.random.default_rng(0)
    data = xr.Dataset(
        {
            "floats": ("seed", rng.normal(size=3) * 10.0 ** rng.integers(-20, 20, 3)),
            "deep": (("set", "seed", "width"), rng.normal(size=(2, 3, 4))),
            "whole": ("seed", [123456789, -1, 0]),
            "flags": (("seed", "set"), [[True, False]] * 3),
            "exact": ("seed", [1.0, 2, 3]),
            "single": ("seed", np.float32([0.1, 0.2, 0.3])),
            "bad": (("seed", "set"), [[1.23456789, np.nan], [np.inf, -np.inf], [0, -0.0]]),
        },
        {"seed": [7, 2**30, 5], "set": ["clouds", "Kreise, größer"], "width": [1, 1e-4, 1 / 3, 10**6]},
    )
    keep("90_x", data)
    back = records.load("90_x").data
    assert list(back) == list(data) and records.load("90_x").seeds == [7, 2**30, 5]
    for name, values in data.items():
        assert back[name].dtype.kind == values.dtype.kind and back[name].dims[0] == "seed", name
        rtol = 5e-5 if values.dtype.kind == "f" else 0
        xr.testing.assert_allclose(back[name], values, rtol=rtol, atol=0, check_dim_order=False)
    for axis in data.dims:
        assert back[axis].values.tolist() == data[axis].values.tolist()
    assert back["single"].values.tolist() == [0.1, 0.2, 0.3] and back["bad"].values[0, 0] == 1.2346


def test_a_records_text_has_a_line_a_seed_and_is_json_for_everybody():
    data = xr.Dataset({"a": (("seed", "set"), [[1.0, np.nan]] * 3), "b": ("seed", range(3))}, {"set": ["u", "ü"]})
    text = records.text(Record("90_x", 1.5, {"python": "3.11"}, data))
    content = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert content == {
        "experiment": "90_x",
        "minutes": 1.5,
        "versions": {"python": "3.11"},
        "axes": {"seed": [0, 1, 2], "set": ["u", "ü"]},
        "arrays": {
            "a": {"axes": ["seed", "set"], "values": [[1.0, "nan"]] * 3},
            "b": {"axes": ["seed"], "values": [0, 1, 2]},
        },
    }
    assert text.count('\n  [1.0, "nan"]') == 3 and "\n  2\n" in text
    assert [*content["axes"]] == ["seed", "set"] and '"ü"' in text


def test_no_record_and_a_damaged_one_say_what_to_do(course):
    with pytest.raises(NoRecord, match="no record of '90_loss' in results/: .* `make claims LESSON=90 RECORD=yes`"):
        recorded("90_loss")
    keep("90_loss", by_seed(loss=range(3)))
    path = course / "results" / "90_loss.json"
    text = path.read_text()
    for damaged in (text[:50], "[]", "{}", text.replace('"axes"', '"axis"'), text.replace("[0, 1, 2]", "[0, 1]")):
        path.write_text(damaged)
        with pytest.raises(NoRecord, match="results/90_loss.json is damaged: measure it with `make claims LESSON=90"):
            recorded("90_loss")
    for other in (text.replace("90_loss", "90_y"), text.replace("seed", "width")):
        path.write_text(other)
        with pytest.raises(NoRecord, match="results/90_loss.json is not a record of 90_loss"):
            recorded("90_loss")


@pytest.mark.parametrize(
    ("axes", "words"),
    [
        ({"factor": [11, 7]}, r"'factor' is \[11, 7\] there, and \[7, 11\] in the experiment"),
        ({"factor": [7, 11, 13]}, r"'factor' is \[7, 11, 13\] there, and \[7, 11\] in the experiment"),
        ({}, r"'factor' is missing there, and \[7, 11\] in the experiment"),
        ({"factor": [7, 11], "set": ["u"]}, r"'set' is \['u'\] there, and missing in the experiment"),
        ({"divisor": [7, 11]}, "'factor' is missing there, .*; the axis 'divisor' is .* missing in the experiment"),
    ],
    ids=["exchanged", "one more value", "no axis", "one more axis", "another name"],
)
def test_a_record_with_other_axes_than_the_experiment_is_refused(course, axes, words):
    shape = [12, *map(len, axes.values())]
    keep("90_gain", xr.Dataset({"product": (("seed", *axes), np.zeros(shape))}, axes))
    with pytest.raises(NoRecord, match=f"90_gain.json is not what 90_gain measures: the axis {words}.* back, or meas"):
        recorded("90_gain")
    assert records.load("90_gain").seeds == [*range(12)]  # only its axes are others


def test_nothing_is_recorded_of_an_experiment_that_no_claim_rests_on(course):
    keep("90_x", by_seed(a=range(3)))
    with pytest.raises(UnknownClaim, match="no experiment '90_x'. Lesson 90 has 90_gain, 90_loss"):
        recorded("90_x")


@pytest.mark.slow
def test_records_lie_beside_the_package_wherever_one_works(root, tmp_path):
    code = "from utils.claims import records; print(records.FOLDER)"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(root)!r}); {code}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == str(root / "results")


# --- what a lesson shows ----------------------------------------------------------------------------------


def test_figures_are_shown_rounded_live_or_recorded(course):
    assert claimed("90.gains", by_seed(gain=np.linspace(0.4, 0.61234, 12))) == "about 0.51"
    keep("90_loss", by_seed(loss=np.linspace(0.9, 1.1, 12)))
    assert claimed("90.loses") == "about 1"


def test_a_verdict_is_shown_where_the_claim_does_not_hold(course):
    assert claimed("90.gains-little", by_seed(gain=np.full(12, 0.5))) == "0.5 (refuted)"
    assert claimed("90.gains", by_seed(gain=np.linspace(-1, 2, 10))) == "about 0.5 (not settled)"
    assert claimed("90.gains", by_seed(gain=[0.5])) == "about 0.5 (not settled)"


@pytest.mark.parametrize(
    ("of", "numbers", "said"),
    [
        ("error, one minus three", np.linspace(0.01, 0.5, 20), "by how much is not settled"),
        ("error, one minus three", np.linspace(-0.5, 0.6, 20), "not settled"),
        ("error, one over three", np.linspace(1.1, 3, 20), "by how much is not settled"),
        ("error, one over three", np.linspace(0.2, 3, 20), "not settled"),
        ("error, three minus one, mean over eight tasks", np.linspace(0.01, 0.5, 20), "by how much is not settled"),
        ("error of three layers", np.linspace(0.01, 3, 20), "not settled"),
    ],
)
def test_an_open_claim_says_whether_its_interval_leaves_out_no_effect(of, numbers, said):
    claim = make_claim(low=float(np.median(numbers)), of=of)
    assert evaluate(claim, by_seed(effect=numbers)).unsettled == said


def test_without_record_or_data_there_is_nothing_to_show(course):
    with pytest.raises(NoRecord, match="no record of '90_gain'"):
        claimed("90.gains")
    with pytest.raises(UnknownClaim):
        claimed("90.wins")
