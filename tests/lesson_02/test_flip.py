"""Lesson 02's diagonal flip: the floors against brute force, the experiments' bookkeeping, and figures."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import torch
import xarray as xr
from scipy.optimize import minimize

from tests.generators import seeded
from tests.made_up import made_up
from utils.data import diagonal_flip
from utils.lesson_02 import flip, flip_figures
from utils.lesson_02.claims import at_all, on_level_of_alive, reaches_floor
from utils.lesson_02.flip import flipped, quickest, speed, widths
from utils.models import mlp

# --- floors -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_copying_some_pixels_reaches_the_floor_with_relu(width):
    X, y = diagonal_flip()
    model = mlp([4, width, 4], generator=seeded())
    with torch.no_grad():
        for layer, matrix in ((model[0], torch.eye(4)[:width]), (model[2], torch.eye(4)[[0, 2, 1, 3]][:, :width])):
            layer.weight.copy_(matrix)
            layer.bias.zero_()
        model[2].bias[[0, 2, 1, 3]] = torch.where(torch.arange(4) < width, 0.0, 0.5)
    assert flip.half_mse(model, X, y) == pytest.approx(flip.flip_floor(width), abs=1e-9)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_the_floor_is_what_a_search_over_all_hidden_values_finds(width):
    """The hidden layer as a free matrix, a row for each image: no network has more freedom than that."""
    y = diagonal_flip()[1].double().numpy()

    def error(numbers):
        hidden = np.column_stack([numbers.reshape(16, width), np.ones(16)])
        return 0.5 * np.mean((hidden @ np.linalg.lstsq(hidden, y, rcond=None)[0] - y) ** 2)

    starts = np.random.default_rng(0).normal(size=(2, 16 * width))
    found = min(minimize(error, start, method="L-BFGS-B").fun for start in starts)
    assert found == pytest.approx(flip.flip_floor(width), abs=1e-4)


# --- experiments ------------------------------------------------------------------------------------------


def test_grey_images_come_with_their_transposes():
    (X, y), (grey, flipped_grey) = flip.flip_parts(generator=seeded())
    assert len(X) == 16 and grey.min() >= 0 and grey.max() <= 1 and len(grey.unique()) > 1000
    np.testing.assert_array_equal(grey.reshape(-1, 2, 2).transpose(1, 2).reshape(-1, 4), flipped_grey)


def test_the_second_start_is_another_network_of_the_same_shape():
    first, second = mlp([4, 3, 4], generator=seeded(5)), flip.second_start([4, 3, 4], "relu", generator=seeded(5))
    assert [p.shape for p in first.parameters()] == [p.shape for p in second.parameters()]
    assert not torch.equal(first[0].weight, second[0].weight)


def test_constant_units_are_counted():
    model = mlp([4, 3, 4], generator=seeded())
    with torch.no_grad():
        model[0].weight.fill_(1.0)
        model[0].bias.copy_(torch.tensor([0.0, -9.0, -3.5]))
    assert flip.constant_units(model, *diagonal_flip()) == 1


def test_the_rate_is_chosen_by_one_start_and_reported_from_another():
    data = 0 * made_up(widths, "chosen", "error", "dead", seeds=3)
    for name, number in {"chosen": -1.0, "error": 0.7, "dead": 2.0}.items():
        data[name].loc[{"rate": 0.001}] = number
    assert flipped(data, "relu", 4).values.tolist() == [0.7] * 3
    assert flipped(data, "relu", 4, "dead").values.tolist() == [2] * 3


def test_of_rates_as_good_as_the_best_the_middle_one_is_taken_and_of_lost_ones_none():
    data = 0 * made_up(widths, "chosen", "error", seeds=3)
    data["chosen"].loc[{"rate": [0.003, 0.01]}] = xr.DataArray([0.05, 1e-4], dims="rate")
    data["chosen"].loc[{"rate": 0.001, "seed": 1}] = np.nan
    data["error"] = data["error"] + data["rate"]
    assert flipped(data, "relu", 2).values.tolist() == [0.1] * 3  # of the rates 0.01, 0.03, 0.1, 0.3


def test_whether_the_floor_is_reached_is_asked_of_every_width():
    data = 0 * made_up(widths, "chosen", "error", "dead", seeds=3)
    error, dead = data["error"], data["dead"]
    error.loc[{"activation": "relu", "width": 2}], error.loc[{"activation": "relu", "width": 3}] = 2 / 32, 1 / 32
    lost = {"activation": "relu", "width": 3, "seed": 1}
    error.loc[lost], dead.loc[lost] = 2 / 32, 1  # a unit lost: on the floor of two
    error.loc[{"activation": "relu", "width": 4, "seed": 2}] = 1 / 32  # above the floor, with all units alive
    assert at_all(partial(reaches_floor, data, "relu"), 2, 3, 4).values.tolist() == [1, 0, 0]
    assert at_all(partial(on_level_of_alive, data), 2, 3, 4).values.tolist() == [1, 1, 0]


def by_autograd(sizes, init, seed, rate, steps):
    """The half-MSE before each step of PyTorch's own Adam, from the start of this seed."""
    model, (X, y) = mlp(sizes, init=init, generator=seeded(seed)), diagonal_flip()
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps):
        loss = (model(X) - y).square().mean()
        losses.append(loss.item() / 2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses


def test_steps_are_counted_as_pytorch_takes_them(monkeypatch):
    monkeypatch.setattr(flip, "SPEED_STEPS", 150)
    monkeypatch.setattr(flip, "SPEED_RATES", (0.0001, 0.03))
    of = {"init": ["He's"], "shape": ["one layer of 16"]}
    found = speed.measure([3, 8], **of)
    assert (found["steps"].sel(rate=0.0001) == 150).all()  # not in time
    for seed in (3, 8):
        for name, start in {"chosen": 2 * seed, "steps": 2 * seed + 1}.items():
            losses = by_autograd([4, 16, 4], "he", start, 0.03, 150)
            first = next(step for step, loss in enumerate(losses) if loss < 0.1 / 32)
            assert found[name].sel(seed=seed, rate=0.03).item() == pytest.approx(first, abs=1)  # floats differ a little
    xr.testing.assert_identical(found.sel(seed=[8]), speed.measure([8], **of))


def test_the_quickest_rate_has_the_smallest_median_and_of_equal_ones_the_smallest_mean():
    data = 0 * made_up(speed, "chosen", "steps", seeds=3) + 1000.0
    data["steps"] = data["steps"] + data["rate"]
    data["chosen"].loc[{"rate": 0.02, "seed": 1}] = 10.0
    assert quickest(data, "He's", "two layers of 4").values.tolist() == [1000.02] * 3
    data["chosen"].loc[{"rate": 0.05, "seed": [0, 1]}] = 900.0
    assert quickest(data, "He's", "two layers of 4").values.tolist() == [1000.05] * 3


def test_how_many_times_the_steps_are_taken_at_each_ones_quickest_rate():
    data = 0 * made_up(speed, "chosen", "steps", seeds=3) + 1000.0
    for shape, rate, steps in (("one layer of 8", 0.05, [60.0, 40, 90]), ("one layer of 16", 0.01, [20.0, 40, 30])):
        place = {"init": "He's", "shape": shape, "rate": rate}
        data["chosen"].loc[place] = 50.0
        data["steps"].loc[place] = steps
    assert flip.slower(data, "one layer of 8", "one layer of 16", "He's").values.tolist() == [3, 1, 3]


def test_as_wide_and_half_as_wide_differ_in_one_thing_each():
    wide, half, both = (flip.SHAPES[shape] for shape in ("one layer of 16", "one layer of 8", "two layers of 16"))
    assert len(half) == len(wide) and len(both) == len(wide) + 1
    assert set(both[1:-1]) == set(wide[1:-1]) == {16} and set(half[1:-1]) == set(flip.SHAPES["two layers of 8"][1:-1])


def test_three_units_in_the_middle_miss_half_of_some_grey_pixel():
    """Borsuk and Ulam's pair is searched for: images and their negatives that three numbers do not tell apart."""
    W = torch.randn(3, 4, generator=seeded(4), dtype=torch.float64)
    axis = torch.linalg.svd(W)[2][-1]  # three linear numbers do not see it
    image = 0.5 + 0.5 * axis / axis.abs().max()
    codes = [torch.relu(one @ W.T + 20) for one in (image, 1 - image)]
    torch.testing.assert_close(*codes)
    wanted = (image - (1 - image)).abs().max() / 2  # whatever is answered to both
    assert 0 <= image.min() and image.max() <= 1 and wanted.item() == pytest.approx(0.5)


def test_starts_are_counted_on_the_level_that_they_are_near_and_on_none_in_between():
    errors = xr.DataArray(np.array([0, 0.001, 0.92, 1.09, 1.49, 3, 4.04, 4.2]) / 32, dims="seed")
    assert flip.levels(errors).values.tolist() == [2, 2, 0, 1, 1]


def test_the_listing_descends_as_autograd_does_image_by_image():
    rng, (X, y) = np.random.RandomState(42), (part.double() for part in diagonal_flip())
    W1, W2 = rng.randn(4, 3) * np.sqrt(1 / 2), rng.randn(3, 4) * np.sqrt(2 / 3)
    tensors = [torch.tensor(one, requires_grad=True) for one in (W1, np.zeros(3), W2, np.zeros(4))]
    optimizer = torch.optim.SGD(tensors, lr=0.05)
    for _ in range(5):
        losses = []
        for x, wanted in zip(X, y, strict=True):
            W1, b1, W2, b2 = tensors
            loss = (torch.relu(x @ W1 + b1) @ W2 + b2 - wanted).square().mean() / 2
            losses.append(loss.item())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    assert flip.listed_loss(3, epochs=5) == pytest.approx(np.mean(losses), rel=1e-9)


def test_many_networks_are_trained_and_their_errors_returned():
    models = [mlp([4, 16, 4], generator=seeded(seed)) for seed in range(3)]
    before = [flip.half_mse(model, *diagonal_flip()) for model in models]
    after = flip.train_many(models, steps=300)
    assert after == [flip.half_mse(model, *diagonal_flip()) for model in models] and max(after) < min(before) / 10


def test_the_deep_network_takes_a_little_more_arithmetic():
    assert [flip.arithmetic(shape) for shape in ("one layer of 16", "two layers of 8")] == [640, 704]


def test_means_and_medians_are_read_from_their_own_networks():
    errors, steps = made_up(widths, "chosen", "error", seeds=3), made_up(speed, "chosen", "steps", seeds=3)
    assert flip.mean_errors(errors)["relu"] == pytest.approx(32 * float(flipped(errors, "relu", 3).mean()))
    deep = np.median(quickest(steps, "PyTorch's", "two layers of 8"))
    assert flip.steps_at_best(steps)["deep"] == pytest.approx(deep)


# --- figures ----------------------------------------------------------------------------------------------


def test_images_show_what_they_are_given():
    X, y = diagonal_flip()
    axes = flip_figures.images({"image": X.numpy(), "wanted": y.numpy()}).axes
    assert [ax.get_ylabel() for ax in axes] == ["image", "wanted"]
    for ax, wanted in zip(axes, (X, y), strict=True):
        drawn = ax.get_images()[0].get_array().filled(np.nan)
        for place in range(16):
            np.testing.assert_array_equal(drawn[:, 3 * place : 3 * place + 2], wanted[place].reshape(2, 2))


def test_each_loss_ends_with_its_seed():
    ax = flip_figures.losses_by_step([[1.0, 0.0], [1.0, 1 / 32], [1.0, 1 / 32]]).axes[0]
    assert [(one.get_text(), one.xy) for one in ax.texts] == [("0", (2, 0)), ("1", (2, 1 / 32)), ("2", (2, 1 / 32))]
    assert len({one.xyann for one in ax.texts[1:]}) == 2  # side by side


def test_the_table_has_every_start_on_its_level_and_frames_the_floors():
    data = 0 * made_up(widths, "chosen", "error", seeds=9)
    data["error"].loc[{"activation": "relu", "width": 3, "seed": [0, 1]}] = 2 / 32
    axes = flip_figures.starts_by_level(data).axes
    assert [ax.get_title() for ax in axes] == ["ReLU", "leaky ReLU", "no activation"]
    told = {one.get_position(): one.get_text() for one in axes[0].texts}
    assert told == {(0, 0): "9", (1, 0): "7", (1, 2): "2", (2, 0): "9", (3, 0): "9", (4, 0): "9"}
    for ax in axes:
        assert [round(32 * flip.flip_floor(width)) for width in flip.WIDTHS] == [
            round(frame.get_y() + 0.46) for frame in ax.patches
        ]


def test_the_share_of_starts_grows_with_the_steps_they_needed():
    data = 0 * made_up(speed, "chosen", "steps", seeds=4) + 1000.0
    data["steps"].loc[{"shape": "one layer of 16"}] = xr.DataArray([20.0, 30.0, 30.0, 1000.0], dims="seed")
    ax = flip_figures.learned_by_step(data).axes[0]
    first, *others = ax.lines
    assert [first.get_ydata()[list(first.get_xdata()).index(step)] for step in (19, 20, 29, 30, 999)] == [
        0,
        0.25,
        0.25,
        0.75,
        0.75,
    ]
    assert len(others) == 3 and all(line.get_ydata().max() == 0 for line in others)
    assert "one layer of 16, 148 parameters" in [one.get_text() for one in ax.texts]
