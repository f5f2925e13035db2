"""The plain PyTorch loop that the training engine is compared with."""

import copy
from collections.abc import Callable

import torch
from torch import Tensor, nn

OPTIMIZERS = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}


def network(
    sizes: list[int], activation: Callable[[], nn.Module], *, bias: bool = True, seed: int = 0
) -> nn.Sequential:
    """A float64 multilayer perceptron with weights of its own seed."""
    generator = torch.Generator().manual_seed(seed)
    layers: list[nn.Module] = []
    for n_in, n_out in zip(sizes, sizes[1:], strict=False):
        layers += [nn.Linear(n_in, n_out, bias=bias), activation()]
    model = nn.Sequential(*layers[:-1]).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / 2)
    return model


def networks(count: int, sizes: list[int], activation: Callable[[], nn.Module] = nn.Tanh, **options) -> list:
    return [network(sizes, activation, seed=seed, **options) for seed in range(count)]


def data(points: int, n_in: int, n_out: int, *, labels: bool, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Random inputs, and random labels or targets."""
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(points, n_in, generator=generator, dtype=torch.float64)
    if labels:
        return X, torch.randint(0, n_out, (points,), generator=generator)
    return X, torch.randn(points, n_out, generator=generator, dtype=torch.float64)


def usual_loop(
    model: nn.Module,
    X: Tensor,
    y: Tensor,
    *,
    epochs: int,
    lr: float,
    optimizer: str = "adam",
    schedule: Callable | None = None,
    batch_size: int | None = None,
    seed: int = 0,
    loss: Callable | None = None,
    **options,
) -> tuple[nn.Module, list[float]]:
    """A trained copy of the model, and the losses: torch.optim and autograd, as in any tutorial."""
    model = copy.deepcopy(model)
    loss = loss or (nn.functional.mse_loss if y.is_floating_point() else nn.functional.cross_entropy)
    generator = torch.Generator().manual_seed(seed)
    steps = OPTIMIZERS[optimizer]([p for p in model.parameters() if p.requires_grad], lr=lr, **options)
    scheduler = schedule(steps) if schedule else None
    losses = []
    for _ in range(epochs):
        order = torch.arange(len(X)) if batch_size is None else torch.randperm(len(X), generator=generator)
        for chosen in order.split(batch_size or len(X)):
            value = loss(model(X[chosen]), y[chosen])
            steps.zero_grad()
            value.backward()
            steps.step()
            losses.append(value.item())
            if scheduler:
                scheduler.step()
    return model, losses


def weights(model: nn.Module) -> Tensor:
    """All parameters in one vector."""
    return torch.cat([parameter.detach().flatten() for parameter in model.parameters()])


def same_bits(first: nn.Module, second: nn.Module) -> bool:
    return torch.equal(weights(first), weights(second))
