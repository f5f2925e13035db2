"""What lesson 05's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.lesson_05.blanks import BLANKS
from utils.lesson_05.circle import SIGMAS
from utils.lesson_05.circle_figures import circle_at, circle_controls, play_circles, separation
from utils.lesson_05.depths import depth_answer
from utils.lesson_05.networks import relative_error
from utils.lesson_05.students import blame_answer, print_widths, shape_answer, widths_answer
from utils.lesson_05.students_figures import (
    around,
    extrapolations,
    loss_curves,
    missed_by_depth,
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
)
from utils.lesson_05.teachers_figures import digits, students
from utils.lesson_05.theory_figures import (
    angle_answer,
    angle_errors,
    card,
    cosine_maps,
    curves,
    length_paths,
    narrow_answer,
    phases,
    reach_answer,
    reaches_drawn,
    stretched,
    width_answer,
    width_errors_drawn,
)
from utils.pages import Prediction, register

PREDICTIONS: dict[str, Prediction] = {
    "05.before-trained": Prediction(
        {
            "nearly as many as the bound allows": (
                "There are weights that come near the bound. But training looks for the right colours, not for pieces."
            ),
            "far fewer than the bound allows, as random weights do": (
                "Training moves the creases to where the board needs them. For more of them it gets nothing."
            ),
            "about one for each square of the board": (
                "So many would do. But the loss does not ask for few pieces, and there were many before training."
            ),
        },
        "",
        2,
        "A deep network has learned a checkerboard. How many pieces does it cut the board into?",
    ),
    "05.before-board": Prediction(
        {
            "about 16 times as many, as there are 16 times as many squares": (
                "Each unit of the construction serves a whole row of squares, along a diagonal, and not one square."
            ),
            "about four times as many": (
                "One layer needs 4 · 2ᵏ − 5 units for 2ᵏ × 2ᵏ squares. It is the rows that count, not the squares."
            ),
            "eight more, four for each doubling": (
                "So it is for the deep network, which folds once more each time. A single layer cannot fold what it "
                "has folded."
            ),
        },
        "",
        2,
        "One hidden layer draws a board of 8 × 8 squares exactly. How many units does it need for 32 × 32?",
    ),
    "05.before-most": Prediction(
        {
            "best: more pieces, more squares": (
                "To be able to make many pieces is one thing, to put them where they are needed another."
            ),
            "about as well as the other shapes": (
                "They all had as many units, points and steps. But what a shape can draw is not what training finds."
            ),
            "worst": (
                "The bound says what some weights can do. From random weights, training did not find such weights."
            ),
        },
        "",
        3,
        "Of the shapes with 32 units, eight layers of four have the highest bound on their pieces. How well did "
        "they learn the board?",
    ),
    "05.circle": Prediction(
        {
            "0.8 fades; 1 keeps its size; 1.5 and 2.5 become tangles": (
                "At σ = 1 the weights keep lengths, on average, but tanh takes a little off in every layer. And at "
                "1.5 neighbours stay together: it is a loop that winds."
            ),
            "0.8 fades; 1 and 1.5 keep their size; 2.5 becomes a tangle": (
                "1.5 does settle at a size of its own. But at σ = 1 tanh takes a little off in every layer, and "
                "nothing gives it back."
            ),
            "0.8 and 1 shrink; 1.5 winds; 2.5 becomes a tangle": (
                "The weights multiply lengths by σ, on average, and tanh shortens them. Up to σ = 1 nothing makes up "
                "for that; above 1 the two balance at some size."
            ),
            "all four end as tangles: the larger σ is, the sooner": (
                "Depth alone makes no tangle. Where each layer brings neighbours closer, more layers bring them "
                "closer still."
            ),
        },
        "At σ = 0.8 the size is gone, but not the shape: under a microscope it is nearly an ellipse. At 1 the same, "
        "but slowly: after l layers a unit's size is close to 1/√(2l). At 1.5 the size settles, and the curve winds "
        "about. At 2.5 it is a tangle. So somewhere between 1 and 2.5 neighbours begin to move apart.",
        3,
    ),
    "05.neighbours": Prediction(
        {
            "none: the gap ends at the same size": (
                "It does end at the same size, but later: the smaller gap has farther to go, at the same factor a "
                "layer."
            ),
            "about 2 more": (
                "Two layers would have to multiply the gap by ten each. tanh's slope is at most 1, so a layer "
                "multiplies it by little more than σ."
            ),
            "about 20 more": (
                "Layers go with the logarithm: as many as make a factor of a hundred, at the growth of small gaps."
            ),
            "about 100 times as many": (
                "Each layer multiplies the gap, it does not add to it. A hundred times the precision adds layers; it "
                "does not multiply them."
            ),
        },
        "About {more:.0f} more: {close:g} layers from a gap of 0.01, {closer:g} from 0.0001. A hundred times the "
        "precision buys you that many layers. This is chaos: inputs that you cannot tell apart have outputs that have "
        "nothing in common.",
        lambda more, close, **_: 4 if more > 10 * close else 1 + sum(more > limit for limit in (1, 6)),
    ),
    "05.students": Prediction(
        {
            "one layer of 18 units: as many parameters as the teacher": (
                "It has as many parameters. But what a network can draw with them depends on its shape."
            ),
            "one layer of 135 units: nearly eight times as many": (
                "More parameters help it, and it has the most. But one layer adds up its units; it never feeds one "
                "into another, as the teacher does."
            ),
            "the teacher's own shape": (
                "A perfect student of this shape exists: the teacher. Being of that shape does not find it, but it "
                "lets Adam come near."
            ),
            "none by much: all within a factor of three": (
                "All see the same examples and take as many steps. But a shape limits how near a student can come, "
                "however long it learns."
            ),
        },
        "Yours, at one rate for all: {yours}. Over twenty teachers, at the best of six rates, one layer's error is "
        "{equal_ratio} times that of the teacher's shape at equal parameters, and {wide_ratio} times with 135 units. "
        "Depth, or the very shape? It is {deep_ratio} times that of three layers of 6, 6 and 5 units. So under Adam "
        "most of the lead is depth. But of a teacher with one layer, one layer learns far more than four.",
        lambda equal, wide, same, **_: (
            4
            if max(equal, wide, same) < 3 * min(equal, wide, same)
            else 1 + [equal, wide, same].index(min(equal, wide, same))
        ),
    ),
    "05.recovered": Prediction(
        {
            "about as small as Adam's": (
                "Both go downhill on the same error. But a gradient only says which way is down; a tangent also says "
                "where the bottom should be."
            ),
            "about a thousand times smaller": (
                "A fair guess for a somewhat better method. But near a perfect fit the tangent is nearly exact, and a "
                "step doubles the right digits."
            ),
            "about a million times smaller": (
                "Near a perfect fit a step doubles the right digits. So after a million comes, a step or two later, "
                "the end of all digits."
            ),
            "smaller than that by far": (
                "Near a perfect fit the tangent is nearly exact, a step doubles the right digits, and only the last "
                "digit of float64 ends it."
            ),
        },
        "Yours: {yours:.0e}, from {starts} starts. (Not below 1e-20? Change the 10 behind SEED, and run the cell "
        "again.) Of {teachers} teachers, {found} were recovered within {limit:g} seconds of one core (share: {share}). "
        "One start of Adam, after a million steps: {by_adam}.\n\nThe recovered have the teacher's weights, up to the "
        "order and the signs of units (largest difference: {gap}): found from questions and answers alone, up to "
        "rounding.",
        lambda error, adam, **_: 4 if error <= 1e-20 else 3 if error < adam / 3e4 else 2 if error < adam / 30 else 1,
    ),
    "05.sigma": Prediction(
        {
            "it does not: it is the same for all": (
                "χ₁ and its edge are the same for all depths. But a factor a little above 1 shows only once it is "
                "multiplied many times."
            ),
            "the deeper the teacher, the nearer to 1": (
                "Each layer multiplies a gap by the root of χ₁. Little above the edge that is little more than 1, and "
                "only many layers make much of it."
            ),
            "the deeper the teacher, the farther from 1": (
                "More layers might smooth a function, below the edge. Above it each of them makes what comes in "
                "rougher."
            ),
            "there is none: a line never misses half": (
                "A line explains most of a teacher that is nearly linear. A teacher that drives neighbours apart is "
                "not."
            ),
        },
        "With 64 layers σ is {above}, with 16 {middle:.2f}; of 4 layers a line leaves {shallow:.2f} even at σ = 2 "
        "({teachers} teachers). An edge is a statement about depth: at σ = 1.25 a line leaves {misses} more of 64 "
        "layers than of four.\n\nBetter students stop short there, too. Four hidden layers of 60 units, tuned, after "
        "{steps:,} steps of Adam, leave {hard} of a teacher of 64 layers, and {four} of one of four; at σ = 0.8 "
        "{easy}.",
        lambda deep, middle, **_: (
            4 if deep == float("inf") else 2 if middle > deep + 0.1 else 3 if middle < deep - 0.1 else 1
        ),
    ),
    "05a.maps": Prediction(
        {
            "close to 0°: they close": (
                "So it is below the edge, where the map lies above the diagonal all the way to 1."
            ),
            "about 40°": (
                "They come to rest where the map crosses the diagonal, which you can read off the curve: not at the "
                "angle with which they begin, but not anywhere either."
            ),
            "still about 60°": (
                "They keep their angle only where the map crosses the diagonal. It moves all others, from both sides."
            ),
            "close to 90°: they move apart": (
                "At large σ_w this is nearly so. At 1.5 the map crosses the diagonal well before."
            ),
        },
        "They come to rest at {angle:.0f}°.",
        lambda angle: 1 + sum(angle > limit for limit in (20, 50, 75)),
    ),
    "05a.width": Prediction(
        {
            "still about 200": "If errors did not add up, the width that will do for one layer would do for twenty.",
            "about 1,000": (
                "Errors of many layers add up, but where lengths settle each layer also corrects most of the last "
                "one's."
            ),
            "about 4,000: the errors of twenty layers add up": (
                "They would add up where nothing pulls a length back. Where lengths settle, the map forgets an error "
                "within a few layers."
            ),
            "no width is enough": (
                "An error falls like one over the root of the width, at any depth that is fixed. So some width is "
                "always enough."
            ),
        },
        "About {least:.0f}, between the widths that were measured. (Width 100 is off by {hundred:.2f}.)",
        lambda least, **_: 1 + sum(least > most for most in (500, 2000, 10_000)),
    ),
    "05a.narrow": Prediction(
        {
            "more than theory says": (
                "A narrow layer varies more, and sometimes stretches far. But what adds up is the logarithm, and that "
                "loses more by the layers that nearly lose a direction."
            ),
            "as much, within a tenth": (
                "On average over the weights it is nearly so for the squares. The typical network, which a logarithm "
                "describes, is another one."
            ),
            "less, but the gap still grows": (
                "The mean of a logarithm is below the logarithm of the mean, and the more so the narrower the layer. "
                "The question is by how much."
            ),
            "not at all: the gap shrinks": (
                "The mean of a logarithm is below the logarithm of the mean. With five units a layer nearly loses a "
                "direction so often that the logarithm is negative."
            ),
        },
        "Measured: {measured}. Theory: {theory:.3f}. (Logarithms of the stretch in one layer.)",
        lambda measured, theory: (
            4
            if measured.value < 0
            else 3
            if measured.value < 0.9 * theory
            else 2
            if measured.value <= 1.1 * theory
            else 1
        ),
    ),
    "05a.reach": Prediction(
        {
            "1 or 2, as for lengths": (
                "Lengths settle fast even at the edge. It is angles that are forgotten slowly there."
            ),
            "about 10": (
                "From these pairs, over so few layers, even the map itself has not come to where its own scale "
                "diverges: fitted alike, it says the same."
            ),
            "about 30": (
                "Towards the edge the scale grows without bound. But a fit over a few dozen layers sees the curve's "
                "beginning, not its end."
            ),
            "more than 100": (
                "At the edge theory's ξ_c is infinite. That is a statement about infinitely many layers; a fit over a "
                "few dozen sees less, of the map as well."
            ),
        },
        "{edge:.1f} layers; the map itself, from the same pairs over the same layers: {map:.1f}. (At σ_w = {sigma:g}: "
        "{beside:.1f}, by the map {map_beside:.1f}, and ξ_c is {theory:.1f}.)",
        lambda edge, **_: 1 + sum(edge > limit for limit in (3, 18, 60)),
    ),
    "05b.shape": Prediction(
        {
            "at every σ": (
                "A perfect student exists at every σ. Whether a search finds it within its steps is another question."
            ),
            "only at the smaller ones, where teachers are easy": (
                "There the error is small soon. But other weights then make nearly the same function, and only very "
                "small differences lead on to the teacher's own."
            ),
            "only at the larger ones, where they are hard": (
                "What makes a function hard to draw for others also tells its weights apart, so a search knows where "
                "to go."
            ),
            "at none": (
                "From one random start hardly ever. But here there are many starts, and the worst are given up early."
            ),
        },
        "Of {teachers} teachers each, in {steps} steps: {counts}. (Share recovered at σ = 1.6: {hard}.)\n\n"
        "The easy ones are learned all the same: at σ = 1 to a median error of {easy:.0e}, and {worst:.0e} at most. "
        "There it stays, within so few steps. At σ = 2.5 it misses most, and the median error is {hardest:.0e}.",
        lambda any, **_: 4 if not any else 1 if min(any) < 0.8 and max(any) > 1.5 else 2 if min(any) < 0.8 else 3,
    ),
    "05b.blame": Prediction(
        {
            "Adam in place of Levenberg–Marquardt, for five times as long": (
                "If the optimiser were stuck, another one would help. It has little to find: a student of this size "
                "hardly comes nearer."
            ),
            "four restarts, each of twice the steps": (
                "If it were bad luck, more starts would help. They all end at much the same error."
            ),
            "four times the points and three times the units": (
                "Each alone may help little: more units memorise the points they have, and more points ask for more "
                "units. Together they can be used."
            ),
            "none: each leaves more than nine tenths": (
                "So it would be if one layer could not come nearer at all. But what it lacks is units, and points to "
                "fit them to."
            ),
        },
        "They leave {adam:.2f}, {longer:.2f} and {both:.2f} of it, in this order. In equal time Adam is a little "
        "behind. Points alone leave {points:.2f}, units alone {units:.2f} (medians).",
        lambda adam, longer, both, **_: (
            4 if min(adam, longer, both) > 0.9 else 1 + (adam, longer, both).index(min(adam, longer, both))
        ),
    ),
    "05b.width": Prediction(
        {
            "up to 10 times": (
                "Errors of teachers differ by about so much at one width. But a line is drawn far beyond its points, "
                "and its slope is in the exponent."
            ),
            "10 to 1,000 times": "Slopes that differ a little lead, over many decades, to widths that differ by far.",
            "1,000 to a million times": (
                "Slopes that differ a little lead, over many decades, to widths that differ by far: each teacher has "
                "its own."
            ),
            "more than a million times": (
                "One teacher whose line is nearly level is enough: it meets the target nowhere near."
            ),
        },
        "{ratio:.0e} times: from {least:.0e} to {most:.0e} units, for {teachers} teachers. Without the topmost "
        "teacher, {rest:.0e} times.",
        lambda ratio, **_: 1 + sum(ratio > limit for limit in (10, 1e3, 1e6)),
    ),
    "05b.odd": Prediction(
        {
            "nearly 0": (
                "One hidden layer can come near any function, with biases. Without them tanh networks draw odd "
                "functions only."
            ),
            "about a tenth": (
                "More units would bring it down, if it were a matter of units. It is a matter of symmetry."
            ),
            "about a half": "Half of a general function is odd, and could be learned. Of an even one nothing is.",
            "1 or more: no better than a constant": (
                "Without biases f(−x) = −f(x), whatever the weights; of an even function an odd one explains nothing."
            ),
        },
        "Without biases {without:.2f}, with biases {biased:.1e}.",
        lambda without, **_: 1 + sum(without > limit for limit in (0.03, 0.25, 0.9)),
    ),
}
register(PREDICTIONS, of_blanks=BLANKS)
