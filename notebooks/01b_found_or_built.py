# %% [markdown]
r"""
# 01b Found or built?

**A network that does the job exists. When does training find it, and when does it find one that only knows its training
points?** An excursion from lesson 01, in 15 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from utils.claims import claimed, recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_01 import page
from utils.predictions import predict, reveal
from utils.widgets import live_figure

use_style()

# %% [markdown]
r"""
## 1 Three clouds of points (3 min)

Here are the sets that every course starts with: two clouds that a line separates, two rings, two spirals.
"""

# %%
show_figure(page.three_sets(), "01b.sets")

# %% [markdown]
r"""
<details><summary>Code to take along: blobs, spirals, from utils/data.py</summary>

```python
import math
import torch

def blobs(n, generator):
    y = torch.arange(n) % 2
    return 2.0 * y[:, None] - 1 + 0.6 * torch.randn(n, 2, generator=generator), y

def spirals(n, generator, turns=2, noise=0.08):
    y = torch.arange(n) % 2
    position = torch.rand(n, generator=generator)  # along the arm
    angle = 2 * math.pi * (turns * position + y / 2)
    radius = 2 * position + noise * torch.randn(n, generator=generator)
    return torch.stack([radius * torch.cos(angle), radius * torch.sin(angle)], dim=1), y
```

</details>

We trained one hidden layer of ReLU units on each set. Every seed has its own data and initial weights, and the learning
rate is tuned on validation points. **How many hidden units does it take to get nearly all points of the spirals right,
from most seeds?**
"""

# %%
predict("01b.spirals")

# %%
planes = recorded("01_planes")
reveal("01b.spirals", figure=page.planes_by_width(planes),
       lead=claimed("01.spirals-sixteen"), **page.spirals_answer(planes))

# %% [markdown]
r"""
Look at the rings with three units. With the best seed, the network is right nearly everywhere: three lines around the
origin are enough. With the worst, it is no better than a coin, although weights just as good exist for every seed. **To
exist is one thing, to be found is another.**

<details><summary>Why two units cannot fence in a ring</summary>

**Proposition.** Let $g$ be the difference of the two outputs of a network with two inputs and one hidden layer of two
ReLU units. Where $\{g < 0\}$ is not empty, it is unbounded, and so is $\{g > 0\}$.

Write $g = c + a_1 \operatorname{ReLU}(u_1) + a_2 \operatorname{ReLU}(u_2)$, where $u_1, u_2$ are affine functions of
$x$ (linear ones plus a constant), and suppose that $\{g < 0\}$ is bounded and not empty. If $u_1$ and $u_2$ depend on
$x$ through the same direction (or one of them not at all), then $g$ is constant along the perpendicular, and $\{g <
0\}$ is unbounded. Otherwise $(u_1, u_2)$ are coordinates of the plane. On the quadrant $u_1, u_2 \le 0$, which is
unbounded, $g = c$: so $c \ge 0$. Along $u_1 \to \infty$, $u_2 \le 0$, $g = c + a_1 u_1$: so $a_1 \ge 0$, and likewise
$a_2 \ge 0$. Then $g \ge 0$ everywhere: a contradiction. The same holds for $\{g > 0\}$, with $-g$. ∎

</details>

## 2 Features by hand, features learned (3 min)

Back to the lesson's noisy rings. Their classes overlap, so even the best of all classifiers, which knows how the points
are drawn, is not always right. Choose features $\varphi$ by hand, say $(x_1, x_2, x_1^2, x_2^2)$, and train a linear
model on them. It minimises

$$ \frac1n \sum_{i=1}^n \ell\bigl(\varphi(x_i) W,\, y_i\bigr) \quad \text{over } W \text{ alone} . $$

A network with a hidden layer minimises the same sum, over $W$ *and* the weights in $\varphi$. Here $\ell$ is the
cross-entropy, $-\log p_y$.

<details><summary>Two slips that are often made here</summary>

PyTorch's `cross_entropy` already contains the softmax, which turns outputs into probabilities $p$. If you put another
softmax into the model, the two outputs that `cross_entropy` sees differ by at most 1. So however sure the network is,
the loss with two classes stays above $\ln(1 + e^{-1})$. The other slip is to have a column of ones in the data *and* a
bias in `nn.Linear`: these are two biases where one is enough.

</details>

With the squares, logistic regression is nearly as good as the best of all classifiers. But who tells you to use
squares? Take all polynomial features up to some degree:
"""

# %%
def features(points, degree):
    x1, x2 = points.double().T
    powers = [(i, j) for i in range(degree + 1) for j in range(degree + 1 - i)]
    return torch.stack([x1**i * x2**j for i, j in powers], dim=1)


def accuracies(degree, seed):
    """Return training and held-out accuracy of logistic regression on these features."""
    parts = page.rings(seed)
    model = LogisticRegression(C=1e6, max_iter=20_000)  # try C=1
    model.fit(features(parts[0][0], degree), parts[0][1])
    return [model.score(features(points, degree), labels)
            for points, labels in (parts[0], parts[2])]


for degree in (1, 2, 4, 8, 12):  # a line every few seconds, twenty seconds in all
    train, test = np.median([accuracies(degree, seed) for seed in range(10)], axis=0)
    print(f"degree {degree}, {(degree + 1) * (degree + 2) // 2} features: "
          f"training {train:.2f}, held-out {test:.2f}")

# %% [markdown]
r"""
These are medians over ten data sets. Training accuracy goes up with the number of features. Held-out accuracy is best
at degree 2 and then falls. Were these **too many features** for a hundred points?

Look at `C`. Scikit-learn adds a penalty to the loss: the sum of the squared weights, divided by `2 * C`. With `C` at
1e6, this penalty is next to nothing. And nobody tuned `C`, while every network on this page has its learning rate
chosen on 1,000 validation points. If `C` is chosen on the same points, features up to degree 12 gain accuracy ({{claim
01.penalty}}). They are no longer far behind degree 2 ({{claim 01.too-many}}). So a good part of the damage was done not
by their number, but by weights that nothing kept small.

## 3 Too few units, too many (3 min)

Can there be too many hidden units, too? **Take 100 of them, as many as there are training points, and choose the
learning rate on the validation points. How does the held-out accuracy compare with that of 10 units?**
"""

# %%
predict("01b.width")

# %%
on_rings = recorded("01_rings")
reveal("01b.width", figure=page.accuracy_by_width(on_rings),
       lead=claimed("01.width-is-harmless"), **page.rate_answer(on_rings))

# %% [markdown]
r"""
Two units **underfit**: they are often wrong even on the training points.

Now tune the hundred units in the wrong way: by the training loss. They memorise all the training points. That costs
little held-out accuracy (properly tuned minus wrongly tuned: {{claim 01.overfit}}), much less than the usual sketch of
**overfitting** suggests. But it costs a lot in held-out cross-entropy, because the network is sure of itself where it
is wrong. Does the width do the harm, or the wrong choice? Make the same wrong choice at each width:
"""

# %%
page.print_wrong_choice(on_rings)

# %% [markdown]
r"""
It takes both. Three units lose nothing by the wrong choice, and a hundred lose nothing by their width, as long as
training stops early.

## 4 Start somewhere else (6 min)

Back to curves. In the lesson, we trained networks of 80 ReLU units on the sine, from PyTorch's initialisation. They
stayed far behind the hand-built one. In that initialisation, a unit's weight $w$ and bias $b$ are both drawn uniformly
from $[-1, 1]$. So its bend, at $-b/w$, lies outside the interval $[-1, 1]$ half of the time. A quarter of the units
start as straight lines, and another quarter are 0 on the whole interval, so they have no gradient and stay as they are.
**Suppose training starts at the hand-built weights instead. What happens?**
"""

# %%
predict("01b.kept")

# %%
reveal("01b.kept", figure=page.kept_or_lost(), ratio=claimed("01.stays"),
       **page.kept_answer())

# %% [markdown]
r"""
So good weights are not hard to keep. Are they hard to find? For ReLU units that start from PyTorch's initialisation,
they are. But 40 *steep tanh units*, whose bends begin at random places in the interval, end with a far smaller error
than the hand-built network (mean squared error for the sine, trained over hand-built: {{claim 01.found}}).

With few units, the hand-built network actually loses. Ten evenly spaced hinges hardly resolve a sum of two sines, and
networks trained from PyTorch's initialisation beat them (mean squared error, trained over hand-built: {{claim
01.few-units}}). Most of that lead comes from better output weights (their share: {{claim 01.few-units-weights}}). The
hand-built line runs through its knots, which does not minimise the mean squared error.

The slider trains ten networks at each position. From which width on is the hand-built network better?
"""

# %%
live_figure(page.width_slider, **page.width_controls())

# %%
feedback("01b.learning")

# %% [markdown]
r"""
**What you can now say.** What training finds depends on the start, the activation and the learning rate: with 40 units
for the sine, ReLU units from PyTorch's initialisation stay behind the hand-built network, but steep tanh units pass it.
Training finds a network that only knows its training points if width and a wrong choice come together. When the
training loss chose the rate, not the validation points, the held-out cross-entropy of 100 units was {{claim
01.overconfident}} times as high, but that of three units was no higher. That a network of some width *can* represent a
function does not tell you what training finds, and what training missed does not tell you what that width can
represent.

**What you do not know.** All of this is about one family of targets, one level of noise and a fixed number of steps. We
have not measured whether more steps would help.

{{claims}}
"""

# %%
download()
