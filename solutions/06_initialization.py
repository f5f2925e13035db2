# %% [markdown]
r"""
# 06 Initialization: exercises

Four exercises belong to the path, 9 points and about 55 minutes. They stand in the order in which the path comes to
them, so their numbers are only names. Four more go further, 15 points and about 70 minutes.

Run the set-up cells, write each answer into its function, run its cell, then run the check below it. NumPy is all you
need, and PyTorch if you want its gradients. You may rename the arguments, but keep the functions' names and the first
line of their cells.

Unless an exercise says otherwise, four correct digits are enough. Compute in float64, as NumPy does by itself. A number
may be Python's, NumPy's or PyTorch's, and a list may as well be a tuple, an array or a tensor. All cases of a check
together have ten seconds; a good answer needs a fraction of one.
"""

# %%
# set-up
import numpy as np
import torch

from utils.exercises import check, progress, show
from utils.feedback import download
from utils.figures import show_figure, use_style
from utils.lesson_06.length_runs import deep_lengths, length_lines

use_style()

# %% [markdown]
r"""
## Exercise 06.1: the deviation that keeps the signal (3 points)

An activation is made of two straight lines that meet in 0: it multiplies a negative pre-activation (the lesson's sum
$u$, which goes into a unit) by `left`, and a positive one by `right`. With the slopes 0 and 1 this is ReLU, with 0.1
and 1 a leaky ReLU, with −1 and 1 the absolute value, and with 1 and 1 no activation at all.

**Example.** The slopes are $-0.5$ and $1.5$, and a layer has 80 inputs and 20 outputs. The pre-activations of the layer
before it have the mean square $q$. Half of $q$ comes from the negative ones, half from the positive ones, so behind
the activation the mean square is $\frac12 (0.5^2 + 1.5^2) \, q = 1.25 \, q$. A pre-activation of the layer is a sum of
80 of these values, each times a weight of its own. With the variance $\frac{1}{80 \cdot 1.25} = 0.01$ its mean square
is $q$ again. So the weights' standard deviation is 0.1, which is the answer.

Which standard deviation of the weights keeps the signal? More exactly: the pre-activations that enter the activation
are normal with mean 0 and mean square $q$. The next layer has independent weights with mean 0, and no biases.
**Return the standard deviation of a weight with which the expected mean square of that layer's own pre-activations is
$q$ as well.**

- `left`, `right`: the two slopes, numbers of either sign; `left` may be 0, `right` is not
- `n_in`, `n_out`: how many inputs and outputs the layer has
- returns: the standard deviation, a positive number

(`utils.meanfield` knows the answer; the check does not let you call it.)
"""


# %%
# exercise 06.1
def weight_std(left: float, right: float, n_in: int, n_out: int) -> float:
    """Return the standard deviation of a layer's weights that keeps
    the mean square of the pre-activations.
    """
    # BEGIN SOLUTION
    kept = (left**2 + right**2) / 2  # of the mean square, by the activation
    return 1 / np.sqrt(n_in * kept)
    # END SOLUTION


# %%
check("06.1", weight_std)

# %% [markdown]
r"""
Once it is right, ask it for ReLU, `weight_std(0, 1, n, n)`, and multiply by $\sqrt n$: that is the gain you found with
the slider. What is the gain for a leaky ReLU whose left slope is 0.01, PyTorch's default?
"""

# %% [markdown]
r"""
## Exercise 06.2: the gradient's norm, layer by layer (4 points)

**Example.** A network has two inputs, one hidden layer of two ReLU units, and one output; there are no biases. Its
weights are

$$ W_1 = \begin{pmatrix} 1 & 2 \\ -1 & 2 \end{pmatrix}, \qquad W_2 = \begin{pmatrix} 1 & 2 \end{pmatrix} . $$

The inputs $(1, 0)$ and $(1, 1)$ make the hidden units $(1, 0)$ and $(3, 1)$, and the outputs 1 and 5. The targets are 2
and 4, so the errors are $-1$ and $1$, and the loss is $L = \frac12 \big( (-1)^2 + 1^2 \big) = 1$. Its gradients are

$$ \frac{\partial L}{\partial W_1} = \begin{pmatrix} 0 & 1 \\ 2 & 2 \end{pmatrix}, \qquad
\frac{\partial L}{\partial W_2} = \begin{pmatrix} 2 & 1 \end{pmatrix} , $$

and the norms of these two matrices are $\sqrt{0 + 1 + 4 + 4} = 3$ and $\sqrt{4 + 1} = 2.2361$. The answer is
`[3, 2.2361]`.

Write the function that measures how much of the gradient arrives in each layer: **the norm of the loss's gradient with
respect to each weight matrix**. The norm is the root of the sum of the squares of all entries. The loss is the mean
squared error $L = \frac1n \sum_i (\hat y_i - y_i)^2$ over the $n$ rows of `X`.

- `weights`: a list of matrices of shape (outputs, inputs), in the order in which they act. The last one has one row
- `activation`: `"tanh"` or `"relu"`. It acts after each matrix but the last; there are no biases
- `X`, of shape ($n$, inputs), and `y`, of shape ($n$,): inputs and targets
- returns: a list with a number for each matrix, in the order of `weights`. Each of them needs four correct digits

<details><summary>How do I get the gradients?</summary>

From PyTorch: make each matrix a tensor with `requires_grad=True`, compute $L$ from these tensors, call
`L.backward()`, and find $\partial L / \partial W$ in `W.grad`. (Or by hand, as in exercise 02.3.)

</details>
"""


# %%
# exercise 06.2
def gradient_norms(
    weights: list[np.ndarray], activation: str, X: np.ndarray, y: np.ndarray
) -> list[float]:
    """Return the norm of the mean squared error's gradient with respect to
    each weight matrix, first layer first.
    """
    # BEGIN SOLUTION
    act = torch.tanh if activation == "tanh" else torch.relu
    weights = [torch.tensor(weight, requires_grad=True) for weight in weights]
    signal = torch.as_tensor(X)
    for weight in weights[:-1]:
        signal = act(signal @ weight.T)
    y_hat = (signal @ weights[-1].T)[:, 0]
    loss = ((y_hat - torch.as_tensor(y)) ** 2).mean()
    return [gradient.norm().item() for gradient in torch.autograd.grad(loss, weights)]
    # END SOLUTION


# %%
check("06.2", gradient_norms)

# %% [markdown]
r"""
Once it is right, build a tanh network of 20 layers of 100 units, with weights of standard deviation $g / \sqrt{100}$,
and plot the norms for $g = 0.8$, $1$ and $2$ on a logarithmic axis. Which way do they run?
"""

# %% [markdown]
r"""
## Exercise 06.5: zero, for weights and for biases (a short text)

Someone sets all weights and all biases of a network to zero before training, and it learns nothing. Someone else sets
only the biases to zero, draws the weights at random, and all is well. Why is zero a bad start for weights and a good
one for biases? Answer in four to six sentences. (The text has points only if your instructor says so.)
"""

# %% [markdown]
r"""
# exercise 06.5

Units of a layer that begin with the same weights compute the same numbers and get the same gradient, so each step moves
them alike. They stay alike however long the training goes on, and the whole layer can do no more than a single unit.
Any constant has this flaw, and zero has another one: what enters a layer and what comes back through it are both
multiplied by its weights, so neither signal nor gradient gets past a layer of zeros. Random weights break the symmetry,
and once they have done so the biases need no help: units with different weights get different gradients, and with
these their biases become different as well. A bias that begins at zero also adds nothing to the mean square, so the
gain that was computed from the weights alone stays the right one.
"""

# %%
check("06.5", None)

# %% [markdown]
r"""
## Exercise 06.4: which of these networks will not train? (2 points)

**Example.** Three chains have one unit in each of four hidden layers, and all five weights of a chain are the same: 3
in a ReLU network, 3 in a tanh network, 1 in a ReLU network. The input is 1, the target is 0. At the **first** matrix
the loss's gradient has the norm 39,366 in the first chain, 0.000005 in the second and 2 in the third. So the answer is
`["explodes", "vanishes", "survives"]`. The second chain's output is 2.98, with no sign of trouble: the signal alone
does not tell you.

Here are deep networks that somebody has initialised. Say for each of them what becomes of the gradient on its way back
to the first layer. Let $G$ be **the norm of the gradient of the loss with respect to the first weight matrix**, with
the loss of exercise 06.2, the mean squared error over all rows of `X`.

- If $G < 0.01$, the gradient `"vanishes"`;
- if $G > 100$, it `"explodes"`;
- otherwise it `"survives"`.

- `networks`: a list of pairs. The first of a pair is the activation, `"tanh"` or `"relu"`, the second the list of
  weight matrices, as in exercise 06.2
- `X`, of shape ($n$, inputs), and `y`, of shape ($n$,): the inputs and targets for all of these networks
- returns: a list with one of the three words for each network

There are no close calls: $G$ is below 0.005, or between 0.02 and 50, or above 200. (A network whose gradient survives
need not train well. But if the gradient vanishes, the first layer hears nothing of the loss.)

(Your own `gradient_norms` is welcome.)
"""


# %%
# exercise 06.4
def will_not_train(
    networks: list[tuple[str, list[np.ndarray]]], X: np.ndarray, y: np.ndarray
) -> list[str]:
    """Return for each network whether the gradient at its first layer
    "vanishes", "explodes" or "survives".
    """
    # BEGIN SOLUTION
    verdicts = []
    for activation, weights in networks:
        act = torch.tanh if activation == "tanh" else torch.relu
        first = torch.tensor(weights[0], requires_grad=True)
        signal = torch.as_tensor(X) @ first.T
        for weight in weights[1:]:
            signal = act(signal) @ torch.as_tensor(weight).T
        loss = ((signal[:, 0] - torch.as_tensor(y)) ** 2).mean()
        loss.backward()
        norm = first.grad.norm().item()
        verdicts.append("vanishes" if norm < 0.01
                        else "explodes" if norm > 100 else "survives")
    return verdicts
    # END SOLUTION


# %%
check("06.4", will_not_train)

# %% [markdown]
r"""
## Going further

Exercises 06.3 and 06.7 belong to excursion 06a, 06.6 and 06.8 to excursion 06b.
"""

# %% [markdown]
r"""
## Exercise 06.3: find the gain by experiment (4 points)

Here are deep networks with an activation that you are not told. Run the next cell: at each of nine gains it builds ten
networks of 30 layers of 100 units, sends one input through each of them, and notes the mean square of the
pre-activations in every layer, the **length** of the signal.
"""

# %%
gains = np.linspace(0.8, 1.6, 9)
lengths = deep_lengths(gains, n_seeds=10)
print(lengths.shape)
show_figure(*length_lines(gains, lengths))

# %% [markdown]
r"""
At which gain does the signal neither grow nor shrink? Write the function that reads such an experiment:

1. For each seed and each gain take the **growth per layer**: the natural logarithm of the length in the last layer,
   minus that in layer `skip`, divided by the number of steps between the two. (Layers are counted from 0.)
2. For each gain take the **median** of this growth over the seeds.
3. Somewhere between two neighbouring gains the median passes from below 0 to above 0. Draw a **straight line** through
   these two medians over the **logarithm of the gain**, and return the gain at which it is 0. If the medians are below
   0 at all gains, or above 0 at all gains, the data do not tell: return 0.

The check gives your function experiments of other people.

- `gains`: positive numbers that increase, at least three; `lengths`: positive, of shape (seeds, gains, layers)
- `skip`: how many layers do not count, from 0 to 3, because the signal has not settled there
- returns: the gain, or 0

The medians increase from gain to gain, and none of them is 0.

**Example.** Three seeds, three gains and four layers; `skip` is 1, so the growth is half the logarithm of the last
length over the second one.

| | gain 1 | gain 1.25 | gain 1.5 |
|---|---|---|---|
| seed 0, lengths | 5, 4, 2, 1 | 5, 4, 3, 2 | 5, 4, 4, 8 |
| seed 1, lengths | 5, 4, 3, 2 | 5, 1, 1, 1 | 5, 1, 2, 4 |
| seed 2, lengths | 5, 8, 2, 1 | 5, 4, 2, 1 | 5, 4, 4, 4 |
| growth of the seeds | −0.693, −0.347, −1.040 | −0.347, 0, −0.693 | 0.347, 0.693, 0 |
| median | −0.693 | −0.347 | 0.347 |

Between the gains 1.25 and 1.5 the median passes 0, exactly in the middle. But that is the middle of the logarithms, so
the answer is $\sqrt{1.25 \cdot 1.5} = 1.3693$.
"""


# %%
# exercise 06.3
def gain_from_lengths(gains: np.ndarray, lengths: np.ndarray, skip: int) -> float:
    """Return the gain at which the median growth of the lengths is 0,
    and 0 where it has one sign everywhere.
    """
    # BEGIN SOLUTION
    logs = np.log(lengths[:, :, skip:])
    growth = (logs[:, :, -1] - logs[:, :, 0]) / (logs.shape[2] - 1)
    medians = np.median(growth, axis=0)
    if medians[0] > 0 or medians[-1] < 0:
        return 0.0
    return np.exp(np.interp(0, medians, np.log(gains)))
    # END SOLUTION


# %%
show("06.3", gain_from_lengths)

# %%
check("06.3", gain_from_lengths)

# %% [markdown]
r"""
Once it is right, read your own experiment: `gain_from_lengths(gains, lengths, skip=0)`. The activation was one of two
slopes, `left` −0.6 and `right` 1: which gain does your `weight_std` give for these? Then measure again with
`width=20` and more seeds. Is it the same gain? And with `activation=np.tanh`: what do the lengths do at large gains,
and what is left of the question?
"""

# %% [markdown]
r"""
## Exercise 06.6: an orthogonal matrix (4 points)

**Example.** Make the columns of this matrix perpendicular to each other, each with the length 2:

$$ \begin{pmatrix} 3 & -2 \\ 4 & 4 \\ 0 & 3 \end{pmatrix} $$

The first column has the length 5. Divided by 5 it is $(0.6, 0.8, 0)$. The inner product of the second column with this
is $-1.2 + 3.2 = 2$, so its shadow on the first direction is $2 \cdot (0.6, 0.8, 0) = (1.2, 1.6, 0)$. Without the shadow
$(-3.2, 2.4, 3)$ is left. That has the length 5, and divided by 5 it is $(-0.64, 0.48, 0.6)$. Times the gain 2, the
answer is

$$ \begin{pmatrix} 1.2 & -1.28 \\ 1.6 & 0.96 \\ 0 & 1.2 \end{pmatrix} . $$

These are the steps of Gram and Schmidt. **Take the columns from left to right. From each, take away its shadows on the
columns that you have already made, and divide what is left by its length. Multiply the whole matrix by the gain at the
end.** In a wide matrix, with more columns than rows, the columns cannot all be perpendicular. There, do the same with
the rows, from top to bottom.

- `normal`: an array of shape (rows, columns) with standard normal numbers. It may be tall, wide or square; in a square
  one, take the columns. No column, or row, depends on those before it
- `gain`: a positive number
- returns: an array of the same shape. With $Q$ for this array and $g$ for the gain, $Q^T Q = g^2 I$, or $Q Q^T = g^2 I$
  if it is wide

You need not write a loop. `np.linalg.qr` makes columns perpendicular, too, but it is free to let some of them point the
opposite way, and you would have to turn those round.
"""


# %%
# exercise 06.6
def orthogonal(normal: np.ndarray, gain: float) -> np.ndarray:
    """Return a matrix of this shape with perpendicular columns, or rows
    if it is wide, each as long as the gain.
    """
    # BEGIN SOLUTION
    rows, columns = normal.shape
    if rows < columns:
        return orthogonal(normal.T, gain).T
    Q, R = np.linalg.qr(normal)
    return gain * Q * np.sign(np.diag(R))
    # END SOLUTION


# %%
check("06.6", orthogonal)

# %% [markdown]
r"""
Once it is right, you have written what `torch.nn.init.orthogonal_` does. Now ask `np.linalg.qr` alone about the
smallest matrices there are, $(3)$ and $(-3)$. Which two orthogonal matrices of one number are there, and how often
would it give you each of them?

<details><summary>Why do the signs matter?</summary>

All orthogonal matrices should come up equally often: turning the whole space should make no difference. Turn all
columns of `normal` by the same rotation, and they are still independent standard normal numbers. The steps of Gram and
Schmidt speak only of lengths and inner products, so their result is turned by the same rotation. That is why it has no
favourite direction. The signs that a QR decomposition chooses depend on the coordinates, and with them this argument
breaks down (Mezzadri 2007, *How to generate random matrices from the classical compact groups*).

</details>
"""

# %% [markdown]
r"""
## Exercise 06.7: dead units (3 points)

**Example.** A ReLU network has two inputs, three units in its first hidden layer, two in its second, and one output. It
is given the inputs $(1, 2)$ and $(3, 1)$. Its weights and biases are

$$ W_1 = \begin{pmatrix} 1 & -1 \\ -1 & -1 \\ 1 & 0 \end{pmatrix}, \; b_1 = \begin{pmatrix} 0 \\ 2 \\ -1 \end{pmatrix},
\quad W_2 = \begin{pmatrix} 1 & 0 & -1 \\ -1 & 5 & 0 \end{pmatrix}, \; b_2 = \begin{pmatrix} 0 \\ 1 \end{pmatrix},
\quad W_3 = \begin{pmatrix} 1 & 2 \end{pmatrix}, \; b_3 = \begin{pmatrix} -1 \end{pmatrix} . $$

For the first input, $-1$, $-1$ and $0$ go into the three units, and nothing comes out of any of them. For the second
input it is $2$, $-2$ and $2$. So unit 1 is off both times. Into the second layer go $0$ and $1$ for the first input,
and $0$ and $-1$ for the second. Its unit 0 is off both times as well, because a ReLU also turns 0 into 0. The answer is
`[[1], [0]]`.

A unit is **off** for an input if what goes into its ReLU is 0 or less, so that 0 comes out. It is **dead** if it is off
for every input that is given. Find the dead units of each hidden layer.

- `weights`: a list of matrices, one for each layer in the order in which they act, of shape (outputs, inputs);
  `biases`: a list of arrays, one for each layer. The last layer is the output, and it has no ReLU
- `X`: the inputs, of shape (inputs to look at, inputs of the network)
- returns: a list with one list for each hidden layer. It holds the numbers of the dead units from 0, in increasing
  order, and is empty if no unit is dead

What goes into a unit may be exactly 0 for all inputs, for instance because all its weights are 0. Otherwise, at the
input where it is largest, it is at least 0.01 away from 0, so rounding changes nothing.
"""


# %%
# exercise 06.7
def dead_units(
    weights: list[np.ndarray], biases: list[np.ndarray], X: np.ndarray
) -> list[list[int]]:
    """Return for each hidden layer of a ReLU network the numbers of its units
    that are off for all inputs.
    """
    # BEGIN SOLUTION
    dead = []
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        X = np.maximum(X @ weight.T + bias, 0)
        dead.append(np.flatnonzero(X.max(axis=0) == 0).tolist())
    return dead
    # END SOLUTION


# %%
check("06.7", dead_units)

# %% [markdown]
r"""
Once it is right, think about a dead unit of the first hidden layer. No gradient reaches its weights or its bias, so
gradient descent on these inputs leaves it dead for ever. Is this also true of a dead unit of the second layer?

<details><summary>Is it?</summary>

Not quite. No gradient reaches its own parameters either. But its inputs come out of the first layer, and that layer can
still learn. As its outputs change, the unit may come back to life.

</details>
"""

# %% [markdown]
r"""
## Exercise 06.8: the scale of residual branches (4 points)

**Example.** A residual network has two blocks with two branches each. The branches are normalised, and their outputs
have the variances 1 and 3 in the first block, and 0.5 and 0.5 in the second. Together that is 5. At the end, the
variance of the stream should be 2.25 times what it was in the beginning, so it has to gain 1.25, a quarter of 5. If
each branch is multiplied by $s = \frac12$, its variance is multiplied by $\frac14$. The answer is 0.5.

The stream of a residual network begins with the variance 1 and passes through $N$ blocks. Each block adds two branches
to it, **one after the other**, so the second branch already reads what the first has added:

$$ x \leftarrow x + s \, f(x) $$

All $2N$ branches have the same scale $s > 0$. (In excursion 06b, $N$ counted the branches; here it counts blocks, so
there are $2N$ branches.) Suppose that what a branch adds is uncorrelated with the stream, so that the variances add up.
There are two kinds of networks. With $v$ for the number that `variances` holds for a branch,

- if the branches are **normalised**, the variance of $f(x)$ is $v$, whatever the variance of $x$;
- if they are **not**, the variance of $f(x)$ is $v$ times the variance that $x$ has there.

Find the $s$ with which the variance at the end is `growth` times the variance in the beginning.

- `variances`: an array of shape (blocks, 2), all of its numbers positive, in the order in which the branches act
- `normalised`: `True` if all branches are normalised, `False` if none is
- `growth`: a number larger than 1
- returns: the scale $s$, a positive number, which may be larger than 1

**Another example.** The same four branches are not normalised, and the variance is to grow 2.768555 times. Then $s$ is
0.5 again, because $1.25 \cdot 1.75 \cdot 1.125 \cdot 1.125 = 2.768555$.

<details><summary>How do I solve this when the branches are not normalised?</summary>

The variance at the end grows with $s$. So look for the answer by halving: begin with an interval that contains it,
compute the variance for the $s$ in its middle, and keep the half in which the answer lies. Each step gains a binary
digit.

</details>
"""


# %%
# exercise 06.8
def residual_scale(variances: np.ndarray, normalised: bool, growth: float) -> float:
    """Return the scale of all branches with which the variance of the stream
    becomes so many times as large.
    """
    # BEGIN SOLUTION
    # a product is at least as large as the sum
    low, high = 0, np.sqrt((growth - 1) / variances.sum())
    if normalised:
        return high
    for _ in range(50):
        s = (low + high) / 2
        if np.prod(1 + s**2 * variances) < growth:
            low = s
        else:
            high = s
    return s
    # END SOLUTION


# %%
check("06.8", residual_scale)

# %% [markdown]
r"""
Once it is right, ask it about a normalised network of $N$ blocks in which all branches have the variance 1, and let the
variance double. You know this number: it is the $1 / \sqrt{2N}$ of GPT-style networks. How much larger would the
variance become with the same scale if the branches were not normalised and $N$ were very large?
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
