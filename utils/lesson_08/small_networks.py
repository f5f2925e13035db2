"""Small networks for the capstone: trained, rounded, written out as text, and the table of the best that are known."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from utils.lesson_08 import capstone
from utils.models import mlp, mlp_parameters
from utils.training import train_ensemble
from utils.types import Part

FAILED = (  # for the spirals: network, starts, steps of each, and the least error, on the points it was chosen on
    ("2-3-1-1 tanh", 500, 8000, 0.184),
    ("2-2-3-1 tanh", 1000, 12000, 0.123),
    ("2-4-1-1 tanh", 1000, 8000, 0.133),
    ("2-3-2-1 tanh", 5000, 20000, 0.029),
    ("2-2-2-2-1 tanh", 4000, 20000, 0.087),
    ("2-3-2-1-1 tanh", 1000, 12000, 0.028),
    ("2-5-1-1 tanh", 500, 8000, 0.066),
    ("2-2-4-1 tanh", 500, 8000, 0.133),
    ("2-6-1 tanh", 1000, 8000, 0.046),
    ("2-2-2-3-1 tanh", 500, 8000, 0.080),
    ("2-4-2-1 relu", 1000, 12000, 0.091),
    ("2-3-3-1 relu", 500, 8000, 0.066),
    ("2-3-2-2-1 relu", 500, 8000, 0.061),
)
KNOWN = Path(__file__).with_name("known_best.json")
DIGITS = 3  # of an entry that is handed in
RATE, BATCH = 0.03, 100
COLUMNS = 84  # of text to paste


# --- training -----------------------------------------------------------------------------------------------


def starts(sizes: Sequence[int], activation: str, count: int, generator: torch.Generator) -> list[nn.Sequential]:
    """Return networks with He's weights, of sizes [inputs, units, …, outputs]."""
    return [mlp(sizes, activation, init="he", generator=generator) for _ in range(count)]


def best_of(models: Sequence[nn.Module], X: Tensor, y: Tensor) -> tuple[nn.Module, float]:
    """Return the one of the networks with the least error at X [n, n_in], and that error (see `capstone.error`)."""
    errors = [capstone.error(*rounded(model), X, y) for model in models]
    best = int(np.argmin(errors))
    return models[best], errors[best]


def tried(
    parts: Sequence[Part], hidden: Sequence[int], activation: str = "tanh", *, count: int = 16, epochs: int = 100
) -> tuple[Any, int, float]:
    """Return the best of several starts with these hidden layers, for two classes, its parameters and its error.

    ``parts`` are for training, for choosing among the starts, and for judging.
    """
    (X, y), chosen_on, judged_on = parts
    models = starts([X.shape[1], *hidden, 2], activation, count, torch.Generator().manual_seed(0))
    train_ensemble(models, X, y, epochs=epochs, lr=RATE, batch_size=BATCH, schedule="one-cycle", progress=False)
    network = rounded(best_of(models, *chosen_on)[0])
    return network, capstone.parameters(network[1]), capstone.error(*network, *judged_on)


def in_three(parts: Sequence[Part]) -> list[Part]:
    """Return training points as they are, and held-out ones in two halves, at random: their classes come in turn."""
    training, (X, y) = parts
    first, second = torch.randperm(len(X), generator=torch.Generator().manual_seed(0)).chunk(2)
    return [training, (X[first], y[first]), (X[second], y[second])]


# --- handing in ---------------------------------------------------------------------------------------------


@torch.no_grad()
def rounded(model: nn.Sequential, digits: int = DIGITS) -> tuple[str, capstone.Layers]:
    """Return a trained network as it is handed in, (activation, layers), with so many digits of each entry.

    Of two outputs, one a class, one is made: their difference is positive where the second class wins.
    """
    linear = [layer for layer in model if isinstance(layer, nn.Linear)]
    activation = "tanh" if any(isinstance(layer, nn.Tanh) for layer in model) else "relu"
    layers = [(layer.weight.double().numpy(), layer.bias.double().numpy()) for layer in linear]
    weight, bias = layers[-1]
    if len(bias) == 2:
        layers[-1] = weight[1:] - weight[:1], bias[1:] - bias[:1]
    return activation, [(_rounded(weight, digits), _rounded(bias, digits)) for weight, bias in layers]


def _rounded(array: np.ndarray, digits: int) -> np.ndarray:
    return np.vectorize(lambda entry: float(f"{entry:.{digits}g}"), otypes=[float])(array)


def as_text(network: tuple[str, capstone.Layers]) -> str:
    """Return Python's text of a network, to be pasted into a function."""
    activation, layers = network
    lines = [f'activation = "{activation}"', "layers = ["]
    for weight, bias in layers:
        text = f"({json.dumps(np.asarray(weight).tolist())}, {json.dumps(np.asarray(bias).tolist())}),"
        lines += textwrap.wrap(
            text,
            COLUMNS,
            initial_indent="    ",
            subsequent_indent="     ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return textwrap.indent("\n".join([*lines, "]"]), "    ")


# --- the best that are known --------------------------------------------------------------------------------


def known_best() -> list[dict[str, Any]]:
    """Return the records, smallest first for each target.

    Each has its ``target``, ``activation`` and ``sizes``, ``how`` it was found, the ``starts`` and ``steps`` that its
    finder reports (and the ``epochs`` of those steps, for the teacher), and its ``worst_error`` on eleven seeds of the
    judge; for the spirals also the ``plane``, the class at each point of a coarse grid, its top row first. The weights
    are with the tests, which measure that error again.
    """
    return json.loads(KNOWN.read_text(encoding="utf-8"))


def records(name: str) -> list[dict[str, Any]]:
    """Return, for each record of a target, its sizes, its number of hidden layers and its parameters."""
    return [
        {
            "sizes": "-".join(map(str, entry["sizes"])),
            "activation": entry["activation"],
            "depth": len(entry["sizes"]) - 2,
            "parameters": mlp_parameters(entry["sizes"]),
        }
        for entry in known_best()
        if entry["target"] == name
    ]


def best_records(name: str) -> dict[str, Any]:
    """Return sizes, activation and depth of a target's smallest record, its parameters and those in one layer."""
    first, *others = records(name)
    one = min(one["parameters"] for one in (first, *others) if one["depth"] == 1)
    return {
        "sizes": first["sizes"],
        "activation": first["activation"],
        "depth": first["depth"],
        "fewest": first["parameters"],
        "one": one,
    }


def said(name: str) -> str:
    """Return in words how many parameters a target's smallest record has, and how many one with one hidden layer."""
    best = best_records(name)
    if best["depth"] == 1:
        more = min(one["parameters"] for one in records(name) if one["depth"] > 1)
        return f"{best['fewest']} parameters in one hidden layer ({more} in two)"
    return f"{best['fewest']} parameters in {('two', 'three')[best['depth'] - 2]} hidden layers ({best['one']} in one)"


def print_known() -> None:
    """Print the best that are known, each with its worst error on eleven seeds, as it was recorded."""
    print("target   parameters  network                worst error  allowed  starts × steps")
    for entry in known_best():
        network = f"{'-'.join(map(str, entry['sizes']))} {entry['activation']}"
        effort = f"{entry['starts']:,} × {entry['steps']:,}" if entry["starts"] else "by hand"
        print(
            f"{entry['target']:<8} {mlp_parameters(entry['sizes']):>10}  {network:<21}  {entry['worst_error']:>11.3f}"
            f"  {capstone.TARGETS[entry['target']].goal:>7.2f}  {effort:>14}"
        )


def print_failed() -> None:
    """Print which shapes a search for small spiral networks did without, smallest first."""
    print("not found    network         least error  starts × steps")
    for network, starts_, steps, missed in FAILED:
        sizes = [int(size) for size in network.split()[0].split("-")]
        print(f"{mlp_parameters(sizes):>10}   {network:<15} {missed:>11.3f}  {f'{starts_:,} × {steps:,}':>14}")
