# %% [markdown]
r"""
# 07b Fitting too well

**When does a network that fits its examples miss the rest?** You will fit digits with more features than there are
digits, look into the matrix behind it, train networks on wrong labels, and try four ways to hold a network back. This
is an excursion from lesson 07, in 20 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch

from utils.claims import claimed, recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_07 import page
from utils.models import mlp, with_dropout
from utils.predictions import predict, reveal
from utils.training import train

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 0  # try others
generator = torch.Generator().manual_seed(SEED)
torch.manual_seed(SEED)  # dropout draws from here
rng = np.random.default_rng(SEED)

# %% [markdown]
r"""
## 1 One layer that is not trained (4 min)

While a network trains, overfitting is hard to see, because you never know whether the optimiser was done. So leave
training out. Take a hidden layer of ReLU units with random weights, leave it as it is, and fit only the output layer by
**least squares**, to one column per digit. This fit can be computed exactly. There are {{= descent.EXAMPLES}} training
digits. If several fits are equally good, `lstsq` returns the one with the shortest weights.
"""

# %% tags=["idea"]
def features(X, count):
    W = np.random.default_rng(count).normal(size=(64, count)) / 8
    return np.maximum(X @ W, 0) / count**0.5


def missed(outputs, labels):
    return (outputs.argmax(axis=1) != labels).mean()


(X, y), _, (X_new, y_new) = [(X.double().numpy(), y.numpy())
                             for X, y in page.noisy_digits(0.0, generator=generator)]
Y = np.eye(10)[y]
for count in (10, 30, 100):
    A = np.linalg.lstsq(features(X, count), Y, rcond=None)[0]
    print(f"{count:>3} features: {missed(features(X, count) @ A, y):.3f} of the training "
          f"digits missed, {missed(features(X_new, count) @ A, y_new):.3f} held-out")

# %% [markdown]
r"""
With 100 features, nearly all training digits are fitted. Go on: 150, 300, 1,000, 3,000. **What does the held-out error
do?**
"""

# %%
predict("07b.peak")

# %%
exact = recorded("07_descent")
reveal("07b.peak", figure=page.peaks(exact), second=claimed("07.descent-second"),
       **page.peak_answer(exact))

# %% [markdown]
r"""
Try numbers around 300 in the cell above.

## 2 What the matrix does to a label (4 min)

Take the feature matrix apart, $\Phi = U S V^\top$, with the singular values $s_1 \ge \dots \ge s_r > 0$ in $S$. The
shortest fit is $A = V S^{-1} U^\top Y$: along each direction, the labels are *divided* by a singular value. A **ridge**
adds $\lambda \lVert A \rVert^2$ to what is minimised. (It is L2 under another name.)

**Proposition.** Change the labels by $E$. Without a ridge the shortest fit $A$ then changes by at most
$\lVert E \rVert / s_r$, and by exactly that much for some $E$; with a ridge $\lambda > 0$ it changes by at most
$\lVert E \rVert / (2\sqrt\lambda)$, whatever the features are. (Lengths are Frobenius norms.)

*Proof.* The ridge fit is $(\Phi^\top\Phi + \lambda I)^{-1}\Phi^\top Y = V D U^\top Y$, where $D$ has
$s_i / (s_i^2 + \lambda)$ on its diagonal; without a ridge it has $1/s_i$. The columns of $U$ and of $V$ are
orthonormal, so $A$ changes by at most the largest of these numbers, times $\lVert E \rVert$; for $E$ with columns along
$u_r$ and no ridge, by exactly that. Finally $s^2 + \lambda \ge 2 s\sqrt\lambda$. ∎

So compare the smallest singular value with the largest. (Mere rounding does not count.)
"""

# %% tags=["idea"]
for count in (100, 200, 280, 300, 320, 400, 1000):
    s = np.linalg.svd(features(X, count), compute_uv=False)
    s = s[s > 1e-12 * s[0]]
    print(f"{count:>5} features: largest over smallest {s[0] / s[-1]:>10,.0f}")

# %% [markdown]
r"""
Why does the ratio peak at {{= descent.EXAMPLES}}? For purely random matrices, the reason is known.

**Theorem** (Bai & Yin 1993). Let the entries of an $n \times p$ matrix be independent and identically distributed, with
mean 0, variance 1 and a finite fourth moment, and let $n$ and $p$ grow with $p/n \to c$, $0 < c < 1$. Then the smallest
singular value, over $\sqrt n$, tends to $1 - \sqrt c$ almost surely.

For $c > 1$, exchange rows and columns. So the smallest singular value is at its smallest when there are as many columns
as rows. The entries of $\Phi$ are not independent, so for $\Phi$ the evidence is the cell above. How small the value
gets depends on the images, but the place did not.

Now add a ridge, at exactly that place:
"""

# %% tags=["idea"]
count = 300  # try 150, 3000
Phi, Phi_new = features(X, count), features(X_new, count)
for ridge in (1e-4, 1e-2, 1):  # try 1e-8
    A = np.linalg.solve(Phi.T @ Phi + ridge * np.eye(count), Phi.T @ Y)
    print(f"ridge {ridge:<6g}: {missed(Phi @ A, y):.3f} of the training digits missed, "
          f"{missed(Phi_new @ A, y_new):.3f} held-out")

# %% [markdown]
r"""
In the experiment, each number of features has its own ridge, the best of {{= len(descent.RIDGES)}} on validation
digits:
"""

# %%
show_figure(page.ridged(exact), "07b.ridge")
page.print_ridges(exact)

# %% [markdown]
r"""
Past 150 features the error goes on falling, and 300 is no exception. Nakkiran, Venkat et al. (2021) proved for linear
regression with isotropic Gaussian inputs that, with the best ridge, the expected error never rises with the number of
examples, nor with the number of random projections. Hastie et al. (2022) computed the error's limits for linear models;
with the best ridge, these have no peak. Random ReLU features of digits fit neither case, but behaved the same.

## 3 Do trained networks do this? (3 min)

Now train the hidden layer, too, from He's weights, with Adam and all {{= descent.EXAMPLES}} digits in every step. Wrong
labels make the task harder, so draw a fifth of the labels anew:
"""

# %% tags=["idea"]
width = 12  # try 2, 4, 32
learned, _, unseen = page.noisy_digits(0.2, generator=generator)  # try 0.0 and 0.4
model = mlp([64, width, 10], init="he", generator=generator)
train(model, *learned, epochs=400, lr=0.01, progress=False)
print(f"width {width}: {page.wrong_share(model, *learned):.3f} of the training labels "
      f"missed, {page.wrong_share(model, *unseen):.3f} held-out")

# %% [markdown]
r"""
The experiment tries widths from {{= descent.WIDTHS[0]}} to {{= descent.WIDTHS[-1]}}. Take the smallest width that fits
the training labels (all but {{= format(descent.FITTED, ".1%")}}), and compare it with the best of the narrower ones,
chosen on validation digits. (40 units make about as many parameters as targets.) **Is the held-out error higher where
networks begin to fit?**
"""

# %%
predict("07b.trained")

# %%
trained = recorded("07_trained")
reveal("07b.trained", figure=page.widths(trained), rises=claimed("07.fit-trained-wide"),
       **page.trained_answer(trained))

# %% [markdown]
r"""
Belkin et al. (2019) and Nakkiran et al. (2021) saw the curve of section 1 in trained networks as well. Nakkiran's were
convolutional networks and transformers, and wrong labels showed it most clearly. Our networks are small, and say
nothing about theirs.

## 4 Too large for so few? (2 min)

A linear model gets most digits right. Here is a task where it fails: the board of 4×4 squares, with a tenth of all
labels flipped, even held-out ones. So no network can be expected to miss less than a tenth.
"""

# %% tags=["idea"]
board, check, fresh = page.parts(200, generator=generator)  # try 50 and 800
for hidden in ([16], [32, 32, 32]):  # try [4], [256]
    model = mlp([2, *hidden, 2], init="he", generator=generator)
    train(model, *board, epochs=250, lr=0.01, batch_size=50, schedule="one-cycle",
          progress=False)
    print(f"{hidden}: {page.wrong_share(model, *board):.3f} of the training labels "
          f"missed, {page.wrong_share(model, *fresh):.3f} held-out")

# %% [markdown]
r"""
The experiment tries {{= len(capacity.RATES)}} rates for each shape, and takes {{= format(capacity.STEPS, ",")}} steps,
however many points there are:
"""

# %%
shapes = recorded("07_capacity")
page.print_shapes(shapes)
show_figure(page.learning_curves(shapes), "07b.gap")

# %% [markdown]
r"""
Suppose that overfitting means the *gap* between training and held-out error. Then the three layers overfit more than
one layer of 16 units: at {{= capacity.RACE}} points their gap is wider, by {{claim 07.fit-gap}}. But you want a low
held-out error, and there they are ahead, by {{claim 07.fit-error}}. So a gap is not an illness in itself. Nor does it
tell whether more examples would help. To see that, draw both curves.

Was it depth that helped? One layer of 450 units has as many parameters as the three layers, and on these
{{= capacity.RACE}} points it is level with them (its error minus theirs: {{claim 07.fit-error-size}}). **What helped is
size.** At {{= capacity.EXAMPLES[-1]}} points the three layers do lead, by {{claim 07.fit-error-most}}. But that lead
came from the start: if biases start at random values instead of zero, the two are level there, too.

## 5 Holding back (4 min)

Four remedies are usually prescribed: a penalty on the squares of weights (**L2**) or on their sizes (**L1**),
**dropout**, and **early stopping**, which keeps the weights with the least validation error. Here they are. Switch them
on one at a time.
"""

# %% tags=["idea"]
def learn(l1=0.0, l2=0.0, drop=0.0, stop_early=False, steps=1000):
    net = with_dropout(mlp([2, 32, 32, 32, 2], init="he", generator=generator), drop)
    Ws = [w for w in net.parameters() if w.ndim == 2]
    optimizer, best = torch.optim.Adam(net.parameters(), lr=0.01), [1.0, 1.0]
    for step in range(1, steps + 1):
        rows = torch.randint(len(board[0]), (50,), generator=generator)
        loss = torch.nn.functional.cross_entropy(net(board[0][rows]), board[1][rows])
        loss = loss + sum(l1 * W.abs().sum() + l2 / 2 * W.square().sum() for W in Ws)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0 and (stop_early or step == steps):
            now = [page.wrong_share(net, *part) for part in (check, fresh)]
            best = min(best, now, key=lambda errors: errors[0])  # by validation alone
    return best[1]


# %% tags=["idea"]
print(f"held-out, nothing: {learn():.3f}")
print(f"with L2:           {learn(l2=1e-3):.3f}")  # try l1=3e-4, drop=0.1, stop_early

# %% [markdown]
r"""
(With plain gradient descent, L2 shrinks every weight by a constant share in each step. With Adam it does not. AdamW
does, and is a method of its own: Loshchilov & Hutter 2019. It is the experiment's fifth remedy, "weight decay".)

One run shows little. In the experiment L2, weight decay, L1 and dropout have {{= len(capacity.RATES)}} strengths each,
early stopping and "nothing" have as many rates, and all are chosen on validation data. **For how many of the five
remedies do {{= capacity.regularised.seeds}} seeds show that they lower the held-out error by at least .01?** (The whole
interval must lie above .01.)
"""

# %%
predict("07b.aids")

# %%
aided = recorded("07_regularised")
reveal("07b.aids", figure=page.aids(aided), most=claimed("07.fit-l2"),
       **page.aids_answer(aided))

# %% [markdown]
r"""
## 6 Layers are not dimensions (3 min)

Under "curse of dimensionality" you will read that more hidden layers mean more parameters, and so overfitting when
examples are few. Beside that stand networks of 1 to 20 layers that learn the sum of ten inputs, with some noise. Try
two of them:
"""

# %% tags=["idea"]
summed, _, others = page.sum_parts(generator=generator)
for depth in (1, 20):
    model = mlp([10, *[10] * depth, 1], init="he", generator=generator)
    train(model, *summed, epochs=60, lr=0.03, batch_size=50, schedule="one-cycle",
          progress=False)
    print(f"{depth:>2} layers: squared error {page.score(model, *summed):.4f} in "
          f"training, {page.score(model, *others):.4f} held-out")

# %% [markdown]
r"""
The noise alone has a squared error of {{= format(capacity.SUM_NOISE**2, ".2f")}}. One run may go either way. Over
{{= capacity.sums.seeds}} seeds, with tuned rates, twenty layers' held-out error exceeds their training error by
{{claim 07.fit-sum}}, which is next to nothing. That holds for {{= capacity.SUM_SIZES[0]}} examples. With
{{= capacity.SUM_FEW}}, their gap is wider than one layer's, so larger networks may overfit when examples are few. But
the curse (Bellman 1957) is about the number of *inputs*: the points needed to cover a cube evenly grow exponentially
with it. The curse says nothing about layers or parameters.
"""

# %%
feedback("07b.fitting")

# %% [markdown]
r"""
**What you can now say.** With as many parameters as examples, a least-squares fit misses most of the held-out digits,
because one singular value is tiny. (With fewer it missed less, by {{claim 07.descent-peak}}.) A ridge mends this (error
with 300 features minus that with 150: {{claim 07.descent-ridge}}). Trained networks with one hidden layer showed no
such peak, up to {{= descent.WIDTHS[-1]}} units. On the noisy board, the larger network had the wider gap and the lower
held-out error, because of its size and not its depth.

**What you do not know.** Whether larger networks, other noise or much longer training show the curve of section 1. What
the remedies are worth for networks with millions of weights: ours had a few points in a plane to learn.

{{claims}}
"""

# %%
download()
