"""What lesson 02's pages use, under one name, and their predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

from utils.lesson_02.blanks import BLANKS
from utils.lesson_02.cost import print_step_times, step_times
from utils.lesson_02.cost_figures import cost_by_depth
from utils.lesson_02.digits_figures import digits_by_depth, digits_gained
from utils.lesson_02.explorers import architecture_controls, fit, fit_controls, fitted, forward_pass
from utils.lesson_02.fair import (
    CHOSEN,
    TASKS,
    Choice,
    again,
    comparison_verdict,
    difference,
    fighters,
    spiral,
    train_found,
    train_on_spirals,
)
from utils.lesson_02.fair_figures import all_cells, found_by_rate, four_tasks, loss_by_step, spirals_by_rate
from utils.lesson_02.flip import mean_errors, steps_at_best, train_many
from utils.lesson_02.flip_figures import (
    errors_by_place,
    images,
    learned_by_step,
    losses_by_step,
    polylines,
    starts_by_level,
)
from utils.lesson_02.referee import (
    board_controls,
    board_tables,
    boards,
    checkerboard,
    checkerboard_lab,
    gaps_on_the_coarse_board,
    hard_gap,
    lab,
    lab_controls,
    leads,
    one_change,
)
from utils.lesson_02.sawtooth_figures import card, found_by_folds, found_three
from utils.lesson_02.tents_figures import play_folds, two_networks
from utils.pages import FigureText, Prediction, register
from utils.plots import line

FIGURES: dict[str, FigureText] = {
    "02.tent": FigureText(
        "A tent: one fold, two straight pieces",
        "A line that climbs straight from 0 at x = 0 to 1 in the middle, and falls straight back to 0 at x = 1.",
    ),
}
PREDICTIONS: dict[str, Prediction] = {
    "02.before-weight": Prediction(
        {
            "−1: that is its slope from there on": (
                "The line does have that slope from there on. But the ramp does not make it alone: the first one goes "
                "on climbing."
            ),
            "1: from 2 to 1, whatever the sign": (
                "It is right to compare the two slopes. But their signs count: from 2 to −1 the slope changes by −3."
            ),
            "−3: from 2 to −1": (
                "A ramp's weight is the change of slope where it begins: it has to undo the first ramp's climb, and "
                "then make the line fall."
            ),
        },
        "",
        3,
        "A line climbs from 0 with slope 2; from its hinge at 1 on it falls with slope −1. What is the weight of the "
        "ramp that begins at 1?",
    ),
    "02.before-hinges": Prediction(
        {
            "40": (
                "More hinges do help. But twice as many only divide the bound by four, because it goes with the square "
                "of the distance between them."
            ),
            "200": (
                "The bound goes with the square of the distance between the hinges. Put them ten times as close, and "
                "it falls to a hundredth."
            ),
            "2,000": (
                "That would be right if twice the hinges halved the error. But the bound goes with the square of the "
                "distance between them, so it falls faster."
            ),
        },
        "",
        2,
        "A smooth curve is drawn with 20 evenly spaced hinges, and lesson 01's bound says that the error is at most E. "
        "How many hinges make the bound E/100?",
    ),
    "02.before-theorem": Prediction(
        {
            "on a closed and bounded set, some network comes as close as you like": (
                "It says that the weights exist, on this set. It does not say how many units they take, or how to find "
                "them."
            ),
            "training comes as close as you like to any continuous function": (
                "It is often quoted like this. But the theorem says that such weights exist, and nothing about whether "
                "training finds them."
            ),
            "some network comes as close as you like, everywhere on the line": (
                "The theorem needs a closed and bounded set. On the whole line no ReLU network stays near a sine, "
                "because far out the network is straight."
            ),
        },
        "",
        1,
        "What does the theorem about one hidden layer say, for any continuous function and an activation such as ReLU?",
    ),
    "02.pieces": Prediction(
        {
            "11: one more for each fold": (
                "It looks like one more crease. But a fold goes through every sheet of the strip at once, so later "
                "folds make many."
            ),
            "20: two for each fold": (
                "The first fold does turn one piece into two. But the next one folds both of these, and the third "
                "folds all four."
            ),
            "100: ten times ten": (
                "The pieces do grow faster than the folds. But every fold multiplies their number, and ten equal "
                "factors make a power, not a square."
            ),
            "1,024": "Every fold goes through all sheets at once, so it doubles the pieces: ten factors of two.",
        },
        "1,024.\n\nThe formula says the same. While x runs through the left half, tent(x) runs through all of [0, 1]; "
        "on the right half it runs back. So whatever comes next is drawn twice, the second time as its mirror image.",
        4,
    ),
    "02.shallow": Prediction(
        {
            "about 60: as many as the deep network has parameters": (
                "Comparing sizes seems natural. But what counts here is how often the line can bend, and in one layer "
                "each unit bends it only once."
            ),
            "about 300": (
                "That would make about a thousand parameters, one for each piece. But a unit's three parameters "
                "together make only one bend."
            ),
            "about 1,000": "In one layer each unit bends the line once, so each unit adds at most one piece.",
            "it cannot be done": (
                "Folding does look like a trick of depth. But lesson 01 drew a line through any points with one hidden "
                "layer, if it has enough units."
            ),
        },
        "1,024 units, as many as the graph has pieces. The deep network has 20.",
        3,
    ),
    "02.found": Prediction(
        {
            "always": (
                "There are weights with no error at all, so why not? Because gradient descent only goes downhill from "
                "where it starts, and need not arrive there."
            ),
            "about half of the time": (
                "It does depend on the random start. But with two units a layer there are none to spare: if one goes "
                "wrong, no other can do its work."
            ),
            "never, or hardly ever": (
                "The network that you built needs every one of its units in its place. From random weights, that is a "
                "lot to ask."
            ),
        },
        "Yours missed {yours:.2f} of the variance. Of our {seeds} seeds, {found} found the eight pieces, and the "
        "median seed missed {narrow}.\n\nWith eight units a layer, most seeds found them, and one wide layer with as "
        "many parameters did even better. With 16 pieces, depth was ahead by {ahead} of the variance; from 32 on, "
        "neither found anything.",
        lambda found, seeds, **_: 1 if found == seeds else 2 if found > seeds / 5 else 3,
    ),
    "02.narrower": Prediction(
        {
            "about 140: the width is divided by the square root of two": (
                "That would be right if one hidden layer already cost the square of its width. But it only costs a "
                "multiple of the width; the square comes with the second layer."
            ),
            "about 100: it is halved": (
                "That would be right if the second hidden layer cost no more than the first. But the first has only "
                "two inputs, and the second has one for every unit of the first."
            ),
            "about 50: a quarter": (
                "You are right that the second hidden layer is the expensive one. But fifty times fifty weights would "
                "be 2,500, far more than the budget."
            ),
            "about 30: a seventh": (
                "Between two hidden layers there is a weight for every pair of units, and thirty times thirty is "
                "nearly a thousand."
            ),
        },
        "{width}. With 1, 2, 4, 8 and 16 hidden layers the widths are {widths[1]}, {widths[2]}, {widths[4]}, "
        "{widths[8]} and {widths[16]}.\n\nSo the second hidden layer is the expensive one. After it, depth is cheap: "
        "every further layer of n units costs about n², so twice as many layers divide the width by less than 2.",
        4,
    ),
    "02.fair": Prediction(
        {
            "it stays as it is, or grows": (
                "The lead was seen on held-out data and over many seeds, so it is no accident. But it was seen at "
                "settings that may suit one side better."
            ),
            "about half of it": (
                "Half is a fair guess if you cannot measure. But two settings have changed, and each of them can take "
                "a part of the lead, or all of it."
            ),
            "nothing: less than 0.02": (
                "With the same settings for both, a lead may only show whom they suit. What is left when each side has "
                "its own rate is what depth is worth here."
            ),
        },
        "In held-out accuracy, five layers minus one is {left}, by your line too.\n\nOne change alone took most of the "
        "lead: random biases left {biases.rounded}, the best rates left {rate.rounded}. The deep network hardly moved; "
        "the shallow one did.",
        lambda lead, **_: 3 if abs(lead) < 0.02 else 1 if lead > 0.15 else 2,
    ),
    "02.fair-hard": Prediction(
        {
            "one hidden layer": (
                "The coarse board showed that it can keep up once it is tuned. But a finer board asks for more bends, "
                "and in one layer each unit makes only one."
            ),
            "nobody leads by 0.02": (
                "That is how the coarse board ended. But a draw there does not say what happens when the task is "
                "harder and time is short."
            ),
            "the deeper networks, by 0.02 to 0.05": (
                "A finer board is harder for both sides. How much harder it is for each of them, in so few steps, only "
                "a measurement can say."
            ),
            "the deeper networks, by more than 0.05": (
                "A finer board is hard, and 3,000 steps are few. A network that is quicker shows it most when nobody "
                "has finished."
            ),
        },
        "Three layers led one by {stays} in held-out accuracy, five led one by {five.rounded}.\n\nBut had they "
        "finished? With ten times as many steps, tuned again, three layers minus one is {longer}: the lead is gone. "
        "Depth was quicker here.",
        lambda three, five, **_: 4 if min(three.value, five.value) > 0.05 else 3 if three.value > 0.02 else 2,
    ),
    "02.digits-depth": Prediction(
        {
            "a gain of more than 0.01 in accuracy": (
                "Deep networks are famous for reading images. But these images are small, and one layer already reads "
                "nearly all of them."
            ),
            "nothing, within 0.01": (
                "One layer leaves little to gain, and three more layers of 64 units are wide enough to lose nothing."
            ),
            "a loss of more than 0.01": (
                "Three more layers are harder to train. But at this width, and with the rate tuned, training copes "
                "with that."
            ),
        },
        "In held-out accuracy, four layers minus one is {wide}. The dotted line is a network with no hidden layer: "
        "even a linear map reads nearly all of the digits.\n\nWith 1,000 parameters, four layers have to be so narrow "
        "that they lose: one layer leads by {narrow}.",
        lambda points, **_: 1 if points.value > 1 else 3 if points.value < -1 else 2,
    ),
    "02a.linear": Prediction(
        {
            "it rises": (
                "Without ReLU a network can draw less. But the flip is a linear map, so nothing that it needs is taken "
                "away."
            ),
            "about the same": (
                "The best that three units can do is the same with ReLU and without. But training need not reach that "
                "best, and a ReLU unit can die on the way."
            ),
            "it falls": "The flip needs no ReLU. And a unit without one cannot die, so all three stay in use.",
        },
        "It went from {relu:.3g}/32 with ReLU to {identity:.3g}/32 without.\n\nA ReLU unit that is 0 for all sixteen "
        "images is dead: it carries nothing, and no gradient reaches it. Four units of which one is dead work like "
        "three, and end on the floor for three (share of networks on the floor for their living units: {alive}). "
        "Without an activation no unit dies, and nearly all networks reach their floors (share that reaches all of "
        "them: {linear}).",
        lambda relu, identity, **_: 3 if identity < relu else 1,
    ),
    "02a.slower": Prediction(
        {
            "one layer of 16": (
                "It does have the widest layer to train. But with units to spare, it need not wait for any of them."
            ),
            "two layers of 8": (
                "Its layers are half as wide. So there are few units to spare, and what the first layer loses, the "
                "second cannot bring back."
            ),
            "hardly any difference": (
                "Both do have equally many parameters. But how fast a network learns also depends on how they are "
                "arranged."
            ),
        },
        "Two layers of 8 took {slower} times as many steps as one layer of 16. So the chapter was right about "
        "that.\n\nBut is it the second layer? These two networks differ in width as well. One layer of 8 took {half} "
        "times as many steps as one of 16; two layers of 16 took only {as_wide} times as many. So narrow layers are "
        "slow, and two of them are slower than one. (All this holds from He's initialisation, too, which the chapter "
        "uses.)",
        lambda wide, deep, **_: 2 if deep > wide else 1,
    ),
    "02a.middle": Prediction(
        {
            "3/32": (
                "That is the floor of a network without activations, where everything after the one unit is linear. "
                "But with ReLU, the layers after it can bend."
            ),
            "between 0 and 3/32": (
                "You are right that ReLU gains something. But one number can tell sixteen images apart, and wide "
                "layers can make anything of it."
            ),
            "0": (
                "One number is enough to tell sixteen images apart, and the layers after it can draw a line through "
                "any sixteen points."
            ),
        },
        "0: sixteen images fit into one number.",
        3,
    ),
    "02b.spirals": Prediction(
        {
            "five hidden layers, by more than 0.01": (
                "Winding arms do look like a task for depth. But where the arms overlap, no classifier can always be "
                "right, and one layer can wind, too."
            ),
            "one hidden layer, by more than 0.01": (
                "A wide layer is easier to train. But here each shape has a rate of its own, and enough parameters."
            ),
            "all three within 0.01": (
                "The arms overlap near the centre, so there is a best that nobody can beat. With enough parameters, "
                "all three can come close to it."
            ),
        },
        "The medians are {one:.3f} with one hidden layer, {three:.3f} with three and {five:.3f} with five.\n\nThe "
        "dotted line says why. Since the arms overlap, even the best of all classifiers is sometimes wrong, and one "
        "hidden layer is nearly as good. If there is no room above the weaker side, nobody can win (five layers minus "
        "one, seed by seed: {ahead}).",
        lambda one, three, five, **_: (
            3 if max(one, three, five) - min(one, three, five) <= 0.01 else 1 if five > one else 2
        ),
    ),
    "02b.cells": Prediction(
        {
            "in one or none": (
                "All three tasks ask for many bends, and we picked them. Terms can make a lead smaller, but whether "
                "they turn it round is another question."
            ),
            "in about ten": (
                "After the lesson, it seems likely that fair terms turn the lead round somewhere. But when one side's "
                "lead goes away, the other side is not yet ahead."
            ),
            "in about a third": (
                "Some terms favour one layer, such as equal time. But they need not be enough for it to be ahead."
            ),
            "in about half": (
                "That would be right if the terms decided everything. But the tasks decide, too, and somebody has "
                "picked them."
            ),
        },
        "Five layers are behind in {shallow} of the {cells} choices, by {by:.3f}. They are ahead in {deep}, and in "
        "{neither} no difference is seen. So nearly all choices favour depth. (In {as_wide} of the {deep}, the width "
        "is held equal, and the five layers have many times the parameters.)",
        lambda shallow, **_: 1 + sum(shallow > limit for limit in (1, 20, 37)),
    ),
}
register(PREDICTIONS, FIGURES, of_blanks=BLANKS)
