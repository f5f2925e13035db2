# %% [markdown]
r"""
# 03c Lazy or rich?

**Does depth help a network that learns no features?** In excursion 03a, three layers were far ahead of one on a game of
three moves. You will train the same networks so that their features hardly change, and look where the lead goes. An
excursion from lesson 03, in 25 minutes. Nothing later needs it.
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

The game has eight ends, worth $x_1, \dots, x_8$. Two players choose halves in turn, three times, and both play well.
The network sees the eight numbers, and learns what the game is worth to the player who does not begin. It has
{{= lazy.POINTS}} games to learn from.

A network *learns features* if its hidden layers change. We want to forbid that without touching the layers, and
there is a trick for it (Chizat et al. 2019). Do not use the network's output as it is. Subtract what the network said
before training, and multiply by a number $\alpha$:

$$\text{output} = \alpha\,\bigl(f(x; \text{weights now}) - f(x; \text{weights at the start})\bigr).$$

Every network now begins with the output 0. If $\alpha$ is large, a tiny change of the weights is enough to say
anything, and the features have no reason to move: training is **lazy**. If $\alpha$ is small, the weights have to go
far: training is **rich**. Write the line that returns this output, from what the network says now and what it said at
the start.
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
The training loop is the usual one. Only the loss is divided by $\alpha^2$, since its gradients grow with $\alpha^2$
otherwise, and no learning rate would suit two values of $\alpha$. We use plain gradient descent with momentum:
the theory below is about gradient descent, and not about Adam.
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
that the read-out sees. We measure how far they have moved, as a share of how long they were. A 0 means that the
features are still the random ones.
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
The knob works. With $\alpha = 64$ the features are almost those that were drawn.

## 2 Where does the lead go? (4 min)

Both networks have about {{= hierarchy.BUDGET}} parameters. For each $\alpha$ and each shape, validation games choose
the learning rate, out of six. Trained richly, with $\alpha = 1/16$, three layers miss far less of the game's variance
than one, as they did in 03a. **What becomes of this lead at $\alpha = 64$?**
"""

# %%
predict("03c.lead")

# %%
scales = recorded("03_lazy")
reveal("03c.lead", figure=page.by_scale(scales), lazy=claimed("03.lazy-gone"),
       still=claimed("03.lazy-features"), **page.scale_medians(scales))

# %% [markdown]
r"""
## 3 A network that is a kernel (7 min)

Why would depth be worth nothing there? As long as the weights hardly move, the output changes by its gradient times
their change. So the network is a *linear* model. Its features are the gradients $\nabla f(x)$ at the start, one number
for each weight. What a linear model learns depends on products of features alone, and so on the **neural tangent
kernel** (Jacot et al. 2018)

$$\Theta(x, z) = \nabla f(x) \cdot \nabla f(z).$$

For random weights it is random. But the wider the layers, the less it depends on the draw, and in the limit it can be
written down, layer by layer. For ReLU two averages are all that is needed. They are over normal sums $u$ and $v$ with
variance 1 and correlation $c = \cos\theta$, and both have a closed form (Cho & Saul 2009):
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
Let $s$ be the mean product of the sums that go into a layer, for inputs $x$ and $z$, and $q$ the mean square that each
of them has (equal for both, here). Their correlation is $c = s/q$. One ReLU layer with He's weights makes $q \cdot
\text{both}(c)$ of $s$. The kernel has two parts. The layer's own weights bring that product, $q \cdot
\text{both}(c)$. All weights before them bring the old kernel $t$; it comes through wherever ReLU's slope is 1 for both
inputs, so it is multiplied by $\text{both\_on}(c)$. Write the line that returns the new kernel.
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
Now compare it with networks. All weights are drawn from $N(0, 1)$; each sum is divided by the square root of the
number of its terms, or of half of it after a ReLU. We take gradients by PyTorch, and multiply.
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
## 4 A kernel for every depth (3 min)

So an infinitely wide network that is trained lazily is ridge regression with a kernel that you can compute. There is
one for each depth. Let them learn the game from the same {{= lazy.POINTS}} points; validation games choose the size of
the biases and the ridge. **How much less does the kernel of three layers miss than that of one?**
"""

# %%
predict("03c.kernels")

# %%
kernels = recorded("03_kernels")
reveal("03c.kernels", figure=page.by_kernel(kernels, scales),
       ratio=claimed("03.kernel-depth"), **page.kernel_medians(kernels))

# %% [markdown]
r"""
A theorem says why. Ridge regression with a kernel learns best what lies along the kernel's eigenfunctions with large
eigenvalues.

**Theorem** (Bietti & Bach 2021). Take inputs on the sphere in $d$ dimensions, ReLU without biases, and any fixed
number of hidden layers. The eigenvalues of the neural tangent kernel fall like $k^{-d}$ with the degree $k$ of the
spherical harmonics; depth changes the constant only. (With one hidden layer, this holds for even $k$. Of odd degrees
above 1 it sees nothing, because without biases its kernel is $c$ plus an even function of $c$.)

So to a kernel, depth is worth a constant. It does not say that all depths err alike on one target; that is what we
measured.

## 5 Try to make it fall (4 min)

We changed one thing at a time. The table has the medians of the share missed, with the best rate for each.
"""

# %%
page.print_controls(scales, recorded("03_lazy_controls"), kernels)

# %% [markdown]
r"""
- *Is lazy training just not finished?* After four times the steps three lazy layers still miss no less than one (one
  over three: {{claim 03.lazy-longer-gone}}).
- *Is it the narrow layers?* At equal parameters, three layers have few random features each. If every layer has
  {{= lazy.WIDE}} units, three lazy layers miss somewhat less than one ({{claim 03.lazy-width}}). But then they have
  many times its parameters, and trained richly the same two networks are further apart.
- *Is it the game?* Three layers contain the game. A random network of one layer is contained in one layer, and there
  one layer misses far less when it is trained richly (one over three: {{claim 03.lazy-teacher}}). Learned features
  help the network that contains the target, whichever that is.
- *Is learning features always better?* No. On random functions, and on the game with only {{= lazy.FEW}} examples, the
  kernels miss less than any of the networks. Features are worth learning where there are some, and examples enough to
  find them.

<details><summary>What is μP for?</summary>

Width makes networks lazy, too. With the usual weights and one learning rate, the wider a network is, the less its
features move, until nothing is left but the kernel. Yang & Hu (2021) show which scaling of weights and rates lets
features move as much at every width, and call it the maximal update parametrisation, μP. It is the reason why a
learning rate that was tuned on a narrow network can serve a wide one. Our knob α does by hand what μP does by width.

</details>
"""

# %%
feedback("03c.lazy")

# %% [markdown]
r"""
**What you can now say.** Depth helps a network that learns features, if these are what the target is made of. With
features that moved, one layer missed several times as much of the game as three (about {{claim 03.lazy-rich}}); with
the same networks, trained so that features stayed, it missed no more ({{claim 03.lazy-gone}}). For infinitely wide
lazy networks a theorem says that every depth has the same kind of kernel, and on the game one layer's kernel and three
layers' came out alike ({{claim 03.kernel-depth}}).

**What you do not know.** How lazy a large network is that somebody trains in practice. Whether other kernels, of
convolutions or of attention, gain by depth: the theorem is about fully connected ReLU layers, and inputs on a sphere.
And how the lead looks between 1/16 and 1/64, where three layers no longer learned at any of our six rates.

{{claims}}
"""

# %%
download()
