"""What lesson 05's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401 (what is imported here, the pages take from here)

from utils.lesson_05.circle import SIGMAS
from utils.lesson_05.circle_figures import circle_at, circle_controls, play_circles, separation
from utils.lesson_05.networks import relative_error
from utils.lesson_05.students import (
    blame_answer,
    print_widths,
    shape_answer,
    sigma_answer,
    widths_answer,
)
from utils.lesson_05.students_figures import (
    around,
    error_by_sigma,
    extrapolations,
    shapes_by_sigma,
    shares_left,
    units_and_points,
)
from utils.lesson_05.teachers import (
    best_adam_rate,
    digits_reached,
    print_adam,
    recover_in_time,
    student_medians,
    weights,
)
from utils.lesson_05.teachers_figures import digits, students
from utils.lesson_05.theory_figures import (
    angle_answer,
    angle_errors,
    card,
    cobweb,
    cobweb_controls,
    cosine_maps,
    curves,
    edge_answer,
    length_paths,
    narrow_answer,
    phases,
    reach_answer,
    reaches_drawn,
    stretched,
    width_answer,
    width_errors_drawn,
)
from utils.pages import FigureText, Prediction, register

FIGURES: dict[str, FigureText] = {
    "05.card": FigureText(
        "Lesson 05 on a card",
        """Left, χ₁ against σ: without biases it rises through 1 at σ = 1, and with biases further right. Right, four
        lines: the length map; how a small gap grows from layer to layer; that the same function has the same weights,
        up to order and signs; and that an error belongs beside that of a linear map.""",
    ),
    "05.circles": FigureText(
        "One circle, twenty layers, four σ: two fade, one bends, one becomes a tangle",
        """Four cubes, one below the other, each with the same circle on its way through twenty layers. At σ = 0.8 it is
        a small loop after five layers, and after ten a speck in the middle of the cube. At σ = 1 it shrinks ever more
        slowly, and ends as a small loop around the middle. At σ = 1.5 it stays large and ends as a winding loop that
        can still be followed by eye. At σ = 2.5 it has wiggles after five layers, and ends as a tangle that fills the
        whole cube. The two marked neighbours stay together in the first three cubes, and part in the fourth.""",
    ),
    "05.separation": FigureText(
        "At 1.5 and 2.5 neighbours part, layer by layer; at 0.8 and 1 they close up",
        """The gap between two neighbours on a logarithmic axis, over forty layers, a line with a narrow band for each
        σ. All begin at the same small gap. At 2.5 the line climbs straight for some twenty layers, then bends and runs
        along a dashed line, the distance of two unrelated points. At 1.5 it climbs slowly and is still far below after
        forty layers. At 1 it falls, ever more slowly. At 0.8 it falls along a straight line.""",
    ),
    "05.lengths": FigureText(
        "Your map foretells the lengths in networks that you draw",
        """Lengths on a logarithmic axis against twenty hidden layers, for four σ: theory as lines, networks as points
        around them. At 2.5 and at 1.5 the lines are level after a few layers, at 1 the line sinks ever more slowly,
        at 0.8 it falls like a straight line. The points lie close around the two upper lines. Around the lower two
        they spread further with every layer.""",
    ),
    "05.students": FigureText(
        "At equal parameters, deep students come far nearer than one layer",
        """Relative held-out error against parameters, both logarithmic, medians of twenty teachers with intervals. A
        dotted level line marks the linear baseline. Below it two lines nearly on each other fall slowly from 30 to 810
        parameters: one hidden layer, trained by Adam and by Levenberg–Marquardt. Two marks at about a hundred
        parameters lie far below both lines: a violet diamond for three layers of 6, 6 and 5 units, and lower still a
        green square for the teacher's shape.""",
    ),
    "05.recovered": FigureText(
        "Levenberg–Marquardt recovers nearly all teachers, Adam comes close",
        """Relative held-out error on a logarithmic axis against the share of teachers with at most this error. Blue
        triangles, Levenberg–Marquardt for up to a minute, lie far below a dotted line at 1e-20, all but two. Orange
        circles, a million steps of Adam, rise from far above that line to near 1e-2.""",
    ),
    "05.sigma": FigureText(
        "The error grows with σ over decades, without a jump at 1",
        """Held-out error on a logarithmic axis against σ, with an upright line at 1. For the best linear
        map two lines, for teachers of width 5 and of width 100, climb gently side by side. For students of 45 units two
        lines climb steeply, over several decades, from far below; that for teachers of width 100 lies higher all
        along. All four are smooth as they cross the line at 1.""",
    ),
    "05a.maps": FigureText(
        "Above the edge, the map crosses the diagonal below 1",
        """The cosine in the next layer against the cosine in this one, three curves over a dashed diagonal. At
        σ_w = 0.8 the curve lies above the diagonal and meets it at 1 only. At 1.5 it hugs the diagonal and crosses it
        far up, at 4 near the lower end, where each has a mark; then both run below it, up to 1.""",
    ),
    "05a.biases": FigureText(
        "Larger biases push the edge of chaos to larger weights",
        """A map over σ_w, from 0.2 to 4, and σ_b, from 0 to 1.5, in colours from purple, ordered, on the left to
        orange, chaotic, on the right. A black line, the edge, parts them: it starts at σ_w = 1 and σ_b = 0 and leans
        to the right as σ_b grows.""",
    ),
    "05a.width": FigureText(
        "The error falls with the width; where lengths fade, it grows with depth",
        """Two panels of the relative error of the length against widths from 5 to 1,000, both axes logarithmic, for
        layers 1, 5 and 20, with a dotted line at a tenth. All lines fall straight. In the chaotic phase the three lie
        close together. At σ_w = 1 without biases they lie apart, layer 20 above layer 5 above layer 1.""",
    ),
    "05a.angles": FigureText(
        "Angles: theory needs the widest networks where lengths fade",
        """The error of the cosine in layer 20 against widths from 5 to 1,000. Three lines fall: that for σ_w = 1
        without biases lies highest, the chaotic phase below it, the edge with biases lower again. The ordered phase
        lies along 0 all the way.""",
    ),
    "05a.narrow": FigureText(
        "Width 500 stretches a gap as χ₁ says; width 5 shrinks it, at every σ",
        """The logarithm of the stretch against σ_w. A black line, theory, rises from below 0 to above 0. Points of
        width 500 lie on it. Those of width 20 lie below it and cross 0 at a larger σ_w. Those of width 5 lie below 0
        everywhere.""",
    ),
    "05a.curves": FigureText(
        "In the chaotic phase a curve's length grows by the same factor in every layer",
        """The length of a circle's image on a logarithmic axis against layers, for three σ_w, measured points on
        lines. At 0.8 it shrinks from layer to layer, at 1.5 it hardly changes, at 2.5 it grows along a straight
        line.""",
    ),
    "05a.reach": FigureText(
        "Lengths are forgotten within two layers; angles last longest near the edge",
        """Layers until a difference has shrunk to 1/e, on a logarithmic axis, against σ_w. The line for lengths stays
        near one layer. The line for angles rises to infinity at the edge from both sides. Points follow both lines, but
        near the edge those for angles stay at about ten layers, below their line.""",
    ),
    "05b.around": FigureText(
        "One teacher around a circle of inputs, and two students",
        """Outputs around a circle of inputs, from 0 to 360 degrees. The teacher rises and falls, with steep parts
        between flatter ones. The best linear map is a single wave that misses most of that. The student of 45 units
        follows the teacher closely, with small departures.""",
    ),
    "05b.shape": FigureText(
        "The teacher's shape recovers no teacher up to σ = 1, and most at 1.6",
        """Held-out error on a logarithmic axis against σ, for teachers of width 5. The best linear map climbs gently at
        the top. 45 units climb steeply, over six decades. Students of the teacher's shape, a triangle each with a bar
        at the median, lie low up to σ = 1. At the next three values of σ about half, most and about half lie far below,
        at the last digits of float64; at the largest most of them lie high again.""",
    ),
    "05b.points": FigureText(
        "With 1,000 points, 135 units memorise them",
        """Relative error on a logarithmic axis for 5, 15, 45 and 135 hidden units. On 16,000 points the held-out error
        falls all the way, close above the training error. On 4,000 points it falls a little less. On 1,000 points it
        falls up to 45 units, and with 135 it is higher than ever.""",
    ),
    "05b.blame": FigureText(
        "Points and units together take off most",
        """Six rows, one for each change, with a dot for each of the teachers and the median of them, on a logarithmic
        axis: the error afterwards as a multiple of that before. Adam lies around 1 or slightly below, as do restarts,
        four times the points and three times the units lower, and both together lowest.""",
    ),
    "05b.width": FigureText(
        "Measured is what lies in the blue band; the rest is drawn with a ruler",
        """Error against hidden units, both axes logarithmic. At the left, in a shaded band from 5 to 135 units, each
        teacher's four measured errors. From there a straight line for each teacher falls to 1e-6, where the lines
        arrive at widths that are spread over many decades.""",
    ),
    "05b.odd": FigureText(
        "Without biases, half a turn changes the sign, and x₁² does not do that",
        """Around a circle of inputs, x₁² makes two hills. The student with biases lies on them. The student without
        biases swings up and down elsewhere, and its second half turn is the first one upside down.""",
    ),
}
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
        ["it is small below 1 and jumps there", "it grows smoothly, without a jump at 1", "it hardly depends on σ",
         "it falls with σ"],
        "From {small:.1e} at the smallest σ to {large:.1e} at the largest, for width 5. Across σ = 1 it rises "
        "{narrow:.1f} times as steeply as on average; for width 100, {wide:.1f} times.",
        lambda narrow, small, large, **_: 4 if large < small else 3 if large < 3 * small else 1 if narrow > 2 else 2,
    ),
    "05a.maps": Prediction(
        ["close to 0°: they close", "about 40°", "still about 60°", "close to 90°: they part"],
        "They come to rest at {angle:.0f}°.",
        lambda angle: 1 + sum(angle > limit for limit in (20, 50, 75)),
    ),
    "05a.width": Prediction(
        ["still about 200", "about 1,000", "about 4,000: the errors of twenty layers add up", "no width is enough"],
        "Of the widths that were measured, {least:g} is the first. (Width 100: {hundred:.2f}.)",
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
        "{edge:.1f} layers. (At σ_w = {sigma:g}: {beside:.1f}, and {theory:.1f} in theory.)",
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
register(FIGURES, PREDICTIONS)
