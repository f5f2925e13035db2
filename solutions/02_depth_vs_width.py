# %% [markdown]
r"""
# 02 Depth versus width: exercises

Four exercises belong to the path, 8 points and about 55 minutes, in the path's order, which is not that of the numbers.
Six more go further, 19 points and about 140 minutes.

Run the set-up cells, write each answer into its function, run its cell, then run the check below it. NumPy is all you
need. You may rename the arguments, but keep the functions' names and the first line of their cells.

Where an exercise says nothing else, four correct digits are enough; compute in float64, as NumPy does by itself. A
number may be Python's, NumPy's or PyTorch's, and a list may as well be a tuple, an array or a tensor. All cases of a
check together have ten seconds; a good answer needs a fraction of one.
"""

# %%
# set-up
import math

import numpy as np

from utils.exercises import check, progress, show
from utils.feedback import download
from utils.figures import show_figure, use_style
from utils.lesson_02.saw_runs import error_dots, sawtooth_errors

use_style()

# %% [markdown]
r"""
## Exercise 02.5: hand-build a lopsided sawtooth (3 points)

A **tent** with its peak at $c$ climbs on $[0, c]$ from 0 to 1 in a straight line, and falls on $[c, 1]$ back to 0:

$$ T_c(x) = \frac{x}{c} \;\text{ for } 0 \le x \le c, \qquad
T_c(x) = \frac{1 - x}{1 - c} \;\text{ for } c \le x \le 1 . $$

The lesson's tent is $T_{1/2}$. Applied $k$ times it makes a sawtooth of $2^k$ pieces, all equally long; with another
peak their lengths differ. Hand-build it: return the layers of a ReLU network with **two units in each of $k$ hidden
layers** that is $T_c(T_c(\cdots T_c(x)))$, $k$ times, on $[0, 1]$. Elsewhere it may do anything.

- `k`: a whole number from 1 to 6; `peak`: $c$, strictly between 0 and 1
- returns: a list of $k + 1$ pairs `(weight, bias)`, the layers in the order in which they act. A weight has the shape
  (outputs, inputs), a bias one number for each output: the sizes are $1, 2, \dots, 2, 1$. ReLU acts between the layers,
  not after the last one

Many weights do this, and each of them is right: the check looks at the sizes, and at the network's values, which may be
off by 0.001.

**Example.** For $k = 1$ and $c = \frac14$ the layers $\left(\begin{pmatrix} 1 \\ 1 \end{pmatrix}, \begin{pmatrix} 0 \\
-\frac14 \end{pmatrix}\right)$ and $\left(\begin{pmatrix} 4 & -\frac{16}{3} \end{pmatrix}, (0)\right)$ do it: at $x =
\frac12$ the two units are $\frac12$ and $\frac14$, and $4 \cdot \frac12 - \frac{16}{3} \cdot \frac14 = \frac23 =
T_c(\frac12)$.

(`utils.constructions.sawtooth_network` all but knows the answer; the check does not let you call it.)
"""

# %%
# exercise 02.5
def sawtooth_layers(k: int, peak: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the weight and the bias of each layer of a network that is
    the tent with this peak, applied k times.
    """
    # BEGIN SOLUTION
    split, offsets = np.array([[1.0], [1.0]]), np.array([0.0, -peak])
    # Beyond the peak the slope changes from 1/c to -1/(1 - c).
    tent = np.array([[1 / peak, -1 / peak - 1 / (1 - peak)]])
    inner = (split @ tent, offsets)  # out of one tent and into the next, in one layer
    return [(split, offsets), *[inner] * (k - 1), (tent, np.zeros(1))]
    # END SOLUTION


# %%
show("02.5", sawtooth_layers)

# %%
check("02.5", sawtooth_layers)

# %% [markdown]
r"""
## Exercise 02.8: built, but found? (3 points)

Each of these three architectures can be hand-built to draw a sawtooth of 2, 4, 8 or 16 pieces exactly: hidden layers of
two units, one for each fold; layers of eight units, one for each fold, too; and one hidden layer with as many
parameters as the layers of eight. (For 2 pieces the last two are the same network, one layer of eight units.) Which
sawtooths does training **find**, from random initialisation?

Run the next cell. It trains 240 networks, 20 seeds for each architecture and each number of pieces, and measures on
held-out points which share of the variance each of them misses. Here a sawtooth counts as *found* if at most a tenth is
missed. The path's figure allows only a hundredth, but its networks train four times as long, and so more of them find
eight pieces there. (Each architecture has a learning rate of its own, tuned on other seeds.) This takes some seconds,
most of them to get ready.
"""

# %%
pieces, missed = sawtooth_errors(n_seeds=20, first_seed=20)
show_figure(*error_dots(pieces, missed, threshold=0.1))

# %% [markdown]
r"""
A single dot below the line proves that such a network can be found. It does not say what to expect. Write the function
that reads such an experiment: for each architecture return **the largest number of pieces that it finds, given that it
finds all smaller ones as well**.

- A run finds a sawtooth if its error is at most the threshold. A run that diverged is `nan`: it was tried, and found
  nothing.
- An architecture finds a number of pieces if **at least half** of its seeds do.
- If it does not find even the first number of pieces, the answer is 0.

The check gives your function experiments of other people.

- `pieces`: the numbers of pieces, increasing, not always powers of 2
- `missed`: the errors, an array of shape (architectures, numbers of pieces, seeds)
- `threshold`: a number; no error is exactly as large
- returns: a list of whole numbers, one for each architecture

**Example.** Two architectures, four seeds, threshold 0.1:

| | 2 pieces | 4 pieces | 8 pieces |
|---|---|---|---|
| the first | .01 .02 .01 .03 | .05 .04 .62 nan | .03 .71 .88 .64 |
| the second | .02 .01 .03 .55 | .04 .58 .49 nan | .06 .05 .07 .79 |

The first finds 2 pieces with all four seeds, 4 with two of four, which is just enough, and 8 with one only. The second
finds 2, but not 4, so it does not matter what it does at 8. The answer is `[4, 2]`. (If you looked only at the best
runs, you would say `[8, 8]`.)
"""

# %%
# exercise 02.8
def found_up_to(pieces: np.ndarray, missed: np.ndarray, threshold: float) -> list[int]:
    """Return for each architecture the number of pieces up to which
    at least half of the seeds find the sawtooth.
    """
    # BEGIN SOLUTION
    found = (missed <= threshold).mean(axis=2) >= 0.5  # no comparison with nan is True
    # 1 until the first that is not found, then 0
    levels = np.cumprod(found, axis=1).sum(axis=1)
    return np.append(0, pieces)[levels]
    # END SOLUTION


# %%
show("02.8", found_up_to)

# %%
check("02.8", found_up_to)

# %% [markdown]
r"""
Once it is right, call it in a cell of your own: `found_up_to(pieces, missed, 0.1)`, with the arrays of the 240
networks. All of these sawtooths could be hand-built. How many are found? (Eight pieces are a close call for the layers
of eight units: with other seeds it may be fewer than half.) Then take these layers at 16 pieces. Their errors are
`missed[1, 3]`: compare the median with the smallest. What would a paper say if it showed only the best run?
"""

# %% [markdown]
r"""
## Exercise 02.1: the parameters of a network (2 points)

Return how many parameters a fully connected network has: the weights between neighbouring layers, and, where `bias` is
`True`, the biases.

- `sizes`: a list of at least two whole numbers, `[n_in, hidden widths…, n_out]`; the layers may have different sizes,
  and there may be no hidden layer at all
- `bias`: whether every unit that computes something, the hidden ones and the outputs, has a bias
- returns: the number of parameters, a whole number

**Example.** `[4, 8, 8, 4]` with biases: $4 \cdot 8 + 8$ for the first layer, $8 \cdot 8 + 8$ for the second, $8 \cdot 4
+ 4$ for the last, 148 together. Without biases there are 128.

(`utils.models.count_parameters` and `mlp_parameters` know the answer; the check does not let you call them.)
"""

# %%
# exercise 02.1
def parameters(sizes: list[int], bias: bool) -> int:
    """Return the number of weights, and of biases where there are any."""
    # BEGIN SOLUTION
    return sum((n_in + bias) * n_out
               for n_in, n_out in zip(sizes, sizes[1:], strict=False))
    # END SOLUTION


# %%
check("02.1", parameters)

# %% [markdown]
r"""
## Exercise 02.10: one run each (a short text)

A colleague shows you one run of each network: *the deep one is right for 94 % of the points, the shallow one for 91
%. Both have 20,000 parameters, and both were trained with the learning rate 0.01. So depth helps.* Which three
questions do you ask first, and why? Answer in four to six sentences. (The text has points only if your instructor
says so.)
"""

# %% [markdown]
r"""
# exercise 02.10

Was 0.01 tuned for both networks, each by itself, over the same list of rates? It may suit the deep one and be far from
the best for the shallow one, and then the three points are the rate's and not the depth's. How many seeds are there,
and how far are they apart? One run each can differ by three points by luck alone, so I would like to see the interval
of the difference. And were these points held out, or did they choose the rate, the number of steps or the network? What
has chosen looks better than it is.
"""

# %%
check("02.10", None)

# %% [markdown]
r"""
## Going further

The next two exercises need no more than the path. The two after them belong to the excursion 02a, *What a narrow layer
loses*, the last two to 02b, *Fair fights*.
"""

# %% [markdown]
r"""
## Exercise 02.2: the width that spends a budget (3 points)

A network has `depth` hidden layers, all of the same width, and biases everywhere. Return the **largest** width with
which it has **at most** `budget` parameters. If even a width of 1 costs more than that, return 0.

**Example.** Two hidden layers, two inputs, two outputs and 1,000 parameters: a width of 28 costs $3 \cdot 28 + 29 \cdot
28 + 29 \cdot 2 = 954$, a width of 29 costs $3 \cdot 29 + 30 \cdot 29 + 30 \cdot 2 = 1{,}017$. So the answer is 28.

- `budget`: a whole number, at least 1
- `depth`: the number of hidden layers, at least 1
- `n_in`, `n_out`: the numbers of inputs and of outputs, at least 1
- returns: the width, a whole number

The lesson tries one width after the other. That will not do here: two of the budgets are larger than $10^{16}$, and the
search would take minutes to years (■ stops a cell that does not end). Floats are not exact for numbers that large;
Python's whole numbers are, whatever their size.

(`utils.models.width_for_parameters` knows the answer; the check does not let you call it.)
"""

# %%
# exercise 02.2
def widest(budget: int, depth: int, n_in: int, n_out: int) -> int:
    """Return the largest width of `depth` hidden layers with at most
    `budget` parameters, 0 if there is none.
    """
    # BEGIN SOLUTION
    # (depth - 1) w² + (n_in + n_out + depth) w + n_out <= budget
    square, linear, left = depth - 1, n_in + n_out + depth, budget - n_out
    if left < square + linear:
        return 0
    if square == 0:
        return left // linear
    # rounding the root down first changes nothing: everything around it is a whole number
    return (math.isqrt(linear**2 + 4 * square * left) - linear) // (2 * square)
    # END SOLUTION


# %%
check("02.2", widest)

# %% [markdown]
r"""
## Exercise 02.6: count the pieces (3 points)

A ReLU network of one input and one output is made of straight pieces. Return how many it has on an interval.

**Example.** $g(x) = \operatorname{ReLU}(x) - 2 \operatorname{ReLU}(x - 1) + 3 \operatorname{ReLU}(2x - 6)$ on
$[-1, 2]$: its slope is 0 up to $x = 0$, then 1, and −1 from $x = 1$ on. The third unit begins at $x = 3$, which is
outside. That makes three pieces.

So a piece ends, and the next begins, where the **network's** slope changes inside the interval. A unit that switches on
or off without changing that slope makes no piece, and neither does what happens at `low`, at `high` or beyond.

- `weights`: a list of matrices, one for each layer in the order in which they act, of shape (outputs, inputs);
  `biases`: a list of vectors. There are one to four hidden layers. ReLU acts after each layer but the last
- `low` < `high`
- returns: the number of pieces, a whole number, at least 1

You may compute the places where units switch, or look at the slopes on a fine grid.

<details><summary>How fine is fine enough?</summary>

There are no close calls, only rounding. Two places where units switch are the same, or at least 1/500 of the interval
apart, and so are such a place and an end of the interval. Two slopes are the same, or differ by at least 0.05.

</details>

(`utils.regions` can count them; the check does not let you call it.)
"""

# %%
# exercise 02.6
def count_pieces(
    weights: list[np.ndarray], biases: list[np.ndarray], low: float, high: float
) -> int:
    """Return the number of linear pieces of the ReLU network with these layers
    on [low, high].
    """
    # BEGIN SOLUTION
    def preactivations(x, layer):
        z = weights[0] @ x[None] + biases[0][:, None]
        later = zip(weights[1 : layer + 1], biases[1 : layer + 1], strict=True)
        for weight, bias in later:
            z = weight @ np.maximum(z, 0) + bias[:, None]
        return z

    # Between neighbours of x everything up to the layer at hand is affine,
    # so a unit that changes its sign there has one zero, and we know where.
    x = np.array([low, high])
    for layer in range(len(weights) - 1):
        new = [x]
        for z in preactivations(x, layer):
            i = np.flatnonzero(z[:-1] * z[1:] < 0)
            new.append(x[i] - z[i] * (x[i + 1] - x[i]) / (z[i + 1] - z[i]))
        x = np.sort(np.concatenate(new))
        # the same place, but for rounding, counts once
        x = x[np.append(True, np.diff(x) > 1e-8 * (high - low))]
    slopes = np.diff(preactivations(x, len(weights) - 1)[0]) / np.diff(x)
    return 1 + int((np.abs(np.diff(slopes)) > 1e-3).sum())
    # END SOLUTION


# %%
show("02.6", count_pieces)

# %%
check("02.6", count_pieces)

# %% [markdown]
r"""
## Exercise 02.3: backpropagation through any number of layers (4 points)

Excursion 02a works out the backward pass of a small network by hand. Write it for any number of layers. With $H_0 = X$,
points in rows, layer $k$ computes $Z_k = H_{k-1} W_k^\top + b_k$, and $H_k = \operatorname{ReLU}(Z_k)$; the last layer
has no ReLU: its $Z_L$ is the output. The loss is **half of the mean, over all points and all outputs**, of the squared
error:

$$ \ell = \frac{1}{2nm} \sum_{i=1}^{n} \sum_{j=1}^{m} \bigl((Z_L)_{ij} - Y_{ij}\bigr)^2 . $$

Return the derivative of $\ell$ with respect to every weight and every bias.

- `weights`: a list of 1 to 4 matrices, in the order in which they act, each of shape (outputs, inputs) of its layer;
  with one matrix there is no hidden layer
- `biases`: a list of vectors, one for each layer
- `X`: inputs, shape (n, inputs of the first layer); `Y`: targets, shape (n, m)
- returns: a pair of lists, the gradients of the weights and those of the biases, in the order and in the shapes of
  `weights` and `biases`

No unit's $z$ is 0 in the cases. (PyTorch's autograd gives the same numbers, and counts as an answer. But the point is
to learn where they come from, so let autograd check your answer rather than give it.)

**Example.** Two points $(1, 2)$ and $(3, 1)$, $W_1 = \begin{pmatrix} 1 & 0 \\ -1 & 1 \end{pmatrix}$, $b_1 = (0, 0)$,
$W_2 = \begin{pmatrix} 1 & 1 \\ 0 & 2 \end{pmatrix}$, $b_2 = (0, 1)$, targets $(1, 3)$ and $(3, 5)$.

- *Forward:* $Z_1$ has the rows $(1, 1)$ and $(3, -2)$, so the second unit is off at the second point. The outputs are
  $(2, 3)$ and $(3, 1)$, the errors $(1, 0)$ and $(0, -4)$, and divided by $nm = 4$ they are $(\frac14, 0)$ and
  $(0, -1)$.
- *Backward:* the gradient of $W_2$ is $\begin{pmatrix} 1/4 & 1/4 \\ -3 & 0 \end{pmatrix}$, that of $b_2$ is $(\frac14,
  -1)$. Through $W_2$ the errors become $(\frac14, \frac14)$ and $(0, -2)$, and through the ReLU, where one unit was
  off, $(\frac14, \frac14)$ and $(0, 0)$. So the gradient of $W_1$ is $\begin{pmatrix} 1/4 & 1/2 \\ 1/4 & 1/2
  \end{pmatrix}$, and that of $b_1$ is $(\frac14, \frac14)$.
"""

# %%
# exercise 02.3
def gradients(
    weights: list[np.ndarray], biases: list[np.ndarray], X: np.ndarray, Y: np.ndarray
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the gradients of half the mean squared error: of all weights,
    and of all biases.
    """
    # BEGIN SOLUTION
    inputs = [X]  # what goes into each layer
    for weight, bias in zip(weights, biases, strict=True):
        z = inputs[-1] @ weight.T + bias
        inputs.append(np.maximum(z, 0))
    error = (z - Y) / Y.size  # the loss's derivative with respect to the outputs
    of_weights, of_biases = [], []
    for k in reversed(range(len(weights))):
        of_weights.insert(0, error.T @ inputs[k])
        of_biases.insert(0, error.sum(axis=0))
        error = (error @ weights[k]) * (inputs[k] > 0)  # ReLU(z) is positive where z is
    return of_weights, of_biases
    # END SOLUTION


# %%
check("02.3", gradients)

# %% [markdown]
r"""
## Exercise 02.4: the error that a narrow layer cannot get below (3 points)

In excursion 02a the flip's four targets are uncorrelated and vary equally, so it does not matter which of them a narrow
layer gives up. Now take any linear map: the targets are $y_i = A x_i$ for $n$ given points $x_i$. The last hidden layer
has `width` units, and the output layer is affine, with a bias. Return the **smallest half mean squared error on these
points** that any such network can have: half of the mean, over all points and all outputs, of the squared error.

**Example.** The points $(0, 0), (4, 0), (0, 1), (4, 1)$, $A = \begin{pmatrix} 1 & 0 \\ 0 & 2 \end{pmatrix}$, width 1.
The targets $(x_1, 2 x_2)$ are $\pm 2$ and $\pm 1$ away from their means, 2 and 1, and uncorrelated. The hidden unit
carries the first; the second output stays at its mean and is off by 1 at every point. The mean over both outputs is
$\frac12$, half of that is 0.25. (From $A$ alone one would keep the second.)

- `X`: the points in rows, shape (n, inputs); their mean is not 0 in general, and some directions vary more than others
- `A`: shape (outputs, inputs)
- `width`: at least 1, perhaps larger than the number of outputs
- returns: one number, however small; if it is 0, anything smaller than a billionth of the mean of the targets' squares

It does not matter which activations the network has, how deep it is before that layer, or how it is trained: on $n$
points the outputs are a matrix with $n$ rows. What do you know about this matrix, once each column's mean is taken
away? (A linear network with one hidden layer reaches the bound.)
"""

# %%
# exercise 02.4
def rank_floor(X: np.ndarray, A: np.ndarray, width: int) -> float:
    """Return the smallest half mean squared error, on the points, of a network
    with so narrow a last hidden layer.
    """
    # BEGIN SOLUTION
    Y = X @ A.T
    values = np.linalg.svd(Y - Y.mean(axis=0), compute_uv=False)  # the largest first
    return np.sum(values[width:] ** 2) / (2 * Y.size)
    # END SOLUTION


# %%
check("02.4", rank_floor)

# %% [markdown]
r"""
## Exercise 02.9: what was held equal? (3 points)

"Both networks had the same budget," says the paper. The same budget of what? Two networks were trained on the same
task. From their sizes, the batch and the number of steps, compute these four budgets of each:

- `"parameters"`: weights and biases; every hidden unit and every output has a bias
- `"arithmetic"`: the FLOPs of the **whole training**. In each step and for each example a weight takes 2 forward and 4
  backward: 2 for its own gradient and 2 for the gradient that its layer hands on to the layer before. The first layer
  hands nothing on, so its weights take only 2 backward. Nothing else is counted
- `"hidden units"`: all hidden units
- `"memory"`: the numbers that one step keeps for its backward pass: for each example of the batch its inputs and the
  value of every hidden unit

Return the names of those that are **equal within 5 %**: the larger of the two numbers is at most 1.05 times the
smaller.

- `one`, `other`: dictionaries with `"sizes"`, a list `[n_in, hidden widths…, n_out]` with at least one hidden layer;
  `"batch"`, the examples in each step; and `"steps"`, the number of steps. Inputs and outputs are as many on both sides
- returns: a list of names, in any order; it is empty if nothing was held equal

There are no close calls: the larger is at most 1.03 times the smaller, or at least 1.08 times.

**Example.** `one` has the sizes `[2, 20, 1]`, batch 50 and 1,000 steps, `other` the sizes `[2, 5, 5, 5, 1]`, batch 50
and 750 steps.

| | `one` | `other` |
|---|---|---|
| parameters | $3 \cdot 20 + 21 = 81$ | $3 \cdot 5 + 6 \cdot 5 + 6 \cdot 5 + 6 = 81$ |
| FLOPs in a step, an example | $4 \cdot 40 + 6 \cdot 20 = 280$ | $4 \cdot 10 + 6 \cdot 55 = 370$ |
| arithmetic | $280 \cdot 50 \cdot 1000 = 14.0$ million | $370 \cdot 50 \cdot 750 = 13.9$ million |
| hidden units | 20 | 15 |
| memory | $50 \cdot 22 = 1100$ | $50 \cdot 17 = 850$ |

The answer is `["parameters", "arithmetic"]`. With as many steps on both sides it would be `["parameters"]`.

(`utils.models.mlp_flops`, `mlp_parameters` and `count_parameters` know parts of the answer; the check does not let you
call them.)
"""

# %%
# exercise 02.9
def held_equal(one: dict, other: dict) -> list[str]:
    """Return the names of the budgets that are the same for both trainings,
    within 5 %.
    """
    # BEGIN SOLUTION
    def budgets(sizes, batch, steps):
        weights = [n_in * n_out for n_in, n_out in zip(sizes, sizes[1:], strict=False)]
        return {
            "parameters": sum(weights) + sum(sizes[1:]),
            "arithmetic": (6 * sum(weights) - 2 * weights[0]) * batch * steps,
            "hidden units": sum(sizes[1:-1]),
            "memory": batch * sum(sizes[:-1]),
        }

    a, b = budgets(**one), budgets(**other)
    return [name for name in a if max(a[name], b[name]) <= 1.05 * min(a[name], b[name])]
    # END SOLUTION


# %%
show("02.9", held_equal)

# %%
check("02.9", held_equal)

# %% [markdown]
r"""
## Exercise 02.7: a fair comparison, as a function (3 points)

A deep and a shallow network were trained with the same learning rates from the same seeds, each seed with data of its
own. You get four tables of accuracies, here for three seeds and three rates:

| | deep, validation | deep, held-out | shallow, validation | shallow, held-out |
|---|---|---|---|---|
| seed 0 | .90 .94 nan | .89 .93 nan | .80 .85 .70 | .82 .88 .70 |
| seed 1 | .88 .96 .99 | .90 .95 .98 | .90 .84 .75 | .87 .86 .74 |
| seed 2 | .92 .80 .98 | .91 .82 .97 | .86 .92 .72 | .84 .90 .71 |

How much better is the deep one? Return the **fair difference**:

1. **Drop rates that diverge.** A run that diverged is `nan` in both tables of its network. A rate at which any run
   diverged is out for that network, not for the other one. *Here the deep network's third rate is out.*
2. **Tune each network by itself.** Of the rates that are left take the one with the largest **median** over the seeds
   of the **validation** accuracy. *The deep network's medians are .90 and .94: the second rate. The shallow one's are
   .86, .85 and .72: the first.*
3. **Compare seed by seed.** At these two rates take the **held-out** accuracy of the deep network minus that of the
   shallow one. *$.93 - .82 = .11$, $.95 - .87 = .08$ and $.82 - .84 = -.02$.*
4. Return the **median** of these differences. *Here it is 0.08. (With the deep network's rate for both it would be
   0.05.)*

- `deep_validation`, `deep_held_out`, `shallow_validation`, `shallow_held_out`: arrays of shape (seeds, rates). At least
  one rate is left for each network, and no two rates tie
- returns: one number
"""

# %%
# exercise 02.7
def fair_difference(
    deep_validation: np.ndarray,
    deep_held_out: np.ndarray,
    shallow_validation: np.ndarray,
    shallow_held_out: np.ndarray,
) -> float:
    """Return the median over seeds of deep minus shallow held-out accuracy,
    each at its own rate.
    """
    # BEGIN SOLUTION
    def at_best_rate(validation, held_out):
        medians = np.median(validation, axis=0)  # nan where a run diverged
        return held_out[:, np.nanargmax(medians)]

    deep = at_best_rate(deep_validation, deep_held_out)
    shallow = at_best_rate(shallow_validation, shallow_held_out)
    return np.median(deep - shallow)
    # END SOLUTION


# %%
check("02.7", fair_difference)

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
