"""What lesson 03's pages use, under one name, and their predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.comparison import score as accuracy
from utils.lesson_03.filters import digit_parts, probe_medians, shape_medians, tuning_medians
from utils.lesson_03.filters_figures import (
    bar_controls, curves, fields, filters, patches, probes_by_layer, selectivities, shapes_by_rate, turned,
)
from utils.lesson_03.folding import changed, identity_block
from utils.lesson_03.folding_figures import (
    card, neuron_maps, play_block, play_book, play_sheet, play_spiral, straight_pieces,
)
from utils.lesson_03.hierarchy import medians_by_depth, medians_of, trees_won
from utils.lesson_03.hierarchy_figures import leads, missed_by_depth, missed_by_version, played, print_targets, slices
from utils.lesson_03.probing import spiral_parts
from utils.lesson_03.probing_figures import directions, directions_answer, probe_answer, probe_by_stage, random_answer
from utils.lesson_03.widgets import change_controls, change_unit, draw_points
from utils.pages import Prediction, register

LEADS = ["it stays, at a factor of ten or more", "it shrinks, but three layers still miss at most half as much",
         "there is none, or three layers miss more"]


def how_much_is_left(times: float, **_: float) -> int:
    """Return which of LEADS is right where one layer misses so many times what three miss."""
    return 1 if times >= 10 else 2 if times >= 2 else 3


PREDICTIONS = {
    "03.fold": Prediction(
        ["one", "two", "three", "four"], "Three: two for the distance from the crease, one for the place along it.", 3
    ),
    "03.probe": Prediction(
        ["it rises from each plane to the next, in nearly every network",
         "it is high in the end, but in many networks it falls on the way",
         "it stays as low as at the input up to the last plane"],
        "It goes from {first} to {last}. In {falls} of {seeds} networks it falls on the way. "
        "Yours, which began as the identity: {scores}.",
        lambda falls, seeds, **_: 2 if falls > seeds / 5 else 1,
    ),
    "03.random": Prediction(
        ["hardly anything: at most two points in a hundred", "up to ten points", "more than ten points"],
        "Learned minus random, at 16 units each: {width}. Yours, random: {yours:.2f}.",
        lambda units, **_: 1 + sum(units.value > limit for limit in (0.02, 0.1)),
    ),
    "03.directions": Prediction(
        ["on neither", "on the spiral, and the more so the more inputs say nothing", "on the digits", "on both"],
        "Learned minus random: {plane} on the spiral alone, {noisy} beside 18 inputs that say nothing, {alike} on the "
        "digits. Your random features, beside 0, 2, 6 and 18: {yours}.",
        lambda noise, digits, **_: 1 + (noise.value > 0.02) + 2 * (digits.value > 0.02),
    ),
    "03a.moves": Prediction(
        ["one layer of 104", "two layers of 27", "three layers of 20 or four of 16", "all within a factor of two"],
        "Medians: one layer misses {one:.3f}, two miss {two:.2g}, three {three:.2g}, four {four:.2g}.",
        lambda one, two, three, four: 4 if max(one, two, three, four) < 2 * min(one, two, three, four)
        else 1 if one < min(two, three, four) else 2 if two < min(three, four) else 3,
    ),
    "03a.control": Prediction(
        LEADS, "On random functions one layer misses {one:.2f} and three miss {three:.2f}.", how_much_is_left
    ),
    "03a.rotated": Prediction(
        LEADS, "On rotated trees one layer misses {one:.3f} and three miss {three:.2g}.", how_much_is_left
    ),
    "03a.trees": Prediction(
        ["all eight", "five to seven", "three or four", "one or two"],
        "On {won} of the {trees} trees; on {controls} of the random functions.",
        lambda won, **_: 1 if won == 8 else 2 if won > 4 else 3 if won > 2 else 4,
    ),
    "03b.angle": Prediction(
        ["0°, a horizontal bar", "45°, rising to the right", "90°, a vertical bar", "135°, falling to the right",
         "it answers all of them about alike"],
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
        "{shallow_means:.3f}.",
        lambda deep, shallow, deep_means, shallow_means, **_: (
            1 if deep - shallow > 0.01 else 2 if deep_means - shallow_means > 0.01 else 3
        ),
    ),
}
register(PREDICTIONS)
