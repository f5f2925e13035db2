"""Networks and their costs, against PyTorch's own layers, counts and formulas."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from utils import models
from utils.models import mlp

SIZES = st.lists(st.integers(1, 12), min_size=2, max_size=5)


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def linear_layers(model):
    return [layer for layer in model.modules() if isinstance(layer, nn.Linear)]


# --- mlp --------------------------------------------------------------------------------------------------


@given(SIZES, st.booleans(), st.integers(0, 2**31))
@settings(max_examples=25)
def test_default_is_what_pytorch_draws_with_the_same_seed(sizes, bias, seed):
    model = mlp(sizes, bias=bias, generator=seeded(seed))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        theirs = [nn.Linear(a, b, bias=bias) for a, b in zip(sizes, sizes[1:], strict=False)]
    for ours, reference in zip(linear_layers(model), theirs, strict=True):
        assert torch.equal(ours.weight, reference.weight)
        assert (ours.bias is None) == (not bias)
        assert not bias or torch.equal(ours.bias, reference.bias)


def test_the_global_generator_is_left_alone():
    text, images = Recurrent(), convolutional()
    before = torch.get_rng_state()
    mlp([3, 4, 2], init=("orthogonal", 2), bias_std=0.1, generator=seeded())
    initialized(text)
    initialized(images)
    models.feed_forward(6, gated=True, generator=seeded())
    models.activation_bytes(models.with_dropout(mlp([3, 4, 2], generator=seeded()), 0.5), torch.ones(5, 3))
    models.count_flops(text, torch.ones(2, 3).long())
    assert torch.equal(before, torch.get_rng_state())


def test_without_a_generator_pytorchs_seed_decides():
    with torch.random.fork_rng(devices=[]):
        drawn = []
        for seed in (1, 1, 2):
            torch.manual_seed(seed)
            drawn.append(mlp([3, 4])[0].weight)
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])


FORMULAS = {
    "relu": lambda z: torch.clamp(z, min=0),
    "leaky_relu": lambda z: torch.where(z > 0, z, 0.01 * z),
    "tanh": torch.tanh,
    "sigmoid": lambda z: 1 / (1 + torch.exp(-z)),
    "gelu": lambda z: z * (1 + torch.erf(z / math.sqrt(2))) / 2,
    "swish": lambda z: z / (1 + torch.exp(-z)),
    "identity": lambda z: z,
    "square": lambda z: z**2,
}


@pytest.mark.parametrize("activation", sorted(models.ACTIVATIONS))
def test_layers_are_affine_and_the_last_has_no_activation(activation):
    model = mlp([3, 5, 4, 2], activation, init="lecun", bias_std=0.5, generator=seeded()).double()
    z = X = torch.randn(7, 3, generator=seeded(1)).double()
    first, second, last = linear_layers(model)
    for layer in (first, second):
        z = FORMULAS[activation](z @ layer.weight.T + layer.bias)
    expected = z @ last.weight.T + last.bias
    torch.testing.assert_close(model(X), expected, rtol=1e-9, atol=1e-9)
    assert len(model) == 5


@pytest.mark.parametrize(
    "init, std",
    [
        ("default", lambda n_in, n_out: 1 / math.sqrt(3 * n_in)),
        ("he", lambda n_in, n_out: math.sqrt(2 / n_in)),
        ("xavier", lambda n_in, n_out: math.sqrt(2 / (n_in + n_out))),
        ("lecun", lambda n_in, n_out: 1 / math.sqrt(n_in)),
        ("normal", lambda n_in, n_out: 1 / math.sqrt(n_in)),
    ],
)
@pytest.mark.parametrize("gain", [1, 2.5])
def test_weights_have_the_stated_spread(init, std, gain):
    model = mlp([300, 200, 400], init=init if gain == 1 else (init, gain), generator=seeded(3))
    for layer in linear_layers(model):
        n_out, n_in = layer.weight.shape
        expected = gain * std(n_in, n_out)
        # the standard error of a sample standard deviation of m normal numbers is 1/√(2m)
        assert layer.weight.std().item() == pytest.approx(expected, rel=5 / math.sqrt(2 * n_in * n_out))
        assert abs(layer.weight.mean().item()) < 5 * expected / math.sqrt(n_in * n_out)
        fourth = ((layer.weight / expected) ** 4).mean().item()
        assert fourth == pytest.approx(1.8 if init == "default" else 3.0, rel=0.05)


@pytest.mark.parametrize("fan_in, fan_out", [(20, 20), (30, 7), (7, 30)])
def test_orthogonal_weights_have_equal_singular_values(fan_in, fan_out):
    weight = mlp([fan_in, fan_out], init=("orthogonal", 1.5), generator=seeded())[0].weight
    values = torch.linalg.svdvals(weight.double())
    torch.testing.assert_close(values, torch.full_like(values, 1.5), rtol=1e-5, atol=0)
    assert not torch.equal(weight, mlp([fan_in, fan_out], init="orthogonal", generator=seeded(1))[0].weight)
    pytorch = nn.init.orthogonal_(torch.empty(fan_out, fan_in), 1.5, generator=seeded())
    torch.testing.assert_close(weight, nn.Parameter(pytorch))


def test_biases():
    assert all((layer.bias == 0).all() for layer in linear_layers(mlp([3, 500, 9], init="he")))
    for init in ("he", "default"):
        bias = mlp([3, 5000, 1], init=init, bias_std=0.3, generator=seeded())[0].bias
        assert bias.std().item() == pytest.approx(0.3, rel=0.05)
    assert (mlp([3, 50, 1], bias_std=0, generator=seeded())[0].bias == 0).all()
    assert all(layer.bias is None for layer in linear_layers(mlp([3, 5, 1], bias=False)))
    scaled, plain = mlp([4, 3], init=("default", 3), generator=seeded()), mlp([4, 3], generator=seeded())
    torch.testing.assert_close(scaled[0].weight, 3 * plain[0].weight)
    assert torch.equal(scaled[0].bias, plain[0].bias)


def test_sizes_may_be_a_tuple_or_numpy_integers():
    import numpy as np

    assert models.count_parameters(mlp(np.array([2, 3, 1]))) == models.count_parameters(mlp((2, 3, 1))) == 13


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ({"sizes": [3]}, ValueError, ["sizes", "[3]", "two"]),
        ({"sizes": [3, 0, 1]}, ValueError, ["sizes[1]", "0", "at least 1"]),
        ({"sizes": [3, 2.5, 1]}, TypeError, ["sizes[1]", "2.5", "whole number"]),
        ({"sizes": [3, True]}, TypeError, ["sizes[1]", "True"]),
        ({"sizes": "35"}, TypeError, ["sizes", "'35'"]),
        ({"sizes": 5}, TypeError, ["sizes", "5"]),
        ({"activation": "rellu"}, ValueError, ["activation", "'rellu'", "'relu'", "'tanh'"]),
        ({"activation": nn.ReLU}, ValueError, ["activation", "'relu'"]),
        ({"init": "kaiming"}, ValueError, ["init", "'kaiming'", "'he'"]),
        ({"init": ("he", "2")}, TypeError, ["gain", "'2'", "number"]),
        ({"init": ("he", math.nan)}, ValueError, ["gain", "nan"]),
        ({"init": 2}, TypeError, ["init", "2", "name"]),
        ({"bias_std": -1}, ValueError, ["bias_std", "-1", "at least 0"]),
        ({"bias_std": 1, "bias": False}, ValueError, ["bias_std", "bias=False"]),
        ({"generator": 3}, TypeError, ["generator", "3", "torch.Generator"]),
    ],
)
def test_bad_input_names_the_argument(arguments, error, words):
    with pytest.raises(error) as caught:
        mlp(**{"sizes": [2, 3, 1], **arguments})
    assert all(word in str(caught.value) for word in words), str(caught.value)


# --- other networks ---------------------------------------------------------------------------------------


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 6, padding_idx=0)
        self.recurrent = nn.GRU(6, 6, num_layers=2, batch_first=True)
        self.head = nn.Linear(6, 3)

    def forward(self, words):
        return self.head(self.recurrent(self.embedding(words.long()))[0][:, -1])


def residual() -> nn.Sequential:
    branch = nn.Sequential(nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 8))
    return nn.Sequential(nn.Linear(3, 8), models.ResidualBlock(branch), nn.LayerNorm(8), nn.Linear(8, 4))


def convolutional() -> nn.Sequential:
    layers = [nn.Conv2d(2, 3, 3, padding=1), nn.GroupNorm(1, 3), nn.ReLU(), nn.Conv2d(3, 4, 3)]
    return nn.Sequential(nn.Unflatten(1, (2, 6, 6)), *layers, nn.Flatten(), nn.Linear(64, 2))


def initialized(model: nn.Module, init="he") -> nn.Module:
    return models.initialize(model, init, generator=seeded())


def test_a_residual_block_adds_its_input():
    model = residual().eval()
    z = torch.randn(6, 8, generator=seeded(1))
    assert torch.equal(model[1](z), z + model[1].branch(z))


def test_convolutions_have_hes_variance_and_normalisations_start_at_the_identity():
    assert initialized(nn.Conv2d(60, 60, 3)).weight.std().item() == pytest.approx(math.sqrt(2 / (60 * 9)), rel=0.03)
    for layer in (initialized(convolutional())[2], initialized(residual())[2]):
        assert (layer.weight == 1).all() and (layer.bias == 0).all()


def test_embeddings_and_recurrent_layers_are_drawn_as_pytorch_does():
    model = initialized(Recurrent())
    assert (model.embedding.weight[0] == 0).all() and model.embedding.weight[1:].std() > 0.8
    largest = max(parameter.abs().max().item() for parameter in model.recurrent.parameters())
    assert 0.8 / math.sqrt(6) < largest <= 1 / math.sqrt(6)


def test_dropout_follows_each_activation_and_shares_the_layers():
    model = mlp([3, 4, 5, 2], generator=seeded())
    dropped = models.with_dropout(model, 0.5)
    names = [type(layer).__name__ for layer in dropped]
    assert names == ["Linear", "ReLU", "Dropout", "Linear", "ReLU", "Dropout", "Linear"]
    X = torch.randn(3, 3, generator=seeded(1))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        hidden = dropped[:3].train()(torch.ones(2000, 3)) == 0
    assert (hidden.all(0) | ((hidden.double().mean(0) - 0.5).abs() < 0.1)).all() and not hidden.all()
    assert torch.equal(dropped.eval()(X), model(X))
    with pytest.raises(ValueError, match="p is 1"):
        models.with_dropout(model, 1)


def test_initialize_refuses_layers_it_does_not_know():
    with pytest.raises(TypeError, match="Bilinear"):
        models.initialize(nn.Sequential(nn.Linear(2, 2), nn.Bilinear(2, 2, 2)))


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: models.count_parameters([1]), TypeError, ["model", "[1]"]),
        (lambda: models.width_for_parameters(4, 1, 2, 2), ValueError, ["budget", "4", "7"]),
        (lambda: models.width_for_parameters(100, 0, 2, 2), ValueError, ["depth", "0"]),
    ],
)
def test_bad_input_to_builders_and_counts(call, error, words):
    with pytest.raises(error) as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)


# --- costs ------------------------------------------------------------------------------------------------


@given(SIZES, st.booleans())
@settings(max_examples=25)
def test_parameters_are_pytorchs_count(sizes, bias):
    model = mlp(sizes, bias=bias, generator=seeded())
    expected = sum(p.numel() for p in model.parameters())
    assert models.count_parameters(model) == models.mlp_parameters(sizes, bias=bias) == expected


def test_frozen_and_shared_parameters():
    model = mlp([3, 4, 2], generator=seeded())
    model[0].requires_grad_(False)
    assert models.count_parameters(model) == 26
    shared = nn.Linear(4, 4)
    assert models.count_parameters(nn.Sequential(shared, nn.ReLU(), shared)) == 20


@pytest.mark.parametrize(
    "sizes, parameters",
    [
        ([2, 100, 2], 502),
        ([4, 4, 4, 4], 60),
        ([4, 8, 8, 4], 148),
        ([4, 63, 4], 571),
        ([1, 4, 4, 4, 1], 53),
        ([1, 8, 1], 25),
    ],
)
def test_counts_that_the_sources_get_right_or_wrong(sizes, parameters):
    assert models.mlp_parameters(sizes) == parameters


def pytorchs_flops(model, X):
    model = model.train()
    with FlopCounterMode(display=False) as forward:
        output = model(X)
    with FlopCounterMode(display=False) as backward:
        output.sum().backward()
    return forward.get_total_flops(), forward.get_total_flops() + backward.get_total_flops()


@given(SIZES, st.integers(1, 5))
@settings(max_examples=20)
def test_flops_of_an_mlp_are_what_pytorch_counts(sizes, n):
    model, X = mlp(sizes, generator=seeded()), torch.ones(n, sizes[0])
    expected = pytorchs_flops(model, X)
    assert models.count_flops(model, X) == expected
    assert tuple(n * cost for cost in models.mlp_flops(sizes)) == expected


@pytest.mark.parametrize(
    "model, X",
    [
        (residual(), torch.ones(5, 3)),
        (convolutional(), torch.ones(2, 72)),
        (models.feed_forward(6, gated=True), torch.ones(5, 6)),
        (nn.Sequential(mlp([3, 7, 7]).requires_grad_(False), nn.Linear(7, 2)), torch.ones(5, 3)),
    ],
    ids=["residual", "convolutional", "gated", "frozen"],
)
def test_flops_of_other_networks_are_what_pytorch_counts(model, X):
    before = {name: value.clone() for name, value in model.state_dict().items()}
    assert models.count_flops(model, X) == models.count_flops(model.eval(), X)
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    assert models.count_flops(model, X) == pytorchs_flops(model, X)


def test_flops_of_a_recurrent_layer_by_formula():
    model = Recurrent()
    n, length = 4, 5
    recurrent = 2 * n * length * 2 * 3 * (6 * 6 + 6 * 6)
    head = 2 * n * 6 * 3
    assert models.count_flops(model, torch.ones(n, length)) == (recurrent + head, 3 * (recurrent + head))


def test_flops_of_an_unknown_layer():
    class Doubled(nn.Bilinear):
        def forward(self, x):
            return super().forward(x, x)

    with pytest.raises(TypeError, match="Doubled"):
        models.count_flops(Doubled(2, 2, 2), torch.ones(3, 2))


@given(SIZES, st.integers(1, 5), st.sampled_from(["relu", "tanh", "sigmoid"]))
@settings(max_examples=20)
def test_activation_memory_of_an_mlp_is_its_layers_inputs(sizes, n, activation):
    model = mlp(sizes, activation, generator=seeded())
    assert models.activation_bytes(model, torch.ones(n, sizes[0])) == 4 * n * sum(sizes[:-1])


def test_activation_memory_counts_type_and_what_an_activation_keeps():
    X = torch.ones(7, 3)
    hidden, data = 7 * (5 + 6), 7 * 3
    assert models.activation_bytes(mlp([3, 5, 6, 2]).double(), X.double()) == 8 * (data + hidden)
    assert models.activation_bytes(mlp([3, 5, 6, 2], "gelu"), X) == 4 * (data + 2 * hidden)
    longer = torch.ones(100, 3)[:7]
    assert models.activation_bytes(mlp([3, 5, 6, 2]), longer) == 4 * (data + hidden)


def test_swiglu_formula():
    layer = models.SwiGLU(3, 4)
    x = torch.randn(5, 3, generator=seeded())
    gate = x @ layer.gate.weight.T
    torch.testing.assert_close(layer(x), gate * torch.sigmoid(gate) * (x @ layer.value.weight.T))


@given(st.integers(40, 5000), st.integers(1, 6), st.integers(1, 4), st.integers(1, 4), st.booleans())
@settings(max_examples=60)
def test_width_spends_the_budget(budget, depth, n_in, n_out, bias):
    def parameters(width):
        return models.mlp_parameters([n_in, *[width] * depth, n_out], bias=bias)

    width = models.width_for_parameters(budget, depth, n_in, n_out, bias=bias)
    assert parameters(width) <= budget < parameters(width + 1)

    def step(width):
        return models.mlp_flops([n_in, *[width] * depth, n_out]).step

    width = models.width_for_flops(10 * budget, depth, n_in, n_out)
    assert step(width) <= 10 * budget < step(width + 1)
