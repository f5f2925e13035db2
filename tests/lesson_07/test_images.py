"""Lesson 07's filters: layers with sums around them and without, and how what they learned is read."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.signal import correlate2d
from torch import nn

from tests.choices import assert_right
from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import HELD_OUT, VALIDATION
from utils.lesson_07 import images, images_figures
from utils.lesson_07.images import NETS, SKIPS, deep_net
from utils.lesson_07.networks import HE, NEAR
from utils.models import ResidualBlock


def filters(model: nn.Module) -> list[nn.Conv2d]:
    return [layer for layer in model.modules() if isinstance(layer, nn.Conv2d)]


@pytest.mark.parametrize(("joined", "depth"), [*NETS.values()])
def test_a_net_has_as_many_layers_as_it_says_and_all_of_a_depth_are_equally_large(joined, depth):
    model = deep_net(joined, depth, generator=seeded(1))
    assert len(filters(model)) == depth and model(torch.zeros(3, 64)).shape == (3, 10)
    plain = deep_net(HE, depth, generator=seeded(2))
    assert [p.shape for p in model.parameters()] == [p.shape for p in plain.parameters()]


def test_a_block_adds_what_its_filters_make_of_the_maps():
    block = next(one for one in deep_net(SKIPS, 5, generator=seeded(1)) if isinstance(one, ResidualBlock))
    maps = torch.randn(images.CHANNELS, 4, 4, generator=seeded(2))

    def slid(layer: nn.Conv2d, maps: np.ndarray) -> np.ndarray:
        kernels = layer.weight.detach().numpy()
        return np.array(
            [sum(correlate2d(one, k, "same") for one, k in zip(maps, each, strict=True)) for each in kernels]
        )

    first, second = filters(block)
    wanted = maps.numpy() + slid(second, np.maximum(slid(first, maps.numpy()), 0))
    np.testing.assert_allclose(block(maps[None])[0].detach(), wanted, atol=1e-5)


def test_with_sums_branches_are_small_and_without_them_filters_are_near_the_identity_where_asked():
    plain, skips, near = (filters(deep_net(joined, 21, generator=seeded(3)))[1:] for joined in (HE, SKIPS, NEAR))
    for k, (one, small, shifted) in enumerate(zip(plain, skips, near, strict=True)):
        torch.testing.assert_close(small.weight, one.weight * (10**-0.5 if k % 2 else 1))
        identity = shifted.weight - one.weight * 21**-0.5
        maps = torch.randn(1, images.CHANNELS, 4, 4, generator=seeded(4))
        torch.testing.assert_close(nn.functional.conv2d(maps, identity, padding=1), maps, atol=1e-5, rtol=1e-5)


def test_what_a_seed_learns_does_not_depend_on_the_others():
    both, alone = (images.learn(seeds, "skips 3", 1)["error"] for seeds in ([4, 5], [5]))
    np.testing.assert_array_equal(both.sel(seed=[5]), alone)
    assert both.sel(part=HELD_OUT).min() < 0.7


def test_a_lead_is_taken_at_each_ones_own_best_rate():
    data = made_up(images.sums, "error")
    errors = data["error"].sel(reading=0)
    wanted = []
    for net in ("plain 21", "skips 21"):
        chosen_on, held_out = (
            errors.sel(net=net, part=part).transpose("seed", "rate").values for part in (VALIDATION, HELD_OUT)
        )
        others = [np.delete(chosen_on, seed, axis=0) for seed in range(len(chosen_on))]  # a seed chooses none itself
        rates = [np.median(one, axis=0).argmin() for one in others]
        wanted.append(held_out[np.arange(len(rates)), rates])
    found = images.lead(data, "plain 21", "skips 21")
    np.testing.assert_allclose(found, wanted[0] - wanted[1])


def test_the_figure_has_every_network():
    data = made_up(images.sums, "error")
    (ax,) = images_figures.deep_filters(data, made_up(images.longer, "error")).axes
    assert [label.get_text() for label in ax.get_xticklabels()] == ["3 layers", "11 layers", "21 layers"]
    drawn = [container.lines[0].get_ydata() for container in ax.containers]
    assert sorted(map(len, drawn)) == [1, 1, 3, 3]
    skips = [images.median(data, net) for net in NETS if net.startswith("skips")]
    assert any(np.allclose(one, skips) for one in drawn if len(one) == 3)


def test_the_right_choice_is_what_was_measured():
    measured = {"epochs": 6, "plain": 0.2, "three": 0.07, "deep": 0.06, "skips": 0.1, "start": 0.05, "longer": 0.05}
    assert_right("07c.sums", measured, "it rises, but not with skips")


def test_a_stand_in_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    (X, y), (X_new, _) = images.larger("cifar10", 40, 20, generator=seeded(), download=False)
    assert X.shape == (40, 3 * 32 * 32) and len(y) == 40 and len(X_new) == 20
    assert "digits, enlarged to 32×32 and coloured, stand in for it" in capsys.readouterr().out
