# %% [markdown]
r"""
# 04b From the construction, and to it

**A network of a hundred weights, set by hand, draws a fine checkerboard. Can training mend this network when it is
damaged? Can training find it?** An excursion from lesson 04, in 20 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import copy

import torch
from torch import nn

from utils.claims import claimed, recorded
from utils.data import checkerboard
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_04 import page
from utils.models import mlp
from utils.predictions import predict, reveal

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work

# %% [markdown]
r"""
## 1 A hundredth of noise (4 min)

Shift each coordinate by half a square, fold it $k$ times, and take the sign of a product. That draws $2^k \times 2^k$
squares:
"""

# %% tags=["idea"]
def tent(z):
    return 2 * torch.relu(z) - 4 * torch.relu(z - 1 / 2)


def board(X, k):  # negative on squares of colour 1
    z = X + 0.5 ** (k + 1)
    for _ in range(k):
        z = tent(z)
    a, b = (z - 1 / 2).unbind(1)
    return abs(a + b) - abs(a - b)


k = 3  # try others
X, y = checkerboard(4000, frequency=2 ** (k - 1), bounds=(0, 1),
                    generator=torch.Generator().manual_seed(0))
built = page.folded_classifier(k)  # the same, as layers
print(f"the formula is right on {((board(X, k) < 0) == y).float().mean()} of the points")
print("the network is right on", (built(X).argmax(1) == y).float().mean().item())
print(sum(numbers.numel() for numbers in built.parameters()), "weights and biases")

# %% [markdown]
r"""
That is $k + 1$ hidden layers of four units, as in the lesson. The last layer gives two outputs here, one for each
colour, and their difference is {{= format(returning.SCALE, "g")}} times the formula, so that we can train by
cross-entropy. Everything is exact.

Now **shake** the network: add normal noise to every weight and every bias. How much? We measure the size of each
matrix, and of each vector of biases, by its root mean square, and take a fixed share of it: a noise of .01 is one
hundredth. So zeros are shaken too, and the noise does not know which connections are used.

**Three folds, 8 × 8 squares, noise .01. How many held-out points does the network still colour right?**
"""

# %%
predict("04b.shaken")

# %%
returned = recorded("04_returning")
before = returned["before"].sel(folds=3, noise=0.01)
reveal("04b.shaken", figure=page.shaken_boards(3, [0, 0.01, 0.04, 0.16]),
       right=before.median().item(), share=claimed("04.shaken"),
       seeds=before.sizes["seed"])

# %% [markdown]
r"""
Shake it yourself. Run this a few times, and with other $k$ above:
"""

# %% tags=["idea"]
def shake(model, noise):
    model = copy.deepcopy(model)
    with torch.no_grad():
        for numbers in model.parameters():
            numbers += noise * numbers.square().mean().sqrt() * torch.randn(numbers.shape)
    return model


torch.manual_seed(0)  # try others
for noise in (0.003, 0.01, 0.03, 0.1):
    right = [(shake(built, noise)(X).argmax(1) == y).float().mean() for _ in range(20)]
    print(f"noise {noise}: {torch.stack(right).median():.2f} right, median of 20")

# %% [markdown]
r"""
## 2 Train from there (4 min)

The network is damaged, but its layers are in about the right place. Training from random weights begins nowhere near
it. So train the shaken network, with a familiar loop:
"""

# %% tags=["idea"]
def train(model, X, y, steps=2000, lr=0.01):
    model = copy.deepcopy(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = lr * (1 - step / steps)  # ever smaller steps
        batch = torch.randint(len(X), (200,))
        loss = nn.functional.cross_entropy(model(X[batch]), y[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


# %%
# 2,000 steps take about five seconds
torch.manual_seed(0)  # try others
k, noise = 2, 0.05  # and others
built = page.folded_classifier(k)
X, y = checkerboard(8000, frequency=2 ** (k - 1), bounds=(0, 1),
                    generator=torch.Generator().manual_seed(1))
start = shake(built, noise)
trained = train(start, X, y)
show_figure(page.boards({"built": built, "shaken": start, "trained": trained}, k),
            "04b.yours")

# %% [markdown]
r"""
It comes back, in a few seconds. From how far can it come back? The experiment tries seven levels of noise, boards of
two, three and four folds, and 20 seeds, each with its own noise and its own {{= format(returning.POINTS[0], ",")}}
training points ({{= returning.A_SQUARE}} per square). It takes 10,000 steps of Adam instead of your 2,000. The rate
first rises and then falls (one cycle), and validation points choose its peak from six values. A run **comes back** if
it ends with at least {{= returning.BACK}} of held-out points right.

**With three folds, up to how much noise do more than half of the runs come back?**
"""

# %%
predict("04b.returned")

# %%
reveal("04b.returned", figure=page.shares(returned), third=claimed("04.back-three"),
       **page.reaches(returned))

# %% [markdown]
r"""
The slope of the folds is a likely reason for what the figure shows: with one fold more, noise of the same size does
about twice the damage at the end. That is an explanation, not a measurement.
"""

# %% [markdown]
r"""
## 3 Is it the construction that comes back? (3 min)

A network that draws the board may be *another* network. Weights are poor witnesses: multiply what enters a ReLU unit by
3, divide what leaves it by 3, and nothing has changed. So ask each hidden unit at each point whether it is **on**. Such
factors do not change these *switches*. And because training moves even the exact network, compare with the **twin**:
the same network, not shaken, trained on the same points at the same rate.
"""

# %% [markdown]
r"""
**Take runs with three folds that came back from noise .02. Before training, most of their switches agree with the
twin's. How many agree after training?**
"""

# %%
predict("04b.same")

# %%
reveal("04b.same", figure=page.agreements(returned), same=claimed("04.same-network"),
       **page.same_agreement(returned))

# %% [markdown]
r"""
Now ask your own network, with two folds:
"""

# %% tags=["idea"]
def switches(model, X):
    on = []
    for layer in model:
        X = layer(X)
        if isinstance(layer, nn.ReLU):
            on.append(X > 0)
    return torch.cat(on, dim=1)


twin = train(built, X, y)  # some seconds
for name, one, other in (("untrained", start, built), ("trained", trained, twin)):
    agree = switches(one, X) == switches(other, X)
    print(f"{name}: {agree.float().mean():.2f} of the switches agree")
agree = switches(twin, X) == switches(built, X)
print(f"the twin and what was built: {agree.float().mean():.2f}")

# %% [markdown]
r"""
As the last line shows, training moves even the exact network away from where we built it. Runs that do not come back
end somewhere else, and draw only some of the squares.

## 4 From random weights (2 min)

Take the **same architecture** with random weights, equally many points and steps, and again at the best of six rates.
(Inputs are centred, and random biases have the better of two spreads.) In the lesson, you read how little of the board
it learns. Now give it units to spare: layers of 16 have {{= returning.times_the_parameters(3)}} times the parameters.
**With four hidden layers of 16 instead of 4, how many held-out points on 8 × 8 squares are right?**
"""

# %%
predict("04b.scratch")

# %%
scratch = recorded("04_scratch")
narrow, wide = (page.ended(scratch, 3, width=width) for width in (4, 16))
fine = page.ended(scratch, 4, width=16)
reveal("04b.scratch", figure=page.from_scratch(scratch, returned),
       narrow=narrow.median().item(), wide=wide.median().item(),
       share=claimed("04.scratch-wide"), fine=fine.median().item(),
       seeds=narrow.sizes["seed"])

# %% [markdown]
r"""
Malach & Shalev-Shwartz (2019) prove, for fractal distributions whose weight lies on the fine details, that training may
miss what a network can represent. Malach et al. (2021) prove that shallow networks can approximate, at least weakly,
what gradient descent on deep networks learns.

## 5 To it: deep against shallow, on finer and finer boards (4 min)

One hidden layer of 272 units, two of 34 and four of 20 have exactly {{= format(returning.parameters(1), ",")}}
parameters each. Each gets 8,000 points, 3,000 steps with a one-cycle rate, the best of six rates and of two spreads of
random biases, and twelve seeds. Per point, a training step costs {{= format(returning.step_flops(1), ",")}},
{{= format(returning.step_flops(2), ",")}} and {{= format(returning.step_flops(4), ",")}} floating-point operations, so
the deep networks get more arithmetic. **On 8 × 8 squares, is anybody ahead by more than ten points in a hundred?**
"""

# %%
predict("04b.rising")

# %%
rising = recorded("04_rising")
reveal("04b.rising", figure=page.rising(rising), equal=claimed("04.rising-equal"),
       **page.medians_of_shapes(rising, 3))

# %% [markdown]
r"""
On 16 × 16 squares, are too few points to blame? No: taking the colour of the nearest training point is far better. Too
few units? No: {{= boards.shallow_units(4)}} units in one layer can draw this board. **What do more steps change?** See
for yourself, on 8 × 8 squares, with one seed and one rate. (In the experiment, each shape has its own best rate.)
"""

# %% tags=["idea"]
k = 3
X, y = checkerboard(8000, frequency=2 ** (k - 1),  # on [-1, 1]²
                    generator=torch.Generator().manual_seed(2))
X_new, y_new = checkerboard(4000, frequency=2 ** (k - 1),
                            generator=torch.Generator().manual_seed(3))
for steps in (1000, 3000):  # about five seconds in all
    untrained = mlp([2, 20, 20, 20, 20, 2], init="he", bias_std=0.5)  # or [2, 272, 2]
    model = train(untrained, X, y, steps=steps)
    print(f"{steps} steps: {(model(X_new).argmax(1) == y_new).float().mean():.2f} right")
show_figure(page.longer(rising, recorded("04_longer")), "04b.longer")

# %% [markdown]
r"""
The networks had not finished. With four times the steps, again at the best rates, all three draw most of the 8 × 8
board, and four layers have no lead over one there ({{claim 04.rising-longer}}). On 16 × 16 squares they lead one layer
by {{claim 04.longer-fine}}, and still none gets far.

Does depth make that lead? Two layers have nearly all of it: four lead two by {{claim 04.longer-two}}. And one layer had
a bad start: give each shape the better of two starts, with the first layer's weights and biases as they are or
{{= returning.GAINS[1]}} times as large, and four layers lead one by {{claim 04.steep-fine}}.

So on these boards **what can be drawn is not what limits training**. A hand-built network of about a hundred
weights is exact where trained ones with over a thousand fail, and we cannot show that depth helps to train them.

## 6 What is proved (3 min)

**Proposition.** For every $k \ge 1$, $4 \cdot 2^k - 5$ ReLU units in one hidden layer draw the board of
$2^k \times 2^k$ squares, and fewer do not, if no connection leads from the inputs past the layer.

<details><summary>The proof that fewer do not</summary>

A network of one hidden layer is $f(x, y) = c + \sum_i a_i\,\mathrm{ReLU}(v_i x + w_i y + b_i)$. (With a connection past
the layer, $4 \cdot 2^k - 6$ units would do.) Let $f$ be positive inside every blue square and negative inside every
orange one, with $N$ units. Write $m = 2^k$ and measure in squares. *Corners* are the $(m - 1)^2$ points where four
squares meet; call them $(i, j)$ with $i$ and $j$ from $0$ to $m - 2$, from the lower left.

*1. A rising and a falling crease pass through each corner.* By continuity $f = 0$ on the lines between squares. Near a
corner, the only creases are those through the corner itself. If none of them entered the upper right quadrant, say, $f$
would be affine there and zero along both sides, so zero, which is neither positive nor negative. A line through the
corner that enters this quadrant rises; one that enters the upper left quadrant falls.

*2. $N \ge 4m - 6$.* Call the corners $(0, j)$ and $(i, 0)$ black: there are $2m - 3$ of them. Any two lie on a level,
an upright or a falling line, never on a rising one. So at least $2m - 3$ units have rising creases. The mirror image,
with black corners $(m - 2, j)$ and $(i, 0)$, gives as many that fall.

Now suppose $N = 4m - 6$. Then $2m - 3$ units have rising creases, exactly one through each black corner. The others
have falling creases, exactly one through each black corner of the mirror image.

*3. Each corner has exactly one rising and one falling crease.* Let $1 \le j \le m - 2$. The rising crease through
$(1, j)$ also passes through a black corner, further left and below: some $(0, b)$ with $b < j$. For $j = 1$ that is
$(0, 0)$, and its crease has slope 1. For $j = 2, 3, \dots$ in turn, the creases of $(0, 0), \dots, (0, j - 2)$ are
known to have slope 1, so they miss $(1, j)$. So the crease through $(1, j)$ must be that of $(0, j - 1)$, which
therefore has slope 1, too. Exchange $x$ and $y$: the creases of $(0, 0), \dots, (m - 3, 0)$ have slope 1, too. So all
rising creases run along the corners' diagonals, except perhaps those of $(0, m - 2)$ and $(m - 2, 0)$, whose slopes are
still free. Those two meet no other corner, and no other corner lies on the diagonals there. The mirror image shows the
same for falling creases: they have slope $-1$, except perhaps at $(0, 0)$ and $(m - 2, m - 2)$.

*4. At each corner $f = A\,(|l_r| - |l_s|)$, $A \ne 0$, and all slopes are $\pm 1$.* Since
$\mathrm{ReLU}(z) = \tfrac12 (|z| + z)$, near a corner $f = A|l_r| + B|l_s| + h$ with $h$ affine. Let $(\xi, \eta)$ be
the place as seen from the corner. Then $l_r = \eta - s\xi$ and $l_s = \eta + t\xi$, where $s > 0$ and $-t < 0$ are the
slopes. On $\eta = 0$, $f = (As + Bt)|\xi| + h = 0$, and on $\xi = 0$, $f = (A + B)|\eta| + h = 0$. The only affine
function that is a multiple of $|\xi|$ is zero. So $h$ is zero on both lines, which makes it zero; then $B = -A$ and
$s = t$, and $A \ne 0$, since $f$ is not zero nearby. If $m > 2$, then at a corner where one slope was free, step 3
gives the other. So all slopes are $\pm 1$. If $m = 2$, stretch $x$ until they are.

*5. $|A|$ is the same at all corners.* All creases now run along diagonals of squares, so they meet the lines between
squares only where squares meet, and $f$ is affine around the side between two neighbouring corners. Where
$|\eta| < |\xi|$, $|\eta - \xi| - |\eta + \xi|$ is $-2\eta$ to the right of a corner and $2\eta$ to the left of the
next. So from one corner to the next, $A$ only changes its sign. The same holds upwards.

*6. A contradiction.* So every unit whose crease rises is $\pm A(|l| \pm l)$, with one $A$ for all, and $l = \eta - \xi$
up to a constant. Look at $h$ near a corner, and at the multiple of $\eta - \xi$ in it; units with falling creases have
multiples of $\eta + \xi$, and cannot cancel it. Near the corner, a unit whose crease passes elsewhere is $0$ or
$\pm 2Al$: it adds $0$ or $\pm 2A$. The unit whose crease passes through the corner has its $\pm A|l|$ in step 4, and
leaves $\pm Al$ for $h$. The sum is an odd multiple of $A$, so it is not zero. But by step 4, $h$ is zero. ∎

</details>

Two theorems are often quoted here. In the first, the dimension is fixed, and the *depth* grows. In the second, the
depth is fixed, one hidden layer against two, and the *dimension* $d$ grows.

- **Theorem** (Telgarsky 2016). For every $k \ge 1$ there is a network of $\Theta(k^3)$ layers with $\Theta(1)$ units
  each to which no network with $O(k)$ layers comes closer than $\tfrac1{64}$, in the mean over the unit cube, unless it
  has $\Omega(2^k)$ units.
- **Theorem** (Eldan & Shamir 2016). Let the activation grow at most polynomially and approximate functions of one
  variable well; ReLU does. Then there are constants $c, C > 0$, and for every $d > C$ a probability measure $\mu$ on
  $\mathbb R^d$ and a function $g$ with values in $[-2, 2]$, zero beyond distance $C\sqrt d$ and approximately radial,
  that is itself a network of **two hidden layers whose width is polynomial in $d$**. But every network $f$ of **one
  hidden layer with at most $c\,e^{cd}$ units** has $\mathbb E_{x \sim \mu} (f(x) - g(x))^2 \ge c$.

The second theorem is about dimension and width. It says nothing about the plane, where our boards are, and nothing
about three layers or more. And none of the three results says anything about training.
"""

# %%
feedback("04b.returning")

# %% [markdown]
r"""
**What you can now say.** Training can mend small damage: of networks with three folds, shaken by two hundredths, a
share of {{claim 04.back-near}} came back, to the same creases. With each fold, the noise that training can mend
shrinks. Training did not find the construction: from random weights, the same architecture hardly learns 8 × 8 squares.
Wider networks learn them, but not 16 × 16. There, two layers have most of four layers' lead, and if each shape begins
from the better of two starts, it is not settled whether four layers lead.

**What you do not know.** Would another optimiser, or far more steps, find the finest board, and would depth still lead
then? What holds the runs that do not come back? And does a problem from real life have a short construction at all? A
checkerboard was made to have one.

{{claims}}
"""

# %%
download()
