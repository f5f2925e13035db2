"""What lesson 05's pages use, under one name, and what is said of their figures and predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.lesson_05.blanks import BLANKS
from utils.lesson_05.circle import SIGMAS
from utils.lesson_05.circle_figures import circle_at, circle_controls, play_circles, separation, zigzag
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
                "Some weights do come near the bound. But training looks for the right colours, not for many pieces."
            ),
            "far fewer than the bound allows, as random weights do": (
                "Training moves the creases to where the board needs them. Making more of them earns it nothing."
            ),
            "about one for each square of the board": (
                "That many would be enough. But the loss does not ask for few pieces either, and there were many "
                "before training."
            ),
        },
        "",
        2,
        "A deep network has learned a checkerboard. How many pieces does it cut the board into?",
    ),
    "05.before-board": Prediction(
        {
            "about 16 times as many, as there are 16 times as many squares": (
                "That would be true if each unit drew one square. But in the construction a unit serves a whole row of "
                "squares, along a diagonal."
            ),
            "about four times as many": (
                "One layer needs 4 · 2ᵏ − 5 units for 2ᵏ × 2ᵏ squares. What counts is the number of rows, not the "
                "number of squares."
            ),
            "eight more, four for each doubling": (
                "That is what the deep network needs, which folds once more for each doubling. A single layer cannot "
                "fold what it has folded."
            ),
        },
        "",
        2,
        "One hidden layer draws a board of 8 × 8 squares exactly. How many units does it need for 32 × 32?",
    ),
    "05.before-most": Prediction(
        {
            "best: more pieces, more squares": (
                "Being able to make many pieces is one thing. Putting them where they are needed is another."
            ),
            "about as well as the other shapes": (
                "They did all have the same number of units, points and steps. But what a shape can draw is not what "
                "training finds."
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
                "At σ = 1 the weights do keep lengths, on average. But tanh takes a little off in every layer. And at "
                "1.5 neighbours stay together, so the circle becomes a winding loop."
            ),
            "0.8 fades; 1 and 1.5 keep their size; 2.5 becomes a tangle": (
                "You are right that 1.5 settles at a size of its own. But at σ = 1, tanh takes a little off in every "
                "layer, and nothing gives it back."
            ),
            "0.8 and 1 shrink; 1.5 winds; 2.5 becomes a tangle": (
                "The weights multiply lengths by σ, on average, and tanh shortens them. Up to σ = 1 nothing makes up "
                "for that; above 1 the two balance at some size."
            ),
            "all four end as tangles: the larger σ is, the sooner": (
                "A deep network can make a tangle. But if each layer brings neighbours closer, more layers bring them "
                "closer still."
            ),
        },
        "At σ = 0.8 the size is gone, but not the shape: under a microscope it is nearly an ellipse. At 1 the circle "
        "shrinks too, but slowly: after l layers, a unit's size is close to 1/√(2l). Somewhere between 1 and 2.5, "
        "neighbours begin to move apart.",
        3,
    ),
    "05.neighbours": Prediction(
        {
            "none: the gap ends at the same size": (
                "It does end at the same size. But the smaller gap has farther to go, and each layer multiplies it by "
                "the same factor, so it arrives later."
            ),
            "about 2 more": (
                "Two layers would be enough if each multiplied the gap by ten. But tanh's slope is at most 1, so a "
                "layer multiplies it, on average, by at most σ."
            ),
            "about 20 more": (
                "Each layer multiplies a small gap by the same factor, so a hundred times the precision costs a fixed "
                "number of layers."
            ),
            "about 100 times as many": (
                "That would be true if each layer added to the gap. But each one multiplies it, so a hundred times the "
                "precision adds layers instead of multiplying them."
            ),
        },
        "A gap of 0.01 took {close:g} layers to reach 0.5, and a gap of 0.0001 took {closer:g}. This is chaos: inputs "
        "that you cannot tell apart end in outputs that have nothing in common.",
        lambda more, close, **_: 4 if more > 10 * close else 1 + sum(more > limit for limit in (1, 6)),
    ),
    "05.students": Prediction(
        {
            "one layer of 18 units: as many parameters as the teacher": (
                "It does have as many parameters as the teacher. But what a network can draw with them depends on its "
                "shape."
            ),
            "one layer of 135 units: nearly eight times as many": (
                "More parameters do help it, and it has the most. But one layer only adds up its units. It never feeds "
                "one into another, as the teacher does."
            ),
            "the teacher's own shape": (
                "A perfect student of this shape exists: the teacher. Having its shape is not enough to find it, but "
                "it lets Adam come near."
            ),
            "none by much: all within a factor of three": (
                "They all see the same examples and take the same number of steps. But a shape limits how near a "
                "student can come, however long it learns."
            ),
        },
        "The crosses are your four students, all trained at one rate. The other marks are medians over twenty "
        "teachers, at the best of six rates. There, at equal parameters, one layer made {equal_ratio} times the error "
        "of the teacher's shape.\n\nIs it depth, or this exact shape? One layer's error was also {deep_ratio} times "
        "that of three layers of 6, 6 and 5 units. So with Adam, most of the lead is due to depth. But if the teacher "
        "itself has one layer, one layer learns far more of it than four layers do.",
        lambda equal, wide, same, **_: (
            4
            if max(equal, wide, same) < 3 * min(equal, wide, same)
            else 1 + [equal, wide, same].index(min(equal, wide, same))
        ),
    ),
    "05.recovered": Prediction(
        {
            "about as small as Adam's": (
                "Both do go downhill on the same error. But a gradient only says which way is down; a tangent also "
                "says where the bottom should be."
            ),
            "about a thousand times smaller": (
                "That is a fair guess for a somewhat better method. But near a perfect fit the tangent is nearly "
                "exact, and each step doubles the number of right digits."
            ),
            "about a million times smaller": (
                "It does pass a million. But each step doubles the number of right digits there, so a step or two "
                "later the digits run out."
            ),
            "smaller than that by far": (
                "Near a perfect fit the tangent is nearly exact, so each step doubles the number of right digits, "
                "until float64 has no more of them."
            ),
        },
        "Your search ended at {yours:.0e}, after {starts} starts. (If that is not below 1e-20, change the 10 after "
        "SEED, and run the cell again.) Within {limit:g} seconds of one core, it recovered {share} of {teachers} "
        "teachers.",
        lambda error, adam, **_: 4 if error <= 1e-20 else 3 if error < adam / 3e4 else 2 if error < adam / 30 else 1,
    ),
    "05.sigma": Prediction(
        {
            "it does not: it is the same for all": (
                "χ₁ and its edge are the same for every depth. But a factor a little above 1 shows only if it is "
                "multiplied many times."
            ),
            "the deeper the teacher, the nearer to 1": (
                "Each layer multiplies a gap by √χ₁. A little above the edge, that is only a little more than 1, and "
                "it takes many layers to make much of it."
            ),
            "the deeper the teacher, the farther from 1": (
                "Below the edge, more layers do make a function smoother. But above it, each of them makes the "
                "function rougher."
            ),
            "there is none: a line never misses half": (
                "A line does explain most of a teacher that is nearly linear. But a teacher that drives neighbours "
                "apart is far from linear."
            ),
        },
        "The line began to miss half of teachers with 64 layers at a σ of {above}, and of teachers with 16 layers at "
        "{middle:.2f}. So an edge is a statement about depth: the fewer layers, the later it shows.",
        lambda deep, middle, **_: (
            4 if deep == float("inf") else 2 if middle > deep + 0.1 else 3 if middle < deep - 0.1 else 1
        ),
    ),
    "05a.maps": Prediction(
        {
            "close to 0°: they close": (
                "That is true below the edge, where the map lies above the diagonal all the way to 1. But 1.5 is above "
                "the edge."
            ),
            "about 40°": (
                "They come to rest where the map crosses the diagonal. You can read that off the curve, and it does "
                "not depend on the angle with which they begin."
            ),
            "still about 60°": (
                "They would keep their angle if the map crossed the diagonal there. It moves all other angles, from "
                "both sides."
            ),
            "close to 90°: they move apart": (
                "At a large σ_w that is nearly true. But at 1.5 the map crosses the diagonal at a much smaller angle."
            ),
        },
        "They came to rest at {angle:.0f}°.",
        lambda angle: 1 + sum(angle > limit for limit in (20, 50, 75)),
    ),
    "05a.width": Prediction(
        {
            "still about 200": (
                "Where lengths settle, the map forgets an error within a few layers. So errors hardly add up, and the "
                "width that is enough for one layer is enough for twenty."
            ),
            "about 1,000": (
                "Each layer does add an error of its own. But where lengths settle, it also corrects most of the error "
                "of the layer before."
            ),
            "about 4,000: the errors of twenty layers add up": (
                "They would all add up if nothing pulled a length back. But where lengths settle, the map forgets an "
                "error within a few layers."
            ),
            "no width is enough": (
                "An error falls like one over the square root of the width, at any fixed depth. So some width is "
                "always enough."
            ),
        },
        "About {least:.0f} units are enough, read off a line between the widths that we measured. With 100 units, the "
        "length was off by {hundred:.2f} of its size.",
        lambda least, **_: 1 + sum(least > most for most in (500, 2000, 10_000)),
    ),
    "05a.narrow": Prediction(
        {
            "more than theory says": (
                "A narrow layer varies more, and sometimes it stretches far. But it is the logarithms that add up, and "
                "they lose more in the layers that nearly lose a direction."
            ),
            "as much, within a tenth": (
                "For the average of the squares, that is nearly true. But a logarithm describes the typical network, "
                "and that is a different one."
            ),
            "less, but the gap still grows": (
                "You have the right direction: the mean of a logarithm is below the logarithm of the mean, and more so "
                "in narrow layers. But with five units it falls below zero."
            ),
            "not at all: the gap shrinks": (
                "The mean of a logarithm is below the logarithm of the mean. With five units, a layer nearly loses a "
                "direction so often that the mean logarithm is negative."
            ),
        },
        "The logarithm of the stretch in one layer was {measured}. In theory it is {theory:.3f}.",
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
                "Lengths do settle that fast, even at the edge. But angles are forgotten slowly there."
            ),
            "about 10": (
                "From these pairs, and over so few layers, even the map itself has not come to where its own scale "
                "diverges. Fitted in the same way, the map says the same."
            ),
            "about 30": (
                "Towards the edge, the scale does grow without bound. But a fit over a few dozen layers sees the "
                "beginning of the curve, not its end."
            ),
            "more than 100": (
                "At the edge, theory's ξ_c is infinite. But that is about infinitely many layers. A fit over a few "
                "dozen layers sees less, even of the map itself."
            ),
        },
        "In networks it took {edge:.1f} layers. The map itself took {map:.1f}, from the same pairs over the same "
        "layers.",
        lambda edge, **_: 1 + sum(edge > limit for limit in (3, 18, 60)),
    ),
    "05b.blame": Prediction(
        {
            "Adam in place of Levenberg–Marquardt, for five times as long": (
                "If the optimiser were stuck, another one would help. But a student of this size hardly comes nearer, "
                "whichever optimiser trains it."
            ),
            "four restarts, each of twice the steps": (
                "If it were bad luck, more starts would help. But they all end at much the same error."
            ),
            "four times the points and three times the units": (
                "Each alone may help little: more units memorise the points they have, and more points ask for more "
                "units. Together they can be used."
            ),
            "none: each leaves more than nine tenths": (
                "That would be true if one layer could not come nearer at all. But what it lacks is units, and points "
                "to fit them to."
            ),
        },
        "Points and units together left {both:.2f} of the error, and units alone left {units:.2f} (medians).",
        lambda adam, longer, both, **_: (
            4 if min(adam, longer, both) > 0.9 else 1 + (adam, longer, both).index(min(adam, longer, both))
        ),
    ),
    "05b.width": Prediction(
        {
            "up to 10 times": (
                "At one width, teachers' errors do differ by about that much. But a line is drawn far beyond its "
                "points, and its slope is in the exponent."
            ),
            "10 to 1,000 times": (
                "Slopes that differ a little do lead to widths that differ a lot, over so many decades."
            ),
            "1,000 to a million times": (
                "Slopes that differ a little lead to widths that differ enormously, over so many decades."
            ),
            "more than a million times": (
                "One teacher is enough for that, if its line is nearly level: it reaches the target only at an absurd "
                "width."
            ),
        },
        "The largest was {ratio:.0e} times the smallest. Without the teacher that asked for most units, it would have "
        "been {rest:.0e} times.",
        lambda ratio, **_: 1 + sum(ratio > limit for limit in (10, 1e3, 1e6)),
    ),
    "05b.odd": Prediction(
        {
            "nearly 0": (
                "With biases, one hidden layer can come near any function. But without biases, a tanh network can only "
                "draw odd functions."
            ),
            "about a tenth": (
                "More units would bring the error down if it were a matter of units. It is a matter of symmetry."
            ),
            "about a half": (
                "A general function has an odd part, which could be learned. But an even function has none."
            ),
            "1 or more: no better than a constant": (
                "Without biases f(−x) = −f(x), whatever the weights are, and an odd function explains nothing of an "
                "even one."
            ),
        },
        "Without biases the student left {without:.2f}, and with biases {biased:.1e}.",
        lambda without, **_: 1 + sum(without > limit for limit in (0.03, 0.25, 0.9)),
    ),
    "05c.shape": Prediction(
        {
            "at every σ": (
                "A perfect student does exist at every σ. Whether a search finds it within its steps is another "
                "question."
            ),
            "only at the smaller ones, where teachers are easy": (
                "There the error is small soon. But other weights make nearly the same function, and only very small "
                "differences lead on to the teacher's own."
            ),
            "only at the larger ones, where they are hard": (
                "What makes a function hard for others to draw also tells its weights apart, so a search knows where "
                "to go."
            ),
            "at none": (
                "From one random start it would hardly ever happen. But here there are many starts, and the worst are "
                "given up early."
            ),
        },
        "Each triangle is one of {teachers} teachers, after at most {steps} steps. At σ = 1.6 a share of {hard} was "
        "recovered. At σ = 2.5 most searches failed.\n\nThe easy teachers were learned all the same: at σ = 1, the "
        "median error was {easy:.0e}. There it stayed, within so few steps.",
        lambda any, **_: 4 if not any else 1 if min(any) < 0.8 and max(any) > 1.5 else 2 if min(any) < 0.8 else 3,
    ),
}
register(PREDICTIONS, of_blanks=BLANKS)
