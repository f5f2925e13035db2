"""The claims of lesson 03, hierarchical features, in the order of the lesson."""

from __future__ import annotations

import xarray as xr

from utils.claims import Claim
from utils.lesson_03 import depth, hierarchy, probing
from utils.lesson_03.filters import TRAINED, UNTRAINED, WIDE, longer, probes, readings, selectivity, shapes
from utils.lesson_03.hierarchy import RANDOM, ROTATED, control_gap, missed, moves, targets, times_less, trees_halved
from utils.lesson_03.probing import BEST, BLOCKS, NEIGHBOUR, OUTER, falls, lead, line, probe, rise
from utils.types import Data


def sharpened(data: Data, layer: int) -> xr.DataArray:
    """Return by seed by how much training raises the median selectivity of a layer's units."""
    return selectivity(data, TRAINED, layer) - selectivity(data, UNTRAINED, layer)


def ahead(data: Data, shape: str, other: str) -> xr.DataArray:
    """Return by seed the held-out accuracy of one of SHAPES minus that of another, each at its best rate."""
    return shapes.best(data, shape=shape) - shapes.best(data, shape=other)


def deeper(data: Data, more: str, fewer: str, start: str = depth.IDENTITY) -> xr.DataArray:
    """Return by seed how far one of the stacks of blocks is ahead of another on two turns."""
    return depth.accuracy(data, more, 2.0, start) - depth.accuracy(data, fewer, 2.0, start)


CLAIMS = [
    Claim(
        "03.depth-blocks",
        depth.depths,
        "On two turns two blocks of 8 units are far ahead of one.",
        lambda data: deeper(data, "2 blocks of 8", "1 block of 8"),
        "held-out accuracy, two blocks of 8 units minus one block of 8, two turns",
        low=0.1,
        tried="Wider blocks in place of more: one of 16 units is no better, 03.depth-equal, one of 32 as good as "
        "four of 8, 03.depth-wide. PyTorch's initialisation: the lead stays, 03.depth-default.",
    ),
    Claim(
        "03.depth-default",
        depth.depths,
        "From PyTorch's initialisation they are ahead, too.",
        lambda data: deeper(data, "2 blocks of 8", "1 block of 8", depth.DEFAULT),
        "held-out accuracy, two blocks of 8 units minus one block of 8, two turns, PyTorch's initialisation",
        low=0.1,
        tried="A start at the identity: 03.depth-blocks. More steps were not tried.",
    ),
    Claim(
        "03.depth-more",
        depth.depths,
        "Two more blocks add next to nothing.",
        lambda data: deeper(data, "4 blocks of 8", "2 blocks of 8"),
        "held-out accuracy, four blocks of 8 units minus two, two turns",
        low=-0.02,
        high=0.02,
    ),
    Claim(
        "03.depth-equal",
        depth.depths,
        "Two blocks of 8 units are no worse than one of 16.",
        lambda data: deeper(data, "2 blocks of 8", "1 block of 16"),
        "held-out accuracy, two blocks of 8 units minus one of 16, two turns",
        low=-0.02,
        tried="Twice as many units again: one block of 32 is as good as four of 8, 03.depth-wide. More steps were "
        "not tried.",
    ),
    Claim(
        "03.depth-wide",
        depth.depths,
        "One block of 32 units is as good as four of 8.",
        lambda data: deeper(data, "1 block of 32", "4 blocks of 8"),
        "held-out accuracy, one block of 32 units minus four blocks of 8, two turns",
        low=-0.02,
        high=0.02,
    ),
    Claim(
        "03.probe-rises",
        probing.probes,
        "A line reads the arms off the last plane far better than off the input.",
        lambda data: rise(probe(data, "blocks", 1.5)),
        "held-out accuracy of the probe after the fourth block minus at the input, 1½ turns",
        low=0.25,
        tried="The same blocks before their training: there a line gains nothing, 03.probe-untrained. On the way it "
        "falls in many networks, 03.probe-falls.",
    ),
    Claim(
        "03.probe-falls",
        probing.probes,
        "On the way up the probe falls in many networks.",
        lambda data: falls(probe(data, "blocks", 1.5)),
        "networks with a stage at which the probe is more than 0.02 below the stage before, 1½ turns",
        low=0.2,
        statistic="share",
    ),
    Claim(
        "03.plain-falls",
        probing.probes,
        "In plain layers, which hand on 16 numbers, it falls in hardly any.",
        lambda data: falls(probe(data, "plain", 1.5)),
        "networks with a layer at which the probe is more than 0.02 below the layer before, 1½ turns",
        high=0.2,
        statistic="share",
    ),
    Claim(
        "03.line-falls",
        probing.lines,
        "The line with the most right answers falls in few.",
        lambda data: falls(line(data, BEST)),
        "networks with a stage at which the best line is more than 0.02 below the stage before, 1½ turns",
        high=0.4,
        statistic="share",
    ),
    Claim(
        "03.probe-untrained",
        probing.probes,
        "Random blocks do not help a line.",
        lambda data: rise(probe(data, "blocks", 1.5, state="untrained")),
        "held-out accuracy of the probe after the fourth block minus at the input, 1½ turns, untrained",
        high=0.02,
        tried="Plain layers, and another question: off these, untrained, a line reads much, 03.probe-outer.",
    ),
    Claim(
        "03.probe-neighbour",
        probing.lines,
        "What no line reads off a plane may still be there.",
        lambda data: (line(data, NEIGHBOUR) - line(data, BEST)).sel(stage=1),
        "held-out accuracy of the nearest neighbour minus that of the best line, after the first block, 1½ turns",
        low=0.05,
        tried="Nothing beyond this block and these spirals.",
    ),
    Claim(
        "03.probe-outer",
        probing.probes,
        "A line reads off layers that never trained what nobody asked them for.",
        lambda data: probe(data, "plain", 1.5, OUTER, "untrained").sel(stage=BLOCKS),
        "held-out accuracy of a probe for the outer half of the arms, on the fourth of untrained layers, 1½ turns",
        low=0.85,
    ),
    Claim(
        "03.random-width",
        probing.features,
        "At equal width a learned layer is far ahead of a random one.",
        lambda data: lead(data, probing.UNITS, task=probing.FLAT),
        "held-out accuracy, 16 learned units minus 16 random ones, 1½ turns",
        low=0.1,
        tried="As many trained parameters in place of as many units: the lead is gone, 03.random-parameters.",
    ),
    Claim(
        "03.random-parameters",
        probing.features,
        "At equal trained parameters next to nothing of the lead is left.",
        lambda data: lead(data, task=probing.FLAT),
        "held-out accuracy, 16 learned units minus 40 random ones, 1½ turns",
        low=-0.02,
        high=0.02,
    ),
    Claim(
        "03.random-sooner",
        probing.features,
        "At two turns random features are ahead after 2,500 steps.",
        lambda data: lead(data, task=probing.HARDER),
        "held-out accuracy, 16 learned units minus 40 random ones, two turns, 2,500 steps",
        high=0.0,
        tried="Four times as many steps: then learned ones are ahead, 03.random-longer.",
    ),
    Claim(
        "03.random-longer",
        probing.features,
        "After four times as many steps learned ones are.",
        lambda data: lead(data, task=probing.LONGER),
        "held-out accuracy, 16 learned units minus 40 random ones, two turns, 10,000 steps",
        low=0.0,
        tried="A quarter of the steps: then random ones are ahead, 03.random-sooner.",
    ),
    Claim(
        "03.directions",
        probing.features,
        "Where 18 of 20 inputs say nothing, learned features lead by far.",
        lambda data: lead(data, task=probing.WITH_MORE[-1]),
        "held-out accuracy, 16 learned units minus 184 random ones, one turn beside 18 inputs that say nothing",
        low=0.1,
        tried="The digits, which are easy: random features hold, 03.digits-features. The plane alone: at equal units "
        "a lead, 03.random-width, at equal parameters none, 03.random-parameters; at two turns random ones lead "
        "first, 03.random-sooner, learned ones in the end, 03.random-longer. More random units were not tried.",
    ),
    Claim(
        "03.digits-features",
        probing.digits,
        "On the digits random features hold.",
        lead,
        "held-out accuracy, 32 learned units minus 240 random ones, digits",
        low=-0.01,
        high=0.01,
    ),
    Claim(
        "03.game-deep",
        targets,
        "Of a game of three moves three hidden layers miss far less than one.",
        times_less,
        "share of variance missed, one layer of 104 over three of 20",
        low=10,
        tried="Targets of one layer's own class. Of a random network of one layer one misses less, "
        "03.mirror-teacher; on random functions as rough three have no lead, 03.game-control. More steps were not "
        "tried.",
    ),
    Claim(
        "03.game-two",
        moves,
        "Two hidden layers lie in between: they miss more of it than three.",
        lambda data: missed(data, 2) / missed(data, 3),
        "share of variance missed, two hidden layers over three",
        low=2,
        tried="Nothing beyond this game and this budget.",
    ),
    Claim(
        "03.game-control",
        targets,
        "Of random functions as rough as the game three layers miss more than one.",
        lambda data: missed(data, 3, version=RANDOM) - missed(data, 1, version=RANDOM),
        "share of variance missed, three hidden layers minus one",
        low=0.02,
        tried="A function of all inputs alike that three layers contain, the largest input: three miss far less, "
        "03.mirror-maximum.",
    ),
    Claim(
        "03.mirror-teacher",
        hierarchy.mirrors,
        "Of a random network of one layer one layer misses less than three.",
        lambda data: times_less(data, hierarchy.TEACHER),
        "share of variance missed, one layer of 104 over three of 20, teachers of one layer of 21",
        high=0.5,
        tried="The game, which three layers contain: there three miss far less, 03.game-deep. More steps were not "
        "tried.",
    ),
    Claim(
        "03.mirror-maximum",
        hierarchy.mirrors,
        "Of the largest of eight inputs three layers miss far less than one.",
        lambda data: times_less(data, hierarchy.MAXIMUM),
        "share of variance missed, one layer of 104 over three of 20, the largest input",
        low=3,
        tried="A target that one layer contains: there one misses far less, 03.mirror-teacher. More steps were not "
        "tried.",
    ),
    Claim(
        "03.game-rotated",
        targets,
        "The lead stays where a rotation of the inputs hides the game's tree.",
        lambda data: times_less(data, version=ROTATED),
        "share of variance missed, one layer of 104 over three of 20",
        low=10,
        tried="Targets of one layer's own class: there three layers lose, 03.mirror-teacher and 03.game-control. "
        "Layers that are wired like the tree, and more steps, were not tried.",
    ),
    Claim(
        "03.saturating-deep",
        targets,
        "Depth leads on a smooth tree, of tanh(a + b + ab), too.",
        lambda data: times_less(data, "saturating"),
        "share of variance missed, one layer of 104 over three of 20",
        low=3,
        tried="Random functions as rough as the trees: on these three layers have no lead, 03.controls. More steps "
        "were not tried.",
    ),
    Claim(
        "03.product-plus",
        targets,
        "On the tree of ab + a depth does not halve what is missed.",
        lambda data: times_less(data, "product plus"),
        "share of variance missed, one layer of 104 over three of 20",
        high=2,
        tried="Nothing beyond this budget: more steps or examples may do more for depth.",
    ),
    Claim(
        "03.trees",
        targets,
        "Of eight trees depth halves what is missed in some, not in all.",
        trees_halved,
        "trees, of eight, of which three layers miss at most half as much as one",
        low=2,
        high=6,
    ),
    Claim(
        "03.controls",
        targets,
        "Over all roughnesses three layers miss no less of random functions than one.",
        control_gap,
        "share of variance missed, three hidden layers minus one, mean over eight roughnesses",
        low=0,
        tried="The trees that are as rough: of some, three layers miss at most half, 03.trees.",
    ),
    Claim(
        "03.filters-tuned-one",
        readings,
        "Training does not make the first layer's filters more selective.",
        lambda data: sharpened(data, 1),
        "median selectivity of layer 1's units, trained minus untrained",
        high=0.02,
        tried="Units that see more: they gain something, 03.filters-tuned-three. Other images were not tried.",
    ),
    Claim(
        "03.filters-tuned-three",
        readings,
        "Nor, by much, those of the third layer.",
        lambda data: sharpened(data, 3),
        "median selectivity of layer 3's units, trained minus untrained",
        low=-0.05,
        high=0.05,
    ),
    Claim(
        "03.filters-probe-random",
        readings,
        "A probe reads more from untrained filters than from the pixels.",
        lambda data: probes(data, UNTRAINED, 1) - probes(data, UNTRAINED, 0),
        "held-out accuracy of a linear probe, on untrained layer 1 minus on the pixels",
        low=0.01,
        tried="More such layers: they add nothing, 03.filters-probe-stale. Other features were not tried.",
    ),
    Claim(
        "03.filters-probe-stale",
        readings,
        "Two more untrained layers add nothing that a probe can read.",
        lambda data: probes(data, UNTRAINED, 3) - probes(data, UNTRAINED, 1),
        "held-out accuracy of a linear probe, untrained layer 3 minus untrained layer 1",
        high=0.01,
        tried="The same layers, trained: these add a little, 03.filters-probe-depth. Another scale of the weights "
        "was not tried.",
    ),
    Claim(
        "03.filters-probe-depth",
        readings,
        "In the trained network the probe does better after the third layer.",
        lambda data: probes(data, TRAINED, 3) - probes(data, TRAINED, 1),
        "held-out accuracy of a linear probe, trained layer 3 minus trained layer 1",
        low=0,
        tried="The same layers without training: they add nothing, 03.filters-probe-stale.",
    ),
    Claim(
        "03.filters-probe-gap",
        readings,
        "After the third layer training is worth less than four points in 100.",
        lambda data: probes(data, TRAINED, 3) - probes(data, UNTRAINED, 3),
        "held-out accuracy of a linear probe on layer 3, trained minus untrained",
        low=0,
        high=0.04,
    ),
    Claim(
        "03.filters-deep",
        shapes,
        "Read out at every place, three layers are no better than one.",
        lambda data: ahead(data, "three of 3×3", "one of 3×3"),
        "held-out accuracy, three layers of 3×3 minus one, all places read",
        low=-0.01,
        high=0.01,
    ),
    Claim(
        "03.filters-deep-means",
        shapes,
        "Where only means are read out, three layers of 3×3 beat one of 3×3.",
        lambda data: ahead(data, "three of 3×3, means", "one of 3×3, means"),
        "held-out accuracy, three layers of 3×3 minus one of 3×3, means read",
        low=0.03,
        tried="One layer that sees as much as three: then it is the single layer that leads, 03.filters-field.",
    ),
    Claim(
        "03.filters-field",
        shapes,
        "One layer of 7×7, which sees as much, is at least as good as three of 3×3.",
        lambda data: ahead(data, *WIDE[::-1]),
        "held-out accuracy, one layer of 7×7 minus three of 3×3, means read",
        low=-0.01,
        tried="Five times as many epochs: less is left of the lead, 03.filters-longer.",
    ),
    Claim(
        "03.filters-longer",
        longer,
        "After five times as many epochs, too, it is at least as good.",
        lambda data: ahead(data, *WIDE[::-1]),
        "held-out accuracy, one layer of 7×7 minus three of 3×3, means read, 100 epochs",
        low=-0.01,
        tried="A fifth of the epochs: there it leads by more, 03.filters-field. Larger images were not tried.",
    ),
]
