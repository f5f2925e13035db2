"""Four films of the kinds that lessons show: scene, labels, words and settings of each, as `play` takes them."""

from __future__ import annotations

import numpy as np

from utils import player


def hinges() -> tuple[player.Scene, list[str], str, dict]:
    """A parabola's interpolant, hinge by hinge."""
    x, knots = np.linspace(-1, 1, 101), np.linspace(-1, 1, 9)
    changes = np.diff(np.diff(knots**2) / np.diff(knots), prepend=0)
    ramps = changes[:, None] * np.maximum(x - knots[:-1, None], 0)
    sums = 1 + np.concatenate([np.zeros((1, len(x))), np.cumsum(ramps, axis=0)])
    network = np.stack([np.broadcast_to(x, sums.shape), sums], -1)[:, None]
    target = np.stack([x, x**2], -1)[None, None]
    corners = np.stack([knots, knots**2], -1)[None]
    scene = [
        player.lines(target, colours=["grey"], names=["x²"]),
        player.lines(network, colours=["blue"], names=["sum of the ramps"]),
        player.points(corners, colours=["red"], names=["points to pass through"]),
    ]
    labels = ["no ramp", "1 ramp", *(f"{n} ramps" for n in range(2, len(sums)))]
    words = """A line that is 1 everywhere bends at one corner after the other, each time that a ramp is added; after
    eight ramps it passes through nine points of a parabola."""
    return scene, labels, words, {"axes": ("x", "f(x)"), "bounds": ((-1.05, 1.05), (-2, 1.1)), "equal": False}


def strip() -> tuple[player.Scene, list[str], str, dict]:
    """A strip, folded upon itself three times."""
    n = 16
    left = np.linspace(0, 1, n + 1)
    x = np.stack([left[:-1], left[1:], left[1:], left[:-1]], -1)
    y = np.broadcast_to([0, 0, 0.22, 0.22], x.shape).astype(float)
    frames = [np.stack([x, y], -1)]
    for fold in range(3):
        middle = 0.5 ** (fold + 1)
        x = middle - np.abs(x - middle)
        frames.append(np.stack([x, y], -1))
    labels = ["the strip", "folded once", "folded twice", "folded three times"]
    words = """A long strip of sixteen cells, two colours in turn, is folded in the middle, three times: it becomes an
    eighth as long, and darker where cells lie on each other."""
    scene = player.polygons(np.stack(frames), np.arange(n) % 2, names=["even cells", "odd cells"])
    return scene, labels, words, {"axes": ("x", "")}


def spiral(n: int = 400, layers: int = 6) -> tuple[player.Scene, list[str], str, dict]:
    """Two arms of a spiral that unwind, a layer at a time."""
    generator = np.random.default_rng(0)
    radius, arm = np.sqrt(generator.uniform(0.05, 1, n)), np.arange(n) % 2
    turns = np.linspace(1, 0, layers + 1)[:, None]
    angle = 2.2 * np.pi * turns * radius + np.pi * arm
    noise = 0.03 * generator.normal(size=(n, 2))
    frames = np.stack([radius * np.cos(angle), radius * np.sin(angle)], -1) + noise
    labels = ["input", *(f"after layer {layer}" for layer in range(1, layers + 1))]
    words = """Two arms of a spiral, blue circles and red squares, unwind from layer to layer, until a straight line
    separates them."""
    return player.points(frames, arm, names=["class A", "class B"]), labels, words, {}


def circle() -> tuple[player.Scene, list[str], str, dict]:
    """A circle through eight random tanh layers of three dimensions' view, at two scales of the weights."""
    generator, width, depth = np.random.default_rng(1), 60, 8
    angle = np.linspace(0, 2 * np.pi, 241)
    weights = generator.normal(size=(depth, width, width)) / np.sqrt(width)
    view = np.linalg.qr(generator.normal(size=(width, 3)))[0]
    scene = {}
    for sigma in (0.9, 2.5):
        hidden = np.zeros((len(angle), width))
        hidden[:, 0], hidden[:, 1] = np.cos(angle), np.sin(angle)
        hidden = np.sqrt(width / 8) * hidden @ np.linalg.qr(generator.normal(size=(width, width)))[0]
        frames = [hidden @ view]
        for layer in weights:
            hidden = np.tanh(sigma * hidden @ layer)
            frames.append(hidden @ view)
        scene[f"σ = {sigma}"] = [player.lines(np.stack(frames)[:, None])]
    labels = ["input", *(f"after layer {layer}" for layer in range(1, depth + 1))]
    words = """The same circle in space, sent through eight random layers: with small weights it shrinks towards a
    point, with large ones it becomes a tangle."""
    return scene, labels, words, {"seconds": 0.8}


FILMS = {"hinges": hinges, "strip": strip, "spiral": spiral, "circle": circle}
