# %% [markdown]
r"""
# 06 Initialization: the first step decides

**Why does a deep network with random weights learn at all?** You will find the one size of weights that fifty layers
survive, derive it in four lines, and bring a network that does not train back to life.

*73 minutes, five lines of yours included, and about 55 more for the exercises. You need lessons 01 and 05.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import inspect

import numpy as np
import torch
from torch import nn

from utils.claims import claimed, recorded
from utils.exercises import yours
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_06 import page
from utils.live_training import live_training
from utils.models import mlp
from utils.playground import playground
from utils.predictions import ask, predict, reveal
from utils.training import train

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 6

# %% [markdown]
r"""
## Three questions about lesson 05 (2 min)
"""

# %%
ask("06.before-edge", "06.before-square", "06.before-copy")

# %% [markdown] tags=["aha"]
r"""
## 1 Drag the gain (12 min)

Training starts from random weights. How large should they be? Send a hundred inputs through fifty ReLU layers without
biases. The weights have mean 0 and standard deviation $g/\sqrt{n}$, where $n$ is the number of inputs of the layer, and
$g$ is the **gain** (in lesson 05 this dial was $\sigma$). **Write the line that returns these weights.** `Z` holds
standard normal numbers, one row per unit and one column per input. (Replace the three dots. If you are stuck, the line
is folded below. The page goes on either way.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def scaled(Z, gain):
    """Return weights [units, inputs] of this gain, made of Z [units, inputs]."""
    return gain / np.sqrt(Z.shape[1]) * Z
# END BLANK

# %%
scaled = yours("06.scaled")


def relu(u):
    return np.maximum(u, 0)


def sizes(gain, depth=50, n=300):
    rng, after = np.random.default_rng(SEED), []
    x = rng.standard_normal((n, 100))  # a hundred inputs, one in each column
    for _ in range(depth):
        x = relu(scaled(rng.standard_normal((n, n)), gain) @ x)
        after.append(np.sqrt(np.mean(x**2)))
    return np.array(after)


print("gain 2, after layers 1, 10 and 50:",
      *[f"{size:.2g}" for size in sizes(gain=2)[[0, 9, 49]]])

# %% [markdown]
r"""
The inputs had size 1. (*Size* is the square root of the mean square.) Gain 1 looks fair: a sum of $n$ inputs, each
times a weight of variance $1/n$, is about as large as the inputs. **At gain 1, how large is the signal after layer
50?**
"""

# %%
predict("06.gain")

# %%
reveal("06.gain", size=sizes(gain=1)[49])

# %% [markdown]
r"""
Training also needs the gradient of the loss, which enters at the top and travels down. In the film, each row is the
histogram of one layer's absolute values, with layer 1 at the bottom. One step to the right means ten times as large.
(The right tower need not stand on the line: only its lean counts.)

**Drag the gain until both towers stand upright.**
"""

# %%
page.play_gains("relu")

# %% [markdown]
r"""
When the gain is too small, both fade on their way, the signal up and the gradient down. When it is too large, both
explode. At one gain in between, both survive.
"""

# %% [markdown]
r"""
## 2 Four lines on paper (13 min)

Which gain is it? Take one sum $u = w_1 x_1 + w_2 x_2 + \dots$. When you square it, the mixed terms average to 0, since
the weights are independent with mean 0. That leaves $n_{in}$ squares, each with $E[w^2] = g^2/n_{in}$. (In lesson 05
the mean square of the sums was the *length*, $q$.)
$$E[u^2] = n_{in} \cdot \frac{g^2}{n_{in}} \cdot E[x^2] = g^2\, E[x^2]. \tag{1}$$
The sum is as likely to be $-u$ as $u$, so on average ReLU keeps half of the squares:
$$E[\text{relu}(u)^2] = \tfrac12\, E[u^2]. \tag{2}$$
Now the way back. Let $\delta_i$ be the gradient at the sum $u_i$. An input $x_j$ feeds $n_{out}$ sums, so its gradient
is $w_{1j}\delta_1 + w_{2j}\delta_2 + \dots$, and the same argument holds:
$$E\!\left[(\partial L/\partial x)^2\right] = n_{out} \cdot \frac{g^2}{n_{in}} \cdot E[\delta^2]. \tag{3}$$
In the layer below, this gradient is multiplied by ReLU's slope, which is 1 for half of the units and 0 for the others:
$$E[\delta_{below}^2] = \tfrac12\, E\!\left[(\partial L/\partial x)^2\right]. \tag{4}$$
So each layer has one factor for the mean square of the sums, forwards, and one for that of their gradients, backwards.
**Write the line that returns both factors.**
"""

# %% tags=["idea"]
# BEGIN BLANK
def factors(gain, n_in, n_out):
    """Return two factors of a mean square in one ReLU layer: forwards, backwards."""
    return gain**2 / 2, gain**2 / 2 * n_out / n_in
# END BLANK

# %% [markdown]
r"""
Are your factors right? Test them on a layer with four times as many inputs as outputs:
"""

# %%
factors = yours("06.factors")
n_in, n_out, gain = 1000, 250, 2.0
rng = np.random.default_rng(SEED)
u_below = rng.standard_normal((n_in, 200))
W = scaled(rng.standard_normal((n_out, n_in)), gain)
u = W @ relu(u_below)
delta = rng.standard_normal((n_out, 200))  # what comes from above
delta_below = (W.T @ delta) * (u_below > 0)
forwards, backwards = factors(gain, n_in, n_out)
print(f"forwards:  {np.mean(u**2) / np.mean(u_below**2):.3f}, formula {forwards:.3f}")
print(f"backwards: {np.mean(delta_below**2) / np.mean(delta**2):.3f}, "
      f"formula {backwards:.3f}")

# %% [markdown]
r"""
**Proposition** (He et al. 2015). If the weights are independent, symmetric around 0 and of variance $g^2/n_{in}$, and
there are no biases, then a ReLU layer multiplies the mean square of the sums by $g^2/2$, on average.

Lines 1 and 2 prove it. ∎

If a layer has as many outputs as inputs, both factors are $g^2/2$. They are 1 for $g = \sqrt2$, the gain you found. (In
networks of width {{= gains.WIDTH}}, the forward factor was {{claim 06.signal-kept}}. Lines 3 and 4 treat the weights as
if they were drawn anew for the way back; section 3 measures whether that does harm.)

(You will read that ReLU halves the *variance*. It halves the mean square. A standard normal number's variance falls to
$\frac12 - \frac1{2\pi}$, because after ReLU its mean is no longer 0.)

Three famous initialisations are one formula, $\text{Var}(w) = g^2/n_{in}$:

| | $\text{Var}(w)$ | gain $g$ | the reason |
|---|---|---|---|
| LeCun et al. 1998 | $1/n_{in}$ | $1$ | line 1, for units $1.7159 \tanh(2u/3)$ |
| Glorot & Bengio 2010 | $2/(n_{in} + n_{out})$ | $1$ if $n_{in} = n_{out}$ | lines 1 and 3, for nearly linear units |
| He et al. 2015 | $2/n_{in}$ | $\sqrt2$ | lines 1 and 2, for ReLU |



*→ Now do exercise 06.1: the right standard deviation.*
"""

# %% [markdown]
r"""
## 3 tanh is different (14 min)

Replace ReLU by tanh. You know its signal from lesson 05. Below gain 1, it fades fast. At gain 1, it fades slowly: in
theory its size is close to $1/\sqrt{2l}$ after layer $l$, and after twenty layers we measured {{claim 06.tanh-fades}}.
Above gain 1, it settles. It cannot explode, because tanh lies between −1 and 1. So every gain above 1 seems safe.

And the gradient? On each step down, it goes back through the weights, as in section 2's cell. Then it is multiplied by
the slopes of the layer below, which for tanh are $1 - \tanh^2$. **Write the line that returns the gradient one layer
further down.** `delta` has one row per unit of the layer, `u` one row per unit of the layer below, and both have one
column per example. `W` [units, units below] is the matrix between them.
"""

# %% tags=["idea"]
# BEGIN BLANK
def step_back(delta, W, u):
    """Return the gradient at the sums u of the layer below, from delta at the layer's."""
    return (W.T @ delta) * (1 - np.tanh(u) ** 2)
# END BLANK

# %%
step_back = yours("06.back")


def size_in_layer_1(gain, depth=50, n=300):
    rng, weights, sums = np.random.default_rng(SEED), [], []
    x = rng.standard_normal((n, 100))
    for _ in range(depth):
        weights.append(scaled(rng.standard_normal((n, n)), gain))
        sums.append(weights[-1] @ x)
        x = np.tanh(sums[-1])
    delta = rng.standard_normal((n, 100))  # a gradient of size 1 at the last layer's sums
    for W, u in zip(reversed(weights[1:]), reversed(sums[:-1]), strict=True):
        delta = step_back(delta, W, u)
    return np.sqrt(np.mean(delta**2))

# %% [markdown]
r"""
Take gain 2. Many units now sit where tanh is flat and its slope is almost 0. **What happens to the gradient on its way
from layer 50 to layer 1?**
"""

# %%
predict("06.tanh")

# %%
record = recorded("06_gains")
reveal("06.tanh", yours=size_in_layer_1(gain=2), growth=claimed("06.tanh-explodes"),
       **page.tanh_answer(record))
page.play_gains("tanh")

# %% [markdown]
r"""
Drag the gain to 2 and watch both towers. To get a formula, replace ½ in line 4 by the average squared slope, at the
length $q^*$ where the signal settles. Then lines 3 and 4 together multiply the gradient's mean square by
$$g^2\, E\!\left[\varphi'(\sqrt{q^*}\, z)^2\right] = \chi_1.$$
In lesson 05 this number multiplied the mean square of a small gap. It does the same to the gradient (Schoenholz et al.
2017). For ReLU, $\chi_1$ is $g^2/2$ at any length.
"""

# %%
show_figure(page.gradient_factors(record), "06.factors", answers="06.tanh")

# %% [markdown]
r"""
The lines are χ₁, the points are networks. The point farthest off, by {{claim 06.chi-gradient}} of χ₁, is tanh at gain
1, where lengths never settle.

**So √2 for ReLU and 1 for tanh are the same condition: $\chi_1 = 1$.** Gradients survive at lesson 05's edge.
The difference between two inputs need not survive: in theory, fifty wide ReLU layers at √2 turn a right angle between
them into a cosine of {{= gains.cosine_after(50)}} (Cho & Saul 2009; Hayou et al. 2019).

*→ Now do exercise 06.2: the gradient's norm, layer by layer.*
"""

# %% [markdown]
r"""
*In the playground*, the towers have eight layers, and you can train the network. Open *Activation, weights, optimiser*:
which gain keeps both towers upright with ReLU, and which with tanh?
"""

# %%
playground(data="circle", layers=[32] * 8, against=None,
           init="lecun", gain=1, view="towers")

# %% [markdown]
r"""
## 4 What does PyTorch do? (10 min)

Which gain do you get when you write `nn.Linear(100, 100)`? Read the source:
"""

# %% tags=["idea"]
print(inspect.getsource(nn.Linear.reset_parameters))

# %% [markdown]
r"""
The comment says that the $\sqrt5$ only brings back an old rule: weights are uniform between $-b$ and $b$, with
$b = 1/\sqrt{n_{in}}$. A number that is uniform there has the variance $b^2/3$. **Write the line that returns the gain
of such weights**, for any bound $b$. (By what do you multiply $1/\sqrt{n_{in}}$ to get their standard deviation?)
"""

# %% tags=["idea"]
# BEGIN BLANK
def gain_of(bound, n_in):
    """Return the gain of weights that are uniform between -bound and bound."""
    return bound * np.sqrt(n_in / 3)
# END BLANK

# %%
gain_of = yours("06.uniform")


def measured(W):
    return f"{W.std() * W.shape[1] ** 0.5:.3f}"


torch.manual_seed(SEED)  # what follows draws from PyTorch's own generator
model = nn.Sequential(nn.Linear(1000, 1000), nn.ReLU(), nn.Linear(1000, 1000))
print("formula:", round(gain_of(1 / np.sqrt(1000), 1000), 3),
      "measured:", measured(model[0].weight))

# %% [markdown]
r"""
So the default has the variance $1/(3\,n_{in})$, a *sixth* of He's: every ReLU layer divides the mean square by six.
Here is how to give a whole model other weights:
"""

# %% tags=["idea"]
for layer in model[::2]:  # the linear ones
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    nn.init.zeros_(layer.bias)
W = model[0].weight
print("kaiming, relu:", measured(W), "xavier:", measured(nn.init.xavier_normal_(W)))
print("kaiming, tanh:", measured(nn.init.kaiming_normal_(W, nonlinearity="tanh")))

# %% [markdown]
r"""
Kaiming He's variance is $2/n_{in}$, Xavier Glorot's $2/(n_{in} + n_{out})$. For tanh, take Glorot's, because PyTorch's
`kaiming_normal_` has gain 5/3 for tanh, not 1.

Slides that name no author show fifty layers of ten units, and warn: "Scaling factor > 1 can lead to exploding
gradients".
"""

# %% tags=["idea"]
def gradient_at_layer_1(depth, factor=1.5, seed=SEED):
    generator = torch.Generator().manual_seed(seed)
    # nn.Linear, as PyTorch initialises it
    layers = mlp([10] * (depth + 1), "tanh", generator=generator)[::2]
    x, y = torch.randn(2, 100, 10, generator=generator)
    for layer in layers:
        x = factor * torch.tanh(layer(x))
    ((x - y) ** 2).mean().backward()
    return layers[0].weight.grad.norm().item()


print(f"gain {1.5 * gain_of(1 / np.sqrt(10), 10):.2f}")

# %% [markdown]
r"""
The factor of 1.5 multiplies PyTorch's gain. **From 2 layers to 50, what becomes of the first layer's gradient?**
"""

# %%
predict("06.slide")

# %%
record = recorded("06_slide")
yours_by_depth = [f"{gradient_at_layer_1(depth):.1g}" for depth in (2, 10, 50)]
reveal("06.slide", figure=page.slide(record), yours=", ".join(yours_by_depth),
       decades=claimed("06.slide-vanishes"), **page.slide_answer(record))

# %% [markdown]
r"""
## 5 All alike (2 min)

Why random weights at all? In a ReLU network, set all weights and biases to 0, or to 0.1, or only the last layer's to 0.
Train it on handwritten digits for 200 steps, and look at each layer's gradient in the first two steps. At the end,
count how many of the first hidden layer's 32 units are *different*:
"""

# %% tags=["idea"]
(X, y), _, unseen = page.digits(generator=torch.Generator().manual_seed(SEED))
for name, first, number in ("all 0", 0, 0), ("all 0.1", 0, 0.1), ("last layer 0", -1, 0):
    generator = torch.Generator().manual_seed(SEED)
    model = mlp([64, 32, 32, 10], init="he", generator=generator)
    for parameter in model[first:].parameters():
        nn.init.constant_(parameter, number)
    before = page.weight_gradients(model, X, y)
    train(model, X, y, epochs=1, lr=0.003, progress=False)  # all images in one step
    after = page.weight_gradients(model, X, y)
    train(model, X, y, epochs=199, lr=0.003, progress=False)
    different = len(model[0].weight.detach().round(decimals=4).unique(dim=0))
    right = (model(unseen[0]).argmax(dim=1) == unseen[1]).float().mean()
    print(f"{name}: gradients {before.round(3)}, then {after.round(3)};",
          f"{different} different, {right:.2f} right")

# %% [markdown]
r"""
With zeros everywhere, nothing gets past a layer in either direction, and only the last biases have a gradient. At 0.1,
units with the same weights, in and out, have the same values and the same gradients. Every step changes them alike, so
you trained a network of width *one*. (In the first step, the ten scores' gradients cancel below the last layer.) With
zeros in the last layer alone, the network learns, but a step late: the zeros stop the gradient, so the first step moves
only that layer.

*→ Now do exercise 06.5: zero, for weights and for biases.*
"""

# %% [markdown]
r"""
## 6 First aid (8 min)

Here is a patient: {{= first_aid.DEPTH}} hidden layers of {{= first_aid.WIDTH}} ReLU units, with PyTorch's own initial
weights. It should learn to read digits, but does not. Look at its gradient, layer by layer, *before* the first step:

<details><summary>Code to take along: weight_gradients, from utils/training.py</summary>

```python
import numpy as np
import torch
from torch import nn


def weight_gradients(model, X, y):
    weights = [layer.weight for layer in model.modules() if isinstance(layer, nn.Linear)]
    loss = nn.functional.cross_entropy(model(X), y)
    return np.array([g.norm().item() for g in torch.autograd.grad(loss, weights)])
```

</details>

<details><summary>Code to take along: gradients, from utils/lesson_06/path_figures.py</summary>

```python
import matplotlib.pyplot as plt
import numpy as np


def gradients(norms):
    figure, ax = plt.subplots(figsize=(6.4, 2.8))
    layers = np.arange(1, len(norms) + 1)
    ax.plot(layers, np.clip(norms, 1e-20, 1e3), "o-", color="#0072B2", markersize=3.5, linewidth=1.2)
    ax.set(yscale="log", xlabel="layer, from the input to the output", ylabel="norm of the gradient",
           ylim=(1e-20, 1e3))
    return figure
```

</details>
"""

# %% tags=["idea"]
patient = page.patient(generator=torch.Generator().manual_seed(1))
show_figure(page.gradients(page.weight_gradients(patient, X, y)), "06.patient")
scores = patient.double()(X.double()).detach().numpy()
print(f"scores of two images differ by at most {np.ptp(scores, axis=0).max():.0e}")

# %% [markdown]
r"""
The first layer hears nothing of the loss. The network is blind on the way forwards, too: in float32 all images get the
same scores, apart from rounding.

You may double the width, take four times the steps, set the biases to zero, replace ReLU by tanh, or change the gain to
1 or to $\sqrt2$. **Which of these repairs, made alone, lets it learn?** (That is, get more than half of the held-out
digits right.)
"""

# %%
predict("06.aid")

# %% [markdown]
r"""
Pick two repairs to compare, and press Start. (Adam makes {{= first_aid.EPOCHS}} passes over the data; its rate falls
from {{= first_aid.RATE}} along a cosine.)
"""

# %%
live_training(page.treat, page.treated, **page.repair_controls())

# %%
aid = recorded("06_aid")
reveal("06.aid", figure=page.repairs(aid), best=claimed("06.aid-root"),
       same_gain=claimed("06.aid-others"), faint=claimed("06.aid-epsilon"),
       **page.aid_answer(aid))

# %% [markdown]
r"""
*→ Now do exercise 06.4: which of these networks will not train?*
"""

# %% [markdown]
r"""
## 7 A hundred layers (10 min)

Build two networks, each with a hundred hidden layers of {{= hundred.WIDTH}} tanh units and zero biases. One has
Gaussian weights of gain 1. The other has **orthogonal** weights: from one hidden layer to the next they are a rotation
(or a reflection), which changes no length and no angle. Both have the same gain, and the same $\chi_1 = 1$. **Which of
them trains, to more than half right in {{= hundred.EPOCHS}} passes over the digits?**
"""

# %%
predict("06.hundred")

# %% tags=["idea"]
def hundred_layers(init, seed=SEED):
    generator = torch.Generator().manual_seed(seed)
    return mlp([64] + 100 * [32] + [10], "tanh", init=init, generator=generator)


deep = {"orthogonal": hundred_layers("orthogonal"), "Gaussian": hundred_layers("normal")}
histories = {}
for kind, model in deep.items():
    histories[kind] = train(model, X, y, epochs=30, lr=3e-4, batch_size=100,
                            schedule="cosine", validation=unseen)

# %%
yours_by_kind = ", ".join(f"{kind} {history.validation_accuracy[-1]:.2f}"
                          for kind, history in histories.items())
reveal("06.hundred", figure=page.curves(histories), yours=yours_by_kind,
       rotated=claimed("06.hundred-orthogonal"), drawn=claimed("06.hundred-gaussian"),
       longer=claimed("06.hundred-longer"),
       **page.hundred_answer(recorded("06_hundred")))

# %% [markdown]
r"""
The right gain keeps an *average* over directions. So look at single directions, before training. A layer's signals form
a matrix, one row per image and one column per unit. Its singular values, `np.linalg.svd(signals, compute_uv=False)`,
say how large the signal is in each of several perpendicular directions, largest first. Their squares add up to the sum
of all squared signals. **Write the lines that return the largest direction's share of that sum.**
"""

# %% tags=["idea"]
# BEGIN BLANK
def largest_share(signals):
    """Return the share of the squared signal [images, units] in its largest direction."""
    values = np.linalg.svd(signals, compute_uv=False)
    return values[0] ** 2 / np.sum(values**2)
# END BLANK

# %%
largest_share = yours("06.direction")
print(f"images: {largest_share(X.numpy()):.0%} of the signal in one direction")
for init in ("orthogonal", "normal"):
    shares = []
    for seed in range(10):
        with torch.no_grad():
            signals = hundred_layers(init, seed)[:-1](X)  # after the hundredth layer
        shares.append(largest_share(signals.numpy()))
    print(f"{init}: {np.median(shares):.0%} of the signal in one direction "
          "(median of ten networks)")

# %% [markdown]
r"""
The images themselves have one large direction. Rotations stretch no direction, so orthogonal layers hardly change its
share. Gaussian matrices stretch some directions and shrink others, so after a hundred of them one direction dominates.
If all directions keep their length, that is called **dynamical isometry** (Saxe et al. 2014; Pennington et al. 2017).

*→ Excursion 06a tries other activations. Excursion 06b asks how deep wider networks can be, and excursion 06c asks the
same of transformers.*
"""

# %%
feedback("06.gain")

# %% [markdown]
r"""
## 8 What you can now say (2 min)

1. A layer multiplies the mean squares of signal and gradient. The gain sets the factor, and depth raises it to a power.
2. Gradients survive where $\chi_1 = 1$: at gain $\sqrt2$ for ReLU, at gain 1 for tanh without biases.
3. PyTorch's default has gain $\sqrt{1/3}$, and thirty ReLU layers do not survive it.
4. Units must differ, so weights begin at random. Biases may begin at zero.
5. A hundred tanh layers learn from orthogonal weights. The right gain keeps the average; a rotation keeps nearly every
   direction.

**What you do not know yet**: whether skip connections make all this needless, and when depth hurts (lesson 07).
"""

# %%
show_figure(page.card(), "06.card")

# %% [markdown]
r"""
**Now the exercises**: the notebook of the same name among the exercises. **Before you close the page**, save your
predictions and comments. In Colab, save a copy as well (*File → Save a copy in Drive*): Colab erases its disk when you
leave.

{{literature}}

{{claims}}
"""

# %%
download()
