"""Transformers in small, of PyTorch's own parts, with weights drawn from a generator.

A block has two branches, attention and a feed-forward network, and each may have a skip connection and a layer norm:
before the branch ("pre", as in GPT-2) or after the sum ("post", as in Vaswani et al. 2017).
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from utils.checks import one_of, random_generator, whole_number

NORMS = ("pre", "post")
HEADS = 1
WIDER = 2  # hidden units of the feed-forward network, as a multiple of the width


class Bare(nn.Module):
    """A pre-norm block of which parts may be missing: x + attention(norm(x)), then x + feed_forward(norm(x)).

    Without skips the x in front is left out, without ``feeds`` the second step. Maps [texts, positions, width] to the
    same shape.
    """

    def __init__(self, width: int, heads: int = HEADS, *, skips: bool = True, feeds: bool = True):
        super().__init__()
        self.skips, self.feeds = skips, feeds
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.self_attn = nn.MultiheadAttention(width, heads, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(width, WIDER * width), nn.Linear(WIDER * width, width)

    def forward(self, x: Tensor) -> Tensor:
        normed = self.norm1(x)
        x = self.skips * x + self.self_attn(normed, normed, normed, need_weights=False)[0]
        if not self.feeds:
            return x
        return self.skips * x + self.linear2(nn.functional.gelu(self.linear1(self.norm2(x))))


class Transformer(nn.Module):
    """Blocks between an embedding of words and places and a linear layer that reads the last position.

    Maps words' numbers [n, length] to [n, outputs]. With "pre" a last layer norm follows the blocks, as in GPT-2.
    """

    def __init__(self, words: int, length: int, outputs: int, *, depth: int, width: int, norm: str):
        super().__init__()
        first = one_of("norm", norm, NORMS) == "pre"
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        options = {"dropout": 0.0, "activation": "gelu", "batch_first": True, "norm_first": first}
        self.blocks = nn.Sequential(
            *[nn.TransformerEncoderLayer(width, HEADS, WIDER * width, **options) for _ in range(depth)]
        )
        self.norm = nn.LayerNorm(width) if first else nn.Identity()
        self.out = nn.Linear(width, outputs)

    def forward(self, words: Tensor) -> Tensor:
        x = self.words(words.long()) + self.places.weight
        with sdpa_kernel(SDPBackend.MATH):  # the one that PyTorch can take for many networks at once
            x = self.blocks(x)
        return self.out(self.norm(x[:, -1]))


def transformer(
    words: int,
    length: int,
    outputs: int,
    *,
    depth: int,
    width: int,
    norm: str,
    gain: float = 1.0,
    generator: torch.Generator,
) -> Transformer:
    """Return a Transformer with `depth` blocks, its weights drawn as `draw` does.

    Raises TypeError or ValueError that names the argument at fault.
    """
    sizes = {"words": words, "length": length, "outputs": outputs, "depth": depth, "width": width}
    for name, size in sizes.items():
        whole_number(name, size)
    if width % HEADS:
        raise ValueError(f"width is {width}: wanted a multiple of {HEADS}, the number of heads")
    with torch.device("meta"):  # no storage and no random numbers until draw
        model = Transformer(words, length, outputs, depth=depth, width=width, norm=norm)
    return draw(model.to_empty(device="cpu"), gain, generator=generator)


@torch.no_grad()
def draw(model: nn.Module, gain: float = 1.0, *, generator: torch.Generator) -> nn.Module:
    """Return the same model with all weights drawn anew: those of blocks normal, of variance gain²/n_in.

    Biases are 0, embeddings standard normal, layer norms the identity.
    """
    random_generator("generator", generator)
    for layer in model.modules():
        if isinstance(layer, nn.MultiheadAttention):
            layer.in_proj_weight.normal_(0, gain / math.sqrt(layer.embed_dim), generator=generator)
            layer.in_proj_bias.zero_()
        elif isinstance(layer, nn.Linear):
            layer.weight.normal_(0, gain / math.sqrt(layer.in_features), generator=generator)
            layer.bias.zero_()
        elif isinstance(layer, nn.Embedding):
            layer.weight.normal_(generator=generator)
        elif isinstance(layer, nn.LayerNorm):
            layer.reset_parameters()
    return model


def apart(x: Tensor) -> Tensor:
    """Return how far the rows of each matrix are from one another, ‖x − 1 x̄ᵀ‖/‖x‖, [...] for x [..., rows, columns].

    The mean row x̄ makes the Frobenius norm of the difference smallest. 0 says that all rows are the same, 1 that their
    mean is zero.
    """
    return torch.linalg.matrix_norm(x - x.mean(-2, keepdim=True)) / torch.linalg.matrix_norm(x)
