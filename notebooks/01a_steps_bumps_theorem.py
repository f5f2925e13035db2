# %% [markdown]
r"""
# 01a Steps, bumps and the theorem

**How would anybody prove that one hidden layer can approximate every continuous function, and what does it cost in many
dimensions?** An excursion from lesson 01, in 40 minutes. Nothing later needs it.
"""

# %%
# set-up
import numpy as np

from utils.constructions import evaluate_steps, sigmoid_staircase, staircase_bound, sup_error
from utils.figures import show_figure, use_style
from utils.keeping import download, feedback
from utils.lesson_01 import page
from utils.predictions import predict, reveal

use_style()

# %% [markdown]
r"""
## 1 A staircase of sigmoids (12 min)

The activation of the 1980s was the sigmoid, $\sigma(z) = 1/(1 + e^{-z})$. A steep one, $\sigma(s(x - t))$, is nearly a
**step** at $t$. The difference of two steps is nearly a **bump**: 1 between them, 0 elsewhere. Cover the interval with
bumps, each as high as the function there, and you follow the function.
"""

# %%
show_figure(page.bumps(), "01a.bumps")

# %% [markdown]
r"""
Where one bump ends the next begins, so the two steps there merge into one. What remains is a **staircase**. With cells
of width $h$, middles $m_0, \dots, m_N$, and edges $t_1, \dots, t_N$ between them,

$$ g(x) = f(m_0) + \sum_{i=1}^{N} \bigl(f(m_i) - f(m_{i-1})\bigr)\, \sigma\bigl(s (x - t_i)\bigr) . $$
"""

# %%
show_figure(page.staircases(), "01a.staircases")

# %% [markdown]
r"""
**Proposition.** If $|f(x) - f(z)| \le L |x - z|$ on the interval, then $|f - g| \le L h \left( \frac12 +
\frac{1}{e^{sh/2} - 1} \right)$ there.

<details><summary>The proof</summary>

No step is higher than $Lh$. Write $e(u) = \sigma(-su) \le e^{-su}$ for the share of a step that is still missing at
distance $u$ behind it, or already there at distance $u$ before it.

1. *The nearest edge.* Let $t$ be the edge nearest to $x$, at distance $d \le h/2$, and take all other steps as perfect.
   Then $g(x)$ is the weighted mean of the values in the two cells beside $t$: with weight $1 - e(d)$ for $x$'s own
   cell, whose middle is $h/2 - d$ away, and $e(d)$ for the other, whose middle is $h/2 + d$ away. So it is off by at
   most $L$ times $h/2 - d\,(1 - 2e(d)) \le h/2$, as $e(d) \le \frac12$.
2. *The other edges.* Those on the side of $t$ are at least $h, 2h, \dots$ away, those on the other side $h/2, 3h/2,
   \dots$ Their errors add at most $Lh \sum_{k \ge 1} e^{-skh/2} = Lh / (e^{sh/2} - 1)$.
3. *The ends.* In the outer half of the first and the last cell no edge is nearer than $h/2$. The middle is at most
   $h/2$ away, and the sum of step 2 covers all edges. ∎

</details>
"""

# %%
low, high = -5.0, 5.0
for cells in (10, 40, 160):
    for sharpness in (4, 20):  # the steepness times the cells' width
        h = (high - low) / cells
        network = sigmoid_staircase(np.sin, low, high, cells, sharpness)
        error = sup_error(np.sin, lambda x: evaluate_steps(x, *network, sharpness / h), low, high)
        certified = staircase_bound(1.0, h, sharpness)
        print(f"{cells} cells, s h = {sharpness}: measured {error:.3g}, certified {certified:.3g}")

# %% [markdown]
r"""
Four times the cells, a quarter of the error: the staircase gains like $1/N$. Hinges, on the path, gained like $1/N^2$.

For the sine the softer steps do *better*, and the certificate says the opposite. It has to cover every function with
that slope, it does not know that the sine is smooth, and step 2 of its proof is generous. **Certified is not the same
as best.**

A continuous function on a closed, bounded interval is uniformly continuous. So with cells narrow enough and steps steep
enough the same construction follows any of them: that is the theorem for one input and the sigmoid.

*→ Now do exercise 01.4: a bump, made to measure.*

## 2 How slowly can hinges converge? (6 min)

The bound $M h^2 / 8$ needs a second derivative. Take $\sqrt x$ on $[0, 1]$: its slope at 0 is infinite. **You double
the number of hinges. What happens to the largest error?**
"""

# %%
predict("01a.root")

# %%
def largest_error(f, low, high, units):
    knots, x = np.linspace(low, high, units + 1), np.linspace(low, high, 200_001)
    return np.abs(np.interp(x, knots, f(knots)) - f(x)).max()


units = np.array([5, 10, 20, 40, 80, 160])
errors = np.array([largest_error(np.sqrt, 0, 1, n) for n in units])
reveal("01a.root", figure=page.root_errors(units, errors), ratio=errors[3] / errors[2])

# %% [markdown]
r"""
The worst piece is the first, from 0 to $h$. There the chord is off by at most $\sqrt h / 4$, at $x = h/4$, so the error
is exactly $1/(4 \sqrt N)$: halving it takes four times the units. It still converges, as it does for every continuous
function on the interval. Only the rate depends on the function.

## 3 The theorem, with all its hypotheses (10 min)

**Theorem** (Leshno, Lin, Pinkus & Schocken 1993). Fix $d \ge 1$. Let $\sigma : \mathbb{R} \to \mathbb{R}$ be bounded on
every bounded interval, and let the closure of the set of its discontinuities have **measure zero**: that set, with all
its limit points, can be covered by intervals whose lengths add up to as little as you like. Then the following are
equivalent:

1. for every continuous $f : \mathbb{R}^d \to \mathbb{R}$, every closed and bounded $K \subset \mathbb{R}^d$ and every
   $\varepsilon > 0$ some network with one hidden layer has $\sup_{x \in K} |f(x) - g(x)| < \varepsilon$;
2. $\sigma$ does **not** agree with any **polynomial** outside a set of measure zero.

| | hypothesis on $\sigma$ | ReLU? |
|---|---|---|
| Cybenko 1989 | continuous, tends to 0 on the left and to 1 on the right | not directly* |
| Hornik 1991 | continuous, bounded, not constant | not directly* |
| Leshno et al. 1993 | as above | **yes** |

*ReLU is unbounded. But $\operatorname{ReLU}(x) - \operatorname{ReLU}(x - 1)$ satisfies both, so a network of such pairs
is covered.

One direction is short. If $\sigma$ is a polynomial of degree $k$, every network is one, of degree at most $k$, however
wide it is. Polynomials of bounded degree that came arbitrarily close to the sine on $[0, 1]$ would converge to it,
since such a polynomial is known by its values at $k + 1$ points and depends continuously on them. The sine would then
be a polynomial. It is not: none of its derivatives is 0 throughout.

The other direction is the work of the paper; here it is quoted, not proved.

**Are biases needed?** For tanh they are: without them every network is odd. That is not the whole story, though. A ReLU
network without biases is not odd. On one input it is $\alpha x$ on the right of 0 and $\beta x$ on the left, two pieces
for any number of units, so it fails as well. Sums of exponentials $\sum_i a_i e^{w_i x}$ need no bias: products of such
sums are such sums again, the constant 1 is one of them ($w = 0$), and $e^x$ tells any two points apart. By the theorem
of Stone and Weierstrass they approximate every continuous function on a closed and bounded interval.

*→ Exercise 01.5 gives you data, and asks which hypothesis was broken.*

## 4 Many dimensions (12 min)

A grid of spacing $1/n$ cuts $[0, 1]^d$ into $n^d$ cells: a staircase in 100 dimensions is hopeless. Is every network?

**A function of 10 inputs is approximated by a sum of $N$ random waves; then the same in 100 inputs. With equal $N$, how
does the mean squared error compare?**
"""

# %%
predict("01a.dimension")

# %% [markdown]
r"""
Take the bell $f(x) = e^{-|x|^2/2}$. It is a mean of waves, $f(x) = \mathbb{E} \cos(\omega \cdot x)$, where the
coordinates of $\omega$ are independent and standard normal. So draw $\omega_1, \dots, \omega_N$ at random, and average:

$$ g(x) = \frac1N \sum_{i=1}^N \cos(\omega_i \cdot x) , $$

a network with one hidden layer and the cosine as its activation.
"""

# %%
def bell(x):
    return np.exp(-(x**2).sum(axis=1) / 2)


def random_waves(x, units, rng):
    waves = rng.normal(size=(x.shape[1], units))
    return np.cos(x @ waves).mean(axis=1)


rng = np.random.default_rng(0)
for inputs in (1, 10, 100):
    x = rng.normal(size=(2000, inputs))
    x *= rng.uniform(0, 2, size=(2000, 1)) / np.linalg.norm(x, axis=1, keepdims=True)  # of length 0 to 2
    error = ((random_waves(x, 1000, rng) - bell(x)) ** 2).mean()
    print(f"{inputs} inputs, 1,000 units: mean squared error {error:.2g}")

# %%
reveal("01a.dimension", figure=page.cosine_errors_by_units())

# %% [markdown]
r"""
A mean of $N$ independent draws has the variance of one draw over $N$. With $\cos^2 z = \frac12 (1 + \cos 2z)$,

$$ \mathbb{E}\,\bigl(f(x) - g(x)\bigr)^2 = \frac{(1 - e^{-|x|^2})^2}{2N} \le \frac{1}{2N} $$

in *any* dimension. Some draw is at least as good as the average, so a network with this error **exists**. Measured over
expected, with 100 inputs and 1,000 units: {{claim 01.dimension}}. And this is not the error of doing nothing: over the
best constant's it is {{claim 01.dimension-free}}.

Barron (1993) does this for sigmoids, and for every $f$ with a finite $C_f = \int |\omega|\,|\hat f(\omega)|\,d\omega$:
for every $N$, every ball of radius $r$ around 0 and every distribution of points in it, some network of $N$ units has a
mean squared error of at most $(2 r C_f)^2 / N$. The *rate* does not know the dimension. The constant may: for some
families of functions $C_f$ grows exponentially with $d$.

A bell is an easy function. To reach *every* function on $[0, 1]^d$ with $|\nabla f| \le 1$ up to an error of
$\varepsilon$, the number of parameters has to grow at least like $\varepsilon^{-d}$ as $\varepsilon \to 0$, whatever
the method, if the parameters depend continuously on $f$ (DeVore, Howard & Micchelli 1989).
"""

# %%
feedback("01a.theorem")

# %% [markdown]
r"""
**What you can now say.** Steep sigmoids make steps, steps make staircases, and these follow any continuous function on
an interval, gaining like $1/N$. Hinges gain like $1/N^2$ where there is a second derivative, and more slowly where
there is none. The theorem asks for very little of the activation: not a polynomial. In many dimensions some functions
stay cheap, and most do not.

**Read on.** G. Cybenko (1989), *Approximation by superpositions of a sigmoidal function*. K. Hornik (1991),
*Approximation capabilities of multilayer feedforward networks*. M. Leshno, V. Lin, A. Pinkus & S. Schocken (1993),
*Multilayer feedforward networks with a nonpolynomial activation function can approximate any function*. A. Barron
(1993), *Universal approximation bounds for superpositions of a sigmoidal function*. R. DeVore, R. Howard & C. Micchelli
(1989), *Optimal nonlinear approximation*.

{{claims}}
"""

# %%
download()
