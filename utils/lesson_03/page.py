"""What lesson 03's pages use, under one name, and what is said of their figures and predictions."""

from utils.lesson_03.filters import digit_parts, probe_medians, shape_medians, tuning_medians
from utils.lesson_03.filters_figures import (
    bar_controls,
    curves,
    fields,
    filters,
    patches,
    probes_by_layer,
    selectivities,
    shapes_by_rate,
    turned,
)
from utils.pages import Prediction, Words, register

__all__ = [
    "bar_controls", "curves", "digit_parts", "fields", "filters", "patches", "probe_medians", "probes_by_layer",
    "selectivities", "shape_medians", "shapes_by_rate", "tuning_medians", "turned",
]  # fmt: skip

FIGURES: dict[str, Words] = {}
PREDICTIONS: dict[str, Prediction] = {}
FIGURES_OF_03A: dict[str, Words] = {}
PREDICTIONS_OF_03A: dict[str, Prediction] = {}
FIGURES_OF_03B: dict[str, Words] = {
    "03b.fields": Words(
        "After three layers a unit sees nearly the whole digit",
        """A digit of 8×8 pixels, and beside it, for layers 1, 2 and 3, the pixels that a unit near the centre sees,
        brighter where more paths lead: a square of 3×3, one of 5×5, and one of 7×7, which is nearly all of the
        image.""",
    ),
    "03b.filters": Words(
        "Eight learned filters: what do they look for?",
        """Eight squares of 3×3 shades, from black for the most negative weight to white for the most positive.""",
    ),
    "03b.angle": Words(
        "Tuning curves: how strongly a unit answers a bar at each angle",
        """Four panels, for units 0 to 3 of the first layer: the answer to a bar against its angle from 0° to 180°, with
        the unit's selectivity and preferred angle in the title and its filter as a small picture. Three curves go up
        and down a little and stay far from 0. The fourth has a broad peak at 45° and is near 0 from 112° on.""",
    ),
    "03b.tuned": Words(
        "Filters that were never trained are as selective as trained ones",
        """Dots for the selectivity of every unit of twenty networks, in layers 1, 2 and 3, trained beside untrained,
        with a bar at each median. All medians lie near a fifth. In each layer untrained units are spread more
        widely than trained ones, up to 1.""",
    ),
    "03b.patches": Words(
        "The nine cuttings that excite a unit most, in each layer",
        """Three rows of nine cuttings from digits. Layer 1: pieces of 3×3 pixels, mostly light, with one dark corner.
        Layer 2: pieces of 5×5, bits of strokes. Layer 3: pieces of 7×7, in which one recognises digits, most of them
        fours.""",
    ),
    "03b.probe": Words(
        "Most of what a probe gains comes with filters that never learned",
        """Held-out accuracy of a linear probe on the pixels and after layers 1, 2 and 3, medians with intervals. From
        the pixels to layer 1 both lines climb steeply together. From there on the trained network's line
        rises a little, and the untrained network's does not.""",
    ),
    "03b.deep": Words(
        "Depth helps where it widens the view; one wide filter does that, too",
        """Two plots of held-out accuracy against six learning rates. Left, every place is read: three layers of 3×3
        and one of 3×3 reach the same height. Right, only means are read: one layer of 3×3 stays clearly below; three
        layers of 3×3 and one of 7×7 reach nearly as much as on the left, the 7×7 at larger rates.""",
    ),
}
PREDICTIONS_OF_03B: dict[str, Prediction] = {
    "03b.angle": Prediction(
        ["0°, a horizontal bar", "45°, rising to the right", "90°, a vertical bar", "135°, falling to the right",
         "it answers all about alike: a selectivity below 0.1"],
        "{angle:.0f}°, with a selectivity of {selectivity:.2f}.",
        lambda angle, selectivity: 5 if selectivity < 0.1 else 1 + round(angle / 45) % 4,
    ),
    "03b.tuned": Prediction(
        ["hardly at all", "about half as selective as the trained units", "about as selective, or more"],
        "The medians for the first layer: {untrained:.2f} untrained, {trained:.2f} trained.",
        lambda untrained, trained: 1 if untrained < trained / 4 else 2 if untrained < 0.75 * trained else 3,
    ),
    "03b.probe": Prediction(
        ["it does worse than on the pixels", "it does better, but the trained layer gains at least twice as much",
         "it gains most of what the trained layer gains"],
        "Median accuracies: pixels {pixels:.3f}, untrained first layer {untrained:.3f}, trained {trained:.3f}.",
        lambda pixels, untrained, trained: (
            1 if untrained < pixels else 2 if trained - pixels > 2 * (untrained - pixels) else 3
        ),
    ),
    "03b.deep": Prediction(
        ["three layers, in both cases", "three layers, but only where means are read",
         "one layer of 3×3 does as well in both"],
        "Every place read: {deep:.3f} with three layers, {shallow:.3f} with one. Means: {deep_means:.3f} and "
        "{shallow_means:.3f}; but one layer of 7×7 reaches {wide_means:.3f}.",
        lambda deep, shallow, deep_means, shallow_means, **_: (
            1 if deep - shallow > 0.01 else 2 if deep_means - shallow_means > 0.01 else 3
        ),
    ),
}  # fmt: skip
register(FIGURES, PREDICTIONS)
register(FIGURES_OF_03A, PREDICTIONS_OF_03A)
register(FIGURES_OF_03B, PREDICTIONS_OF_03B)
