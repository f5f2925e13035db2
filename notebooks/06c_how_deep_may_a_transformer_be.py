# %% [markdown]
r"""
# 06c How deep may a transformer be?

**Transformers are deep networks, too. What lets them be deep?** You will write attention in a line, stack it until
every position has the same row, find out which part of a block prevents that, move a layer norm, and train. An
excursion from lesson 06, in 24 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from scipy.special import softmax

from utils.claims import claimed, recorded
from utils.exercises import yours
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_06 import page
from utils.predictions import predict, reveal
from utils.reviews import decode, reviews

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
rng = np.random.default_rng(0)  # try others

# %% [markdown]
r"""
## 1 Attention in a line (5 min)

A text comes in as a matrix, one row per position and one column per feature. So far, nothing in this course lets one
row see another. **Attention** does (Vaswani et al. 2017). Three matrices turn the text $X$ into $Q$, $K$ and $V$, each
with one row per position. A position asks with its row of $Q$, the query. Others find it by its row of $K$, the key,
and read its row of $V$. The product of a query and a key, divided by $\sqrt d$ for $d$ columns, is a score. A softmax
turns each query's scores into shares that add up to 1, and with these shares attention mixes the rows of $V$:

$$\operatorname{attention}(Q, K, V) = \operatorname{softmax}\bigl(Q K^\top / \sqrt d\bigr)\, V$$

Write the line that returns this. `softmax(scores, axis=…)` makes shares along the axis that you name.
"""

# %%
# BEGIN BLANK
def attention(Q, K, V):
    """Return each position's mixture of the rows of V."""
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=1) @ V
# END BLANK


# %% tags=["idea"]
attention = yours("06c.attention")


def norm(X):  # layer norm: each row gets mean 0 and variance 1
    return (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True)


def layer(X, rng):  # attention at random weights: where Q, K and V come from
    Wq, Wk, Wv = rng.normal(size=(3, 64, 64)) / 64**0.5
    Z = norm(X)
    return attention(Z @ Wq, Z @ Wk, Z @ Wv)


# %% [markdown]
r"""
Send twelve random positions through four such layers. In the tables below, row $i$ holds the shares with which position
$i$ reads the twelve positions. (Attention returns the shares if you give it the identity for $V$.)
"""

# %% tags=["idea"]
X, tables = rng.normal(size=(12, 64)), []
for _ in range(4):
    Wq, Wk, Wv = rng.normal(size=(3, 64, 64)) / 64**0.5
    tables.append(attention(norm(X) @ Wq, norm(X) @ Wk, np.eye(12)))
    X = tables[-1] @ norm(X) @ Wv
show_figure(page.mixtures(tables), "06c.mixtures")

# %% [markdown]
r"""
## 2 All positions alike (6 min)

A table with equal rows gives every position the same mixture. Then all rows of $X$ are the same, and no layer above can
tell the words apart. How far are the rows from being equal? Take the nearest matrix with equal rows, $1 \bar x^\top$,
and measure what is left, as a share of all there is: $\lVert X - 1 \bar x^\top \rVert / \lVert X \rVert$. The norm is
the square root of the sum of all squared entries. So the nearest row $\bar x$ is the mean of all rows, because the mean
makes this sum smallest. A share does not change when all of $X$ doubles. (Dong, Cordonnier & Loukas 2021 use another
measure, which suits their proof. Both measures are 0 only for equal rows.) Write the line that returns this share:
"""

# %%
# BEGIN BLANK
def apart(X):
    """Return the norm of what is left beyond equal rows, over the norm of X."""
    return np.linalg.norm(X - X.mean(axis=0)) / np.linalg.norm(X)
# END BLANK


# %% tags=["idea"]
apart = yours("06c.apart")
X = rng.normal(size=(12, 64))
for depth in range(7):
    print(f"{depth} layers: {apart(X):.0e}")
    X = layer(X, rng)

# %% [markdown]
r"""
What is left shrinks at a gallop, until at 2e-16 the numbers themselves end: that is how float64 rounds. Once positions
are nearly alike, every layer *cubes* what is left (in {{= transformers.alike.seeds}} networks, a layer raised it to a
power of {{claim 06.alike-power}}). So the number of equal digits triples from layer to layer. That is faster than
exponential in depth, which is why Dong et al. call it *doubly* exponential.

<details><summary>Where the cube comes from</summary>

**Proposition.** Let the rows of $X$ be a common row $x^\top$ plus the rows of $R$. Let $W = W_Q W_K^\top / \sqrt d$,
and let $E$ be the largest entry of $R W R^\top$ in size. Then the rows of $\operatorname{attention}(X W_Q, X W_K, X
W_V)$ are a common row plus those of $(P - 1 p^\top) R W_V$, where $\lvert P_{ij} - p_j \rvert \le p_j (e^{2E} - 1)$.

The scores are $X W X^\top$ with $X = 1 x^\top + R$, a sum of four terms. $1 x^\top W x 1^\top$ and $R W x 1^\top$ are
constant along each row, so the softmax does not see them. $1 x^\top W R^\top$ is the same in all rows; let $p$ be its
softmax. The shares $P_{ij}$ are $p_j$ times $e^{(R W R^\top)_{ij}}$, divided by the row's mean of these factors (with
the weights $p$), and so between $e^{-2E} p_j$ and $e^{2E} p_j$. Since $P 1 = 1$, the output is
$P (1 x^\top + R) W_V = 1 (x^\top + p^\top R) W_V + (P - 1 p^\top) R W_V$. ∎

$E$ is of second order in $R$, so what is left is at most of third order. We measured that it is no smaller. A layer
norm in front is, near equal rows and to first order, a linear map of $R$, and changes no power. The theorem of Dong et
al. (2021) is such a bound for $L$ layers, with $3^L$ as an exponent. It says something only if weights or differences
are small enough.

</details>

You know this from lesson 05: it is the **ordered phase**, among positions instead of neighbouring inputs. There, each
layer multiplied a small gap by a factor below 1. Here the factor itself goes to 0, like the square of the gap. We found
no edge: larger queries and keys only delay this order by some layers (the table of claims has both sizes). There is
another difference: here the positions of *one* text grow alike. We have not measured whether two texts do.

## 3 What a block does about it (2 min)

A block of a transformer has two more parts: **skips**, so that attention is added to what was there, and a
**feed-forward** network, which treats each position by itself. Both are said to keep positions apart. Take twelve
blocks at random weights. **Which part, added alone, keeps more than a tenth of the differences?**
"""

# %%
predict("06c.parts")

# %%
alike = recorded("06_alike")
reveal("06c.parts", figure=page.parts(alike), noskips=claimed("06.alike-noskips"),
       **page.parts_answer(alike))

# %% [markdown]
r"""
## 4 Where the norm stands (5 min)

So a transformer is a stream that goes straight on, and attention and feed-forward networks, the *branches*, are added
to it (see the end of excursion 06b). Vaswani et al. (2017) put the layer norm on the stream, after each sum:
**post-norm**. GPT-2 has a norm at the entrance of each branch, and one more at the very end: **pre-norm**.
"""

# %% tags=["idea"]
def post_norm(x, branches):
    for f in branches:
        x = norm(x + f(x))
    return x


def pre_norm(x, branches):
    for f in branches:
        x = x + f(norm(x))
    return norm(x)


x = rng.normal(size=(1, 64))
Ws = [rng.normal(size=(64, 64)) / 8 for _ in range(48)]
for count in (4, 48):
    total = x + sum(norm(x) @ W for W in Ws[:count])
    print(f"a sum of {count} branches: variance {total.var():.0f}")

# %% [markdown]
r"""
In pre-norm, the last norm divides by the square root of that variance, so by about the square root of the number of
branches. On the way back it divides the gradient, too. In post-norm, the stream has variance 1 again after each branch.
Now take the gradient of a review's loss at the last block's weights, and compare 24 blocks with 2. **What becomes of
this gradient in pre-norm?**
"""

# %%
predict("06c.gradient")

# %%
norms = recorded("06_norms")
reveal("06c.gradient", figure=page.last_gradients(norms),
       power=claimed("06.norm-pre"), small=claimed("06.norm-small"),
       **page.gradient_answer(norms))

# %% [markdown]
r"""
**Theorem** (Xiong et al. 2020, theorem 1). At random weights the gradient of the second matrix of the last feed-forward
network is, with high probability, at most of the order $d \sqrt{\ln d}$ in post-norm, and of the order
$d \sqrt{\ln d / L}$ in pre-norm, for $L$ blocks of width $d$. It assumes Gaussian weights and inputs, one head, square
matrices, ReLU, queries and keys of zero (so that attention is a plain mean), and that the lengths of the last rows are
not far above their means.

These are upper bounds, for the *last* block. For the first blocks of post-norm, the authors expected smaller gradients
and saw them in their networks. In ours, with one head and up to 24 blocks, the first block's gradient is no smaller
(right panel). And in pre-norm, the first block's gradient does not shrink: late blocks get small gradients, but not all
blocks do.

## 5 Train it (6 min)

The authors say that post-norm needs a **warm-up**, a learning rate that begins small, because its last block's
gradients are large. Do we see that? The texts are the short reviews of excursion 07c. Only their last clause counts,
and each negation turns it round, be it *not* or *never* or *i doubt that*. Here is one such end, and a training run:
"""

# %% tags=["idea"]
generator = torch.Generator().manual_seed(0)
(words, y), (new_words, new_y) = (reviews(n, generator=generator) for n in (2048, 500))
words, new_words = words[:, -12:], new_words[:, -12:]  # the end of each review
print(decode(words[0]), "→", ("against", "for")[y[0]])

model = page.reader(depth=2, norm="pre", generator=generator)  # try "post", and 6 blocks
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)  # and other rates
# some seconds
for _ in range(512):
    batch = torch.randint(2048, (8,), generator=generator)
    loss = torch.nn.functional.cross_entropy(model(words[batch]), y[batch])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"right: {(model(new_words).argmax(1) == new_y).double().mean():.2f}")

# %% [markdown]
r"""
For the comparison, both norms got 2 or {{= transformers.SIX}} blocks (as many as Vaswani et al. had) of width
{{= transformers.TRAINED_WIDTH}}, {{= transformers.STEPS}} steps of Adam, and the best of {{= len(transformers.RATES)}}
rates, chosen on validation texts. With warm-up, the rate rises for the first third and then falls; without, it only
falls. **With six blocks, warm-up, and both rates tuned, which norm reads better?**
"""

# %%
predict("06c.train")

# %%
reads, cold = recorded("06_reads"), recorded("06_reads_cold")
reveal("06c.train", figure=page.accuracies(reads, cold), lead=claimed("06.read-six"),
       **page.train_answer(reads, cold))

# %% [markdown]
r"""
So is post-norm barred from depth? At six blocks, we tried to make it catch up. With twice the steps, it got
{{claim 06.read-longer}} of the texts right. That was more than before, but less than we had predicted. From weights
half as large, in as many steps, it got {{claim 06.read-small}}. Some of these networks read nearly everything, others
hardly more than half. So it learns with time, and how soon seems to depend on the first weights. (We tried neither with
pre-norm, so this says nothing about its lead.) At two blocks, it is not settled whether post-norm lags. The warm-up
that theory prescribes for post-norm let it bear about twice the rate, but as far as we could see, it read no better.
(The records with and without warm-up have different seeds.)
"""

# %%
feedback("06c.depth")

# %% [markdown]
r"""
**The answer.** Without skips, positions agreed to six digits after six layers at our random weights, because each layer
of attention cubes what tells them apart. With skips, a good part of this was left after 24 layers (power of ten:
{{claim 06.alike-skips}}). The place of the norm decided two things. At random weights, the last block's gradient fell
with the square root of the depth in pre-norm, but not in post-norm. And after equally many steps, six pre-norm blocks
led six post-norm blocks in accuracy by {{claim 06.read-six}}. We have not shown that the one causes the other. And we
cannot tell whether six pre-norm blocks read better than two (difference: {{claim 06.read-depth}}).

**What you do not know.** We have not trained a language model. These networks had one head, width
{{= transformers.TRAINED_WIDTH}}, twelve words to read, and hardly more than a thousand steps. So you do not know at
what depth either norm fails in earnest, nor what a warm-up does if rates are not tuned, batches are large or training
takes long. The gradient says little by itself, because Adam divides out its size. And everything about positions was
measured at random weights: training may undo it, or use it.

{{claims}}
"""

# %%
download()
