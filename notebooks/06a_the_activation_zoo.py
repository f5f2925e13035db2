# %% [markdown]
r"""
# 06a The activation zoo

**Does it matter which activation you choose?** You will send a signal through a hundred layers of each, watch units
switch off, meet a table that a single learning rate decides, and see fair races. An excursion from lesson 06, in 19
minutes.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import torch

from utils.claims import claimed, recorded
from utils.comparison import score
from utils.data import diagonal_flip, load_table
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_06 import page
from utils.models import mlp
from utils.predictions import predict, reveal
from utils.training import train_ensemble

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 0  # try others
generator = torch.Generator().manual_seed(SEED)

# %% [markdown]
r"""
## 1 Value and slope (2 min)

For training, an activation's value matters less than its **slope**, because the slope multiplies the gradient on its
way back. Here are four activations. Exchange some for your own:
"""

# %% tags=["idea"]
zoo = {
    "sigmoid": lambda z: 1 / (1 + torch.exp(-z)),
    "tanh": torch.tanh,
    "ReLU": lambda z: torch.clamp(z, min=0),
    "GELU": lambda z: z * (1 + torch.erf(z / 2**0.5)) / 2,
}  # try torch.nn.functional.leaky_relu, .silu, .elu, torch.sin
show_figure(page.shapes(zoo), "06a.shapes")

# %% [markdown]
r"""
Where its slope is nearly zero, an activation **saturates**: there a unit passes on hardly any gradient. Sigmoid and
tanh saturate on both sides, ReLU and GELU only on the left. Sigmoid's slope never exceeds a quarter. ReLU costs one
comparison, is exactly 0 for half of all symmetric sums, and is what most people try first. GELU, which BERT and GPT-2
use, damps a small negative number where ReLU cuts it off.

Two more belong to the zoo. *Leaky ReLU* keeps a small slope on the left. *SwiGLU*, known from large language models,
multiplies two linear maps of its input, the first of which goes through $z/(1 + e^{-z})$ (Shazeer 2020). The table at
the end sums up the zoo.

## 2 A gain for each (5 min)

The lesson found $\sqrt2$ for ReLU from the mean square. The same argument gives every activation a gain of its own. If
$\varphi$ is applied to a normal number $z$ with mean square 1, then $g\,\varphi(z)$ has mean square 1 again for

$$g = \frac{1}{\sqrt{E\,\varphi(z)^2}}, \qquad \text{and the gradient's mean square is multiplied by}\quad
\chi = g^2\, E\,\varphi'(z)^2$$

in each layer on the way back. You need no formula for these averages, only a million random numbers:
"""

# %% tags=["idea"]
z = torch.randn(1_000_000, generator=generator, requires_grad=True)
for name, phi in zoo.items():
    value = phi(z)
    (slope,) = torch.autograd.grad(value.sum(), z)
    gain = value.square().mean().rsqrt()
    print(f"{name:8} gain {gain:.2f}   "
          f"gradient × {gain**2 * slope.square().mean():.2f} per layer")

# %% [markdown]
r"""
Of these four, only ReLU grants both wishes: the gain that keeps the signal keeps the gradient, too. With tanh, the
gradient's mean square grows by a sixth in each layer, which becomes a factor of ten million in a hundred layers. With
sigmoid, signal and gradient go separate ways. A sigmoid's outputs are all positive, so most of their mean square is a
constant. The signal keeps its size, while the gradient loses most of its own in each layer (its mean square over
{{= zoo.LAYERS}} layers, in powers of ten: {{claim 06.zoo-sigmoid}}).

Now stack {{= zoo.LAYERS}} layers of {{= zoo.SIGNAL_WIDTH}} units, each activation at its own gain, and start with mean
square 1. **For which of the six activations is the mean square at the end still within a factor of 100 of 1?**
"""

# %%
predict("06a.hundred")

# %% tags=["idea"]
phi = torch.relu  # try the others: zoo["GELU"], torch.tanh
gain = phi(torch.randn(1_000_000, generator=generator)).square().mean().rsqrt()
h = torch.randn(8, 300, generator=generator)
for layer in range(1, 101):
    W = torch.randn(300, 300, generator=generator) / 300**0.5
    h = gain * phi(h @ W)
    # SwiGLU, with phi = torch.nn.functional.silu:
    # h = gain * phi(h @ W) * (h @ torch.randn(300, 300) / 300**0.5)
    if layer in (1, 10, 20, 50, 100):
        print(f"layer {layer:3}: mean square {h.square().mean():.2g}")

# %%
signal = recorded("06_zoo_signal")
reveal("06a.hundred", figure=page.signals(signal), moved=claimed("06.zoo-gelu"),
       **page.signal_answer(signal))

# %% [markdown]
r"""
<details><summary>Why ReLU's lines fan out</summary>

At its gain, ReLU keeps the mean square in infinitely wide layers. A layer of $n$ units multiplies it by an average of
$n$ random numbers, each a $2\operatorname{relu}(z)^2$, with mean 1 and variance 5. So the logarithm of the mean square
wanders, with a variance of about $5/n$ in each layer. After $L$ layers the factor is nearly log-normal with the
variance $5L/n$ (Hanin & Nica 2020): fluctuations grow with **depth over width**. Here that is a standard deviation of
{{= (5 * zoo.LAYERS / zoo.SIGNAL_WIDTH) ** 0.5}} in the natural logarithm; the networks in the figure have
{{= zoo.spread("relu")}}. Ten times the width would make it a third. Gradients fluctuate in the same way.

</details>

*→ Exercise 06.3 finds a gain from measured lengths.*

## 3 When is a unit dead? (4 min)

A ReLU unit is **off** for an input if its output is 0, and then it passes on no gradient. If it is off for *every*
training image, no image can change its incoming weights. Count such units layer by layer. The network has
{{= len(zoo.HIDDEN)}} hidden layers of {{= zoo.DEAD_SIZES[1]}} units, starts from He's weights and learns scikit-learn's
digits by plain gradient descent:
"""

# %% tags=["idea"]
train, validation, held_out = load_table("digits", (0.6, 0.2, 0.2), generator=generator)
for rate in (0.1, 1.0):  # try .3 and 2
    model, h = mlp([64, 32, 32, 32, 10], "relu", init="he", generator=generator), train[0]
    train_ensemble([model], *train, epochs=20, lr=rate, batch_size=64, optimizer="sgd",
                   generator=generator, progress=False)
    for module in model[:-1]:
        h = module(h)
        if isinstance(module, torch.nn.ReLU):
            print(f"rate {rate}: {(h == 0).all(dim=0).sum()} of 32 units "
                  "are off for every image")
    print(f"rate {rate}: {score(model, *train):.2f} of the training images are right")

# %% [markdown]
r"""
At the large rate, many units end up off, and the network stops learning. A book chapter on network design calls such
units "permanently dead". Are they? Take those that are off for every training image after one epoch, and train for
{{= zoo.DEAD_EPOCHS[1]}} more epochs. **Which of them come back?**
"""

# %%
predict("06a.back")

# %%
dead = recorded("06_zoo_dead")
reveal("06a.back", figure=page.dead_units(dead), share=claimed("06.zoo-back"),
       **page.back_answer(dead))

# %% [markdown]
r"""
*→ Exercise 06.7 counts such units.*

## 4 A table, and what one rate does to it (4 min)

The same chapter compares four initialisations by the loss after {{= zoo.TEXT_EPOCHS}} epochs, at one learning rate:
weights from $N(0, \sigma^2)$ with σ = 0.01 or σ = 1, Glorot's, and He's. The task is lesson 02's diagonal flip, and the
network has one hidden ReLU layer. He's weights win. The chapter says that σ = 0.01 comes last because "the signal
vanishes through the layers", and calls a loss of about four times He's "four times slower". But there is only one
hidden layer to vanish through. Run it, image by image, as the chapter does:
"""

# %% tags=["idea"]
# all sixteen images of 2×2 black and white pixels, and the same mirrored at the diagonal
X, Y = diagonal_flip()
for std in (0.01, "He"):
    model = mlp([4, 8, 4], "relu", init="he", generator=generator)
    if std != "He":
        for linear in model[::2]:
            torch.nn.init.normal_(linear.weight, std=std, generator=generator)
    train_ensemble([model], X, Y, epochs=100, lr=0.025, batch_size=1, optimizer="sgd",
                   generator=generator, progress=False)
    print(f"{std}: mean squared error {score(model, X, Y):.4f}")

# %% [markdown]
r"""
At this rate, σ = 0.01 is indeed behind. But a rate that suits one start need not suit another. So give each
initialisation the best of {{= len(zoo.TEXT_RATES)}} rates, chosen on {{= format(zoo.GREY, ",")}} images in shades of
grey. **Which initialisation then has the lowest error on {{= format(zoo.GREY, ",")}} other grey images?** (Errors are
shares of the variance, so a constant has the error 1.)
"""

# %%
predict("06a.text")

# %%
text = recorded("06_zoo_text")
reveal("06a.text", figure=page.starts_by_rate(text), **page.text_answer(text),
       **page.bent_answer(recorded("06_zoo_bent")),
       tuned=claimed("06.zoo-text-tuned"))

# %% [markdown]
r"""
The chapter also calls He's weights "the default in PyTorch", but the default has a sixth of their variance. Here the
default joins the race, with two hidden layers of {{= zoo.FLIP_WIDTH}} units, {{= format(zoo.FLIP_STEPS, ",")}} steps of
Adam on a one-cycle schedule, and {{= len(zoo.FLIP_RATES)}} rates to choose from:
"""

# %%
flip = recorded("06_zoo_flip")
show_figure(page.flip_race(flip), "06a.flip")
page.print_deep(flip)

# %% [markdown]
r"""
On this linear task the activation can matter a lot, but seeds differ (powers of ten by which tanh's error exceeds
ReLU's, each with its best initialisation: {{claim 06.zoo-flip}}). Depth does not help: the last line shows the median
errors for {{= zoo.DEPTHS[-1]}} layers, with every choice tuned.

## 5 The race on digits (4 min)

The digits are nearly linear, too: a linear model gets {{claim 06.zoo-linear}} of the held-out ones right. Each network
trains for {{= zoo.DIGITS_EPOCHS}} epochs of Adam, and its rate is chosen on validation images. Run one activation
yourself:
"""

# %% tags=["idea"]
depth, activation = 20, "tanh"  # try 2, "relu", "gelu", "sigmoid"
rates = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3]
for init in ("default", "he"):
    models = [mlp([64, *[32] * depth, 10], activation, init=init, generator=generator)
              for _ in rates]
    train_ensemble(models, *train, epochs=20, lr=rates, batch_size=64,
                   schedule="one-cycle", generator=generator, progress=False)
    best = max(models, key=lambda model: score(model, *validation))
    print(f"{activation}, {init}, {depth} layers: "
          f"{score(best, *held_out):.3f} of the held-out digits")

# %% [markdown]
r"""
**With twenty layers, and everything tuned, how many of the five activations get at least four in five held-out digits
right, with the initialisation that suits them best? And how many with PyTorch's default?**
"""

# %%
predict("06a.digits")

# %%
digits = recorded("06_zoo_digits")
reveal("06a.digits", figure=page.digits_race(digits), he=claimed("06.zoo-default"),
       longer=claimed("06.zoo-default-longer"), **page.digits_answer(digits))

# %% [markdown]
r"""
A sigmoid is a tanh in disguise, $(1 + \tanh(u/2))/2$. So a sigmoid network can compute what a tanh network without
biases computes with matrices $V$. Between hidden layers it takes weights $4V$ and biases $-2V\mathbf{1}$ (minus twice
the row sums). The first layer has no sigmoids below it to undo, so it takes $2V$ and no biases. The read-out has no
sigmoids above it, so it takes $2V$ and $-V\mathbf{1}$. Twenty sigmoid layers that begin like this, with $V$ orthogonal,
do as well as tanh (held-out accuracy: {{claim 06.zoo-centred}}). You need both the gain and the centring.

"""

# %%
feedback("06a.zoo")

# %% [markdown]
r"""
**The zoo in a table.** $\sigma$ is the sigmoid, $\Phi$ the distribution function of a standard normal number, $p$ its
density. The last column says where each is usually found, and then with how many hidden layers it learned digits in our
measurements, at a tuned rate.

| | $\varphi(z)$ | range | $\varphi'(z)$ | when to use it |
|---|---|---|---|---|
| sigmoid | $\sigma(z) = 1/(1 + e^{-z})$ | $(0, 1)$ | $\sigma(z)\,(1 - \sigma(z))$ | gates; 2; 20 if centred |
| tanh | $\tanh(z)$ | $(-1, 1)$ | $1 - \tanh(z)^2$ | recurrent states; 2 and 20 |
| ReLU | $\max(z, 0)$ | $[0, \infty)$ | $1$ for $z > 0$, else $0$ | a first try; 2 and 20 |
| leaky ReLU | $\max(z, 0.01 z)$ | $(-\infty, \infty)$ | $1$ for $z > 0$, else $0.01$ | where units die; 2 and 20 |
| GELU | $z\,\Phi(z)$ | $[-0.17, \infty)$ | $\Phi(z) + z\,p(z)$ | transformers; 2 and 20, in 100 its signal strays |
| SiLU, swish | $z\,\sigma(z)$ | $[-0.28, \infty)$ | $\sigma(z)\,(1 + z\,(1 - \sigma(z)))$ | in SwiGLU, as we tried it |

(SwiGLU was level with GELU at equal parameters. We have not measured ELU, SELU and softplus.)

**What you can now say.** With two layers and a tuned rate, the choice of activation hardly mattered on digits, which
are nearly linear (accuracy of the best minus that of the worst: {{claim 06.zoo-two}}). On the flip, which is linear, it
may matter. With twenty layers and few epochs, what mattered was the activation's own gain, and sigmoid needed centring
as well. The gain that keeps the signal also keeps the gradient, but only for ReLU and leaky ReLU. And a table at one
learning rate tells you which start suits that rate.

**What you do not know.** What normalisation and residual sums change (lesson 07), and whether this carries over to
large networks.

{{claims}}
"""

# %%
download()
