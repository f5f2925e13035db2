# %% [markdown]
r"""
# 08 Design studio: exercises

Six exercises belong to the path, 14 points and about 60 minutes, in the order in which it comes to them. Six more go
further, 24 points and about 105 minutes.

Run the set-up cells, write each answer into its function, run its cell, then run the check below it. NumPy is all you
need. You may rename the arguments, but keep the functions' names and the first line of their cells.

Unless an exercise says otherwise, four correct digits are enough; compute in float64, as NumPy does by itself. A number
may be Python's, NumPy's or PyTorch's, and a list may be a tuple, an array or a tensor. All cases of a check together
have ten seconds; a good answer needs a fraction of one. An **error** is 0 where nothing is wrong, and smaller is
better: it may be the share of examples that a network gets wrong.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from torch.nn.functional import cross_entropy

from utils.exercises import check, progress, show
from utils.feedback import download
from utils.figures import show_figure, use_style
from utils.lesson_08 import capstone, small_networks
from utils.lesson_08.flaws import errors
from utils.lesson_08.noise_search import noise_search, search_dots
from utils.models import mlp_parameters
from utils.training import train_ensemble

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
generator = torch.Generator().manual_seed(8)

# %% [markdown]
r"""
## Exercise 08.1: the largest of four, within a budget (3 points)

Depth pays where a layer can use what the layer before it has made. **Build, by hand, a ReLU network whose output is the
largest of four numbers**, each of which is a sum of multiples of the inputs and a constant:

$$ y = \max_{i} \, (A x + b)_i $$

- `A`: an array of shape (4, inputs), and `b`: an array of shape (4,)
- returns: a list of pairs (weight, bias), first layer first. Each weight has the shape (outputs, inputs). A ReLU
  follows every layer but the last, which has one output: the largest of the four numbers, whatever their signs

The budget: with $n$ inputs the network may have at most $6 n + 31$ parameters. All numbers in weights and biases count,
zeros too. The number of hidden layers is up to you.

Two facts are enough: $\max(p, q) = q + \mathrm{relu}(p - q)$, and the largest of four is found as in a knock-out
tournament, in two semi-finals and a final. But mind how $q$ gets through a layer if it may be negative.

**Example.** There are two inputs, and the four numbers are $x_1 - 3$, $x_2 - 3$, $-x_1 - x_2 - 3$ and $-2$:

$$ A = \begin{pmatrix} 1 & 0 \\ 0 & 1 \\ -1 & -1 \\ 0 & 0 \end{pmatrix}, \quad
b = \begin{pmatrix} -3 \\ -3 \\ -3 \\ -2 \end{pmatrix} . $$

For the input $(0, 0)$ they are −3, −3, −3 and −2, and the output is −2. For $(4, 1)$ they are 1, −2, −8 and −2, and the
output is 1. The network may have 43 parameters.
"""


# %%
# exercise 08.1
def largest_of_four(A: np.ndarray, b: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the layers (weight, bias) of a ReLU network whose output is the
    largest of the four numbers A x + b.
    """
    # BEGIN SOLUTION
    pair = np.array([[1, -1], [0, 1], [0, -1]])  # p - q, q and -q
    larger = np.array([[1, 1, -1]])  # relu(p - q) + relu(q) - relu(-q)
    pairs, larger_ones = np.kron(np.eye(2), pair), np.kron(np.eye(2), larger)
    first, second = (pairs @ A, pairs @ b), (pair @ larger_ones, np.zeros(3))
    return [first, second, (larger, np.zeros(1))]
    # END SOLUTION


# %%
check("08.1", largest_of_four)

# %% [markdown]
r"""
Once it is right, ask yourself how many hidden layers such a tree of pairs needs for eight numbers. And could one hidden
layer have done it for four, if it were wide enough?

<details><summary>Could it?</summary>

Each hidden layer halves how many numbers are left, so for eight there are three. Arora et al. (2018) use this tree to
show that every continuous function that consists of finitely many linear pieces has a ReLU network with $\lceil
\log_2(n + 1) \rceil$ hidden layers, where $n$ is the number of inputs.

One hidden layer is not enough, whatever its width. With two inputs, each of its units bends the output along a whole
line, and by the same amount all along it. Several units that bend along the same line together do so, too. Now take the
largest of $x_1$, $x_2$, 0 and 0. On the line $x_1 = x_2$ it bends where both are positive, and does not bend where both
are negative. A second hidden layer can switch a bend off.

</details>
"""

# %% [markdown]
r"""
## Exercise 08.2: folds that keep groups together (2 points)

In many tables rows come in groups, such as several pictures of the same patient. If cross-validation tears a group, the
network is asked about a patient whom it has been trained on, and its error says little about the next patient. So all
rows of a group belong in the same fold. Deal the groups out like this:

- Take the groups in the order of their first rows.
- Give each group, all its rows at once, to the fold that has the fewest **rows** so far. Of several such folds, take
  the one with the smallest number.

The arguments:

- `groups`: an array of shape (rows,), with a whole number for each row that says to which group it belongs. A group's
  rows need not stand together, and the numbers mean nothing else
- `k`: the number of folds, at least 2; there are more groups than folds
- returns: a list with the fold in which each row is held out, whole numbers from 0 to $k - 1$

**Example.** `groups` is `[7, 7, 7, 2, 7, 5, 5, 3, 9]`, and $k = 2$. Group 7 has four rows, and goes to fold 0. Group 2
goes to fold 1, which is still empty. Group 5 goes there, too, since fold 1 has one row and fold 0 has four, and so does
group 3. Now both have four rows, and group 9 goes to fold 0. The answer is `[0, 0, 0, 1, 0, 1, 1, 1, 0]`.
"""


# %%
# exercise 08.2
def group_folds(groups: np.ndarray, k: int) -> list[int]:
    """Return the fold of each row: each group whole, dealt to the fold with
    the fewest rows so far.
    """
    # BEGIN SOLUTION
    folds, rows = np.zeros(len(groups), dtype=int), np.zeros(k, dtype=int)
    for group in dict.fromkeys(groups.tolist()):  # in the order of their first rows
        fold = rows.argmin()  # the first one of the smallest
        folds[groups == group] = fold
        rows[fold] += np.sum(groups == group)
    return folds.tolist()
    # END SOLUTION


# %%
check("08.2", group_folds)

# %% [markdown]
r"""
(scikit-learn's `GroupKFold` deals the largest group first.)
"""

# %% [markdown]
r"""
## Exercise 08.3: an experiment, and three numbers to report (3 points)

Run the next cell. It flips a coin for each of 120 rows, and tries to predict the coin with 200 networks. (Only their
last layers are fitted, so this takes a second or two.) On new rows, each of them is wrong half of the time.

The networks are the **settings** that this search chooses from, by **nested validation**. Five outer folds are held out
in turn, and the rest is divided into four inner folds. A network's **inner error** is its mean error on the inner
folds. Its **outer error** is that on the rows held out, after it has been fitted to all of the rest. In the picture,
each point is a network in one outer fold. What will the smallest inner errors be?
"""

# %%
inner, outer = noise_search(200, rng=np.random.default_rng(8))
show_figure(*search_dots(inner, outer))

# %% [markdown]
r"""
In each outer fold, the search chooses the network with the least inner error. It looks good, and is no better than a
coin. Write the function that reads such a search and returns three numbers:

1. **the optimistic one**: take the least inner error of each outer fold; return their mean
2. **the honest one**: in each outer fold, take the outer error of the setting that has the least inner error *in this
   fold*; return their mean
3. **the forbidden one**: take each setting's mean outer error over the folds; return the least. (Here the rows that are
   reported have chosen the setting.)

The check gives your function other people's searches, on data that can be learned.

- `inner`, `outer`: arrays of shape (outer folds, settings), a row for each outer fold, a column for each setting. There
  may be as many folds as settings, or more. There are no ties where something is chosen
- returns: a list of the three numbers, in this order

**Example.** There are three outer folds and three settings.

| | inner errors | outer errors |
|---|---|---|
| fold 0 | .20, .30, .26 | .32, .28, .24 |
| fold 1 | .36, .28, .24 | .35, .32, .27 |
| fold 2 | .22, .32, .30 | .28, .24, .39 |

The least inner errors are .20, .24 and .22, whose mean is .22. They belong to the settings 0, 2 and 0, which have the
outer errors .32, .27 and .28: the honest number is .29. The settings' mean outer errors are .317, .28 and .30, and the
least is .28. The answer is `[0.22, 0.29, 0.28]`.
"""


# %%
# exercise 08.3
def nested_errors(inner: np.ndarray, outer: np.ndarray) -> list[float]:
    """Return the optimistic, the honest and the forbidden error of a search."""
    # BEGIN SOLUTION
    chosen = inner.argmin(axis=1)  # in each outer fold by itself
    honest = outer[np.arange(len(outer)), chosen].mean()
    return [inner.min(axis=1).mean(), honest, outer.mean(axis=0).min()]
    # END SOLUTION


# %%
check("08.3", nested_errors)

# %% [markdown]
r"""
Once it is right, read your own experiment: `nested_errors(inner, outer)`. Which of the three numbers is close to a
coin's? Then give it a few of the settings, and more and more of them. Which numbers depend on how many there are?

```python
for n in (5, 20, 80, 200):
    print(n, np.round(nested_errors(inner[:, :n], outer[:, :n]), 3))
```

<details><summary>Which ones?</summary>

The first and the third. Both are the least of many numbers, and with more of them the least can only get smaller. The
honest one comes from rows that had no say in the choice, so it is a coin's, up to chance, however many networks the
search tries.

</details>
"""

# %% [markdown]
r"""
## Exercise 08.4: which flaw is it? (3 points)

Somebody wrote down how a deep and a shallow network were compared. Ask these questions in this order. The first whose
answer is yes names the flaw:

1. Do the numbers of parameters differ by more than a factor of 1.05, or do the numbers of training steps? Then it is
   `"unequal budgets"`.
2. Was either network scored on a row that it was trained on, even a single one? `"scored on training data"`.
3. Was either of them trained from only one seed? `"one seed"`.
4. Did one of them try a single learning rate, and the other one several? `"rates tuned for one side"`.
5. Is the best rate of either network the smallest or the largest of those that it tried? The best is the one with the
   least **median** error over the seeds. `"best rate at the edge"`.
6. Else the answer is `"none"`.

For each network there is a dictionary:

- `"parameters"` and `"steps"`: whole numbers
- `"trained"` and `"scored"`: lists of the numbers of the rows that it was trained on, and scored on in the end
- `"rates"`: a list of the learning rates tried, in **no** order
- `"errors"`: an array of shape (seeds, rates), the errors on validation data that were to choose the rate

The arguments are two such dictionaries, `deep` and `shallow`, and the function returns one of the six texts. There are
no close calls: the least median is never tied, and budgets differ by a factor of at most 1.03 or at least 1.2.

**Example.** The deep network has 1,000 parameters, the shallow one 1,020; both took 500 steps, were trained on the rows
4, 0, 2 and 5, and scored on the rows 1 and 3. There are five seeds.

| | rates | median errors |
|---|---|---|
| deep | 0.001, 0.01, 0.1 | .3, .2, .1 |
| shallow | 0.001, 0.1, 0.01 | .4, .4, .2 |

The shallow network's best rate is 0.01, with 0.001 below and 0.1 above. The deep one's is 0.1, the largest that it
tried: the answer is `"best rate at the edge"`.
"""


# %%
# exercise 08.4
def first_flaw(deep: dict, shallow: dict) -> str:
    """Return the first flaw of a comparison, or "none"."""
    # BEGIN SOLUTION
    both = deep, shallow
    for name in "parameters", "steps":
        one, other = (side[name] for side in both)
        if max(one, other) > 1.05 * min(one, other):
            return "unequal budgets"
    if any(set(side["trained"]) & set(side["scored"]) for side in both):
        return "scored on training data"
    if min(len(side["errors"]) for side in both) == 1:
        return "one seed"
    if min(len(side["rates"]) for side in both) == 1:
        return "rates tuned for one side"
    for side in both:
        best = side["rates"][np.median(side["errors"], axis=0).argmin()]
        if best in (min(side["rates"]), max(side["rates"])):
            return "best rate at the edge"
    return "none"
    # END SOLUTION


# %%
check("08.4", first_flaw)

# %% [markdown]
r"""
## Exercise 08.5: equal steps, equal seconds (3 points)

A deep network may learn more in a step, but take longer for it. So there are two answers to what depth brings. The
errors of a deep and of a shallow network were recorded after several numbers of steps, from several seeds, and each
network has the same time, `seconds`. Return two ratios of errors, **the deep network's over the shallow one's**:

1. **at equal steps**: both have taken as many steps as the deep network takes in these seconds
2. **at equal seconds**: each has taken as many steps as it takes in these seconds by itself

Between two recorded numbers of steps, suppose that the **logarithm of the error is a straight line over the logarithm
of the number of steps**. Numbers of steps need not be whole. Take the ratio seed by seed, then the **median** over the
seeds.

- `steps`: an array of shape (records,), growing numbers of steps
- `deep`, `shallow`: arrays of shape (seeds, records), the errors on unseen data after these numbers of steps; the
  number of seeds is odd
- `pace`: an array of two numbers, the seconds that a step takes, of the deep network first
- `seconds`: the time; the steps that fit into it lie between the first and the last recorded ones, for both networks
- returns: a pair of numbers, each below 1 where the deep network is ahead

**Example.** There is one seed. A step takes the deep network 0.005 seconds and the shallow one 0.00125, and there is 1
second: time for 200 steps of the one, and for 800 of the other.

| steps | 100 | 400 | 1600 |
|---|---|---|---|
| deep | .40 | .10 | .05 |
| shallow | .50 | .32 | .08 |

On a scale of logarithms, 200 is halfway between 100 and 400, and 800 halfway between 400 and 1600. Halfway between two
errors lies the square root of their product. After 200 steps the deep network has $\sqrt{.40 \cdot
.10} = .20$ and the shallow one $\sqrt{.50 \cdot .32} = .40$. After 800 steps the shallow one has $\sqrt{.32 \cdot .08}
= .16$. The answer is `(0.5, 1.25)`: at equal steps depth halves the error, and at equal seconds it makes it larger by a
quarter.

(`np.interp` interpolates along straight lines.)
"""


# %%
# exercise 08.5
def fair_ratios(
    steps: np.ndarray, deep: np.ndarray, shallow: np.ndarray, pace: np.ndarray,
    seconds: float,
) -> tuple[float, float]:
    """Return the ratio of the deep network's error to the shallow one's, at
    equal steps and at equal seconds.
    """
    # BEGIN SOLUTION
    def log_error(errors, count):
        curves = np.log(errors)
        return np.array([np.interp(np.log(count), np.log(steps), row) for row in curves])

    in_deep, in_shallow = seconds / pace[0], seconds / pace[1]
    ahead = log_error(deep, in_deep)
    return tuple(np.median(np.exp(ahead - log_error(shallow, count)))
                 for count in (in_deep, in_shallow))
    # END SOLUTION


# %%
show("08.5", fair_ratios)

# %%
check("08.5", fair_ratios)

# %% [markdown]
r"""
## Exercise 08.6: a plan for a problem of your own (a short text)

Take a problem that you would like to solve with a network, at work, in your studies or at home. Say in a sentence what
the rows are, and what is to be predicted. Then plan before you train anything: which baseline comes first, how do you
split the rows, and why, what do you search, how do you choose, what would make you add a layer, and what would make you
stop? Write six to eight sentences. (The text has points only if your instructor says so.)
"""

# %% [markdown]
r"""
# exercise 08.6

Our house has a heat pump, and I would like to predict tomorrow's use of electricity from the forecast and from the last
days; a row is a day, and I have four years of them. The baseline is today's use once more, and a linear regression on
the temperatures comes next, so that I know which error has to be beaten. Neighbouring days are alike, so I do not split
at random: I train on the first two years, validate on the third, and look at the fourth once, at the end. Means and
deviations for standardising come from the first two years. Then I search over one to three hidden layers and four
widths, and tune the rate of each by itself, with five seeds each and as many steps for all; the median validation error
chooses. I start with one layer. If it does not even fit the training days with a good rate, I make it wider first, and
add a layer if that does not help, or if two layers are ahead on validation by more than the seeds differ. If it fits
the training days and is worse on validation than the linear regression, I need more days or fewer inputs, and not more
layers. I stop where no network beats the regression by more than the seeds differ, or as soon as the error is below
half a kilowatt-hour, which is all that my tariff needs.
"""

# %%
check("08.6", None)

# %% [markdown]
r"""
## Going further

Exercises 08.7 to 08.9 belong to excursion 08a, and the last three to excursion 08b.
"""

# %% [markdown]
r"""
## Exercise 08.7: find the flaw, A to E (4 points)

This exercise and the next two take about a quarter of an hour each. They show eleven short experiments, A to N without
H, L and M, which are on the path. Each compares two **sides** and returns two numbers, from which somebody drew a
conclusion. Most of them have one flaw. **Name it, and mend it.** But beware of accusing a sound one. (If an experiment
gets a single set of examples, do not blame it for that: the check repeats it on others.)

| flaw | what it is |
|---|---|
| `"no held-out data"` | a fit is judged on the examples that it was fitted to |
| `"one draw"` | everything rests on a single draw, of weights or of examples |
| `"best of several draws"` | of runs that differ only in what was drawn, the luckiest is reported |
| `"chosen on held-out data"` | of several settings, the one with the least held-out error is reported |
| `"held-out data leaked"` | what was fitted had to do with held-out examples, or with copies of them |
| `"unequal budgets"` | the network of one side has more parameters |
| `"two things changed"` | the sides differ in their shapes, and in how they are trained as well |
| `"rates not tuned"` | the rate was chosen for one side only, or the grid ends where a side is best |
| `"wrong loss"` | the loss that is computed is not the one that it is taken for |
| `"theory of another limit"` | what holds for very wide networks, say, is said of narrow ones |
| `"sound"` | it is none of these |

Mend only what the flaw demands, by these rules:

1. Runs that differ only in what was drawn are summed up by their mean.
2. Settings and rates are chosen by the least mean validation error, for each side by itself.
3. What is held out stays held out. What must not be learned from is left out of training.
4. For equal budgets, the second side stays as it is. The first keeps its number of hidden layers, and gets the largest
   width with which it has no more parameters than the second side.
5. Sides that were trained differently are both trained as the second one was.
6. A grid of rates that is too short goes on upwards, for each side by itself, by the factor between its last two rates,
   until the side's last rate is not its best.

All three answers have the same form:

- `experiment`: the letter
- `data`: a dictionary of what the experiment takes, so that experiment A, say, is `experiment_a(**data)`
- `told`: the two numbers that the experiment returns as it stands
- returns: a pair of the flaw's name and the two numbers of the *mended* experiment, first side first. For an experiment
  that is sound, these are `told`

Naming all flaws of an exercise rightly, without mending, earns a fifth of its points. The rest is for the mends. The
check has other data than you see here, and what is concluded changes from case to case.

Two functions are there to be used. `errors(hidden, seeds, lr=0.03, optimizer="adam")` trains networks on the board of
4×4 squares, one for each seed, with weights and points of its own. `hidden` lists the units of the hidden layers. It
returns two arrays, with each network's error on validation points and on held-out points. `mlp_parameters(sizes)`
counts the weights and biases of a network with these sizes, from inputs to outputs, such as `[2, 24, 2]`.

**Experiment A.** On each of six training sets, twenty networks with one hidden layer and twenty with three were
trained. `errors[0, s]` has the held-out errors of the twenty with one layer on set s, `errors[1, s]` those of the
others. *"We trained forty networks, so this is no accident: the side with the smaller mean is the better
architecture."*
"""


# %%
def experiment_a(errors):
    one, three = errors[:, 0]  # on one training set, from twenty initialisations
    return [one.mean(), three.mean()]


# %% [markdown]
r"""
**Experiment B.** Two polynomials are fitted to points of a noisy curve, and compared by their mean squared errors.
*"The more flexible one has understood the curve better."* (There are other points of the same curve, `x_new` and
`y_new`.)
"""


# %%
def experiment_b(x, y, x_new, y_new):
    found = []
    for degree in (3, 9):
        fit = np.polyfit(x, y, degree)
        found.append(np.mean((np.polyval(fit, x) - y) ** 2))
    return found


# %% [markdown]
r"""
**Experiment C.** Five classifiers with three hidden layers, after 100 steps of training, and later on. `outputs` has,
for both times, what their last layers put out for held-out examples, all of them in an array of shape (examples, 2);
those layers are affine. `cross_entropy` is PyTorch's. *"After 100 steps the loss hardly changes: longer training
neither helps nor harms."*
"""


# %%
def experiment_c(outputs, labels):
    found = []
    for side in torch.as_tensor(outputs):
        p = side.softmax(dim=1)
        found.append(cross_entropy(p, torch.as_tensor(labels)).item())
    return found


# %% [markdown]
r"""
**Experiment D.** One hidden layer, and three. *"All layers have the same width, so the only difference is depth: three
layers are much better."*
"""


# %%
def experiment_d(width, seeds):
    _, one = errors([width], seeds)
    _, three = errors([width, width, width], seeds)
    return [one.mean(), three.mean()]


# %% [markdown]
r"""
**Experiment E.** Held-out errors of networks with one hidden layer, from a few initialisations, and with three, from
more. *"We report for each architecture how well it can do."*
"""


# %%
def experiment_e(one, three):
    return [one.min(), three.min()]


# %% [markdown]
r"""
**Example.** An experiment is told as `[0.21, 0.14]`. You found that it has no held-out data, and mended it gives 0.25
and 0.31. Then return `"no held-out data", [0.25, 0.31]`.
"""


# %%
# exercise 08.7
def mend_first(
    experiment: str, data: dict, told: list[float]
) -> tuple[str, list[float]]:
    """Return the name of the experiment's flaw, and its two numbers, mended."""
    # BEGIN SOLUTION
    if experiment == "A":
        return "one draw", [side.mean() for side in data["errors"]]
    if experiment == "B":
        fits = [np.polyfit(data["x"], data["y"], degree) for degree in (3, 9)]
        missed = [np.polyval(fit, data["x_new"]) - data["y_new"] for fit in fits]
        return "no held-out data", [np.mean(one**2) for one in missed]
    if experiment == "C":
        labels = torch.as_tensor(data["labels"])
        sides = torch.as_tensor(data["outputs"])
        return "wrong loss", [cross_entropy(side, labels).item() for side in sides]
    if experiment == "D":
        three = [data["width"]] * 3
        wide = data["width"]
        while mlp_parameters([2, wide + 1, 2]) <= mlp_parameters([2, *three, 2]):
            wide += 1
        sides = [errors(one, data["seeds"])[1] for one in ([wide], three)]
        return "unequal budgets", [side.mean() for side in sides]
    return "best of several draws", [data["one"].mean(), data["three"].mean()]
    # END SOLUTION


# %%
check("08.7", mend_first)

# %% [markdown]
r"""
## Exercise 08.8: find the flaw, F, G and I (4 points)

Three more. Flaws, rules and form are those of exercise 08.7.

**Experiment F.** Networks with one hidden layer (side 0) and with three (side 1) were trained with six rates each, from
five seeds. `validation` and `held_out` have their errors, of shape (side, rate, seed). *"The sides end up with
different rates, and this is how they compare."*
"""


# %%
def experiment_f(validation, held_out):
    found = []
    for side in (0, 1):
        rate = validation[side].mean(axis=1).argmin()
        found.append(held_out[side, rate].mean())
    return found


# %% [markdown]
r"""
**Experiment G.** Errors of thirty settings of one hidden layer (side 0), and of thirty of three (side 1): shapes,
rates, numbers of steps. Each is a mean over ten seeds, and both arrays have the shape (side, setting). *"With as many
settings tried on both sides, three layers do better than one."*
"""


# %%
def experiment_g(validation, held_out):
    one, three = held_out
    return [one[validation[0].argmin()], three.min()]


# %% [markdown]
r"""
**Experiment I.** A popular spiral: one noisy arm is drawn, and its negative is the other class. A layer of random tanh
units is fitted by least squares with a ridge, once without biases, once with. `held` says which points are held out.
*"Biases do harm here: leave them out."*
"""


# %%
def experiment_i(arm, W, b, held):
    X, y = np.concatenate([arm, -arm]), np.repeat([1, -1], len(arm))
    seen = ~held
    found = []
    for features in (np.tanh(X @ W), np.tanh(X @ W + b)):
        F = features[seen]
        w = np.linalg.solve(F.T @ F + 0.01 * np.eye(len(b)), F.T @ y[seen])
        found.append(np.mean(np.sign(features[held] @ w) != y[held]))
    return found


# %% [markdown]
r"""
**Example.** As in exercise 08.7. Of an experiment that you find sound, return `"sound", told`.
"""


# %%
# exercise 08.8
def mend_second(
    experiment: str, data: dict, told: list[float]
) -> tuple[str, list[float]]:
    """Return the name of the experiment's flaw, and its two numbers, mended."""
    # BEGIN SOLUTION
    if experiment == "F":
        return "sound", told
    if experiment == "G":
        chosen = data["validation"].argmin(axis=1)
        return "chosen on held-out data", [data["held_out"][k, chosen[k]] for k in (0, 1)]
    arm, W, b, held = (data[name] for name in ("arm", "W", "b", "held"))
    X, y = np.concatenate([arm, -arm]), np.repeat([1, -1], len(arm))
    twin_held = np.roll(held, len(arm))
    seen = ~held & ~twin_held
    found = []
    for features in (np.tanh(X @ W), np.tanh(X @ W + b)):
        F = features[seen]
        w = np.linalg.solve(F.T @ F + 0.01 * np.eye(len(b)), F.T @ y[seen])
        found.append(np.mean(np.sign(features[held] @ w) != y[held]))
    return "held-out data leaked", found
    # END SOLUTION


# %%
check("08.8", mend_second)

# %% [markdown]
r"""
## Exercise 08.9: find the flaw, J, K and N (4 points)

The last three. Flaws, rules and form are those of exercise 08.7.

**Experiment J.** One hidden layer, and three with about as many parameters. *"At equal parameters and equal rates, the
three layers win: that is depth."*
"""


# %%
def experiment_j(width, narrow, seeds):
    _, one = errors([width], seeds, optimizer="sgd")
    _, three = errors([narrow, narrow, narrow], seeds, optimizer="adam")
    return [one.mean(), three.mean()]


# %% [markdown]
r"""
**Experiment K.** The arrays are as in experiment F. *"Both sides were trained with the same rate, which we had chosen
with care. So this is a fair comparison."*
"""


# %%
def experiment_k(validation, held_out):
    rate = validation[0].mean(axis=1).argmin()
    return [held_out[0, rate].mean(), held_out[1, rate].mean()]


# %% [markdown]
r"""
**Experiment N.** One hidden layer, and three of another width, with about as many parameters. *"Both sides choose among
the same rates, on validation data: the side with the smaller error is the better architecture."*

Look what is chosen, at `width=24`, `narrow=6`, the rates 0.0003, 0.001 and 0.003, and five seeds, say.
"""


# %%
def experiment_n(width, narrow, rates, seeds):
    found = []
    for hidden in ([width], [narrow, narrow, narrow]):
        tried = [errors(hidden, seeds, lr=lr) for lr in rates]
        validation, held_out = min(tried, key=lambda pair: pair[0].mean())
        found.append(held_out.mean())
    return found


# %% [markdown]
r"""
**Example.** As in exercise 08.7.
"""


# %%
# exercise 08.9
def mend_third(
    experiment: str, data: dict, told: list[float]
) -> tuple[str, list[float]]:
    """Return the name of the experiment's flaw, and its two numbers, mended."""
    # BEGIN SOLUTION
    if experiment == "K":
        rates = data["validation"].mean(axis=2).argmin(axis=1)
        held_out = [data["held_out"][side, rates[side]] for side in (0, 1)]
        return "rates not tuned", [errors.mean() for errors in held_out]
    shapes = [data["width"]], [data["narrow"]] * 3
    if experiment == "J":
        sides = [errors(hidden, data["seeds"])[1] for hidden in shapes]
        return "two things changed", [side.mean() for side in sides]
    found = []
    for hidden in shapes:
        rates = list(data["rates"])
        tried = [errors(hidden, data["seeds"], lr=lr) for lr in rates]
        while min(tried, key=lambda pair: pair[0].mean()) is tried[-1]:
            rates.append(rates[-1] * (rates[-1] / rates[-2]))
            tried.append(errors(hidden, data["seeds"], lr=rates[-1]))
        validation, held_out = min(tried, key=lambda pair: pair[0].mean())
        found.append(held_out.mean())
    return "rates not tuned", found
    # END SOLUTION


# %%
check("08.9", mend_third)

# %% [markdown]
r"""
## Exercise 08.10: two spirals in 30 parameters (4 points)

This exercise and the next two belong to excursion 08b. In each of them **you hand in a small network** that has to do
well on points that the grader draws. A network is a pair `(activation, layers)`:

- `activation` is `"relu"` or `"tanh"`. It acts behind every layer but the last.
- `layers` is a list of pairs (weight, bias), first layer first. A weight has the shape (units, inputs), a bias
  (units,).

The grader makes every entry a float32, **counts all of them**, weights and biases, zeros as well, and computes the
outputs itself. There may be at most 8 hidden layers, and no entry may be larger than 1,000 in size.

Two spirals of 1½ turns are to be told apart. **Miss at most 3 % of the grader's 10,000 points**, with at most 30
parameters for all points, and at most 45 for half of them. The network has two inputs and **one** output: where it is
positive, it says class 1. (Noise carries some points across, so no network gets near 0. What the grader draws varies by
up to half a percent: leave yourself that much.)

So that nobody hands in the same numbers twice, the grader turns the plane: where a point was, at $(x_1, x_2)$, it is
now at $(x_1 \cos a - x_2 \sin a,\; x_1 \sin a + x_2 \cos a)$. Your network sees the turned points, and you are
told $a$. Train **once**, with no turn, and write the numbers into your function. Then let it turn the network's first
layer, which costs no parameters.

- `angle`: the angle $a$ in radians, 0 for the spirals as they are
- returns: the pair `(activation, layers)` of a network for points turned by $a$

**Example.** If your first unit computes $3 x_1 + 2 x_2 + 1$ without a turn, then for $a = \pi/2$ a point that was at
$(x_1, x_2)$ arrives as $(-x_2, x_1)$. So the unit's weights become $(-2, 3)$, since $-2 \cdot (-x_2) + 3 x_1$ is what
it was. The bias stays.

The cell trains four networks and prints the best as text to paste, rounded to three digits. It is too large, and not
good enough. Change sizes, activation, starts and epochs until it is within the budget.
"""

# %%
X, y = capstone.spiral_points(2000, generator=generator)
X_new, y_new = capstone.spiral_points(4000, generator=generator)
# two outputs, one a class: `rounded` makes one of them, their difference
models = small_networks.starts([2, 30, 2], "relu", 4, generator)
train_ensemble(models, X, y, epochs=20, lr=0.03, batch_size=50,
               schedule="one-cycle", progress=False)
best, _ = small_networks.best_of(models, X_new, y_new)
network = small_networks.rounded(best)
print(capstone.judged(network, "spirals", seed=1))
print(small_networks.as_text(network))


# %%
# exercise 08.10
def spiral_network(angle: float) -> tuple[str, list]:
    """Return activation and layers of a network for two spirals that are turned
    by this angle.
    """
    # BEGIN SOLUTION
    activation = "tanh"
    layers = [
        ([[0.72, 4.44], [-0.671, 0.49], [0.12, -0.394], [-0.546, -1.65]], [-0.00756,
         0.000953, -0.000907, 0.00146]),
        ([[3.88, 2.61, -1.53, 6.18], [-0.0328, -2.33, -3.95, 0.615]], [0.00971,
         0.00157]),
        ([[-18.2, -34.7]], [0.168]),
    ]
    cos, sin = np.cos(angle), np.sin(angle)
    weight, bias = layers[0]
    layers[0] = np.array(weight) @ np.array([[cos, sin], [-sin, cos]]), bias
    return activation, layers
    # END SOLUTION


# %%
show("08.10", spiral_network)

# %%
check("08.10", spiral_network)

# %% [markdown]
r"""
## Exercise 08.11: a teacher that you have never seen (4 points)

Here no numbers can be handed in: the grader draws a teacher, and gives you 500 of its examples. **Hand in the
training.** What your function returns has to have a relative error of **at most 0.08** on other examples of the
same teacher, with at most 21 parameters for all points, and at most 35 for half of them.

The teacher is a tanh network with the sizes 3-4-4-1 and normal weights. Its inputs are uniform between −1.73 and 1.73,
and its answers have mean 0 and variance 1. (The best linear map misses between .15 and .45 of that variance.) The
relative error is the mean squared error, divided by the variance of the answers.

- `X`: a tensor of shape (500, 3), and `y`: a tensor of shape (500, 1), both float32
- returns: a pair `(activation, layers)`, as in exercise 08.10, of a network with three inputs and one output

Five teachers have ten seconds together, so a good answer takes about one. Some teachers are harder than others, and
the grader sees to it that there are hard ones among its five. In one training out of many something goes wrong: let
several networks learn, and keep the best. Take care that it has not learned its examples by heart. You may use all of
`small_networks`.

**Example.** A student with two hidden units has the sizes 3-2-1: 6 weights and 2 biases, then 2 weights and one bias,
11 parameters. One of them could be the mean alone, all weights 0, with a relative error of about 1.

The cell has a teacher to try your function on.
"""

# %%
(X, y), _ = capstone.teacher_parts(1, capstone.LESSONS, 1)
models = small_networks.starts([3, 20, 1], "relu", 1, generator)
train_ensemble(models, X, y, epochs=5, lr=0.03, batch_size=50,
               schedule="one-cycle", progress=False)
print(capstone.judged(small_networks.rounded(models[0]), "teacher", seed=1))


# %%
# exercise 08.11
def train_student(X: torch.Tensor, y: torch.Tensor) -> tuple[str, list]:
    """Return activation and layers of a network that has learned from the
    examples X, y of a teacher.
    """
    # BEGIN SOLUTION
    generator = torch.Generator().manual_seed(0)
    models = small_networks.starts([3, 4, 1], "tanh", 8, generator)
    train_ensemble(models, X, y, epochs=150, lr=0.03, batch_size=50,
                   schedule="one-cycle", progress=False)
    best, _ = small_networks.best_of(models, X, y)
    return small_networks.rounded(best, digits=6)
    # END SOLUTION


# %%
check("08.11", train_student)

# %% [markdown]
r"""
## Exercise 08.12: digits in 370 parameters (4 points)

All 1,797 digits of scikit-learn are yours to train on. The grader has the same ones, but moves each of them by up to
half a pixel and thickens its strokes, by chance: `capstone.digit_images` does just that, with your own chance. **Miss
at most 11 % of the grader's images**, with at most 370 parameters for all points, and at most 500 for half of
them. (A linear model has 650. What the grader draws varies by about a percent: leave yourself that much.)

A pixel is between −1, blank, and 1. The network has 64 inputs and ten outputs, and the largest output says which digit
it is. Otherwise it is handed in as in exercise 08.10, and again with a twist that costs no parameters: the grader may
have the pixels in another order. Train **once**, with the pixels as they are, and let your function put the first layer
in order.

- `order`: an array of 64 whole numbers. Pixel $i$ of what your network sees was pixel `order[i]` of the image
- returns: the pair `(activation, layers)`

**Example.** With three pixels and `order` [2, 0, 1], a unit with the weights 5, 6, 7 becomes one with 7, 5, 6: its
first input is now what was pixel 2.

Two digits of each number are enough, and keep the text short: `print(small_networks.as_text(network))`, once it is good
enough.
"""

# %%
X, y = capstone.digit_images(4, generator=generator)
X_new, y_new = capstone.digit_images(1, generator=generator)
models = small_networks.starts([64, 12, 10], "relu", 2, generator)
train_ensemble(models, X, y, epochs=5, lr=0.01, batch_size=100,
               schedule="one-cycle", progress=False)
best, _ = small_networks.best_of(models, X_new, y_new)
network = small_networks.rounded(best, digits=2)
print(capstone.judged(network, "digits", seed=1))


# %%
# exercise 08.12
def digit_network(order: np.ndarray) -> tuple[str, list]:
    """Return activation and layers of a network for digits whose pixels are in
    this order.
    """
    # BEGIN SOLUTION
    activation = "tanh"
    layers = [
        ([[-0.2, 0.11, -0.042, 0.11, -0.011, -0.12, -0.25, -0.2, 0.22, 0.15, 0.12, 0.15,
         -0.024, 0.14, 0.2, 0.027, 0.14, -0.044, -0.022, -0.15, -0.042, 0.32, -0.083,
         -0.072, -0.0066, 0.071, -0.14, 0.0021, -0.3, -0.0032, -0.072, 0.28, -0.52,
         -0.097, 0.0099, -0.052, -0.28, -0.17, 0.059, -0.26, 0.58, -0.13, -0.16, -0.49,
         -0.43, -0.019, -0.18, -0.23, -0.22, 0.053, 0.16, 0.0011, 0.51, 0.26, 0.32, 0.1,
         -0.065, 0.22, 0.039, -0.018, -0.098, 0.11, 0.29, 0.49], [-0.46, 0.059, 0.099,
         0.27, -0.11, 0.16, -0.37, 0.69, 0.83, 0.44, 0.041, -0.093, 0.06, 0.11, -0.13,
         -0.38, -0.18, -0.13, -0.26, -0.11, 0.71, 0.42, 0.71, -0.35, -0.51, -0.093,
         -0.0026, 0.17, 0.16, 0.31, 0.25, 0.3, 0.48, -0.42, -0.24, 0.3, 0.43, -0.19,
         -0.94, -0.56, -1.0, 0.082, -0.066, 0.26, -0.29, -0.27, -0.022, -0.73, 0.79,
         -0.15, 0.047, -0.3, -0.25, 0.15, -0.17, 0.24, 0.37, -0.41, -0.35, 0.075, -0.01,
         0.034, 0.16, 0.54], [0.48, 0.25, 0.18, -0.093, 0.084, 0.11, -0.029, 0.0021,
         0.39, 0.074, 0.16, 0.23, 0.26, -0.047, 0.33, 0.24, -0.71, -0.048, -0.29, -0.24,
         -0.093, 0.015, -0.15, -0.18, -0.18, -0.09, 0.079, -0.2, 0.073, -0.0042, -0.076,
         -0.049, 0.12, -0.23, -0.023, 0.044, -0.12, 0.026, 0.071, 0.31, 0.37, 0.17,
         -0.36, -0.092, -0.11, 0.097, 0.084, 0.3, -0.12, -0.13, 0.018, -0.18, -0.086,
         -0.21, 0.017, -0.14, -0.54, 0.19, 0.22, 0.22, -0.071, -0.035, -0.16, -0.48],
         [0.49, 0.28, 0.083, -0.03, 0.13, 0.2, 0.21, 0.36, -0.28, -0.11, -0.046, 0.073,
         0.071, 0.0015, -0.28, 0.2, -0.072, -0.016, -0.063, -0.14, -0.13, -0.4, 0.09,
         -0.76, -0.24, -0.2, -0.24, -0.15, 0.16, -0.045, -0.28, 0.38, 0.12, -0.21,
         -0.033, 0.021, 0.25, -0.035, -0.2, -0.44, 0.45, -0.051, 0.15, 0.4, -0.2, -0.33,
         -0.018, -0.86, -0.56, 0.023, -0.064, 0.14, 0.14, 0.3, -0.04, 0.74, 0.079,
         0.065, 0.18, 0.15, -0.0035, 0.11, 0.1, 0.5]], [1.1, -0.2, 0.32, -0.23]),
        ([[-0.5, -1.2, -0.00074, 1.6], [4.4, -0.11, 0.24, 0.18], [1.1, -0.58, -0.63,
         0.96], [0.81, 0.57, -1.1, 0.51], [0.0076, -0.02, 0.9, 0.6]], [0.13, -4.1, 0.3,
         -0.21, -0.12]),
        ([[1.0, 7.1, 3.3, -7.9, -8.9], [5.4, 1.9, -7.9, 7.6, -2.9], [2.6, 0.77, 3.0,
         8.6, 9.3], [-3.6, 1.6, 2.2, -0.15, 10.0], [5.6, 1.5, -3.9, -4.5, -15.0], [0.79,
         -1.5, 3.3, -6.3, 1.6], [6.0, -3.4, 6.2, -0.59, -6.5], [-0.72, -1.2, -4.8, -8.4,
         7.1], [-3.0, -7.5, 1.3, 2.4, 2.2], [-7.5, 4.0, -3.6, -1.4, 0.22]], [3.2, 6.8,
         -2.8, -0.33, 2.0, 1.3, -4.1, -2.6, -4.5, 0.16]),
    ]
    weight, bias = layers[0]
    layers[0] = np.array(weight)[:, order], bias
    return activation, layers
    # END SOLUTION


# %%
check("08.12", digit_network)

# %% [markdown]
r"""
## When you are done

Save the notebook: in Colab, choose *File → Save a copy in Drive*, because Colab forgets everything else; elsewhere,
choose *File → Save*. If you work alone, that is all, and the table below shows how far you have come. In a class, hand
in the notebook's file: in Colab, *File → Download → Download .ipynb* makes it; elsewhere, it is the file that you have
open. Your answers are found by the first line of their cells, so you may add, move and split cells, as long as those
lines stay.
"""

# %%
progress()

# %% [markdown]
r"""
`download()` gives you one small file with your points, blanks, predictions and remarks, from all pages on this machine.
To go on from there on another machine, run `from utils.feedback import upload` and then `upload()`.
"""

# %%
download()
