"""What lesson 01's widgets draw; pure functions of their controls' values, which need no widget."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
from ipywidgets import Dropdown, FloatSlider, SelectionSlider, Widget
from matplotlib.figure import Figure

from utils.comparison import VALIDATION
from utils.constructions import evaluate_hinges, polyline, relu_interpolant, sup_error
from utils.lesson_01.curves import LARGEST, SQUARED, TARGET_NAMES, built, curve_scores, train_on_curve
from utils.lesson_01.curves_figures import fits
from utils.lesson_01.hypotheses import SWITCHES, train_switch
from utils.pages import described
from utils.player import lines, play, points
from utils.plots import plot_interpolant
from utils.types import Array

LOW, HIGH = -5.0, 5.0
TARGETS = {
    "sine": np.sin,
    "kink": lambda x: np.abs(x - 0.75),
    "bell": lambda x: np.exp(-(x**2)),
    "step-like": lambda x: np.tanh(4 * x),
}
EVEN = np.linspace(LOW, HIGH, 6)  # an end, four hinges, and the other end
STEP = 0.25  # the corner of the kink lies on it
STEPS = 1500  # a third of a second at the largest width, so that a slider does not lag
RATE = 0.03  # does well at most widths; the widgets do not tune, the experiments do
TRAINING = {"seeds": range(10), "steps": STEPS, "lrs": (RATE,)}
# a slider that comes back draws at once
_trained, _switched = (lru_cache(256)(partial(train, **TRAINING)) for train in (train_on_curve, train_switch))


def hinge_controls() -> dict[str, Widget]:
    """Return the controls of `hinge_builder`: a target, and where the hinges are; evenly spaced at first."""
    sliders = {
        f"hinge_{at}": FloatSlider(place, min=LOW + STEP, max=HIGH - STEP, step=STEP, description=f"dot {at} at x =")
        for at, place in enumerate(EVEN[1:-1].tolist(), 1)
    }
    return {"target": Dropdown(options=list(TARGETS), value="kink", description="target"), **sliders}


def hinge_builder(target: str, **places: float) -> tuple[Figure, str]:
    """Return a figure of the polyline through the target at the hinges, and a sentence with its largest error.

    A dot has its slider's number. The first hinge, at the left end, and the last knot, at the right end, are always
    there. Hinges may be in any order; two in one place are one.
    """
    f, knots = TARGETS[target], np.unique([LOW, *places.values(), HIGH])
    x = np.linspace(LOW, HIGH, 601)
    network = polyline(knots, f)
    ax = plot_interpolant(x, network(x), knots, f(knots), f(x))
    ax.set(ylim=(-1.6, 6.2) if target == "kink" else (-1.6, 1.6))
    for place in {*places.values()}:
        names = ", ".join(str(at) for at, other in enumerate(places.values(), 1) if other == place)
        ax.annotate(names, (place, f(place)), xytext=(0, 7), textcoords="offset points", ha="center")
    where = ", ".join(f"{place:g}" for place in knots[1:-1])
    error, error_even = (sup_error(f, one, LOW, HIGH) for one in (network, polyline(EVEN, f)))
    words = (
        f"Your hinges are at {where}. Their largest error is {error:.3g}; that of evenly spaced hinges is "
        f"{error_even:.3g}."
    )
    return ax.figure, words


@described(
    "01.adding-up",
    "The hinges add up, one by one",
    """A line is flat at first. Each time a hinge is added, it bends at the next knot and follows the target one piece
    further. Beyond its last hinge it runs straight out of the picture.
    """,
)
def play_hinges(knots: Array, f: Callable[[Array], Array]) -> None:
    """Show the hinges of the polyline through f at the knots adding up, one by one."""
    x = np.linspace(knots[0], knots[-1], 201)
    hinges, weights, bias = relu_interpolant(knots, f(knots))
    counts = range(len(hinges) + 1)
    sums = np.array([[np.stack([x, evaluate_hinges(x, hinges[:n], weights[:n], bias)], axis=1)] for n in counts])
    scene = [
        lines(np.stack([x, f(x)], axis=1)[None, None], colours=["grey"], names=["target"]),
        lines(sums, colours=["blue"], names=["sum of the hinges so far"]),
        points(np.stack([knots, f(knots)], axis=1)[None], colours=["red"], names=["knots"]),
    ]
    low, high = f(x).min(), f(x).max()
    bounds = ((x[0], x[-1]), (2 * low - high, 2 * high - low))
    labels = ["no hinge", "1 hinge", *(f"{n} hinges" for n in counts[2:])]
    play(scene, labels, "01.adding-up", bounds=bounds, axes=("x", "y"), equal=False)


def width_controls() -> dict[str, Widget]:
    """Return the controls of `width_slider`."""
    return {
        "target": Dropdown(options=list(TARGET_NAMES), value="two sines", description="target"),
        "width": SelectionSlider(options=[2, 3, 5, 10, 20, 40, 80], value=10, description="hidden units"),
    }


def width_slider(target: str, width: int) -> tuple[Figure, str]:
    """Return a figure of the best and the worst of ten trained networks, and their errors beside the built one's."""
    swept = _trained(target, width)
    errors = curve_scores(swept).sel(rate=RATE)
    best, worst = (errors.sel(seed=seed) for seed in (errors[SQUARED].idxmin(), errors[SQUARED].idxmax()))
    networks = {f"{name} of ten": swept.model(one["seed"]) for name, one in (("best", best), ("worst", worst))}
    words = (
        f"Each of ten networks with {width} hidden units was trained for {STEPS:,} steps. Largest error: best "
        f"{best[LARGEST].item():.3g}, worst {worst[LARGEST].item():.3g}, "
        f"hand-built {built(target, width, LARGEST):.3g}. Mean squared error: best {best[SQUARED].item():.2g}, "
        f"worst {worst[SQUARED].item():.2g}, hand-built {built(target, width):.2g}."
    )
    return fits({target: (target, networks)}), words


def switch_controls() -> dict[str, Widget]:
    """Return the controls of `switchboard`."""
    return {
        "hypothesis": Dropdown(options=list(SWITCHES), value="target not continuous", description="hypothesis"),
        "width": SelectionSlider(options=[1, 2, 4, 8, 16, 32, 64], value=8, description="hidden units"),
    }


def switchboard(hypothesis: str, width: int) -> tuple[Figure, str]:
    """Return a figure of the best of ten networks with one hypothesis of the theorem off, and its errors in words."""
    switch = SWITCHES[hypothesis]
    swept = _switched(switch, width)
    errors = curve_scores(swept).sel(rate=RATE)
    best = errors.sel(seed=errors[VALIDATION].idxmin())
    panel = switch.curve, {"best of ten": swept.model(best["seed"])}
    floor = f" At no width does it fall below {switch.largest:.3g}." if switch.largest else ""
    floor_squared = f" At no width does it fall below {switch.squared:.3g}." if switch.squared else ""
    words = (
        f"{hypothesis}: the network is the best of ten with {width} {switch.activation} units"
        f"{'' if switch.bias else ' without biases'}. Its largest error is {best[LARGEST].item():.3g}.{floor} Its mean "
        f"squared error is {best[SQUARED].item():.3g}.{floor_squared}"
    )
    return fits({hypothesis: panel}, beyond={hypothesis: switch.beyond}), words
