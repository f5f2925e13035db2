# %% [markdown]
r"""
# 06b The edge, again

**How deep can a network be and still learn?** Theory names a depth for every gain. Here you train networks and compare,
then take a hundred layers and ask what orthogonal weights have that Gaussian ones lack. An excursion from lesson 06, in
19 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch

from utils.claims import claimed, recorded
from utils.comparison import score
from utils.data import load_table
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_06 import page
from utils.models import mlp
from utils.predictions import predict, reveal

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 0  # try others
generator = torch.Generator().manual_seed(SEED)
(X, y), (X_new, y_new) = load_table("digits", (0.8, 0.2), generator=generator)

# %% [markdown]
r"""
## 1 The depth that theory names (2 min)

Send two different digits through a random tanh network. You saw in lesson 05 what becomes of them: below the edge they
grow alike, and above it all pairs become equally unlike. Either way, after enough layers nothing tells you which digit
went in. The difference from the final state shrinks by a factor of $e$ every $\xi_c$ layers. Below the edge, the final
state is "both the same", and $\xi_c = -1/\ln \chi_1$. Compute $\xi_c$ for small biases, of variance 0.05 ($\sigma_w$ is
the lesson's gain):
"""

# %% tags=["idea"]
u, weight = np.polynomial.hermite_e.hermegauss(100)  # averages over a standard normal u
weight /= weight.sum()


def xi_c(sigma_w, sigma_b=0.05**0.5):
    q = 1.0
    for _ in range(1000):  # the length map of lesson 05, until it rests
        q = sigma_w**2 * (weight @ np.tanh(q**0.5 * u) ** 2) + sigma_b**2
    chi_1 = sigma_w**2 * (weight @ (1 - np.tanh(q**0.5 * u) ** 2) ** 2)
    return -1 / np.log(chi_1)


for sigma_w in (0.7, 0.9, 1.1, 1.2, 1.3):  # try 1.4, too
    print(f"σ_w = {sigma_w}:  ξ_c = {xi_c(sigma_w):5.1f} layers,  "
          f"6 ξ_c = {6 * xi_c(sigma_w):5.1f}")

# %% [markdown]
r"""
At the edge, $\chi_1 = 1$ and $\xi_c$ is infinite. Above it, your cell returns a negative number, because a pair no
longer settles where both are the same. There you have to take the slope at the other fixed point, $c^*$, as
`depth_scale` in `utils.meanfield` does.

What has this to do with learning? Schoenholz et al. (2017) trained networks on MNIST by gradient descent, and found
that they learn up to a depth of about $6\,\xi_c$. The 6 is read off their pictures, not derived.

## 2 Train beside it (5 min)

Here is gradient descent for networks of three depths. Change the gain, and find a rate that suits each depth.
"""

# %% tags=["idea"]
def learn(model, lr, steps=200, batch=16):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        rows = torch.randint(len(X), (batch,), generator=generator)
        loss = torch.nn.functional.cross_entropy(model(X[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


# %% tags=["idea"]
sigma_w, lr = 0.9, 0.04  # try 1.33 and 2.5, and other rates
for depth in (4, 12, 36):
    sizes = [64, *[50] * depth, 10]
    model = mlp(sizes, "tanh", init=("lecun", sigma_w), bias_std=0.05**0.5,
                generator=generator)
    learn(model, lr)
    print(f"depth {depth:>2}: {score(model, X_new, y_new):.2f} "
          "of the held-out digits are right")

# %% [markdown]
r"""
Our experiment took {{= len(edge.GAINS)}} gains: five below the edge, five above it and one on it. It took
{{= len(edge.DEPTHS)}} depths from {{= edge.DEPTHS[0]}} to {{= edge.DEPTHS[-1]}} at width {{= edge.WIDTH}}, and
{{= edge.STEPS}} steps of plain gradient descent. For every gain and depth, the rate was the best of
{{= len(edge.RATES)}} on validation digits. We noted the depth at which accuracy is half-way between perfect and chance.

**Does that depth follow $6\,\xi_c$?** ("Follows": on average within a factor of two.)
"""

# %%
predict("06b.depth")

# %%
trainable = recorded("06_edge")
reveal("06b.depth", figure=page.depths_reached(trainable),
       ordered=claimed("06.edge-ordered"), power=claimed("06.edge-power"),
       chaotic=claimed("06.edge-chaotic"), elsewhere=claimed("06.edge-elsewhere"),
       **page.depth_answer(trainable))

# %% [markdown]
r"""
## 3 Is it a wall? (2 min)

A network that learns nothing in {{= edge.STEPS}} steps may be too deep, or only slow. Take one gain on each side of the
edge, {{= edge.LONGER_GAINS[0]}} and {{= edge.LONGER_GAINS[1]}}, and four times the steps, with rates tuned again. **How
much deeper do networks learn now?**
"""

# %%
predict("06b.longer")

# %%
longer = recorded("06_longer")
reveal("06b.longer", figure=page.longer_training(longer), **page.longer_answer(longer),
       ordered=claimed("06.longer-ordered"), chaotic=claimed("06.longer-chaotic"))

# %% [markdown]
r"""
## 4 All directions at once (4 min)

Now take a hundred layers without biases, at gain 1. $\chi_1$ is about an *average*: if you nudge the input in all
possible ways, how much comes out at the end, in mean square? A mean can hide a lot. The Jacobian of the output with
respect to the input has one factor for each direction: its singular values. Build it up, layer by layer:
"""

# %% tags=["idea"]
def gaussian(width):
    return torch.randn(width, width, generator=generator).double() / width**0.5


def orthogonal(width):
    return torch.linalg.qr(gaussian(width)).Q


def jacobian(weights, width=100, depth=100, gain=1.0):
    x, J = torch.randn(width, generator=generator).double(), torch.eye(width).double()
    for _ in range(depth):
        W = gain * weights(width)
        x = torch.tanh(W @ x)
        J = (1 - x**2)[:, None] * (W @ J)
    return torch.linalg.svdvals(J)


# %% [markdown]
r"""
On average, both kinds of matrix keep a random vector's length. An orthogonal matrix keeps *every* vector's length. Take
width 100, and call a direction **alive** if its singular value is at least a hundredth of the largest. **With Gaussian
weights, how many of the 100 directions are alive after a hundred layers?**
"""

# %%
predict("06b.alive")

# %%
values = {"orthogonal": jacobian(orthogonal), "Gaussian": jacobian(gaussian)}
narrow, wide = (page.alive_answer({"Gaussian": jacobian(gaussian, width)})["gaussian"]
                for width in (25, 200))
reveal("06b.alive", figure=page.spectra(values), narrow=narrow, wide=wide,
       **page.alive_answer(values))

# %% [markdown]
r"""
Without the tanh, the orthogonal line is exactly level, because a product of orthogonal matrices is orthogonal. From
this, Saxe et al. (2014) derived that deep *linear* networks that start from special initial conditions, at a scaled
rate, learn in a number of steps that does not grow with depth. With tanh, the line falls by a power of ten over most
directions, and by more at the end. If all singular values stay near 1, that is called **dynamical isometry**.

**Theorem** (Pennington, Schoenholz & Ganguli 2017, for infinite width). Tanh networks can have dynamical isometry with
orthogonal weights, but not with Gaussian ones; ReLU networks have it with neither.

Our networks fall short of isometry. And whatever tells ten digits apart has to travel along directions that are alive.

*→ Exercise 06.6 makes orthogonal weights.*

## 5 A hundred layers (2 min)

You have seen this race at width 32. Does more width rescue the Gaussian weights? Train both at the same rate, on the
same digits:
"""

# %% tags=["idea"]
losses = {}
for name, init in (("orthogonal", "orthogonal"), ("Gaussian", "lecun")):
    model = mlp([64, *[100] * 100, 10], "tanh", init=init, generator=generator)
    # try other rates, and gains: init=(init, 1.05)
    losses[name] = learn(model, lr=0.01, steps=100)
    print(f"{name:>10}: {score(model, X_new, y_new):.2f} "
          "of the held-out digits are right")
show_figure(page.losses(losses), "06b.losses")

# %% [markdown]
r"""
For a fair race, we tuned the rate of each (among {{= len(edge.LAYERS_RATES)}}, on validation digits), at three widths:
below the depth, equal to it, and twice as large. Each training run took {{= edge.LAYERS_STEPS}} steps.
"""

# %%
show_figure(page.accuracies_by_width(recorded("06_widths")), "06b.widths")

# %% [markdown]
r"""
After the same few steps, orthogonal weights led in held-out accuracy by {{claim 06.orthogonal-narrow}} at width
{{= edge.WIDTHS[0]}}, and by {{claim 06.orthogonal-wide}} at width {{= edge.WIDTHS[2]}}. So width helps Gaussian
weights, but no more than it helps orthogonal ones. Does the gain explain this lead? Both kinds do best a little above
gain 1. With the best of {{= len(edge.BOTH_GAINS)}} gains for each, at width {{= edge.BOTH_WIDTH}}, orthogonal weights
led by {{claim 06.orthogonal-gained}}.

## 6 Another way out: keep the sum small (4 min)

A transformer keeps its signal alive in another way: it *adds* every branch to a stream, two branches in each block.
Each branch looks at a normalised copy of the stream. What does this sum do to the variance? The variances of
independent terms add up, so after $N$ branches of variance 1, the stream's is $1 + N$. For GPT-2, Radford et al. (2019)
multiply the weights at the end of each branch by $1/\sqrt N$. Here a random matrix stands in for a branch:
"""

# %% tags=["idea"]
def stream(scale, normalised, branches=96, width=200):
    x = torch.randn(500, width, generator=generator)
    variances = [x.var().item()]
    for _ in range(branches):
        W = scale * torch.randn(width, width, generator=generator) / width**0.5
        x = x + (x / x.std() if normalised else x) @ W
        variances.append(x.var().item())
    return variances


# %% [markdown]
r"""
The largest GPT-2 has 96 branches, so $N = 96$. **With $1/\sqrt N$ on every branch, what is the variance at the end?**
"""

# %%
predict("06b.stream")

# %%
variances = page.four_streams(stream)
reveal("06b.stream", figure=page.streams(variances), **page.stream_answer(variances))

# %% [markdown]
r"""
*→ Exercise 06.8 finds the scale for any growth.*
"""

# %%
feedback("06b.edge")

# %% [markdown]
r"""
**What you can now say.** At the edge, networks learned at several times the depth that they did far from it
({{claim 06.edge-deepest}}). Below the edge, their depth grew with $\xi_c$, though more slowly. Above it, the gradient's
own scale $1/\ln \chi_1$ fitted, but not next to the edge. None of these depths is a wall: in four times the steps,
deeper networks learned. A hundred tanh layers learned sooner from orthogonal weights, which keep nearly every
direction, than from Gaussian ones, which keep a gradient's *mean* square. And the gain does not explain this lead.

**What you do not know.** How this looks in wide networks, where theory is exact: these had {{= edge.WIDTH}} units.
Whether Adam, which undoes the size of a gradient, moves the border. How far longer training would bring Gaussian
weights at these widths: both kinds had {{= edge.LAYERS_STEPS}} steps. And whether a stream that stays bounded trains
better: in section 6 we trained nothing.

{{claims}}
"""

# %%
download()
