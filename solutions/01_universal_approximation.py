# %% [markdown]
r"""
# 01 Universal approximation: exercises

Four exercises belong to the path, 10 points and about 60 minutes. They stand in the order in which the path comes to
them; their numbers are only names. Four more go further, 8 points and about 65 minutes.

Run the set-up cells, write each answer into its function, run its cell, then run the check below it. NumPy is all you
need. You may rename the arguments, but keep the functions' names and the first line of their cells.

Where an exercise says nothing else, four correct digits are enough; compute in float64, as NumPy does by itself. A
number may be Python's, NumPy's or PyTorch's, and a list may as well be a tuple, an array or a tensor. All cases of a
check together have ten seconds; a good answer needs a fraction of one.
"""

# %%
# set-up
import numpy as np

from utils.exercises import check, progress, show
from utils.feedback import download
from utils.figures import show_figure, use_style
from utils.lesson_01.rate_sweep import accuracy_dots, ring_accuracies

use_style()

# %% [markdown]
r"""
## Exercise 01.2: hinges that open to the left (3 points)

The lesson's hinges are flat on the left and rise to the right. Turn them around: $\operatorname{ReLU}(t - x)$ is flat
on the right of $t$ and rises to the left. Return the weights $a_1, \dots, a_N$ with which the network

$$ g(x) = y_N + \sum_{i=1}^{N} a_i \operatorname{ReLU}(t_i - x) $$

runs through all points $(t_0, y_0), \dots, (t_N, y_N)$. To the right of $t_N$ this network is constant.

- `knots`: $t_0 < \dots < t_N$, an array of $N + 1$ numbers, **not** evenly spaced in general
- `values`: $y_0, \dots, y_N$
- returns: $N$ numbers, $a_i$ for the hinge at $t_i$, in the order $a_1, \dots, a_N$

**Example.** Knots 0, 2, 3, 7 and values 1, 5, 4, 6: the slopes of the three pieces are 2, −1 and ½, and the weights are
−3, 1.5 and −0.5. At $x = 0$, say, $6 - 3 \cdot 2 + 1.5 \cdot 3 - 0.5 \cdot 7 = 1$, as it must be.

(`utils.constructions.relu_interpolant` all but knows the answer; the check does not let you call it.)
"""

# %%
# exercise 01.2
def left_weights(knots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the weight of each hinge, all opening to the left, of the network
    through the given points.
    """
    # BEGIN SOLUTION
    slopes = np.diff(values) / np.diff(knots)
    return np.diff(slopes, append=0.0)
    # END SOLUTION


# %%
show("01.2", left_weights)

# %%
check("01.2", left_weights)

# %% [markdown]
r"""
## Exercise 01.3: how many hinges certify an error? (2 points)

A function on $[a, b]$ has $|f''| \le M$. Return the **smallest** number $N$ of evenly spaced hinges for which the bound
$M h^2 / 8$ with $h = (b - a)/N$ is at most the tolerance. It is a whole number, and at least 1.

- `max_curvature`: $M \ge 0$; `low`, `high`: the interval's ends $a < b$; `tolerance`: a number above 0
- returns: $N$. It can be in the tens of thousands, and even there, trying one number after another is quick enough

**Example.** $M = 1$ on $[0, 4]$ with tolerance 0.125: $h = 1$ meets the tolerance exactly, so $N = 4$.
"""

# %%
# exercise 01.3
def certified_hinges(
    max_curvature: float, low: float, high: float, tolerance: float
) -> int:
    """Return the smallest number of evenly spaced hinges whose certified error
    is at most the tolerance.
    """
    # BEGIN SOLUTION
    count = (high - low) * np.sqrt(max_curvature / (8 * tolerance))
    return max(1, int(np.ceil(count)))
    # END SOLUTION


# %%
check("01.3", certified_hinges)

# %% [markdown]
r"""
## Exercise 01.1: a stack of linear layers is one layer (2 points)

Layers without an activation between them do nothing that one layer could not do. (Their activation is the identity, a
polynomial of degree 1, and polynomials are what the lesson's theorem rules out.) Show it: given the weights and biases
of a stack of layers $x \mapsto W_k x + b_k$, return the one matrix and the one bias that compute the same map.

- `weights`: a list of matrices, in the order in which they act; matrix $k$ has shape (outputs, inputs) of its layer
- `biases`: a list of vectors, one for each layer
- returns: a pair, the matrix of shape (outputs of the last layer, inputs of the first) and the bias

**Example.** $W_1 = \begin{pmatrix} 1 & 2 \\ 0 & 1 \end{pmatrix}$, $b_1 = (1, -1)$ and $W_2 = \begin{pmatrix} 1 & 0 \\ 3
& 1 \end{pmatrix}$, $b_2 = (0, 2)$: take $x = (1, 1)$. The first layer turns it into $(4, 0)$, and the second turns that
into $(4, 14)$. The pair $\begin{pmatrix} 1 & 2 \\ 3 & 7 \end{pmatrix}$, $(1, 4)$ does it in one step.
"""

# %%
# exercise 01.1
def collapse(
    weights: list[np.ndarray], biases: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the matrix and the bias of the one layer that computes
    what the stack computes.
    """
    # BEGIN SOLUTION
    matrix, bias = weights[0], biases[0]
    for weight, offset in zip(weights[1:], biases[1:], strict=True):
        matrix, bias = weight @ matrix, weight @ bias + offset
    return matrix, bias
    # END SOLUTION


# %%
check("01.1", collapse)

# %% [markdown]
r"""
## Exercise 01.7: an experiment, read honestly (3 points)

Run the next cell. It trains sixty networks with ten hidden units on the lesson's noisy rings, from ten seeds with each
of six learning rates, and measures what share of the points each network gets right: of the few that it was trained on,
of others to choose with (**validation**), and of yet others that are kept for the end (**held-out**). This takes some
seconds, most of them to get ready. Which rate would you take, and what accuracy would you tell a colleague to expect
from it?
"""

# %%
rates = np.array([0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03])
training, validation, held_out = ring_accuracies(rates, n_seeds=10)
show_figure(*accuracy_dots(rates, training, validation, held_out))

# %% [markdown]
r"""
Training accuracy is highest where most is memorised, and the highest of six held-out accuracies is partly luck. So
points that choose must not report: choose by validation, then look at the held-out points **once**. Write the function
that reads such an experiment. It returns the rate whose **median** validation accuracy over the seeds is highest, and
the number to report: the median held-out accuracy at this rate. (A few seeds that fail would pull a mean down.) The
check gives it other people's experiments.

- `rates`: the learning rates, in **no** order
- `training`, `validation`, `held_out`: accuracies, arrays of shape (rates, seeds): one row per rate, in the order of
  `rates`, and one column per seed. One experiment has as many seeds as rates, another has fewer
- returns: a pair, the rate and the number. The median of an even number of values is the mean of the middle two. No two
  rates tie

**Example.** Three rates and four seeds:

| rate | training | validation | held-out |
|---|---|---|---|
| 0.01 | 0.93, 0.94, 0.92, 0.66 | 0.90, 0.88, 0.86, 0.60 | 0.86, 0.85, 0.84, 0.61 |
| 0.001 | 0.90, 0.91, 0.90, 0.89 | 0.85, 0.84, 0.86, 0.85 | 0.87, 0.86, 0.89, 0.82 |
| 0.1 | 1.00, 0.99, 0.98, 0.97 | 0.70, 0.93, 0.72, 0.74 | 0.71, 0.90, 0.73, 0.70 |

The median validation accuracies are 0.87, 0.85 and 0.73, so the rate is 0.01, and the number is (0.85 + 0.84)/2 =
0.845. The training accuracies would have chosen 0.1. The held-out ones would have chosen 0.001, with a median of 0.865:
0.02 too good.
"""

# %%
# exercise 01.7
def read_sweep(
    rates: np.ndarray, training: np.ndarray, validation: np.ndarray, held_out: np.ndarray
) -> tuple[float, float]:
    """Return the learning rate that validation chooses, and the median
    held-out accuracy at this rate.
    """
    # BEGIN SOLUTION
    chosen = np.median(validation, axis=1).argmax()
    return rates[chosen], np.median(held_out[chosen])
    # END SOLUTION


# %%
show("01.7", read_sweep)

# %%
check("01.7", read_sweep)

# %% [markdown]
r"""
Once your function is right, call it in a cell of your own with the `rates`, `training`, `validation` and `held_out` of
the sixty networks. Does it return the rate that you had picked by eye? And how much better would the best held-out
median have looked?
"""

# %% [markdown]
r"""
## Going further

The first two exercises here, and the last one, a short text, need no more than the path. The one between them belongs
to the excursion 01a, *Steps, bumps and the theorem*.
"""

# %% [markdown]
r"""
## Exercise 01.5: which hypothesis broke? (3 points)

Somebody fits networks with 5, 10, 20, 40 and 80 hidden units to a target on an interval. By the theorem, they expect
the widest one to be close to the target wherever they look. **From the numbers alone**, say what went wrong:

| answer | what they did |
|---|---|
| `"none"` | nothing wrong: the **widest** network is within the tolerance at **every** $x$, broken hypothesis or not |
| `"polynomial activation"` | all hypotheses hold, but the activation is $z^2$ |
| `"no bias"` | all hold, but the units are $\tanh(w_i x)$, and the output has no bias either |
| `"not compact"` | all hold on the interval of the fit, which is compact, but they looked farther out |
| `"discontinuous target"` | all hold, but the target has a jump |

**Example.** The first case of the check has the target $|x - 1|$ on $[-6, 6]$. All five networks are the same parabola,
up to rounding, and off by 1.21 at $x = 1$, far more than the tolerance 0.1. The answer is `"polynomial activation"`.

- `x`: 121 evenly spaced points, increasing, symmetric about 0: where they looked. `x[60]` is 0
- `target`: the target at these points. From one point to the next it changes by less than 0.4 if it is continuous; a
  jump is larger than 1
- `networks`: shape (5, 121), the five networks at these points, the narrowest first
- `fitted`: the two ends of the interval of the fit, symmetric about 0. Some cases show only this interval, others a
  wider one
- `tolerance`: the largest error that they accept
- returns: one of the five texts

**How to begin.** Is the widest network close enough at every $x$? If not, take the four reasons one by one. What must
**every** such network look like, or where must it be off? Take parabolas, for example: along evenly spaced points of a
straight line the differences (`np.diff`) are all the same, so the differences of the differences are 0. How many times
must you take differences of a parabola until nothing is left? (Rounding leaves up to 1e-9 of what must be 0 in theory,
and what is not 0 in theory is larger than 1e-4: compare with 1e-8.)

<details><summary>What you may rely on</summary>

- Where something went wrong, exactly one of the four is the reason. The answer is not `"not compact"` if the widest
  network is already too far off on the interval of the fit.
- In no case are all five networks both parabolas and free of biases, as straight lines through 0 would be.
- Unless the table says otherwise, the units are ReLU or tanh with biases.
- Training is not to blame: each network has the best output weights for its hidden units, or runs through points of the
  target.

</details>

The next cell draws the example as soon as your function returns something, and once it is right, the case that the
check shows.
"""

# %%
# exercise 01.5
def broken_hypothesis(
    x: np.ndarray,
    target: np.ndarray,
    networks: np.ndarray,
    fitted: list[float],
    tolerance: float,
) -> str:
    """Return which hypothesis of the theorem broke, as one of the five texts."""
    # BEGIN SOLUTION
    errors = np.abs(networks[-1] - target)
    inside = (x >= fitted[0]) & (x <= fitted[1])
    if errors.max() <= tolerance:
        return "none"
    if errors[inside].max() <= tolerance:
        return "not compact"
    # The third differences of a parabola vanish.
    if np.allclose(np.diff(networks, 3), 0, atol=1e-8):
        return "polynomial activation"
    # Sums of tanh(w x) are odd.
    if np.allclose(networks + networks[:, ::-1], 0, atol=1e-8):
        return "no bias"
    # A continuous network is off by half of a jump, on one side or the other.
    return "discontinuous target"
    # END SOLUTION


# %%
show("01.5", broken_hypothesis)

# %%
check("01.5", broken_hypothesis)

# %% [markdown]
r"""
## Exercise 01.6: the best that a polynomial activation can reach (2 points)

With the activation $z^k$, $k \ge 1$, a network with one input and one hidden layer, $g(x) = b + \sum_{i=1}^{N} a_i
(w_i x + b_i)^k$, is a polynomial of degree at most $k$, and with enough units it can be any of them. So there is a
floor that no training gets below and no width lowers (section 5 of the lesson has it for $\sin$, under "A polynomial
activation"). Return it: the smallest **mean squared error**
$\frac1n \sum_{j=1}^{n} (y_j - g(x_j))^2$ that such a network can have on the given points, however many units it has.

- `x`: $n$ different numbers, in no order, not evenly spaced; `y`: $n$ numbers; $n \ge k + 1$
- `power`: $k$, a whole number from 1 to 6
- returns: the floor, one number, however small; if it is 0, anything smaller than a billionth of the mean of $y^2$
  counts as right

**Example.** The points $(-1, 1), (0, 0), (1, 1), (2, 2)$ lie on the graph of $|x|$. For $k = 2$ the best parabola is
$0.5 x^2 - 0.1 x + 0.3$. It is off by 0.1, −0.3, 0.3 and −0.1, so the floor is $(0.01 + 0.09 + 0.09 + 0.01)/4 = 0.05$.
"""

# %%
# exercise 01.6
def polynomial_floor(x: np.ndarray, y: np.ndarray, power: int) -> float:
    """Return the smallest mean squared error on the points that a network
    with the activation z**power can have.
    """
    # BEGIN SOLUTION
    best = np.polynomial.Polynomial.fit(x, y, power)
    return np.mean((y - best(x)) ** 2)
    # END SOLUTION


# %%
show("01.6", polynomial_floor)

# %%
check("01.6", polynomial_floor)

# %% [markdown]
r"""
## Exercise 01.4: a bump from two steps (3 points)

The sigmoid $\varphi(z) = 1/(1 + e^{-z})$ climbs from 0 to 1, and $\varphi(wx + b)$ with a large $w$ is nearly a step.
Two steps make a bump, and on a closed, bounded interval, sums of narrow bumps follow any continuous function. That is
why the theorem holds for sigmoids. Return the weights of a network with **exactly two** units

$$ g(x) = \mathrm{bias} + a_1 \, \varphi(w_1 x + b_1) + a_2 \, \varphi(w_2 x + b_2) $$

that is a bump between `start` and `end`:

- $|g(x) - \mathrm{height}| \le \mathrm{tolerance}$ on the plateau, $\mathrm{start} + \mathrm{margin} \le x \le
  \mathrm{end} - \mathrm{margin}$;
- $|g(x)| \le \mathrm{tolerance}$ outside, for **all** $x \le \mathrm{start} - \mathrm{margin}$ and all $x \ge
  \mathrm{end} + \mathrm{margin}$;
- in between, within a margin of `start` or `end`, it may be anything.

Many networks do this, and all of them are right: the check looks at the network's values. Weights may be as large as
you like, as long as they are finite.

- `start` < `end`; `height`: not 0, **negative** in some cases; `margin`: above 0, less than half of end − start;
  `tolerance`: above 0, less than a quarter of |height|. All are floats; some intervals are very short, some very long
- returns: `w, b, a, bias`: the first three are lists or arrays of two numbers each, one for each unit, in the same
  order; `bias` is one number

**Example.** A bump between 1 and 3 of height 2, with margin 0.5 and tolerance 0.1. A first try, with $w = (4, 4)$, $b =
(-4, -12)$, $a = (2, -2)$ and bias 0, is not good enough. At $x = 1.5$, where the plateau begins, its value is $2 \,
\varphi(2) - 2 \, \varphi(-6) \approx 1.757$, but it should be at least 1.9.
"""

# %%
# exercise 01.4
def bump(
    start: float, end: float, height: float, margin: float, tolerance: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Return w, b, a and the bias of a network with two sigmoid units
    that is a bump from start to end.
    """
    # BEGIN SOLUTION
    # At the distance margin from its step a unit is off by
    # sigmoid(-steepness * margin) < exp(-steepness * margin),
    # and on the plateau two units are off.
    steepness = np.log(2 * abs(height) / tolerance) / margin
    w = np.array([steepness, steepness])
    b = np.array([-steepness * start, -steepness * end])
    a = np.array([height, -height])
    return w, b, a, 0.0
    # END SOLUTION


# %%
show("01.4", bump)

# %%
check("01.4", bump)

# %% [markdown]
r"""
## Exercise 01.8: a friend's guarantee (a short text)

A friend says: *the universal approximation theorem guarantees that my network will learn this function, if only it is
wide enough.* Answer in three or four sentences. (The text has points only if your instructor says so.)
"""

# %% [markdown]
r"""
# exercise 01.8

The theorem says that weights exist with which some network comes as close as you like; it does not say that training
finds them, and often it does not. It also wants the function to be continuous on a closed, bounded set, and the
activation not to be a polynomial. And it names no width that is enough for your function, nor does it promise anything
about points that were not in your data: for both you have to measure.
"""

# %%
check("01.8", None)

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
