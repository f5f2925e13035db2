# %% [markdown]
r"""
# 01 Universal approximation: what can one hidden layer do?

You will draw a curve with straight ramps, then fence in a cloud of points, then ask whether training finds what you
built by hand. **What can a network with one hidden layer draw, and what does it cost?** Whatever the answer is, depth
will have to beat it.

*66 minutes, including five functions that you write, and about 60 more for the exercises. You need NumPy arrays and
derivatives. You should know that a layer multiplies by weights and adds a bias, and have seen PyTorch once.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from torch import nn

from utils import device
from utils.claims import claimed
from utils.exercises import yours
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_01 import page
from utils.playground import playground
from utils.predictions import predict, reveal
from utils.widgets import live_figure

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work

# %% [markdown]
r"""
## 1 Draw with ramps (10 min)

A ramp is flat on the left and then rises. The field calls it **ReLU**. Move three ramps, scale them and add them up,
and you have a first shape:
"""

# %% tags=["idea"]
def relu(z):
    return np.maximum(z, 0)


x = np.linspace(-1, 4, 501)
y = 2 * relu(x) - 3 * relu(x - 1) + 2 * relu(x - 3)  # change a number, run it again
show_figure(page.line(x, y), "01.ramps")

# %% [markdown]
r"""
Each ramp bends the line once, where it begins: at its **hinge**. Such a sum, plus a constant, is a **network with one
hidden layer**. Every ramp is a *hidden unit*, the factor that scales it is the unit's *weight*, and the constant is the
*bias*. **Write the line that returns the network's outputs, for any number of units.** Shapes are in square brackets:
`x` [points] has one number per point, `hinges` [units] and `weights` [units] have one per unit, `bias` is a single
number, and the result is [points].

(`x[:, None] - hinges` is a table with one row per point and one column per unit. `table @ weights` multiplies the
columns by the weights and adds them up. Replace the three dots and run the cell. If you are stuck, unfold the line
below; whatever you write, the page still works.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def network(x, hinges, weights, bias):
    """Return the outputs [points] of one hidden layer of ramps."""
    return bias + relu(x[:, None] - hinges) @ weights
# END BLANK

# %%
network = yours("01.network")
x = np.array([0.5, 2.0, 3.5])
print(network(x, np.array([0, 1, 3]), np.array([2, -3, 2]), 0))

# %% [markdown]
r"""
Those are three points on the line above. Now place four hinges yourself. The line always meets the target at its
**knots**, which are the hinges and both ends, so all you choose is where the hinges go. To move a dot, use the slider
with its number (you cannot drag the dots). **How small can you make the largest error?** Start with the kink, then try
the sine.
"""

# %%
live_figure(page.hinge_builder, **page.hinge_controls())

# %% [markdown]
r"""
(The sliders need a running kernel: run the cells from the top.)
"""

# %% [markdown] tags=["aha"]
r"""
## 2 Where do the weights come from? (9 min)

The builder found the weights at once. How? Take three points, $(0, 0)$, $(1, 2)$ and $(3, 2)$, and join them: the slope
is 2, then 0. Put one hinge at 0, with weight $w_0$, and another at 1, with weight $w_1$. **What are the two weights?**
"""

# %%
predict("01.weights")

# %%
reveal("01.weights")

# %% [markdown]
r"""
What works for two hinges works for any number, and that is the whole algorithm. **Write the two lines that return the
weights** [units]. You are given the points, `knots` and `values`, each [units + 1]. Compute the slopes of the pieces
first, then the weights. (`np.diff(a)` returns the differences between neighbours in `a`. With `prepend=0` it puts a 0
in front first.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def hand_built(knots, values):
    """Return the weight of each hinge; the hinges are all knots but the last."""
    slopes = np.diff(values) / np.diff(knots)
    return np.diff(slopes, prepend=0)
# END BLANK

# %% [markdown]
r"""
Two lines, and with the first value as the bias you have a network with one hidden layer that runs through any points
you like. Nothing was trained. Try it on the sine, and watch the hinges being added one by one:
"""

# %%
hand_built = yours("01.hand-built")
f = np.sin  # try np.cos
knots = np.linspace(-5, 5, 9)  # 9 knots make 8 hidden units; try 17
print("weights:", hand_built(knots, f(knots)).round(2))
page.play_hinges(knots, f)

# %% [markdown]
r"""
**Each weight is the change of slope at its hinge.** Beyond its last hinge, every partial sum just goes straight on.
Only together do the hinges look like a sine; no single unit knows what it is drawing.

*→ Now do exercise 01.2: the same with hinges that open to the left. (The exercises have their own notebook, linked at
the top.)*

## 3 How good is it? (9 min)

Measure the largest error on a fine grid, with 20 hidden units and then with 40. **You double the number of units. How
much of the largest error is left?**
"""

# %%
predict("01.doubling")

# %% tags=["idea"]
def largest_error(f, low, high, units):
    knots = np.linspace(low, high, units + 1)
    weights = hand_built(knots, f(knots))
    x = np.linspace(low, high, 20_001)
    return np.abs(network(x, knots[:-1], weights, f(low)) - f(x)).max()


units = np.array([5, 10, 20, 40, 80, 160])
errors = np.array([largest_error(np.sin, -5, 5, n) for n in units])

# %%
reveal("01.doubling", figure=page.errors_by_units(units, errors),
       ratio=errors[3] / errors[2])

# %% [markdown]
r"""
**Proposition.** If $|f''| \le M$ and the hinges are $h$ apart, then the hand-built network is nowhere further from
$f$ than

$$ \frac{M h^2}{8} . $$

<details><summary>Why an eighth? The proof, if you like</summary>

Between neighbouring knots $s < t$ the network $g$ is straight and meets $f$ at both ends. Fix $x$ between them, and
choose $c$ so that $\varphi(u) = f(u) - g(u) - c\,(u - s)(u - t)$ is 0 at $u = x$. Then $\varphi$ has three zeros, so
$\varphi'$ has two, and $\varphi''$ has one, at some $\xi$ (Rolle). Since $g$ is straight, $f''(\xi) = 2c$. So the error
at $x$ is $\frac12 |f''(\xi)|\,(x - s)(t - x)$, and $(x - s)(t - x)$ is at most $h^2 / 4$. ∎

</details>

**Write the line that returns this bound** for the interval from `low` to `high`, cut into equal pieces with a hinge at
the beginning of each. (`curvature` is $M$.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def certified(curvature, low, high, units):
    """Return the largest error that is possible where |f''| is at most curvature."""
    return curvature * ((high - low) / units) ** 2 / 8
# END BLANK

# %%
certified = yours("01.certified")
for n, error in zip(units, errors, strict=True):
    bound = certified(1, -5, 5, n)
    print(f"{n} units: certified {bound:.5f}, measured {error:.5f}")

# %% [markdown]
r"""
For the sine, $M = 1$. So on the interval where you placed the knots, you know how large the error can be before you
measure it.

*→ Now do exercise 01.3: how many units certify a given error?*

## 4 Two inputs: fence in a cloud (15 min)

Two classes of points lie on two noisy rings. 100 points are for training. Another 4,000 are **held out**: no choice
ever depends on them.
"""

# %%
(X, labels), _, held_out = page.rings(seed=0)
show_figure(page.points(X, labels), "01.points")

# %% [markdown]
r"""
<details><summary>Code to take along: circles, from utils/data.py</summary>

```python
import math
import torch

def circles(n, generator, radii=(0.5, 1.5), noise=0.1):
    y = torch.arange(n) % 2
    angle = 2 * math.pi * torch.rand(n, generator=generator)
    radius = torch.tensor(radii)[y] + noise * torch.randn(n, generator=generator)
    return torch.stack([radius * torch.cos(angle), radius * torch.sin(angle)], dim=1), y
```

</details>

Read the training loop below line by line: every other one in the course has the same shape. Its loss is the
**cross-entropy**: the model's two outputs become the probabilities of the two classes, and every point costs minus the
logarithm of its own class's probability. Being confidently wrong costs the most. (With two classes, you could also use
a single output and a sigmoid: the sigmoid would get the difference of our two outputs.) The optimiser, Adam, moves each
weight by the learning rate times a running mean of its gradients, divided by the square root of a running mean of their
squares. (`.to(place)` moves the model and the data to a GPU, if you have one. Does that help a network this small? Put
`%%time` at the top of the cell, and compare with `place = "cpu"`.)

The first model has no hidden layer. It is **logistic regression**, and it draws one straight line. **On held-out
points, how often will it be right?**
"""

# %%
predict("01.line")

# %% tags=["idea"]
def train(model, lr, steps=2000):
    place = device()  # a GPU where there is one, else the CPU
    model, inputs, classes = model.to(place), X.to(place), labels.to(place)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(inputs), classes)
        optimizer.zero_grad()  # else backward would add to the old gradients
        loss.backward()  # compute the new ones
        optimizer.step()  # move every weight a little
    return model.to("cpu")  # where the plots and NumPy are


def accuracy(model, points, labels):
    return (model(points).argmax(dim=1) == labels).double().mean().item()


torch.manual_seed(0)  # another number, another start
line = train(nn.Linear(2, 2), lr=0.03)

# %%
reveal("01.line", accuracy=accuracy(line, *held_out), many=claimed("01.line"))

# %% [markdown]
r"""
Would more layers help? Feed one linear layer into the next: $W_2 (W_1 x + b_1) + b_2 = (W_2 W_1)\,x + (W_2 b_1 + b_2)$
is again one matrix and one bias. **Depth buys nothing without an activation**, a bent function between the layers.

Now put ramps in between. Each hidden unit becomes a ramp over the plane: zero on one side of a line, rising on the
other. **How many ramps do you need to fence in the inner ring on all sides?**
"""

# %%
predict("01.fence")

# %% tags=["idea"]
def one_hidden_layer(units):
    return nn.Sequential(nn.Linear(2, units), nn.ReLU(), nn.Linear(units, 2))


models = {}
for width in (2, 3, 10):
    torch.manual_seed(3)  # try others
    models[width] = train(one_hidden_layer(width), lr=0.03)

# %%
reveal("01.fence", figure=page.boundaries(models, X, labels),
       lead=claimed("01.third-unit"))

# %% [markdown]
r"""
<details><summary>Code to take along: plot_points, plot_decision, from utils/plots.py</summary>

```python
import matplotlib.pyplot as plt
import numpy as np
import torch

def plot_points(X, y, ax=None):
    ax = ax or plt.subplots(figsize=(3.2, 3.2))[1]
    look = {"markersize": 4, "markeredgecolor": "black", "markeredgewidth": 0.4}
    for label, marker, colour in ((0, "o", "#0072B2"), (1, "s", "#E69F00")):
        ax.plot(*X[y == label].T.numpy(), marker, color=colour, label=f"class {label}", **look)
    ax.set(xlabel="x₁", ylabel="x₂", aspect="equal")
    return ax

def plot_decision(model, half_width=2.6, ax=None):
    ax = ax or plt.subplots(figsize=(3.2, 3.2))[1]
    line = torch.linspace(-half_width, half_width, 201)
    with torch.no_grad():  # the second output minus the first, on a grid
        margin = model(torch.cartesian_prod(line, line)).diff(dim=1)
    line, margin = line.numpy(), margin.reshape(201, 201).T.numpy()
    ax.contourf(line, line, margin, levels=[-np.inf, 0, np.inf], colors=["#d6e8f4", "#fbe8c8"])
    if margin.min() < 0 < margin.max():  # the boundary: where both outputs are equal
        ax.contour(line, line, margin, levels=[0], colors="black", linewidths=1.5)
    ends = (-half_width, half_width)
    ax.set(xlim=ends, ylim=ends, xlabel="x₁", ylabel="x₂", aspect="equal")
    return ax
```

</details>

Now build a fence by hand. The rows of `normals` [ramps, 2] are directions, spread evenly around the circle. Each
direction $v$ has a ramp whose value at a point $p$ is $\operatorname{ReLU}(p \cdot v)$, so its line runs through the
middle. **Write the line that returns the score**: at each point, the sum of all ramps minus the threshold. Where the
score is negative, you are inside. (`points` is [points, 2], so `points @ normals.T` has one row per point and one
column per direction. `.sum(axis=1)` adds up each row.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def fence(points, normals, threshold):
    """Return the score [points], below 0 inside the fence."""
    return relu(points @ normals.T).sum(axis=1) - threshold
# END BLANK

# %%
fence = yours("01.fence")
angles = 2 * np.pi * np.arange(3) / 3
normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
threshold = 1.0  # try others
places, classes = (part.numpy() for part in held_out)
right = (fence(places, normals, threshold) > 0) == classes
print(f"right on held-out points: by hand {right.mean():.2f}, "
      f"trained {accuracy(models[3], *held_out):.2f}")
show_figure(page.ramps_and_fence(fence, normals, threshold, X, labels),
            "01.features", answers="01.fence")

# %% [markdown]
r"""
The fence bends wherever it crosses the edge of a ramp, and it crosses each edge twice. These ramps are *features* of a
point, and you made them by hand. You don't have to: **a hidden layer learns its own features**. Ten learned features do
nearly as well as logistic regression that is handed $x_1^2$ and $x_2^2$ (the regression's held-out accuracy is higher
by {{claim 01.learned-features}}).

One number in the loop is still a guess: the learning rate. From here on, a network is *tuned* if, over several seeds,
at least six rates were tried, points set aside for this chose one (**validation**), and held-out points judged the
result.

*→ Now do exercise 01.1: collapse a stack of linear layers. Then do exercise 01.7: tune a network yourself.*
"""

# %% [markdown]
r"""
*In the playground*, which needs no kernel, three units learn to fence in a disc while you watch. Take one away, then
add some. How many units are there when one more stops helping?
"""

# %%
playground(data="circle", layers=[3], against=None)

# %% [markdown]
r"""
## 5 The theorem, and four ways to lose it (11 min)

On a closed interval, hinges can follow any continuous function. The same is true in any number of dimensions, and for
nearly any activation.

**Theorem** (Leshno, Lin, Pinkus & Schocken 1993, here for continuous activations). Let $\varphi$ be continuous, $K$ a
closed and bounded set, $f$ continuous on $K$. If $\varphi$ is not a polynomial, then for every $\varepsilon > 0$ some
network $g(x) = b + \sum_i a_i\,\varphi(w_i \cdot x + b_i)$ has $|f(x) - g(x)| < \varepsilon$ for all $x$ in $K$.

The theorem says nothing about how many units it takes, about training, or about what happens outside $K$. But it does
have hypotheses. Drop the biases, for example: **a tanh network without any biases has to learn $x^2$ on $[-1, 1]$. What
happens to its largest error as it gets wider?**
"""

# %%
predict("01.odd")

# %%
reveal("01.odd")

# %% [markdown]
r"""
Now take any target $f$. At $x$ the network has some value $g$, so at $-x$ it has $-g$. At $x$ the target is $f(x)$,
called `right`, and at $-x$ it is $f(-x)$, called `left`. So the network is off by $f(x) - g$ on one side and by
$f(-x) + g$ on the other. **However $g$ is chosen, how small can the larger of the two errors be?** Write the line that
returns it, for arrays `right` and `left`. (Add the two differences first, with their signs.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def floor(right, left):
    """Return what no odd network gets below, for f(x) = right and f(-x) = left."""
    return np.abs(right + left) / 2
# END BLANK

# %%
floor = yours("01.floor")
x = np.linspace(0, 1, 201)
for name, f in {"cos x": np.cos, "sin x": np.sin, "exp x": np.exp}.items():
    print(f"{name}: the largest error is at least {floor(f(x), f(-x)).max():.2f}")

# %% [markdown]
r"""
Here are four networks of 16 units. Each was trained with one hypothesis switched off.
"""

# %%
show_figure(page.four_hypotheses(), "01.hypotheses")

# %% [markdown]
r"""
- **A polynomial activation**, $z^2$: however many units there are, the network is a parabola, and no parabola follows a
  wave. (We drew the cosine, since the best parabola for the sine is a straight line.) For the sine, training ends very
  near the best parabola (relative difference of the mean squared errors: {{claim 01.polynomial}}).
- **No bias**: the network stays odd. For $x^2$ the best odd function is 0, so the mean squared error cannot go below
  $\frac15$. Training ends very near that floor, too (relative difference: {{claim 01.odd}}).
- **A jump in the target**: the network is continuous, so at the jump it has to be somewhere in between, and its largest
  error is at least ½. From afar you would not see this, so the figure shows only a tenth of the interval. The largest
  error of trained networks comes near that floor ({{claim 01.jump}}).
- **Outside the set**: the theorem promises something on $[-5, 5]$ and nothing on $[-10, 10]$ (largest error there:
  {{claim 01.outside}}). On the whole line, no ReLU network stays near the sine: far enough out, the network is
  straight.

More units are more of the same, not the missing ingredient.

*→ Exercise 01.5 goes further: it gives you the evidence, and you name the broken hypothesis. Can width repair any of
the four? And what happens in a hundred dimensions? Excursion 01a answers both.*
"""

# %% [markdown]
r"""
## 6 Built or found? (8 min)

You can build a network for the sine by hand. **Does training find one that is just as good?** Take two networks with 80
hidden units. One is hand-built, with evenly spaced hinges. The other is trained for 10,000 steps from PyTorch's
initialisation, with its learning rate tuned over eight values. **How does a typical trained network's largest error
compare with that of the hand-built one?**
"""

# %%
predict("01.learning")

# %% [markdown]
r"""
Train five networks of your own, with the loop you already know.
"""

# %% tags=["idea"]
def trained(seed, lr=0.01, steps=3000):
    torch.manual_seed(seed)
    x = 10 * torch.rand(500, 1) - 5
    model = nn.Sequential(nn.Linear(1, 80), nn.ReLU(), nn.Linear(80, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(steps):
        loss = ((model(x / 5) - torch.sin(x)) ** 2).mean()  # inputs in [-1, 1]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    x = torch.linspace(-5, 5, 20_001)[:, None]
    return (model(x / 5) - torch.sin(x)).abs().max().item()


missed = [trained(seed) for seed in range(5)]  # some ten seconds

# %%
reveal("01.learning", figure=page.learning_by_width(), **page.learning_ratio(),
       trained=claimed("01.trained"), least=min(missed), most=max(missed),
       built=largest_error(np.sin, -5, 5, 80),
       inside=claimed("01.spread"), tanh=claimed("01.tanh-largest"))

# %% [markdown]
r"""
Good weights exist: you built some. The theorem does not say whether training finds them.

**What can be built and what can be found are two different questions.** Keep them apart whenever you read about depth.

*→ Exercise 01.6 goes further, to a floor that no training can go below. The whole comparison is in excursion 01b.*
"""

# %%
feedback("01.learning")

# %% [markdown]
r"""
## 7 What you can now say (4 min)

1. A hidden layer of ramps draws a line of straight pieces, and each weight is the change of slope at its hinge.
2. With $N$ evenly spaced hinges the error is at most $M (b - a)^2 / (8 N^2)$: twice the units leave a quarter of it.
3. Linear layers in a row are one linear layer. In the plane, two ReLU units cannot fence in a ring, but three can.
4. One hidden layer comes as close as you like to any continuous function on a closed and bounded set, if the activation
   is not a polynomial and there are biases. Drop any of these conditions, and it can fail, however wide it is.
5. That a network exists does not mean that training finds it.

**What you do not know yet**: how many units a function of many variables takes (excursion 01a), and whether a second
hidden layer would have managed with fewer. Lesson 02 asks the second.
"""

# %%
show_figure(page.card(), "01.card")

# %% [markdown]
r"""
**Now do the exercises** that you have not done yet: their link is at the top of this page.

{{literature}}

{{claims}}
"""

# %%
download()
