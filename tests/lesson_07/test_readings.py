"""Readings of a training are what shorter trainings would have ended with."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import torch

from utils.comparison import PARTS, sweep
from utils.data import load_table
from utils.lesson_07.readings import BATCH, errors_at, in_float64
from utils.models import mlp

BUILD = partial(mlp, [13, 6, 3])
WINE = partial(load_table, "wine", (0.5, 0.2, 0.3))
RATES = (0.001, 0.01, 0.1)


@pytest.mark.parametrize(("reading", "epochs"), [(0, 2), (1, 5)])
def test_a_reading_is_the_end_of_a_shorter_training(reading, epochs):
    found = errors_at((2, 5), BUILD, WINE, seeds=[3, 4], rates=RATES)["error"].sel(reading=reading)
    options = {"epochs": epochs, "batch_size": BATCH, "progress": False}
    trained = sweep(*in_float64(BUILD, WINE), seeds=[3, 4], lrs=RATES, **options)
    wanted = 1 - trained.scores().sel(part=[*PARTS])
    np.testing.assert_allclose(found.transpose(*wanted.dims), wanted)


def test_a_seed_is_measured_alike_alone_and_among_others():
    both, alone = (errors_at((3,), BUILD, WINE, seeds=seeds, rates=RATES)["error"] for seeds in ([3, 4], [4]))
    np.testing.assert_array_equal(both.sel(seed=[4]), alone)


def test_networks_and_floats_are_of_float64_and_words_stay_numbers():
    given = [(torch.rand(2, 3), torch.ones(2)), (torch.arange(2), torch.ones(2))]
    build, make_parts = in_float64(BUILD, lambda generator: given)
    (X, y), (words, _) = make_parts(generator=torch.Generator())
    assert {one.dtype for one in (X, *build().parameters())} == {torch.float64}
    assert (y.dtype, words.dtype) == (torch.float32, torch.int64)


def test_what_diverges_has_no_error():
    found = errors_at((20,), BUILD, WINE, seeds=[3], rates=(0.01, 1e300))["error"]
    assert found.sel(rate=1e300).isnull().all() and found.sel(rate=0.01).notnull().all()
