# %% [markdown]
r"""
# 01 Universal approximation: what can one hidden layer do?

You will draw a curve with straight ramps, then fence in a cloud of points, then ask whether training finds what you
built by hand. **What can a network with one hidden layer draw, and what does it cost?** That is what depth will have to
beat.

*75 minutes, and about 100 more for the exercises. You need NumPy arrays and derivatives. You should know that a layer
multiplies by weights and adds a bias, and have seen PyTorch once.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from torch import nn

from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_01 import page
from utils.predictions import predict, reveal
from utils.widgets import live_figure

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work

# %% [markdown]
r"""
## 1 Draw with ramps (6 min)

A ramp is flat on the left, then it rises. The field calls it **ReLU**. Move three of them, scale them and add them up,
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
Each ramp bends the line once, where it begins. Such a ramp is also called a **hinge**. Now place four hinges yourself.
At its hinges and at both ends, its **knots**, the line always runs through the target, so all you choose is where the
hinges go. **How small can you make the largest error?** Start with the kink, then try the sine.
"""

# %%
live_figure(page.hinge_builder, **page.hinge_controls())

# %% [markdown]
r"""
(The sliders need a running kernel: run the cells from the top.) Where the target has a corner, you know what to do.
The sine has none; there you must decide where to bend.
"""

# %% [markdown] tags=["aha"]
r"""
## 2 Where do the weights come from? (9 min)

The builder found the weights at once. How? Take three points, $(0, 0)$, $(1, 2)$ and $(3, 2)$, and join them: the
slope is 2, then 0. A first hinge at 0 with weight $w_0$, a second at 1 with weight $w_1$. **What are the two weights?**
"""

# %%
predict("01.weights")

# %%
reveal("01.weights")

# %% [markdown]
r"""
From the first hinge on, the slope is $w_0$. From the second on, both are at work, and the slope is $w_0 + w_1$. So
every weight is the **change of slope** at its hinge. That is the whole algorithm, and NumPy has a word for it:
"""

# %% tags=["idea"]
def hand_built(knots, values):
    slopes = np.diff(values) / np.diff(knots)
    return np.diff(slopes, prepend=0)


def network(x, knots, values):
    return values[0] + relu(x[:, None] - knots[:-1]) @ hand_built(knots, values)

# %% [markdown]
r"""
Two lines, and you have a network with one hidden layer that runs through any points you like. Nothing was trained. Try
it on the sine, and watch its hinges being added, one by one:
"""

# %% tags=["idea"]
knots = np.linspace(-5, 5, 9)  # 9 knots make 8 hidden units; try 17
print("weights:", hand_built(knots, np.sin(knots)).round(2))
page.play_hinges(knots, np.sin)

# %% [markdown]
r"""
Beyond its last hinge every partial sum just goes straight on. Only all together do the hinges look like a sine; no
single unit knows what it is drawing.

*→ Now do exercise 01.2: the same with hinges that open to the left. (The exercises are a notebook of their own: its
link is at the top.)*

## 3 How good is it? (9 min)

Measure the largest error on a fine grid, with 20 hidden units and then with 40. **You double the number of units. What
happens to the largest error?**
"""

# %%
predict("01.doubling")

# %% tags=["idea"]
def largest_error(f, low, high, units):
    knots = np.linspace(low, high, units + 1)
    x = np.linspace(low, high, 20_001)
    return np.abs(network(x, knots, f(knots)) - f(x)).max()


units = np.array([5, 10, 20, 40, 80, 160])
errors = np.array([largest_error(np.sin, -5, 5, n) for n in units])

# %%
reveal("01.doubling", figure=page.errors_by_units(units, errors),
       ratio=errors[3] / errors[2])

# %% [markdown]
r"""
Why? If $|f''| \le M$ and the hinges are $h$ apart, then the network is nowhere further from $f$ than

$$ \frac{M h^2}{8} . $$

For the sine $M = 1$, so 20 units on $[-5, 5]$ are certified to within {{= 0.5**2 / 8}} before anybody measures.

<details><summary>Why an eighth? The proof, if you like</summary>

Between two neighbouring knots $s < t$ the network is a straight line that meets $f$ at both ends. Fix an $x$ between
them and choose $c$ so that $\varphi(u) = f(u) - g(u) - c\,(u - s)(u - t)$ is 0 at $u = x$. Then $\varphi$ has three
zeros, so $\varphi'$ has two, and $\varphi''$ has one, at some $\xi$ (Rolle's theorem, twice). As $g$ is straight, that
says $f''(\xi) = 2c$. So the error at $x$ is $\frac12 |f''(\xi)|\,(x - s)(t - x)$, and $(x - s)(t - x)$ is at most
$h^2 / 4$, in the middle. ∎

</details>

The bound holds on the interval where you placed the knots, and nowhere else. To the right of the last knot a network of
hinges is a straight line for ever:
"""

# %% tags=["idea"]
knots = np.linspace(-5, 5, 41)
for low, high in [(-5, 5), (5, 10), (5, 50)]:
    x = np.linspace(low, high, 20_001)
    error = np.abs(network(x, knots, np.sin(knots)) - np.sin(x)).max()
    print(f"40 units on [-5, 5], measured on [{low}, {high}]: largest error {error:.3g}")

# %% [markdown]
r"""
*→ Now do exercise 01.3: how many units certify a given error?*
"""

# %%
feedback("01.hinges")

# %% [markdown]
r"""
## 4 Two inputs: fence in a cloud (18 min)

Two classes lie on two noisy rings. 100 points are for training, 1,000 for choosing (**validation**), and 4,000 are
**held out**: no choice is ever made by looking at those.
"""

# %%
(X, labels), validation, held_out = page.rings(seed=0)
show_figure(page.points(X, labels), "01.points")

# %% [markdown]
r"""
The next code cell is a training loop. Read it line by line: every other one in the course has this shape. The model has
no hidden layer. It is **logistic regression**, and it draws one straight line between the classes. **On held-out
points, how often will it be right?**
"""

# %%
predict("01.line")

# %% tags=["idea"]
def train(model, lr, steps=2000):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(X), labels)  # how wrong, how sure of it
        optimizer.zero_grad()  # forget the old gradients
        loss.backward()  # compute the new ones
        optimizer.step()  # move every weight a little
    return model


def accuracy(model, points, labels):
    return (model(points).argmax(dim=1) == labels).double().mean().item()


torch.manual_seed(0)  # another number, another start
line = train(nn.Linear(2, 2), lr=0.03)

# %%
reveal("01.line", accuracy=accuracy(line, *held_out))

# %% [markdown]
r"""
That was not bad luck (over many seeds: {{claim 01.line}}; the brackets, here and below, hold a 95 % interval for the
median). Turn the rings by any angle and they look the same, so no direction is better than another.

Would more layers help? **Three linear layers in a row**: feeding one into the next gives $W_2 (W_1 x + b_1) + b_2 =
(W_2 W_1)\,x + (W_2 b_1 + b_2)$, which is again one matrix and one bias. Check it:
"""

# %% tags=["idea"]
deep = nn.Sequential(nn.Linear(2, 10), nn.Linear(10, 10), nn.Linear(10, 2))
W, b = torch.eye(2), torch.zeros(2)
with torch.no_grad():
    for layer in deep:
        W, b = layer.weight @ W, layer.weight @ b + layer.bias
    print(f"the same outputs to 1e-5? {torch.allclose(deep(X), X @ W.T + b, atol=1e-5)}")

# %% [markdown]
r"""
Depth without an activation buys nothing. Once trained, three linear layers score the same as one (difference:
{{claim 01.deep-linear}}).

Now put ramps in between. Each hidden unit becomes a ramp over the plane: zero on one side of a line, rising on the
other. **How many do you need to fence in the inner ring?**
"""

# %%
predict("01.fence")

# %% tags=["idea"]
def one_hidden_layer(units):
    return nn.Sequential(nn.Linear(2, units), nn.ReLU(), nn.Linear(units, 2))


models = {}
for units in (2, 3, 10):
    torch.manual_seed(3)  # try others
    models[units] = train(one_hidden_layer(units), lr=0.03)

# %%
reveal("01.fence", figure=page.boundaries(models, X, labels))

# %% [markdown]
r"""
Two ramps always leave a gap (excursion 01b proves it). Three *can* close the fence. Change the seed and run the last
two cells again: do they close it every time? Remember that for section 6. Still, the third unit pays (held-out
accuracy, three units minus two: {{claim 01.third-unit}}). The boundary is a polygon: with ReLU every boundary consists
of straight pieces, however many units there are.

What did the three units learn? Each is a ramp. Its weight says which class it votes for: plus for the outer one, minus
for the inner. The fence is where the votes cancel:
"""

# %%
show_figure(page.hidden_units(models[3]), "01.features")

# %% [markdown]
r"""
Somebody who knew the answer could have handed $x_1^2$ and $x_2^2$ to logistic regression. Nobody has to: **the hidden
layer learns its own features**, and ten of those do nearly as well as the two made by hand (they lose
{{claim 01.learned-features}}).

One number in the loop is still a guess: the learning rate. Do not guess. Try several, and let the *validation* points
choose:
"""

# %% tags=["idea"]
for lr in (0.0001, 0.0003, 0.001, 0.003, 0.03, 0.3):
    torch.manual_seed(0)
    model = train(one_hidden_layer(30), lr)
    print(f"lr {lr}: training {accuracy(model, X, labels):.2f}, "
          f"validation {accuracy(model, *validation):.2f}")

# %% [markdown]
r"""
Look at the two columns: here the rate that fits the training points best is not the one that does best on new points.
From here on, *tuned* means just this: at least six rates are tried, validation points choose, held-out points judge,
and all of it over several seeds.

*→ Now do exercise 01.1: collapse a stack of linear layers. And 01.7: read a learning-rate sweep.*
"""

# %%
feedback("01.rings")

# %% [markdown]
r"""
## 5 The theorem, and four ways to lose it (16 min)

On a closed interval, hinges can follow any continuous function. The same is true in any number of dimensions, and for
nearly any activation.

**Theorem** (Leshno, Lin, Pinkus & Schocken 1993, here for continuous activations). Let $\sigma$ be continuous, $K$ a
closed and bounded set, $f$ continuous on $K$. If $\sigma$ is not a polynomial, then for every $\varepsilon > 0$ some
network $g(x) = b + \sum_i a_i\,\sigma(w_i \cdot x + b_i)$ has $|f(x) - g(x)| < \varepsilon$ for all $x$ in $K$.

It says nothing about how many units, nothing about training, and nothing outside $K$. But it does have hypotheses. Drop
the biases, for example: **a tanh network without any biases is to learn $x^2$ on $[-1, 1]$. What happens to its largest
error as it gets wider?**
"""

# %%
predict("01.odd")

# %%
reveal("01.odd")

# %% [markdown]
r"""
Without biases a tanh network is **odd**, $g(-x) = -g(x)$, since tanh is. The parabola is even. At $x = 1$ and at $x =
-1$ the target is 1, and the network has opposite values there, so one of its two errors is at least 1. No width helps.

Here are four networks of 16 units. Each was trained with one hypothesis switched off.
"""

# %%
show_figure(page.four_hypotheses(), "01.hypotheses")

# %% [markdown]
r"""
Play with it: which of the four can a wider network repair? (Each move trains ten networks.)
"""

# %%
live_figure(page.switchboard, **page.switch_controls())

# %% [markdown]
r"""
- **A polynomial activation**, $z^2$: however many units there are, the network is a parabola. No parabola follows the
  sine, and training ends very near the best of them (its mean squared error is larger by a share of {{claim
  01.polynomial}}).
- **No bias**: the network stays odd, and its mean squared error cannot go below $\frac15$. Training ends very near
  that, too (it is larger by a share of {{claim 01.odd}}). With biases the same networks learn the parabola (mean
  squared error: {{claim 01.odd-repaired}}).
- **A jump in the target**: the network is continuous, and at the jump it has to be somewhere in between. So its largest
  error is at least ½. Trained networks come near that ({{claim 01.jump}}).
- **Outside the set**: the theorem promises something on $[-5, 5]$ and nothing on $[-10, 10]$ (largest error there:
  {{claim 01.outside}}). On the whole line no ReLU network stays near the sine: in the end it is straight. Width may
  change the numbers; it brings no promise.

Width gives more of the same units, not the missing ingredient.

*→ Now do exercise 01.5: you get the evidence, you name the broken hypothesis. Curious how such a theorem is proved, and
what happens in a hundred dimensions? Excursion 01a.*
"""

# %%
feedback("01.theorem")

# %% [markdown]
r"""
## 6 Built or found? (13 min)

You can build a network for the sine by hand. **Does training find one as good?** Take 80 hidden units. One side is
hand-built, with evenly spaced hinges. The other is trained from PyTorch's initialisation: 10,000 steps, the learning
rate tuned over eight values. **How does the largest error of a typical trained network compare with the hand-built
one?**
"""

# %%
predict("01.learning")

# %% [markdown]
r"""
Try it first with 20 units, your own loop, and a target with more wiggles. Run this cell several times.
"""

# %% tags=["idea"]
torch.manual_seed(0)  # leave this line out, and every run starts elsewhere
u = torch.rand(500, 1) * 2 - 1  # inputs in [-1, 1]; x is five times that
target = torch.sin(5 * u) + 0.5 * torch.sin(25 * u)
model = nn.Sequential(nn.Linear(1, 20), nn.ReLU(), nn.Linear(20, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(3000):
    loss = ((model(u) - target) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
show_figure(page.built_and_found(model), "01.built-and-found")

# %% [markdown]
r"""
Now the answer to the prediction, with everything tuned:
"""

# %%
reveal("01.learning", figure=page.learning_by_width(), **page.learning_ratio())

# %% [markdown]
r"""
In mean squared error, and on the target with more wiggles, the hand-built network is further ahead still (trained over
hand-built: {{claim 01.many-units}}). The weights exist; you wrote them down. Training does not find them *from this
initialisation*. Start with all bends inside the interval, and the mean squared error for the sine shrinks (PyTorch's
initialisation over this one: {{claim 01.spread}}). Steep tanh units even beat the hand-built ReLU network, in mean
squared error and on the wiggly target (trained over hand-built: {{claim 01.steep-tanh}}). The theorem does not tell any
of these apart.

**What can be built and what can be found are two different questions.** Keep them apart whenever you read about depth.

*→ Now do exercise 01.6: a floor that no training can go below. All of the comparison is in excursion 01b.*
"""

# %%
feedback("01.learning")

# %% [markdown]
r"""
## 7 What you can now say (4 min)

1. A hidden layer of ramps draws a polyline, and each weight is the change of slope at its hinge.
2. With $N$ evenly spaced hinges the error is at most $M (b - a)^2 / (8 N^2)$: twice the units, a quarter of the error.
3. Linear layers in a row are one linear layer. In the plane two ReLU units cannot fence in a ring, and three can.
4. One hidden layer comes as close as you like to any continuous function on a closed and bounded set, if the activation
   is not a polynomial and there are biases. Drop a hypothesis, and it can fail at any width.
5. That a network exists does not mean that training finds it.

**What you do not know yet**: how many units a function of many variables takes (excursion 01a), and whether a second
hidden layer would have done it with fewer. That is lesson 02.
"""

# %%
show_figure(page.card(), "01.card")

# %% [markdown]
r"""
**Now the exercises**, those that you have not done yet: their link is at the top of this page.

{{claims}}
"""

# %%
download()
