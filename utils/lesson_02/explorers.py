"""What lesson 02's two explorers compute and show; pure functions of their controls' values, but for the controls."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import torch
from ipywidgets import Dropdown, FloatSlider, IntSlider, Play, SelectionSlider, Widget
from matplotlib.figure import Figure
from torch import nn

from utils.data import diagonal_flip
from utils.lesson_02 import explorers_figures as figures
from utils.lesson_02.sawtooth import RANDOM
from utils.live_training import Paced
from utils.models import count_parameters, mlp
from utils.regions import linear_pieces
from utils.training import Trainer
from utils.types import Array

# --- the architecture ---------------------------------------------------------------------------------------

UNITS = 8  # the most that a slider allows
SIDES = (1, 2, 4)  # how many inputs a network may have, and as many outputs
SEED = 4  # of the weights that the explorer draws: with it few units are silent for all inputs
SECONDS_PER_STEP = 1.2


def sizes_of(layers: Sequence[int], sides: int = 1) -> list[int]:
    """Return [inputs, units of each hidden layer that has any, outputs]; as many outputs as inputs."""
    return [sides, *(units for units in layers if units), sides]


def parameters_of(sizes: Sequence[int]) -> list[int]:
    """Return how many parameters each layer has: n_in · n_out weights and n_out biases."""
    return [n_in * n_out + n_out for n_in, n_out in zip(sizes, sizes[1:], strict=False)]


def as_wide_as(parameters: int, sides: int = 1) -> int:
    """Return the most units that one hidden layer can have: N units have (2 · sides + 1) N + sides parameters."""
    return (parameters - sides) // (2 * sides + 1)


@torch.no_grad()
def drawn_network(sizes: Sequence[int], activation: str, seed: int = SEED) -> nn.Sequential:
    """Return a network whose weights, N(0, 2/n_in), and biases, N(0, ¼), stay as they are when units are added."""
    model = mlp(sizes, activation, init="he", generator=_seeded(seed))
    most = max(UNITS, *sizes)
    for number, layer in enumerate(model[::2]):
        draws = torch.randn(most, most + 1, generator=_seeded(1000 * seed + number))
        n_out, n_in = layer.weight.shape
        layer.weight.copy_(draws[:n_out, 1 : n_in + 1] * math.sqrt(2 / n_in))
        layer.bias.copy_(draws[:n_out, 0] / 2)
    return model


@torch.no_grad()
def passed(model: nn.Sequential, point: Sequence[float]) -> tuple[list[Array], list[Array]]:
    """Return the input, what each layer of one of `mlp`'s networks hands on, and each before the activation."""
    values, sums = [torch.tensor(point)], [torch.tensor(point)]
    for module in model:
        if isinstance(module, nn.Linear):
            sums.append(module(values[-1]))
            values.append(sums[-1])
        else:
            values[-1] = module(sums[-1])
    return [one.numpy() for one in values], [one.numpy() for one in sums]


@torch.no_grad()
def outputs_of(model: nn.Module, X: Array) -> Array:
    """Return the network's outputs [n, outputs] for the inputs X [n, inputs]."""
    return model(torch.tensor(X, dtype=torch.float32)).numpy()


def point_of(sides: int, x: float, y: float, image: int) -> list[float]:
    """Return the input that the controls say: x, or x and y, or the four pixels of one of the sixteen 2×2 images."""
    return diagonal_flip()[0][image].tolist() if sides == 4 else [x, y][:sides]


def architecture_controls() -> dict[str, Widget]:
    """Return the controls of `forward_pass`, by name: of those for the input, the ones that it has are shown.

    The last step is the output's, however many layers there are.
    """
    hidden = {
        f"layer_{i}": IntSlider(units, 1 if i == 1 else 0, UNITS, description=f"hidden layer {i}: units")
        for i, units in enumerate((4, 4, 4, 0), start=1)
    }
    sides = Dropdown(options=SIDES, description="inputs = outputs")
    places = {
        "x": FloatSlider(0.8, min=-1.0, max=1.0, step=0.1, description="input x"),
        "y": FloatSlider(-0.3, min=-1.0, max=1.0, step=0.1, description="input y"),
        "image": IntSlider(4, 0, 15, description="image"),
    }
    step = Play(value=0, min=0, max=4, interval=int(1000 * SECONDS_PER_STEP), description="layers computed")

    def set_last_step(_: object = None) -> None:
        step.max = len(sizes_of([slider.value for slider in hidden.values()])) - 1

    def show_places(_: object = None) -> None:
        for name, slider in places.items():
            slider.layout.display = "" if name in figures.INPUTS[sides.value] else "none"

    for slider in hidden.values():
        slider.observe(set_last_step, names="value")
    sides.observe(show_places, names="value")
    show_places()
    activation = Dropdown(options=["relu", "tanh"], description="activation")
    return {**hidden, "sides": sides, "activation": activation, **places, "step": step}


def forward_pass(
    *, sides: int, activation: str, x: float, y: float, image: int, step: int, **layers: int
) -> tuple[Figure, str]:
    """Return a figure of the network, computed up to layer ``step``, and its sizes and that step in words.

    ``sides``: how many inputs and how many outputs; ``layers``: the units of the hidden layers, in their order.
    """
    sizes = sizes_of(list(layers.values()), sides)
    model = drawn_network(sizes, activation)
    values, sums = passed(model, point_of(sides, x, y, image))
    step = min(step, len(sizes) - 1)
    weights = [layer.weight.detach().numpy() for layer in model[::2]]
    figure = figures.forward_pass(weights, values[: step + 1], lambda X: outputs_of(model, X))
    return figure, f"{count_in_words(sizes)} {step_in_words(model, values, sums, step, activation)}"


def count_in_words(sizes: Sequence[int]) -> str:
    """Return a sentence with the parameters, layer by layer, and the one hidden layer that they would pay for."""
    counts, sides = parameters_of(sizes), sizes[0]
    pairs = zip(sizes, sizes[1:], strict=False)
    terms = " + ".join(f"({n_in}·{n_out} + {n_out})" for n_in, n_out in pairs)
    one = as_wide_as(sum(counts), sides)
    said = f"Parameters: {terms} = {' + '.join(map(str, counts))} = {sum(counts)}."
    if len(sizes) == 3:
        return said
    units = "unit" if one == 1 else "units"
    return f"{said} One hidden layer of {one} {units} would have {sum(parameters_of([sides, one, sides]))}."


def step_in_words(
    model: nn.Sequential, values: Sequence[Array], sums: Sequence[Array], step: int, activation: str
) -> str:
    """Return a sentence that computes the first unit of layer ``step`` from the values before it."""
    if step == 0:
        numbers = ", ".join(map(_number, values[0]))
        return f"Nothing is computed yet: the input is {numbers}."
    layer = model[::2][step - 1]
    pairs = zip(layer.weight[0].tolist(), values[step - 1], strict=True)
    terms = " + ".join(f"{_number(weight)} · {_number(value)}" for weight, value in pairs)
    total = f"{terms} + bias {_number(layer.bias[0].item())} ≈ {_number(sums[step][0])}"
    if step == len(values) - 1:
        first = "" if len(layer.weight) == 1 else " Its first unit:"
        return f"The output layer adds up, without an activation{'.' if first else ':'}{first} {total}."
    name = "ReLU" if activation == "relu" else activation
    return f"First unit of hidden layer {step}: {total}, and {name} turns that into {_number(values[step][0])}."


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")


# --- width against depth, while it trains -----------------------------------------------------------------------


def sawtooth(x: Array, teeth: int = 4) -> Array:
    """Return a function on [-1, 1] with 2 · teeth straight pieces, from 0 up to 1 and back, as folds draw it."""
    return 1 - np.abs((x + 1) * teeth / 2 % 1 * 2 - 1)


TARGETS: dict[str, Callable[[Array], Array]] = {
    "two waves": lambda x: np.sin(2 * np.pi * x),
    "faster and faster": lambda x: np.sin(1.5 * np.pi * (x + 1) ** 2),
    "sawtooth of 8 pieces": sawtooth,
    "sawtooth of 16 pieces": lambda x: sawtooth(x, 8),
    "a step": lambda x: np.tanh(20 * x),
}
POINTS = 257
STEPS = 5000
RATES = (0.001, 0.003, 0.01, 0.03, 0.1)


def fit_controls() -> dict[str, Widget]:
    """Return the controls of `fit` and `fitted`, by name."""
    return {
        "target": Dropdown(options=list(TARGETS), value="sawtooth of 8 pieces", description="target"),
        "width": IntSlider(8, 1, 32, description="width"),
        "depth": IntSlider(3, 1, 6, description="depth (hidden layers)"),
        "activation": Dropdown(options=["relu", "tanh"], description="activation"),
        "seed": IntSlider(0, 0, 19, description="seed"),
        "rate": SelectionSlider(options=RATES, value=0.01, description="learning rate"),
    }


def fit(*, target: str, width: int, depth: int, activation: str, seed: int, rate: float, steps: int = STEPS) -> Paced:
    """Return a training of one network on the target's curve: Adam on all points at once, its rate falling to 0.

    It starts from He's weights and random biases, as the record's networks do.
    """
    model = mlp([1, *[width] * depth, 1], activation, **RANDOM, generator=_seeded(seed))
    X = torch.linspace(-1, 1, POINTS)[:, None]
    y = torch.tensor(TARGETS[target](X.double().numpy()), dtype=torch.float32)
    return Paced(Trainer([model], X, y, epochs=steps, lr=rate, schedule="cosine"))


def fitted(
    run: Paced, *, target: str, width: int, depth: int, activation: str, seed: int, rate: float
) -> tuple[Figure, str]:
    """Return a figure of the network over its target, with its loss so far, and both in words."""
    model, history = run.trainer.plan.models[0], run.trainer.histories[0]
    y, y_hat = TARGETS[target](figures.GRID), curve_of(model, figures.GRID)
    knots = knots_of(model)
    figure = figures.fit_and_loss(y, y_hat, knots, history.loss)
    end = " The training diverged: try a smaller rate." if history.diverged else ""
    words = (
        f"{depth} × {width} {activation} units, {count_parameters(model)} parameters, after {history.steps:,} of "
        f"{run.trainer.plan.epochs:,} steps: mean squared error {np.mean((y_hat - y) ** 2):.2g}. "
        f"{pieces_in_words(knots, width, depth)}{end}"
    )
    return figure, words


def curve_of(model: nn.Module, x: Array) -> Array:
    """Return the values of a network with one input and one output at x [n]."""
    return outputs_of(model, x[:, None])[:, 0]


def knots_of(model: nn.Sequential) -> Array | None:
    """Return [knots, 2]: where a ReLU network changes its slope in (-1, 1), x and y; None for other activations."""
    if not any(isinstance(module, nn.ReLU) for module in model):
        return None
    pieces = linear_pieces(model, (-1.0, 1.0))
    x = pieces.knots[1:-1]
    return np.stack([x, pieces.slopes[1:, 0] * x + pieces.intercepts[1:, 0]], axis=1)


def pieces_in_words(knots: Array | None, width: int, depth: int) -> str:
    """Return a sentence with the number of straight pieces on [-1, 1], beside an upper bound for such layers."""
    if knots is None:
        return "Its graph is smooth: it has no straight pieces to count."
    most = (width + 1) ** depth
    return f"Its graph on [−1, 1] has {len(knots) + 1} straight pieces; such layers never make more than {most:,}."


def _seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)
