# %% [markdown]
r"""
# 02b Fair fights

**Deep against shallow: who wins, and on which terms?** In the lesson, a clear lead of depth vanished once both sides
were tuned and started from random biases. (*Tuned* refers to the learning rate alone.) Here you choose the terms. An
excursion from lesson 02, in 17 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np

from utils.claims import claimed, recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_02 import page
from utils.predictions import predict, reveal
from utils.progress import bar
from utils.widgets import live_figure

use_style()

# %% [markdown]
r"""
## 1 Who wins on spirals? (4 min)

These are the tasks. The *swirl* is two bands that wind around the centre and fill the square. Only the spirals are
noisy: near the centre their arms overlap.
"""

# %%
show_figure(page.four_tasks(), "02b.tasks")

# %% [markdown]
r"""
<details><summary>Code to take along: swirl, from utils/data.py</summary>

```python
import math
import torch

def swirl(n, generator):
    X = 2 * torch.rand(n, 2, generator=generator) - 1
    x1, x2 = X.double().T
    angle, radius = torch.atan2(x2, x1), torch.hypot(x1, x2)
    return X, (torch.sin(angle - 4 * math.pi * radius) > 0).long()
```

</details>

Spirals are popular for demonstrating depth. So spend about 1,040 parameters on one hidden layer of 207 units, on three
layers of 21 or five of 15. Each shape gets the best of six learning rates, chosen on validation points, and is judged
on held-out points, over 20 seeds. **Which is the most accurate?**
"""

# %%
predict("02b.spirals")

# %%
spirals = recorded("02_spirals")
one, three, five = (np.median(page.spiral(spirals, depth)) for depth in (1, 3, 5))
reveal("02b.spirals", figure=page.spirals_by_rate(spirals),
       one=one, three=three, five=five, ahead=claimed("02.spirals-five"))

# %% [markdown]
r"""
Now look at the smallest rate, Adam's default in PyTorch. If everybody had to use it, three layers would beat one by
{{claim 02.spirals-untuned}}. Here is the training loss at that rate and at 0.1. The validation points choose 0.1 for
one layer and for three; we give it to two as well:
"""

# %% tags=["idea"]
# some ten seconds
runs = {
    (rate, depth): page.train_on_spirals(1037, depth, rate, seeds=range(10))
    for rate in (0.001, 0.1) for depth in (1, 2, 3)
}
show_figure(page.loss_by_step(runs), "02b.loss")

# %% [markdown]
r"""
At the smaller rate, networks with more layers came down faster. But the training loss does not say who is right on new
points: at 0.1, three layers end with the lowest loss, but are right no more often. Nor does a flat curve mean that a
network has finished, since the schedule takes the rate down to 0. So is one layer worse at 0.001, or just not finished?
Give it ten times the steps:
"""

# %% tags=["idea"]
longer = page.train_on_spirals(1037, 1, 0.001, seeds=range(10), epochs=4000)
right = np.median([history.validation_accuracy[-1] for history in longer])
print(f"{4000 * 5:,} steps: {right:.3f} right (validation points, median)")

# %% [markdown]
r"""
It had not finished. **One rate for everybody is not equally good for everybody.** (Cells that train many networks use
the course's compiled trainer, which gives a PyTorch loop's results faster, up to rounding.)

With about 150 parameters, there *is* room at the top. There, with every rate tuned, one layer of 30 units beats five
layers of 5 by {{claim 02.spirals-small}}. But nothing is settled between one layer and three layers of 7: only the
five, which are narrower still, lose. On the spirals, depth wins, loses or draws. You only have to choose.
"""

# %% [markdown]
r"""
## 2 What is held equal? (2 min)

Two networks that differ in depth *and in nothing else* do not exist. With the same width, the deep one has many times
the parameters. With equal parameters, the arithmetic differs. A training step uses each weight once forwards and twice
backwards (once in the first layer, since nobody needs the inputs' gradient). Each use is two **FLOPs**, a
multiplication and an addition. **How wide may a shallow network be for the same FLOPs?**
"""

# %% tags=["idea"]
def parameters(sizes):
    pairs = zip(sizes[:-1], sizes[1:], strict=True)
    return sum((n_in + 1) * n_out for n_in, n_out in pairs)


def step_flops(sizes):  # for one point; a multiplication and an addition are two
    pairs = zip(sizes[:-1], sizes[1:], strict=True)
    forward = [2 * n_in * n_out for n_in, n_out in pairs]
    return 3 * sum(forward) - forward[0]


for depth in (1, 2, 3, 5, 9):
    for cost, name in ((parameters, "parameters"), (step_flops, "FLOPs")):
        budget = cost([2, 34, 34, 34, 2])
        width = max(width for width in range(1, 1000)
                    if cost([2, *[width] * depth, 2]) <= budget)
        print(f"{budget:,} {name}: {depth} × {width:3}",
              end="\n" if name == "FLOPs" else "; ")
page.print_step_times()  # measured now, in about four seconds

# %% [markdown]
r"""
From two layers on, both budgets buy the same width. One hidden layer gets 727 units for the FLOPs, but only 510 for the
parameters. A fifth of its parameters are biases, which FLOPs leave out, and half of its weights are in the first layer,
which is cheap to train. Or should the seconds be equal? The last lines show how long a step takes for the three shapes
with equal parameters. By either clock, three layers are the quickest. Whether five layers or one take longer depends on
the implementation (we timed one machine, without intervals).

<details><summary>The same question in a transformer</summary>

A block has a feed-forward network $d \to 4d \to d$ with $8d^2 + 5d$ parameters, and attention with $4d^2$ weights:
about $12 d^2$ in all. So $L$ blocks have about $12 L d^2$, and four times as many blocks leave half the width. With a
gate (SwiGLU, Shazeer 2020) the feed-forward network has three matrices instead of two, and its hidden layer is $\frac83
d$ wide, so that again there are $8 d^2$ weights.

</details>
"""

# %% [markdown]
r"""
## 3 The lab (6 min)

Here are all the terms: the task, what is held equal, the initialisation (He's weights with zero or random biases), and
how the rate is chosen. You see each seed's held-out accuracy, the median with its 95 % interval and, with several
rates, which one was taken. The verdict says "better" only where the interval of the difference leaves out 0. **Find the
smallest lead of five layers that you can. You have ten tries.** For now, leave aside the tasks marked *chosen*.
"""

# %%
live_figure(page.lab, **page.lab_controls())

# %% [markdown]
r"""
Without the chosen ones, the lab has three tasks, and {{= len(fair.choices(fair.TASKS))}} choices of terms. **In how
many of these are five layers behind one, as far as the intervals can tell?**
"""

# %%
predict("02b.cells")

# %%
def tally(leads):
    """Count where five layers are better, one layer is, and neither is seen to be."""
    deep = sum(lead.low > 0 for _, lead in leads)
    shallow = sum(lead.high < 0 for _, lead in leads)
    return {"deep": deep, "shallow": shallow, "neither": len(leads) - deep - shallow}


# page.leads(page.TASKS, deep=3) compares three layers with one
before = page.leads(page.TASKS)
smallest = min(lead.value for _, lead in before)
equally_wide = [(choice, lead) for choice, lead in before
                if choice.equal == "width and steps"]
as_wide = tally(equally_wide)["deep"]
reveal("02b.cells", **tally(before), cells=len(before), by=-smallest, as_wide=as_wide)

# %% [markdown]
r"""
Is such a count a law? We had picked the three tasks. So we added two, **because one layer had won there**: the spirals
with about 150 parameters, and the checkerboard of frequency 3 with all 2,000 points in every step and at most 1,362
parameters. Parameters and steps are equal; PyTorch's initialisation can be chosen, too. Now count again:
"""

# %%
chosen = page.leads(page.CHOSEN)
count = tally(chosen)
print(f"chosen tasks: five layers better in {count['deep']} of {len(chosen)}, "
      f"one layer in {count['shallow']}, no difference seen in {count['neither']}")
show_figure(page.all_cells(before + chosen), "02b.cells-sorted", answers="02b.cells")

# %% [markdown]
r"""
**Now there is a choice for every opinion.** On the board with all points at once, tuned from PyTorch's initialisation,
one layer leads five by {{claim 02.fair-whole}}. With zero biases and `0.01 for everybody`, it is far behind. Go back to
the lab and look. (On the spirals, tuned from PyTorch's initialisation, these 14 seeds leave open what 20 seeds showed
in section 1. "No difference seen" does not mean there is none.)

What should you conclude? Not "depth wins", since another list of tasks gives another share of choices. And where
nothing differs, about five of a hundred intervals exclude 0 by chance. If you look through all of them and report the
best one, you have measured your own patience. Decide on the terms first, and state them; then look.
"""

# %% [markdown]
r"""
## 4 What stays (2 min)

On the fairest terms, with random biases and each shape's best rate, depth keeps a lead after
{{= fair.EQUAL[fair.PARAMETERS][1].steps}} steps on two of the three tasks. On the swirl, the lead is much smaller than
with zero biases and one rate for everybody, but it is there (five layers minus one: {{claim 02.fair-swirl-stays}}). On
the finer checkerboard, three layers beat one even with equal FLOPs.

But had everybody finished? Ten times the steps take the lead away on the finer board, and most of it on the swirl (the
numbers are in the last table, folded): it was mostly a lead in speed. Lesson 04 returns to checkerboards.

Train the three shapes again, from ten seeds not in the record, and then on terms of your own:
"""

# %% tags=["idea"]
choice = page.Choice(
    "checkerboard 3", "parameters and steps", "random biases", "0.01 for everybody"
)
# about 20 seconds; with "the best of six, 0.001 to 0.3" several times as long
now = page.again(choice, seeds=range(1000, 1010))
print("measured now:", page.comparison_verdict(page.difference(now, 5, 1)))
then = page.fighters(recorded("02_fair"), choice)
print("recorded:    ", page.comparison_verdict(page.difference(then, 5, 1)))

# %% [markdown]
r"""
*→ Exercise 02.7 asks you to compute such a difference fairly from tables of scores; 02.9 asks what was held equal.*
"""

# %%
feedback("02b.fair")

# %% [markdown]
r"""
## 5 More with less? (3 min)

Another course's notebook has the heading "Depth efficiency: more with less". For the checkerboard of frequency 3, it
shows one hidden layer of 100 units and four of 20, with one seed, one rate and no new points. The first has 502
parameters, the second 1,362. Is that less? We keep its training (Adam, all 2,000 points in every step, 2,000 steps) and
add six rates, 60 seeds and two more networks, so that each budget has both shapes:
"""

# %%
show_figure(page.found_by_rate(recorded("02_found")), "02b.found")

# %% [markdown]
r"""
The claim reverses. With little more than a third of the parameters, the shallow network does no worse (accuracy minus
the deep one's: {{claim 02.fair-found-own}}). With equally many, it is clearly ahead ({{claim 02.fair-found-equal}}).
See for yourself, with five seeds and the best rates:
"""

# %% tags=["idea"]
# about a quarter of a minute
for name, rate in (("one layer of 100", 0.03),
                   ("four layers of 20", 0.01)):  # now "one layer of 272", 0.01
    scores = [page.train_found(name, [seed], lrs=[rate]).scores()
              for seed in bar(range(5), desc=name)]
    held_out = [one.sel(part="held-out").item() for one in scores]
    print(f"{name}, rate {rate}, 5 seeds: median {np.median(held_out):.3f}")

# %% [markdown]
r"""
That was PyTorch's start. From He's weights with random biases, less of the lead is left: one layer of 100 minus four of
20 is {{claim 02.fair-found-he}}. With equally many parameters, one layer leads by {{claim 02.fair-found-he-equal}}.

*→ From random weights, training did not find the lesson's folded network. Does it stay if it starts there? Excursion
04b asks.*
"""

# %% [markdown]
r"""
**What you can now say.** On fair terms, with equal parameters and each side at its best rate, nobody won on the spirals
with enough parameters, nor on the coarse board from random biases. On the swirl and the finer board, depth led after
{{= format(fair.EQUAL[fair.PARAMETERS][1].steps, ",")}} steps. Ten times the steps left nothing of it on the board, and
{{claim 02.fair-swirl-longer}} on the swirl. Nearly all other leads came from the terms.

**What you do not know.** Which tasks profit from depth, until you have tried. All of this is small: two inputs, a few
thousand parameters, a few thousand steps.

{{claims}}
"""

# %%
download()
