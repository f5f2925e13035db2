# %% [markdown]
r"""
# 03b What a small convolutional network sees

**Can you tell from its filters what a network looks for?** You train a network that reads digits, look into it, and
measure whether what you see is there. An excursion from lesson 03, in 24 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import copy

import numpy as np
import torch
from sklearn.linear_model import RidgeClassifierCV
from torch import nn

from utils.claims import claimed, recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_03 import page
from utils.predictions import predict, reveal
from utils.widgets import live_figure

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work

# %% [markdown]
r"""
## 1 Train one (3 min)

The data are scikit-learn's digits, of 8×8 pixels each. A **filter** is a little square of 3×3 weights that slides over
the image; at every place, it takes the weighted sum of the pixels under it. The result is again an image, the unit's
**map**. Eight filters make eight maps, and the filters of the next layer look at all eight.
"""

# %% tags=["idea"]
def conv_net(channels=8):  # as many maps in each layer
    return nn.Sequential(
        nn.Unflatten(1, (1, 8, 8)),  # a row of 64 pixels becomes an image
        nn.Conv2d(1, channels, 3, padding=1, bias=False), nn.ReLU(),
        nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.ReLU(),
        nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.ReLU(),
        nn.Flatten(), nn.Linear(64 * channels, 10),
    ).double()

# %% [markdown]
r"""
We leave out the filters' biases. Then a black image excites no unit, and a unit answers to the picture alone. The
digits come in three parts: one to train on, one for section 6, and one for all scores.

<details><summary>Code to take along: digit_parts, from utils/lesson_03/filters.py</summary>

```python
import torch
from sklearn.datasets import load_digits

def digit_parts(generator):
    X, y = load_digits(return_X_y=True)
    X, y = torch.tensor(X / 16), torch.tensor(y)
    order = torch.randperm(len(y), generator=generator)
    place = torch.empty(len(y), dtype=torch.float64)
    for digit in range(10):  # spread evenly, so that each part has its share of it
        members = (y[order] == digit).nonzero().flatten()
        offset = torch.rand((), generator=generator, dtype=torch.float64)
        place[members] = (torch.arange(len(members)) + offset) / len(members)
    order = order[place.argsort(stable=True)]
    return [(X[rows], y[rows]) for rows in order.split([898, 450, 449])]
```

</details>
"""

# %% tags=["idea"]
(X, y), (X_fit, y_fit), (X_new, y_new) = page.digit_parts(
    generator=torch.Generator().manual_seed(0)
)
torch.manual_seed(0)  # try others
untrained = conv_net()
model = copy.deepcopy(untrained)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(20):  # epochs; they take some seconds
    for batch in torch.randperm(len(X)).split(64):
        loss = nn.functional.cross_entropy(model(X[batch]), y[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(f"held-out accuracy {(model(X_new).argmax(dim=1) == y_new).double().mean():.3f}")

# %% [markdown]
r"""
## 2 How far does a unit see? (2 min)

A unit of the first layer sees 3×3 pixels. Before you run the next cell: how many pixels does a unit of the third layer
see? The cell sets all weights to 1, and asks the gradient which pixels matter to the unit at the centre. The gradient
also counts the paths from each pixel to the unit.
"""

# %% tags=["idea"]
paths = []
for layer in (1, 2, 3):
    part = copy.deepcopy(model[: 1 + 2 * layer])
    for parameter in part.parameters():
        nn.init.ones_(parameter)
    pixels = torch.ones(1, 64, dtype=torch.float64, requires_grad=True)
    part(pixels)[0, 0, 3, 3].backward()
    paths.append(pixels.grad)
show_figure(page.fields(paths, X_new[0]), "03b.fields")

# %% [markdown]
r"""
The orange square is the unit's **receptive field**. Each layer adds one pixel on every side. So only the filters of the
first layer can be looked at as pictures of what they want.

## 3 From a picture to a measurement (5 min)

Here are those pictures. White weights want light, and black weights want dark. You are soon tempted to say "this one
likes a diagonal". **Which bar does unit 0 prefer?**
"""

# %%
show_figure(page.filters(model[1].weight[:, 0].detach()), "03b.filters")
predict("03b.angle")

# %% [markdown]
r"""
Now measure it. Show each unit bars at eight angles, shifted a little, and take its strongest answer at the four central
places, where the receptive fields of all three layers lie within the image. The eight answers are the unit's **tuning
curve**. Its **selectivity** sums up the curve in one number: 0 for a unit that answers all angles alike, and 1 for a
unit that answers a single angle (one minus the circular variance; Ringach, Shapley and Hawken 2002).
"""

# %% tags=["idea"]
def bar(angle, offset):  # in degrees, anticlockwise from the horizontal; in pixels
    place, theta = torch.arange(8).double() - 3.5, np.deg2rad(angle)
    distance = -np.sin(theta) * place - np.cos(theta) * place[:, None] - offset
    return torch.exp(-((distance / 0.7) ** 2) / 2).flatten()


def tuning_curves(part):
    curves = []
    for angle in range(0, 1800, 225):  # tenths of a degree
        bars = [bar(angle / 10, offset) for offset in (-1.5, -0.75, 0, 0.75, 1.5)]
        curves.append(part(torch.stack(bars))[:, :, 3:5, 3:5].amax(dim=(0, 2, 3)))
    return torch.stack(curves).detach().numpy()  # [angles, units]


def preference(curves):
    # angles doubled, since 180° is 0° again
    pull = np.exp(2j * np.pi * np.arange(8) / 8) @ curves
    total = np.maximum(curves.sum(axis=0), 1e-6)  # some units answer no bar at all
    return np.abs(pull) / total, np.rad2deg(np.angle(pull)) / 2 % 180

# %%
curves = tuning_curves(model[:3])
selectivity, angle = preference(curves)
figure = page.curves({unit: curves[:, unit] for unit in range(4)},
                     model[1].weight[:, 0].detach())
reveal("03b.angle", figure=figure, angle=angle[0], selectivity=selectivity[0])

# %% [markdown]
r"""
For comparison, build by hand some filters whose angle nobody would doubt:
"""

# %% tags=["idea"]
by_hand = {
    "line": [[-1, -1, -1], [2, 2, 2], [-1, -1, -1]],
    "edge": [[1, 1, 1], [0, 0, 0], [-1, -1, -1]],
    "blob": [[1, 1, 1], [1, 1, 1], [1, 1, 1]],  # now one of your own
}
for name, weights in by_hand.items():
    part = copy.deepcopy(model[:3])
    part[1].weight.data[:] = torch.tensor(weights)
    print(f"{name}: selectivity {preference(tuning_curves(part))[0][0]:.2f}")
print("trained:", " ".join(f"{one:.2f}" for one in np.sort(selectivity)))

# %% [markdown]
r"""
The blob's 0 is right: the blob prefers no angle. In this network, most trained filters are closer to the blob than to
the line. "Likes a diagonal" is true of a filter here and there. For most filters, it only means "answers a diagonal a
bit more than the rest".

## 4 Was it learned? (6 min)

A curve with a peak looks as if training had made it. Did it? We trained 20 such networks, and measured every unit
before and after. **How selective are first-layer filters that were never trained?**
"""

# %%
predict("03b.tuned")

# %%
readings = recorded("03_readings")
reveal("03b.tuned", figure=page.selectivities(readings),
       change=claimed("03.filters-tuned-one"), third=claimed("03.filters-tuned-three"),
       **page.tuning_medians(readings))

# %% [markdown]
r"""
The untrained network is the **control**. Without it, the trained curves say nothing about learning.

Turn the bar yourself, and switch between the two networks. **Which unit of layer 1 is the most selective? Was it
trained?** (A flat curve at 0 belongs to a unit that answers no bar at all. You see the bar where it excites the unit
most.)
"""

# %%
live_figure(page.turned({"trained": model, "untrained": untrained}),
            **page.bar_controls())

# %% [markdown]
r"""
## 5 What excites a unit? (2 min)

There is another way to look. Zeiler and Fergus (2013) took a network that was trained on ImageNet, and asked which
images excite a unit most. For units of each layer, they showed the nine strongest images of the validation set, and ran
the layers backwards to see which pixels were responsible. They saw corners and edges in layer 2, textures in layer 3,
and parts and whole objects in layers 4 and 5. Here is the first half of their experiment on a small scale: the nine
held-out digits that excite a unit most, cut to what the unit sees. The last line gives the layer-3 unit's mean answer
to *all* held-out digits, from 0 to 9.
"""

# %% tags=["idea"]
unit, rows = 0, {}  # now another unit
for layer in (1, 2, 3):
    maps = model[: 1 + 2 * layer](X_new)[:, unit].flatten(1)  # [images, places]
    strongest, places = maps.max(dim=1)
    best = strongest.argsort(descending=True)[:9]
    rows[f"layer {layer}"] = X_new[best], places[best], 1 + 2 * layer
    print(f"layer {layer}: digits", *y_new[best].tolist())
print("mean answers:",
      *(f"{strongest[y_new == digit].mean():.2f}" for digit in range(10)))
show_figure(page.patches(rows), "03b.patches")

# %% [markdown]
r"""
In layer 1, the cut-outs resemble the filter; in layer 3, you see nearly whole digits. Does that show a hierarchy? No:
7×7 pixels of 8×8 *are* the digit, whatever the unit computes. Is it a unit "for fours", at least? Nine pictures that
were chosen because they fit will always tell a story. The means over all digits tell you whether it is true. (In this
network, fours lead, but not by much.) **Put `untrained` in place of `model`**, and compare the nine pictures and the
means.

## 6 What can be read out? (3 min)

A **linear probe** asks what a linear read-out can get from a layer. We fit it to digits that the network was not
trained on, and score it on others still. The probe is a ridge regression, and cross-validation on the fitted digits
chooses its penalty.
"""

# %% tags=["idea"]
def probe(part):
    with torch.no_grad():
        features, features_new = part(X_fit).flatten(1), part(X_new).flatten(1)
    fitted = RidgeClassifierCV(alphas=np.logspace(-4, 4, 9)).fit(features, y_fit)
    return fitted.score(features_new, y_new)


for layer, name in enumerate(("the pixels", "layer 1", "layer 2", "layer 3")):
    print(f"a probe on {name}: {probe(model[: 1 + 2 * layer]):.3f}")

# %% [markdown]
r"""
The accuracy rises, though not at every layer. **How does a probe on layer 1 do in a network that was never trained?**
"""

# %%
predict("03b.probe")

# %%
reveal("03b.probe", figure=page.probes_by_layer(readings),
       random=claimed("03.filters-probe-random"), bends=claimed("03.filters-bends"),
       dense=claimed("03.filters-dense"), **page.probe_medians(readings))

# %% [markdown]
r"""
A probe can *not* tell you whether the network uses what the probe finds. And on a harder task, all this may be
different; here, the pixels alone are nearly enough.

## 7 Three layers, or one? (3 min)

So does this network need its depth? We raced it against a single layer with as many parameters, in two versions. In the
first, as above, the output layer reads every place of every map, and has nearly all parameters. In the second, the
output layer is handed only the *mean* of each map. So it can hardly know where something is, and the filters have to do
the work: eight in each of three layers, or 68 in one. (An image costs the single layers
{{= filters.arithmetic("one of 3×3")}} times the arithmetic of the three in the first version,
{{= filters.arithmetic("one of 3×3, means")}} times in the second.) All networks get 20 epochs from He initialisation,
in batches of 64, whose order is the same for all. The learning rate rises and falls once (one cycle, Smith and Topin
2018), and validation digits choose its peak from six values. **Who wins?**
"""

# %%
predict("03b.deep")

# %%
shapes = recorded("03_filters")
reveal("03b.deep", figure=page.shapes_by_rate(shapes), lead=claimed("03.filters-deep"),
       lead_means=claimed("03.filters-deep-means"), **page.shape_medians(shapes))

# %% [markdown]
r"""
Depth was not the only difference. A unit of the third layer sees 7×7 pixels, while a unit of the single layer sees 3×3.
So give the shallow network filters of 7×7, but only 22, to keep as many parameters as before
({{= filters.arithmetic("one of 7×7, means")}} times the arithmetic). From the means alone, this shallow network led the
three layers by {{claim 03.filters-field}}.

And 20 epochs are few. After five times as many, less was left of both leads: one layer of 7×7 led three layers by
{{claim 03.filters-longer}}, and three layers led one of 3×3 by {{claim 03.filters-narrow-longer}}. **On these digits,
most of what depth gave was speed, and a wide view gives speed without depth.** Before you credit depth, ask what else
came with it, and how long you waited.

**What you can now say.** From its filters, you can hardly tell what a network looks for. Only first-layer filters are
pictures of what they want, and their preferences are modest. Untrained filters have them, too. Most of what a probe
gains on the digits comes with {{= filters.CHANNELS * filters.SIDE**2}} bends, whether they are learned or random, in
filters or not. Where every place of a digit was read, three layers gained little or nothing over one. From the means
alone, they led one layer of 3×3, but by less when both trained for longer. They never led one of 7×7.

**What you do not know.** Does any of this hold beyond the digits: on pictures whose parts move against each other, so
that one wide filter does not fit them all, or on large photographs, where a wide filter would be expensive? How few
bends are enough for a probe? And does the network *use* any of the preferences that we measured?
"""

# %%
feedback("03b.sees")

# %% [markdown]
r"""
{{claims}}
"""

# %%
download()
