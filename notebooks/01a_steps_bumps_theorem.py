# %% [markdown]
r"""
# 01a Steps, bumps and the theorem

**How do you prove that one hidden layer can follow every continuous function, and what does it cost in many
dimensions?** An excursion from lesson 01, in 19 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np

from utils.constructions import (
    evaluate_steps,
    sigmoid_staircase,
    staircase_bound,
    sup_error,
)
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_01 import page
from utils.predictions import predict, reveal
from utils.widgets import live_figure

use_style()

# %% [markdown]
r"""
## 1 A staircase of sigmoids (5 min)

The activation of the 1980s was the sigmoid, $\varphi(z) = 1/(1 + e^{-z})$. Make it steep, as in $\varphi(s(x - t))$
with a large $s$, and it is nearly a **step** at $t$. Take one step minus a later one, and you nearly have a **bump**,
which is 1 between the two and 0 elsewhere. Cover the interval with bumps, each as high as the function is there, and
you follow the function.
"""

# %%
show_figure(page.bumps(), "01a.bumps")

# %% [markdown]
r"""
Where one bump ends, the next begins, so the two steps there merge into one, and the sum of the bumps is a
**staircase**. Cut the interval into cells of width $h$. Call their middles $m_0, \dots, m_N$ and the edges between them
$t_1, \dots, t_N$. At each edge, the staircase climbs from $f$'s value at one middle to its value at the next:

$$ g(x) = f(m_0) + \sum_{i=1}^{N} \bigl(f(m_i) - f(m_{i-1})\bigr)\, \varphi\bigl(s (x - t_i)\bigr) . $$

How sharp a step looks depends on $s h$, its steepness times the width of a cell:
"""

# %%
show_figure(page.staircases(), "01a.staircases")

# %% [markdown]
r"""
**Proposition.** If $|f(x) - f(z)| \le L |x - z|$ for all $x$ and $z$ in the interval, then the staircase $g$ with cells
of width $h$ and steepness $s$ has there

$$ |f - g| \le L h \left( \frac12 + \frac{1}{e^{sh/2} - 1} \right) . $$

Here $L$ is the steepest slope that $f$ may have. The first term is half the height of the highest step: even perfect
steps may be off by that much. The second term is what rounded steps may add to it.

<details><summary>The proof</summary>

No step is higher than $Lh$. Write $e(u) = \varphi(-su) \le e^{-su}$ for the share of a step that is still missing at
distance $u$ to its right, or already there at distance $u$ to its left.

1. *The nearest edge.* Let $t$ be the edge nearest to $x$, at distance $d \le h/2$, and treat all other steps as
   perfect. Then $g(x)$ is the weighted mean of the values in the two cells beside $t$: with weight $1 - e(d)$ for $x$'s
   own cell, whose middle is $h/2 - d$ away, and $e(d)$ for the other, whose middle is $h/2 + d$ away. So it is off by
   at most $L$ times $h/2 - d\,(1 - 2e(d)) \le h/2$, as $e(d) \le \frac12$.
2. *The other edges.* Those on $t$'s side of $x$ are at least $h, 2h, \dots$ away, and those on the other side at least
   $h/2, 3h/2, \dots$ Together they add at most $Lh \sum_{k \ge 1} e^{-skh/2} = Lh / (e^{sh/2} - 1)$.
3. *The ends.* In the outer half of the first and the last cell no edge is nearer than $h/2$. The middle is at most
   $h/2$ away, and the sum of step 2 covers all edges. ∎

</details>
"""

# %%
low, high = -5.0, 5.0
for cells in (10, 40, 160):
    for sharpness in (4, 20):  # s h; try 2, or 100
        h = (high - low) / cells
        network = sigmoid_staircase(np.sin, low, high, cells, sharpness)
        error = sup_error(
            np.sin, lambda x: evaluate_steps(x, *network, sharpness / h), low, high
        )
        certified = staircase_bound(1.0, h, sharpness)
        print(f"{cells} cells, s h = {sharpness}: "
              f"measured {error:.3g}, certified {certified:.3g}")

# %% [markdown]
r"""
Four times the cells cut the certificate to a quarter, and the error to about a quarter: both fall like $1/N$. In the
lesson, with hinges, they fell like $1/N^2$.

For the sine, the softer steps do *better*, although their certificate is worse. A certificate has to cover every
function that is no steeper, so it does not know that the sine is smooth; and step 2 of its proof is generous.
**Certified is not the same as best.**

What if $f$ is only continuous, with no bound on its slope? Then on a closed, bounded interval it is uniformly
continuous: if the cells are narrow enough, it hardly changes within any of them. With such cells and steep enough
steps, such a staircase follows $f$. That proves the theorem for sigmoids with one input.

With more inputs, $x$ in $\mathbb{R}^d$, take sums of **waves** $\cos(w \cdot x + b)$. Products of waves are sums of
waves, the constant 1 is a wave ($w = 0$), and for any two points some wave tells them apart. The theorem of Stone and
Weierstrass asks for no more, so such sums come as close as you like to every continuous function on a closed and
bounded set. Each wave is a function of one number, $w \cdot x$, so a staircase follows it, and the staircases together
are one hidden layer of sigmoids.

*→ Now do exercise 01.4: a bump, made to measure.*

## 2 A function that starts straight up (3 min)

Back to hinges. Their bound $M h^2 / 8$ needs a bounded second derivative, and the function $\sqrt x$ on $[0, 1]$ does
not have one: at 0 it climbs infinitely steeply. **You double the number of evenly spaced hinges. What happens to the
largest error?**
"""

# %%
predict("01a.root")

# %%
def largest_error(knots):
    x = np.linspace(0, 1, 200_001)
    # np.interp draws what the hinges draw
    return np.abs(np.interp(x, knots, np.sqrt(knots)) - np.sqrt(x)).max()


units = np.array([5, 10, 20, 40, 80, 160])
even = np.array([largest_error(np.linspace(0, 1, n + 1)) for n in units])
reveal("01a.root", figure=page.root_errors(units, even), ratio=even[3] / even[2])

# %% [markdown]
r"""
Most evenly spaced hinges lie where the root is nearly straight, and few where it is steep. Crowd them at 0:
"""

# %%
for n, error in zip(units, even, strict=True):
    crowded = largest_error(np.linspace(0, 1, n + 1) ** 4)
    print(f"{n:>3} hinges: evenly spaced {error:.4f}, crowded at 0 {crowded:.6f}")

# %% [markdown]
r"""
Five crowded hinges do as well as 160 evenly spaced ones, and twice as many crowded hinges cut the error to a quarter.
How fast the error goes to 0 depends on the function, *and on where the hinges are*.

<details><summary>The proof of both</summary>

**Proposition.** With $N$ evenly spaced hinges, the largest error for $\sqrt x$ on $[0, 1]$ is exactly $1/(4 \sqrt N)$.
With knots at $(i/N)^4$ it is at most $1/(2N^2)$.

Between two knots $s < t$ the straight line is off by at most $(t - s)^2 / \bigl(4 (\sqrt s + \sqrt t)^3\bigr)$. With
evenly spaced knots, this is largest on the first piece, from 0 to $h = 1/N$. There it is $\sqrt h / 4$, at $x = h/4$.
For $s = a^4$ and $t = b^4$ with $b - a = 1/N$ the bound is $(b - a)^2 (a + b)^2 / \bigl(4 (a^2 + b^2)\bigr) \le (b -
a)^2 / 2$, as $(a + b)^2 \le 2 (a^2 + b^2)$. ∎

</details>

## 3 The theorem, with all its hypotheses (3 min)

The lesson stated the theorem for continuous activations. The full theorem also allows jumps, if they are few, and says
that *not a polynomial* is all it takes.

<details><summary>The theorem, and who proved it before for fewer activations</summary>

A set of numbers has **measure zero** if you can cover it with intervals whose lengths add up to as little as you like.

**Theorem** (Leshno, Lin, Pinkus & Schocken 1993). Fix $d \ge 1$. Let $\varphi : \mathbb{R} \to \mathbb{R}$ be bounded
on every bounded interval. Let the set of its discontinuities, together with all limit points of that set, have measure
zero. Then these two statements are equivalent:

1. For every continuous $f : \mathbb{R}^d \to \mathbb{R}$, every closed and bounded $K \subset \mathbb{R}^d$ and every
   $\varepsilon > 0$, some network $g$ with one hidden layer has $|f(x) - g(x)| < \varepsilon$ for all $x$ in $K$.
2. $\varphi$ does **not** agree with any **polynomial** outside a set of measure zero.

Others had proved the first statement before, for fewer activations:

- **Theorem** (Cybenko 1989). One hidden layer comes as close as you like to every continuous $f$ on every closed and
  bounded $K$, if $\varphi$ is continuous and tends to 0 on the left and to 1 on the right.
- **Theorem** (Hornik 1991). One hidden layer does so, too, if $\varphi$ is continuous, bounded and not constant.

ReLU is unbounded, so neither theorem covers it directly. But $\operatorname{ReLU}(z) - \operatorname{ReLU}(z - 1)$
satisfies the hypotheses of both, so both cover networks of such pairs.

</details>

<details><summary>Why no polynomial? The easier half of the proof</summary>

Suppose that $\varphi$ is a polynomial of degree $k$. Then every network is a polynomial of degree at most $k$, however
wide it is. Could such polynomials come as close as you like to the sine on $[0, 1]$? A polynomial of degree at most $k$
is determined by its values at $k + 1$ points, and depends continuously on them. At those points the values would tend
to those of the sine. So the polynomials themselves would tend to a polynomial, and this would have to be the sine. But
the sine is not a polynomial: none of its derivatives is 0 everywhere.

If $\varphi$ agrees with a polynomial only outside a set of measure zero, leave out the points where it does not agree.
The remaining points are dense, and the argument needs no others. For $d > 1$ take $\sin(x_1)$, and let only $x_1$ vary.

The harder half says that every other activation works. The paper proves that; we only quote it.

</details>

<details><summary>Are biases needed?</summary>

- *tanh* needs them: without them every network is odd.
- *ReLU* needs them too: without them, a network with one input is $\alpha x$ to the right of 0 and $\beta x$ to the
  left, which makes two pieces, whatever the number of units.
- *exp* does not need them. Products of sums $\sum_i a_i e^{w_i x}$ are such sums again, the constant 1 is one of them
  ($w = 0$), and $e^x$ takes different values at any two points. The theorem of Stone and Weierstrass asks for no more,
  so these sums come as close as you like to every continuous function on a closed and bounded interval.

</details>

Switch the hypotheses off one by one. **Is there one that a wider network can do without?** (Each move trains ten
networks.)
"""

# %%
live_figure(page.switchboard, **page.switch_controls())

# %% [markdown]
r"""
<details><summary>The answer, once you have tried them all</summary>

There is none. A polynomial activation, missing biases and a jump each leave a floor that holds at every width. Outside
the set, width may change the numbers, but the theorem still promises nothing. Give tanh its biases back, though, and it
draws the parabola.

</details>

*→ Exercise 01.5 gives you data, and asks which hypothesis was broken.*

## 4 Many dimensions (8 min)

A grid of spacing $1/n$ cuts $[0, 1]^d$ into $n^d$ cells, so in 100 dimensions a staircase is hopeless. Is every network
hopeless there?

Take the bell $f(x) = e^{-|x|^2/2}$, at points that lie in random directions, at most 2 from the origin. For a network,
take the average of $N$ cosine waves with random directions and random frequencies. **You go from 10 inputs to 100 and
keep $N$. What is the mean squared error now, compared with before?**
"""

# %%
predict("01a.dimension")

# %% [markdown]
r"""
Why waves? Because the bell is an average of waves: $f(x) = \mathbb{E} \cos(\omega \cdot x)$, where the coordinates of
$\omega$ are independent and standard normal. So draw $\omega_1, \dots, \omega_N$ at random, and take the mean:

$$ g(x) = \frac1N \sum_{i=1}^N \cos(\omega_i \cdot x) . $$

That is one hidden layer, with the cosine as its activation.
"""

# %%
def bell(x):
    return np.exp(-(x**2).sum(axis=1) / 2)


def random_waves(x, units, rng):
    waves = rng.normal(size=(x.shape[1], units))
    return np.cos(x @ waves).mean(axis=1)


rng = np.random.default_rng(0)
errors = []
for inputs in (10, 100):
    x = rng.normal(size=(2000, inputs))
    lengths = rng.uniform(0, 2, size=(2000, 1))
    x *= lengths / np.linalg.norm(x, axis=1, keepdims=True)
    errors.append(((random_waves(x, 1000, rng) - bell(x)) ** 2).mean())

# %%
reveal("01a.dimension", figure=page.cosine_errors_by_units(),
       ten=errors[0], hundred=errors[1])

# %% [markdown]
r"""
**Proposition.** At every $x$, in *any* dimension, the average $g$ of $N$ such random waves misses the bell $f$ by

$$ \mathbb{E}\,\bigl(f(x) - g(x)\bigr)^2 = \frac{(1 - e^{-|x|^2})^2}{2N} \le \frac{1}{2N} . $$

This is because the average of $N$ independent draws has the variance of one draw, divided by $N$, and because $\cos^2 z
= \frac12 (1 + \cos 2z)$. ∎

Some draw is at least as good as the average, so a network with at most this mean squared error **exists**. The measured
error agrees with the formula (measured over expected, with 100 inputs and 1,000 units: {{claim 01.dimension}}).

There is such a theorem for sigmoids, too:

**Theorem** (Barron 1993). Let $f(x) = \int e^{i \omega \cdot x} \hat f(\omega)\,d\omega$, where $\hat f$ may be a
measure, and let $C_f = \int |\omega|\,|\hat f(\omega)|\,d\omega$ be finite. Then for every $N$, every ball of radius
$r$ around 0 and every distribution of points in it, some network of $N$ sigmoid units and a constant has a mean squared
error of at most $(2 r C_f)^2 / N$.

The *rate*, $1/N$, does not know the dimension. The constant does. For the bell $C_f$ is the mean length of $\omega$,
about $\sqrt d$, and our points have $r = 2$. So with 1,000 units the bound is {{= cosines.barron_bound(10, 1000)}} for
10 inputs and {{= cosines.barron_bound(100, 1000)}} for 100. The best *constant* has an error of
{{= cosines.bell_variance()}}, so Barron's bound says nothing here. Yet the waves do so well, because this target is
just what they average to. On another target, $|x_1|$, 1,000 waves whose output weights were fitted to 4,000 points
leave {{claim 01.waves-ten}} of its variance with 10 inputs, and {{claim 01.waves-hundred}} with 100.

Is $|x_1|$ too hard, then? No: in any dimension, two units draw it, $\mathrm{ReLU}(x_1) + \mathrm{ReLU}(-x_1)$. What
fails is choosing directions blindly: in 100 dimensions, hardly any wave runs along $x_1$. If *all* weights are trained,
on as many points with 100 inputs, ten ReLU units leave next to nothing ({{claim 01.trained-relu}}), and ten sigmoids
leave {{claim 01.trained-sigmoid}}. Here, units chosen blindly pay for the dimension, and trained ones need not.

For some families of functions $C_f$ grows exponentially with $d$, and Barron's bound grows with it. So the bound
promises that some functions stay cheap, but not that all do. If the *largest* error counts, they cannot all be cheap
together:

**Theorem** (DeVore, Howard & Micchelli 1989). For every method whose parameters depend continuously on $f$: to reach
*every* function on $[0, 1]^d$ with $|\nabla f| \le 1$ up to a largest error of $\varepsilon$, the number of parameters
has to grow at least like $\varepsilon^{-d}$ as $\varepsilon \to 0$.

<details><summary>And in many dimensions? A proof for errors below a half, and why the largest error matters</summary>

**Proposition.** A method whose parameters depend continuously on $f$, and that reaches every $f$ on $[0, 1]^d$ with a
bounded slope, $|f(x) - f(z)| \le |x - z|$, up to a largest error below $\frac12$, has at least $2^d$ parameters.

Put a cone on each of the $2^d$ corners $v$ of the cube: $\max(0, \frac12 - |x - v|)$. The cones of different corners do
not overlap, so $f_c = \sum_v c_v\,\text{cone}_v$ has a slope of at most 1 if all $|c_v| \le 1$, and its largest value
is $\frac12$ if $\max |c_v| = 1$. These $c$ form the surface of a cube in $2^d$ dimensions. With fewer parameters, by
the theorem of Borsuk and Ulam, there is some $c$ on it for which $f_c$ and $f_{-c} = -f_c$ get the same parameters, and
so the same network. This network cannot come closer than $\frac12$ to both. ∎

For the *mean squared* error this is not true. Write $f$ as a sum of products of cosines, $\prod_i \cos(\pi k_i x_i)$
with whole numbers $k_i \ge 0$. What a term adds to the mean of $|\nabla f|^2$ is $\pi^2 |k|^2$ times what it adds to
the mean of $f^2$. So if $|\nabla f| \le 1$, all terms with $|k|^2 > m$ together have a root mean square of at most $1 /
(\pi \sqrt{m + 1})$. At most $(d + 1)^m$ terms remain: for a fixed error, their number grows like a power of $d$, not
exponentially.

</details>
"""

# %%
feedback("01a.theorem")

# %% [markdown]
r"""
**What you can now say.** Steep sigmoids make steps, steps make staircases, and staircases follow any continuous
function on a closed interval: that proves the theorem for one input. With more inputs, sums of waves follow every
continuous function, and a staircase follows each wave.

In many dimensions, the cost depends on the function, and on how the units are found. In 100 dimensions, 1,000 random
waves leave {{claim 01.dimension-free}} of the best constant's error for the bell, which is what they average to. Of the
variance of $|x_1|$ they leave {{claim 01.waves-hundred}}, although two ReLU units can draw it, and ten trained ones
find it. If the largest error counts, and one method has to serve all functions with a bounded slope, the cost grows
exponentially with the dimension, as long as the method's parameters depend continuously on the function.

If the slope is bounded, the staircase's error falls like $1/N$. If the second derivative is bounded, the error of
hinges falls like $1/N^2$. It does so for $\sqrt x$, too, if the hinges crowd where the root is steep. (If they are
evenly spaced, the error falls like $1/\sqrt N$.) The theorem asks very little of the activation: it must not be a
polynomial.

**Read on.** G. Cybenko (1989), *Approximation by superpositions of a sigmoidal function*. K. Hornik (1991),
*Approximation capabilities of multilayer feedforward networks*. M. Leshno, V. Lin, A. Pinkus & S. Schocken (1993),
*Multilayer feedforward networks with a nonpolynomial activation function can approximate any function*. A. Barron
(1993), *Universal approximation bounds for superpositions of a sigmoidal function*. R. DeVore, R. Howard & C. Micchelli
(1989), *Optimal nonlinear approximation*.

{{claims}}
"""

# %%
download()
