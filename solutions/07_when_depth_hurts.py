# %% [markdown]
r"""
# 07 When depth hurts: exercises

Six exercises belong to the path, 14 points and about 55 minutes, in the order in which it comes to them. Five more go
further, 15 points and about 50 minutes.

Run the set-up cells, write each answer into its function, run its cell, then run the check below it. NumPy is all you
need. You may rename the arguments, but keep the functions' names and the first line of their cells.

Where an exercise says nothing else, four correct digits are enough; compute in float64, as NumPy does by itself. A
number may be Python's, NumPy's or PyTorch's, and a list may as well be a tuple, an array or a tensor. All cases of a
check together have ten seconds; a good answer needs a fraction of one. An **error** is the share of examples that a
network gets wrong, between 0 and 1, unless an exercise says otherwise.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch

from utils.exercises import check, progress, show
from utils.feedback import download
from utils.figures import show_figure, use_style
from utils.lesson_07.networks import digits, plain
from utils.lesson_07.own_runs import error_lines
from utils.training import train

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
generator = torch.Generator().manual_seed(7)
(X, y), _, (X_new, y_new) = digits(generator=generator)

# %% [markdown]
r"""
## Exercise 07.1: which patient is it? (3 points)

Four networks learn digits, in 200 epochs each. Run the cell, and look at the two errors of each of them. Which is
blind, which is slow, and which fits and is still worse than the shallow one, network D? (The letters are not those of
the path.)
"""

# %%
runs = {}
for name, depth, start, lr in [("A", 50, "he", 0.001), ("B", 20, "he", 0.003),
                               ("C", 50, "default", 0.001), ("D", 1, "he", 0.01)]:
    model = plain(depth, start, generator=generator)
    history = train(model, X, y, epochs=200, lr=lr, validation=(X_new, y_new))
    # both before each epoch's step
    runs[name] = 1 - history.accuracy, 1 - history.validation_accuracy[:-1]
show_figure(*error_lines(runs))

# %% [markdown]
r"""
Write the function that makes the diagnosis from such a run. An error **at the end** is the median over the last five
epochs, so that a single epoch that is out of line does not count. Go through these questions in this order:

1. At the end, is the training error larger than 0.9 times that of guessing? Then the network is `"blind"`. (A guess
   among $k$ classes of the same size is right once in $k$ times.)
2. Else, is it larger than 0.01? Then the network is `"slow"`.
3. Else it fits. At the end, is its error on unseen data larger than that of a shallow network by more than 0.01? Then
   it is `"worse"`.
4. Else it is `"healthy"`.

The check gives your function runs of other networks, on other data.

- `training`, `unseen`: two arrays of shape (epochs,), with the error on training data and on unseen data, epoch by
  epoch, for at least eight epochs
- `classes`: the number of classes, all of the same size
- `shallow`: the error on unseen data of a network with one hidden layer that was trained on the same examples
- returns: `"blind"`, `"slow"`, `"worse"` or `"healthy"`

There are no close calls, and every network that is called slow here is still improving. (An error that stands still
above 0.01 would be another patient: too small a network, or too large a rate.)

**Example.** There are 4 classes, and `shallow` is 0.05.

| epoch | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
|---|---|---|---|---|---|---|---|---|
| training | .75 | .40 | .10 | .01 | 0 | 0 | .30 | 0 |
| unseen | .74 | .45 | .20 | .09 | .08 | .09 | .31 | .08 |

At the end the training error is 0, the median of .01, 0, 0, .30 and 0. Guessing would have 0.75. On unseen data the
error is .09, which is larger than .05 by more than .01: the answer is `"worse"`.
"""


# %%
# exercise 07.1
def diagnosis(
    training: np.ndarray, unseen: np.ndarray, classes: int, shallow: float
) -> str:
    """Return "blind", "slow", "worse" or "healthy" from both errors, epoch by
    epoch, and the shallow network's.
    """
    # BEGIN SOLUTION
    fit, error = np.median(training[-5:]), np.median(unseen[-5:])
    if fit > 0.9 * (1 - 1 / classes):
        return "blind"
    if fit > 0.01:
        return "slow"
    return "worse" if error > shallow + 0.01 else "healthy"
    # END SOLUTION


# %%
show("07.1", diagnosis)

# %%
check("07.1", diagnosis)

# %% [markdown]
r"""
Once it is right, read your own experiment: `diagnosis(*runs["A"], 10, shallow)`, where `shallow` is network D's
`np.median(runs["D"][1][-5:])`. Then change a rate, or give network A five times as many epochs. Which diagnosis
changes?
"""

# %% [markdown]
r"""
## Exercise 07.2: the same function, deeper (2 points)

A deeper network can do whatever a shallower one does. He et al. (2016) said why: let the additional layers do nothing.
So if the deeper one is worse on its training data, weights that are as good exist, but training has not found them.
**Write them down for a plain ReLU network, without skips.**

- `weights`: a list of two matrices of shape (outputs, inputs), and `biases`: a list of two arrays. They make a network
  with one hidden layer, in which a ReLU acts behind the first matrix and none behind the second
- `extra`: how many hidden layers to add, 1 or more
- returns: a list of pairs (weight, bias), first layer first, of a ReLU network with `1 + extra` hidden layers. Each of
  them has as many units as the one hidden layer had, a ReLU acts behind each matrix but the last, and for every input
  the outputs are the same as before

Any weights that make the same function will do.

**Example.** The network $|x_1| - 1$ has two inputs and two hidden units:

$$ W_1 = \begin{pmatrix} 1 & 0 \\ -1 & 0 \end{pmatrix}, \; b_1 = \begin{pmatrix} 0 \\ 0 \end{pmatrix}, \quad
W_2 = \begin{pmatrix} 1 & 1 \end{pmatrix}, \; b_2 = \begin{pmatrix} -1 \end{pmatrix} . $$

With `extra = 1` the answer has three pairs, whose weights have the shapes (2, 2), (2, 2) and (1, 2). For the input
$(-3, 5)$ the output is still 2.
"""


# %%
# exercise 07.2
def deepen(
    weights: list[np.ndarray], biases: list[np.ndarray], extra: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the layers (weight, bias) of a plain ReLU network that has
    `extra` more hidden layers and is the same function.
    """
    # BEGIN SOLUTION
    width = len(biases[0])
    same = (np.eye(width), np.zeros(width))  # a ReLU leaves what is not negative as it is
    first, last = zip(weights, biases, strict=True)
    return [first, *[same] * extra, last]
    # END SOLUTION


# %%
check("07.2", deepen)

# %% [markdown]
r"""
Once it is right, ask yourself why it would be wrong to put the extra layers in front of the first one. And would your
weights do for tanh?

<details><summary>Would they?</summary>

The inputs may be negative, and a ReLU would cut them off. What comes out of a ReLU is never negative. Tanh changes
every number but 0, so no weights pass all of them on exactly. But small weights, followed by large ones, come as near
as you like.

</details>
"""

# %% [markdown]
r"""
## Exercise 07.3: how large is the stream? (3 points)

A residual network carries a vector $h$, its stream, from block to block. A block reads it, and adds a branch:

$$ h \leftarrow h + c \, V \, \mathrm{relu}(W h + b) $$

Before training, all numbers in $W$, $V$ and $b$ are independent, normal, and have mean 0. Let $n$ be the length of $h$;
$W$ and $V$ have the shape $(n, n)$. The variance of a weight is `var_w` $/ n$ in $W$ and `var_v` $/ n$ in $V$, and the
standard deviation of a number in $b$ is `sigma_b`. Each block draws its own numbers, and has a factor $c$ of its own.

Measure the stream by its **mean square**, the mean of the squares of the $n$ numbers in $h$. (The size on the path is
the square root of it.) How large is the mean square expected to be behind each block?

Three facts are enough. A number in $W h + b$ has mean 0, and its expected square is the sum of two parts, one from the
weights and one from the bias. Positive and negative numbers are equally frequent in it, so a ReLU halves the mean
square. And since $V$ has mean 0 and is independent of everything else, the branch is neither with the stream nor
against it on average: the mean squares of both add up.

- `q`: the mean square of $h$ in front of the first block, a positive number
- `factors`: an array of shape (blocks,), the factor $c$ of each block in the order in which they act
- `var_w`, `var_v`, `sigma_b`: as above; `sigma_b` may be 0
- returns: a list with the expected mean square of $h$ behind each block

**Example.** $q = 2$, the factors are 0.5 and 1, `var_w` is 2, `var_v` is 1 and `sigma_b` is 2. In the first block the
mean square of $W h + b$ is $2 \cdot 2 + 4 = 8$. The ReLU leaves 4, $V$ keeps it, and the factor makes it $0.25 \cdot 4
= 1$. So the stream has 3 behind the first block. In the second it is $2 \cdot 3 + 4 = 10$, then 5, and the factor 1
leaves it at that. The answer is `[3, 8]`.
"""


# %%
# exercise 07.3
def stream_sizes(
    q: float, factors: np.ndarray, var_w: float, var_v: float, sigma_b: float
) -> list[float]:
    """Return the expected mean square of the stream behind each block."""
    # BEGIN SOLUTION
    sizes = []
    for c in factors:
        q = q + c**2 * var_v * (var_w * q + sigma_b**2) / 2
        sizes.append(q)
    return sizes
    # END SOLUTION


# %%
check("07.3", stream_sizes)

# %% [markdown]
r"""
Once it is right, it is a tool. Take 50 blocks with `var_w` 2 and `var_v` 1, He's weights and weights that keep the
mean square, and no biases: `stream_sizes(1, np.full(50, c), 2, 1, 0)`. How large does the mean square become with
$c = 1$, and how large with $c = 1 / \sqrt{50}$? With which $c$ does it exactly double?

<details><summary>With which one?</summary>

Without biases, each block multiplies the mean square by $1 + c^2 \, \frac12$ `var_w` `var_v`, here by $1 + c^2$. With
$c = 1 / \sqrt{L}$ and $L$ blocks that is $(1 + 1/L)^L$, which is below $e$ for every $L$. It doubles where
$c^2 = 2^{1/L} - 1$.

</details>
"""

# %% [markdown]
r"""
## Exercise 07.4: which of these networks overfits, and what would help? (3 points)

Each of several networks was trained anew on more and more examples: their number was doubled each time. You have its
error on the training examples and on unseen ones for each number of examples, and a goal. Say what would bring the
error on unseen examples to the goal. The **last** errors, at the largest number of examples, decide first:

- If the last error on unseen examples is not above the goal, `"nothing"` is needed.
- Else, if the last error on training examples is above the goal, the network does not fit well enough, and has to `"fit
  better"`: by more steps, another start, a larger network. (More examples would only be more to fit.)
- Else it **overfits**: it fits what it was trained on, and misses the goal on unseen examples. The number of examples
  can be doubled `doublings` more times. Suppose that each doubling multiplies the error on unseen examples by the same
  factor as the last one did. If it ends at the goal or below, `"more data"` would help. Else only `"another network"`
  would: a shallower or a regularised one, or one that is made for the task.

Here are the arguments.

- `training`, `unseen`: two arrays of shape (networks, numbers of examples), with at least three numbers of examples
- `goal`: the error to be reached, and `doublings`: how many times the examples can be doubled beyond the last number
- returns: a list with one of the four texts for each network

There are no close calls.

**Example.** The goal is 0.1, and two more doublings can be had.

| | training errors | unseen errors | |
|---|---|---|---|
| network 0 | .01, .02, .04 | .30, .14, .08 | is below the goal: `"nothing"` |
| network 1 | .10, .15, .17 | .40, .30, .25 | .17 is above the goal: `"fit better"` |
| network 2 | 0, .01, .02 | .50, .32, .16 | the factor is .5, $.16 \cdot .5 \cdot .5 = .04$: `"more data"` |
| network 3 | 0, 0, 0 | .32, .25, .20 | the factor is .8, $.20 \cdot .8 \cdot .8 = .128$: `"another network"` |
"""


# %%
# exercise 07.4
def what_would_help(
    training: np.ndarray, unseen: np.ndarray, goal: float, doublings: int
) -> list[str]:
    """Return for each network "nothing", "fit better", "more data" or
    "another network".
    """
    # BEGIN SOLUTION
    advice = []
    for fit, error in zip(training, unseen, strict=True):
        reached = error[-1] * (error[-1] / error[-2]) ** doublings
        advice.append("nothing" if error[-1] <= goal
                      else "fit better" if fit[-1] > goal
                      else "more data" if reached <= goal else "another network")
    return advice
    # END SOLUTION


# %%
check("07.4", what_would_help)

# %% [markdown]
r"""
Once it is right, think about the last step of it. What would make you doubt that the next doubling brings as much as
the last one did?
"""

# %% [markdown]
r"""
## Exercise 07.5: stop early, with patience (3 points)

Training goes on as long as the loss on validation data improves now and then, and in the end the weights of the last
improvement are taken. More exactly:

- The first epoch, number 0, is the first improvement. A later epoch is an **improvement** if its loss is lower than
  that of the last improvement by more than `min_delta`.
- Training **stops** after the epoch that is the `patience`-th in a row that is no improvement. If that never happens it
  stops after the last epoch.
- The weights that are **kept** are those of the last improvement before training stops.

Return the numbers of two epochs: of the one whose weights are kept, and of the one after which training stops.

- `losses`: an array of shape (epochs,), the validation loss after each epoch, as far as one could train
- `patience`: a whole number, 1 or more; `min_delta`: a number, 0 or more
- returns: a pair (kept, stopped) of whole numbers; epochs are numbered from 0

With `min_delta` 0, losses may be equal: a loss that is no lower is no improvement. Otherwise no loss is so near to the
limit that rounding would matter.

**Example.** The losses are 0.90, 0.70, 0.75, 0.65, 0.66, 0.64, 0.63, 0.50; `patience` is 3 and `min_delta` 0.03. Epochs
1 and 3 are improvements. Epoch 4 is not. Neither are epochs 5 and 6: 0.64 and 0.63 are lower than 0.65, but not by more
than 0.03. That makes three in a row: the answer is `(3, 6)`. Nobody ever sees the 0.50.
"""


# %%
# exercise 07.5
def stop_epoch(losses: np.ndarray, patience: int, min_delta: float) -> tuple[int, int]:
    """Return the epoch whose weights are kept, and that after which training stops."""
    # BEGIN SOLUTION
    kept = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[kept] - min_delta:
            kept = epoch
        if epoch - kept == patience:
            break
    return kept, epoch
    # END SOLUTION


# %%
check("07.5", stop_epoch)

# %% [markdown]
r"""
Once it is right, think of network A in the first exercise, which is slow, and of its loss when it has hardly begun.
What does early stopping with little patience do to a slow patient?
"""

# %% [markdown]
r"""
## Exercise 07.6: a colleague's deep network (a short text)

Your colleague has trained a network of 30 layers and one of 5 layers on the same data, and on unseen data the deep one
is worse. What do you ask for or look at first, what next, and what would you do about each thing that you might find?
Answer in five to eight sentences. (The text has points only if your instructor says so.)
"""

# %% [markdown]
r"""
# exercise 07.6

First I ask for the training error of both networks, because it parts two quite different troubles. If the deep network
is no better than guessing on its training data, it is blind: I would compare the sizes of signal and gradient in the
first and the last layer before training, and mend the initialisation, or put in skips, or start near the identity. If
its training error is falling but still large, it is slow, and nothing can be said yet of how well it generalises: I
would tune the rate for this depth by itself, give it more steps, and start it nearer to the identity. Only if it fits
the training data as well as the shallow one and is still worse on unseen data does it overfit: then I would look at
what more data would bring, stop early, or regularise, each against nothing, on validation data. I would also ask how
the two were compared: was the rate of both tuned on validation data, and over several seeds? And if 5 layers do, 5
layers it is: the deep network has to earn its cost.
"""

# %%
check("07.6", None)

# %% [markdown]
r"""
## Going further

Exercises 07.7 and 07.8 belong to excursion 07a, 07.9 and 07.10 to excursion 07b, and 07.11 to excursion 07c.
"""

# %% [markdown]
r"""
## Exercise 07.7: what a step costs (3 points)

A residual network has a first matrix of shape (width, inputs), then blocks $h \leftarrow h + V \, \mathrm{relu}(W h +
b)$ with two matrices of shape (width, width) each, and a last matrix of shape (outputs, width). There is no other
activation. What does one training step on a batch cost, in FLOPs and in bytes?

**FLOPs.** Only products of matrices count; a multiplication and an addition are two FLOPs. So a matrix of shape ($a$,
$b$) takes $2 \, n \, a \, b$ of them on a batch of $n$. A step has this product on the way forward, and on the way back
one as large for the matrix's own gradient, and another one for the gradient with respect to what goes into the matrix.
Nobody needs the latter for the data, so the first matrix goes without it.

**Bytes.** The gradient of a matrix needs what went into it. So the input of each matrix is kept from the way forward
until the way back: for the first matrix the data, for $W$ the stream, for $V$ what comes out of the ReLU. A number
takes four bytes. Nothing else counts.

**With `recompute`** memory is bought with time. On the way forward, what goes into $V$ is thrown away in every block.
On the way back it is computed again when its block is reached: the product with $W$ is done a second time. So only one
of these inputs of $V$ is in memory at any time. Return the largest number of bytes that are kept at the same time, with
all the other inputs still there.

- `n_in`, `width`, `blocks`, `n_out`: the sizes of the network, with at least two blocks; `batch`: examples in a batch
- `recompute`: `True` or `False`
- returns: a pair of whole numbers, the FLOPs of a step and the bytes

**Example.** 3 inputs, width 10, two blocks, one output, a batch of 5, nothing is computed again. The first matrix takes
$2 \cdot 5 \cdot 30 = 300$ FLOPs, each of the four in the blocks 1,000, and the last one 100. A step takes $2 \cdot 300
+ 3 \cdot 4{,}000 + 3 \cdot 100 = 12{,}900$. For each example 3 numbers of the data, 4 times 10 in front of the blocks'
matrices and 10 in front of the last one are kept: $4 \cdot 5 \cdot 53 = 1{,}060$ bytes. The answer is `(12900, 1060)`.
With `recompute` it would be `(14900, 860)`.

(`utils.models` knows a part of the answer; the check does not let you call it.)
"""


# %%
# exercise 07.7
def flops_and_memory(
    n_in: int, width: int, blocks: int, n_out: int, batch: int, recompute: bool
) -> tuple[int, int]:
    """Return the FLOPs of a training step, and the bytes that are kept
    for the way back.
    """
    # BEGIN SOLUTION
    first, block, last = n_in * width, 2 * width**2, width * n_out
    products = 2 * first + 3 * (blocks * block + last)
    numbers = n_in + (2 * blocks + 1) * width
    if recompute:
        products += blocks * width**2
        numbers -= (blocks - 1) * width
    return 2 * batch * products, 4 * batch * numbers
    # END SOLUTION


# %%
check("07.7", flops_and_memory)

# %% [markdown]
r"""
Once it is right, compare with a plain network of as many matrices: what does a skip cost, by this count? And for many
blocks, which share of the memory does `recompute` save, and by which share does it lengthen a step?

<details><summary>Which?</summary>

By this count a skip costs nothing: it adds two vectors, and no matrix has an input that it would not have had. With
many blocks half of the memory is saved, and each block takes seven products instead of six. PyTorch has it as
`torch.utils.checkpoint`.

</details>
"""

# %% [markdown]
r"""
## Exercise 07.8: how alike are neighbouring gradients? (3 points)

The gradient $f'(x)$ of a network with one input can be taken at every point of a grid. How alike are the gradients at
neighbouring points? Balduzzi et al. (2017) found that in deep plain networks they look like noise. **Measure it, by the
autocorrelation at a distance of `lag` points of the grid.** For one network with the gradients $g_0, \dots, g_{m-1}$,
whose mean over all $m$ points is $\bar g$, it is

$$ r = \frac{\sum_{i=0}^{m-1-\ell} (g_i - \bar g)(g_{i+\ell} - \bar g)}{\sum_{i=0}^{m-1} (g_i - \bar g)^2} ,
\qquad \ell = \texttt{lag} . $$

Take it for each network by itself, and return the mean over the networks.

- `gradients`: an array of shape (networks, points), a row for each network. No row has the same number throughout
- `lag`: a whole number, at least 1 and smaller than the number of points
- returns: a number between −1 and 1

**Example.** There are two networks, and `lag` is 1. The first has the gradients 1, 1, 3, 3. Without their mean these
are −1, −1, 1, 1. The products of neighbours are 1, −1 and 1, and the squares add up to 4, so $r$ is ¼. The second has
0, 4, 0, 4: three products of −4, and 16 for the squares, so $r$ is −¾. The answer is the mean of the two, −0.25.
"""


# %%
# exercise 07.8
def gradient_correlation(gradients: np.ndarray, lag: int) -> float:
    """Return the autocorrelation of the gradients at this lag, a mean over networks."""
    # BEGIN SOLUTION
    g = gradients - gradients.mean(axis=1, keepdims=True)
    above = (g[:, :-lag] * g[:, lag:]).sum(axis=1)
    return np.mean(above / (g**2).sum(axis=1))
    # END SOLUTION


# %%
check("07.8", gradient_correlation)

# %% [markdown]
r"""
Once it is right, take the gradients of your own networks: `plain(depth, n_in=1, n_out=1, generator=generator)` at a few
hundred values of $x$, by `torch.autograd.grad(model(x).sum(), x)`. Biases that are all zero make a network linear on
each side of 0, so draw them as well. How does $r$ change with depth, and what does it do when the grid is made finer?
"""

# %% [markdown]
r"""
## Exercise 07.9: dropout by hand (3 points)

Dropout sets each unit to zero with probability $p$ while a network is trained, anew in each step. What is kept is made
larger, so that each unit is on average what it was; then nothing has to be done about it after training. Write both
passes.

**Forwards.** In training, a unit of an example is dropped where its number in `u` is below $p$, and 0 stands in its
place. Where it is not below $p$, it is kept, and divided by $1 - p$. Outside of training everything passes unchanged.

**Backwards.** `upstream` is the gradient of a loss with respect to what you return, number by number. Return the loss's
gradient with respect to `h` as well.

- `h`: an array of shape ($n$, units); `u`: numbers between 0 and 1, and `upstream`: both of the same shape as `h`
- `p`: the probability, above 0 and below 1; `training`: `True` or `False`
- returns: a pair of arrays, both of the shape of `h`: the output, and the gradient with respect to `h`

**Example.** In training, with $p = 0.2$, `h` is $(1, 2, 3, 4)$, `u` is $(0.1, 0.5, 0.9, 0.3)$ and `upstream` is
$(8, -8, 4, 4)$, a row each. The first unit is dropped, and the others are divided by 0.8. The output is $(0, 2.5, 3.75,
5)$, and the gradient is $(0, -10, 5, 5)$.
"""


# %%
# exercise 07.9
def inverted_dropout(
    h: np.ndarray, u: np.ndarray, p: float, training: bool, upstream: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the output of dropout, and the loss's gradient with respect to h."""
    # BEGIN SOLUTION
    factor = (u >= p) / (1 - p) if training else 1
    return factor * h, factor * upstream
    # END SOLUTION


# %%
check("07.9", inverted_dropout)

# %% [markdown]
r"""
Once it is right, drop half of the units of a thousand copies of one row, and average over the copies. Is it the row
again? And behind a ReLU layer and another matrix, is the average of the network's outputs that of the network without
dropout? What if a second ReLU follows?
"""

# %% [markdown]
r"""
## Exercise 07.10: the shortest fit (3 points)

Fit targets by a weighted sum of features. With fewer features than examples there is one best fit by least squares.
With more of them, many weights fit all examples without any error, and the usual choice is the shortest of these: the
weights whose squares have the smallest sum. Follow the error on new examples through both ranges: **for each number $k$
in `counts`, fit the first $k$ features alone, by least squares, with the shortest weights where several are best.
Return the mean squared error on the new examples.**

- `F`, of shape (examples, features), and `y`, of shape (examples,): what is fitted. There is no constant besides
- `F_new`, `y_new`: new examples, with the same features
- `counts`: a list of numbers of features, from 1 up to all of them, in any order
- returns: a list with the mean squared error on the new examples for each number in `counts`

No number in `counts` is that of the examples, where a fit may depend on rounding. (In the example it may be.)

**Example.** There are two examples, with the features $(1, 1, 1)$ and $(1, -1, 1)$ and the targets 2 and 4. The new
ones have $(2, 0, 0)$ and $(0, 1, 1)$, and the targets 3 and 1.

- With one feature the best weight is 3, the mean of 2 and 4. The new examples get 6 and 0, and the error is
  $\frac12 (9 + 1) = 5$.
- With two, the weights 3 and −1 fit both examples. The new ones get 6 and −1: $\frac12 (9 + 4) = 6.5$.
- With three, the weights of the first and of the third feature only have to add up to 3. They are shortest with 1.5
  each. The new examples get 3 and 0.5, and the error is $\frac12 (0 + 0.25) = 0.125$.

For `counts` `[1, 2, 3]` the answer is `[5, 6.5, 0.125]`.
"""


# %%
# exercise 07.10
def least_norm(
    F: np.ndarray, y: np.ndarray, F_new: np.ndarray, y_new: np.ndarray, counts: list[int]
) -> list[float]:
    """Return the mean squared error on new examples of the shortest least
    squares fit on the first k features, for each k in counts.
    """
    # BEGIN SOLUTION
    errors = []
    for k in counts:
        weights = np.linalg.pinv(F[:, :k]) @ y
        errors.append(np.mean((F_new[:, :k] @ weights - y_new) ** 2))
    return errors
    # END SOLUTION


# %%
check("07.10", least_norm)

# %% [markdown]
r"""
Once it is right, draw 20 examples and 200 features of standard normal numbers, and targets that are a sum of all of the
features, each with a small weight. Plot the error against the number of features, from 1 to 200. What happens at 20?
"""

# %% [markdown]
r"""
## Exercise 07.11: what a unit sees (3 points)

A unit of a convolutional layer reads a square of $k \times k$ places of the layer before it, in all its channels.
Neighbouring places that it reads are `dilation` places of that layer apart (1: they touch), and neighbouring units read
squares that are `stride` places apart. Behind several layers, how large is the square of the image that a unit depends
on, and how many parameters do the layers have?

The side of that square is counted in pixels from its first to its last, both included, whether or not each pixel in
between is read; the border of the image is far away. A layer has a number for each place of its kernel and each
channel that comes in, and all that once for each channel that goes out. Each channel that goes out has one bias.

- `channels`: how many channels the image has
- `layers`: a list with one list `[channels, kernel, stride, dilation]` for each layer, first layer first, where
  `channels` is how many go out
- returns: a pair of whole numbers, the side of the square and the number of parameters

**Example.** The image has one channel, and the layers are `[8, 3, 2, 1]` and `[16, 3, 1, 2]`. A unit of the first layer
sees 3 pixels, and its neighbour the same 2 pixels further on. A unit of the second layer reads three units of the
first, each two apart: their squares begin 4 pixels apart, so from end to end it sees $3 + 4 + 4 = 11$ pixels. The
parameters are $8 \cdot (1 \cdot 9 + 1) + 16 \cdot (8 \cdot 9 + 1) = 1{,}248$. The answer is `(11, 1248)`.
"""


# %%
# exercise 07.11
def receptive_field(channels: int, layers: list[list[int]]) -> tuple[int, int]:
    """Return the side of the square of pixels that a unit of the last layer
    depends on, and the number of parameters.
    """
    # BEGIN SOLUTION
    side, apart, parameters = 1, 1, 0
    for n_out, kernel, stride, dilation in layers:
        side += (kernel - 1) * dilation * apart
        apart *= stride
        parameters += n_out * (channels * kernel**2 + 1)
        channels = n_out
    return side, parameters
    # END SOLUTION


# %%
check("07.11", receptive_field)

# %% [markdown]
r"""
Once it is right, ask how many layers of $3 \times 3$ places and stride 1 it takes until a unit sees a whole digit, $8
\times 8$ pixels. How many if every other layer has stride 2? And which has fewer parameters, two layers of $3 \times 3$
or one of $5 \times 5$, with as many channels everywhere?
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
