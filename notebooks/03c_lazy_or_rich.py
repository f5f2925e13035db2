# %% [markdown]
r"""
# 03c Lazy or rich?

**Does depth help a network that learns no features?** In excursion 03a, three layers were far ahead of one on a game of
three moves. You will train the same networks so that their features hardly change, and see what becomes of the lead. An
excursion from lesson 03, in 26 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import copy

import numpy as np
import torch

from utils.claims import claimed, recorded
from utils.exercises import yours
from utils.feedback import download, feedback
from utils.figures import use_style
from utils.lesson_03 import page
from utils.models import mlp
from utils.predictions import predict, reveal

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work

# %% [markdown]
r"""
## 1 One knob (7 min)

The game has eight ends, worth $x_1, \dots, x_8$. Two players take turns choosing one half of what is left, three times
in all, and both play well. The network sees the eight numbers, and learns from {{= lazy.POINTS}} games what a game is
worth to the player who does not begin.

A network *learns features* if its hidden layers change. We want to forbid that without touching the layers, and there
is a trick for it (Chizat et al. 2019). From the network's output, subtract what it said before training, and multiply
the difference by a number $\alpha$:

$$\text{output} = \alpha\,\bigl(f(x; \text{weights now}) - f(x; \text{weights at the start})\bigr).$$

Every network now begins with the output 0. If $\alpha$ is large, a tiny change of the weights is enough for any output,
and the features have no reason to move: training is **lazy**. If $\alpha$ is small, the weights have to go far:
training is **rich**. Write the line that returns this output, from what the network says now and what it said at the
start.
"""

# %%
# BEGIN BLANK
def centred(alpha, now, start):
    """Return alpha times how far the network's output has come from its start."""
    return alpha * (now - start)
# END BLANK

# %%
centred = yours("03c.centred")

# %% [markdown]
r"""
The training loop is the usual one, except that the loss is divided by $\alpha^2$. Otherwise its curvature would grow
with $\alpha^2$, and the largest learning rate that trains would shrink by the same factor. We use plain gradient
descent with momentum, because the theory below is about gradient descent, not Adam.
"""

# %% tags=["idea"]
def learn(sizes, alpha, lr, steps=2400):
    model = mlp(sizes, init="he")
    before = copy.deepcopy(model)
    optimizer = torch.optim.SGD(model.parameters(), lr, momentum=0.9)
    cycle = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, lr, total_steps=steps, cycle_momentum=False)
    for _ in range(steps):
        batch = torch.randint(len(X), (150,))
        output = centred(alpha, model(X[batch]), before(X[batch]).detach())
        loss = ((output - y[batch]) ** 2).mean() / alpha**2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        cycle.step()
    return model, before

# %% [markdown]
r"""
How do we see whether features moved? We take the outputs of the last hidden layer at new games, since those are all
that the read-out sees. Then we measure how far they have moved, as a share of their length. A 0 means that the features
are still the random ones. (A large number does not mean that they have learned: a layer whose units have all died has
moved by 1.)
"""

# %% tags=["idea"]
# four trainings, some seconds each
torch.manual_seed(0)  # try others
X, y, X_new, y_new = page.some_games()
shapes = {"one layer": [8, 104, 1], "three layers": [8, 20, 20, 20, 1]}
for alpha in (1 / 16, 64):  # try 1
    for name, sizes in shapes.items():
        model, before = learn(sizes, alpha, lr=0.003)
        with torch.no_grad():
            old, new = before[:-1](X_new), model[:-1](X_new)
        moved = (new - old).norm() / old.norm()
        print(f"alpha {alpha:g}, {name}: features moved by {moved:.3f} of their length")

# %% [markdown]
r"""
The knob works. With $\alpha = 64$, the features are almost as they were drawn.

## 2 Where does the lead go? (3 min)

Both networks have {{= hierarchy.BUDGET}} parameters. For each $\alpha$ and each shape, validation games choose one of
{{= len(lazy.RATES)}} learning rates. In 03a there were 6,000 games, Adam and PyTorch's weights, and three layers missed
far less of the variance than one layer. Here there are {{= lazy.POINTS}} games, gradient descent and He's weights, and
at $\alpha = 1/16$, three layers again miss far less. **What becomes of this lead at $\alpha = 64$?**
"""

# %%
predict("03c.lead")

# %%
scales = recorded("03_lazy")
reveal("03c.lead", figure=page.by_scale(scales), middle=claimed("03.lazy-one"),
       still=claimed("03.lazy-features"), **page.scale_medians(scales))

# %% [markdown]
r"""
## 3 A network that is a kernel (8 min)

What is a network whose features stay put? As long as the weights hardly move, the output changes by its gradient times
the weights' change. So the network is a *linear* model. Its features are the gradients $\nabla f(x)$ at the start, one
number for each weight, and they stay as they are. What such a model says at $x$ is a weighted sum, over the examples
$z$ that it learned from, of the products $\nabla f(x) \cdot \nabla f(z)$. So all that matters is in these products,
which are called the **neural tangent kernel** (Jacot et al. 2018):

$$\Theta(x, z) = \nabla f(x) \cdot \nabla f(z).$$

With random weights, the kernel is random. But the wider the layers, the less it depends on the draw, and in the limit
it can be written down, layer by layer. A unit's weights are normal numbers, so its sums for two inputs are two normal
numbers $u$ and $v$. If these have variance 1 and correlation $c = \cos\theta$, then two averages are all that we need
for ReLU, and both have a closed form (Cho & Saul 2009):
"""

# %% tags=["idea"]
def both(c):  # 2 E[relu(u) relu(v)]
    angle = np.arccos(np.clip(c, -1, 1))
    return (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / np.pi


def both_on(c):  # 2 P[u > 0 and v > 0]: ReLU's slope is 1 there, and else 0
    return (np.pi - np.arccos(np.clip(c, -1, 1))) / np.pi


u, v = np.random.default_rng(0).multivariate_normal([0, 0], [[1, 0.3], [0.3, 1]], 10**6).T
print(f"{both(0.3):.3f}, drawn: {2 * np.mean(np.maximum(u, 0) * np.maximum(v, 0)):.3f}")
print(f"{both_on(0.3):.3f}, drawn: {2 * np.mean((u > 0) & (v > 0)):.3f}")

# %% [markdown]
r"""
Now go through one layer, with two inputs $x$ and $z$ of equal length. Let $q$ be the mean square of its units' sums,
the same for both inputs, and $s$ the mean product of a unit's sum for $x$ and its sum for $z$. The correlation of these
two sums is $c = s/q$. With He's weights, the next layer's sums have the mean product `q * both(c)`. The new kernel has
two parts. The layer's own weights contribute just this product. The weights of all layers before it contribute the old
kernel $t$, but only where the unit is on for both inputs: `t * both_on(c)`. Write the line that returns the new kernel.
"""

# %%
# BEGIN BLANK
def next_kernel(s, t, q):
    """Return the kernel after one more ReLU layer, from s, q and the kernel t before."""
    return q * both(s / q) + t * both_on(s / q)
# END BLANK

# %%
next_kernel = yours("03c.kernel")

# %% [markdown]
r"""
Now compare this kernel with networks. All their weights are drawn from $N(0, 1)$. Each sum is divided by the square
root of the number of its terms; after a ReLU, by the square root of half that number. PyTorch computes the two
gradients, and we multiply them. Every network gives a number of its own, and the wider the network, the closer this
comes to the exact one:
"""

# %% tags=["idea"]
def exact(x, z, depth):
    q, s = x @ x / len(x), x @ z / len(x)
    t = s
    for _ in range(depth):
        s, t = q * both(s / q), next_kernel(s, t, q)
    return t


def gradient(x, weights):
    h = weights[0] @ x / len(x) ** 0.5
    for W in weights[1:]:
        h = W @ torch.relu(h) / (W.shape[1] / 2) ** 0.5
    return torch.cat([one.flatten() for one in torch.autograd.grad(h.sum(), weights)])

# %% tags=["idea"]
x, z = torch.tensor([2.0, 1, 0, 0, 0, 0, 0, 1]), torch.tensor([1.0, 1, 0, 0, 0, 0, 0, -2])
torch.manual_seed(0)
for depth in (1, 3):
    print(f"depth {depth}: {exact(x.numpy(), z.numpy(), depth):.3f}; networks", end="")
    for width in (30, 300, 3000 // depth):
        sizes = [8, *[width] * depth, 1]
        pairs = zip(sizes[:-1], sizes[1:], strict=True)
        weights = [torch.randn(b, a, requires_grad=True) for a, b in pairs]
        product = gradient(x, weights) @ gradient(z, weights)
        print(f", {width} wide: {product:.3f}", end="")
    print()

# %% [markdown]
r"""
## 4 A kernel for every depth (4 min)

So an infinitely wide network that is trained lazily learns what a linear model with this kernel learns. If it is
trained to the end, it passes exactly through all examples. A penalty on large weights, a **ridge**, keeps it from doing
so, and so does stopping early.

There is one kernel for each depth. We let each of them learn the game from the same {{= lazy.POINTS}} examples.
Validation games choose the ridge, and the size of the biases in each layer. (These are not quite the kernels of the
networks in section 2. Those networks are narrow, so they have no more random features than parameters, and their biases
start at 0.) **How much less does the kernel of three layers miss than the kernel of one layer?**
"""

# %%
predict("03c.kernels")

# %%
kernels = recorded("03_kernels")
reveal("03c.kernels", figure=page.by_kernel(kernels, scales),
       ratio=claimed("03.kernel-depth"), bare=claimed("03.kernel-bare"),
       **page.kernel_medians(kernels))

# %% [markdown]
r"""
Part of the reason is a theorem. A kernel learns fastest what lies along its eigenfunctions with large eigenvalues. On a
sphere, the eigenfunctions are the spherical harmonics. The larger their degree $k$, the faster they vary.

**Theorem** (Bietti & Bach 2021). Take inputs that are spread evenly over the sphere in $d$ dimensions, ReLU without
biases, and any fixed number of hidden layers. The eigenvalues of the neural tangent kernel fall like $k^{-d}$; the
depth changes the constant, which also depends on whether $k$ is even. (With one hidden layer, those of odd $k > 1$ are
0.)

The sentence in brackets is why biases matter. Without biases, the kernel of one layer is $c$ plus an even function of
$c$, so it cannot see odd degrees above 1. Biases give these back. Apart from that, depth changes only a constant of the
kernel.

## 5 Try to make it fall (4 min)

We changed one thing at a time. The table shows the median share of variance missed, each at the best learning rate.
"""

# %%
page.print_controls(scales, recorded("03_lazy_controls"), kernels)

# %% [markdown]
r"""
- *Is lazy training just not finished?* After four times the steps, three lazy layers still missed no less: one layer
  missed {{claim 03.lazy-longer-gone}} times as much.
- *Is it because the layers are narrow?* With as many parameters as one layer, three layers have few random features
  each. When every layer had {{= lazy.WIDE}} units, three lazy layers missed somewhat less: one layer missed
  {{claim 03.lazy-width}} times as much. But then three layers have many times the parameters, and the same two networks
  were further apart when they were trained richly.
- *Is it the game?* Three layers contain the game. One layer contains random networks of one layer, and when both were
  trained richly on these, it missed far less: {{claim 03.lazy-teacher}} times as much as three layers. Learned features
  help both networks, but most of all the one that contains the target.
- *Is it always better to learn features?* For one and the same network it was: in each row, it missed less when it was
  trained richly. But on random functions, and on the game with only {{= lazy.FEW}} examples, the kernels missed less
  than all these networks. The kernels are infinitely wide, and their biases were chosen to suit the task. A large
  network that learns no features can beat a small one that does.

<details><summary>What is μP for?</summary>

Width makes networks lazy, too. With the usual weights, a wider network needs a smaller learning rate, or it diverges;
and at rates at which it trains, a wider network moves its features less. Yang & Hu (2021) show how to scale weights and
rates so that features move equally far at every width. They call this the maximal update parametrisation, μP. Yang et
al. (2022) use it to tune a wide network's learning rate on a narrow one. Our knob $\alpha$ does by hand what width does
by itself.

</details>
"""

# %%
feedback("03c.lazy")

# %% [markdown]
r"""
**What you can now say.** Depth helped where features could move far: when both were trained richly, the one-layer
network missed several times as much of the game as the three-layer one ({{claim 03.lazy-rich}} times). When the same
networks were trained so that their features stayed put, the one-layer network missed no more than the other
({{claim 03.lazy-gone}} times as much). Infinitely wide, lazy networks are kernels; with biases that suited the game,
the kernels of one layer and of three layers missed about the same.

**What you do not know.** How lazy are the large networks that people train in practice? With other numbers of games and
steps, at which $\alpha$ does the lead disappear? (We tried one budget, and one four times as long.) And do other
kernels gain from depth, such as those of convolutions or attention? The theorem is about fully connected ReLU layers.

{{claims}}
"""

# %%
download()
