"""The benchmarks' command line; what they measure is not tested for speed."""

import pytest

from benchmarks.__main__ import main, names
from benchmarks.ensemble import Case, measure_case, show, this_engine, usual_loop


def test_an_unknown_name_lists_those_there_are(capsys):
    assert main(["nothing"]) == 2
    assert capsys.readouterr().err == f"There is no benchmark 'nothing'; there are: {', '.join(names())}.\n"
    assert "ensemble" in names()


@pytest.mark.slow
def test_both_sides_are_measured_in_turn_and_shown_with_their_ratio():
    sides = {"usual loop": usual_loop, "this engine": this_engine}
    row = measure_case(Case([2, 3, 1], 8, models=2), sides, rounds=3, seconds=0.05)
    low, high = row["ratio_spread"]["usual loop"]
    assert row["steps_per_second"].keys() == sides.keys() and 0 < low <= row["ratio"]["usual loop"] <= high
    figures = {"machine": {}, "first_use_seconds": {"compiling": 1, "from_disk": 1}, "jax": False, "cases": [row]}
    assert "[2, 3, 1] relu, 8 points, 2 networks" in show(figures) and "JAX is not installed here" in show(figures)
