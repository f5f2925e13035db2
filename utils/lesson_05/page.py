"""What lesson 05's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.lesson_05.circle import SIGMAS
from utils.lesson_05.circle_figures import circle_at, circle_controls, play_circles, separation
from utils.lesson_05.depths import depth_answer
from utils.lesson_05.networks import relative_error
from utils.lesson_05.students import blame_answer, print_widths, shape_answer, widths_answer
from utils.lesson_05.students_figures import (
    around, extrapolations, missed_by_depth, shapes_by_sigma, shares_left, units_and_points,
)
from utils.lesson_05.teachers import (
    best_adam_rate, digits_reached, print_adam, recover_in_time, student_medians, weights,
)
from utils.lesson_05.teachers_figures import digits, students
from utils.lesson_05.theory_figures import (
    angle_answer, angle_errors, card, cobweb, cobweb_controls, cosine_maps, curves, edge_answer, length_paths,
    narrow_answer, phases, reach_answer, reaches_drawn, stretched, width_answer, width_errors_drawn,
)
from utils.pages import Prediction, register

PREDICTIONS: dict[str, Prediction] = {
    "05.circle": Prediction(
        ["0.8 fades; 1 keeps its size; 1.5 and 2.5 become tangles",
         "0.8 fades; 1 and 1.5 keep their size; 2.5 becomes a tangle",
         "0.8 and 1 shrink; 1.5 winds; 2.5 becomes a tangle",
         "all four end as tangles: the larger σ is, the sooner"],
        "0.8 and 1 shrink, one fast and one slowly; 1.5 bends into a winding loop; 2.5 becomes a tangle.",
        3,
    ),
    "05.neighbours": Prediction(
        ["none: the gap ends at the same size", "about 2 more", "about 20 more", "about 100 times as many"],
        "About {more:.0f} more: {close:g} layers from a gap of 0.01, and {closer:g} from 0.0001. "
        "(Medians of {seeds} networks.)",
        lambda more, close, **_: 4 if more > 10 * close else 1 + sum(more > limit for limit in (1, 6)),
    ),
    "05.edge": Prediction(
        ["at σ = 1, as without biases", "below 1", "between 1 and 1.2", "above 1.2"],
        "At σ = {edge:.2f}, for σ_b = {sigma_b:g}.",
        4,
    ),
    "05.students": Prediction(
        ["one layer of 18 units: as many parameters as the teacher",
         "one layer of 135 units: nearly eight times as many", "the teacher's own shape",
         "none by much: all within a factor of three"],
        "Yours, at one rate for all: {yours}. Medians of twenty teachers: {equal:.1g} with 18 units, {wide:.1g} with "
        "135, and {same:.1g} with the teacher's shape.",
        lambda equal, wide, same, **_: 4 if max(equal, wide, same) < 3 * min(equal, wide, same)
        else 1 + [equal, wide, same].index(min(equal, wide, same)),
    ),
    "05.recovered": Prediction(
        ["about as small as Adam's", "about a thousand times smaller", "about a million times smaller",
         "smaller than that by far"],
        "Yours: {yours:.0e}, from {starts} starts. Of {teachers} teachers, {found} were recovered within {limit:g} "
        "seconds of one core, and {later} within a minute, which the figure shows. Median errors: {error:.0e}, and "
        "{adam:.0e} for Adam.",
        lambda error, adam, **_: 4 if error <= 1e-20 else 3 if error < adam / 3e4 else 2 if error < adam / 30 else 1,
    ),
    "05.sigma": Prediction(
        ["at the same σ for all three", "nearer to 1 the deeper the teacher is", "farther from 1 the deeper it is",
         "at none: it never does"],
        "With 64 layers at σ = {deep:.2f}, with 16 at {middle:.2f}. With 4 it leaves {shallow:.2f} even at σ = 2. "
        "(Medians of {teachers} teachers.)",
        lambda deep, middle, **_: 4 if deep == float("inf") else 2 if middle > deep + 0.1
        else 3 if middle < deep - 0.1 else 1,
    ),
    "05a.maps": Prediction(
        ["close to 0°: they close", "about 40°", "still about 60°", "close to 90°: they part"],
        "They come to rest at {angle:.0f}°.",
        lambda angle: 1 + sum(angle > limit for limit in (20, 50, 75)),
    ),
    "05a.width": Prediction(
        ["still about 200", "about 1,000", "about 4,000: the errors of twenty layers add up", "no width is enough"],
        "About {least:.0f}, between the widths that were measured. (Width 100 is off by {hundred:.2f}.)",
        lambda least, **_: 1 + sum(least > most for most in (500, 2000, 10_000)),
    ),
    "05a.narrow": Prediction(
        ["more than theory says", "as much, within a tenth", "less, but the gap still grows",
         "not at all: the gap shrinks"],
        "Measured: {measured}. Theory: {theory:.3f}. (Logarithms of the stretch in one layer.)",
        lambda measured, theory: 4 if measured.value < 0 else 3 if measured.value < 0.9 * theory
        else 2 if measured.value <= 1.1 * theory else 1,
    ),
    "05a.reach": Prediction(
        ["1 or 2, as for lengths", "about 10", "about 30", "more than 100"],
        "{edge:.1f} layers; the map itself, fitted over the same layers: {map:.1f}. (At σ_w = {sigma:g}: {beside:.1f}, "
        "by the map {map_beside:.1f}, and ξ_c is {theory:.1f}.)",
        lambda edge, **_: 1 + sum(edge > limit for limit in (3, 18, 60)),
    ),
    "05b.shape": Prediction(
        ["at every σ", "only at the smaller ones, where teachers are easy",
         "only at the larger ones, where they are hard", "at none"],
        "Of {teachers} each: {counts}.",
        lambda any, **_: 4 if not any else 1 if min(any) < 0.8 and max(any) > 1.5 else 2 if min(any) < 0.8 else 3,
    ),
    "05b.blame": Prediction(
        ["Adam in place of Levenberg–Marquardt, for five times as long", "four restarts, each of twice the steps",
         "four times the points and three times the units", "none: each leaves more than nine tenths"],
        "They leave {adam:.2f}, {longer:.2f} and {both:.2f} of it, in this order. Points alone leave {points:.2f}, "
        "units alone {units:.2f} (medians).",
        lambda adam, longer, both, **_: 4 if min(adam, longer, both) > 0.9
        else 1 + (adam, longer, both).index(min(adam, longer, both)),
    ),
    "05b.width": Prediction(
        ["up to 10 times", "10 to 1,000 times", "1,000 to a million times", "more than a million times"],
        "{ratio:.0e} times: from {least:.0e} to {most:.0e} units, for {teachers} teachers. Without the topmost "
        "teacher, {rest:.0e} times.",
        lambda ratio, **_: 1 + sum(ratio > limit for limit in (10, 1e3, 1e6)),
    ),
    "05b.odd": Prediction(
        ["nearly 0", "about a tenth", "about a half", "1 or more: no better than a constant"],
        "Without biases {without:.2f}, with biases {biased:.1e}.",
        lambda without, **_: 1 + sum(without > limit for limit in (0.03, 0.25, 0.9)),
    ),
}
register(PREDICTIONS)
