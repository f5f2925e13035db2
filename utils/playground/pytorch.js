// The lines of PyTorch that do what a playground's network does, to be copied into a notebook.
import { drawnPoints, ofSide, sizesOf } from "./setting.js";

const MODULES = { relu: "nn.ReLU", tanh: "nn.Tanh", sigmoid: "nn.Sigmoid", linear: "nn.Identity" };
const OF_POINTS = {
  line: ["X = 2 * torch.rand(n, 2) - 1", "y = X.sum(1) > 0"],
  circle: ["X = 2 * torch.rand(n, 2) - 1", "y = X.norm(dim=1) > (2 / torch.pi) ** 0.5"],
  rings: ["y, angle = torch.arange(n) % 2 == 1, 2 * torch.pi * torch.rand(n)",
    "X = torch.where(y, 0.8, 0.3)[:, None] * torch.stack([angle.cos(), angle.sin()], 1)"],
  spirals: ["y, along = torch.arange(n) % 2 == 1, torch.rand(n).sqrt()",
    "angle = 2 * torch.pi * TURNS * along + torch.pi * y",
    "X = (0.08 + 0.87 * along)[:, None] * torch.stack([angle.cos(), angle.sin()], 1)"],
  board: ["X = 2 * torch.rand(n, 2) - 1", "y = ((X + 1) * SQUARES).floor().sum(1) % 2 == 1"],
};
const DRAWN = ["place = places[torch.randint(len(places), (n,))]",
  "X, y = place[:, :2] + 0.03 * torch.randn(n, 2), place[:, 2] == 1"];

// How weights are drawn, where it is not PyTorch's own way: W is a layer's weight, or what it is filled with.
function initialLines({ init, gain, biases, bias_std, layers }) {
  const times = gain === 1 ? "" : `${gain} * `;
  const zero = biases ? [bias_std ? `    nn.init.normal_(layer.bias, std=${bias_std})` : "    nn.init.zeros_(layer.bias)"] : [];
  const std = { he: "(2 / layer.in_features) ** 0.5", lecun: "layer.in_features ** -0.5",
    xavier: "(2 / (layer.in_features + layer.out_features)) ** 0.5" };
  const loop = "for layer in linear:";
  if (init === "default") return gain === 1 ? [] : [loop, `    layer.weight.data *= ${gain}`];
  if (init === "orthogonal") return [loop, `    nn.init.orthogonal_(layer.weight, gain=${gain})`, ...zero];
  if (init === "identity") {
    return [loop, `    nn.init.normal_(layer.weight, std=${times}${std.he})`, ...zero,
      "for layer in linear[1:-1]:  # near the identity, where they are square", "    if layer.in_features == layer.out_features:",
      `        layer.weight.data = layer.weight / ${layers.length} ** 0.5 + ${times}torch.eye(layer.in_features)`];
  }
  return [loop, `    nn.init.normal_(layer.weight, std=${times}${std[init]})`, ...zero];
}

// Returns a program: the points, the network, its training, and the share of new points that it misses.
export function asPyTorch(setting, side) {
  const own = ofSide(setting, side), sizes = sizesOf(own.layers), module = MODULES[own.activation];
  const places = drawnPoints(setting.drawn).map(([x, y, label]) => `[${x.toFixed(3)}, ${y.toFixed(3)}, ${label}]`);
  const kind = setting.data === "drawn" && !places.length ? "circle" : setting.data, noise = setting.noise;
  const words = { SQUARES: 2 ** (setting.folds - 1), TURNS: setting.turns };
  const lines = (OF_POINTS[kind] ?? DRAWN).map((line) => line.replace(/SQUARES|TURNS/, (word) => words[word]));
  const optimiser = own.optimiser === "adam" ? "AdamW" : "SGD";
  const decay = optimiser === "AdamW" || own.decay ? `, weight_decay=${own.decay}` : ""; // AdamW's own is not 0
  const skips = own.skips && own.layers.some((width, l) => l && width === own.layers[l - 1]);
  const given = kind === "given";
  return [
    "import torch", "from torch import nn", "", `torch.manual_seed(${setting.seed})`,
    ...(kind === "drawn" ? [`places = torch.tensor([${places.join(", ")}])`] : []),
    ...(given ? ["# X, y: your points, and X_new, y_new: others, held out"] : [
      "def points(n):", ...lines.map((line) => `    ${line}`),
      `    return ${noise ? `X + ${noise} * torch.randn(n, 2)` : "X"}, y.float()`,
      `(X, y), (X_new, y_new) = points(${setting.n}), points(2000)`]),
    `sizes = [${sizes.join(", ")}]`,
    `linear = nn.ModuleList([nn.Linear(n_in, n_out${own.biases ? "" : ", bias=False"}) for n_in, n_out in zip(sizes, sizes[1:])])`,
    ...initialLines(own),
    "def model(x):", `    for layer in linear[:-1]:`,
    ...(skips ? [`        h = ${module}()(layer(x))`, "        x = x + h if layer is not linear[0] and h.shape == x.shape else h"]
      : [`        x = ${module}()(layer(x))`]),
    "    return linear[-1](x)[:, 0]",
    `optimiser = torch.optim.${optimiser}(linear.parameters(), lr=${own.rate}${decay})`,
    `for step in range(${setting.steps}):`, `    batch = torch.randint(len(X), (${setting.batch},))`,
    "    loss = nn.functional.binary_cross_entropy_with_logits(model(X[batch]), y[batch])",
    "    optimiser.zero_grad()", "    loss.backward()", "    optimiser.step()",
    'print("missed of new points:", ((model(X_new) > 0) != (y_new > 0)).float().mean().item())', "",
  ].join("\n");
}
