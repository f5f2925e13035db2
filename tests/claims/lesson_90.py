"""Claims of a lesson 90, for the tests: true ones and a false one. Which seeds were measured is noted in calls.txt."""

import time
from pathlib import Path

import xarray as xr
from utils.helper_90 import draw

from utils.claims import Claim, Experiment

FACTORS = (7, 11)


def measure_gain(seeds):
    with Path("calls.txt").open("a") as calls:
        calls.write(f"gain {' '.join(map(str, seeds))}\n")
    if Path("slow").exists():
        time.sleep(float(Path("slow").read_text() or 0.4))
    if Path("stuck").exists() and len(Path("calls.txt").read_text().splitlines()) >= 3:
        time.sleep(600)
    if Path("broken").exists():
        raise RuntimeError("no luck")
    gain, factor = draw(seeds, 0.5), xr.DataArray([*FACTORS], {"factor": [*FACTORS]}, "factor")
    return xr.Dataset({"gain": gain, "product": gain["seed"] * factor})


def measure_loss(seeds):
    with Path("calls.txt").open("a") as calls:
        calls.write(f"loss {' '.join(map(str, seeds))}\n")
    return xr.Dataset({"loss": draw(seeds, 1.0)})


GAIN = Experiment("90_gain", measure_gain, {"factor": FACTORS}, seeds=80, minutes=0.8, chunk=6)
LOSS = Experiment("90_loss", measure_loss, seeds=48, minutes=0.4, chunk=12)

CLAIMS = [
    Claim("90.gains", GAIN, "It gains.", lambda data: data["gain"], "gain", low=0.2, range_set="before"),
    Claim(
        "90.gains-little",
        GAIN,
        "It gains next to nothing.",
        lambda data: data["gain"],
        "gain",
        -0.1,
        0.1,
        range_set="after",
    ),
    Claim(
        "90.loses", LOSS, "It loses.", lambda data: data["loss"], "loss", low=0.5, statistic="mean", range_set="before"
    ),
]
