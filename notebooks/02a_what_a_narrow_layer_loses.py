# %% [markdown]
r"""
# 02a What a narrow layer loses

**What does a narrow layer lose, and where?** An excursion from lesson 02, in 23 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
from math import comb

import numpy as np
import torch
from torch import nn

from utils.claims import claimed, recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_02 import page
from utils.predictions import predict, reveal

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work

# %% [markdown]
r"""
## 1 Sixteen images (1 min)

Take a 2×2 image of black and white pixels and mirror it in its diagonal: $(a, b, c, d)$ becomes $(a, c, b, d)$. There
are only sixteen such images, so we can train on them all. How many hidden units does this take?
"""

# %% tags=["idea"]
X = np.array(list(np.ndindex(2, 2, 2, 2)), dtype=float)  # all sixteen, one in each row
swap = np.eye(4)[[0, 2, 1, 3]]  # the identity with two rows swapped
Y = X @ swap.T
show_figure(page.images({"image": X, "wanted": Y}), "02a.images")

# %% [markdown]
r"""
<details><summary>Code to take along: diagonal_flip, from utils/data.py</summary>

```python
import torch

def diagonal_flip():
    X = torch.cartesian_prod(*[torch.tensor([0.0, 1.0])] * 4)  # sixteen rows
    return X, X.reshape(16, 2, 2).transpose(1, 2).reshape(16, 4)
```

</details>

The code has given it away: **the flip is a linear map**. One matrix does it, without a hidden layer.
"""

# %% [markdown]
r"""
## 2 Backpropagation by hand (6 min)

Give the network a hidden layer of $r$ units anyway. With the images in the rows of $X$,

$$ Z = X W_1^\top + b_1, \qquad H = \operatorname{ReLU}(Z), \qquad \hat Y = H W_2^\top + b_2 . $$

The loss is **half-MSE**, half the mean squared error over the sixteen images *and* the four outputs: $\ell = \frac12
\cdot \frac{1}{64} \sum_{i,j} (\hat Y_{ij} - Y_{ij})^2$.

Now go backwards, one step of the chain rule at a time. Write $\delta \hat Y$ for the derivatives of $\ell$ with respect
to the entries of $\hat Y$, and so on.

- $\delta \hat Y = (\hat Y - Y) / 64$. The square brings a 2, the half takes it away.
- $\delta W_2 = (\delta \hat Y)^\top H$. A weight acts on every image, so its derivative is a sum over them. So is a
  bias's: $\delta b_2$ is the sum of the rows of $\delta \hat Y$.
- $\delta H = \delta \hat Y\, W_2$. Forward we went through $W_2^\top$, so backward we go through $W_2$.
- $\delta Z$ is $\delta H$ where $Z > 0$, and 0 elsewhere: the slope of ReLU is 1 or 0.
- $\delta W_1 = (\delta Z)^\top X$, and $\delta b_1$ is the sum of the rows of $\delta Z$.
"""

# %% tags=["idea"]
def forward(parameters, X):
    W1, b1, W2, b2 = parameters
    Z = X @ W1.T + b1
    H = np.maximum(Z, 0)
    return Z, H, H @ W2.T + b2


def backward(parameters, X, Y):
    Z, H, Y_hat = forward(parameters, X)
    dY = (Y_hat - Y) / Y.size
    dZ = (dY @ parameters[2]) * (Z > 0)
    return [dZ.T @ X, dZ.sum(axis=0), dY.T @ H, dY.sum(axis=0)]

# %% [markdown]
r"""
A backward pass with a slip in it often still trains, but worse. So check ours against PyTorch's **autograd**, which
records the forward pass and applies the chain rule by itself.
"""

# %% tags=["idea"]
def drawn(units, seed):
    rng = np.random.default_rng(seed)
    W1 = rng.normal(size=(units, 4)) / np.sqrt(2)
    W2 = rng.normal(size=(4, units)) * np.sqrt(2 / units)
    return [W1, np.zeros(units), W2, np.zeros(4)]


parameters = [p + 0.1 for p in drawn(3, seed=0)]  # so that no bias is 0
W1, b1, W2, b2 = tensors = [torch.tensor(p, requires_grad=True) for p in parameters]
outputs = torch.relu(torch.tensor(X) @ W1.T + b1) @ W2.T + b2
loss = ((outputs - torch.tensor(Y)) ** 2).mean() / 2
loss.backward()
pairs = zip(tensors, backward(parameters, X, Y), strict=True)
print("all derivatives agree to 1e-12?",
      all(np.allclose(t.grad, d, rtol=0, atol=1e-12) for t, d in pairs))

# %% [markdown]
r"""
**Break it.** Leave out `* (Z > 0)` and run both cells again. Which other slips does the check catch?

*→ Now do exercise 02.3: the same for any number of layers.*
"""

# %% [markdown]
r"""
## 3 Six initialisations (2 min)

Train four hidden units by plain gradient descent, at one rate, from six random initialisations. **Where do the six
losses end?**
"""

# %% tags=["idea"]
def train(parameters, lr=0.5, steps=1500):
    losses = []
    for _ in range(steps):
        losses.append(np.square(forward(parameters, X)[2] - Y).mean() / 2)
        derivatives = backward(parameters, X, Y)
        parameters = [p - lr * d for p, d in zip(parameters, derivatives, strict=True)]
    return losses


losses = [train(drawn(4, seed)) for seed in range(6)]  # try 3 units, then 16
show_figure(page.losses_by_step(losses), "02a.ends")

# %% [markdown]
r"""
They stop **at multiples of 1/32**, and a single run may show you any of these levels. With three units, no loss comes
below 1/32 (and one is still falling); with sixteen, all come to 0. Where do the levels come from?
"""

# %% [markdown]
r"""
## 4 The rank floor (3 min)

However clever the layers before it are, a last hidden layer of $r$ units hands over $r$ numbers for each image, and the
outputs are an affine function of these. So copy $r$ of the four pixels. For the others, the best you can do is ½:
"""

# %% tags=["idea"]
for r in range(5):
    W2 = swap[:, :r]
    b2 = np.where(W2.any(axis=1), 0, 0.5)
    H = np.maximum(X[:, :r], 0)  # pixels are not negative: ReLU leaves them alone
    print(f"r = {r}: half-MSE {32 * np.square(H @ W2.T + b2 - Y).mean() / 2:g} / 32")

# %% [markdown]
r"""
Can a cleverer hidden layer do better? No. The four outputs are weighted sums of the same $r$ numbers and a constant, so
together they have only $r$ dimensions. The four pixels are uncorrelated: they point in four directions at right angles.
However you place $r$ dimensions, they catch at most $r$ of these four, and each one missed costs 1/32. So the floor is
$(4 - r)/32$, whatever the activation, the earlier layers or the training. What a narrow last layer loses is **rank**.

<details><summary>The same as a proposition, with its proof</summary>

**Proposition.** Let a network's last hidden layer have $r$ units, and let its output layer be affine. On a finite set
of inputs, let the $m \ge r$ targets have the same variance $v > 0$ and be uncorrelated in pairs. Then half of the mean
squared error over inputs and outputs is at least $v\,(m - r) / (2m)$. (For the flip $m = 4$ and $v = \frac14$.)

Write $\langle f, g \rangle$ for the mean of $f g$ over the inputs. Whatever the hidden units $h_1, \dots, h_r$ are, all
outputs lie in the space $S$ that is spanned by $1, h_1, \dots, h_r$. Choose an orthonormal basis $e_0 = 1, e_1, \dots,
e_s$ of $S$; then $s \le r$. The scaled targets $t_j = (y_j - \bar y_j) / \sqrt v$ are orthonormal, and orthogonal to
$e_0$. Nothing in $S$ is closer to $y_j$ than its projection, so output $j$ has a mean squared error of at least $v
\bigl( 1 - \sum_{k=1}^{s} \langle t_j, e_k \rangle^2 \bigr)$. Add this up over $j$ and swap the sums: for each $k$,
Bessel's inequality says that $\sum_j \langle t_j, e_k \rangle^2 \le 1$. What is left is at least $v (m - s) \ge v (m -
r)$; divide by $2m$. ∎

</details>

*→ Now do exercise 02.4: the floor when some pixels matter more than others.*

That was a proof; now measure. We trained each width from 100 initialisations, with ReLU, with leaky ReLU (slope $0.01$
on the left, not 0), and with no activation. Learning rates were tuned over six values, on 100 other initialisations.
**Use three units and take the ReLU away, so that the network is linear. What happens to its mean half-MSE?**
"""

# %%
predict("02a.linear")

# %%
widths = recorded("02_flip_widths")
reveal("02a.linear", figure=page.starts_by_level(widths), **page.mean_errors(widths),
       alive=claimed("02.flip-alive"), linear=claimed("02.flip-linear"))

# %% [markdown]
r"""
A leak keeps units alive, and sixteen ReLU units can afford to lose some (half-MSE times 32: {{claim 02.flip-spare}}).

So this is what width buys here: **up to four units, rank; beyond that, spares.**
"""

# %% [markdown]
r"""
## 5 Two layers, or narrow ones? (4 min)

A chapter of an online book trains three networks on the flip, $4 \to 16 \to 4$, $4 \to 8 \to 8 \to 4$ and $4 \to 4 \to
4 \to 4$, and says that training converges more slowly with two hidden layers than with one. To test this you need a
**builder**, which turns a list of sizes into a network. Cover ours, and write one in an empty cell. Go through the
sizes in pairs, add a linear layer and an activation for each pair, and drop the last activation: six lines.
"""

# %% tags=["idea"]
def build(sizes, activation=nn.ReLU):
    layers = []
    for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True):
        layers += [nn.Linear(n_in, n_out), activation()]
    return nn.Sequential(*layers[:-1])


for sizes in ([4, 16, 4], [4, 8, 8, 4], [4, 4, 4, 4]):
    print(sizes, "has", sum(p.numel() for p in build(sizes).parameters()), "parameters")

# %% [markdown]
r"""
Yours should give the same counts. (The chapter has `140` and `52` for the last two: each time, eight biases are
missing.) The first two have equally many parameters, so they make a fair pair. Count the steps of Adam, each with all
sixteen images, until the half-MSE is below 0.1/32. **With each at its best learning rate, which of the two takes more
steps?**
"""

# %%
predict("02a.slower")

# %%
speed = recorded("02_flip_speed")
reveal("02a.slower", figure=page.learned_by_step(speed), **page.steps_at_best(speed),
       slower=claimed("02.flip-two-slower"), half=claimed("02.flip-half-wide"),
       as_wide=claimed("02.flip-as-wide"))

# %% [markdown]
r"""
Now train networks of your own, at one rate for all, from four initialisations each. `300` means that a network did not
get there in time.
"""

# %% tags=["idea"]
images = torch.tensor(X, dtype=torch.float32)
flipped = torch.tensor(Y, dtype=torch.float32)


def steps_needed(model, lr=0.03, most=300):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for step in range(most):
        loss = ((model(images) - flipped) ** 2).mean() / 2
        if loss < 0.1 / 32:
            return step
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return most  # it never got there


torch.manual_seed(0)  # try others
for sizes in ([4, 16, 4], [4, 16, 16, 4], [4, 8, 4], [4, 8, 8, 4], [4, 4, 4, 4]):
    print(sizes, [steps_needed(build(sizes)) for _ in range(4)])

# %% [markdown]
r"""
(In our record, rates are tuned over eight values for the fewest steps. A network that does not get there within
{{= flip.SPEED_STEPS}} steps counts as {{= flip.SPEED_STEPS}} in the answer's ratios.) And a step through two layers of
8 takes {{= flip.arithmetic("two layers of 8") / flip.arithmetic("one layer of 16")}} times one layer's arithmetic.
"""

# %% [markdown]
r"""
## 6 What does not explain it (2 min)

The chapter's explanation is **regions**: two units make three, which is too few for sixteen images, but sixteen units
make 17. But $n + 1$ is the number for *one* input. With four inputs, one layer of $n$ units makes up to $\sum_{k \le 4}
\binom{n}{k}$ (Zaslavsky 1975):
"""

# %% tags=["idea"]
for units in (2, 6, 7, 16):  # how many units make 64? The chapter says 63
    print(f"{units} units: up to {sum(comb(units, k) for k in range(5)):,} regions")

# %% [markdown]
r"""
Seven units make more than 64. And regions are not what is missing: a network without activation has a single one, and
reaches the floor at every width. The chapter's losses for 2, 8 and 16 units, `.0650`, `.0243` and `.0005`, come from
one run each, and today its listing gives others: {{= flip.listed_loss(2)}}, {{= flip.listed_loss(8)}} and
{{= flip.listed_loss(16)}}.

**Nor is it overfitting.** The chapter calls 148 parameters for sixteen images dangerous. Overfitting is a gap between
the errors on the training data and on new inputs *from the same source*. This source has sixteen images, all trained
on, so there can be no gap.

Images in shades of grey are *another* source. A linear network that is right on the sixteen is right on those, too,
since five images already fix an affine map. A ReLU network need not be right on them, but one with sixteen units nearly
is (half-MSE over that of a constant ½: {{claim 02.flip-grey-wide}}).
"""

# %% [markdown]
r"""
## 7 A narrow layer somewhere else (5 min)

The floor is about the *last* hidden layer. Now let everything pass through one unit *in the middle*, with layers on
either side as wide as you like. Without activations the rank is 1, and the floor is 3/32. **With ReLU, what is the
smallest half-MSE possible?**
"""

# %%
predict("02a.middle")

# %%
reveal("02a.middle")

# %% [markdown]
r"""
Write each image as *one number*, $8a + 4b + 2c + d$. Each output is a function of this number, and lesson 01's hinge
network runs through any points:
"""

# %% tags=["idea"]
number = X @ [8, 4, 2, 1]  # all that the one unit hands on
slopes = np.diff(Y, axis=0)
weights = np.diff(slopes, axis=0, prepend=0)  # of fifteen units: each a change of slope
Y_hat = Y[0] + np.maximum(number[:, None] - np.arange(15), 0) @ weights
print("half-MSE:", np.square(Y_hat - Y).mean() / 2)
show_figure(page.polylines(number, Y_hat), "02a.code")

# %% [markdown]
r"""
To make this a $4 \to 4 \to 1 \to 15 \to 4$ network, begin with a layer of four units that only copy the pixels.

**Does training find such a code?** `build` makes twenty networks $4 \to 16 \to 1 \to 16 \to 4$ with leaky ReLU.
`page.train_many` runs the loop above faster, and lets the rate rise and fall.
"""

# %% tags=["idea"]
torch.manual_seed(0)
networks = [build([4, 16, 1, 16, 4], nn.LeakyReLU) for _ in range(20)]
errors = np.sort(page.train_many(networks, lr=0.03))
print("half-MSE times 32:", *(f"{32 * error:.1f}" for error in errors))
show_figure(page.errors_by_place(recorded("02_flip_narrow")), "02a.places")

# %% [markdown]
r"""
In the figure, every rate is tuned. One leaky unit in the middle gets far below the floor of a last layer, but hardly
ever gets as far as the network you just built (share of networks that do: {{claim 02.flip-middle-not-zero}}). If a lone
ReLU dies, the network is a constant, with half-MSE 4/32. Once more, **what can be built and what is found differ**.

And training finds a code for *these sixteen images*, not the flip itself. On grey images, two leaky units in the middle
do worse than a constant ½ (half-MSE over a constant's: {{claim 02.flip-code}}). Training is not to blame for that:

**Proposition.** Let everything pass through three units in the middle. Then on some grey image some pixel is wrong by
½ or more.

Take the images on the surface of the cube, which have a pixel at 0 or at 1, and pair each $x$ with its negative $1 -
x$. By the theorem of Borsuk and Ulam, some such pair gives each of the three units the same value twice. So the network
gives both images the same output, but the outputs we want differ by 1 in some pixel. ∎

<details><summary>How narrow can the layers be, however many there are?</summary>

**Theorem** (Park et al. 2021). ReLU networks whose layers all have $w$ units, at any depth, come as close as you like
to every function from $\mathbb R^d$ to $\mathbb R^e$ whose $p$-th power has an integral, in the mean of the $p$-th
power of the error, exactly if $w \ge \max(d + 1, e)$.

With four inputs and four outputs, that is five units per layer. The theorem is about the hardest functions, and the
same paper shows that the *largest* error may need more. The flip is not among the hardest: four units per layer, all
on, hand everything through, and the proposition says that three do not. So depth can stand in for width down to about
the number of inputs, but not below it. How deep it must be is another question, and so is whether training gets there.

</details>
"""

# %%
feedback("02a.middle")

# %% [markdown]
r"""
**What you can now say.** A last hidden layer of $r$ units loses rank: on the flip that costs at least $(4 - r)/32$,
whatever comes before. In the middle, a single unit need lose nothing of these sixteen images, and training gets it to
{{claim 02.flip-middle}} of the last layer's floor. But of the grey images, even three units lose something. And narrow
layers cost time.

**What you do not know.** Why narrow layers are slow here, how few units after the single one suffice, and what a narrow
layer costs on a task that is not linear.

{{claims}}
"""

# %%
download()
