"""Networks of the course, and what they cost: parameters, FLOPs, memory.

Depth is the number of hidden layers, everywhere. Every builder draws from the generator it is given and
leaves PyTorch's global one alone; with generator=None it draws from the global one, as PyTorch does.
"""

import copy
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from utils.checks import one_of, random_generator, real_number, whole_number
from utils.withholding import withholdable


class Square(nn.Module):
    """z². A polynomial: the universal approximation theorem of Leshno et al. 1993 excludes it."""

    def forward(self, z: Tensor) -> Tensor:
        return z * z


ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "relu": nn.ReLU,
    "leaky_relu": nn.LeakyReLU,
    "tanh": nn.Tanh,
    "sigmoid": nn.Sigmoid,
    "gelu": nn.GELU,
    "swish": nn.SiLU,
    "identity": nn.Identity,
    "square": Square,
}

# The standard deviation of one weight, from the numbers of inputs and outputs of its layer.
WEIGHT_STD: dict[str, Callable[[int, int], float]] = {
    "he": lambda n_in, n_out: math.sqrt(2 / n_in),
    "xavier": lambda n_in, n_out: math.sqrt(2 / (n_in + n_out)),
    "lecun": lambda n_in, n_out: math.sqrt(1 / n_in),
    "normal": lambda n_in, n_out: math.sqrt(1 / n_in),
}
INITS = ("default", "orthogonal", *WEIGHT_STD)

Init = str | tuple[str, float]


# --- building ---------------------------------------------------------------------------------------------


def mlp(
    sizes: Sequence[int],
    activation: str = "relu",
    *,
    bias: bool = True,
    init: Init = "default",
    bias_std: float | None = None,
    generator: torch.Generator | None = None,
) -> nn.Sequential:
    """Return a fully connected network: nn.Sequential(Linear, activation, Linear, …, Linear), last layer affine.

    sizes: [n_in, hidden widths…, n_out]; two sizes make a linear model. activation: a key of ACTIVATIONS.
    init, bias_std: see `initialize`. Maps float32 [n, n_in] to [n, n_out].
    Raises TypeError or ValueError that names the argument at fault.
    """
    sizes = _checked_sizes(sizes)
    one_of("activation", activation, ACTIVATIONS)
    if not bias and bias_std is not None:
        raise ValueError(f"bias_std is {bias_std!r}: wanted None, since bias=False leaves nothing to draw")
    with torch.device("meta"):  # no storage and, above all, no random numbers until initialize
        layers = []
        for n_in, n_out in zip(sizes, sizes[1:], strict=False):
            layers += [nn.Linear(n_in, n_out, bias=bias), ACTIVATIONS[activation]()]
        model = nn.Sequential(*layers[:-1])
    return _drawn(model, init, bias_std, generator)


class ResidualBlock(nn.Module):
    """x + branch(x), for a branch that keeps the shape."""

    def __init__(self, branch: nn.Module):
        super().__init__()
        self.branch = branch

    def forward(self, x: Tensor) -> Tensor:
        return x + self.branch(x)


class SwiGLU(nn.Module):
    """swish(x W) ⊙ (x V): a hidden layer whose units are gated (Shazeer 2020, "GLU variants", eq. 5)."""

    def __init__(self, n_in: int, n_out: int, bias: bool = False):
        super().__init__()
        self.gate = nn.Linear(n_in, n_out, bias=bias)
        self.value = nn.Linear(n_in, n_out, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.silu(self.gate(x)) * self.value(x)


def feed_forward(
    d_model: int,
    hidden: int | None = None,
    *,
    gated: bool = False,
    bias: bool = True,
    generator: torch.Generator | None = None,
) -> nn.Sequential:
    """Return the feed-forward block of a transformer: d_model → hidden → d_model, by GELU, or by SwiGLU when gated.

    hidden None: 4·d_model, or, gated, ⌊8·d_model/3⌋, which spends the same: two matrices lead to the hidden layer
    (Shazeer 2020, section 2). Raises TypeError or ValueError that names the argument at fault.
    """
    d_model = whole_number("d_model", d_model)
    usual = 8 * d_model // 3 if gated else 4 * d_model
    hidden = usual if hidden is None else whole_number("hidden", hidden)
    with torch.device("meta"):
        if gated:
            layers = [SwiGLU(d_model, hidden, bias=bias)]
        else:
            layers = [nn.Linear(d_model, hidden, bias=bias), nn.GELU()]
        model = nn.Sequential(*layers, nn.Linear(hidden, d_model, bias=bias))
    return _drawn(model, "default", None, generator)


def with_dropout(model: nn.Sequential, p: float) -> nn.Sequential:
    """Return a network that shares `model`'s layers, with dropout after every activation of an `mlp`.

    p: the share of units dropped while training, in [0, 1). nn.Dropout draws from PyTorch's global generator.
    """
    if not 0 <= real_number("p", p) < 1:
        raise ValueError(f"p is {p!r}: wanted a number in [0, 1)")
    layers: list[nn.Module] = []
    for layer in model:
        layers.append(layer)
        if not isinstance(layer, nn.Linear):
            layers.append(nn.Dropout(p))
    return nn.Sequential(*layers)


def _checked_sizes(sizes: Sequence[int]) -> list[int]:
    if isinstance(sizes, str) or not hasattr(sizes, "__iter__"):
        raise TypeError(f"sizes is {sizes!r}: wanted a list [n_in, …, n_out] of whole numbers")
    checked = [whole_number(f"sizes[{i}]", size) for i, size in enumerate(sizes)]
    if len(checked) < 2:
        raise ValueError(f"sizes is {sizes!r}: wanted at least two sizes, [n_in, …, n_out]")
    return checked


# --- initialising -----------------------------------------------------------------------------------------


@torch.no_grad()
def initialize(
    model: nn.Module,
    init: Init = "default",
    *,
    bias_std: float | None = None,
    generator: torch.Generator | None = None,
) -> nn.Module:
    """Return the same model with weights and biases drawn anew, layer by layer.

    init is a name, or (name, gain) to multiply the weights by gain. With n_in and n_out a layer's fan-in and
    fan-out, the weights of linear and convolutional layers are drawn with variance gain² times

    - "default": 1/(3 n_in), what nn.Linear does: weights and biases uniform in ±1/√n_in;
    - "he": 2/n_in (He et al. 2015, eq. 10); "xavier": 2/(n_in + n_out) (Glorot & Bengio 2010, eq. 12);
      "lecun" and "normal": 1/n_in (LeCun et al. 1998, section 4.6); all normal;
    - "orthogonal": orthonormal rows or columns, whichever are fewer (Saxe et al. 2014).

    Biases are zero, except that "default" draws them as PyTorch does, and bias_std as N(0, bias_std²).
    Embeddings and recurrent layers are always drawn as PyTorch does; normalisations start at the identity.
    Raises TypeError for a layer it does not know, ValueError or TypeError that names the argument at fault.
    """
    name, gain = _checked_init(init)
    if bias_std is not None:
        real_number("bias_std", bias_std, least=0)
    if generator is not None:
        random_generator("generator", generator)
    for layer in model.modules():
        if isinstance(layer, nn.Linear | nn.Conv2d):
            _draw_weight(layer.weight, name, gain, generator)
            if layer.bias is not None:
                _draw_bias(layer, name, bias_std, generator)
        else:
            _draw_other(layer, generator)
    return model


def _checked_init(init: Init) -> tuple[str, float]:
    pair = init if isinstance(init, tuple | list) else (init, 1.0)
    if len(pair) != 2 or not isinstance(pair[0], str):
        raise TypeError(f"init is {init!r}: wanted a name or (name, gain), names being {', '.join(INITS)}")
    return one_of("init", pair[0], INITS), real_number("gain in init", pair[1], least=0)


def _draw_weight(weight: Tensor, name: str, gain: float, generator: torch.Generator | None) -> None:
    if name == "default":
        # PyTorch's own call, so that the same seed gives nn.Linear's very numbers
        nn.init.kaiming_uniform_(weight, a=math.sqrt(5), generator=generator)
        weight.mul_(gain)
    elif name == "orthogonal":
        _draw_orthogonal(weight, gain, generator)
    else:
        places = weight[0, 0].numel()  # 1 for a linear layer, 9 for a 3×3 convolution
        n_out, n_in = weight.shape[0] * places, weight.shape[1] * places
        weight.normal_(0, gain * WEIGHT_STD[name](n_in, n_out), generator=generator)


def _draw_orthogonal(weight: Tensor, gain: float, generator: torch.Generator | None) -> None:
    """Draw what PyTorch's own call draws, decomposed with float64: float32's last bits would be the processor's."""
    drawn = torch.empty_like(weight).normal_(generator=generator).flatten(1).double()
    wide = drawn.shape[0] < drawn.shape[1]
    Q, R = torch.linalg.qr(drawn.T if wide else drawn)
    Q = gain * Q * R.diagonal().sign()
    weight.copy_((Q.T if wide else Q).reshape(weight.shape))


def _draw_bias(
    layer: nn.Linear | nn.Conv2d, name: str, bias_std: float | None, generator: torch.Generator | None
) -> None:
    if bias_std is not None:
        layer.bias.normal_(0, bias_std, generator=generator)
    elif name == "default":
        bound = 1 / math.sqrt(layer.weight[0].numel())
        layer.bias.uniform_(-bound, bound, generator=generator)
    else:
        layer.bias.zero_()


def _draw_other(layer: nn.Module, generator: torch.Generator | None) -> None:
    if isinstance(layer, nn.Embedding):
        layer.weight.normal_(generator=generator)
        if layer.padding_idx is not None:
            layer.weight[layer.padding_idx] = 0
    elif isinstance(layer, nn.RNNBase):
        bound = 1 / math.sqrt(layer.hidden_size)
        for parameter in layer.parameters():
            parameter.uniform_(-bound, bound, generator=generator)
    elif isinstance(layer, nn.LayerNorm | nn.GroupNorm | nn.BatchNorm1d | nn.BatchNorm2d):
        layer.reset_parameters()
    elif next(layer.parameters(recurse=False), None) is not None:
        raise TypeError(f"model has a layer {type(layer).__name__}: no initialisation is known for it")


def _drawn(model: nn.Module, init: Init, bias_std: float | None, generator: torch.Generator | None) -> Any:
    """Return a model built on the meta device, given storage (where its generator is) and initial values."""
    if generator is not None:
        random_generator("generator", generator)
    model.to_empty(device="cpu" if generator is None else generator.device)
    return initialize(model, init, bias_std=bias_std, generator=generator)


# --- counting ---------------------------------------------------------------------------------------------


class Flops(NamedTuple):
    """Floating-point operations: `forward` for one forward pass, `step` for forward and backward together."""

    forward: int
    step: int


@withholdable
def count_parameters(model: nn.Module) -> int:
    """Return the number of parameters of a model, shared ones once."""
    if not isinstance(model, nn.Module):
        raise TypeError(f"model is {model!r}: wanted a torch.nn.Module")
    return sum(p.numel() for p in model.parameters())


@withholdable
def mlp_parameters(sizes: Sequence[int], *, bias: bool = True) -> int:
    """Return the number of parameters of mlp(sizes), without building it: Σ n_out (n_in + 1), or Σ n_out n_in."""
    sizes = _checked_sizes(sizes)
    return sum((n_in + bool(bias)) * n_out for n_in, n_out in zip(sizes, sizes[1:], strict=False))


@withholdable
def mlp_flops(sizes: Sequence[int]) -> Flops:
    """Return the FLOPs that mlp(sizes) spends on one example, without building it.

    Matrix products only, a multiplication and an addition being 2 FLOPs: forward Σ 2 n_in n_out; a training
    step has the gradients of weights and of inputs on top, each as much again, but none for the data itself.
    Activations, biases, loss and optimiser, not counted, are proportional to widths, not to their products.
    """
    sizes = _checked_sizes(sizes)
    products = [2 * n_in * n_out for n_in, n_out in zip(sizes, sizes[1:], strict=False)]
    return Flops(forward=sum(products), step=3 * sum(products) - products[0])


def count_flops(model: nn.Module, X: Tensor) -> Flops:
    """Return the FLOPs that any network of this module spends on a batch X, counted as in `mlp_flops`.

    The model runs once on a copy, so nothing about it changes. Frozen weights save their gradient.
    Raises TypeError for a layer with weights that it cannot count.
    """
    model = copy.deepcopy(model).eval()
    counts: list[Flops] = []

    def count(layer: nn.Module, inputs: tuple[Tensor, ...], output: Any) -> None:
        forward = _layer_flops(layer, inputs[0], output)
        gradients = bool(inputs[0].requires_grad) + any(p.requires_grad for p in layer.parameters())
        counts.append(Flops(forward, forward * (1 + gradients)))

    for layer in model.modules():
        if next(layer.parameters(recurse=False), None) is not None:
            layer.register_forward_hook(count)
    with torch.enable_grad():
        model(X)
    return Flops(sum(c.forward for c in counts), sum(c.step for c in counts))


def _layer_flops(layer: nn.Module, layer_input: Tensor, output: Any) -> int:
    if isinstance(layer, nn.Linear | nn.Conv2d):
        return 2 * layer.weight[0].numel() * output.numel()
    if isinstance(layer, nn.RNNBase):
        weights = sum(p.numel() for p in layer.parameters() if p.ndim == 2)
        return 2 * weights * (layer_input.numel() // layer.input_size)
    if isinstance(layer, nn.Embedding | nn.LayerNorm | nn.GroupNorm | nn.BatchNorm1d | nn.BatchNorm2d):
        return 0
    raise TypeError(f"model has a layer {type(layer).__name__}: its FLOPs cannot be counted")


def activation_bytes(model: nn.Module, X: Tensor) -> int:
    """Return the bytes that autograd keeps between the forward and the backward pass on a batch X, X included.

    Measured, not estimated: what is saved for the backward pass, parameters left out and each tensor once. A
    ReLU network keeps each layer's input, 4·n·(n_in + Σ widths) bytes in float32; GELU keeps its own as well.
    The model runs once on a copy, so nothing about it changes, nor about PyTorch's global generator.
    """
    model = copy.deepcopy(model).train()
    own = {t.untyped_storage().data_ptr() for t in (*model.parameters(), *model.buffers())}
    saved: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            saved[storage.data_ptr()] = storage.nbytes()
        return tensor

    hooks = torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor)
    with torch.random.fork_rng(devices=[]), torch.enable_grad(), hooks:
        y_hat = model(X.clone())
    del y_hat  # only now: while the graph lives, no address is given out twice
    return sum(saved.values())


@withholdable
def width_for_parameters(budget: int, depth: int, n_in: int, n_out: int, *, bias: bool = True) -> int:
    """Return the largest width at which an mlp of `depth` equal hidden layers has at most `budget` parameters.

    Raises ValueError when even width 1 costs more, and for a depth below 1.
    """
    return _largest_width(budget, depth, n_in, n_out, lambda sizes: mlp_parameters(sizes, bias=bias))


def width_for_flops(budget: int, depth: int, n_in: int, n_out: int) -> int:
    """Return the largest width at which training an mlp of `depth` equal hidden layers costs at most `budget` FLOPs.

    That is per example and step: `mlp_flops(…).step`.
    Raises ValueError when even width 1 costs more, and for a depth below 1.
    """
    return _largest_width(budget, depth, n_in, n_out, lambda sizes: mlp_flops(sizes).step)


def _largest_width(budget: int, depth: int, n_in: int, n_out: int, cost: Callable[[list[int]], int]) -> int:
    budget, depth = whole_number("budget", budget), whole_number("depth", depth)

    def affordable(width: int) -> bool:
        return cost([n_in, *[width] * depth, n_out]) <= budget

    if not affordable(1):
        least = cost([n_in, *[1] * depth, n_out])
        raise ValueError(f"budget is {budget}: wanted at least {least}, the cost of width 1 at depth {depth}")
    low, high = 1, budget + 1  # a unit costs more than one parameter
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if affordable(middle) else (low, middle)
    return low
