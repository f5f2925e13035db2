# %% [markdown]
r"""
# 07a Why skips help

**What helps: the wire, or that each layer does little?** A skip connection comes with two things: a wire that copies
the input and, usually, branches that start small. Here you take the two apart, before training and after it. This is an
excursion from lesson 07, in 17 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch

from utils.claims import claimed, recorded
from utils.comparison import score
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_07 import page
from utils.models import activation_bytes, count_flops, count_parameters
from utils.predictions import predict, reveal
from utils.training import train

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 0  # try others
generator = torch.Generator().manual_seed(SEED)

# %% [markdown]
r"""
## 1 Slopes that shatter (5 min)

Gradient descent follows slopes, and trusts that a slope still holds a small step away. Take networks,
{{= skips.SHATTER_WIDTHS[1]}} units wide, that turn one number into one number. Give them He's weights and biases from
$N(0, {{= skips.BIAS_STD}}^2)$, and look at their slope along the input. Nothing is trained.
"""

# %% tags=["idea"]
def slopes(model):
    x = torch.linspace(-2, 2, 256)[:, None].requires_grad_()
    (dfdx,) = torch.autograd.grad(model(x).sum(), x)
    return dfdx[:, 0]


few, many = (slopes(page.one_input("plain", blocks, generator=generator))
             for blocks in (1, 25))  # a block is two layers, after a first one
show_figure(page.slope_curves(few, many), "07a.slopes")

# %% [markdown]
r"""
Balduzzi et al. (2017) call this **shattered gradients**. To measure the shattering, correlate slopes that are four
points apart, a distance of {{= format(skips.DISTANCE, ".2f")}}:
"""

# %% tags=["idea"]
def correlation(numbers, lag=4):
    gaps = numbers - numbers.mean()
    return ((gaps[lag:] * gaps[:-lag]).mean() / gaps.square().mean()).item()


def typical(kind, blocks, networks=9):
    models = [page.one_input(kind, blocks, generator=generator) for _ in range(networks)]
    return np.median([correlation(slopes(model)) for model in models])


for blocks in (1, 8, 25):
    print(f"{1 + 2 * blocks:>2} plain layers: {typical('plain', blocks):.2f}")

# %% [markdown]
r"""
Put the same 51 matrices into three other networks:

- **skip alone**: blocks $(h + V\,\mathrm{relu}(Wh)) / \sqrt3$, with He's weights throughout. The $\sqrt3$ keeps the
  length as it is (section 2). Without it, the stream would soon outgrow the biases;
- **scaled skip**: $h + V\,\mathrm{relu}(Wh)$, where $V$ (not its bias) is divided by the square root of the number of
  blocks, as in lesson 07;
- **near the identity**: no skip, plain layers with $W = I + \text{He}/\sqrt{\text{depth}}$.

**Which of the three networks keep a correlation above {{= skips.TOGETHER}}?**
"""

# %%
predict("07a.shatter")

# %%
shattered, others = recorded("07_shatter"), recorded("07_shatter_biases")
yours = {kind: typical(kind, 25) for kind in page.KINDS}
reveal("07a.shatter", figure=page.correlations(shattered), yours=page.listed(yours),
       kept=claimed("07.skip-kept"), rotated=claimed("07.skip-rotated"),
       **page.shatter_answer(shattered, others))

# %% [markdown]
r"""
Without biases, nothing shatters at all:

**Proposition.** In a network with one input, ReLU and zero biases, plain or with skips, the slope is constant on each
side of 0.

For $a > 0$, every layer, branch and sum passes a factor $a$ on, so $f(ax) = a\,f(x)$: a straight line on
each side. ∎

Nothing was trained here, so it does not follow that shattered slopes are *why* deep networks learn badly.

## 2 Two inputs in two lines (4 min)

Lesson 06 sent two inputs through plain ReLU layers, and their cosine went to 1: such a network can hardly tell them
apart. What do blocks $h + f\,V\,\mathrm{relu}(Wh)$ do to them? Lengths first:

**Proposition.** If the entries of $W$ and $V$ are independent and normal, with mean 0 and variance $2/n$, a block
multiplies the expected squared length by $1 + 2f^2$, at any width $n$.

Each entry of $Wh$ is normal, with variance $2\lVert h\rVert^2/n$; relu keeps half of its mean square, so
$E\lVert\mathrm{relu}(Wh)\rVert^2 = \lVert h\rVert^2$, and $V$ doubles that. The mixed term vanishes, since $V$ has mean
0. ∎

With $f = 1$ the factor is $3^B$ after $B$ blocks. With $f = 1/\sqrt B$ it is $(1 + 2/B)^B < e^2$, however deep the
network is. The inner product of two inputs grows in the same way, except that relu turns a cosine $c$ into Cho & Saul's
(2009) $\kappa(c)$. Add up, divide by the length, and you have the new `c` below, for infinite width:
"""

# %% tags=["idea"]
def kappa(c):
    return (np.sqrt(1 - c * c) + c * (np.pi - np.arccos(c))) / np.pi


def cosine_after(blocks, f, c=0.0):
    for _ in range(blocks):
        c = (c + 2 * f**2 * kappa(c)) / (1 + 2 * f**2)
    return c

# %% [markdown]
r"""
Two inputs start with cosine 0. **What is their cosine after 25 blocks?**
"""

# %%
predict("07a.angle")

# %%
angles = recorded("07_angles")
reveal("07a.angle", figure=page.two_inputs(angles), theory=claimed("07.skip-theory"),
       yours=[cosine_after(25, f) for f in (0.2, 1)],
       longer=cosine_after(1000, 1000**-0.5),
       apart=claimed("07.skip-apart"), **page.angle_answer(angles))

# %% [markdown]
r"""
Yang & Schoenholz (2017) worked out this mean-field theory for residual networks whose branches are not scaled. In plain
networks, lengths, angles and gradients change exponentially with depth. In their residual tanh networks they change
more slowly: over $L$ layers, lengths and angles go like a power of $L$, gradients like $e$ to a multiple of $\sqrt L$.
With ReLU, as you have just seen, lengths do grow exponentially.

## 3 The argument that started it (2 min)

He et al. (2016) trained plain networks of 20 and 56 layers on CIFAR-10. The deeper one had the higher *training* error,
so the cause was not overfitting. Nor was it vanishing gradients, they argued for their ImageNet networks of 18 and 34
layers, which showed the same: batch normalisation kept the signals alive, and they checked the gradients' norms. And
yet a good solution exists: copy the shallower network, and let all further layers be the identity. They suspected that
solvers have trouble finding identities through several nonlinear layers. With $h + F(h)$, the identity is $F = 0$.

You can read that, and the following papers, as arguments about where training starts. Two of the papers are earlier:

| | at the start |
|---|---|
| Srivastava et al. 2015 (Highway) | learned gates mix a layer and a copy, and begin mostly with the copy |
| Le et al. 2015 (IRNN) | a recurrent ReLU network starts at $W = I$ |
| Hardt & Ma 2017 | theory, for linear residual networks: near $I$, every critical point is a global minimum |
| Balduzzi et al. 2017 | not the identity, but linear: mirrored weights undo ReLU; some 200 plain layers train |
| Zagoruyko & Komodakis 2017 (DiracNets) | plain layers, in which $W$ contains a scaled $I$ throughout |
| Zhang et al. 2019 (Fixup) | each branch's last matrix is 0, others are scaled down with depth |
| De & Smith 2020 (SkipInit) | each branch starts with factor 0; batch normalisation shrinks it by about √depth |
| Bachlechner et al. 2021 (ReZero) | each branch has a learned factor, 0 at the start |

## 4 Take a block out (4 min)

Veit et al. (2016) removed single blocks from trained residual networks. Accuracy hardly fell. In a plain network (VGG)
it fell to chance. (When they exchanged blocks, errors grew smoothly with the number of exchanges.) Was it the skip that
helped? Train two networks on the digits:
"""

# %% tags=["idea"]
part, validation, held_out = page.digits(generator=generator)
models = {}
# try "plain", "skip", "near a permutation"; each takes some seconds
for kind in ("scaled skip", "near the identity"):
    models[kind] = page.network(kind, generator=generator)
    train(models[kind], *part, epochs=17, batch_size=50, lr=0.003, schedule="cosine")
    print(f"{kind}: {score(models[kind], *held_out):.2f} "
          "of the held-out digits are right")

# %% [markdown]
r"""
Take out each of the 25 blocks in turn. In a plain network a block is a pair of layers.
"""

# %% tags=["idea"]
def lost(model):
    parts = page.in_blocks(model)  # the first layer, 25 blocks, the output layer
    # to exchange two: parts[:i] + parts[i + 1:i + 2] + parts[i:i + 1] + parts[i + 2:]
    whole = score(parts, *held_out)
    return [whole - score(parts[:i] + parts[i + 1:], *held_out)
            for i in range(1, 26)]


mine = {kind: np.median(lost(model)) for kind, model in models.items()}

# %% [markdown]
r"""
The experiment trains all four kinds like this, {{= skips.removed.seeds}} networks of each. **Take the median over the
25 blocks: which kinds lose at most {{= skips.LITTLE}} of held-out accuracy without a block?**
"""

# %%
predict("07a.removed")

# %%
removed = recorded("07_removed")
reveal("07a.removed", figure=page.without_a_block(removed), yours=page.listed(mine),
       longer=claimed("07.skip-lost-longer"), permuted=claimed("07.permuted-lost"),
       **page.removed_answer(removed))

# %% [markdown]
r"""
Veit et al. unfold $B$ blocks into $2^B$ paths, and read their result as an *ensemble* of mostly short paths. If the
branches are linear, the network is exactly a sum of separate paths, but a relu mixes them. Greff et al. (2017) read the
same results in another way: each block refines one estimate a little. Our measurement cannot tell the two readings
apart.

## 5 What a skip costs (2 min)
"""

# %% tags=["idea"]
X = part[0][:100]
for kind in ("plain", "scaled skip"):
    model = page.network(kind, generator=generator)
    print(f"{kind:>11}: {count_parameters(model):,} parameters, "
          f"{count_flops(model, X).step / 1e6:.0f} million FLOPs a step, "
          f"{activation_bytes(model, X) / 1e3:,.0f} kB kept for the backward pass")

# %% [markdown]
r"""
The sum itself takes {{= networks.WIDTH}} additions per block and image, which the FLOPs leave out. In use, without
training, a plain network may forget each layer's input at once. A network with skips must keep each block's input until
the branch is done.
"""

# %%
feedback("07a.skips")

# %% [markdown]
r"""
**What you can now say.** In our networks, what matters is that each layer does little, up to the numbering of its
units. The wire is not needed, and is not enough alone. Before training, the wire alone at best slows the shattering
down: slopes correlate less than with scaled skips, by {{claim 07.skip-unscaled}}. Plain layers near the identity keep
the slopes together. A random permutation in each of these layers changes nothing, but a random rotation shatters the
slopes again.

Once the networks have learned, taking a block out costs {{claim 07.skip-lost}} of accuracy with scaled skips and
{{claim 07.skip-lost-start}} near the identity. With the wire alone it costs {{claim 07.skip-lost-alone}}. Near a
permutation it costs most of the accuracy, so there the units' numbering matters, too.

**What you do not know.** What tuned rates would change: the networks here were small, and all had the same rate. What
batch normalisation adds, with which residual networks became known. Whether shattered slopes cause slow learning, or
are only another sign of it.

{{claims}}
"""

# %%
download()
