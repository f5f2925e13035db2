# %% [markdown]
r"""
# 04 Depth efficiency: exercises

Four exercises belong to the path, 9 points and about 50 minutes, in the order in which it comes to them: their numbers
are names. Four more go further, 15 points and about 95 minutes.

Run the set-up cells, write each answer into its function, run its cell, then run the check below it. NumPy is all you
need. You may rename the arguments, but keep the functions' names and the first line of their cells.

Where an exercise says nothing else, four correct digits are enough; compute in float64, as NumPy does by itself. A
number may be Python's, NumPy's or PyTorch's, and a list may as well be a tuple, an array or a tensor. All cases of a
check together have ten seconds; a good answer needs a fraction of one.
"""

# %%
# set-up
import itertools
import math

import numpy as np

from utils.exercises import check, progress, show
from utils.feedback import download
from utils.figures import show_figure, use_style
from utils.lesson_04.line_runs import pattern_bars, patterns_along

use_style()

# %% [markdown]
r"""
## Exercise 04.1: the most regions of one layer (2 points)

**Example.** A layer has two inputs and three units. Each unit has a crease in the plane of its inputs: the line where
what goes into the unit is 0. Draw three lines on paper. They cut the plane into 7 regions if every two of them cross
and the three do not meet in one point, and three lines never make more. So the answer is 7.

A layer of ReLU units has any number of inputs and units, and you may choose all weights and biases. Each unit creases
the space of the inputs once: in a point if there is one input, along a line if there are two, along a plane if there
are three, and so on. Into how many regions can the creases cut the whole space, **at most**?

- `units`: a whole number from 1 to 60; `inputs`: a whole number from 1 to 6
- returns: the most regions, a whole number. In the check it is below 25,000

<details><summary>How many regions does one more crease add?</summary>

Add one more line to those in the plane. The others cut the new line into pieces, and each of these pieces cuts one
region in two. So you need to know into how many pieces some points cut a line, which is the same question with one
input fewer. In space the new crease is a plane, and the others cut it along lines: again the same question with one
input fewer. (The sum that comes out is Schläfli's, from about 1852. The creases do make as many regions if they lie at
random; Zaslavsky, 1975, counts those of any others.)

</details>
"""

# %%
# exercise 04.1
def most_regions(units: int, inputs: int) -> int:
    """Return the most regions that the creases of one hidden layer
    cut the space of its inputs into.
    """
    # BEGIN SOLUTION
    # unit for unit: R(n, d) = R(n - 1, d) + R(n - 1, d - 1),
    # with R(0, d) = R(n, 0) = 1, adds up to
    return sum(math.comb(units, j) for j in range(inputs + 1))
    # END SOLUTION


# %%
check("04.1", most_regions)

# %% [markdown]
r"""
## Exercise 04.3: the fewest hinges (3 points)

**Example.** A function is 1 on $[0, 1]$, climbs from there with slope 2 to the point $(4, 7)$, and then falls with
slope $-\frac12$ to $(6, 6)$. It is given by the points $(0, 1), (1, 1), (3, 5), (4, 7), (6, 6)$. One hidden layer draws
it as $1 + 2 \operatorname{ReLU}(x - 1) - \frac52 \operatorname{ReLU}(x - 4)$: with two hinges. At $x = 3$ nothing
bends, and on $[0, 1]$ the bias is enough.

A function runs straight from each of its points to the next. You want to draw it, from the first point to the last, as

$$ c + \sum_{i=1}^{N} w_i \operatorname{ReLU}(x - b_i) , $$

and you choose $c$, all $w_i$ and all $b_i$. What is the smallest $N$ with which it can be done? To the left of the
first point and to the right of the last the network may do anything, and a hinge may stand there as well. All hinges
open to the right, as they do here.

- `knots`: the $x$ of the points, increasing, not evenly spaced in general; `values`: their $y$. There are at least
  three points
- returns: the smallest number of hinges, a whole number, at least 0

There are no close calls. Two neighbouring slopes are the same, but for rounding, or they differ by at least 0.05; and
the first slope is 0, but for rounding, or at least 0.05 away from it.
"""

# %%
# exercise 04.3
def fewest_hinges(knots: np.ndarray, values: np.ndarray) -> int:
    """Return how many hinges a network of one hidden layer needs
    to draw the function through these points.
    """
    # BEGIN SOLUTION
    slopes = np.diff(values) / np.diff(knots)
    # on the far left, where all hinges are closed, the slope is 0
    changes = np.diff(slopes, prepend=0.0)
    return int((np.abs(changes) > 0.01).sum())
    # END SOLUTION


# %%
show("04.3", fewest_hinges)

# %%
check("04.3", fewest_hinges)

# %% [markdown]
r"""
Once it is right, try it on the sawtooth of $k$ folds, which has $2^k$ pieces:
`fewest_hinges(np.arange(2**k + 1) / 2**k, np.arange(2**k + 1) % 2)`. A deep network draws it with $2k$ units.
"""

# %% [markdown]
r"""
## Exercise 04.4: pieces along a line, before and after training (4 points)

Does training make a network use more of its pieces? Run the next cell. It trains 20 networks $2 \to 8 \to 8 \to 8 \to 8
\to 2$ on the lesson's board of 4 × 4 squares, each from a seed of its own and from PyTorch's weights, in 3,000 steps of
Adam with a one-cycle rate of at most 0.01. Then it walks along a straight line through the square, from $(-1, -0.8)$ to
$(1, 0.6)$. At each of 4,001 places it notes which of the 32 hidden units are active, once before training and once
after it. This takes about ten seconds. The picture shows one of the networks.
"""

# %%
before, after = patterns_along(
    [2, 8, 8, 8, 8, 2], start=[-1, -0.8], end=[1, 0.6], n_seeds=20
)
show_figure(*pattern_bars(before[1], after[1]))

# %% [markdown]
r"""
Where no unit switches the network is affine, so along the line **a piece ends wherever the pattern of the units
changes** from one place to the next, be it in one unit or in several. (A piece shorter than the distance of two places
can be missed.) Write the function that reads such an experiment. It returns two things:

- **by what factor** training changed the number of pieces: for each seed the pieces after training divided by the
  pieces before it, and of these numbers the median over the seeds;
- **a verdict**. Let $u$ seeds have more pieces after training than before, and $d$ seeds fewer; seeds with equally many
  count for neither. If training changed nothing, each of these $u + d$ seeds would be the toss of a coin, and the lead
  $u - d$ would have a standard deviation of $\sqrt{u + d}$. Return `"more"` where $u - d$ is larger than two of these,
  $u - d > 2 \sqrt{u + d}$; `"fewer"` where $d - u > 2 \sqrt{u + d}$; and `"cannot tell"` everywhere else.

The check gives your function experiments of other people.

- `before`, `after`: whether a unit is active, True or False, two arrays of shape (seeds, places, units). Every network
  has at least two pieces, and no lead is exactly as large as $2 \sqrt{u + d}$
- returns: a pair, the factor and the verdict

**Example.** Three seeds, seven places, two units; 1 is active:

| | before | after |
|---|---|---|
| seed 0 | 00 00 10 10 10 10 10 | 11 11 00 00 01 01 01 |
| seed 1 | 10 11 11 11 01 01 01 | 10 11 11 11 01 01 00 |
| seed 2 | 00 01 01 01 01 01 01 | 10 10 11 11 01 00 00 |

The pieces are 2, 3, 2 before training and 3, 4, 4 after it, the factors $\frac32$, $\frac43$, 2, and their median is
1.5. All three seeds have more pieces, but $3 < 2 \sqrt 3$: the answer is `(1.5, "cannot tell")`. Three coins show the
same side too often.
"""

# %%
# exercise 04.4
def pieces_along(before: np.ndarray, after: np.ndarray) -> tuple[float, str]:
    """Return the median over the seeds of pieces after over pieces before,
    and "more", "fewer" or "cannot tell".
    """
    # BEGIN SOLUTION
    def pieces(active):
        changes = (active[:, 1:] != active[:, :-1]).any(axis=2)
        return 1 + changes.sum(axis=1)

    old, new = pieces(before), pieces(after)
    up, down = (new > old).sum(), (new < old).sum()
    margin = 2 * np.sqrt(up + down)
    verdict = ("more" if up - down > margin
               else "fewer" if down - up > margin else "cannot tell")
    return np.median(new / old), verdict
    # END SOLUTION


# %%
show("04.4", pieces_along)

# %%
check("04.4", pieces_along)

# %% [markdown]
r"""
Once it is right, call it in a cell of your own: `pieces_along(before, after)`, with the patterns of the 20 networks.
Then spend the same 32 units on one hidden layer, `patterns_along([2, 32, 2], …)`, with the same line, and read that.
Is it training that makes pieces, or training a deep network? (And is your verdict the same along another line?)
"""

# %% [markdown]
r"""
## Exercise 04.6: exponentially more regions (a short text)

A friend has read that *deep networks have exponentially more linear regions than shallow ones*, and concludes that a
deep network fits any data exponentially better than a shallow one of the same number of units. What does the sentence
mean, and what does it **not** mean? Answer in four to six sentences. (The text has points only if your instructor says
so.)
"""

# %% [markdown]
r"""
# exercise 04.6

The sentence is about the most regions that a network of that shape can have: there are weights, such as those that fold
a sheet of paper $k$ times, that give a deep network exponentially many, and no weights give a shallow one as many. It
says nothing about the weights that a network happens to have. Random networks of equally many units have no more
regions deep than shallow. Training a deep one adds some, but does not bring it near the maximum. Nor are regions
accuracy: they help where they lie as the task needs them, as on a folded board, and many tasks have no such structure.
And that good weights exist does not mean that training finds them, nor that what it finds is right on held-out data.
"""

# %%
check("04.6", None)

# %% [markdown]
r"""
## Going further

Two exercises build what the path folds: its board (section 3) and its curve (section 6). The last two belong to
excursion 04a.
"""

# %% [markdown]
r"""
## Exercise 04.2: the layers that fold a board (4 points)

**Example.** One fold each way, $k = 1$, makes a board of $2 \times 2$ squares on the unit square. A cell is
$\frac12$ wide, so half a cell is $\frac14$. With $\operatorname{tent}(t) = 2 \operatorname{ReLU}(t) - 4
\operatorname{ReLU}(t - \frac12)$ the two numbers

$$ a = \operatorname{tent}(x + \tfrac14) - \tfrac12, \qquad b = \operatorname{tent}(y + \tfrac14) - \tfrac12 $$

have the same sign in the squares at $(0, 0)$ and at $(1, 1)$, and opposite signs in the other two. At $(0.2, 0.9)$, for
instance, $a = 0.4$ and $b = -0.8$. So $|a + b| - |a - b|$, which is positive where $a$ and $b$ have the same sign and
negative where they have opposite ones, is the colour of the square.

Hand-build the layers for any number of folds, and for boards of any size: a ReLU network with two inputs, $x$ and $y$,
**four units in each of $k$ hidden layers**, and two outputs, $a$ and $b$, for which the sign of $|a + b| - |a - b|$ is
a board of $2^k \times 2^k$ equal squares on $[0, s]^2$: positive in the square at $(0, 0)$, negative in its neighbours,
and so on. In the example $s = 1$.

- `k`: a whole number from 1 to 6; `side`: a number from 1 to 8, the side $s$ of the board
- returns: a list of $k + 1$ pairs `(weight, bias)`, the layers in the order in which they act. A weight has the shape
  (outputs, inputs), a bias one number for each output: the sizes are $2, 4, \dots, 4, 2$. ReLU acts between the layers,
  not after the last one

The check makes $|a + b| - |a - b|$ of your outputs itself. Many weights do this, and each of them is right: the check
looks at the sizes, and at the colours inside of all squares. On the grid lines, the border included, and outside of the
board your network may do anything.

<details><summary>Where do the weights between two hidden layers come from?</summary>

What comes out of a fold is affine in the four units, two numbers; what goes into the next is affine in these two
numbers. So both together are one matrix with four rows and four columns, the product of a $4 \times 2$ and a
$2 \times 4$ matrix.

</details>

(`utils.constructions.sawtooth_network` folds one coordinate; the check does not let you call it.)
"""

# %%
# exercise 04.2
def folding_layers(k: int, side: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return weight and bias of each layer of a network whose outputs a and b
    colour 2^k × 2^k squares on [0, side]².
    """
    # BEGIN SOLUTION
    split = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])  # two units for each coordinate
    creases = np.array([0, -0.5, 0, -0.5])
    tents = np.array([[2, -4, 0, 0], [0, 0, 2, -4]])
    inner = (split @ tents, creases)  # out of one fold and into the next, in one layer
    half_a_cell = 0.5 ** (k + 1)  # in sides: in these the board is the unit square
    first = (split / side, half_a_cell + creases)
    last = (tents, np.array([-0.5, -0.5]))
    return [first, *[inner] * (k - 1), last]
    # END SOLUTION


# %%
show("04.2", folding_layers)

# %%
check("04.2", folding_layers)

# %% [markdown]
r"""
## Exercise 04.5: $x^2$ by depth (4 points)

**Example.** Take from $x$ a quarter of the tent: $x - \frac14 \operatorname{tent}(x)$ is $0$, $\frac14$ and $1$ at $x =
0$, $\frac12$ and $1$, as $x^2$ is, and nowhere on $[0, 1]$ off by more than $4^{-2}$. It takes one hidden layer of
three units: $\operatorname{ReLU}(x)$ and $\operatorname{ReLU}(x - \frac12)$ make the tent, 2 times the one minus 4
times the other, and another $\operatorname{ReLU}(x)$ carries $x$. So the layers

$$ \left(\begin{pmatrix} 1 \\ 1 \\ 1 \end{pmatrix}, \begin{pmatrix} 0 \\ -\frac12 \\ 0 \end{pmatrix}\right)
\quad\text{and}\quad \left(\begin{pmatrix} -\frac12 & 1 & 1 \end{pmatrix}, (0)\right) $$

do it: at $x = \frac34$ the units are $\frac34$, $\frac14$ and $\frac34$, and $-\frac38 + \frac14 + \frac34 = \frac58$,
which misses $x^2 = \frac{9}{16}$ by $4^{-2}$.

Each tent more makes the error four times smaller:

$$ f_m(x) = x - \sum_{s=1}^{m} \frac{\operatorname{tent}^s(x)}{4^s}, \qquad
\max_{0 \le x \le 1} |f_m(x) - x^2| = 4^{-(m+1)}, $$

where $\operatorname{tent}^s$ is the tent applied $s$ times. On a longer interval $[0, r]$ the same is true on another
scale: $x^2 = r^2 \, (x/r)^2$, where $x/r$ lies in $[0, 1]$, and so the error there is $r^2 \, 4^{-(m+1)}$. Hand-build
this as a ReLU network with **three units in each of $m$ hidden layers**, one for each tent.

- `m`: a whole number from 1 to 7; `end`: a number from 1 to 8, the end $r$ of the interval
- returns: a list of $m + 1$ pairs `(weight, bias)`, the layers in the order in which they act. A weight has the shape
  (outputs, inputs), a bias one number for each output: the sizes are $1, 3, \dots, 3, 1$. ReLU acts between the layers,
  not after the last one

Many weights do this, and each of them is right: the check looks at the sizes, and at whether your network is anywhere
on $[0, r]$ further than $r^2 \, 4^{-(m+1)}$ from $x^2$. For rounding it may be $10^{-6} \, r^2$ more.

<details><summary>May the sum pass through a ReLU?</summary>

A unit passes on unchanged what is not negative. Every $f_s$ lies between $x^2$ and $x$ on $[0, 1]$, so it is never
negative there, and one unit can carry $f_s$ from layer to layer.

</details>
"""

# %%
# exercise 04.5
def square_network(m: int, end: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return weight and bias of each layer of a network of m hidden layers
    that is x² up to end² 4^-(m+1) on [0, end].
    """
    # BEGIN SOLUTION
    split = np.array([[1, 0], [1, 0], [0, 1]])  # of tent and sum
    creases = np.array([0, -0.5, 0])
    layers = [(np.ones((3, 1)) / end, creases)]
    for s in range(1, m + 1):
        tent = np.array([2, -4, 0])
        # the third unit carries the sum as it was before
        total = np.array([0, 0, 1]) - tent / 4**s
        layers.append((split @ np.array([tent, total]), creases))
    return [*layers[:-1], (end**2 * total[None], np.zeros(1))]
    # END SOLUTION


# %%
show("04.5", square_network)

# %%
check("04.5", square_network)

# %% [markdown]
r"""
## Exercise 04.7: which of these came from a deep network? (3 points)

**Example.** Two pictures. Each shows four points in order along a straight line through the input, and which of three
hidden units are on there:

| | point 0 | point 1 | point 2 | point 3 |
|---|---|---|---|---|
| picture 0 | on on off | on off off | on off on | off off on |
| picture 1 | off on on | off on off | on off off | on off on |

Picture 0 can have come from a network with one hidden layer of three units. Picture 1 cannot, whatever the weights,
although it shows no more patterns than picture 0. So the answer is `[False, True]`.

Somebody has sent straight lines through the input of some ReLU networks and has noted, at points in order along each
line, which hidden units are on. Some of the networks have one hidden layer, others have several. In a picture the units
of all layers stand in a mixed order. You know neither how many inputs there are, nor where the lines lie, nor how far
apart the points are. Say of each picture whether it came from a deep network: **True if no network with one hidden
layer could have made it**, False if one could.

- `pictures`: a list of arrays of True and False, each of shape (lines, points, units), True where a unit is on. The
  pictures have one to four lines
- returns: a list with True or False for each picture

<details><summary>What can a unit of the first layer do along a straight line?</summary>

What goes into it is affine: along the line it rises all the way, or it falls all the way, or it stays as it is.

</details>
"""

# %%
# exercise 04.7
def came_from_deep(pictures: list[np.ndarray]) -> list[bool]:
    """Return for each picture whether no network with one hidden layer
    could have made it.
    """
    # BEGIN SOLUTION
    # a unit of the first layer switches at most once along a straight line
    switches = [(picture[:, 1:] != picture[:, :-1]).sum(axis=1)  # [lines, units]
                for picture in pictures]
    return [bool((times > 1).any()) for times in switches]
    # END SOLUTION


# %%
show("04.7", came_from_deep)

# %%
check("04.7", came_from_deep)

# %% [markdown]
r"""
Single units come back. A whole pattern never does, however deep the network is: all points with one pattern make up a
convex region, and a straight line that has left it does not enter it again.
"""

# %% [markdown]
r"""
## Exercise 04.8: where a network bends, exactly (4 points)

**Example.** A network with one input has two units in its first hidden layer, $h_1 = \operatorname{ReLU}(x)$ and $h_2
= \operatorname{ReLU}(x - 1)$, and one in its second, $\operatorname{ReLU}(h_1 - 2 h_2 - \frac12)$, which a last layer
of weight 1 passes on. What comes into that unit is $-\frac12$ up to $x = 0$, rises to $\frac12$ at $x = 1$, and falls
from there. It is 0 at $x = \frac12$ and at $x = \frac32$. So the output bends at $\frac12$, where the unit switches
on, at 1, where a bend of the first layer comes through, and at $\frac32$, where the unit switches off. It does not
bend at 0: a unit switches there, but the one behind it is off. On $[-1, 3]$ the answer is `[0.5, 1, 1.5]`.

Find the places where a network of one input bends, **exactly**: not on a grid, but layer by layer. On a piece of the
line on which no unit of the earlier layers switches, what comes into a layer is affine in $x$, so you can compute where
each of its units comes to 0. These places cut the piece into smaller ones. When all layers have had their turn, keep
the places where the network's own slope changes.

- `weights`: a list of matrices, one for each layer in the order in which they act, of shape (outputs, inputs);
  `biases`: a list of vectors. There are one to three hidden layers, and one output. ReLU acts after each layer but the
  last
- `low` < `high`: the ends of an interval. A place at an end or outside of the interval does not count
- returns: a list of the places at which the network's slope changes, from left to right, each of them once. It may be
  empty

A place may be off by $10^{-8}$ of the interval's length. There are no close calls: two places where units switch are
the same, but for rounding, or at least 1/500 of the interval apart, and so are such a place and an end of the interval.
Two slopes are the same, but for rounding, or differ by at least 0.05.

(`utils.regions` knows the answer; the check does not let you call it.)
"""

# %%
# exercise 04.8
def breakpoints(
    weights: list[np.ndarray], biases: list[np.ndarray], low: float, high: float
) -> list[float]:
    """Return the places in the interval where the ReLU network with these layers
    bends, from left to right.
    """
    # BEGIN SOLUTION
    near = 1e-6 * (high - low)
    # between left and right a layer's inputs are slope * x + offset
    pieces = [(low, high, np.ones(1), np.zeros(1))]
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        finer = []
        for left, right, slope, offset in pieces:
            slope, offset = weight @ slope, weight @ offset + bias
            moving = np.abs(slope) > 1e-9
            zeros = np.unique((-offset[moving] / slope[moving]).round(10))
            inside = zeros[(zeros > left + near) & (zeros < right - near)].tolist()
            for a, b in itertools.pairwise([left, *inside, right]):
                on = slope * (a + b) / 2 + offset > 0
                finer.append((a, b, slope * on, offset * on))
        pieces = finer
    slopes = [(weights[-1] @ slope).item() for _, _, slope, _ in pieces]
    ends = [right for _, right, _, _ in pieces]
    return [ends[i] for i in range(len(pieces) - 1)
            if abs(slopes[i + 1] - slopes[i]) > 1e-3]
    # END SOLUTION


# %%
show("04.8", breakpoints)

# %%
check("04.8", breakpoints)

# %% [markdown]
r"""
Once it is right, it is a tool: it takes the weights and biases of any ReLU network of one input, and so it tells you
where a trained one spends its bends. What enters a network of several inputs along a straight line is one number as
well.
"""

# %% [markdown]
r"""
## When you are done

Save the notebook: in Colab, choose *File → Save a copy in Drive*, because Colab forgets everything else; elsewhere,
choose *File → Save*. If you work alone, that is all, and the table below shows how far you have come. In a class, hand
in the notebook's file: in Colab, *File → Download → Download .ipynb* makes it; elsewhere, it is the file that you have
open. Your answers are found by the first line of their cells, so you may add, move and split cells, as long as those
lines stay.
"""

# %%
progress()

# %% [markdown]
r"""
`download()` gives you one small file with your points, blanks, predictions and remarks, from all pages on this machine.
To go on from there on another machine, run `from utils.feedback import upload` and then `upload()`.
"""

# %%
download()
