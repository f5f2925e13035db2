# %% [markdown]
r"""
# 06 Initialization: the first step decides

**Why does a deep network with random weights learn at all?** You will find the one size of weights that fifty layers
survive, derive it in four lines, and bring a network back to life that does not train.

*73 minutes, and about 75 more for the exercises. You need lessons 01 to 05.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import inspect
import math

import numpy as np
import torch
from torch import nn

from utils.claims import recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_06 import page
from utils.live_training import live_training
from utils.meanfield import chi_1
from utils.models import mlp
from utils.predictions import predict, reveal
from utils.training import train

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 6

# %% [markdown] tags=["aha"]
r"""
## 1 Drag the gain (12 min)

Training starts from random weights. How large should they be? Send a hundred inputs through fifty ReLU layers. The
weights have mean 0 and standard deviation $g/\sqrt{n}$, where $n$ is the number of inputs of the layer. There are no
biases. In lesson 05 this dial was $\sigma$; here it is $g$, the **gain**.
"""

# %% tags=["idea"]
def relu(u):
    return np.maximum(u, 0)


def sizes(gain, phi=relu, depth=50, n=300):
    rng, after = np.random.default_rng(SEED), []
    x = rng.standard_normal((n, 100))  # a hundred inputs, one in each column
    for _ in range(depth):
        W = gain / np.sqrt(n) * rng.standard_normal((n, n))
        x = phi(W @ x)
        after.append(np.sqrt(np.mean(x**2)))
    return np.array(after)


print("gain 2, after layers 1, 10 and 50:",
      *[f"{size:.2g}" for size in sizes(gain=2)[[0, 9, 49]]])

# %% [markdown]
r"""
The inputs had size 1. (*Size* is the root of the mean square.) Try `gain=0.5` as well.

A gain of 1 looks fair: a sum of $n$ products with weights of variance $1/n$ is about as large as the inputs. **At
gain 1, how large is the signal after layer 50?**
"""

# %%
predict("06.gain")

# %%
reveal("06.gain", size=sizes(gain=1)[49])

# %% [markdown]
r"""
Training also needs the gradient of the loss, here of a squared error. It enters at the top and travels down. Each row
of the film is the histogram of one layer's absolute values, with layer 1 at the foot. One unit to the right means ten
times as large. (The right tower need not stand on the line. Only its lean counts.)

**Drag the gain until both towers stand upright.**
"""

# %%
page.play_gains("relu")

# %% [markdown]
r"""
When the gain is too small, the signal fades as it climbs, and the gradient fades as it comes down: next to nothing
reaches the first layers. When it is too large, both explode. At one gain in between, both survive. Pin it down in the
first cell, by `gain=1.3`, `1.4` and `1.5`. Even a tenth too much or too little shows, since it acts fifty times.

"""

# %% [markdown]
r"""
## 2 Four lines on paper (14 min)

Take one sum $u = w_1 x_1 + w_2 x_2 + \dots$. Each weight is as likely $w$ as $-w$, and they know nothing of each other
or of $x$. So when you square the sum, the mixed terms average to 0. What remains is $n_{in}$ squares, each with
$E[w^2] = g^2/n_{in}$:
$$E[u^2] = n_{in} \cdot \frac{g^2}{n_{in}} \cdot E[x^2] = g^2\, E[x^2]. \tag{1}$$
The sum is as likely $u$ as $-u$, so ReLU keeps half of the squares:
$$E[\text{relu}(u)^2] = \tfrac12\, E[u^2]. \tag{2}$$
Now back. An input $x_j$ feeds $n_{out}$ sums. Let $\delta_i$ be the gradient at the sum $u_i$. Then the gradient at
$x_j$ is $w_{1j}\delta_1 + w_{2j}\delta_2 + \dots$, and the same argument holds:
$$E\!\left[(\partial L/\partial x)^2\right] = n_{out} \cdot \frac{g^2}{n_{in}} \cdot E[\delta^2]. \tag{3}$$
In the layer below, this is multiplied by the ReLU's slope, 1 for half of the units and 0 for the others:
$$E[\delta_{below}^2] = \tfrac12\, E\!\left[(\partial L/\partial x)^2\right]. \tag{4}$$
Here is one layer, with four times as many inputs as outputs. Do the formulas hold?
"""

# %% tags=["idea"]
n_in, n_out, gain = 1000, 250, 2.0
rng = np.random.default_rng(SEED)
u_below = rng.standard_normal((n_in, 200))
W = gain / np.sqrt(n_in) * rng.standard_normal((n_out, n_in))
u = W @ relu(u_below)
delta = rng.standard_normal((n_out, 200))  # what comes from above
delta_below = (W.T @ delta) * (u_below > 0)
print(f"forward:  {np.mean(u**2) / np.mean(u_below**2):.3f}, formula {gain**2 / 2:.3f}")
print(f"backward: {np.mean(delta_below**2) / np.mean(delta**2):.3f}, "
      f"formula {gain**2 / 2 * n_out / n_in:.3f}")

# %% [markdown]
r"""
Where a layer has as many outputs as inputs, both factors are $g^2/2$. They are 1 for $g = \sqrt2$: the gain you found.
In networks of width {{= gains.WIDTH}} it multiplies the signal's mean square in each layer by
{{claim 06.signal-kept}}.

(Lines 3 and 4 take the weights as new on the way back. Section 3 tests whether that does harm.)

You will read that ReLU halves the variance. Check:
"""

# %% tags=["idea"]
u = rng.standard_normal(1_000_000)
print(f"mean square: {np.mean(relu(u) ** 2):.3f}, variance: {np.var(relu(u)):.3f}")

# %% [markdown]
r"""
It halves the mean square, and that is what line 1 needs. The variance falls further, because the outputs no longer have
mean 0.

Three famous initialisations are one formula, $\text{Var}(w) = g^2/n_{in}$:

| | $\text{Var}(w)$ | gain $g$ | the reason |
|---|---|---|---|
| LeCun et al. 1998 | $1/n_{in}$ | $1$ | line 1, for units $1.7159 \tanh(2u/3)$, which keep a variance of 1 |
| Glorot & Bengio 2010 | $2/(n_{in} + n_{out})$ | $1$ if $n_{in} = n_{out}$ | between 1 and 3, for nearly linear units |
| He et al. 2015 | $2/n_{in}$ | $\sqrt2$ | lines 1 and 2, for ReLU |

And with weights of standard deviation 1, in layers of 512 units? The largest number in float32 is about
$3.4 \cdot 10^{38}$. **After how many ReLU layers does the first unit overflow?**
"""

# %%
predict("06.overflow")

# %% tags=["idea"]
def layers_until_the_end(std, n=512):
    generator, layers = torch.Generator().manual_seed(SEED), 0
    x = torch.randn(n, generator=generator)
    while 0 < x.max() < float("inf"):
        x = torch.relu(std * torch.randn(n, n, generator=generator) @ x)
        layers += 1
    return layers


reveal("06.overflow", layers=layers_until_the_end(std=1))

# %% [markdown]
r"""
Each layer multiplies the size by $\sqrt{512/2} = 16$, and $16^{32} = 2^{128}$ is just where float32 ends. With
`std=0.01` it ends in zeros.

*→ Now do exercises 06.1 and 06.3: the right standard deviation, and the gain from measured lengths.*
"""

# %% [markdown]
r"""
## 3 tanh is different (8 min)

Replace ReLU by tanh. Its values lie between −1 and 1, so this signal cannot explode.
"""

# %% tags=["idea"]
for gain in (0.5, 1, 2):
    print(f"gain {gain:.2f}, layers 1, 20, 50:",
          *[f"{size:.2g}" for size in sizes(gain, np.tanh)[[0, 19, 49]]])

# %% [markdown]
r"""
Below 1 the signal fades fast. At 1 it still fades, but slowly (after twenty layers {{claim 06.tanh-fades}}; theory:
about $1/\sqrt{2l}$). Above 1 it settles. So every gain above 1 seems safe.

Take gain 2. Many units now sit where tanh is flat and its slope is almost 0. **What happens to the gradient between
layer 50 and layer 1?**
"""

# %%
predict("06.tanh")

# %%
record = recorded("06_gains")
reveal("06.tanh", **page.tanh_answer(record))
page.play_gains("tanh")

# %% [markdown]
r"""
Drag the gain to 2. On the left nothing ever passes size 1. On the right the gradients explode all the same. A
saturated unit passes on nothing, one in the steep part everything, and the average counts. So in line 4 replace ½ by
the average of the squared slope, at the length $q^*$ where the signal settles. With line 3 this gives
$$g^2\, E\!\left[\varphi'(\sqrt{q^*}\, z)^2\right] = \chi_1.$$
In lesson 05 this number said how much a layer stretches a gap. Here it multiplies the gradient's mean square
(Schoenholz et al. 2017). For ReLU it is $g^2/2$, at any length.
"""

# %% tags=["idea"]
for gain in (1, np.sqrt(2), 5 / 3, 2):
    factors = {phi: chi_1(gain, 0, phi) for phi in ("relu", "tanh")}
    print(f"gain {gain:.2f}: χ₁ =",
          ", ".join(f"{factor:.2f} for {phi}" for phi, factor in factors.items()))

# %%
show_figure(page.gradient_factors(record), "06.factors")

# %% [markdown]
r"""
Lines are χ₁, points are networks. Relative to χ₁, the point farthest from its line is off by
{{claim 06.chi-gradient}}. (It is tanh at gain 1: lengths never settle, the
gradient falls as a power, to {{= gains.growth(1)}} over fifty layers.)

**So √2 for ReLU and 1 for tanh are the same number: $\chi_1 = 1$.** Gradients survive at lesson 05's edge. Differences
need not: fifty wide ReLU layers at √2 bring two inputs at right angles to a cosine of {{= gains.cosine_after(50)}} (Cho
& Saul 2009; Hayou et al. 2019). For tanh at gain 2, χ₁ looks harmless, but it acts some fifty times (growth of the
gradient: {{claim 06.tanh-explodes}}). (PyTorch's `calculate_gain` returns 5/3 for tanh, near the gain that keeps a mean
square of 1 in one layer. By theory the gradient grows {{= gains.growth(5 / 3)}}-fold in fifty.)

*→ Now do exercise 06.2: the gradient's norm, layer by layer.*
"""

# %% [markdown]
r"""
## 4 What does PyTorch do? (9 min)

Most networks are never given a gain. Somebody writes `nn.Linear(100, 100)` and trains. Which gain is that? Read it:
"""

# %% tags=["idea"]
print(inspect.getsource(nn.Linear.reset_parameters))

# %% [markdown]
r"""
The $\sqrt5$ is there to bring out an old rule. For weights uniform in $\pm b$ the variance is
$b^2/3$, and `kaiming_uniform_` takes the bound $b = \sqrt{6 / ((1 + a^2)\,n_{in})}$. Put in $a = \sqrt5$:
$$b = \sqrt{\frac{6}{6\,n_{in}}} = \frac{1}{\sqrt{n_{in}}}, \qquad
\text{variance} = \frac{b^2}{3} = \frac{1}{3\,n_{in}}, \qquad g = \sqrt{1/3} = 0.58.$$
Measure it:
"""

# %% tags=["idea"]
torch.manual_seed(SEED)  # nn.Linear draws from PyTorch's own generator
for n in (10, 100, 1000):
    layer = nn.Linear(n, n)
    print(f"n_in = {n}: gain {layer.weight.std().item() * math.sqrt(n):.3f}, "
          f"largest bias {layer.bias.abs().max().item() * math.sqrt(n):.2f} / √n_in")

# %% [markdown]
r"""
So the default has a *sixth* of He's variance: every ReLU layer divides the second moment by six.

Now a network from a set of slides on exploding gradients, with fifty layers of ten units. "Scaling factor > 1 can lead
to exploding gradients", says its comment:
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


print(f"gain {1.5 / math.sqrt(3):.2f}")

# %% [markdown]
r"""
The factor multiplies the gain. So you know enough to predict: **how large is the gradient at the first layer with 50
layers, compared with 2?**
"""

# %%
predict("06.slide")

# %%
print([f"{gradient_at_layer_1(depth):.1g}" for depth in (2, 5, 10, 20, 50)])
record = recorded("06_slide")
reveal("06.slide", figure=page.slide(record), **page.slide_answer(record))

# %% [markdown]
r"""
It **vanishes** (change from 2 layers to 50, in powers of ten: {{claim 06.slide-vanishes}}). The edge, $\chi_1 = 1$, is
at a factor of {{= format(defaults.slide_edge(), ".2f")}} for infinite width; ten units need a little more. So a factor
above 1 tells you nothing. The gain does.
"""

# %% [markdown]
r"""
## 5 Zero, and all alike (6 min)

Why random weights at all? Give every weight and every bias the same value, 0.1, and train on handwritten digits.
**After 200 steps: how many *different* units does the first hidden layer of 32 have?**
"""

# %%
predict("06.same")

# %% tags=["idea"]
(X, y), _, unseen = page.digits(generator=torch.Generator().manual_seed(SEED))
alike = mlp([64, 32, 32, 10], "tanh")
for parameter in alike.parameters():
    nn.init.constant_(parameter, 0.1)
history = train(alike, X, y, epochs=200, lr=0.003, progress=False)

# %%
different = len(alike[0].weight.detach().round(decimals=4).unique(dim=0))
reveal("06.same", different=different,
       accuracy=(alike(X).argmax(1) == y).float().mean().item())

# %% [markdown]
r"""
Units with the same weights in and out have the same values on every input, and the same gradients. So every step
changes them alike, and they stay the same for ever. You trained a network of width *one*. And zero? Print the gradient
at each parameter:
"""

# %% tags=["idea"]
for activation in ("tanh", "relu"):
    zero = mlp([64, 32, 32, 10], activation)
    for parameter in zero.parameters():
        nn.init.zeros_(parameter)
    nn.functional.cross_entropy(zero(X), y).backward()
    print(activation, {name: f"{parameter.grad.norm():.2g}"
                       for name, parameter in zero.named_parameters()})

# %% [markdown]
r"""
A single gradient is not zero: that of the last bias. The network can learn how frequent each digit is, and that is all.
Where weights differ, units differ, so biases may all begin at zero.

*→ Now do exercise 06.5.*
"""

# %% [markdown]
r"""
## 6 First aid (10 min)

Here is a patient: {{= first_aid.DEPTH}} hidden layers of {{= first_aid.WIDTH}} ReLU units, to read digits, as PyTorch
initialises it. It does not train. The first thing to look at is the gradient, layer by layer, *before* the first step:
"""

# %% tags=["idea"]
patient = page.patient(generator=torch.Generator().manual_seed(1))
show_figure(page.gradients(page.weight_gradients(patient, X, y)), "06.patient")
scores = patient.double()(X.double()).detach().numpy()
print(f"scores of two images differ by at most {np.ptp(scores, axis=0).max():.0e}")

# %% [markdown]
r"""
In this network the last layer hears the loss, the first one hears nothing. It is blind forwards, too: in float32 all
images get the same scores, but for rounding. You may double the width, take four times the steps, set the biases to
zero, take tanh, or change the gain to 1 or to $\sqrt2$. **With which of these, one at a time, does it learn?** (More
than half of the held-out digits.)
"""

# %%
predict("06.aid")

# %% [markdown]
r"""
Pick a repair, press Start, and watch both pictures. (Adam, from rate {{= first_aid.RATE}} down along a cosine,
{{= first_aid.EPOCHS}} passes over the data.) Then try the others.
"""

# %%
live_training(page.treat, page.treated, **page.repair_controls())

# %%
aid = recorded("06_aid")
reveal("06.aid", figure=page.repairs(aid), **page.aid_answer(aid))

# %% [markdown]
r"""
The record has each repair at the best of {{= len(first_aid.RATES)}} rates. Right with gain $\sqrt2$:
{{claim 06.aid-root}}; with the best repair that keeps PyTorch's gain: {{claim 06.aid-others}}.

With gain 1 every layer still halves the mean square, and yet most of these networks train. Adam divides each gradient
by its own size plus $10^{-8}$, so a faint gradient is no obstacle until it is fainter than that. (Take $10^{-24}$
instead, and even the unrepaired network learns something: {{claim 06.aid-epsilon}}.)

Look at the gradients first. If they fall towards the input, or are tiny in every layer, change the gain.

*→ Now do exercise 06.4: which of these networks will not train?*
"""

# %% [markdown]
r"""
## 7 A hundred layers (10 min)

How far does the right gain take you? For tanh without biases it is 1. So take a hundred hidden layers of
{{= hundred.WIDTH}} tanh units, with gain 1, twice. One has Gaussian weights. The other has **orthogonal** ones: from
one hidden layer to the next, the weights are a rotation (or a reflection), which changes no length and no angle. In
both, a weight there has variance $1/n_{in}$. Same gain, same $\chi_1 = 1$. **Which of them trains, in
{{= hundred.EPOCHS}} passes over the digits?**
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
races = recorded("06_hundred")
yours = ", ".join(f"{kind} {history.validation_accuracy[-1]:.2f}"
                  for kind, history in histories.items())
reveal("06.hundred", figure=page.curves(histories), yours=yours,
       **page.hundred_answer(races))

# %% [markdown]
r"""
A hundred layers, without skip connections or normalisation, trained within seconds. With each at the best of
{{= len(hundred.RATES)}} rates, chosen on validation data, this share of held-out digits is right:
{{claim 06.hundred-orthogonal}} for orthogonal weights, {{claim 06.hundred-gaussian}} for Gaussian ones. With gain
{{= hundred.LONGER_GAIN}}, the best of {{= len(hundred.GAINS)}}, and four times the steps Gaussian weights get further,
and are still behind (difference: {{claim 06.hundred-longer}}).

But the gain was the same! It is an *average* over directions. Send the images through
both networks, untrained:
"""

# %% tags=["idea"]
def share_of_one_direction(model):
    with torch.no_grad():
        signals = model[:-1](X)  # [images, 32], after the hundredth layer
    spread = torch.linalg.svdvals(signals) ** 2
    return (spread[0] / spread.sum()).item()


for init in ("orthogonal", "normal"):
    shares = [share_of_one_direction(hundred_layers(init, seed)) for seed in range(10)]
    print(f"{init}: {np.median(shares):.0%} of the signal in one direction "
          "(median of ten networks)")

# %% [markdown]
r"""
A Gaussian matrix stretches some directions and shrinks others. A hundred of them in a row leave one direction that
dominates. A rotation stretches none. Where all directions keep
their length, one speaks of **dynamical isometry** (Saxe et al. 2014; Pennington et al. 2017).

*→ Wider networks, and how deep one can go: excursion 06b. Other activations: excursion 06a.*
"""

# %%
feedback("06.gain")

# %% [markdown]
r"""
## 8 What you can now say (4 min)

1. A layer multiplies the mean square of signal and gradient. The gain decides by how much, and depth raises that to a
   power.
2. Gradients survive where $\chi_1 = 1$: at gain $\sqrt2$ for ReLU, at gain 1 for tanh without biases.
3. PyTorch's default has gain $\sqrt{1/3}$. Thirty ReLU layers do not survive it.
4. Weights must differ, so they begin at random. Biases may begin at zero.
5. A hundred tanh layers learn from orthogonal weights. The right gain keeps the average; a rotation nearly
   keeps every direction.

**What you do not know yet**: whether skip connections make all this needless, and when depth hurts (lesson 07).
"""

# %%
show_figure(page.card(), "06.card")

# %% [markdown]
r"""
**Now the exercises**: the notebook of the same name among the exercises. **Before you close the page**, save your
predictions and comments. In Colab, save a copy as well (*File → Save a copy in Drive*): Colab erases its disk when you
leave.

{{claims}}
"""

# %%
download()
