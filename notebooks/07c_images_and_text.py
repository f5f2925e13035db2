# %% [markdown]
r"""
# 07c Depth in images and in text

**What does depth buy where the input is a picture, or a sentence?** You will find two pictures that one layer cannot
tell apart, race filters on digits, and see what it takes to read a film review. An excursion from lesson 07, in 16
minutes. Nothing later needs it.
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
answers, a *channel* of what the next layer gets. Let us hand the output layer only the largest value of each map: *is
there such a patch anywhere?* Then one layer knows which patches occur, and nothing of how they lie.
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
    print(f"{depth} layer(s) of {side}×{side}: the outputs differ "
          f"by {(outputs[0] - outputs[1]).abs().max():.3f}")

# %% [markdown]
r"""
**Proposition.** A network consists of one layer of $k \times k$ filters, applied at every place and followed by any
activation, then the largest value of each map, then anything. If every patch of $k \times k$ pixels (with zeros beyond
the edge) occurs in two images equally often, the network gives both the same output, whatever its weights.

What a filter answers at a place depends only on the patch there. So a map of the second image holds the numbers of the
first image's map in another order, and the largest is the same. ∎

No training helps against that. (It holds for the maps' means as well.) A second layer sees 3×3 answers, hence 5×5
pixels, and after $L$ layers a unit sees a square of $1 + 2L$ pixels a side: four layers see the whole digit. So depth
buys a **receptive field**. But as the last line shows, there is another way to buy it.

## 2 The race on digits (4 min)

scikit-learn's digits again, as on the lesson's path. Train one such network:
"""

# %% tags=["idea"]
(X, y), (X_val, y_val), (X_new, y_new) = page.digits(generator=generator)


def learn(model, X, y, lr, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in bar(range(epochs)):
        for rows in torch.randperm(len(X), generator=generator).split(32):
            loss = nn.functional.cross_entropy(model(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


model = conv_net(depth=1, side=3, channels=6)  # try 4 layers, 7×7, 55 channels
learn(model, X, y, lr=0.1, epochs=4)  # and other rates, and more epochs
print(f"held-out error {1 - score(model, X_new, y_new):.3f}")

# %% [markdown]
r"""
For the race each gets the best of {{= len(images.RATES)}} rates, chosen on validation digits. Five networks run. The
first has one layer of 3×3 with six channels, {{= images.parameters("one of 3×3, six channels")}} parameters. The others
have {{= format(images.parameters("one of 7×7"), ",")}} to {{= format(images.parameters("four of 3×3"), ",")}}: one
layer of 3×3 with {{= images.SHAPES["one of 3×3"][2]}} channels, two layers with {{= images.SHAPES["two of 3×3"][2]}},
four layers with six, and one layer of 7×7 with {{= images.SHAPES["one of 7×7"][2]}}. **Which has the lowest held-out
error after {{= images.EPOCHS[-1]}} epochs?**
"""

# %%
predict("07c.race")

# %%
raced = recorded("07_images")
reveal("07c.race", figure=page.filters_race(raced), **page.image_medians(raced),
       parameters=claimed("07.image-parameters"), early=claimed("07.image-early"),
       longer=claimed("07.image-longer"))

# %% [markdown]
r"""
Where the output layer reads *every place* of every map, nothing is hidden from one layer to begin with. (In excursion
03b, three layers gained little or nothing there.) Leave `nn.AdaptiveMaxPool2d` out, with
`nn.Linear(64 * channels, 10)` behind, and see. And two methods without any filters, on the same digits:
"""

# %% tags=["idea"]
neighbours = KNeighborsClassifier(3).fit(X, y)
print(f"three nearest neighbours: error {1 - neighbours.score(X_new, y_new):.3f}")
plain = nn.Sequential(nn.Linear(64, 15), nn.ReLU(), nn.Linear(15, 10))
learn(plain, X, y, lr=0.01, epochs=4)
print(f"one layer of 15 units:    error {1 - score(plain, X_new, y_new):.3f}")

# %% [markdown]
r"""
Compare both with your best network of filters. These digits come centred and of one size, so a pixel means the same in
all images. Filters are made for pictures in which it does not.

## 3 Which words matter? (3 min)

Now to sentences. These reviews come from a grammar. Read them, and guess which words decide between *for* and
*against*:
"""

# %% tags=["idea"]
W, v = page.reviews(2048, generator=generator)
W_new, v_new = page.reviews(500, generator=generator)
for words, verdict in zip(W[:8], v[:8], strict=True):
    print("for:    " if verdict else "against:", page.decode(words))

# %% [markdown]
r"""
First a classic. Count how often each of the {{= len(texts.WORDS) - 1}} words occurs, and forget their order: a **bag of
words**. A logistic regression gives each word a weight. **How many new reviews does it get right?**
"""

# %%
predict("07c.words")

# %% tags=["idea"]
def bag(words):
    return nn.functional.one_hot(words, len(page.WORDS)).sum(dim=1)


counted = LogisticRegression(max_iter=1000).fit(bag(W), v)
right = counted.score(bag(W_new), v_new)

# %%
reveal("07c.words", right=right)

# %% [markdown]
r"""
So write the rule down yourself. The grammar: a review is two clauses with "and", "but" or "although … , …". The verdict
is what the last clause says. A negation ("not", "never", "hardly") turns an adjective round; a frame ("i would not say
that", "nobody could claim that", "i doubt that") turns a whole clause round. **Make the rule fail by leaving out a
word.**
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
print(f"the rule gets {(verdicts == v_new).double().mean():.1%} of the new reviews right")

# %% [markdown]
r"""
The rule keeps one bit and a clause's end in mind, and reads from left to right. For such a task a network needs memory.

## 4 Layers that read (4 min)

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
The longest clause has {{= texts.LONGEST_CLAUSE}} words, so a network is given the last {{= texts.LONGEST_CLAUSE}}, and
answers after the last one. It takes {{= texts.STEPS[-1]}} steps on batches of {{= readings.BATCH}}, at the best of
{{= len(texts.RATES)}} rates. With {{= texts.FEW}} reviews to learn from, **how do one layer and four layers, of
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
Train one, with all {{= format(texts.MANY, ",")}} reviews. Does it know that two turns cancel out? Write clauses of your
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
## 5 What is known at scale (2 min)

These experiments are small; here is what they do not show.

- Simonyan & Zisserman (2015) built their networks from 3×3 filters and on ImageNet gained by pushing the depth up to
  sixteen and more weight layers. Three such layers see as far as one of 7×7, with fewer weights at equal channels.
- He et al. (2016) found that a plain network of thirty-four layers had a higher *training* error on ImageNet than one
  of eighteen, and that with residual sums the deeper one was better.
- Pascanu et al. (2014) stacked recurrent layers and deepened the steps between states; on music and on language
  modelling their deep networks did better than shallow ones.

Larger data are one word away: with `True`, the next cell fetches CIFAR-10, small colour photographs
({{= images.MEGABYTES}} MB). Without, coloured digits stand in, and the cell says so. Do three nearest neighbours still
do? (`"imdb"` gives real film reviews, as numbers of words, for `bag`.)
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
**What you can now say.** In a picture depth buys a wider view. One layer of wide filters has the view at once: with as
many parameters, four layers of small ones exceeded its error by {{claim 07.image-view}} after
{{= images.EPOCHS[-1]}} epochs. In a sentence one recurrent layer is deep already, unrolled from word to word, and a
stack of four bought nothing more (one layer's error less theirs, all reviews: {{claim 07.text-late}}): data and steps
were what was missing.

**What you do not know.** How all five compare after long training: {{= images.EPOCHS[-1]}} epochs are few, and only
two of them were given more. How this is for photographs, where one filter as wide as the image would be expensive; and
with gated cells (GRU, LSTM) or sums around layers.

{{claims}}
"""

# %%
download()
