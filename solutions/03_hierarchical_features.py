# %% [markdown]
r"""
# 03 Hierarchical features: exercises

Four exercises belong to the path, 11 points and about 60 minutes, in the order in which it comes to them. Four more
go further, 7 points and about 55 minutes.

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
from utils.lesson_03.probe_runs import probe_lines, probed_spirals

use_style()

# %% [markdown]
r"""
## Exercise 03.1: fold a sheet along any line (3 points)

**Example.** Fold the plane along the line $x_1 + x_2 = 1$, that is, along $n \cdot p = c$ with $n = (1, 1)$ and
$c = 1$. The point $(1, 1)$ lies beyond the line and lands on its mirror image, $(0, 0)$; $(2, -\frac12)$ lands on
$(\frac32, -1)$. The point $(0, 0)$ has $n \cdot p = 0 \le 1$ and stays where it is.

Hand-build this fold for any line: weights of **three ReLU units and their read-out** that take each point $p$ of a
square sheet of paper, $|p_1| \le 2$ and $|p_2| \le 2$, to

- its mirror image in the line $n \cdot p = c$, where $n \cdot p > c$;
- itself, where $n \cdot p \le c$.

Outside the sheet your layer may do anything. The normal $n$ is not 0, but its length **need not be 1**.

- `normal`: $n$, an array of two numbers; `offset`: $c$
- returns: four arrays `W, b, V, d` of the shapes (3, 2), (3,), (2, 3) and (2,), with which the layer computes
  $V \operatorname{ReLU}(W p + b) + d$

There is no skip connection, so everything has to pass through the units. Many weights make this fold, and all of them
are right: the check looks at where the points of the sheet land, and these places may be off by 0.001.

<details><summary>How does a coordinate pass through a ReLU unit?</summary>

A unit is on where its sum is positive, and then it passes the sum on unchanged. The sheet is bounded: with a bias that
is large enough, a unit is on all over the sheet, and `d` can take the bias away again.

</details>
"""

# %%
# exercise 03.1
def fold_layer(
    normal: np.ndarray, offset: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return W, b, V and d of three ReLU units that fold the sheet
    along the line normal · p = offset.
    """
    # BEGIN SOLUTION
    W = np.vstack([np.eye(2), normal])
    b = np.array([2, 2, -offset])  # on the sheet the first two units are always on
    # the third is |normal| times the distance beyond the line,
    # and a step of normal is |normal| long
    V = np.column_stack([np.eye(2), -2 * normal / (normal @ normal)])
    return W, b, V, np.array([-2.0, -2.0])
    # END SOLUTION


# %%
show("03.1", fold_layer)

# %%
check("03.1", fold_layer)

# %% [markdown]
r"""
## Exercise 03.5: what a hook collects (2 points)

**Example.** A network has two inputs, three units in its first hidden layer, one in its second, and two outputs:

$$ W_1 = \begin{pmatrix} 1 & 0 \\ 0 & 2 \\ -1 & 1 \end{pmatrix},\; b_1 = (0, -1, \tfrac12), \qquad
W_2 = \begin{pmatrix} 1 & -1 & 1 \end{pmatrix},\; b_2 = (\tfrac12), \qquad
W_3 = \begin{pmatrix} 3 \\ -1 \end{pmatrix},\; b_3 = (0, 1) . $$

For the point $(1, 2)$ the first layer computes $(1, 3, \frac32)$, all positive, and the second $1 - 3 + \frac32 +
\frac12 = 0$. For $(3, -1)$ the first computes $(3, -3, -\frac72)$, which the ReLU turns into $(3, 0, 0)$, and the
second $\frac72$. So a batch of these two points leaves two arrays, with the rows $(1, 3, \frac32)$ and $(3, 0, 0)$, and
with the rows $(0)$ and $(\frac72)$.

A hook can collect what leaves each ReLU. Do the same without PyTorch: send a batch through a network, and return the
**activations of every hidden layer**, after its ReLU.

- `weights`: a list of matrices, in the order in which they act, each of shape (outputs, inputs); `biases`: a list of
  vectors. There are one to four hidden layers. ReLU acts after each layer but the last, which makes the outputs
- `X`: the batch, points in rows, shape (n, inputs)
- returns: a list of arrays, one for each hidden layer in their order, of shape (n, units)
"""

# %%
# exercise 03.5
def hidden_activations(
    weights: list[np.ndarray], biases: list[np.ndarray], X: np.ndarray
) -> list[np.ndarray]:
    """Return the activations of each hidden layer, points in rows."""
    # BEGIN SOLUTION
    collected, h = [], X
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        h = np.maximum(h @ weight.T + bias, 0)
        collected.append(h)
    return collected
    # END SOLUTION


# %%
show("03.5", hidden_activations)

# %%
check("03.5", hidden_activations)

# %% [markdown]
r"""
## Exercise 03.2: a probe, scored honestly (3 points)

**Example.** A layer of one unit. On the first set of points its activations are 0, 1, 3, 4, and their classes 0, 0, 1,
1. The affine function that fits the labels −1, −1, 1, 1 best, in the sense of least squares, is $0.6\,(h - 2)$. The
second set has the activations 1, 3, 2.5, 1.5 and the classes 0, 1, 0, 0. There the function is −0.6, 0.6, 0.3, −0.3, so
the probe says 0, 1, 1, 0, and is right about three of four: the answer is 0.75. (On the set that it was fitted to, it
is right about all.)

A **linear probe** asks how well one straight cut separates two classes in a layer's activations. Fit it on the first
set: the affine function of the activations, **with a bias**, that has the smallest sum of squared errors for the labels
**−1** for class 0 and **1** for class 1. It says class 1 where it is positive. Return which share of the **second** set
it gets right.

- `fit_H`: activations, points in rows, shape (n, units); `fit_y`: their classes, n whole numbers, 0 or 1
- `score_H`, `score_y`: the same for the second set, which may have another number of points
- returns: one number between 0 and 1

There is one best function in every case, and on no point of the second set is it within 0.005 of 0.
"""

# %%
# exercise 03.2
def probe_accuracy(
    fit_H: np.ndarray, fit_y: np.ndarray, score_H: np.ndarray, score_y: np.ndarray
) -> float:
    """Return the accuracy on the second set of a least-squares probe
    that is fitted on the first.
    """
    # BEGIN SOLUTION
    def with_ones(H):
        return np.column_stack([H, np.ones(len(H))])

    weights = np.linalg.lstsq(with_ones(fit_H), 2 * fit_y - 1, rcond=None)[0]
    says_one = with_ones(score_H) @ weights > 0
    return (says_one == (score_y == 1)).mean()
    # END SOLUTION


# %%
show("03.2", probe_accuracy)

# %%
check("03.2", probe_accuracy)

# %% [markdown]
r"""
## Exercise 03.3: from which stage on? (3 points)

Run the next cell. It trains the lesson's stack of four blocks from 20 seeds on each of three pairs of spirals, of 1, 1¼
and 1½ turns, and probes every **stage** on held-out points: stage 0 is the data, stage $k$ the plane after block $k$.
This takes about a quarter of a minute. A single network's curve may fall as well as rise. From which stage on would you
call the arms separated?
"""

# %%
accuracies = probed_spirals(turns=[1, 1.25, 1.5], n_seeds=20)
show_figure(*probe_lines(accuracies, level=0.95,
                         names=["1 turn", "1¼ turns", "1½ turns"]))

# %% [markdown]
r"""
Write the function that reads such an experiment. For each task return **the first stage at which the median accuracy
over the seeds is at least `level`, and from which it stays there**, at all later stages.

- A run that diverged is `nan` at every stage. It was tried and failed, so its accuracy counts as **0**.
- If the median at the last stage is below the level, return **−1**.

The check gives your function other people's experiments.

- `accuracies`: shape (tasks, seeds, stages); stages are counted from 0
- `level`: a number. No median is a close call, and the middle two of an even number of accuracies always lie on the
  same side of the level
- returns: a list of whole numbers, one for each task

**Example.** Two tasks, three seeds, four stages, level 0.95:

| | seed 0 | seed 1 | seed 2 | medians |
|---|---|---|---|---|
| the first task | .52 .90 .97 .99 | .55 .98 .99 .98 | .50 .62 .93 .97 | .52 .90 .97 .98 |
| the second task | .61 .97 .90 .96 | .60 .96 .91 .99 | nan nan nan nan | .60 .96 .90 .96 |

The answer is `[2, 3]`. In the second task, the median already passes 0.95 at stage 1, but it does not stay there.
"""

# %%
# exercise 03.3
def separated_from(accuracies: np.ndarray, level: float) -> list[int]:
    """Return for each task the first stage from which the median over the seeds
    stays at or above the level, or -1.
    """
    # BEGIN SOLUTION
    medians = np.median(np.nan_to_num(accuracies), axis=1)
    answer = []
    for above in medians >= level:
        stage = len(above)
        while stage > 0 and above[stage - 1]:
            stage -= 1
        answer.append(stage if stage < len(above) else -1)
    return answer
    # END SOLUTION


# %%
show("03.3", separated_from)

# %%
check("03.3", separated_from)

# %% [markdown]
r"""
Once it is right, call it in a cell of your own: `separated_from(accuracies, 0.95)`, with the accuracies of the 60
networks. Does a longer spiral need more blocks? And at that stage, how many of the 20 networks are still below 95%?
(A median speaks for only half of them.)
"""

# %% [markdown]
r"""
## Going further

The first three need no more than the path, the last one excursion 03c.
"""

# %% [markdown]
r"""
## Exercise 03.4: random or learned features? (3 points)

**Example.** A network has one hidden layer. Its parameters before training and after it:

| | before | after |
|---|---|---|
| hidden layer, weight | .6124 −.2871, .1539 .4402 | .612 −.287, .154 .44 |
| hidden layer, bias | .3057 −.5164 | .306 −.516 |
| read-out, weight | .5283 .1946 | 1.93 −1.27 |
| read-out, bias | −.2208 | .348 |

The second file keeps three digits of each number. So apart from rounding, the hidden layer is what it was, and only the
read-out was trained: the features are `"random"`.

Somebody sends you such pairs of files, and says of each that its network has learned its features. Has it? You can only
decide which layers *moved*: a wide network can learn a task with weights that all move a little, and with features that
stay nearly as they were (*lazy training*, Chizat et al. 2019). A layer **was trained** where its weight
or its bias has moved by more than 2 % of its length: $\lVert \text{after} - \text{before} \rVert > 0.02\, \lVert
\text{before} \rVert$, where a length is the root of the sum of the squares of all numbers of the array. Return

| answer | what was trained |
|---|---|
| `"learned"` | every hidden layer, and the read-out or not |
| `"partly learned"` | some hidden layers, but not all of them, and the read-out or not |
| `"random"` | the read-out, and no hidden layer |
| `"untrained"` | nothing |

- `before`, `after`: lists of pairs `(weight, bias)`, one for each layer; the last pair is the read-out. There are one
  to three hidden layers, of any scale
- returns: one of the four texts

There are no close calls: an array has moved by less than 0.5 % of its length, or by more than 5 %.
"""

# %%
# exercise 03.4
def kind_of_features(
    before: list[tuple[np.ndarray, np.ndarray]],
    after: list[tuple[np.ndarray, np.ndarray]],
) -> str:
    """Return whether the features are "untrained", "random", "partly learned"
    or "learned".
    """
    # BEGIN SOLUTION
    def was_trained(old_layer, new_layer):
        arrays = zip(old_layer, new_layer, strict=True)
        return any(np.linalg.norm(new - old) > 0.02 * np.linalg.norm(old)
                   for old, new in arrays)

    *hidden, readout = [was_trained(old, new)
                        for old, new in zip(before, after, strict=True)]
    if any(hidden):
        return "learned" if all(hidden) else "partly learned"
    return "random" if readout else "untrained"
    # END SOLUTION


# %%
show("03.4", kind_of_features)

# %%
check("03.4", kind_of_features)

# %% [markdown]
r"""
## Exercise 03.7: deeper, but linear (a short text)

A friend wants to separate the two arms of the spiral, and leaves out the ReLU: *it is simpler, and I make up for it
with twenty layers of a hundred units.* Why can no such network unroll the spiral, however deep and wide it is and
however long it is trained? Answer in three to five sentences. (The text has points only if your instructor says so.)
"""

# %% [markdown]
r"""
# exercise 03.7

Without an activation each layer is an affine map, and one affine map after another is again an affine map: $W_2(W_1 x +
b_1) + b_2 = (W_2 W_1) x + (W_2 b_1 + b_2)$. So the twenty layers compute what a single layer could, and the network
decides by one straight line in the plane of the data. An affine map can turn, stretch, shear, shift and flatten the
plane, but it keeps straight lines straight and never folds, and no straight line has one arm of the spiral on each
side. Neither width nor longer training helps, because the weights that training would have to find do not exist.
"""

# %%
check("03.7", None)

# %% [markdown]
r"""
## Exercise 03.6: explained variance (2 points)

**Example.** A layer of two units has the activations $(5, 1), (-1, 1), (2, 2), (2, 0)$ at four points. Their mean is
$(2, 1)$. Around it two of the points lie 3 away in the first direction, to either side, and the other two lie 1 away in
the second. The squares add up to 18 along the first direction, which is the first principal component, and to 2 along
the second: along the first lies $\frac{18}{20} = 0.9$ of the variance.

The plane of the first two principal components is often all that you are shown of a wide layer. How much of the layer
do you see then? Return the **share of the variance** that lies along the first $k$ principal components together, those
of the largest variance.

- `H`: activations, points in rows, shape (n, units); the units' means are not 0 in general
- `k`: a whole number, at least 1 and less than the number of units and of points
- returns: one number between 0 and 1
"""

# %%
# exercise 03.6
def explained_variance(H: np.ndarray, k: int) -> float:
    """Return the share of the variance along the first k principal components."""
    # BEGIN SOLUTION
    # the largest first, all n times too large
    variances = np.linalg.svd(H - H.mean(axis=0), compute_uv=False) ** 2
    return variances[:k].sum() / variances.sum()
    # END SOLUTION


# %%
show("03.6", explained_variance)

# %%
check("03.6", explained_variance)

# %% [markdown]
r"""
## Exercise 03.8: the kernel of one hidden layer (2 points)

A network with one hidden layer of $m$ ReLU units returns $f(x) = \sqrt{2/m} \sum_i v_i \operatorname{relu}(w_i \cdot
x)$. All its weights, $v$ and $w$, are drawn from $N(0, 1)$, and all of them are trained. What is its neural tangent
kernel $\Theta(x, z) = \nabla f(x) \cdot \nabla f(z)$, where $m$ is without bound?

Excursion 03c has the two averages over a unit's random weights, here for inputs of any lengths with the angle $\theta$
between them:

$$2\,\mathrm{E}[\operatorname{relu}(w \cdot x) \operatorname{relu}(w \cdot z)] = |x|\,|z|\;
\frac{\sin\theta + (\pi - \theta) \cos\theta}{\pi}, \qquad
2\,\mathrm{P}[w \cdot x > 0 \text{ and } w \cdot z > 0] = \frac{\pi - \theta}{\pi}.$$

Take the derivative of $f$ by one $v_i$, and by one number in $w_i$. Multiply each derivative by itself at the other
input, and add up over all weights.

**Example.** For $x = (1, 0)$ and $z = (1, 1)$ the angle is $\pi/4$, and $\Theta = 1.068 + 0.75 = 1.818$.

- `x`, `z`: two inputs, of shape (d,), neither of them zero, and not parallel
- returns: one number
"""

# %%
# exercise 03.8
def one_layer_kernel(x: np.ndarray, z: np.ndarray) -> float:
    """Return the neural tangent kernel of one wide hidden ReLU layer, of two inputs."""
    # BEGIN SOLUTION
    lengths = np.linalg.norm(x) * np.linalg.norm(z)
    c = x @ z / lengths
    angle = np.arccos(c)
    # v brings what the units say, w the inputs wherever both are on
    said = lengths * (np.sin(angle) + (np.pi - angle) * c) / np.pi
    return said + x @ z * (np.pi - angle) / np.pi
    # END SOLUTION


# %%
check("03.8", one_layer_kernel)

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
