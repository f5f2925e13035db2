# %% [markdown]
r"""
# 07c Depth in images and in text

**What does depth buy where the input is a picture, or a sentence?** You will find two pictures that one layer cannot
tell apart, train twenty-one layers of filters, and see what it takes to read a film review. This is an excursion from
lesson 07, in 21 minutes.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from torch import nn

from utils.claims import claimed, recorded
from utils.comparison import score
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_07 import page
from utils.predictions import predict, reveal
from utils.progress import bar

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 0  # try others
torch.manual_seed(SEED)
generator = torch.Generator().manual_seed(SEED)

# %% [markdown]
r"""
## 1 What one layer is not allowed to see (3 min)

A layer of 3×3 filters sees nine pixels at a time. Each filter slides over the image and leaves a **map** of its
answers, one *channel* of what the next layer gets. Hand the output layer only the largest value of each map: *is there
such a patch anywhere?* Then one layer knows which patches occur, but not where.
"""

# %% tags=["idea"]
def conv_net(depth, side=3, channels=6):
    layers = [nn.Unflatten(1, (1, 8, 8))]  # a row of 64 pixels becomes an image
    for n_in in [1] + [channels] * (depth - 1):
        filters = nn.Conv2d(n_in, channels, side, padding=side // 2)
        nn.init.kaiming_normal_(filters.weight, nonlinearity="relu")  # He's weights
        layers += [filters, nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveMaxPool2d(1), nn.Flatten(),
                         nn.Linear(channels, 10))


# %% tags=["idea"]
def dots(*columns):
    image = torch.zeros(8, 8)
    image[3, list(columns)] = 1
    return image.flatten()


near, far = dots(1, 4), dots(1, 6)  # try others
show_figure(page.two_dots([near, far]), "07c.dots")
for depth, side in ((1, 3), (4, 3), (1, 7)):
    outputs = conv_net(depth, side)(torch.stack([near, far]))
    difference = (outputs[0] - outputs[1]).abs().max()
    print(f"{depth} of {side}×{side}: outputs differ by {difference:.3f}")

# %% [markdown]
r"""
**Proposition.** Let a network consist of one layer of $k \times k$ filters, applied at every place and followed by any
activation, then the largest value of each map, then anything. If every patch of $k \times k$ pixels (with zeros beyond
the edge) occurs equally often in two images, the network gives both the same output, whatever its weights.

What a filter answers at a place depends only on the patch there. So each map of the second image holds the numbers of
the first image's map in another order, and the largest is the same. ∎

A second layer sees 3×3 answers, hence 5×5 pixels, and after $L$ layers a unit sees a square with sides of $1 + 2L$
pixels. So four layers see the whole digit: depth buys a larger **receptive field**. But the last printed line shows
another way to buy it. (Excursion 03b races the two.)

## 2 A sum around two layers (5 min)

More layers see more. Do they learn? Here is lesson 07's block with filters in place of matrices, as in He et al.
(2016), who also normalise in the branch and put a ReLU after the sum.
"""

# %% tags=["idea"]
class Block(nn.Module):
    def __init__(self, channels, factor, skip):
        super().__init__()
        self.W, self.V = (nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2))
        for filters in (self.W, self.V):
            nn.init.kaiming_normal_(filters.weight, nonlinearity="relu")
            nn.init.zeros_(filters.bias)
        if skip:
            self.V.weight.data *= factor  # one over the root of the number of blocks
        self.skip = skip

    def forward(self, h):
        branch = self.V(torch.relu(self.W(h)))
        return h + branch if self.skip else torch.relu(branch)

# %% [markdown]
r"""
A sum needs two equal shapes: the same number of channels, and maps of the same size (padding keeps it). Where a block
changes either of them, He et al. put 1×1 filters into the skip: `nn.Conv2d(8, 16, 1, stride=2)`.

Our blocks change neither. A first layer goes over scikit-learn's digits in steps of two pixels. Then come 1, 5 or 10
blocks of {{= images.CHANNELS}} channels, which makes 3, 11 or 21 layers. The output layer gets each map's largest
value. Every network gets {{= images.EPOCHS}} epochs, at the best of {{= len(images.RATES)}} rates, chosen on validation
digits. **How does the held-out error change with depth?**
"""

# %%
predict("07c.sums")

# %%
summed, more = recorded("07_image_sums"), recorded("07_image_sums_longer")
reveal("07c.sums", figure=page.deep_filters(summed, more), epochs=page.images.EPOCHS,
       plain=page.median(summed, "plain 21"), three=page.median(summed, "skips 3"),
       deep=page.median(summed, "skips 21"), skips=claimed("07.image-skips"),
       start=claimed("07.image-start"), longer=claimed("07.image-longer"))

# %% [markdown]
r"""
Take the sum away yourself:
"""

# %% tags=["idea"]
(X, y), _, (X_new, y_new) = page.digits(generator=generator)


def learn(model, X, y, lr, epochs, batch=32):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in bar(range(epochs)):
        for rows in torch.randperm(len(X), generator=generator).split(batch):
            loss = nn.functional.cross_entropy(model(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


blocks = [Block(8, factor=10**-0.5, skip=True) for _ in range(10)]  # try False
deep = nn.Sequential(nn.Unflatten(1, (1, 8, 8)), nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(),
                     *blocks, nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(8, 10))
learn(deep, X, y, lr=0.003, epochs=6, batch=16)  # and 0.001
print(f"held-out error {1 - score(deep, X_new, y_new):.3f}")

# %% [markdown]
r"""
## 3 Which words matter? (3 min)

These reviews come from a grammar. Which words decide between *for* and *against*? The cell counts how often each of the
{{= len(texts.WORDS) - 1}} words occurs and forgets their order: a **bag of words**. A logistic regression gives each
word a weight. How many new reviews will it get right?
"""

# %% tags=["idea"]
W, v = page.reviews(2048, generator=generator)
W_new, v_new = page.reviews(500, generator=generator)
for words, verdict in zip(W[:3], v[:3], strict=True):
    print("for:    " if verdict else "against:", page.decode(words))


def bag(words):
    return nn.functional.one_hot(words, len(page.WORDS)).sum(dim=1)


counted = LogisticRegression(max_iter=1000).fit(bag(W), v)
print(f"\nfrom its words alone: {counted.score(bag(W_new), v_new):.2f} right")

# %% [markdown]
r"""
About half are right: the grammar turns clauses round at random, so that no word by itself depends on the verdict. So
write the rule down. A review is two clauses, joined by "and", "but" or "although … , …", and its verdict is what the
last clause says. A negation ("not", "never", "hardly") turns an adjective round; a frame ("i would not say that",
"nobody could claim that", "i doubt that") turns a whole clause round. **Make the rule fail by leaving a word out of its
lists.**
"""

# %% tags=["idea"]
good = "good brilliant moving clever funny fresh lovely gripping".split()
turns = "not never hardly nobody doubt".split()


def rule(text):
    words = text.replace(" but ", " and ").replace(" , ", " and ")
    words = words.split(" and ")[-1].split()  # the last clause
    flips = sum(word in turns for word in words)
    return (flips + (words[-1] in good)) % 2  # an even number of turns cancels out


verdicts = torch.tensor([rule(page.decode(words)) for words in W_new])
print(f"by the rule: {(verdicts == v_new).double().mean():.2f} right")

# %% [markdown]
r"""
The rule keeps one bit in mind, word after word. For that, a network needs memory.

## 4 Layers that read (7 min)

A **recurrent** layer reads word after word. Its state $h$ is what it remembers: $h \leftarrow \tanh(W x + b + U h)$. A
second layer reads the first one's states, and so on. We begin with orthogonal $U$ (lesson 06).
"""

# %% tags=["idea"]
class Recurrent(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.back = nn.Linear(width, width, bias=False)
        nn.init.orthogonal_(self.back.weight)

    def forward(self, x):  # [reviews, words, width]
        h, states = torch.zeros_like(x[:, 0]), []
        for word in self.inner(x).unbind(dim=1):
            h = torch.tanh(word + self.back(h))
            states.append(h)
        return torch.stack(states, dim=1)

# %% [markdown]
r"""
The longest clause has {{= texts.LONGEST_CLAUSE}} words, so a network reads the last {{= texts.LONGEST_CLAUSE}} words of
a review, then answers. It trains for {{= texts.STEPS[-1]}} steps on batches of {{= readings.BATCH}}, at the best of
{{= len(texts.RATES)}} rates. It has {{= texts.FEW}} reviews to learn from. **How do one layer and four layers, of
{{= texts.SHAPES["1 × 16"][1]}} units each, do on new reviews?**
"""

# %%
predict("07c.layers")

# %%
few, many = recorded("07_texts_few"), recorded("07_texts")
reveal("07c.layers", figure=page.stacked_readers(few, many), few=claimed("07.text-few"),
       one=page.median_of_one(few), fitted=claimed("07.text-fitted"),
       many=claimed("07.text-many"), longer=claimed("07.text-longer"))

# %% [markdown]
r"""
Train one layer on all {{= format(texts.MANY, ",")}} reviews. Does it know that two turns cancel? Write clauses of your
own, from the grammar's words:
"""

# %% tags=["idea"]
body = [Recurrent(16) for _ in range(1)]  # try 2, and W[:512], v[:512] below
network = page.Reader(nn.Embedding(len(page.WORDS), 16), *body, nn.Linear(16, 2))
learn(network, W[:, -12:], v, lr=0.01, epochs=8)
print(f"held-out error {1 - score(network, W_new[:, -12:], v_new):.3f}")
for clause in ("the film was good", "the film was not good",
               "i doubt that the film was good", "i doubt that the film was not good"):
    words = page.encode("the plot was dull but " + clause)[None, -12:]
    probability = network(words).softmax(dim=1)[0, 1]
    print(f"for: {probability:.2f}   … but {clause}")

# %% [markdown]
r"""
One recurrent layer is as deep as its text is long, and its gradient comes back through every word. Does it arrive?
Hochreiter & Schmidhuber (1997) gave the layer a second state $c$, to which each word adds something, as a block adds to
the stream. Gers et al. (2000) put a **forget gate** $f$ before what is kept:

$$c \leftarrow f \, c + i \, g, \qquad h \leftarrow o \tanh(c).$$

The gates $i$, $f$, $o$ lie between 0 and 1, $g$ between −1 and 1; each has its own weights for word and state. This is
an **LSTM**:
"""

# %% tags=["idea"]
def lstm(x, h, c, W, U, b):
    i, f, g, o = (x @ W.T + h @ U.T + b).chunk(4, dim=1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()  # what is kept, and what is added
    return o.sigmoid() * c.tanh(), c


cell, (x, h, c) = nn.LSTMCell(16, 16), torch.randn(3, 5, 16, generator=generator)
ours = lstm(x, h, c, cell.weight_ih, cell.weight_hh, cell.bias_ih + cell.bias_hh)
equal = map(lambda a, b: torch.allclose(a, b, atol=1e-6), ours, cell(x, (h, c)))
print("the same as PyTorch's cell?", all(equal))

# %% [markdown]
r"""
Before training, how large is the last state's gradient at the first word, divided by that at the last? Here are medians
of eleven draws, for 5, 20 and 100 words. With a bias of 0, the gate $f$ is about a half, and with a bias of 1 about
{{= format(1 / (1 + 2.71828**-1), ".2f")}}.
"""

# %% tags=["idea"]
def reach(kind, words):
    layer = (nn.LSTM if "bias" in kind else nn.RNN)(16, 16, dtype=torch.float64)
    if "bias" in kind:
        layer.bias_ih_l0.data[16:32], layer.bias_hh_l0.data[16:32] = float(kind[-1]), 0
    if "orthogonal" in kind:
        nn.init.orthogonal_(layer.weight_hh_l0)
    x = torch.randn(words, 16, dtype=torch.float64, requires_grad=True)
    direction = torch.randn(16, dtype=torch.float64)
    (slopes,) = torch.autograd.grad(layer(x)[0][-1] @ direction, x)
    return slopes[0].norm() / slopes[-1].norm()


for kind in ("tanh", "tanh, orthogonal", "bias 0", "bias 1", "bias 3"):
    draws = [[reach(kind, words) for _ in range(11)] for words in (5, 20, 100)]
    print(f"{kind:17}", *[f"{one:8.0e}" for one in torch.tensor(draws).median(1)[0]])

# %% [markdown]
r"""
All these gradients fade, because each word multiplies what comes back: in a tanh layer by a matrix and slopes of at
most 1, in the LSTM's sum by $f$. With a bias of 1 the LSTM keeps far more than tanh from PyTorch's weights, and over
five words about as much as tanh with orthogonal $U$. To reach a hundred words back, the gate has to be nearly open. (We
have trained no LSTM here.)

## 5 What must fit into memory (2 min)

Training keeps the **parameters**, their gradients, two **moments** for each parameter (Adam's averages), and what the
backward pass will need: the **activations**, which grow with depth times batch size:
"""

# %% tags=["idea"]
def numbers(model, X):
    kept, weights = {}, {p.data_ptr(): p.numel() for p in model.parameters()}

    def note(tensor):
        kept[tensor.data_ptr()] = tensor.numel()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda one: one):
        _outputs = model(X)  # while these are there, nothing is freed
    activations = sum(kept[at] for at in kept if at not in weights)
    return [sum(weights.values()), 2 * sum(weights.values()), activations]


line = "{:13} parameters {:,}, moments {:,}, activations {:,}"
for name, model, batch in (("filters", deep, X), ("one layer", network, W[:, -12:])):
    print(line.format(name, *numbers(model, batch[:32])))

# %% [markdown]
r"""
In use, no activation is kept for the backward pass. But a transformer that writes keeps every word's keys and values,
in each layer: 2 · layers · positions · width numbers. That is 2 · 12 · 1024 · 768 =
{{= format(2 * 12 * 1024 * 768, ",")}} for the smallest network of Radford et al. (2019) and one full text. A recurrent
layer keeps one state. Mixtures of experts (Shazeer et al. 2017) send each word through a few of many branches. That
saves computation but not memory, since all weights must be there.

## 6 What is known at scale (1 min)

On ImageNet, sixteen and more layers of 3×3 filters did better than fewer (Simonyan & Zisserman 2015). There,
thirty-four plain layers had a higher *training* error than eighteen, but with sums the deeper network was better (He et
al. 2016). On music and language, stacked recurrent layers did better than shallow ones (Pascanu et al. 2014).

With `download=True`, the next cell fetches CIFAR-10, small colour photographs ({{= images.MEGABYTES}} MB). Otherwise
coloured digits stand in for them. How well do three nearest neighbours do? (Or name `"mnist"`, digits of 28×28 pixels,
for section 2, or `"imdb"`, real reviews, for `bag`.)
"""

# %%
(X, y), (X_new, y_new) = page.larger("cifar10", 1000, 500, generator=generator,
                                     download=False)
neighbours = KNeighborsClassifier(3).fit(X, y)
print(f"three nearest neighbours: error {1 - neighbours.score(X_new, y_new):.2f}")

# %%
feedback("07c.depth")

# %% [markdown]
r"""
**So what does depth buy here?** In a picture, depth buys a wider view, and a sum lets deep networks train in few epochs
(21 layers' error without skips minus that with them: {{claim 07.image-skips}}). But on these digits we saw no gain from
twenty-one layers over three (three layers' error minus theirs, with skips: {{claim 07.image-depth}}). In a sentence,
one recurrent layer is deep already, unrolled from word to word, and a stack of four bought nothing more (with all
reviews, one layer's error minus theirs: {{claim 07.text-late}}). On pictures, a sum helped the deep networks (so did
longer training and a start near the identity). On sentences, more data and more steps helped.

**What you do not know.** Whether this is true of photographs and long texts.

{{claims}}
"""

# %%
download()
