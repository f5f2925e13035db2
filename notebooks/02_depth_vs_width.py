# %% [markdown]
r"""
# 02 Depth versus width: two ways to spend parameters

Lesson 01 ended with one hidden layer that can come as close as you like to a continuous function on a closed, bounded
set, if it is wide enough. But units cost: memory, arithmetic, time. **Given a budget, should you spend it on width or
on depth?**

**After this lesson you can**

- count the parameters and the arithmetic of a network from its sizes, and find the width that spends a budget;
- say what depth costs when the parameters are equal, in time and in memory, and why;
- tell a task that needs width, because a narrow layer loses rank, from one that needs depth;
- write down a function that depth makes cheap, and prove what a shallow network has to pay for it;
- compare two shapes fairly: say what is held equal, tune both sides alike, and see how the answer depends on it.

**You need** lesson 01, or: what a hidden layer computes, what held-out data are for, and to have trained a small
classifier in PyTorch once. **Time:** about three hours, and four and a half with all that is marked *optional*. The
exercises take about two and a half hours more.

**Depth** is the number of hidden layers, **width** the number of units in one of them. As in lesson 01, what carries a
conclusion is *proved* on this page, or a **claim**: a sentence with a name, the number of seeds behind it, an interval
of 95 %, and what would refute it: an interval of 99.9 % that lies outside of what is claimed. (Of a hundred true claims
a few would be refuted at 95 %, by chance.) The rest are single examples, and say so. `make claims` measures all claims
again.
"""

# %%
# set-up
from functools import partial

import numpy as np
import torch
from ipywidgets import Dropdown
from torch.utils.flop_counter import FlopCounterMode

from utils.claims import recorded, show_claim
from utils.comparison import tune_and_compare
from utils.constructions import relu_interpolant, sawtooth_network
from utils.data import diagonal_flip
from utils.downloads import load_download
from utils.figures import show_figure, use_style
from utils.keeping import feedback
from utils.lesson_02 import (
    cost_figures,
    digits,
    digits_figures,
    explorers,
    explorers_figures,
    fair,
    fair_figures,
    flip,
    flip_figures,
    sawtooth,
    sawtooth_figures,
)
from utils.lesson_02.cost import BATCH, here_or_recorded, measure_cost, sizes_for
from utils.lesson_02.cost import step as step_times
from utils.lesson_02.digits import chosen, grid
from utils.lesson_02.fair import spiral, spiral_rate
from utils.lesson_02.flip import flipped
from utils.lesson_02.sawtooth import NARROW, missed
from utils.live_training import live_training
from utils.models import convnet, count_flops, count_parameters, feed_forward, mlp, mlp_flops, mlp_parameters
from utils.predictions import predict, reveal
from utils.statistics import median, proportion
from utils.training import train_ensemble
from utils.widgets import live_figure

use_style()
SEED = 0


def seeded(seed):
    """A generator of our own: nothing here touches PyTorch's global one."""
    return torch.Generator().manual_seed(seed)

# %% [markdown]
r"""
## 1 Predict first

A network has 2 inputs, 2 outputs and at most 1,000 parameters. With one hidden layer that buys 199 units. **With two
hidden layers of the same width, how many units are there in each?** Commit to an answer before you calculate.
"""

# %%
predict("02.narrower", ["about 140: the width is divided by the square root of two", "about 100: it is halved",
                        "about 50: a quarter", "about 30: a seventh"])

# %% [markdown]
r"""
## 2 What a network costs

### Parameters

A **parameter** is a number that training sets: a weight or a bias. A layer with $n_\text{in}$ inputs and
$n_\text{out}$ outputs has a weight for each pair, and a bias for each output:

$$ n_\text{in} \, n_\text{out} + n_\text{out} = (n_\text{in} + 1) \, n_\text{out} . $$

The inputs have no biases: nothing is computed there. The network's number is the sum over its layers. We write a
network as its sizes, the inputs first and the outputs last: $4 \to 8 \to 8 \to 4$ has two hidden layers of width 8.
"""

# %%
sizes = [4, 8, 8, 4]
for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True):
    print(f"{n_in} → {n_out}: {n_in} · {n_out} weights + {n_out} biases = {(n_in + 1) * n_out}")
print(f"in all {mlp_parameters(sizes)}; PyTorch holds {count_parameters(mlp(sizes, generator=seeded(SEED)))}")

# %% [markdown]
r"""
(A book chapter counts 140: that is what one gets who forgets the biases of one hidden layer.)
"""

# %% [markdown]
r"""
### See where the parameters are

Between two hidden layers of width $n$ there are $n \cdot n + n$ parameters, between one input and the first hidden
layer only $1 \cdot n + n$. So a network that looks small can be the larger one. **Three layers of 4 units, or one
layer of 8: which has more parameters?** Count on paper, then look.
"""

# %%
shapes = {"three layers of 4": [1, 4, 4, 4, 1], "one layer of 8": [1, 8, 1], "one layer of 17": [1, 17, 1]}
panels = []
for name, sizes in shapes.items():
    network = explorers.drawn_network(sizes, "relu")
    weights = [layer.weight.detach().numpy() for layer in explorers.linear_layers(network)]
    panels.append((f"{name}: {count_parameters(network)}", weights))

show_figure(explorers_figures.networks(panels), """Three networks with one input and one output, drawn as columns of
circles joined by lines, one line for each weight: solid and blue for positive weights, dashed and orange for negative
ones, thicker for larger ones. Three layers of 4 units have 8 + 20 + 20 + 5 = 53 parameters, most of them between the
hidden layers. One layer of 8 units has 16 + 9 = 25. One layer of 17 units has 34 + 18 = 52, nearly as many as
the first.""")

# %% [markdown]
r"""
Width 4 and depth 3 has more than twice as many parameters as width 8 and depth 1: 53 against 25. One hidden layer
between one input and one output has $3N + 1$, so that 17 units are what 53 parameters pay for.

**Try it.** Set the units of each hidden layer; 0 takes the layer away. The weights are drawn at random, nothing is
trained. Press ▶ or move *layers computed*: each layer gets its numbers from those of the layer before, and the
sentence below the picture works out its first unit. Blue circles hold positive numbers, orange ones negative numbers;
with ReLU many hold 0. The graph on the right is what the whole network computes, for every input.
"""

# %%
live_figure(explorers.forward_pass, **explorers.architecture_controls())

# %% [markdown]
r"""
- Which shape with four equal layers has as many parameters as one layer of 8?
- Move the input $x$ and watch a circle go from 0 to a positive number. That is where the graph on the right may bend.
- Choose tanh. What changes in the circles, what in the graph?
"""

# %% [markdown]
r"""
### The width that spends a budget

Let all $D$ hidden layers have the same width $w$. The first layer has $(n_\text{in} + 1) w$ parameters, each of the
$D - 1$ layers between hidden ones $(w + 1) w$, the last $(w + 1) n_\text{out}$. Together

$$ P(w) = (D - 1) \, w^2 + (n_\text{in} + n_\text{out} + D) \, w + n_\text{out} . $$

To spend a budget $B$, solve $P(w) = B$ and round down, since a width is a whole number. For $D = 1$ the square is
missing: $w = (B - n_\text{out}) / (n_\text{in} + n_\text{out} + 1)$. For $D \ge 2$, with $b = n_\text{in} +
n_\text{out} + D$,

$$ w = \frac{-b + \sqrt{b^2 + 4 (D - 1) (B - n_\text{out})}}{2 (D - 1)} . $$

`sizes_for` does that (exercise 02.2 asks you to). For the network of the prediction:
"""

# %%
for depth in (1, 2, 4, 8, 16):
    sizes = sizes_for(1000, depth, n_in=2, n_out=2)
    width = sizes[1]
    print(f"{depth:2} hidden layers: width {width:3}, {depth * width:3} units, {mlp_parameters(sizes)} parameters")
ratio = sizes_for(1000, 1, 2, 2)[1] / sizes_for(1000, 2, 2, 2)[1]
reveal("02.narrower", f"{sizes_for(1000, 2, 2, 2)[1]}, the width is divided by {ratio:.1f}", right=4)

# %% [markdown]
r"""
**The second hidden layer is the expensive one.** With one hidden layer the number of parameters grows in proportion to
the width, since inputs and outputs are few. With two, every hidden unit is joined to every unit of the other layer: it
grows with the square.

**From then on depth is cheap.** For $D \ge 2$ all terms of $P$ are positive, so $(D - 1) w^2 \le B$: the width is at
most $\sqrt{B / (D - 1)}$, and close to it where the square is most of the bill. Doubling the depth from $D$ to $2D$
divides that by $\sqrt{(2D - 1)/(D - 1)}$: by {{= math.sqrt(3)}} from 2 layers to 4, by
{{= math.sqrt(15 / 7)}} from 8 to 16, and in the end by $\sqrt 2
\approx 1.41$. Twice as many layers, and each more than half as wide: the deeper network has **more** hidden units for
the same money, with many layers about $\sqrt{B D}$. (Half as wide would not use up the budget: the parameters of $D$
layers of width $w$ minus those of $2D$ layers of width $w/2$ are $\frac{2D - 3}{4} w^2 + \frac{n_\text{in} +
n_\text{out}}{2} w$, which is positive for $D \ge 2$. Rounding to whole widths can spoil that where widths are tiny.)

The figure has 64 inputs and 10 outputs, like the images further down.
"""

# %%
show_figure(cost_figures.shapes_for_a_budget(), """Two log-log plots against 1, 2, 4, 8 and 16 hidden layers, for
20,000 and for 1,000,000 parameters. Left, the width: it falls steeply from one layer to two and then slowly; from two
layers on the points for a million lie on the dotted line of the square root law, those for 20,000 below it. Right, all
hidden units together: after the fall from one layer to two they rise with depth.""")

# %% [markdown]
r"""
### Arithmetic

The other budget is arithmetic. The usual unit is the **FLOP**, a floating-point operation: one addition or one
multiplication. Say what you count. Here:

- *Forward*, for one example: a layer multiplies each weight by an input and adds it to a sum, 2 FLOPs a weight: $2 \,
  n_\text{in} \, n_\text{out}$.
- *Backward*: each layer computes how the loss changes with its weights, the same number of FLOPs again, and how it
  changes with its inputs, which is as much once more. The first layer is spared the latter: nobody asks for a gradient
  of the data.
- *Not counted*: biases, activations, the loss (they grow with the number of units, not with its square), and the
  optimiser, which works once a step however many examples there are in a batch.

So a training step costs three times the forward pass, less the first layer once. PyTorch has a counter of its own:
"""

# %%
sizes = sizes_for(20_000, 4)
model, X = mlp(sizes, generator=seeded(SEED)), torch.zeros(BATCH, sizes[0])
with FlopCounterMode(display=False) as forward:
    y_hat = model(X)
with FlopCounterMode(display=False) as backward:
    y_hat.sum().backward()
print(f"forward: our formula {BATCH * mlp_flops(sizes).forward:,}, PyTorch {forward.get_total_flops():,}")
counted = forward.get_total_flops() + backward.get_total_flops()
print(f"forward and backward: {BATCH * mlp_flops(sizes).step:,}, PyTorch {counted:,}")

# %% [markdown]
r"""
In a fully connected network each weight is used once for an example: about 2 FLOPs a parameter forward, and up to 6 in
a training step. **Equal parameters are then nearly equal arithmetic**, but not quite: the first layer is the cheap one,
and a shallow network spends more of its parameters there. In a convolution the same weight is used at every place of
the image, and the two budgets are no longer the same thing at all.
"""

# %%
for depth in (1, 2, 4, 8, 16):
    sizes = sizes_for(20_000, depth)
    per_parameter = mlp_flops(sizes).step / mlp_parameters(sizes)
    print(f"{depth:2} hidden layers of {sizes[1]:3}: {per_parameter:.2f} FLOPs a parameter and step")
image_net = convnet((1, 8, 8), channels=8, depth=2, n_out=10, generator=seeded(SEED))
per_parameter = count_flops(image_net, torch.zeros(1, 64)).step / count_parameters(image_net)
print(f"two convolutional layers on 8×8 pixels: {per_parameter:.0f} FLOPs a parameter and step")

# %% [markdown]
r"""
### Optional: the same in a transformer

In a transformer, embeddings aside, about two thirds of the weights are in networks like ours. Each block holds a
**feed-forward network** with one hidden layer, $d \to 4d \to d$. It has $2 \cdot 4 d^2$ weights and $4d + d$ biases: $8
d^2 + 5 d$. (Attention has four matrices of $d \times d$: that is the other third.)

Many newer models use **SwiGLU** instead (Shazeer 2020): two matrices lead to the hidden layer, one of them a gate,
$(\operatorname{swish}(x W) \odot x V) \, W_2$ with $\operatorname{swish}(z) = z / (1 + e^{-z})$, where $\odot$
multiplies unit by unit. That makes three matrices. For the same number of weights the hidden layer shrinks to two
thirds, $\frac83 d$: $3 \cdot \frac83 d^2 = 8 d^2$, here without biases.
"""

# %%
d = 768
plain = feed_forward(d, generator=seeded(SEED))
gated = feed_forward(d, gated=True, bias=False, generator=seeded(SEED))
print(f"d = {d}: plain {count_parameters(plain):,} = 8d² + 5d = {8 * d**2 + 5 * d:,}")
print(f"SwiGLU, hidden {gated[-1].in_features:,}: {count_parameters(gated):,} = 8d² = {8 * d**2:,}")
d = 4096
print(f"d = {d:,}: plain {8 * d**2 + 5 * d:,}; SwiGLU with a hidden layer of 11,008: {3 * d * 11_008:,}")

# %% [markdown]
r"""
11,008 is the hidden width in the smallest of the first LLaMA models: $\frac83 \cdot 4096$, rounded up to a multiple of
256. ("Over 67
million for $4096 \to 16384 \to 4096$", as one reads, is one of the two matrices.)

Depth against width is the same trade here. A block of a transformer has about $12 d^2$ weights, $L$ blocks $12 L d^2$.
At the same number of parameters, four times as many blocks means half the width.
"""

# %%
feedback("02.counting")

# %% [markdown]
r"""
## 3 The diagonal flip: what a narrow layer loses

A task small enough to know everything about. The input is a 2×2 image of zeros and ones, read row by row as four
numbers $(a, b, c, d)$. The wanted output is the image mirrored in its diagonal: $(a, c, b, d)$. There are sixteen
such images, and we train on all of them.

How many hidden units does a network need for it? In tutorials this task shows how more units "make more regions", and
the evidence is one run for each width. We build the network from nothing, look at more than one run, and then prove
what is going on.
"""

# %%
X, Y = (part.double().numpy() for part in diagonal_flip())
swap = np.eye(4)[[0, 2, 1, 3]]  # the identity with two rows swapped
print(X[5].reshape(2, 2), "becomes", Y[5].reshape(2, 2), sep="\n")
print("this matrix does it for all sixteen:", np.array_equal(X @ swap.T, Y))

# %% [markdown]
r"""
Keep that in mind: **the flip is a linear map**. One matrix does it, without a hidden layer, a bend or a region.

### From scratch

One hidden layer of $r$ units. With the images in the rows of $X$ (16 × 4):

$$ Z = X W_1^\top + b_1, \qquad H = \operatorname{ReLU}(Z), \qquad \hat Y = H W_2^\top + b_2 . $$

The loss is **half of the mean squared error**, the mean taken over the sixteen images *and* the four outputs:
$\ell = \frac12 \cdot \frac{1}{64} \sum_{i,j} (\hat Y_{ij} - Y_{ij})^2$, for short half-MSE. (With the sum over the
outputs instead of the mean, all losses below would be four times as large.)

**Backward**, from the end to the beginning, each line one application of the chain rule. Write $\delta \hat Y$ for the
matrix of derivatives of $\ell$ with respect to the entries of $\hat Y$, and so on.

- $\delta \hat Y = (\hat Y - Y) / 64$: the square brings a 2, the half takes it away.
- $\delta W_2 = (\delta \hat Y)^\top H$, and $\delta b_2$ is the sum of the rows of $\delta \hat Y$: each weight acts on
  every image, so its derivative is a sum over them.
- $\delta H = \delta \hat Y\, W_2$. Forward went through $W_2^\top$, backward goes through $W_2$.
- $\delta Z$ is $\delta H$ where $Z > 0$ and 0 elsewhere: the derivative of ReLU is 1 or 0. (At $Z = 0$ it has none; 0
  is taken, as PyTorch does.)
- $\delta W_1 = (\delta Z)^\top X$, and $\delta b_1$ is the sum of the rows of $\delta Z$.
"""

# %%
def forward(parameters, X):
    W1, b1, W2, b2 = parameters
    Z = X @ W1.T + b1
    H = np.maximum(Z, 0)
    return Z, H, H @ W2.T + b2


def backward(parameters, X, Y):
    Z, H, Y_hat = forward(parameters, X)
    dY = (Y_hat - Y) / Y.size
    dZ = (dY @ parameters[2]) * (Z > 0)
    return [dZ.T @ X, dZ.sum(axis=0), dY.T @ H, dY.sum(axis=0)]

# %% [markdown]
r"""
A backward pass with a slip often still trains, only worse. So check it against one that was not written by us:
PyTorch's **autograd**, which keeps a record of the forward pass and applies the chain rule by itself.
"""

# %%
def drawn(width, rng):
    """Weights with variance 2 / inputs (He et al. 2015), zero biases."""
    W1, W2 = rng.normal(size=(width, 4)) / np.sqrt(2), rng.normal(size=(4, width)) * np.sqrt(2 / width)
    return [W1, np.zeros(width), W2, np.zeros(4)]


parameters = [p + 0.1 for p in drawn(3, np.random.default_rng(SEED))]  # biases that are not 0, either
W1, b1, W2, b2 = tensors = [torch.tensor(p, requires_grad=True) for p in parameters]
Y_hat = torch.relu(torch.tensor(X) @ W1.T + b1) @ W2.T + b2
((Y_hat - torch.tensor(Y)) ** 2).mean().div(2).backward()
ours = backward(parameters, X, Y)
largest = max(np.abs(t.grad.numpy() - g).max() for t, g in zip(tensors, ours, strict=True))
print(f"{sum(g.size for g in ours)} derivatives; do all agree to 12 digits after the point? {largest < 1e-12}")

# %% [markdown]
r"""
Ours is right, to rounding. Now train **four** hidden units, six times from different random weights: plain gradient
descent, 1,500 steps, one rate, not tuned.
"""

# %%
losses = {}
for seed in range(6):
    parameters = drawn(4, np.random.default_rng(seed))
    losses[f"start {seed}"] = []
    for _ in range(1500):
        error = forward(parameters, X)[2] - Y
        losses[f"start {seed}"].append(np.square(error).mean() / 2)
        steps = backward(parameters, X, Y)
        parameters = [p - 0.5 * step for p, step in zip(parameters, steps, strict=True)]
print("times 32, at the end:", ", ".join(f"{32 * values[-1]:.2f}" for values in losses.values()))
show_figure(flip_figures.losses_by_step(losses), """The half mean squared error of the same network from six random
starts, against 1,500 steps of gradient descent; dotted lines mark 1/32, 2/32 and 3/32. All fall at first. One goes on
to zero, the others become flat on a dotted line: one on 1/32, three on 2/32, one on 3/32.""")

# %% [markdown]
r"""
One start of the six solves the task. The others do not end just anywhere: they stop **at multiples of 1/32**. Whoever
shows one run may show any of these. What are these levels?

Before we prove it, commit to something. We will train networks with *three* hidden units from many starts; then the
same without any activation, three linear units. **What does taking the ReLU away do to their mean half-MSE?**
"""

# %%
predict("02.flip-activation", ["it rises: the network is only linear now", "about the same", "it falls"])

# %% [markdown]
r"""
### The rank floor

In plain words: the outputs are an affine map (linear, plus a constant) of the last hidden layer. However clever the
layers before it are, $r$ units hand over only $r$ numbers for each image. If the four pixels wanted vary independently
and equally, then with $r$ numbers one can get $r$ of them right, and has to give up on the rest.

**Proposition.** Let a network's last hidden layer have $r$ units, and let its output layer be affine. On a finite set
of inputs, each counted once, let the $m \ge r$ targets have the same variance $v > 0$ and be uncorrelated in pairs.
Then half of its mean squared error over inputs and outputs is at least $\dfrac{v\,(m - r)}{2m}$.

For the flip $m = 4$, and each pixel is 1 in eight images of sixteen: $v = \frac14$. Two different pixels take all four
pairs of values equally often, so they are uncorrelated. The floor is $\dfrac{4 - r}{32}$: **0.0625, 0.03125 and 0 for
2, 3 and 4 units**, and 0 for more. Nothing is assumed of the activation, of the layers before, or of training: ReLU or
not, deep or not.

*Optional: the proof (Bessel's inequality).* Write $\langle f, g \rangle$ for the mean of $f g$ over the inputs. Output
$j$ is $\hat y_j = c_j + \sum_k V_{jk} h_k$, where the units $h_1, \dots, h_r$ are functions of the input, *any*
functions. So all outputs lie in the space $S$ that is spanned by $1, h_1, \dots, h_r$. Choose an orthonormal basis $e_0
= 1, e_1, \dots, e_s$ of $S$; then $s \le r$. The scaled targets $t_j = (y_j - \bar y_j) / \sqrt v$ are orthonormal, by
the hypothesis on their variances and correlations, and orthogonal to $e_0$. Nothing in $S$ is closer to $y_j$ than its
projection:

$$ \langle \hat y_j - y_j, \hat y_j - y_j \rangle \;\ge\;
   v \Bigl( 1 - \sum_{k=1}^{s} \langle t_j, e_k \rangle^2 \Bigr) . $$

Add this up over $j$ and swap the sums. For each $k$, Bessel's inequality says that
$\sum_j \langle t_j, e_k \rangle^2 \le \langle e_k, e_k \rangle = 1$. What is left is at least
$v (m - s) \ge v (m - r)$; divide by $2m$. ∎

**It is reached:** let unit $k$ copy pixel $k$ (pixels are not negative, so $\operatorname{ReLU}(x_k) = x_k$), for $r$
of the four; the outputs that need another pixel say $\frac12$. And where it is reached, with $r \le 4$, Bessel's
inequality holds with equality, so each $e_k$ is a combination of the $t_j$, and each $\hat y_j$ is the projection of
$y_j$ to $S$. The $t_j$ are affine in the pixels: **at the floor a ReLU network is an affine map, on these sixteen
images.**

*The same by singular values* (exercise 02.4 computes such a floor). On the sixteen inputs the outputs are a matrix
$\hat Y = \mathbf{1} c^\top + H V^\top$. Taking each column's mean away from $\hat Y - Y$ makes the sum of its squares
smaller or leaves it. Afterwards $\hat Y$ is a matrix of rank at most $r$, and the centred targets $Y_c$ are at least
$\sum_{k > r} \sigma_k^2$ away from every such matrix, in the sum of squares, where $\sigma_1 \ge \sigma_2 \ge \dots$
are the singular values of $Y_c$ (Eckart & Young 1936). This needs no hypothesis on variances. A *linear* network
multiplies matrices, so there the rank is at most the width of its narrowest layer, **wherever** that is.
"""

# %%
print("singular values of the centred targets:", np.linalg.svd(Y - Y.mean(axis=0), compute_uv=False))
print("floors:", {width: flip.flip_floor(width) for width in range(5)})

# %% [markdown]
r"""
All four are 2, and $\frac{1}{128} (4 - r) \cdot 2^2 = \frac{4 - r}{32}$. What a narrow layer loses is **rank**: $r$
units carry $r$ numbers for each image, and four that vary independently are wanted.

### Measured

Now in PyTorch, with the course's engine: widths 2, 3, 4, 8 and 16; ReLU, leaky ReLU (slope 0.01 instead of 0 where
$z < 0$), and no activation. Each takes 1,000 steps of Adam on all images, with a one-cycle schedule: the rate rises to
the one that is tried, and falls to nearly 0. Networks of one
width have the same parameters and cost the same to train, up to the activation itself; wider ones cost more of both,
since the width is what we vary.

Six rates are tried, from 0.001 to 0.3. There is no validation set, since there are no other images. So the rate is
chosen with 100 starts, by their mean, and what is reported comes from 100 *other* starts. These are
{{= 2 * 100 * len(flip.ACTIVATIONS) * len(flip.WIDTHS) * len(flip.RATES)}} networks; they are recorded.
(`flip.measure_widths(seeds=range(12))` measures them again with fewer starts, in some seconds to a minute.)
"""

# %%
data = recorded("02_flip_widths")
for width in flip.WIDTHS:
    sizes = [4, width, 4]
    training = 1000 * 16 * mlp_flops(sizes).step
    print(f"{width} units: {mlp_parameters(sizes)} parameters, {training / 1e6:.1f} MFLOP for 1,000 steps")
show_figure(flip_figures.errors_by_width(data), """The half mean squared error against 2, 3, 4, 8 and 16 hidden units,
with a dot for each of 100 starts, the median and its interval, and a dashed line at the floor. Without activation all
dots lie on the floors, at 2/32, 1/32 and 0, and so do nearly all of leaky ReLU. For two, three and four units ReLU dots
lie on the floors and also one or more steps of 1/32 above, up to 4/32, hardly any in between; with eight and sixteen
units they are at zero.""")

# %%
relu, linear = (flipped(data, activation, 3).mean() for activation in ("relu", "identity"))
means = f"mean half-MSE with ReLU {relu:.4f}, without {linear:.4f}"
reveal("02.flip-activation", means, right=3 if linear < relu else 2)
show_claim("02.flip-linear")
show_claim("02.flip-relu-three")
show_claim("02.flip-relu-four")
by_rate = 32 * data["chosen"].sel(activation="relu", width=4).mean("seed")
print("four ReLU units, mean by rate, in 1/32:", {float(one["rate"]): round(float(one), 2) for one in by_rate})

# %% [markdown]
r"""
The rate matters little here, once it is not too small. (Of rates whose means differ by less than 0.01/32 the middle one
was taken: without activations several reach the floor.)

The linear networks come down to the floor at every width. The ReLU networks, which can do all that the linear ones can
on these images, do worse with two, three and four units. With three and four the median says little: the errors lie on
separate levels, and the share of starts on each is what to look at.

**Why the levels?** A ReLU unit that has the same value for all sixteen images, in practice 0, is **dead**: it carries
nothing. (Where it is 0 for all images, no gradient reaches it either.) A layer of four with one dead unit is a layer of
three.
"""

# %%
show_claim("02.flip-alive")
born = flip.constant_units(mlp([4, 10_000, 4], generator=seeded(SEED)), *diagonal_flip()) / 10_000
dead = {width: flipped(data, "relu", width, "dead").mean() / width for width in flip.WIDTHS}
print(f"share of dead units before training: {born:.2f}; after it, by width:",
      ", ".join(f"{width}: {share:.2f}" for width, share in dead.items()))
show_claim("02.flip-leaky")
show_claim("02.flip-spare")

# %% [markdown]
r"""
So here is what width bought. Up to four units: rank, by proof. Beyond four: **spares** for units that die. A leak, or
no activation at all, does without the spares.

### What two units make of the images
"""

# %%
models = {}
for width in (2, 3, 4):
    starts = [mlp([4, width, 4], generator=seeded(seed)) for seed in range(10)]
    histories = train_ensemble(starts, *diagonal_flip(), epochs=1500, lr=0.03, progress=False)
    best = starts[np.argmin([history.loss[-1] for history in histories])]
    models[f"{width} units, {32 * flip.half_mse(best, *diagonal_flip()):.2f}/32"] = best
show_figure(flip_figures.images(models), """Five rows of sixteen 2×2 images, black for 1, white for 0, grey between: the
images, what is wanted, and what the best of ten ReLU networks with 2, 3 and 4 units makes of them, with half-MSE 2/32,
1/32 and 0. With four units the images are as wanted. With two and three units they are shades of grey: in some the
wanted image can be recognised, in others it cannot.""")

# %%
with torch.no_grad():
    outputs = next(iter(models.values()))(diagonal_flip()[0]).numpy()
M = np.linalg.lstsq(X - 0.5, outputs - outputs.mean(axis=0), rcond=None)[0].T  # outputs = M (x - 1/2) + mean
off = np.abs((X - 0.5) @ M.T + outputs.mean(axis=0) - outputs).max()
print("is it affine on the sixteen images, to 1e-3?", off < 1e-3)
print("singular values of its matrix:", np.abs(np.linalg.svd(M, compute_uv=False).round(2)))

# %% [markdown]
r"""
As proved: at the floor the two-unit network is an affine map on the sixteen images, the projection of the flip. Its
matrix does the flip for a plane, and is 0 on the two directions perpendicular to it. Which plane is left to the start:
all four singular values of the targets are equal, so every plane is as good as every other.

### "Regions" do not explain it

One explanation in circulation: two units make three linear regions, too few for sixteen images; sixteen units make 17,
enough. Three things are wrong with it.

- A linear network has *one* region. It reaches the floor at every width; with two to four units many ReLU networks,
  which have more regions, do not.
- $n + 1$ pieces is the formula for **one** input. With four inputs, $n$ units in one layer can make up to $\sum_{k \le
  4} \binom{n}{k}$ regions: {{= sum(math.comb(2, k) for k in range(5))}} for two units and
  {{= sum(math.comb(16, k) for k in range(5))}} for sixteen.
- More layers make more regions, and no difference to the floor, as long as the last hidden layer stays as narrow.

### What overfitting cannot mean here

With sixteen units the network has 148 parameters, for 64 numbers to learn. Is that "dangerous", as one reads?
**Overfitting** is a gap between the error on what was trained on and the error on new inputs from the same source. All
sixteen images were trained on, and there are no others: the training error *is* the error on everything there is.
Whatever the number of parameters, there is no gap to have.

The word gets a meaning as soon as there are other inputs. Let the pixels be shades of grey between 0 and 1, and let the
transpose be wanted there, too. A *linear* network without error on the sixteen images has none on the grey ones: an
affine map is known from five points that do not lie in a hyperplane. A ReLU network could be anything in between:
"""

# %%
show_claim("02.flip-grey-wide")

# %% [markdown]
r"""
More parameters than numbers to learn, and hardly a trace of overfitting. The next section has networks in which there
is.

### A narrow layer somewhere else

The proof is about the **last** hidden layer. What about a network $4 \to 16 \to 1 \to 16 \to 4$, in which everything
has to pass through a single unit *in the middle*? Without activations the rank is 1, and the floor is $3/32$. **And
with ReLU: what is the smallest half-MSE possible?**
"""

# %%
predict("02.flip-middle", ["3/32, as for a last layer", "between 0 and 3/32", "0"])

# %% [markdown]
r"""
Sixteen images fit into **one number**: let the unit compute $8a + 4b + 2c + d$, which is $0, 1, \dots, 15$. Each output
is then a function of this number, given at sixteen points, and lesson 01 wrote down a ReLU network through any such
points: a polyline, with a hinge at each point but the last. Fifteen units after the narrow one do for all four outputs,
which share their hinges.
"""

# %%
polylines = [relu_interpolant(np.arange(16.0), Y[:, j]) for j in range(4)]  # hinges, weights, bias for each output
code = mlp([4, 1, 15, 4], generator=seeded(SEED)).double()
with torch.no_grad():
    code[0].weight.copy_(torch.tensor([[8.0, 4, 2, 1]]))
    code[0].bias.zero_()
    code[2].weight.fill_(1.0)
    code[2].bias.copy_(torch.tensor(-polylines[0][0]))
    code[4].weight.copy_(torch.tensor(np.stack([weights for _, weights, _ in polylines])))
    code[4].bias.copy_(torch.tensor([bias for _, _, bias in polylines]))
error = flip.half_mse(code, torch.tensor(X), torch.tensor(Y))
reveal("02.flip-middle", f"0: one unit, then 15, written down, has half-MSE {error:.3g}", right=3)

# %% [markdown]
r"""
So a narrow layer that is *not* the last one need not cost anything, if a layer of at least 15 ReLU units follows.
(Leaky ones do as well: at each hinge but the first the slope changes by $1 - 0.01 = 0.99$ of a unit's weight, so the 15
slopes between neighbouring numbers fix the 15 weights.) The network just written down has its narrow layer first; a
copy of the input before it, $4 \to 4 \to 1 \to 15 \to 4$, puts it in the middle. (How few units after it would still do
is another question, which we leave open.)

**Does training find such a code?** One, two or three units, as the first ($4 \to r \to 16 \to 4$), the middle ($4 \to
16 \to r \to 16 \to 4$) or the last hidden layer ($4 \to 16 \to r \to 4$), with the same activation in all layers; 3,000
steps, the same six rates, 100 starts to choose the rate with and 100 others; recorded. (For three ReLU units at the
end the smallest rate was the best one, so a smaller one may be better still.)
"""

# %%
record = recorded("02_flip_narrow")
show_figure(flip_figures.errors_by_place(record), """Three panels, for 1, 2 and 3 units; in each the half mean squared
error for a narrow layer that is the first, the middle and the last hidden layer, with a dot for each of 100 starts,
medians, intervals and the rank floor. Without activation all dots lie on the floor, wherever the layer is. As the last
layer, leaky ReLU lies on the floor and ReLU on it or above. As the first or the middle layer, leaky ReLU lies far below
the floor: with one unit mostly between 0 and 2/32, with two units most at 0 or little above, with three practically all
at 0. ReLU is spread between 0 and the floor, and some of its dots lie above: with one unit in the middle more than a
third, at 4/32.""")

# %%
show_claim("02.flip-middle-linear")
show_claim("02.flip-middle")
show_claim("02.flip-middle-dies")
show_claim("02.flip-middle-not-zero")
show_claim("02.flip-middle-two")

# %% [markdown]
r"""
What is possible and what is found differ, as in lesson 01. A narrow layer that is not the last one is used for more
than its rank: with a leak, one unit gets far below 3/32, though hardly ever to the 0 that was written down, and two
units mostly get there. With plain ReLU a lone unit may die, and then the whole network is a constant, at 4/32.

And what has been learned is a code for *these sixteen images*, not the flip:
"""

# %%
show_claim("02.flip-code")
show_claim("02.flip-not-narrow")

# %% [markdown]
r"""
On grey images such a network is worse than one that always answers $\frac12$. Here the word overfitting fits: in most
starts no error where it was trained, and in the median a large one elsewhere. And it is the network with the narrow
layer that has it, not the wide one of the same depth.

**What to keep of the flip.** The task is linear, and with one hidden layer ReLU adds nothing on these images but the
risk of dying. A last hidden layer of $r < 4$ units costs $(4 - r)/32$ at least, whatever comes before it: that is rank,
and not regions, depth or overfitting. A narrow layer elsewhere costs the same without activations; with them it need
not cost anything on the sixteen images, and what training makes of that depends on how easily its units die. One run
for each width can show any of this.
"""

# %% [markdown]
r"""
## 4 Spirals: wide and shallow, or narrow and deep?

Two spirals wind around each other, one class each. A popular demonstration puts networks of one, two and three hidden
layers on them, side by side. Here are three shapes with the same number of
parameters, or nearly: one hidden layer, three, and five.

1,000 points to train on, 2,000 **validation** points to choose the learning rate with, and 4,000 **held-out** points,
which are used for nothing but the report. All weights and biases start as PyTorch draws them. Adam takes 2,000 steps
of 200 points each; the learning rate rises to the rate chosen and falls to nearly 0 again (one-cycle).
"""

# %%
for depth in fair.DEPTHS:
    sizes = fair.spiral_sizes(1037, depth)
    flops = mlp_flops(sizes).step
    print(f"{depth} × {sizes[1]:3d}: {mlp_parameters(sizes):,} parameters, {flops:,} FLOPs per point and step")

# %% [markdown]
r"""
**Each with the best of six learning rates: which is the most accurate on held-out points?**
"""

# %%
predict("02.spirals", [
    "five hidden layers, by more than one point in a hundred",
    "one hidden layer, by more than one point in a hundred",
    "all three within one point",
])  # fmt: skip

# %% [markdown]
r"""
First the look of it: ten seeds, each with points and initial weights of its own. The rates are those that did best on
the validation points of the recorded experiment below. The lines are medians over the seeds, the shaded bands hold
the middle half of them.
"""

# %%
record = recorded("02_spirals")
rates = {depth: spiral_rate(record, depth) for depth in fair.DEPTHS}
trained = fair.train_on_spirals(1037, rates, seeds=range(10))
print("rates:", ", ".join(f"{rate} at depth {depth}" for depth, rate in rates.items()))

# %%
show_figure(fair_figures.spiral_curves(trained), """Left, training loss on a logarithmic scale against steps from 0 to
2,000; right, validation accuracy. Three hidden layers are the first to leave a half behind, then one, then five, whose
rate is the smallest. From about step 700 on the three lines of accuracy lie on one another, at the dotted line of the
best possible; in training loss the deep ones end a little lower.""")

# %%
X, y = fair.spiral_parts(generator=seeded(0))[0]
named = {f"{depth} × {fair.spiral_sizes(1037, depth)[1]}": models[0] for depth, (models, _) in trained.items()}
show_figure(fair_figures.spiral_boundaries(named, X, y), """Three squares with the same thousand points of two
interleaved spirals, shaded by the class that a trained network chooses: one hidden layer of 207 units, three of 21,
five of 15. In all three the boundary winds along between the arms, made of straight pieces; they differ in the
corners of the square, where there are no points.""")

# %% [markdown]
r"""
The boundaries differ where nobody looks. Now the numbers: 20 seeds, six rates for each shape, recorded.
"""

# %%
by_depth = [np.median(spiral(record, depth)) for depth in fair.DEPTHS]
said = ", ".join(f"{value:.3f} at depth {depth}" for depth, value in zip(fair.DEPTHS, by_depth, strict=True))
reveal("02.spirals", f"medians of 20 seeds: {said}", right=3 if max(by_depth) - min(by_depth) <= 0.01 else None)
show_claim("02.spirals-five")
show_claim("02.spirals-three")

# %% [markdown]
r"""
**No effect of depth,** or none of one point in a hundred. Why not? The arms are noisy, and near the centre they
overlap. The best of all classifiers, which knows the densities, is not right always either: its accuracy is an integral
over angle and radius, and the wide, shallow network is nearly there already.
"""

# %%
print(f"the best of all classifiers: {fair.spiral_bayes_accuracy():.3f}")
show_claim("02.spirals-ceiling")

# %% [markdown]
r"""
A task that one hidden layer solves as well as it can be solved cannot show what depth buys. Look for room above the
shallow network before you compare.

### How to see an effect all the same

Two ways. The first is to choose the learning rate badly, the same for everybody:
"""

# %%
show_figure(fair_figures.spirals_by_rate(record), """Two plots of the median held-out accuracy over 20 seeds, with
intervals, against six learning rates, for one, three and five hidden layers; a dotted line marks the best possible.
Left, about 150 parameters: one layer of 30 rises steadily, close to the dotted line at the second largest rate, and
three layers of seven to nearly as much, with wider intervals; five layers of five stay clearly below. Right, about
1,040 parameters: from the third rate to the fifth the three lie on one another, at the dotted line. At the smallest
one hidden layer is far below; at the largest three layers fall far, with a wide interval, five to one half, and one
layer does not fall.""")
show_claim("02.spirals-untuned")

# %% [markdown]
r"""
At 0.001, the rate that Adam has in PyTorch unless one says otherwise, the shallow network has not finished when the
steps are over. At {{= max(fair.RATES)}} the deep ones break down and the shallow one does not. **One rate for everybody
is not the same for everybody**: who wins is then a matter of which rate it is.

The second way is to make the budget small. With about 150 parameters not every shape comes near the ceiling, and now
there is a difference, rates tuned. It is not the one that was expected:
"""

# %%
show_claim("02.spirals-small")

# %% [markdown]
r"""
Five layers of five units lose. Nothing here says why; a layer of five units that stands in front of all others, of
which some may be off for good, is a narrow gate.
"""

# %% [markdown]
r"""
## 5 The fair fight

*Deeper is better* is a sentence about two networks that differ in depth **and in nothing else that matters**. That
cannot be had: with the same width the deep one has more parameters, with the same parameters it costs more or fewer
seconds a step, and the same learning rate suits one and not the other. So one has to say what is held equal. Here you
choose it, and watch the conclusion move.

**Three tasks**, without noise, uniform on $[-1, 1]^2$: the *swirl*, class 1 where $\sin(\text{angle} - 4\pi \cdot
\text{radius}) > 0$, and checkerboards of *frequency* 3 and 5, which have 6 × 6 and 10 × 10 cells. 4,000 points to train
on, 2,000 to choose the rate with, 4,000 held out.
"""

# %%
tasks = {name: fair.task_parts(name, generator=seeded(SEED))[0] for name in fair.TASKS}
show_figure(fair_figures.task_labels(tasks), """Three squares of 4,000 points in two colours. Swirl: two spiral bands
that wind twice around the centre and end at the square's edge. Checkerboard 3: six by six cells. Checkerboard 5: ten
by ten cells; 40 points to a cell.""")

# %% [markdown]
r"""
**Three shapes**: one, three or five hidden layers of ReLU units, all of one width. Mini-batches of 200 points, Adam,
one-cycle, 3,000 steps unless it says otherwise. **What is held equal:**

- *width and steps*: 24 units in every hidden layer, whatever the depth. Nothing else is matched;
- *parameters and steps*: at most 2,552 parameters;
- *FLOPs and steps*: a training step may cost at most as many floating-point operations as that of three layers of 34
  units (the gradient with respect to the inputs is not needed in the first layer, which saves the shallow network a
  third of its work there, so it may be wider);
- *parameters and seconds*: whoever is slower gets fewer steps. On whose clock? On one machine, one core, a step took
  the times printed below: in the compiled trainer of this course, and in a plain PyTorch loop. The compiled trainer is
  slower with one wide layer than with three, although its FLOPs are fewer. It has five times as many units, and what is
  done once for each unit (bias, ReLU, keeping its value) is not among the FLOPs: a likely reason, not measured. A
  PyTorch loop pays for every layer that it calls, which is likely why five are slowest there. Clocks differ from day to
  day, too. Measured again, the seconds of the longest of the three runs over those of the shortest were, on the first
  clock, {{claim 02.fair-seconds}}; on the second, {{claim 02.fair-seconds-pytorch}}.
"""

# %%
for name, runs in fair.EQUAL.items():
    print(f"equal {name}:")
    for run in runs.values():
        cost = f"{mlp_parameters(run.sizes):5,} parameters, {mlp_flops(run.sizes).step:6,} FLOPs per point"
        print(f"    {run.depth} × {run.width:3d}: {cost}, {20 * run.epochs:,} steps")
for clock, steps in recorded("02_clocks")["microseconds"].median("seed").groupby("clock"):
    times = ", ".join(f"{step.item():.0f} at depth {step['depth'].item()}" for step in steps.squeeze())
    print(f"{clock}, recorded: microseconds per step {times}")

# %% [markdown]
r"""
**Two starts.** Weights as He and his coauthors propose, normal with variance $2/n_\text{in}$. Biases all *zero*, as
many libraries have it, or *random*, normal with standard deviation ½. It looks like a detail. But with zero biases
every unit of the first layer bends along a line through the origin, so at the start one hidden layer is a function that
is linear along every ray from there: $g(tx) = t\,g(x)$ for $t > 0$. (So is a deep network with zero biases.)

**Three ways to choose the rate**: {{= fair.RATES[0]}} for everybody, 0.01 for everybody, or for each shape the best of
six from {{= min(fair.RATES)}} to {{= max(fair.RATES)}}, by the median accuracy on validation points. (Validation and
held-out points are different ones, the networks are the same. So where starts differ much, the best of six rates is a
little flattered, and the interval takes the rate as given. For the flip we had new starts, too.)

Twenty seeds of everything, recorded. Here is one cell of it, the usual one: parameters are matched, and that is all the
care taken.
"""

# %%
show_claim("02.fair-untuned")

# %% [markdown]
r"""
A clear win for depth, at equal parameters, on held-out data, over 20 seeds, with an interval. **Now give each shape the
best of six rates, and random biases. What is left of the lead on the same task?**
"""

# %%
predict("02.fair", ["it stays as it is, or grows", "about half of it", "nothing: less than two points in a hundred"])

# %% [markdown]
r"""
**And on the checkerboard of frequency 5, on the same fair terms: who leads in held-out accuracy?** Commit to both
before you turn the lab.
"""

# %%
predict("02.fair-hard", ["one hidden layer", "nobody, by two points in a hundred or more",
                         "the deeper networks, by two to five points", "the deeper networks, by more than five points"])

# %% [markdown]
r"""
### The lab

Choose the terms. On the left, how good each rate was on validation points; a ring marks the one taken. On the right,
each seed's held-out accuracy at that rate, and in black the median with its interval. Above, the verdict: the median,
over the seeds, of the difference, with its interval; "better" is said only where the interval leaves out 0. Is there a
choice for every opinion?
"""

# %%
lab = partial(fair_figures.fair_fight, recorded("02_fair"))
live_figure(
    lab,
    task=Dropdown(options=list(fair.TASKS), value="checkerboard 3", description="task"),
    equal=Dropdown(options=list(fair.EQUAL), value="parameters and steps", description="held equal"),
    start=Dropdown(options=list(fair.STARTS), value="zero biases", description="start"),
    tuning=Dropdown(options=list(fair.TUNINGS), value="0.01 for everybody", description="learning rate"),
)

# %% [markdown]
r"""
The same, standing still: the lead of depth at equal parameters and steps, from the least fair terms to the fairest.
"""

# %%
lab_record = recorded("02_fair")
show_figure(fair_figures.gaps_by_terms(lab_record), """Three plots, one for each task, of the difference in held-out
accuracy between three or five hidden layers and one, with intervals, for four terms. Swirl: largest with
the rate 0.01 and zero biases, about half of that with random biases or with the best rates, a third with both.
Checkerboard 3: as large, then nearly gone, then the same with wide intervals, and 0 with both. Checkerboard 5: large
throughout, with wide intervals.""")
fairest_terms = "parameters and steps", "random biases", list(fair.TUNINGS)[-1]
left = fair.difference(fair.fighters(lab_record, fair.Choice("checkerboard 3", *fairest_terms)), 5, 1)
reveal("02.fair", f"difference {left}", right=3 if abs(left.value) < 0.02 else None)

# %%
show_claim("02.fair-vanishes")
show_claim("02.fair-three-vanishes")

# %% [markdown]
r"""
On this task, and with this budget, the lead *was* the rate and the biases. Either of the two by itself takes away most
of it. And it is the shallow network that changes: the deep one was near its best from the beginning. (Why zero biases
harm the shallow one so much more, although they make both linear along rays, we have not measured.)
"""

# %%
show_claim("02.fair-rate-alone")
show_claim("02.fair-biases-alone")
show_claim("02.fair-shallow-gains")
show_claim("02.fair-deep-gains")

# %% [markdown]
r"""
Nobody cheated. 0.01 and zero biases happen to suit the narrow, deep networks here, and whoever tries out their settings
on the deep network first has no reason to look further: on the fair terms it gains next to nothing. **The side that one
hopes for gets the tuning; the other gets what is left.**

### Is depth good for nothing, then?

That would be the same mistake the other way round. There are two more tasks. For the checkerboard of frequency 5 you
committed to an answer before the lab:
"""

# %%
hard = fair.fighters(lab_record, fair.Choice("checkerboard 5", *fairest_terms))
lead = [fair.difference(hard, deep, 1) for deep in (3, 5)]
reveal("02.fair-hard", f"three layers minus one {lead[0]}, five minus one {lead[1]}",
       right=4 if min(one.value for one in lead) > 0.05 else None)

# %%
show_claim("02.fair-swirl-shrinks")
show_claim("02.fair-swirl-stays")
show_claim("02.fair-swirl-three")
show_claim("02.fair-hard-stays")
show_claim("02.fair-hard-five")

# %% [markdown]
r"""
So the lead is real on two of these tasks and absent on the third, and on the swirl it is about a third of what the
careless comparison says. What tells such tasks apart beforehand? We do not know; lesson 04 looks at checkerboards more
closely. (Smaller still with more rates, or more steps? The next best thing to knowing is to see whether the
best rate lies at the edge of those tried: then a better one may lie beyond. The lab says so where it does.)
"""

# %%
for task in fair.TASKS:
    of = fair.fighters(lab_record, fair.Choice(task, *fairest_terms))
    print(f"{task}: " + ", ".join(
        f"depth {depth} {one.rate}{' (edge)' * one.at_edge}" for depth, one in of.items()
    ))  # fmt: skip

# %% [markdown]
r"""
### What is held equal

Now the fairest start and rates, and each thing in turn held equal.
"""

# %%
show_figure(fair_figures.gaps_by_equal(lab_record), """Three plots, one for each task, of the difference in held-out
accuracy between three or five hidden layers and one, each with its best rate and random biases, for five things held
equal. With the same width and steps the difference is by far the largest. With the same parameters, FLOPs or seconds
it is small for the swirl, at or near 0 for the checkerboard of frequency 3, and clear for
that of frequency 5, largest there on the clock of the compiled trainer.""")
show_claim("02.fair-width")
show_claim("02.fair-flops")
show_claim("02.fair-clock")

# %% [markdown]
r"""
*The same width* is the comparison that makes depth look best: there five layers of 24 units have 20 times the
parameters of one, and nobody knows which of the two did it. Between parameters and FLOPs the difference is small on the
first two tasks; on the checkerboard of frequency 5 three layers lead with equal parameters by
{{claim 02.fair-hard-stays}}; with equal FLOPs by {{claim 02.fair-hard-flops}}, where the shallow network has
{{= 5 * fair.EQUAL["FLOPs and steps"][1].width + 2 - fair.BUDGET}} parameters more. Between two clocks it is a matter of
whose code runs. A comparison that reports seconds reports a machine and a library, too.

### Measure it again, now

Do not take the record's word for it. The next cell trains the three shapes anew, from ten seeds that the record does
not have: a few seconds. The choice below is in between, random biases and the rate 0.01 for everybody; the record has a
small lead for depth there. Do your seeds agree? Change the choice; with `"the best of six, 0.001 to 0.3"` there
are six times as many trainings, about half a minute on two cores. Ten seeds instead of 20: the intervals are wider.
"""

# %%
choice = fair.Choice("checkerboard 3", "parameters and steps", "random biases", "0.01 for everybody")
figure, words = fair_figures.outcome(choice, fair.again(choice, seeds=range(1000, 1010)), "measured now")
show_figure(figure, words)

# %% [markdown]
r"""
The lab has 90 cells with two comparisons each, and 95 % intervals: if nothing made any difference, several would still
announce a winner. Whoever
looks through all of them and reports the best one has measured their own patience. So decide on the terms first, then
look. (The claims above state theirs, and a claim is refuted only by a 99.9 % interval.)

### More with less?

*"The deep network does more with less"*, says a chapter on the checkerboard of frequency 3, with a picture of one
hidden layer of 100 units and one of four hidden layers of 20. Less? The first has 502 parameters, the second 1,362. No
accuracy on new points is shown, for one seed and one learning rate. Here is that comparison with its own training (Adam
on all 2,000 points at once, 2,000 steps, PyTorch's start), made fair: six rates, 60 seeds, held-out points, and two
more networks, so that each budget has both shapes.
"""

# %%
show_figure(fair_figures.found_by_rate(recorded("02_found")), """Median validation accuracy over 60 seeds, with
intervals, against six learning rates, for four networks. One layer of 272 units is the highest line; one layer of
100 units and four layers of 20 reach nearly as much, four layers of 11 far less. These have their best rate at the
smallest tried, the others theirs inside; all fall off at the two largest.""")
show_claim("02.fair-found-own")
show_claim("02.fair-found-equal")
show_claim("02.fair-found-narrow")

# %% [markdown]
r"""
It is the other way round: on these terms **the shallow network does as well, to two points in a hundred, with little
more than a third of the parameters**, and better with the same number. (Four layers of 11 have their best rate at the
edge of the grid, {{= min(fair.RATES)}}. A smaller one may be better still, so the third claim is about these six
rates.) The same task in the lab above was a draw. Between the two lie the budget, the depth, the number of points, the
batches, the steps, the schedule and the start; which of these it is, we have not measured. What we can say is that
*deeper is better* is not a property of the checkerboard.

**Before you believe a comparison of shapes**, yours included, ask:

1. What was held equal, and was it said? Parameters, FLOPs, seconds, steps?
2. Did each side get the same *search* for its learning rate (not the same rate), and does the best lie inside the grid?
3. Was the rate chosen on other data than those reported?
4. How many seeds, and does the interval of the *difference* leave out 0?
5. Is there room above the weaker side at all?

Exercise 02.7 asks for the second and the third as a function.
"""

# %%
feedback("02.fair")

# %% [markdown]
r"""
## 6 The tent map, again and again

The spirals gave depth nothing to do. Is there a function at all for which a deep network is far smaller than any with
one hidden layer? There is, it is simple, and everything about it can be proved on a page (Telgarsky 2015, 2016).

Take the **tent map**: $T(x) = 2x$ on $[0, \frac12]$ and $T(x) = 2 - 2x$ on $[\frac12, 1]$. It climbs from 0 to 1 and
falls back to 0. Two ReLU units write it, on $[0, 1]$:

$$ T(x) = 2 \operatorname{ReLU}(x) - 4 \operatorname{ReLU}\bigl(x - \tfrac12\bigr) . $$

(One unit would not do: it has one flat side, the tent has none.) Now feed the tent into the tent: $T(T(x))$. What comes
out of one tent, and what goes into the next, are affine, so they make one layer, with weights $\begin{pmatrix} 2 & -4
\\ 2 & -4 \end{pmatrix}$ and biases $0, -\frac12$. Do it $k$ times: $k$ hidden layers of two units each.

A **linear piece** is a longest interval on which a function is one straight line. The tent has two of them. **You stack
ten tents: ten hidden layers, twenty hidden units. How many linear pieces does the network have on $[0, 1]$?**
"""

# %%
predict("02.saw-pieces", ["20", "21", "100", "1,024"])

# %%
show_figure(sawtooth_figures.tents(), """Five plots over the interval from 0 to 1, of the tent map applied once to
five times. Once: it climbs from 0 to 1 and falls back to 0. Each further time there are twice as many teeth, of the
same height and half as wide: the titles count 2, 4, 8, 16 and 32 linear pieces.""")
reveal("02.saw-pieces", f"{sawtooth.count_pieces(sawtooth_network(10)):,}, counted exactly", right=4)

# %% [markdown]
r"""
**Why it doubles.** While $x$ runs from 0 to $\frac12$, $T(x)$ runs through all of $[0, 1]$ once, and while $x$ runs
from $\frac12$ to 1 it runs back through it. So $f(T(x))$ is $f$ drawn at half its width, and beside it the mirror
image. Half the width means twice the slopes, and the mirror image turns their signs. The tent has two pieces of length
$\frac12$, with slopes 2 and $-2$. So, step by step, the sawtooth is 0 and 1 by turns at the multiples of $2^{-k}$, and
has $2^k$ pieces of length $2^{-k}$, with slopes $2^k$ and $-2^k$ by turns. ∎

## 7 What does one hidden layer need for it?

**With $N$ ReLU units it has at most $N + 1$ pieces.** *Proof.* A unit $\operatorname{ReLU}(wx + b)$ bends in at most
one place. Away from these $N$ places the sum of all units is a straight line, and $N$ places cut a line into at most
$N + 1$ parts. ∎

So $2^k$ pieces take at least $2^k - 1$ units. Exactly that many are not enough:

**One hidden layer needs exactly $2^k$ units to be the sawtooth on $[0, 1]$.** *Proof.* That many are enough: the
interpolant of lesson 01, with a hinge at each corner but the last. Suppose that $2^k - 1$ were enough. There are as
many corners inside the interval, so each unit bends at a corner of its own, and the change of slope there, $\pm
2^{k+1}$, is all its own. To the left of all corners only the units with $w < 0$ are at work, and each of
them contributes minus its change of slope. So the first slope is a multiple of $2^{k+1}$. But it is $2^k$. ∎
"""

# %%
print(" k   pieces   deep: units, parameters   one layer: units, parameters")
for k in (1, 2, 3, 4, 6, 8, 10):
    deep, flat = sawtooth_network(k), sawtooth.one_layer_sawtooth(k)
    assert sawtooth.count_pieces(flat) == sawtooth.count_pieces(deep)
    numbers = sawtooth.count_pieces(deep), 2 * k, count_parameters(deep), flat[0].out_features, count_parameters(flat)
    print("{:2}   {:6,}   {:11}, {:10}   {:16,}, {:10,}".format(k, *numbers))

# %% [markdown]
r"""
The pieces of both were counted, not computed by a formula: layer by layer, between two bends found so far what goes
into a unit is a straight line, and where that line crosses 0 there is a new bend; in the end the slopes on both sides
of every bend are compared. Parameters: $6k + 1$ for the deep one, $3 \cdot 2^k + 1$ for the other. Ten layers: 61
numbers against 3,073.

## 8 Coming close is as hard

Perhaps a small network with one layer cannot *be* the sawtooth, but comes close to it? **No.** Errors here are shares
of the **variance**: the mean squared error, divided by that of the best constant, which is $\frac12$ and has
$\frac1{12}$. A share of 1 means nothing found, 0 the sawtooth itself.

**Proposition.** Let $g$ be piecewise linear with $p$ pieces on $[0, 1]$ (continuous or not). Then it misses at least
the share $1 - \frac{p - 1}{2^{k-1}}$ of the variance of the sawtooth with $2^k$ pieces. The same holds for the mean
absolute error, as a share of the best constant's, $\frac14$.

*Proof.* Cut $[0, 1]$ into $2^{k-1}$ teeth, from one zero of the sawtooth $f$ to the next. The $p - 1$ places where
pieces of $g$ meet lie inside at most $p - 1$ teeth. On each of the others $g$ is one straight line, $g = \alpha +
\beta t$, where $t$ is the distance from the middle of the tooth, and $f$ is symmetric in $t$. So, with bars for the
mean over the tooth,

$$ \overline{(f - \alpha - \beta t)^2} = \overline{(f - \alpha)^2} + \beta^2\, \overline{t^2} \ge
\overline{(f - \tfrac12)^2} = \tfrac1{12} , $$

since $\overline{(f - \alpha)\,t} = 0$ by symmetry, and $\frac12$ is the mean of $f$. For the absolute error take the
points $t$ and $-t$ together: $|f - \alpha - \beta t| + |f - \alpha + \beta t| \ge 2 |f - \alpha|$, and $\overline{|f -
\alpha|} \ge \overline{|f - \frac12|} = \frac14$, since $\frac12$ is the median of $f$. ∎

With the bound on pieces: **$N$ units in one hidden layer miss at least $1 - N / 2^{k-1}$.** For $k = 10$, 51 units, a
tenth of the teeth, leave at least nine tenths of the variance. Nothing was said about training, or about which weights.

(Telgarsky 2015 has this for classification, and for any number of layers; see the further reading.)

Is the bound sharp? Hardly. Dynamic programming tries all ways of cutting $[0, 1]$ on a fine grid, with the best line on
each part (lines need not even meet):
"""

# %%
k = 4
possible = sawtooth.fewest_errors(k, 2**k)
for pieces in (2, 4, 8, 12, 16):
    proved, found = sawtooth.least_error(k, pieces), possible[pieces - 1]
    print(f"{pieces:2} pieces: at least {proved:.3f} is missed; the best cut misses {found:.3f}")

# %% [markdown]
r"""
No cut comes below the bound, as it must be. Above it there is room: with half of the 16 pieces much more is missed than
is proved.

**What is not said.** It is one function, made for the purpose: for a smooth one, or for the spirals, nothing follows.
"$k$ folds make $O(2^k)$ pieces" is the wrong way round, too: $2^k$ is what *these* weights make, a lower bound for the
most that such a shape can have. Other weights make fewer, and that brings us to training.

## 9 Does training find it?

61 numbers write 1,024 pieces. Does training find them? Start small: $k = 3$, eight pieces, the very shape of the
network that was written down, $[1, 2, 2, 2, 1]$, and beside it one layer with six units, which has as many parameters
(19). One layer of six units cannot be the sawtooth: it has at most seven pieces. **What share of the variance does the
very shape miss after training, in the median over the seeds?**
"""

# %%
predict("02.saw-training", ["hardly anything", "about a quarter", "about a half", "nearly everything"])

# %% [markdown]
r"""
Training gets what helps it: 1,000 random points, inputs scaled to $[-1, 1]$, weights as He et al. draw them and random
biases (so that bends are spread out, and not all in one place), Adam in batches of 125,
{{= sawtooth.EPOCHS * 1000 // sawtooth.BATCH}} steps, a rate that rises and falls once. Six rates from
{{= min(sawtooth.RATES)}} to {{= max(sawtooth.RATES)}}, the best by the median over the seeds on 1,000 validation
points. Held-out: 4,096 evenly spaced points. Twenty-four seeds (10 to 30 seconds).
"""

# %%
trained = sawtooth.measure_small(seeds=range(24))
show_claim("02.saw-narrow", trained)
show_claim("02.saw-one-layer", trained)
share = np.median(missed(trained, NARROW, 3))
reveal("02.saw-training", f"{share:.2f}, the median", right=1 + sum(share > limit for limit in (0.1, 0.35, 0.75)))

# %% [markdown]
r"""
The larger picture takes minutes, so it is recorded: $k = 2$ to 6, 40 seeds, the same training, and three
more shapes. Eight units a layer, four times as many as are needed; one layer with as many parameters as that, $24k -
16$ units; and the deep one as PyTorch starts it. What they cost, for $k = 4$:
"""

# %%
for name, shape in sawtooth.SHAPES.items():
    sizes = shape.sizes(4)
    print(f"{name}: {mlp_parameters(sizes)} parameters, {mlp_flops(sizes).step:,} FLOPs a point and step")

# %% [markdown]
r"""
So deep and shallow are equal in parameters, steps and points; in computing, the deep one of eight units costs half as
much again.
"""

# %%
record = recorded("02_saw_shapes")
show_figure(sawtooth_figures.missed_by_folds(record), """Two plots against k from 2 to 6, medians over 40 seeds with
intervals. Left, the share of variance missed. The written-down network lies at 0 throughout. Two units a layer miss
four fifths for k = 2 and nearly all from 3 on; one layer with as many parameters more than half, with an interval down
to nothing, then nearly three quarters, then nearly all. Eight units a layer miss nothing for k = 2 and 3, 0.3 for 4,
three quarters for 5 and nearly all for 6; one layer as large, and the deep one from PyTorch's start, rise a little
faster and miss nearly all from 5 on. Right, the linear pieces: two units a layer have three, then fewer, where 4 to 64
were written down; eight units a layer have 16 to 40, more than needed up to k = 5; one layer as large has up to 80, and
a single one for k = 6.""")

# %%
print(f"seeds of {len(record['seed'])} that found it (less than a hundredth missed), k = {sawtooth.FOLDS}:")
for name in sawtooth.SHAPES:
    print(f"  {name}: {', '.join(str((missed(record, name, k) < 0.01).values.sum()) for k in sawtooth.FOLDS)}")

# %% [markdown]
r"""
**The very shape.** It can write every one of these functions without any error. From random weights it finds little of
the one with four pieces, and nothing of the one with sixteen:
"""

# %%
show_claim("02.saw-narrow-two")
show_claim("02.saw-narrow-four")
show_claim("02.saw-narrow-pieces")

# %% [markdown]
r"""
**More units than needed.** With eight units a layer, eight pieces are found. One layer of 56 units finds them as well.
With 16 and 32 pieces neither shape is close, and depth is ahead, at {{= sawtooth.arithmetic(4)}} times the arithmetic:
"""

# %%
show_claim("02.saw-wide-three")
show_claim("02.saw-layer-three")
show_claim("02.saw-wide-four")
show_claim("02.saw-layer-four")
show_claim("02.saw-wide-four-ahead")
show_claim("02.saw-wide-five")

# %% [markdown]
r"""
With 64 pieces nearly all is lost, for both, though both shapes *can* write the function: six layers of eight contain
six layers of two, and 128 units are twice the 64 that one layer needs. (Which rate is best is chance there, and may lie
at the edge of those tried: none of the six finds more than a few hundredths.)
"""

# %%
show_claim("02.saw-wide-six")
show_claim("02.saw-layer-six")

# %% [markdown]
r"""
**Not for want of pieces.** The proposition says that few pieces *must* miss. These networks do not fail that way: four
layers of eight units have more pieces after training than the 16 they need. They are not where they should be.
"""

# %%
show_claim("02.saw-pieces-enough")
show_figure(sawtooth_figures.missed_by_pieces(record, 4), """The share of variance missed against the number of linear
pieces, for sixteen pieces to be found: a point for each trained network. A dashed line, what must be missed, falls
from 1 with one piece to 0 with nine; a solid line, the best that pieces on a grid can do, falls to 0 at sixteen,
where a star marks the written-down network. Networks with few units lie in the upper left corner, with up to nine
pieces, near 1. Those with eight units a layer from He's start have 21 to 61 pieces and miss from two thirds to nothing,
one layer as large has 50 to 70 and mostly misses a quarter to two thirds: all far to the right of both lines. Those
from PyTorch's start are spread from the upper left corner to 57 pieces.""")

# %%
labels = {"two units a layer": "2 wide, k deep", "eight units a layer": "8 wide, k deep",
          "one layer, as large": "one layer, as many parameters as 8 wide"}  # fmt: skip
best = {}
for label, name in labels.items():
    swept = sawtooth.train_shape(name, 4, range(10), lrs=[0.03])
    errors = swept.scores(sawtooth.share_missed).sel(rate=0.03)
    start = errors.sel(part="validation").idxmin()
    best[f"{label}: {errors.sel(seed=start, part='held-out').item():.2f} missed"] = swept.model(start)
show_figure(sawtooth_figures.fits(4, best), """Three plots of the sawtooth with sixteen pieces, a broad grey dashed
line, and a trained network. Two units a layer: a flat line at one half, with a single dip down to 0. Eight units a
layer: it follows most of the teeth and misses the last. One layer as large: its teeth are in the right places, but too
low, and the first is missing.""")

# %% [markdown]
r"""
Three examples, each the best of ten starts by validation error, one rate, not tuned. And the start matters, as it did
in lesson 01, though the theorem knows nothing of it:
"""

# %%
show_claim("02.saw-start")

# %% [markdown]
r"""
### Start at the answer

Weights that are hard to find need not be hard to keep. Start *at* the written-down network, with a normal number
added to every parameter (they lie between −4 and 2), and train from there, at the best of eight rates from
{{= min(sawtooth.KEPT_RATES)}} on:
"""

# %%
kept = recorded("02_saw_kept")
show_figure(sawtooth_figures.kept_by_noise(kept), """Three log plots, for 4, 16 and 64 pieces, of the share missed
against the noise, from 0.001 to 1, before and after training. Before training the share rises with the noise and
passes 1, the best constant, at the third or fourth of the six noises for 4 pieces, at the second or third for 16, and
at the second for 64. After training the median is below a ten-thousandth up to the fifth noise for 4 pieces, up to the
third for 16, and at the smallest alone for 64; at the last of these the intervals of the first two reach up to a fifth
and more. Beyond, a good part of it is missed.""")

# %%
show_claim("02.saw-kept-two")
show_claim("02.saw-lost-four")
show_claim("02.saw-kept-six")
show_claim("02.saw-lost-six")

# %% [markdown]
r"""
So training keeps the function, and for 4 and 16 pieces comes back to it from noise that had made the network worse than
a constant. But the place that it comes back from shrinks with depth. A likely reason: what a layer is off by, the
layers behind it magnify, each by its slope 2. That random starts hardly ever lie in that place was measured above.

**What to keep of this.** Depth can write functions that no shallow network of that size comes near: proved. Training,
from the starts and with the optimiser tried here, did not find them at the size at which they were written. At four
times the width it found those of 4 and 8 pieces, as one layer with as many parameters did, and hardly the others:
measured. "Deep networks can represent it with fewer parameters" says nothing about which of the two to train. (Nor does
this say that the sawtooth cannot be learned: other starts, losses or curricula were not tried.)
"""

# %% [markdown]
r"""
### Watch it learn

Now the same budget of about 200 parameters, spent on one hidden layer of 67 units or on three of 9, and a target with 8
straight pieces. Either shape has room for 8 pieces: the first can make 68, the second up to $(9 + 1)^3 = 1{,}000$. Here
is **one example, one seed, one rate**: no fair comparison, just a picture of what training looks like on its way. The
interval is $[-1, 1]$ here, and training is simpler than above: PyTorch's start, 257 points, all of them in every step,
5,000 steps of Adam with a rate that falls to 0.
"""

# %%
target = "sawtooth of 8 pieces"
rows = explorers.snapshots([(67, 1), (9, 3)], target, [0, 50, 500, 5000], seed=SEED, rate=0.01)
for name, taken in rows:
    print(f"{name}; mean squared error at the end {taken[-1].error:.1g}, pieces {len(taken[-1].knots) + 1}")
for shape in ((67, 1), (9, 3)):
    errors = explorers.errors_after(shape, target, range(20), rate=0.01)
    share = proportion(int((errors < 0.001).sum()), len(errors))
    print(f"{explorers.shape_in_words(*shape)}; share of 20 seeds that end below 0.001: {share}")

# %%
show_figure(explorers_figures.snapshots(rows, explorers.TARGETS[target](explorers_figures.GRID)), """Two rows of four
plots: a sawtooth with four teeth in grey, and over it a network before training and after 50, 500 and 5,000 steps, with
a dot wherever it bends. The upper network, one layer of 67 units, starts as a nearly flat line with bends all along it;
after 500 steps it follows the left third of the sawtooth, after 5,000 all of it. The lower one, three layers of 9
units, starts flat with six bends; after 500 steps it follows the left half, after 5,000 still no more than that.""")

# %% [markdown]
r"""
The pieces are counted exactly, and there are more of them than the eye sees: two pieces with nearly the same slope are
two. In this example the wide network has found the sawtooth, and the deep one is stuck halfway, although its layers
could make all of it: two units in each, with the weights of the tent map, would do. Of 20 seeds, by the error on the
points they are trained on and at this one rate, which is not tuned, the wide one finds it in all, the deep one in fewer
than half. In the comparison above, with tuned rates, mini-batches and another start, both found eight pieces: whether a
shape finds something is a property of shape *and* training.
"""

# %% [markdown]
r"""
**Try it.** *Start* trains the network in front of you, in 5,000 steps; *Stop* stops it, and *Start* goes on from there.
Move a slider while it trains, and the training begins anew with the new value. The red dots are the places where the
network bends: they are counted, exactly, in the sentence below, beside an upper bound for such layers,
$(\text{width} + 1)^\text{depth}$, which some weights reach if the width is at least 3 (Serra et al. 2018).

- How many pieces does a deep network have before training, and how many can its layers make? (Try depth 6, width 16.)
- Set depth 3, width 9 and go through the seeds. How different are the results?
- Find a rate at which the shape that you like least does well. Then try it for the other shape.
- Choose tanh for *a step*, and ReLU for the sawtooth. What would you have said about either with the other one?

What you see here are single runs. Whether depth *helps* takes held-out data, seeds and tuned rates: the rest of this
lesson.
"""

# %%
live_training(explorers.fit, explorers.fitted, **explorers.fit_controls())

# %% [markdown]
r"""
## 10 What depth costs

Equal parameters, nearly equal arithmetic. So is it all the same to the machine? Take 20,000 parameters, as one hidden
layer of 266 units or as sixteen of 33, and batches of 64 examples. The deep one does {{= cost.arithmetic(20_000, 16)}}
times the arithmetic in a step, by the table above. **How long does its training step take, on one core, compared with
the shallow one's?**
"""

# %%
predict("02.step-time", ["at most as long", "1 to 1.5 times as long", "1.5 to 2 times as long",
                         "more than twice as long"])

# %%
times, word = here_or_recorded(measure_cost, "02_cost")
ratio = np.median(step_times(times, 20_000, 16, 1))
reveal("02.step-time", f"{ratio:.1f} times as long, {word}", right=1 + sum(ratio > limit for limit in (1, 1.5, 2)))

# %% [markdown]
r"""
Times depend on the machine, so here are only ratios, of times that were taken in turn on one machine: in this page as
it was built those that were recorded, and once you run the cell above your own. A step is forward, loss, backward and
Adam, in PyTorch; a *seed* is here a round in which all networks take their turns, a few steps each, of which the
shortest counts. (What else a machine is doing can only add.)
"""

# %%
show_figure(cost_figures.cost_by_depth(times, word), """Two plots against 1, 2, 4, 8 and 16 hidden layers, for 20,000
and for 1,000,000 parameters. Left, the time of a training step over that with one hidden layer: for 20,000 parameters
it climbs with depth, to more than twice as long for 16 layers; for a million it stays near one. Right, on a logarithmic
scale, the kilobytes kept of a batch for the backward pass: from two layers on they rise with depth, for both; for a
million parameters one hidden layer keeps by far the most.""")
show_claim("02.cost-small")
show_claim("02.cost-fades")
show_claim("02.cost-large")

# %% [markdown]
r"""
**Layers come one after the other.** With $D$ hidden layers a step is $3D + 2$ matrix products: $D + 1$ forward, as many
for the weights' gradients, and $D$ for the inputs'. So 5 products with one hidden layer and 50 with sixteen. To start
an operation takes a while, however small it is, and no product can begin before the one it waits for is done.

**Narrow matrices use a machine badly.** Cut the {{= cost.WEIGHTS}} weights of one matrix of width 1,024 into many
smaller square matrices, and send a batch through all of them, one after the other. The arithmetic is the same. (Part of
what you see is the start of an operation again: at width 16 there are 4,096 products of {{= 2 * cost.BATCH * 16**2}}
FLOPs each.)
"""

# %%
show_figure(cost_figures.rate_by_width(times, word), """Arithmetic per second against the width of the matrices, 16
to 1,024, over that of width 1,024. It is a small fraction at width 16, and rises steeply with the width; from 128 on it
is close to one.""")
show_claim("02.cost-narrow")

# %% [markdown]
r"""
With a million parameters the matrices are hundreds of units wide, so the products themselves should take most of the
time: a likely reason why depth costs less, not measured. (Two layers take no longer there than one, which has seven
times as many units: as in section 5, what is done once for each unit is not among the FLOPs.) On a GPU, which
does thousands of multiplications at the same time, it takes far wider layers to keep it busy, and the order of the
layers stays as it is. (That is how such machines are built; it is not measured here.)

**Memory.** To compute the weights' gradients, the backward pass needs the inputs of each layer, so they are kept until
then: with ReLU, $n_\text{in}$ numbers plus one for each hidden unit, for every example (the loss keeps a few more). At
equal parameters that grows with depth, as the number of hidden units does, about like $\sqrt{B D}$. One hidden layer is
again a case of its own: with a million parameters it has more units than any of the deeper ones. (The parameters
themselves, their gradients and Adam's two averages take four numbers a parameter, whatever the shape. With a small
batch that is most of it.)
"""

# %%
feedback("02.cost")

# %% [markdown]
r"""
## 11 Real data: the digits

So far the tasks were made up, one to show what width does, another to show what depth does. What about data that nobody
made for either? scikit-learn comes with 1,797 images of handwritten digits, 8×8 pixels each (a part of a set that was
collected at Boğaziçi University: these are from 13 writers).
"""

# %%
(X, y), _, _ = digits.digit_parts(generator=seeded(SEED))
show_figure(digits_figures.some_digits(X, y), """Two rows of small grey pictures, two for each digit from 0 to 9, eight
by eight pixels each: coarse, but easy to read.""")

# %% [markdown]
r"""
**What is compared.** Networks with 1 to 4 hidden layers of 4 to 128 units, one without hidden layers, and two sets of
shapes with equal parameters, 1,000 and 5,000. Every network trains for 30 passes over its training images in batches of
64, with Adam and a one-cycle rate; six learning rates from 0.001 to 0.3, the one with the best median on the validation
images is taken. Equal parameters are here nearly equal arithmetic, too (about 4 to 6 FLOPs for each of them, example
and step).

**What is resampled.** A seed divides the table anew, at random, with each digit in proportion: 1,078 images to train
on, 360 to choose the rate with, 359 held out for the report; and it draws the initial weights. Twenty seeds, so that
each image is held out about four times. These **repeated splits** (Monte Carlo cross-validation) share their images:
any two training sets have about {{= int(100 * digits.FRACTIONS[0])}} % of their images in common. So the twenty results
are not independent, and the interval says how much the result depends on the split and the start *within these 1,797
images*. It does not say what another 1,797 would give. And as a random split puts practically every writer's digits in
all three parts, nothing here is about the hand of somebody new.

**One hidden layer of 64 units is right for nearly all held-out images ({{claim 02.digits-one-layer}}). What do four
hidden layers of 64 do?**
"""

# %%
predict("02.digits-depth", ["better by more than one percentage point", "the same, within one percentage point",
                            "worse by more than one percentage point"])

# %% [markdown]
r"""
The whole comparison takes minutes, so it is recorded. A small part of it, live, with 11 splits: no hidden layer, and
one of 4 or 16 units.
"""

# %%
names = [digits.LINEAR, "1 × 4", "1 × 16"]
some = digits.measure_digits(range(11), names)
for name in names:
    parameters, held_out = mlp_parameters(digits.SHAPES[name]), median(digits.digits(some, name))
    print(f"{name}, {parameters} parameters: held-out accuracy {held_out}, rate {chosen(some, name)}")

# %% [markdown]
r"""
Now all of it. Drawn are the errors, on a logarithmic scale, so that 2 % and 3 % can be told apart.
"""

# %%
data = recorded("02_digits")
show_figure(digits_figures.errors_by_shape(data), """Two plots of the share of held-out images read wrongly, medians
and intervals over repeated splits; a dotted line is the network without hidden layers. Left, against the width, 4 to
128: with 4 units the lines are far apart, more layers with more errors; they come together at 16 to 32 units and run
below the dotted line from there on. Right, against 1 to 4 hidden layers at equal parameters: with 5,000 the errors are
slightly more with depth; with 1,000 they rise from the dotted line to clearly above it.""")
rates = {chosen(data, name) for name in digits.SHAPES}
print(f"rates chosen: {min(rates)} to {max(rates)}, of {digits.RATES[0]} to {digits.RATES[-1]} tried")
gained = np.median(grid(data, 4, 64) - grid(data, 1, 64))
reveal("02.digits-depth", f"{100 * gained:+.1f} percentage points, the median of the recorded splits",
       right=1 if gained > 0.01 else 3 if gained < -0.01 else 2)

# %% [markdown]
r"""
**The digits are nearly linear.** Without any hidden layer a network is right nearly always. One hidden layer takes away
a good part of the errors that are left; a few units are too few, and beyond a modest width more of them buy little.
"""

# %%
show_claim("02.digits-line")
show_claim("02.digits-layer")
show_claim("02.digits-width")
show_claim("02.digits-enough")

# %% [markdown]
r"""
**Depth buys nothing here.** At equal width it changes nothing once the layers are wide, although the deep networks have
several times the parameters. At equal parameters more layers mean narrower ones; four are a little worse than one with
5,000, and clearly worse with 1,000:
"""

# %%
show_claim("02.digits-depth")
show_claim("02.digits-5000")
show_claim("02.digits-1000")
show_claim("02.digits-narrow")

# %% [markdown]
r"""
Is that the shape, or the training? Deep and narrow networks may need more steps, and all had the same 30 passes. So
give the narrow ones 120, with all rates once more (recorded):
"""

# %%
show_claim("02.digits-longer")
show_claim("02.digits-narrow-shrinks")
show_claim("02.digits-by-heart")
show_claim("02.digits-generalise")

# %% [markdown]
r"""
At width 4 it is partly the training: with more of it the distance shrinks. What is left may be the shape, or still the
training: 120 passes cannot tell. With 1,000 parameters the deep network now knows its training images by heart, and is
still worse on the others: there it is not that training did not get anywhere, it got somewhere worse.

None of this is a law. It says that for 8×8 images of digits, with fully connected networks, PyTorch's start and Adam,
1,000 parameters were better spent on one layer than on four, and 5,000 a little better. Convolutional networks, which
know that pixels have neighbours, are another story (lesson 07).

*Optional: MNIST.* 28×28 pixels, as many parameters in one, two or four hidden layers, eleven starts and six
rates on 5,000 images. With `True` the cell downloads 12 MB, once, and then trains for about ten minutes on two cores.
Write down what you expect first; we show no result here, since it is not part of what `make claims` measures.
"""

# %%
MNIST = False
if MNIST:
    (X, y), held_out = load_download("mnist", 6000, 10_000, generator=seeded(SEED), download=True)
    parts = [(X[:5000], y[:5000]), (X[5000:], y[5000:]), held_out]
    shapes = {f"{depth} hidden": sizes_for(50_000, depth, n_in=784, n_out=10) for depth in (1, 2, 4)}
    options = {"epochs": 10, "batch_size": 100, "schedule": "one-cycle", "generator": seeded(SEED)}
    print(tune_and_compare(shapes, parts, lrs=digits.RATES, n_seeds=11, **options))

# %%
feedback("02.digits")

# %% [markdown]
r"""
## 12 Does this always hold?

| one reads | where it holds | where it does not |
|---|---|---|
| "Depth needs fewer parameters." | the sawtooth, by a proof: exponentially fewer units | the digits; the flip |
| "Equal parameters, equal cost." | FLOPs, to a factor of {{= sawtooth.arithmetic(5)}} | time, memory; convolutions |
| "Another layer cannot hurt." | representing, if it is wide enough | training: the digits, narrow layers |
| "A narrow layer loses something." | the last hidden one: its rank is a floor | one in the middle, not linear |
| "The deep one won." | tuned sides, many seeds, held-out data, a named budget | where one of these is missing |
| "Depth did nothing here." | on that task, with those shapes and that training | anywhere else |

Each of these sentences holds somewhere, and none of them can stand alone.

## 13 Summary

- **Counting.** A fully connected network with $D$ hidden layers of width $w$ has $(D - 1) w^2 + (n_\text{in} +
  n_\text{out} + D) w + n_\text{out}$ parameters. With one hidden layer the price grows with the width, from two on with
  its square; then twice the depth divides the width by less than 2, in the end by about $\sqrt 2$, so the deeper
  network has more units. A training step takes up to 6 FLOPs for each parameter and example. A transformer's
  feed-forward block has $8 d^2 + 5 d$ parameters, with SwiGLU and the hidden width $\frac83 d$ it has $8 d^2$.
- **Time and memory** are not counted by either. Layers wait for one another, and narrow ones use a machine badly: with
  20,000 parameters that showed clearly, with a million much less. Activation memory grows with the number of units.
- **The flip** is linear, so it needs no depth. What narrow last layers lose is rank, and that loss can be computed
  before anything is trained.
- **The sawtooth** with $2^k$ pieces is written by $k$ layers of two units; one layer needs exactly $2^k$ units. Written
  down, depth wins exponentially. From a random start the shape that can write it hardly finds any of it; with four
  times its width, depth was ahead of one layer with as many parameters for 16 and 32 pieces, at
  {{= sawtooth.arithmetic(4)}} times the arithmetic, and neither found 64.
- **A fair fight** says what is held equal, and tunes both sides. On one checkerboard a lead of depth vanished, on the
  swirl more than half of it, on the finer checkerboard a lead remained; on other terms the shallow network won.
- **The digits** are nearly linear. Beyond a modest width nothing bought much; depth bought nothing at equal widths, and
  cost accuracy where it made the layers narrow.

So: width or depth? For fully connected networks on small tasks like these: start with one hidden layer, wide enough;
add depth where a measurement on held-out data, with both sides tuned, says that it pays for its time.

**Now do the exercises**: `02_depth_vs_width.ipynb` in the exercises' folder, with checks.

**Words.** *Depth*: the number of hidden layers. *Width*: the units in one of them. *Parameter*: a weight or a bias.
*Budget*: what both sides of a comparison may spend, said in parameters and in training cost. *FLOP*: one addition or
one multiplication of floating-point numbers. *Activation memory*: what the forward pass keeps for the backward pass.
*Feed-forward block*: the network with one hidden layer inside a transformer's block. *Rate*: the learning rate; tuned
means chosen on validation data, for each side by itself. *Repeated splits*: the same table divided again and again at
random; the parts overlap from one time to the next, so the results are not independent.

**Further reading**, with what each of them shows:

- M. Telgarsky (2015), *Representation benefits of deep feedforward networks*: for each $k$ a set of $2^k$ labelled
  points on $[0, 1]$ that a ReLU network with $2k$ layers of two units classifies without an error, while every network
  with $l$ layers of at most $2^{(k - 3)/l - 1}$ units is wrong on at least a sixth of them. About what weights exist,
  on points that were made for it.
- M. Telgarsky (2016), *Benefits of depth in neural networks*: for each $k$ networks with about $k^3$ layers of
  constant size that no network with about $k$ layers comes close to unless it has at least about $2^k$ units.
- R. Eldan & O. Shamir (2016), *The power of depth for feedforward neural networks*: in $d$ dimensions a nearly radial
  function, and a distribution of inputs, such that two hidden layers of a size polynomial in $d$ do what one hidden
  layer can only do with exponentially many units, for common activations, ReLU included. One layer more, for one
  family of functions.
- Z. Lu, H. Pu, F. Wang, Z. Hu & L. Wang (2017), *The expressive power of neural networks: a view from the width*: ReLU
  networks of width $n_\text{in} + 4$ and any depth approximate every Lebesgue-integrable function on
  $\mathbb{R}^{n_\text{in}}$, as measured by the integral of the absolute difference; with width $n_\text{in}$ or less
  that fails for almost every function. The other way round from lesson 01: there is a width that no depth makes up for.
- B. Hanin & D. Rolnick (2019), *Complexity of linear regions in deep networks* and *Deep ReLU networks have
  surprisingly few activation patterns*: with random weights the expected number of pieces along a line grows in
  proportion to the number of units, not exponentially with depth; observed in training, too. What depth *can* do is not
  what it typically does.
- T. Serra, C. Tjandraatmadja & S. Ramalingam (2018), *Bounding and counting linear regions of deep neural networks*:
  upper bounds on the number of regions; with one input and widths of at least 3, the product of all widths plus one is
  reached by some weights.
- J. Ba & R. Caruana (2014), *Do deep nets really need to be deep?*: networks with one large hidden layer, trained to
  copy the outputs of a deep model, come near it on a speech task, in some cases with as many parameters; trained on
  the labels alone they did not. So the deep one's lead was in what training found.
- Q. Nguyen & M. Hein (2017), *The loss surface of deep and wide neural networks*: with squared loss, an analytic
  activation (so not ReLU) and a hidden layer wider than the number of training points, from which on widths do not
  grow, almost all local minima are global ones. A statement about training loss.
- S. Zagoruyko & N. Komodakis (2016), *Wide residual networks*: residual convolutional networks of 16 layers that are
  wide did better on CIFAR than thin ones of up to a thousand layers, and trained faster.
- M. Tan & Q. Le (2019), *EfficientNet*: for convolutional networks on ImageNet, depth, width and image size grown
  together did better than any of them grown alone, at equal FLOPs.
- J. Kaplan et al. (2020), *Scaling laws for neural language models*: the loss of transformers depends strongly on the
  number of parameters, the data and the arithmetic, and only weakly on the shape: 6 layers of width 4,288 came
  within 3 % of 48 layers of width 1,600. In that range, for that task.
- Y. Levine, N. Wies, O. Sharir, H. Bata & A. Shashua (2020), *Limits to depth efficiencies of self-attention*: for a
  simplified self-attention, depth is worth far more than width up to a depth that grows with the logarithm of the
  width, and about as much beyond; a proof of what can be represented, with experiments that fit.
- N. Shazeer (2020), *GLU variants improve transformer*: at equal parameters and arithmetic, gated feed-forward blocks
  had lower perplexity in one text-to-text model; measured, not explained.
"""
